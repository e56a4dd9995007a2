// The scene: bodies, ground, lights, shadows, camera.

/** Muted colours that stay apart from each other, in light and dark. */
const PALETTE = ['#5f8fae', '#d2935f', '#7ba37f', '#b9727c', '#9283b5', '#c9ab55', '#61a8a3', '#a8805f', '#8d9c55', '#c38bab', '#6f82a0', '#cf9f8c'];
const FIXED_COLOR = '#a5a29b';

const canvas = document.getElementById('scene');
const renderer = makeRenderer();
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.PCFShadowMap;

/** The renderer, or words where the browser has no WebGL. */
function makeRenderer() {
  try {
    return new THREE.WebGLRenderer({ canvas, antialias: true });
  } catch (error) {
    const fault = document.getElementById('fault');
    fault.hidden = false;
    fault.textContent = 'This browser cannot draw in three dimensions here: WebGL is switched off or missing.';
    throw error;
  }
}

const world = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);

// Up is against gravity; without gravity it is z.
const gravity = new THREE.Vector3(...head.gravity);
const up = gravity.lengthSq() > 0 ? gravity.clone().negate().normalize() : new THREE.Vector3(0, 0, 1);

/** The colour of a body. */
const colorOf = body => body === null ? FIXED_COLOR : PALETTE[body % PALETTE.length];

// One group a body, and one for what is fixed; the numbers of bodies are those of the recording.
const fixedGroup = new THREE.Group();
const bodyGroups = head.bodies.map(() => new THREE.Group());
const bodyMaterials = head.bodies.map((_, body) => new THREE.MeshStandardMaterial({ color: colorOf(body), roughness: 0.62, metalness: 0.05, side: THREE.DoubleSide }));
/** How much paler bodies are while they sleep [-]. */
const PALER = 0.55;
/** When each body falls asleep and wakes: events of both kinds, in order. */
const naps = head.events.filter(event => event.kind === 'sleep' || event.kind === 'wake');

/** Draws bodies that sleep at a time paler. */
function paleAt(t) {
  if (!naps.length) return;
  const asleep = new Set();
  for (const { t: at, kind, body } of naps) {
    if (at > t) break;
    if (kind === 'sleep') asleep.add(body); else asleep.delete(body);
  }
  bodyMaterials.forEach((material, body) => {
    material.color.set(colorOf(body));
    if (asleep.has(body)) material.color.lerp(new THREE.Color('#ffffff'), PALER);
  });
}

const fixedMaterial = new THREE.MeshStandardMaterial({ color: FIXED_COLOR, roughness: 0.85, side: THREE.DoubleSide });
const creaseMaterial = new THREE.LineBasicMaterial({ color: '#000000', transparent: true, opacity: 0.42 });
const creases = [], patches = [], solids = [];
const framed = [];
world.add(fixedGroup, ...bodyGroups);

for (const shape of head.shapes) {
  const points = vertices.subarray(shape.vertices[0], shape.vertices[1]);
  const corners = triangles.subarray(shape.triangles[0], shape.triangles[1]);
  const group = shape.body === null ? fixedGroup : bodyGroups[shape.body];
  const patch = patchOf(points, corners);
  if (patch) { patches.push({ patch, group }); continue; }
  const { solid, crease } = creased(points, corners);
  const mesh = new THREE.Mesh(solid, shape.body === null ? fixedMaterial : bodyMaterials[shape.body]);
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.userData = { body: shape.body, name: shape.body === null ? shape.name : head.bodies[shape.body] };
  const lines = new THREE.LineSegments(crease, creaseMaterial);
  group.add(mesh, lines);
  solids.push(mesh);
  creases.push(lines);
  framed.push({ body: shape.body, corners: farthest(points) });
}

const framePoints = framedPoints(framed);
const bounds = new THREE.Box3().setFromPoints(framePoints);
if (bounds.isEmpty()) bounds.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
const middle = bounds.getCenter(new THREE.Vector3());
const radius = Math.max(1e-9, bounds.getSize(new THREE.Vector3()).length() / 2);

// Light from above and aside, with a soft shadow that covers the picture.
const aside = Math.abs(up.x) < 0.8 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
const east = aside.sub(up.clone().multiplyScalar(aside.dot(up))).normalize();
const north = up.clone().cross(east);
const inAxes = (e, n, u) => east.clone().multiplyScalar(e).addScaledVector(north, n).addScaledVector(up, u);
const sky = new THREE.HemisphereLight('#ffffff', '#c9c4ba', 1.5);
sky.position.copy(up);
const sun = new THREE.DirectionalLight('#fffaf2', 2.1);
sun.position.copy(middle).add(inAxes(-0.9, -1.4, 2.6).multiplyScalar(radius * 1.6));
sun.target.position.copy(middle);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
sun.shadow.radius = 6;
sun.shadow.bias = -0.0012;
sun.shadow.normalBias = 0.01 * radius;
Object.assign(sun.shadow.camera, { left: -2.1 * radius, right: 2.1 * radius, top: 2.1 * radius, bottom: -2.1 * radius, near: 0.1 * radius, far: 12 * radius });
const fill = new THREE.DirectionalLight('#e6edff', 0.75);
fill.position.copy(middle).add(inAxes(1.5, 1.1, 0.8).multiplyScalar(radius));
fill.target.position.copy(middle);
world.add(sky, sun, sun.target, fill, fill.target);

// The ground: half-spaces where there are some, otherwise a bare grid below everything.
const GROUND_REACH = 9;
const spacing = [1, 2, 5, 10].map(m => m * 10 ** Math.floor(Math.log10(radius / 4))).find(s => s >= radius / 4.001);
let grounds = [];

/** A disk of ground that fades into the background, and its grid. */
function ground(origin, normal, along, group, extent, isBare) {
  const holder = new THREE.Group();
  const axisY = normal.clone().cross(along);
  holder.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(along, axisY, normal));
  holder.position.copy(origin);
  if (!isBare) {
    const fade = document.createElement('canvas');
    fade.width = fade.height = 256;
    const pen = fade.getContext('2d');
    const gradient = pen.createRadialGradient(128, 128, 10, 128, 128, 128);
    gradient.addColorStop(0, '#ffff'); gradient.addColorStop(0.35, '#ffff'); gradient.addColorStop(1, '#fff0');
    pen.fillStyle = gradient;
    pen.fillRect(0, 0, 256, 256);
    const material = new THREE.MeshStandardMaterial({ color: theme.ground, map: new THREE.CanvasTexture(fade), transparent: true, roughness: 1, depthWrite: false });
    const disk = new THREE.Mesh(new THREE.PlaneGeometry(2 * extent, 2 * extent), material);
    disk.receiveShadow = true;
    disk.renderOrder = -2;
    holder.add(disk);
  }
  const shift = new THREE.Vector2(origin.dot(along), origin.dot(axisY));
  const lines = gridLines(spacing, extent * 0.8, new THREE.Color(theme.grid), shift.set(shift.x % (5 * spacing), shift.y % (5 * spacing)));
  lines.renderOrder = -1;
  // Lines never fight with the plane that they lie on.
  lines.position.z = radius * 2e-4;
  holder.add(lines);
  group.add(holder);
  grounds.push({ holder, lines, group });
}

function layGrounds() {
  for (const { holder, group } of grounds) group.remove(holder);
  grounds = [];
  for (const { patch, group } of patches) {
    // The floor reaches as far as one can see; other planes stay as they were drawn.
    const isFloor = patch.normal.dot(up) > 0.7;
    const origin = patch.middle.clone();
    if (isFloor && group === fixedGroup) origin.copy(middle).addScaledVector(patch.normal, patch.middle.clone().sub(middle).dot(patch.normal));
    ground(origin, patch.normal, patch.along, group, isFloor ? GROUND_REACH * radius : Math.min(patch.half, 2 * radius), false);
  }
  if (!patches.some(({ patch }) => patch.normal.dot(up) > 0.7)) {
    const corner = new THREE.Vector3(...['x', 'y', 'z'].map(k => up[k] > 0 ? bounds.min[k] : bounds.max[k]));
    const origin = middle.clone().addScaledVector(up, corner.sub(middle).dot(up) - 0.02 * radius);
    ground(origin, up, east, world, 0.7 * GROUND_REACH * radius, true);
  }
}

// Light and dark.
const THEMES = {
  light: { back: '#f4f2ed', ground: '#dddbd6', grid: '#8a8f96', crease: '#1c2126', creaseOpacity: 0.5, sky: 1.9, sun: 1.95 },
  dark: { back: '#15171a', ground: '#2b2e33', grid: '#8d949c', crease: '#050607', creaseOpacity: 0.6, sky: 1.25, sun: 1.75 },
};
let theme = THEMES.light;

function setTheme(name) {
  theme = THEMES[name];
  document.documentElement.dataset.theme = name;
  world.background = new THREE.Color(theme.back);
  creaseMaterial.color.set(theme.crease);
  creaseMaterial.opacity = theme.creaseOpacity;
  sky.intensity = theme.sky;
  sun.intensity = theme.sun;
  layGrounds();
}

// The camera looks from the front, aside and above, so that everything fits.
camera.up.copy(up);
const controls = new THREE.OrbitControls(camera, canvas);
controls.enableDamping = false;
controls.screenSpacePanning = true;

function lookAtAll(direction = inAxes(0.75, -1.25, 0.62)) {
  const towards = direction.clone().normalize();
  const right = up.clone().cross(towards).normalize(), top = towards.clone().cross(right);
  const tall = FILLED * halfView(1), wide = tall * camera.aspect;
  const { across, above, distance } = fittedView(framePoints.length ? framePoints : [bounds.min, bounds.max], middle, towards, top, right, tall, wide);
  controls.target.copy(middle).addScaledVector(right, across).addScaledVector(top, above);
  camera.position.copy(controls.target).addScaledVector(towards, Math.max(distance, 0.1 * radius));
  controls.minDistance = radius * 1e-5;
  controls.maxDistance = radius * 20;
  updateCamera();
}

/** Half the height of the view at a distance from the camera [m]. */
function halfView(distance) { return distance * Math.tan(camera.fov * Math.PI / 360); }

/** Fits the clipping planes to the distance, so that small things can be seen from near. */
function updateCamera() {
  controls.update();
  const distance = camera.position.distanceTo(controls.target);
  camera.near = distance / 100;
  camera.far = radius * 60 + distance;
  camera.updateProjectionMatrix();
}
