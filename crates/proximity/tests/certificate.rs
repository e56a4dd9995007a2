//! The certificate against exact arithmetic: `lower <= exact <= upper`, and the gap within 1e-14 of the size, on polytopes of every
//! kind of degeneracy.

mod pair_checks;

use pair_checks::{PlacedShape, check_exact, random_pose, set_apart};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Cuboid, Point, Polygon, Segment, Triangle};
use zerogap_geometry::{ConvexShape, Polyhedron, convex_hull};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// Runs one family of pairs over the cases of this test run, shared out evenly among the families.
fn for_cases(seed: u64, mut case: impl FnMut(&mut Random)) {
    const FAMILIES: usize = 17;
    let mut random = Random::new(seed);
    for _ in 0..count(340, 10_000).div_ceil(FAMILIES) {
        case(&mut random);
    }
}

fn cloud(random: &mut Random, most: usize) -> Vec<Vec3> {
    let n = 4 + random.index(most - 3);
    (0..n).map(|_| random.in_ball()).collect()
}

/// A hull of 4 to 12 random points in a ball of radius `s` [m].
fn hull(random: &mut Random, s: f64) -> ConvexShape {
    let points: Vec<Vec3> = cloud(random, 12).iter().map(|p| p * s).collect();
    Polyhedron::from_points(&points).unwrap().into()
}

/// A box with sides of whole sixteenths, so that stacks of them touch exactly.
fn dyadic_box(random: &mut Random) -> Cuboid {
    let mut side = || (1 + random.index(32)) as f64 / 16.0;
    Cuboid::new(Vec3::new(side(), side(), side())).unwrap()
}

/// A flat or thin shape: point, segment, triangle or polygon, within radius `s` [m].
fn flat(random: &mut Random, s: f64) -> ConvexShape {
    let p = |random: &mut Random| random.in_ball() * s;
    match random.index(4) {
        0 => Point::new(p(random)).unwrap().into(),
        1 => Segment::new(p(random), p(random)).unwrap().into(),
        2 => Triangle::new(p(random), p(random), p(random)).unwrap().into(),
        _ => {
            let (u, v, c) = (p(random), p(random), p(random));
            let corner = |k: u32| {
                let (sin, cos) = zerogap_core::math::sin_cos(f64::from(k));
                c + u * cos + v * sin
            };
            Polygon::new(&(0..6).map(corner).collect::<Vec<_>>()).unwrap().into()
        }
    }
}

#[test]
fn the_certificate_holds_for_random_hulls() {
    for_cases(1, |random| {
        let reach = random.range(0.0, 1.5);
        let a = PlacedShape::new(hull(random, 1.0), random_pose(random, reach));
        let b = PlacedShape::new(hull(random, 1.0), random_pose(random, reach));
        check_exact("random hulls", &a, &b);
    });
}

#[test]
fn the_certificate_holds_for_hulls_near_contact() {
    for_cases(2, |random| {
        let a = PlacedShape::new(hull(random, 1.0), random_pose(random, 1.0));
        let b = PlacedShape::new(hull(random, 1.0), random_pose(random, 1.0));
        let tenths = random.range(-16.0, -2.0);
        let gap = zerogap_core::math::pow(10.0, tenths) * if random.unit() < 0.5 { -1.0 } else { 1.0 };
        let n = random.direction();
        check_exact("near contact", &a, &set_apart(&a, &b, &n, gap));
    });
}

#[test]
fn the_certificate_holds_for_boxes_that_touch_exactly_in_faces_edges_and_corners() {
    for_cases(3, |random| {
        let (a, b) = (dyadic_box(random), dyadic_box(random));
        let reach = a.half_size() + b.half_size();
        // 1, 2 or 3 axes on which they end where the other begins; within the other on the rest.
        let contacts = 1 + random.index(3);
        let shift = Vec3::from_fn(|k, _| {
            let inside = (random.index(9) as f64 - 4.0) / 8.0 * reach[k];
            if k < contacts { reach[k] } else { inside }
        });
        let gap = check_exact(
            "touching boxes",
            &PlacedShape::at(a, 0.0, 0.0, 0.0),
            &PlacedShape::at(b, shift.x, shift.y, shift.z),
        );
        assert!(gap.gap.abs() <= 1e-15 * reach.norm(), "{gap:?}");
    });
}

#[test]
fn the_certificate_holds_for_turned_stacks_of_boxes() {
    for_cases(4, |random| {
        let (a, b) = (dyadic_box(random), dyadic_box(random));
        let up = a.half_size().z + b.half_size().z + [0.0, 1e-9, -1e-9, 0.25, -0.0625][random.index(5)];
        let by = random_pose(random, 3.0);
        let lower = PlacedShape::at(a, 0.0, 0.0, 0.0).moved(&by);
        check_exact("turned stack", &lower, &PlacedShape::at(b, 0.25, -0.125, up).moved(&by));
    });
}

#[test]
fn the_certificate_holds_for_boxes_with_coplanar_faces_side_by_side_and_in_overlap() {
    for_cases(5, |random| {
        let (a, b) = (dyadic_box(random), dyadic_box(random));
        // Flush at the top, at a distance of some sixteenths, or overlapping by as much.
        let level = a.half_size().z - b.half_size().z;
        let aside = a.half_size().x + b.half_size().x + (random.index(17) as f64 - 8.0) / 16.0;
        let by = if random.unit() < 0.5 { Pose::identity() } else { random_pose(random, 1.0) };
        let still = PlacedShape::at(a, 0.0, 0.0, 0.0).moved(&by);
        check_exact("coplanar faces", &still, &PlacedShape::at(b, aside, 0.0625, level).moved(&by));
    });
}

#[test]
fn the_certificate_holds_for_identical_shapes_in_one_place_and_turned_about_it() {
    for_cases(6, |random| {
        let shape = match random.index(3) {
            0 => hull(random, 1.0),
            1 => dyadic_box(random).into(),
            _ => flat(random, 1.0),
        };
        let a = PlacedShape::new(shape.clone(), random_pose(random, 1.0));
        check_exact("identical", &a, &a.clone());
        let turned = Pose::new(a.pose.translation(), random.quaternion_xyzw()).unwrap();
        check_exact("concentric", &a, &PlacedShape::new(shape.clone(), turned));
        let beside =
            Pose::new(a.pose.translation() + random.in_cube(1e-9), a.pose.quaternion_xyzw()).unwrap();
        check_exact("nearly concentric", &a, &PlacedShape::new(shape, beside));
    });
}

#[test]
fn the_certificate_holds_for_flat_shapes_against_hulls() {
    for_cases(7, |random| {
        let reach = random.range(0.0, 1.5);
        let a = PlacedShape::new(flat(random, 1.0), random_pose(random, reach));
        let b = PlacedShape::new(hull(random, 1.0), random_pose(random, reach));
        check_exact("flat against hull", &a, &b);
        check_exact("hull against flat", &b, &a);
    });
}

#[test]
fn the_certificate_holds_for_flat_shapes_against_each_other() {
    for_cases(8, |random| {
        let reach = random.range(0.0, 1.5);
        let a = PlacedShape::new(flat(random, 1.0), random_pose(random, reach));
        let b = PlacedShape::new(flat(random, 1.0), random_pose(random, reach));
        check_exact("flat against flat", &a, &b);
    });
}

#[test]
fn the_certificate_holds_for_coplanar_plates() {
    for_cases(9, |random| {
        let plate = |random: &mut Random| -> ConvexShape {
            let points: Vec<Vec3> = cloud(random, 8).iter().map(|p| Vec3::new(p.x, p.y, 0.0)).collect();
            convex_hull(&points).unwrap().into()
        };
        let (a, b) = (plate(random), plate(random));
        let by = if random.unit() < 0.5 { Pose::identity() } else { random_pose(random, 1.0) };
        let apart = random.range(0.0, 3.0);
        check_exact(
            "coplanar plates",
            &PlacedShape::at(a, 0.0, 0.0, 0.0).moved(&by),
            &PlacedShape::at(b, apart, 0.1, 0.0).moved(&by),
        );
    });
}

#[test]
fn the_certificate_holds_for_needles_and_blades() {
    for_cases(10, |random| {
        let thin = |random: &mut Random| -> ConvexShape {
            let (u, v) = ([1.0, 1e-3, 1e-6][random.index(3)], [1e-2, 1e-4, 1e-6][random.index(3)]);
            let points: Vec<Vec3> =
                cloud(random, 10).iter().map(|p| Vec3::new(p.x, p.y * u, p.z * v)).collect();
            convex_hull(&points).unwrap().into()
        };
        let a = PlacedShape::new(thin(random), random_pose(random, 0.3));
        let b = PlacedShape::new(thin(random), random_pose(random, 0.3));
        check_exact("needles", &a, &b);
    });
}

#[test]
fn the_certificate_holds_for_shapes_of_millimetres_and_of_ten_kilometres() {
    for_cases(11, |random| {
        for scale in [1e-3, 1e4] {
            let reach = random.range(0.0, 1.0) * scale;
            let a = PlacedShape::new(hull(random, scale), random_pose(random, reach));
            let b = PlacedShape::new(hull(random, scale), random_pose(random, reach));
            check_exact("scale", &a, &b);
        }
    });
}

#[test]
fn the_certificate_holds_for_one_shape_ten_thousand_times_the_other() {
    for_cases(12, |random| {
        let a = PlacedShape::new(hull(random, 1e4), random_pose(random, 1.0));
        let b = PlacedShape::new(hull(random, 1.0), random_pose(random, 1.0));
        let (n, gap) = (random.direction(), random.range(-1.5, 1.5));
        let b = set_apart(&a, &b, &n, gap);
        check_exact("size ratio", &a, &b);
        check_exact("size ratio, small first", &b, &a);
    });
}

#[test]
fn the_certificate_holds_for_pairs_far_from_the_origin() {
    for_cases(13, |random| {
        let far = random.direction() * 1e5;
        let mut place = || {
            let near = random_pose(random, 0.8);
            let shape = hull(random, 1.0);
            PlacedShape::new(shape, Pose::new(near.translation() + far, near.quaternion_xyzw()).unwrap())
        };
        let (a, b) = (place(), place());
        check_exact("far from the origin", &a, &b);
    });
}

#[test]
fn the_certificate_holds_for_hulls_of_points_given_twice() {
    for_cases(14, |random| {
        let mut doubled = |s: f64| -> ConvexShape {
            let points = cloud(random, 8);
            // Once more as they are, and once more beside them by a rounding or so.
            let again: Vec<Vec3> = points.iter().map(|p| p * (1.0 + 4.0 * f64::EPSILON)).collect();
            let all: Vec<Vec3> = points.iter().chain(&points).chain(&again).map(|p| p * s).collect();
            Polyhedron::from_points(&all).unwrap().into()
        };
        let (a, b) = (doubled(1.0), doubled(1.0));
        let a = PlacedShape::new(a, random_pose(random, 0.6));
        check_exact("points given twice", &a, &PlacedShape::new(b, random_pose(random, 0.6)));
    });
}

#[test]
fn the_certificate_holds_for_axis_aligned_boxes_and_boxes_a_hair_off_parallel() {
    for_cases(15, |random| {
        let (a, b) = (dyadic_box(random), dyadic_box(random));
        let shift = random.in_cube(2.0);
        let still = PlacedShape::at(a, 0.0, 0.0, 0.0);
        check_exact("aligned", &still, &PlacedShape::at(b, shift.x, shift.y, shift.z));
        let tilt = random.direction();
        for angle in [1e-8, 1e-12, 1e-15] {
            let pose = Pose::from_axis_angle(shift, tilt, angle).unwrap();
            check_exact("off parallel", &still, &PlacedShape::new(b, pose));
        }
        // One on the other, a hair off parallel: the corner or edge that leads is decided by the last digits.
        let up = a.half_size().z + b.half_size().z;
        let pose = Pose::from_axis_angle(Vec3::new(0.0, 0.0, up), tilt, 1e-8).unwrap();
        check_exact("stack off parallel", &still, &PlacedShape::new(b, pose));
    });
}

#[test]
fn the_certificate_holds_for_corners_on_corners_and_edges_on_edges() {
    for_cases(16, |random| {
        // Two hulls that share one corner, or one edge, exactly.
        let (mut p, q) = (cloud(random, 8), cloud(random, 8));
        let mut q: Vec<Vec3> = q.iter().map(|c| c + Vec3::new(2.5, 0.0, 0.0)).collect();
        let shared = [Vec3::new(1.25, 0.5, 0.25), Vec3::new(1.25, -0.5, 0.125)];
        let kept = 1 + random.index(2);
        p.extend(&shared[..kept]);
        q.extend(&shared[..kept]);
        let (a, b) = (Polyhedron::from_points(&p).unwrap(), Polyhedron::from_points(&q).unwrap());
        let gap = check_exact(
            "shared corner or edge",
            &PlacedShape::at(a.clone(), 0.0, 0.0, 0.0),
            &PlacedShape::at(b.clone(), 0.0, 0.0, 0.0),
        );
        assert!(gap.gap.abs() <= 1e-15 * 4.0, "{gap:?}");
        let by = random_pose(random, 1.0);
        check_exact("shared corner or edge, turned", &PlacedShape::new(a, by), &PlacedShape::new(b, by));
    });
}

#[test]
fn the_certificate_holds_for_deep_hulls_with_many_corners() {
    // Fewer of these: the oracle takes longer on them.
    let mut random = Random::new(17);
    for _ in 0..count(10, 300) {
        let mut many = |n: usize| -> ConvexShape {
            let points: Vec<Vec3> = (0..n).map(|_| random.direction()).collect();
            Polyhedron::from_points(&points).unwrap().into()
        };
        let (a, b) = (many(50), many(30));
        let a = PlacedShape::new(a, random_pose(&mut random, 0.2));
        check_exact("deep hulls", &a, &PlacedShape::new(b, random_pose(&mut random, 0.2)));
    }
}
