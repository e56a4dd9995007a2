//! Distances by trying every case, slow and plain.

use zerogap_core::Vec3;

/// Distance of a point from a segment [m].
pub fn segment_distance(a: &Vec3, b: &Vec3, q: &Vec3) -> f64 {
    let along = b - a;
    let length2 = along.norm_squared();
    let t = if length2 > 0.0 { ((q - a).dot(&along) / length2).clamp(0.0, 1.0) } else { 0.0 };
    (q - a - along * t).norm()
}

/// Distance of a point from a triangle [m]: the least of its inside and its three edges.
///
/// Each candidate is the distance to a point that lies in the triangle to rounding, so that the result is never too small by more
/// than that. The inside is found in axes along the longest edge and, made orthogonal twice, across it: that keeps needles right.
pub fn triangle_distance(corners: &[Vec3; 3], q: &Vec3) -> f64 {
    let longest = |k: &usize| (corners[(k + 1) % 3] - corners[*k]).norm();
    let first = (0..3).max_by(|i, j| longest(i).total_cmp(&longest(j))).unwrap_or(0);
    let [a, b, c] = std::array::from_fn(|k| corners[(first + k) % 3]);
    let edges = segment_distance(&a, &b, q).min(segment_distance(&b, &c, q)).min(segment_distance(&c, &a, q));
    let (u, v, w) = (b - a, c - a, q - a);
    let along = u.normalize();
    let mut across = v - along * along.dot(&v);
    let height = across.norm();
    across -= along * along.dot(&across);
    let t = across.dot(&w) / (height * across.norm());
    let s = (w - v * t).dot(&along) / u.norm();
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 { edges.min((w - u * s - v * t).norm()) } else { edges }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_region_of_a_triangle_has_its_distance() {
        let triangle = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        for (q, expected) in [
            (Vec3::new(0.25, 0.25, -2.0), 2.0),
            (Vec3::new(0.5, -3.0, 0.0), 3.0),
            (Vec3::new(1.0, 1.0, 0.0), 0.5_f64.sqrt()),
            (Vec3::new(-3.0, 0.0, 4.0), 5.0),
        ] {
            assert!((triangle_distance(&triangle, &q) - expected).abs() < 1e-15);
        }
        assert!((triangle_distance(&[Vec3::x(); 3], &Vec3::zeros()) - 1.0).abs() < 1e-15);
    }
}
