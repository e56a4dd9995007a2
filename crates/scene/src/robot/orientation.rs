//! Orientations as robot files write them, to quaternions.

use zerogap_core::math::sin_cos;
use zerogap_core::{InputError, Mat3, Pose, Vec3};

/// A pose rotated about a list of axes, one after the other, each in the frame that the ones before have made.
pub(super) fn turned(place: Vec3, turns: &[(Vec3, f64)]) -> Result<Pose, InputError> {
    let mut pose = Pose::from_translation(place)?;
    for (axis, angle) in turns {
        pose = pose * Pose::from_axis_angle(Vec3::zeros(), *axis, *angle)?;
    }
    Ok(pose)
}

/// The quaternion `(x, y, z, w)` of a rotation matrix, from its largest component, so that nothing is lost to cancellation.
pub(super) fn quaternion(r: &Mat3) -> [f64; 4] {
    let four = [
        1.0 + r[(0, 0)] - r[(1, 1)] - r[(2, 2)],
        1.0 - r[(0, 0)] + r[(1, 1)] - r[(2, 2)],
        1.0 - r[(0, 0)] - r[(1, 1)] + r[(2, 2)],
        1.0 + r[(0, 0)] + r[(1, 1)] + r[(2, 2)],
    ];
    let largest = (0..4).fold(0, |best, k| if four[k] > four[best] { k } else { best });
    let (xy, xz, yz) = (r[(0, 1)] + r[(1, 0)], r[(0, 2)] + r[(2, 0)], r[(1, 2)] + r[(2, 1)]);
    let (xw, yw, zw) = (r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]);
    match largest {
        0 => [four[0], xy, xz, xw],
        1 => [xy, four[1], yz, yw],
        2 => [xz, yz, four[2], zw],
        _ => [xw, yw, zw, four[3]],
    }
}

/// The quaternion of the frame whose x axis is along `x` and whose y axis lies towards `y`; none where these are parallel.
pub(super) fn from_x_and_y(x: Vec3, y: Vec3) -> Option<[f64; 4]> {
    let x = x.try_normalize(f64::MIN_POSITIVE)?;
    let y = (y - x * x.dot(&y)).try_normalize(1e-9 * y.norm())?;
    Some(quaternion(&Mat3::from_columns(&[x, y, x.cross(&y)])))
}

/// The quaternion of the least turn that takes the z axis along `z`; none for zero.
pub(super) fn from_z(z: Vec3) -> Option<[f64; 4]> {
    let z = z.try_normalize(f64::MIN_POSITIVE)?;
    // Straight down any half turn about a level axis will do.
    if z.z < -1.0 + 1e-12 {
        return Some([1.0, 0.0, 0.0, 0.0]);
    }
    Some([-z.y, z.x, 0.0, 1.0 + z.z])
}

/// The quaternion of a turn about an axis.
pub(super) fn about(axis: Vec3, angle: f64) -> Option<[f64; 4]> {
    let axis = axis.try_normalize(f64::MIN_POSITIVE)?;
    let (sin, cos) = sin_cos(0.5 * angle);
    Some([axis.x * sin, axis.y * sin, axis.z * sin, cos])
}

/// Right-handed principal axes as columns, and the moments about them, the largest first.
pub(super) fn principal(inertia: &Mat3) -> (Mat3, Vec3) {
    let eigen = inertia.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let column = |k: usize| eigen.eigenvectors.column(order[k]).into_owned();
    let (x, y) = (column(0), column(1));
    let moments =
        Vec3::new(eigen.eigenvalues[order[0]], eigen.eigenvalues[order[1]], eigen.eigenvalues[order[2]]);
    (Mat3::from_columns(&[x, y, x.cross(&y)]), moments)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn quaternions_of_matrices_turn_like_the_matrices() {
        for axis in [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(1.0, -2.0, 0.5)] {
            for angle in [0.0, 0.3, 1.5, 3.0, std::f64::consts::PI, -2.5] {
                let pose = Pose::from_axis_angle(Vec3::zeros(), axis, angle).unwrap();
                let again = Pose::new(Vec3::zeros(), quaternion(&pose.rotation_matrix())).unwrap();
                assert!((again.rotation_matrix() - pose.rotation_matrix()).norm() < 1e-14);
                let turn = Pose::new(Vec3::zeros(), about(axis, angle).unwrap()).unwrap();
                assert!((turn.rotation_matrix() - pose.rotation_matrix()).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn axes_go_where_they_are_told() {
        let z = Vec3::new(0.3, -0.4, -0.6);
        for z in [z, Vec3::z(), -Vec3::z(), Vec3::new(1e-9, 0.0, -1.0)] {
            let pose = Pose::new(Vec3::zeros(), from_z(z).unwrap()).unwrap();
            assert!((pose.transform_vector(&Vec3::z()) - z.normalize()).norm() < 1e-8);
        }
        let pose = Pose::new(Vec3::zeros(), from_x_and_y(Vec3::y(), -Vec3::x()).unwrap()).unwrap();
        assert!((pose.transform_vector(&Vec3::x()) - Vec3::y()).norm() < 1e-15);
        assert!(from_x_and_y(Vec3::x(), Vec3::x()).is_none() && from_z(Vec3::zeros()).is_none());
        let turned = turned(Vec3::zeros(), &[(Vec3::z(), FRAC_PI_2), (Vec3::x(), FRAC_PI_2)]).unwrap();
        assert!((turned.transform_vector(&Vec3::y()) - Vec3::z()).norm() < 1e-15);
    }
}
