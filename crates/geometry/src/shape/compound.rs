//! Several convex pieces, each in its own place, that move as one.

use zerogap_core::{Aabb, Pose, Vec3};

use super::{BoundingSphere, Convex, ConvexShape, Ray, RayHit, SurfacePoint, bounds};
use crate::{GeometryError, MassProperties};

/// Several convex pieces, each in its own place, that move as one. Pieces may overlap.
#[derive(Debug, Clone, PartialEq)]
pub struct Compound {
    pieces: Vec<(Pose, ConvexShape)>,
}

zerogap_core::store_struct!(Compound { pieces } check |it| if it.pieces.is_empty() { Err(GeometryError::Empty { what: "the compound" }) } else { Ok(()) });

impl Compound {
    /// From at least one piece, each with its pose in the compound's frame.
    pub fn new(pieces: Vec<(Pose, ConvexShape)>) -> Result<Self, GeometryError> {
        if pieces.is_empty() {
            return Err(GeometryError::Empty { what: "the compound" });
        }
        Ok(Self { pieces })
    }

    /// The pieces with their poses, as given.
    pub fn pieces(&self) -> &[(Pose, ConvexShape)] {
        &self.pieces
    }

    /// Every piece inflated by a radius [m].
    pub fn rounded(&self, radius: f64) -> Result<Self, GeometryError> {
        let pieces = self.pieces.iter().map(|(pose, piece)| Ok((*pose, piece.clone().rounded(radius)?)));
        Ok(Self { pieces: pieces.collect::<Result<_, GeometryError>>()? })
    }

    /// The smallest axis-aligned box around all pieces.
    pub fn bounding_box(&self) -> Aabb {
        self.pieces
            .iter()
            .fold(Aabb::empty(), |sum, (pose, piece)| sum.union(&bounds::posed_box(piece, pose)))
    }

    /// A ball around all pieces: about the middle of the bounding box.
    pub fn bounding_sphere(&self) -> BoundingSphere {
        let center = self.bounding_box().center();
        let reach = self.pieces.iter().map(|(pose, piece)| {
            let ball = piece.bounding_sphere();
            super::direction::length(&(pose.transform_point(&ball.center) - center)) + ball.radius
        });
        BoundingSphere { center, radius: reach.fold(0.0, f64::max) }
    }

    /// Sum of the pieces' volumes [m³]; where pieces overlap, the common part counts once for each.
    pub fn volume(&self) -> f64 {
        self.pieces.iter().map(|(_, piece)| piece.volume()).sum()
    }

    /// [`Compound::volume`], or an error where a piece does not know its own.
    pub fn known_volume(&self) -> Result<f64, GeometryError> {
        self.pieces.iter().map(|(_, piece)| piece.known_volume()).sum()
    }

    /// Sum of the pieces' mass properties at one density; where pieces overlap, the common part counts once for each.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        let mut sum = MassProperties::zero();
        for (i, (pose, piece)) in self.pieces.iter().enumerate() {
            let part = piece.mass_properties(density)?.transformed(pose);
            sum = if i == 0 { part } else { sum.combined(&part) };
        }
        sum.in_range(density)
    }

    /// The nearest of the pieces' surface points, with the signed gap.
    ///
    /// Outside all pieces this is exact. Inside, it is the surface of the piece in which the point lies deepest: that point may be
    /// covered by another piece, so `-gap` is a lower bound of the length of the separating translation.
    pub fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        let mut best: Option<SurfacePoint> = None;
        for (pose, piece) in &self.pieces {
            let near = piece.closest_point(&pose.inverse_transform_point(point));
            if best.is_none_or(|known| near.gap < known.gap) {
                best = Some(SurfacePoint {
                    point: pose.transform_point(&near.point),
                    gap: near.gap,
                    normal: pose.transform_vector(&near.normal),
                });
            }
        }
        // A compound has at least one piece; the fallback keeps the function total.
        best.unwrap_or(SurfacePoint { point: *point, gap: 0.0, normal: Vec3::z() })
    }

    /// Whether a point lies in any of the closed pieces.
    pub fn contains(&self, point: &Vec3) -> bool {
        self.pieces.iter().any(|(pose, piece)| piece.contains(&pose.inverse_transform_point(point)))
    }

    /// The first point of any piece along a ray; ties go to the earlier piece.
    pub fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        for (pose, piece) in &self.pieces {
            let local = Ray {
                origin: pose.inverse_transform_point(&ray.origin),
                direction: pose.inverse_transform_vector(&ray.direction),
            };
            if let Some(hit) = piece.cast_ray(&local)
                && first.is_none_or(|known| hit.distance < known.distance)
            {
                first = Some(RayHit { normal: pose.transform_vector(&hit.normal), ..hit });
            }
        }
        first
    }
}
