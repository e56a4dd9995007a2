//! Cells: cubes of side 2^level [m], numbered along each axis; and blocks of 4 x 4 x 4 of them, whose cells are the bits of one word.
//!
//! In: coordinates and levels. Out: cell numbers, and for a range of cells the blocks with the wanted cells of each as a mask. Powers of two scale
//! without rounding, so that numbers never fall with growing coordinates: what lies between two coordinates lies between their cells.

use zerogap_core::Aabb;

/// The number of a cell along each axis.
pub(super) type Cell = [i64; 3];

/// Cells are numbered within +-2^`INDEX_BITS`; a box whose own level would number it beyond takes a coarser one.
const INDEX_BITS: i32 = 50;

/// The largest cell number in use [-].
const INDEX_LIMIT: f64 = (1_i64 << INDEX_BITS) as f64;

/// The lowest level there is: of a box of no size at the origin.
pub(super) const LOWEST: i32 = -1023;

/// The highest level there is: of a box whose side exceeds the largest number.
pub(super) const HIGHEST: i32 = 1024;

/// The exponent e of a number, with |x| < 2^(e+1); the lowest for zero and what is below the normal numbers.
#[inline]
pub(super) fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// The level of a box: the sides of cells are between half of its longest side and all of it, and their numbers hold its coordinates; and whether the box is as
/// good as a point: so small beside its coordinates that they alone decide.
///
/// The computed side is strictly below two cells, hence so is the true one: the next number up is the power of two itself.
#[inline]
pub(super) fn natural_level(aabb: &Aabb) -> (i32, bool) {
    let (low, high) = (&aabb.min, &aabb.max);
    let side = (high.x - low.x).max(high.y - low.y).max(high.z - low.z);
    let far = high.x.abs().max(high.y.abs()).max(high.z.abs());
    let far = far.max(low.x.abs().max(low.y.abs()).max(low.z.abs()));
    let by_side = exponent(side);
    let by_place = (exponent(far) + 2 - INDEX_BITS).max(LOWEST);
    (by_side.max(by_place), by_side <= by_place)
}

/// 2^-level.
#[inline]
pub(super) fn scale(level: i32) -> f64 {
    debug_assert!((LOWEST..=HIGHEST).contains(&level), "levels stay within the numbers");
    // Below the normal numbers the mantissa carries the power.
    f64::from_bits(if level <= 1022 { ((1023 - level) as u64) << 52 } else { 1 << (1074 - level) })
}

/// The number of the cell that holds a coordinate; never falls with growing coordinate, and exact within +-2^50.
#[inline]
pub(super) fn index(x: f64, scale: f64) -> i64 {
    let u = (x * scale).clamp(-INDEX_LIMIT, INDEX_LIMIT);
    let towards_zero = u as i64;
    towards_zero - i64::from(towards_zero as f64 > u)
}

/// The cells of the two corners of a box.
#[inline]
pub(super) fn corners(aabb: &Aabb, level: i32) -> (Cell, Cell) {
    let s = scale(level);
    let (low, high) = (&aabb.min, &aabb.max);
    (
        [index(low.x, s), index(low.y, s), index(low.z, s)],
        [index(high.x, s), index(high.y, s), index(high.z, s)],
    )
}

/// The cell of the lower corner of a box.
#[inline]
pub(super) fn lower_corner(aabb: &Aabb, level: i32) -> Cell {
    let s = scale(level);
    [index(aabb.min.x, s), index(aabb.min.y, s), index(aabb.min.z, s)]
}

/// The cell some levels up that holds a cell.
#[inline]
pub(super) fn ancestor(cell: Cell, levels: i32) -> Cell {
    // A shift by all bits leaves the sign, which is the cell next to the origin.
    cell.map(|i| i >> levels.min(63))
}

/// The cells that can hold the lower corner of a box of a level that overlaps a box with these corner cells: boxes are smaller than two cells, so two more below.
#[inline]
pub(super) fn reach(low: Cell, high: Cell) -> (Cell, Cell) {
    (low.map(|i| i - 2), high)
}

/// The hash of a block, spread over all 64 bits; the highest are the best.
#[inline]
pub(super) fn hash(level: i32, block: Cell) -> u64 {
    let h = (block[0] as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add((block[1] as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
        .wrapping_add((block[2] as u64).wrapping_mul(0x1656_67b1_9e37_79f9))
        .wrapping_add((level as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    (h ^ (h >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The block of a cell.
#[inline]
pub(super) fn block(cell: Cell) -> Cell {
    cell.map(|i| i >> 2)
}

/// The bit of a cell in the word of its block.
#[inline]
pub(super) fn bit(cell: Cell) -> u32 {
    ((cell[0] & 3) | (cell[1] & 3) << 2 | (cell[2] & 3) << 4) as u32
}

/// The cell of a bit in a block.
#[inline]
pub(super) fn cell_of(block: Cell, bit: u32) -> Cell {
    let b = i64::from(bit);
    [block[0] << 2 | b & 3, block[1] << 2 | b >> 2 & 3, block[2] << 2 | b >> 4]
}

/// For each set of four neighbours along an axis, the bits of a block that lie in it.
const fn layers(axis: u32) -> [u64; 16] {
    let mut layers = [0; 16];
    let mut bit = 0;
    while bit < 64 {
        let mut set = 0;
        while set < 16 {
            if set >> (bit >> (2 * axis) & 3) & 1 == 1 {
                layers[set] |= 1 << bit;
            }
            set += 1;
        }
        bit += 1;
    }
    layers
}

/// [`layers`] along x, y and z.
const LAYERS: [[u64; 16]; 3] = [layers(0), layers(1), layers(2)];

/// The blocks that a range of cells overlaps along one axis, each with the bits within the range. The range overlaps at most two.
#[inline]
fn split(axis: usize, low: i64, high: i64) -> ([(i64, u64); 2], usize) {
    let (first, last) = (low >> 2, high >> 2);
    debug_assert!(
        first <= last && last - first <= 1,
        "boxes are smaller than the cells they are searched in"
    );
    let from = (0xf << (low & 3)) & 0xf;
    let to = 0xf >> (3 - (high & 3));
    let layers = &LAYERS[axis];
    if first == last {
        ([(first, layers[from & to]), (0, 0)], 1)
    } else {
        ([(first, layers[from]), (last, layers[to])], 2)
    }
}

/// Visits the blocks that a range of cells overlaps: the block, and the cells of the range that are in it as a mask. At most five cells along each axis.
#[inline]
pub(super) fn for_each_block((low, high): (Cell, Cell), mut visit: impl FnMut(Cell, u64)) {
    let (xs, nx) = split(0, low[0], high[0]);
    let (ys, ny) = split(1, low[1], high[1]);
    let (zs, nz) = split(2, low[2], high[2]);
    for &(z, in_z) in &zs[..nz] {
        for &(y, in_y) in &ys[..ny] {
            for &(x, in_x) in &xs[..nx] {
                visit([x, y, z], in_x & in_y & in_z);
            }
        }
    }
}
