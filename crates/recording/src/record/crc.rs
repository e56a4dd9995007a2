//! CRC-32 as zip, gzip and PNG have it (polynomial 0xEDB88320, reflected), eight bytes at a time.
//!
//! In: bytes. Out: their checksum, which `zlib.crc32` of Python gives as well.

/// The reflected polynomial.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// What a byte does to the checksum when `k` bytes follow it in the same word.
const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut k = 1;
    while k < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        k += 1;
    }
    tables
}

/// The checksum of bytes.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut crc = !0_u32;
    for word in words {
        let mixed = u64::from_le_bytes(*word) ^ u64::from(crc);
        crc = mixed
            .to_le_bytes()
            .iter()
            .zip(TABLES.iter().rev())
            .fold(0, |crc, (byte, table)| crc ^ table[usize::from(*byte)]);
    }
    for byte in rest {
        crc = (crc >> 8) ^ TABLES[0][usize::from(crc as u8 ^ byte)];
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit by bit, from the definition.
    fn slow(bytes: &[u8]) -> u32 {
        let mut crc = !0_u32;
        for byte in bytes {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
            }
        }
        !crc
    }

    #[test]
    fn the_check_value_of_the_standard_comes_out() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn words_and_single_bits_give_the_same() {
        let bytes: Vec<u8> = (0..300_u32).map(|k| (k * k * 7 + k / 3) as u8).collect();
        for from in 0..9 {
            for to in from..bytes.len() {
                assert_eq!(crc32(&bytes[from..to]), slow(&bytes[from..to]), "{from}..{to}");
            }
        }
    }
}
