//! Parts of an engine that fall on a box: the examples of Neumayr and Otter 2017, figures 8 and 9.
//!
//! In: the settings of a world. Out: bodies above a fixed floor, apart from each other and slightly rotated. The built-in scenes `falling-parts` and
//! `many-falling-parts` are the same worlds in files.

use zerogap_contact::material::{Material, PairProperties};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::{GeometryError, Shape};

use zerogap_geometry::assembly::{connecting_rod, crank_throw};
use zerogap_simulation::world::{BodyDef, ShapeDef, WorldBuilder, WorldError, WorldParams};

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
    builder.body(part("crankshaft", (crank_throw()?, NYLON), [0.05, 0.0, 0.25], [1.0, 0.2, 0.1], 1.3)?)?;
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
    builder.fixed(ShapeDef::new(Shape::cuboid(size)?, FLOOR).at(under).named("floor"))?;
    Ok(builder)
}

/// A body that starts at rest, rotated about an axis.
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
