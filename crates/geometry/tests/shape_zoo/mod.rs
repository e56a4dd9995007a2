//! One of each convex shape, at any scale, for the tests that hold for all of them.

use std::sync::Arc;

use zerogap_core::Vec3;
use zerogap_geometry::shape::{
    Capsule, Cuboid, Cylinder, Ellipsoid, Frustum, Point, Polygon, Rounded, Segment, Sphere, SupportFunction,
    Triangle, UserShape,
};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_testkit::random::Random;

/// The hull of some points, as a caller would describe it.
#[derive(Debug)]
pub(crate) struct HullOf(pub(crate) Vec<Vec3>);

impl SupportFunction for HullOf {
    fn support(&self, direction: &Vec3) -> Vec3 {
        let far = |p: &&Vec3, q: &&Vec3| direction.dot(p).total_cmp(&direction.dot(q));
        *self.0.iter().max_by(far).unwrap()
    }

    fn interior_point(&self) -> Vec3 {
        self.0.iter().sum::<Vec3>() / self.0.len() as f64
    }
}

/// Whether closest points of this shape are exact to rounding, or to the tolerance of the support-only search.
pub(crate) fn is_exact(shape: &ConvexShape) -> bool {
    !matches!(shape, ConvexShape::User(_))
}

/// Shapes of about the given size [m], none of them centred or symmetric where it can be helped.
pub(crate) fn zoo(s: f64) -> Vec<(&'static str, ConvexShape)> {
    let v = |x: f64, y: f64, z: f64| Vec3::new(x, y, z) * s;
    let pentagon: Vec<Vec3> = (0..5)
        .map(|k| {
            let (sin, cos) = zerogap_core::math::sin_cos(f64::from(k) * 1.2 + 0.3);
            v(0.3, 0.1, 0.5) + v(1.0, 0.2, -0.4) * cos + v(-0.1, 0.8, 0.3) * sin
        })
        .collect();
    let triangle = Triangle::new(v(0.1, 0.2, 0.3), v(1.1, -0.2, 0.4), v(0.3, 0.9, -0.5)).unwrap();
    let segment = Segment::new(v(0.4, -0.7, 0.2), v(-0.9, 0.5, 1.1)).unwrap();
    let cylinder = Cylinder::new(0.6 * s, 1.3 * s).unwrap();
    let frustum = Frustum::new(0.9 * s, 0.4 * s, 1.1 * s).unwrap();
    let ellipsoid = Ellipsoid::new(v(0.5, 1.2, 0.8)).unwrap();
    let cuboid = Cuboid::new(v(1.0, 2.0, 0.6)).unwrap();
    let rounded = |core: ConvexShape| -> ConvexShape { Rounded::new(core, 0.25 * s).unwrap().into() };
    let mut random = Random::new(7);
    let cloud: Vec<Vec3> = (0..12).map(|_| random.in_ball() * s).collect();
    let hull = Polyhedron::from_points(&cloud).unwrap();
    // A blade: two long faces a thousandth apart.
    let blade: Vec<Vec3> = cloud.iter().map(|p| Vec3::new(p.x, p.y + 0.3 * p.z, 1e-3 * p.z)).collect();
    vec![
        ("point", Point::new(v(0.3, -0.2, 0.5)).unwrap().into()),
        ("segment", segment.into()),
        ("triangle", triangle.into()),
        ("polygon", Polygon::new(&pentagon).unwrap().into()),
        ("sphere", Sphere::new(0.7 * s).unwrap().into()),
        ("ellipsoid", ellipsoid.into()),
        ("needle", Ellipsoid::new(v(1e-6, 1.0, 1e-6)).unwrap().into()),
        ("pancake", Ellipsoid::new(v(1.0, 0.7, 1e-6)).unwrap().into()),
        ("box", cuboid.into()),
        ("capsule", Capsule::new(0.4 * s, 1.2 * s).unwrap().into()),
        ("round capsule", Capsule::new(0.4 * s, 0.0).unwrap().into()),
        ("cylinder", cylinder.into()),
        ("disc", Cylinder::new(s, 1e-6 * s).unwrap().into()),
        ("frustum", frustum.into()),
        ("cone", Frustum::cone(0.7 * s, 1.5 * s).unwrap().into()),
        ("funnel", Frustum::new(0.0, 0.8 * s, 0.9 * s).unwrap().into()),
        ("rounded point", rounded(Point::new(v(0.3, -0.2, 0.5)).unwrap().into())),
        ("rounded segment", rounded(segment.into())),
        ("rounded triangle", rounded(triangle.into())),
        ("rounded polygon", rounded(Polygon::new(&pentagon).unwrap().into())),
        ("rounded ellipsoid", rounded(ellipsoid.into())),
        ("rounded box", rounded(cuboid.into())),
        ("rounded cylinder", rounded(cylinder.into())),
        ("rounded frustum", rounded(frustum.into())),
        ("polyhedron", hull.clone().into()),
        ("blade", Polyhedron::from_points(&blade).unwrap().into()),
        ("rounded polyhedron", rounded(hull.into())),
        ("user hull", UserShape::new(Arc::new(HullOf(cloud))).into()),
    ]
}
