//! The signed distance of two boxes by their explicit Minkowski difference, with twice the digits: the reference of the measurements.
//!
//! In: two boxes and the poses that the measured code is given. Out: their signed distance to some 30 digits. Shares no code with the
//! kernels that it judges and uses none of their results. Plain and slow: some microseconds a pair. Same bits everywhere.
//!
//! With m = b - a over the corners of both, the difference is the hull of 64 points m. Its facets lie across the normals of the faces of A,
//! of those of B, and of each edge of A with each of B. Origin inside: minus the smallest distance to the plane of a facet.
//! Outside: the distance to the nearest facet.

use zerogap_core::double::{Double, DoubleVec};
use zerogap_core::{Pose, Vec3};

/// Heights in f64 that differ by more, relative to the size of the pair, are distinct [-]: 1e5 times their rounding.
const SCREEN: f64 = 1e-10;

/// Sine of the angle between two edges below which they are parallel [-]: their facet is too thin to count, and its normal is noise.
const PARALLEL: f64 = 1e-16;

/// A placed box, or any parallelepiped: all points `center + x edges[0] + y edges[1] + z edges[2]` with x, y, z from -1 to 1.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// The middle [m].
    pub center: DoubleVec,
    /// Half edges [m].
    pub edges: [DoubleVec; 3],
}

impl Block {
    /// A box of the given half extents [m] about its origin, in a pose whose stored quaternion is divided by its length with all digits.
    pub fn new(half: &Vec3, pose: &Pose) -> Self {
        let [x, y, z, w] = pose.quaternion_xyzw().map(Double::from);
        let squared = x * x + y * y + z * z + w * w;
        let (one, two) = (Double::from(1.0), Double::from(2.0) / squared);
        // Columns of the rotation matrix: where the axes of the box point.
        let columns = [
            [one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)],
            [two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)],
            [two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)],
        ];
        let edges = std::array::from_fn(|k| DoubleVec(columns[k]).scaled(half[k].into()));
        Self { center: DoubleVec::from(&pose.translation()), edges }
    }

    /// The 8 corners [m].
    fn corners(&self) -> [DoubleVec; 8] {
        let side = |edge: &DoubleVec, positive: bool| edge.scaled(if positive { 1.0 } else { -1.0 }.into());
        std::array::from_fn(|bits| {
            let step = |k: usize| side(&self.edges[k], bits >> k & 1 == 1);
            self.center + step(0) + step(1) + step(2)
        })
    }
}

/// Signed distance of two blocks [m]: positive apart, negative in overlap.
///
/// Computes: the signed distance of the origin from the hull of all corner differences.
/// Method: the explicit difference as in Cheng Yi and Drumwright's unit test. Planes and facets that cannot matter are left out by their
///   heights in f64, with a margin of `SCREEN`; the rest is computed in double-double.
/// Tolerance: 1e-27 of the size unless an edge of A is within 1e-5 rad of parallel to one of B without being so; 1e-15 everywhere.
/// Cost: 64 points, 30 planes; apart, 4 triangles for each facet that faces the origin, 560 where boxes are parallel.
/// Fails: never; finite blocks give a finite number.
pub fn signed_distance(a: &Block, b: &Block) -> Double {
    let difference = Difference::new(a, b);
    let planes: Vec<Plane> = normals(a, b).filter_map(|n| difference.plane(n)).collect();

    // The plane that the origin is farthest outside of, or least inside.
    let screen = SCREEN * difference.size;
    let farthest = planes.iter().map(|p| p.rough).fold(f64::NEG_INFINITY, f64::max);
    let exact = planes.iter().filter(|p| p.rough >= farthest - screen);
    let separation = exact.map(|p| difference.separation(p)).fold(Double::from(f64::NEG_INFINITY), larger);
    if !separation.is_positive() {
        return separation;
    }

    // Outside: the nearest point lies in a facet that faces the origin. Every triangle of points lies in the difference, so none is too near.
    let mut nearest = Double::from(f64::INFINITY);
    for plane in planes.iter().filter(|p| p.rough >= -screen) {
        let facet = difference.facet(plane);
        for (i, p) in facet.iter().enumerate() {
            for (j, q) in facet.iter().enumerate().skip(i + 1) {
                for r in &facet[j + 1..] {
                    nearest = smaller(nearest, triangle_distance_squared(p, q, r));
                }
            }
        }
    }
    nearest.sqrt()
}

/// The 64 points whose hull is the Minkowski difference.
struct Difference {
    points: Vec<DoubleVec>,
    /// The same in f64.
    rough: Vec<Vec3>,
    /// The largest distance of a point from the origin, about [m].
    size: f64,
}

/// A plane that holds the difference on one side.
struct Plane {
    /// Across the plane, outward, of any length.
    normal: DoubleVec,
    /// How far the origin is outside, in f64 [m].
    rough: f64,
}

impl Difference {
    fn new(a: &Block, b: &Block) -> Self {
        let (a, b) = (a.corners(), b.corners());
        let points: Vec<DoubleVec> = b.iter().flat_map(|q| a.iter().map(|p| *q - *p)).collect();
        let rough: Vec<Vec3> = points.iter().map(DoubleVec::round).collect();
        let size = rough.iter().map(Vec3::norm).fold(0.0, f64::max);
        Self { points, rough, size }
    }

    /// The plane across a normal that touches the difference; none across the noise that parallel edges leave.
    fn plane(&self, (normal, sine): (DoubleVec, f64)) -> Option<Plane> {
        let unit = normal.round().normalize();
        let highest = self.rough.iter().map(|p| p.dot(&unit)).fold(f64::NEG_INFINITY, f64::max);
        (sine > PARALLEL).then_some(Plane { normal, rough: -highest })
    }

    /// How far the origin is outside a plane [m].
    fn separation(&self, plane: &Plane) -> Double {
        let heights = self.points.iter().map(|p| p.dot(&plane.normal));
        let highest = heights.fold(Double::from(f64::NEG_INFINITY), larger);
        -highest / plane.normal.dot(&plane.normal).sqrt()
    }

    /// The points in a plane, and any that f64 cannot distinguish from them.
    fn facet(&self, plane: &Plane) -> Vec<DoubleVec> {
        let unit = plane.normal.round().normalize();
        let floor = -plane.rough - SCREEN * self.size;
        let pairs = self.points.iter().zip(&self.rough);
        pairs.filter(|(_, rough)| rough.dot(&unit) >= floor).map(|(point, _)| *point).collect()
    }
}

/// Both directions across the faces of A, those of B, and each edge of A with each of B; with the sine between the edges.
fn normals(a: &Block, b: &Block) -> impl Iterator<Item = (DoubleVec, f64)> {
    let edges = [a.edges[0], a.edges[1], a.edges[2], b.edges[0], b.edges[1], b.edges[2]];
    let pairs = (0..6).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs.flat_map(move |(i, j)| {
        let (normal, lengths) =
            (edges[i].cross(&edges[j]), edges[i].round().norm() * edges[j].round().norm());
        let sine = normal.round().norm() / lengths;
        [(normal, sine), (normal.scaled((-1.0).into()), sine)]
    })
}

/// The squared distance of the origin from a triangle [m²]; triangles without area count as their sides.
fn triangle_distance_squared(p: &DoubleVec, q: &DoubleVec, r: &DoubleVec) -> Double {
    let normal = (*q - *p).cross(&(*r - *p));
    let area = normal.dot(&normal);
    // The foot of the origin is inside where it is on the inner side of each side.
    let is_inner = |from: &DoubleVec, to: &DoubleVec| from.cross(to).dot(&normal).is_positive();
    if area.is_positive() && is_inner(p, q) && is_inner(q, r) && is_inner(r, p) {
        let height = p.dot(&normal);
        return height * height / area;
    }
    smaller(
        segment_distance_squared(p, q),
        smaller(segment_distance_squared(q, r), segment_distance_squared(r, p)),
    )
}

/// The squared distance of the origin from a segment [m²].
fn segment_distance_squared(p: &DoubleVec, q: &DoubleVec) -> Double {
    let along = *q - *p;
    let (squared, reach) = (along.dot(&along), -p.dot(&along));
    if reach.is_positive() && reach < squared {
        let foot = *p + along.scaled(reach / squared);
        return foot.dot(&foot);
    }
    smaller(p.dot(p), q.dot(q))
}

fn larger(a: Double, b: Double) -> Double {
    if a < b { b } else { a }
}

fn smaller(a: Double, b: Double) -> Double {
    if b < a { b } else { a }
}

#[cfg(test)]
mod tests {
    use zerogap_core::random::Random;
    use zerogap_testkit::{count, exact_distance};

    use super::*;

    /// By how much the reference may be off, against a size of some metres [-].
    const ALLOWED: f64 = 1e-26;

    fn random_block(random: &mut Random, reach: f64) -> Block {
        let half = Vec3::new(random.range(0.2, 1.5), random.range(0.2, 1.5), random.range(0.2, 1.5));
        Block::new(&half, &Pose::new(random.in_cube(reach), random.quaternion_xyzw()).unwrap())
    }

    /// The block with short numbers, and its corners, which are then exact in f64.
    fn shortened(block: &Block) -> (Block, Vec<Vec3>) {
        let short = |v: &DoubleVec| {
            let grid = 1.0 / (1_u64 << 40) as f64;
            DoubleVec::from(&v.round().map(|x| (x / grid).round() * grid))
        };
        let block = Block { center: short(&block.center), edges: block.edges.each_ref().map(short) };
        (block, block.corners().iter().map(DoubleVec::round).collect())
    }

    fn check_against_exact(a: &Block, b: &Block) -> f64 {
        let ((a, corners_a), (b, corners_b)) = (shortened(a), shortened(b));
        let here = Pose::identity();
        let exact = exact_distance::signed_distance(&corners_a, &here, &corners_b, &here);
        let found = signed_distance(&a, &b);
        let (low, high) = (found - Double::from(exact.lo), Double::from(exact.hi) - found);
        assert!(low.round() >= -ALLOWED && high.round() >= -ALLOWED, "{found:?} is not in {exact:?}");
        found.round()
    }

    #[test]
    fn the_reference_is_the_exact_rational_answer() {
        let mut random = Random::new(5);
        let mut in_overlap = 0;
        let cases = count(400, 20_000);
        for _ in 0..cases {
            let (a, b) = (random_block(&mut random, 0.5), random_block(&mut random, 2.0));
            in_overlap += usize::from(check_against_exact(&a, &b) < 0.0);
        }
        assert!(in_overlap > cases / 5 && in_overlap < cases - cases / 5, "{in_overlap} of {cases}");
    }

    #[test]
    fn parallel_and_nearly_parallel_blocks_have_their_exact_answer() {
        let mut random = Random::new(6);
        let turns = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 2.0], [1.0, 1.0, 1.0, 1.0]];
        for k in 0..count(100, 2_000) {
            let mut turn = turns[k % 4];
            // Off by much more than the grid of short numbers, by about it, and by nothing.
            turn[0] += [0.0, 1e-4, 1e-8, 1e-11][k / 4 % 4];
            let place =
                |p: Vec3, turn: [f64; 4]| Block::new(&Vec3::new(1.0, 1.0, 1.0), &Pose::new(p, turn).unwrap());
            let (a, b) = (place(Vec3::zeros(), turns[0]), place(random.in_cube(3.0), turn));
            check_against_exact(&a, &b);
        }
    }

    #[test]
    fn distances_known_by_hand_come_out() {
        let unit = Vec3::new(1.0, 1.0, 1.0);
        let (sin, cos) = zerogap_core::math::sin_cos(std::f64::consts::FRAC_PI_8);
        let eighth = [0.0, 0.0, sin, cos];
        let straight = [0.0, 0.0, 0.0, 1.0];
        let root_2 = 2.0_f64.sqrt();
        for (p, turn, expected) in [
            (Vec3::new(3.0, 0.5, 0.2), straight, 1.0),
            (Vec3::new(3.0, 4.0, 0.0), straight, 5.0_f64.sqrt()),
            (Vec3::new(3.0, 3.0, -3.0), straight, 3.0_f64.sqrt()),
            (Vec3::new(0.0, 0.0, 2.0), straight, 0.0),
            (Vec3::new(0.0, 1.5, 0.0), straight, -0.5),
            (Vec3::zeros(), straight, -2.0),
            (Vec3::new(3.0, 0.0, 0.0), eighth, 2.0 - root_2),
            (Vec3::new(2.0, 0.0, 0.0), eighth, 1.0 - root_2),
            (Vec3::zeros(), eighth, -2.0),
        ] {
            let a = Block::new(&unit, &Pose::identity());
            let b = Block::new(&unit, &Pose::new(p, turn).unwrap());
            for (found, which) in [(signed_distance(&a, &b), "a, b"), (signed_distance(&b, &a), "b, a")] {
                assert!((found.round() - expected).abs() <= 1e-15, "{p:?} {which}: {found:?}");
            }
        }
    }

    #[test]
    fn rotations_of_stored_quaternions_are_rotations_to_all_digits() {
        let mut random = Random::new(7);
        for _ in 0..100 {
            let pose = Pose::new(Vec3::zeros(), random.quaternion_xyzw()).unwrap();
            let block = Block::new(&Vec3::new(1.0, 1.0, 1.0), &pose);
            for (i, u) in block.edges.iter().enumerate() {
                for (j, v) in block.edges.iter().enumerate() {
                    let expected = Double::from(if i == j { 1.0 } else { 0.0 });
                    assert!((u.dot(v) - expected).round().abs() <= 1e-30);
                }
                let axis = Vec3::ith(i, 1.0);
                assert!((u.round() - pose.transform_vector(&axis)).amax() <= 2e-15);
            }
        }
    }
}
