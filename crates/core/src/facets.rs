//! Which of 64 points lie behind which planes, one bit each, with the widest arithmetic that the machine has; the same bits whichever it is.
//!
//! In: eight blocks of eight points, planes as a normal and a point. Out: one word for each plane, whose bit j is set where the plane does not separate point j.
//! Differences, products and sums are rounded one by one, never fused, in the order of [`Facet::separation`].

use crate::Vec3;
use crate::simd::{Block, LANES};

/// Points whose bits share a word [-].
pub const WORD: usize = 64;

/// The blocks of one word.
pub type Blocks = [Block; WORD / LANES];

/// A plane given by its outward normal and one of its points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// Outward unit normal [-].
    pub normal: Vec3,
    /// A point of the plane [m].
    pub anchor: Vec3,
}

impl Facet {
    /// Signed distance of a point from the plane [m], positive outside; keeps its digits far from the origin.
    #[inline]
    pub fn separation(&self, point: &Vec3) -> f64 {
        let Self { normal: n, anchor: v } = self;
        n.x * (point.x - v.x) + n.y * (point.y - v.y) + n.z * (point.z - v.z)
    }
}

/// A point of a block.
#[inline]
pub fn point_of(blocks: &Blocks, lane: usize) -> Vec3 {
    let Block([x, y, z]) = &blocks[lane / LANES];
    let k = lane % LANES;
    Vec3::new(x[k], y[k], z[k])
}

/// Writes for each plane which of the points it does not separate: bit j is set where the separation of point j is 0 or less.
///
/// Cost: O(planes), no branch that depends on the data, no allocation. Rates: see `bench/results/*/oriented.csv`.
#[inline]
pub fn behind(blocks: &Blocks, facets: &[Facet], words: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            #[expect(unsafe_code, reason = "a wider instruction set than the build assumes")]
            // SAFETY: the machine has it, as has just been asked.
            return unsafe { x86::behind_avx512(blocks, facets, words) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "a wider instruction set than the build assumes")]
            // SAFETY: the machine has it, as has just been asked.
            return unsafe { x86::behind_avx2(blocks, facets, words) };
        }
    }
    behind_portable(blocks, facets, words);
}

/// [`behind`] in plain arithmetic.
fn behind_portable(blocks: &Blocks, facets: &[Facet], words: &mut [u64]) {
    for (facet, word) in facets.iter().zip(words) {
        let Facet { normal: n, anchor: v } = facet;
        *word = 0;
        for (k, Block([x, y, z])) in blocks.iter().enumerate() {
            let separations: [f64; LANES] = std::array::from_fn(|lane| {
                n.x * (x[lane] - v.x) + n.y * (y[lane] - v.y) + n.z * (z[lane] - v.z)
            });
            let bits = separations
                .iter()
                .enumerate()
                .fold(0, |bits, (lane, separation)| bits | u64::from(*separation <= 0.0) << lane);
            *word |= bits << (LANES * k);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "loads into registers that only some machines have")]

    use std::arch::x86_64::{
        _CMP_LE_OQ, _mm256_add_pd, _mm256_cmp_pd, _mm256_load_pd, _mm256_movemask_pd, _mm256_mul_pd,
        _mm256_set1_pd, _mm256_setzero_pd, _mm256_sub_pd, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_load_pd,
        _mm512_mul_pd, _mm512_set1_pd, _mm512_setzero_pd, _mm512_sub_pd,
    };

    use super::{Blocks, Facet};
    use crate::simd::{Block, LANES};

    #[target_feature(enable = "avx512f")]
    pub(super) fn behind_avx512(blocks: &Blocks, facets: &[Facet], words: &mut [u64]) {
        let zero = _mm512_setzero_pd();
        for (facet, word) in facets.iter().zip(words) {
            let n = [facet.normal.x, facet.normal.y, facet.normal.z].map(|c| _mm512_set1_pd(c));
            let v = [facet.anchor.x, facet.anchor.y, facet.anchor.z].map(|c| _mm512_set1_pd(c));
            let mut bits = 0;
            for (k, Block(rows)) in blocks.iter().enumerate() {
                let product = |axis: usize| {
                    // SAFETY: eight numbers lie behind the pointer, and blocks and rows are aligned to 64 bytes.
                    let row = unsafe { _mm512_load_pd(rows[axis].as_ptr()) };
                    _mm512_mul_pd(n[axis], _mm512_sub_pd(row, v[axis]))
                };
                let separation = _mm512_add_pd(_mm512_add_pd(product(0), product(1)), product(2));
                bits |= u64::from(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(separation, zero)) << (LANES * k);
            }
            *word = bits;
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn behind_avx2(blocks: &Blocks, facets: &[Facet], words: &mut [u64]) {
        let zero = _mm256_setzero_pd();
        for (facet, word) in facets.iter().zip(words) {
            let n = [facet.normal.x, facet.normal.y, facet.normal.z].map(|c| _mm256_set1_pd(c));
            let v = [facet.anchor.x, facet.anchor.y, facet.anchor.z].map(|c| _mm256_set1_pd(c));
            let mut bits = 0;
            for (k, Block(rows)) in blocks.iter().enumerate() {
                for half in [0, 4] {
                    let product = |axis: usize| {
                        // SAFETY: four numbers lie behind the pointer, aligned to 32 bytes: rows are 64 bytes apart and halves 32.
                        let row = unsafe { _mm256_load_pd(rows[axis].as_ptr().add(half)) };
                        _mm256_mul_pd(n[axis], _mm256_sub_pd(row, v[axis]))
                    };
                    let separation = _mm256_add_pd(_mm256_add_pd(product(0), product(1)), product(2));
                    let four = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(separation, zero));
                    bits |= u64::from(four.cast_unsigned()) << (LANES * k + half);
                }
            }
            *word = bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn every_width_finds_the_bits_of_the_separations() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            // Few different coordinates, so that many separations are exactly zero.
            let mut small = || (random.range(-3.0, 3.0)).round() * 0.5;
            let blocks: Blocks =
                std::array::from_fn(|_| Block(std::array::from_fn(|_| std::array::from_fn(|_| small()))));
            let facets: Vec<Facet> = (0..7)
                .map(|_| Facet {
                    normal: Vec3::new(small(), small(), small()),
                    anchor: Vec3::new(small(), small(), small()),
                })
                .collect();
            let expected: Vec<u64> = facets
                .iter()
                .map(|facet| {
                    let bit = |j: usize| u64::from(facet.separation(&point_of(&blocks, j)) <= 0.0) << j;
                    (0..WORD).map(bit).sum()
                })
                .collect();
            let mut words = vec![0; facets.len()];
            behind(&blocks, &facets, &mut words);
            assert_eq!(words, expected);
            behind_portable(&blocks, &facets, &mut words);
            assert_eq!(words, expected);
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[expect(unsafe_code, reason = "the machine has just been asked")]
                // SAFETY: the machine has the instructions.
                unsafe {
                    x86::behind_avx2(&blocks, &facets, &mut words);
                }
                assert_eq!(words, expected);
            }
        }
    }
}
