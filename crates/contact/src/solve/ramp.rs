//! Continuation in the friction: from the problem without it to the one asked for.
//!
//! In: a reduced problem with friction discs. Out: a start for Newton at full friction, where the path was open. Without friction the
//! problem is convex; each part of the path is solved from the end of the one before, shorter where Newton does not follow.

use super::newton::newton;
use super::reduce::{Law, Reduced};
use nalgebra::DVector;

/// First part of the path [-].
const FIRST: f64 = 0.125;
/// Stretches shorter than this lead nowhere: the branch has turned back [-].
const SHORTEST: f64 = 1e-4;
/// Stretches allowed.
const MAX: usize = 100;

/// Follows the friction up from zero, starting at `z`; returns the point reached at full friction and the number of Newton steps.
pub(crate) fn ramp(problem: &Reduced, z: &DVector<f64>) -> (Option<DVector<f64>>, usize) {
    let mut eased = problem.clone();
    let mut here = z.clone();
    let (mut fraction, mut stretch) = (0.0, FIRST);
    let mut steps = 0;
    let mut begun = false;
    for _ in 0..MAX {
        let next = if begun { f64::min(fraction + stretch, 1.0) } else { 0.0 };
        set_friction(&mut eased, problem, next);
        let mut trial = here.clone();
        steps += newton(&eased, &mut trial, 1.0).iterations;
        if eased.residual(&trial).solved() {
            here = trial;
            if begun && next >= 1.0 {
                return (Some(here), steps);
            }
            if begun {
                stretch *= 1.5;
            }
            fraction = next;
            begun = true;
        } else {
            stretch *= 0.5;
            if !begun || stretch < SHORTEST {
                return (None, steps);
            }
        }
    }
    (None, steps)
}

/// A fraction of the friction asked for.
fn set_friction(eased: &mut Reduced, problem: &Reduced, fraction: f64) {
    for (to, from) in eased.parts.iter_mut().zip(&problem.parts) {
        if let (Law::Disc { mu, .. }, Law::Disc { mu: whole, .. }) = (&mut to.law, from.law) {
            *mu = fraction * whole;
        }
    }
}
