//! Shapes and poses as the Rust code that makes them, so that a failing query becomes a test by copying.

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::ConvexShape;

/// A shape as an expression.
pub fn shape(shape: &ConvexShape) -> String {
    match shape {
        ConvexShape::Point(point) => format!("Point::new({})?.into()", vector(&point.position())),
        ConvexShape::Segment(segment) => {
            let [a, b] = segment.ends();
            format!("Segment::new({}, {})?.into()", vector(&a), vector(&b))
        }
        ConvexShape::Triangle(triangle) => {
            let [a, b, c] = triangle.corners();
            format!("Triangle::new({}, {}, {})?.into()", vector(&a), vector(&b), vector(&c))
        }
        ConvexShape::Polygon(polygon) => format!("Polygon::new(&[{}])?.into()", vectors(polygon.corners())),
        ConvexShape::Sphere(sphere) => format!("Sphere::new({:?})?.into()", sphere.radius()),
        ConvexShape::Ellipsoid(shape) => format!("Ellipsoid::new({})?.into()", vector(&shape.radii())),
        ConvexShape::Cuboid(cuboid) => format!("Cuboid::new({})?.into()", vector(&cuboid.size())),
        ConvexShape::Capsule(shape) => {
            format!("Capsule::new({:?}, {:?})?.into()", shape.radius(), shape.length())
        }
        ConvexShape::Cylinder(shape) => {
            format!("Cylinder::new({:?}, {:?})?.into()", shape.radius(), shape.length())
        }
        ConvexShape::Frustum(shape) => {
            format!(
                "Frustum::new({:?}, {:?}, {:?})?.into()",
                shape.radius0(),
                shape.radius1(),
                shape.length()
            )
        }
        ConvexShape::Polyhedron(polyhedron) => {
            format!("Polyhedron::from_points(&[{}])?.into()", vectors(polyhedron.vertices()))
        }
        ConvexShape::Rounded(rounded) => {
            format!("Rounded::new({}, {:?})?.into()", self::shape(rounded.core()), rounded.radius())
        }
        ConvexShape::User(user) => format!("UserShape::new(Arc::new({:?})).into()", user.function()),
    }
}

/// A pose as an expression.
pub fn pose(pose: &Pose) -> String {
    format!("Pose::new({}, {:?})?", vector(&pose.translation()), pose.quaternion_xyzw())
}

fn vector(v: &Vec3) -> String {
    format!("Vec3::new({:?}, {:?}, {:?})", v.x, v.y, v.z)
}

fn vectors(list: &[Vec3]) -> String {
    list.iter().map(vector).collect::<Vec<_>>().join(", ")
}
