//! Friction problems from files and arrays, solved and summed up: what the command and the Python package have in common.
//!
//! In: a problem, or the text of one. Out: its solution with a summary of the contacts. Solvers live in [`crate::contact::cone`].

use serde::{Serialize, Serializer};
use std::time::Instant;
use zerogap_contact::cone::{
    ContactKind, CoulombParams, CoulombSolution, CoulombStatus, LawMiss, MatrixProblem, solve_coulomb,
};
use zerogap_contact::solve::solve_coulomb_by_pyramids;

/// Summary of a solve.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrictionSummary {
    /// Name of the problem.
    pub problem: String,
    /// Number of contacts.
    pub contacts: usize,
    /// Open contacts.
    pub open: usize,
    /// Sticking contacts.
    pub sticking: usize,
    /// Sliding contacts.
    pub sliding: usize,
    /// `"solved"`, `"limit"` or `"infeasible"`.
    pub status: &'static str,
    /// Length of `r - P(r - (u + mu |u_t| e_n))` over `max(1, |q|)` [impulses and velocities as they stand].
    #[serde(serialize_with = "number_or_word")]
    pub residual: f64,
    /// Largest violation of the contact law, as a velocity, over the largest entry of `q` [-].
    #[serde(serialize_with = "number_or_word")]
    pub relative: f64,
    /// Largest violation of each condition of the law.
    pub misses: LawMisses,
    /// Sweeps of Gauss-Seidel.
    pub sweeps: usize,
    /// Newton steps.
    pub newton: usize,
    /// Time of the solve [s].
    pub time: f64,
}

/// Largest violation of each condition of Coulomb's law, over all contacts [m/s].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LawMisses {
    /// Speed of approach, `-u_n` [m/s].
    #[serde(serialize_with = "number_or_word")]
    pub approach: f64,
    /// Distance of an impulse from its cone, times the inverse mass `w` of its contact [m/s].
    #[serde(serialize_with = "number_or_word")]
    pub cone: f64,
    /// The smaller of `w r_n` and `u_n`, where both are positive [m/s].
    #[serde(serialize_with = "number_or_word")]
    pub complementarity: f64,
    /// Distance of friction from opposing the sliding with all that the cone allows [m/s].
    #[serde(serialize_with = "number_or_word")]
    pub friction: f64,
}

impl From<LawMiss> for LawMisses {
    fn from(LawMiss { approach, cone, complementarity, friction }: LawMiss) -> Self {
        Self { approach, cone, complementarity, friction }
    }
}

/// Writes a number as it is, and an infinite one as `inf`: JSON has no infinite numbers and would write null, which also means none.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn number_or_word<S: Serializer>(x: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if x.is_finite() { serializer.serialize_f64(*x) } else { serializer.collect_str(x) }
}

/// The same where there may be none.
#[expect(clippy::ref_option, reason = "the signature that serde calls")]
fn optional_number_or_word<S: Serializer>(x: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match x {
        Some(x) => number_or_word(x, serializer),
        None => serializer.serialize_none(),
    }
}

impl FrictionSummary {
    /// Whether the tolerance was reached.
    pub fn is_solved(&self) -> bool {
        self.status == status_word(CoulombStatus::Solved)
    }
}

/// A solve with the state of every contact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrictionReport {
    /// Short description.
    #[serde(flatten)]
    pub summary: FrictionSummary,
    /// `"open"`, `"sticks"` or `"slides"`, for each contact.
    pub kinds: Vec<&'static str>,
    /// Impulses, normal first, then both tangents, for each contact [N s].
    pub impulses: Vec<[f64; 3]>,
    /// Velocities after them [m/s].
    pub velocities: Vec<[f64; 3]>,
    /// Certificate of infeasibility: normal impulses that do not change the velocities while the contacts approach [s/m].
    pub certificate: Option<Vec<[f64; 3]>>,
    /// A lower bound on the largest entry of any impulses that satisfy the law, where the problem is infeasible [N s]: infinite, `"inf"` in JSON, where no impulses do.
    #[serde(serialize_with = "optional_number_or_word")]
    pub min_impulse: Option<f64>,
}

impl FrictionReport {
    /// Solves a problem with round cones, or with pyramids of so many sides, and reports it under a name.
    pub fn new(name: &str, problem: &MatrixProblem, params: &CoulombParams, sides: Option<usize>) -> Self {
        let (solution, summary) = solve_named(name, problem, params, sides);
        let rows = |flat: &[f64]| flat.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect::<Vec<_>>();
        let infeasibility = solution.infeasibility.as_ref();
        Self {
            kinds: solution.kinds(problem).into_iter().map(kind_word).collect(),
            impulses: rows(&solution.impulses),
            velocities: rows(&solution.velocities),
            certificate: infeasibility.map(|proof| rows(&proof.certificate)),
            min_impulse: infeasibility.map(|proof| proof.min_impulse),
            summary,
        }
    }
}

/// Returns the name of a contact state.
pub fn kind_word(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Open => "open",
        ContactKind::Sticks => "sticks",
        ContactKind::Slides => "slides",
    }
}

/// Returns the name of a status.
pub fn status_word(status: CoulombStatus) -> &'static str {
    match status {
        CoulombStatus::Solved => "solved",
        CoulombStatus::Limit => "limit",
        CoulombStatus::Infeasible => "infeasible",
    }
}

/// Solves a problem and returns a summary under a name.
pub fn solve_named(
    name: &str,
    problem: &MatrixProblem,
    params: &CoulombParams,
    sides: Option<usize>,
) -> (CoulombSolution, FrictionSummary) {
    let begin = Instant::now();
    let solution = match sides {
        Some(sides) => solve_coulomb_by_pyramids(problem, sides),
        None => solve_coulomb(problem, None, params),
    };
    let time = begin.elapsed().as_secs_f64();
    let kinds = solution.kinds(problem);
    let count = |kind| kinds.iter().filter(|k| **k == kind).count();
    let summary = FrictionSummary {
        problem: name.to_owned(),
        contacts: problem.contacts(),
        open: count(ContactKind::Open),
        sticking: count(ContactKind::Sticks),
        sliding: count(ContactKind::Slides),
        status: status_word(solution.status),
        residual: solution.solver.residual,
        relative: solution.relative,
        misses: solution.misses.into(),
        sweeps: solution.solver.sweeps,
        newton: solution.solver.iterations,
        time,
    };
    (solution, summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_counted_by_what_they_do() {
        // Three unit masses on their own: one leaves, one slides, one sticks.
        let entries = (0..9).map(|k| (k, k, 1.0));
        let q = vec![1.0, 1.0, 0.0, -1.0, 2.0, 0.0, -1.0, 0.2, 0.0];
        let problem = MatrixProblem::new(entries, q, &[0.5; 3]).expect("a problem");
        let (solution, summary) = solve_named("three", &problem, &CoulombParams::default(), None);
        assert_eq!((summary.open, summary.sliding, summary.sticking), (1, 1, 1));
        assert!(summary.is_solved() && summary.contacts == 3 && summary.problem == "three");
        assert!((solution.velocities[4] - 1.5).abs() < 1e-12, "{:?}", solution.velocities);
    }
}
