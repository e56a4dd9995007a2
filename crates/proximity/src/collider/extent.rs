//! How large a collider is: its box, a ball around it, and how thin it is.

use zerogap_core::{Aabb, Vec3};
use zerogap_geometry::{BoundingSphere, Convex, ConvexShape, TriangleMesh};

use crate::mesh::MeshBody;

/// Polyhedra with more faces times vertices are as thick as their boxes [-].
const MAX_WIDTHS: usize = 1_000_000;

/// How large a bounded collider is, in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// The box around it [m].
    pub bounds: Aabb,
    /// A ball around it [m].
    pub ball: BoundingSphere,
    /// Half its width where it is thinnest, or more [m]; 0 for what is flat and for open meshes.
    pub thickness: f64,
}

impl Extent {
    /// That of a convex shape.
    pub(super) fn of_convex(convex: &ConvexShape) -> Self {
        let bounds = convex.bounding_box();
        Self { bounds, ball: convex.bounding_sphere(), thickness: half_thickness(convex, &bounds) }
    }

    /// That of a mesh.
    pub(super) fn of_mesh(body: &MeshBody) -> Self {
        Self::of_box(body.bounds(), mean_half_thickness(body.mesh()))
    }

    /// That of what is known by its box and its thickness [m].
    pub(super) fn of_box(bounds: Aabb, thickness: f64) -> Self {
        let ball =
            BoundingSphere { center: 0.5 * (bounds.min + bounds.max), radius: 0.5 * bounds.diagonal() };
        Self { bounds, ball, thickness }
    }
}

/// Half the width of a shape where it is thinnest, or more: along the axes of its box, and between its faces [m].
fn half_thickness(shape: &ConvexShape, own: &Aabb) -> f64 {
    let boxed = 0.5 * (own.max - own.min).min();
    match shape {
        ConvexShape::Point(_)
        | ConvexShape::Segment(_)
        | ConvexShape::Triangle(_)
        | ConvexShape::Polygon(_) => 0.0,
        ConvexShape::Polyhedron(solid) if solid.face_count() * solid.vertices().len() <= MAX_WIDTHS => {
            let depth = |face: usize| {
                let heights = solid.vertices().iter().map(|vertex: &Vec3| -solid.height(face, vertex));
                0.5 * heights.fold(0.0, f64::max)
            };
            (0..solid.face_count()).map(depth).fold(boxed, f64::min)
        }
        _ => boxed,
    }
}

/// Volume over area of a closed mesh, which for a plate is half its thickness; zero for an open one [m].
fn mean_half_thickness(mesh: &TriangleMesh) -> f64 {
    let area: f64 = mesh.corner_triples().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
    let volume = mesh.mass_properties(1.0).map_or(0.0, |mass| mass.mass);
    if area > 0.0 { (volume / area).max(0.0) } else { 0.0 }
}
