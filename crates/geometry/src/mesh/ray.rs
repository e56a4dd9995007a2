//! Where a ray first hits a mesh.

use robust::{Coord, orient2d};
use zerogap_core::Vec3;

use super::TriangleMesh;
use super::closest::unit_normal;
use crate::{Ray, RayHit};

/// Hit of a ray on a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceHit {
    /// Way along the ray [m].
    pub distance: f64,
    /// Unit normal of the triangle by its corner order, on whichever side the ray came from [-].
    pub normal: Vec3,
    /// The triangle, counted from 0; the lowest where several are hit at one distance.
    pub triangle: usize,
    /// Whether the ray came from the side that the normal points to.
    pub front: bool,
}

impl From<SurfaceHit> for RayHit {
    /// The normal points to the side that the ray came from.
    fn from(hit: SurfaceHit) -> Self {
        Self { distance: hit.distance, normal: if hit.front { hit.normal } else { -hit.normal } }
    }
}

/// A ray transformed to run along one axis: points become two coordinates across it and one along it.
struct RayFrame {
    origin: Vec3,
    axes: [usize; 3],
    shear: [f64; 2],
    direction: f64,
}

impl RayFrame {
    /// None for a direction without length or with a value that is not finite.
    fn new(ray: &Ray) -> Option<Self> {
        if !ray.direction.iter().chain(ray.origin.iter()).all(|c| c.is_finite())
            || ray.direction.amax() == 0.0
        {
            return None;
        }
        // The largest component is the axis along the ray; the lowest such index on ties.
        let along = (0..3)
            .rfold(0, |best, k| if ray.direction[k].abs() >= ray.direction[best].abs() { k } else { best });
        let (x, y) = ((along + 1) % 3, (along + 2) % 3);
        let direction = ray.direction[along];
        let shear = [ray.direction[x] / direction, ray.direction[y] / direction];
        Some(Self { origin: ray.origin, axes: [x, y, along], shear, direction })
    }

    /// A point across and along the ray. It depends on the point alone, so neighbours see their common corners in one place.
    fn map(&self, p: &Vec3) -> (Coord<f64>, f64) {
        let d = p - self.origin;
        let [x, y, along] = self.axes;
        let across = Coord { x: d[x] - self.shear[0] * d[along], y: d[y] - self.shear[1] * d[along] };
        (across, d[along] / self.direction)
    }
}

impl TriangleMesh {
    /// The first triangle along a ray, seen from either side.
    ///
    /// The mesh is a surface here: a ray that starts inside a solid reports where it leaves. `distance` is in lengths of the
    /// ray's direction, so metres for a unit direction.
    /// Edge rule: whether the ray passes an edge on the left or on the right is decided exactly, from coordinates that depend on
    /// the ray and the corner alone; so two triangles that share an edge agree, edges and corners belong to both, and no ray
    /// slips through between them. These coordinates are rounded: a ray within rounding of an outer edge, or that starts within rounding of
    /// a triangle, may hit or miss it. A triangle seen exactly edge-on is not hit.
    /// Method: ray space with exact edge tests after Woop, Benthin and Wald 2013; differs from it: adaptive exact arithmetic
    /// decides, not a second pass.
    /// Tolerance: distance within 1e-12 of extent and distance for rays at random to cuboids (`tests/mesh_queries.rs`); it grows as
    /// the ray turns into the plane of the triangle.
    /// Cost: O(n). Returns none for a direction that is zero or not finite.
    pub fn cast_ray(&self, ray: &Ray) -> Option<SurfaceHit> {
        let frame = RayFrame::new(ray)?;
        let mut best: Option<SurfaceHit> = None;
        for (triangle, corners) in self.corner_triples().enumerate() {
            let Some((distance, turn)) = crossing(&frame, &corners) else { continue };
            if best.is_some_and(|b| b.distance <= distance) {
                continue;
            }
            // A triangle without area in space cannot have one across the ray, so a hit has a normal but for underflow.
            let Some(normal) = unit_normal(&corners) else { continue };
            // Counter-clockwise across an axis that points along the ray means that the normal points with the ray.
            let front = if frame.direction > 0.0 { turn < 0.0 } else { turn > 0.0 };
            best = Some(SurfaceHit { distance, normal, triangle, front });
        }
        best
    }
}

/// Distance along the ray to one triangle and the sense of its corners across the ray, if the ray crosses it ahead of its start.
fn crossing(frame: &RayFrame, corners: &[Vec3; 3]) -> Option<(f64, f64)> {
    let [(a, za), (b, zb), (c, zc)] = corners.map(|p| frame.map(&p));
    let zero = Coord { x: 0.0, y: 0.0 };
    // Twice the areas that the ray cuts off at each corner: their signs are exact.
    let (u, v, w) = (orient2d(b, c, zero), orient2d(c, a, zero), orient2d(a, b, zero));
    let inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    let sum = u + v + w;
    if !inside || sum == 0.0 {
        return None;
    }
    // A mix with weights of one sign stays between the corners.
    let distance = (u / sum) * za + (v / sum) * zb + (w / sum) * zc;
    (distance >= 0.0 && distance.is_finite()).then_some((distance, sum))
}
