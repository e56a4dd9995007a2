// Looks at the replay page as a visitor would.
report(async seen => {
  const wait = ms => new Promise(done => setTimeout(done, ms));
  const { zerogap } = window;

  // The pixels of the view; read in the same task as they are drawn.
  const sketch = document.createElement('canvas');
  const pixels = () => {
    zerogap.render();
    sketch.width = zerogap.canvas.width;
    sketch.height = zerogap.canvas.height;
    const pen = sketch.getContext('2d', { willReadFrequently: true });
    pen.drawImage(zerogap.canvas, 0, 0);
    return pen.getImageData(0, 0, sketch.width, sketch.height).data;
  };
  const changed = (a, b) => {
    let count = 0;
    for (let k = 0; k < a.length; k += 4) if (Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) + Math.abs(a[k + 2] - b[k + 2]) > 30) count++;
    return count;
  };
  const press = (key, more = {}) => window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
  const point = (target, kind, x, y, buttons) => target.dispatchEvent(new PointerEvent(kind, { clientX: x, clientY: y, buttons, pointerId: 1, bubbles: true }));

  await wait(300);
  seen.protocol = location.protocol;
  seen.wild = document.getElementById('wild') !== null;
  seen.names = [...document.querySelectorAll('#bodies span')].map(span => span.textContent);

  // Time changes the picture, and nothing else does.
  zerogap.seek(0);
  const first = pixels(), again = pixels();
  const colors = new Set();
  for (let k = 0; k < first.length; k += 4) colors.add(first[k] << 16 | first[k + 1] << 8 | first[k + 2]);
  seen.colors = colors.size;
  seen.changed_by_nothing = changed(first, again);
  zerogap.seek(UNTIL);
  seen.changed_by_time = changed(first, pixels());

  // Forces.
  zerogap.seek(BEFORE);
  let state = zerogap.state();
  [seen.normal_before, seen.friction_before] = [state.normalArrows, state.frictionArrows];
  zerogap.seek(UNTIL);
  state = zerogap.state();
  [seen.normal_after, seen.friction_after, seen.gap_points] = [state.normalArrows, state.frictionArrows, state.points];
  const withArrows = pixels();
  const boxes = [...document.querySelectorAll('#toggles input')];
  boxes[1].click();
  seen.arrow_pixels = changed(withArrows, pixels());
  boxes[1].click();

  // Scrubbing on the timeline, and a click at a mark.
  const bar = document.querySelector('#timeline canvas'), box = bar.getBoundingClientRect();
  bar.setPointerCapture = () => {};
  zerogap.seek(0);
  const atStart = pixels();
  point(bar, 'pointerdown', box.left + 0.3 * box.width, box.top + 6, 1);
  point(bar, 'pointermove', box.left + 0.9 * box.width, box.top + 6, 1);
  seen.changed_by_scrubbing = changed(atStart, pixels());
  // The second mark of the first lane, "contact_begin", is the ball's.
  const across = box.width - 84 - 8;
  point(bar, 'pointerdown', box.left + 84 + 0.2473 / UNTIL * across + 1, box.top + 16 + 3 + 6, 1);
  seen.mark = zerogap.state().t;

  // Playing at two speeds: simulated seconds per second.
  const play = async speed => {
    zerogap.seek(0);
    zerogap.setSpeed(speed);
    zerogap.play();
    // A busy machine may take its time with the first frame.
    const start = performance.now();
    for (let k = 0; k < 100 && zerogap.state().t === 0; k++) await wait(50);
    await wait(100);
    zerogap.pause();
    return zerogap.state().t / (0.001 * (performance.now() - start));
  };
  seen.played = await play(1);
  seen.slow = await play(0.05);
  zerogap.play();
  press(' ');
  seen.space_stops = !zerogap.state().isPlaying;
  press('Home');
  press('ArrowRight');
  seen.one_frame = zerogap.state().t;

  // The list of bodies, the screenshot, what is said about the run.
  document.querySelectorAll('#bodies button')[1].click();
  zerogap.render();
  seen.followed = zerogap.state().followed;
  zerogap.render();
  seen.screenshot_bytes = (await new Promise(done => zerogap.canvas.toBlob(done, 'image/png')))?.size ?? 0;
  document.getElementById('about').click();
  seen.about_hash = /[0-9a-f]{16}/.test(document.getElementById('info').textContent);
  document.getElementById('info').close();
});
