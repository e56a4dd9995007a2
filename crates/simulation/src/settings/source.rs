//! Where settings are read from: a table of a scene file, keywords of Python, or options of the command.
//!
//! A [`Source`] provides values by name, in SI. Whatever is decided by the tables of settings stands here, once: units, words, ranges, and keys that have no effect.

use zerogap_core::Vec3;
use zerogap_core::units::Dimension;

use super::error::SettingError;
use super::schema::{Key, Kind, Section, Selected};

/// A source of named values.
///
/// The first methods are what each source brings. The others are the same for all.
pub trait Source {
    /// An error as the source reports it: with a place in a file, or as an exception.
    type Error;

    /// Returns the settings that it may hold.
    fn section(&self) -> &'static Section;

    /// Whether it holds a setting.
    fn has(&self, key: &str) -> bool;

    /// Whether it holds a text for a setting.
    fn is_text(&self, key: &str) -> bool;

    /// Returns a number [SI].
    fn read_number(&self, key: &'static Key, dimension: Dimension) -> Result<Option<f64>, Self::Error>;

    /// Returns a list of numbers [SI] of the length that the setting has.
    fn read_numbers(&self, key: &'static Key) -> Result<Option<Vec<f64>>, Self::Error>;

    /// Returns a whole number.
    fn read_count(&self, key: &'static Key) -> Result<Option<usize>, Self::Error>;

    /// Returns yes or no.
    fn read_flag(&self, key: &'static Key) -> Result<Option<bool>, Self::Error>;

    /// Returns a text.
    fn read_text(&self, key: &'static Key) -> Result<Option<String>, Self::Error>;

    /// Returns an error as the source reports it.
    fn refuse(&self, error: SettingError) -> Self::Error;

    /// Returns a setting by its name. A name that the section does not have is a mistake of ours.
    fn key(&self, name: &str) -> Option<&'static Key> {
        let key = self.section().key(name);
        debug_assert!(key.is_some(), "{} has no key {name}", self.section().title);
        key
    }

    /// Returns a number [SI] within its range.
    fn quantity(&self, name: &str) -> Result<Option<f64>, Self::Error> {
        self.coordinate(name, false)
    }

    /// Returns a number of a joint that rotates or slides [SI], within its range.
    fn coordinate(&self, name: &str, rotates: bool) -> Result<Option<f64>, Self::Error> {
        let Some(key) = self.key(name) else { return Ok(None) };
        let dimension = key.dimension(rotates);
        match self.read_number(key, dimension)? {
            Some(value) if !key.range.contains(value) => {
                let range = key.range;
                Err(self.refuse(SettingError::OutOfRange {
                    key: key.name,
                    value,
                    unit: dimension.si(),
                    range,
                }))
            }
            other => Ok(other),
        }
    }

    /// Returns a number [SI] that cannot be left out.
    fn needed(&self, name: &'static str) -> Result<f64, Self::Error> {
        self.quantity(name)?.ok_or_else(|| self.needs(name, self.section().title))
    }

    /// Returns the error that `owner` cannot do without a setting.
    fn needs(&self, key: &'static str, owner: &str) -> Self::Error {
        self.refuse(SettingError::Missing { key, owner: owner.to_owned() })
    }

    /// Returns the error that a setting contradicts another.
    fn conflict(&self, key: &'static str, message: String, help: &'static str) -> Self::Error {
        self.refuse(SettingError::Conflict { key, message, help })
    }

    /// Returns a whole number within its range.
    fn whole(&self, name: &str) -> Result<Option<usize>, Self::Error> {
        let Some(key) = self.key(name) else { return Ok(None) };
        match self.read_count(key)? {
            Some(count) if !key.range.contains(count as f64) => {
                let (value, range) = (count as f64, key.range);
                Err(self.refuse(SettingError::OutOfRange { key: key.name, value, unit: "", range }))
            }
            other => Ok(other),
        }
    }

    /// Returns yes or no; no where nothing is given.
    fn yes(&self, name: &str) -> Result<bool, Self::Error> {
        let Some(key) = self.key(name) else { return Ok(false) };
        Ok(self.read_flag(key)?.unwrap_or(false))
    }

    /// Returns the word of a setting that has some.
    fn word(&self, name: &str) -> Result<Option<&'static str>, Self::Error> {
        let Some(key) = self.key(name) else { return Ok(None) };
        let (Kind::Word(known) | Kind::CountOr(known) | Kind::WordOr(known, _)) = key.kind else {
            return Ok(None);
        };
        let Some(word) = self.read_text(key)? else { return Ok(None) };
        match known.iter().find(|known| **known == word) {
            Some(word) => Ok(Some(word)),
            None => Err(self.refuse(SettingError::UnknownWord { key: key.name, word, known })),
        }
    }

    /// Returns three numbers [SI].
    fn vector(&self, name: &str) -> Result<Option<Vec3>, Self::Error> {
        let Some(key) = self.key(name) else { return Ok(None) };
        let numbers = self.read_numbers(key)?;
        Ok(numbers.map(|x| Vec3::from_fn(|k, _| x.get(k).copied().unwrap_or_default())))
    }

    /// Refuses settings that have no effect with the words that were chosen.
    fn refuse_unused(&self, selected: &[Selected]) -> Result<(), Self::Error> {
        for key in self.section().keys().filter(|key| self.has(key.name)) {
            let Some((used, (selector, word))) = key.unused_with(selected) else { continue };
            let is_what_happens_anyway = match key.otherwise {
                Some(otherwise) => self.read_text(key)?.as_deref() == Some(otherwise),
                None => false,
            };
            if !is_what_happens_anyway {
                let used_with = used.words;
                return Err(self.refuse(SettingError::Unused { key: key.name, selector, word, used_with }));
            }
        }
        Ok(())
    }
}
