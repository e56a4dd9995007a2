//! The three algorithms against each other: articulated bodies, composite bodies with a dense solve, recursive Newton-Euler.

use nalgebra::{DMatrix, DVector};
use zerogap_core::random::Random;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Inertia, Joint, JointKind, Tree, TreeBuilder};
use zerogap_testkit::count;

use crate::support::{difference, largest, numbers, state, tree, wrenches};

fn mass_matrix(tree: &Tree, ws: &mut zerogap_dynamics::multibody::Workspace) -> DMatrix<f64> {
    let n = tree.velocities();
    let mut mass = DMatrix::zeros(n, n);
    tree.mass_matrix(ws, &mut mass);
    mass
}

#[test]
fn articulated_and_composite_bodies_give_the_same_accelerations() {
    let mut worst = 0.0_f64;
    for seed in 0..count(300, 20_000) as u64 {
        let mut random = Random::new(seed);
        let bodies = 1 + random.index(9);
        let tree = tree(&mut random, bodies);
        let n = tree.velocities();
        let (q, v) = state(&mut random, &tree);
        let (loads, effort) = (wrenches(&mut random, tree.bodies()), numbers(&mut random, n, 3.0));
        let mut ws = tree.workspace();
        tree.update(0.7, &q, &v, &mut ws);
        assert!(ws.is_valid() && ws.singular() == 0);
        let mut vdot = vec![0.0; n];
        tree.acceleration(&mut ws, &loads, &effort, &mut vdot);

        // Dense: M vdot = effort - h, where h is what zero acceleration takes.
        let mut h = vec![0.0; n];
        tree.inverse_dynamics(&mut ws, &loads, &vec![0.0; n], &mut h);
        let mass = mass_matrix(&tree, &mut ws);
        let right = DVector::from_fn(n, |i, _| effort[i] - h[i]);
        let dense = mass.clone().cholesky().unwrap().solve(&right);
        let scale = largest(dense.as_slice()).max(1.0);
        worst = worst.max(difference(&vdot, dense.as_slice()) / scale);

        // Round trip: the efforts that take these accelerations are those that were given.
        let mut again = vec![0.0; n];
        tree.inverse_dynamics(&mut ws, &loads, &vdot, &mut again);
        let size = largest(&h).max(largest(&effort)).max(1.0);
        assert!(difference(&again, &effort) <= 1e-11 * size, "seed {seed}");

        // The inverse of the mass matrix alone.
        let f = numbers(&mut random, n, 1.0);
        let mut x = vec![0.0; n];
        tree.inverse_mass_times(&mut ws, &f, &mut x);
        let back = &mass * DVector::from_column_slice(&x);
        assert!(difference(back.as_slice(), &f) <= 1e-10, "seed {seed}");
    }
    assert!(worst <= 1e-10, "worst relative difference {worst}");
}

#[test]
fn the_mass_matrix_is_the_one_of_the_kinetic_energy() {
    let mut random = Random::new(11);
    for _ in 0..50 {
        let tree = crate::support::tree_under(&mut random, 6, 8, Vec3::zeros());
        let (q, v) = state(&mut random, &tree);
        let mut ws = tree.workspace();
        tree.update(0.0, &q, &v, &mut ws);
        let mass = mass_matrix(&tree, &mut ws);
        let v = DVector::from_column_slice(&v);
        let kinetic = tree.energy(&ws, &q).kinetic;
        assert!((0.5 * v.dot(&(mass * &v)) - kinetic).abs() <= 1e-12 * kinetic.max(1.0));
    }
}

/// A chain of bars hinged about axes that change from link to link, hanging from `place`.
fn chain(links: usize, place: Vec3) -> Tree {
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81));
    let mut parent: Option<BodyId> = None;
    for i in 0..links {
        let axis = if i % 2 == 0 { Vec3::y() } else { Vec3::new(1.0, 0.3, 0.0) };
        let at = if i == 0 { place } else { Vec3::new(0.0, 0.0, -0.1) };
        let joint = Joint::new(parent, JointKind::Revolute { axis })
            .parent_frame(Pose::from_translation(at).unwrap());
        let bar = Inertia {
            mass: 0.1,
            center: Vec3::new(0.0, 0.0, -0.05),
            inertia: Mat3::from_diagonal(&Vec3::new(1e-4, 1e-4, 1e-6)),
        };
        parent = Some(builder.body(bar, joint).unwrap());
    }
    builder.build().unwrap()
}

#[test]
fn a_chain_of_a_hundred_links_keeps_its_precision_far_from_the_origin() {
    let (near, far) = (chain(100, Vec3::zeros()), chain(100, Vec3::new(1e9, -1e9, 1e8)));
    let mut random = Random::new(5);
    let (q, v) = (numbers(&mut random, 100, 0.3), numbers(&mut random, 100, 1.0));
    let [near, far] = [near, far].map(|tree| {
        let (mut ws, mut vdot) = (tree.workspace(), vec![0.0; 100]);
        tree.update(0.0, &q, &v, &mut ws);
        tree.acceleration(&mut ws, &[], &vec![0.0; 100], &mut vdot);
        vdot
    });
    assert!(difference(&near, &far) <= 1e-12 * largest(&near), "{}", difference(&near, &far));
}

#[test]
fn a_chain_of_four_hundred_links_meets_its_equations_of_motion() {
    let tree = chain(400, Vec3::zeros());
    let mut random = Random::new(6);
    let (q, v) = (numbers(&mut random, 400, 0.3), numbers(&mut random, 400, 1.0));
    let (mut ws, mut vdot, mut effort) = (tree.workspace(), vec![0.0; 400], vec![1.0; 400]);
    tree.update(0.0, &q, &v, &mut ws);
    tree.acceleration(&mut ws, &[], &vec![0.0; 400], &mut vdot);
    tree.inverse_dynamics(&mut ws, &[], &vdot, &mut effort);
    let mut largest_term = vec![0.0; 400];
    tree.inverse_dynamics(&mut ws, &[], &vec![0.0; 400], &mut largest_term);
    assert!(largest(&effort) <= 1e-10 * largest(&largest_term), "{}", largest(&effort));
}

#[test]
fn an_empty_tree_has_nothing_to_compute() {
    let tree = TreeBuilder::new(Vec3::zeros()).build().unwrap();
    let mut ws = tree.workspace();
    tree.update(0.0, &[], &[], &mut ws);
    tree.acceleration(&mut ws, &[], &[], &mut []);
    assert_eq!(tree.project(0.0, &mut [], &mut [], &mut ws).iterations, 0);
    assert_eq!((tree.bodies(), tree.loop_rows()), (0, 0));
}

#[test]
fn the_same_state_gives_the_same_bits_in_any_workspace() {
    let mut random = Random::new(9);
    let tree = tree(&mut random, 12);
    let n = tree.velocities();
    let (q, v) = state(&mut random, &tree);
    let (other_q, other_v) = state(&mut random, &tree);
    let run = |dirty: bool| {
        let (mut ws, mut vdot) = (tree.workspace(), vec![0.0; n]);
        if dirty {
            tree.update(3.0, &other_q, &other_v, &mut ws);
            tree.inverse_mass_times(&mut ws, &other_v, &mut vdot);
        }
        tree.update(0.1, &q, &v, &mut ws);
        tree.acceleration(&mut ws, &[], &vec![0.5; n], &mut vdot);
        vdot.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(run(false), run(true));
}
