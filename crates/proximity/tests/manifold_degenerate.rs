//! Manifolds of what is hard: touching, coincident, flat, thin, tiny, huge, duplicated, parallel and far shapes, odd settings, shapes of the
//! caller's own. Never a NaN, never a panic, always a contact where the shapes are near.

#[path = "../../geometry/tests/shape_zoo/mod.rs"]
#[allow(dead_code, reason = "the shapes are used here, not their own checks")]
mod shape_zoo;

mod manifold_checks;
mod pair_checks;

use std::sync::Arc;

use manifold_checks::{are_at, at, check_manifold, cuboid, hull, touching, turned};
use pair_checks::{PlacedShape, random_pose};
use shape_zoo::{HullOf, zoo};
use zerogap_core::{Feature, GapStatus, Manifold, Pose, Vec3};
use zerogap_geometry::shape::{Polygon, SupportFunction, Triangle, UserShape};
use zerogap_geometry::{ConvexShape, Polyhedron, Shape};
use zerogap_proximity::collider::Collider;
use zerogap_proximity::convex::{ContactCache, ContactParams, contacts, contacts_with};
use zerogap_testkit::count;
use zerogap_testkit::exact_distance::signed_distance;
use zerogap_testkit::random::Random;

/// Whether all numbers of a manifold are finite and its normal is a unit vector.
#[track_caller]
fn is_sound(manifold: &Manifold, what: &str) {
    let gap = &manifold.gap;
    let sound = |v: &Vec3| v.iter().all(|x| x.is_finite());
    assert!(gap.gap.is_finite() && !gap.lower.is_nan() && !gap.upper.is_nan(), "{what}: {manifold:#?}");
    assert!((manifold.normal.norm() - 1.0).abs() < 1e-14, "{what}: {manifold:#?}");
    for contact in &manifold.contacts {
        let points = sound(&contact.point_a) && sound(&contact.point_b) && sound(&contact.normal);
        assert!(contact.gap.is_finite() && points, "{what}: {manifold:#?}");
    }
    let mut ids: Vec<u64> = manifold.contacts.iter().map(|contact| contact.id.packed()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|two| two[0] != two[1]), "{what}: {manifold:#?}");
}

#[test]
fn shapes_in_one_pose_with_themselves_have_contacts() {
    let mut random = Random::new(1);
    for (name, shape) in zoo(1.0) {
        for _ in 0..5 {
            let pose = random_pose(&mut random, 1.0);
            let found = contacts(&shape, &pose, &shape, &pose, &ContactParams::default());
            is_sound(&found, name);
            assert!(!found.contacts.is_empty(), "{name}: {found:#?}");
            let placed = PlacedShape::new(shape.clone(), pose);
            check_manifold(&placed, &placed, &found, &ContactParams::default());
        }
    }
}

#[test]
fn sheets_edge_on_and_crossing_have_contacts() {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let square: ConvexShape = Polygon::new(&corners).unwrap().into();
    let table = cuboid(4.0, 4.0, 2.0);
    let quarter = std::f64::consts::FRAC_PI_2;
    // On its edge on the table: a line.
    let standing =
        touching(&table, &Pose::identity(), &square, &turned(0.0, 0.0, 2.0, Vec3::x(), quarter), 1e-3);
    are_at(&standing.contacts, &[[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]], 1e-15);
    assert!(matches!(standing.features.unwrap().b, Feature::Edge(_)));
    // Edge to edge in one plane, corner to corner, one in the other, one on the other.
    for pose in [at(2.0, 0.5, 0.0), at(2.0, 2.0, 0.0), at(0.5, 0.3, 0.0), at(0.0, 0.0, 1e-4)] {
        let found = touching(&square, &Pose::identity(), &square, &pose, 1e-3);
        is_sound(&found, "squares in a plane");
        assert!(!found.contacts.is_empty() && found.gap.gap.abs() <= 2e-4, "{found:#?}");
    }
    // Stuck through each other.
    let crossed =
        touching(&square, &Pose::identity(), &square, &turned(0.1, 0.2, 0.1, Vec3::x(), quarter), 1e-3);
    is_sound(&crossed, "crossed");
    assert!(!crossed.contacts.is_empty());
    // Corners in one line, and in one place.
    let line = Triangle::new(Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0).unwrap().into();
    let lying = touching(&table, &Pose::identity(), &line, &at(-0.5, 0.0, 1.0), 1e-3);
    are_at(&lying.contacts, &[[-0.5, 0.0, 1.0], [1.5, 0.0, 1.0]], 1e-15);
}

#[test]
fn thin_plates_touch_with_their_faces() {
    let plate = cuboid(1.0, 1.0, 1e-6);
    for (a, b) in manifold_checks::alike(&plate, &plate) {
        for (gap, tolerance) in [(0.0, 1e-16), (1e-7, 1e-16), (-1e-7, 1e-16)] {
            let found = touching(&a, &Pose::identity(), &b, &at(0.25, 0.0, 1e-6 + gap), 1e-3);
            let z = 5e-7;
            are_at(
                &found.contacts,
                &[[0.5, 0.5, z], [0.5, -0.5, z], [-0.25, 0.5, z], [-0.25, -0.5, z]],
                1e-15,
            );
            assert!(
                found.contacts.iter().all(|contact| (contact.gap - gap).abs() <= tolerance),
                "{found:#?}"
            );
        }
    }
}

#[test]
fn boxes_of_every_size_and_place_touch_in_four_corners() {
    for size in [1e-50, 1e-9, 1.0, 1e9, 1e50] {
        let cube = cuboid(2.0 * size, 2.0 * size, 2.0 * size);
        for (a, b) in manifold_checks::alike(&cube, &cube) {
            let pose = at(0.5 * size, 0.0, 2.0 * size);
            let found = contacts(&a, &Pose::identity(), &b, &pose, &ContactParams::within(1e-3 * size));
            let corners = [[1., 1., 1.], [-0.5, 1., 1.], [1., -1., 1.], [-0.5, -1., 1.]];
            are_at(&found.contacts, &corners.map(|p| p.map(|x| x * size)), 1e-15 * size);
        }
    }
    // A mote and a mountain.
    let (mote, mountain) = (cuboid(1e-9, 1e-9, 1e-9), cuboid(1e3, 1e3, 1e3));
    let found = touching(&mountain, &Pose::identity(), &mote, &at(1.0, 2.0, 500.0), 1e-6);
    assert!(!found.contacts.is_empty());
    is_sound(&found, "mote");
    // Far from the origin: as exact as numbers are there.
    let cube = cuboid(2.0, 2.0, 2.0);
    for far in [1e6, -1e6] {
        for (a, b) in manifold_checks::alike(&cube, &cube) {
            let found = touching(&a, &at(far, far, far), &b, &at(far + 0.5, far, far + 2.0), 1e-3);
            assert_eq!(found.contacts.len(), 4, "{found:#?}");
            assert!(found.contacts.iter().all(|contact| contact.gap.abs() <= 1e-12), "{found:#?}");
        }
    }
}

#[test]
fn doubled_corners_and_split_faces_change_nothing() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let corners = cube.corners().unwrap();
    // All corners twice, and the middles of all faces and edges.
    let mut more = [corners.clone(), corners.clone()].concat();
    for p in &corners {
        more.extend(corners.iter().map(|q| (p + q) * 0.5));
    }
    let heap: ConvexShape = Polyhedron::from_points(&more).unwrap().into();
    let found = touching(&cube, &Pose::identity(), &heap, &at(0.5, 0.25, 2.0), 1e-3);
    are_at(&found.contacts, &[[1., 1., 1.], [-0.5, 1., 1.], [1., -0.75, 1.], [-0.5, -0.75, 1.]], 1e-15);
}

#[test]
fn odd_settings_give_an_answer() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let (near, apart) = (at(0.5, 0.0, 1.9), at(0.5, 0.0, 2.1));
    let odd =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.05, 0.0, -0.0, f64::MAX, f64::MIN_POSITIVE];
    for (name, shape) in zoo(1.0) {
        for within in odd {
            for arc_tolerance in odd {
                let params = ContactParams {
                    within,
                    arc_tolerance,
                    tolerance: within,
                    at_most_four: true,
                    ..ContactParams::default()
                };
                for pose in [near, apart] {
                    let found = contacts(&cube, &Pose::identity(), &shape, &pose, &params);
                    assert!(found.contacts.len() <= 4, "{name} {params:?}: {found:#?}");
                    let (mut cache, mut warm) = (ContactCache::default(), Manifold::default());
                    contacts_with(&cube, &Pose::identity(), &shape, &pose, &params, &mut cache, &mut warm);
                    if !found.contacts.is_empty() {
                        is_sound(&found, name);
                    }
                    for contact in &found.contacts {
                        assert!(contact.gap <= within || within.is_nan(), "{name} {params:?}: {found:#?}");
                    }
                }
            }
        }
    }
    // A negative distance asks for deep contacts alone; an infinite one for all.
    let deep = contacts(&cube, &Pose::identity(), &cube, &near, &ContactParams::within(-0.05));
    assert_eq!(deep.contacts.len(), 4);
    let shallow = contacts(&cube, &Pose::identity(), &cube, &near, &ContactParams::within(-0.2));
    assert!(shallow.contacts.is_empty());
    let far =
        contacts(&cube, &Pose::identity(), &cube, &at(0.0, 0.0, 1e6), &ContactParams::within(f64::INFINITY));
    assert_eq!((far.contacts.len(), far.gap.status), (4, GapStatus::Exact));
}

/// A support function that is asked for the impossible: it answers with the same point always.
#[derive(Debug)]
struct Stubborn;

impl SupportFunction for Stubborn {
    fn support(&self, _: &Vec3) -> Vec3 {
        Vec3::new(0.5, 0.25, 0.125)
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::new(0.5, 0.25, 0.125)
    }
}

#[test]
fn shapes_of_the_callers_own_touch_in_their_nearest_points() {
    let table = cuboid(4.0, 4.0, 2.0);
    let user: ConvexShape = UserShape::new(Arc::new(HullOf(cuboid(1.0, 1.0, 1.0).corners().unwrap()))).into();
    let tilt = turned(0.3, 0.2, 2.0, Vec3::new(1.0, 2.0, 0.5), 0.7);
    let known = PlacedShape::new(cuboid(1.0, 1.0, 1.0), tilt).support(&-Vec3::z());
    let pose = Pose::new(tilt.translation() - Vec3::z() * (known.z - 1.0), tilt.quaternion_xyzw()).unwrap();
    for a in [table.clone(), hull(&table)] {
        let found = touching(&a, &Pose::identity(), &user, &pose, 1e-3);
        are_at(&found.contacts, &[[known.x, known.y, 1.0]], 1e-5);
        assert_eq!(found.contacts[0].id.b, Feature::Surface(0));
        let stubborn: ConvexShape = UserShape::new(Arc::new(Stubborn)).into();
        let found = touching(&a, &Pose::identity(), &stubborn, &at(0.0, 0.0, 0.875), 1e-3);
        are_at(&found.contacts, &[[0.5, 0.25, 1.0]], 1e-9);
    }
    // On a half-space too.
    let floor = Collider::from(Shape::half_space(Vec3::z(), 1.0).unwrap());
    let shape = Collider::from(user);
    let found =
        zerogap_proximity::contacts(&floor, &Pose::identity(), &shape, &pose, &ContactParams::default())
            .unwrap();
    are_at(&found.manifold.contacts, &[[known.x, known.y, 1.0]], 1e-14);
}

#[test]
fn any_two_shapes_of_any_size_anywhere_have_a_sound_manifold() {
    let sizes = [1e-50, 1e-20, 1e-9, 1e-3, 1.0, 1e3, 1e9, 1e20, 1e50];
    let zoos: Vec<_> = sizes.iter().map(|&size| zoo(size)).collect();
    let mut random = Random::new(9);
    let (mut cache, mut warm) = (ContactCache::default(), Manifold::default());
    for _ in 0..count(2_000, 200_000) {
        let (i, j) = (random.index(sizes.len()), random.index(sizes.len()));
        let [(name_a, a), (name_b, b)] = [i, j].map(|k| &zoos[k][random.index(zoos[k].len())]);
        let step = sizes[[i, j][random.index(2)]] * random.range(0.0, 2.0);
        let (pose_a, pose_b) = (random_pose(&mut random, step), random_pose(&mut random, step));
        let within = sizes[[i, j][random.index(2)]] * [0.0, 1e-3, 1.0, 10.0][random.index(4)];
        let params = ContactParams { at_most_four: random.index(2) == 0, ..ContactParams::within(within) };
        let found = contacts(a, &pose_a, b, &pose_b, &params);
        let what = format!("{name_a} of {:e} and {name_b} of {:e}", sizes[i], sizes[j]);
        is_sound(&found, &what);
        assert_eq!(
            found.contacts.is_empty(),
            found.gap.status == GapStatus::Farther || found.gap.gap > within,
            "{what}: {found:#?}"
        );
        // One cache for all: what an earlier pair left must not matter but for the choice of a normal.
        contacts_with(a, &pose_a, b, &pose_b, &params, &mut cache, &mut warm);
        is_sound(&warm, &what);
        assert_eq!(warm.gap.gap.to_bits(), found.gap.gap.to_bits(), "{what}");
    }
}

#[test]
fn a_box_that_slid_off_another_by_less_than_the_room_has_the_gap_of_a_cold_query() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let (on, params) = (at(1.9, 0.3, 2.0 + 1e-13), ContactParams::default());
    for aside in [1e-13, 5e-13, 1e-12, 3e-12, 6e-12] {
        let off = at(2.0 + aside, 0.3, 2.0 + 1e-13);
        let (mut cache, mut warm) = (ContactCache::default(), Manifold::default());
        contacts_with(&cube, &Pose::identity(), &cube, &on, &params, &mut cache, &mut warm);
        assert_eq!(warm.contacts.len(), 4);
        contacts_with(&cube, &Pose::identity(), &cube, &off, &params, &mut cache, &mut warm);
        let cold = contacts(&cube, &Pose::identity(), &cube, &off, &params);
        assert_eq!(warm.gap.gap.to_bits(), cold.gap.gap.to_bits(), "{aside:e}");
        // The exact distance is between the bounds.
        let corners = cube.corners().unwrap();
        let exact = signed_distance(&corners, &Pose::identity(), &corners, &off);
        assert!(
            warm.gap.lower <= exact.hi && exact.lo <= warm.gap.upper,
            "{aside:e}: {:?} {exact:?}",
            warm.gap
        );
    }
}
