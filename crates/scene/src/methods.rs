//! Keys that the method of a scene cannot use.
//!
//! The list of keys says which methods use each. Where method and key stand in the same file, a key without use is an error at its place; where the method comes from
//! outside, [`Scene::unused_by`] names the keys for a warning.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::SceneError;
use super::file::Scene;
use super::keys::{Kind, SCENE, Section};
use super::values::{Answer, Value};
use zerogap_simulation::world::settings::METHODS;

/// A key of a file that a method does not use.
struct UnusedKey {
    name: &'static str,
    /// The table that it stands in.
    section: &'static str,
    /// The methods that use it.
    methods: &'static [&'static str],
    /// Where its value stands.
    span: Range<usize>,
}

impl Scene {
    /// Returns the keys that the scene gives and `method` (`events`, `stepping` or `silvia`) does not use, each with its table, in the order of the file.
    ///
    /// For a method that is chosen in place of the scene's own; for its own there are none, since a scene with such keys is refused.
    pub fn unused_by(&self, method: &str) -> Vec<String> {
        // A model that is no TOML has no keys of ours.
        let Ok(parsed) = DeTable::parse(&self.source) else { return Vec::new() };
        let mut names: Vec<String> = Vec::new();
        for key in unused(parsed.get_ref(), method) {
            let name = format!("'{}' of {}", key.name, key.section);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns what to tell who chose a `method` in place of the scene's own, if it does not use some of the scene's keys.
    pub fn unused_warning(&self, method: &str) -> Option<String> {
        let names = self.unused_by(method);
        (!names.is_empty()).then(|| format!("method \"{method}\" does not use {}", names.join(", ")))
    }
}

/// Refuses a key that the method of the file does not use.
pub(super) fn refuse_unused(top: &DeTable<'_>) -> Answer<()> {
    let word = method_word(top).unwrap_or(METHODS[0]);
    match unused(top, word).into_iter().next() {
        None => Ok(()),
        Some(key) => {
            let message = format!("'{}' has no meaning for method = \"{word}\"", key.name);
            let help = format!("leave it out; it is used by {}", methods_in_words(key.methods));
            Err(SceneError::at(key.span, message).with_help(help))
        }
    }
}

/// Methods as a sentence has them: `events and stepping`.
pub(super) fn methods_in_words(methods: &[&str]) -> String {
    match methods.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => methods.concat(),
    }
}

/// The method that the file names.
fn method_word<'a>(top: &'a DeTable<'_>) -> Option<&'a str> {
    let DeValue::Table(world) = top.get("world")?.get_ref() else { return None };
    let DeValue::String(word) = world.get("method")?.get_ref() else { return None };
    Some(word)
}

/// The keys that a method does not use, in the order of the file.
fn unused(top: &DeTable<'_>, method: &str) -> Vec<UnusedKey> {
    let mut found = Vec::new();
    search(top, &SCENE, method, &mut found);
    found.sort_by_key(|key| key.span.start);
    found
}

fn search(table: &DeTable<'_>, section: &'static Section, method: &str, found: &mut Vec<UnusedKey>) {
    for (name, value) in table {
        let name: &str = name.get_ref();
        let Some(key) = section.keys.iter().find(|key| key.name == name) else { continue };
        let is_what_happens_anyway = key
            .otherwise
            .is_some_and(|word| matches!(value.get_ref(), DeValue::String(text) if text == word));
        if !key.methods.contains(&method) && !is_what_happens_anyway {
            let span = value.span();
            found.push(UnusedKey { name: key.name, section: section.title, methods: key.methods, span });
            continue;
        }
        inner_tables(value, key.kind, &mut |inner, section| search(inner, section, method, found));
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
