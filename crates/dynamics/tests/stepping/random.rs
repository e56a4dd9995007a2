//! Random trees of all joint kinds, with springs, dampers, motors and limits, masses over six decades, any step: nothing that is not a number, and no energy from nowhere.

use zerogap_core::math::pow;
use zerogap_core::random::Random;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopKind, Motor, TreeBuilder,
};

use crate::support::Stepped;

fn log_range(random: &mut Random, low: f64, high: f64) -> f64 {
    low * pow(high / low, random.range(0.0, 1.0))
}

/// A joint kind, and which of its degrees of freedom have a coordinate.
fn kind(random: &mut Random) -> (JointKind, Vec<bool>) {
    let axis = random.direction();
    match random.index(7) {
        0 => (JointKind::Prismatic { axis }, vec![true]),
        1 => (JointKind::Cylindrical { axis }, vec![true; 2]),
        2 => (JointKind::Universal { first: axis, second: random.direction() }, vec![true; 2]),
        3 => (JointKind::Spherical, vec![false; 3]),
        4 => (JointKind::Planar { normal: axis }, vec![true; 3]),
        _ => (JointKind::Revolute { axis }, vec![true]),
    }
}

fn dof(random: &mut Random, has_coordinate: bool, has_motor: bool) -> Dof {
    let mut dof = Dof::default();
    if random.index(2) == 0 {
        dof.damping = log_range(random, 1e-4, 1e3);
    }
    if random.index(3) == 0 {
        dof.armature = log_range(random, 1e-5, 1.0);
    }
    if random.index(4) == 0 {
        dof.friction = log_range(random, 1e-3, 1e2);
    }
    if has_coordinate && random.index(3) == 0 {
        dof.stiffness = log_range(random, 1e-2, 1e6);
        dof.spring_reference = random.range(-0.3, 0.3);
    }
    if has_coordinate && random.index(4) == 0 {
        (dof.lower, dof.upper) = (Some(-0.5), Some(random.range(0.1, 1.0)));
    }
    if has_motor && random.index(2) == 0 {
        let limit = log_range(random, 1e-3, 1e2);
        let gain = log_range(random, 1e-3, 1e4);
        dof.motor = if has_coordinate && random.index(2) == 0 {
            let stiffness = log_range(random, 1e-1, 1e6);
            Motor::Position { target: random.range(-0.4, 0.4), stiffness, damping: gain, limit }
        } else {
            Motor::Velocity { target: random.range(-3.0, 3.0), gain, limit }
        };
    }
    dof
}

fn inertia(random: &mut Random) -> Inertia {
    let mass = log_range(random, 1e-3, 1e3);
    let size = random.range(0.05, 0.5);
    let second = Vec3::new(random.range(0.01, 1.0), random.range(0.01, 1.0), random.range(0.01, 1.0));
    let moments = (Vec3::from_element(second.sum()) - second) * (mass * size * size);
    Inertia { mass, center: random.in_cube(size), inertia: Mat3::from_diagonal(&moments) }
}

/// A tree of up to 60 joints, one in three of which floats.
fn tree(random: &mut Random, has_motors: bool) -> TreeBuilder {
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81));
    let bodies = 1 + random.index(60);
    for i in 0..bodies {
        let parent = match random.index(5) {
            0 if i > 0 => Some(BodyId(random.index(i) as u32)),
            _ => i.checked_sub(1).map(|parent| BodyId(parent as u32)),
        };
        let frame = |random: &mut Random| Pose::new(random.in_cube(0.3), random.quaternion_xyzw()).unwrap();
        let (kind, coordinates) = match i {
            0 if random.index(3) == 0 => (JointKind::Free, Vec::new()),
            _ => kind(random),
        };
        let joint = Joint::new(parent, kind).parent_frame(frame(random)).child_frame(frame(random));
        let dofs: Vec<(usize, Dof)> =
            coordinates.iter().enumerate().map(|(k, has)| (k, dof(random, *has, has_motors))).collect();
        builder.body_with(inertia(random), joint, &dofs).unwrap();
    }
    builder
}

/// Gives all joints a velocity.
fn push(random: &mut Random, world: &mut Stepped) {
    for v in &mut world.v {
        *v = random.range(-1.0, 1.0);
    }
}

/// The largest work that motors can have done, from the velocities before and after a step.
fn motor_work(stepped: &Stepped, before: &[f64], h: f64) -> f64 {
    let dofs = stepped.tree.dofs().zip(before.iter().zip(&stepped.v));
    dofs.map(|((dof, _), (before, after))| match dof.motor {
        Motor::Velocity { limit, .. } | Motor::Position { limit, .. } => {
            h * limit * before.abs().max(after.abs())
        }
        _ => 0.0,
    })
    .sum()
}

/// Runs a world and returns the largest gain of energy beyond the work of motors, against the largest change there was.
fn largest_gain(world: &mut Stepped, h: f64, steps: usize, label: &str) -> f64 {
    let start = world.energy();
    let (mut lowest, mut work, mut rise) = (start, 0.0, 0.0_f64);
    for step in 0..steps {
        let before = world.v.clone();
        world.step(h);
        work += motor_work(world, &before, h);
        let now = world.energy();
        assert!(now.is_finite(), "{label}, step {step}, h {h}: {now}");
        lowest = lowest.min(now);
        rise = rise.max(now - start - work);
    }
    // Against the lowest energy there was: potential energy has no zero.
    // What rests changes by rounding.
    let rise = rise - 1e-12 * start.abs();
    let gained = (rise / (start - lowest + work).max(f64::MIN_POSITIVE)).max(0.0);
    assert!(gained <= 1e-3, "{label}, h {h}: {rise} of {start} to {lowest} J, motors {work}");
    gained
}

/// All of it takes a minute: how many, and how many steps each.
fn size(full: u64, short: u64) -> (u64, usize) {
    if std::env::var_os("ZEROGAP_FULL").is_some() { (full, 1000) } else { (short, 200) }
}

#[test]
fn random_trees_stay_finite_and_gain_no_energy() {
    let (trees, steps) = size(100, 24);
    let mut worst = 0.0_f64;
    for seed in 0..trees {
        let random = &mut Random::new(seed);
        let mut world = Stepped::new(tree(random, seed % 2 == 1).build().unwrap());
        push(random, &mut world);
        let h = log_range(random, 1e-4, 1e-2);
        worst = worst.max(largest_gain(&mut world, h, steps, &format!("tree {seed}")));
    }
    println!("largest gain against the peak: {worst:.2e}");
}

#[test]
fn random_loops_stay_finite_and_gain_no_energy() {
    let (loops, steps) = size(50, 12);
    let mut worst = 0.0_f64;
    for seed in 0..loops {
        let random = &mut Random::new(1000 + seed);
        // A tree whose last body is closed to the world where it is: nothing has to be assembled.
        let mut seen = random.clone();
        let open = tree(&mut seen, seed % 2 == 1).build().unwrap();
        let mut ws = open.workspace();
        open.update(0.0, &open.initial_positions(), &vec![0.0; open.velocities()], &mut ws);
        let last = BodyId(open.bodies() as u32 - 1);
        let kind = if seed % 3 == 0 { LoopKind::Revolute { axis: Vec3::z() } } else { LoopKind::Point };
        let mut builder = tree(random, seed % 2 == 1);
        let closing =
            Loop { a: Some(last), frame_a: Pose::identity(), b: None, frame_b: *ws.pose(last), kind };
        builder.close(closing).unwrap();
        let mut world = Stepped::new(builder.build().unwrap());
        let h = log_range(random, 1e-4, 1e-2);
        worst = worst.max(largest_gain(&mut world, h, steps, &format!("loop {seed}")));
    }
    println!("largest gain against the peak: {worst:.2e}");
}
