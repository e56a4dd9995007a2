//! What a setting is: its name, kind, unit, default, range and help, and what uses it.
//!
//! In: nothing. Out: the types of the tables in [`super::tables`]. Scene files, Python keywords, command options, the JSON schema and the reference page are read by and made from these tables.

use std::fmt;

use zerogap_core::units::{Dimension, shortest};

/// Settings that stand together: a table of a scene file, or the keywords of a function in Python.
#[derive(Debug)]
pub struct Section {
    /// How it is written in a scene file: `[world]`, `[[bodies]]`, or a key of another table.
    pub title: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// Its settings, in groups that several sections share.
    pub groups: &'static [&'static [Key]],
}

impl Section {
    /// Returns all its settings, in order.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.groups.iter().flat_map(|group| group.iter())
    }

    /// Returns a setting by its name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.name == name)
    }

    /// Returns the names of all its settings, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.keys().map(|key| key.name).collect()
    }
}

/// A setting.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What stands behind it, with its unit.
    pub kind: Kind,
    /// What holds without it.
    pub default: DefaultValue,
    /// The numbers that it may be.
    pub range: Range,
    /// What it means.
    pub help: &'static str,
    /// What it is used with; by everything where this is empty.
    pub uses: &'static [Use],
    /// The one word that is accepted where it is not used, because it describes what the method does anyway.
    pub otherwise: Option<&'static str>,
}

/// A setting whose word decides whether another one has any effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The setting that decides: `method`, `contact`, `collision`, ...
    pub selector: &'static str,
    /// Its words with which the other one is used.
    pub words: &'static [&'static str],
    /// The words of another setting with which it decides, where it does not always: contact models are chosen for located events alone.
    pub given: Option<(&'static str, &'static [&'static str])>,
}

impl Use {
    /// Returns whether it decides with the words that were chosen.
    fn decides(&self, selected: &[Selected]) -> bool {
        !self.given.is_some_and(|(setting, words)| {
            selected.iter().any(|(name, word)| *name == setting && !words.contains(word))
        })
    }
}

/// A word that was chosen: the setting and its word.
pub type Selected = (&'static str, &'static str);

/// What may stand behind a key.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Yes or no.
    Flag,
    /// A whole number, zero or more.
    Count,
    /// A number with or without a unit.
    Quantity(Dimension),
    /// A number of a joint, with or without a unit: of an angle if the joint rotates, of a length if it slides.
    Coordinate(Dimension, Dimension),
    /// Some numbers, each with or without a unit.
    Vector(usize, Dimension),
    /// A list of texts.
    Texts,
    /// A whole number or one of some words.
    CountOr(&'static [&'static str]),
    /// A table.
    Table(&'static Section),
    /// A list of tables.
    Tables(&'static Section),
    /// A table whose keys are names.
    Named(&'static Section),
    /// A rotation: four numbers of a quaternion, or a table.
    Rotation,
    /// A word or a table.
    WordOr(&'static [&'static str], &'static Section),
}

/// What holds where a setting is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DefaultValue {
    /// It cannot be left out.
    Needed,
    /// Nothing: no limit, no text, no table.
    None,
    /// A number [SI].
    Number(f64),
    /// A whole number [-].
    Count(usize),
    /// Yes or no.
    Flag(bool),
    /// A word or text.
    Word(&'static str),
    /// Numbers [SI].
    Vector(&'static [f64]),
    /// What follows from other settings, in words.
    Described(&'static str),
}

/// The numbers that a setting may be, in SI.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Lower end.
    pub min: f64,
    /// Whether the lower end itself is excluded.
    pub is_above_min: bool,
    /// Upper end.
    pub max: f64,
    /// Whether the upper end itself is excluded.
    pub is_below_max: bool,
}

impl Range {
    /// Any finite number.
    pub const ANY: Self =
        Self { min: f64::NEG_INFINITY, is_above_min: true, max: f64::INFINITY, is_below_max: true };
    /// Any number, or infinity for none.
    pub const UNBOUNDED: Self = Self { is_above_min: false, is_below_max: false, ..Self::ANY };
    /// Above zero.
    pub const POSITIVE: Self = Self { is_above_min: true, ..Self::from(0.0) };
    /// Zero or more.
    pub const NOT_NEGATIVE: Self = Self::from(0.0);
    /// From zero to one.
    pub const FRACTION: Self = Self::from(0.0).up_to(1.0);

    /// Returns the finite numbers from one on.
    pub const fn from(min: f64) -> Self {
        Self { min, is_above_min: false, ..Self::ANY }
    }

    /// Returns the same up to a number, which is in it.
    #[must_use]
    pub const fn up_to(self, max: f64) -> Self {
        Self { max, is_below_max: false, ..self }
    }

    /// Returns the same below a number.
    #[must_use]
    pub const fn below(self, max: f64) -> Self {
        Self { max, is_below_max: true, ..self }
    }

    /// Returns whether a number lies in it; NaN does not.
    pub fn contains(&self, x: f64) -> bool {
        let is_above = if self.is_above_min { x > self.min } else { x >= self.min };
        let is_below = if self.is_below_max { x < self.max } else { x <= self.max };
        is_above && is_below
    }
}

impl fmt::Display for Range {
    /// Writes it as it stands behind "it must be".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (min, max) = (shortest(self.min), shortest(self.max));
        let is_bounded = |x: f64| x.is_finite();
        match (is_bounded(self.min), is_bounded(self.max)) {
            (false, false) if self.is_below_max => write!(f, "a finite number"),
            (false, false) => write!(f, "a number, or infinity for none"),
            (true, false) if self.is_above_min => write!(f, "above {min}"),
            (true, false) => write!(f, "{min} or more"),
            (false, true) if self.is_below_max => write!(f, "below {max}"),
            (false, true) => write!(f, "at most {max}"),
            (true, true) if !self.is_above_min && !self.is_below_max => write!(f, "from {min} to {max}"),
            (true, true) => {
                let low = if self.is_above_min { "above" } else { "at least" };
                let high = if self.is_below_max { "below" } else { "at most" };
                write!(f, "{low} {min} and {high} {max}")
            }
        }
    }
}

/// Returns a setting that may be left out.
pub const fn key(name: &'static str, kind: Kind, help: &'static str) -> Key {
    Key { name, kind, default: DefaultValue::None, range: Range::ANY, help, uses: &[], otherwise: None }
}

/// Returns a setting that cannot be left out.
pub const fn needed(name: &'static str, kind: Kind, help: &'static str) -> Key {
    key(name, kind, help).or(DefaultValue::Needed)
}

impl Key {
    /// Returns the same with a default.
    #[must_use]
    pub const fn or(self, default: DefaultValue) -> Self {
        Self { default, ..self }
    }

    /// Returns the same with a number as default [SI].
    #[must_use]
    pub const fn or_number(self, default: f64) -> Self {
        self.or(DefaultValue::Number(default))
    }

    /// Returns the same with a word as default.
    #[must_use]
    pub const fn or_word(self, default: &'static str) -> Self {
        self.or(DefaultValue::Word(default))
    }

    /// Returns the same with numbers as default [SI].
    #[must_use]
    pub const fn or_vector(self, default: &'static [f64]) -> Self {
        self.or(DefaultValue::Vector(default))
    }

    /// Returns the same with a default that follows from other settings.
    #[must_use]
    pub const fn or_described(self, default: &'static str) -> Self {
        self.or(DefaultValue::Described(default))
    }

    /// Returns the same within a range.
    #[must_use]
    pub const fn within(self, range: Range) -> Self {
        Self { range, ..self }
    }

    /// Returns the same for numbers above zero.
    #[must_use]
    pub const fn positive(self) -> Self {
        self.within(Range::POSITIVE)
    }

    /// Returns the same for numbers that are zero or more.
    #[must_use]
    pub const fn not_negative(self) -> Self {
        self.within(Range::NOT_NEGATIVE)
    }

    /// Returns the same for numbers from zero to one.
    #[must_use]
    pub const fn fraction(self) -> Self {
        self.within(Range::FRACTION)
    }

    /// Returns the same that is used with some words of other settings only.
    #[must_use]
    pub const fn with(self, uses: &'static [Use]) -> Self {
        Self { uses, ..self }
    }

    /// Returns the same with a word that is accepted where it is not used, because it describes what the method does anyway.
    #[must_use]
    pub const fn otherwise(self, word: &'static str) -> Self {
        Self { otherwise: Some(word), ..self }
    }

    /// Whether it cannot be left out.
    pub fn is_needed(&self) -> bool {
        self.default == DefaultValue::Needed
    }

    /// Returns why it has no effect: what it is used with, and the word that was chosen in place of that.
    pub fn unused_with(&self, selected: &[Selected]) -> Option<(&'static Use, Selected)> {
        self.uses.iter().filter(|used| used.decides(selected)).find_map(|used| {
            let chosen = selected.iter().find(|(selector, _)| *selector == used.selector)?;
            (!used.words.contains(&chosen.1)).then_some((used, *chosen))
        })
    }

    /// Returns the words of a setting with which it is used; none where it is used with all.
    pub fn words_of(&self, selector: &str) -> Option<&'static [&'static str]> {
        self.uses.iter().find(|used| used.selector == selector).map(|used| used.words)
    }

    /// Returns the words of another setting with which alone one that it is used with decides, where it is used with other words of that one too.
    pub fn condition_of(&self, used: &Use) -> Option<(&'static str, &'static [&'static str])> {
        used.given.filter(|(selector, given)| self.words_of(selector).is_none_or(|words| words != *given))
    }

    /// Returns what a number of it measures; of a joint's number, which depends on the joint, `rotates` says which.
    pub fn dimension(&self, rotates: bool) -> Dimension {
        match self.kind {
            Kind::Quantity(dimension) | Kind::Vector(_, dimension) => dimension,
            Kind::Coordinate(angular, linear) => {
                if rotates {
                    angular
                } else {
                    linear
                }
            }
            _ => Dimension::Number,
        }
    }

    /// Returns the default as people read it, with its unit; empty where there is none.
    pub fn default_text(&self) -> String {
        let unit = match self.kind {
            Kind::Quantity(dimension) | Kind::Vector(_, dimension) => dimension.si(),
            _ => "",
        };
        let with_unit = |number: String| if unit.is_empty() { number } else { format!("{number} {unit}") };
        match self.default {
            DefaultValue::Needed | DefaultValue::None => String::new(),
            DefaultValue::Number(0.0) => "0".to_owned(),
            DefaultValue::Number(x) => with_unit(shortest(x)),
            DefaultValue::Count(count) => count.to_string(),
            DefaultValue::Flag(flag) => flag.to_string(),
            DefaultValue::Word(word) | DefaultValue::Described(word) => word.to_owned(),
            DefaultValue::Vector(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(|x| shortest(*x)).collect();
                with_unit(format!("[{}]", numbers.join(", ")))
            }
        }
    }

    /// Returns what to write, and what it means.
    pub fn advice(&self) -> String {
        let unit = |dimension: Dimension| match dimension.si() {
            "" => "0.5".to_owned(),
            si => format!("\"1 {si}\""),
        };
        let example = match self.kind {
            Kind::Text => "\"...\"".to_owned(),
            Kind::Word(words) | Kind::CountOr(words) | Kind::WordOr(words, _) => {
                format!("\"{}\"", words.first().unwrap_or(&""))
            }
            Kind::Flag => "true".to_owned(),
            Kind::Count => "8".to_owned(),
            Kind::Quantity(dimension) | Kind::Coordinate(dimension, _) => unit(dimension),
            Kind::Vector(..) => "[0, 0, 1]".to_owned(),
            Kind::Texts => "[\"one\", \"another\"]".to_owned(),
            Kind::Table(_) | Kind::Tables(_) | Kind::Named(_) | Kind::Rotation => "{ ... }".to_owned(),
        };
        format!("write {} = {example}: {}", self.name, self.help)
    }
}
