//! Many gaps as arrays.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use zerogap::{Gap, GapStatus, NormalKind};

use crate::arrays::matrix_of;
use crate::columns::{ColumnClass, column_class};
use crate::pickle::{Kept1, Kept2, Reduced, maker};

column_class! {
    /// The gaps of many pairs, as arrays in the order of the pairs.
    ///
    /// ``status`` holds codes: ``zg.GapStatus(code).name`` is their name.
    pub(crate) struct PyGaps = "Gaps" {
        columns {
            /// Signed distances [m], (n,).
            gap: Kept1<f64>,
            /// The exact signed distances are no smaller [m], (n,).
            lower: Kept1<f64>,
            /// The exact signed distances are no larger [m], (n,).
            upper: Kept1<f64>,
            /// Unit vectors from A to B, (n, 3).
            normal: Kept2<f64>,
            /// Whether each normal was the only one possible, (n,).
            normal_unique: Kept1<bool>,
            /// The points of A [m], (n, 3).
            point_a: Kept2<f64>,
            /// The points of B [m], (n, 3).
            point_b: Kept2<f64>,
            /// How each search ended, (n,): the codes of :class:`GapStatus`.
            status: Kept1<u8>,
            /// Pairs of support points that were evaluated, (n,); 0 for closed forms.
            iterations: Kept1<u32>,
        }
        others {
            count: usize,
            overlaps: usize,
        }
        methods {
            fn __len__(&self) -> usize {
                self.count
            }

            fn __repr__(&self) -> String {
                format!("<zerogap.Gaps of {} pairs, {} of them with a gap below 0>", self.count, self.overlaps)
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Columns,)>> {
                Ok((maker(py, "_gaps")?, (self.columns(py),)))
            }
        }
    }
}

/// All arrays in order.
type Columns = <PyGaps as ColumnClass>::Columns;

/// Makes gaps again.
#[pyfunction]
pub(crate) fn _gaps(py: Python<'_>, columns: Columns) -> PyGaps {
    let (gap, lower, upper, normal, normal_unique, point_a, point_b, status, iterations) = columns;
    let (count, overlaps) = {
        let gaps = gap.bind(py).readonly();
        (gaps.len().unwrap_or_default(), gaps.as_array().iter().filter(|gap| **gap < 0.0).count())
    };
    PyGaps { gap, lower, upper, normal, normal_unique, point_a, point_b, status, iterations, count, overlaps }
}

/// The answers, attribute by attribute.
pub(crate) struct GapColumns {
    gap: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    normal: Vec<f64>,
    normal_unique: Vec<bool>,
    point_a: Vec<f64>,
    point_b: Vec<f64>,
    status: Vec<u8>,
    iterations: Vec<u32>,
}

impl GapColumns {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            gap: Vec::with_capacity(count),
            lower: Vec::with_capacity(count),
            upper: Vec::with_capacity(count),
            normal: Vec::with_capacity(3 * count),
            normal_unique: Vec::with_capacity(count),
            point_a: Vec::with_capacity(3 * count),
            point_b: Vec::with_capacity(3 * count),
            status: Vec::with_capacity(count),
            iterations: Vec::with_capacity(count),
        }
    }

    pub(crate) fn extend<'a>(&mut self, answers: impl Iterator<Item = &'a Gap> + Clone) {
        self.gap.extend(answers.clone().map(|g| g.gap));
        self.lower.extend(answers.clone().map(|g| g.lower));
        self.upper.extend(answers.clone().map(|g| g.upper));
        for g in answers.clone() {
            self.normal.extend_from_slice(g.normal.as_slice());
            self.point_a.extend_from_slice(g.point_a.as_slice());
            self.point_b.extend_from_slice(g.point_b.as_slice());
        }
        self.normal_unique.extend(answers.clone().map(|g| g.normal_kind == NormalKind::Unique));
        self.status.extend(answers.clone().map(|g| code(g.status)));
        self.iterations.extend(answers.map(|g| g.iterations));
    }

    pub(crate) fn into_gaps(self, py: Python<'_>) -> PyGaps {
        PyGaps {
            count: self.gap.len(),
            overlaps: self.gap.iter().filter(|gap| **gap < 0.0).count(),
            gap: self.gap.into_pyarray(py).unbind(),
            lower: self.lower.into_pyarray(py).unbind(),
            upper: self.upper.into_pyarray(py).unbind(),
            normal: matrix_of(py, self.normal).unbind(),
            normal_unique: self.normal_unique.into_pyarray(py).unbind(),
            point_a: matrix_of(py, self.point_a).unbind(),
            point_b: matrix_of(py, self.point_b).unbind(),
            status: self.status.into_pyarray(py).unbind(),
            iterations: self.iterations.into_pyarray(py).unbind(),
        }
    }
}

/// The code of a status; `zerogap.GapStatus` has the names.
fn code(status: GapStatus) -> u8 {
    match status {
        GapStatus::Exact => 0,
        GapStatus::Converged => 1,
        GapStatus::Farther => 2,
        GapStatus::Limited => 3,
        GapStatus::LocalDepth => 4,
        GapStatus::DepthUnknown => 5,
    }
}
