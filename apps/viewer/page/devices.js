// 3D mice and gamepads: they move the ghost of a carried part by velocities, as long as they are deflected.

/** Vendors of 3D mice: Logitech, under which the first ones were sold, and 3Dconnexion. */
const MOUSE_VENDORS = [0x046d, 0x256f];
/** The usage of a controller with six axes, on the page of desktop controls. */
const SIX_AXES = { usagePage: 0x01, usage: 0x08 };
/** The number of an axis at full deflection [-]. */
const FULL = 350;
/** Full deflection moves by this fraction of the size of the picture in a second [1/s], and turns so fast [rad/s]. */
const REACH = 0.5, SPIN = Math.PI / 2;
/** Deflections of a stick below this are its rest [-]. */
const DEAD_ZONE = 0.12;
/** Time between two pictures beyond which no device moves further [s]. */
const MAX_PAUSE = 0.1;

/**
 * A report of a 3D mouse: report 1 has translations, and rotations behind them where it is long; report 2 has rotations, report 3 buttons.
 * Axes are right, towards the person and down, of full deflection one; none where the report is of another kind.
 */
function parseReport(id, data) {
  const axes = at => [0, 2, 4].map(k => Math.max(-1, Math.min(1, data.getInt16(at + k, true) / FULL)));
  if (id === 1 && data.byteLength >= 12) return { move: axes(0), turn: axes(6) };
  if (id === 1 && data.byteLength >= 6) return { move: axes(0) };
  if (id === 2 && data.byteLength >= 6) return { turn: axes(0) };
  if (id === 3 && data.byteLength >= 1) return { buttons: data.getUint8(0) };
  return {};
}

/** What the 3D mouse is deflected by. */
const mouse = { move: [0, 0, 0], turn: [0, 0, 0] };

async function listen(device) {
  if (!device.opened) await device.open();
  device.addEventListener('inputreport', ({ reportId, data }) => {
    const { move, turn, buttons } = parseReport(reportId, data);
    if (move) mouse.move = move;
    if (turn) mouse.turn = turn;
    if (buttons) release();
  });
  document.getElementById('device').textContent = device.productName || '3D mouse';
  document.getElementById('connect').hidden = true;
}

async function connectMouse() {
  try {
    const [device] = await navigator.hid.requestDevice({ filters: MOUSE_VENDORS.map(vendorId => ({ vendorId, ...SIX_AXES })) });
    if (device) await listen(device);
  } catch (error) {
    notice(`the 3D mouse cannot be used: ${error.message}`);
  }
}

function findDevices() {
  const hasHid = 'hid' in navigator;
  document.getElementById('connect').hidden = !hasHid;
  if (!hasHid) { document.getElementById('device').textContent = 'this browser has no WebHID'; return; }
  document.getElementById('connect').addEventListener('click', connectMouse);
  // One that was allowed before needs no click.
  navigator.hid.getDevices().then(devices => { if (devices.length) return listen(devices[0]); }).catch(() => {});
}

/** Deflections of the first gamepad: sticks, and triggers for down and up. */
function gamepad() {
  const pad = [...navigator.getGamepads?.() ?? []].find(Boolean);
  if (!pad) return null;
  const axis = k => Math.abs(pad.axes[k] ?? 0) > DEAD_ZONE ? pad.axes[k] : 0, button = k => pad.buttons[k]?.value ?? 0;
  return { move: [axis(0), axis(1), button(6) - button(7)], turn: [axis(3), 0, axis(2)] };
}

let lastMoved = null;

/** Moves the ghost by what devices are deflected; directions are those of the view. */
function moveByDevices(stamp) {
  const passed = lastMoved === null ? 0 : Math.min(MAX_PAUSE, (stamp - lastMoved) / 1000);
  lastMoved = stamp;
  if (hand.hold?.mode !== 'carry' || !passed) return;
  const pad = gamepad();
  const sum = key => new THREE.Vector3(...mouse[key]).add(pad ? new THREE.Vector3(...pad[key]) : new THREE.Vector3());
  // Right, towards the person and down are right, back and down in the view.
  const inView = ({ x, y, z }) => new THREE.Vector3(x, -z, y).applyQuaternion(camera.quaternion);
  const move = inView(sum('move')).multiplyScalar(REACH * radius * passed), turn = inView(sum('turn')).multiplyScalar(SPIN * passed);
  const angle = turn.length();
  if (!move.lengthSq() && !angle) return;
  hand.hold.to.add(move);
  hand.hold.base.copy(hand.hold.to);
  if (angle) hand.hold.turn.premultiply(new THREE.Quaternion().setFromAxisAngle(turn.divideScalar(angle), angle)).normalize();
  hand.isMoved = true;
}
