//! Chains with contact: how their error goes with the length of the step.

use zerogap::core::math::asin;
use zerogap::dynamics::multibody::{BodyId, Inertia, Joint, JointKind};
use zerogap::world::{BodyDef, ShapeDef, World};
use zerogap::{Shape, Vec3};

use super::scenes::{G, STEEL, add_floor, at, builder, steps};

/// Links, their length [m], and the radius of the ball at the tip [m].
const LINKS: usize = 4;
const LENGTH: f64 = 0.25;
const RADIUS: f64 = 0.02;

/// A chain on a hinge at a height [m], straight at an angle below the horizontal [rad], with a ball at its tip that slides on the floor.
fn chain(step: f64, height: f64, angle: f64) -> World {
    let mut builder = builder(steps(step), G, (0.0, 0.3));
    add_floor(&mut builder);
    let mut parent: Option<BodyId> = None;
    for k in 0..LINKS {
        let mut joint = Joint::new(parent, JointKind::Revolute { axis: Vec3::y() });
        joint = joint.parent_frame(if k == 0 { at(0.0, 0.0, height) } else { at(LENGTH, 0.0, 0.0) });
        let inertia = Inertia::cuboid(0.1, Vec3::new(LENGTH, 0.02, 0.02));
        let inertia = Inertia { center: Vec3::new(0.5 * LENGTH, 0.0, 0.0), ..inertia };
        let mut def = BodyDef::new(joint).with_inertia(inertia);
        if k == 0 {
            def = def.starting(&[angle]);
        }
        if k == LINKS - 1 {
            let ball = ShapeDef::new(Shape::sphere(RADIUS).unwrap(), STEEL);
            def = def.with_shape(ball.at(at(LENGTH, 0.0, 0.0)));
        }
        parent = Some(builder.body(def).unwrap());
    }
    builder.build().unwrap()
}

/// How far the angles of chains are apart for steps halved from 4 ms [rad].
fn differences(height: f64, angle: f64, until: f64) -> Vec<f64> {
    let run = |halving: i32| {
        let mut world = chain(4e-3 * 0.5_f64.powi(halving), height, angle);
        world.advance_to(until).unwrap();
        assert!(!world.contacts().is_empty(), "the tip is off the floor");
        world.positions().to_vec()
    };
    let runs: Vec<Vec<f64>> = (0..6).map(run).collect();
    let off =
        |pair: &[Vec<f64>]| pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    runs.windows(2).map(off).collect()
}

#[test]
fn a_chain_whose_tip_slides_converges() {
    let reach = LENGTH * LINKS as f64;
    let errors = differences(0.5, asin((0.5 - RADIUS) / reach), 0.15);
    // The first order of friction at the start of each step; steps of 4 ms are not in that range yet.
    let order = (errors[1] / errors[4]).log2() / 3.0;
    println!("sliding: order {order:.2}, {errors:?}");
    assert!((0.9..1.2).contains(&order), "order {order}: {errors:?}");
}

#[test]
fn a_chain_that_swings_onto_the_floor_converges() {
    // The error is what of the step was left when the tip struck: of first order, up to a factor that is anything between nothing and one.
    let errors = differences(0.6, 0.0, 0.5);
    let order = (errors[0] / errors[4]).log2() / 4.0;
    println!("striking: order {order:.2}, {errors:?}");
    assert!(order > 0.5, "order {order}: {errors:?}");
}
