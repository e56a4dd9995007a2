// Looks at what the camera frames and how long arrows are.
report(seen => {
  const { zerogap } = window;
  // Where a sphere around each body's origin is in the view, from -1 to 1 across and up.
  const RADIUS = 0.05;
  const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  seen.longest_arrow = seen.arrows = seen.points = 0;
  const look = () => {
    const state = zerogap.state();
    seen.longest_arrow = Math.max(seen.longest_arrow, state.longestArrow);
    seen.arrows = Math.max(seen.arrows, state.normalArrows);
    seen.points = Math.max(seen.points, state.points);
    return state;
  };
  const { start, end } = zerogap.state();
  // Few instants: drawing without a graphics card takes its time.
  const SAMPLES = 10;
  for (let k = 0; k <= SAMPLES; k++) {
    zerogap.seek(start + (end - start) * k / SAMPLES);
    for (const [x, y, z] of look().positions) {
      for (let axis = 0; axis < 3; axis++) for (const sign of [-1, 1]) {
        const at = [x, y, z];
        at[axis] += sign * RADIUS;
        zerogap.project(at).forEach((u, k) => { low[k] = Math.min(low[k], u); high[k] = Math.max(high[k], u); });
      }
    }
  }
  seen.farthest = Math.max(...low.map(Math.abs), ...high.map(Math.abs));
  seen.filled = Math.max(high[0] - low[0], high[1] - low[1]) / 2;
  // The same from near.
  const before = seen.longest_arrow;
  seen.longest_arrow = 0;
  zerogap.zoom(20);
  zerogap.seek(end);
  look();
  [seen.longest_arrow, seen.longest_arrow_from_near] = [before, seen.longest_arrow];
  ({ fixed: seen.fixed, legend: seen.legend } = zerogap.state());
});
