//! Commands of a scene: `[[commands]]`, set points over time for motors of joints and for actuators.

use std::path::Path;

use zerogap_core::files;
use zerogap_core::text::nearest;
use zerogap_dynamics::multibody::{BodyId, Motor};
use zerogap_simulation::settings::Source;
use zerogap_simulation::world::{Command, Commanded, Course};

use super::error::SceneError;
use super::file::Reading;
use super::reader::Table;
use super::values::Text;

/// Courses of a command: one for all that follow, or one for each.
type Courses = Vec<Course>;

/// Reads the courses of a table.
fn courses(table: &Table<'_>, folder: &Path) -> Result<Courses, SceneError> {
    let kinds = ["csv", "points", "sine", "ramp"];
    let given: Vec<&str> = kinds.into_iter().filter(|key| table.has(key)).collect();
    let is_linear = table.word("interpolation")? != Some("hold");
    match given[..] {
        ["csv"] => {
            let file = table.text("csv")?.ok_or_else(|| table.missing("csv"))?;
            let path = folder.join(file.text);
            let wrong = |message: String| SceneError::at(file.span.clone(), message);
            let text = files::read_text(&path, files::MAX_TABLE).map_err(|error| {
                wrong(format!("{} cannot be read: {error}", path.display()))
                    .with_help("file names are relative to the folder of the scene file")
            })?;
            columns(&text, is_linear).map_err(|error| wrong(format!("{}: {error}", path.display())))
        }
        ["points"] => {
            let (mut times, mut values) = (Vec::new(), Vec::new());
            for point in table.tables("points")? {
                times.push(point.needed("t")?);
                values.push(point.needed("value")?);
            }
            Ok(vec![Course::Points { times, values, is_linear }])
        }
        ["sine"] => {
            let sine = table.table("sine")?.ok_or_else(|| table.missing("sine"))?;
            Ok(vec![Course::Sine {
                mean: sine.quantity("mean")?.unwrap_or(0.0),
                amplitude: sine.needed("amplitude")?,
                period: sine.needed("period")?,
                phase: sine.quantity("phase")?.unwrap_or(0.0),
            }])
        }
        [_] => {
            let ramp = table.table("ramp")?.ok_or_else(|| table.missing("ramp"))?;
            let (from, to) = (ramp.quantity("from")?.unwrap_or(0.0), ramp.needed("to")?);
            let (start, end) = (ramp.quantity("start")?.unwrap_or(0.0), ramp.needed("end")?);
            Ok(vec![Course::Ramp { from, to, start, end }])
        }
        [] => Err(SceneError::at(table.span.clone(), "a command has no set points")
            .with_help("write one of csv, points, sine and ramp")),
        [_, second, ..] => {
            let message = format!("a command has one course, and this one has {}", given.join(" and "));
            Err(table.wrong(second, message).with_help("leave all but one of them out"))
        }
    }
}

/// Courses from the columns of a text: times, then values. A first line that does not begin with a number is a header.
fn columns(text: &str, is_linear: bool) -> Result<Courses, String> {
    let mut times = Vec::new();
    let mut all: Vec<Vec<f64>> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split([',', ';', ' ', '\t']).filter(|field| !field.is_empty()).collect();
        let numbers: Option<Vec<f64>> = fields.iter().map(|field| field.parse().ok()).collect();
        let Some(numbers) = numbers else {
            if times.is_empty() && number == 0 {
                continue;
            }
            return Err(format!("line {}: '{line}' is no row of numbers", number + 1));
        };
        let [t, values @ ..] = &numbers[..] else { continue };
        if times.is_empty() {
            all.resize(values.len(), Vec::new());
        }
        if values.len() != all.len() || values.is_empty() {
            let expected = if times.is_empty() { "at least 1".to_owned() } else { all.len().to_string() };
            return Err(format!("line {}: {} values, not {expected}", number + 1, values.len()));
        }
        times.push(*t);
        all.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
    }
    if times.is_empty() {
        return Err("there are no set points in it".to_owned());
    }
    Ok(all.into_iter().map(|values| Course::Points { times: times.clone(), values, is_linear }).collect())
}

impl Reading {
    /// Reads a `[[commands]]`.
    pub(super) fn command(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let folder = self.folder.clone();
        let (joints, actuators) = (table.texts("joints")?, table.texts("actuators")?);
        let names = match (&joints, &actuators) {
            (Some(names), None) | (None, Some(names)) if !names.is_empty() => names,
            (Some(_), Some(_)) => {
                let message = "a command is for joints or for actuators, and this one names both";
                return Err(table.wrong("actuators", message).with_help("write two [[commands]]"));
            }
            _ => {
                let error = SceneError::at(table.span.clone(), "a command commands nothing");
                return Err(error.with_help("write joints = [\"NAME\"] or actuators = [\"NAME\"]"));
            }
        };
        let courses = courses(table, &folder)?;
        if courses.len() != 1 && courses.len() != names.len() {
            let message =
                format!("{} courses are for {} of them or for one each", courses.len(), names.len());
            return Err(table
                .wrong("csv", message)
                .with_help("a file has one column of values for all, or one for each"));
        }
        for (k, name) in names.iter().enumerate() {
            let course = courses.get(k).unwrap_or(&courses[0]).clone();
            let commanded = if joints.is_some() {
                self.commanded_joint(table, name)?
            } else {
                Commanded::Actuator(self.known_actuator(name)?)
            };
            let done = self.builder.command(Command { commanded, course });
            done.map_err(|error| SceneError::at(table.span.clone(), error.to_string()))?;
        }
        table.finish("a command")
    }

    /// The motor of a joint that follows.
    fn commanded_joint(&self, table: &Table<'_>, name: &Text<'_>) -> Result<Commanded, SceneError> {
        let body = self.known_joint(name)?;
        let wrong = |error: zerogap_simulation::world::WorldError| {
            SceneError::at(name.span.clone(), error.to_string())
        };
        let rotates = self.builder.is_rotation(body, 0).map_err(wrong)?;
        let number = |key: &'static str| table.coordinate(key, rotates);
        let needed = |key: &'static str, drive: &str| {
            number(key)?.ok_or_else(|| table.needs(key, &format!("a command of {drive}")))
        };
        // What the file says of the motor holds unless something else is said here.
        let label = self.builder.labels().joints.iter().find(|label| label.body == body);
        let [effort, fastest] = label.map_or([f64::INFINITY; 2], |label| label.ratings);
        let limit = number("limit")?.unwrap_or(effort);
        let motor = match table.word("drive")?.unwrap_or("position") {
            "effort" => Motor::Effort(0.0),
            "speed" => Motor::Velocity { target: 0.0, gain: needed("gain", "speed")?, limit },
            _ => Motor::Position {
                target: 0.0,
                stiffness: needed("stiffness", "position")?,
                damping: number("damping")?.unwrap_or(0.0),
                limit,
            },
        };
        Ok(Commanded::Motor { body, index: 0, motor, limit, fastest })
    }

    /// The body on a joint, by the name of either.
    fn known_joint(&self, name: &Text<'_>) -> Result<BodyId, SceneError> {
        let labels = &self.builder.labels().joints;
        if let Some(label) = labels.iter().find(|label| label.name == name.text) {
            return Ok(label.body);
        }
        if let Some(body) = self.bodies.get(name.text) {
            return Ok(*body);
        }
        let known: Vec<&str> = labels
            .iter()
            .map(|label| label.name.as_str())
            .chain(self.bodies.keys().map(String::as_str))
            .collect();
        let error = SceneError::at(name.span.clone(), format!("there is no joint '{}'", name.text));
        Err(match nearest(name.text, &known) {
            Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
            None => error.with_help(format!("there are {}", known.join(", "))),
        })
    }

    /// The number of an actuator by its name.
    fn known_actuator(&self, name: &Text<'_>) -> Result<usize, SceneError> {
        let actuators = &self.builder.labels().actuators;
        if let Some((number, _)) = actuators.iter().find(|(_, known)| known == name.text) {
            return Ok(*number);
        }
        let known: Vec<&str> = actuators.iter().map(|(_, name)| name.as_str()).collect();
        let error = SceneError::at(name.span.clone(), format!("there is no actuator '{}'", name.text));
        Err(match nearest(name.text, &known) {
            Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
            None if known.is_empty() => error
                .with_help("only robots from MJCF files have actuators; 'joints' is for motors of joints"),
            None => error.with_help(format!("there are {}", known.join(", "))),
        })
    }
}
