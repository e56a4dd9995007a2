//! How far a body reaches from the line that it turns about: what bounds the speed and the bend of its points.
//!
//! In: a shape and its motion. Out: a [`Reach`], good for the whole motion.

use zerogap_core::{Aabb, Vec3};
use zerogap_geometry::{Convex, ConvexShape};

use super::Motion;

/// How far a body reaches from its centre, which moves straight, and from its axis, about which it turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// Axis of the turn in the world [-]; zero without one.
    axis: Vec3,
    /// How fast it turns [rad/s].
    spin: f64,
    /// Largest distance from the axis [m].
    radius: f64,
    /// Smallest and largest height along the axis over the centre [m].
    heights: [f64; 2],
    /// Largest distance from the centre [m].
    pub(super) whole: f64,
    /// Size of the coordinates that rounding is measured against [m].
    pub(super) coordinates: f64,
}

impl Reach {
    /// Of a convex shape that moves for `duration` [s]. Exact for polytopes, balls and capsules, and for bodies of revolution about their axis.
    pub(super) fn of_convex(shape: &ConvexShape, motion: &Motion, duration: f64) -> Self {
        let mut reach = Growing::new(motion);
        reach.add_shape(shape, 0.0);
        reach.finished(motion, duration)
    }

    /// Of points given in the body's frame, each inflated by a radius [m].
    pub(super) fn of_points<'a>(
        points: impl IntoIterator<Item = &'a Vec3>,
        radius: f64,
        motion: &Motion,
        duration: f64,
    ) -> Self {
        let mut reach = Growing::new(motion);
        for point in points {
            reach.add(point, radius);
        }
        reach.finished(motion, duration)
    }

    /// The body's reach along `n` from its centre, however it is rotated about its axis [m].
    pub(super) fn along_any_turn(&self, n: &Vec3) -> f64 {
        if self.spin == 0.0 {
            return self.whole;
        }
        let along = n.dot(&self.axis);
        let across = (n - self.axis * along).norm();
        (along * self.heights[0]).max(along * self.heights[1]) + across * self.radius
    }

    /// Largest speed along `n` from the turn [m/s].
    pub(super) fn speed(&self, n: &Vec3) -> f64 {
        self.any_speed() * n.cross(&self.axis).norm()
    }

    /// Largest acceleration along `n` from the turn [m/s²].
    pub(super) fn bend(&self, n: &Vec3) -> f64 {
        self.spin * self.speed(n)
    }

    /// Largest speed of any point from the turn [m/s].
    pub(super) fn any_speed(&self) -> f64 {
        self.spin * self.radius
    }

    /// Largest acceleration of any point from the turn [m/s²].
    pub(super) fn any_bend(&self) -> f64 {
        self.spin * self.any_speed()
    }
}

/// A reach that grows as points are added.
struct Growing {
    center: Vec3,
    /// In the body's frame.
    axis: Vec3,
    radius: f64,
    heights: [f64; 2],
    whole: f64,
}

impl Growing {
    fn new(motion: &Motion) -> Self {
        let axis = unit(&motion.start().inverse_transform_vector(&motion.spin()));
        let heights = [f64::INFINITY, f64::NEG_INFINITY];
        Self { center: motion.center(), axis, radius: 0.0, heights, whole: 0.0 }
    }

    /// A ball.
    fn add(&mut self, point: &Vec3, radius: f64) {
        let from_center = point - self.center;
        let height = self.axis.dot(&from_center);
        self.radius = self.radius.max((from_center - self.axis * height).norm() + radius);
        self.whole = self.whole.max(from_center.norm() + radius);
        self.heights = [self.heights[0].min(height - radius), self.heights[1].max(height + radius)];
    }

    /// A disc across z; as a ball, but for its height.
    fn add_disc(&mut self, z: f64, disc: f64, inflated: f64) {
        let heights = self.heights;
        self.add(&Vec3::new(0.0, 0.0, z), disc + inflated);
        let height = self.axis.dot(&(Vec3::new(0.0, 0.0, z) - self.center));
        let reach = disc * self.axis.xy().norm() + inflated;
        self.heights = [heights[0].min(height - reach), heights[1].max(height + reach)];
    }

    /// A convex shape inflated by a radius.
    fn add_shape(&mut self, shape: &ConvexShape, inflated: f64) {
        match shape {
            ConvexShape::Point(point) => self.add(&point.position(), inflated),
            ConvexShape::Segment(segment) => segment.ends().iter().for_each(|p| self.add(p, inflated)),
            ConvexShape::Triangle(triangle) => triangle.corners().iter().for_each(|p| self.add(p, inflated)),
            ConvexShape::Polygon(polygon) => polygon.corners().iter().for_each(|p| self.add(p, inflated)),
            ConvexShape::Polyhedron(solid) => solid.vertices().iter().for_each(|p| self.add(p, inflated)),
            ConvexShape::Sphere(ball) => self.add(&Vec3::zeros(), ball.radius() + inflated),
            ConvexShape::Capsule(capsule) => {
                for end in capsule.axis().ends() {
                    self.add(&end, capsule.radius() + inflated);
                }
            }
            ConvexShape::Cylinder(can) => {
                self.add_disc(-0.5 * can.length(), can.radius(), inflated);
                self.add_disc(0.5 * can.length(), can.radius(), inflated);
            }
            ConvexShape::Frustum(cone) => {
                self.add_disc(-0.5 * cone.length(), cone.radius0(), inflated);
                self.add_disc(0.5 * cone.length(), cone.radius1(), inflated);
            }
            ConvexShape::Rounded(rounded) => self.add_shape(rounded.core(), rounded.radius() + inflated),
            ConvexShape::Cuboid(_) | ConvexShape::Ellipsoid(_) | ConvexShape::User(_) => {
                for corner in corners(&shape.bounding_box()) {
                    self.add(&corner, inflated);
                }
            }
        }
    }

    fn finished(self, motion: &Motion, duration: f64) -> Reach {
        let Self { radius, heights, whole, center, .. } = self;
        let (travel, spin) = ((motion.velocity() * duration).norm(), motion.spin().norm());
        // Angles are rounded too: by the more the farther it turns.
        let arc = spin * duration * radius;
        let coordinates = motion.start().translation().norm() + center.norm() + travel + arc + whole;
        Reach { axis: unit(&motion.spin()), spin, radius, heights, whole, coordinates }
    }
}

/// The corners of a box.
pub(super) fn corners(own: &Aabb) -> [Vec3; 8] {
    std::array::from_fn(|bits| Vec3::from_fn(|i, _| if bits >> i & 1 == 1 { own.max[i] } else { own.min[i] }))
}

/// The unit vector along `v`; zero for zero.
fn unit(v: &Vec3) -> Vec3 {
    let largest = v.amax();
    if largest > 0.0 { (v / largest).normalize() } else { Vec3::zeros() }
}
