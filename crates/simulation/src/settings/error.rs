//! What is wrong with a setting.

use zerogap_core::text::nearest;

use super::schema::Range;
use super::words::word_hint;

/// A setting that cannot be used, or does not fit the others.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingError {
    /// A word that the setting does not have.
    #[error("'{key}' is \"{word}\": it must be {}", known.join(", "))]
    UnknownWord {
        /// The setting.
        key: &'static str,
        /// What was written.
        word: String,
        /// What may be written.
        known: &'static [&'static str],
    },
    /// A number out of its range.
    #[error("'{key}' is {}: it must be {range}", with_unit(*value, unit))]
    OutOfRange {
        /// The setting.
        key: &'static str,
        /// What was written [SI].
        value: f64,
        /// Unit of the value; empty for plain numbers.
        unit: &'static str,
        /// What it may be [SI].
        range: Range,
    },
    /// A setting that has no effect with the word that was chosen for another.
    #[error("'{key}' has no meaning for {selector} = \"{word}\"")]
    Unused {
        /// The setting.
        key: &'static str,
        /// The other one.
        selector: &'static str,
        /// Its word.
        word: &'static str,
        /// Its words with which the setting has an effect.
        used_with: &'static [&'static str],
    },
    /// A setting that cannot be left out.
    #[error("{owner} needs '{key}'")]
    Missing {
        /// The setting.
        key: &'static str,
        /// What needs it.
        owner: String,
    },
    /// Two settings that contradict each other, or a value that cannot be used.
    #[error("{message}")]
    Conflict {
        /// The setting.
        key: &'static str,
        /// What is wrong, with names and values.
        message: String,
        /// What to write instead.
        help: &'static str,
    },
}

impl SettingError {
    /// Returns the setting that it is about.
    pub fn key(&self) -> &'static str {
        match self {
            Self::UnknownWord { key, .. }
            | Self::OutOfRange { key, .. }
            | Self::Unused { key, .. }
            | Self::Missing { key, .. }
            | Self::Conflict { key, .. } => key,
        }
    }

    /// Returns what to write instead, where that is known.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::UnknownWord { key, word, known } => {
                let meant = || nearest(word, known).map(|meant| format!("did you mean '{meant}'?"));
                word_hint(key, word).map(str::to_owned).or_else(meant)
            }
            Self::Unused { selector, used_with, .. } if !used_with.is_empty() => {
                Some(format!("leave it out; it is used with {selector} = {}", listed(used_with)))
            }
            Self::Conflict { help, .. } if !help.is_empty() => Some((*help).to_owned()),
            _ => None,
        }
    }
}

/// Returns words as a sentence has them: `"events" or "stepping"`.
pub fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}

fn with_unit(value: f64, unit: &str) -> String {
    let number = zerogap_core::units::shortest(value);
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}
