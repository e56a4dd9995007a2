//! Polygons into triangles.
//!
//! In: the corners of one polygon. Out: triples of corner numbers, in an order that depends on the input alone. Convex polygons
//! become a fan about their first corner, as every reader does; others are cut ear by ear.

use robust::{Coord, orient2d};
use zerogap_core::Vec3;

/// Cuts a polygon with `n` corners into `n - 2` triangles of corner numbers that face as the polygon does.
///
/// The polygon is projected along its mean normal's largest axis, where turns are decided exactly. A polygon that crosses itself
/// or has no area there has no right answer: what is left of it when no ear is found becomes a fan.
/// Method: ear clipping (Meisters 1975).
/// Cost: O(n²) for one pass over the corners; corners are tried again after a cut.
pub(super) fn triangulate(corners: &[Vec3], mut emit: impl FnMut([usize; 3])) {
    let n = corners.len();
    let mut fan = |ring: &[usize]| {
        for k in 2..ring.len() {
            emit([ring[0], ring[k - 1], ring[k]]);
        }
    };
    let mut ring: Vec<usize> = (0..n).collect();
    let Some(flat) = flatten(corners).filter(|flat| n > 3 && !is_convex(flat)) else { return fan(&ring) };

    let mut reflex: Vec<bool> = (0..n).map(|k| turn(&flat, (k + n - 1) % n, k, (k + 1) % n) < 0.0).collect();
    // Corners that were tried and are not ears. Cutting changes only the neighbours in most polygons, so this saves trying the
    // others again; when nothing else is left all are tried once more.
    let mut tried = vec![false; n];
    let mut cut = Vec::with_capacity(n - 2);
    let (mut k, mut misses, mut second_round) = (0, 0, false);
    while ring.len() > 3 {
        let m = ring.len();
        if misses >= m {
            if second_round {
                break;
            }
            tried.fill(false);
            (misses, second_round) = (0, true);
        }
        k %= m;
        let (before, tip, after) = (ring[(k + m - 1) % m], ring[k], ring[(k + 1) % m]);
        if tried[tip] || !is_ear(&flat, &ring, &reflex, [before, tip, after]) {
            tried[tip] = true;
            k += 1;
            misses += 1;
            continue;
        }
        cut.push([before, tip, after]);
        ring.remove(k);
        (misses, second_round) = (0, false);
        // The two neighbours bend differently now; continue at the one before, which may be an ear.
        let m = ring.len();
        for back in [1, 0] {
            let i = (k + m - back) % m;
            reflex[ring[i]] = turn(&flat, ring[(i + m - 1) % m], ring[i], ring[(i + 1) % m]) < 0.0;
            tried[ring[i]] = false;
        }
        k = (k + m - 1) % m;
    }
    fan(&ring);
    cut.into_iter().for_each(emit);
}

/// The polygon in the plane of the two axes in which it is largest, counter-clockwise; none without area.
fn flatten(corners: &[Vec3]) -> Option<Vec<Coord<f64>>> {
    // Newell's sum: twice the vector area, about the first corner so that distance from the origin costs no digits.
    let origin = corners.first()?;
    let normal: Vec3 = corners.windows(2).map(|pair| (pair[0] - origin).cross(&(pair[1] - origin))).sum();
    let axis = normal.iamax();
    if normal[axis] == 0.0 || !normal[axis].is_finite() {
        return None;
    }
    let (x, y) =
        if normal[axis] > 0.0 { ((axis + 1) % 3, (axis + 2) % 3) } else { ((axis + 2) % 3, (axis + 1) % 3) };
    Some(corners.iter().map(|p| Coord { x: p[x], y: p[y] }).collect())
}

/// Positive when the path a, b, c bends to the left; the sign is exact.
fn turn(flat: &[Coord<f64>], a: usize, b: usize, c: usize) -> f64 {
    orient2d(flat[a], flat[b], flat[c])
}

/// Whether a fan about the first corner has no triangle that faces backward and the polygon bends to the left throughout.
fn is_convex(flat: &[Coord<f64>]) -> bool {
    let n = flat.len();
    (0..n).all(|k| turn(flat, (k + n - 1) % n, k, (k + 1) % n) > 0.0)
        && (2..n).all(|k| turn(flat, 0, k - 1, k) > 0.0)
}

/// Whether cutting off `tip` takes away a piece of the polygon: it bends to the left, and no reflex corner lies inside.
fn is_ear(flat: &[Coord<f64>], ring: &[usize], reflex: &[bool], [a, b, c]: [usize; 3]) -> bool {
    if turn(flat, a, b, c) <= 0.0 {
        return false;
    }
    let in_the_way = |&&p: &&usize| {
        reflex[p]
            && p != a
            && p != b
            && p != c
            // A corner that repeats the position of one of the three is where two parts of the ring touch: no obstacle.
            && [a, b, c].iter().all(|&q| flat[p] != flat[q])
            && turn(flat, a, b, p) >= 0.0
            && turn(flat, b, c, p) >= 0.0
            && turn(flat, c, a, p) >= 0.0
    };
    ring.iter().find(in_the_way).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(corners: &[Vec3]) -> Vec<[usize; 3]> {
        let mut triangles = Vec::new();
        triangulate(corners, |t| triangles.push(t));
        triangles
    }

    fn area(corners: &[Vec3], t: &[usize; 3]) -> Vec3 {
        0.5 * (corners[t[1]] - corners[t[0]]).cross(&(corners[t[2]] - corners[t[0]]))
    }

    #[test]
    fn a_convex_polygon_becomes_a_fan_about_its_first_corner() {
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, 0.3, y));
        assert_eq!(cut(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn an_arrowhead_is_cut_without_leaving_it() {
        // The fan about the first corner would cover ground outside the notch.
        let arrow = [(0.0, 0.0), (2.0, 1.0), (0.0, 2.0), (1.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 5.0));
        let triangles = cut(&arrow);
        assert_eq!(triangles.len(), 2);
        assert!(triangles.iter().all(|t| area(&arrow, t).z > 0.0), "{triangles:?}");
    }

    #[test]
    fn a_spiral_keeps_its_area_and_all_triangles_face_one_way_in_every_plane() {
        // A square spiral corridor: most corners bend inward on one wall.
        let mut outer = Vec::new();
        let mut inner = Vec::new();
        for k in 0..24 {
            let r = 1.0 + 0.2 * f64::from(k);
            let (c, s) = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)][k as usize % 4];
            outer.push((r * c, r * s));
            inner.push(((r - 0.3) * c, (r - 0.3) * s));
        }
        inner.reverse();
        outer.extend(inner);
        let shoelace: f64 = (0..outer.len())
            .map(|i| {
                let ((x0, y0), (x1, y1)) = (outer[i], outer[(i + 1) % outer.len()]);
                0.5 * (x0 * y1 - x1 * y0)
            })
            .sum();
        for axes in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2]] {
            let corners: Vec<Vec3> = outer
                .iter()
                .map(|&(x, y)| {
                    let mut p = Vec3::repeat(0.7);
                    p[axes[0]] = x;
                    p[axes[1]] = y;
                    p
                })
                .collect();
            let triangles = cut(&corners);
            assert_eq!(triangles.len(), corners.len() - 2);
            let sum: Vec3 = triangles.iter().map(|t| area(&corners, t)).sum();
            let total: f64 = triangles.iter().map(|t| area(&corners, t).norm()).sum();
            assert!((sum.norm() - shoelace.abs()).abs() < 1e-12 * total);
            assert!((total - sum.norm()).abs() < 1e-12 * total, "some triangles face backward");
        }
    }

    #[test]
    fn polygons_without_a_right_answer_still_give_their_count() {
        let point = [Vec3::repeat(1.0); 6];
        assert_eq!(cut(&point).len(), 4);
        let line: Vec<Vec3> = (0..7).map(|k| Vec3::repeat(f64::from(k))).collect();
        assert_eq!(cut(&line).len(), 5);
        let bow_tie = [(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
        assert_eq!(cut(&bow_tie).len(), 2);
        let pentagram = [(0.0, 1.0), (0.6, -0.8), (-0.95, 0.3), (0.95, 0.3), (-0.6, -0.8)];
        assert_eq!(cut(&pentagram.map(|(x, y)| Vec3::new(x, y, 0.0))).len(), 3);
    }

    #[test]
    fn corners_on_a_straight_side_make_no_overlap() {
        let side =
            [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
        let triangles = cut(&side);
        let total: f64 = triangles.iter().map(|t| area(&side, t).z).sum();
        assert!(triangles.len() == 3 && (total - 2.0).abs() < 1e-15);
        assert!(triangles.iter().all(|t| area(&side, t).z >= 0.0));
    }
}
