// Numbers: from bytes, and as people read them.

/** Numbers from base64, little-endian. */
function decode(text, Kind) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Kind(bytes.buffer);
}

/** Numbers of a pose: position from the centre [m], quaternion x y z w. */
const POSE = 7;
/** Numbers of a contact: point, normal, gap, normal force, friction. */
const CONTACT = 11;

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
