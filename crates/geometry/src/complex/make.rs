//! Complexes from meshes, shapes and tetrahedra.

use zerogap_core::Vec3;
use zerogap_core::error::check_length;

use super::build::Simplices;
use super::report::InsetReport;
use super::{Complex, ComplexError, ComplexOptions};
use crate::{ConvexShape, GeometryError, Polyhedron, TriangleMesh};

/// Whether a shape has no volume.
fn is_flat(shape: &ConvexShape) -> bool {
    matches!(
        shape,
        ConvexShape::Point(_) | ConvexShape::Segment(_) | ConvexShape::Triangle(_) | ConvexShape::Polygon(_)
    )
}

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

    /// A convex shape without curved faces, or an inflated one: a ball is a point, a capsule a segment, each with its radius as dilation.
    ///
    /// The dilation of the options comes on top; with an inset the surface stays that of the shape, for the dilation is taken off the radius first.
    /// Fails: radii smaller than that dilation; cylinders, cones, ellipsoids and user-defined shapes, which are curved.
    pub fn from_shape(shape: &ConvexShape, options: &ComplexOptions) -> Result<Self, ComplexError> {
        let points = |vertices: Vec<Vec3>| match vertices.len() {
            1 => Simplices { vertices, points: vec![0], ..Simplices::default() },
            _ => Simplices { vertices, edges: vec![[0, 1]], ..Simplices::default() },
        };
        match shape {
            ConvexShape::Point(point) => Self::new(&points(vec![point.position()]), options),
            ConvexShape::Segment(segment) => {
                let [a, b] = segment.ends();
                Self::new(&points(if a == b { vec![a] } else { vec![a, b] }), options)
            }
            ConvexShape::Sphere(ball) => Self::grown(&points(vec![Vec3::zeros()]), ball.radius(), options),
            ConvexShape::Capsule(capsule) => {
                let half = Vec3::z() * (0.5 * capsule.length());
                let ends = if capsule.length() > 0.0 { vec![-half, half] } else { vec![half] };
                Self::grown(&points(ends), capsule.radius(), options)
            }
            ConvexShape::Triangle(triangle) => Self::flat(&triangle.corners(), options),
            ConvexShape::Polygon(polygon) => Self::flat(polygon.corners(), options),
            ConvexShape::Cuboid(cuboid) => {
                let hull = Polyhedron::from_points(&cuboid.corners())?;
                Self::from_mesh(&hull.to_mesh(), options)
            }
            ConvexShape::Polyhedron(polyhedron) => Self::from_mesh(&polyhedron.to_mesh(), options),
            ConvexShape::Rounded(rounded) => {
                // What has no volume has nothing to take off but its rounding.
                if options.inset && rounded.radius() > 0.0 && is_flat(rounded.core()) {
                    let bare = ComplexOptions { dilation: 0.0, inset: false, ..*options };
                    let core = Self::from_shape(rounded.core(), &bare)?;
                    return core.rounded(rounded.radius(), options);
                }
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

    /// Points or edges, inflated by a radius that is their shape's own [m], and by the dilation of the options.
    fn grown(simplices: &Simplices, radius: f64, options: &ComplexOptions) -> Result<Self, ComplexError> {
        let bare = ComplexOptions { dilation: 0.0, inset: false, ..*options };
        Self::new(simplices, &bare)?.rounded(radius, options)
    }

    /// What has no volume of its own, inflated by the radius of its shape [m] less the dilation where there is an inset, and then by the dilation.
    fn rounded(self, radius: f64, options: &ComplexOptions) -> Result<Self, ComplexError> {
        let dilation = check_length("the dilation", options.dilation).map_err(GeometryError::from)?;
        if !options.inset {
            return self.with_dilation(dilation + radius);
        }
        if radius < dilation {
            return Err(ComplexError::InsetRadius { radius, dilation });
        }
        // The radius less the dilation, and the dilation again, without rounding twice.
        let mut complex = self.with_dilation(radius)?;
        if dilation > 0.0 {
            complex.report.inset =
                Some(InsetReport { distance: dilation, corner_error: 0.0, plane_error: 0.0 });
        }
        Ok(complex)
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
        let (vertices, tetrahedra) = (vertices.to_vec(), tetrahedra.to_vec());
        Self::new(&Simplices { vertices, tetrahedra, ..Simplices::default() }, options)
    }
}
