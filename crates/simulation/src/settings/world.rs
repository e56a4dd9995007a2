//! Gravity, contact model and method from a source of settings.

use zerogap_contact::law::NormalLaw;
use zerogap_contact::solve::ImpactLaw;
use zerogap_dynamics::integrate::{IntegratorKind, Tolerance};
use zerogap_proximity::broad::BroadMethod;

use super::schema::{Key, Selected};
use super::source::Source;
use super::{ATOL_PER_RTOL, CONE_SIDES, DAMPING_RATIO, MAX_STEP, SettingError};
use crate::landing::LandingParams;
use crate::world::{
    ContactModel, ErrorControl, EventLocation, Level, MethodParams, NarrowPhase, Overlaps, PatchPoints,
    StepForces, Stepping, WorldParams, ZeroFunctions, check_step,
};

/// Returns the settings of a world; what the source leaves out is as in `base`.
pub fn read_world<S: Source>(source: &S, base: &WorldParams) -> Result<WorldParams, S::Error> {
    let gravity = source.vector("gravity")?.unwrap_or(base.gravity);
    Ok(WorldParams { gravity, method: read_method(source, &base.method)? })
}

/// Returns the method with what it uses; what the source leaves out is as in `base`. Refuses what the method or the contact model does not use.
pub fn read_method<S: Source>(source: &S, base: &MethodParams) -> Result<MethodParams, S::Error> {
    let word = source.word("method")?.unwrap_or(base.word());
    source.refuse_unused(&[("method", word)])?;
    Ok(match base.by(word).map_err(|error| source.refuse(error))? {
        MethodParams::Events(own) => read_events(source, &own)?.into(),
        MethodParams::Stepping(own) => read_stepping(source, &own)?.into(),
    })
}

/// Returns what becomes of shapes that overlap at the start; as in `base` where the source leaves it out.
pub fn read_overlaps<S: Source>(source: &S, base: Overlaps) -> Result<Overlaps, S::Error> {
    let Some(word) = source.word("overlaps")? else { return Ok(base) };
    Overlaps::by_word(word).map_err(|error| source.refuse(error))
}

/// Returns what culls pairs of shapes; as in `base` where the source leaves it out.
pub fn read_broad_phase<S: Source>(source: &S, base: BroadMethod) -> Result<BroadMethod, S::Error> {
    Ok(match source.word("broad_phase")? {
        Some("auto") => BroadMethod::Auto,
        Some("grid") => BroadMethod::Grid,
        Some("sweep") => BroadMethod::Sweep,
        Some("tree") => BroadMethod::Tree,
        _ => base,
    })
}

/// Returns the level of abstraction of a world or a body; as in `base` where the source leaves it out.
pub fn read_level<S: Source>(source: &S, base: Level) -> Result<Level, S::Error> {
    let Some(word) = source.word("level")? else { return Ok(base) };
    Level::by_word(word).map_err(|error| source.refuse(error))
}

/// Settings of `[world]` that a landing uses.
const OF_LANDINGS: [&str; 6] = ["gravity", "method", "integrator", "rtol", "atol", "max_step"];

/// Changes the method of a landing; what the source leaves out stays. Refuses what a landing does not use.
pub fn read_landing<S: Source>(source: &S, params: &mut LandingParams) -> Result<(), S::Error> {
    let useless = |key: &&Key| source.has(key.name) && !OF_LANDINGS.contains(&key.name);
    if let Some(key) = source.section().keys().find(useless) {
        let message = format!("a landing has no use for '{}'", key.name);
        let help = "of [world] it takes gravity, method, integrator, rtol, atol and max_step";
        return Err(source.conflict(key.name, message, help));
    }
    let LandingParams { integrator, tolerance, max_step, .. } = *params;
    let own = EventLocation { tolerance, integrator, max_step, ..EventLocation::default() };
    let MethodParams::Events(events) = read_method(source, &own.into())? else {
        let message = "a landing is simulated by located events".to_owned();
        return Err(source.conflict("method", message, "write method = \"events\", or leave it out"));
    };
    (params.integrator, params.tolerance, params.max_step) =
        (events.integrator, events.tolerance, events.max_step);
    Ok(())
}

/// Returns the words that decide which settings of pairs and shapes have an effect: the method and the contact model.
pub fn selected(method: &MethodParams) -> [Selected; 2] {
    [("method", method.word()), ("contact", contact_word(&method.contact()))]
}

fn contact_word(contact: &ContactModel) -> &'static str {
    match contact {
        ContactModel::Elastic(law) => law.word(),
        ContactModel::Rigid(_) => "rigid",
    }
}

fn read_events<S: Source>(source: &S, base: &EventLocation) -> Result<EventLocation, S::Error> {
    // A run never calls `World::step`: with events the length of a step is for worlds alone.
    if source.section().key("contact").is_none() && source.has("step") {
        let used_with = &["stepping", "silvia"];
        let unused = SettingError::Unused {
            key: "step",
            selector: "method",
            word: if base.phases { "auto" } else { "events" },
            used_with,
        };
        return Err(source.refuse(unused));
    }
    Ok(EventLocation {
        contact: read_contact(source, &base.contact)?,
        tolerance: read_tolerance(source, &base.tolerance)?,
        integrator: match source.word("integrator")? {
            Some("auto") => IntegratorKind::Auto,
            Some("dop853") => IntegratorKind::Dop853,
            Some("radau") => IntegratorKind::Radau,
            _ => base.integrator,
        },
        functions: if source.is_text("zero_functions") {
            source.word("zero_functions")?.map_or(base.functions, |_| ZeroFunctions::Two)
        } else {
            source.whole("zero_functions")?.map_or(base.functions, ZeroFunctions::Smallest)
        },
        narrow_phase: read_narrow_phase(source, base.narrow_phase)?,
        max_step: read_step(source, "max_step")?.unwrap_or(base.max_step),
        step: read_step(source, "step")?.unwrap_or(base.step),
        phases: base.phases,
    })
}

fn read_stepping<S: Source>(source: &S, base: &Stepping) -> Result<Stepping, S::Error> {
    let sleep = source.quantity("sleep")?.unwrap_or(base.sleep);
    let sleep_speed = source.quantity("sleep_speed")?;
    if sleep_speed.is_some() && sleep.is_infinite() {
        let message = "nothing sleeps, so 'sleep_speed' has no effect".to_owned();
        return Err(source.conflict("sleep_speed", message, "add sleep = \"50 ms\""));
    }
    let sides = source.whole("cone_sides")?;
    let cone_sides = match source.word("solver")? {
        Some("lcp") => sides.or(base.cone_sides).or(Some(CONE_SIDES)),
        Some(_) => None,
        None => base.cone_sides.map(|own| sides.unwrap_or(own)),
    };
    if sides.is_some() && cone_sides.is_none() {
        let message = "friction has round cones, so 'cone_sides' has no effect".to_owned();
        return Err(source.conflict("cone_sides", message, "add solver = \"lcp\""));
    }
    Ok(Stepping {
        cone_sides,
        narrow_phase: read_narrow_phase(source, base.narrow_phase)?,
        midpoint_iterations: source.whole("midpoint_iterations")?.unwrap_or(base.midpoint_iterations),
        control: read_control(source, base)?,
        sleep,
        sleep_speed: sleep_speed.unwrap_or(base.sleep_speed),
        step: read_step(source, "step")?.unwrap_or(base.step),
        tolerance: source.quantity("tolerance")?.unwrap_or(base.tolerance),
        patch_points: if source.is_text("patch_points") {
            match source.word("patch_points")? {
                Some("auto") => PatchPoints::Auto,
                Some("all") => PatchPoints::All,
                _ => base.patch_points,
            }
        } else {
            source.whole("patch_points")?.map_or(base.patch_points, PatchPoints::AtMost)
        },
        ..*base
    })
}

/// What answers bounded convex pairs; as in `base` where the source leaves it out.
fn read_narrow_phase<S: Source>(source: &S, base: NarrowPhase) -> Result<NarrowPhase, S::Error> {
    Ok(match source.word("narrow_phase")? {
        Some("mpr") => NarrowPhase::Mpr,
        Some("v-clip") => NarrowPhase::VClip,
        Some(_) => NarrowPhase::Exact,
        None => base,
    })
}

/// Error control: where `rtol` is given, and no more where `step` is.
fn read_control<S: Source>(source: &S, base: &Stepping) -> Result<Option<ErrorControl>, S::Error> {
    // Steps of silvia have one length, and none of these keys.
    if base.forces == StepForces::Silvia {
        return Ok(None);
    }
    let rtol = source.quantity("rtol")?;
    if source.has("step") && rtol.is_some() {
        let message =
            "'rtol' and 'step' exclude each other: the length of a step follows its error, or is given";
        return Err(source.conflict("rtol", message.to_owned(), "leave one of them out"));
    }
    let own = base.control.filter(|_| !source.has("step"));
    let rtol = rtol.or(own.map(|own| own.rtol));
    let max_step = read_step(source, "max_step")?;
    match rtol {
        Some(rtol) => {
            let max_step = max_step.or(own.map(|own| own.max_step)).unwrap_or(MAX_STEP);
            Ok(Some(ErrorControl { rtol, max_step }))
        }
        None if max_step.is_some() => {
            let message = "steps have one length, so 'max_step' has no effect".to_owned();
            Err(source.conflict("max_step", message, "add rtol = 1e-4, or leave 'max_step' out"))
        }
        None => Ok(None),
    }
}

/// The length of a step, long enough for time to advance.
fn read_step<S: Source>(source: &S, key: &'static str) -> Result<Option<f64>, S::Error> {
    let step = source.quantity(key)?;
    match step.map_or(Ok(()), |step| check_step(key, step, 0.0)) {
        Ok(()) => Ok(step),
        Err(error) => Err(source.conflict(key, error.to_string(), "")),
    }
}

/// An absolute tolerance that is left out follows a relative one that is given.
fn read_tolerance<S: Source>(source: &S, base: &Tolerance) -> Result<Tolerance, S::Error> {
    let (relative, absolute) = (source.quantity("rtol")?, source.quantity("atol")?);
    let usual = relative.map_or(base.absolute, |relative| ATOL_PER_RTOL * relative);
    Ok(Tolerance { relative: relative.unwrap_or(base.relative), absolute: absolute.unwrap_or(usual) })
}

/// The contact model. One that is named is read anew; its numbers alone replace those of the one in `base`.
fn read_contact<S: Source>(source: &S, base: &ContactModel) -> Result<ContactModel, S::Error> {
    // A run can override the method, not the contact model.
    if source.section().key("contact").is_none() {
        return Ok(*base);
    }
    let own = contact_word(base);
    let word = source.word("contact")?.unwrap_or(own);
    source.refuse_unused(&[("contact", word)])?;
    let owner = format!("contact = \"{word}\"");
    let needed = |key: &'static str, own: Option<f64>| {
        source.quantity(key)?.or(own).ok_or_else(|| source.needs(key, &owner))
    };
    Ok(ContactModel::Elastic(match (word, base) {
        ("rigid", _) => {
            let law = match (source.word("impact")?, base) {
                (Some("moreau"), _) => ImpactLaw::Moreau,
                (Some("poisson"), _) => ImpactLaw::Poisson,
                (Some("sequential"), _) => ImpactLaw::Sequential,
                (Some("newton"), _) => ImpactLaw::Newton,
                (_, ContactModel::Rigid(own)) => *own,
                _ => ImpactLaw::default(),
            };
            return Ok(ContactModel::Rigid(law));
        }
        ("hertz", _) => NormalLaw::Hertz,
        ("modia3d", _) => NormalLaw::Modia3d,
        ("linear", base) => {
            let own = match base {
                ContactModel::Elastic(NormalLaw::Linear { stiffness, damping_ratio }) => {
                    Some((*stiffness, *damping_ratio))
                }
                _ => None,
            };
            let damping_ratio = source.quantity("damping_ratio")?;
            NormalLaw::Linear {
                stiffness: needed("stiffness", own.map(|own| own.0))?,
                damping_ratio: damping_ratio.unwrap_or(own.map_or(DAMPING_RATIO, |own| own.1)),
            }
        }
        ("kelvin-voigt", base) => {
            let own = match base {
                ContactModel::Elastic(NormalLaw::KelvinVoigt { stiffness, damping }) => {
                    Some((*stiffness, *damping))
                }
                _ => None,
            };
            NormalLaw::KelvinVoigt {
                stiffness: needed("stiffness", own.map(|own| own.0))?,
                damping: needed("damping", own.map(|own| own.1))?,
            }
        }
        _ => NormalLaw::HuntCrossley,
    }))
}
