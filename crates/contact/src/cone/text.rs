//! Friction problems as text: `dim nc`, the number of entries, that many lines `row column value` of `W` (counted from 0), `q`, and friction.
//!
//! In: text. Out: a [`MatrixProblem`], or an error that names the line and what was expected there; and back to text, with every number exact. Line breaks are
//! ordinary blanks to the reader; entries of one place are summed.

use super::matrix::{MatrixProblem, MatrixProblemError};
use std::fmt::Write as _;
use std::iter::Peekable;

/// Why a text was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TextError {
    /// Something else stands there.
    #[error("line {line}: expected {expected}, found `{found}`")]
    Unexpected {
        /// Line, from 1.
        line: usize,
        /// What should stand there.
        expected: String,
        /// What does.
        found: String,
    },
    /// The text ends too early.
    #[error("line {line}: the text ends where {expected} is expected")]
    End {
        /// Last line, from 1.
        line: usize,
        /// What should stand there.
        expected: String,
    },
    /// Only problems in space are read.
    #[error("line {line}: contacts of dimension {dim} are not solved here, only of dimension 3")]
    Dimension {
        /// Line, from 1.
        line: usize,
        /// The dimension.
        dim: usize,
    },
    /// Something stands behind the last coefficient of friction.
    #[error("line {line}: `{found}` stands behind the end of the problem")]
    Trailing {
        /// Line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// The numbers make no problem.
    #[error("line {line}: {source}")]
    Problem {
        /// Line, from 1; the last one read where the fault lies in several lines together.
        line: usize,
        /// Why.
        source: MatrixProblemError,
    },
}

impl TextError {
    /// Line of the fault, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::Unexpected { line, .. }
            | Self::End { line, .. }
            | Self::Dimension { line, .. }
            | Self::Trailing { line, .. }
            | Self::Problem { line, .. } => *line,
        }
    }
}

/// Words of a text with their lines.
pub(super) struct Words<'a> {
    rest: Peekable<Box<dyn Iterator<Item = (usize, &'a str)> + 'a>>,
    line: usize,
    last: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let words = text
            .lines()
            .enumerate()
            .flat_map(|(line, text)| text.split_whitespace().map(move |word| (line + 1, word)));
        let words: Box<dyn Iterator<Item = _>> = Box::new(words);
        Self { rest: words.peekable(), line: 1, last: text.lines().count().max(1) }
    }

    /// The next word, read by `read`.
    pub(super) fn next<T>(
        &mut self,
        expected: impl Fn() -> String,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, TextError> {
        let Some((line, word)) = self.rest.next() else {
            return Err(TextError::End { line: self.last, expected: expected() });
        };
        self.line = line;
        read(word).ok_or_else(|| TextError::Unexpected {
            line,
            expected: expected(),
            found: word.chars().take(40).collect(),
        })
    }

    pub(super) fn count(&mut self, what: &str) -> Result<usize, TextError> {
        self.next(|| format!("{what} (a whole number)"), |word| word.parse().ok())
    }

    /// Passes a word that must stand there.
    pub(super) fn word(&mut self, word: &str) -> Result<(), TextError> {
        self.next(|| format!("`{word}`"), |found| (found == word).then_some(()))
    }

    /// Passes a word where it stands there; whether it did.
    pub(super) fn skip(&mut self, word: &str) -> bool {
        self.rest.next_if(|(_, found)| *found == word).is_some()
    }

    /// Refuses what stands behind the last word.
    pub(super) fn end(&mut self) -> Result<(), TextError> {
        match self.rest.next() {
            Some((line, word)) => Err(TextError::Trailing { line, found: word.chars().take(40).collect() }),
            None => Ok(()),
        }
    }

    pub(super) fn number(&mut self, what: impl Fn() -> String) -> Result<f64, TextError> {
        let finite = |word: &str| word.parse().ok().filter(|v: &f64| v.is_finite());
        self.next(|| format!("{} (a finite number)", what()), finite)
    }
}

/// Reads a problem.
pub fn read_problem(text: &str) -> Result<MatrixProblem, TextError> {
    let mut words = Words::new(text);
    let dim = words.count("the dimension of the contacts")?;
    if dim != 3 {
        return Err(TextError::Dimension { line: words.line, dim });
    }
    let contacts = words.count("the number of contacts")?;
    let entries = words.count("the number of entries of W")?;
    let Some(size) = contacts.checked_mul(3) else {
        return Err(TextError::Unexpected {
            line: words.line,
            expected: "a number of contacts that fits".into(),
            found: contacts.to_string(),
        });
    };
    // Counts are what a file says, not what it holds: memory grows with what is read.
    let mut list = Vec::new();
    for k in 0..entries {
        let of = |what: &str| format!("the {what} of entry {} of {entries}", k + 1);
        let (row, column) = (words.count(&of("row"))?, words.count(&of("column"))?);
        let value = words.number(|| of("value"))?;
        if row >= size || column >= size {
            let source = MatrixProblemError::Outside { row, column, size };
            return Err(TextError::Problem { line: words.line, source });
        }
        list.push((row, column, value));
    }
    let mut q = Vec::new();
    for k in 0..size {
        q.push(words.number(|| format!("entry {} of the {size} of q", k + 1))?);
    }
    let mut friction = Vec::new();
    for k in 0..contacts {
        let what = || format!("friction of contact {} of {contacts} (a number, or inf)", k + 1);
        friction.push(words.next(what, |word| word.parse().ok().filter(|v: &f64| !v.is_nan()))?);
    }
    words.end()?;
    let line = words.line;
    MatrixProblem::new(list, q, &friction).map_err(|source| TextError::Problem { line, source })
}

/// Writes a problem; reading it again gives the same bits.
pub fn write_problem(problem: &MatrixProblem) -> String {
    let mut text = format!("3 {}\n{}\n", problem.contacts(), problem.entries().count());
    for (row, column, value) in problem.entries() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{row} {column} {value:?}");
    }
    for numbers in [problem.q().to_vec(), problem.friction().collect()] {
        let words: Vec<String> = numbers.iter().map(|v| format!("{v:?}")).collect();
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "3 1\n4\n0 0 1.0\n1 1 2.0\n2 2 2.0\n0 0 0.5\n-1.0 0.25 0\n0.5\n";

    #[test]
    fn a_problem_is_read_and_written_without_a_bit_lost() {
        let problem = read_problem(ONE).unwrap();
        assert_eq!(problem.contacts(), 1);
        // Entries of one place are summed.
        assert_eq!(problem.entries().next(), Some((0, 0, 1.5)));
        assert_eq!(read_problem(&write_problem(&problem)), Ok(problem));
        // Line breaks carry no meaning.
        assert_eq!(read_problem(&ONE.replace('\n', " ")), read_problem(ONE));
        assert_eq!(read_problem("3 0\n0\n\n\n").map(|p| p.contacts()), Ok(0));
        let rough = read_problem(&ONE.replace("\n0.5\n", "\ninf\n")).unwrap();
        assert_eq!(rough.friction().next(), Some(f64::INFINITY));
        assert_eq!(read_problem(&write_problem(&rough)), Ok(rough));
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let said = |text: &str| read_problem(text).unwrap_err().to_string();
        assert_eq!(
            said(""),
            "line 1: the text ends where the dimension of the contacts (a whole number) is expected"
        );
        assert_eq!(said("2 1\n"), "line 1: contacts of dimension 2 are not solved here, only of dimension 3");
        assert_eq!(said("3 one\n"), "line 1: expected the number of contacts (a whole number), found `one`");
        assert_eq!(
            said(&ONE.replace("2.0\n2 2", "NaN\n2 2")),
            "line 4: expected the value of entry 2 of 4 (a finite number), found `NaN`"
        );
        assert_eq!(
            said(&ONE.replace("2 2 2.0", "2 3 2.0")),
            "line 5: entry (2, 3) lies outside a matrix of 3 by 3"
        );
        assert_eq!(said(&format!("{ONE} 7")), "line 9: `7` stands behind the end of the problem");
        assert_eq!(
            said(&ONE.replace("\n0.5\n", "\n-0.5\n")),
            "line 8: contact 0 has friction -0.5: it must be zero or more"
        );
        assert_eq!(
            said(&ONE.replace("\n0.5\n", "\n")),
            "line 7: the text ends where friction of contact 1 of 1 (a number, or inf) is expected"
        );
        // Counts that nothing could hold end in an error, not in memory.
        assert!(said("3 9999999999999999\n1\n0 0 1\n").contains("line 3"));
        assert!(said(&format!("3 {}\n1\n", usize::MAX)).contains("fits"));
    }
}
