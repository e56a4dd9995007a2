//! The farthest vertex by looking at all of them.

use wide::f64x2;
use zerogap_core::Vec3;

/// Vertices treated together: enough independent maxima to keep the arithmetic units busy.
const LANES: usize = 8;

/// Pairs of lanes.
const PAIRS: usize = LANES / 2;

/// Coordinates of [`LANES`] vertices by axis, in pairs: the widest arithmetic that every x86-64 machine has.
type Block = [[f64x2; PAIRS]; 3];

/// Coordinates by axis, relative to a point in the middle, in blocks of [`LANES`]; the last block repeats the first vertex.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scan {
    blocks: Vec<Block>,
}

impl Scan {
    /// Relative to `middle`, so that vertices far from the origin lose no digits to it.
    pub(super) fn new(vertices: &[Vec3], middle: &Vec3) -> Self {
        let at = |index: usize| vertices.get(index).unwrap_or(&vertices[0]) - middle;
        let pair = |index: usize, axis: usize| f64x2::from([at(index)[axis], at(index + 1)[axis]]);
        let block =
            |start: usize| std::array::from_fn(|axis| std::array::from_fn(|k| pair(start + 2 * k, axis)));
        Self { blocks: (0..vertices.len()).step_by(LANES).map(block).collect() }
    }

    /// The smallest index at which the rounded dot product is largest; 0 for a zero direction.
    ///
    /// Tolerance: no vertex lies more than 4e-16 of the bounding diagonal farther along the direction (as a unit vector).
    /// Cost: O(vertices), without branches in the first pass; the second one, which finds the index, stops early.
    #[inline]
    pub(super) fn farthest(&self, direction: &Vec3) -> u32 {
        let along = [direction.x, direction.y, direction.z].map(f64x2::splat);
        let Some((first, others)) = self.blocks.split_first() else { return 0 };
        let products = dots(first, &along);
        if others.is_empty() {
            return lane_of(&products, largest_of(&products)).unwrap_or(0);
        }
        let mut largest = products;
        for block in others {
            let products = dots(block, &along);
            for k in 0..PAIRS {
                largest[k] = largest[k].fast_max(products[k]);
            }
        }
        let largest = largest_of(&largest);
        for (index, block) in self.blocks.iter().enumerate() {
            if let Some(lane) = lane_of(&dots(block, &along), largest) {
                return (index * LANES) as u32 + lane;
            }
        }
        0
    }
}

/// Dot products of a block's vertices.
#[inline]
fn dots([x, y, z]: &Block, [dx, dy, dz]: &[f64x2; 3]) -> [f64x2; PAIRS] {
    std::array::from_fn(|k| x[k] * *dx + y[k] * *dy + z[k] * *dz)
}

/// The largest of all lanes.
#[inline]
fn largest_of(products: &[f64x2; PAIRS]) -> f64 {
    let two = products[0].fast_max(products[1]).fast_max(products[2].fast_max(products[3]));
    let [p, q] = two.to_array();
    if q > p { q } else { p }
}

/// The first lane that reaches a height.
#[inline]
fn lane_of(products: &[f64x2; PAIRS], height: f64) -> Option<u32> {
    let height = f64x2::splat(height);
    let reached = |k: usize| products[k].simd_ge(height).to_bitmask() << (2 * k);
    let lanes = (reached(0) | reached(1)) | (reached(2) | reached(3));
    (lanes != 0).then(|| lanes.trailing_zeros())
}
