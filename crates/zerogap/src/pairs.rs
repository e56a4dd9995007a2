//! Pairs of boxes from a table: what the `pairs` command and the Python package have in common.
//!
//! In: text with a box on each line, or boxes. Out: the pairs that overlap, sorted by their places in the list, each once; an error knows line, column and
//! text.

use std::path::Path;

use serde::Serialize;
use zerogap_core::{Aabb, MAX_LENGTH, Vec3, files, units};
use zerogap_proximity::broad::{BoxPair, BroadError, BroadMethod, BroadParams, BroadPhase, Filter};

/// The columns of a table of boxes; a column `name` may stand before them.
pub const COLUMNS: [&str; 6] = ["min_x", "min_y", "min_z", "max_x", "max_y", "max_z"];

/// Header of the column of names.
const NAME: &str = "name";

/// Names of the methods.
pub const METHODS: [&str; 4] = ["auto", "grid", "sweep", "tree"];

/// Maximum number of characters that an error shows before and after the place [-]: a line may be a whole file.
const SHOWN: usize = 80;

/// Boxes in the order of their lines.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BoxTable {
    /// The boxes [m].
    pub boxes: Vec<Aabb>,
    /// Names, if the table has any.
    pub names: Option<Vec<String>>,
}

/// Errors of a table of boxes.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Unreadable(#[from] files::ReadError),
    /// The file is not a table of boxes: its lines are not quoted.
    #[error("line {line} is not a row of a table of boxes")]
    NotATable {
        /// Its first line with something in it, counted from 1.
        line: usize,
    },
    /// An invalid line.
    #[error("line {}, column {}: {}", .0.line, .0.column, .0.message)]
    Line(Box<BadLine>),
}

/// An invalid line of a table, and the place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// Description of the error.
    pub message: String,
    /// The line, or the part of a long one around the place.
    pub text: String,
    /// First byte of the invalid span in `text`.
    pub start: usize,
    /// Length of the invalid span in `text` [B].
    pub length: usize,
}

/// Errors of a pair query.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PairsError {
    /// A margin that is negative or NaN.
    #[error("margin is {}: it must be a length from 0 to {MAX_LENGTH:e} m", units::shortest(*.0))]
    Margin(f64),
    /// An unknown method.
    #[error("unknown method '{word}': the methods are {}", METHODS.join(", "))]
    Method {
        /// The given name.
        word: String,
    },
    /// An invalid box.
    #[error(transparent)]
    Box(#[from] BroadError),
}

/// Creates a broad phase by the name of its method.
pub fn params(margin: f64, method: &str) -> Result<BroadParams, PairsError> {
    if !(0.0..=MAX_LENGTH).contains(&margin) {
        return Err(PairsError::Margin(margin));
    }
    let method = match method {
        "auto" => BroadMethod::Auto,
        "grid" => BroadMethod::Grid,
        "sweep" => BroadMethod::Sweep,
        "tree" => BroadMethod::Tree,
        other => return Err(PairsError::Method { word: other.to_owned() }),
    };
    Ok(BroadParams { method, margin })
}

/// The pairs of boxes that intersect, sorted; each box is a body of its own, named by its place in the list.
pub fn overlapping_pairs(boxes: &[Aabb], params: BroadParams) -> Result<Vec<BoxPair>, BroadError> {
    let mut phase = BroadPhase::new(params);
    for (body, bounds) in boxes.iter().enumerate() {
        phase.insert(*bounds, Filter::of_body(body as u32))?;
    }
    Ok(phase.update().to_vec())
}

/// Report of the `pairs` command.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairReport {
    /// Number of boxes.
    pub boxes: usize,
    /// Maximum gap of a pair on every axis [m].
    pub margin: f64,
    /// All pairs, sorted.
    pub pairs: Vec<NamedPair>,
}

/// A pair by the places of its boxes in the table, counted from 0, and their names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedPair {
    /// The first box.
    pub a: u32,
    /// The second box.
    pub b: u32,
    /// The name of the first box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_a: Option<String>,
    /// The name of the second box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_b: Option<String>,
}

impl BoxTable {
    /// Reads a file; see [`BoxTable::parse`].
    pub fn read(path: &Path) -> Result<Self, TableError> {
        let bytes = files::read_bytes(path, files::MAX_TABLE, true)?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(text).map_err(|bad| match not_a_table(text) {
                Some(line) => TableError::NotATable { line },
                None => TableError::Line(Box::new(bad)),
            }),
            Err(error) => {
                let (before, _) = bytes.split_at(error.valid_up_to());
                let last = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
                let line = before.split(|b| *b == b'\n').count();
                let readable = String::from_utf8_lossy(&before[last..]);
                let text = format!("{readable}\u{fffd}");
                let place = readable.len()..text.len();
                Err(TableError::Line(Box::new(BadLine::new(
                    line,
                    &text,
                    place,
                    "this is not text".to_owned(),
                ))))
            }
        }
    }

    /// Parses boxes from comma-separated text: `min_x,min_y,min_z,max_x,max_y,max_z` on each line, with a name before them on all lines or on none.
    ///
    /// Lengths are metres or carry a unit. A first line with the names of the columns, empty lines and lines that begin with `#` are skipped. Names have no commas.
    ///
    /// ```
    /// use zerogap::pairs::BoxTable;
    ///
    /// let table = BoxTable::parse("name, min_x, min_y, min_z, max_x, max_y, max_z\nfloor, -1, -1, -10mm, 1, 1, 0\n")?;
    /// assert_eq!((table.boxes[0].min.z, &table.names.unwrap()[0][..]), (-0.01, "floor"));
    /// let bad = BoxTable::parse("0,0,0,1,1,1\n0,0,zero,1,1,1\n").unwrap_err();
    /// assert_eq!((bad.line, bad.column), (2, 5));
    /// # Ok::<(), zerogap::pairs::BadLine>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, BadLine> {
        let mut table = Self::default();
        let mut is_named = None;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            let row = Row { number: number + 1, line, cells: cells(line) };
            // The first line determines whether there are names, and may be a header.
            let (is_first, named) = (is_named.is_none(), *is_named.get_or_insert(row.cells.len() == 7));
            if is_first && row.is_header() {
                row.check_header(named)?;
                continue;
            }
            row.check_count(named)?;
            let (name, numbers) = row.cells.split_at(usize::from(named));
            if let [name] = name {
                table.names.get_or_insert_default().push(name.word.to_owned());
            }
            table.boxes.push(row.bounds(numbers)?);
        }
        Ok(table)
    }

    /// The pairs of this table's boxes.
    pub fn report(&self, params: BroadParams) -> Result<PairReport, BroadError> {
        let name = |k: u32| self.names.as_ref().and_then(|names| names.get(k as usize)).cloned();
        let named = |pair: &BoxPair| NamedPair {
            a: pair.a.0,
            b: pair.b.0,
            name_a: name(pair.a.0),
            name_b: name(pair.b.0),
        };
        let pairs = overlapping_pairs(&self.boxes, params)?.iter().map(named).collect();
        Ok(PairReport { boxes: self.boxes.len(), margin: params.margin, pairs })
    }
}

/// The first line with something in it, counted from 1, where it is plainly none of a table: neither two numbers nor names of columns.
fn not_a_table(text: &str) -> Option<usize> {
    let is_row = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let (at, line) = text.lines().enumerate().find(|(_, line)| is_row(line))?;
    let row = Row { number: at + 1, line, cells: cells(line) };
    let is_number =
        |cell: &&Cell<'_>| cell.word.parse::<f64>().is_ok() || units::parse_length(cell.word).is_ok();
    (row.cells.iter().filter(is_number).count() < 2 && !row.is_header()).then_some(at + 1)
}

/// What stands between two commas, and where.
#[derive(Debug, Clone, Copy)]
struct Cell<'a> {
    word: &'a str,
    start: usize,
}

/// The cells of a line, without the spaces around them.
fn cells(line: &str) -> Vec<Cell<'_>> {
    let mut found = Vec::with_capacity(COLUMNS.len() + 1);
    let mut next = 0;
    for part in line.split(',') {
        found.push(Cell { word: part.trim(), start: next + part.len() - part.trim_start().len() });
        next += part.len() + 1;
    }
    found
}

/// A line of the table.
struct Row<'a> {
    number: usize,
    line: &'a str,
    cells: Vec<Cell<'a>>,
}

impl Row<'_> {
    /// Whether a cell is the name of a column.
    fn is_header(&self) -> bool {
        self.cells.iter().any(|cell| COLUMNS.iter().any(|column| cell.word.eq_ignore_ascii_case(column)))
    }

    fn check_header(&self, is_named: bool) -> Result<(), BadLine> {
        self.check_count(is_named)?;
        let wanted = is_named.then_some(NAME).into_iter().chain(COLUMNS);
        match self.cells.iter().zip(wanted).find(|(cell, wanted)| !cell.word.eq_ignore_ascii_case(wanted)) {
            Some((cell, wanted)) => Err(self.bad(cell, format!("this column must be {wanted}"))),
            None => Ok(()),
        }
    }

    fn check_count(&self, is_named: bool) -> Result<(), BadLine> {
        let (found, wanted) = (self.cells.len(), 6 + usize::from(is_named));
        if found == wanted {
            return Ok(());
        }
        let columns = if is_named { "a name and 6 numbers" } else { "6 numbers" };
        let whole = self.line.trim();
        let start = self.line.len() - self.line.trim_start().len();
        let message = match found {
            1 => format!("{columns} are needed, and there is 1 value"),
            _ => format!("{columns} are needed, and there are {found} values"),
        };
        Err(BadLine::new(self.number, self.line, start..start + whole.len(), message))
    }

    /// The box of six cells.
    fn bounds(&self, cells: &[Cell<'_>]) -> Result<Aabb, BadLine> {
        let mut numbers = [0.0; 6];
        for (k, (number, cell)) in numbers.iter_mut().zip(cells).enumerate() {
            *number = self.length(cell, COLUMNS[k])?;
        }
        let [x, y, z, to_x, to_y, to_z] = numbers;
        let bounds = Aabb { min: Vec3::new(x, y, z), max: Vec3::new(to_x, to_y, to_z) };
        for (k, cell) in cells.iter().take(3).enumerate() {
            if bounds.min[k] > bounds.max[k] {
                let [min, max] = [bounds.min[k], bounds.max[k]].map(units::shortest);
                let message = format!("{} is {min} m, beyond {} at {max} m", COLUMNS[k], COLUMNS[k + 3]);
                return Err(self.bad(cell, message));
            }
        }
        Ok(bounds)
    }

    fn length(&self, cell: &Cell<'_>, column: &str) -> Result<f64, BadLine> {
        if cell.word.is_empty() {
            // Nothing can be underlined but a comma beside it.
            let comma = match self.line.get(cell.start..) {
                Some(rest) if rest.starts_with(',') => cell.start,
                _ => self.line.get(..cell.start).and_then(|before| before.rfind(',')).unwrap_or(0),
            };
            let message = format!("{column} is missing");
            return Err(BadLine::new(self.number, self.line, comma..comma + 1, message));
        }
        // Nearly all values are plain numbers; values that are not finite are reported below.
        let length = match cell.word.parse::<f64>() {
            Ok(number) => number,
            Err(_) => units::parse_length(cell.word)
                .map_err(|error| self.bad(cell, format!("{column}: {error}")))?,
        };
        if length.abs() <= MAX_LENGTH {
            return Ok(length);
        }
        let message =
            format!("{column} is {}: it must be a number of magnitude at most {MAX_LENGTH:e}", cell.word);
        Err(self.bad(cell, message))
    }

    fn bad(&self, cell: &Cell<'_>, message: String) -> BadLine {
        BadLine::new(self.number, self.line, cell.start..cell.start + cell.word.len(), message)
    }
}

impl BadLine {
    /// `place` are bytes of the line.
    fn new(line: usize, text: &str, place: std::ops::Range<usize>, message: String) -> Self {
        let (before, rest) = text.split_at(place.start.min(text.len()));
        let (inside, after) = rest.split_at(place.len().min(rest.len()));
        let first = before.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
        let clipped = |text: &str| text.chars().take(SHOWN).collect::<String>();
        let (start, inside) = (before.len() - first, clipped(inside));
        Self {
            line,
            column: before.chars().count() + 1,
            message,
            length: inside.len(),
            text: format!("{}{inside}{}", &before[first..], clipped(after)).trim_end().to_owned(),
            start,
        }
    }
}

impl std::fmt::Display for BadLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for BadLine {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a text is invalid, and the span that the error underlines.
    fn refused(text: &str) -> (usize, usize, String, String) {
        let bad = BoxTable::parse(text).unwrap_err();
        let words = bad.text[bad.start..bad.start + bad.length].to_owned();
        (bad.line, bad.column, words, bad.message)
    }

    #[test]
    fn headers_comments_and_empty_lines_are_no_boxes() {
        let plain = BoxTable::parse("0,0,0,1,1,1\n0.5,0,0,2,1,1").unwrap();
        let dressed = "\u{feff}# two boxes\r\n\r\nMIN_X, min_y,min_z,max_x,max_y,max_z\r\n 0,0,0,1,1,1 \r\n  # and\r\n0.5,0,0,2,1,1\r\n";
        assert_eq!(BoxTable::parse(dressed).unwrap(), plain);
        assert_eq!((plain.boxes.len(), plain.names), (2, None));
        assert_eq!(BoxTable::parse("# nothing\n").unwrap(), BoxTable::default());
    }

    #[test]
    fn names_stand_on_all_lines_or_on_none() {
        let table = BoxTable::parse("floor,0,0,0,1,1,0\n7, 0,0,0,1,1,1\n").unwrap();
        assert_eq!(table.names.unwrap(), ["floor", "7"]);
        let (line, column, _, message) = refused("floor,0,0,0,1,1,0\n0,0,0,1,1,1\n");
        assert_eq!((line, column), (2, 1));
        assert_eq!(message, "a name and 6 numbers are needed, and there are 6 values");
        assert_eq!(refused("0,0,0,1,1,1\nlid,0,0,0,1,1,1").0, 2);
    }

    #[test]
    fn what_is_wrong_is_told_with_line_column_and_text() {
        for (text, line, column, words, message) in [
            ("#\n0,0,0,1, one,1", 2, 10, "one", "max_y: "),
            ("0,0,nan,1,1,1", 1, 5, "nan", "min_z is nan: it must be a number of magnitude at most 1e60"),
            ("0,0,0,1,inf,1", 1, 9, "inf", "max_y is inf"),
            ("0,0,0,1,1e61,1", 1, 9, "1e61", "max_y is 1e61"),
            ("0,2,0,1,1,1", 1, 3, "2", "min_y is 2 m, beyond max_y at 1 m"),
            ("0,0,0,,1,1", 1, 7, ",", "max_x is missing"),
            ("0,0,0,1,1, ", 1, 10, ",", "max_z is missing"),
            ("é,0,0,0,1,1,", 1, 12, ",", "max_z is missing"),
            ("0,0,0", 1, 1, "0,0,0", "6 numbers are needed, and there are 3 values"),
            ("min_x,min_z,min_y,max_x,max_y,max_z", 1, 7, "min_z", "this column must be min_y"),
            ("é,0,0,0,1,1,x", 1, 13, "x", "max_z: "),
        ] {
            let found = refused(text);
            assert_eq!((found.0, found.1, &found.2[..]), (line, column, words), "{text}");
            assert!(found.3.starts_with(message), "{text}: {}", found.3);
        }
    }

    #[test]
    fn an_error_shows_no_more_than_the_place_in_a_long_line() {
        let long = format!("{},0,0,0,1,x,1,{}", "é".repeat(5000), "1".repeat(5000));
        let bad = BoxTable::parse(&long).unwrap_err();
        assert!(bad.text.chars().count() <= 3 * SHOWN, "{}", bad.text.len());
        assert!(bad.start + bad.length <= bad.text.len());
        assert_eq!(bad.column, 1);
    }

    #[test]
    fn margins_and_methods_are_checked() {
        for margin in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(params(margin, "auto"), Err(PairsError::Margin(_))));
        }
        assert!(params(0.0, "octree").unwrap_err().to_string().contains("auto, grid, sweep, tree"));
        let table = BoxTable::parse("a,0,0,0,1,1,1\nb,1.5,0,0,2,1,1\nc,1,0,0,1,1,1").unwrap();
        for method in METHODS {
            let apart = |margin: f64| -> Vec<(u32, u32)> {
                let report = table.report(params(margin, method).unwrap()).unwrap();
                report.pairs.iter().map(|pair| (pair.a, pair.b)).collect()
            };
            assert_eq!(apart(0.0), [(0, 2)]);
            assert_eq!(apart(0.5), [(0, 1), (0, 2), (1, 2)]);
        }
    }
}
