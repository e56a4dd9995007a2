//! A four-bar linkage swings under its weight until its coupler hits a stop, bounces and comes to rest on it. The loop stays closed to rounding and energy is lost at impacts only.
//!
//! Run with `cargo run --release --example four_bar`. The same in Python stands in docs/motion.md.

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::core::math::atan2;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::{Joint, JointKind, Loop, LoopKind};
use zerogap::world::{BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

/// Crank, coupler, rocker, and the distance of the two fixed pins [m].
const LENGTHS: [f64; 4] = [0.2, 0.5, 0.4, 0.5];

/// A pose at a point of the plane of the linkage.
fn at(x: f64, z: f64) -> Result<Pose, Box<dyn std::error::Error>> {
    Ok(Pose::from_translation(Vec3::new(x, 0.0, z))?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [crank, coupler, rocker, base] = LENGTHS;
    // The crank points up. Coupler and rocker join where circles about their first pins cross.
    let (dx, dz) = (base, -crank);
    let apart = (dx * dx + dz * dz).sqrt();
    let along = (coupler * coupler - rocker * rocker + apart * apart) / (2.0 * apart);
    let up = (coupler * coupler - along * along).sqrt();
    let joint = [(along * dx - up * dz) / apart, crank + (along * dz + up * dx) / apart];
    // Turning about +y takes x towards -z: angles in the plane have the opposite sign.
    let crank_angle = -std::f64::consts::FRAC_PI_2;
    let coupler_angle = -atan2(joint[1] - crank, joint[0]);
    let rocker_angle = -atan2(joint[1], joint[0] - base);

    // Bars of steel from pin to pin, each along its own x axis.
    let bar = |length: f64, joint: Joint, angle: f64| -> Result<BodyDef, Box<dyn std::error::Error>> {
        let shape = Shape::cuboid(Vec3::new(length, 0.02, 0.02))?;
        let shape = ShapeDef::new(shape, "steel").at(at(0.5 * length, 0.0)?);
        Ok(BodyDef::new(joint).with_shape(shape).starting(&[angle]))
    };
    let contact = ContactModel::Rigid(ImpactLaw::default());
    let tolerance = Tolerance { relative: 1e-9, absolute: 1e-12 };
    let mut builder =
        WorldBuilder::new(WorldParams::new(EventLocation { tolerance, ..EventLocation::new(contact) }));
    let bounces = PairProperties { restitution: 0.5, friction: 0.0, ..PairProperties::default() };
    builder.pair("steel", "steel", bounces)?;
    let pin = |parent| Joint::new(parent, JointKind::Revolute { axis: Vec3::y() });
    let first = builder.body(bar(crank, pin(None), crank_angle)?.named("crank"))?;
    let hung = pin(Some(first)).parent_frame(at(crank, 0.0)?);
    let second = builder.body(bar(coupler, hung, coupler_angle - crank_angle)?.named("coupler"))?;
    let third =
        builder.body(bar(rocker, pin(None).parent_frame(at(base, 0.0)?), rocker_angle)?.named("rocker"))?;
    builder.close(Loop {
        a: Some(second),
        frame_a: at(coupler, 0.0)?,
        b: Some(third),
        frame_b: at(rocker, 0.0)?,
        kind: LoopKind::Point,
    })?;

    // A stop that only the coupler can hit.
    builder.fixed(ShapeDef::new(Shape::sphere(0.05)?, "steel").at(at(0.0, 0.08)?))?;
    builder.exclude(None, Some(first));
    builder.exclude(None, Some(third));
    builder.exclude(Some(first), Some(third));

    let mut world = builder.build()?;
    let before = world.energy().total();
    println!("time [s]   crank [deg]   energy [J]   loop open by [m]");
    for k in 1_u32..=10 {
        world.advance_to(0.2 * f64::from(k))?;
        let open = world.loop_errors().iter().fold(0.0_f64, |worst, error| worst.max(error.abs()));
        assert!(open < 1e-9, "the loop stays closed");
        let angle = world.positions()[0].to_degrees();
        println!("{:8.1}   {angle:11.4}   {:10.6}   {open:16.1e}", world.time(), world.energy().total());
    }
    let mut lost = 0.0;
    for event in world.events() {
        match event.what {
            EventKind::ContactBegin { approach, .. } if approach > 0.1 => {
                println!("the coupler hits the stop at {:.6} s with {approach:.4} m/s", event.t);
            }
            EventKind::Impact { loss, .. } => lost += loss,
            EventKind::Settled { limit, .. } => println!("it rests on it from {limit:.6} s"),
            _ => {}
        }
    }
    let after = world.energy().total();
    println!("impacts took {lost:.9} J, the energy fell by {:.9} J", before - after);
    assert!((before - after - lost).abs() < 1e-6 * lost, "only impacts take energy");
    Ok(())
}
