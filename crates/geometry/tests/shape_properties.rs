//! What holds for every convex shape: supports, bounds, nearest surface points and rays agree with each other.
//!
//! The judge of a closest point is the support function alone: for every unit n, `n . q - max(n . x)` is a lower bound of the signed
//! gap, and the gap is the largest of them. So the answer is right when its own normal attains it, its point is a point of the
//! shape, and no other direction beats it.

mod shape_zoo;

use shape_zoo::{is_exact, zoo};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Compound, Triangle};
use zerogap_geometry::{Convex, ConvexShape, Ray, SupportHint};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// Sizes at which everything must hold [m].
const SCALES: [f64; 5] = [1e-9, 1e-3, 1.0, 1e4, 1e9];

fn support(shape: &ConvexShape, n: &Vec3) -> Vec3 {
    shape.support(n, &mut SupportHint::default())
}

/// The lower bound of the gap of q that the direction n proves.
fn bound(shape: &ConvexShape, n: &Vec3, q: &Vec3) -> f64 {
    n.dot(&(q - support(shape, n)))
}

/// Accepted error of a gap at a scale [m].
fn tolerance(shape: &ConvexShape, scale: f64) -> f64 {
    if is_exact(shape) { 2e-14 * scale } else { 3e-11 * scale }
}

/// Points around, inside, far from and exactly on a shape.
fn queries(shape: &ConvexShape, scale: f64, random: &mut Random) -> Vec<Vec3> {
    let mut list = Vec::new();
    for _ in 0..count(40, 1000) {
        list.push(random.in_cube(1.5) * scale);
        let (p, q) = (support(shape, &random.direction()), support(shape, &random.direction()));
        list.push(p);
        list.push(p + (q - p) * random.unit());
        list.push(shape.interior_point() + random.direction() * scale * 1e-9);
        list.push(p + random.direction() * scale * 1e-7);
        list.push(random.direction() * scale * 30.0);
    }
    list.push(shape.interior_point());
    list.push(Vec3::zeros());
    list.extend([Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| axis * 0.3 * scale));
    list
}

#[test]
fn supports_reach_farthest_and_lie_in_the_shape() {
    let mut random = Random::new(1);
    for scale in SCALES {
        for (name, shape) in zoo(scale) {
            for _ in 0..count(50, 2000) {
                let d = random.direction();
                let p = support(&shape, &d);
                assert!(shape.closest_point(&p).gap.abs() <= tolerance(&shape, scale), "{name} {scale}");
                for _ in 0..20 {
                    let other = support(&shape, &random.direction());
                    assert!(d.dot(&(other - p)) <= 1e-15 * scale, "{name} {scale}: {d} {other} beats {p}");
                }
                // Any length of the direction asks the same question.
                for length in [1e-300, 1e-150, 1e-20, 1e20, 1e150, 1e300] {
                    let same = support(&shape, &(d * length));
                    assert!(d.dot(&(same - p)).abs() <= 2e-15 * scale, "{name} {scale} at length {length}");
                }
            }
            assert!(support(&shape, &Vec3::zeros()).iter().all(|x| x.is_finite()));
        }
    }
}

#[test]
fn axial_and_nearly_axial_directions_have_supports_in_the_shape() {
    for (name, shape) in zoo(1.0) {
        for k in 0..3 {
            for tilt in [0.0, -0.0, 1e-310, 1e-170, 1e-150, 1e-141, 1e-100, 1e-16, 1e-9] {
                let mut d = Vec3::repeat(tilt);
                d[k] = 1.0;
                for d in [d, -d] {
                    let p = support(&shape, &d);
                    assert!(shape.closest_point(&p).gap.abs() < 1e-11, "{name} {d}: {p}");
                    assert!(bound(&shape, &d, &p).abs() < 1e-15, "{name} {d}: {p}");
                }
            }
        }
    }
}

#[test]
fn bounds_contain_every_support_and_the_box_is_tight() {
    let mut random = Random::new(2);
    for scale in SCALES {
        for (name, shape) in zoo(scale) {
            let (aabb, ball) = (shape.bounding_box(), shape.bounding_sphere());
            for _ in 0..count(100, 5000) {
                let p = support(&shape, &random.direction());
                assert!(aabb.expanded(1e-15 * scale).contains(&p), "{name} {scale}: {p} outside {aabb:?}");
                assert!(
                    (p - ball.center).norm() <= ball.radius * (1.0 + 1e-15) + 1e-15 * scale,
                    "{name} {scale}"
                );
            }
            for k in 0..3 {
                let mut axis = Vec3::zeros();
                axis[k] = 1.0;
                assert!((aabb.max[k] - support(&shape, &axis)[k]).abs() <= 1e-15 * scale, "{name} {scale}");
                assert!((aabb.min[k] - support(&shape, &-axis)[k]).abs() <= 1e-15 * scale, "{name} {scale}");
            }
            // No smaller than half the diameter; not much larger than the box's own ball.
            assert!(ball.radius >= 0.5 * aabb.size().max() * (1.0 - 1e-12), "{name} {scale}");
            assert!(ball.radius <= 0.5 * aabb.diagonal() * (1.0 + 1e-12), "{name} {scale}");
        }
    }
}

#[test]
fn closest_points_are_proved_by_supporting_planes() {
    let mut random = Random::new(3);
    let mut worst: f64 = 0.0;
    for scale in SCALES {
        for (name, shape) in zoo(scale) {
            for q in queries(&shape, scale, &mut random) {
                let near = shape.closest_point(&q);
                let tolerance = tolerance(&shape, scale.max(q.amax()));
                let context = format!("{name} {scale} q {q:?} near {near:?}");
                assert!((near.normal.norm() - 1.0).abs() < 1e-14, "{context}");
                assert!((q - near.point - near.normal * near.gap).amax() <= tolerance, "{context}");
                // Attained: the plane with this normal that bounds the shape is gap away. Flat shapes have no inside, so a point
                // on one has gap 0 by definition.
                let attained = bound(&shape, &near.normal, &q);
                assert!((near.gap - attained).abs() <= tolerance, "{context}: bound {attained}");
                if is_exact(&shape) {
                    worst = worst.max((near.gap - attained).abs() / scale.max(q.amax()));
                }
                // The surface point is on the surface.
                let again = shape.closest_point(&near.point);
                assert!(again.gap.abs() <= 2.0 * tolerance, "{context}: again {again:?}");
                // Not beaten by other directions, far or near.
                for k in 0..30 {
                    let step = if k % 2 == 0 { 10.0 } else { 10.0_f64.powi(-(k / 4)) };
                    let n = (near.normal + random.direction() * step).normalize();
                    let other = bound(&shape, &n, &q);
                    assert!(other <= near.gap + tolerance, "{context}: {n:?} proves {other}");
                }
                assert_eq!(shape.contains(&q), near.gap <= 0.0, "{context}");
            }
        }
    }
    println!("worst error of an exact gap: {worst:.1e} of the size");
}

#[test]
fn rays_stop_at_the_surface_and_misses_are_misses() {
    let mut random = Random::new(4);
    let (mut hits, mut misses) = (0, 0);
    for scale in SCALES {
        for (name, shape) in zoo(scale) {
            for _ in 0..count(60, 4000) {
                let origin = random.direction() * scale * random.range(0.0, 4.0);
                let aim = support(&shape, &random.direction()) + random.in_ball() * (0.3 * scale);
                let aim = if random.unit() < 0.5 { shape.interior_point() } else { aim };
                let Ok(ray) = Ray::new(origin, aim - origin) else { continue };
                let tolerance = 10.0 * tolerance(&shape, 4.0 * scale);
                let context = format!("{name} {scale} {ray:?}");
                let Some(hit) = shape.cast_ray(&ray) else {
                    misses += 1;
                    for k in 0..200 {
                        let p = ray.at(f64::from(k) * 0.03 * scale);
                        assert!(shape.closest_point(&p).gap > -tolerance, "{context} meets {p:?}");
                    }
                    continue;
                };
                hits += 1;
                let p = ray.at(hit.distance);
                let near = shape.closest_point(&p);
                assert!((hit.normal.norm() - 1.0).abs() < 1e-14);
                if hit.distance == 0.0 {
                    assert!(near.gap <= tolerance && hit.normal == -ray.direction, "{context}");
                    continue;
                }
                assert!(near.gap.abs() <= tolerance, "{context}: {hit:?} is {} off", near.gap);
                assert!(hit.normal.dot(&ray.direction) < 0.0, "{context}: {hit:?}");
                // The hit normal supports the shape there. Where the surface turns within the rounding of the hit, the tolerance of the
                // normal is the one of a corner.
                assert!(bound(&shape, &hit.normal, &p).abs() <= 1e-6 * scale, "{context}: {hit:?}");
                for _ in 0..5 {
                    let before = ray.at(hit.distance * random.unit());
                    assert!(
                        shape.closest_point(&before).gap >= -tolerance,
                        "{context}: inside before the hit"
                    );
                }
            }
        }
    }
    assert!(hits > 500 && misses > 100, "{hits} hits, {misses} misses");
}

#[test]
fn queries_from_very_far_or_very_near_stay_finite() {
    let mut random = Random::new(5);
    for scale in [1e-54, 1e-9, 1.0, 1e50] {
        for (name, shape) in zoo(scale) {
            for size in [0.0, 1e-320, 1e-300, 1e-120, 1e-30, 1e30, 1e99, 1e101, 1e200, 1e300, f64::MAX] {
                for _ in 0..5 {
                    let d = random.direction();
                    let q = d.map(|x| x * size);
                    let near = shape.closest_point(&q);
                    let numbers = [near.gap, near.point.sum(), near.normal.sum()];
                    assert!(numbers.iter().all(|x| x.is_finite()), "{name} {scale} {size}: {near:?}");
                    assert!((near.normal.norm() - 1.0).abs() < 1e-14, "{name} {scale} {size}: {near:?}");
                    if size > 1e30 * scale {
                        assert!(
                            (near.gap / size - 1.0).abs() < 1e-12 || size > 1e307,
                            "{name} {scale} {size}"
                        );
                    }
                    let hit = shape.cast_ray(&Ray { origin: q, direction: -d });
                    assert!(hit.is_none_or(|hit| hit.distance.is_finite()), "{name} {scale} {size}");
                }
            }
        }
    }
}

#[test]
fn closest_points_scale_with_the_shape() {
    let mut random = Random::new(6);
    // A power of two changes no digit, so nothing but the last bits of roots may differ.
    for scale in [0.5_f64.powi(30), 2.0_f64.powi(30)] {
        for ((name, unit), (_, scaled)) in zoo(1.0).into_iter().zip(zoo(scale)) {
            for q in queries(&unit, 1.0, &mut random) {
                let (a, b) = (unit.closest_point(&q), scaled.closest_point(&(q * scale)));
                let tolerance = 2.0 * tolerance(&unit, 1.0_f64.max(q.amax()));
                assert!((b.gap / scale - a.gap).abs() <= tolerance, "{name} {scale} {q:?}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_moved_piece_answers_as_the_moved_shape() {
    let mut random = Random::new(7);
    for (name, shape) in zoo(1.0) {
        for _ in 0..count(20, 500) {
            let pose = Pose::new(random.in_cube(2.0), random.quaternion_xyzw()).unwrap();
            let moved = Compound::new(vec![(pose, shape.clone())]).unwrap();
            let q = random.in_cube(2.0);
            let (there, here) = (moved.closest_point(&pose.transform_point(&q)), shape.closest_point(&q));
            let tolerance = 4.0 * tolerance(&shape, 4.0);
            assert!((there.gap - here.gap).abs() <= tolerance, "{name}: {there:?} {here:?}");
            let back = pose.inverse_transform_point(&there.point);
            assert!((shape.closest_point(&back).gap).abs() <= 2.0 * tolerance, "{name}");
            // The box of the moved shape holds it and touches it on all six sides.
            let aabb = moved.bounding_box();
            let p = pose.transform_point(&support(&shape, &random.direction()));
            assert!(aabb.expanded(1e-14).contains(&p), "{name}");
        }
    }
    // Flat shapes can be moved by moving their corners, which must come to the same.
    for _ in 0..count(100, 2000) {
        let [a, b, c, q] = [random.in_ball(), random.in_ball(), random.in_ball(), random.in_cube(2.0)];
        let pose = Pose::new(random.in_cube(2.0), random.quaternion_xyzw()).unwrap();
        let [p, s, t, r] = [a, b, c, q].map(|x| pose.transform_point(&x));
        let (there, here) = (Triangle::new(p, s, t).unwrap(), Triangle::new(a, b, c).unwrap());
        let (there, here) = (there.closest_point(&r), here.closest_point(&q));
        assert!((there.gap - here.gap).abs() < 1e-14);
        assert!((there.point - pose.transform_point(&here.point)).amax() < 1e-12);
    }
}
