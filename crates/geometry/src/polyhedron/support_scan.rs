//! The farthest vertex by a scan of all of them.

use zerogap_core::Vec3;
use zerogap_core::simd::{self, Block, LANES};

/// Coordinates relative to a point in the middle, in blocks; the last block repeats the first vertex.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scan {
    blocks: Vec<Block>,
}

impl Scan {
    /// Relative to `middle`, so that vertices far from the origin lose no digits to it.
    pub(super) fn new(vertices: &[Vec3], middle: &Vec3) -> Self {
        let at = |index: usize| vertices.get(index).unwrap_or(&vertices[0]) - middle;
        let block = |start: usize| {
            Block(std::array::from_fn(|axis| std::array::from_fn(|lane| at(start + lane)[axis])))
        };
        Self { blocks: (0..vertices.len()).step_by(LANES).map(block).collect() }
    }

    /// The smallest index at which the rounded dot product is largest; 0 for a zero direction.
    ///
    /// Tolerance: no vertex lies more than 4e-16 of the bounding diagonal farther along the direction (as a unit vector).
    /// Cost: O(vertices), see [`simd::farthest`].
    #[inline]
    pub(super) fn farthest(&self, direction: &Vec3) -> u32 {
        simd::farthest(&self.blocks, direction)
    }
}
