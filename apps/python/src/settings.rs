//! Keywords of Python as a source of settings: the tables of settings say what each is called, measures and may be.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use zerogap::core::units::Dimension;
use zerogap::settings::tables::{
    BUSHING, COLLISION, DOF, FRAME, METHOD, MOTOR, PAIR_PROPERTIES, SERVO, SPRING, WORLD,
};
use zerogap::settings::{Key, Kind, Section, SettingError, Source};

use crate::arrays::{Triple, triple};
use crate::quantity::FromQuantity;

/// Functions that take settings as keywords, and the tables of those.
const FUNCTIONS: [(&str, &Section); 11] = [
    ("World", &WORLD),
    ("World.pair", &PAIR_PROPERTIES),
    ("World.fixed", &COLLISION),
    ("World.body", &COLLISION),
    ("World.dof", &DOF),
    ("World.set_motor", &MOTOR),
    ("World.servo", &SERVO),
    ("World.spring", &SPRING),
    ("World.bushing", &BUSHING),
    ("World.frame", &FRAME),
    ("simulate", &METHOD),
];

/// Settings that functions take as keywords, by the name of the function.
///
/// Each setting is a dict with its ``name``, ``unit`` (of numbers, SI), ``words``, ``default`` (in words), ``range``, ``help``, whether it is ``needed``, and what it is ``used_with``: words of other settings. Those of ``contact`` count with ``method="events"``, for which contact models are chosen.
///
/// >>> import zerogap as zg
/// >>> force, torque, response = zg.settings().get("World.servo")
/// >>> force.get("needed"), response.get("default")
/// (True, '0.05 s')
#[pyfunction]
pub(crate) fn settings(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for (function, section) in FUNCTIONS {
        let keys = section.keys().map(|key| described(py, key)).collect::<PyResult<Vec<_>>>()?;
        all.set_item(function, keys)?;
    }
    Ok(all)
}

fn described<'py>(py: Python<'py>, key: &Key) -> PyResult<Bound<'py, PyDict>> {
    let one = PyDict::new(py);
    one.set_item("name", key.name)?;
    one.set_item("unit", key.dimension(false).si())?;
    let words = match key.kind {
        Kind::Word(words) | Kind::CountOr(words) => words,
        _ => &[],
    };
    one.set_item("words", words)?;
    one.set_item("default", key.default_text())?;
    one.set_item("range", key.range.to_string())?;
    one.set_item("help", key.help)?;
    one.set_item("needed", key.is_needed())?;
    let used_with = PyDict::new(py);
    for used in key.uses {
        used_with.set_item(used.selector, used.words)?;
    }
    one.set_item("used_with", used_with)?;
    Ok(one)
}

/// The keywords of a call, or the entries of a dict.
pub(crate) struct Keywords<'a, 'py> {
    section: &'static Section,
    given: Option<&'a Bound<'py, PyDict>>,
    /// How a keyword is named in messages, around its name: `shapes[0]["` and `"]`.
    around: (&'a str, &'a str),
}

impl<'a, 'py> Keywords<'a, 'py> {
    /// Takes the keywords of a function; refuses those that it does not have.
    pub(crate) fn new(function: &str, given: Option<&'a Bound<'py, PyDict>>) -> PyResult<Self> {
        let known = FUNCTIONS.iter().find(|(name, _)| *name == function);
        let Some((_, section)) = known else {
            return Err(PyTypeError::new_err(format!("{function}() takes no settings")));
        };
        let keywords = Self { section, given, around: ("", "") };
        for key in given.iter().flat_map(|given| given.keys()) {
            let name: String = key.extract()?;
            if section.key(&name).is_none() {
                let names = section.names();
                let meant = match zerogap::core::text::nearest(&name, &names) {
                    Some(meant) => format!("did you mean '{meant}'?"),
                    None => format!("its settings are {}", names.join(", ")),
                };
                return Err(PyTypeError::new_err(format!(
                    "{function}() got an unexpected keyword argument '{name}': {meant}"
                )));
            }
        }
        Ok(keywords)
    }

    /// Takes some entries of a dict; the others are not its own. `before` stands before the name of an entry in messages.
    pub(crate) fn of_dict(section: &'static Section, given: &'a Bound<'py, PyDict>, before: &'a str) -> Self {
        Self { section, given: Some(given), around: (before, "\"]") }
    }

    /// Whether nothing is given.
    pub(crate) fn is_empty(&self) -> bool {
        !self.section.keys().any(|key| self.has(key.name))
    }

    /// What was passed; None is as good as nothing.
    fn value(&self, key: &str) -> Option<Bound<'py, PyAny>> {
        let value = self.given?.get_item(key).ok()??;
        (!value.is_none()).then_some(value)
    }

    fn shown(&self, key: &Key) -> String {
        format!("{}{}{}", self.around.0, key.name, self.around.1)
    }

    /// A value of a kind, or an error that names the kind.
    fn of_kind<T>(
        &self,
        key: &Key,
        kind: &str,
        read: impl FnOnce(&Bound<'py, PyAny>) -> Option<T>,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.value(key.name) else { return Ok(None) };
        read(&value).map(Some).map_or_else(
            || {
                let (name, is) = (self.shown(key), value.get_type().name()?);
                Err(PyTypeError::new_err(format!("{name} must be {kind}, not {is}")))
            },
            Ok,
        )
    }
}

impl Source for Keywords<'_, '_> {
    type Error = PyErr;

    fn section(&self) -> &'static Section {
        self.section
    }

    fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    fn is_text(&self, key: &str) -> bool {
        self.value(key).is_some_and(|value| value.is_instance_of::<PyString>())
    }

    fn read_number(&self, key: &'static Key, dimension: Dimension) -> PyResult<Option<f64>> {
        let value = self.value(key.name);
        value.map(|value| f64::from_quantity(&self.shown(key), dimension, &value)).transpose()
    }

    fn read_numbers(&self, key: &'static Key) -> PyResult<Option<Vec<f64>>> {
        let Some(value) = self.value(key.name) else { return Ok(None) };
        let name = self.shown(key);
        let numbers = Triple::from_quantity(&name, key.dimension(false), &value)?;
        Ok(Some(triple(&name, &numbers)?.as_slice().to_vec()))
    }

    fn read_count(&self, key: &'static Key) -> PyResult<Option<usize>> {
        self.of_kind(key, "a whole number, zero or more", |value| value.extract().ok())
    }

    fn read_flag(&self, key: &'static Key) -> PyResult<Option<bool>> {
        self.of_kind(key, "True or False", |value| value.extract().ok())
    }

    fn read_text(&self, key: &'static Key) -> PyResult<Option<String>> {
        self.of_kind(key, "a str", |value| value.extract().ok())
    }

    fn refuse(&self, error: SettingError) -> PyErr {
        refused_setting(&error, self.around.0)
    }
}

/// A setting that cannot be used, with what to write instead.
fn refused_setting(error: &SettingError, before: &str) -> PyErr {
    // An entry of a dict is named with its place.
    let place = before.strip_suffix("[\"").map_or(String::new(), |place| format!("{place}: "));
    PyValueError::new_err(match error.help() {
        Some(help) => format!("{place}{error}: {help}"),
        None => format!("{place}{error}"),
    })
}
