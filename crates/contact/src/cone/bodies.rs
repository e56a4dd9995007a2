//! A contact problem in terms of bodies: masses, Jacobians and the velocities without contacts, never the matrix `W`.
//!
//! In: groups of degrees of freedom that feel each other's forces (a free body, a robot), each with its mass matrix; blocks of rows, each on one or two groups. Out: a [`Delassus`]
//! whose state is the velocities of the groups. Cleared and filled again every step without allocation.
//!
//! A group may be a tree of links ([`LinkTree`]); its mass matrix is then never inverted.

use super::Delassus;
use super::links::{Lanes, LinkTree, LinkWork, Spatial};
use crate::problem::Block;
use nalgebra::Matrix3;
use zerogap_core::cholesky::{self, PivotRule};
use zerogap_core::skyline::Skyline;

/// Pivots below this fraction of the diagonal entry carry no mass: what they belong to does not move [-].
const MASSLESS: f64 = 1e-14;

/// Velocities of a free body.
const FREE: usize = 6;

/// Sparse groups of more velocities than this are solved within the envelope of their masses where that has no more than a part `1 / SPARSE` of the entries, in place of by an inverse [-].
const WIDE: usize = 36;
const SPARSE: usize = 4;

/// Where a group lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// First of its velocities.
    pub start: usize,
    /// Number of its velocities.
    pub len: usize,
    /// First entry of its mass matrix, row-major.
    mass: usize,
}

/// What a block does to one group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupRows {
    /// The group.
    pub group: usize,
    /// First entry of its rows, row-major, in the Jacobian and in what it moves.
    at: usize,
    /// Velocities from here on have zeros in all rows: joints beyond a contact do not move it.
    used: usize,
}

/// No tree.
const NO_TREE: u32 = u32::MAX;

/// Where a block acts on a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LinkPlace {
    /// On a link, with rows for its motion.
    Link { link: u32, rows: [Spatial; 3] },
    /// On one velocity of the group, with one row.
    Joint { velocity: usize, factor: f64 },
}

/// The same, with the block and the group.
#[derive(Debug, Clone, Copy)]
struct LinkRows {
    block: u32,
    group: u32,
    place: LinkPlace,
}

/// Contacts between groups of bodies.
#[derive(Debug, Clone, Default)]
pub struct BodyProblem {
    groups: Vec<Group>,
    masses: Vec<f64>,
    /// Lower triangular factors of the masses, where those are.
    factors: Vec<f64>,
    /// Inverses of the masses, where those are: each is used for all contacts of its group.
    inverses: Vec<f64>,
    free: Vec<f64>,
    blocks: Vec<Block>,
    first: Vec<usize>,
    sides: Vec<[Option<GroupRows>; 2]>,
    bias: Vec<f64>,
    jacobian: Vec<f64>,
    /// `M^-1 J^T`, a row for each row of the Jacobian.
    moved: Vec<f64>,
    diagonals: Vec<Matrix3<f64>>,
    /// By block: velocity per impulse that it yields by itself.
    compliances: Vec<f64>,
    /// Unit of each velocity in that of the problem this is a part of ([`BodyProblem::copy_part`]).
    scales: Vec<f64>,
    /// By group: the tree that it has memory for, or [`NO_TREE`], and whether it is one. Trees, of which so many are in use; what blocks do to them, in the order of the blocks.
    tree_of: Vec<u32>,
    /// By group: its factor, where most of its mass matrix is zeros; it then has no inverse.
    skylines: Vec<Option<Skyline>>,
    is_sparse: Vec<bool>,
    is_tree: Vec<bool>,
    trees: Vec<LinkTree>,
    tree_count: usize,
    link_rows: Vec<LinkRows>,
    work: LinkWork,
    scratch: Vec<f64>,
}

impl BodyProblem {
    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.masses.clear();
        self.factors.clear();
        self.inverses.clear();
        self.free.clear();
        self.tree_of.clear();
        self.skylines.clear();
        self.is_sparse.clear();
        self.is_tree.clear();
        self.tree_count = 0;
        self.clear_blocks();
    }

    /// Forgets the blocks and keeps the groups.
    pub fn clear_blocks(&mut self) {
        self.blocks.clear();
        self.first.clear();
        self.sides.clear();
        self.bias.clear();
        self.jacobian.clear();
        self.moved.clear();
        self.diagonals.clear();
        self.compliances.clear();
        self.link_rows.clear();
    }

    /// Adds a group with its mass matrix (row-major, symmetric) and its velocities without contacts; its number.
    ///
    /// # Panics
    /// Where the matrix is not the square of the velocities.
    pub fn add_group(&mut self, mass: &[f64], free: &[f64]) -> usize {
        self.put_group(mass, free, false)
    }

    /// Does the same for a group most of whose mass matrix is zeros, next to the diagonal: it is solved within the envelope of the matrix where that is worth it, in time linear in its velocities.
    ///
    /// # Panics
    /// Where the matrix is not the square of the velocities.
    pub fn add_sparse_group(&mut self, mass: &[f64], free: &[f64]) -> usize {
        self.put_group(mass, free, true)
    }

    fn put_group(&mut self, mass: &[f64], free: &[f64], is_sparse: bool) -> usize {
        let len = free.len();
        assert!(
            mass.len() == len * len,
            "a mass matrix of {len} velocities has {} entries, not {}",
            len * len,
            mass.len()
        );
        let group = Group { start: self.free.len(), len, mass: self.masses.len() };
        self.groups.push(group);
        self.tree_of.push(NO_TREE);
        self.skylines.push(None);
        self.is_sparse.push(is_sparse);
        self.is_tree.push(false);
        self.masses.extend_from_slice(mass);
        self.factors.resize(self.masses.len(), 0.0);
        self.inverses.resize(self.masses.len(), 0.0);
        self.free.extend_from_slice(free);
        let number = self.groups.len() - 1;
        self.invert(number);
        number
    }

    /// Gives a group another mass matrix and other velocities without contacts; blocks that act on it must be added anew.
    ///
    /// # Panics
    /// Where there is no such group, or the sizes are not its own.
    pub fn set_group(&mut self, group: usize, mass: &[f64], free: &[f64]) {
        let Group { start, len, mass: at } = self.groups[group];
        self.free[start..start + len].copy_from_slice(free);
        let own = &mut self.masses[at..at + len * len];
        let was_tree = std::mem::replace(&mut self.is_tree[group], false);
        // Bodies at rest have the mass they had.
        if *own == *mass && !was_tree {
            return;
        }
        own.copy_from_slice(mass);
        self.invert(group);
    }

    /// Does the same for a group that is a tree of links, whose mass matrix this is. Blocks act on it by [`BodyProblem::add_link_side`] and [`BodyProblem::add_joint_side`]; one that is added by
    /// [`BodyProblem::add_side`] makes it a group like any other, and so does a velocity without mass.
    ///
    /// Cost: in proportion to the number of links, but for copying the matrix.
    ///
    /// # Panics
    /// Where there is no such group, or the sizes are not its own.
    pub fn set_tree(&mut self, group: usize, mass: &[f64], free: &[f64], links: &LinkTree) {
        let Group { start, len, mass: at } = self.groups[group];
        self.free[start..start + len].copy_from_slice(free);
        self.masses[at..at + len * len].copy_from_slice(mass);
        if self.tree_of[group] == NO_TREE {
            self.tree_of[group] = self.tree_count as u32;
            self.tree_count += 1;
            if self.trees.len() < self.tree_count {
                self.trees.push(LinkTree::default());
            }
        }
        let tree = &mut self.trees[self.tree_of[group] as usize];
        tree.copy_links(links);
        self.is_tree[group] = tree.factor(mass);
        if !self.is_tree[group] {
            self.invert(group);
        }
    }

    /// Returns the links of a group that is a tree.
    pub(super) fn tree(&self, group: usize) -> Option<&LinkTree> {
        self.is_tree[group].then(|| &self.trees[self.tree_of[group] as usize])
    }

    /// Whether a group is a tree of links.
    pub fn is_tree(&self, group: usize) -> bool {
        self.is_tree[group]
    }

    /// Returns where a block acts on a tree; none where its rows are of other kinds.
    pub(super) fn link_places(&self, block: usize, group: usize) -> Option<[Option<LinkPlace>; 2]> {
        let first = self.link_rows.partition_point(|rows| (rows.block as usize) < block);
        let mut places = [None; 2];
        let own = self.link_rows[first..].iter().take_while(|rows| rows.block as usize == block);
        for (place, rows) in places.iter_mut().zip(own.filter(|rows| rows.group as usize == group)) {
            *place = Some(rows.place);
        }
        places[0].is_some().then_some(places)
    }

    /// Factors and inverts the mass of a group.
    fn invert(&mut self, group: usize) {
        let Group { len, mass, .. } = self.groups[group];
        let range = mass..mass + len * len;
        let factors = &mut self.factors[range.clone()];
        self.skylines[group] = None;
        if self.is_sparse[group]
            && len > WIDE
            && let Some(mut skyline) = Skyline::of_rows(&self.masses[range.clone()], len, len * len / SPARSE)
        {
            skyline.factor();
            // Which velocities have mass is read from the diagonal.
            for k in 0..len {
                factors[k * (len + 1)] = f64::from(u8::from(skyline.has_pivot(k)));
            }
            self.skylines[group] = Some(skyline);
            return;
        }
        factors.copy_from_slice(&self.masses[range.clone()]);
        if len > FREE {
            cholesky::invert(factors, len, Massless, &mut self.inverses[range]);
            return;
        }
        cholesky::factor(factors, len, Massless);
        let inverse = &mut self.inverses[range];
        inverse.fill(0.0);
        for (k, column) in inverse.chunks_exact_mut(len).enumerate() {
            column[k] = 1.0;
            cholesky::solve_lower(factors, len, Massless, column);
            cholesky::solve_upper(factors, len, Massless, column);
        }
    }

    /// Begins a block with `bias`, what its velocities are beyond the Jacobian times the velocities of the groups; its rows follow by [`BodyProblem::add_side`]. Returns its number.
    ///
    /// # Panics
    /// Where the bias does not have the block's rows, or a moment's contact is no contact before it.
    pub fn add_block(&mut self, law: Block, bias: &[f64]) -> usize {
        assert!(bias.len() == law.rows(), "{} rows need as many biases, not {}", law.rows(), bias.len());
        if let Block::Moment { axes, contact, .. } = law {
            assert!((1..=2).contains(&axes), "a moment has one or two rows, not {axes}");
            let is_contact = matches!(self.blocks.get(contact), Some(Block::Contact { .. }));
            assert!(is_contact, "a moment belongs to a contact before it, and block {contact} is none");
        }
        self.first.push(self.bias.len());
        self.blocks.push(law);
        self.bias.extend_from_slice(bias);
        self.sides.push([None; 2]);
        self.diagonals.push(Matrix3::zeros());
        self.compliances.push(0.0);
        self.blocks.len() - 1
    }

    /// Adds the rows (row-major) of the last block on a group; a group named twice gets the sum. A tree of links becomes a group like any other by it.
    ///
    /// # Panics
    /// Where there is no block yet, the block has two groups already, a moment's contact does not act on the group, or the sizes do not fit together.
    pub fn add_side(&mut self, group: usize, rows: &[f64]) {
        if std::mem::replace(&mut self.is_tree[group], false) {
            self.invert(group);
        }
        let (side, is_known) = self.put_rows(group, rows);
        if is_known {
            self.move_again();
        } else {
            self.move_side(side);
        }
    }

    /// Does the same for a link of a tree: `motion_rows` are the rows for its motion, velocity of its pivot and angular velocity, of which `rows` follow.
    ///
    /// # Panics
    /// As [`BodyProblem::add_side`], and where the group is no tree or has no such link.
    pub fn add_link_side(&mut self, group: usize, rows: &[f64], link: usize, motion_rows: &[[f64; 6]]) {
        let (side, is_known) = self.put_rows(group, rows);
        let mut own = [[0.0; 6]; 3];
        own[..motion_rows.len()].copy_from_slice(motion_rows);
        let mut loads = [[0.0; 4]; 6];
        for (lane, row) in own.iter().enumerate() {
            for (load, x) in loads.iter_mut().zip(row) {
                load[lane] = *x;
            }
        }
        let place = LinkPlace::Link { link: link as u32, rows: own };
        let motions = self.move_tree(side, motion_rows.len(), place, |tree, work, visit| {
            tree.respond(link, loads, work, visit)
        });
        if is_known {
            self.sum_diagonal();
            return;
        }
        let Some(diagonal) = self.diagonals.last_mut() else { return };
        for (i, row) in own.iter().enumerate() {
            for j in 0..motion_rows.len() {
                diagonal[(i, j)] += row.iter().zip(&motions).map(|(x, motion)| x * motion[j]).sum::<f64>();
            }
        }
    }

    /// Does the same for a row that is one velocity of a tree, times a factor.
    ///
    /// # Panics
    /// As [`BodyProblem::add_side`], and where the group is no tree or the block has more rows.
    pub fn add_joint_side(&mut self, group: usize, rows: &[f64], velocity: usize, factor: f64) {
        let (side, _) = self.put_rows(group, rows);
        assert!(rows.len() == self.groups[group].len, "a joint has one row");
        let place = LinkPlace::Joint { velocity, factor };
        self.move_tree(side, 1, place, |tree, work, visit| tree.respond_joint(velocity, factor, work, visit));
        self.sum_diagonal();
    }

    /// Puts rows of the last block on a group; whether it had some already.
    fn put_rows(&mut self, group: usize, rows: &[f64]) -> (GroupRows, bool) {
        let (Some(law), Some(block)) = (self.blocks.last(), self.sides.len().checked_sub(1)) else {
            panic!("a side belongs to a block");
        };
        let len = self.groups[group].len;
        let count = law.rows();
        assert!(rows.len() == count * len, "{count} rows of {len} velocities, not {} entries", rows.len());
        if let Block::Moment { contact, .. } = *law {
            let is_shared = self.sides[contact].iter().flatten().any(|side| side.group == group);
            assert!(
                is_shared,
                "a moment acts on the groups of its contact, and group {group} is none of them"
            );
        }
        let sides = &mut self.sides[block];
        let used = used_columns(rows, len);
        if let Some(side) = sides.iter_mut().flatten().find(|side| side.group == group) {
            for (sum, add) in self.jacobian[side.at..].iter_mut().zip(rows) {
                *sum += add;
            }
            side.used = side.used.max(used);
            return (*side, true);
        }
        let side = GroupRows { group, at: self.jacobian.len(), used };
        let place = sides.iter_mut().find(|side| side.is_none());
        *place.expect("a block acts on two groups at most") = Some(side);
        self.jacobian.extend_from_slice(rows);
        self.moved.resize(self.jacobian.len(), 0.0);
        (side, false)
    }

    /// A group named again changes what its rows move, and the block's own entries of `W` are summed anew.
    fn move_again(&mut self) {
        let (Some(sides), Some(own)) = (self.sides.last(), self.diagonals.last_mut()) else { return };
        let (sides, _) = (*sides, std::mem::replace(own, Matrix3::zeros()));
        for side in sides.into_iter().flatten() {
            if self.is_tree[side.group] {
                self.sum_side(side);
            } else {
                self.move_side(side);
            }
        }
    }

    /// Finds what rows of the last block move, by the inverse, and adds that to its own entries of `W`.
    fn move_side(&mut self, side: GroupRows) {
        let (Some(law), Some(own)) = (self.blocks.last(), self.diagonals.last_mut()) else { return };
        let Group { len, mass, .. } = self.groups[side.group];
        let range = side.at..side.at + law.rows() * len;
        let inverse = &self.inverses[mass..mass + len * len];
        let (rows, moved) = (&self.jacobian[range.clone()], &mut self.moved[range]);
        match len {
            6 => return move_rows::<6>(inverse, rows, moved, own),
            5 => return move_rows::<5>(inverse, rows, moved, own),
            4 => return move_rows::<4>(inverse, rows, moved, own),
            3 => return move_rows::<3>(inverse, rows, moved, own),
            2 => return move_rows::<2>(inverse, rows, moved, own),
            1 => return move_rows::<1>(inverse, rows, moved, own),
            _ => {}
        }
        if let Some(skyline) = &self.skylines[side.group] {
            moved.copy_from_slice(rows);
            for moved in moved.chunks_exact_mut(len) {
                skyline.solve(moved, &mut self.scratch);
            }
            return self.sum_side(side);
        }
        // The inverse is symmetric: its rows are its columns. Joints beyond a contact do not move it.
        moved.fill(0.0);
        for (row, moved) in rows.chunks_exact(len).zip(moved.chunks_exact_mut(len)) {
            for (x, column) in row.iter().zip(inverse.chunks_exact(len)).filter(|(x, _)| **x != 0.0) {
                for (moved, entry) in moved.iter_mut().zip(column) {
                    *moved += x * entry;
                }
            }
        }
        self.sum_side(side);
    }

    /// Adds what rows of the last block move on a tree, by its links, and notes where they act.
    fn move_tree<T>(
        &mut self,
        side: GroupRows,
        count: usize,
        place: LinkPlace,
        respond: impl FnOnce(&LinkTree, &mut LinkWork, &mut dyn FnMut(usize, Lanes)) -> T,
    ) -> T {
        assert!(self.is_tree[side.group], "group {} is no tree", side.group);
        let len = self.groups[side.group].len;
        let block = self.blocks.len() as u32 - 1;
        self.link_rows.push(LinkRows { block, group: side.group as u32, place });
        let tree = &self.trees[self.tree_of[side.group] as usize];
        let moved = &mut self.moved[side.at..side.at + count * len];
        respond(tree, &mut self.work, &mut |k, change| {
            for (row, change) in change.iter().enumerate().take(count) {
                moved[row * len + k] += change;
            }
        })
    }

    /// Sums the last block's own entries of `W` anew.
    fn sum_diagonal(&mut self) {
        let (Some(sides), Some(own)) = (self.sides.last(), self.diagonals.last_mut()) else { return };
        let (sides, _) = (*sides, std::mem::replace(own, Matrix3::zeros()));
        sides.into_iter().flatten().for_each(|side| self.sum_side(side));
    }

    /// Adds to the last block's own entries of `W` what its rows on a side feel of what they move.
    fn sum_side(&mut self, side: GroupRows) {
        let (Some(law), Some(own)) = (self.blocks.last(), self.diagonals.last_mut()) else { return };
        let len = self.groups[side.group].len;
        let range = side.at..side.at + law.rows() * len;
        let (rows, moved) = (&self.jacobian[range.clone()], &self.moved[range]);
        for (i, row) in rows.chunks_exact(len).enumerate() {
            for (j, moved) in moved.chunks_exact(len).enumerate() {
                own[(i, j)] += dot(row, moved);
            }
        }
    }

    /// The groups, in the order of adding.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The mass matrix of a group, row-major.
    pub fn mass(&self, group: usize) -> &[f64] {
        let Group { len, mass, .. } = self.groups[group];
        &self.masses[mass..mass + len * len]
    }

    /// Whether anything of a group moves: it has mass.
    pub fn is_movable(&self, group: usize) -> bool {
        (0..self.groups[group].len).any(|k| self.has_mass(group, k))
    }

    /// Whether a velocity of a group has mass; what has none does not move.
    pub fn has_mass(&self, group: usize, velocity: usize) -> bool {
        let Group { len, mass, .. } = self.groups[group];
        self.is_tree[group] || self.factors[mass + velocity * (len + 1)] > 0.0
    }

    /// The velocities of all groups without contacts.
    pub fn free(&self) -> &[f64] {
        &self.free
    }

    /// The groups that a block acts on.
    pub fn sides(&self, block: usize) -> [Option<GroupRows>; 2] {
        self.sides[block]
    }

    /// The rows of a block on a side, row-major.
    pub fn rows_of(&self, block: usize, side: GroupRows) -> &[f64] {
        let len = self.groups[side.group].len;
        &self.jacobian[side.at..side.at + self.blocks[block].rows() * len]
    }

    /// The bias of all rows.
    pub fn bias(&self) -> &[f64] {
        &self.bias
    }

    /// Replaces the bias of the rows of a block and its law.
    pub fn set_block(&mut self, block: usize, law: Block, bias: &[f64]) {
        debug_assert_eq!(law.rows(), self.blocks[block].rows(), "a block keeps its rows");
        let first = self.first[block];
        self.bias[first..first + bias.len()].copy_from_slice(bias);
        self.blocks[block] = law;
    }

    /// Makes a block of one row yield to its impulse: its velocity is that of its groups and its bias, and `compliance` times the impulse [1/kg and the like]. None (zero) unless set.
    ///
    /// A spring and damper over a step h, with stiffness k and damping d, is a bilateral row of compliance `1 / (h (h k + d))`.
    ///
    /// # Panics
    /// Where the block has more than one row, or the compliance is negative or not a number.
    pub fn set_compliance(&mut self, block: usize, compliance: f64) {
        assert!(
            self.blocks[block].rows() == 1,
            "a block of {} rows has no compliance",
            self.blocks[block].rows()
        );
        assert!(compliance >= 0.0, "a compliance is not negative, but this one is {compliance}");
        self.compliances[block] = compliance;
    }

    /// Replaces the velocities without contacts.
    ///
    /// # Panics
    /// Where there are not as many.
    pub fn set_free(&mut self, free: &[f64]) {
        self.free.copy_from_slice(free);
    }
}

impl BodyProblem {
    /// The velocity of a block in a state, without its bias: as exact as the state, however large the bias is.
    pub fn velocity(&self, block: usize, state: &[f64]) -> [f64; 3] {
        let mut u = [0.0; 3];
        self.add_velocity(block, state, &mut u);
        u
    }

    /// The kinetic energy of a group in a state [J].
    pub fn kinetic_energy(&self, group: usize, state: &[f64]) -> f64 {
        let Group { start, len, .. } = self.groups[group];
        let v = &state[start..start + len];
        0.5 * self.mass(group).chunks_exact(len).zip(v).map(|(row, own)| own * dot(row, v)).sum::<f64>()
    }

    /// `out += J^T x` for the rows of a block.
    pub(super) fn add_transposed(&self, block: usize, x: [f64; 3], out: &mut [f64]) {
        let count = self.blocks[block].rows();
        for side in self.sides[block].iter().flatten() {
            let Group { start, len, .. } = self.groups[side.group];
            if len <= FREE && count == 3 {
                add_columns(&self.jacobian[side.at..side.at + 3 * len], x, &mut out[start..start + len]);
                continue;
            }
            for (i, x) in x.iter().enumerate().take(count) {
                let row = &self.jacobian[side.at + i * len..][..side.used];
                for (out, j) in out[start..].iter_mut().zip(row) {
                    *out += j * x;
                }
            }
        }
    }

    /// Makes this the part of another problem that consists of some of its groups and blocks; `local` is the number of each of these groups among them. Impulses and velocities of blocks are the same in both.
    ///
    /// Velocities of groups are scaled by powers of two so that their masses are between one half and four: what a factorisation does then depends on no unit. What cannot move becomes a bias.
    pub(super) fn copy_part(&mut self, whole: &Self, groups: &[u32], blocks: &[u32], local: &[u32]) {
        self.clear();
        self.scales.clear();
        for &group in groups {
            let Group { start, len, mass } = whole.groups[group as usize];
            let own = Group { start: self.free.len(), len, mass: self.masses.len() };
            self.groups.push(own);
            let matrix = &whole.masses[mass..mass + len * len];
            self.scales.extend((0..len).map(|k| power_near_root(matrix[k * (len + 1)])));
            let scales = &self.scales[own.start..];
            let both = |values: &[f64], out: &mut Vec<f64>, undo: bool| {
                for (row, a) in values.chunks_exact(len).zip(scales) {
                    out.extend(
                        row.iter().zip(scales).map(|(x, b)| if undo { x / (a * b) } else { x * a * b }),
                    );
                }
            };
            both(matrix, &mut self.masses, false);
            self.is_tree.push(whole.is_tree[group as usize]);
            self.tree_of.push(NO_TREE);
            self.skylines.push(None);
            self.is_sparse.push(false);
            if let Some(tree) = whole.tree(group as usize) {
                if self.trees.len() == self.tree_count {
                    self.trees.push(LinkTree::default());
                }
                self.trees[self.tree_count].copy_scaled(tree, scales);
                self.tree_of[self.groups.len() - 1] = self.tree_count as u32;
                self.tree_count += 1;
                self.inverses.resize(self.masses.len(), 0.0);
                self.factors.resize(self.masses.len(), 0.0);
            } else if whole.skylines[group as usize].is_some() {
                self.inverses.resize(self.masses.len(), 0.0);
                self.factors.extend_from_slice(&whole.factors[mass..mass + len * len]);
            } else {
                both(&whole.inverses[mass..mass + len * len], &mut self.inverses, true);
                // Only the diagonal of a factor is ever read here: which velocities have mass.
                self.factors.extend_from_slice(&whole.factors[mass..mass + len * len]);
            }
            self.free.extend(whole.free[start..start + len].iter().zip(scales).map(|(v, a)| v / a));
        }
        for &block in blocks {
            let block = block as usize;
            let law = match whole.blocks[block] {
                // Its contact acts on the same groups, so that both are in the part.
                Block::Moment { axes, ratio, contact } => {
                    let contact = blocks.binary_search(&(contact as u32)).unwrap_or_default();
                    Block::Moment { axes, ratio, contact }
                }
                law => law,
            };
            let first = whole.first[block];
            self.first.push(self.bias.len());
            self.blocks.push(law);
            let at = self.bias.len();
            self.bias.extend_from_slice(&whole.bias[first..first + law.rows()]);
            self.diagonals.push(whole.diagonals[block]);
            self.compliances.push(whole.compliances[block]);
            let mut sides = [None; 2];
            for (own, side) in sides.iter_mut().zip(whole.sides[block]) {
                let Some(GroupRows { group, at: from, used }) = side else { continue };
                let Group { start, len, .. } = whole.groups[group];
                let entries = from..from + law.rows() * len;
                if !whole.is_movable(group) {
                    let rows = whole.jacobian[entries].chunks_exact(len);
                    for (bias, row) in self.bias[at..].iter_mut().zip(rows) {
                        *bias += dot(row, &whole.free[start..start + len]);
                    }
                    continue;
                }
                let number = local[group] as usize;
                *own = Some(GroupRows { group: number, at: self.jacobian.len(), used });
                let scales = &self.scales[self.groups[number].start..][..len];
                for (row, moved) in whole.jacobian[entries.clone()]
                    .chunks_exact(len)
                    .zip(whole.moved[entries].chunks_exact(len))
                {
                    self.jacobian.extend(row.iter().zip(scales).map(|(x, a)| x * a));
                    self.moved.extend(moved.iter().zip(scales).map(|(x, a)| x / a));
                }
            }
            self.sides.push(sides);
        }
        self.copy_link_rows(whole, blocks, local);
    }

    /// Copies what some blocks of another problem do to trees.
    fn copy_link_rows(&mut self, whole: &Self, blocks: &[u32], local: &[u32]) {
        if whole.link_rows.is_empty() {
            return;
        }
        for (number, &block) in blocks.iter().enumerate() {
            let first = whole.link_rows.partition_point(|rows| rows.block < block);
            for rows in whole.link_rows[first..].iter().take_while(|rows| rows.block == block) {
                let group = local[rows.group as usize];
                let place = match rows.place {
                    LinkPlace::Joint { velocity, factor } => {
                        let start = self.groups[group as usize].start;
                        LinkPlace::Joint { velocity, factor: factor * self.scales[start + velocity] }
                    }
                    place @ LinkPlace::Link { .. } => place,
                };
                self.link_rows.push(LinkRows { block: number as u32, group, place });
            }
        }
    }

    fn add_velocity(&self, block: usize, state: &[f64], u: &mut [f64; 3]) {
        let count = self.blocks[block].rows();
        for side in self.sides[block].iter().flatten() {
            let Group { start, len, .. } = self.groups[side.group];
            // Few velocities with three rows are nearly all there is: sizes known beforehand make this twice as fast.
            if len <= FREE && count == 3 {
                let (rows, v) = (&self.jacobian[side.at..side.at + 3 * len], &state[start..start + len]);
                match len {
                    6 => add_rows::<6>(rows, v, u),
                    5 => add_rows::<5>(rows, v, u),
                    4 => add_rows::<4>(rows, v, u),
                    3 => add_rows::<3>(rows, v, u),
                    2 => add_rows::<2>(rows, v, u),
                    _ => add_rows::<1>(rows, v, u),
                }
                continue;
            }
            for (i, u) in u.iter_mut().enumerate().take(count) {
                *u += dot(&self.jacobian[side.at + i * len..][..side.used], &state[start..start + side.used]);
            }
        }
    }
}

impl Delassus for BodyProblem {
    fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    fn first(&self, block: usize) -> usize {
        self.first[block]
    }

    fn rows(&self) -> usize {
        self.bias.len()
    }

    fn state_len(&self) -> usize {
        self.free.len()
    }

    fn begin(&self, impulses: &[f64], state: &mut [f64]) {
        state.copy_from_slice(&self.free);
        for block in 0..self.blocks.len() {
            let first = self.first[block];
            let mut r = [0.0; 3];
            let count = self.blocks[block].rows();
            r[..count].copy_from_slice(&impulses[first..first + count]);
            if r.iter().any(|x| *x != 0.0) {
                self.push(block, r, state);
            }
        }
    }

    fn response(&self, block: usize, state: &[f64]) -> [f64; 3] {
        let first = self.first[block];
        let count = self.blocks[block].rows();
        let mut u = [0.0; 3];
        u[..count].copy_from_slice(&self.bias[first..first + count]);
        self.add_velocity(block, state, &mut u);
        u
    }

    fn push(&self, block: usize, change: [f64; 3], state: &mut [f64]) {
        let count = self.blocks[block].rows();
        for side in self.sides[block].iter().flatten() {
            let Group { start, len, .. } = self.groups[side.group];
            if len <= FREE && count == 3 {
                add_columns(&self.moved[side.at..side.at + 3 * len], change, &mut state[start..start + len]);
                continue;
            }
            for (i, change) in change.iter().enumerate().take(count) {
                let moved = &self.moved[side.at + i * len..][..len];
                for (v, m) in state[start..start + len].iter_mut().zip(moved) {
                    *v += m * change;
                }
            }
        }
    }

    fn diagonal(&self, block: usize) -> Matrix3<f64> {
        let mut own = self.diagonals[block];
        if self.compliances[block] > 0.0 {
            own[(0, 0)] += self.compliances[block];
        }
        own
    }

    fn compliance(&self, block: usize) -> f64 {
        self.compliances[block]
    }
}

/// What rows of one group move, and what that adds to the block's own entries of `W`, for a size known beforehand: nearly all groups are free bodies, and this is where steps of many contacts spend their time.
fn move_rows<const N: usize>(inverse: &[f64], rows: &[f64], moved: &mut [f64], own: &mut Matrix3<f64>) {
    let (inverse, _) = inverse.as_chunks::<N>();
    let (rows, _) = rows.as_chunks::<N>();
    let (moved, _) = moved.as_chunks_mut::<N>();
    for (row, moved) in rows.iter().zip(moved.iter_mut()) {
        let mut sum = [0.0; N];
        // The inverse is symmetric: its rows are its columns.
        for (column, x) in inverse.iter().zip(row) {
            for (sum, entry) in sum.iter_mut().zip(column) {
                *sum += entry * x;
            }
        }
        *moved = sum;
    }
    for (i, row) in rows.iter().enumerate() {
        for (j, moved) in moved.iter().enumerate() {
            own[(i, j)] += row.iter().zip(moved).map(|(a, b)| a * b).sum::<f64>();
        }
    }
}

/// `u += J v` of three rows of `N` entries.
#[inline]
fn add_rows<const N: usize>(rows: &[f64], v: &[f64], u: &mut [f64; 3]) {
    let (rows, _) = rows.as_chunks::<N>();
    let Some(v) = v.first_chunk::<N>() else { return };
    for (u, row) in u.iter_mut().zip(rows) {
        let mut sum = row[0] * v[0];
        for k in 1..N {
            sum += row[k] * v[k];
        }
        *u += sum;
    }
}

/// `out += J^T x` of three rows, each as long as `out`: six entries at most.
#[inline]
fn add_columns(rows: &[f64], x: [f64; 3], out: &mut [f64]) {
    match out.len() {
        6 => add_sized_columns::<6>(rows, x, out),
        5 => add_sized_columns::<5>(rows, x, out),
        4 => add_sized_columns::<4>(rows, x, out),
        3 => add_sized_columns::<3>(rows, x, out),
        2 => add_sized_columns::<2>(rows, x, out),
        _ => add_sized_columns::<1>(rows, x, out),
    }
}

#[inline]
fn add_sized_columns<const N: usize>(rows: &[f64], x: [f64; 3], out: &mut [f64]) {
    let (rows, _) = rows.as_chunks::<N>();
    let (Some(out), [a, b, c]) = (out.first_chunk_mut::<N>(), rows) else { return };
    for k in 0..N {
        out[k] += a[k] * x[0] + b[k] * x[1] + c[k] * x[2];
    }
}

/// The number of columns up to the last one that is not zero in all rows.
fn used_columns(rows: &[f64], len: usize) -> usize {
    if len <= FREE {
        return len;
    }
    let last = |row: &[f64]| row.iter().rposition(|x| *x != 0.0).map_or(0, |k| k + 1);
    rows.chunks_exact(len).map(last).max().unwrap_or(0)
}

/// A power of two near one over the root of a mass; one where there is none. Masses that differ by a power of four have powers that differ by its root.
fn power_near_root(mass: f64) -> f64 {
    if !(mass > 0.0 && mass.is_finite()) {
        return 1.0;
    }
    let exponent = ((mass.to_bits() >> 52) & 0x7ff).cast_signed() - 1023;
    // Rounded down, for negative ones too.
    f64::from_bits((1023 - exponent.div_euclid(2)).cast_unsigned() << 52)
}

/// The sum of products: of many in four parts that do not wait for each other, added in a fixed order.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    if a.len() <= FREE {
        return a.iter().zip(b).map(|(a, b)| a * b).sum();
    }
    let (a_fours, a_rest) = a.as_chunks::<4>();
    let (b_fours, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a_fours.iter().zip(b_fours) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Directions without mass have a pivot of zero and do not move.
#[derive(Clone, Copy)]
struct Massless;

impl PivotRule for Massless {
    fn keep(self, pivot: f64, own: f64) -> f64 {
        if pivot > MASSLESS * own { pivot.sqrt() } else { 0.0 }
    }

    fn divide(self, x: f64, kept: f64) -> f64 {
        if kept > 0.0 { x / kept } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GaussSeidel, residual};
    use super::*;

    /// A block of mass 2 on a plane, pushed sideways: rows n, t1, t2 on three velocities.
    fn pushed(side: f64, mu: f64) -> BodyProblem {
        let mut problem = BodyProblem::default();
        let mass = [2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0];
        let body = problem.add_group(&mass, &[side, 0.0, -1.0]);
        problem.add_block(Block::Contact { friction: mu, slip: None }, &[0.0; 3]);
        problem.add_side(body, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        problem
    }

    #[test]
    fn a_pushed_block_sticks_or_slides() {
        for (side, expected) in [(0.4, 0.0), (0.9, 0.4)] {
            let problem = pushed(side, 0.5);
            let (mut r, mut v) = (vec![0.0; 3], vec![0.0; 3]);
            let info = GaussSeidel::default().solve(&problem, &mut r, &mut v, 1e-14, 10);
            assert!(info.is_solved, "{info:?}");
            assert!((v[0] - expected).abs() < 1e-14 && v[2].abs() < 1e-14, "{v:?}");
            assert!((r[0] - 2.0).abs() < 1e-14);
            assert!(residual(&problem, &r, &v) <= 1e-14);
        }
    }

    #[test]
    fn a_group_may_be_named_again_after_the_other_one() {
        let rows = |x: f64| [x, 0.5 * x];
        let make = |sides: &[(usize, [f64; 2])]| {
            let mut problem = BodyProblem::default();
            problem.add_group(&[2.0, 0.0, 0.0, 1.0], &[-1.0, 0.3]);
            problem.add_group(&[3.0, 0.5, 0.5, 1.0], &[1.0, 0.0]);
            problem.add_block(Block::Unilateral, &[0.1]);
            for (group, rows) in sides {
                problem.add_side(*group, rows);
            }
            problem
        };
        let once = make(&[(0, rows(3.0)), (1, rows(-2.0))]);
        let twice = make(&[(0, rows(1.0)), (1, rows(-2.0)), (0, rows(2.0))]);
        assert_eq!(once.diagonal(0), twice.diagonal(0));
        let [mut one, mut other] = [vec![0.0; 4], vec![0.0; 4]];
        once.begin(&[0.7], &mut one);
        twice.begin(&[0.7], &mut other);
        assert_eq!(one, other);
    }

    #[test]
    fn what_has_no_mass_does_not_move() {
        let mut problem = BodyProblem::default();
        let group = problem.add_group(&[1.0, 0.0, 0.0, 0.0], &[-1.0, 0.0]);
        problem.add_block(Block::Unilateral, &[0.0]);
        problem.add_side(group, &[1.0, 1.0]);
        let (mut r, mut v) = (vec![0.0], vec![0.0; 2]);
        let info = GaussSeidel::default().solve(&problem, &mut r, &mut v, 1e-14, 10);
        assert!(info.is_solved && v == [0.0, 0.0] && r == [1.0]);
    }
}
