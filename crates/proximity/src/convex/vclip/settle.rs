//! The normal of features that are so near each other that rounding turns the line between them.
//!
//! In: a measured pair and how far its normal may be off. Out: normals to try, those of flat features first. A vertex straight over the corner of a face
//! that it is level with is the nearest pair as much as any other on that face; the line between the two gives the face's normal to few digits only,
//! the face gives all.

use zerogap_core::{ContactId, Feature, Vec3};
use zerogap_geometry::Polyhedron;

use super::measure::{FeatureDistance, across};
use super::view::{View, ends};
use crate::convex::segment_segment::beside;

/// Normals known better than this stay as they are [rad]: a tenth of what features may be out of level.
const SHARP: f64 = 1e-13;

/// Normals less accurate than this do not identify nearby features [rad].
const DULL: f64 = 1e-2;

/// The normal of a face or of edges that are level with the pair, as far as can be determined; none where the measured one is as good. In A's frame.
pub(super) fn settled(view: &View<'_>, pair: ContactId, found: &FeatureDistance) -> Option<Vec3> {
    if found.blur < SHARP || found.blur > DULL {
        return None;
    }
    let normal = found.normal;
    let towards_a = -view.swapped().rotated(&normal);
    // A face with the same direction.
    let of_a = level_face(view.own, pair.a, &normal, found.blur);
    let of_b = level_face(view.other, pair.b, &towards_a, found.blur);
    match (of_a, of_b) {
        (Some((turn, face)), Some((other_turn, _))) if turn <= other_turn => return Some(face),
        (_, Some((_, face))) => return Some(-view.rotated(&face)),
        (Some((_, face)), None) => return Some(face),
        (None, None) => {}
    }
    // Edges that lie across.
    let of_a = level_edge(view.own, pair.a, &normal, found.blur);
    let of_b = level_edge(view.other, pair.b, &towards_a, found.blur).map(|along| view.rotated(&along));
    let vector = match (of_a, of_b) {
        (Some(e), Some(f)) => {
            let (across, sine) = across(&e, &f);
            let longer = if e.norm_squared() < f.norm_squared() { f } else { e };
            // Parallel edges leave the direction between them open.
            if sine <= found.blur { beside(&normal, &longer) } else { across }
        }
        (Some(e), None) => beside(&normal, &e),
        (None, Some(f)) => beside(&normal, &f),
        (None, None) => return None,
    };
    let length = vector.norm();
    if length == 0.0 {
        return None;
    }
    Some(if vector.dot(&normal) < 0.0 { -vector / length } else { vector / length })
}

/// The face at a feature whose normal comes nearest to a direction, with the angle between them, at most `blur` [rad].
fn level_face(polyhedron: &Polyhedron, at: Feature, direction: &Vec3, blur: f64) -> Option<(f64, Vec3)> {
    let faces: &[u32] = match at {
        Feature::Vertex(vertex) => polyhedron.vertex_faces(vertex as usize),
        Feature::Edge(edge) => &polyhedron.edges()[edge as usize].faces,
        Feature::Face(_) | Feature::Surface(_) => &[],
    };
    let mut best: Option<(f64, Vec3)> = None;
    for &face in faces {
        let normal = polyhedron.normal(face as usize);
        let turn = (normal - direction).norm();
        if turn <= best.map_or(blur, |(smallest, _)| smallest) {
            best = Some((turn, normal));
        }
    }
    best
}

/// The edge at a feature that lies most nearly across a direction, within `blur` [rad]; an edge that is the feature itself in any case.
fn level_edge(polyhedron: &Polyhedron, at: Feature, direction: &Vec3, blur: f64) -> Option<Vec3> {
    let along = |edge: u32| {
        let [start, end] = ends(polyhedron, &polyhedron.edges()[edge as usize]);
        end - start
    };
    match at {
        Feature::Edge(edge) => Some(along(edge)),
        Feature::Vertex(vertex) => {
            let (mut best, mut smallest) = (None, blur);
            for &edge in polyhedron.vertex_edges(vertex as usize) {
                let along = along(edge);
                let sine = direction.dot(&along).abs() / along.norm();
                if sine <= smallest {
                    (best, smallest) = (Some(along), sine);
                }
            }
            best
        }
        Feature::Face(_) | Feature::Surface(_) => None,
    }
}
