//! `collision = "oriented"`: corners of a body against flat surfaces, each pushed by the one it came in through.

mod degenerate;

use std::path::Path;

use zerogap::Vec3;
use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::core::math::atan;
use zerogap::dynamics::integrate::{Dop853, Rejecting, Tolerance};
use zerogap::dynamics::multibody::{BodyId, Joint, JointKind};
use zerogap::geometry::shape::Cuboid;
use zerogap::scene::{Scene, built_in};
use zerogap::world::{
    BodyDef, Collision, ContactModel, EventKind, EventLocation, ShapeDef, World, WorldBuilder, WorldError,
    WorldParams,
};
use zerogap::{ContactId, ConvexShape, Feature, Pose, Shape};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    ConvexShape::from(Cuboid::new(Vec3::new(x, y, z)).unwrap()).into()
}

/// A linear law, soft enough for a box to sink through half of a thin plate.
fn soft(stiffness: f64) -> WorldParams {
    let law = NormalLaw::Linear { stiffness, damping_ratio: 0.1 };
    WorldParams::new(EventLocation::new(ContactModel::Elastic(law)))
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

/// A place this far below the origin.
fn down(way: f64) -> Pose {
    Pose::from_translation(Vec3::new(0.0, 0.0, -way)).unwrap()
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
    world.restore(&saved).unwrap();
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
    let pair = PairProperties { friction: 0.0, ..PairProperties::default() };
    builder.pair("steel", "steel", pair).unwrap();
    builder.fixed(ShapeDef::new(ConvexShape::from(ramp).into(), "steel")).unwrap();
    let shape = ShapeDef::new(cuboid(0.3, 0.3, 0.1), "steel").colliding(Collision::Oriented);
    let at = Pose::from_translation(Vec3::new(-0.6, 0.0, 0.051)).unwrap();
    let def = BodyDef::free(at).named("box").with_shape(shape);
    let body = builder.body(def.moving(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(1.0).unwrap();
    let handed = world.events().iter().filter(|e| matches!(e.what, EventKind::HandedOver { .. })).count();
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
    assert!(error.message.contains("'brick' cannot collide by oriented collision"), "{}", error.report());
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

#[test]
fn four_corners_on_springs_bounce_as_the_closed_form_says() {
    // Flat and without damping: depth x with m x'' = m g - 4 k x, from x = 0 at the speed of the fall.
    let stiffness = 2e5;
    let law = NormalLaw::Linear { stiffness, damping_ratio: 0.0 };
    let tolerance = Tolerance { relative: 1e-10, absolute: 1e-13 };
    let params =
        WorldParams::new(EventLocation { tolerance, ..EventLocation::new(ContactModel::Elastic(law)) });
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new("halfspace:0,0,1,0".parse().unwrap(), "steel")).unwrap();
    let shape = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").colliding(Collision::Oriented);
    let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.15)).unwrap();
    let body = builder.body(BodyDef::free(at).named("box").with_shape(shape)).unwrap();
    let mut world = builder.build().unwrap();

    let (g, mass) = (9.81_f64, world.tree().inertia(body).mass);
    let (touch, speed) = ((2.0 * 0.05 / g).sqrt(), (2.0 * 0.05 * g).sqrt());
    let omega = (4.0 * stiffness / mass).sqrt();
    // x = g/ω² (1 - cos ω t) + v/ω sin ω t is zero again where tan(ω t / 2) = -v ω / g.
    let part = touch + 2.0 / omega * (std::f64::consts::PI - atan(speed * omega / g));
    world.advance_to(part + 0.02).unwrap();
    let events = world.events();
    let times: Vec<f64> = events.iter().map(|event| event.t).collect();
    assert!(
        matches!(events[0].what, EventKind::ContactBegin { approach, .. } if (approach - speed).abs() < 1e-9)
    );
    assert!((times[0] - touch).abs() < 1e-9, "{times:?} {touch}");
    let parted = events.iter().find(|event| matches!(event.what, EventKind::ContactEnd { .. })).unwrap();
    assert!((parted.t - part).abs() < 1e-7, "{} {part}", parted.t);
    assert!((world.velocity(body).z - (speed - g * (world.time() - part))).abs() < 1e-7);
}

#[test]
fn a_sheet_that_sinks_through_a_plate_comes_back_where_the_nearest_way_out_lets_it_fall() {
    let run = |collision| {
        let mut builder = WorldBuilder::new(soft(4e3));
        builder.fixed(ShapeDef::new(cuboid(4.0, 4.0, 0.02), "steel").at(down(0.01))).unwrap();
        let shape = ShapeDef::new(cuboid(0.2, 0.2, 0.01), "steel").colliding(collision);
        builder.body(BodyDef::free(down(-0.205)).named("sheet").with_shape(shape)).unwrap();
        let mut world = builder.build().unwrap();
        let mut lowest = f64::INFINITY;
        for k in 1..=1000 {
            world.advance_to(0.01 * f64::from(k)).unwrap();
            lowest = lowest.min(height(&world));
        }
        let weight = 9.81 * world.tree().inertia(BodyId(0)).mass;
        (lowest, height(&world), 0.005 - weight / (4.0 * 4e3))
    };
    let (lowest, end, rest) = run(Collision::Oriented);
    assert!(lowest < -0.015, "half of it must come out below: {lowest}");
    assert!((end - rest).abs() < 1e-6, "{end} {rest}");
    let (_, end, _) = run(Collision::Exact);
    assert!(end < -1.0, "{end}");
}

#[test]
fn points_of_contact_tell_corner_and_surface() {
    let mut world = falling(Collision::Oriented, 8e4).build().unwrap();
    world.advance_to(0.22).unwrap();
    let contact_points = world.contact_points();
    let ids: Vec<ContactId> = contact_points.iter().map(|contact| contact.id).collect();
    // The top of the plate is its sixth surface; the lower corners of the box come first.
    let expected: Vec<ContactId> =
        [0, 1, 2, 3].map(|corner| ContactId { a: Feature::Face(5), b: Feature::Vertex(corner) }).to_vec();
    assert_eq!(ids, expected);
    let sum: Vec3 = contact_points.iter().map(|contact| contact.force).sum();
    let contact = &world.contacts()[0];
    assert!((sum.z - contact.normal_force).abs() < 1e-9 * sum.z);
    assert!(contact_points.iter().all(|contact| (contact.gap - (height(&world) - 0.1)).abs() < 1e-12));
}

#[test]
fn corners_of_both_shapes_count_whichever_is_asked() {
    // A plate comes down on a narrow pillar: none of its own corners is near, the pillar's are.
    let run = |pillar: Collision, plate: Collision| {
        let mut builder = WorldBuilder::new(soft(1e6));
        let post = ShapeDef::new(cuboid(0.1, 0.1, 1.0), "steel").colliding(pillar);
        builder.fixed(post.at(down(0.5))).unwrap();
        let shape = ShapeDef::new(cuboid(0.4, 0.4, 0.05), "steel").colliding(plate);
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.04)).unwrap();
        builder.body(BodyDef::free(at).named("plate").with_shape(shape)).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.5).unwrap();
        (height(&world), world.contact_points())
    };
    let (oriented, exact) = (Collision::Oriented, Collision::Exact);
    for (pillar, plate) in [(oriented, oriented), (exact, oriented), (oriented, exact)] {
        let (rest, contact_points) = run(pillar, plate);
        assert!((rest - 0.025).abs() < 1e-3, "{rest}");
        assert_eq!(contact_points.len(), 4);
        // The pillar comes first, so its corners are those of A; the bottom of the plate is its fifth surface.
        assert!(
            contact_points.iter().all(|contact| matches!(
                (contact.id.a, contact.id.b),
                (Feature::Vertex(_), Feature::Face(4))
            ))
        );
        assert!(contact_points.iter().all(|contact| (contact.normal - Vec3::z()).norm() < 1e-9));
    }
}

#[test]
fn an_ordinary_box_rests_on_an_oriented_floor() {
    // The floor's corners are far away: those of what falls on it must count.
    let hull = zerogap::Polyhedron::from_points(&[
        Vec3::new(-0.1, -0.1, -0.1),
        Vec3::new(0.1, -0.1, -0.1),
        Vec3::new(0.1, 0.1, -0.1),
        Vec3::new(-0.1, 0.1, -0.1),
        Vec3::new(0.0, 0.0, 0.1),
    ])
    .unwrap();
    for shape in [cuboid(0.2, 0.2, 0.2), hull.into()] {
        let mut builder = WorldBuilder::new(soft(1e6));
        let floor = ShapeDef::new(cuboid(4.0, 4.0, 0.2), "steel").colliding(Collision::Oriented);
        builder.fixed(floor.at(down(0.1))).unwrap();
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.15)).unwrap();
        builder.body(BodyDef::free(at).named("box").with(shape, "steel")).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(2.0).unwrap();
        assert!((height(&world) - 0.1).abs() < 1e-3, "{}", height(&world));
        assert_eq!(world.contact_points().len(), 4);
    }
    let text = "[world]\ncontact = \"linear\"\nstiffness = 1e6\n[[fixed]]\nname = \"floor\"\nshape = \"box:4,4,0.2\"\nposition = [0, 0, -0.1]\ncollision = \"oriented\"\n[[bodies]]\nname = \"brick\"\nshape = \"box:0.2,0.2,0.2\"\nposition = [0, 0, 0.15]\n";
    let mut world = Scene::parse(text, "x", Path::new("")).unwrap().build().unwrap();
    world.advance_to(2.0).unwrap();
    assert!((height(&world) - 0.1).abs() < 1e-3, "{}", height(&world));
}

#[test]
fn a_corner_that_swings_round_a_block_in_long_steps_hits_nothing() {
    // A cube on an arm of 1 m goes round a block that reaches 0.85 m: the straight way between the ends of a step cuts through, the arc does not.
    let params = WorldParams { gravity: Vec3::zeros(), ..soft(1e5) };
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new(cuboid(1.2, 1.2, 1.2), "steel")).unwrap();
    let shape = ShapeDef::new(cuboid(0.1, 0.1, 0.1), "steel").colliding(Collision::Oriented).at(down(-1.0));
    let hinge = Joint::new(None, JointKind::Revolute { axis: Vec3::y() });
    let body = builder.body(BodyDef::new(hinge).named("arm").with_shape(shape).moving(&[20.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(20.0).unwrap();
    let turn = 20.0 * 20.0 / world.info().steps as f64;
    assert!(turn > 1.9, "steps must be long for this to be a test: {turn} rad");
    assert!(world.events().is_empty(), "{:?}", world.events());
    assert!((world.angular_velocity(body).y - 20.0).abs() < 1e-9);
}

#[test]
fn tumbling_boxes_gain_no_energy_and_stay_above() {
    let mut rng = Random::new(11);
    for case in 0..count(12, 400) {
        let mut builder = WorldBuilder::new(soft(1e5));
        builder.fixed(ShapeDef::new(cuboid(6.0, 6.0, 0.4), "steel").at(down(0.2))).unwrap();
        let sides = [0.1, 0.15, 0.2].map(|side| side * rng.range(0.7, 1.3));
        let shape = ShapeDef::new(cuboid(sides[0], sides[1], sides[2]), "steel");
        let turned = Pose::new(Vec3::new(0.0, 0.0, rng.range(0.2, 0.5)), rng.quaternion_xyzw()).unwrap();
        let rates: Vec<f64> = (0..6).map(|k| rng.range(-1.0, 1.0) * if k < 3 { 0.5 } else { 8.0 }).collect();
        let def = BodyDef::free(turned).named("box").with_shape(shape.colliding(Collision::Oriented));
        builder.body(def.moving(&rates)).unwrap();
        let mut world = builder.build().unwrap();
        let (start, mass) = (world.energy().total(), world.tree().inertia(BodyId(0)).mass);
        for k in 1..=100 {
            world.advance_to(0.02 * f64::from(k)).unwrap();
            let energy = world.energy().total();
            assert!(energy <= start + 1e-6 * mass, "case {case}, {} s: {energy} {start}", world.time());
        }
        assert!(height(&world) > 0.0 && height(&world) < 0.2, "case {case}: {}", height(&world));
    }
}

#[test]
fn of_two_sheets_the_one_that_knows_its_surface_stays_on_the_shelf() {
    let (_, text) = built_in().iter().find(|(name, _)| *name == "two-sheets").unwrap();
    let mut world = Scene::parse(text, "two-sheets", Path::new("")).unwrap().build().unwrap();
    world.advance_to(2.0).unwrap();
    let [oriented, nearest] = [0, 1].map(|body| world.pose(BodyId(body)).translation().z);
    assert!((oriented - 0.005).abs() < 0.003 && (nearest + 0.595).abs() < 0.003, "{oriented} {nearest}");
}

#[test]
fn every_law_that_gives_way_carries_a_box_by_its_corners() {
    let laws = [
        "contact = \"hunt-crossley\"",
        "contact = \"hertz\"",
        "contact = \"linear\"\nstiffness = 1e6",
        "contact = \"kelvin-voigt\"\nstiffness = 1e6\ndamping = 1e3",
        "contact = \"modia3d\"",
    ];
    for law in laws {
        let text = format!(
            "[world]\n{law}\n[[fixed]]\nshape = \"box:2,2,0.1\"\nposition = [0, 0, -0.05]\n[[bodies]]\nname = \"brick\"\nshape = \"box:0.2,0.2,0.2\"\ncollision = \"oriented\"\nposition = [0, 0, 0.101]\n"
        );
        let mut world = Scene::parse(&text, "x", Path::new("")).unwrap().build().unwrap();
        let mut lowest = f64::INFINITY;
        for k in 1..=30 {
            world.advance_to(0.01 * f64::from(k)).unwrap();
            lowest = lowest.min(height(&world));
        }
        assert!(lowest > 0.098 && height(&world) < 0.1012, "{law}: {lowest} {}", height(&world));
        assert!(
            world.events().iter().any(|event| matches!(event.what, EventKind::ContactBegin { .. })),
            "{law}"
        );
    }
}
