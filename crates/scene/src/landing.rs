//! `[landing]`: a helicopter with skids on a deck, in place of bodies.

use std::path::Path;
use std::sync::Arc;

use zerogap_core::Pose;
use zerogap_dynamics::beam::{Rayleigh, Section};
use zerogap_dynamics::multibody::HarmonicMotion;

use super::error::SceneError;
use super::motion::motion;
use super::reader::Table;
use zerogap_simulation::landing::{Craft, DeckContact, LandingParams, Lift, Pull, Start, Tie};
use zerogap_simulation::world::{MethodParams, WorldParams};

/// Keys of `[world]` that say nothing about a landing.
const USELESS: [&str; 9] = [
    "contact",
    "stiffness",
    "damping",
    "damping_ratio",
    "impact",
    "step",
    "tolerance",
    "zero_functions",
    "allow_overlap",
];

/// Tables that stand for bodies, which a landing has not.
const BODIES: [&str; 7] = ["materials", "pairs", "fixed", "bodies", "loops", "exclude", "robot"];

/// The landing of a file, if it is one; `world` are its settings.
pub(super) fn landing(
    top: &Table<'_>,
    world: &WorldParams,
    folder: &Path,
) -> Result<Option<LandingParams>, SceneError> {
    let Some(table) = top.table("landing")? else { return Ok(None) };
    if let Some(key) = BODIES.into_iter().find(|key| top.has(key)) {
        let error = SceneError::at(top.place(key), format!("a landing has no use for '{key}'"));
        return Err(error.with_help("a scene is a [landing], or it has bodies"));
    }
    let usual = LandingParams::default();
    let mut params = LandingParams {
        gravity: -world.gravity.z,
        craft: craft(&table, &usual.craft)?,
        start: start(&table, &usual.start)?,
        lift: lift(&table, &usual.lift)?,
        contact: contact(&table, &usual.contact)?,
        ties: table.tables("ties")?.iter().map(tie).collect::<Result<_, _>>()?,
        pull: table.table("pull")?.as_ref().map(pull).transpose()?,
        ..usual
    };
    deck(&table, folder, &mut params)?;
    if let Some(own) = top.table("world")? {
        if let Some(key) = USELESS.into_iter().find(|key| own.has(key)) {
            let error = own.wrong(key, format!("a landing has no use for '{key}'"));
            return Err(
                error.with_help("of [world] it takes gravity, method, integrator, rtol, atol and max_step")
            );
        }
        let MethodParams::Events(events) = world.method else {
            let error = own.wrong("method", "a landing is simulated by located events");
            return Err(error.with_help("write method = \"events\", or leave it out"));
        };
        params.integrator = events.integrator;
        if own.has("rtol") || own.has("atol") {
            params.tolerance = events.tolerance;
        }
        if own.has("max_step") {
            params.max_step = events.max_step;
        }
    }
    params.check().map_err(|error| SceneError::at(table.span.clone(), error.to_string()))?;
    Ok(Some(params))
}

/// Two numbers of a key, or others.
fn pair(table: &Table<'_>, key: &str, usual: [f64; 2]) -> Result<[f64; 2], SceneError> {
    Ok(table.vector(key)?.map_or(usual, |v| [v.x, v.y]))
}

fn deck(table: &Table<'_>, folder: &Path, params: &mut LandingParams) -> Result<(), SceneError> {
    let deck = table.table("deck")?.ok_or_else(|| table.missing("deck"))?;
    let needed = |key: &str| deck.positive(key)?.ok_or_else(|| deck.missing(key));
    params.deck.width = needed("width")?;
    params.deck.thickness = needed("thickness")?;
    params.deck.motion = if let Some(own) = deck.table("motion")? {
        motion(&own, folder)?
    } else {
        let still = HarmonicMotion::new(Pose::identity(), Default::default(), Default::default());
        Arc::new(still.map_err(|error| SceneError::at(deck.span.clone(), error.to_string()))?)
    };
    Ok(())
}

fn craft(table: &Table<'_>, usual: &Craft) -> Result<Craft, SceneError> {
    let Some(table) = table.table("craft")? else { return Ok(usual.clone()) };
    let mut nodes = usual.nodes;
    for (axis, key) in ["across", "up"].into_iter().enumerate() {
        if let Some(numbers) = table.numbers(key)? {
            nodes.iter_mut().zip(numbers).for_each(|(node, x)| node[axis] = x);
        }
    }
    let (young_modulus, density) = (table.positive("young_modulus")?, table.positive("density")?);
    let diameter = table.positive("diameter")?.unwrap_or(0.08);
    let wall = table.positive("wall")?.unwrap_or(0.01);
    if wall > 0.5 * diameter {
        let message = format!("'wall' is thicker than half of the diameter, which is {diameter} m");
        return Err(table.wrong("wall", message).with_help("a wall of half the diameter is a solid rod"));
    }
    let section = Section::tube(
        young_modulus.unwrap_or(usual.section.young_modulus),
        density.unwrap_or(usual.section.density),
        diameter,
        wall,
    );
    Ok(Craft {
        mass: table.positive("mass")?.unwrap_or(usual.mass),
        inertia: table.positive("inertia")?.unwrap_or(usual.inertia),
        nodes,
        section,
        skid_mass: table.not_negative("skid_mass")?.unwrap_or(usual.skid_mass),
        damping: Rayleigh {
            mass: table.not_negative("damping_by_mass")?.unwrap_or(usual.damping.mass),
            stiffness: table.not_negative("damping_by_stiffness")?.unwrap_or(usual.damping.stiffness),
        },
    })
}

fn start(table: &Table<'_>, usual: &Start) -> Result<Start, SceneError> {
    let Some(table) = table.table("start")? else { return Ok(*usual) };
    Ok(Start {
        position: pair(&table, "position", usual.position)?,
        roll: table.quantity("roll")?.unwrap_or(usual.roll),
        velocity: pair(&table, "velocity", usual.velocity)?,
        roll_rate: table.quantity("roll_rate")?.unwrap_or(usual.roll_rate),
    })
}

fn lift(table: &Table<'_>, usual: &Lift) -> Result<Lift, SceneError> {
    let Some(table) = table.table("lift")? else { return Ok(*usual) };
    Ok(Lift {
        share: table.not_negative("share")?.unwrap_or(usual.share),
        fade: table.positive("fade")?.unwrap_or(usual.fade),
    })
}

fn contact(table: &Table<'_>, usual: &DeckContact) -> Result<DeckContact, SceneError> {
    let Some(table) = table.table("contact")? else { return Ok(*usual) };
    let own_friction = table.not_negative("friction")?;
    let friction = own_friction.unwrap_or(usual.friction);
    let statics = table.not_negative("static_friction")?;
    if statics.is_some_and(|own| own < friction) {
        let message = format!("'static_friction' is below 'friction', which is {friction}");
        let error = table.wrong("static_friction", message);
        return Err(error.with_help("it takes at least as much to start sliding as to go on"));
    }
    Ok(DeckContact {
        stiffness: table.positive("stiffness")?.unwrap_or(usual.stiffness),
        damping: table.not_negative("damping")?.unwrap_or(usual.damping),
        friction,
        // A friction that is given alone counts before sliding starts too, as between materials.
        static_friction: statics.or(own_friction).unwrap_or(usual.static_friction),
        grip_stiffness: table.positive("grip_stiffness")?.unwrap_or(usual.grip_stiffness),
        grip_damping: table.not_negative("grip_damping")?.unwrap_or(usual.grip_damping),
    })
}

fn tie(table: &Table<'_>) -> Result<Tie, SceneError> {
    let place = |key: &str| table.vector(key)?.map(|v| [v.x, v.y]).ok_or_else(|| table.missing(key));
    Ok(Tie {
        at: table.not_negative("at")?.ok_or_else(|| table.missing("at"))?,
        body: place("body")?,
        deck: place("deck")?,
        stiffness: table.positive("stiffness")?.ok_or_else(|| table.missing("stiffness"))?,
        damping: table.not_negative("damping")?.unwrap_or(0.0),
        tension: table.not_negative("tension")?.unwrap_or(0.0),
    })
}

fn pull(table: &Table<'_>) -> Result<Pull, SceneError> {
    let pull = Pull {
        from: table.not_negative("from")?.ok_or_else(|| table.missing("from"))?,
        until: table.positive("until")?.ok_or_else(|| table.missing("until"))?,
        ramp: table.positive("ramp")?.unwrap_or(0.5),
        force: table.quantity("force")?.ok_or_else(|| table.missing("force"))?,
        body: pair(table, "body", [0.0; 2])?,
    };
    if pull.until - pull.from < 2.0 * pull.ramp {
        let message = format!("the pull ends before it could grow and go, which takes {} s each", pull.ramp);
        return Err(table.wrong("until", message).with_help("write a later time, or a shorter 'ramp'"));
    }
    Ok(pull)
}
