//! Pictures of recordings: curves over time, the replay page and the animation for other programs.
//!
//! In: a [`Recording`]. Out: one HTML file that needs nothing else ([`replay_html`]), a binary glTF file ([`glb`]), and curves as SVG
//! ([`plot_svg`]) or PNG ([`plot_png`]). The same recording gives the same bytes.

mod gltf;
mod normals;
pub mod page;
mod plot;
mod replay;

use crate::record::Recording;
use zerogap_core::Vec3;

pub use gltf::glb;
pub use page::THREE_VERSION;
pub use plot::{Plot, PlotError, PlotSize, plot_png, plot_svg};
pub use replay::replay_html;

/// A point amid the bodies at the start [m]. Single-precision positions are given from here, so that scenes far from the origin keep their digits.
fn center(recording: &Recording) -> Vec3 {
    let Some(first) = recording.frames.first() else { return Vec3::zeros() };
    let mut low = Vec3::repeat(f64::INFINITY);
    let mut high = Vec3::repeat(f64::NEG_INFINITY);
    for pose in &first.poses {
        (low, high) = (low.inf(&pose.translation()), high.sup(&pose.translation()));
    }
    let middle = low + (high - low) / 2.0;
    if middle.iter().all(|x| x.is_finite()) { middle } else { Vec3::zeros() }
}

/// The bytes of numbers in single precision, little-endian.
fn single(numbers: impl IntoIterator<Item = f64>) -> Vec<u8> {
    numbers.into_iter().flat_map(|x| (x as f32).to_le_bytes()).collect()
}
