//! Which pairs of shapes can touch at all, and which are near enough at a state to be asked for their gap.
//!
//! In: the bodies of shapes, exclusions, boxes. Out: sorted pairs. Nothing here visits all pairs of shapes: the cost grows with the shapes, with their pairs that are near, and with half-spaces times shapes.

use std::collections::BTreeMap;

use zerogap_dynamics::multibody::BodyId;
use zerogap_geometry::Shape;
use zerogap_proximity::oriented::SKIN;

use super::WorldError;
use super::model::Model;
use super::placed_pair::PlacedPair;
use super::shapes::{PairId, ShapeId};

/// Contacts with a gap below this fraction of the size of the smaller shape touch [-].
pub(crate) const TOUCH: f64 = 1e-9;

/// Pairs within this fraction of their sizes may touch at the start [-]; narrower limits are checked by their exact gaps.
const NEAR_START: f64 = if SKIN > TOUCH { SKIN } else { TOUCH };

/// Rounding of a box against its largest coordinate [-].
const BOX_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The number of a body in the broad phase; the world is zero.
pub(crate) fn broad_number(body: Option<BodyId>) -> u32 {
    body.map_or(0, |body| body.0 + 1)
}

/// How many shapes of a kind there are, and how many pairs of them are on one body.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    shapes: usize,
    on_one_body: usize,
}

impl Model {
    /// Whether nothing in the state moves a body; the world is none.
    pub(crate) fn is_driven(&self, body: Option<BodyId>) -> bool {
        body.is_none_or(|body| self.tree.is_driven(body))
    }

    /// Whether two shapes can touch at all.
    pub(crate) fn may_touch(&self, a: usize, b: usize) -> bool {
        if self.shapes[a].is_removed || self.shapes[b].is_removed {
            return false;
        }
        let (a, b) = (self.shapes[a].body, self.shapes[b].body);
        a != b
            && !(self.is_driven(a) && self.is_driven(b))
            && !self.boxes.broad.are_joined(broad_number(a), broad_number(b))
    }

    /// How many pairs of shapes can touch at all [-].
    ///
    /// Cost: in proportion to shapes and exclusions, and to the square of the different sets of groups that bodies are in.
    pub(crate) fn pair_count(&self) -> usize {
        let mut on_bodies: BTreeMap<u32, usize> = BTreeMap::new();
        for placed in self.shapes.iter().filter(|placed| !placed.is_removed) {
            *on_bodies.entry(broad_number(placed.body)).or_default() += 1;
        }
        // Bodies of one kind pair with the same others.
        let kind = |number: u32| {
            let body = number.checked_sub(1).map(BodyId);
            (self.is_driven(body), self.boxes.broad.groups_of(number))
        };
        let mut kinds: BTreeMap<(bool, &[u32]), Count> = BTreeMap::new();
        for (&number, &shapes) in &on_bodies {
            let count = kinds.entry(kind(number)).or_default();
            count.shapes += shapes;
            count.on_one_body += shapes * (shapes - 1) / 2;
        }
        let pairs_with = |(is_driven, groups): (bool, &[u32]), (other_driven, others): (bool, &[u32])| {
            let is_in_group = groups.iter().any(|group| others.binary_search(group).is_ok());
            !(is_in_group || is_driven && other_driven)
        };
        let mut pairs = 0;
        for (k, (&one, of_one)) in kinds.iter().enumerate() {
            if pairs_with(one, one) {
                pairs += of_one.shapes * (of_one.shapes - 1) / 2 - of_one.on_one_body;
            }
            let others = kinds.iter().take(k).filter(|(other, _)| pairs_with(one, **other));
            pairs += others.map(|(_, of_other)| of_one.shapes * of_other.shapes).sum::<usize>();
        }
        let shapes = |number: u32| on_bodies.get(&number).copied().unwrap_or(0);
        let excluded =
            self.boxes.broad.joined_pairs().filter(|(a, b)| a != b && pairs_with(kind(*a), kind(*b)));
        pairs - excluded.map(|(a, b)| shapes(a) * shapes(b)).sum::<usize>()
    }

    /// Lists the pairs of half-spaces with what may touch them.
    pub(super) fn list_half_space_pairs(&mut self) {
        let is_half_space = |index: &usize| matches!(self.shapes[*index].shape, Shape::HalfSpace(_));
        let mut pairs = Vec::new();
        for plane in (0..self.shapes.len()).filter(is_half_space) {
            let bounded = (0..self.shapes.len()).filter(|index| !is_half_space(index));
            let touching = bounded.filter(|index| self.may_touch(plane, *index));
            pairs.extend(touching.map(|index| PairId::new(ShapeId(plane as u32), ShapeId(index as u32))));
        }
        pairs.sort_unstable();
        self.pairs.with_half_spaces = pairs;
    }

    /// All pairs that may touch or overlap at the start, sorted: those whose boxes overlap, and those with a half-space that the ball around a shape reaches.
    pub(super) fn near_pairs(&mut self, t: f64, y: &[f64]) -> Result<Vec<PairId>, WorldError> {
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, &mut scratch.ws);
        for (index, placed) in self.shapes.iter().enumerate() {
            let Some(bounds) = placed.bounds else { continue };
            let bounds = placed.body.map_or(bounds, |body| bounds.transformed(scratch.ws.pose(body)));
            let largest = bounds.min.amax().max(bounds.max.amax());
            let around = bounds.expanded(NEAR_START * placed.size + BOX_ROUNDING * largest);
            let set = self.boxes.set(index, around);
            set.map_err(|error| WorldError::BoundingBox { shape: ShapeId(index as u32), error })?;
        }
        let mut pairs: Vec<PairId> = self.boxes.pairs().collect();
        pairs.extend(self.pairs.half_space_pairs().filter(|pair| {
            let placed = PlacedPair::new(&self.shapes, *pair, &scratch.ws);
            !placed.is_far(NEAR_START * placed.size())
        }));
        pairs.sort_unstable();
        Ok(pairs)
    }
}
