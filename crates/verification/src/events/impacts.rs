//! Rigid impacts: one ball that comes to rest after infinitely many, a row of balls, and many balls that never lose energy.

use zerogap_core::math::pow;

use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::{G, How, bouncing_ball, bouncing_balls, row_of_balls};
use zerogap_simulation::world::{EventKind, WorldError};

pub(super) const BOUNCING_BALL: Case = Case {
    description: "bouncing ball, rigid: 1 m above the floor at rest, restitution 0.9",
    run: bouncing_ball_rows,
};

pub(super) const CRADLE: Case = Case {
    description: "Newton's cradle, rigid: five equal balls in a row, 10 mm apart, restitution 1, first at 1 m/s",
    run: cradle_rows,
};

pub(super) const BOUNCING_BALLS: Case = Case {
    description: "SimBenchmark bouncing, rigid: 49 balls of 10 kg, centres 5 m above the floor, restitution 1, 20 s",
    run: bouncing_balls_rows,
};

/// Energy of the 49 balls, from the floor [J].
pub(super) const BALLS_ENERGY: f64 = 49.0 * 10.0 * G * 5.0;

/// Time of an impact, counted from 1, of a ball that falls through a gap from rest [s].
pub(super) fn impact_time(gap: f64, e: f64, impact: i32) -> f64 {
    let first = (2.0 * gap / G).sqrt();
    // Each flight takes 2 e^k of the first fall.
    first * (1.0 + 2.0 * (1..impact).map(|k| pow(e, f64::from(k))).sum::<f64>())
}

/// Where impacts accumulate [s].
pub(super) fn last_impact(gap: f64, e: f64) -> f64 {
    (2.0 * gap / G).sqrt() * (1.0 + e) / (1.0 - e)
}

fn bouncing_ball_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const GAP: f64 = 1.0;
    const E: f64 = 0.9;
    let mut scene = bouncing_ball(How::Events, GAP, E, false)?;
    let resting = scene.place(0).z - GAP;
    scene.world.advance_to(10.0)?;

    // When it hit, and when the last of infinitely many impacts would have been.
    let events = scene.world.events();
    let impacts: Vec<f64> =
        events.iter().filter(|e| matches!(e.what, EventKind::ContactBegin { .. })).map(|e| e.t).collect();
    let settled = events.iter().find_map(|event| match event.what {
        EventKind::Settled { limit, .. } => Some(limit),
        _ => None,
    });
    for n in [1, 2, 3, 6] {
        let time = impacts.get(n as usize - 1).copied().unwrap_or(f64::NAN);
        sheet.near(&format!("impact {n}"), "s", time, (impact_time(GAP, E, n), 1e-9));
    }
    let last = (last_impact(GAP, E), 1e-9);
    sheet.near("accumulation of impacts", "s", settled.unwrap_or(f64::NAN), last);

    // It rests afterwards.
    sheet.near("gap at 10 s", "m", scene.place(0).z - resting, (0.0, 1e-12));
    sheet.near("velocity at 10 s", "m/s", scene.velocity(0).z, (0.0, 1e-12));
    let weight = scene.world.tree().inertia(scene.bodies[0]).mass * G;
    let carried: f64 = scene.world.contacts().iter().map(|contact| contact.normal_force).sum();
    sheet.near("force of the floor at 10 s, in weights", "", carried / weight, (1.0, 1e-12));
    sheet.reported("impacts made one by one", "", impacts.len() as f64);

    // Apex heights: the run ends at each apex, the first of which is the start.
    let mut scene = bouncing_ball(How::Events, GAP, E, true)?;
    scene.world.advance_to(10.0)?;
    let mut reached = 0;
    for n in [1, 2, 3, 6, 12] {
        while reached < n {
            scene.world.advance_to(10.0)?;
            reached += 1;
        }
        let height = scene.place(0).z - resting;
        sheet.near(&format!("apex {n}"), "m", height, (GAP * pow(E * E, f64::from(n)), 1e-9));
    }
    Ok(())
}

fn cradle_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const SPEED: f64 = 1.0;
    let mut scene = row_of_balls(5, SPEED)?;
    let before = scene.world.energy().total();
    scene.world.advance_to(1.0)?;
    sheet.near("velocity of the last ball", "m/s", scene.velocity(4).x, (SPEED, 1e-10));
    let others = (0..4).map(|k| scene.velocity(k).norm()).fold(0.0, f64::max);
    sheet.at_most("largest speed of the others", "m/s", others, 1e-10);
    sheet.at_most(
        "change of energy, relative",
        "",
        (scene.world.energy().total() / before - 1.0).abs(),
        1e-10,
    );
    Ok(())
}

fn bouncing_balls_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let mut scene = bouncing_balls(7)?;
    let frames = scene.world.record_to(20.0, 0.01)?;
    let errors: Vec<f64> = frames.iter().map(|frame| frame.energy.total() - BALLS_ENERGY).collect();
    let largest = errors.iter().fold(0.0_f64, |m, error| m.max(error.abs()));
    let squared = errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64;
    sheet.near("energy at 20 s", "J", scene.world.energy().total(), (BALLS_ENERGY, 1e-10 * BALLS_ENERGY));
    sheet.at_most("largest change of energy, relative", "", largest / BALLS_ENERGY, 1e-10);
    sheet.reported("mean squared error of energy", "J²", squared);
    sheet.published(&[("RaiSim", 0.019), ("ODE", 185.0), ("DART", 7e4), ("Bullet", 7e4)]);
    Ok(())
}
