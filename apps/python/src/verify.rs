//! Measurements against known answers.

use std::ops::ControlFlow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zerogap::core::units::shortest;
use zerogap::verification::{Required, Row, VerifyError};

/// One number that was measured, what is required of it, and what others published.
#[pyclass(name = "VerifyRow", module = "zerogap", frozen)]
pub(crate) struct PyVerifyRow {
    row: Row,
}

#[pymethods]
impl PyVerifyRow {
    /// The group it belongs to.
    #[getter]
    fn group(&self) -> &'static str {
        self.row.group
    }

    /// What was done, in a phrase; the same for all rows of one experiment.
    #[getter]
    fn case(&self) -> &str {
        &self.row.case
    }

    /// How many times it was done, each time with other random numbers.
    #[getter]
    fn count(&self) -> usize {
        self.row.count
    }

    /// What was measured.
    #[getter]
    fn name(&self) -> &str {
        &self.row.name
    }

    /// Unit of all numbers of the row; empty where they have none.
    #[getter]
    fn unit(&self) -> &'static str {
        self.row.unit
    }

    /// The number that was measured.
    #[getter]
    fn value(&self) -> f64 {
        self.row.value
    }

    /// The known answer; None where a limit or nothing is required.
    #[getter]
    fn expected(&self) -> Option<f64> {
        if let Required::Near { expected, .. } = self.row.required { Some(expected) } else { None }
    }

    /// The largest difference from the known answer that passes; None where there is none.
    #[getter]
    fn tolerance(&self) -> Option<f64> {
        if let Required::Near { tolerance, .. } = self.row.required { Some(tolerance) } else { None }
    }

    /// The largest number that passes; None where an answer or nothing is required.
    #[getter]
    fn at_most(&self) -> Option<f64> {
        if let Required::AtMost { at_most } = self.row.required { Some(at_most) } else { None }
    }

    /// Whether the number is as required.
    #[getter]
    fn passed(&self) -> bool {
        self.row.passed
    }

    /// Whether the number is a time, or a fraction of one: it differs from run to run.
    #[getter]
    fn is_timing(&self) -> bool {
        self.row.is_timing
    }

    /// Where it is known to fail, the number of the issue that mends it; None elsewhere.
    #[getter]
    fn known_issue(&self) -> Option<u32> {
        self.row.known_issue
    }

    /// What others measured, by name.
    #[getter]
    fn published<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let numbers = PyDict::new(py);
        for published in &self.row.published {
            numbers.set_item(published.by, published.value)?;
        }
        Ok(numbers)
    }

    fn __repr__(&self) -> String {
        let row = &self.row;
        let required = row.required.to_string();
        let outcome = match (required.is_empty(), row.passed) {
            (true, true) => String::new(),
            (_, true) => format!(" ({required}: holds)"),
            (_, false) => format!(" ({required}: FAILED)"),
        };
        let unit = if row.unit.is_empty() { String::new() } else { format!(" {}", row.unit) };
        format!("<zerogap.VerifyRow {}: {} {}{unit}{outcome}>", row.group, row.name, shortest(row.value))
    }
}

/// Measures this build against known answers: one group (``"tables"``, ``"events"``, ``"stepping"``, ``"cells"``), or all when left out.
///
/// `count` is the number of random cases; each group has its own when left out, and ``"events"``, ``"stepping"`` and ``"cells"`` have none. The same count gives the same numbers on any machine, for
/// any number of threads, but for times (`VerifyRow.is_timing`).
///
/// >>> import zerogap as zg
/// >>> rows = zg.verify("tables", count=200)
/// >>> all(row.passed for row in rows)
/// True
/// >>> largest = next(row for row in rows if row.name == "largest error")
/// >>> largest.at_most, largest.published.get("Moby (separating axes)")
/// (2.7e-15, 2.66454e-15)
#[pyfunction]
#[pyo3(signature = (group = None, count = None))]
pub(crate) fn verify(
    py: Python<'_>,
    group: Option<&str>,
    count: Option<usize>,
) -> PyResult<Vec<PyVerifyRow>> {
    let mut raised = None;
    let rows = py.detach(|| {
        zerogap::verification::verify(group, count, &mut |_, _| {
            // Has the user had enough (Ctrl-C)?
            Python::attach(|py| match py.check_signals() {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    raised = Some(error);
                    ControlFlow::Break(())
                }
            })
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    let rows = rows.map_err(|error: VerifyError| PyValueError::new_err(error.to_string()))?;
    Ok(rows.into_iter().map(|row| PyVerifyRow { row }).collect())
}
