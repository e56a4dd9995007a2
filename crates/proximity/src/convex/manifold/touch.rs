//! Whether shapes that just touch have but one normal.
//!
//! In: what was found where they touch. Out: unique, or one of several. A search for the gap cannot decide this at zero, where all its points coincide; the
//! contact point of the features can. Inside a face of either shape, or where two edges cross, there is one direction that separates; at
//! corners, and where edges run along each other, there are many.

use zerogap_core::{ContactId, Feature, NormalKind};
use zerogap_geometry::ConvexShape;

use super::overlay::Overlay;
use super::patch::Patch;

/// Whether a shape has corners and edges, and nothing that is round.
pub(in super::super) fn is_sharp(shape: &ConvexShape) -> bool {
    use ConvexShape as S;
    matches!(
        shape,
        S::Point(_) | S::Segment(_) | S::Triangle(_) | S::Polygon(_) | S::Cuboid(_) | S::Polyhedron(_)
    )
}

/// Whether the normal is the only one where the nearest contacts, those up to the gap `nearest`, lie.
pub(super) fn kind_at_touch(
    overlay: &Overlay,
    patches: [&Patch; 2],
    features: ContactId,
    nearest: f64,
) -> NormalKind {
    let mut touching = overlay.patch_points.iter().filter(|patch_point| patch_point.gap <= nearest);
    let Some(first) = touching.next() else { return NormalKind::Chosen };
    // The middle of the place where they touch is on no border that it need not be on.
    let (sum, count) = touching.fold((first.place, 1.0), |(sum, count), patch_point| {
        ([sum[0] + patch_point.place[0], sum[1] + patch_point.place[1]], count + 1.0)
    });
    let middle = sum.map(|x| x / count);
    let is_inside = |k: usize, feature: Feature| {
        feature == patches[k].name && patches[k].is_polygon() && overlay.is_within(k, middle)
    };
    // A crossing of two edges is named by both, and lies inside of both.
    let is_edge = |feature: Feature| matches!(feature, Feature::Edge(_));
    let crosses = first.id == features && is_edge(features.a) && is_edge(features.b);
    if is_inside(0, features.a) || is_inside(1, features.b) || crosses {
        NormalKind::Unique
    } else {
        NormalKind::Chosen
    }
}
