//! Radii of curvature against central differences of the support point.

mod shape_zoo;

use std::sync::Arc;

use zerogap_core::math::{atan2, cos, sin, tangents};
use zerogap_core::{Feature, Mat3, Vec3};
use zerogap_geometry::shape::{
    Capsule, Cuboid, Cylinder, Ellipsoid, Flat, Frustum, HalfSpace, Point, Rounded, Sphere, SupportFunction,
    SurfaceRadii, Triangle, UserShape,
};
use zerogap_geometry::{Convex, ConvexShape, Polyhedron, SupportHint};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// Turn of the normal for central differences [rad]: its square, times the third derivative of these shapes, stays below 1e-8.
const TURN: f64 = 1e-5;

fn support(shape: &ConvexShape, n: &Vec3) -> Vec3 {
    shape.support(n, &mut SupportHint::default())
}

/// Largest difference between the radii and how the support moves when the normal turns towards a direction across it [m].
fn off(shape: &ConvexShape, n: &Vec3, radii: &SurfaceRadii, towards: &Vec3) -> f64 {
    let rotated = |angle: f64| n * cos(angle) + towards * sin(angle);
    let moved = (support(shape, &rotated(TURN)) - support(shape, &rotated(-TURN))) / (2.0 * TURN);
    (moved - radii.radii * towards).amax()
}

/// The radii are symmetric and know nothing of the normal.
fn assert_is_hessian(radii: &SurfaceRadii, n: &Vec3) {
    let size = radii.radii.amax();
    assert!((radii.radii * n).amax() <= 1e-14 * size, "{radii:?}");
    assert!((radii.radii - radii.radii.transpose()).amax() <= 1e-14 * size, "{radii:?}");
    if let Flat::Along(line) = radii.flat {
        assert!(
            (line.norm() - 1.0).abs() < 1e-14 && (radii.radii * line).amax() <= 1e-13 * size,
            "{radii:?}"
        );
    }
}

fn rounded(core: impl Into<ConvexShape>) -> ConvexShape {
    Rounded::new(core.into(), 0.25).unwrap().into()
}

/// Which part of a shape faces a normal.
type FeatureFunction<'a> = &'a dyn Fn(&Vec3) -> Feature;

#[test]
fn curved_shapes_move_their_support_as_the_radii_say() {
    let can = Cylinder::new(0.6, 1.3).unwrap();
    let cone = Frustum::cone(0.7, 1.5).unwrap();
    let frustum = Frustum::new(0.9, 0.4, 1.1).unwrap();
    let ellipsoid = Ellipsoid::new(Vec3::new(0.5, 1.2, 0.8)).unwrap();
    // The part that faces a normal in general position.
    let surface = |_: &Vec3| Feature::Surface(0);
    let end = |n: &Vec3| Feature::Vertex(u32::from(n.z > 0.0));
    let rim_of_can = |n: &Vec3| Feature::Edge(u32::from(n.z > 0.0));
    let point_of_rim = |n: &Vec3| Feature::Vertex(if n.z > 0.0 { 64 + 17 } else { 63 });
    let arc_of_rim = |n: &Vec3| Feature::Edge(if n.z > 0.0 { 2 + 128 } else { 2 + 127 });
    let is_top = |r0: f64, r1: f64, l: f64| {
        move |n: &Vec3| Feature::Edge(u32::from(l * n.z + (r1 - r0) * n.xy().norm() > 0.0))
    };
    let corner = |_: &Vec3| Feature::Vertex(0);
    let of_cone = is_top(0.7, 0.0, 1.5);
    let of_frustum = is_top(0.9, 0.4, 1.1);
    let cases: [(&str, ConvexShape, FeatureFunction<'_>); 14] = [
        ("sphere", Sphere::new(0.7).unwrap().into(), &surface),
        ("ellipsoid", ellipsoid.into(), &surface),
        ("capsule", Capsule::new(0.4, 1.2).unwrap().into(), &end),
        ("cylinder", can.into(), &rim_of_can),
        ("cylinder by a point of its rim", can.into(), &point_of_rim),
        ("cylinder by an arc of its rim", can.into(), &arc_of_rim),
        ("cone", cone.into(), &of_cone),
        ("frustum", frustum.into(), &of_frustum),
        ("rounded point", rounded(Point::new(Vec3::x()).unwrap()), &corner),
        ("rounded ellipsoid", rounded(ellipsoid), &surface),
        ("rounded box", rounded(Cuboid::new(Vec3::new(1.0, 2.0, 0.6)).unwrap()), &corner),
        ("rounded cylinder", rounded(can), &rim_of_can),
        ("rounded frustum", rounded(frustum), &of_frustum),
        ("box", Cuboid::new(Vec3::new(1.0, 2.0, 0.6)).unwrap().into(), &corner),
    ];
    let mut random = Random::new(11);
    let mut worst = 0.0_f64;
    for (name, shape, part) in &cases {
        for _ in 0..count(200, 20_000) {
            let n = random.direction();
            // Away from normals at which the part changes, and where a rim's radius runs off.
            if n.amin() < 0.05
                || (n.xy().norm() * 0.9 - 0.4 * n.xy().norm() - 1.1 * n.z).abs() < 0.01
                || n.xy().norm() < 0.2
            {
                continue;
            }
            let radii = shape.surface_radii(part(&n), &n);
            assert_eq!(radii.flat, Flat::None, "{name}");
            assert_is_hessian(&radii, &n);
            let (t1, t2) = tangents(&n);
            for towards in [t1, t2, (t1 - 2.0 * t2).normalize()] {
                let off = off(shape, &n, &radii, &towards);
                worst = worst.max(off);
                assert!(off < 1e-8, "{name} {n:?} {off:e}");
            }
        }
    }
    println!("largest difference of radii and moved supports: {worst:e} m");
}

#[test]
fn straight_lines_of_a_surface_bend_across_alone() {
    let mut random = Random::new(12);
    let cone = Frustum::new(0.9, 0.4, 1.1).unwrap();
    let lean = zerogap_core::math::atan2(0.5, 1.1);
    for _ in 0..count(200, 20_000) {
        let (s, c) = zerogap_core::math::sin_cos(random.range(0.0, 6.0));
        let azimuth = Vec3::new(-s, c, 0.0);
        let level = Vec3::new(c, s, 0.0);
        // A lying cylinder, capsule and rounded cylinder: the normal turns about the axis.
        let cases: [(ConvexShape, Feature, f64); 4] = [
            (Cylinder::new(0.6, 1.3).unwrap().into(), Feature::Surface(0), 0.6),
            (Capsule::new(0.4, 1.2).unwrap().into(), Feature::Edge(0), 0.4),
            (rounded(Cylinder::new(0.6, 1.3).unwrap()), Feature::Surface(0), 0.85),
            (rounded(Capsule::new(0.4, 1.2).unwrap()), Feature::Edge(0), 0.65),
        ];
        for (shape, feature, radius) in cases {
            let radii = shape.surface_radii(feature, &level);
            assert_eq!(radii.flat, Flat::Along(Vec3::z()), "{shape:?}");
            assert_is_hessian(&radii, &level);
            assert!(off(&shape, &level, &radii, &azimuth) < 1e-8);
            assert!((radii.radii.trace() - radius).abs() < 1e-14);
            assert_eq!(radii.contact_radius(), None);
        }
        // The side of a cone, at either end of the line: a hair towards that end, so that the support is there.
        for (tilt, rim, round) in [(1e-4, 0.4, 0.0), (-1e-4, 0.9, 0.0), (-1e-4, 0.9, 0.25)] {
            let shape = if round > 0.0 { rounded(cone) } else { cone.into() };
            let n = level * cos(lean + tilt) + Vec3::z() * sin(lean + tilt);
            let point = support(&shape, &n);
            let radii = shape.surface_radii_at(Feature::Surface(0), &n, &point);
            assert!(off(&shape, &n, &radii, &azimuth) < 1e-8);
            assert!((radii.radii.trace() - (rim / cos(lean + tilt) + round)).abs() < 1e-13);
            let Flat::Along(line) = radii.flat else { panic!("{radii:?}") };
            assert!((line - (Vec3::z() * cos(lean) - level * sin(lean))).amax() < 1e-14);
        }
        let middle = ConvexShape::from(cone).surface_radii(Feature::Surface(0), &level);
        assert!((middle.radii.trace() - 0.65).abs() < 1e-14);
    }
}

#[test]
fn edges_of_flat_shapes_are_the_lines_between_their_corners() {
    let mut random = Random::new(13);
    let points: Vec<Vec3> = (0..20).map(|_| random.in_ball()).collect();
    let hull = Polyhedron::from_points(&points).unwrap();
    let n = Vec3::z();
    for (index, edge) in hull.edges().iter().enumerate() {
        let along = hull.vertices()[edge.vertices[1] as usize] - hull.vertices()[edge.vertices[0] as usize];
        let radii = ConvexShape::from(hull.clone()).surface_radii(Feature::Edge(index as u32), &n);
        let Flat::Along(line) = radii.flat else { panic!("{radii:?}") };
        assert!((line - along.normalize()).amax() < 1e-15 && radii.radii == Mat3::zeros());
    }
    let solid = ConvexShape::from(hull.clone());
    assert_eq!(solid.surface_radii(Feature::Edge(hull.edge_count() as u32 + 3), &n).flat, Flat::All);
    // Four edges of a box along each axis, in turn.
    let cuboid: ConvexShape = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().into();
    for index in 0..12 {
        let mut axis = Vec3::zeros();
        axis[index as usize / 4] = 1.0;
        assert_eq!(cuboid.surface_radii(Feature::Edge(index), &n).flat, Flat::Along(axis));
    }
    // Rounded, an edge bends across itself with the radius.
    let edge = rounded(Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap()).surface_radii(Feature::Edge(0), &n);
    assert!((edge.radii - Mat3::from_diagonal(&Vec3::new(0.0, 0.25, 0.0))).amax() < 1e-15);
    // The last side of a triangle leads back to its first corner.
    let [a, b, c] = [Vec3::zeros(), Vec3::x(), Vec3::new(0.0, 2.0, 0.0)];
    let triangle: ConvexShape = Triangle::new(a, b, c).unwrap().into();
    assert_eq!(triangle.surface_radii(Feature::Edge(2), &n).flat, Flat::Along(-Vec3::y()));
    let needle: ConvexShape = Triangle::new(a, b, 3.0 * b).unwrap().into();
    let Flat::Along(line) = needle.surface_radii(Feature::Edge(0), &n).flat else { panic!("{needle:?}") };
    assert!((line.x.abs() - 1.0).abs() < 1e-15, "{line:?}");
}

#[test]
fn faces_are_flat_all_round() {
    let half_space = HalfSpace::new(Vec3::z(), 0.0).unwrap();
    assert_eq!(half_space.surface_radii().flat, Flat::All);
    for (name, shape) in shape_zoo::zoo(1.0) {
        let n = Vec3::new(0.48, -0.6, 0.64);
        let radii = shape.surface_radii(Feature::Face(0), &n);
        let core = if let ConvexShape::Rounded(rounded) = &shape { rounded.core() } else { &shape };
        let has_faces = matches!(
            core,
            ConvexShape::Triangle(_)
                | ConvexShape::Polygon(_)
                | ConvexShape::Cuboid(_)
                | ConvexShape::Polyhedron(_)
                | ConvexShape::Cylinder(_)
                | ConvexShape::Frustum(_)
        );
        assert_eq!(radii.flat == Flat::All, has_faces, "{name}");
        if has_faces {
            assert!(radii.radii == Mat3::zeros() && radii.contact_radius().is_none(), "{name}");
        }
    }
}

#[test]
fn any_name_and_any_normal_give_numbers() {
    let features = [0, 1, 2, 5, 11, 12, 63, 64, 127, 129, 130, 257, 1 << 29]
        .into_iter()
        .flat_map(|k| [Feature::Vertex(k), Feature::Edge(k), Feature::Face(k), Feature::Surface(k)]);
    let features: Vec<Feature> = features.collect();
    let normals =
        [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::z(), Vec3::new(1e-13, 0.0, 1.0), Vec3::new(0.6, 0.0, -0.8)];
    for scale in [1e-50, 1.0, 1e50] {
        for (name, shape) in shape_zoo::zoo(scale) {
            for feature in &features {
                for n in &normals {
                    let radii = shape.surface_radii(*feature, n);
                    assert!(radii.radii.iter().all(|x| x.is_finite()), "{name} {feature} {n:?} {radii:?}");
                    let tolerance = if shape_zoo::is_exact(&shape) { 1e-13 } else { 1e-9 };
                    assert!(
                        (radii.radii * n).amax() <= tolerance * radii.radii.amax().max(scale),
                        "{name} {feature}"
                    );
                    let radius = radii.contact_radius();
                    assert!(
                        radius.is_none_or(|radius| radius > 0.0 && radius.is_finite()),
                        "{name} {feature}"
                    );
                    let at = shape.surface_radii_at(*feature, n, &Vec3::zeros());
                    assert!(at.radii.iter().all(|x| x.is_finite()), "{name} {feature} {n:?} {at:?}");
                }
            }
        }
    }
}

#[test]
fn the_contact_radius_is_the_mean_of_the_principal_radii() {
    let mut random = Random::new(14);
    let ellipsoid = Ellipsoid::new(Vec3::new(0.5, 1.2, 0.8)).unwrap();
    for _ in 0..count(200, 20_000) {
        let n = random.direction();
        // Gauss: the product of the radii of an ellipsoid is (abc / h²)², with h the distance of the tangent plane.
        let h2 = Vec3::new(0.25, 1.44, 0.64).dot(&n.component_mul(&n));
        let expected = 0.5 * 1.2 * 0.8 / h2;
        let shape = ConvexShape::from(ellipsoid);
        assert!((shape.contact_radius(&n).unwrap() / expected - 1.0).abs() < 1e-13);
        // Rounded, each principal radius grows: (R1 + r)(R2 + r) = R1 R2 + r (R1 + R2) + r².
        let sum = shape.surface_radii(Feature::Surface(0), &n).radii.trace();
        let inflated = (expected * expected + 0.25 * sum + 0.0625).sqrt();
        assert!((rounded(ellipsoid).contact_radius(&n).unwrap() / inflated - 1.0).abs() < 1e-13);
        let near = |shape: ConvexShape, radius: f64| {
            shape.contact_radius(&n).is_some_and(|found| (found - radius).abs() < 1e-15)
        };
        assert!(near(Sphere::new(0.7).unwrap().into(), 0.7));
        assert!(near(Capsule::new(0.4, 1.0).unwrap().into(), 0.4));
        assert!(near(rounded(Point::new(Vec3::x()).unwrap()), 0.25));
        for shape in
            [Cylinder::new(0.6, 1.3).unwrap().into(), ConvexShape::from(Frustum::cone(1.0, 1.0).unwrap())]
        {
            assert_eq!(shape.contact_radius(&n), None);
            // A rim is an edge along its other direction.
            assert_eq!(shape.surface_radii(Feature::Edge(0), &n).contact_radius(), None);
        }
        // The corner of a rounded box is part of a ball.
        let corner = rounded(Cuboid::new(Vec3::repeat(1.0)).unwrap()).surface_radii(Feature::Vertex(0), &n);
        assert!((corner.contact_radius().unwrap() - 0.25).abs() < 1e-14);
    }
}

/// An ellipsoid, as a caller would describe it.
#[derive(Debug)]
struct Egg;

impl SupportFunction for Egg {
    fn support(&self, direction: &Vec3) -> Vec3 {
        let axes = Vec3::new(0.5, 1.2, 0.8);
        let stretched = direction.component_mul(&axes);
        stretched.component_mul(&axes) / stretched.norm().max(1e-300)
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }
}

#[test]
fn user_defined_shapes_are_differenced_where_they_are_smooth() {
    let mut random = Random::new(15);
    let egg: ConvexShape = UserShape::new(Arc::new(Egg)).into();
    let exact = ConvexShape::from(Ellipsoid::new(Vec3::new(0.5, 1.2, 0.8)).unwrap());
    let corners: Vec<Vec3> = (0..12).map(|_| random.in_ball()).collect();
    let stone: ConvexShape = UserShape::new(Arc::new(shape_zoo::HullOf(corners))).into();
    let mut worst = 0.0_f64;
    for _ in 0..count(200, 20_000) {
        let n = random.direction();
        let (found, expected) =
            (egg.surface_radii(Feature::Surface(0), &n), exact.surface_radii(Feature::Surface(0), &n));
        worst = worst.max((found.radii - expected.radii).amax());
        assert!((found.radii * n).amax() < 1e-10);
        // The corners of a hull stay where they are.
        assert!(stone.surface_radii(Feature::Surface(0), &n).radii == Mat3::zeros());
    }
    println!("largest difference of a user-defined ellipsoid: {worst:e} m");
    assert!(worst < 1e-7, "{worst:e}");
}

#[test]
fn sides_roll_by_their_radius_and_caps_and_rims_by_none() {
    let tilted = |angle: f64| Vec3::new(cos(angle), 0.0, sin(angle));
    let cylinder = ConvexShape::from(Cylinder::new(0.2, 1.0).unwrap());
    for (angle, expected) in
        [(0.0, Some(0.2)), (0.1, Some(0.2)), (-0.1, Some(0.2)), (0.3, None), (-1.5, None)]
    {
        assert_eq!(cylinder.rolling_radius(&tilted(angle)), expected, "{angle}");
        assert_eq!(cylinder.contact_radius(&tilted(angle)), None);
    }
    // The side of a cone leans; the radius is that of curvature at mid-height: half the radius of the base over the cosine.
    let cone = ConvexShape::from(Frustum::new(0.3, 0.0, 0.4).unwrap());
    let side = atan2(0.3, 0.4);
    let found = cone.rolling_radius(&tilted(side)).unwrap();
    assert!((found - 0.15 / cos(side)).abs() < 1e-15, "{found}");
    assert!(cone.rolling_radius(&tilted(side + 0.3)).is_none() && cone.rolling_radius(&-Vec3::z()).is_none());
    let rounded = ConvexShape::from(Rounded::new(cylinder, 0.05).unwrap());
    assert_eq!(rounded.rolling_radius(&Vec3::y()), Some(0.25));
}
