//! Voronoi regions of a polyhedron's features, by their planes, and the part of an edge that lies in one.
//!
//! In: a feature and a point, both in the polyhedron's frame, or the heights of an edge's ends over a plane. Out: on which side of the plane
//! between two neighbouring features the point lies, and what is left of the edge. Each plane has one formula, whichever of its two features asks.

use zerogap_core::{Feature, Vec3};
use zerogap_geometry::{Edge, Polyhedron};

/// The plane between a vertex and an edge that starts there: positive on the edge's side, over the length of the edge [m²].
#[inline]
pub(super) fn along_edge(polyhedron: &Polyhedron, from: u32, to: u32, point: &Vec3) -> f64 {
    let from = polyhedron.vertices()[from as usize];
    (polyhedron.vertices()[to as usize] - from).dot(&(point - from))
}

/// The plane between an edge and the face on one side of it (0 left, 1 right): positive on the edge's side, beyond the face, over the length
/// of the edge [m²].
#[inline]
pub(super) fn beyond_face(polyhedron: &Polyhedron, edge: &Edge, side: usize, point: &Vec3) -> f64 {
    let [start, end] = edge.vertices.map(|end| polyhedron.vertices()[end as usize]);
    // The left face runs along the edge, the right one against it; outward in the face is to the right of its run.
    let along = if side == 0 { end - start } else { start - end };
    along.cross(&polyhedron.normal(edge.faces[side] as usize)).dot(&(point - start))
}

/// On which side of an edge a face lies.
#[inline]
pub(super) fn side_of(edge: &Edge, face: u32) -> usize {
    usize::from(edge.faces[0] != face)
}

/// What planes leave of an edge: from `part[0]` to `part[1]` of its length, and the features beyond the planes that cut it there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// Where what is left starts and ends [-]; nothing is left where they are in the wrong order.
    pub(super) part: [f64; 2],
    /// The feature beyond each end; none where the edge itself ends.
    pub(super) beyond: [Option<Feature>; 2],
}

impl Cut {
    /// The whole edge.
    pub(super) fn whole() -> Self {
        Self { part: [0.0, 1.0], beyond: [None; 2] }
    }

    /// Cuts by the plane to a neighbouring feature, from the heights of the edge's two ends over it, positive in the region; whether the
    /// whole edge is beyond the plane.
    #[inline]
    pub(super) fn by(&mut self, heights: [f64; 2], neighbour: Feature) -> bool {
        let [start, end] = heights;
        match (start < 0.0, end < 0.0) {
            (true, true) => return true,
            (true, false) => {
                let at = start / (start - end);
                if at > self.part[0] {
                    (self.part[0], self.beyond[0]) = (at, Some(neighbour));
                }
            }
            (false, true) => {
                let at = start / (start - end);
                if at < self.part[1] {
                    (self.part[1], self.beyond[1]) = (at, Some(neighbour));
                }
            }
            (false, false) => {}
        }
        false
    }

    /// The feature beyond that end where the distance falls on leaving the region, from the slope of the distance at each part of the edge.
    #[inline]
    pub(super) fn downhill(&self, slope: impl Fn(f64) -> f64) -> Option<Feature> {
        let [from, to] = self.part;
        let [before, after] = self.beyond;
        before.filter(|_| slope(from) > 0.0).or_else(|| after.filter(|_| slope(to) < 0.0))
    }
}
