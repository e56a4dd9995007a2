//! What a world and its bodies are made of, from words and numbers.

use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zerogap::dynamics::integrate::Method;
use zerogap::dynamics::multibody::Inertia;
use zerogap::world::settings::{ContactSettings, SettingError, tolerance};
use zerogap::world::{
    Collision, ContactModel, QuasiLmd, ShapeDef, ShapeId, StepForces, Stepping, WorldError, WorldParams,
    ZeroFunctions,
};
use zerogap::{MassProperties, Mat3, Shape, Vec3};

use crate::arrays::{Rows, Triple, shape_text, triple};
use crate::error::geometry;
use crate::mass::PyMassProperties;
use crate::pose::pose_or_identity;
use crate::shape::PyShape;

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
            SettingError::Unknown { .. } => error.to_string(),
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
    pub(crate) zero_functions: Option<&'a Bound<'py, PyAny>>,
    pub(crate) max_step: Option<f64>,
    /// Length of a step [s] and tolerance of contacts [m/s], for steps of one length.
    pub(crate) step: Option<f64>,
    pub(crate) tolerance: Option<f64>,
}

/// What contacts do in the steps that a method makes; none where it makes no steps of one length.
pub(crate) fn step_forces(method: &str) -> Option<StepForces> {
    match method {
        "stepping" => Some(StepForces::Coulomb),
        "silvia" => Some(StepForces::Silvia),
        _ => None,
    }
}

/// Steps of one length, if a word asks for them.
pub(crate) fn stepping(
    method: &str,
    usual: Stepping,
    step: Option<f64>,
    tolerance: Option<f64>,
) -> PyResult<Option<Stepping>> {
    if let Some(forces) = step_forces(method) {
        let (step, tolerance) = (step.unwrap_or(usual.step), tolerance.unwrap_or(usual.tolerance));
        return Ok(Some(Stepping { forces, step, tolerance, ..usual }));
    }
    match (step, tolerance) {
        (None, None) => Ok(None),
        _ => Err(PyValueError::new_err(format!(
            "method=\"{method}\" takes no step and no tolerance: those are for \"stepping\" and \"silvia\""
        ))),
    }
}

/// The settings of a world.
pub(crate) fn params(
    gravity: Option<&Triple<'_>>,
    contact: &ContactSettings<'_>,
    step: &StepWords<'_, '_>,
) -> PyResult<WorldParams> {
    let usual = WorldParams::default();
    let max_step = step.max_step.unwrap_or(usual.max_step);
    let mut params = WorldParams { contact: contact_model(contact)?, max_step, ..usual };
    if let Some(gravity) = gravity {
        params.gravity = triple("gravity", gravity)?;
    }
    params.tolerance = tolerance(step.rtol, step.atol);
    let method = step.method.unwrap_or("auto");
    params.method = match method {
        "auto" | "stepping" | "silvia" => Method::Auto,
        "dop853" => Method::Dop853,
        "radau" => Method::Radau,
        other => {
            let message =
                format!("method is \"{other}\": it must be auto, dop853, radau, stepping or silvia");
            return Err(PyValueError::new_err(message));
        }
    };
    params.stepping = stepping(method, Stepping::default(), step.step, step.tolerance)?;
    if let Some(given) = step.zero_functions {
        params.functions = match (given.extract::<String>().as_deref(), given.extract::<i64>()) {
            (Ok("two"), _) => ZeroFunctions::Two,
            (_, Ok(count)) if count >= 1 => ZeroFunctions::Smallest(usize::try_from(count)?),
            _ => {
                let message =
                    format!("zero_functions is {}: it must be a number from 1, or \"two\"", given.repr()?);
                return Err(PyValueError::new_err(message));
            }
        };
    }
    params.check().map_err(|error| refusal(&error))?;
    Ok(params)
}

/// How shapes meet others.
pub(crate) fn collision(
    word: &str,
    theta: Option<f64>,
    dilation: Option<f64>,
    grown: bool,
) -> PyResult<Collision> {
    match word {
        "exact" if theta.is_none() && dilation.is_none() && !grown => Ok(Collision::Exact),
        "oriented" if theta.is_none() && dilation.is_none() && !grown => Ok(Collision::Oriented),
        "exact" | "oriented" => {
            Err(PyValueError::new_err("theta, dilation and grown need collision=\"quasi-lmd\""))
        }
        "quasi-lmd" => {
            let usual = QuasiLmd::default();
            Ok(Collision::QuasiLmd(QuasiLmd {
                theta: theta.unwrap_or(usual.theta),
                dilation: dilation.unwrap_or(usual.dilation),
                inset: !grown,
            }))
        }
        other => Err(PyValueError::new_err(format!(
            "'{other}' is no collision: use \"exact\", \"quasi-lmd\" or \"oriented\""
        ))),
    }
}

/// The velocity of a surface against its body; none where it is not given.
pub(crate) fn surface_velocity(given: Option<&Triple<'_>>) -> PyResult<Vec3> {
    given.map_or_else(|| Ok(Vec3::zeros()), |given| triple("surface_velocity", given))
}

/// What the keys of a shape given by a dict are.
const SHAPE_KEYS: &str = "shape, pose, material, name and surface_velocity";

/// A shape given by a dict; `usual` makes it with what its body says of all shapes.
fn shape_of_dict(
    index: usize,
    given: &Bound<'_, PyDict>,
    usual: impl Fn(&Bound<'_, PyShape>) -> ShapeDef,
) -> PyResult<ShapeDef> {
    let refuse = |what: &str| PyTypeError::new_err(format!("shapes[{index}]{what}"));
    let shape = given.get_item("shape")?.ok_or_else(|| refuse(" has no \"shape\""))?;
    let mut def = usual(shape.cast::<PyShape>().map_err(|_| refuse("[\"shape\"] must be a shape"))?);
    for (key, value) in given.iter() {
        let key: String = key.extract().map_err(|_| refuse(&format!(": the keys are {SHAPE_KEYS}")))?;
        let place = format!("shapes[{index}][\"{key}\"]");
        let text = || value.extract().map_err(|_| PyTypeError::new_err(format!("{place} must be a str")));
        match key.as_str() {
            "shape" => {}
            "pose" => def.pose = pose_or_identity(&place, Some(&value))?,
            "material" => def.material = text()?,
            "name" => def.name = text()?,
            "surface_velocity" => def.surface_velocity = triple(&place, &value.extract()?)?,
            other => {
                let message = format!("shapes[{index}] has no key \"{other}\": the keys are {SHAPE_KEYS}");
                return Err(PyValueError::new_err(message));
            }
        }
    }
    Ok(def)
}

/// The shapes of a body: one, or a list of shapes, (shape, pose), (shape, pose, material) and dicts. What they do not say themselves is as `material`, `collision` and `surface_velocity` say.
pub(crate) fn shapes(
    given: Option<&Bound<'_, PyAny>>,
    material: &str,
    collision: Collision,
    surface_velocity: Vec3,
) -> PyResult<Vec<ShapeDef>> {
    let def = |shape: &Bound<'_, PyShape>| {
        let def = ShapeDef::new(shape.get().shape.clone(), material);
        def.colliding(collision).running(surface_velocity)
    };
    let Some(given) = given else { return Ok(Vec::new()) };
    if let Ok(shape) = given.cast::<PyShape>() {
        return Ok(vec![def(shape)]);
    }
    let Ok(items) = given.try_iter() else {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!("shapes must be a shape or a list of them, not {kind}")));
    };
    let mut found = Vec::new();
    for (index, item) in items.enumerate() {
        let item = item?;
        if let Ok(shape) = item.cast::<PyShape>() {
            found.push(def(shape));
            continue;
        }
        if let Ok(dict) = item.cast::<PyDict>() {
            found.push(shape_of_dict(index, dict, def)?);
            continue;
        }
        let refuse = || {
            let kinds = "a shape, (shape, pose), (shape, pose, material) or a dict";
            PyTypeError::new_err(format!("shapes[{index}] must be {kinds}"))
        };
        let (shape, pose, own): (Bound<'_, PyAny>, Bound<'_, PyAny>, Option<String>) = match item.len() {
            Ok(2) => (item.get_item(0)?, item.get_item(1)?, None),
            Ok(3) => (
                item.get_item(0)?,
                item.get_item(1)?,
                Some(item.get_item(2)?.extract().map_err(|_| refuse())?),
            ),
            _ => return Err(refuse()),
        };
        let shape = def(shape.cast::<PyShape>().map_err(|_| refuse())?);
        let pose = pose_or_identity(&format!("the pose of shapes[{index}]"), Some(&pose))?;
        found.push(ShapeDef { material: own.unwrap_or(shape.material.clone()), ..shape.at(pose) });
    }
    Ok(found)
}

/// Mass and inertia of a body's own; none where those of its shapes with the densities of their materials shall be taken.
pub(crate) fn inertia(
    mass: Option<&Bound<'_, PyAny>>,
    center: Option<&Triple<'_>>,
    tensor: Option<&Rows<'_>>,
    shapes: &[ShapeDef],
) -> PyResult<Option<Inertia>> {
    let Some(mass) = mass else {
        if center.is_some() || tensor.is_some() {
            return Err(PyValueError::new_err("center and inertia come with a mass"));
        }
        return Ok(None);
    };
    let of = |all: &MassProperties| Inertia { mass: all.mass, center: all.center, inertia: all.inertia };
    if let Ok(all) = mass.cast::<PyMassProperties>() {
        if center.is_some() || tensor.is_some() {
            return Err(PyValueError::new_err("mass properties have a center and an inertia of their own"));
        }
        return Ok(Some(of(&all.get().properties)));
    }
    let mass: f64 = mass
        .extract()
        .map_err(|_| PyTypeError::new_err("mass must be a number [kg] or mass properties of a shape"))?;
    if let Some(tensor) = tensor {
        let center = center.map_or_else(|| Ok(zerogap::Vec3::zeros()), |center| triple("center", center))?;
        return Ok(Some(Inertia { mass, center, inertia: tensor_of(tensor)? }));
    }

    // A mass alone is spread over the shapes, or sits in a point.
    let mut all = MassProperties::zero();
    for def in shapes.iter().filter(|def| !matches!(def.shape, Shape::HalfSpace(_))) {
        let own = def.shape.mass_properties(ANY_DENSITY).map_err(geometry)?;
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
