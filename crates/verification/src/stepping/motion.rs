//! One body: a ball that bounces, a ball that slides and begins to roll, a block on an incline.

use zerogap_core::Vec3;
use zerogap_core::math::ln;

use super::super::case::Case;
use super::super::events::friction::{rolls_from, slid_down};
use super::super::sheet::Sheet;
use super::super::worlds::{G, block_on_incline, bouncing_ball, sliding_ball};
use super::scenes::steps;
use zerogap_simulation::world::WorldError;

pub(super) const BOUNCING_BALL: Case = Case {
    description: "bouncing ball, steps: about 1 m above the floor at rest, restitution 0.9; mean over 20 heights and 2 s",
    run: bouncing_ball_rows,
};

pub(super) const SLIDE_TO_ROLL: Case = Case {
    description: "solid sphere that slides and begins to roll, steps of 1 ms: 5 m/s, friction 0.2, 1 s",
    run: slide_to_roll_rows,
};

pub(super) const BLOCK_ON_INCLINE: Case = Case {
    description: "block at rest on an incline, steps of 1 ms: friction 0.5, 2 s",
    run: block_on_incline_rows,
};

/// Length of most steps [s].
const STEP: f64 = 1e-3;

/// How high a ball is that fell through a gap from rest, at a time [m].
fn height(gap: f64, e: f64, t: f64) -> f64 {
    let mut since = t - (2.0 * gap / G).sqrt();
    if since < 0.0 {
        return gap - 0.5 * G * t * t;
    }
    let mut speed = e * (2.0 * gap * G).sqrt();
    // Each flight is shorter than the one before.
    while since > 2.0 * speed / G {
        since -= 2.0 * speed / G;
        speed *= e;
    }
    speed * since - 0.5 * G * since * since
}

fn bouncing_ball_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const E: f64 = 0.9;
    const HEIGHTS: u32 = 20;
    const INSTANTS: u32 = 100;
    const TIME: f64 = 2.0;
    let mut errors: Vec<f64> = Vec::new();
    for step in [1e-2, 1e-3, 1e-4] {
        let mut sum = 0.0;
        for k in 0..HEIGHTS {
            // Where impacts lie in their steps differs from height to height.
            let gap = 0.9 + 0.2 * (f64::from(k) + 0.5) / f64::from(HEIGHTS);
            let mut scene = bouncing_ball(steps(step), gap, E, false)?;
            let resting = scene.place(0).z - gap;
            for instant in 1..=INSTANTS {
                let t = TIME * f64::from(instant) / f64::from(INSTANTS);
                scene.world.advance_to(t)?;
                sum += (scene.place(0).z - resting - height(gap, E, t)).abs();
            }
        }
        let error = sum / f64::from(HEIGHTS * INSTANTS);
        sheet.reported(&format!("mean error of the height, steps of {step} s"), "m", error);
        errors.push(error);
    }
    for (pair, steps) in errors.windows(2).zip(["1e-2 s to 1e-3 s", "1e-3 s to 1e-4 s"]) {
        let order = ln(pair[0] / pair[1]) / ln(10.0);
        sheet.near(&format!("order, from steps of {steps}"), "", order, (1.0, 0.1));
    }
    Ok(())
}

fn slide_to_roll_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const SPEED: f64 = 5.0;
    const FRICTION: f64 = 0.2;
    let (t, v, x) = rolls_from(SPEED, FRICTION);
    let mut scene = sliding_ball(steps(STEP), SPEED, FRICTION)?;
    scene.world.advance_to(1.0)?;
    sheet.near("velocity at 1 s", "m/s", scene.velocity(0).x, (v, 1e-10));
    sheet.near("x at 1 s", "m", scene.place(0).x, (x + v * (1.0 - t), 10.0 * STEP * STEP));
    Ok(())
}

fn block_on_incline_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const FRICTION: f64 = 0.5;
    const TIME: f64 = 2.0;
    for factor in [0.5, 0.99, 1.01, 1.1] {
        let mut scene = block_on_incline(steps(STEP), factor * FRICTION, FRICTION)?;
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
