//! The nouns of the broad phase: names of boxes, pairs, methods and what can be wrong.

use zerogap_core::Vec3;

use super::backend::{PairKey, slots};

/// The name of a box: the first one inserted is 0, and names of boxes that were removed are given again after the next update, the last one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxId(pub u32);

zerogap_core::store_struct!(BoxId(number));

/// Two boxes, the one with the smaller name first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxPair {
    /// The smaller name.
    pub a: BoxId,
    /// The larger name.
    pub b: BoxId,
}

impl From<PairKey> for BoxPair {
    fn from(key: PairKey) -> Self {
        let (a, b) = slots(key);
        Self { a: BoxId(a), b: BoxId(b) }
    }
}

/// Errors of inserting or moving a box; the broad phase is unchanged then.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum BroadError {
    /// A number that is not finite, or a minimum beyond its maximum.
    #[error("box {id} is no box: it reaches from ({}, {}, {}) to ({}, {}, {}) m", min.x, min.y, min.z, max.x, max.y, max.z)]
    NotABox {
        /// The box; for one to be inserted, the name that it would have got.
        id: u32,
        /// Smallest coordinates that were given [m].
        min: Vec3,
        /// Largest coordinates that were given [m].
        max: Vec3,
    },
    /// There is no box of this name.
    #[error("there is no box {id}")]
    Unknown {
        /// The name.
        id: u32,
    },
    /// A plane without a direction, or not finite.
    #[error("half-space {id} has no plane: normal ({}, {}, {}), offset {offset} m", normal.x, normal.y, normal.z)]
    NotAPlane {
        /// The name that it would have got.
        id: u32,
        /// The normal that was given.
        normal: Vec3,
        /// The offset that was given [m].
        offset: f64,
    },
}

/// Broad-phase method. All methods return the same pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BroadMethod {
    /// By the number of boxes and how fast they move, as measured.
    #[default]
    Auto,
    /// A hierarchical hash grid.
    Grid,
    /// Sorted coordinates on three axes.
    Sweep,
    /// A tree of boxes.
    Tree,
}

/// Parameters of a broad phase.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BroadParams {
    /// Broad-phase method.
    pub method: BroadMethod,
    /// Maximum gap of a pair on every axis [m]: each box is inflated by half of it.
    pub margin: f64,
}
