//! Springs and bushings between bodies, forces that are functions of time and state, and event functions that see contact forces and energy: against closed forms, by every method.

use std::path::Path;
use std::sync::Arc;

use zerogap::contact::law::NormalLaw;
use zerogap::contact::solve::ImpactLaw;
use zerogap::core::math::{cos, exp, sin};
use zerogap::core::random::Random;
use zerogap::dynamics::event::Direction;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::{
    BodyId, Bushing, Forces, Inertia, Joint, JointKind, Site, Tendon, Wrench,
};
use zerogap::scene::Scene;
use zerogap::world::{
    BodyDef, ContactModel, EventFunction, EventKind, EventLocation, ForceFunction, ShapeDef, Stepping, Stop,
    View, World, WorldBuilder, WorldError, WorldParams,
};
use zerogap::{Mat3, Pose, Shape, Vec3};

const G: f64 = 9.81;

fn events(relative: f64, contact: ContactModel) -> WorldParams {
    WorldParams::new(EventLocation {
        tolerance: Tolerance { relative, absolute: 1e-3 * relative },
        ..EventLocation::new(contact)
    })
}

fn rigid() -> ContactModel {
    ContactModel::Rigid(ImpactLaw::default())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// A free body of a mass with three different moments of inertia.
fn lump(mass: f64, pose: Pose) -> BodyDef {
    let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.03, 0.04)) * mass;
    BodyDef::free(pose).with_inertia(Inertia { mass, center: Vec3::zeros(), inertia })
}

#[test]
fn two_bodies_on_a_spring_swing_at_the_frequency_of_their_reduced_mass() {
    let mut builder = WorldBuilder::new(WorldParams { gravity: Vec3::zeros(), ..events(1e-10, rigid()) });
    let a = builder.body(lump(2.0, at(0.0, 0.0, 0.0))).unwrap();
    let b = builder.body(lump(3.0, at(1.1, 0.0, 0.0))).unwrap();
    let ends = [a, b].map(|body| Site { body: Some(body), pose: Pose::identity() });
    let tendons = vec![Tendon::spring(ends[0], ends[1], 80.0, 0.0, 1.0)];
    builder.forces(Forces { tendons, ..Forces::default() }).unwrap();
    let mut world = builder.build().unwrap();
    let omega = (80.0_f64 / (6.0 / 5.0)).sqrt();
    for k in 1..=10 {
        let t = 0.3 * f64::from(k);
        world.advance_to(t).unwrap();
        let distance = world.pose(b).translation().x - world.pose(a).translation().x;
        assert!((distance - 1.0 - 0.1 * cos(omega * t)).abs() < 1e-8, "{distance} at {t} s");
        // The stored energy is that of the spring.
        let springs = 0.5 * 80.0 * (distance - 1.0).powi(2);
        assert!((world.energy().springs - springs).abs() < 1e-12);
    }
}

#[test]
fn a_weight_on_a_spring_with_a_damper_moves_as_its_closed_form_by_events_and_steps() {
    let (mass, k, c) = (2.0, 200.0, 6.0);
    let run = |params: WorldParams| {
        let mut builder = WorldBuilder::new(params);
        let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() });
        let def = BodyDef::new(joint).with_inertia(Inertia::sphere(mass, 0.1));
        let body = builder.body(def).unwrap();
        let above = Site { body: None, pose: at(0.0, 0.0, 1.5) };
        let on = Site { body: Some(body), pose: Pose::identity() };
        let tendons = vec![Tendon::spring(above, on, k, c, 1.5)];
        builder.forces(Forces { tendons, ..Forces::default() }).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.7).unwrap();
        world.positions()[0]
    };
    let (decay, sag) = (c / (2.0 * mass), mass * G / k);
    let omega = (k / mass - decay * decay).sqrt();
    let t = 0.7;
    let expected = -sag * (1.0 - exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t)));
    let by_events = run(events(1e-10, rigid()));
    assert!((by_events - expected).abs() < 1e-9, "{by_events} {expected}");
    // Explicit in steps: of first order.
    let error =
        |step: f64| (run(WorldParams::new(Stepping { step, ..Stepping::default() })) - expected).abs();
    let (coarse, fine) = (error(1e-3), error(1e-4));
    assert!(coarse < 2e-3 && fine < 0.15 * coarse, "{coarse} {fine}");
}

#[test]
fn bushings_keep_energy_and_momentum_however_far_they_turn() {
    let mut random = Random::new(5);
    for _ in 0..10 {
        let mut builder = WorldBuilder::new(WorldParams { gravity: Vec3::zeros(), ..events(1e-10, rigid()) });
        let mut vector = |size: f64| Vec3::from_fn(|_, _| random.range(-size, size));
        let pose = |place: Vec3, axis: Vec3, angle: f64| Pose::from_axis_angle(place, axis, angle).unwrap();
        let spin = |v: Vec3, w: Vec3| [v.x, v.y, v.z, w.x, w.y, w.z];
        let def = lump(1.0, pose(vector(0.1), vector(1.0), 0.5)).moving(&spin(vector(0.5), vector(2.0)));
        let a = builder.body(def).unwrap();
        let def = lump(2.0, pose(vector(0.1), vector(1.0), 1.0)).moving(&spin(vector(0.5), vector(2.0)));
        let b = builder.body(def).unwrap();
        let ends = [a, b].map(|body| Site { body: Some(body), pose: pose(vector(0.2), vector(1.0), 0.3) });
        let bushing = Bushing {
            a: ends[0],
            b: ends[1],
            stiffness: Vec3::new(100.0, 300.0, 50.0),
            damping: Vec3::zeros(),
            angular_stiffness: Vec3::new(0.5, 2.0, 1.0),
            angular_damping: Vec3::zeros(),
        };
        builder.forces(Forces { bushings: vec![bushing], ..Forces::default() }).unwrap();
        let mut world = builder.build().unwrap();
        let (energy, (linear, angular)) = (world.energy().total(), world.momentum());
        let mut largest = 0.0_f64;
        for k in 1..=20 {
            world.advance_to(0.1 * f64::from(k)).unwrap();
            let now = world.energy().total();
            assert!((now - energy).abs() < 1e-7 * energy, "{energy} {now}");
            let (p, l) = world.momentum();
            assert!((p - linear).norm() < 1e-9 && (l - angular).norm() < 1e-8, "{p} {l}");
            let relative = (world.pose(a) * ends[0].pose).inverse() * (world.pose(b) * ends[1].pose);
            largest = largest.max(relative.rotation_vector_from(&Pose::identity()).norm());
        }
        assert!(largest > 0.5, "it turned by {largest} rad only");
    }
}

#[test]
fn a_bushing_turns_a_body_as_a_torsion_spring_does_and_its_dampers_take_energy() {
    let (k, c, inertia) = (3.0, 0.2, 0.03);
    let mut builder = WorldBuilder::new(WorldParams { gravity: Vec3::zeros(), ..events(1e-10, rigid()) });
    let body = builder.body(lump(1.0, Pose::identity()).moving(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0])).unwrap();
    let bushing = Bushing {
        a: Site { body: None, pose: Pose::identity() },
        b: Site { body: Some(body), pose: Pose::identity() },
        stiffness: Vec3::repeat(10.0),
        damping: Vec3::repeat(1.0),
        angular_stiffness: Vec3::new(1.0, k, 2.0),
        angular_damping: Vec3::new(0.1, c, 0.1),
    };
    builder.forces(Forces { bushings: vec![bushing], ..Forces::default() }).unwrap();
    let mut world = builder.build().unwrap();
    let decay = c / (2.0 * inertia);
    let omega = (k / inertia - decay * decay).sqrt();
    let mut last = world.energy().total();
    for step in 1..=10 {
        let t = 0.05 * f64::from(step);
        world.advance_to(t).unwrap();
        let angle = world.pose(body).rotation_vector_from(&Pose::identity()).y;
        let expected = exp(-decay * t) * sin(omega * t) / omega;
        assert!((angle - expected).abs() < 1e-9, "{angle} {expected} at {t} s");
        assert!(world.energy().total() < last);
        last = world.energy().total();
    }
}

#[test]
fn elements_that_cannot_be_are_refused() {
    let mut builder = WorldBuilder::new(events(1e-6, rigid()));
    let body = builder.body(lump(1.0, Pose::identity())).unwrap();
    let site = |body| Site { body, pose: Pose::identity() };
    let bushing = |stiffness: f64, body: BodyId| Bushing {
        a: site(None),
        b: site(Some(body)),
        stiffness: Vec3::repeat(stiffness),
        damping: Vec3::zeros(),
        angular_stiffness: Vec3::zeros(),
        angular_damping: Vec3::zeros(),
    };
    for wrong in [bushing(-1.0, body), bushing(f64::NAN, body), bushing(1.0, BodyId(7))] {
        assert!(builder.forces(Forces { bushings: vec![wrong], ..Forces::default() }).is_err(), "{wrong:?}");
    }
    builder.forces(Forces { bushings: vec![bushing(1.0, body)], ..Forces::default() }).unwrap();
    let mut world = builder.build().unwrap();
    // What a bushing holds is not removed.
    let error = world.remove_body(body).unwrap_err();
    assert!(error.to_string().contains("force element"), "{error}");
}

#[test]
fn scenes_have_springs_and_bushings() {
    let text = |elements: &str| {
        format!(
            "[world]\ngravity = [0, 0, 0]\ncontact = \"rigid\"\n[[bodies]]\nname = \"a\"\nshape = \"sphere:0.1\"\nmass = 1\n[[bodies]]\nname = \"b\"\nshape = \"sphere:0.1\"\nmass = 1\nposition = [1, 0, 0]\n{elements}"
        )
    };
    let world = |elements: &str| {
        Scene::parse(&text(elements), "elements", Path::new("")).map(|scene| scene.build().unwrap())
    };
    let mut spring =
        world("[[springs]]\na = \"a\"\nb = \"b\"\nstiffness = \"50 N/m\"\nlength = \"80 cm\"").unwrap();
    spring.advance_to(0.1).unwrap();
    let expected = 0.8 + 0.2 * cos(10.0 * 0.1);
    let now = spring.pose(BodyId(1)).translation().x - spring.pose(BodyId(0)).translation().x;
    assert!((now - expected).abs() < 1e-6, "{now} {expected}");
    let mut bushing = world(
        "[[bushings]]\na = \"a\"\nb = \"b\"\nframe_a = { position = [0.8, 0, 0] }\nstiffness = [50, 60, 70]",
    )
    .unwrap();
    bushing.advance_to(0.1).unwrap();
    let now = bushing.pose(BodyId(1)).translation().x - bushing.pose(BodyId(0)).translation().x;
    assert!((now - expected).abs() < 1e-6, "{now} {expected}");

    let refused = |elements: &str| world(elements).map(drop).unwrap_err().to_string();
    assert!(refused("[[springs]]\na = \"a\"\nstiffness = 5").contains("'length'"));
    assert!(refused("[[springs]]\na = \"a\"\nlength = 5").contains("does nothing"));
    assert!(refused("[[springs]]\nstiffness = 5\nlength = 1").contains("both ends"));
    assert!(refused("[[springs]]\na = \"c\"\nstiffness = 5\nlength = 1").contains("no body 'c'"));
    assert!(refused("[[bushings]]\na = \"a\"\nstiffness = [1, 1, -1]").contains("-1"));
    assert!(refused("[[bushings]]\na = \"a\"\nstiffnes = [1, 1, 1]").contains("'stiffnes'"));
}

/// Resistance in proportion to the speed.
fn drag(body: BodyId, coefficient: f64) -> ForceFunction {
    let function = move |view: &View<'_>, loads: &mut [Wrench]| {
        loads[0].force = view.velocity(body) * -coefficient;
    };
    ForceFunction { bodies: vec![body], function: Arc::new(function) }
}

/// A ball of one kilogram that flies without weight.
fn flying(params: WorldParams, force: Option<ForceFunction>) -> World {
    let mut builder = WorldBuilder::new(WorldParams { gravity: Vec3::zeros(), ..params });
    builder.body(lump(1.0, Pose::identity()).moving(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    if let Some(force) = force {
        builder.add_force(force).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn a_force_function_acts_by_every_method_and_from_when_it_is_added() {
    let ball = BodyId(0);
    let speed = |world: &World| world.velocity(ball).x;
    let mut world = flying(events(1e-10, rigid()), Some(drag(ball, 0.5)));
    world.advance_to(2.0).unwrap();
    assert!((speed(&world) - exp(-1.0)).abs() < 1e-9, "{}", speed(&world));
    let steps = |step: f64| WorldParams::new(Stepping { step, ..Stepping::default() });
    let mut world = flying(steps(1e-3), Some(drag(ball, 0.5)));
    world.advance_to(2.0).unwrap();
    assert!((speed(&world) - exp(-1.0)).abs() < 2e-4, "{}", speed(&world));

    // From the middle of a step on, with the same bits from a saved state.
    for params in [events(1e-10, rigid()), steps(1e-3)] {
        let mut world = flying(params, None);
        world.advance_to(0.50003).unwrap();
        world.add_force(drag(ball, 0.5)).unwrap();
        let saved = world.save();
        world.advance_to(2.50003).unwrap();
        assert!((speed(&world) - exp(-1.0)).abs() < 2e-4, "{}", speed(&world));
        let hash = world.hash();
        world.restore(&saved).unwrap();
        world.advance_to(1.0).unwrap();
        world.advance_to(2.50003).unwrap();
        assert_eq!(world.hash(), hash);
        assert!(world.add_force(drag(BodyId(3), 1.0)).is_err());
        // It goes with its body.
        world.remove_body(ball).unwrap();
        world.advance_to(3.0).unwrap();
    }
}

#[test]
fn a_stiff_force_function_takes_few_steps_since_its_jacobian_is_known_by_differences() {
    let ball = BodyId(0);
    let hold = |view: &View<'_>, loads: &mut [Wrench]| {
        let off = view.pose(BodyId(0)).translation() - Vec3::new(sin(view.t), 0.0, 0.0);
        loads[0].force = off * -1e8 - (view.velocity(BodyId(0)) - Vec3::new(cos(view.t), 0.0, 0.0)) * 2e4;
    };
    let force = ForceFunction { bodies: vec![ball], function: Arc::new(hold) };
    let mut world = flying(events(1e-6, rigid()), Some(force));
    world.advance_to(10.0).unwrap();
    let x = world.pose(ball).translation().x;
    assert!((x - sin(10.0)).abs() < 1e-6, "{x}");
    // An explicit integrator would need ten thousand a second.
    assert!(world.info().steps < 3_000, "{:?}", world.info());
}

#[test]
fn a_force_that_is_not_finite_ends_the_run_with_an_error_that_names_the_body() {
    let broken = |view: &View<'_>, loads: &mut [Wrench]| {
        loads[0].force = Vec3::x() * (0.5 - view.t).sqrt();
    };
    let force = ForceFunction { bodies: vec![BodyId(0)], function: Arc::new(broken) };
    for params in [events(1e-6, rigid()), WorldParams::new(Stepping::default())] {
        let mut world = flying(params, Some(force.clone()));
        let error = world.advance_to(2.0).unwrap_err();
        let WorldError::ForceFunction { t, body } = &error else { panic!("{error}") };
        assert!((0.4..0.6).contains(t) && body == "body 0", "{error}");
    }
}

/// A box on a floor, pressed down with a force that grows by 10 N/s.
fn pressed(params: WorldParams) -> WorldBuilder {
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let cube = Shape::cuboid(Vec3::repeat(0.2)).unwrap();
    let body = builder
        .body(lump(2.0, at(0.0, 0.0, 0.1)).with(cube, "steel").with_inertia(Inertia::sphere(2.0, 0.1)))
        .unwrap();
    let press = |view: &View<'_>, loads: &mut [Wrench]| loads[0].force.z = -10.0 * view.t;
    builder.add_force(ForceFunction { bodies: vec![body], function: Arc::new(press) }).unwrap();
    builder
}

/// Stops where the normal force of all contacts passes a value.
fn load_above(load: f64) -> EventFunction {
    let function = move |view: &View<'_>| {
        view.contacts().unwrap().iter().map(|contact| contact.normal_force).sum::<f64>() - load
    };
    EventFunction { function: Arc::new(function), direction: Direction::Rising, stops: true }
}

#[test]
fn event_functions_see_contact_forces() {
    let (load, expected) = (2.0 * G + 15.0, 1.5);
    let mut builder = pressed(events(1e-8, rigid()));
    builder.add_event(load_above(load));
    let mut world = builder.build().unwrap();
    assert_eq!(world.advance_to(5.0).unwrap(), Stop::Stopped);
    assert!((world.time() - expected).abs() < 1e-9, "{}", world.time());

    // By steps the mean force of a step counts, at its end.
    let mut builder = pressed(WorldParams::new(Stepping::default()));
    builder.add_event(load_above(load));
    let mut world = builder.build().unwrap();
    assert_eq!(world.advance_to(5.0).unwrap(), Stop::Stopped);
    assert!((world.time() - expected).abs() < 3e-3, "{}", world.time());

    // An elastic contact carries the force with an oscillation.
    let contact = ContactModel::Elastic(NormalLaw::KelvinVoigt { stiffness: 1e5, damping: 3e2 });
    let mut builder = pressed(events(1e-8, contact));
    builder.add_event(load_above(load));
    let mut world = builder.build().unwrap();
    assert_eq!(world.advance_to(5.0).unwrap(), Stop::Stopped);
    assert!((world.time() - expected).abs() < 5e-2, "{}", world.time());
    let carried: f64 = world.contacts().iter().map(|contact| contact.normal_force).sum();
    assert!((carried - load).abs() < 1e-6 * load, "{carried}");
}

#[test]
fn a_contact_force_that_jumps_past_a_value_at_an_impact_is_an_event_there() {
    let mut builder = WorldBuilder::new(events(1e-8, rigid()));
    let properties = zerogap::contact::material::PairProperties { restitution: 0.0, ..Default::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let ball = Shape::sphere(0.1).unwrap();
    builder.body(lump(2.0, at(0.0, 0.0, 0.6)).with(ball, "steel")).unwrap();
    builder.add_event(load_above(G));
    let mut world = builder.build().unwrap();
    assert_eq!(world.advance_to(5.0).unwrap(), Stop::Stopped);
    assert!((world.time() - (1.0 / G).sqrt()).abs() < 1e-9, "{}", world.time());
    // Once, and the run goes on.
    assert_eq!(world.advance_to(5.0).unwrap(), Stop::Reached);
    let crossed = world.events().iter().filter(|event| matches!(event.what, EventKind::Crossed { .. }));
    assert_eq!(crossed.count(), 1);
}

#[test]
fn event_functions_see_energy_and_can_be_added_during_a_run() {
    let kinetic = |value: f64| {
        let function = Arc::new(move |view: &View<'_>| view.energy().kinetic - value);
        EventFunction { function, direction: Direction::Rising, stops: true }
    };
    // A fall of two kilograms: kinetic energy m (g t)² / 2.
    let fall = |params: WorldParams| {
        let mut builder = WorldBuilder::new(params);
        builder.body(lump(2.0, Pose::identity())).unwrap();
        builder.build().unwrap()
    };
    let expected = 4.0_f64 / G;
    for (params, tolerance) in
        [(events(1e-8, rigid()), 1e-9), (WorldParams::new(Stepping::default()), 1.1e-3)]
    {
        let mut world = fall(params);
        world.advance_to(0.20001).unwrap();
        assert_eq!(world.add_event(kinetic(16.0)).unwrap(), 0);
        // One that has passed its zero before says nothing.
        assert_eq!(world.add_event(kinetic(1.0)).unwrap(), 1);
        let saved = world.save();
        assert_eq!(world.advance_to(1.0).unwrap(), Stop::Stopped);
        assert!((world.time() - expected).abs() < tolerance, "{} {expected}", world.time());
        let there = (world.hash(), world.events().to_vec());
        assert!(matches!(
            there.1[..],
            [zerogap::world::Event { what: EventKind::Crossed { function: 0 }, .. }]
        ));
        world.restore(&saved).unwrap();
        assert_eq!(world.advance_to(1.0).unwrap(), Stop::Stopped);
        assert_eq!((world.hash(), world.events().to_vec()), there);
    }
}

#[test]
fn contact_forces_are_refused_to_force_functions() {
    let asks = |view: &View<'_>, loads: &mut [Wrench]| {
        assert_eq!(view.contacts(), Err(WorldError::ContactsOfForce));
        loads[0].force = Vec3::x();
    };
    let force = ForceFunction { bodies: vec![BodyId(0)], function: Arc::new(asks) };
    let mut world = flying(events(1e-6, rigid()), Some(force));
    world.advance_to(1.0).unwrap();
    assert!((world.velocity(BodyId(0)).x - 2.0).abs() < 1e-9);
}
