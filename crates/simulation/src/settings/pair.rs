//! Materials, and what two of them do to each other, from a source of settings.

use zerogap_contact::material::{DirectedFriction, Material, PairProperties};

use super::POISSON_RATIO;
use super::schema::Selected;
use super::source::Source;

/// Returns a material.
pub fn read_material<S: Source>(source: &S) -> Result<Material, S::Error> {
    Ok(Material {
        young_modulus: source.needed("young_modulus")?,
        poisson_ratio: source.quantity("poisson_ratio")?.unwrap_or(POISSON_RATIO),
        density: source.needed("density")?,
    })
}

/// Returns friction that differs by direction.
fn read_directed<S: Source>(source: &S) -> Result<Option<DirectedFriction>, S::Error> {
    let (across, direction) = (source.quantity("friction_across")?, source.vector("friction_direction")?);
    let help = "friction counts along friction_direction and friction_across across it";
    match (across, direction) {
        (None, None) => Ok(None),
        (Some(_), None) => {
            let message = "'friction_across' needs 'friction_direction'".to_owned();
            Err(source.conflict("friction_across", message, help))
        }
        (None, Some(_)) => {
            let message = "'friction_direction' needs 'friction_across'".to_owned();
            Err(source.conflict("friction_direction", message, help))
        }
        (Some(_), Some(direction)) if direction.norm() <= 0.0 => {
            let message = "'friction_direction' has no length".to_owned();
            Err(source.conflict("friction_direction", message, "write a direction such as [1, 0, 0]"))
        }
        (Some(across), Some(direction)) => {
            Ok(Some(DirectedFriction { across, direction, is_of_second: false }))
        }
    }
}

/// Returns what two materials do to each other. Refuses what the method and the contact model, which are selected, do not use.
pub fn read_pair<S: Source>(source: &S, selected: &[Selected]) -> Result<PairProperties, S::Error> {
    source.refuse_unused(selected)?;
    let usual = PairProperties::default();
    let friction = source.quantity("friction")?.unwrap_or(usual.friction);
    let static_friction = source.quantity("static_friction")?;
    if let Some(own) = static_friction.filter(|own| *own < friction) {
        let message = format!("'static_friction' is {own}, below 'friction', which is {friction}");
        let help = "static friction must not be below sliding friction";
        return Err(source.conflict("static_friction", message, help));
    }
    Ok(PairProperties {
        directed: read_directed(source)?,
        restitution: source.quantity("restitution")?.unwrap_or(usual.restitution),
        friction,
        static_friction,
        rolling: source.quantity("rolling")?.unwrap_or(usual.rolling),
        rolling_length: source.quantity("rolling_length")?.unwrap_or(usual.rolling_length),
        spinning: source.quantity("spinning")?.unwrap_or(usual.spinning),
        contact_radius: source.quantity("contact_radius")?,
        grip: source.quantity("grip")?,
    })
}
