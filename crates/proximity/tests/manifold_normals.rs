//! What a contact normal must do (the two necessary conditions of Cheng Yi and Drumwright): moving apart along it widens the gap, and it is
//! piecewise continuous, with jumps only where another direction becomes the better one. Where several are as good, it says so and stays.

mod manifold_checks;
mod pair_checks;

use manifold_checks::{at, cuboid, hull, prism, truncated_icosahedron, turned};
use pair_checks::{EXACT, PlacedShape, distance, exact, random_pose, size};
use zerogap_core::{Manifold, NormalKind, Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Sphere};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{ContactCache, ContactParams, contacts, contacts_with, separation};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// Contacts at any distance [m].
const FAR: f64 = 100.0;

fn manifold(a: &PlacedShape, b: &PlacedShape) -> Manifold {
    contacts(&a.shape, &a.pose, &b.shape, &b.pose, &ContactParams::within(FAR))
}

fn moved(b: &PlacedShape, by: &Vec3) -> PlacedShape {
    let pose = Pose::new(b.pose.translation() + by, b.pose.quaternion_xyzw()).unwrap();
    PlacedShape::new(b.shape.clone(), pose)
}

/// Shapes whose gap is exact to rounding.
fn shape(random: &mut Random) -> ConvexShape {
    match random.index(6) {
        0 => cuboid(random.range(0.4, 2.0), random.range(0.4, 2.0), random.range(0.4, 2.0)),
        1 => prism(3 + random.index(6), random.range(0.4, 1.0), random.range(0.4, 2.0)),
        2 => Capsule::new(random.range(0.2, 0.5), random.range(0.0, 1.5)).unwrap().into(),
        3 => Sphere::new(random.range(0.3, 1.0)).unwrap().into(),
        4 => cuboid(1.0, 0.5, 0.7).rounded(random.range(0.1, 0.3)).unwrap(),
        _ => {
            let corners: Vec<Vec3> = (0..4 + random.index(37)).map(|_| random.in_ball()).collect();
            Polyhedron::from_points(&corners).unwrap().into()
        }
    }
}

#[test]
fn moving_apart_along_the_normal_widens_the_gap_by_the_way() {
    let mut random = Random::new(1);
    let mut seen = [0, 0];
    for _ in 0..count(1500, 50_000) {
        let reach = random.range(0.0, 1.5);
        let (shape_a, shape_b) = (shape(&mut random), shape(&mut random));
        let a = PlacedShape::new(shape_a, random_pose(&mut random, reach));
        let b = PlacedShape::new(shape_b, random_pose(&mut random, reach));
        let start = manifold(&a, &b);
        let gap = start.gap.gap;
        // Apart any way; in overlap up to where they touch, and on from there.
        for part in [1e-6, 0.01, 0.3, 1.0, 2.0] {
            let way = part * if gap < 0.0 { -gap } else { 1.0 };
            let wider = distance(&a, &moved(&b, &(start.normal * way))).gap;
            let allowed = 4.0 * EXACT * (size(&a, &b) + way);
            assert!(
                (wider - gap - way).abs() <= allowed,
                "{way}: {gap} to {wider}\n{start:#?}\n{a:?}\n{b:?}"
            );
        }
        // The contact points move apart by as much, so all of their gaps do.
        for contact in &start.contacts {
            assert_eq!(contact.normal, start.normal);
        }
        seen[usize::from(gap < 0.0)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
}

/// A smooth way of B past A, and how far its points move in a step, at most [m].
fn way(random: &mut Random, reach: f64) -> impl Fn(f64) -> Pose + use<> {
    let (start, turn) = (random_pose(random, 0.3), random.direction());
    let (far, spin) = (random.in_cube(reach), random.range(0.0, 0.6));
    move |t: f64| {
        let twist = Pose::from_axis_angle(Vec3::zeros(), turn, spin * t).unwrap();
        let place = start.translation() + far * (t - 0.5);
        let upright = Pose::new(Vec3::zeros(), start.quaternion_xyzw()).unwrap();
        Pose::new(place, (twist * upright).quaternion_xyzw()).unwrap()
    }
}

#[test]
fn the_normal_jumps_only_where_another_direction_becomes_the_better_one() {
    let mut random = Random::new(2);
    let steps = 400;
    let (mut smooth, mut jumps, mut checked) = (0, 0, 0);
    for _ in 0..count(60, 1500) {
        let (shape_a, shape_b) = (shape(&mut random), shape(&mut random));
        let a = PlacedShape::new(shape_a, random_pose(&mut random, 0.2));
        let pose = way(&mut random, 3.0);
        let mut last: Option<(PlacedShape, Manifold)> = None;
        for k in 0..=steps {
            let b = PlacedShape::new(shape_b.clone(), pose(f64::from(k) / f64::from(steps)));
            let now = manifold(&a, &b);
            if let Some((b_last, before)) = &last {
                let turned = b_last.pose.rotation().angle_to(b.pose.rotation());
                let step = (b.pose.translation() - b_last.pose.translation()).norm() + 2.0 * turned;
                // Apart, the normal is the direction of the nearest points, which move by a step; faces turn with their body.
                let near = before.gap.gap.abs().min(now.gap.gap.abs());
                let change = (now.normal - before.normal).norm();
                if change <= 4.0 * turned + 4.0 * step / near.max(0.25) {
                    smooth += 1;
                } else {
                    jumps += 1;
                    // Each normal is as good in the other's place, but for the motion.
                    for (other, b, own) in [(&now, b_last, before), (before, &b, &now)] {
                        let along = separation(&a.shape, &a.pose, &b.shape, &b.pose, &other.normal);
                        assert!(
                            along >= own.gap.gap - 2.0 * step,
                            "{along} {own:#?}\n{other:#?}\n{a:?}\n{b:?}"
                        );
                    }
                }
                // What is said to be the largest separation is that, by exact arithmetic.
                if jumps % 7 == 0 && change > 0.1 {
                    let truth = exact(&a, &b).unwrap();
                    assert!(truth.error(now.gap.gap) <= EXACT * size(&a, &b), "{now:#?}\n{a:?}\n{b:?}");
                    checked += 1;
                }
            }
            last = Some((b, now));
        }
    }
    println!("smooth {smooth}, jumps {jumps}, checked {checked}");
    assert!(smooth > 50 * jumps && jumps > 20 && checked > 0, "{smooth} {jumps} {checked}");
}

/// Boxes that touch so that many normals would do, and one that is continued from a step before.
fn indeterminate() -> Vec<(&'static str, ConvexShape, Pose)> {
    let cube = cuboid(2.0, 2.0, 2.0);
    let root = 2.0_f64.sqrt();
    let root_of_3 = 3.0_f64.sqrt();
    let upright = zerogap_core::math::acos(1.0 / root_of_3);
    let on_corner = |x: f64, y: f64, z: f64| turned(x, y, z, Vec3::new(1.0, -1.0, 0.0), upright);
    let on_edge = |x: f64, y: f64, z: f64| turned(x, y, z, Vec3::y(), std::f64::consts::FRAC_PI_4);
    vec![
        ("corner on corner", cube.clone(), at(2.0, 2.0, 2.0)),
        ("edge beside edge", cube.clone(), at(2.0, 0.0, 2.0)),
        ("edge beside edge, shifted", cube.clone(), at(2.0, 0.5, 2.0)),
        ("edge on parallel edge, turned", cube.clone(), on_edge(1.0, 0.0, 1.0 + root)),
        ("short edge beside edge", cuboid(2.0, 1.0, 2.0), at(2.0, 0.0, -2.0)),
        ("corner on edge", cube.clone(), on_corner(1.0, 0.25, 1.0 + root_of_3)),
        ("corner on corner, turned", cube.clone(), on_corner(1.0, 1.0, 1.0 + root_of_3)),
        ("middle in middle", cube.clone(), at(0.0, 0.0, 0.0)),
        ("small in the middle of large", cuboid(0.5, 0.5, 0.5), at(0.0, 0.0, 0.0)),
    ]
}

#[test]
fn normals_that_are_one_of_many_say_so() {
    let cube = cuboid(2.0, 2.0, 2.0);
    for (name, shape, pose) in indeterminate() {
        for (a, b) in manifold_checks::alike(&cube, &shape) {
            let found = contacts(&a, &Pose::identity(), &b, &pose, &ContactParams::default());
            assert_eq!(found.normal_kind, NormalKind::Chosen, "{name}: {found:#?}");
            assert!(!found.contacts.is_empty(), "{name}");
            // The choice is one of the good ones.
            let along = separation(&a, &Pose::identity(), &b, &pose, &found.normal);
            assert!((along - found.gap.gap).abs() <= 1e-14, "{name}: {along} {found:#?}");
        }
    }
    // Two balls in one place, a ball in the middle of a box, a point on a corner.
    let ball: ConvexShape = Sphere::new(0.5).unwrap().into();
    for other in [ball.clone(), cube.clone(), hull(&cube), truncated_icosahedron().into()] {
        let found = contacts(&other, &Pose::identity(), &ball, &Pose::identity(), &ContactParams::default());
        assert_eq!(found.normal_kind, NormalKind::Chosen, "{found:#?}");
    }
}

#[test]
fn normals_that_are_the_only_ones_say_so() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let root = 2.0_f64.sqrt();
    let quarter = std::f64::consts::FRAC_PI_4;
    let cases = [
        ("face on face", at(0.3, 0.2, 2.0), Pose::identity()),
        ("face in face", at(0.3, 0.2, 1.9), Pose::identity()),
        ("edge on face", turned(0.3, 0.2, 1.0 + root, Vec3::y(), quarter), Pose::identity()),
        (
            "crossing edges",
            turned(0.3, 0.2, 2.0 * root, Vec3::y(), quarter),
            turned(0.0, 0.0, 0.0, Vec3::x(), quarter),
        ),
    ];
    for (name, pose_b, pose_a) in cases {
        for (a, b) in manifold_checks::alike(&cube, &cube) {
            let found = contacts(&a, &pose_a, &b, &pose_b, &ContactParams::default());
            assert_eq!(found.normal_kind, NormalKind::Unique, "{name}: {found:#?}");
            assert!((found.normal - Vec3::z()).amax() <= 1e-15, "{name}: {found:#?}");
        }
    }
}

#[test]
fn with_a_cache_a_chosen_normal_follows_the_step_before() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let params = ContactParams::within(0.5);
    let mut kept = 0;
    for (name, shape, touching) in indeterminate() {
        for (a, b) in manifold_checks::alike(&cube, &shape) {
            // From any side that leads straight to the indeterminate place.
            for from in [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::x(), -Vec3::z(), Vec3::new(0.6, 0.0, 0.8)] {
                let (mut cache, mut found) = (ContactCache::default(), Manifold::default());
                let mut last = None;
                for step in (0..=10).rev() {
                    let place = touching.translation() + from * (0.01 * f64::from(step));
                    let pose = Pose::new(place, touching.quaternion_xyzw()).unwrap();
                    contacts_with(&a, &Pose::identity(), &b, &pose, &params, &mut cache, &mut found);
                    if step == 0 && found.normal_kind == NormalKind::Chosen {
                        let before: Vec3 = last.unwrap();
                        // If the last normal still separates as well, it is the one.
                        let as_good = separation(&a, &Pose::identity(), &b, &pose, &before);
                        if as_good >= found.gap.gap - 1e-15 {
                            assert!(
                                (found.normal - before).amax() <= 1e-12,
                                "{name} {from:?}: {before:?} {found:#?}"
                            );
                            kept += 1;
                        }
                    }
                    last = Some(found.normal);
                }
            }
        }
    }
    assert!(kept > 50, "{kept}");
}
