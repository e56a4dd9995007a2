//! Complexes from meshes, shapes and tetrahedra.

use zerogap_core::Vec3;

use super::build::Simplices;
use super::{Complex, ComplexError, ComplexOptions};
use crate::{ConvexShape, Polyhedron, TriangleMesh};

impl Complex {
    /// The surface of a mesh, as volumes and shells.
    pub fn from_mesh(mesh: &TriangleMesh, options: &ComplexOptions) -> Result<Self, ComplexError> {
        let simplices = Simplices {
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
            ..Simplices::default()
        };
        Self::new(&simplices, options)
    }

    /// A convex shape without curved faces, or a grown one: a ball is a point, a capsule a segment, each with its radius as dilation.
    ///
    /// The dilation of the options comes on top. Fails: cylinders, cones, ellipsoids and user-defined shapes, which are curved.
    pub fn from_shape(shape: &ConvexShape, options: &ComplexOptions) -> Result<Self, ComplexError> {
        let points = |vertices: Vec<Vec3>| match vertices.len() {
            1 => Simplices { vertices, points: vec![0], ..Simplices::default() },
            _ => Simplices { vertices, edges: vec![[0, 1]], ..Simplices::default() },
        };
        let grown = |by: f64| ComplexOptions { dilation: options.dilation + by, ..*options };
        match shape {
            ConvexShape::Point(point) => Self::new(&points(vec![point.position()]), options),
            ConvexShape::Segment(segment) => {
                let [a, b] = segment.ends();
                Self::new(&points(if a == b { vec![a] } else { vec![a, b] }), options)
            }
            ConvexShape::Sphere(ball) => Self::new(&points(vec![Vec3::zeros()]), &grown(ball.radius())),
            ConvexShape::Capsule(capsule) => {
                let half = Vec3::z() * (0.5 * capsule.length());
                let ends = if capsule.length() > 0.0 { vec![-half, half] } else { vec![half] };
                Self::new(&points(ends), &grown(capsule.radius()))
            }
            ConvexShape::Triangle(triangle) => Self::flat(&triangle.corners(), options),
            ConvexShape::Polygon(polygon) => Self::flat(polygon.corners(), options),
            ConvexShape::Cuboid(cuboid) => {
                let hull = Polyhedron::from_points(&cuboid.corners())?;
                Self::from_mesh(&hull.to_mesh(), options)
            }
            ConvexShape::Polyhedron(polyhedron) => Self::from_mesh(&polyhedron.to_mesh(), options),
            ConvexShape::Rounded(rounded) => {
                // Only what the options add is taken off the core: its own rounding is part of the shape.
                let core = Self::from_shape(rounded.core(), options)?;
                let dilation = core.dilation + rounded.radius();
                core.with_dilation(dilation)
            }
            ConvexShape::Ellipsoid(_)
            | ConvexShape::Cylinder(_)
            | ConvexShape::Frustum(_)
            | ConvexShape::User(_) => Err(ComplexError::Curved { shape: shape.kind() }),
        }
    }

    /// A flat convex loop as a shell.
    fn flat(corners: &[Vec3], options: &ComplexOptions) -> Result<Self, ComplexError> {
        let triangles = (2..corners.len() as u32).map(|k| [0, k - 1, k]).collect();
        Self::new(&Simplices { vertices: corners.to_vec(), triangles, ..Simplices::default() }, options)
    }

    /// A volume filled with tetrahedra, by its boundary: the triangles that belong to one tetrahedron only, facing outward.
    ///
    /// What lies inside is never in contact and gets no face.
    pub fn from_tetrahedra(
        vertices: &[Vec3],
        tetrahedra: &[[u32; 4]],
        options: &ComplexOptions,
    ) -> Result<Self, ComplexError> {
        let mut sides: Vec<([u32; 3], [u32; 3])> = Vec::with_capacity(4 * tetrahedra.len());
        for (tetrahedron, corners) in tetrahedra.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                let vertices = vertices.len();
                return Err(ComplexError::NoSuchVertex {
                    what: "tetrahedron",
                    index: tetrahedron,
                    vertex,
                    vertices,
                });
            }
            let [a, b, c, d] = corners.map(|v| vertices[v as usize]);
            let volume = (b - a).cross(&(c - a)).dot(&(d - a));
            if volume == 0.0 || !volume.is_finite() {
                return Err(ComplexError::DegenerateTetrahedron { tetrahedron });
            }
            let [a, b, c, d] = *corners;
            // Outward for a positive volume; the other way round otherwise.
            for side in [[a, c, b], [a, b, d], [b, c, d], [c, a, d]] {
                let [p, q, r] = side;
                let outward = if volume > 0.0 { side } else { [p, r, q] };
                let mut sorted = side;
                sorted.sort_unstable();
                sides.push((sorted, outward));
            }
        }
        sides.sort_unstable();
        let triangles =
            sides.chunk_by(|s, t| s.0 == t.0).filter(|run| run.len() == 1).map(|run| run[0].1).collect();
        Self::new(&Simplices { vertices: vertices.to_vec(), triangles, ..Simplices::default() }, options)
    }
}
