//! `[world]`: gravity, contact model and integrator.

use zerogap_contact::solve::ImpactLaw;
use zerogap_core::Vec3;
use zerogap_dynamics::integrate::Method;

use super::error::SceneError;
use super::reader::Table;
use zerogap_simulation::world::settings::{ContactSettings, SettingError, tolerance};
use zerogap_simulation::world::{
    ContactModel, StepForces, Stepping, WorldError, WorldParams, ZeroFunctions, check_step,
};

/// The settings of the world.
pub(super) fn params(top: &Table<'_>, gravity: Option<Vec3>) -> Result<WorldParams, SceneError> {
    let mut params = WorldParams::default();
    params.gravity = gravity.unwrap_or(params.gravity);
    let Some(world) = top.table("world")? else { return Ok(params) };
    if let Some(gravity) = world.vector("gravity")? {
        params.gravity = gravity;
    }
    params.contact = contact(&world)?;
    params.stepping = stepping(&world)?;
    if params.stepping.is_some() {
        params.contact = ContactModel::Rigid(ImpactLaw::default());
    }
    params.method = match world.word("method")? {
        Some("dop853") => Method::Dop853,
        Some("radau") => Method::Radau,
        _ => Method::Auto,
    };
    params.tolerance = tolerance(world.positive("rtol")?, world.positive("atol")?);
    if params.tolerance.relative >= 1.0 {
        return Err(world
            .wrong("rtol", "'rtol' must be below 1")
            .with_help("write a tolerance such as 1e-6"));
    }
    params.max_step = world.step("max_step")?.unwrap_or(params.max_step);
    if world.is_text("zero_functions") {
        world.word("zero_functions")?;
        params.functions = ZeroFunctions::Two;
    } else if let Some(count) = world.count("zero_functions")? {
        params.functions = ZeroFunctions::Smallest(count);
    }
    params.check().map_err(|error| match error {
        WorldError::TooMany { .. } => world.wrong("zero_functions", error.to_string()),
        _ => SceneError::at(world.span.clone(), error.to_string()),
    })?;
    Ok(params)
}

/// Refuses steps that are too short for time to advance to the end of the run [s]. `longest` is the longest step of an integrator [s].
pub(super) fn check_steps(
    top: &Table<'_>,
    stepping: Option<Stepping>,
    longest: f64,
    until: f64,
) -> Result<(), SceneError> {
    let (key, what, step) = match stepping {
        Some(stepping) => ("step", "step", stepping.step),
        None => ("max_step", "longest step", longest),
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

/// Steps of one length, where the method makes them.
fn stepping(world: &Table<'_>) -> Result<Option<Stepping>, SceneError> {
    let name = world.word("method")?.unwrap_or("auto");
    let forces = match name {
        "stepping" => Some(StepForces::Coulomb),
        "silvia" => Some(StepForces::Silvia),
        _ => None,
    };
    let Some(forces) = forces else { return Ok(None) };
    let usual = Stepping::default();
    Ok(Some(Stepping {
        forces,
        step: world.step("step")?.unwrap_or(usual.step),
        tolerance: world.positive("tolerance")?.unwrap_or(usual.tolerance),
        ..usual
    }))
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
        SettingError::Unused { key, .. } | SettingError::Unknown { key, .. } => {
            world.wrong(key, error.to_string()).with_help("linear takes stiffness and damping_ratio, kelvin-voigt stiffness and damping, rigid takes impact")
        }
    })
}
