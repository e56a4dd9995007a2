//! Classes whose attributes are arrays with a row for each answer: one macro declares the class, its attributes and what `pickle` keeps of them.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::contacts::Features;
use zerogap::{Contact, ContactId};

use crate::arrays::matrix_of;
use crate::pickle::{Kept1, Kept2};

/// A class of columns.
pub(crate) trait ColumnClass {
    /// All columns in order.
    type Columns;

    /// Returns the columns, shared with the class and not copied.
    fn columns(&self, py: Python<'_>) -> Self::Columns;
}

/// Declares a class with a read-only attribute for each column, other fields, and methods.
macro_rules! column_class {
    (
        $(#[$about:meta])*
        $visible:vis struct $class:ident = $python:tt {
            columns { $($(#[$column_about:meta])* $column:ident: $array:ty,)* }
            others { $($(#[$other_about:meta])* $other:ident: $kind:ty,)* }
            methods { $($methods:tt)* }
        }
    ) => {
        $(#[$about])*
        #[pyclass(name = $python, module = "zerogap", frozen)]
        $visible struct $class {
            $($(#[$column_about])* #[pyo3(get)] $column: $array,)*
            $($(#[$other_about])* $other: $kind,)*
        }

        #[pymethods]
        impl $class {
            $($methods)*
        }

        impl $crate::columns::ColumnClass for $class {
            type Columns = ($($array,)*);

            fn columns(&self, py: Python<'_>) -> Self::Columns {
                ($(self.$column.clone_ref(py),)*)
            }
        }
    };
}

/// Declares a class of contacts: the columns of [`ContactColumns`], then its own.
macro_rules! contact_class {
    (
        $(#[$about:meta])*
        $visible:vis struct $class:ident = $python:tt {
            columns { $($(#[$column_about:meta])* $column:ident: $array:ty,)* }
            others { $($others:tt)* }
            methods { $($methods:tt)* }
        }
    ) => {
        $crate::columns::column_class! {
            $(#[$about])*
            $visible struct $class = $python {
                columns {
                    /// Signed distance of the surfaces at each contact [m], (n,).
                    gap: $crate::pickle::Kept1<f64>,
                    /// Unit vectors from A to B, (n, 3).
                    normal: $crate::pickle::Kept2<f64>,
                    /// The points of A [m], (n, 3).
                    point_a: $crate::pickle::Kept2<f64>,
                    /// The points of B [m], (n, 3).
                    point_b: $crate::pickle::Kept2<f64>,
                    /// The ids of the contacts, (n,): the same from step to step as long as the same features meet.
                    /// A's feature is in the upper 32 bits, B's in the lower: 2 bits for its kind (vertex, edge, face, surface), 30 for its number.
                    id: $crate::pickle::Kept1<u64>,
                    $($(#[$column_about])* $column: $array,)*
                }
                others { $($others)* }
                methods {
                    /// The features that meet at each contact, such as ``("vertex 3", "face 0")``.
                    #[getter]
                    fn features(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
                        $crate::columns::feature_words(py, &self.id)
                    }

                    $($methods)*
                }
            }
        }
    };
}

pub(crate) use {column_class, contact_class};

/// The features that each of many ids names.
pub(crate) fn feature_words(py: Python<'_>, id: &Py<PyArray1<u64>>) -> PyResult<Vec<(String, String)>> {
    let ids = id.bind(py).try_readonly().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let words = |id: &u64| {
        let Features { a, b } = ContactId::unpacked(*id).into();
        (a, b)
    };
    Ok(ids.as_array().iter().map(words).collect())
}

/// A count of things for people.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// Contacts, attribute by attribute.
#[derive(Default)]
pub(crate) struct ContactColumns {
    gap: Vec<f64>,
    normal: Vec<f64>,
    point_a: Vec<f64>,
    point_b: Vec<f64>,
    id: Vec<u64>,
}

/// The same as arrays.
pub(crate) struct ContactArrays {
    pub(crate) gap: Kept1<f64>,
    pub(crate) normal: Kept2<f64>,
    pub(crate) point_a: Kept2<f64>,
    pub(crate) point_b: Kept2<f64>,
    pub(crate) id: Kept1<u64>,
}

impl ContactColumns {
    pub(crate) fn extend<'c>(&mut self, contacts: impl IntoIterator<Item = &'c Contact>) {
        for contact in contacts {
            self.gap.push(contact.gap);
            self.normal.extend_from_slice(contact.normal.as_slice());
            self.point_a.extend_from_slice(contact.point_a.as_slice());
            self.point_b.extend_from_slice(contact.point_b.as_slice());
            self.id.push(contact.id.packed());
        }
    }

    /// How many contacts there are so far.
    pub(crate) fn len(&self) -> usize {
        self.gap.len()
    }

    pub(crate) fn into_arrays(self, py: Python<'_>) -> ContactArrays {
        ContactArrays {
            gap: self.gap.into_pyarray(py).unbind(),
            normal: matrix_of(py, self.normal).unbind(),
            point_a: matrix_of(py, self.point_a).unbind(),
            point_b: matrix_of(py, self.point_b).unbind(),
            id: self.id.into_pyarray(py).unbind(),
        }
    }
}
