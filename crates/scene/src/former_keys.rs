//! Keys of earlier scenes that have another name now, so that a file with one gets an error that says the new one.

/// A key that was renamed.
struct FormerKey {
    /// How its table is written, without brackets.
    table: &'static str,
    name: &'static str,
    /// What to write in its place.
    now: &'static str,
}

const FORMER_KEYS: &[FormerKey] = &[
    FormerKey { table: "a scene", name: "about", now: "description = \"...\"" },
    FormerKey { table: "a scene", name: "apart", now: "[[exclude]]" },
    FormerKey { table: "world", name: "allow_overlap", now: "overlaps = \"separate\" or \"exclude\"" },
    FormerKey { table: "bodies", name: "hand", now: "[bodies.servo]" },
    FormerKey { table: "fixed", name: "theta", now: ANGULAR_TOLERANCE },
    FormerKey { table: "bodies", name: "theta", now: ANGULAR_TOLERANCE },
    FormerKey { table: "bodies.shapes", name: "theta", now: ANGULAR_TOLERANCE },
    FormerKey { table: "fixed", name: "grown", now: INFLATE },
    FormerKey { table: "bodies", name: "grown", now: INFLATE },
    FormerKey { table: "bodies.shapes", name: "grown", now: INFLATE },
    FormerKey { table: "bodies.joint", name: "at", now: "parent_frame = { position = [x, y, z] }" },
    FormerKey { table: "bodies.joint", name: "turned", now: "parent_frame = { rotation = ... }" },
    FormerKey { table: "bodies.joint", name: "on", now: "child_frame = { position = [x, y, z] }" },
    FormerKey { table: "bodies.joint", name: "rest", now: "spring_reference = ..." },
    FormerKey { table: "landing.lift", name: "share", now: "fraction = ..." },
];

const ANGULAR_TOLERANCE: &str = "angular_tolerance = ...";
const INFLATE: &str = "inflate = true";

/// Returns what to write in place of a key that a table used to have; none where it never had it.
pub(super) fn replacement(title: &str, name: &str) -> Option<&'static str> {
    let table = title.trim_matches(['[', ']']);
    FORMER_KEYS.iter().find(|former| former.table == table && former.name == name).map(|former| former.now)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Scene;

    #[test]
    fn a_key_with_another_name_now_is_refused_with_the_new_name() {
        for former in FORMER_KEYS {
            let header = match former.table {
                "a scene" => String::new(),
                "world" => "[world]\n".to_owned(),
                list @ ("fixed" | "bodies") => format!("[[{list}]]\n"),
                "bodies.shapes" => "[[bodies]]\n[[bodies.shapes]]\n".to_owned(),
                "landing.lift" => "[landing.lift]\n".to_owned(),
                table => format!("[[bodies]]\n[{table}]\n"),
            };
            let text = format!("{header}{} = 1\n", former.name);
            let error = Scene::parse(&text, "old", Path::new(".")).err().map(|error| error.report());
            let error = error.unwrap_or_default();
            assert!(error.contains(former.name) && error.contains(former.now), "{text}: {error}");
        }
    }
}
