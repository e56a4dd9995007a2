//! Options of the command that override settings of a scene, made from the tables of settings.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use zerogap::core::units::{Dimension, parse_quantity};
use zerogap::settings::tables::{METHOD, RUN};
use zerogap::settings::{Key, Kind, Section, SettingError, Source, listed};

use crate::diagnostic::Failure;

/// The settings that `zerogap run` can override.
const SECTIONS: [&Section; 2] = [&RUN, &METHOD];

/// What was given on the command line in place of a scene's settings, by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides {
    given: BTreeMap<&'static str, String>,
}

impl Overrides {
    /// Returns those of a section.
    pub(crate) fn of(&self, section: &'static Section) -> Given<'_> {
        Given { section, given: &self.given }
    }
}

/// The same for how time advances alone, which is what `zerogap view` can override.
#[derive(Debug, Clone, Default)]
pub(crate) struct MethodOverrides(pub(crate) Overrides);

fn augment(command: Command, sections: &[&'static Section]) -> Command {
    sections.iter().flat_map(|section| section.keys()).fold(command, |command, key| {
        let arg = Arg::new(key.name)
            .long(option(key.name))
            .value_name(value_name(key.kind))
            .allow_hyphen_values(true)
            .help(help(key));
        command.arg(arg)
    })
}

fn given(matches: &ArgMatches, sections: &[&'static Section]) -> Overrides {
    let given = sections.iter().flat_map(|section| section.keys()).filter_map(|key| {
        let value: &String = matches.get_one(key.name)?;
        Some((key.name, value.clone()))
    });
    Overrides { given: given.collect() }
}

/// The name of the option for a setting.
fn option(name: &str) -> String {
    name.replace('_', "-")
}

fn value_name(kind: Kind) -> String {
    match kind {
        Kind::Quantity(dimension) => dimension.word().to_uppercase().replace(' ', "_"),
        Kind::Word(_) => "WORD".to_owned(),
        _ => "NUMBER".to_owned(),
    }
}

/// What an option is for: the help of its setting, its words, and what uses it.
fn help(key: &Key) -> String {
    let words = match key.kind {
        Kind::Word(words) => format!(" One of {}.", listed(words).replace('"', "")),
        _ => String::new(),
    };
    let uses = match key.words_of("method") {
        Some(methods) => format!(" For --method {}.", listed(methods).replace('"', "")),
        None => String::new(),
    };
    format!("{}{words}{uses} Overrides the scene", key.help)
}

impl Args for Overrides {
    fn augment_args(command: Command) -> Command {
        augment(command, &SECTIONS)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Overrides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(given(matches, &SECTIONS))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for MethodOverrides {
    fn augment_args(command: Command) -> Command {
        augment(command, &[&METHOD])
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for MethodOverrides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self(given(matches, &[&METHOD])))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Options of the command as a source of settings.
pub(crate) struct Given<'a> {
    section: &'static Section,
    given: &'a BTreeMap<&'static str, String>,
}

impl Given<'_> {
    fn parse<T>(
        &self,
        key: &Key,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Failure> {
        let refuse = |error: String| Failure::command(format!("--{}: {error}", option(key.name)));
        self.given.get(key.name).map(|text| parse(text).map_err(refuse)).transpose()
    }
}

impl Source for Given<'_> {
    type Error = Failure;

    fn section(&self) -> &'static Section {
        self.section
    }

    fn has(&self, key: &str) -> bool {
        self.given.contains_key(key)
    }

    fn is_text(&self, key: &str) -> bool {
        self.given.get(key).is_some_and(|text| text.parse::<f64>().is_err())
    }

    fn read_number(&self, key: &'static Key, dimension: Dimension) -> Result<Option<f64>, Failure> {
        self.parse(key, |text| parse_quantity(text, dimension).map_err(|error| error.to_string()))
    }

    fn read_numbers(&self, key: &'static Key) -> Result<Option<Vec<f64>>, Failure> {
        let number = |text: &str| parse_quantity(text, key.dimension(false)).map_err(|e| e.to_string());
        self.parse(key, |text| text.split(',').map(number).collect())
    }

    fn read_count(&self, key: &'static Key) -> Result<Option<usize>, Failure> {
        self.parse(key, |text| text.trim().parse().map_err(|_| format!("'{text}' is no whole number")))
    }

    fn read_flag(&self, key: &'static Key) -> Result<Option<bool>, Failure> {
        self.parse(key, |text| text.trim().parse().map_err(|_| format!("'{text}' is neither true nor false")))
    }

    fn read_text(&self, key: &'static Key) -> Result<Option<String>, Failure> {
        Ok(self.given.get(key.name).cloned())
    }

    fn refuse(&self, error: SettingError) -> Failure {
        let help = match &error {
            SettingError::Unused { selector, used_with, .. } => {
                let words = listed(used_with).replace('"', "");
                Some(format!("leave it out; it is used with --{selector} {words}"))
            }
            _ => error.help(),
        };
        Failure::command(format!("--{}: {error}", option(error.key()))).with_help(help)
    }
}
