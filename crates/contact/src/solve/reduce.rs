//! From a problem as given to the one the solvers see: rows of alike size, sliding friction put in, frictionless rows dropped.
//!
//! In: a [`Problem`]. Out: unknowns `z` with responses `a z + q`, in parts that are free, signed or on a disc of friction; and the way
//! back. Parts keep the order of the blocks. Sizes are powers of two, so that scaling rounds nothing and a problem in other units
//! gives the same digits.

use super::constrained::inverse_power_of_two;
use crate::problem::{Block, Problem};
use nalgebra::{DMatrix, DVector};

/// Diagonal entries below this are no inverse mass but the absence of one [1/kg and the like].
const NOTHING: f64 = 1e-100;
/// A sum of terms that cancels to less than this fraction of them is zero [-].
const CANCELLED: f64 = 1e-14;
/// Natural map at which a problem counts as solved, relative to the terms summed [-].
pub(crate) const SOLVED: f64 = 1e-12;
/// And relative to the right-hand side: forces so large that their rounding drowns it solve nothing [-].
const RESOLVED: f64 = 1e-6;

/// What a part of the unknowns obeys; `a` is its response.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Law {
    /// `a = 0`.
    Free,
    /// `0 <= z` complementary to `a >= 0`.
    Sign,
    /// Rows n, t1, t2: n as in `Sign`; `z_t` within `mu (z_n + offset)` and opposed to `a_t` where that is not zero.
    Disc { mu: f64, offset: f64 },
}

/// A few consecutive unknowns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemPart {
    pub law: Law,
    /// First unknown.
    pub at: usize,
    /// Block it came from.
    pub block: usize,
    /// First row of that block.
    row: usize,
    /// Tangential force per normal force that friction of sliding adds [-].
    drag: Option<[f64; 2]>,
    /// Power of two between the force as given and in `z`.
    scale: f64,
}

/// A contact problem as the solvers see it.
#[derive(Debug, Clone)]
pub(crate) struct Reduced {
    pub a: DMatrix<f64>,
    pub q: DVector<f64>,
    pub parts: Vec<ProblemPart>,
    /// Step sizes of the projections: about one over the diagonal [-].
    pub rho: DVector<f64>,
    rows: usize,
    /// What `q` was divided by.
    size: f64,
}

/// Largest natural map, relative, and where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Residual {
    /// Over the terms summed, or over the right-hand side where that is not resolved [-].
    pub relative: f64,
    /// Over the right-hand side [-].
    pub absolute: f64,
    /// The part with the largest.
    pub part: usize,
}

impl Residual {
    pub(crate) fn solved(&self) -> bool {
        self.relative <= SOLVED
    }
}

impl Reduced {
    /// Reduces a checked problem; `sliding` says whether directions of sliding count, `offset` holds normal forces per block that widen
    /// the friction discs.
    pub(crate) fn new(problem: &Problem, sliding: bool, offset: Option<&[f64]>) -> Self {
        let parts = parts_of(problem, sliding);
        let unknowns = parts.iter().map(ProblemPart::rows).sum();
        let rows = problem.rows();
        // The right-hand side to about one.
        let scale_of_row = scales(problem);
        let largest = (0..rows).fold(0.0_f64, |m, i| m.max((problem.b[i] * scale_of_row[i]).abs()));
        let size = if largest < NOTHING { 1.0 } else { 1.0 / inverse_power_of_two(largest) };
        let mut reduced = Self {
            a: DMatrix::zeros(unknowns, unknowns),
            q: DVector::zeros(unknowns),
            rho: DVector::from_element(unknowns, 1.0),
            parts,
            rows,
            size,
        };
        reduced.fill(problem);
        if let Some(offset) = offset {
            for part in &mut reduced.parts {
                if let Law::Disc { offset: o, .. } = &mut part.law {
                    *o = offset[part.block] / (part.scale * size);
                }
            }
        }
        reduced
    }

    fn fill(&mut self, problem: &Problem) {
        for row in &self.parts {
            for i in 0..row.rows() {
                self.q[row.at + i] = problem.b[row.row + i] * row.scale / self.size;
                for column in &self.parts {
                    for j in 0..column.rows() {
                        let (value, terms) = entry(problem, row, i, column, j);
                        let value = if value.abs() <= CANCELLED * terms { 0.0 } else { value };
                        self.a[(row.at + i, column.at + j)] = value * row.scale * column.scale;
                    }
                }
            }
        }
        for part in &self.parts {
            let n = part.at;
            self.rho[n] = one_over(self.a[(n, n)]);
            if part.rows() == 3 {
                let t = one_over(self.a[(n + 1, n + 1)].max(self.a[(n + 2, n + 2)]));
                self.rho[n + 1] = t;
                self.rho[n + 2] = t;
            }
        }
    }

    /// Forces as given, from unknowns.
    pub(crate) fn expand(&self, z: &DVector<f64>) -> DVector<f64> {
        let mut lambda = DVector::zeros(self.rows);
        for part in &self.parts {
            for i in 0..part.rows() {
                lambda[part.row + i] = z[part.at + i] * (part.scale * self.size);
            }
            if let Some(drag) = part.drag {
                lambda[part.row + 1] = lambda[part.row] * drag[0];
                lambda[part.row + 2] = lambda[part.row] * drag[1];
            }
        }
        lambda
    }

    /// Unknowns from forces as given; `None` where they are of another size or not finite.
    pub(crate) fn restrict(&self, lambda: &DVector<f64>) -> Option<DVector<f64>> {
        if lambda.len() != self.rows {
            return None;
        }
        let mut z = DVector::zeros(self.q.len());
        for part in &self.parts {
            for i in 0..part.rows() {
                z[part.at + i] = lambda[part.row + i] / (part.scale * self.size);
            }
        }
        z.iter().all(|v| v.is_finite()).then_some(z)
    }

    /// `a z + q`.
    pub(crate) fn respond(&self, z: &DVector<f64>) -> DVector<f64> {
        let mut response = self.q.clone();
        response.gemv(1.0, &self.a, z, 1.0);
        response
    }

    /// Natural map: `z` minus its projection after one step of size `rho` against the response; zero exactly at solutions.
    pub(crate) fn natural_map(
        &self,
        z: &DVector<f64>,
        response: &DVector<f64>,
        rho: impl Fn(usize) -> f64,
        out: &mut DVector<f64>,
    ) {
        for part in &self.parts {
            let n = part.at;
            match part.law {
                Law::Free => out[n] = rho(n) * response[n],
                Law::Sign => out[n] = z[n] - (z[n] - rho(n) * response[n]).max(0.0),
                Law::Disc { mu, offset } => {
                    let normal = (z[n] - rho(n) * response[n]).max(0.0);
                    out[n] = z[n] - normal;
                    let y =
                        [z[n + 1] - rho(n + 1) * response[n + 1], z[n + 2] - rho(n + 2) * response[n + 2]];
                    let p = onto_disc(y, mu * (normal + offset));
                    out[n + 1] = z[n + 1] - p[0];
                    out[n + 2] = z[n + 2] - p[1];
                }
            }
        }
    }

    /// The natural map with steps of one, relative to the terms of `a z + q`, and the worst part.
    pub(crate) fn residual(&self, z: &DVector<f64>) -> Residual {
        let mut map = DVector::zeros(z.len());
        let response = self.respond(z);
        self.natural_map(z, &response, |_| 1.0, &mut map);
        let mut worst = Residual { relative: 0.0, absolute: 0.0, part: 0 };
        for (k, part) in self.parts.iter().enumerate() {
            for i in part.at..part.at + part.rows() {
                let value = map[i].abs();
                if value.is_nan() || value > worst.absolute {
                    worst.absolute = if value.is_nan() { f64::INFINITY } else { value };
                    worst.part = k;
                }
            }
        }
        let largest = self.q.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let mut terms = largest;
        for i in 0..z.len() {
            let sum: f64 = (0..z.len()).map(|j| (self.a[(i, j)] * z[j]).abs()).sum();
            terms = terms.max(self.q[i].abs() + sum);
        }
        if worst.absolute == 0.0 {
            return worst;
        }
        let absolute = worst.absolute;
        worst.relative = if terms > 0.0 && terms.is_finite() { absolute / terms } else { f64::INFINITY };
        worst.absolute = if largest > 0.0 { absolute / largest } else { absolute };
        // Huge forces make any residual small beside them.
        if worst.absolute > RESOLVED {
            worst.relative = worst.absolute;
        }
        worst
    }

    /// Moves `z` into its cones: no pulling normal force, no friction beyond the disc.
    pub(crate) fn confine(&self, z: &mut DVector<f64>) {
        for part in &self.parts {
            let n = part.at;
            match part.law {
                Law::Free => {}
                Law::Sign => z[n] = z[n].max(0.0),
                Law::Disc { mu, offset } => {
                    z[n] = z[n].max(0.0);
                    let p = onto_disc([z[n + 1], z[n + 2]], mu * (z[n] + offset));
                    z[n + 1] = p[0];
                    z[n + 2] = p[1];
                }
            }
        }
    }

    /// Whether any contact slides, which makes `a` asymmetric.
    pub(crate) fn slides(&self) -> bool {
        self.parts.iter().any(|p| p.drag.is_some())
    }
}

impl ProblemPart {
    /// Number of unknowns.
    pub(crate) fn rows(&self) -> usize {
        if matches!(self.law, Law::Disc { .. }) { 3 } else { 1 }
    }

    /// Whether this is a contact with sliding friction put in.
    pub(crate) fn slides(&self) -> bool {
        self.drag.is_some()
    }
}

/// Parts in the order of the blocks, each with its law.
fn parts_of(problem: &Problem, sliding: bool) -> Vec<ProblemPart> {
    let scale_of_row = scales(problem);
    let mut parts = Vec::with_capacity(problem.blocks.len());
    let (mut at, mut row) = (0, 0);
    for (block, kind) in problem.blocks.iter().enumerate() {
        let (law, drag) = match *kind {
            // Bounded rows and moments are refused by the check of problems.
            Block::Bilateral | Block::Bounded { .. } | Block::Moment { .. } => (Law::Free, None),
            Block::Unilateral | Block::Contact { friction: 0.0, .. } => (Law::Sign, None),
            Block::Contact { friction, slip: Some([x, y]) } if sliding => {
                let length = (x * x + y * y).sqrt();
                (Law::Sign, Some([-friction * x / length, -friction * y / length]))
            }
            Block::Contact { friction, .. } => (Law::Disc { mu: friction, offset: 0.0 }, None),
        };
        let part = ProblemPart { law, at, block, row, drag, scale: scale_of_row[row] };
        at += part.rows();
        row += kind.rows();
        parts.push(part);
    }
    parts
}

/// One power of two per row, the same for the rows of a block: friction cones must stay round.
fn scales(problem: &Problem) -> Vec<f64> {
    let mut scales = Vec::with_capacity(problem.rows());
    for block in &problem.blocks {
        let row = scales.len();
        let largest = (row..row + block.rows()).fold(0.0_f64, |m, i| m.max(problem.w[(i, i)]));
        let scale = if largest < NOTHING { 1.0 } else { inverse_power_of_two(largest.sqrt()) };
        scales.extend(std::iter::repeat_n(scale, block.rows()));
    }
    scales
}

/// Response of row `i` of a part to unknown `j` of another, and the size of the terms in it.
fn entry(problem: &Problem, row: &ProblemPart, i: usize, column: &ProblemPart, j: usize) -> (f64, f64) {
    let r = row.row + i;
    let value = problem.w[(r, column.row + j)];
    let Some(drag) = column.drag else { return (value, 0.0) };
    let t1 = problem.w[(r, column.row + 1)] * drag[0];
    let t2 = problem.w[(r, column.row + 2)] * drag[1];
    (value + t1 + t2, value.abs() + t1.abs() + t2.abs())
}

/// One over a diagonal entry, or one where that says nothing.
fn one_over(value: f64) -> f64 {
    if value.abs() > 1e-9 { 1.0 / value.abs() } else { 1.0 }
}

/// Nearest point of the disc of this radius.
pub(crate) fn onto_disc(y: [f64; 2], radius: f64) -> [f64; 2] {
    let length = (y[0] * y[0] + y[1] * y[1]).sqrt();
    if length <= radius || length == 0.0 {
        return y;
    }
    let factor = radius / length;
    [y[0] * factor, y[1] * factor]
}
