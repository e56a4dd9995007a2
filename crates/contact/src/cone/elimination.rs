//! In which order groups are eliminated, and where entries appear by it.
//!
//! In: which groups feel each other through blocks. Out: islands (groups that feel each other, nobody else), for each an order of little fill (least degree first, ties by number), and the
//! pattern of the factor. Depends on the graph alone, so it is kept while the graph is the same; the same graph gives the same order.

use std::ops::Range;
use zerogap_core::disjoint_sets::DisjointSets;

/// A group that takes no part.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Order and pattern of a factor over groups. Columns are numbered in the order of elimination, islands one after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Elimination {
    /// What it was made for: number of velocities of each group that takes part (else zero), and pairs that feel each other.
    lens: Vec<usize>,
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
    // Memory.
    next_lens: Vec<usize>,
    next_edges: Vec<[u32; 2]>,
    sets: DisjointSets,
    members: Vec<u32>,
    local: Vec<u32>,
    bits: Vec<u64>,
    is_gone: Vec<bool>,
    degree: Vec<u32>,
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
        let mut lens = std::mem::take(&mut self.next_lens);
        let mut edges = std::mem::take(&mut self.next_edges);
        lens.clear();
        lens.resize(groups, 0);
        edges.clear();
        list(&mut lens, &mut edges);
        edges.sort_unstable();
        edges.dedup();
        let is_new = lens != self.lens || edges != self.edges;
        self.next_lens = std::mem::replace(&mut self.lens, lens);
        self.next_edges = std::mem::replace(&mut self.edges, edges);
        // The two take turns: both have room for what one of them needed.
        self.next_lens.clear();
        self.next_lens.reserve(self.lens.len());
        self.next_edges.clear();
        self.next_edges.reserve(self.edges.len());
        if is_new {
            self.find_order();
            self.lay_out();
        }
        is_new
    }

    /// The place of the block of two columns, `later` below `earlier`, in `rows`.
    pub(crate) fn place(&self, earlier: usize, later: usize) -> usize {
        let rows = &self.rows[self.starts[earlier]..self.starts[earlier + 1]];
        self.starts[earlier] + rows.partition_point(|&row| (row as usize) < later)
    }

    /// Islands, and in each the order and the pattern.
    fn find_order(&mut self) {
        let groups = self.lens.len();
        self.sets.reset(groups);
        for [a, b] in &self.edges {
            self.sets.join(*a as usize, *b as usize);
        }
        // Members by island, islands by their first group.
        self.members.clear();
        self.members.extend((0..groups as u32).filter(|&group| self.lens[group as usize] > 0));
        let sets = &mut self.sets;
        self.members.sort_unstable_by_key(|&group| (sets.find(group as usize), group));
        self.order.clear();
        self.column.clear();
        self.column.resize(groups, NOWHERE);
        self.islands.clear();
        self.starts.clear();
        self.starts.push(0);
        self.rows.clear();
        self.local.clear();
        self.local.resize(groups, NOWHERE);
        let mut first = 0;
        while first < self.members.len() {
            let sets = &mut self.sets;
            let island = sets.find(self.members[first] as usize);
            let count = self.members[first..]
                .iter()
                .take_while(|&&group| sets.find(group as usize) == island)
                .count();
            self.order_island(first..first + count);
            first += count;
        }
        // Groups so far stand where columns belong.
        for at in 0..self.rows.len() {
            self.rows[at] = self.column[self.rows[at] as usize];
        }
        for column in 0..self.order.len() {
            self.rows[self.starts[column]..self.starts[column + 1]].sort_unstable();
        }
    }

    /// Least degree first, on a table of who feels whom (a bit for each pair of the island).
    fn order_island(&mut self, members: Range<usize>) {
        let begin = self.order.len();
        let count = members.len();
        let words = count.div_ceil(64);
        for (local, at) in members.clone().enumerate() {
            self.local[self.members[at] as usize] = local as u32;
        }
        self.bits.clear();
        self.bits.resize(count * words, 0);
        self.degree.clear();
        self.degree.resize(count, 0);
        // Edges are sorted by their first group.
        for a in 0..count {
            let group = self.members[members.start + a];
            let from = self.edges.partition_point(|edge| edge[0] < group);
            for edge in self.edges[from..].iter().take_while(|edge| edge[0] == group) {
                let b = self.local[edge[1] as usize] as usize;
                self.bits[a * words + b / 64] |= 1 << (b % 64);
                self.bits[b * words + a / 64] |= 1 << (a % 64);
                self.degree[a] += 1;
                self.degree[b] += 1;
            }
        }
        self.is_gone.clear();
        self.is_gone.resize(count, false);
        for _ in 0..count {
            let Some(pivot) = (0..count).filter(|&k| !self.is_gone[k]).min_by_key(|&k| (self.degree[k], k))
            else {
                break;
            };
            self.is_gone[pivot] = true;
            let group = self.members[members.start + pivot];
            self.column[group as usize] = self.order.len() as u32;
            self.order.push(group);
            // Whoever felt the pivot now feels all others who did.
            for word in 0..words {
                let mut left = self.bits[pivot * words + word];
                while left != 0 {
                    let k = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    self.rows.push(self.members[members.start + k]);
                    let mut degree = 0;
                    for w in 0..words {
                        let mut bits = self.bits[k * words + w] | self.bits[pivot * words + w];
                        if w == k / 64 {
                            bits &= !(1 << (k % 64));
                        }
                        if w == pivot / 64 {
                            bits &= !(1 << (pivot % 64));
                        }
                        self.bits[k * words + w] = bits;
                        degree += bits.count_ones();
                    }
                    self.degree[k] = degree;
                }
            }
            self.starts.push(self.rows.len());
        }
        self.islands.push(begin..self.order.len());
        for at in members {
            self.local[self.members[at] as usize] = NOWHERE;
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
}
