//! All pairs: for few boxes, and the reference for the other methods.

use zerogap_core::Aabb;

use super::backend::{Backend, Change, PairKey, pair_key};

/// Tests all pairs.
#[derive(Debug, Default)]
pub(super) struct Brute;

impl Backend for Brute {
    fn rebuild(&mut self, boxes: &[Aabb], found: &mut Vec<PairKey>) {
        for q in 1..boxes.len() {
            let overlapping = (0..q).filter(|&p| boxes[p].overlaps(&boxes[q]));
            found.extend(overlapping.map(|p| pair_key(p as u32, q as u32)));
        }
    }

    fn update(&mut self, boxes: &[Aabb], changes: &[Change], found: &mut Vec<PairKey>) {
        for change in changes {
            let Some(now) = change.after else { continue };
            let near = boxes.iter().enumerate().filter(|(_, other)| now.overlaps(other));
            let others = near.map(|(slot, _)| slot as u32).filter(|slot| *slot != change.slot);
            found.extend(others.map(|slot| pair_key(slot, change.slot)));
        }
    }

    fn check(&self, _: &[Aabb]) -> Result<(), String> {
        Ok(())
    }

    fn memory(&self) -> usize {
        0
    }
}
