//! A contact on a face that proves itself.
//!
//! In: two patches, the normal of one of them, how far apart the shapes are along it, and where the patches lie over each other. Out: the gap of the
//! shapes with a certificate, without a search; or nothing, where the patches alone do not suffice. Derivation:
//! `docs/derivations/settled_contact.md`.
//!
//! Bodies that rest on each other need this in every step. The answer of a query without cache passes through here as well, so that
//! both have the same bits.

use zerogap_core::{Gap, GapStatus, NormalKind, Vec3};
use zerogap_geometry::Convex;

use super::super::rounding::slack;
use super::normal::PlacedShapes;
use super::overlay::{Overlay, PatchPoint};
use super::patch::Patch;

/// Largest ratio of twice the depth and the footprint's radius [-]: the sine of the angle from which on the opposite side of the bodies must hold.
const MAX_SINE: f64 = 0.5;

/// The corresponding minimum cosine [-]: the root of 3/4, rounded down.
const MIN_COSINE: f64 = 0.866;

/// How far off the border of a patch the foot may lie, against the slack [-]: what the rounding of its place leaves, so that boxes stacked flush are settled.
const ON_BORDER: f64 = 0.25;

/// The gap of two shapes from a contact on a face; `normal` is that of the face of one patch, or opposite to it, and `separation` how far apart the
/// shapes are along it [m].
///
/// Computes: the gap [m], exact to rounding, where no direction separates the shapes better than `normal`.
/// Method: apart, two points as near as the separation prove it. In overlap by d, the difference of the bodies holds the foot of the origin on the
///   face's plane, and at a depth of d - ε at least the difference of the two patches, which reaches ρ or more to every side of the
///   foot. Directions at an angle θ to the normal then lead out no sooner than after d cos θ, and after (d - ε) cos θ + ρ sin θ;
///   those against the normal according to the middles of the bodies.
/// Tolerance: as the certificate says; `slack` of the extent and what the two bounds above leave between them.
/// Cost: a product of the patches' corners and sides.
/// Fails: with none where the contact is deep against its footprint, or leans.
pub(super) fn proof(
    overlay: &Overlay,
    patches: [&Patch; 2],
    normal: &Vec3,
    separation: f64,
    both: &PlacedShapes<'_>,
    size: f64,
) -> Option<Gap> {
    let room = slack(size);
    let deepest = overlay.patch_points.iter().min_by(|p, q| p.gap.total_cmp(&q.gap))?;
    // Two points as near as the separation: the foot. A point may lie off the border of a patch by the overlay's room, which is more than rounding:
    // such points are none of the shapes'.
    let is_foot = |patch_point: &PatchPoint| {
        patch_point.gap <= separation + room && overlay.is_over(patch_point.place, ON_BORDER * room)
    };
    if !overlay.patch_points.iter().any(is_foot) {
        return None;
    }
    // A footprint in any case: on a corner that just touches there are many normals, and one that rounding hides proves nothing.
    let radius = overlay.footprint(patches);
    if radius <= overlay.room() {
        return None;
    }
    let loss =
        if separation > room { 0.0 } else { loss(overlay, patches, normal, -separation, radius, both)? };
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

/// By how much less than `depth` [m] another direction could lead out, given the footprint's radius [m]; none where the patches do not bound it.
fn loss(
    overlay: &Overlay,
    patches: [&Patch; 2],
    normal: &Vec3,
    depth: f64,
    radius: f64,
    both: &PlacedShapes<'_>,
) -> Option<f64> {
    // How far the difference of the patches reaches around the foot, and how much of it lies how much less deep.
    let depth = depth.max(0.0);
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
    let is_kept = lean <= depth.max(overlay.room()) && sine <= MAX_SINE;
    let is_kept_behind = MIN_COSINE * along - across * sine >= depth;
    (is_kept && is_kept_behind).then(|| 0.5 * depth * (lean / radius) * (lean / radius))
}

#[cfg(test)]
mod tests {
    use zerogap_core::Pose;
    use zerogap_geometry::shape::{Cuboid, Cylinder};
    use zerogap_geometry::{ConvexShape, Polyhedron};
    use zerogap_testkit::{count, random::Random};

    use super::super::super::query::distance;
    use super::super::{ContactParams, contacts};
    use super::*;

    fn shape(random: &mut Random) -> ConvexShape {
        let size = Vec3::new(random.range(0.2, 2.0), random.range(0.2, 2.0), random.range(0.05, 2.0));
        match random.index(4) {
            0 => Cuboid::new(size).unwrap().into(),
            1 => Cylinder::new(size.x, size.y).unwrap().into(),
            2 => Polyhedron::from_points(&Cuboid::new(size).unwrap().corners()).unwrap().into(),
            _ => {
                let points: Vec<Vec3> = (0..12).map(|_| random.direction().component_mul(&size)).collect();
                Polyhedron::from_points(&points).unwrap().into()
            }
        }
    }

    #[test]
    fn what_a_face_proves_is_what_a_search_finds() {
        let mut random = Random::new(3);
        let (mut proved, mut deep) = (0, 0);
        for _ in 0..count(4_000, 400_000) {
            let (a, b) = (shape(&mut random), shape(&mut random));
            // On a face or leaning a little, from apart to deep in overlap, also beside the border.
            let lean = [0.0, 1e-12, 1e-8, 1e-5, 1e-3, 1e-2, 0.1, 1.0][random.index(8)];
            let quarter = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), random.range(0.0, 7.0)).unwrap();
            let axis = random.direction();
            let rotated = Pose::from_axis_angle(Vec3::zeros(), axis, lean * random.unit()).unwrap();
            let rotation = rotated.rotation() * quarter.rotation();
            let place = Vec3::new(random.range(-1.5, 1.5), random.range(-1.5, 1.5), 5.0);
            let q = rotation.quaternion();
            let above = Pose::new(place, [q.i, q.j, q.k, q.w]).unwrap();
            let start = distance(&a, &Pose::identity(), &b, &above);
            let depth = [0.0, 1e-14, 1e-9, 1e-6, 1e-3, 1e-2, 0.1, 0.3, -1e-4][random.index(9)];
            let down = start.normal * (start.gap + depth);
            let pose = Pose::new(place - down, above.quaternion_xyzw()).unwrap();
            let manifold = contacts(&a, &Pose::identity(), &b, &pose, &ContactParams::within(1e-3));
            let gap = distance(&a, &Pose::identity(), &b, &pose);
            // What was searched for is another test's matter.
            if manifold.gap == gap || manifold.gap.status != GapStatus::Exact || manifold.gap.iterations > 0 {
                continue;
            }
            proved += 1;
            deep += usize::from(gap.gap < -1e-3);
            let found = manifold.gap;
            assert!(
                gap.lower <= found.upper && found.lower <= gap.upper,
                "{gap:?} {found:?}\n{a:?}\n{b:?} {pose:?}"
            );
            assert!(found.upper - found.lower < 2e-13);
        }
        assert!(proved > count(400, 40_000) && deep > count(100, 10_000), "{proved} {deep}");
    }
}
