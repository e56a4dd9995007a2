//! Volumes between parallel planes of fixed directions: boxes along the axes, and those with cut corners and edges.

use zerogap_core::{Pose, Vec3};

use super::pack::{Few, WIDTH};
use super::volume::{BoundingVolume, Relative, down, swept_corners, up};

/// Directions of the planes, not of length 1: axes, then corners, then edges of a cube. A set of 6, 14, 18 or 26 planes takes some of them.
const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const CORNERS: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0]];
const EDGES: [[f64; 3]; 6] =
    [[1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [0.0, 1.0, 1.0], [0.0, 1.0, -1.0]];

/// What rounding can hide of a product of a direction with a point of the unit cube, and of the sum of some [units].
const ROOM: f64 = 32.0 * f64::EPSILON;

/// The volume between `D` pairs of parallel planes: 3, 7, 9 or 13 pairs are the 6-, 14-, 18- and 26-DOP. The first three are the box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dop<const D: usize> {
    low: [f32; D],
    high: [f32; D],
}

/// A box along the axes: the 6-DOP.
pub type AxisBox = Dop<3>;

/// The `k`-th direction of a set of `D`.
#[inline]
fn direction(d: usize, k: usize) -> Vec3 {
    let [x, y, z] = match (d, k) {
        (_, 0..3) => AXES[k],
        (9, _) => EDGES[k - 3],
        (_, 3..7) => CORNERS[k - 3],
        _ => EDGES[k - 7],
    };
    Vec3::new(x, y, z)
}

/// Length of the `k`-th direction of a set of `D`.
#[inline]
fn length(d: usize, k: usize) -> f64 {
    match (d, k) {
        (_, 0..3) => 1.0,
        (7 | 13, 3..7) => 1.732_050_807_568_877_3,
        _ => std::f64::consts::SQRT_2,
    }
}

impl<const D: usize> Dop<D> {
    /// Middle and half size of the box along the axes [units].
    #[inline]
    fn boxed(&self) -> (Vec3, Vec3) {
        let low = Vec3::new(f64::from(self.low[0]), f64::from(self.low[1]), f64::from(self.low[2]));
        let high = Vec3::new(f64::from(self.high[0]), f64::from(self.high[1]), f64::from(self.high[2]));
        (0.5 * (low + high), 0.5 * (high - low))
    }

    /// How far the pairs of planes of A keep B's box away, B given by the middle and the half axes of its box in A's frame [m].
    #[inline]
    fn apart(&self, unit: f64, center: &Vec3, half: &[Vec3; 3]) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for k in 0..D {
            let n = direction(D, k);
            let along = n.dot(center);
            let around = n.dot(&half[0]).abs() + n.dot(&half[1]).abs() + n.dot(&half[2]).abs();
            let gap = (along - around - f64::from(self.high[k]) * unit)
                .max(f64::from(self.low[k]) * unit - along - around);
            best = best.max(gap / length(D, k));
        }
        best
    }
}

impl<const D: usize> BoundingVolume for Dop<D> {
    type Pack = Few<Self>;
    const NAME: &'static str = match D {
        3 => "aabb",
        7 => "14-dop",
        9 => "18-dop",
        _ => "26-dop",
    };
    const NUMBERS: usize = 2 * D;

    fn fit(triangles: &[[Vec3; 3]]) -> Self {
        const { assert!(D == 3 || D == 7 || D == 9 || D == 13, "6, 14, 18 or 26 planes") };
        if triangles.is_empty() {
            return Self { low: [0.0; D], high: [0.0; D] };
        }
        let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        for p in triangles.iter().flatten() {
            for k in 0..D {
                let along = direction(D, k).dot(p);
                low[k] = low[k].min(along);
                high[k] = high[k].max(along);
            }
        }
        // Products with axes are exact; with the other directions they round.
        let room = |k: usize| if k < 3 { 0.0 } else { ROOM };
        Self {
            low: std::array::from_fn(|k| down(low[k] - room(k))),
            high: std::array::from_fn(|k| up(high[k] + room(k))),
        }
    }

    /// That of its box less, for each pair of slanted planes, a guess of what they cut off: the mean of the box and of the widths.
    fn volume(&self, margin: f64) -> f64 {
        let width =
            |k: usize| (f64::from(self.high[k]) - f64::from(self.low[k])) / length(D, k) + 2.0 * margin;
        let cuboid = width(0) * width(1) * width(2);
        if D == 3 {
            return cuboid;
        }
        let mean = (0..D).map(width).sum::<f64>() / D as f64;
        cuboid.min(mean * mean * mean)
    }

    #[inline]
    fn size(&self) -> f64 {
        self.boxed().1.norm()
    }

    #[inline]
    fn center(&self) -> Vec3 {
        self.boxed().0
    }

    /// Method: the planes of A against the box of B and vice versa. A rotated DOP is wrapped by its box alone; the planes of both bound
    ///   the pair all the same.
    fn separation(&self, other: &Self, at: &Relative, enough: f64) -> f64 {
        let ((ca, ha), (cb, hb)) = (self.boxed(), other.boxed());
        let half_b: [Vec3; 3] = std::array::from_fn(|k| at.scaled_rotation.column(k) * hb[k]);
        let center_b = at.scaled_rotation * cb + at.offset;
        let first = self.apart(at.unit_a, &center_b, &half_b) - at.room;
        if first > enough {
            return first;
        }
        let half_a: [Vec3; 3] = std::array::from_fn(|k| at.rotation.row(k).transpose() * (ha[k] * at.unit_a));
        let center_a = at.rotation.tr_mul(&(ca * at.unit_a - at.offset));
        let second = other.apart(at.unit_b, &center_a, &half_a) - at.room;
        if second > enough {
            return second;
        }
        // Straight from middle to middle, which is right where both are small against their distance.
        let t = center_b - ca * at.unit_a;
        let d = t.norm();
        let mut third = f64::NEG_INFINITY;
        if d > 0.0 {
            let u = t / d;
            let of_a = (u.x * ha.x).abs() + (u.y * ha.y).abs() + (u.z * ha.z).abs();
            let of_b = half_b.iter().map(|h| u.dot(h).abs()).sum::<f64>();
            third = d - of_a * at.unit_a - of_b - at.room;
        }
        first.max(second).max(third)
    }

    fn pack(volumes: &[Self]) -> Few<Self> {
        Few::new(volumes)
    }

    #[inline]
    fn separations(&self, pack: &Few<Self>, at: &Relative, enough: f64, found: &mut [f64; WIDTH]) {
        pack.separations(self, at, enough, found);
    }

    fn reach(&self, direction: &Vec3) -> f64 {
        let (c, h) = self.boxed();
        direction.dot(&c) + direction.abs().dot(&h) + ROOM * direction.amax()
    }

    fn distance_from(&self, point: &Vec3) -> f64 {
        let (c, h) = self.boxed();
        let outside = ((point - c).abs() - h).map(|x| x.max(0.0)).norm();
        let mut best = outside;
        for k in 3..D {
            let along = super::dop::direction(D, k).dot(point);
            let gap = (along - f64::from(self.high[k])).max(f64::from(self.low[k]) - along);
            best = best.max(gap / length(D, k));
        }
        best - ROOM * (1.0 + point.amax())
    }

    fn meets_segment(&self, from: &Vec3, to: &Vec3) -> bool {
        let room = ROOM * (1.0 + from.amax() + to.amax());
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for k in 0..D {
            let n = direction(D, k);
            let (a, b) = (n.dot(from), n.dot(to));
            let (low, high) = (f64::from(self.low[k]) - room, f64::from(self.high[k]) + room);
            if a.max(b) < low || a.min(b) > high {
                return false;
            }
            let step = b - a;
            if step.abs() > room {
                let (t0, t1) = ((low - a) / step, (high - a) / step);
                enter = enter.max(t0.min(t1));
                leave = leave.min(t0.max(t1));
            }
        }
        enter <= leave + 1e-12
    }

    /// Around the box alone: slanted planes are found again.
    fn swept(&self, start: &Pose, end: &Pose) -> Self {
        let (c, h) = self.boxed();
        let corners = std::array::from_fn(|k| {
            c + Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { -h[axis] } else { h[axis] })
        });
        let swept = Self::fit(&swept_corners(&corners, start, end));
        let room = ROOM * (4.0 + start.translation().amax() + end.translation().amax());
        Self {
            low: swept.low.map(|x| down(f64::from(x) - room)),
            high: swept.high.map(|x| up(f64::from(x) + room)),
        }
    }

    fn write(&self, numbers: &mut Vec<f32>) {
        numbers.extend(self.low);
        numbers.extend(self.high);
    }

    fn read(numbers: &[f32]) -> Option<Self> {
        if numbers.len() != 2 * D || !numbers.iter().all(|n| n.is_finite()) {
            return None;
        }
        let volume =
            Self { low: std::array::from_fn(|k| numbers[k]), high: std::array::from_fn(|k| numbers[D + k]) };
        (0..D).all(|k| volume.low[k] <= volume.high[k]).then_some(volume)
    }
}
