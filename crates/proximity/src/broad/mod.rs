//! Broad phase: pairs of boxes that overlap, found without checking all pairs.
//!
//! In: boxes that are inserted, moved and removed, each with a filter. Out: the pairs of boxes that intersect, sorted by id, each once, with
//! the overlaps that began and ended since the last update. Exactly the pairs that checking all of them would give, for every method and any number of
//! threads.
//!
//! The files follow an update: `filter` and `exclusions` (who may pair at all), `fat` (boxes with room to move, so that most steps change nothing), then one of
//! the methods over the fat boxes: `grid`, `sweep` or `tree`; `candidates` keeps the pairs that they find and picks those whose own boxes overlap. `motion` makes
//! boxes that cover a motion, `query` asks for what is near a box or a ray, `urgency` orders pairs by how soon they can touch.

mod backend;
mod brute;
mod candidates;
mod exclusions;
mod fat;
mod filter;
mod grid;
mod motion;
mod names;
mod phase;
mod query;
mod sweep;
mod tree;
mod urgency;

pub use filter::Filter;
pub use motion::{arc_allowance, motion_box};
pub use names::{BoxId, BoxPair, BroadError, BroadMethod, BroadParams};
pub use phase::BroadPhase;
pub use query::NearBox;
pub use urgency::UrgentPair;
