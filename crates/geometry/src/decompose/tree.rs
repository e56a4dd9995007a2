//! A tree of boxes over triangles that answers where the surface is nearest.

use zerogap_core::{Aabb, Vec3};

use crate::nearest::{OnTriangle, on_triangle};

/// Triangles per leaf [-]: fewer make the tree larger, more make the leaves slow.
const LEAF: usize = 4;

/// The nearest point of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) triangle: u32,
    /// The corners of the feature that holds it: one, two, or all three for the inside.
    pub(super) held_by: [bool; 3],
    pub(super) point: Vec3,
}

struct Node {
    bounds: Aabb,
    /// First triangle and number of triangles of a leaf; for an inner node the second child and 0 (the first child follows directly).
    first: u32,
    count: u32,
}

/// Boxes in depth-first order over triangles sorted along.
pub(super) struct Tree {
    nodes: Vec<Node>,
    corners: Vec<[Vec3; 3]>,
    /// Which triangle of the input each one is.
    order: Vec<u32>,
}

impl Tree {
    pub(super) fn new(corners: &[[Vec3; 3]]) -> Self {
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        let mut nodes = Vec::new();
        build(corners, &mut order, 0, &mut nodes);
        let corners = order.iter().map(|&t| corners[t as usize]).collect();
        Self { nodes, corners, order }
    }

    /// The nearest point; of several at the same distance the first in the tree's order.
    pub(super) fn nearest(&self, p: &Vec3) -> Hit {
        let mut best = Hit { triangle: 0, held_by: [true, false, false], point: self.corners[0][0] };
        let mut best_squared = f64::INFINITY;
        let mut stack = vec![(0.0, 0_usize)];
        while let Some((squared, index)) = stack.pop() {
            if squared >= best_squared {
                continue;
            }
            let node = &self.nodes[index];
            if node.count > 0 {
                for slot in node.first as usize..(node.first + node.count) as usize {
                    let OnTriangle { point, held_by } = on_triangle(&self.corners[slot], p);
                    let squared = (p - point).norm_squared();
                    if squared < best_squared {
                        best_squared = squared;
                        best = Hit { triangle: self.order[slot], held_by, point };
                    }
                }
            } else {
                let (near, far) = (index + 1, node.first as usize);
                let (a, b) = (to_box(p, &self.nodes[near].bounds), to_box(p, &self.nodes[far].bounds));
                // The nearer child is checked first.
                if a <= b {
                    stack.push((b, far));
                    stack.push((a, near));
                } else {
                    stack.push((a, near));
                    stack.push((b, far));
                }
            }
        }
        best
    }
}

fn build(corners: &[[Vec3; 3]], order: &mut [u32], first: usize, nodes: &mut Vec<Node>) {
    let bounds = Aabb::from_points(order.iter().flat_map(|&t| &corners[t as usize]));
    let here = nodes.len();
    nodes.push(Node { bounds, first: first as u32, count: order.len() as u32 });
    if order.len() <= LEAF {
        return;
    }
    // Halves along the longest side of the box, by the triangles' middles.
    let axis = bounds.size().imax();
    let middle = |t: u32| corners[t as usize].iter().map(|p| p[axis]).sum::<f64>();
    order.sort_by(|&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
    let half = order.len() / 2;
    let (low, high) = order.split_at_mut(half);
    build(corners, low, first, nodes);
    let second = nodes.len() as u32;
    build(corners, high, first + half, nodes);
    nodes[here].first = second;
    nodes[here].count = 0;
}

/// Squared distance to a box.
fn to_box(p: &Vec3, bounds: &Aabb) -> f64 {
    (p - p.sup(&bounds.min).inf(&bounds.max)).norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_finds_what_looking_at_every_triangle_finds() {
        let ring = crate::parts::Torus::default().generate().unwrap();
        let corners: Vec<[Vec3; 3]> = ring.corner_triples().collect();
        let tree = Tree::new(&corners);
        let mut random = zerogap_testkit::random::Random::new(1);
        for _ in 0..300 {
            let p = random.in_cube(0.08);
            let brute = corners
                .iter()
                .map(|t| zerogap_testkit::brute::triangle_distance(t, &p))
                .fold(f64::INFINITY, f64::min);
            assert!(((p - tree.nearest(&p).point).norm() - brute).abs() < 1e-15);
        }
    }
}
