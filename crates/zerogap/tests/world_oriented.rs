//! `collision = "oriented"`: corners of a body against flat surfaces, each pushed by the one it came in through.

use std::path::Path;

use zerogap::Vec3;
use zerogap::contact::law::NormalLaw;
use zerogap::dynamics::integrate::{Dop853, Rejecting, Tolerance};
use zerogap::dynamics::multibody::BodyId;
use zerogap::geometry::shape::Cuboid;
use zerogap::scene::Scene;
use zerogap::world::{
    BodyDef, Collision, ContactModel, Happening, ShapeDef, World, WorldBuilder, WorldError, WorldParams,
};
use zerogap::{ConvexShape, Pose, Shape};

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    ConvexShape::from(Cuboid::new(Vec3::new(x, y, z)).unwrap()).into()
}

/// A linear law, soft enough for a box to sink through half of a thin plate.
fn soft(stiffness: f64) -> WorldParams {
    let law = NormalLaw::Linear { stiffness, damping_ratio: 0.1 };
    WorldParams { contact: ContactModel::Elastic(law), ..WorldParams::default() }
}

/// A box that falls on a plate of 20 mm with its top at z = 0.
fn falling(collision: Collision, stiffness: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new(soft(stiffness));
    let plate = ShapeDef::new(cuboid(4.0, 4.0, 0.02), "steel")
        .at(Pose::from_translation(Vec3::new(0.0, 0.0, -0.01)).unwrap());
    builder.fixed(plate).unwrap();
    let shape = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").colliding(collision);
    let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.3)).unwrap();
    builder.body(BodyDef::free(at).named("box").with_shape(shape)).unwrap();
    builder
}

fn height(world: &World) -> f64 {
    world.pose(BodyId(0)).translation().z
}

#[test]
fn a_box_that_sinks_through_half_of_a_thin_plate_is_pushed_up_again() {
    // Four corners carry 63 kg: at rest 2 mm deep, after a fall of 0.2 m ten times as deep.
    let mut world = falling(Collision::Oriented, 8e4).build().unwrap();
    let mut lowest = f64::INFINITY;
    for k in 1..=200 {
        world.advance_to(0.01 * f64::from(k)).unwrap();
        lowest = lowest.min(height(&world) - 0.1);
    }
    println!("lowest {lowest} m, {} events", world.events().len());
    assert!(lowest < -0.011, "it must sink beyond the middle of the plate: {lowest}");
    world.advance_to(12.0).unwrap();
    let weight = 9.81 * world.tree().inertia(BodyId(0)).mass;
    let rest = -weight / (4.0 * 8e4);
    assert!((height(&world) - 0.1 - rest).abs() < 1e-6, "{} {rest}", height(&world));
    // The force at rest is the weight, along the top's normal.
    let contacts = world.contacts();
    assert_eq!(contacts.len(), 1);
    assert!((contacts[0].normal_force / weight - 1.0).abs() < 1e-6);
    assert!((Vec3::from(contacts[0].normal) - Vec3::z()).norm() < 1e-12);
}

#[test]
fn rejected_trial_steps_leave_no_trace_in_the_history() {
    let run = |integrator: Option<u64>| {
        let mut world = falling(Collision::Oriented, 8e4).build().unwrap();
        let inner = Dop853::new(Tolerance::default());
        match integrator {
            None => world.set_integrator(Box::new(inner)),
            Some(seed) => world.set_integrator(Box::new(Rejecting::new(inner, 3, 0.5, seed))),
        }
        world.advance_to(0.8).unwrap();
        world.hash()
    };
    assert_eq!(run(None), run(Some(1)));
    assert_eq!(run(None), run(Some(2)));
}

#[test]
fn a_saved_world_goes_on_with_the_same_history() {
    let mut world = falling(Collision::Oriented, 8e4).build().unwrap();
    // In contact, and deep.
    world.advance_to(0.22).unwrap();
    assert!(!world.contacts().is_empty());
    let saved = world.save();
    world.advance_to(0.6).unwrap();
    let once = world.hash();
    world.restore(&saved);
    world.advance_to(0.6).unwrap();
    assert_eq!(world.hash(), once);
}

#[test]
fn a_corner_that_slides_over_the_edge_of_a_ramp_is_handed_over() {
    // A flat top that goes over into a slope of 20°: the hull of a profile, 1 m wide.
    let profile = [(-2.0, 0.0), (0.0, 0.0), (1.5, -0.55), (1.5, -1.0), (-2.0, -1.0)];
    let points: Vec<Vec3> =
        profile.iter().flat_map(|(x, z)| [Vec3::new(*x, -0.5, *z), Vec3::new(*x, 0.5, *z)]).collect();
    let ramp = zerogap::Polyhedron::from_points(&points).unwrap();
    let mut builder = WorldBuilder::new(soft(1e5));
    let mut pair = zerogap::contact::material::PairProperties::default();
    pair.friction = 0.0;
    builder.pair("steel", "steel", pair).unwrap();
    builder.fixed(ShapeDef::new(ConvexShape::from(ramp).into(), "steel")).unwrap();
    let shape = ShapeDef::new(cuboid(0.3, 0.3, 0.1), "steel").colliding(Collision::Oriented);
    let at = Pose::from_translation(Vec3::new(-0.6, 0.0, 0.051)).unwrap();
    let def = BodyDef::free(at).named("box").with_shape(shape);
    let body = builder.body(def.moving(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(1.0).unwrap();
    let handed = world.events().iter().filter(|e| matches!(e.what, Happening::HandedOver { .. })).count();
    println!("{handed} hand-overs, at {}", world.pose(body).translation());
    assert!(handed >= 2, "{:?}", world.events());
    assert!(world.pose(body).translation().x > 0.2);
}

#[test]
fn what_cannot_be_met_is_refused_by_name() {
    let mut builder = falling(Collision::Oriented, 1e5);
    let ball: Shape = "sphere:0.1".parse().unwrap();
    builder.fixed(ShapeDef::new(ball.clone(), "steel")).unwrap();
    assert!(matches!(builder.build(), Err(WorldError::Oriented { .. })));
    let mut builder = WorldBuilder::new(soft(1e5));
    let round = ShapeDef::new(ball, "steel").colliding(Collision::Oriented);
    let def = BodyDef::free(Pose::identity()).named("ball").with_shape(round);
    assert!(matches!(builder.body(def), Err(WorldError::Oriented { .. })));
    let text = "[world]\ncontact = \"rigid\"\n[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n[[bodies]]\nname = \"brick\"\nshape = \"box:1,1,1\"\ncollision = \"oriented\"\nposition = [0, 0, 1]\n";
    let scene = Scene::parse(text, "x", Path::new("")).unwrap();
    let error = scene.build().map(drop).unwrap_err();
    assert!(error.message.contains("'brick' cannot meet others by oriented collision"), "{}", error.report());
}

#[test]
fn a_scene_says_oriented_and_a_half_space_is_a_target() {
    let text = "[world]\ncontact = \"linear\"\nstiffness = 1e5\n[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n[[bodies]]\nname = \"brick\"\nshape = \"box:0.2,0.2,0.2\"\ncollision = \"oriented\"\nposition = [0, 0, 0.15]\n";
    let scene = Scene::parse(text, "x", Path::new("")).unwrap_or_else(|error| panic!("{}", error.report()));
    let mut world = scene.build().unwrap_or_else(|error| panic!("{}", error.report()));
    world.advance_to(3.0).unwrap();
    let weight = 9.81 * world.tree().inertia(BodyId(0)).mass;
    assert!((height(&world) - 0.1 + weight / 4e5).abs() < 1e-6, "{}", height(&world));
}
