//! Frames of flexible beams in a world, from words and numbers.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use zerogap::Vec3;
use zerogap::world::{FrameJoint, FrameJointKind};

use super::bodies::Names;
use crate::arrays::{Triple, triple};

const JOINT: &str = "a joint of a frame is (node, body) or (node, body, kind), where kind is \"fixed\", \"ball\" or (\"hinge\", axis)";

/// Joints of nodes, each `(node, body)` or `(node, body, kind)`.
pub(super) fn joints(value: Option<&Bound<'_, PyAny>>, names: &Names) -> PyResult<Vec<FrameJoint>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    value.try_iter()?.map(|one| joint(&one?, names)).collect()
}

fn joint(value: &Bound<'_, PyAny>, names: &Names) -> PyResult<FrameJoint> {
    let wrong = || PyValueError::new_err(JOINT);
    let parts: Vec<Bound<'_, PyAny>> = value.extract().map_err(|_| wrong())?;
    let (node, body, kind) = match &parts[..] {
        [node, body] => (node, body, None),
        [node, body, kind] => (node, body, Some(kind)),
        _ => return Err(wrong()),
    };
    let body = if body.is_none() { None } else { Some(names.find(body)?) };
    Ok(FrameJoint { node: node.extract().map_err(|_| wrong())?, body, kind: kind_of(kind)? })
}

fn kind_of(kind: Option<&Bound<'_, PyAny>>) -> PyResult<FrameJointKind> {
    let wrong = || PyValueError::new_err(JOINT);
    let Some(kind) = kind else { return Ok(FrameJointKind::Fixed) };
    if let Ok(word) = kind.cast::<PyString>() {
        return match word.to_str()? {
            "fixed" => Ok(FrameJointKind::Fixed),
            "ball" => Ok(FrameJointKind::Ball),
            _ => Err(wrong()),
        };
    }
    let (word, axis): (String, Triple<'_>) = kind.extract().map_err(|_| wrong())?;
    if word != "hinge" {
        return Err(wrong());
    }
    let axis = triple("axis", &axis)?;
    if axis == Vec3::zeros() {
        return Err(PyValueError::new_err("the axis of a hinge must have a length"));
    }
    Ok(FrameJointKind::Hinge { axis })
}

/// Masses at nodes, each `(node, mass)`.
pub(super) fn masses(value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(usize, f64)>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    value.extract().map_err(|_| PyValueError::new_err("masses of a frame are pairs (node, mass in kg)"))
}
