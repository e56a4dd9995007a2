//! Values of a TOML text: each checked against the kind that its key has, with an error that underlines it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zerogap_core::units::{Dimension, parse_quantity};

use super::error::SceneError;
use super::former_keys::replacement;
use super::keys::ROTATION;
use zerogap_core::text::nearest;
use zerogap_simulation::settings::{Key, Kind, Section, SettingError};

pub(super) type Answer<T> = Result<T, SceneError>;
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// A text with its place.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Range<usize>,
}

impl Text<'_> {
    /// The place of some bytes of the text, where it is written as it is.
    pub(crate) fn part(&self, bytes: &Range<usize>) -> Range<usize> {
        let is_plain = self.span.len() == self.text.len() + 2;
        let start = self.span.start + 1;
        if is_plain && !bytes.is_empty() && bytes.end <= self.text.len() {
            start + bytes.start..start + bytes.end
        } else {
            self.span.clone()
        }
    }
}

/// Refuses a table with keys that it cannot have, without keys that it must have, or with values of the wrong kind, in it or in the tables in it.
pub(super) fn check(table: &DeTable<'_>, span: &Range<usize>, section: &'static Section) -> Answer<()> {
    for (key, value) in table {
        let name: &str = key.get_ref();
        let Some(known) = section.key(name) else {
            let names = section.names();
            let error = SceneError::at(key.span(), format!("{} has no key '{name}'", section.title));
            if let Some(now) = replacement(section.title, name) {
                return Err(error.with_help(format!("it has another name now: write {now}")));
            }
            return Err(error.with_help(match nearest(name, &names) {
                Some(meant) => format!("did you mean '{meant}'?"),
                None => format!("its keys are {}", names.join(", ")),
            }));
        };
        check_value(value, known)?;
    }
    match section.keys().find(|key| key.is_needed() && !table.contains_key(key.name)) {
        Some(key) => {
            let message = format!("{} needs '{}'", section.title, key.name);
            Err(SceneError::at(span.clone(), message).with_help(key.advice()))
        }
        None => Ok(()),
    }
}

/// Refuses a value of the wrong kind.
fn check_value(value: &Value<'_>, key: &'static Key) -> Answer<()> {
    let name = key.name;
    match key.kind {
        Kind::Text => text(value, name).map(drop),
        Kind::Word(words) => one_of(&text(value, name)?, key.name, words).map(drop),
        Kind::Flag => flag(value, name).map(drop),
        Kind::Count => count(value, name).map(drop),
        Kind::Quantity(dimension) => quantity(value, name, dimension).map(drop),
        // Which of the two it is, the joint tells; a text must fit one of them.
        Kind::Coordinate(angular, linear) => {
            let read = quantity(value, name, angular).or_else(|_| quantity(value, name, linear));
            read.map(drop).map_err(|error| {
                let units = |of: Dimension| of.unit_names().collect::<Vec<&str>>().join(", ");
                let (rotational, translational) = (units(angular), units(linear));
                error.with_help(format!("write a number followed by one of {rotational} for a rotational joint, or of {translational} for a translational one"))
            })
        }
        Kind::Vector(count, dimension) => numbers(value, name, count, dimension).map(drop),
        Kind::Texts => texts(value, name).map(drop),
        Kind::CountOr(words) => match value.get_ref() {
            DeValue::String(_) => one_of(&text(value, name)?, key.name, words).map(drop),
            DeValue::Integer(_) => count(value, name).map(drop),
            _ => {
                let message = format!("'{name}' must be a whole number or \"{}\"", words.join("\" or \""));
                Err(SceneError::at(value.span(), message))
            }
        },
        Kind::Table(section) => check(table(value, name)?, &value.span(), section),
        Kind::Tables(section) => list_of_tables(value, name)?
            .iter()
            .try_for_each(|one| check(table(one, name)?, &one.span(), section)),
        Kind::Named(section) => {
            let DeValue::Table(tables) = value.get_ref() else {
                let error = SceneError::at(value.span(), format!("'{name}' must be a table of tables"));
                return Err(error.with_help(format!("write [{name}.NAME] and the keys of NAME below it")));
            };
            tables.iter().try_for_each(|(key, one)| {
                let DeValue::Table(table) = one.get_ref() else {
                    let message =
                        format!("[{name}] holds a table for each name, and '{}' is none", key.get_ref());
                    let help = format!("write [{name}.{}] and its keys below it", key.get_ref());
                    return Err(SceneError::at(one.span(), message).with_help(help));
                };
                check(table, &one.span(), section)
            })
        }
        Kind::Rotation => match value.get_ref() {
            DeValue::Array(_) => numbers(value, name, 4, Dimension::Number).map(drop),
            DeValue::Table(table) => check(table, &value.span(), &ROTATION),
            _ => {
                let error = SceneError::at(
                    value.span(),
                    format!("'{name}' must be an axis with an angle, or a quaternion"),
                );
                Err(error
                    .with_help("write { axis = [0, 0, 1], angle = \"30 deg\" } or a quaternion [x, y, z, w]"))
            }
        },
        Kind::WordOr(words, section) => match value.get_ref() {
            DeValue::String(_) => one_of(&text(value, name)?, key.name, words).map(drop),
            DeValue::Table(table) => check(table, &value.span(), section),
            _ => {
                let message = format!("'{name}' must be \"{}\" or a table", words.join("\" or \""));
                let names: Vec<&str> =
                    section.keys().filter(|key| key.is_needed()).map(|key| key.name).collect();
                let help =
                    format!("write {{ {} = ... }}, or a table [bodies.{name}]", names.join(" = ..., "));
                Err(SceneError::at(value.span(), message).with_help(help))
            }
        },
    }
}

/// A table.
pub(super) fn table<'a>(value: &'a Value<'a>, name: &str) -> Answer<&'a DeTable<'a>> {
    match value.get_ref() {
        DeValue::Table(table) => Ok(table),
        DeValue::Array(_) => {
            Err(SceneError::at(value.span(), format!("'{name}' must be one table, not a list of them"))
                .with_help(format!("write [{name}] with one pair of brackets")))
        }
        _ => Err(SceneError::at(value.span(), format!("'{name}' must be a table")).with_help(format!(
            "write [{name}] on a line of its own and its keys below it, or {name} = {{ key = value }}"
        ))),
    }
}

/// The elements of a list of tables.
pub(super) fn list_of_tables<'a>(value: &'a Value<'a>, name: &str) -> Answer<&'a [Value<'a>]> {
    match value.get_ref() {
        DeValue::Array(list) => Ok(list),
        _ => Err(SceneError::at(value.span(), format!("'{name}' must be a list of tables"))
            .with_help(format!("write [[{name}]] with two pairs of brackets, once for each of them"))),
    }
}

/// A text.
pub(super) fn text<'a>(value: &'a Value<'a>, name: &str) -> Answer<Text<'a>> {
    match value.get_ref() {
        DeValue::String(text) => Ok(Text { text, span: value.span() }),
        _ => Err(SceneError::at(value.span(), format!("'{name}' must be a text"))
            .with_help(format!("write it in quotes: {name} = \"...\""))),
    }
}

/// Some texts.
pub(super) fn texts<'a>(value: &'a Value<'a>, name: &str) -> Answer<Vec<Text<'a>>> {
    let DeValue::Array(list) = value.get_ref() else {
        let error = SceneError::at(value.span(), format!("'{name}' must be a list of names"));
        return Err(error.with_help(format!("write {name} = [\"one\", \"another\"]")));
    };
    list.iter().map(|value| text(value, name)).collect()
}

/// Yes or no.
pub(super) fn flag(value: &Value<'_>, name: &str) -> Answer<bool> {
    match value.get_ref() {
        DeValue::Boolean(flag) => Ok(*flag),
        _ => Err(SceneError::at(value.span(), format!("'{name}' must be true or false, without quotes"))),
    }
}

/// A whole number.
pub(super) fn count(value: &Value<'_>, name: &str) -> Answer<usize> {
    match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        _ => None,
    }
    .ok_or_else(|| SceneError::at(value.span(), format!("'{name}' must be a whole number, zero or more")))
}

/// The one of some words that a text is.
fn one_of(text: &Text<'_>, key: &'static str, known: &'static [&'static str]) -> Answer<&'static str> {
    let found = known.iter().find(|word| **word == text.text).copied();
    found.ok_or_else(|| {
        let error = SettingError::UnknownWord { key, word: text.text.to_owned(), known };
        SceneError::setting(text.span.clone(), &error)
    })
}

/// A number in SI.
pub(super) fn quantity(value: &Value<'_>, name: &str, dimension: Dimension) -> Answer<f64> {
    let number = match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::String(text) => parse_quantity(text, dimension).ok(),
        _ => None,
    };
    number.filter(|x: &f64| x.is_finite()).ok_or_else(|| {
        let word = dimension.word();
        let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let units: Vec<&str> = dimension.unit_names().collect();
        let (message, help) = match (value.get_ref(), units.first()) {
            (DeValue::String(text), None) => (
                format!("'{name}' must be a number, and '{text}' is none"),
                "write it without quotes; it has no unit".to_owned(),
            ),
            (DeValue::String(text), Some(_)) => (
                format!("'{name}' must be {article} {word}, and '{text}' is none"),
                format!("write a number followed by one of {}", units.join(", ")),
            ),
            (_, None) => {
                (format!("'{name}' must be a finite number"), "write a number such as 0.5".to_owned())
            }
            (_, Some(si)) => (
                format!("'{name}' must be {article} {word}, and finite"),
                format!(
                    "write a number in {si}, or a text with a unit such as \"2 {}\"",
                    units.last().unwrap_or(si)
                ),
            ),
        };
        SceneError::at(value.span(), message).with_help(help)
    })
}

/// Some numbers in SI.
pub(super) fn numbers(value: &Value<'_>, name: &str, count: usize, dimension: Dimension) -> Answer<Vec<f64>> {
    let example = match count {
        3 => "[0, 0, 1]",
        _ => "[0, 0, 0, 1]",
    };
    let help = || format!("write {count} numbers in brackets: {name} = {example}");
    let DeValue::Array(list) = value.get_ref() else {
        let error = SceneError::at(value.span(), format!("'{name}' must be a list of {count} numbers"));
        return Err(error.with_help(help()));
    };
    if list.len() != count {
        let message = format!("'{name}' has {} numbers, but needs {count}", list.len());
        return Err(SceneError::at(value.span(), message).with_help(help()));
    }
    list.iter().map(|value| quantity(value, name, dimension)).collect()
}
