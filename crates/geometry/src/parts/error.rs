//! Errors of parametric parts.

/// A part that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PartError {
    /// No part of this name.
    #[error("there is no part '{name}'{}; the parts are {known}", suggestion(hint.as_deref()))]
    UnknownPart {
        /// The name given.
        name: String,
        /// The nearest name that exists, if one is near.
        hint: Option<String>,
        /// All names, separated by commas.
        known: String,
    },
    /// The part exists, the parameter does not.
    #[error("part '{part}' has no parameter '{name}'{}; its parameters are {known}", suggestion(hint.as_deref()))]
    UnknownParameter {
        /// Name of the part.
        part: &'static str,
        /// The name given.
        name: String,
        /// The nearest name that exists, if one is near.
        hint: Option<String>,
        /// All parameters, separated by commas.
        known: String,
    },
    /// A value given as text could not be read.
    #[error("parameter '{parameter}' of part '{part}': {reason}")]
    Unreadable {
        /// Name of the part.
        part: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// Description of the error, with the text.
        reason: String,
    },
    /// A value that no such part can have.
    #[error("parameter '{parameter}' of part '{part}' is {value}: {requirement}")]
    Value {
        /// Name of the part.
        part: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// The value given [SI].
        value: f64,
        /// The requirement, with the values it is compared to.
        requirement: String,
    },
    /// Lengths so different, or segments so many, that the surface would have triangles without a direction.
    #[error(
        "the part would have triangles too thin for their length, the first at ({x}, {y}, {z}) m: make the lengths less different or \
         the segments fewer"
    )]
    TooThin {
        /// First coordinate of a corner [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
    /// An invalid outline.
    #[error("invalid outline: {reason}")]
    Outline {
        /// Description of the error, with values.
        reason: String,
    },
}

fn suggestion(hint: Option<&str>) -> String {
    hint.map_or_else(String::new, |hint| format!(" (did you mean '{hint}'?)"))
}
