// The recording: decoded once, sampled at any time.

/** Numbers from base64, little-endian. */
function decode(text, Kind) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Kind(bytes.buffer);
}

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

/** Numbers of a pose: position from the centre [m], quaternion x y z w. */
const POSE = 7;
/** Numbers of a contact: point, normal, gap, normal force, friction. */
const CONTACT = 11;
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

/** The value below which a fraction of the numbers lies. */
function quantile(numbers, fraction) {
  const sorted = Float64Array.from(numbers).filter(Number.isFinite).sort();
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))] : 0;
}

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p'], [1e-15, 'f']];

/** A number with its unit, three digits. */
function withUnit(x, unit) {
  if (!Number.isFinite(x)) return '–';
  const size = Math.abs(x);
  if (size < 1e-16) return `0 ${unit}`;
  const [factor, prefix] = PREFIXES.find(([f]) => size >= f * 0.9995) ?? PREFIXES[PREFIXES.length - 1];
  const scaled = x / factor;
  const digits = Math.abs(scaled) >= 99.95 ? 0 : Math.abs(scaled) >= 9.995 ? 1 : 2;
  return `${scaled.toFixed(digits).replace('-', '−')} ${prefix}${unit}`;
}

/** Even numbers for the ticks of an axis. */
function niceTicks(low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) ticks.push(k * step);
  return ticks;
}

/** A tick without needless digits. */
function plain(x) {
  if (x === 0) return '0';
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(1).replace('.0e', 'e').replace('e+', 'e') : String(+x.toPrecision(6));
  return text.replace(/-/g, '−');
}
