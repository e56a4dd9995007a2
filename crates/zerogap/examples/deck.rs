//! A ball on a deck that heaves: it rides along while the deck falls more slowly than it, and leaves at the moment that pencil and paper give where it falls faster.
//!
//! Run with `cargo run --release --example deck`. The same in Python stands in docs/motion.md.

use std::f64::consts::TAU;
use std::sync::Arc;

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::core::math::asin;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::{Harmonic, HarmonicMotion, Joint, JointKind};
use zerogap::world::{
    BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// Oscillations of the deck per second [Hz].
const FREQUENCY: f64 = 1.0;

/// A ball that starts with a deck whose largest acceleration is this [m/s²].
fn world(peak: f64) -> Result<World, Box<dyn std::error::Error>> {
    let w = TAU * FREQUENCY;
    let contact = ContactModel::Rigid(ImpactLaw::default());
    let tolerance = Tolerance { relative: 1e-9, absolute: 1e-12 };
    let mut builder =
        WorldBuilder::new(WorldParams::new(EventLocation { tolerance, ..EventLocation::new(contact) }));
    let dull = PairProperties { restitution: 0.0, friction: 0.5, ..PairProperties::default() };
    builder.pair("steel", "steel", dull)?;
    let heave = Harmonic { amplitude: peak / (w * w), frequency: FREQUENCY, phase: 0.0 };
    let mean = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5))?;
    let still = Harmonic::default();
    let motion = HarmonicMotion::new(mean, [still, still, heave], [still; 3])?;
    let deck = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
    let plate = ShapeDef::new(Shape::cuboid(Vec3::new(4.0, 4.0, 1.0))?, "steel");
    builder.body(BodyDef::new(deck).named("deck").with_shape(plate))?;
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1))?;
    let ball = BodyDef::free(start).named("ball").with(Shape::sphere(0.1)?, "steel");
    builder.body(ball.moving(&[0.0, 0.0, peak / w, 0.0, 0.0, 0.0]))?;
    Ok(builder.build()?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let g = 9.81;
    println!("largest acceleration [g]   leaves at [s]   closed form [s]   lands at [s]");
    for ratio in [0.5, 0.9, 1.1, 1.5, 2.0] {
        let mut world = world(ratio * g)?;
        world.advance_to(2.0)?;
        let leaves = world.events().iter().find(|event| matches!(event.what, EventKind::ContactEnd { .. }));
        let Some(leaves) = leaves else {
            println!("{ratio:24}   rides along for 2 s");
            continue;
        };
        // It leaves where the deck falls with g: peak sin(w t) = g.
        let exact = asin(1.0 / ratio) / (TAU * FREQUENCY);
        let lands = world
            .events()
            .iter()
            .find(|event| event.t > leaves.t && matches!(event.what, EventKind::ContactBegin { .. }));
        let lands = lands.map_or(f64::NAN, |event| event.t);
        println!("{ratio:24}   {:13.9}   {exact:15.9}   {lands:12.9}", leaves.t);
        assert!((leaves.t - exact).abs() < 1e-7, "it leaves when it must");
    }
    Ok(())
}
