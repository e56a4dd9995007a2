//! Quantities as people write them: `"5 mm"`, `"30 deg"`, `"2.5"`.
//!
//! A bare number is SI. Used by the command line, by scene files and by Python; Rust takes SI numbers.

use crate::InputError;

/// Dimension of a quantity, with its accepted units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// A plain number [-].
    Number,
    /// [m]
    Length,
    /// [rad]
    Angle,
    /// [s]
    Time,
    /// [kg]
    Mass,
    /// [kg/m³]
    Density,
    /// [m/s]
    Speed,
    /// [rad/s]
    AngularSpeed,
    /// [m/s²]
    Acceleration,
    /// [N]
    Force,
    /// [N m]
    Torque,
    /// [Pa]
    Pressure,
    /// [N/m]
    Stiffness,
    /// [N s/m]
    Damping,
    /// [Hz]
    Frequency,
    /// [N m/rad]
    AngularStiffness,
    /// [N m s/rad]
    AngularDamping,
    /// [kg m²]
    Inertia,
}

/// A unit and its size in SI.
type Unit = (&'static str, f64);

/// One degree [rad].
const DEGREE: f64 = std::f64::consts::PI / 180.0;

impl Dimension {
    /// Returns the name in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Length => "length",
            Self::Angle => "angle",
            Self::Time => "time",
            Self::Mass => "mass",
            Self::Density => "density",
            Self::Speed => "speed",
            Self::AngularSpeed => "angular speed",
            Self::Acceleration => "acceleration",
            Self::Force => "force",
            Self::Torque => "torque",
            Self::Pressure => "pressure",
            Self::Stiffness => "stiffness",
            Self::Damping => "damping",
            Self::Frequency => "frequency",
            Self::AngularStiffness => "angular stiffness",
            Self::AngularDamping => "angular damping",
            Self::Inertia => "moment of inertia",
        }
    }

    /// The unit of numbers without one; empty for plain numbers.
    pub fn si(self) -> &'static str {
        self.units().first().map_or("", |(name, _)| name)
    }

    /// Names of all units that it may be written in, the SI one first.
    pub fn unit_names(self) -> impl Iterator<Item = &'static str> {
        self.units().iter().map(|(name, _)| *name)
    }

    /// All units, the SI one first.
    fn units(self) -> &'static [Unit] {
        match self {
            Self::Number => &[],
            Self::Length => &[
                ("m", 1.0),
                ("dm", 1e-1),
                ("cm", 1e-2),
                ("mm", 1e-3),
                ("um", 1e-6),
                ("in", 0.0254),
                ("ft", 0.3048),
            ],
            Self::Angle => &[("rad", 1.0), ("deg", DEGREE)],
            Self::Time => &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("min", 60.0)],
            Self::Mass => &[("kg", 1.0), ("g", 1e-3), ("mg", 1e-6), ("t", 1e3)],
            Self::Density => &[
                ("kg/m3", 1.0),
                ("kg/m³", 1.0),
                ("kg/m^3", 1.0),
                ("g/cm3", 1e3),
                ("g/cm³", 1e3),
                ("g/cm^3", 1e3),
                ("t/m3", 1e3),
            ],
            Self::Speed => &[("m/s", 1.0), ("mm/s", 1e-3), ("cm/s", 1e-2), ("km/h", 1.0 / 3.6)],
            Self::AngularSpeed => &[("rad/s", 1.0), ("deg/s", DEGREE), ("rpm", std::f64::consts::PI / 30.0)],
            Self::Acceleration => &[("m/s2", 1.0), ("m/s²", 1.0), ("m/s^2", 1.0)],
            Self::Force => &[("N", 1.0), ("kN", 1e3), ("mN", 1e-3)],
            Self::Torque => &[("N m", 1.0), ("Nm", 1.0), ("kN m", 1e3), ("mN m", 1e-3)],
            Self::Pressure => &[("Pa", 1.0), ("kPa", 1e3), ("MPa", 1e6), ("GPa", 1e9)],
            Self::Stiffness => &[("N/m", 1.0), ("N/mm", 1e3), ("kN/m", 1e3)],
            Self::Damping => &[("N s/m", 1.0), ("Ns/m", 1.0)],
            Self::Frequency => &[("Hz", 1.0), ("1/s", 1.0)],
            Self::AngularStiffness => &[("N m/rad", 1.0), ("Nm/rad", 1.0), ("N m/deg", 1.0 / DEGREE)],
            Self::AngularDamping => &[("N m s/rad", 1.0), ("Nms/rad", 1.0), ("N m s", 1.0)],
            Self::Inertia => &[
                ("kg m2", 1.0),
                ("kg m²", 1.0),
                ("kg m^2", 1.0),
                ("g cm2", 1e-7),
                ("g cm²", 1e-7),
                ("g cm^2", 1e-7),
            ],
        }
    }
}

/// A quantity in SI from text such as `"5 mm"`, `"30 deg"` or `"0.005"`.
pub fn parse_quantity(text: &str, dimension: Dimension) -> Result<f64, InputError> {
    parse(text, dimension.word(), dimension.units())
}

/// A length in metres from text such as `"5 mm"` or `"0.005"`.
pub fn parse_length(text: &str) -> Result<f64, InputError> {
    parse_quantity(text, Dimension::Length)
}

/// An angle in radians from text such as `"30 deg"` or `"0.5"`.
pub fn parse_angle(text: &str) -> Result<f64, InputError> {
    parse_quantity(text, Dimension::Angle)
}

/// A density in kg/m³ from text such as `"7.85 g/cm3"` or `"7850"`.
pub fn parse_density(text: &str) -> Result<f64, InputError> {
    parse_quantity(text, Dimension::Density)
}

/// The size of a unit of length in metres, from its name alone: `"mm"` gives 0.001.
pub fn length_unit(name: &str) -> Option<f64> {
    find(name, Dimension::Length.units())
}

/// A number as the shortest text that reads back to the same bits, with an exponent where plain digits would fill a line.
pub fn shortest(x: f64) -> String {
    if x == 0.0 || (1e-5..1e16).contains(&x.abs()) { format!("{x}") } else { format!("{x:e}") }
}

fn find(name: &str, units: &[(&str, f64)]) -> Option<f64> {
    units.iter().find(|(unit, _)| *unit == name).map(|(_, size)| *size)
}

fn parse(text: &str, what: &str, units: &[(&str, f64)]) -> Result<f64, InputError> {
    let trimmed = text.trim();
    let refuse = |reason: &str| {
        let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
        let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let units = if names.is_empty() {
            String::new()
        } else {
            format!(", optionally followed by one of {}", names.join(", "))
        };
        let message = format!("'{trimmed}' is not {article} {what}: {reason}; write a number{units}");
        Err(InputError::Quantity { message })
    };
    // The unit is the longest tail that is one of ours; what stands before it must be a plain number.
    let unit = units.iter().filter(|(name, _)| trimmed.ends_with(name)).max_by_key(|(name, _)| name.len());
    let (number, size) =
        unit.map_or((trimmed, 1.0), |(name, size)| (trimmed[..trimmed.len() - name.len()].trim_end(), *size));
    match number.parse::<f64>() {
        Ok(value) if (value * size).is_finite() => Ok(value * size),
        Ok(_) => refuse("the number is not finite"),
        Err(_) if number.is_empty() => refuse("the number is missing"),
        Err(_) => refuse("it does not start with a number or its unit is unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "these products are exact or correctly rounded")]
    fn numbers_with_and_without_units_are_read() {
        assert_eq!(parse_length("5 mm").unwrap(), 5.0 * 1e-3);
        assert_eq!(parse_length("5mm").unwrap(), 5.0 * 1e-3);
        assert_eq!(parse_length(" -2.5e-1 m ").unwrap(), -0.25);
        assert_eq!(parse_length("3").unwrap(), 3.0);
        assert_eq!(parse_length("1 in").unwrap(), 0.0254);
        assert_eq!(parse_angle("180 deg").unwrap(), std::f64::consts::PI);
        assert_eq!(parse_density("7.85 g/cm3").unwrap(), 7850.0);
        assert_eq!(parse_density("2700 kg/m³").unwrap(), 2700.0);
        assert_eq!(length_unit("mm"), Some(1e-3));
    }

    #[test]
    fn shown_numbers_are_short_and_read_back_to_the_same_bits() {
        for (x, text) in [
            (0.0, "0"),
            (0.1, "0.1"),
            (-2500.0, "-2500"),
            (1e300, "1e300"),
            (1e-70, "1e-70"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(shortest(x), text);
        }
        assert_eq!(shortest(0.1 + 0.2).parse::<f64>().unwrap().to_bits(), (0.1_f64 + 0.2).to_bits());
    }

    #[test]
    fn what_is_no_quantity_is_refused_with_the_units_that_exist() {
        for bad in ["", "mm", "five mm", "5 parsec", "nan", "inf m", "1e400", "5 deg", "5 m m"] {
            let error = parse_length(bad).unwrap_err().to_string();
            assert!(error.contains("mm") && error.contains("not a length"), "{bad}: {error}");
        }
        assert!(parse_angle("5 mm").is_err());
    }
}
