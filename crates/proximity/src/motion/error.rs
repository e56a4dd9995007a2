//! What cannot be asked of a motion.

use crate::ProximityError;

/// Errors of queries on motions.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// A coordinate or speed is NaN or infinite.
    #[error("{what} is ({x}, {y}, {z}): every component must be a finite number")]
    NotFinite {
        /// Name of the quantity.
        what: &'static str,
        /// First component.
        x: f64,
        /// Second component.
        y: f64,
        /// Third component.
        z: f64,
    },
    /// An invalid duration.
    #[error("{what} is {value}: it must be a finite time of 0 s or more")]
    Time {
        /// Name of the quantity.
        what: &'static str,
        /// The value given [s].
        value: f64,
    },
    /// A path whose times do not grow.
    #[error("piece {piece} of the path ends at {end} s, which is not after its start at {start} s")]
    Order {
        /// Index of the piece, from 0.
        piece: usize,
        /// Its start [s].
        start: f64,
        /// The given end [s].
        end: f64,
    },
    /// A pair of shapes without a gap.
    #[error(transparent)]
    Shapes(#[from] ProximityError),
}
