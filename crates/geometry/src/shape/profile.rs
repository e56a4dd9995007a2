//! Cylinders and frustums seen in their half-plane (ρ, z): a trapezoid with one side on the axis.

use zerogap_core::Vec3;
use zerogap_core::math::hypot;

use super::SurfacePoint;
use super::direction::{length, unit_or};

/// Squared radial components below this are no direction any more: their digits have underflowed [-].
const AXIAL: f64 = 1e-280;

/// The radial part of a tamed direction as a unit vector (x, y) and its length; zeros for an axial direction, which makes
/// supports of a flat end its middle.
#[inline]
pub(crate) fn radial_unit(d: &Vec3) -> (f64, f64, f64) {
    let squared = d.x * d.x + d.y * d.y;
    if squared > AXIAL {
        let radial = squared.sqrt();
        (d.x / radial, d.y / radial, radial)
    } else {
        (0.0, 0.0, 0.0)
    }
}

/// The surface point nearest to q on a frustum of radii `r0` at z = -h and `r1` at z = +h.
///
/// Computes: s, gap and n with q - s = gap n, inside and outside, by the region of the half-plane that q lies in.
/// Tolerance: 4 ulp of the largest coordinate. On the axis the azimuth is chosen as +x.
pub(crate) fn closest_on_frustum(r0: f64, r1: f64, h: f64, q: &Vec3) -> SurfacePoint {
    let rho = hypot(q.x, q.y);
    let azimuth = unit_or(&Vec3::new(q.x, q.y, 0.0), &Vec3::x());
    let lift = |n_rho: f64, n_z: f64| Vec3::new(azimuth.x * n_rho, azimuth.y * n_rho, n_z);

    // The slanted side: unit direction upward (e_rho, e_z), outward normal (e_z, -e_rho).
    let slant = hypot(r1 - r0, 2.0 * h);
    let (e_rho, e_z) = ((r1 - r0) / slant, 2.0 * h / slant);
    let (from_rim, from_z) = if q.z < 0.0 { (r0, -h) } else { (r1, h) };
    let side = e_z * (rho - from_rim) - e_rho * (q.z - from_z);
    let (below, above) = (-h - q.z, q.z - h);

    // Face regions: inside, the nearest plane wins; outside, the face that q stands over.
    let inside = side <= 0.0 && below <= 0.0 && above <= 0.0;
    let over_side =
        e_rho * (rho - r0) + e_z * (q.z + h) >= 0.0 && e_rho * (rho - r1) + e_z * (q.z - h) <= 0.0;
    if (inside && side >= below && side >= above) || (side > 0.0 && over_side) {
        let normal = lift(e_z, -e_rho);
        return SurfacePoint { point: q - normal * side, gap: side, normal };
    }
    if (inside && above >= below) || (above > 0.0 && rho <= r1) {
        return SurfacePoint { point: Vec3::new(q.x, q.y, h), gap: above, normal: Vec3::z() };
    }
    if inside || (below > 0.0 && rho <= r0) {
        return SurfacePoint { point: Vec3::new(q.x, q.y, -h), gap: below, normal: -Vec3::z() };
    }

    // Otherwise one of the two rims.
    let (low, high) = (hypot(rho - r0, q.z + h), hypot(rho - r1, q.z - h));
    let (radius, z) = if high <= low { (r1, h) } else { (r0, -h) };
    let gap = low.min(high);
    let normal = if gap > 0.0 { lift((rho - radius) / gap, (q.z - z) / gap) } else { lift(e_z, -e_rho) };
    debug_assert!((length(&normal) - 1.0).abs() < 1e-12, "the normal of a rim has length 1");
    SurfacePoint { point: lift(radius, z), gap, normal }
}
