//! A shape made ready for oriented collision: its corners, and its surfaces as a target.

use zerogap_core::Vec3;
use zerogap_geometry::{ConvexShape, Shape};

use crate::collider::{Collider, Extent};
use crate::oriented::{OrientedError, SurfaceRule, Target};

/// A shape that collides by its corners and flat surfaces.
#[derive(Debug)]
pub struct OrientedCollider {
    shape: Collider,
    /// In the frame of the shape [m].
    corners: Vec<Vec3>,
    target: Result<Target, OrientedError>,
    extent: Option<Extent>,
    /// Whether oriented collision was asked for it; otherwise it only collides with one for which it was.
    pub is_asked: bool,
    /// Which surface of it, and of its partners, counts.
    pub rule: SurfaceRule,
}

impl OrientedCollider {
    /// Makes a shape ready. One without corners can still be hit; one without flat surfaces can still hit.
    pub fn new(shape: &Shape, is_asked: bool) -> Self {
        Self::with_collider(shape, Collider::from_shape(shape.clone()), is_asked)
    }

    /// The same where the collider of the shape as it is was made already.
    pub fn with_collider(shape: &Shape, collider: Collider, is_asked: bool) -> Self {
        Self {
            corners: corners_of(shape),
            target: Target::of_shape(shape),
            extent: collider.extent(),
            shape: collider,
            is_asked,
            rule: SurfaceRule::default(),
        }
    }

    /// Returns it with a rule; of two colliders `Nearest` counts where one has it.
    #[must_use]
    pub fn by_rule(self, rule: SurfaceRule) -> Self {
        Self { rule, ..self }
    }

    /// Returns the shape as it is, by its exact gap.
    pub fn shape(&self) -> &Collider {
        &self.shape
    }

    /// Returns the corners in the frame of the shape [m]; empty where it has none.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// Returns the surfaces to be hit, or why there are none.
    pub fn target(&self) -> Result<&Target, &OrientedError> {
        self.target.as_ref()
    }

    /// Returns the radius of a ball around the shape [m]; infinite for a half-space.
    pub(super) fn size(&self) -> f64 {
        self.extent.as_ref().map_or(f64::INFINITY, |extent| extent.ball.radius)
    }

    /// Returns half the smallest extent [m]; infinite for a half-space.
    pub(super) fn thickness(&self) -> f64 {
        self.extent.as_ref().map_or(f64::INFINITY, |extent| extent.thickness)
    }
}

/// The corners of a shape [m]; empty where it has none.
fn corners_of(shape: &Shape) -> Vec<Vec3> {
    match shape {
        Shape::Convex(ConvexShape::Point(point)) => vec![point.position()],
        Shape::Convex(ConvexShape::Segment(segment)) => segment.ends().to_vec(),
        Shape::Convex(ConvexShape::Triangle(triangle)) => triangle.corners().to_vec(),
        Shape::Convex(ConvexShape::Polygon(polygon)) => polygon.corners().to_vec(),
        Shape::Convex(ConvexShape::Cuboid(cuboid)) => cuboid.corners().to_vec(),
        Shape::Convex(ConvexShape::Polyhedron(polyhedron)) => polyhedron.vertices().to_vec(),
        _ => Vec::new(),
    }
}
