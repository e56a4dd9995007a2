//! Where to start climbing: a table over all directions.
//!
//! The directions are cut into squares on the six sides of a cube; for each square the vertex farthest along its middle is stored, and
//! all vertices that are farthest along some direction in it. Looking up costs one division. A hierarchy of coarser polyhedra (Dobkin and Kirkpatrick 1990) would walk on each of its levels instead;
//! from the table the walk is a few steps in all.

use zerogap_core::Vec3;

use super::support_climb::climb;
use super::support_scan::Scan;
use super::topology::Rows;

/// Squares along a side of the cube, at most: the table then takes 96 KiB.
const MAX_SIDE: usize = 64;

/// A square with more rivals than this leaves the choice to a scan of all vertices: there, a large flat face has the same direction [-].
const MAX_RIVALS: usize = 24;

/// Vertices this far behind may still have the largest rounded product, relative to the bounding diagonal [-]: 4 roundings of it, doubled.
const ROUNDINGS: f64 = 2e-15;

/// Farthest vertices for a grid of directions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    side: usize,
    starts: Vec<u32>,
    /// For each square the vertices that can be farthest, in ascending order; none where there are too many.
    rivals: Rows,
    /// Vertices relative to the middle, as the scan sees them, a quarter of a cache line each.
    centered: Vec<[f64; 4]>,
}

impl Table {
    /// About two squares per vertex. A cold query on 1000 vertices then takes 65 ns, with a quarter of the squares 78 ns, with a
    /// sixteenth 107 ns; on 10,000 vertices 79, 95 and 128 ns.
    pub(super) fn new(vertices: &[Vec3], neighbors: &Rows) -> Self {
        let side = ((vertices.len() as f64 / 3.0).sqrt().ceil() as usize).clamp(1, MAX_SIDE);
        let mut table = Self { side, starts: Vec::new(), rivals: Rows::new(), centered: Vec::new() };
        let mut starts = Vec::with_capacity(6 * side * side);
        let mut here = 0;
        for cube_side in 0..6 {
            for row in 0..side {
                for k in 0..side {
                    // Back and forth, so that each climb starts next to where the last one ended.
                    let column = if row % 2 == 0 { k } else { side - 1 - k };
                    let (_, direction) = table.middle_of((cube_side * side + row) * side + column);
                    here = climb(vertices, neighbors, &direction, here);
                    starts.push(here);
                }
                let end = starts.len();
                if row % 2 == 1 {
                    starts[end - side..].reverse();
                }
            }
        }
        table.starts = starts;
        table
    }

    /// Adds the vertices that can be farthest in each square.
    ///
    /// Method: along the edges from the one that is farthest in the middle, as long as a vertex is not behind it, nor behind those of the
    ///   square's corners, everywhere in the square. Which of two vertices is farther follows from a linear function of the place
    ///   in the square, so that the test is exact.
    pub(super) fn with_rivals(
        mut self,
        vertices: &[Vec3],
        neighbors: &Rows,
        middle: &Vec3,
        diagonal: f64,
    ) -> Self {
        let relative = vertices.iter().map(|p| p - middle);
        self.centered = relative.map(|p| [p.x, p.y, p.z, 0.0]).collect();
        let half = 1.0 / self.side as f64;
        let (mut seen, mut found) = (vec![u32::MAX; vertices.len()], Vec::new());
        for square in 0..self.starts.len() {
            let (axis, center) = self.middle_of(square);
            let (row_axis, column_axis) = ((axis + 1) % 3, (axis + 2) % 3);
            let start = self.starts[square];
            let mut best = [start; 5];
            for (corner, best) in best.iter_mut().enumerate().skip(1) {
                let mut direction = center;
                direction[row_axis] += if corner & 1 == 0 { half } else { -half };
                direction[column_axis] += if corner & 2 == 0 { half } else { -half };
                *best = climb(vertices, neighbors, &direction, start);
            }
            let can_win = |vertex: u32| {
                best.iter().all(|&other| {
                    let ahead = vertices[vertex as usize] - vertices[other as usize];
                    let spread = half * (ahead[row_axis].abs() + ahead[column_axis].abs());
                    center.dot(&ahead) + spread * (1.0 + ROUNDINGS) >= -ROUNDINGS * diagonal
                })
            };
            found.clear();
            found.push(start);
            seen[start as usize] = square as u32;
            let mut next = 0;
            while next < found.len() && found.len() <= MAX_RIVALS {
                for &neighbor in neighbors.row(found[next] as usize) {
                    if seen[neighbor as usize] != square as u32 && can_win(neighbor) {
                        seen[neighbor as usize] = square as u32;
                        found.push(neighbor);
                    }
                }
                next += 1;
            }
            if found.len() <= MAX_RIVALS {
                found.sort_unstable();
                self.rivals.extend(&found);
            }
            self.rivals.close_row();
        }
        self
    }

    /// The axis and the middle direction of a square.
    fn middle_of(&self, square: usize) -> (usize, Vec3) {
        let (cube_side, place) = (square / (self.side * self.side), square % (self.side * self.side));
        let middle = |cell: usize| (2 * cell + 1) as f64 / self.side as f64 - 1.0;
        let axis = cube_side / 2;
        let mut direction = Vec3::zeros();
        direction[axis] = if cube_side.is_multiple_of(2) { 1.0 } else { -1.0 };
        direction[(axis + 1) % 3] = middle(place / self.side);
        direction[(axis + 2) % 3] = middle(place % self.side);
        (axis, direction)
    }

    /// The answer of a scan, from the vertices that can be farthest in the direction's square.
    #[inline]
    pub(super) fn farthest(&self, direction: &Vec3, all: &Scan) -> u32 {
        let rivals = match self.square(direction) {
            Some(square) if square < self.rivals.len() => self.rivals.row(square),
            _ => &[],
        };
        let Some((&first, others)) = rivals.split_first() else { return all.farthest(direction) };
        let along = |vertex: u32| {
            let [x, y, z, _] = self.centered[vertex as usize];
            x * direction.x + y * direction.y + z * direction.z
        };
        let (mut best, mut largest) = (first, along(first));
        for &vertex in others {
            let product = along(vertex);
            // Strictly larger only: the smaller index keeps a tie.
            (best, largest) = if product > largest { (vertex, product) } else { (best, largest) };
        }
        best
    }

    /// A vertex that is farthest, or nearly, along a direction.
    #[inline]
    pub(super) fn start(&self, direction: &Vec3) -> u32 {
        self.square(direction).map_or(0, |square| self.starts[square])
    }

    /// The square of a direction; a zero direction has none.
    #[inline]
    fn square(&self, direction: &Vec3) -> Option<usize> {
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
            return None;
        }
        let half = 0.5 * self.side as f64;
        let scale = half / major.abs();
        let cell = |c: f64| ((c * scale + half) as usize).min(self.side - 1);
        let cube_side = 2 * axis + usize::from(major < 0.0);
        Some((cube_side * self.side + cell(first)) * self.side + cell(second))
    }
}
