//! The default solver for a problem given by its matrix: sweeps while they pay, then Newton's method, then both in turn.
//!
//! In: a [`MatrixProblem`]. Out: the best impulses found, with an honest status. The same input gives the same bits, on every machine.

use super::conditions::LawMiss;
use super::gauss_seidel::GaussSeidel;
use super::infeasible::{Infeasibility, prove_infeasible};
use super::matrix::MatrixProblem;
use super::matrix_bodies::as_bodies;
use super::measure::{Best, coulomb_residual, law_misses, relative_law_miss, relative_residual};
use super::newton::Newton;
use super::step_solver::StepSolver;
use super::{Delassus, onto_cone};
use crate::SolverInfo;

/// Sweeps between two evaluations of the residual.
const SWEEPS_PER_CHECK: usize = 10;
/// Sweeps continue while an evaluation finds this fraction of the residual before, or less [-].
const PAYS: f64 = 0.3;
/// Sweeps before Newton's method, however little they pay: they settle which contacts push.
const SWEEPS: usize = 40;
/// How firmly Newton's method holds impulses at first, and the least and the most, in multiples of the inverse mass of each contact [-].
const FIRST_EPS: f64 = 1e-4;
const MIN_EPS: f64 = 1e-10;
const MAX_EPS: f64 = 1.0;
/// What that firmness is multiplied by where a proximal problem was solved, and where it was not [-]; with 0.1 and 10, 9 of 3,000 random problems were left unsolved in 1,000 steps, with these 1.
const LOOSER: f64 = 0.3;
const FIRMER: f64 = 10.0;
/// Newton steps for one proximal problem.
const STEPS: usize = 40;
/// Factors on the inverse masses inside the projections, tried in turn where Newton's method fails [-].
const STRETCHES: [f64; 5] = [1.0, 0.1, 10.0, 0.01, 100.0];

/// Impulses that the last resort starts from, as fractions of the best ones [-], its tolerance as a fraction of the asked one [-], and how firmly Newton's method holds impulses after it [-].
const STARTS: [f64; 4] = [0.0, 1.0, 0.5, 2.0];
const AS_BODIES: f64 = 1e-2;
const POLISHES: [f64; 3] = [1e-6, 1e-8, MIN_EPS];
/// Newton steps that are kept for the last resort where twice as many are allowed; it starts anew while half of them are left, and a start takes some 600 at most.
const RESERVE: usize = 2000;

/// Velocities up to this multiple of the residual count as none [-].
const RESOLUTION: f64 = 10.0;

/// What is asked of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoulombParams {
    /// What [`coulomb_residual`], [`relative_residual`] and, over the largest entry of `q`, every miss of [`law_misses`] must reach.
    pub tolerance: f64,
    /// Sweeps of Gauss-Seidel in all.
    pub max_sweeps: usize,
    /// Newton steps in all. From 4,000 on the last 2,000 are kept for the solver of time steps, which is not tried with fewer.
    pub max_newton: usize,
}

impl Default for CoulombParams {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_sweeps: 20_000, max_newton: 4000 }
    }
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoulombStatus {
    /// Both residuals and the misses of all conditions of the law are within the tolerance.
    Solved,
    /// They are not: the impulses are the best found. It may be that no impulses obey the law.
    Limit,
    /// No impulses obey the law, with a proof: see [`CoulombSolution::infeasibility`].
    Infeasible,
}

/// Impulses at the contacts and what they do.
#[derive(Debug, Clone, PartialEq)]
pub struct CoulombSolution {
    /// Impulses, rows n, t1, t2 for each contact [N s].
    pub impulses: Vec<f64>,
    /// `u = W r + q` [m/s].
    pub velocities: Vec<f64>,
    /// How the solve ended.
    pub status: CoulombStatus,
    /// What was done; the residual is [`coulomb_residual`], infinite rather than not a number, and `is_solved` says whether the status is `Solved`.
    pub solver: SolverInfo,
    /// As [`relative_residual`] [-].
    pub relative: f64,
    /// Maximum violation of each condition of the law [m/s].
    pub misses: LawMiss,
    /// Why there is no solution, where that was proved.
    pub infeasibility: Option<Infeasibility>,
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactKind {
    /// It pushes nothing.
    Open,
    /// It pushes, and the bodies do not slip there.
    Sticks,
    /// It pushes, and they do.
    Slides,
}

impl CoulombSolution {
    /// What each contact of the problem does, as far as the solve resolves velocities: to its relative residual times the largest entry of `q`, times ten.
    pub fn kinds(&self, problem: &MatrixProblem) -> Vec<ContactKind> {
        let size = problem.q().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let threshold = RESOLUTION * self.relative.clamp(f64::EPSILON, 1.0) * size;
        let contacts = self.impulses.chunks_exact(3).zip(self.velocities.chunks_exact(3)).enumerate();
        contacts
            .map(|(contact, (r, u))| {
                if r[0] * problem.diagonal(contact)[(0, 0)] <= threshold {
                    ContactKind::Open
                } else if (u[1] * u[1] + u[2] * u[2]).sqrt() <= threshold {
                    ContactKind::Sticks
                } else {
                    ContactKind::Slides
                }
            })
            .collect()
    }
}

/// Solves for impulses that obey Coulomb's law with round cones.
///
/// Computes: `r` and `u = W r + q` with `r` in the cones, `u + mu |u_t| e_n` in their duals and both orthogonal. Where `W` is singular, `r` is one of many and `u` what is determined.
/// Method: block Gauss-Seidel ([`GaussSeidel`]) while it pays; then a semismooth Newton method on the law as Alart and Curnier (1991) write it, impulses kept near where they stand ever more loosely (proximal
///   steps), with sweeps in between where it fails; last, for up to 200 contacts, [`StepSolver`] on velocities whose responses are `W`. `start` (of the right length and finite) is where to begin, else zero.
/// Tolerance: both residuals of [`CoulombParams::tolerance`], and by themselves `u_n >= 0`, the cone, the complementarity and friction, for friction from 0 to infinity (beyond 1e12 it is infinite). All problems of `tests/cone_library.rs` to 1e-8; of 20,000 random ones (`tests/cone_random.rs`, up to 48 contacts on up to 8 bodies, friction to 3)
///   too.
/// Cost: a sweep is one pass over `W`, a Newton step a sparse LU over the contacts that push (0.1 ms at 300 contacts among capsules).
/// Fails: `Infeasible` with a proof where none exist, `Limit` with the best impulses after `max_sweeps` and `max_newton` otherwise; finite input never gives NaN. Sizes whose squares leave the range of floating point (velocities below 1e-150, impulses above 1e150) are not resolved.
/// Order: contacts as given; the same input gives the same bits.
pub fn solve_coulomb(
    problem: &MatrixProblem,
    start: Option<&[f64]>,
    params: &CoulombParams,
) -> CoulombSolution {
    let mut best = Best::new(problem, params.tolerance);
    if let Some(start) = start.filter(|s| s.len() == best.impulses.len() && s.iter().all(|v| v.is_finite())) {
        best.offer(problem, start);
    }
    let mut now = best.impulses.clone();
    let mut sweeper = Sweeper {
        sweeps: GaussSeidel::default(),
        state: vec![0.0; now.len()],
        max_sweeps: params.max_sweeps,
        info: SolverInfo::default(),
    };
    sweeper.run(problem, &mut now, &mut best);
    let mut work = SolverInfo::default();
    let reserve = if params.max_newton >= 2 * RESERVE { RESERVE } else { 0 };
    let max_newton = params.max_newton - reserve;
    if !best.is_enough() && max_newton > 0 {
        let mut newton = Newton::new(problem);
        let (mut eps, mut failures) = (FIRST_EPS, 0);
        // Proximal problems are followed from one to the next even where the residual grows for a while: going back to the best one every time was tried, and stalled five times as often.
        let mut followed = best.impulses.clone();
        now.copy_from_slice(&followed);
        while work.iterations < max_newton && !best.is_enough() {
            let max_steps = STEPS.min(max_newton - work.iterations);
            let info = newton.run(problem, &mut now, eps, &mut best, max_steps);
            work.add_work(&SolverInfo { iterations: info.iterations.max(1), ..info });
            if info.is_solved {
                followed.copy_from_slice(&now);
                eps = (LOOSER * eps).max(MIN_EPS);
                newton.stretch = 1.0;
            } else {
                eps = (FIRMER * eps).min(MAX_EPS);
                failures += 1;
                newton.stretch = STRETCHES[failures % STRETCHES.len()];
                now.copy_from_slice(&followed);
                sweeper.run(problem, &mut now, &mut best);
            }
        }
    }
    if !best.is_enough() && reserve > 0 {
        work.add_work(&solve_as_bodies(problem, &mut best));
    }
    work.add_work(&sweeper.info);
    finish(problem, best, work)
}

/// The last resort: the solver of time steps from several starts, each polished by Newton's method on the impulses.
fn solve_as_bodies(problem: &MatrixProblem, best: &mut Best) -> SolverInfo {
    let mut work = SolverInfo::default();
    let Some(bodies) = as_bodies(problem) else { return work };
    let size = problem.q().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let tolerance = AS_BODIES * best.tolerance * size;
    let (mut solver, mut newton) = (StepSolver::default(), Newton::new(problem));
    let mut state = Vec::new();
    let start = best.impulses.clone();
    for factor in STARTS {
        if 2 * work.iterations > RESERVE {
            break;
        }
        let mut now: Vec<f64> = start.iter().map(|r| factor * r).collect();
        work.add_work(&solver.solve(&bodies, &mut now, &mut state, (tolerance, tolerance)));
        best.offer(problem, &now);
        for eps in POLISHES {
            if best.is_enough() {
                return work;
            }
            work.add_work(&newton.run(problem, &mut now, eps, best, STEPS));
        }
    }
    work
}

/// Gauss-Seidel with an eye on the residual.
struct Sweeper {
    sweeps: GaussSeidel,
    state: Vec<f64>,
    max_sweeps: usize,
    info: SolverInfo,
}

impl Sweeper {
    /// Sweeps [`SWEEPS`] times, and then as long as it pays.
    fn run(&mut self, problem: &MatrixProblem, now: &mut Vec<f64>, best: &mut Best) {
        let until = (self.info.sweeps + SWEEPS).min(self.max_sweeps);
        let mut before = best.residual;
        while self.info.sweeps < self.max_sweeps && !best.is_enough() {
            let max_sweeps = SWEEPS_PER_CHECK.min(self.max_sweeps - self.info.sweeps);
            let info = self.sweeps.solve(problem, now, &mut self.state, 0.0, max_sweeps);
            self.info.add_work(&info);
            let found = best.offer(problem, now);
            if info.sweeps == 0 || (self.info.sweeps >= until && found > PAYS * before) {
                break;
            }
            before = found;
        }
    }
}

fn finish(problem: &MatrixProblem, mut best: Best, mut solver: SolverInfo) -> CoulombSolution {
    // Inside the cones to rounding, where that costs nothing, and zeros without a sign.
    let mut inside = best.impulses.clone();
    for (contact, r) in inside.chunks_exact_mut(3).enumerate() {
        r.copy_from_slice(&onto_cone([r[0], r[1], r[2]], problem.mu(contact)).map(|v| v + 0.0));
    }
    if best.offer(problem, &inside) <= best.tolerance.max(best.residual) {
        best.impulses = inside;
    }
    let mut velocities = vec![0.0; best.impulses.len()];
    problem.respond(&best.impulses, &mut velocities);
    let residual = coulomb_residual(problem, &best.impulses, &velocities);
    let relative = relative_residual(problem, &best.impulses, &velocities);
    let misses = law_misses(problem, &best.impulses, &velocities);
    let is_solved = residual.max(relative).max(relative_law_miss(problem, &misses)) <= best.tolerance;
    (solver.residual, solver.is_solved) = (residual, is_solved);
    let infeasibility = if is_solved { None } else { prove_infeasible(problem) };
    let status = match &infeasibility {
        _ if is_solved => CoulombStatus::Solved,
        Some(_) => CoulombStatus::Infeasible,
        None => CoulombStatus::Limit,
    };
    let impulses = best.impulses;
    CoulombSolution { impulses, velocities, status, solver, relative, misses, infeasibility }
}
