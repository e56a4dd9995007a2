//! Why zero-crossing functions or forces could not be computed.

use zerogap_core::units::shortest;
use zerogap_proximity::collider::ColliderError;

use crate::world::shapes::PairId;

/// Why zero-crossing functions or forces could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ZeroCrossingError {
    /// A hysteresis that is not positive.
    #[error("the hysteresis of zero-crossing functions is {} m: it must be positive and finite", shortest(*value))]
    Hysteresis {
        /// The value given [m].
        value: f64,
    },
    /// A wrong number of something.
    #[error("{given} {what} were given: there must be {needed}")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many there must be [-].
        needed: usize,
        /// How many there were [-].
        given: usize,
    },
    /// A pose or velocity that is not finite.
    #[error("the {what} of body {body} is not finite")]
    NotFinite {
        /// Pose or velocity.
        what: &'static str,
        /// The number of the body.
        body: usize,
    },
    /// There is no such function.
    #[error("there is no function {function}: there are {count}, from 0")]
    NoFunction {
        /// The number given.
        function: usize,
        /// How many there are [-].
        count: usize,
    },
    /// The narrow phase has no answer.
    #[error("{pair}: {error}")]
    NarrowPhase {
        /// The two shapes.
        pair: PairId,
        /// Why.
        error: ColliderError,
    },
    /// A world whose contact model gives no forces as functions of poses and velocities.
    #[error("contacts have no forces as functions of poses and velocities: {why}")]
    NoForces {
        /// Why.
        why: &'static str,
    },
    /// A contact without a radius under a law that needs one.
    #[error("the contact of {pair} has no radius: give the pair of their materials a contact_radius")]
    NoContactRadius {
        /// The two shapes.
        pair: PairId,
    },
}
