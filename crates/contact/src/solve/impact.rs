//! Impacts: impulses that turn velocities before into velocities after, with restitution and friction.
//!
//! In: a [`Problem`] whose `b` holds velocities at the contacts before, and a coefficient of restitution per block. Out: impulses,
//! velocities after and the energy they take. Directions of sliding in the blocks are not used: friction acts against the velocity
//! after. Bilateral blocks end at zero velocity. A contact that separates before (`v_n >= 0`) has no restitution and takes part only
//! where the others push it.

use super::reduce::Reduced;
use super::sequence::{Sequence, sequence};
use super::{SolveStatus, refused, settle};
use crate::problem::{Block, Problem, ProblemError};
use nalgebra::DVector;

/// Energy gains below this fraction of the terms they are summed from are rounding [-].
const ROUNDING: f64 = 1e-14;
/// First step back from a fraction that rounding made too large [-]; doubled until it is the whole fraction.
const STEP_BACK: f64 = 1e-16;

/// How the coefficient of restitution is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImpactLaw {
    /// Complementarity on `v+ + e v-`, friction on `v+_t + e_t v-_t`, guarded: where this would create energy, the impulses move towards
    /// those of `e = 0` until it does not. Without friction, or with `e_t = e` and one `e` for all approaching contacts, it never does.
    #[default]
    Moreau,
    /// Compression with `e = 0`, then expansion in which every contact returns at least `e` times its normal impulse, with friction
    /// in both; guarded in the same way. Always has a solution for velocities of a mechanical system.
    Poisson,
    /// As `Moreau` with `e_t = 0`, unguarded: an impact at a point that is pushed obeys `v+_n = -e v-_n` exactly, and may create energy
    /// where friction reverses the slip.
    Newton,
    /// One impact after the other, each by `Moreau`: the contact that closes fastest first, until none approaches. A row of touching balls passes the blow on.
    Sequential,
}

zerogap_core::store_enum!(ImpactLaw { 0 => Moreau, 1 => Poisson, 2 => Newton, 3 => Sequential });

/// An impact to be solved.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Impact {
    /// Inverse masses and laws; `b` holds the velocities before [m/s and the like].
    pub problem: Problem,
    /// Coefficient of restitution per block, 0 to 1 [-]; not used for bilateral blocks.
    pub restitution: Vec<f64>,
    /// Tangential coefficient per block, 0 to 1 [-]: a contact that sticks leaves with `v+_t = -e_t v-_t`. Zero unless set; `Moreau` and `Sequential` only.
    pub tangential: Vec<f64>,
    /// How restitution is understood.
    pub law: ImpactLaw,
}

impl Impact {
    /// An impact with checked coefficients and no tangential restitution.
    pub fn new(problem: Problem, restitution: Vec<f64>, law: ImpactLaw) -> Result<Self, ProblemError> {
        let tangential = vec![0.0; restitution.len()];
        let impact = Self { problem, restitution, tangential, law };
        impact.check()?;
        Ok(impact)
    }

    /// The same with tangential coefficients.
    pub fn with_tangential(mut self, tangential: Vec<f64>) -> Result<Self, ProblemError> {
        self.tangential = tangential;
        self.check()?;
        Ok(self)
    }

    /// Whether the fields, which are public, still make an impact.
    pub fn check(&self) -> Result<(), ProblemError> {
        self.problem.check()?;
        for coefficients in [&self.restitution, &self.tangential] {
            let (given, blocks) = (coefficients.len(), self.problem.blocks.len());
            if given != blocks {
                return Err(ProblemError::RestitutionCount { given, blocks });
            }
            if let Some((block, &value)) =
                coefficients.iter().enumerate().find(|(_, e)| !(0.0..=1.0).contains(*e))
            {
                return Err(ProblemError::Restitution { block, value });
            }
        }
        Ok(())
    }
}

/// Impulses and what they do.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactSolution {
    /// Impulses [N s and the like]; inside their cones to rounding.
    pub impulse: DVector<f64>,
    /// Velocities at the contacts after [m/s and the like].
    pub after: DVector<f64>,
    /// Change of kinetic energy [J]; never above zero but for `Newton`. A gain within rounding, 1e-14 of the terms, reads zero.
    pub energy_change: f64,
    /// How the solve ended.
    pub status: SolveStatus,
    /// As in [`super::Solution`], before the guard: the larger of the problems solved [-].
    pub residual: f64,
    /// Newton steps, pivots and sweeps together.
    pub iterations: usize,
    /// The law these impulses obey: `Poisson` where the one asked for had no solution (a body between two walls).
    pub law: ImpactLaw,
    /// Fraction of the path from `e = 0` to the coefficients asked for; below one where the guard stepped in [-].
    pub fraction: f64,
}

/// Impulses before the guard.
struct Raw {
    impulse: DVector<f64>,
    status: SolveStatus,
    residual: f64,
    iterations: usize,
}

/// Solves an impact.
///
/// Computes: impulses inside their friction cones with `after = w impulse + b`, and the energy they take,
///   `impulse . (before + after) / 2`.
/// Method: Moreau's inclusion for the mean velocity, Glocker and Pfeiffer's two phases, or Newton's law (see [`ImpactLaw`]), each by the
///   solver of [`super::solve`]. The guard is ours: energy is convex along the line from the impulses of `e = 0`, which never create any,
///   and non-penetration and the friction cones hold all along it, so the largest harmless fraction is the root of a quadratic.
/// Tolerance: residual <= 1e-12; energy change <= 1e-14 of its terms for guarded laws (test: `solve_impact.rs`).
/// Cost: two to three solves.
/// Fails: as `solve`; whatever the status, guarded laws create no energy.
pub fn solve_impact(impact: &Impact) -> ImpactSolution {
    if impact.check().is_err() {
        let nothing = refused(&impact.problem);
        return ImpactSolution {
            impulse: nothing.lambda,
            after: nothing.a,
            energy_change: 0.0,
            status: nothing.status,
            residual: nothing.residual,
            iterations: 0,
            law: impact.law,
            fraction: 0.0,
        };
    }
    let problem = &impact.problem;
    if impact.law == ImpactLaw::Sequential {
        return one_by_one(impact);
    }
    let inelastic = raw(problem, &problem.b, None);
    let (normal, tangential) = coefficients(impact);
    let elastic = normal.iter().any(|e| *e > 0.0) || tangential.iter().any(|e| *e > 0.0);
    let mut law = impact.law;
    let full = match law {
        ImpactLaw::Poisson => expand(impact, &inelastic),
        _ if !elastic => None,
        ImpactLaw::Moreau | ImpactLaw::Newton | ImpactLaw::Sequential => {
            let bounced = bounce(problem, &normal, &tangential);
            if bounced.status == SolveStatus::Solved {
                Some(bounced)
            } else {
                law = ImpactLaw::Poisson;
                expand(impact, &inelastic)
            }
        }
    };
    conclude(problem, law, &inelastic, full.as_ref())
}

/// A sequence of impacts; what still approaches after as many as are made comes to rest.
fn one_by_one(impact: &Impact) -> ImpactSolution {
    let problem = &impact.problem;
    let Sequence { mut impulse, count, mut residual, rest } = sequence(impact);
    let (mut status, mut iterations) = (SolveStatus::Solved, count);
    if let Some(velocities) = rest {
        let last = raw(problem, &velocities, None);
        impulse += last.impulse;
        (status, residual, iterations) = (last.status, residual.max(last.residual), count + last.iterations);
    }
    let made = Raw { impulse, status, residual, iterations };
    conclude(problem, impact.law, &made, None)
}

/// Coefficients that count: those of contacts that approach.
fn coefficients(impact: &Impact) -> (Vec<f64>, Vec<f64>) {
    let mut row = 0;
    let mut normal = Vec::with_capacity(impact.restitution.len());
    let mut tangential = Vec::with_capacity(impact.restitution.len());
    for (k, block) in impact.problem.blocks.iter().enumerate() {
        let counts = *block != Block::Bilateral && impact.problem.b[row] < 0.0;
        let sticks = counts && impact.law == ImpactLaw::Moreau;
        normal.push(if counts { impact.restitution[k] } else { 0.0 });
        tangential.push(if sticks { impact.tangential[k] } else { 0.0 });
        row += block.rows();
    }
    (normal, tangential)
}

/// Impulses for a right-hand side, with friction discs widened by normal impulses that act already.
fn raw(problem: &Problem, b: &DVector<f64>, offset: Option<&[f64]>) -> Raw {
    let shifted = Problem { w: problem.w.clone(), b: b.clone(), blocks: problem.blocks.clone() };
    let reduced = Reduced::new(&shifted, false, offset);
    let outcome = settle(&reduced, None);
    Raw {
        impulse: reduced.expand(&outcome.z),
        status: outcome.status,
        residual: outcome.residual.relative,
        iterations: outcome.iterations,
    }
}

/// Moreau's and Newton's law: the inelastic problem for shifted velocities.
fn bounce(problem: &Problem, normal: &[f64], tangential: &[f64]) -> Raw {
    let mut b = problem.b.clone();
    let mut row = 0;
    for (k, block) in problem.blocks.iter().enumerate() {
        b[row] *= 1.0 + normal[k];
        for t in 1..block.rows() {
            b[row + t] *= 1.0 + tangential[k];
        }
        row += block.rows();
    }
    raw(problem, &b, None)
}

/// Expansion after compression; nothing where no impulse returns.
fn expand(impact: &Impact, compression: &Raw) -> Option<Raw> {
    let problem = &impact.problem;
    let mut returned = DVector::zeros(problem.rows());
    let mut offset = vec![0.0; problem.blocks.len()];
    let mut row = 0;
    for (k, block) in problem.blocks.iter().enumerate() {
        if *block != Block::Bilateral {
            offset[k] = impact.restitution[k] * compression.impulse[row];
            returned[row] = offset[k];
        }
        row += block.rows();
    }
    if offset.iter().all(|o| *o == 0.0) {
        return None;
    }
    let before = problem.respond(&(&compression.impulse + &returned));
    let rest = raw(problem, &before, Some(&offset));
    let status = if compression.status == SolveStatus::Solved { rest.status } else { compression.status };
    Some(Raw {
        impulse: &compression.impulse + returned + rest.impulse,
        status,
        residual: rest.residual,
        iterations: rest.iterations,
    })
}

/// Velocities, energy and the guard.
fn conclude(problem: &Problem, law: ImpactLaw, inelastic: &Raw, full: Option<&Raw>) -> ImpactSolution {
    let chosen = full.unwrap_or(inelastic);
    let mut solution = ImpactSolution {
        impulse: chosen.impulse.clone(),
        after: problem.respond(&chosen.impulse),
        energy_change: 0.0,
        status: chosen.status,
        residual: chosen.residual.max(inelastic.residual),
        iterations: inelastic.iterations + full.map_or(0, |f| f.iterations),
        law,
        fraction: 1.0,
    };
    solution.energy_change = energy(problem, &solution.impulse, &solution.after);
    if law == ImpactLaw::Newton {
        return solution;
    }
    // From the inelastic impulses, or from none should even those create energy (a solve that failed).
    if solution.energy_change > 0.0 && full.is_some() {
        guard(problem, &inelastic.impulse, &mut solution);
    }
    if solution.energy_change > 0.0 {
        guard(problem, &DVector::zeros(problem.rows()), &mut solution);
    }
    solution
}

/// Moves the impulses from a harmless choice as far as no energy is created.
fn guard(problem: &Problem, harmless: &DVector<f64>, solution: &mut ImpactSolution) {
    let step = &solution.impulse - harmless;
    let start = problem.respond(harmless);
    let c0 = energy(problem, harmless, &start).min(0.0);
    let c1 = step.dot(&start);
    let c2 = 0.5 * step.dot(&(&problem.w * &step));
    // c0 <= 0 and c0 + c1 + c2 > 0: one root between; written without cancellation.
    let root = (c1 * c1 - 4.0 * c2 * c0).max(0.0).sqrt();
    let fraction = if c1 > 0.0 { -2.0 * c0 / (c1 + root) } else { (root - c1) / (2.0 * c2) };
    let root = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
    let (mut fraction, mut back) = (root, STEP_BACK);
    loop {
        let impulse = harmless + &step * fraction;
        let after = problem.respond(&impulse);
        let change = energy(problem, &impulse, &after);
        if change <= 0.0 || fraction == 0.0 {
            solution.impulse = impulse;
            solution.after = after;
            solution.energy_change = change;
            solution.fraction *= fraction;
            return;
        }
        fraction = root * (1.0 - back).max(0.0);
        back *= 2.0;
    }
}

/// Energy taken or given by impulses [J]; a gain within rounding is none.
fn energy(problem: &Problem, impulse: &DVector<f64>, after: &DVector<f64>) -> f64 {
    let mut change = 0.0;
    let mut terms = 0.0;
    for i in 0..impulse.len() {
        let term = 0.5 * impulse[i] * (problem.b[i] + after[i]);
        change += term;
        terms += 0.5 * impulse[i].abs() * (problem.b[i].abs() + after[i].abs());
    }
    if change > 0.0 && change <= ROUNDING * terms { 0.0 } else { change }
}
