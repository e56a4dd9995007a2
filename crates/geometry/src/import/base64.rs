//! Base64, as data addresses in glTF files carry it.

use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine};

/// The standard alphabet. Some exporters leave the padding out or bits of the last letter set: neither changes the bytes.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes the standard alphabet, with or without padding; on failure the offset of the first byte that does not belong.
pub(super) fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    LENIENT.decode(text).map_err(|error| match error {
        DecodeError::InvalidByte(offset, _) | DecodeError::InvalidLastSymbol(offset, _) => offset,
        // A lone last letter carries six bits of a byte that never comes.
        DecodeError::InvalidLength(length) => length.saturating_sub(1),
        DecodeError::InvalidPadding => text.len(),
    })
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
