//! Trees of links against the full matrices that they stand for.

use super::bodies::{BodyProblem, JointRow};
use super::island::{NO_SLOPE, Slope};
use super::links::{LinkTree, shifted_motion};
use super::tree_factor::TreeFactor;
use super::{Delassus as _, StepSolver, residual};
use crate::problem::Block;
use nalgebra::{DMatrix, DVector};
use zerogap_core::random::Random;

/// A random tree, with all that follows from it written out.
struct Made {
    links: LinkTree,
    mass: DMatrix<f64>,
    /// By link: six rows, its motion for the velocities.
    motions: Vec<DMatrix<f64>>,
}

/// A tree of links on joints of zero to three velocities, its root floating or on a joint to the world.
fn random_tree(random: &mut Random, count: usize, floats: bool) -> Made {
    let dofs: Vec<usize> = (0..count)
        .map(|link| match link {
            0 if floats => 6,
            0 => 1,
            _ => random.index(4),
        })
        .collect();
    let velocities: usize = dofs.iter().sum();
    let mut links = LinkTree::default();
    links.clear(velocities);
    let (mut mass, mut motions) = (DMatrix::zeros(velocities, velocities), Vec::<DMatrix<f64>>::new());
    let mut first = 0;
    for (link, &own) in dofs.iter().enumerate() {
        let parent = (link > 0).then(|| if random.index(3) > 0 { link - 1 } else { random.index(link) });
        let arm = [0; 3].map(|_| random.range(-0.3, 0.3));
        // A positive matrix; nothing here needs it to be that of a body.
        let half = DMatrix::from_fn(6, 6, |_, _| random.range(-1.0, 1.0));
        let inertia = &half * half.transpose() * random.range(0.01, 1.0);
        let entries = std::array::from_fn(|i| std::array::from_fn(|j| inertia[(i, j)]));
        links.push_link(parent, arm, entries, (first, own));
        let mut motion = DMatrix::zeros(6, velocities);
        if let Some(parent) = parent {
            for k in 0..velocities {
                let of_parent = std::array::from_fn(|i| motions[parent][(i, k)]);
                motion.column_mut(k).copy_from_slice(&shifted_motion(&of_parent, &arm));
            }
        }
        for k in first..first + own {
            let axis = [0; 6].map(|_| random.range(-1.0, 1.0));
            let added = if random.index(2) > 0 { random.range(0.0, 0.1) } else { 0.0 };
            links.set_axis(k, axis, added);
            motion.column_mut(k).copy_from_slice(&axis);
            mass[(k, k)] += added;
        }
        mass += motion.transpose() * inertia * &motion;
        motions.push(motion);
        first += own;
    }
    Made { links, mass, motions }
}

fn row_major(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

/// Two trees and a body, with contacts of all kinds of pairs; the same problem with links and without them.
fn random_problems(random: &mut Random) -> [BodyProblem; 2] {
    let trees = [(9, true), (6, false)].map(|(count, floats)| random_tree(random, count, floats));
    let body = {
        let half = DMatrix::from_fn(6, 6, |_, _| random.range(-1.0, 1.0));
        &half * half.transpose() + DMatrix::identity(6, 6) * 0.1
    };
    let mut problems = [BodyProblem::default(), BodyProblem::default()];
    for mass in [&trees[0].mass, &trees[1].mass, &body] {
        let free: Vec<f64> = (0..mass.nrows()).map(|_| random.range(-1.0, 1.0)).collect();
        for problem in &mut problems {
            problem.add_group(&row_major(mass), &free);
        }
    }
    for (group, tree) in trees.iter().enumerate() {
        let free = problems[0].free()[problems[0].groups()[group].start..][..tree.mass.nrows()].to_vec();
        problems[0].set_tree(group, &row_major(&tree.mass), &free, &tree.links);
        assert!(problems[0].is_tree(group));
    }
    let mut begins = Vec::new();
    for number in 0..24 {
        begins.push(problems[0].blocks().len());
        // Contacts, some with what resists rolling; limits of joints, some that yield.
        let (law, bias) = match number % 4 {
            1 if number < 4 => (Block::Bilateral, vec![0.1]),
            0 => (Block::Unilateral, vec![random.range(-1.0, 0.5)]),
            1 => (Block::Moment { axes: 2, ratio: 0.1, contact: begins[number - 2] }, vec![0.0; 2]),
            _ => (Block::Contact { friction: 0.5, slip: None }, vec![random.range(-1.0, 0.5), 0.0, 0.0]),
        };
        let joint = random.index(2);
        if law.rows() == 1 {
            // One, and beside it some that yield, so that all together have an answer: more than share a way through the links.
            let len = trees[joint].mass.nrows();
            let rows: Vec<JointRow> = (0..=random.index(6))
                .map(|k| {
                    let (velocity, factor) =
                        (random.index(len), if random.index(2) > 0 { 1.0 } else { -1.0 });
                    let compliance = if k == 0 { 0.0 } else { random.range(0.1, 1.0) };
                    JointRow { law, bias: bias[0], compliance, velocity, factor }
                })
                .collect();
            problems[0].add_joint_blocks(joint, &rows);
            for row in &rows {
                let block = problems[1].add_block(law, &bias);
                problems[1].set_compliance(block, row.compliance);
                let mut side = vec![0.0; len];
                side[row.velocity] = row.factor;
                problems[1].add_side(joint, &side);
            }
            continue;
        }
        for problem in &mut problems {
            problem.add_block(law, &bias);
        }
        // On the same groups as the contact of a moment: a link with itself, another, the body or the world.
        let kind = if let Block::Moment { .. } = law { number - 2 } else { number } % 5;
        let ends: &[usize] = [&[0, 0][..], &[0, 1], &[0, 2], &[1, 2], &[1]][kind];
        for &group in ends {
            let motions: Vec<[f64; 6]> =
                (0..law.rows()).map(|_| [0; 6].map(|_| random.range(-1.0, 1.0))).collect();
            let rows = DMatrix::from_fn(law.rows(), 6, |i, k| motions[i][k]);
            let Some(tree) = trees.get(group) else {
                for problem in &mut problems {
                    problem.add_side(group, &row_major(&rows));
                }
                continue;
            };
            let link = random.index(tree.motions.len());
            let rows = row_major(&(rows * &tree.motions[link]));
            problems[0].add_link_side(group, &rows, link, &motions);
            problems[1].add_side(group, &rows);
        }
    }
    problems
}

/// Mass and Jacobian of a problem as a whole.
fn written_out(problem: &BodyProblem) -> (DMatrix<f64>, DMatrix<f64>) {
    let (rows, columns) = (problem.rows(), problem.state_len());
    let (mut mass, mut jacobian) = (DMatrix::zeros(columns, columns), DMatrix::zeros(rows, columns));
    for (number, group) in problem.groups().iter().enumerate() {
        let own = DMatrix::from_row_slice(group.len, group.len, problem.mass(number));
        mass.view_mut((group.start, group.start), (group.len, group.len)).copy_from(&own);
    }
    for block in 0..problem.blocks().len() {
        for side in problem.sides(block).into_iter().flatten() {
            let group = problem.groups()[side.group];
            let count = problem.blocks()[block].rows();
            let own = DMatrix::from_row_slice(count, group.len, problem.rows_of(block, side));
            jacobian.view_mut((problem.first(block), group.start), (count, group.len)).copy_from(&own);
        }
    }
    (mass, jacobian)
}

/// What impulses do, and the entries of W: by links within 1e-9 of the inverse mass matrix.
#[test]
fn links_move_as_the_inverse_mass_says() {
    let mut random = Random::new(11);
    for _ in 0..50 {
        let [linked, full] = random_problems(&mut random);
        let impulses: Vec<f64> = (0..full.rows()).map(|_| random.range(-1.0, 1.0)).collect();
        let [mut one, mut other] = [&linked, &full].map(|problem| vec![0.0; problem.state_len()]);
        linked.begin(&impulses, &mut one);
        full.begin(&impulses, &mut other);
        let largest = other.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (one, other) in one.iter().zip(&other) {
            assert!((one - other).abs() <= 1e-9 * largest, "{one} {other}");
        }
        for block in 0..full.blocks().len() {
            let (one, other) = (linked.diagonal(block), full.diagonal(block));
            assert!((one - other).amax() <= 1e-9 * other.amax(), "{block}: {one} {other}");
        }
        // Rows of any kind make a group of a tree, and change nothing else.
        let mut dropped = linked.clone();
        for problem in [&mut dropped, &mut full.clone()] {
            problem.add_block(Block::Bilateral, &[0.0]);
            problem.add_side(0, &vec![0.5; problem.groups()[0].len]);
        }
        assert!(!dropped.is_tree(0) && dropped.is_tree(1));
    }
}

/// Solutions by elimination along the trees, against those of the full matrix: within 1e-8, and within 1e-6 where contacts are a million times as stiff as masses, symmetric or not, with moments that follow their contacts.
#[test]
fn steps_along_trees_are_those_of_the_full_matrix() {
    let mut random = Random::new(12);
    let mut worst = 0.0_f64;
    for trial in 0..200 {
        let [linked, full] = random_problems(&mut random);
        let (mass, jacobian) = written_out(&full);
        let is_symmetric = trial % 2 == 0;
        let stiffness = [1.0, 1e3, 1e6][trial % 3];
        let blocks = full.blocks();
        let mut slopes: Vec<Slope> = vec![NO_SLOPE; blocks.len()];
        let (mut moments, mut follows) = (Vec::new(), vec![[0.0; 2]; blocks.len()]);
        let mut matrix = mass.clone();
        for (block, law) in blocks.iter().enumerate().filter(|(block, _)| block % 5 != 4) {
            let count = law.rows();
            let mut slope = DMatrix::zeros(3, 3);
            let half = DMatrix::from_fn(count, count, |_, _| random.range(-1.0, 1.0));
            let mut own = &half * half.transpose() * stiffness;
            if !is_symmetric {
                own += DMatrix::from_fn(count, count, |_, _| random.range(-0.1, 0.1));
            }
            slope.view_mut((0, 0), (count, count)).copy_from(&own);
            slopes[block] = std::array::from_fn(|i| std::array::from_fn(|j| slope[(i, j)]));
            let rows = jacobian.rows(full.first(block), count);
            matrix += rows.transpose() * own * rows;
            if let Block::Moment { contact, .. } = law {
                moments.push((block, *contact));
                if !is_symmetric {
                    follows[block] = [0; 2].map(|_| random.range(-0.3, 0.3));
                }
            }
        }
        for (block, contact) in &moments {
            let moment = jacobian.rows(full.first(*block), 2);
            let normal = DMatrix::from_row_slice(1, 3, &slopes[*contact][0]);
            let felt = normal * jacobian.rows(full.first(*contact), 3);
            matrix += moment.transpose() * DVector::from_row_slice(&follows[*block]) * felt;
        }
        let mut factor = TreeFactor::default();
        assert!(factor.load(&linked) && !factor.load(&full) && factor.load(&linked));
        let right: Vec<f64> = (0..full.state_len()).map(|_| random.range(-1.0, 1.0)).collect();
        // Twice: factors are made anew in the memory there is.
        for _ in 0..2 {
            factor.assemble(&slopes, (&moments, &follows), is_symmetric);
            assert!(factor.factor());
        }
        let mut found = right.clone();
        factor.solve(&mut found);
        let expected = matrix.lu().solve(&DVector::from_vec(right)).unwrap();
        let miss = (DVector::from_vec(found) - &expected).amax() / expected.amax();
        worst = worst.max(miss);
        assert!(miss <= 1e-12 * stiffness.max(1e4), "{trial}: {miss}");
    }
    println!("largest difference {worst:.1e} of the largest velocity");
}

/// Whole solves: what is found with links obeys the laws of the problem without them.
#[test]
fn solves_with_links_answer_the_problem_without_them() {
    let mut random = Random::new(13);
    let mut solved = 0;
    for trial in 0..100 {
        let [linked, full] = random_problems(&mut random);
        let (mut impulses, mut state) = (Vec::new(), Vec::new());
        let info = StepSolver::default().solve(&linked, &mut impulses, &mut state, (0.0, 1e-9));
        let mut expected = vec![0.0; full.state_len()];
        full.begin(&impulses, &mut expected);
        let missed = residual(&full, &impulses, &expected);
        // Where there is no answer, impulses grow beyond all bounds, and so does what rounding leaves.
        assert!(missed <= 2e-9 || !info.is_solved, "{trial}: {missed} {info:?}");
        // Random rows may have no answer; then that of full matrices has none either.
        let (mut other, mut other_state) = (Vec::new(), Vec::new());
        let reference = StepSolver::default().solve(&full, &mut other, &mut other_state, (0.0, 1e-9));
        solved += usize::from(info.is_solved);
        assert!(info.is_solved || !reference.is_solved, "{trial}: {info:?} {reference:?}");
    }
    // With as many rows as velocities, every other one has.
    assert!(solved >= 40, "{solved}");
}
