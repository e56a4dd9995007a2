//! Symmetric matrices whose rows begin at a first column, factored in time linear in the rows of chains, rings and long frames.
//!
//! In: the order of the unknowns, which pairs of them are coupled, entries; or a whole matrix, most of which is zeros. Out: solutions. Method: Cholesky row by row within the envelope; sums run in a fixed order, so that the same input gives the same bits.
//! A pivot that rounding has lost stops what belongs to it, as where there is no mass.

/// Pivots below this fraction of the diagonal entry are lost [-].
const LOST: f64 = 1e-14;

/// A matrix, and after [`Skyline::factor`] its factor.
#[derive(Debug, Clone, Default)]
pub struct Skyline {
    /// Place of each unknown in the order of elimination.
    rank: Vec<usize>,
    /// First column of each row, and where that entry is; the diagonal is the last one of its row.
    first: Vec<usize>,
    begin: Vec<usize>,
    entries: Vec<f64>,
}

impl Skyline {
    /// A matrix by its rows, of which the lower triangle is read, with unknowns in its order; none where more than `most` entries lie within the envelope.
    pub fn of_rows(matrix: &[f64], n: usize, most: usize) -> Option<Self> {
        let (mut first, mut begin) = (Vec::with_capacity(n), vec![0]);
        for (row, entries) in matrix.chunks_exact(n).enumerate() {
            let start = entries[..row].iter().position(|x| *x != 0.0).unwrap_or(row);
            first.push(start);
            begin.push(begin[row] + row + 1 - start);
            if begin[row + 1] > most {
                return None;
            }
        }
        let rows = matrix.chunks_exact(n).enumerate();
        let entries = rows.flat_map(|(row, entries)| entries[first[row]..=row].iter().copied()).collect();
        Some(Self { rank: (0..n).collect(), first, begin, entries })
    }

    /// A matrix of zeros; `order` has the unknowns in the order of elimination.
    pub fn new(order: &[usize], coupled: impl Iterator<Item = [usize; 2]>) -> Self {
        let n = order.len();
        let mut rank = vec![0; n];
        for (place, unknown) in order.iter().enumerate() {
            rank[*unknown] = place;
        }
        let mut first: Vec<usize> = (0..n).collect();
        for [a, b] in coupled {
            let (low, high) = (rank[a].min(rank[b]), rank[a].max(rank[b]));
            first[high] = first[high].min(low);
        }
        let mut begin = Vec::with_capacity(n + 1);
        begin.push(0);
        for (row, first) in first.iter().enumerate() {
            begin.push(begin[row] + row + 1 - first);
        }
        Self { entries: vec![0.0; begin[n]], rank, first, begin }
    }

    /// Makes all entries zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Adds to an entry and the one it is mirrored to, which are one here.
    pub fn add(&mut self, a: usize, b: usize, value: f64) {
        let (low, high) = (self.rank[a].min(self.rank[b]), self.rank[a].max(self.rank[b]));
        debug_assert!(low >= self.first[high], "an entry lies within the envelope");
        self.entries[self.begin[high] + low - self.first[high]] += value;
    }

    /// Factors the matrix in place.
    pub fn factor(&mut self) {
        for row in 0..self.rank.len() {
            let (first, begin) = (self.first[row], self.begin[row]);
            let (above, own) = self.entries.split_at_mut(begin);
            let own = &mut own[..row + 1 - first];
            for column in first..row {
                let from = self.first[column].max(first);
                let other = &above[self.begin[column]..self.begin[column + 1]];
                let start = self.first[column];
                let sum = dot(&own[from - first..column - first], &other[from - start..column - start]);
                let pivot = other[column - start];
                own[column - first] = if pivot > 0.0 { (own[column - first] - sum) / pivot } else { 0.0 };
            }
            let (left, diagonal) = own.split_at_mut(row - first);
            let pivot = diagonal[0] - dot(left, left);
            diagonal[0] = if pivot > LOST * diagonal[0] { pivot.sqrt() } else { 0.0 };
        }
    }

    /// Whether an unknown has a pivot, after [`Skyline::factor`].
    pub fn has_pivot(&self, unknown: usize) -> bool {
        self.entries[self.begin[self.rank[unknown] + 1] - 1] > 0.0
    }

    /// Replaces a right-hand side by the solution, after [`Skyline::factor`]; `work` is overwritten.
    pub fn solve(&self, x: &mut [f64], work: &mut Vec<f64>) {
        let Self { rank, first, begin, entries } = self;
        work.resize(rank.len(), 0.0);
        for (place, value) in rank.iter().zip(x.iter()) {
            work[*place] = *value;
        }
        for row in 0..rank.len() {
            let own = &entries[begin[row]..begin[row + 1]];
            let (left, pivot) = own.split_at(row - first[row]);
            let sum = work[row] - dot(left, &work[first[row]..row]);
            work[row] = if pivot[0] > 0.0 { sum / pivot[0] } else { 0.0 };
        }
        for row in (0..rank.len()).rev() {
            let own = &entries[begin[row]..begin[row + 1]];
            let (left, pivot) = own.split_at(row - first[row]);
            let value = if pivot[0] > 0.0 { work[row] / pivot[0] } else { 0.0 };
            work[row] = value;
            for (work, entry) in work[first[row]..row].iter_mut().zip(left) {
                *work -= entry * value;
            }
        }
        for (place, value) in rank.iter().zip(x) {
            *value = work[*place];
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of unknowns in a shuffled order, against a product with the matrix.
    #[test]
    fn a_ring_is_solved_to_rounding() {
        let n = 17;
        let order: Vec<usize> = (0..n).map(|k| (5 * k + 3) % n).collect();
        let pairs: Vec<[usize; 2]> = (0..n).map(|k| [k, (k + 1) % n]).collect();
        let mut matrix = Skyline::new(&order, pairs.iter().copied());
        let value = |k: usize| 1.0 + 0.1 * (k as f64);
        let x: Vec<f64> = (0..n).map(|k| 1.0 / value(k) - 0.4).collect();
        let mut b = vec![0.0; n];
        for (k, [i, j]) in pairs.iter().enumerate() {
            // A spring from each to the next, and one to the ground.
            matrix.add(*i, *i, 1.0 + value(k));
            matrix.add(*j, *j, value(k));
            matrix.add(*i, *j, -value(k));
            b[*i] += x[*i] + value(k) * (x[*i] - x[*j]);
            b[*j] += value(k) * (x[*j] - x[*i]);
        }
        matrix.factor();
        matrix.solve(&mut b, &mut Vec::new());
        for (found, x) in b.iter().zip(&x) {
            assert!((found - x).abs() < 1e-14, "{found} for {x}");
        }
    }

    #[test]
    fn a_matrix_by_rows_is_solved_within_its_envelope() {
        let rows = [4.0, 1.0, 0.0, 1.0, 3.0, 0.5, 0.0, 0.5, 2.0];
        assert!(Skyline::of_rows(&rows, 3, 4).is_none());
        let mut matrix = Skyline::of_rows(&rows, 3, 5).unwrap();
        matrix.factor();
        let mut x = [6.0, 8.5, 7.0];
        matrix.solve(&mut x, &mut Vec::new());
        for (found, expected) in x.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-15, "{x:?}");
        }
        assert!(matrix.has_pivot(2));
    }

    #[test]
    fn what_has_no_mass_does_not_move() {
        let mut matrix = Skyline::new(&[0, 1], std::iter::empty());
        matrix.add(1, 1, 2.0);
        matrix.factor();
        let mut x = [1.0, 1.0];
        matrix.solve(&mut x, &mut Vec::new());
        assert!(x == [0.0, 0.5]);
    }
}
