//! The widest arithmetic that the machine has, chosen at run time; the same bits whichever it is.
//!
//! In: points in blocks of eight. Out: which one lies farthest along a direction. Products and sums are rounded one by one, never fused,
//! and lanes do not mix before the final comparison, so every width gives the same answer.

use crate::Vec3;

/// Points treated together.
pub const LANES: usize = 8;

/// Coordinates of eight points, by axis [m].
#[repr(align(64))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block(pub [[f64; LANES]; 3]);

/// The smallest index at which the rounded dot product with a direction is largest; 0 for no points.
///
/// Cost: O(points), no branch that depends on the data before the index is known. Nanoseconds for 8 / 64 / 200 points: see
///   `bench/results/*/support.csv`.
#[inline]
pub fn farthest(blocks: &[Block], direction: &Vec3) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            #[expect(unsafe_code, reason = "a wider instruction set than the build assumes")]
            // SAFETY: the machine has it, as has just been asked.
            return unsafe { x86::farthest_avx512(blocks, direction) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "a wider instruction set than the build assumes")]
            // SAFETY: the machine has it, as has just been asked.
            return unsafe { x86::farthest_avx2(blocks, direction) };
        }
    }
    farthest_portable(blocks, direction)
}

/// [`farthest`] in plain arithmetic.
fn farthest_portable(blocks: &[Block], direction: &Vec3) -> u32 {
    let products = |Block([x, y, z]): &Block| -> [f64; LANES] {
        std::array::from_fn(|lane| x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z)
    };
    let mut lanes = [f64::NEG_INFINITY; LANES];
    for block in blocks {
        let products = products(block);
        for lane in 0..LANES {
            lanes[lane] = if products[lane] > lanes[lane] { products[lane] } else { lanes[lane] };
        }
    }
    let largest = lanes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for (index, block) in blocks.iter().enumerate() {
        if let Some(lane) = products(block).iter().position(|product| *product >= largest) {
            return (index * LANES + lane) as u32;
        }
    }
    0
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "loads into registers that only some machines have")]

    use std::arch::x86_64::{
        __m256d, __m512d, _CMP_GE_OQ, _mm256_add_pd, _mm256_cmp_pd, _mm256_load_pd, _mm256_max_pd,
        _mm256_movemask_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_storeu_pd, _mm512_add_pd,
        _mm512_cmp_pd_mask, _mm512_load_pd, _mm512_max_pd, _mm512_mul_pd, _mm512_reduce_max_pd,
        _mm512_set1_pd,
    };

    use super::{Block, LANES};
    use crate::Vec3;

    #[target_feature(enable = "avx512f")]
    pub(super) fn farthest_avx512(blocks: &[Block], direction: &Vec3) -> u32 {
        let [dx, dy, dz] = [direction.x, direction.y, direction.z].map(|d| _mm512_set1_pd(d));
        let products = |Block([x, y, z]): &Block| -> __m512d {
            // SAFETY: eight numbers lie behind each pointer, and blocks and rows are aligned to 64 bytes.
            let (x, y, z) = unsafe {
                (_mm512_load_pd(x.as_ptr()), _mm512_load_pd(y.as_ptr()), _mm512_load_pd(z.as_ptr()))
            };
            _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(x, dx), _mm512_mul_pd(y, dy)), _mm512_mul_pd(z, dz))
        };
        let Some((first, others)) = blocks.split_first() else { return 0 };
        let mut lanes = products(first);
        if others.is_empty() {
            let largest = _mm512_set1_pd(_mm512_reduce_max_pd(lanes));
            let reached = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(lanes, largest);
            // No number at all reaches nothing.
            return if reached == 0 { 0 } else { reached.trailing_zeros() };
        }
        // Two maxima side by side, because each waits for the one before it.
        let mut others_lanes = lanes;
        for pair in others.chunks(2) {
            lanes = _mm512_max_pd(lanes, products(&pair[0]));
            if let Some(second) = pair.get(1) {
                others_lanes = _mm512_max_pd(others_lanes, products(second));
            }
        }
        let largest = _mm512_set1_pd(_mm512_reduce_max_pd(_mm512_max_pd(lanes, others_lanes)));
        for (index, block) in blocks.iter().enumerate() {
            let reached = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(products(block), largest);
            if reached != 0 {
                return (index * LANES) as u32 + reached.trailing_zeros();
            }
        }
        0
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn farthest_avx2(blocks: &[Block], direction: &Vec3) -> u32 {
        let [dx, dy, dz] = [direction.x, direction.y, direction.z].map(|d| _mm256_set1_pd(d));
        let products = |Block([x, y, z]): &Block| -> [__m256d; 2] {
            [0, 4].map(|start| {
                // SAFETY: four numbers lie behind each pointer, aligned to 32 bytes: rows are 64 bytes apart and halves 32.
                let (x, y, z) = unsafe {
                    (
                        _mm256_load_pd(x.as_ptr().add(start)),
                        _mm256_load_pd(y.as_ptr().add(start)),
                        _mm256_load_pd(z.as_ptr().add(start)),
                    )
                };
                _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, dx), _mm256_mul_pd(y, dy)), _mm256_mul_pd(z, dz))
            })
        };
        let Some((first, others)) = blocks.split_first() else { return 0 };
        let [mut low, mut high] = products(first);
        for block in others {
            let [p, q] = products(block);
            low = _mm256_max_pd(low, p);
            high = _mm256_max_pd(high, q);
        }
        let mut four = [0.0; 4];
        // SAFETY: there is room for four numbers.
        unsafe { _mm256_storeu_pd(four.as_mut_ptr(), _mm256_max_pd(low, high)) };
        let largest = _mm256_set1_pd(four[0].max(four[1]).max(four[2].max(four[3])));
        for (index, block) in blocks.iter().enumerate() {
            let [p, q] = products(block);
            let low = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GE_OQ>(p, largest)).cast_unsigned();
            let high = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GE_OQ>(q, largest)).cast_unsigned();
            let reached = low | high << 4;
            if reached != 0 {
                return (index * LANES) as u32 + reached.trailing_zeros();
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers.
    fn blocks(count: usize) -> Vec<Block> {
        let number = |k: usize| ((k * 7919 + 13) % 1009) as f64 / 504.5 - 1.0;
        let row = |start: usize| std::array::from_fn(|lane| number(start + 3 * lane));
        (0..count).map(|block| Block(std::array::from_fn(|axis| row(24 * block + axis)))).collect()
    }

    #[test]
    fn every_width_finds_the_same_point() {
        for count in [0, 1, 2, 3, 7, 25] {
            let mut blocks = blocks(count);
            // Ties: the first block again at the end.
            if let Some(first) = blocks.first().copied() {
                blocks.push(first);
            }
            let nan = Vec3::new(f64::NAN, 0.0, 1.0);
            assert_eq!(farthest(&blocks, &nan), 0);
            for k in 0..500 {
                let direction = Vec3::new(f64::from(k % 13 - 6), f64::from(k % 7 - 3), f64::from(k % 5 - 2));
                let expected = farthest_portable(&blocks, &direction);
                assert_eq!(farthest(&blocks, &direction), expected);
                #[cfg(target_arch = "x86_64")]
                if std::arch::is_x86_feature_detected!("avx2") {
                    #[expect(unsafe_code, reason = "the machine has just been asked")]
                    // SAFETY: the machine has the instructions.
                    let found = unsafe { x86::farthest_avx2(&blocks, &direction) };
                    assert_eq!(found, expected);
                }
            }
        }
    }
}
