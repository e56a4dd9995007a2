// The running world: what is drawn, and the newest picture of it.

const stage = window.zerogapStage;
const head = { ...stage.hello, events: [] };
const { vertices, triangles } = (() => {
  const [, vertexBytes, triangleBytes] = new Uint32Array(stage.geometry, 0, 3);
  return {
    vertices: new Float32Array(stage.geometry, 12, vertexBytes / 4),
    triangles: new Uint32Array(stage.geometry, 12 + vertexBytes, triangleBytes / 4),
  };
})();

/** Numbers of the state in a picture [-]. */
const STATE = 15;
/** Bytes before them. */
const PICTURE_HEAD = 32;

/** A picture of an instant from its bytes. */
function pictureOf(bytes) {
  const view = new DataView(bytes);
  const [bodies, contacts, flags] = [20, 24, 28].map(at => view.getUint32(at, true));
  let at = PICTURE_HEAD;
  const next = (Kind, count) => { const array = new Kind(bytes, at, count); at += 4 * count; return array; };
  const state = next(Float32Array, STATE);
  return {
    tick: view.getFloat64(4, true), t: view.getFloat64(12, true),
    isPaused: !!(flags & 1), hasFailed: !!(flags & 2), isHeld: !!(flags & 4), hasClearance: !!(flags & 8),
    energies: state.subarray(0, 3), pace: state[3],
    from: state.subarray(4, 7), to: state.subarray(7, 10), force: state.subarray(10, 13), torque: state[13], clearance: state[14],
    poses: next(Float32Array, bodies * POSE), contacts: next(Float32Array, contacts * CONTACT), pairs: next(Uint32Array, 2 * contacts),
  };
}

let picture = pictureOf(stage.first);

// The camera frames the first picture.
const frames = 1, times = [picture.t], start = 0, end = 0, duration = 0;
const poses = picture.poses;

/** Contacts that are drawn at most [-]. */
const MAX_DRAWN = 4096;
const contactRange = { has: true, most: MAX_DRAWN, gap: 0, force: 0 };
