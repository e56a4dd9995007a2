//! Structures that stand by friction alone: a tower, an arch, a house of cards.

use zerogap_core::Vec3;

use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::Scene;
use super::report_solves;
use super::scenes::{arch, card_house, tower};
use zerogap_simulation::world::WorldError;

pub(super) const TOWER: Case =
    Case { description: "tower of 20 unit boxes, steps of 1 ms: friction 0.5, 10 s", run: tower_rows };

pub(super) const ARCH: Case = Case {
    description: "arch of 15 stones, steps of 1 ms: half a circle on a floor, thickness 0.2 of the radius, friction 0.7, 10 s",
    run: arch_rows,
};

pub(super) const CARD_HOUSE: Case = Case {
    description: "house of seven cards in two storeys, steps of 1 ms: friction 0.6, 10 s",
    run: card_house_rows,
};

/// How long structures must stand [s].
const TIME: f64 = 10.0;

/// Length of a step [s].
const STEP: f64 = 1e-3;

/// Runs a scene and returns the largest displacement of the corners of each body [m].
fn drifts(scene: &mut Scene, until: f64) -> Result<Vec<f64>, WorldError> {
    let poses = |scene: &Scene| scene.bodies.iter().map(|body| scene.world.pose(*body)).collect::<Vec<_>>();
    let before = poses(scene);
    scene.world.advance_to(until)?;
    let after = poses(scene);
    let mut drifts = Vec::new();
    for (body, (before, after)) in scene.bodies.iter().zip(before.iter().zip(&after)) {
        let mut drift = 0.0_f64;
        for (shape, owner, at, _) in scene.world.placed_shapes() {
            if owner != Some(*body) {
                continue;
            }
            let Ok(bounds) = shape.bounding_box() else { continue };
            for k in 0..8_usize {
                let pick = |axis: usize| if k >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] };
                let corner = at.transform_point(&Vec3::new(pick(0), pick(1), pick(2)));
                drift = drift.max((after.transform_point(&corner) - before.transform_point(&corner)).norm());
            }
        }
        drifts.push(drift);
    }
    Ok(drifts)
}

fn tower_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let mut scene = tower(STEP, 20)?;
    let drifts = drifts(&mut scene, TIME)?;
    sheet.at_most("drift of the topmost box", "m", drifts.last().copied().unwrap_or(f64::NAN), 1e-6);
    sheet.reported("largest drift of any box", "m", drifts.iter().copied().fold(0.0, f64::max));
    report_solves(sheet, &scene);
    Ok(())
}

fn arch_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let mut scene = arch(STEP, 0.7, 0.2)?;
    let drifts = drifts(&mut scene, TIME)?;
    sheet.at_most("largest drift of any stone", "m", drifts.iter().copied().fold(0.0, f64::max), 1e-5);
    report_solves(sheet, &scene);
    Ok(())
}

fn card_house_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let mut scene = card_house(STEP, 0.6)?;
    let drifts = drifts(&mut scene, TIME)?;
    sheet.at_most("largest drift of any card", "m", drifts.iter().copied().fold(0.0, f64::max), 1e-5);
    report_solves(sheet, &scene);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest drift after a second [m].
    fn drift(scene: Result<Scene, WorldError>) -> f64 {
        drifts(&mut scene.unwrap(), 1.0).unwrap().into_iter().fold(0.0, f64::max)
    }

    #[test]
    fn structures_stand_where_statics_lets_them_and_fall_where_not() {
        // A half circle needs a thickness of 0.107 of its radius, and cards that lean by these angles friction of 0.41.
        assert!(drift(arch(STEP, 0.7, 0.12)) < 1e-6);
        assert!(drift(arch(STEP, 0.7, 0.095)) > 1e-3);
        assert!(drift(card_house(STEP, 0.43)) < 1e-6);
        assert!(drift(card_house(STEP, 0.39)) > 1e-3);
        // And sliding at the springings, or between stones, is as bad as too thin.
        assert!(drift(arch(STEP, 0.2, 0.2)) > 1e-3);
    }
}
