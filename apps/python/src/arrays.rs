//! numpy arrays in and out: one point of shape (3,) or many of shape (n, 3).

use numpy::ndarray::Dimension;
use numpy::{
    AllowTypeChange, Element, IntoPyArray, PyArray, PyArray1, PyArray2, PyArrayLikeDyn, PyArrayMethods,
    PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::core::MAX_LENGTH;
use zerogap::core::units::shortest;
use zerogap::{Mat3, Vec3};

/// What a caller may pass for one vector: a tuple, a list or an array of three numbers.
pub(crate) type Triple<'py> = Rows<'py>;

/// What a caller may pass for one or many vectors.
pub(crate) type Rows<'py> = PyArrayLikeDyn<'py, f64, AllowTypeChange>;

/// An array of numbers with one axis.
pub(crate) type Array1<'py> = Bound<'py, PyArray1<f64>>;

/// An array of numbers with two axes.
pub(crate) type Array2<'py> = Bound<'py, PyArray2<f64>>;

/// Vectors, and whether the caller passed a single one and expects a single answer.
pub(crate) struct Vectors {
    pub(crate) rows: Vec<Vec3>,
    pub(crate) single: bool,
}

/// Three finite numbers.
pub(crate) fn triple(what: &str, value: &Triple<'_>) -> PyResult<Vec3> {
    let (shape, numbers): (&[usize], Vec<f64>) = (value.shape(), value.as_array().iter().copied().collect());
    match (shape, numbers.as_slice()) {
        ([3], &[x, y, z]) => finite(what, Vec3::new(x, y, z)),
        _ => Err(PyValueError::new_err(format!(
            "{what} must be 3 numbers, not an array of shape {}",
            shape_text(shape)
        ))),
    }
}

/// One vector of shape (3,) or many of shape (n, 3), all finite.
pub(crate) fn vectors(what: &str, value: &Rows<'_>) -> PyResult<Vectors> {
    let shape = value.shape();
    let single = match shape {
        [3] => true,
        [_, 3] => false,
        _ => {
            return Err(PyValueError::new_err(format!(
                "{what} must have shape (3,) or (n, 3), not {}",
                shape_text(shape)
            )));
        }
    };
    let numbers: Vec<f64> = value.as_array().iter().copied().collect();
    let rows: Vec<Vec3> = numbers.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2])).collect();
    for (index, row) in rows.iter().enumerate() {
        if single {
            finite(what, *row)?;
        } else {
            finite(&format!("{what}[{index}]"), *row)?;
        }
    }
    Ok(Vectors { rows, single })
}

/// Rows of so many indices of vertices.
pub(crate) fn vertex_rows<const N: usize>(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; N]>> {
    let numbers: Vec<Vec<i64>> = value.extract().map_err(|_| {
        PyValueError::new_err(format!("{what} must be rows of {N} indices of vertices, of shape (n, {N})"))
    })?;
    let row = |(row, numbers): (usize, &Vec<i64>)| {
        let indices: Vec<u32> = numbers.iter().filter_map(|index| u32::try_from(*index).ok()).collect();
        <[u32; N]>::try_from(indices).ok().filter(|_| numbers.len() == N).ok_or_else(|| {
            let message = format!("{what}[{row}] must be {N} indices from 0 to 4294967295");
            PyValueError::new_err(message)
        })
    };
    numbers.iter().enumerate().map(row).collect()
}

/// Rows of three whole numbers; numbers with a fraction are refused, not cut off.
pub(crate) fn index_rows(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<[i64; 3]>> {
    let rows = whole_numbers(what, value, |shape| matches!(shape, [_, 3]), "(n, 3)")?;
    let rows = rows.extract::<PyReadonlyArray2<'_, i64>>()?;
    Ok(rows.as_array().rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect())
}

/// Whole numbers of shape (n,).
pub(crate) fn whole_list(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let numbers = whole_numbers(what, value, |shape| matches!(shape, [_]), "(n,)")?;
    Ok(numbers.extract::<PyReadonlyArray1<'_, i64>>()?.as_array().to_vec())
}

/// Whole numbers of shape (n,) that each name one of `count` shapes.
pub(crate) fn indices(what: &str, value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<usize>> {
    let numbers = whole_list(what, value)?;
    let usable = |(row, &index): (usize, &i64)| {
        usize::try_from(index).ok().filter(|index| *index < count).ok_or_else(|| {
            PyValueError::new_err(format!(
                "{what}[{row}] is {index}: there are {count} shapes, counted from 0"
            ))
        })
    };
    numbers.iter().enumerate().map(usable).collect()
}

/// An array of 64-bit whole numbers whose shape is good.
fn whole_numbers<'py>(
    what: &str,
    value: &Bound<'py, PyAny>,
    is_good: fn(&[usize]) -> bool,
    expected: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let array = value.py().import("numpy")?.call_method1("asarray", (value,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if !is_good(&shape) {
        let message = format!("{what} must have shape {expected}, not {}", shape_text(&shape));
        return Err(PyValueError::new_err(message));
    }
    // An empty list has no kind of its own.
    if !matches!(kind.as_str(), "i" | "u") && shape[0] > 0 {
        let dtype = array.getattr("dtype")?;
        return Err(PyValueError::new_err(format!("{what} must be whole numbers, not {dtype}")));
    }
    array.call_method1("astype", ("int64",))
}

/// The same array, which is read-only: it shows a state and is not the state, so that assigning to it would change nothing.
pub(crate) fn read_only<T: Element, D: Dimension>(
    array: Bound<'_, PyArray<T, D>>,
) -> Bound<'_, PyArray<T, D>> {
    array.readwrite().make_nonwriteable();
    array
}

/// An (n, 3) array.
pub(crate) fn matrix<'py>(py: Python<'py>, rows: &[Vec3]) -> Array2<'py> {
    matrix_of(py, rows.iter().flat_map(|v| [v.x, v.y, v.z]).collect())
}

/// An (n, 3) array from its numbers, row by row.
pub(crate) fn matrix_of(py: Python<'_>, numbers: Vec<f64>) -> Array2<'_> {
    numpy::ndarray::Array2::from_shape_vec((numbers.len() / 3, 3), numbers)
        .unwrap_or_default()
        .into_pyarray(py)
}

/// A (3,) array.
pub(crate) fn vector(py: Python<'_>, v: Vec3) -> Array1<'_> {
    PyArray1::from_slice(py, v.as_slice())
}

/// A (3, 3) array.
pub(crate) fn square<'py>(py: Python<'py>, m: &Mat3) -> Array2<'py> {
    matrix(py, &[0, 1, 2].map(|i| m.row(i).transpose()))
}

/// An (n, 3) array of indices.
pub(crate) fn index_triples<'py>(py: Python<'py>, rows: &[[u32; 3]]) -> Bound<'py, PyArray2<u32>> {
    numpy::ndarray::Array2::from_shape_vec((rows.len(), 3), rows.concat())
        .unwrap_or_default()
        .into_pyarray(py)
}

/// An (n, 2) array of indices.
pub(crate) fn index_pairs<'py>(py: Python<'py>, rows: &[[u32; 2]]) -> Bound<'py, PyArray2<u32>> {
    numpy::ndarray::Array2::from_shape_vec((rows.len(), 2), rows.concat())
        .unwrap_or_default()
        .into_pyarray(py)
}

/// One vector for a single question, an (n, 3) array for many.
pub(crate) fn vectors_like<'py>(py: Python<'py>, rows: &[Vec3], single: bool) -> Bound<'py, PyAny> {
    match rows {
        [row] if single => vector(py, *row).into_any(),
        _ => matrix(py, rows).into_any(),
    }
}

/// One number for a single question, an (n,) array for many.
pub(crate) fn numbers_like(py: Python<'_>, values: Vec<f64>, single: bool) -> PyResult<Bound<'_, PyAny>> {
    match values.as_slice() {
        [value] if single => Ok(value.into_pyobject(py)?.into_any()),
        _ => Ok(values.into_pyarray(py).into_any()),
    }
}

/// One truth for a single question, an (n,) array for many.
pub(crate) fn truths_like(py: Python<'_>, values: Vec<bool>, single: bool) -> PyResult<Bound<'_, PyAny>> {
    match values.as_slice() {
        [value] if single => Ok(value.into_pyobject(py)?.to_owned().into_any()),
        _ => Ok(values.into_pyarray(py).into_any()),
    }
}

fn finite(what: &str, v: Vec3) -> PyResult<Vec3> {
    if v.iter().all(|c| c.abs() <= MAX_LENGTH) {
        return Ok(v);
    }
    let message = format!(
        "{what} is ({}, {}, {}): every number must be finite and of magnitude at most {MAX_LENGTH:e}",
        shortest(v.x),
        shortest(v.y),
        shortest(v.z)
    );
    Err(PyValueError::new_err(message))
}

/// The shape of an array as Python writes it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    if sizes.len() == 1 { format!("({},)", sizes[0]) } else { format!("({})", sizes.join(", ")) }
}

/// A number for people: the shortest text that reads back to it; zero has no sign.
pub(crate) fn shown_number(x: f64) -> String {
    shortest(x + 0.0)
}

/// Pairs of numbers as rows.
pub(crate) fn pairs_of(py: Python<'_>, numbers: Vec<i64>) -> Bound<'_, PyArray2<i64>> {
    let shape = (numbers.len() / 2, 2);
    let pairs = numpy::ndarray::Array2::from_shape_vec(shape, numbers).unwrap_or_default();
    read_only(pairs.into_pyarray(py))
}
