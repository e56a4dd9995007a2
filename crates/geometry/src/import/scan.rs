//! Words and numbers of a text file, each with its place.
//!
//! In: the bytes of a file. Out: words in order. Nothing is decoded before it is needed, so comments may be in any encoding.

use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace, quoted};

/// Where the text of a file starts: after the mark that some editors put before UTF-8. UTF-16 is rejected.
pub(super) fn text_start(bytes: &[u8]) -> Parsed<usize> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Fault::new(
            Kind::NotText,
            ReaderPlace::Byte(0),
            "the file is UTF-16 text: expected UTF-8",
        )
        .help("save it again as UTF-8"));
    }
    Ok(if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 })
}

/// A word and where it starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) offset: usize,
}

impl Word<'_> {
    /// Where this word is.
    pub(super) fn location(&self) -> ReaderPlace {
        ReaderPlace::Text(self.offset, self.bytes.len())
    }

    /// Whether the word is this keyword, in any mix of cases.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// A fault at this word.
    pub(super) fn fault(&self, kind: Kind, message: impl Into<String>) -> Fault {
        Fault::new(kind, self.location(), message)
    }

    /// A fault with the expected content.
    pub(super) fn instead_of(&self, expected: &str) -> Fault {
        self.fault(Kind::Syntax, format!("expected {expected}, found {}", quoted(self.bytes)))
    }

    /// The word as readable text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }

    /// The word as a number; NaN and infinity are numbers here, since some files have them where they do not matter.
    pub(super) fn number(&self) -> Parsed<f64> {
        let text = std::str::from_utf8(self.bytes).ok();
        text.and_then(|text| text.parse().ok()).ok_or_else(|| {
            let fault = self.fault(Kind::Number, format!("expected a number, found {}", quoted(self.bytes)));
            let with_point = text.and_then(|text| text.replace(',', ".").parse::<f64>().ok());
            if with_point.is_some() {
                fault.help("write a point, not a comma, before the decimals")
            } else {
                fault
            }
        })
    }

    /// Returns whether the word is one of the spellings of NaN.
    pub(super) fn is_not_a_number(&self) -> bool {
        let text = self.text().to_ascii_lowercase();
        text.contains("nan") || text.contains("#ind") || text.contains("#qn") || text.contains("#inf")
    }

    /// The word as a whole number.
    pub(super) fn integer(&self) -> Parsed<i64> {
        std::str::from_utf8(self.bytes).ok().and_then(|text| text.parse().ok()).ok_or_else(|| {
            self.fault(Kind::Number, format!("expected a whole number, found {}", quoted(self.bytes)))
        })
    }
}

/// Walks through a text file word by word.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    /// Whether `#` starts a comment and `\` at the end of a line continues it, as in OBJ.
    obj_rules: bool,
}

impl<'a> Scanner<'a> {
    /// Starts at an offset, with neither comments nor continued lines.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, obj_rules: false }
    }

    /// Starts at an offset, with the comments and continued lines of OBJ.
    pub(super) fn with_obj_rules(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, obj_rules: true }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Length of the line break at the current position plus `ahead`; 0 where there is none.
    fn line_break(&self, ahead: usize) -> usize {
        match self.peek(ahead) {
            Some(b'\r') if self.peek(ahead + 1) == Some(b'\n') => 2,
            Some(b'\r' | b'\n') => 1,
            _ => 0,
        }
    }

    /// Whether a continued line's backslash stands here.
    fn continues(&self) -> bool {
        self.obj_rules && self.peek(0) == Some(b'\\') && self.line_break(1) > 0
    }

    /// The next word of this line; none at its end.
    pub(super) fn word_in_line(&mut self) -> Option<Word<'a>> {
        loop {
            match self.peek(0) {
                Some(b' ' | b'\t' | 0x0b | 0x0c) => self.at += 1,
                Some(b'\\') if self.continues() => self.at += 1 + self.line_break(1),
                None | Some(b'\n' | b'\r') => return None,
                Some(b'#') if self.obj_rules => {
                    while self.peek(0).is_some() && self.line_break(0) == 0 {
                        self.at += 1;
                    }
                    return None;
                }
                Some(_) => break,
            }
        }
        let offset = self.at;
        while self.peek(0).is_some_and(|b| !b.is_ascii_whitespace() && b != 0x0b) && !self.continues() {
            self.at += 1;
        }
        Some(Word { bytes: &self.bytes[offset..self.at], offset })
    }

    /// Moves to the next line; false when there is none.
    pub(super) fn next_line(&mut self) -> bool {
        while self.line_break(0) == 0 {
            if self.peek(0).is_none() {
                return false;
            }
            self.at += 1;
        }
        self.at += self.line_break(0);
        self.at < self.bytes.len()
    }

    /// The next word on this or a later line; none at the end of the file.
    pub(super) fn word(&mut self) -> Option<Word<'a>> {
        loop {
            if let Some(word) = self.word_in_line() {
                return Some(word);
            }
            if !self.next_line() {
                return None;
            }
        }
    }

    /// What is left of this line, without the spaces around it; the line break stays.
    pub(super) fn rest_of_line(&mut self) -> Word<'a> {
        let Some(first) = self.word_in_line() else { return Word { bytes: &[], offset: self.at } };
        let mut end = self.at;
        while self.word_in_line().is_some() {
            end = self.at;
        }
        Word { bytes: &self.bytes[first.offset..end], offset: first.offset }
    }

    /// A fault at the end of the current line or file.
    pub(super) fn fault_here(&self, message: impl Into<String>) -> Fault {
        let kind = if self.at >= self.bytes.len() { Kind::Truncated } else { Kind::Syntax };
        Fault::new(kind, ReaderPlace::Text(self.at, 1), message)
    }

    /// The next word on this or a later line, which must exist.
    pub(super) fn expect(&mut self, expected: &str) -> Parsed<Word<'a>> {
        self.word().ok_or_else(|| self.fault_here(format!("expected {expected}, found the end of the file")))
    }

    /// The next word of this line, which must exist.
    pub(super) fn expect_in_line(&mut self, expected: &str) -> Parsed<Word<'a>> {
        self.word_in_line()
            .ok_or_else(|| self.fault_here(format!("expected {expected}, found the end of the line")))
    }

    /// The next word, which must be this keyword.
    pub(super) fn expect_keyword(&mut self, keyword: &str) -> Parsed<()> {
        let expected = format!("'{keyword}'");
        let word = self.expect(&expected)?;
        if word.is(keyword) { Ok(()) } else { Err(word.instead_of(&expected)) }
    }
}
