//! Keys of a scene that have no effect.
//!
//! The tables of settings say with which method, contact model and collision each key is used. Where those words stand in the same file, a key without effect is an error at its place; where
//! the method comes from outside, [`Scene::unused_by`] names the keys for a warning.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zerogap_simulation::settings::{Key, Kind, Section, Selected, SettingError};

use super::error::SceneError;
use super::file::Scene;
use super::keys::SCENE;
use super::values::{Answer, Value};

/// A key of a file that has no effect.
struct UnusedKey {
    key: &'static Key,
    /// The table that it stands in.
    section: &'static str,
    /// Where its value stands.
    span: Range<usize>,
}

impl Scene {
    /// Returns the keys that the scene gives and `method` (`events`, `stepping` or `silvia`) does not use, each with its table, in the order of the file.
    ///
    /// For a method that is chosen in place of the scene's own; for its own there are none, since a scene with such keys is refused.
    pub fn unused_by(&self, method: &'static str) -> Vec<String> {
        // A model that is no TOML has no keys of ours.
        let Ok(parsed) = DeTable::parse(&self.source) else { return Vec::new() };
        let mut names: Vec<String> = Vec::new();
        for unused in unused(parsed.get_ref(), &[("method", method)]) {
            let name = format!("'{}' of {}", unused.key.name, unused.section);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        self.name_other_tolerances(parsed.get_ref(), method, &mut names);
        names
    }

    /// Adds the tolerances of located events to the names where the method is stepping instead: it has tolerances of the same names, which mean something else, and takes them from its own scenes alone.
    fn name_other_tolerances(&self, top: &DeTable<'_>, method: &str, names: &mut Vec<String>) {
        let is_own = self.builder.params().method.stepping().is_some();
        let Some(world) = top.get("world").and_then(|world| world.get_ref().as_table()) else { return };
        if method != "stepping" || is_own {
            return;
        }
        let place = names.iter().take_while(|name| name.ends_with("of [world]")).count();
        let of_world = ["rtol", "max_step"].into_iter().filter(|key| world.contains_key(*key));
        let others = of_world.map(|key| format!("'{key}' of [world]"));
        names.splice(place..place, others);
    }

    /// Returns a warning for who chose a `method` in place of the scene's own, if it does not use some of the scene's keys.
    pub fn unused_warning(&self, method: &'static str) -> Option<String> {
        let names = self.unused_by(method);
        (!names.is_empty()).then(|| format!("method \"{method}\" does not use {}", names.join(", ")))
    }
}

/// Refuses a key that has no effect with the method and the contact model, which are selected.
pub(super) fn refuse_unused(top: &DeTable<'_>, selected: &[Selected]) -> Answer<()> {
    let Some(UnusedKey { key, span, .. }) = unused(top, selected).into_iter().next() else { return Ok(()) };
    match key.unused_with(selected) {
        None => Ok(()),
        Some((used, (selector, word))) => {
            let error = SettingError::Unused { key: key.name, selector, word, used_with: used.words };
            Err(SceneError::setting(span, &error))
        }
    }
}

/// The keys without effect, in the order of the file.
fn unused(top: &DeTable<'_>, selected: &[Selected]) -> Vec<UnusedKey> {
    let mut found = Vec::new();
    search(top, &SCENE, selected, &mut found);
    found.sort_by_key(|unused| unused.span.start);
    found
}

fn search(table: &DeTable<'_>, section: &'static Section, selected: &[Selected], found: &mut Vec<UnusedKey>) {
    for (name, value) in table {
        let Some(key) = section.key(name.get_ref()) else { continue };
        let is_what_happens_anyway = key
            .otherwise
            .is_some_and(|word| matches!(value.get_ref(), DeValue::String(text) if text == word));
        if key.unused_with(selected).is_some() && !is_what_happens_anyway {
            found.push(UnusedKey { key, section: section.title, span: value.span() });
            continue;
        }
        inner_tables(value, key.kind, &mut |inner, section| search(inner, section, selected, found));
    }
}

/// Calls a function with every table behind a key.
fn inner_tables(value: &Value<'_>, kind: Kind, call: &mut dyn FnMut(&DeTable<'_>, &'static Section)) {
    let mut each = |value: &Spanned<DeValue<'_>>, section| {
        if let DeValue::Table(table) = value.get_ref() {
            call(table, section);
        }
    };
    match (kind, value.get_ref()) {
        (Kind::Table(section) | Kind::WordOr(_, section), _) => each(value, section),
        (Kind::Tables(section), DeValue::Array(list)) => list.iter().for_each(|one| each(one, section)),
        (Kind::Named(section), DeValue::Table(named)) => named.values().for_each(|one| each(one, section)),
        _ => {}
    }
}
