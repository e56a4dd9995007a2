//! Models that lie, so that time cannot advance: the run ends within the stated effort, with an error that names the pair, the cause and what to try.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::dynamics::event::{Direction, STUCK_STEPS};
use zerogap::dynamics::multibody::{BodyId, Inertia, Wrench};
use zerogap::scene::Scene;
use zerogap::world::{
    BodyDef, ContactModel, CrowdCause, EventFunction, EventLocation, ForceFunction, ShapeDef, View, World,
    WorldBuilder, WorldError, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// A function that says something else when it is asked for the same time again: it crosses zero anew a moment after each of its events.
fn lying_function() -> EventFunction {
    let memory = Mutex::new((0.0, VecDeque::new()));
    let function = move |view: &View<'_>| {
        let (start, asked) = &mut *memory.lock().unwrap();
        if asked.contains(&view.t) {
            *start = view.t;
        }
        asked.push_back(view.t);
        if asked.len() > 200 {
            asked.pop_front();
        }
        if view.t <= *start + 1e-12 { 1.0 } else { -1.0 }
    };
    EventFunction { function: Arc::new(function), direction: Direction::Falling, stops: false }
}

fn elastic() -> WorldParams {
    let contact = ContactModel::Elastic(NormalLaw::KelvinVoigt { stiffness: 1e4, damping: 10.0 });
    WorldParams::new(EventLocation::new(contact))
}

fn at(z: f64) -> Pose {
    Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap()
}

/// The error in which a run ends, with the names of shapes, and how many steps it took.
fn stuck(mut world: World) -> (CrowdCause, String, usize) {
    let error = world.advance_to(5.0).unwrap_err();
    let WorldError::Stuck { cause, .. } = error else { panic!("{error}") };
    (cause, error.with_names(|shape| world.shape_name(shape)), world.info().steps)
}

#[test]
fn an_event_function_that_lies_ends_the_run_with_what_to_do_about_it() {
    let mut builder = WorldBuilder::new(elastic());
    builder.body(BodyDef::free(at(1.0)).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    builder.add_event(lying_function());
    let (cause, message, steps) = stuck(builder.build().unwrap());
    assert_eq!(cause, CrowdCause::Functions, "{message}");
    assert!(message.contains("crossings of event functions") && message.contains("same value"), "{message}");
    assert!(steps < 2 * STUCK_STEPS, "{steps} steps");
}

#[test]
fn a_force_that_lies_ends_the_run_with_the_pair_that_something_happened_to_last() {
    // Dry friction without a phase in which it sticks: of one sign or the other, and never of none.
    let mut builder = WorldBuilder::new(elastic());
    let properties = PairProperties { friction: 0.0, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel").named("floor")).unwrap();
    let ball = Shape::sphere(0.1).unwrap();
    let def =
        BodyDef::free(at(0.101)).named("ball").with(ball, "steel").moving(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let body = builder.body(def.with_inertia(Inertia::sphere(1.0, 0.1))).unwrap();
    let function = |view: &View<'_>, loads: &mut [Wrench]| {
        loads[0].force.x = -50.0 * view.velocity(BodyId(0)).x.signum();
    };
    builder.add_force(ForceFunction { bodies: vec![body], function: Arc::new(function) }).unwrap();
    let (cause, message, steps) = stuck(builder.build().unwrap());
    assert_eq!(cause, CrowdCause::Steps, "{message}");
    assert!(message.contains("'floor' and 'ball'") && message.contains("try"), "{message}");
    assert!(steps < 2 * STUCK_STEPS, "{steps} steps");
}

#[test]
fn a_rigid_world_with_a_function_that_lies_gets_on_by_captured_intervals() {
    let text = "[world]\nmethod = \"events\"\ncontact = \"rigid\"\n[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 0.3]\n";
    let scene = Scene::parse(text, "liar", Path::new("")).unwrap();
    let mut builder = scene.builder;
    builder.add_event(lying_function());
    let mut world = builder.build().unwrap();
    world.advance_to(0.1).unwrap();
    let expected = 0.3 - 0.5 * 9.81 * 0.01;
    let z = world.pose(BodyId(0)).translation().z;
    assert!(world.info().captured > 0 && (z - expected).abs() < 1e-4, "{z} {expected} {:?}", world.info());
}
