//! Volume, centre and inertia of a solid from its closed surface.

use zerogap_core::{Mat3, Vec3};

use super::{MassProperties, Moments};

/// Mass properties of the solid inside a closed, outward-facing triangulated surface.
///
/// Computes: the integrals of 1, x and x xᵀ over the solid, as sums over the tetrahedra that `reference` spans with each
///   triangle; for each of them the integrals are polynomials of the corners, so the result is exact up to rounding.
/// `reference` should lie near the surface's middle: it sets which digits cancel, not the result.
/// An inside-out surface gives a negative mass; an open one gives numbers without meaning: the caller checks.
/// Tolerance: 1e-13 relative to mass, size and mass·size² for solids whose volume is not small against size³.
/// Order: the triangles are summed as they come.
pub fn solid_of_triangles(
    triangles: impl IntoIterator<Item = [Vec3; 3]>,
    reference: Vec3,
    density: f64,
) -> MassProperties {
    let cones = triangles.into_iter().map(|[a, b, c]| {
        let (u, v, w) = (a - reference, b - reference, c - reference);
        ([a, b, c], u.dot(&v.cross(&w)))
    });
    solid_of_moments(&moments_of_cones(cones, reference), reference, density)
}

/// Volume integrals over tetrahedra with a common tip, about that tip [m]; each comes as the triangle opposite the tip and six times
/// its signed volume [m³], for callers who know that better than a plain determinant would: on a thin solid that one cancels.
pub(crate) fn moments_of_cones(cones: impl IntoIterator<Item = ([Vec3; 3], f64)>, tip: Vec3) -> Moments {
    let mut volume6 = 0.0;
    let mut first24 = Vec3::zeros();
    let mut second120 = Mat3::zeros();
    for ([a, b, c], det) in cones {
        let (a, b, c) = (a - tip, b - tip, c - tip);
        let sum = a + b + c;
        volume6 += det;
        first24 += sum * det;
        second120 +=
            (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()) * det;
    }
    Moments { measure: volume6 / 6.0, first: first24 / 24.0, second: second120 / 120.0 }
}

/// Mass properties from volume integrals of either sign.
pub(crate) fn solid_of_moments(solid: &Moments, reference: Vec3, density: f64) -> MassProperties {
    if solid.measure == 0.0 {
        return MassProperties { center: reference, ..MassProperties::zero() };
    }
    let offset = solid.first / solid.measure;
    let central = solid.second - offset * offset.transpose() * solid.measure;
    MassProperties::from_second_moment(density * solid.measure, reference + offset, &(central * density))
}
