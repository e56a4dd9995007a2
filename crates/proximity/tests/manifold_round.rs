//! Manifolds of curved shapes and half-spaces whose points are known by hand.

#[path = "../../geometry/tests/shape_zoo/mod.rs"]
#[allow(dead_code, reason = "the shapes are used here, not their own checks")]
mod shape_zoo;

mod manifold_checks;
mod pair_checks;

use std::f64::consts::{FRAC_PI_2, TAU};

use manifold_checks::{are_at, at, cuboid, hull, names, outside, touching, turned};
use pair_checks::PlacedShape;
use shape_zoo::zoo;
use zerogap_core::math::{atan2, sin_cos};
use zerogap_core::{Feature, Manifold, Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cylinder, Ellipsoid, Frustum, Sphere};
use zerogap_geometry::{Convex, ConvexShape, Shape, SupportHint};
use zerogap_proximity::collider::Collider;
use zerogap_proximity::{ContactParams, contacts};
use zerogap_testkit::random::Random;

/// Contacts up to this gap [m].
const WITHIN: f64 = 1e-3;

/// A table with its top at height 1, as a box, as a polyhedron and as a half-space.
fn on_tables(shape: &ConvexShape, pose: &Pose, within: f64, check: impl Fn(&Manifold)) {
    let table = cuboid(4.0, 4.0, 2.0);
    for a in [table.clone(), hull(&table)] {
        check(&touching(&a, &Pose::identity(), shape, pose, within));
    }
    check(&on_floor(shape, pose, within));
}

/// On the half-space below height 1; the same from both sides.
fn on_floor(shape: &ConvexShape, pose: &Pose, within: f64) -> Manifold {
    let floor = Collider::from(Shape::half_space(Vec3::z(), 1.0).unwrap());
    let shape = Collider::from(shape.clone());
    let (here, params) = (Pose::identity(), ContactParams::within(within));
    let manifold = contacts(&floor, &here, &shape, pose, &params).unwrap().manifold;
    let mut seen_from_b = contacts(&shape, pose, &floor, &here, &params).unwrap().manifold;
    seen_from_b.swap();
    assert_eq!(manifold_checks::bits(&seen_from_b), manifold_checks::bits(&manifold));
    manifold
}

fn all_gaps_are(manifold: &Manifold, gap: f64, tolerance: f64) {
    for contact in &manifold.contacts {
        assert!((contact.gap - gap).abs() <= tolerance, "{gap}: {manifold:#?}");
        assert!((contact.normal - Vec3::z()).amax() <= 4e-16, "{manifold:#?}");
    }
}

/// Eight points of a circle at height 1.
fn eight(x: f64, y: f64, radius: f64) -> Vec<[f64; 3]> {
    let angles = (0..8).map(|k| sin_cos(TAU * f64::from(k) / 8.0));
    angles.map(|(s, c)| [x + radius * c, y + radius * s, 1.0]).collect()
}

#[test]
fn a_standing_cylinder_touches_in_eight_points_of_its_rim() {
    let can = Cylinder::new(0.5, 1.0).unwrap().into();
    for gap in [0.0, 1e-4, -0.125] {
        on_tables(&can, &at(0.25, -0.5, 1.5 + gap), WITHIN, |manifold| {
            are_at(&manifold.contacts, &eight(0.25, -0.5, 0.5), 2e-16);
            all_gaps_are(manifold, gap, 3e-16);
            for contact in &manifold.contacts {
                let angle = atan2(contact.point_b.y + 0.5, contact.point_b.x - 0.25).rem_euclid(TAU);
                let name = (angle / TAU * 64.0).round() as u32 % 64;
                assert_eq!((contact.id.b, name % 8), (Feature::Vertex(name), 0), "{contact:?}");
            }
            assert_eq!(manifold.features.unwrap().b, Feature::Face(0));
        });
    }
    // Upside down it stands on the other rim.
    let over = turned(0.25, -0.5, 1.5, Vec3::x(), std::f64::consts::PI);
    on_tables(&can, &over, WITHIN, |manifold| {
        are_at(&manifold.contacts, &eight(0.25, -0.5, 0.5), 1e-15);
        assert_eq!(manifold.features.unwrap().b, Feature::Face(1));
        let is_upper = |name: Feature| matches!(name, Feature::Vertex(64..128)) || name == Feature::Edge(1);
        assert!(manifold.contacts.iter().all(|contact| is_upper(contact.id.b)), "{:?}", names(manifold));
    });
}

#[test]
fn a_leaning_cylinder_has_its_lowest_point_among_its_contacts() {
    let can = Cylinder::new(0.5, 1.0).unwrap().into();
    let mut random = Random::new(1);
    for tilt in [1e-9, 1e-6, 1e-4, 1e-2, 0.1] {
        for _ in 0..20 {
            let (y, x) = sin_cos(random.range(0.0, TAU));
            let spin = turned(0.0, 0.0, 0.0, Vec3::z(), random.range(0.0, TAU));
            let pose = turned(0.1, 0.2, 1.5, Vec3::new(x, y, 0.0), tilt) * spin;
            let (s, c) = sin_cos(tilt);
            let lowest = 0.5 - 0.5 * c - 0.5 * s;
            on_tables(&can, &pose, 1.0, |manifold| {
                let least = manifold.contacts.iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap();
                assert_eq!(least.id.b, Feature::Edge(0), "{manifold:#?}");
                assert!((least.gap - lowest).abs() <= 1e-15, "{tilt}: {lowest:e} {least:?}");
                let known = manifold.gap.lower - 1e-15..=manifold.gap.upper + 1e-15;
                assert!(known.contains(&lowest), "{tilt}: {lowest:e} {:?}", manifold.gap);
                // Eight points that it always has, and this one; each at its own height over the table.
                assert!((8..=9).contains(&manifold.contacts.len()), "{manifold:#?}");
                for contact in &manifold.contacts {
                    let local = pose.inverse_transform_point(&contact.point_b);
                    assert!((local.xy().norm() - 0.5).abs() <= 1e-15 && (local.z + 0.5).abs() <= 1e-15);
                    assert!((contact.gap - (contact.point_b.z - 1.0)).abs() <= 1e-15, "{contact:?}");
                }
            });
        }
    }
}

#[test]
fn a_lying_cylinder_touches_in_the_ends_of_its_line() {
    let can = Cylinder::new(0.5, 1.0).unwrap().into();
    for gap in [0.0, 1e-4, -0.125] {
        on_tables(&can, &turned(0.25, -0.5, 1.5 + gap, Vec3::y(), FRAC_PI_2), WITHIN, |manifold| {
            are_at(&manifold.contacts, &[[-0.25, -0.5, 1.0], [0.75, -0.5, 1.0]], 1e-15);
            all_gaps_are(manifold, gap, 4e-16);
            let mut ends = manifold.contacts.iter().map(|contact| contact.id.b).collect::<Vec<_>>();
            ends.sort();
            assert_eq!(ends, [Feature::Edge(0), Feature::Edge(1)]);
        });
    }
}

#[test]
fn a_lying_capsule_touches_below_the_ends_of_its_axis() {
    let capsule = Capsule::new(0.25, 1.5).unwrap().into();
    for gap in [0.0, 1e-4, -0.125] {
        on_tables(&capsule, &turned(0.25, -0.5, 1.25 + gap, Vec3::x(), FRAC_PI_2), WITHIN, |manifold| {
            are_at(&manifold.contacts, &[[0.25, -1.25, 1.0], [0.25, 0.25, 1.0]], 1e-15);
            all_gaps_are(manifold, gap, 4e-16);
            assert_eq!(manifold.features.unwrap().b, Feature::Edge(0));
        });
    }
}

#[test]
fn a_cone_stands_on_its_rim_and_lies_on_a_line() {
    let cone: ConvexShape = Frustum::cone(0.5, 1.5).unwrap().into();
    on_tables(&cone, &at(0.25, -0.5, 1.75), WITHIN, |manifold| {
        are_at(&manifold.contacts, &eight(0.25, -0.5, 0.5), 2e-16);
        all_gaps_are(manifold, 0.0, 3e-16);
    });
    // On the tip.
    let tip = turned(0.25, -0.5, 1.75, Vec3::x(), std::f64::consts::PI);
    on_tables(&cone, &tip, WITHIN, |manifold| {
        are_at(&manifold.contacts, &[[0.25, -0.5, 1.0]], 1e-15);
        assert_eq!(manifold.contacts[0].id.b, Feature::Vertex(64));
    });
    // The side from (0.5, 0, -0.75) to (0, 0, 0.75) turned level.
    let slope = atan2(0.5, 1.5);
    let lying = turned(0.0, 0.0, 0.0, Vec3::y(), FRAC_PI_2 + slope);
    let ends = [Vec3::new(0.5, 0.0, -0.75), Vec3::new(0.0, 0.0, 0.75)].map(|p| lying.transform_point(&p));
    assert!((ends[0].z - ends[1].z).abs() < 1e-15);
    let pose = Pose::new(Vec3::new(0.0, 0.0, 1.0 - ends[0].z), lying.quaternion_xyzw()).unwrap();
    on_tables(&cone, &pose, WITHIN, |manifold| {
        are_at(&manifold.contacts, &ends.map(|end| [end.x, 0.0, 1.0]), 1e-14);
        all_gaps_are(manifold, 0.0, 1e-15);
        assert_eq!(manifold.features.unwrap().b, Feature::Surface(0));
    });
}

#[test]
fn lying_cylinders_touch_in_two_points_beside_and_in_one_across() {
    let can: ConvexShape = Cylinder::new(0.5, 1.0).unwrap().into();
    let along = |x: f64, z: f64| turned(x, 0.0, z, Vec3::y(), FRAC_PI_2);
    for gap in [0.0, 1e-4, -0.125] {
        let beside = touching(&can, &along(0.0, 0.0), &can, &along(0.25, 1.0 + gap), WITHIN);
        are_at(&beside.contacts, &[[-0.25, 0.0, 0.5], [0.5, 0.0, 0.5]], 1e-14);
        all_gaps_are(&beside, gap, 1e-11);
        let across = turned(0.25, 0.125, 1.0 + gap, Vec3::x(), FRAC_PI_2);
        let across = touching(&can, &along(0.0, 0.0), &can, &across, WITHIN);
        are_at(&across.contacts, &[[0.25, 0.0, 0.5]], 1e-14);
        all_gaps_are(&across, gap, 1e-11);
    }
}

#[test]
fn capsules_side_by_side_touch_in_two_points_and_nearly_so_do_not_collapse_to_one() {
    let capsule: ConvexShape = Capsule::new(0.25, 1.0).unwrap().into();
    let along = turned(0.0, 0.0, 0.0, Vec3::y(), FRAC_PI_2);
    let lying = |x: f64, gap: f64, yaw: f64| {
        turned(0.0, 0.0, 0.0, Vec3::z(), yaw) * turned(x, 0.0, 0.5 + gap, Vec3::y(), FRAC_PI_2)
    };
    for gap in [0.0, 1e-4, -0.125] {
        let beside = touching(&capsule, &along, &capsule, &lying(0.25, gap, 0.0), WITHIN);
        are_at(&beside.contacts, &[[-0.25, 0.0, 0.25], [0.5, 0.0, 0.25]], 1e-15);
        all_gaps_are(&beside, gap, 2e-16);
        // Crossing at an angle of a thousandth: the crossing, and all four ends, half a millimetre aside, as two balls of that radius there.
        let yaw = 1e-3;
        let (s, c) = sin_cos(yaw);
        let crossed = touching(&capsule, &along, &capsule, &lying(0.0, gap, yaw), WITHIN);
        let aside = 0.5 * s;
        let fall = 0.25 - (0.25_f64.powi(2) - (0.5 * aside).powi(2)).sqrt();
        let (of_b, of_a) = ([0.5 * c, 0.5 * aside], [0.25 + 0.25 * c * c, 0.5 * aside * c]);
        let mut expected = vec![[0.0, 0.0, 0.25]];
        for [x, y] in [of_a, of_b] {
            expected.extend([[x, y, 0.25 - fall], [-x, -y, 0.25 - fall]]);
        }
        are_at(&crossed.contacts, &expected, 1e-12);
        for contact in &crossed.contacts {
            let expected = if contact.point_a.x.abs() < 0.1 { gap } else { gap + 2.0 * fall };
            assert!((contact.gap - expected).abs() <= 1e-14, "{expected:e} {contact:?}");
        }
    }
}

#[test]
fn a_capsule_that_rolls_over_an_edge_keeps_both_ends_on_it() {
    let (table, capsule) = (cuboid(4.0, 4.0, 2.0), ConvexShape::from(Capsule::new(0.25, 1.0).unwrap()));
    for a in [table.clone(), hull(&table)] {
        for yaw in [0.0, 1e-12, 1e-9, 1e-6, -1e-6, 1e-4, -1e-4, 1e-3, -1e-3] {
            for lean in [0.05, 0.15, 0.2, 0.8, 1.3, 1.5] {
                // The axis along y, out over the edge at x = 2.
                let (s, c) = sin_cos(lean);
                let pose = turned(2.0 + 0.25 * s, 0.0, 1.0 + 0.25 * c, Vec3::z(), yaw)
                    * turned(0.0, 0.0, 0.0, Vec3::x(), FRAC_PI_2);
                let manifold = touching(&a, &Pose::identity(), &capsule, &pose, WITHIN);
                let reach = |sign: f64| {
                    let ends = manifold.contacts.iter().map(|contact| sign * contact.point_a.y);
                    ends.fold(f64::NEG_INFINITY, f64::max)
                };
                assert!(reach(1.0) > 0.499 && reach(-1.0) > 0.499, "{yaw} {lean}: {manifold:#?}");
                assert!(manifold.contacts.iter().all(|contact| contact.gap.abs() <= yaw.abs() + 1e-15));
            }
        }
    }
}

#[test]
fn a_ball_touches_everything_in_one_point() {
    let ball = Sphere::new(0.5).unwrap().into();
    let mut random = Random::new(4);
    for (name, shape) in zoo(1.0) {
        for gap in [1e-4, 0.0, -0.05] {
            let a = PlacedShape::new(shape.clone(), pair_checks::random_pose(&mut random, 0.5));
            let b = PlacedShape::new(ConvexShape::clone(&ball), Pose::identity());
            let b = pair_checks::set_apart(&a, &b, &random.direction(), gap);
            let manifold = touching(&a.shape, &a.pose, &b.shape, &b.pose, WITHIN);
            assert_eq!(manifold.contacts.len(), 1, "{name}: {manifold:#?}");
            let contact = &manifold.contacts[0];
            assert!((contact.gap - manifold.gap.gap).abs() <= 1e-11, "{name}: {manifold:#?}");
            assert_eq!(contact.id.b, Feature::Surface(0));
        }
    }
}

#[test]
fn an_ellipsoid_and_a_rounded_box_rest_on_a_table() {
    let egg = Ellipsoid::new(Vec3::new(0.5, 0.75, 0.25)).unwrap().into();
    on_tables(&egg, &at(0.5, -0.25, 1.25), WITHIN, |manifold| {
        are_at(&manifold.contacts, &[[0.5, -0.25, 1.0]], 1e-7);
        all_gaps_are(manifold, 0.0, 1e-11);
    });
    let soap = cuboid(1.0, 1.5, 0.5).rounded(0.25).unwrap();
    for gap in [0.0, 1e-4, -0.125] {
        on_tables(&soap, &at(0.5, -0.25, 1.5 + gap), WITHIN, |manifold| {
            let corners = [[1.0, 0.5, 1.0], [0.0, 0.5, 1.0], [1.0, -1.0, 1.0], [0.0, -1.0, 1.0]];
            are_at(&manifold.contacts, &corners, 4e-16);
            all_gaps_are(manifold, gap, 4e-16);
            assert_eq!(manifold.features.unwrap().b, Feature::Face(4));
        });
    }
}

#[test]
fn every_shape_on_a_half_space_touches_in_points_of_its_own_at_their_heights() {
    let mut random = Random::new(5);
    for (name, shape) in zoo(1.0) {
        for _ in 0..50 {
            let turn = Pose::new(Vec3::zeros(), random.quaternion_xyzw()).unwrap();
            let down = turn.inverse_transform_vector(&-Vec3::z());
            let lowest = turn.transform_point(&shape.support(&down, &mut SupportHint::default())).z;
            for gap in [0.01, 0.0, -0.3] {
                let pose =
                    Pose::new(Vec3::new(0.3, 0.1, 1.0 + gap - lowest), turn.quaternion_xyzw()).unwrap();
                let manifold = on_floor(&shape, &pose, 0.05);
                let least = manifold.contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
                assert!((least - gap).abs() <= 1e-14, "{name}: {gap} {manifold:#?}");
                for contact in &manifold.contacts {
                    assert_eq!(contact.id.a, Feature::Face(0));
                    assert!((contact.point_b.z - 1.0 - contact.gap).abs() <= 1e-14, "{name}: {contact:?}");
                    assert!((contact.point_a.z - 1.0).abs() <= 1e-14, "{name}: {contact:?}");
                }
                let floor = PlacedShape::at(cuboid(9.0, 9.0, 9.0), 0.0, 0.0, -3.5);
                let out = outside(&floor, &PlacedShape::new(shape.clone(), pose), &manifold);
                assert!(out <= 1e-13, "{name}: {out:e} {manifold:#?}");
            }
        }
    }
}
