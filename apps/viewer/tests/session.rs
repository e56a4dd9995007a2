//! A session: bodies answer to the hand as stated, inputs run again give the same bits, and so does time that went back.

use zerogap::core::math;
use zerogap::dynamics::multibody::BodyId;
use zerogap::record::Recording;
use zerogap::world::{BodyDef, MethodParams, ShapeDef, StepForces, Stepping, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_viewer::session::{CARRY_FREQUENCY, DAMPING_RATIO, FREQUENCY, Input, Session, SessionError};

/// Every method, with the default step of 1 ms.
fn methods() -> [MethodParams; 3] {
    let by = |forces| Stepping { forces, step: 1e-3, ..Stepping::default() }.into();
    [MethodParams::default(), by(StepForces::Coulomb), by(StepForces::Silvia)]
}

fn weightless(method: MethodParams) -> WorldParams {
    WorldParams { gravity: Vec3::zeros(), ..WorldParams::new(method) }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// One box without weight.
fn alone(method: MethodParams) -> WorldBuilder {
    let mut builder = WorldBuilder::new(weightless(method));
    let shape = Shape::cuboid(Vec3::new(0.1, 0.2, 0.15)).unwrap();
    builder.body(BodyDef::free(at(0.3, 0.0, 0.0)).with(shape, "steel")).unwrap();
    builder
}

/// Two boxes on a floor.
fn on_a_floor(method: MethodParams) -> WorldBuilder {
    let mut builder = WorldBuilder::new(WorldParams::new(method));
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    for x in [0.0, 0.35] {
        let shape = Shape::cuboid(Vec3::repeat(0.2)).unwrap();
        builder.body(BodyDef::free(at(x, 0.0, 0.11)).with(shape, "steel")).unwrap();
    }
    builder
}

fn pull(body: usize, at: [f64; 3], to: [f64; 3]) -> Input {
    Input::Pull { body, at, to, strength: 1.0 }
}

/// Where a damped oscillator is that starts at rest at one, after a time [s]: below critical damping.
fn oscillator(frequency: f64, ratio: f64, t: f64) -> f64 {
    let omega = std::f64::consts::TAU * frequency;
    let (rate, damped) = (ratio * omega, omega * (1.0 - ratio * ratio).sqrt());
    math::exp(-rate * t) * (math::cos(damped * t) + rate / damped * math::sin(damped * t))
}

#[test]
fn a_body_that_is_pulled_at_its_centre_is_a_damped_oscillator() {
    for method in methods() {
        let mut session = Session::new("alone", alone(method)).unwrap();
        session.apply(pull(0, [0.0; 3], [0.4, 0.05, -0.1])).unwrap();
        let body = session.hand().unwrap().body;
        let (start, to) = (Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.4, 0.05, -0.1));
        let mut worst = 0.0_f64;
        for tick in 1..=1000_u32 {
            session.advance().unwrap();
            let expected = to + (start - to) * oscillator(FREQUENCY, DAMPING_RATIO, f64::from(tick) * 1e-3);
            worst = worst.max((session.world().pose(body).translation() - expected).norm());
        }
        // SiLVIA moves bodies by the velocities at the ends of steps, which is of first order: measured 0.24 %.
        let bound =
            if method.stepping().is_some_and(|by| by.forces == StepForces::Silvia) { 5e-3 } else { 1e-3 };
        assert!(worst < bound * (to - start).norm(), "{method:?}: {worst}");
        assert!(session.world().angular_velocity(body).norm() < 1e-9);
    }
}

#[test]
fn a_body_that_is_turned_is_a_damped_oscillator_about_any_axis() {
    let angle = 0.8_f64;
    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
        let mut session = Session::new("alone", alone(MethodParams::default())).unwrap();
        let goal = Pose::from_axis_angle(Vec3::zeros(), axis, angle).unwrap();
        session.apply(Input::Turn { body: 0, to: goal.quaternion_xyzw(), strength: 1.0 }).unwrap();
        let body = session.hand().unwrap().body;
        for tick in 1..=600_u32 {
            session.advance().unwrap();
            let left = goal.rotation_vector_from(&session.world().pose(body)).dot(&axis);
            let expected = angle * oscillator(FREQUENCY, DAMPING_RATIO, f64::from(tick) * 1e-3);
            assert!(
                (left - expected).abs() < 2e-3 * angle,
                "{axis:?} at tick {tick}: {left}, not {expected}"
            );
        }
    }
}

#[test]
fn a_hand_on_a_corner_is_stable_at_any_strength() {
    for method in methods() {
        for strength in [0.01, 1.0, 100.0] {
            let mut session = Session::new("alone", alone(method)).unwrap();
            let input = Input::Pull { body: 0, at: [0.05, 0.1, 0.075], to: [0.5, 0.2, 0.0], strength };
            session.apply(input).unwrap();
            for _ in 0..10_000 {
                session.advance().unwrap();
            }
            let load = session.hand().unwrap().load(session.world());
            // It starts 0.3 m away, and swings about the hand.
            assert!((load.from - load.to).norm() < 0.15, "{method:?} {strength}: {load:?}");
        }
    }
}

#[test]
fn a_carried_body_bears_no_weight_and_stops_at_the_floor() {
    for method in methods() {
        let mut session = Session::new("floor", on_a_floor(method)).unwrap();
        // Up, held still: no weight is left.
        let carry = |z: f64| Input::Carry { body: 0, to: [0.0, 0.0, z, 0.0, 0.0, 0.0, 1.0], strength: 1.0 };
        session.apply(carry(0.4)).unwrap();
        let body = session.hand().unwrap().body;
        for _ in 0..2000 {
            session.advance().unwrap();
        }
        let height = session.world().pose(body).translation().z;
        assert!((height - 0.4).abs() < 1e-4, "{method:?}: {height}");
        // A centimetre into the floor: it stays on it, and the hand presses with its stiffness.
        session.apply(carry(0.09)).unwrap();
        for _ in 0..3000 {
            session.advance().unwrap();
        }
        let height = session.world().pose(body).translation().z;
        assert!((height - 0.1).abs() < 1e-5, "{method:?}: {height}");
        let load = session.hand().unwrap().load(session.world());
        let omega = std::f64::consts::TAU * CARRY_FREQUENCY;
        let mass = session.world().tree().inertia(body).mass;
        let expected = mass * (9.81 - omega * omega * (height - 0.09));
        // The load is that of the middle of a tick without contact, so it is softer by k h²/4m and c h/2m.
        assert!(
            (load.force.z - expected).abs() < 0.03 * mass * omega * omega * 0.01,
            "{} {expected}",
            load.force.z
        );
    }
}

/// Inputs at odd ticks, also several at one, and at ticks that are kept.
fn busy(session: &mut Session) {
    let inputs = [
        (0, pull(0, [0.0; 3], [0.1, 0.0, 0.4])),
        (57, pull(0, [0.0; 3], [0.2, 0.1, 0.4])),
        (57, pull(0, [0.0; 3], [0.3, 0.1, 0.4])),
        (100, pull(1, [0.1, 0.1, 0.1], [0.5, 0.3, 0.5])),
        (100, Input::Turn { body: 0, to: [0.0, 0.0, 0.6, 0.8], strength: 2.0 }),
        (200, Input::Release),
        (200, Input::Carry { body: 1, to: [0.3, 0.1, 0.05, 0.0, 0.0, 0.0, 1.0], strength: 1.0 }),
        (333, Input::Release),
    ];
    for (tick, input) in inputs {
        while session.tick() < tick {
            session.advance().unwrap();
        }
        session.apply(input).unwrap();
    }
    while session.tick() < 450 {
        session.advance().unwrap();
    }
}

#[test]
fn inputs_run_again_give_the_same_bits_and_so_does_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    for (k, method) in methods().into_iter().enumerate() {
        let mut session = Session::new("floor", on_a_floor(method)).unwrap();
        busy(&mut session);
        // Two moves of one hand at one tick are one entry.
        assert_eq!(session.entries().len(), 7, "{:?}", session.entries());
        let text = serde_json::to_string(session.entries()).unwrap();
        let entries: Vec<zerogap_viewer::Entry> = serde_json::from_str(&text).unwrap();
        let again = Session::rerun("floor", on_a_floor(method), &entries, session.tick()).unwrap();
        assert_eq!(again.world().hash(), session.world().hash(), "{method:?}");

        let file = folder.path().join(format!("{k}.zgr"));
        let end = (session.tick(), session.world().hash());
        Session::record(("floor", on_a_floor(method)), &entries, end, &file).unwrap();
        let recording = Recording::open(&file).unwrap();
        assert_eq!(recording.end.as_ref().unwrap().hash, session.world().hash());
        assert_eq!(recording.frames.len(), 46);
        let other = Session::record(("floor", on_a_floor(method)), &entries, (end.0, end.1 ^ 1), &file);
        assert!(matches!(other, Err(SessionError::OtherState { .. })), "{other:?}");
    }
}

#[test]
fn time_goes_back_to_any_tick_and_on_from_there_with_the_same_bits() {
    for method in methods() {
        let mut session = Session::new("floor", on_a_floor(method)).unwrap();
        busy(&mut session);
        for tick in [449, 333, 260, 200, 199, 101, 100, 57, 1, 0] {
            session.rewind(tick).unwrap();
            assert_eq!(session.tick(), tick);
            // What is known of the past leads here, and on, with the same bits.
            let entries = session.entries().to_vec();
            assert!(entries.iter().all(|entry| entry.tick < tick), "{entries:?}");
            let again = Session::rerun("floor", on_a_floor(method), &entries, tick).unwrap();
            assert_eq!(again.world().hash(), session.world().hash(), "{method:?} at {tick}");
            for _ in 0..20 {
                session.advance().unwrap();
            }
            let again = Session::rerun("floor", on_a_floor(method), &entries, tick + 20).unwrap();
            assert_eq!(again.world().hash(), session.world().hash(), "{method:?} after {tick}");
            session.rewind(tick).unwrap();
        }
    }
}

#[test]
fn old_states_go_where_the_memory_ends_and_the_start_stays() {
    let method = MethodParams::from(Stepping::default());
    // The size of a state with contacts in it.
    let mut first = Session::new("floor", on_a_floor(method)).unwrap();
    while first.tick() < 500 {
        first.advance().unwrap();
    }
    let bytes = first.world().save().to_bytes().unwrap().len();
    let mut session = Session::with_memory("floor", on_a_floor(method), 6 * bytes).unwrap();
    let start = session.world().hash();
    while session.tick() < 2000 {
        session.advance().unwrap();
    }
    let oldest = session.oldest();
    assert!(oldest > 0 && oldest < 2000, "{oldest}");
    let before = session.world().hash();
    assert!(matches!(session.rewind(oldest - 1), Err(SessionError::Forgotten { .. })));
    assert_eq!(session.world().hash(), before);
    session.rewind(oldest).unwrap();
    session.rewind(0).unwrap();
    assert_eq!(session.world().hash(), start);
}

#[test]
fn inputs_that_cannot_be_used_change_nothing() {
    let mut session = Session::new("floor", on_a_floor(MethodParams::default())).unwrap();
    for input in [
        pull(2, [0.0; 3], [0.0; 3]),
        pull(0, [f64::NAN, 0.0, 0.0], [0.0; 3]),
        pull(0, [0.0; 3], [f64::INFINITY, 0.0, 0.0]),
        Input::Pull { body: 0, at: [0.0; 3], to: [0.0; 3], strength: 0.0 },
        Input::Turn { body: 0, to: [0.0; 4], strength: 1.0 },
        Input::Carry { body: 0, to: [0.0, 0.0, f64::NAN, 0.0, 0.0, 0.0, 1.0], strength: 1.0 },
    ] {
        assert!(matches!(session.apply(input), Err(SessionError::Input(_))), "{input:?}");
    }
    assert!(session.entries().is_empty() && session.hand().is_none());
}

#[test]
fn what_acted_on_a_body_before_it_was_held_acts_on_after() {
    let builder = alone(MethodParams::default());
    let mut session = Session::new("alone", builder).unwrap();
    session.apply(pull(0, [0.0; 3], [0.5, 0.0, 0.0])).unwrap();
    let body: BodyId = session.hand().unwrap().body;
    session.advance().unwrap();
    assert!(session.world().applied_force(body).0.norm() > 0.0);
    session.apply(Input::Release).unwrap();
    assert_eq!(session.world().applied_force(body), (Vec3::zeros(), Vec3::zeros()));
}
