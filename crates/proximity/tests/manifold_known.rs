//! Manifolds of boxes and polyhedra whose points are known by hand.

mod manifold_checks;
mod pair_checks;

use std::f64::consts::FRAC_PI_4;

use manifold_checks::{alike, are_at, at, cuboid, names, touching, truncated_icosahedron, turned};
use zerogap_core::{Feature, Pose, Vec3};
use zerogap_geometry::shape::{Point, Polygon, Segment, Triangle};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::distance;

/// Contacts up to this gap [m].
const WITHIN: f64 = 1e-3;

#[test]
fn a_box_on_a_box_touches_in_four_corners() {
    let cube = cuboid(2.0, 2.0, 2.0);
    for (a, b) in alike(&cube, &cube) {
        let manifold = touching(&a, &Pose::identity(), &b, &at(0.0, 0.0, 2.0), WITHIN);
        are_at(&manifold.contacts, &[[1., 1., 1.], [-1., 1., 1.], [1., -1., 1.], [-1., -1., 1.]], 0.0);
        assert!(manifold.contacts.iter().all(|contact| contact.gap == 0.0 && contact.normal == Vec3::z()));
    }
}

#[test]
fn a_box_turned_by_45_degrees_on_a_box_touches_in_eight_points() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let s = 2.0_f64.sqrt() - 1.0;
    let sides = [[s, 1., 1.], [-s, 1., 1.], [s, -1., 1.], [-s, -1., 1.]];
    let others = sides.map(|[x, y, z]| [y, x, z]);
    for (a, b) in alike(&cube, &cube) {
        let on_top = turned(0.0, 0.0, 2.0, Vec3::z(), FRAC_PI_4);
        let manifold = touching(&a, &Pose::identity(), &b, &on_top, WITHIN);
        are_at(&manifold.contacts, &[sides, others].concat(), 1e-15);
        assert!(manifold.contacts.iter().all(|contact| contact.gap == 0.0));
    }
}

#[test]
fn a_box_that_is_shifted_on_a_box_touches_in_the_common_rectangle() {
    let cube = cuboid(2.0, 2.0, 2.0);
    for (a, b) in alike(&cube, &cube) {
        let along_x = touching(&a, &Pose::identity(), &b, &at(0.5, 0.0, 2.0), WITHIN);
        are_at(&along_x.contacts, &[[1., 1., 1.], [-0.5, 1., 1.], [1., -1., 1.], [-0.5, -1., 1.]], 0.0);
        let both = touching(&a, &Pose::identity(), &b, &at(0.5, -0.25, 2.0), WITHIN);
        are_at(&both.contacts, &[[1., 0.75, 1.], [-0.5, 0.75, 1.], [1., -1., 1.], [-0.5, -1., 1.]], 0.0);
    }
    // A corner of each and two crossings, by their names.
    let both = touching(&cube, &Pose::identity(), &cube, &at(0.5, -0.25, 2.0), WITHIN);
    assert_eq!(
        names(&both),
        ["edge 2 on edge 4", "edge 7 on edge 1", "face 5 on vertex 2", "vertex 5 on face 4"]
    );
}

#[test]
fn a_box_on_its_edge_touches_in_the_ends_of_the_edge() {
    let (table, cube) = (cuboid(4.0, 4.0, 2.0), cuboid(2.0, 2.0, 2.0));
    for (a, b) in alike(&table, &cube) {
        let on_edge = |y: f64| turned(0.0, y, 1.0 + 2.0_f64.sqrt(), Vec3::y(), FRAC_PI_4);
        let inside = touching(&a, &Pose::identity(), &b, &on_edge(0.5), WITHIN);
        are_at(&inside.contacts, &[[0.0, 1.5, 1.0], [0.0, -0.5, 1.0]], 1e-15);
        assert!(
            matches!(inside.features.unwrap().b, Feature::Edge(_))
                && matches!(inside.features.unwrap().a, Feature::Face(_))
        );
        // One end beyond the table: there the edge crosses the table's border.
        let beyond = touching(&a, &Pose::identity(), &b, &on_edge(1.5), WITHIN);
        are_at(&beyond.contacts, &[[0.0, 0.5, 1.0], [0.0, 2.0, 1.0]], 1e-15);
        for contact in &beyond.contacts {
            let is_crossing = matches!((contact.id.a, contact.id.b), (Feature::Edge(_), Feature::Edge(_)));
            assert_eq!(is_crossing, contact.point_a.y > 1.0, "{contact:?}");
            assert!(contact.gap.abs() <= 1e-15, "{contact:?}");
        }
    }
}

#[test]
fn crossing_edges_touch_in_one_point() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let root = 2.0_f64.sqrt();
    for (a, b) in alike(&cube, &cube) {
        for gap in [0.0, 1e-4, -0.01] {
            let below = turned(0.0, 0.0, 0.0, Vec3::x(), FRAC_PI_4);
            let above = turned(0.25, 0.5, 2.0 * root + gap, Vec3::y(), FRAC_PI_4);
            let manifold = touching(&a, &below, &b, &above, WITHIN);
            are_at(&manifold.contacts, &[[0.25, 0.0, root]], 1e-14);
            let contact = &manifold.contacts[0];
            assert!(
                matches!((contact.id.a, contact.id.b), (Feature::Edge(_), Feature::Edge(_))),
                "{contact:?}"
            );
            assert!(
                (contact.gap - gap).abs() <= 1e-15 && (contact.normal - Vec3::z()).amax() <= 1e-15,
                "{contact:?}"
            );
        }
    }
}

#[test]
fn a_box_on_its_corner_touches_in_the_corner() {
    let (table, cube) = (cuboid(4.0, 4.0, 2.0), cuboid(2.0, 2.0, 2.0));
    let root = 3.0_f64.sqrt();
    // The space diagonal upright: about the axis across it and z, by the angle between them.
    let angle = zerogap_core::math::acos(1.0 / root);
    for (a, b) in alike(&table, &cube) {
        for gap in [0.0, 1e-4, -0.01] {
            let pose = turned(0.3, -0.4, 1.0 + root + gap, Vec3::new(1.0, -1.0, 0.0), angle);
            let manifold = touching(&a, &Pose::identity(), &b, &pose, WITHIN);
            are_at(&manifold.contacts, &[[0.3, -0.4, 1.0]], 1e-15);
            let contact = &manifold.contacts[0];
            assert!(
                matches!((contact.id.a, contact.id.b), (Feature::Face(_), Feature::Vertex(_))),
                "{contact:?}"
            );
            assert!((contact.gap - gap).abs() <= 1e-15 && contact.normal == Vec3::z(), "{contact:?}");
        }
    }
}

#[test]
fn a_box_that_tilts_keeps_all_four_contacts_with_gaps_of_their_own() {
    let (table, cube) = (cuboid(4.0, 4.0, 2.0), cuboid(2.0, 2.0, 2.0));
    for (a, b) in alike(&table, &cube) {
        for tilt in [1e-12, 1e-9, 1e-6, 1e-4, 1e-2] {
            let (s, c) = zerogap_core::math::sin_cos(tilt);
            // Level with the table in the middle, on it with the lower edge, pressed into it, above it.
            for rise in [0.0, s, -0.1, 5e-4] {
                let pose = turned(0.1, 0.2, 2.0 + rise, Vec3::y(), tilt);
                let manifold = touching(&a, &Pose::identity(), &b, &pose, 0.05);
                let (low, high) = (0.1 + c - s, 0.1 - c - s);
                are_at(
                    &manifold.contacts,
                    &[[low, 1.2, 1.0], [low, -0.8, 1.0], [high, 1.2, 1.0], [high, -0.8, 1.0]],
                    1e-14,
                );
                for contact in &manifold.contacts {
                    let side = if contact.point_a.x > 0.0 { -s } else { s };
                    let expected = 1.0 + rise - c + side;
                    assert!(
                        (contact.gap - expected).abs() <= 2e-15,
                        "{tilt} {rise}: {expected:e} {contact:?}"
                    );
                    assert_eq!(contact.normal, Vec3::z(), "{tilt} {rise}");
                }
            }
        }
    }
}

#[test]
fn a_box_on_a_face_a_thousand_times_larger_touches_in_its_corners() {
    let (floor, cube) = (cuboid(2000.0, 2000.0, 2.0), cuboid(2.0, 2.0, 2.0));
    for (a, b) in alike(&floor, &cube) {
        let manifold = touching(&a, &Pose::identity(), &b, &at(300.0, -400.0, 2.0), WITHIN);
        let corners = [[301., -401., 1.], [301., -399., 1.], [299., -401., 1.], [299., -399., 1.]];
        are_at(&manifold.contacts, &corners, 0.0);
        assert!(manifold.contacts.iter().all(|contact| contact.gap == 0.0 && contact.normal == Vec3::z()));
    }
}

#[test]
fn a_tetrahedron_on_an_octahedron_touches_in_three_corners_or_six_crossings() {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let octahedron: ConvexShape =
        Polyhedron::from_points(&[axes, axes.map(|axis| -axis)].concat()).unwrap().into();
    let middle = Vec3::repeat(1.0 / 3.0);
    let tetrahedron = |part: f64| -> ConvexShape {
        let base = axes.map(|axis| middle + (axis - middle) * part);
        Polyhedron::from_points(&[base[0], base[1], base[2], Vec3::repeat(1.0)]).unwrap().into()
    };
    let (half, sixth) = (2.0 / 3.0, 1.0 / 6.0);
    let here = Pose::identity();
    let small = touching(&octahedron, &here, &tetrahedron(0.5), &here, WITHIN);
    are_at(&small.contacts, &[[half, sixth, sixth], [sixth, half, sixth], [sixth, sixth, half]], 1e-15);
    // Turned round, each side cuts off a corner of the other.
    let (t, u) = (1.0 / 3.0, 2.0 / 3.0);
    let star = touching(&octahedron, &here, &tetrahedron(-1.0), &here, WITHIN);
    let expected = [[t, u, 0.], [u, t, 0.], [t, 0., u], [u, 0., t], [0., t, u], [0., u, t]];
    are_at(&star.contacts, &expected, 1e-15);
    for manifold in [small, star] {
        let normal = Vec3::repeat(1.0).normalize();
        assert!(
            manifold.contacts.iter().all(|c| c.gap.abs() <= 1e-15 && (c.normal - normal).amax() <= 1e-15)
        );
    }
}

#[test]
fn a_truncated_icosahedron_stands_on_all_corners_of_its_pentagon_or_hexagon() {
    let ball = truncated_icosahedron();
    assert_eq!((ball.vertices().len(), ball.face_count()), (60, 32));
    let table = cuboid(20.0, 20.0, 2.0);
    let mut seen = [0, 0];
    for face in 0..32 {
        let corners = ball.face_vertices(face);
        // The face turned down.
        let turn = nalgebra::UnitQuaternion::rotation_between(&ball.normal(face), &-Vec3::z());
        let Some(turn) = turn else { continue };
        let q = turn.quaternion();
        let height = 1.0 - (turn * ball.vertices()[corners[0] as usize]).z;
        let pose = Pose::new(Vec3::new(0.5, -1.0, height), [q.i, q.j, q.k, q.w]).unwrap();
        let expected: Vec<[f64; 3]> = corners
            .iter()
            .map(|&corner| {
                let at = pose.transform_point(&ball.vertices()[corner as usize]);
                [at.x, at.y, 1.0]
            })
            .collect();
        for (a, b) in
            [(table.clone(), ball.clone().into()), (manifold_checks::hull(&table), ball.clone().into())]
        {
            let manifold = touching(&a, &Pose::identity(), &b, &pose, WITHIN);
            are_at(&manifold.contacts, &expected, 1e-14);
            assert!(manifold.contacts.iter().all(|contact| contact.gap.abs() <= 1e-14));
            assert_eq!(manifold.features.unwrap().b, Feature::Face(face as u32));
        }
        seen[corners.len() - 5] += 1;
    }
    assert!(seen[0] >= 11 && seen[1] >= 19, "{seen:?}");
}

#[test]
fn sheets_touch_with_either_side() {
    let table = cuboid(4.0, 4.0, 2.0);
    let corners = [[0.0, 0.0], [1.0, 0.25], [0.5, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
    let polygon = Polygon::new(&square).unwrap();
    let sheets: [(ConvexShape, &[Vec3]); 2] = [(triangle.into(), &corners), (polygon.into(), &square)];
    for (sheet, corners) in sheets {
        for gap in [0.0, 0.0005] {
            for (angle, side) in [(0.0, 1), (std::f64::consts::PI, 0)] {
                let pose = turned(0.0, 0.0, 1.0 + gap, Vec3::x(), angle);
                let manifold = touching(&table, &Pose::identity(), &sheet, &pose, WITHIN);
                let expected: Vec<[f64; 3]> =
                    corners.iter().map(|p| [p.x, if side == 1 { p.y } else { -p.y }, 1.0]).collect();
                are_at(&manifold.contacts, &expected, 1e-15);
                assert!(manifold.contacts.iter().all(|contact| (contact.gap - gap).abs() <= 4e-16));
                assert_eq!(manifold.features.unwrap().b, Feature::Face(side));
                assert!(manifold.contacts.iter().all(|contact| matches!(contact.id.b, Feature::Vertex(_))));
            }
        }
    }
}

#[test]
fn a_segment_and_a_point_touch_a_box_with_what_they_have() {
    let table = cuboid(4.0, 4.0, 2.0);
    for a in [table.clone(), manifold_checks::hull(&table)] {
        let segment = Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(3.0, 0.5, 0.0)).unwrap().into();
        let lying = touching(&a, &Pose::identity(), &segment, &at(-2.5, 0.0, 1.0), WITHIN);
        // From the border at x = -2 on to the end.
        are_at(&lying.contacts, &[[-2.0, 0.5 / 6.0, 1.0], [0.5, 0.5, 1.0]], 1e-15);
        let point = Point::new(Vec3::new(0.5, 0.25, 0.0)).unwrap().into();
        let alone = touching(&a, &Pose::identity(), &point, &at(0.0, 0.0, 0.75), WITHIN);
        are_at(&alone.contacts, &[[0.5, 0.25, 1.0]], 0.0);
        assert!((alone.contacts[0].gap + 0.25).abs() <= f64::EPSILON);
        assert_eq!(alone.contacts[0].id.b, Feature::Vertex(0));
    }
}

/// Figure 2 of Cheng Yi and Drumwright: normals taken from the nearest surfaces of each corner may hold two boxes in each other.
#[test]
fn a_small_box_pressed_into_the_edge_of_a_large_one_comes_free_along_the_normal() {
    let (large, small) = (cuboid(4.0, 4.0, 1.0), cuboid(0.5, 0.5, 0.5));
    let mut deep = 0;
    for (a, b) in alike(&large, &small) {
        for k in 0..400 {
            // Around the upper edge at x = 2, from beside the large box to above it, and turned a little.
            let (x, z) = (1.7 + 0.03 * f64::from(k % 20), 0.2 + 0.03 * f64::from(k / 20));
            let pose = turned(x, 0.3, z, Vec3::new(1.0, 2.0, 3.0), 0.01 * f64::from(k % 7));
            let manifold = touching(&a, &Pose::identity(), &b, &pose, WITHIN);
            let Some(contact) = manifold.contacts.first().filter(|_| manifold.gap.gap < 0.0) else {
                continue;
            };
            let depth = -manifold.gap.gap;
            let apart =
                |s: f64| Pose::new(pose.translation() + contact.normal * s, pose.quaternion_xyzw()).unwrap();
            // Half the way leaves half the depth, the whole way none: there is nothing that holds them.
            for part in [0.5, 1.0, 1.5] {
                let left = distance(&a, &Pose::identity(), &b, &apart(part * depth)).gap;
                assert!((left - (part - 1.0) * depth).abs() <= 1e-14, "{part}: {left:e} of {manifold:#?}");
            }
            // The way out is one of the two open sides of the edge, not deeper in or along it.
            assert!(contact.normal.x > -1e-9 && contact.normal.z > -1e-9, "{manifold:#?}");
            deep += 1;
        }
    }
    assert!(deep > 800, "{deep} overlaps only");
}

/// Figure 3 of the same: a ball sunk into a long box far from its middle is pushed out of the face, not along the line of the centres.
#[test]
fn a_ball_sunk_into_a_long_box_leaves_through_the_face() {
    let ball = truncated_icosahedron();
    let radius = ball.reach();
    let long = cuboid(200.0, 10.0, 10.0);
    let mut random = zerogap_testkit::random::Random::new(3);
    for a in [long.clone(), manifold_checks::hull(&long)] {
        for _ in 0..40 {
            let place = Vec3::new(
                random.range(60.0, 90.0),
                random.range(-0.5, 0.5),
                5.0 + random.range(-0.2, 0.8) * radius,
            );
            let pose = Pose::new(place, random.quaternion_xyzw()).unwrap();
            let manifold = touching(&a, &Pose::identity(), &ball.clone().into(), &pose, WITHIN);
            let lowest =
                ball.vertices().iter().map(|p| pose.transform_point(p).z).fold(f64::INFINITY, f64::min);
            assert!(manifold.contacts.iter().all(|contact| contact.normal == Vec3::z()), "{manifold:#?}");
            assert!((manifold.gap.gap - (lowest - 5.0)).abs() <= 1e-13, "{lowest} {:?}", manifold.gap);
        }
    }
}
