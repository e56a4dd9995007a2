//! `[landing]`: a helicopter with skids on a deck, in place of bodies.

use std::path::Path;
use std::sync::Arc;

use zerogap_core::Pose;
use zerogap_dynamics::beam::{Rayleigh, Section};
use zerogap_dynamics::multibody::HarmonicMotion;

use super::error::SceneError;
use super::landing_keys::{DIAMETER, RAMP, WALL};
use super::motion::motion;
use super::reader::Table;
use zerogap_simulation::landing::{Craft, DeckContact, LandingParams, Lift, Pull, Start, Tie};
use zerogap_simulation::settings::{Source, read_landing};
use zerogap_simulation::world::WorldParams;

/// Tables that stand for bodies, which a landing has not.
const BODIES: [&str; 9] =
    ["materials", "pairs", "fixed", "bodies", "loops", "exclude", "robot", "robots", "commands"];

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
        read_landing(&own, &mut params)?;
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
    params.deck.width = deck.needed("width")?;
    params.deck.thickness = deck.needed("thickness")?;
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
    let (young_modulus, density) = (table.quantity("young_modulus")?, table.quantity("density")?);
    let diameter = table.quantity("diameter")?.unwrap_or(DIAMETER);
    let wall = table.quantity("wall")?.unwrap_or(WALL);
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
        mass: table.quantity("mass")?.unwrap_or(usual.mass),
        inertia: table.quantity("inertia")?.unwrap_or(usual.inertia),
        nodes,
        section,
        skid_mass: table.quantity("skid_mass")?.unwrap_or(usual.skid_mass),
        damping: Rayleigh {
            mass: table.quantity("damping_by_mass")?.unwrap_or(usual.damping.mass),
            stiffness: table.quantity("damping_by_stiffness")?.unwrap_or(usual.damping.stiffness),
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
        fraction: table.quantity("fraction")?.unwrap_or(usual.fraction),
        fade: table.quantity("fade")?.unwrap_or(usual.fade),
    })
}

fn contact(table: &Table<'_>, usual: &DeckContact) -> Result<DeckContact, SceneError> {
    let Some(table) = table.table("contact")? else { return Ok(*usual) };
    let own_friction = table.quantity("friction")?;
    let friction = own_friction.unwrap_or(usual.friction);
    let statics = table.quantity("static_friction")?;
    if statics.is_some_and(|own| own < friction) {
        let message = format!("'static_friction' is below 'friction', which is {friction}");
        let error = table.wrong("static_friction", message);
        return Err(error.with_help("static friction must not be below sliding friction"));
    }
    Ok(DeckContact {
        stiffness: table.quantity("stiffness")?.unwrap_or(usual.stiffness),
        damping: table.quantity("damping")?.unwrap_or(usual.damping),
        friction,
        // A friction that is given alone counts before sliding starts too, as between materials.
        static_friction: statics.or(own_friction).unwrap_or(usual.static_friction),
        grip_stiffness: table.quantity("grip_stiffness")?.unwrap_or(usual.grip_stiffness),
        grip_damping: table.quantity("grip_damping")?.unwrap_or(usual.grip_damping),
    })
}

fn tie(table: &Table<'_>) -> Result<Tie, SceneError> {
    let place = |key: &str| table.vector(key)?.map(|v| [v.x, v.y]).ok_or_else(|| table.missing(key));
    Ok(Tie {
        at: table.needed("at")?,
        body: place("body")?,
        deck: place("deck")?,
        stiffness: table.needed("stiffness")?,
        damping: table.quantity("damping")?.unwrap_or(0.0),
        tension: table.quantity("tension")?.unwrap_or(0.0),
    })
}

fn pull(table: &Table<'_>) -> Result<Pull, SceneError> {
    let pull = Pull {
        from: table.needed("from")?,
        until: table.needed("until")?,
        ramp: table.quantity("ramp")?.unwrap_or(RAMP),
        force: table.needed("force")?,
        body: pair(table, "body", [0.0; 2])?,
    };
    if pull.until - pull.from < 2.0 * pull.ramp {
        let message =
            format!("the pull ends before it could rise and fall, which takes {} s each", pull.ramp);
        return Err(table.wrong("until", message).with_help("write a later time, or a shorter 'ramp'"));
    }
    Ok(pull)
}
