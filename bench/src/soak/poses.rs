//! Random placements: apart, touching, concentric, aligned, nearly parallel, far from the origin.

use zerogap_core::{InputError, Pose, Vec3};
use zerogap_geometry::{Convex, ConvexShape, SupportHint};
use zerogap_testkit::random::Random;

use super::shapes::ten_to;

/// How far from the origin bodies stand in one regime of eight [m].
const FAR_AWAY: f64 = 1e5;

/// Angle between nearly parallel bodies, as powers of ten of a radian.
const NEARLY_PARALLEL: [f64; 2] = [-12.0, -4.0];

/// Two poses, and what is known about the gap from how they were made.
pub struct PlacedShape {
    /// What was asked for, in words.
    pub regime: &'static str,
    /// Pose of A.
    pub pose_a: Pose,
    /// Pose of B.
    pub pose_b: Pose,
    /// The gap is no smaller [m], up to the rounding of the poses.
    pub at_least: f64,
    /// The gap is no larger [m], up to the rounding of the poses.
    pub at_most: f64,
}

/// Draws a placement for two shapes. `same` says that both are one and the same.
pub fn place(
    random: &mut Random,
    a: &ConvexShape,
    b: &ConvexShape,
    same: bool,
) -> Result<PlacedShape, InputError> {
    let free = Pose::new(Vec3::zeros(), random.quaternion_xyzw())?;
    let turned = Pose::new(Vec3::zeros(), random.quaternion_xyzw())?;
    let nearly = free * small_turn(random)?;
    let mut placed = match random.index(8) {
        0 => apart(random, a, free, b, turned, [0.0, 1.0])?,
        1 => apart(random, a, free, b, turned, [1.0, 1e4])?,
        2 => touching(random, a, free, b, turned)?,
        3 => touching(random, a, free, b, nearly)?,
        4 => {
            let [one, other] = [quarter_turns(random)?, quarter_turns(random)?];
            aligned(random, a, one, b, other)?
        }
        5 => concentric(a, free, b, if random.index(2) == 0 { turned } else { nearly })?,
        6 if same => PlacedShape {
            regime: "identical",
            pose_a: free,
            pose_b: free,
            at_least: f64::NEG_INFINITY,
            at_most: 0.0,
        },
        6 => concentric(a, free, b, free)?,
        _ => {
            let [one, other] = [quarter_turns(random)?, quarter_turns(random)?];
            touching_along_an_axis(random, a, one, b, other)?
        }
    };
    if random.index(8) == 0 {
        // Adding the offset rounds the poses by more than the tolerances of the checks: nothing is known any more.
        let away = FAR_AWAY * random.direction();
        placed.pose_a = moved(&placed.pose_a, &away)?;
        placed.pose_b = moved(&placed.pose_b, &away)?;
        [placed.at_least, placed.at_most] = [f64::NEG_INFINITY, f64::INFINITY];
    }
    Ok(placed)
}

/// Middles of the bounding balls at a distance of so many times the sum of their radii.
fn apart(
    random: &mut Random,
    a: &ConvexShape,
    pose_a: Pose,
    b: &ConvexShape,
    pose_b: Pose,
    [low, high]: [f64; 2],
) -> Result<PlacedShape, InputError> {
    let [ball_a, ball_b] = [a.bounding_sphere(), b.bounding_sphere()];
    let reach = ball_a.radius + ball_b.radius;
    // Evenly in the logarithm beyond contact, so that near and far are both frequent.
    let factor = if low > 0.0 {
        low * zerogap_core::math::pow(high / low, random.unit())
    } else {
        random.range(low, high)
    };
    let distance = factor * reach;
    let middle_a = pose_a.transform_point(&ball_a.center);
    let middle_b = middle_a + distance * random.direction();
    let pose_b = with_point_at(&pose_b, &ball_b.center, &middle_b)?;
    Ok(PlacedShape {
        regime: if low > 0.0 { "far" } else { "random" },
        pose_a,
        pose_b,
        at_least: distance - reach,
        at_most: distance + reach,
    })
}

/// The farthest point of A along a direction meets the farthest point of B against it, give or take a known offset.
fn touching(
    random: &mut Random,
    a: &ConvexShape,
    pose_a: Pose,
    b: &ConvexShape,
    pose_b: Pose,
) -> Result<PlacedShape, InputError> {
    let normal = random.direction();
    touch(random, a, pose_a, b, pose_b, &normal)
}

/// The same with bodies along the axes, touching along one: faces, edges and rims lie flat on each other.
fn touching_along_an_axis(
    random: &mut Random,
    a: &ConvexShape,
    pose_a: Pose,
    b: &ConvexShape,
    pose_b: Pose,
) -> Result<PlacedShape, InputError> {
    let mut normal = Vec3::zeros();
    normal[random.index(3)] = if random.index(2) == 0 { 1.0 } else { -1.0 };
    Ok(PlacedShape { regime: "touching along an axis", ..touch(random, a, pose_a, b, pose_b, &normal)? })
}

fn touch(
    random: &mut Random,
    a: &ConvexShape,
    pose_a: Pose,
    b: &ConvexShape,
    pose_b: Pose,
    normal: &Vec3,
) -> Result<PlacedShape, InputError> {
    let mut hint = SupportHint::default();
    let on_a = pose_a.transform_point(&a.support(&pose_a.inverse_transform_vector(normal), &mut hint));
    let on_b = b.support(&pose_b.inverse_transform_vector(&-normal), &mut SupportHint::default());
    // The plane along `normal` separates the two by exactly the offset, and the two points are that far apart: apart, the offset is
    // the gap. In overlap it only bounds it, from both sides, because a gap changes by no more than the bodies move.
    let size = a.bounding_sphere().radius.min(b.bounding_sphere().radius);
    let offset = match random.index(3) {
        0 => 0.0,
        1 => size * ten_to(random.range(-15.0, -1.0)),
        _ => -size * ten_to(random.range(-15.0, -1.0)),
    };
    let pose_b = with_point_at(&pose_b, &on_b, &(on_a + offset * normal))?;
    Ok(PlacedShape { regime: "touching", pose_a, pose_b, at_least: offset, at_most: offset.abs() })
}

/// Bodies along the axes, offset by sums and differences of their half extents: faces, edges and corners in line with each other.
fn aligned(
    random: &mut Random,
    a: &ConvexShape,
    pose_a: Pose,
    b: &ConvexShape,
    pose_b: Pose,
) -> Result<PlacedShape, InputError> {
    let [box_a, box_b] = [a.bounding_box(), b.bounding_box()];
    let [half_a, half_b] = [&box_a, &box_b].map(|bounds| 0.5 * (bounds.max - bounds.min));
    let offset = Vec3::from_fn(|axis, _| match random.index(5) {
        0 => 0.0,
        1 => half_a[axis] + half_b[axis],
        2 => -half_a[axis] - half_b[axis],
        3 => half_a[axis] - half_b[axis],
        _ => random.range(-1.0, 1.0) * (half_a[axis] + half_b[axis]),
    });
    let middle_a = pose_a.transform_point(&box_a.center());
    let pose_b = with_point_at(&pose_b, &box_b.center(), &(middle_a + offset))?;
    Ok(PlacedShape { regime: "aligned", pose_a, pose_b, at_least: f64::NEG_INFINITY, at_most: f64::INFINITY })
}

/// Interior points on each other.
fn concentric(
    a: &ConvexShape,
    pose_a: Pose,
    b: &ConvexShape,
    pose_b: Pose,
) -> Result<PlacedShape, InputError> {
    let middle = pose_a.transform_point(&a.interior_point());
    let pose_b = with_point_at(&pose_b, &b.interior_point(), &middle)?;
    Ok(PlacedShape { regime: "concentric", pose_a, pose_b, at_least: f64::NEG_INFINITY, at_most: 0.0 })
}

/// A turn that is all but none.
fn small_turn(random: &mut Random) -> Result<Pose, InputError> {
    let angle =
        if random.index(4) == 0 { 0.0 } else { ten_to(random.range(NEARLY_PARALLEL[0], NEARLY_PARALLEL[1])) };
    Pose::from_axis_angle(Vec3::zeros(), random.direction(), angle)
}

/// One of the turns that map axes to axes, as quarter turns about x, then about z.
fn quarter_turns(random: &mut Random) -> Result<Pose, InputError> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let quarters = [[1.0, 0.0], [half, half], [0.0, 1.0], [half, -half]];
    let [cos_x, sin_x] = quarters[random.index(4)];
    let [cos_z, sin_z] = quarters[random.index(4)];
    let about_x = Pose::new(Vec3::zeros(), [sin_x, 0.0, 0.0, cos_x])?;
    let about_z = Pose::new(Vec3::zeros(), [0.0, 0.0, sin_z, cos_z])?;
    Ok(about_z * about_x)
}

/// The pose with the same turn that brings a point of the body to a place.
fn with_point_at(pose: &Pose, point: &Vec3, place: &Vec3) -> Result<Pose, InputError> {
    Pose::new(place - pose.transform_vector(point), pose.quaternion_xyzw())
}

fn moved(pose: &Pose, by: &Vec3) -> Result<Pose, InputError> {
    Pose::new(pose.translation() + by, pose.quaternion_xyzw())
}
