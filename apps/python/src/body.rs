//! What a caller may pass for a body that has a gap: a shape, or a word or path as on the command line.

use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use zerogap::distance::{Body, Read};
use zerogap::proximity::collider::Collider;
use zerogap::target::ReadOptions;
use zerogap::{ConvexShape, ProximityError, Shape};

use crate::error::{target, warn};
use crate::mesh::PyMesh;
use crate::shape::PyShape;

/// A shape that has a gap, and how it was read where it came from a word.
pub(crate) struct Given {
    pub(crate) shape: Shape,
    pub(crate) read: Option<Read>,
}

impl Given {
    /// The shape as it collides.
    pub(crate) fn collider(&self) -> Collider {
        Collider::from_shape(self.shape.clone())
    }

    /// In a phrase: `hull of bolt.stl, 812 vertices`, or the shape.
    pub(crate) fn phrase(&self) -> String {
        self.read.as_ref().map_or_else(|| self.shape.to_string(), ToString::to_string)
    }
}

/// The shape that a caller passed; `what` names the argument.
pub(crate) fn given(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Given> {
    if let Ok(shape) = value.cast::<PyShape>() {
        let shape = shape.get().shape.clone();
        return Ok(Given { shape, read: None });
    }
    if value.is_instance_of::<PyMesh>() {
        return Err(refusal(what, "mesh"));
    }
    let Ok(path) = value.extract::<PathBuf>() else {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{what} must be a shape, or a word or path that names one, not {kind}"
        )));
    };
    let (py, word) = (value.py(), path.to_string_lossy().into_owned());
    let Body { shape, read } =
        py.detach(|| Body::resolve(&word, &ReadOptions::default())).map_err(|error| target(py, &error))?;
    warn(py, &read.warnings)?;
    Ok(Given { shape, read: Some(read) })
}

/// One collider, or a sequence of them; whether it was a sequence comes with them. Meshes are taken as they are.
pub(crate) fn given_many(what: &str, value: &Bound<'_, PyAny>) -> PyResult<(Vec<Collider>, bool)> {
    let is_one = value.is_instance_of::<PyShape>()
        || value.is_instance_of::<PyMesh>()
        || value.is_instance_of::<PyString>()
        || value.hasattr("__fspath__")?;
    if is_one {
        return Ok((vec![given_collider(what, value)?], false));
    }
    let Ok(items) = value.try_iter() else {
        let kind = value.get_type().name()?;
        let message = format!("{what} must be a shape or a sequence of shapes, not {kind}");
        return Err(PyTypeError::new_err(message));
    };
    let mut colliders = Vec::new();
    for (index, item) in items.enumerate() {
        let item = item?;
        // Long sequences are of shapes: their names are made only where one is wrong.
        match item.cast::<PyShape>() {
            Ok(shape) => colliders.push(Collider::from_shape(shape.get().shape.clone())),
            Err(_) => colliders.push(given_collider(&format!("{what}[{index}]"), &item)?),
        }
    }
    Ok((colliders, true))
}

/// The collider that a caller passed: a shape, a mesh as it is, or what a word or path names.
fn given_collider(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Collider> {
    match value.cast::<PyMesh>() {
        Ok(mesh) => {
            let mesh = mesh.get();
            Ok(Collider::Mesh(value.py().detach(|| mesh.body())))
        }
        Err(_) => Ok(given(what, value)?.collider()),
    }
}

/// The bounded convex shape that a caller passed.
pub(crate) fn given_convex(what: &str, value: &Bound<'_, PyAny>) -> PyResult<ConvexShape> {
    match given(what, value)?.shape {
        Shape::Convex(shape) => Ok(shape),
        other => {
            let kind = other.kind();
            Err(PyValueError::new_err(format!("{what} is a {kind}: this needs a bounded convex shape")))
        }
    }
}

/// Whether a shape asks Python for its points.
pub(crate) fn is_user_defined(collider: &Collider) -> bool {
    match collider {
        Collider::Convex(ConvexShape::User(_)) => true,
        Collider::Convex(ConvexShape::Rounded(rounded)) => matches!(rounded.core(), ConvexShape::User(_)),
        Collider::Compound(compound) => compound.pieces().iter().any(|(_, piece)| is_user_defined(piece)),
        _ => false,
    }
}

fn refusal(what: &str, kind: &'static str) -> PyErr {
    let error = ProximityError::NotConvex { shape: kind };
    let help = if kind == "mesh" { " (zg.hull(mesh), zg.decompose(mesh).pieces)" } else { "" };
    PyValueError::new_err(format!("{what}: {error}{help}"))
}
