//! A contact problem given by its matrix: `u = W r + q` for contacts with friction, `W` sparse in blocks of three by three.
//!
//! In: entries of `W` in any order, `q`, friction. Out: a [`Delassus`] whose state is the velocities `u` themselves, checked. `W` is kept as given: it may be a little
//! unsymmetric (measured, or printed with few digits) and is often singular.

use super::{Delassus, STICKS_ALWAYS};
use crate::problem::{Block, LARGEST};
use nalgebra::Matrix3;

/// Why a [`MatrixProblem`] was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MatrixProblemError {
    /// There must be three rows to a contact.
    #[error("{contacts} coefficients of friction need {} rows, and q has {q}", 3 * contacts)]
    Sizes {
        /// Coefficients of friction given.
        contacts: usize,
        /// Length of `q`.
        q: usize,
    },
    /// An entry lies outside the matrix.
    #[error("entry ({row}, {column}) lies outside a matrix of {size} by {size}")]
    Outside {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// Rows of the matrix.
        size: usize,
    },
    /// An entry is not a number, or beyond [`LARGEST`].
    #[error("entry ({row}, {column}) of W is {value}: not finite or beyond 1e100")]
    EntryOfW {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// The value.
        value: f64,
    },
    /// An entry is not a number, or beyond [`LARGEST`].
    #[error("entry {row} of q is {value}: not finite or beyond 1e100")]
    EntryOfQ {
        /// Row, from 0.
        row: usize,
        /// The value.
        value: f64,
    },
    /// Friction is negative or not a number.
    #[error("contact {contact} has friction {friction}: it must be zero or more")]
    Friction {
        /// Contact, from 0.
        contact: usize,
        /// The value.
        friction: f64,
    },
    /// No inverse mass has a negative entry on its diagonal.
    #[error("entry ({row}, {row}) of W is {value}: no inverse mass is negative")]
    Negative {
        /// Row, from 0.
        row: usize,
        /// The value.
        value: f64,
    },
}

/// A block of `W` other than its place: row-major.
pub(crate) type Entries = [f64; 9];

/// Contacts with friction: `u = W r + q`, rows n, t1, t2 for each of them.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixProblem {
    blocks: Vec<Block>,
    /// As given; beyond [`STICKS_ALWAYS`] it is infinite.
    friction: Vec<f64>,
    q: Vec<f64>,
    /// Where each column of blocks begins, and one past the last.
    starts: Vec<usize>,
    /// Row of each block, ascending within a column.
    rows: Vec<usize>,
    entries: Vec<Entries>,
    diagonals: Vec<Matrix3<f64>>,
}

impl MatrixProblem {
    /// A problem from the entries `(row, column, value)` of `W`, counted from 0, in any order; entries of one place are summed.
    pub fn new(
        entries: impl IntoIterator<Item = (usize, usize, f64)>,
        q: Vec<f64>,
        friction: &[f64],
    ) -> Result<Self, MatrixProblemError> {
        let contacts = friction.len();
        let size = q.len();
        if size != 3 * contacts {
            return Err(MatrixProblemError::Sizes { contacts, q: size });
        }
        if let Some((row, &value)) = q.iter().enumerate().find(|(_, v)| !usable(**v)) {
            return Err(MatrixProblemError::EntryOfQ { row, value });
        }
        if let Some((contact, &friction)) =
            friction.iter().enumerate().find(|(_, mu)| mu.is_nan() || **mu < 0.0)
        {
            return Err(MatrixProblemError::Friction { contact, friction });
        }
        // By column, then row, each in the order given, so that sums do not depend on anything else.
        let mut list = Vec::new();
        for (row, column, value) in entries {
            if row >= size || column >= size {
                return Err(MatrixProblemError::Outside { row, column, size });
            }
            if !usable(value) {
                return Err(MatrixProblemError::EntryOfW { row, column, value });
            }
            list.push((column / 3, row / 3, 3 * (row % 3) + column % 3, value));
        }
        list.sort_by_key(|(column, row, ..)| (*column, *row));
        let mut problem = Self {
            // Infinite friction is that of the largest coefficient that solvers can count with; what they find is held to the law itself.
            blocks: friction
                .iter()
                .map(|mu| Block::Contact { friction: mu.min(STICKS_ALWAYS), slip: None })
                .collect(),
            friction: friction.to_vec(),
            q,
            starts: vec![0; contacts + 1],
            rows: Vec::new(),
            entries: Vec::new(),
            diagonals: vec![Matrix3::zeros(); contacts],
        };
        let mut last = None;
        for (column, row, place, value) in list {
            if last != Some((column, row)) {
                last = Some((column, row));
                problem.rows.push(row);
                problem.entries.push([0.0; 9]);
                problem.starts[column + 1] = problem.rows.len();
            }
            if let Some(block) = problem.entries.last_mut() {
                block[place] += value;
            }
        }
        // Columns without blocks begin where the one before ends.
        for k in 1..=contacts {
            problem.starts[k] = problem.starts[k].max(problem.starts[k - 1]);
        }
        problem.finish()
    }

    /// Checks the sums and takes the diagonal out of them.
    fn finish(mut self) -> Result<Self, MatrixProblemError> {
        for column in 0..self.blocks.len() {
            for at in self.starts[column]..self.starts[column + 1] {
                let (row, block) = (self.rows[at], self.entries[at]);
                if let Some(k) = block.iter().position(|v| !usable(*v)) {
                    let (row, column) = (3 * row + k / 3, 3 * column + k % 3);
                    return Err(MatrixProblemError::EntryOfW { row, column, value: block[k] });
                }
                if row == column {
                    self.diagonals[column] = Matrix3::from_row_slice(&block);
                }
            }
        }
        let largest = self.diagonals.iter().fold(0.0_f64, |m, d| m.max(d.diagonal().amax()));
        for (contact, own) in self.diagonals.iter().enumerate() {
            if let Some(k) = (0..3).find(|k| own[(*k, *k)] < -NOISE * largest) {
                return Err(MatrixProblemError::Negative { row: 3 * contact + k, value: own[(k, k)] });
            }
        }
        Ok(self)
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.blocks.len()
    }

    /// Velocities without impulses, rows n, t1, t2 for each contact [m/s].
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// Coefficients of friction, one for each contact [-].
    pub fn friction(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.friction.iter().copied()
    }

    /// The entries `(row, column, value)` of `W` other than zero, column by column of blocks [1/kg].
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.contacts()).flat_map(move |column| {
            self.column(column).flat_map(move |(row, block)| {
                let places = block.iter().enumerate().filter(|(_, v)| **v != 0.0);
                places.map(move |(k, v)| (3 * row + k / 3, 3 * column + k % 3, *v))
            })
        })
    }

    /// The blocks of a column, by ascending row.
    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = (usize, &Entries)> + '_ {
        let range = self.starts[column]..self.starts[column + 1];
        self.rows[range.clone()].iter().copied().zip(&self.entries[range])
    }

    /// Friction of a contact as it was given [-].
    pub(crate) fn friction_of(&self, contact: usize) -> f64 {
        self.friction[contact]
    }

    /// Friction of a contact that solvers count with [-].
    pub(crate) fn mu(&self, contact: usize) -> f64 {
        friction_of(&self.blocks[contact])
    }

    /// `u = W r + q`; both have three entries for each contact.
    pub(crate) fn respond(&self, impulses: &[f64], velocities: &mut [f64]) {
        velocities.copy_from_slice(&self.q);
        for (contact, r) in impulses.chunks_exact(3).enumerate() {
            if r.iter().any(|v| *v != 0.0) {
                self.push(contact, [r[0], r[1], r[2]], velocities);
            }
        }
    }
}

/// Negative entries of the diagonal down to this fraction of the largest one are rounding [-].
const NOISE: f64 = 1e-9;

fn friction_of(block: &Block) -> f64 {
    match block {
        Block::Contact { friction, .. } => *friction,
        Block::Bilateral | Block::Unilateral | Block::Bounded { .. } | Block::Moment { .. } => 0.0,
    }
}

/// Finite and small enough to be squared.
fn usable(value: f64) -> bool {
    value.abs() <= LARGEST
}

impl Delassus for MatrixProblem {
    fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    fn first(&self, block: usize) -> usize {
        3 * block
    }

    fn rows(&self) -> usize {
        self.q.len()
    }

    fn state_len(&self) -> usize {
        self.q.len()
    }

    fn begin(&self, impulses: &[f64], state: &mut [f64]) {
        self.respond(impulses, state);
    }

    fn response(&self, block: usize, state: &[f64]) -> [f64; 3] {
        [state[3 * block], state[3 * block + 1], state[3 * block + 2]]
    }

    fn push(&self, block: usize, change: [f64; 3], state: &mut [f64]) {
        for (row, w) in self.column(block) {
            let u = &mut state[3 * row..3 * row + 3];
            u[0] += w[0] * change[0] + w[1] * change[1] + w[2] * change[2];
            u[1] += w[3] * change[0] + w[4] * change[1] + w[5] * change[2];
            u[2] += w[6] * change[0] + w[7] * change[1] + w[8] * change[2];
        }
    }

    fn diagonal(&self, block: usize) -> Matrix3<f64> {
        self.diagonals[block]
    }
}
