//! How many dimensions a point set really has, and a simplex that shows it.

use zerogap_core::Vec3;

use super::exact::unit_normal;

/// Relative to the set's bounding diagonal [-]: a set thinner than this counts as flat, or as straight.
///
/// Well above what rounding leaves of a rotated flat set (about 1e-16) and low enough that every point stays within 1e-12 of the
/// diagonal from the flat hull: two points on opposite sides of the plane, seen along the axis the polygon is projected on,
/// make 2 √3 of it.
pub(crate) const FLAT_TOLERANCE: f64 = 2.5e-13;

/// Which affine space the points span; the indices are a simplex of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    /// All points are one.
    Point,
    /// All points lie within [`FLAT_TOLERANCE`] of the segment between these two.
    Line([usize; 2]),
    /// All points lie within [`FLAT_TOLERANCE`] of the plane through these three.
    Plane([usize; 3]),
    /// Four corners of a tetrahedron, the fourth below the plane of the first three.
    Space([usize; 4]),
}

/// The first index at which `measure` is largest, and its value there.
fn farthest(points: &[Vec3], measure: impl Fn(&Vec3) -> f64) -> (usize, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, p) in points.iter().enumerate() {
        let value = measure(p);
        if value > best.1 {
            best = (index, value);
        }
    }
    best
}

/// Finds the span of a set with bounding box from `min` to `max`.
///
/// Method: the two ends along the longest side of the box, the point farthest from their line, the point farthest from that plane.
/// Tolerance: distances carry errors of about 1e-15 of the diagonal, far below [`FLAT_TOLERANCE`].
/// Order: the first of equally far points wins.
pub(crate) fn span(points: &[Vec3], min: &Vec3, max: &Vec3) -> Span {
    let size = (max - min).norm();
    if size == 0.0 {
        return Span::Point;
    }
    let tolerance = FLAT_TOLERANCE * size;
    let axis = (max - min).imax();
    let ia = points.iter().position(|p| p[axis] <= min[axis]).unwrap_or(0);
    let ib = points.iter().position(|p| p[axis] >= max[axis]).unwrap_or(0);
    let (a, b) = (points[ia], points[ib]);

    // Heights over the line, then over the plane.
    let along = (b - a).normalize();
    let (ic, height) = farthest(points, |p| (p - a).cross(&along).norm_squared());
    if height <= tolerance * tolerance {
        return Span::Line([ia, ib]);
    }
    let c = points[ic];
    let Some(normal) = unit_normal(&a, &b, &c) else { return Span::Line([ia, ib]) };
    let (id, height) = farthest(points, |p| normal.dot(&(p - a)).abs());
    if height <= tolerance {
        return Span::Plane([ia, ib, ic]);
    }
    if normal.dot(&(points[id] - a)) < 0.0 {
        Span::Space([ia, ib, ic, id])
    } else {
        Span::Space([ib, ia, ic, id])
    }
}
