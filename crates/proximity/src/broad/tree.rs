//! A tree of boxes: every node holds the boxes of its two children, every leaf is a box that was inserted.
//!
//! In: boxes by slot and their changes. Out: pairs that overlap, and the boxes near a box, a point or a ray. The same calls give the same tree and the same
//! order of reports on every machine. Builds and updates allocate nothing once they have seen as many boxes and changes.
//!
//! `build` makes a tree from all boxes, `insert` puts in, moves and takes out single ones, `pairs` finds those that overlap, `query` answers questions from
//! outside. Boxes that move are followed in place or inserted again near where they were; how loose the tree has become is measured now and then, and it is
//! rebuilt when that is too much.

mod build;
mod cover;
mod insert;
mod pairs;
mod query;

use zerogap_core::Aabb;

use self::build::Builder;
use self::cover::Cover;
use super::backend::{Backend, Change, PairKey};

/// Marks a link to a leaf; the other bits are its slot. So at most 2^31 - 2 slots.
const LEAF: u32 = 1 << 31;

/// No child, no parent, not in the tree.
const NONE: u32 = u32::MAX;

/// The node at the top; it always exists.
const ROOT: u32 = 0;

/// How much the mean size of the nodes may grow before the tree is rebuilt, in 1/256 of a doubling [-]: 30 %.
const DECAY_LIMIT: i64 = 97;

/// With this fraction of the boxes changed, one pass over the whole tree is faster than following each (measured) [-].
const BULK_FRACTION: f64 = 0.25;

/// Two children with their boxes. A missing child has an empty box and so never overlaps.
#[derive(Debug, Clone, Copy)]
struct Node {
    covers: [Cover; 2],
    /// Nodes by index, or slots marked with [`LEAF`].
    children: [u32; 2],
    /// The place above, see [`place`]; none for the root.
    parent: u32,
}

impl Node {
    const EMPTY: Self = Self { covers: [Cover::EMPTY; 2], children: [NONE; 2], parent: NONE };

    #[inline]
    fn cover(&self) -> Cover {
        self.covers[0].union(&self.covers[1])
    }
}

/// Where a child hangs: a node and one of its two sides in one number.
#[inline]
fn place(node: u32, side: usize) -> u32 {
    (node << 1) | side as u32
}

/// The node and the side of a place.
#[inline]
fn node_and_side(place: u32) -> (usize, usize) {
    ((place >> 1) as usize, (place & 1) as usize)
}

/// The tree, see the module.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Nodes to be used again.
    free: Vec<u32>,
    /// The place of each slot's leaf.
    homes: Vec<u32>,
    /// How many leaves there are.
    len: usize,
    /// Whether a slot is among the current changes.
    is_changed: Vec<bool>,
    /// Leaves that were inserted, moved or removed since the tree was built.
    changes_since_build: usize,
    /// The same since it was last measured.
    changes_since_check: usize,
    /// Mean size of the nodes when they were smallest since the build, see [`Tree::size_of_nodes`].
    best_size: i64,
    /// Whether some leaf has come to lie deeper than a tree should be.
    is_deep: bool,
    builder: Builder,
    /// Nodes still to be checked in the searches for pairs.
    stack: Vec<u32>,
    pair_stack: Vec<(u32, u32)>,
    /// Current leaves, their places in the upper half: sorted, they are in the order of the tree.
    order: Vec<u64>,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: vec![Node::EMPTY],
            free: Vec::new(),
            homes: Vec::new(),
            len: 0,
            is_changed: Vec::new(),
            changes_since_build: 0,
            changes_since_check: 0,
            best_size: 0,
            is_deep: false,
            builder: Builder::default(),
            stack: Vec::new(),
            pair_stack: Vec::new(),
            order: Vec::new(),
        }
    }
}

impl Backend for Tree {
    fn rebuild(&mut self, boxes: &[Aabb], found: &mut Vec<PairKey>) {
        self.build(boxes);
        self.all_pairs(found);
    }

    fn update(&mut self, boxes: &[Aabb], changes: &[Change], found: &mut Vec<PairKey>) {
        // Room for slots that are new.
        let slots = boxes.len().max(self.homes.len());
        self.homes.resize(slots, NONE);
        self.is_changed.resize(slots, false);
        // Many changes: all boxes in one pass.
        if changes.len() as f64 > BULK_FRACTION * self.len as f64 {
            self.follow_many(boxes, changes);
            self.all_pairs(found);
            return;
        }
        // Few changes: each on its own, then its pairs.
        for change in changes {
            self.follow(change.slot, change.after.filter(|aabb| !aabb.is_empty()));
        }
        self.restore_quality(boxes, changes.len());
        self.pairs_of_changed(changes, found);
    }

    fn check(&self, boxes: &[Aabb]) -> Result<(), String> {
        self.check_nodes(boxes)
    }

    fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.free.capacity() + self.homes.capacity() + self.stack.capacity()) * size_of::<u32>()
            + self.is_changed.capacity()
            + (self.pair_stack.capacity() + self.order.capacity()) * size_of::<u64>()
            + self.builder.memory()
    }
}

impl Tree {
    /// Follows changes of which there are many: moved leaves in place with all nodes fitted once, the others one by one; or rebuilds where that has become bad.
    fn follow_many(&mut self, boxes: &[Aabb], changes: &[Change]) {
        // So many inserted and removed boxes leave a useless tree.
        let now = |change: &Change| change.after.filter(|aabb| !aabb.is_empty());
        let moves = |tree: &Self, c: &Change| tree.homes[c.slot as usize] != NONE && now(c).is_some();
        let others = changes.iter().filter(|c| !moves(self, c)).count();
        if others as f64 > BULK_FRACTION * self.len as f64 {
            self.build(boxes);
            return;
        }
        for change in changes {
            let home = self.homes[change.slot as usize];
            if let (true, Some(now)) = (home != NONE, now(change)) {
                let (node, side) = node_and_side(home);
                self.nodes[node].covers[side] = Cover::of(&now);
            }
        }
        self.refit_all();
        for change in changes {
            if !moves(self, change) {
                self.follow(change.slot, now(change));
            }
        }
        self.restore_quality(boxes, changes.len());
    }

    /// Rebuilds when the tree has grown too deep or too loose; checks the latter only after enough changes.
    fn restore_quality(&mut self, boxes: &[Aabb], changes: usize) {
        self.changes_since_build += changes;
        self.changes_since_check += changes;
        // A deep tree is rebuilt, but not for each of a row of boxes that are made to deepen it.
        if self.is_deep && self.changes_since_build >= self.len.isqrt() {
            self.build(boxes);
            return;
        }
        if self.changes_since_check < self.len / 2 {
            return;
        }
        self.changes_since_check = 0;
        let size = self.size_of_nodes();
        if size > self.best_size + DECAY_LIMIT {
            self.build(boxes);
        }
        self.best_size = self.best_size.min(size);
    }

    /// Mean of the logarithms of the nodes' surfaces, in 1/256 of a doubling [-]. Logarithms, so that a few boxes far away do not hide what the others do.
    fn size_of_nodes(&self) -> i64 {
        // The upper bits of a floating-point number are its logarithm, straight between powers of two.
        let logarithm = |node: &Node| (node.cover().surface().to_bits() >> 44).cast_signed();
        let in_use = self.nodes.iter().filter(|node| node.children[1] != NONE);
        let (sum, count) = in_use.fold((0, 0), |(sum, count), node| (sum + logarithm(node), count + 1));
        sum / i64::max(count, 1)
    }

    /// How many places may lie above a leaf before the tree counts as deep.
    fn depth_limit(&self) -> u32 {
        4 * (usize::BITS - self.len.leading_zeros()) + 32
    }

    /// The longest path from the root to a leaf.
    #[cfg(test)]
    fn depth(&self) -> u32 {
        let above =
            |&place: &u32| Some(self.nodes[(place >> 1) as usize].parent).filter(|&above| above != NONE);
        let homes = self.homes.iter().filter(|&&home| home != NONE);
        homes.map(|&home| std::iter::successors(Some(home), above).count() as u32).max().unwrap_or(0)
    }

    /// What is wrong with the links, the boxes or the slots; see [`Backend::check`].
    fn check_nodes(&self, boxes: &[Aabb]) -> Result<(), String> {
        let mut seen = vec![false; self.homes.len()];
        let (mut nodes, mut leaves) = (0, 0);
        let mut stack = vec![ROOT];
        while let Some(index) = stack.pop() {
            nodes += 1;
            let node = &self.nodes[index as usize];
            for side in 0..2 {
                let (child, cover) = (node.children[side], node.covers[side]);
                if child == NONE {
                    if cover != Cover::EMPTY || index != ROOT {
                        return Err(format!("node {index} lacks a child"));
                    }
                } else if child & LEAF != 0 {
                    let slot = (child ^ LEAF) as usize;
                    leaves += 1;
                    if std::mem::replace(&mut seen[slot], true) {
                        return Err(format!("slot {slot} is in the tree twice"));
                    }
                    if self.homes[slot] != place(index, side) {
                        return Err(format!("slot {slot} does not know its place"));
                    }
                    if boxes.get(slot).map(Cover::of) != Some(cover) {
                        return Err(format!("slot {slot} has another box"));
                    }
                } else {
                    let below = &self.nodes[child as usize];
                    if below.parent != place(index, side) {
                        return Err(format!("node {child} does not know its parent"));
                    }
                    if !cover.contains(&below.cover()) {
                        return Err(format!("node {child} sticks out of its parent"));
                    }
                    stack.push(child);
                }
            }
        }
        if nodes + self.free.len() != self.nodes.len() {
            return Err(format!("{nodes} nodes and {} free ones of {}", self.free.len(), self.nodes.len()));
        }
        let expected = boxes.iter().filter(|aabb| !aabb.is_empty()).count();
        if leaves != expected || self.len != expected {
            return Err(format!("{leaves} leaves and a count of {} for {expected} boxes", self.len));
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "tests_tree.rs"]
mod tests;

#[cfg(test)]
#[path = "tests_tree_query.rs"]
mod tests_query;
