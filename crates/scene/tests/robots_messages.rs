//! The troubles that people have most often with their robots, and what they are told: `robots_messages.txt` has all of it, as it is printed.
//!
//! Where a message is changed on purpose: `ZEROGAP_BLESS=1 cargo test -p zerogap-scene --test robots_messages`, and read the difference.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap_scene::{Base, RobotOptions, Scene};

/// A folder of its own with files.
fn files(list: &[(&str, &str)]) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("zerogap-robot-messages-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in list {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder
}

/// What is told of a model: the error where it is refused, else its warnings.
fn told(list: &[(&str, &str)], options: &RobotOptions) -> String {
    let folder = files(list);
    let loaded = Scene::read_with(&folder.join(list[0].0), options).and_then(|scene| {
        let warnings = scene.warnings.clone();
        scene.build().map(|_| warnings)
    });
    let text = match loaded {
        Err(error) => error.report(),
        Ok(warnings) => {
            assert!(!warnings.is_empty(), "nothing is told of {list:?}");
            warnings.iter().fold(String::new(), |text, warning| text + "warning: " + warning + "\n")
        }
    };
    text.replace(&folder.display().to_string(), "FOLDER")
}

fn urdf(inner: &str) -> (&'static str, String) {
    ("r.urdf", format!("<robot name=\"r\">\n{inner}\n</robot>"))
}

fn mjcf(inner: &str) -> (&'static str, String) {
    ("model.xml", format!("<mujoco>\n{inner}\n</mujoco>"))
}

/// A cube of 2 units as STL.
const TRIANGLES: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 900 0 0\nvertex 0 900 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 900 0\nvertex 0 0 900\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 900\nvertex 900 0 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 900 0 0\nvertex 0 0 900\nvertex 0 900 0\nendloop\nendfacet\nendsolid s\n";

const MASS: &str = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";

#[test]
fn the_most_frequent_troubles_are_explained() {
    let fixed = RobotOptions { base: Some(Base::Fixed), ..RobotOptions::default() };
    let own = RobotOptions::default();
    let arm = |link: &str, joint: &str| {
        urdf(&format!(
            "<link name=\"base\"/>\n<link name=\"arm\">{link}</link>\n<joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child link=\"arm\"/>\n<axis xyz=\"0 0 1\"/>{joint}</joint>"
        ))
    };
    let limit = "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\"/>";
    let body = |inner: &str| mjcf(&format!("<worldbody><body name=\"b\">\n{inner}\n</body></worldbody>"));
    let ball = "<geom name=\"g\" size=\"0.1\"/>";
    let collides = |shape: &str| format!("{MASS}\n<collision><geometry>{shape}</geometry></collision>");
    let cases: Vec<(&str, (&str, String), &RobotOptions)> = vec![
        ("it is not said whether the base is fixed", arm(MASS, limit), &own),
        ("the file is xacro", ("r.urdf", "<robot name=\"r\" xmlns:xacro=\"http://wiki.ros.org/xacro\">\n<xacro:property name=\"l\" value=\"1\"/>\n<link name=\"a\"/>\n</robot>".to_owned()), &fixed),
        ("xacro left a value unexpanded", arm(&MASS.replace("value=\"1\"", "value=\"${m}\""), limit), &fixed),
        ("the package of a mesh is not found", arm(&collides("\n<mesh filename=\"package://my_robot/meshes/arm.stl\"/>"), limit), &fixed),
        ("a mesh is missing", arm(&collides("\n<mesh filename=\"meshes/arm.stl\"/>"), limit), &fixed),
        ("a mesh is COLLADA", arm(&collides("\n<mesh filename=\"arm.dae\"/>"), limit), &fixed),
        ("a mesh is in millimetres", arm(&collides("\n<mesh filename=\"mm.stl\"/>"), limit), &fixed),
        ("a shape has no size", arm(&collides("\n<sphere radius=\"0\"/>"), limit), &fixed),
        ("a link that moves has no mass", arm("", limit), &fixed),
        ("an inertia is none", arm(&MASS.replace("izz=\"1\"", "izz=\"3\""), limit), &fixed),
        ("a joint names a link that is not there", arm(MASS, limit).1.replace("parent link=\"base\"", "parent link=\"bsae\"").pipe(), &fixed),
        ("limits are in degrees", arm(MASS, "<limit lower=\"-90\" upper=\"90\" effort=\"5\" velocity=\"2\"/>"), &fixed),
        ("a name is there twice", urdf("<link name=\"a\"/>\n<link name=\"a\"/>"), &fixed),
        ("the file is no XML", ("r.urdf", "<robot name=\"r\">\n<link name=\"a\">\n</robot>".to_owned()), &fixed),
        ("an element is misspelt", body("<freejoint/><geom size=\"0.1\"/>\n<gemo size=\"0.1\"/>"), &own),
        ("an attribute is misspelt", body("<freejoint/>\n<geom size=\"0.1\" fricton=\"1\"/>"), &own),
        ("an actuator names a joint that is not there", mjcf("<worldbody><body><joint name=\"elbow\"/><geom size=\"0.1\"/></body></worldbody>\n<actuator><motor joint=\"elbwo\"/></actuator>"), &own),
        ("a class is not there", body("<freejoint/>\n<geom class=\"visual\" size=\"0.1\"/>"), &own),
        ("an included file is missing", mjcf("<include file=\"parts.xml\"/>"), &own),
        ("a mesh of MJCF is missing", mjcf("<asset>\n<mesh name=\"m\" file=\"m.stl\"/></asset><worldbody><body><freejoint/>\n<geom type=\"mesh\" mesh=\"m\"/></body></worldbody>"), &own),
        ("a body that moves has no mass", body("<freejoint/>"), &own),
        ("limits of hinges are in degrees in a file of radians", mjcf("<compiler angle=\"radian\"/><worldbody><body>\n<joint name=\"j\" range=\"-90 90\"/><geom size=\"0.1\"/></body></worldbody>"), &own),
        ("bodies overlap at the start", mjcf(&format!("<worldbody><body name=\"a\"><freejoint/>{ball}</body>\n<body name=\"b\" pos=\"0.1 0 0\"><freejoint/><geom name=\"h\" size=\"0.1\"/></body></worldbody>")), &own),
        ("a keyframe is not there", body("<freejoint/><geom size=\"0.1\"/>"), &own),
        ("a muscle", mjcf("<worldbody><body><joint name=\"j\"/><geom size=\"0.1\"/></body></worldbody>\n<actuator><muscle joint=\"j\"/></actuator>"), &own),
        ("too few numbers", body("<freejoint/>\n<geom type=\"box\" size=\"0.1 0.1\"/>"), &own),
    ];
    let mut all = String::new();
    for (what, (name, text), options) in &cases {
        let keyed = RobotOptions { keyframe: Some("hom".to_owned()), ..(*options).clone() };
        let options = if *what == "a keyframe is not there" { &keyed } else { *options };
        let list = [(*name, text.as_str()), ("mm.stl", TRIANGLES)];
        let _ = writeln!(all, "## {what}\n{}", told(&list, options));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots_messages.txt");
    if std::env::var_os("ZEROGAP_BLESS").is_some() {
        std::fs::write(&path, &all).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == all, "messages are others:\n{all}");
}

/// A text as a URDF file.
trait AsFile {
    fn pipe(self) -> (&'static str, String);
}

impl AsFile for String {
    fn pipe(self) -> (&'static str, String) {
        ("r.urdf", self)
    }
}
