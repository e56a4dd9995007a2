//! Tables of a TOML text with the place of everything, so that every error can underline what it is about.
//!
//! In: a parsed text and the list of keys. Out: values in SI. A table remembers which of its keys were asked for, so that a key that nothing asks for is an error too.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zerogap_core::units::Dimension;
use zerogap_core::{Pose, Vec3};

use super::error::SceneError;
use super::keys::{Key, Kind, ROTATION, Section};
use super::values::{self, Answer, Text, Value};
use zerogap_simulation::world::check_step;

/// A table of the file, with the keys that it may have.
pub(crate) struct Table<'a> {
    entries: &'a DeTable<'a>,
    /// Where it stands.
    pub(crate) span: Range<usize>,
    section: &'static Section,
    /// Keys that were asked for.
    asked: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Table<'a> {
    /// The whole file. Every key in it, down to the last table, is known and of the right kind.
    pub(crate) fn top(table: &'a DeTable<'a>, section: &'static Section) -> Answer<Self> {
        values::check(table, &(0..0), section)?;
        Ok(Self::part(table, 0..0, section))
    }

    fn part(table: &'a DeTable<'a>, span: Range<usize>, section: &'static Section) -> Self {
        Self { entries: table, span, section, asked: RefCell::default() }
    }

    fn key(&self, name: &str) -> Option<&'static Key> {
        let key = self.section.keys.iter().find(|key| key.name == name);
        debug_assert!(key.is_some(), "{} has no key {name} in its list", self.section.title);
        key
    }

    /// The value of a key, with its kind.
    fn value(&self, name: &str) -> Option<(&'a Value<'a>, Kind)> {
        let key = self.key(name)?;
        self.asked.borrow_mut().insert(key.name);
        self.entries.get(name).map(|value| (value, key.kind))
    }

    /// Whether a key is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        debug_assert!(self.key(name).is_some());
        self.entries.contains_key(name)
    }

    /// Where the value of a key stands, or the table.
    pub(crate) fn place(&self, name: &str) -> Range<usize> {
        self.entries.get(name).map_or(self.span.clone(), Spanned::span)
    }

    /// That something is wrong with the value of a key.
    pub(crate) fn wrong(&self, name: &str, message: impl Into<String>) -> SceneError {
        SceneError::at(self.place(name), message)
    }

    /// That a key is missing.
    pub(crate) fn missing(&self, name: &str) -> SceneError {
        let error = SceneError::at(self.span.clone(), format!("{} needs '{name}'", self.section.title));
        error.with_help(self.key(name).map_or(String::new(), Key::advice))
    }

    /// Refuses keys that nothing has asked for: `owner` says what has no use for them.
    pub(crate) fn finish(&self, owner: &str) -> Answer<()> {
        let asked = self.asked.borrow();
        let left = self.entries.iter().find(|(key, _)| {
            let name: &str = key.get_ref();
            !asked.contains(name)
        });
        match left {
            None => Ok(()),
            Some((key, _)) => {
                let name: &str = key.get_ref();
                let description = self.key(name).map_or("", |key| key.description);
                let error = SceneError::at(key.span(), format!("{owner} has no use for '{name}'"));
                Err(error.with_help(format!("leave it out; it is for: {description}")))
            }
        }
    }

    /// The text of a key.
    pub(crate) fn text(&self, name: &str) -> Answer<Option<Text<'a>>> {
        self.value(name).map(|(value, _)| values::text(value, name)).transpose()
    }

    /// One of the words that a key may be.
    pub(crate) fn word(&self, name: &str) -> Answer<Option<&'static str>> {
        match self.value(name) {
            Some((value, Kind::Word(words) | Kind::CountOr(words) | Kind::WordOr(words, _))) => {
                values::one_of(&values::text(value, name)?, name, words).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Yes or no; no where nothing is said.
    pub(crate) fn flag(&self, name: &str) -> Answer<bool> {
        self.value(name).map_or(Ok(false), |(value, _)| values::flag(value, name))
    }

    /// A whole number.
    pub(crate) fn count(&self, name: &str) -> Answer<Option<usize>> {
        self.value(name).map(|(value, _)| values::count(value, name)).transpose()
    }

    /// Whether the value of a key is a text.
    pub(crate) fn is_text(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(|value| matches!(value.get_ref(), DeValue::String(_)))
    }

    /// A number in SI.
    pub(crate) fn quantity(&self, name: &str) -> Answer<Option<f64>> {
        let Some((value, kind)) = self.value(name) else { return Ok(None) };
        let Kind::Quantity(dimension) = kind else { return Ok(None) };
        values::quantity(value, name, dimension).map(Some)
    }

    /// A number of a joint in SI.
    pub(crate) fn coordinate(&self, name: &str, turns: bool) -> Answer<Option<f64>> {
        let Some((value, kind)) = self.value(name) else { return Ok(None) };
        let Kind::Coordinate(angular, linear) = kind else { return Ok(None) };
        values::quantity(value, name, if turns { angular } else { linear }).map(Some)
    }

    /// A number above zero.
    pub(crate) fn positive(&self, name: &str) -> Answer<Option<f64>> {
        self.within(name, |x| x > 0.0, "must be above zero")
    }

    /// The length of a step, long enough for time to advance.
    pub(crate) fn step(&self, name: &'static str) -> Answer<Option<f64>> {
        let step = self.positive(name)?;
        let checked = step.map_or(Ok(()), |step| check_step(name, step, 0.0));
        checked.map_err(|error| self.wrong(name, error.to_string())).map(|()| step)
    }

    /// A number that is zero or more.
    pub(crate) fn not_negative(&self, name: &str) -> Answer<Option<f64>> {
        self.within(name, |x| x >= 0.0, "must be zero or more")
    }

    /// A number from 0 to 1.
    pub(crate) fn share(&self, name: &str) -> Answer<Option<f64>> {
        self.within(name, |x| (0.0..=1.0).contains(&x), "must be from 0 to 1")
    }

    fn within(&self, name: &str, is_good: impl Fn(f64) -> bool, must: &str) -> Answer<Option<f64>> {
        match self.quantity(name)? {
            Some(x) if !is_good(x) => Err(self.wrong(name, format!("'{name}' {must}"))),
            other => Ok(other),
        }
    }

    /// Three numbers in SI.
    pub(crate) fn vector(&self, name: &str) -> Answer<Option<Vec3>> {
        let Some((value, kind)) = self.value(name) else { return Ok(None) };
        let Kind::Vector(count, dimension) = kind else { return Ok(None) };
        let x = values::numbers(value, name, count, dimension)?;
        Ok(Some(Vec3::from_fn(|k, _| x.get(k).copied().unwrap_or_default())))
    }

    /// All numbers of a list, in SI.
    pub(crate) fn numbers(&self, name: &str) -> Answer<Option<Vec<f64>>> {
        let Some((value, kind)) = self.value(name) else { return Ok(None) };
        let Kind::Vector(count, dimension) = kind else { return Ok(None) };
        values::numbers(value, name, count, dimension).map(Some)
    }

    /// Three numbers that are a direction.
    pub(crate) fn direction(&self, name: &str) -> Answer<Option<Vec3>> {
        match self.vector(name)? {
            Some(v) if v.norm() == 0.0 => {
                Err(self.wrong(name, format!("'{name}' is a direction, and [0, 0, 0] is none")))
            }
            other => Ok(other),
        }
    }

    /// A list of texts.
    pub(crate) fn texts(&self, name: &str) -> Answer<Option<Vec<Text<'a>>>> {
        self.value(name).map(|(value, _)| values::texts(value, name)).transpose()
    }

    /// A table.
    pub(crate) fn table(&self, name: &str) -> Answer<Option<Table<'a>>> {
        let Some((value, kind)) = self.value(name) else { return Ok(None) };
        let (Kind::Table(section) | Kind::WordOr(_, section)) = kind else { return Ok(None) };
        Ok(Some(Self::part(values::table(value, name)?, value.span(), section)))
    }

    /// A list of tables.
    pub(crate) fn tables(&self, name: &str) -> Answer<Vec<Table<'a>>> {
        let Some((value, Kind::Tables(section))) = self.value(name) else { return Ok(Vec::new()) };
        let part = |one: &'a Value<'a>| Ok(Self::part(values::table(one, name)?, one.span(), section));
        values::list_of_tables(value, name)?.iter().map(part).collect()
    }

    /// The tables of a table whose keys are names.
    pub(crate) fn named(&self, name: &str) -> Answer<Vec<(Text<'a>, Table<'a>)>> {
        let Some((value, Kind::Named(section))) = self.value(name) else { return Ok(Vec::new()) };
        let part = |(key, one): (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Value<'a>)| {
            let text = Text { text: key.get_ref(), span: key.span() };
            Ok((text, Self::part(values::table(one, name)?, one.span(), section)))
        };
        values::table(value, name)?.iter().map(part).collect()
    }

    /// A pose of a place and a rotation.
    pub(crate) fn pose(&self, place: &str, rotation: &str) -> Answer<Pose> {
        let translation = self.vector(place)?.unwrap_or_default();
        let far = Pose::from_translation(translation);
        let unturned = far.map_err(|error| self.wrong(place, error.to_string()))?;
        let Some((value, _)) = self.value(rotation) else { return Ok(unturned) };
        let posed = if let DeValue::Table(table) = value.get_ref() {
            let turn = Self::part(table, value.span(), &ROTATION);
            let axis = turn.direction("axis")?.ok_or_else(|| turn.missing("axis"))?;
            let angle = turn.quantity("angle")?.ok_or_else(|| turn.missing("angle"))?;
            Pose::from_axis_angle(translation, axis, angle)
        } else {
            let q = values::numbers(value, rotation, 4, Dimension::Number)?;
            Pose::new(translation, [q[0], q[1], q[2], q[3]])
        };
        posed.map_err(|error| self.wrong(rotation, error.to_string()))
    }
}
