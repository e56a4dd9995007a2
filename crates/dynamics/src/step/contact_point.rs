//! Inputs and outputs of a step: contacts, settings, and what was done.

use zerogap_core::Vec3;

use crate::multibody::BodyId;

/// A point at which two bodies touch, or may within the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// The body A; none is the world.
    pub a: Option<BodyId>,
    /// The body B.
    pub b: Option<BodyId>,
    /// Where [m].
    pub at: Vec3,
    /// From A to B, unit [-].
    pub normal: Vec3,
    /// Signed distance there [m].
    pub gap: f64,
    /// Coefficient of friction [-].
    pub friction: f64,
    /// Coefficient of restitution [-].
    pub restitution: f64,
    /// Overlap that is left alone [m].
    pub slop: f64,
    /// Velocity of B's surface against that of A, beyond that of their bodies, as of a conveyor; what of it is across the normal counts [m/s].
    pub surface_velocity: Vec3,
    /// Whether it touches all through the step: then place and normal are those halfway ([`Stepper::locate_halfway`]), the gap is that at the start, and the law holds for the mean of the velocities
    /// before and after, with which such a contact does no work.
    pub lasts: bool,
    /// Impulse on B [N s]: to start from, then found.
    pub impulse: Vec3,
    /// Velocity of B against A along the normal at the end of the step [m/s]: found.
    pub gap_rate: f64,
}

zerogap_core::store_struct!(ContactPoint {
    a,
    b,
    at,
    normal,
    gap,
    friction,
    restitution,
    slop,
    lasts,
    impulse,
    gap_rate,
    surface_velocity
});

/// How to step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepParams {
    /// Maximum residual of the contact laws [m/s].
    pub tolerance: f64,
    /// Whether the impulses of the last step were taken from the one before it as they were ([`StepInfo::is_settled`]): then those of this step may be too, if they miss no more than a tenth of the tolerance. Others
    /// hold what stopped the bodies, and taken as they are they would move them again.
    pub is_settled: bool,
    /// Whether the impulses given were found for this very step with fewer contacts: then they are taken as they are wherever they obey the laws to the tolerance.
    pub is_repeated: bool,
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepInfo {
    /// Solves made [-].
    pub solves: usize,
    /// Solves that did not converge to the tolerance; the best found was used [-].
    pub unconverged: usize,
    /// Sweeps over all contacts [-].
    pub sweeps: usize,
    /// Steps of Newton's method [-].
    pub newton: usize,
    /// Largest residual of its solves [m/s].
    pub residual: f64,
    /// Contacts that had an impact with restitution [-].
    pub impacts: usize,
    /// Sum of their normal impulses [N s].
    pub impact_impulse: f64,
    /// Kinetic energy that they took [J].
    pub impact_loss: f64,
    /// Whether all impulses given were good enough to be taken as they were.
    pub is_settled: bool,
}

impl StepInfo {
    /// This step and one that followed it, as one.
    #[must_use]
    pub fn and(&self, next: &Self) -> Self {
        Self {
            solves: self.solves + next.solves,
            unconverged: self.unconverged + next.unconverged,
            sweeps: self.sweeps + next.sweeps,
            newton: self.newton + next.newton,
            residual: self.residual.max(next.residual),
            impacts: self.impacts + next.impacts,
            impact_impulse: self.impact_impulse + next.impact_impulse,
            impact_loss: self.impact_loss + next.impact_loss,
            is_settled: next.is_settled,
        }
    }
}
