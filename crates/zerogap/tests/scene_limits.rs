//! Scenes and robots that are nested or counted without end are read, or refused with the limit, and never overflow the stack.

use std::fmt::Write as _;
use std::path::Path;

use tempfile::TempDir;
use zerogap::scene::{Base, Scene};
use zerogap::world::{EventLocation, Stepping, WorldBuilder, WorldError, WorldParams, ZeroFunctions};

/// Reads a file of a name with a text, on a thread with little stack as other programs may have.
fn read(name: &'static str, text: String, base: Option<Base>) -> Result<usize, String> {
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let reading = small.spawn(move || {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let scene = Scene::read_robot(&path, base).map_err(|error| error.to_string())?;
        scene.build().map(|world| world.names().len()).map_err(|error| error.to_string())
    });
    reading.unwrap().join().unwrap()
}

/// A chain of bodies, each in the one before.
fn nested_bodies(count: usize) -> String {
    let mut text = String::from("<mujoco><worldbody>\n");
    for k in 0..count {
        let joint = "<joint type=\"hinge\" axis=\"0 1 0\"/>";
        writeln!(text, "<body name=\"b{k}\" pos=\"0.1 0 0\">{joint}<geom type=\"sphere\" size=\"0.01\"/>")
            .unwrap();
    }
    text + &"</body>".repeat(count) + "</worldbody></mujoco>"
}

fn nested_defaults(count: usize) -> String {
    let mut text = String::from("<mujoco>");
    for k in 0..count {
        write!(text, "<default class=\"c{k}\">").unwrap();
    }
    text.push_str(&"</default>".repeat(count));
    text + "<worldbody><body><freejoint/><geom type=\"sphere\" size=\"0.1\" density=\"1000\"/></body></worldbody></mujoco>"
}

#[test]
fn five_thousand_nested_bodies_are_read() {
    assert_eq!(read("deep.xml", nested_bodies(5000), None), Ok(5000));
}

#[test]
fn bodies_nested_beyond_the_limit_are_refused_with_it() {
    let error = read("deeper.xml", nested_bodies(30_000), None).unwrap_err();
    assert!(error.contains("bodies are nested more than 10000 deep"), "{error}");
}

#[test]
fn default_classes_nested_beyond_the_limit_are_refused_with_it() {
    assert_eq!(read("classes.xml", nested_defaults(100), None), Ok(1));
    for count in [101, 20_000] {
        let error = read("classes.xml", nested_defaults(count), None).unwrap_err();
        assert!(error.contains("default classes are nested more than 100 deep"), "{error}");
    }
}

#[test]
fn a_urdf_chain_of_thousands_of_links_is_read() {
    let count = 5000;
    let mut text = String::from("<robot name=\"chain\">\n");
    for k in 0..count {
        let inertial = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
        writeln!(text, "<link name=\"l{k}\">{inertial}</link>").unwrap();
    }
    for k in 1..count {
        let ends = format!("<parent link=\"l{}\"/><child link=\"l{k}\"/>", k - 1);
        writeln!(text, "<joint name=\"j{k}\" type=\"continuous\">{ends}<axis xyz=\"0 1 0\"/></joint>")
            .unwrap();
    }
    text.push_str("</robot>");
    assert_eq!(read("chain.urdf", text, Some(Base::Fixed)), Ok(count));
}

#[test]
fn a_scene_of_values_in_values_without_end_is_refused() {
    for (open, close) in [("[", "]"), ("{ a = ", " }")] {
        let text = format!("name = {}1{}\n", open.repeat(50_000), close.repeat(50_000));
        assert!(read("deep.toml", text, None).is_err());
    }
}

#[test]
fn counts_that_no_machine_has_memory_for_are_refused_with_the_limit() {
    let scene = |line: &str| Scene::parse(&format!("[world]\n{line}\n"), "many", Path::new(""));
    let error = scene("zero_functions = 1000000000000").unwrap_err().to_string();
    assert_eq!(error, "'zero_functions' is 1000000000000: it must be from 1 to 1000000");
    assert!(scene("zero_functions = 1000").is_ok());

    let build = |params| WorldBuilder::new(params).build().map(|world| world.pairs());
    let functions = WorldParams::new(EventLocation {
        functions: ZeroFunctions::Smallest(usize::MAX),
        ..EventLocation::default()
    });
    assert!(matches!(build(functions), Err(WorldError::TooMany { given: usize::MAX, .. })));
    let stepping = Stepping { midpoint_iterations: usize::MAX, ..Stepping::default() };
    assert!(matches!(build(WorldParams::new(stepping)), Err(WorldError::TooMany { .. })));

    // Every two materials have properties.
    let mut text = String::new();
    for k in 0..5000 {
        writeln!(text, "[materials.m{k}]\nyoung_modulus = 1e9\ndensity = 1000").unwrap();
    }
    let error = Scene::parse(&text, "many", Path::new("")).unwrap().build().map(|world| world.pairs());
    assert!(error.unwrap_err().to_string().contains("materials: it takes 4096 at most"));
}
