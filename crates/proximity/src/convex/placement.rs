//! Two poses seen from A: pair kernels work in A's frame.
#![allow(non_snake_case, reason = "monogram notation: X_AB is the pose of B in A, p_AQ the point Q in A")]

use zerogap_core::{Gap, Mat3, Pose, Vec3};

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
        let R_WA = pose_a.rotation_matrix();
        let R_WB = pose_b.rotation_matrix();
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
