//! Rows of rigid contacts, joint limits and loops as a problem for the solvers of impacts and of accelerations.
//!
//! In: the points that touch. Out: the inverse mass felt at the rows, cut into islands that do not feel each other. Used at events alone.

use std::collections::BTreeMap;

use zerogap_contact::problem::Block;
use zerogap_contact::solve::solve_constrained;
use zerogap_core::Vec3;
use zerogap_core::disjoint_sets::DisjointSets;
use zerogap_core::math::tangents;
use zerogap_core::nalgebra::{DMatrix, DVector};
use zerogap_dynamics::multibody::{BodyId, Tree, Workspace};

use super::constraints::{add_scaled, dot};
use super::points::Point;

/// What a block of rows is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Loop,
    /// A joint limit, by number.
    Limit(usize),
    /// A contact point, by its place in the list.
    Point(usize),
}

/// Blocks of rows with what they act on.
#[derive(Debug, Default)]
pub(super) struct Rows {
    columns: usize,
    jacobian: Vec<f64>,
    /// `M⁻¹ Jᵀ`, a row for each row.
    moved: Vec<f64>,
    pub(super) bias: Vec<f64>,
    /// What each row is now [m/s or rad/s].
    pub(super) speeds: Vec<f64>,
    pub(super) who: Vec<Who>,
    pub(super) blocks: Vec<Block>,
    /// First row of each block.
    first: Vec<usize>,
    /// The tree roots that each block acts on, which distinguish islands.
    roots: Vec<[Option<u32>; 2]>,
    /// Blocks of limits, with each of the tree roots that they act on.
    more_roots: Vec<(usize, u32)>,
    /// The two bodies of each contact point.
    bodies: Vec<Option<[Option<BodyId>; 2]>>,
}

impl Rows {
    pub(super) fn new(tree: &Tree, ws: &Workspace) -> Self {
        let mut rows = Self { columns: tree.velocities(), ..Self::default() };
        let count = tree.loop_rows();
        let mut jacobian = vec![0.0; count * rows.columns];
        let mut bias = vec![0.0; count];
        tree.loop_matrix_rows(ws, &mut jacobian);
        tree.loop_bias(ws, &mut bias);
        for (k, bias) in bias.into_iter().enumerate() {
            let row = &jacobian[k * rows.columns..][..rows.columns];
            // A loop joins whatever its row moves.
            let mut touched = row
                .iter()
                .enumerate()
                .filter(|(_, x)| **x != 0.0)
                .filter_map(|(c, _)| root_of_column(tree, c));
            let first = touched.next();
            let last = touched.next_back().or(first);
            rows.begin(Who::Loop, Block::Bilateral, [first, last]);
            rows.add(row, bias, 0.0);
        }
        rows
    }

    fn begin(&mut self, who: Who, block: Block, roots: [Option<u32>; 2]) {
        self.first.push(self.bias.len());
        self.who.push(who);
        self.blocks.push(block);
        self.roots.push(roots);
        self.bodies.push(None);
    }

    /// Notes the bodies of the block that was begun last.
    fn between(&mut self, point: &Point) {
        if let Some(bodies) = self.bodies.last_mut() {
            *bodies = Some([point.a, point.b]);
        }
    }

    fn add(&mut self, row: &[f64], bias: f64, speed: f64) {
        self.jacobian.extend_from_slice(row);
        self.bias.push(bias);
        self.speeds.push(speed);
    }

    pub(super) fn add_limit(&mut self, tree: &Tree, ws: &Workspace, number: usize, v: &[f64]) {
        let limit = &tree.limits()[number];
        let row = self.begin_limit(tree, ws, number);
        let rate = dot(&row, v);
        self.add(&row, tree.limit_bias(limit, ws), rate);
    }

    /// Begins the block of a limit; its row.
    fn begin_limit(&mut self, tree: &Tree, ws: &Workspace, number: usize) -> Vec<f64> {
        let limit = &tree.limits()[number];
        let mut row = vec![0.0; self.columns];
        tree.limit_row(limit, ws, &mut row);
        let mut roots: Vec<u32> =
            tree.limit_bodies(limit).into_iter().map(|body| tree.root(body).0).collect();
        roots.sort_unstable();
        roots.dedup();
        self.begin(Who::Limit(number), Block::Unilateral, [roots.first().copied(), roots.last().copied()]);
        // Tendons may join any number of bodies.
        self.more_roots.extend(roots.into_iter().map(|root| (self.who.len() - 1, root)));
        row
    }

    /// Adds a joint limit with how far it is away in place of its speed [m or rad].
    pub(super) fn add_limit_gap(&mut self, tree: &Tree, ws: &Workspace, number: usize, gap: f64) {
        let row = self.begin_limit(tree, ws, number);
        self.add(&row, 0.0, gap);
    }

    /// Adds the normal of a contact point, with its gap in place of its speed [m].
    pub(super) fn add_gap(&mut self, tree: &Tree, ws: &Workspace, place: usize, point: &Point) {
        self.begin(Who::Point(place), Block::Unilateral, roots(tree, point));
        self.between(point);
        let mut row = vec![0.0; self.columns];
        tree.point_row(ws, point.b, point.at, point.contact.normal, 1.0, &mut row);
        tree.point_row(ws, point.a, point.at, point.contact.normal, -1.0, &mut row);
        self.add(&row, 0.0, point.contact.gap);
    }

    pub(super) fn add_point(
        &mut self,
        tree: &Tree,
        ws: &Workspace,
        place: usize,
        point: &Point,
        block: Block,
    ) {
        self.begin(Who::Point(place), block, roots(tree, point));
        self.between(point);
        let normal = point.contact.normal;
        let (t1, t2) = tangents(&normal);
        let bias = [point.normal_bias, t1.dot(&point.tangent_bias), t2.dot(&point.tangent_bias)];
        let velocity = point.slip + normal * point.gap_rate;
        for (direction, bias) in [normal, t1, t2].iter().zip(bias) {
            let mut row = vec![0.0; self.columns];
            tree.point_row(ws, point.b, point.at, *direction, 1.0, &mut row);
            tree.point_row(ws, point.a, point.at, *direction, -1.0, &mut row);
            self.add(&row, bias, direction.dot(&velocity));
        }
    }

    /// Whether there is nothing but loops.
    pub(super) fn is_free(&self) -> bool {
        self.who.iter().all(|who| *who == Who::Loop)
    }

    /// Finishes the list: computes what each row moves.
    pub(super) fn finish(&mut self, tree: &Tree, ws: &mut Workspace) {
        self.moved = vec![0.0; self.jacobian.len()];
        for block in 0..self.who.len() {
            for k in self.rows_of(block) {
                let own = k * self.columns..(k + 1) * self.columns;
                let (row, moved) = (&self.jacobian[own.clone()], &mut self.moved[own]);
                let is_done = self.bodies[block]
                    .is_some_and(|bodies| tree.inverse_mass_times_alone(bodies, ws, row, moved));
                if !is_done {
                    tree.inverse_mass_times(ws, row, moved);
                }
            }
        }
    }

    /// `J x` for each row.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.bias.len()).map(|k| dot(self.row(k), x)).collect()
    }

    /// Adds `M⁻¹ Jᵀ λ`.
    pub(super) fn push(&self, lambda: &[f64], x: &mut [f64]) {
        for (k, lambda) in lambda.iter().enumerate() {
            add_scaled(x, self.moved(k), *lambda);
        }
    }

    /// A row of the Jacobian. By number, not in chunks: where all bodies are prescribed, rows are empty.
    fn row(&self, k: usize) -> &[f64] {
        &self.jacobian[k * self.columns..][..self.columns]
    }

    /// What a row moves: a row of `M⁻¹ Jᵀ`.
    fn moved(&self, k: usize) -> &[f64] {
        &self.moved[k * self.columns..][..self.columns]
    }

    /// The rows of a block.
    pub(super) fn rows_of(&self, block: usize) -> std::ops::Range<usize> {
        let first = self.first[block];
        first..first + self.blocks[block].rows()
    }

    /// Contact points of the island that has most [-].
    pub(super) fn largest_island(&self) -> usize {
        let is_point = |block: &&usize| matches!(self.who[**block], Who::Point(_));
        self.islands().iter().map(|blocks| blocks.iter().filter(is_point).count()).max().unwrap_or(0)
    }

    /// Groups of blocks that do not feel each other, each in ascending order, by their first block.
    pub(super) fn islands(&self) -> Vec<Vec<usize>> {
        let mut islands = DisjointSets::new(self.blocks.len());
        // The first block that acts on each root.
        let mut first: BTreeMap<u32, usize> = BTreeMap::new();
        for (block, roots) in self.roots.iter().enumerate() {
            for root in roots.iter().flatten() {
                islands.join(*first.entry(*root).or_insert(block), block);
            }
        }
        for (block, root) in &self.more_roots {
            islands.join(*first.entry(*root).or_insert(*block), *block);
        }
        islands.groups()
    }

    /// The matrix and the right-hand side of an island, of the values of all rows.
    pub(super) fn island(
        &self,
        blocks: &[usize],
        values: &[f64],
    ) -> (DMatrix<f64>, DVector<f64>, Vec<Block>) {
        let rows: Vec<usize> = blocks.iter().flat_map(|block| self.rows_of(*block)).collect();
        let w = DMatrix::from_fn(rows.len(), rows.len(), |i, j| dot(self.row(rows[i]), self.moved(rows[j])));
        let b = DVector::from_iterator(rows.len(), rows.iter().map(|k| values[*k]));
        (w, b, blocks.iter().map(|block| self.blocks[*block]).collect())
    }

    /// Adds impulses at some rows that take them to rest, and computes the velocities of all rows again; the kinetic energy that takes away [J].
    pub(super) fn take_to_rest(
        &self,
        rows: &[usize],
        impulse: &mut [f64],
        after: &mut Vec<f64>,
        before: &[f64],
    ) -> f64 {
        let w = DMatrix::from_fn(rows.len(), rows.len(), |i, j| dot(self.row(rows[i]), self.moved(rows[j])));
        let off = DVector::from_iterator(rows.len(), rows.iter().map(|k| -after[*k]));
        let solved = solve_constrained(&w, &off).x;
        let mut lost = 0.0;
        for (k, x) in rows.iter().zip(solved.iter()) {
            // Work of an impulse: with the mean of the velocities before and after, which is half of that before.
            lost -= 0.5 * x * after[*k];
            impulse[*k] += x;
        }
        let mut change = vec![0.0; self.columns];
        self.push(impulse, &mut change);
        *after = self.times(&change).iter().zip(before).map(|(change, before)| before + change).collect();
        lost
    }

    /// Writes the answer of an island back to its rows.
    pub(super) fn scatter(&self, blocks: &[usize], answer: &DVector<f64>, to: &mut [f64]) {
        let rows = blocks.iter().flat_map(|block| self.rows_of(*block));
        for (row, value) in rows.zip(answer.iter()) {
            to[row] = *value;
        }
    }
}

/// The roots of the bodies of a point that the state moves.
fn roots(tree: &Tree, point: &Point) -> [Option<u32>; 2] {
    let root =
        |body: Option<BodyId>| body.filter(|body| !tree.is_driven(*body)).map(|body| tree.root(body).0);
    [root(point.a), root(point.b)]
}

fn root_of_column(tree: &Tree, column: usize) -> Option<u32> {
    tree.body_of_velocity(column).map(|body| tree.root(body).0)
}

/// A vector of three rows in space.
pub(super) fn tangential(normal: &Vec3, along: f64, across: f64) -> Vec3 {
    let (t1, t2) = tangents(normal);
    t1 * along + t2 * across
}
