//! Eight boxes in any orientation against one, in single precision and as wide as the machine allows.
//!
//! In: the one box in the frame of the eight. Out: bounds from eight directions: square to the faces of both, between the middles, and between points that are as good as nearest. Every operation is rounded by itself and lanes do not mix, so the bits are the same on every machine; a margin covers the rounding.

use zerogap_core::Vec3;

use super::obb::Obb;
use super::pack::WIDTH;
use super::volume::Relative;

/// What single precision can hide of a bound, against the numbers that enter [-]: some sixteen roundings, axes that are not quite square included.
const ROOM: f32 = 8.0 * f32::EPSILON;

/// Rounds of moving points to the nearest of the other box [-].
const ROUNDS: usize = 3;

/// Eight boxes, number by number.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct ObbPack {
    center: [[f32; WIDTH]; 3],
    axis0: [[f32; WIDTH]; 3],
    axis1: [[f32; WIDTH]; 3],
    half: [[f32; WIDTH]; 3],
}

/// One box as the eight see it: in their frame and units.
#[derive(Clone, Copy)]
struct One {
    center: [f32; 3],
    /// Axes of length 1, in rows.
    axes: [[f32; 3]; 3],
    half: [f32; 3],
    /// How far it is from the middle of the frame, and how wide.
    reach: f32,
}

impl ObbPack {
    /// From one to eight boxes; the last fills what is left.
    pub(super) fn new(boxes: &[Obb]) -> Self {
        let last = boxes.len() - 1;
        let rows = |pick: fn(&Obb) -> [f32; 3]| -> [[f32; WIDTH]; 3] {
            std::array::from_fn(|axis| std::array::from_fn(|k| pick(&boxes[k.min(last)])[axis]))
        };
        Self {
            center: rows(|b| b.center),
            axis0: rows(|b| b.axis0),
            axis1: rows(|b| b.axis1),
            half: rows(|b| b.half),
        }
    }

    /// The separations of one box, of a hierarchy A, from the eight, of B [m].
    #[inline]
    pub(super) fn separations(&self, one: &Obb, at: &Relative, found: &mut [f64; WIDTH]) {
        let (middle, axes, half) = one.spanned();
        let inverse = 1.0 / at.unit_b;
        let center: Vec3 = at.rotation.tr_mul(&(middle * at.unit_a - at.offset)) * inverse;
        let half = half * (at.unit_a * inverse);
        let rotated = axes.map(|axis| at.rotation.tr_mul(&axis));
        let single = |v: &Vec3| [v.x as f32, v.y as f32, v.z as f32];
        let one = One {
            center: single(&center),
            axes: [single(&rotated[0]), single(&rotated[1]), single(&rotated[2])],
            half: single(&half),
            reach: (center.amax() + half.sum()) as f32,
        };
        let mut bounds = [0.0; WIDTH];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "a wider instruction set than the build assumes")]
            // SAFETY: the machine has it, as has just been asked.
            unsafe {
                bounds_avx2(self, &one, &mut bounds);
            }
        } else {
            bounds_of(self, &one, &mut bounds);
        }
        #[cfg(not(target_arch = "x86_64"))]
        bounds_of(self, &one, &mut bounds);
        for (found, bound) in found.iter_mut().zip(bounds) {
            *found = f64::from(bound) * at.unit_b - at.room;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn bounds_avx2(pack: &ObbPack, one: &One, bounds: &mut [f32; WIDTH]) {
    bounds_of(pack, one, bounds);
}

/// The bounds lane by lane: no branch, so that lanes run side by side.
///
/// Method: the gaps square to the six faces and along the line between the middles; then the direction between points that are moved to the nearest of the other box, in turn and from
///   the middle of the one: two rounds come close to the nearest points of boxes that are apart. Whatever the direction, the gap along it is a bound.
#[expect(clippy::inline_always, reason = "compiled for each instruction set that it is called from")]
#[inline(always)]
fn bounds_of(pack: &ObbPack, one: &One, bounds: &mut [f32; WIDTH]) {
    let more = |x: f32, y: f32| if x > y { x } else { y };
    let less = |x: f32, y: f32| if x < y { x } else { y };
    let clamped = |x: f32, largest: f32| more(less(x, largest), -largest);
    let [s0, s1, s2] = one.axes;
    let [h0, h1, h2] = one.half;
    for (l, bound) in bounds.iter_mut().enumerate() {
        let (x0, y0, z0) = (pack.axis0[0][l], pack.axis0[1][l], pack.axis0[2][l]);
        let (x1, y1, z1) = (pack.axis1[0][l], pack.axis1[1][l], pack.axis1[2][l]);
        let (x2, y2, z2) = (y0 * z1 - z0 * y1, z0 * x1 - x0 * z1, x0 * y1 - y0 * x1);
        let (g0, g1, g2) = (pack.half[0][l], pack.half[1][l], pack.half[2][l]);
        let (tx, ty, tz) = (
            one.center[0] - pack.center[0][l],
            one.center[1] - pack.center[1][l],
            one.center[2] - pack.center[2][l],
        );
        // From middle to middle along the axes of the eight and along those of the one, and how these turn into each other.
        let (p0, p1, p2) =
            (tx * x0 + ty * y0 + tz * z0, tx * x1 + ty * y1 + tz * z1, tx * x2 + ty * y2 + tz * z2);
        let (q0, q1, q2) = (
            tx * s0[0] + ty * s0[1] + tz * s0[2],
            tx * s1[0] + ty * s1[1] + tz * s1[2],
            tx * s2[0] + ty * s2[1] + tz * s2[2],
        );
        let m00 = s0[0] * x0 + s0[1] * y0 + s0[2] * z0;
        let m01 = s0[0] * x1 + s0[1] * y1 + s0[2] * z1;
        let m02 = s0[0] * x2 + s0[1] * y2 + s0[2] * z2;
        let m10 = s1[0] * x0 + s1[1] * y0 + s1[2] * z0;
        let m11 = s1[0] * x1 + s1[1] * y1 + s1[2] * z1;
        let m12 = s1[0] * x2 + s1[1] * y2 + s1[2] * z2;
        let m20 = s2[0] * x0 + s2[1] * y0 + s2[2] * z0;
        let m21 = s2[0] * x1 + s2[1] * y1 + s2[2] * z1;
        let m22 = s2[0] * x2 + s2[1] * y2 + s2[2] * z2;
        // Square to the faces.
        let a0 = p0.abs() - g0 - (h0 * m00.abs() + h1 * m10.abs() + h2 * m20.abs());
        let a1 = p1.abs() - g1 - (h0 * m01.abs() + h1 * m11.abs() + h2 * m21.abs());
        let a2 = p2.abs() - g2 - (h0 * m02.abs() + h1 * m12.abs() + h2 * m22.abs());
        let b0 = q0.abs() - h0 - (g0 * m00.abs() + g1 * m01.abs() + g2 * m02.abs());
        let b1 = q1.abs() - h1 - (g0 * m10.abs() + g1 * m11.abs() + g2 * m12.abs());
        let b2 = q2.abs() - h2 - (g0 * m20.abs() + g1 * m21.abs() + g2 * m22.abs());
        // Along the line between the middles, by the coordinates that are there already.
        let d = (tx * tx + ty * ty + tz * tz).sqrt();
        let around =
            g0 * p0.abs() + g1 * p1.abs() + g2 * p2.abs() + h0 * q0.abs() + h1 * q1.abs() + h2 * q2.abs();
        let line = d - around / more(d, 1e-30);
        // From the middle of one of the eight to the one box, and back and forth; r along the axes of the one, w along those of the eight, both from their middles.
        let (mut r0, mut r1, mut r2) = (clamped(-q0, h0), clamped(-q1, h1), clamped(-q2, h2));
        let (mut w0, mut w1, mut w2) = (0.0, 0.0, 0.0);
        for round in 0..ROUNDS {
            w0 = clamped(p0 + r0 * m00 + r1 * m10 + r2 * m20, g0);
            w1 = clamped(p1 + r0 * m01 + r1 * m11 + r2 * m21, g1);
            w2 = clamped(p2 + r0 * m02 + r1 * m12 + r2 * m22, g2);
            if round + 1 < ROUNDS {
                r0 = clamped(w0 * m00 + w1 * m01 + w2 * m02 - q0, h0);
                r1 = clamped(w0 * m10 + w1 * m11 + w2 * m12 - q1, h1);
                r2 = clamped(w0 * m20 + w1 * m21 + w2 * m22 - q2, h2);
            }
        }
        let u0 = p0 + r0 * m00 + r1 * m10 + r2 * m20 - w0;
        let u1 = p1 + r0 * m01 + r1 * m11 + r2 * m21 - w1;
        let u2 = p2 + r0 * m02 + r1 * m12 + r2 * m22 - w2;
        // The same direction along the axes of the one: rotated, not measured again, so that both describe one vector however short it is.
        let v0 = u0 * m00 + u1 * m01 + u2 * m02;
        let v1 = u0 * m10 + u1 * m11 + u2 * m12;
        let v2 = u0 * m20 + u1 * m21 + u2 * m22;
        let length = (u0 * u0 + u1 * u1 + u2 * u2).sqrt();
        let along = u0 * p0 + u1 * p1 + u2 * p2;
        let around =
            g0 * u0.abs() + g1 * u1.abs() + g2 * u2.abs() + h0 * v0.abs() + h1 * v1.abs() + h2 * v2.abs();
        let nearest = (along - around) / more(length, 1e-30);
        let best = more(more(more(a0, a1), more(a2, b0)), more(more(b1, b2), more(line, nearest)));
        *bound = best - ROOM * (one.reach + d + (g0 + g1 + g2));
    }
}
