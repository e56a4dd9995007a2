//! Statistics that every iterative solver of this crate returns.

/// What an iterative solver did and achieved.
///
/// Counts that a method does not have are zero: Gauss-Seidel makes sweeps, Newton methods make the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverInfo {
    /// Sweeps of Gauss-Seidel over all blocks [-].
    pub sweeps: usize,
    /// Newton iterations, of all islands together [-].
    pub iterations: usize,
    /// Factorisations among them [-].
    pub factorisations: usize,
    /// Factorisations of each island times its fraction of all blocks, summed: what the work amounts to in factorisations of the whole [-].
    pub equivalent_factorisations: f64,
    /// Trials of the line searches that were not accepted [-].
    pub backtracks: usize,
    /// Residual at the end; the solver states its measure and unit.
    pub residual: f64,
    /// Whether the residual is within the tolerance.
    pub is_solved: bool,
}

impl Default for SolverInfo {
    fn default() -> Self {
        Self::at(0.0, 0.0)
    }
}

impl SolverInfo {
    /// Describes a point at which nothing was done yet.
    pub const fn at(residual: f64, tolerance: f64) -> Self {
        Self {
            sweeps: 0,
            iterations: 0,
            factorisations: 0,
            equivalent_factorisations: 0.0,
            backtracks: 0,
            residual,
            is_solved: residual <= tolerance,
        }
    }

    /// Returns whether the start was taken as it was.
    pub fn is_untouched(&self) -> bool {
        self.sweeps + self.iterations == 0
    }

    /// Adds the work of another solve, and nothing of what it achieved.
    pub fn add_work(&mut self, other: &Self) {
        self.sweeps += other.sweeps;
        self.iterations += other.iterations;
        self.factorisations += other.factorisations;
        self.equivalent_factorisations += other.equivalent_factorisations;
        self.backtracks += other.backtracks;
    }

    /// Returns the statistics of two solves of separate problems: sums of the work, the larger residual, solved if both are.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut both = *self;
        both.add_work(other);
        both.residual = self.residual.max(other.residual);
        both.is_solved = self.is_solved && other.is_solved;
        both
    }

    /// Sets what was achieved in the end.
    pub(crate) fn finish(&mut self, residual: f64, tolerance: f64) {
        self.residual = residual;
        self.is_solved = residual <= tolerance;
    }
}
