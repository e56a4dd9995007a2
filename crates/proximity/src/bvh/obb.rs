//! Boxes in any orientation as bounding volumes.

use zerogap_core::{Mat3, Pose, Vec3};

use super::obb_pack::ObbPack;
use super::pack::WIDTH;
use super::principal::principal;
use super::volume::{BoundingVolume, Relative, swept_corners, up, wide};

/// How far the kept axes are from lengths of 1 and from right angles, at most [-]: single precision, with room.
const SKEW: f64 = 5e-7;

/// What double precision can hide of a half width, against the coordinates that it comes from [-].
const ROOM: f64 = 16.0 * f64::EPSILON;

/// Crossed edges whose sine is below this are parallel: faces decide [-].
const PARALLEL: f64 = 1e-6;

/// A box in any orientation: its middle, two of its axes (the third is across both) and its half widths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb {
    pub(super) center: [f32; 3],
    pub(super) axis0: [f32; 3],
    pub(super) axis1: [f32; 3],
    pub(super) half: [f32; 3],
}

impl Obb {
    /// The three axes in the columns, of length 1 and square to each other but for [`SKEW`].
    #[inline]
    pub(super) fn axes(&self) -> [Vec3; 3] {
        let (x, y) = (wide(&self.axis0), wide(&self.axis1));
        [x, y, x.cross(&y)]
    }

    /// Its middle, axes and half widths [units]; a point of it is the middle plus each axis times at most its half width.
    #[inline]
    pub(crate) fn spanned(&self) -> (Vec3, [Vec3; 3], Vec3) {
        (wide(&self.center), self.axes(), wide(&self.half))
    }

    /// The smallest box with about these axes.
    fn along(axes: &Mat3, triangles: &[[Vec3; 3]]) -> Self {
        let single = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        let (axis0, axis1) = (single(axes.column(0).into()), single(axes.column(1).into()));
        let kept = Self { center: [0.0; 3], axis0, axis1, half: [0.0; 3] };
        let [x, y, z] = kept.axes();
        // Coordinates along the kept axes as they are, not square to the last digit: a point is the sum of its coordinates times the axes.
        let to = Mat3::from_columns(&[x, y, z]).try_inverse().unwrap_or_else(Mat3::identity);
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for p in triangles.iter().flatten() {
            let q = to * p;
            low = low.inf(&q);
            high = high.sup(&q);
        }
        let middle = 0.5 * (low + high);
        let center = single(x * middle.x + y * middle.y + z * middle.z);
        // The middle was rounded: widths count from where it is.
        let at = to * wide(&center);
        let half = (high - at).sup(&(at - low));
        let half = half.map(|h| h + ROOM * (1.0 + h));
        Self { center, half: [up(half.x), up(half.y), up(half.z)], ..kept }
    }

    /// The smallest box along the axes.
    fn straight(triangles: &[[Vec3; 3]]) -> Self {
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for p in triangles.iter().flatten() {
            low = low.inf(p);
            high = high.sup(p);
        }
        let middle = 0.5 * (low + high);
        let center = [middle.x as f32, middle.y as f32, middle.z as f32];
        let at = wide(&center);
        let half = (high - at).sup(&(at - low)).map(|h| h + ROOM * (1.0 + h));
        let half = [up(half.x), up(half.y), up(half.z)];
        Self { center, axis0: [1.0, 0.0, 0.0], axis1: [0.0, 1.0, 0.0], half }
    }

    /// A measure of looseness: the surface, so that flat boxes can be distinguished.
    fn surface(&self) -> f64 {
        let h = wide(&self.half);
        h.x * h.y + h.y * h.z + h.z * h.x
    }
}

impl BoundingVolume for Obb {
    type Pack = ObbPack;
    const NAME: &'static str = "obb";
    const NUMBERS: usize = 12;

    /// Method: along the principal axes of the surface, or along the coordinate axes where that is smaller.
    fn fit(triangles: &[[Vec3; 3]]) -> Self {
        if triangles.is_empty() {
            return Self { center: [0.0; 3], axis0: [1.0, 0.0, 0.0], axis1: [0.0, 1.0, 0.0], half: [0.0; 3] };
        }
        let rotated = Self::along(&principal(triangles).axes, triangles);
        let straight = Self::straight(triangles);
        if straight.surface() <= rotated.surface() { straight } else { rotated }
    }

    fn volume(&self, margin: f64) -> f64 {
        let h = wide(&self.half).add_scalar(margin);
        8.0 * h.x * h.y * h.z
    }

    #[inline]
    fn size(&self) -> f64 {
        wide(&self.half).norm()
    }

    #[inline]
    fn center(&self) -> Vec3 {
        wide(&self.center)
    }

    /// Method: along the line between the middles, which is right for boxes that are small against their distance; then the 15 axes of two boxes.
    #[inline]
    fn separation(&self, other: &Self, at: &Relative, enough: f64) -> f64 {
        let (a, b) = (self.axes(), other.axes());
        let (ha, hb) = (wide(&self.half) * at.unit_a, wide(&other.half) * at.unit_b);
        let t = at.scaled_rotation * other.center() + at.offset - self.center() * at.unit_a;
        let d = t.norm();
        let mut best = f64::NEG_INFINITY;
        if d > 0.0 {
            let u = t / d;
            let v = at.rotation.tr_mul(&u);
            let of_a = ha.x * a[0].dot(&u).abs() + ha.y * a[1].dot(&u).abs() + ha.z * a[2].dot(&u).abs();
            let of_b = hb.x * b[0].dot(&v).abs() + hb.y * b[1].dot(&v).abs() + hb.z * b[2].dot(&v).abs();
            best = d - of_a - of_b - at.room;
            if best > enough {
                return best;
            }
        }
        best.max(by_axes(&a, &ha, &b, &hb, &t, at, enough))
    }

    fn pack(volumes: &[Self]) -> ObbPack {
        ObbPack::new(volumes)
    }

    #[inline]
    fn separations(&self, pack: &ObbPack, at: &Relative, _: f64, found: &mut [f64; WIDTH]) {
        pack.separations(self, at, found);
    }

    fn reach(&self, direction: &Vec3) -> f64 {
        let around: f64 =
            self.axes().iter().zip(&self.half).map(|(a, h)| a.dot(direction).abs() * f64::from(*h)).sum();
        direction.dot(&self.center()) + around + ROOM * direction.amax()
    }

    fn distance_from(&self, point: &Vec3) -> f64 {
        let d = point - self.center();
        let axes = self.axes();
        let outside = Vec3::from_fn(|k, _| (axes[k].dot(&d).abs() - f64::from(self.half[k])).max(0.0));
        // Skew axes: what they can add up to, against the width and the distance.
        let skew = 4.0 * SKEW * (self.size() + d.norm());
        outside.norm() - skew
    }

    fn meets_segment(&self, from: &Vec3, to: &Vec3) -> bool {
        let (a, b) = (from - self.center(), to - self.center());
        let room =
            4.0 * SKEW * (self.size() + 1e-9 * (a.amax() + b.amax())) + ROOM * (1.0 + a.amax() + b.amax());
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        // Coordinates along the kept axes as they are.
        let [x, y, z] = self.axes();
        let Some(inverse) = Mat3::from_columns(&[x, y, z]).try_inverse() else { return true };
        let (a, b) = (inverse * a, inverse * b);
        for k in 0..3 {
            let half = f64::from(self.half[k]) + room;
            if a[k].min(b[k]) > half || a[k].max(b[k]) < -half {
                return false;
            }
            let step = b[k] - a[k];
            if step.abs() > room {
                let (t0, t1) = ((-half - a[k]) / step, (half - a[k]) / step);
                enter = enter.max(t0.min(t1));
                leave = leave.min(t0.max(t1));
            }
        }
        enter <= leave + 1e-12
    }

    fn swept(&self, start: &Pose, end: &Pose) -> Self {
        let axes = self.axes();
        let corners = std::array::from_fn(|k| {
            (0..3).fold(self.center(), |p, axis| {
                let h = f64::from(self.half[axis]);
                p + axes[axis] * if k >> axis & 1 == 0 { -h } else { h }
            })
        });
        let swept = Self::fit(&swept_corners(&corners, start, end));
        let room = ROOM * (4.0 + start.translation().amax() + end.translation().amax());
        Self { half: swept.half.map(|h| up(f64::from(h) + room)), ..swept }
    }

    fn write(&self, numbers: &mut Vec<f32>) {
        for three in [self.center, self.axis0, self.axis1, self.half] {
            numbers.extend(three);
        }
    }

    fn read(numbers: &[f32]) -> Option<Self> {
        if numbers.len() != Self::NUMBERS || !numbers.iter().all(|n| n.is_finite()) {
            return None;
        }
        let three = |k: usize| [numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]];
        let volume = Self { center: three(0), axis0: three(1), axis1: three(2), half: three(3) };
        let [x, y, z] = volume.axes();
        let square = [x.norm() - 1.0, y.norm() - 1.0, x.dot(&y), z.norm() - 1.0];
        let sound = square.iter().all(|e| e.abs() <= SKEW) && volume.half.iter().all(|h| *h >= 0.0);
        sound.then_some(volume)
    }
}

/// The largest gap of two boxes along the 15 directions square to a face of one or to an edge of each [m]; `t` from middle to middle in A's frame.
fn by_axes(a: &[Vec3; 3], ha: &Vec3, b: &[Vec3; 3], hb: &Vec3, t: &Vec3, at: &Relative, enough: f64) -> f64 {
    // Widths grow by what skew axes can add up to; lengths that are not 1 shrink the gaps.
    let skew = 8.0 * SKEW * (ha.sum() + hb.sum());
    let fair = |gap: f64| if gap > 0.0 { gap * (1.0 - 2.0 * SKEW) } else { gap } - at.room;
    let in_a: [Vec3; 3] = std::array::from_fn(|j| at.rotation * b[j]);
    let c = Mat3::from_fn(|i, j| a[i].dot(&in_a[j]));
    let size = c.abs();
    let (ta, tb) = (Vec3::from_fn(|i, _| a[i].dot(t)), Vec3::from_fn(|j, _| in_a[j].dot(t)));
    let of_a = ta.abs() - ha - size * hb;
    let of_b = tb.abs() - hb - size.tr_mul(ha);
    let mut best = fair(of_a.max().max(of_b.max()) - skew);
    if best > enough {
        return best;
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let sine = 1.0 - c[(i, j)] * c[(i, j)];
            if sine < PARALLEL {
                continue;
            }
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let along = (ta[i2] * c[(i1, j)] - ta[i1] * c[(i2, j)]).abs();
            let around = ha[i1] * size[(i2, j)]
                + ha[i2] * size[(i1, j)]
                + hb[j1] * size[(i, j2)]
                + hb[j2] * size[(i, j1)];
            let along = along - around - skew - 8.0 * SKEW * t.amax();
            if along > 0.0 {
                best = best.max(fair(along / sine.sqrt()));
            }
        }
    }
    best
}
