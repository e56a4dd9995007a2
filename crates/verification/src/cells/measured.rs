//! What the trials measure: each runs a world and returns a number, or none where the run was abandoned.

use zerogap_core::Vec3;
use zerogap_dynamics::multibody::BodyId;
use zerogap_simulation::world::{ShapeId, Stop, World, WorldError};

use super::arrangement::{FALL, PRESS, SPEED};
use super::collider::HALF_HEIGHT;
use crate::worlds::G;

/// Runs on; false where it was given up.
pub(super) fn run_to(world: &mut World, t: f64) -> Result<bool, WorldError> {
    Ok(world.advance_to(t)? == Stop::Reached)
}

/// Where the first body is [m].
pub(super) fn place(world: &World) -> Vec3 {
    world.pose(BodyId(0)).translation()
}

/// Largest speed of any body, of its origin or of a point a decimetre from it [m/s].
pub(super) fn fastest(world: &World) -> f64 {
    let speeds = world.body_states().into_iter().map(|(_, v, w)| v.norm().max(0.1 * w.norm()));
    speeds.fold(0.0, f64::max)
}

/// The square root of the height reached after the first impact against that of the fall [-].
pub(super) fn restitution(world: &mut World) -> Result<Option<f64>, WorldError> {
    const SAMPLES: u32 = 300;
    let start = place(world).z;
    let mut highest = f64::NEG_INFINITY;
    for k in 1..=SAMPLES {
        if !run_to(world, 1e-3 * f64::from(k))? {
            return Ok(None);
        }
        if world.velocity(BodyId(0)).z > 0.0 {
            highest = highest.max(place(world).z);
        }
    }
    Ok(Some(((highest - (start - FALL)) / FALL).max(0.0).sqrt()))
}

/// Largest rise of the energy above its start, relative to the energy of the fall; infinite where the body falls through [-].
pub(super) fn gain(world: &mut World) -> Result<Option<f64>, WorldError> {
    const SAMPLES: u32 = 60;
    let start = world.energy().total();
    let fall = FALL * G * world.tree().inertia(BodyId(0)).mass;
    let mut max = f64::NEG_INFINITY;
    for k in 1..=SAMPLES {
        if !run_to(world, 1e-2 * f64::from(k))? {
            return Ok(None);
        }
        max = max.max(world.energy().total() - start);
        // What falls through the ground keeps its energy.
        if place(world).z < 0.0 {
            return Ok(Some(f64::INFINITY));
        }
    }
    Ok(Some(max / fall))
}

/// Speed of a body that slid until it rolled, against that by its angular momentum about a point of the ground [-].
pub(super) fn rolling_speed(world: &mut World) -> Result<Option<f64>, WorldError> {
    // It rolls after 0.07 s.
    if !run_to(world, 0.3)? {
        return Ok(None);
    }
    let inertia = world.tree().inertia(BodyId(0));
    // About the axis on which it rolls, the x axis of the body.
    let ratio = inertia.inertia[(0, 0)] / (inertia.mass * HALF_HEIGHT * HALF_HEIGHT);
    Ok(Some(world.velocity(BodyId(0)).norm() * (1.0 + ratio) / SPEED))
}

/// How far the force of the floor is from the weights and what presses on them, relative to it [-].
pub(super) fn floor_force_error(world: &mut World) -> Result<Option<f64>, WorldError> {
    if !run_to(world, 1.0)? {
        return Ok(None);
    }
    let is_of_floor = |shape: ShapeId| shape == ShapeId(0);
    let contacts = world.contacts();
    let force: f64 = contacts
        .iter()
        .filter(|c| is_of_floor(c.pair.a) || is_of_floor(c.pair.b))
        .map(|c| c.normal_force)
        .sum();
    let mass: f64 = (0..2).map(|k| world.tree().inertia(BodyId(k)).mass).sum();
    let expected = mass * G + PRESS;
    Ok(Some((force - expected).abs() / expected))
}

/// How far the middle of a body came below the top of the plate that it was thrown at, negative above it [m].
pub(super) fn way_through(world: &mut World) -> Result<Option<f64>, WorldError> {
    const SAMPLES: u32 = 20;
    let speed = world.velocity(BodyId(0)).norm();
    let until = 2.0 * place(world).z / speed;
    let mut lowest = f64::INFINITY;
    for k in 1..=SAMPLES {
        if !run_to(world, until * f64::from(k) / f64::from(SAMPLES))? {
            return Ok(None);
        }
        lowest = lowest.min(place(world).z);
    }
    Ok(Some(-lowest))
}

/// Change of momentum and angular momentum in a collision, relative to them; infinite where there was none [-].
pub(super) fn momentum_error(world: &mut World) -> Result<Option<f64>, WorldError> {
    let ((p, l), v) = (world.momentum(), world.velocity(BodyId(0)));
    if !run_to(world, 0.3)? {
        return Ok(None);
    }
    let (p_end, l_end) = world.momentum();
    let has_collided = (world.velocity(BodyId(0)) - v).norm() > 0.1 * SPEED;
    let error = ((p_end - p).norm() / p.norm()).max((l_end - l).norm() / l.norm());
    Ok(Some(if has_collided { error } else { f64::INFINITY }))
}

/// Whether the state after a collision differs between one thread and three: 0 where every bit is the same [-].
pub(super) fn changed_bits(world: &mut World) -> Result<Option<f64>, WorldError> {
    let start = world.save();
    let mut hashes = Vec::new();
    for threads in [1, 3] {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else { return Ok(None) };
        world.restore(&start)?;
        if !pool.install(|| run_to(world, 0.2))? {
            return Ok(None);
        }
        hashes.push(world.hash());
    }
    Ok(Some(if hashes[0] == hashes[1] { 0.0 } else { 1.0 }))
}
