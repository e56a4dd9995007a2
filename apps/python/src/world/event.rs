//! Events of a world.

use std::sync::{Arc, Mutex};

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use zerogap::dynamics::multibody::BodyId;
use zerogap::world::{Event, EventKind, PairId};

use super::known::Known;
use crate::arrays::shown_number;
use crate::pickle::{Reduced, bytes_of, maker, value_of};

/// What a function of the user raised during a run; the first one is kept.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// Keeps an exception until the run has ended.
pub(crate) fn keep(raised: &Raised, error: PyErr) {
    if let Ok(mut raised) = raised.lock() {
        raised.get_or_insert(error);
    }
}

/// A number that belongs to an event.
#[derive(Clone, PartialEq)]
enum Value {
    Number(f64),
    Count(usize),
    Word(String),
}

zerogap::core::store_enum!(Value { 0 => Number(value), 1 => Count(value), 2 => Word(value) });

/// An event at an instant: ``event.t``, ``event.kind``, the shapes and bodies it concerns, and numbers such as ``event["approach"]``.
#[pyclass(name = "Event", module = "zerogap", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyEvent {
    /// When [s].
    #[pyo3(get)]
    t: f64,
    /// What: ``"contact_begin"``, ``"contact_end"``, ``"impact"``, ``"settled"``, ``"stick"``, ``"slip"``, ``"limit_reached"``, ``"limit_left"``, ``"inconsistent"``,
    /// ``"indeterminate"``, ``"more_functions"``, ``"crossed"``, ``"scheduled"``, ``"handed_over"`` or ``"captured"``.
    #[pyo3(get)]
    kind: String,
    /// The numbers of the two shapes, where there are two.
    #[pyo3(get)]
    shapes: Option<(u32, u32)>,
    /// Names of the bodies that it concerns; None stands for what is fixed in the world.
    #[pyo3(get)]
    bodies: Vec<Option<String>>,
    values: Vec<(String, Value)>,
}

zerogap::core::store_struct!(PyEvent { t, kind, shapes, bodies, values });

impl PyEvent {
    pub(crate) fn new(world: &impl Known, event: &Event) -> Self {
        use Value::{Count, Number};
        let (kind, pair, values): (_, Option<PairId>, Vec<(&'static str, Value)>) = match event.what {
            EventKind::ContactBegin { pair, approach } => {
                ("contact_begin", Some(pair), vec![("approach", Number(approach))])
            }
            EventKind::ContactEnd { pair } => ("contact_end", Some(pair), vec![]),
            EventKind::Impact { contacts, impulse, loss } => {
                let values =
                    vec![("contacts", Count(contacts)), ("impulse", Number(impulse)), ("loss", Number(loss))];
                ("impact", None, values)
            }
            EventKind::Settled { pair, limit } => ("settled", Some(pair), vec![("limit", Number(limit))]),
            EventKind::Stick { pair } => ("stick", Some(pair), vec![]),
            EventKind::Slip { pair } => ("slip", Some(pair), vec![]),
            EventKind::LimitReached { limit, approach } => {
                ("limit_reached", None, vec![("limit", Count(limit)), ("approach", Number(approach))])
            }
            EventKind::LimitLeft { limit } => ("limit_left", None, vec![("limit", Count(limit))]),
            EventKind::Inconsistent { pair } => ("inconsistent", Some(pair), vec![]),
            EventKind::Indeterminate { pair } => ("indeterminate", Some(pair), vec![]),
            EventKind::MoreFunctions { functions } => {
                ("more_functions", None, vec![("functions", Count(functions))])
            }
            EventKind::Captured { start, cause, pair } => (
                "captured",
                pair,
                vec![("start", Number(start)), ("cause", Value::Word(cause.name().to_owned()))],
            ),
            EventKind::Crossed { function } => ("crossed", None, vec![("function", Count(function))]),
            EventKind::Scheduled => ("scheduled", None, vec![]),
            EventKind::Sleep { .. } => ("sleep", None, vec![]),
            EventKind::Wake { .. } => ("wake", None, vec![]),
            EventKind::HandedOver { pair, surface_from: from, surface: to } => {
                let values = vec![("surface_from", Count(from as usize)), ("surface", Count(to as usize))];
                ("handed_over", Some(pair), values)
            }
        };
        let asleep = match event.what {
            EventKind::Sleep { body } | EventKind::Wake { body } => Some(BodyId(body as u32)),
            _ => None,
        };
        let name = |body: Option<BodyId>| body.and_then(|body| world.names().get(body.index()).cloned());
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let mut made = Self { t: event.t, kind: kind.to_owned(), shapes: None, bodies: Vec::new(), values };
        if let Some(pair) = pair {
            made.shapes = Some((pair.a.0, pair.b.0));
            made.bodies = vec![name(world.body_of(pair.a)), name(world.body_of(pair.b))];
        }
        if asleep.is_some() {
            made.bodies = vec![name(asleep)];
        }
        // A limit is named by its joint, not by its place among all limits alone.
        if let EventKind::LimitReached { limit, .. } | EventKind::LimitLeft { limit } = event.what
            && let Some(limit) = world.limit(limit)
        {
            made.bodies = vec![name(Some(limit.body))];
            let (dof, side) = (Count(limit.dof), Value::Word(limit.side.to_owned()));
            made.values.extend([("dof".to_owned(), dof), ("side".to_owned(), side)]);
        }
        made
    }
}

#[pymethods]
impl PyEvent {
    /// A number of the event by name; :meth:`keys` has all names.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.as_dict(py)?.get_item(name)? {
            Some(value) => Ok(value),
            None => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    /// Names of everything that is known of the event, so that ``dict(event)`` is all of it.
    fn keys(&self) -> Vec<&str> {
        let always = ["t", "kind", "shapes", "bodies"];
        always.into_iter().chain(self.values.iter().map(|(name, _)| name.as_str())).collect()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Bound<'py, PyBytes>,)>> {
        Ok((maker(py, "_event")?, (bytes_of(py, self)?,)))
    }

    fn __repr__(&self) -> String {
        let name = |body: &Option<String>| body.clone().unwrap_or_else(|| "the world".to_owned());
        let bodies: Vec<String> = self.bodies.iter().map(name).collect();
        let mut parts = vec![format!("t = {} s", shown_number(self.t)), self.kind.clone()];
        if !bodies.is_empty() {
            parts.push(bodies.join(" and "));
        }
        parts.extend(self.values.iter().map(|(name, value)| match value {
            Value::Number(x) => format!("{name} {}", shown_number(*x)),
            Value::Count(n) => format!("{name} {n}"),
            Value::Word(word) => format!("{name} {word}"),
        }));
        format!("<zerogap.Event: {}>", parts.join(", "))
    }
}

impl PyEvent {
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        all.set_item("t", self.t)?;
        all.set_item("kind", &self.kind)?;
        all.set_item("shapes", self.shapes)?;
        all.set_item("bodies", self.bodies.clone())?;
        for (name, value) in &self.values {
            match value {
                Value::Number(x) => all.set_item(name, x)?,
                Value::Count(n) => all.set_item(name, n)?,
                Value::Word(word) => all.set_item(name, word)?,
            }
        }
        Ok(all)
    }
}

/// Makes an event again.
#[pyfunction]
pub(crate) fn _event(state: &[u8]) -> PyResult<PyEvent> {
    value_of(state)
}
