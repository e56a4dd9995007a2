//! Loops: two bodies of the tree, or one and the world, constrained by conditions on their positions.
//!
//! In: a workspace that is up to date. Out: how far each condition is violated, its rate, its row `G`, and the part of its second derivative that
//! does not come from `vdot`: `G vdot + bias = 0`. Every row is one direction applied to a difference of velocities, so one evaluation
//! gives all of them.

use nalgebra::DMatrix;
use zerogap_core::error::check_direction;
use zerogap_core::math::tangents;
use zerogap_core::{Pose, Vec3};

use super::coupling::{Coupling, CouplingRow};
use super::error::TreeError;
use super::joint::BodyId;
use super::tree::Tree;
use super::workspace::Workspace;

/// Points closer than this times the length asked for have no direction between them [-].
const NO_DIRECTION: f64 = 1e-12;

/// A loop, counted in the order of adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

/// What a loop holds together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LoopKind {
    /// The origins of both frames: three rows, in world axes [m].
    Point,
    /// The origins, and an axis given in both frames: five rows [m, rad]. The axes may also end opposite, where they begin nearer to that.
    Revolute {
        /// The axis [-].
        axis: Vec3,
    },
    /// Both frames entirely: six rows [m, rad].
    Fixed,
    /// The distance of the two origins, as by a massless rod [m]: one row.
    Distance(f64),
}

zerogap_core::store_enum!(LoopKind { 0 => Point, 1 => Revolute { axis }, 2 => Fixed, 3 => Distance(length) });

/// A loop closed between two frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loop {
    /// The first body; none: the world.
    pub a: Option<BodyId>,
    /// The frame on the first body.
    pub frame_a: Pose,
    /// The second body; none: the world.
    pub b: Option<BodyId>,
    /// The frame on the second body.
    pub frame_b: Pose,
    /// The constraint.
    pub kind: LoopKind,
}

zerogap_core::store_struct!(Loop { a, frame_a, b, frame_b, kind });

/// A checked loop and its first row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closure {
    a: Option<BodyId>,
    b: Option<BodyId>,
    frame_a: Pose,
    frame_b: Pose,
    kind: LoopKind,
    first: usize,
}

/// One condition: `rate = direction . (difference of velocities, b less a)`.
#[derive(Debug, Clone, Copy)]
struct Row {
    angular: bool,
    direction: Vec3,
    error: f64,
    rate: f64,
    bias: f64,
}

/// Both frames of a loop and how they move; differences are b less a.
struct Ends {
    a: Pose,
    b: Pose,
    spin_a: Vec3,
    spin_b: Vec3,
    apart: Vec3,
    velocity: Vec3,
    bias: Vec3,
    turning: Vec3,
    turning_bias: Vec3,
}

impl Closure {
    /// Whether it holds a body.
    pub(super) fn holds(&self, body: BodyId) -> bool {
        self.a == Some(body) || self.b == Some(body)
    }

    pub(super) fn new(
        index: u32,
        closure: Loop,
        a: Option<usize>,
        b: Option<usize>,
        first: usize,
    ) -> Result<Self, TreeError> {
        let Loop { frame_a, frame_b, .. } = closure;
        if a == b {
            let value = a.map_or(-1.0, |a| a as f64);
            return Err(TreeError::Loop { index, reason: "both ends are on the same body", value });
        }
        let kind = match closure.kind {
            LoopKind::Revolute { axis } => {
                let axis = check_direction("axis of the loop", axis).map_err(|source| TreeError::Input {
                    body: closure.b.or(closure.a).map_or(0, |x| x.0),
                    source,
                })?;
                LoopKind::Revolute { axis }
            }
            LoopKind::Distance(length) if !(length > 0.0 && length.is_finite()) => {
                let reason = "its length must be positive and finite; use a point for zero";
                return Err(TreeError::Loop { index, reason, value: length });
            }
            kind => kind,
        };
        Ok(Self { a: closure.a, b: closure.b, frame_a, frame_b, kind, first })
    }

    pub(super) fn rows(&self) -> usize {
        match self.kind {
            LoopKind::Point => 3,
            LoopKind::Revolute { .. } => 5,
            LoopKind::Fixed => 6,
            LoopKind::Distance(_) => 1,
        }
    }

    fn ends(&self, ws: &Workspace) -> Ends {
        let place = |body: Option<BodyId>, frame: &Pose| body.map_or(*frame, |b| *ws.pose(b) * *frame);
        let (a, b) = (place(self.a, &self.frame_a), place(self.b, &self.frame_b));
        let spin = |body: Option<BodyId>| body.map_or_else(Vec3::zeros, |b| ws.angular_velocity(b));
        let spin_bias = |body: Option<BodyId>| body.map_or_else(Vec3::zeros, |b| ws.bias_angular(b));
        let (pa, pb) = (a.translation(), b.translation());
        Ends {
            a,
            b,
            spin_a: spin(self.a),
            spin_b: spin(self.b),
            apart: pb - pa,
            velocity: ws.point_velocity(self.b, pb) - ws.point_velocity(self.a, pa),
            bias: ws.point_bias(self.b, pb) - ws.point_bias(self.a, pa),
            turning: spin(self.b) - spin(self.a),
            turning_bias: spin_bias(self.b) - spin_bias(self.a),
        }
    }

    /// Hands every row to `visit`, in order, together with the points where its linear part acts on a and b.
    fn visit(&self, ws: &Workspace, mut visit: impl FnMut(usize, &Row, &Vec3, &Vec3)) {
        let ends = self.ends(ws);
        let (pa, pb) = (ends.a.translation(), ends.b.translation());
        let mut next = self.first;
        let mut hand = |row: Row| {
            visit(next, &row, &pa, &pb);
            next += 1;
        };
        if let LoopKind::Distance(length) = self.kind {
            hand(distance_row(&ends, length));
            return;
        }
        for direction in [Vec3::x(), Vec3::y(), Vec3::z()] {
            hand(Row {
                angular: false,
                direction,
                error: direction.dot(&ends.apart),
                rate: direction.dot(&ends.velocity),
                bias: direction.dot(&ends.bias),
            });
        }
        match self.kind {
            LoopKind::Revolute { axis } => {
                let (t1, t2) = tangents(&axis);
                hand(axis_row(&ends, &t1, &axis));
                hand(axis_row(&ends, &t2, &axis));
            }
            LoopKind::Fixed => rotation_rows(&ends).into_iter().for_each(hand),
            LoopKind::Point | LoopKind::Distance(_) => {}
        }
    }
}

fn distance_row(ends: &Ends, length: f64) -> Row {
    let now = ends.apart.norm();
    // Coinciding points are pulled apart along an axis of the first frame.
    let apart = now > NO_DIRECTION * length;
    let direction = if apart { ends.apart / now } else { ends.a.transform_vector(&Vec3::z()) };
    let rate = direction.dot(&ends.velocity);
    let across = ends.velocity - direction * rate;
    let swing = if apart { across.norm_squared() / now } else { 0.0 };
    Row { angular: false, direction, error: now - length, rate, bias: direction.dot(&ends.bias) + swing }
}

/// `t . z = 0` for a direction `t` of frame a across the axis, and the axis `z` of frame b.
fn axis_row(ends: &Ends, t: &Vec3, z: &Vec3) -> Row {
    let (t, z) = (ends.a.transform_vector(t), ends.b.transform_vector(z));
    let direction = z.cross(&t);
    let swing = ends.spin_b.cross(&z).cross(&t) + z.cross(&ends.spin_a.cross(&t));
    Row {
        angular: true,
        direction,
        error: t.dot(&z),
        rate: direction.dot(&ends.turning),
        bias: direction.dot(&ends.turning_bias) + swing.dot(&ends.turning),
    }
}

/// Twice the vector part of the quaternion of b seen from a: zero only where both agree, and the rotation vector for small angles.
fn rotation_rows(ends: &Ends) -> [Row; 3] {
    let q = (ends.a.rotation().inverse() * ends.b.rotation()).into_inner();
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    let (w, v) = (q.w * sign, q.imag() * sign);
    // In axes of b: v' = (w ω + v × ω) / 2, w' = -v·ω / 2, and once more for the second derivative.
    let turning = ends.b.inverse_transform_vector(&ends.turning);
    let (dw, dv) = (-0.5 * v.dot(&turning), (turning * w + v.cross(&turning)) * 0.5);
    let change = ends.b.inverse_transform_vector(&(ends.turning_bias - ends.spin_b.cross(&ends.turning)));
    let second = turning * dw + change * w + dv.cross(&turning) + v.cross(&change);
    [Vec3::x(), Vec3::y(), Vec3::z()].map(|e| Row {
        angular: true,
        direction: ends.b.transform_vector(&(e * w + e.cross(&v))),
        error: 2.0 * e.dot(&v),
        rate: 2.0 * e.dot(&dv),
        bias: e.dot(&second),
    })
}

impl Tree {
    /// Returns the two bodies of each loop, and the bodies of each coupling two by two; none is the world.
    pub fn loop_ends(&self) -> impl Iterator<Item = [Option<BodyId>; 2]> {
        let loops = self.closures.iter().map(|closure| [closure.a, closure.b]);
        loops.chain(self.couplings.iter().flat_map(Coupling::ends))
    }

    /// Number of conditions that loops put on the velocities, redundant ones included [-].
    pub fn loop_rows(&self) -> usize {
        self.closure_rows + self.couplings.len()
    }

    /// Writes how far each condition is from zero [m or rad].
    ///
    /// # Panics
    /// Where `errors` does not have `loop_rows` entries.
    pub fn loop_errors(&self, ws: &Workspace, errors: &mut [f64]) {
        self.each_row(ws, errors, |row| row.error, |row| row.error);
    }

    /// Writes the rate of each condition, prescribed motions included [m/s or rad/s].
    ///
    /// # Panics
    /// Where `rates` does not have `loop_rows` entries.
    pub fn loop_rates(&self, ws: &Workspace, rates: &mut [f64]) {
        self.each_row(ws, rates, |row| row.rate, |row| row.rate);
    }

    /// Writes the second derivative of each condition for `vdot = 0` [m/s² or rad/s²]: `G vdot + bias = 0` holds the loops.
    ///
    /// # Panics
    /// Where `bias` does not have `loop_rows` entries.
    pub fn loop_bias(&self, ws: &Workspace, bias: &mut [f64]) {
        self.each_row(ws, bias, |row| row.bias, |row| row.bias);
    }

    /// The largest of given errors of all rows, positions against `size` [m] and rotations against 1 [-].
    pub(super) fn loop_violation(&self, ws: &Workspace, errors: &[f64], size: f64) -> f64 {
        let mut worst = 0.0_f64;
        self.each_loop_row(ws, |k, is_angular| {
            let unit = if is_angular || size == 0.0 { 1.0 } else { size };
            worst = worst.max(errors[k].abs() / unit);
        });
        worst
    }

    /// Hands every row to `visit`, with whether it is in radians.
    pub(super) fn each_loop_row(&self, ws: &Workspace, mut visit: impl FnMut(usize, bool)) {
        for closure in &self.closures {
            closure.visit(ws, |k, row, _, _| visit(k, row.angular));
        }
        for (k, coupling) in self.couplings.iter().enumerate() {
            visit(self.closure_rows + k, coupling.row(self, ws).is_angular);
        }
    }

    fn each_row(
        &self,
        ws: &Workspace,
        out: &mut [f64],
        pick: impl Fn(&Row) -> f64,
        pick_coupled: impl Fn(&CouplingRow) -> f64,
    ) {
        assert!(out.len() == self.loop_rows(), "{} loop rows, not {}", self.loop_rows(), out.len());
        for (out, coupling) in out[self.closure_rows..].iter_mut().zip(&self.couplings) {
            *out = pick_coupled(&coupling.row(self, ws));
        }
        for closure in &self.closures {
            closure.visit(ws, |k, row, _, _| out[k] = pick(row));
        }
    }

    /// Writes the matrix `G` of all conditions, `loop_rows` times `velocities`.
    ///
    /// # Panics
    /// Where the matrix does not have that shape.
    pub fn loop_matrix(&self, ws: &Workspace, matrix: &mut DMatrix<f64>) {
        let n = self.velocities();
        let count = self.loop_rows();
        assert!(matrix.shape() == (count, n), "the matrix must be {count} x {n}");
        let mut rows = vec![0.0; count * n];
        self.loop_matrix_rows(ws, &mut rows);
        for (i, row) in rows.chunks_exact(n.max(1)).enumerate() {
            for (j, x) in row.iter().enumerate() {
                matrix[(i, j)] = *x;
            }
        }
    }

    /// Writes the same matrix row by row.
    ///
    /// # Panics
    /// Where `rows` does not have `loop_rows * velocities` entries.
    pub fn loop_matrix_rows(&self, ws: &Workspace, rows: &mut [f64]) {
        let n = self.velocities();
        assert!(rows.len() == self.loop_rows() * n, "the matrix must be {} x {n}", self.loop_rows());
        rows.fill(0.0);
        for (k, coupling) in self.couplings.iter().enumerate() {
            let first = (self.closure_rows + k) * n;
            coupling.write(self, &coupling.row(self, ws), &mut rows[first..first + n]);
        }
        for closure in &self.closures {
            closure.visit(ws, |k, row, pa, pb| {
                let out = &mut rows[k * n..(k + 1) * n];
                for (body, point, factor) in [(closure.b, pb, 1.0), (closure.a, pa, -1.0)] {
                    if row.angular {
                        self.angular_row(ws, body, row.direction, factor, out);
                    } else {
                        self.point_row(ws, body, *point, row.direction, factor, out);
                    }
                }
            });
        }
    }
}
