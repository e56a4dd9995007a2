//! Known failures, each with the number of its issue. The test fails when a listed cell passes again.

/// Collider, method and law, trial, issue; `*` stands for all.
const KNOWN: &[(&str, &str, &str, u32)] = &[
    // A lossless bounce gains a thousandth of the height.
    ("sphere", "events, hertz", "energy", 24),
    // What lies in a groove, pressed by both sides, creeps along it for ever; a compound by Kelvin and Voigt's law slides.
    ("capsule", "events, linear", "wedge", 24),
    ("capsule", "events, kelvin-voigt", "wedge", 24),
    ("cylinder", "events, rigid", "wedge", 24),
    ("cylinder", "events, hunt-crossley", "wedge", 24),
    ("compound", "events, hunt-crossley", "wedge", 24),
    ("compound", "events, linear", "wedge", 24),
    ("compound", "events, kelvin-voigt", "wedge", 24),
    // Since forces that would do work are made smaller, stacks of meshes tremble at up to 7e-6 m/s.
    ("mesh", "silvia", "stack", 25),
    ("mesh", "silvia", "stack of three", 25),
];

/// Returns the issue of a known failure of a trial; none where it is expected to pass.
pub(super) fn issue_of(collider: &str, method: &str, trial: &str) -> Option<u32> {
    let fits = |pattern: &str, word: &str| pattern == "*" || pattern == word;
    let found = KNOWN.iter().find(|(a, b, c, _)| fits(a, collider) && fits(b, method) && fits(c, trial));
    found.map(|(.., issue)| *issue)
}
