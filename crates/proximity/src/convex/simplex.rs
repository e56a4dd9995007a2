//! The point of a simplex nearest to the origin, when the last corner has just been added.
//!
//! In: up to four corners, the last one new. Out: the nearest point and the smallest part of the simplex that holds it. Since the new
//! corner lies nearer to the origin than the plane through the others, only parts that hold the new corner are checked.

use zerogap_core::Vec3;

use super::difference::Corner;
use super::resolve::{inner_weights, side_weights, weights_at};

/// A tetrahedron whose height against its longest edge is below this is flat [-].
const FLAT: f64 = 16.0 * f64::EPSILON;

/// The side of a face on which the origin lies is left to rounding below this height, against the distance of the corners [-].
const UNSURE: f64 = 8.0 * f64::EPSILON;

/// A simplex of up to four corners.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simplex {
    corners: [Corner; 4],
    count: usize,
}

/// Where the origin lies.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Nearest {
    /// Outside: the nearest part of the simplex.
    Outside(NearestPart),
    /// Within the tetrahedron.
    Inside,
}

/// A part of a simplex and a new corner.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearestPart {
    /// Its point nearest to the origin [m].
    pub(crate) point: Vec3,
    /// Bit 0 for the new corner, bit k + 1 for corner k of the simplex.
    held_by: u8,
}

impl NearestPart {
    /// Whether a new corner and all `count` corners of the simplex hold the point.
    #[inline]
    pub(crate) fn holds_all(&self, count: usize) -> bool {
        self.held_by.count_ones() as usize == count + 1
    }
}

impl Simplex {
    #[inline]
    pub(crate) fn new(corner: Corner) -> Self {
        Self { corners: [corner; 4], count: 1 }
    }

    /// The simplex of one to four corners.
    pub(crate) fn of(corners: &[Corner]) -> Self {
        let mut simplex = Self::new(corners[0]);
        simplex.count = corners.len().min(4);
        simplex.corners[..simplex.count].copy_from_slice(&corners[..simplex.count]);
        simplex
    }

    #[inline]
    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    /// Adds a corner; a full simplex stays as it is.
    #[inline]
    pub(crate) fn push(&mut self, corner: Corner) {
        if self.count < 4 {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// The point nearest to the origin when a corner is added, and the part that holds it; changes nothing.
    #[inline]
    pub(crate) fn nearest_with(&self, corner: &Corner) -> Nearest {
        let [p, q, r] = [&self.corners[0].w, &self.corners[1].w, &self.corners[2].w];
        let w = &corner.w;
        let part = match self.count {
            1 => on_segment(w, p),
            2 => on_triangle(w, p, q),
            _ => match on_tetrahedron(w, p, q, r) {
                Some(part) => part,
                None => return Nearest::Inside,
            },
        };
        Nearest::Outside(part)
    }

    /// How deep the origin lies in a tetrahedron that holds it [m]; 0 for smaller simplices.
    pub(crate) fn depth(&self) -> f64 {
        let [p, q, r, s] = self.corners() else { return 0.0 };
        let height = |[p, q, r]: [&Corner; 3]| {
            let normal = (q.w - p.w).cross(&(r.w - p.w));
            let length = normal.norm();
            if length > 0.0 { (normal.dot(&p.w) / length).abs() } else { 0.0 }
        };
        [[p, q, r], [p, q, s], [p, r, s], [q, r, s]].map(height).into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The point of a triangle nearest to the origin as a weighted mean of its corners: a point that is there, where the foot on the
    /// plane may miss a thin triangle. None for smaller simplices, whose nearest points are means already.
    pub(crate) fn weighted_nearest(&self) -> Option<Vec3> {
        let [p, q, r] = self.corners() else { return None };
        let [u, v, w] = weights_at(&[p.w, q.w, r.w], &Vec3::zeros());
        Some(p.w * u + q.w * v + r.w * w)
    }

    /// [`Simplex::nearest_with`] for simplices so thin that signs are left to rounding: every face is tried, and the point is the weighted
    /// mean of its corners, as near as it is.
    #[cold]
    pub(crate) fn careful_nearest_with(&self, corner: &Corner) -> NearestPart {
        let at = |k: usize| if k == 0 { corner.w } else { self.corners[k - 1].w };
        let count = (self.count + 1).min(4);
        let mut best = NearestPart { point: corner.w, held_by: 0b01 };
        let mut consider = |names: [usize; 3], weights: [f64; 3]| {
            let point = at(names[0]) * weights[0] + at(names[1]) * weights[1] + at(names[2]) * weights[2];
            if point.norm_squared() < best.point.norm_squared() {
                let held_by = (0..3).filter(|&k| weights[k] > 0.0).fold(0, |bits, k| bits | 1 << names[k]);
                best = NearestPart { point, held_by };
            }
        };
        for i in 0..count {
            for j in i + 1..count {
                consider([i, j, j], side_weights(&at(i), &at(j)));
                for k in j + 1..count {
                    if let Some(weights) = inner_weights(&[at(i), at(j), at(k)], &Vec3::zeros()) {
                        consider([i, j, k], weights);
                    }
                }
            }
        }
        best
    }

    /// Becomes a part of itself and a new corner, as found by [`Simplex::nearest_with`].
    #[inline]
    pub(crate) fn take(&mut self, part: &NearestPart, corner: &Corner) {
        let mut kept = 0;
        for index in 0..self.count.min(3) {
            if part.held_by >> (index + 1) & 1 == 1 {
                if kept != index {
                    self.corners[kept] = self.corners[index];
                }
                kept += 1;
            }
        }
        if part.held_by & 1 == 1 {
            self.corners[kept] = *corner;
            kept += 1;
        }
        self.count = kept;
    }
}

/// New corner w, old corner p: w, or between them.
#[inline]
fn on_segment(w: &Vec3, p: &Vec3) -> NearestPart {
    on_side(w, p, 0b10)
}

/// [`on_segment`] where the old corner has a bit of its own.
#[inline]
fn on_side(w: &Vec3, p: &Vec3, bit: u8) -> NearestPart {
    let e = p - w;
    let (along, squared) = (-w.dot(&e), e.norm_squared());
    if along <= 0.0 || squared == 0.0 {
        return NearestPart { point: *w, held_by: 0b01 };
    }
    if along >= squared {
        return NearestPart { point: *p, held_by: bit };
    }
    NearestPart { point: w + e * (along / squared), held_by: 0b01 | bit }
}

/// New corner w: the inside, or one of the sides at w.
#[inline]
fn on_triangle(w: &Vec3, p: &Vec3, q: &Vec3) -> NearestPart {
    let (e, f) = (p - w, q - w);
    on_face(w, (p, &e, 0b010), (q, &f, 0b100), &e.cross(&f))
}

/// [`on_triangle`] with old corners, the sides to them and their bits, and the cross product of the sides.
#[inline]
fn on_face(
    w: &Vec3,
    (p, e, bit_p): (&Vec3, &Vec3, u8),
    (q, f, bit_q): (&Vec3, &Vec3, u8),
    n: &Vec3,
) -> NearestPart {
    // Outward across each side at w, within the triangle's plane.
    let outside_p = e.cross(n).dot(w) < 0.0;
    let outside_q = n.cross(f).dot(w) < 0.0;
    let squared = n.norm_squared();
    if !outside_p && !outside_q && squared > 0.0 {
        return NearestPart { point: n * (n.dot(w) / squared), held_by: 0b001 | bit_p | bit_q };
    }
    match (outside_p, outside_q) {
        (true, false) => on_side(w, p, bit_p),
        (false, true) => on_side(w, q, bit_q),
        _ => nearer(on_side(w, p, bit_p), on_side(w, q, bit_q)),
    }
}

/// New corner w: none when the origin is inside, else the nearest point of the faces at w that it lies outside of.
#[inline]
fn on_tetrahedron(w: &Vec3, p: &Vec3, q: &Vec3, r: &Vec3) -> Option<NearestPart> {
    let (e, f, g) = (p - w, q - w, r - w);
    let (pq, qr, rp) = (e.cross(&f), f.cross(&g), g.cross(&e));
    let volume = pq.dot(&g);
    // A tetrahedron with no more volume than rounding gives it has no inside. The origin is outside of a face when it and the fourth
    // corner lie on different sides of it.
    let longest = e.norm_squared().max(f.norm_squared()).max(g.norm_squared());
    let is_flat = volume * volume <= (FLAT * FLAT) * pq.norm_squared() * longest;
    let unsure = (UNSURE * UNSURE) * w.norm_squared();
    let outside = |normal: &Vec3| {
        let height = normal.dot(w);
        is_flat || height * volume >= 0.0 || height * height <= unsure * normal.norm_squared()
    };
    let (p, q, r) = ((p, &e, 0b0010), (q, &f, 0b0100), (r, &g, 0b1000));
    let mut best: Option<NearestPart> = None;
    let mut consider = |part: NearestPart| {
        best = Some(match best.take() {
            Some(other) => nearer(other, part),
            None => part,
        });
    };
    if outside(&pq) {
        consider(on_face(w, p, q, &pq));
    }
    if outside(&qr) {
        consider(on_face(w, q, r, &qr));
    }
    if outside(&rp) {
        consider(on_face(w, r, p, &rp));
    }
    best
}

/// The part nearer to the origin; of equal ones the first.
#[inline]
fn nearer(first: NearestPart, second: NearestPart) -> NearestPart {
    if second.point.norm_squared() < first.point.norm_squared() { second } else { first }
}
