//! `zerogap scene`: checks scene files, creates new ones, lists the built-in ones.

use std::path::{Path, PathBuf};

use serde::Serialize;
use zerogap::core::text::printable;
use zerogap::scene::{
    Base, RobotOptions, Scene, SceneError, built_in, descriptions, find_built_in, nearest_built_in, schema,
    showcase_files, templates,
};

use crate::arguments::{BaseChoice, RobotArguments, SceneCheck, SceneCommand, SceneList, SceneNew};
use crate::diagnostic::{Failure, Snippet};
use crate::exit::Exit;
use crate::output::{emit, emit_as_is, emit_files, emit_json, number, sheet, table, wrote};

#[derive(Serialize)]
struct Checked {
    name: String,
    description: String,
    until: f64,
    every: f64,
    bodies: usize,
    shapes: usize,
    contacts: usize,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct List {
    scenes: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    description: String,
}

/// A scene template.
#[derive(Serialize)]
struct Template<'a> {
    name: &'a str,
    scene: &'a str,
}

pub(crate) fn run(command: &SceneCommand) -> Result<Exit, Failure> {
    match command {
        SceneCommand::Check(arguments) => check(arguments),
        SceneCommand::New(arguments) => begin(arguments),
        SceneCommand::List(arguments) => list(arguments),
        SceneCommand::Schema(_) => emit_as_is(&schema()).map(|()| Exit::Good),
    }
}

/// A scene from a file, or a built-in one by its name.
pub(crate) fn load(word: &Path, robot: &RobotArguments) -> Result<Scene, Failure> {
    let options = RobotOptions {
        base: robot.base.map(|base| match base {
            BaseChoice::Fixed => Base::Fixed,
            BaseChoice::Free => Base::Free,
        }),
        packages: robot.package.clone(),
        repair: robot.repair,
        leave_out: robot.leave_out,
        keyframe: robot.keyframe.clone(),
        ignore_overlaps: robot.ignore_overlaps.is_some(),
        ..RobotOptions::default()
    };
    let name = word.to_string_lossy();
    if let Some((name, text)) = find_built_in(word) {
        return Scene::parse(text, name, Path::new("")).map_err(|error| failure(&error));
    }
    let is_name = word.extension().is_none() && !word.exists();
    Scene::read_with(word, &options).map_err(|error| {
        if is_name {
            let names: Vec<&str> = built_in().iter().map(|(name, _)| *name).collect();
            let list = format!("the built-in scenes are {}", names.join(", "));
            let help = match nearest_built_in(&name) {
                Some(meant) => format!("did you mean '{meant}'? {list}"),
                None => list,
            };
            return Failure::input(format!("'{name}' is neither a file nor a built-in scene"))
                .with_help(Some(help));
        }
        failure(&error)
    })
}

/// A scene error with its line underlined.
pub(crate) fn failure(error: &SceneError) -> Failure {
    let file = error.file.as_ref().map_or("scene".to_owned(), |file| file.display().to_string());
    let failure = match error.line() {
        Some((line, text, range)) => Failure::input("the scene cannot be used").at(Snippet {
            name: file,
            line,
            text: text.to_owned(),
            start: range.start,
            length: range.len(),
            label: error.message.clone(),
        }),
        None => Failure::input(error.message.clone()),
    };
    let failure = match &error.file {
        Some(file) => failure.in_file(file),
        None => failure,
    };
    failure.with_help(error.help.clone())
}

fn check(arguments: &SceneCheck) -> Result<Exit, Failure> {
    let scene = load(&arguments.file, &arguments.robot)?;
    let (name, description, warnings) =
        (scene.name.clone(), scene.description.clone(), scene.warnings.clone());
    let (until, every, shapes) = (scene.until, scene.every, scene.places.shape_count());
    let world = scene.simulation().map_err(|error| failure(&error))?;
    let checked = Checked {
        name,
        description,
        until,
        every,
        bodies: world.bodies(),
        shapes,
        contacts: world.contacts(),
        warnings,
    };
    if arguments.json {
        return emit_json(&checked).map(|()| Exit::Good);
    }
    let rows = [
        ("bodies", checked.bodies.to_string()),
        ("convex shapes", checked.shapes.to_string()),
        ("in contact at the start", checked.contacts.to_string()),
        ("runs until", format!("{} s", number(checked.until))),
        ("a frame every", format!("{} s", number(checked.every))),
    ];
    let title = format!("{}: good", checked.name);
    let description = if checked.description.is_empty() {
        String::new()
    } else {
        format!("{}\n", printable(&checked.description))
    };
    let warnings: Vec<String> =
        checked.warnings.iter().map(|warning| format!("warning: {}\n", printable(warning))).collect();
    let warnings = warnings.concat();
    emit(&format!("{}{description}{warnings}", sheet(&title, &rows)))?;
    Ok(Exit::Good)
}

fn begin(arguments: &SceneNew) -> Result<Exit, Failure> {
    let templates = templates().into_iter().map(|(name, text)| (name, text.to_owned()));
    let template = templates.chain(showcase_files()).find(|(name, _)| *name == arguments.name);
    let (_, text) =
        template.ok_or_else(|| Failure::command(format!("there is no template '{}'", arguments.name)))?;
    let text = text.as_str();
    match &arguments.out {
        None if arguments.json => emit_json(&Template { name: &arguments.name, scene: text })?,
        None => emit_as_is(text)?,
        Some(path) => {
            write_new(path, text)?;
            if arguments.json {
                emit_files(std::slice::from_ref(path), true)?;
            } else {
                emit(&format!("{}'zerogap scene check {}' checks it.\n", wrote(path), path.display()))?;
            }
        }
    }
    Ok(Exit::Good)
}

/// Writes a new file: an existing scene is never overwritten.
fn write_new(path: &PathBuf, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
    written.map_err(|error| {
        let help = (error.kind() == std::io::ErrorKind::AlreadyExists)
            .then(|| "write to another file, or remove this one".to_owned());
        Failure::write(format!("{}: {error}", path.display())).in_file(path).with_help(help)
    })
}

fn list(arguments: &SceneList) -> Result<Exit, Failure> {
    let rows: Vec<Row> =
        descriptions().into_iter().map(|(name, description)| Row { name, description }).collect();
    if arguments.json {
        emit_json(&List { scenes: rows })?;
    } else {
        let rows: Vec<Vec<String>> =
            rows.into_iter().map(|row| vec![row.name.to_owned(), row.description]).collect();
        emit(&table(&["scene", "what it shows"], &rows))?;
    }
    Ok(Exit::Good)
}
