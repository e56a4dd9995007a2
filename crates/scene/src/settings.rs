//! `[world]`: gravity and the method with what it uses.

use zerogap_core::Vec3;

use super::error::SceneError;
use super::reader::Table;
use zerogap_simulation::landing::LandingParams;
use zerogap_simulation::world::settings::{
    ContactSettings, SettingError, integrator, step_forces, tolerance,
};
use zerogap_simulation::world::{
    ContactModel, EventLocation, MethodParams, StepForces, Stepping, WorldError, WorldParams, ZeroFunctions,
    check_step,
};

/// The settings of the world.
pub(super) fn params(top: &Table<'_>, gravity: Option<Vec3>) -> Result<WorldParams, SceneError> {
    let mut params = WorldParams::default();
    params.gravity = gravity.unwrap_or(params.gravity);
    let Some(world) = top.table("world")? else { return Ok(params) };
    if let Some(gravity) = world.vector("gravity")? {
        params.gravity = gravity;
    }
    let method = world.word("method")?.unwrap_or("events");
    params.method = match step_forces(method) {
        Some(forces) => stepping(&world, forces)?.into(),
        None => event_location(&world)?.into(),
    };
    params.check().map_err(|error| match error {
        WorldError::TooMany { .. } => world.wrong("zero_functions", error.to_string()),
        _ => SceneError::at(world.span.clone(), error.to_string()),
    })?;
    Ok(params)
}

/// Located events.
fn event_location(world: &Table<'_>) -> Result<EventLocation, SceneError> {
    let mut events = EventLocation::new(contact(world)?);
    let word = world.word("integrator")?;
    events.integrator = integrator(word).map_err(|error| world.wrong("integrator", error.to_string()))?;
    events.tolerance = tolerance(world.positive("rtol")?, world.positive("atol")?);
    if events.tolerance.relative >= 1.0 {
        return Err(world
            .wrong("rtol", "'rtol' must be below 1")
            .with_help("write a tolerance such as 1e-6"));
    }
    events.max_step = world.step("max_step")?.unwrap_or(events.max_step);
    if world.is_text("zero_functions") {
        world.word("zero_functions")?;
        events.functions = ZeroFunctions::Two;
    } else if let Some(count) = world.count("zero_functions")? {
        events.functions = ZeroFunctions::Smallest(count);
    }
    Ok(events)
}

/// Refuses steps that are too short for time to advance to the end of the run [s].
pub(super) fn check_steps(
    top: &Table<'_>,
    method: &MethodParams,
    landing: Option<&LandingParams>,
    until: f64,
) -> Result<(), SceneError> {
    let (key, what, step) = match (method, landing) {
        (_, Some(landing)) => ("max_step", "longest step", landing.max_step),
        (MethodParams::Stepping(stepping), _) => ("step", "step", stepping.step),
        (MethodParams::Events(events), _) => ("max_step", "longest step", events.max_step),
    };
    let Err(error) = check_step(what, step, until) else { return Ok(()) };
    let help = "write a longer step or an earlier end: time is stored with 16 digits";
    // Where the step is the default, it is the end of the run that is too far.
    let place = match top.table("world")?.filter(|world| world.has(key)) {
        Some(world) => world.wrong(key, error.to_string()),
        None => match top.table("run")? {
            Some(run) => run.wrong("until", error.to_string()),
            None => SceneError::whole(error.to_string()),
        },
    };
    Err(place.with_help(help))
}

/// Steps of one length.
fn stepping(world: &Table<'_>, forces: StepForces) -> Result<Stepping, SceneError> {
    // It may say what its contacts are anyway.
    contact(world)?;
    let usual = Stepping::default();
    Ok(Stepping {
        forces,
        step: world.step("step")?.unwrap_or(usual.step),
        tolerance: world.positive("tolerance")?.unwrap_or(usual.tolerance),
        ..usual
    })
}

/// The contact model, with no number that it has no use for.
fn contact(world: &Table<'_>) -> Result<ContactModel, SceneError> {
    let given = ContactSettings {
        contact: world.word("contact")?,
        impact: world.word("impact")?,
        stiffness: world.positive("stiffness")?,
        damping: world.not_negative("damping")?,
        damping_ratio: world.not_negative("damping_ratio")?,
    };
    given.model().map_err(|error| match error {
        SettingError::Missing { key, .. } => world.missing(key),
        SettingError::Unused { key, .. }
        | SettingError::UnusedByMethod { key, .. }
        | SettingError::Unknown { key, .. } => {
            world.wrong(key, error.to_string()).with_help("linear takes stiffness and damping_ratio, kelvin-voigt stiffness and damping, rigid takes impact")
        }
    })
}
