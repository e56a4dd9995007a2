//! Two poses seen from A: pair kernels work in A's frame.
#![allow(non_snake_case, reason = "monogram notation: X_AB is the pose of B in A, p_AQ the point Q in A")]

use zerogap_core::{Gap, Mat3, Pose, Vec3};

/// Added to a number of magnitude at most 1 and taken away again, this leaves its multiple of 2^-26: 1.5 * 2^26.
const TO_26_BITS: f64 = 1.5 * 67_108_864.0;

/// The rotation matrix of a pose, each entry within 0.6 ulp of 1 of the exact matrix of the normalised quaternion.
///
/// Method: quaternion components split into a multiple of 2^-26 and a rest. Products and sums of the first parts are exact, those of the
///   rests are small; so is the departure of the squared length from 1, which is divided out to first order. Without this, rounded
///   quaternions stretch space by up to 2 ulp, and distances with it.
#[inline]
fn rotation_matrix(pose: &Pose) -> Mat3 {
    let [x, y, z, w] = pose.quaternion_xyzw();
    let full = [x, y, z, w];
    let high = full.map(|c| (c + TO_26_BITS) - TO_26_BITS);
    let low: [f64; 4] = std::array::from_fn(|k| full[k] - high[k]);
    let squares: [f64; 4] = std::array::from_fn(|k| high[k] * high[k]);
    let rests: [f64; 4] = std::array::from_fn(|k| low[k] * (full[k] + high[k]));
    // How much the squared length exceeds 1.
    let excess = ((squares[0] + squares[1]) + (squares[2] + squares[3]) - 1.0)
        + ((rests[0] + rests[1]) + (rests[2] + rests[3]));
    // Twice the products of two components, as an exact part and a rest.
    let product = |a: usize, b: usize| (high[a] * high[b], low[a] * full[b] + high[a] * low[b]);
    let (xy, xz, yz) = (product(0, 1), product(0, 2), product(1, 2));
    let (wx, wy, wz) = (product(3, 0), product(3, 1), product(3, 2));
    let off = |a: (f64, f64), b: (f64, f64)| {
        let (exact, rest) = (a.0 + b.0, a.1 + b.1);
        2.0 * (exact + (rest - excess * exact))
    };
    let less = |a: (f64, f64), b: (f64, f64)| {
        let (exact, rest) = (a.0 - b.0, a.1 - b.1);
        2.0 * (exact + (rest - excess * exact))
    };
    let on = |a: usize, b: usize| {
        let (exact, rest) = (squares[a] + squares[b], rests[a] + rests[b]);
        (1.0 - 2.0 * exact) - 2.0 * (rest - excess * exact)
    };
    Mat3::new(
        on(1, 2),
        less(xy, wz),
        off(xz, wy),
        off(xy, wz),
        on(0, 2),
        less(yz, wx),
        less(xz, wy),
        off(yz, wx),
        on(0, 1),
    )
}

/// Where B stands in A's frame, and the way back to the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    /// Axes of B in A.
    pub(crate) R_AB: Mat3,
    /// Origin of B in A [m].
    pub(crate) p_AB: Vec3,
    R_WA: Mat3,
    p_WA: Vec3,
}

impl Placement {
    /// From the two poses in the world.
    #[inline]
    pub(crate) fn new(pose_a: &Pose, pose_b: &Pose) -> Self {
        let R_WA = rotation_matrix(pose_a);
        let R_WB = rotation_matrix(pose_b);
        // The difference first: bodies far from the origin, but near each other, lose no digits.
        let p_AB = R_WA.tr_mul(&(pose_b.translation() - pose_a.translation()));
        Self { R_AB: R_WA.tr_mul(&R_WB), p_AB, R_WA, p_WA: pose_a.translation() }
    }

    /// A gap in A's frame, expressed in the world.
    #[inline]
    pub(crate) fn to_world(&self, gap: Gap) -> Gap {
        Gap {
            normal: self.R_WA * gap.normal,
            point_a: self.R_WA * gap.point_a + self.p_WA,
            point_b: self.R_WA * gap.point_b + self.p_WA,
            ..gap
        }
    }
}
