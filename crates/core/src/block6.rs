//! Kernels on dense 6 x 6 blocks, row-major: what a sparse factorisation over free bodies spends its time on.
//!
//! In: blocks in slices of 36 entries, and where they begin. Out: products subtracted, triangular systems solved. The widest instruction set that the machine has is chosen at run time; products
//! and sums are rounded one by one in an order that does not depend on it, and never fused, so the bits are the same on every machine.

/// Rows and columns of a block.
pub const SIZE: usize = 6;

/// Entries of a block.
pub const ENTRIES: usize = SIZE * SIZE;

/// A block, row-major.
pub type Block = [f64; ENTRIES];

/// Factors of a batch of products: row `r` of the batch takes for each `j` the block that begins at `first[j] + r * stride`.
#[derive(Debug, Clone, Copy)]
pub struct Factors<'a> {
    /// Where blocks lie.
    pub entries: &'a [f64],
    /// First entry of each block for the first row of the batch.
    pub first: &'a [usize],
    /// Entries from row to row: 36, or 0 where all rows take the same blocks.
    pub stride: usize,
}

impl Factors<'_> {
    #[inline]
    fn block(&self, row: usize, j: usize) -> &Block {
        block(self.entries, self.first[j] + row * self.stride)
    }
}

/// Where the results of a batch lie: one block for each row of the batch.
#[derive(Debug, Clone, Copy)]
pub enum Targets<'a> {
    /// One after another, from an entry on.
    Run {
        /// First entry.
        first: usize,
        /// Number of blocks.
        count: usize,
    },
    /// Anywhere.
    List {
        /// First entry of each, counted from `origin` before the slice.
        first: &'a [u32],
        /// What is taken from each.
        origin: usize,
    },
}

impl Targets<'_> {
    #[inline]
    fn count(&self) -> usize {
        match self {
            Self::Run { count, .. } => *count,
            Self::List { first, .. } => first.len(),
        }
    }

    #[inline]
    fn at(&self, row: usize) -> usize {
        match self {
            Self::Run { first, .. } => first + row * ENTRIES,
            Self::List { first, origin } => first[row] as usize - origin,
        }
    }
}

#[inline]
fn block(entries: &[f64], at: usize) -> &Block {
    entries[at..].first_chunk().expect("a block has 36 entries")
}

#[inline]
fn block_mut(entries: &mut [f64], at: usize) -> &mut Block {
    entries[at..].first_chunk_mut().expect("a block has 36 entries")
}

#[inline]
fn six(x: &[f64], at: usize) -> &[f64; SIZE] {
    x[at..].first_chunk().expect("six velocities")
}

#[inline]
fn six_mut(x: &mut [f64], at: usize) -> &mut [f64; SIZE] {
    x[at..].first_chunk_mut().expect("six velocities")
}

/// Calls the version of a kernel for the instruction set of the machine.
macro_rules! dispatch {
    ($kernel:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "a wider instruction set than the build assumes")]
            // SAFETY: the machine has it, as has just been asked.
            return unsafe { avx2::$kernel($($argument),*) };
        }
        portable::$kernel($($argument),*)
    }};
}

/// Subtracts `a_0^T b_0 + a_1^T b_1 + ...` from each target, one product after another.
///
/// Cost: 432 operations a product.
///
/// # Panics
/// Where a block lies outside its slice.
#[inline]
pub fn subtract_products(entries: &mut [f64], targets: Targets<'_>, a: Factors<'_>, b: Factors<'_>) {
    debug_assert_eq!(a.first.len(), b.first.len(), "factors come in pairs");
    dispatch!(subtract_products(entries, targets, a, b));
}

/// Replaces each block `x` of a slice by `l^-1 x^T`; `l` is lower triangular, with one over each diagonal entry in its place.
///
/// What stands above the diagonal of `l` is not read.
#[inline]
pub fn divide_transposed(l: &Block, blocks: &mut [f64]) {
    dispatch!(divide_transposed(l, blocks));
}

/// Replaces each block `x` of a slice by `l^-1 p x`; `l` is lower triangular with ones on the diagonal that are not read, and row `i` of `p x` is row `rows[i]` of `x`.
///
/// # Panics
/// Where `rows` names a row that there is not.
#[inline]
pub fn divide_permuted(l: &Block, rows: [u8; SIZE], blocks: &mut [f64]) {
    dispatch!(divide_permuted(l, rows, blocks));
}

/// Subtracts `w^T x` from six velocities of each of some rows, for the blocks `w` of a column and `N` vectors `x` one after another; vectors of row `r` begin at `N * starts[r]`.
#[inline]
pub fn subtract_transposed_times<const N: usize>(
    blocks: &[f64],
    x: &[[f64; SIZE]; N],
    rows: &[u32],
    starts: &[usize],
    out: &mut [f64],
) {
    dispatch!(subtract_transposed_times(blocks, x, rows, starts, out));
}

/// Returns the sum of `w x` over the blocks `w` of a column, for `N` vectors; `x` of row `r` begins at `N * starts[r]`.
#[inline]
pub fn sum_of_products<const N: usize>(
    blocks: &[f64],
    rows: &[u32],
    starts: &[usize],
    x: &[f64],
) -> [[f64; SIZE]; N] {
    dispatch!(sum_of_products(blocks, rows, starts, x))
}

/// Sums of the rows of a block, in pairs.
#[inline]
fn sum_rows(entries: &Block) -> [f64; SIZE] {
    std::array::from_fn(|i| {
        let e = six(entries, SIZE * i);
        ((e[0] + e[1]) + (e[2] + e[3])) + (e[4] + e[5])
    })
}

/// The kernels in plain arithmetic: what the others must equal bit by bit.
mod portable {
    use super::{Block, ENTRIES, Factors, SIZE, Targets, block_mut, six, six_mut, sum_rows};

    pub(super) fn subtract_products(
        entries: &mut [f64],
        targets: Targets<'_>,
        a: Factors<'_>,
        b: Factors<'_>,
    ) {
        for row in 0..targets.count() {
            let c = block_mut(entries, targets.at(row));
            for j in 0..a.first.len() {
                let (a, b) = (a.block(row, j), b.block(row, j));
                for i in 0..SIZE {
                    let mut own = *six(c, SIZE * i);
                    for k in 0..SIZE {
                        let factor = a[SIZE * k + i];
                        for (own, b) in own.iter_mut().zip(six(b, SIZE * k)) {
                            *own -= factor * b;
                        }
                    }
                    *six_mut(c, SIZE * i) = own;
                }
            }
        }
    }

    pub(super) fn divide_transposed(l: &Block, blocks: &mut [f64]) {
        for x in blocks.as_chunks_mut::<ENTRIES>().0 {
            let mut w: [[f64; SIZE]; SIZE] =
                std::array::from_fn(|i| std::array::from_fn(|j| x[SIZE * j + i]));
            for i in 0..SIZE {
                let mut own = w[i];
                for k in 0..i {
                    let factor = l[SIZE * i + k];
                    for (own, w) in own.iter_mut().zip(&w[k]) {
                        *own -= factor * w;
                    }
                }
                w[i] = own.map(|x| x * l[SIZE * i + i]);
            }
            *x = *w.as_flattened().first_chunk().expect("36 entries");
        }
    }

    pub(super) fn divide_permuted(l: &Block, rows: [u8; SIZE], blocks: &mut [f64]) {
        for x in blocks.as_chunks_mut::<ENTRIES>().0 {
            let mut w: [[f64; SIZE]; SIZE] = rows.map(|row| *six(x, SIZE * row as usize));
            for i in 1..SIZE {
                let mut own = w[i];
                for k in 0..i {
                    let factor = l[SIZE * i + k];
                    for (own, w) in own.iter_mut().zip(&w[k]) {
                        *own -= factor * w;
                    }
                }
                w[i] = own;
            }
            *x = *w.as_flattened().first_chunk().expect("36 entries");
        }
    }

    pub(super) fn subtract_transposed_times<const N: usize>(
        blocks: &[f64],
        x: &[[f64; SIZE]; N],
        rows: &[u32],
        starts: &[usize],
        out: &mut [f64],
    ) {
        for (w, row) in blocks.as_chunks::<ENTRIES>().0.iter().zip(rows) {
            for (n, x) in x.iter().enumerate() {
                let out = six_mut(out, N * starts[*row as usize] + SIZE * n);
                for (j, out) in out.iter_mut().enumerate() {
                    let even = (w[j] * x[0] + w[12 + j] * x[2]) + w[24 + j] * x[4];
                    let odd = (w[6 + j] * x[1] + w[18 + j] * x[3]) + w[30 + j] * x[5];
                    *out -= even + odd;
                }
            }
        }
    }

    pub(super) fn sum_of_products<const N: usize>(
        blocks: &[f64],
        rows: &[u32],
        starts: &[usize],
        x: &[f64],
    ) -> [[f64; SIZE]; N] {
        std::array::from_fn(|n| {
            let mut sum = [0.0; ENTRIES];
            for (w, row) in blocks.as_chunks::<ENTRIES>().0.iter().zip(rows) {
                let x = six(x, N * starts[*row as usize] + SIZE * n);
                for i in 0..SIZE {
                    for j in 0..SIZE {
                        sum[SIZE * i + j] += w[SIZE * i + j] * x[j];
                    }
                }
            }
            sum_rows(&sum)
        })
    }
}

/// The kernels four entries at a time: two rows of a block are three vectors.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    #![expect(unsafe_code, reason = "loads into registers that only some machines have")]

    use super::{Block, ENTRIES, Factors, SIZE, Targets, block_mut, six, six_mut, sum_rows};
    use std::arch::x86_64::{
        __m128d, __m256d, _mm_add_pd, _mm_loadu_pd, _mm_mul_pd, _mm_set1_pd, _mm_storeu_pd, _mm_sub_pd,
        _mm_unpackhi_pd, _mm_unpacklo_pd, _mm256_add_pd, _mm256_blend_pd, _mm256_castpd128_pd256,
        _mm256_castpd256_pd128, _mm256_extractf128_pd, _mm256_insertf128_pd, _mm256_loadu_pd, _mm256_mul_pd,
        _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_setzero_pd, _mm256_storeu_pd, _mm256_sub_pd,
        _mm256_unpackhi_pd, _mm256_unpacklo_pd,
    };

    /// Vectors of a block.
    const VECTORS: usize = ENTRIES / 4;

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(x: &[f64; 4]) -> __m256d {
        // SAFETY: four numbers lie behind the reference.
        unsafe { _mm256_loadu_pd(x.as_ptr()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load_two(x: &[f64; 2]) -> __m128d {
        // SAFETY: two numbers lie behind the reference.
        unsafe { _mm_loadu_pd(x.as_ptr()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store(x: &mut [f64; 4], value: __m256d) {
        // SAFETY: four numbers lie behind the reference.
        unsafe { _mm256_storeu_pd(x.as_mut_ptr(), value) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store_two(x: &mut [f64; 2], value: __m128d) {
        // SAFETY: two numbers lie behind the reference.
        unsafe { _mm_storeu_pd(x.as_mut_ptr(), value) }
    }

    #[inline]
    fn four(x: &Block, at: usize) -> &[f64; 4] {
        x[at..].first_chunk().expect("four entries")
    }

    /// Six numbers as three vectors: (0 1 2 3), (4 5 0 1), (2 3 4 5), which is how two rows lie.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn patterns(x: &[f64; SIZE]) -> [__m256d; 3] {
        let first = load(x.first_chunk().expect("four entries"));
        let last = load(x.last_chunk().expect("four entries"));
        [first, _mm256_permute2f128_pd::<0x03>(first, last), last]
    }

    /// Two numbers as factors of two rows: (0 0 0 0), (0 0 1 1), (1 1 1 1).
    #[target_feature(enable = "avx2")]
    #[inline]
    fn factors(zero: f64, one: f64) -> [__m256d; 3] {
        let (zero, one) = (_mm256_set1_pd(zero), _mm256_set1_pd(one));
        [zero, _mm256_blend_pd::<0b1100>(zero, one), one]
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn subtract_product(c: &mut [__m256d; VECTORS], a: &Block, b: &Block) {
        for k in 0..SIZE {
            let b = patterns(six(b, SIZE * k));
            for p in 0..3 {
                let a = factors(a[SIZE * k + 2 * p], a[SIZE * k + 2 * p + 1]);
                for v in 0..3 {
                    c[3 * p + v] = _mm256_sub_pd(c[3 * p + v], _mm256_mul_pd(a[v], b[v]));
                }
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn subtract_products(
        entries: &mut [f64],
        targets: Targets<'_>,
        a: Factors<'_>,
        b: Factors<'_>,
    ) {
        for row in 0..targets.count() {
            let target = block_mut(entries, targets.at(row));
            let mut c = [_mm256_setzero_pd(); VECTORS];
            for (c, target) in c.iter_mut().zip(target.as_chunks().0) {
                *c = load(target);
            }
            for j in 0..a.first.len() {
                subtract_product(&mut c, a.block(row, j), b.block(row, j));
            }
            for (target, c) in target.as_chunks_mut().0.iter_mut().zip(c) {
                store(target, c);
            }
        }
    }

    /// Six numbers.
    #[derive(Clone, Copy)]
    struct Row(__m256d, __m128d);

    impl Row {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn load(x: &[f64; SIZE]) -> Self {
            Self(load(x.first_chunk().expect("four")), load_two(x.last_chunk().expect("two")))
        }

        #[target_feature(enable = "avx2")]
        #[inline]
        fn store(self, x: &mut [f64; SIZE]) {
            store(x.first_chunk_mut().expect("four"), self.0);
            store_two(x.last_chunk_mut().expect("two"), self.1);
        }

        /// `self - factor x`.
        #[target_feature(enable = "avx2")]
        #[inline]
        fn minus(self, factor: f64, x: Self) -> Self {
            Self(
                _mm256_sub_pd(self.0, _mm256_mul_pd(_mm256_set1_pd(factor), x.0)),
                _mm_sub_pd(self.1, _mm_mul_pd(_mm_set1_pd(factor), x.1)),
            )
        }

        #[target_feature(enable = "avx2")]
        #[inline]
        fn times(self, factor: f64) -> Self {
            Self(_mm256_mul_pd(self.0, _mm256_set1_pd(factor)), _mm_mul_pd(self.1, _mm_set1_pd(factor)))
        }
    }

    /// The columns of a block.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn columns(x: &Block) -> [Row; SIZE] {
        let pair = |row: usize| -> &[f64; 2] { x[SIZE * row + 4..].first_chunk().expect("two entries") };
        let join = |low: __m128d, high: __m128d| -> __m256d {
            _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(low), high)
        };
        let [r0, r1, r2, r3, r4, r5] = [0, 1, 2, 3, 4, 5].map(|row| load(four(x, SIZE * row)));
        let [q0, q1, q2, q3, q4, q5] = [0, 1, 2, 3, 4, 5].map(|row| load_two(pair(row)));
        // (00 10 02 12), (01 11 03 13) and so on.
        let (e01, o01) = (_mm256_unpacklo_pd(r0, r1), _mm256_unpackhi_pd(r0, r1));
        let (e23, o23) = (_mm256_unpacklo_pd(r2, r3), _mm256_unpackhi_pd(r2, r3));
        let (e45, o45) = (_mm256_unpacklo_pd(r4, r5), _mm256_unpackhi_pd(r4, r5));
        [
            Row(_mm256_permute2f128_pd::<0x20>(e01, e23), _mm256_castpd256_pd128(e45)),
            Row(_mm256_permute2f128_pd::<0x20>(o01, o23), _mm256_castpd256_pd128(o45)),
            Row(_mm256_permute2f128_pd::<0x31>(e01, e23), _mm256_extractf128_pd::<1>(e45)),
            Row(_mm256_permute2f128_pd::<0x31>(o01, o23), _mm256_extractf128_pd::<1>(o45)),
            Row(join(_mm_unpacklo_pd(q0, q1), _mm_unpacklo_pd(q2, q3)), _mm_unpacklo_pd(q4, q5)),
            Row(join(_mm_unpackhi_pd(q0, q1), _mm_unpackhi_pd(q2, q3)), _mm_unpackhi_pd(q4, q5)),
        ]
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn divide_transposed(l: &Block, blocks: &mut [f64]) {
        for x in blocks.as_chunks_mut::<ENTRIES>().0 {
            let mut w = columns(x);
            for i in 0..SIZE {
                let mut own = w[i];
                for k in 0..i {
                    own = own.minus(l[SIZE * i + k], w[k]);
                }
                w[i] = own.times(l[SIZE * i + i]);
                w[i].store(six_mut(x, SIZE * i));
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn divide_permuted(l: &Block, rows: [u8; SIZE], blocks: &mut [f64]) {
        for x in blocks.as_chunks_mut::<ENTRIES>().0 {
            let mut w = [Row::load(six(x, 0)); SIZE];
            for i in 0..SIZE {
                w[i] = Row::load(six(x, SIZE * rows[i] as usize));
            }
            for i in 0..SIZE {
                for k in 0..i {
                    w[i] = w[i].minus(l[SIZE * i + k], w[k]);
                }
                w[i].store(six_mut(x, SIZE * i));
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn subtract_transposed_times<const N: usize>(
        blocks: &[f64],
        x: &[[f64; SIZE]; N],
        rows: &[u32],
        starts: &[usize],
        out: &mut [f64],
    ) {
        for n in 0..N {
            // With more vectors the blocks are read again, out of the nearest cache.
            let x = &x[n];
            let f = [factors(x[0], x[1]), factors(x[2], x[3]), factors(x[4], x[5])];
            for (w, row) in blocks.as_chunks::<ENTRIES>().0.iter().zip(rows) {
                let mut sum = [_mm256_setzero_pd(); 3];
                for v in 0..3 {
                    let product = |p: usize| _mm256_mul_pd(load(four(w, 12 * p + 4 * v)), f[p][v]);
                    sum[v] = _mm256_add_pd(_mm256_add_pd(product(0), product(1)), product(2));
                }
                let out = six_mut(out, N * starts[*row as usize] + SIZE * n);
                let own = Row::load(out);
                // Even rows of the block end in the first half of the middle vector, odd ones begin in its second.
                let four = _mm256_add_pd(sum[0], _mm256_permute2f128_pd::<0x21>(sum[1], sum[2]));
                let two = _mm_add_pd(_mm256_castpd256_pd128(sum[1]), _mm256_extractf128_pd::<1>(sum[2]));
                Row(_mm256_sub_pd(own.0, four), _mm_sub_pd(own.1, two)).store(out);
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn sum_of_products<const N: usize>(
        blocks: &[f64],
        rows: &[u32],
        starts: &[usize],
        x: &[f64],
    ) -> [[f64; SIZE]; N] {
        let mut sums = [[0.0; SIZE]; N];
        for (n, out) in sums.iter_mut().enumerate() {
            let mut sum = [_mm256_setzero_pd(); VECTORS];
            for (w, row) in blocks.as_chunks::<ENTRIES>().0.iter().zip(rows) {
                let x = patterns(six(x, N * starts[*row as usize] + SIZE * n));
                for v in 0..VECTORS {
                    sum[v] = _mm256_add_pd(sum[v], _mm256_mul_pd(load(four(w, 4 * v)), x[v % 3]));
                }
            }
            let mut entries = [0.0; ENTRIES];
            for (entries, sum) in entries.as_chunks_mut().0.iter_mut().zip(sum) {
                store(entries, sum);
            }
            *out = sum_rows(&entries);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn numbers(random: &mut Random, count: usize) -> Vec<f64> {
        (0..count).map(|_| random.range(-1.0, 1.0)).collect()
    }

    fn bits(x: &[f64]) -> Vec<u64> {
        x.iter().map(|x| x.to_bits()).collect()
    }

    #[test]
    fn products_and_divisions_are_those_of_matrices() {
        use nalgebra::{SMatrix, SVector};
        type Matrix = SMatrix<f64, 6, 6>;
        let mut random = Random::new(1);
        let x = numbers(&mut random, 4 * ENTRIES);
        let m = |k: usize| Matrix::from_row_slice(&x[ENTRIES * k..ENTRIES * (k + 1)]);
        let near =
            |found: &[f64], exact: Matrix| assert!((Matrix::from_row_slice(found) - exact).norm() < 1e-13);
        let mut c = x[..ENTRIES].to_vec();
        let factors = |first: &'static [usize]| Factors { entries: &x, first, stride: 36 };
        subtract_products(
            &mut c,
            Targets::Run { first: 0, count: 1 },
            factors(&[36, 72]),
            factors(&[72, 108]),
        );
        near(&c, m(0) - m(1).transpose() * m(2) - m(2).transpose() * m(3));
        let lower = m(0).lower_triangle() + Matrix::identity() * 4.0;
        let mut l = lower;
        (0..6).for_each(|i| l[(i, i)] = 1.0 / l[(i, i)]);
        let mut w = x[36..72].to_vec();
        divide_transposed(block(l.transpose().as_slice(), 0), &mut w);
        near(&w, lower.try_inverse().unwrap() * m(1).transpose());
        let rows = [3, 0, 5, 1, 2, 4];
        let permuted = Matrix::from_fn(|i, j| m(1)[(rows[i] as usize, j)]);
        let mut unit = m(0).lower_triangle();
        unit.fill_diagonal(1.0);
        let mut v = x[36..72].to_vec();
        divide_permuted(block(&x, 0), rows, &mut v);
        assert!((unit * Matrix::from_row_slice(&v) - permuted).norm() < 1e-12);
        let (a, b) =
            (SVector::<f64, 6>::from_row_slice(&x[..6]), SVector::<f64, 6>::from_row_slice(&x[6..12]));
        let mut out = x[..12].to_vec();
        subtract_transposed_times(&x[36..72], &[*six(&x, 6)], &[1], &[9, 0], &mut out);
        assert!((SVector::<f64, 6>::from_row_slice(&out[..6]) - (a - m(1).transpose() * b)).norm() < 1e-14);
        let [sum] = sum_of_products(&x[36..108], &[0, 1], &[0, 6], &x);
        assert!((SVector::from(sum) - m(1) * a - m(2) * b).norm() < 1e-14);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    #[expect(unsafe_code, reason = "the machine is asked first")]
    fn every_width_gives_the_same_bits() {
        if !std::arch::is_x86_feature_detected!("avx2") {
            return;
        }
        let mut random = Random::new(2);
        for case in 0..100 {
            let x = numbers(&mut random, 40 * ENTRIES);
            let y = numbers(&mut random, 40 * ENTRIES);
            let l = block(&y, 0);
            let check = |portable: &mut dyn FnMut(&mut [f64]), wide: &mut dyn FnMut(&mut [f64])| {
                let (mut p, mut q) = (x.clone(), x.clone());
                portable(&mut p);
                wide(&mut q);
                assert_eq!(bits(&p), bits(&q), "case {case}");
                assert_ne!(bits(&p), bits(&x), "case {case}");
            };
            let list = [36, 360, 72];
            for targets in [Targets::Run { first: 36, count: 5 }, Targets::List { first: &list, origin: 36 }]
            {
                for (strides, first) in [([36, 0], &[0, 144, 720][..]), ([0, 36], &[36][..])] {
                    let [a, b] = strides.map(|stride| Factors { entries: &y, first, stride });
                    check(&mut |c| portable::subtract_products(c, targets, a, b), &mut |c| {
                        // SAFETY: the machine has the instructions.
                        unsafe { avx2::subtract_products(c, targets, a, b) }
                    });
                }
            }
            check(&mut |c| portable::divide_transposed(l, c), &mut |c| {
                // SAFETY: the machine has the instructions.
                unsafe { avx2::divide_transposed(l, c) }
            });
            let rows = [4, 0, 3, 1, 5, 2];
            check(&mut |c| portable::divide_permuted(l, rows, c), &mut |c| {
                // SAFETY: the machine has the instructions.
                unsafe { avx2::divide_permuted(l, rows, c) }
            });
            let (rows, starts) = ([2, 0, 3], [12, 0, 42, 30]);
            let two = [*six(&x, 0), *six(&x, 6)];
            check(
                &mut |c| portable::subtract_transposed_times(&y[..108], &two, &rows, &starts, c),
                &mut |c| {
                    // SAFETY: the machine has the instructions.
                    unsafe { avx2::subtract_transposed_times(&y[..108], &two, &rows, &starts, c) }
                },
            );
            let narrow: [[f64; 6]; 2] = portable::sum_of_products(&y[..108], &rows, &starts, &x);
            // SAFETY: the machine has the instructions.
            let wide: [[f64; 6]; 2] = unsafe { avx2::sum_of_products(&y[..108], &rows, &starts, &x) };
            assert_eq!(bits(narrow.as_flattened()), bits(wide.as_flattened()));
        }
    }
}
