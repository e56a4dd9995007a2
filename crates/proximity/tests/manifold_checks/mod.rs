//! What every manifold must satisfy, and short words for making shapes and poses.
#![allow(dead_code, reason = "each test file takes the checks that it needs")]

pub(crate) mod patches;

use zerogap_core::math::sin_cos;
use zerogap_core::{Contact, ContactId, GapStatus, Manifold, NormalKind, Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{Convex, ConvexShape, Polyhedron};
use zerogap_proximity::convex::{ContactParams, contacts};

use crate::pair_checks::{PlacedShape, is_exact, size};

/// Places in the contact plane that differ by no more are one, against the size of the pair [-], for polytopes and for other shapes, whose points are
/// known to the root of what their gap is known to and on rims that are sampled; the corners of a border may bend in by as much.
const PLACE: (f64, f64) = (1e-11, 1e-3);

/// The same for two discs: chords of their sampled rims may cross where the arcs do not, and then stand for them.
const LENS: f64 = 0.02;

/// Whether a shape has rims, which are sampled.
fn has_rim(shape: &ConvexShape) -> bool {
    match shape {
        ConvexShape::Cylinder(_) | ConvexShape::Frustum(_) => true,
        ConvexShape::Rounded(rounded) => has_rim(rounded.core()),
        _ => false,
    }
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> ConvexShape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

pub(crate) fn turned(x: f64, y: f64, z: f64, axis: Vec3, angle: f64) -> Pose {
    Pose::from_axis_angle(Vec3::new(x, y, z), axis, angle).unwrap()
}

/// The hull of a polytope's corners, as a polyhedron.
pub(crate) fn hull(shape: &ConvexShape) -> ConvexShape {
    Polyhedron::from_points(&shape.corners().unwrap()).unwrap().into()
}

/// Two boxes as boxes and as polyhedra, in all four ways.
pub(crate) fn alike(a: &ConvexShape, b: &ConvexShape) -> [(ConvexShape, ConvexShape); 4] {
    [(a.clone(), b.clone()), (hull(a), hull(b)), (a.clone(), hull(b)), (hull(a), b.clone())]
}

/// A football with edges of length 2: twelve pentagons and twenty hexagons.
pub(crate) fn truncated_icosahedron() -> Polyhedron {
    let phi = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for [x, y, z] in [[0.0, 1.0, 3.0 * phi], [1.0, 2.0 + phi, 2.0 * phi], [phi, 2.0, 2.0 * phi + 1.0]] {
        for signs in 0..8_u32 {
            let sign = |bit: u32, value: f64| if signs >> bit & 1 == 1 { -value } else { value };
            let (x, y, z) = (sign(0, x), sign(1, y), sign(2, z));
            corners.extend([Vec3::new(x, y, z), Vec3::new(y, z, x), Vec3::new(z, x, y)]);
        }
    }
    Polyhedron::from_points(&corners).unwrap()
}

/// A prism with a regular polygon of `n` corners as its base, axis along z.
pub(crate) fn prism(n: usize, radius: f64, length: f64) -> ConvexShape {
    let ring = |k: usize, z: f64| {
        let (s, c) = sin_cos(std::f64::consts::TAU * k as f64 / n as f64);
        Vec3::new(radius * c, radius * s, z)
    };
    let corners: Vec<Vec3> = (0..n).flat_map(|k| [ring(k, 0.5 * length), ring(k, -0.5 * length)]).collect();
    Polyhedron::from_points(&corners).unwrap().into()
}

/// The manifold of two shapes, which is held to its form and to be the same seen from B.
#[track_caller]
pub(crate) fn touching(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    within: f64,
) -> Manifold {
    let params = ContactParams::within(within);
    let manifold = contacts(a, pose_a, b, pose_b, &params);
    let (placed_a, placed_b) = (PlacedShape::new(a.clone(), *pose_a), PlacedShape::new(b.clone(), *pose_b));
    check_manifold(&placed_a, &placed_b, &manifold, &params);
    let mut seen_from_b = contacts(b, pose_b, a, pose_a, &params);
    seen_from_b.swap();
    assert_eq!(bits(&seen_from_b), bits(&manifold), "seen from B: {seen_from_b:#?}\n{manifold:#?}");
    manifold
}

/// Whether the points of A are those given, in any order.
#[track_caller]
pub(crate) fn are_at(contacts: &[Contact], expected: &[[f64; 3]], tolerance: f64) {
    assert_eq!(contacts.len(), expected.len(), "{contacts:#?}");
    for point in expected {
        let point = Vec3::from(*point);
        let near = contacts.iter().filter(|contact| (contact.point_a - point).amax() <= tolerance).count();
        assert_eq!(near, 1, "{point} in {contacts:#?}");
    }
}

/// The names of all contacts, sorted.
pub(crate) fn names(manifold: &Manifold) -> Vec<String> {
    let mut names: Vec<String> = manifold.contacts.iter().map(|contact| contact.id.to_string()).collect();
    names.sort();
    names
}

/// All that a manifold says but how long it took, in bits.
pub(crate) fn bits(manifold: &Manifold) -> (Vec<u64>, [NormalKind; 2], GapStatus) {
    let gap = &manifold.gap;
    let mut all = vec![gap.gap, gap.lower, gap.upper];
    let mut add = |vectors: [&Vec3; 3]| all.extend(vectors.into_iter().flat_map(|v| [v.x, v.y, v.z]));
    add([&gap.normal, &gap.point_a, &gap.point_b]);
    add([&manifold.normal; 3]);
    for contact in &manifold.contacts {
        add([&contact.normal, &contact.point_a, &contact.point_b]);
    }
    all.extend(manifold.contacts.iter().map(|contact| contact.gap));
    let mut all: Vec<u64> = all.into_iter().map(f64::to_bits).collect();
    all.extend(manifold.features.map(ContactId::packed));
    all.extend(manifold.contacts.iter().map(|contact| contact.id.packed()));
    (all, [gap.normal_kind, manifold.normal_kind], gap.status)
}

/// What holds for every manifold: all numbers finite, one unit normal, points with the gap between them along it, names used once, gaps
/// within what was asked for, the smallest of them that of the shapes, and contacts in order around a convex polygon.
#[track_caller]
pub(crate) fn check_manifold(a: &PlacedShape, b: &PlacedShape, manifold: &Manifold, params: &ContactParams) {
    let gap = &manifold.gap;
    let tell = || format!("{manifold:#?}\n  of {a:?}\n  and {b:?}\n  {params:?}");
    if gap.status == GapStatus::Farther || gap.gap > params.within {
        assert!(manifold.contacts.is_empty(), "contacts beyond the limit: {}", tell());
        assert!(manifold.features.is_none(), "features beyond the limit: {}", tell());
        return;
    }
    let extent = size(a, b);
    let world = extent + a.pose.translation().norm().max(b.pose.translation().norm());
    let room = match (is_exact(a, b), has_rim(&a.shape) && has_rim(&b.shape)) {
        (true, _) => PLACE.0,
        (_, false) => PLACE.1,
        (_, true) => LENS,
    } * extent;
    let certificate = (gap.upper - gap.lower).max(2e-12 * extent);
    let contacts = &manifold.contacts;
    assert!(!contacts.is_empty(), "no contact: {}", tell());
    let normal = manifold.normal;
    assert!((normal.norm() - 1.0).abs() <= 16.0 * f64::EPSILON, "no unit normal: {}", tell());
    let mut least = f64::INFINITY;
    for contact in contacts {
        assert!(contact.normal == normal, "two normals: {}", tell());
        let rest = contact.point_b - contact.point_a - normal * contact.gap;
        assert!(rest.norm() <= 1e-14 * world, "{:e} off the normal: {}", rest.norm(), tell());
        assert!(contact.gap <= params.within, "beyond the limit: {}", tell());
        least = least.min(contact.gap);
    }
    assert!((least - gap.gap).abs() <= certificate, "least {least:e}, gap {:e}: {}", gap.gap, tell());
    let mut ids: Vec<u64> = contacts.iter().map(|contact| contact.id.packed()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), contacts.len(), "a name is used twice: {}", tell());
    // The normal bears out the gap.
    let along = zerogap_proximity::convex::separation(&a.shape, &a.pose, &b.shape, &b.pose, &normal);
    assert!(along >= gap.gap - certificate, "separated by {along:e} only: {}", tell());
    // Polygons: every turn is to the same side, and once around in all.
    let turns: Vec<f64> = turns(contacts, room);
    let left = turns.iter().all(|turn| *turn >= 0.0);
    let right = turns.iter().all(|turn| *turn <= 0.0);
    assert!(left || right, "no convex order {turns:?}: {}", tell());
}

/// By how much the border turns at each contact, as a height over the line of its neighbours [m]; 0 for less than `room`.
fn turns(contacts: &[Contact], room: f64) -> Vec<f64> {
    let count = contacts.len();
    if count < 3 {
        return Vec::new();
    }
    let point = |k: usize| contacts[k % count].point_a;
    let normal = contacts[0].normal;
    let middle = contacts.iter().map(|contact| contact.point_a).sum::<Vec3>() / count as f64;
    let mut all = Vec::new();
    for k in 0..count {
        let (p, q, r) = (point(k), point(k + 1), point(k + 2));
        for (u, v, w) in [(p, q, r), (p, q, middle)] {
            let along = v - u;
            // Two points in one place have no line.
            if along.norm() <= 4.0 * room {
                continue;
            }
            let height = normal.dot(&along.cross(&(w - u))) / along.norm();
            all.push(if height.abs() <= room { 0.0 } else { height });
        }
    }
    all
}

/// How far the contacts' points lie outside their shapes, at most [m].
pub(crate) fn outside(a: &PlacedShape, b: &PlacedShape, manifold: &Manifold) -> f64 {
    let of = |placed: &PlacedShape, point: &Vec3| {
        placed.shape.closest_point(&placed.pose.inverse_transform_point(point)).gap
    };
    let both = |contact: &Contact| of(a, &contact.point_a).max(of(b, &contact.point_b));
    manifold.contacts.iter().map(both).fold(f64::NEG_INFINITY, f64::max)
}
