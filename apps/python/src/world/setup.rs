//! Errors of worlds, and the mass of bodies, from what a caller passed.

use std::sync::Arc;

use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::dynamics::multibody::Inertia;
use zerogap::world::{ShapeDef, ShapeId, WorldError};
use zerogap::{MassProperties, Mat3, Shape, TriangleMesh};

use super::shapes::Weighed;
use crate::arrays::{Rows, Triple, shape_text, triple};
use crate::error::geometry;
use crate::mass::PyMassProperties;
use crate::quantity::arg;

/// Density at which the shapes of a body with a mass of its own are weighed; the mass makes up for it [kg/m³].
const ANY_DENSITY: f64 = 1000.0;

/// Bad input is a `ValueError`, a run that cannot continue a `RuntimeError`.
pub(crate) fn refusal(error: &WorldError) -> PyErr {
    refusal_of(error, error.to_string())
}

/// The same with the names of shapes.
pub(crate) fn named_refusal(error: &WorldError, name: impl Fn(ShapeId) -> String) -> PyErr {
    refusal_of(error, error.with_names(name))
}

fn refusal_of(error: &WorldError, message: String) -> PyErr {
    match error {
        WorldError::Inconsistent { .. }
        | WorldError::Contact { .. }
        | WorldError::Step { .. }
        | WorldError::ForceFunction { .. }
        | WorldError::Overflow { .. }
        | WorldError::Intersecting { .. }
        | WorldError::TooManyParts { .. }
        | WorldError::NoContactRadius { .. }
        | WorldError::MissedCrossings { .. }
        | WorldError::EventsSpent { .. }
        | WorldError::WallSpent { .. }
        | WorldError::Stuck { .. } => PyRuntimeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// Mass and inertia of a body's own; none where those of its shapes with the densities of their materials shall be taken.
pub(crate) fn inertia(
    mass: Option<&Bound<'_, PyAny>>,
    center: Option<&Triple<'_>>,
    tensor: Option<&Rows<'_>>,
    shapes: &[Weighed],
    density: impl Fn(&str) -> Result<f64, WorldError>,
) -> PyResult<Option<Inertia>> {
    let Some(mass) = mass else {
        if center.is_some() || tensor.is_some() {
            return Err(PyValueError::new_err("center and inertia come with a mass"));
        }
        // A shape weighs what it is made of: the world knows that, but for meshes of which something else collides.
        if shapes.iter().all(|shape| shape.mesh.is_none()) {
            return Ok(None);
        }
        let mut all = MassProperties::zero();
        for Weighed { def, mesh } in shapes.iter().filter(|one| !matches!(one.def.shape, Shape::HalfSpace(_)))
        {
            let density = density(&def.material).map_err(|error| refusal(&error))?;
            // Weighed at 1 kg/m³ first, as in a scene: the same words give the same bits.
            let own = weigh(def, mesh.as_ref(), 1.0)?.transformed(&def.pose);
            all = all.combined(&MassProperties {
                mass: own.mass * density,
                inertia: own.inertia * density,
                ..own
            });
        }
        return Ok(Some(Inertia { mass: all.mass, center: all.center, inertia: all.inertia }));
    };
    let of = |all: &MassProperties| Inertia { mass: all.mass, center: all.center, inertia: all.inertia };
    if let Ok(all) = mass.cast::<PyMassProperties>() {
        if center.is_some() || tensor.is_some() {
            return Err(PyValueError::new_err("mass properties have a center and an inertia of their own"));
        }
        return Ok(Some(of(&all.get().properties)));
    }
    let mass: f64 = arg::mass(mass).map_err(|error| {
        if error.is_instance_of::<PyTypeError>(mass.py()) {
            return PyTypeError::new_err(
                "mass must be a number [kg], a text with a unit, or mass properties of a shape",
            );
        }
        error
    })?;
    if let Some(tensor) = tensor {
        let center = center.map_or_else(|| Ok(zerogap::Vec3::zeros()), |center| triple("center", center))?;
        return Ok(Some(Inertia { mass, center, inertia: tensor_of(tensor)? }));
    }

    // A mass alone is spread over the shapes, or sits in a point.
    let mut all = MassProperties::zero();
    for Weighed { def, mesh } in shapes.iter().filter(|one| !matches!(one.def.shape, Shape::HalfSpace(_))) {
        let own = weigh(def, mesh.as_ref(), ANY_DENSITY)?;
        all = all.combined(&own.transformed(&def.pose));
    }
    let mut found = if all.mass > 0.0 {
        of(&all.with_mass(mass).map_err(geometry)?)
    } else {
        Inertia::point(mass, zerogap::Vec3::zeros())
    };
    if let Some(center) = center {
        found.center = triple("center", center)?;
    }
    Ok(Some(found))
}

/// Mass properties of a shape as it collides, or of the mesh that weighs in its place.
fn weigh(def: &ShapeDef, mesh: Option<&Arc<TriangleMesh>>, density: f64) -> PyResult<MassProperties> {
    let shape = mesh.map_or_else(|| def.shape.clone(), |mesh| Shape::Mesh(Arc::clone(mesh)));
    def.collision.mass_properties(&shape, density).map_err(geometry)
}

/// A tensor of shape (3, 3), or its diagonal of shape (3,).
fn tensor_of(given: &Rows<'_>) -> PyResult<Mat3> {
    let numbers: Vec<f64> = given.as_array().iter().copied().collect();
    match given.shape() {
        [3] => Ok(Mat3::from_diagonal(&zerogap::Vec3::from_column_slice(&numbers))),
        [3, 3] => Ok(Mat3::from_row_slice(&numbers)),
        shape => {
            let shape = shape_text(shape);
            Err(PyValueError::new_err(format!("inertia must have shape (3, 3) or (3,), not {shape}")))
        }
    }
}
