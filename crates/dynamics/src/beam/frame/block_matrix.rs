//! Sparse matrices of 6 × 6 blocks whose rows begin at a first column: factored in time linear in the nodes of chains, rings and long frames.
//!
//! In: a graph of nodes, blocks for pairs of neighbours. Out: solutions, and the signs of the pivots. Structure is symmetric, entries need not be. Called by statics, modes and motion.
//! Method: nodes in the order of Cuthill and `McKee` (1969), reversed, which keeps neighbours close; LU of the skyline, pivots in order. Cost: `n b²` block products for `n` nodes whose neighbours are at most `b` apart
//! in that order: b = 1 for a chain, 2 for a ring.
//! Order: that of the graph alone; sums run in a fixed order, so that the same input gives the same bits.

#![expect(clippy::needless_range_loop, reason = "indices of rows and columns, as the formulas have them")]

use zerogap_core::nalgebra::{SMatrix, SVector};

/// Freedoms of a node.
pub(super) type Vector6 = SVector<f64, 6>;

/// A block.
pub(super) type Matrix6 = SMatrix<f64, 6, 6>;

/// Where the blocks of a matrix are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Structure {
    /// Nodes in the order of elimination.
    order: Vec<usize>,
    /// Place of each node in that order.
    rank: Vec<usize>,
    /// First column of each row, by rank.
    first: Vec<usize>,
    /// Where the blocks of each row begin; one more than rows.
    begin: Vec<usize>,
}

impl Structure {
    pub(super) fn new(nodes: usize, edges: impl Iterator<Item = [usize; 2]> + Clone) -> Self {
        let order = reverse_cuthill_mckee(nodes, edges.clone());
        let mut rank = vec![0; nodes];
        for (k, node) in order.iter().enumerate() {
            rank[*node] = k;
        }
        let mut first: Vec<usize> = (0..nodes).collect();
        for [a, b] in edges {
            let (low, high) = (rank[a].min(rank[b]), rank[a].max(rank[b]));
            first[high] = first[high].min(low);
        }
        let mut begin = vec![0; nodes + 1];
        for k in 0..nodes {
            begin[k + 1] = begin[k] + (k - first[k]);
        }
        Self { order, rank, first, begin }
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.begin[row] + column - self.first[row]
    }
}

/// The order of Cuthill and `McKee`, reversed: breadth first from a node at an end of the graph, nodes of low degree first.
pub(crate) fn reverse_cuthill_mckee(nodes: usize, edges: impl Iterator<Item = [usize; 2]>) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); nodes];
    for [a, b] in edges {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let degrees: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    for list in &mut neighbours {
        list.sort_by_key(|node| degrees[*node]);
    }
    let mut order = Vec::with_capacity(nodes);
    let mut seen = vec![false; nodes];
    let mut by_degree: Vec<usize> = (0..nodes).collect();
    by_degree.sort_by_key(|node| degrees[*node]);
    for start in by_degree {
        if seen[start] {
            continue;
        }
        // The last node of a walk is far from its first: two walks find an end.
        let mut root = start;
        for _ in 0..2 {
            let mut walk_seen = seen.clone();
            let walk = breadth_first(root, &neighbours, &mut walk_seen);
            root = walk.last().copied().unwrap_or(root);
        }
        order.extend(breadth_first(root, &neighbours, &mut seen));
    }
    order.reverse();
    order
}

fn breadth_first(root: usize, neighbours: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut walk = vec![root];
    seen[root] = true;
    let mut next = 0;
    while next < walk.len() {
        for &node in &neighbours[walk[next]] {
            if !seen[node] {
                seen[node] = true;
                walk.push(node);
            }
        }
        next += 1;
    }
    walk
}

/// A matrix, and after [`factor`](Self::factor) its factors.
#[derive(Debug, Clone)]
pub(super) struct BlockMatrix {
    /// Blocks on the diagonal, by rank; factored in place.
    diagonal: Vec<Matrix6>,
    /// Blocks left of the diagonal, row by row.
    lower: Vec<Matrix6>,
    /// Blocks above the diagonal, column by column.
    upper: Vec<Matrix6>,
}

/// Signs and sizes of the pivots of a factored matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pivots {
    /// Pivots below zero: as many as there are negative eigenvalues, where the matrix is symmetric.
    pub(super) negative: usize,
    /// The smallest size of a pivot against the diagonal entry before elimination [-].
    pub(super) smallest: f64,
    /// The node with that pivot.
    pub(super) node: usize,
}

impl BlockMatrix {
    pub(super) fn zeros(structure: &Structure) -> Self {
        let (rows, blocks) = (structure.order.len(), structure.begin[structure.order.len()]);
        Self {
            diagonal: vec![Matrix6::zeros(); rows],
            lower: vec![Matrix6::zeros(); blocks],
            upper: vec![Matrix6::zeros(); blocks],
        }
    }

    /// The block in the row of a node and the column of a neighbour.
    pub(super) fn block_mut(&mut self, structure: &Structure, row: usize, column: usize) -> &mut Matrix6 {
        let (row, column) = (structure.rank[row], structure.rank[column]);
        match row.cmp(&column) {
            std::cmp::Ordering::Equal => &mut self.diagonal[row],
            std::cmp::Ordering::Greater => &mut self.lower[structure.at(row, column)],
            std::cmp::Ordering::Less => &mut self.upper[structure.at(column, row)],
        }
    }

    /// The block on the diagonal of a node, before the factorisation.
    pub(super) fn diagonal(&self, structure: &Structure, node: usize) -> &Matrix6 {
        &self.diagonal[structure.rank[node]]
    }

    /// Takes freedoms out: their rows and columns become those of the identity.
    pub(super) fn fix(&mut self, structure: &Structure, is_fixed: impl Fn(usize, usize) -> bool) {
        let free = |rank: usize| {
            let node = structure.order[rank];
            Vector6::from_fn(|k, _| if is_fixed(node, k) { 0.0 } else { 1.0 })
        };
        for row in 0..self.diagonal.len() {
            let mine = free(row);
            let masked = |block: &Matrix6, rows: &Vector6, columns: &Vector6| {
                Matrix6::from_fn(|k, l| block[(k, l)] * rows[k] * columns[l])
            };
            self.diagonal[row] = masked(&self.diagonal[row], &mine, &mine);
            for k in 0..6 {
                if mine[k] == 0.0 {
                    self.diagonal[row][(k, k)] = 1.0;
                }
            }
            for column in structure.first[row]..row {
                let theirs = free(column);
                let at = structure.at(row, column);
                self.lower[at] = masked(&self.lower[at], &mine, &theirs);
                self.upper[at] = masked(&self.upper[at], &theirs, &mine);
            }
        }
    }

    /// Replaces the matrix by its factors.
    pub(super) fn factor(&mut self, structure: &Structure) -> Pivots {
        let mut pivots = Pivots { negative: 0, smallest: f64::INFINITY, node: 0 };
        for i in 0..self.diagonal.len() {
            let first = structure.first[i];
            for j in first..i {
                // Both factors of a row are made together: `upper` is divided by the pivots of its rows.
                let from = first.max(structure.first[j]);
                let at = structure.at(i, j);
                for k in from..j {
                    let (ik, jk) = (structure.at(i, k), structure.at(j, k));
                    let (low, high) = (self.lower[ik] * self.upper[jk], self.lower[jk] * self.upper[ik]);
                    self.lower[at] -= low;
                    self.upper[at] -= high;
                }
                solve_block(&self.diagonal[j], &mut self.upper[at]);
            }
            let entries = self.diagonal[i].diagonal();
            for k in first..i {
                let at = structure.at(i, k);
                let product = self.lower[at] * self.upper[at];
                self.diagonal[i] -= product;
            }
            factor_block(&mut self.diagonal[i]);
            for k in 0..6 {
                let pivot = self.diagonal[i][(k, k)];
                pivots.negative += usize::from(pivot < 0.0);
                let size = (pivot / entries[k]).abs();
                // A pivot that is no number is as bad as none.
                if size < pivots.smallest || !size.is_finite() {
                    pivots.smallest = if size.is_finite() { size } else { 0.0 };
                    pivots.node = structure.order[i];
                }
            }
        }
        pivots
    }

    /// Replaces the right-hand side, one entry for each node, by the solution.
    pub(super) fn solve(&self, structure: &Structure, x: &mut [Vector6]) {
        let mut y: Vec<Vector6> = structure.order.iter().map(|node| x[*node]).collect();
        for i in 0..y.len() {
            let mut sum = y[i];
            for k in structure.first[i]..i {
                sum -= self.lower[structure.at(i, k)] * y[k];
            }
            solve_block(&self.diagonal[i], &mut sum);
            y[i] = sum;
        }
        for i in (0..y.len()).rev() {
            let known = y[i];
            for k in structure.first[i]..i {
                let product = self.upper[structure.at(i, k)] * known;
                y[k] -= product;
            }
        }
        for (node, y) in structure.order.iter().zip(y) {
            x[*node] = y;
        }
    }
}

/// LU of a block in place, pivots in order.
fn factor_block(m: &mut Matrix6) {
    for k in 0..6 {
        for i in k + 1..6 {
            let factor = m[(i, k)] / m[(k, k)];
            m[(i, k)] = factor;
            for j in k + 1..6 {
                m[(i, j)] -= factor * m[(k, j)];
            }
        }
    }
}

/// Replaces columns by the solutions with a factored block.
fn solve_block<const N: usize>(lu: &Matrix6, x: &mut SMatrix<f64, 6, N>) {
    for column in 0..N {
        for i in 0..6 {
            for k in 0..i {
                x[(i, column)] -= lu[(i, k)] * x[(k, column)];
            }
        }
        for i in (0..6).rev() {
            for k in i + 1..6 {
                x[(i, column)] -= lu[(i, k)] * x[(k, column)];
            }
            x[(i, column)] /= lu[(i, i)];
        }
    }
}

#[cfg(test)]
mod tests {
    use zerogap_core::nalgebra::{DMatrix, DVector};
    use zerogap_core::random::Random;

    use super::*;

    #[test]
    fn solutions_are_those_of_the_dense_matrix() {
        // Two parts: a ring with a tail, and a chain; numbers of nodes are mixed.
        let edges = [[7, 2], [2, 5], [5, 0], [0, 7], [0, 3], [3, 8], [1, 6], [6, 4]];
        let structure = Structure::new(9, edges.iter().copied());
        let mut random = Random::new(3);
        let mut matrix = BlockMatrix::zeros(&structure);
        let mut dense = DMatrix::zeros(54, 54);
        let mut put = |row: usize, column: usize, weight: f64| {
            let block = Matrix6::from_fn(|k, l| random.range(-1.0, 1.0) + if k == l { weight } else { 0.0 });
            *matrix.block_mut(&structure, row, column) = block;
            dense.view_mut((6 * row, 6 * column), (6, 6)).copy_from(&block);
        };
        (0..9).for_each(|node| put(node, node, 12.0));
        for [a, b] in edges {
            put(a, b, 0.0);
            put(b, a, 0.0);
        }
        let mut x: Vec<Vector6> = (0..9).map(|n| Vector6::from_fn(|k, _| (n + k) as f64 - 4.0)).collect();
        let right = DVector::from_iterator(54, x.iter().flat_map(|v| v.iter().copied()));
        let pivots = matrix.factor(&structure);
        assert!(pivots.negative == 0 && pivots.smallest > 0.1, "{pivots:?}");
        matrix.solve(&structure, &mut x);
        let found = DVector::from_iterator(54, x.iter().flat_map(|v| v.iter().copied()));
        assert!((dense * found - right).amax() < 1e-13);
    }

    #[test]
    fn a_chain_and_a_ring_have_narrow_rows_however_they_are_numbered() {
        let shuffled: Vec<usize> = (0..100).map(|k| (k * 37) % 100).collect();
        let chain = (0..99).map(|k| [shuffled[k], shuffled[k + 1]]);
        assert_eq!(Structure::new(100, chain).begin[100], 99);
        let ring = (0..100).map(|k| [shuffled[k], shuffled[(k + 1) % 100]]);
        assert!(Structure::new(100, ring).begin[100] <= 200);
    }
}
