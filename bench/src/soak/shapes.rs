//! Random shapes of every kind, well shaped and degenerate.

use std::sync::Arc;

use zerogap_core::Vec3;
use zerogap_core::math;
use zerogap_geometry::shape::{
    Capsule, Cuboid, Cylinder, Ellipsoid, Frustum, Point, Polygon, Segment, Sphere, SupportFunction,
    Triangle, UserShape,
};
use zerogap_geometry::{ConvexShape, GeometryError, Polyhedron};
use zerogap_testkit::random::Random;

/// Smallest and largest size of a shape, as powers of ten of a metre.
pub const DECADES: [f64; 2] = [-3.0, 4.0];

/// Polyhedra of each power of ten in the pool. Hulls cost more than queries, so they are made once and drawn from.
const POOL_PER_DECADE: usize = 60;

/// Fewest and most points of a hull in the pool.
const POINTS: [f64; 2] = [4.0, 200.0];

/// Thinnest aspect ratio of a degenerate shape, as a power of ten.
const THIN: f64 = -4.0;

/// Number of kinds that [`shape`] draws from.
const KINDS: usize = 13;

/// Polyhedra by power of ten of their size.
pub struct Pool {
    decades: Vec<Vec<Arc<Polyhedron>>>,
}

impl Pool {
    /// The pool of a seed.
    pub fn new(seed: u64) -> Result<Self, GeometryError> {
        let mut random = Random::new(seed);
        let count = (DECADES[1] - DECADES[0]) as usize + 1;
        let decades = (0..count)
            .map(|decade| {
                let size = ten_to(DECADES[0] + decade as f64);
                (0..POOL_PER_DECADE).map(|_| Ok(Arc::new(polyhedron(&mut random, size)?))).collect()
            })
            .collect::<Result<_, GeometryError>>()?;
        Ok(Self { decades })
    }

    /// One of the polyhedra of about this size [m].
    fn draw(&self, random: &mut Random, size: f64) -> Arc<Polyhedron> {
        let decade = (math::ln(size) / std::f64::consts::LN_10 - DECADES[0]).round().max(0.0) as usize;
        let choices = &self.decades[decade.min(self.decades.len() - 1)];
        choices[random.index(choices.len())].clone()
    }
}

/// A random shape of about this size [m].
pub fn shape(random: &mut Random, pool: &Pool, size: f64) -> Result<ConvexShape, GeometryError> {
    let kind = random.index(KINDS);
    if kind == KINDS - 1 {
        // Rounding from a hair to the whole size.
        let core = random.index(KINDS - 1);
        let radius = size * ten_to(random.range(THIN, 0.0));
        return sharp(random, pool, size, core)?.rounded(radius);
    }
    sharp(random, pool, size, kind)
}

/// A random shape of one kind, not rounded.
fn sharp(random: &mut Random, pool: &Pool, size: f64, kind: usize) -> Result<ConvexShape, GeometryError> {
    let sides = size * aspect(random);
    Ok(match kind {
        0 => Point::new(corner(random, &sides))?.into(),
        1 => segment(random, &sides)?.into(),
        2 => triangle(random, &sides)?.into(),
        3 => polygon(random, &sides)?,
        4 => Sphere::new(size)?.into(),
        5 => Ellipsoid::new(sides)?.into(),
        6 => Cuboid::new(sides)?.into(),
        7 => Capsule::new(sides.x, if random.index(8) == 0 { 0.0 } else { sides.z })?.into(),
        8 => Cylinder::new(sides.x, sides.z)?.into(),
        9 => {
            // Cones either way up, nearly cylindrical ones and general ones.
            let other = match random.index(4) {
                0 => 0.0,
                1 => sides.x * (1.0 + 1e-9),
                _ => sides.y,
            };
            let [low, high] = if random.index(2) == 0 { [sides.x, other] } else { [other, sides.x] };
            Frustum::new(low, high, sides.z)?.into()
        }
        10 => ConvexShape::Polyhedron(pool.draw(random, size)),
        _ => UserShape::new(Arc::new(Egg { radii: sides, offset: corner(random, &sides) })).into(),
    })
}

/// An ellipsoid about some point, known by its support function only.
#[derive(Debug)]
struct Egg {
    radii: Vec3,
    offset: Vec3,
}

impl SupportFunction for Egg {
    fn support(&self, direction: &Vec3) -> Vec3 {
        let stretched = direction.component_mul(&self.radii);
        let length = stretched.norm();
        if length > 0.0 {
            self.offset + stretched.component_mul(&self.radii) / length
        } else {
            self.offset + Vec3::new(self.radii.x, 0.0, 0.0)
        }
    }

    fn interior_point(&self) -> Vec3 {
        self.offset
    }
}

/// Ten to a power.
pub fn ten_to(power: f64) -> f64 {
    math::pow(10.0, power)
}

/// Side lengths relative to the longest: mostly stout, some flat, some needles, some with equal sides.
fn aspect(random: &mut Random) -> Vec3 {
    let mut thin = || ten_to(random.range(THIN, 0.0));
    let [one, other] = [thin(), thin()];
    let mut sides = match random.index(6) {
        0 => [1.0, 1.0, one],
        1 => [1.0, one, one],
        2 => [1.0, one, other],
        3 => [1.0, 1.0, 1.0],
        _ => [1.0, random.range(0.3, 1.0), random.range(0.3, 1.0)],
    };
    sides.rotate_left(random.index(3));
    Vec3::from(sides)
}

/// A random point of a box about the origin, on a coarse grid one time in four: equal coordinates are where ties hide.
fn corner(random: &mut Random, sides: &Vec3) -> Vec3 {
    let point = random.in_cube(0.5);
    let grid = random.index(4) == 0;
    point.map(|x| if grid { (2.0 * x).round() / 2.0 } else { x }).component_mul(sides)
}

fn segment(random: &mut Random, sides: &Vec3) -> Result<Segment, GeometryError> {
    let start = corner(random, sides);
    // One in sixteen has no length.
    let end = if random.index(16) == 0 { start } else { corner(random, sides) };
    Segment::new(start, end)
}

fn triangle(random: &mut Random, sides: &Vec3) -> Result<Triangle, GeometryError> {
    let [a, b] = [corner(random, sides), corner(random, sides)];
    // One in eight lies in one line.
    let c = if random.index(8) == 0 { 0.5 * (a + b) } else { corner(random, sides) };
    Triangle::new(a, b, c)
}

fn polygon(random: &mut Random, sides: &Vec3) -> Result<ConvexShape, GeometryError> {
    // Points on an ellipse, in order, in the plane z = 0 or a tilted one.
    let corners = 3 + random.index(14);
    let slope = if random.index(2) == 0 { 0.0 } else { random.range(-1.0, 1.0) };
    let start = random.range(0.0, 1.0);
    let loop_of_corners: Vec<Vec3> = (0..corners)
        .map(|k| {
            let angle = std::f64::consts::TAU * (k as f64 + start) / corners as f64;
            let x = 0.5 * sides.x * math::cos(angle);
            Vec3::new(x, 0.5 * sides.y * math::sin(angle), slope * x)
        })
        .collect();
    match Polygon::new(&loop_of_corners) {
        Ok(polygon) => Ok(polygon.into()),
        // Too thin for a polygon: then it is a segment.
        Err(_) => Ok(Segment::new(loop_of_corners[0], loop_of_corners[corners / 2])?.into()),
    }
}

/// The hull of random points: in a ball or on an ellipsoid, thin ones among them, or on a grid, where faces have many corners.
fn polyhedron(random: &mut Random, size: f64) -> Result<Polyhedron, GeometryError> {
    loop {
        let sides = size * aspect(random);
        let spread = math::ln(POINTS[1] / POINTS[0]);
        let count = (POINTS[0] * math::exp(random.range(0.0, spread))).round() as usize;
        let style = random.index(4);
        let points: Vec<Vec3> = (0..count)
            .map(|_| match style {
                0 => random.in_ball().component_mul(&sides),
                1 => random.in_cube(2.5).map(f64::round).component_mul(&sides) / 2.0,
                _ => random.direction().component_mul(&sides),
            })
            .collect();
        match Polyhedron::from_points(&points) {
            // Few points on a grid may lie in one plane: draw again.
            Err(GeometryError::Flat { .. }) => {}
            hull => return hull,
        }
    }
}
