//! Parts by name, as the command line and Python know them. The order of the list is the order of [`names`].

use super::parameter::nearest;
use super::{
    ConnectingRod, CountersunkBolt, CountersunkPlate, Crankshaft, CrossheadDriver, CrossheadScrew, Cuboid,
    Cylinder, Gear, HolePlate, Icosphere, LPrism, Parameter, ParametricPart, PartError, Peg, Prism, Sphere,
    ThreadBolt, ThreadNut, Torus, UvSphere,
};
use crate::{GeometryError, TriangleMesh};

/// A part and its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartInfo {
    /// Name, as on the command line.
    pub name: &'static str,
    /// One-line description.
    pub summary: String,
    /// Its parameters with defaults.
    pub parameters: Vec<Parameter>,
}

struct Row {
    name: &'static str,
    summary: &'static [&'static str],
    make: fn() -> Box<dyn ParametricPart>,
}

macro_rules! rows {
    ($($part:ident),* $(,)?) => {
        &[$( Row { name: $part::NAME, summary: $part::SUMMARY, make: || Box::new($part::default()) } ),*]
    };
}

const ROWS: &[Row] = rows![
    Cuboid,
    Prism,
    Cylinder,
    Sphere,
    Icosphere,
    UvSphere,
    Torus,
    Gear,
    ConnectingRod,
    Crankshaft,
    Peg,
    HolePlate,
    LPrism,
    CountersunkBolt,
    CountersunkPlate,
    CrossheadScrew,
    CrossheadDriver,
    ThreadBolt,
    ThreadNut,
];

fn row(name: &str) -> Result<&'static Row, PartError> {
    ROWS.iter().find(|row| row.name == name).ok_or_else(|| {
        let known = names();
        PartError::UnknownPart {
            name: String::from(name),
            hint: nearest(name, &known),
            known: known.join(", "),
        }
    })
}

/// The names of all parts.
pub fn names() -> Vec<&'static str> {
    ROWS.iter().map(|row| row.name).collect()
}

/// Returns the description of a part and its parameters.
pub fn describe(name: &str) -> Result<PartInfo, GeometryError> {
    let row = row(name)?;
    let summary = row.summary.concat().trim().to_owned();
    Ok(PartInfo { name: row.name, summary, parameters: (row.make)().parameters() })
}

/// A part with some parameters set from text; the others keep their defaults, a repeated one takes its last value.
pub fn make(name: &str, settings: &[(&str, &str)]) -> Result<Box<dyn ParametricPart>, GeometryError> {
    let mut part = (row(name)?.make)();
    for (parameter, text) in settings {
        part.set(parameter, text)?;
    }
    Ok(part)
}

/// The mesh of a part with some parameters set from text: `by_name("gear", &[("teeth", "20"), ("module", "2mm")])`.
pub fn by_name(name: &str, settings: &[(&str, &str)]) -> Result<TriangleMesh, GeometryError> {
    make(name, settings)?.generate()
}
