//! Which vertex lies farthest along a direction, and which method finds it soonest.

use zerogap_core::{Aabb, Vec3};

use super::Polyhedron;
use super::support_climb::climb;
use super::support_scan::Scan;
use super::support_table::Table;
use super::topology::{Rows, triangle_neighbors};
use crate::SupportHint;

/// Up to this many vertices all are checked.
///
/// Nanoseconds per query for random directions / for directions that turn by 0.01 rad (bench/results/amd-epyc-2-cores/support.csv, a
/// machine with 512-bit registers):
///
/// | vertices | scan        | climb     | table   | best    | rivals  |
/// |----------|-------------|-----------|---------|---------|---------|
/// | 8        | 6 / 6       | 62 / 15   | 52 / 31 | 57 / 36 | 19 / 12 |
/// | 16       | 19 / 8      | 92 / 19   | 52 / 36 | 57 / 41 | 28 / 14 |
/// | 32       | 26 / 11     | 125 / 20  | 53 / 40 | 60 / 42 | 37 / 17 |
/// | 48       | 33 / 14     | 148 / 20  | 57 / 42 | 63 / 41 | 44 / 20 |
/// | 64       | 37 / 16     | 172 / 20  | 57 / 47 | 64 / 42 | 48 / 20 |
/// | 96       | 44 / 21     | 204 / 20  | 58 / 41 | 64 / 40 | 56 / 26 |
/// | 128      | 51 / 26     | 230 / 20  | 58 / 40 | 64 / 42 | 63 / 30 |
/// | 200      | 63 / 40     | 289 / 20  | 57 / 41 | 63 / 41 | 35 / 16 |
/// | 1000     | 208 / 194   | 686 / 22  | 64 / 45 | 71 / 44 | 37 / 25 |
/// | 10000    | 3129 / 3108 | 2678 / 35 | 78 / 53 | 88 / 49 | 41 / 22 |
///
/// Rivals are kept from this limit on; both have the same answer, so that the limit changes the speed alone.
const SCAN_LIMIT: usize = 128;

/// Directions whose largest component lies outside this range are scaled before use: products with coordinates of up to
/// `MAX_LENGTH` then neither over- nor underflow.
const PLAIN_DIRECTIONS: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Method to find the farthest vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SupportMethod {
    /// All vertices. Of those with the largest rounded dot product the smallest index wins; no other vertex is more than 4e-16 of
    /// the bounding diagonal farther.
    Scan,
    /// Along the edges from the hint. Of the vertices with the exactly largest dot product the smallest index wins.
    Climb,
    /// Along the edges from a table of directions, without the hint. The same answer as `Climb`.
    Table,
    /// Along the edges from the hint or the table, whichever is farther. The same answer as `Climb`.
    Best,
    /// Of the vertices that the table names for the direction's neighbourhood. The same answer as `Scan`.
    Rivals,
}

/// What the methods need.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Support {
    scan: Scan,
    neighbors: Rows,
    table: Table,
}

impl Support {
    /// `triangles` are those of the exact hull of the vertices.
    pub(super) fn new(vertices: &[Vec3], triangles: &[[u32; 3]], around: &Aabb) -> Self {
        Self::from_neighbors(vertices, triangle_neighbors(vertices.len(), triangles), around)
    }

    /// Neighbours of each vertex in the exact hull.
    pub(super) fn neighbors(&self) -> &Rows {
        &self.neighbors
    }

    /// `neighbors` are those of each vertex in the exact hull.
    pub(super) fn from_neighbors(vertices: &[Vec3], neighbors: Rows, around: &Aabb) -> Self {
        let mut table = Table::new(vertices, &neighbors);
        let middle = around.center();
        if vertices.len() > SCAN_LIMIT {
            table = table.with_rivals(vertices, &neighbors, &middle, (around.max - around.min).norm());
        }
        Self { scan: Scan::new(vertices, &middle), neighbors, table }
    }
}

impl Polyhedron {
    /// The vertex farthest along a direction of any length; vertex 0 for a zero direction.
    ///
    /// Ties: see [`SupportMethod`]; the answer does not depend on the hint, which is set to it.
    /// Method: `Scan` up to 128 vertices, `Rivals` above.
    #[inline]
    pub fn support_vertex(&self, direction: &Vec3, hint: &mut SupportHint) -> u32 {
        let method =
            if self.vertices.len() <= SCAN_LIMIT { SupportMethod::Scan } else { SupportMethod::Rivals };
        self.support_with(method, direction, hint)
    }

    /// [`Polyhedron::support_vertex`] for a direction whose components, other than zeros, lie between 1e-100 and 1e100 in magnitude: it is
    /// used as it is.
    #[inline]
    pub fn support_vertex_tame(&self, direction: &Vec3) -> u32 {
        let Support { scan, table, .. } = &self.support;
        if self.vertices.len() <= SCAN_LIMIT {
            scan.farthest(direction)
        } else {
            table.farthest(direction, scan)
        }
    }

    /// [`Polyhedron::support_vertex`] by a given method, for comparison.
    pub fn support_with(&self, method: SupportMethod, direction: &Vec3, hint: &mut SupportHint) -> u32 {
        let largest = direction.amax();
        let scaled;
        let direction = if PLAIN_DIRECTIONS.contains(&largest) || largest == 0.0 {
            direction
        } else {
            scaled = direction / largest;
            &scaled
        };
        let Support { scan, neighbors, table } = &self.support;
        // A hint from elsewhere may name a vertex that does not exist.
        let hinted = if (hint.0 as usize) < self.vertices.len() { hint.0 } else { 0 };
        let found = match method {
            SupportMethod::Scan => scan.farthest(direction),
            SupportMethod::Climb => climb(&self.vertices, neighbors, direction, hinted),
            SupportMethod::Table => climb(&self.vertices, neighbors, direction, table.start(direction)),
            SupportMethod::Rivals => table.farthest(direction, scan),
            SupportMethod::Best => {
                let listed = table.start(direction);
                let ahead = self.vertices[hinted as usize] - self.vertices[listed as usize];
                let start = if ahead.dot(direction) > 0.0 { hinted } else { listed };
                climb(&self.vertices, neighbors, direction, start)
            }
        };
        hint.0 = found;
        found
    }
}
