//! The features of two boxes in contact: a corner over a face, two edges, a corner and the nearest point of the other box.
//!
//! In: two boxes in the frame of the first, and the axis or nothing. Out: two points and the direction between them, with the
//! separation along it. Same bits every time; of corners at the same distance the first counts, B's before A's.
#![allow(
    non_snake_case,
    reason = "monogram notation: R_AB holds the axes of B in A, p_AQ is the point Q in A"
)]

use zerogap_core::{Mat3, Vec3};

/// Two boxes in the frame of the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes {
    /// Half sizes of A [m].
    pub(super) half_a: Vec3,
    /// Half sizes of B [m].
    pub(super) half_b: Vec3,
    /// Axes of B in A.
    pub(super) R_AB: Mat3,
    /// From the centre of A to that of B, in A [m].
    pub(super) p_AB: Vec3,
    /// The same in the axes of B [m].
    pub(super) q_BB: Vec3,
}

impl Boxes {
    /// The same boxes seen from B, which becomes the first.
    #[inline]
    pub(super) fn rotated(&self) -> Self {
        Self {
            half_a: self.half_b,
            half_b: self.half_a,
            R_AB: self.R_AB.transpose(),
            p_AB: -self.q_BB,
            q_BB: -self.p_AB,
        }
    }

    /// The separation along a unit vector given in A and in B [m].
    #[inline]
    pub(super) fn separation(&self, n_A: &Vec3, n_B: &Vec3) -> f64 {
        n_A.dot(&self.p_AB) - self.half_a.dot(&n_A.abs()) - self.half_b.dot(&n_B.abs())
    }

    /// A point of B given in B's own frame [m].
    #[inline]
    pub(super) fn in_a(&self, y: &Vec3) -> Vec3 {
        self.p_AB + self.R_AB * y
    }
}

/// A pair of points, one of each box, with `point_b - point_a = gap normal`.
#[derive(Debug, Clone, Copy)]
pub(super) struct WitnessPair {
    /// Signed distance of the points [m].
    pub(super) gap: f64,
    /// Separation of the boxes along the normal [m].
    pub(super) lower: f64,
    /// Unit vector from A to B [-].
    pub(super) normal: Vec3,
    /// The point of A [m].
    pub(super) point_a: Vec3,
    /// The point of B [m].
    pub(super) point_b: Vec3,
}

impl WitnessPair {
    /// What was found between B and A, in B's frame, as a pair of A and B, in A's frame.
    #[inline]
    pub(super) fn seen_from_other(&self, boxes: &Boxes) -> Self {
        let normal = -(boxes.R_AB * self.normal);
        let point_a = boxes.in_a(&self.point_b);
        Self { normal, point_a, point_b: point_a + normal * self.gap, ..*self }
    }
}

/// `size` with the sign of `d`.
#[inline]
fn signed(d: f64, size: f64) -> f64 {
    size.copysign(d)
}

/// The lowest corner of B over the face of A across axis `i` that faces B; and whether it lies over that face, not beside it.
///
/// `lower` is the separation along the axis, `room` how far beside the face rounding may have put the corner [m].
#[inline]
pub(super) fn corner_over_face(boxes: &Boxes, i: usize, lower: f64, room: f64) -> (WitnessPair, bool) {
    let side = signed(boxes.p_AB[i], 1.0);
    let y = Vec3::from_fn(|j, _| signed(-side * boxes.R_AB[(i, j)], boxes.half_b[j]));
    over_face(boxes, i, lower, room, &boxes.in_a(&y))
}

/// A point of B over a face of A, and whether it lies over that face; a point beside it is moved to the rim.
#[inline]
pub(super) fn over_face(
    boxes: &Boxes,
    i: usize,
    lower: f64,
    room: f64,
    corner: &Vec3,
) -> (WitnessPair, bool) {
    let side = signed(boxes.p_AB[i], 1.0);
    let mut normal = Vec3::zeros();
    normal[i] = side;
    let mut point_a = corner.zip_map(&boxes.half_a, |x, h| {
        if x < -h {
            -h
        } else if x > h {
            h
        } else {
            x
        }
    });
    let mut beside = corner - point_a;
    beside[i] = 0.0;
    point_a[i] = side * boxes.half_a[i];
    let found = WitnessPair { gap: lower, lower, normal, point_a, point_b: point_a + normal * lower };
    (found, beside.amax() <= room)
}

/// The points where edge `i` of A and edge `j` of B pass each other along their common unit normal; and whether both lie on the edges.
///
/// `room` is how far beyond the ends rounding may have put them [m].
#[inline]
pub(super) fn edges(
    boxes: &Boxes,
    i: usize,
    j: usize,
    normals: &(Vec3, Vec3),
    room: f64,
) -> (WitnessPair, bool) {
    let (n_A, n_B) = normals;
    let lower = boxes.separation(n_A, n_B);
    // The edges that support the boxes along the normal, from their middles.
    let mut x = n_A.zip_map(&boxes.half_a, signed);
    let mut y = (-n_B).zip_map(&boxes.half_b, signed);
    (x[i], y[j]) = (0.0, 0.0);
    let d = boxes.in_a(&y) - x;
    // Where B's edge passes A's, seen along the normal: the part of B's edge across A's carries it there.
    let (k, m) = ((i + 1) % 3, (i + 2) % 3);
    let (across_k, across_m) = (boxes.R_AB[(k, j)], boxes.R_AB[(m, j)]);
    let u = -(d[k] * across_k + d[m] * across_m) / (across_k * across_k + across_m * across_m);
    let clamped_u = u.clamp(-boxes.half_b[j], boxes.half_b[j]);
    let t = d[i] + clamped_u * boxes.R_AB[(i, j)];
    x[i] = t.clamp(-boxes.half_a[i], boxes.half_a[i]);
    let found = WitnessPair { gap: lower, lower, normal: *n_A, point_a: x, point_b: x + n_A * lower };
    (found, (u - clamped_u).abs() <= room && (t - x[i]).abs() <= room)
}

/// Squared distances of the eight corners of B from A [m²]; bit 2, 0, 1 of the index is the sign along axis 0, 1, 2 of B.
#[inline]
fn corner_distances(boxes: &Boxes) -> [f64; 8] {
    let mut sums = [0.0; 8];
    for i in 0..3 {
        let p = boxes.p_AB[i];
        let half = boxes.half_a[i];
        let s0 = boxes.R_AB[(i, 0)] * boxes.half_b.x;
        let s1 = boxes.R_AB[(i, 1)] * boxes.half_b.y;
        let s2 = boxes.R_AB[(i, 2)] * boxes.half_b.z;
        let (low, high) = (p - s2, p + s2);
        let four = [low - s1, low + s1, high - s1, high + s1];
        for v in 0..4 {
            let (near, far) = ((four[v] - s0).abs() - half, (four[v] + s0).abs() - half);
            let (near, far) = (if near > 0.0 { near } else { 0.0 }, if far > 0.0 { far } else { 0.0 });
            sums[v] += near * near;
            sums[4 + v] += far * far;
        }
    }
    sums
}

/// The corner with that index in its own frame [m].
#[inline]
fn corner(half: &Vec3, index: usize) -> Vec3 {
    let sign = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
    Vec3::new(sign(2) * half.x, sign(0) * half.y, sign(1) * half.z)
}

/// From a corner of B to the nearest point of A, for a corner outside.
#[inline]
fn corner_to_box(boxes: &Boxes, index: usize) -> WitnessPair {
    let point_b = boxes.in_a(&corner(&boxes.half_b, index));
    let point_a = point_b.zip_map(&boxes.half_a, |x, h| {
        if x < -h {
            -h
        } else if x > h {
            h
        } else {
            x
        }
    });
    let offset = point_b - point_a;
    let gap = offset.norm();
    let normal = offset / gap;
    let lower = boxes.separation(&normal, &boxes.R_AB.tr_mul(&normal));
    WitnessPair { gap, lower, normal, point_a, point_b }
}

/// The nearest of the 16 corners to the other box, for boxes apart.
#[inline]
pub(super) fn nearest_corner(boxes: &Boxes) -> WitnessPair {
    let rotated = boxes.rotated();
    let (of_b, of_a) = (corner_distances(boxes), corner_distances(&rotated));
    let smallest: [f64; 8] = std::array::from_fn(|v| if of_a[v] < of_b[v] { of_a[v] } else { of_b[v] });
    let smallest = smallest.iter().fold(f64::INFINITY, |x, y| if *y < x { *y } else { x });
    let mut bits = 0_u32;
    for v in 0..8 {
        bits |= u32::from(of_b[v] <= smallest) << v | u32::from(of_a[v] <= smallest) << (8 + v);
    }
    let index = bits.trailing_zeros() as usize;
    if index < 8 {
        corner_to_box(boxes, index)
    } else {
        corner_to_box(&rotated, index & 7).seen_from_other(boxes)
    }
}
