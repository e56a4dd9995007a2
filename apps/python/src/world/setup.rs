//! What a world and its bodies are made of, from words and numbers.

use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::dynamics::multibody::Inertia;
use zerogap::scene::keys::WORLD;
use zerogap::world::settings::{self, ContactSettings, SettingError, step_forces, tolerance};
use zerogap::world::{
    ContactModel, EventLocation, ShapeId, StepForces, Stepping, WorldError, WorldParams, ZeroFunctions,
};
use zerogap::{MassProperties, Mat3, Shape, Vec3};

use super::shapes::Weighed;
use crate::arrays::{Rows, Triple, shape_text, triple};
use crate::error::geometry;
use crate::mass::PyMassProperties;
use crate::quantity::arg;

/// Density at which the shapes of a body with a mass of its own are weighed; the mass makes up for it [kg/m³].
const ANY_DENSITY: f64 = 1000.0;

/// Bad input is a `ValueError`, a run that cannot go on a `RuntimeError`.
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
        | WorldError::Step(_)
        | WorldError::Overflow { .. }
        | WorldError::Intersecting { .. }
        | WorldError::TooManyParts { .. }
        | WorldError::NoContactRadius { .. }
        | WorldError::Stuck { .. } => PyRuntimeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// The contact model that a caller asks for.
pub(crate) fn contact_model(given: &ContactSettings<'_>) -> PyResult<ContactModel> {
    let model = given.model().map_err(|error| {
        PyValueError::new_err(match error {
            SettingError::Unused { key, contact } => format!("contact=\"{contact}\" takes no {key}"),
            SettingError::Missing { key: "stiffness", contact } => {
                format!("contact=\"{contact}\" needs the stiffness of a contact point [N/m]")
            }
            SettingError::Missing { key, contact } => {
                format!("contact=\"{contact}\" needs the {key} of a contact point [N s/m]")
            }
            SettingError::Unknown { .. } | SettingError::UnusedByMethod { .. } => error.to_string(),
        })
    })?;
    if let ContactModel::Elastic(law) = model {
        law.checked().map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(model)
}

/// What a caller says of the integrator.
pub(crate) struct StepWords<'a, 'py> {
    pub(crate) rtol: Option<f64>,
    pub(crate) atol: Option<f64>,
    pub(crate) method: Option<&'a str>,
    pub(crate) integrator: Option<&'a str>,
    pub(crate) zero_functions: Option<&'a Bound<'py, PyAny>>,
    pub(crate) max_step: Option<f64>,
    /// Length of a step [s] and tolerance of contacts [m/s], for steps of one length.
    pub(crate) step: Option<f64>,
    pub(crate) tolerance: Option<f64>,
}

/// A setting that does not go with the others.
pub(crate) fn refused_setting(error: &SettingError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Refuses settings that the method does not use: the list of keys of scenes says which those are.
fn refuse_unused(
    method: &'static str,
    contact: &ContactSettings<'_>,
    step: &StepWords<'_, '_>,
) -> PyResult<()> {
    let given = [
        // Contacts of steps are rigid.
        ("contact", contact.contact.is_some_and(|contact| contact != "rigid")),
        ("impact", contact.impact.is_some()),
        ("stiffness", contact.stiffness.is_some()),
        ("damping", contact.damping.is_some()),
        ("damping_ratio", contact.damping_ratio.is_some()),
        ("rtol", step.rtol.is_some()),
        ("atol", step.atol.is_some()),
        ("zero_functions", step.zero_functions.is_some()),
        ("max_step", step.max_step.is_some()),
        ("integrator", step.integrator.is_some()),
        ("step", step.step.is_some()),
        ("tolerance", step.tolerance.is_some()),
    ];
    let is_unused = |key: &str| !WORLD.methods_of(key).contains(&method);
    match given.into_iter().find(|(key, is_given)| *is_given && is_unused(key)) {
        Some((key, _)) => Err(refused_setting(&SettingError::UnusedByMethod { key, method })),
        None => Ok(()),
    }
}

/// The settings of a world.
pub(crate) fn params(
    gravity: Option<&Triple<'_>>,
    contact: &ContactSettings<'_>,
    step: &StepWords<'_, '_>,
) -> PyResult<WorldParams> {
    let method = settings::method(step.method).map_err(|error| refused_setting(&error))?;
    refuse_unused(method, contact, step)?;
    let contact = contact_model(contact)?;
    let method = match step_forces(method) {
        Some(forces) => stepping(forces, step).into(),
        None => event_location(contact, step)?.into(),
    };
    let mut params = WorldParams { method, ..WorldParams::default() };
    if let Some(gravity) = gravity {
        params.gravity = triple("gravity", gravity)?;
    }
    params.check().map_err(|error| refusal(&error))?;
    Ok(params)
}

fn stepping(forces: StepForces, words: &StepWords<'_, '_>) -> Stepping {
    let usual = Stepping::default();
    let (step, tolerance) = (words.step.unwrap_or(usual.step), words.tolerance.unwrap_or(usual.tolerance));
    Stepping { forces, step, tolerance, ..usual }
}

fn event_location(contact: ContactModel, words: &StepWords<'_, '_>) -> PyResult<EventLocation> {
    let usual = EventLocation::new(contact);
    let functions = match words.zero_functions {
        None => usual.functions,
        Some(given) => match (given.extract::<String>().as_deref(), given.extract::<i64>()) {
            (Ok("two"), _) => ZeroFunctions::Two,
            (_, Ok(count)) if count >= 1 => ZeroFunctions::Smallest(usize::try_from(count)?),
            _ => {
                let message =
                    format!("zero_functions is {}: it must be a number from 1, or \"two\"", given.repr()?);
                return Err(PyValueError::new_err(message));
            }
        },
    };
    Ok(EventLocation {
        integrator: settings::integrator(words.integrator).map_err(|error| refused_setting(&error))?,
        tolerance: tolerance(words.rtol, words.atol),
        max_step: words.max_step.unwrap_or(usual.max_step),
        functions,
        ..usual
    })
}

/// The velocity of a surface against its body; none where it is not given.
pub(crate) fn surface_velocity(given: Option<&Triple<'_>>) -> PyResult<Vec3> {
    given.map_or_else(|| Ok(Vec3::zeros()), |given| triple("surface_velocity", given))
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
            let own = match mesh {
                Some(mesh) => mesh.mass_properties(1.0),
                None => def.shape.mass_properties(1.0),
            };
            let own = own.map_err(geometry)?.transformed(&def.pose);
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
        let own = match mesh {
            Some(mesh) => mesh.mass_properties(ANY_DENSITY),
            None => def.shape.mass_properties(ANY_DENSITY),
        };
        let own = own.map_err(geometry)?;
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
