//! Pairs of leaves that overlap: all of them, or those of some leaves.

use super::super::backend::{Change, PairKey, pair_key};
use super::cover::Probe;
use super::{LEAF, NONE, Tree, node_and_side};

impl Tree {
    /// Reports every overlapping pair once: below every node, those of a leaf on one side with a leaf on the other.
    pub(super) fn all_pairs(&mut self, found: &mut Vec<PairKey>) {
        let Self { nodes, stack, pair_stack, .. } = self;
        for node in nodes.iter() {
            let ([a, b], [cover_a, cover_b]) = (node.children, &node.covers);
            if !cover_b.overlaps(&cover_a.probe()) {
                continue;
            }
            let stacks = (&mut *stack, &mut *pair_stack);
            cross(nodes, (a, &cover_a.probe()), (b, &cover_b.probe()), stacks, found);
            while let Some((a, b)) = pair_stack.pop() {
                let (node_a, node_b) = (&nodes[a as usize], &nodes[b as usize]);
                let probes = [node_b.covers[0].probe(), node_b.covers[1].probe()];
                for (child_a, cover_a) in node_a.children.iter().zip(&node_a.covers) {
                    for (child_b, probe_b) in node_b.children.iter().zip(&probes) {
                        if cover_a.overlaps(probe_b) {
                            let stacks = (&mut *stack, &mut *pair_stack);
                            cross(nodes, (*child_a, &cover_a.probe()), (*child_b, probe_b), stacks, found);
                        }
                    }
                }
            }
        }
    }

    /// Reports the pairs of the slots that have changed, each once.
    pub(super) fn pairs_of_changed(&mut self, changes: &[Change], found: &mut Vec<PairKey>) {
        let Self { nodes, stack, homes, is_changed, order, .. } = self;
        // In the order of the tree: what one search has read is what the next one needs (updates take a fifth to a third less, measured).
        order.clear();
        for change in changes {
            is_changed[change.slot as usize] = true;
            let home = homes[change.slot as usize];
            order.extend((home != NONE).then_some((u64::from(home) << 32) | u64::from(change.slot)));
        }
        order.sort_unstable();
        for &key in order.iter() {
            let (home, slot) = ((key >> 32) as u32, key as u32);
            let (node, side) = node_and_side(home);
            let probe = nodes[node].covers[side].probe();
            // Of two slots that have both changed, the smaller one reports.
            let mut report = |other: u32| {
                if !is_changed[other as usize] || slot < other {
                    found.push(pair_key(slot, other));
                }
            };
            // All else is attached beside the path to the root.
            let mut above = home;
            while above != NONE {
                let (node, side) = node_and_side(above);
                let node = &nodes[node];
                if node.covers[1 - side].overlaps(&probe) {
                    let link = node.children[1 - side];
                    if link & LEAF == 0 {
                        descend(nodes, link, &probe, stack, &mut report);
                    } else {
                        report(link ^ LEAF);
                    }
                }
                above = node.parent;
            }
        }
        for change in changes {
            is_changed[change.slot as usize] = false;
        }
    }
}

/// Reports a pair of leaves, the pairs of a leaf with those below a node, or leaves a pair of nodes for later. The boxes of the two are known to overlap.
#[inline]
fn cross(
    nodes: &[super::Node],
    (a, probe_a): (u32, &Probe),
    (b, probe_b): (u32, &Probe),
    (stack, pair_stack): (&mut Vec<u32>, &mut Vec<(u32, u32)>),
    found: &mut Vec<PairKey>,
) {
    match (a & LEAF != 0, b & LEAF != 0) {
        (true, true) => found.push(pair_key(a ^ LEAF, b ^ LEAF)),
        (true, false) => {
            descend(nodes, b, probe_a, stack, &mut |other| found.push(pair_key(a ^ LEAF, other)));
        }
        (false, true) => {
            descend(nodes, a, probe_b, stack, &mut |other| found.push(pair_key(b ^ LEAF, other)));
        }
        (false, false) => pair_stack.push((a, b)),
    }
}

/// Reports the leaves below a node that overlap a box.
#[inline]
fn descend(
    nodes: &[super::Node],
    from: u32,
    probe: &Probe,
    stack: &mut Vec<u32>,
    report: &mut impl FnMut(u32),
) {
    let mut at = from;
    loop {
        let node = &nodes[at as usize];
        for side in 0..2 {
            if node.covers[side].overlaps(probe) {
                let child = node.children[side];
                if child & LEAF == 0 {
                    stack.push(child);
                } else {
                    report(child ^ LEAF);
                }
            }
        }
        match stack.pop() {
            Some(next) => at = next,
            None => return,
        }
    }
}
