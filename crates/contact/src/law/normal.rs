//! The force along the normal that answers an overlap.
//!
//! In: what is known at the event that starts a contact. Out: a [`NormalForce`], frozen for as long as the contact lasts, which turns overlap [m] and its rate [m/s] into a
//! force [N]. The overlap is the negative gap; its rate is positive while bodies approach. Called at every evaluation of the motion; no
//! allocation, no state.

use zerogap_core::math::cbrt;

use super::{modia3d, restitution::damping_for_restitution};

/// The normal force of two bodies that overlap.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum NormalLaw {
    /// Hertz' elastic contact with the damping of Hunt and Crossley: `4/3 c √r δ^1.5 (1 + d δ')`, with d such that the restitution is the one asked for. Never pulls.
    #[default]
    HuntCrossley,
    /// Hertz' elastic contact without damping: `4/3 c √r δ^1.5`. Gives back all energy, whatever the restitution.
    Hertz,
    /// A linear spring and a damper side by side at each contact point. Never pulls.
    KelvinVoigt {
        /// Stiffness of one contact point [N/m].
        stiffness: f64,
        /// Damping of one contact point [N s/m].
        damping: f64,
    },
    /// A linear spring at each contact point, damped by a ratio: `damping = 2 ratio √(stiffness mass)` with the effective mass at the start of the contact. Never pulls.
    Linear {
        /// Stiffness of one contact point [N/m].
        stiffness: f64,
        /// Fraction of the critical damping [-].
        damping_ratio: f64,
    },
    /// The law of the program `Modia3D`, for comparison: as Hunt and Crossley's but with another rule for d, and it may pull.
    Modia3d,
}

zerogap_core::store_enum!(NormalLaw { 0 => HuntCrossley, 1 => Hertz, 2 => KelvinVoigt { stiffness, damping }, 3 => Linear { stiffness, damping_ratio }, 4 => Modia3d });

/// A law that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LawError {
    /// A stiffness that is zero, negative or not finite.
    #[error("the stiffness of the {law} law is {value} N/m: it must be positive and finite")]
    Stiffness {
        /// Which law.
        law: &'static str,
        /// The value given [N/m].
        value: f64,
    },
    /// A damping, or damping ratio, that is negative or not finite.
    #[error("the damping of the {law} law is {value}: it must be a number from 0")]
    Damping {
        /// Which law.
        law: &'static str,
        /// The value given [N s/m or -].
        value: f64,
    },
}

/// What is known at the event that starts a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Begin {
    /// Speed at which the two surfaces approach along the normal, 0 or more [m/s].
    pub approach: f64,
    /// Modulus of the two sides in series, [`crate::material::MaterialPair::modulus`] [Pa].
    pub stiffness_modulus: f64,
    /// Effective radius, [`effective_radius`] [m].
    pub radius: f64,
    /// Mass that the contact feels along the normal, the inverse of `n·(M⁻¹ n)` over both bodies [kg].
    pub effective_mass: f64,
    /// Restitution asked for [-].
    pub restitution: f64,
}

/// A force along the normal as it was frozen at the start of its contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalForce {
    /// Stiffness [N/m^1.5 for Hertz, N/m for linear ones].
    stiffness: f64,
    /// Damping [s/m for Hertz, N s/m for linear ones].
    damping: f64,
    curve: Curve,
}

zerogap_core::store_struct!(NormalForce { stiffness, damping, curve });

/// How the force grows with the overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Curve {
    /// `k δ^1.5 (1 + d δ')`, at least 0.
    Hertz,
    /// `k δ + d δ'`, at least 0.
    Linear,
    /// `k δ √|δ| (1 + d δ')`, on both sides of 0.
    Modia3d,
}

zerogap_core::store_enum!(Curve { 0 => Hertz, 1 => Linear, 2 => Modia3d });

impl NormalLaw {
    /// The law as one lower-case word: `hunt-crossley`, `hertz`, `kelvin-voigt`, `linear` or `modia3d`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::HuntCrossley => "hunt-crossley",
            Self::Hertz => "hertz",
            Self::KelvinVoigt { .. } => "kelvin-voigt",
            Self::Linear { .. } => "linear",
            Self::Modia3d => "modia3d",
        }
    }

    /// Passes the law through if its numbers can be used.
    pub fn checked(self) -> Result<Self, LawError> {
        let law = self.word();
        if let Self::KelvinVoigt { stiffness, damping } | Self::Linear { stiffness, damping_ratio: damping } =
            self
        {
            if !(stiffness > 0.0 && stiffness.is_finite()) {
                return Err(LawError::Stiffness { law, value: stiffness });
            }
            if !(damping >= 0.0 && damping.is_finite()) {
                return Err(LawError::Damping { law, value: damping });
            }
        }
        Ok(self)
    }

    /// Whether the law acts at each contact point with a stiffness of its own, instead of through a modulus and a radius.
    pub fn is_per_point(&self) -> bool {
        matches!(self, Self::KelvinVoigt { .. } | Self::Linear { .. })
    }

    /// The force for a contact that starts now.
    ///
    /// A linear law without a finite effective mass, as between two bodies that nothing moves, has no damping.
    pub fn begin(&self, begin: &Begin) -> NormalForce {
        let &Begin { approach, stiffness_modulus, radius, effective_mass, restitution } = begin;
        let of_hertz = 4.0 / 3.0 * stiffness_modulus * radius.max(0.0).sqrt();
        match *self {
            Self::HuntCrossley => {
                let damping = damping_for_restitution(restitution, approach);
                NormalForce { stiffness: of_hertz, damping, curve: Curve::Hertz }
            }
            Self::Hertz => NormalForce { stiffness: of_hertz, damping: 0.0, curve: Curve::Hertz },
            Self::KelvinVoigt { stiffness, damping } => {
                NormalForce { stiffness, damping, curve: Curve::Linear }
            }
            Self::Linear { stiffness, damping_ratio } => {
                let damping = 2.0 * damping_ratio * (stiffness * effective_mass.max(0.0)).sqrt();
                let damping = if damping.is_finite() { damping } else { 0.0 };
                NormalForce { stiffness, damping, curve: Curve::Linear }
            }
            Self::Modia3d => {
                let damping = modia3d::damping(restitution, approach);
                NormalForce { stiffness: of_hertz, damping, curve: Curve::Modia3d }
            }
        }
    }
}

impl NormalForce {
    /// The force [N] for an overlap [m] and its rate [m/s], positive in approach. At least 0, and 0 where there is no overlap; that of
    /// [`NormalLaw::Modia3d`] has either sign on both sides.
    ///
    /// Tolerance: 4 ulp.
    #[inline]
    pub fn force(&self, overlap: f64, overlap_rate: f64) -> f64 {
        let Self { stiffness, damping, curve } = *self;
        if curve == Curve::Modia3d {
            return stiffness * overlap * overlap.abs().sqrt() * (1.0 + damping * overlap_rate);
        }
        // Not `<= 0`: NaN must not get past.
        let is_pressed = overlap > 0.0;
        if !is_pressed {
            return 0.0;
        }
        let force = if curve == Curve::Hertz {
            stiffness * overlap * overlap.sqrt() * (1.0 + damping * overlap_rate)
        } else {
            stiffness * overlap + damping * overlap_rate
        };
        force.max(0.0)
    }

    /// How the force grows with the overlap at rest [N/m].
    #[inline]
    pub fn stiffness(&self, overlap: f64) -> f64 {
        match self.curve {
            Curve::Modia3d => 1.5 * self.stiffness * overlap.abs().sqrt(),
            _ if overlap <= 0.0 => 0.0,
            Curve::Hertz => 1.5 * self.stiffness * overlap.sqrt(),
            Curve::Linear => self.stiffness,
        }
    }

    /// How the force grows with the rate of the overlap, in overlap [N s/m].
    #[inline]
    pub fn damping(&self, overlap: f64) -> f64 {
        match self.curve {
            Curve::Modia3d => self.damping * self.stiffness * overlap * overlap.abs().sqrt(),
            _ if overlap <= 0.0 => 0.0,
            Curve::Hertz => self.damping * self.stiffness * overlap * overlap.sqrt(),
            Curve::Linear => self.damping,
        }
    }

    /// The overlap at which the contact at rest carries a force [m]; 0 for forces of 0 and below, and where there is no stiffness.
    ///
    /// Tolerance: 4 ulp.
    pub fn static_overlap(&self, force: f64) -> f64 {
        let ratio = force / self.stiffness;
        let carries = ratio > 0.0 && ratio.is_finite();
        if !carries {
            return 0.0;
        }
        if self.curve == Curve::Linear {
            return ratio;
        }
        // The cube root first: the square of a small ratio would underflow.
        let root = cbrt(ratio);
        root * root
    }
}

/// The effective radius of two surfaces, `r1 r2 / (r1 + r2)` [m]. A side without a radius is flat and drops out; where both are, there is none.
pub fn effective_radius(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => {
            // In this order no product overflows, and a point on a point has radius 0.
            let (small, large) = (a.min(b), a.max(b));
            Some(if small > 0.0 { small / (1.0 + small / large) } else { 0.0 })
        }
        (one, None) | (None, one) => one,
    }
}
