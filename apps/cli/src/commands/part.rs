//! `zerogap part`: generated parts and their parameters.

use std::path::Path;

use serde::Serialize;
use zerogap::Inspection;
use zerogap::geometry::export::write_mesh;
use zerogap::geometry::parts::{self, Parameter, PartInfo};
use zerogap::inspect::inspect;
use zerogap::target::Target;

use super::inspect::long;
use crate::arguments::Part;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, table};

/// Density for the mass shown with a part: steel [kg/m³].
const STEEL: f64 = 7850.0;

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

pub(crate) fn run(arguments: &Part) -> Result<Exit, Failure> {
    match &arguments.name {
        None => list(arguments.json),
        Some(name) => make(name, arguments),
    }
}

fn list(json: bool) -> Result<Exit, Failure> {
    let infos: Vec<PartInfo> =
        parts::names().into_iter().filter_map(|name| parts::describe(name).ok()).collect();
    if json {
        let rows: Vec<PartRow> = infos.into_iter().map(|i| row(i.name, i.summary, &i.parameters)).collect();
        emit_json(&rows)?;
    } else {
        let rows: Vec<Vec<String>> =
            infos.iter().map(|i| vec![i.name.to_owned(), i.summary.clone()]).collect();
        emit(&table(&["part", "what it is"], &rows))?;
        emit("'zerogap part NAME' shows the parameters of one.\n")?;
    }
    Ok(Exit::Good)
}

fn make(name: &str, arguments: &Part) -> Result<Exit, Failure> {
    let info = parts::describe(name).map_err(|e| Failure::input(e.to_string()))?;
    let mut part = parts::make(name, &[]).map_err(|e| Failure::input(e.to_string()))?;
    for setting in &arguments.settings {
        let (key, value) = setting.split_once('=').ok_or_else(|| {
            Failure::input(format!("--set {setting}: write NAME=VALUE, such as --set {}", example(&info)))
        })?;
        part.set(key.trim(), value).map_err(|e| Failure::input(e.to_string()))?;
    }
    let mesh = part.generate().map_err(|e| Failure::input(e.to_string()))?;
    if let Some(path) = &arguments.out {
        write(&mesh, path)?;
    }
    let inspection = inspect(name, &Target::Mesh { mesh, format: None }, STEEL);
    let file = arguments.out.as_ref().map(|path| path.display().to_string());
    let parameters = part.parameters();
    if arguments.json {
        return emit_json(&Made { part: row(info.name, info.summary, &parameters), inspection, file })
            .map(|()| Exit::Good);
    }
    let rows: Vec<Vec<String>> = parameters
        .iter()
        .map(|p| {
            vec![p.name.to_owned(), format!("{} {}", p.default, p.unit).trim().to_owned(), p.doc.clone()]
        })
        .collect();
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

/// Writes a mesh in the format of its file's extension.
pub(crate) fn write(mesh: &zerogap::TriangleMesh, path: &Path) -> Result<(), Failure> {
    write_mesh(mesh, path).map_err(|error| Failure::write(error.to_string()))
}

fn example(info: &PartInfo) -> String {
    info.parameters.first().map_or_else(String::new, |p| format!("{}={}", p.name, p.default))
}

fn row(name: &'static str, summary: String, parameters: &[Parameter]) -> PartRow {
    let parameters = parameters
        .iter()
        .map(|p| ParameterRow { name: p.name, value: p.default.clone(), unit: p.unit, doc: p.doc.clone() })
        .collect();
    PartRow { name, summary, parameters }
}
