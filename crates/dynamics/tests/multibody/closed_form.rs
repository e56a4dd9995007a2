//! Motions and accelerations known in closed form.

use zerogap_core::math::{cos, sin, sin_cos};
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, Dof, Inertia, Joint, JointKind, Limited, Motor, TreeBuilder, Wrench,
};

use crate::support::rk4;

const G: f64 = 9.81;

#[test]
fn a_double_pendulum_accelerates_as_in_the_textbook() {
    let (m1, m2, l1, l2) = (1.3, 0.7, 0.9, 1.4);
    let mut builder = TreeBuilder::new(Vec3::new(0.0, -G, 0.0));
    let hinge = JointKind::Revolute { axis: Vec3::z() };
    let first =
        builder.body(Inertia::point(m1, Vec3::new(0.0, -l1, 0.0)), Joint::new(None, hinge.clone())).unwrap();
    let tip = Pose::from_translation(Vec3::new(0.0, -l1, 0.0)).unwrap();
    builder
        .body(Inertia::point(m2, Vec3::new(0.0, -l2, 0.0)), Joint::new(Some(first), hinge).parent_frame(tip))
        .unwrap();
    let tree = builder.build().unwrap();
    let mut ws = tree.workspace();
    for (a1, a2, w1, w2) in [(0.3, 1.1, 0.5, -2.0), (-2.0, 0.1, 3.0, 1.0), (0.0, 0.0, 0.0, 0.0)] {
        // Angles from the vertical, absolute in the textbook and relative in the tree.
        tree.update(0.0, &[a1, a2 - a1], &[w1, w2 - w1], &mut ws);
        let mut vdot = [0.0; 2];
        tree.acceleration(&mut ws, &[], &[0.0; 2], &mut vdot);
        let (s, c) = sin_cos(a1 - a2);
        let bottom = 2.0 * m1 + m2 - m2 * cos(2.0 * (a1 - a2));
        let e1 = (-G * (2.0 * m1 + m2) * sin(a1)
            - m2 * G * sin(a1 - 2.0 * a2)
            - 2.0 * s * m2 * (w2 * w2 * l2 + w1 * w1 * l1 * c))
            / (l1 * bottom);
        let e2 = 2.0 * s * (w1 * w1 * l1 * (m1 + m2) + G * (m1 + m2) * cos(a1) + w2 * w2 * l2 * m2 * c)
            / (l2 * bottom);
        assert!((vdot[0] - e1).abs() < 1e-12 && (vdot[0] + vdot[1] - e2).abs() < 1e-12, "{vdot:?} {e1} {e2}");
    }
}

/// A top of mass `m` on its tip, its centre `l` up the axis, moments `i1` (about the tip, across) and `i3` (about the axis).
struct Top {
    m: f64,
    l: f64,
    i1: f64,
    i3: f64,
}

impl Top {
    fn tree(&self) -> zerogap_dynamics::multibody::Tree {
        let across = self.i1 - self.m * self.l * self.l;
        let inertia = Mat3::from_diagonal(&Vec3::new(across, across, self.i3));
        let body = Inertia { mass: self.m, center: Vec3::new(0.0, 0.0, self.l), inertia };
        let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -G));
        builder.body(body, Joint::new(None, JointKind::Spherical)).unwrap();
        builder.build().unwrap()
    }
}

const TOP: Top = Top { m: 0.5, l: 0.06, i1: 0.0025, i3: 0.0008 };

#[test]
fn a_symmetric_top_precesses_steadily() {
    let tree = TOP.tree();
    let (theta, w3) = (0.6, 180.0);
    // I1 cos θ W² - I3 w3 W + m g l = 0, the slow root.
    let (a, b, c) = (TOP.i1 * cos(theta), TOP.i3 * w3, TOP.m * G * TOP.l);
    let precession = 2.0 * c / (b + (b * b - 4.0 * a * c).sqrt());
    // Tilted about x; angular velocity W along the vertical plus a spin that makes w3 along the axis, in body axes.
    let (s, c) = sin_cos(theta);
    let (sh, ch) = sin_cos(0.5 * theta);
    let mut q = vec![sh, 0.0, 0.0, ch];
    let mut v = vec![0.0, precession * s, w3];
    let mut ws = tree.workspace();
    let (h, steps) = (1e-4, 10_000);
    for k in 0..steps {
        rk4(&tree, &mut ws, (f64::from(k) * h, h), &mut q, &mut v, &mut |ws, _, _, dv| {
            tree.acceleration(ws, &[], &[0.0; 3], dv);
        });
    }
    tree.update(0.0, &q, &v, &mut ws);
    let axis = ws.pose(BodyId(0)).transform_vector(&Vec3::z());
    // The axis began at (0, -sin θ, cos θ) and has turned by W t about the vertical.
    let (st, ct) = sin_cos(precession * h * f64::from(steps));
    let expected = Vec3::new(s * st, -s * ct, c);
    assert!((axis - expected).amax() < 1e-8, "{axis} {expected}");
    assert!((v[2] - w3).abs() < 1e-8);
}

#[test]
fn a_sleeping_top_stands_exactly_while_it_spins_fast_enough() {
    // Stable iff I3² w3² > 4 m g l I1.
    let critical = (4.0 * TOP.m * G * TOP.l * TOP.i1).sqrt() / TOP.i3;
    for (factor, stands) in [(1.1, true), (0.9, false)] {
        let tree = TOP.tree();
        let (mut q, mut v) = (vec![5e-7, 0.0, 0.0, 1.0], vec![0.0, 0.0, critical * factor]);
        let (mut ws, mut worst) = (tree.workspace(), 0.0_f64);
        for k in 0..6000 {
            rk4(&tree, &mut ws, (f64::from(k) * 5e-4, 5e-4), &mut q, &mut v, &mut |ws, _, _, dv| {
                tree.acceleration(ws, &[], &[0.0; 3], dv);
            });
            let axis = ws.pose(BodyId(0)).transform_vector(&Vec3::z());
            worst = worst.max(axis.x.abs().max(axis.y.abs()));
        }
        assert_eq!(worst < 1e-5, stands, "tilt {worst} at {factor} of the critical spin");
    }
}

#[test]
fn loads_act_at_the_origin_of_the_body_frame() {
    // A free body whose frame, joint frame and centre all differ: the push through the centre turns nothing.
    let center = Vec3::new(0.3, -0.1, 0.2);
    let inertia = Inertia { mass: 2.0, center, inertia: Mat3::from_diagonal(&Vec3::new(1.0, 1.2, 1.4)) };
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let on = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 1.0, 0.0), 0.7).unwrap();
    let body = builder.body(inertia, Joint::new(None, JointKind::Free).child_frame(on)).unwrap();
    let tree = builder.build().unwrap();
    let (mut ws, mut vdot) = (tree.workspace(), vec![0.0; 6]);
    let q = [5.0, 6.0, 7.0, 0.1, -0.2, 0.3, 0.9];
    tree.update(0.0, &q, &[0.0; 6], &mut ws);
    let force = Vec3::new(1.0, -2.0, 0.5);
    let arm = ws.pose(body).transform_vector(&center);
    tree.acceleration(&mut ws, &[Wrench::at(force, arm)], &[0.0; 6], &mut vdot);
    let linear = Vec3::new(vdot[0], vdot[1], vdot[2]);
    assert!((linear - force / 2.0).amax() < 1e-14);
    assert!(vdot[3..].iter().all(|x| x.abs() < 1e-14));
}

#[test]
fn an_elevator_adds_to_gravity() {
    #[derive(Debug)]
    struct Elevator;
    impl zerogap_dynamics::multibody::Motion for Elevator {
        fn at(&self, t: f64) -> zerogap_dynamics::multibody::Moving {
            let pose = Pose::from_translation(Vec3::new(0.0, 0.0, t * t)).unwrap_or_default();
            zerogap_dynamics::multibody::Moving {
                velocity: Vec3::new(0.0, 0.0, 2.0 * t),
                acceleration: Vec3::new(0.0, 0.0, 2.0),
                ..zerogap_dynamics::multibody::Moving::still(pose)
            }
        }
    }
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -G));
    let cabin = builder
        .body(Inertia::none(), Joint::new(None, JointKind::Prescribed(std::sync::Arc::new(Elevator))))
        .unwrap();
    let pendulum = Inertia::point(3.0, Vec3::new(0.0, 0.0, -0.5));
    builder.body(pendulum, Joint::new(Some(cabin), JointKind::Revolute { axis: Vec3::y() })).unwrap();
    let tree = builder.build().unwrap();
    let (mut ws, mut vdot) = (tree.workspace(), [0.0]);
    tree.update(1.0, &[0.4], &[0.7], &mut ws);
    tree.acceleration(&mut ws, &[], &[0.0], &mut vdot);
    assert!((vdot[0] + (G + 2.0) / 0.5 * sin(0.4)).abs() < 1e-13);
    assert!((ws.linear_velocity(cabin).z - 2.0).abs() < 1e-15);
}

#[test]
fn motors_push_as_told_and_never_beyond_their_limit() {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
    let body = builder.body(Inertia::point(1.0, Vec3::zeros()), joint).unwrap();
    let spring =
        Dof { stiffness: 10.0, spring_reference: 1.0, damping: 2.0, lower: Some(-1.0), ..Dof::default() };
    builder.dof(body, 0, spring).unwrap();
    let mut tree = builder.build().unwrap();
    let mut effort = [0.0];
    let mut at = |tree: &zerogap_dynamics::multibody::Tree| {
        tree.joint_efforts(&[0.5], &[3.0], &mut effort);
        effort[0]
    };
    let passive = 10.0 * 0.5 - 2.0 * 3.0;
    let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
    assert!(near(at(&tree), passive));
    tree.set_motor(body, 0, Motor::Effort(4.0)).unwrap();
    assert!(near(at(&tree), passive + 4.0));
    tree.set_motor(body, 0, Motor::Velocity { target: 4.0, gain: 2.0, limit: 50.0 }).unwrap();
    assert!(near(at(&tree), passive + 2.0));
    tree.set_motor(body, 0, Motor::Velocity { target: -400.0, gain: 2.0, limit: 50.0 }).unwrap();
    assert!(near(at(&tree), passive - 50.0));
    let hold = Motor::Position { target: 1.0, stiffness: 8.0, damping: 1.0, limit: f64::INFINITY };
    tree.set_motor(body, 0, hold).unwrap();
    assert!(near(at(&tree), passive + 8.0 * 0.5 - 3.0));
    assert_eq!(tree.motor(body, 0).unwrap(), hold);
    let limit = tree.limits()[0];
    assert!(near(tree.limit_value(&limit, &[0.5]), 1.5) && limit.body == body);
    assert_eq!(limit.limited, Limited::Position { q_index: 0, v_index: 0 });
}

#[test]
fn positions_mean_what_the_joint_says() {
    let pose_of = |kind: JointKind, q: &[f64]| {
        let mut builder = TreeBuilder::new(Vec3::zeros());
        let body = builder.body(Inertia::sphere(1.0, 1.0), Joint::new(None, kind)).unwrap();
        let tree = builder.build().unwrap();
        let mut ws = tree.workspace();
        tree.update(0.0, q, &vec![0.0; tree.velocities()], &mut ws);
        *ws.pose(body)
    };
    let turn = |axis: Vec3, angle: f64| Pose::from_axis_angle(Vec3::zeros(), axis, angle).unwrap();
    let moved = |shift: Vec3, turned: Pose| Pose::from_translation(shift).unwrap() * turned;
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    let (t1, t2) = zerogap_core::math::tangents(&y);
    let quarter = [0.0, 0.0, 0.5_f64.sqrt() * 3.0, 0.5_f64.sqrt() * 3.0];
    let [qx, qy, qz, qw] = quarter;
    let half = std::f64::consts::FRAC_PI_2;
    let cases = [
        (JointKind::Fixed, vec![], Pose::identity()),
        (JointKind::Revolute { axis: x * 2.0 }, vec![0.3], turn(x, 0.3)),
        (JointKind::Prismatic { axis: z * 7.0 }, vec![0.3], moved(z * 0.3, Pose::identity())),
        (JointKind::Cylindrical { axis: z }, vec![0.3, -0.4], moved(z * 0.3, turn(z, -0.4))),
        (JointKind::Universal { first: x, second: y }, vec![0.3, -0.4], turn(x, 0.3) * turn(y, -0.4)),
        (JointKind::Spherical, quarter.to_vec(), turn(z, half)),
        (JointKind::Planar { normal: y }, vec![0.3, -0.4, 0.5], moved(t1 * 0.3 - t2 * 0.4, turn(y, 0.5))),
        (
            JointKind::Free,
            vec![1.0, 2.0, 3.0, qx, qy, qz, qw],
            moved(Vec3::new(1.0, 2.0, 3.0), turn(z, half)),
        ),
    ];
    for (kind, q, expected) in cases {
        let found = pose_of(kind.clone(), &q);
        assert!((found.translation() - expected.translation()).amax() < 1e-15, "{kind:?}");
        assert!((found.rotation_matrix() - expected.rotation_matrix()).amax() < 1e-15, "{kind:?}");
    }
}

#[test]
fn joint_frames_meet_at_zero_position() {
    // World -> frame in the parent = body -> frame in the child, by the definition of both.
    let (at, on) = (
        Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), Vec3::x(), 0.4).unwrap(),
        Pose::from_axis_angle(Vec3::new(-0.5, 0.1, 0.2), Vec3::y(), 1.1).unwrap(),
    );
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let hinge = JointKind::Revolute { axis: Vec3::new(1.0, 1.0, 1.0) };
    let body = builder
        .body(Inertia::sphere(1.0, 1.0), Joint::new(None, hinge).parent_frame(at).child_frame(on))
        .unwrap();
    let tree = builder.build().unwrap();
    let mut ws = tree.workspace();
    tree.update(0.0, &[0.0], &[0.0], &mut ws);
    let frame = *ws.pose(body) * on;
    assert!((frame.translation() - at.translation()).amax() < 1e-15);
    assert!((frame.rotation_matrix() - at.rotation_matrix()).amax() < 1e-15);
}
