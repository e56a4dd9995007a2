//! Where a body is: a rotation and a translation.

use nalgebra::{Quaternion, UnitQuaternion};

use crate::error::{InputError, check_coordinates, check_direction};
use crate::math::{self, Mat3, Vec3};

/// How far from 1 rounding leaves the squared length of a normalised quaternion [-].
const NORMALISED: f64 = 4.0 * f64::EPSILON;

/// How far from 1 the squared length of a quaternion that is kept as it is may be [-]: far above rounding, far below what a mistake would make.
const KEPT: f64 = 1e-12;

/// How far `RᵀR` of a rotation matrix may be from the identity in any entry [-]: what single precision and printed digits leave.
const ORTHOGONAL: f64 = 1e-6;

/// A rigid placement `X_WA` of a frame A in a frame W: `p_WQ = X_WA * p_AQ`.
///
/// The rotation is a unit quaternion, normalised when it enters. Loops over many points should take
/// [`Pose::rotation_matrix`] once: rotating by a quaternion costs about twice as much as by a matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    rotation: UnitQuaternion<f64>,
    translation: Vec3,
}

crate::store_struct!(Pose { rotation, translation } check |pose| check_coordinates("translation", pose.translation));

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

impl Pose {
    /// The pose that changes nothing.
    pub fn identity() -> Self {
        Self { rotation: UnitQuaternion::identity(), translation: Vec3::zeros() }
    }

    /// From a translation [m] and a quaternion `(x, y, z, w)` of any positive length.
    pub fn new(translation: Vec3, quaternion_xyzw: [f64; 4]) -> Result<Self, InputError> {
        let translation = check_coordinates("translation", translation)?;
        let [x, y, z, w] = quaternion_xyzw;
        let largest = x.abs().max(y.abs()).max(z.abs()).max(w.abs());
        if !(largest > 0.0 && quaternion_xyzw.iter().all(|c| c.is_finite())) {
            return Err(InputError::Quaternion { x, y, z, w });
        }
        // A quaternion that is normalised to rounding already stays as it is: a pose read back from its own numbers keeps its bits.
        if ((x * x + y * y + z * z + w * w) - 1.0).abs() <= NORMALISED {
            return Ok(Self {
                rotation: UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z)),
                translation,
            });
        }
        // Scaling by the largest component first keeps the squares from over- and underflowing.
        let q = Quaternion::new(w / largest, x / largest, y / largest, z / largest);
        Ok(Self { rotation: UnitQuaternion::from_quaternion(q), translation })
    }

    /// From the numbers of another pose, every bit kept: for reading poses that were stored. A quaternion that is not of length 1 is rejected.
    pub fn from_stored(translation: Vec3, quaternion_xyzw: [f64; 4]) -> Result<Self, InputError> {
        let translation = check_coordinates("translation", translation)?;
        let [x, y, z, w] = quaternion_xyzw;
        let off = (x * x + y * y + z * z + w * w) - 1.0;
        if off.abs() <= KEPT {
            let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
            Ok(Self { rotation, translation })
        } else {
            Err(InputError::Quaternion { x, y, z, w })
        }
    }

    /// A pure translation [m].
    pub fn from_translation(translation: Vec3) -> Result<Self, InputError> {
        Self::new(translation, [0.0, 0.0, 0.0, 1.0])
    }

    /// A translation [m] after a rotation by `angle` [rad] about `axis` (any positive length).
    pub fn from_axis_angle(translation: Vec3, axis: Vec3, angle: f64) -> Result<Self, InputError> {
        let axis = check_direction("rotation axis", axis)?;
        let (s, c) = math::sin_cos(0.5 * angle);
        Self::new(translation, [s * axis.x, s * axis.y, s * axis.z, c])
    }

    /// From a translation [m] and the angles of `Rz(yaw) Ry(pitch) Rx(roll)` [rad], as in URDF.
    pub fn from_roll_pitch_yaw(translation: Vec3, [roll, pitch, yaw]: [f64; 3]) -> Result<Self, InputError> {
        Self::new(translation, quaternion_of_roll_pitch_yaw(roll, pitch, yaw))
    }

    /// From a translation [m] and a rotation matrix, which may be off by 1e-6 in any entry of `RᵀR`: it was printed, or rounded to single precision. Mirrored and scaled
    /// matrices are rejected.
    pub fn from_rotation_matrix(translation: Vec3, matrix: &Mat3) -> Result<Self, InputError> {
        let miss = (matrix.transpose() * matrix - Mat3::identity()).amax();
        let determinant = matrix.determinant();
        // A comparison with NaN is false, so that it is rejected too.
        if !(miss <= ORTHOGONAL && determinant > 0.0) {
            return Err(InputError::RotationMatrix { miss, determinant, allowed: ORTHOGONAL });
        }
        // The largest of the four squares is divided by: no digits cancel (Shepperd 1978).
        let m = |i: usize, j: usize| matrix[(i, j)];
        let trace = matrix.trace();
        let squares = [m(0, 0), m(1, 1), m(2, 2), trace];
        let largest = (0..4).fold(3, |best, k| if squares[k] > squares[best] { k } else { best });
        let quaternion = if largest == 3 {
            [m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1), 1.0 + trace]
        } else {
            let (i, j, k) = (largest, (largest + 1) % 3, (largest + 2) % 3);
            let mut q = [0.0; 4];
            q[i] = 1.0 + m(i, i) - m(j, j) - m(k, k);
            q[j] = m(j, i) + m(i, j);
            q[k] = m(k, i) + m(i, k);
            q[3] = m(k, j) - m(j, k);
            q
        };
        Self::new(translation, quaternion)
    }

    /// The rotation.
    pub fn rotation(&self) -> &UnitQuaternion<f64> {
        &self.rotation
    }

    /// The translation [m].
    pub fn translation(&self) -> Vec3 {
        self.translation
    }

    /// The quaternion as `(x, y, z, w)`.
    pub fn quaternion_xyzw(&self) -> [f64; 4] {
        let q = self.rotation.quaternion();
        [q.i, q.j, q.k, q.w]
    }

    /// Returns the rotation from the orientation of another pose to this one, by the smaller angle, as a rotation vector in W [rad].
    pub fn rotation_vector_from(&self, from: &Self) -> Vec3 {
        rotation_vector((*self * from.inverse()).rotation.quaternion())
    }

    /// The rotation as a matrix, for loops over many points.
    pub fn rotation_matrix(&self) -> Mat3 {
        *self.rotation.to_rotation_matrix().matrix()
    }

    /// The pose of W in A.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// A point of A expressed in W [m].
    pub fn transform_point(&self, p: &Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }

    /// A direction of A expressed in W.
    pub fn transform_vector(&self, v: &Vec3) -> Vec3 {
        self.rotation * v
    }

    /// A point of W expressed in A [m].
    pub fn inverse_transform_point(&self, p: &Vec3) -> Vec3 {
        self.rotation.inverse_transform_vector(&(p - self.translation))
    }

    /// A direction of W expressed in A.
    pub fn inverse_transform_vector(&self, v: &Vec3) -> Vec3 {
        self.rotation.inverse_transform_vector(v)
    }
}

/// Returns the rotation vector, axis times angle, of a unit quaternion [rad]: of the two rotations that a quaternion and its negative describe, the one by the smaller angle.
pub fn rotation_vector(q: &Quaternion<f64>) -> Vec3 {
    let (along, w) = if q.w < 0.0 { (-q.imag(), -q.w) } else { (q.imag(), q.w) };
    let half = along.norm();
    if half == 0.0 { Vec3::zeros() } else { along * (2.0 * math::atan2(half, w) / half) }
}

/// Returns the quaternion `(x, y, z, w)` of `Rz(yaw) Ry(pitch) Rx(roll)`, angles in [rad].
pub fn quaternion_of_roll_pitch_yaw(roll: f64, pitch: f64, yaw: f64) -> [f64; 4] {
    let (sr, cr) = math::sin_cos(0.5 * roll);
    let (sp, cp) = math::sin_cos(0.5 * pitch);
    let (sy, cy) = math::sin_cos(0.5 * yaw);
    [
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]
}

/// `X_WB = X_WA * X_AB`.
impl std::ops::Mul for Pose {
    type Output = Pose;
    fn mul(self, other: Pose) -> Pose {
        // Products drift from length 1 by a rounding each; renormalising here keeps long chains exact to rounding.
        let rotation = UnitQuaternion::new_normalize((self.rotation * other.rotation).into_inner());
        Pose { rotation, translation: self.rotation * other.translation + self.translation }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_rotation_vector_takes_one_orientation_to_another_by_the_smaller_angle() {
        let from = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.5, 0.8), 2.0).unwrap();
        for angle in [-3.0, -1e-9, 0.0, 1e-150, 0.4, 3.1, 3.2, 6.0] {
            let axis = Vec3::new(0.6, 0.0, 0.8);
            let turn = Pose::from_axis_angle(Vec3::zeros(), axis, angle).unwrap();
            let found = (turn * from).rotation_vector_from(&from);
            let smaller = if angle > std::f64::consts::PI { angle - std::f64::consts::TAU } else { angle };
            assert!((found - axis * smaller).norm() < 1e-14, "{angle}: {found:?}");
        }
    }

    use super::*;

    #[test]
    fn quaternions_of_any_length_are_normalised_on_entry() {
        for scale in [1e-300, 1e-3, 1.0, 1e300] {
            let pose = Pose::new(Vec3::zeros(), [0.0, 0.0, scale, scale]).unwrap();
            let rotated = pose.transform_vector(&Vec3::x());
            assert!((rotated - Vec3::y()).amax() < 1e-15, "scale {scale}: {rotated}");
        }
    }

    #[test]
    fn a_pose_made_from_the_numbers_of_another_has_its_bits() {
        for k in 1..1000 {
            let quaternion = [0.1 * f64::from(k), 1.0, -2.0, 1e-3 * f64::from(k * k)];
            let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), quaternion).unwrap();
            assert_eq!(Pose::new(pose.translation(), pose.quaternion_xyzw()).unwrap(), pose);
        }
    }

    #[test]
    fn a_stored_pose_keeps_bits_that_normalising_would_change() {
        // Six roundings off: the length of a quaternion that was normalised may be wrong by that much.
        let q = [0.0, -0.0, 0.0, 1.0 + 3.0 * f64::EPSILON];
        let at = Vec3::new(-0.0, 1e-310, 2.0);
        let kept = Pose::from_stored(at, q).unwrap();
        assert_eq!(kept.quaternion_xyzw().map(f64::to_bits), q.map(f64::to_bits));
        assert_eq!(kept.translation().map(f64::to_bits), at.map(f64::to_bits));
        assert_ne!(Pose::new(at, q).unwrap().quaternion_xyzw().map(f64::to_bits), q.map(f64::to_bits));
        for bad in [[0.0, 0.0, 0.0, 1.1], [0.0; 4], [f64::NAN, 0.0, 0.0, 1.0], [f64::INFINITY, 0.0, 0.0, 1.0]]
        {
            assert!(Pose::from_stored(at, bad).is_err(), "{bad:?}");
        }
        assert!(Pose::from_stored(Vec3::new(f64::NAN, 0.0, 0.0), [0.0, 0.0, 0.0, 1.0]).is_err());
    }

    #[test]
    fn bad_poses_are_refused_with_their_values() {
        let zero = Pose::new(Vec3::zeros(), [0.0; 4]).unwrap_err();
        assert!(zero.to_string().contains("(0, 0, 0, 0)"), "{zero}");
        let nan = Pose::from_translation(Vec3::new(0.0, f64::NAN, 0.0)).unwrap_err();
        assert!(nan.to_string().contains("NaN"), "{nan}");
        assert!(Pose::from_translation(Vec3::new(1e300, 0.0, 0.0)).is_err());
        assert!(Pose::new(Vec3::zeros(), [f64::INFINITY, 0.0, 0.0, 1.0]).is_err());
        assert!(Pose::from_axis_angle(Vec3::zeros(), Vec3::zeros(), 1.0).is_err());
        assert!(Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), f64::NAN).is_err());
    }

    #[test]
    fn a_pose_made_from_the_matrix_of_another_is_the_same_pose() {
        let at = Vec3::new(1.0, -2.0, 3.0);
        for k in 0..200 {
            let s = f64::from(k);
            // Every 50th is a half turn about an axis of the frame, where three of the four components vanish.
            let q = match k {
                0 => [1.0, 0.0, 0.0, 0.0],
                50 => [0.0, 1.0, 0.0, 0.0],
                100 => [0.0, 0.0, 1.0, 0.0],
                150 => [0.0, 0.0, 0.0, 1.0],
                _ => [math::sin(s), math::cos(1.7 * s), math::sin(2.9 * s), math::cos(0.3 * s)],
            };
            let pose = Pose::new(at, q).unwrap();
            let again = Pose::from_rotation_matrix(at, &pose.rotation_matrix()).unwrap();
            assert!(again.rotation_vector_from(&pose).norm() < 1e-14, "{q:?}");
        }
    }

    #[test]
    fn matrices_that_are_no_rotation_are_refused_with_their_miss() {
        let mirror = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0));
        for bad in [mirror, Mat3::identity() * 1.001, Mat3::zeros(), Mat3::repeat(f64::NAN)] {
            let error = Pose::from_rotation_matrix(Vec3::zeros(), &bad).unwrap_err().to_string();
            assert!(error.contains("rotation matrix") && error.contains("determinant"), "{error}");
        }
        let printed = Mat3::from_row_slice(&[0.866_025, -0.5, 0.0, 0.5, 0.866_025, 0.0, 0.0, 0.0, 1.0]);
        assert!(Pose::from_rotation_matrix(Vec3::zeros(), &printed).is_ok());
    }

    #[test]
    fn roll_pitch_yaw_turns_about_x_then_y_then_z() {
        let [roll, pitch, yaw] = [0.3, -0.7, 2.1];
        let about = |axis, angle| Pose::from_axis_angle(Vec3::zeros(), axis, angle).unwrap();
        let chained = about(Vec3::z(), yaw) * about(Vec3::y(), pitch) * about(Vec3::x(), roll);
        let pose = Pose::from_roll_pitch_yaw(Vec3::zeros(), [roll, pitch, yaw]).unwrap();
        assert!(pose.rotation_vector_from(&chained).norm() < 1e-15);
    }

    #[test]
    fn a_pose_times_its_inverse_changes_nothing() {
        let pose = Pose::from_axis_angle(Vec3::new(1.0, -2.0, 3.0), Vec3::new(1.0, 1.0, 0.2), 1.234).unwrap();
        let p = Vec3::new(0.3, 0.4, -5.0);
        assert!(((pose * pose.inverse()).transform_point(&p) - p).amax() < 1e-14);
        assert!((pose.inverse_transform_point(&pose.transform_point(&p)) - p).amax() < 1e-14);
        assert!((pose.rotation_matrix() * p - pose.transform_vector(&p)).amax() < 1e-14);
    }
}
