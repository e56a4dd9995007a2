//! One array in the npy format of numpy, version 1.0: a header with type and shape, then the numbers, the last index running fastest.

/// The array of numbers of eight bytes.
pub(super) fn numbers(shape: &[usize], values: impl Iterator<Item = f64>) -> Vec<u8> {
    array("<f8", shape, values.flat_map(|value| value.to_bits().to_le_bytes()))
}

/// The array of whole numbers of eight bytes, without sign.
pub(super) fn counts(shape: &[usize], values: impl Iterator<Item = u64>) -> Vec<u8> {
    array("<u8", shape, values.flat_map(u64::to_le_bytes))
}

/// The array of whole numbers of eight bytes, with sign.
pub(super) fn integers(shape: &[usize], values: impl Iterator<Item = i64>) -> Vec<u8> {
    array("<i8", shape, values.flat_map(i64::to_le_bytes))
}

/// The array of texts, each as long as the longest.
pub(super) fn texts(texts: &[&str]) -> Vec<u8> {
    // An element of no characters is rejected by some readers.
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    let filled = |text: &&str| {
        let characters: Vec<u32> =
            text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width).collect();
        characters
    };
    let bytes = texts.iter().flat_map(filled).flat_map(u32::to_le_bytes);
    array(&format!("<U{width}"), &[texts.len()], bytes)
}

fn array(kind: &str, shape: &[usize], bytes: impl Iterator<Item = u8>) -> Vec<u8> {
    // A tuple of one needs its comma.
    let shape = shape.iter().fold(String::new(), |text, n| text + &n.to_string() + ", ");
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The numbers begin at a multiple of 64 bytes, after a line end.
    let before = 10;
    let filled = (before + text.len() + 1).next_multiple_of(64) - before - 1;
    text += &" ".repeat(filled - text.len());
    text.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend_from_slice(&(text.len() as u16).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
    out.extend(bytes);
    out
}
