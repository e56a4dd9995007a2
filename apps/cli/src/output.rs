//! Output: tables and JSON on standard output, numbers that people can read, and mesh files.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use zerogap::TriangleMesh;
use zerogap::core::files;
use zerogap::core::text::{printable, printable_lines};
use zerogap::geometry::export::{ExportFormat, write_mesh};

use crate::diagnostic::Failure;

/// Digits shown to people; JSON has all of them.
const DIGITS: i32 = 4;

/// What a table shows where there is nothing to show.
pub(crate) const NOTHING: &str = "-";

/// Components below this part of their scale are rounding, not information [-].
const NOISE: f64 = 1e-13;

/// Prints text for people: control characters that came from files are escaped.
pub(crate) fn emit(text: &str) -> Result<(), Failure> {
    emit_as_is(&printable_lines(text))
}

/// Prints text that is a file of its own, such as a script; a closed pipe (`| head`) is no error.
pub(crate) fn emit_as_is(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::write(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a value as indented JSON.
pub(crate) fn emit_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Failure::write(format!("JSON: {e}")))?;
    emit_as_is(&(text + "\n"))
}

/// Prints which files were written, as lines or as JSON.
pub(crate) fn emit_files(files: &[PathBuf], json: bool) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Written<'a> {
        files: &'a [PathBuf],
    }
    if json {
        return emit_json(&Written { files });
    }
    emit(&files.iter().map(|file| wrote(file)).collect::<String>())
}

/// The line that names a file that was written; none where that was the standard output, which it would be a part of.
pub(crate) fn wrote(file: &Path) -> String {
    if file == Path::new("/dev/stdout") {
        return String::new();
    }
    format!("wrote {}\n", printable(&file.display().to_string()))
}

/// Puts bytes into a file in one step; links are not followed.
pub(crate) fn write_bytes(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    files::replace(file, bytes)
        .map_err(|error| Failure::write(format!("{}: {error}", file.display())).in_file(file))
}

/// Writes a mesh in the format of its file's extension.
pub(crate) fn write(mesh: &TriangleMesh, path: &Path) -> Result<(), Failure> {
    write_mesh(mesh, path).map_err(|error| Failure::write(error.to_string()).in_file(path))
}

/// Refuses a file that no format is written to, before any work is done for it.
pub(crate) fn check_extension(path: &Path) -> Result<(), Failure> {
    let extension = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    if ExportFormat::from_extension(&extension).is_some() {
        return Ok(());
    }
    Err(Failure::command(format!(
        "--out {}: the extension must be one of obj, stl, ply, glb",
        path.display()
    )))
}

/// Columns under a header with a line below it; columns that hold numbers are aligned right.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<Cow<'_, str>>> =
        rows.iter().map(|row| row.iter().map(|cell| printable(cell)).collect()).collect();
    let columns: Vec<Vec<&str>> = header
        .iter()
        .enumerate()
        .map(|(k, name)| std::iter::once(*name).chain(rows.iter().map(|row| row[k].as_ref())).collect())
        .collect();
    let width = |column: &[&str]| column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let is_numeric = |column: &[&str]| {
        let mut cells = column[1..].iter().filter(|cell| **cell != NOTHING).peekable();
        cells.peek().is_some() && cells.all(|cell| cell.parse::<f64>().is_ok())
    };
    let layout: Vec<(usize, bool)> = columns.iter().map(|c| (width(c), is_numeric(c))).collect();
    let line = |k: usize| {
        let cells: Vec<String> = columns
            .iter()
            .zip(&layout)
            .map(
                |(column, &(width, right))| {
                    if right { format!("{:>width$}", column[k]) } else { format!("{:<width$}", column[k]) }
                },
            )
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    let rule: Vec<String> = layout.iter().map(|(width, _)| "─".repeat(*width)).collect();
    let mut lines = vec![line(0), rule.join("  ")];
    lines.extend((1..=rows.len()).map(line));
    lines.join("\n") + "\n"
}

/// A list of names and values under a title.
pub(crate) fn sheet(title: &str, rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut lines = vec![printable(title).into_owned()];
    lines.extend(rows.iter().map(|(name, value)| format!("  {name:<width$}  {}", printable(value))));
    lines.join("\n") + "\n"
}

/// A number with four significant digits, without an exponent where that stays short.
pub(crate) fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{x:.*e}", (DIGITS - 1) as usize);
    let exponent: i32 = scientific.rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
    if !(-4..7).contains(&exponent) {
        return scientific;
    }
    let decimals = usize::try_from(DIGITS - 1 - exponent).unwrap_or(0);
    let fixed = format!("{x:.decimals$}");
    if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.').to_owned() } else { fixed }
}

/// A length in the unit that people would use for it.
pub(crate) fn length(x: f64) -> String {
    // By what is shown: a rounding below 0.1 m is still 0.1 m.
    let shown: f64 = number(x).parse().unwrap_or(x);
    let (unit, size) = match shown.abs() {
        size if !(1e-7..0.1).contains(&size) => ("m", 1.0),
        size if size >= 1e-4 => ("mm", 1e3),
        _ => ("µm", 1e6),
    };
    format!("{} {unit}", number(x * size))
}

/// Three numbers, `a x b x c`.
pub(crate) fn extent(size: &[f64; 3]) -> String {
    size.map(number).join(" x ")
}

/// Three numbers, `(a, b, c)`; what is rounding noise beside `scale` shows as 0.
pub(crate) fn vector(v: &[f64; 3], scale: f64) -> String {
    format!("({})", v.map(|x| number_beside(x, scale)).join(", "))
}

/// A number; what is rounding noise beside `scale` shows as 0.
pub(crate) fn number_beside(x: f64, scale: f64) -> String {
    number(if x.abs() < NOISE * scale { 0.0 } else { x })
}

#[cfg(test)]
mod tests {
    use super::{length, number, table, vector};

    #[test]
    fn numbers_keep_four_digits_and_stay_readable() {
        let shown = |x: f64| number(x);
        assert_eq!(shown(0.0), "0");
        assert_eq!(shown(0.025), "0.025");
        assert_eq!(shown(0.008_987_6), "0.008988");
        assert_eq!(shown(203.2), "203.2");
        assert_eq!(shown(7850.0), "7850");
        assert_eq!(shown(-1_234_567.0), "-1234567");
        assert_eq!(shown(1.5e-9), "1.500e-9");
        assert_eq!(shown(1e60), "1.000e60");
    }

    #[test]
    fn columns_of_numbers_are_aligned_right_and_gaps_do_not_disturb_them() {
        let row = |name: &str, count: &str| vec![name.to_owned(), count.to_owned()];
        let shown = table(&["part", "count"], &[row("gear", "1952"), row("floor", "-"), row("rod", "7")]);
        assert_eq!(shown, "part   count\n─────  ─────\ngear    1952\nfloor      -\nrod        7\n");
    }

    #[test]
    fn lengths_come_in_a_handy_unit() {
        for (x, text) in [
            (0.1, "0.1 m"),
            (0.1_f64.next_down(), "0.1 m"),
            (0.0032, "3.2 mm"),
            (-2.5e-5, "-25 µm"),
            (0.0, "0 m"),
            (1e-15, "1.000e-15 m"),
        ] {
            assert_eq!(length(x), text);
        }
    }

    #[test]
    fn rounding_noise_shows_as_zero() {
        assert_eq!(vector(&[1e-18, -0.5, 2e-17], 1.0), "(0, -0.5, 0)");
    }
}
