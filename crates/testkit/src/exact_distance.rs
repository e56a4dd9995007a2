//! The signed distance of two convex polytopes without rounding, up to one last square root.
//!
//! In: the corners of both (points inside their hull, duplicates and flat sets do no harm) and two poses, whose matrix entries and
//! translations are taken as the rational numbers that they are. Out: an interval of two neighbouring f64 that holds the signed distance.
//!
//! With m = b - a running over the Minkowski set M of the pair, the gap is the distance of the origin from M, or, inside, the negative
//! distance to the boundary of M. Both are found by exact support points of M: apart, a simplex walks to the point of M nearest to
//! the origin; inside, a polytope grows in M (`exact_depth`). Each answer is proved before it is returned: a supporting plane of
//! M bounds it from one side, points of M from the other, and the two are the same number. Rounded arithmetic only rules out what its
//! error bound allows it to.

use dashu_int::ops::{BitTest, DivRem, SquareRootRem, UnsignedAbs};
use dashu_int::{IBig, UBig};
use zerogap_core::{Pose, Vec3};

use crate::exact::{WholePoint, cross, dot, scale, subtract, whole};
use crate::exact_depth::depth;
use crate::simplex::nearest;

/// Bits of the quotient under the square root [-]: more than twice the 53 of the result.
const QUOTIENT_BITS: usize = 130;

/// A signed distance, up to its last rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactGap {
    /// Lower bound of the signed distance [m].
    pub lo: f64,
    /// Upper bound of the signed distance [m]: the next f64, or the same where it is one.
    pub hi: f64,
    /// Unit vector from A to B along which the two are separated by the gap [-], to rounding; one of several where there are several.
    pub normal: Vec3,
}

/// The signed distance of the hulls of two sets of points: positive apart, negative in overlap, exactly `[0, 0]` touching.
///
/// Computes: the largest separation `min n·b - max n·a` over unit n, with `b = R x + t` for the f64 matrix and vector of each pose.
/// Method: nearest point of a simplex of exact support points, walked to the end; polytope growth inside. Both finite, since each
///   step comes strictly nearer and there are finitely many simplices.
/// Tolerance: none; `lo` and `hi` are neighbouring f64 or the same (values below 1e-300 get `[0, MIN_POSITIVE]`, signed).
///
/// # Panics
/// When a set has no points or a coordinate is not finite: it serves tests.
pub fn signed_distance(a: &[Vec3], pose_a: &Pose, b: &[Vec3], pose_b: &Pose) -> ExactGap {
    assert!(!a.is_empty() && !b.is_empty(), "an oracle for sets of points needs points");
    assert!(a.iter().chain(b).all(|p| p.iter().all(|c| c.is_finite())), "coordinates must be finite");
    let pair = Pair::new(&placed(a, pose_a), &placed(b, pose_b));
    let mut simplex = vec![subtract(&pair.b[0], &pair.a[0])];
    loop {
        let near = nearest(&simplex);
        if near.direction == ZERO {
            let found = depth(&pair, near.corners);
            let (lo, hi) = root_interval(&found.square, &found.over, pair.exponent);
            return ExactGap { lo: 0.0 - hi, hi: 0.0 - lo, normal: unit(&found.direction) };
        }
        // Along the direction to the nearest point of the simplex, does M come nearer?
        let m = pair.lowest(&near.direction);
        if dot(&near.direction, &m) >= dot(&near.direction, &near.corners[0]) {
            let (square, over) = near.distance_squared();
            let (lo, hi) = root_interval(&square, &over, pair.exponent);
            return ExactGap { lo, hi, normal: unit(&near.direction) };
        }
        simplex = near.corners;
        simplex.push(m);
    }
}

/// The origin.
pub(crate) const ZERO: WholePoint = [IBig::ZERO, IBig::ZERO, IBig::ZERO];

/// Two sets of world points in units of one power of two.
pub(crate) struct Pair {
    a: Vec<WholePoint>,
    b: Vec<WholePoint>,
    rough_a: Vec<Vec3>,
    rough_b: Vec<Vec3>,
    exponent: i64,
}

impl Pair {
    fn new(a: &(Vec<WholePoint>, i64), b: &(Vec<WholePoint>, i64)) -> Self {
        // Differences of points are all that counts: one origin for both, then no more bits than needed.
        let lowest = a.1.min(b.1);
        let aligned = |set: &(Vec<WholePoint>, i64)| -> Vec<WholePoint> {
            set.0.iter().map(|p| shifted(p, set.1 - lowest)).collect()
        };
        let (a, b) = (aligned(a), aligned(b));
        let origin = a[0].clone();
        let relative =
            |set: Vec<WholePoint>| -> Vec<WholePoint> { set.iter().map(|p| subtract(p, &origin)).collect() };
        let (a, b) = (relative(a), relative(b));
        let zeros = a.iter().chain(&b).flatten().filter_map(IBig::trailing_zeros).min().unwrap_or(0);
        let reduced = |set: Vec<WholePoint>| -> Vec<WholePoint> {
            set.into_iter().map(|p| p.map(|c| c >> zeros)).collect()
        };
        let (a, b) = (reduced(a), reduced(b));
        let bits = a.iter().chain(&b).map(longest).max().unwrap_or(0);
        let rounded = |set: &[WholePoint]| set.iter().map(|p| rough(p, bits)).collect();
        let (rough_a, rough_b) = (rounded(&a), rounded(&b));
        Self { a, b, rough_a, rough_b, exponent: lowest + zeros.cast_signed() as i64 }
    }

    /// A point of M that lies lowest along `direction`.
    pub(crate) fn lowest(&self, direction: &WholePoint) -> WholePoint {
        let along = rough(direction, longest(direction));
        let back = direction.clone().map(|c| -c);
        subtract(
            lowest(&self.b, &self.rough_b, direction, &along),
            lowest(&self.a, &self.rough_a, &back, &-along),
        )
    }
}

/// The point of a set that lies lowest along a direction. Rounded heights rule out what cannot be it; the rest is compared exactly.
fn lowest<'a>(
    set: &'a [WholePoint],
    rounded: &[Vec3],
    direction: &WholePoint,
    along: &Vec3,
) -> &'a WholePoint {
    let smallest = rounded.iter().map(|p| p.dot(along)).fold(f64::INFINITY, f64::min);
    let near = set.iter().zip(rounded).filter(|(_, p)| p.dot(along) <= smallest + 2.0 * ROUGH_HEIGHT);
    near.map(|(p, _)| p).min_by_key(|p| dot(p, direction)).unwrap_or(&set[0])
}

/// By how much a height along a direction can be off when it is computed from [`rough`] vectors: three products of factors below 2^62,
/// each off by at most 2^9 + 1 from cutting and conversion, and their rounding; doubled.
const ROUGH_HEIGHT: f64 = 2.0 * 3.0 * (2.0 * 520.0 + 2048.0) * (1_u64 << 62) as f64;

/// Bits of the longest coordinate.
fn longest(v: &WholePoint) -> usize {
    v.iter().map(|c| c.clone().unsigned_abs().bit_len()).max().unwrap_or(0)
}

/// A vector in units in which coordinates of so many bits are below 2^62, rounded.
fn rough(v: &WholePoint, bits: usize) -> Vec3 {
    // Short numbers are made longer, so that the error is as small against them as against long ones.
    let component = |c: &IBig| {
        let cut = if bits > 62 { c.clone() >> (bits - 62) } else { c.clone() << (62 - bits) };
        i64::try_from(cut).unwrap_or(0) as f64
    };
    Vec3::new(component(&v[0]), component(&v[1]), component(&v[2]))
}

fn shifted(p: &WholePoint, bits: i64) -> WholePoint {
    std::array::from_fn(|k| &p[k] << bits as usize)
}

/// The points in the world, without rounding, and the power of two that they are counted in.
fn placed(points: &[Vec3], pose: &Pose) -> (Vec<WholePoint>, i64) {
    let matrix = pose.rotation_matrix();
    let (rows, row_exponent) = whole(&[0, 1, 2].map(|k| matrix.row(k).transpose()));
    let (local, local_exponent) = whole(points);
    let (origin, origin_exponent) = whole(&[pose.translation()]);
    let exponent = (row_exponent + local_exponent).min(origin_exponent);
    let turned_by = (row_exponent + local_exponent - exponent) as usize;
    let moved = shifted(&origin[0], origin_exponent - exponent);
    let place = |p: &WholePoint| std::array::from_fn(|k| (dot(&rows[k], p) << turned_by) + &moved[k]);
    (local.iter().map(place).collect(), exponent)
}

/// `sqrt(square / over) 2^exponent`, between two neighbouring f64; both the same where it is one.
fn root_interval(square: &IBig, over: &IBig, exponent: i64) -> (f64, f64) {
    let (square, over) = (square.clone().unsigned_abs(), over.clone().unsigned_abs());
    if square == UBig::ZERO {
        return (0.0, 0.0);
    }
    let half_shift = (QUOTIENT_BITS + over.bit_len()).saturating_sub(square.bit_len()).div_ceil(2);
    let (quotient, rest) = (square << (2 * half_shift)).div_rem(over);
    let (root, root_rest) = quotient.sqrt_rem();
    let exact = rest == UBig::ZERO && root_rest == UBig::ZERO;
    // The 53 leading bits, and whether anything follows them.
    let cut = root.bit_len().saturating_sub(53);
    let leading = root.clone() >> cut;
    let exact = exact && leading.clone() << cut == root;
    let mantissa = u64::try_from(leading).unwrap_or(u64::MAX) as f64;
    let lo = scale(mantissa, cut.cast_signed() as i64 - half_shift.cast_signed() as i64 + exponent);
    if lo < 1e-300 {
        return (0.0, f64::MIN_POSITIVE);
    }
    (lo, if exact { lo } else { lo.next_up() })
}

/// The unit vector along a whole one, to rounding.
fn unit(v: &WholePoint) -> Vec3 {
    rough(v, longest(v)).normalize()
}

/// The three axes.
pub(crate) fn axes() -> [WholePoint; 3] {
    std::array::from_fn(|k| std::array::from_fn(|i| if i == k { IBig::ONE } else { IBig::ZERO }))
}

/// Vectors perpendicular to `v`, which is not zero; together they span all that are.
pub(crate) fn perpendiculars(v: &WholePoint) -> Vec<WholePoint> {
    axes().iter().map(|axis| cross(v, axis)).filter(|u| *u != ZERO).collect()
}
