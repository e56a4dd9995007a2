//! Directions that leave several local overlaps at once.
//!
//! In: local overlaps, each a direction and how far it reaches. Out: for every two and three of them the direction of the shortest translation that leaves all. Called by [`super::gap`] for bodies
//! with notches: out of a corner of two walls the shortest way is square to neither of them. Same input, same order.

use zerogap_core::{Mat3, Vec3};

/// Local overlaps of which corners are made [-]: the shallowest ones.
const MAX_WALLS: usize = 12;

/// Sine of the angle below which two directions are one, and corners have no sharp point [-].
const FLAT: f64 = 1e-9;

/// Returns the unit directions of the shortest translations that leave two or three of some local overlaps, and of each alone. A local overlap is `(n, d)`, left by translations `t` with `n . t >= d`, with unit `n` and `d` above 0 [m].
///
/// Computes: the least `t` with `n_i . t = d_i` for the chosen overlaps, where all of them hold it back (no smaller set has the same `t`).
/// Tolerance: rounding; sets whose normals lie within 1e-9 of a line or a plane are left out.
pub(super) fn corner_ways(overlaps: impl Iterator<Item = (Vec3, f64)>) -> Vec<Vec3> {
    // Of one direction the deepest counts.
    let mut walls: Vec<(Vec3, f64)> = Vec::new();
    for (n, depth) in overlaps {
        match walls.iter_mut().find(|(other, _)| (other - n).norm() <= FLAT) {
            Some(wall) => wall.1 = wall.1.max(depth),
            None => walls.push((n, depth)),
        }
    }
    walls.sort_by(|x, y| x.1.total_cmp(&y.1));
    walls.truncate(MAX_WALLS);
    let mut found: Vec<Vec3> = walls.iter().map(|wall| wall.0).collect();
    for (i, &(n, d)) in walls.iter().enumerate() {
        for (j, &(m, e)) in walls.iter().enumerate().skip(i + 1) {
            let cosine = n.dot(&m);
            let square = 1.0 - cosine * cosine;
            let weights = [d - cosine * e, e - cosine * d];
            if square > FLAT && weights.iter().all(|weight| *weight > 0.0) {
                found.extend((n * weights[0] + m * weights[1]).try_normalize(0.0));
            }
            for &(o, f) in &walls[j + 1..] {
                let normals = Mat3::from_columns(&[n, m, o]);
                let weights =
                    (normals.tr_mul(&normals)).try_inverse().map(|inverse| inverse * Vec3::new(d, e, f));
                if normals.determinant().abs() > FLAT
                    && let Some(weights) = weights.filter(|weights| weights.min() > 0.0)
                {
                    found.extend((normals * weights).try_normalize(0.0));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_walls_are_left_along_their_corner() {
        let walls = [(Vec3::x(), 3.0), (Vec3::y(), 4.0), (Vec3::x(), 2.0), (Vec3::z(), 12.0)];
        let found = corner_ways(walls.into_iter());
        let has = |n: Vec3| found.iter().any(|m| (m - n.normalize()).norm() < 1e-15);
        assert!(
            has(Vec3::new(3.0, 4.0, 0.0)) && has(Vec3::new(3.0, 4.0, 12.0)) && has(Vec3::z()),
            "{found:?}"
        );
        // A wall that another one takes along makes no corner.
        let slanted = Vec3::new(1.0, 1.0, 0.0).normalize();
        assert_eq!(corner_ways([(Vec3::x(), 1.0), (slanted, 0.1)].into_iter()).len(), 2);
        assert!(corner_ways(std::iter::empty()).is_empty());
    }
}
