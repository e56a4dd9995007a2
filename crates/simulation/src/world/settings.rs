//! Settings by the words of scene files and of Python, with their defaults.
//!
//! In: what a caller wrote, None where nothing was. Out: settings of the world. Every door reads its defaults here, in [`WorldParams::default`] and in the
//! `Default` of the type that a setting belongs to, and nowhere else, so that the same words mean the same world behind each.
//!
//! [`WorldParams::default`]: super::WorldParams

mod collision;

pub use collision::{COLLISIONS, CollisionError, CollisionSettings, PIECES, hull};

use zerogap_contact::law::NormalLaw;
use zerogap_contact::solve::ImpactLaw;
use zerogap_dynamics::integrate::{IntegratorKind, Tolerance};

use super::{ContactModel, MethodParams, StepForces};

/// Damping of the linear contact law against critical damping, where a caller does not say [-].
pub const DAMPING_RATIO: f64 = 1.0;

/// Absolute against relative tolerance of a step, where a caller gives the relative one alone [-].
pub const ATOL_PER_RTOL: f64 = 1e-3;

/// Material of a shape, where a caller does not say.
pub const MATERIAL: &str = "steel";

/// Time between recorded frames, where a caller does not say [s].
pub const FRAME_INTERVAL: f64 = 0.01;

/// Time in which a servo makes up a displacement, where a caller does not say [s].
pub const SERVO_RESPONSE: f64 = 0.05;

/// Methods by name; the first is the default.
pub const METHODS: &[&str] = &["events", "stepping", "silvia"];

/// Integrators by name, for events; the first is the default.
pub const INTEGRATORS: &[&str] = &["auto", "dop853", "radau"];

/// Contact models by name; the first is the default.
pub const CONTACTS: &[&str] = &["hunt-crossley", "hertz", "linear", "kelvin-voigt", "modia3d", "rigid"];

/// Impact laws by name; the first is the default.
pub const IMPACTS: &[&str] = &["moreau", "poisson", "newton"];

/// A setting that does not go with the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// A word that stands for nothing.
    #[error("{key} is \"{word}\": it must be {}{}", known.join(", "), hint_sentence(key, word))]
    Unknown {
        /// The setting.
        key: &'static str,
        /// What was written.
        word: String,
        /// What may be written.
        known: &'static [&'static str],
    },
    /// A number that the contact model does not use.
    #[error("'{key}' has no meaning for contact = \"{contact}\"")]
    Unused {
        /// The setting.
        key: &'static str,
        /// The contact model.
        contact: &'static str,
    },
    /// A setting that the method does not use.
    #[error("'{key}' has no meaning for method = \"{method}\"")]
    UnusedByMethod {
        /// The setting.
        key: &'static str,
        /// The method.
        method: &'static str,
    },
    /// A number that the contact model cannot do without.
    #[error("contact = \"{contact}\" needs '{key}'")]
    Missing {
        /// The setting.
        key: &'static str,
        /// The contact model.
        contact: &'static str,
    },
}

/// What a caller says of contacts; None where nothing is said.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContactSettings<'a> {
    /// One of [`CONTACTS`].
    pub contact: Option<&'a str>,
    /// One of [`IMPACTS`], for rigid contacts.
    pub impact: Option<&'a str>,
    /// Stiffness of a contact point, for linear and kelvin-voigt [N/m].
    pub stiffness: Option<f64>,
    /// Damping of a contact point, for kelvin-voigt [N s/m].
    pub damping: Option<f64>,
    /// Damping against critical damping, for linear [-].
    pub damping_ratio: Option<f64>,
}

impl ContactSettings<'_> {
    /// Returns the contact model; refuses words that stand for nothing, numbers that are not used, and missing ones.
    pub fn model(&self) -> Result<ContactModel, SettingError> {
        let contact = known_word("contact", self.contact, CONTACTS)?;
        let needed = |key, value: Option<f64>| value.ok_or(SettingError::Missing { key, contact });
        let used: &[&str] = match contact {
            "linear" => &["stiffness", "damping_ratio"],
            "kelvin-voigt" => &["stiffness", "damping"],
            "rigid" => &["impact"],
            _ => &[],
        };
        let given = [
            ("stiffness", self.stiffness.is_some()),
            ("damping", self.damping.is_some()),
            ("damping_ratio", self.damping_ratio.is_some()),
            ("impact", self.impact.is_some()),
        ];
        if let Some((key, _)) = given.into_iter().find(|(key, is_given)| *is_given && !used.contains(key)) {
            return Err(SettingError::Unused { key, contact });
        }
        Ok(ContactModel::Elastic(match contact {
            "rigid" => return self.impact_law().map(ContactModel::Rigid),
            "hertz" => NormalLaw::Hertz,
            "modia3d" => NormalLaw::Modia3d,
            "linear" => NormalLaw::Linear {
                stiffness: needed("stiffness", self.stiffness)?,
                damping_ratio: self.damping_ratio.unwrap_or(DAMPING_RATIO),
            },
            "kelvin-voigt" => NormalLaw::KelvinVoigt {
                stiffness: needed("stiffness", self.stiffness)?,
                damping: needed("damping", self.damping)?,
            },
            _ => NormalLaw::HuntCrossley,
        }))
    }

    fn impact_law(&self) -> Result<ImpactLaw, SettingError> {
        Ok(match known_word("impact", self.impact, IMPACTS)? {
            "poisson" => ImpactLaw::Poisson,
            "newton" => ImpactLaw::Newton,
            _ => ImpactLaw::Moreau,
        })
    }
}

/// Returns what to write in place of a word that a setting does not have: one that is not built yet, or one of another setting.
pub fn word_hint(key: &str, word: &str) -> Option<&'static str> {
    match (key, word) {
        ("method", "auto") => Some(
            "a choice among the methods is not built yet: leave 'method' out, or write \"events\", which is the default",
        ),
        ("method", "dop853") => {
            Some("write integrator = \"dop853\": it is an integrator of method = \"events\"")
        }
        ("method", "radau") => {
            Some("write integrator = \"radau\": it is an integrator of method = \"events\"")
        }
        ("integrator", "events" | "stepping" | "silvia") => {
            Some("that is a method: write it as 'method'; the integrators are for method = \"events\"")
        }
        _ => None,
    }
}

/// The hint as the end of a message.
fn hint_sentence(key: &str, word: &str) -> String {
    word_hint(key, word).map_or(String::new(), |hint| format!("; {hint}"))
}

/// Returns the method of a word, of [`METHODS`]: the first where none was written.
pub fn method(word: Option<&str>) -> Result<&'static str, SettingError> {
    known_word("method", word, METHODS)
}

/// Returns the integrator of a word, of [`INTEGRATORS`].
pub fn integrator(word: Option<&str>) -> Result<IntegratorKind, SettingError> {
    Ok(match known_integrator(word)? {
        "dop853" => IntegratorKind::Dop853,
        "radau" => IntegratorKind::Radau,
        _ => IntegratorKind::Auto,
    })
}

/// Returns the word for an integrator, of [`INTEGRATORS`]: the first where none was written.
pub fn known_integrator(word: Option<&str>) -> Result<&'static str, SettingError> {
    known_word("integrator", word, INTEGRATORS)
}

/// Returns what contacts do in the steps of a method; none where it locates events.
pub fn step_forces(method: &str) -> Option<StepForces> {
    match method {
        "stepping" => Some(StepForces::Coulomb),
        "silvia" => Some(StepForces::Silvia),
        _ => None,
    }
}

/// What a caller says of the method in place of a scene's own; None where the scene's holds.
#[derive(Debug, Clone, Copy, Default)]
pub struct MethodSettings<'a> {
    /// One of [`METHODS`].
    pub method: Option<&'a str>,
    /// One of [`INTEGRATORS`], for events.
    pub integrator: Option<&'a str>,
    /// Length of a step, for stepping and silvia [s].
    pub step: Option<f64>,
}

impl MethodSettings<'_> {
    /// Returns the method of a scene with what the caller says in place of it; refuses what that method does not use.
    pub fn over(&self, own: &MethodParams) -> Result<MethodParams, SettingError> {
        let mut params = own.by(method(Some(self.method.unwrap_or(own.word())))?)?;
        let word = params.word();
        let unused = |key| Err(SettingError::UnusedByMethod { key, method: word });
        match &mut params {
            MethodParams::Events(_) if self.step.is_some() => return unused("step"),
            MethodParams::Stepping(_) if self.integrator.is_some() => return unused("integrator"),
            MethodParams::Events(events) if self.integrator.is_some() => {
                events.integrator = integrator(self.integrator)?;
            }
            MethodParams::Events(_) => {}
            MethodParams::Stepping(stepping) => stepping.step = self.step.unwrap_or(stepping.step),
        }
        Ok(params)
    }
}

/// Returns the tolerance of a step: an absolute one that is left out follows the relative one.
pub fn tolerance(relative: Option<f64>, absolute: Option<f64>) -> Tolerance {
    let relative = relative.unwrap_or(Tolerance::default().relative);
    Tolerance { relative, absolute: absolute.unwrap_or(ATOL_PER_RTOL * relative) }
}

/// The word of a list that was written; the first where none was.
fn known_word(
    key: &'static str,
    word: Option<&str>,
    known: &'static [&'static str],
) -> Result<&'static str, SettingError> {
    let Some(word) = word else { return Ok(known[0]) };
    let found = known.iter().find(|known| **known == word).copied();
    found.ok_or_else(|| SettingError::Unknown { key, word: word.to_owned(), known })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::EventLocation;

    #[test]
    fn without_a_word_the_settings_are_those_of_a_default_world() {
        assert_eq!(ContactSettings::default().model().unwrap(), EventLocation::default().contact);
        assert_eq!(
            ContactSettings { contact: Some("rigid"), ..ContactSettings::default() }.model().unwrap(),
            ContactModel::Rigid(ImpactLaw::default())
        );
        assert_eq!(tolerance(None, None), EventLocation::default().tolerance);
    }

    #[test]
    fn what_a_contact_model_does_not_use_is_refused_and_what_it_needs_is_asked_for() {
        let linear = ContactSettings { contact: Some("linear"), ..ContactSettings::default() };
        assert_eq!(linear.model(), Err(SettingError::Missing { key: "stiffness", contact: "linear" }));
        let voigt = ContactSettings { contact: Some("kelvin-voigt"), stiffness: Some(1e4), ..linear };
        assert_eq!(voigt.model(), Err(SettingError::Missing { key: "damping", contact: "kelvin-voigt" }));
        let hertz = ContactSettings { contact: Some("hertz"), ..voigt };
        assert_eq!(hertz.model(), Err(SettingError::Unused { key: "stiffness", contact: "hertz" }));
        let soft = ContactSettings { contact: Some("soft"), ..linear };
        assert_eq!(
            soft.model().unwrap_err().to_string(),
            "contact is \"soft\": it must be hunt-crossley, hertz, linear, kelvin-voigt, modia3d, rigid"
        );
    }
}
