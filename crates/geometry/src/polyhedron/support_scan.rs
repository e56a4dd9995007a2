//! The farthest vertex by looking at all of them.

use zerogap_core::Vec3;

/// Vertices treated together: enough independent maxima to keep the arithmetic units busy.
const LANES: usize = 8;

/// Coordinates by axis, relative to a point in the middle, in blocks of [`LANES`]; the last block repeats the first vertex.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scan {
    blocks: Vec<[[f64; LANES]; 3]>,
}

impl Scan {
    /// Relative to `middle`, so that vertices far from the origin lose no digits to it.
    pub(super) fn new(vertices: &[Vec3], middle: &Vec3) -> Self {
        let at = |index: usize| vertices.get(index).unwrap_or(&vertices[0]) - middle;
        let block =
            |start: usize| std::array::from_fn(|axis| std::array::from_fn(|lane| at(start + lane)[axis]));
        Self { blocks: (0..vertices.len()).step_by(LANES).map(block).collect() }
    }

    /// The smallest index at which the rounded dot product is largest; 0 for a zero direction.
    ///
    /// Tolerance: no vertex lies more than 4e-16 of the bounding diagonal farther along the direction (as a unit vector).
    /// Cost: O(vertices), without branches in the first pass; the second one, which finds the index, stops early.
    pub(super) fn farthest(&self, direction: &Vec3) -> u32 {
        let [dx, dy, dz] = [direction.x, direction.y, direction.z];
        let dots = |[x, y, z]: &[[f64; LANES]; 3]| -> [f64; LANES] {
            std::array::from_fn(|lane| x[lane] * dx + y[lane] * dy + z[lane] * dz)
        };
        let mut lanes = [f64::NEG_INFINITY; LANES];
        for block in &self.blocks {
            let d = dots(block);
            for lane in 0..LANES {
                lanes[lane] = if d[lane] > lanes[lane] { d[lane] } else { lanes[lane] };
            }
        }
        let largest = lanes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (index, block) in self.blocks.iter().enumerate() {
            let d = dots(block);
            if let Some(lane) = d.iter().position(|d| *d >= largest) {
                return (index * LANES + lane) as u32;
            }
        }
        0
    }
}
