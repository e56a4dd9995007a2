//! What is near a box or on a ray.
//!
//! In: a box, a distance, a ray. Out: slots, in the order of the tree or, where stated, sorted. Every bound is computed with operations that keep order, so that
//! no node ever reads as farther than a leaf below it: what comes out is exactly what asking every box would give.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use zerogap_core::{Aabb, Vec3};

use super::cover::{Cover, Probe};
use super::{LEAF, ROOT, Tree};

/// How much earlier a slab is entered and how much later left than computed, so that rounding loses no hit: twice the error of a difference and a quotient [-].
const SLAB_MARGIN: f64 = 2.0 * f64::EPSILON;

impl Tree {
    /// Visits every slot whose box intersects `bounds`, in the order of the tree.
    pub(in super::super) fn overlapping(&self, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        self.visit_below(ROOT, &Cover::of(bounds).probe(), visit);
    }

    fn visit_below(&self, node: u32, probe: &Probe, visit: &mut dyn FnMut(u32)) {
        let node = &self.nodes[node as usize];
        for (child, cover) in node.children.iter().zip(&node.covers) {
            if !cover.overlaps(probe) {
                continue;
            }
            if child & LEAF == 0 {
                self.visit_below(*child, probe, visit);
            } else {
                visit(child ^ LEAF);
            }
        }
    }

    /// Visits every slot whose box is at most `distance` [m] away from `bounds`, in the order of the tree.
    ///
    /// Tolerance: distances as [`box_distance`] computes them.
    pub(in super::super) fn within(&self, bounds: &Aabb, distance: f64, visit: &mut dyn FnMut(u32)) {
        self.visit_within(ROOT, bounds, distance, visit);
    }

    fn visit_within(&self, node: u32, bounds: &Aabb, distance: f64, visit: &mut dyn FnMut(u32)) {
        let node = &self.nodes[node as usize];
        for (child, cover) in node.children.iter().zip(&node.covers) {
            if box_distance(cover, bounds) > distance || *child == super::NONE {
                continue;
            }
            if child & LEAF == 0 {
                self.visit_within(*child, bounds, distance, visit);
            } else {
                visit(child ^ LEAF);
            }
        }
    }

    /// The `k` boxes nearest to `bounds` as distance [m] and slot, sorted by these; all when there are fewer.
    ///
    /// Tolerance: distances as [`box_distance`] computes them; equal ones by slot.
    /// Cost: nodes nearer than the last answer, each through a heap (allocated).
    pub(in super::super) fn nearest(&self, bounds: &Aabb, k: usize) -> Vec<(f64, u32)> {
        let mut answer = Vec::with_capacity(k.min(self.len));
        if k == 0 {
            return answer;
        }
        let reach = |cover: &Cover| Some(box_distance(cover, bounds));
        self.visit_in_order(&reach, &mut |distance, slot| {
            answer.push((distance, slot));
            if answer.len() < k { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        answer
    }

    /// Visits the boxes that the ray `origin + t direction`, 0 <= t <= `max`, hits, with the t at which it enters (0 inside), sorted by these, equal ones by slot;
    /// until the visitor stops.
    ///
    /// Tolerance: no box that is hit is left out; one may be visited that the ray misses by 4 units in the last place of t. The t are within 4 of these.
    /// Cost: nodes entered before the last box visited, each through a heap (allocated).
    pub(in super::super) fn cast_ray(
        &self,
        origin: &Vec3,
        direction: &Vec3,
        max: f64,
        visit: &mut dyn FnMut(f64, u32) -> ControlFlow<()>,
    ) {
        self.visit_in_order(&|cover: &Cover| entry(cover, origin, direction, max), visit);
    }

    /// Visits leaves in ascending order of `key` and slot; none means not at all. The key of a box must not exceed that of a box inside it.
    fn visit_in_order(
        &self,
        key: &dyn Fn(&Cover) -> Option<f64>,
        visit: &mut dyn FnMut(f64, u32) -> ControlFlow<()>,
    ) {
        // At equal keys nodes come before leaves (their links are smaller), so that all leaves of that key are known when the first is visited.
        let mut heap = BinaryHeap::from([Reverse(Entry { key: 0.0, link: ROOT })]);
        while let Some(Reverse(Entry { key: reached, link })) = heap.pop() {
            if link & LEAF != 0 {
                if visit(reached, link ^ LEAF).is_break() {
                    return;
                }
                continue;
            }
            let node = &self.nodes[link as usize];
            for (&link, cover) in
                node.children.iter().zip(&node.covers).filter(|(link, _)| **link != super::NONE)
            {
                heap.extend(key(cover).map(|key| Reverse(Entry { key, link })));
            }
        }
    }
}

/// A node or leaf to be visited when its key is the smallest.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: f64,
    link: u32,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.total_cmp(&other.key).then(self.link.cmp(&other.link))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}

/// Distance of two boxes [m], 0 when they intersect; infinite for an empty one.
///
/// Tolerance: relative 4 units in the last place between 1e-150 m and 1e150 m; less reads as 0, more as infinite.
#[inline]
fn box_distance(cover: &Cover, bounds: &Aabb) -> f64 {
    Aabb { min: cover.min(), max: cover.max() }.distance(bounds)
}

/// Where a ray enters a box, from 0; none when it does not up to `max`.
#[inline]
fn entry(cover: &Cover, origin: &Vec3, direction: &Vec3, max: f64) -> Option<f64> {
    let (low, high) = (cover.min(), cover.max());
    let (mut from, mut to) = (0.0_f64, max);
    for k in 0..3 {
        let (o, d) = (origin[k], direction[k]);
        // Along the slab: in it or not, for all t.
        if d == 0.0 {
            if o < low[k] || o > high[k] {
                return None;
            }
            continue;
        }
        let (near, far) = if d > 0.0 { (low[k], high[k]) } else { (high[k], low[k]) };
        from = from.max(later((near - o) / d, -SLAB_MARGIN));
        to = to.min(later((far - o) / d, SLAB_MARGIN));
    }
    (from <= to).then_some(from)
}

/// A parameter of a ray moved by a fraction of its size.
#[inline]
fn later(t: f64, fraction: f64) -> f64 {
    if t > 0.0 { t * (1.0 + fraction) } else { t * (1.0 - fraction) }
}
