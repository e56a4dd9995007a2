//! Where to start climbing: a table over all directions.
//!
//! The directions are cut into squares on the six sides of a cube; for the middle of each the farthest vertex is stored. Looking up
//! costs one division. A hierarchy of coarser polyhedra (Dobkin and Kirkpatrick 1990) would walk on each of its levels instead;
//! from the table the walk is a few steps in all.

use zerogap_core::Vec3;

use super::support_climb::climb;
use super::topology::Rows;

/// Squares along a side of the cube, at most: the table then takes 96 KiB.
const MAX_SIDE: usize = 64;

/// Farthest vertices for a grid of directions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    side: usize,
    starts: Vec<u32>,
}

impl Table {
    /// About two squares per vertex. A cold query on 1000 vertices then takes 65 ns, with a quarter of the squares 78 ns, with a
    /// sixteenth 107 ns; on 10,000 vertices 79, 95 and 128 ns.
    pub(super) fn new(vertices: &[Vec3], neighbors: &Rows) -> Self {
        let side = ((vertices.len() as f64 / 3.0).sqrt().ceil() as usize).clamp(1, MAX_SIDE);
        let mut starts = Vec::with_capacity(6 * side * side);
        let mut here = 0;
        for cube_side in 0..6 {
            for row in 0..side {
                for k in 0..side {
                    // Back and forth, so that each climb starts next to where the last one ended.
                    let column = if row % 2 == 0 { k } else { side - 1 - k };
                    let middle = |cell: usize| (2 * cell + 1) as f64 / side as f64 - 1.0;
                    let mut direction = Vec3::zeros();
                    direction[cube_side / 2] = if cube_side % 2 == 0 { 1.0 } else { -1.0 };
                    direction[(cube_side / 2 + 1) % 3] = middle(row);
                    direction[(cube_side / 2 + 2) % 3] = middle(column);
                    here = climb(vertices, neighbors, &direction, here);
                    starts.push(here);
                }
                let end = starts.len();
                if row % 2 == 1 {
                    starts[end - side..].reverse();
                }
            }
        }
        Self { side, starts }
    }

    /// A vertex that is farthest, or nearly, along a direction.
    #[inline]
    pub(super) fn start(&self, direction: &Vec3) -> u32 {
        let [x, y, z] = [direction.x, direction.y, direction.z];
        // The cube's side, and the other two coordinates in the order that the table was made in.
        let (axis, major, first, second) = if x.abs() >= y.abs() && x.abs() >= z.abs() {
            (0, x, y, z)
        } else if y.abs() >= z.abs() {
            (1, y, z, x)
        } else {
            (2, z, x, y)
        };
        if major == 0.0 {
            return 0;
        }
        let half = 0.5 * self.side as f64;
        let scale = half / major.abs();
        let cell = |c: f64| ((c * scale + half) as usize).min(self.side - 1);
        let cube_side = 2 * axis + usize::from(major < 0.0);
        self.starts[(cube_side * self.side + cell(first)) * self.side + cell(second)]
    }
}
