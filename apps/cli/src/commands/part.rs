//! `zerogap part`: generated parts and their parameters.

use serde::Serialize;
use zerogap::Inspection;
use zerogap::geometry::parts::{self, Parameter, ParameterKind, PartInfo};
use zerogap::inspect::inspect;
use zerogap::target::Target;

use super::inspect::long;
use crate::arguments::PartArguments;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{check_extension, emit, emit_json, number, table, write};

#[derive(Serialize)]
struct List {
    parts: Vec<PartRow>,
}

#[derive(Serialize)]
struct PartRow {
    name: &'static str,
    summary: String,
    parameters: Vec<ParameterRow>,
}

#[derive(Serialize)]
struct ParameterRow {
    name: &'static str,
    value: String,
    unit: &'static str,
    doc: String,
}

#[derive(Serialize)]
struct Made {
    part: PartRow,
    inspection: Inspection,
    file: Option<String>,
}

pub(crate) fn run(arguments: &PartArguments) -> Result<Exit, Failure> {
    match &arguments.name {
        None => list(arguments.json),
        Some(name) => make(name, arguments),
    }
}

fn list(json: bool) -> Result<Exit, Failure> {
    let infos: Vec<PartInfo> =
        parts::names().into_iter().filter_map(|name| parts::describe(name).ok()).collect();
    if json {
        emit_json(&List {
            parts: infos.into_iter().map(|i| row(i.name, i.summary, &i.parameters)).collect(),
        })?;
    } else {
        let rows: Vec<Vec<String>> =
            infos.iter().map(|i| vec![i.name.to_owned(), i.summary.clone()]).collect();
        emit(&table(&["part", "what it is"], &rows))?;
        emit("'zerogap part NAME' shows the parameters of one.\n")?;
    }
    Ok(Exit::Good)
}

fn make(name: &str, arguments: &PartArguments) -> Result<Exit, Failure> {
    let refuse = |error: &dyn std::fmt::Display| Failure::command(error.to_string());
    let info = parts::describe(name).map_err(|e| refuse(&e))?;
    let mut part = parts::make(name, &[]).map_err(|e| refuse(&e))?;
    for (key, value) in &arguments.settings {
        part.set(key, value).map_err(|e| refuse(&e))?;
    }
    if let Some(path) = &arguments.out {
        check_extension(path)?;
    }
    let mesh = part.generate().map_err(|e| refuse(&e))?;
    if let Some(path) = &arguments.out {
        write(&mesh, path)?;
    }
    let inspection = inspect(name, &Target::generated(mesh), arguments.material.density);
    let file = arguments.out.as_ref().map(|path| path.display().to_string());
    let parameters = part.parameters();
    if arguments.json {
        return emit_json(&Made { part: row(info.name, info.summary, &parameters), inspection, file })
            .map(|()| Exit::Good);
    }
    let rows: Vec<Vec<String>> =
        parameters.iter().map(|p| vec![p.name.to_owned(), shown(p), p.doc.clone()]).collect();
    emit(&format!(
        "{}\n\n{}\n{}",
        info.summary,
        table(&["parameter", "value", "what it is"], &rows),
        long(&inspection)
    ))?;
    if let Some(file) = file {
        emit(&format!("\nwrote {file}\n"))?;
    }
    Ok(Exit::Good)
}

/// A default as people read it: four digits, and degrees beside radians.
fn shown(parameter: &Parameter) -> String {
    match (parameter.kind, parameter.default.parse::<f64>()) {
        (ParameterKind::Angle, Ok(angle)) => {
            format!("{} rad = {} deg", number(angle), number(angle.to_degrees()))
        }
        (ParameterKind::Length | ParameterKind::Ratio, Ok(value)) => {
            format!("{} {}", number(value), parameter.unit)
        }
        _ => parameter.default.clone(),
    }
    .trim()
    .to_owned()
}

fn row(name: &'static str, summary: String, parameters: &[Parameter]) -> PartRow {
    let parameters = parameters
        .iter()
        .map(|p| ParameterRow { name: p.name, value: p.default.clone(), unit: p.unit, doc: p.doc.clone() })
        .collect();
    PartRow { name, summary, parameters }
}
