//! The depth by portal refinement of shapes that move past each other: Neumayr and Otter 2017, figures 6 and 7, and what rounding does to it (end of section 4.3).

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::{Cuboid, Point, Rounded, Sphere};
use zerogap_proximity::convex::{MprExit, MprGap, MprParams, distance, mpr};
use zerogap_testkit::random::Random;

const STEP: f64 = 1e-3;

fn fine() -> MprParams {
    MprParams { tolerance: 1e-9, ..MprParams::default() }
}

fn exact(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> f64 {
    distance(a, pose_a, b, pose_b).gap
}

fn cuboid(x: f64, y: f64, z: f64) -> ConvexShape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

/// Moves a ball over a long block with its lowest point at a depth: exact gap and that of portal refinement by place.
fn pass(block: &ConvexShape, radius: f64, depth: f64) -> Vec<(f64, f64, MprGap)> {
    let ball: ConvexShape = Sphere::new(radius).unwrap().into();
    let place = |k: usize| {
        let x = STEP * k as f64;
        let at = Pose::from_translation(Vec3::new(x, 0.0, 1.0 + radius - depth)).unwrap();
        let gap = exact(block, &Pose::identity(), &ball, &at);
        (x, gap, mpr(block, &Pose::identity(), &ball, &at, &fine()))
    };
    (0..2100).map(place).collect()
}

/// The largest change from place to place, and where it is.
fn jump(values: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let all: Vec<(f64, f64)> = values.collect();
    let change = |pair: &[(f64, f64)]| ((pair[1].1 - pair[0].1).abs(), pair[1].0);
    all.windows(2).map(change).fold((0.0, 0.0), |best, now| if now.0 > best.0 { now } else { best })
}

#[test]
fn the_depth_by_mpr_jumps_before_the_nearest_face_changes() {
    // A ball with its lowest point 0.3 below the top of a block of half-length 2: the side is nearer from x = 1.9 on.
    let path = pass(&cuboid(4.0, 2.0, 2.0), 0.2, 0.3);
    let (by_exact, _) = jump(path.iter().map(|(x, gap, _)| (*x, *gap)));
    assert!(by_exact <= STEP * (1.0 + 1e-9), "the exact depth follows the motion: {by_exact}");
    let nearest = |x: f64| -(0.3_f64.min(2.2 - x));
    for (x, gap, found) in &path {
        let expected = nearest(*x);
        if expected <= -0.2 {
            assert!((gap - expected).abs() < 1e-12, "{x}: {gap}");
        }
        assert!(found.gap <= gap + 1e-8, "{x}: at least the depth, {} of {gap}", found.gap);
    }
    let (by_mpr, at) = jump(path.iter().map(|(x, _, found)| (*x, found.gap)));
    println!("the depth by portal refinement jumps by {by_mpr:.4} m at x = {at:.3}");
    assert!(by_mpr > 0.05 && at < 1.9, "{by_mpr} at {at}");
}

#[test]
fn rounded_shapes_have_a_continuous_depth_which_mpr_does_not_always_find() {
    // The same block with edges of radius 0.1 and a ball, which is a point rounded by 0.2, only 0.03 deep: far below the sum of the radii.
    let core = cuboid(3.8, 1.8, 1.8);
    let block: ConvexShape = Rounded::new(core.clone(), 0.1).unwrap().into();
    let point: ConvexShape = Point::new(Vec3::zeros()).unwrap().into();
    let path = pass(&block, 0.2, 0.03);
    for (x, gap, _) in &path {
        let at = Pose::from_translation(Vec3::new(*x, 0.0, 1.17)).unwrap();
        let of_cores = exact(&core, &Pose::identity(), &point, &at);
        assert!((gap - (of_cores - 0.3)).abs() < 1e-12, "the distance of the cores less both radii");
    }
    let (by_exact, _) = jump(path.iter().map(|(x, gap, _)| (*x, *gap)));
    assert!(by_exact <= STEP, "{by_exact}");
    let overlapping = || path.iter().filter(|(_, gap, _)| *gap < 0.0);
    let (by_mpr, at) = jump(overlapping().map(|(x, _, found)| (*x, found.gap)));
    println!("rounded: the depth by portal refinement jumps by {by_mpr:.4} m at x = {at:.3}");
    assert!(by_mpr > 1e-3, "{by_mpr} at {at}");
    check_exits(overlapping().map(|(_, gap, found)| (*gap, *found)));
}

/// Where the origin lies straight before the portal, or the support point on the ray, the depth is the exact one; elsewhere it is larger. Returns how many are off by more than 1 %, of how many.
fn check_exits(pairs: impl Iterator<Item = (f64, MprGap)>) -> (usize, usize) {
    let (mut off, mut count) = (0, 0);
    for (gap, found) in pairs {
        count += 1;
        assert!(found.gap <= gap + 1e-7, "{} of {gap}", found.gap);
        if matches!(found.exit, MprExit::OnRay | MprExit::OnPortal) {
            assert!((found.gap - gap).abs() < 1e-6, "{:?}: {} of {gap}", found.exit, found.gap);
        }
        off += usize::from(found.gap < 1.01 * gap);
    }
    (off, count)
}

#[test]
fn below_the_radii_the_depth_is_exact_but_where_the_portal_is_beside_the_foot() {
    let mut random = Random::new(43);
    let mut all = Vec::new();
    while all.len() < 4000 {
        let mut rounded = || -> ConvexShape {
            let mut side = || random.range(0.3, 2.0);
            Rounded::new(cuboid(side(), side(), side()), 0.1).unwrap().into()
        };
        let (a, b) = (rounded(), rounded());
        let pose = Pose::new(random.in_cube(2.0), random.quaternion_xyzw()).unwrap();
        let gap = exact(&a, &Pose::identity(), &b, &pose);
        // Deeper than rounding of the tolerance, and less than the radii.
        if gap < -1e-3 && gap > -0.2 {
            all.push((gap, mpr(&a, &Pose::identity(), &b, &pose, &fine())));
        }
    }
    let (off, count) = check_exits(all.into_iter());
    println!("{off} of {count} rounded boxes that overlap by less than their radii are off by more than 1 %");
    assert!(off > count / 50 && off < count / 2, "{off} of {count}");
}
