//! The point of a triangle nearest to the origin.

use zerogap_core::Vec3;

/// Where the nearest point lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Foot {
    /// Weights of the corners, none negative, sum 1 [-].
    pub(super) weights: [f64; 3],
    /// Whether the origin stands straight above the triangle, its border included.
    pub(super) straight: bool,
}

/// The point of a triangle nearest to the origin; the triangle may be a segment or a point.
///
/// Tolerance: the distance within 8 ulp of the largest coordinate for triangles that are no needles; of a needle the nearest border point is
///   taken when rounding hides its inside.
pub(super) fn nearest_to_origin(corners: &[Vec3; 3]) -> Foot {
    let [p, q, r] = corners;
    let (u, v) = (q - p, r - p);
    let normal = u.cross(&v);
    let squared = normal.norm_squared();
    // Barycentric weights of the foot of the perpendicular, measured from the first corner.
    let (at_q, at_r) = (normal.dot(&v.cross(p)) / squared, normal.dot(&p.cross(&u)) / squared);
    let weights = [1.0 - at_q - at_r, at_q, at_r];
    // A triangle without area gives infinities or no numbers here, which fail the comparison.
    if weights.iter().all(|w| (0.0..=1.0).contains(w)) {
        return Foot { weights, straight: true };
    }
    // Otherwise it lies on the border: the nearest of the three sides has it.
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    for k in 0..3 {
        let next = (k + 1) % 3;
        let t = on_side(&corners[k], &corners[next]);
        let distance = (corners[k] * (1.0 - t) + corners[next] * t).norm_squared();
        if distance < best.0 {
            let mut weights = [0.0; 3];
            weights[k] = 1.0 - t;
            weights[next] = t;
            best = (distance, weights);
        }
    }
    Foot { weights: best.1, straight: false }
}

/// How far along the side from p to q its point nearest to the origin lies, from 0 to 1 [-].
pub(super) fn on_side(p: &Vec3, q: &Vec3) -> f64 {
    let side = q - p;
    let t = -p.dot(&side) / side.norm_squared();
    // A side without length has no number here: its start will do.
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_testkit::brute::triangle_distance;
    use zerogap_testkit::random::Random;

    fn point(corners: &[Vec3; 3], foot: &Foot) -> Vec3 {
        corners[0] * foot.weights[0] + corners[1] * foot.weights[1] + corners[2] * foot.weights[2]
    }

    #[test]
    fn the_nearest_point_of_a_triangle_is_that_of_the_oracle() {
        let mut random = Random::new(3);
        for _ in 0..20_000 {
            let away = random.in_cube(2.0);
            let corners =
                [random.in_cube(1.0) + away, random.in_cube(1.0) + away, random.in_cube(1.0) + away];
            let foot = nearest_to_origin(&corners);
            let expected = triangle_distance(&corners, &Vec3::zeros());
            assert!((point(&corners, &foot).norm() - expected).abs() < 1e-12, "{corners:?}");
            assert!((foot.weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn triangles_without_area_are_segments_and_points() {
        let (p, q) = (Vec3::new(-1.0, 2.0, 0.0), Vec3::new(3.0, 2.0, 0.0));
        for corners in [[p, q, q], [p, p, q], [q, p, p], [p, q, 0.5 * (p + q)]] {
            let foot = nearest_to_origin(&corners);
            assert!((point(&corners, &foot) - Vec3::new(0.0, 2.0, 0.0)).amax() < 1e-15);
            assert!(!foot.straight);
        }
        assert!((point(&[p; 3], &nearest_to_origin(&[p; 3])) - p).amax() < 1e-15);
        assert!(point(&[Vec3::zeros(); 3], &nearest_to_origin(&[Vec3::zeros(); 3])).amax() == 0.0);
    }
}
