//! A contact on a face that proves itself.
//!
//! In: two patches, the normal of one of them, how far apart the shapes are along it, and where the patches lie over each other. Out: the gap of the
//! shapes with a certificate, without a search; or nothing, where the patches alone do not tell. Derivation:
//! `docs/derivations/settled_contact.md`.
//!
//! Bodies that rest on each other ask this question in every step. The answer of a query without cache goes through here as well, so that
//! both have the same bits.

use zerogap_core::{Gap, GapStatus, NormalKind, Vec3};
use zerogap_geometry::Convex;

use super::super::rounding::slack;
use super::normal::Placed;
use super::overlay::Overlay;
use super::patch::Patch;

/// Largest ratio of twice the depth and the footprint's radius [-]: the sine of the angle from which on the opposite side of the bodies must hold.
const MAX_SINE: f64 = 0.5;

/// Least cosine that goes with it [-]: the root of 3/4, rounded down.
const MIN_COSINE: f64 = 0.866;

/// The gap of two shapes from a contact on a face; `normal` is that of the face of one patch, or opposite to it, and `separation` how far apart the
/// shapes are along it [m].
///
/// Computes: the gap [m], exact to rounding, where no direction separates the shapes better than `normal`.
/// Method: apart, two points as near as the separation prove it. In overlap by d, the difference of the bodies holds the foot of the origin on the
///   face's plane, and at a depth of d - ε at least the difference of the two patches, which reaches ρ or more to every side of the
///   foot. Directions at an angle θ to the normal then lead out no sooner than after d cos θ, and after (d - ε) cos θ + ρ sin θ;
///   those against the normal after what the middles of the bodies tell.
/// Tolerance: as the certificate says; `slack` of the extent and what the two bounds above leave between them.
/// Cost: a product of the patches' corners and sides.
/// Fails: with none where the contact is deep against its footprint, or leans.
pub(super) fn proof(
    overlay: &Overlay,
    patches: [&Patch; 2],
    normal: &Vec3,
    separation: f64,
    both: &Placed<'_>,
    size: f64,
) -> Option<Gap> {
    let room = slack(size);
    let deepest = overlay.spots.iter().min_by(|p, q| p.gap.total_cmp(&q.gap))?;
    // Two points as near as the separation: the foot.
    if deepest.gap > separation + room {
        return None;
    }
    // Shapes that just touch need a footprint as well: on a corner there are many normals.
    let loss = if separation > room { 0.0 } else { loss(overlay, patches, normal, -separation, both)? };
    if loss > room {
        return None;
    }
    let gap = deepest.gap;
    Some(Gap {
        gap,
        lower: gap.min(separation) - room,
        upper: gap.max(separation) + room + loss,
        normal: *normal,
        normal_kind: NormalKind::Unique,
        point_a: deepest.point_a,
        point_b: deepest.point_a + normal * gap,
        status: GapStatus::Exact,
        iterations: 0,
    })
}

/// By how much less than `depth` [m] another direction could lead out; none where the patches do not tell.
fn loss(
    overlay: &Overlay,
    patches: [&Patch; 2],
    normal: &Vec3,
    depth: f64,
    both: &Placed<'_>,
) -> Option<f64> {
    // How far the difference of the patches reaches around the foot, and how much of it lies how much less deep.
    let depth = depth.max(0.0);
    let radius = overlay.footprint(patches);
    let ends = |patch: &Patch| {
        let heights = patch.corners.iter().map(|corner| normal.dot(&corner.point));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
    };
    let ((lowest_a, _), (_, highest_b)) = (ends(patches[0]), ends(patches[1]));
    let lean = (depth - (lowest_a - highest_b)).max(0.0);
    // Against the normal the middles of the bodies are far enough apart.
    let between = both.at.to_a(&both.b.interior_point()) - both.a.interior_point();
    let along = normal.dot(&between);
    let across = (between - normal * along).norm();
    let sine = 2.0 * depth / radius;
    let is_held = radius > overlay.room() && lean <= depth.max(overlay.room()) && sine <= MAX_SINE;
    let is_held_behind = MIN_COSINE * along - across * sine >= depth;
    (is_held && is_held_behind).then(|| 0.5 * depth * (lean / radius) * (lean / radius))
}
