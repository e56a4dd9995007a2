//! What is wrong with a scene file, and where.

use std::ops::Range;
use std::path::{Path, PathBuf};

use zerogap_core::text::{printable, printable_lines};

use super::keys::SCENE;
use zerogap_core::text::nearest;
use zerogap_simulation::settings::{Kind, SettingError};

/// What is wrong with a scene.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct SceneError {
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to write instead, where that is known.
    pub help: Option<String>,
    /// The file, where there is one: the scene, or a robot that it names.
    pub file: Option<PathBuf>,
    /// The place in the text of that file [bytes]; none where it is about the whole.
    pub span: Option<Range<usize>>,
    /// The text of that file, where it is known.
    pub text: Option<String>,
}

impl SceneError {
    pub(crate) fn at(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::whole(message) }
    }

    /// What is wrong with a setting, at the place of its value.
    pub(crate) fn setting(span: Range<usize>, error: &SettingError) -> Self {
        Self { help: error.help(), ..Self::at(span, error.to_string()) }
    }

    pub(crate) fn whole(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, file: None, span: None, text: None }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The same with file and text, if it has none yet. Of a file that is not a scene nothing is quoted: it may be anybody's.
    pub(crate) fn within(self, file: Option<&Path>, text: &str) -> Self {
        if self.text.is_some() {
            return self;
        }
        match file {
            Some(path) if self.span.is_some() && !is_scene(text) => Self::not_a_scene(path),
            _ => Self { file: file.map(Path::to_owned), text: Some(text.to_owned()), ..self },
        }
    }

    fn not_a_scene(path: &Path) -> Self {
        let message = format!("{} is not a scene: it has none of the tables of one", path.display());
        let help = "a scene is a TOML file with [[bodies]]; a robot is a URDF or MJCF file. 'zerogap scene new starter' prints a scene to begin with";
        Self { file: Some(path.to_owned()), ..Self::whole(message) }.with_help(help)
    }

    /// The line that the error is about, counted from 1, with the range of bytes in that line.
    pub fn line(&self) -> Option<(usize, &str, Range<usize>)> {
        let (span, text) = (self.span.clone()?, self.text.as_deref()?);
        let start = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let number = text[..start].matches('\n').count() + 1;
        let last = span.end.clamp(span.start, end);
        Some((number, text[start..end].trim_end_matches('\r'), span.start - start..last - start))
    }

    /// The error as people see it: message, place and help on lines of their own.
    pub fn report(&self) -> String {
        let mut text = format!("error: {}\n", printable(&self.message));
        let file = self.file.as_ref().map_or("scene".to_owned(), |file| file.display().to_string());
        let file = printable(&file);
        if let Some((number, line, range)) = self.line() {
            let margin = " ".repeat(number.to_string().len());
            let before: String =
                line[..range.start].chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
            let under = "^".repeat(line[range].chars().count().max(1));
            let line = printable_lines(line);
            let place =
                format!("{margin} --> {file}:{number}\n{number} | {line}\n{margin} | {before}{under}\n");
            text.push_str(&place);
        } else if self.file.is_some() {
            text = text + " --> " + &file + "\n";
        }
        if let Some(help) = &self.help {
            text = text + "help: " + &printable(help) + "\n";
        }
        text
    }
}

/// Whether a text is meant to be a scene or a robot: one of its lines begins a table of a scene, rightly spelt or nearly, or it has the root of a robot.
fn is_scene(text: &str) -> bool {
    let tables: Vec<&str> = SCENE
        .keys()
        .filter(|key| matches!(key.kind, Kind::Table(_) | Kind::Tables(_) | Kind::Named(_)))
        .map(|key| key.name)
        .collect();
    let begins_table = |line: &str| {
        let line = line.trim_start();
        let word = line.trim_start_matches('[');
        let end = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
        let rest = word[end..].trim_start();
        let is_title = word.len() < line.len() && rest.starts_with([']', '.']);
        (is_title || rest.starts_with('=')) && nearest(&word[..end], &tables).is_some()
    };
    text.lines().any(begins_table) || ["<robot", "<mujoco"].iter().any(|root| text.contains(root))
}
