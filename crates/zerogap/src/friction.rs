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
    /// `"solved"` or `"limit"`.
    pub status: &'static str,
    /// Length of `r - P(r - (u + mu |u_t| e_n))` over `max(1, |q|)` [impulses and velocities as they stand].
    pub residual: f64,
    /// Largest velocity by which a contact misses its law, over the largest entry of `q` [-].
    pub relative: f64,
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

/// A status in a word.
pub fn status_word(status: CoulombStatus) -> &'static str {
    match status {
        CoulombStatus::Solved => "solved",
        CoulombStatus::Limit => "limit",
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
