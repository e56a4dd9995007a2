//! Recordings as tables for other programs.
//!
//! In: a recording. Out: CSV files for people and spreadsheets, an npz archive for numpy. Numbers are written so that reading them gives the same bits.

mod csv;
mod npy;
mod npz;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use zerogap_core::files;

use super::{RecordError, Recording};

/// Writes one table or archive.
type Writing = fn(&Recording, &mut BufWriter<File>) -> io::Result<()>;

impl Recording {
    /// Writes `bodies.csv`, `contacts.csv`, `points.csv`, `events.csv`, `energy.csv` and `shapes.csv` into a folder, which is created if missing; returns the files.
    pub fn write_csv(&self, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, RecordError> {
        let folder = folder.as_ref();
        std::fs::create_dir_all(folder).map_err(|source| RecordError::Io {
            path: folder.into(),
            doing: "create",
            source,
        })?;
        let tables: [(&str, Writing); 6] = [
            ("bodies.csv", csv::bodies),
            ("contacts.csv", csv::contacts),
            ("points.csv", csv::points),
            ("events.csv", csv::events),
            ("energy.csv", csv::energy),
            ("shapes.csv", csv::shapes),
        ];
        let mut paths = Vec::new();
        for (name, writing) in tables {
            let path = folder.join(name);
            self.write_file(&path, writing)?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Writes an archive of arrays that `numpy.load` opens.
    pub fn write_npz(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        self.write_file(path.as_ref(), npz::write)
    }

    fn write_file(&self, path: &Path, writing: Writing) -> Result<(), RecordError> {
        let mut doing = "create";
        let written = files::replace_with(path, |file| {
            doing = "write";
            let mut out = BufWriter::new(file.try_clone()?);
            writing(self, &mut out).and_then(|()| out.flush())
        });
        written.map_err(|source| RecordError::Io { path: path.into(), doing, source })
    }
}
