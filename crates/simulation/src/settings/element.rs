//! Springs and bushings between bodies, from a source of settings.

use zerogap_core::Vec3;
use zerogap_dynamics::multibody::{Bushing, Site, Tendon};

use super::source::Source;

/// Returns a spring with a damper between two points.
pub fn read_spring<S: Source>(source: &S, [a, b]: [Site; 2]) -> Result<Tendon, S::Error> {
    let number = |key| source.quantity(key);
    let (stiffness, damping) =
        (number("stiffness")?.unwrap_or_default(), number("damping")?.unwrap_or_default());
    // A damper alone has no length at which it is relaxed.
    let length =
        if stiffness > 0.0 { source.needed("length")? } else { number("length")?.unwrap_or_default() };
    refuse_nothing(source, "a spring", [stiffness, damping])?;
    Ok(Tendon::spring(a, b, stiffness, damping, length))
}

/// Returns a bushing between two frames.
pub fn read_bushing<S: Source>(source: &S, [a, b]: [Site; 2]) -> Result<Bushing, S::Error> {
    let axes = |key: &'static str| -> Result<Vec3, S::Error> {
        let numbers = source.vector(key)?.unwrap_or_default();
        match numbers.iter().find(|x| **x < 0.0) {
            Some(value) => {
                let message = format!("'{key}' has a component of {value}");
                Err(source.conflict(key, message, "each of the three is 0 or above"))
            }
            None => Ok(numbers),
        }
    };
    let (stiffness, damping) = (axes("stiffness")?, axes("damping")?);
    let (angular_stiffness, angular_damping) = (axes("angular_stiffness")?, axes("angular_damping")?);
    refuse_nothing(
        source,
        "a bushing",
        [stiffness, damping, angular_stiffness, angular_damping].map(|v| v.max()),
    )?;
    Ok(Bushing { a, b, stiffness, damping, angular_stiffness, angular_damping })
}

/// Refuses an element that does nothing.
fn refuse_nothing<S: Source, const N: usize>(
    source: &S,
    what: &str,
    numbers: [f64; N],
) -> Result<(), S::Error> {
    if numbers.iter().any(|x| *x > 0.0) {
        return Ok(());
    }
    let message = format!("{what} without stiffness and damping does nothing");
    Err(source.conflict("stiffness", message, "give it a stiffness or a damping above 0"))
}
