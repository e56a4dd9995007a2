//! What pages that draw a world share: the replay of a recording, and a world that runs.
//!
//! In: scripts that say what is drawn (`head`, `vertices`, `triangles`, `poses` and the other numbers that `replay/data.js` has) and what is done with it. Out: one program, with the modules that draw in between.

/// The version of three.js in the pages.
pub const THREE_VERSION: &str = "0.187.0";

/// three.js, as far as the pages use it.
pub const THREE: &str = include_str!("vendor/three.min.js");

/// The licence of three.js.
pub const THREE_LICENCE: &str = include_str!("vendor/LICENSE-three.txt");

/// How the pages look.
pub const STYLE: &str = include_str!("replay/style.css");

/// Reads and writes numbers; needs nothing.
const NUMBERS: &str = include_str!("replay/numbers.js");

/// Modules that draw, in the order of use.
const DRAWING: [&str; 7] = [
    include_str!("replay/mesh.js"),
    include_str!("replay/frame.js"),
    include_str!("replay/scene.js"),
    include_str!("replay/contacts.js"),
    include_str!("replay/plots.js"),
    include_str!("replay/timeline.js"),
    include_str!("replay/panel.js"),
];

/// Returns the program of a page: scripts with the data before the modules that draw, those that use them after.
pub fn program(data: &[&str], main: &[&str]) -> String {
    let parts: Vec<&str> = [&[NUMBERS], data, &DRAWING, main].concat();
    format!("'use strict';\n(() => {{\n{}\n}})();", parts.join("\n"))
}
