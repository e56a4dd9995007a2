// Time, input and drawing put together.

/** Slowest and fastest replay [-]. */
const SLOWEST = 0.05, FASTEST = 4;
const element = id => document.getElementById(id);
const PLAY = 'M4 2.5v11l9-5.5z', PAUSE = 'M4 3h3v10H4zM9 3h3v10H9z';

const options = new URLSearchParams(location.hash.slice(1));
let now = start, isPlaying = false, speed = 1, isDirty = true, followed = null, lit = null, lastTick = 0;
const lastFollowed = new THREE.Vector3();
/** Digits of the clock: a thousandth of the run, and never less than milliseconds. */
const clockDigits = Math.max(3, Math.min(9, Math.ceil(3 - Math.log10(duration || 1))));

function seek(t) {
  now = Math.max(start, Math.min(end, t));
  isDirty = true;
}

function setPlaying(value) {
  if (value && now >= end) now = start;
  isPlaying = value && duration > 0;
  element('play').querySelector('path').setAttribute('d', isPlaying ? PAUSE : PLAY);
  isDirty = true;
}

function setSpeed(value) {
  speed = Math.max(SLOWEST, Math.min(FASTEST, value));
  element('speed').value = Math.log(speed / SLOWEST) / Math.log(FASTEST / SLOWEST);
  element('rate').textContent = `${speed < 1 ? speed.toFixed(2) : speed.toFixed(1)} ×`;
}

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
    // The camera keeps its view and moves over to the body.
    lastFollowed.copy(bodyGroups[followed].position);
    camera.position.add(lastFollowed).sub(controls.target);
    controls.target.copy(lastFollowed);
  }
  isDirty = true;
}

/** Brings the camera nearer to its target. */
function zoom(factor) {
  camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
  isDirty = true;
}

const plots = makePlots(seek);
element('plots').append(...plots.map(plot => plot.frame));
const timeline = new Timeline(document.querySelector('#timeline canvas'), seek);
const rows = makeBodyList(highlight, follow);
makeFixedList();
makeSwitches(() => { applySwitches(); isDirty = true; });
makeInfo();
element('name').textContent = head.scene;
element('subtitle').textContent = `${head.bodies.length} ${head.bodies.length === 1 ? 'body' : 'bodies'} · ${plain(+duration.toFixed(6))} s · ${head.event_count} events`;

/** Fits everything to the window. */
function layout() {
  const { clientWidth: width, clientHeight: height } = element('view');
  renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
  renderer.setSize(width, height, false);
  camera.aspect = width / Math.max(1, height);
  camera.updateProjectionMatrix();
  for (const plot of plots) plot.layout();
  timeline.layout();
  isDirty = true;
}

function changeTheme(name) {
  setTheme(name);
  applySwitches();
  layout();
}

/** Draws the instant; the same time always gives the same picture. */
function render() {
  const [frame, fraction] = locate(now);
  if (frames) bodyGroups.forEach((group, body) => poseAt(body, frame, fraction, group.position, group.quaternion));
  if (followed !== null) {
    const at = bodyGroups[followed].position;
    camera.position.add(at).sub(lastFollowed);
    controls.target.add(at).sub(lastFollowed);
    lastFollowed.copy(at);
    rows[followed].note.textContent = withUnit(speedOf(followed, frame), 'm/s');
  }
  updateCamera();
  paleAt(now);
  const contacts = contactsAt(frame, fraction);
  showContacts(contacts, shown);
  renderer.render(world, camera);
  const clock = element('clock');
  clock.textContent = `${now.toFixed(clockDigits)} s`;
  clock.append(make('small', '', contacts.length ? `${contacts.length} ${head.has_points ? 'contact point' : 'contact'}${contacts.length === 1 ? '' : 's'}` : ''));
  element('now').textContent = `frame ${frames ? frame + 1 : 0} of ${frames}`;
  for (const plot of plots) plot.at(now, frame, fraction);
  timeline.at(now);
  isDirty = false;
}

function tick(stamp) {
  requestAnimationFrame(tick);
  if (isPlaying) {
    now += Math.min(0.1, (stamp - lastTick) / 1000) * speed;
    if (now >= end) {
      if (element('loop').checked) now = start + (now - end) % Math.max(duration, 1e-9);
      else { now = end; setPlaying(false); }
    }
    isDirty = true;
  }
  lastTick = stamp;
  if (isDirty) render();
}

/** To the next frame or event on either side. */
function jump(direction, isEvent) {
  setPlaying(false);
  const steps_of = isEvent ? head.events.map(event => event.t) : times;
  const tolerance = 1e-9 * Math.max(1, Math.abs(end));
  const ahead = direction > 0 ? steps_of.find(t => t > now + tolerance) : steps_of.findLast(t => t < now - tolerance);
  if (ahead !== undefined) seek(ahead);
}

function screenshot() {
  render();
  canvas.toBlob(blob => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${head.scene.replace(/[^\w.-]+/g, '-') || 'scene'}-${now.toFixed(3)}s.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }, 'image/png');
}

// Buttons and keys.
const nextTheme = () => changeTheme(theme === THEMES.dark ? 'light' : 'dark');
element('play').addEventListener('click', () => setPlaying(!isPlaying));
element('begin').addEventListener('click', () => seek(start));
element('back').addEventListener('click', () => jump(-1, false));
element('forth').addEventListener('click', () => jump(1, false));
element('next').addEventListener('click', () => jump(1, true));
element('speed').addEventListener('input', event => setSpeed(SLOWEST * (FASTEST / SLOWEST) ** event.target.value));
element('shot').addEventListener('click', screenshot);
element('theme').addEventListener('click', nextTheme);
element('about').addEventListener('click', () => element('info').showModal());
const KEYS = {
  ' ': () => setPlaying(!isPlaying),
  ArrowLeft: event => jump(-1, event.shiftKey),
  ArrowRight: event => jump(1, event.shiftKey),
  ArrowUp: () => setSpeed(speed * 1.25),
  ArrowDown: () => setSpeed(speed / 1.25),
  Home: () => seek(start),
  End: () => seek(end),
  l: () => { element('loop').checked = !element('loop').checked; },
  s: screenshot,
  d: nextTheme,
  r: () => { if (followed !== null) follow(followed); lookAtAll(); isDirty = true; },
};
window.addEventListener('keydown', event => {
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || element('info').open || event.target.tagName === 'SELECT') return;
  event.preventDefault();
  // A focused button would take the space bar for itself.
  if (event.key === ' ') document.activeElement?.blur();
  act(event);
});

// Bodies, and what is fixed, under the pointer.
const caster = new THREE.Raycaster(), pointer = new THREE.Vector2();
let pressedAt = null;
function under(event) {
  const box = canvas.getBoundingClientRect();
  pointer.set((event.clientX - box.left) / box.width * 2 - 1, 1 - (event.clientY - box.top) / box.height * 2);
  caster.setFromCamera(pointer, camera);
  return caster.intersectObjects(solids, false)[0]?.object.userData ?? { body: null, name: '' };
}
canvas.addEventListener('pointermove', event => {
  if (event.buttons) return hideTip();
  const { body, name } = under(event);
  highlight(body);
  if (name) showTip(name, event.clientX, event.clientY, false); else hideTip();
});
canvas.addEventListener('pointerleave', () => { highlight(null); hideTip(); });
canvas.addEventListener('pointerdown', event => { pressedAt = [event.clientX, event.clientY]; });
canvas.addEventListener('pointerup', event => {
  if (!pressedAt || Math.hypot(event.clientX - pressedAt[0], event.clientY - pressedAt[1]) > 4 || event.button !== 0) return;
  const { body } = under(event);
  if (body !== null) follow(body);
});
element('view').addEventListener('pointerenter', () => element('hint').classList.add('shown'), { once: true });
setTimeout(() => element('hint').classList.remove('shown'), 9000);
controls.addEventListener('change', () => { isDirty = true; });

// The address may set time and view: #t=0.5&theme=dark&speed=0.2&glass=1&play=0&follow=ball&zoom=3
const system = window.matchMedia('(prefers-color-scheme: dark)');
system.addEventListener('change', () => changeTheme(system.matches ? 'dark' : 'light'));
for (const [key] of SWITCHES) if (options.has(key)) shown[key] = options.get(key) !== '0';
document.querySelectorAll('#toggles input').forEach((box, k) => { box.checked = shown[SWITCHES[k][0]]; });
changeTheme(options.get('theme') in THEMES ? options.get('theme') : system.matches ? 'dark' : 'light');
lookAtAll(options.has('look') ? inAxes(...options.get('look').split(',').map(Number)) : undefined);
setSpeed(Number(options.get('speed')) || 1);
if (options.has('t')) seek(Number(options.get('t')));
if (head.bodies.includes(options.get('follow'))) {
  render();
  follow(head.bodies.indexOf(options.get('follow')));
}
if (Number(options.get('zoom')) > 0) zoom(Number(options.get('zoom')));
setPlaying(options.get('play') === '1');
new ResizeObserver(layout).observe(element('view'));
requestAnimationFrame(tick);

// For scripts and tests.
window.zerogap = {
  seek(t) { seek(t); render(); },
  play: () => setPlaying(true),
  pause: () => setPlaying(false),
  setSpeed,
  zoom,
  render,
  canvas,
  /** Where a point [m] is in the view: across and up, from -1 to 1. */
  project: at => new THREE.Vector3(...at).project(camera).toArray().slice(0, 2),
  state: () => ({
    t: now, isPlaying, speed, frames, start, end, followed,
    bodies: head.bodies.slice(),
    positions: bodyGroups.map(group => group.position.toArray()),
    points: dots.seen.count,
    normalArrows: arrows[0].count,
    frictionArrows: arrows[1].count,
    longestArrow: longestShown,
    fixed: [...document.querySelectorAll('#fixed span')].map(span => span.textContent),
    legend: element('legend').textContent,
    events: head.events.length,
    triangles: renderer.info.render.triangles,
  }),
};
