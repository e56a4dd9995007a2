// Time, input and drawing of a running world.

const SLOWEST = 0.05, FASTEST = 4;
/** Keys and buttons that are told stay for this long [ms]. */
const NOTICE = 5000;
const element = id => document.getElementById(id);
const PLAY = 'M4 2.5v11l9-5.5z', PAUSE = 'M4 3h3v10H4zM9 3h3v10H9z';
const options = new URLSearchParams(location.hash.slice(1));

let isDirty = true, followed = null, lit = null, isScrubbing = false;
/** Whether this page has the hand. */
let holdsHand = head.holder === head.client;
const lastFollowed = new THREE.Vector3();

function highlight(body) {
  if (lit === body) return;
  lit = body;
  bodyMaterials.forEach((material, k) => material.emissive.set(k === body ? '#4a4a40' : '#000000'));
  rows.forEach(({ button }, k) => button.classList.toggle('lit', k === body));
  isDirty = true;
}

function follow(body) {
  followed = followed === body ? null : body;
  rows.forEach(({ button, note }, k) => { button.classList.toggle('followed', k === followed); note.textContent = ''; });
  if (followed !== null) {
    lastFollowed.copy(bodyGroups[followed].position);
    camera.position.add(lastFollowed).sub(controls.target);
    controls.target.copy(lastFollowed);
  }
  isDirty = true;
}

let noticeEnds = null;
function notice(text) {
  element('notice').textContent = text;
  element('notice').hidden = false;
  clearTimeout(noticeEnds);
  noticeEnds = setTimeout(() => { element('notice').hidden = true; }, NOTICE);
}

const rows = makeBodyList(highlight, follow);
makeFixedList();
const switches = makeSwitches(() => { applySwitches(); isDirty = true; });
element('name').textContent = head.scene || 'zerogap';
document.title = head.scene ? `${head.scene} – zerogap` : 'zerogap';
element('subtitle').textContent = head.choose ? '' : `${head.bodies.length} ${head.bodies.length === 1 ? 'body' : 'bodies'} · step ${withUnit(head.tick, 's')}`;

// Scenes to open instead; where none was named, one is chosen first.
element('scenes').hidden = !head.scenes.length;
element('choices').append(...head.scenes.map(({ name, description }, k) => {
  const item = make('li'), button = make('button', '', name);
  button.dataset.scene = k;
  button.autofocus = k === 0;
  button.append(make('span', '', description));
  button.addEventListener('click', () => { element('chooser').close(); send({ do: 'open', scene: k }); });
  item.append(button);
  return item;
}));
element('scenes').addEventListener('click', () => element('chooser').showModal());
element('chooser').addEventListener('click', event => { if (event.target === element('chooser')) element('chooser').close(); });
if (head.choose) element('chooser').showModal();

function layout() {
  const { clientWidth: width, clientHeight: height } = element('view');
  renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
  renderer.setSize(width, height, false);
  camera.aspect = width / Math.max(1, height);
  camera.updateProjectionMatrix();
  isDirty = true;
}

function changeTheme(name) {
  setTheme(name);
  applySwitches();
  layout();
}

// Where a program makes the steps, it alone goes back, saves and sets the pace.
if (!head.past) for (const id of ['begin', 'save']) element(id).hidden = true;
if (!head.past) for (const id of ['speed', 'past']) element(id).closest('label').hidden = true;

function showWhoHolds() {
  element('take').hidden = holdsHand;
  for (const id of ['begin', 'play', 'forth', 'speed', 'past', 'save', 'scenes']) element(id).disabled = !holdsHand;
}

/** Ranges of colours and arrows grow with what is seen, and never shrink: a colour keeps its meaning. */
function widenRange() {
  let isWider = false;
  for (let c = 0; c < picture.contacts.length; c += CONTACT) {
    for (const [key, number] of [['gap', picture.contacts[c + 6]], ['force', picture.contacts[c + 7]]]) {
      if (Math.abs(number) > contactRange[key]) { contactRange[key] = Math.abs(number); isWider = true; }
    }
  }
  if (isWider) makeLegend();
}

/** The contacts of the newest picture, as many as are drawn. */
function contactsNow() {
  const found = [], count = Math.min(MAX_DRAWN, picture.pairs.length / 2);
  for (let c = 0; c < count; c++) found.push({ pair: [picture.pairs[2 * c], picture.pairs[2 * c + 1]], numbers: picture.contacts.subarray(c * CONTACT, (c + 1) * CONTACT) });
  return found;
}

function render() {
  bodyGroups.forEach((group, body) => {
    group.position.fromArray(picture.poses, body * POSE);
    group.quaternion.fromArray(picture.poses, body * POSE + 3);
  });
  if (followed !== null) {
    const at = bodyGroups[followed].position;
    camera.position.add(at).sub(lastFollowed);
    controls.target.add(at).sub(lastFollowed);
    lastFollowed.copy(at);
  }
  updateCamera();
  widenRange();
  const contacts = contactsNow();
  showContacts(contacts, shown);
  showHand();
  showMeasure();
  renderer.render(world, camera);
  const clock = element('clock');
  clock.textContent = `${picture.t.toFixed(3)} s`;
  clock.append(make('small', '', picture.hasFailed ? 'stopped by an error: go back in time' : picture.isPaused ? 'paused' : contacts.length ? `${contacts.length} contact point${contacts.length === 1 ? '' : 's'}` : ''));
  element('now').textContent = picture.isPaused || picture.hasFailed ? '' : `${picture.pace.toFixed(2)} × real time`;
  element('play').querySelector('path').setAttribute('d', picture.isPaused ? PLAY : PAUSE);
  ['kinetic', 'gravity', 'springs'].forEach((id, k) => { element(id).textContent = withUnit(picture.energies[k], 'J'); });
  if (!isScrubbing) {
    element('past').max = String(Math.max(1, picture.tick));
    element('past').value = String(picture.tick);
  }
  isDirty = false;
}

function receive(data) {
  if (typeof data !== 'string') {
    if (new DataView(data).getUint32(0, true) === 1) { picture = pictureOf(data); isDirty = true; }
    return;
  }
  const message = JSON.parse(data);
  if (message.say === 'holder') { holdsHand = message.client === head.client; if (!holdsHand) { hand.hold = null; makeGhost(); } showWhoHolds(); }
  else if (message.say === 'saved') notice(`saved as ${message.text}`);
  else if (message.text) notice(message.text);
}

function loop(stamp) {
  requestAnimationFrame(loop);
  moveByDevices(stamp);
  if (hand.hold && hand.isMoved) order();
  if (isDirty) render();
}

const setPlaying = value => send({ do: value ? 'play' : 'pause' });
function setSpeed(value) {
  element('rate').textContent = `${value < 1 ? value.toFixed(2) : value.toFixed(1)} ×`;
  element('speed').value = Math.log(value / SLOWEST) / Math.log(FASTEST / SLOWEST);
}
function rewind(tick) {
  if (hand.hold) release();
  send({ do: 'rewind', tick });
}

function screenshot() {
  render();
  canvas.toBlob(blob => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${head.scene.replace(/[^\w.-]+/g, '-') || 'scene'}-${picture.t.toFixed(3)}s.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }, 'image/png');
}

function cut() {
  const axis = element('section-axis').value;
  element('section').hidden = !axis;
  setSection(axis, Number(element('section').value));
  isDirty = true;
}
element('section-axis').addEventListener('change', cut);
element('section').addEventListener('input', cut);
element('measure').addEventListener('click', () => setMeasuring(!measured.isOn));

const nextTheme = () => changeTheme(theme === THEMES.dark ? 'light' : 'dark');
function setMode(mode) {
  if (hand.hold?.mode === 'carry') release();
  hand.mode = mode;
  document.querySelectorAll('#modes input').forEach(input => { input.checked = input.value === mode; });
}
document.querySelectorAll('#modes input').forEach(input => input.addEventListener('change', () => setMode(input.value)));
element('strength').addEventListener('input', event => {
  hand.strength = 10 ** Number(event.target.value);
  element('strength-out').textContent = `${hand.strength < 1 ? hand.strength.toFixed(2) : hand.strength.toFixed(1)} ×`;
  if (hand.hold) order();
});
element('release').addEventListener('click', release);
element('take').addEventListener('click', () => send({ do: 'take_hand' }));
element('play').addEventListener('click', () => setPlaying(picture.isPaused));
element('begin').addEventListener('click', () => rewind(0));
element('forth').addEventListener('click', () => send({ do: 'step', count: 1 }));
element('save').addEventListener('click', () => send({ do: 'save' }));
element('shot').addEventListener('click', screenshot);
element('theme').addEventListener('click', nextTheme);
element('speed').addEventListener('input', event => {
  const value = SLOWEST * (FASTEST / SLOWEST) ** event.target.value;
  setSpeed(value);
  send({ do: 'speed', value });
});
// A slider that was dragged gives the keys back.
for (const slider of document.querySelectorAll('input')) slider.addEventListener('pointerup', () => slider.blur());
element('past').addEventListener('input', () => { isScrubbing = true; });
element('past').addEventListener('change', event => { isScrubbing = false; setPlaying(false); rewind(Number(event.target.value)); });

const KEYS = {
  ' ': () => setPlaying(picture.isPaused),
  ArrowRight: () => send({ do: 'step', count: 1 }),
  Home: () => rewind(0),
  Escape: () => { release(); setMeasuring(false); },
  m: () => setMeasuring(!measured.isOn),
  1: () => setMode('pull'),
  2: () => setMode('turn'),
  3: () => setMode('carry'),
  s: screenshot,
  d: nextTheme,
  r: () => { if (followed !== null) follow(followed); lookAtAll(); isDirty = true; },
};
window.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || ['SELECT', 'INPUT'].includes(event.target.tagName)) return;
  if (nudge(event)) return event.preventDefault();
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act || event.altKey) return;
  event.preventDefault();
  // A focused button would take the space bar for itself.
  if (event.key === ' ') document.activeElement?.blur();
  act(event);
});

canvas.addEventListener('pointermove', event => {
  if (event.buttons) return hideTip();
  const { body = null, name = '' } = under(event)?.object.userData ?? {};
  highlight(body);
  if (name) showTip(name, event.clientX, event.clientY, false); else hideTip();
});
canvas.addEventListener('pointerleave', () => { highlight(null); hideTip(); });
element('view').addEventListener('pointerenter', () => element('hint').classList.add('shown'), { once: true });
setTimeout(() => element('hint').classList.remove('shown'), 9000);
controls.addEventListener('change', () => { isDirty = true; });

const system = window.matchMedia('(prefers-color-scheme: dark)');
system.addEventListener('change', () => changeTheme(system.matches ? 'dark' : 'light'));
changeTheme(options.get('theme') in THEMES ? options.get('theme') : system.matches ? 'dark' : 'light');
const look = (options.get('look') ?? '').split(',').map(Number);
if (options.get('glass') === '1') { shown.glass = true; switches.glass.checked = true; applySwitches(); }
if (look.length === 3 && look.some(Boolean) && look.every(Number.isFinite)) lookAtAll(new THREE.Vector3(...look)); else lookAtAll();
setSpeed(head.speed);
showWhoHolds();
findDevices();
new ResizeObserver(layout).observe(element('view'));
stage.receive = receive;
stage.waiting.forEach(receive);
requestAnimationFrame(loop);

// For scripts and tests.
window.zerogap = {
  /** Where a point [m], from the centre of the picture, is on the page [px]. */
  project: at => {
    const box = canvas.getBoundingClientRect(), [x, y] = new THREE.Vector3(...at).project(camera).toArray();
    return [box.left + (x + 1) / 2 * box.width, box.top + (1 - y) / 2 * box.height];
  },
  order: send,
  setMode,
  parseReport,
  state: () => ({
    scene: head.scene, bodies: head.bodies.slice(), t: picture.t, tick: picture.tick, isPaused: picture.isPaused, isHeld: picture.isHeld, holdsHand,
    force: [...picture.force], clearance: picture.clearance, positions: head.bodies.map((_, body) => [...picture.poses.subarray(body * POSE, body * POSE + 3)]),
    notice: element('notice').hidden ? '' : element('notice').textContent, fault: element('fault').hidden ? '' : element('fault').textContent,
  }),
};
