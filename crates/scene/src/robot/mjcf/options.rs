//! What `<option>` says of the world.

use zerogap_core::Vec3;

use super::attributes::Attributes;
use super::document::Answer;
use super::expand::Flat;
use super::report::Report;
use crate::robot::Without;

/// What `<option>` says.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) gravity: Vec3,
    pub(super) timestep: Option<f64>,
    pub(super) density: f64,
    pub(super) viscosity: f64,
    pub(super) wind: Vec3,
    pub(super) magnetic: Vec3,
}

/// Attributes of how the other program integrates and solves.
const SOLVER: [&str; 18] = [
    "integrator",
    "cone",
    "impratio",
    "iterations",
    "tolerance",
    "ls_iterations",
    "ls_tolerance",
    "noslip_iterations",
    "noslip_tolerance",
    "ccd_iterations",
    "ccd_tolerance",
    "mpr_iterations",
    "mpr_tolerance",
    "solver",
    "jacobian",
    "apirate",
    "sdf_iterations",
    "sdf_initpoints",
];

impl Options {
    /// Reads all `<option>`; flags that switch something off are added to what is left out.
    pub(super) fn read(flat: &Flat, without: &mut Without, report: &mut Report) -> Answer<Self> {
        let mut options = Self {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            timestep: None,
            density: 0.0,
            viscosity: 0.0,
            wind: Vec3::zeros(),
            magnetic: Vec3::new(0.0, -0.5, 0.0),
        };
        for item in flat.sections.get("option").into_iter().flatten().map(|item| &flat.items[*item]) {
            report.attributes(
                item,
                &[&["gravity", "timestep", "density", "viscosity", "wind", "magnetic"][..], &SOLVER].concat(),
            );
            for attr in item.attrs.iter().filter(|attr| SOLVER.contains(&&*attr.name)) {
                report.pass_over(format!("'{}' of <option>", attr.name));
            }
            options.gravity = Vec3::from(item.numbers::<3>("gravity")?.unwrap_or(options.gravity.into()));
            options.wind = Vec3::from(item.numbers::<3>("wind")?.unwrap_or(options.wind.into()));
            options.magnetic = Vec3::from(item.numbers::<3>("magnetic")?.unwrap_or(options.magnetic.into()));
            options.timestep = item.number("timestep")?.or(options.timestep);
            options.density = item.number("density")?.unwrap_or(options.density);
            options.viscosity = item.number("viscosity")?.unwrap_or(options.viscosity);
            for flag in
                item.children.iter().map(|child| &flat.items[*child]).filter(|flag| &*flag.tag == "flag")
            {
                for attr in &flag.attrs {
                    let is_off = &*attr.value == "disable";
                    match &*attr.name {
                        "contact" if is_off => without.contacts = true,
                        "limit" if is_off => without.limits = true,
                        "equality" if is_off => without.equalities = true,
                        "frictionloss" if is_off => without.joint_friction = true,
                        "constraint" if is_off => *without = Without::all(),
                        "gravity" if is_off => options.gravity = Vec3::zeros(),
                        "spring" | "damper" | "passive" | "actuation" | "clampctrl" | "filterparent"
                            if is_off =>
                        {
                            report.missing(format!("the flag that disables {} is", attr.name), &attr.spot);
                        }
                        _ => report.pass_over("<flag>".to_owned()),
                    }
                }
            }
        }
        Ok(options)
    }
}
