//! Other algorithms than the exact kernels for pairs of bounded convex shapes, as a run may ask for them, with counts and times.
//!
//! In: two convex shapes, placed. Out: gaps and contacts. [`ConvexKernel::Mpr`] is what Neumayr and Otter 2017 integrate with: the gap of [`mpr`], and one contact where it is. [`ConvexKernel::VClip`] is the
//! separation query of Cheng Yi and Drumwright: shapes that are apart are answered by [`closest_features`] from the features of the last question, all others by the exact kernels.
//! A [`super::ColliderPair`] that carries a [`ConvexNarrowPhase`] is answered so; pairs of other kinds, half-spaces among them, as ever.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use zerogap_core::{Contact, ContactId, Feature, Gap, GapStatus, Manifold, NormalKind, Pose};
use zerogap_geometry::ConvexShape;

use crate::convex::{ClosestFeatures, ClosestStatus, MprExit, MprParams, closest_features, mpr};

/// Tolerance of gaps that an integrator differentiates, relative to the sum of the diameters of the bounding spheres [-]: that of the paper, 1e-4, is larger than the overlaps of stiff contacts.
const MPR_TOLERANCE: f64 = 1e-12;

/// Maximum number of steps of each of the two phases of portal refinement [-].
const MPR_ITERATIONS: u32 = 1000;

/// Width of the bounds of a distance by V-Clip, relative to the extent of the pair [-]: ten times its tolerance.
const CLIP_BOUND: f64 = 1e-13;

/// Which algorithm answers bounded convex pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConvexKernel {
    /// Minkowski portal refinement: a gap with the right sign, and one contact.
    Mpr,
    /// V-Clip for polyhedra that are apart, the exact kernels for everything else.
    VClip,
}

impl ConvexKernel {
    /// Returns the kernel as a lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mpr => "mpr",
            Self::VClip => "v-clip",
        }
    }
}

/// The names of two placed shapes that are asked about again and again: where the walk of the last question ended is kept under it.
pub type PairKey = [u32; 2];

/// An algorithm for bounded convex pairs, with how often it was asked and how long that took. No answer depends on either, nor on what was asked before.
#[derive(Debug)]
pub struct ConvexNarrowPhase {
    kernel: ConvexKernel,
    calls: AtomicU64,
    nanoseconds: AtomicU64,
    /// Where walks ended.
    found: Mutex<BTreeMap<PairKey, ContactId>>,
}

/// A question to a [`ConvexNarrowPhase`].
#[derive(Debug, Clone, Copy)]
pub(super) struct ConvexQuestion<'a> {
    pub(super) a: &'a ConvexShape,
    pub(super) pose_a: &'a Pose,
    pub(super) b: &'a ConvexShape,
    pub(super) pose_b: &'a Pose,
    pub(super) key: Option<PairKey>,
}

impl ConvexNarrowPhase {
    /// With a kernel, asked for nothing yet.
    pub fn new(kernel: ConvexKernel) -> Self {
        let (calls, nanoseconds) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { kernel, calls, nanoseconds, found: Mutex::default() }
    }

    /// Which kernel it is.
    pub fn kernel(&self) -> ConvexKernel {
        self.kernel
    }

    /// How many pairs it was asked about so far [-].
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// How long its answers took, on all threads together.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    /// The gap of two convex shapes; none where the exact kernels have to answer.
    pub(super) fn gap(&self, question: &ConvexQuestion<'_>, cutoff: f64) -> Option<Gap> {
        let start = Instant::now();
        let found = match self.kernel {
            ConvexKernel::Mpr => Some(by_portals(question)),
            ConvexKernel::VClip => self.by_features(question, cutoff),
        };
        let spent = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(spent, Ordering::Relaxed);
        found
    }

    /// Writes the contacts of two convex shapes up to a gap [m]; returns whether it did, or the exact kernels have to.
    pub(super) fn contacts(&self, question: &ConvexQuestion<'_>, within: f64, into: &mut Manifold) -> bool {
        let Some(gap) = self.gap(question, within) else { return false };
        let is_near = gap.gap <= within;
        // Contacts of shapes that are near are corners of their common part, which closest features are not.
        if is_near && self.kernel == ConvexKernel::VClip {
            return false;
        }
        (into.gap, into.normal, into.normal_kind) = (gap, gap.normal, gap.normal_kind);
        // Portals know no features: the one contact of a pair has one name.
        let id = ContactId { a: Feature::Surface(0), b: Feature::Surface(0) };
        into.features = is_near.then_some(id);
        if is_near {
            let Gap { gap, normal, point_a, point_b, .. } = gap;
            into.contacts.push(Contact { gap, normal, point_a, point_b, id });
        }
        true
    }

    /// The gap of two polyhedra that are apart; none for others.
    fn by_features(&self, question: &ConvexQuestion<'_>, cutoff: f64) -> Option<Gap> {
        let (ConvexShape::Polyhedron(a), ConvexShape::Polyhedron(b)) = (question.a, question.b) else {
            return None;
        };
        let found = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let start = question.key.and_then(|key| found().get(&key).copied());
        let near = closest_features(a, question.pose_a, b, question.pose_b, start);
        if let Some(key) = question.key {
            found().insert(key, near.found);
        }
        let ClosestFeatures { status, distance, normal, point_a, point_b, steps, .. } = near;
        let extent =
            a.reach() + b.reach() + (question.pose_b.translation() - question.pose_a.translation()).norm();
        let room = CLIP_BOUND * extent;
        // A distance that is as good as none is left to those who know how deep an overlap is.
        if status == ClosestStatus::Overlap || distance <= room {
            return None;
        }
        let (lower, upper) = (distance - room, distance + room);
        let status = if lower > cutoff { GapStatus::Farther } else { GapStatus::Exact };
        let normal_kind = NormalKind::Unique;
        Some(Gap {
            gap: distance,
            lower,
            upper,
            normal,
            normal_kind,
            point_a,
            point_b,
            status,
            iterations: steps,
        })
    }
}

/// The gap of two convex shapes by Minkowski portal refinement.
fn by_portals(question: &ConvexQuestion<'_>) -> Gap {
    let params = MprParams { tolerance: MPR_TOLERANCE, max_iterations: MPR_ITERATIONS };
    let found = mpr(question.a, question.pose_a, question.b, question.pose_b, &params);
    let has_end = !matches!(found.exit, MprExit::Stalled | MprExit::Limited);
    Gap {
        gap: found.gap,
        lower: found.lower,
        upper: found.upper,
        normal: found.normal,
        normal_kind: NormalKind::Chosen,
        point_a: found.point_a,
        point_b: found.point_b,
        status: if has_end { GapStatus::Converged } else { GapStatus::Limited },
        iterations: found.iterations,
    }
}
