//! The point of a simplex nearest to the origin, when the last corner has just been added.
//!
//! In: up to four corners, the last one new. Out: the nearest point and the smallest part of the simplex that holds it. Since the new
//! corner lies nearer to the origin than the plane through the others, only parts that hold the new corner are looked at.

use zerogap_core::Vec3;

use super::difference::Corner;

/// A simplex of up to four corners.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simplex {
    corners: [Corner; 4],
    count: usize,
}

/// Where the origin lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Nearest {
    /// Outside: the nearest point of the simplex [m].
    Outside(Vec3),
    /// Within the tetrahedron.
    Inside,
}

/// The nearest point of a part, and which corners of the part hold it (bit k for its corner k).
struct Part {
    point: Vec3,
    held_by: u8,
}

impl Simplex {
    #[inline]
    pub(crate) fn new(corner: Corner) -> Self {
        Self { corners: [corner; 4], count: 1 }
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

    /// Shrinks to the smallest part that holds the point nearest to the origin.
    #[inline]
    pub(crate) fn shrink_to_nearest(&mut self) -> Nearest {
        let [p, q, r, s] = self.corners.map(|corner| corner.w);
        let part = match self.count {
            1 => return Nearest::Outside(p),
            2 => on_segment(&q, &p).in_order(&[1, 0]),
            3 => on_triangle(&r, &q, &p).in_order(&[2, 1, 0]),
            _ => match on_tetrahedron(&s, &r, &q, &p) {
                Some(part) => part.in_order(&[3, 2, 1, 0]),
                None => return Nearest::Inside,
            },
        };
        let mut kept = 0;
        for index in 0..self.count {
            if part.held_by >> index & 1 == 1 {
                self.corners[kept] = self.corners[index];
                kept += 1;
            }
        }
        self.count = kept;
        Nearest::Outside(part.point)
    }
}

impl Part {
    /// The same part when corner k of it is called `order[k]`.
    #[inline]
    fn in_order(&self, order: &[u8]) -> Self {
        let mut held_by = 0;
        for (k, &name) in order.iter().enumerate() {
            held_by |= (self.held_by >> k & 1) << name;
        }
        Self { point: self.point, held_by }
    }
}

/// New corner w, old corner p: w, or between them.
#[inline]
fn on_segment(w: &Vec3, p: &Vec3) -> Part {
    let e = p - w;
    let (along, squared) = (-w.dot(&e), e.norm_squared());
    if along <= 0.0 || squared == 0.0 {
        return Part { point: *w, held_by: 0b01 };
    }
    if along >= squared {
        return Part { point: *p, held_by: 0b10 };
    }
    Part { point: w + e * (along / squared), held_by: 0b11 }
}

/// New corner w: the inside, or one of the sides at w.
#[inline]
fn on_triangle(w: &Vec3, p: &Vec3, q: &Vec3) -> Part {
    let (e, f) = (p - w, q - w);
    let n = e.cross(&f);
    // Outward across each side at w, within the triangle's plane.
    let outside_p = e.cross(&n).dot(w) < 0.0;
    let outside_q = n.cross(&f).dot(w) < 0.0;
    let squared = n.norm_squared();
    if !outside_p && !outside_q && squared > 0.0 {
        return Part { point: n * (n.dot(w) / squared), held_by: 0b111 };
    }
    match (outside_p, outside_q) {
        (true, false) => on_segment(w, p),
        (false, true) => on_segment(w, q).in_order(&[0, 2]),
        _ => nearer(on_segment(w, p), on_segment(w, q).in_order(&[0, 2])),
    }
}

/// New corner w: none when the origin is inside, else the nearest point of the faces at w that it lies outside of.
#[inline]
fn on_tetrahedron(w: &Vec3, p: &Vec3, q: &Vec3, r: &Vec3) -> Option<Part> {
    let (e, f, g) = (p - w, q - w, r - w);
    let (pq, qr, rp) = (e.cross(&f), f.cross(&g), g.cross(&e));
    let volume = pq.dot(&g);
    // The origin is outside of a face when it and the fourth corner lie on different sides of it.
    let outside = |normal: &Vec3| normal.dot(w) * volume >= 0.0;
    let mut best: Option<Part> = None;
    let mut consider = |part: Part| {
        best = Some(match best.take() {
            Some(other) => nearer(other, part),
            None => part,
        });
    };
    if outside(&pq) {
        consider(on_triangle(w, p, q));
    }
    if outside(&qr) {
        consider(on_triangle(w, q, r).in_order(&[0, 2, 3]));
    }
    if outside(&rp) {
        consider(on_triangle(w, r, p).in_order(&[0, 3, 1]));
    }
    best
}

/// The part nearer to the origin; of equal ones the first.
#[inline]
fn nearer(first: Part, second: Part) -> Part {
    if second.point.norm_squared() < first.point.norm_squared() { second } else { first }
}
