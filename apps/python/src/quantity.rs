//! Quantities as callers pass them: a number in SI, or a text with its unit such as `"5 cm"`.
//!
//! One table says what every argument of the module measures. A function takes its argument through it, `#[pyo3(from_py_with = arg::radius)] radius: f64`,
//! and has a number in SI; text in another unit than the argument has is refused with the name of the argument.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySequence, PyString};
use zerogap::core::units::{Dimension, parse_quantity};

use crate::arrays::Rows;

/// How deep lists of quantities may be nested: as deep as arrays of numbers get here, and one more.
const MAX_DEPTH: usize = 4;

/// What can be read from a quantity, or from a list of them.
pub(crate) trait FromQuantity<'py>: Sized {
    /// Reads a value in SI; `what` names the argument.
    fn from_quantity(what: &str, dimension: Dimension, value: &Bound<'py, PyAny>) -> PyResult<Self>;
}

impl<'py> FromQuantity<'py> for f64 {
    fn from_quantity(what: &str, dimension: Dimension, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        match value.cast::<PyString>() {
            Ok(text) => parse(what, dimension, text),
            Err(_) => value.extract().map_err(|error: PyErr| {
                // What an object of the caller raises is the caller's.
                if !error.is_instance_of::<PyTypeError>(value.py()) {
                    return error;
                }
                let kind =
                    value.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
                let word = dimension.word();
                PyTypeError::new_err(format!(
                    "{what} must be a number or a text with a unit ({word}), not {kind}"
                ))
            }),
        }
    }
}

impl<'py> FromQuantity<'py> for Rows<'py> {
    fn from_quantity(what: &str, dimension: Dimension, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        // Arrays of numbers, which may be long, are never walked through here.
        value.extract().or_else(|refused: PyErr| match in_si(what, dimension, value, MAX_DEPTH)? {
            Some(numbers) => numbers.extract(),
            None => Err(refused),
        })
    }
}

impl<'py, T: FromQuantity<'py>> FromQuantity<'py> for Option<T> {
    fn from_quantity(what: &str, dimension: Dimension, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if value.is_none() { Ok(None) } else { T::from_quantity(what, dimension, value).map(Some) }
    }
}

/// The number of a text.
fn parse(what: &str, dimension: Dimension, text: &Bound<'_, PyString>) -> PyResult<f64> {
    parse_quantity(&text.extract::<String>()?, dimension)
        .map_err(|error| PyValueError::new_err(format!("{what}: {error}")))
}

/// The same nested lists with numbers for texts; none where there is no text in them.
fn in_si<'py>(
    what: &str,
    dimension: Dimension,
    value: &Bound<'py, PyAny>,
    depth: usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if let Ok(text) = value.cast::<PyString>() {
        let number = parse(what, dimension, text)?;
        return Ok(Some(number.into_pyobject(value.py())?.into_any()));
    }
    // An array of numpy is no sequence by its type, and is one by what it does.
    let is_sequence = value.cast::<PySequence>().is_ok() || value.hasattr("tolist")?;
    if !is_sequence || depth == 0 {
        return Ok(None);
    }
    let (list, mut has_text) = (PyList::empty(value.py()), false);
    let Ok(items) = value.try_iter() else { return Ok(None) };
    for (index, item) in items.enumerate() {
        let item = item?;
        let number = in_si(&format!("{what}[{index}]"), dimension, &item, depth - 1)?;
        has_text |= number.is_some();
        list.append(number.unwrap_or(item))?;
    }
    Ok(has_text.then(|| list.into_any()))
}

/// A number in SI of a value that is no argument of its own, such as an entry of a tuple.
pub(crate) fn si(what: &str, dimension: Dimension, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    f64::from_quantity(what, dimension, value)
}

/// Makes a reader for each argument.
macro_rules! arguments {
    ($($reader:ident: $name:literal $dimension:ident,)*) => {
        /// What every argument measures.
        pub(crate) mod arg {
            use super::{Bound, Dimension, FromQuantity, PyAny, PyResult};
            $(
                pub(crate) fn $reader<'py, T: FromQuantity<'py>>(value: &Bound<'py, PyAny>) -> PyResult<T> {
                    T::from_quantity($name, Dimension::$dimension, value)
                }
            )*
        }
    };
}

arguments! {
    a: "a" Length,
    a_end: "a_end" Length,
    a_start: "a_start" Length,
    aabb_max: "aabb_max" Length,
    aabb_min: "aabb_min" Length,
    absolute: "absolute" Length,
    angle: "angle" Angle,
    angular_velocity: "angular_velocity" AngularSpeed,
    at_a: "at_a" Length,
    at_b: "at_b" Length,
    b: "b" Length,
    b_end: "b_end" Length,
    b_start: "b_start" Length,
    c: "c" Length,
    center: "center" Length,
    corners: "corners" Length,
    cutoff: "cutoff" Length,
    density: "density" Density,
    dilation: "dilation" Length,
    distance: "distance" Length,
    duration: "duration" Time,
    edge: "edge" Length,
    end: "end" Length,
    every: "every" Time,
    face_end: "face_end" Length,
    face_start: "face_start" Length,
    flat_angle: "flat_angle" Angle,
    force: "force" Force,
    hysteresis: "hysteresis" Length,
    inertia: "inertia" Inertia,
    interior_point: "interior_point" Length,
    length: "length" Length,
    margin: "margin" Length,
    mass: "mass" Mass,
    max: "max" Length,
    max_concavity: "max_concavity" Length,
    max_wall: "max_wall" Time,
    maxs: "maxs" Length,
    min: "min" Length,
    min_separation: "min_separation" Length,
    mins: "mins" Length,
    nearer_than: "nearer_than" Length,
    nodes: "nodes" Length,
    offset: "offset" Length,
    origin: "origin" Length,
    origins: "origins" Length,
    period: "period" Time,
    point: "point" Length,
    points: "points" Length,
    poses: "poses" Length,
    position: "position" Length,
    radii: "radii" Length,
    radius: "radius" Length,
    radius0: "radius0" Length,
    radius1: "radius1" Length,
    resolution: "resolution" Time,
    rpy: "rpy" Angle,
    scale: "scale" Length,
    shear_modulus: "shear_modulus" Pressure,
    size: "size" Length,
    start: "start" Length,
    step: "step" Time,
    t: "t" Time,
    angular_tolerance: "angular_tolerance" Angle,
    threshold: "threshold" Length,
    time: "time" Time,
    tolerance: "tolerance" Length,
    torque: "torque" Torque,
    until: "until" Time,
    velocity: "velocity" Speed,
    vertices: "vertices" Length,
    weld_tolerance: "weld_tolerance" Length,
    within: "within" Length,
    xyz: "xyz" Length,
    young_modulus: "young_modulus" Pressure,
}
