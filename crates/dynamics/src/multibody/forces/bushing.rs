//! Bushings: springs and dampers between two frames, along and about the axes of the first.
//!
//! In: frames on two bodies. Out: equal and opposite loads on them. Force and torque of the springs are the derivatives of one energy, `½ d·K d + ½ θ·K θ` with the displacement `d` of the second frame's origin in axes of the
//! first and the rotation vector `θ` from the first to the second, so that a bushing without damping keeps the energy whatever its stiffnesses and however far it turns, up to half a turn.

use zerogap_core::Vec3;

use super::{Evaluation, Site};

/// Angles below this have the series of their inverse derivative [rad]: its error is below rounding.
const SMALL_ANGLE: f64 = 1e-2;

/// Springs and dampers between two frames; relaxed where the frames coincide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bushing {
    /// The first frame, along whose axes everything acts.
    pub a: Site,
    /// The second frame.
    pub b: Site,
    /// Force per displacement along each axis [N/m].
    pub stiffness: Vec3,
    /// Force per speed along each axis [N s/m].
    pub damping: Vec3,
    /// Torque per component of the rotation vector [N m/rad].
    pub angular_stiffness: Vec3,
    /// Torque per angular velocity about each axis [N m s/rad].
    pub angular_damping: Vec3,
}

zerogap_core::store_struct!(Bushing { a, b, stiffness, damping, angular_stiffness, angular_damping });

impl Bushing {
    /// All its numbers, none of which is negative.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        let Self { stiffness, damping, angular_stiffness, angular_damping, .. } = *self;
        [stiffness, damping, angular_stiffness, angular_damping].into_iter().flat_map(|v| [v.x, v.y, v.z])
    }

    /// Displacement of the second frame's origin and rotation vector, in axes of the first [m, rad].
    fn displacement(&self, at: &Evaluation<'_>) -> (Vec3, Vec3) {
        let (a, b) = (self.a.place(at.ws), self.b.place(at.ws));
        let shift = a.inverse_transform_vector(&(b.translation() - a.translation()));
        (shift, a.inverse_transform_vector(&b.rotation_vector_from(&a)))
    }

    pub(super) fn add(&self, at: &mut Evaluation<'_>) {
        let (shift, angle) = self.displacement(at);
        let (a, b) = (self.a.place(at.ws), self.b.place(at.ws));
        let point = b.translation();
        let in_a = |v: Vec3| a.inverse_transform_vector(&v);
        let velocity =
            in_a(at.ws.point_velocity(self.b.body, point) - at.ws.point_velocity(self.a.body, point));
        let spin = in_a(angular_velocity(&self.b, at) - angular_velocity(&self.a, at));

        // On b; on a the opposite, at the same point.
        let force = self.stiffness.component_mul(&shift) + self.damping.component_mul(&velocity);
        let force = a.transform_vector(&-force);
        let torque = conjugate(&angle, &self.angular_stiffness.component_mul(&angle))
            + self.angular_damping.component_mul(&spin);
        let torque = a.transform_vector(&-torque);
        at.push(self.b.body, point, force);
        at.push(self.a.body, point, -force);
        at.twist(self.b.body, torque);
        at.twist(self.a.body, -torque);
    }

    pub(super) fn energy(&self, at: &Evaluation<'_>) -> f64 {
        let (shift, angle) = self.displacement(at);
        0.5 * (shift.dot(&self.stiffness.component_mul(&shift))
            + angle.dot(&self.angular_stiffness.component_mul(&angle)))
    }
}

/// The angular velocity of the body of a frame [rad/s].
fn angular_velocity(site: &Site, at: &Evaluation<'_>) -> Vec3 {
    site.body.map_or(Vec3::zeros(), |body| at.ws.angular_velocity(body))
}

/// The torque whose power with an angular velocity `ω` is that of `slope` with the rate of the rotation vector `θ`: `J(θ)⁻ᵀ slope`, where `θ' = J(θ)⁻¹ ω` and both are in axes of the first frame.
///
/// Method: `J⁻ᵀ = I + ½ [θ]× + c [θ]×²` with `c = 1/|θ|² - (1 + cos |θ|) / (2 |θ| sin |θ|)`, which is 1/12 + |θ|²/720 for small angles.
fn conjugate(theta: &Vec3, slope: &Vec3) -> Vec3 {
    let angle = theta.norm();
    let c = if angle < SMALL_ANGLE {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        let half = 0.5 * angle;
        // (1 + cos) / sin is the cotangent of half the angle, which is finite at half a turn.
        let cotangent = zerogap_core::math::cos(half) / zerogap_core::math::sin(half);
        (1.0 - half * cotangent) / (angle * angle)
    };
    let once = theta.cross(slope);
    slope + once * 0.5 + theta.cross(&once) * c
}
