//! Which surface a point has hit, straight from the definitions: one point, one step, every matrix written out.
//!
//! Slow and plain: nothing is shared with the forms that it checks but the order in which a separation is rounded.

/// A surface of a convex target.
#[derive(Debug, Clone)]
pub struct PlainSurface {
    /// Outward unit normal [-].
    pub normal: [f64; 3],
    /// A point of its plane [m].
    pub point: [f64; 3],
    /// Sides of its span: unit vector out of it, a point of it [m], the surface beyond.
    pub sides: Vec<([f64; 3], [f64; 3], usize)>,
}

fn along(n: &[f64; 3], v: &[f64; 3], q: &[f64; 3]) -> f64 {
    n[0] * (q[0] - v[0]) + n[1] * (q[1] - v[1]) + n[2] * (q[2] - v[2])
}

impl PlainSurface {
    /// The separation of a point [m].
    pub fn separation(&self, q: &[f64; 3]) -> f64 {
        along(&self.normal, &self.point, q)
    }

    fn is_on_span(&self, q: &[f64; 3]) -> bool {
        self.sides.iter().all(|(outward, point, _)| along(outward, point, q) <= 0.0)
    }
}

/// The result of the definitions after one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainOutcome {
    /// No contact.
    Free,
    /// In contact before and now, with this surface.
    Kept(usize),
    /// From the first surface to the second, over a corner.
    HandedOver(usize, usize),
    /// Came in through this surface.
    Hit(usize),
    /// Entered through this surface and left again.
    Crossed(usize),
    /// Inside without history: the nearest surface.
    Inside(usize),
}

impl PlainOutcome {
    /// The collision surface now.
    pub fn surface(self) -> Option<usize> {
        match self {
            Self::Free => None,
            Self::Kept(k) | Self::HandedOver(_, k) | Self::Hit(k) | Self::Crossed(k) | Self::Inside(k) => {
                Some(k)
            }
        }
    }
}

/// One step of one point, from `before` to `now` in the frame of the target [m], in contact with the surface `current` before.
pub fn plain_step(
    surfaces: &[PlainSurface],
    before: &[f64; 3],
    now: &[f64; 3],
    current: Option<usize>,
) -> PlainOutcome {
    // The matrices, as columns of this one initiator.
    let sigma0: Vec<f64> = surfaces.iter().map(|s| s.separation(before)).collect();
    let sigma: Vec<f64> = surfaces.iter().map(|s| s.separation(now)).collect();
    let p0: Vec<i32> = sigma0.iter().map(|s| i32::from(*s <= 0.0)).collect();
    let p: Vec<i32> = sigma.iter().map(|s| i32::from(*s <= 0.0)).collect();
    let delta: Vec<i32> = p.iter().zip(&p0).map(|(p, p0)| p - p0).collect();
    let span: Vec<bool> = surfaces.iter().map(|s| s.is_on_span(now)).collect();
    let is_inside = p.iter().all(|p| *p == 1);

    // In contact before: kept while inside, or below the surface and on its span; over a corner where the span ends inside.
    if let Some(k) = current {
        if is_inside {
            let last = slide(surfaces, before, now, k);
            return if last == k { PlainOutcome::Kept(k) } else { PlainOutcome::HandedOver(k, last) };
        }
        let stays = span[k] && delta[k] == 0 && p[k] == 1;
        return if stays { PlainOutcome::Kept(k) } else { PlainOutcome::Free };
    }

    // All crossings of planes along the path, the last inward one first.
    let time = |i: usize| sigma0[i] / (sigma0[i] - sigma[i]);
    let mut inward: Vec<usize> = (0..surfaces.len()).filter(|i| delta[*i] == 1).collect();
    inward.sort_by(|&i, &j| time(j).total_cmp(&time(i)).then(sigma[j].total_cmp(&sigma[i])).then(i.cmp(&j)));
    match inward.first() {
        Some(&last) if is_inside => PlainOutcome::Hit(last),
        None if is_inside => {
            let mut order: Vec<usize> = (0..surfaces.len()).collect();
            order.sort_by(|&i, &j| sigma[j].total_cmp(&sigma[i]).then(i.cmp(&j)));
            PlainOutcome::Inside(order[0])
        }
        Some(&last) => {
            // Between the last entry and the first exit it was inside, unless a plane separates both ends.
            let is_apart = (0..surfaces.len()).any(|i| p0[i] == 0 && p[i] == 0);
            let first_out =
                (0..surfaces.len()).filter(|i| delta[*i] == -1).map(time).fold(f64::INFINITY, f64::min);
            if !is_apart && time(last) < first_out { PlainOutcome::Crossed(last) } else { PlainOutcome::Free }
        }
        None => PlainOutcome::Free,
    }
}

/// The surface that a point inside is on after sliding from surface k.
fn slide(surfaces: &[PlainSurface], before: &[f64; 3], now: &[f64; 3], mut k: usize) -> usize {
    while !surfaces[k].is_on_span(now) {
        // The side that was passed first.
        let mut passed: Vec<(f64, usize)> = Vec::new();
        for (outward, point, beyond) in &surfaces[k].sides {
            let (was, is) = (along(outward, point, before), along(outward, point, now));
            if is > 0.0 {
                passed.push((if was > 0.0 { 0.0 } else { was / (was - is) }, *beyond));
            }
        }
        let earliest = passed.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
        let Some(&(_, next)) = passed.iter().find(|p| p.0 <= earliest) else { break };
        if surfaces[next].separation(now) <= surfaces[k].separation(now) {
            break;
        }
        k = next;
    }
    k
}

/// A path in space whose coordinates are cubic polynomials of time: `c[0] + c[1] t + c[2] t² + c[3] t³`.
pub type Cubic = [[f64; 3]; 4];

/// Returns the position on a cubic path at a time [m].
pub fn cubic_at(path: &Cubic, t: f64) -> [f64; 3] {
    std::array::from_fn(|k| path[0][k] + t * (path[1][k] + t * (path[2][k] + t * path[3][k])))
}

/// When a point on a cubic path between times 0 and 1 first enters a convex target that it starts outside of, and through which surface.
///
/// Every separation is a cubic polynomial of time: between its extremes it is monotonic, so that all its roots are found by bisection, none is missed and nothing is sampled.
pub fn first_entry_of_cubic(surfaces: &[PlainSurface], path: &Cubic) -> Option<(f64, usize)> {
    let mut entries: Vec<(f64, usize)> = Vec::new();
    for (i, surface) in surfaces.iter().enumerate() {
        let zero = [0.0; 3];
        let mut c: [f64; 4] = std::array::from_fn(|k| along(&surface.normal, &zero, &path[k]));
        c[0] = surface.separation(&path[0]);
        let value = |t: f64| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
        // Extremes, from the derivative c1 + 2 c2 t + 3 c3 t².
        let mut ends = vec![0.0, 1.0];
        let (a, b) = (3.0 * c[3], c[2]);
        let d = b * b - a * c[1];
        if d >= 0.0 {
            let q = -(b + d.sqrt().copysign(b));
            ends.extend([q / a, c[1] / q].into_iter().filter(|t| *t > 0.0 && *t < 1.0));
        }
        ends.sort_by(f64::total_cmp);
        for pair in ends.windows(2) {
            let (mut low, mut high) = (pair[0], pair[1]);
            if value(low) > 0.0 && value(high) <= 0.0 {
                while high - low > f64::EPSILON * high {
                    let middle = 0.5 * (low + high);
                    if middle <= low || middle >= high {
                        break;
                    }
                    if value(middle) > 0.0 { low = middle } else { high = middle }
                }
                entries.push((high, i));
            }
        }
    }
    entries.sort_by(|x, y| x.0.total_cmp(&y.0));
    entries.into_iter().find(|&(t, i)| {
        let q = cubic_at(path, t);
        surfaces.iter().enumerate().all(|(j, surface)| j == i || surface.separation(&q) <= 0.0)
    })
}
