//! Half-lines, and where they first hit a convex set.

use zerogap_core::Vec3;
use zerogap_core::error::{check_coordinates, check_direction};

use super::SurfacePoint;
use super::direction::FAR;
use crate::GeometryError;

/// A half-line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it starts [m].
    pub origin: Vec3,
    /// Direction, unit length [-].
    pub direction: Vec3,
}

impl Ray {
    /// From a start [m] and a direction of any positive length.
    pub fn new(origin: Vec3, direction: Vec3) -> Result<Self, GeometryError> {
        let origin = check_coordinates("the ray's origin", origin)?;
        Ok(Self { origin, direction: check_direction("the ray's direction", direction)? })
    }

    /// Returns the point at a distance along the ray [m].
    pub fn at(&self, distance: f64) -> Vec3 {
        self.origin + self.direction * distance
    }
}

/// First hit of a ray on a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Way along the ray [m]; 0 when it starts inside.
    pub distance: f64,
    /// Outward unit normal of the surface there; minus the ray's direction when it starts inside.
    pub normal: Vec3,
}

/// Maximum number of Newton steps of one cast [-]. A grazing ray halves its gap per step, so 60 steps reach rounding.
const MAX_STEPS: usize = 100;

/// A gap below this many times the size of the coordinates counts as touching [-]: the rounding of one closest-point query.
const TOUCHING: f64 = 4.0 * f64::EPSILON;

/// Cosine between the last two normals above which the later one belongs to the same smooth piece of surface [-].
const SAME_SURFACE: f64 = 0.5;

/// The first point of a convex set along a ray, from its closest-point query alone.
///
/// Computes: the distance t [m] to the first point of the set and the outward normal there; `None` when the ray misses.
/// Method: the signed gap of a convex set is a convex function of t, so Newton's method from the left never passes the first
///   root, and a positive gap that no longer falls proves a miss.
/// Tolerance: the hit point lies within 4 ulp of its coordinates from the surface, as far as the query itself is exact;
///   the distance has that error divided by the cosine of incidence.
/// Cost: 1 query per step; flat faces take 1 to 3 steps, curved ones about 6, grazing rays up to 60.
/// Fails: a ray that starts beyond 1e100 m misses, because no direction in f64 aims that well.
pub fn first_hit(closest: impl Fn(&Vec3) -> SurfacePoint, ray: &Ray) -> Option<RayHit> {
    if ray.origin.amax() > FAR {
        return None;
    }
    let mut q = ray.origin;
    let mut distance = 0.0;
    let mut last_normal = None;
    for _ in 0..MAX_STEPS {
        let near = closest(&q);
        if near.gap <= TOUCHING * (q.amax() + near.point.amax()) {
            // On a flat shape the normal at gap 0 is the plate's, whatever the direction of the ray, and where a surface turns within a rounding
            // it may belong to the far side: keep the one seen from outside.
            let normal = last_normal.map_or(-ray.direction, |seen: Vec3| {
                let smooth = near.normal.dot(&seen) > SAME_SURFACE && near.normal.dot(&ray.direction) < 0.0;
                if smooth { near.normal } else { seen }
            });
            return Some(RayHit { distance, normal });
        }
        let slope = near.normal.dot(&ray.direction);
        if slope >= 0.0 {
            return None;
        }
        let step = near.gap / -slope;
        distance += step;
        q += ray.direction * step;
        // A slope of almost zero sends the point out of every range: the ray passes by.
        if q.amax() > FAR {
            return None;
        }
        last_normal = Some(near.normal);
    }
    None
}
