//! Complementarity solvers of small dense contact problems, in accelerations, impulses or forces over a step. Located events and SiLVIA use them; large sparse problems of time stepping are those of [`crate::cone`].
//!
//! In: a [`Problem`]. Out: forces (or impulses, [`solve_impact`]) and what they do, with an honest status. One algorithm per file:
//! `lemke` (pivoting), `polyhedral` (friction pyramids for it), `step_pyramids` (the same for the contacts of a step), `newton` (round cones), `gauss_seidel` and `ramp` (fall-backs), `constrained` (frozen
//! sets), `impact` (restitution), `painleve` and `enumerate` (no solution, or two); `reduce` is the form they share.
//! For whole time steps, where distances at the end answer forces: `fischer`, and `bilateral` to compare with; `levenberg` makes their steps.
//! The same input gives the same bits.

pub mod bilateral;
pub mod constrained;
mod enumerate;
pub mod fischer;
mod gauss_seidel;
pub mod impact;
pub mod lemke;
mod levenberg;
mod newton;
mod painleve;
mod polyhedral;
mod ramp;
mod reduce;
mod sequence;
mod step_pyramids;

pub use bilateral::{BilateralInfo, BilateralStatus, BilateralWork, solve_bilateral};
pub use constrained::{ConstraintInfo, ConstraintSolution, ConstraintWork, solve_constrained};
pub use fischer::{EndOfStep, FischerInfo, FischerParams, FischerStatus, FischerWork, solve_fischer};
pub use impact::{Impact, ImpactLaw, ImpactSolution, solve_impact};
pub use lemke::{Lcp, LcpStatus, lemke};
pub use polyhedral::{MAX_DIRECTIONS, PolyhedralSolution, solve_polyhedral};
pub use step_pyramids::{PyramidInfo, solve_coulomb_by_pyramids, solve_pyramids_of_step};

use crate::problem::Problem;
use nalgebra::DVector;
use polyhedral::{Eliminated, settled, solve_pyramids};
use reduce::{Law, Reduced, Residual};

/// Sweeps of Gauss-Seidel between two attempts of Newton: enough to settle which contacts push.
const SWEEPS: usize = 40;
/// Sweeps between later attempts, where the quick ones have failed.
const PATIENT_SWEEPS: usize = 200;
/// Later attempts.
const PATIENT_ROUNDS: usize = 10;
/// Attempts with pyramids, each rotated to the directions of friction found last and finer about them where they have settled.
const PYRAMID_ROUNDS: usize = 24;
/// Attempts before those that become finer every time.
const EAGER_ROUNDS: usize = 8;
/// Rounds that directions of friction may turn freely before they are damped.
const PATIENCE: usize = 3;
/// Factors on the steps inside the projections that are tried where a factor of one stalls [-].
const STRETCHES: [f64; 4] = [0.1, 10.0, 0.01, 100.0];
/// Attempts with sliding contacts alone, each from another covering vector.
const COVERS: usize = 4;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolveStatus {
    /// The forces obey every law to the residual stated.
    Solved,
    /// No forces obey every law. Without sliding contacts this rests on Lemke's ray, which is a proof for pyramids of friction; with
    /// at most eight one-sided rows and no contact that could stick, all sets of pushing contacts were tried; else it is the outcome
    /// of Lemke's method from several covering vectors.
    Inconsistent {
        /// The block that fails, or the one that fails most.
        block: usize,
    },
    /// A second solution with other accelerations was found. The forces returned are those with the fewest pushing contacts; in them
    /// this sliding contact separates.
    Indeterminate {
        /// The block that may push or separate.
        block: usize,
    },
    /// No solution was found, nor that there is none; or the problem was changed into one that [`Problem::check`] refuses.
    Limit,
}

/// Forces at the contacts and what they do.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// Forces [N and the like]; inside their cones to rounding, whatever the status.
    pub lambda: DVector<f64>,
    /// `w lambda + b` [m/s^2 and the like].
    pub a: DVector<f64>,
    /// How the solve ended.
    pub status: SolveStatus,
    /// Largest row of the natural map, with each block scaled by a power of two to a diagonal of `w` near one, over the largest row of
    /// `|w| |lambda| + |b|` in the same scale; over the largest row of `|b|` where it is above 1e-6 of that [-]. At most 1e-12 where
    /// `Solved`.
    pub residual: f64,
    /// Newton steps, pivots and sweeps together.
    pub iterations: usize,
}

/// Solves for forces at acceleration level.
///
/// Computes: `lambda` and `a = w lambda + b` that obey the law of every block, with the round friction cone. Where forces are not
///   unique (more rows than rank) they are one choice, usually the shortest, and `a` is what is determined.
/// Method: sliding friction is put into the columns of `w`; then semismooth Newton (Alart and Curnier 1991) from `start`, from zero,
///   from Gauss-Seidel sweeps, from Lemke's answers with eight-sided pyramids that are rotated and drawn together about the friction
///   found last, and along rising friction, until one of them arrives. With sliding contacts Lemke is tried first, and up to eight of
///   them are settled by trying all sets, so that no solution and a second one are reported for certain.
/// Tolerance: residual <= 1e-12 where `Solved`. Of 100,000 random mechanisms (`solve_properties.rs`, velocities of bodies, up to six
///   contacts, friction up to 3) one was not found and came back as `Limit`.
/// Cost: Newton O(n^3) per step, three to ten steps; Lemke O(n^2) per pivot with ten rows per frictional contact.
/// Fails: see [`SolveStatus`]. An effective inverse mass of a sliding contact below 1e-11 of its parts counts as zero.
/// Order: blocks are visited in their order; `start` of another size or not finite is ignored.
pub fn solve(problem: &Problem, start: Option<&DVector<f64>>) -> Solution {
    if problem.check().is_err() {
        return refused(problem);
    }
    let reduced = Reduced::new(problem, true, None);
    let outcome = settle(&reduced, start.and_then(|s| reduced.restrict(s)));
    let lambda = reduced.expand(&outcome.z);
    let a = problem.respond(&lambda);
    Solution {
        lambda,
        a,
        status: outcome.status,
        residual: outcome.residual.relative,
        iterations: outcome.iterations,
    }
}

/// What comes back for a problem that was broken after its check.
fn refused(problem: &Problem) -> Solution {
    let n = problem.b.len();
    Solution {
        lambda: DVector::zeros(n),
        a: DVector::zeros(n),
        status: SolveStatus::Limit,
        residual: f64::INFINITY,
        iterations: 0,
    }
}

/// Where a reduced problem ended.
struct Outcome {
    z: DVector<f64>,
    status: SolveStatus,
    residual: Residual,
    iterations: usize,
}

/// Solves a reduced problem by all means.
fn settle(problem: &Reduced, start: Option<DVector<f64>>) -> Outcome {
    // Free rows that nothing can meet are met as well as they can be, and named.
    if let Some(part) = Eliminated::new(problem).unmet {
        let (eased, iterations) = ease_free_rows(problem);
        let mut outcome = settle_feasible(&eased, start);
        outcome.residual = problem.residual(&outcome.z);
        outcome.iterations += iterations;
        outcome.status = SolveStatus::Inconsistent { block: problem.parts[part].block };
        return outcome;
    }
    settle_feasible(problem, start)
}

/// The problem with the right-hand side of its free rows replaced by what they can meet.
fn ease_free_rows(problem: &Reduced) -> (Reduced, usize) {
    let mut eased = problem.clone();
    let mut z = DVector::zeros(problem.q.len());
    Eliminated::new(problem).restore(&mut z);
    let met = &problem.a * z;
    for part in problem.parts.iter().filter(|p| p.law == Law::Free) {
        eased.q[part.at] = -met[part.at];
    }
    (eased, 1)
}

fn settle_feasible(problem: &Reduced, start: Option<DVector<f64>>) -> Outcome {
    let mut search = Search::new(problem);
    if problem.slides() {
        search.with_sliding(start);
        let mut outcome = search.finish();
        painleve::judge(problem, &mut outcome);
        return outcome;
    }
    search.without_sliding(start);
    search.finish()
}

/// Where pyramids are rotated to, and how fine they are there.
struct Guide {
    toward: Vec<[f64; 2]>,
    level: usize,
    /// Rounds since it became finer.
    waited: usize,
    /// Whether it follows force and slip together and becomes finer every time: less careful, and at times luckier.
    eager: bool,
}

impl Guide {
    /// Turns to new directions. Finer only once none of them leaves the sides beside it, else the solution could be left outside;
    /// halfway where they go to and fro.
    fn follow(&mut self, after: Vec<[f64; 2]>) {
        let within = if self.eager { -1.0 } else { settled(self.level) };
        let rotated = self.toward.iter().zip(&after).any(|(b, a)| b[0] * a[0] + b[1] * a[1] < within);
        if !rotated {
            self.level += 1;
            self.waited = 0;
            self.toward = after;
            return;
        }
        self.waited += 1;
        let halfway = self.waited > PATIENCE;
        for (toward, a) in self.toward.iter_mut().zip(after) {
            let middle = unit([toward[0] + a[0], toward[1] + a[1]]);
            *toward = if halfway { middle.unwrap_or(a) } else { a };
        }
    }
}

/// The best point so far, and how it was come by.
struct Search<'a> {
    problem: &'a Reduced,
    z: DVector<f64>,
    residual: Residual,
    iterations: usize,
    /// Whether Lemke's method ended on a ray whenever it was asked.
    ray: bool,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Reduced) -> Self {
        let z = DVector::zeros(problem.q.len());
        let residual = problem.residual(&z);
        Self { problem, z, residual, iterations: 0, ray: false }
    }

    fn solved(&self) -> bool {
        self.residual.solved()
    }

    /// Newton from a point; keeps what it reaches if that is the best so far.
    fn newton(&mut self, mut z: DVector<f64>) -> bool {
        self.offer(&z);
        self.iterations += newton::newton(self.problem, &mut z, 1.0).iterations;
        self.offer(&z);
        self.solved()
    }

    /// Newton from a point with shorter and longer projections, which stall elsewhere.
    fn newton_stretched(&mut self, z: &DVector<f64>) -> bool {
        for stretch in STRETCHES {
            let mut z = z.clone();
            self.iterations += newton::newton(self.problem, &mut z, stretch).iterations;
            self.offer(&z);
            if self.solved() {
                return true;
            }
        }
        false
    }

    /// Friction followed up from zero.
    fn ramp(&mut self) -> bool {
        let (end, steps) = ramp::ramp(self.problem, &self.z);
        self.iterations += steps;
        end.is_some_and(|z| self.newton(z))
    }

    /// Gauss-Seidel from a point, then Newton.
    fn sweep(&mut self, mut z: DVector<f64>, sweeps: usize) -> bool {
        self.iterations += gauss_seidel::relax(self.problem, &mut z, sweeps);
        self.newton(z)
    }

    fn offer(&mut self, z: &DVector<f64>) {
        let mut z = z.clone();
        self.problem.confine(&mut z);
        let residual = self.problem.residual(&z);
        if residual.absolute < self.residual.absolute {
            self.z = z;
            self.residual = residual;
        }
    }

    /// Newton first: pivoting costs more and is seldom needed.
    fn without_sliding(&mut self, start: Option<DVector<f64>>) {
        if self.solved() || start.is_some_and(|s| self.newton(s)) {
            return;
        }
        let zero = DVector::zeros(self.z.len());
        if self.newton(zero) || self.sweep(self.z.clone(), SWEEPS) {
            return;
        }
        for eager in [true, false] {
            let mut guide = self.guide(eager);
            for round in 0..if eager { EAGER_ROUNDS } else { PYRAMID_ROUNDS } {
                if self.pyramids(round, &mut guide) {
                    return;
                }
                if self.ray {
                    break;
                }
            }
        }
        if !self.ray && self.ramp() {
            return;
        }
        let rounds = if self.ray { 1 } else { PATIENT_ROUNDS };
        for _ in 0..rounds {
            if self.sweep(self.z.clone(), PATIENT_SWEEPS) {
                return;
            }
        }
    }

    /// Lemke first: sweeps may run away where friction of sliding makes the matrix asymmetric.
    fn with_sliding(&mut self, start: Option<DVector<f64>>) {
        if self.solved() {
            return;
        }
        if start.is_some_and(|s| self.newton(s)) {
            return;
        }
        let mut rays = true;
        let mut guide = self.guide(false);
        let discs = self.problem.parts.iter().any(|p| matches!(p.law, Law::Disc { .. }));
        for round in 0..if discs { PYRAMID_ROUNDS } else { COVERS } {
            if self.pyramids(round, &mut guide) {
                return;
            }
            rays &= self.ray;
        }
        self.ray = rays;
        let zero = DVector::zeros(self.z.len());
        if !self.newton(zero) {
            self.sweep(self.z.clone(), PATIENT_SWEEPS);
        }
    }

    fn guide(&self, eager: bool) -> Guide {
        Guide { toward: self.directions(&self.z, eager), level: 0, waited: 0, eager }
    }

    /// Lemke with pyramids rotated to where friction points at the guide, which becomes the answer; then Newton, sweeps and Newton.
    fn pyramids(&mut self, cover: usize, guide: &mut Guide) -> bool {
        let answer = solve_pyramids(self.problem, &guide.toward, guide.level, cover);
        self.iterations += answer.pivots;
        self.ray = answer.status == LcpStatus::Ray;
        if answer.status != LcpStatus::Solved {
            return false;
        }
        guide.follow(self.directions(&answer.z, guide.eager));
        self.newton(answer.z.clone())
            || self.newton_stretched(&answer.z)
            || (!self.problem.slides() && self.sweep(answer.z, SWEEPS))
    }

    /// Where friction points, or would point where there is none yet. The force says more than the slip: between two sides of a
    /// pyramid it is in balance, while the slip is that of the sides and would lead the next round past the solution.
    fn directions(&self, z: &DVector<f64>, eager: bool) -> Vec<[f64; 2]> {
        let response = self.problem.respond(z);
        let parts = self.problem.parts.iter();
        parts
            .map(|part| {
                if !matches!(part.law, Law::Disc { .. }) {
                    return [1.0, 0.0];
                }
                let force = [z[part.at + 1], z[part.at + 2]];
                let against = [-response[part.at + 1], -response[part.at + 2]];
                if eager {
                    return unit([force[0] + against[0], force[1] + against[1]]).unwrap_or([1.0, 0.0]);
                }
                unit(force).or_else(|| unit(against)).unwrap_or([1.0, 0.0])
            })
            .collect()
    }

    /// Contacts that separate push nothing at all, not even rounding: callers read from it which contacts hold.
    fn tidy(&mut self) {
        let response = self.problem.respond(&self.z);
        let mut z = self.z.clone();
        for part in self.problem.parts.iter().filter(|p| p.law != Law::Free) {
            if z[part.at] < response[part.at] {
                z[part.at] = 0.0;
            }
        }
        self.problem.confine(&mut z);
        let residual = self.problem.residual(&z);
        if residual.solved() {
            self.z = z;
            self.residual = residual;
        }
    }

    fn finish(mut self) -> Outcome {
        if self.solved() {
            self.tidy();
        }
        let block = self.problem.parts.get(self.residual.part).map_or(0, |p| p.block);
        let status = if self.solved() {
            SolveStatus::Solved
        } else if self.ray {
            SolveStatus::Inconsistent { block }
        } else {
            SolveStatus::Limit
        };
        Outcome { z: self.z, status, residual: self.residual, iterations: self.iterations }
    }
}

/// The direction of a vector that is not zero to rounding.
fn unit([x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let length = (x * x + y * y).sqrt();
    (length > 1e-12).then(|| [x / length, y / length])
}
