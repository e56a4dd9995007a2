// What stands beside the view: switches, the list of bodies, what is known about the run.

/** What is shown; the hash of the address may say otherwise. */
const shown = { points: true, normal: true, friction: true, edges: true, grid: true, shadows: true, glass: false, scale: 'square root' };
const SWITCHES = [['points', 'contact points'], ['normal', 'normal forces'], ['friction', 'friction forces'], ['edges', 'edges'], ['grid', 'ground grid'], ['shadows', 'shadows'], ['glass', 'see-through bodies']];

function makeSwitches(changed) {
  const holder = document.getElementById('toggles');
  const boxes = {};
  for (const [key, label] of SWITCHES) {
    const row = make('label'), box = make('input');
    box.type = 'checkbox';
    box.checked = shown[key];
    box.addEventListener('change', () => { shown[key] = box.checked; changed(); });
    row.append(box, make('span', '', label));
    holder.append(row);
    boxes[key] = box;
  }
  const row = make('label', '', 'arrow length'), select = make('select');
  for (const name of Object.keys(LENGTHS)) select.append(new Option(name, name, false, name === shown.scale));
  select.addEventListener('change', () => { shown.scale = select.value; changed(); });
  row.append(select);
  holder.append(row);
  return boxes;
}

/** Applies the switches to the scene. */
function applySwitches() {
  for (const lines of creases) lines.visible = shown.edges;
  for (const { lines } of grounds) lines.visible = shown.grid;
  sun.castShadow = shown.shadows;
  for (const material of [...bodyMaterials, fixedMaterial]) {
    if (material.transparent !== shown.glass) material.needsUpdate = true;
    material.transparent = shown.glass;
    material.opacity = shown.glass ? 0.38 : 1;
    material.depthWrite = !shown.glass;
  }
  makeLegend();
}

function makeLegend() {
  const legend = document.getElementById('legend');
  legend.replaceChildren();
  if (!contactRange.has) return;
  const item = (...parts) => { const box = make('div', 'item'); box.append(...parts); legend.append(box); };
  if (shown.points && contactRange.gap < minGap) {
    // Nothing but rounding: a range of it would say nothing.
    const bar = make('div', 'stroke');
    bar.style.background = `#${GAP_COLORS[1].getHexString()}`;
    item(bar, make('span', '', `gaps below ${withUnit(minGap, 'm')}`));
  } else if (shown.points) {
    const bar = make('div', 'bar');
    bar.style.background = `linear-gradient(90deg, ${GAP_COLORS.map(c => `#${c.getHexString()}`).join(', ')})`;
    item(make('span', '', `gap −${withUnit(gapScale(), 'm')}`), bar, make('span', '', `+${withUnit(gapScale(), 'm')}`));
  }
  for (const [key, label, color] of [['normal', 'normal force', NORMAL_COLOR], ['friction', 'friction', FRICTION_COLOR]]) {
    if (!shown[key]) continue;
    const stroke = make('div', 'stroke');
    stroke.style.background = color;
    item(stroke, make('span', '', label));
  }
}

function makeBodyList(highlight, follow) {
  const list = document.getElementById('bodies');
  return head.bodies.map((name, body) => {
    const row = make('li'), button = make('button'), chip = make('i'), note = make('em');
    chip.style.background = colorOf(body);
    button.append(chip, make('span', '', name), note);
    button.title = `${name}: click to follow`;
    button.addEventListener('pointerenter', () => highlight(body));
    button.addEventListener('pointerleave', () => highlight(null));
    button.addEventListener('click', () => follow(body));
    row.append(button);
    list.append(row);
    return { button, note };
  });
}

/** What is fixed in the world, by name; the pieces of a shape have one. */
function makeFixedList() {
  const names = [...new Set(head.shapes.filter(shape => shape.body === null).map(shape => shape.name))];
  document.getElementById('fixed-title').hidden = !names.length;
  document.getElementById('fixed').append(...names.map(name => {
    const row = make('li'), chip = make('i');
    chip.style.background = FIXED_COLOR;
    row.append(chip, make('span', '', name));
    row.title = name;
    return row;
  }));
}

/** Fills the dialog about the run. */
function makeInfo() {
  const dialog = document.getElementById('info'), rows = make('dl');
  const row = (term, text) => { if (text !== undefined && text !== null && text !== '') rows.append(make('dt', '', term), make('dd', '', String(text))); };
  row('time', `${plain(start)} s to ${plain(+end.toFixed(9))} s`);
  row('bodies', head.bodies.length);
  row('frames', `${frames}, every ${withUnit(head.every * head.stride, 's')}${head.stride > 1 ? ` (of ${head.recorded} recorded)` : ''}`);
  row('events', head.event_count > head.events.length ? `${head.event_count} (first ${head.events.length} shown)` : head.event_count);
  if (head.end) {
    row('steps', `${head.end.steps} accepted, ${head.end.rejected} rejected`);
    row('integrator', head.end.method.length > 1 ? `changed ${head.end.method.length - 1} times, see below` : head.end.method[0]);
    row('wall time', withUnit(head.end.wall, 's'));
    row('ended early', head.end.reason);
    row('state hash', head.end.hash);
  } else {
    row('ended', 'cut off: the recording has no end');
  }
  row('gravity', head.gravity.map(plain).join(', ') + ' m/s²');
  row('keys', 'space: play · arrows: frame, speed · shift and arrows: event · Home, End · L: loop · S: screenshot · D: light or dark · R: whole view');
  const part = (title, text) => { const more = make('details'); more.append(make('summary', '', title), make('pre', '', text)); return more; };
  dialog.append(make('h3', '', head.scene), rows);
  if (head.end?.method.length > 1) dialog.append(part('integrators', head.end.method.join('\n')));
  if (head.source) dialog.append(part('scene file', head.source));
  dialog.append(part(`drawn with three.js ${head.three}: licence`, document.getElementById('licence').textContent.trim()));
  const close = make('button', '', 'Close');
  close.addEventListener('click', () => dialog.close());
  dialog.append(close);
  dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
}
