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

/// Distance of two triangles [m], 0 where an edge of one pierces the other.
///
/// The least of their corners' distances from each other's surface and of the distances of their edges, where both nearest points lie between the ends.
/// Two triangles in one plane that overlap without a corner of one in the other have crossing edges, and so the distance 0 to rounding.
pub fn triangle_pair_distance(a: &[Vec3; 3], b: &[Vec3; 3]) -> f64 {
    let mut smallest = f64::INFINITY;
    for (corners, other) in [(a, b), (b, a)] {
        for q in corners {
            smallest = smallest.min(triangle_distance(other, q));
        }
        for k in 0..3 {
            if goes_through(&corners[k], &corners[(k + 1) % 3], other) {
                return 0.0;
            }
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let (p, q) = (a[i], b[j]);
            let (u, v, w) = (a[(i + 1) % 3] - p, b[(j + 1) % 3] - q, q - p);
            let normal = u.cross(&v);
            let squared = normal.norm_squared();
            // Parallel edges are nearest at an end as well.
            if squared <= 1e-24 * u.norm_squared() * v.norm_squared() {
                continue;
            }
            let (s, t) = (w.cross(&v).dot(&normal) / squared, w.cross(&u).dot(&normal) / squared);
            if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                smallest = smallest.min((w + v * t - u * s).norm());
            }
        }
    }
    smallest
}

/// Returns whether the segment from p to q pierces a triangle.
fn goes_through(p: &Vec3, q: &Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let normal = (b - a).cross(&(c - a));
    let (from, to) = (normal.dot(&(p - a)), normal.dot(&(q - a)));
    if (from > 0.0) == (to > 0.0) {
        return false;
    }
    let x = p + (q - p) * (from / (from - to));
    let side = |s: &Vec3, e: &Vec3| normal.dot(&(e - s).cross(&(x - s))) >= 0.0;
    side(a, b) && side(b, c) && side(c, a)
}

/// The separation of two sets of points along a direction [m]: `min n·b - max n·a` for the unit vector n along it.
pub fn separation(a: &[Vec3], b: &[Vec3], direction: &Vec3) -> f64 {
    let n = direction.normalize();
    let low = b.iter().map(|p| n.dot(p)).fold(f64::INFINITY, f64::min);
    let high = a.iter().map(|p| n.dot(p)).fold(f64::NEG_INFINITY, f64::max);
    low - high
}

/// The signed distance of the hulls of two sets of points [m]: the largest separation along any direction that can be the best.
///
/// Those are, for both orders: from corner to corner, from a corner square to a line through two corners of the other, square to two
/// such lines, and square to three corners of one. Takes every set of points for a possible edge or face, so the cost grows
/// with the fourth power of their number; rounding is as large as in the directions, some 1e-15 of the size for well-shaped sets.
pub fn largest_separation(a: &[Vec3], b: &[Vec3]) -> f64 {
    let edges = |set: &[Vec3]| -> Vec<(usize, Vec3)> {
        let pairs = (0..set.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| (i, set[j] - set[i])).collect()
    };
    let (edges_a, edges_b) = (edges(a), edges(b));
    let mut best = f64::NEG_INFINITY;
    let mut offer = |direction: Vec3| {
        if direction.norm_squared() > 0.0 {
            best = best.max(separation(a, b, &direction)).max(separation(a, b, &-direction));
        }
    };
    for p in a {
        for q in b {
            offer(q - p);
        }
    }
    for (corners, ends, edges) in [(b, a, &edges_a), (a, b, &edges_b)] {
        for (i, e) in edges {
            for q in corners {
                let across = q - ends[*i];
                offer(across - e * (across.dot(e) / e.norm_squared().max(f64::MIN_POSITIVE)));
            }
            for (j, f) in edges {
                if i == j {
                    offer(e.cross(f));
                }
            }
        }
    }
    for (_, e) in &edges_a {
        for (_, f) in &edges_b {
            offer(e.cross(f));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_triangles_are_near_at_corners_edges_and_where_they_cross() {
        let flat = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        for (other, expected) in [
            // A corner over the face, an edge across an edge, side by side in the plane, an edge through the face, crossing in the plane.
            ([at(0.2, 0.2, 0.5), at(0.2, 0.2, 2.0), at(1.0, 0.2, 2.0)], 0.5),
            ([at(0.5, -1.0, -0.5), at(0.5, -1.0, 2.5), at(0.5, -4.0, 1.0)], 1.0),
            ([at(0.5, -1.0, 0.25), at(0.5, 2.0, 0.25), at(0.5, 0.5, 3.0)], 0.25),
            ([at(0.0, -2.0, 0.0), at(1.0, -2.0, 0.0), at(0.0, -3.0, 0.0)], 2.0),
            ([at(0.25, 0.25, -1.0), at(0.25, 0.25, 1.0), at(9.0, 9.0, 0.0)], 0.0),
            ([at(0.25, -1.0, 0.0), at(0.25, 3.0, 0.0), at(0.3, 3.0, 0.0)], 0.0),
        ] {
            assert!((triangle_pair_distance(&flat, &other) - expected).abs() < 1e-15, "{other:?}");
            assert!((triangle_pair_distance(&other, &flat) - expected).abs() < 1e-15, "{other:?}");
        }
    }

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
