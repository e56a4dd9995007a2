//! Newton matrices of islands with trees of links, factored along the trees.
//!
//! In: an island of which some groups are [`LinkTree`]s, and the derivative of every block. Out: solutions with `M + J^T G J`. In the velocities of joints that matrix is full: a contact of the last link of a chain moves all
//! joints of it. In the motions of links it is sparse, a block for every link and every pair in contact, and joints are eliminated one by one from the tips to the root, as the articulated-body algorithm does without
//! contacts. Each elimination is that of a sparse matrix whose graph has the joints and the contacts as edges; the only limit on its order is that links come before their parents.
//!
//! Links hand on `V = X V_parent + S q`: their rows and columns are added to those of the parent, and what is left of them is the joint `q`, which is eliminated. Bodies that hang on nothing are links with all
//! velocities of their own. Precision is that of lever arms between joints, wherever the tree stands.
//! Order: that of the graph and the input; the same input gives the same bits.

#![expect(clippy::needless_range_loop, reason = "indices of small matrices, as the formulas have them")]

use super::Delassus as _;
use super::bodies::{BodyProblem, LinkPlace};
use super::island::{NO_SLOPE, Slope, follows_any};
use super::links::{
    Spatial, Spatial6, add, dot, shift_columns, shift_rows, shifted_load, shifted_motion, subtract_outer,
    times, transposed,
};
use crate::problem::Block;

/// No node.
const NONE: u32 = u32::MAX;
/// A pivot of a body is no smaller than this fraction of its mass [-]: below is rounding.
const MIN_PIVOT: f64 = 1e-15;
/// A pivot of a joint is no smaller than this fraction of what it is without contacts, which only add to it [-].
const MIN_JOINT_PIVOT: f64 = 0.5;
/// Velocities of a body that stands for itself at most.
const MAX_SIZE: usize = 6;

const NO_BLOCK: Spatial6 = [[0.0; 6]; 6];

/// A link, or a group that is none.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The node it hangs on.
    parent: u32,
    /// First of its velocities in the island, and how many there are.
    first: usize,
    count: usize,
    arm: [f64; 3],
    /// Mass, or inertia about its pivot.
    inertia: Spatial6,
    /// Whether its velocities are its motion.
    is_plain: bool,
}

/// What a block does to a node.
#[derive(Debug, Clone, Copy)]
enum End {
    /// Rows for its motion.
    Node { node: u32, rows: [Spatial; 3] },
    /// One row: a velocity of the island times a factor.
    Joint { velocity: usize, factor: f64 },
}

/// The factor, and memory for it.
#[derive(Debug, Clone, Default)]
pub(super) struct TreeFactor {
    nodes: Vec<Node>,
    /// By velocity of the island: axis, what is added to its inertia, and the least pivot.
    axes: Vec<Spatial>,
    own: Vec<f64>,
    floors: Vec<f64>,
    /// By block.
    ends: Vec<[Option<End>; 2]>,
    /// Pairs of nodes that feel each other, as listed, and parents: the graph that the order was made for.
    listed: Vec<[u32; 2]>,
    next_listed: Vec<[u32; 2]>,
    parents: Vec<u32>,
    /// Node of each position in the order of elimination, and the other way round.
    order: Vec<u32>,
    position: Vec<u32>,
    /// By position: where its pairs with later positions begin; one more than nodes. The later positions, ascending.
    starts: Vec<usize>,
    later: Vec<u32>,
    /// By position: the pair with its parent.
    parent_pair: Vec<u32>,
    /// By pair: the pair of its later position with the parent of the earlier one.
    merged: Vec<u32>,
    /// For each position, for any two of its pairs, the pair of their later positions.
    targets: Vec<u32>,
    target_starts: Vec<usize>,
    /// By position: own block. By pair: block (earlier, later), and the transposed block (later, earlier), not read where the matrix is symmetric. Factored: in their first rows what the joint takes.
    diagonal: Vec<Spatial6>,
    upper: Vec<Spatial6>,
    lower: Vec<Spatial6>,
    /// By position: `L` with the inverted diagonal, or the inverse.
    joints: Vec<Spatial6>,
    /// By velocity: what is added to the inertia with the rows of joints.
    loads: Vec<f64>,
    is_symmetric: bool,
    // Memory.
    near: Vec<Vec<u32>>,
    children: Vec<u32>,
    cliques: Vec<u32>,
    clique_starts: Vec<usize>,
    forces: Vec<Spatial>,
    motions: Vec<Spatial>,
    numbers: Vec<f64>,
}

impl TreeFactor {
    /// Reads an island; false where it is none that this is for: without trees, with groups that are neither trees nor small, or with velocities without mass.
    pub(super) fn load(&mut self, problem: &BodyProblem) -> bool {
        let groups = problem.groups();
        let trees = (0..groups.len()).filter(|&group| problem.tree(group).is_some());
        let linked: usize = trees.map(|group| groups[group].len).sum();
        // Where most of an island are free bodies, the factor by panels is the quicker one.
        let small: usize = groups.iter().map(|group| group.len).filter(|len| *len < MAX_SIZE).sum();
        if linked + small == 0 || 2 * (linked + small) < problem.state_len() {
            return false;
        }
        let is_small = |group: usize| {
            let len = groups[group].len;
            len <= MAX_SIZE && (0..len).all(|k| problem.has_mass(group, k))
        };
        if !(0..groups.len()).all(|group| problem.tree(group).is_some() || is_small(group)) {
            return false;
        }
        self.list_nodes(problem);
        if !self.list_ends(problem) {
            return false;
        }
        self.find_order();
        true
    }

    fn list_nodes(&mut self, problem: &BodyProblem) {
        self.nodes.clear();
        for all in [&mut self.own, &mut self.floors] {
            all.clear();
            all.resize(problem.state_len(), 0.0);
        }
        self.axes.clear();
        self.axes.resize(problem.state_len(), [0.0; 6]);
        // The first node of each group is kept in `children` until ends are listed.
        self.children.clear();
        for (number, group) in problem.groups().iter().enumerate() {
            self.children.push(self.nodes.len() as u32);
            if let Some(tree) = problem.tree(number) {
                let base = self.nodes.len() as u32;
                for link in &tree.links {
                    for row in 0..link.count as usize {
                        let k = link.first as usize + row;
                        self.axes[group.start + k] = tree.axes[k];
                        self.own[group.start + k] = tree.own[k];
                        self.floors[group.start + k] = MIN_JOINT_PIVOT * tree.pivot(link, row);
                    }
                    self.nodes.push(Node {
                        parent: link.parent.map_or(NONE, |parent| base + parent),
                        first: group.start + link.first as usize,
                        count: link.count as usize,
                        arm: link.arm,
                        inertia: link.inertia,
                        is_plain: false,
                    });
                }
                continue;
            }
            let mut inertia = NO_BLOCK;
            for (i, row) in problem.mass(number).chunks_exact(group.len).enumerate() {
                inertia[i][..group.len].copy_from_slice(row);
                self.floors[group.start + i] = MIN_PIVOT * row[i];
            }
            self.nodes.push(Node {
                parent: NONE,
                first: group.start,
                count: group.len,
                arm: [0.0; 3],
                inertia,
                is_plain: true,
            });
        }
    }

    /// Lists what blocks do to nodes; false where a block acts on a tree in another way than on one of its links or joints.
    fn list_ends(&mut self, problem: &BodyProblem) -> bool {
        self.ends.clear();
        self.next_listed.clear();
        for block in 0..problem.blocks().len() {
            let mut ends = [None; 2];
            let mut count = 0;
            for side in problem.sides(block).into_iter().flatten() {
                let first = self.children[side.group];
                if problem.tree(side.group).is_some() {
                    let Some(places) = problem.link_places(block, side.group) else { return false };
                    for place in places.iter().flatten() {
                        let end = match *place {
                            LinkPlace::Link { link, rows } => End::Node { node: first + link, rows },
                            LinkPlace::Joint { velocity, factor } => {
                                End::Joint { velocity: problem.groups()[side.group].start + velocity, factor }
                            }
                        };
                        if !put_end(&mut ends, &mut count, end) {
                            return false;
                        }
                    }
                } else {
                    let len = problem.groups()[side.group].len;
                    let mut rows = [[0.0; 6]; 3];
                    for (row, own) in rows.iter_mut().zip(problem.rows_of(block, side).chunks_exact(len)) {
                        row[..len].copy_from_slice(own);
                    }
                    if !put_end(&mut ends, &mut count, End::Node { node: first, rows }) {
                        return false;
                    }
                }
            }
            if let [Some(End::Node { node: a, .. }), Some(End::Node { node: b, .. })] = ends {
                self.list_edge(a, b);
            }
            self.ends.push(ends);
            // A moment follows the velocities that its contact feels.
            if let Block::Moment { contact, .. } = problem.blocks()[block] {
                for own in nodes_of(&ends).into_iter().flatten() {
                    for other in nodes_of(&self.ends[contact]).into_iter().flatten() {
                        self.list_edge(own, other);
                    }
                }
            }
        }
        true
    }

    fn list_edge(&mut self, a: u32, b: u32) {
        let edge = [a.min(b), a.max(b)];
        if a != b && self.next_listed.last() != Some(&edge) {
            self.next_listed.push(edge);
        }
    }

    /// Finds the order of elimination and the pattern that it leads to, unless the graph is what it was: the node with the fewest neighbours first, of those with nothing left that hangs on them.
    fn find_order(&mut self) {
        let is_same = self.next_listed == self.listed
            && self.parents.len() == self.nodes.len()
            && self.parents.iter().zip(&self.nodes).all(|(parent, node)| *parent == node.parent);
        if is_same {
            return;
        }
        std::mem::swap(&mut self.listed, &mut self.next_listed);
        self.next_listed.clear();
        self.next_listed.reserve(self.listed.len());
        let count = self.nodes.len();
        self.parents.clear();
        self.parents.extend(self.nodes.iter().map(|node| node.parent));

        // Neighbours: joints and contacts.
        if self.near.len() < count {
            self.near.resize_with(count, Vec::new);
        }
        self.near[..count].iter_mut().for_each(Vec::clear);
        self.children.clear();
        self.children.resize(count, 0);
        for (node, parent) in self.parents.iter().enumerate().filter(|(_, parent)| **parent != NONE) {
            self.near[node].push(*parent);
            self.near[*parent as usize].push(node as u32);
            self.children[*parent as usize] += 1;
        }
        for [a, b] in &self.listed {
            self.near[*a as usize].push(*b);
            self.near[*b as usize].push(*a);
        }
        for near in &mut self.near[..count] {
            near.sort_unstable();
            near.dedup();
        }

        // Eliminate: neighbours become neighbours of each other.
        self.order.clear();
        self.position.clear();
        self.position.resize(count, NONE);
        self.cliques.clear();
        self.clique_starts.clear();
        for position in 0..count {
            let is_ready = |node: &usize| self.position[*node] == NONE && self.children[*node] == 0;
            let next = (0..count).filter(is_ready).min_by_key(|node| self.near[*node].len());
            // A tree always has a tip.
            let Some(node) = next else { break };
            self.position[node] = position as u32;
            self.order.push(node as u32);
            self.clique_starts.push(self.cliques.len());
            let first = self.cliques.len();
            self.cliques.extend_from_slice(&self.near[node]);
            for k in first..self.cliques.len() {
                let near = &mut self.near[self.cliques[k] as usize];
                let own = self.cliques[k];
                near.extend(self.cliques[first..].iter().filter(|other| **other != own));
                near.sort_unstable();
                near.dedup();
                near.retain(|other| *other != node as u32);
            }
            let parent = self.parents[node];
            if parent != NONE {
                self.children[parent as usize] -= 1;
            }
        }
        self.clique_starts.push(self.cliques.len());
        self.lay_out();
    }

    /// Where blocks lie, and what eliminations change.
    fn lay_out(&mut self) {
        let count = self.nodes.len();
        self.starts.clear();
        self.starts.extend_from_slice(&self.clique_starts);
        self.later.clear();
        self.later.extend(self.cliques.iter().map(|node| self.position[*node as usize]));
        for k in 0..count {
            self.later[self.starts[k]..self.starts[k + 1]].sort_unstable();
        }
        let pair = |starts: &[usize], later: &[u32], a: u32, b: u32| {
            let (a, b) = (a.min(b) as usize, a.max(b));
            (starts[a] + later[starts[a]..starts[a + 1]].partition_point(|x| *x < b)) as u32
        };
        self.parent_pair.clear();
        self.merged.clear();
        self.targets.clear();
        self.target_starts.clear();
        for k in 0..count {
            let parent = self.parents[self.order[k] as usize];
            let parent = if parent == NONE { NONE } else { self.position[parent as usize] };
            let own = &self.later[self.starts[k]..self.starts[k + 1]];
            let parent_pair =
                if parent == NONE { NONE } else { pair(&self.starts, &self.later, k as u32, parent) };
            self.parent_pair.push(parent_pair);
            self.target_starts.push(self.targets.len());
            for (n, a) in own.iter().enumerate() {
                let is_other = parent != NONE && *a != parent;
                self.merged.push(if is_other { pair(&self.starts, &self.later, *a, parent) } else { NONE });
                for b in &own[n + 1..] {
                    self.targets.push(pair(&self.starts, &self.later, *a, *b));
                }
            }
        }
        let pairs = self.later.len();
        self.diagonal.resize(count, NO_BLOCK);
        self.joints.resize(count, NO_BLOCK);
        for blocks in [&mut self.upper, &mut self.lower] {
            blocks.resize(pairs, NO_BLOCK);
        }
        for all in [&mut self.forces, &mut self.motions] {
            all.resize(count, [0.0; 6]);
        }
    }

    /// Assembles `M + J^T G J` from the derivatives of the blocks; `moments` are the blocks that follow the normal impulses of contacts, with those, by as much as `follows` says.
    pub(super) fn assemble(
        &mut self,
        slopes: &[Slope],
        (moments, follows): (&[(usize, usize)], &[[f64; 2]]),
        is_symmetric: bool,
    ) {
        self.is_symmetric = is_symmetric;
        for (block, node) in self.diagonal.iter_mut().zip(&self.order) {
            *block = self.nodes[*node as usize].inertia;
        }
        self.upper.fill(NO_BLOCK);
        if !is_symmetric {
            self.lower.fill(NO_BLOCK);
        }
        self.loads.clear();
        self.loads.extend_from_slice(&self.own);
        for block in 0..slopes.len() {
            let slope = &slopes[block];
            if *slope == NO_SLOPE {
                continue;
            }
            match &self.ends[block] {
                [Some(End::Node { node: a, rows: rows_a }), other] => {
                    let at = self.position[*a as usize] as usize;
                    let weighted = weigh(slope, rows_a);
                    add_product(&mut self.diagonal[at], rows_a, &weighted);
                    let Some(End::Node { node: b, rows: rows_b }) = other else { continue };
                    let across = self.position[*b as usize] as usize;
                    let weighted_b = weigh(slope, rows_b);
                    add_product(&mut self.diagonal[across], rows_b, &weighted_b);
                    let pair = self.pair(at, across);
                    // The block of the earlier against the later one, and the other transposed.
                    if at < across {
                        add_product(&mut self.upper[pair], rows_a, &weighted_b);
                        if !is_symmetric {
                            add_product(&mut self.lower[pair], &weighted, rows_b);
                        }
                    } else {
                        add_product(&mut self.upper[pair], rows_b, &weighted);
                        if !is_symmetric {
                            add_product(&mut self.lower[pair], &weighted_b, rows_a);
                        }
                    }
                }
                [Some(End::Joint { velocity, factor }), _] => {
                    self.loads[*velocity] += factor * factor * slope[0][0];
                }
                [None, _] => {}
            }
        }
        for &(block, contact) in moments {
            if follows_any(follows[block]) {
                self.add_followed((block, follows[block]), (contact, slopes[contact][0]));
            }
        }
    }

    /// Adds what a moment changes with the normal impulse of its contact.
    fn add_followed(&mut self, (block, follows): (usize, [f64; 2]), (contact, slope): (usize, [f64; 3])) {
        for own in self.ends[block].into_iter().flatten() {
            let End::Node { node, rows } = own else { continue };
            let pushed: Spatial = std::array::from_fn(|k| follows[0] * rows[0][k] + follows[1] * rows[1][k]);
            for other in self.ends[contact].into_iter().flatten() {
                let End::Node { node: across, rows } = other else { continue };
                let felt: Spatial = std::array::from_fn(|k| {
                    slope[0] * rows[0][k] + slope[1] * rows[1][k] + slope[2] * rows[2][k]
                });
                let [a, b] = [node, across].map(|node| self.position[node as usize] as usize);
                let pair = if a == b { 0 } else { self.pair(a, b) };
                let felt = felt.map(|x| -x);
                match a.cmp(&b) {
                    std::cmp::Ordering::Equal => subtract_outer(&mut self.diagonal[a], &pushed, &felt),
                    std::cmp::Ordering::Less => subtract_outer(&mut self.upper[pair], &pushed, &felt),
                    std::cmp::Ordering::Greater => subtract_outer(&mut self.lower[pair], &felt, &pushed),
                }
            }
        }
    }

    /// The pair of two positions that feel each other.
    fn pair(&self, a: usize, b: usize) -> usize {
        let (a, b) = (a.min(b), a.max(b) as u32);
        let own = &self.later[self.starts[a]..self.starts[a + 1]];
        self.starts[a] + own.partition_point(|x| *x < b)
    }

    /// Factors what was assembled; false where a pivot of an unsymmetric matrix is lost.
    pub(super) fn factor(&mut self) -> bool {
        (0..self.order.len()).all(|position| self.eliminate(position))
    }

    fn eliminate(&mut self, k: usize) -> bool {
        let node = &self.nodes[self.order[k] as usize];
        let (arm, count, is_plain) = (node.arm, node.count, node.is_plain);
        let velocities = node.first..node.first + node.count;
        let pairs = self.starts[k]..self.starts[k + 1];
        let own = self.diagonal[k];
        if self.parent_pair[k] != NONE {
            self.hand_on(k, &arm);
        }

        // What is left is the joint: its own inertia, and what it feels of others.
        let mut joint = NO_BLOCK;
        if is_plain {
            joint = own;
        } else {
            let axes = &self.axes[velocities.clone()];
            for (s, axis) in axes.iter().enumerate() {
                let load = times(&own, axis);
                for (joint, axis) in joint.iter_mut().zip(axes) {
                    joint[s] = dot(axis, &load);
                }
            }
            for pair in pairs.clone() {
                project(axes, &mut self.upper[pair]);
                if !self.is_symmetric {
                    project(axes, &mut self.lower[pair]);
                }
            }
        }
        for (r, load) in self.loads[velocities.clone()].iter().enumerate() {
            joint[r][r] += load;
        }
        if self.is_symmetric {
            factor_joint(&mut joint, &self.floors[velocities]);
            for pair in pairs.clone() {
                divide(&joint, count, &mut self.upper[pair]);
            }
        } else {
            let Some(inverse) = invert(&joint, count) else { return false };
            joint = inverse;
            for pair in pairs.clone() {
                let block = self.upper[pair];
                self.upper[pair] = std::array::from_fn(|r| {
                    let mut row = [0.0; 6];
                    for (factor, other) in inverse[r].iter().zip(&block).take(count) {
                        for (row, other) in row.iter_mut().zip(other) {
                            *row += factor * other;
                        }
                    }
                    row
                });
            }
        }
        self.joints[k] = joint;

        // What the joint takes from all that feel it.
        let targets = &mut self.targets[self.target_starts[k]..].iter();
        // A pair of later positions comes after those of this one.
        let end = pairs.end;
        let (upper, later_upper) = self.upper.split_at_mut(end);
        let (lower, later_lower) = self.lower.split_at_mut(end);
        let (upper, lower) = (&*upper, if self.is_symmetric { &*upper } else { &*lower });
        for a in pairs {
            let at = self.later[a] as usize;
            subtract_product(&mut self.diagonal[at], &lower[a], &upper[a], count);
            for (b, target) in (a + 1..end).zip(&mut *targets) {
                let place = *target as usize - end;
                subtract_product(&mut later_upper[place], &lower[a], &upper[b], count);
                if !self.is_symmetric {
                    subtract_product(&mut later_lower[place], &upper[a], &lower[b], count);
                }
            }
        }
        true
    }

    /// Adds the rows and columns of a link to those of its parent, and makes its block with the parent that of the joint's: what it feels of itself comes to that.
    fn hand_on(&mut self, k: usize, arm: &[f64; 3]) {
        let parent_pair = self.parent_pair[k] as usize;
        let parent = self.later[parent_pair] as usize;
        let own = self.diagonal[k];
        let (upper, lower) = if self.is_symmetric {
            (self.upper[parent_pair], self.upper[parent_pair])
        } else {
            (self.upper[parent_pair], self.lower[parent_pair])
        };
        // H X + U, with U the block against the parent.
        let mut with_parent = own;
        shift_columns(&mut with_parent, arm);
        add(&mut with_parent, &upper);
        self.upper[parent_pair] = with_parent;
        if !self.is_symmetric {
            let mut with_parent = transposed(&own);
            shift_columns(&mut with_parent, arm);
            add(&mut with_parent, &lower);
            self.lower[parent_pair] = with_parent;
        }
        // X^T (H X + U) + L X.
        shift_rows(&mut with_parent, arm);
        add(&mut self.diagonal[parent], &with_parent);
        let mut across = transposed(&lower);
        shift_columns(&mut across, arm);
        add(&mut self.diagonal[parent], &across);

        for pair in self.starts[k]..self.starts[k + 1] {
            if pair == parent_pair {
                continue;
            }
            let target = self.merged[pair] as usize;
            let (mut upper, mut lower) =
                (self.upper[pair], if self.is_symmetric { self.upper[pair] } else { self.lower[pair] });
            if parent < self.later[pair] as usize {
                shift_rows(&mut upper, arm);
                shift_rows(&mut lower, arm);
            } else {
                (upper, lower) = (transposed(&lower), transposed(&upper));
                shift_columns(&mut upper, arm);
                shift_columns(&mut lower, arm);
            }
            add(&mut self.upper[target], &upper);
            if !self.is_symmetric {
                add(&mut self.lower[target], &lower);
            }
        }
    }

    /// Replaces a right-hand side in the velocities of the island by the solution.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.forces.fill([0.0; 6]);
        self.numbers.clear();
        self.numbers.resize(x.len(), 0.0);
        for k in 0..self.order.len() {
            let node = &self.nodes[self.order[k] as usize];
            let own = self.forces[k];
            let joint = &self.joints[k];
            let mut u = [0.0; 6];
            for (r, u) in u.iter_mut().enumerate().take(node.count) {
                let along = if node.is_plain { own[r] } else { dot(&self.axes[node.first + r], &own) };
                *u = x[node.first + r] + along;
            }
            let y = if self.is_symmetric { divide_one(joint, node.count, &u) } else { times(joint, &u) };
            if self.parent_pair[k] != NONE {
                let parent = self.later[self.parent_pair[k] as usize] as usize;
                let passed = shifted_load(&own, &node.arm);
                self.forces[parent].iter_mut().zip(passed).for_each(|(force, passed)| *force += passed);
            }
            let left = if self.is_symmetric { &self.upper } else { &self.lower };
            for pair in self.starts[k]..self.starts[k + 1] {
                let force = &mut self.forces[self.later[pair] as usize];
                for (row, y) in left[pair].iter().zip(&y).take(node.count) {
                    for (force, row) in force.iter_mut().zip(row) {
                        *force -= row * y;
                    }
                }
            }
            self.numbers[node.first..node.first + node.count].copy_from_slice(&y[..node.count]);
        }
        for k in (0..self.order.len()).rev() {
            let node = &self.nodes[self.order[k] as usize];
            let mut y = [0.0; 6];
            y[..node.count].copy_from_slice(&self.numbers[node.first..node.first + node.count]);
            for pair in self.starts[k]..self.starts[k + 1] {
                let motion = &self.motions[self.later[pair] as usize];
                for (y, row) in y.iter_mut().zip(&self.upper[pair]).take(node.count) {
                    *y -= dot(row, motion);
                }
            }
            if self.is_symmetric {
                let joint = &self.joints[k];
                for r in (0..node.count).rev() {
                    let mut sum = y[r];
                    for s in r + 1..node.count {
                        sum -= joint[s][r] * y[s];
                    }
                    y[r] = sum * joint[r][r];
                }
            }
            x[node.first..node.first + node.count].copy_from_slice(&y[..node.count]);
            self.motions[k] = if node.is_plain {
                y
            } else {
                let mut motion = if self.parent_pair[k] == NONE {
                    [0.0; 6]
                } else {
                    let parent = self.later[self.parent_pair[k] as usize] as usize;
                    shifted_motion(&self.motions[parent], &node.arm)
                };
                for (axis, y) in self.axes[node.first..].iter().zip(&y).take(node.count) {
                    for (motion, axis) in motion.iter_mut().zip(axis) {
                        *motion += axis * y;
                    }
                }
                motion
            };
        }
    }
}

/// The nodes that a block acts on.
fn nodes_of(ends: &[Option<End>; 2]) -> [Option<u32>; 2] {
    [&ends[0], &ends[1]].map(|end| match end {
        Some(End::Node { node, .. }) => Some(*node),
        _ => None,
    })
}

/// Puts an end among those of a block; rows on the same node are added. False where there is no room, or ends do not go together.
fn put_end(ends: &mut [Option<End>; 2], count: &mut usize, end: End) -> bool {
    if let (Some(End::Node { node, rows }), End::Node { node: other, rows: more }) = (&mut ends[0], &end)
        && node == other
    {
        for (own, more) in rows.iter_mut().flatten().zip(more.iter().flatten()) {
            *own += more;
        }
        return true;
    }
    let is_alone = *count == 0;
    let goes = matches!(end, End::Node { .. }) && matches!(ends[0], Some(End::Node { .. }));
    if !(is_alone || (goes && *count == 1)) {
        return false;
    }
    ends[*count] = Some(end);
    *count += 1;
    true
}

/// `G J`.
fn weigh(slope: &Slope, rows: &[Spatial; 3]) -> [Spatial; 3] {
    slope.map(|s| std::array::from_fn(|k| s[0] * rows[0][k] + s[1] * rows[1][k] + s[2] * rows[2][k]))
}

/// `H += A^T B` of three rows each.
fn add_product(h: &mut Spatial6, a: &[Spatial; 3], b: &[Spatial; 3]) {
    for (i, row) in h.iter_mut().enumerate() {
        for (j, h) in row.iter_mut().enumerate() {
            *h += a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
        }
    }
}

/// `H -= A^T B` of some rows each.
fn subtract_product(h: &mut Spatial6, a: &Spatial6, b: &Spatial6, count: usize) {
    for (a, b) in a.iter().zip(b).take(count) {
        subtract_outer(h, a, b);
    }
}

/// Replaces a block of a link by that of its joint: `S^T H`.
fn project(axes: &[Spatial], block: &mut Spatial6) {
    let whole = *block;
    for (row, axis) in block.iter_mut().zip(axes) {
        let mut sum = [0.0; 6];
        for (factor, own) in axis.iter().zip(&whole) {
            for (sum, own) in sum.iter_mut().zip(own) {
                *sum += factor * own;
            }
        }
        *row = sum;
    }
}

/// Cholesky's factor in the lower triangle, with the diagonal inverted; pivots are no smaller than their floors.
fn factor_joint(joint: &mut Spatial6, floors: &[f64]) {
    let count = floors.len();
    for j in 0..count {
        let mut pivot = joint[j][j];
        for s in 0..j {
            pivot -= joint[j][s] * joint[j][s];
        }
        let inverse = 1.0 / pivot.max(floors[j]).sqrt();
        joint[j][j] = inverse;
        for i in j + 1..count {
            let mut entry = joint[i][j];
            for s in 0..j {
                entry -= joint[i][s] * joint[j][s];
            }
            joint[i][j] = entry * inverse;
        }
    }
}

/// Replaces rows by `L^-1` times them.
fn divide(joint: &Spatial6, count: usize, block: &mut Spatial6) {
    for r in 0..count {
        let (before, row) = block.split_at_mut(r);
        let row = &mut row[0];
        for (other, factor) in before.iter().zip(&joint[r]) {
            for (row, other) in row.iter_mut().zip(other) {
                *row -= factor * other;
            }
        }
        for x in row.iter_mut() {
            *x *= joint[r][r];
        }
    }
}

/// Returns `L^-1 u`.
fn divide_one(joint: &Spatial6, count: usize, u: &Spatial) -> Spatial {
    let mut y = [0.0; 6];
    for r in 0..count {
        let mut sum = u[r];
        for s in 0..r {
            sum -= joint[r][s] * y[s];
        }
        y[r] = sum * joint[r][r];
    }
    y
}

/// Returns the inverse of the first rows and columns, by elimination with the largest pivot of each column; none where one is lost.
fn invert(matrix: &Spatial6, count: usize) -> Option<Spatial6> {
    let (mut left, mut inverse) = (*matrix, NO_BLOCK);
    for (k, row) in inverse.iter_mut().enumerate().take(count) {
        row[k] = 1.0;
    }
    for k in 0..count {
        let largest =
            (k..count).fold(k, |best, i| if left[i][k].abs() > left[best][k].abs() { i } else { best });
        left.swap(k, largest);
        inverse.swap(k, largest);
        let pivot = left[k][k];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        let scale = 1.0 / pivot;
        for x in left[k].iter_mut().chain(&mut inverse[k]) {
            *x *= scale;
        }
        for i in (0..count).filter(|i| *i != k) {
            let factor = left[i][k];
            for j in 0..count {
                left[i][j] -= factor * left[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
    Some(inverse)
}
