//! The scenes: a polyhedron that spins on a box, one that rolls on another facet by facet, and a smooth one that rolls on a smooth one.

use std::f64::consts::PI;
use std::sync::Arc;

use zerogap_contact::material::PairProperties;
use zerogap_core::math::{cos, sin};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::Inertia;
use zerogap_geometry::shape::{SmoothHull, UserShape};
use zerogap_geometry::{Convex, ConvexShape, Polyhedron, Shape};
use zerogap_proximity::ContactParams;
use zerogap_proximity::convex::contacts;

use super::super::super::certain;
use super::super::super::worlds::{G, How, STEEL, Scene, at, down, rigid};
use super::facets::{Wheel, regular};
use super::tessellate::{middle_radius, rings_with_poles, spiral, wheel};
use zerogap_simulation::world::{BodyDef, Overlaps, ShapeDef, Stepping, WorldBuilder, WorldError};

/// Friction that never slips here [-]: impulses from the walls need 3.2 at most.
const NO_SLIP: f64 = 10.0;
/// The material of walls, without friction and losses against steel.
const WALL: &str = "ice";
/// Maximum residual of the contact laws [m/s].
const TOLERANCE: f64 = 1e-11;

/// A world without slip and without restitution between bodies of steel.
fn without_slip(step: f64, midpoint_iterations: usize) -> Result<WorldBuilder, WorldError> {
    let stepping = Stepping { step, tolerance: TOLERANCE, midpoint_iterations, ..Stepping::default() };
    let mut builder = rigid(How::Steps(stepping), down(), (0.0, NO_SLIP), 1e-6)?;
    let properties = PairProperties { restitution: 1.0, friction: 0.0, ..PairProperties::default() };
    builder.pair(STEEL, WALL, properties)?;
    Ok(builder)
}

/// One kilogram with the inertia of a solid ball of radius 1 m: the limit of the polyhedra, and the same about every axis.
pub(super) fn ball_inertia() -> Inertia {
    Inertia::sphere(1.0, 1.0)
}

/// A polyhedron on its lowest vertex on a box, spinning at 20 rad/s about its axis, which leans by `lean` [rad].
pub(super) fn spinning((sides, rings): (usize, usize), step: f64, lean: f64) -> Result<Scene, WorldError> {
    const SPIN: f64 = 20.0;
    let mut builder = without_slip(step, 0)?;
    let table = Shape::cuboid(Vec3::new(4.0, 4.0, 1.0))?;
    builder.fixed(ShapeDef::new(table, STEEL).at(at(0.0, 0.0, -0.5)))?;
    let polyhedron = Polyhedron::from_points(&rings_with_poles(sides, rings))?;
    let tilted = certain(Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), lean));
    let pose = certain(Pose::from_axis_angle(tilted.transform_vector(&Vec3::z()), Vec3::x(), lean));
    let def = BodyDef::free(pose)
        .with(Shape::from(polyhedron), STEEL)
        .with_inertia(ball_inertia())
        .moving(&[0.0, 0.0, 0.0, 0.0, 0.0, SPIN]);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}

/// A [`wheel`] of unit radius that rolls on one of another radius, from side on side, at a spin [rad/s] about the right end of their common segment.
pub(super) fn rolling_facets(
    (sides, rings): (usize, usize),
    radius: f64,
    (step, spin): (f64, f64),
) -> Result<(Scene, Wheel), WorldError> {
    let points = wheel(sides, rings);
    let mut builder = without_slip(step, 0)?;
    let scaled: Vec<Vec3> = points.iter().map(|point| point * radius).collect();
    builder.fixed(ShapeDef::new(Shape::from(Polyhedron::from_points(&scaled)?), STEEL))?;

    // In the plane of the motion: polygons with a side up and one down.
    let own = middle_radius(rings);
    let angle = PI / sides as f64;
    let (across, below) = (own * sin(angle), own * cos(angle));
    let height = below * (1.0 + radius);
    let pivot = [across * radius.min(1.0), below * radius];
    let arm = Vec3::new(-pivot[0], 0.0, height - pivot[1]);
    let velocity = Vec3::new(0.0, spin, 0.0).cross(&arm);
    let def = BodyDef::free(at(0.0, 0.0, height))
        .with(Shape::from(Polyhedron::from_points(&points)?), STEEL)
        .with_inertia(ball_inertia())
        .moving(&[velocity.x, velocity.y, velocity.z, 0.0, spin, 0.0]);
    let body = builder.body(def)?;
    // Touching to rounding.
    builder.set_overlaps(Overlaps::Allow);
    let gyration = ball_inertia().inertia[(0, 0)];
    let center = [0.0, height];
    let predicted = Wheel::new(
        (regular(sides, own, center), center),
        regular(sides, own * radius, [0.0, 0.0]),
        pivot,
        (gyration, G, spin),
    );
    Ok((Scene::new(builder, vec![body])?, predicted))
}

/// A smooth hull of points on a sphere of a radius [m].
fn smooth(count: usize, radius: f64, exponent: u32) -> Result<ConvexShape, WorldError> {
    let points: Vec<Vec3> = spiral(count).into_iter().map(|point| point * radius).collect();
    let hull = SmoothHull::new(&Polyhedron::from_points(&points)?, exponent)?;
    Ok(UserShape::new(Arc::new(hull)).into())
}

/// A smooth hull of so many points of the unit sphere that rolls on top of one of another radius, between four walls without friction that throw it back.
///
/// The walls are 0.25 m from it and lean inwards by 0.1, so that an impulse from them never lifts the ball off.
pub(super) fn rolling_round(
    count: usize,
    exponent: u32,
    radius: f64,
    (step, midpoint_iterations): (f64, usize),
) -> Result<Scene, WorldError> {
    const ROOM: f64 = 0.25;
    const LEAN: f64 = 0.1;
    let (top, bottom) = (smooth(count, 1.0, exponent)?, smooth(count, radius, exponent)?);
    // An orientation without any symmetry, lowered until it touches.
    let pose = |height: f64| {
        let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
        certain(Pose::from_axis_angle(Vec3::new(0.0, 0.0, height), axis, 1.0))
    };
    let mut height = 2.0 * (radius + 1.0);
    let mut touch = Vec3::zeros();
    for _ in 0..60 {
        let params = ContactParams::within(f64::INFINITY);
        let found = contacts(&bottom, &Pose::identity(), &top, &pose(height), &params);
        height -= found.gap.gap / found.normal.z;
        touch = found.gap.point_b;
    }

    let mut builder = without_slip(step, midpoint_iterations)?;
    builder.fixed(ShapeDef::new(bottom.into(), STEEL))?;
    let reach = top.bounding_box().max.x;
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let inward = Vec3::new(x, y, -LEAN).normalize();
        let offset = inward.dot(&Vec3::new(-x * ROOM, -y * ROOM, height)) - reach;
        builder.fixed(ShapeDef::new(Shape::half_space(inward, offset)?, WALL))?;
    }
    let spin = Vec3::new(0.0, 1.0, 0.1);
    let velocity = spin.cross(&(Vec3::new(0.0, 0.0, height) - touch));
    let own = pose(height).inverse_transform_vector(&spin);
    let def = BodyDef::free(pose(height))
        .with(top.into(), STEEL)
        .with_inertia(ball_inertia())
        .moving(&[velocity.x, velocity.y, velocity.z, own.x, own.y, own.z]);
    let body = builder.body(def)?;
    builder.set_overlaps(Overlaps::Allow);
    Scene::new(builder, vec![body])
}
