//! Between skids and deck: which surface each skid is on, whether it sticks, and the forces.
//!
//! What lasts changes in `commit` and its kin alone. A skid is in contact as the reference of the detector says, until an event changes that; the gap at a trial state is measured below the surface
//! of the reference.

use zerogap_contact::law::friction::SLOW;
use zerogap_contact::law::{Grip, Hold, SurfaceForce, SurfaceLaw};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::beam::NodeState;
use zerogap_proximity::oriented::{Configuration, Oriented, OrientedParams, Touch};

use super::deck::DeckState;
use super::{LandingError, LandingParams, SKIDS};

/// Sliding slower than this at the start of a contact is none [m/s].
const STILL: f64 = 1e-9;

/// What a skid does along the deck.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Phase {
    /// It sticks; the bristle deflection is a state of the system. With what it holds beyond the limit at the start of the phase [N]: nothing but rounding where slipping becomes sticking at the limit
    /// itself, which must not hide that the limit is passed.
    Stick { excess: f64 },
    /// It slips along its surface: in the direction of clockwise corners (1), or against it (-1).
    Slip(f64),
    /// The deck has no friction: it slides in either direction, and nothing ever changes. It must not stick, not even at rest: what is left of a friction of nothing is zero from the start and
    /// crosses zero never.
    Frictionless,
}

impl Phase {
    /// The phase in which a contact begins that slides at a speed along its surface [m/s].
    fn at_onset(grip: &Grip, sliding: f64) -> Self {
        if grip.static_friction == 0.0 {
            Self::Frictionless
        } else if sliding.abs() > STILL {
            Self::Slip(1.0_f64.copysign(sliding))
        } else {
            Self::Stick { excess: 0.0 }
        }
    }
}

/// Forces on one skid.
#[derive(Debug, Clone, Copy)]
pub(super) struct SkidForce {
    pub(super) surface: usize,
    pub(super) gap: f64,
    pub(super) normal: Vec3,
    pub(super) tangent: Vec3,
    /// Velocity along the tangent against the deck [m/s].
    pub(super) sliding: f64,
    /// Velocity along the normal against the deck [m/s].
    pub(super) leaving: f64,
    pub(super) force: SurfaceForce,
}

/// The deck and the skids against it.
#[derive(Debug, Clone)]
pub(super) struct DeckTouch {
    pub(super) oriented: Oriented,
    pub(super) law: SurfaceLaw,
    pub(super) phases: [Phase; SKIDS.len()],
    /// Memory for evaluations ahead.
    trial: Configuration,
}

/// The skids as points in the plane.
pub(super) fn skid_points(nodes: &[NodeState]) -> [Vec3; SKIDS.len()] {
    SKIDS.map(|node| Vec3::new(nodes[node].at[0], nodes[node].at[1], 0.0))
}

impl DeckTouch {
    pub(super) fn new(
        params: &LandingParams,
        deck: &DeckState,
        nodes: &[NodeState],
    ) -> Result<Self, LandingError> {
        let contact = &params.contact;
        let grip = Grip {
            friction: contact.friction,
            static_friction: contact.static_friction,
            stiffness: contact.grip_stiffness,
            damping: contact.grip_damping,
        };
        let law = SurfaceLaw::new(contact.stiffness, contact.damping, grip)?;
        let target = params.deck.target()?;
        // With clipping: samples of a step may pass by a thin deck, and steps are short against the bend of a skid's way.
        let oriented =
            Oriented::new(vec![target], &[deck.pose], &skid_points(nodes), OrientedParams::default())?;
        if let Some(touch) = oriented.reference().touches().first() {
            let skid = SKIDS[touch.initiator as usize] + 1;
            return Err(LandingError::Inside { skid, depth: -touch.gap });
        }
        let phases = [Phase::at_onset(&law.grip, 0.0); SKIDS.len()];
        Ok(Self { oriented, law, phases, trial: Configuration::new() })
    }

    /// The contact of a skid in the reference.
    pub(super) fn contact_of(&self, skid: usize) -> Option<&Touch> {
        self.oriented.reference().touch(0, skid)
    }

    /// Force on a skid on a surface at a gap.
    pub(super) fn force_on(
        &self,
        skid: usize,
        (surface, gap): (usize, f64),
        deck: &DeckState,
        node: &NodeState,
        deflection: f64,
    ) -> SkidForce {
        let facet = &self.oriented.targets()[0].facets()[surface];
        let normal = deck.pose.transform_vector(&facet.normal);
        // Clockwise corners: the surface runs along its normal turned clockwise.
        let tangent = Vec3::new(normal.y, -normal.x, 0.0);
        let point = Vec3::new(node.at[0], node.at[1], 0.0);
        let velocity = Vec3::new(node.rate[0], node.rate[1], 0.0) - deck.velocity_at(&point);
        let hold = match self.phases[skid] {
            Phase::Stick { .. } => Hold::Stick(tangent * deflection),
            Phase::Slip(way) => Hold::Slip(tangent * way),
            Phase::Frictionless => Hold::Slip(Vec3::zeros()),
        };
        let force = self.law.force(gap, &normal, &velocity, &hold);
        let (sliding, leaving) = (velocity.dot(&tangent), velocity.dot(&normal));
        SkidForce { surface, gap, normal, tangent, sliding, leaving, force }
    }

    /// Force on a skid as the reference has it; none where it is free.
    pub(super) fn force(
        &self,
        skid: usize,
        deck: &DeckState,
        nodes: &[NodeState],
        deflection: f64,
    ) -> Option<SkidForce> {
        let touch = self.contact_of(skid)?;
        let node = &nodes[SKIDS[skid]];
        let point = Vec3::new(node.at[0], node.at[1], 0.0);
        let gap = self.oriented.active_gap(0, skid, &deck.pose, &point)?;
        Some(self.force_on(skid, (touch.surface as usize, gap), deck, node, deflection))
    }

    /// Takes the state as the new reference; what changed is in the reference's touches and releases.
    pub(super) fn commit(&mut self, pose: &Pose, points: &[Vec3]) -> Result<(), LandingError> {
        self.oriented.commit(&[*pose], points)?;
        Ok(())
    }

    /// Whether a commit here would change who touches what.
    pub(super) fn would_change(&mut self, pose: &Pose, points: &[Vec3]) -> bool {
        let evaluated = self.oriented.evaluate(&[*pose], points, &mut self.trial);
        let before = self.oriented.reference().touches().iter();
        let pair = |touch: &Touch| (touch.initiator, touch.surface);
        evaluated.is_ok() && !before.map(pair).eq(self.trial.touches().iter().map(pair))
    }

    /// A skid that stuck slips, or one that slipped sticks; its bristle deflection from now on [m].
    pub(super) fn switch(&mut self, skid: usize, on: &SkidForce) -> f64 {
        match self.phases[skid] {
            Phase::Stick { .. } => {
                // The way it moves; where it hardly does, against the force that held it.
                let held = -on.force.friction.dot(&on.tangent);
                let way = if on.sliding.abs() > SLOW { on.sliding } else { held };
                self.phases[skid] = Phase::Slip(1.0_f64.copysign(way));
                0.0
            }
            Phase::Slip(_) => {
                self.phases[skid] = Phase::Stick { excess: (-self.law.reserve(&on.force)).max(0.0) };
                self.law.bristle_deflection(&on.force).dot(&on.tangent)
            }
            Phase::Frictionless => 0.0,
        }
    }

    /// Whether a skid sticks.
    pub(super) fn sticks(&self, skid: usize) -> bool {
        matches!(self.phases[skid], Phase::Stick { .. })
    }

    /// Begins the contact of a skid that slides at a speed along its surface [m/s].
    pub(super) fn begin(&mut self, skid: usize, sliding: f64) {
        self.phases[skid] = Phase::at_onset(&self.law.grip, sliding);
    }

    /// Ends the contact of a skid.
    pub(super) fn end(&mut self, skid: usize) {
        self.phases[skid] = Phase::at_onset(&self.law.grip, 0.0);
    }
}
