//! Energy and momentum stay what they are along fine integrations.

use zerogap_core::random::Random;
use zerogap_core::{Mat3, Vec3};
use zerogap_dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind, Tree, TreeBuilder};

use crate::support::{GRAVITY, inertia, kind, pose, rk4};

fn run(tree: &Tree, q: &mut [f64], v: &mut [f64], time: f64, steps: usize) {
    let mut ws = tree.workspace();
    let h = time / steps as f64;
    let mut effort = vec![0.0; v.len()];
    for k in 0..steps {
        rk4(tree, &mut ws, (k as f64 * h, h), q, v, &mut |ws, q, v, dv| {
            tree.joint_efforts(q, v, &mut effort);
            tree.acceleration(ws, &[], &effort, dv);
        });
    }
}

#[test]
fn energy_stays_in_trees_of_all_joints_with_springs() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let mut builder = TreeBuilder::new(GRAVITY);
        for i in 0..7_u32 {
            let parent = i.checked_sub(1).map(BodyId);
            let joint = Joint::new(parent, kind(&mut random, 1 + i as usize))
                .parent_frame(pose(&mut random, 0.5))
                .child_frame(pose(&mut random, 0.3));
            let body = builder.body(inertia(&mut random), joint).unwrap();
            if i < 4 {
                builder
                    .dof(body, 0, Dof { stiffness: 8.0, spring_reference: 0.2, ..Dof::default() })
                    .unwrap();
            }
        }
        let tree = builder.build().unwrap();
        let mut q = tree.initial_positions();
        let mut v = vec![0.3; tree.velocities()];
        let total = |q: &[f64], v: &[f64]| {
            let mut ws = tree.workspace();
            tree.update(0.0, q, v, &mut ws);
            tree.energy(&ws, q).total()
        };
        let (before, kinetic_scale) = (total(&q, &v), 10.0);
        run(&tree, &mut q, &mut v, 0.5, 1000);
        let after = total(&q, &v);
        assert!(
            (after - before).abs() <= 1e-8 * (before.abs() + kinetic_scale),
            "seed {seed}: {before} {after}"
        );
    }
}

#[test]
fn a_floating_tree_keeps_its_momenta() {
    for seed in 0..4 {
        let mut random = Random::new(50 + seed);
        let mut builder = TreeBuilder::new(Vec3::zeros());
        for i in 0..5_u32 {
            let parent = i.checked_sub(1).map(BodyId);
            let which = if i == 0 { 7 } else { 1 + random.index(6) };
            let joint = Joint::new(parent, kind(&mut random, which))
                .parent_frame(pose(&mut random, 0.5))
                .child_frame(pose(&mut random, 0.3));
            builder.body(inertia(&mut random), joint).unwrap();
        }
        let tree = builder.build().unwrap();
        let mut q = tree.initial_positions();
        let mut v: Vec<f64> = (0..tree.velocities()).map(|_| random.range(-1.0, 1.0)).collect();
        let momentum = |q: &[f64], v: &[f64]| {
            let mut ws = tree.workspace();
            tree.update(0.0, q, v, &mut ws);
            tree.momentum(&ws)
        };
        let before = momentum(&q, &v);
        run(&tree, &mut q, &mut v, 0.5, 500);
        let after = momentum(&q, &v);
        assert!((before.0 - after.0).amax() < 1e-9 && (before.1 - after.1).amax() < 1e-9, "seed {seed}");
    }
}

#[test]
fn a_free_body_keeps_energy_and_angular_momentum_to_1e_10() {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let body = Inertia {
        mass: 2.0,
        center: Vec3::new(0.1, 0.0, -0.2),
        inertia: Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.9)),
    };
    builder.body(body, Joint::new(None, JointKind::Free)).unwrap();
    let tree = builder.build().unwrap();
    let mut q = tree.initial_positions();
    // Nearly about the middle axis: it tumbles.
    let mut v = vec![0.0, 0.0, 0.0, 0.01, 3.0, 0.02];
    let measure = |q: &[f64], v: &[f64]| {
        let mut ws = tree.workspace();
        tree.update(0.0, q, v, &mut ws);
        (tree.energy(&ws, q).kinetic, tree.momentum(&ws))
    };
    let (energy, momentum) = measure(&q, &v);
    run(&tree, &mut q, &mut v, 5.0, 5000);
    let (energy_after, momentum_after) = measure(&q, &v);
    assert!((energy - energy_after).abs() <= 1e-10 * energy);
    // About the world's origin: position and momentum both enter.
    assert!((momentum.0 - momentum_after.0).amax() <= 1e-10 * 6.0);
    assert!((momentum.1 - momentum_after.1).amax() <= 1e-10 * 10.0);
}

#[test]
fn a_damped_wheel_slows_down_exponentially() {
    let mut damped = TreeBuilder::new(Vec3::zeros());
    let joint = Joint::new(None, JointKind::Revolute { axis: Vec3::z() });
    let body = damped.body(Inertia::sphere(1.0, 1.0), joint).unwrap();
    damped.dof(body, 0, Dof { damping: 0.4, ..Dof::default() }).unwrap();
    let damped = damped.build().unwrap();
    let (mut q, mut v) = (vec![0.0], vec![2.0]);
    run(&damped, &mut q, &mut v, 1.0, 200);
    // I w' = -c w with I = 0.4.
    assert!((v[0] - 2.0 * zerogap_core::math::exp(-1.0)).abs() < 1e-10);
}
