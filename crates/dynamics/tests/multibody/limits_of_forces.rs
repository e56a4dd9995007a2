//! Limits of tendons and of ball joints, and ways around spheres and cylinders, against closed forms and finite differences.

use zerogap_core::math::{cos, hypot, sin};
use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, Forces, Inertia, Joint, JointKind, JointTerm, PathPoint, Site, Tendon, TendonPath, Tree,
    TreeBuilder, Wrap,
};

fn site(body: Option<BodyId>, x: f64, y: f64, z: f64) -> Site {
    Site { body, pose: Pose::from_translation(Vec3::new(x, y, z)).unwrap() }
}

fn tendon(points: Vec<PathPoint>, range: [f64; 2]) -> Tendon {
    Tendon {
        path: TendonPath::Points(points),
        stiffness: 0.0,
        damping: 0.0,
        relaxed: [0.0; 2],
        range: Some(range),
    }
}

/// A free body, a hinge on it and a ball joint on that, with a tendon from the world over all of them, one around a cylinder, and a limit of the ball joint.
fn tree() -> Tree {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let inertia = || Inertia::sphere(1.0, 0.1);
    let a = builder.body(inertia(), Joint::new(None, JointKind::Free)).unwrap();
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    let hinge = JointKind::Revolute { axis: Vec3::new(0.3, 1.0, 0.2) };
    let b = builder.body(inertia(), Joint::new(Some(a), hinge).parent_frame(at(0.5, 0.1, 0.0))).unwrap();
    let ball = Joint::new(Some(b), JointKind::Spherical).parent_frame(at(0.0, 0.4, 0.3));
    let c = builder.body(inertia(), ball).unwrap();
    let through = vec![
        PathPoint::Site(site(None, 1.0, 2.0, 3.0)),
        PathPoint::Site(site(Some(a), 0.1, 0.2, 0.3)),
        PathPoint::Site(site(Some(b), 0.3, -0.2, 0.1)),
        PathPoint::Pulley(2.0),
        PathPoint::Site(site(Some(b), -0.1, 0.2, 0.0)),
        PathPoint::Site(site(Some(c), 0.2, 0.3, -0.1)),
    ];
    let around = vec![
        PathPoint::Site(site(None, 1.0, 2.0, 3.0)),
        PathPoint::Wrap(Wrap {
            at: site(Some(b), 0.0, 0.1, 0.0),
            radius: 0.3,
            is_cylinder: true,
            side: None,
        }),
        PathPoint::Site(site(Some(c), 0.6, 0.3, -0.1)),
    ];
    let sum = vec![JointTerm { body: b, index: 0, coefficient: 2.0, reference: 0.25 }];
    let forces = Forces {
        tendons: vec![
            tendon(through, [1.0, 5.0]),
            tendon(around, [f64::NEG_INFINITY, 9.0]),
            Tendon { range: Some([-1.0, 1.0]), ..tendon(Vec::new(), [0.0; 2]) },
        ],
        turn_limits: vec![(c, 1.2)],
        ..Forces::default()
    };
    let mut forces = forces;
    forces.tendons[2].path = TendonPath::Joints(sum);
    builder.forces(forces).unwrap();
    builder.build().unwrap()
}

#[test]
fn rows_and_biases_of_limits_are_the_derivatives_of_their_values() {
    let (tree, mut random) = (tree(), Random::new(5));
    let mut ws = tree.workspace();
    assert_eq!(tree.limits().len(), 6);
    for trial in 0..200 {
        let mut q: Vec<f64> = (0..tree.positions()).map(|_| random.range(-1.0, 1.0)).collect();
        tree.normalise(&mut q);
        let v: Vec<f64> = (0..tree.velocities()).map(|_| random.range(-1.0, 1.0)).collect();
        // Positions along the motion without accelerations.
        let at = |t: f64| {
            let (mut q, moved) = (q.clone(), v.iter().map(|v| v * t).collect::<Vec<f64>>());
            tree.displace(&mut q, &moved);
            q
        };
        tree.update(0.0, &q, &v, &mut ws);
        for (k, limit) in tree.limits().iter().enumerate() {
            // Where the way around the cylinder comes off, its second derivative jumps.
            let h = 1e-4;
            let [before, now, after] = [-h, 0.0, h].map(|t| tree.limit_value(limit, &at(t)));
            let rate = tree.limit_rate(limit, &v, &ws);
            assert!(
                (rate - (after - before) / (2.0 * h)).abs() < if k == 2 { 1e-4 } else { 1e-5 },
                "trial {trial}, limit {k}: {rate} {}",
                (after - before) / (2.0 * h)
            );
            // The points in which a tendon touches a cylinder move: its second derivative is not asked for.
            if k == 2 {
                continue;
            }
            let second = (after - 2.0 * now + before) / (h * h);
            let bias = tree.limit_bias(limit, &ws);
            assert!(
                (bias - second).abs() < 1e-4 * (1.0 + second.abs()),
                "trial {trial}, limit {k}: {bias} {second}"
            );
        }
    }
}

/// The length of a way from a point to another around a wrap, and the straight length.
fn length(points: [Vec3; 2], wrap: Wrap) -> f64 {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    builder.body(Inertia::sphere(1.0, 0.1), Joint::new(None, JointKind::Free)).unwrap();
    let tree = builder.build().unwrap();
    let [a, b] = points.map(|p| PathPoint::Site(site(None, p.x, p.y, p.z)));
    let tendon = tendon(vec![a, PathPoint::Wrap(wrap), b], [0.0, f64::INFINITY]);
    let (q, v, mut ws) = (tree.initial_positions(), vec![0.0; 6], tree.workspace());
    tree.update(0.0, &q, &v, &mut ws);
    tree.tendon_length(&tendon, &q, &ws).unwrap()
}

#[test]
fn a_way_around_a_circle_is_two_tangents_and_an_arc() {
    let at = site(None, 0.0, 0.0, 0.0);
    let cylinder = Wrap { at, radius: 0.5, is_cylinder: true, side: None };
    let sphere = Wrap { is_cylinder: false, ..cylinder };
    // Both ends at distance 1, so far apart that the straight way passes the middle at 0.5 cos(angle).
    for angle in [0.1, 0.5, 1.0] {
        let ends = [Vec3::new(-cos(angle), sin(angle), 0.0), Vec3::new(cos(angle), sin(angle), 0.0)];
        let straight = 2.0 * cos(angle);
        // Tangents of length √(1 - 0.25), each π/3 along the circle; the rest is the arc.
        let arc = std::f64::consts::PI - 2.0 * angle - 2.0 * std::f64::consts::FRAC_PI_3;
        let known = if arc > 0.0 { 2.0 * 0.75_f64.sqrt() + 0.5 * arc } else { straight };
        for wrap in [cylinder, sphere] {
            assert!((length(ends, wrap) - known).abs() < 1e-14, "{angle}: {} {known}", length(ends, wrap));
        }
        // Along the axis the way on the unrolled cylinder is straight.
        let risen = [ends[0], ends[1] + Vec3::z() * 0.7];
        let screw = if arc > 0.0 { hypot(known, 0.7) } else { hypot(straight, 0.7) };
        assert!((length(risen, cylinder) - screw).abs() < 1e-14);
    }
    // Free beside it, and held on the far side by a side site.
    let beside = [Vec3::new(-1.0, 0.6, 0.0), Vec3::new(1.0, 0.6, 0.0)];
    assert!((length(beside, sphere) - 2.0).abs() < 1e-15);
    let under = Wrap { side: Some(site(None, 0.0, -1.0, 0.0)), ..cylinder };
    let long = length(beside, under);
    assert!(long > 2.0 + 0.5, "{long}");
    // An end inside: straight.
    assert!((length([Vec3::new(-0.1, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)], sphere) - 1.1).abs() < 1e-15);
}

#[test]
fn lengths_are_continuous_where_a_way_comes_off() {
    let wrap = Wrap { at: site(None, 0.0, 0.0, 0.0), radius: 0.5, is_cylinder: false, side: None };
    let at = |height: f64| length([Vec3::new(-1.0, height, 0.2), Vec3::new(1.1, height, 0.1)], wrap);
    for k in 0..2000 {
        let height = f64::from(k) * 5e-4;
        assert!((at(height + 5e-4) - at(height)).abs() < 1e-3, "{height}");
    }
}

#[test]
fn ranges_that_cannot_be_held_are_refused() {
    let refused = |limit: f64, kind: JointKind| {
        let mut builder = TreeBuilder::new(Vec3::zeros());
        let body = builder.body(Inertia::sphere(1.0, 0.1), Joint::new(None, kind)).unwrap();
        builder.forces(Forces { turn_limits: vec![(body, limit)], ..Forces::default() }).unwrap();
        builder.build().is_err()
    };
    assert!(refused(1.0, JointKind::Revolute { axis: Vec3::x() }));
    assert!(refused(0.0, JointKind::Spherical) && refused(4.0, JointKind::Spherical));
    assert!(refused(f64::NAN, JointKind::Spherical) && !refused(1.0, JointKind::Spherical));
}
