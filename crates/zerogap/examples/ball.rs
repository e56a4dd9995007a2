//! A rigid steel ball falls from one metre and bounces until it lies still: when it hits, how fast, and how that compares with pencil and paper.
//!
//! Run with `cargo run --release --example ball`. The same in Python stands in docs/motion.md.

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::world::{BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

/// Speed after an impact against the speed before it [-].
const RESTITUTION: f64 = 0.9;

/// Height of the fall [m].
const HEIGHT: f64 = 1.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What the world is made of.
    let contact = ContactModel::Rigid(ImpactLaw::default());
    let params = WorldParams::new(EventLocation::new(contact));
    let g = -params.gravity.z;
    let mut builder = WorldBuilder::new(params);
    let bounces = PairProperties { restitution: RESTITUTION, friction: 0.0, ..PairProperties::default() };
    builder.pair("steel", "steel", bounces)?;
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0)?, "steel"))?;
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, HEIGHT + 0.1))?;
    let ball = builder.body(BodyDef::free(start).named("ball").with(Shape::sphere(0.1)?, "steel"))?;

    // Ten seconds of it.
    let mut world = builder.build()?;
    world.advance_to(10.0)?;

    // Impacts against the geometric series: flights last 2 e^k t, the first fall t.
    let fall = (2.0 * HEIGHT / g).sqrt();
    let (mut expected, mut flight, mut hits) = (fall, 2.0 * RESTITUTION * fall, 0);
    println!("impact   time [s]      speed [m/s]   off the closed form by [s]");
    for event in world.events() {
        match event.what {
            EventKind::ContactBegin { approach, .. } => {
                if hits < 5 {
                    println!("{hits:6}   {:.9}   {approach:.9}   {:9.1e}", event.t, event.t - expected);
                }
                (expected, flight, hits) = (expected + flight, flight * RESTITUTION, hits + 1);
            }
            EventKind::Settled { limit, .. } => {
                let exact = fall * (1.0 + RESTITUTION) / (1.0 - RESTITUTION);
                println!(
                    "after {hits} impacts it lies still; infinitely many would end at {limit:.9} s ({exact:.9} s)"
                );
                assert!((limit - exact).abs() < 1e-9, "the limit of the series");
            }
            _ => {}
        }
    }

    // Rest: the floor carries the weight.
    let weight = world.tree().inertia(ball).mass * g;
    let force: f64 = world.contacts().iter().map(|contact| contact.normal_force).sum();
    println!(
        "height {:.12} m, force of the floor {force:.6} N, weight {weight:.6} N",
        world.pose(ball).translation().z
    );
    let info = world.info();
    println!("{} steps, {} events, {} evaluations", info.steps, info.events, info.evaluations);
    Ok(())
}
