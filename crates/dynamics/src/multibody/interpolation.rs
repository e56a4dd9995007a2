//! Interpolation of a motion between its samples between them: straight, monotone or smooth.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use super::error::MotionError;

/// How a motion is interpolated between samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// Constant velocity and angular velocity from sample to sample: velocities jump at the samples.
    Linear,
    /// Never leaves the range of neighbouring samples: continuous velocity, zero where a coordinate turns back and at both ends. Accelerations jump at the samples.
    #[default]
    Monotone,
    /// Continuous acceleration, at rest at both ends. It may overshoot the samples.
    Smooth,
}

impl Interpolation {
    /// All of them, with their names.
    const NAMES: [(&'static str, Self); 3] =
        [("linear", Self::Linear), ("monotone", Self::Monotone), ("smooth", Self::Smooth)];

    /// The names as a sentence has them: `linear, monotone or smooth`.
    pub(super) fn words() -> String {
        let [first, second, third] = Self::NAMES.map(|(name, _)| name);
        format!("{first}, {second} or {third}")
    }

    /// Their names, in the order of the variants.
    pub const WORDS: [&'static str; 3] = [Self::NAMES[0].0, Self::NAMES[1].0, Self::NAMES[2].0];
}

impl Display for Interpolation {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let named = Self::NAMES.iter().find(|(_, one)| one == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

impl FromStr for Interpolation {
    type Err = MotionError;

    fn from_str(text: &str) -> Result<Self, MotionError> {
        let named = Self::NAMES.iter().find(|(name, _)| *name == text);
        named.map(|(_, one)| *one).ok_or_else(|| MotionError::Interpolation { given: text.to_owned() })
    }
}
