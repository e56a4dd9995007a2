//! Worlds whose contacts are quasi-LMDs: flat parts lie still, and parts with little clearance go into each other.

mod calm;
mod curved;
mod peg;
mod through;
mod ways;

use zerogap::contact::material::PairProperties;
use zerogap::dynamics::multibody::{BodyId, Inertia};
use zerogap::geometry::TriangleMesh;
use zerogap::world::{BodyDef, Collision, QuasiLmd, ShapeDef, Stepping, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

const QUASI: QuasiLmd =
    QuasiLmd { angular_tolerance: 0.087_266_462_599_716_47, dilation: Some(2e-5), inset: true };

/// What steps may miss the laws of contact by [m/s].
const TOLERANCE: f64 = 1e-12;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// A world that goes by steps, in which steel rubs on steel and nothing bounces.
fn by_steps(step: f64, friction: f64) -> WorldBuilder {
    let params = WorldParams::new(Stepping { step, tolerance: TOLERANCE, ..Stepping::default() });
    with(params, friction)
}

fn with(params: WorldParams, friction: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution: 0.0, friction, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder
}

fn quasi(shape: impl Into<Shape>) -> ShapeDef {
    ShapeDef::new(shape.into(), "steel").colliding(Collision::QuasiLmd(QUASI))
}

/// A free body of a mesh, of steel.
fn body(builder: &mut WorldBuilder, mesh: TriangleMesh, pose: Pose) -> BodyId {
    let mass = mesh.mass_properties(7850.0).unwrap();
    let inertia = Inertia { mass: mass.mass, center: mass.center, inertia: mass.inertia };
    builder.body(BodyDef::free(pose).with_shape(quasi(mesh)).with_inertia(inertia)).unwrap()
}
