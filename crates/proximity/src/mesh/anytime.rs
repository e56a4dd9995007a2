//! The distance of two meshes in slices of time: a search that is left and resumed until the bounds are good enough.
//!
//! In: two meshes, a bounding volume and a rule for where to part them. Out: after every slice the bounds known so far, each inside of the one before. Lennerz, Schömer and Warken 1999, section 2.4: the distance at any time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use zerogap_core::{GapStatus, Pose};
use zerogap_geometry::TriangleMesh;

use super::body::MeshBody;
use super::distance::{MeshSearch, MeshWork, Suspended};
use super::question::{MeshDistance, MeshDistanceParams};
use crate::bvh::{AxisBox, Ball, BoundingVolume, BuildParams, Dop, Obb};

/// Pairs of nodes between two looks at the clock [-]: about twenty microseconds.
const SLICE: u64 = 64;

/// The volume that bounds the parts of a mesh in its hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeshVolume {
    /// Boxes along the principal axes of each part: those of all other questions.
    #[default]
    OrientedBoxes,
    /// Boxes along the axes of the mesh.
    Boxes,
    /// Balls.
    Balls,
    /// Polytopes of 14 fixed directions.
    Dops14,
    /// Polytopes of 18 fixed directions.
    Dops18,
    /// Polytopes of 26 fixed directions.
    Dops26,
}

impl MeshVolume {
    /// All of them, the default first.
    pub const ALL: [Self; 6] =
        [Self::OrientedBoxes, Self::Boxes, Self::Balls, Self::Dops14, Self::Dops18, Self::Dops26];

    /// The volume as a lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Balls => "balls",
            Self::Boxes => "boxes",
            Self::OrientedBoxes => "oriented-boxes",
            Self::Dops14 => "14-dops",
            Self::Dops18 => "18-dops",
            Self::Dops26 => "26-dops",
        }
    }

    /// The volume of a word; none for other words.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|volume| volume.word() == word)
    }
}

/// What a slice of a search may take; whichever ends first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchBudget {
    /// Pairs of nodes [-].
    pub pairs: u64,
    /// Time, as the clock on the wall counts it: the one input that makes two runs differ in where they stop, never in what they prove.
    pub time: Duration,
}

impl Default for SearchBudget {
    /// No end but that of the search.
    fn default() -> Self {
        Self { pairs: u64::MAX, time: Duration::MAX }
    }
}

/// A search for the distance of two meshes that can be left at any time and resumed.
///
/// Computes: the distance of the surfaces [m], 0 where they cross; [`MeshDistance::lower`] never falls and [`MeshDistance::upper`] never rises from slice to slice, and the distance lies between them.
/// Method: [`MeshSearch`], in slices.
/// Cost: that of [`MeshSearch`], and a look at the clock for every 64 pairs of nodes.
///
/// ```
/// use std::time::Duration;
/// use zerogap_core::{GapStatus, Pose, Vec3};
/// use zerogap_geometry::parts;
/// use zerogap_proximity::bvh::BuildParams;
/// use zerogap_proximity::mesh::{AnytimeDistance, MeshDistanceParams, MeshVolume, Order, SearchBudget};
///
/// let ring = std::sync::Arc::new(parts::by_name("torus", &[])?);
/// let beside = Pose::from_translation(Vec3::new(3.0, 0.2, 0.1))?;
/// let params = MeshDistanceParams { order: Order::BestFirst, ..MeshDistanceParams::default() };
/// let meshes = [std::sync::Arc::clone(&ring), ring];
/// let mut search = AnytimeDistance::new(meshes, [Pose::identity(), beside], MeshVolume::Balls, &BuildParams::default(), params);
/// let mut slices = 0;
/// let found = loop {
///     slices += 1;
///     let found = search.advance(&SearchBudget { pairs: 50, time: Duration::from_millis(2) });
///     if found.status != GapStatus::Limited {
///         break found;
///     }
/// };
/// assert!(slices > 1 && found.status == GapStatus::Exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnytimeDistance(Box<dyn Resumable>);

impl std::fmt::Debug for AnytimeDistance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnytimeDistance").finish_non_exhaustive()
    }
}

impl AnytimeDistance {
    /// Begins a search with hierarchies of its own; `budget` of the parameters counts for nothing.
    pub fn new(
        meshes: [Arc<TriangleMesh>; 2],
        poses: [Pose; 2],
        volume: MeshVolume,
        build: &BuildParams,
        params: MeshDistanceParams,
    ) -> Self {
        match volume {
            MeshVolume::Balls => Self::of::<Ball>(meshes, poses, *build, params),
            MeshVolume::Boxes => Self::of::<AxisBox>(meshes, poses, *build, params),
            MeshVolume::OrientedBoxes => Self::of::<Obb>(meshes, poses, *build, params),
            MeshVolume::Dops14 => Self::of::<Dop<7>>(meshes, poses, *build, params),
            MeshVolume::Dops18 => Self::of::<Dop<9>>(meshes, poses, *build, params),
            MeshVolume::Dops26 => Self::of::<Dop<13>>(meshes, poses, *build, params),
        }
    }

    fn of<V: BoundingVolume + 'static>(
        meshes: [Arc<TriangleMesh>; 2],
        poses: [Pose; 2],
        build: BuildParams,
        params: MeshDistanceParams,
    ) -> Self {
        let bodies = meshes.map(|mesh| MeshBody::<V>::with(mesh, &build));
        let params = MeshDistanceParams { coherent: false, ..params };
        Self(Box::new(Search { bodies, poses, params, found: None, work: MeshWork::default() }))
    }

    /// Goes on for a slice, and returns what is known then; [`GapStatus::Limited`] where there is more to find out.
    pub fn advance(&mut self, budget: &SearchBudget) -> MeshDistance {
        let start = Instant::now();
        let mut left = budget.pairs;
        loop {
            let slice = SLICE.min(left);
            let found = self.0.advance(slice);
            left -= slice;
            if found.status != GapStatus::Limited || left == 0 || start.elapsed() >= budget.time {
                return found;
            }
        }
    }
}

/// A search with volumes of some kind.
trait Resumable: Send + Sync {
    /// Visits so many more pairs of nodes at most.
    fn advance(&mut self, pairs: u64) -> MeshDistance;
}

struct Search<V: BoundingVolume> {
    bodies: [MeshBody<V>; 2],
    poses: [Pose; 2],
    params: MeshDistanceParams,
    found: Option<Suspended>,
    work: MeshWork,
}

impl<V: BoundingVolume> Resumable for Search<V> {
    fn advance(&mut self, pairs: u64) -> MeshDistance {
        let Self { bodies: [a, b], poses: [pose_a, pose_b], params, found, work } = self;
        let params = MeshDistanceParams { budget: pairs, ..*params };
        let mut search = match found.take() {
            Some(found) => MeshSearch::resume([a, b], [pose_a, pose_b], &params, found, work),
            None => MeshSearch::new(a, pose_a, b, pose_b, &params, work),
        };
        let answer = search.run(&params);
        *found = Some(search.suspend());
        answer
    }
}
