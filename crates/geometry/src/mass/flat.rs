//! Integrals over segments and plane polygons.

use zerogap_core::Vec3;

use super::Moments;

/// Length integrals of the segment from a to b.
pub fn segment(a: &Vec3, b: &Vec3) -> Moments {
    let (e, middle) = (b - a, 0.5 * (a + b));
    let measure = e.norm();
    Moments {
        measure,
        first: middle * measure,
        second: (middle * middle.transpose() + e * e.transpose() / 12.0) * measure,
    }
}

/// Area integrals of a plane polygon with corners counter-clockwise about the unit normal `n`, with x measured from `reference`.
///
/// Tolerance: exact to rounding; the fan of triangles from the first corner has signed areas, so a dent does no harm.
pub fn polygon(corners: &[Vec3], n: &Vec3, reference: &Vec3) -> Moments {
    let mut sum = Moments::zero();
    let Some((first, rest)) = corners.split_first() else { return sum };
    for pair in rest.windows(2) {
        let area = 0.5 * n.dot(&(pair[0] - first).cross(&(pair[1] - first)));
        let [a, b, c] = [first - reference, pair[0] - reference, pair[1] - reference];
        let s = a + b + c;
        let squares = a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
        sum += Moments { measure: area, first: s * (area / 3.0), second: squares * (area / 12.0) };
    }
    sum
}
