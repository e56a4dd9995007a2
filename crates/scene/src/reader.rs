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
use super::keys::ROTATION;
use super::values::{self, Answer, Text, Value};
use zerogap_simulation::settings::{Key, Kind, Section, SettingError, Source};

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

    /// The value of a key, with its kind.
    fn value(&self, name: &str) -> Option<(&'a Value<'a>, Kind)> {
        let key = self.key(name)?;
        self.asked.borrow_mut().insert(key.name);
        self.entries.get(name).map(|value| (value, key.kind))
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
                let description = self.key(name).map_or("", |key| key.help);
                let error = SceneError::at(key.span(), format!("{owner} has no use for '{name}'"));
                Err(error.with_help(format!("leave it out; it is for: {description}")))
            }
        }
    }

    /// The text of a key.
    pub(crate) fn text(&self, name: &str) -> Answer<Option<Text<'a>>> {
        self.value(name).map(|(value, _)| values::text(value, name)).transpose()
    }

    /// All numbers of a list, in SI.
    pub(crate) fn numbers(&self, name: &str) -> Answer<Option<Vec<f64>>> {
        self.key(name).map_or(Ok(None), |key| self.read_numbers(key))
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
            let angle = turn.needed("angle")?;
            Pose::from_axis_angle(translation, axis, angle)
        } else {
            let q = values::numbers(value, rotation, 4, Dimension::Number)?;
            Pose::new(translation, [q[0], q[1], q[2], q[3]])
        };
        posed.map_err(|error| self.wrong(rotation, error.to_string()))
    }
}

impl Source for Table<'_> {
    type Error = SceneError;

    fn section(&self) -> &'static Section {
        self.section
    }

    fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    fn is_text(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| matches!(value.get_ref(), DeValue::String(_)))
    }

    fn read_number(&self, key: &'static Key, dimension: Dimension) -> Answer<Option<f64>> {
        let value = self.value(key.name);
        value.map(|(value, _)| values::quantity(value, key.name, dimension)).transpose()
    }

    fn read_numbers(&self, key: &'static Key) -> Answer<Option<Vec<f64>>> {
        let Some((value, Kind::Vector(count, dimension))) = self.value(key.name) else { return Ok(None) };
        values::numbers(value, key.name, count, dimension).map(Some)
    }

    fn read_count(&self, key: &'static Key) -> Answer<Option<usize>> {
        self.value(key.name).map(|(value, _)| values::count(value, key.name)).transpose()
    }

    fn read_flag(&self, key: &'static Key) -> Answer<Option<bool>> {
        self.value(key.name).map(|(value, _)| values::flag(value, key.name)).transpose()
    }

    fn read_text(&self, key: &'static Key) -> Answer<Option<String>> {
        let value = self.value(key.name);
        value.map(|(value, _)| Ok(values::text(value, key.name)?.text.to_owned())).transpose()
    }

    fn refuse(&self, error: SettingError) -> SceneError {
        match &error {
            SettingError::Missing { key, .. } => {
                let help = self.key(key).map_or(String::new(), Key::advice);
                SceneError::at(self.span.clone(), error.to_string()).with_help(help)
            }
            _ => SceneError::setting(self.place(error.key()), &error),
        }
    }
}
