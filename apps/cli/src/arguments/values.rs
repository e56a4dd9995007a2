//! Values of the command line: parses text to numbers, with clear errors.

use zerogap::core::units;

/// A time above zero in seconds.
pub(super) fn parse_time(text: &str) -> Result<f64, String> {
    let time = units::parse_quantity(text, units::Dimension::Time);
    match time.map_err(|error| error.to_string())? {
        t if t > 0.0 => Ok(t),
        t => Err(format!("{t} s is not above zero")),
    }
}

/// A length that is not negative.
pub(super) fn parse_limit(text: &str) -> Result<f64, String> {
    match units::parse_length(text).map_err(|e| e.to_string())? {
        length if length >= 0.0 => Ok(length),
        length => Err(format!("a limit must not be negative, and this is {} m", units::shortest(length))),
    }
}

/// An angle that is neither negative nor beyond a right angle.
pub(super) fn parse_angle(text: &str) -> Result<f64, String> {
    match units::parse_quantity(text, units::Dimension::Angle).map_err(|e| e.to_string())? {
        angle if (0.0..=std::f64::consts::FRAC_PI_2).contains(&angle) => Ok(angle),
        angle => Err(format!("{} rad is not an angle from 0 to 90deg", units::shortest(angle))),
    }
}

/// A relative tolerance [-].
pub(super) fn parse_tolerance(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(part) if (0.0..1.0).contains(&part) => Ok(part),
        _ => Err("a tolerance is a number from 0 to 1, such as 1e-9".to_owned()),
    }
}

pub(super) fn parse_density(text: &str) -> Result<f64, String> {
    match units::parse_density(text).map_err(|e| e.to_string())? {
        density if density > 0.0 => Ok(density),
        density => Err(format!("a density must be positive, and this is {} kg/m³", units::shortest(density))),
    }
}

/// A unit by its name, or any positive length that stands for one.
pub(super) fn parse_unit(text: &str) -> Result<f64, String> {
    match units::length_unit(text) {
        Some(size) => Ok(size),
        None => match units::parse_length(text).map_err(|e| e.to_string())? {
            length if length > 0.0 => Ok(length),
            length => Err(format!("a unit must be positive, and this is {} m", units::shortest(length))),
        },
    }
}

pub(super) fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as teeth=30")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Two names with a comma between.
pub(super) fn parse_pair(text: &str) -> Result<(String, String), String> {
    let two = text.split_once(',').map(|(a, b)| (a.trim(), b.trim()));
    match two.filter(|(a, b)| !a.is_empty() && !b.is_empty() && !b.contains(',')) {
        Some((a, b)) => Ok((a.to_owned(), b.to_owned())),
        None => Err("write two names with a comma between, such as \"peg,plate\"".to_owned()),
    }
}
