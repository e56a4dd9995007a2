//! What cannot be a target, and what cannot be asked of one.

use zerogap_core::InputError;

/// Why there is no target, or no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OrientedError {
    /// A polygon without an inside.
    #[error("a target polygon needs three corners or more, and this one has {count}")]
    TooFewCorners {
        /// How many it has [-].
        count: usize,
    },
    /// A polygon that runs the other way round.
    #[error(
        "the corners of a target polygon must run clockwise, and these run counter-clockwise: reverse them"
    )]
    CounterClockwise,
    /// A corner that is no corner.
    #[error(
        "the polygon is not strictly convex at corner {corner}, ({x}, {y}): give the corners of its hull, each once and none within a side"
    )]
    NotConvex {
        /// Which corner, from 0.
        corner: usize,
        /// Where it is [m].
        x: f64,
        /// Where it is [m].
        y: f64,
    },
    /// A shape whose surface is not made of flat faces.
    #[error(
        "a {shape} has no flat surfaces to be hit: targets are boxes, convex polyhedra and half-spaces, and polygons in the plane"
    )]
    NoSurfaces {
        /// What kind of shape it is.
        shape: &'static str,
    },
    /// A number that cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// As many poses as targets, as many points as initiators.
    #[error("there are {expected} {what}, but {given} were given")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there are [-].
        expected: usize,
        /// How many were given [-].
        given: usize,
    },
    /// A point that is nowhere.
    #[error("initiator {initiator} is at ({x}, {y}, {z}): every coordinate must be a finite number")]
    NotFinite {
        /// Which one, from 0.
        initiator: usize,
        /// Its coordinates [m].
        x: f64,
        /// Its coordinates [m].
        y: f64,
        /// Its coordinates [m].
        z: f64,
    },
}
