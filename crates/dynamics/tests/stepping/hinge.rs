//! One hinge, of any stiffness: against the closed form of the rule, against the target, against its limits.

use zerogap_core::math::pow;
use zerogap_dynamics::multibody::{Dof, Motor};

use crate::support::hinge;

const STEP: f64 = 1e-3;
const INERTIA: f64 = 2e-4;

/// From 1e-3 to 1e6.
fn decades() -> impl Iterator<Item = f64> {
    (-30..=60).map(|k| pow(10.0, f64::from(k) / 10.0))
}

fn lead(z: f64) -> f64 {
    (0.5 - 1.0 / z).max(0.0)
}

#[test]
fn a_damped_hinge_follows_the_closed_form_and_never_turns_back() {
    for z in decades() {
        let damping = z * INERTIA / STEP;
        let mut world = hinge(INERTIA, Dof { damping, ..Dof::default() });
        world.v[0] = 1.0;
        // I (v1 - v0) = -h d v with v = (1 - theta) v0 + theta v1.
        let factor = (1.0 - z * (0.5 - lead(z))) / (1.0 + z * (0.5 + lead(z)));
        let mut expected = 1.0;
        for _ in 0..100 {
            world.step(STEP);
            expected *= factor;
            assert!(
                (world.v[0] - expected).abs() <= 1e-12 + 1e-9 * expected.abs(),
                "z {z}: {} {expected}",
                world.v[0]
            );
            assert!(world.v[0] >= -1e-12, "z {z}: {}", world.v[0]);
        }
    }
}

#[test]
fn a_spring_that_a_step_resolves_keeps_its_energy_and_no_spring_gains_any() {
    for z in decades() {
        let stiffness = z * INERTIA / (STEP * STEP);
        let mut world = hinge(INERTIA, Dof { stiffness, ..Dof::default() });
        world.q[0] = 0.1;
        let start = world.energy();
        for _ in 0..1000 {
            let before = world.energy();
            world.step(STEP);
            assert!(world.energy() <= before + 1e-9 * start, "z {z}: {before} to {}", world.energy());
        }
        if z <= 4.0 {
            assert!((world.energy() / start - 1.0).abs() < 1e-9, "z {z}: {}", world.energy() / start);
        } else if z > 1e2 {
            assert!(world.energy() < 1e-9 * start, "z {z}: {}", world.energy() / start);
        }
    }
}

#[test]
fn a_position_motor_settles_on_its_target_whatever_its_gains() {
    for z in decades() {
        let stiffness = z * INERTIA / (STEP * STEP);
        for ratio in [0.1, 1.0, 10.0] {
            let damping = 2.0 * ratio * (stiffness * INERTIA).sqrt();
            let motor = Motor::Position { target: 0.7, stiffness, damping, limit: f64::INFINITY };
            let mut world = hinge(INERTIA, Dof { motor, ..Dof::default() });
            // Ten times the slowest decay of the spring with its damper, at least ten steps.
            let natural = (stiffness / INERTIA).sqrt();
            let slow = if ratio <= 1.0 { ratio * natural } else { natural / (2.0 * ratio) };
            let steps = (25.0 / (slow * STEP)).ceil().max(200.0) as usize;
            for _ in 0..steps {
                world.step(STEP);
                assert!(world.q[0].abs() < 2.0, "z {z}, ratio {ratio}: {}", world.q[0]);
            }
            assert!((world.q[0] - 0.7).abs() < 1e-6, "z {z}, ratio {ratio}: {}", world.q[0]);
        }
    }
}

#[test]
fn a_velocity_motor_reaches_its_speed_within_a_step_where_its_gain_is_stiff() {
    let motor = Motor::Velocity { target: 3.0, gain: 1e6, limit: f64::INFINITY };
    let mut world = hinge(INERTIA, Dof { motor, ..Dof::default() });
    world.step(STEP);
    assert!((world.v[0] - 3.0).abs() < 1e-8, "{}", world.v[0]);
}

#[test]
fn limits_of_effort_are_met_exactly() {
    let limit = 0.05;
    for motor in [
        Motor::Velocity { target: 1e3, gain: 1e6, limit },
        Motor::Position { target: 1e3, stiffness: 1e5, damping: 1.0, limit },
    ] {
        let mut world = hinge(INERTIA, Dof { motor, ..Dof::default() });
        for k in 1..=100 {
            world.step(STEP);
            let expected = f64::from(k) * STEP * limit / INERTIA;
            assert!((world.v[0] - expected).abs() < 1e-12 * expected, "{} {expected}", world.v[0]);
        }
    }
}

#[test]
fn armature_adds_to_the_inertia_and_to_the_energy() {
    let motor = Motor::Effort(0.5);
    let mut world = hinge(INERTIA, Dof { motor, armature: 3.0 * INERTIA, ..Dof::default() });
    world.step(STEP);
    let expected = STEP * 0.5 / (4.0 * INERTIA);
    assert!((world.v[0] - expected).abs() < 1e-14, "{} {expected}", world.v[0]);
    assert!((world.energy() - 0.5 * 4.0 * INERTIA * expected * expected).abs() < 1e-15);
}

#[test]
fn dry_friction_stops_a_joint_and_holds_it() {
    let friction = 0.02;
    let dof = |effort: f64| Dof { friction, motor: Motor::Effort(effort), ..Dof::default() };
    // Thrown: it loses h f / I a step, and then rests.
    let mut world = hinge(INERTIA, dof(0.0));
    world.v[0] = 0.55;
    for k in 1..=20 {
        world.step(STEP);
        let expected = (0.55 - f64::from(k) * STEP * friction / INERTIA).max(0.0);
        assert!((world.v[0] - expected).abs() < 1e-12, "step {k}: {} {expected}", world.v[0]);
    }
    // Pushed by less than friction it stays, by more it moves with the rest.
    for (effort, expected) in
        [(0.999 * friction, 0.0), (1.5 * friction, 100.0 * STEP * 0.5 * friction / INERTIA)]
    {
        let mut world = hinge(INERTIA, dof(effort));
        for _ in 0..100 {
            world.step(STEP);
        }
        assert!((world.v[0] - expected).abs() < 1e-9, "{effort}: {} {expected}", world.v[0]);
    }
}

#[test]
fn a_motor_of_limited_effort_holds_exactly_that_against_a_stop_and_against_friction() {
    let limit = 0.05;
    let motor = Motor::Velocity { target: 5.0, gain: 1e4, limit };
    // Against a stop: it stays there, and leaves it with the motor reversed as if nothing had been stored.
    let mut world = hinge(INERTIA, Dof { upper: Some(0.01), motor, ..Dof::default() });
    for _ in 0..200 {
        world.step(STEP);
    }
    assert!(world.v[0].abs() < 1e-9 && (world.q[0] - 0.01).abs() < 1e-9, "{} {}", world.q[0], world.v[0]);
    let back = Motor::Velocity { target: -5.0, gain: 1e4, limit };
    world.tree.set_motor(zerogap_dynamics::multibody::BodyId(0), 0, back).unwrap();
    world.step(STEP);
    assert!((world.v[0] + STEP * limit / INERTIA).abs() < 1e-9, "{}", world.v[0]);
    // Against friction: what is left accelerates the joint.
    let mut world = hinge(INERTIA, Dof { friction: 0.03, motor, ..Dof::default() });
    for k in 1..=10 {
        world.step(STEP);
        let expected = f64::from(k) * STEP * (limit - 0.03) / INERTIA;
        assert!((world.v[0] - expected).abs() < 1e-9, "step {k}: {} {expected}", world.v[0]);
    }
}
