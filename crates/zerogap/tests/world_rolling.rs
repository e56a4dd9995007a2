//! Bodies that roll on curved ground by steps, and what steps do to impacts.

use zerogap::world::{BodyDef, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap_contact::material::PairProperties;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::BodyId;
use zerogap_geometry::Shape;

fn builder(stepping: Stepping, restitution: f64, friction: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new(WorldParams::new(stepping));
    let properties = PairProperties { restitution, friction, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder
}

fn energy(world: &World) -> f64 {
    let energy = world.energy();
    energy.kinetic + energy.gravity
}

/// A ball that rolls over the top of another from rest at one side to the other, without slip.
fn ball_on_ball(step: f64, midpoint_iterations: usize) -> (World, BodyId) {
    let mut builder =
        builder(Stepping { step, tolerance: 1e-12, midpoint_iterations, ..Stepping::default() }, 0.0, 10.0);
    builder.fixed(ShapeDef::new(Shape::sphere(2.0).unwrap(), "steel")).unwrap();
    let (x, radii) = (-0.3_f64, 3.0_f64);
    let center = Vec3::new(x, 0.0, (radii * radii - x * x).sqrt());
    let normal = center / radii;
    let spin = Vec3::new(0.0, 2.0, 0.0);
    let v = spin.cross(&normal);
    let def = BodyDef::free(Pose::from_translation(center).unwrap())
        .with(Shape::sphere(1.0).unwrap(), "steel")
        .moving(&[v.x, v.y, v.z, spin.x, spin.y, spin.z]);
    let body = builder.body(def).unwrap();
    builder.set_overlaps(zerogap::world::Overlaps::Allow);
    (builder.build().unwrap(), body)
}

#[test]
fn a_ball_on_a_ball_keeps_its_energy_where_lasting_contacts_are_taken_halfway() {
    let (mut world, body) = ball_on_ball(1e-3, 2);
    let (start, kinetic) = (energy(&world), world.energy().kinetic);
    world.advance_to(0.5).unwrap();
    assert!(((energy(&world) - start) / kinetic).abs() < 1e-8, "{:e}", (energy(&world) - start) / kinetic);
    // It is still on the other ball, beyond its top, and does not slip.
    let center = world.pose(body).translation();
    assert!((center.norm() - 3.0).abs() < 1e-8 && center.x > 0.3, "{center:?}");
    let slip = world.velocity(body) - world.angular_velocity(body).cross(&(center / 3.0));
    assert!(slip.norm() < 1e-5, "{slip:?}");
}

#[test]
fn taken_at_the_start_of_steps_they_cost_energy_in_the_first_order() {
    let lost = |step: f64| {
        let (mut world, _) = ball_on_ball(step, 0);
        let start = energy(&world);
        world.advance_to(0.4).unwrap();
        (start - energy(&world)) / world.energy().kinetic
    };
    let (long, short) = (lost(2e-3), lost(1e-3));
    assert!(short > 1e-4 && (long / short - 2.0).abs() < 0.2, "{long:e} {short:e}");
}

#[test]
fn both_ways_tend_to_the_same_motion() {
    let place = |step: f64, midpoint_iterations: usize| {
        let (mut world, body) = ball_on_ball(step, midpoint_iterations);
        world.advance_to(0.4).unwrap();
        world.pose(body).translation()
    };
    let (halfway, start) = (place(1e-3, 2), place(1e-4, 0));
    assert!((halfway - start).norm() < 5e-4, "{halfway:?} {start:?}");
    assert!((halfway - place(5e-4, 2)).norm() < 1e-6);
}

#[test]
fn a_ball_thrown_back_without_loss_keeps_its_energy_from_any_height() {
    // Some heights end a step just above the floor, where the displacement of the step alone does not show that an impact is due.
    for k in 0..100 {
        let mut builder = builder(Stepping { step: 1e-2, ..Stepping::default() }, 1.0, 0.0);
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0 + 1e-3 * f64::from(k))).unwrap();
        builder.body(BodyDef::free(pose).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
        let mut world = builder.build().unwrap();
        let start = energy(&world);
        world.advance_to(3.0).unwrap();
        assert!(((energy(&world) - start) / start).abs() < 1e-12, "{k}: {:e}", energy(&world) - start);
    }
}

/// How far a round body of unit density rolls on flat ground from 1 m/s, as a fraction of what its moment of inertia lets it: `(1 + I / m r²) v² / 2 c g`.
fn rolled(shape: Shape, radius: f64, rotation: (Vec3, f64)) -> f64 {
    let mut builder = WorldBuilder::new(WorldParams::new(Stepping { step: 1e-3, ..Stepping::default() }));
    let rolling = 0.05;
    let properties = PairProperties { restitution: 0.0, friction: 0.5, rolling, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let pose = Pose::from_axis_angle(Vec3::z() * radius, rotation.0, rotation.1).unwrap();
    let spin = pose.inverse_transform_vector(&(Vec3::y() / radius));
    let def = BodyDef::free(pose).with(shape, "steel").moving(&[1.0, 0.0, 0.0, spin.x, spin.y, spin.z]);
    let body = builder.body(def).unwrap();
    let mut world = builder.build().unwrap();
    let inertia = world.tree().inertia(body);
    let axis = pose.inverse_transform_vector(&Vec3::y());
    let felt = 1.0 + axis.dot(&(inertia.inertia * axis)) / (inertia.mass * radius * radius);
    world.advance_to(4.0).unwrap();
    assert!(world.velocity(body).norm() < 1e-6, "it has come to rest");
    world.pose(body).translation().x / (felt / (2.0 * rolling * 9.81))
}

#[test]
fn balls_capsules_and_cylinders_are_braked_by_their_radius() {
    // From z to the axis y about which they roll.
    let lying = (Vec3::x(), -std::f64::consts::FRAC_PI_2);
    let capsule = Shape::capsule(0.1, 0.3).unwrap();
    let cylinder = Shape::cylinder(0.1, 0.3).unwrap();
    for (name, shape) in [("ball", Shape::sphere(0.1).unwrap()), ("capsule", capsule), ("cylinder", cylinder)]
    {
        let ratio = rolled(shape, 0.1, lying);
        println!("{name}: {ratio}");
        assert!((ratio - 1.0).abs() < 1e-4, "{name}: {ratio}");
    }
}
