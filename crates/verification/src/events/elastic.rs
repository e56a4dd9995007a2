//! Elastic contact: static deflection of a ball, restitution of a bounce, and a box on a box.

use std::f64::consts::PI;

use zerogap_contact::law::{NormalLaw, damping_speed_product};
use zerogap_core::math::{ln, pow};

use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::{G, ball_on_table, box_on_box, weightless_bounce};
use zerogap_simulation::world::WorldError;

pub(super) const HERTZ_REST: Case = Case {
    description: "Hertz rest: a billiard ball of 60 mm on a wooden table, restitution 0, 4 s",
    run: hertz_rest_rows,
};

pub(super) const BOUNCE: Case = Case {
    description: "Hunt-Crossley bounce: a steel ball hits a steel floor at 1 m/s, no gravity",
    run: bounce_rows,
};

pub(super) const BOX_ON_BOX: Case =
    Case { description: "box on box: 1,000 kg and 1 m, 1 mm drop, rtol 1e-5, 0.5 s", run: box_on_box_rows };

/// Radius of the billiard ball [m].
const RADIUS: f64 = 0.03;

/// The overlap at which Hertz' force carries the billiard ball [m].
pub(super) fn resting_overlap() -> f64 {
    let mass = 1768.0 * 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
    let (ball, table) = (5.4e9 / (1.0 - 0.34 * 0.34), 1.1e10 / (1.0 - 0.4 * 0.4));
    let modulus = ball * table / (ball + table);
    pow(mass * G / (4.0 / 3.0 * modulus * RADIUS.sqrt()), 2.0 / 3.0)
}

fn hertz_rest_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let expected = resting_overlap();
    let mut found = Vec::new();
    for (x, y) in [(0.0, 0.0), (0.3, -0.2), (-0.45, 0.47), (0.123, 0.4)] {
        let mut scene = ball_on_table(RADIUS, x, y)?;
        scene.world.advance_to(4.0)?;
        let overlap = RADIUS - scene.place(0).z;
        sheet.near(&format!("overlap at ({x}, {y}) m"), "m", overlap, (expected, 1e-9 * expected));
        found.push(overlap);
    }
    let largest = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = found.iter().copied().fold(f64::INFINITY, f64::min);
    sheet.at_most("largest difference between places", "m", largest - smallest, 1e-12);
    Ok(())
}

/// Left side minus right side of `-y - ln(1 - y) = y0 - ln(1 + y0)` with `y = e y0`.
fn mismatch(e: f64, y0: f64) -> f64 {
    -e * y0 - ln(1.0 - e * y0) - y0 + ln(1.0 + y0)
}

/// Where a function that is negative at `low` and positive at `high` changes its sign.
fn bisect(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        *(if function(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

/// The product d v0 that delivers a restitution [-].
pub(super) fn damping_product(e: f64) -> f64 {
    // Zero is a root as well, with negative values right above it.
    bisect(1e-3, 1.0 / e, |y0| mismatch(e, y0))
}

/// The restitution that a product d v0 delivers [-].
fn delivered(y0: f64) -> f64 {
    bisect(0.0, (1.0 / y0).min(1.0), |e| mismatch(e, y0))
}

/// The restitution that a world delivers [-].
fn bounced(restitution: f64, speed: f64) -> Result<f64, WorldError> {
    let mut scene = weightless_bounce(restitution, speed)?;
    scene.world.advance_to(0.1)?;
    Ok(scene.velocity(0).z / speed)
}

/// Smallest restitution of the law [-]; zero counts as this.
const MIN_RESTITUTION: f64 = 0.01;

/// Slower approaches have the damping of this one [m/s], as the law states it.
const SLOWEST: f64 = 1e-2;

fn bounce_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    for e in [0.9, 0.5] {
        let product = damping_speed_product(e);
        sheet.near(&format!("d v0 for restitution {e}"), "", product, (damping_product(e), 1e-8));
    }
    for e in [0.99, 0.9, 0.7, 0.5, 0.1] {
        sheet.near(&format!("restitution, asked {e}"), "", bounced(e, 1.0)?, (e, 1e-8));
    }
    // The two limits that are stated.
    let smallest = bounced(0.0, 1.0)?;
    sheet.near("restitution, asked 0: counts as 0.01", "", smallest, (MIN_RESTITUTION, 1e-8));
    let slow = 0.1 * SLOWEST;
    let expected = delivered(damping_product(0.5) * slow / SLOWEST);
    let name = "restitution at 1 mm/s, asked 0.5: damped as at 10 mm/s";
    sheet.near(name, "", bounced(0.5, slow)?, (expected, 1e-8));
    Ok(())
}

fn box_on_box_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const STIFFNESS: f64 = 1e6;
    // One less than Drake's integrator takes.
    const MAX_STEPS: f64 = 228.0;
    let linear = NormalLaw::Linear { stiffness: STIFFNESS, damping_ratio: 1.0 };
    for (law, of, judged) in [
        (linear, "linear law, 1e6 N/m at each of 4 corners", true),
        (NormalLaw::HuntCrossley, "steel", false),
    ] {
        let mut scene = box_on_box(law)?;
        scene.world.advance_to(0.5)?;
        let place = scene.place(0);
        let (sunk, drift, steps) = (1.0 - place.z, place.xy().norm(), scene.world.info().steps as f64);
        let [sunk_name, drift_name, steps_name] =
            ["sunk", "lateral drift", "accepted steps"].map(|what| format!("{what}, {of}"));
        if judged {
            // Each corner carries a quarter of the weight.
            sheet.near(&sunk_name, "m", sunk, (1000.0 * G / (4.0 * STIFFNESS), 1e-9));
            sheet.at_most(&drift_name, "m", drift, 1e-12);
            sheet.at_most(&steps_name, "", steps, MAX_STEPS);
            sheet.published(&[("Drake CENIC, 1e-5", 229.0), ("Drake RK3, 1e-3", 7111.0)]);
        } else {
            sheet.reported(&sunk_name, "m", sunk);
            sheet.reported(&drift_name, "m", drift);
            sheet.reported(&steps_name, "", steps);
        }
    }
    Ok(())
}
