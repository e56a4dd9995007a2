//! The differences of all corners of two moving features, at the start and at the end.
//!
//! In: corner positions. Out: a [`Bundle`] of straight paths; the features touch at a time when the hull of the bundle at that time holds
//! the origin. Three paths stand for a triangle seen from a vertex, four for the parallelogram of two edges: `b0-a0, b1-a0, b0-a1, b1-a1`.

use zerogap_core::Vec3;

use super::super::MotionError;

/// Coordinates beyond these bounds are scaled by a power of two, so that squares neither overflow nor vanish [m].
const TAME: std::ops::RangeInclusive<f64> = 1e-70..=1e70;

/// Straight paths of `N` corners from start to end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bundle<const N: usize> {
    pub(super) start: [Vec3; N],
    pub(super) end: [Vec3; N],
    /// How often it was halved.
    pub(super) depth: u32,
}

impl Bundle<3> {
    /// The corners of a face less a vertex, and the factor that lengths were multiplied by.
    pub(super) fn of_vertex_face(
        start: &Vec3,
        end: &Vec3,
        face_start: &[Vec3; 3],
        face_end: &[Vec3; 3],
    ) -> Result<(Self, f64), MotionError> {
        let scale = scale_of([start, end].into_iter().chain(face_start).chain(face_end))?;
        let less = |face: &[Vec3; 3], vertex: &Vec3| face.map(|corner| corner * scale - vertex * scale);
        Ok((Self { start: less(face_start, start), end: less(face_end, end), depth: 0 }, scale))
    }
}

impl Bundle<4> {
    /// The corners of an edge less those of another, and the factor that lengths were multiplied by.
    pub(super) fn of_edge_edge(
        a_start: &[Vec3; 2],
        a_end: &[Vec3; 2],
        b_start: &[Vec3; 2],
        b_end: &[Vec3; 2],
    ) -> Result<(Self, f64), MotionError> {
        let scale = scale_of(a_start.iter().chain(a_end).chain(b_start).chain(b_end))?;
        let less = |b: &[Vec3; 2], a: &[Vec3; 2]| {
            let between = |j: usize, i: usize| b[j] * scale - a[i] * scale;
            [between(0, 0), between(1, 0), between(0, 1), between(1, 1)]
        };
        Ok((Self { start: less(b_start, a_start), end: less(b_end, a_end), depth: 0 }, scale))
    }
}

impl<const N: usize> Bundle<N> {
    /// The corners at a time.
    pub(super) fn at(&self, t: f64) -> [Vec3; N] {
        std::array::from_fn(|k| self.start[k] + (self.end[k] - self.start[k]) * t)
    }

    /// The largest sum of the magnitudes of a corner's coordinates: what rounding is measured against.
    pub(super) fn extent(&self) -> f64 {
        let size = |p: &Vec3| p.x.abs() + p.y.abs() + p.z.abs();
        self.start.iter().chain(&self.end).map(size).fold(0.0, f64::max)
    }

    /// Whether a plane across one of the axes has all paths on one side, farther than `room` from the origin.
    pub(super) fn is_beside(&self, room: f64) -> bool {
        let all = || self.start.iter().chain(&self.end);
        let low = all().fold(Vec3::repeat(f64::INFINITY), |low, p| low.inf(p));
        let high = all().fold(Vec3::repeat(f64::NEG_INFINITY), |high, p| high.sup(p));
        (0..3).any(|k| low[k] > room || high[k] < -room)
    }
}

/// What a search asks of a bundle beside its paths.
pub(super) trait Halved: Sized {
    /// Two bundles that together cover this one.
    fn halves(&self) -> [Self; 2];
}

impl Halved for Bundle<3> {
    fn halves(&self) -> [Self; 2] {
        // Across the longest side, at the start or the end.
        let side = |k: usize| {
            let next = (k + 1) % 3;
            let length = |ends: &[Vec3; 3]| (ends[next] - ends[k]).norm_squared();
            length(&self.start).max(length(&self.end))
        };
        let longest = (0..3).fold(0, |best, k| if side(k) > side(best) { k } else { best });
        let (k, next) = (longest, (longest + 1) % 3);
        let cut = |at: usize| {
            let mut half = Self { depth: self.depth + 1, ..*self };
            half.start[at] = 0.5 * (self.start[k] + self.start[next]);
            half.end[at] = 0.5 * (self.end[k] + self.end[next]);
            half
        };
        [cut(k), cut(next)]
    }
}

impl Halved for Bundle<4> {
    fn halves(&self) -> [Self; 2] {
        // Corners 0 and 1 differ by the second edge, 0 and 2 by the first.
        let along = |k: usize| {
            let length = |ends: &[Vec3; 4]| (ends[k] - ends[0]).norm_squared();
            length(&self.start).max(length(&self.end))
        };
        let step = if along(1) >= along(2) { 1 } else { 2 };
        let cut = |upper: bool| {
            let mut half = Self { depth: self.depth + 1, ..*self };
            for low in (0..4).filter(|k| k & step == 0) {
                let to = if upper { low } else { low + step };
                half.start[to] = 0.5 * (self.start[low] + self.start[low + step]);
                half.end[to] = 0.5 * (self.end[low] + self.end[low + step]);
            }
            half
        };
        [cut(false), cut(true)]
    }
}

/// The power of two that brings coordinates into [`TAME`] bounds; 1 where they are there.
fn scale_of<'a>(points: impl Iterator<Item = &'a Vec3>) -> Result<f64, MotionError> {
    let mut largest = 0.0_f64;
    for p in points {
        let size = p.amax();
        // A comparison that NaN fails as well.
        if !(p.x.is_finite() && p.y.is_finite() && p.z.is_finite()) {
            return Err(MotionError::NotFinite { what: "a vertex", x: p.x, y: p.y, z: p.z });
        }
        largest = largest.max(size);
    }
    if TAME.contains(&largest) || largest == 0.0 {
        return Ok(1.0);
    }
    // 2 to the power of minus the exponent; subnormal numbers are scaled as far as a factor reaches.
    let exponent = (largest.to_bits() >> 52).cast_signed() - 1023;
    Ok(f64::from_bits(((1023 - exponent).clamp(1, 2046) as u64) << 52))
}
