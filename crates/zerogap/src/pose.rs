//! Poses as strings: `"0 0 5mm"`, `"1 2 3 0 0 0.7071 0.7071"`.
//!
//! In: text. Out: a [`Pose`], or an error with the span of the invalid number.

use std::ops::Range;

use zerogap_core::units::{length_unit, parse_length};
use zerogap_core::{MAX_LENGTH, Pose, Vec3};

/// Description of the format of a pose.
const EXPECTED: &str = "a pose is 3 numbers (x y z) or 7 (x y z qx qy qz qw)";

/// The numbers of a pose by name.
const NAMES: [&str; 7] = ["x", "y", "z", "qx", "qy", "qz", "qw"];

/// Text that is not a pose; `span` is the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PoseError {
    /// Description of the error, with the number.
    pub message: String,
    /// Bytes of the text that the error is about: a number, or all of them where their count is wrong.
    pub span: Range<usize>,
}

/// Parses a pose from `x y z`, or `x y z qx qy qz qw`, with spaces or commas between the numbers.
///
/// Lengths are metres or carry a unit (`5mm`, `5 mm`); the quaternion may have any positive length.
///
/// ```
/// use zerogap::pose::parse_pose;
///
/// assert_eq!(parse_pose("0 0 5 mm")?.translation().z, 0.005);
/// assert_eq!(parse_pose("1 2 three").unwrap_err().span, 4..9);
/// # Ok::<(), zerogap::pose::PoseError>(())
/// ```
pub fn parse_pose(text: &str) -> Result<Pose, PoseError> {
    let places = quantities(text);
    let refuse = |message: String, span: Range<usize>| Err(PoseError { message, span });
    let mut numbers = [0.0; 7];
    // Text that is not a number is reported before the count: it often explains a wrong count.
    for (k, place) in places.iter().enumerate() {
        let word = &text[place.clone()];
        let value = match (NAMES.get(k), k) {
            (None, _) => return refuse(format!("{EXPECTED}, and this is number {}", k + 1), place.clone()),
            (_, 0..3) => parse_length(word).map_err(|error| error.to_string()),
            _ => word.parse().map_err(|_| format!("'{word}' is not a number: a quaternion has no unit")),
        };
        match value {
            Ok(value) if f64::abs(value) <= MAX_LENGTH => numbers[k] = value,
            Ok(_) => {
                let reason = format!("it must be a number of magnitude at most {MAX_LENGTH:e}");
                return refuse(format!("{} is {word}: {reason}", NAMES[k]), place.clone());
            }
            Err(message) => return refuse(message, place.clone()),
        }
    }
    // Between two commas a number has been forgotten, not left out.
    let written: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if written.contains(",,") {
        return refuse(format!("{EXPECTED}, and between two commas there is none"), 0..text.len());
    }
    let [x, y, z, qx, qy, qz, qw] = numbers;
    let (quaternion, span) = match places.as_slice() {
        [_, _, _] => ([0.0, 0.0, 0.0, 1.0], 0..text.len()),
        [_, _, _, first, _, _, last] => ([qx, qy, qz, qw], first.start..last.end),
        _ => {
            let whole = places.first().map_or(0, |p| p.start)..places.last().map_or(text.len(), |p| p.end);
            return refuse(format!("{EXPECTED}, and this has {}", places.len()), whole);
        }
    };
    Pose::new(Vec3::new(x, y, z), quaternion).map_err(|error| PoseError { message: error.to_string(), span })
}

/// The places of the quantities in a text: words between spaces and commas, where a unit that stands alone belongs to the word before it.
fn quantities(text: &str) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    let ends = text.char_indices().chain(std::iter::once((text.len(), ' ')));
    for (at, character) in ends {
        let is_between = character.is_whitespace() || character == ',';
        match start {
            None if !is_between => start = Some(at),
            Some(first) if is_between => {
                let word = &text[first..at];
                match places.last_mut() {
                    Some(place) if length_unit(word).is_some() => place.end = at,
                    _ => places.push(first..at),
                }
                start = None;
            }
            _ => {}
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_have_three_or_seven_numbers_with_or_without_units() {
        let rotated = Pose::new(Vec3::new(1.0, -0.002, 0.0254), [0.0, 0.0, 1.0, 1.0]).unwrap();
        for text in ["1 -2mm 1in 0 0 1 1", "1, -2 mm, 1 in, 0, 0, 1, 1", " 100cm\t-0.002 1in 0 0 2 2 "] {
            assert_eq!(parse_pose(text).unwrap(), rotated, "{text}");
        }
        let moved = parse_pose("1 2 3").unwrap();
        assert_eq!(moved, Pose::from_translation(Vec3::new(1.0, 2.0, 3.0)).unwrap());
    }

    #[test]
    fn errors_point_at_the_number_that_is_wrong() {
        for (text, span, message) in [
            ("1 zwei 3", 2..6, "'zwei' is not a length"),
            ("1 2 3 0 0 1mm 1", 10..13, "a quaternion has no unit"),
            ("1 2 nan", 4..7, "not finite"),
            ("1 2 1e70", 4..8, "at most 1e60"),
            ("1 2 3 0 0 inf 1", 10..13, "qz is inf"),
            ("1 2 3 0 0 0 0", 6..13, "no direction"),
            ("1 2 3 0 0 0 1 8", 14..15, "number 8"),
            ("1 2 ", 0..3, "and this has 2"),
            ("1 2 3 0 0 1", 0..11, "and this has 6"),
            ("", 0..0, "and this has 0"),
            ("1,,2,3", 0..6, "between two commas"),
            ("1, , 2, 3", 0..9, "between two commas"),
            ("mm 1 2", 0..2, "the number is missing"),
            ("1 é 2", 2..4, "not a length"),
        ] {
            let error = parse_pose(text).unwrap_err();
            assert_eq!(error.span, span, "{text}: {error}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
    }
}
