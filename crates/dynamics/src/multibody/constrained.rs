//! Accelerations of a tree some of whose velocities are constrained: loops, resting contacts, locked joints.
//!
//! In: rows `J`, wanted second derivatives, and accelerations without them. Out: accelerations with `J vdot + bias = 0` and the multipliers that
//! do it. Rows may repeat each other: a planar four-bar closed by a spatial hinge has two rows too many, every day.

use zerogap_core::cholesky::{self, PivotRule};

use super::spatial::Wrench;
use super::tree::Tree;
use super::workspace::Workspace;

/// Added to the diagonal of the scaled matrix [-]. Rows that say the same share the force equally (to 1e-16 / `REGULAR`) instead of dividing by
/// zero; what this distorts, refinement puts right: a direction of relative stiffness `s` gains the factor `REGULAR / s` with each round.
const REGULAR: f64 = 1e-9;

/// Rounds of refinement at most [-]; with `REGULAR` two or three suffice for well-posed rows.
const ROUNDS: usize = 12;

/// A row is dropped where the velocities cannot change it: its compliance is this small against the largest [-]. Rounding leaves squares of 1e-16.
const IMMOBILE: f64 = 1e-24;

/// The added diagonal keeps every pivot positive, and rounding is kept from undoing that.
#[derive(Clone, Copy)]
struct Regular;

impl PivotRule for Regular {
    fn keep(self, pivot: f64, _: f64) -> f64 {
        pivot.max(REGULAR).sqrt()
    }

    fn divide(self, x: f64, kept: f64) -> f64 {
        x / kept
    }
}

/// How well the rows are info.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ConstraintInfo {
    /// Largest violation left, in units where every row has unit compliance [-]; not small only where rows contradict each other.
    pub residual: f64,
    /// The same before the first round [-].
    pub before: f64,
    /// Rounds made [-].
    pub rounds: usize,
    /// Rows that no velocity can change; they were left alone [-].
    pub immobile: usize,
}

/// Solver for constrained rows; keeps its memory from call to call.
#[derive(Debug, Clone, Default)]
pub struct ConstrainedSolver {
    /// `M⁻¹ Jᵀ`, one row of the array for each row of `J`.
    columns: Vec<f64>,
    /// `J M⁻¹ Jᵀ`, then its factor in the lower triangle, both scaled to a unit diagonal.
    factor: Vec<f64>,
    scale: Vec<f64>,
    residual: Vec<f64>,
    step: Vec<f64>,
}

impl ConstrainedSolver {
    /// Changes accelerations so that `J vdot + bias = 0`, as little as possible in the kinetic metric.
    ///
    /// Computes: `vdot += M⁻¹ Jᵀ lambda` with the `lambda` that meets the rows; `rows` is `J`, row by row; `lambda` [N or N m] is overwritten.
    ///   The same call corrects velocities (bias: what `J v` lacks) and positions (bias: the errors, `vdot`: the correction, zero before).
    /// Method: columns `M⁻¹ Jᵀ` in O(bodies) each; Cholesky of the scaled `J M⁻¹ Jᵀ + 1e-9` with refinement against the true rows. Redundant
    ///   rows get the solution of least norm; a rank-revealing factorisation would give all force to some of them and jump between choices.
    /// Tolerance: consistent rows are met to 1e-12 of the largest row before, also redundant ones (tests); near a singular position, where
    ///   the relative stiffness falls below 1e-9, only as well as the rounds reach, and smoothly so.
    /// Cost: O(m bodies + m² n + m³); no allocation once it has seen as many rows.
    /// Fails: contradicting rows leave their residual in the result; finite input never gives NaN.
    ///
    /// # Panics
    /// Where lengths do not fit each other.
    pub fn hold(
        &mut self,
        tree: &Tree,
        ws: &mut Workspace,
        rows: &[f64],
        bias: &[f64],
        vdot: &mut [f64],
        lambda: &mut [f64],
    ) -> ConstraintInfo {
        let (m, n) = (bias.len(), tree.velocities());
        assert!(rows.len() == m * n && lambda.len() == m, "{m} rows of {n} and as many multipliers");
        tree.check_velocities(vdot);
        lambda.fill(0.0);
        let mut info = ConstraintInfo::default();
        if m == 0 || n == 0 {
            info.residual = bias.iter().fold(0.0, |worst: f64, x| worst.max(x.abs()));
            info.before = info.residual;
            info.immobile = m;
            return info;
        }
        info.immobile = self.factorise(tree, ws, rows, m);
        // The rows themselves are the measure: what one round leaves, the next takes.
        let mut last = self.violation(rows, bias, vdot);
        (info.before, info.residual) = (last, last);
        for round in 1..=ROUNDS {
            self.solve();
            for ((amount, sum), column) in
                self.step.iter().zip(lambda.iter_mut()).zip(self.columns.chunks_exact(n))
            {
                *sum += amount;
                for (x, c) in vdot.iter_mut().zip(column) {
                    *x += c * amount;
                }
            }
            let now = self.violation(rows, bias, vdot);
            (info.residual, info.rounds) = (now, round);
            // Rounding is reached where a round no longer halves what is left.
            if now.is_nan() || now >= 0.5 * last || now == 0.0 {
                break;
            }
            last = now;
        }
        info
    }

    /// Factor of the scaled matrix; returns how many rows no velocity can change.
    fn factorise(&mut self, tree: &Tree, ws: &mut Workspace, rows: &[f64], m: usize) -> usize {
        let n = tree.velocities();
        self.columns.resize(m * n, 0.0);
        self.factor.resize(m * m, 0.0);
        for buffer in [&mut self.scale, &mut self.residual, &mut self.step] {
            buffer.resize(m, 0.0);
        }
        tree.delassus(ws, rows, &mut self.columns, &mut self.factor);
        // Rows in metres and in radians are compared by what a unit force does to them.
        let largest = (0..m).map(|i| self.factor[i * m + i]).fold(0.0, f64::max);
        let mut immobile = 0;
        for i in 0..m {
            let compliance = self.factor[i * m + i];
            let moves = compliance > IMMOBILE * largest;
            self.scale[i] = if moves { 1.0 / compliance.sqrt() } else { 0.0 };
            immobile += usize::from(!moves);
        }
        for i in 0..m {
            for j in 0..i {
                self.factor[i * m + j] *= self.scale[i] * self.scale[j];
            }
            self.factor[i * m + i] = 1.0 + REGULAR;
        }
        cholesky::factor(&mut self.factor, m, Regular);
        immobile
    }

    /// Writes the scaled residual of the rows and returns its largest entry.
    fn violation(&mut self, rows: &[f64], bias: &[f64], vdot: &[f64]) -> f64 {
        let mut worst = 0.0_f64;
        for (i, row) in rows.chunks_exact(vdot.len()).enumerate() {
            let value = row.iter().zip(vdot).map(|(a, b)| a * b).sum::<f64>() + bias[i];
            self.residual[i] = -value * self.scale[i];
            worst = if worst >= self.residual[i].abs() { worst } else { self.residual[i].abs() };
        }
        worst
    }

    /// Multipliers for the residual, unscaled.
    fn solve(&mut self) {
        let m = self.scale.len();
        self.step.copy_from_slice(&self.residual);
        cholesky::solve_lower(&self.factor, m, Regular, &mut self.step);
        cholesky::solve_upper(&self.factor, m, Regular, &mut self.step);
        for (step, scale) in self.step.iter_mut().zip(&self.scale) {
            *step *= scale;
        }
    }
}

impl Tree {
    /// Writes what forces along rows do to them: `columns` is `M⁻¹ Jᵀ` (one row of the array for each row of `J`) and `matrix` is `J M⁻¹ Jᵀ`, symmetric;
    /// all of them row by row. This is the matrix of contact problems.
    ///
    /// Cost: O(m bodies + m² n), no allocation.
    ///
    /// # Panics
    /// Where lengths do not fit: m rows of the tree's length, as many columns, m² entries.
    pub fn delassus(&self, ws: &mut Workspace, rows: &[f64], columns: &mut [f64], matrix: &mut [f64]) {
        let n = self.velocities();
        let m = rows.len().checked_div(n).unwrap_or(0);
        assert!(
            rows.len() == m * n && columns.len() == m * n && matrix.len() == m * m,
            "{m} rows and columns of {n}, and the square of {m}"
        );
        if m == 0 {
            return;
        }
        for (row, column) in rows.chunks_exact(n).zip(columns.chunks_exact_mut(n)) {
            self.inverse_mass_times(ws, row, column);
        }
        for (i, row) in rows.chunks_exact(n).enumerate() {
            for (j, column) in columns.chunks_exact(n).enumerate().take(i + 1) {
                let entry = row.iter().zip(column).map(|(a, b)| a * b).sum();
                matrix[i * m + j] = entry;
                matrix[j * m + i] = entry;
            }
        }
    }

    /// As [`Tree::acceleration`], with all loops constrained: `vdot`, and the multipliers of the loop rows.
    ///
    /// # Panics
    /// Where lengths do not fit the tree.
    pub fn loop_acceleration(
        &self,
        ws: &mut Workspace,
        wrenches: &[Wrench],
        effort: &[f64],
        vdot: &mut [f64],
        lambda: &mut [f64],
    ) -> ConstraintInfo {
        self.acceleration(ws, wrenches, effort, vdot);
        if self.loop_rows() == 0 || !ws.valid {
            lambda.fill(0.0);
            return ConstraintInfo::default();
        }
        // The solver and the rows are taken out of the workspace while it is used.
        let mut solver = std::mem::take(&mut ws.solver);
        let mut rows = std::mem::take(&mut ws.loop_rows);
        let mut bias = std::mem::take(&mut ws.loop_values);
        self.loop_matrix_rows(ws, &mut rows);
        self.loop_bias(ws, &mut bias);
        let mut filter = std::mem::take(&mut ws.loop_filter);
        filter.find(self, ws, &mut rows);
        filter.filter(&mut bias);
        ws.loop_filter = filter;
        let info = solver.hold(self, ws, &rows, &bias, vdot, lambda);
        (ws.solver, ws.loop_rows, ws.loop_values) = (solver, rows, bias);
        info
    }
}
