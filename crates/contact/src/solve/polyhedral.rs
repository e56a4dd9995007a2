//! Friction cones as pyramids: the linear complementarity problem beside a reduced problem.
//!
//! In: a reduced problem and one direction per friction disc. Out: the answer with eight-sided pyramids, which Newton takes on to the
//! round cone; and whether Lemke's method ended on a ray. Sides are rotated so that one of them is the given direction, and drawn
//! together about it from round to round: a contact that slips near it is answered ever more exactly.

use super::constrained::ConstraintWork;
use super::lemke::{LcpStatus, lemke_covered};
use super::reduce::{Law, Reduced};
use crate::problem::Problem;
use nalgebra::{DMatrix, DVector};
use zerogap_core::math;

/// Maximum number of directions of friction in [`solve_polyhedral`]: beyond them pyramids are round to rounding of the method.
pub const MAX_DIRECTIONS: usize = 1000;
/// Sides of a pyramid.
const SIDES: usize = 8;
/// Angle between sides in the first round [rad].
const WIDE: f64 = std::f64::consts::FRAC_PI_4;
/// Fraction of the angle that is left from one round to the next [-].
const NARROWER: f64 = 1.0 / 3.0;
/// Where the outer sides of later rounds stand: beyond a right angle, so that all sides together still span the plane [rad].
const OUTER: f64 = 1.75;

/// The answer of [`solve_pyramids`].
pub(crate) struct Pyramids {
    pub z: DVector<f64>,
    pub status: LcpStatus,
    pub pivots: usize,
}

/// Forces with friction in pyramids, and what they do.
#[derive(Debug, Clone, PartialEq)]
pub struct PolyhedralSolution {
    /// Forces [N and the like]; zeros where there is no solution.
    pub lambda: DVector<f64>,
    /// `w lambda + b` [m/s^2 and the like].
    pub a: DVector<f64>,
    /// How Lemke's method ended; `Limit` also where the problem was changed into one that [`Problem::check`] refuses.
    pub status: LcpStatus,
    /// Pivots taken.
    pub pivots: usize,
}

/// Solves a problem with friction pyramids in place of round cones: the mixed linear complementarity problem.
///
/// Computes: `lambda` and `a = w lambda + b`, where friction is a sum of forces along `directions` equal turns from t1 (at least three, at most [`MAX_DIRECTIONS`]), with lengths of `friction lambda_n` together, and
///   opposes sliding as best it can: the pyramid lies inside the cone, and differs from it by 1 - cos(pi / directions) of its width. Bilateral rows are eliminated first; a direction of sliding counts as in [`super::solve`].
/// Method: rows of a contact as Stewart and Trinkle (1996); [`super::lemke`] for the whole.
/// Tolerance: as [`super::lemke`].
/// Cost: O(n^2) per pivot, with `directions + 2` rows to a frictional contact.
/// Fails: `Ray` is a proof that there is no solution where nothing slides.
pub fn solve_polyhedral(problem: &Problem, directions: usize) -> PolyhedralSolution {
    let nothing = |status| PolyhedralSolution {
        lambda: DVector::zeros(problem.b.len()),
        a: problem.b.clone(),
        status,
        pivots: 0,
    };
    if problem.check().is_err() {
        return nothing(LcpStatus::Limit);
    }
    let directions = directions.clamp(3, MAX_DIRECTIONS);
    let reduced = Reduced::new(problem, true, None);
    // Equal turns, the first along t1.
    let sides: Vec<f64> =
        (0..directions).map(|k| std::f64::consts::TAU * k as f64 / directions as f64).collect();
    let answer = solve_with_sides(&reduced, &vec![[1.0, 0.0]; reduced.parts.len()], &sides, 0);
    if answer.status != LcpStatus::Solved || Eliminated::new(&reduced).unmet.is_some() {
        let status = if answer.status == LcpStatus::Solved { LcpStatus::Ray } else { answer.status };
        return PolyhedralSolution { pivots: answer.pivots, ..nothing(status) };
    }
    let lambda = reduced.expand(&answer.z);
    let a = problem.respond(&lambda);
    PolyhedralSolution { lambda, a, status: LcpStatus::Solved, pivots: answer.pivots }
}

/// Solves with pyramids; `toward` gives for each part the direction in which friction is expected to push, `level` how closely the
/// sides stand about it; `cover` chooses the covering vector.
pub(crate) fn solve_pyramids(problem: &Reduced, toward: &[[f64; 2]], level: usize, cover: usize) -> Pyramids {
    solve_with_sides(problem, toward, &sides(level), cover)
}

/// The same with sides at these angles from the directions [rad].
fn solve_with_sides(problem: &Reduced, toward: &[[f64; 2]], sides: &[f64], cover: usize) -> Pyramids {
    let eliminated = Eliminated::new(problem);
    let columns = columns_of(problem, toward, sides);
    // Response of every unknown of the pyramid problem, as a combination of unknowns of the reduced one.
    let n = columns.len();
    let mut m = DMatrix::zeros(n, n);
    let mut q = DVector::zeros(n);
    for (i, row) in columns.iter().enumerate() {
        match *row {
            Column::Force { part, weights } => {
                let at = problem.parts[part].at;
                for (t, weight) in weights.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                    q[i] += weight * eliminated.q[at + t];
                    for (j, column) in columns.iter().enumerate() {
                        if let Column::Force { part: other, weights: others } = *column {
                            let from = problem.parts[other].at;
                            for (s, v) in others.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                                m[(i, j)] += weight * v * eliminated.a[(at + t, from + s)];
                            }
                        }
                    }
                }
            }
            Column::Bound { part } => {
                // The rows of a disc follow one another: n, the sides, the bound.
                let Law::Disc { mu, offset } = problem.parts[part].law else { continue };
                let size = mu.max(1.0);
                m[(i, i - sides.len() - 1)] = mu / size;
                q[i] = mu / size * offset;
                for side in i - sides.len()..i {
                    m[(i, side)] = -1.0 / size;
                    m[(side, i)] = 1.0;
                }
            }
        }
    }
    let cover = |i: usize| 1.0 + (cover * (i + 1)) as f64 / n.max(1) as f64;
    let lcp = lemke_covered(&m, &q, cover);
    let mut z = DVector::zeros(problem.q.len());
    for (j, column) in columns.iter().enumerate() {
        if let Column::Force { part, weights } = *column {
            let at = problem.parts[part].at;
            for (t, v) in weights.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                z[at + t] += v * lcp.z[j];
            }
        }
    }
    eliminated.restore(&mut z);
    Pyramids { z, status: lcp.status, pivots: lcp.pivots }
}

/// An unknown of the pyramid problem.
enum Column {
    /// A force: so much of each row of a part.
    Force { part: usize, weights: [f64; 3] },
    /// The speed of slip that belongs to the edge of the cone.
    Bound { part: usize },
}

fn columns_of(problem: &Reduced, toward: &[[f64; 2]], sides: &[f64]) -> Vec<Column> {
    let turns: Vec<(f64, f64)> = sides.iter().map(|angle| math::sin_cos(*angle)).collect();
    let mut columns = Vec::new();
    for (part, p) in problem.parts.iter().enumerate() {
        match p.law {
            Law::Free => {}
            Law::Sign => columns.push(Column::Force { part, weights: [1.0, 0.0, 0.0] }),
            Law::Disc { .. } => {
                columns.push(Column::Force { part, weights: [1.0, 0.0, 0.0] });
                let [x, y] = toward[part];
                for (sin, cos) in &turns {
                    columns
                        .push(Column::Force { part, weights: [0.0, cos * x - sin * y, sin * x + cos * y] });
                }
                columns.push(Column::Bound { part });
            }
        }
    }
    columns
}

/// Angle between the expected direction and the sides beside it [rad].
fn near(level: usize) -> f64 {
    (0..level).fold(WIDE, |angle, _| angle * NARROWER)
}

/// Cosine of the turn below which a direction has stayed within the sides beside it [-].
pub(crate) fn settled(level: usize) -> f64 {
    math::cos(1.01 * near(level))
}

/// Angles of the sides from the direction expected [rad].
fn sides(level: usize) -> [f64; SIDES] {
    let near = near(level);
    let (next, outer) = if level == 0 { (2.0 * WIDE, 3.0 * WIDE) } else { (near / NARROWER, OUTER) };
    [0.0, near, -near, next, -next, outer, -outer, std::f64::consts::PI]
}

/// Responses once the free unknowns have answered.
pub(crate) struct Eliminated {
    /// Matrix of the rest; rows and columns of free unknowns are meaningless.
    pub a: DMatrix<f64>,
    /// Right-hand side of the rest.
    pub q: DVector<f64>,
    /// Indices of the free unknowns.
    free: Vec<usize>,
    /// Answer of the free unknowns to each unknown, by columns.
    answer: DMatrix<f64>,
    /// Their answer to the right-hand side.
    constant: DVector<f64>,
    /// The part whose free row cannot be met, if any.
    pub unmet: Option<usize>,
}

impl Eliminated {
    pub(crate) fn new(problem: &Reduced) -> Self {
        let free: Vec<usize> = problem.parts.iter().filter(|p| p.law == Law::Free).map(|p| p.at).collect();
        let n = problem.q.len();
        let k = free.len();
        let mut this = Self {
            a: problem.a.clone(),
            q: problem.q.clone(),
            answer: DMatrix::zeros(k, n),
            constant: DVector::zeros(k),
            free,
            unmet: None,
        };
        if k == 0 {
            return this;
        }
        // Each column, then the right-hand side, through the same factors.
        let inner = DMatrix::from_fn(k, k, |i, j| problem.a[(this.free[i], this.free[j])]);
        let mut work = ConstraintWork::new(k);
        work.factor(&inner);
        let mut rhs = vec![0.0; k];
        let mut x = vec![0.0; k];
        for j in 0..n {
            for (r, &i) in rhs.iter_mut().zip(&this.free) {
                *r = -problem.a[(i, j)];
            }
            work.solve(&rhs, &mut x);
            this.answer.column_mut(j).copy_from_slice(&x);
        }
        for (r, &i) in rhs.iter_mut().zip(&this.free) {
            *r = -problem.q[i];
        }
        let info = work.solve(&rhs, &mut x);
        this.constant.copy_from_slice(&x);
        if !info.consistent {
            this.unmet = this.worst_free(problem);
        }
        for i in 0..n {
            for (f, &at) in this.free.iter().enumerate() {
                this.q[i] += problem.a[(i, at)] * this.constant[f];
                for j in 0..n {
                    this.a[(i, j)] += problem.a[(i, at)] * this.answer[(f, j)];
                }
            }
        }
        this
    }

    /// The part whose free row is left the most.
    fn worst_free(&self, problem: &Reduced) -> Option<usize> {
        let mut worst = (0.0, None);
        for (k, part) in problem.parts.iter().enumerate().filter(|(_, p)| p.law == Law::Free) {
            let mut left = problem.q[part.at];
            for (f, &at) in self.free.iter().enumerate() {
                left += problem.a[(part.at, at)] * self.constant[f];
            }
            if left.abs() > worst.0 {
                worst = (left.abs(), Some(k));
            }
        }
        worst.1
    }

    /// Fills in the free unknowns.
    pub(crate) fn restore(&self, z: &mut DVector<f64>) {
        for &at in &self.free {
            z[at] = 0.0;
        }
        let values = &self.answer * &*z + &self.constant;
        for (f, &at) in self.free.iter().enumerate() {
            z[at] = values[f];
        }
    }
}
