//! Materials, and what two of them do to each other, from a source of settings.

use zerogap_contact::material::{Material, PairProperties};

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
        restitution: source.quantity("restitution")?.unwrap_or(usual.restitution),
        friction,
        static_friction,
        rolling: source.quantity("rolling")?.unwrap_or(usual.rolling),
        spinning: source.quantity("spinning")?.unwrap_or(usual.spinning),
        contact_radius: source.quantity("contact_radius")?,
        grip: source.quantity("grip")?,
    })
}
