//! Hashes of states and recordings: FNV-1a over bytes, 64 bits.

/// The number of no bytes.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The number of some bytes and those after them.
pub fn go_on(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_numbers_that_the_authors_of_the_hash_publish() {
        for (word, hash) in [("", START), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)] {
            assert_eq!(go_on(START, word.as_bytes()), hash, "{word}");
        }
    }
}
