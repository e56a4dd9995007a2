//! What every answer must satisfy, and the best oracle for each pair of shapes.
#![allow(dead_code, reason = "each test file takes the checks that it needs")]

use zerogap_core::{Gap, Pose, Vec3};
use zerogap_geometry::shape::Point;
use zerogap_geometry::{Convex, ConvexShape, SupportHint};
use zerogap_testkit::exact_distance::signed_distance;
use zerogap_testkit::random::Random;
use zerogap_testkit::support_bounds::{Bounds, bounds};

/// Largest error of the gap of polytopes, balls, capsules and rounded polytopes, against the size of the pair [-].
pub(crate) const EXACT: f64 = 1e-14;

/// Largest error of the gap of other shapes, against the size of the pair [-]: the default tolerance of a search.
pub(crate) const CURVED: f64 = 1e-11;

/// How far outside its shape a witness point may lie, against the shape's own size and against the largest coordinate [-].
struct OnShape {
    own: f64,
    world: f64,
}

/// For polytopes, rounded or not: rounding. Over ten million pairs none is farther, however small the shape is.
const EXACT_POINTS: OnShape = OnShape { own: 1e-13, world: 1e-13 };

/// For other shapes. The gap is stationary in the points: where it is known to 1e-11, they are known to the root of that, 3e-6, along the surface. A point that is reached from
/// the other shape's point leaves a thin or sharp shape by as much. Over ten million pairs the worst is 3e-7 of the largest coordinate: beside a curved shape a million million times larger that is
/// many times the size of the small one.
const CURVED_POINTS: OnShape = OnShape { own: 1e-5, world: 1e-6 };

/// How far from 1 the length of a normal may be [-]: it was turned by a matrix whose rows are off by up to 4 ulp, and squared.
const UNIT: f64 = 16.0 * f64::EPSILON;

/// A shape and where it is.
#[derive(Clone)]
pub(crate) struct PlacedShape {
    pub(crate) shape: ConvexShape,
    pub(crate) pose: Pose,
}

impl PlacedShape {
    pub(crate) fn new(shape: impl Into<ConvexShape>, pose: Pose) -> Self {
        Self { shape: shape.into(), pose }
    }

    /// At a point, unturned.
    pub(crate) fn at(shape: impl Into<ConvexShape>, x: f64, y: f64, z: f64) -> Self {
        Self::new(shape, Pose::from_translation(Vec3::new(x, y, z)).unwrap())
    }

    /// Moved along with everything else.
    pub(crate) fn moved(&self, by: &Pose) -> Self {
        Self::new(self.shape.clone(), *by * self.pose)
    }

    /// The farthest point along a direction of the world [m].
    pub(crate) fn support(&self, n: &Vec3) -> Vec3 {
        let local = self.pose.inverse_transform_vector(n);
        self.pose.transform_point(&self.shape.support(&local, &mut SupportHint::default()))
    }

    /// How far the shape reaches from its own origin [m].
    fn reach(&self) -> f64 {
        let ball = self.shape.bounding_sphere();
        ball.center.norm() + ball.radius
    }
}

/// What is needed to place it again: polyhedra by their corners alone.
impl std::fmt::Debug for PlacedShape {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers = |v: &Vec3| [v.x, v.y, v.z];
        match &self.shape {
            ConvexShape::Polyhedron(shape) => {
                let corners: Vec<[f64; 3]> = shape.vertices().iter().map(numbers).collect();
                write!(out, "hull of {corners:?}")?;
            }
            shape => write!(out, "{shape:?}")?,
        }
        write!(
            out,
            " at {:?}, quaternion {:?}",
            numbers(&self.pose.translation()),
            self.pose.quaternion_xyzw()
        )
    }
}

/// The gap of two placed shapes.
pub(crate) fn distance(a: &PlacedShape, b: &PlacedShape) -> Gap {
    zerogap_proximity::convex::distance(&a.shape, &a.pose, &b.shape, &b.pose)
}

/// The length that errors are measured against [m]: how far both reach, and the origins from each other.
pub(crate) fn size(a: &PlacedShape, b: &PlacedShape) -> f64 {
    a.reach() + b.reach() + (b.pose.translation() - a.pose.translation()).norm()
}

/// The largest coordinate that the answer is expressed in [m].
pub(crate) fn world(a: &PlacedShape, b: &PlacedShape) -> f64 {
    size(a, b) + a.pose.translation().norm().max(b.pose.translation().norm())
}

/// The corners and the radius of a shape that is a polytope inflated by a radius; `None` for all others.
pub(crate) fn rounded_corners(shape: &ConvexShape) -> Option<(Vec<Vec3>, f64)> {
    match shape {
        ConvexShape::Sphere(ball) => Some((vec![Vec3::zeros()], ball.radius())),
        ConvexShape::Capsule(capsule) => {
            let end = Vec3::z() * (0.5 * capsule.length());
            Some((vec![-end, end], capsule.radius()))
        }
        ConvexShape::Rounded(rounded) => {
            rounded_corners(rounded.core()).map(|(corners, radius)| (corners, radius + rounded.radius()))
        }
        _ => shape.corners().map(|corners| (corners, 0.0)),
    }
}

/// The exact gap of two polytopes, rounded or not, within a rounding; `None` when one of them is none.
pub(crate) fn exact(a: &PlacedShape, b: &PlacedShape) -> Option<Bounds> {
    let ((corners_a, radius_a), (corners_b, radius_b)) =
        (rounded_corners(&a.shape)?, rounded_corners(&b.shape)?);
    let cores = signed_distance(&corners_a, &a.pose, &corners_b, &b.pose);
    let radius = radius_a + radius_b;
    if radius == 0.0 {
        return Some(Bounds { lower: cores.lo, upper: cores.hi });
    }
    // The sum of the radii is rounded, and the difference once more.
    let slack = 2.0 * f64::EPSILON * (radius + cores.hi.abs());
    Some(Bounds { lower: cores.lo - radius - slack, upper: cores.hi - radius + slack })
}

/// Bounds on the gap of any two shapes: exact where that exists, from support points elsewhere.
pub(crate) fn oracle(a: &PlacedShape, b: &PlacedShape) -> Bounds {
    exact(a, b).unwrap_or_else(|| {
        let size = size(a, b);
        // About A's origin, so that far pairs lose no digits.
        let origin = a.pose.translation();
        bounds(&|n| a.support(n) - origin, &|n| b.support(n) - origin, size, 1e-13 * size)
    })
}

/// Whether both shapes are polytopes, rounded or not.
pub(crate) fn is_exact(a: &PlacedShape, b: &PlacedShape) -> bool {
    rounded_corners(&a.shape).is_some() && rounded_corners(&b.shape).is_some()
}

/// What holds for every answer, whatever the truth: the bounds in order, a unit normal, points on their shapes with the gap between
/// them along the normal, and a separation along the normal that bears out the gap.
#[track_caller]
pub(crate) fn check_form(name: &str, a: &PlacedShape, b: &PlacedShape, gap: &Gap, relative: f64) {
    let checked = form(a, b, gap, relative).and_then(|()| points_on_shapes(a, b, gap, relative));
    if let Err(fault) = checked {
        panic!("{name}: {fault}: {gap:?}\n  of {a:?}\n  and {b:?}");
    }
}

/// [`check_form`] without where the points lie, as a result: what is wrong, in words.
pub(crate) fn form(a: &PlacedShape, b: &PlacedShape, gap: &Gap, relative: f64) -> Result<(), String> {
    let (size, world) = (size(a, b), world(a, b));
    ensure(gap.lower <= gap.gap && gap.gap <= gap.upper, || "bounds out of order".to_owned())?;
    ensure((gap.normal.norm() - 1.0).abs() <= UNIT, || "no unit normal".to_owned())?;
    let rest = (gap.point_b - gap.point_a - gap.normal * gap.gap).norm();
    ensure(rest <= 1e-14 * world, || format!("points off the normal by {rest:e}"))?;
    // Points in their shapes that are this far apart along a direction which separates as much are on the surfaces.
    let along = zerogap_proximity::convex::separation(&a.shape, &a.pose, &b.shape, &b.pose, &gap.normal);
    let allowed = relative * size + 1e-15 * world;
    ensure(along >= gap.gap - allowed, || format!("separated by {along} only along the normal"))
}

/// Both witness points lie in their shapes, to the tolerance of answers whose gap is known to `relative` of the size.
pub(crate) fn points_on_shapes(
    a: &PlacedShape,
    b: &PlacedShape,
    gap: &Gap,
    relative: f64,
) -> Result<(), String> {
    let OnShape { own, world: of_world } = if relative <= EXACT { EXACT_POINTS } else { CURVED_POINTS };
    for (placed, point) in [(a, &gap.point_a), (b, &gap.point_b)] {
        let allowed = own * placed.shape.bounding_sphere().radius + of_world * world(a, b);
        let outside = placed.shape.closest_point(&placed.pose.inverse_transform_point(point)).gap;
        ensure(outside <= allowed, || {
            format!("a point lies {outside:e} outside its {}", placed.shape.kind())
        })?;
    }
    Ok(())
}

/// What holds against the truth: the certificate is true, and the gap is within `relative` of it.
#[track_caller]
pub(crate) fn check_value(
    name: &str,
    a: &PlacedShape,
    b: &PlacedShape,
    gap: &Gap,
    truth: &Bounds,
    relative: f64,
) {
    if let Err(fault) = value(a, b, gap, truth, relative) {
        panic!("{name}: {fault}: {gap:?}\n  against {truth:?}\n  of {a:?}\n  and {b:?}");
    }
}

/// [`check_value`] as a result: what is wrong, in words.
pub(crate) fn value(
    a: &PlacedShape,
    b: &PlacedShape,
    gap: &Gap,
    truth: &Bounds,
    relative: f64,
) -> Result<(), String> {
    ensure(gap.lower <= truth.upper, || "lower is above the truth".to_owned())?;
    ensure(gap.upper >= truth.lower, || "upper is below the truth".to_owned())?;
    let error = truth.error(gap.gap) / size(a, b);
    ensure(error <= relative, || format!("off by {error:e} of the size"))
}

/// The fault where a condition does not hold.
pub(crate) fn ensure(holds: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(fault()) }
}

/// The whole check of a pair with an exact oracle; the bounds must meet to rounding too.
#[track_caller]
pub(crate) fn check_exact(name: &str, a: &PlacedShape, b: &PlacedShape) -> Gap {
    let gap = distance(a, b);
    check_form(name, a, b, &gap, EXACT);
    check_value(name, a, b, &gap, &exact(a, b).unwrap(), EXACT);
    let width = (gap.upper - gap.lower) / size(a, b);
    assert!(width <= 5e-14, "{name}: bounds {width:e} of the size apart: {gap:?}\n  of {a:?}\n  and {b:?}");
    gap
}

/// A pose with a random turn, in a cube of half side `reach` [m].
pub(crate) fn random_pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.in_cube(reach), random.quaternion_xyzw()).unwrap()
}

/// B moved, unturned, so that its separation from A along the unit vector `n` is `gap`, support point over support point [m].
pub(crate) fn set_apart(a: &PlacedShape, b: &PlacedShape, n: &Vec3, gap: f64) -> PlacedShape {
    let shift = a.support(n) + n * gap - b.support(&-n);
    let pose = Pose::new(b.pose.translation() + shift, b.pose.quaternion_xyzw()).unwrap();
    PlacedShape::new(b.shape.clone(), pose)
}

/// A single point of the world.
pub(crate) fn point(x: f64, y: f64, z: f64) -> PlacedShape {
    PlacedShape::new(Point::new(Vec3::new(x, y, z)).unwrap(), Pose::identity())
}
