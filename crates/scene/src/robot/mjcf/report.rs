//! What was left unread of a model: appearance and soft-contact parameters in one warning, everything else by name and line; physics that is not there is collected apart.

use std::collections::{BTreeMap, BTreeSet};

use super::attributes::Attributes;
use super::document::Spot;

/// Attributes that change the appearance, the names of things or the solver of the other program, by any element.
const PASSED_OVER: [&str; 29] = [
    "rgba",
    "material",
    "group",
    "user",
    "class",
    "childclass",
    "solref",
    "solimp",
    "solmix",
    "margin",
    "gap",
    "solreffriction",
    "solimpfriction",
    "solreflimit",
    "solimplimit",
    "width",
    "fitscale",
    "sleep",
    "texcoord",
    "normal",
    "smoothnormal",
    "maxhullvert",
    "texturedir",
    "discardvisual",
    "octree_maxdepth",
    "needsdf",
    "content_type",
    "line",
    "align",
];

/// What was left unread.
#[derive(Debug, Default)]
pub(in crate::robot) struct Report {
    /// Each name once, with its first place, why, and how often it came.
    unread: BTreeMap<String, (String, usize, &'static str)>,
    passed: BTreeSet<String>,
    missing: BTreeMap<String, (Spot, usize)>,
    said: BTreeSet<String>,
    file: String,
}

impl Report {
    pub(in crate::robot) fn new(file: String) -> Self {
        Self { file, ..Self::default() }
    }

    /// Notes that something is not read, and why.
    pub(super) fn unread(&mut self, what: String, spot: &Spot, why: &'static str) {
        self.unread.entry(what).or_insert_with(|| (spot.line(), 0, why)).1 += 1;
    }

    /// Notes something that only changes the appearance, or how softly contacts are solved elsewhere.
    pub(super) fn pass_over(&mut self, what: String) {
        self.passed.insert(what);
    }

    /// Notes physics that is not there.
    pub(super) fn missing(&mut self, what: impl Into<String>, spot: &Spot) {
        self.missing.entry(what.into()).or_insert_with(|| (spot.clone(), 0)).1 += 1;
    }

    /// Notes a warning that is a sentence already.
    pub(in crate::robot) fn say(&mut self, warning: String) {
        self.said.insert(warning);
    }

    /// Notes every attribute of an element that is not read.
    pub(super) fn attributes(&mut self, item: &impl Attributes, read: &[&str]) {
        for attr in item.list() {
            let name = &*attr.name;
            if read.contains(&name) {
                continue;
            }
            let meant = zerogap_core::text::nearest(name, read).filter(|_| !PASSED_OVER.contains(&name));
            let meant = meant.map_or(String::new(), |meant| format!(" (did you mean '{meant}'?)"));
            let what = format!("'{name}' of <{}>{meant}", item.tag());
            if PASSED_OVER.contains(&name) {
                self.passed.insert(what);
            } else {
                self.unread(what, &attr.spot, "");
            }
        }
    }

    /// The physics that is not there: what, where first and how often.
    pub(in crate::robot) fn absent(&self) -> impl Iterator<Item = (&String, &Spot, usize)> {
        self.missing.iter().map(|(what, (spot, count))| (what, spot, *count))
    }

    /// The warnings; physics that is not there among them.
    pub(in crate::robot) fn finish(self) -> Vec<String> {
        let times = |count: usize| if count > 1 { format!(" ({count} times)") } else { String::new() };
        let mut warnings: Vec<String> = self
            .missing
            .iter()
            .map(|(what, (spot, count))| {
                format!(
                    "{}: {what} left out: the model moves otherwise than it says{}",
                    spot.line(),
                    times(*count)
                )
            })
            .collect();
        warnings.extend(self.unread.into_iter().map(|(what, (line, count, why))| {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            format!("{line}: {what} is not read{why}{}", times(count))
        }));
        if !self.passed.is_empty() {
            let names: Vec<&str> = self.passed.iter().map(String::as_str).collect();
            warnings.push(format!(
                "{}: appearance and soft contact are not read: {}",
                self.file,
                names.join(", ")
            ));
        }
        warnings.extend(self.said);
        warnings
    }
}
