//! Planar frames of beam elements.

use std::f64::consts::TAU;

use numpy::{IntoPyArray, PyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::dynamics::beam::{Beam, BeamError, Element, FREEDOMS, MassKind, Section};

use crate::arrays::{Array1, Array2, Rows, matrix_of, shape_text};
use crate::quantity::arg;

fn refused(error: BeamError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A planar frame of Euler-Bernoulli beams with axial and bending stiffness. A node has three degrees of freedom: displacements along x and y [m], and a rotation [rad].
///
/// `nodes` are places, (n, 2) [m], `elements` pairs of numbers of nodes. All have one section: Young's modulus [Pa], area [m²], second moment of area [m⁴], density [kg/m³].
///
/// >>> import zerogap as zg
/// >>> beam = zg.Beam.straight(1.5, 20, young_modulus=2.1e11, area=2e-4, second_moment=1.6667e-9, density=7850)
/// >>> beam.clamp(0)
/// >>> loads = [[0, 0, 0]] * 20 + [[0, -10, 0]]
/// >>> beam.deflection(loads)[-1].round(6)
/// array([ 0.      , -0.032142, -0.032142])
/// >>> beam.modes(3)[0].round(3)
/// array([ 3.713, 23.272, 65.163])
#[pyclass(name = "Beam", module = "zerogap")]
pub(crate) struct PyBeam {
    beam: Beam,
}

#[pymethods]
impl PyBeam {
    #[new]
    #[pyo3(signature = (nodes, elements, *, young_modulus, area, second_moment, density))]
    fn new(
        #[pyo3(from_py_with = arg::nodes)] nodes: Rows<'_>,
        elements: Vec<[usize; 2]>,
        #[pyo3(from_py_with = arg::young_modulus)] young_modulus: f64,
        area: f64,
        second_moment: f64,
        #[pyo3(from_py_with = arg::density)] density: f64,
    ) -> PyResult<Self> {
        let [_, 2] = nodes.shape() else {
            let shape = shape_text(nodes.shape());
            return Err(PyValueError::new_err(format!("nodes must have shape (n, 2), not {shape}")));
        };
        let numbers: Vec<f64> = nodes.as_array().iter().copied().collect();
        let nodes = numbers.chunks_exact(2).map(|c| [c[0], c[1]]).collect();
        let section = Section { young_modulus, area, second_moment, density };
        let elements = elements.into_iter().map(|nodes| Element { nodes, section }).collect();
        Ok(Self { beam: Beam::new(nodes, elements).map_err(refused)? })
    }

    /// A straight beam along x from the origin, of a length [m], in equal elements.
    #[staticmethod]
    #[pyo3(signature = (length, elements, *, young_modulus, area, second_moment, density))]
    fn straight(
        #[pyo3(from_py_with = arg::length)] length: f64,
        elements: usize,
        #[pyo3(from_py_with = arg::young_modulus)] young_modulus: f64,
        area: f64,
        second_moment: f64,
        #[pyo3(from_py_with = arg::density)] density: f64,
    ) -> PyResult<Self> {
        let section = Section { young_modulus, area, second_moment, density };
        Ok(Self { beam: Beam::straight(length, elements, section).map_err(refused)? })
    }

    /// Constrains a node: its displacement along x, along y, its rotation.
    #[pyo3(signature = (node, *, x = false, y = false, turn = false))]
    fn hold(&mut self, node: usize, x: bool, y: bool, turn: bool) -> PyResult<()> {
        self.beam.hold(node, [x, y, turn]).map_err(refused)
    }

    /// Fixes all degrees of freedom of a node.
    fn clamp(&mut self, node: usize) -> PyResult<()> {
        self.beam.clamp(node).map_err(refused)
    }

    /// Displacements and rotations of all nodes, (n, 3), under forces along x and y and torques at all nodes, (n, 3) [N, N m].
    fn deflection<'py>(&self, py: Python<'py>, loads: Rows<'_>) -> PyResult<Array2<'py>> {
        let nodes = self.beam.nodes().len();
        if loads.shape() != [nodes, FREEDOMS] {
            let shape = shape_text(loads.shape());
            return Err(PyValueError::new_err(format!("loads must have shape ({nodes}, 3), not {shape}")));
        }
        let loads: Vec<f64> = loads.as_array().iter().copied().collect();
        Ok(matrix_of(py, self.beam.deflection(&loads).map_err(refused)?))
    }

    /// The lowest natural frequencies [Hz], (count,), and their shapes, (count, n, 3), of modal mass 1 kg. `mass` is ``"consistent"`` or ``"lumped"``.
    #[pyo3(signature = (count, mass = "consistent"))]
    fn modes<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        mass: &str,
    ) -> PyResult<(Array1<'py>, Bound<'py, PyArray3<f64>>)> {
        let kind = match mass {
            "consistent" => MassKind::Consistent,
            "lumped" => MassKind::Lumped,
            other => {
                let message = format!("mass is \"{other}\": it must be consistent or lumped");
                return Err(PyValueError::new_err(message));
            }
        };
        let modes = self.beam.modes(count, kind).map_err(refused)?;
        let frequencies: Vec<f64> = modes.angular_frequencies.iter().map(|w| w / TAU).collect();
        let shape = (modes.shapes.len(), self.beam.nodes().len(), FREEDOMS);
        let shapes = numpy::ndarray::Array3::from_shape_vec(shape, modes.shapes.concat()).unwrap_or_default();
        Ok((frequencies.into_pyarray(py), shapes.into_pyarray(py)))
    }

    fn __repr__(&self) -> String {
        let (nodes, elements) = (self.beam.nodes().len(), self.beam.elements().len());
        format!("<zerogap.Beam: {elements} elements between {nodes} nodes>")
    }
}
