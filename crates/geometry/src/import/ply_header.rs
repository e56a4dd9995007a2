//! The header of a PLY file: which elements follow, how many, and what each is made of.

use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace, quoted};
use super::scan::{Scanner, Word, text_start};

/// How the values after the header are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A type of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Size in a binary file [bytes].
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The value in little-endian bytes of exactly this size; every type fits f64 without loss.
    pub(super) fn value(self, bytes: [u8; 8]) -> f64 {
        let [a, b, c, d, ..] = bytes;
        match self {
            Self::I8 => f64::from(a.cast_signed()),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_le_bytes([a, b])),
            Self::U16 => f64::from(u16::from_le_bytes([a, b])),
            Self::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Self::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Self::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Self::F64 => f64::from_le_bytes(bytes),
        }
    }
}

/// One value, or one list of values, of each row of an element.
#[derive(Debug, Clone)]
pub(super) struct Property {
    pub(super) name: String,
    /// Type of the number of entries, for a list.
    pub(super) count: Option<Scalar>,
    /// Type of the value or of the entries.
    pub(super) scalar: Scalar,
}

/// A table of the file.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) rows: usize,
    pub(super) properties: Vec<Property>,
    /// Place of its line, for errors.
    pub(super) location: ReaderPlace,
}

impl Element {
    /// Fewest bytes that a row takes: in text one digit and one space each, in binary the values, with empty lists.
    pub(super) fn min_row(&self, encoding: Encoding) -> usize {
        let size = |p: &Property| match encoding {
            Encoding::Text => 2,
            _ => p.count.unwrap_or(p.scalar).size(),
        };
        self.properties.iter().map(size).sum()
    }
}

/// What a header says.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// First byte after the header.
    pub(super) end: usize,
}

/// Reads the header.
pub(super) fn parse(bytes: &[u8]) -> Parsed<Header> {
    let mut scanner = Scanner::new(bytes, text_start(bytes)?);
    let first = scanner.expect_in_line("'ply' at the start of a PLY file")?;
    if first.bytes != b"ply" {
        return Err(first.instead_of("'ply' at the start of a PLY file"));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        if !scanner.next_line() {
            let message = "expected 'end_header', found the end of the file";
            return Err(Fault::new(Kind::Truncated, ReaderPlace::Text(bytes.len(), 1), message));
        }
        let Some(keyword) = scanner.word_in_line() else { continue };
        match keyword.bytes {
            b"comment" | b"obj_info" => continue,
            b"end_header" => break,
            b"format" => encoding = Some(format(&mut scanner)?),
            b"element" => elements.push(element(&mut scanner, &keyword)?),
            b"property" => {
                let property = property(&mut scanner)?;
                let Some(element) = elements.last_mut() else {
                    return Err(keyword.instead_of("an element before its first property"));
                };
                element.properties.push(property);
            }
            _ => {
                let message = format!(
                    "{} does not belong in a PLY header: expected format, comment, element, property or end_header",
                    quoted(keyword.bytes)
                );
                return Err(keyword.fault(Kind::Syntax, message));
            }
        }
        if let Some(extra) = scanner.word_in_line() {
            return Err(extra.instead_of("the end of the line"));
        }
    }
    scanner.next_line();
    let Some(encoding) = encoding else {
        return Err(Fault::new(Kind::Syntax, first.location(), "the header has no 'format' line"));
    };
    Ok(Header { encoding, elements, end: scanner.at })
}

fn format(scanner: &mut Scanner<'_>) -> Parsed<Encoding> {
    const EXPECTED: &str = "ascii, binary_little_endian or binary_big_endian";
    let word = scanner.expect_in_line(EXPECTED)?;
    let encoding = match word.bytes {
        b"ascii" => Encoding::Text,
        b"binary_little_endian" => Encoding::LittleEndian,
        b"binary_big_endian" => Encoding::BigEndian,
        _ => return Err(word.instead_of(EXPECTED)),
    };
    let version = scanner.expect_in_line("the version 1.0")?;
    if version.bytes == b"1.0" { Ok(encoding) } else { Err(version.instead_of("the version 1.0")) }
}

fn element(scanner: &mut Scanner<'_>, keyword: &Word<'_>) -> Parsed<Element> {
    let name = scanner.expect_in_line("the name of the element")?.text();
    let count = scanner.expect_in_line("how many there are")?;
    let rows = usize::try_from(count.integer()?)
        .map_err(|_| count.fault(Kind::Count, format!("an element cannot occur {} times", count.text())))?;
    let location = ReaderPlace::Text(keyword.offset, count.offset + count.bytes.len() - keyword.offset);
    Ok(Element { name, rows, properties: Vec::new(), location })
}

fn property(scanner: &mut Scanner<'_>) -> Parsed<Property> {
    const TYPES: &str = "a type: char, uchar, short, ushort, int, uint, float, double or list";
    let kind = scanner.expect_in_line(TYPES)?;
    let scalar_of = |word: &Word<'_>| Scalar::from_name(word.bytes).ok_or_else(|| word.instead_of(TYPES));
    let (count, scalar) = if kind.bytes == b"list" {
        let word = scanner.expect_in_line("the type of the list's length")?;
        let count = scalar_of(&word)?;
        if matches!(count, Scalar::F32 | Scalar::F64) {
            return Err(word.instead_of("a whole-number type for the list's length"));
        }
        (Some(count), scalar_of(&scanner.expect_in_line("the type of the list's entries")?)?)
    } else {
        (None, scalar_of(&kind)?)
    };
    Ok(Property { name: scanner.expect_in_line("the name of the property")?.text(), count, scalar })
}
