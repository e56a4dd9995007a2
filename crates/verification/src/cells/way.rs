//! Methods and the contact laws that go with each.

use zerogap_contact::law::NormalLaw;
use zerogap_contact::solve::ImpactLaw;
use zerogap_simulation::world::{ContactModel, StepForces, Stepping, WorldParams};

/// Stiffness of one contact point of the laws that are told one [N/m]: a block of 25 kg sinks in by 0.06 mm on four.
const STIFFNESS: f64 = 1e6;

/// Damping of one contact point, where a law is told one [N s/m]: about critical for those blocks.
const DAMPING: f64 = 5e3;

/// A method and a law.
pub(super) struct Way {
    /// The words for it.
    pub(super) name: &'static str,
    pub(super) contact: ContactModel,
    pub(super) forces: Option<StepForces>,
    /// Whether what moves comes to rest after an impact: a law without losses goes on for ever.
    pub(super) has_losses: bool,
    /// Whether the restitution of the materials is what comes out.
    pub(super) has_restitution: bool,
    /// Whether it knows friction at all: SiLVIA's forces are along normals.
    pub(super) has_friction: bool,
    /// Whether friction holds what is at rest: that of Modia3D gives way a little at any load.
    pub(super) sticks: bool,
}

impl Way {
    /// Settings of a world of this way.
    pub(super) fn params(&self) -> WorldParams {
        let stepping = self.forces.map(|forces| Stepping { forces, ..Stepping::default() });
        WorldParams { contact: self.contact, stepping, ..WorldParams::default() }
    }

    /// Whether contacts give way.
    pub(super) fn is_elastic(&self) -> bool {
        self.forces.is_none() && matches!(self.contact, ContactModel::Elastic(_))
    }
}

/// All of them.
pub(super) static WAYS: [Way; 8] = [
    Way { contact: ContactModel::Rigid(ImpactLaw::Moreau), ..by_events("events, rigid", NormalLaw::Hertz) },
    by_events("events, hunt-crossley", NormalLaw::HuntCrossley),
    Way { has_losses: false, has_restitution: false, ..by_events("events, hertz", NormalLaw::Hertz) },
    Way {
        has_restitution: false,
        ..by_events("events, linear", NormalLaw::Linear { stiffness: STIFFNESS, damping_ratio: 1.0 })
    },
    Way {
        has_restitution: false,
        ..by_events("events, kelvin-voigt", NormalLaw::KelvinVoigt { stiffness: STIFFNESS, damping: DAMPING })
    },
    Way { sticks: false, ..by_events("events, modia3d", NormalLaw::Modia3d) },
    Way { forces: Some(StepForces::Coulomb), ..by_events("stepping", NormalLaw::Hertz) },
    Way {
        forces: Some(StepForces::Silvia),
        has_restitution: false,
        has_friction: false,
        sticks: false,
        ..by_events("silvia", NormalLaw::Hertz)
    },
];

const fn by_events(name: &'static str, law: NormalLaw) -> Way {
    Way {
        name,
        contact: ContactModel::Elastic(law),
        forces: None,
        has_losses: true,
        has_restitution: true,
        has_friction: true,
        sticks: true,
    }
}
