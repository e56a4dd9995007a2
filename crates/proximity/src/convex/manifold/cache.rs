//! What a pair keeps from step to step, and the memory that manifolds are made in.

use std::cell::RefCell;
use std::sync::Arc;

use zerogap_core::math::Mat3;
use zerogap_core::{ContactId, Gap, Manifold, Pose, Vec3};
use zerogap_geometry::ConvexShape;

use super::super::warm::Warm;
use super::ContactParams;
use super::facing::facing;
use super::normal::PlacedShapes;
use super::overlay::Overlay;
use super::patch::Patch;
use super::quadrature::Quadrature;
use super::settled::proof;

/// Memory that a query overwrites.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) patches: [Patch; 2],
    pub(super) overlay: Overlay,
    pub(super) quadrature: Quadrature,
}

thread_local! {
    static WORK: RefCell<Work> = RefCell::default();
}

impl Work {
    /// The patches of A and B.
    pub(super) fn both(&self) -> [&Patch; 2] {
        let [a, b] = &self.patches;
        [a, b]
    }

    /// Fills the patches that face a normal, both in A's frame and in the same sense.
    pub(super) fn update(&mut self, normal: &Vec3, both: &PlacedShapes<'_>, params: &ContactParams) {
        let (PlacedShapes { a, b, at }, [patch_a, patch_b]) = (both, &mut self.patches);
        patch_a.wants_fan = params.quadrature.is_some();
        patch_b.wants_fan = params.quadrature.is_some();
        facing(a, normal, params.arc_tolerance, patch_a);
        facing(b, &-at.R_AB.tr_mul(normal), params.arc_tolerance, patch_b);
        patch_b.place(|point| at.to_a(point), |direction| at.R_AB * direction);
        patch_b.reverse();
    }

    /// Lays the patches over each other.
    pub(super) fn lay(&mut self, normal: &Vec3, room: f64) {
        let Self { patches: [a, b], overlay, .. } = self;
        overlay.lay([a, b], normal, room);
    }

    /// Adds the vertices around the patches that lie over the other one.
    pub(super) fn add_fans(&mut self, normal: &Vec3) {
        let Self { patches: [a, b], overlay, .. } = self;
        overlay.add_fans([a, b], normal);
    }

    /// Fills in a quadrature of the patches; false where neither is a disc that lies over a face.
    pub(super) fn weigh(&mut self, normal: &Vec3, shared: f64, gap: &Gap) -> bool {
        let Self { patches: [a, b], quadrature, .. } = self;
        quadrature.fill([a, b], normal, shared, gap)
    }

    /// What the patches, laid over each other, prove of the gap.
    pub(super) fn proof(
        &self,
        normal: &Vec3,
        separation: f64,
        both: &PlacedShapes<'_>,
        size: f64,
    ) -> Option<Gap> {
        proof(&self.overlay, self.both(), normal, separation, both, size)
    }

    /// Runs a query in the memory of this thread.
    pub(super) fn with_own<T>(run: impl FnOnce(&mut Self) -> T) -> T {
        // Taken out, so that a support function of a user's shape may itself ask for contacts.
        let mut work = WORK.take();
        let answer = run(&mut work);
        WORK.replace(work);
        answer
    }
}

/// Cache of a pair between queries: features and normal, and the whole answer while nothing moves.
///
/// The gap of the shapes never depends on it. Where several normals are equally good, the one of the last query is kept, and the contacts
/// follow it; in all other cases contacts are those of a query without cache, bit for bit.
#[derive(Debug, Default)]
pub struct ContactCache {
    pub(super) warm: Warm,
    pub(super) work: Work,
    /// What was found last, in the order and the frame of the shape that comes first.
    pub(super) found: Option<KeptContacts>,
    /// Whether the last query had the shapes in the opposite order.
    is_swapped: bool,
    last: Option<Last>,
    /// The last answer, kept when the same question has come twice in a row.
    answer: Manifold,
    is_answered: bool,
}

/// What is kept of contacts.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeptContacts {
    /// Their normal [-].
    pub(super) normal: Vec3,
    /// The patches that face it.
    pub(super) patches: ContactId,
    /// Whether they proved the gap: then they may do so again.
    pub(super) is_settled: bool,
}

/// The last question.
#[derive(Debug)]
struct Last {
    shapes: [ConvexShape; 2],
    poses: [Pose; 2],
    params: ContactParams,
}

impl ContactCache {
    /// Forgets all about the pair; keeps the memory.
    pub fn clear(&mut self) {
        self.warm.forget();
        self.found = None;
        self.last = None;
        self.is_answered = false;
    }

    /// Records the order of the shapes: what the search kept of the other order is of no use, and the normal is rotated into
    /// the frame of the other shape by the rotation from its frame to that of the shape that comes first now.
    pub(super) fn turn(&mut self, is_swapped: bool, rotation: &Mat3) {
        if self.is_swapped != is_swapped {
            self.warm.forget();
            self.found = self.found.map(|found| KeptContacts {
                normal: -(rotation * found.normal),
                patches: found.patches.swapped(),
                ..found
            });
            self.is_swapped = is_swapped;
        }
    }

    /// Answers a question that is the last one again, where the answer was kept.
    pub(super) fn recall(
        &mut self,
        a: &ConvexShape,
        pose_a: &Pose,
        b: &ConvexShape,
        pose_b: &Pose,
        params: &ContactParams,
        manifold: &mut Manifold,
    ) -> bool {
        let is_known = self.is_answered
            && self.last.as_ref().is_some_and(|last| {
                last.poses == [*pose_a, *pose_b]
                    && last.params == *params
                    && is_same(&last.shapes[0], a)
                    && is_same(&last.shapes[1], b)
            });
        if is_known {
            manifold.copy_from(&self.answer);
        }
        is_known
    }

    /// Keeps a question, and its answer when it has come for the second time.
    pub(super) fn keep(
        &mut self,
        a: &ConvexShape,
        pose_a: &Pose,
        b: &ConvexShape,
        pose_b: &Pose,
        params: &ContactParams,
        manifold: &Manifold,
    ) {
        let poses = [*pose_a, *pose_b];
        match &mut self.last {
            Some(last) if is_same(&last.shapes[0], a) && is_same(&last.shapes[1], b) => {
                self.is_answered = last.poses == poses && last.params == *params;
                (last.poses, last.params) = (poses, *params);
                if self.is_answered {
                    self.answer.copy_from(manifold);
                }
            }
            _ => {
                self.last = Some(Last { shapes: [a.clone(), b.clone()], poses, params: *params });
                self.is_answered = false;
            }
        }
    }
}

/// Whether two shapes are one, without comparing their corners.
fn is_same(first: &ConvexShape, second: &ConvexShape) -> bool {
    use ConvexShape as S;
    match (first, second) {
        (S::Polyhedron(p), S::Polyhedron(q)) => Arc::ptr_eq(p, q),
        (S::Polygon(p), S::Polygon(q)) => Arc::ptr_eq(p, q),
        (S::Rounded(p), S::Rounded(q)) => Arc::ptr_eq(p, q),
        (S::User(_), S::User(_)) => false,
        _ => first == second,
    }
}
