//! Loops whose conditions repeat each other, exactly or nearly: they stay where they were, and move.

use zerogap_core::math::{asin, atan2, sin, sin_cos};
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopKind, Tree, TreeBuilder,
};

use crate::support::Stepped;

fn shift(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn rod(length: f64) -> Inertia {
    let thin = length * length / 12.0;
    Inertia {
        mass: 1.0,
        center: Vec3::new(0.5 * length, 0.0, 0.0),
        inertia: Mat3::from_diagonal(&Vec3::new(0.01 * thin, thin, thin)),
    }
}

/// A parallelogram of rods of length one with `cranks` cranks on one long coupler, closed by spatial hinges whose axes are off by `eps` [rad]; gravity along y.
fn parallelogram(cranks: usize, eps: f64) -> Tree {
    let mut builder = TreeBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let hinge = || JointKind::Revolute { axis: Vec3::z() };
    let (s, c) = sin_cos(eps);
    let tilted = JointKind::Revolute { axis: Vec3::new(0.0, s, c) };
    let crank = builder.body(rod(1.0), Joint::new(None, hinge())).unwrap();
    let length = (cranks - 1) as f64;
    let coupler = builder
        .body(rod(length), Joint::new(Some(crank), tilted).parent_frame(shift(1.0, 0.0, 0.0)))
        .unwrap();
    for k in 1..cranks {
        let at = shift(k as f64, 0.0, 0.0);
        let other = builder.body(rod(1.0), Joint::new(None, hinge()).parent_frame(at)).unwrap();
        builder
            .close(Loop {
                a: Some(coupler),
                frame_a: at,
                b: Some(other),
                frame_b: shift(1.0, 0.0, 0.0),
                kind: LoopKind::Revolute { axis: Vec3::z() },
            })
            .unwrap();
    }
    builder.build().unwrap()
}

/// The angles of a parallelogram with its crank at an angle.
fn angles(cranks: usize, angle: f64) -> Vec<f64> {
    let mut q = vec![angle, -angle];
    q.resize(cranks + 1, angle);
    q
}

#[test]
fn nearly_redundant_loops_are_not_moved() {
    for cranks in [2, 3, 4] {
        for eps in [0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5] {
            let tree = parallelogram(cranks, eps);
            let start = angles(cranks, -1.0);
            let (mut q, mut v, mut ws) = (start.clone(), vec![0.0; tree.velocities()], tree.workspace());
            let projected = tree.project(0.0, &mut q, &mut v, &mut ws);
            let moved = q.iter().zip(&start).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // The loop is open by about eps, and by no more afterwards.
            assert!(moved <= 3.0 * eps + 1e-14, "{cranks} cranks, eps {eps:e}: moved by {moved:e}");
            assert!(
                projected.position_error <= 3.0 * eps + 1e-14,
                "{cranks} cranks, eps {eps:e}: {projected:?}"
            );
        }
    }
}

#[test]
fn nearly_redundant_loops_swing_as_exact_ones_do() {
    let swing = |cranks: usize, eps: f64| {
        let mut world = Stepped::new(parallelogram(cranks, eps));
        world.q = angles(cranks, -1.0);
        let start = world.energy();
        for _ in 0..1000 {
            let info = world.step(1e-3);
            assert_eq!(info.unconverged, 0, "{cranks} cranks, eps {eps:e}");
        }
        ((world.energy() - start).abs(), world.q[0])
    };
    for cranks in [2, 3] {
        let (lost, exact) = swing(cranks, 0.0);
        assert!(lost < 1e-6, "{cranks} cranks: {lost:e} J");
        // It has swung through.
        assert!((exact + 1.0).abs() > 0.5, "{exact}");
        for eps in [1e-15, 1e-12, 1e-9, 1e-6] {
            let (lost, angle) = swing(cranks, eps);
            assert!(lost < 1e-6 + 1e-2 * eps, "{cranks} cranks, eps {eps:e}: {lost:e} J");
            assert!(
                (angle - exact).abs() < 1e-6 + 1e2 * eps,
                "{cranks} cranks, eps {eps:e}: {angle} {exact}"
            );
        }
    }
}

/// Bennett's linkage: four hinges in space with sides a, b, a, b and twists whose sines are in the ratio of the sides; it moves though counting rows says that it cannot.
#[test]
fn a_bennett_linkage_moves() {
    let (a, b) = (0.8, 0.5);
    let alpha = 1.0;
    let beta = asin(b / a * sin(alpha));
    // Each rod has its hinge along z at its start, and at its end, `side` further along x, one that is turned by `twist` about x.
    let end = |side: f64, twist: f64| {
        let (s, c) = sin_cos(0.5 * twist);
        Pose::new(Vec3::new(side, 0.0, 0.0), [s, 0.0, 0.0, c]).unwrap()
    };
    let mut builder = TreeBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let hinge = || JointKind::Revolute { axis: Vec3::z() };
    let first = builder.body(rod(a), Joint::new(None, hinge())).unwrap();
    let second = builder.body(rod(b), Joint::new(Some(first), hinge()).parent_frame(end(a, alpha))).unwrap();
    let third: BodyId =
        builder.body(rod(a), Joint::new(Some(second), hinge()).parent_frame(end(b, beta))).unwrap();
    // The fourth rod is the ground, from the end of the third back to the first hinge.
    builder
        .close(Loop {
            a: Some(third),
            frame_a: end(a, alpha),
            b: None,
            frame_b: end(b, beta).inverse(),
            kind: LoopKind::Revolute { axis: Vec3::z() },
        })
        .unwrap();
    let tree = builder.build().unwrap();
    let mut world = Stepped::new(tree);
    // Opposite angles of the linkage: tan(t1/2) tan(t2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2).
    let ratio = sin(0.5 * (beta + alpha)) / sin(0.5 * (beta - alpha));
    let t1 = 1.2;
    let (s, c) = sin_cos(0.5 * t1);
    let t2 = 2.0 * atan2(ratio * c, s);
    world.q = vec![t1, t2, -t1];
    let (mut v, mut ws) = (vec![0.0; 3], world.tree.workspace());
    let before = world.q.clone();
    let projected = world.tree.project(0.0, &mut world.q, &mut v, &mut ws);
    let moved = world.q.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("moved {moved:e}, {projected:?}, {:?} from {before:?}", world.q);
    assert!(projected.position_error < 1e-9, "{projected:?}");
    let (start, from) = (world.energy(), world.q[0]);
    for _ in 0..300 {
        assert_eq!(world.step(1e-3).unconverged, 0);
    }
    assert!((world.energy() - start).abs() < 1e-6 * start, "{} {start}", world.energy());
    assert!((world.q[0] - from).abs() > 1e-2, "{} {from}", world.q[0]);
}

/// A number rounded to so many digits after the point.
fn rounded(x: f64, digits: Option<i32>) -> f64 {
    digits.map_or(x, |digits| {
        let unit = 10.0_f64.powi(digits);
        (x * unit).round() / unit
    })
}

/// A Stewart platform: six legs, each hinged below by a universal joint, sliding in itself on a spring, with its tip held in a point of the platform above. Frames have so many digits.
fn stewart(digits: Option<i32>) -> (Tree, BodyId) {
    let place = |radius: f64, angle: f64, height: f64| {
        let (s, c) = sin_cos(angle);
        Vec3::new(radius * c, radius * s, height).map(|x| rounded(x, digits))
    };
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81));
    let disc = Inertia::cuboid(5.0, Vec3::new(0.8, 0.8, 0.05));
    let platform = builder.body(disc, Joint::new(None, JointKind::Free)).unwrap();
    let third = std::f64::consts::TAU / 3.0;
    for leg in 0..6 {
        let side = if leg % 2 == 0 { 1.0 } else { -1.0 };
        let corner = f64::from(leg / 2) * third;
        let foot = place(1.0, corner + side * 0.2, 0.0);
        let tip = place(0.6, corner + side * (0.5 * third - 0.2), 1.0);
        // From z to the direction of the leg.
        let along = tip - foot;
        let (length, unit) = (along.norm(), along.normalize());
        let axis = Vec3::z().cross(&unit);
        let turn = [axis.x, axis.y, axis.z, 1.0 + unit.z];
        let norm = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        let frame = Pose::new(foot, turn.map(|x| rounded(x / norm, digits))).unwrap();
        let inertia = Inertia {
            center: Vec3::new(0.0, 0.0, 0.25 * length),
            ..Inertia::cuboid(0.4, Vec3::new(0.05, 0.05, 0.5 * length))
        };
        let cardan = JointKind::Universal { first: Vec3::x(), second: Vec3::y() };
        let lower = builder.body(inertia, Joint::new(None, cardan).parent_frame(frame)).unwrap();
        let slide = Joint::new(Some(lower), JointKind::Prismatic { axis: Vec3::z() });
        let slide = slide.parent_frame(shift(0.0, 0.0, rounded(0.5 * length, digits)));
        let spring = Dof { stiffness: 3e3, ..Dof::default() };
        let upper = builder.body_with(inertia, slide, &[(0, spring)]).unwrap();
        builder
            .close(Loop {
                a: Some(upper),
                frame_a: shift(0.0, 0.0, rounded(0.5 * length, digits)),
                b: Some(platform),
                frame_b: shift(tip.x, tip.y, 0.0),
                kind: LoopKind::Point,
            })
            .unwrap();
    }
    (builder.build().unwrap(), platform)
}

#[test]
fn a_stewart_platform_stays_where_it_is_built_and_swings_on_its_legs() {
    let mut ends = Vec::new();
    for digits in [None, Some(6)] {
        let (tree, platform) = stewart(digits);
        let mut world = Stepped::new(tree);
        let at = world.tree.q_range(platform).start;
        world.q[at + 2] = 1.0;
        let (before, mut ws) = (world.q.clone(), world.tree.workspace());
        let projected = world.tree.project(0.0, &mut world.q, &mut world.v, &mut ws);
        let moved = world.q.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{digits:?}: moved {moved:e}, {projected:?}");
        let within = if digits.is_some() { 5e-6 } else { 1e-12 };
        assert!(moved < within && projected.position_error < 1e-12, "{digits:?}: {moved:e}, {projected:?}");

        // It sinks onto its springs and swings, turning a little where it is pushed off its middle; its energy is kept to the second order of the step.
        let v = world.tree.v_range(platform).start;
        world.v[v] = 0.3;
        world.v[v + 5] = 0.5;
        world.tree.project(0.0, &mut world.q, &mut world.v, &mut ws);
        let begin = (world.q.clone(), world.v.clone());
        let mut swing = |steps: i32| {
            (world.q, world.v) = begin.clone();
            let start = world.energy();
            let (mut lowest, mut worst) = (f64::INFINITY, 0.0_f64);
            for _ in 0..steps {
                assert_eq!(world.step(1.0 / f64::from(steps)).unconverged, 0);
                lowest = lowest.min(world.q[at + 2]);
                worst = worst.max((world.energy() - start).abs());
            }
            (lowest, worst, world.q.clone(), world.v.clone())
        };
        let (_, coarse, _, _) = swing(500);
        let (lowest, worst, mut q, mut v) = swing(1000);
        let left = world.tree.project(1.0, &mut q, &mut v, &mut ws);
        println!(
            "{digits:?}: lowest {lowest}, energy within {worst:e} ({coarse:e} by twice the step), {left:?}"
        );
        assert!((0.98..0.999).contains(&lowest), "{lowest}");
        assert!(worst < 1e-5 && coarse > 3.0 * worst, "{digits:?}: energy changes by {worst:e}, {coarse:e}");
        assert!(left.position_error < 1e-9, "{left:?}");
        ends.push(q[at..at + 3].to_vec());
    }
    let apart = ends[0].iter().zip(&ends[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-4, "{apart:e}: {ends:?}");
}
