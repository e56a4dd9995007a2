//! Walking two hierarchies at once.
//!
//! In: two placed hierarchies and a test of node pairs. Out: the pairs of faces that no test ruled out, in an order that is the same every time.

use super::node::{Node, Place, PlacedNode, may_meet};

/// A hierarchy and where it is.
#[derive(Clone, Copy)]
pub(super) struct PlacedHierarchy<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) place: &'a Place,
}

impl PlacedHierarchy<'_> {
    #[inline]
    fn placed(&self, node: u32) -> PlacedNode {
        self.place.node(&self.nodes[node as usize])
    }
}

/// Pairs of nodes to visit.
pub(super) type Stack = Vec<(u32, u32)>;

/// Visits all pairs of faces below the pairs on the stack that pass `may`; pairs on the stack have passed. Says how many pairs of nodes were tested.
#[inline]
pub(super) fn walk(
    a: PlacedHierarchy<'_>,
    b: PlacedHierarchy<'_>,
    stack: &mut Stack,
    may: impl Fn(&PlacedNode, &PlacedNode) -> bool,
    mut visit: impl FnMut(u32, u32),
) -> u64 {
    let mut tested = 0;
    while let Some((i, j)) = stack.pop() {
        if let Some(pair) = descend(a, b, i, j, &may, |pair| stack.push(pair)) {
            visit(pair.0, pair.1);
        } else {
            tested += 2;
        }
    }
    tested
}

/// The faces of a pair of leaves; otherwise passes on the pairs of children that pass.
#[inline]
fn descend(
    a: PlacedHierarchy<'_>,
    b: PlacedHierarchy<'_>,
    i: u32,
    j: u32,
    may: &impl Fn(&PlacedNode, &PlacedNode) -> bool,
    mut push: impl FnMut((u32, u32)),
) -> Option<(u32, u32)> {
    let (one, two) = (&a.nodes[i as usize], &b.nodes[j as usize]);
    match (one.face(), two.face()) {
        (Some(face_a), Some(face_b)) => return Some((face_a, face_b)),
        (face_a, face_b) => {
            let (placed_a, placed_b) = (a.place.node(one), b.place.node(two));
            if face_b.is_some() || (face_a.is_none() && placed_a.radius >= placed_b.radius) {
                for child in [one.right(), i + 1] {
                    if may(&a.placed(child), &placed_b) {
                        push((child, j));
                    }
                }
            } else {
                for child in [two.right(), j + 1] {
                    if may(&placed_a, &b.placed(child)) {
                        push((i, child));
                    }
                }
            }
        }
    }
    None
}

/// Puts the pair of roots on the stack, if it passes.
pub(super) fn start(
    a: PlacedHierarchy<'_>,
    b: PlacedHierarchy<'_>,
    stack: &mut Stack,
    may: impl Fn(&PlacedNode, &PlacedNode) -> bool,
) {
    stack.clear();
    if !a.nodes.is_empty() && !b.nodes.is_empty() && may(&a.placed(0), &b.placed(0)) {
        stack.push((0, 0));
    }
}

/// Opens pairs on the stack, the widest first, until there are `count` of them or none can be opened; leaves stay.
pub(super) fn spread(
    a: PlacedHierarchy<'_>,
    b: PlacedHierarchy<'_>,
    stack: &mut Stack,
    scratch: &mut Stack,
    count: usize,
    may: impl Fn(&PlacedNode, &PlacedNode) -> bool,
) {
    // One level at a time keeps the pairs about equally deep.
    while !stack.is_empty() && stack.len() < count {
        scratch.clear();
        let mut opened = false;
        for &(i, j) in &*stack {
            let leaves = descend(a, b, i, j, &may, |pair| scratch.push(pair));
            if leaves.is_some() {
                scratch.push((i, j));
            } else {
                opened = true;
            }
        }
        std::mem::swap(stack, scratch);
        if !opened {
            break;
        }
    }
}

/// The test for quasi-LMDs nearer than a distance.
pub(super) fn may_touch(
    cutoff: f64,
    angular_tolerance: f64,
) -> impl Fn(&PlacedNode, &PlacedNode) -> bool + Copy {
    move |one, two| may_meet(one, two, cutoff, angular_tolerance)
}
