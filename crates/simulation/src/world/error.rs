//! Why a world could not be built or run.

use zerogap_contact::law::LawError;
use zerogap_contact::material::MaterialError;
use zerogap_contact::problem::ProblemError;
use zerogap_core::units::shortest;
use zerogap_dynamics::beam::frame::FrameError;
use zerogap_dynamics::event::DriveError;
use zerogap_dynamics::integrate::StepError;
use zerogap_dynamics::multibody::TreeError;
use zerogap_geometry::GeometryError;
use zerogap_geometry::complex::ComplexError;
use zerogap_proximity::broad::BroadError;
use zerogap_proximity::collider::{ColliderError, ColliderKind};

use super::events::CrowdCause;
use super::shapes::{PairId, ShapeId};

/// Why a world could not be built or run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// A material or a pair of materials.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A contact law.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A body, joint or loop.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A shape.
    #[error(transparent)]
    Shape(#[from] GeometryError),
    /// A body without mass.
    #[error("{body} has no mass: give it a shape with volume, or a mass and an inertia of its own")]
    NoMass {
        /// Its name.
        body: String,
    },
    /// Minkowski portal refinement gives one contact point of a pair, on which rigid bodies cannot rest.
    #[error(
        "narrow_phase = \"mpr\" gives one contact point of a pair, on which rigid contacts cannot rest: choose a compliant contact, such as \"hunt-crossley\""
    )]
    RigidByMpr,
    /// There is no such body.
    #[error("there is no body {body}")]
    NoBody {
        /// The number asked for.
        body: u32,
    },
    /// A body that was removed.
    #[error("body {body} ('{name}') was removed at t = {} s", shortest(*t))]
    RemovedBody {
        /// Its number.
        body: u32,
        /// Its name.
        name: String,
        /// When it was removed [s].
        t: f64,
    },
    /// A body that cannot be removed because something hangs on it.
    #[error("{body} cannot be removed: {} on it; remove what hangs on it first", hanging(by))]
    BodyInUse {
        /// Name of the body.
        body: String,
        /// What hangs on it: names of bodies, and loops by number.
        by: Vec<String>,
    },
    /// No shape of this number was fixed in the world.
    #[error("shape {shape} is not the first of shapes that were fixed in the world, or it was removed")]
    NoFixedShape {
        /// The number asked for.
        shape: u32,
    },
    /// There is no such shape.
    #[error("there is no shape {shape}, or it was removed")]
    NoShape {
        /// The number asked for.
        shape: u32,
    },
    /// No body and no shape has a name.
    #[error("no body or shape is called '{name}'; there are: {}", known.join(", "))]
    NoSide {
        /// The name asked for.
        name: String,
        /// Names that there are.
        known: Vec<String>,
    },
    /// A gap between two sides that have no two shapes.
    #[error("there are no two shapes to measure between {a} and {b}")]
    NothingBetween {
        /// The first side.
        a: String,
        /// The second side.
        b: String,
    },
    /// Contact forces in a force function.
    #[error("a force function cannot see contact forces, since they follow from the other forces")]
    ContactsOfForce,
    /// A force function whose load is not finite.
    #[error("at t = {t} s a force function has a load on {body} that is not finite")]
    ForceFunction {
        /// When [s].
        t: f64,
        /// Name of the body.
        body: String,
    },
    /// A state of the same world with other bodies.
    #[error(
        "this state is of a world with other bodies: bodies or fixed shapes were added or removed since, and a state is restored among those it was saved with"
    )]
    OtherBodies,
    /// A half-space on a body that moves freely.
    #[error("{body} has a half-space: only fixed and prescribed bodies can have one")]
    HalfSpaceOnBody {
        /// Its name.
        body: String,
    },
    /// A servo on a body that is not free.
    #[error("a servo cannot act on {body}: its body must be free and hang on no joint")]
    HandOnJoint {
        /// Its name.
        body: String,
    },
    /// Loops that are not closed at the start.
    #[error(
        "closing the loops moves {body} by {distance:.3e} m and {angle:.3e} rad, more than 1e-3 of the mechanism: give start positions that close them, or set assemble = true"
    )]
    Assembly {
        /// Its name.
        body: String,
        /// How far its origin moves [m].
        distance: f64,
        /// By how much it is rotated [rad].
        angle: f64,
    },
    /// Dry friction in a joint, by a method that has none.
    #[error(
        "the joint of {body} has dry friction, which acts by method = \"stepping\" alone: choose that, or leave 'friction' of the joint out"
    )]
    JointFriction {
        /// Its name.
        body: String,
    },
    /// A frame of beams.
    #[error("frame '{name}': {error}")]
    Frame {
        /// Its name.
        name: String,
        /// What is wrong with it.
        error: Box<FrameError>,
    },
    /// Frames of beams by a method that has none.
    #[error("SiLVIA has no frames of flexible beams: choose method = \"stepping\" or \"events\"")]
    FramesBySilvia,
    /// A law that friction pyramids do not have.
    #[error("solver = \"lcp\" has no {what}: choose solver = \"cones\", or leave it out")]
    Pyramids {
        /// The law.
        what: &'static str,
    },
    /// A shape that has contacts with nothing as it was asked to collide.
    #[error("'{name}' collides as {}, and such have no contacts: {reason}", kind.with_article())]
    CannotCollide {
        /// Its number, in the order of adding.
        shape: ShapeId,
        /// Its name, or that of its body.
        name: String,
        /// As what it was to collide.
        kind: ColliderKind,
        /// The reason that the table of colliders gives.
        reason: &'static str,
    },
    /// A pair of shapes that may touch, and for which no algorithm answers what the method asks.
    #[error("{pair} cannot collide: {error}")]
    Unanswered {
        /// Which.
        pair: PairId,
        /// The question, the kinds and the reason that the table of colliders gives.
        error: ColliderError,
    },
    /// A shape that cannot collide by quasi-LMDs.
    #[error("{shape} cannot collide by quasi-LMDs: {error}", shape = shape.map_or("a shape".to_owned(), |shape| format!("shape {}", shape.0)))]
    Complex {
        /// Which, where that is known.
        shape: Option<ShapeId>,
        /// Why.
        error: ComplexError,
    },
    /// A start with the wrong number of values.
    #[error("{body} starts with {given} {what}, but its joint has {needed}")]
    Start {
        /// Name of the body.
        body: String,
        /// Positions or velocities.
        what: &'static str,
        /// How many were given [-].
        given: usize,
        /// How many are needed [-].
        needed: usize,
    },
    /// A vector over all joints, actuators or times with another length.
    #[error("there are {needed} {what} here, not {given}")]
    Coordinates {
        /// Of what.
        what: &'static str,
        /// How many were given [-].
        given: usize,
        /// How many are needed [-].
        needed: usize,
    },
    /// A rotation of no length.
    #[error("{body} cannot be rotated by the quaternion 0 0 0 0")]
    NoRotation {
        /// Name of the body.
        body: String,
    },
    /// Positions that leave loops open.
    #[error(
        "these positions leave loops open: closing them moves {body} by {distance:.3e} m and {angle:.3e} rad, more than {tolerance:e} of the mechanism; set positions that close them, or build the world with assemble = true"
    )]
    OpenLoop {
        /// Its name.
        body: String,
        /// How far its origin would move [m].
        distance: f64,
        /// By how much it would rotate [rad].
        angle: f64,
        /// What is allowed, against the extent of the mechanism [-].
        tolerance: f64,
    },
    /// No joint, actuator, sensor or frame has a name.
    #[error("there is no {what} '{name}'{}", meant_or_known(meant.as_deref(), known))]
    NoName {
        /// Of what kind.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The nearest name that there is.
        meant: Option<String>,
        /// Names that there are.
        known: Vec<String>,
    },
    /// There is no such tendon or actuator.
    #[error("there is no {what} {number}: there are {known}, counted from 0")]
    NoForce {
        /// Tendon or actuator.
        what: &'static str,
        /// The number asked for.
        number: usize,
        /// How many there are [-].
        known: usize,
    },
    /// A start that is not finite.
    #[error("{body} starts with {what} that are not finite: {value}")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Positions or velocities.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A joint position outside its limits at the start.
    #[error(
        "the joint of {body} starts at {position} in degree of freedom {index}, outside its limits from {lower} to {upper} [m or rad]"
    )]
    BeyondLimits {
        /// Name of the body that the joint carries.
        body: String,
        /// Which degree of freedom of the joint [-].
        index: usize,
        /// Where it starts [m or rad].
        position: f64,
        /// The lower limit, or minus infinity [m or rad].
        lower: f64,
        /// The upper limit, or infinity [m or rad].
        upper: f64,
    },
    /// Shapes that overlap at the start.
    #[error("{pair} overlap by {overlap} m at the start: move them apart, or allow overlaps")]
    Overlap {
        /// Which.
        pair: PairId,
        /// By how much [m].
        overlap: f64,
    },
    /// Complexes of quasi-LMDs that intersect: they would fall through each other.
    #[error(
        "at t = {t} s {pair} overlap by more than both dilations, so that quasi-LMDs find no contacts between them: take a larger dilation, a stiffer contact law, or method = \"stepping\""
    )]
    Intersecting {
        /// When [s]; the state is that of this time.
        t: f64,
        /// Which.
        pair: PairId,
    },
    /// A step that needs too many substeps to prevent intersection of complexes; the world stays in the state before the step.
    #[error(
        "the step from t = {t} s needs more than {parts} substeps to prevent intersection of {pair}, which move by more than their dilations in each: take a larger dilation or a shorter step"
    )]
    TooManyParts {
        /// When the step began [s].
        t: f64,
        /// The nearest complexes.
        pair: PairId,
        /// Parts at most [-].
        parts: usize,
    },
    /// A pair for which the narrow phase has no answer.
    #[error("at t = {t} s the narrow phase has no answer for {pair}: {error}")]
    NarrowPhase {
        /// When [s].
        t: f64,
        /// Which.
        pair: PairId,
        /// Why.
        error: ColliderError,
    },
    /// A shape without a finite bounding box.
    #[error("shape {} has no finite bounding box at the start: {error}", shape.0)]
    BoundingBox {
        /// Which.
        shape: ShapeId,
        /// Its box.
        error: BroadError,
    },
    /// More of something than a world takes.
    #[error("the world has {given} {what}: it takes {limit} at most")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are [-].
        given: usize,
        /// How many there may be [-].
        limit: usize,
    },
    /// A step so short that time would not advance.
    #[error("the {what} is {} s: with steps below {} s time does not advance", shortest(*step), shortest(*min))]
    StepTooShort {
        /// Which step.
        what: &'static str,
        /// Its length [s].
        step: f64,
        /// The shortest with which the run ends [s].
        min: f64,
    },
    /// A time between frames that makes more of them than a run can have.
    #[error("a frame every {} s makes {frames:.1e} frames, and a run can have {max:e} at most", shortest(*every))]
    TooManyFrames {
        /// Time between frames [s].
        every: f64,
        /// How many it makes [-].
        frames: f64,
        /// How many are possible [-].
        max: f64,
    },
    /// A surface velocity where contacts have no friction.
    #[error(
        "shape {} has a surface velocity, which acts by friction, but SiLVIA has no friction: use stepping or events",
        shape.0
    )]
    SurfaceVelocity {
        /// Which.
        shape: ShapeId,
    },
    /// A setting that makes no sense.
    #[error("the {what} is {value}")]
    Setting {
        /// Which.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A shape that cannot take part in oriented collision.
    #[error("shape {} cannot collide by oriented collision: {why}", shape.0)]
    Oriented {
        /// Which.
        shape: ShapeId,
        /// Whose corners would hit it, where that is why.
        by: Option<ShapeId>,
        /// Why not.
        why: String,
    },
    /// A contact for which a law by modulus and radius has no stiffness: a point on a half-space has no radius.
    #[error(
        "at t = {t} s {pair} touch, and neither has a size from which a radius of the contact could follow: give the pair of materials a `contact_radius`, or take a law with a stiffness of its own (linear, kelvin-voigt)"
    )]
    NoContactRadius {
        /// When [s].
        t: f64,
        /// Which pair.
        pair: PairId,
    },
    /// No force of a sliding contact can keep two bodies apart.
    #[error(
        "at t = {t} s no contact force between {pair} obeys Coulomb's law (Painlevé's paradox): less friction or an elastic contact law has a solution"
    )]
    Inconsistent {
        /// When [s].
        t: f64,
        /// Which slides.
        pair: PairId,
    },
    /// Contacts whose numbers cannot be solved.
    #[error("at t = {t} s contacts cannot be solved: {error}")]
    Contact {
        /// When [s].
        t: f64,
        /// Why.
        error: ProblemError,
    },
    /// A step could not be made.
    #[error("{error}{}; {}", among(*pair), CrowdCause::Steps.advice())]
    Step {
        /// Why not.
        error: StepError,
        /// The pair that something happened to last, where there was one.
        pair: Option<PairId>,
    },
    /// Time does not advance.
    #[error(
        "{steps} steps to t = {t} s advanced by {passed:.1e} s: time does not advance, because of {}{}; {}",
        cause.words(), among(*pair), cause.advice()
    )]
    Stuck {
        /// Where [s].
        t: f64,
        /// Steps [-].
        steps: usize,
        /// Time that they passed [s].
        passed: f64,
        /// What happened in them.
        cause: CrowdCause,
        /// The pair that something happened to last, where there was one.
        pair: Option<PairId>,
    },
    /// More events than a run may have.
    #[error(
        "{events} instants with events by t = {t} s, and max_events is {max}; most of late were {cause}{}: allow more, or try a larger rtol or method = \"stepping\"",
        among(*pair)
    )]
    EventsSpent {
        /// When [s].
        t: f64,
        /// How many [-].
        events: usize,
        /// How many there may be [-].
        max: usize,
        /// What happened most of late.
        cause: &'static str,
        /// The pair that something happened to last, where there was one.
        pair: Option<PairId>,
    },
    /// More wall time than a run may take.
    #[error(
        "{max} s of wall time (max_wall) reached t = {t} s in {steps} steps, {rate:.2e} s for every second: allow more, or try a larger rtol or method = \"stepping\""
    )]
    WallSpent {
        /// When [s].
        t: f64,
        /// Wall time that it may take [s].
        max: f64,
        /// Steps [-].
        steps: usize,
        /// Time reached per second of wall time [-].
        rate: f64,
    },
    /// Zero-crossing functions never were enough for a step.
    #[error(
        "the step from t = {t} s was searched {count} times, and each time a crossing was missed: start with more zero_functions, or set it to \"two\""
    )]
    MissedCrossings {
        /// Where it begins [s].
        t: f64,
        /// How many times [-].
        count: usize,
    },
    /// Numbers ran out of range in a step; the world stays in the state before the step.
    #[error("at {time} s the step diverged ({value})")]
    Overflow {
        /// When the step began [s].
        time: f64,
        /// What it led to.
        value: f64,
    },
}

/// The pair that was last, in words.
fn among(pair: Option<PairId>) -> String {
    pair.map_or(String::new(), |pair| format!(", the last event between {pair}"))
}

/// The end of a message on a name that nothing has.
fn meant_or_known(meant: Option<&str>, known: &[String]) -> String {
    match meant {
        Some(meant) => format!(": did you mean '{meant}'?"),
        None if known.is_empty() => ": there is none at all".to_owned(),
        None => format!("; there are: {}", known.join(", ")),
    }
}

/// What hangs on a body, in words.
fn hanging(by: &[String]) -> String {
    let verb = if by.len() == 1 { "hangs" } else { "hang" };
    format!("{} {verb}", by.join(", "))
}

impl From<ComplexError> for WorldError {
    fn from(error: ComplexError) -> Self {
        Self::Complex { shape: None, error }
    }
}

impl WorldError {
    /// Returns the message with the names of shapes, in quotes, in place of their numbers.
    pub fn with_names(&self, name: impl Fn(ShapeId) -> String) -> String {
        let message = self.to_string();
        match self {
            Self::Overlap { pair, .. }
            | Self::Intersecting { pair, .. }
            | Self::TooManyParts { pair, .. }
            | Self::NarrowPhase { pair, .. }
            | Self::Unanswered { pair, .. }
            | Self::NoContactRadius { pair, .. }
            | Self::Stuck { pair: Some(pair), .. }
            | Self::Step { pair: Some(pair), .. }
            | Self::EventsSpent { pair: Some(pair), .. }
            | Self::Inconsistent { pair, .. } => {
                message.replacen(&pair.to_string(), &format!("'{}' and '{}'", name(pair.a), name(pair.b)), 1)
            }
            Self::Complex { shape: Some(shape), .. }
            | Self::BoundingBox { shape, .. }
            | Self::SurfaceVelocity { shape }
            | Self::Oriented { shape, .. } => {
                message.replacen(&format!("shape {}", shape.0), &format!("'{}'", name(*shape)), 1)
            }
            _ => message,
        }
    }

    /// The same with the shape that is meant.
    pub(super) fn at(self, shape: ShapeId) -> Self {
        match self {
            Self::Complex { error, .. } => Self::Complex { shape: Some(shape), error },
            other => other,
        }
    }
}

impl From<DriveError<WorldError>> for WorldError {
    fn from(error: DriveError<WorldError>) -> Self {
        match error {
            DriveError::Step(error) => Self::Step { error, pair: None },
            DriveError::Event(error) => error,
            DriveError::Stuck { t, steps, passed } => {
                Self::Stuck { t, steps, passed, cause: CrowdCause::Steps, pair: None }
            }
            DriveError::Missed { t, count } => Self::MissedCrossings { t, count },
        }
    }
}
