//! Boxes that cover a motion: for pairs that may touch at any time of a step.
//!
//! In: a body's own box and its poses at the start and the end. Out: a box that holds the body at all times between. The motion is that of a body
//! whose origin moves on a straight line while it turns at a constant rate about a fixed axis, by the smaller of the two angles.

use zerogap_core::math::{angle_between, cos};
use zerogap_core::{Aabb, Pose, Vec3};

/// Largest distance along the chord between a point that turns and one that runs along the chord in the same time, over radius and the cube of
/// the angle [rad⁻³]. From the series of the sine; later terms only take away.
const LAG: f64 = 0.008_02;

/// Returns the largest deviation of points of a rotating body from the chords between their start and end [m].
///
/// `reach` is the largest distance of a point from the body's origin [m], `angle` how far it turns [rad], up to a full half turn.
///
/// Method: a point on a circle of radius r is at most r (1 - cos φ/2) beside its chord (the sagitta), and at most 0.00802 r φ³ ahead or behind on it.
pub fn arc_allowance(reach: f64, angle: f64) -> f64 {
    reach * ((1.0 - cos(0.5 * angle)) + LAG * angle * angle * angle)
}

/// A box around a body at all times of a motion from one pose to another; `own` is its box in its own frame.
///
/// Computes: the union of the boxes at both ends, inflated by [`arc_allowance`] and what rounding needs.
/// Frames: `own` in the body's frame, poses and answer in the world.
/// Tolerance: never too small; larger than the smallest such box by no more than twice the allowance on each side.
///
/// ```
/// use zerogap_core::{Aabb, Pose, Vec3};
/// use zerogap_proximity::broad::motion_box;
///
/// let blade = Aabb { min: Vec3::new(-1.0, -0.1, 0.0), max: Vec3::new(1.0, 0.1, 0.1) };
/// let rotated = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), 1.0)?;
/// let swept = motion_box(&blade, &Pose::identity(), &rotated);
/// let halfway = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), 0.5)?;
/// assert!(swept.contains(&halfway.transform_point(&Vec3::new(1.0, 0.1, 0.0))));
/// # Ok::<(), zerogap_core::InputError>(())
/// ```
pub fn motion_box(own: &Aabb, from: &Pose, to: &Pose) -> Aabb {
    let ends = own.transformed(from).union(&own.transformed(to));
    if own.is_empty() {
        return ends;
    }
    let reach = own.min.abs().sup(&own.max.abs()).norm();
    let angle = rotation_angle(from, to);
    let size = ends.min.amax().max(ends.max.amax()).max(reach);
    ends.expanded(arc_allowance(reach, angle) + ROUNDING * size)
}

/// Roundings of poses and boxes, against the largest coordinate [-].
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The angle between two orientations [rad], from 0 to π.
fn rotation_angle(from: &Pose, to: &Pose) -> f64 {
    let [x, y, z, w] = (from.rotation().inverse() * to.rotation()).quaternion().coords.into();
    // Twice the angle between the quaternion and 1; of q and -q the nearer.
    2.0 * angle_between(&Vec3::new(w.abs(), 0.0, 0.0), &Vec3::new(w.abs(), Vec3::new(x, y, z).norm(), 0.0))
}

#[cfg(test)]
mod tests {
    use zerogap_testkit::{count, random::Random};

    use super::*;

    #[test]
    fn a_motion_box_holds_the_body_at_every_instant() {
        let mut random = Random::new(11);
        for _ in 0..count(300, 30_000) {
            let corners = [random.in_cube(1.0), random.in_cube(1.0)];
            let own = Aabb::from_points(&corners);
            let (axis, angle) = (random.direction(), random.range(0.0, 3.1));
            let (start, displacement) = (random.in_cube(3.0), random.in_cube(3.0));
            let first = Pose::new(start, random.quaternion_xyzw()).unwrap();
            let at = |t: f64| {
                let turn = Pose::from_axis_angle(Vec3::zeros(), axis, angle * t).unwrap();
                let q = (turn.rotation() * first.rotation()).into_inner();
                Pose::new(start + displacement * t, [q.i, q.j, q.k, q.w]).unwrap()
            };
            let swept = motion_box(&own, &first, &at(1.0));
            for k in 0..=100 {
                let pose = at(f64::from(k) / 100.0);
                for bits in 0..8 {
                    let corner =
                        Vec3::from_fn(|i, _| if bits >> i & 1 == 1 { own.max[i] } else { own.min[i] });
                    assert!(swept.contains(&pose.transform_point(&corner)), "{own:?} {angle} {k}");
                }
            }
        }
    }

    #[test]
    fn a_body_that_does_not_turn_needs_no_allowance() {
        let own = Aabb::from_center_size(Vec3::zeros(), Vec3::repeat(2.0));
        let swept =
            motion_box(&own, &Pose::identity(), &Pose::from_translation(Vec3::new(3.0, 0.0, 0.0)).unwrap());
        assert!((swept.max - Vec3::new(4.0, 1.0, 1.0)).amax() < 1e-13);
        assert!((swept.min - Vec3::repeat(-1.0)).amax() < 1e-13);
    }
}
