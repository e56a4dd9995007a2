//! Rigid contacts as one problem: the inverse mass felt at the contacts, and what is asked of each of them.
//!
//! In: `a = w lambda + b`, where the rows of `a` are accelerations (or velocities, in an impact) at the contacts, `lambda` the
//! forces (or impulses) there and `w = J M^-1 J^T`; and for every few consecutive rows the law they obey. Out: the same, checked.
//! Solvers in [`crate::solve`] take this one type; [`crate::cone`] has sparse problems of its own, with the same laws ([`Block`]). Rows keep the order they were given in.

use nalgebra::{DMatrix, DVector};

/// Largest magnitude an entry may have [-]: squares and products of two entries stay finite.
pub const LARGEST: f64 = 1e100;
/// Difference of mirrored entries that is still rounding, relative to the geometric mean of their diagonal entries [-].
const SYMMETRY: f64 = 1e-8;
/// The same for entries between rows that carry nothing but rounding, relative to the largest diagonal entry [-].
const NOISE: f64 = 1e-12;
/// How far the length of a sliding direction may be from one [-].
const UNIT: f64 = 1e-6;

/// What a few consecutive rows of a [`Problem`] obey.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Block {
    /// One row: `a = 0` with a force of any sign (loop closures, stuck joints).
    Bilateral,
    /// One row: `0 <= lambda` complementary to `a >= 0` (joint limits).
    Unilateral,
    /// One row: `lambda` within bounds, with `a = 0` strictly between them, `a >= 0` at the lower and `a <= 0` at the upper one (dry friction of joints, motors of limited effort).
    ///
    /// Bounds may be infinite: both are [`Block::Bilateral`], zero and infinity [`Block::Unilateral`]. Where both are the same, `lambda` is that whatever `a` is. Known to [`crate::cone::StepSolver`] alone.
    Bounded {
        /// Least force, or minus infinity [N and the like].
        lower: f64,
        /// Largest force, not below `lower`, or infinity [N and the like].
        upper: f64,
    },
    /// One or two rows that belong to a contact: `|lambda| <= ratio lambda_n` with the normal force of that contact, `a = 0` strictly within and else `lambda` against `a` (resistance to spinning about the normal, to rolling along the tangents).
    ///
    /// With it a contact has 4, 5 or 6 rows, and its force lies in the product of two or three discs that widen with the normal force, each by itself: one elliptic cone for all of them would let a ball under rolling resistance creep, for what
    /// slides would leave nothing for what rolls. Known to [`crate::cone::StepSolver`] alone.
    Moment {
        /// Rows: one or two.
        axes: usize,
        /// Largest force over the normal force of the contact, zero or more [-]; in the unit of the rows.
        ratio: f64,
        /// The block of the contact, which comes before.
        contact: usize,
    },
    /// Three rows n, t1, t2: `0 <= lambda_n` complementary to `a_n >= 0`, and `|lambda_t| <= friction lambda_n`.
    Contact {
        /// Coefficient of friction, zero or more [-].
        friction: f64,
        /// Unit direction of sliding in (t1, t2), if the contact slides [-]. Then `lambda_t = -friction lambda_n slip`, whatever
        /// `a_t` is; used at acceleration level only. `None`: the contact does not slide (yet), and either `a_t = 0` or
        /// `lambda_t = -friction lambda_n a_t / |a_t|`.
        slip: Option<[f64; 2]>,
    },
}

impl Block {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Bilateral | Self::Unilateral | Self::Bounded { .. } => 1,
            Self::Moment { axes, .. } => *axes,
            Self::Contact { .. } => 3,
        }
    }

    /// The law while the contact that it belongs to pushes with `normal`: one whose ratio is the bound itself. Other laws are what they are.
    #[inline]
    #[must_use]
    pub fn under(self, normal: impl FnOnce(usize) -> f64) -> Self {
        let Self::Moment { axes, ratio, contact } = self else { return self };
        let normal = normal(contact);
        Self::Moment { axes, ratio: if normal > 0.0 { ratio * normal } else { 0.0 }, contact }
    }
}

/// Why a [`Problem`] was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// The sizes do not fit together.
    #[error("the blocks have {rows} rows, w is {w_rows} by {w_columns}, b has {b}")]
    Sizes {
        /// Rows of all blocks together.
        rows: usize,
        /// Rows of `w`.
        w_rows: usize,
        /// Columns of `w`.
        w_columns: usize,
        /// Length of `b`.
        b: usize,
    },
    /// An entry is not a number, or beyond [`LARGEST`].
    #[error("entry ({row}, {column}) of w is {value}: not finite or beyond 1e100")]
    EntryOfW {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
        /// The value.
        value: f64,
    },
    /// An entry is not a number, or beyond [`LARGEST`].
    #[error("entry {row} of b is {value}: not finite or beyond 1e100")]
    EntryOfB {
        /// Row.
        row: usize,
        /// The value.
        value: f64,
    },
    /// Mirrored entries differ by more than rounding.
    #[error("w is not symmetric: entries ({row}, {column}) are {value} and {mirrored}")]
    NotSymmetric {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
        /// Entry (row, column).
        value: f64,
        /// Entry (column, row).
        mirrored: f64,
    },
    /// No inverse mass has such an entry: the diagonal is negative, or smaller than the entry beside it allows.
    #[error(
        "w is not positive semidefinite: entry ({row}, {column}) is {value}, the diagonal there {first} and {second}"
    )]
    NotSemidefinite {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
        /// Entry (row, column).
        value: f64,
        /// Diagonal entry of the row.
        first: f64,
        /// Diagonal entry of the column.
        second: f64,
    },
    /// Friction is negative, not finite or beyond [`LARGEST`].
    #[error("block {block} has friction {friction}")]
    Friction {
        /// Block.
        block: usize,
        /// The value.
        friction: f64,
    },
    /// The direction of sliding is not a unit vector.
    #[error("block {block} slides along ({x}, {y}), which is not a unit vector")]
    Slip {
        /// Block.
        block: usize,
        /// Along t1.
        x: f64,
        /// Along t2.
        y: f64,
    },
    /// The dense solvers have no such law.
    #[error("block {block} is {kind}, which dense problems cannot have; a `BodyProblem` can")]
    Unsupported {
        /// Block.
        block: usize,
        /// Its law in a word.
        kind: &'static str,
    },
    /// There must be one coefficient per block.
    #[error("{given} coefficients of restitution for {blocks} blocks")]
    RestitutionCount {
        /// Coefficients given.
        given: usize,
        /// Blocks.
        blocks: usize,
    },
    /// A coefficient of restitution lies outside 0 to 1.
    #[error("block {block} has restitution {value}, which is outside 0 to 1")]
    Restitution {
        /// Block.
        block: usize,
        /// The value.
        value: f64,
    },
}

/// Rigid contacts: `a = w lambda + b`, and the law of every block of rows.
///
/// Rows may mix units (metres and radians): solvers scale each block by its own diagonal of `w`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Problem {
    /// Inverse mass felt at the contacts, symmetric positive semidefinite, often rank deficient [1/kg and the like].
    pub w: DMatrix<f64>,
    /// Accelerations without contact forces [m/s^2], or velocities before an impact [m/s].
    pub b: DVector<f64>,
    /// Laws of the rows, in order.
    pub blocks: Vec<Block>,
}

impl Problem {
    /// A problem with its sizes, numbers, symmetry and (by 2 by 2 minors only) definiteness checked.
    ///
    /// `w` may be asymmetric by rounding (1e-8 of the diagonal) and is then replaced by the mean of itself and its transpose.
    pub fn new(w: DMatrix<f64>, b: DVector<f64>, blocks: Vec<Block>) -> Result<Self, ProblemError> {
        let mut problem = Self { w, b, blocks };
        problem.check()?;
        // One value for both mirrored entries, so that no solver depends on which triangle it reads.
        for i in 0..problem.b.len() {
            for j in 0..i {
                let mean = 0.5 * (problem.w[(i, j)] + problem.w[(j, i)]);
                problem.w[(i, j)] = mean;
                problem.w[(j, i)] = mean;
            }
        }
        Ok(problem)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.b.len()
    }

    /// `w lambda + b` in the units of `b`; `lambda` must have as many rows.
    pub fn respond(&self, lambda: &DVector<f64>) -> DVector<f64> {
        let mut a = self.b.clone();
        a.gemv(1.0, &self.w, lambda, 1.0);
        a
    }

    /// Whether the fields, which are public, still make a problem; solvers ask this first.
    pub fn check(&self) -> Result<(), ProblemError> {
        let rows: usize = self.blocks.iter().map(Block::rows).sum();
        if self.w.nrows() != rows || self.w.ncols() != rows || self.b.len() != rows {
            let (w_rows, w_columns, b) = (self.w.nrows(), self.w.ncols(), self.b.len());
            return Err(ProblemError::Sizes { rows, w_rows, w_columns, b });
        }
        if let Some((row, &value)) = self.b.iter().enumerate().find(|(_, v)| !usable(**v)) {
            return Err(ProblemError::EntryOfB { row, value });
        }
        for row in 0..rows {
            for column in 0..rows {
                let value = self.w[(row, column)];
                if !usable(value) {
                    return Err(ProblemError::EntryOfW { row, column, value });
                }
            }
        }
        self.check_inverse_mass()?;
        self.check_blocks()
    }

    /// Symmetry, and a diagonal that carries what stands beside it.
    fn check_inverse_mass(&self) -> Result<(), ProblemError> {
        let largest = self.w.diagonal().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for row in 0..self.w.nrows() {
            for column in 0..=row {
                let (value, mirrored) = (self.w[(row, column)], self.w[(column, row)]);
                let (first, second) = (self.w[(row, row)], self.w[(column, column)]);
                let bound = first.max(0.0).sqrt() * second.max(0.0).sqrt();
                if (value - mirrored).abs() > SYMMETRY * bound + NOISE * largest {
                    return Err(ProblemError::NotSymmetric { row, column, value, mirrored });
                }
                let negative = row == column && value < -NOISE * largest;
                if negative || value.abs() > (1.0 + SYMMETRY) * bound + NOISE * largest {
                    return Err(ProblemError::NotSemidefinite { row, column, value, first, second });
                }
            }
        }
        Ok(())
    }

    /// Laws that dense solvers have, friction and directions of sliding.
    fn check_blocks(&self) -> Result<(), ProblemError> {
        for (block, kind) in self.blocks.iter().enumerate() {
            let unsupported = match kind {
                Block::Bounded { .. } => Some("bounded"),
                Block::Moment { .. } => Some("a moment"),
                _ => None,
            };
            if let Some(kind) = unsupported {
                return Err(ProblemError::Unsupported { block, kind });
            }
            if let Block::Contact { friction, slip } = *kind {
                if !(usable(friction) && friction >= 0.0) {
                    return Err(ProblemError::Friction { block, friction });
                }
                if let Some([x, y]) = slip {
                    let length = (x * x + y * y).sqrt();
                    if !length.is_finite() || (length - 1.0).abs() > UNIT {
                        return Err(ProblemError::Slip { block, x, y });
                    }
                }
            }
        }
        Ok(())
    }
}

/// Finite and small enough to be squared.
fn usable(value: f64) -> bool {
    value.abs() <= LARGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_input_is_refused_with_its_values() {
        let w = DMatrix::from_element(1, 1, 1.0);
        let b = DVector::from_element(1, -1.0);
        let new = |w: &DMatrix<f64>, b: &DVector<f64>, blocks| Problem::new(w.clone(), b.clone(), blocks);
        assert!(new(&w, &b, vec![Block::Unilateral]).is_ok());
        assert!(matches!(
            new(&w, &b, vec![Block::Unilateral; 2]),
            Err(ProblemError::Sizes { rows: 2, w_rows: 1, w_columns: 1, b: 1 })
        ));
        let nan = DVector::from_element(1, f64::NAN);
        assert!(matches!(new(&w, &nan, vec![Block::Bilateral]), Err(ProblemError::EntryOfB { row: 0, .. })));
        let huge = DMatrix::from_element(1, 1, 1e101);
        assert!(matches!(new(&huge, &b, vec![Block::Bilateral]), Err(ProblemError::EntryOfW { .. })));
        let negative = DMatrix::from_element(1, 1, -1.0);
        assert!(matches!(
            new(&negative, &b, vec![Block::Bilateral]),
            Err(ProblemError::NotSemidefinite { .. })
        ));
        let w3 = DMatrix::identity(3, 3);
        let b3 = DVector::zeros(3);
        let contact = |friction, slip| vec![Block::Contact { friction, slip }];
        assert!(matches!(new(&w3, &b3, contact(-0.1, None)), Err(ProblemError::Friction { block: 0, .. })));
        assert!(matches!(
            new(&w3, &b3, contact(0.1, Some([1.0, 1.0]))),
            Err(ProblemError::Slip { block: 0, .. })
        ));
        let bounded = Block::Bounded { lower: -1.0, upper: 1.0 };
        assert!(matches!(
            new(&w, &b, vec![bounded]),
            Err(ProblemError::Unsupported { block: 0, kind: "bounded" })
        ));
        let moment = Block::Moment { axes: 1, ratio: 0.1, contact: 0 };
        let w4 = DMatrix::identity(4, 4);
        assert!(matches!(
            new(&w4, &DVector::zeros(4), vec![Block::Contact { friction: 0.1, slip: None }, moment]),
            Err(ProblemError::Unsupported { block: 1, kind: "a moment" })
        ));
        let mut skew = w3.clone();
        skew[(0, 1)] = 0.5;
        assert!(matches!(new(&skew, &b3, contact(0.1, None)), Err(ProblemError::NotSymmetric { .. })));
    }

    #[test]
    fn rounding_in_the_symmetry_is_averaged_away() {
        let w = DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5 + 1e-12, 1.0]);
        let problem = Problem::new(w, DVector::zeros(2), vec![Block::Unilateral; 2]).unwrap();
        assert_eq!(problem.w, problem.w.transpose());
    }
}
