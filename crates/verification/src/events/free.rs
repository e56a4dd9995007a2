//! Motion without contact: a symmetric top and a body that tumbles.

use zerogap_core::Vec3;
use zerogap_core::math::{acos, asin, cos, sin};

use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::{G, Top, top, tumbling_box};
use super::friction::turning_rate;
use zerogap_simulation::world::WorldError;

pub(super) const TOP: Case = Case {
    description: "symmetric top, no contact: 0.5 kg, centre 0.1 m from its point, 0.006 kg m² across and 0.0008 kg m² along its axis",
    run: top_rows,
};

pub(super) const TUMBLING: Case = Case {
    description: "free rigid body, no contact: a box that tumbles about its middle axis, 10 s",
    run: tumbling_rows,
};

const THE_TOP: Top = Top { mass: 0.5, length: 0.1, across: 0.006, along: 0.0008 };

/// Rates of steady precession, slow and fast: the roots of `I1 cos θ W² - I3 w3 W + m g l = 0` [rad/s].
fn precessions(of: &Top, inclination: f64, spin: f64) -> [f64; 2] {
    let (a, b, c) = (of.across * cos(inclination), of.along * spin, of.mass * G * of.length);
    let root = (b * b - 4.0 * a * c).sqrt();
    [2.0 * c / (b + root), (b + root) / (2.0 * a)]
}

/// The spin above which a top sleeps: `I3² w3² = 4 m g l I1` [rad/s].
fn sleeping_limit(of: &Top) -> f64 {
    2.0 * (of.mass * G * of.length * of.across).sqrt() / of.along
}

/// The largest inclination of a top released at a small one with `fraction` of the limiting spin [rad].
///
/// With w = 1 - cos θ, both momenta and the energy conserved: `w² + 2 (fraction² - 1) w - 2 fraction² w0 = 0`.
fn largest_inclination(fraction: f64, start: f64) -> f64 {
    let half = sin(0.5 * start);
    let (p, q) = (fraction * fraction - 1.0, 2.0 * fraction * fraction * (2.0 * half * half));
    let root = (p * p + q).sqrt();
    // The form without cancellation.
    let w = if p > 0.0 { q / (p + root) } else { root - p };
    2.0 * asin((0.5 * w).sqrt())
}

fn top_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const INCLINATION: f64 = 0.5;
    const SPIN: f64 = 150.0;
    const TIME: f64 = 2.0;
    const START: f64 = 1e-3;
    for (name, rate) in ["slow", "fast"].into_iter().zip(precessions(&THE_TOP, INCLINATION, SPIN)) {
        // Turning about the vertical at the rate, and about its axis with the rest of the spin.
        let spin = Vec3::new(-rate * sin(INCLINATION), 0.0, SPIN);
        let mut scene = top(&THE_TOP, INCLINATION, spin, false)?;
        scene.world.advance_to(TIME)?;
        let axis = scene.axis(0);
        let name = |what: &str| format!("{name} steady precession at 150 rad/s: {what}");
        sheet.near(&name("inclination at 2 s"), "rad", acos(axis.z), (INCLINATION, 1e-8));
        sheet.near(&name("rate"), "rad/s", turning_rate(&axis, TIME, rate), (rate, 1e-8));
    }
    // Released nearly upright: above the limit it stays there, below it falls over and comes up again.
    for fraction in [1.05, 0.95] {
        let spin = Vec3::new(0.0, 0.0, fraction * sleeping_limit(&THE_TOP));
        let mut scene = top(&THE_TOP, START, spin, true)?;
        scene.world.advance_to(10.0)?;
        let axis = scene.axis(0);
        let sunk = asin(axis.xy().norm());
        let name = format!("upright to 1 mrad, {fraction} of the limiting spin: largest inclination");
        sheet.near(&name, "rad", sunk, (largest_inclination(fraction, START), 1e-8));
    }
    Ok(())
}

fn tumbling_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let mut scene = tumbling_box()?;
    let (energy, (_, momentum)) = (scene.world.energy().total(), scene.world.momentum());
    let (mut lost, mut rotated, mut slowest) = (0.0_f64, 0.0_f64, f64::INFINITY);
    for k in 1..=100 {
        scene.world.advance_to(0.1 * f64::from(k))?;
        lost = lost.max((scene.world.energy().total() / energy - 1.0).abs());
        rotated = rotated.max((scene.world.momentum().1 - momentum).norm() / momentum.norm());
        slowest = slowest.min(scene.world.velocities()[4]);
    }
    sheet.at_most("largest change of energy, relative", "", lost, 1e-10);
    sheet.at_most("largest change of angular momentum, relative", "", rotated, 1e-10);
    // It does tumble: in its own axes it starts with 6 rad/s and rotates in the opposite direction in between.
    sheet.reported("smallest angular velocity about the middle axis", "rad/s", slowest);
    Ok(())
}
