//! Base64, as data addresses in glTF files carry it.

/// Decodes the standard alphabet, with or without padding; on failure the offset of the first byte that does not belong.
pub(super) fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let body = text.iter().rposition(|&b| b != b'=').map_or(0, |last| last + 1);
    if text.len() - body > 2 {
        return Err(body);
    }
    let mut out = Vec::with_capacity(body / 4 * 3 + 2);
    let (mut bits, mut held) = (0_u32, 0);
    for (offset, &letter) in text[..body].iter().enumerate() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err(offset),
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    // A lone last letter carries six bits of a byte that never comes.
    if body % 4 == 1 { Err(body - 1) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_examples_decode() {
        for (plain, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(decode(text.as_bytes()), Ok(plain.as_bytes().to_vec()));
        }
    }

    #[test]
    fn what_is_no_base64_is_refused_with_its_offset() {
        assert_eq!(decode(b"Zm9*"), Err(3));
        assert_eq!(decode(b"Zm9vY"), Err(4));
        assert_eq!(decode(b"Zm==="), Err(2));
        assert_eq!(decode(b"Zm 9"), Err(2));
    }
}
