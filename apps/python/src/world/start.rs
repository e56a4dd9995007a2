//! Where a body starts, and on what.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::Vec3;
use zerogap::core::units::Dimension;
use zerogap::dynamics::multibody::{Joint, JointKind};
use zerogap::world::BodyDef;

use super::bodies::Names;
use super::joint::sizes;
use crate::arrays::{Rows, Triple, triple};
use crate::pose::pose_or_identity;
use crate::quantity::si;

/// What a caller says of the place and motion of a body.
pub(crate) struct Start<'a, 'py> {
    pub(crate) parent: Option<&'a Bound<'py, PyAny>>,
    pub(crate) parent_frame: Option<&'a Bound<'py, PyAny>>,
    pub(crate) child_frame: Option<&'a Bound<'py, PyAny>>,
    pub(crate) pose: Option<&'a Bound<'py, PyAny>>,
    pub(crate) velocity: Option<Triple<'py>>,
    pub(crate) angular_velocity: Option<Triple<'py>>,
    pub(crate) positions: Option<&'a Bound<'py, PyAny>>,
    pub(crate) rates: Option<&'a Bound<'py, PyAny>>,
}

impl Start<'_, '_> {
    /// A body without shapes and mass.
    pub(crate) fn def(&self, name: &str, kind: JointKind, names: &Names) -> PyResult<BodyDef> {
        let (needs_positions, needs_rates) = sizes(&kind);
        let rotations = kind.rotations();
        // Quaternions come last among the positions and have no unit.
        let position = |at: usize| match rotations.get(at) {
            Some(true) if needs_positions == needs_rates => Dimension::Angle,
            Some(false) => Dimension::Length,
            _ => Dimension::Number,
        };
        let rate = |at: usize| match rotations.get(at) {
            Some(true) => Dimension::AngularSpeed,
            _ => Dimension::Speed,
        };
        let positions = numbers(name, "positions", self.positions, needs_positions, position)?;
        let rates = numbers(name, "rates", self.rates, needs_rates, rate)?;
        let parent = self.parent.map(|parent| names.find(parent)).transpose()?;

        let is_posed = self.pose.is_some() || self.velocity.is_some() || self.angular_velocity.is_some();
        let is_placed = parent.is_some() || self.parent_frame.is_some() || self.child_frame.is_some();
        let def = if !is_posed {
            let joint =
                Joint::new(parent, kind).parent_frame(pose_or_identity("parent_frame", self.parent_frame)?);
            BodyDef {
                positions,
                velocities: rates,
                ..BodyDef::new(joint.child_frame(pose_or_identity("child_frame", self.child_frame)?))
            }
        } else if !matches!(kind, JointKind::Free) || is_placed {
            return Err(PyValueError::new_err(
                "pose, velocity and angular_velocity are for free bodies: give parent_frame and child_frame, positions and rates of the joint",
            ));
        } else if positions.is_some() || rates.is_some() {
            return Err(PyValueError::new_err("positions and rates come without pose and velocities"));
        } else {
            // The joint keeps the angular velocity in axes of the body.
            let start = pose_or_identity("pose", self.pose)?;
            let v = or_zero("velocity", self.velocity.as_ref())?;
            let w = or_zero("angular_velocity", self.angular_velocity.as_ref())?;
            let w = start.inverse_transform_vector(&w);
            BodyDef::free(start).moving(&[v.x, v.y, v.z, w.x, w.y, w.z])
        };
        Ok(def.named(name))
    }
}

fn or_zero(what: &str, value: Option<&Triple<'_>>) -> PyResult<Vec3> {
    value.map_or_else(|| Ok(Vec3::zeros()), |value| triple(what, value))
}

/// Numbers of a joint, where they are given, of the right number; each measures what `dimension` says.
fn numbers(
    name: &str,
    what: &str,
    given: Option<&Bound<'_, PyAny>>,
    needed: usize,
    dimension: impl Fn(usize) -> Dimension,
) -> PyResult<Option<Vec<f64>>> {
    let Some(given) = given else { return Ok(None) };
    let found: Vec<f64> = if let Ok(numbers) = given.extract::<Rows<'_>>() {
        numbers.as_array().iter().copied().collect()
    } else {
        let items: Vec<Bound<'_, PyAny>> = given.extract()?;
        let number = |(at, item)| si(&format!("{what}[{at}]"), dimension(at), item);
        items.iter().enumerate().map(number).collect::<PyResult<_>>()?
    };
    if found.len() != needed {
        let message = format!("{name} starts with {} {what}, but its joint has {needed}", found.len());
        return Err(PyValueError::new_err(message));
    }
    Ok(Some(found))
}
