//! Table II of Cheng Yi and Drumwright: the mean time that an iteration of a whole simulation takes, and section V-C: the fraction of it spent on contact determination.
//!
//! In: nothing. Out: rows that are reported and never judged, since times differ from machine to machine and from run to run. The scenes are theirs as far as the paper describes them.

use std::f64::consts::PI;

use zerogap_contact::material::PairProperties;
use zerogap_core::Vec3;
use zerogap_core::math::{cos, sin};
use zerogap_dynamics::multibody::Inertia;
use zerogap_geometry::{Polyhedron, Shape};

use super::Row;
use super::case::{Case, rows_of};
use super::sheet::Sheet;
use super::worlds::{How, STEEL, Scene, USUAL, at, down, rigid};
use zerogap_simulation::world::{BodyDef, ShapeDef, Stepping, WorldBuilder, WorldError};

/// The scenes, in the order of the table.
const CASES: [Case; 3] = [
    Case {
        description: "Table II, spinning box: 8 x 8 vertices, 1 m, 20 rad/s, friction 0.1, steps of 1 ms, 1 s",
        run: |sheet| timed(sheet, spinning_box, (1.3e-3, 0.162, 0.477)),
    },
    Case {
        description: "Table II, spinning sphere on a box: 8 x 200 vertices, vertex down, 1 m, 20 rad/s, no slip, steps of 1 ms, 1 s",
        run: |sheet| timed(sheet, spinning_sphere, (18e-3, 0.752, 0.268)),
    },
    Case {
        description: "Table II, rolling spheres: 200 x 200 vertices, 1 m, no slip, between walls without friction, steps of 1 ms, 1 s",
        run: |sheet| timed(sheet, rolling_sphere, (370e-3, 0.948, 0.017)),
    },
];

/// Vertices of a tessellated sphere [-].
const VERTICES: usize = 200;

/// Length of a step, and of a run [s].
const STEP: f64 = 1e-3;
const TIME: f64 = 1.0;

/// Friction that never slips here [-].
const NO_SLIP: f64 = 1e3;

/// The material of walls, without friction against steel.
const WALL: &str = "ice";

/// The rows of all scenes.
pub(super) fn rows(group: &'static str) -> Vec<Row> {
    CASES.iter().flat_map(|case| rows_of(group, case)).collect()
}

/// Runs a scene and reports the time of an iteration beside the paper's [s], and the fractions of contact determination and of V-Clip.
fn timed(
    sheet: &mut Sheet,
    build: fn() -> Result<Scene, WorldError>,
    (time, determination, v_clip): (f64, f64, f64),
) -> Result<(), WorldError> {
    let mut scene = build()?;
    scene.world.advance_to(TIME)?;
    let info = scene.world.info();
    let fraction = |name: &str| {
        info.time_fractions.iter().find(|(own, _)| own == name).map_or(f64::NAN, |(_, fraction)| *fraction)
    };
    sheet.timed("time per iteration", "s", info.wall / info.steps as f64);
    sheet.published(&[("Moby, 2.7 GHz", time)]);
    sheet.timed("time fraction of contacts", "", fraction("narrow phase and laws"));
    sheet.published(&[("Moby, contact determination", determination), ("Moby, V-Clip", v_clip)]);
    // The same run again: how much of it was contact.
    let frames = build()?.world.record_to(TIME, STEP)?;
    let pushing = frames.iter().skip(1).filter(|frame| !frame.contacts.is_empty()).count();
    sheet.reported(
        "fraction of iterations with active contacts",
        "",
        pushing as f64 / (frames.len() - 1) as f64,
    );
    Ok(())
}

/// An empty world with time steps of 1 ms.
fn steps(friction: f64) -> Result<WorldBuilder, WorldError> {
    let stepping = Stepping { step: STEP, ..Stepping::default() };
    rigid(How::Steps(stepping), down(), (0.0, friction), USUAL)
}

/// A fixed box whose upper face is at height zero.
fn add_table(builder: &mut WorldBuilder) -> Result<(), WorldError> {
    let table = Polyhedron::from_points(&corners(Vec3::new(2.0, 2.0, 0.5)))?;
    builder.fixed(ShapeDef::new(Shape::from(table), STEEL).at(at(0.0, 0.0, -0.5)))?;
    Ok(())
}

/// The corners of a box about the origin, by half its sides [m].
fn corners(half: Vec3) -> Vec<Vec3> {
    let signs = [-1.0, 1.0];
    let xy = signs.iter().flat_map(|x| signs.iter().map(move |y| (x, y)));
    xy.flat_map(|(x, y)| signs.iter().map(move |z| Vec3::new(x * half.x, y * half.y, z * half.z))).collect()
}

/// A polyhedron with all its vertices on the unit sphere, evenly, the first straight below the origin.
fn tessellated() -> Result<Shape, WorldError> {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    let points: Vec<Vec3> = (0..VERTICES)
        .map(|k| {
            let (z, turn) = (2.0 * k as f64 / (VERTICES - 1) as f64 - 1.0, golden * k as f64);
            let radius = (1.0 - z * z).max(0.0).sqrt();
            Vec3::new(radius * cos(turn), radius * sin(turn), z)
        })
        .collect();
    Ok(Shape::from(Polyhedron::from_points(&points)?))
}

fn spinning_box() -> Result<Scene, WorldError> {
    let mut builder = steps(0.1)?;
    add_table(&mut builder)?;
    let cube = Polyhedron::from_points(&corners(Vec3::repeat(0.5)))?;
    let def = BodyDef::free(at(0.0, 0.0, 0.5)).with(Shape::from(cube), STEEL);
    let body = builder.body(def.moving(&[0.0, 0.0, 0.0, 0.0, 0.0, 20.0]))?;
    Scene::new(builder, vec![body])
}

fn spinning_sphere() -> Result<Scene, WorldError> {
    let mut builder = steps(NO_SLIP)?;
    add_table(&mut builder)?;
    let def = BodyDef::free(at(0.0, 0.0, 1.0)).with(tessellated()?, STEEL);
    let def = def.with_inertia(Inertia::sphere(1.0, 1.0)).moving(&[0.0, 0.0, 0.0, 0.0, 0.0, 20.0]);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}

fn rolling_sphere() -> Result<Scene, WorldError> {
    // Walls leave a small clearance.
    const ROOM: f64 = 1e-3;
    let mut builder = steps(NO_SLIP)?;
    builder.pair(
        STEEL,
        WALL,
        PairProperties { restitution: 0.0, friction: 0.0, ..PairProperties::default() },
    )?;
    builder.fixed(ShapeDef::new(tessellated()?, STEEL))?;
    for side in [-1.0, 1.0] {
        let wall = Shape::half_space(Vec3::new(0.0, side, 0.0), -(1.0 + ROOM))?;
        builder.fixed(ShapeDef::new(wall, WALL))?;
    }
    // Vertex on vertex at the start, rolling towards x.
    let def = BodyDef::free(at(0.0, 0.0, 2.0)).with(tessellated()?, STEEL);
    let def = def.with_inertia(Inertia::sphere(1.0, 1.0)).moving(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}
