//! Boxes of all shapes in the broad phase: the pairs of every method come from here.
//!
//! In: a box for each shape that covers a state, a step or a path. Out: the pairs whose boxes overlap.

use zerogap_core::Aabb;
use zerogap_dynamics::multibody::Tree;
use zerogap_proximity::broad::{BoxId, BroadError, BroadMethod, BroadParams, BroadPhase, Filter};

use super::WorldError;
use super::pairs::broad_number;
use super::placed::PlacedCollider;
use super::shapes::{PairId, ShapeId};

/// The broad phase with a box for each shape that has bounds.
#[derive(Debug)]
pub(crate) struct ShapeBoxes {
    pub(crate) broad: BroadPhase,
    /// Box of each shape; none for half-spaces.
    boxes: Vec<Option<BoxId>>,
    /// Shape of each box.
    shapes: Vec<ShapeId>,
    /// Pairs of shapes that never touch though their bodies may, sorted.
    excluded: Vec<PairId>,
}

impl ShapeBoxes {
    /// Puts a box around each shape in the frame of its body.
    pub(crate) fn new(
        shapes: &[PlacedCollider],
        tree: &Tree,
        method: BroadMethod,
    ) -> Result<Self, WorldError> {
        // Boxes cover whole steps as they are: fat ones would only add pairs.
        let broad = BroadPhase::new(BroadParams { margin: 0.0, method });
        let mut all = Self { broad, boxes: Vec::new(), shapes: Vec::new(), excluded: Vec::new() };
        for (index, placed) in shapes.iter().enumerate() {
            let filter = Filter::of_body(broad_number(placed.body));
            // Two bodies that are both driven cannot act on each other.
            let is_driven = placed.body.is_none_or(|body| tree.is_driven(body));
            let filter = if is_driven { filter.fixed() } else { filter };
            let id = placed.bounds.map(|bounds| all.broad.insert(bounds, filter)).transpose();
            let id = id.map_err(|error| WorldError::BoundingBox { shape: ShapeId(index as u32), error })?;
            if id.is_some() {
                all.shapes.push(ShapeId(index as u32));
            }
            all.boxes.push(id);
        }
        Ok(all)
    }

    /// Moves the box of a shape; half-spaces have none.
    pub(crate) fn set(&mut self, shape: usize, bounds: Aabb) -> Result<(), BroadError> {
        self.boxes[shape].map_or(Ok(()), |id| self.broad.set(id, bounds))
    }

    /// Returns the pairs whose boxes overlap, in no order that counts.
    pub(crate) fn pairs(&mut self) -> impl Iterator<Item = PairId> + '_ {
        self.broad.update();
        let shape = |id: BoxId| self.shapes[id.0 as usize];
        let pairs = self.broad.pairs().iter().map(move |pair| PairId::new(shape(pair.a), shape(pair.b)));
        pairs.filter(|pair| !self.is_excluded(*pair))
    }

    /// Keeps pairs of shapes from ever touching.
    pub(crate) fn exclude(&mut self, pairs: impl IntoIterator<Item = PairId>) {
        self.excluded.extend(pairs);
        self.excluded.sort_unstable();
        self.excluded.dedup();
    }

    /// Whether two shapes were excluded from contact with each other.
    pub(crate) fn is_excluded(&self, pair: PairId) -> bool {
        !self.excluded.is_empty() && self.excluded.binary_search(&pair).is_ok()
    }
}
