//! Gaps of any two shapes that have one: convex ones and half-spaces.

use zerogap_core::{Gap, GapStatus, Pose};
use zerogap_geometry::Shape;

use crate::convex::{self, DistanceParams};
use crate::error::ProximityError;

/// The signed distance of two shapes, with normal, witness points and certificate; see [`convex::distance`].
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::Shape;
/// use zerogap_proximity::distance;
///
/// let floor = Shape::half_space(Vec3::z(), 0.0)?;
/// let ball = Shape::sphere(0.5)?;
/// let above = Pose::from_translation(Vec3::new(3.0, 0.0, 0.75))?;
/// let gap = distance(&floor, &Pose::identity(), &ball, &above, &Default::default())?;
/// assert_eq!(gap.gap, 0.25);
/// assert_eq!(gap.normal, Vec3::z());
/// assert_eq!(gap.point_a, Vec3::new(3.0, 0.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    params: &DistanceParams,
) -> Result<Gap, ProximityError> {
    match (a, b) {
        (Shape::Convex(a), Shape::Convex(b)) => Ok(convex::search(a, pose_a, b, pose_b, params)),
        (Shape::HalfSpace(a), Shape::Convex(b)) => {
            Ok(judged(convex::half_space_distance(a, pose_a, b, pose_b), params))
        }
        (Shape::Convex(a), Shape::HalfSpace(b)) => {
            Ok(judged(convex::half_space_distance(b, pose_b, a, pose_a).swapped(), params))
        }
        _ => Err(refusal(a, b)),
    }
}

/// A gap of a half-space, which is known at once, told as `Farther` when it is beyond the cutoff: as for every other pair.
fn judged(gap: Gap, params: &DistanceParams) -> Gap {
    if gap.lower > params.cutoff { Gap { status: GapStatus::Farther, ..gap } } else { gap }
}

/// Whether two shapes have a point in common, to rounding; see [`convex::intersects`].
pub fn intersects(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<bool, ProximityError> {
    match (a, b) {
        (Shape::Convex(a), Shape::Convex(b)) => Ok(convex::intersects(a, pose_a, b, pose_b)),
        _ => Ok(distance(a, pose_a, b, pose_b, &DistanceParams::default())?.gap <= 0.0),
    }
}

/// Why two shapes have no gap.
fn refusal(a: &Shape, b: &Shape) -> ProximityError {
    let refused = [a, b].into_iter().find(|shape| matches!(shape, Shape::Compound(_) | Shape::Mesh(_)));
    refused.map_or(ProximityError::BothUnbounded, |shape| ProximityError::NotConvex { shape: shape.kind() })
}

#[cfg(test)]
mod tests {
    use zerogap_core::Vec3;

    use super::*;

    #[test]
    fn a_half_space_beyond_the_cutoff_says_so_from_both_sides() {
        let (floor, ball) = (Shape::half_space(Vec3::z(), 0.0).unwrap(), Shape::sphere(0.5).unwrap());
        let (here, above) = (Pose::identity(), Pose::from_translation(Vec3::new(0.0, 0.0, 2.0)).unwrap());
        for (cutoff, status) in [(1.0, GapStatus::Farther), (2.0, GapStatus::Exact)] {
            let params = DistanceParams { cutoff, ..DistanceParams::default() };
            let gap = distance(&floor, &here, &ball, &above, &params).unwrap();
            assert_eq!(gap.status, status);
            assert_eq!(distance(&ball, &above, &floor, &here, &params).unwrap().swapped(), gap);
        }
    }
}
