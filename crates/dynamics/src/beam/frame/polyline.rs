//! Lines of points from files.
//!
//! In: a text. Out: its points in order [m]. CSV has x, y and z in the first three columns, a first line of names where there is one, and lines with # left out; of OBJ the vertices count, in the order of its `l` lines where there are
//! any. What is no number is refused with its line.

use zerogap_core::Vec3;

use super::FrameError;

/// Points of a line in CSV.
pub fn from_csv(text: &str) -> Result<Vec<Vec3>, FrameError> {
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match point(line.split([',', ';', '\t'])) {
            Some(at) => points.push(at),
            // Names of columns.
            None if points.is_empty() && line.starts_with(|c: char| c.is_alphabetic() || c == '"') => {}
            None => return Err(FrameError::Line { line: number + 1, reason: "x, y and z must be numbers" }),
        }
    }
    checked(points)
}

/// Points of a line in OBJ.
pub fn from_obj(text: &str) -> Result<Vec<Vec3>, FrameError> {
    let (mut vertices, mut order) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let wrong = |reason| FrameError::Line { line: number + 1, reason };
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => vertices.push(point(words).ok_or(wrong("a vertex needs three numbers"))?),
            Some("l") => {
                for word in words {
                    let index: usize = word
                        .split('/')
                        .next()
                        .and_then(|index| index.parse().ok())
                        .ok_or(wrong("a line must name vertices from 1 on"))?;
                    // Lines that follow each other share a vertex.
                    if order.last() != Some(&index) {
                        order.push(index);
                    }
                }
            }
            _ => {}
        }
    }
    if order.is_empty() {
        return checked(vertices);
    }
    let at = |index: &usize| index.checked_sub(1).and_then(|k| vertices.get(k)).copied();
    let points: Option<Vec<Vec3>> = order.iter().map(at).collect();
    checked(points.ok_or(FrameError::Line { line: 0, reason: "a line names a vertex that is not there" })?)
}

fn point<'a>(words: impl Iterator<Item = &'a str>) -> Option<Vec3> {
    let mut numbers = words.map(|word| word.trim().parse::<f64>());
    let mut next = || numbers.next().and_then(Result::ok).filter(|x| x.is_finite());
    Some(Vec3::new(next()?, next()?, next()?))
}

fn checked(points: Vec<Vec3>) -> Result<Vec<Vec3>, FrameError> {
    if points.len() < 2 {
        return Err(FrameError::Line { line: 0, reason: "a line has two points or more" });
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_files_give_the_same_points() {
        let expected = vec![Vec3::zeros(), Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.1, -0.2, 1e-3)];
        assert_eq!(from_csv("x,y,z\n0,0,0\n# note\n0.1,0,0\n0.1, -0.2, 1e-3\n"), Ok(expected.clone()));
        assert_eq!(from_obj("v 0.1 0 0\nv 0 0 0\nv 0.1 -0.2 0.001\nl 2 1\nl 1 3\n"), Ok(expected.clone()));
        assert_eq!(from_obj("v 0 0 0\nv 0.1 0 0\nv 0.1 -0.2 0.001\n"), Ok(expected));
    }

    #[test]
    fn what_is_no_line_is_refused() {
        for text in ["", "0,0,0", "0,0,0\n1,x,0", "0,0\n1,0", "0,0,0\n1,nan,0"] {
            assert!(from_csv(text).is_err(), "{text}");
        }
        for text in ["", "v 0 0 0\nv 1 0\n", "v 0 0 0\nv 1 0 0\nl 1 3\n", "v 0 0 0\nv 1 0 0\nl 0 1\n"] {
            assert!(from_obj(text).is_err(), "{text}");
        }
    }
}
