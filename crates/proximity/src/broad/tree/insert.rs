//! Single leaves: putting in, taking out, following a motion.

use zerogap_core::Aabb;

use super::cover::Cover;
use super::{LEAF, NONE, Node, ROOT, Tree, node_and_side, place};

/// A leaf stays where it is as long as its parent does not grow by more than this factor in surface [-].
const STAY_GROWTH: f64 = 1.2;

impl Tree {
    /// Brings one slot to its box: in, out, or along.
    pub(super) fn follow(&mut self, slot: u32, now: Option<Aabb>) {
        let home = self.homes[slot as usize];
        match (home != NONE, now) {
            (false, None) => {}
            (false, Some(now)) => {
                self.len += 1;
                self.insert(slot, &Cover::of(&now), ROOT);
            }
            (true, None) => {
                self.len -= 1;
                self.remove(slot);
            }
            (true, Some(now)) => self.shift(slot, &Cover::of(&now)),
        }
    }

    /// Moves a leaf: in place while its parent stays about as large, else to a better place, searched below the first node that contains it.
    fn shift(&mut self, slot: u32, now: &Cover) {
        let (node, side) = node_and_side(self.homes[slot as usize]);
        let before = self.nodes[node].cover();
        let after = now.union(&self.nodes[node].covers[1 - side]);
        if after.surface() <= STAY_GROWTH * before.surface() {
            self.nodes[node].covers[side] = *now;
            self.refit_above(node, &after);
            return;
        }
        let mut start = self.remove(slot);
        while self.nodes[start as usize].parent != NONE && !self.nodes[start as usize].cover().contains(now) {
            start = self.nodes[start as usize].parent >> 1;
        }
        self.insert(slot, now, start);
    }

    /// Fits the boxes above a node whose own box is now `cover`, until one does not change.
    fn refit_above(&mut self, node: usize, cover: &Cover) {
        let (mut above, mut cover) = (self.nodes[node].parent, *cover);
        while above != NONE {
            let (parent, side) = node_and_side(above);
            let parent = &mut self.nodes[parent];
            if parent.covers[side] == cover {
                return;
            }
            parent.covers[side] = cover;
            cover = parent.cover();
            above = parent.parent;
        }
    }

    /// Attaches a child, leaf or node, at a place, and sets its parent.
    #[inline]
    pub(super) fn hang(&mut self, child: u32, node: u32, side: usize) {
        self.nodes[node as usize].children[side] = child;
        if child & LEAF == 0 {
            self.nodes[child as usize].parent = place(node, side);
        } else if child != NONE {
            self.homes[(child ^ LEAF) as usize] = place(node, side);
        }
    }

    /// Takes a leaf out; the node to which its neighbour has moved up.
    fn remove(&mut self, slot: u32) -> u32 {
        let (node, side) = node_and_side(std::mem::replace(&mut self.homes[slot as usize], NONE));
        let Node { covers, children, parent } = self.nodes[node];
        let (sibling, cover) = (children[1 - side], covers[1 - side]);
        // Below the root the neighbour takes the place of the node.
        if parent != NONE {
            let (above, above_side) = node_and_side(parent);
            self.release(node as u32);
            self.nodes[above].covers[above_side] = cover;
            self.hang(sibling, above as u32, above_side);
            let all = self.nodes[above].cover();
            self.refit_above(above, &all);
            return above as u32;
        }
        // At the root the neighbour's children do, or the place stays empty.
        if sibling & LEAF != 0 {
            self.nodes[node].covers[side] = Cover::EMPTY;
            self.nodes[node].children[side] = NONE;
        } else {
            let Node { covers, children, .. } = self.nodes[sibling as usize];
            self.release(sibling);
            self.nodes[node].covers = covers;
            self.hang(children[0], node as u32, 0);
            self.hang(children[1], node as u32, 1);
        }
        ROOT
    }

    /// Puts a leaf in below a node, all boxes above which contain it (or which is the root).
    ///
    /// Goes down where the surface grows least, as long as continuing is cheaper than a new node here.
    fn insert(&mut self, slot: u32, cover: &Cover, start: u32) {
        // The root alone may lack a child.
        if start == ROOT
            && let Some(side) = (0..2).find(|&side| self.nodes[0].children[side] == NONE)
        {
            self.nodes[0].covers[side] = *cover;
            self.hang(slot | LEAF, ROOT, side);
            return;
        }
        let own = cover.surface();
        let mut ties = Ties::of(slot);
        let (mut node, mut depth) = (start, 0);
        let mut best = Step::best(&self.nodes[start as usize], cover, &mut ties);
        // Down while the child would grow little.
        loop {
            depth += 1;
            let child = self.nodes[node as usize].children[best.side];
            if child & LEAF != 0 {
                break;
            }
            let next = Step::best(&self.nodes[child as usize], cover, &mut ties);
            if best.together < best.growth + next.growth + own {
                break;
            }
            self.nodes[node as usize].covers[best.side] = best.union;
            (node, best) = (child, next);
        }
        // A new node takes the place of the child, with the child and the leaf below it.
        let Node { covers, children, .. } = self.nodes[node as usize];
        let (child, child_cover) = (children[best.side], covers[best.side]);
        let fresh = self.take_node();
        self.nodes[fresh as usize].covers = [child_cover, *cover];
        self.nodes[node as usize].covers[best.side] = best.union;
        self.hang(fresh, node, best.side);
        self.hang(child, fresh, 0);
        self.hang(slot | LEAF, fresh, 1);
        self.is_deep |= depth > self.depth_limit();
    }

    fn release(&mut self, node: u32) {
        self.nodes[node as usize] = Node::EMPTY;
        self.free.push(node);
    }

    fn take_node(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.nodes.push(Node::EMPTY);
            (self.nodes.len() - 1) as u32
        })
    }

    /// Fits all boxes to those of the leaves.
    pub(super) fn refit_all(&mut self) {
        // Down: each node after its parent. Up: each before its parent.
        self.stack.clear();
        self.stack.push(ROOT);
        let mut next = 0;
        while let Some(&node) = self.stack.get(next) {
            next += 1;
            let children = self.nodes[node as usize].children;
            self.stack.extend(children.iter().filter(|&&child| child & LEAF == 0));
        }
        for i in (1..self.stack.len()).rev() {
            let node = &self.nodes[self.stack[i] as usize];
            let (cover, (parent, side)) = (node.cover(), node_and_side(node.parent));
            self.nodes[parent].covers[side] = cover;
        }
        self.stack.clear();
    }
}

/// Returns which of two children a leaf would be inserted under.
struct Step {
    side: usize,
    /// The child's box with the leaf.
    union: Cover,
    /// Its surface [m^2].
    together: f64,
    /// How much larger that is than without the leaf [m^2].
    growth: f64,
}

impl Step {
    /// The child that grows least.
    #[inline]
    fn best(node: &Node, cover: &Cover, ties: &mut Ties) -> Self {
        let [a, b] = [0, 1].map(|side| {
            let union = node.covers[side].union(cover);
            let together = union.surface();
            Self { side, union, together, growth: together - node.covers[side].surface() }
        });
        // Where both would grow alike the surfaces themselves decide, then chance, lest equal boxes make a list of the tree.
        let is_second = match a.growth.total_cmp(&b.growth).then(a.together.total_cmp(&b.together)) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => ties.next(),
        };
        if is_second { b } else { a }
    }
}

/// Sides for ties, from the bits of the slot.
struct Ties(u64);

impl Ties {
    fn of(slot: u32) -> Self {
        Self(u64::from(slot) + 1)
    }

    fn next(&mut self) -> bool {
        // Multiplication by the golden ratio spreads neighbouring slots; the top bit is the best one.
        self.0 = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (self.0 >> 29);
        self.0 >> 63 != 0
    }
}
