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

/// What the definitions say after one step.
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
    /// Came in through this surface and went out again.
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

/// One step of one point, from `before` to `now` in the frame of the target [m], in contact with the surface `held` before.
pub fn plain_step(
    surfaces: &[PlainSurface],
    before: &[f64; 3],
    now: &[f64; 3],
    held: Option<usize>,
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
    if let Some(k) = held {
        if is_inside {
            let last = slide(surfaces, before, now, k);
            return if last == k { PlainOutcome::Kept(k) } else { PlainOutcome::HandedOver(k, last) };
        }
        let stays = span[k] && delta[k] == 0 && p[k] == 1;
        return if stays { PlainOutcome::Kept(k) } else { PlainOutcome::Free };
    }

    // All crossings of planes on the way, the last one inward in front.
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
            // Between the last way in and the first way out it was inside, unless a plane separates both ends.
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
