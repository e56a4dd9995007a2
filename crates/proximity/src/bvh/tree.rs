//! The hierarchy: nodes in one flat list, children side by side.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use zerogap_core::Vec3;

use super::pack::WIDTH;
use super::volume::{BoundingVolume, Frame};
use zerogap_core::threads::in_pool;

/// One node: a volume, and its two children or its triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node<V> {
    /// Around everything below.
    pub volume: V,
    /// The first of two children side by side; of a leaf, the first of its triangles in tree order.
    pub first: u32,
    /// Triangles of a leaf; 0 for an inner node.
    pub count: u32,
}

impl<V> Node<V> {
    /// Whether it holds triangles and no children.
    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.count > 0
    }
}

/// The nearest descendants of a node, up to eight of them: what is opened in one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wide<V: BoundingVolume> {
    /// Their volumes.
    pub pack: V::Pack,
    /// Their nodes.
    pub nodes: [u32; WIDTH],
    /// How many there are [-].
    pub count: u32,
}

/// No pack: of leaves, and of nodes that are opened together with one above them.
const NO_PACK: u32 = u32::MAX;

/// A hierarchy of volumes around the triangles of a mesh. The root is node 0; children stand side by side, behind their parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Bvh<V: BoundingVolume> {
    pub(super) frame: Frame,
    pub(super) nodes: Vec<Node<V>>,
    pub(super) order: Vec<u32>,
    wide: Vec<Wide<V>>,
    wide_of: Vec<u32>,
}

impl<V: BoundingVolume> Bvh<V> {
    /// From its nodes and its order: packs what is opened together.
    pub(super) fn packed(frame: Frame, nodes: Vec<Node<V>>, order: Vec<u32>) -> Self {
        let mut tree = Self { frame, nodes, order, wide: Vec::new(), wide_of: Vec::new() };
        tree.pack();
        tree
    }

    /// Packs the descendants of each node that is opened: those with most leaves are opened until there are eight, and none with eight or fewer unless all are, so that the
    /// lowest packs are well filled.
    fn pack(&mut self) {
        let mut leaves = vec![1_u32; self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            // An empty tree has a root without children.
            if !node.is_leaf() && self.nodes.len() > 1 {
                leaves[index] = leaves[node.first as usize] + leaves[node.first as usize + 1];
            }
        }
        self.wide.clear();
        self.wide_of.clear();
        self.wide_of.resize(self.nodes.len(), NO_PACK);
        let mut heads = vec![0_u32];
        let mut volumes = Vec::with_capacity(WIDTH);
        while let Some(head) = heads.pop() {
            if leaves[head as usize] == 1 {
                continue;
            }
            let few = leaves[head as usize] as usize <= WIDTH;
            let mut below = [head; WIDTH];
            let mut count = 1;
            while count < WIDTH {
                let largest = (0..count).fold(0, |best, k| {
                    if leaves[below[k] as usize] > leaves[below[best] as usize] { k } else { best }
                });
                let most_leaves = leaves[below[largest] as usize] as usize;
                if most_leaves == 1 || (!few && most_leaves <= WIDTH) {
                    break;
                }
                let first = self.nodes[below[largest] as usize].first;
                (below[largest], below[count]) = (first, first + 1);
                count += 1;
            }
            volumes.clear();
            volumes.extend(below[..count].iter().map(|&k| self.nodes[k as usize].volume));
            self.wide_of[head as usize] = self.wide.len() as u32;
            self.wide.push(Wide { pack: V::pack(&volumes), nodes: below, count: count as u32 });
            heads.extend(below[..count].iter().rev());
        }
    }

    /// Returns the children of a node as one wide node; none for leaves.
    #[inline]
    pub fn wide(&self, node: u32) -> Option<&Wide<V>> {
        self.wide.get(self.wide_of[node as usize] as usize)
    }

    /// Returns the frame of its numbers.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The nodes; there is always one.
    #[inline]
    pub fn nodes(&self) -> &[Node<V>] {
        &self.nodes
    }

    /// The triangles in tree order: the leaves' are neighbours here.
    #[inline]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Memory of the hierarchy itself [bytes].
    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node<V>>() + size_of::<u32>())
            + self.order.len() * size_of::<u32>()
            + self.wide.len() * size_of::<Wide<V>>()
    }

    /// Refits every volume to triangles that moved, in the order of the mesh; the structure of the tree is unchanged [m].
    ///
    /// Answers stay exact however far they moved; the search gets slower as neighbours part. Cost: O(n log n), some four times less than building.
    /// Order: the same bits for any number of threads.
    pub fn refit(&mut self, triangles: &[[Vec3; 3]]) {
        debug_assert_eq!(
            triangles.len(),
            self.order.len(),
            "refitting keeps the triangles and moves their corners"
        );
        let (low, high) = super::build::bounds(triangles.iter());
        self.frame = Frame::around(&low, &high);
        let placed: Vec<[Vec3; 3]> =
            self.order.iter().map(|&t| triangles[t as usize].map(|p| self.frame.place(&p))).collect();
        // Children come after their parent, so that in reverse order the span of every node is known before its parent needs it.
        let mut spans = vec![(0_u32, 0_u32); self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            spans[index] = if node.is_leaf() {
                (node.first, node.first + node.count)
            } else {
                (spans[node.first as usize].0, spans[node.first as usize + 1].1)
            };
        }
        let nodes = self.nodes.par_iter_mut().zip(&spans).with_min_len(64);
        in_pool(|| {
            nodes.for_each(|(node, &(start, end))| {
                node.volume = V::fit(&placed[start as usize..end as usize]);
            });
        });
        self.pack();
    }
}

impl<V: BoundingVolume> Bvh<V> {
    /// Whether it is a hierarchy of these triangles [m]: every one of them is in one leaf, and within the volumes above it.
    pub fn holds(&self, triangles: &[[Vec3; 3]]) -> bool {
        if self.order.len() != triangles.len() || triangles.is_empty() {
            return false;
        }
        let mut seen = vec![false; triangles.len()];
        for &t in &self.order {
            match seen.get_mut(t as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return false,
            }
        }
        // Every triangle against all volumes above it.
        let mut stack = vec![(0_usize, 0_u32, self.order.len() as u32)];
        let mut leaves = 0;
        while let Some((index, start, end)) = stack.pop() {
            let Some(node) = self.nodes.get(index) else { return false };
            let inside = |t: &u32| {
                let corners = triangles[*t as usize];
                corners.iter().all(|p| node.volume.distance_from(&self.frame.place(p)) <= 0.0)
            };
            if !self.order[start as usize..end as usize].iter().all(inside) {
                return false;
            }
            if node.is_leaf() {
                if node.first != start || node.first + node.count != end {
                    return false;
                }
                leaves += node.count;
                continue;
            }
            // Children come after their parent, so there is no cycle.
            let first = node.first as usize;
            if first <= index || first + 1 >= self.nodes.len() {
                return false;
            }
            let Some(middle) = self.first_below(first + 1) else { return false };
            if middle <= start || middle >= end {
                return false;
            }
            stack.push((first, start, middle));
            stack.push((first + 1, middle, end));
        }
        leaves as usize == triangles.len()
    }

    /// The first place of the order below a node; none where its children do not stand behind it.
    fn first_below(&self, mut index: usize) -> Option<u32> {
        loop {
            let node = self.nodes.get(index)?;
            if node.is_leaf() {
                return Some(node.first);
            }
            let next = node.first as usize;
            if next <= index {
                return None;
            }
            index = next;
        }
    }
}
