//! The first contact of two bodies made of many pieces: meshes against meshes, and against convex shapes.
//!
//! In: two trees of boxes in motion. Out: an [`Impact`]. Pairs of boxes wait in the order of the time up to which they are proven free;
//! the first one is opened, and its children are proven free for as long as one step can. Pairs of pieces are chased to the end. What
//! waits for later than the first contact found is never checked.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use zerogap_core::{ContactId, Gap, Vec3};

use super::advance::{Span, advance, free_step};
use super::advancement::Advanced;
use super::impact::{Impact, ImpactParams, ImpactWork, first_contact_at, touching_by};
use super::parts::{Parts, SlabChase};
use super::probe::{Chase, ConvexChase};
use super::reach::Reach;
use super::{FirstContact, Motion};

/// Two bodies, each as parts, with their motions.
pub(super) struct Two<'a, A, B> {
    pub(super) a: &'a A,
    pub(super) motion_a: &'a Motion,
    pub(super) b: &'a B,
    pub(super) motion_b: &'a Motion,
}

/// Two nodes that are proven free before a time. The largest is the one with the earliest time, then the one deepest in the trees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Waiting {
    pub(super) t: f64,
    a: u32,
    b: u32,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.t.total_cmp(&self.t).then((self.a, self.b).cmp(&(other.a, other.b)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<A: Parts, B: Parts> Two<'_, A, B> {
    /// What rounding can hide anywhere in the motion [m].
    pub(super) fn rounding(&self, duration: f64) -> f64 {
        let whole = |center: Vec3, radius: f64, motion: &Motion| {
            Reach::of_points(&[center], radius, motion, duration).coordinates
        };
        let (a, b) = (self.a.slab(0), self.b.slab(0));
        super::probe::ROUNDINGS
            * (whole(a.center, a.radius(), self.motion_a) + whole(b.center, b.radius(), self.motion_b))
    }

    /// The time up to which two nodes are proven free, one step from `t` on; `span.to` to the end.
    fn free_until(&self, a: u32, b: u32, t: f64, span: &Span, rounding: f64) -> f64 {
        let (slab_a, slab_b) = (self.a.slab(a), self.b.slab(b));
        let mut pair = SlabChase::new(slab_a, self.motion_a, slab_b, self.motion_b, rounding);
        let gap = pair.gap(t);
        let room = gap.lower - rounding - span.level;
        if room <= 0.0 {
            return t;
        }
        t + free_step(&mut pair, t, &gap, room, span, rounding)
    }

    /// Calls `found` for pairs of pieces that may come nearer than the level, each with the time before which it is free, in the order of that time, and lets
    /// `found` say how long the search continues.
    pub(super) fn each_near(
        &self,
        span: &Span,
        rounding: f64,
        waiting: &mut BinaryHeap<Waiting>,
        mut found: impl FnMut(u32, u32, f64) -> f64,
    ) {
        waiting.clear();
        let mut end = span.to;
        waiting.push(Waiting { t: self.free_until(0, 0, span.from, span, rounding), a: 0, b: 0 });
        while let Some(Waiting { t, a, b }) = waiting.pop() {
            if t >= end {
                break;
            }
            let (children_a, children_b) = (self.a.children(a), self.b.children(b));
            let pairs = match (children_a, children_b) {
                (None, None) => {
                    for i in self.a.pieces(a) {
                        for j in self.b.pieces(b) {
                            end = end.min(found(i, j, t));
                        }
                    }
                    continue;
                }
                (Some(below), None) => below.map(|child| (child, b)),
                (None, Some(below)) => below.map(|child| (a, child)),
                // The larger one is opened.
                (Some(_), Some(below)) if self.b.slab(b).radius() > self.a.slab(a).radius() => {
                    below.map(|child| (a, child))
                }
                (Some(below), Some(_)) => below.map(|child| (child, b)),
            };
            for (a, b) in pairs {
                let t = self.free_until(a, b, t, span, rounding);
                if t < end {
                    waiting.push(Waiting { t, a, b });
                }
            }
        }
    }

    /// The first contact.
    pub(super) fn find_first_contact(
        &self,
        duration: f64,
        params: &ImpactParams,
        work: &mut ImpactWork,
    ) -> Impact {
        let rounding = self.rounding(duration);
        let tolerance = params.tolerance.max(8.0 * rounding);
        // In contact at the start: only closing in counts, by more than the tolerance.
        let touching = params.min_separation + tolerance;
        let span = Span {
            from: 0.0,
            to: duration,
            level: params.min_separation,
            tolerance,
            release: f64::INFINITY,
            max_steps: params.max_steps,
        };
        let (start, sunk) = self.start_gap(touching, rounding, &span, work);
        let level = start.map_or(params.min_separation, |start| start.gap - 2.0 * tolerance);
        let span = Span { level, ..span };
        let mut best = Impact::Clear;
        let ImpactWork { cache, steps, waiting, .. } = work;
        self.each_near(&span, rounding, waiting, |i, j, t| {
            let (a, b) = (self.a.piece(i), self.b.piece(j));
            let end = best.free_until(duration);
            let mut pair = ConvexChase::new(&a, self.motion_a, &b, self.motion_b, duration, cache);
            let span = Span { from: t, to: end, ..span };
            match advance(&mut pair, &span, steps) {
                Advanced::Limited { t, sample: gap } if t < end => best = Impact::Limited { t, gap: gap.gap },
                Advanced::Near { t, sample: gap, .. } if t < end => {
                    let upper = touching_by(&mut pair, t, &gap, duration, level, steps);
                    let features = self.features(i, j, t, &gap, tolerance);
                    best = Impact::At(FirstContact {
                        features: Some(features),
                        began_in_contact: start.is_some(),
                        ..first_contact_at(&pair, t, upper, &gap)
                    });
                }
                _ => {}
            }
            best.free_until(duration)
        });
        let best = match (best, start) {
            // Closing in from the start on.
            (Impact::At(contact), Some(start)) if start.gap_rate < 0.0 && contact.gap_rate < 0.0 => {
                Impact::At(start)
            }
            (best, _) => best,
        };
        earlier(best, sunk, duration)
    }

    /// The features of two pieces that hold the points of a gap at a time.
    fn features(&self, i: u32, j: u32, t: f64, gap: &Gap, near: f64) -> ContactId {
        let (pose_a, pose_b) = (self.motion_a.pose(t), self.motion_b.pose(t));
        ContactId {
            a: self.a.feature(i, &pose_a.inverse_transform_point(&gap.point_a), near),
            b: self.b.feature(j, &pose_b.inverse_transform_point(&gap.point_b), near),
        }
    }

    /// The contact at the start with the least gap, of those that close in first, none where all pieces are farther apart than `touching` [m];
    /// and what becomes of faces that lie on each other at the start, over the time of `span`.
    fn start_gap(
        &self,
        touching: f64,
        rounding: f64,
        span: &Span,
        work: &mut ImpactWork,
    ) -> (Option<FirstContact>, Impact) {
        // A time in which nothing moves.
        let near = touching + span.tolerance;
        let now = Span { to: f64::MIN_POSITIVE, level: near, tolerance: 0.0, max_steps: 1, ..*span };
        let (mut smallest, mut closing): (Option<FirstContact>, Option<FirstContact>) = (None, None);
        let ImpactWork { cache, steps, waiting, flush } = work;
        flush.clear();
        self.each_near(&now, rounding, waiting, |i, j, _| {
            let (a, b) = (self.a.piece(i), self.b.piece(j));
            let mut pair = ConvexChase::new(&a, self.motion_a, &b, self.motion_b, 0.0, cache);
            let gap = pair.gap(0.0);
            *steps += 1;
            if gap.gap <= touching {
                let features = self.features(i, j, 0.0, &gap, span.tolerance);
                let contact = FirstContact {
                    features: Some(features),
                    began_in_contact: true,
                    ..first_contact_at(&pair, 0.0, (0.0, true), &gap)
                };
                if smallest.is_none_or(|smallest| contact.gap < smallest.gap) {
                    smallest = Some(contact);
                }
                if contact.gap_rate < 0.0 && closing.is_none_or(|closing| contact.gap_rate < closing.gap_rate)
                {
                    closing = Some(contact);
                }
            }
            // A contact elsewhere may be nearer by rounding than the faces.
            if gap.gap <= near {
                flush.push((i, j));
            }
            f64::INFINITY
        });
        let start = smallest.map(|smallest| {
            closing.map_or(smallest, |closing| FirstContact { gap: smallest.gap, ..closing })
        });
        // Bodies that do not begin in contact are followed from outside.
        if start.is_none() {
            flush.clear();
        }
        // Each over the whole time, not only up to what others have found: faces that approach from the start collide at 0, however late they have sunk in by the tolerance.
        let sunk = flush.iter().fold(Impact::Clear, |sunk, faces| {
            let impact = self.sinking(*faces, near, rounding, span, steps);
            impact.map_or(sunk, |impact| earlier(sunk, impact, span.to))
        });
        (start, sunk)
    }
}

/// The weaker of two answers: the earlier end of what is proven free, and the first of two at the same time.
fn earlier(first: Impact, second: Impact, duration: f64) -> Impact {
    let is_later = second.free_until(duration) >= first.free_until(duration);
    if second == Impact::Clear || (is_later && first != Impact::Clear) { first } else { second }
}
