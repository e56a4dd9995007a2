//! Sparse LU factors of a matrix of three by three blocks, for Newton's steps at many contacts.
//!
//! In: which contacts feel each other, once; then matrices of that pattern, over those contacts that push. Out: solutions. Contacts are eliminated in an order that keeps factors sparse (minimum
//! degree, ties by index), rows change places within a block only. Plain loops in a fixed order, so the bits are the same on every machine; blocks of three make that as
//! quick as a general library at these sizes.

/// Row-major entries of a block.
pub(crate) type Entries = [f64; 9];

/// Pivots below this share of the largest entry of their block are set to it: the step is then poor, which the search along it finds out [-].
const LEAST_PIVOT: f64 = 1e-15;

/// Factors and their pattern, by place in the order of elimination.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockLu {
    /// Contact at each place.
    order: Vec<usize>,
    place: Vec<usize>,
    /// Later places that the elimination of a place reaches: the column of L; by `below_starts`.
    below: Vec<usize>,
    below_starts: Vec<usize>,
    below_values: Vec<Entries>,
    /// Earlier places that reach a place: the column of U; by `above_starts`.
    above: Vec<usize>,
    above_starts: Vec<usize>,
    above_values: Vec<Entries>,
    inverses: Vec<Entries>,
    /// Whether the contact at a place takes part.
    takes_part: Vec<bool>,
    work: Vec<Entries>,
}

impl BlockLu {
    /// Orders `n` contacts, given the pairs of them that feel each other.
    pub(crate) fn new(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        let words = n.div_ceil(64);
        let mut feels = vec![0_u64; n * words];
        for (i, j) in pairs.filter(|(i, j)| i != j) {
            feels[i * words + j / 64] |= 1 << (j % 64);
            feels[j * words + i / 64] |= 1 << (i % 64);
        }
        let mut lu = Self { place: vec![usize::MAX; n], ..Self::default() };
        let mut degree: Vec<u32> =
            (0..n).map(|i| feels[i * words..(i + 1) * words].iter().map(|w| w.count_ones()).sum()).collect();
        let mut reached: Vec<Vec<usize>> = Vec::new();
        let mut own = vec![0_u64; words];
        for place in 0..n {
            let Some(next) = (0..n).filter(|i| lu.place[*i] == usize::MAX).min_by_key(|i| degree[*i]) else {
                break;
            };
            lu.place[next] = place;
            lu.order.push(next);
            own.copy_from_slice(&feels[next * words..(next + 1) * words]);
            let mut neighbours = Vec::new();
            for (w, bits) in own.iter().enumerate() {
                let mut bits = *bits;
                while bits != 0 {
                    neighbours.push(64 * w + bits.trailing_zeros() as usize);
                    bits &= bits - 1;
                }
            }
            // What one contact joined feels each other from now on.
            for i in &neighbours {
                let row = &mut feels[i * words..(i + 1) * words];
                for (row, own) in row.iter_mut().zip(&own) {
                    *row |= own;
                }
                row[i / 64] &= !(1 << (i % 64));
                row[next / 64] &= !(1 << (next % 64));
                degree[*i] = row.iter().map(|w| w.count_ones()).sum();
            }
            reached.push(neighbours);
        }
        lu.set_pattern(&reached);
        lu
    }

    /// Columns of L and of U from the contacts that each elimination reaches.
    fn set_pattern(&mut self, reached: &[Vec<usize>]) {
        let n = reached.len();
        let mut above = vec![Vec::new(); n];
        self.below_starts.push(0);
        for (k, contacts) in reached.iter().enumerate() {
            let mut places: Vec<usize> = contacts.iter().map(|i| self.place[*i]).collect();
            places.sort_unstable();
            for j in &places {
                above[*j].push(k);
            }
            self.below.extend(places);
            self.below_starts.push(self.below.len());
        }
        self.above_starts.push(0);
        for places in above {
            self.above.extend(places);
            self.above_starts.push(self.above.len());
        }
        self.below_values = vec![[0.0; 9]; self.below.len()];
        self.above_values = vec![[0.0; 9]; self.above.len()];
        self.inverses = vec![[0.0; 9]; n];
        self.takes_part = vec![false; n];
        self.work = vec![[0.0; 9]; n];
    }

    /// Factors the matrix over the contacts that take part; `column` calls back with each row and block of the column of a contact, of which those that do not take part are left out.
    pub(crate) fn factor(
        &mut self,
        takes_part: &[bool],
        mut column: impl FnMut(usize, &mut dyn FnMut(usize, &Entries)),
    ) {
        let n = self.order.len();
        for (place, contact) in self.order.iter().enumerate() {
            self.takes_part[place] = takes_part[*contact];
        }
        for j in (0..n).filter(|j| takes_part[self.order[*j]]) {
            let (places, work) = (&self.place, &mut self.work);
            let above = self.above_starts[j]..self.above_starts[j + 1];
            let below = self.below_starts[j]..self.below_starts[j + 1];
            for i in self.above[above.clone()].iter().chain(&self.below[below.clone()]) {
                work[*i] = [0.0; 9];
            }
            work[j] = [0.0; 9];
            column(self.order[j], &mut |row, block| {
                if takes_part[row] {
                    let sum = &mut work[places[row]];
                    for (sum, b) in sum.iter_mut().zip(block) {
                        *sum += b;
                    }
                }
            });
            // Earlier eliminations, in their order.
            for at in above {
                let k = self.above[at];
                if !self.takes_part[k] {
                    continue;
                }
                let u = work[k];
                self.above_values[at] = u;
                for at in self.below_starts[k]..self.below_starts[k + 1] {
                    subtract_product(&mut work[self.below[at]], &self.below_values[at], &u);
                }
            }
            self.inverses[j] = inverse(&work[j]);
            for at in below {
                let i = self.below[at];
                self.below_values[at] =
                    if self.takes_part[i] { product(&work[i], &self.inverses[j]) } else { [0.0; 9] };
            }
        }
    }

    /// Solves in place; entries of contacts that do not take part stay.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        for k in (0..self.order.len()).filter(|k| self.takes_part[*k]) {
            let own = three(x, self.order[k]);
            for at in self.below_starts[k]..self.below_starts[k + 1] {
                if self.takes_part[self.below[at]] {
                    subtract(x, self.order[self.below[at]], &self.below_values[at], own);
                }
            }
        }
        for j in (0..self.order.len()).rev().filter(|j| self.takes_part[*j]) {
            let contact = self.order[j];
            let own = times(&self.inverses[j], three(x, contact));
            x[3 * contact..3 * contact + 3].copy_from_slice(&own);
            for at in self.above_starts[j]..self.above_starts[j + 1] {
                if self.takes_part[self.above[at]] {
                    subtract(x, self.order[self.above[at]], &self.above_values[at], own);
                }
            }
        }
    }
}

fn three(x: &[f64], contact: usize) -> [f64; 3] {
    [x[3 * contact], x[3 * contact + 1], x[3 * contact + 2]]
}

/// Block times vector.
pub(crate) fn times(m: &Entries, x: [f64; 3]) -> [f64; 3] {
    [
        m[0] * x[0] + m[1] * x[1] + m[2] * x[2],
        m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
        m[6] * x[0] + m[7] * x[1] + m[8] * x[2],
    ]
}

fn subtract(x: &mut [f64], contact: usize, m: &Entries, by: [f64; 3]) {
    let take = times(m, by);
    for (x, t) in x[3 * contact..3 * contact + 3].iter_mut().zip(take) {
        *x -= t;
    }
}

/// Block times block.
pub(crate) fn product(a: &Entries, b: &Entries) -> Entries {
    let mut c = [0.0; 9];
    for i in 0..3 {
        for j in 0..3 {
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
    c
}

fn subtract_product(c: &mut Entries, a: &Entries, b: &Entries) {
    for (c, p) in c.iter_mut().zip(product(a, b)) {
        *c -= p;
    }
}

/// Inverse by Gauss and Jordan with row exchanges; pivots that vanish are held away from zero.
fn inverse(m: &Entries) -> Entries {
    let size = m.iter().fold(0.0_f64, |s, v| s.max(v.abs())).max(f64::MIN_POSITIVE);
    let mut a = [[m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]];
    let mut b = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for k in 0..3 {
        let mut best = k;
        for i in k + 1..3 {
            if a[i][k].abs() > a[best][k].abs() {
                best = i;
            }
        }
        a.swap(k, best);
        b.swap(k, best);
        let least = LEAST_PIVOT * size;
        let pivot = if a[k][k].abs() < least { least } else { a[k][k] };
        for v in a[k].iter_mut().chain(&mut b[k]) {
            *v /= pivot;
        }
        for i in (0..3).filter(|i| *i != k) {
            let factor = a[i][k];
            for j in 0..3 {
                a[i][j] -= factor * a[k][j];
                b[i][j] -= factor * b[k][j];
            }
        }
    }
    [b[0][0], b[0][1], b[0][2], b[1][0], b[1][1], b[1][2], b[2][0], b[2][1], b[2][2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use zerogap_core::random::Random;

    #[test]
    fn solutions_are_those_of_dense_elimination_with_any_contacts_left_out() {
        let mut random = Random::new(3);
        for case in 0..200 {
            let n = 1 + case % 23;
            let mut dense = DMatrix::<f64>::zeros(3 * n, 3 * n);
            let mut pairs = Vec::new();
            for i in 0..n {
                for j in 0..n {
                    if i == j || random.range(0.0, 1.0) < 2.0 / n as f64 {
                        pairs.push((i, j));
                        for k in 0..9 {
                            dense[(3 * i + k / 3, 3 * j + k % 3)] = random.range(-1.0, 1.0);
                        }
                    }
                }
                // Heavy diagonal: elimination without exchanges between blocks is then stable.
                for k in 0..3 {
                    dense[(3 * i + k, 3 * i + k)] += 6.0;
                }
            }
            let takes_part: Vec<bool> = (0..n).map(|_| random.range(0.0, 1.0) < 0.8).collect();
            let rhs: Vec<f64> = (0..3 * n).map(|_| random.range(-1.0, 1.0)).collect();
            let mut lu = BlockLu::new(n, pairs.iter().copied());
            // Twice: nothing of the first may stay.
            for part in [vec![true; n], takes_part] {
                lu.factor(&part, |column, take| {
                    for (row, _) in pairs.iter().filter(|(_, j)| *j == column) {
                        let block = std::array::from_fn(|k| dense[(3 * row + k / 3, 3 * column + k % 3)]);
                        take(*row, &block);
                    }
                });
                let mut x = rhs.clone();
                lu.solve(&mut x);
                let rows: Vec<usize> = (0..3 * n).filter(|i| part[i / 3]).collect();
                let small = DMatrix::from_fn(rows.len(), rows.len(), |i, j| dense[(rows[i], rows[j])]);
                let right = DVector::from_fn(rows.len(), |i, _| rhs[rows[i]]);
                let exact = if rows.is_empty() { right } else { small.lu().solve(&right).unwrap() };
                for (value, row) in exact.iter().zip(&rows) {
                    assert!((x[*row] - value).abs() < 1e-11, "case {case}: row {row}, {} {value}", x[*row]);
                }
                assert!((0..3 * n).all(|i| part[i / 3] || x[i].to_bits() == rhs[i].to_bits()));
            }
        }
    }

    #[test]
    fn chains_keep_their_factors_sparse() {
        let lu = BlockLu::new(100, (0..99).map(|i| (i, i + 1)));
        assert_eq!(lu.below.len(), 99);
    }
}
