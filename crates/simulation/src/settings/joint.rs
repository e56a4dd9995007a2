//! What acts on a degree of freedom, from a source of settings.

use std::sync::Arc;

use zerogap_dynamics::multibody::{Dof, Motion, Motor};

use super::SERVO_RESPONSE;
use super::schema::Selected;
use super::source::Source;
use crate::world::Servo;

/// Returns limits, spring and damper of a degree of freedom that rotates or slides; what the source leaves out is as in `base`, and so is the motor.
pub fn read_dof<S: Source>(source: &S, rotates: bool, base: &Dof) -> Result<Dof, S::Error> {
    let number = |key| source.coordinate(key, rotates);
    let dof = Dof {
        lower: number("lower")?.or(base.lower),
        upper: number("upper")?.or(base.upper),
        restitution: source.quantity("restitution")?.unwrap_or(base.restitution),
        stiffness: number("stiffness")?.unwrap_or(base.stiffness),
        spring_reference: number("spring_reference")?.unwrap_or(base.spring_reference),
        damping: number("damping")?.unwrap_or(base.damping),
        armature: number("armature")?.unwrap_or(base.armature),
        friction: number("friction")?.unwrap_or(base.friction),
        motor: base.motor,
    };
    match (dof.lower, dof.upper) {
        (Some(lower), Some(upper)) if lower > upper => {
            let message = format!("'upper' is {upper}, below 'lower', which is {lower}");
            Err(source.conflict("upper", message, "exchange the two numbers"))
        }
        _ => Ok(dof),
    }
}

/// Returns the motor of a degree of freedom that rotates or slides; none where the source says nothing.
pub fn read_motor<S: Source>(source: &S, rotates: bool) -> Result<Motor, S::Error> {
    let number = |key| source.coordinate(key, rotates);
    let wanted: Vec<&'static str> =
        ["effort", "speed", "position"].into_iter().filter(|key| source.has(key)).collect();
    let one_of = |key| {
        let message = "a motor has one of 'effort', 'speed' and 'position'".to_owned();
        let help = "write { effort = 2 }, { speed = 3, gain = 10 } or { position = 1, stiffness = 100, damping = 10 }";
        source.conflict(key, message, help)
    };
    let word = match wanted[..] {
        [word] => word,
        [_, second, ..] => return Err(one_of(second)),
        [] => match source.section().keys().find(|key| source.has(key.name)) {
            Some(key) => return Err(one_of(key.name)),
            None => return Ok(Motor::Off),
        },
    };
    let selected: [Selected; 1] = [("motor", word)];
    source.refuse_unused(&selected)?;
    let owner = format!("a motor with '{word}'");
    let needed = |key: &'static str| number(key)?.ok_or_else(|| source.needs(key, &owner));
    let limit = number("limit")?.unwrap_or(f64::INFINITY);
    Ok(match word {
        "effort" => Motor::Effort(needed("effort")?),
        "speed" => Motor::Velocity { target: needed("speed")?, gain: needed("gain")?, limit },
        _ => Motor::Position {
            target: needed("position")?,
            stiffness: needed("stiffness")?,
            damping: number("damping")?.unwrap_or(0.0),
            limit,
        },
    })
}

/// Returns a servo that carries a body along a motion.
pub fn read_servo<S: Source>(source: &S, motion: Arc<dyn Motion>) -> Result<Servo, S::Error> {
    Ok(Servo {
        motion,
        force: source.needed("force")?,
        torque: source.needed("torque")?,
        response: source.quantity("response")?.unwrap_or(SERVO_RESPONSE),
    })
}
