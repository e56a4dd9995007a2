// Contacts: points coloured by gap, arrows for forces, all instanced.

const NORMAL_COLOR = '#d1495b', FRICTION_COLOR = '#e09f3e';
/** Colours of gaps: overlap, touch, apart. */
const GAP_COLORS = ['#c2334d', '#f2e3b3', '#2f7fb5'].map(c => new THREE.Color(c));
/** Decades of force that a logarithmic arrow shows [-]. */
const DECADES = 4;

/** Gaps below this fraction of the picture are rounding and solver residuals, not gaps [-]. */
const MIN_GAP = 1e-6;
const minGap = MIN_GAP * radius;
const gapScale = () => Math.max(minGap, contactRange.gap);
const forceScale = () => Math.max(1e-12, contactRange.force);
/** Longest arrow, its shaft and a point, against half the height of the view [-]: they look the same from near and from far. */
const LONGEST = 0.42, SHAFT = 0.007, POINT = 0.012;

/** How long an arrow is, against the longest [-]; larger forces than the scale's are no longer. */
const LENGTHS = {
  'square root': force => Math.sqrt(force / forceScale()),
  logarithm: force => Math.max(0, 1 + Math.log10(force / forceScale()) / DECADES),
  linear: force => force / forceScale(),
};

/** Instances that are seen in front of bodies, and faintly through them. */
function instances(geometry, color, count) {
  const seen = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 0.5 }), count);
  const hidden = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.5, depthTest: false, depthWrite: false }), count);
  hidden.instanceMatrix = seen.instanceMatrix;
  hidden.renderOrder = 2;
  seen.renderOrder = 1;
  seen.castShadow = false;
  for (const mesh of [seen, hidden]) { mesh.frustumCulled = false; mesh.count = 0; world.add(mesh); }
  return { seen, hidden, set count(n) { seen.count = hidden.count = n; seen.instanceMatrix.needsUpdate = true; } };
}

const shaft = new THREE.CylinderGeometry(1, 1, 1, 14).translate(0, 0.5, 0);
const tip = new THREE.ConeGeometry(1, 1, 20).translate(0, 0.5, 0);
const arrows = [NORMAL_COLOR, FRICTION_COLOR].map(color => ({ shafts: instances(shaft, color, contactRange.most), tips: instances(tip, color, contactRange.most), count: 0 }));
const dots = instances(new THREE.SphereGeometry(1, 18, 12), '#ffffff', contactRange.most);
// A rim keeps pale dots apart from a pale ground.
const rims = instances(new THREE.SphereGeometry(1, 18, 12), '#33383f', contactRange.most);
rims.seen.material = new THREE.MeshBasicMaterial({ color: '#33383f', side: 1 });
rims.hidden.visible = false;
dots.seen.material = new THREE.MeshBasicMaterial();

/** The colour of a gap [m]. */
function gapColor(gap, color) {
  const x = Math.max(-1, Math.min(1, gap / gapScale()));
  return x < 0 ? color.lerpColors(GAP_COLORS[1], GAP_COLORS[0], -x) : color.lerpColors(GAP_COLORS[1], GAP_COLORS[2], x);
}

const Y = new THREE.Vector3(0, 1, 0), ONE = new THREE.Quaternion();
const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), size = new THREE.Vector3(), place = new THREE.Vector3(), force = new THREE.Vector3(), dotColor = new THREE.Color();

function layArrow(set, from, along, strength, lengthOf, view) {
  // A force that an eye cannot see is no arrow, and none reaches out of the view.
  const length = view * LONGEST * Math.min(1, lengthOf(strength)), shaftSize = view * SHAFT;
  if (!(length > 0.02 * view)) return;
  longestShown = Math.max(longestShown, length / view);
  const head = Math.min(0.4 * length, 6 * shaftSize);
  turn.setFromUnitVectors(Y, along);
  set.shafts.seen.setMatrixAt(set.count, matrix.compose(from, turn, size.set(shaftSize, length - head, shaftSize)));
  place.copy(from).addScaledVector(along, length - head);
  set.tips.seen.setMatrixAt(set.count, matrix.compose(place, turn, size.set(2.6 * shaftSize, head, 2.6 * shaftSize)));
  set.count++;
}

/** The longest arrow that is shown, against half the height of the view where it stands [-]. */
let longestShown = 0;

/** Lays points and arrows for the contacts of an instant. */
function showContacts(contacts, shown) {
  longestShown = 0;
  const ahead = camera.getWorldDirection(new THREE.Vector3()), toTarget = camera.position.distanceTo(controls.target);
  const lengthOf = LENGTHS[shown.scale];
  let count = 0;
  for (const set of arrows) set.count = 0;
  const from = new THREE.Vector3(), along = new THREE.Vector3();
  for (const { pair, numbers } of contacts) {
    from.fromArray(numbers, 0);
    // What is nearer than the middle of the picture is drawn smaller, so that it does not cover it.
    const depth = place.copy(from).sub(camera.position).dot(ahead);
    const view = halfView(Math.max(camera.near, Math.min(toTarget, depth))), pointSize = view * POINT;
    // Forces are shown on the body that moves, on B where both do.
    const isFixed = shape => head.shapes[shape]?.body === null;
    const sign = isFixed(pair[1]) && !isFixed(pair[0]) ? -1 : 1;
    if (shown.points) {
      dots.seen.setMatrixAt(count, matrix.compose(from, ONE, size.setScalar(pointSize)));
      rims.seen.setMatrixAt(count, matrix.compose(from, ONE, size.setScalar(1.3 * pointSize)));
      dots.seen.setColorAt(count, gapColor(numbers[6], dotColor));
      count++;
    }
    if (shown.normal) {
      along.fromArray(numbers, 3).multiplyScalar(sign * Math.sign(numbers[7])).normalize();
      layArrow(arrows[0], from, along, Math.abs(numbers[7]), lengthOf, view);
    }
    if (shown.friction) {
      force.fromArray(numbers, 8);
      const strength = force.length();
      if (strength > 0) layArrow(arrows[1], from, along.copy(force).multiplyScalar(sign / strength), strength, lengthOf, view);
    }
  }
  dots.count = count;
  rims.count = count;
  if (dots.seen.instanceColor) dots.seen.instanceColor.needsUpdate = true;
  dots.hidden.instanceColor = dots.seen.instanceColor;
  for (const set of arrows) { set.shafts.count = set.count; set.tips.count = set.count; }
}
