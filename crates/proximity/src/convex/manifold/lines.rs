//! Two segments over each other: edges that cross or run along each other, and round lines beside each other.
//!
//! In: the segments of A and B, seen along the contact normal. Out: points where the lines cross, and at the ends of their common part where they are
//! in one line, or where round surfaces still touch beside each other.

use zerogap_core::{ContactId, Feature, Vec3};

use super::overlay::{Overlay, View};
use super::patch::{Corner, Patch, is_lying};

/// Lines of two edges count as one where they are this many times the room apart, at most [-].
const IN_LINE: f64 = 1e3;

impl Overlay {
    /// Two segments: the ends of the part that they run beside each other, and where they cross.
    pub(super) fn two_segments(&mut self, view: &View, a: &Patch, b: &Patch) {
        let ([p, q], [r, s]) = ([&a.corners[0], &a.corners[1]], [&b.corners[0], &b.corners[1]]);
        let (line_a, line_b) = (self.sides_a[0], self.sides_b[0]);
        let id = ContactId { a: p.side, b: r.side };
        let offsets = [self.sides_a[0].start, self.sides_a[1].start].map(|end| line_b.inside(end));
        let in_line = offsets.iter().all(|offset| offset.abs() <= IN_LINE * view.room * line_b.length);
        // Lines that cross at a wide angle touch in a point, however deep.
        let [squared_a, squared_b] =
            [line_a, line_b].map(|line| line.along.iter().map(|x| x * x).sum::<f64>());
        let turn = line_a.along[0] * line_b.along[1] - line_a.along[1] * line_b.along[0];
        let is_wide = !in_line && !is_lying(turn, squared_a * squared_b);
        // The ends of each that lie beside the other, as far as round surfaces still touch there.
        for end in [p, q].into_iter().filter(|_| !is_wide) {
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
        for end in [r, s].into_iter().filter(|_| !is_wide) {
            if let Some((point, other)) = beside(view, &end.point, p, q)
                // Ends that face each other have been added already.
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
        // Where they cross, unless they are in one line or cross at an end that has been added.
        if in_line {
            return;
        }
        let offsets_b = [self.sides_b[0].start, self.sides_b[1].start].map(|end| line_a.inside(end));
        if let (Some(t), Some(u)) = (part(offsets), part(offsets_b)) {
            let point_a = p.point + (q.point - p.point) * t;
            let point_b = r.point + (s.point - r.point) * u;
            let crossing = view.patch_point(point_a, view.normal.dot(&(point_b - point_a)), id);
            if !self
                .patch_points
                .iter()
                .any(|patch_point| patch_point.is_at(crossing.place, IN_LINE * view.room))
            {
                self.patch_points.push(crossing);
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
            self.patch_points.push(view.patch_point(a.0, height, id));
        } else if squared < round * round {
            // As two balls pass each other: each surface falls away from its crest.
            let drop = 1.0 - (1.0 - squared / (round * round)).sqrt();
            let point_a = a.0 + aside * (a.1 / round) - view.normal * (a.1 * drop);
            self.patch_points.push(view.patch_point(point_a, height + round * drop, id));
        }
    }
}

/// The point of a segment beside another point, seen along the normal, and the name of the end that it is; none beyond its ends.
fn beside(view: &View, point: &Vec3, from: &Corner, to: &Corner) -> Option<(Vec3, Option<Feature>)> {
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

/// Where a value passes zero between two ends, from 0 to 1; nowhere when it has the same sign at both.
fn part([first, last]: [f64; 2]) -> Option<f64> {
    let t = first / (first - last);
    (0.0..=1.0).contains(&t).then_some(t)
}
