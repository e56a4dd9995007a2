//! Query number `i` of a seed.

use std::error::Error;

use zerogap_geometry::{Convex, ConvexShape};
use zerogap_testkit::random::Random;

use super::poses::{PlacedShape, place};
use super::shapes::{DECADES, Pool, shape, ten_to};

/// Largest ratio of the two sizes, as a power of ten.
const SIZE_RATIO: f64 = 4.0;

/// Spreads consecutive numbers over the seeds of a generator whose own steps are consecutive.
const SPREAD: u64 = 0xd134_2543_de82_ef95;

/// One query.
pub struct Case {
    /// Shape A.
    pub a: ConvexShape,
    /// Shape B.
    pub b: ConvexShape,
    /// Where they stand, and what that says about the gap.
    pub placed: PlacedShape,
    /// Whether to ask with the shapes swapped, too.
    pub swap: bool,
}

/// Makes query `index` of a seed; depends on these two numbers and nothing else.
pub fn case(pool: &Pool, seed: u64, index: u64) -> Result<Case, Box<dyn Error>> {
    // Mixed twice: the sequences of neighbouring numbers must not be shifted copies of each other.
    let start = Random::new(seed).bits().wrapping_add(index.wrapping_mul(SPREAD));
    let mut random = Random::new(Random::new(start).bits());

    let power = random.range(DECADES[0], DECADES[1]);
    let ratio =
        if random.index(2) == 0 { random.range(-0.3, 0.3) } else { random.range(-SIZE_RATIO, SIZE_RATIO) };
    let other = (power + ratio).clamp(DECADES[0], DECADES[1]);
    let a = shape(&mut random, pool, ten_to(power))?;
    let same = random.index(8) == 0;
    let b = if same { a.clone() } else { shape(&mut random, pool, ten_to(other))? };
    let mut placed = place(&mut random, &a, &b, same)?;
    if has_flat_difference(&a, &b) {
        // Some direction is square to the whole difference, and along it nothing overlaps.
        placed.at_least = placed.at_least.max(0.0);
    }
    Ok(Case { a, b, placed, swap: index.is_multiple_of(10) })
}

impl Case {
    /// Whether both shapes have plane faces, straight edges and corners only.
    pub fn is_polytope(&self) -> bool {
        is_polytope(&self.a) && is_polytope(&self.b)
    }

    /// The largest coordinates that enter [m]: how far each body reaches from its own origin, and the origins from each other.
    pub fn extent(&self) -> f64 {
        let reach = |shape: &ConvexShape| {
            let ball = shape.bounding_sphere();
            ball.center.norm() + ball.radius
        };
        let apart = self.placed.pose_b.translation() - self.placed.pose_a.translation();
        reach(&self.a) + reach(&self.b) + apart.norm()
    }
}

fn is_polytope(shape: &ConvexShape) -> bool {
    matches!(
        shape,
        ConvexShape::Point(_)
            | ConvexShape::Segment(_)
            | ConvexShape::Triangle(_)
            | ConvexShape::Polygon(_)
            | ConvexShape::Cuboid(_)
            | ConvexShape::Polyhedron(_)
    )
}

/// Whether the Minkowski difference lies in a plane for every pose: no two such shapes can overlap by more than nothing.
fn has_flat_difference(a: &ConvexShape, b: &ConvexShape) -> bool {
    match dimension(a).zip(dimension(b)) {
        Some((a, b)) => a + b <= 2,
        None => false,
    }
}

/// 0 for points, 1 for segments, 2 for flat shapes; `None` for all others.
fn dimension(shape: &ConvexShape) -> Option<u32> {
    match shape {
        ConvexShape::Point(_) => Some(0),
        ConvexShape::Segment(_) => Some(1),
        ConvexShape::Triangle(_) | ConvexShape::Polygon(_) => Some(2),
        _ => None,
    }
}
