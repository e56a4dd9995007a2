//! The folder of a run: its name, its lock, and its contents.
//!
//! In: an [`OutputFolder`] and the name of the scene. Out: a [`RunFolder`], which belongs to this run until it is dropped. A second run, of this process or another, is
//! refused meanwhile, and an earlier result is replaced only on request.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap_core::files;

use super::RunError;

/// The recording of a run.
pub const RECORDING: &str = "recording.zgr";
/// Its replay page.
pub const REPLAY: &str = "replay.html";
/// Its overview plot.
pub const OVERVIEW: &str = "overview.png";
/// Its numbers.
pub const SUMMARY: &str = "summary.json";

/// The gaps that were asked for, frame by frame.
pub const GAPS: &str = "gaps.csv";

/// Files made at the end of a run.
const DERIVED: [&str; 4] = [REPLAY, OVERVIEW, SUMMARY, GAPS];

/// The file that is locked while a run writes.
const LOCK: &str = ".run.lock";

/// Longest name of a folder that is made from the name of a scene [B]: systems allow 255.
const MAX_NAME: usize = 100;

/// Output folder of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputFolder {
    /// This folder, which is created if it does not exist.
    At {
        /// The folder.
        path: PathBuf,
        /// Whether the result of an earlier run in it is replaced; without it that is an error.
        overwrite: bool,
    },
    /// A new folder in this one, named after the scene; `-2`, `-3` and so on follow the name where it is taken.
    NewIn(PathBuf),
}

/// A folder that one run writes to.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Locked while this lives; none where the file system has no locks.
    lock: Option<File>,
}

impl RunFolder {
    /// Creates and locks the folder of a run.
    pub fn open(folder: &OutputFolder, scene: &str) -> Result<Self, RunError> {
        match folder {
            OutputFolder::At { path, overwrite } => {
                fs::create_dir_all(path).map_err(|error| RunError::Write { file: path.clone(), error })?;
                let opened = Self::lock(path)?;
                match opened.earlier_result() {
                    Some(file) if !overwrite => Err(RunError::Exists { file }),
                    _ => Ok(opened),
                }
            }
            OutputFolder::NewIn(parent) => Self::lock(&new_folder(parent, &folder_name(scene))?),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes files made from an earlier recording: beside a new one it would belong to another run.
    pub(super) fn remove_derived(&self) -> Result<(), RunError> {
        for file in DERIVED.map(|name| self.path.join(name)) {
            match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(RunError::Write { file, error });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A file of an earlier run, if there is one.
    fn earlier_result(&self) -> Option<PathBuf> {
        let names = [RECORDING].into_iter().chain(DERIVED);
        names.map(|name| self.path.join(name)).find(|file| fs::symlink_metadata(file).is_ok())
    }

    /// Locks a folder; another run that has it is named by its process.
    fn lock(path: &Path) -> Result<Self, RunError> {
        let file = path.join(LOCK);
        let refuse = |error| RunError::Write { file: file.clone(), error };
        loop {
            let mut lock = open_lock(&file).map_err(refuse)?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(RunError::Busy { folder: path.to_owned(), process: read_process(&lock) });
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Self { path: path.to_owned(), lock: None });
                }
                Err(TryLockError::Error(error)) => return Err(refuse(error)),
            }
            // A run that ends removes its file: a process that locks the removed file holds nothing, and tries again.
            let token = token();
            write_token(&mut lock, &token).map_err(refuse)?;
            let is_gone = match fs::read_to_string(&file) {
                Ok(found) => found != token,
                // Some systems do not allow reading a locked file: then it is ours.
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            };
            if !is_gone {
                let opened = Self { path: path.to_owned(), lock: Some(lock) };
                opened.remove_partials();
                return Ok(opened);
            }
        }
    }

    /// Removes incomplete files of killed runs. The folder is locked: no process still writes to them.
    fn remove_partials(&self) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let is_left = |of: &str| name.to_str().is_some_and(|name| files::is_partial_of(name, of));
            if [RECORDING].into_iter().chain(DERIVED).any(is_left) {
                // One that stays costs disk space, no more.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if self.lock.is_some() {
            // While it is locked, so that no other process has it under this name in between; one that stays is locked again by the next run.
            let _ = fs::remove_file(self.path.join(LOCK));
        }
    }
}

fn open_lock(file: &Path) -> io::Result<File> {
    if fs::symlink_metadata(file).is_ok_and(|kind| kind.file_type().is_symlink()) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "this is a symbolic link: remove it"));
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(file)
}

/// A text of its own for every lock: the process, and which of its locks.
fn token() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("{} {}\n", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn write_token(lock: &mut File, token: &str) -> io::Result<()> {
    lock.set_len(0)?;
    lock.rewind()?;
    lock.write_all(token.as_bytes())
}

/// Returns the process that holds a lock, if known.
fn read_process(lock: &File) -> Option<u32> {
    let mut text = String::new();
    lock.take(64).read_to_string(&mut text).ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Creates a folder that was not there before.
fn new_folder(parent: &Path, name: &str) -> Result<PathBuf, RunError> {
    let refuse = |file: &Path, error| RunError::Write { file: file.to_owned(), error };
    fs::create_dir_all(parent).map_err(|error| refuse(parent, error))?;
    let mut number = 1_u64;
    loop {
        let path = match number {
            1 => parent.join(name),
            _ => parent.join(format!("{name}-{number}")),
        };
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(refuse(&path, error)),
        }
    }
}

/// Returns the name of a scene as the name of one folder: without separators, control characters and dots at its ends.
///
/// ```
/// use zerogap_recording::run::folder_name;
///
/// assert_eq!(folder_name("domino-row"), "domino-row");
/// assert_eq!(folder_name("../../x"), "x");
/// assert_eq!(folder_name("/etc/passwd"), "etc-passwd");
/// assert_eq!(folder_name(".."), "scene");
/// ```
pub fn folder_name(scene: &str) -> String {
    let is_unfit =
        |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let is_edge = |c: char| c == '.' || c == '-' || c.is_whitespace();
    let replaced = scene.replace(is_unfit, "-");
    let mut name = replaced.trim_matches(is_edge);
    let end = (0..=MAX_NAME.min(name.len())).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    name = name[..end].trim_end_matches(is_edge);
    // Names of devices in some systems, whatever follows the dot.
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || (stem.len() == 4 && (stem.starts_with("COM") || stem.starts_with("LPT")));
    match name {
        "" => "scene".to_owned(),
        _ if is_device => format!("scene-{name}"),
        _ => name.to_owned(),
    }
}
