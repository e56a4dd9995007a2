//! Convex pieces of a mesh.

use pyo3::prelude::*;
use zerogap::geometry::decompose::{DEFAULT_MAX_PIECES, DecomposeParams, DecomposeStatus, Decomposition};

use crate::error::geometry;
use crate::mesh::PyMesh;
use crate::quantity::arg;
use crate::shape::PyShape;

/// Convex pieces whose union covers a mesh.
#[pyclass(name = "Decomposition", module = "zerogap", frozen)]
pub(crate) struct PyDecomposition {
    decomposition: Decomposition,
}

#[pymethods]
impl PyDecomposition {
    /// The pieces, as polyhedra.
    #[getter]
    fn pieces(&self) -> Vec<PyShape> {
        self.decomposition.pieces.iter().cloned().map(PyShape::from).collect()
    }

    /// The largest distance found from a point of a piece to the body [m].
    #[getter]
    fn concavity(&self) -> f64 {
        self.decomposition.concavity
    }

    /// Sum of the pieces' volumes less the body's [m³].
    #[getter]
    fn volume_excess(&self) -> f64 {
        self.decomposition.volume_excess
    }

    /// Whether the concavity that was asked for was reached.
    #[getter]
    fn reached(&self) -> bool {
        self.decomposition.status == DecomposeStatus::Reached
    }

    fn __repr__(&self) -> String {
        let d = &self.decomposition;
        let outcome = if self.reached() { "within limit" } else { "limit exceeded" };
        format!(
            "<zerogap.Decomposition of {} pieces: concavity {} m, {outcome}>",
            d.pieces.len(),
            d.concavity
        )
    }
}

/// Cuts a closed mesh into convex pieces that reach outside it by at most `max_concavity` [m] (2 % of the diagonal
/// when left out), into at most `max_pieces` (256 when left out).
///
/// >>> import zerogap as zg
/// >>> len(zg.decompose(zg.parts.peg(), max_concavity=1e-3).pieces)
/// 1
#[pyfunction]
#[pyo3(signature = (mesh, max_concavity = None, max_pieces = None))]
pub(crate) fn decompose(
    py: Python<'_>,
    mesh: &PyMesh,
    #[pyo3(from_py_with = arg::max_concavity)] max_concavity: Option<f64>,
    max_pieces: Option<usize>,
) -> PyResult<PyDecomposition> {
    let params = DecomposeParams {
        max_pieces: max_pieces.unwrap_or(DEFAULT_MAX_PIECES),
        ..DecomposeParams::new_or_default(max_concavity, &mesh.mesh)
    };
    let decomposition =
        py.detach(|| zerogap::geometry::decompose::decompose(&mesh.mesh, &params)).map_err(geometry)?;
    Ok(PyDecomposition { decomposition })
}
