//! Scenes that others have published numbers for: two of `SimBenchmark`, and a pile of boxes.

use std::ops::ControlFlow;

use zerogap_core::Vec3;

use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::Scene;
use super::overlaps::Overlaps;
use super::report_solves;
use super::scenes::{BALL_RADIUS, pile, rolling, six_six_six};
use zerogap_simulation::world::{Frame, WorldError};

pub(super) const ROLLING: Case = Case {
    description: "SimBenchmark rolling, steps of 1 ms: 25 balls on a box that 150 N pull over a floor, 4 s",
    run: rolling_rows,
};

pub(super) const SIX_SIX_SIX: Case = Case {
    description: "SimBenchmark 666, steps of 1 ms: 216 balls fall on a floor without friction, 10 s",
    run: six_six_six_rows,
};

pub(super) const PILE: Case =
    Case { description: "pile of 125 boxes, steps of 2 ms: 0.1 m, 1 kg, friction 0.5, 3 s", run: pile_rows };

/// Runs to a time and samples the end of every step.
fn sample_run(
    scene: &mut Scene,
    t: f64,
    step: f64,
    mut sample: impl FnMut(&Frame),
) -> Result<(), WorldError> {
    scene.world.stream_to(t, step, &mut |frame, _| {
        sample(&frame);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

fn rolling_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const STEP: f64 = 1e-3;
    let mut rolling = rolling(STEP)?;
    let (of_box, of_ball) = (rolling.of_box, rolling.of_ball);
    let (mut sum, mut frames) = (0.0, 0.0);
    sample_run(&mut rolling.scene, 4.0, STEP, |frame| {
        let squared = |k: usize, a: Vec3| (frame.velocities[k] - a * frame.t).norm_squared();
        let balls = frame.velocities.len() - 1;
        sum += squared(0, of_box) + (1..=balls).map(|k| squared(k, of_ball)).sum::<f64>() / balls as f64;
        frames += 1.0;
    })?;
    let end = |k: usize| rolling.scene.velocity(k).norm();
    sheet.reported("speed of the box at 4 s", "m/s", end(0));
    sheet.reported("speed of a ball at 4 s", "m/s", end(1));
    sheet.at_most("mean squared error of velocity, box and ball", "m²/s²", sum / frames, 1e-12);
    sheet.published(&[("Bullet", 4e-27), ("RaiSim", 4e-7), ("MuJoCo", 2e-3), ("ODE", 3.1), ("DART", 3.1)]);
    report_solves(sheet, &rolling.scene);
    Ok(())
}

/// Overlaps of equal balls with each other and with the floor, each squared [m²]: their sum and their number.
fn squared_overlaps(frame: &Frame) -> (f64, usize) {
    const REACH: f64 = 2.0 * BALL_RADIUS;
    let places: Vec<Vec3> = frame.poses.iter().map(zerogap_core::Pose::translation).collect();
    let (mut sum, mut count) = (0.0, 0);
    let mut add = |overlap: f64| {
        sum += overlap * overlap;
        count += 1;
    };
    for (k, a) in places.iter().enumerate() {
        for b in &places[..k] {
            let squared = (a - b).norm_squared();
            if squared < REACH * REACH {
                add(REACH - squared.sqrt());
            }
        }
        if a.z < BALL_RADIUS {
            add(BALL_RADIUS - a.z);
        }
    }
    (sum, count)
}

fn six_six_six_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const STEP: f64 = 1e-3;
    let mut scene = six_six_six(STEP)?;
    let (mut sum, mut overlaps, mut frames) = (0.0, 0, 0.0);
    sample_run(&mut scene, 10.0, STEP, |frame| {
        let (squared, count) = squared_overlaps(frame);
        sum += squared;
        overlaps += count;
        frames += 1.0;
    })?;
    let published = [("RaiSim", 1.35e-4), ("ODE", 1.55e-4), ("MuJoCo", 0.095), ("Bullet", 0.38)];
    sheet.at_most("sum of squared overlaps, mean over time", "m²", sum / frames, 1.35e-4);
    sheet.published(&published);
    sheet.at_most(
        "squared overlap, mean over time and overlaps",
        "m²",
        sum / f64::max(overlaps as f64, 1.0),
        1.35e-4,
    );
    report_solves(sheet, &scene);
    Ok(())
}

fn pile_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const STEP: f64 = 2e-3;
    let mut scene = pile(STEP, 5)?;
    let overlaps = Overlaps::new(&scene.world);
    let mut largest = 0.0_f64;
    sample_run(&mut scene, 3.0, STEP, |frame| largest = largest.max(overlaps.largest(frame)))?;
    sheet.at_most("largest speed of any point at 3 s", "m/s", scene.world.fastest(), 1e-6);
    sheet.at_most("largest overlap of the run", "m", largest, 5e-5);
    sheet.published(&[("MuJoCo", 1.5e-4), ("rapier", 6.3e-3), ("PyBullet", 1.2e-4)]);
    report_solves(sheet, &scene);
    Ok(())
}
