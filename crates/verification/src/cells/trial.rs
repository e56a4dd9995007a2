//! The trials of each cell, and their expected results.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap_contact::material::PairProperties;
use zerogap_core::math::{cos, sin};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::BodyId;
use zerogap_simulation::world::{BodyDef, Stop, World, WorldBuilder, WorldError, WorldParams};

use super::Cell;
use super::collider::HALF_HEIGHT;
use super::method_and_law::Lack;
use crate::worlds::{G, STEEL, add_floor};
use crate::{Required, certain};

/// Friction in all trials [-].
const FRICTION: f64 = 0.5;

/// Restitution in all trials [-].
const RESTITUTION: f64 = 0.5;

/// Yaw of bodies [rad]: not along an axis.
const YAW: f64 = 0.3;

/// Speed at the start of the slide [m/s].
const SPEED: f64 = 1.0;

/// The slope [rad]: 15 degrees, of which friction holds 26.
const SLOPE: f64 = 0.261_799_387_799_149_4;

/// Height of the fall [m].
const FALL: f64 = 0.1;

/// Maximum number of calls of the interrupt callback, about one every 32 steps, before a run is abandoned [-].
const PATIENCE: usize = 400;

/// Outcome of a trial.
pub(super) enum Outcome {
    /// The combination is not supported: building the world returns a typed error.
    Refused,
    /// A number.
    Value(f64),
    /// The run ended with an error, or did not end.
    Failed(String),
}

/// Something that bodies do every day.
pub(super) struct Trial {
    /// Name in the row.
    pub(super) word: &'static str,
    /// What is measured.
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) applies: fn(&Cell) -> bool,
    pub(super) required: fn(&Cell) -> Required,
    build: fn(&Cell) -> Result<World, WorldError>,
    measure: fn(&mut World) -> Result<Option<f64>, WorldError>,
}

impl Trial {
    pub(super) fn run(&self, cell: &Cell) -> Outcome {
        let mut world = match (self.build)(cell) {
            Ok(world) => world,
            // The one unsupported combination among the cells: oriented collision with stepping or rigid contacts.
            Err(WorldError::Oriented { .. }) => return Outcome::Refused,
            Err(error) => return Outcome::Failed(error.to_string()),
        };
        let asked = AtomicUsize::new(0);
        world.interrupt_with(Some(Arc::new(move || {
            let is_over = asked.fetch_add(1, Ordering::Relaxed) >= PATIENCE;
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })));
        match (self.measure)(&mut world) {
            Ok(Some(value)) => Outcome::Value(value),
            Ok(None) => Outcome::Failed(format!("not over after {} steps", world.info().steps)),
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }
}

/// All trials.
pub(super) static TRIALS: [Trial; 6] = [
    Trial {
        word: "rest",
        name: "rest: speed after 1 s on the ground",
        unit: "m/s",
        applies: |cell| cell.method_and_law.has(Lack::Losses),
        required: |_| Required::AtMost { at_most: 1e-6 },
        build: |cell| standing(cell, 1, 0.0, 0.0),
        measure: |world| Ok(run_to(world, 1.0)?.then(|| fastest(world))),
    },
    Trial {
        word: "slide",
        name: "slide: distance to the stop from 1 m/s",
        unit: "m",
        applies: |cell| {
            !cell.collider.is_ball
                && cell.method_and_law.has(Lack::Losses)
                && cell.method_and_law.has(Lack::Friction)
        },
        required: |_| Required::Near { expected: SPEED * SPEED / (2.0 * FRICTION * G), tolerance: 2e-3 },
        build: |cell| standing(cell, 1, SPEED, 0.0),
        measure: |world| {
            let start = place(world);
            Ok(run_to(world, 0.5)?.then(|| (place(world) - start).norm()))
        },
    },
    Trial {
        word: "stick",
        name: "stick: creep down a slope of 15 degrees",
        unit: "m/s",
        applies: |cell| {
            !cell.collider.is_ball
                && cell.method_and_law.has(Lack::Losses)
                && cell.method_and_law.has(Lack::Sticking)
        },
        required: |_| Required::AtMost { at_most: 1e-9 },
        build: |cell| standing(cell, 1, 0.0, SLOPE),
        measure: |world| {
            if !run_to(world, 1.0)? {
                return Ok(None);
            }
            let start = place(world);
            Ok(run_to(world, 1.5)?.then(|| (place(world) - start).norm() / 0.5))
        },
    },
    Trial {
        word: "bounce",
        name: "bounce: restitution from the height reached",
        unit: "",
        applies: |cell| cell.method_and_law.has(Lack::Restitution),
        required: |cell| {
            let tolerance = if cell.method_and_law.is_elastic() { 0.05 } else { 0.01 };
            Required::Near { expected: RESTITUTION, tolerance }
        },
        build: |cell| fallen(cell, HALF_HEIGHT + FALL, Vec3::z(), YAW),
        measure: restitution,
    },
    Trial {
        word: "stack",
        name: "stack of two: speed after 1 s",
        unit: "m/s",
        applies: |cell| cell.collider.has_flat_top && cell.method_and_law.has(Lack::Losses),
        required: |_| Required::AtMost { at_most: 1e-6 },
        build: |cell| standing(cell, 2, 0.0, 0.0),
        measure: |world| Ok(run_to(world, 1.0)?.then(|| fastest(world))),
    },
    Trial {
        word: "energy",
        name: "energy: most gained in a tumble, against the height fallen",
        unit: "",
        applies: |_| true,
        required: |_| Required::AtMost { at_most: 1e-4 },
        build: |cell| fallen(cell, 0.15 + FALL, Vec3::new(1.0, 2.0, 3.0), 0.7),
        measure: gain,
    },
];

fn builder(cell: &Cell, gravity: Vec3) -> Result<WorldBuilder, WorldError> {
    let mut builder = WorldBuilder::new(WorldParams { gravity, ..cell.method_and_law.params() });
    let pair = PairProperties { restitution: RESTITUTION, friction: FRICTION, ..PairProperties::default() };
    builder.pair(STEEL, STEEL, pair)?;
    add_floor(&mut builder)?;
    Ok(builder)
}

/// Bodies one on another on the ground, which falls away by an angle in the direction in which they move.
fn standing(cell: &Cell, count: u32, speed: f64, slope: f64) -> Result<World, WorldError> {
    let along = Vec3::new(cos(YAW), sin(YAW), 0.0);
    let mut builder = builder(cell, (along * sin(slope) - Vec3::z() * cos(slope)) * G)?;
    for k in 0..count {
        let place = Vec3::z() * (HALF_HEIGHT * (1.0 + 2.0 * f64::from(k)));
        let pose = certain(Pose::from_axis_angle(place, Vec3::z(), YAW));
        let v = along * speed;
        let def = BodyDef::free(pose).with_shape((cell.collider.shape)()?);
        builder.body(def.moving(&[v.x, v.y, v.z, 0.0, 0.0, 0.0]))?;
    }
    builder.build()
}

/// A body that falls from rest.
fn fallen(cell: &Cell, height: f64, axis: Vec3, angle: f64) -> Result<World, WorldError> {
    let mut builder = builder(cell, -Vec3::z() * G)?;
    let pose = certain(Pose::from_axis_angle(Vec3::z() * height, axis, angle));
    builder.body(BodyDef::free(pose).with_shape((cell.collider.shape)()?))?;
    builder.build()
}

/// Runs on; false where it was given up.
fn run_to(world: &mut World, t: f64) -> Result<bool, WorldError> {
    Ok(world.advance_to(t)? == Stop::Reached)
}

fn place(world: &World) -> Vec3 {
    world.pose(BodyId(0)).translation()
}

/// Largest speed of any body, of its origin or of a point a decimetre from it [m/s].
fn fastest(world: &World) -> f64 {
    let speeds = world.body_states().into_iter().map(|(_, v, w)| v.norm().max(0.1 * w.norm()));
    speeds.fold(0.0, f64::max)
}

/// The square root of the height reached after the first impact against that of the fall [-].
fn restitution(world: &mut World) -> Result<Option<f64>, WorldError> {
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
fn gain(world: &mut World) -> Result<Option<f64>, WorldError> {
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
