//! Gaps and contacts of any two shapes that have them: convex ones and half-spaces.

use zerogap_core::{Gap, GapStatus, Manifold, Pose};
use zerogap_geometry::Shape;

use crate::convex::{self, ContactCache, ContactParams, DistanceParams};
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

/// A gap of a half-space, which is known at once, reported as `Farther` when it is beyond the cutoff: as for every other pair.
pub(crate) fn judged(gap: Gap, params: &DistanceParams) -> Gap {
    if gap.lower > params.cutoff { Gap { status: GapStatus::Farther, ..gap } } else { gap }
}

/// Whether two shapes have a point in common, to rounding; see [`convex::intersects`].
pub fn intersects(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<bool, ProximityError> {
    match (a, b) {
        (Shape::Convex(a), Shape::Convex(b)) => Ok(convex::intersects(a, pose_a, b, pose_b)),
        _ => Ok(distance(a, pose_a, b, pose_b, &DistanceParams::default())?.gap <= 0.0),
    }
}

/// Returns the contacts of two shapes: see [`convex::contacts`].
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::Shape;
/// use zerogap_proximity::{ContactParams, contacts};
///
/// // A capsule that lies on the floor has two contacts, one under each end.
/// let (floor, capsule) = (Shape::half_space(Vec3::z(), 0.0)?, Shape::capsule(0.1, 0.5)?);
/// let lying = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 0.1), Vec3::y(), std::f64::consts::FRAC_PI_2)?;
/// let manifold = contacts(&floor, &Pose::identity(), &capsule, &lying, &ContactParams::default())?;
/// assert_eq!(manifold.contacts.len(), 2);
/// assert!(manifold.contacts.iter().all(|contact| contact.gap.abs() < 1e-15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    params: &ContactParams,
) -> Result<Manifold, ProximityError> {
    let mut manifold = Manifold::default();
    contacts_into(a, pose_a, b, pose_b, params, &mut manifold)?;
    Ok(manifold)
}

/// [`contacts`] into a manifold whose memory is used again.
pub fn contacts_into(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    params: &ContactParams,
    manifold: &mut Manifold,
) -> Result<(), ProximityError> {
    match (a, b) {
        (Shape::Convex(a), Shape::Convex(b)) => {
            convex::contacts_into(a, pose_a, b, pose_b, params, manifold);
        }
        (Shape::HalfSpace(a), Shape::Convex(b)) => {
            convex::half_space_contacts(a, pose_a, b, pose_b, params, manifold);
        }
        (Shape::Convex(a), Shape::HalfSpace(b)) => {
            convex::half_space_contacts(b, pose_b, a, pose_a, params, manifold);
            manifold.swap();
        }
        _ => return Err(refusal(a, b)),
    }
    Ok(())
}

/// [`contacts`] with a cache for the pair, into a manifold whose memory is used again: see [`convex::contacts_with`].
pub fn contacts_with(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    params: &ContactParams,
    cache: &mut ContactCache,
    manifold: &mut Manifold,
) -> Result<(), ProximityError> {
    match (a, b) {
        (Shape::Convex(a), Shape::Convex(b)) => {
            convex::contacts_with(a, pose_a, b, pose_b, params, cache, manifold);
            Ok(())
        }
        // The normal of a half-space is the only one, and its gap is known at once: there is nothing to keep.
        _ => contacts_into(a, pose_a, b, pose_b, params, manifold),
    }
}

/// Why two shapes have no gap.
pub(crate) fn refusal(a: &Shape, b: &Shape) -> ProximityError {
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
