// The recording: decoded once, sampled at any time.

const head = JSON.parse(document.getElementById('recording').textContent);
const times = decode(head.times, Float64Array);
const poses = decode(head.poses, Float32Array);
const energies = decode(head.energies, Float32Array);
const steps = decode(head.steps, Float32Array);
const contactStarts = decode(head.contact_starts, Uint32Array);
const contactNumbers = decode(head.contacts, Float32Array);
const contactPairs = decode(head.contact_pairs, Uint32Array);
const contactIds = decode(head.contact_ids, Uint32Array);
const vertices = decode(head.vertices, Float32Array);
const triangles = decode(head.triangles, Uint32Array);

const frames = times.length;
const start = frames ? times[0] : 0;
const end = Math.max(start, frames ? times[frames - 1] : 0);
const duration = end - start;

/** The frame at or before a time, and the fraction of the time to the next. */
function locate(t) {
  if (frames < 2 || t <= times[0]) return [0, 0];
  if (t >= times[frames - 1]) return [frames - 1, 0];
  let low = 0, high = frames - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  return [low, (t - times[low]) / (times[high] - times[low])];
}

const otherTurn = new THREE.Quaternion();

/** Where a body is between two frames: straight line and shortest turn. */
function poseAt(body, frame, fraction, position, turn) {
  const a = (frame * head.bodies.length + body) * POSE;
  position.fromArray(poses, a);
  turn.fromArray(poses, a + 3);
  if (fraction > 0) {
    const b = a + head.bodies.length * POSE;
    position.x += (poses[b] - poses[a]) * fraction;
    position.y += (poses[b + 1] - poses[a + 1]) * fraction;
    position.z += (poses[b + 2] - poses[a + 2]) * fraction;
    turn.slerp(otherTurn.fromArray(poses, b + 3), fraction);
  }
}

/** Contacts at a time; those that last to the next frame are interpolated. */
function contactsAt(frame, fraction) {
  const found = [];
  if (frame >= frames) return found;
  for (let c = contactStarts[frame]; c < contactStarts[frame + 1]; c++) {
    const numbers = Array.from(contactNumbers.subarray(c * CONTACT, (c + 1) * CONTACT));
    const pair = contactPairs[c];
    if (fraction > 0) {
      for (let d = contactStarts[frame + 1]; d < contactStarts[frame + 2]; d++) {
        if (contactPairs[d] !== pair || contactIds[d] !== contactIds[c]) continue;
        for (let k = 0; k < CONTACT; k++) numbers[k] += (contactNumbers[d * CONTACT + k] - numbers[k]) * fraction;
        break;
      }
    }
    found.push({ pair: head.pairs[pair], numbers });
  }
  return found;
}

/** Speed of a body's origin between the frames around a time [m/s]. */
function speedOf(body, frame) {
  const a = Math.min(frame, frames - 2);
  if (a < 0) return 0;
  const p = (a * head.bodies.length + body) * POSE, q = p + head.bodies.length * POSE;
  return Math.hypot(poses[q] - poses[p], poses[q + 1] - poses[p + 1], poses[q + 2] - poses[p + 2]) / (times[a + 1] - times[a]);
}

/** Whether there are contacts, the most of a frame, and the sizes of gaps [m] and forces [N] that colours and arrows span. */
const contactRange = {
  has: contactPairs.length > 0,
  most: 1,
  gap: quantile(contactNumbers.filter((_, k) => k % CONTACT === 6).map(Math.abs), 0.95),
  force: quantile(contactNumbers.filter((_, k) => k % CONTACT === 7).map(Math.abs), 0.95),
};
for (let f = 0; f < frames; f++) contactRange.most = Math.max(contactRange.most, contactStarts[f + 1] - contactStarts[f]);
