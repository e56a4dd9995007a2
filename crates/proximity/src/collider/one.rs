//! One pair at two poses, without a cache: what most callers ask.

use zerogap_core::{Gap, Pose};

use super::answer::{contacts_into, gap};
use super::cache::ColliderCache;
use super::contacts::ContactSet;
use super::error::ColliderError;
use super::kind::Collider;
use super::pair::ColliderPair;
use crate::convex::{self, ContactParams, DistanceParams};

/// Returns the signed distance of two colliders, with normal, witness points and certificate: [`gap()`] without a cache.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::{Shape, parts};
/// use zerogap_proximity::collider::Collider;
/// use zerogap_proximity::distance;
///
/// let floor = Collider::from(Shape::half_space(Vec3::z(), 0.0)?);
/// let ball = Collider::from(Shape::sphere(0.5)?);
/// let above = Pose::from_translation(Vec3::new(3.0, 0.0, 0.75))?;
/// let found = distance(&floor, &Pose::identity(), &ball, &above, &Default::default())?;
/// assert_eq!(found.gap, 0.25);
/// assert_eq!(found.normal, Vec3::z());
/// assert_eq!(found.point_a, Vec3::new(3.0, 0.0, 0.0));
///
/// // Meshes are measured as they are, concave: a peg in its hole.
/// let plate = Collider::from(Shape::from(parts::by_name("hole-plate", &[])?));
/// let peg = Collider::from(Shape::from(parts::by_name("peg", &[])?));
/// let found = distance(&plate, &Pose::identity(), &peg, &Pose::identity(), &Default::default())?;
/// assert!((found.gap - 1e-4).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(
    a: &Collider,
    pose_a: &Pose,
    b: &Collider,
    pose_b: &Pose,
    params: &DistanceParams,
) -> Result<Gap, ColliderError> {
    gap(&ColliderPair::new(a, *pose_a, b, *pose_b), params, &mut ColliderCache::default())
}

/// Returns whether two colliders have a point in common, to rounding.
pub fn intersects(a: &Collider, pose_a: &Pose, b: &Collider, pose_b: &Pose) -> Result<bool, ColliderError> {
    match (a, b) {
        // Stops as soon as a direction separates the two.
        (Collider::Convex(a), Collider::Convex(b)) => Ok(convex::intersects(a, pose_a, b, pose_b)),
        _ => Ok(distance(a, pose_a, b, pose_b, &DistanceParams::default())?.gap <= 0.0),
    }
}

/// Returns the contacts of two colliders: [`contacts_into`] without a cache.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::Shape;
/// use zerogap_proximity::collider::Collider;
/// use zerogap_proximity::{ContactParams, contacts};
///
/// // A capsule that lies on the floor has two contacts, one under each end.
/// let floor = Collider::from(Shape::half_space(Vec3::z(), 0.0)?);
/// let capsule = Collider::from(Shape::capsule(0.1, 0.5)?);
/// let lying = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 0.1), Vec3::y(), std::f64::consts::FRAC_PI_2)?;
/// let found = contacts(&floor, &Pose::identity(), &capsule, &lying, &ContactParams::default())?;
/// assert_eq!(found.manifold.contacts.len(), 2);
/// assert!(found.manifold.contacts.iter().all(|contact| contact.gap.abs() < 1e-15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(
    a: &Collider,
    pose_a: &Pose,
    b: &Collider,
    pose_b: &Pose,
    params: &ContactParams,
) -> Result<ContactSet, ColliderError> {
    let mut set = ContactSet::default();
    let pair = ColliderPair::new(a, *pose_a, b, *pose_b);
    contacts_into(&pair, params, &mut ColliderCache::default(), &mut set)?;
    Ok(set)
}

#[cfg(test)]
mod tests {
    use zerogap_core::{GapStatus, Vec3};
    use zerogap_geometry::Shape;

    use super::*;

    #[test]
    fn a_half_space_beyond_the_cutoff_says_so_from_both_sides() {
        let floor = Collider::from(Shape::half_space(Vec3::z(), 0.0).unwrap());
        let ball = Collider::from(Shape::sphere(0.5).unwrap());
        let (here, above) = (Pose::identity(), Pose::from_translation(Vec3::new(0.0, 0.0, 2.0)).unwrap());
        for (cutoff, status) in [(1.0, GapStatus::Farther), (2.0, GapStatus::Exact)] {
            let params = DistanceParams { cutoff, ..DistanceParams::default() };
            let gap = distance(&floor, &here, &ball, &above, &params).unwrap();
            assert_eq!(gap.status, status);
            assert_eq!(distance(&ball, &above, &floor, &here, &params).unwrap().swapped(), gap);
        }
    }

    #[test]
    fn bodies_of_every_kind_intersect_where_their_gap_is_not_positive() {
        let cube = Shape::cuboid(Vec3::repeat(1.0)).unwrap();
        let ring = zerogap_geometry::parts::by_name("torus", &[]).unwrap();
        let bodies =
            [Shape::half_space(Vec3::z(), 0.0).unwrap(), cube, Shape::from(ring)].map(Collider::from);
        let here = Pose::identity();
        for (k, a) in bodies.iter().enumerate() {
            for b in &bodies[k.max(1)..] {
                for z in [0.0, 0.1, 0.49, 0.51, 3.0] {
                    let there = Pose::from_translation(Vec3::new(0.02, 0.01, z)).unwrap();
                    let found = distance(a, &here, b, &there, &DistanceParams::default()).unwrap();
                    assert_eq!(intersects(a, &here, b, &there).unwrap(), found.gap <= 0.0, "{a:?} {b:?} {z}");
                }
            }
        }
        assert!(intersects(&bodies[0], &here, &bodies[0], &here).is_err());
    }
}
