//! Files read with a bound and written in one step.
//!
//! In: a path, and a size that is still plausible or the bytes to write. Out: the content, or a [`ReadError`] or `io::Error`. Readers of scenes, meshes, tables and problems use
//! [`read_text`] and [`read_bytes`], so that a device without an end or a file of the wrong kind is an error and not a full memory. Writers of results use [`replace`], so that a
//! reader of a file sees the old content or the new one and never a part; what grows for long is begun by [`create_partial`] and renamed by its writer. Devices, pipes and the
//! standard output are written to as they are; symbolic links are rejected.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Largest scene or robot that is read [B].
pub const MAX_SCENE: u64 = 64 << 20;

/// Largest table or friction problem that is read [B].
pub const MAX_TABLE: u64 = 1 << 30;

/// Bytes read at a time [B]: what is not text is noticed after the first of them.
const CHUNK: usize = 1 << 16;

/// Errors of reading a text file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A folder.
    #[error("this is a folder, not a file")]
    Folder,
    /// More bytes than any file of its kind has.
    #[error("it is longer than {limit} bytes, the most that is read of a file of this kind")]
    TooLong {
        /// The most that is read [B].
        limit: u64,
    },
    /// A byte that no text has.
    #[error("it is not text: byte {offset} of it has no place in a text")]
    NotText {
        /// Offset from the start of the file [B].
        offset: usize,
    },
}

/// Returns the text of a file of at most `limit` bytes.
///
/// Pipes and devices are read too, up to the limit; a NUL byte ends the reading at once, so that `/dev/zero` costs one chunk.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    let bytes = read_bytes(path, limit, true)?;
    String::from_utf8(bytes).map_err(|error| ReadError::NotText { offset: error.utf8_error().valid_up_to() })
}

/// Returns the bytes of a file of at most `limit` bytes; `is_text` refuses NUL bytes as soon as one is read.
pub fn read_bytes(path: &Path, limit: u64, is_text: bool) -> Result<Vec<u8>, ReadError> {
    let file = File::open(path)?;
    let kind = file.metadata()?;
    if kind.is_dir() {
        return Err(ReadError::Folder);
    }
    if kind.is_file() && kind.len() > limit {
        return Err(ReadError::TooLong { limit });
    }
    let mut content = Vec::with_capacity(if kind.is_file() { kind.len() as usize } else { CHUNK });
    let mut rest = file.take(limit + 1);
    loop {
        let start = content.len();
        if rest.by_ref().take(CHUNK as u64).read_to_end(&mut content)? == 0 {
            return Ok(content);
        }
        if content.len() as u64 > limit {
            return Err(ReadError::TooLong { limit });
        }
        if let (true, Some(nul)) = (is_text, content[start..].iter().position(|byte| *byte == 0)) {
            return Err(ReadError::NotText { offset: start + nul });
        }
    }
}

/// Files begun so far by this process: with the process number it makes names of partial files unique.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// End of the name of a file that is not complete.
const PARTIAL: &str = ".partial";

/// Creates a file beside `path` under a name of its own, to be renamed to `path` when it is complete.
///
/// Refuses a `path` that is a symbolic link, and never opens one: nothing is written anywhere else.
pub fn create_partial(path: &Path) -> io::Result<(File, PathBuf)> {
    let name = file_name(path)?;
    refuse_unfit(path)?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut partial_name = OsString::from(".");
    partial_name.push(name);
    partial_name.push(format!(".{}.{count}{PARTIAL}", std::process::id()));
    let partial = path.with_file_name(partial_name);
    let file = OpenOptions::new().write(true).create_new(true).open(&partial)?;
    Ok((file, partial))
}

/// Whether `candidate` is a partial file of `name`, whichever process began it.
pub fn is_partial_of(candidate: &str, name: &str) -> bool {
    let numbers = candidate
        .strip_prefix('.')
        .and_then(|rest| rest.strip_prefix(name))
        .and_then(|rest| rest.strip_prefix('.'))
        .and_then(|rest| rest.strip_suffix(PARTIAL))
        .and_then(|rest| rest.split_once('.'));
    numbers.is_some_and(|(process, count)| process.parse::<u32>().is_ok() && count.parse::<usize>().is_ok())
}

/// Puts content under a name in one step: a reader sees what was there before or all of the new content.
///
/// A symbolic link is rejected, not followed. A device or pipe is written to as it is, and so are `/dev/stdout` and `/dev/stderr`, which are links on most systems.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(content))
}

/// The same with the content written by a function.
pub fn replace_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if let Some(mut stream) = standard_stream(path)? {
        return write(&mut stream);
    }
    let is_device = fs::symlink_metadata(path)
        .is_ok_and(|kind| !kind.is_file() && !kind.is_dir() && !kind.file_type().is_symlink());
    if is_device {
        // A rename would put a file in the place of the device.
        return OpenOptions::new().write(true).open(path).and_then(|mut file| write(&mut file));
    }
    let (mut file, partial) = create_partial(path)?;
    let result = write(&mut file).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&partial, path));
    if result.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&partial);
    }
    result
}

/// The standard output or standard error where a path names it: the stream that the process has, so that what is printed before and after keeps its place.
#[cfg(unix)]
fn standard_stream(path: &Path) -> io::Result<Option<File>> {
    use std::os::fd::AsFd;
    let own = if path == Path::new("/dev/stdout") {
        io::stdout().flush()?;
        io::stdout().as_fd().try_clone_to_owned()?
    } else if path == Path::new("/dev/stderr") {
        io::stderr().as_fd().try_clone_to_owned()?
    } else {
        return Ok(None);
    };
    Ok(Some(File::from(own)))
}

/// Elsewhere no path names them.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature on every system")]
fn standard_stream(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

fn file_name(path: &Path) -> io::Result<&std::ffi::OsStr> {
    path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name"))
}

/// Refuses to write through a symbolic link, and to a folder before anything is written.
fn refuse_unfit(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(kind) if kind.file_type().is_symlink() => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "this is a symbolic link, and results are not written through links: remove it or name another file",
        )),
        Ok(kind) if kind.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder")),
        _ => Ok(()),
    }
}
