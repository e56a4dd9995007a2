//! The worlds of the trials, each at its start.

use zerogap_contact::material::PairProperties;
use zerogap_core::math::{cos, sin};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{Dof, Joint, JointKind, Motor};
use zerogap_geometry::Shape;
use zerogap_simulation::world::{BodyDef, ShapeDef, World, WorldBuilder, WorldError, WorldParams};

use super::Cell;
use super::collider::HALF_HEIGHT;
use crate::certain;
use crate::worlds::{G, STEEL, add_floor, at};

/// Friction in all trials [-].
pub(super) const FRICTION: f64 = 0.5;

/// Restitution in all trials [-].
pub(super) const RESTITUTION: f64 = 0.5;

/// Rolling friction where something must come to rest whatever it lies on [-].
const ROLLING: f64 = 0.02;

/// Yaw of bodies [rad]: not along an axis.
const YAW: f64 = 0.3;

/// Speed at the start of the slide, and of what rolls [m/s].
pub(super) const SPEED: f64 = 1.0;

/// The slope [rad]: 15 degrees, of which friction holds 26.
pub(super) const SLOPE: f64 = 0.261_799_387_799_149_4;

/// Height of the fall [m].
pub(super) const FALL: f64 = 0.1;

/// Height at which no body reaches the ground, however it is rotated [m].
const CLEAR: f64 = 0.15;

/// What presses on the plate over a body [N]: ten times the weight of most of them.
pub(super) const PRESS: f64 = 2000.0;

/// Radius and length of a cylinder on a body [m].
const CYLINDER: [f64; 2] = [0.04, 0.06];

/// Thickness of the plate over a body [m].
const PLATE: f64 = 0.05;

/// A world without ground.
fn empty(cell: &Cell, gravity: Vec3, rolling: f64) -> Result<WorldBuilder, WorldError> {
    let mut builder = WorldBuilder::new(WorldParams { gravity, ..cell.method_and_law.params() });
    let pair = PairProperties {
        restitution: RESTITUTION,
        friction: FRICTION,
        rolling,
        spinning: 0.2 * rolling,
        contact_radius: (rolling > 0.0).then_some(HALF_HEIGHT),
        ..PairProperties::default()
    };
    builder.pair(STEEL, STEEL, pair)?;
    Ok(builder)
}

fn down() -> Vec3 {
    -Vec3::z() * G
}

/// A direction along the ground.
fn along() -> Vec3 {
    Vec3::new(cos(YAW), sin(YAW), 0.0)
}

/// A body rotated about an axis by an angle [rad].
fn rotated(
    cell: &Cell,
    place: Vec3,
    (axis, angle): (Vec3, f64),
    velocity: Vec3,
) -> Result<BodyDef, WorldError> {
    let pose = certain(Pose::from_axis_angle(place, axis, angle));
    let def = BodyDef::free(pose).with_shape((cell.collider.shape)()?);
    Ok(def.moving(&[velocity.x, velocity.y, velocity.z, 0.0, 0.0, 0.0]))
}

/// A body that stands upright.
fn upright(cell: &Cell, place: Vec3, velocity: Vec3) -> Result<BodyDef, WorldError> {
    rotated(cell, place, (Vec3::z(), YAW), velocity)
}

/// A body in no special orientation.
fn tilted(cell: &Cell, place: Vec3, velocity: Vec3) -> Result<BodyDef, WorldError> {
    rotated(cell, place, (Vec3::new(1.0, 2.0, 3.0), 0.7), velocity)
}

/// Bodies one on another on the ground, which falls away by an angle in the direction in which they move.
pub(super) fn standing(cell: &Cell, count: u32, speed: f64, slope: f64) -> Result<World, WorldError> {
    let mut builder = empty(cell, (along() * sin(slope) - Vec3::z() * cos(slope)) * G, 0.0)?;
    add_floor(&mut builder)?;
    for k in 0..count {
        builder.body(upright(
            cell,
            Vec3::z() * (HALF_HEIGHT * (1.0 + 2.0 * f64::from(k))),
            along() * speed,
        )?)?;
    }
    builder.build()
}

/// A body on the ground under a cylinder: a partner with a curved surface.
pub(super) fn crowned(cell: &Cell) -> Result<World, WorldError> {
    let mut builder = empty(cell, down(), 0.0)?;
    add_floor(&mut builder)?;
    builder.body(upright(cell, Vec3::z() * HALF_HEIGHT, Vec3::zeros())?)?;
    let [radius, length] = CYLINDER;
    let above = at(0.01, 0.005, 2.0 * HALF_HEIGHT + 0.5 * length);
    builder.body(BodyDef::free(above).with(Shape::cylinder(radius, length)?, STEEL))?;
    builder.build()
}

/// A body that slides across its axis, and does not roll yet.
pub(super) fn rolling(cell: &Cell) -> Result<World, WorldError> {
    let mut builder = empty(cell, down(), 0.0)?;
    add_floor(&mut builder)?;
    builder.body(upright(cell, Vec3::z() * HALF_HEIGHT, Vec3::z().cross(&along()) * SPEED)?)?;
    builder.build()
}

/// A body that falls flat from rest.
pub(super) fn fallen(cell: &Cell) -> Result<World, WorldError> {
    let mut builder = empty(cell, down(), 0.0)?;
    add_floor(&mut builder)?;
    builder.body(upright(cell, Vec3::z() * (HALF_HEIGHT + FALL), Vec3::zeros())?)?;
    builder.build()
}

/// A body that falls from rest in no special orientation, with rolling friction.
pub(super) fn dropped(cell: &Cell, rolling: f64) -> Result<World, WorldError> {
    let mut builder = empty(cell, down(), rolling)?;
    add_floor(&mut builder)?;
    builder.body(tilted(cell, Vec3::z() * (CLEAR + FALL), Vec3::zeros())?)?;
    builder.build()
}

/// A body that is dropped and must come to rest.
pub(super) fn dropped_to_rest(cell: &Cell) -> Result<World, WorldError> {
    dropped(cell, ROLLING)
}

/// A body on the ground under a plate that is guided upright and pressed down.
pub(super) fn pressed(cell: &Cell) -> Result<World, WorldError> {
    let mut builder = empty(cell, down(), 0.0)?;
    add_floor(&mut builder)?;
    builder.body(upright(cell, Vec3::z() * HALF_HEIGHT, Vec3::zeros())?)?;
    let guide = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() });
    let guide = guide.parent_frame(at(0.0, 0.0, 2.0 * HALF_HEIGHT + 0.5 * PLATE));
    let plate = BodyDef::new(guide).with(Shape::cuboid(Vec3::new(0.4, 0.4, PLATE))?, STEEL);
    builder.body(plate.with_dof(0, Dof { motor: Motor::Effort(-PRESS), ..Dof::default() }))?;
    builder.build()
}

/// A body that falls into a groove with sides of 45 degrees.
pub(super) fn wedged(cell: &Cell) -> Result<World, WorldError> {
    let mut builder = empty(cell, down(), ROLLING)?;
    for x in [1.0, -1.0] {
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::new(x, 0.0, 1.0).normalize(), 0.0)?, STEEL))?;
    }
    builder.body(tilted(cell, Vec3::z() * (2.0 * CLEAR), Vec3::zeros())?)?;
    builder.build()
}

/// Speed [m/s] at which a body is thrown at a plate, and the thickness of the plate [m]: elastic contacts give way by a few millimetres at the lower speed.
fn throw(cell: &Cell) -> (f64, f64) {
    if cell.method_and_law.is_elastic() { (1.0, 0.02) } else { (30.0, 0.002) }
}

/// A body that is thrown at a thin plate, without gravity.
pub(super) fn thrown(cell: &Cell) -> Result<World, WorldError> {
    let (speed, thickness) = throw(cell);
    let mut builder = empty(cell, Vec3::zeros(), 0.0)?;
    let plate = ShapeDef::new(Shape::cuboid(Vec3::new(0.6, 0.6, thickness))?, STEEL);
    builder.fixed(plate.at(at(0.0, 0.0, -0.5 * thickness)))?;
    builder.body(tilted(cell, Vec3::z() * (2.0 * CLEAR), -Vec3::z() * speed)?)?;
    builder.build()
}

/// Two bodies that collide beside their middles, without gravity or ground.
pub(super) fn approaching(cell: &Cell) -> Result<World, WorldError> {
    let mut builder = empty(cell, Vec3::zeros(), 0.0)?;
    builder.body(tilted(cell, Vec3::new(-CLEAR, 0.0, 1.0), Vec3::x() * SPEED)?)?;
    builder.body(upright(cell, Vec3::new(CLEAR, 0.03, 1.02), Vec3::x() * (-0.5 * SPEED))?)?;
    builder.build()
}
