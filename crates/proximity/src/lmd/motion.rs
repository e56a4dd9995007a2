//! How far bodies moved against each other between two queries.

use zerogap_core::{Mat3, Vec3};

use super::body::ComplexBody;

/// B's placement in the frame of A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Relative {
    /// Rotation of B.
    pub(super) rotation: Mat3,
    /// Translation of B [m].
    pub(super) translation: Vec3,
}

impl Relative {
    /// A's placement in the frame of B.
    pub(super) fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// A bound on how far any point of a bounded body moved against the other [m], and on the angle [rad], since an earlier placement.
    ///
    /// A half-space has no farthest point: there the other body counts as the one that moved. None for two half-spaces.
    pub(super) fn moved_since(&self, earlier: &Self, a: &ComplexBody, b: &ComplexBody) -> Option<(f64, f64)> {
        if let Some((center, radius)) = b.ball() {
            return Some(self.bound(earlier, &center, radius));
        }
        let (center, radius) = a.ball()?;
        Some(self.inverse().bound(&earlier.inverse(), &center, radius))
    }

    /// A bound on how far a point of a ball of the moving body moved [m], and on the angle [rad], since an earlier placement.
    pub(super) fn bound(&self, earlier: &Self, center: &Vec3, radius: f64) -> (f64, f64) {
        let rotated = self.rotation - earlier.rotation;
        // The Frobenius norm of the difference is 2 √2 sin(φ/2); the largest displacement of a unit vector is 2 sin(φ/2).
        let chord = rotated.norm() * std::f64::consts::FRAC_1_SQRT_2;
        let shift = (rotated * center + (self.translation - earlier.translation)).norm();
        // φ ≤ chord π/2 for any angle.
        (shift + chord * radius, chord * std::f64::consts::FRAC_PI_2)
    }
}
