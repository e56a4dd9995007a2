//! From corners to features: the exact normal, gap and witness points of the part of the difference that was found.
//!
//! In: one to three corners of the difference and a direction that is right to a few digits. Out: the same answer for every choice of
//! corners from one pair of features: a vertex against a face, an edge against an edge and so on. The normal comes from the
//! features themselves, so it keeps its digits however close the bodies are.

use zerogap_core::Vec3;

use super::body::Body;
use super::difference::{Corner, Difference};

/// The gap between two features, in A's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resolved {
    /// Signed distance [m].
    pub(crate) gap: f64,
    /// Unit vector from A to B [-].
    pub(crate) normal: Vec3,
    /// Point of A [m].
    pub(crate) point_a: Vec3,
}

impl Resolved {
    /// Point of B [m].
    pub(crate) fn point_b(&self) -> Vec3 {
        self.point_a + self.normal * self.gap
    }

    /// The same, or the line between two points of the bodies where the normal does not lead from one to the other: features that are parallel to half the
    /// digits leave it to rounding, by as much as the gap does not show. `offset` leads from the point of A to one of B; `length` is that of the features [m].
    fn with_points(self, point_a: Vec3, offset: &Vec3, length: f64) -> Self {
        let distance = offset.norm();
        let noise = OFF_NORMAL * (length + distance);
        let is_beside = (offset - self.normal * self.gap).norm() > noise;
        // A line shorter than its own noise has no direction, and one that is longer than the gap by more is another.
        let leads_out = self.gap > CLEAR * noise && (distance - self.gap).abs() <= noise;
        if is_beside && leads_out { Self { gap: distance, normal: offset / distance, point_a } } else { self }
    }

    /// [`Resolved::with_points`] for the points behind the place of a triangle of corners where the normal leads, or the nearest to it.
    fn with_points_of(self, corners: &[Corner; 3]) -> Self {
        let [p, q, r] = corners;
        self.with_points_at(corners, weights_at(&[p.w, q.w, r.w], &(self.normal * self.gap)))
    }

    /// [`Resolved::with_points`] for the points behind the place of a triangle of corners that has these weights.
    fn with_points_at(self, [p, q, r]: &[Corner; 3], [u, v, w]: [f64; 3]) -> Self {
        let length = (q.w - p.w).norm() + (r.w - p.w).norm();
        self.with_points(p.a * u + q.a * v + r.a * w, &(p.w * u + q.w * v + r.w * w), length)
    }
}

/// Points this far from where the normal leads are beside it, against the size of the features [-].
const OFF_NORMAL: f64 = 8.0 * f64::EPSILON;

/// A line this many times longer than its noise has a direction [-].
const CLEAR: f64 = 1e3;

/// The gap of the features that corners belong to; `rough` is a unit vector near the normal.
///
/// Tolerance: 4 ulp of the coordinates where the features are a pair in general position; else as good as the corners' triangle.
/// Order: the answer does not depend on the order of the corners.
pub(crate) fn resolve<A: Body, B: Body>(
    difference: &Difference<'_, A, B>,
    corners: &[Corner],
    rough: &Vec3,
) -> Option<Resolved> {
    let mut sorted = [corners[0]; 3];
    sorted[..corners.len()].copy_from_slice(corners);
    let sorted = &mut sorted[..corners.len()];
    if sorted.iter().all(Corner::is_named) {
        sorted.sort_unstable_by_key(|corner| (corner.name_a, corner.name_b));
    }
    match *sorted {
        [p] => on_corner(&p),
        [p, q] => on_edge(&p, &q, rough),
        [p, q, r] if p.is_named() => on_named_face(difference, &[p, q, r], rough),
        [p, q, r] => on_face(&[p, q, r], rough),
        _ => None,
    }
}

/// A corner: the vector itself.
fn on_corner(p: &Corner) -> Option<Resolved> {
    let gap = p.w.norm();
    (gap > 0.0).then(|| Resolved { gap, normal: p.w / gap, point_a: p.a })
}

/// An edge of the difference: perpendicular to it, or one of its ends where the foot of the origin lies beyond.
fn on_edge(p: &Corner, q: &Corner, rough: &Vec3) -> Option<Resolved> {
    let e = q.w - p.w;
    let squared = e.norm_squared();
    if squared == 0.0 {
        return None;
    }
    let part = -p.w.dot(&e) / squared;
    let end = if part <= 0.0 { Some(p) } else { (part >= 1.0).then_some(q) };
    if let Some(found) = end.and_then(on_corner) {
        return Some(found);
    }
    let part = part.clamp(0.0, 1.0);
    // From the nearer end, and made perpendicular a second time: what remains along the edge is rounding of the short vector only.
    let offset = if part <= 0.5 { p.w + e * part } else { q.w - e * (1.0 - part) };
    let offset = offset - e * (offset.dot(&e) / squared);
    let gap = offset.norm();
    let normal = if gap > 0.0 { offset / gap } else { *rough };
    Some(Resolved { gap, normal, point_a: p.a * (1.0 - part) + q.a * part })
}

/// A face of the difference of two polytopes: a face against a vertex, or an edge against an edge.
fn on_named_face<A: Body, B: Body>(
    difference: &Difference<'_, A, B>,
    corners: &[Corner; 3],
    rough: &Vec3,
) -> Option<Resolved> {
    let [p, q, r] = corners;
    let names_a = [p.name_a, q.name_a, r.name_a];
    let names_b = [p.name_b, q.name_b, r.name_b];
    match (distinct(names_a), distinct(names_b)) {
        (3, 1) => {
            let face = difference.a.face(names_a).filter(|(normal, _)| normal.dot(rough) > 0.5);
            let Some((normal, on_plane)) = face else { return on_face(corners, rough) };
            // The vertex of B and its foot on the face of A.
            let b = difference.point_b(p.name_b);
            let gap = normal.dot(&(b - on_plane));
            Some(Resolved { gap, normal, point_a: b - normal * gap }.with_points_of(corners))
        }
        (1, 3) => {
            let face = difference.b.face(names_b);
            let face =
                face.map(|(normal, point)| (-difference.rotated_from_b(&normal), difference.to_a(&point)));
            let face = face.filter(|(normal, _)| normal.dot(rough) > 0.5);
            let Some((normal, on_plane)) = face else { return on_face(corners, rough) };
            let gap = normal.dot(&(on_plane - p.a));
            Some(Resolved { gap, normal, point_a: p.a }.with_points_of(corners))
        }
        (2, 2) => on_edges(difference, names_a, names_b, rough).or_else(|| on_face(corners, rough)),
        _ => on_face(corners, rough),
    }
}

/// How many different names there are.
fn distinct([p, q, r]: [u32; 3]) -> usize {
    match (p == q, q == r, p == r) {
        (true, true, _) => 1,
        (false, false, false) => 3,
        _ => 2,
    }
}

/// The two different names among three, in ascending order.
fn pair_of([p, q, r]: [u32; 3]) -> (u32, u32) {
    let smallest = p.min(q).min(r);
    (smallest, p.max(q).max(r))
}

/// An edge of A against an edge of B: perpendicular to both.
fn on_edges<A: Body, B: Body>(
    difference: &Difference<'_, A, B>,
    names_a: [u32; 3],
    names_b: [u32; 3],
    rough: &Vec3,
) -> Option<Resolved> {
    let ((a0, a1), (b0, b1)) = (pair_of(names_a), pair_of(names_b));
    let start = difference.a.vertex(a0);
    let along_a = difference.a.vertex(a1) - start;
    let along_b = difference.rotated_from_b(&(difference.b.vertex(b1) - difference.b.vertex(b0)));
    let cross = along_a.cross(&along_b);
    let length = cross.norm();
    // Nearly parallel edges leave the cross product to rounding; the corners' own triangle is no worse then.
    if length * length <= NEARLY_PARALLEL * NEARLY_PARALLEL * along_a.norm_squared() * along_b.norm_squared()
    {
        return None;
    }
    let normal = if cross.dot(rough) < 0.0 { -cross / length } else { cross / length };
    let between = difference.corner(a0, b0).w;
    let gap = normal.dot(&between);
    // Where the perpendicular intersects the edge of A: a0 + t along_a and b0 + u along_b differ by gap n.
    let t = between.cross(&along_b).dot(&cross) / (length * length);
    let t = t.clamp(0.0, 1.0);
    let u = (between.cross(&along_a).dot(&cross) / (length * length)).clamp(0.0, 1.0);
    let found = Resolved { gap, normal, point_a: start + along_a * t };
    let length = along_a.norm() + along_b.norm();
    Some(found.with_points(found.point_a, &(between + along_b * u - along_a * t), length))
}

/// Edges at a smaller angle than this have no common perpendicular of their own [rad].
const NEARLY_PARALLEL: f64 = 1e-7;

/// The triangle of three corners, as it is.
fn on_face(corners: &[Corner; 3], rough: &Vec3) -> Option<Resolved> {
    let [p, q, r] = corners;
    // The cross product of the two shorter sides rounds least.
    let sides = [q.w - p.w, r.w - q.w, p.w - r.w];
    let lengths = sides.map(|side| side.norm_squared());
    let longest = (0..3).fold(0, |best, k| if lengths[k] > lengths[best] { k } else { best });
    let cross = sides[(longest + 1) % 3].cross(&sides[(longest + 2) % 3]);
    let length = cross.norm();
    if length == 0.0 {
        return None;
    }
    let normal = if cross.dot(rough) < 0.0 { -cross / length } else { cross / length };
    let heights = [p, q, r].map(|corner| normal.dot(&corner.w));
    let gap = heights[0].min(heights[1]).min(heights[2]);
    let weights = weights_at(&[p.w, q.w, r.w], &(normal * gap));
    let point_a = p.a * weights[0] + q.a * weights[1] + r.a * weights[2];
    Some(Resolved { gap, normal, point_a }.with_points_at(corners, weights))
}

/// The weights of a triangle's corners at its point nearest to a point in its plane.
///
/// Outside of the triangle the weights of the plane would be useless: those of a sliver are huge and of both signs.
pub(crate) fn weights_at([p, q, r]: &[Vec3; 3], point: &Vec3) -> [f64; 3] {
    if let Some(weights) = inner_weights(&[*p, *q, *r], point) {
        return weights;
    }
    let [p, q, r] = [p - point, q - point, r - point];
    let side = |from: &Vec3, to: &Vec3| {
        let [first, second, _] = side_weights(from, to);
        ((from * first + to * second).norm_squared(), first, second)
    };
    let (pq, qr, rp) = (side(&p, &q), side(&q, &r), side(&r, &p));
    if pq.0 <= qr.0 && pq.0 <= rp.0 {
        [pq.1, pq.2, 0.0]
    } else if qr.0 <= rp.0 {
        [0.0, qr.1, qr.2]
    } else {
        [rp.2, 0.0, rp.1]
    }
}

/// The weights of a triangle's corners at the foot of a point, where it lies inside.
pub(crate) fn inner_weights([p, q, r]: &[Vec3; 3], point: &Vec3) -> Option<[f64; 3]> {
    let [p, q, r] = [p - point, q - point, r - point];
    let normal = (q - p).cross(&(r - p));
    let areas = [q.cross(&r), r.cross(&p), p.cross(&q)].map(|area| area.dot(&normal));
    let sum = areas[0] + areas[1] + areas[2];
    (sum > 0.0 && areas.iter().all(|area| *area >= 0.0)).then(|| areas.map(|area| area / sum))
}

/// The weights of two corners, and none of a third, at the point of their side nearest to the origin.
pub(crate) fn side_weights(from: &Vec3, to: &Vec3) -> [f64; 3] {
    let e = to - from;
    let squared = e.norm_squared();
    let part = if squared > 0.0 { (-from.dot(&e) / squared).clamp(0.0, 1.0) } else { 0.0 };
    [1.0 - part, part, 0.0]
}
