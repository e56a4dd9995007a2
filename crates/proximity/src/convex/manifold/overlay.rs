//! Where two patches lie over each other, seen along the contact normal: the corners of their common part.
//!
//! In: the patch of A, counter-clockwise about the normal, that of B in the same sense, and the normal. Out: contacts in A's frame, in
//! order around the common part. Corners of a patch are kept as they are, so that nothing is lost to the projection; ties within
//! `room` count as lying inside, which keeps names from flickering where borders coincide.

use zerogap_core::{Contact, ContactId, Vec3};

use super::patch::{Corner, Patch, is_lying};

/// Common parts shorter than this many times the room are points [-].
const SHORT: f64 = 4.0;

/// Lines of two edges count as one where they are this many times the room apart, at most [-].
const IN_LINE: f64 = 1e3;

/// A side of a polygon in the contact plane.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// Where it starts [m].
    start: [f64; 2],
    /// Unit direction [-]; zero for a side without length.
    along: [f64; 2],
    /// How long it is [m].
    length: f64,
}

impl Side {
    /// How far a point lies to the left, which is inside [m].
    #[inline]
    fn inside(&self, [x, y]: [f64; 2]) -> f64 {
        self.along[0] * (y - self.start[1]) - self.along[1] * (x - self.start[0])
    }
}

/// The memory of an overlay.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    sides_a: Vec<Side>,
    sides_b: Vec<Side>,
    /// Contacts with their place in the contact plane.
    found: Vec<([f64; 2], Contact)>,
}

/// The contact plane seen along the normal.
struct View {
    normal: Vec3,
    across: [Vec3; 2],
    /// Near the contact, so that far bodies lose no digits [m].
    origin: Vec3,
    /// Differences that count as none [m].
    room: f64,
}

impl View {
    fn new(normal: Vec3, origin: Vec3, room: f64) -> Self {
        // Across the axis that is farthest from the normal: along a coordinate axis the view has no rounding.
        let axis = normal.abs().imin();
        let mut first = Vec3::zeros();
        first[axis] = 1.0;
        let first = (first - normal * normal[axis]).normalize();
        Self { normal, across: [first, normal.cross(&first)], origin, room }
    }

    #[inline]
    fn flat(&self, point: &Vec3) -> [f64; 2] {
        let p = point - self.origin;
        [self.across[0].dot(&p), self.across[1].dot(&p)]
    }

    fn contact(&self, point_a: Vec3, gap: f64, id: ContactId) -> Contact {
        Contact { gap, normal: self.normal, point_a, point_b: point_a + self.normal * gap, id }
    }

    /// How far B's plane lies above a point of A, along the normal [m].
    #[inline]
    fn gap_below(&self, plane_b: &Patch, point_a: &Vec3) -> f64 {
        plane_b.normal.dot(&(plane_b.corners[0].point - point_a)) / plane_b.normal.dot(&self.normal)
    }

    /// How far a point of B lies above A's plane, along the normal [m].
    #[inline]
    fn gap_above(&self, plane_a: &Patch, point_b: &Vec3) -> f64 {
        plane_a.normal.dot(&(point_b - plane_a.corners[0].point)) / plane_a.normal.dot(&self.normal)
    }

    fn fill(&self, patch: &Patch, sides: &mut Vec<Side>) {
        sides.clear();
        let count = patch.corners.len();
        let first = self.flat(&patch.corners[0].point);
        let mut start = first;
        for k in 1..=count {
            let end = if k == count { first } else { self.flat(&patch.corners[k].point) };
            let along = [end[0] - start[0], end[1] - start[1]];
            let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
            let scale = if length > 0.0 { length.recip() } else { 0.0 };
            sides.push(Side { start, along: along.map(|x| x * scale), length });
            start = end;
        }
    }
}

impl Overlay {
    /// The contacts of two patches, in order around their common part; none where there is no common part.
    pub(super) fn lay(
        &mut self,
        [a, b]: [&Patch; 2],
        normal: &Vec3,
        origin: &Vec3,
        room: f64,
        contacts: &mut Vec<Contact>,
    ) {
        let view = View::new(*normal, *origin, room);
        self.found.clear();
        match (a.corners.len(), b.corners.len()) {
            (1, _) | (_, 1) => {}
            (2, 2) => self.two_segments(&view, a, b),
            (2, _) => {
                view.fill(b, &mut self.sides_b);
                self.segment_of_a(&view, a, b);
            }
            (_, 2) => {
                view.fill(a, &mut self.sides_a);
                self.segment_of_b(&view, a, b);
            }
            _ => {
                view.fill(a, &mut self.sides_a);
                view.fill(b, &mut self.sides_b);
                self.polygons(&view, a, b);
                self.put_in_order();
            }
        }
        contacts.extend(self.found.iter().map(|(_, contact)| *contact));
    }

    fn push(&mut self, view: &View, contact: Contact) {
        self.found.push((view.flat(&contact.point_a), contact));
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
                let id = ContactId { a: from.side, b: b.corners[j].side };
                view.contact(point, view.gap_below(b, &point), id)
            };
            if cut.entry.is_none() {
                let id = ContactId { a: from.name, b: b.name };
                self.push(view, view.contact(from.point, view.gap_below(b, &from.point), id));
            }
            // A side that is cut where it starts or ends is not cut: its corner lies on the border of B.
            let (first, last) = (cut.entry.map_or(0.0, |(t, _)| t), cut.exit.map_or(1.0, |(t, _)| t));
            let is_long = (last - first) * self.sides_a[i].length > SHORT * view.room;
            if let Some((t, j)) = cut.entry.filter(|_| is_long || cut.exit.is_some()) {
                self.push(view, on_side(t, j));
            }
            if let Some((t, j)) = cut.exit.filter(|_| is_long) {
                self.push(view, on_side(t, j));
            }
        }
        for j in 0..b.corners.len() {
            let place = self.sides_b[j].start;
            if !self.sides_a.iter().all(|side| side.inside(place) >= -view.room) {
                continue;
            }
            let corner = b.corners[j];
            let gap = view.gap_above(a, &corner.point);
            let id = ContactId { a: a.name, b: corner.name };
            let contact = view.contact(corner.point - view.normal * gap, gap, id);
            // A corner of A in the same place has been found already; a crossing of sides there is this corner.
            let short = SHORT * view.room;
            let here = |found: &([f64; 2], Contact)| {
                (found.0[0] - place[0]).abs() <= short && (found.0[1] - place[1]).abs() <= short
            };
            match self.found.iter().position(here) {
                None => self.found.push((place, contact)),
                Some(k) if a.corners.iter().any(|corner| corner.name == self.found[k].1.id.a) => {}
                Some(k) => self.found[k] = (place, contact),
            }
        }
    }

    /// Puts the contacts in order around their middle.
    fn put_in_order(&mut self) {
        let count = self.found.len() as f64;
        let sum = self.found.iter().fold([0.0, 0.0], |sum, (at, _)| [sum[0] + at[0], sum[1] + at[1]]);
        let middle = [sum[0] / count, sum[1] / count];
        // Grows with the angle from the first direction, from 0 to 4.
        let angle = |at: [f64; 2]| {
            let (x, y) = (at[0] - middle[0], at[1] - middle[1]);
            let size = x.abs() + y.abs();
            let part = if size > 0.0 { y / size } else { 0.0 };
            match (x < 0.0, y < 0.0) {
                (true, _) => 2.0 - part,
                (false, true) => 4.0 + part,
                (false, false) => part,
            }
        };
        self.found.sort_unstable_by(|(p, first), (q, second)| {
            angle(*p).total_cmp(&angle(*q)).then_with(|| first.id.cmp(&second.id))
        });
    }

    /// A segment of A over a polygon of B.
    fn segment_of_a(&mut self, view: &View, a: &Patch, b: &Patch) {
        let [from, to] = [a.corners[0], a.corners[1]];
        let Some(cut) = cut(view.flat(&from.point), view.flat(&to.point), &self.sides_b, view.room) else {
            return;
        };
        let end = |end: Option<(f64, usize)>, corner: &Corner| match end {
            None => (corner.point, ContactId { a: corner.name, b: b.name }),
            Some((t, j)) => {
                let id = ContactId { a: from.side, b: b.corners[j].side };
                (from.point + (to.point - from.point) * t, id)
            }
        };
        for (point, id) in one_or_both([end(cut.entry, &from), end(cut.exit, &to)], view.room) {
            self.push(view, view.contact(point, view.gap_below(b, &point), id));
        }
    }

    /// A segment of B over a polygon of A.
    fn segment_of_b(&mut self, view: &View, a: &Patch, b: &Patch) {
        let [from, to] = [b.corners[0], b.corners[1]];
        let Some(cut) = cut(view.flat(&from.point), view.flat(&to.point), &self.sides_a, view.room) else {
            return;
        };
        let end = |end: Option<(f64, usize)>, corner: &Corner| match end {
            None => (corner.point, ContactId { a: a.name, b: corner.name }),
            Some((t, j)) => {
                let id = ContactId { a: a.corners[j].side, b: from.side };
                (from.point + (to.point - from.point) * t, id)
            }
        };
        for (point, id) in one_or_both([end(cut.entry, &from), end(cut.exit, &to)], view.room) {
            let gap = view.gap_above(a, &point);
            self.push(view, view.contact(point - view.normal * gap, gap, id));
        }
    }

    /// Two segments: the ends of the part that they run beside each other, and where they cross.
    fn two_segments(&mut self, view: &View, a: &Patch, b: &Patch) {
        view.fill(a, &mut self.sides_a);
        view.fill(b, &mut self.sides_b);
        let ([p, q], [r, s]) = ([&a.corners[0], &a.corners[1]], [&b.corners[0], &b.corners[1]]);
        let (line_a, line_b) = (self.sides_a[0], self.sides_b[0]);
        let id = ContactId { a: p.side, b: r.side };
        // Where they cross, seen along the normal, unless they are in one line.
        let ends = [self.sides_a[0].start, self.sides_a[1].start].map(|end| line_b.inside(end));
        let in_line = ends.iter().all(|offset| offset.abs() <= IN_LINE * view.room);
        if !in_line {
            let ends_b = [self.sides_b[0].start, self.sides_b[1].start].map(|end| line_a.inside(end));
            let (t, u) = (part(ends), part(ends_b));
            let point_a = p.point + (q.point - p.point) * t;
            let point_b = r.point + (s.point - r.point) * u;
            self.push(view, view.contact(point_a, view.normal.dot(&(point_b - point_a)), id));
        }
        // Lines that cross at a wide angle meet in a point, however deep.
        let turn = line_a.along[0] * line_b.along[1] - line_a.along[1] * line_b.along[0];
        if !in_line && !is_lying(turn, 1.0) {
            return;
        }
        // The ends of each that lie beside the other, as far as round surfaces still meet there.
        for end in [p, q] {
            if let Some((point, other)) = beside(view, &end.point, r, s) {
                self.push_beside(
                    view,
                    (end.point, end.round),
                    (point, r.round),
                    in_line,
                    ContactId { a: end.name, b: other.unwrap_or(id.b) },
                );
            }
        }
        for end in [r, s] {
            if let Some((point, other)) = beside(view, &end.point, p, q)
                // Ends that face each other have been met already.
                && other.is_none()
            {
                self.push_beside(
                    view,
                    (point, p.round),
                    (end.point, end.round),
                    in_line,
                    ContactId { a: id.a, b: end.name },
                );
            }
        }
    }

    /// The contact of two lines, round across or sharp, at a point of each that lie beside each other.
    fn push_beside(&mut self, view: &View, a: (Vec3, f64), b: (Vec3, f64), in_line: bool, id: ContactId) {
        let between = b.0 - a.0;
        let height = view.normal.dot(&between);
        let aside = between - view.normal * height;
        let (squared, round) = (aside.norm_squared(), a.1 + b.1);
        if in_line {
            self.push(view, view.contact(a.0, height, id));
        } else if squared < round * round {
            // As two balls pass each other: each surface falls away from its crest.
            let drop = 1.0 - (1.0 - squared / (round * round)).sqrt();
            let point_a = a.0 + aside * (a.1 / round) - view.normal * (a.1 * drop);
            self.push(view, view.contact(point_a, height + round * drop, id));
        }
    }
}

/// The point of a segment beside another point, seen along the normal, and the name of the end that it is; none beyond its ends.
fn beside(
    view: &View,
    point: &Vec3,
    from: &Corner,
    to: &Corner,
) -> Option<(Vec3, Option<zerogap_core::Feature>)> {
    let ([x, y], [x0, y0], [x1, y1]) = (view.flat(point), view.flat(&from.point), view.flat(&to.point));
    let squared = (x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0);
    let length = squared.sqrt();
    let along = (x - x0) * (x1 - x0) + (y - y0) * (y1 - y0);
    // In units of length from each end.
    let short = view.room * length;
    if along < -short || along > squared + short || squared <= 0.0 {
        return None;
    }
    if along <= short {
        return Some((from.point, Some(from.name)));
    }
    if along >= squared - short {
        return Some((to.point, Some(to.name)));
    }
    Some((from.point + (to.point - from.point) * (along / squared), None))
}

/// Where a value passes zero between two ends, from 0 to 1.
fn part([first, last]: [f64; 2]) -> f64 {
    let t = first / (first - last);
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.5 }
}

/// The two ends of a segment, or the first one of a point; a corner goes before a crossing.
fn one_or_both(ends: [(Vec3, ContactId); 2], room: f64) -> impl Iterator<Item = (Vec3, ContactId)> {
    let is_point = (ends[1].0 - ends[0].0).amax() <= SHORT * room;
    let skipped = is_point.then(|| usize::from(is_corner(&ends[0].1) || !is_corner(&ends[1].1)));
    ends.into_iter().enumerate().filter(move |(k, _)| Some(*k) != skipped).map(|(_, end)| end)
}

/// Whether a contact is a corner of one patch within the other, and not a crossing of sides.
fn is_corner(id: &ContactId) -> bool {
    use zerogap_core::Feature::Vertex;
    matches!(id.a, Vertex(_)) || matches!(id.b, Vertex(_))
}

/// The part of a segment inside a convex polygon: where it comes in and where it goes out, with the sides it crosses; none for its own ends.
struct Cut {
    entry: Option<(f64, usize)>,
    exit: Option<(f64, usize)>,
}

/// Cuts a segment with a convex polygon; nothing where it lies outside by more than `room`.
#[inline]
fn cut(start: [f64; 2], end: [f64; 2], sides: &[Side], room: f64) -> Option<Cut> {
    let mut cut = Cut { entry: None, exit: None };
    let (mut first, mut last) = (0.0, 1.0);
    for (j, side) in sides.iter().enumerate() {
        let (d0, d1) = (side.inside(start), side.inside(end));
        match (d0 < -room, d1 < -room) {
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
