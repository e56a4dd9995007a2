//! Puts positions and velocities back onto the loops, from which integration drifts.

use zerogap_core::line_search::LineSearch;

use super::loop_filter::LoopFilter;
use super::tree::Tree;
use super::workspace::Workspace;

/// Newton steps at most [-]; from a drifted state two or three suffice.
const MAX_STEPS: usize = 40;

/// Fractions of a Newton step that are tried.
const SEARCH: LineSearch = LineSearch::halving(12);

/// Errors below this times the size of the numbers they are differences of need no step [-].
const EXACT: f64 = 8.0 * f64::EPSILON;

/// Where a step cannot make them smaller, errors below this are what rounding along a chain leaves [-].
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What projecting achieved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Projection {
    /// Largest violation of a loop's positions that is left [m or rad].
    pub position_error: f64,
    /// Largest violation of a loop's velocities that is left [m/s or rad/s].
    pub velocity_error: f64,
    /// Newton steps made for the positions [-].
    pub iterations: usize,
}

impl Tree {
    /// Moves positions and velocities to the nearest ones that meet all loops.
    ///
    /// Computes: `q` on the loops, by Newton steps that are each least in the kinetic metric (nearest to first order in the drift); `v` on the loops,
    ///   nearest in that metric; quaternions normalised. The workspace is left updated at the result.
    /// Tolerance: loops that can be closed are met to rounding: 1e-14 of the size of the positions they compare.
    /// Cost: one update and one solve with all loop rows per step; allocates nothing after the first call.
    /// Fails: loops that cannot be closed leave their error in the result, with the best positions found.
    ///
    /// # Panics
    /// Where `q` or `v` does not have the tree's length, or the workspace belongs to another tree.
    pub fn project(&self, t: f64, q: &mut [f64], v: &mut [f64], ws: &mut Workspace) -> Projection {
        self.normalise(q);
        self.update(t, q, v, ws);
        let mut result = Projection::default();
        if self.loop_rows() == 0 {
            return result;
        }
        if !ws.valid {
            let lost = f64::INFINITY;
            return Projection { position_error: lost, velocity_error: lost, iterations: 0 };
        }
        // All room is taken out of the workspace while it is used.
        let mut solver = std::mem::take(&mut ws.solver);
        let mut rows = std::mem::take(&mut ws.loop_rows);
        let mut values = std::mem::take(&mut ws.loop_values);
        let mut lambda = std::mem::take(&mut ws.loop_forces);
        let mut step = std::mem::take(&mut ws.step);
        let mut from = std::mem::take(&mut ws.positions);

        let mut filter = std::mem::take(&mut ws.loop_filter);

        // Positions: Newton steps until rounding is reached. Errors that motion can hardly change stay.
        self.loop_matrix_rows(ws, &mut rows);
        filter.find(self, ws, &mut rows);
        let mut error = self.filtered_violation(ws, &mut filter, &mut values);
        while result.iterations < MAX_STEPS && error > if result.iterations == 0 { EXACT } else { ROUNDING } {
            result.iterations += 1;
            step.fill(0.0);
            solver.hold(self, ws, &rows, &values, &mut step, &mut lambda);
            from.copy_from_slice(q);
            let walk = Walk { t, from: &from, v, error };
            let Some(_) = self.walk(&walk, q, &mut step, (&mut filter, &mut values), ws) else { break };
            self.loop_matrix_rows(ws, &mut rows);
            filter.find(self, ws, &mut rows);
            error = self.filtered_violation(ws, &mut filter, &mut values);
        }
        self.loop_errors(ws, &mut values);
        result.position_error = largest(&values);

        // Velocities: what `G v` lacks of the rate is what prescribed motions add.
        self.loop_matrix_rows(ws, &mut rows);
        self.loop_rates(ws, &mut values);
        for (value, row) in values.iter_mut().zip(rows.chunks_exact(self.velocities().max(1))) {
            *value -= row.iter().zip(v.iter()).map(|(a, b)| a * b).sum::<f64>();
        }
        filter.find(self, ws, &mut rows);
        filter.filter(&mut values);
        solver.hold(self, ws, &rows, &values, v, &mut lambda);
        self.update(t, q, v, ws);
        self.loop_rates(ws, &mut values);
        result.velocity_error = largest(&values);
        (ws.solver, ws.loop_rows, ws.loop_values) = (solver, rows, values);
        ws.loop_filter = filter;
        (ws.loop_forces, ws.step, ws.positions) = (lambda, step, from);
        result
    }

    /// Writes the errors of all rows less what no motion changes; the largest.
    fn filtered_violation(&self, ws: &Workspace, filter: &mut LoopFilter, values: &mut [f64]) -> f64 {
        self.loop_errors(ws, values);
        filter.filter(values);
        self.loop_violation(ws, values, loop_size(ws))
    }

    /// Goes along a step, or half of it and so on, until the error becomes smaller, and returns it; none, and back at the start, where it does not.
    fn walk(
        &self,
        walk: &Walk<'_>,
        q: &mut [f64],
        step: &mut [f64],
        (filter, values): (&mut LoopFilter, &mut [f64]),
        ws: &mut Workspace,
    ) -> Option<f64> {
        let Walk { t, from, v, error } = *walk;
        // At rounding one trial is enough: halving would only cost time.
        let search = if error > ROUNDING { SEARCH } else { LineSearch::halving(1) };
        let searched = search.search(
            |fraction| {
                if fraction < 1.0 {
                    for x in step.iter_mut() {
                        *x *= SEARCH.shortening;
                    }
                }
                q.copy_from_slice(from);
                self.displace(q, step);
                self.normalise(q);
                self.update(t, q, v, ws);
                let now = self.filtered_violation(ws, filter, values);
                if ws.valid { now } else { f64::INFINITY }
            },
            |_, now| now < error,
        );
        if searched.is_accepted {
            return Some(searched.merit);
        }
        q.copy_from_slice(from);
        self.update(t, q, v, ws);
        None
    }
}

/// Where a Newton step begins.
struct Walk<'a> {
    t: f64,
    from: &'a [f64],
    v: &'a [f64],
    error: f64,
}

/// The size of the positions that loops compare [m].
fn loop_size(ws: &Workspace) -> f64 {
    ws.bodies.iter().fold(0.0, |size, b| size.max(b.pivot_at.amax()).max(b.arm.amax()))
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |worst, x| worst.max(x.abs()))
}
