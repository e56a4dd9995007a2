//! Plots: curves of a recording over time, as SVG or PNG.
//!
//! In: a recording, what to plot, and a size. Out: a picture, for every recording, also an empty one; values that are not finite are left out. The same recording gives the same
//! bytes. Both formats are drawn by the same code ([`draw`]) with plotters' backends ([`pen`]): [`series`] takes the curves out of the recording, [`axis`] finds
//! units and ticks.

mod axis;
mod draw;
mod pen;
mod series;

use thiserror::Error;

use crate::record::Recording;

/// Content of a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Plot {
    /// Kinetic energy, energies of height and of springs, and their sum. Excludes the energy stored in elastic contacts.
    Energy,
    /// The smallest gap of every pair in contact; of the eight with the largest forces, where there are more.
    Gaps,
    /// The normal force of the same pairs.
    Forces,
    /// Pairs in contact: a line for each of the same pairs, while the contact lasts.
    Touching,
    /// The length of the steps of the integrator, on a logarithmic axis.
    Steps,
    /// Energy, gaps, forces and steps in one picture.
    Overview,
}

impl Plot {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Energy, Self::Gaps, Self::Forces, Self::Touching, Self::Steps, Self::Overview];

    /// Returns the name, usable as a file name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Gaps => "gaps",
            Self::Forces => "forces",
            Self::Touching => "touching",
            Self::Steps => "steps",
            Self::Overview => "overview",
        }
    }

    /// A size that suits it.
    pub fn size(self) -> PlotSize {
        match self {
            Self::Overview => PlotSize { width: 1440, height: 960 },
            _ => PlotSize { width: 960, height: 540 },
        }
    }
}

/// Size of a picture. Letters and lines grow with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlotSize {
    /// Width [px].
    pub width: u32,
    /// Height [px].
    pub height: u32,
}

/// Smallest and largest side of a picture [px]: below it there is no room for a curve, above it there is no screen or paper.
const SIDES: std::ops::RangeInclusive<u32> = 240..=8192;

/// Errors of plots.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlotError {
    /// The size is out of bounds.
    #[error("a plot has sides of {} to {} pixels, not {width} x {height}", SIDES.start(), SIDES.end())]
    Size {
        /// Asked for [px].
        width: u32,
        /// Asked for [px].
        height: u32,
    },
    /// Error of the drawing library; no input is known that causes it.
    #[error("the picture could not be drawn: {why}")]
    Drawing {
        /// The message of the cause.
        why: String,
    },
}

impl PlotError {
    fn drawing(why: impl std::fmt::Display) -> Self {
        Self::Drawing { why: why.to_string() }
    }
}

/// A plot of a recording as the text of an SVG file.
///
/// The text names the font of the PNG and falls back to others without serifs.
pub fn plot_svg(recording: &Recording, what: Plot, size: PlotSize) -> Result<String, PlotError> {
    checked(size)?;
    let mut svg = pen::Svg::new(size);
    draw::picture(&mut svg, recording, what, size)?;
    Ok(svg.finish(&draw::title(recording, what)))
}

/// A plot of a recording as the bytes of a PNG file.
pub fn plot_png(recording: &Recording, what: Plot, size: PlotSize) -> Result<Vec<u8>, PlotError> {
    checked(size)?;
    let mut pixels = pen::Pixels::new(size);
    draw::picture(&mut pixels, recording, what, size)?;
    pixels.finish()
}

fn checked(size: PlotSize) -> Result<(), PlotError> {
    let PlotSize { width, height } = size;
    if SIDES.contains(&width) && SIDES.contains(&height) {
        Ok(())
    } else {
        Err(PlotError::Size { width, height })
    }
}
