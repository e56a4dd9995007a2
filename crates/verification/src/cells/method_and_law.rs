//! Time-integration methods and the contact laws of each.

use zerogap_contact::law::NormalLaw;
use zerogap_contact::solve::ImpactLaw;
use zerogap_simulation::world::{ContactModel, EventLocation, StepForces, Stepping, WorldParams};

/// Stiffness of one contact point of the laws that take one [N/m]: a block of 25 kg sinks in by 0.06 mm on four.
const STIFFNESS: f64 = 1e6;

/// Damping of one contact point, where a law takes one [N s/m]: about critical for those blocks.
const DAMPING: f64 = 5e3;

/// A method and a law.
pub(super) struct MethodAndLaw {
    /// Name in the row.
    pub(super) name: &'static str,
    pub(super) contact: ContactModel,
    pub(super) forces: Option<StepForces>,
    /// Largest relative change of momentum in a collision: that of the tolerance of integration, or of the length of steps [-].
    pub(super) momentum_error: f64,
    /// What it does not model by design.
    lacks: &'static [Lack],
}

/// What a method or law does not model by design: its trials are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// Dissipation: bodies never come to rest.
    Losses,
    /// The restitution of the materials.
    Restitution,
    /// Forces act along normals alone.
    Friction,
    /// Friction creeps at any load.
    Sticking,
}

impl MethodAndLaw {
    /// Returns the parameters of a world with this method and law.
    pub(super) fn params(&self) -> WorldParams {
        match self.forces {
            Some(forces) => WorldParams::new(Stepping { forces, ..Stepping::default() }),
            None => WorldParams::new(EventLocation::new(self.contact)),
        }
    }

    /// Returns whether the method and law model something.
    pub(super) fn has(&self, what: Lack) -> bool {
        !self.lacks.contains(&what)
    }

    /// Returns whether contacts are compliant.
    pub(super) fn is_elastic(&self) -> bool {
        self.forces.is_none() && matches!(self.contact, ContactModel::Elastic(_))
    }
}

/// All combinations.
pub(super) static METHODS_AND_LAWS: [MethodAndLaw; 8] = [
    MethodAndLaw {
        contact: ContactModel::Rigid(ImpactLaw::Moreau),
        ..by_events("events, rigid", NormalLaw::Hertz, &[])
    },
    by_events("events, hunt-crossley", NormalLaw::HuntCrossley, &[]),
    by_events("events, hertz", NormalLaw::Hertz, &[Lack::Losses, Lack::Restitution]),
    by_events(
        "events, linear",
        NormalLaw::Linear { stiffness: STIFFNESS, damping_ratio: 1.0 },
        &[Lack::Restitution],
    ),
    by_events(
        "events, kelvin-voigt",
        NormalLaw::KelvinVoigt { stiffness: STIFFNESS, damping: DAMPING },
        &[Lack::Restitution],
    ),
    by_events("events, modia3d", NormalLaw::Modia3d, &[Lack::Sticking]),
    MethodAndLaw {
        forces: Some(StepForces::Coulomb),
        momentum_error: 1e-6,
        ..by_events("stepping", NormalLaw::Hertz, &[])
    },
    MethodAndLaw {
        forces: Some(StepForces::Silvia),
        momentum_error: 1e-3,
        ..by_events("silvia", NormalLaw::Hertz, &[Lack::Restitution, Lack::Friction, Lack::Sticking])
    },
];

const fn by_events(name: &'static str, law: NormalLaw, lacks: &'static [Lack]) -> MethodAndLaw {
    MethodAndLaw { name, contact: ContactModel::Elastic(law), forces: None, momentum_error: 1e-6, lacks }
}
