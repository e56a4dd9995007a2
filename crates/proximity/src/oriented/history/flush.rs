//! Surfaces of several targets that lie in one plane are one: a floor of tiles has no joints to be caught in.
//!
//! In: who touches what after a commit. Out: other surfaces for corners that came into a target from a flush neighbour.

use std::collections::BTreeMap;

use super::{OrientedHistory, OrientedPair};
use crate::oriented::{Touch, TouchKind, local_point};

/// Surfaces of two targets are one where they lie in one plane, by this fraction of the size of the smaller shape [-] and as a sine.
const FLUSH: f64 = 1e-6;

/// A corner stays in a plane where it is no deeper below it than this many times the depth of another corner of its shape [-].
const DEEPER: f64 = 1.5;

/// A corner in contact.
struct CornerTouch<K> {
    /// Whose corner.
    shape: u32,
    /// Of which pair.
    pair: K,
    /// Which of the pair's probes.
    number: usize,
    touch: Touch,
}

/// Joins surfaces that lie in one plane: a corner that comes into a target through its side, where the target has a surface in the plane of one that the corner's shape is on already, stays in that plane. A floor of
/// tiles is one floor.
///
/// `numbers` gives the numbers of the shapes A and B of a pair, `placed` the pair at its poses.
pub fn join_flush_surfaces<'a, K: Copy + Ord>(
    histories: &mut BTreeMap<K, OrientedHistory>,
    numbers: impl Fn(K) -> [u32; 2],
    placed: impl Fn(K) -> Option<OrientedPair<'a>>,
) {
    let mut all: Vec<CornerTouch<K>> = Vec::new();
    for (&pair, OrientedHistory(probes)) in &*histories {
        for (number, probe) in probes.iter().enumerate() {
            let shape = numbers(pair)[usize::from(probe.is_b)];
            let touches = probe.oriented.reference().touches();
            all.extend(touches.iter().map(|&touch| CornerTouch { shape, pair, number, touch }));
        }
    }
    for new in all.iter().filter(|one| one.touch.kind == TouchKind::Hit) {
        let (Some(OrientedHistory(probes)), Some(placed)) = (histories.get_mut(&new.pair), placed(new.pair))
        else {
            continue;
        };
        let (size, probe) = (placed.size(), &mut probes[new.number]);
        let [_, (_, at)] = placed.sides(probe.is_b);
        let corner = probe.oriented.reference_point(0, new.touch.initiator as usize);
        let same_shape = |old: &&CornerTouch<K>| old.shape == new.shape && old.pair != new.pair;
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
