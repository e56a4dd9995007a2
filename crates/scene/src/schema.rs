//! The list of keys as a JSON schema for editors and as tables for the reference page.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value, json};
use zerogap_core::units::Dimension;

use super::keys::{ROTATION, SCENE};
use zerogap_simulation::settings::{DefaultValue, Key, Kind, Range, Section, listed};

/// The JSON schema of scene files (draft 7, which editors of TOML know).
pub fn schema() -> String {
    let mut definitions = BTreeMap::new();
    for section in sections() {
        definitions.insert(name(section), table(section));
    }
    let mut whole = table(&SCENE);
    whole["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    whole["title"] = json!("zerogap scene");
    whole["definitions"] = json!(definitions);
    // A map of texts and maps always has a text form.
    serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n"
}

/// One table in Markdown for each table of a scene file.
pub fn key_tables() -> String {
    let mut text = String::new();
    for section in std::iter::once(&SCENE).chain(sections()) {
        let title = match name(section) {
            "a scene" => "Top of the file".to_owned(),
            _ => format!("`{}`", section.title),
        };
        let _ = write!(
            text,
            "### {title}\n\n{}\n\n| key | value | default | meaning |\n|---|---|---|---|\n",
            section.description
        );
        for key in section.keys() {
            let default = if key.is_needed() { "**needed**".to_owned() } else { key.default_text() };
            let meaning = meaning(key);
            let _ = writeln!(text, "| `{}` | {} | {default} | {meaning} |", key.name, shown(key.kind));
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

/// What a key means, which numbers it may be, and what uses it.
fn meaning(key: &Key) -> String {
    let range = if key.range == Range::ANY { String::new() } else { format!(" It must be {}.", key.range) };
    let uses: Vec<String> = key
        .uses
        .iter()
        .map(|used| {
            let with = format!("with {} = {}", used.selector, listed(used.words));
            match key.condition_of(used) {
                Some((selector, words)) => format!(" Where {selector} = {}, used {with}.", listed(words)),
                None => format!(" Used {with}."),
            }
        })
        .collect();
    format!("{}{range}{}", key.help, uses.concat())
}

/// All sections that the file can lead to, in the order of the list of keys, each once.
fn sections() -> Vec<&'static Section> {
    fn add(section: &'static Section, found: &mut Vec<&'static Section>) {
        for key in section.keys() {
            let inner = match key.kind {
                Kind::Table(inner) | Kind::Tables(inner) | Kind::Named(inner) | Kind::WordOr(_, inner) => {
                    inner
                }
                Kind::Rotation => &ROTATION,
                _ => continue,
            };
            if !found.iter().any(|known| std::ptr::eq(*known, inner)) {
                found.push(inner);
                add(inner, found);
            }
        }
    }
    let mut found = Vec::new();
    add(&SCENE, &mut found);
    found
}

fn name(section: &'static Section) -> &'static str {
    section.title.trim_matches(['[', ']'])
}

fn table(section: &'static Section) -> Value {
    let properties: Map<String, Value> = section
        .keys()
        .map(|key| {
            let mut value = value(key.kind);
            if let Kind::Quantity(_) | Kind::CountOr(_) = key.kind {
                limit(&mut value["anyOf"][0], &key.range);
            } else if let Kind::Count = key.kind {
                limit(&mut value, &key.range);
            }
            value["description"] = json!(meaning(key));
            if let Some(default) = default(key.default) {
                value["default"] = default;
            }
            (key.name.to_owned(), value)
        })
        .collect();
    let needed: Vec<&str> = section.keys().filter(|key| key.is_needed()).map(|key| key.name).collect();
    json!({
        "type": "object",
        "description": section.description,
        "additionalProperties": false,
        "properties": properties,
        "required": needed,
    })
}

/// Adds the ends of a range to the schema of a number.
fn limit(number: &mut Value, range: &Range) {
    for (end, is_open, words) in [
        (range.min, range.is_above_min, ["minimum", "exclusiveMinimum"]),
        (range.max, range.is_below_max, ["maximum", "exclusiveMaximum"]),
    ] {
        if end.is_finite() {
            number[words[usize::from(is_open)]] = json!(end);
        }
    }
}

/// What holds without a key, where that is a value.
fn default(default: DefaultValue) -> Option<Value> {
    Some(match default {
        DefaultValue::Needed | DefaultValue::None | DefaultValue::Described(_) => return None,
        DefaultValue::Number(x) => json!(x),
        DefaultValue::Count(count) => json!(count),
        DefaultValue::Flag(flag) => json!(flag),
        DefaultValue::Word(word) => json!(word),
        DefaultValue::Vector(numbers) => json!(numbers),
    })
}

fn value(kind: Kind) -> Value {
    let text = |words: &[&str]| json!({ "type": "string", "enum": words });
    // Beside a reference nothing else counts in draft 7, so it stands in a list of one.
    let reference = |section: &'static Section| json!({ "allOf": [{ "$ref": format!("#/definitions/{}", name(section)) }] });
    match kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Word(words) => text(words),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count => json!({ "type": "integer", "minimum": 0 }),
        Kind::Quantity(dimension) => quantity(dimension),
        Kind::Coordinate(angular, linear) => json!({ "anyOf": [quantity(angular), quantity(linear)] }),
        Kind::Vector(count, dimension) => list(count, dimension),
        Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::CountOr(words) => json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, text(words)] }),
        Kind::Table(section) => reference(section),
        Kind::Tables(section) => json!({ "type": "array", "items": reference(section) }),
        Kind::Named(section) => json!({ "type": "object", "additionalProperties": reference(section) }),
        Kind::Rotation => json!({ "anyOf": [list(4, Dimension::Number), reference(&ROTATION)] }),
        Kind::WordOr(words, section) => json!({ "anyOf": [text(words), reference(section)] }),
    }
}

fn quantity(dimension: Dimension) -> Value {
    let units: Vec<String> = dimension.unit_names().map(|unit| unit.replace('^', "\\^")).collect();
    let number = r"^\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*";
    json!({ "anyOf": [
        { "type": "number" },
        { "type": "string", "pattern": format!("{number}({})?\\s*$", units.join("|")) },
    ]})
}

fn list(count: usize, dimension: Dimension) -> Value {
    json!({ "type": "array", "items": quantity(dimension), "minItems": count, "maxItems": count })
}

/// What may stand behind a key, in words.
fn shown(kind: Kind) -> String {
    let unit = |dimension: Dimension| match dimension.si() {
        "" => "number".to_owned(),
        si => format!("{} [{si}]", dimension.word()),
    };
    let words =
        |words: &[&str]| words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ");
    match kind {
        Kind::Text => "text".to_owned(),
        Kind::Word(list) => words(list),
        Kind::Flag => "true or false".to_owned(),
        Kind::Count => "whole number".to_owned(),
        Kind::Quantity(dimension) => unit(dimension),
        Kind::Coordinate(angular, linear) => format!("{} or {}", unit(angular), unit(linear)),
        Kind::Vector(count, dimension) => format!("{count} of {}", unit(dimension)),
        Kind::Texts => "list of texts".to_owned(),
        Kind::CountOr(list) => format!("whole number or {}", words(list)),
        Kind::Table(inner) => format!("table `{}`", inner.title),
        Kind::Tables(inner) => format!("list of tables `{}`", inner.title),
        Kind::Named(inner) => format!("tables `{}`", inner.title),
        Kind::Rotation => "rotation".to_owned(),
        Kind::WordOr(list, inner) => format!("{} or table `{}`", words(list), inner.title),
    }
}
