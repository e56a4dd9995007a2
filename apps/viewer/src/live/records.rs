//! The recordings of a viewer: their files, and how much they may take.
//!
//! In: a folder and the name of a scene. Out: a file in the folder that is not there yet, or a refusal. Clients choose neither.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Recordings that a viewer may write [-].
const MAX_RECORDINGS: usize = 100;
/// What they may take together [B]; the last one may go beyond.
const MAX_BYTES: u64 = 4 << 30;

/// What a viewer has written.
#[derive(Debug, Default)]
pub(crate) struct Records {
    count: usize,
    written: Written,
}

/// Bytes of recordings, which are written by threads of their own.
#[derive(Debug, Default, Clone)]
pub(super) struct Written(Arc<AtomicU64>);

impl Written {
    /// Counts a file that was written.
    pub(super) fn add(&self, file: &Path) {
        self.0.fetch_add(file.metadata().map_or(0, |data| data.len()), Ordering::SeqCst);
    }
}

impl Records {
    /// The file for the next recording; its folder is made.
    pub(super) fn next(&mut self, folder: &Path, scene: &str) -> Result<PathBuf, String> {
        if self.count >= MAX_RECORDINGS || self.written.0.load(Ordering::SeqCst) > MAX_BYTES {
            let gigabytes = MAX_BYTES >> 30;
            return Err(format!(
                "no more recordings: a viewer writes at most {MAX_RECORDINGS}, or {gigabytes} GiB"
            ));
        }
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        self.count += 1;
        let name = zerogap::run::folder_name(scene);
        let mut files = (1_u64..).map(|number| folder.join(format!("{name}-live-{number}.zgr")));
        files.find(|file| !file.exists()).ok_or_else(|| "there is no free file name".to_owned())
    }

    pub(super) fn written(&self) -> Written {
        self.written.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_RECORDINGS, Records};

    #[test]
    fn recordings_stay_in_their_folder_and_have_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let mut records = Records::default();
        let first = records.next(folder.path(), "../../etc/a scene").unwrap();
        assert_eq!(first.parent(), Some(folder.path()));
        std::fs::write(&first, "x").unwrap();
        assert_ne!(records.next(folder.path(), "../../etc/a scene").unwrap(), first);
        for _ in 2..MAX_RECORDINGS {
            records.next(folder.path(), "scene").unwrap();
        }
        assert!(records.next(folder.path(), "scene").is_err());
    }
}
