//! A point against a compliant flat surface: a spring and a damper along the surface's normal, friction along the surface.
//!
//! In: the gap of the point below *that* surface, its velocity against it, and whether it sticks or slips. Out: the force on the point. It never pulls: no adhesion. Whether the point is in contact at all is
//! for the detector to say: the force continues smoothly through a gap of zero, where contact begins and ends by events.
//! Called at every evaluation of the motion; what lasts (the bristle deflection while sticking, the direction while slipping) is the caller's.

use zerogap_core::Vec3;

use super::friction::{self, BristleDeflection, Grip, Sliding};
use super::normal::{LawError, NormalLaw};

/// Normal law and friction of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceLaw {
    /// Along the normal [N/m].
    stiffness: f64,
    /// Along the normal [N s/m].
    damping: f64,
    /// Friction along the surface.
    pub grip: Grip,
}

/// What a point does along its surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hold {
    /// It sticks, and has moved this far since [m].
    Stick(Vec3),
    /// It slips; at the last event it did so with this velocity [m/s], of which the direction counts.
    Slip(Vec3),
}

/// What a surface does to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceForce {
    /// Along the normal, 0 or more [N].
    pub normal_force: f64,
    /// Along the surface [N].
    pub friction: Vec3,
}

impl SurfaceForce {
    /// Both together [N].
    pub fn total(&self, normal: &Vec3) -> Vec3 {
        normal * self.normal_force + self.friction
    }
}

impl SurfaceLaw {
    /// With a stiffness [N/m] and a damping [N s/m] along the normal, and a grip along the surface.
    pub fn new(stiffness: f64, damping: f64, grip: Grip) -> Result<Self, LawError> {
        NormalLaw::KelvinVoigt { stiffness, damping }.checked()?;
        Ok(Self { stiffness, damping, grip })
    }

    /// The force on a point with a gap [m] from the surface along its normal and a velocity against the surface [m/s].
    ///
    /// Tolerance: 4 ulp of the larger of spring and damper.
    pub fn force(&self, gap: f64, normal: &Vec3, velocity: &Vec3, hold: &Hold) -> SurfaceForce {
        let along = normal.dot(velocity);
        let normal_force = (-self.stiffness * gap - self.damping * along).max(0.0);
        let sliding = Sliding { velocity: velocity - normal * along, spin: 0.0 };
        let pull = match hold {
            Hold::Stick(shift) => {
                friction::stick(&self.grip, 0.0, &BristleDeflection { shift: *shift, twist: 0.0 }, &sliding)
            }
            Hold::Slip(reference) => {
                let reference = Sliding { velocity: *reference, spin: 0.0 };
                friction::slip(&self.grip, 0.0, normal_force, &sliding, &reference)
            }
        };
        SurfaceForce { normal_force, friction: pull.force }
    }

    /// What is left of the force that a sticking point can bear along the surface [N]: below zero it slips.
    pub fn reserve(&self, force: &SurfaceForce) -> f64 {
        self.grip.static_friction * force.normal_force - force.friction.norm()
    }

    /// The bristle deflection of a point that slipped when it begins to stick, so that the force along the surface does not jump [m].
    pub fn bristle_deflection(&self, force: &SurfaceForce) -> Vec3 {
        if self.grip.stiffness > 0.0 { force.friction / -self.grip.stiffness } else { Vec3::zeros() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law() -> SurfaceLaw {
        let grip = Grip { friction: 0.5, static_friction: 0.6, stiffness: 1e5, damping: 10.0 };
        SurfaceLaw::new(1e6, 1e3, grip).unwrap()
    }

    #[test]
    fn a_spring_and_a_damper_push_along_the_normal_and_never_pull() {
        let (law, n) = (law(), Vec3::new(0.0, 0.6, 0.8));
        let slip = Hold::Slip(Vec3::zeros());
        let at = |gap: f64, speed: f64| law.force(gap, &n, &(n * speed), &slip).normal_force;
        assert!((at(-0.001, 0.0) - 1000.0).abs() < 1e-9);
        assert!((at(-0.001, -0.1) - 1100.0).abs() < 1e-9);
        assert!(at(-0.001, 2.0) < 1e-9 && at(0.001, 0.0) < 1e-9);
        // On both sides of the surface alike: a contact that begins has no jump in it.
        assert!((at(1e-12, -0.1) - at(-1e-12, -0.1)).abs() < 1e-5);
    }

    #[test]
    fn slipping_turns_into_sticking_without_a_jump() {
        let (law, n) = (law(), Vec3::z());
        let slipping = law.force(-0.002, &n, &Vec3::zeros(), &Hold::Slip(Vec3::new(0.3, 0.0, 0.0)));
        assert!((slipping.friction.x + 1000.0).abs() < 1e-9);
        let sticking = law.force(-0.002, &n, &Vec3::zeros(), &Hold::Stick(law.bristle_deflection(&slipping)));
        assert!((sticking.friction - slipping.friction).norm() < 1e-9);
        // 1200 N can be borne, 1000 N are.
        assert!((law.reserve(&sticking) - 200.0).abs() < 1e-9);
        assert!((sticking.total(&n) - Vec3::new(-1000.0, 0.0, 2000.0)).norm() < 1e-9);
    }

    #[test]
    fn stiffness_that_is_none_is_refused() {
        let grip = law().grip;
        assert!(SurfaceLaw::new(0.0, 1.0, grip).is_err() && SurfaceLaw::new(1.0, -1.0, grip).is_err());
    }
}
