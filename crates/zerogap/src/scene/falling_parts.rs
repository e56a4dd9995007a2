//! Parts of an engine that fall on a box: the examples of Neumayr and Otter 2017, figures 8 and 9.
//!
//! In: the settings of a world. Out: bodies above a fixed floor, apart from each other and slightly turned. The rod is made of 70 convex pieces, the part of a crankshaft of
//! six; both are put together from pieces as they are, so that the counts never depend on a decomposition. Lengths follow the defaults of
//! [`crate::geometry::parts`].

use std::f64::consts::{PI, TAU};

use zerogap_contact::material::{Material, PairProperties};
use zerogap_core::{Pose, Vec3, math};
use zerogap_geometry::parts::{ConnectingRod, Crankshaft};
use zerogap_geometry::shape::{Compound, Cylinder};
use zerogap_geometry::{ConvexShape, GeometryError, Polyhedron, Shape};

use crate::world::{BodyDef, ShapeDef, WorldBuilder, WorldError, WorldParams};

/// The material of all parts. Parts of steel would do as well; stiffer contacts make shorter steps.
pub const NYLON: &str = "nylon";

/// The same for the ball, which the floor also keeps from spinning.
pub const BALL: &str = "nylon-ball";

/// The material of the floor.
pub const FLOOR: &str = "concrete";

/// Full extents of the floor, whose top is at z = 0 [m].
const FLOOR_SIZE: [f64; 3] = [2.0, 2.0, 0.1];

/// Rolling resistance of all pairs [-]: that of a soft floor, so that what rolls comes to rest within a few seconds and on the floor.
const ROLLING: f64 = 0.1;

/// Spinning resistance of the ball on the floor [m]: without one, a ball that touches at a point spins about the vertical for ever.
const SPINNING: f64 = 2e-4;

/// Radius of contacts without one of their own, at edges and corners and along cylinders [m].
const CONTACT_RADIUS: f64 = 5e-3;

/// Pieces of the ring around the big bore, and around the small one [-].
const RINGS: [usize; 2] = [36, 24];

/// Pieces of the shank along it, each a web between two flanges [-].
const SHANK: usize = 3;

/// The big eye is wider than the rest by this factor, as those of real rods are [-]; the rod lies on it and on the small one.
const BIG_EYE: f64 = 1.25;

/// The shank is narrower than the eyes by this factor, and its web by this one [-].
const FLANGES: f64 = 0.8;
const WEB: f64 = 0.4;

/// Share of the width of the shank that each flange has [-].
const FLANGE_WIDTH: f64 = 0.25;

/// Segments of a full circle of a web of the crankshaft [-].
const WEB_SEGMENTS: usize = 24;

/// Figure 8: a connecting rod, a part of a crankshaft and a cylinder fall on a box.
///
/// 77 convex shapes in three bodies; all of [`NYLON`], on a floor of [`FLOOR`].
pub fn falling_parts(params: WorldParams) -> Result<WorldBuilder, WorldError> {
    let mut builder = floor(params)?;
    builder.body(part(
        "connecting rod",
        (connecting_rod()?, NYLON),
        [0.0, 0.0, 0.12],
        [0.3, 1.0, 0.2],
        0.35,
    )?)?;
    builder.body(part("crankshaft", (crankshaft()?, NYLON), [0.05, 0.0, 0.25], [1.0, 0.2, 0.1], 1.3)?)?;
    let cylinder = Shape::cylinder(0.02, 0.06)?;
    builder.body(part("cylinder", (cylinder, NYLON), [0.02, 0.03, 0.37], [1.0, 0.5, 0.0], 1.1)?)?;
    Ok(builder)
}

/// Figure 9: a rod of 70 pieces, a part of a crankshaft of six, a cylinder, a box and a sphere fall on a box.
///
/// 79 convex shapes in five bodies with 651 pairs between them, and one more for each with the floor.
pub fn many_falling_parts(params: WorldParams) -> Result<WorldBuilder, WorldError> {
    let mut builder = falling_parts(params)?;
    let cuboid = Shape::cuboid(Vec3::new(0.05, 0.04, 0.03))?;
    builder.body(part("box", (cuboid, NYLON), [0.14, 0.12, 0.15], [0.4, 1.0, 0.3], 0.6)?)?;
    builder.body(part("sphere", (Shape::sphere(0.025)?, BALL), [-0.12, 0.1, 0.2], [0.0, 0.0, 1.0], 0.0)?)?;
    Ok(builder)
}

/// A world with the materials and the floor.
fn floor(params: WorldParams) -> Result<WorldBuilder, WorldError> {
    let mut builder = WorldBuilder::new(params);
    let nylon = Material { young_modulus: 2.5e9, poisson_ratio: 0.4, density: 1140.0 };
    builder.material(NYLON, nylon)?;
    let properties = PairProperties {
        restitution: 0.3,
        friction: 0.4,
        rolling: ROLLING,
        contact_radius: Some(CONTACT_RADIUS),
        ..PairProperties::default()
    };
    builder.pair(NYLON, NYLON, properties)?;
    builder.pair(NYLON, FLOOR, properties)?;
    builder.material(BALL, nylon)?;
    builder.pair(BALL, NYLON, properties)?;
    builder.pair(BALL, FLOOR, PairProperties { spinning: SPINNING, ..properties })?;
    let size = Vec3::from(FLOOR_SIZE);
    let under = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5 * size.z)).map_err(GeometryError::from)?;
    builder.fixed(ShapeDef::new(Shape::cuboid(size)?, FLOOR).at(under))?;
    Ok(builder)
}

/// A body that starts at rest, turned about an axis.
fn part(
    name: &str,
    shape: (Shape, &str),
    at: [f64; 3],
    axis: [f64; 3],
    angle: f64,
) -> Result<BodyDef, WorldError> {
    let start =
        Pose::from_axis_angle(Vec3::from(at), Vec3::from(axis), angle).map_err(GeometryError::from)?;
    Ok(BodyDef::free(start).named(name).with(shape.0, shape.1))
}

/// A connecting rod of 70 convex pieces: two rings, a shank of I section in three parts, and the boss for the bolts of the big eye.
pub fn connecting_rod() -> Result<Shape, GeometryError> {
    let rod = ConnectingRod::default();
    let half = 0.5 * rod.thickness;
    let mut pieces = Vec::new();
    let mut add = |points: &[Vec3]| -> Result<(), GeometryError> {
        pieces.push((Pose::identity(), ConvexShape::from(Polyhedron::from_points(points)?)));
        Ok(())
    };

    // The eyes.
    for (center, bore, radius, half, count) in [
        (0.0, rod.big_bore, rod.big_radius, BIG_EYE * half, RINGS[0]),
        (rod.length, rod.small_bore, rod.small_radius, half, RINGS[1]),
    ] {
        for k in 0..count {
            let corner = |k: usize, radius: f64| {
                let (s, c) = math::sin_cos(TAU * k as f64 / count as f64);
                [center + radius * c, radius * s]
            };
            add(&prism(
                &[corner(k, bore), corner(k, radius), corner(k + 1, radius), corner(k + 1, bore)],
                half,
            ))?;
        }
    }

    // The shank, from eye to eye.
    let (from, to) = (0.95 * rod.big_radius, rod.length - 0.95 * rod.small_radius);
    let at = |k: usize| from + (to - from) * k as f64 / SHANK as f64;
    let width = |k: usize| {
        let part = k as f64 / SHANK as f64;
        0.5 * (rod.big_width * (1.0 - part) + rod.small_width * part)
    };
    for k in 0..SHANK {
        let (inner, outer) = (1.0 - 2.0 * FLANGE_WIDTH, 1.0);
        let strip = |low: f64, high: f64| {
            [
                [at(k), low * width(k)],
                [at(k + 1), low * width(k + 1)],
                [at(k + 1), high * width(k + 1)],
                [at(k), high * width(k)],
            ]
        };
        add(&prism(&strip(-outer, -inner), FLANGES * half))?;
        add(&prism(&strip(-inner, inner), WEB * half))?;
        add(&prism(&strip(inner, outer), FLANGES * half))?;
    }

    // The boss.
    let (near, far, wide) = (-0.97 * rod.big_radius, -1.2 * rod.big_radius, 0.3 * rod.big_radius);
    add(&prism(&[[far, -wide], [near, -wide], [near, wide], [far, wide]], FLANGES * half))?;
    Ok(Compound::new(pieces)?.into())
}

/// A throw of a crankshaft of six convex pieces: journal, web, pin, web, journal and flange, along z with the middle of the pin at z = 0.
pub fn crankshaft() -> Result<Shape, GeometryError> {
    let crank = Crankshaft::default();
    let mut pieces = Vec::new();
    let web = web(&crank);
    let web_at = 0.5 * (crank.pin_length + crank.web_thickness);
    let journal_at = web_at + 0.5 * (crank.web_thickness + crank.journal_length);
    let flange_length = 0.3 * crank.journal_length;
    let flange_at = journal_at + 0.5 * (crank.journal_length + flange_length);
    let mut cylinder = |radius: f64, length: f64, x: f64, z: f64| -> Result<(), GeometryError> {
        let pose = Pose::from_translation(Vec3::new(x, 0.0, z)).map_err(GeometryError::from)?;
        pieces.push((pose, ConvexShape::from(Cylinder::new(radius, length)?)));
        Ok(())
    };
    cylinder(crank.journal_radius, crank.journal_length, 0.0, -journal_at)?;
    cylinder(crank.pin_radius, crank.pin_length, crank.radius, 0.0)?;
    cylinder(crank.journal_radius, crank.journal_length, 0.0, journal_at)?;
    cylinder(1.2 * crank.journal_radius, flange_length, 0.0, flange_at)?;
    for z in [-web_at, web_at] {
        let points: Vec<Vec3> =
            prism(&web, 0.5 * crank.web_thickness).iter().map(|p| p + Vec3::new(0.0, 0.0, z)).collect();
        pieces.push((Pose::identity(), ConvexShape::from(Polyhedron::from_points(&points)?)));
    }
    Ok(Compound::new(pieces)?.into())
}

/// The outline of a web: around the axis and around the pin.
fn web(crank: &Crankshaft) -> Vec<[f64; 2]> {
    (0..WEB_SEGMENTS)
        .flat_map(|k| {
            let (s, c) = math::sin_cos(PI * (2 * k + 1) as f64 / WEB_SEGMENTS as f64);
            let about = |x: f64, radius: f64| [x + radius * c, radius * s];
            [about(0.0, crank.web_radius), about(crank.radius, crank.web_pin_radius)]
        })
        .collect()
}

/// The corners of an outline at both heights [m].
fn prism(outline: &[[f64; 2]], half: f64) -> Vec<Vec3> {
    outline.iter().flat_map(|&[x, y]| [-half, half].map(|z| Vec3::new(x, y, z))).collect()
}
