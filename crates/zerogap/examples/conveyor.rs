//! A conveyor that gets a part every second and hands it on at its end: bodies are added and removed while the world runs, by time stepping and by located events.
//!
//! Run with `cargo run --release --example conveyor`. The same in Python stands in docs/motion.md.

use zerogap::contact::solve::ImpactLaw;
use zerogap::world::{
    BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, Stepping, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// Velocity of the belt [m/s].
const SPEED: f64 = 0.5;

/// Where a part is handed on [m].
const END: f64 = 1.5;

fn at(x: f64, z: f64) -> Result<Pose, Box<dyn std::error::Error>> {
    Ok(Pose::from_translation(Vec3::new(x, 0.0, z))?)
}

/// A belt of 2 m without parts.
fn belt(params: WorldParams) -> Result<World, Box<dyn std::error::Error>> {
    let mut builder = WorldBuilder::new(params);
    let belt = ShapeDef::new(Shape::cuboid(Vec3::new(2.0, 0.4, 0.1))?, "rubber").named("belt");
    builder.fixed(belt.at(at(0.9, -0.05)?).running(Vec3::new(SPEED, 0.0, 0.0)))?;
    Ok(builder.build()?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stepping = WorldParams::new(Stepping::default());
    let rigid = ContactModel::Rigid(ImpactLaw::default());
    let events = WorldParams::new(EventLocation::new(rigid));
    for (method, params) in [("stepping", stepping), ("events", events)] {
        let mut world = belt(params)?;
        println!("{method}: t [s]   bodies   handed on");
        for second in 0..8 {
            // Set down 5 mm above the belt, at rest.
            let part = BodyDef::free(at(0.0, 0.055)?).named(&format!("part {second}"));
            world.add_body(part.with(Shape::cuboid(Vec3::repeat(0.1))?, "steel"))?;
            world.advance_to(f64::from(second) + 1.0)?;
            let is_past = |body: &_| world.pose(*body).translation().x > END;
            let past: Vec<_> = world.bodies().iter().copied().filter(is_past).collect();
            let names: Vec<&str> = past.iter().map(|body| world.names()[body.index()].as_str()).collect();
            let line = format!("{:>14.1}   {:6}   {}", world.time(), world.bodies().len(), names.join(", "));
            println!("{}", line.trim_end());
            for body in past {
                world.remove_body(body)?;
            }
        }
        // Numbers are never given again: eight parts were added, and the first is gone.
        assert_eq!(world.names().len(), 8);
        let first = world.bodies()[0];
        assert!(first.0 > 0 && world.check_body(zerogap::dynamics::multibody::BodyId(0)).is_err());
        let ends = world.events().iter().filter(|event| matches!(event.what, EventKind::ContactEnd { .. }));
        assert!(ends.count() >= 4, "contacts of parts that are handed on end");
    }
    Ok(())
}
