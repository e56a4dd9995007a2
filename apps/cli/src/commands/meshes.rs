//! `zerogap distance` and `zerogap contacts` with `--as mesh`: meshes as they are.

use serde::Serialize;
use zerogap::Pose;
use zerogap::contacts::ContactPoint;
use zerogap::distance::Read;
use zerogap::meshes::{
    MeshMeasured, MeshNamed, MeshTarget, MeshTouched, SPLITS, crossings, measure, measured_surfaces,
    search_surfaces, touch,
};
use zerogap::proximity::bvh::{BuildParams, SplitRule};
use zerogap::proximity::mesh::{
    MeshContactParams, MeshDistanceParams, MeshError, MeshVolume, MeshWork, Order, SearchBudget,
};

use super::pair::{gap_rows, normal_words, pose, status_words};
use crate::arguments::{Anytime, Budget, Contacts, Distance, Pair, Reading};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, length, number_beside, sheet, table, vector};
use crate::progress::Progress;
use crate::target::{options, resolve_as_mesh};

/// Two bodies, meshes as they are, and their poses.
struct PlacedMeshes {
    a: MeshTarget,
    pose_a: Pose,
    b: MeshTarget,
    pose_b: Pose,
}

impl PlacedMeshes {
    /// Reads both; errors of the command line are reported before any file is read.
    fn read(pair: &Pair, reading: &Reading) -> Result<Self, Failure> {
        let pose_a = pose("--pose-a", pair.pose_a.as_deref())?;
        let pose_b = pose("--pose-b", pair.pose_b.as_deref())?;
        let mut progress = Progress::new(2, "{bar:30} {pos}/{len} {msg}");
        let read = options(reading);
        let a = progress.while_waiting(0, pair.a.clone(), || resolve_as_mesh(&pair.a, &read))?;
        let b = progress.while_waiting(1, pair.b.clone(), || resolve_as_mesh(&pair.b, &read))?;
        Ok(Self { a, pose_a, b, pose_b })
    }

    fn refusal(&self, error: &MeshError) -> Failure {
        Failure::input(format!("{} and {}: {error}", self.a.read.name, self.b.read.name))
    }
}

pub(super) fn distance(arguments: &Distance) -> Result<Exit, Failure> {
    let pair = PlacedMeshes::read(&arguments.pair, &arguments.reading)?;
    let (default, asked) = (MeshDistanceParams::default(), &arguments.anytime);
    let params = MeshDistanceParams {
        absolute: asked.absolute.unwrap_or(default.absolute),
        relative: asked.relative.unwrap_or(default.relative),
        nearer_than: asked.nearer_than.unwrap_or(default.nearer_than),
        farther_than: arguments.cutoff.unwrap_or(default.farther_than),
        budget: match asked.budget {
            Some(Budget::Pairs(pairs)) => pairs,
            _ => default.budget,
        },
        order: if asked.best_first { Order::BestFirst } else { default.order },
        ..default
    };
    let (a, b) = (&pair.a.solid, &pair.b.solid);
    let answer = if asked.is_of_surfaces() {
        surfaces(&pair, asked, params)?
    } else {
        let measured = measure(a, &pair.pose_a, b, &pair.pose_b, &params, &mut MeshWork::default());
        measured.map_err(|error| pair.refusal(&error))?.0
    };
    let named = MeshNamed { answer, a: pair.a.read.clone(), b: pair.b.read.clone() };
    if arguments.json {
        emit_json(&named)?;
    } else {
        emit(&shown(&named, arguments.cutoff))?;
    }
    Ok(Exit::Good)
}

/// The distance of the surfaces, with a budget of time or hierarchies of another kind.
fn surfaces(
    pair: &PlacedMeshes,
    asked: &Anytime,
    params: MeshDistanceParams,
) -> Result<MeshMeasured, Failure> {
    let volume = asked.volume.as_deref().and_then(MeshVolume::by_word).unwrap_or_default();
    let named = SPLITS.iter().find(|(name, _)| asked.split.as_deref() == Some(name));
    let rule = named.map_or_else(SplitRule::default, |(_, rule)| *rule);
    let build = BuildParams { rule, ..BuildParams::default() };
    let (solids, poses) = ([&pair.a.solid, &pair.b.solid], [pair.pose_a, pair.pose_b]);
    let mut search = search_surfaces(solids, poses, (volume, &build), params).map_err(|error| {
        Failure::command(format!("{} and {}: {error}", pair.a.read.name, pair.b.read.name))
    })?;
    let budget = match asked.budget {
        Some(Budget::Time(time)) => SearchBudget { time, ..SearchBudget::default() },
        Some(Budget::Pairs(pairs)) => SearchBudget { pairs, ..SearchBudget::default() },
        None => SearchBudget::default(),
    };
    Ok(measured_surfaces(&search.advance(&budget)))
}

fn shown(named: &MeshNamed<MeshMeasured>, cutoff: Option<f64>) -> String {
    let MeshNamed { answer: m, a, b } = named;
    let scale = m.point_a.iter().chain(&m.point_b).fold(m.gap.abs(), |largest, x| largest.max(x.abs()));
    let body = |read: &zerogap::distance::Read| format!("{}, a {}", read.name, read.kind);
    let mut rows = vec![("A", body(a)), ("B", body(b))];
    rows.extend(gap_rows(m.gap, m.lower, m.upper));
    rows.push(("normal", format!("{}, {}", vector(&m.normal, 1.0), normal_words(m.normal_kind))));
    rows.push(("point of A", format!("{} m", vector(&m.point_a, scale))));
    rows.push(("point of B", format!("{} m", vector(&m.point_b, scale))));
    rows.push(("status", status_words(m.status).to_owned()));
    rows.push(("searched", format!("{} pairs of nodes, {} of triangles", m.pops, m.measured)));
    if let Some(reason) = &m.depth_unknown {
        rows.push(("depth", format!("unknown: {reason}")));
    }
    let sheet = sheet(&sentence(m, cutoff), &rows);
    if m.overlaps.is_empty() { sheet } else { format!("{sheet}\n{}", listed(&m.overlaps)) }
}

/// The answer in a sentence that claims no more than the bounds do.
fn sentence(m: &MeshMeasured, cutoff: Option<f64>) -> String {
    let deep = m.overlaps.iter().filter(|overlap| overlap.gap < 0.0).count();
    match (m.status, cutoff, deep) {
        ("farther", Some(cutoff), _) => format!("farther apart than {}", length(cutoff)),
        ("depth_unknown", _, _) if m.gap < 0.0 => {
            format!("the surfaces cross; between {} and {} deep", length(-m.upper), length(-m.lower))
        }
        (_, _, 1) => format!("overlap in 1 region, {}", depth(m)),
        (_, _, 2..) => format!("overlap in {deep} regions, the deepest {}", depth(m)),
        ("limited" | "converged", _, _) => format!("apart by {} to {}", length(m.lower), length(m.upper)),
        _ if m.depth_unknown.is_some() => "the surfaces cross; how deep is not known".to_owned(),
        _ if m.gap < 0.0 => format!("overlap, {}", depth(m)),
        _ if m.lower > 0.0 => format!("apart by {}", length(m.gap)),
        _ => "the surfaces touch".to_owned(),
    }
}

/// The depth of an overlap: no more than is proven where the depth is that of the deepest part.
fn depth(m: &MeshMeasured) -> String {
    match m.status {
        "local_depth" => format!("at least {} deep", length(-m.upper.min(0.0))),
        _ => format!("{} deep", length(-m.gap)),
    }
}

pub(super) fn contacts(arguments: &Contacts) -> Result<Exit, Failure> {
    let pair = PlacedMeshes::read(&arguments.pair, &arguments.reading)?;
    if arguments.crossings {
        return crossing(&pair, arguments.json);
    }
    let params = MeshContactParams::within(arguments.within);
    let touched =
        touch(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &params).map_err(|error| pair.refusal(&error))?;
    if arguments.json {
        emit_json(&touched)?;
    } else {
        emit(&touched_shown(&touched, arguments.within))?;
    }
    Ok(Exit::Good)
}

/// The pairs of triangles of two meshes that have a point in common.
#[derive(Debug, Serialize)]
struct TrianglePairs<'p> {
    crossings: &'p [[u32; 2]],
    a: &'p Read,
    b: &'p Read,
}

fn crossing(pair: &PlacedMeshes, is_json: bool) -> Result<Exit, Failure> {
    let PlacedMeshes { a, pose_a, b, pose_b } = pair;
    let found = crossings([&a.solid, &b.solid], [pose_a, pose_b]).map_err(|error| {
        Failure::command(format!("--crossings lists triangles of two meshes, and {} is none", error.body))
    })?;
    if is_json {
        emit_json(&TrianglePairs { crossings: &found, a: &a.read, b: &b.read })?;
        return Ok(Exit::Good);
    }
    let title = match found.len() {
        0 => "no triangles cross".to_owned(),
        1 => "1 pair of triangles crosses".to_owned(),
        count => format!("{count} pairs of triangles cross"),
    };
    let sheet = sheet(&title, &[("A", a.read.to_string()), ("B", b.read.to_string())]);
    let rows: Vec<Vec<String>> =
        found.iter().map(|pair| pair.map(|triangle| triangle.to_string()).to_vec()).collect();
    emit(&if rows.is_empty() {
        sheet
    } else {
        format!("{sheet}\n{}", table(&["triangle of A", "of B"], &rows))
    })?;
    Ok(Exit::Good)
}

fn touched_shown(t: &MeshTouched, within: f64) -> String {
    let rows = [("A", t.a.to_string()), ("B", t.b.to_string())];
    let smallest = t.contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    let title = match t.contacts.len() {
        0 => format!("no contacts within {}", length(within)),
        1 => format!("1 contact, {}", how(smallest)),
        count => format!("{count} contacts, the nearest {}", how(smallest)),
    };
    let sheet = sheet(&title, &rows);
    if t.contacts.is_empty() { sheet } else { format!("{sheet}\n{}", listed(&t.contacts)) }
}

/// A gap in words.
fn how(gap: f64) -> String {
    if gap < 0.0 { format!("{} deep", length(-gap)) } else { format!("{} apart", length(gap)) }
}

/// Contacts as a table.
fn listed(contacts: &[ContactPoint]) -> String {
    let coordinates = contacts.iter().flat_map(|contact| contact.point_a.iter().chain(&contact.point_b));
    let scale = coordinates.fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let row = |contact: &ContactPoint| {
        vec![
            number_beside(contact.gap, scale),
            vector(&contact.normal, 1.0),
            vector(&contact.point_a, scale),
            contact.id.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = contacts.iter().map(row).collect();
    table(&["gap [m]", "normal", "point of A [m]", "features, A on B"], &rows)
}
