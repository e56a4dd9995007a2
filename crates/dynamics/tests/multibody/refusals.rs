//! What is no tree is refused with the values that were wrong; what is not finite never turns into a number.

use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopKind, Motor, Tree, TreeBuilder, TreeError,
};

fn empty() -> TreeBuilder {
    TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81))
}

fn hinge(parent: Option<BodyId>) -> Joint {
    Joint::new(parent, JointKind::Revolute { axis: Vec3::z() })
}

fn ball() -> Inertia {
    Inertia::sphere(1.0, 0.5)
}

#[test]
fn bodies_that_cannot_be_are_refused() {
    let flat = Inertia { inertia: Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 3.0)), ..ball() };
    assert!(matches!(empty().body(flat, hinge(None)), Err(TreeError::Inertia { body: 0, .. })));
    for mass in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            empty().body(Inertia { mass, ..ball() }, hinge(None)),
            Err(TreeError::Mass { body: 0, .. })
        ));
    }
    let lost = Inertia { center: Vec3::new(f64::NAN, 0.0, 0.0), ..ball() };
    assert!(matches!(empty().body(lost, hinge(None)), Err(TreeError::Input { .. })));
    // A body on itself, or on one that comes later.
    for parent in [0, 7] {
        let error = empty().body(ball(), hinge(Some(BodyId(parent)))).unwrap_err();
        assert_eq!(error, TreeError::UnknownBody { body: 0, other: parent, known: 0 });
    }
}

#[test]
fn axes_without_direction_are_refused() {
    for axis in [Vec3::zeros(), Vec3::new(f64::NAN, 0.0, 1.0), Vec3::new(f64::INFINITY, 0.0, 0.0)] {
        for kind in [
            JointKind::Revolute { axis },
            JointKind::Prismatic { axis },
            JointKind::Cylindrical { axis },
            JointKind::Planar { normal: axis },
            JointKind::Universal { first: axis, second: Vec3::x() },
        ] {
            let error = empty().body(ball(), Joint::new(None, kind)).unwrap_err();
            assert!(matches!(error, TreeError::Input { body: 0, .. }), "{error}");
        }
    }
    let parallel = JointKind::Universal { first: Vec3::x(), second: -Vec3::x() * 3.0 };
    assert!(matches!(empty().body(ball(), Joint::new(None, parallel)), Err(TreeError::ParallelAxes { .. })));
}

#[test]
fn axes_of_any_length_are_directions() {
    let mut builder = empty();
    for length in [1e-200, 1.0, 1e200] {
        let axis = Vec3::new(0.0, length, 0.0);
        builder.body(ball(), Joint::new(None, JointKind::Revolute { axis })).unwrap();
    }
    let tree = builder.build().unwrap();
    assert!(
        (0..3).all(|i| matches!(tree.joint(BodyId(i)), JointKind::Revolute { axis } if *axis == Vec3::y()))
    );
}

#[test]
fn degrees_of_freedom_are_checked() {
    let mut builder = empty();
    let body = builder.body(ball(), hinge(None)).unwrap();
    let free = builder.body(ball(), Joint::new(None, JointKind::Free)).unwrap();
    let base = Dof::default();
    let bad = [
        Dof { lower: Some(1.0), upper: Some(0.0), ..base },
        Dof { lower: Some(f64::NAN), ..base },
        Dof { upper: Some(f64::NEG_INFINITY), ..base },
    ];
    for dof in bad {
        assert!(matches!(builder.dof(body, 0, dof), Err(TreeError::Limits { .. })), "{dof:?}");
    }
    let bad = [
        Dof { stiffness: -1.0, ..base },
        Dof { damping: f64::NAN, ..base },
        Dof { spring_reference: f64::INFINITY, ..base },
        Dof { restitution: 1.1, ..base },
        Dof { motor: Motor::Effort(f64::NAN), ..base },
        Dof { motor: Motor::Velocity { target: 0.0, gain: -1.0, limit: 1.0 }, ..base },
        Dof { motor: Motor::Velocity { target: 0.0, gain: 1.0, limit: f64::NAN }, ..base },
        Dof { motor: Motor::Position { target: 0.0, stiffness: 1.0, damping: -1.0, limit: 1.0 }, ..base },
    ];
    for dof in bad {
        assert!(matches!(builder.dof(body, 0, dof), Err(TreeError::DofValue { .. })), "{dof:?}");
    }
    let error = builder.dof(body, 1, base).unwrap_err();
    assert_eq!(error, TreeError::NoSuchDof { body: 0, index: 1, count: 1 });
    assert!(matches!(builder.dof(BodyId(9), 0, base), Err(TreeError::UnknownBody { .. })));
    // Rotations kept as quaternions have no angle to limit; their shifts have positions, and their rates can be damped.
    let limited = Dof { lower: Some(-1.0), ..base };
    assert!(matches!(builder.dof(free, 3, limited), Err(TreeError::NoCoordinate { index: 3, .. })));
    builder.dof(free, 2, limited).unwrap();
    builder.dof(free, 4, Dof { damping: 1.0, ..base }).unwrap();
    // Infinite limits are none, and the starting position respects the others.
    builder.dof(body, 0, Dof { lower: Some(0.2), upper: Some(f64::INFINITY), ..base }).unwrap();
    let mut tree = builder.build().unwrap();
    assert_eq!(tree.limits().len(), 2);
    assert!((tree.initial_positions()[0] - 0.2).abs() < 1e-15);
    assert!(tree.set_motor(body, 1, Motor::Off).is_err());
    assert!(tree.set_motor(body, 0, Motor::Effort(f64::NAN)).is_err());
    assert_eq!(tree.motor(body, 0).unwrap(), Motor::Off);
}

#[test]
fn a_chain_that_ends_without_inertia_is_refused() {
    let tip = |inertia: Inertia| {
        let mut builder = empty();
        let first = builder.body(ball(), hinge(None)).unwrap();
        let place = Pose::from_translation(Vec3::x()).unwrap();
        builder
            .body(
                inertia,
                Joint::new(Some(first), JointKind::Revolute { axis: Vec3::x() }).parent_frame(place),
            )
            .unwrap();
        builder.build()
    };
    assert_eq!(tip(Inertia::none()).unwrap_err(), TreeError::Singular { body: 1, index: 0 });
    // A point on the axis, and a rod along it, turn without inertia too; next to it they have some.
    assert!(tip(Inertia::point(1.0, Vec3::new(0.3, 0.0, 0.0))).is_err());
    let rod =
        Inertia { inertia: Mat3::from_diagonal(&Vec3::new(0.0, 1.0, 1.0)), ..Inertia::point(1.0, Vec3::x()) };
    assert!(tip(rod).is_err());
    assert!(tip(Inertia::point(1.0, Vec3::new(0.3, 0.1, 0.0))).is_ok());
    let free = |inertia| {
        let mut builder = empty();
        builder.body(inertia, Joint::new(None, JointKind::Free)).unwrap();
        builder.build()
    };
    assert!(matches!(
        free(Inertia::point(1.0, Vec3::zeros())),
        Err(TreeError::Singular { body: 0, index: 3 })
    ));
    assert!(free(ball()).is_ok());
}

/// A ball in two massless rings: three hinges with one axis after the other.
fn gimbal() -> Tree {
    let mut builder = empty();
    let mut parent = None;
    for (axis, inertia) in [(Vec3::x(), Inertia::none()), (Vec3::y(), Inertia::none()), (Vec3::x(), ball())] {
        parent = Some(builder.body(inertia, Joint::new(parent, JointKind::Revolute { axis })).unwrap());
    }
    builder.build().unwrap()
}

#[test]
fn a_massless_gimbal_works_and_says_when_it_is_locked() {
    let tree = gimbal();
    let mut ws = tree.workspace();
    let mut vdot = [0.0; 3];
    tree.update(0.0, &[0.1, 0.8, 0.3], &[1.0, 2.0, 3.0], &mut ws);
    tree.acceleration(&mut ws, &[], &[0.0; 3], &mut vdot);
    // A ball keeps its angular velocity whatever the rings do.
    let jacobian = tree.jacobian(&ws, BodyId(2), Vec3::zeros());
    let turned = jacobian * nalgebra::DVector::from_column_slice(&vdot);
    assert!(ws.singular() == 0 && (turned.fixed_rows::<3>(3) + ws.bias_angular(BodyId(2))).amax() < 1e-13);
    // With the middle ring at zero the outer and the inner axis are one.
    tree.update(0.0, &[0.1, 0.0, 0.3], &[1.0, 2.0, 3.0], &mut ws);
    tree.acceleration(&mut ws, &[], &[0.0; 3], &mut vdot);
    assert!(ws.singular() == 1 && vdot.iter().all(|x| x.is_finite()), "{} {vdot:?}", ws.singular());
}

#[test]
fn loops_are_checked() {
    let mut builder = empty();
    let body = builder.body(ball(), hinge(None)).unwrap();
    let frame = Pose::identity();
    let mut close = |a, b, kind| builder.close(Loop { a, frame_a: frame, b, frame_b: frame, kind });
    assert!(matches!(close(Some(body), Some(body), LoopKind::Point), Err(TreeError::Loop { .. })));
    assert!(matches!(close(None, None, LoopKind::Fixed), Err(TreeError::Loop { .. })));
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(close(Some(body), None, LoopKind::Distance(length)), Err(TreeError::Loop { .. })));
    }
    let axis = Vec3::zeros();
    assert!(matches!(close(Some(body), None, LoopKind::Revolute { axis }), Err(TreeError::Input { .. })));
    assert!(matches!(close(Some(BodyId(4)), None, LoopKind::Point), Err(TreeError::UnknownBody { .. })));
    assert!(close(Some(body), None, LoopKind::Point).is_ok());
    let weird = TreeBuilder::new(Vec3::new(f64::NAN, 0.0, 0.0)).build();
    assert!(matches!(weird, Err(TreeError::Gravity { .. })));
}

#[test]
fn states_that_are_not_finite_give_no_acceleration() {
    let mut builder = empty();
    builder.body(ball(), Joint::new(None, JointKind::Free)).unwrap();
    builder.body(ball(), hinge(Some(BodyId(0)))).unwrap();
    let tree = builder.build().unwrap();
    let (mut ws, mut vdot) = (tree.workspace(), vec![0.0; 7]);
    let good = tree.initial_positions();
    for (place, value) in [(0, f64::NAN), (4, f64::NAN), (4, f64::INFINITY), (7, f64::INFINITY), (1, 1e200)] {
        let mut q = good.clone();
        q[place] = value;
        tree.update(0.0, &q, &[0.0; 7], &mut ws);
        tree.acceleration(&mut ws, &[], &[0.0; 7], &mut vdot);
        assert!(!ws.is_valid() && vdot.iter().all(|x| x.is_nan()), "{place} {value}: {vdot:?}");
    }
    for speed in [f64::NAN, f64::INFINITY, 1e200] {
        tree.update(0.0, &good, &[speed; 7], &mut ws);
        tree.acceleration(&mut ws, &[], &[0.0; 7], &mut vdot);
        assert!(!ws.is_valid() && vdot.iter().all(|x| x.is_nan()), "{speed}: {vdot:?}");
    }
    // What is in range gives numbers, however large.
    let mut far = good.clone();
    far[0] = 1e60;
    tree.update(0.0, &far, &[1e60; 7], &mut ws);
    tree.acceleration(&mut ws, &[], &[0.0; 7], &mut vdot);
    assert!(ws.is_valid() && vdot.iter().all(|x| x.is_finite()), "{vdot:?}");
    // And none of it is remembered.
    tree.update(0.0, &good, &[0.0; 7], &mut ws);
    tree.acceleration(&mut ws, &[], &[0.0; 7], &mut vdot);
    assert!(ws.is_valid() && (vdot[2] + 9.81).abs() < 1e-14 && vdot[6].abs() < 1e-14, "{vdot:?}");
    // A quaternion of length zero is no rotation.
    let mut q = good;
    q[6] = 0.0;
    tree.update(0.0, &q, &[0.0; 7], &mut ws);
    assert!(ws.is_valid() && ws.pose(BodyId(0)) == &Pose::identity());
}
