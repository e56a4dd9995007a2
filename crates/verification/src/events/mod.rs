//! Worlds with located events against closed forms and reference runs: impacts, rest, sliding, rolling, elastic contact, and motion without contact.
//!
//! Each case is a function that takes scenes from [`super::worlds`], runs them and returns rows. Expected values are computed in place from formulas, or are numbers
//! that another program published; nothing here comes from running this product. Cases run one after another; the same bits every time.

mod crowds;
mod elastic;
mod free;
pub(super) mod friction;
mod impacts;
mod modia3d;

use super::case::{self, Case};
use super::{Group, ProgressCallback, Row};

/// The group.
pub(super) const GROUP: Group = Group {
    name: "events",
    description: "worlds with located events: closed forms of impact, rest, sliding and rolling, and runs of Modia3D",
    count: None,
    measure,
};

/// All experiments, in the order in which they run.
const CASES: [Case; 19] = [
    impacts::BOUNCING_BALL,
    impacts::CRADLE,
    impacts::BOUNCING_BALLS,
    friction::SLIDE_TO_ROLL,
    friction::BLOCK_ON_INCLINE,
    friction::SPHERE_ON_INCLINE,
    friction::EULER_DISK,
    friction::PAINLEVE,
    crowds::DOMINOES,
    crowds::CYLINDERS,
    crowds::CAPTURED,
    free::TOP,
    free::TUMBLING,
    elastic::HERTZ_REST,
    elastic::BOUNCE,
    elastic::BOX_ON_BOX,
    modia3d::BOUNCING_SPHERE,
    modia3d::NEWTONS_CRADLE,
    modia3d::BOUNCING_ELLIPSOID,
];

fn measure(_: usize, progress: &mut ProgressCallback<'_>) -> Option<Vec<Row>> {
    case::measure(GROUP.name, &CASES, progress)
}

#[cfg(test)]
mod tests {
    use super::super::{Required, unwatched, verify};
    use super::*;

    #[test]
    fn worlds_do_what_closed_forms_and_reference_runs_say() {
        let rows = verify(Some(GROUP.name), None, &mut unwatched).unwrap();
        let failed: Vec<&Row> = rows.iter().filter(|row| !row.passed).collect();
        assert!(failed.is_empty(), "{failed:#?}");
        // No case is left without a judged row.
        for case in &CASES {
            let judged = |row: &&Row| row.case == case.description && row.required != Required::Nothing {};
            assert!(rows.iter().any(|row| judged(&row)), "{}", case.description);
        }
    }

    /// The expected values are those of the page that they were derived for, to its digits.
    #[test]
    fn formulas_give_the_printed_numbers() {
        let near = |value: f64, printed: f64, tolerance: f64| {
            assert!((value - printed).abs() <= tolerance, "{value} {printed}");
        };
        for (n, printed) in [(1, 0.451_523_641), (2, 1.264_266_195), (3, 1.995_734_493), (6, 3.779_785_673)] {
            near(impacts::impact_time(1.0, 0.9, n), printed, 5e-10);
        }
        near(impacts::last_impact(1.0, 0.9), 8.578_949_179, 5e-10);
        let (t, v, x) = friction::rolls_from(5.0, 0.2);
        near(t, 0.728_119_994, 5e-10);
        near(v, 25.0 / 7.0, 1e-15);
        near(x, 3.120_514_261, 5e-10);
        for (factor, printed) in [(0.5, 0.0), (0.99, 0.0), (1.01, 0.087_567_473), (1.1, 0.859_567_806)] {
            near(friction::slid_down(0.5 * factor, 0.5, 2.0), printed, 5e-10);
        }
        near(friction::painleve_limit(2.0), 4.0 / 3.0, 1e-15);
        near(elastic::resting_overlap(), 1.608_351_225e-6, 5e-16);
        near(elastic::damping_product(0.9), 0.166_481_95, 5e-9);
        near(elastic::damping_product(0.5), 1.432_750_53, 5e-9);
        near(impacts::BALLS_ENERGY, 24_034.5, 1e-9);
    }
}
