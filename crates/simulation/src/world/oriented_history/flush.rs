//! Surfaces of several targets that lie in one plane are one: a floor of tiles has no joints to be caught in.
//!
//! In: who touches what after a commit. Out: other surfaces for corners that came into a target from a flush neighbour.

use zerogap_dynamics::multibody::Workspace;
use zerogap_proximity::oriented::{Touch, TouchKind, local_point};

use super::super::discrete::Discrete;
use super::super::shapes::{PairId, Placed, PlacedPair, ShapeId};
use super::OrientedHistory;
use super::probe::size;

/// Surfaces of two targets are one where they lie in one plane, by this share of the size of the smaller shape [-] and as a sine.
const FLUSH: f64 = 1e-6;

/// A corner goes on in a plane where it is no deeper below it than this many times the depth of another corner of its shape [-].
const DEEPER: f64 = 1.5;

impl Discrete {
    /// A corner that comes into a target through its side, where the target has a surface in the plane of one that the corner's shape is on already, goes on in that plane: a floor of tiles is one floor.
    pub(super) fn join_flush_surfaces(&mut self, shapes: &[Placed], ws: &Workspace) {
        let mut all: Vec<CornerTouch> = Vec::new();
        for (&pair, OrientedHistory(probes)) in &self.hits {
            for (number, probe) in probes.iter().enumerate() {
                let shape = if probe.is_b { pair.b } else { pair.a };
                let touches = probe.oriented.reference().touches();
                all.extend(touches.iter().map(|&touch| CornerTouch { shape, pair, number, touch }));
            }
        }
        for new in all.iter().filter(|one| one.touch.kind == TouchKind::Hit) {
            let Some(OrientedHistory(probes)) = self.hits.get_mut(&new.pair) else { continue };
            let placed = PlacedPair::new(shapes, new.pair, ws);
            let (size, probe) = (size(&placed), &mut probes[new.number]);
            let at = *probe.poses(&placed).1;
            let corner = probe.oriented.reference_point(0, new.touch.initiator as usize);
            let same_shape = |old: &&CornerTouch| old.shape == new.shape && old.pair != new.pair;
            let mut flush = all.iter().filter(same_shape).filter_map(|old| {
                let (normal, foot) =
                    (at.inverse_transform_vector(&old.touch.normal), local_point(&at, &old.touch.point));
                // About as deep as the shape is elsewhere: one that has sunk into a gap hits the wall beyond.
                let deepest = DEEPER * old.touch.gap.min(0.0) - FLUSH * size;
                probe.oriented.targets()[0].facets().iter().position(|facet| {
                    facet.normal.dot(&normal) > 0.0
                        && facet.normal.cross(&normal).norm() < FLUSH
                        && facet.separation(&foot).abs() < FLUSH * size
                        && facet.separation(&corner) > deepest
                })
            });
            if let Some(surface) = flush.next() {
                drop(flush);
                probe.oriented.take_surface(0, new.touch.initiator as usize, surface, &at);
            }
        }
    }
}

/// A corner in contact.
struct CornerTouch {
    /// Whose corner.
    shape: ShapeId,
    /// Of which pair.
    pair: PairId,
    /// Which of the pair's probes.
    number: usize,
    touch: Touch,
}
