//! `zerogap view`: a scene as it runs, on a page in the browser.

mod parts;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use zerogap::core::text::printable;
use zerogap::scene::{Scene, built_in, descriptions};
use zerogap::world::WorldBuilder;
use zerogap_viewer::live::SceneChoice;
use zerogap_viewer::server::open_in_browser;
use zerogap_viewer::{Access, Show, ViewError, Viewer};

use super::run::override_method;
use super::scene::{failure, load};
use crate::arguments::View;
use crate::diagnostic::{Failure, NoteKind, print_note};
use crate::exit::Exit;
use crate::output::{emit, emit_json};
use crate::signals;

/// How often the command looks whether it is to end.
const PAUSE: Duration = Duration::from_millis(100);

/// Marks built-in scenes that have no bodies to hold.
const LANDING: &str = "\n[landing]";

#[derive(Serialize)]
struct Started<'a> {
    url: &'a str,
    /// The address without the token.
    address: String,
}

pub(crate) fn run(arguments: &View) -> Result<Exit, Failure> {
    // Before anything starts a thread.
    let request = signals::listen();
    let first = first_scene(arguments)?;
    let show = Show {
        first,
        speed: arguments.speed,
        is_paused: arguments.paused,
        out: arguments.out.clone(),
        scenes: choices(),
        open: Box::new(open),
    };
    let access =
        Access { listen: arguments.listen, port: arguments.port, hosts: arguments.allow_host.clone() };
    if !access.listen.is_loopback() {
        let message = format!(
            "the page is served at {} to other machines, and the connection is not encrypted: whoever reads along has the token; a tunnel (ssh -L) is safe",
            access.listen
        );
        print_note(NoteKind::Warning, &message, None);
    }
    let viewer = Viewer::start(show, access).map_err(|error| refused(&error, arguments))?;
    request.begin_run();

    let url = viewer.url();
    if arguments.json {
        emit_json(&Started { url: &url, address: viewer.address().to_string() })?;
    } else {
        emit(&format!("{url}\nCtrl-C ends it.\n"))?;
    }
    if !arguments.no_open && !open_in_browser(&url) {
        print_note(NoteKind::Warning, "no browser was found to open: open the address yourself", None);
    }
    let mut shown = 0;
    while !request.is_made() && viewer.is_running() {
        std::thread::sleep(PAUSE);
        let refusals = viewer.refusals();
        for refusal in refusals.iter().skip(shown) {
            print_note(NoteKind::Warning, &format!("refused: {}", printable(refusal)), None);
        }
        shown = refusals.len();
    }
    // To be ended by a signal is how it ends.
    Ok(Exit::Good)
}

fn refused(error: &ViewError, arguments: &View) -> Failure {
    let failure = Failure::input(error.to_string());
    match error {
        ViewError::Listen { .. } => Failure::command(error.to_string())
            .with_help(Some("give another --port, or none for a free one".to_owned())),
        _ => match arguments.scene.first() {
            Some(file) => failure.in_file(file),
            None => failure,
        },
    }
}

/// What the arguments name; none where the page asks.
fn first_scene(arguments: &View) -> Result<Option<(String, WorldBuilder)>, Failure> {
    for word in &arguments.scene {
        parts::check(word)?;
    }
    let mut scene = match arguments.scene.as_slice() {
        [] => return Ok(None),
        words if words.iter().all(|word| parts::is_part(word)) => of_parts(words, arguments.unit)?,
        [word] => load(word, &arguments.robot)?,
        [..] => {
            return Err(Failure::command("give one scene, or several mesh files and parts".to_owned()));
        }
    };
    override_method(&mut scene, &arguments.settings.0)?;
    for warning in &scene.warnings {
        print_note(NoteKind::Warning, warning, None);
    }
    let name = scene.name.clone();
    let builder = builder(scene).map_err(|error| error.in_file(&arguments.scene[0]))?;
    Ok(Some((name, builder)))
}

fn of_parts(words: &[PathBuf], unit: Option<f64>) -> Result<Scene, Failure> {
    let text = parts::scene(words, unit)?;
    Scene::parse(&text, "parts", Path::new("")).map_err(|error| failure(&error))
}

/// The world of a scene; its errors name the place in the file.
fn builder(scene: Scene) -> Result<WorldBuilder, Failure> {
    if scene.landing.is_some() {
        let help = "zerogap run simulates it and writes a replay".to_owned();
        return Err(Failure::input("a landing has no bodies that can be held").with_help(Some(help)));
    }
    let builder = scene.builder.clone();
    // Built once, so that what is wrong is said in the words of the file.
    scene.build().map_err(|error| failure(&error))?;
    Ok(builder)
}

/// The built-in scenes that can be shown.
fn choices() -> Vec<SceneChoice> {
    viewable().map(|(name, description)| SceneChoice { name: name.to_owned(), description }).collect()
}

fn viewable() -> impl Iterator<Item = (&'static str, String)> {
    let is_landing =
        |name: &str| built_in().iter().any(|(other, text)| *other == name && text.contains(LANDING));
    descriptions().into_iter().filter(move |(name, _)| !is_landing(name))
}

/// Opens a scene by its number among the choices.
fn open(number: usize) -> Result<(String, WorldBuilder), String> {
    let (name, _) = viewable().nth(number).ok_or_else(|| format!("there is no scene {number}"))?;
    let (_, text) = built_in()
        .iter()
        .find(|(other, _)| *other == name)
        .ok_or_else(|| format!("there is no scene '{name}'"))?;
    let scene = Scene::parse(text, name, Path::new("")).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), scene.builder))
}
