//! Tables of a TOML text with the place of everything, so that every error can underline what it is about.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zerogap_core::units::{Dimension, parse_quantity};
use zerogap_core::{Pose, Vec3};

use super::error::SceneError;
use super::keys::{Key, Kind, Section};

/// A table of the file, with the keys that it may have.
#[derive(Clone)]
pub(crate) struct Table<'a> {
    table: &'a DeTable<'a>,
    /// Where it stands.
    pub(crate) span: Range<usize>,
    section: &'static Section,
}

/// A text with its place.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Range<usize>,
}

type Answer<T> = Result<T, SceneError>;

impl<'a> Table<'a> {
    /// A table whose keys are all known.
    pub(crate) fn new(table: &'a DeTable<'a>, span: Range<usize>, section: &'static Section) -> Answer<Self> {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !section.keys.iter().any(|known| known.name == name) {
                let names: Vec<&str> = section.keys.iter().map(|known| known.name).collect();
                let error = SceneError::at(key.span(), format!("{} has no key '{name}'", section.title));
                return Err(error.with_help(match nearest(name, &names) {
                    Some(meant) => format!("did you mean '{meant}'?"),
                    None => format!("its keys are {}", names.join(", ")),
                }));
            }
        }
        Ok(Self { table, span, section })
    }

    fn key(&self, name: &str) -> Option<&'static Key> {
        let key = self.section.keys.iter().find(|key| key.name == name);
        debug_assert!(key.is_some(), "{} has no key {name} in its list", self.section.title);
        key
    }

    fn value(&self, name: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        debug_assert!(self.key(name).is_some());
        self.table.get(name)
    }

    /// Whether a key is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Where the value of a key stands, or the table.
    pub(crate) fn place(&self, name: &str) -> Range<usize> {
        self.value(name).map_or(self.span.clone(), Spanned::span)
    }

    /// That a key is missing.
    pub(crate) fn missing(&self, name: &str) -> SceneError {
        let about = self.key(name).map_or("", |key| key.about);
        SceneError::at(self.span.clone(), format!("{} needs '{name}'", self.section.title)).with_help(about)
    }

    /// The text of a key.
    pub(crate) fn text(&self, name: &str) -> Answer<Option<Text<'a>>> {
        self.value(name).map(|value| text(value, name)).transpose()
    }

    /// One of the words that a key may be.
    pub(crate) fn word(&self, name: &str) -> Answer<Option<&'static str>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let words = match self.key(name).map(|key| key.kind) {
            Some(Kind::Word(words) | Kind::CountOr(words) | Kind::WordOr(words, _)) => words,
            _ => &[],
        };
        one_of(&text(value, name)?, words).map(Some)
    }

    /// Yes or no.
    pub(crate) fn flag(&self, name: &str) -> Answer<bool> {
        match self.value(name).map(|value| (value.get_ref(), value.span())) {
            None => Ok(false),
            Some((DeValue::Boolean(flag), _)) => Ok(*flag),
            Some((_, span)) => Err(SceneError::at(span, format!("'{name}' must be true or false"))),
        }
    }

    /// A whole number.
    pub(crate) fn count(&self, name: &str) -> Answer<Option<usize>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let wrong = || SceneError::at(value.span(), format!("'{name}' must be a whole number, zero or more"));
        match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => {
                number.as_str().parse().map(Some).map_err(|_| wrong())
            }
            _ => Err(wrong()),
        }
    }

    /// Whether the value of a key is a text.
    pub(crate) fn is_text(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| matches!(value.get_ref(), DeValue::String(_)))
    }

    /// A number in SI.
    pub(crate) fn quantity(&self, name: &str) -> Answer<Option<f64>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let dimension = match self.key(name).map(|key| key.kind) {
            Some(Kind::Quantity(dimension)) => dimension,
            _ => Dimension::Number,
        };
        quantity(value, name, dimension).map(Some)
    }

    /// Three numbers in SI.
    pub(crate) fn vector(&self, name: &str) -> Answer<Option<Vec3>> {
        Ok(self.numbers(name)?.map(|x| Vec3::new(x[0], x[1], x[2])))
    }

    fn numbers(&self, name: &str) -> Answer<Option<Vec<f64>>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let Some(Kind::Vector(count, dimension)) = self.key(name).map(|key| key.kind) else {
            return Ok(None);
        };
        numbers(value, name, count, dimension).map(Some)
    }

    /// A list of texts.
    pub(crate) fn texts(&self, name: &str) -> Answer<Option<Vec<Text<'a>>>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let DeValue::Array(list) = value.get_ref() else {
            return Err(SceneError::at(value.span(), format!("'{name}' must be a list of texts")));
        };
        list.iter().map(|value| text(value, name)).collect::<Answer<_>>().map(Some)
    }

    /// A table.
    pub(crate) fn table(&self, name: &str) -> Answer<Option<Table<'a>>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let section = match self.key(name).map(|key| key.kind) {
            Some(Kind::Table(section) | Kind::WordOr(_, section)) => section,
            _ => return Ok(None),
        };
        as_table(value, name, section).map(Some)
    }

    /// A list of tables.
    pub(crate) fn tables(&self, name: &str) -> Answer<Vec<Table<'a>>> {
        let Some(value) = self.value(name) else { return Ok(Vec::new()) };
        let Some(Kind::Tables(section)) = self.key(name).map(|key| key.kind) else { return Ok(Vec::new()) };
        match value.get_ref() {
            DeValue::Array(list) => list.iter().map(|value| as_table(value, name, section)).collect(),
            _ => Err(SceneError::at(value.span(), format!("'{name}' must be a list of tables"))
                .with_help(format!("write [[{name}]] with two brackets"))),
        }
    }

    /// The tables of a table whose keys are names.
    pub(crate) fn named(&self, name: &str) -> Answer<Vec<(Text<'a>, Table<'a>)>> {
        let Some(value) = self.value(name) else { return Ok(Vec::new()) };
        let Some(Kind::Named(section)) = self.key(name).map(|key| key.kind) else { return Ok(Vec::new()) };
        let DeValue::Table(table) = value.get_ref() else {
            return Err(SceneError::at(value.span(), format!("'{name}' must be a table")));
        };
        let one = |(key, value): (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>)| {
            let name = Text { text: key.get_ref(), span: key.span() };
            Ok((name, as_table(value, key.get_ref(), section)?))
        };
        table.iter().map(one).collect()
    }

    /// A pose of a place and a rotation.
    pub(crate) fn pose(&self, place: &str, rotation: &str) -> Answer<Pose> {
        let translation = self.vector(place)?.unwrap_or_default();
        let rotation_place = self.place(rotation);
        let posed = match self.value(rotation) {
            None => Pose::from_translation(translation),
            Some(value) => match value.get_ref() {
                DeValue::Array(_) => {
                    let q = numbers(value, rotation, 4, Dimension::Number)?;
                    Pose::new(translation, [q[0], q[1], q[2], q[3]])
                }
                DeValue::Table(_) => {
                    let turn = as_table(value, rotation, &ROTATION)?;
                    let axis = turn.vector("axis")?.ok_or_else(|| turn.missing("axis"))?;
                    let angle = turn.quantity("angle")?.ok_or_else(|| turn.missing("angle"))?;
                    Pose::from_axis_angle(translation, axis, angle)
                }
                _ => {
                    let error = SceneError::at(value.span(), format!("'{rotation}' is not a rotation"));
                    return Err(error.with_help(
                        "write { axis = [0, 0, 1], angle = \"30 deg\" } or a quaternion [x, y, z, w]",
                    ));
                }
            },
        };
        posed.map_err(|error| SceneError::at(rotation_place, error.to_string()))
    }
}

/// A rotation as a table.
pub(crate) static ROTATION: Section = Section {
    title: "rotation",
    about: "A turn about an axis.",
    keys: &[
        Key { name: "axis", kind: Kind::Vector(3, Dimension::Number), about: "Direction of the axis." },
        Key { name: "angle", kind: Kind::Quantity(Dimension::Angle), about: "How far it is turned." },
    ],
};

fn as_table<'a>(value: &'a Spanned<DeValue<'a>>, name: &str, section: &'static Section) -> Answer<Table<'a>> {
    match value.get_ref() {
        DeValue::Table(table) => Table::new(table, value.span(), section),
        _ => Err(SceneError::at(value.span(), format!("'{name}' must be a table"))),
    }
}

fn text<'a>(value: &'a Spanned<DeValue<'a>>, name: &str) -> Answer<Text<'a>> {
    match value.get_ref() {
        DeValue::String(text) => Ok(Text { text, span: value.span() }),
        _ => Err(SceneError::at(value.span(), format!("'{name}' must be a text in quotes"))),
    }
}

/// The one of some words that a text is.
pub(crate) fn one_of(text: &Text<'_>, words: &'static [&'static str]) -> Answer<&'static str> {
    words.iter().find(|word| **word == text.text).copied().ok_or_else(|| {
        let error =
            SceneError::at(text.span.clone(), format!("'{}' is not one of {}", text.text, words.join(", ")));
        match nearest(text.text, words) {
            Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
            None => error,
        }
    })
}

fn quantity(value: &Spanned<DeValue<'_>>, name: &str, dimension: Dimension) -> Answer<f64> {
    let number = match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::String(text) => {
            return parse_quantity(text, dimension)
                .map_err(|error| SceneError::at(value.span(), format!("'{name}': {error}")));
        }
        _ => None,
    };
    number.filter(|x: &f64| x.is_finite()).ok_or_else(|| {
        let (word, unit) = (dimension.word(), dimension.si());
        let error = SceneError::at(value.span(), format!("'{name}' must be a finite {word}"));
        if unit.is_empty() {
            error
        } else {
            error.with_help(format!("write a number in {unit}, or a text with a unit such as \"2 {unit}\""))
        }
    })
}

fn numbers(value: &Spanned<DeValue<'_>>, name: &str, count: usize, dimension: Dimension) -> Answer<Vec<f64>> {
    let DeValue::Array(list) = value.get_ref() else {
        return Err(SceneError::at(value.span(), format!("'{name}' must be a list of {count} numbers")));
    };
    if list.len() != count {
        let message = format!("'{name}' has {} numbers, but needs {count}", list.len());
        return Err(SceneError::at(value.span(), message));
    }
    list.iter().map(|value| quantity(value, name, dimension)).collect()
}

/// The word that was probably meant: the nearest, where at most a third of its letters are wrong.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let best = known.iter().map(|known| (edits(word, known), *known)).min()?;
    (best.0 * 3 <= best.1.len().max(3)).then_some(best.1)
}

/// Letters to be put in, taken out or changed to make one word of another.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
