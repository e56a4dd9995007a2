//! A helicopter with skids on a deck: touchdowns, loads, surfaces.

use std::sync::{Arc, Mutex};

use zerogap::Pose;
use zerogap::Vec3;
use zerogap::dynamics::beam::Rayleigh;
use zerogap::dynamics::integrate::{Dop853, IntegratorKind, Radau, Rejecting, Tolerance};
use zerogap::dynamics::multibody::{Harmonic, HarmonicMotion, Interpolation, Motion, Moving, SplineMotion};
use zerogap::landing::{Landing, LandingError, LandingParams, Lift, Pull, Rule, Start, Tie, run_by_steps};
use zerogap::world::{EventKind, WorldBuilder, WorldParams};

/// A deck that stands still, rolled by an angle [rad].
fn still(roll: f64) -> Arc<dyn Motion> {
    let pose = Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), roll).unwrap();
    Arc::new(HarmonicMotion::new(pose, Default::default(), Default::default()).unwrap())
}

/// A landing on a deck that stands still, from 10 cm above it, with as much damping as makes it settle soon.
fn gentle(roll: f64) -> LandingParams {
    let mut params = LandingParams::default();
    params.deck.motion = still(roll);
    params.start = Start { position: [0.0, 1.8], roll, velocity: [0.0, -0.5], roll_rate: 0.0 };
    params.lift = Lift { fraction: 0.8, fade: 0.5 };
    params.craft.damping = Rayleigh { mass: 0.0, stiffness: 4e-3 };
    params.contact.damping = 4e4;
    params
}

fn tolerance(relative: f64) -> Tolerance {
    // Forces of stiff tubes have a rounding that no step can get below.
    Tolerance { relative, absolute: (1e-3 * relative).max(1e-11) }
}

/// Times at which skids touched [s].
fn touchdowns(landing: &Landing) -> Vec<f64> {
    let touched = |what: &EventKind| matches!(what, EventKind::ContactBegin { .. });
    landing.events().iter().filter(|event| touched(&event.what)).map(|event| event.t).collect()
}

#[test]
fn touchdown_times_converge_with_the_tolerance() {
    let times = |relative: f64, integrator: IntegratorKind| {
        let params = LandingParams { tolerance: tolerance(relative), integrator, ..LandingParams::default() };
        let mut landing = Landing::new(params).unwrap();
        landing.advance_to(1.56).unwrap();
        touchdowns(&landing)
    };
    // The reference comes from another integrator, which needs short steps for tubes that are stiff.
    let exact = times(1e-10, IntegratorKind::Dop853);
    assert!(exact.len() >= 2);
    let mut last = f64::INFINITY;
    for relative in [1e-3, 1e-5, 1e-7] {
        let found = times(relative, IntegratorKind::Radau);
        assert!(found.len() >= 2);
        let error = found.iter().zip(&exact).take(2).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("rtol {relative:e}: first two touchdowns at {:?}, error {error:.2e} s", &found[..2]);
        assert!(error < 0.5 * last, "{error} after {last}");
        assert!(error < 1e3 * relative, "{error}");
        last = error;
    }
}

#[test]
fn loads_balance_the_weight_after_settling() {
    for roll in [0.0, 0.05, -0.1] {
        let mut landing = Landing::new(gentle(roll)).unwrap();
        landing.advance_to(25.0).unwrap();
        let gear = landing.gear();
        let loads = gear.loads.map(|load| load.expect("both skids stand"));
        let (across, up) = (loads[0].force[0] + loads[1].force[0], loads[0].force[1] + loads[1].force[1]);
        let weight = landing.weight();
        println!(
            "roll {roll}: {up} N carry {weight} N, off by {:.2e} of it; across {across:.2e} N; {} events",
            up / weight - 1.0,
            landing.events().len()
        );
        assert!((up / weight - 1.0).abs() < 1e-6 && (across / weight).abs() < 1e-6);
        assert!(loads.iter().all(|load| load.surface == 0 && load.sticks && load.gap < 0.0));
        // The skid on the lower side carries more.
        assert!(roll == 0.0 || (loads[0].normal_force > loads[1].normal_force) == (roll > 0.0));
    }
}

#[test]
fn nothing_pulls_a_skid_down() {
    let mut landing = Landing::new(LandingParams::default()).unwrap();
    for k in 1..=400 {
        landing.advance_to(0.01 * f64::from(k)).unwrap();
        for load in landing.gear().loads.iter().flatten() {
            assert!(load.normal_force >= 0.0);
            // Friction is within its cone, slipping or sticking.
            assert!(load.friction.abs() <= 0.7 * load.normal_force * (1.0 + 1e-6) + 1e-6);
        }
    }
}

#[test]
fn no_skid_holds_more_than_its_friction() {
    // The gear splays as it takes the weight, slides out and back in: where friction is the same at rest and in motion, it sticks exactly at its limit.
    for friction in [0.0, 1e-3, 0.1, 0.3] {
        let mut params = gentle(0.0);
        (params.contact.friction, params.contact.static_friction) = (friction, friction);
        let mut landing = Landing::new(params).unwrap();
        let mut is_down = false;
        for k in 1..=400 {
            landing.advance_to(0.01 * f64::from(k)).unwrap();
            for load in landing.gear().loads.iter().flatten() {
                is_down = true;
                let limit = friction * load.normal_force;
                assert!(load.friction.abs() <= limit * (1.0 + 1e-6), "{friction}: {load:?}");
                assert!(friction > 0.0 || !load.sticks);
            }
        }
        assert!(is_down);
    }
}

#[test]
fn little_friction_comes_close_to_none() {
    let splay = |friction: f64| {
        let mut params = gentle(0.0);
        (params.contact.friction, params.contact.static_friction) = (friction, friction);
        let mut landing = Landing::new(params).unwrap();
        landing.advance_to(6.0).unwrap();
        let skids = landing.gear().nodes;
        (skids[skids.len() - 1][0] - skids[0][0]).abs()
    };
    let (none, little, some) = (splay(0.0), splay(1e-5), splay(0.6));
    println!(
        "skids are {none} m apart without friction, {little} m with a friction of 1e-5, {some} m with 0.6"
    );
    assert!((none - little).abs() < 1e-4 * (none - some).abs().max(1e-3), "{none} {little} {some}");
    assert!(none > some + 1e-3, "{none} {some}");
}

/// A hard landing on a deck of 20 mm: skids sink deeper than half of it.
fn thin() -> LandingParams {
    let mut params = gentle(0.0);
    params.deck.thickness = 0.02;
    params.start.velocity = [0.2, -1.2];
    params.contact.stiffness = 1.5e6;
    params.contact.damping = 5e3;
    params.craft.damping.stiffness = 1e-4;
    params
}

#[test]
fn a_landing_on_a_thin_deck_stays_on_its_top_where_the_nearest_surface_is_the_bottom() {
    let mut landing = Landing::new(thin()).unwrap();
    let mut deepest = 0.0_f64;
    for k in 1..=200 {
        landing.advance_to(0.01 * f64::from(k)).unwrap();
        for load in landing.gear().loads.iter().flatten() {
            assert_eq!(load.surface, 0);
            deepest = deepest.min(load.gap);
        }
    }
    println!("deepest gap {deepest} m");
    assert!(deepest < -0.011, "the skids must sink beyond the middle: {deepest}");
    let by = |rule| run_by_steps(thin(), 0.6, 2e-5, rule).unwrap();
    let (history, nearest) = (by(Rule::History), by(Rule::Nearest));
    println!("history {:?}\nnearest {:?}", history.surfaces, nearest.surfaces);
    assert!(history.surfaces.iter().flatten().all(|(_, surface)| surface.is_none_or(|s| s == 0)));
    // The other rule pushes the skids out below.
    assert!(nearest.surfaces.iter().flatten().any(|(_, surface)| *surface == Some(2)));
    assert!(nearest.lowest < -0.1 && history.lowest > -0.1, "{} {}", nearest.lowest, history.lowest);
}

/// A landing with both skids 25 mm from the edge of a thick deck.
fn corner() -> LandingParams {
    let mut params = thin();
    params.contact.stiffness = 8e5;
    params.deck.thickness = 0.3;
    params.deck.width = 2.0 * (1.15 + 0.025);
    params.start.velocity = [0.0, -1.2];
    params.contact.friction = 0.9;
    params.contact.static_friction = 1.0;
    params
}

#[test]
fn a_landing_at_the_edge_of_the_deck_stays_on_its_top_where_the_nearest_surface_is_its_side() {
    let mut landing = Landing::new(corner()).unwrap();
    let mut deepest = 0.0_f64;
    for k in 1..=100 {
        landing.advance_to(0.01 * f64::from(k)).unwrap();
        for load in landing.gear().loads.iter().flatten() {
            assert_eq!(load.surface, 0);
            deepest = deepest.min(load.gap);
        }
    }
    println!("deepest gap {deepest} m");
    assert!(deepest < -0.026, "the skids must sink deeper than they are from the edge: {deepest}");
    let by = |rule| run_by_steps(corner(), 0.6, 2e-5, rule).unwrap();
    let (history, nearest) = (by(Rule::History), by(Rule::Nearest));
    assert!(history.surfaces.iter().flatten().all(|(_, surface)| surface.is_none_or(|s| s == 0)));
    assert!(nearest.surfaces.iter().flatten().any(|(_, surface)| matches!(surface, Some(1 | 3))));
}

#[test]
fn rejected_trial_steps_never_change_the_outcome() {
    let params = LandingParams { tolerance: tolerance(1e-6), ..LandingParams::default() };
    let run = |integrator: Box<dyn zerogap::dynamics::integrate::Integrator>| {
        let mut landing = Landing::with_integrator(params.clone(), integrator).unwrap();
        landing.advance_to(2.2).unwrap();
        (landing.hash(), landing.events().to_vec())
    };
    let plain = run(Box::new(Radau::new(params.tolerance)));
    assert!(plain.1.len() > 5);
    for seed in 0..3 {
        // Trials far enough off to be inside the deck and out of it again.
        let disturbed = run(Box::new(Rejecting::new(Radau::new(params.tolerance), 4, 0.5, seed)));
        assert_eq!(plain, disturbed);
    }
}

#[test]
fn the_same_landing_by_small_steps_and_with_located_events_agrees() {
    let integrator = IntegratorKind::Dop853;
    let mut params = LandingParams { tolerance: tolerance(1e-10), integrator, ..LandingParams::default() };
    params.craft.damping.stiffness = 1e-4;
    let until = 1.5;
    let mut located = Landing::new(params.clone()).unwrap();
    located.advance_to(until).unwrap();
    let [coordinates, _, _] = Landing::layout();
    let exact = &located.state()[..coordinates];
    let error = |step: f64| {
        let stepped = run_by_steps(params.clone(), until, step, Rule::History).unwrap();
        stepped.state.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let errors = [4e-5, 1e-5, 2.5e-6].map(error);
    println!("largest error of a coordinate by steps of 40, 10 and 2.5 µs: {errors:?}");
    assert!(errors[2] < 5e-5, "{errors:?}");
    assert!(errors[1] < 0.6 * errors[0] && errors[2] < 0.6 * errors[1], "{errors:?}");
}

#[test]
fn an_explicit_and_an_implicit_integrator_agree() {
    let params = LandingParams { tolerance: tolerance(1e-9), ..LandingParams::default() };
    let run = |integrator: Box<dyn zerogap::dynamics::integrate::Integrator>| {
        let mut landing = Landing::with_integrator(params.clone(), integrator).unwrap();
        landing.advance_to(1.45).unwrap();
        landing.body()
    };
    let (a, b) = (run(Box::new(Radau::new(params.tolerance))), run(Box::new(Dop853::new(params.tolerance))));
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-7), "{a:?} {b:?}");
}

#[test]
fn a_pull_below_friction_moves_nothing_and_one_above_it_drags_the_aircraft_along() {
    let moved = |force: f64| {
        let mut params = gentle(0.0);
        params.pull = Some(Pull { from: 8.0, until: 9.6, ramp: 0.5, force, body: [0.0, -1.0] });
        let mut landing = Landing::new(params).unwrap();
        landing.advance_to(7.9).unwrap();
        let before = landing.body()[0];
        landing.advance_to(16.0).unwrap();
        landing.body()[0] - before
    };
    let weight = Landing::new(gentle(0.0)).unwrap().weight();
    let (weak, strong) = (moved(0.3 * weight), moved(0.75 * weight));
    println!("moved {weak} m by 0.3 of the weight, {strong} m by 0.75 of it");
    assert!(weak.abs() < 1e-3, "{weak}");
    assert!(strong > 0.5, "{strong}");
    assert!((moved(-0.75 * weight) + strong).abs() < 1e-3 * strong, "to both sides alike");
}

#[test]
fn ropes_hold_the_aircraft_on_a_deck_that_is_too_steep_for_friction() {
    let run = |ties: Vec<Tie>| {
        let mut params = gentle(0.0);
        // The deck stands level until ropes are fast, then rolls far.
        params.contact.friction = 0.15;
        params.contact.static_friction = 0.15;
        let swing =
            zerogap::dynamics::multibody::Harmonic { amplitude: 0.3, frequency: 1.0 / 40.0, phase: 0.0 };
        params.deck.motion = Arc::new(
            HarmonicMotion::new(
                Pose::identity(),
                Default::default(),
                [swing, Harmonic::default(), Harmonic::default()],
            )
            .unwrap(),
        );
        params.ties = ties;
        let mut landing = Landing::new(params).unwrap();
        landing.advance_to(9.5).unwrap();
        let tensions = landing.gear().tensions;
        (landing.body()[0], tensions)
    };
    let tie = |side: f64| Tie {
        at: 2.0,
        body: [side * 0.4, -0.6],
        deck: [side * 2.5, 0.0],
        stiffness: 4e5,
        damping: 2e3,
        tension: 2000.0,
    };
    let (free, _) = run(Vec::new());
    let (tied, tensions) = run(vec![tie(1.0), tie(-1.0)]);
    println!("at {free} m without ropes, at {tied} m with ropes that pull {tensions:?} N");
    assert!(free < -0.3 && tied.abs() < free.abs() - 0.2);
    assert!(tensions.iter().all(|tension| *tension >= 0.0) && tensions[0] > tensions[1]);
}

#[test]
fn before_touchdown_it_flies_as_a_rigid_body() {
    let mut params = LandingParams::default();
    params.lift.fraction = 0.0;
    params.start = Start { position: [1.0, 100.0], roll: 0.3, velocity: [2.0, 1.0], roll_rate: 0.4 };
    let mut landing = Landing::new(params).unwrap();
    let before = landing.energy().total();
    landing.advance_to(2.0).unwrap();
    // The centre of mass of the whole falls freely; the gear is below the body, which goes round it.
    assert!((landing.energy().total() / before - 1.0).abs() < 1e-9);
    assert!((landing.body()[2] - 1.1).abs() < 1e-3, "{:?}", landing.body());
}

/// A deck that heaves and sways to and fro with velocities that jump at some times [s].
fn jerky(times: [f64; 5]) -> Arc<dyn Motion> {
    let places = [(0.0, 0.0), (0.2, 0.1), (-0.1, 0.0), (0.1, 0.05), (0.0, 0.0)];
    let poses = places.map(|(across, up)| Pose::from_translation(Vec3::new(0.0, across, up)).unwrap());
    Arc::new(SplineMotion::from_poses(&times, &poses, Interpolation::Linear).unwrap())
}

/// A motion that takes note of the times it is asked for [s].
#[derive(Debug)]
struct Asked {
    motion: Arc<dyn Motion>,
    times: Mutex<Vec<f64>>,
}

impl Motion for Asked {
    fn at(&self, t: f64) -> Moving {
        self.times.lock().unwrap().push(t);
        self.motion.at(t)
    }

    fn jumps(&self) -> &[f64] {
        self.motion.jumps()
    }
}

#[test]
fn steps_of_a_landing_end_where_the_velocity_of_the_deck_jumps() {
    let times = [0.0, 0.913_75, 1.403_15, 1.900_35, 2.400_05];
    let run = |integrator, relative| {
        let mut params = gentle(0.0);
        let motion = Arc::new(Asked { motion: jerky(times), times: Mutex::default() });
        params.deck.motion = motion.clone();
        (params.integrator, params.tolerance) = (integrator, tolerance(relative));
        let mut landing = Landing::new(params).unwrap();
        landing.advance_to(3.0).unwrap();
        // The step before a jump ends just before it, the next one begins there.
        let asked = motion.times.lock().unwrap();
        for jump in &times[1..] {
            let is_end = |t: &f64| *t < *jump && *t >= jump - 4.0 * f64::EPSILON;
            assert!(asked.iter().any(is_end), "{integrator:?}: no step ends at {jump} s");
            assert!(asked.contains(jump), "{integrator:?}: no step begins at {jump} s");
        }
        landing
    };
    let (implicit, explicit) = (run(IntegratorKind::Radau, 1e-6), run(IntegratorKind::Dop853, 1e-8));
    for (one, other) in implicit.body().iter().zip(explicit.body()) {
        assert!((one - other).abs() < 1e-4, "{:?} {:?}", implicit.body(), explicit.body());
    }
}

#[test]
fn runs_that_cannot_end_are_refused_as_those_of_worlds_are() {
    let landing = Landing::new(LandingParams::default()).unwrap();
    let world = WorldBuilder::new(WorldParams::default()).build().unwrap();
    for (until, every) in [(1.0, 0.0), (1.0, f64::NAN), (1.0, 1e-12)] {
        let of_world = world.check_run(until, every).unwrap_err();
        let of_landing = landing.check_run(until, every).unwrap_err();
        assert!(matches!(of_landing, LandingError::Run(_)), "{of_landing:?}");
        assert_eq!(of_landing.to_string(), of_world.to_string());
    }
}

#[test]
fn landings_that_cannot_be_are_refused() {
    let refused = |change: &dyn Fn(&mut LandingParams)| {
        let mut params = LandingParams::default();
        change(&mut params);
        Landing::new(params).map(|_| ()).unwrap_err()
    };
    let low = refused(&|p| p.start.position[1] = 1.69);
    assert!(matches!(low, LandingError::Inside { .. }), "{low}");
    let light = refused(&|p| p.craft.mass = 0.0);
    assert_eq!(light.to_string(), "the mass of the body is 0: it must be above zero");
    assert!(refused(&|p| p.contact.static_friction = 0.1).to_string().contains("at least the friction"));
    assert!(refused(&|p| p.craft.nodes[1] = p.craft.nodes[0]).to_string().contains("length 0"));
    assert!(refused(&|p| p.deck.thickness = f64::NAN).to_string().contains("thickness of the deck is NaN"));
}
