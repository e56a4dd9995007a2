//! Which classes of faces can be in contact, and which side may lean by the angular tolerance.
//!
//! Merlhiot 2007, table 2, as bit masks: bit c of a mask stands for class c. A node of the hierarchy holds faces of several classes, so all
//! tables are queried with masks.

/// Classes that each class can collide with.
const COLLIDES: [u8; 8] = [0b0111_1111, 0b0000_1111, 0b0000_1111, 0b0000_0111, 1, 1, 1, 0];

/// Classes against which each class may lean by the angular tolerance.
const LEANS: [u8; 8] = [0b0111_1100, 0b0000_1110, 0b0000_1110, 0, 0, 0, 0, 0];

/// The three tables for every mask of the first side.
struct Tables {
    meets: [u8; 256],
    leans: [u8; 256],
    is_leant_on: [u8; 256],
}

/// The entries of all classes in a mask together.
const fn united(of: [u8; 8]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut class = 0;
        while class < 8 {
            if mask >> class & 1 == 1 {
                table[mask] |= of[class];
            }
            class += 1;
        }
        mask += 1;
    }
    table
}

/// For each class the classes that have it in their entry.
const fn rotated(of: [u8; 8]) -> [u8; 8] {
    let mut table = [0; 8];
    let mut from = 0;
    while from < 8 {
        let mut to = 0;
        while to < 8 {
            if of[from] >> to & 1 == 1 {
                table[to] |= 1 << from;
            }
            to += 1;
        }
        from += 1;
    }
    table
}

const TABLES: Tables =
    Tables { meets: united(COLLIDES), leans: united(LEANS), is_leant_on: united(rotated(LEANS)) };

/// Whether some face of the first mask can be in contact with some face of the second.
#[inline]
pub(super) fn compatible(first: u8, second: u8) -> bool {
    TABLES.meets[usize::from(first)] & second != 0
}

/// Whether the first and the second side may lean by the angular tolerance, each for some pair of faces of the masks.
#[inline]
pub(super) fn leaning(first: u8, second: u8) -> (bool, bool) {
    (TABLES.leans[usize::from(first)] & second != 0, TABLES.is_leant_on[usize::from(first)] & second != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapping_the_sides_swaps_who_leans() {
        for first in 0..8 {
            for second in 0..8 {
                let (m1, m2) = (1 << first, 1 << second);
                assert_eq!(compatible(m1, m2), compatible(m2, m1));
                let ((a, b), (c, d)) = (leaning(m1, m2), leaning(m2, m1));
                assert_eq!((a, b), (d, c), "classes {first} {second}");
                assert!(compatible(m1, m2) || !(a || b));
            }
        }
    }

    #[test]
    fn the_entries_of_the_published_table() {
        let entry = |a: u8, b: u8| compatible(1 << a, 1 << b).then(|| leaning(1 << a, 1 << b));
        assert_eq!(entry(0, 0), Some((false, false)));
        assert_eq!(entry(0, 1), Some((false, false)));
        for class in 2..7 {
            assert_eq!(entry(0, class), Some((true, false)));
        }
        for (a, b) in [(1, 1), (1, 2), (2, 2)] {
            assert_eq!(entry(a, b), Some((true, true)));
        }
        for class in [1, 2] {
            assert_eq!(entry(class, 3), Some((true, false)));
            for other in 4..8 {
                assert_eq!(entry(class, other), None);
            }
        }
        assert_eq!(entry(3, 3), None);
    }
}
