//! Inputs and outputs of a step: contacts, settings, and what was done.

use zerogap_contact::problem::Block;
use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use crate::multibody::BodyId;

/// A direction that is nearer to the normal than this sine has none along the surface [-].
const ALONG_NORMAL: f64 = 1e-6;

/// What resists turning at a contact point: `|torque| <= coefficient radius normal force`, about the normal and across it apart from each other, against the turning where there is any.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TurningResistance {
    /// Effective radius, by which angular velocities count as velocities [m]; zero where nothing resists.
    pub radius: f64,
    /// Coefficient against rolling [-].
    pub rolling: f64,
    /// Coefficient against spinning about the normal [-].
    pub spinning: f64,
}

zerogap_core::store_struct!(TurningResistance { radius, rolling, spinning });

/// Friction that differs by direction: `friction` along one, and this across it; the ellipse between.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Anisotropy {
    /// The direction, in the world; what of it is across the normal counts. One along the normal leaves `friction` in all directions.
    pub along: Vec3,
    /// Coefficient of friction across it [-].
    pub across: f64,
}

zerogap_core::store_struct!(Anisotropy { along, across });

/// A point at which two bodies touch, or may within the step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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
    /// Coefficient of friction where it stuck before the step [-]; below `friction` it counts as that.
    pub static_friction: f64,
    /// Whether it stuck before the step.
    pub is_stuck: bool,
    /// Friction across a direction, where it differs.
    pub anisotropy: Option<Anisotropy>,
    /// What resists turning.
    pub resistance: TurningResistance,
    /// Coefficient of restitution [-].
    pub restitution: f64,
    /// Overlap that is left alone [m].
    pub slop: f64,
    /// Gaps up to this count as closed, beside those up to `slop` [m].
    pub closed: f64,
    /// Velocity of B's surface against that of A, beyond that of their bodies, as of a conveyor; what of it is across the normal counts [m/s].
    pub surface_velocity: Vec3,
    /// Whether it touches all through the step: then place and normal are those halfway ([`Stepper::locate_halfway`]), the gap is that at the start, and the law holds for the mean of the velocities
    /// before and after, with which such a contact does no work.
    pub lasts: bool,
    /// Impulse on B [N s]: to start from, then found.
    pub impulse: Vec3,
    /// Angular impulse on B about the point, of what resists turning [N m s]: to start from, then found.
    pub moment: Vec3,
    /// Whether it sticks at the end of the step, by ten times the tolerance; found where static friction is above friction.
    pub sticks: bool,
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
    static_friction,
    is_stuck,
    anisotropy,
    resistance,
    restitution,
    slop,
    closed,
    lasts,
    impulse,
    moment,
    sticks,
    gap_rate,
    surface_velocity
});

/// The rows of a contact: what its impulses act along, and the law they obey.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactFrame {
    /// Normal and two tangents; shorter than one where friction is less along one of them, so that the cone is round.
    pub(super) rows: [Vec3; 3],
    /// Lengths of the rows [-].
    pub(super) lengths: [f64; 3],
    pub(super) friction: f64,
}

impl ContactFrame {
    pub(super) fn law(&self) -> Block {
        Block::Contact { friction: self.friction, slip: None }
    }

    /// Impulses of the rows for an impulse.
    pub(super) fn impulses(&self, impulse: &Vec3) -> [f64; 3] {
        [0, 1, 2].map(|k| {
            let (along, length) = (self.rows[k].dot(impulse), self.lengths[k]);
            // Rows of length one, nearly all, are left alone.
            if length == 0.0 { 0.0 } else { along / (length * length) }
        })
    }
}

impl ContactPoint {
    /// The gap up to which it counts as closed [m].
    pub(super) fn closed_gap(&self) -> f64 {
        self.slop.max(self.closed)
    }

    /// Rows and law of the contact.
    pub(super) fn frame(&self) -> ContactFrame {
        let is_held = self.is_stuck && self.static_friction > self.friction;
        let friction = if is_held { self.static_friction } else { self.friction };
        let plain = || {
            let (t1, t2) = tangents(&self.normal);
            ContactFrame { rows: [self.normal, t1, t2], lengths: [1.0; 3], friction }
        };
        let Some(Anisotropy { along, across }) = self.anisotropy else { return plain() };
        let level = along - self.normal * self.normal.dot(&along);
        let Some(t1) = level.try_normalize(ALONG_NORMAL * along.norm()) else { return plain() };
        let t2 = self.normal.cross(&t1);
        // Static friction is as much more in every direction.
        let across =
            if is_held && self.friction > 0.0 { across * (friction / self.friction) } else { across };
        let largest = friction.max(across);
        let of = |own: f64| if largest > 0.0 { own / largest } else { 1.0 };
        let lengths = [1.0, of(friction), of(across)];
        ContactFrame { rows: [self.normal, t1 * lengths[1], t2 * lengths[2]], lengths, friction: largest }
    }
}

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
    /// Whether whoever chooses the length of the step wants to know if contacts act before their gaps have closed ([`StepInfo::early`]). Contacts without restitution then have impacts too, at the start of the step.
    pub control: Option<ControlParams>,
    /// Whether impacts with restitution are made one after the other, the fastest approach first, and not all at once that are due.
    pub is_sequential: bool,
}

/// What a step whose error is controlled needs to know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControlParams {
    /// Distance from joint limits up to which they count as reached [m or rad].
    pub closed_limits: f64,
    /// Whether a step in which something acts too early is not used: then one that is known to be so beforehand is not made, and says so alone.
    pub may_reject: bool,
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
    /// Where contacts or limits acted before their gaps had closed: the time after the start of the step at which the first of them is expected to close [s]. Found on demand ([`StepParams::control`]).
    pub early: Option<f64>,
    /// Largest overlap that was corrected [m].
    pub corrected: f64,
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
            early: self.early.or(next.early),
            corrected: self.corrected.max(next.corrected),
        }
    }
}
