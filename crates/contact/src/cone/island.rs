//! One island of a contact problem: groups that feel each other through blocks, and nobody else.
//!
//! In: a problem, and which of its groups and blocks belong together. Out: a copy of that part whose velocities are scaled by powers of two, so that units do not matter; velocities and misses of impulses; Newton matrices
//! of the form `M + J^T G J`, factored. The methods that solve an island ([`super::semismooth`], [`super::interior`], [`super::proximal`]) see nothing else.

use super::block_factor::BlockFactor;
use super::bodies::{GroupRows, dot};
use super::elimination::Elimination;
use super::project::miss_squared;
use super::tree_factor::TreeFactor;
use super::{BodyProblem, Delassus as _, yielding};
use crate::SolverInfo;
use crate::problem::Block;
use std::ops::Range;

/// The derivative `G` of a block: the impulse changes by `-G du`.
pub(super) type Slope = [[f64; 3]; 3];

/// The derivative of a block that does not react.
pub(super) const NO_SLOPE: Slope = [[0.0; 3]; 3];

/// How far impulses are from the laws.
#[derive(Debug, Clone, Copy)]
pub(super) struct Misses {
    /// Largest of all blocks [m/s].
    pub(super) worst: f64,
    /// Sum of squares [m²/s²].
    pub(super) sum: f64,
}

impl Misses {
    /// Worse than anything.
    pub(super) const NOTHING: Self = Self { worst: f64::INFINITY, sum: f64::INFINITY };
}

/// Velocities of a part of a group [-]: the size of a free body, for which factorisations are quickest.
const PART_SIZE: usize = 6;

/// Some velocities of a group: all of a free body, a few of a robot. The matrix has a block for each pair of parts that feel each other, so that it is sparse along the tree of a robot.
#[derive(Debug, Clone, Copy)]
struct GroupPart {
    group: usize,
    /// First velocity in the group, and in the island.
    offset: usize,
    start: usize,
    len: usize,
}

/// An island, and memory for what is computed of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    pub(super) problem: BodyProblem,
    /// Where trees of links are most of it, the matrix is factored along them.
    is_tree: bool,
    tree: TreeFactor,
    plan: Elimination,
    factor: BlockFactor,
    parts: Vec<GroupPart>,
    /// First part of each group; one more than groups.
    parts_of: Vec<usize>,
    /// Place of the pair of groups of each block in the factor, where each is one part.
    places: Vec<usize>,
    /// What a block does to parts: their numbers, and its rows for each.
    touched: Vec<(usize, usize)>,
    rows: Vec<f64>,
    /// The same for the contact of a moment.
    contact_touched: Vec<(usize, usize)>,
    contact_rows: Vec<f64>,
    /// By block: the largest entry of its inverse mass, and one over it (zero where nothing moves).
    pub(super) weights: Vec<f64>,
    pub(super) rates: Vec<f64>,
    /// By block: the derivative that the matrix is assembled from.
    pub(super) slopes: Vec<Slope>,
    /// Blocks that are moments, with their contacts; by block, how much a moment changes with the normal impulse of its contact.
    pub(super) moments: Vec<(usize, usize)>,
    pub(super) follows: Vec<[f64; 2]>,
    is_symmetric: bool,
    /// By velocity: those of the impulses last followed, and a right-hand side that becomes a step.
    pub(super) state: Vec<f64>,
    pub(super) step: Vec<f64>,
    /// By row: velocities of the impulses last followed.
    pub(super) u: Vec<f64>,
    pub(super) info: SolverInfo,
}

impl Island {
    /// Copies the part of a problem that consists of some groups and blocks; `local` is the number of each of these groups among them.
    pub(super) fn load(&mut self, whole: &BodyProblem, groups: &[u32], blocks: &[u32], local: &[u32]) {
        self.problem.copy_part(whole, groups, blocks, local);
        self.list_moments();
        self.is_tree = self.tree.load(&self.problem);
        if !self.is_tree {
            self.plan_parts();
        }
        self.weights.clear();
        self.rates.clear();
        for block in 0..self.problem.blocks().len() {
            let weight = self.problem.diagonal(block).diagonal().max();
            self.weights.push(weight);
            self.rates.push(if weight > 0.0 { 1.0 / weight } else { 0.0 });
        }
        self.slopes.clear();
        self.slopes.resize(self.problem.blocks().len(), NO_SLOPE);
        self.follows.clear();
        self.follows.resize(self.problem.blocks().len(), [0.0; 2]);
        for by_velocity in [&mut self.state, &mut self.step] {
            by_velocity.clear();
            by_velocity.resize(self.problem.state_len(), 0.0);
        }
        self.u.clear();
        self.u.resize(self.problem.rows(), 0.0);
        self.info = SolverInfo::default();
    }

    /// Divides groups into parts, and finds the order in which these are eliminated.
    fn plan_parts(&mut self) {
        self.list_parts();
        let (mut touched, mut scratch) = (std::mem::take(&mut self.touched), std::mem::take(&mut self.rows));
        let mut contact_touched = std::mem::take(&mut self.contact_touched);
        let (problem, parts, parts_of) = (&self.problem, &self.parts, &self.parts_of);
        let moments = &self.moments;
        self.plan.prepare(parts.len(), |lens, edges| {
            for (len, part) in lens.iter_mut().zip(parts) {
                *len = part.len;
            }
            for group in parts_of.windows(2).map(|ends| ends[0]..ends[1]) {
                for later in group.clone() {
                    for earlier in group.start..later {
                        if is_coupled(problem, &parts[earlier], &parts[later]) {
                            edges.push([earlier as u32, later as u32]);
                        }
                    }
                }
            }
            for block in 0..problem.blocks().len() {
                if let Some(pair) = single_parts(problem, parts_of, block) {
                    let edge = pair.map(|part| part as u32);
                    // Points of one pair come one after another.
                    if edge[0] != edge[1] && edges.last() != Some(&edge) {
                        edges.push(edge);
                    }
                    continue;
                }
                gather(problem, parts, parts_of, block, &mut touched, &mut scratch);
                for (k, (later, _)) in touched.iter().enumerate() {
                    for (earlier, _) in &touched[..k] {
                        edges.push([(*earlier).min(*later) as u32, (*earlier).max(*later) as u32]);
                    }
                }
            }
            // A moment follows the velocities that its contact feels.
            for &(block, contact) in moments {
                gather(problem, parts, parts_of, contact, &mut contact_touched, &mut scratch);
                gather(problem, parts, parts_of, block, &mut touched, &mut scratch);
                for (own, _) in &touched {
                    for (other, _) in contact_touched.iter().filter(|(other, _)| other != own) {
                        edges.push([(*own).min(*other) as u32, (*own).max(*other) as u32]);
                    }
                }
            }
        });
        self.contact_touched = contact_touched;
        self.factor.prepare(&self.plan);
        self.places.clear();
        for block in 0..problem.blocks().len() {
            let place = match single_parts(problem, parts_of, block) {
                Some([a, b]) if a != b => {
                    let columns = [a, b].map(|part| self.plan.column[part] as usize);
                    self.plan.place(columns[0].min(columns[1]), columns[0].max(columns[1]))
                }
                _ => 0,
            };
            self.places.push(place);
        }
        (self.touched, self.rows) = (touched, scratch);
    }

    fn list_moments(&mut self) {
        self.moments.clear();
        for (block, law) in self.problem.blocks().iter().enumerate() {
            if let Block::Moment { contact, .. } = law {
                self.moments.push((block, *contact));
            }
        }
    }

    /// Number of blocks.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The rows of a block, and its law.
    pub(super) fn rows_of(&self, block: usize) -> (Range<usize>, Block) {
        let law = self.problem.blocks()[block];
        let first = self.problem.first(block);
        (first..first + law.rows(), law)
    }

    /// The rows of a block, and its law where contacts push with given impulses.
    pub(super) fn rows_under(&self, block: usize, impulses: &[f64]) -> (Range<usize>, Block) {
        let (rows, law) = self.rows_of(block);
        (rows, law.under(|contact| impulses[self.problem.first(contact)]))
    }

    /// Takes what moments follow out of a change of their impulses; the change of velocities is in `step`.
    pub(super) fn follow_contacts(&self, change: &mut [f64]) {
        for &(block, contact) in &self.moments {
            let (du, slope) = (self.along_step(contact), self.slopes[contact][0]);
            let fall = slope[0] * du[0] + slope[1] * du[1] + slope[2] * du[2];
            for (row, follows) in self.rows_of(block).0.zip(self.follows[block]) {
                change[row] -= follows * fall;
            }
        }
    }

    /// Computes the velocities of impulses, into `state` and `u`; how far they are from the laws.
    pub(super) fn follow(&mut self, impulses: &[f64]) -> Misses {
        self.problem.begin(impulses, &mut self.state);
        let (mut worst, mut sum) = (0.0_f64, 0.0);
        for block in 0..self.len() {
            let (rows, law) = self.rows_under(block, impulses);
            let r = three(&impulses[rows.clone()]);
            let u = yielding(self.problem.response(block, &self.state), self.problem.compliance(block), r);
            let square = miss_squared(&law, r, u, self.weights[block]);
            worst = worst.max(square);
            sum += square;
            set(&mut self.u, rows, u);
        }
        Misses { worst: worst.sqrt(), sum }
    }

    /// Assembles `M + J^T G J` from the slopes and factors it; false where a pivot is lost.
    pub(super) fn factor(&mut self, is_symmetric: bool) -> bool {
        if self.is_tree {
            self.info.factorisations += 1;
            self.tree.assemble(&self.slopes, (&self.moments, &self.follows), is_symmetric);
            return self.tree.factor();
        }
        self.assemble(is_symmetric);
        self.is_symmetric = is_symmetric;
        self.info.factorisations += 1;
        self.factor.factor(&self.plan, &(0..self.plan.order.len()), is_symmetric, |_| true)
    }

    /// Replaces the right-hand side in `step` by the solution.
    pub(super) fn solve_step(&mut self) {
        if self.is_tree {
            self.tree.solve(&mut self.step);
            return;
        }
        // Velocities without mass get no momentum.
        for number in 0..self.problem.groups().len() {
            let group = self.problem.groups()[number];
            for k in (0..group.len).filter(|&k| !self.problem.has_mass(number, k)) {
                self.step[group.start + k] = 0.0;
            }
        }
        let parts = &self.parts;
        let start = |part: usize| parts[part].start;
        let columns = 0..self.plan.order.len();
        self.factor.solve(&self.plan, &columns, self.is_symmetric, |_| true, start, &mut self.step);
    }

    /// Adds `J^T x` of a block to the right-hand side.
    pub(super) fn push_step(&mut self, block: usize, x: [f64; 3]) {
        self.problem.add_transposed(block, x, &mut self.step);
    }

    /// The change of a block's velocity along the step.
    pub(super) fn along_step(&self, block: usize) -> [f64; 3] {
        self.problem.velocity(block, &self.step)
    }

    /// The velocity of a block, its bias included and its compliance not, where groups have given velocities.
    pub(super) fn response(&self, block: usize, state: &[f64]) -> [f64; 3] {
        self.problem.response(block, state)
    }

    /// `v^T M v`.
    pub(super) fn mass_square(&self, v: &[f64]) -> f64 {
        (0..self.problem.groups().len()).map(|group| 2.0 * self.problem.kinetic_energy(group, v)).sum()
    }

    /// Writes `M v` into `step`.
    pub(super) fn mass_times(&mut self, v: &[f64]) {
        for number in 0..self.problem.groups().len() {
            let group = self.problem.groups()[number];
            let v = &v[group.start..group.start + group.len];
            let out = &mut self.step[group.start..group.start + group.len];
            for (out, row) in out.iter_mut().zip(self.problem.mass(number).chunks_exact(group.len)) {
                *out = dot(row, v);
            }
        }
    }

    /// Divides the groups into parts.
    fn list_parts(&mut self) {
        self.parts.clear();
        self.parts_of.clear();
        for (number, group) in self.problem.groups().iter().enumerate() {
            self.parts_of.push(self.parts.len());
            for offset in (0..group.len).step_by(PART_SIZE) {
                let len = PART_SIZE.min(group.len - offset);
                self.parts.push(GroupPart { group: number, offset, start: group.start + offset, len });
            }
        }
        self.parts_of.push(self.parts.len());
    }

    fn assemble(&mut self, is_symmetric: bool) {
        let columns = 0..self.plan.order.len();
        self.factor.clear(&self.plan, &columns);
        self.add_masses(is_symmetric);
        let (mut touched, mut scratch) = (std::mem::take(&mut self.touched), std::mem::take(&mut self.rows));
        for block in 0..self.slopes.len() {
            let slope = self.slopes[block];
            if slope == NO_SLOPE {
                continue;
            }
            let count = self.problem.blocks()[block].rows();
            if single_parts(&self.problem, &self.parts_of, block).is_some() {
                let end = |side: GroupRows| {
                    let part = self.parts_of[side.group];
                    (self.plan.column[part] as usize, self.problem.rows_of(block, side))
                };
                let ends = self.problem.sides(block).map(|side| side.map(end));
                for (column, rows) in ends.iter().flatten() {
                    self.factor.add_diagonal(&self.plan, *column, rows, &slope, count);
                }
                if let [Some(a), Some(b)] = ends {
                    let (earlier, later) = if a.0 < b.0 { (a, b) } else { (b, a) };
                    let rows = (earlier.1, later.1);
                    self.factor.add_pair(&self.plan, self.places[block], rows, &slope, count, is_symmetric);
                }
                continue;
            }
            gather(&self.problem, &self.parts, &self.parts_of, block, &mut touched, &mut scratch);
            let rows_of = |(part, at): (usize, usize)| &scratch[at..at + count * self.parts[part].len];
            for (k, a) in touched.iter().enumerate() {
                let column = self.plan.column[a.0] as usize;
                self.factor.add_diagonal(&self.plan, column, rows_of(*a), &slope, count);
                for b in &touched[..k] {
                    let other = self.plan.column[b.0] as usize;
                    let (earlier, later) = if column < other { (a, b) } else { (b, a) };
                    let place = self.plan.place(column.min(other), column.max(other));
                    let rows = (rows_of(*earlier), rows_of(*later));
                    self.factor.add_pair(&self.plan, place, rows, &slope, count, is_symmetric);
                }
            }
        }
        (self.touched, self.rows) = (touched, scratch);
        self.add_followed();
        self.hold_massless();
    }

    /// Adds what moments change with the normal impulses of their contacts, which change with the velocities that these feel.
    fn add_followed(&mut self) {
        let (mut touched, mut rows) = (std::mem::take(&mut self.touched), std::mem::take(&mut self.rows));
        let mut contact_touched = std::mem::take(&mut self.contact_touched);
        let mut contact_rows = std::mem::take(&mut self.contact_rows);
        for &(block, contact) in &self.moments {
            let (follows, slope) = (self.follows[block], self.slopes[contact][0]);
            if !follows_any(follows) || slope.iter().all(|x| *x == 0.0) {
                continue;
            }
            gather(&self.problem, &self.parts, &self.parts_of, block, &mut touched, &mut rows);
            gather(
                &self.problem,
                &self.parts,
                &self.parts_of,
                contact,
                &mut contact_touched,
                &mut contact_rows,
            );
            let count = self.problem.blocks()[block].rows();
            for &(part, at) in &touched {
                let own = weighted::<PART_SIZE>(&rows[at..], &follows[..count], self.parts[part].len);
                let column = self.plan.column[part] as usize;
                for &(other, at) in &contact_touched {
                    let len = self.parts[other].len;
                    let felt = weighted::<PART_SIZE>(&contact_rows[at..], &slope, len);
                    let across = self.plan.column[other] as usize;
                    let out = if column == across {
                        &mut self.factor.diagonal[self.plan.diagonal_at[column]..]
                    } else {
                        let place = self.plan.place(column.min(across), column.max(across));
                        let begin = self.plan.below_at[place];
                        if column > across {
                            &mut self.factor.lower[begin..]
                        } else {
                            &mut self.factor.upper[begin..]
                        }
                    };
                    for (out, own) in out.chunks_exact_mut(len).zip(&own[..self.parts[part].len]) {
                        for (out, felt) in out.iter_mut().zip(&felt) {
                            *out += own * felt;
                        }
                    }
                }
            }
        }
        (self.touched, self.rows) = (touched, rows);
        (self.contact_touched, self.contact_rows) = (contact_touched, contact_rows);
    }

    /// Writes the masses into the matrix.
    fn add_masses(&mut self, is_symmetric: bool) {
        for (number, part) in self.parts.iter().enumerate() {
            let column = self.plan.column[number] as usize;
            let out =
                &mut self.factor.diagonal[self.plan.diagonal_at[column]..self.plan.diagonal_at[column + 1]];
            copy_mass(&self.problem, part, part, out);
            for earlier in self.parts_of[part.group]..number {
                let other = &self.parts[earlier];
                if !is_coupled(&self.problem, other, part) {
                    continue;
                }
                let across = self.plan.column[earlier] as usize;
                let (first, last) = if across < column { (other, part) } else { (part, other) };
                let place = self.plan.place(across.min(column), across.max(column));
                let range = self.plan.below_at[place]..self.plan.below_at[place + 1];
                copy_mass(&self.problem, last, first, &mut self.factor.lower[range.clone()]);
                if !is_symmetric {
                    copy_mass(&self.problem, first, last, &mut self.factor.upper[range]);
                }
            }
        }
    }

    /// Velocities without mass do not move: their rows and columns become those of the identity.
    fn hold_massless(&mut self) {
        for column in 0..self.plan.order.len() {
            let size = self.plan.sizes[column];
            let part = self.parts[self.plan.order[column] as usize];
            for k in (0..size).filter(|&k| !self.problem.has_mass(part.group, part.offset + k)) {
                let own = &mut self.factor.diagonal[self.plan.diagonal_at[column]..];
                for j in 0..size {
                    own[k * size + j] = 0.0;
                    own[j * size + k] = 0.0;
                }
                own[k * size + k] = 1.0;
                for earlier in 0..self.plan.order.len() {
                    for place in self.plan.starts[earlier]..self.plan.starts[earlier + 1] {
                        let later = self.plan.rows[place] as usize;
                        let (rows, columns) = (self.plan.sizes[later], self.plan.sizes[earlier]);
                        let at = self.plan.below_at[place];
                        if later == column {
                            for j in 0..columns {
                                self.factor.lower[at + k * columns + j] = 0.0;
                                self.factor.upper[at + j * rows + k] = 0.0;
                            }
                        } else if earlier == column {
                            for i in 0..rows {
                                self.factor.lower[at + i * columns + k] = 0.0;
                                self.factor.upper[at + k * rows + i] = 0.0;
                            }
                        }
                    }
                }
            }
        }
    }
}

impl BlockFactor {
    /// Adds `J^T G J` of a block to a diagonal block.
    fn add_diagonal(&mut self, plan: &Elimination, column: usize, rows: &[f64], slope: &Slope, count: usize) {
        let out = &mut self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
        add_product(out, rows, slope, rows, count);
    }

    /// The same for a pair, with the rows of the earlier and the later column.
    fn add_pair(
        &mut self,
        plan: &Elimination,
        place: usize,
        (earlier, later): (&[f64], &[f64]),
        slope: &Slope,
        count: usize,
        is_symmetric: bool,
    ) {
        let range = plan.below_at[place]..plan.below_at[place + 1];
        add_product(&mut self.lower[range.clone()], later, slope, earlier, count);
        if !is_symmetric {
            add_product(&mut self.upper[range], earlier, slope, later, count);
        }
    }
}

/// The parts that a block moves, the smaller first (twice the same where it is one), if each of its groups is one part.
fn single_parts(problem: &BodyProblem, parts_of: &[usize], block: usize) -> Option<[usize; 2]> {
    let mut found = [usize::MAX, 0];
    for side in problem.sides(block).into_iter().flatten() {
        let part = parts_of[side.group];
        if parts_of[side.group + 1] != part + 1 {
            return None;
        }
        found = [found[0].min(part), found[1].max(part)];
    }
    (found[0] != usize::MAX).then_some(found)
}

/// Lists the parts that a block moves, with their rows: columns of the Jacobian that are zero throughout a part leave it out.
fn gather(
    problem: &BodyProblem,
    parts: &[GroupPart],
    parts_of: &[usize],
    block: usize,
    touched: &mut Vec<(usize, usize)>,
    scratch: &mut Vec<f64>,
) {
    touched.clear();
    scratch.clear();
    for side in problem.sides(block).into_iter().flatten() {
        let len = problem.groups()[side.group].len;
        let rows = problem.rows_of(block, side);
        let own = parts_of[side.group]..parts_of[side.group + 1];
        for (number, part) in own.clone().zip(&parts[own]) {
            let at = scratch.len();
            for row in rows.chunks_exact(len) {
                scratch.extend_from_slice(&row[part.offset..part.offset + part.len]);
            }
            if scratch[at..].iter().all(|x| *x == 0.0) {
                scratch.truncate(at);
            } else {
                touched.push((number, at));
            }
        }
    }
}

/// Whether two parts of one group feel each other through its mass.
fn is_coupled(problem: &BodyProblem, a: &GroupPart, b: &GroupPart) -> bool {
    let len = problem.groups()[a.group].len;
    let rows = problem.mass(a.group).chunks_exact(len).skip(a.offset).take(a.len);
    rows.flat_map(|row| &row[b.offset..b.offset + b.len]).any(|x| *x != 0.0)
}

/// Copies the mass of the velocities of one part against those of another of the same group.
fn copy_mass(problem: &BodyProblem, rows: &GroupPart, columns: &GroupPart, out: &mut [f64]) {
    let len = problem.groups()[rows.group].len;
    let matrix = problem.mass(rows.group).chunks_exact(len).skip(rows.offset).take(rows.len);
    for (out, row) in out.chunks_exact_mut(columns.len).zip(matrix) {
        out.copy_from_slice(&row[columns.offset..columns.offset + columns.len]);
    }
}

/// Whether a moment changes with the normal impulse of its contact; the matrix is then unsymmetric.
pub(super) fn follows_any(follows: [f64; 2]) -> bool {
    follows.iter().any(|x| *x != 0.0)
}

/// The sum of rows of `len` entries, `N` at most, each times its weight.
fn weighted<const N: usize>(rows: &[f64], weights: &[f64], len: usize) -> [f64; N] {
    let mut sum = [0.0; N];
    for (row, weight) in rows.chunks_exact(len).zip(weights) {
        for (sum, x) in sum.iter_mut().zip(row) {
            *sum += weight * x;
        }
    }
    sum
}

/// Up to three entries; those that lack are zero.
#[inline]
pub(super) fn three(x: &[f64]) -> [f64; 3] {
    match *x {
        [a, b, c] => [a, b, c],
        [a, b] => [a, b, 0.0],
        [a] => [a, 0.0, 0.0],
        _ => [0.0; 3],
    }
}

/// Writes the rows of a block.
#[inline]
pub(super) fn set(all: &mut [f64], rows: Range<usize>, x: [f64; 3]) {
    let count = rows.len();
    all[rows].copy_from_slice(&x[..count]);
}

/// `out += a^T s b`, with `count` rows in `a` and `b`.
fn add_product(out: &mut [f64], a: &[f64], s: &Slope, b: &[f64], count: usize) {
    // Contacts of free bodies are nearly all there is: sizes known beforehand make this several times as fast.
    if let (Ok(out), Ok(a), Ok(b)) =
        (<&mut [f64; 36]>::try_from(&mut *out), <&[f64; 18]>::try_from(a), <&[f64; 18]>::try_from(b))
    {
        let mut sb = [[0.0; 6]; 3];
        for i in 0..3 {
            for j in 0..6 {
                sb[i][j] = s[i][0] * b[j] + s[i][1] * b[6 + j] + s[i][2] * b[12 + j];
            }
        }
        for k in 0..6 {
            for j in 0..6 {
                out[6 * k + j] += a[k] * sb[0][j] + a[6 + k] * sb[1][j] + a[12 + k] * sb[2][j];
            }
        }
        return;
    }
    let (columns_a, columns) = (a.len() / count, b.len() / count);
    for (i, a) in a.chunks_exact(columns_a).enumerate() {
        for (j, b) in b.chunks_exact(columns).enumerate() {
            let s = s[i][j];
            if s == 0.0 {
                continue;
            }
            for (a, out) in a.iter().zip(out.chunks_exact_mut(columns)) {
                let factor = a * s;
                for (b, out) in b.iter().zip(out) {
                    *out += factor * b;
                }
            }
        }
    }
}
