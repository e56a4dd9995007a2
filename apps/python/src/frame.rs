//! Frames of beam elements in space.

use std::f64::consts::TAU;

use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use zerogap::Vec3;
use zerogap::dynamics::beam::Rayleigh;
use zerogap::dynamics::beam::frame::{
    CrossSection, Frame, FrameElement, FrameError, FrameLoads, FrameMaterial, FrameMotion, FrameState,
    MotionParams, NODE_FREEDOMS, Plane, SettleParams,
};

use crate::arrays::{Array1, Array2, Rows, Triple, matrix, shape_text, triple, vectors};
use crate::quantity::arg;

type Array3d<'py> = Bound<'py, PyArray3<f64>>;

fn refused(error: FrameError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// One number for each degree of freedom, (n, 6).
fn six(what: &str, value: &Rows<'_>, count: usize) -> PyResult<Vec<[f64; NODE_FREEDOMS]>> {
    if value.shape() != [count, NODE_FREEDOMS] {
        let shape = shape_text(value.shape());
        return Err(PyValueError::new_err(format!("{what} must have shape ({count}, 6), not {shape}")));
    }
    let numbers: Vec<f64> = value.as_array().iter().copied().collect();
    Ok(numbers.chunks_exact(NODE_FREEDOMS).map(|row| std::array::from_fn(|k| row[k])).collect())
}

/// Numbers row by row as an array with three axes.
pub(crate) fn cube(py: Python<'_>, shape: (usize, usize, usize), numbers: Vec<f64>) -> Array3d<'_> {
    Array3::from_shape_vec(shape, numbers).unwrap_or_default().into_pyarray(py)
}

fn rows(py: Python<'_>, columns: usize, numbers: Vec<f64>) -> Array2<'_> {
    numpy::ndarray::Array2::from_shape_vec((numbers.len() / columns, columns), numbers)
        .unwrap_or_default()
        .into_pyarray(py)
}

/// Pairs of numbers of nodes, as lists or as an array (m, 2).
fn element_list(value: &Bound<'_, PyAny>) -> PyResult<Vec<[usize; 2]>> {
    let is_array = value.hasattr("tolist")?;
    let list = if is_array { value.call_method0("tolist")? } else { value.clone() };
    list.extract().map_err(|_| {
        PyValueError::new_err("elements must be pairs of numbers of nodes, counted from 0: of shape (m, 2)")
    })
}

/// A section as a word, or its six numbers by name.
fn section(value: &Bound<'_, PyAny>) -> PyResult<CrossSection> {
    if let Ok(text) = value.cast::<PyString>() {
        return text.extract::<String>()?.parse().map_err(refused);
    }
    let number = |name: &str| -> PyResult<f64> {
        let found = value.get_item(name).map_err(|_| {
            PyValueError::new_err(format!(
                "section has no \"{name}\": give a word such as \"tube:0.03,0.002\", or area, second_moment_y, second_moment_z, torsion_constant, shear_area_y and shear_area_z"
            ))
        })?;
        found.extract()
    };
    Ok(CrossSection {
        area: number("area")?,
        second_moment_y: number("second_moment_y")?,
        second_moment_z: number("second_moment_z")?,
        torsion_constant: number("torsion_constant")?,
        shear_area_y: number("shear_area_y")?,
        shear_area_z: number("shear_area_z")?,
    })
}

/// A section for all elements, or a list with one for each.
fn sections(value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<CrossSection>> {
    let is_one = value.is_instance_of::<PyString>() || value.hasattr("keys")?;
    if is_one {
        return Ok(vec![section(value)?; count]);
    }
    let all: Vec<CrossSection> = value.try_iter()?.map(|one| section(&one?)).collect::<PyResult<_>>()?;
    if all.len() != count {
        let given = all.len();
        return Err(PyValueError::new_err(format!("{given} sections for {count} elements")));
    }
    Ok(all)
}

/// A frame of beam elements in space: large displacements and rotations, small strains. A node has six degrees of freedom: displacements along x, y, z [m] and rotations about x, y, z [rad].
///
/// `nodes` are places, (n, 3) [m], `elements` pairs of numbers of nodes; elements that share a node are joined rigidly. `section` is a word, one for all or a list with one for each element:
/// ``"tube:DIAMETER,WALL"``, ``"rod:DIAMETER"``, ``"rectangle:WIDTH,HEIGHT"``, ``"box:WIDTH,HEIGHT,WALL"``, ``"i:WIDTH,HEIGHT,FLANGE,WEB"``; or a dict of `area`, `second_moment_y`,
/// `second_moment_z`, `torsion_constant`, `shear_area_y`, `shear_area_z`. Heights are along `up`, a direction (by default z, and x for upright elements). `shear=True` gives Timoshenko's beam in place of
/// Euler and Bernoulli's. `plane` (``"xy"``, ``"yz"``, ``"zx"``) keeps all nodes in a plane. `damping` are Rayleigh's factors of mass [1/s] and of stiffness [s].
///
/// >>> import numpy as np
/// >>> import zerogap as zg
/// >>> nodes = np.linspace((0, 0, 0), (1.5, 0, 0), 21)
/// >>> frame = zg.Frame(nodes, [(k, k + 1) for k in range(20)], section="rectangle:20mm,10mm", young_modulus=2.1e11, density=7850)
/// >>> frame.clamp(0)
/// >>> loads = np.zeros((21, 6))
/// >>> loads[20, 2] = -200
/// >>> frame.set_loads(loads)
/// >>> frame.settle().positions[20].round(4)
/// array([ 1.3721,  0.    , -0.5517])
#[pyclass(name = "Frame", module = "zerogap")]
pub(crate) struct PyFrame {
    pub(crate) frame: Frame,
    loads: FrameLoads,
}

/// Places, orientations and velocities of the nodes of a frame.
#[pyclass(name = "FrameState", module = "zerogap", frozen)]
pub(crate) struct PyFrameState {
    state: FrameState,
    unstable: usize,
    iterations: usize,
}

/// A motion of a frame: states at times.
#[pyclass(name = "FrameRun", module = "zerogap", frozen)]
pub(crate) struct PyFrameRun {
    times: Vec<f64>,
    states: Vec<FrameState>,
    /// Strain energy and kinetic energy at each time.
    energies: Vec<[f64; 2]>,
}

fn quaternions(state: &FrameState) -> Vec<f64> {
    state.rotations.iter().flat_map(|q| [q.i, q.j, q.k, q.w]).collect()
}

#[pymethods]
impl PyFrameState {
    /// Places of the nodes, (n, 3) [m].
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> Array2<'py> {
        matrix(py, &self.state.places)
    }

    /// Rotations of the nodes since rest as quaternions (x, y, z, w), (n, 4).
    #[getter]
    fn quaternions<'py>(&self, py: Python<'py>) -> Array2<'py> {
        rows(py, 4, quaternions(&self.state))
    }

    /// Velocities of the nodes, then their angular velocities in the axes of space, (n, 6) [m/s, rad/s].
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let both = self.state.velocities.iter().zip(&self.state.spins);
        rows(py, NODE_FREEDOMS, both.flat_map(|(v, w)| [v.x, v.y, v.z, w.x, w.y, w.z]).collect())
    }

    /// Independent small motions that lower the energy: zero where an equilibrium of `Frame.settle` is stable.
    #[getter]
    fn unstable(&self) -> usize {
        self.unstable
    }

    /// Iterations that it took to find the state.
    #[getter]
    fn iterations(&self) -> usize {
        self.iterations
    }

    fn __repr__(&self) -> String {
        format!("<zerogap.FrameState: {} nodes>", self.state.places.len())
    }
}

#[pymethods]
impl PyFrameRun {
    /// Times of the states, (k,) [s].
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.times.clone().into_pyarray(py)
    }

    /// Places of the nodes at each time, (k, n, 3) [m].
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> Array3d<'py> {
        let numbers: Vec<f64> =
            self.states.iter().flat_map(|s| s.places.iter().flat_map(|p| [p.x, p.y, p.z])).collect();
        cube(py, (self.states.len(), self.nodes(), 3), numbers)
    }

    /// Rotations of the nodes since rest at each time as quaternions (x, y, z, w), (k, n, 4).
    #[getter]
    fn quaternions<'py>(&self, py: Python<'py>) -> Array3d<'py> {
        let numbers: Vec<f64> = self.states.iter().flat_map(quaternions).collect();
        cube(py, (self.states.len(), self.nodes(), 4), numbers)
    }

    /// Strain energy and kinetic energy at each time, (k, 2) [J].
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> Array2<'py> {
        rows(py, 2, self.energies.iter().flatten().copied().collect())
    }

    /// The last state.
    #[getter]
    fn state(&self) -> PyResult<PyFrameState> {
        let state = self.states.last().cloned();
        let state = state.ok_or_else(|| PyValueError::new_err("the run has no states"))?;
        Ok(PyFrameState { state, unstable: 0, iterations: 0 })
    }

    fn __repr__(&self) -> String {
        let end = self.times.last().copied().unwrap_or_default();
        format!("<zerogap.FrameRun: {} states of {} nodes until {end} s>", self.times.len(), self.nodes())
    }
}

impl PyFrameRun {
    fn nodes(&self) -> usize {
        self.states.first().map_or(0, |state| state.places.len())
    }
}

impl PyFrame {
    fn start(&self, state: Option<&PyFrameState>) -> FrameState {
        state.map_or_else(|| self.frame.rest(), |given| given.state.clone())
    }
}

#[pymethods]
impl PyFrame {
    #[new]
    #[pyo3(signature = (nodes, elements, *, section, young_modulus, density, poisson_ratio = 0.3, shear_modulus = None, up = None, shear = false, plane = None, damping = (0.0, 0.0)))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        #[pyo3(from_py_with = arg::nodes)] nodes: Rows<'_>,
        #[pyo3(from_py_with = element_list)] elements: Vec<[usize; 2]>,
        section: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arg::young_modulus)] young_modulus: f64,
        #[pyo3(from_py_with = arg::density)] density: f64,
        poisson_ratio: f64,
        #[pyo3(from_py_with = arg::shear_modulus)] shear_modulus: Option<f64>,
        up: Option<Triple<'_>>,
        shear: bool,
        plane: Option<&str>,
        damping: (f64, f64),
    ) -> PyResult<Self> {
        let nodes = vectors("nodes", &nodes)?.rows;
        let mut material = FrameMaterial::isotropic(young_modulus, poisson_ratio, density);
        if let Some(given) = shear_modulus {
            material.shear_modulus = given;
        }
        let up = up.map(|up| triple("up", &up)).transpose()?;
        let sections = sections(section, elements.len())?;
        let element = |(nodes, section)| FrameElement { nodes, section, material, up, shear };
        let elements = elements.into_iter().zip(sections).map(element).collect();
        let mut frame = Frame::new(nodes, elements).map_err(refused)?;
        match plane {
            None => {}
            Some("xy") => frame.set_plane(Plane::Xy),
            Some("yz") => frame.set_plane(Plane::Yz),
            Some("zx") => frame.set_plane(Plane::Zx),
            Some(other) => {
                let message = format!("plane is \"{other}\": it must be xy, yz or zx");
                return Err(PyValueError::new_err(message));
            }
        }
        let (mass, stiffness) = damping;
        frame.set_damping(Rayleigh { mass, stiffness }).map_err(refused)?;
        let loads = FrameLoads::none(&frame);
        Ok(Self { frame, loads })
    }

    /// Holds degrees of freedom of a node: displacements along x, y, z, rotations about x, y, z.
    #[pyo3(signature = (node, *, x = false, y = false, z = false, rx = false, ry = false, rz = false))]
    #[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keywords of Python")]
    fn hold(&mut self, node: usize, x: bool, y: bool, z: bool, rx: bool, ry: bool, rz: bool) -> PyResult<()> {
        self.frame.hold(node, [x, y, z, rx, ry, rz]).map_err(refused)
    }

    /// Fixes all degrees of freedom of a node.
    fn clamp(&mut self, node: usize) -> PyResult<()> {
        self.frame.clamp(node).map_err(refused)
    }

    /// Fixes the place of a node, which may rotate.
    fn pin(&mut self, node: usize) -> PyResult<()> {
        self.frame.pin(node).map_err(refused)
    }

    /// Sets the loads, in place of those before: forces and moments at the nodes, (n, 6) [N, N m], forces per length on the elements, (m, 3) [N/m], and the acceleration of free fall, (3,) [m/s²]. All keep
    /// their directions in space.
    #[pyo3(signature = (nodal = None, *, line = None, gravity = None))]
    fn set_loads(
        &mut self,
        nodal: Option<Rows<'_>>,
        line: Option<Rows<'_>>,
        gravity: Option<Triple<'_>>,
    ) -> PyResult<()> {
        let mut loads = FrameLoads::none(&self.frame);
        if let Some(nodal) = nodal {
            loads.nodal = six("nodal", &nodal, self.frame.nodes().len())?;
        }
        if let Some(line) = line {
            let (count, shape) = (self.frame.elements().len(), line.shape());
            if shape != [count, 3] {
                let shape = shape_text(shape);
                return Err(PyValueError::new_err(format!("line must have shape ({count}, 3), not {shape}")));
            }
            loads.line = vectors("line", &line)?.rows;
        }
        if let Some(gravity) = gravity {
            loads.gravity = triple("gravity", &gravity)?;
        }
        self.loads = loads;
        Ok(())
    }

    /// The frame moved from rest by displacements and rotation vectors of the nodes, (n, 6) [m, rad], with velocities, (n, 6) [m/s, rad/s].
    #[pyo3(signature = (displacements = None, velocities = None))]
    fn state(&self, displacements: Option<Rows<'_>>, velocities: Option<Rows<'_>>) -> PyResult<PyFrameState> {
        let count = self.frame.nodes().len();
        let read = |what: &str, rows: Option<Rows<'_>>| {
            rows.map_or_else(|| Ok(vec![[0.0; NODE_FREEDOMS]; count]), |rows| six(what, &rows, count))
        };
        let (moved, rates) = (read("displacements", displacements)?, read("velocities", velocities)?);
        let state = self.frame.displaced(&moved, &rates).map_err(refused)?;
        Ok(PyFrameState { state, unstable: 0, iterations: 0 })
    }

    /// The equilibrium under the loads, found from rest or from another state in load steps. `tolerance` is the last correction of the nodes, against the size of the frame or in radians.
    #[pyo3(signature = (state = None, *, tolerance = 1e-10))]
    fn settle(
        &self,
        py: Python<'_>,
        state: Option<PyRef<'_, PyFrameState>>,
        tolerance: f64,
    ) -> PyResult<PyFrameState> {
        let start = self.start(state.as_deref());
        let params = SettleParams { tolerance, ..SettleParams::default() };
        let found = py.detach(|| self.frame.settle(&start, &self.loads, &params)).map_err(refused)?;
        Ok(PyFrameState { state: found.state, unstable: found.unstable, iterations: found.iterations })
    }

    /// The lowest natural frequencies [Hz], (count,), and their shapes, (count, n, 6), of modal mass 1 kg, about rest or about another equilibrium under the loads. A frequency is zero where the state is unstable.
    #[pyo3(signature = (count, state = None))]
    fn modes<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        state: Option<PyRef<'_, PyFrameState>>,
    ) -> PyResult<(Array1<'py>, Array3d<'py>)> {
        // At rest there are no loads: they would be out of balance.
        let none = FrameLoads::none(&self.frame);
        let loads = if state.is_some() { &self.loads } else { &none };
        let start = self.start(state.as_deref());
        let modes = py.detach(|| self.frame.modes(&start, loads, count)).map_err(refused)?;
        let frequencies: Vec<f64> = modes.angular_frequencies.iter().map(|w| w / TAU).collect();
        let shape = (modes.shapes.len(), self.frame.nodes().len(), NODE_FREEDOMS);
        let numbers = modes.shapes.into_iter().flatten().flatten().collect();
        Ok((frequencies.into_pyarray(py), cube(py, shape, numbers)))
    }

    /// Moves the frame by implicit steps [s] from a state, by default rest, under the loads. `factor`, a pair of lists of times and of factors, multiplies the loads over time, linearly in between.
    /// States are kept `every` so often [s], by default after each step. `spectral_radius` damps what a step does not resolve: 1 damps nothing, 0 most.
    #[pyo3(signature = (until, step, *, state = None, factor = None, every = None, spectral_radius = 0.9))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn simulate(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arg::until)] until: f64,
        #[pyo3(from_py_with = arg::step)] step: f64,
        state: Option<PyRef<'_, PyFrameState>>,
        factor: Option<(Vec<f64>, Vec<f64>)>,
        #[pyo3(from_py_with = arg::every)] every: Option<f64>,
        spectral_radius: f64,
    ) -> PyResult<PyFrameRun> {
        if !(until > 0.0 && until.is_finite()) {
            return Err(PyValueError::new_err(format!("until is {until} s: it must be positive and finite")));
        }
        if !(step > 0.0 && step.is_finite()) {
            return Err(PyValueError::new_err(format!("step is {step} s: it must be positive and finite")));
        }
        let factor = factor.map(Factor::new).transpose()?;
        let start = self.start(state.as_deref());
        let params = MotionParams { spectral_radius, ..MotionParams::default() };
        let every = every.unwrap_or(0.0);
        py.detach(|| self.run(start, params, [until, step, every], factor.as_ref())).map_err(refused)
    }

    /// Internal forces at both ends of each element in a state, (m, 2, 6) [N, N m]: axial force (positive in tension), shear along y and z, torsion, bending moments about y and z, in the axes of the element.
    fn section_forces<'py>(&self, py: Python<'py>, state: PyRef<'_, PyFrameState>) -> PyResult<Array3d<'py>> {
        let forces = self.frame.section_forces(&state.state, &self.loads).map_err(refused)?;
        let of = |end: &zerogap::dynamics::beam::frame::SectionForces| {
            let (f, m): (Vec3, Vec3) = (end.force, end.moment);
            [f.x, f.y, f.z, m.x, m.y, m.z]
        };
        let numbers = forces.iter().flatten().flat_map(of).collect();
        Ok(cube(py, (forces.len(), 2, NODE_FREEDOMS), numbers))
    }

    /// Forces and moments of the supports on the nodes in a state of equilibrium, (n, 6) [N, N m].
    fn reactions<'py>(&self, py: Python<'py>, state: PyRef<'_, PyFrameState>) -> PyResult<Array2<'py>> {
        let found = self.frame.reactions(&state.state, &self.loads).map_err(refused)?;
        Ok(rows(py, NODE_FREEDOMS, found.into_iter().flatten().collect()))
    }

    /// Mass [kg].
    #[getter]
    fn mass(&self) -> f64 {
        self.frame.mass()
    }

    fn __repr__(&self) -> String {
        let (nodes, elements) = (self.frame.nodes().len(), self.frame.elements().len());
        format!("<zerogap.Frame: {elements} elements between {nodes} nodes>")
    }
}

impl PyFrame {
    fn run(
        &self,
        start: FrameState,
        params: MotionParams,
        [until, step, every]: [f64; 3],
        factor: Option<&Factor>,
    ) -> Result<PyFrameRun, FrameError> {
        let loads_at = |t: f64| factor.map_or_else(|| self.loads.clone(), |f| self.loads.scaled(f.at(t)));
        let mut motion = FrameMotion::new(self.frame.clone(), start, &loads_at(0.0), params)?;
        let mut run = PyFrameRun { times: Vec::new(), states: Vec::new(), energies: Vec::new() };
        let keep = |run: &mut PyFrameRun, motion: &FrameMotion| -> Result<(), FrameError> {
            let state = motion.state();
            run.energies.push([self.frame.strain_energy(state)?, self.frame.kinetic_energy(state)?]);
            run.times.push(motion.time());
            run.states.push(state.clone());
            Ok(())
        };
        keep(&mut run, &motion)?;
        // Steps are equal and end at the end: times are counted, not summed.
        let steps = (until / step - 1e-9).ceil().max(1.0) as u64;
        let length = until / steps as f64;
        let mut kept = 1.0;
        for k in 1..=steps {
            let end = until * k as f64 / steps as f64;
            motion.step(&loads_at(end), length)?;
            let reached = end + 1e-9 * length;
            if k == steps || reached >= kept * every {
                keep(&mut run, &motion)?;
                kept = (reached / every.max(length)).floor() + 1.0;
            }
        }
        Ok(run)
    }
}

/// Factors of the loads over time, linear between times.
struct Factor {
    times: Vec<f64>,
    values: Vec<f64>,
}

impl Factor {
    fn new((times, values): (Vec<f64>, Vec<f64>)) -> PyResult<Self> {
        let rises = times.windows(2).all(|pair| pair[1] > pair[0]);
        let finite = times.iter().chain(&values).all(|x| x.is_finite());
        if times.is_empty() || times.len() != values.len() || !rises || !finite {
            let (a, b) = (times.len(), values.len());
            return Err(PyValueError::new_err(format!(
                "factor has {a} times and {b} values: it must have as many of both, all finite, and times that rise"
            )));
        }
        Ok(Self { times, values })
    }

    /// Constant before the first time and after the last.
    fn at(&self, t: f64) -> f64 {
        let after = self.times.partition_point(|time| *time <= t);
        if after == 0 {
            return self.values[0];
        }
        if after == self.times.len() {
            return self.values[after - 1];
        }
        let [a, b] = [self.times[after - 1], self.times[after]];
        let weight = (t - a) / (b - a);
        self.values[after - 1] * (1.0 - weight) + self.values[after] * weight
    }
}
