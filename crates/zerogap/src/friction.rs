//! Friction problems from files and arrays, solved and summed up: what the command and the Python package have in common.
//!
//! In: a problem, or the text of one. Out: its solution with a summary of the contacts. Solvers live in [`crate::contact::cone`].

use serde::Serialize;
use std::time::Instant;
use zerogap_contact::cone::{
    ContactKind, CoulombParams, CoulombSolution, CoulombStatus, MatrixProblem, solve_coulomb,
};

/// A solve in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrictionSummary {
    /// Name of the problem.
    pub problem: String,
    /// Number of contacts.
    pub contacts: usize,
    /// Contacts that push nothing.
    pub open: usize,
    /// Contacts that push without slip.
    pub sticking: usize,
    /// Contacts that push and slip.
    pub sliding: usize,
    /// `"solved"`, `"limit"` or `"infeasible"`.
    pub status: &'static str,
    /// Length of `r - P(r - (u + mu |u_t| e_n))` over `max(1, |q|)` [impulses and velocities as they stand].
    pub residual: f64,
    /// Largest velocity by which a contact misses its law, over the largest entry of `q` [-].
    pub relative: f64,
    /// Largest speed of approach, `-u_n` [m/s].
    pub approach: f64,
    /// How far an impulse is outside of its cone at most, times the inverse mass of its contact [m/s].
    pub cone: f64,
    /// The largest of the smaller ones of `w r_n` and `u_n`, where both are positive [m/s].
    pub complementarity: f64,
    /// How far friction is from opposing the sliding with all that the cone allows [m/s].
    pub friction: f64,
    /// Sweeps of Gauss-Seidel.
    pub sweeps: usize,
    /// Newton steps.
    pub newton: usize,
    /// Time of the solve [s].
    pub time: f64,
}

impl FrictionSummary {
    /// Whether the tolerance was reached.
    pub fn is_solved(&self) -> bool {
        self.status == status_word(CoulombStatus::Solved)
    }
}

/// A solve with what every contact does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrictionReport {
    /// In short.
    #[serde(flatten)]
    pub summary: FrictionSummary,
    /// `"open"`, `"sticks"` or `"slides"`, for each contact.
    pub kinds: Vec<&'static str>,
    /// Impulses, normal first, then both tangents, for each contact [N s].
    pub impulses: Vec<[f64; 3]>,
    /// Velocities after them [m/s].
    pub velocities: Vec<[f64; 3]>,
    /// Pushes along the normals that move nothing while the contacts approach along them, where the problem is infeasible [s/m].
    pub certificate: Option<Vec<[f64; 3]>>,
    /// Then the largest entry of any impulses that obey is at least this [N s]; infinite where it is none.
    pub least_impulse: Option<f64>,
}

impl FrictionReport {
    /// Solves a problem and reports it under a name.
    pub fn new(name: &str, problem: &MatrixProblem, params: &CoulombParams) -> Self {
        let (solution, summary) = solve_named(name, problem, params);
        let rows = |flat: &[f64]| flat.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect::<Vec<_>>();
        let infeasibility = solution.infeasibility.as_ref();
        Self {
            kinds: solution.kinds(problem).into_iter().map(kind_word).collect(),
            impulses: rows(&solution.impulses),
            velocities: rows(&solution.velocities),
            certificate: infeasibility.map(|proof| rows(&proof.certificate)),
            least_impulse: infeasibility.map(|proof| proof.least_impulse),
            summary,
        }
    }
}

/// What a contact does, in a word.
pub fn kind_word(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Open => "open",
        ContactKind::Sticks => "sticks",
        ContactKind::Slides => "slides",
    }
}

/// A status in a word.
pub fn status_word(status: CoulombStatus) -> &'static str {
    match status {
        CoulombStatus::Solved => "solved",
        CoulombStatus::Limit => "limit",
        CoulombStatus::Infeasible => "infeasible",
    }
}

/// Solves a problem and sums it up under a name.
pub fn solve_named(
    name: &str,
    problem: &MatrixProblem,
    params: &CoulombParams,
) -> (CoulombSolution, FrictionSummary) {
    let begin = Instant::now();
    let solution = solve_coulomb(problem, None, params);
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
        residual: solution.residual,
        relative: solution.relative,
        approach: solution.misses.approach,
        cone: solution.misses.cone,
        complementarity: solution.misses.complementarity,
        friction: solution.misses.friction,
        sweeps: solution.iterations.sweeps,
        newton: solution.iterations.newton,
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
        let (solution, summary) = solve_named("three", &problem, &CoulombParams::default());
        assert_eq!((summary.open, summary.sliding, summary.sticking), (1, 1, 1));
        assert!(summary.is_solved() && summary.contacts == 3 && summary.problem == "three");
        assert!((solution.velocities[4] - 1.5).abs() < 1e-12, "{:?}", solution.velocities);
    }
}
