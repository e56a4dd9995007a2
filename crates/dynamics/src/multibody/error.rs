//! What a tree refuses, with the values that were wrong.

use zerogap_core::units::shortest;
use zerogap_core::{InputError, MAX_LENGTH};

use super::interpolation::Interpolation;

/// Why a tree, a joint or a loop was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TreeError {
    /// A pose, an axis or a point is unusable.
    #[error("body {body}: {source}")]
    Input {
        /// The body it belongs to, in order of adding.
        body: u32,
        /// What is wrong with it.
        source: InputError,
    },
    /// A mass is negative or not a number.
    #[error("body {body} has a mass of {} kg: it must be zero or positive, and finite", shortest(*mass))]
    Mass {
        /// The body.
        body: u32,
        /// The mass given [kg].
        mass: f64,
    },
    /// An inertia tensor that no distribution of mass has.
    #[error("body {body} has the inertia [{xx}, {xy}, {xz}; .., {yy}, {yz}; .., .., {zz}] kg m²: {reason}")]
    Inertia {
        /// The body.
        body: u32,
        /// Entry of the first row and column [kg m²].
        xx: f64,
        /// Entry of the second row and column [kg m²].
        yy: f64,
        /// Entry of the third row and column [kg m²].
        zz: f64,
        /// Entry above the diagonal [kg m²].
        xy: f64,
        /// Entry above the diagonal [kg m²].
        xz: f64,
        /// Entry above the diagonal [kg m²].
        yz: f64,
        /// Which rule it breaks.
        reason: &'static str,
    },
    /// A tendon, an actuator, a coupling or another force element that cannot be.
    #[error("a force element is refused: {reason} ({value})")]
    Force {
        /// Which rule it breaks.
        reason: &'static str,
        /// The number that breaks it.
        value: f64,
    },
    /// A parent, or a body of a loop, that does not exist yet.
    #[error("body {other} was named by body {body}, but only {known} bodies were added before it")]
    UnknownBody {
        /// Who names it (the number it would get).
        body: u32,
        /// The body named.
        other: u32,
        /// How many there are [-].
        known: usize,
    },
    /// A body that others hang on by joints or loops.
    #[error("body {body} cannot be removed: a joint, a loop or a force element hangs on it")]
    InUse {
        /// The body.
        body: u32,
    },
    /// The two axes of a universal joint are parallel.
    #[error("the two axes of the universal joint of body {body} are parallel (angle {angle} rad)")]
    ParallelAxes {
        /// The body.
        body: u32,
        /// The angle between them [rad].
        angle: f64,
    },
    /// A degree of freedom that the joint does not have.
    #[error("body {body} has no degree of freedom {index}: its joint has {count}")]
    NoSuchDof {
        /// The body.
        body: u32,
        /// The index given [-].
        index: usize,
        /// How many the joint has [-].
        count: usize,
    },
    /// Limits in the wrong order or not numbers.
    #[error(
        "degree of freedom {index} of body {body}: the lower limit {lower} lies above the upper limit {upper}"
    )]
    Limits {
        /// The body.
        body: u32,
        /// The index within its joint [-].
        index: usize,
        /// The lower limit [m or rad].
        lower: f64,
        /// The upper limit [m or rad].
        upper: f64,
    },
    /// A number that describes a degree of freedom is out of range.
    #[error("degree of freedom {index} of body {body}: {what} is {}, {need}", shortest(*value))]
    DofValue {
        /// The body.
        body: u32,
        /// The index within its joint [-].
        index: usize,
        /// Which number.
        what: &'static str,
        /// The value given.
        value: f64,
        /// What it must be.
        need: &'static str,
    },
    /// Limits, springs and position motors need a coordinate; rotations stored as quaternions have none per degree of freedom.
    #[error(
        "degree of freedom {index} of body {body} is part of a rotation stored as a quaternion, which supports no {what}"
    )]
    NoCoordinate {
        /// The body.
        body: u32,
        /// The index within its joint [-].
        index: usize,
        /// What was asked for.
        what: &'static str,
    },
    /// The joint of a body moves no inertia, wherever it stands, so its acceleration has no value.
    #[error(
        "the joint of body {body} moves no inertia (degree of freedom {index}): give the body, or what hangs on it, mass or inertia"
    )]
    Singular {
        /// The body.
        body: u32,
        /// The index within its joint [-].
        index: usize,
    },
    /// A prescribed motion that is not finite at the time zero.
    #[error("the prescribed motion of body {body} is not finite at t = 0")]
    Motion {
        /// The body.
        body: u32,
    },
    /// A loop that is none.
    #[error("loop {index}: {reason} ({})", shortest(*value))]
    Loop {
        /// The loop, in order of adding.
        index: u32,
        /// What is wrong.
        reason: &'static str,
        /// The value given.
        value: f64,
    },
    /// Gravity is not finite.
    #[error("gravity is ({}, {}, {}) m/s²: it must be finite", shortest(*x), shortest(*y), shortest(*z))]
    Gravity {
        /// First component [m/s²].
        x: f64,
        /// Second component [m/s²].
        y: f64,
        /// Third component [m/s²].
        z: f64,
    },
}

/// Why a prescribed motion was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// Fewer samples than a curve needs.
    #[error("a motion through samples needs at least 2 of them, not {count}")]
    TooFew {
        /// How many were given [-].
        count: usize,
    },
    /// Arrays of different lengths.
    #[error("{times} times but {samples} poses")]
    Lengths {
        /// Number of times [-].
        times: usize,
        /// Number of poses [-].
        samples: usize,
    },
    /// Times that do not increase, or are not finite.
    #[error("{place}: time {} s does not come (far enough) after {} s", shortest(*time), shortest(*before))]
    Order {
        /// Which sample or line.
        place: String,
        /// Its time [s].
        time: f64,
        /// The time before [s].
        before: f64,
    },
    /// A number that is not finite, or a quaternion without direction.
    #[error("{place}: {source}")]
    Sample {
        /// Which sample or line.
        place: String,
        /// What is wrong with it.
        source: InputError,
    },
    /// Two neighbouring samples rotated so far against each other that the path between them is unclear.
    #[error(
        "{place}: rotated by {angle} rad since the sample before, more than the {max} rad that a curve can follow; sample more densely"
    )]
    Turn {
        /// Which sample or line.
        place: String,
        /// The angle between the two [rad].
        angle: f64,
        /// The largest angle accepted [rad].
        max: f64,
    },
    /// Text that is no row of numbers.
    #[error("line {line}: {reason}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// An oscillation of an angle over more revolutions than the integrator can resolve.
    #[error(
        "the amplitude of an angle is {} rad: it must be at most {max} rad ({} revolutions); the integrator cannot resolve more",
        shortest(*amplitude),
        max / std::f64::consts::TAU
    )]
    ManyTurns {
        /// The amplitude [rad].
        amplitude: f64,
        /// The largest that is accepted [rad].
        max: f64,
    },
    /// An oscillation so fast that no step could follow it.
    #[error("the frequency is {} Hz: it must be at most {max:e} Hz; the integrator cannot resolve more", shortest(*frequency))]
    TooFast {
        /// The frequency [Hz].
        frequency: f64,
        /// The largest that is accepted [Hz].
        max: f64,
    },
    /// A word that names no interpolation.
    #[error("interpolation \"{given}\" is not known: it is {}", Interpolation::words())]
    Interpolation {
        /// The word given.
        given: String,
    },
    /// A number of a harmonic motion is not finite, or beyond all lengths.
    #[error("{what} is {}: it must be a number of magnitude at most {MAX_LENGTH:e}", shortest(*value))]
    Harmonic {
        /// Which number.
        what: &'static str,
        /// The value given.
        value: f64,
    },
}
