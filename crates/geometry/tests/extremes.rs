//! Input that once broke a promise, kept so that it does not again: needles, denormal coordinates, specks, and points a rounding away.

mod shape_zoo;

use std::sync::Arc;

use shape_zoo::{HullOf, is_exact, zoo};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Compound, Cuboid, Ellipsoid, Polygon, Rounded, Triangle, UserShape};
use zerogap_geometry::{Convex, ConvexShape, GeometryError, MassProperties, Polyhedron, Ray, SupportHint};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// How far a closest point's gap is from the one that its own normal proves.
fn unproved(shape: &impl Convex, q: &Vec3) -> f64 {
    let near = shape.closest_point(q);
    (near.gap - near.normal.dot(&(q - shape.support(&near.normal, &mut SupportHint::default())))).abs()
}

fn tetrahedron(size: f64) -> Polyhedron {
    Polyhedron::from_points(&[Vec3::zeros(), Vec3::x() * size, Vec3::y() * size, Vec3::z() * size]).unwrap()
}

#[test]
fn denormal_coordinates_do_not_throw_the_nearest_point_of_an_ellipsoid() {
    let radii = Vec3::new(283.0, 877.0, 71.0);
    let shape = Ellipsoid::new(radii).unwrap();
    for tiny in [0.0, 5e-324, 8e-319, 1e-310, 1e-300, 1e-280] {
        for z in [tiny, -tiny] {
            // Outside the focal ellipse of the middle plane, where the answer stays in the plane.
            let q = Vec3::new(-49.0, 853.0, z);
            assert!(unproved(&shape, &q) < 1e-11, "{z:e}");
            // Within it, where the sign of the smallest coordinate decides.
            let near = shape.closest_point(&Vec3::new(1.0, 2.0, z));
            assert!(near.point.z * 1.0_f64.copysign(z + 0.0) > 0.0, "{z:e}: {near:?}");
        }
    }
}

#[test]
fn needle_triangles_and_narrow_polygons_keep_their_normals() {
    let mut random = Random::new(1);
    for case in 0..count(300, 20_000) {
        let height = zerogap_core::math::pow(10.0, random.range(-14.0, -3.0));
        let (along, across) = (random.direction(), random.direction());
        let a = random.in_cube(1.0);
        let b = a + along;
        let c = a + along * random.range(-0.3, 1.3) + across * height;
        let needle = Triangle::new(a, b, c).unwrap();
        let loop_of_four = [a, b, c + along * 0.01, c];
        let plates: Vec<(ConvexShape, Option<Vec3>)> = vec![
            (needle.into(), needle.normal()),
            Polygon::new(&loop_of_four)
                .map_or((needle.into(), None), |p| (p.clone().into(), Some(p.normal()))),
        ];
        for (shape, normal) in plates {
            let Some(n) = normal else { continue };
            // Straight above the middle, where a normal rotated by rounding would step off the plate.
            let near = shape.closest_point(&(shape.interior_point() + n));
            assert!((near.gap - 1.0).abs() < 1e-13, "case {case}, height {height:e}: {near:?}");
            assert!(shape.closest_point(&near.point).gap < 1e-13, "case {case}, height {height:e}: {near:?}");
        }
    }
}

#[test]
fn a_point_beside_the_end_of_an_edge_is_seen_from_that_end() {
    // From the other end, a nanometre away, the offset of 1e-25 m rounds to nothing.
    let corners = [Vec3::zeros(), Vec3::new(5e-9, -6.6e-9, -8e-10), Vec3::new(-5e-9, 4.1e-9, 5.1e-9)];
    let q = Vec3::new(1.4e-26, 2.84e-25, -2.7e-28);
    for turn in 0..3 {
        let [a, b, c] = std::array::from_fn(|k| corners[(k + turn) % 3]);
        assert!(unproved(&Triangle::new(a, b, c).unwrap(), &q) < 1e-22);
        assert!(unproved(&Polygon::new(&[a, b, c]).unwrap(), &q) < 1e-22);
    }
}

#[test]
fn polyhedra_answer_from_any_distance() {
    for size in [1e-50, 1.0, 1e50] {
        let shape = tetrahedron(size);
        for reach in [1e99, 1e155, 1e200, 1e300, f64::MAX] {
            let q = Vec3::new(0.6, 0.0, -0.8) * reach;
            let near = shape.closest_point(&q);
            assert!(
                (near.gap / reach - 1.0).abs() < 1e-12 && (near.normal.norm() - 1.0).abs() < 1e-15,
                "{near:?}"
            );
            let hit = shape.cast_ray(&Ray { origin: q, direction: Vec3::new(-0.6, 0.0, 0.8) });
            assert!(hit.is_none_or(|hit| hit.distance.is_finite()));
        }
    }
}

#[test]
fn a_point_above_a_face_of_a_blade_is_outside_it() {
    let mut random = Random::new(3);
    let corners = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 1e-4], [-1.0, 0.0, -1e-4]].map(Vec3::from);
    for case in 0..count(3000, 100_000) {
        let pose = Pose::new(random.in_cube(3.0), random.quaternion_xyzw()).unwrap();
        let shape = Polyhedron::from_points(&corners.map(|p| pose.transform_point(&p))).unwrap();
        // On the sharp edge, and above one of its faces by less than the tolerance of merging: as far below the other.
        let q = Vec3::new(0.0, random.range(-0.9, 0.9), 1e-13) + random.in_cube(1e-15);
        let q = pose.transform_point(&q);
        let highest = (0..4).map(|face| shape.height(face, &q)).fold(f64::NEG_INFINITY, f64::max);
        let near = shape.closest_point(&q);
        assert!((near.gap - highest).abs() <= 1e-14, "case {case}: {near:?}, {highest:e}");
    }
}

#[test]
fn specks_described_by_their_support_know_inside_from_outside() {
    for size in [1e-59, 1e-54, 1e-40, 1.0, 1e59] {
        let corners = vec![Vec3::zeros(), Vec3::x() * size, Vec3::y() * size, Vec3::z() * size];
        let shape = UserShape::new(Arc::new(HullOf(corners)));
        let inside = shape.closest_point(&Vec3::new(0.1, 0.2, 0.2).map(|x| x * size));
        assert!((inside.gap / size + 0.1).abs() < 1e-11, "{size:e}: {inside:?}");
        let outside = shape.closest_point(&Vec3::new(-3.0, 0.2, 0.2).map(|x| x * size));
        assert!((outside.gap / size - 3.0).abs() < 1e-11, "{size:e}: {outside:?}");
    }
}

#[test]
fn the_normal_of_a_hit_faces_the_ray() {
    let mut random = Random::new(2);
    let cloud: Vec<Vec3> = (0..20).map(|_| random.in_ball()).collect();
    let shapes: [ConvexShape; 4] = [
        UserShape::new(Arc::new(HullOf(cloud))).into(),
        // Thinner than the rounding of its own coordinates.
        Capsule::new(1e-17, 2.0).unwrap().into(),
        Triangle::new(Vec3::x(), Vec3::y(), Vec3::z()).unwrap().into(),
        Rounded::new(Cuboid::new(Vec3::repeat(1.0)).unwrap().into(), 1e-15).unwrap().into(),
    ];
    let mut hits = 0;
    for shape in &shapes {
        for _ in 0..count(500, 50_000) {
            let origin = random.direction() * 5.0;
            let aim =
                shape.support(&random.direction(), &mut SupportHint::default()) * random.range(0.9, 1.0);
            let ray = Ray::new(origin, aim - origin).unwrap();
            if let Some(hit) = shape.cast_ray(&ray) {
                hits += 1;
                assert!(hit.normal.dot(&ray.direction) <= 0.0, "{shape:?} {ray:?} {hit:?}");
            }
        }
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn mass_beyond_a_double_is_an_error_and_not_infinite() {
    let heavy = tetrahedron(1e60).mass_properties(1e200);
    assert!(matches!(heavy, Err(GeometryError::MassRange { .. })), "{heavy:?}");
    let far = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
    let cube: ConvexShape = Cuboid::new(Vec3::repeat(1.0)).unwrap().into();
    let pair = Compound::new(vec![(far(-1e60), cube.clone()), (far(1e60), cube)]).unwrap();
    assert!(pair.mass_properties(1.0).is_ok());
    assert!(matches!(pair.mass_properties(1e200), Err(GeometryError::MassRange { .. })));
    // What weighs nothing has no distribution to scale.
    assert!(matches!(MassProperties::zero().with_mass(1.0), Err(GeometryError::Mass { .. })));
}

#[test]
fn a_speck_rounded_by_a_huge_radius_is_a_ball() {
    for radius in [1e-3, 1e30, 1e60] {
        let speck = Ellipsoid::new(Vec3::new(1e-60, 2e-60, 3e-60)).unwrap();
        let volume = Rounded::new(speck.into(), radius).unwrap().volume();
        let ball = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        assert!((volume / ball - 1.0).abs() < 1e-12, "{radius:e}: {volume:e}");
    }
}

#[test]
fn no_hint_changes_a_support_and_no_scale_the_volume() {
    let mut random = Random::new(4);
    for scale in [1e-50, 1e-9, 1.0, 1e9, 1e50] {
        for (name, shape) in zoo(scale) {
            for _ in 0..count(20, 1000) {
                let d = random.direction();
                let cold = shape.support(&d, &mut SupportHint::default());
                for hint in [1, 5, u32::MAX, random.bits() as u32] {
                    assert_eq!(
                        shape.support(&d, &mut SupportHint(hint)),
                        cold,
                        "{name} at {scale:e}, hint {hint}"
                    );
                }
            }
            let volume = shape.volume();
            if is_exact(&shape) && volume > 0.0 {
                let mass = shape.mass_properties(1.0).unwrap().mass;
                assert!((mass / volume - 1.0).abs() < 1e-13, "{name} at {scale:e}: {mass:e} {volume:e}");
            }
        }
    }
}

#[test]
fn the_corners_of_a_cleaned_polygon_make_the_same_polygon() {
    let mut random = Random::new(5);
    let mut made = 0;
    for case in 0..count(1000, 20_000) {
        let pow10 = |x: f64| zerogap_core::math::pow(10.0, x);
        let (width, noise) = (pow10(random.range(-8.0, 0.0)), pow10(random.range(-18.0, -9.5)));
        let (far, pose) = (pow10(random.range(-3.0, 6.0)), random.quaternion_xyzw());
        let pose = Pose::new(random.in_cube(far), pose).unwrap();
        let mut angles: Vec<f64> =
            (0..3 + random.index(12)).map(|_| random.range(0.0, std::f64::consts::TAU)).collect();
        angles.sort_by(f64::total_cmp);
        let corners: Vec<Vec3> = angles
            .iter()
            .map(|angle| zerogap_core::math::sin_cos(*angle))
            .map(|(s, c)| pose.transform_point(&Vec3::new(c, s * width, 0.0)) + random.in_cube(noise))
            .collect();
        if let Ok(polygon) = Polygon::new(&corners) {
            made += 1;
            assert_eq!(Polygon::new(polygon.corners()).as_ref(), Ok(&polygon), "case {case}");
        }
    }
    assert!(made > 300, "{made}");
}
