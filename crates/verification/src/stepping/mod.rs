//! Worlds with time stepping, against closed forms and published benchmarks: sliding, rolling, bouncing, piles, and structures that stand by friction alone.
//!
//! Each case takes a scene from `scenes` or from [`super::worlds`], runs it and writes down rows. Expected values come from formulas, or are limits set beforehand; overlaps are measured
//! by gaps of the shapes at their poses, independent of the solver. Cases run one after another; the same bits every time.

mod benchmarks;
mod motion;
mod overlaps;
mod scenes;
mod spheres;
mod standing;

use super::case::{self, Case};
use super::sheet::Sheet;
use super::worlds::Scene;
use super::{Group, ProgressCallback, Row};

/// The group.
pub(super) const GROUP: Group = Group {
    name: "stepping",
    description: "worlds with time stepping: closed forms, scenes of SimBenchmark, piles, and structures that stand by friction",
    count: None,
    measure,
};

/// All experiments, in the order in which they run.
const CASES: [Case; 12] = [
    motion::BOUNCING_BALL,
    motion::SLIDE_TO_ROLL,
    motion::BLOCK_ON_INCLINE,
    benchmarks::ROLLING,
    benchmarks::SIX_SIX_SIX,
    benchmarks::PILE,
    standing::TOWER,
    standing::ARCH,
    standing::CARD_HOUSE,
    spheres::SPINNING,
    spheres::ROLLING_FACETS,
    spheres::ROLLING_ROUND,
];

fn measure(_: usize, progress: &mut ProgressCallback<'_>) -> Option<Vec<Row>> {
    case::measure(GROUP.name, &CASES, progress)
}

/// Reports the number of contact solves and of unconverged ones.
fn report_solves(sheet: &mut Sheet, scene: &Scene) {
    let info = scene.world.info();
    let count = info.contacts.unwrap_or_default();
    sheet.reported(
        "steps of Newton's method, mean per step of time",
        "",
        count.newton as f64 / info.steps as f64,
    );
    sheet.reported("unconverged contact solves", "", count.unconverged as f64);
}

#[cfg(test)]
mod tests {
    use super::super::{Required, unwatched, verify};
    use super::*;

    #[test]
    fn steps_do_what_closed_forms_and_limits_say() {
        let rows = verify(Some(GROUP.name), None, &mut unwatched).unwrap();
        let failed: Vec<&Row> = rows.iter().filter(|row| !row.passed).collect();
        assert!(failed.is_empty(), "{failed:#?}");
        // No case is left without a judged row.
        for case in &CASES {
            let judged = |row: &&Row| row.case == case.description && row.required != Required::Nothing {};
            assert!(rows.iter().any(|row| judged(&row)), "{}", case.description);
        }
    }
}
