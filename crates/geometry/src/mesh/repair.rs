//! A mesh made fit for use: welded, without flat or repeated triangles, facing outward.

use zerogap_core::error::check_length;

use super::edges::is_collapsed;
use super::orient::orient;
use super::topology::{canonical, is_degenerate};
use super::{TriangleMesh, weld};
use crate::GeometryError;

/// Options of a repair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepairOptions {
    /// Vertices within this distance of each other become one [m]; 0 welds equal positions only.
    pub weld_tolerance: f64,
    /// Drop triangles that are degenerate though their corners are apart. Off by default: a sliver closes the surface between
    /// its neighbours, and dropping it opens a crack. Triangles that collapse on welding are always dropped.
    pub drop_slivers: bool,
    /// Drop triangles that repeat an earlier one, with the same facing.
    pub drop_duplicates: bool,
    /// Turn triangles so that neighbours agree; closed patches then face outward, cavities inward.
    pub orient: bool,
}

impl Default for RepairOptions {
    fn default() -> Self {
        Self { weld_tolerance: 0.0, drop_slivers: false, drop_duplicates: true, orient: true }
    }
}

/// Changes made by a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RepairReport {
    /// Vertices that became one with an earlier vertex.
    pub welded_vertices: usize,
    /// Vertices dropped because no triangle is left that uses them.
    pub unused_vertices: usize,
    /// Triangles dropped because they collapsed on welding.
    pub collapsed_triangles: usize,
    /// Further degenerate triangles dropped.
    pub sliver_triangles: usize,
    /// Repeated triangles dropped.
    pub duplicate_triangles: usize,
    /// Triangles reversed.
    pub flipped_triangles: usize,
    /// Patches that cannot be oriented consistently, such as a Möbius band; they are left with conflicts.
    pub one_sided_patches: usize,
}

impl TriangleMesh {
    /// A repaired copy and what was changed. Order of what remains is kept.
    ///
    /// Steps: weld, drop collapsed (and on demand sliver) triangles, drop repeated ones, orient, drop unused vertices.
    /// A patch is a set connected through edges with exactly two triangles; an open patch keeps the facing of the majority of
    /// its triangles; a closed one faces outward when it lies in an even number of other closed patches, else inward.
    /// Holes are not filled. Cost: O(n log n), plus a comparison of boxes for every two closed patches that overlap along the longest
    /// axis, and a few rays for every two with nested boxes. Release build: 1e6 triangles with unwelded vertices 0.7 s, 8000 cubes in a
    /// sphere of 1e5 triangles 2.2 s.
    /// Fails: a tolerance that is negative or not finite; `Empty` when no triangle is left.
    pub fn repair(&self, options: &RepairOptions) -> Result<(Self, RepairReport), GeometryError> {
        let tolerance = check_length("the welding tolerance", options.weld_tolerance)?;
        let mut report = RepairReport::default();
        let weld = weld::within(&self.vertices, tolerance);
        report.welded_vertices = self.vertices.len() - weld.kept.len();
        let mut mesh = Self::from_parts(
            weld.kept.iter().map(|&v| self.vertices[v as usize]).collect(),
            self.triangles.iter().map(|&t| weld.triangle(t)).collect(),
        );

        mesh.triangles.retain(|&t| !is_collapsed(t));
        report.collapsed_triangles = self.triangles.len() - mesh.triangles.len();
        if options.drop_slivers {
            let before = mesh.triangles.len();
            let vertices = &mesh.vertices;
            mesh.triangles.retain(|t| !is_degenerate(&t.map(|v| vertices[v as usize])));
            report.sliver_triangles = before - mesh.triangles.len();
        }
        // Orientation first would make opposite copies equal; a flat double wall is left as it is.
        if options.drop_duplicates {
            report.duplicate_triangles = mesh.drop_duplicates();
        }
        if mesh.triangles.is_empty() {
            return Err(GeometryError::Empty { what: "the mesh after repair" });
        }
        if options.orient {
            let orientation = orient(&mut mesh);
            report.flipped_triangles = orientation.flipped;
            report.one_sided_patches = orientation.one_sided;
        }
        report.unused_vertices = mesh.drop_unused_vertices();
        // No intermediate result is valid for the finished mesh.
        Ok((Self::from_parts(mesh.vertices, mesh.triangles), report))
    }

    /// Drops all but the first of equal triangles; returns how many.
    fn drop_duplicates(&mut self) -> usize {
        let mut order: Vec<([u32; 3], u32)> =
            self.triangles.iter().enumerate().map(|(t, &corners)| (canonical(corners), t as u32)).collect();
        order.sort_unstable();
        let mut keep = vec![true; self.triangles.len()];
        for pair in order.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            keep[pair[1].1 as usize] = false;
        }
        let before = self.triangles.len();
        let mut kept = keep.iter();
        self.triangles.retain(|_| kept.next().copied().unwrap_or(true));
        before - self.triangles.len()
    }

    /// Drops vertices that no triangle names; returns how many.
    fn drop_unused_vertices(&mut self) -> usize {
        let mut used = vec![false; self.vertices.len()];
        for &v in self.triangles.iter().flatten() {
            used[v as usize] = true;
        }
        let mut next = 0;
        let number: Vec<u32> = used
            .iter()
            .map(|&used| {
                let n = next;
                next += u32::from(used);
                n
            })
            .collect();
        for corners in &mut self.triangles {
            *corners = corners.map(|v| number[v as usize]);
        }
        let before = self.vertices.len();
        let mut kept = used.iter();
        self.vertices.retain(|_| kept.next().copied().unwrap_or(true));
        before - self.vertices.len()
    }
}
