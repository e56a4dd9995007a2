//! Principal axes of triangles: the mean and the eigenvectors of the covariance of the surface.

use zerogap_core::{Mat3, Vec3};

/// Rounds of rotations in the three planes; each round about squares what is left beside the diagonal.
const SWEEPS: usize = 8;

/// Mean and axes of a set of triangles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Principal {
    /// Unit vectors in the columns, longest spread first, right-handed.
    pub(super) axes: Mat3,
}

/// The principal axes of a surface; of the corners alone, where it has no area.
pub(super) fn principal(triangles: &[[Vec3; 3]]) -> Principal {
    let Some(first) = triangles.first() else { return Principal { axes: Mat3::identity() } };
    // Measured from a corner, so that a small patch far from the middle keeps its digits.
    let from = first[0];
    let (mut weight, mut sum, mut products) = (0.0, Vec3::zeros(), [0.0_f64; 6]);
    let (mut corner_sum, mut corner_products) = (Vec3::zeros(), [0.0_f64; 6]);
    let add = |to: &mut [f64; 6], p: &Vec3, w: f64| {
        let q = p * w;
        to[0] += q.x * p.x;
        to[1] += q.y * p.y;
        to[2] += q.z * p.z;
        to[3] += q.x * p.y;
        to[4] += q.x * p.z;
        to[5] += q.y * p.z;
    };
    for corners in triangles {
        let [a, b, c] = corners.map(|p| p - from);
        let area = (b - a).cross(&(c - a)).norm();
        let three = a + b + c;
        // The second moment of a triangle: that of its corners and of nine times its middle, over twelve.
        weight += area;
        sum += three * (area / 3.0);
        add(&mut products, &three, area / 12.0);
        corner_sum += three;
        for p in [a, b, c] {
            add(&mut products, &p, area / 12.0);
            add(&mut corner_products, &p, 1.0);
        }
    }
    let count = 3.0 * triangles.len() as f64;
    let covariance = |weight: f64, sum: &Vec3, p: &[f64; 6]| {
        let m = sum / weight;
        Mat3::new(
            p[0] / weight - m.x * m.x,
            p[3] / weight - m.x * m.y,
            p[4] / weight - m.x * m.z,
            p[3] / weight - m.x * m.y,
            p[1] / weight - m.y * m.y,
            p[5] / weight - m.y * m.z,
            p[4] / weight - m.x * m.z,
            p[5] / weight - m.y * m.z,
            p[2] / weight - m.z * m.z,
        )
    };
    // Areas that underflow or are lost in rounding give no axes; the corners always do.
    let corners = covariance(count, &corner_sum, &corner_products);
    let matrix = if weight > 0.0 { covariance(weight, &sum, &products) } else { corners };
    let axes = if matrix.iter().all(|x| x.is_finite()) { eigenvectors(matrix) } else { Mat3::identity() };
    Principal { axes }
}

/// Eigenvectors of a symmetric matrix in the columns, largest eigenvalue first, right-handed, each of length 1 to rounding.
///
/// Method: Jacobi's rotations, plane by plane. Order: ties keep the order of the axes. Any finite matrix is answered.
pub(super) fn eigenvectors(mut m: Mat3) -> Mat3 {
    // Without a scale, squares of small entries underflow.
    let scale = m.amax();
    if scale.is_nan() || scale <= 0.0 {
        return Mat3::identity();
    }
    m /= scale;
    let mut v = Mat3::identity();
    for _ in 0..SWEEPS {
        let beside = m[(0, 1)].abs() + m[(0, 2)].abs() + m[(1, 2)].abs();
        if beside < 1e-15 {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let beside = m[(p, q)];
            if beside == 0.0 {
                continue;
            }
            let half = 0.5 * (m[(q, q)] - m[(p, p)]);
            // The smaller of the two angles that clear the entry.
            let t = if half == 0.0 {
                1.0_f64.copysign(beside)
            } else {
                let ratio = half / beside;
                1.0_f64.copysign(ratio) / (ratio.abs() + (1.0 + ratio * ratio).sqrt())
            };
            let c = 1.0 / (1.0 + t * t).sqrt();
            let s = t * c;
            for k in 0..3 {
                let (x, y) = (m[(k, p)], m[(k, q)]);
                m[(k, p)] = c * x - s * y;
                m[(k, q)] = s * x + c * y;
            }
            for k in 0..3 {
                let (x, y) = (m[(p, k)], m[(q, k)]);
                m[(p, k)] = c * x - s * y;
                m[(q, k)] = s * x + c * y;
                let (x, y) = (v[(k, p)], v[(k, q)]);
                v[(k, p)] = c * x - s * y;
                v[(k, q)] = s * x + c * y;
            }
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| m[(j, j)].total_cmp(&m[(i, i)]));
    let unit = |k: usize| -> Vec3 {
        let column: Vec3 = v.column(k).into();
        column / column.norm()
    };
    let (x, y) = (unit(order[0]), unit(order[1]));
    Mat3::from_columns(&[x, y, x.cross(&y)])
}

#[cfg(test)]
mod tests {
    use zerogap_testkit::random::Random;

    use super::*;

    #[test]
    fn eigenvectors_turn_any_symmetric_matrix_to_its_diagonal() {
        let mut random = Random::new(3);
        for k in 0..500 {
            let g = Mat3::from_fn(|_, _| random.range(-1.0, 1.0));
            let scale = [1.0, 1e-200, 1e100][k % 3];
            let m = (g + g.transpose()) * scale;
            let v = eigenvectors(m);
            let d = v.transpose() * m * v;
            assert!((v.transpose() * v - Mat3::identity()).amax() < 1e-14);
            assert!((v.determinant() - 1.0).abs() < 1e-14);
            let beside = d[(0, 1)].abs() + d[(0, 2)].abs() + d[(1, 2)].abs();
            assert!(beside < 1e-13 * scale, "{d}");
            assert!(d[(0, 0)] >= d[(1, 1)] - 1e-13 * scale && d[(1, 1)] >= d[(2, 2)] - 1e-13 * scale);
        }
        assert_eq!(eigenvectors(Mat3::zeros()), Mat3::identity());
    }

    #[test]
    fn a_flat_patch_has_its_normal_last() {
        let corner = |x: f64, y: f64| Vec3::new(x, y, 0.3 * x + 0.1 * y);
        let patch = [
            [corner(0.0, 0.0), corner(2.0, 0.0), corner(2.0, 1.0)],
            [corner(0.0, 0.0), corner(2.0, 1.0), corner(0.0, 1.0)],
        ];
        let normal = Vec3::new(-0.3, -0.1, 1.0).normalize();
        assert!((principal(&patch).axes.column(2).dot(&normal).abs() - 1.0).abs() < 1e-14);
        // Without area there are still axes.
        let line = [[Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0]];
        assert!((principal(&line).axes.column(0).x.abs() - 1.0).abs() < 1e-14);
        assert_eq!(principal(&[[Vec3::x(); 3]]).axes, Mat3::identity());
    }
}
