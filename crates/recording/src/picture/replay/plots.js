// Curves over time under the view, drawn on plain canvases.

/** Room beside and below the curves [px]. */
const LEFT = 46, RIGHT = 8, TOP = 6, BOTTOM = 18;
const SERIES_COLORS = { kinetic: '#d2935f', gravity: '#5f8fae', springs: '#7ba37f', total: null, contacts: '#9283b5', step: '#61a8a3' };

/** An element with a class and text. */
function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Fits a canvas to its place; returns its pen and size in CSS pixels. */
function fitted(target) {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const width = target.clientWidth, height = target.clientHeight;
  target.width = Math.max(1, Math.round(width * ratio));
  target.height = Math.max(1, Math.round(height * ratio));
  const pen = target.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { pen, width, height };
}

/** What is on a canvas, to be laid under the next cursor. */
function copyOf(target) {
  const copy = document.createElement('canvas');
  copy.width = target.width;
  copy.height = target.height;
  copy.getContext('2d').drawImage(target, 0, 0);
  return copy;
}

function restore(pen, still) {
  pen.save();
  pen.resetTransform();
  pen.clearRect(0, 0, still.width, still.height);
  pen.drawImage(still, 0, 0);
  pen.restore();
}

/** Time under a pointer, on a canvas with the given margins. */
function timeUnder(event, target, left, right) {
  const box = target.getBoundingClientRect();
  const fraction = (event.clientX - box.left - left) / Math.max(1, box.width - left - right);
  return start + Math.max(0, Math.min(1, fraction)) * duration;
}

/** Calls back with times while a pointer is pressed and moved. */
function scrubs(target, left, right, seek) {
  target.addEventListener('pointerdown', event => {
    target.setPointerCapture(event.pointerId);
    seek(timeUnder(event, target, left, right), event);
  });
  target.addEventListener('pointermove', event => {
    if (event.buttons) seek(timeUnder(event, target, left, right), event);
  });
}

class Plot {
  /** What is drawn: title, unit, series of name and values, whether logarithmic, whether in steps. */
  constructor(setup, seek) {
    this.setup = setup;
    this.frame = make('div', 'plot');
    this.heads = make('div', 'head');
    this.canvas = make('canvas');
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `${setup.title} over time`);
    this.frame.append(this.heads, this.canvas);
    this.heads.append(make('b', '', setup.title));
    this.values = setup.series.map(series => {
      const entry = make('span'), line = make('i'), text = make('span');
      entry.append(line, text);
      this.heads.append(entry);
      return { series, line, text };
    });
    scrubs(this.canvas, LEFT, RIGHT, seek);
    this.limits();
  }

  /** The span of values, wide enough that flat curves stay flat. */
  limits() {
    const { series, log } = this.setup;
    let low = Infinity, high = -Infinity;
    for (const { values } of series) {
      for (const raw of values) {
        const x = log ? (raw > 0 ? Math.log10(raw) : NaN) : raw;
        if (x < low) low = x;
        if (x > high) high = x;
      }
    }
    if (!(low <= high)) [low, high] = log ? [-3, 0] : [0, 1];
    if (this.setup.whole) { low = 0; high = Math.max(1, high * 1.08); }
    const room = Math.max((high - low) * 0.06, log ? 0.15 : Math.max(Math.abs(high), Math.abs(low)) * 1e-5, 1e-30);
    this.low = this.setup.whole ? 0 : low - room;
    this.high = high + room;
  }

  x(t) { return LEFT + (duration > 0 ? (t - start) / duration : 0) * (this.width - LEFT - RIGHT); }
  y(value) { return TOP + (this.high - value) / (this.high - this.low) * (this.height - TOP - BOTTOM); }

  /** Draws all but the cursor, once for each size and theme. */
  layout() {
    const { pen, width, height } = fitted(this.canvas);
    Object.assign(this, { pen, width, height });
    const { log, series } = this.setup;
    pen.font = '10px system-ui, "DejaVu Sans", sans-serif';
    pen.lineWidth = 1;
    pen.textBaseline = 'middle';
    pen.textAlign = 'right';
    const ticks = log ? this.decades() : niceTicks(this.low, this.high, 3).filter(v => !this.setup.whole || Number.isInteger(v));
    for (const value of ticks) {
      const y = Math.round(this.y(value)) + 0.5;
      pen.strokeStyle = css('--track');
      pen.beginPath(); pen.moveTo(LEFT, y); pen.lineTo(width - RIGHT, y); pen.stroke();
      pen.fillStyle = css('--dim');
      pen.fillText(log ? `1e${String(value).replace('-', '−')}` : plain(value), LEFT - 6, y);
    }
    pen.textBaseline = 'alphabetic';
    pen.textAlign = 'center';
    const across = niceTicks(start, end, Math.max(2, width / 110));
    for (const t of across) pen.fillText(plain(t) + (t === across[across.length - 1] ? ' s' : ''), Math.min(this.x(t), width - 14), height - 4);
    for (const { values, name } of series) this.curve(values, SERIES_COLORS[name] ?? css('--ink'), name === 'total' ? 1.2 : 1.6);
    this.still = copyOf(this.canvas);
    this.values.forEach(({ series: { name }, line }) => { line.style.background = SERIES_COLORS[name] ?? css('--ink'); });
  }

  decades() {
    const low = Math.ceil(this.low), high = Math.floor(this.high), ticks = [];
    const stride = Math.max(1, Math.ceil((high - low + 1) / 4));
    for (let k = low; k <= high; k += stride) ticks.push(k);
    return ticks;
  }

  /** A curve, thinned to the smallest and largest value of each pixel. */
  curve(values, color, weight) {
    const { pen } = this, { log, whole } = this.setup;
    const valueOf = f => log ? (values[f] > 0 ? Math.log10(values[f]) : NaN) : values[f];
    pen.strokeStyle = color;
    pen.lineWidth = weight;
    pen.lineJoin = 'round';
    pen.beginPath();
    const stride = Math.max(1, Math.floor(frames / Math.max(1, 2 * (this.width - LEFT - RIGHT))));
    let is_down = false, before = NaN;
    for (let f = 0; f < frames; f += stride) {
      let low = Infinity, high = -Infinity;
      for (let g = f; g < Math.min(frames, f + stride); g++) {
        const v = valueOf(g);
        if (v < low) low = v;
        if (v > high) high = v;
      }
      if (!(low <= high)) { is_down = false; continue; }
      const x = this.x(times[f]);
      if (is_down && whole) pen.lineTo(x, before);
      for (const v of low === high ? [low] : [low, high]) {
        before = this.y(v);
        if (is_down) pen.lineTo(x, before); else pen.moveTo(x, before);
        is_down = true;
      }
    }
    pen.stroke();
  }

  /** Draws the cursor, and says the values under it. */
  at(t, frame, fraction) {
    const { pen } = this;
    if (!this.still) return;
    restore(pen, this.still);
    const x = Math.round(this.x(t)) + 0.5;
    pen.strokeStyle = css('--accent');
    pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(x, TOP); pen.lineTo(x, this.height - BOTTOM); pen.stroke();
    for (const { series: { name, values, label }, text } of this.values) {
      const later = this.setup.whole || this.setup.log ? values[frame] : values[frame] + ((values[frame + 1] ?? values[frame]) - values[frame]) * fraction;
      const shown = this.setup.log ? Math.log10(later) : later;
      text.textContent = `${label} ${this.setup.whole ? later : withUnit(later, this.setup.unit)}`;
      if (!Number.isFinite(shown)) continue;
      pen.fillStyle = SERIES_COLORS[name] ?? css('--ink');
      pen.beginPath(); pen.arc(x, this.y(shown), 2.8, 0, 7); pen.fill();
    }
  }
}

/** The three plots under the view. */
function makePlots(seek) {
  const pick = k => Float32Array.from({ length: frames }, (_, f) => energies[3 * f + k]);
  const [kinetic, gravitational, springs] = [0, 1, 2].map(pick);
  const total = Float64Array.from(kinetic, (x, f) => x + gravitational[f] + springs[f]);
  const series = [
    { name: 'kinetic', label: 'kinetic', values: kinetic },
    { name: 'gravity', label: 'gravity', values: gravitational },
    { name: 'springs', label: 'springs', values: springs },
    { name: 'total', label: 'total', values: total },
  ].filter(s => s.name !== 'springs' || s.values.some(x => x !== 0));
  const count = Float32Array.from({ length: frames }, (_, f) => contactStarts[f + 1] - contactStarts[f]);
  return [
    new Plot({ title: 'Energy [J]', unit: 'J', series }, seek),
    new Plot({ title: 'Contacts [–]', unit: '', whole: true, series: [{ name: 'contacts', label: head.has_points ? 'points' : 'pairs', values: count }] }, seek),
    new Plot({ title: 'Step size [s]', unit: 's', log: true, series: [{ name: 'step', label: 'step', values: steps }] }, seek),
  ];
}
