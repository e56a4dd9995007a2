//! All pairs of faces that make a quasi-LMD: by walking both hierarchies, on one thread or several, or from a list that the last walk left.
//!
//! In: two placed complexes. Out: contacts of faces in any order, but always the same ones: the test on faces decides, whatever led to it. A list holds every pair that can
//! collide while the bodies move by no more than its margins; it is made by a walk over hierarchies that are inflated by them.

use rayon::prelude::*;
use zerogap_core::{Mat3, Vec3};
use zerogap_geometry::Complex;

use super::leaf::{Verdict, judge};
use super::merge::Raw;
use super::motion::Relative;
use super::node::Place;
use super::query::{Overlap, QuasiParams};
use super::traverse::{PlacedHierarchy, Stack, may_touch, spread, start, walk};
use super::tree::Tree;
use zerogap_core::threads::in_pool;

/// How many steps like the last one a list is made for [-].
const STEPS_AHEAD: f64 = 8.0;

/// Largest margin of a list, against the cutoff and the angular tolerance [-]: a wider one would hold more pairs than a walk visits.
const MAX_AHEAD: f64 = 0.25;

/// Largest margin of a list, against the size of the smaller body [-], for queries without a cutoff.
const MAX_OF_SIZE: f64 = 0.02;

/// Cutoff of a list, against that of the query that it is made for [-]: cutoffs follow speeds, which are never quite the same.
const CUTOFF_AHEAD: f64 = 1.25;

/// Pairs of nodes that a walk on several threads is divided into.
const TASKS: usize = 64;

/// A bounded body in a query.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub(super) complex: &'a Complex,
    pub(super) tree: &'a Tree,
}

/// Everything that the test on two faces needs.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) a: Body<'a>,
    pub(super) b: Body<'a>,
    /// B's placement in the frame of A.
    pub(super) relative: &'a Relative,
    pub(super) params: &'a QuasiParams,
    /// Largest distance of the complexes [m].
    pub(super) cutoff: f64,
}

/// Memory of searches.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    stack: Stack,
    scratch: Stack,
    tasks: Vec<Task>,
    list: List,
    /// Pairs of nodes tested by the last run.
    pub(super) tested: u64,
}

/// The part of a walk that one thread does.
#[derive(Debug, Clone, Default)]
struct Task {
    stack: Stack,
    found: FaceContacts,
    tested: u64,
}

/// What the test on faces found.
#[derive(Debug, Clone, Default)]
pub(super) struct FaceContacts {
    /// Contacts of faces.
    pub(super) raw: Vec<Raw>,
    /// Faces that touch.
    pub(super) overlaps: Vec<Overlap>,
}

impl FaceContacts {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.raw.clear();
        self.overlaps.clear();
    }
}

/// Pairs of faces that may collide near a placement.
#[derive(Debug, Clone, Default)]
struct List {
    pairs: Vec<(u32, u32)>,
    /// What it holds for; none while there is no list.
    holds: Option<Holds>,
}

/// What a list holds for.
#[derive(Debug, Clone, Copy)]
struct Holds {
    relative: Relative,
    /// How far [m] and by how much [rad] B may have moved.
    margins: (f64, f64),
    angular_tolerance: f64,
    cutoff: f64,
}

impl Question<'_> {
    /// Tests one pair of faces and lists what it makes.
    pub(super) fn judge(&self, face_a: u32, face_b: u32, found: &mut FaceContacts) {
        let (a, b) = (self.a.complex, self.b.complex);
        let place = (&self.relative.rotation, &self.relative.translation);
        match judge((a, face_a), (b, face_b), place, self.params, self.cutoff) {
            Verdict::Nothing => {}
            Verdict::Touch => found.overlaps.push(Overlap::crossing(a.feature(face_a), b.feature(face_b))),
            Verdict::Hit(near, distance) => found.raw.push(Raw {
                faces: [face_a, face_b],
                classes: [a.class(face_a), b.class(face_b)],
                points: [near.point, near.point + near.offset],
                distance,
                side: near.side,
            }),
        }
    }

    /// Both hierarchies in the frame of A, B's inflated by margins.
    pub(super) fn places(&self, margins: (f64, f64)) -> (Place, Place) {
        let (a, b) = (self.a.tree, self.b.tree);
        (
            Place::new(Mat3::identity(), Vec3::zeros(), &a.center, a.scale, (0.0, 0.0)),
            Place::new(self.relative.rotation, self.relative.translation, &b.center, b.scale, margins),
        )
    }

    /// How far [m] and by how much [rad] B moved in the frame of A since an earlier placement.
    fn moved(&self, earlier: &Relative) -> (f64, f64) {
        self.relative.bound(earlier, &self.b.tree.center, self.b.tree.scale)
    }
}

impl Search {
    /// Forgets what belongs to another pair.
    pub(super) fn forget(&mut self) {
        self.list.holds = None;
    }

    /// All contacts of faces. `last` is the placement of the query before on the same pair.
    pub(super) fn run(&mut self, ask: &Question<'_>, last: Option<&Relative>, found: &mut FaceContacts) {
        let params = ask.params;
        self.tested = 0;
        let holds = self.list.holds.filter(|list| {
            let moved = ask.moved(&list.relative);
            list.angular_tolerance >= params.angular_tolerance
                && list.cutoff >= ask.cutoff
                && moved.0 <= list.margins.0
                && moved.1 <= list.margins.1
        });
        if holds.is_some() && params.reuse {
            for &(face_a, face_b) in &self.list.pairs {
                ask.judge(face_a, face_b, found);
            }
            return;
        }
        self.list.holds = None;
        // Bodies that move little from query to query are worth a list for the next few.
        let margins = last
            .filter(|_| params.reuse)
            .map(|last| ask.moved(last))
            .map(|(shift, angle)| (STEPS_AHEAD * shift, STEPS_AHEAD * angle));
        let size = MAX_OF_SIZE * ask.a.tree.scale.min(ask.b.tree.scale);
        let largest = (size.min(MAX_AHEAD * ask.cutoff), MAX_AHEAD * params.angular_tolerance);
        if let Some(margins) = margins.filter(|(shift, angle)| *shift <= largest.0 && *angle <= largest.1) {
            self.make_list(ask, margins, found);
        } else if params.parallel {
            self.walk_in_parallel(ask, found);
        } else {
            let (place_a, place_b) = ask.places((0.0, 0.0));
            let (a, b) = sides(ask, &place_a, &place_b);
            let may = may_touch(ask.cutoff, params.angular_tolerance);
            start(a, b, &mut self.stack, may);
            let visit = |face_a, face_b| ask.judge(face_a, face_b, found);
            self.tested = walk(a, b, &mut self.stack, may, visit);
        }
    }

    /// Walks inflated hierarchies, keeps all pairs and tests them.
    fn make_list(&mut self, ask: &Question<'_>, margins: (f64, f64), found: &mut FaceContacts) {
        let (place_a, place_b) = ask.places(margins);
        let (a, b) = sides(ask, &place_a, &place_b);
        let cutoff = CUTOFF_AHEAD * ask.cutoff;
        let may = may_touch(cutoff, ask.params.angular_tolerance);
        let pairs = &mut self.list.pairs;
        pairs.clear();
        start(a, b, &mut self.stack, may);
        self.tested = walk(a, b, &mut self.stack, may, |face_a, face_b| {
            pairs.push((face_a, face_b));
            ask.judge(face_a, face_b, found);
        });
        let angular_tolerance = ask.params.angular_tolerance;
        self.list.holds = Some(Holds { relative: *ask.relative, margins, angular_tolerance, cutoff });
    }

    fn walk_in_parallel(&mut self, ask: &Question<'_>, found: &mut FaceContacts) {
        let (place_a, place_b) = ask.places((0.0, 0.0));
        let (a, b) = sides(ask, &place_a, &place_b);
        let may = may_touch(ask.cutoff, ask.params.angular_tolerance);
        start(a, b, &mut self.stack, may);
        spread(a, b, &mut self.stack, &mut self.scratch, TASKS, may);
        self.tasks.resize_with(TASKS, Task::default);
        for task in &mut self.tasks {
            task.stack.clear();
            task.found.clear();
        }
        for (k, pair) in self.stack.drain(..).enumerate() {
            self.tasks[k % TASKS].stack.push(pair);
        }
        let tasks = self.tasks.par_iter_mut();
        in_pool(|| {
            tasks.for_each(|Task { stack, found, tested }| {
                *tested = walk(a, b, stack, may, |face_a, face_b| ask.judge(face_a, face_b, found));
            });
        });
        for task in &self.tasks {
            self.tested += task.tested;
            found.raw.extend_from_slice(&task.found.raw);
            found.overlaps.extend_from_slice(&task.found.overlaps);
        }
    }
}

/// Both hierarchies as sides of a walk.
pub(super) fn sides<'a>(
    ask: &Question<'a>,
    a: &'a Place,
    b: &'a Place,
) -> (PlacedHierarchy<'a>, PlacedHierarchy<'a>) {
    (
        PlacedHierarchy { nodes: &ask.a.tree.nodes, place: a },
        PlacedHierarchy { nodes: &ask.b.tree.nodes, place: b },
    )
}
