//! Manifolds whose points are known by hand.

use zerogap_core::{Contact, Manifold, Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{ContactParams, contacts};

fn cuboid(x: f64, y: f64, z: f64) -> ConvexShape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// The box as a polyhedron.
fn hull(shape: &ConvexShape) -> ConvexShape {
    Polyhedron::from_points(&shape.corners().unwrap()).unwrap().into()
}

fn touching(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> Manifold {
    contacts(a, pose_a, b, pose_b, &ContactParams::default())
}

/// Whether the points of A are those given, in any order.
fn are_at(contacts: &[Contact], expected: &[[f64; 3]], tolerance: f64) {
    assert_eq!(contacts.len(), expected.len(), "{contacts:#?}");
    for point in expected {
        let point = Vec3::from(*point);
        let near = contacts.iter().filter(|contact| (contact.point_a - point).amax() <= tolerance).count();
        assert_eq!(near, 1, "{point} in {contacts:#?}");
    }
}

#[test]
fn a_box_on_a_box_touches_in_four_corners() {
    let cube = cuboid(2.0, 2.0, 2.0);
    for (a, b) in [(cube.clone(), cube.clone()), (hull(&cube), hull(&cube)), (cube.clone(), hull(&cube))] {
        let manifold = touching(&a, &Pose::identity(), &b, &at(0.0, 0.0, 2.0));
        are_at(&manifold.contacts, &[[1., 1., 1.], [-1., 1., 1.], [1., -1., 1.], [-1., -1., 1.]], 0.0);
        assert!(manifold.contacts.iter().all(|contact| contact.gap == 0.0 && contact.normal == Vec3::z()));
    }
}

#[test]
fn a_box_turned_by_45_degrees_on_a_box_touches_in_eight_points() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let turned =
        Pose::from_axis_angle(Vec3::new(0.0, 0.0, 2.0), Vec3::z(), std::f64::consts::FRAC_PI_4).unwrap();
    for b in [cube.clone(), hull(&cube)] {
        let manifold = touching(&cube, &Pose::identity(), &b, &turned);
        let s = 2.0_f64.sqrt() - 1.0;
        let expected = [
            [s, 1., 1.],
            [-s, 1., 1.],
            [s, -1., 1.],
            [-s, -1., 1.],
            [1., s, 1.],
            [1., -s, 1.],
            [-1., s, 1.],
            [-1., -s, 1.],
        ];
        are_at(&manifold.contacts, &expected, 1e-15);
    }
}
