//! The benchmarks of Cheng Yi and Drumwright with tessellated spheres: a sphere that spins on a box, and one that rolls on a sphere, which they left unsolved.
//!
//! Every contact is computed from the vertices of the polyhedra; no smooth sphere stands in for them. Derivations: docs/derivations/rolling-polyhedra.md.

mod facets;
mod scenes;
mod tessellate;

use std::time::Instant;

use self::facets::Change;
use self::scenes::{rolling_facets, rolling_round, spinning};
use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::Scene;
use super::report_solves;
use zerogap_simulation::world::WorldError;

pub(super) const SPINNING: Case = Case {
    description: "tessellated sphere spins on a box: vertex down, radius 1 m, 20 rad/s, no slip, 5 s",
    run: spinning_rows,
};

pub(super) const ROLLING_FACETS: Case = Case {
    description: "tessellated sphere rolls on a tessellated sphere, flat facets: no slip, no restitution",
    run: facet_rows,
};

pub(super) const ROLLING_ROUND: Case = Case {
    description: "tessellated sphere rolls on a tessellated sphere, rounded facets: steps of 1 ms, no slip, between walls without friction, 5 s",
    run: round_rows,
};

/// Simulated time of the paper [s].
const LONG: f64 = 5.0;
/// Milliseconds in a second.
const MS: f64 = 1e3;

fn energy(scene: &Scene) -> f64 {
    let energy = scene.world.energy();
    energy.kinetic + energy.gravity
}

/// Runs for a time; returns the largest change of energy at the end of any `step` relative to the initial kinetic energy, and the time of a step [ms].
fn drift(scene: &mut Scene, until: f64, step: f64) -> Result<(f64, f64), WorldError> {
    let (start, kinetic) = (energy(scene), scene.world.energy().kinetic);
    let begin = Instant::now();
    let mut worst = 0.0_f64;
    let steps = (until / step).round() as usize;
    for k in 1..=steps {
        scene.world.advance_to(k as f64 * step)?;
        worst = worst.max((energy(scene) - start).abs() / kinetic);
    }
    Ok((worst, begin.elapsed().as_secs_f64() * MS / steps as f64))
}

fn spinning_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    for (sides, rings) in [(12, 4), (14, 7), (18, 11), (54, 37)] {
        let count = sides * rings + 2;
        for step in [1e-3, 1e-2] {
            let mut scene = spinning((sides, rings), step, 0.0)?;
            let (worst, time) = drift(&mut scene, LONG, step)?;
            let case = format!("{count} vertices, step {step} s");
            sheet.at_most(&format!("{case}: change of energy"), "", worst, 1e-9);
            if count == 200 && step < 2e-3 {
                sheet.timed(&format!("{case}: time of a step"), "ms", time);
                sheet.published(&[("Moby, 200 vertices", 18.0)]);
                report_solves(sheet, &scene);
            }
        }
        // One that leans precesses and nutates about its vertex.
        let mut scene = spinning((sides, rings), 1e-3, 1e-3)?;
        let (worst, _) = drift(&mut scene, LONG, 1e-3)?;
        sheet.reported(&format!("{count} vertices, leaning by 1e-3: change of energy"), "", worst);
    }
    Ok(())
}

/// Changes of the point about which a wheel turns that are compared at most [-].
const CHANGES: usize = 4;

fn facet_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    for (sides, rings, radius, spin) in [
        (12, 4, 100.0, 2.5),
        (20, 10, 1.0, 1.0),
        (20, 10, 10.0, 2.0),
        (20, 10, 100.0, 2.0),
        (50, 40, 1.0, 1.0),
        (50, 40, 100.0, 1.0),
    ] {
        // Errors decrease with the step: the extrapolation to a step of zero is judged.
        let count = sides * rings;
        let mut losses = [0.0; 2];
        let (mut predicted, mut changes) = (0.0, 0);
        for (loss, step) in losses.iter_mut().zip([1e-3, 1e-4]) {
            (*loss, predicted, changes) = facet_losses((sides, rings), radius, (step, spin))?;
            let name = format!("{count} vertices on radius {radius} m, step {step} s: energy lost");
            sheet.reported(&name, "", *loss);
        }
        let name = format!(
            "{count} vertices on radius {radius} m, step to 0: energy lost, changes of facet: {changes}"
        );
        sheet.near(&name, "", losses[1] + (losses[1] - losses[0]) / 9.0, (predicted, 3e-4));
    }
    Ok(())
}

/// Energy lost against the kinetic energy at the start: measured, predicted, and in how many changes of the point about which the wheel turns.
fn facet_losses(
    (sides, rings): (usize, usize),
    radius: f64,
    (step, spin): (f64, f64),
) -> Result<(f64, f64, usize), WorldError> {
    let (mut scene, mut wheel) = rolling_facets((sides, rings), radius, (step, spin))?;
    let (start, kinetic) = (energy(&scene), scene.world.energy().kinetic);
    let at_first = wheel.energy();
    let changes: Vec<Change> = std::iter::from_fn(|| wheel.change()).take(CHANGES + 1).collect();
    let Some([last, next]) = changes.last_chunk() else { return Ok((f64::NAN, f64::NAN, 0)) };
    // Halfway from the last change to the next.
    scene.world.advance_to(0.5 * (last.t + next.t))?;
    let measured = (start - energy(&scene)) / kinetic;
    Ok((measured, (at_first - last.energy) / kinetic, changes.len() - 1))
}

fn round_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const STEP: f64 = 1e-3;
    const PASSES: usize = 2;
    let exponent = |count: usize| (3 * count / 20) as u32;
    for count in [50, 100, 200, 1000, 2000] {
        for radius in [1e-2, 1e-1, 1.0, 1e1, 1e2] {
            let exponent = exponent(count);
            let mut scene = rolling_round(count, exponent, radius, (STEP, PASSES))?;
            let (worst, time) = drift(&mut scene, LONG, STEP)?;
            let case = format!("{count} vertices, exponent {exponent}, on radius {radius} m");
            let name = format!("{case}: change of energy");
            if count >= 200 {
                sheet.at_most(&name, "", worst, 1e-6);
            } else {
                sheet.reported(&name, "", worst);
            }
            if count == 200 && radius.to_bits() == 1.0_f64.to_bits() {
                sheet.timed(&format!("{case}: time of a step"), "ms", time);
                sheet.published(&[("Moby, 200 x 200 vertices", 370.0)]);
                report_solves(sheet, &scene);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rounded_polyhedron_that_rolls_on_another_keeps_its_energy() {
        for (count, radius) in [(50, 1.0), (200, 0.01), (200, 100.0)] {
            let mut scene = rolling_round(count, (3 * count / 20) as u32, radius, (1e-3, 2)).unwrap();
            // Long enough to be thrown back by a wall.
            let (worst, _) = drift(&mut scene, 0.5, 1e-3).unwrap();
            assert!(worst < 1e-7, "{count} on {radius}: {worst:e}");
            assert!(scene.world.events().len() > 1);
        }
    }

    #[test]
    fn contacts_taken_at_the_start_of_steps_cost_it_energy() {
        let mut scene = rolling_round(200, 30, 1.0, (1e-3, 0)).unwrap();
        let (worst, _) = drift(&mut scene, 0.2, 1e-3).unwrap();
        assert!(worst > 1e-4, "{worst:e}");
    }

    #[test]
    fn facets_lose_what_changing_the_pivot_takes() {
        let (measured, predicted, changes) = facet_losses((20, 10), 10.0, (2e-4, 2.0)).unwrap();
        assert!(changes == CHANGES && (measured - predicted).abs() < 2e-3, "{measured} {predicted}");
    }

    #[test]
    fn a_polyhedron_spins_on_its_vertex_for_ever() {
        let mut scene = spinning((14, 7), 1e-2, 0.0).unwrap();
        let (worst, _) = drift(&mut scene, 0.5, 1e-2).unwrap();
        assert!(worst < 1e-12, "{worst:e}");
    }
}
