//! The kinds of colliders: bodies of about a decimetre that stand with a flat side down, but for the ball and the capsule, which lies along x.

use std::f64::consts::FRAC_PI_2;

use zerogap_core::math::sin_cos;
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Compound, Cuboid};
use zerogap_geometry::{ConvexShape, Polyhedron, Shape};
use zerogap_simulation::world::{Collision, QuasiLmd, ShapeDef, WorldError};

use crate::certain;
use crate::worlds::{STEEL, at};

/// Half the height of all bodies [m]: the origin is so far above the ground.
pub(super) const HALF_HEIGHT: f64 = 0.05;

/// Size of the block [m].
const SIZE: Vec3 = Vec3::new(0.2, 0.16, 2.0 * HALF_HEIGHT);

/// Sides of the prism [-].
const SIDES: u32 = 9;

/// A dilation that overlaps of laws as soft as those of the cells stay within [m].
const DILATION: f64 = 2e-3;

/// A kind of collider, and a body of it.
pub(super) struct Collider {
    /// Name in the row.
    pub(super) name: &'static str,
    /// Whether it rolls away to any side: it cannot slide to a stop or stick.
    pub(super) is_ball: bool,
    /// Whether it rolls about its x axis.
    pub(super) rolls: bool,
    /// Whether another one stands on it.
    pub(super) has_flat_top: bool,
    pub(super) shape: fn() -> Result<ShapeDef, WorldError>,
}

/// All kinds.
pub(super) static COLLIDERS: [Collider; 10] = [
    Collider { is_ball: true, rolls: true, has_flat_top: false, ..standing("sphere", sphere) },
    Collider { rolls: true, has_flat_top: false, ..standing("capsule", capsule) },
    standing("cylinder", cylinder),
    standing("box", block),
    standing("rounded box", rounded_block),
    standing("polyhedron", polyhedron),
    standing("compound", compound),
    standing("mesh", mesh),
    standing("quasi-lmd", quasi_lmd),
    standing("oriented", oriented),
];

const fn standing(name: &'static str, shape: fn() -> Result<ShapeDef, WorldError>) -> Collider {
    Collider { name, is_ball: false, rolls: false, has_flat_top: true, shape }
}

fn of_steel(shape: impl Into<Shape>) -> ShapeDef {
    ShapeDef::new(shape.into(), STEEL)
}

fn sphere() -> Result<ShapeDef, WorldError> {
    Ok(of_steel(Shape::sphere(HALF_HEIGHT)?))
}

fn capsule() -> Result<ShapeDef, WorldError> {
    let lying = certain(Pose::from_axis_angle(Vec3::zeros(), Vec3::y(), FRAC_PI_2));
    Ok(of_steel(Shape::capsule(HALF_HEIGHT, 0.15)?).at(lying))
}

fn cylinder() -> Result<ShapeDef, WorldError> {
    Ok(of_steel(Shape::cylinder(0.07, 2.0 * HALF_HEIGHT)?))
}

fn block() -> Result<ShapeDef, WorldError> {
    Ok(of_steel(Shape::cuboid(SIZE)?))
}

fn rounded_block() -> Result<ShapeDef, WorldError> {
    const RADIUS: f64 = 0.01;
    Ok(of_steel(Shape::cuboid(SIZE - Vec3::repeat(2.0 * RADIUS))?.rounded(RADIUS)?))
}

/// A prism that is a little wider below than above, of an odd number of sides.
fn prism() -> Result<Polyhedron, WorldError> {
    let corner = |k: u32| {
        let (sin, cos) = sin_cos(std::f64::consts::TAU * f64::from(k) / f64::from(SIDES));
        [Vec3::new(0.08 * cos, 0.08 * sin, -HALF_HEIGHT), Vec3::new(0.07 * cos, 0.07 * sin, HALF_HEIGHT)]
    };
    let points: Vec<Vec3> = (0..SIDES).flat_map(corner).collect();
    Ok(Polyhedron::from_points(&points)?)
}

fn polyhedron() -> Result<ShapeDef, WorldError> {
    Ok(of_steel(Shape::Convex(prism()?.into())))
}

/// A table: two legs and a top.
fn compound() -> Result<ShapeDef, WorldError> {
    let piece = |x: f64, z: f64, size: Vec3| -> Result<(Pose, ConvexShape), WorldError> {
        Ok((at(x, 0.0, z), Cuboid::new(size)?.into()))
    };
    let leg = Vec3::new(0.03, SIZE.y, HALF_HEIGHT);
    let pieces = vec![
        piece(0.08, -0.5 * HALF_HEIGHT, leg)?,
        piece(-0.08, -0.5 * HALF_HEIGHT, leg)?,
        piece(0.0, 0.5 * HALF_HEIGHT, Vec3::new(SIZE.x, SIZE.y, HALF_HEIGHT))?,
    ];
    Ok(of_steel(Compound::new(pieces)?))
}

fn mesh() -> Result<ShapeDef, WorldError> {
    Ok(of_steel(prism()?.to_mesh()))
}

fn quasi_lmd() -> Result<ShapeDef, WorldError> {
    Ok(block()?.colliding(Collision::QuasiLmd(QuasiLmd { dilation: Some(DILATION), ..QuasiLmd::default() })))
}

fn oriented() -> Result<ShapeDef, WorldError> {
    Ok(block()?.colliding(Collision::Oriented))
}
