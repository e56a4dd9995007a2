//! The contacts of many pairs at once: numpy in, numpy out, on all cores.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use zerogap::proximity::collider::{ContactSet, contacts_into};

use crate::arrays::pairs_of;
use crate::columns::{ContactArrays, ContactColumns, contact_class};
use crate::contacts::params;
use crate::gaps::{GapColumns, PyGaps};
use crate::many::{ManyOperand, Pairs};
use crate::pickle::{Kept1, Kept2};
use crate::quantity::arg;

contact_class! {
    /// The contacts of many pairs, one after the other in the order of the pairs; ``len(found)`` pairs.
    ///
    /// Those of pair k are the rows ``offset[k]`` to ``offset[k + 1]``. Ids are unique within their pair.
    pub(crate) struct PyManifolds = "Manifolds" {
        columns {
            /// The pieces of A and B that each contact is between, (n, 2); 0 for what is not a compound. Ids are unique within a pair of pieces.
            pieces: Kept2<i64>,
            /// Where the contacts of each pair begin, (pairs + 1,).
            offset: Kept1<i64>,
        }
        others {
            /// The gaps of the shapes, pair by pair, with their certificates.
            #[pyo3(get)]
            distance: Py<PyGaps>,
            pairs: usize,
            contacts: usize,
        }
        methods {
            fn __len__(&self) -> usize {
                self.pairs
            }

            fn __repr__(&self) -> String {
                format!("<zerogap.Manifolds of {} pairs with {} contacts>", self.pairs, self.contacts)
            }
        }
    }
}

/// The contacts of many pairs of shapes, on all cores.
///
/// Shapes, poses, indices and `threads` are given as in :func:`distance_many`, the rest as in :func:`contacts`. The contacts of each pair have the
/// bits that :func:`contacts` gives for it, whatever `threads` is.
///
/// >>> import numpy as np, zerogap as zg
/// >>> poses = np.zeros((3, 7)); poses[:, 2] = (0.5, 0.6, 0.4999); poses[:, 6] = 1
/// >>> found = zg.contacts_many(zg.halfspace((0, 0, 1), 0), zg.box(size=(1, 1, 1)), poses_b=poses)
/// >>> found
/// <zerogap.Manifolds of 3 pairs with 8 contacts>
/// >>> found.offset
/// array([0, 4, 4, 8])
#[pyfunction]
#[pyo3(signature = (a, b, poses_a = None, poses_b = None, *, index_a = None, index_b = None, within = 1e-3, at_most_four = false, arc_tolerance = 0.08, tolerance = 1e-11, threads = None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn contacts_many(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    poses_a: Option<&Bound<'_, PyAny>>,
    poses_b: Option<&Bound<'_, PyAny>>,
    index_a: Option<&Bound<'_, PyAny>>,
    index_b: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arg::within)] within: f64,
    at_most_four: bool,
    arc_tolerance: f64,
    tolerance: f64,
    threads: Option<usize>,
) -> PyResult<PyManifolds> {
    let a = ManyOperand::new(["a", "poses_a", "index_a"], a, poses_a, index_a)?;
    let b = ManyOperand::new(["b", "poses_b", "index_b"], b, poses_b, index_b)?;
    let params = params(within, at_most_four, arc_tolerance, tolerance)?;
    let pairs = Pairs::new(a, b, threads)?;
    let mut gaps = GapColumns::with_capacity(pairs.count());
    let (mut contacts, mut offset) = (ContactColumns::default(), Vec::with_capacity(pairs.count() + 1));
    let mut pieces: Vec<i64> = Vec::new();
    offset.push(0);
    pairs.answer(
        py,
        &ContactSet::default(),
        |pair, cache, answer| contacts_into(pair, &params, cache, answer),
        |sets| {
            gaps.extend(sets.iter().map(|set| &set.manifold.gap));
            for ContactSet { manifold, pieces: own, .. } in sets {
                contacts.extend(&manifold.contacts);
                // What is not made of pieces is its own first piece.
                let numbers = (0..manifold.contacts.len()).map(|k| own.get(k).copied().unwrap_or_default());
                pieces.extend(numbers.flatten().map(i64::from));
                offset.push(i64::try_from(contacts.len()).unwrap_or(i64::MAX));
            }
        },
    )?;
    let (pairs, count, distance) = (pairs.count(), contacts.len(), Py::new(py, gaps.into_gaps(py))?);
    let ContactArrays { gap, normal, point_a, point_b, id } = contacts.into_arrays(py);
    let offset = offset.into_pyarray(py).unbind();
    let pieces = pairs_of(py, pieces).unbind();
    Ok(PyManifolds { gap, normal, point_a, point_b, id, pieces, offset, distance, pairs, contacts: count })
}
