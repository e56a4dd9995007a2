//! Oriented collision where the answer is known by hand, with the rule of the minimum translation beside it.

mod oriented_checks;

use oriented_checks::{Stepped, WAYS, rectangle, regular, xy};
use zerogap_core::math::{sin_cos, tan};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Cuboid, HalfSpace};
use zerogap_geometry::{Polyhedron, Shape};
use zerogap_proximity::oriented::{
    Configuration, Oriented, OrientedError, OrientedParams, Release, Target, TouchKind, first_entry,
};

/// Surfaces of a rectangle.
const TOP: u32 = 0;
const RIGHT: u32 = 1;
const BOTTOM: u32 = 2;

/// A straight way in equal steps: for each point what is held and what the nearest surface is.
fn walk(
    target: &Target,
    from: Vec3,
    to: Vec3,
    steps: usize,
    way: OrientedParams,
) -> Vec<(Vec3, Option<u32>, usize)> {
    let mut point = Stepped::new(target, from, way);
    (1..=steps)
        .map(|k| {
            let at = from + (to - from) * (k as f64 / steps as f64);
            (at, point.to(at).map(|touch| touch.surface), target.nearest(&at).0)
        })
        .collect()
}

#[test]
fn a_point_that_sinks_into_a_thin_plate_stays_on_its_top() {
    let plate = rectangle([0.0, -0.02], [1.0, 0.0]);
    let (s, c) = sin_cos(30.0_f64.to_radians());
    // At 30° to the top, from 5 mm above it to 15 mm below.
    let from = xy(0.5, 0.0) - xy(c, -s) * (0.005 / s);
    let to = xy(0.5, 0.0) + xy(c, -s) * (0.015 / s);
    for way in WAYS {
        let mut wrong = Vec::new();
        for (at, surface, nearest) in walk(&plate, from, to, 200, way) {
            assert_eq!(surface, (at.y <= 0.0).then_some(TOP));
            if surface.is_some() && nearest as u32 != TOP {
                assert_eq!(nearest as u32, BOTTOM);
                wrong.push(-at.y);
            }
        }
        // The other rule turns round at half the thickness.
        assert!(wrong[0] > 0.01 && wrong[0] < 0.0102 && wrong.len() >= 49, "{wrong:?}");
    }
}

#[test]
fn a_point_that_enters_near_a_corner_stays_on_the_side_it_came_through() {
    let square = rectangle([0.0, 0.0], [1.0, 1.0]);
    let direction = xy(-1.0, -2.0);
    let at = |depth: f64| xy(0.999, 1.0) + direction * (depth / 2.0);
    for way in WAYS {
        let mut wrong = Vec::new();
        for (point, surface, nearest) in walk(&square, at(-0.002), at(0.2), 2020, way) {
            let depth = 1.0 - point.y;
            assert_eq!(surface, (depth >= 0.0).then_some(TOP));
            if surface.is_some() && nearest as u32 != TOP {
                assert_eq!(nearest as u32, RIGHT);
                wrong.push(depth);
            }
        }
        // Below 2 mm the right side is nearer: 1 mm + depth / 2 < depth.
        assert!(wrong[0] > 0.002 - 1e-12 && wrong[0] < 0.002_2, "{}", wrong[0]);
    }
}

#[test]
fn the_flank_of_an_acute_wedge_is_kept_beyond_the_bisector_and_beyond_the_other_flank() {
    // A wedge of 20° with its tip at the origin, opening to +x: upper flank, base, lower flank.
    let half = 10.0_f64.to_radians();
    let h = tan(half);
    let wedge = Target::polygon(&[[0.0, 0.0], [1.0, h], [1.0, -h]]).unwrap();
    for way in WAYS {
        let mut point = Stepped::new(&wedge, xy(0.1, 0.1), way);
        // Straight down through both flanks, near the tip.
        let (mut is_wrong_inside, mut is_kept_outside) = (false, false);
        for k in 1..=400 {
            let at = xy(0.1, 0.1 - 0.0005 * f64::from(k));
            let touch = point.to(at);
            let on_span = wedge.off_span(0, &at) <= 0.0;
            if at.y > 0.1 * h {
                assert!(touch.is_none());
            } else if on_span {
                let touch = touch.unwrap();
                assert_eq!(touch.surface, 0, "at {at}");
                is_wrong_inside |= touch.is_inside && wedge.nearest(&at).0 == 2;
                is_kept_outside |= !touch.is_inside;
                assert!((touch.gap - wedge.separation(0, &at)).abs() < 1e-15);
            } else {
                assert!(touch.is_none(), "off its span, and not inside");
            }
        }
        assert!(is_wrong_inside && is_kept_outside);
    }
}

#[test]
fn sliding_over_an_obtuse_corner_hands_over_without_a_jump_of_the_gap() {
    let octagon = regular(8, 1.0);
    let normal = |k: usize| octagon.facets()[k].normal;
    // Along surface 0 at 10 mm below it, over the corner to surface 1, on at the same depth; and back.
    let depth = 0.01;
    let corner = octagon.corners()[1];
    let along = octagon.corners()[1] - octagon.corners()[0];
    let path = |s: f64| corner + along.normalize() * s - normal(0) * depth;
    for way in WAYS {
        for steps in [10, 100, 10_000_i32] {
            let mut point = Stepped::new(&octagon, path(-0.05) + normal(0) * 0.02, way);
            let mut last = point.to(path(-0.05)).unwrap();
            assert_eq!((last.surface, last.kind), (0, TouchKind::Hit));
            let (mut largest, mut handed) = (0.0_f64, Vec::new());
            for k in 1..=steps {
                let s = -0.05 + 0.06 * f64::from(k) / f64::from(steps);
                let touch = point.to(path(s)).expect("contact lasts");
                assert!(point.oriented.reference().releases().is_empty());
                if let TouchKind::HandedOver { from } = touch.kind {
                    handed.push((from, touch.surface, s));
                }
                largest = largest.max((touch.gap - last.gap).abs());
                last = touch;
            }
            // At the end of the span, once; the gap changes no faster than the way and its forgetting allow.
            let [(0, 1, s)] = handed[..] else { panic!("{handed:?}") };
            let step = 0.06 / f64::from(steps);
            assert!(s > 0.0 && s <= step + 1e-12, "{s}");
            assert!(largest < 2.5 * step, "{largest} with {steps} steps");
            // Forgotten after as long a way as it was deep: the plain depth again.
            assert!((last.gap - octagon.separation(1, &path(0.01))).abs() < 0.3 * depth);
        }
    }
}

#[test]
fn a_trial_at_the_corner_has_the_gap_of_both_surfaces() {
    let octagon = regular(8, 1.0);
    let (n, corner) = (octagon.facets()[0].normal, octagon.corners()[1]);
    let t = (octagon.corners()[1] - octagon.corners()[0]).normalize();
    let mut point = Stepped::new(&octagon, corner - t * 0.01 + n * 0.01, OrientedParams::default());
    point.to(corner - t * 0.01 - n * 0.02).unwrap();
    let before = point.trial(corner - t * 1e-12 - n * 0.02).unwrap();
    let after = point.trial(corner + t * 1e-12 - n * 0.02).unwrap();
    assert_eq!((before.surface, after.surface), (0, 1));
    assert!((before.gap + 0.02).abs() < 1e-11 && (after.gap + 0.02).abs() < 1e-11, "{before:?} {after:?}");
    // Without the carry it would have been this.
    assert!(octagon.separation(1, &(corner - n * 0.02)) > -0.0142);
}

#[test]
fn handing_over_in_space_goes_over_the_edge_that_is_passed() {
    // A hexagonal prism about z.
    let points: Vec<Vec3> = (0..6)
        .flat_map(|k| {
            let (s, c) = sin_cos(std::f64::consts::TAU * f64::from(k) / 6.0);
            [Vec3::new(c, s, -0.5), Vec3::new(c, s, 0.5)]
        })
        .collect();
    let prism = Target::polyhedron(&Polyhedron::from_points(&points).unwrap());
    assert_eq!(prism.surfaces(), 8);
    let face = |n: Vec3| {
        let best = |i: &usize| prism.facets()[*i].normal.dot(&n);
        (0..8).max_by(|i, j| best(i).total_cmp(&best(j))).unwrap()
    };
    let (first, second) = (face(Vec3::new(0.9, 0.5, 0.0)), face(Vec3::new(0.9, -0.5, 0.0)));
    let (n, edge) = (prism.facets()[first].normal, Vec3::new(1.0, 0.0, 0.1));
    let t = n.cross(&Vec3::z());
    for way in WAYS {
        let mut point = Stepped::new(&prism, edge - t * 0.1 + n * 0.1, way);
        assert_eq!(point.to(edge - t * 0.1 - n * 0.01).unwrap().surface as usize, first);
        let touch = point.to(edge + t * 0.001 - n * 0.01).unwrap();
        assert_eq!(touch.kind, TouchKind::HandedOver { from: first as u32 });
        assert_eq!(touch.surface as usize, second);
    }
}

#[test]
fn a_start_inside_takes_the_nearest_surface_and_says_so_until_it_leaves() {
    let square = rectangle([0.0, 0.0], [1.0, 1.0]);
    for way in WAYS {
        let mut point = Stepped::new(&square, xy(0.9, 0.5), way);
        let start = point.oriented.reference().touches()[0];
        assert_eq!((start.surface, start.kind, start.is_guess), (RIGHT, TouchKind::Inside, true));
        let later = point.to(xy(0.5, 0.9)).unwrap();
        assert_eq!((later.surface, later.kind, later.is_guess), (RIGHT, TouchKind::Kept, true));
        assert!(point.to(xy(1.1, 0.9)).is_none());
        assert_eq!(
            point.oriented.reference().releases(),
            [Release { target: 0, initiator: 0, surface: RIGHT }]
        );
        let again = point.to(xy(0.9, 0.9)).unwrap();
        assert!(!again.is_guess && again.kind == TouchKind::Hit);
    }
}

#[test]
fn of_two_surfaces_lost_in_one_step_the_later_one_is_hit() {
    let square = rectangle([0.0, 0.0], [1.0, 1.0]);
    for way in WAYS {
        let hit = |from: Vec3, to: Vec3| Stepped::new(&square, from, way).to(to).unwrap().surface;
        // From the corner's quadrant: the right side's plane at a third, the top's at two thirds.
        assert_eq!(hit(xy(1.1, 1.2), xy(0.8, 0.9)), TOP);
        assert_eq!(hit(xy(1.2, 1.1), xy(0.9, 0.8)), RIGHT);
        // Through the corner itself: the smaller depth, then the lower index.
        assert_eq!(hit(xy(1.25, 1.5), xy(0.75, 0.5)), RIGHT);
        assert_eq!(hit(xy(1.5, 1.25), xy(0.5, 0.75)), TOP);
        assert_eq!(hit(xy(1.5, 1.5), xy(0.5, 0.5)), TOP);
    }
}

#[test]
fn a_target_that_is_crossed_within_one_step_is_hit_and_holds() {
    let plate = rectangle([0.0, -0.02], [1.0, 0.0]);
    for way in WAYS {
        let mut point = Stepped::new(&plate, xy(0.5, 0.1), way);
        let touch = point.to(xy(0.52, -0.1)).unwrap();
        assert_eq!((touch.surface, touch.kind, touch.is_inside), (TOP, TouchKind::Crossed, false));
        assert!((touch.gap + 0.1).abs() < 1e-15);
        // Held below the plate while on the span of its top, let go beyond it.
        assert_eq!(point.to(xy(0.9, -0.1)).unwrap().kind, TouchKind::Kept);
        assert!(point.to(xy(1.01, -0.1)).is_none());
        // Past the end of the plate, or short of it, is no hit.
        assert!(Stepped::new(&plate, xy(1.02, 0.1), way).to(xy(1.01, -0.1)).is_none());
        // Neither is a way that is known to have no entry.
        let known = OrientedParams { clipping: false, ..way };
        assert!(Stepped::new(&plate, xy(0.5, 0.1), known).to(xy(0.52, -0.1)).is_none());
        // A corner cut off on the way is one.
        assert_eq!(Stepped::new(&plate, xy(0.95, 0.05), way).to(xy(1.03, -0.05)).unwrap().surface, TOP);
    }
}

#[test]
fn a_retained_surface_is_not_joined_by_a_second_one() {
    // Out of the lower flank of a wedge, still held by the upper, and in again through the lower.
    let h = tan(10.0_f64.to_radians());
    let wedge = Target::polygon(&[[0.0, 0.0], [1.0, h], [1.0, -h]]).unwrap();
    for way in WAYS {
        let mut point = Stepped::new(&wedge, xy(0.5, 0.2), way);
        for y in [0.0, -0.1, 0.0] {
            let touch = point.to(xy(0.5, y)).unwrap();
            assert_eq!(touch.surface, 0);
            assert_eq!(point.oriented.reference().touches().len(), 1);
        }
    }
}

#[test]
fn targets_that_move_and_turn_hit_points_that_wait() {
    let plate = rectangle([-0.5, -0.01], [0.5, 0.01]);
    let pose = |angle: f64, y: f64| Pose::from_axis_angle(Vec3::new(0.0, y, 0.0), Vec3::z(), angle).unwrap();
    for way in WAYS {
        // One rises from below, one falls from above and turns on the way; they meet the point from both sides.
        let targets = vec![plate.clone(), plate.clone()];
        let points = [xy(0.1, 0.0)];
        let mut oriented = Oriented::new(targets, &[pose(0.0, -0.1), pose(3.0, 0.1)], &points, way).unwrap();
        let found = oriented.commit(&[pose(0.05, 0.0), pose(std::f64::consts::PI, 0.005)], &points).unwrap();
        let [rising, falling] = found.touches() else { panic!("{found:?}") };
        assert_eq!((rising.surface, falling.surface), (TOP, TOP), "upside down its top is below");
        assert!(rising.normal.y > 0.99 && falling.normal.y < -0.99);
        // Foot and gap are in the world: the point is the foot plus the gap along the normal.
        for touch in [rising, falling] {
            assert!((touch.point + touch.normal * touch.gap - points[0]).norm() < 1e-15);
        }
    }
}

#[test]
fn root_functions_fall_through_zero_where_contact_begins_ends_or_goes_over() {
    let octagon = regular(8, 1.0);
    let (n, corner) = (octagon.facets()[0].normal, octagon.corners()[1]);
    let t = (octagon.corners()[1] - octagon.corners()[0]).normalize();
    let mut point = Stepped::new(&octagon, corner - t * 0.1 + n * 0.1, OrientedParams::default());
    let roots = |point: &Stepped, at: Vec3| {
        let mut z = [0.0; 2];
        point.oriented.roots(&[Pose::identity()], &[at], &mut z).unwrap();
        z
    };
    let [free, idle] = roots(&point, corner - t * 0.1 + n * 0.05);
    assert!((free - 0.05).abs() < 1e-15 && (idle - 1.0).abs() < 1e-15);
    assert!(roots(&point, corner - t * 0.1 - n * 0.001)[0] < 0.0);
    point.to(corner - t * 0.1 - n * 0.001).unwrap();
    let [left, span] = roots(&point, corner - t * 0.02 - n * 0.003);
    assert!((left - 0.003).abs() < 1e-15 && (span - 0.02).abs() < 1e-15);
    assert!(roots(&point, corner - t * 0.1 + n * 1e-9)[0] < 0.0);
    assert!(roots(&point, corner + t * 1e-9 - n * 0.001)[1] < 0.0);
}

#[test]
fn the_first_entry_of_a_bent_way_is_found_however_short_it_is() {
    let square = rectangle([0.0, 0.0], [1.0, 1.0]);
    // A parabola that dips into the top by 1e-9 m for 63 µs out of 2 s.
    let mut way = |t: f64| xy(0.5 + 0.1 * t, 1.0 - 1e-9 + (t - 0.3) * (t - 0.3));
    let entry = first_entry(&square, &mut way, (-1.0, 1.0), 2.0, 0.0).unwrap();
    assert_eq!(entry.surface, 0);
    assert!((entry.t - (0.3 - 1e-9_f64.sqrt())).abs() < 1e-7, "{entry:?}");
    // One that stays above it by as much is not inside.
    let mut above = |t: f64| xy(0.5 + 0.1 * t, 1.0 + 1e-9 + (t - 0.3) * (t - 0.3));
    assert_eq!(first_entry(&square, &mut above, (-1.0, 1.0), 2.0, 0.0), None);
}

#[test]
fn half_spaces_and_boxes_are_targets_and_balls_are_not() {
    let floor = Target::half_space(&HalfSpace::new(Vec3::z(), 0.5).unwrap());
    let mut point = Stepped::new(&floor, Vec3::z(), OrientedParams::default());
    assert!((point.to(Vec3::new(1e6, 0.0, 0.25)).unwrap().gap + 0.25).abs() < 1e-15);
    let cube = Target::of_shape(&Shape::from(Cuboid::new(Vec3::repeat(2.0)).unwrap())).unwrap();
    let mut point = Stepped::new(&cube, Vec3::new(0.9, 0.9, 1.5), OrientedParams::default());
    assert_eq!(point.to(Vec3::new(0.95, 0.9, 0.5)).unwrap().surface, 5);
    assert_eq!(cube.nearest(&Vec3::new(0.95, 0.9, 0.5)).0, 1);
    let ball: Shape = "sphere:1".parse().unwrap();
    assert!(matches!(Target::of_shape(&ball), Err(OrientedError::NoSurfaces { .. })));
}

#[test]
fn polygons_that_are_no_targets_are_refused_with_the_corner() {
    let polygon = |corners: &[[f64; 2]]| Target::polygon(corners).unwrap_err();
    assert_eq!(polygon(&[[0.0, 0.0], [1.0, 0.0]]), OrientedError::TooFewCorners { count: 2 });
    assert_eq!(polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), OrientedError::CounterClockwise);
    let dent = [[0.0, 1.0], [1.0, 1.0], [0.2, 0.8], [0.0, 0.0]];
    assert_eq!(polygon(&dent), OrientedError::NotConvex { corner: 2, x: 0.2, y: 0.8 });
    let twice = [[0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    assert!(matches!(polygon(&twice), OrientedError::NotConvex { .. }));
    let level = [[0.0, 1.0], [0.5, 1.0], [1.0, 1.0], [1.0, 0.0]];
    assert!(matches!(polygon(&level), OrientedError::NotConvex { corner: 1, .. }));
    assert!(matches!(polygon(&[[0.0, f64::NAN], [1.0, 0.0], [0.0, 0.0]]), OrientedError::Input(_)));
    // A five-pointed star turns right everywhere, twice around.
    let star: Vec<[f64; 2]> = (0..5)
        .map(|k| {
            let (s, c) = sin_cos(-2.0 * std::f64::consts::TAU * f64::from(k) / 5.0);
            [c, s]
        })
        .collect();
    assert!(matches!(polygon(&star), OrientedError::NotConvex { .. }));
}

#[test]
fn wrong_numbers_of_poses_and_points_are_refused() {
    let square = rectangle([0.0, 0.0], [1.0, 1.0]);
    let mut point = Stepped::new(&square, xy(2.0, 2.0), OrientedParams::default());
    let still = Pose::identity();
    let expected = OrientedError::Count { what: "targets", expected: 1, given: 2 };
    assert_eq!(point.oriented.commit(&[still, still], &[xy(0.0, 0.0)]).unwrap_err(), expected);
    let mut trial = Configuration::new();
    let refused = point.oriented.evaluate(&[still], &[xy(0.0, f64::INFINITY)], &mut trial).unwrap_err();
    assert!(refused.to_string().contains("initiator 0 is at (0, inf, 0)"));
    assert!(point.oriented.roots(&[still], &[xy(0.0, 0.0)], &mut []).is_err());
}
