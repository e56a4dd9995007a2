//! Shapes at the edge of what they are: collapsed, flat, touching, and numbers that are refused.

mod shape_zoo;

use std::sync::Arc;

use shape_zoo::{HullOf, is_exact, zoo};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{
    Capsule, Compound, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, Point, Polygon, Rounded, Segment,
    Sphere, SupportFunction, Triangle, UserShape,
};
use zerogap_geometry::{
    Convex, ConvexShape, GeometryError, MassProperties, Ray, Shape, SupportHint, TriangleMesh,
};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

#[test]
fn numbers_that_are_no_sizes_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e61, 1e-61] {
        assert!(Sphere::new(bad).is_err());
        assert!(Ellipsoid::new(Vec3::new(1.0, bad, 1.0)).is_err());
        assert!(Cuboid::new(Vec3::new(1.0, 1.0, bad)).is_err());
        assert!(Capsule::new(bad, 1.0).is_err());
        assert!(Capsule::new(1.0, bad).is_ok() == (bad == 0.0));
        assert!(Cylinder::new(bad, 1.0).is_err() && Cylinder::new(1.0, bad).is_err());
        assert!(Frustum::new(1.0, 1.0, bad).is_err() && Frustum::cone(bad, 1.0).is_err());
        assert!(Frustum::new(bad, 1.0, 1.0).is_ok() == (bad == 0.0));
        let core: ConvexShape = Sphere::new(1.0).unwrap().into();
        assert!(Rounded::new(core.clone(), bad).is_ok() == (bad == 0.0));
        assert!(core.rounded(bad).is_ok() == (bad == 0.0));
    }
    assert!(Frustum::new(0.0, 0.0, 1.0).is_err());
    for bad in [f64::NAN, f64::NEG_INFINITY, 1e61] {
        let p = Vec3::new(0.0, bad, 0.0);
        assert!(Point::new(p).is_err());
        assert!(Segment::new(Vec3::zeros(), p).is_err());
        assert!(Triangle::new(Vec3::zeros(), p, Vec3::x()).is_err());
        assert!(Polygon::new(&[Vec3::zeros(), Vec3::x(), Vec3::y(), p]).is_err());
        assert!(HalfSpace::new(p, 0.0).is_ok() == bad.is_finite());
        assert!(HalfSpace::new(Vec3::z(), bad).is_err());
        assert!(Ray::new(p, Vec3::x()).is_err());
    }
    assert!(HalfSpace::new(Vec3::zeros(), 0.0).is_err());
    assert!(Compound::new(vec![]).is_err());
    assert!(Ray::new(Vec3::zeros(), Vec3::zeros()).is_err());
}

#[test]
fn collapsed_triangles_and_segments_behave_as_what_they_are() {
    let mut random = Random::new(1);
    for _ in 0..count(100, 2000) {
        let (a, b) = (random.in_cube(1.0), random.in_cube(1.0));
        let between = a + (b - a) * random.unit();
        let segment = Segment::new(a, b).unwrap();
        for corners in [[a, b, between], [between, a, b], [a, between, b], [a, b, b], [a, a, b]] {
            let [x, y, z] = corners;
            let line = Triangle::new(x, y, z).unwrap();
            let q = random.in_cube(2.0);
            let (found, expected) = (line.closest_point(&q), segment.closest_point(&q));
            assert!((found.gap - expected.gap).abs() < 1e-14, "{corners:?}");
            assert!((found.point - expected.point).amax() < 1e-13, "{corners:?}");
        }
        let q = random.in_cube(2.0);
        let dot = Point::new(a).unwrap().closest_point(&q);
        assert_eq!(Triangle::new(a, a, a).unwrap().closest_point(&q), dot);
        assert_eq!(Segment::new(a, a).unwrap().closest_point(&q), dot);
        // On the collapsed shape itself there is still a unit normal.
        for near in [
            Triangle::new(a, a, a).unwrap().closest_point(&a),
            Segment::new(a, a).unwrap().closest_point(&a),
            Triangle::new(a, b, between).unwrap().closest_point(&between),
        ] {
            assert!(near.gap < 1e-15 && (near.normal.norm() - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn points_on_a_plate_get_its_normal_and_rounding_steps_off_along_it() {
    let mut random = Random::new(2);
    for _ in 0..count(200, 5000) {
        let [a, b, c] = [random.in_ball(), random.in_ball(), random.in_ball()];
        let plate = Triangle::new(a, b, c).unwrap();
        let n = plate.normal().unwrap();
        let (u, v) = (random.unit(), random.unit());
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        // Inside the face, on an edge, at a corner.
        for q in [a + (b - a) * u + (c - a) * v, a + (b - a) * u, c] {
            let near = plate.closest_point(&q);
            assert!(near.gap < 1e-14);
            let thick = Rounded::new(plate.into(), 0.1).unwrap();
            let skin = thick.closest_point(&q);
            // Within the rounding of q, the surface of the rounded plate is 0.1 away, and the point found lies on it.
            assert!((skin.gap + 0.1).abs() < 1e-14);
            assert!(thick.closest_point(&skin.point).gap.abs() < 1e-13, "{q:?} {skin:?} {n:?}");
        }
        let middle = plate.interior_point();
        assert!((plate.closest_point(&middle).normal.dot(&n).abs() - 1.0).abs() < 1e-14);
    }
}

#[test]
fn polygons_are_cleaned_and_bad_loops_refused() {
    let v = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    let square = [v(0.0, 0.0), v(1.0, 0.0), v(1.0, 1.0), v(0.0, 1.0)];
    let clean = Polygon::new(&square).unwrap();
    let untidy = [
        v(0.0, 0.0),
        v(0.0, 0.0),
        v(0.3, 0.0),
        v(0.7, 0.0),
        v(1.0, 0.0),
        v(1.0, 1.0),
        v(1.0, 1.0),
        v(0.0, 1.0),
        v(0.0, 0.5),
    ];
    let tidied = Polygon::new(&untidy).unwrap();
    assert_eq!(tidied.corners().len(), 4);
    for corner in square {
        assert!(tidied.corners().contains(&corner));
    }
    let clockwise: Vec<Vec3> = square.iter().rev().copied().collect();
    assert_eq!(Polygon::new(&clockwise).unwrap().normal(), -clean.normal());
    // Nine digits of a tilted plane are flat enough; seven are not.
    let mut bent = square;
    bent[2].z = 1e-9;
    let flattened = Polygon::new(&bent).unwrap();
    let n = flattened.normal();
    assert!(flattened.corners().iter().all(|p| n.dot(&(p - flattened.corners()[0])).abs() < 1e-15));
    bent[2].z = 1e-7;
    assert!(matches!(Polygon::new(&bent), Err(GeometryError::NotPlanar { .. })));
    let dent = [v(0.0, 0.0), v(1.0, 0.0), v(0.4, 0.4), v(0.0, 1.0)];
    assert!(matches!(Polygon::new(&dent), Err(GeometryError::NotConvex { .. })));
    let star: Vec<Vec3> = (0..5)
        .map(|k| zerogap_core::math::sin_cos(f64::from(k) * 0.8 * std::f64::consts::PI))
        .map(|(s, c)| v(c, s))
        .collect();
    assert!(matches!(Polygon::new(&star), Err(GeometryError::NotConvex { .. })));
    for flat in [&square[..2], &[v(0.0, 0.0), v(1.0, 1.0), v(2.0, 2.0)], &[v(1.0, 1.0); 5], &[]] {
        assert!(matches!(Polygon::new(flat), Err(GeometryError::FlatLoop { .. })), "{flat:?}");
    }
    // A figure of eight has no net area or a wrong turn.
    assert!(Polygon::new(&[v(0.0, 0.0), v(1.0, 1.0), v(1.0, 0.0), v(0.0, 1.0)]).is_err());
    assert!(Polygon::new(&[v(0.0, 0.0), v(2.0, 2.0), v(2.0, 0.0), v(0.0, 1.0)]).is_err());
}

#[test]
fn ellipsoids_know_their_surface_on_planes_axes_and_at_the_centre() {
    for radii in
        [Vec3::new(3.0, 2.0, 1.0), Vec3::new(1.0, 1.0, 1e-6), Vec3::new(1.0, 1e-6, 1e-6), Vec3::repeat(1.0)]
    {
        let shape = Ellipsoid::new(radii).unwrap();
        let centre = shape.closest_point(&Vec3::zeros());
        assert!((centre.gap + radii.min()).abs() < 1e-15 * radii.max());
        for k in 0..3 {
            let mut axis = Vec3::zeros();
            axis[k] = 1.0;
            let out = shape.closest_point(&(axis * 5.0));
            assert!(
                (out.gap - (5.0 - radii[k])).abs() < 1e-14 && (out.normal - axis).amax() < 1e-14,
                "{radii}"
            );
            // At the tip itself.
            let tip = shape.closest_point(&(axis * radii[k]));
            assert!(tip.gap.abs() < 1e-15, "{radii} axis {k}: {tip:?}");
        }
    }
    // Within the focal ellipse of the middle plane, the answer leaves the plane; symmetric points go to +z.
    let shape = Ellipsoid::new(Vec3::new(3.0, 2.0, 1.0)).unwrap();
    let near = shape.closest_point(&Vec3::new(0.5, 0.2, 0.0));
    assert!(near.point.z > 0.5 && near.gap < 0.0);
    let above = shape.closest_point(&Vec3::new(0.5, 0.2, 1e-300));
    assert!((above.point - near.point).amax() < 1e-14);
}

#[test]
fn ellipsoids_of_any_aspect_ratio_find_their_nearest_point() {
    let mut random = Random::new(8);
    for radii in [
        Vec3::new(1.0, 1e-12, 1e-12),
        Vec3::new(1e-9, 1.0, 1e-50),
        Vec3::new(1.0, 1.0, 1e-60),
        Vec3::new(1e30, 1.0, 1e-30),
    ] {
        let shape = Ellipsoid::new(radii).unwrap();
        for k in 0..count(300, 10_000) {
            // Around the whole shape, and close to it in every axis's own measure.
            let p = random.in_cube(1.2);
            let q = if k % 2 == 0 { p * radii.max() } else { p.component_mul(&radii) };
            let near = shape.closest_point(&q);
            let proved = near.normal.dot(&(q - shape.support(&near.normal, &mut SupportHint::default())));
            let size = radii.max();
            assert!((near.gap - proved).abs() <= 1e-14 * size, "{radii:?} {q:?}: {near:?} proved {proved}");
            assert!(
                (q - near.point - near.normal * near.gap).amax() <= 1e-14 * size,
                "{radii:?} {q:?}: {near:?}"
            );
            let inside = q.component_div(&radii).norm() < 1.0 - 1e-12;
            assert!(!inside || near.gap < 0.0, "{radii:?} {q:?}: {near:?}");
        }
    }
}

#[test]
#[expect(clippy::float_cmp, reason = "these distances are exact in binary")]
fn ray_hits_on_simple_shapes_are_known_numbers() {
    let down = |x: f64, y: f64| Ray::new(Vec3::new(x, y, 10.0), -Vec3::z()).unwrap();
    let hit = |shape: &dyn Convex, ray: &Ray| shape.cast_ray(ray).unwrap();
    let sphere = Sphere::new(2.0).unwrap();
    assert!((hit(&sphere, &down(1.2, 0.0)).distance - 8.4).abs() < 1e-15 * 10.0);
    assert!(sphere.cast_ray(&down(2.1, 0.0)).is_none());
    assert!(sphere.cast_ray(&Ray::new(Vec3::z() * 3.0, Vec3::z()).unwrap()).is_none());
    let cuboid = Cuboid::new(Vec3::new(2.0, 4.0, 6.0)).unwrap();
    let top = hit(&cuboid, &down(0.5, -1.5));
    assert!(top.distance == 7.0 && top.normal == Vec3::z());
    assert!(cuboid.cast_ray(&down(1.5, 0.0)).is_none());
    let cone = Frustum::cone(1.0, 2.0).unwrap();
    let slope = hit(&cone, &down(0.5, 0.0));
    assert!((slope.distance - 10.0).abs() < 1e-14);
    assert!((slope.normal - Vec3::new(2.0, 0.0, 1.0).normalize()).amax() < 1e-14);
    let capsule = Capsule::new(0.5, 2.0).unwrap();
    assert!((hit(&capsule, &down(0.3, 0.0)).distance - (10.0 - 1.4)).abs() < 1e-14);
    let plate = Triangle::new(Vec3::zeros(), Vec3::x(), Vec3::y()).unwrap();
    let face = hit(&plate, &down(0.2, 0.2));
    assert!(face.distance == 10.0 && face.normal == Vec3::z());
    let under = Ray::new(Vec3::new(0.2, 0.2, -3.0), Vec3::z()).unwrap();
    assert!(hit(&plate, &under).normal == -Vec3::z());
    assert!(plate.cast_ray(&down(0.6, 0.6)).is_none());
    // In its own plane the ray hits the edge.
    let edge = hit(&plate, &Ray::new(Vec3::new(-2.0, 0.3, 0.0), Vec3::x()).unwrap());
    assert!((edge.distance - 2.0).abs() < 1e-15 && (edge.normal + Vec3::x()).amax() < 1e-15);
    let floor = HalfSpace::new(Vec3::z(), 1.0).unwrap();
    assert!(floor.cast_ray(&down(3.0, 3.0)).unwrap().distance == 9.0);
    assert!(floor.cast_ray(&Ray::new(Vec3::z() * 2.0, Vec3::x()).unwrap()).is_none());
    assert!(floor.cast_ray(&under).unwrap().distance == 0.0);
}

#[test]
fn a_compound_answers_with_the_nearest_of_its_pieces() {
    let ball: ConvexShape = Sphere::new(1.0).unwrap().into();
    let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
    let pair: Shape = Compound::new(vec![(at(-3.0), ball.clone()), (at(3.0), ball)]).unwrap().into();
    let near = pair.closest_point(&Vec3::new(1.0, 0.0, 0.0)).unwrap();
    assert!((near.gap - 1.0).abs() < 1e-15 && (near.point - Vec3::x() * 2.0).amax() < 1e-15);
    assert!(pair.contains(&Vec3::new(-3.5, 0.0, 0.0)).unwrap() && !pair.contains(&Vec3::zeros()).unwrap());
    let hit = pair.cast_ray(&Ray::new(Vec3::zeros(), Vec3::x()).unwrap()).unwrap().unwrap();
    assert!((hit.distance - 2.0).abs() < 1e-15 && (hit.normal + Vec3::x()).amax() < 1e-15);
    let aabb = pair.bounding_box().unwrap();
    assert!((aabb.max - Vec3::new(4.0, 1.0, 1.0)).amax() < 1e-15);
    let inflated = pair.rounded(0.5).unwrap().closest_point(&Vec3::x()).unwrap();
    assert!((inflated.gap - 0.5).abs() < 1e-15);
}

#[test]
fn questions_without_an_answer_are_errors_with_the_shape_in_them() {
    let floor = Shape::half_space(Vec3::z(), 0.0).unwrap();
    let error = floor.bounding_box().unwrap_err().to_string();
    assert_eq!(error, "a half-space cannot be put in a bounding box");
    let mesh = TriangleMesh::new(vec![Vec3::zeros(), Vec3::x(), Vec3::y()], vec![[0, 1, 2]]).unwrap();
    let mesh: Shape = mesh.into();
    assert!(mesh.rounded(1.0).is_err() && mesh.bounding_box().is_ok());
    assert_eq!(mesh.to_string(), "mesh of 1 triangles");
}

/// A smooth shape as a caller would describe it.
#[derive(Debug)]
struct SmoothSupport(Ellipsoid);

impl SupportFunction for SmoothSupport {
    fn support(&self, direction: &Vec3) -> Vec3 {
        self.0.support(direction, &mut SupportHint::default()) + Vec3::x()
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::x()
    }
}

#[test]
fn a_user_shape_finds_the_gaps_of_the_exact_shape() {
    let mut random = Random::new(3);
    let (mut worst_outside, mut worst_inside) = (0.0_f64, 0.0_f64);
    for radii in [Vec3::new(1.0, 0.6, 0.8), Vec3::new(1.0, 1.0, 0.05)] {
        let exact = Ellipsoid::new(radii).unwrap();
        let user = UserShape::new(Arc::new(SmoothSupport(exact)));
        for _ in 0..count(200, 5000) {
            let q = random.in_cube(1.3);
            let (found, expected) = (user.closest_point(&(q + Vec3::x())), exact.closest_point(&q));
            let error = (found.gap - expected.gap).abs();
            let worst = if expected.gap > 0.0 { &mut worst_outside } else { &mut worst_inside };
            *worst = worst.max(error);
            assert!((q + Vec3::x() - found.point - found.normal * found.gap).amax() < 1e-14);
        }
    }
    println!(
        "support-only gaps of ellipsoids: worst error {worst_outside:.1e} outside, {worst_inside:.1e} inside"
    );
    assert!(worst_outside < 2e-11 && worst_inside < 2e-11, "{worst_outside:.1e} {worst_inside:.1e}");
}

#[test]
fn user_shapes_that_are_symmetric_flat_or_a_point_still_answer() {
    // The centre of a ball: every direction is nearest, and the depth is the radius all the same.
    let ball = UserShape::new(Arc::new(SmoothSupport(Ellipsoid::new(Vec3::repeat(1.0)).unwrap())));
    let near = ball.closest_point(&Vec3::x());
    assert!((near.gap + 1.0).abs() < 1e-11 && (near.normal.norm() - 1.0).abs() < 1e-14, "{near:?}");
    let v = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let square = vec![v(0.0, 0.0, 1.0), v(1.0, 0.0, 1.0), v(1.0, 1.0, 1.0), v(0.0, 1.0, 1.0)];
    for (points, q, gap) in [
        (square.clone(), v(0.5, 0.5, 1.0), 0.0),
        (square.clone(), v(0.5, 0.5, 3.0), 2.0),
        (square, v(2.0, 0.5, 1.0), 1.0),
        (vec![v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0)], v(1.0, 0.0, 0.0), 0.0),
        (vec![v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0)], v(1.0, 2.0, 0.0), 2.0),
        (vec![v(1.0, 1.0, 1.0)], v(1.0, 1.0, 1.0), 0.0),
        (vec![v(1.0, 1.0, 1.0)], v(1.0, 1.0, -4.0), 5.0),
        (vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()], v(0.1, 0.2, 0.2), -0.1),
    ] {
        let shape = UserShape::new(Arc::new(HullOf(points)));
        let near = shape.closest_point(&q);
        assert!((near.gap - gap).abs() < 1e-11, "{shape:?} {q:?}: {near:?}");
        assert!((near.normal.norm() - 1.0).abs() < 1e-14);
    }
}

#[test]
fn a_user_shape_weighs_what_it_was_given() {
    let shape = UserShape::new(Arc::new(HullOf(vec![Vec3::x(), Vec3::y()])));
    assert!(matches!(shape.mass_properties(1.0), Err(GeometryError::NoMeasure { .. })));
    let unit = Sphere::new(1.0).unwrap().mass_properties(1.0).unwrap();
    assert!(shape.clone().with_mass_at_unit_density(MassProperties::zero()).is_err());
    let heavy = shape.with_mass_at_unit_density(unit).unwrap();
    assert!((heavy.volume() - unit.mass).abs() < 1e-15);
    let found = heavy.mass_properties(3.0).unwrap();
    assert!(
        (found.mass - 3.0 * unit.mass).abs() < 1e-14 && (found.inertia - unit.inertia * 3.0).amax() < 1e-14
    );
}

#[test]
fn rounding_twice_is_rounding_by_the_sum() {
    for (name, shape) in zoo(1.0).into_iter().filter(|(_, shape)| is_exact(shape)) {
        let twice = shape.clone().rounded(0.25).unwrap().rounded(0.5).unwrap();
        let once = shape.clone().rounded(0.75).unwrap();
        let q = Vec3::new(3.0, -2.0, 1.0);
        assert!((twice.closest_point(&q).gap - once.closest_point(&q).gap).abs() < 1e-14, "{name}");
        if let ConvexShape::Rounded(outer) = &twice {
            assert!(!matches!(outer.core(), ConvexShape::Rounded(_)), "{name}");
        }
        assert_eq!(shape.clone().rounded(0.0).unwrap().kind(), shape.kind(), "{name}");
    }
}
