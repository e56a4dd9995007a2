//! The path of a part from a table: a row is a time and a pose in the world.
//!
//! In: a file with `t,x,y,z,qx,qy,qz,qw` on each line, in seconds and metres. Out: a path that begins at time 0 with the first row. A first line of words and lines that begin with `#` are skipped.

use std::path::Path;

use zerogap::core::files;
use zerogap::motion::Path as Motions;
use zerogap::{Pose, Vec3};

use crate::diagnostic::Failure;

/// Reads a path; errors name the line.
pub(super) fn read(file: &Path) -> Result<Motions, Failure> {
    let failed = |message: String| Failure::input(format!("{}: {message}", file.display())).in_file(file);
    let text = files::read_text(file, files::MAX_TABLE).map_err(|error| failed(error.to_string()))?;
    let rows = rows(&text).map_err(failed)?;
    let Some((&(start, first), rest)) = rows.split_first() else {
        return Err(failed("there is no row with a time and a pose in it".to_owned()));
    };
    let later: Vec<(f64, Pose)> = rest.iter().map(|(t, pose)| (t - start, *pose)).collect();
    if later.is_empty() {
        return Err(failed("a path has two rows or more".to_owned()));
    }
    Motions::through(first, &later).map_err(|error| failed(error.to_string()))
}

fn rows(text: &str) -> Result<Vec<(f64, Pose)>, String> {
    let mut rows: Vec<(f64, Pose)> = Vec::new();
    let mut may_be_header = true;
    for (k, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split([',', ';', ' ', '\t']).filter(|field| !field.is_empty()).collect();
        let numbers: Result<Vec<f64>, _> = fields.iter().map(|field| field.parse::<f64>()).collect();
        let is_word = fields.first().is_some_and(|field| field.parse::<f64>().is_err());
        let is_header = std::mem::take(&mut may_be_header) && is_word;
        if is_header {
            continue;
        }
        let place = k + 1;
        let Ok(numbers) = numbers else { return Err(format!("line {place}: this is no row of numbers")) };
        let [t, x, y, z, rotation @ ..] = numbers.as_slice() else {
            return Err(format!(
                "line {place}: a row is t,x,y,z,qx,qy,qz,qw, and this has {} numbers",
                numbers.len()
            ));
        };
        let Ok(rotation) = <[f64; 4]>::try_from(rotation) else {
            return Err(format!(
                "line {place}: a row is t,x,y,z,qx,qy,qz,qw, and this has {} numbers",
                numbers.len()
            ));
        };
        let pose =
            Pose::new(Vec3::new(*x, *y, *z), rotation).map_err(|error| format!("line {place}: {error}"))?;
        if !t.is_finite() || rows.last().is_some_and(|(before, _)| before >= t) {
            return Err(format!("line {place}: the time {t} is not after that of the row before"));
        }
        rows.push((*t, pose));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn rows_have_a_time_and_a_pose() {
        let read =
            rows("t,x,y,z,qx,qy,qz,qw\n# a note\n1,0,0,0,0,0,0,1\n\n2.5; 0;0;1e-3; 0;0;0;2\n").unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!((read[1].0, read[1].1.translation().z), (2.5, 1e-3));
        for (bad, words) in [
            ("1,0,0,0,0,0,1\n", "line 1: a row is"),
            ("1,0,0,0,0,0,0,1\nx,0,0,0,0,0,0,1\n", "line 2: this is no row"),
            ("1,0,0,0,0,0,0,1\n1,0,0,0,0,0,0,1\n", "line 2: the time 1"),
            ("1,0,0,0,0,0,0,0\n", "line 1:"),
            ("1,nan,0,0,0,0,0,1\n", "line 1:"),
        ] {
            let error = rows(bad).unwrap_err();
            assert!(error.starts_with(words), "{error}");
        }
        assert!(rows("").unwrap().is_empty());
    }
}
