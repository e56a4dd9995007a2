//! What a mesh is made of: how its triangles join, and what is wrong with it.
//!
//! In: any mesh. Out: counts after welding exactly equal positions. Sorting decides everything, so no count changes when
//! triangles or vertices are reordered; the sums of area and volume keep all but their last digits, and which defect comes
//! first follows the order of the vertices.

use std::fmt::Write as _;

use zerogap_core::Vec3;

use super::TriangleMesh;
use super::edges::{Edges, components, is_collapsed, shells};
use super::weld::{self, Weld};

/// A triangle counts as degenerate when twice its area is at most this times the square of its longest edge [-].
///
/// Its height is then below 1e-10 of its length: its normal has lost most of its digits in f64 and all of them in f32.
pub const DEGENERATE_RATIO: f64 = 1e-10;

/// Topology of a mesh, after welding exactly equal positions (-0.0 equals 0.0).
///
/// A triangle with two corners on one welded point has collapsed: it counts as degenerate and adds no edges and joins nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct TopologyReport {
    /// Triangles as given.
    pub triangles: usize,
    /// Vertices as given.
    pub vertices: usize,
    /// Distinct positions among all vertices as given, whether or not a triangle uses them.
    pub welded_vertices: usize,
    /// Distinct positions that no triangle names.
    pub unused_vertices: usize,
    /// Edges: unordered pairs of welded points that a triangle joins.
    pub edges: usize,
    /// Sets of triangles connected through common points.
    pub components: usize,
    /// Sets of triangles connected through common edges; at least as many as components.
    pub shells: usize,
    /// Edges with one triangle.
    pub boundary_edges: usize,
    /// Edges with three or more triangles.
    pub non_manifold_edges: usize,
    /// Edges with two triangles that run through them in the same direction, so that they have opposite orientations.
    pub orientation_conflicts: usize,
    /// Edges that are not run through equally often in both directions; none means that the mesh encloses a volume.
    pub unbalanced_edges: usize,
    /// Triangles that collapsed or fall under [`DEGENERATE_RATIO`].
    pub degenerate_triangles: usize,
    /// Triangles with two corners on one welded point; part of `degenerate_triangles`.
    pub collapsed_triangles: usize,
    /// Triangles that repeat an earlier one: same welded corners, same facing. Collapsed ones are not counted.
    pub duplicate_triangles: usize,
    /// Whether every edge has exactly two triangles, which run through it in opposite directions.
    pub watertight: bool,
    /// Points minus edges plus triangles, over what the triangles that did not collapse use [-]; 2 for a sphere, 0 for a torus.
    pub euler_characteristic: i64,
    /// Signed volume [m³], positive when triangles face outward; of an open mesh, that of the cone to the middle of its box.
    pub signed_volume: f64,
    /// Area of all triangles [m²].
    pub area: f64,
    /// Midpoint of the first edge that is not part of a closed, oriented manifold [m].
    pub first_defect: Option<Vec3>,
}

impl TopologyReport {
    /// The state in one phrase: `closed manifold`, or what is wrong with it, as in `108 boundary edges, 32 degenerate`.
    pub fn summary(&self) -> String {
        let mut phrase = String::new();
        for (count, one, many) in [
            (self.boundary_edges, "boundary edge", "boundary edges"),
            (self.non_manifold_edges, "non-manifold edge", "non-manifold edges"),
            (self.orientation_conflicts, "orientation conflict", "orientation conflicts"),
            (self.degenerate_triangles, "degenerate", "degenerate"),
            (self.duplicate_triangles, "duplicate", "duplicates"),
        ] {
            if count > 0 {
                let separator = if phrase.is_empty() { "" } else { ", " };
                let name = if count == 1 { one } else { many };
                // Writing to a string cannot fail.
                let _ = write!(phrase, "{separator}{count} {name}");
            }
        }
        match (phrase.is_empty(), self.watertight && self.signed_volume < 0.0) {
            (true, false) => "closed manifold".to_owned(),
            (true, true) => "closed manifold, inside out".to_owned(),
            (false, false) => phrase,
            (false, true) => phrase + ", inside out",
        }
    }

    /// Whether the triangles bound a volume: every edge is run through equally often in both directions.
    ///
    /// Wider than `watertight`: two solids that touch along an edge are closed, though that edge has four triangles.
    pub fn is_closed(&self) -> bool {
        self.unbalanced_edges == 0 && self.edges > 0
    }
}

/// Whether a triangle is too flat to have a direction: twice its area is at most [`DEGENERATE_RATIO`] times its longest edge squared.
pub(crate) fn is_degenerate(&[a, b, c]: &[Vec3; 3]) -> bool {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let longest = ab.norm_squared().max(ac.norm_squared()).max(bc.norm_squared());
    ab.cross(&ac).norm() <= DEGENERATE_RATIO * longest
}

/// The corners in an order that is the same for all triangles with these corners and this facing: lowest first.
pub(crate) fn canonical([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

impl TriangleMesh {
    /// Returns the topology and its defects, after welding exactly equal positions.
    ///
    /// Cost: O(n log n) by sorting, the first time; about 1 s for 1e6 triangles with unwelded vertices.
    pub fn topology(&self) -> TopologyReport {
        self.known.topology.get_or_init(|| self.work_out_topology()).clone()
    }

    fn work_out_topology(&self) -> TopologyReport {
        let weld = weld::exact(&self.vertices);
        let triangles: Vec<[u32; 3]> = self.triangles.iter().map(|&t| weld.triangle(t)).collect();
        let edges = Edges::new(&triangles);
        let mut report = TopologyReport {
            triangles: triangles.len(),
            vertices: self.vertices.len(),
            welded_vertices: weld.kept.len(),
            unused_vertices: 0,
            edges: 0,
            components: components(&triangles, weld.kept.len()).count,
            shells: shells(&triangles, &edges).count,
            boundary_edges: 0,
            non_manifold_edges: 0,
            orientation_conflicts: 0,
            unbalanced_edges: 0,
            degenerate_triangles: 0,
            collapsed_triangles: 0,
            duplicate_triangles: 0,
            watertight: false,
            euler_characteristic: 0,
            signed_volume: self.signed_volume(),
            area: 0.0,
            first_defect: None,
        };
        self.count_edges(&weld, &edges, &mut report);
        self.count_triangles(&triangles, &mut report);
        count_vertices(&weld, &triangles, &mut report);
        report.watertight = report.edges > 0
            && report.boundary_edges + report.non_manifold_edges + report.orientation_conflicts == 0;
        report
    }

    /// Sorts the edges into good, open, crowded and contradictory ones.
    fn count_edges(&self, weld: &Weld, edges: &Edges, report: &mut TopologyReport) {
        for sides in edges.iter() {
            report.edges += 1;
            let forward = sides.iter().filter(|side| side.forward).count();
            report.unbalanced_edges += usize::from(2 * forward != sides.len());
            match sides.len() {
                1 => report.boundary_edges += 1,
                2 if forward == 1 => continue,
                2 => report.orientation_conflicts += 1,
                _ => report.non_manifold_edges += 1,
            }
            if report.first_defect.is_none() {
                let [p, q] = sides[0].points().map(|w| self.vertices[weld.kept[w as usize] as usize]);
                report.first_defect = Some(0.5 * p + 0.5 * q);
            }
        }
    }

    /// Counts flat and repeated triangles and sums the area.
    fn count_triangles(&self, triangles: &[[u32; 3]], report: &mut TopologyReport) {
        let mut seen: Vec<[u32; 3]> = Vec::with_capacity(triangles.len());
        for (&welded, corners) in triangles.iter().zip(self.corner_triples()) {
            report.area += 0.5 * (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm();
            if is_collapsed(welded) {
                report.collapsed_triangles += 1;
                report.degenerate_triangles += 1;
                continue;
            }
            report.degenerate_triangles += usize::from(is_degenerate(&corners));
            seen.push(canonical(welded));
        }
        seen.sort_unstable();
        report.duplicate_triangles = seen.windows(2).filter(|pair| pair[0] == pair[1]).count();
    }
}

/// Counts the points in use and closes Euler's sum.
fn count_vertices(weld: &Weld, triangles: &[[u32; 3]], report: &mut TopologyReport) {
    let mut named = vec![false; weld.kept.len()];
    let mut joined = vec![false; weld.kept.len()];
    for &corners in triangles {
        for w in corners {
            named[w as usize] = true;
            joined[w as usize] |= !is_collapsed(corners);
        }
    }
    report.unused_vertices = named.iter().filter(|&&n| !n).count();
    let points = joined.iter().filter(|&&j| j).count().cast_signed() as i64;
    let faces = (report.triangles - report.collapsed_triangles).cast_signed() as i64;
    report.euler_characteristic = points - report.edges.cast_signed() as i64 + faces;
}
