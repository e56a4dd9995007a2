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
    // Products of two components, as an exact part and a rest.
    let product = |a: usize, b: usize| (high[a] * high[b], low[a] * full[b] + high[a] * low[b]);
    let (xy, xz, yz) = (product(0, 1), product(0, 2), product(1, 2));
    let (wx, wy, wz) = (product(3, 0), product(3, 1), product(3, 2));
    let plus = |a: (f64, f64), b: (f64, f64)| {
        let (exact, rest) = (a.0 + b.0, a.1 + b.1);
        2.0 * (exact + (rest - excess * exact))
    };
    let minus = |a: (f64, f64), b: (f64, f64)| {
        let (exact, rest) = (a.0 - b.0, a.1 - b.1);
        2.0 * (exact + (rest - excess * exact))
    };
    let on = |a: usize, b: usize| {
        let (exact, rest) = (squares[a] + squares[b], rests[a] + rests[b]);
        (1.0 - 2.0 * exact) - 2.0 * (rest - excess * exact)
    };
    Mat3::new(
        on(1, 2),
        minus(xy, wz),
        plus(xz, wy),
        plus(xy, wz),
        on(0, 2),
        minus(yz, wx),
        minus(xz, wy),
        plus(yz, wx),
        on(0, 1),
    )
}

/// Pose of B in A's frame, and the transform back to the world.
#[derive(Debug)]
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

    /// The same placement of bodies whose lengths are multiplied by a power of two; not valid for the transform back to the world.
    pub(crate) fn scaled(&self, scale: f64) -> Self {
        Self { R_AB: self.R_AB, p_AB: self.p_AB * scale, R_WA: self.R_WA, p_WA: self.p_WA }
    }

    /// The same placement after B has moved by a vector in A's frame [m].
    pub(crate) fn moved(&self, by: &Vec3) -> Self {
        Self { p_AB: self.p_AB + by, ..*self }
    }

    /// A direction of the world in A's frame.
    #[inline]
    pub(crate) fn turn_to_a(&self, v_W: &Vec3) -> Vec3 {
        self.R_WA.tr_mul(v_W)
    }

    /// A point of B's frame in A's [m].
    #[inline]
    pub(crate) fn to_a(&self, p_BQ: &Vec3) -> Vec3 {
        self.R_AB * p_BQ + self.p_AB
    }

    /// A point of A's frame in B's [m].
    #[inline]
    pub(crate) fn to_b(&self, p_AQ: &Vec3) -> Vec3 {
        self.R_AB.tr_mul(&(p_AQ - self.p_AB))
    }

    /// A gap in B's frame, expressed in A's.
    #[inline]
    pub(crate) fn gap_to_a(&self, gap: Gap) -> Gap {
        Gap {
            normal: self.R_AB * gap.normal,
            point_a: self.to_a(&gap.point_a),
            point_b: self.to_a(&gap.point_b),
            ..gap
        }
    }

    /// A gap in A's frame, expressed in the world.
    #[inline]
    pub(crate) fn to_world(&self, gap: Gap) -> Gap {
        let normal = self.turn_to_world(&gap.normal);
        let point_a = self.to_world_point(&gap.point_a);
        // From the other point, so that the gap lies between them to the last digit that the world leaves.
        Gap { normal, point_a, point_b: point_a + normal * gap.gap, ..gap }
    }

    /// A direction of A's frame in the world.
    #[inline]
    pub(crate) fn turn_to_world(&self, v_A: &Vec3) -> Vec3 {
        self.R_WA * v_A
    }

    /// A point of A's frame in the world [m].
    #[inline]
    pub(crate) fn to_world_point(&self, p_AQ: &Vec3) -> Vec3 {
        self.R_WA * p_AQ + self.p_WA
    }
}

#[cfg(test)]
mod tests {
    use zerogap_core::double::Double;
    use zerogap_testkit::{count, random::Random};

    use super::*;

    #[test]
    fn matrices_of_rounded_quaternions_are_those_of_the_normalised_ones() {
        let mut random = Random::new(1);
        let mut worst = 0.0_f64;
        for _ in 0..count(2_000, 200_000) {
            let pose = Pose::new(Vec3::zeros(), random.quaternion_xyzw()).unwrap();
            let q = pose.quaternion_xyzw().map(Double::from);
            let square = |a: usize| q[a] * q[a];
            let excess = square(0) + square(1) + square(2) + square(3) - Double::from(1.0);
            // Twice over the squared length, to second order in its small departure from 1.
            let two = Double::from(2.0) - excess * Double::from(2.0);
            let found = rotation_matrix(&pose);
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                let diagonal = Double::from(1.0) - two * (square(j) + square(k));
                let below = two * (q[i] * q[j] + q[3] * q[k]);
                let above = two * (q[i] * q[j] - q[3] * q[k]);
                for (entry, exact) in
                    [(found[(i, i)], diagonal), (found[(j, i)], below), (found[(i, j)], above)]
                {
                    worst = worst.max((Double::from(entry) - exact).round().abs());
                }
            }
        }
        assert!(worst <= 0.6 * f64::EPSILON, "{:e}", worst / f64::EPSILON);
    }
}
