//! Contact forces of a whole time step: distances at its end complementary to forces, by Newton's method on the Fischer function.
//!
//! In: an [`EndOfStep`], which says how far contacts are apart at the end of a step for given forces. Out: forces `f >= 0` with
//! `delta(f) >= 0` and `f delta = 0`, an honest status, and how they were come by. `function` holds the function, `newton` the iteration; this file what goes in
//! and out, and what is tried where the iteration does not arrive. The same input gives the same bits.
//!
//! ```
//! use zerogap_contact::solve::{EndOfStep, FischerParams, FischerStatus, FischerWork, solve_fischer};
//!
//! /// One body of 2 kg at rest on two supports over a step of 10 ms.
//! struct Resting;
//!
//! impl EndOfStep for Resting {
//!     fn contacts(&self) -> usize {
//!         2
//!     }
//!     fn distances(&mut self, forces: &[f64], out: &mut [f64]) {
//!         out.fill(1e-4 * ((forces[0] + forces[1]) / 2.0 - 9.81));
//!     }
//!     fn derivative(&mut self, _: &[f64], out: &mut [f64]) {
//!         out.fill(1e-4 / 2.0);
//!     }
//! }
//!
//! let mut forces = vec![0.0; 2];
//! let info =
//!     solve_fischer(&mut Resting, &mut forces, &FischerParams::default(), &mut FischerWork::default());
//! assert_eq!(info.status, FischerStatus::Solved);
//! assert!(forces.iter().all(|f| (f - 9.81).abs() < 1e-8));
//! ```

mod function;
mod newton;

use super::lemke::{LcpStatus, lemke};
use crate::SolverInfo;
use nalgebra::{DMatrix, DVector};
use newton::{Ended, Iteration};

/// Sweeps of projected Gauss-Seidel between two attempts of Newton: enough to settle which contacts push.
const SWEEPS: usize = 200;

/// What contacts do at the end of a step, as a function of the forces that act during it. Plain numbers: nothing is said of bodies.
pub trait EndOfStep {
    /// Number of contacts [-].
    fn contacts(&self) -> usize;

    /// Writes the distance of each contact at the end of the step, negative where it overlaps [m], for forces [N]. Called with trial
    /// forces of any size, negative ones too; numbers that are not finite make the solver go less far.
    fn distances(&mut self, forces: &[f64], out: &mut [f64]);

    /// Writes the derivatives of the distances by the forces, row by row: entry `i n + j` is that of distance `i` by force `j` [m/N].
    fn derivative(&mut self, forces: &[f64], out: &mut [f64]);
}

/// How a solve is to be done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FischerParams {
    /// Size of the scene, which distances are compared with [m].
    pub length: f64,
    /// Largest entry of the Fischer function at which a problem is solved, in units of `length` [-].
    pub tolerance: f64,
    /// Newton steps at most, before the fall-backs and again after each of them [-].
    pub max_steps: usize,
    /// What a force is multiplied by to compare it with a distance [m/N]. None: the mean of the diagonal of the derivative at the start.
    pub scale: Option<f64>,
}

impl Default for FischerParams {
    fn default() -> Self {
        Self { length: 1.0, tolerance: 1e-12, max_steps: 50, scale: None }
    }
}

impl FischerParams {
    fn usable(&self) -> bool {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        positive(self.length) && self.tolerance >= 0.0 && self.scale.is_none_or(positive)
    }
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FischerStatus {
    /// The forces obey the law to the residual stated.
    Solved,
    /// No forces reach it: bodies are jammed between rigid parts. This rests on Lemke's ray for the distances linearised
    /// at the forces returned, or on a contact that no force moves.
    Jammed {
        /// The contact that overlaps most.
        contact: usize,
    },
    /// The tolerance was not reached, nor was it shown that it cannot be.
    Limit,
    /// Distances, derivatives or settings are not finite; the forces are zero.
    Refused,
}

/// Statistics of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FischerInfo {
    /// How it ended.
    pub status: FischerStatus,
    /// What was done. The residual is the largest entry of the Fischer function `sqrt(a² + delta²) - a - delta` at the forces returned, `a = scale f` [m];
    /// infinite where refused.
    pub solver: SolverInfo,
    /// What forces were multiplied by [m/N].
    pub scale: f64,
    /// Steps down the gradient, since Newton's direction did not help [-].
    pub gradient_steps: usize,
    /// Whether Newton alone did not arrive.
    pub fell_back: bool,
}

/// Memory of [`solve_fischer`], to be kept between calls.
#[derive(Debug, Clone, Default)]
pub struct FischerWork {
    iteration: Iteration,
    best: Vec<f64>,
}

/// Solves for the forces of a step: `0 <= delta(f)` complementary to `f >= 0`.
///
/// Computes: `forces` [N], one for each contact, a warm start on entry (entries that lack, are negative or not finite count as zero) and the answer on return, never
///   negative, and exactly zero where a contact opens. Where forces are not unique (more contacts than degrees of freedom) each Newton step is the shortest, so
///   that equal contacts push equally; what the forces do to the bodies is determined.
/// Method: Lennerz, Schömer and Warken 1999, sec. 3.2: Newton on `phi(a, delta) = sqrt(a² + delta²) - a - delta`. Differs from it: forces
///   are scaled to lengths, `a = scale f`; steps are damped least squares with Armijo's search on `|phi|²`, and go down its gradient
///   where that does not help; one more step with the last factors follows. Where it stalls: projected Gauss-Seidel on the linearised
///   distances, then Lemke's method on them, Newton again after each.
/// Tolerance: max |phi| <= `tolerance length` where `Solved`; that is `min(scale f, delta)` to within a factor of 1.7.
/// Cost: 2 n³ and one derivative per step, one evaluation per trial; five to nine steps from a cold start, none to two from the last step's
///   forces. Allocates nothing once the memory fits, but where Lemke's method is needed.
/// Fails: see [`FischerStatus`]; the forces are then the best found, and finite.
pub fn solve_fischer(
    problem: &mut impl EndOfStep,
    forces: &mut Vec<f64>,
    params: &FischerParams,
    work: &mut FischerWork,
) -> FischerInfo {
    let n = problem.contacts();
    forces.resize(n, 0.0);
    for force in forces.iter_mut() {
        *force = if *force > 0.0 && force.is_finite() { *force } else { 0.0 };
    }
    let iteration = &mut work.iteration;
    if !params.usable() || !iteration.start(problem, forces, params) {
        forces.fill(0.0);
        return iteration.info(FischerStatus::Refused, f64::INFINITY);
    }
    // Newton, and where it stalls other methods find a start for it.
    let mut jammed = false;
    let mut ended = iteration.newton(problem, params);
    if ended != Ended::Arrived {
        iteration.fell_back = true;
        work.best.clone_from(&iteration.a);
        let mut best = iteration.merit;
        for fallback in [Fallback::GaussSeidel, Fallback::Lemke] {
            // The linearised distances are those at the best point so far.
            if !iteration.linearise(problem) {
                break;
            }
            let start = match fallback {
                Fallback::GaussSeidel => Ok(iteration.sweep(SWEEPS)),
                Fallback::Lemke => pivot(iteration),
            };
            match start {
                Ok(true) if iteration.jump(problem) => ended = iteration.newton(problem, params),
                Ok(_) => {}
                Err(Ray) => jammed = true,
            }
            if ended == Ended::Arrived {
                break;
            }
            if iteration.merit < best {
                best = iteration.merit;
                work.best.clone_from(&iteration.a);
            } else {
                iteration.trial.clone_from(&work.best);
                iteration.jump(problem);
            }
        }
    }
    let residual = iteration.finish(problem, forces);
    let status = match (iteration.stuck(params.tolerance), ended) {
        (Some(contact), _) => FischerStatus::Jammed { contact },
        (None, Ended::Arrived) => FischerStatus::Solved,
        (None, Ended::Stalled) if jammed => FischerStatus::Jammed { contact: iteration.deepest() },
        (None, Ended::Stalled) => FischerStatus::Limit,
    };
    iteration.info(status, residual)
}

/// What is tried where Newton stalls.
#[derive(Clone, Copy)]
enum Fallback {
    GaussSeidel,
    Lemke,
}

/// Lemke's method ended on a ray.
struct Ray;

/// Lemke's answer to the linearised distances as a trial; whether there is one.
fn pivot(iteration: &mut Iteration) -> Result<bool, Ray> {
    let n = iteration.a.len();
    let m = DMatrix::from_row_slice(n, n, &iteration.derivative);
    let q = DVector::from_iterator(n, (0..n).map(|i| iteration.offset(i)));
    let answer = lemke(&m, &q);
    match answer.status {
        LcpStatus::Solved => {
            iteration.trial.copy_from_slice(answer.z.as_slice());
            Ok(true)
        }
        LcpStatus::Ray => Err(Ray),
        LcpStatus::Limit => Ok(false),
    }
}
