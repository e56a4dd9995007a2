//! In which order groups are eliminated, and where entries appear by it.
//!
//! In: which groups feel each other through blocks. Out: islands (groups that feel each other, nobody else), for each an order of little fill, the pattern of the factor, and panels of columns
//! that are eliminated together. Depends on the graph alone, so it is kept while the graph is the same; the same graph gives the same order.

use super::minimum_degree::MinimumDegree;
use std::ops::Range;
use zerogap_core::block6;
use zerogap_core::disjoint_sets::DisjointSets;

/// A group that takes no part.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Columns of a panel at most: so many stay in the second cache with all that stands below them.
pub(crate) const MAX_PANEL: usize = 8;

/// Columns one after another that have the same rows below the last of them, and are eliminated together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Panel {
    pub(crate) first: usize,
    pub(crate) end: usize,
    /// Whether all its columns and rows are free bodies, of six velocities; else there is one column.
    pub(crate) is_free: bool,
    /// Where its rows begin in `reaches`, for a panel of free bodies.
    pub(crate) reaches_at: usize,
}

/// Where the blocks lie that a panel changes in the column of one of its rows: those of its later rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// One after another, from an entry on.
    Run(u32),
    /// As `targets` says from a place on.
    List(u32),
}

/// Order and pattern of a factor over groups. Columns are numbered in the order of elimination, islands one after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Elimination {
    /// What it was made for: number of velocities of each group that takes part (else zero), and pairs that feel each other; as listed, and in order without repetition.
    lens: Vec<usize>,
    listed: Vec<[u32; 2]>,
    edges: Vec<[u32; 2]>,
    /// The group of each column.
    pub(crate) order: Vec<u32>,
    /// The column of each group, or [`NOWHERE`].
    pub(crate) column: Vec<u32>,
    /// Columns of each island.
    pub(crate) islands: Vec<Range<usize>>,
    /// Where the rows of each column begin in `rows`; one more than columns.
    pub(crate) starts: Vec<usize>,
    /// Columns that stand below the diagonal of each column, ascending.
    pub(crate) rows: Vec<u32>,
    /// Number of velocities of each column.
    pub(crate) sizes: Vec<usize>,
    /// First entry of each diagonal block; one more than columns.
    pub(crate) diagonal_at: Vec<usize>,
    /// First entry of each block below; one more than those.
    pub(crate) below_at: Vec<usize>,
    /// Columns that are eliminated together, ascending; panels never reach over the end of an island.
    pub(crate) panels: Vec<Panel>,
    /// For each row of a panel of free bodies, where what it changes lies.
    pub(crate) reaches: Vec<Reach>,
    /// First entries of blocks below the diagonal.
    pub(crate) targets: Vec<u32>,
    // Memory.
    next_lens: Vec<usize>,
    next_listed: Vec<[u32; 2]>,
    next_edges: Vec<[u32; 2]>,
    counts: Vec<u32>,
    sets: DisjointSets,
    method: MinimumDegree,
    /// Groups by island, and the number of each group there.
    members: Vec<u32>,
    member: Vec<u32>,
    member_starts: Vec<u32>,
    /// Neighbours of members.
    near_starts: Vec<u32>,
    near: Vec<u32>,
    /// By column: parent in the elimination tree, ancestor on the way to the root, mark of the last row that was met.
    parent: Vec<u32>,
    ancestor: Vec<u32>,
    mark: Vec<u32>,
    child: Vec<u32>,
    sibling: Vec<u32>,
    /// Members in the order of elimination, before columns of one panel are brought together and after.
    eliminated: Vec<u32>,
    ordered: Vec<u32>,
    position: Vec<u32>,
    /// Panels that reach a column next, linked, and how many of their rows are done.
    waiting: Vec<u32>,
    next_waiting: Vec<u32>,
    rows_done: Vec<u32>,
}

impl Elimination {
    /// Makes it that of a graph; whether anything had to be done.
    ///
    /// `list` writes the number of velocities of each group that takes part, zero before, and the pairs of groups that feel each other, the smaller first; pairs may repeat.
    pub(crate) fn prepare(
        &mut self,
        groups: usize,
        list: impl FnOnce(&mut [usize], &mut Vec<[u32; 2]>),
    ) -> bool {
        self.next_lens.clear();
        self.next_lens.resize(groups, 0);
        self.next_listed.clear();
        list(&mut self.next_lens, &mut self.next_listed);
        let is_same_size = self.next_lens == self.lens;
        // Contacts are mostly found in the same order as before.
        if is_same_size && self.next_listed == self.listed {
            return false;
        }
        std::mem::swap(&mut self.listed, &mut self.next_listed);
        self.sort_edges(groups);
        if is_same_size && self.next_edges == self.edges {
            return false;
        }
        std::mem::swap(&mut self.lens, &mut self.next_lens);
        std::mem::swap(&mut self.edges, &mut self.next_edges);
        // Each two take turns: both have room for what one of them needed.
        self.next_lens.clear();
        self.next_lens.reserve(groups);
        for (one, other) in [(&mut self.next_listed, &self.listed), (&mut self.next_edges, &self.edges)] {
            one.clear();
            one.reserve(other.len());
        }
        self.find_islands();
        self.find_neighbours();
        self.find_order();
        self.find_pattern();
        self.lay_out();
        self.find_panels();
        self.find_targets();
        true
    }

    /// The place of the block of two columns, `later` below `earlier`, in `rows`.
    pub(crate) fn place(&self, earlier: usize, later: usize) -> usize {
        let rows = &self.rows[self.starts[earlier]..self.starts[earlier + 1]];
        self.starts[earlier] + rows.partition_point(|&row| (row as usize) < later)
    }

    /// The panels of an island.
    pub(crate) fn panels_of(&self, columns: &Range<usize>) -> &[Panel] {
        let at = |column: usize| self.panels.partition_point(|panel| panel.first < column);
        &self.panels[at(columns.start)..at(columns.end)]
    }

    /// What was listed, in order and without repetition, in `next_edges`: by the second group first, then by the first.
    fn sort_edges(&mut self, groups: usize) {
        let mut sort = |from: &[[u32; 2]], to: &mut Vec<[u32; 2]>, key: usize| {
            self.counts.clear();
            self.counts.resize(groups + 1, 0);
            for edge in from {
                self.counts[edge[key] as usize + 1] += 1;
            }
            for group in 0..groups {
                self.counts[group + 1] += self.counts[group];
            }
            to.clear();
            to.resize(from.len(), [0; 2]);
            for edge in from {
                let at = &mut self.counts[edge[key] as usize];
                to[*at as usize] = *edge;
                *at += 1;
            }
        };
        sort(&self.listed, &mut self.next_listed, 1);
        sort(&self.next_listed, &mut self.next_edges, 0);
        self.next_edges.dedup();
    }

    /// Members by island, islands by their first group.
    fn find_islands(&mut self) {
        let groups = self.lens.len();
        self.sets.reset(groups);
        for [a, b] in &self.edges {
            self.sets.join(*a as usize, *b as usize);
        }
        // The set of a group has the number of its first group; `member` has the number of its island for now.
        self.member.clear();
        self.member_starts.clear();
        for group in 0..groups {
            let first = self.sets.find(group);
            if self.lens[group] == 0 {
                self.member.push(NOWHERE);
                continue;
            }
            if first == group {
                self.member.push(self.member_starts.len() as u32);
                self.member_starts.push(0);
            } else {
                self.member.push(self.member[first]);
            }
            self.member_starts[self.member[group] as usize] += 1;
        }
        self.islands.clear();
        let mut at = 0;
        for start in &mut self.member_starts {
            let count = std::mem::replace(start, at as u32) as usize;
            self.islands.push(at..at + count);
            at += count;
        }
        self.members.clear();
        self.members.resize(at, 0);
        for (group, island) in self.member.iter_mut().enumerate().filter(|(_, island)| **island != NOWHERE) {
            let at = &mut self.member_starts[*island as usize];
            self.members[*at as usize] = group as u32;
            *island = *at;
            *at += 1;
        }
    }

    /// The neighbours of each member, ascending.
    fn find_neighbours(&mut self) {
        self.near_starts.clear();
        self.near_starts.resize(self.members.len() + 2, 0);
        let ends = |edge: &[u32; 2]| edge.map(|group| self.member[group as usize]);
        for [a, b] in self.edges.iter().map(ends) {
            self.near_starts[a as usize + 2] += 1;
            self.near_starts[b as usize + 2] += 1;
        }
        for k in 2..self.near_starts.len() {
            self.near_starts[k] += self.near_starts[k - 1];
        }
        self.near.clear();
        self.near.resize(2 * self.edges.len(), 0);
        // Edges ascend: whoever is smaller comes first.
        for [a, b] in self.edges.iter().map(ends) {
            for (own, other) in [(a, b), (b, a)] {
                let at = &mut self.near_starts[own as usize + 1];
                self.near[*at as usize] = other;
                *at += 1;
            }
        }
        self.near_starts.pop();
    }

    /// The group of each column.
    fn find_order(&mut self) {
        self.eliminated.clear();
        for island in &self.islands {
            let starts = &self.near_starts[island.start..=island.end];
            self.method.order(starts, &self.near, island.start as u32, &mut self.eliminated);
        }
        self.find_tree();
        self.bring_together();
        self.order.clear();
        self.order.extend(self.ordered.iter().map(|&member| self.members[member as usize]));
        self.column.clear();
        self.column.resize(self.lens.len(), NOWHERE);
        for (column, &group) in self.order.iter().enumerate() {
            self.column[group as usize] = column as u32;
        }
    }

    /// The parent of each column of `eliminated`, and how many rows stand below its diagonal in `counts`.
    ///
    /// Method: Liu 1990; the rows of the factor are subtrees of the tree.
    fn find_tree(&mut self) {
        let count = self.eliminated.len();
        self.position.clear();
        self.position.resize(count, 0);
        for (column, &member) in self.eliminated.iter().enumerate() {
            self.position[member as usize] = column as u32;
        }
        for all in [&mut self.parent, &mut self.ancestor, &mut self.mark] {
            all.clear();
            all.resize(count, NOWHERE);
        }
        self.counts.clear();
        self.counts.resize(count, 0);
        for row in 0..count {
            self.mark[row] = row as u32;
            let member = self.eliminated[row] as usize;
            let near = self.near_starts[member] as usize..self.near_starts[member + 1] as usize;
            for &other in &self.near[near] {
                let mut column = self.position[other as usize] as usize;
                // Every column from the neighbour up to this row has the row in it. Parents on the way are known, or are this row.
                while column < row && self.mark[column] != row as u32 {
                    self.mark[column] = row as u32;
                    self.counts[column] += 1;
                    if self.parent[column] == NOWHERE {
                        self.parent[column] = row as u32;
                    }
                    column = self.parent[column] as usize;
                }
            }
        }
    }

    /// Brings columns after their children, the child of most rows right before its parent: columns of the same rows are then neighbours, at the same fill.
    fn bring_together(&mut self) {
        let count = self.eliminated.len();
        for all in [&mut self.child, &mut self.sibling] {
            all.clear();
            all.resize(count, NOWHERE);
        }
        // Children of each, the first eliminated first, but the one with most rows last.
        for column in (0..count).rev() {
            let parent = self.parent[column] as usize;
            if parent == NOWHERE as usize {
                continue;
            }
            let first = self.child[parent];
            self.sibling[column] = first;
            self.child[parent] = column as u32;
        }
        self.ordered.clear();
        for island in 0..self.islands.len() {
            // The last of an island is the root of its tree.
            let mut at = self.islands[island].end - 1;
            // Down to the first leaf, out, to the next sibling, up: the largest child waits in `ancestor`.
            self.descend(&mut at);
            loop {
                self.ordered.push(self.eliminated[at]);
                let parent = self.parent[at] as usize;
                if parent == NOWHERE as usize {
                    break;
                }
                at = parent;
                self.descend(&mut at);
            }
        }
    }

    /// Goes to the leaf from which a column is reached next: through children that are left, the largest last.
    fn descend(&mut self, at: &mut usize) {
        loop {
            let first = self.child[*at];
            if first == NOWHERE {
                return;
            }
            // Once for each column, when it is met from above: the largest child to the end.
            if self.ancestor[*at] == NOWHERE {
                self.ancestor[*at] = 0;
                self.put_largest_last(*at);
            }
            let first = self.child[*at] as usize;
            self.child[*at] = self.sibling[first];
            *at = first;
        }
    }

    fn put_largest_last(&mut self, parent: usize) {
        let (mut largest, mut before_largest) = (self.child[parent], NOWHERE);
        let (mut before, mut at) = (largest, self.sibling[largest as usize]);
        while at != NOWHERE {
            if self.counts[at as usize] >= self.counts[largest as usize] {
                (largest, before_largest) = (at, before);
            }
            (before, at) = (at, self.sibling[at as usize]);
        }
        if before == largest {
            return;
        }
        let after = std::mem::replace(&mut self.sibling[largest as usize], NOWHERE);
        if before_largest == NOWHERE {
            self.child[parent] = after;
        } else {
            self.sibling[before_largest as usize] = after;
        }
        self.sibling[before as usize] = largest;
    }

    /// The rows below the diagonal of each column.
    fn find_pattern(&mut self) {
        let count = self.ordered.len();
        // Numbers before and after: the tree and the counts are carried over.
        for (column, &member) in self.ordered.iter().enumerate() {
            self.ancestor[self.position[member as usize] as usize] = column as u32;
        }
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for before in 0..count {
            self.starts[self.ancestor[before] as usize + 1] = self.counts[before] as usize;
        }
        for column in 0..count {
            self.starts[column + 1] += self.starts[column];
        }
        let parent = &mut self.child;
        for before in 0..count {
            let above = self.parent[before];
            parent[self.ancestor[before] as usize] =
                if above == NOWHERE { NOWHERE } else { self.ancestor[above as usize] };
        }
        std::mem::swap(&mut self.parent, &mut self.child);
        for (column, &member) in self.ordered.iter().enumerate() {
            self.position[member as usize] = column as u32;
        }
        // Rows come ascending, so they are ascending in every column.
        self.rows.clear();
        self.rows.resize(self.starts[count], 0);
        self.mark.fill(NOWHERE);
        self.counts.fill(0);
        for row in 0..count {
            self.mark[row] = row as u32;
            let member = self.ordered[row] as usize;
            let near = self.near_starts[member] as usize..self.near_starts[member + 1] as usize;
            for &other in &self.near[near] {
                let mut column = self.position[other as usize] as usize;
                while column < row && self.mark[column] != row as u32 {
                    self.mark[column] = row as u32;
                    self.rows[self.starts[column] + self.counts[column] as usize] = row as u32;
                    self.counts[column] += 1;
                    column = self.parent[column] as usize;
                }
            }
        }
    }

    /// Where the numbers of each block lie.
    fn lay_out(&mut self) {
        self.sizes.clear();
        self.sizes.extend(self.order.iter().map(|&group| self.lens[group as usize]));
        self.diagonal_at.clear();
        self.below_at.clear();
        let (mut diagonal, mut below) = (0, 0);
        for column in 0..self.order.len() {
            let size = self.sizes[column];
            self.diagonal_at.push(diagonal);
            diagonal += size * size;
            for &row in &self.rows[self.starts[column]..self.starts[column + 1]] {
                self.below_at.push(below);
                below += size * self.sizes[row as usize];
            }
        }
        self.diagonal_at.push(diagonal);
        self.below_at.push(below);
    }

    /// Which columns are eliminated together.
    fn find_panels(&mut self) {
        self.panels.clear();
        let mut reaches = 0;
        for column in 0..self.order.len() {
            let rows = &self.rows[self.starts[column]..self.starts[column + 1]];
            let is_free = self.sizes[column] == block6::SIZE
                && rows.iter().all(|&row| self.sizes[row as usize] == block6::SIZE);
            if let Some(panel) = self.panels.last_mut() {
                let above = &self.rows[self.starts[column - 1]..self.starts[column]];
                // The rows of a column are among those of its parent.
                let is_like = above.len() == rows.len() + 1 && above[0] == column as u32;
                if is_like && is_free && panel.is_free && column - panel.first < MAX_PANEL {
                    panel.end += 1;
                    reaches -= 1;
                    continue;
                }
            }
            self.panels.push(Panel { first: column, end: column + 1, is_free, reaches_at: reaches });
            reaches += if is_free { rows.len() } else { 0 };
        }
        self.reaches.clear();
        self.reaches.resize(reaches, Reach::Run(0));
    }

    /// Where the blocks lie that panels change, column by column.
    fn find_targets(&mut self) {
        self.targets.clear();
        let count = self.order.len();
        for (all, len) in [(&mut self.waiting, count), (&mut self.next_waiting, self.panels.len())] {
            all.clear();
            all.resize(len, NOWHERE);
        }
        self.rows_done.clear();
        self.rows_done.resize(self.panels.len(), 0);
        // Where the block of a row lies in the column at hand.
        self.ancestor.clear();
        self.ancestor.resize(count, 0);
        let mut panel = 0;
        for column in 0..count {
            if self.waiting[column] != NOWHERE {
                for place in self.starts[column]..self.starts[column + 1] {
                    self.ancestor[self.rows[place] as usize] = self.below_at[place] as u32;
                }
            }
            let mut at = self.waiting[column];
            while at != NOWHERE {
                let next = self.next_waiting[at as usize];
                let Panel { end, reaches_at, .. } = self.panels[at as usize];
                let rows = &self.rows[self.starts[end - 1]..self.starts[end]];
                let done = self.rows_done[at as usize] as usize;
                let later = &rows[done + 1..];
                if let [first, .., last] | [first @ last] = later {
                    let begin = self.ancestor[*first as usize];
                    let is_run = (self.ancestor[*last as usize] - begin) as usize
                        == block6::ENTRIES * (later.len() - 1);
                    self.reaches[reaches_at + done] = if is_run {
                        Reach::Run(begin)
                    } else {
                        let reach = Reach::List(self.targets.len() as u32);
                        self.targets.extend(later.iter().map(|&row| self.ancestor[row as usize]));
                        reach
                    };
                    self.rows_done[at as usize] += 1;
                    self.next_waiting[at as usize] =
                        std::mem::replace(&mut self.waiting[*first as usize], at);
                }
                at = next;
            }
            // A panel waits for the first row below all its columns.
            if self.panels[panel].end == column + 1 {
                let below = self.rows[self.starts[column]..self.starts[column + 1]].first();
                if let (true, Some(&row)) = (self.panels[panel].is_free, below) {
                    self.next_waiting[panel] =
                        std::mem::replace(&mut self.waiting[row as usize], panel as u32);
                }
                panel += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_core::random::Random;

    fn plan(groups: usize, edges: &[[u32; 2]]) -> Elimination {
        let mut plan = Elimination::default();
        plan.prepare(groups, |lens, list| {
            lens.fill(6);
            list.extend_from_slice(edges);
        });
        plan
    }

    /// Bodies on a grid that touch their neighbours, and some of those across an edge.
    fn grid(side: usize, diagonals: f64, random: &mut Random) -> Vec<[u32; 2]> {
        let mut edges = Vec::new();
        let at = |p: [usize; 3]| ((p[2] * side + p[1]) * side + p[0]) as u32;
        let steps = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]];
        for body in 0..side.pow(3) {
            let p = [body % side, body / side % side, body / (side * side)];
            for step in steps {
                let q = [0, 1, 2].map(|k| p[k] + step[k]);
                let is_near = step.iter().sum::<usize>() == 1;
                if q.iter().all(|k| *k < side) && (is_near || random.range(0.0, 1.0) < diagonals) {
                    edges.push([at(p), at(q)]);
                }
            }
        }
        edges
    }

    /// Rows below the diagonal of each column by elimination of one group after another.
    fn eliminate(groups: usize, edges: &[[u32; 2]], order: &[u32]) -> Vec<Vec<usize>> {
        let mut column = vec![0; groups];
        order.iter().enumerate().for_each(|(at, group)| column[*group as usize] = at);
        let mut below = vec![std::collections::BTreeSet::new(); groups];
        for edge in edges {
            let [a, b] = edge.map(|group| column[group as usize]);
            below[a.min(b)].insert(a.max(b));
        }
        for at in 0..groups {
            let rows = below[at].clone();
            if let Some(first) = rows.first() {
                below[*first].extend(rows.iter().skip(1));
            }
        }
        below.into_iter().map(|rows| rows.into_iter().collect()).collect()
    }

    /// Products of blocks in a factor by minimum degree, exact, ties by number.
    fn exact_products(groups: usize, edges: &[[u32; 2]]) -> usize {
        let words = groups.div_ceil(64);
        let mut near = vec![vec![0_u64; words]; groups];
        for &[a, b] in edges {
            near[a as usize][b as usize / 64] |= 1 << (b % 64);
            near[b as usize][a as usize / 64] |= 1 << (a % 64);
        }
        let count = |near: &[u64]| near.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let mut degree: Vec<usize> = near.iter().map(|near| count(near)).collect();
        let (mut is_left, mut products) = (vec![true; groups], 0);
        for _ in 0..groups {
            let pivot = (0..groups).filter(|k| is_left[*k]).min_by_key(|k| (degree[*k], *k)).unwrap();
            is_left[pivot] = false;
            products += degree[pivot] * (degree[pivot] + 1) / 2;
            let own = near[pivot].clone();
            for k in (0..groups).filter(|k| own[k / 64] >> (k % 64) & 1 == 1) {
                near[k].iter_mut().zip(&own).for_each(|(to, own)| *to |= own);
                near[k][k / 64] &= !(1 << (k % 64));
                near[k][pivot / 64] &= !(1 << (pivot % 64));
                degree[k] = count(&near[k]);
            }
        }
        products
    }

    fn products(plan: &Elimination) -> usize {
        plan.starts.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0] + 1) / 2).sum()
    }

    #[test]
    fn the_pattern_is_that_of_elimination_and_panels_reach_it() {
        let mut random = Random::new(11);
        // One memory for all: nothing of the last graph may stay.
        let mut plan = Elimination::default();
        for case in 0..400 {
            let groups = 1 + case % 61;
            let likely = (case % 7) as f64 / groups as f64;
            let mut edges = Vec::new();
            for a in 0..groups as u32 {
                for b in a + 1..groups as u32 {
                    if random.range(0.0, 1.0) < likely {
                        edges.extend([[a, b]; 2]);
                    }
                }
            }
            // The order in which pairs are listed does not matter.
            edges.reverse();
            let list = |lens: &mut [usize], list: &mut Vec<[u32; 2]>| {
                lens.fill(6);
                list.extend_from_slice(&edges);
            };
            assert!(plan.prepare(groups, list));
            assert!(!plan.prepare(groups, list));
            edges.sort_unstable();
            assert!(!plan.prepare(groups, |lens, list| {
                lens.fill(6);
                list.extend_from_slice(&edges);
            }));
            let mut sorted = plan.order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..groups as u32), "case {case}: every group once");
            assert!((0..groups).all(|group| plan.order[plan.column[group] as usize] as usize == group));
            let below = eliminate(groups, &edges, &plan.order);
            for (column, below) in below.iter().enumerate() {
                let rows = &plan.rows[plan.starts[column]..plan.starts[column + 1]];
                assert!(rows.iter().map(|row| *row as usize).eq(below.iter().copied()), "case {case}");
                let island = plan.islands.iter().find(|island| island.contains(&column)).unwrap();
                assert!(below.iter().all(|row| island.contains(row)));
            }
            // Islands are whole, and each is one: the last column alone has nothing below.
            assert!(plan.islands.iter().all(|island| {
                island.clone().all(|column| below[column].is_empty() == (column + 1 == island.end))
            }));
            let mut next = 0;
            for panel in &plan.panels {
                assert!(panel.first == next && panel.is_free && panel.end - panel.first <= MAX_PANEL);
                next = panel.end;
                let rows = &below[panel.end - 1];
                for (column, below) in below.iter().enumerate().take(panel.end).skip(panel.first) {
                    let rows = (column + 1..panel.end).chain(rows.iter().copied());
                    assert!(rows.eq(below.iter().copied()));
                }
                for (k, &row) in rows.iter().enumerate() {
                    let targets = (k + 1..rows.len()).map(|i| plan.below_at[plan.place(row, rows[i])] as u32);
                    let count = rows.len() - k - 1;
                    match plan.reaches[panel.reaches_at + k] {
                        Reach::Run(first) => {
                            assert!(targets.eq((0..count as u32).map(|i| first + 36 * i)), "case {case}");
                        }
                        Reach::List(at) => {
                            assert!(targets.eq(plan.targets[at as usize..][..count].iter().copied()));
                        }
                    }
                }
            }
            assert_eq!(next, groups);
        }
    }

    #[test]
    fn fill_is_that_of_exact_minimum_degree_or_little_more() {
        let mut random = Random::new(5);
        let tree: Vec<[u32; 2]> = (1..500_u32).map(|k| [(k - 1) / 3, k]).collect();
        assert_eq!(plan(500, &tree).rows.len(), 499, "trees have no fill");
        for (side, diagonals) in [(5, 0.0), (5, 0.3), (8, 0.0), (8, 0.3), (10, 0.0), (10, 0.3)] {
            let edges = grid(side, diagonals, &mut random);
            let (found, exact) = (products(&plan(side.pow(3), &edges)), exact_products(side.pow(3), &edges));
            println!("{side} {diagonals}: {found} products, exact minimum degree {exact}");
            assert!(found as f64 <= 1.05 * exact as f64, "{side} {diagonals}: {found} products, not {exact}");
        }
    }
}
