//! Where two patches lie over each other, seen along the contact normal: the corners of their common part.
//!
//! In: the patch of A, counter-clockwise about the normal, that of B in the same sense, and the normal. Out: contact points in A's frame, in
//! order around the common part. Corners of a patch are kept as they are, so that nothing is lost to the projection; ties within
//! `room` count as lying inside, which keeps names from flickering where borders coincide.

use zerogap_core::math::tangents;
use zerogap_core::{ContactId, Feature, Vec3};

use super::arc::{Curve, crossing};
use super::patch::{Corner, Patch};

/// Common parts shorter than this many times the room are points [-].
const SHORT: f64 = 4.0;

/// A side of a polygon in the contact plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct PatchSide {
    /// Where it starts [m].
    pub(super) start: [f64; 2],
    /// From there to its end [m].
    pub(super) along: [f64; 2],
    /// Its length, by the sum of its components: at most 1.5 times as much [m].
    pub(super) length: f64,
}

impl PatchSide {
    /// How far a point lies to the left, which is inside, times the length [m²].
    #[inline]
    pub(super) fn inside(&self, [x, y]: [f64; 2]) -> f64 {
        self.along[0] * (y - self.start[1]) - self.along[1] * (x - self.start[0])
    }
}

/// A contact as it is found: all have the same normal.
#[derive(Debug, Clone, Copy)]
pub(super) struct PatchPoint {
    /// Where it is in the contact plane [m].
    pub(super) place: [f64; 2],
    /// The point of A [m].
    pub(super) point_a: Vec3,
    /// Signed distance along the normal [m].
    pub(super) gap: f64,
    pub(super) id: ContactId,
    /// Grows with the angle around the common part, from 0 to 4, once they are put in order [-].
    turn: f64,
}

impl PatchPoint {
    /// Whether it lies at a place of the contact plane, to a distance [m].
    #[inline]
    pub(super) fn is_at(&self, [x, y]: [f64; 2], short: f64) -> bool {
        (self.place[0] - x).abs() <= short && (self.place[1] - y).abs() <= short
    }
}

/// The memory of an overlay.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    pub(super) sides_a: Vec<PatchSide>,
    pub(super) sides_b: Vec<PatchSide>,
    /// What was found, in order around the common part.
    pub(super) patch_points: Vec<PatchPoint>,
    /// Differences that counted as none [m].
    room: f64,
}

/// The contact plane seen along the normal.
pub(super) struct View {
    pub(super) normal: Vec3,
    across: (Vec3, Vec3),
    /// A corner of the patches, so that far bodies lose no digits [m].
    origin: Vec3,
    /// Differences that count as none [m].
    pub(super) room: f64,
}

impl View {
    fn new(normal: Vec3, origin: Vec3, room: f64) -> Self {
        Self { normal, across: tangents(&normal), origin, room }
    }

    #[inline]
    pub(super) fn flat(&self, point: &Vec3) -> [f64; 2] {
        let p = point - self.origin;
        [self.across.0.dot(&p), self.across.1.dot(&p)]
    }

    #[inline]
    pub(super) fn patch_point(&self, point_a: Vec3, gap: f64, id: ContactId) -> PatchPoint {
        PatchPoint { place: self.flat(&point_a), point_a, gap, id, turn: 0.0 }
    }

    /// How far B's surface lies above a point of A, along the normal [m].
    #[inline]
    fn gap_below(&self, b: &Patch, point_a: &Vec3) -> f64 {
        // From zero: the negative of none would be -0.
        0.0 - b.rise(point_a, &-self.normal)
    }

    /// How far a point of B lies above A's surface, along the normal [m].
    #[inline]
    fn gap_above(&self, a: &Patch, point_b: &Vec3) -> f64 {
        0.0 - a.rise(point_b, &self.normal)
    }

    fn fill(&self, patch: &Patch, sides: &mut Vec<PatchSide>) {
        sides.clear();
        let count = patch.corners.len();
        let first = self.flat(&patch.corners[0].point);
        let mut start = first;
        for k in 1..=count {
            let end = if k == count { first } else { self.flat(&patch.corners[k].point) };
            let along = [end[0] - start[0], end[1] - start[1]];
            sides.push(PatchSide { start, along, length: along[0].abs() + along[1].abs() });
            start = end;
        }
    }
}

impl Overlay {
    /// Finds the contacts of two patches, in order around their common part; none where there is no common part.
    pub(super) fn lay(&mut self, [a, b]: [&Patch; 2], normal: &Vec3, room: f64) {
        self.patch_points.clear();
        self.room = room;
        let view = View::new(*normal, b.corners[0].point, room);
        view.fill(a, &mut self.sides_a);
        view.fill(b, &mut self.sides_b);
        match (a.corners.len(), b.corners.len()) {
            // Nearest points stand for themselves.
            (1, 1 | 2) | (2, 1) => {}
            (1, _) => self.point_of_a(&view, &a.corners[0], b),
            (_, 1) => self.point_of_b(&view, a, &b.corners[0]),
            (2, 2) => self.two_segments(&view, a, b),
            (2, _) => self.segment_of_a(&view, a, b),
            (_, 2) => self.segment_of_b(&view, a, b),
            _ => self.polygons(&view, a, b),
        }
    }

    /// Differences that counted as none [m].
    pub(super) fn room(&self) -> f64 {
        self.room
    }

    /// Whether a place of the contact plane lies inside the polygon of A (0) or B (1), and not on its border.
    pub(super) fn is_within(&self, which: usize, place: [f64; 2]) -> bool {
        let sides = if which == 0 { &self.sides_a } else { &self.sides_b };
        sides.iter().all(|side| side.inside(place) > self.room * side.length)
    }

    /// Whether both patches laid last have a point at a place of the contact plane, to `room` [m].
    pub(super) fn is_over(&self, place: [f64; 2], room: f64) -> bool {
        holds(&self.sides_a, place, room) && holds(&self.sides_b, place, room)
    }

    /// How far the patches laid last must be moved across the normal, at least, to lie over each other no more [m]; negative where they do not.
    ///
    /// In two dimensions the separating axes are those of the sides.
    pub(super) fn footprint(&self, [a, b]: [&Patch; 2]) -> f64 {
        let reach = |sides: &[PatchSide], others: &[PatchSide]| {
            let over = |side: &PatchSide| {
                let inside = others.iter().map(|other| side.inside(other.start));
                let largest = inside.fold(f64::NEG_INFINITY, f64::max);
                // A side that rounding has left without length holds nothing back.
                if side.length > 0.0 { largest / side.length } else { 0.0 }
            };
            sides.iter().map(over).fold(f64::INFINITY, f64::min)
        };
        let of_a = if a.corners.len() > 1 { reach(&self.sides_a, &self.sides_b) } else { f64::INFINITY };
        let of_b = if b.corners.len() > 1 { reach(&self.sides_b, &self.sides_a) } else { f64::INFINITY };
        of_a.min(of_b)
    }

    /// Adds the vertices around one patch that lie over the other, a face, and are not among the contacts: where edges of a fine hull are equally low, which of them is the patch changes at once, and forces must not.
    pub(super) fn add_fans(&mut self, [a, b]: [&Patch; 2], normal: &Vec3) {
        let view = View::new(*normal, b.corners[0].point, self.room);
        let count = self.patch_points.len();
        let fan_of_a = a.fan.iter().filter(|_| b.is_polygon());
        for corner in fan_of_a {
            let id = ContactId { a: corner.name, b: b.name };
            let new = view.patch_point(corner.point, view.gap_below(b, &corner.point), id);
            let is_known = self.patch_points[..count].iter().any(|known| known.id.a == corner.name);
            if !is_known && holds(&self.sides_b, new.place, view.room) {
                self.patch_points.push(new);
            }
        }
        let fan_of_b = b.fan.iter().filter(|_| a.is_polygon());
        for corner in fan_of_b {
            let new = above(&view, a, corner);
            let is_known = self.patch_points[..count].iter().any(|known| known.id.b == corner.name);
            if !is_known && holds(&self.sides_a, new.place, view.room) {
                self.patch_points.push(new);
            }
        }
    }

    /// A corner of A under a polygon of B.
    fn point_of_a(&mut self, view: &View, corner: &Corner, b: &Patch) {
        let patch_point = view.patch_point(
            corner.point,
            view.gap_below(b, &corner.point),
            ContactId { a: corner.name, b: b.name },
        );
        if holds(&self.sides_b, patch_point.place, view.room) {
            self.patch_points.push(patch_point);
        }
    }

    /// A corner of B over a polygon of A.
    fn point_of_b(&mut self, view: &View, a: &Patch, corner: &Corner) {
        let patch_point = above(view, a, corner);
        if holds(&self.sides_a, patch_point.place, view.room) {
            self.patch_points.push(patch_point);
        }
    }

    /// Two polygons: what each side of A leaves inside B, and the corners of B inside A.
    fn polygons(&mut self, view: &View, a: &Patch, b: &Patch) {
        let count = a.corners.len();
        for i in 0..count {
            let (start, end) = (self.sides_a[i].start, self.sides_a[(i + 1) % count].start);
            let Some(cut) = cut(start, end, &self.sides_b, view.room) else { continue };
            let (from, to) = (a.corners[i], a.corners[(i + 1) % count]);
            let on_side = |t: f64, j: usize| {
                let point = from.point + (to.point - from.point) * t;
                // A chord may run below the surface that it stands for.
                let point = if a.is_plain() && b.is_plain() {
                    point
                } else {
                    let point = crossing(&Curve::of(a, i), &Curve::of(b, j), &view.normal, point);
                    point - view.normal * view.gap_above(a, &point)
                };
                let id = ContactId { a: from.side, b: b.corners[j].side };
                view.patch_point(point, view.gap_below(b, &point), id)
            };
            if cut.entry.is_none() {
                let id = ContactId { a: from.name, b: b.name };
                self.patch_points.push(view.patch_point(from.point, view.gap_below(b, &from.point), id));
            }
            // A side that is cut where it starts or ends is not cut: its corner lies on the border of B.
            let (first, last) = (cut.entry.map_or(0.0, |(t, _)| t), cut.exit.map_or(1.0, |(t, _)| t));
            let is_long = (last - first) * self.sides_a[i].length > SHORT * view.room;
            if let Some((t, j)) = cut.entry.filter(|_| is_long || cut.exit.is_some()) {
                self.patch_points.push(on_side(t, j));
            }
            if let Some((t, j)) = cut.exit.filter(|_| is_long) {
                self.patch_points.push(on_side(t, j));
            }
        }
        let of_a = self.patch_points.len();
        for j in 0..b.corners.len() {
            let place = self.sides_b[j].start;
            if !holds(&self.sides_a, place, view.room) {
                continue;
            }
            let patch_point = above(view, a, &b.corners[j]);
            // A corner of A in the same place has been found already; a crossing of sides there is this corner.
            let here =
                self.patch_points[..of_a].iter().position(|found| found.is_at(place, SHORT * view.room));
            match here {
                None => self.patch_points.push(patch_point),
                Some(k) if a.corners.iter().any(|corner| corner.name == self.patch_points[k].id.a) => {}
                Some(k) => self.patch_points[k] = patch_point,
            }
        }
        // What lies on the sides of A is in order, and so are the corners of B.
        if of_a > 0 && self.patch_points.len() > of_a {
            self.put_in_order();
        }
    }

    /// Puts the contacts in order around their middle.
    fn put_in_order(&mut self) {
        let count = self.patch_points.len() as f64;
        let sum = self
            .patch_points
            .iter()
            .fold([0.0, 0.0], |[x, y], patch_point| [x + patch_point.place[0], y + patch_point.place[1]]);
        let middle = [sum[0] / count, sum[1] / count];
        for patch_point in &mut self.patch_points {
            let (x, y) = (patch_point.place[0] - middle[0], patch_point.place[1] - middle[1]);
            let size = x.abs() + y.abs();
            let part = if size > 0.0 { y / size } else { 0.0 };
            patch_point.turn = match (x < 0.0, y < 0.0) {
                (true, _) => 2.0 - part,
                (false, true) => 4.0 + part,
                (false, false) => part,
            };
        }
        self.patch_points.sort_unstable_by(|p, q| p.turn.total_cmp(&q.turn).then_with(|| p.id.cmp(&q.id)));
    }

    /// A segment of A over a polygon of B.
    fn segment_of_a(&mut self, view: &View, a: &Patch, b: &Patch) {
        let [from, to] = [a.corners[0], a.corners[1]];
        let Some(cut) = cut(self.sides_a[0].start, self.sides_a[1].start, &self.sides_b, view.room) else {
            return;
        };
        let end = |end: Option<(f64, usize)>, corner: &Corner| match end {
            None => (corner.point, ContactId { a: corner.name, b: b.name }),
            Some((t, j)) => {
                let id = ContactId { a: from.side, b: b.corners[j].side };
                let point = from.point + (to.point - from.point) * t;
                (on_segment(view, a, b, j, point), id)
            }
        };
        for (point, id) in one_or_both([end(cut.entry, &from), end(cut.exit, &to)], view.room) {
            self.patch_points.push(view.patch_point(point, view.gap_below(b, &point), id));
        }
    }

    /// A segment of B over a polygon of A.
    fn segment_of_b(&mut self, view: &View, a: &Patch, b: &Patch) {
        let [from, to] = [b.corners[0], b.corners[1]];
        let Some(cut) = cut(self.sides_b[0].start, self.sides_b[1].start, &self.sides_a, view.room) else {
            return;
        };
        let end = |end: Option<(f64, usize)>, corner: &Corner| match end {
            None => (corner.point, ContactId { a: a.name, b: corner.name }),
            Some((t, j)) => {
                let id = ContactId { a: a.corners[j].side, b: from.side };
                let point = from.point + (to.point - from.point) * t;
                (on_segment(view, b, a, j, point), id)
            }
        };
        for (point, id) in one_or_both([end(cut.entry, &from), end(cut.exit, &to)], view.room) {
            let gap = view.gap_above(a, &point);
            self.patch_points.push(view.patch_point(point - view.normal * gap, gap, id));
        }
    }
}

/// Where a segment crosses a side of another patch, given where it crosses the side's chord.
fn on_segment(view: &View, segment: &Patch, other: &Patch, index: usize, chord: Vec3) -> Vec3 {
    if other.is_plain() {
        return chord;
    }
    // On the rim, and from there back to the segment along the normal.
    let on_rim = crossing(&Curve::of(segment, 0), &Curve::of(other, index), &view.normal, chord);
    let (from, along) = (segment.corners[0].point, segment.corners[1].point - segment.corners[0].point);
    let flat = along - view.normal * view.normal.dot(&along);
    let part = flat.dot(&(on_rim - from)) / flat.norm_squared();
    from + along * part.clamp(0.0, 1.0)
}

/// Whether a place lies inside a convex polygon, or on its border to `room`.
#[inline]
fn holds(sides: &[PatchSide], place: [f64; 2], room: f64) -> bool {
    sides.iter().all(|side| side.inside(place) >= -room * side.length)
}

/// A corner of B over the surface of A.
fn above(view: &View, a: &Patch, corner: &Corner) -> PatchPoint {
    let gap = view.gap_above(a, &corner.point);
    let id = ContactId { a: a.name, b: corner.name };
    PatchPoint {
        place: view.flat(&corner.point),
        point_a: corner.point - view.normal * gap,
        gap,
        id,
        turn: 0.0,
    }
}

/// The two ends of a segment, or the first one of a point; a corner precedes a crossing.
fn one_or_both(ends: [(Vec3, ContactId); 2], room: f64) -> impl Iterator<Item = (Vec3, ContactId)> {
    let is_point = (ends[1].0 - ends[0].0).amax() <= SHORT * room;
    let skipped = is_point.then(|| usize::from(is_corner(&ends[0].1) || !is_corner(&ends[1].1)));
    ends.into_iter().enumerate().filter(move |(k, _)| Some(*k) != skipped).map(|(_, end)| end)
}

/// Whether a contact is a corner of one patch within the other, and not a crossing of sides.
fn is_corner(id: &ContactId) -> bool {
    matches!(id.a, Feature::Vertex(_)) || matches!(id.b, Feature::Vertex(_))
}

/// The part of a segment inside a convex polygon: where it enters and where it leaves, with the sides it crosses; none for its own ends.
struct Cut {
    entry: Option<(f64, usize)>,
    exit: Option<(f64, usize)>,
}

/// Cuts a segment with a convex polygon; nothing where it lies outside by more than `room`.
#[inline]
fn cut(start: [f64; 2], end: [f64; 2], sides: &[PatchSide], room: f64) -> Option<Cut> {
    let mut cut = Cut { entry: None, exit: None };
    let (mut first, mut last) = (0.0, 1.0);
    for (j, side) in sides.iter().enumerate() {
        let (d0, d1) = (side.inside(start), side.inside(end));
        let limit = -room * side.length;
        match (d0 < limit, d1 < limit) {
            (false, false) => {}
            (true, true) => return None,
            (true, false) => {
                let t = (d0 / (d0 - d1)).min(1.0);
                if t >= first {
                    first = t;
                    cut.entry = Some((t, j));
                }
            }
            (false, true) => {
                let t = (d0 / (d0 - d1)).max(0.0);
                if t <= last {
                    last = t;
                    cut.exit = Some((t, j));
                }
            }
        }
    }
    (first <= last).then_some(cut)
}
