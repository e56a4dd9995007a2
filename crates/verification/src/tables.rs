//! The tables of Cheng Yi and Drumwright, "Determining contact data for time stepping rigid body simulations with convex polyhedral
//! geometries". Here Table I: the error in the signed distance of two boxes at random poses. Table II is in [`table_two`].
//!
//! In: how many poses. Out: rows for smallest, largest and mean error and standard deviation, and for poses in overlap and apart by
//! themselves. Poses are numbered and each has its own seed, errors are summed in the order of poses: the same bits for any number of threads.

use std::ops::ControlFlow;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use zerogap_core::double::Double;
use zerogap_core::random::Random;
use zerogap_core::threads::in_pool;
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::distance;

use super::minkowski::{Block, signed_distance};
use super::sheet::Sheet;
use super::statistics::Statistics;
use super::{Group, ProgressCallback, Row, certain, table_two};

/// The group.
pub(super) const GROUP: Group = Group {
    name: "tables",
    description: "Tables I and II of Cheng Yi and Drumwright: error in the signed distance of two boxes, time per iteration",
    count: Some(COUNT),
    measure,
};

/// Poses where no count is given [-].
const COUNT: usize = 100_000;

/// The experiments: the kernel for boxes, and the one for convex polyhedra with the same bodies.
const CASES: [&str; 2] = [
    "Table I, two boxes 2 x 2 x 2 m, random rotations, centres within ±2 m: gap against the explicit Minkowski difference",
    "Table I, the same boxes as convex polyhedra",
];

/// Half the extent of either box along each of its axes [m].
const HALF: f64 = 1.0;

/// How far the centre of B is from that of A along each axis, at most [m].
const REACH: f64 = 2.0;

/// Poses between two reports to the callback [-]: some hundredths of a second.
const BATCH: usize = 4096;

/// The largest error that passes [m]: the value of the paper for separating axes, to two digits.
const MAX_ERROR: f64 = 2.7e-15;

/// The largest mean error that passes [m]: likewise.
const MAX_MEAN: f64 = 3.4e-16;

/// Two boxes of one pose.
struct BoxPoses {
    pose_a: Pose,
    pose_b: Pose,
}

/// Results at one pose.
struct PoseErrors {
    /// |gap - signed distance| of each case [m].
    errors: [f64; CASES.len()],
    /// Whether the boxes overlap or touch.
    is_overlap: bool,
}

/// The errors of one case: of all poses, of those in overlap, of those apart.
#[derive(Clone, Copy)]
struct Errors {
    all: Statistics,
    overlap: Statistics,
    apart: Statistics,
}

fn measure(count: usize, progress: &mut ProgressCallback<'_>) -> Option<Vec<Row>> {
    let cubes = cubes(HALF);
    let none = Statistics::new();
    let mut errors = [Errors { all: none, overlap: none, apart: none }; CASES.len()];
    for start in (0..count).step_by(BATCH) {
        let end = count.min(start.saturating_add(BATCH));
        let batch: Vec<PoseErrors> = in_pool(|| {
            (start..end).into_par_iter().map(|index| errors_at(&cubes, &placed(index as u64))).collect()
        });
        for measured in batch {
            for (case, error) in errors.iter_mut().zip(measured.errors) {
                case.all.push(error);
                if measured.is_overlap { &mut case.overlap } else { &mut case.apart }.push(error);
            }
        }
        if progress(end, count) == ControlFlow::Break(()) {
            return None;
        }
    }
    let mut all: Vec<Row> = CASES.iter().zip(&errors).flat_map(|(case, errors)| rows(case, errors)).collect();
    all.extend(table_two::rows(GROUP.name));
    Some(all)
}

/// The cube of each case.
fn cubes(half: f64) -> [ConvexShape; CASES.len()] {
    let cube = Cuboid::new(Vec3::repeat(2.0 * half)).expect("the cube has a positive size");
    let polyhedron = Polyhedron::from_points(&cube.corners()).expect("the corners of a cube have a hull");
    [cube.into(), polyhedron.into()]
}

/// The poses of a number.
fn placed(index: u64) -> BoxPoses {
    // The first number of a seed is well mixed, so neighbouring seeds have nothing in common.
    let mut random = Random::new(Random::new(index).bits());
    let pose_a = certain(Pose::new(Vec3::zeros(), random.quaternion_xyzw()));
    let pose_b = certain(Pose::new(random.in_cube(REACH), random.quaternion_xyzw()));
    BoxPoses { pose_a, pose_b }
}

/// Our gaps beside the reference.
fn errors_at(cubes: &[ConvexShape; CASES.len()], at: &BoxPoses) -> PoseErrors {
    let half = Vec3::repeat(HALF);
    let exact = signed_distance(&Block::new(&half, &at.pose_a), &Block::new(&half, &at.pose_b));
    let error = |cube: &ConvexShape| {
        let gap = distance(cube, &at.pose_a, cube, &at.pose_b).gap;
        (Double::from(gap) - exact).round().abs()
    };
    PoseErrors { errors: cubes.each_ref().map(error), is_overlap: !exact.is_positive() }
}

fn rows(case: &str, Errors { all, overlap, apart }: &Errors) -> Vec<Row> {
    let mut sheet = Sheet::new(GROUP.name, case, all.count);
    sheet.reported("smallest error", "m", all.min);
    sheet.published(&of_paper(2.693e-6, 0.0));
    sheet.at_most("largest error", "m", all.max, MAX_ERROR);
    sheet.published(&of_paper(0.608_937, 2.664_54e-15));
    sheet.at_most("mean error", "m", all.mean, MAX_MEAN);
    sheet.published(&of_paper(0.051_846_7, 3.353e-16));
    sheet.reported("standard deviation of the error", "m", all.deviation());
    sheet.published(&of_paper(0.1311, 4.413e-16));
    // A part without poses has no errors to report.
    for (part, of) in [("in overlap", overlap), ("apart", apart)] {
        sheet.reported(&format!("poses {part}"), "", of.count as f64);
        if of.count > 0 {
            sheet.reported(&format!("largest error {part}"), "m", of.max);
            sheet.reported(&format!("mean error {part}"), "m", of.mean);
        }
    }
    sheet.rows
}

/// The two lines of the paper's table.
fn of_paper(libccd: f64, moby: f64) -> [(&'static str, f64); 2] {
    [("libccd (GJK and EPA)", libccd), ("Moby (separating axes)", moby)]
}

#[cfg(test)]
mod tests {
    use super::super::{Required, unwatched, verify};
    use super::*;

    /// The rows of Table I.
    fn measured(count: usize) -> Vec<Row> {
        let rows = verify(Some(GROUP.name), Some(count), &mut unwatched).unwrap();
        rows.into_iter().filter(|row| !row.case.starts_with("Table II")).collect()
    }

    fn value(rows: &[Row], name: &str) -> f64 {
        rows.iter().find(|row| row.name == name).unwrap().value
    }

    #[test]
    fn boxes_are_measured_no_worse_than_the_published_separating_axes() {
        let rows = measured(zerogap_testkit::count(5_000, COUNT));
        for row in &rows {
            assert!(row.passed, "{row:?}");
        }
        assert_eq!(rows.iter().filter(|row| row.required != Required::Nothing {}).count(), 4);
        assert!(value(&rows, "poses in overlap") > 1_000.0 && value(&rows, "poses apart") > 100.0);
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| measured(1_000))
        };
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(5));
    }

    #[test]
    fn times_are_reported_beside_those_of_the_paper_and_never_judged() {
        let rows = verify(Some(GROUP.name), Some(1), &mut unwatched).unwrap();
        let timed: Vec<&Row> = rows.iter().filter(|row| row.is_timing).collect();
        assert_eq!(timed.len(), 6);
        for row in timed {
            assert!(row.passed && row.required == Required::Nothing {} && row.value > 0.0, "{row:?}");
            assert!(!row.published.is_empty(), "{row:?}");
        }
    }

    #[test]
    fn a_gap_that_is_off_is_seen() {
        // Boxes that are slightly too large: the reference does not get that size.
        let larger = cubes(HALF + 1e-14);
        let errors: Vec<f64> = (0..100).flat_map(|index| errors_at(&larger, &placed(index)).errors).collect();
        assert!(errors.iter().all(|error| *error > 1e-14), "{errors:?}");
    }

    #[test]
    fn one_pose_has_no_spread_and_a_part_without_poses_tells_no_error() {
        let rows = measured(1);
        assert_eq!(value(&rows, "standard deviation of the error").to_bits(), 0);
        assert_eq!(rows.len(), 16);
        assert!((value(&rows, "poses in overlap") + value(&rows, "poses apart") - 1.0).abs() < 1e-15);
    }
}
