//! Rigid contact with friction: sliding that becomes rolling, inclines, a disk that rolls on its rim, and Painlevé's rod.

use std::f64::consts::TAU;

use zerogap_core::Vec3;
use zerogap_core::math::{acos, atan, atan2, sin};

use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::{
    G, How, ball_on_incline, block_on_incline, incline, rolling_disk, sliding_ball, sliding_rod,
};
use zerogap_simulation::world::{EventKind, WorldError};

pub(super) const SLIDE_TO_ROLL: Case = Case {
    description: "solid sphere that slides and begins to roll, rigid: 5 m/s, friction 0.2",
    run: slide_to_roll_rows,
};

pub(super) const BLOCK_ON_INCLINE: Case =
    Case { description: "block at rest on an incline, rigid: friction 0.5, 2 s", run: block_on_incline_rows };

pub(super) const SPHERE_ON_INCLINE: Case = Case {
    description: "solid sphere at rest on an incline, rigid: it rolls where friction is 2/7 of the tangent or more",
    run: sphere_on_incline_rows,
};

pub(super) const EULER_DISK: Case = Case {
    description: "Euler's disk, rigid: thin, 1 kg, radius 0.5 m, inclined by 0.5 rad, centre at rest, rolling, 3 s",
    run: euler_disk_rows,
};

pub(super) const PAINLEVE: Case = Case {
    description: "Painlevé's rod, rigid: uniform, half length 0.5 m, one end slides in the critical direction",
    run: painleve_rows,
};

/// When a solid sphere that slides begins to roll [s], how fast it is then [m/s] and how far it has come [m].
pub(in super::super) fn rolls_from(speed: f64, friction: f64) -> (f64, f64, f64) {
    // Friction slows the centre by μ g and spins the sphere up by 5/2 μ g / r.
    let t = 2.0 * speed / (7.0 * friction * G);
    (t, 5.0 / 7.0 * speed, speed * t - 0.5 * friction * G * t * t)
}

fn slide_to_roll_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const SPEED: f64 = 5.0;
    const FRICTION: f64 = 0.2;
    let (t, v, x) = rolls_from(SPEED, FRICTION);
    let mut scene = sliding_ball(How::Events, SPEED, FRICTION)?;
    scene.world.advance_to(1.0)?;
    let stuck = scene.world.events().iter().find(|event| matches!(event.what, EventKind::Stick { .. }));
    let rolls = stuck.map_or(f64::NAN, |event| event.t);
    let (later_x, later_v) = (scene.place(0).x, scene.velocity(0).x);
    sheet.near("rolls from", "s", rolls, (t, 1e-8));
    // Where it was at that instant, in a second run.
    if rolls.is_finite() {
        let mut scene = sliding_ball(How::Events, SPEED, FRICTION)?;
        scene.world.advance_to(rolls)?;
        sheet.near("x where it begins to roll", "m", scene.place(0).x, (x, 1e-8));
        sheet.near("velocity where it begins to roll", "m/s", scene.velocity(0).x, (v, 1e-8));
    }
    sheet.near("x at 1 s", "m", later_x, (x + v * (1.0 - t), 1e-8));
    sheet.near("velocity at 1 s", "m/s", later_v, (v, 1e-8));
    Ok(())
}

/// How far a block slides down an incline from rest in a time [m].
pub(in super::super) fn slid_down(tangent: f64, friction: f64, t: f64) -> f64 {
    let (s, c, _) = incline(tangent);
    0.5 * G * (s - friction * c).max(0.0) * t * t
}

fn block_on_incline_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const FRICTION: f64 = 0.5;
    const TIME: f64 = 2.0;
    for factor in [0.5, 0.99, 1.01, 1.1] {
        let mut scene = block_on_incline(How::Events, factor * FRICTION, FRICTION)?;
        let start = scene.place(0);
        scene.world.advance_to(TIME)?;
        let moved = scene.place(0) - start;
        let of = format!("tangent {factor} of friction");
        let expected = slid_down(factor * FRICTION, FRICTION, TIME);
        if factor < 1.0 {
            sheet.at_most(&format!("drift, {of}"), "m", moved.norm(), 1e-10);
        } else {
            sheet.near(&format!("slid down, {of}"), "m", moved.x, (expected, 1e-8));
            let aside = Vec3::new(0.0, moved.y, moved.z).norm();
            sheet.at_most(&format!("drift aside, {of}"), "m", aside, 1e-10);
        }
    }
    Ok(())
}

fn sphere_on_incline_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const RADIUS: f64 = 0.1;
    const TIME: f64 = 1.0;
    for (tangent, friction) in [(0.5, 0.2), (0.5, 0.1), (1.0, 0.3), (1.0, 0.2)] {
        let (s, c, _) = incline(tangent);
        let rolls = friction >= 2.0 / 7.0 * tangent;
        let (a, alpha) = if rolls {
            (5.0 / 7.0 * G * s, 5.0 / 7.0 * G * s / RADIUS)
        } else {
            (G * (s - friction * c), 5.0 * friction * G * c / (2.0 * RADIUS))
        };
        let mut scene = ball_on_incline(tangent, friction, RADIUS)?;
        scene.world.advance_to(TIME)?;
        let how = if rolls { "rolls" } else { "slides" };
        let of = format!("tangent {tangent}, friction {friction}: {how}");
        sheet.near(&format!("acceleration, {of}"), "m/s²", scene.velocity(0).x / TIME, (a, 1e-10));
        sheet.near(&format!("angular acceleration, {of}"), "rad/s²", scene.spin(0).y / TIME, (alpha, 1e-10));
    }
    Ok(())
}

/// Mean precession rate of an axis about the vertical from the direction of x, if it made about as many turns as expected [rad/s].
pub(super) fn turning_rate(axis: &Vec3, t: f64, expected: f64) -> f64 {
    let angle = atan2(axis.y, axis.x);
    let turns = ((expected * t - angle) / TAU).round();
    (angle + TAU * turns) / t
}

fn euler_disk_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const RADIUS: f64 = 0.5;
    const INCLINATION: f64 = 0.5;
    const TIME: f64 = 3.0;
    let rate = (4.0 * G / (RADIUS * sin(INCLINATION))).sqrt();
    let energy = 1.5 * G * RADIUS * sin(INCLINATION);
    let mut scene = rolling_disk(RADIUS, INCLINATION, rate)?;
    sheet.near("energy at the start", "J", scene.world.energy().total(), (energy, 1e-6));
    scene.world.advance_to(TIME)?;
    let (axis, center) = (scene.axis(0), scene.place(0));
    sheet.near("inclination at 3 s", "rad", acos(axis.z), (INCLINATION, 1e-6));
    sheet.near("height of the centre at 3 s", "m", center.z, (RADIUS * sin(INCLINATION), 1e-6));
    sheet.near("distance of the centre from its place", "m", center.xy().norm(), (0.0, 1e-6));
    sheet.near("rate of precession", "rad/s", turning_rate(&axis, TIME, rate), (rate, 1e-6));
    sheet.near("energy at 3 s", "J", scene.world.energy().total(), (energy, 1e-6));
    Ok(())
}

/// Friction coefficient above which the moment of friction on the rod exceeds that of the normal force [-].
pub(super) fn painleve_limit(tangent: f64) -> f64 {
    (4.0 + tangent * tangent) / (3.0 * tangent)
}

/// Result of a world for a rod.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Clear,
    Inconsistent,
    Indeterminate,
}

/// Half length of the rod [m].
const HALF: f64 = 0.5;

fn verdict(tangent: f64, friction: f64, rate: f64) -> Result<Verdict, WorldError> {
    match sliding_rod(HALF, tangent, friction, rate) {
        Err(WorldError::Inconsistent { .. }) => Ok(Verdict::Inconsistent),
        Err(error) => Err(error),
        Ok(scene) => {
            let is_open = |what: &EventKind| matches!(what, EventKind::Indeterminate { .. });
            let is_open = scene.world.events().iter().any(|event| is_open(&event.what));
            Ok(if is_open { Verdict::Indeterminate } else { Verdict::Clear })
        }
    }
}

fn painleve_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const RATE: f64 = 6.0;
    const TIME: f64 = 0.01;
    // The smallest friction for which a rod that does not turn is reported, by bisection.
    for tangent in [1.0, 2.0, 4.0] {
        let (mut clear, mut reported) = (0.0, 10.0);
        for _ in 0..50 {
            let middle = 0.5 * (clear + reported);
            match verdict(tangent, middle, 0.0)? {
                Verdict::Clear => clear = middle,
                _ => reported = middle,
            }
        }
        let name = format!("smallest friction reported, tangent {tangent}");
        sheet.near(&name, "", reported, (painleve_limit(tangent), 1e-9));
    }
    // Which paradox it is depends on the sign of l θ'² sin θ - g.
    for (rate, friction) in [(0.0, 1.5), (RATE, 1.5), (0.0, 1.3), (RATE, 1.3)] {
        let found = verdict(2.0, friction, rate)?;
        let is_paradox = friction > painleve_limit(2.0);
        let lifts = HALF * rate * rate * incline(2.0).0 > G;
        for (kind, name, expected) in [
            (Verdict::Inconsistent, "inconsistent", is_paradox && !lifts),
            (Verdict::Indeterminate, "indeterminate", is_paradox && lifts),
        ] {
            let name = format!("reported as {name}, tangent 2, friction {friction}, {rate} rad/s");
            let number = |x: bool| f64::from(u8::from(x));
            sheet.near(&name, "", number(found == kind), (number(expected), 0.0));
        }
    }
    // Where it may carry or separate it separates, and flies on.
    let mut scene = sliding_rod(HALF, 2.0, 1.5, RATE)?;
    scene.world.advance_to(TIME)?;
    let end = scene.world.pose(scene.bodies[0]).transform_point(&Vec3::new(-HALF, 0.0, 0.0)).z;
    let (s, c, _) = incline(2.0);
    let center = HALF * s + RATE * HALF * c * TIME - 0.5 * G * TIME * TIME;
    let expected = center - HALF * sin(atan(2.0) + RATE * TIME);
    sheet.near("height of the end of the indeterminate rod after 10 ms", "m", end, (expected, 1e-10));
    Ok(())
}
