// Tools of the view: a plane that cuts bodies open, and the distance of two points.

/** The section: what lies on the side of the camera is not drawn, and not picked. */
const section = { axis: '', plane: { normal: new THREE.Vector3(0, 0, -1), constant: 0 } };
const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
renderer.localClippingEnabled = true;

/** Sets the axis ('' is none) and where along it the section is, from 0 to 1 through the picture. */
function setSection(axis, part) {
  section.axis = axis;
  const planes = axis ? [section.plane] : null;
  for (const material of [...bodyMaterials, fixedMaterial, creaseMaterial]) {
    if (!material.clippingPlanes !== !planes) material.needsUpdate = true;
    material.clippingPlanes = planes;
  }
  if (!axis) return;
  const place = middle[axis] + (2 * part - 1) * radius, side = camera.position[axis] >= place ? 1 : -1;
  section.plane.normal.set(...AXES[axis]).multiplyScalar(-side);
  section.plane.constant = side * place;
}

/** Whether a point is drawn. */
const isDrawn = point => !section.axis || section.plane.normal.dot(point) + section.plane.constant >= 0;

/** The measured points: on which body, null where that is fixed, and where on it. */
const measured = { isOn: false, points: [] };
const measure = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3)), new THREE.LineBasicMaterial({ color: '#2f9e6e', depthTest: false, transparent: true }));
measure.renderOrder = 3;
measure.frustumCulled = false;
measure.visible = false;
world.add(measure);

function setMeasuring(value) {
  measured.isOn = value;
  measured.points = [];
  document.getElementById('measure').classList.toggle('on', value);
  canvas.classList.toggle('measures', value);
  isDirty = true;
}

// Before the hand's own listener: a click measures, and holds nothing.
canvas.addEventListener('pointerdown', event => {
  if (!measured.isOn || event.button !== 0) return;
  const hit = under(event);
  if (!hit) return;
  event.stopImmediatePropagation();
  if (measured.points.length === 2) measured.points = [];
  const { body } = hit.object.userData;
  measured.points.push({ body, at: body === null ? hit.point.clone() : bodyGroups[body].worldToLocal(hit.point.clone()) });
  isDirty = true;
}, { capture: true });

/** Draws the distance as the bodies stand, and says it. */
function showMeasure() {
  const row = document.getElementById('distance');
  measure.visible = measured.points.length === 2;
  row.textContent = !measured.isOn ? '' : measured.points.length === 1 ? 'click another point' : measured.points.length === 0 ? 'click a point' : '';
  if (!measure.visible) return;
  const [a, b] = measured.points.map(({ body, at }) => body === null ? at : at.clone().applyQuaternion(bodyGroups[body].quaternion).add(bodyGroups[body].position));
  const ends = measure.geometry.attributes.position;
  a.toArray(ends.array, 0);
  b.toArray(ends.array, 3);
  ends.needsUpdate = true;
  const between = b.clone().sub(a);
  row.textContent = `${withUnit(between.length(), 'm')} (${between.toArray().map(x => withUnit(x, 'm')).join(', ')})`;
}
