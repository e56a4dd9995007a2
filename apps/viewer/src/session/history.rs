//! Kept states: the start, and one every so many ticks, in bounded memory.
//!
//! In: states as a session passes them. Out: the last one kept at or before a tick. Where the limit is reached the oldest go, the start never.

use std::collections::VecDeque;

use zerogap::world::{Saved, World};

use super::Hand;

/// A state that was kept.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) tick: u64,
    pub(super) saved: Saved,
    pub(super) hand: Option<Hand>,
    /// Memory that it takes, by its length as bytes [B].
    bytes: usize,
}

#[derive(Debug)]
pub(super) struct History {
    start: Kept,
    later: VecDeque<Kept>,
    bytes: usize,
    max_bytes: usize,
    /// Whether states were let go to stay within the memory.
    has_gap: bool,
}

impl History {
    pub(super) fn new(world: &World, max_bytes: usize) -> Self {
        Self { start: kept(0, world, None), later: VecDeque::new(), bytes: 0, max_bytes, has_gap: false }
    }

    /// Keeps a state, unless the tick has one.
    pub(super) fn keep(&mut self, tick: u64, world: &World, hand: Option<Hand>) {
        if tick <= self.later.back().map_or(0, |last| last.tick) {
            return;
        }
        let state = kept(tick, world, hand);
        self.bytes += state.bytes;
        self.later.push_back(state);
        while self.bytes > self.max_bytes
            && let Some(oldest) = self.later.pop_front()
        {
            self.bytes -= oldest.bytes;
            self.has_gap = true;
        }
    }

    /// The oldest tick kept, beside the start.
    pub(super) fn oldest(&self) -> u64 {
        self.later.front().map_or(0, |first| first.tick)
    }

    /// The last state at or before a tick. The start serves for itself, and for what follows it as long as no state after it was let go: beyond, the way is too long.
    pub(super) fn before(&self, tick: u64) -> Option<Kept> {
        let after = self.later.partition_point(|state| state.tick <= tick);
        match after.checked_sub(1) {
            Some(last) => self.later.get(last).cloned(),
            None => (tick == 0 || !self.has_gap).then(|| self.start.clone()),
        }
    }

    /// Forgets what is kept after a tick.
    pub(super) fn forget_after(&mut self, tick: u64) {
        while let Some(last) = self.later.pop_back_if(|state| state.tick > tick) {
            self.bytes -= last.bytes;
        }
    }
}

fn kept(tick: u64, world: &World, hand: Option<Hand>) -> Kept {
    let saved = world.save();
    // What cannot be stored has functions of the user in it, whose size is not known.
    let bytes = saved.to_bytes().map_or(0, |bytes| bytes.len());
    Kept { tick, saved, hand, bytes }
}
