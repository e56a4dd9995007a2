//! Nothing falls through complexes: steps keep them apart however long they are, and worlds that go by events say where they cannot.

use std::path::Path;

use zerogap::core::random::Random;
use zerogap::dynamics::multibody::{BodyId, Inertia};
use zerogap::geometry::shape::{Cuboid, Sphere, Triangle};
use zerogap::scene::{Scene, built_in};
use zerogap::world::{BodyDef, Collision, Overlaps, QuasiLmd, ShapeDef, World, WorldError};
use zerogap::{ConvexShape, Shape, Vec3};
use zerogap_testkit::count;

use super::{at, by_steps, quasi};

/// Half the diagonal of the box that falls [m]: no corner is farther from its middle.
const REACH: f64 = 0.5 * 0.070_710_678_118_654_76;
/// Half its smallest side [m].
const LEAST: f64 = 0.015;

/// A box that is tilted about an axis [deg] and falls onto a plate.
fn falling(world: &str, axis: [f64; 3], angle: f64) -> World {
    let [x, y, z] = axis;
    let text = format!(
        r#"
        [world]
        {world}
        [run]
        until = "0.5 s"
        every = "20 ms"
        [[pairs]]
        materials = ["steel", "steel"]
        restitution = 0
        friction = 0.3
        [[fixed]]
        shape = "box:1,1,0.1"
        collision = "quasi-lmd"
        position = [0, 0, -0.05]
        [[bodies]]
        name = "b"
        shape = "box:0.05,0.04,0.03"
        collision = "quasi-lmd"
        position = [0, 0, 0.12]
        rotation = {{ axis = [{x}, {y}, {z}], angle = "{angle} deg" }}
        "#
    );
    Scene::parse(&text, "falling", Path::new("")).unwrap().build().unwrap()
}

/// Lets a box fall by steps, and looks that it ends on the plate.
fn lands(step: f64, axis: [f64; 3], angle: f64) {
    let mut world = falling(&format!("method = \"stepping\"\nstep = {step}"), axis, angle);
    let about = format!("steps of {step} s, {angle} deg about {axis:?}");
    for k in 1..=25 {
        world.advance_to(0.02 * f64::from(k)).unwrap_or_else(|error| panic!("{about}: {error}"));
        let z = world.pose(BodyId(0)).translation().z;
        assert!(z > LEAST - 1e-5, "{about}: {z} m high at {} s", world.time());
        let least = world.contact_points().iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        assert!(least > -4e-5, "{about}: gap {least} m at {} s", world.time());
    }
    // It has come down, and is in contact with the plate.
    let z = world.pose(BodyId(0)).translation().z;
    assert!(z < REACH + 1e-3, "{about}: {z} m high");
    assert!(!world.contact_points().is_empty(), "{about}: no contacts");
}

/// 256 parts of a step were all there were: after those complexes were let through each other.
#[test]
fn a_tilted_box_lands_on_a_plate_in_steps_of_20_ms() {
    lands(2e-2, [1.0, 2.0, 0.5], 20.0);
}

/// A shape that collides with a dilation of a nanometre.
fn close(shape: impl Into<Shape>) -> ShapeDef {
    let by = Collision::QuasiLmd(QuasiLmd { dilation: Some(1e-9), ..QuasiLmd::default() });
    ShapeDef::new(shape.into(), "steel").colliding(by)
}

fn block(size: [f64; 3]) -> Cuboid {
    Cuboid::new(Vec3::from(size)).unwrap()
}

/// A body that slides at 10 m/s within a nanometre of another moves by far more than that in a step: what it is made of is thick enough.
#[test]
fn a_box_slides_fast_however_small_its_dilation_is() {
    let mut builder = by_steps(2e-2, 0.0);
    builder.fixed(close(block([3.0, 1.0, 0.1])).at(at(0.0, 0.0, -0.05))).unwrap();
    let sliding = BodyDef::free(at(0.0, 0.0, 0.015)).with_shape(close(block([0.05, 0.04, 0.03])));
    let body = builder.body(sliding.moving(&[10.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.1).unwrap();
    let p = world.pose(body).translation();
    assert!((p.x - 1.0).abs() < 1e-9 && (p.z - 0.015).abs() < 1e-8, "{p:?}");
}

/// A sheet of a nanometre that does so takes a hundred million parts in a step of 20 ms.
#[test]
fn a_step_that_takes_too_many_parts_ends_the_run() {
    let mut builder = by_steps(2e-2, 0.0);
    builder.fixed(close(block([1.0, 1.0, 0.1])).at(at(0.0, 0.0, -0.05))).unwrap();
    let corners = [Vec3::zeros(), Vec3::x() * 0.05, Vec3::y() * 0.05];
    let sheet = ConvexShape::from(Triangle::new(corners[0], corners[1], corners[2]).unwrap());
    let sliding = BodyDef::free(at(0.0, 0.0, 2e-9)).with_shape(close(sheet));
    let sliding = sliding.with_inertia(Inertia::cuboid(0.1, Vec3::repeat(0.05)));
    let body = builder.body(sliding.moving(&[10.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    let error = world.advance_to(0.1).unwrap_err();
    assert!(matches!(error, WorldError::TooManyParts { t: 0.0, .. }), "{error}");
    // The state before the step was kept.
    assert_eq!((world.time(), world.pose(body).translation().x), (0.0, 0.0));
}

#[test]
fn boxes_land_on_a_plate_however_they_are_tilted() {
    let mut random = Random::new(7);
    for _ in 0..count(25, 100) {
        let axis = [(); 3].map(|()| random.range(-1.0, 1.0));
        let angle = random.range(0.0, 180.0);
        for step in [1e-2, 2e-2] {
            lands(step, axis, angle);
        }
    }
}

/// Elastic contacts give way by more than the dilations, and complexes that intersect have no contacts of their own: the shapes that they were made of answer. The cube of this scene fell by 35 m without a word once, and
/// ended the run with an error later.
#[test]
fn complexes_that_give_way_too_far_are_held_by_their_shapes() {
    let (_, text) = built_in().iter().find(|(known, _)| *known == "cube-on-plane").expect("a built-in scene");
    let mut scene = Scene::parse(text, "cube-on-plane", Path::new("")).unwrap();
    let events = scene.builder.params().method.by("events").unwrap();
    scene.builder.set_method(events);
    let until = scene.until;
    let mut world = scene.build().unwrap();
    let start = world.energy().total();
    world.advance_to(until).unwrap();
    let z = world.pose(BodyId(0)).translation().z;
    assert!(z > 0.0, "{z} m at {} s", world.time());
    assert!(world.energy().total() <= start + 1e-3 * start.abs(), "{start} J at first");
    assert!(!world.contact_points().is_empty());
}

#[test]
fn complexes_that_intersect_at_the_start_are_treated_as_other_shapes_are() {
    // Deeper than both dilations, and yet as little as elastic shapes may overlap: a thousandth of their size.
    for (method, key) in [("stepping", "method"), ("dop853", "integrator"), ("radau", "integrator")] {
        for allowed in [false, true] {
            let text = format!(
                r#"
                [world]
                {key} = "{method}"
                [run]
                until = "0.1 s"
                [[fixed]]
                shape = "box:1,1,0.1"
                collision = "quasi-lmd"
                position = [0, 0, -0.05]
                [[bodies]]
                name = "b"
                shape = "box:0.2,0.2,0.2"
                collision = "quasi-lmd"
                position = [0, 0, 0.09995]
                "#
            );
            let mut scene = Scene::parse(&text, "inside", Path::new("")).unwrap();
            if allowed {
                scene.builder.set_overlaps(Overlaps::Allow);
            }
            let built = scene.builder.build();
            match (built, allowed, method) {
                // The boxes know how deep they are: elastic ones may be as deep as that, and where overlaps are allowed it is taken for what was asked for.
                (Err(WorldError::Overlap { .. }), false, "stepping")
                | (Ok(_), false, "dop853" | "radau")
                | (Ok(_), true, _) => {}
                (built, ..) => panic!("{method}, allowed {allowed}: {:?}", built.err()),
            }
        }
    }
}

/// The gap of a ball over a plane is its height less its radius, however much both are grown.
#[test]
fn an_inset_ball_rests_at_its_radius() {
    let mut builder = by_steps(1e-3, 0.3);
    builder.fixed(quasi(Shape::half_space(Vec3::z(), 0.0).unwrap())).unwrap();
    let ball = quasi(Sphere::new(0.05).unwrap());
    let ball = builder.body(BodyDef::free(at(0.0, 0.0, 0.0501)).with_shape(ball)).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.2).unwrap();
    let z = world.pose(ball).translation().z;
    assert!((z - 0.05).abs() < 1e-8, "{z} m");
}

/// An overlap that was allowed at the start is allowed again by a state from there.
#[test]
fn a_saved_start_in_overlap_can_be_gone_back_to() {
    let text = r#"
        [world]
        method = "stepping"
        step = "1 ms"
        gravity = [0, 0, 0]
        [[fixed]]
        shape = "box:1,1,0.1"
        collision = "quasi-lmd"
        position = [0, 0, -0.05]
        [[bodies]]
        name = "b"
        shape = "box:0.2,0.2,0.2"
        collision = "quasi-lmd"
        position = [0, 0, 0.09995]
        velocity = [0, 0, 1]
    "#;
    let mut scene = Scene::parse(text, "inside", Path::new("")).unwrap();
    scene.builder.set_overlaps(Overlaps::Allow);
    let mut world = scene.build().unwrap();
    let saved = world.save();
    world.advance_to(0.05).unwrap();
    let (once, z) = (world.hash(), world.pose(BodyId(0)).translation().z);
    assert!(z > 0.12, "it must have come out: {z}");
    world.restore(&saved).unwrap();
    world.advance_to(0.05).unwrap();
    assert_eq!(world.hash(), once);
}
