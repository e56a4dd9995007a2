//! Shapes, and the questions that they answer.

use std::sync::Arc;

use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::geometry::error::with_article;
use zerogap::geometry::shape::{ConvexShape, Cuboid, HalfSpace, HeightField, Ray, SupportHint, SurfacePoint};
use zerogap::{Convex, Polyhedron, Shape, Vec3};

use crate::arrays::{
    Array1, Array2, Rows, Triple, Vectors, index_pairs, matrix, numbers_like, triple, truths_like, vector,
    vectors, vectors_like,
};
use crate::error::geometry;
use crate::mass::PyMassProperties;
use crate::mesh::PyMesh;
use crate::pose::poses_of;
use crate::public;
use crate::quantity::arg;
use crate::user::{answer, answer_each};

/// The geometry of a body, in its own frame. Made by functions such as :func:`box`, :func:`sphere` and :func:`hull`.
#[pyclass(name = "Shape", module = "zerogap", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyShape {
    pub(crate) shape: Shape,
}

impl<T: Into<Shape>> From<T> for PyShape {
    fn from(shape: T) -> Self {
        Self { shape: shape.into() }
    }
}

#[pymethods]
impl PyShape {
    /// What kind of shape it is: ``"box"``, ``"polyhedron"``, ...
    #[getter]
    fn kind(&self) -> &'static str {
        self.shape.kind()
    }

    /// Smallest and largest coordinates [m] as two (3,) arrays.
    fn bounding_box<'py>(&self, py: Python<'py>) -> PyResult<(Array1<'py>, Array1<'py>)> {
        let bounds = answer(py, || self.shape.bounding_box())?.map_err(geometry)?;
        Ok((vector(py, bounds.min), vector(py, bounds.max)))
    }

    /// Centre [m] and radius [m] of a ball around the shape.
    fn bounding_sphere<'py>(&self, py: Python<'py>) -> PyResult<(Array1<'py>, f64)> {
        let convex = self.convex()?;
        let ball = answer(py, || convex.bounding_sphere())?;
        Ok((vector(py, ball.center), ball.radius))
    }

    /// Volume [m³]; 0 for flat shapes.
    #[getter]
    fn volume(&self, py: Python<'_>) -> PyResult<f64> {
        py.detach(|| self.shape.volume()).map_err(geometry)
    }

    /// Mass properties for a density per volume [kg/m³], or per area or length for flat and thin shapes.
    ///
    /// >>> import zerogap as zg
    /// >>> zg.box(size=(1, 2, 3)).mass_properties(density=10).mass
    /// 60.0
    #[pyo3(signature = (density = 1000.0))]
    fn mass_properties(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arg::density)] density: f64,
    ) -> PyResult<PyMassProperties> {
        let properties = py.detach(|| self.shape.mass_properties(density)).map_err(geometry)?;
        Ok(PyMassProperties { properties })
    }

    /// The point of a convex shape that lies farthest along each direction; (3,) or (n, 3) in and out.
    ///
    /// >>> import zerogap as zg
    /// >>> zg.box(size=(2, 2, 2)).support((1, 2, 3))
    /// array([1., 1., 1.])
    fn support<'py>(&self, py: Python<'py>, directions: Rows<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.convex()?;
        let directions = vectors("directions", &directions)?;
        let mut hint = SupportHint::default();
        let points = answer_each(py, &directions.rows, |d| shape.support(d, &mut hint))?;
        Ok(vectors_like(py, &points, directions.single))
    }

    /// The nearest surface point s to each point q, the signed gap [m] and the outward unit normal: ``(point, gap, normal)``.
    ///
    /// The gap is positive outside and negative inside, and ``q - s = gap * normal``. One point of shape (3,) gives arrays of shape (3,)
    /// and a number; n points of shape (n, 3) give arrays of shape (n, 3), (n,) and (n, 3). A mesh must be closed: see
    /// :meth:`Mesh.nearest_point` for one that is not.
    ///
    /// >>> import zerogap as zg
    /// >>> point, gap, normal = zg.box(size=(2, 2, 2)).closest_point((3, 0, 0))
    /// >>> gap
    /// 2.0
    /// >>> normal
    /// array([1., 0., 0.])
    fn closest_point<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let points = vectors("points", &points)?;
        let nearest: Result<Vec<SurfacePoint>, _> =
            answer_each(py, &points.rows, |p| self.shape.closest_point(p))?.into_iter().collect();
        let nearest = nearest.map_err(geometry)?;
        let surface: Vec<Vec3> = nearest.iter().map(|s| s.point).collect();
        let normals: Vec<Vec3> = nearest.iter().map(|s| s.normal).collect();
        let gaps = numbers_like(py, nearest.iter().map(|s| s.gap).collect(), points.single)?;
        Ok((vectors_like(py, &surface, points.single), gaps, vectors_like(py, &normals, points.single)))
    }

    /// Whether each point lies in the shape: a bool for one point, an (n,) array for n points.
    fn contains<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let points = vectors("points", &points)?;
        let inside: Result<Vec<bool>, _> =
            answer_each(py, &points.rows, |p| self.shape.contains(p))?.into_iter().collect();
        truths_like(py, inside.map_err(geometry)?, points.single)
    }

    /// Distance along each ray to the shape [m], infinite where it misses, and the surface normal there (zero where it misses).
    ///
    /// A single origin or direction is broadcast to the other.
    ///
    /// >>> import zerogap as zg
    /// >>> zg.sphere(1).cast_ray(origins=(-3, 0, 0), directions=(1, 0, 0))[0]
    /// 2.0
    fn cast_ray<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::origins)] origins: Rows<'py>,
        directions: Rows<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let origins = vectors("origins", &origins)?;
        let directions = vectors("directions", &directions)?;
        let single = origins.single && directions.single;
        let rays = pair_up(&origins, &directions)?;
        let hits: Result<Vec<(f64, Vec3)>, _> = answer_each(py, &rays, |(origin, direction)| {
            let hit = self.shape.cast_ray(&Ray::new(*origin, *direction)?)?;
            Ok(hit.map_or((f64::INFINITY, Vec3::zeros()), |hit| (hit.distance, hit.normal)))
        })?
        .into_iter()
        .collect();
        let (distances, normals): (Vec<f64>, Vec<Vec3>) = hits.map_err(geometry)?.into_iter().unzip();
        Ok((numbers_like(py, distances, single)?, vectors_like(py, &normals, single)))
    }

    /// The shape inflated by a radius [m].
    fn rounded(&self, #[pyo3(from_py_with = arg::radius)] radius: f64) -> PyResult<Self> {
        Ok(Self { shape: self.shape.rounded(radius).map_err(geometry)? })
    }

    /// The smooth hull of the corners of the shape: corners, edges and faces rounded by a mean of the vertices that reach nearly as far, the less the larger `exponent` (3 or more) is. Its surface has one normal everywhere, so that it rolls without losing energy.
    ///
    /// >>> import zerogap as zg
    /// >>> ball = zg.shape("polysphere:200,1").smooth(40)
    /// >>> bool(1.0 < ball.support((0, 0, 1))[2] < 1.1)
    /// True
    fn smooth(&self, exponent: u32) -> PyResult<Self> {
        Ok(Self { shape: self.shape.smooth(exponent).map_err(geometry)? })
    }

    /// Corners [m] of a shape that has corners, an (n, 3) array.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        match &self.shape {
            Shape::Mesh(mesh) => Ok(matrix(py, mesh.vertices())),
            _ => match self.convex()?.corners() {
                Some(corners) => Ok(matrix(py, &corners)),
                None => Err(self.refuse("corners")),
            },
        }
    }

    /// Corner indices of each face of a polyhedron or box, counter-clockwise seen from outside; contacts name faces by this order.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray1<u32>>>> {
        if let Shape::Convex(ConvexShape::Cuboid(_)) = self.shape {
            return Ok(Cuboid::FACES.map(|face| PyArray1::from_slice(py, &face)).into());
        }
        let polyhedron = self.polyhedron()?;
        Ok((0..polyhedron.face_count())
            .map(|f| PyArray1::from_slice(py, polyhedron.face_vertices(f)))
            .collect())
    }

    /// Corner indices of each edge of a polyhedron or box, an (n, 2) array; contacts name edges by this order.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        if let Shape::Convex(ConvexShape::Cuboid(_)) = self.shape {
            return Ok(index_pairs(py, &Cuboid::EDGES));
        }
        let polyhedron = self.polyhedron()?;
        let pairs: Vec<[u32; 2]> = polyhedron.edges().iter().map(|e| e.vertices).collect();
        Ok(index_pairs(py, &pairs))
    }

    /// The surface of a polyhedron, box, mesh shape or height field as a mesh.
    fn to_mesh(&self) -> PyResult<PyMesh> {
        match &self.shape {
            Shape::Mesh(mesh) => Ok(Arc::clone(mesh).into()),
            Shape::HeightField(field) => Ok(field.patch(&field.cells()).into()),
            _ => Ok(self.polyhedron()?.to_mesh().into()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        if let Some(word) = self.shape.word() {
            return Ok((public(py, "shape")?, (word.into_pyobject(py)?.into_any(),)));
        }
        if let Shape::Convex(ConvexShape::Polyhedron(polyhedron)) = &self.shape {
            return Ok((public(py, "hull")?, (matrix(py, polyhedron.vertices()).into_any(),)));
        }
        let message = format!(
            "{} cannot be copied or pickled: make it again from what it was made of",
            with_article(self.shape.kind())
        );
        Err(PyTypeError::new_err(message))
    }

    fn __repr__(&self) -> String {
        format!("<zerogap.Shape {}>", self.shape)
    }
}

impl PyShape {
    fn convex(&self) -> PyResult<&ConvexShape> {
        self.shape.as_convex().ok_or_else(|| {
            PyValueError::new_err(format!(
                "this needs a bounded convex shape, not {}",
                with_article(self.shape.kind())
            ))
        })
    }

    /// The polyhedron that the shape is: a hull, or a box.
    fn polyhedron(&self) -> PyResult<Arc<Polyhedron>> {
        match self.convex()? {
            ConvexShape::Polyhedron(polyhedron) => Ok(Arc::clone(polyhedron)),
            ConvexShape::Cuboid(cuboid) => {
                Ok(Arc::new(Polyhedron::from_points(&cuboid.corners()).map_err(geometry)?))
            }
            _ => Err(self.refuse("faces and edges")),
        }
    }

    fn refuse(&self, what: &str) -> PyErr {
        PyValueError::new_err(format!("{} has no {what}", with_article(self.shape.kind())))
    }
}

/// Origins with directions; a single one of either is broadcast to the other.
fn pair_up(origins: &Vectors, directions: &Vectors) -> PyResult<Vec<(Vec3, Vec3)>> {
    let (starts, ways) = (&origins.rows, &directions.rows);
    match (starts.as_slice(), ways.as_slice()) {
        ([start], _) if origins.single => Ok(ways.iter().map(|way| (*start, *way)).collect()),
        (_, [way]) if directions.single => Ok(starts.iter().map(|start| (*start, *way)).collect()),
        _ if starts.len() == ways.len() => Ok(starts.iter().copied().zip(ways.iter().copied()).collect()),
        _ => {
            let message = format!("there are {} origins and {} directions", starts.len(), ways.len());
            Err(PyValueError::new_err(message))
        }
    }
}

/// Makes a function that builds a shape, with its documentation; the table of arguments says what each measures.
macro_rules! constructor {
    ($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) => $make:expr) => {
        $(#[$doc])*
        #[pyfunction]
        pub(crate) fn $name($(#[pyo3(from_py_with = arg::$argument)] $argument: $type),*) -> PyResult<PyShape> {
            Ok(PyShape { shape: $make })
        }
    };
}

constructor! {
    /// A ball of a radius [m].
    sphere(radius: f64) => Shape::sphere(radius).map_err(geometry)?
}
constructor! {
    /// An ellipsoid with three semi-axes [m].
    ellipsoid(radii: Triple<'_>) => Shape::ellipsoid(triple("radii", &radii)?).map_err(geometry)?
}
constructor! {
    /// A capsule along z: radius and length of the straight part [m].
    capsule(radius: f64, length: f64) => Shape::capsule(radius, length).map_err(geometry)?
}
constructor! {
    /// A cylinder along z: radius and length [m].
    cylinder(radius: f64, length: f64) => Shape::cylinder(radius, length).map_err(geometry)?
}
constructor! {
    /// A cone along z with its apex at +z: radius of the base and length [m]; the origin is at half its length.
    cone(radius: f64, length: f64) => Shape::cone(radius, length).map_err(geometry)?
}
constructor! {
    /// A truncated cone along z: radius at -z, radius at +z, length [m].
    frustum(radius0: f64, radius1: f64, length: f64) => Shape::frustum(radius0, radius1, length).map_err(geometry)?
}
constructor! {
    /// A point [m].
    point(position: Triple<'_>) => Shape::point(triple("position", &position)?).map_err(geometry)?
}
constructor! {
    /// A straight line between two points [m].
    segment(a: Triple<'_>, b: Triple<'_>) => Shape::segment(triple("a", &a)?, triple("b", &b)?).map_err(geometry)?
}
constructor! {
    /// A flat triangle [m].
    triangle(a: Triple<'_>, b: Triple<'_>, c: Triple<'_>)
        => Shape::triangle(triple("a", &a)?, triple("b", &b)?, triple("c", &c)?).map_err(geometry)?
}
constructor! {
    /// A flat convex polygon from its corners in order [m].
    polygon(corners: Rows<'_>) => Shape::polygon(&vectors("corners", &corners)?.rows).map_err(geometry)?
}

/// All points x with normal . x <= offset [m]; `mass` are its mass properties, for a floor that moves.
#[pyfunction]
#[pyo3(signature = (normal, offset, mass = None))]
pub(crate) fn halfspace(
    normal: Triple<'_>,
    #[pyo3(from_py_with = arg::offset)] offset: f64,
    mass: Option<&PyMassProperties>,
) -> PyResult<PyShape> {
    let floor = HalfSpace::new(triple("normal", &normal)?, offset).map_err(geometry)?;
    let floor = match mass {
        Some(mass) => floor.with_mass_properties(mass.properties).map_err(geometry)?,
        None => floor,
    };
    Ok(PyShape { shape: floor.into() })
}

/// Heights over a grid and everything below them, down to ``max_depth`` [m] below the lowest: terrain.
///
/// ``heights[j, i]`` is the height [m] of the node in column i along x and row j along y; the middle of the grid is the origin.
///
/// >>> import numpy as np, zerogap as zg
/// >>> hills = zg.height_field(np.zeros((20, 30)), spacing=(0.1, 0.1))
/// >>> round(zg.distance(hills, zg.sphere(0.5), pose_b=zg.pose((0, 0, 2))).gap, 12)
/// 1.5
#[pyfunction]
#[pyo3(signature = (heights, spacing, max_depth = 1.0))]
pub(crate) fn height_field(
    heights: PyArrayLike2<'_, f64, AllowTypeChange>,
    spacing: [f64; 2],
    #[pyo3(from_py_with = arg::offset)] max_depth: f64,
) -> PyResult<PyShape> {
    let heights = heights.as_array();
    let (rows, columns) = heights.dim();
    let field = HeightField::new([columns, rows], spacing, heights.iter().copied().collect(), max_depth);
    Ok(PyShape { shape: field.map_err(geometry)?.into() })
}

/// A box with full side lengths [m].
///
/// >>> import zerogap as zg
/// >>> zg.box(size=(1, 2, 3)).volume
/// 6.0
#[pyfunction]
#[pyo3(name = "box")]
pub(crate) fn cuboid(#[pyo3(from_py_with = arg::size)] size: Triple<'_>) -> PyResult<PyShape> {
    Ok(PyShape { shape: Shape::cuboid(triple("size", &size)?).map_err(geometry)? })
}

/// Several convex shapes on one body; `poses` places each of them (all at the origin when left out).
#[pyfunction]
#[pyo3(signature = (pieces, poses = None))]
pub(crate) fn compound(
    pieces: Vec<PyRef<'_, PyShape>>,
    poses: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyShape> {
    let poses = poses.map(|poses| poses_of("poses", poses)).transpose()?;
    if let Some(poses) = &poses
        && poses.len() != pieces.len()
    {
        return Err(PyValueError::new_err(format!(
            "there are {} pieces and {} poses",
            pieces.len(),
            poses.len()
        )));
    }
    let mut placed = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        let pose = poses.as_ref().map_or_else(zerogap::Pose::identity, |poses| poses[index]);
        placed.push((pose, piece.convex()?.clone()));
    }
    Ok(zerogap::geometry::shape::Compound::new(placed).map_err(geometry)?.into())
}

/// The convex hull of points or of a mesh's vertices: a polyhedron, or a polygon, segment or point where that is what they are.
///
/// >>> import zerogap as zg
/// >>> zg.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]).vertices.shape
/// (4, 3)
#[pyfunction]
pub(crate) fn hull(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<PyShape> {
    let points: Vec<Vec3> = match points.cast::<PyMesh>() {
        Ok(mesh) => mesh.get().mesh.used_vertices(),
        Err(_) => vectors("points", &arg::points::<Rows<'_>>(points)?)?.rows,
    };
    let hull = py.detach(|| zerogap::geometry::hull::convex_hull(&points)).map_err(geometry)?;
    Ok(PyShape { shape: ConvexShape::from(hull).into() })
}

/// A shape from a word such as ``"box:1,2,3"`` or ``"rounded:1mm,cylinder:2cm,5cm"``.
#[pyfunction]
pub(crate) fn shape(word: &str) -> PyResult<PyShape> {
    Ok(PyShape {
        shape: word
            .parse()
            .map_err(|e: zerogap::geometry::shape::WordError| PyValueError::new_err(e.to_string()))?,
    })
}
