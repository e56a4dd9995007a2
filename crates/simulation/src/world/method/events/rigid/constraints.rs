//! Constraints: rows of the joints' velocities that loops, joint limits and contacts keep at zero, and the forces that do so.
//!
//! In: the frozen modes and the state. Out: accelerations with all that is constrained, and the forces of each contact point. Rows stand in the order loops, limits, contacts by
//! pair and point.

use zerogap_contact::solve::ConstraintWork;
use zerogap_core::Vec3;
use zerogap_core::disjoint_sets::DisjointSets;
use zerogap_core::math::tangents;
use zerogap_core::nalgebra::DMatrix;
use zerogap_dynamics::multibody::{LoopFilter, Tree, Workspace};

use super::points::Point;
use crate::world::method::events::discrete::Mode;

/// A frozen point with what it does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConstrainedPoint {
    pub(crate) point: Point,
    /// Its number among the points of its pair.
    pub(crate) index: usize,
    pub(crate) mode: Mode,
    pub(crate) friction: f64,
    /// First of its rows.
    row: usize,
    /// Force on B along the normal [N], and across it [N]; found by [`ConstraintSet::solve`].
    pub(crate) normal_force: f64,
    pub(crate) friction_force: Vec3,
}

/// Rows and memory for them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConstraintSet {
    pub(crate) points: Vec<ConstrainedPoint>,
    /// Force of each active limit [N or N m].
    pub(crate) limits: Vec<f64>,
    limit_numbers: Vec<usize>,
    rows: usize,
    /// Row-major, as many columns as velocities.
    jacobian: Vec<f64>,
    forces: Vec<f64>,
    bias: Vec<f64>,
    /// What each row is now [m/s or rad/s].
    speeds: Vec<f64>,
    moved: Vec<f64>,
    right: Vec<f64>,
    solution: Vec<f64>,
    islands: Islands,
    work: ConstraintWork,
    /// Takes conditions of loops that nearly repeat each other out.
    loop_filter: LoopFilter,
}

/// Rows that do nothing to each other are solved apart: what stands here and there on a floor costs as much as each alone.
#[derive(Debug, Clone, Default)]
struct Islands {
    /// The rows of each island.
    sets: DisjointSets,
    /// The first row that has to do with each velocity.
    toucher: Vec<Option<usize>>,
    /// The rows of one island, in order.
    rows: Vec<usize>,
    /// The matrices of the islands, by number: memory that fits as long as nothing changes.
    matrices: Vec<DMatrix<f64>>,
    right: Vec<f64>,
    solution: Vec<f64>,
}

impl Islands {
    /// Finds the islands of rows of `n` columns: two rows are in one island where both act on a velocity.
    fn find(&mut self, jacobian: &[f64], moved: &[f64], n: usize) {
        self.sets.reset(0);
        self.toucher.clear();
        self.toucher.resize(n, None);
        for (row, (of, moved)) in jacobian.chunks_exact(n).zip(moved.chunks_exact(n)).enumerate() {
            self.sets.push();
            for column in (0..n).filter(|column| of[*column] != 0.0 || moved[*column] != 0.0) {
                let other = *self.toucher[column].get_or_insert(row);
                self.sets.join(row, other);
            }
        }
    }
}

/// Below some such speed a contact slides in the direction in which it sets off [m/s]: that of its slip would be rounding, and would turn what sets off straight ahead to the side.
const ONSET: f64 = 1e-9;

/// The direction in which a contact slides, smooth beyond the instant at which it stops: where the slip has reversed the direction that it had at the start
/// of the step, its part along that direction is mirrored.
pub(crate) fn slip_direction(slip: &Vec3, reference: &Vec3) -> Vec3 {
    let along = slip.dot(reference);
    let mirrored = if along < 0.0 { slip - reference * (2.0 * along) } else { *slip };
    (mirrored + reference * ONSET).try_normalize(f64::MIN_POSITIVE).unwrap_or(*reference)
}

impl ConstraintSet {
    /// Forgets all rows.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.limits.clear();
        self.limit_numbers.clear();
        self.rows = 0;
        for list in [&mut self.jacobian, &mut self.forces, &mut self.bias, &mut self.speeds] {
            list.clear();
        }
    }

    /// Whether nothing is constrained.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds the loops of a tree.
    pub(crate) fn add_loops(&mut self, tree: &Tree, ws: &Workspace) {
        let (count, n) = (tree.loop_rows(), tree.velocities());
        if count > 0 {
            self.rows = count;
            self.jacobian.resize(count * n, 0.0);
            self.bias.resize(count, 0.0);
            self.speeds.resize(count, 0.0);
            tree.loop_matrix_rows(ws, &mut self.jacobian);
            tree.loop_bias(ws, &mut self.bias);
            self.loop_filter.find(tree, ws, &mut self.jacobian);
            self.loop_filter.filter(&mut self.bias);
            self.forces.extend_from_slice(&self.jacobian);
        }
    }

    /// Adds what a limit bounds, with velocities of the joints.
    pub(crate) fn add_limit(&mut self, tree: &Tree, ws: &Workspace, number: usize, v: &[f64]) {
        let limit = &tree.limits()[number];
        let (bias, rate) = (tree.limit_bias(limit, ws), tree.limit_rate(limit, v, ws));
        let (jacobian, forces) = self.new_row(tree.velocities(), bias, rate);
        tree.limit_row(limit, ws, jacobian);
        forces.copy_from_slice(jacobian);
        self.limits.push(0.0);
        self.limit_numbers.push(number);
    }

    /// Adds a contact point that carries, with the torque on B against rolling for a normal force of one [m].
    pub(crate) fn add_point(
        &mut self,
        tree: &Tree,
        ws: &Workspace,
        point: Point,
        (index, mode, friction): (usize, Mode, f64),
        rolling: Vec3,
    ) {
        let n = tree.velocities();
        let normal = point.contact.normal;
        let row = self.rows;
        let add = |direction: &Vec3, row: &mut [f64]| {
            tree.point_row(ws, point.b, point.at, *direction, 1.0, row);
            tree.point_row(ws, point.a, point.at, *direction, -1.0, row);
        };
        let (jacobian, forces) = self.new_row(n, point.normal_bias, point.gap_rate);
        add(&normal, jacobian);
        match mode {
            Mode::Touch => forces.copy_from_slice(jacobian),
            Mode::Slip(reference) => {
                // Friction goes with the normal force.
                add(&(normal - slip_direction(&point.slip, &reference) * friction), forces);
            }
            Mode::Stick(_) => {
                forces.copy_from_slice(jacobian);
                let (t1, t2) = tangents(&normal);
                for tangent in [t1, t2] {
                    let (bias, speed) = (tangent.dot(&point.tangent_bias), tangent.dot(&point.slip));
                    let (jacobian, forces) = self.new_row(n, bias, speed);
                    add(&tangent, jacobian);
                    forces.copy_from_slice(jacobian);
                }
            }
        }
        // The torque against rolling goes with the normal force too.
        if rolling != Vec3::zeros() {
            let forces = &mut self.forces[row * n..(row + 1) * n];
            add_torque(tree, ws, &point, &rolling, forces);
        }
        self.points.push(ConstrainedPoint {
            point,
            index,
            mode,
            friction,
            row,
            normal_force: 0.0,
            friction_force: Vec3::zeros(),
        });
    }

    fn new_row(&mut self, n: usize, bias: f64, speed: f64) -> (&mut [f64], &mut [f64]) {
        let from = self.rows * n;
        self.rows += 1;
        self.bias.push(bias);
        self.speeds.push(speed);
        self.jacobian.resize(from + n, 0.0);
        self.forces.resize(from + n, 0.0);
        (&mut self.jacobian[from..], &mut self.forces[from..])
    }

    /// Adds to accelerations what keeps all rows at zero, and finds the forces.
    pub(crate) fn solve(&mut self, tree: &Tree, ws: &mut Workspace, acceleration: &mut [f64]) {
        let n = acceleration.len();
        self.fill(tree, ws, n);
        for k in 0..self.rows {
            self.right[k] = -(dot(&self.jacobian[k * n..][..n], acceleration) + self.bias[k]);
        }
        self.solve_islands(n);
        for k in 0..self.rows {
            add_scaled(acceleration, &self.moved[k * n..][..n], self.solution[k]);
        }
        // Who carries what.
        let first_limit = tree.loop_rows();
        for (k, limit) in self.limits.iter_mut().enumerate() {
            *limit = self.solution[first_limit + k];
        }
        for constrained in &mut self.points {
            let normal = self.solution[constrained.row];
            constrained.normal_force = normal;
            constrained.friction_force = match constrained.mode {
                Mode::Touch => Vec3::zeros(),
                Mode::Slip(reference) => {
                    slip_direction(&constrained.point.slip, &reference) * (-constrained.friction * normal)
                }
                Mode::Stick(_) => {
                    let (t1, t2) = tangents(&constrained.point.contact.normal);
                    t1 * self.solution[constrained.row + 1] + t2 * self.solution[constrained.row + 2]
                }
            };
        }
    }

    /// The velocity change that takes the rows to zero; `off` is what each row is off by.
    pub(crate) fn correction(&mut self, tree: &Tree, ws: &mut Workspace, off: &[f64], change: &mut [f64]) {
        let n = change.len();
        self.forces.clone_from(&self.jacobian);
        self.fill(tree, ws, n);
        for (right, off) in self.right.iter_mut().zip(off) {
            *right = -off;
        }
        self.solve_islands(n);
        change.fill(0.0);
        for k in 0..self.rows {
            add_scaled(change, &self.moved[k * n..][..n], self.solution[k]);
        }
    }

    /// What each row is at the state it was made for; loops have their own correction.
    pub(crate) fn speeds(&self, rows: &mut Vec<f64>) {
        rows.clone_from(&self.speeds);
    }

    /// The gaps of all rows, and how far the active limits are from theirs.
    pub(crate) fn gaps(&self, tree: &Tree, q: &[f64], rows: &mut Vec<f64>) {
        rows.clear();
        rows.resize(self.rows, 0.0);
        let first = tree.loop_rows();
        for (row, number) in rows[first..].iter_mut().zip(&self.limit_numbers) {
            *row = tree.limit_value(&tree.limits()[*number], q);
        }
        for constrained in &self.points {
            rows[constrained.row] = constrained.point.contact.gap;
        }
    }

    /// What a force in each row does to the velocities, and which rows have to do with each other.
    fn fill(&mut self, tree: &Tree, ws: &mut Workspace, n: usize) {
        let rows = self.rows;
        self.right.resize(rows, 0.0);
        self.solution.resize(rows, 0.0);
        self.moved.resize(rows * n, 0.0);
        // Rows of contacts act on two bodies; others on whatever they join.
        let mut points = self.points.iter().peekable();
        let mut bodies = None;
        for (k, (force, moved)) in
            self.forces.chunks_exact(n).zip(self.moved[..rows * n].chunks_exact_mut(n)).enumerate()
        {
            if let Some(constrained) = points.next_if(|constrained| constrained.row == k) {
                bodies = Some([constrained.point.a, constrained.point.b]);
            }
            let is_done =
                bodies.is_some_and(|bodies| tree.inverse_mass_times_alone(bodies, ws, force, moved));
            if !is_done {
                tree.inverse_mass_times(ws, force, moved);
            }
        }
        self.islands.find(&self.jacobian, &self.moved[..rows * n], n);
    }

    /// Solves for the forces of all rows, one island after the other in the order of their first rows.
    fn solve_islands(&mut self, n: usize) {
        let Self { islands, jacobian, moved, right, solution, work, rows: count, .. } = self;
        let mut number = 0;
        for first in 0..*count {
            if islands.sets.find(first) != first {
                continue;
            }
            let mut rows = std::mem::take(&mut islands.rows);
            rows.clear();
            rows.extend((first..*count).filter(|row| islands.sets.find(*row) == first));
            // What a force in each row of the island does to each.
            let m = rows.len();
            if islands.matrices.len() == number {
                islands.matrices.push(DMatrix::zeros(m, m));
            }
            let matrix = &mut islands.matrices[number];
            if matrix.nrows() != m {
                *matrix = DMatrix::zeros(m, m);
            }
            for (j, row) in rows.iter().enumerate() {
                for (k, other) in rows.iter().enumerate() {
                    matrix[(j, k)] = dot(&jacobian[row * n..][..n], &moved[other * n..][..n]);
                }
            }
            islands.right.clear();
            islands.right.extend(rows.iter().map(|row| right[*row]));
            islands.solution.resize(m, 0.0);
            work.factor(matrix);
            work.solve(&islands.right, &mut islands.solution);
            for (row, force) in rows.iter().zip(&islands.solution) {
                solution[*row] = *force;
            }
            islands.rows = rows;
            number += 1;
        }
    }
}

/// Adds what a torque on B, and its opposite on A, does to a row: that of two opposite forces, which are a length of one apart.
fn add_torque(tree: &Tree, ws: &Workspace, point: &Point, torque: &Vec3, row: &mut [f64]) {
    let Some(axis) = torque.try_normalize(f64::MIN_POSITIVE) else { return };
    let (arm, across) = tangents(&axis);
    let force = across * torque.norm();
    for (body, sign) in [(point.b, 1.0), (point.a, -1.0)] {
        tree.point_row(ws, body, point.at + arm, force, sign, row);
        tree.point_row(ws, body, point.at, force, -sign, row);
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub(crate) fn add_scaled(to: &mut [f64], what: &[f64], factor: f64) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}
