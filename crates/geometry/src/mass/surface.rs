//! Volume, centre and inertia of a solid from its closed surface.

use zerogap_core::{Mat3, Vec3};

use super::MassProperties;

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
    solid_of_cones(cones, reference, density)
}

/// [`solid_of_triangles`] for a caller that knows six times the volume of the tetrahedron over each triangle [m³] better than a
/// plain determinant would: on a thin solid that one cancels.
pub(crate) fn solid_of_cones(
    cones: impl IntoIterator<Item = ([Vec3; 3], f64)>,
    reference: Vec3,
    density: f64,
) -> MassProperties {
    let mut volume6 = 0.0;
    let mut first24 = Vec3::zeros();
    let mut second120 = Mat3::zeros();
    for ([a, b, c], det) in cones {
        let (a, b, c) = (a - reference, b - reference, c - reference);
        let sum = a + b + c;
        volume6 += det;
        first24 += sum * det;
        second120 +=
            (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()) * det;
    }
    let mass = density * volume6 / 6.0;
    if mass == 0.0 {
        return MassProperties { center: reference, ..MassProperties::zero() };
    }
    let offset = first24 / (4.0 * volume6);
    let moment = second120 * (density / 120.0) - offset * offset.transpose() * mass;
    MassProperties::from_second_moment(mass, reference + offset, &moment)
}
