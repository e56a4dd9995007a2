// The timeline: where the run is, with a lane of marks for every kind of event.

const KIND_COLORS = { contact_begin: '#3f8fbf', contact_end: '#86b3c9', impact: '#d1495b', settled: '#9283b5', stick: '#5d9a68', slip: '#e09f3e', limit: '#a8603f', sleep: '#5b7db1', wake: '#c2b04a', captured: '#6b4f8a', other: '#8b8f96' };
/** Height of the bar and of a lane, room for names and at the right end [px]. */
const BAR = 16, LANE = 12, GUTTER = 84, MARGIN = 8;
/** How near a pointer must be to mean a mark [px]. */
const NEAR = 5;

class Timeline {
  constructor(target, seek) {
    this.canvas = target;
    // Only kinds that happened get a lane.
    this.kinds = Object.keys(KIND_COLORS).filter(kind => head.events.some(event => event.kind === kind));
    this.canvas.style.height = `${BAR + 6 + LANE * this.kinds.length}px`;
    scrubs(target, GUTTER, MARGIN, (t, event) => {
      const mark = event.type === 'pointerdown' ? this.markUnder(event) : null;
      seek(mark ? mark.t : t);
    });
    target.addEventListener('pointermove', event => {
      const mark = event.buttons ? null : this.markUnder(event);
      const text = mark ? `${mark.t.toFixed(6)} s\n${mark.text}` : `${timeUnder(event, target, GUTTER, MARGIN).toFixed(3)} s`;
      showTip(text, event.clientX, target.getBoundingClientRect().top - 8, true);
    });
    target.addEventListener('pointerleave', () => hideTip());
  }

  x(t) { return GUTTER + (duration > 0 ? (t - start) / duration : 0) * (this.width - GUTTER - MARGIN); }

  /** The mark nearest to a pointer, in its own lane. */
  markUnder(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, lane = Math.floor((event.clientY - box.top - BAR - 3) / LANE);
    let best = null, nearest = NEAR + 0.5;
    for (const mark of head.events) {
      if (lane >= 0 && mark.kind !== this.kinds[lane]) continue;
      const away = Math.abs(this.x(mark.t) - x);
      if (away < nearest) [best, nearest] = [mark, away];
    }
    return best;
  }

  layout() {
    const { pen, width, height } = fitted(this.canvas);
    Object.assign(this, { pen, width, height });
    pen.fillStyle = css('--track');
    pen.beginPath(); pen.roundRect(GUTTER, BAR / 2 - 2, width - GUTTER - MARGIN, 5, 3); pen.fill();
    pen.font = '10px system-ui, "DejaVu Sans", sans-serif';
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    this.kinds.forEach((kind, lane) => {
      const y = BAR + 3 + LANE * lane;
      pen.fillStyle = css('--dim');
      pen.fillText(kind, GUTTER - 8, y + LANE / 2 + 0.5);
      pen.fillStyle = css('--track');
      pen.fillRect(GUTTER, y + LANE / 2, width - GUTTER - MARGIN, 1);
      pen.fillStyle = KIND_COLORS[kind];
      let before = -1;
      for (const mark of head.events) {
        // Marks on the same pixel are one.
        if (mark.kind !== kind) continue;
        const x = Math.round(this.x(mark.t));
        if (x === before) continue;
        before = x;
        pen.fillRect(x - 1, y + 2, 2, LANE - 3);
      }
    });
    this.still = copyOf(this.canvas);
  }

  at(t) {
    const { pen } = this;
    if (!this.still) return;
    restore(pen, this.still);
    const x = this.x(t);
    pen.fillStyle = css('--accent');
    pen.beginPath(); pen.roundRect(GUTTER, BAR / 2 - 2, Math.max(0, x - GUTTER), 5, 3); pen.fill();
    pen.globalAlpha = 0.5;
    pen.fillRect(Math.round(x), BAR, 1, this.height - BAR);
    pen.globalAlpha = 1;
    pen.beginPath(); pen.arc(x, BAR / 2 + 0.5, 6.5, 0, 7); pen.fill();
    pen.fillStyle = css('--panel');
    pen.beginPath(); pen.arc(x, BAR / 2 + 0.5, 2.5, 0, 7); pen.fill();
  }
}

const tipElement = document.getElementById('tip');

/** Shows a text beside the pointer, inside the window. */
function showTip(text, x, y, isAbove) {
  tipElement.hidden = false;
  tipElement.textContent = text;
  const { offsetWidth: width, offsetHeight: height } = tipElement;
  tipElement.style.left = `${Math.max(4, Math.min(window.innerWidth - width - 4, x - width / 2))}px`;
  tipElement.style.top = `${Math.max(4, isAbove ? y - height : y + 16)}px`;
}

function hideTip() { tipElement.hidden = true; }
