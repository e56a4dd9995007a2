//! The words of methods, integrators and impact laws, and hints for words that are none. Those of contact models stand in `tables`, those of collision in `collision`.

/// Methods by name; the first is the default.
pub const METHODS: &[&str] = &["auto", "events", "stepping", "silvia"];

/// Integrators by name, for events; the first is the default.
pub const INTEGRATORS: &[&str] = &["auto", "dop853", "radau"];

/// Solvers of the contacts of steps by name; the first is the default.
pub(super) const SOLVERS: &[&str] = &["cones", "lcp"];

/// Narrow phases of runs by name; the first is the default.
pub(super) const NARROW_PHASES: &[&str] = &["exact", "mpr", "v-clip"];

/// Broad phases by name; the first is the default.
pub(super) const BROAD_PHASES: &[&str] = &["auto", "grid", "sweep", "tree"];

/// Impact laws by name; the first is the default.
pub const IMPACTS: &[&str] = &["moreau", "poisson", "newton", "sequential"];

/// Returns what to write in place of a word that a setting does not have: one of another setting.
pub fn word_hint(key: &str, word: &str) -> Option<&'static str> {
    match (key, word) {
        ("method", "dop853") => {
            Some("write integrator = \"dop853\": it is an integrator of method = \"events\"")
        }
        ("method", "radau") => {
            Some("write integrator = \"radau\": it is an integrator of method = \"events\"")
        }
        ("integrator", "events" | "stepping" | "silvia") => {
            Some("that is a method: write it as 'method'; integrators are for method = \"events\"")
        }
        _ => None,
    }
}
