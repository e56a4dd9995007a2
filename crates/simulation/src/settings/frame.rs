//! How frames of beams touch and start, from a source of settings.

use zerogap_dynamics::beam::frame::Frame;

use super::source::Source;
use crate::world::{FRAME_SPECTRAL_RADIUS, FrameContact, FrameSurface};

/// Words for what of a frame touches.
pub const FRAME_CONTACTS: &[&str] = &["capsules", "spheres", "none"];

/// How a frame touches and starts.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameSettings {
    /// What touches.
    pub contact: Option<FrameContact>,
    /// Whether it starts in equilibrium.
    pub settle: bool,
    /// What a step leaves of a vibration that it does not resolve [-].
    pub spectral_radius: f64,
}

/// Returns how a frame touches and starts.
pub fn read_frame<S: Source>(source: &S, frame: &Frame) -> Result<FrameSettings, S::Error> {
    let surface = match source.word("contact")?.unwrap_or(FRAME_CONTACTS[0]) {
        "none" => None,
        "spheres" => Some(FrameSurface::Spheres),
        _ => Some(FrameSurface::Capsules),
    };
    let own = source.quantity("radius")?;
    let given = source.key("material").map(|key| source.read_text(key)).transpose()?.flatten();
    let material = given.unwrap_or_else(|| super::DEFAULT_MATERIAL.to_owned());
    let contact = match surface {
        None => None,
        Some(surface) => {
            let sections = frame.elements().iter().map(|element| &element.section);
            let radius: Option<Vec<f64>> = sections.map(|section| own.or(section.round_radius())).collect();
            let Some(radius) = radius else {
                return Err(source.needs("radius", "a frame whose sections are not round"));
            };
            Some(FrameContact { surface, radius, material })
        }
    };
    Ok(FrameSettings {
        contact,
        settle: source.yes("settle")?,
        spectral_radius: source.quantity("spectral_radius")?.unwrap_or(FRAME_SPECTRAL_RADIUS),
    })
}
