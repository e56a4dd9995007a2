//! Which surface was hit: points against convex targets, for any integrator.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zerogap::oriented::{PenaltyForces, PenaltyLaw, penalty_forces};
use zerogap::proximity::oriented::{
    Configuration, Form, Oriented, OrientedError, OrientedParams, SurfaceRule, Target, Touch, local_point,
};
use zerogap::world::BodyVelocity;
use zerogap::{Pose, Vec3};

use crate::arrays::{Array1, Array2, Rows, shape_text};
use crate::pose::{PyPose, pose_of};
use crate::quantity::arg;
use crate::shape::PyShape;

fn refused(error: OrientedError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Who is in contact with which surface: arrays with a row for each contact, by target and initiator.
#[pyclass(name = "Touches", module = "zerogap", frozen)]
pub(crate) struct PyTouches {
    touches: Vec<Touch>,
    releases: Vec<[u32; 3]>,
    is_planar: bool,
}

impl PyTouches {
    fn new(configuration: &Configuration, is_planar: bool) -> Self {
        let releases = configuration.releases().iter().map(|r| [r.target, r.initiator, r.surface]).collect();
        Self { touches: configuration.touches().to_vec(), releases, is_planar }
    }

    fn each<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Touch) -> T,
    ) -> Bound<'py, PyArray1<T>> {
        self.touches.iter().map(of).collect::<Vec<T>>().into_pyarray(py)
    }

    fn vectors<'py>(&self, py: Python<'py>, of: impl Fn(&Touch) -> Vec3) -> Array2<'py> {
        rows(py, self.touches.iter().map(of), self.is_planar)
    }
}

/// Vectors as (n, 3), or (n, 2) in the plane.
fn rows(py: Python<'_>, vectors: impl ExactSizeIterator<Item = Vec3>, is_planar: bool) -> Array2<'_> {
    let (count, width) = (vectors.len(), if is_planar { 2 } else { 3 });
    let numbers = vectors.flat_map(|v| v.iter().copied().take(width).collect::<Vec<_>>()).collect();
    numpy::ndarray::Array2::from_shape_vec((count, width), numbers).unwrap_or_default().into_pyarray(py)
}

#[pymethods]
impl PyTouches {
    /// Numbers of the targets, (n,).
    #[getter]
    fn target<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.each(py, |touch| touch.target)
    }

    /// Numbers of the initiators, (n,).
    #[getter]
    fn initiator<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.each(py, |touch| touch.initiator)
    }

    /// The surface that each came in through, by its number on its target, (n,).
    #[getter]
    fn surface<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.each(py, |touch| touch.surface)
    }

    /// Gaps along the normal of that surface [m], (n,): negative below it.
    #[getter]
    fn gap<'py>(&self, py: Python<'py>) -> Array1<'py> {
        self.each(py, |touch| touch.gap)
    }

    /// Outward unit normals of the surfaces in the world, (n, 3), or (n, 2) in the plane.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array2<'py> {
        self.vectors(py, |touch| touch.normal)
    }

    /// Feet of the initiators on the planes of the surfaces [m], as `normal`.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Array2<'py> {
        self.vectors(py, |touch| touch.point)
    }

    /// How each came to be: ``"hit"``, ``"crossed"`` (the whole target, in one step), ``"kept"``, ``"handed-over"`` or ``"inside"`` (at the start).
    #[getter]
    fn kind(&self) -> Vec<&'static str> {
        self.touches.iter().map(|touch| touch.kind.word()).collect()
    }

    /// Whether each is inside its target, (n,): contact can outlast that where a target is thin or acute.
    #[getter]
    fn inside<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.each(py, |touch| touch.is_inside)
    }

    /// Whether each began without history, so that its surface is the nearest one, (n,).
    #[getter]
    fn guess<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.each(py, |touch| touch.is_guess)
    }

    /// Who was in contact before and is no more: rows of target, initiator and surface, (m, 3).
    #[getter]
    fn released<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u32>> {
        crate::arrays::index_triples(py, &self.releases)
    }

    fn __len__(&self) -> usize {
        self.touches.len()
    }

    fn __repr__(&self) -> String {
        let count = self.touches.len();
        format!("<zerogap.Touches: {count} {}>", if count == 1 { "contact" } else { "contacts" })
    }
}

/// Points against convex targets, with the history that distinguishes the surface through which each entered from the nearest one.
///
/// `targets` is a list: a polygon in the plane is an (n, 2) array of its corners, clockwise, and its surface i runs from corner i to the next; in space a target is a box, a convex polyhedron (:func:`hull`) or a half-space. `points` are the
/// initiators, (m, 2) in the plane or (m, 3) [m]. `poses` are those of the targets, a list with a pose, 7 numbers, or in the plane 3 numbers x, y and angle for each; left out, they stand still at the origin.
///
/// :meth:`evaluate` returns the result of a trial and changes nothing, :meth:`commit` takes an accepted step as the new reference, :meth:`roots` are functions that fall through zero where contact begins, ends or moves over
/// to another surface: what an integrator needs to stop there. `form` is ``"guards"`` or ``"conditional"``, and neither that nor `culling` changes a result; without `clipping` a target that lies across the straight path of a
/// step is not hit by it. `rule` is ``"history"``, or ``"nearest"`` for the nearest surface whatever came before, as the minimum translation has it, for comparison. :meth:`forces` and :meth:`matrices` are for trials, too.
///
/// >>> import zerogap as zg
/// >>> plate = [(0, 0.02), (1, 0.02), (1, 0), (0, 0)]                 # top, right, bottom, left
/// >>> oriented = zg.Oriented([plate], [(0.5, 0.03)])
/// >>> oriented.evaluate([(0.5, 0.005)]).surface                       # a trial, three quarters through
/// array([0], dtype=uint32)
/// >>> len(oriented.touches)                                           # changes nothing
/// 0
/// >>> touches = oriented.commit([(0.5, 0.005)])
/// >>> touches.gap.round(12), touches.normal
/// (array([-0.015]), array([[0., 1.]]))
/// >>> oriented.nearest([(0.5, 0.005)])[0]                             # the minimum translation would push it out below
/// array([2])
#[pyclass(name = "Oriented", module = "zerogap")]
pub(crate) struct PyOriented {
    inner: Oriented,
    is_planar: bool,
}

/// Whether all targets are polygons in the plane, and the targets.
fn targets_of(given: &[Bound<'_, PyAny>]) -> PyResult<(bool, Vec<Target>)> {
    let mut targets = Vec::new();
    for (k, one) in given.iter().enumerate() {
        let told = |error: OrientedError| PyValueError::new_err(format!("targets[{k}]: {error}"));
        if let Ok(shape) = one.cast::<PyShape>() {
            targets.push(Target::of_shape(&shape.get().shape).map_err(told)?);
            continue;
        }
        let corners = one.extract::<Rows<'_>>().map_err(|_| {
            PyTypeError::new_err(format!(
                "targets[{k}] must be a shape, or corners of a polygon of shape (n, 2)"
            ))
        })?;
        let [_, 2] = corners.shape() else {
            let shape = shape_text(corners.shape());
            return Err(PyValueError::new_err(format!(
                "targets[{k}] must be a shape, or corners of a polygon of shape (n, 2), not {shape}"
            )));
        };
        let numbers: Vec<f64> = corners.as_array().iter().copied().collect();
        let corners: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|c| [c[0], c[1]]).collect();
        targets.push(Target::polygon(&corners).map_err(told)?);
    }
    let planar = targets.iter().filter(|target| target.is_planar()).count();
    if planar > 0 && planar < targets.len() {
        return Err(PyValueError::new_err(
            "targets are either all polygons in the plane, or all shapes in space",
        ));
    }
    Ok((planar > 0, targets))
}

/// Points of shape (n, 3), or (n, 2) in the plane.
fn points_of(value: &Rows<'_>, is_planar: bool) -> PyResult<Vec<Vec3>> {
    let width = if is_planar { 2 } else { 3 };
    if !matches!(value.shape(), [_, w] if *w == width) {
        let shape = shape_text(value.shape());
        return Err(PyValueError::new_err(format!("points must have shape (n, {width}), not {shape}")));
    }
    let numbers: Vec<f64> = value.as_array().iter().copied().collect();
    let third = |c: &[f64]| c.get(2).copied().unwrap_or(0.0);
    Ok(numbers.chunks_exact(width).map(|c| Vec3::new(c[0], c[1], third(c))).collect())
}

/// The pose of a target: a pose in any form, or x, y and angle in the plane.
fn target_pose(what: &str, value: &Bound<'_, PyAny>, is_planar: bool) -> PyResult<Pose> {
    if is_planar
        && !value.is_instance_of::<PyPose>()
        && let Ok(numbers) = value.extract::<Rows<'_>>()
        && numbers.shape() == [3]
    {
        let [x, y, angle]: [f64; 3] =
            numbers.as_array().iter().copied().collect::<Vec<_>>().try_into().unwrap_or_default();
        let turned = Pose::from_axis_angle(Vec3::new(x, y, 0.0), Vec3::z(), angle);
        return turned.map_err(|error| PyValueError::new_err(format!("{what}: {error}")));
    }
    pose_of(what, value)
}

impl PyOriented {
    fn poses(&self, poses: Option<Vec<Bound<'_, PyAny>>>) -> PyResult<Vec<Pose>> {
        poses_of(poses, self.inner.targets().len(), self.is_planar)
    }
}

fn poses_of(poses: Option<Vec<Bound<'_, PyAny>>>, targets: usize, is_planar: bool) -> PyResult<Vec<Pose>> {
    let Some(poses) = poses else { return Ok(vec![Pose::identity(); targets]) };
    poses.iter().enumerate().map(|(k, pose)| target_pose(&format!("poses[{k}]"), pose, is_planar)).collect()
}

/// How targets move: rows of linear and angular velocity, in the plane two numbers and one; at rest where nothing is given.
fn motions_of(given: Option<&Rows<'_>>, targets: usize, is_planar: bool) -> PyResult<Vec<BodyVelocity>> {
    let Some(given) = given else { return Ok(vec![BodyVelocity::default(); targets]) };
    let width = if is_planar { 3 } else { 6 };
    if given.shape() != [targets, width] {
        let shape = shape_text(given.shape());
        let message = format!("target_velocities must have shape ({targets}, {width}), not {shape}");
        return Err(PyValueError::new_err(message));
    }
    let numbers: Vec<f64> = given.as_array().iter().copied().collect();
    let motion = |c: &[f64]| match *c {
        [x, y, w] => BodyVelocity { linear: Vec3::new(x, y, 0.0), angular: Vec3::new(0.0, 0.0, w) },
        _ => BodyVelocity { linear: Vec3::new(c[0], c[1], c[2]), angular: Vec3::new(c[3], c[4], c[5]) },
    };
    Ok(numbers.chunks_exact(width).map(motion).collect())
}

#[pymethods]
impl PyOriented {
    #[new]
    #[pyo3(signature = (targets, points, poses = None, *, form = "guards", culling = true, clipping = true, rule = "history"))]
    fn new(
        targets: Vec<Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        poses: Option<Vec<Bound<'_, PyAny>>>,
        form: &str,
        culling: bool,
        clipping: bool,
        rule: &str,
    ) -> PyResult<Self> {
        let Some(rule) = SurfaceRule::by_word(rule) else {
            let message = format!("rule is \"{rule}\": it must be history or nearest");
            return Err(PyValueError::new_err(message));
        };
        let form = match form {
            "guards" => Form::Guards,
            "conditional" => Form::Conditional,
            other => {
                let message = format!("form is \"{other}\": it must be guards or conditional");
                return Err(PyValueError::new_err(message));
            }
        };
        let (is_planar, targets) = targets_of(&targets)?;
        let poses = poses_of(poses, targets.len(), is_planar)?;
        let points = points_of(&points, is_planar)?;
        let params = OrientedParams { form, culling, clipping, rule };
        Ok(Self { inner: Oriented::new(targets, &poses, &points, params).map_err(refused)?, is_planar })
    }

    /// What would be in contact at a trial; the reference stays as it is.
    #[pyo3(signature = (points, poses = None))]
    fn evaluate(
        &self,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        poses: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<PyTouches> {
        let (points, poses) = (points_of(&points, self.is_planar)?, self.poses(poses)?);
        let mut trial = Configuration::new();
        self.inner.evaluate(&poses, &points, &mut trial).map_err(refused)?;
        Ok(PyTouches::new(&trial, self.is_planar))
    }

    /// Takes an accepted step as the new reference, and returns what is in contact.
    #[pyo3(signature = (points, poses = None))]
    fn commit(
        &mut self,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        poses: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<PyTouches> {
        let (points, poses) = (points_of(&points, self.is_planar)?, self.poses(poses)?);
        let committed = self.inner.commit(&poses, &points).map_err(refused)?;
        Ok(PyTouches::new(committed, self.is_planar))
    }

    /// Forgets all history and starts anew.
    #[pyo3(signature = (points, poses = None))]
    fn reset(
        &mut self,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        poses: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<()> {
        let (points, poses) = (points_of(&points, self.is_planar)?, self.poses(poses)?);
        self.inner.reset(&poses, &points).map_err(refused)
    }

    /// Functions that fall through zero where the reference ends [m], two for each target and initiator, (targets * initiators * 2,): for a free initiator its largest separation, and 1; for one in contact how deep it is below its surface, and how
    /// far within its span.
    #[pyo3(signature = (points, poses = None))]
    fn roots<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        poses: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Array1<'py>> {
        let (points, poses) = (points_of(&points, self.is_planar)?, self.poses(poses)?);
        let mut roots = vec![0.0; self.inner.root_count()];
        self.inner.roots(&poses, &points, &mut roots).map_err(refused)?;
        Ok(roots.into_pyarray(py))
    }

    /// Penalty forces on the initiators at a trial [N], (n, 3) or (n, 2), and on the targets, (targets, 6): force and torque about the origin; in the plane (targets, 3): two forces and the torque.
    ///
    /// Along the normal of the surface that each came in through, `stiffness` [N/m] times the depth below it plus `damping` [N s/m] times the speed of approach, never pulling; across it `friction`, smooth in the velocity. `velocities`
    /// are those of the initiators [m/s], `target_velocities` those of the targets, (targets, 6) or (targets, 3) in the plane: linear, then angular.
    ///
    /// >>> import zerogap as zg
    /// >>> oriented = zg.Oriented([[(0, 0.02), (1, 0.02), (1, 0), (0, 0)]], [(0.5, 0.03)])
    /// >>> _ = oriented.commit([(0.5, 0.005)])
    /// >>> oriented.forces([(0.5, 0.005)], stiffness=1e5)[0].round(6)       # up, though the bottom is nearer
    /// array([[   0., 1500.]])
    #[pyo3(signature = (points, velocities = None, poses = None, *, stiffness, damping = 0.0, friction = 0.0, target_velocities = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn forces<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        velocities: Option<Rows<'_>>,
        poses: Option<Vec<Bound<'_, PyAny>>>,
        stiffness: f64,
        damping: f64,
        friction: f64,
        target_velocities: Option<Rows<'_>>,
    ) -> PyResult<(Array2<'py>, Array2<'py>)> {
        let (points, poses) = (points_of(&points, self.is_planar)?, self.poses(poses)?);
        let velocities = match velocities {
            Some(given) => points_of(&given, self.is_planar)?,
            None => vec![Vec3::zeros(); points.len()],
        };
        if velocities.len() != points.len() {
            let (given, needed) = (velocities.len(), points.len());
            let message = format!("velocities has {given} rows: there must be {needed}, one for each point");
            return Err(PyValueError::new_err(message));
        }
        let motions = motions_of(target_velocities.as_ref(), poses.len(), self.is_planar)?;
        let mut trial = Configuration::new();
        self.inner.evaluate(&poses, &points, &mut trial).map_err(refused)?;
        let law = PenaltyLaw { stiffness, damping, friction };
        let found = penalty_forces(&trial, &law, (&poses, &motions), (&points, &velocities));
        let PenaltyForces { initiators, targets } =
            found.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let wrench = |w: &zerogap::dynamics::multibody::Wrench| -> Vec<f64> {
            let (f, t) = (w.force, w.torque);
            if self.is_planar { vec![f.x, f.y, t.z] } else { vec![f.x, f.y, f.z, t.x, t.y, t.z] }
        };
        let (width, numbers) =
            (if self.is_planar { 3 } else { 6 }, targets.iter().flat_map(wrench).collect());
        let on_targets = numpy::ndarray::Array2::from_shape_vec((targets.len(), width), numbers);
        let on_points = rows(py, initiators.into_iter(), self.is_planar);
        Ok((on_points, on_targets.unwrap_or_default().into_pyarray(py)))
    }

    /// The matrices of the paper at a trial against one target, as a dict of arrays (surfaces, initiators): ``P`` (on or below a surface), ``delta`` (P less P of the reference: 1 where separation was lost), ``S`` (above or below the surface itself,
    /// not beside it) and ``C`` (the collision surface).
    #[pyo3(signature = (points, poses = None, *, target = 0))]
    fn matrices<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        poses: Option<Vec<Bound<'_, PyAny>>>,
        target: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (points, poses) = (points_of(&points, self.is_planar)?, self.poses(poses)?);
        self.known_target(target)?;
        let found = self.inner.matrices(target, &poses, &points).map_err(refused)?;
        let shape = (found.surfaces, found.initiators);
        let all = PyDict::new(py);
        for (name, bits) in [("P", found.penetration), ("S", found.span), ("C", found.collision)] {
            let array = numpy::ndarray::Array2::from_shape_vec(shape, bits).unwrap_or_default();
            all.set_item(name, array.into_pyarray(py))?;
        }
        let change = numpy::ndarray::Array2::from_shape_vec(shape, found.change).unwrap_or_default();
        all.set_item("delta", change.into_pyarray(py))?;
        Ok(all)
    }

    /// Separations of points from all surfaces of one target [m], (points, surfaces): positive outside.
    #[pyo3(signature = (points, pose = None, *, target = 0))]
    fn separations<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        pose: Option<Bound<'_, PyAny>>,
        target: usize,
    ) -> PyResult<Array2<'py>> {
        let (of, local) = self.local(&points, pose, target)?;
        let count = of.surfaces();
        let numbers = local.iter().flat_map(|p| (0..count).map(|i| of.separation(i, p)).collect::<Vec<_>>());
        let shape = (local.len(), count);
        let matrix = numpy::ndarray::Array2::from_shape_vec(shape, numbers.collect()).unwrap_or_default();
        Ok(matrix.into_pyarray(py))
    }

    /// The surface of one target with the largest separation for each point, and that separation [m]: inside, the nearest surface, which the rule of the minimum translation takes.
    #[pyo3(signature = (points, pose = None, *, target = 0))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'_>,
        pose: Option<Bound<'_, PyAny>>,
        target: usize,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Array1<'py>)> {
        let (of, local) = self.local(&points, pose, target)?;
        let (surfaces, separations): (Vec<i64>, Vec<f64>) = local
            .iter()
            .map(|point| {
                let (surface, separation) = of.nearest(point);
                (i64::try_from(surface).unwrap_or(i64::MAX), separation)
            })
            .unzip();
        Ok((surfaces.into_pyarray(py), separations.into_pyarray(py)))
    }

    /// What is in contact in the reference.
    #[getter]
    fn touches(&self) -> PyTouches {
        PyTouches::new(self.inner.reference(), self.is_planar)
    }

    /// How many initiators there are.
    #[getter]
    fn initiators(&self) -> usize {
        self.inner.initiators()
    }

    /// How many surfaces each target has.
    #[getter]
    fn surfaces(&self) -> Vec<usize> {
        self.inner.targets().iter().map(Target::surfaces).collect()
    }

    fn __repr__(&self) -> String {
        let count = self.inner.targets().len();
        let targets = if count == 1 { "1 target".to_owned() } else { format!("{count} targets") };
        let space = if self.is_planar { "in the plane" } else { "in space" };
        format!("<zerogap.Oriented: {} initiators against {targets} {space}>", self.inner.initiators())
    }
}

impl PyOriented {
    fn known_target(&self, target: usize) -> PyResult<&Target> {
        let count = self.inner.targets().len();
        self.inner.targets().get(target).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no target {target}: there are {count}, from 0"))
        })
    }

    /// A target, and points in its frame.
    fn local(
        &self,
        points: &Rows<'_>,
        pose: Option<Bound<'_, PyAny>>,
        target: usize,
    ) -> PyResult<(&Target, Vec<Vec3>)> {
        let of = self.known_target(target)?;
        let pose = pose.map_or(Ok(Pose::identity()), |pose| target_pose("pose", &pose, self.is_planar))?;
        let points = points_of(points, self.is_planar)?;
        if let Some(row) = points.iter().position(|point| point.iter().any(|x| !x.is_finite())) {
            let message = format!("row {row} of points is not finite: every coordinate must be a number");
            return Err(PyValueError::new_err(message));
        }
        Ok((of, points.iter().map(|point| local_point(&pose, point)).collect()))
    }
}
