//! The normal of a contact of curved shapes to rounding, by Newton's method.
//!
//! In: two shapes, the patches that face a normal known to half of the digits, and what a normal must reach. Out: the normal along which the shapes are farthest apart near the given one, with the nearest points there. A search
//! leaves the normals and points of curved shapes in overlap to the root of its tolerance, some 1e-6 of the size, different from one pose to the next; forces along them would be noise to an integrator.

use zerogap_core::{Feature, Gap, Mat3, Vec3};
use zerogap_geometry::shape::Flat;
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use super::normal::PlacedShapes;
use super::patch::Patch;

/// Newton steps at most [-]: three from half of the digits, and some for flat ellipsoids.
const STEPS: usize = 12;

/// How far the normal may move [-]: farther, it is another contact.
const NEAR: f64 = 1e-2;

/// Steps of the normal that are rounding [-].
const DONE: f64 = 2.0 * f64::EPSILON;

/// Sine of the angle between a line and the plane across the normal, or between a face's normal and it, below which it lies in that plane [-], and heights that count as equal against the size [-]. First as the normal is known, then
/// as what it would be if it were known better: a normal that is off by 1e-5 makes an edge of a hull look like one of its ends.
const LEVELS: [f64; 2] = [1e-4, 1e-9];

/// The radius by which the separation is curved must be this part of the largest radius [-]: otherwise there are other normals as good.
const CURVED: f64 = 1e-6;

/// One side of a contact: which part of a shape it is.
struct Side<'a> {
    shape: &'a ConvexShape,
    feature: Feature,
    /// To A's frame.
    turn: Mat3,
    /// Of the shape's outward normal against that from A to B.
    sign: f64,
}

impl Side<'_> {
    /// Curvature at a normal from A to B, and the direction of a line, in A's frame; none for a face.
    fn curvature(&self, normal: &Vec3) -> Option<(Mat3, Option<Vec3>)> {
        let own = self.turn.tr_mul(normal) * self.sign;
        let radii = self.shape.surface_radii(self.feature, &own);
        let line = match radii.flat {
            Flat::None => None,
            Flat::Along(line) => Some(self.turn * line),
            Flat::All => return None,
        };
        Some((self.turn * radii.radii * self.turn.transpose(), line))
    }
}

/// The part of a shape that touches along a direction out of it.
fn part(patch: &Patch, outward: &Vec3, level: f64, size: f64) -> Feature {
    match &patch.corners[..] {
        [_] => patch.name,
        [from, to] => {
            let along = to.point - from.point;
            let rise = along.dot(outward);
            if rise.abs() <= level * along.norm() {
                patch.name
            } else if rise > 0.0 {
                to.name
            } else {
                from.name
            }
        }
        _ if patch.normal.cross(outward).norm() <= level => patch.name,
        _ if patch.rim.is_some() => Feature::Edge(u32::from(patch.name == Feature::Face(1))),
        _ => patch.farthest(outward, level * size),
    }
}

/// Returns the gap with its normal and points sharpened; none where they are as sharp as they can be, or where Newton's method leads elsewhere.
///
/// Computes: the direction `n` across which the support points lie, `p_B(-n) - p_A(n) = gap n`.
/// Method: the separation `n·(p_B - p_A)` is largest there. Its second derivative is `-(R_A + R_B + gap)` with the radii of curvature R of both surfaces; where one is straight along a line, the normal turns about that line alone.
/// Tolerance: the normal to 1e-15 times the ratio of the largest radius to the smallest of `R_A + R_B + gap`.
/// Fails: with none for faces, for corners in overlap, and where the separation falls below `floor` [m].
pub(super) fn polish(
    both: &PlacedShapes<'_>,
    [patch_a, patch_b]: [&Patch; 2],
    normal: &Vec3,
    gap: &Gap,
    floor: f64,
    size: f64,
) -> Option<Gap> {
    let parts =
        LEVELS.map(|level| [part(patch_a, normal, level, size), part(patch_b, &-normal, level, size)]);
    let by = |features: [Feature; 2]| polish_parts(both, features, normal, gap, floor);
    by(parts[0]).or_else(|| if parts[1] == parts[0] { None } else { by(parts[1]) })
}

/// [`polish`] for given parts of the shapes.
fn polish_parts(
    both: &PlacedShapes<'_>,
    [feature_a, feature_b]: [Feature; 2],
    normal: &Vec3,
    gap: &Gap,
    floor: f64,
) -> Option<Gap> {
    let PlacedShapes { a, b, at } = *both;
    let of_a = Side { shape: a, feature: feature_a, turn: Mat3::identity(), sign: 1.0 };
    let of_b = Side { shape: b, feature: feature_b, turn: at.R_AB, sign: -1.0 };
    let supports = |n: &Vec3| {
        let own = -at.R_AB.tr_mul(n);
        (a.support(n, &mut SupportHint::default()), at.to_a(&b.support(&own, &mut SupportHint::default())))
    };
    let mut n = *normal;
    let mut last = f64::INFINITY;
    let (mut line_a, mut line_b) = (None, None);
    for _ in 0..STEPS {
        let (radii_a, line) = of_a.curvature(&n)?;
        line_a = line;
        let (radii_b, line) = of_b.curvature(&n)?;
        line_b = line;
        let (point_a, point_b) = supports(&n);
        let between = point_b - point_a;
        let radii = radii_a + radii_b;
        let bend = radii + Mat3::identity() * n.dot(&between);
        let least = CURVED * radii.amax();
        let step = match (line_a, line_b) {
            (None, None) => {
                let (u, v) = zerogap_core::math::tangents(&n);
                let (uu, uv, vv) = (u.dot(&(bend * u)), u.dot(&(bend * v)), v.dot(&(bend * v)));
                let determinant = uu * vv - uv * uv;
                // Both eigenvalues, from their product and sum.
                let is_curved = uu + vv > 0.0 && determinant > least * (uu + vv);
                if !is_curved {
                    return None;
                }
                let (x, y) = (u.dot(&between), v.dot(&between));
                u * ((vv * x - uv * y) / determinant) + v * ((uu * y - uv * x) / determinant)
            }
            (Some(line), other) | (other @ None, Some(line)) => {
                // Lines that cross have one normal, and round ones side by side are known from their axes.
                if other.is_some() {
                    return None;
                }
                // Across the line first.
                n = (n - line * line.dot(&n)).try_normalize(0.5)?;
                let between = {
                    let (point_a, point_b) = supports(&n);
                    point_b - point_a
                };
                let turn = line.cross(&n).try_normalize(0.5)?;
                let curvature = turn.dot(&(bend * turn));
                if curvature <= least {
                    return None;
                }
                turn * (turn.dot(&between) / curvature)
            }
        };
        let size = step.norm();
        // Rounding is reached where steps no longer shrink.
        if size.is_nan() || size >= last {
            break;
        }
        last = size;
        n = (n + step).try_normalize(0.5)?;
        if size <= DONE {
            break;
        }
    }
    let (point_a, point_b) = supports(&n);
    let separation = n.dot(&(point_b - point_a));
    let is_same = (n - normal).amax() <= NEAR && separation >= floor;
    // A line has no point of its own: the other side's counts.
    let point_a = if line_a.is_some() && line_b.is_none() { point_b - n * separation } else { point_a };
    let gap = Gap { gap: separation, normal: n, point_a, point_b: point_a + n * separation, ..*gap };
    is_same.then_some(gap)
}
