//! Parameters of parts: one table per part holds name, kind, default and doc, and makes the struct, its `Default` and the text interface.
//!
//! In: the `part!` tables in the files of the parts. Out: plain structs for Rust callers, and [`Parameter`] rows plus a
//! setter by name for the command line. Parameters are listed in the order of the table.

use zerogap_core::units;

use super::PartError;
use crate::{GeometryError, TriangleMesh};

/// Kind of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A length; numbers are metres, `5 mm` is understood.
    Length,
    /// An angle; numbers are radians, `20 deg` is understood.
    Angle,
    /// A whole number.
    Count,
    /// A plain number.
    Ratio,
    /// One of a few names.
    Choice,
}

/// One row of a part's parameter list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Name, as in `--set NAME=VALUE`.
    pub name: &'static str,
    /// Kind of value.
    pub kind: ParameterKind,
    /// SI unit: `m`, `rad`, or empty for plain numbers and words.
    pub unit: &'static str,
    /// Default value as text that the setter would read back [SI].
    pub default: String,
    /// One-line description.
    pub doc: String,
}

/// A generated part: parameters in, closed outward surface out.
pub trait ParametricPart {
    /// The closed, outward, single-component surface of the part; the origin and axes are stated by each part.
    fn generate(&self) -> Result<TriangleMesh, GeometryError>;
    /// Sets a parameter by name from text.
    fn set(&mut self, name: &str, text: &str) -> Result<(), PartError>;
    /// The parameters with the values of this instance as defaults.
    fn parameters(&self) -> Vec<Parameter>;
}

/// A word that chooses between forms of a cross-section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrossSection {
    /// A circle.
    Round,
    /// A rectangle.
    Rectangular,
}

/// Values that can be read from and shown as text.
pub(super) trait Value: Sized {
    fn read(kind: ParameterKind, text: &str) -> Result<Self, String>;
    fn show(&self) -> String;
}

impl Value for f64 {
    fn read(kind: ParameterKind, text: &str) -> Result<Self, String> {
        match kind {
            ParameterKind::Length => units::parse_length(text).map_err(|error| error.to_string()),
            ParameterKind::Angle => units::parse_angle(text).map_err(|error| error.to_string()),
            ParameterKind::Ratio | ParameterKind::Count | ParameterKind::Choice => text
                .trim()
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite())
                .ok_or_else(|| format!("'{}' is not a finite number", text.trim())),
        }
    }
    fn show(&self) -> String {
        format!("{self}")
    }
}

impl Value for usize {
    fn read(_: ParameterKind, text: &str) -> Result<Self, String> {
        text.trim().parse().map_err(|_| format!("'{}' is not a whole number", text.trim()))
    }
    fn show(&self) -> String {
        format!("{self}")
    }
}

impl Value for CrossSection {
    fn read(_: ParameterKind, text: &str) -> Result<Self, String> {
        match text.trim() {
            "round" => Ok(Self::Round),
            "rectangular" => Ok(Self::Rectangular),
            other => Err(format!("'{other}' is neither round nor rectangular")),
        }
    }
    fn show(&self) -> String {
        String::from(match self {
            Self::Round => "round",
            Self::Rectangular => "rectangular",
        })
    }
}

pub(super) fn unit(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Length => "m",
        ParameterKind::Angle => "rad",
        ParameterKind::Count | ParameterKind::Ratio | ParameterKind::Choice => "",
    }
}

/// The nearest of some names by edit distance, if it is near enough to be a slip of the keyboard.
pub(super) fn nearest(name: &str, known: &[&str]) -> Option<String> {
    known
        .iter()
        .map(|candidate| (edit_distance(name, candidate), *candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .map(|(_, candidate)| String::from(candidate))
}

/// How many letters must be inserted, deleted or exchanged to turn one word into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Makes a part's struct, its defaults and its text interface from one table: `name: type [Kind] = default`.
macro_rules! part {
    (
        $(#[doc = $summary:literal])*
        $part:ident named $part_name:literal {
            $( $(#[doc = $doc:literal])* $field:ident : $type:ty [$kind:ident] = $default:expr ),* $(,)?
        }
    ) => {
        $(#[doc = $summary])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $part {
            $( $(#[doc = $doc])* pub $field: $type ),*
        }

        impl Default for $part {
            fn default() -> Self {
                Self { $( $field: $default ),* }
            }
        }

        impl $part {
            /// Name of the part, as on the command line.
            pub const NAME: &'static str = $part_name;
            /// One-line description.
            pub(super) const SUMMARY: &'static [&'static str] = &[$($summary),*];
        }

        impl $crate::parts::ParametricPart for $part {
            fn generate(&self) -> Result<$crate::TriangleMesh, $crate::GeometryError> {
                $part::generate(self)
            }
            fn set(&mut self, name: &str, text: &str) -> Result<(), $crate::parts::PartError> {
                match name {
                    $( stringify!($field) => {
                        self.$field = $crate::parts::parameter::Value::read($crate::parts::ParameterKind::$kind, text)
                            .map_err(|reason| $crate::parts::PartError::Unreadable {
                                part: $part_name, parameter: stringify!($field), reason,
                            })?;
                        Ok(())
                    } )*
                    _ => {
                        let known = [$(stringify!($field)),*];
                        Err($crate::parts::PartError::UnknownParameter {
                            part: $part_name,
                            name: String::from(name),
                            hint: $crate::parts::parameter::nearest(name, &known),
                            known: known.join(", "),
                        })
                    }
                }
            }
            fn parameters(&self) -> Vec<$crate::parts::Parameter> {
                vec![$( $crate::parts::Parameter {
                    name: stringify!($field),
                    kind: $crate::parts::ParameterKind::$kind,
                    unit: $crate::parts::parameter::unit($crate::parts::ParameterKind::$kind),
                    default: $crate::parts::parameter::Value::show(&self.$field),
                    doc: String::from(concat!($($doc),*).trim()),
                } ),*]
            }
        }
    };
}
pub(super) use part;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_counts_single_letter_changes() {
        assert_eq!(edit_distance("gear", "gear"), 0);
        assert_eq!(edit_distance("gaer", "gear"), 2);
        assert_eq!(edit_distance("gar", "gear"), 1);
        assert_eq!(edit_distance("", "gear"), 4);
        assert_eq!(nearest("tooth", &["teeth", "module"]), Some(String::from("teeth")));
        assert_eq!(nearest("colour", &["teeth", "module"]), None);
        assert_eq!(nearest("modul", &["teeth", "module"]), Some(String::from("module")));
    }
}
