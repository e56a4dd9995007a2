//! Errors of landings.

use zerogap_contact::law::LawError;
use zerogap_core::InputError;
use zerogap_dynamics::beam::BeamError;
use zerogap_dynamics::event::DriveError;
use zerogap_dynamics::integrate::StepError;
use zerogap_proximity::oriented::OrientedError;

use crate::world::WorldError;

/// Why there is no landing, or why it ended.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LandingError {
    /// A number that cannot be used.
    #[error("{what} is {value}: it must be {must}")]
    Value {
        /// Which number.
        what: &'static str,
        /// The value given.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// The gear is no frame of beams.
    #[error(transparent)]
    Beam(#[from] BeamError),
    /// The deck is no target.
    #[error(transparent)]
    Deck(#[from] OrientedError),
    /// The deck does not push as it must.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A pose that cannot be.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A skid is inside the deck at the start.
    #[error("skid {skid} is inside the deck at the start, {depth} m deep: start higher")]
    Inside {
        /// Which, 1 or 6.
        skid: usize,
        /// How deep [m].
        depth: f64,
    },
    /// The run could not end.
    #[error(transparent)]
    Run(Box<WorldError>),
    /// The run cannot continue.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The run does not advance.
    #[error("{0}")]
    Stuck(String),
}

impl From<WorldError> for LandingError {
    fn from(error: WorldError) -> Self {
        Self::Run(Box::new(error))
    }
}

impl From<DriveError<LandingError>> for LandingError {
    fn from(error: DriveError<LandingError>) -> Self {
        match error {
            DriveError::Step(step) => Self::Step(step),
            DriveError::Event(event) => event,
            other => Self::Stuck(other.to_string()),
        }
    }
}
