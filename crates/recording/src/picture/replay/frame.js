// What the camera frames: the bodies that move, and what is fixed beside them as far as it is not much larger.

/** Directions in which a body's farthest corners are taken: faces, edges and corners of a cube. */
const DIRECTIONS = [];
for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) if (x || y || z) DIRECTIONS.push(new THREE.Vector3(x, y, z).normalize());

/** Maximum number of points sampled [-]. */
const MAX_FRAMED = 200000;
/** A body whose origin and corners stay within this fraction of its size does not move [-]. */
const STILL = 1e-4;
/** What is fixed belongs to the picture up to this size, against the size of what moves [-]. */
const FIXED_SIZE = 1.5;
/** Fraction of the time at either end of the path of a body that may lie outside of the picture [-]. */
const CLIPPED = 0.03;
/** How much of the view the picture fills [-]. */
const FILLED = 0.86;

/** The farthest corners of triangles, in their own frame: few points that fill the same space. */
function farthest(points) {
  const found = new Map();
  for (const direction of DIRECTIONS) {
    let best = -Infinity, at = 0;
    for (let i = 0; i < points.length; i += 3) {
      const reach = direction.x * points[i] + direction.y * points[i + 1] + direction.z * points[i + 2];
      if (reach > best) [best, at] = [reach, i];
    }
    if (points.length) found.set(at, new THREE.Vector3().fromArray(points, at));
  }
  return [...found.values()];
}

/** Where the farthest corners of a body are over time, and whether they move. */
function pathOf(body, corners, stride) {
  const count = head.bodies.length, position = new THREE.Vector3(), turn = new THREE.Quaternion();
  const at = f => { const k = (f * count + body) * POSE; position.fromArray(poses, k); turn.fromArray(poses, k + 3); };
  const sampled = [];
  for (let f = 0; f < frames; f += stride) sampled.push(f);
  if (frames && sampled.at(-1) !== frames - 1) sampled.push(frames - 1);
  const limits = ['x', 'y', 'z'].map(axis => {
    const values = sampled.map(f => { at(f); return position[axis]; });
    return [axis, quantile(values, CLIPPED), quantile(values, 1 - CLIPPED)];
  });
  const points = [], first = [];
  let moved = 0;
  for (const f of sampled) {
    at(f);
    const isInside = limits.every(([axis, low, high]) => position[axis] >= low && position[axis] <= high);
    corners.forEach((corner, k) => {
      const point = corner.clone().applyQuaternion(turn).add(position);
      if (f === 0) first.push(point);
      moved = Math.max(moved, point.distanceTo(first[k]));
      if (isInside) points.push(point);
    });
  }
  const size = new THREE.Box3().setFromPoints(corners).getSize(new THREE.Vector3()).length();
  return { points: points.length ? points : first, moves: moved > STILL * size };
}

/** The points that the camera frames; `shapes` are corners with the body that they are on, null where they are fixed. */
function framedPoints(shapes) {
  const own = head.bodies.map(() => []);
  for (const { body, corners } of shapes) if (body !== null) own[body].push(...corners);
  const all = own.reduce((sum, corners) => sum + corners.length, 0);
  const stride = Math.max(1, Math.ceil(frames / 300), Math.ceil(frames * all / MAX_FRAMED));
  const paths = own.map((corners, body) => pathOf(body, corners, stride)).filter(({ points }) => points.length);
  const fixed = shapes.filter(({ body, corners }) => body === null && corners.length).map(({ corners }) => corners);
  const moving = paths.filter(({ moves }) => moves), still = paths.filter(({ moves }) => !moves);
  // Where nothing moves, bodies come before what is fixed.
  const chosen = (moving.length ? moving : still).flatMap(({ points }) => points);
  const beside = [...(moving.length ? still.map(({ points }) => points) : []), ...fixed];
  if (!chosen.length) return beside.flat();
  const size = points => new THREE.Box3().setFromPoints(points).getSize(new THREE.Vector3()).length();
  const max = FIXED_SIZE * size(chosen);
  for (const points of beside) if (size(points) <= max) chosen.push(...points);
  return chosen;
}

/** Position of a camera that views along a direction and just shows all points: from `middle`, its place across and its distance. */
function fittedView(points, middle, towards, top, right, tall, wide) {
  // A point is inside where |x - across| <= wide (distance - z): two planes on either side bind, and both paths the largest counts.
  let [rightmost, leftmost, highest, lowest] = [-Infinity, -Infinity, -Infinity, -Infinity];
  const from = new THREE.Vector3();
  for (const point of points) {
    from.copy(point).sub(middle);
    const x = from.dot(right), y = from.dot(top), z = from.dot(towards);
    rightmost = Math.max(rightmost, x + wide * z);
    leftmost = Math.max(leftmost, -x + wide * z);
    highest = Math.max(highest, y + tall * z);
    lowest = Math.max(lowest, -y + tall * z);
  }
  return {
    across: (rightmost - leftmost) / 2,
    above: (highest - lowest) / 2,
    distance: Math.max((rightmost + leftmost) / (2 * wide), (highest + lowest) / (2 * tall)),
  };
}
