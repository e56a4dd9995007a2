//! Text from files as it may be shown, on a terminal and in tables.

use std::borrow::Cow;
use std::fmt::Write;

/// Returns the text with control characters and marks that reorder text written as escapes such as `\u{1b}`.
///
/// Names come from files: shown as they are, they could move the cursor, colour what follows or pass for lines of the output.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// The same for text of several lines: line feeds and tabs stay.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\n' | '\t'))
}

/// Returns a name as one cell of a table with commas between cells: in quotes where it would be taken for something else (RFC 4180).
pub fn csv_cell(name: &str) -> Cow<'_, str> {
    if name.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", name.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(name)
    }
}

fn escaped(text: &str, keeps: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_unfit = |c: char| (c.is_control() || reorders(c)) && !keeps(c);
    if !text.contains(is_unfit) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unfit(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", c.escape_default());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Whether a character changes the order in which others are shown, or separates lines.
fn reorders(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Longest word that anything is suggested for [B]: comparing takes memory for every letter.
const MAX_WORD: usize = 100;

/// Returns the word that was probably meant: the nearest, where at most a third of its letters are wrong.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if word.len() > MAX_WORD {
        return None;
    }
    let best = known.iter().map(|known| (edits(word, known), *known)).min()?;
    (best.0 * 3 <= best.1.len().max(3)).then_some(best.1)
}

/// Letters to be put in, taken out, changed or exchanged with their neighbours to make one word of another.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_letters_are_not() {
        assert_eq!(printable("Zähler 3 µm"), "Zähler 3 µm");
        assert_eq!(printable("\u{1b}[31mred\u{7}\r\n"), "\\u{1b}[31mred\\u{7}\\r\\n");
        assert_eq!(printable("a\u{9b}b\u{202e}c"), "a\\u{9b}b\\u{202e}c");
        // All marks of the bidirectional algorithm: those of Arabic letters too.
        assert_eq!(printable("a\u{61c}b\u{200f}"), "a\\u{61c}b\\u{200f}");
        assert_eq!(printable_lines("a\tb\nc\u{1b}"), "a\tb\nc\\u{1b}");
    }

    #[test]
    fn a_cell_is_quoted_where_it_holds_what_separates_cells_or_rows() {
        for (name, cell) in
            [("gear 1", "gear 1"), ("a,b", "\"a,b\""), ("say \"a\"", "\"say \"\"a\"\"\""), ("a\r", "\"a\r\"")]
        {
            assert_eq!(csv_cell(name), cell);
        }
    }

    #[test]
    fn words_with_few_wrong_letters_are_near() {
        assert_eq!((edits("wrold", "world"), edits("", "ab"), edits("ridgid", "rigid")), (1, 2, 1));
        assert_eq!(nearest("wrold", &["world", "run"]), Some("world"));
        assert_eq!(nearest("colour", &["mass", "joint"]), None);
    }
}
