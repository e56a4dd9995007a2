//! The gap of two segments, in closed form.
//!
//! In: the ends of both in one frame; a point is a segment with equal ends. Out: the exact gap in that frame.
//! Called by the pair table for capsules and segments, and by the boxes for their edges. Same bits every time; of pairs of points at the same
//! distance the inner one counts first, then A's ends, then B's.

use zerogap_core::math::tangents;
use zerogap_core::{Gap, GapStatus, NormalKind, Vec3};

/// Squared lengths below this have lost their digits to underflow: such a segment is a point [m²].
const VANISHING: f64 = 1e-280;

/// Bounds that are this much apart, against the largest coordinates, agree [-].
const CONVERGED: f64 = 4.0 * f64::EPSILON;

/// The nearest points of two segments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearest {
    /// Distance of the points [m].
    pub(crate) gap: f64,
    /// The point of A [m].
    pub(crate) point_a: Vec3,
    /// The point of B [m].
    pub(crate) point_b: Vec3,
    /// From start to end of each segment [m].
    along: [Vec3; 2],
    /// The direction across both segments, of any length.
    across: Vec3,
}

impl Nearest {
    /// Unit vectors that may be the normal: along the line between the points, the same made perpendicular to one of the segments, and
    /// across both where they are not parallel.
    ///
    /// The first is the right one; the others keep its digits where the points are so near that rounding turns the line between them.
    pub(crate) fn normals(&self) -> impl Iterator<Item = Vec3> {
        let offset = self.point_b - self.point_a;
        let across = if self.across.dot(&offset) < 0.0 { -self.across } else { self.across };
        let [e, f] = self.along;
        [offset, beside(&offset, &e), beside(&offset, &f), across].into_iter().filter_map(|v| unit(&v))
    }
}

/// The part of `v` perpendicular to `e`, made so twice: the first time leaves what rounding hides.
#[inline]
pub(crate) fn beside(v: &Vec3, e: &Vec3) -> Vec3 {
    let squared = e.norm_squared();
    if squared < VANISHING {
        return *v;
    }
    let rough = v - e * (e.dot(v) / squared);
    rough - e * (e.dot(&rough) / squared)
}

/// The unit vector along `v`; `None` where it has none to speak of.
fn unit(v: &Vec3) -> Option<Vec3> {
    let length = v.norm();
    (length * length >= VANISHING).then(|| v / length)
}

/// The point of the segment from `a` along `e` nearest to `q`.
#[inline]
pub(crate) fn foot(a: &Vec3, e: &Vec3, q: &Vec3) -> Vec3 {
    let squared = e.norm_squared();
    if squared < VANISHING {
        return *a;
    }
    // Measured from the nearer end, where fewer digits cancel.
    let end = a + e;
    let (from_a, from_b) = (e.dot(&(q - a)), e.dot(&(q - end)));
    if from_a <= -from_b {
        a + e * (from_a / squared).clamp(0.0, 1.0)
    } else {
        end + e * (from_b / squared).clamp(-1.0, 0.0)
    }
}

/// The nearest points of two segments.
///
/// Method: the inner points where one passes the other, from the part of B across A (made perpendicular twice, so that nearly parallel
///   segments keep their digits), moved to the segments one after the other; then the four ends against the other segment; the least wins.
/// Tolerance: 4 ulp of the lengths and the distance of the segments, nearly parallel ones included.
pub(crate) fn nearest_points(a: &[Vec3; 2], b: &[Vec3; 2]) -> Nearest {
    let (e, f) = (a[1] - a[0], b[1] - b[0]);
    let d = b[0] - a[0];
    let mut across = Vec3::zeros();
    let mut best: Option<(f64, Vec3, Vec3)> = None;
    let mut offer = |point_a: Vec3, point_b: Vec3| {
        let squared = (point_b - point_a).norm_squared();
        if best.is_none_or(|(smallest, _, _)| squared < smallest) {
            best = Some((squared, point_a, point_b));
        }
    };

    // Where they pass each other.
    if e.norm_squared() >= VANISHING && f.norm_squared() >= VANISHING {
        let g = beside(&f, &e);
        let g_squared = g.norm_squared();
        if g_squared >= VANISHING {
            across = e.cross(&g);
            let u = (-d.dot(&g) / g_squared).clamp(0.0, 1.0);
            let point_a = foot(&a[0], &e, &(b[0] + f * u));
            offer(point_a, foot(&b[0], &f, &point_a));
        }
    }
    // The ends.
    for end in a {
        offer(*end, foot(&b[0], &f, end));
    }
    for end in b {
        offer(foot(&a[0], &e, end), *end);
    }
    let (_, point_a, point_b) = best.unwrap_or((0.0, a[0], b[0]));
    Nearest { gap: (point_b - point_a).norm(), point_a, point_b, along: [e, f], across }
}

/// The separation of the segments along a unit vector [m].
fn separation(a: &[Vec3; 2], b: &[Vec3; 2], n: &Vec3) -> f64 {
    let [[a0, a1], [b0, b1]] = [a, b].map(|ends| ends.map(|end| n.dot(&end)));
    b0.min(b1) - a0.max(a1)
}

/// Distance of two segments.
///
/// Computes: gap [m] (never negative: segments have no inside), n [-], points with `p_b - p_a = gap n`.
/// Frames: both segments and the answer in the frame of A; `room` is the slack of the pair [m].
/// Method: [`nearest_points`]; the normal is along the line between them, or across both segments where that separates better.
/// Tolerance: 1e-15 of the largest coordinate.
/// Cost: no allocation, no iteration.
/// Order: see the module. Segments that touch have a `Chosen` normal: its opposite does as well.
pub(crate) fn segment_segment(a: &[Vec3; 2], b: &[Vec3; 2], room: f64) -> Gap {
    let near = nearest_points(a, b);
    let size = [a, b].iter().map(|ends| ends[0].norm().max(ends[1].norm())).sum::<f64>();
    let mut best: Option<(f64, Vec3)> = None;
    for normal in near.normals() {
        let lower = separation(a, b, &normal);
        if best.is_none_or(|(largest, _)| lower > largest) {
            best = Some((lower, normal));
        }
        if near.gap - lower <= CONVERGED * size {
            break;
        }
    }
    // On one line, or points at one place: any direction across does.
    let along = if a[0] == a[1] { b[1] - b[0] } else { a[1] - a[0] };
    let level = || tangents(&unit(&along).unwrap_or(Vec3::z())).0;
    let fallback = (near.gap <= room).then(level).map(|n| (separation(a, b, &n), n));
    let (lower, normal) = match (best, fallback) {
        (Some(best), Some(other)) if other.0 > best.0 + room => other,
        (Some(best), _) => best,
        (None, Some(other)) => other,
        (None, None) => (-room, Vec3::z()),
    };
    Gap {
        gap: near.gap,
        lower: lower.min(near.gap) - room,
        upper: near.gap + room,
        normal,
        normal_kind: if near.gap > room { NormalKind::Unique } else { NormalKind::Chosen },
        point_a: near.point_a,
        point_b: near.point_b,
        status: if near.gap - lower <= room { GapStatus::Exact } else { GapStatus::Limited },
        iterations: 0,
    }
}

#[cfg(test)]
mod tests {
    use zerogap_testkit::{count, random::Random};

    use super::*;
    use crate::convex::rounding::slack;

    /// The slack of ends that stand where they are.
    fn room(a: &[Vec3; 2], b: &[Vec3; 2]) -> f64 {
        slack([a, b].iter().map(|ends| ends[0].norm().max(ends[1].norm())).sum())
    }

    /// Distance by nested search: the distance of a point from B is convex along A.
    fn oracle(a: &[Vec3; 2], b: &[Vec3; 2]) -> f64 {
        let smallest = |f: &dyn Fn(f64) -> f64| {
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..90 {
                let (t1, t2) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if f(t1) <= f(t2) { high = t2 } else { low = t1 }
            }
            f(low).min(f(high)).min(f(0.0)).min(f(1.0))
        };
        // From the differences of the ends, so that the oracle adds little rounding of its own.
        let (e, f, d) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
        smallest(&|t| smallest(&|u| (d + f * u - e * t).norm()))
    }

    fn check(a: [Vec3; 2], b: [Vec3; 2]) -> Gap {
        let size = [a, b].iter().flatten().map(Vec3::norm).fold(0.0, f64::max);
        let gap = segment_segment(&a, &b, room(&a, &b));
        let exact = oracle(&a, &b);
        assert!((gap.gap - exact).abs() <= 2e-15 * size, "{exact:e}, but {gap:?} for {a:?} {b:?}");
        assert!(gap.lower <= exact && exact <= gap.upper, "{exact:e}, but {gap:?} for {a:?} {b:?}");
        assert!(gap.upper - gap.lower <= 1e-13 * size, "{gap:?} for {a:?} {b:?}");
        assert_eq!(gap.status, GapStatus::Exact);
        assert!((gap.normal.norm() - 1.0).abs() < 1e-14);
        assert!((gap.point_b - gap.point_a - gap.normal * gap.gap).amax() <= 4e-15 * size, "{gap:?}");
        let back = segment_segment(&b, &a, room(&a, &b)).swapped();
        assert!((back.gap - gap.gap).abs() <= 1e-15 * size);
        gap
    }

    #[test]
    fn random_segments_have_the_distance_that_a_search_finds() {
        let mut random = Random::new(1);
        for scale in [1e-9, 1.0, 1e9] {
            for _ in 0..count(60, 3_000) {
                let mut point = || scale * random.in_cube(1.0);
                check([point(), point()], [point(), point()]);
            }
        }
    }

    #[test]
    fn nearly_parallel_segments_keep_their_digits() {
        let mut random = Random::new(2);
        for angle in [1e-3, 1e-7, 1e-8, 1e-12, 1e-16, 0.0] {
            for height in [1.0, 1e-6, 1e-12, 0.0] {
                for _ in 0..count(5, 300) {
                    let along = random.direction();
                    let (s, t) = tangents(&along);
                    let slide = along * random.range(-1.5, 1.5) + t * height;
                    let b = [slide - along - s * angle, slide + along + s * angle];
                    check([-along, along], b);
                }
            }
        }
    }

    #[test]
    fn points_and_touching_segments_have_a_normal() {
        let o = Vec3::zeros();
        let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
        for (a, b, expected) in [
            ([o, o], [o, o], 0.0),
            ([o, o], [z, z], 1.0),
            ([o, o], [x - y, x + y], 1.0),
            ([-x, x], [-y, y], 0.0),
            ([-x, x], [-y + z, y + z], 1.0),
            ([-x, x], [x, x * 2.0], 0.0),
            ([-x, x], [x * 2.0, x * 3.0], 1.0),
            ([-x, x], [-x, x], 0.0),
            ([-x, x], [x * 0.5, x * 3.0], 0.0),
            ([-x, x], [o, y], 0.0),
            ([-x, x], [y * 2.0, y], 1.0),
        ] {
            let gap = check(a, b);
            assert!((gap.gap - expected).abs() < 1e-15);
            let kind = if expected > 0.0 { NormalKind::Unique } else { NormalKind::Chosen };
            assert_eq!(gap.normal_kind, kind);
        }
        // Crossing at no distance: across both.
        assert!((segment_segment(&[-x, x], &[-y, y], 1e-14).normal.z.abs() - 1.0).abs() < 1e-15);
    }
}
