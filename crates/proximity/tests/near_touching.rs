//! Thin and unequal bodies that all but touch: the gap is known from how they were placed, and answers with one word of digits lost it.

#![allow(clippy::unreadable_literal, reason = "numbers as a search printed them")]

mod pair_checks;

use pair_checks::{CURVED, EXACT, PlacedShape, check_exact, form, is_exact, points_on_shapes, random_pose};
use zerogap_core::{Gap, GapStatus, Pose, Vec3};
use zerogap_geometry::shape::{Cuboid, Cylinder, Ellipsoid, Frustum, Polygon, Triangle};
use zerogap_geometry::{Convex, ConvexShape, Polyhedron};
use zerogap_proximity::convex::{distance, intersects, separation};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

fn pose(translation: [f64; 3], quaternion_xyzw: [f64; 4]) -> Pose {
    Pose::new(translation.into(), quaternion_xyzw).unwrap()
}

/// A half turn about x, a third of a turn about the diagonal, half turns about the diagonals of two axes.
const ABOUT_X: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
const ABOUT_XYZ: [f64; 4] = [0.5, 0.5, 0.5, 0.5];
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A and B, `size` how far both reach, and the gap between two numbers.
#[track_caller]
fn check(a: &PlacedShape, b: &PlacedShape, size: f64, [at_least, at_most]: [f64; 2]) -> Gap {
    let gap = distance(&a.shape, &a.pose, &b.shape, &b.pose);
    let room = 2e-11 * size;
    assert_ne!(gap.status, GapStatus::Limited, "{gap:?}");
    assert!(at_least - room <= gap.gap && gap.gap <= at_most + room, "{gap:?}");
    let rounding = 1e-13 * size;
    assert!(at_least - rounding <= gap.upper && gap.lower <= at_most + rounding, "{gap:?}");
    let along = separation(&a.shape, &a.pose, &b.shape, &b.pose, &gap.normal);
    assert!(along >= gap.gap - room, "{along} along the normal of {gap:?}");
    let meet = intersects(&a.shape, &a.pose, &b.shape, &b.pose);
    if gap.gap.abs() > room {
        assert_eq!(meet, gap.gap < 0.0, "{gap:?}");
    }
    assert!(if meet { gap.lower <= 0.0 } else { gap.upper >= 0.0 }, "{gap:?}");
    let relative = if is_exact(a, b) { EXACT } else { CURVED };
    points_on_shapes(a, b, &gap, relative).unwrap();
    gap
}

#[test]
fn witness_points_of_rotated_boxes_that_touch_in_an_edge_or_a_corner_lie_on_the_boxes() {
    // A lattice of equal and unequal boxes around one, each touching it in a face, an edge or a corner, to rounding.
    let mut random = Random::new(2);
    let side = |random: &mut Random| [1.0, 0.5, 0.75][random.index(3)];
    for _ in 0..count(60, 3000) {
        let by = random_pose(&mut random, 1.0);
        let sizes = [0, 1].map(|_| Vec3::from_fn(|_, _| side(&mut random)));
        let [a, b] = sizes.map(|size| Cuboid::new(size).unwrap());
        let reach = a.half_size() + b.half_size();
        for k in 0..27 {
            let step = Vec3::new(f64::from(k % 3 - 1), f64::from(k / 3 % 3 - 1), f64::from(k / 9 - 1));
            if step == Vec3::zeros() {
                continue;
            }
            let shift = by * Pose::from_translation(step.component_mul(&reach)).unwrap();
            let gap = check_exact("touching boxes", &PlacedShape::new(a, by), &PlacedShape::new(b, shift));
            assert!(gap.gap.abs() <= 1e-14, "{gap:?}");
        }
    }
}

#[test]
fn parallel_edges_a_little_apart_have_the_line_between_them_as_their_normal() {
    // 9.2e-9 m apart along z and 3.9e-12 m along x: the normal of the face separates as well to rounding, but misses the other box.
    let turn = [0.042871254246005804, 0.4415496802280126, -0.2818097369341295, -0.8507521422947055];
    let at_a = [-0.6019551476423475, 0.47638485063123337, 0.8385623590736035];
    let at_b = [-1.586437416063148, 1.1099568395940438, 3.061596599653475];
    let a = PlacedShape::new(Cuboid::new(Vec3::new(1.0, 1.0, 2.0)).unwrap(), pose(at_a, turn));
    let b = PlacedShape::new(Cuboid::new(Vec3::new(2.0, 0.5, 2.0)).unwrap(), pose(at_b, turn));
    check_exact("parallel edges", &a, &b);
}

#[test]
fn a_crumb_deep_in_a_drum_has_its_points_on_both() {
    let half = Vec3::new(1.6948641601654222e-7, 5.830008539339631e-7, 1.3306423836824498e-7);
    let corners: Vec<Vec3> = Cuboid::new(2.0 * half).unwrap().corners().to_vec();
    let crumb = Polyhedron::from_points(&corners).unwrap();
    let drum = Frustum::new(23314.808575853593, 23314.808575853593, 2.0 * 11657.404287926796).unwrap();
    let turn_a = [-0.9295775992878955, 0.04209653394447199, 0.28634598831814817, -0.22829661343549904];
    let turn_b = [-0.17320662376660925, 0.4022341368032649, 0.16029921874257924, -0.8845967019744214];
    let at_a = [3.695678832090597e-7, -2.770245151319107e-7, 3.1868900151438917e-8];
    let at_b = [-13225.787100629692, -8058.071605307083, -8437.023447740503];
    let (a, b) = (PlacedShape::new(crumb, pose(at_a, turn_a)), PlacedShape::new(drum, pose(at_b, turn_b)));
    let gap = distance(&a.shape, &a.pose, &b.shape, &b.pose);
    form(&a, &b, &gap, CURVED).unwrap();
    points_on_shapes(&a, &b, &gap, CURVED).unwrap();
    let outside = |placed: &PlacedShape, point: &Vec3| {
        placed.shape.closest_point(&placed.pose.inverse_transform_point(point)).gap
    };
    // The tolerance of the pair says nothing about the crumb: its own size does.
    assert!(outside(&a, &gap.point_a) <= 0.1 * half.norm(), "{gap:?}");
    assert!(outside(&b, &gap.point_b).abs() <= 1e-7, "{gap:?}");
}

#[test]
fn the_edge_of_a_thin_plate_touches_a_cylinder() {
    let side = 0.6914831238996817;
    let plate = Cuboid::new(Vec3::new(0.005494012781854228, side, side)).unwrap();
    let drum = Cylinder::new(1.2996979018566315, 1.2996979018566315).unwrap();
    let at = [-0.6471019445373888, -0.34574156194984085, 1.6454394638064818];
    let (a, b) =
        (PlacedShape::new(plate, pose([0.0; 3], ABOUT_X)), PlacedShape::new(drum, pose(at, ABOUT_XYZ)));
    check(&a, &b, 3.7, [0.0, 1e-14]);
}

#[test]
fn a_needle_touches_the_corner_of_a_plate() {
    let needle =
        Ellipsoid::new(Vec3::new(0.00016335007237046678, 0.47145074451944546, 0.00013861024138010384))
            .unwrap();
    let plate = Polygon::new(&[
        Vec3::new(0.000485343762563241, 0.06114543433749428, -0.00013345414461064187),
        Vec3::new(4.258086160437712e-6, 0.20310058680368556, -1.170838671580913e-6),
        Vec3::new(-0.00048271212058906493, 0.06437763144223184, 0.00013273052651626208),
        Vec3::new(-0.0003025905834660181, -0.1633130224571723, 8.320281540330015e-5),
        Vec3::new(0.0002957008553314037, -0.16531063012623928, -8.130835863733928e-5),
    ])
    .unwrap();
    let turn_a = [0.7157150295818177, 0.04544717394125444, 0.059794307501142646, 0.6943422726594644];
    let turn_b = [-0.7851585228620186, -0.30378247020001153, 0.5178623405718503, -0.1518581607743123];
    let at = [-0.13730967569423635, 0.14132559799940497, 0.4866116072479127];
    let (a, b) =
        (PlacedShape::new(needle, pose([0.0; 3], turn_a)), PlacedShape::new(plate, pose(at, turn_b)));
    check(&a, &b, 1.2, [0.0, 5e-14]);
}

#[test]
fn a_plate_enters_a_needle_by_a_hair() {
    let needle =
        Ellipsoid::new(Vec3::new(39.29389629266336, 0.16830562905523397, 0.16830562905523397)).unwrap();
    let plate = Polygon::new(&[
        Vec3::new(26.580639302091683, 0.1279930084744127, 0.0),
        Vec3::new(23.7461871846337, 3.283741976741338, 0.0),
        Vec3::new(16.208511467385037, 5.7891055740621775, 0.0),
        Vec3::new(5.460541269672843, 7.147865813719431, 0.0),
        Vec3::new(-6.368956095641874, 7.090903566148222, 0.0),
        Vec3::new(-16.937003596094186, 5.629500903076149, 0.0),
        Vec3::new(-24.150469815622483, 3.053106544852106, 0.0),
        Vec3::new(-26.580639302091683, -0.12799300847441183, 0.0),
        Vec3::new(-23.746187184633705, -3.283741976741337, 0.0),
        Vec3::new(-16.208511467385026, -5.789105574062179, 0.0),
        Vec3::new(-5.460541269672834, -7.147865813719432, 0.0),
        Vec3::new(6.36895609564186, -7.0909035661482225, 0.0),
        Vec3::new(16.93700359609419, -5.629500903076147, 0.0),
        Vec3::new(24.15046981562248, -3.05310654485211, 0.0),
    ])
    .unwrap();
    let at = [0.0, -5.460541269672843, -7.316171442039685];
    let (a, b) = (
        PlacedShape::new(needle, pose([0.0; 3], [0.0, -HALF, HALF, 0.0])),
        PlacedShape::new(plate, pose(at, ABOUT_XYZ)),
    );
    // A first polytope that was not convex led the growth astray.
    check(&a, &b, 75.0, [-7.35e-10, 0.0]);
}

#[test]
fn a_foot_beside_a_triangle_is_no_touch() {
    let disc = Frustum::new(0.001499723126420918, 0.0014997231249211946, 2.9564236098307557e-6).unwrap();
    let plate =
        Cuboid::new(Vec3::new(0.0019034917476041403, 0.0019034917476041403, 0.00046959569857840845)).unwrap();
    let at = [0.0009517458738020699, 0.0017345209779080963, 0.0009532240856069857];
    let (a, b) = (
        PlacedShape::new(disc, pose([0.0; 3], [HALF, HALF, 0.0, 0.0])),
        PlacedShape::new(plate, pose(at, [0.0, -HALF, HALF, 0.0])),
    );
    // The plane of a far triangle holds the origin, the triangle does not: the bounds must not say so.
    let gap = check(&a, &b, 0.005, [2.19797e-12, 2.19798e-12]);
    assert!(gap.gap > 2e-12, "{gap:?}");
}

#[test]
fn a_polyhedron_above_the_corner_of_a_plate_has_the_plates_normal() {
    let plate = Triangle::new(
        Vec3::new(0.0, 0.0, 461.2816024889157),
        Vec3::new(-2.004350420847419, -357.6853884530375, -186.88405028618047),
        Vec3::zeros(),
    )
    .unwrap();
    let stone = Polyhedron::from_points(&[
        Vec3::new(-2.6501133044426477, 3.3541307378225413, 2.140399527266829),
        Vec3::new(-7.973458554647841, 1.091057065236835, 3.8527482025466484),
        Vec3::new(2.2675690502273143, 0.6550919655850344, 7.035030127884992),
        Vec3::new(-4.494358410416614, -3.2525859306064806, -0.43158573943979245),
        Vec3::new(8.905096223638191, 1.218104962725492, -2.271738682992922),
    ])
    .unwrap();
    let at = [-470.1866987125539, -1.218104962725492, 2.2739102437192];
    let (a, b) = (
        PlacedShape::new(plate, pose([0.0; 3], [0.5, -0.5, -0.5, 0.5])),
        PlacedShape::new(stone, pose(at, [0.0, 0.0, 0.0, 1.0])),
    );
    let gap = check(&a, &b, 1076.0, [0.002171560726277, 0.002171560726279]);
    assert_eq!(gap.status, GapStatus::Exact);
}

#[test]
fn a_crumb_at_the_corner_of_a_block_touches_it_with_the_edges_that_meet() {
    // A box of two kilometres, turned and rounded to single precision, and a box of a millimetre at its corner.
    let block = Polyhedron::from_points(&[
        Vec3::new(-122.87708282470703, -589.8427124023438, -824.153076171875),
        Vec3::new(1.122856616973877, 460.0921936035156, -911.34814453125),
        Vec3::new(-816.2362060546875, -400.9842224121094, 463.90911865234375),
        Vec3::new(-692.2362670898438, 648.95068359375, 376.71405029296875),
        Vec3::new(692.2362670898438, -648.95068359375, -376.71405029296875),
        Vec3::new(816.2362060546875, 400.9842224121094, -463.90911865234375),
        Vec3::new(-1.122856616973877, -460.0921936035156, 911.34814453125),
        Vec3::new(122.87708282470703, 589.8427124023438, 824.153076171875),
    ])
    .unwrap();
    let half = Vec3::new(0.0007477482523078481, 0.0006412929641214928, 0.0006618707989719846);
    let at = [-122.87782178586998, -589.8432792930793, -824.1537442216355];
    let upright = [0.0, 0.0, 0.0, 1.0];
    let a = PlacedShape::new(block, pose([0.0; 3], upright));
    let b = PlacedShape::new(Cuboid::new(2.0 * half).unwrap(), pose(at, upright));
    let gap = check(&a, &b, 2000.0, [0.0, 0.0]);
    // Edges on its far side are parallel to those that meet, and tell the same direction.
    let off = a.shape.closest_point(&gap.point_a).gap;
    assert!(off < 1e-9, "{off:e} {gap:?}");
}

#[test]
fn edges_at_three_thousandths_of_a_radian_are_not_passed_over() {
    // No pair of features fits the direction across them to rounding; another direction that fits is 5.9e-4 deep, this one 6.8e-7.
    let (x, y, z) = (0.6805064189278969, 0.6497975730335936, 0.9432042660741453);
    let signs = |k: usize, size: f64, bit: usize| if k >> bit & 1 == 1 { size } else { -size };
    let block: Vec<Vec3> =
        (0..8).map(|k| Vec3::new(signs(k, x, 0), signs(k, y, 1), signs(k, z, 2))).collect();
    let shard = [
        Vec3::new(-0.6334306587070102, -0.19640936062346848, -0.6117129924752627),
        Vec3::new(0.5541798196109975, -0.08778908137282126, 0.6287242135572124),
        Vec3::new(-0.4518275534576768, -0.6785453166303128, 0.5452184802642874),
        Vec3::new(-0.7882397729929369, -0.10874905837898963, 0.3754234438243227),
    ];
    let pose_a = Pose::new(
        Vec3::new(0.7708909033175027, 0.6415563165516098, 0.37130202450490546),
        [0.6560964137675395, -0.17893579357995204, 0.6696829528012037, -0.29840278206603127],
    );
    let pose_b = Pose::new(
        Vec3::new(-0.5592262691561832, -0.6096104950761352, 1.1954877228227117),
        [0.5933163958525012, 0.05799134806552018, 0.7854123436219641, -0.16655362034010515],
    );
    let (pose_a, pose_b) = (pose_a.unwrap(), pose_b.unwrap());
    let [a, b] =
        [&block[..], &shard[..]].map(|points| ConvexShape::from(Polyhedron::from_points(points).unwrap()));
    let gap = distance(&a, &pose_a, &b, &pose_b);
    assert!((gap.gap + 6.820087e-7).abs() < 1e-12, "{gap:?}");
}
