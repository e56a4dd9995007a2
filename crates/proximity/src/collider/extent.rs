//! How large a collider is: its box, a ball around it, and how thin it is.

use zerogap_core::{Aabb, Pose, Vec3};
use zerogap_geometry::{BoundingSphere, Convex, ConvexShape, TriangleMesh};

use super::kind::Collider;

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

impl Collider {
    /// Returns how large it is; none for a half-space. Cost: in proportion to vertices and faces; ask once.
    pub fn extent(&self) -> Option<Extent> {
        match self {
            Self::Convex(convex) => {
                let bounds = convex.bounding_box();
                let thickness = half_thickness(convex, &bounds);
                Some(Extent { bounds, ball: convex.bounding_sphere(), thickness })
            }
            Self::Mesh(body) => {
                let (bounds, thickness) = (body.bounds(), mean_half_thickness(body.mesh()));
                Some(Extent { bounds, ball: ball_around(&bounds), thickness })
            }
            Self::Compound(compound) => {
                let bounds = compound.bounds(&Pose::identity());
                let extents = compound.pieces().iter().filter_map(|(_, piece)| piece.extent());
                let thickness = extents.map(|extent| extent.thickness).fold(f64::INFINITY, f64::min);
                Some(Extent { bounds, ball: ball_around(&bounds), thickness })
            }
            Self::Complex(_) => {
                let bounds = self.bounds(&Pose::identity())?;
                let thickness = 0.5 * bounds.size().min();
                Some(Extent { bounds, ball: ball_around(&bounds), thickness })
            }
            Self::Oriented(oriented) => oriented.shape().extent(),
            Self::HalfSpace(_) => None,
        }
    }
}

/// The ball around a box.
fn ball_around(bounds: &Aabb) -> BoundingSphere {
    BoundingSphere { center: 0.5 * (bounds.min + bounds.max), radius: 0.5 * bounds.diagonal() }
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
