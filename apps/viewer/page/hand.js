// The hand: bodies under the pointer are pulled, turned and carried.

/** Rotation of a body for a pixel that the pointer moves [rad]. */
const TURN = 0.01;
/** Moves of a carried part by a key, and with shift [m]; rotation [rad]. */
const NUDGE = 1e-3, BIG_NUDGE = 1e-2, TURN_NUDGE = Math.PI / 180;

const send = order => { if (stage.socket.readyState === WebSocket.OPEN) stage.socket.send(JSON.stringify(order)); };
const origin = new THREE.Vector3(...head.center);

/** The line from the held point to where the hand asks it to be. */
const rope = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3)), new THREE.LineBasicMaterial({ color: '#d1495b', depthTest: false, transparent: true }));
rope.renderOrder = 3;
rope.frustumCulled = false;
rope.visible = false;
world.add(rope);

/** Where a carried part is asked to be. */
const ghost = new THREE.Group();
ghost.visible = false;
world.add(ghost);
const ghostMaterial = new THREE.MeshBasicMaterial({ color: '#2d6e8e', transparent: true, opacity: 0.22, depthWrite: false });

const hand = {
  mode: 'pull', strength: 1,
  /** What is held: body, mode, point on it, where that is led. */
  hold: null,
  /** Whether an order waits for the next picture. */
  isMoved: false,
};

const caster = new THREE.Raycaster(), pointer = new THREE.Vector2();
const sheet = { point: new THREE.Vector3(), normal: new THREE.Vector3() };

function aim(event) {
  const box = canvas.getBoundingClientRect();
  pointer.set((event.clientX - box.left) / box.width * 2 - 1, 1 - (event.clientY - box.top) / box.height * 2);
  caster.setFromCamera(pointer, camera);
}

/** What is under the pointer. */
function under(event) {
  aim(event);
  return caster.intersectObjects(solids, false).find(({ point }) => isDrawn(point)) ?? null;
}

/** Where the pointer meets the plane through what was picked that faces the camera. */
function onSheet(event) {
  aim(event);
  const { origin: from, direction } = caster.ray;
  const slope = direction.dot(sheet.normal);
  const away = Math.abs(slope) > 1e-9 ? sheet.point.clone().sub(from).dot(sheet.normal) / slope : 0;
  return from.clone().addScaledVector(direction, away);
}

const numbersOf = vector => [vector.x + origin.x, vector.y + origin.y, vector.z + origin.z];

/** Tells the world what the hand asks for. */
function order() {
  hand.isMoved = false;
  const { body, mode, at, to, turn } = hand.hold;
  const { strength } = hand;
  if (mode === 'pull') send({ do: 'hand', input: 'pull', body, at: at.toArray(), to: numbersOf(to), strength });
  else if (mode === 'turn') send({ do: 'hand', input: 'turn', body, to: turn.toArray(), strength });
  else send({ do: 'hand', input: 'carry', body, to: [...numbersOf(to), ...turn.toArray()], strength });
}

function grab(body, point, event) {
  const group = bodyGroups[body];
  const mode = event.shiftKey && hand.mode === 'pull' ? 'turn' : hand.mode;
  sheet.point.copy(point);
  camera.getWorldDirection(sheet.normal);
  if (hand.hold?.mode === 'carry' && hand.hold.body === body && mode === 'carry') {
    // What is in the hand already is led on from where it was asked to be.
    hand.hold.picked = point.clone();
    hand.hold.base = hand.hold.to.clone();
    return;
  }
  const at = group.worldToLocal(point.clone());
  const to = mode === 'pull' ? point.clone() : group.position.clone();
  hand.hold = { body, mode, at, to, turn: group.quaternion.clone(), picked: point.clone(), base: to.clone() };
  makeGhost();
  order();
}

function makeGhost() {
  ghost.clear();
  if (hand.hold?.mode !== 'carry') { ghost.visible = false; return; }
  for (const solid of solids) {
    if (solid.userData.body === hand.hold.body) ghost.add(new THREE.Mesh(solid.geometry, ghostMaterial));
  }
  ghost.visible = true;
}

function release() {
  if (!hand.hold) return;
  hand.hold = null;
  makeGhost();
  send({ do: 'hand', input: 'release' });
}

let dragged = null;

// Before the camera's own listener: what takes hold of a body does not turn the view.
canvas.addEventListener('pointerdown', event => {
  if (event.button !== 0 || !holdsHand) return;
  const hit = under(event);
  const body = hit?.object.userData.body ?? null;
  if (body === null) return;
  event.stopImmediatePropagation();
  canvas.focus();
  canvas.setPointerCapture(event.pointerId);
  dragged = { x: event.clientX, y: event.clientY };
  canvas.classList.add('holds');
  hideTip();
  grab(body, hit.point, event);
}, { capture: true });

canvas.addEventListener('pointermove', event => {
  if (!dragged || !hand.hold) return;
  event.stopImmediatePropagation();
  const { mode, turn } = hand.hold;
  if (mode === 'turn' || (mode === 'carry' && event.shiftKey)) {
    const side = new THREE.Vector3(1, 0, 0).applyQuaternion(camera.quaternion), top = new THREE.Vector3(0, 1, 0).applyQuaternion(camera.quaternion);
    const step = new THREE.Quaternion().setFromAxisAngle(top, (event.clientX - dragged.x) * TURN).multiply(new THREE.Quaternion().setFromAxisAngle(side, (event.clientY - dragged.y) * TURN));
    turn.premultiply(step).normalize();
    dragged = { x: event.clientX, y: event.clientY };
  } else {
    hand.hold.to.copy(hand.hold.base).add(onSheet(event).sub(hand.hold.picked));
    dragged = { x: event.clientX, y: event.clientY };
  }
  hand.isMoved = true;
}, { capture: true });

function endDrag(event) {
  if (!dragged) return;
  event.stopImmediatePropagation();
  dragged = null;
  canvas.classList.remove('holds');
  if (hand.hold && hand.isMoved) order();
  // A carried part stays in the hand.
  if (hand.hold?.mode !== 'carry') release();
}
canvas.addEventListener('pointerup', endDrag, { capture: true });
canvas.addEventListener('pointercancel', endDrag, { capture: true });

/** Moves a carried part by a key; directions are those of the view, up is up. */
function nudge(event) {
  if (hand.hold?.mode !== 'carry') return false;
  const side = new THREE.Vector3(1, 0, 0).applyQuaternion(camera.quaternion);
  const ahead = up.clone().cross(side).normalize();
  const axes = { ArrowRight: [side, 1], ArrowLeft: [side, -1], ArrowUp: [ahead, 1], ArrowDown: [ahead, -1], PageUp: [up, 1], PageDown: [up, -1] };
  if (!(event.key in axes)) return false;
  const [axis, sign] = axes[event.key];
  if (event.altKey) hand.hold.turn.premultiply(new THREE.Quaternion().setFromAxisAngle(axis, sign * TURN_NUDGE)).normalize();
  else hand.hold.to.addScaledVector(axis, sign * (event.shiftKey ? BIG_NUDGE : NUDGE));
  hand.hold.base.copy(hand.hold.to);
  order();
  return true;
}

/** Draws what the hand does in a picture, and says it. */
function showHand() {
  rope.visible = picture.isHeld;
  if (picture.isHeld) {
    const ends = rope.geometry.attributes.position;
    ends.array.set(picture.from, 0);
    ends.array.set(picture.to, 3);
    ends.needsUpdate = true;
  }
  if (hand.hold?.mode === 'carry') {
    ghost.position.copy(hand.hold.to);
    ghost.quaternion.copy(hand.hold.turn);
  }
  const say = (id, text) => { document.getElementById(id).textContent = text; };
  say('held', picture.isHeld ? (hand.hold ? head.bodies[hand.hold.body] : 'another page holds') : 'nothing');
  say('force', picture.isHeld ? withUnit(Math.hypot(...picture.force), 'N') : '–');
  say('torque', picture.isHeld ? withUnit(picture.torque, 'N m') : '–');
  say('clearance', picture.hasClearance ? withUnit(picture.clearance, 'm') : '–');
  document.getElementById('release').disabled = !hand.hold;
}
