//! Memory of questions about pairs.

use zerogap_core::Aabb;

use super::contacts::ContactSet;

use crate::convex::{ContactCache, PairCache};
use crate::lmd::QuasiWork;
use crate::mesh::{MeshWork, Overlap};
use crate::motion::ImpactWork;

/// Memory that questions use again, so that none is allocated after the first ones, whatever pair they are about.
///
/// [`ColliderCache::default`] is memory alone: every answer has the bits of a question asked with a new one. [`ColliderCache::for_pair`] keeps what the last question about
/// a convex pair found as well: gaps come sooner and with the same bits (but for `iterations`), and a contact normal stays where several would do.
#[derive(Debug, Default)]
pub struct ColliderCache {
    /// What the last questions about a convex pair found; none where the cache is memory alone.
    pub(super) warm: Option<Box<Warm>>,
    pub(super) mesh: MeshWork,
    pub(super) overlaps: Vec<Overlap>,
    pub(super) quasi: QuasiWork,
    pub(super) impact: ImpactWork,
    /// Contacts of a pair of pieces.
    pub(super) piece: ContactSet,
    /// Boxes of the pieces of A and of B, in the world [m].
    pub(super) boxes: [Vec<Option<Aabb>>; 2],
}

/// What is kept of a convex pair.
#[derive(Debug, Default)]
pub(super) struct Warm {
    pub(super) gap: PairCache,
    pub(super) contacts: ContactCache,
}

impl ColliderCache {
    /// Makes a cache for one pair that is asked again and again while it moves.
    pub fn for_pair() -> Self {
        Self { warm: Some(Box::default()), ..Self::default() }
    }

    /// Swaps the memory of questions about complexes with another one: what was found of a pair serves its next question, and changes no answer.
    pub fn swap_complexes(&mut self, work: &mut QuasiWork) {
        std::mem::swap(&mut self.quasi, work);
    }

    /// Returns how many gaps the last [`super::first_touch`] asked for [-].
    pub fn steps(&self) -> u32 {
        self.impact.steps
    }
}
