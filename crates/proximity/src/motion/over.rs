//! The least gap of two bodies made of many pieces over a span of time, from below.
//!
//! In: two trees of boxes in motion and a span. Out: a lower bound. As a search for the distance at one time, nearest pairs first, but with bounds that hold
//! for all of the span: along the direction that separates two boxes, or two pieces, at its middle.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::advance::min_over;
use super::parts::{Parts, SlabChase};
use super::probe::{Chase, ConvexChase};
use super::pursuit::Two;
use crate::convex::PairCache;

/// Maximum number of pairs of nodes before the span counts as too long [-]: halving it is then better.
const BUDGET: u32 = 1000;

/// Two nodes with a lower bound on their gap over the span. The largest is the one with the least bound, then with the lowest numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounded {
    lower: f64,
    a: u32,
    b: u32,
}

impl Eq for Bounded {}

impl Ord for Bounded {
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then((other.a, other.b).cmp(&(self.a, self.b)))
    }
}

impl PartialOrd for Bounded {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Memory of such searches.
#[derive(Debug, Default)]
pub(super) struct OverWork {
    waiting: BinaryHeap<Bounded>,
    cache: PairCache,
}

impl<A: Parts, B: Parts> Two<'_, A, B> {
    /// A lower bound of the gap of all pieces over a span of time [m]; what is beyond `enough` need not be distinguished.
    pub(super) fn min_over(
        &self,
        from: f64,
        to: f64,
        rounding: f64,
        enough: f64,
        work: &mut OverWork,
    ) -> f64 {
        let middle = 0.5 * (from + to);
        let OverWork { waiting, cache } = work;
        waiting.clear();
        let bound = |a: u32, b: u32| {
            let mut pair =
                SlabChase::new(self.a.slab(a), self.motion_a, self.b.slab(b), self.motion_b, rounding);
            let n = pair.gap(middle).normal;
            min_over(&mut pair, from, to, &n)
        };
        let (mut smallest, mut visited) = (enough, 0);
        waiting.push(Bounded { lower: bound(0, 0), a: 0, b: 0 });
        while let Some(Bounded { lower, a, b }) = waiting.pop() {
            // Nothing that is left reaches lower.
            if lower >= smallest {
                break;
            }
            visited += 1;
            if visited > BUDGET {
                return lower;
            }
            let pairs = match (self.a.children(a), self.b.children(b)) {
                (None, None) => {
                    for i in self.a.pieces(a) {
                        let shape_a = self.a.piece(i);
                        for j in self.b.pieces(b) {
                            let shape_b = self.b.piece(j);
                            let mut pair =
                                ConvexChase::new(&shape_a, self.motion_a, &shape_b, self.motion_b, to, cache);
                            let n = pair.gap(middle).normal;
                            smallest = smallest.min(min_over(&mut pair, from, to, &n));
                        }
                    }
                    continue;
                }
                (Some(below), None) => below.map(|child| (child, b)),
                (None, Some(below)) => below.map(|child| (a, child)),
                (Some(_), Some(below)) if self.b.slab(b).radius() > self.a.slab(a).radius() => {
                    below.map(|child| (a, child))
                }
                (Some(below), Some(_)) => below.map(|child| (child, b)),
            };
            for (a, b) in pairs {
                // What holds for a node holds for its children.
                let lower = bound(a, b).max(lower);
                if lower < smallest {
                    waiting.push(Bounded { lower, a, b });
                }
            }
        }
        smallest
    }
}
