//! Several robots in a scene, how they start, what of their collisions is left out, and commands over time.

use std::path::{Path, PathBuf};

use zerogap::scene::{RobotOptions, Scene};
use zerogap::world::World;

/// An arm of two hinges with motors of its own, whose links overlap where they meet and at the tips.
const ARM: &str = r#"<mujoco model="arm"><compiler angle="radian"/><option gravity="0 0 0"/>
<worldbody><body name="upper"><joint name="shoulder" axis="0 0 1" range="-2 2"/><geom name="rod" type="capsule" fromto="0 0 0 1 0 0" size="0.05" friction="0.7"/>
  <body name="lower" pos="1 0 0"><joint name="elbow" axis="0 0 1" ref="0.5"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
    <body name="hand" pos="1 0 0"><joint name="wrist" axis="0 0 1"/><geom type="sphere" size="0.08" pos="0.1 0 0"/><site name="grip" pos="0.2 0 0"/></body></body></body></worldbody>
<actuator><position name="turn" joint="shoulder" kp="2000" kv="600"/></actuator>
<sensor><jointpos name="at" joint="shoulder"/></sensor></mujoco>"#;

/// A folder with the files of a scene.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("zerogap-robot-scenes-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("arm.xml"), ARM).unwrap();
    folder
}

fn read(folder: &Path, text: &str) -> Scene {
    Scene::parse(text, "scene", folder).unwrap_or_else(|error| panic!("{}", error.report()))
}

fn build(folder: &Path, text: &str) -> World {
    read(folder, text).build().unwrap_or_else(|error| panic!("{}", error.report()))
}

fn refused(folder: &Path, text: &str) -> String {
    Scene::parse(text, "scene", folder).unwrap_err().report()
}

#[test]
fn two_robots_of_one_file_stand_apart_with_names_of_their_own() {
    let folder = folder("two");
    let world = build(
        &folder,
        r#"
[world]
method = "stepping"
contact = "rigid"
[[robots]]
file = "arm.xml"
prefix = "left/"
start = [{ joint = "elbow", position = "1 rad", speed = 0.25 }]
[[robots]]
file = "arm.xml"
prefix = "right/"
position = [0, 5, 0]
"#,
    );
    assert_eq!(
        world.names(),
        ["left/upper", "left/lower", "left/hand", "right/upper", "right/lower", "right/hand"]
    );
    let joints: Vec<String> = world.joints().into_iter().map(|joint| joint.name).collect();
    assert_eq!(joints[..4], ["left/shoulder", "left/elbow", "left/wrist", "right/shoulder"]);
    assert_eq!(world.actuator_names(), ["left/turn", "right/turn"]);
    // Counted as in the file, where a position of zero stands for 0.5.
    let elbow = world.joint_named("left/elbow").unwrap();
    assert!((world.positions()[elbow.positions.start] - 0.5).abs() < 1e-15);
    assert!((world.velocities()[elbow.velocities.start] - 0.25).abs() < 1e-15);
    let right = world.frame_pose(&world.frame_named("right/upper").unwrap()).translation();
    assert!((right.y - 5.0).abs() < 1e-15);
    // The second actuator acts on the second arm, and the second sensor sees it.
    let mut world = world;
    world.set_control(1, 0.3).unwrap();
    world.advance_to(3.0).unwrap();
    assert!((world.sensor("right/at").unwrap()[0] - 0.3).abs() < 1e-3);
    assert!(world.sensor("left/at").unwrap()[0].abs() < 0.2);
}

#[test]
fn names_that_clash_and_joints_that_are_not_there_are_refused_with_help() {
    let folder = folder("clash");
    let twice = "[[robots]]\nfile = \"arm.xml\"\n[[robots]]\nfile = \"arm.xml\"\nposition = [0, 5, 0]\n";
    let report = refused(&folder, twice);
    assert!(
        report.contains("there is a body 'upper' already") && report.contains("prefix = \"left/\""),
        "{report}"
    );
    let report =
        refused(&folder, "[[robots]]\nfile = \"arm.xml\"\nstart = [{ joint = \"elbo\", position = 1 }]\n");
    assert!(
        report.contains("the robot has no joint 'elbo'") && report.contains("did you mean 'elbow'?"),
        "{report}"
    );
}

#[test]
fn self_collision_and_overlaps_at_the_start_are_left_out_where_asked() {
    let folder = folder("overlaps");
    let text = |more: &str| {
        format!(
            "[world]\nmethod = \"stepping\"\ncontact = \"rigid\"\n[[robots]]\nfile = \"arm.xml\"\nstart = [{{ joint = \"elbow\", position = 3.6 }}, {{ joint = \"wrist\", position = 0.0 }}]\n{more}"
        )
    };
    // Folded up, the hand is in the upper arm.
    let error = read(&folder, &text("")).build().err().unwrap().report();
    assert!(error.contains("overlap"), "{error}");
    let world = build(&folder, &text("ignore_overlaps = \"start\""));
    assert_eq!(world.overlap_warnings().len(), 1, "{:?}", world.overlap_warnings());
    assert!(world.overlap_warnings()[0].contains("at the start and never touch"));
    // The same for a robot that is run as it is.
    let mut scene = Scene::read_with(
        &folder.join("arm.xml"),
        &RobotOptions { ignore_overlaps: true, ..RobotOptions::default() },
    )
    .unwrap();
    let elbow = scene.builder.labels().joints[1].body;
    scene.builder.start(elbow, Some(vec![3.1]), None);
    assert_eq!(scene.build().unwrap().overlap_warnings().len(), 1);
    let world = build(&folder, &text("self_collision = false"));
    assert!(world.overlap_warnings().is_empty());
    assert_eq!(world.pairs(), 0);
}

#[test]
fn commands_are_followed_by_joints_and_actuators() {
    let folder = folder("commands");
    std::fs::write(folder.join("course.csv"), "t, a, b\n0, 0, 0\n1, 0.5, -0.5\n2, 0.5, -0.25\n").unwrap();
    for method in ["events", "stepping"] {
        let text = format!(
            r#"
[world]
method = "{method}"
contact = "rigid"
[[robots]]
file = "arm.xml"
self_collision = false
[[bodies]]
name = "slider"
shape = "box:0.1,0.1,0.1"
joint = {{ kind = "prismatic", axis = [1, 0, 0], parent_frame = {{ position = [0, 9, 0] }} }}
[[commands]]
joints = ["elbow", "wrist"]
drive = "position"
stiffness = 4000
damping = 400
csv = "course.csv"
[[commands]]
actuators = ["turn"]
ramp = {{ to = 0.4, start = 0.5, end = 1.5 }}
[[commands]]
joints = ["slider"]
drive = "effort"
limit = 1.0
points = [{{ t = 0, value = 5 }}, {{ t = 0.5, value = -0.5 }}]
interpolation = "hold"
"#
        );
        let mut world = build(&folder, &text);
        world.advance_to(0.5).unwrap();
        // Half a second at the largest effort of 1 N, and 7.85 kg of steel... of a cube of 10 cm.
        let mass = world.tree().inertia(world.joint_named("slider").unwrap().body).mass;
        let slider = world.joint_named("slider").unwrap().velocities.start;
        assert!((world.velocities()[slider] - 0.5 / mass).abs() < 1e-9, "{method}");
        world.advance_to(1.5).unwrap();
        assert!((world.velocities()[slider] - (0.5 - 0.5) / mass).abs() < 1e-9, "{method}");
        world.advance_to(4.0).unwrap();
        let q = |name: &str| world.positions()[world.joint_named(name).unwrap().positions.start];
        assert!((q("elbow") - 0.5).abs() < 1e-3 && (q("wrist") + 0.25).abs() < 1e-3, "{method}");
        assert!((q("shoulder") - 0.4).abs() < 1e-2, "{method}: {}", q("shoulder"));
        assert!((world.controls()[0] - 0.4).abs() < 1e-15);
    }
}

#[test]
fn commands_that_make_no_sense_are_refused_with_help() {
    let folder = folder("wrong");
    let with = |command: &str| {
        refused(&folder, &format!("[[robots]]\nfile = \"arm.xml\"\n[[commands]]\n{command}\n"))
    };
    for (command, expected) in [
        ("joints = [\"elbo\"]\nstiffness = 1\nsine = { amplitude = 1, period = 1 }", "did you mean 'elbow'?"),
        ("actuators = [\"tur\"]\nsine = { amplitude = 1, period = 1 }", "did you mean 'turn'?"),
        ("joints = [\"elbow\"]\nsine = { amplitude = 1, period = 1 }", "'stiffness'"),
        ("joints = [\"elbow\"]\nstiffness = 1", "write one of csv, points, sine and ramp"),
        (
            "joints = [\"elbow\"]\nstiffness = 1\nramp = { to = 1, end = 1 }\nsine = { amplitude = 1, period = 1 }",
            "leave all but one of them out",
        ),
        (
            "joints = [\"elbow\"]\nactuators = [\"turn\"]\nramp = { to = 1, end = 1 }",
            "write two [[commands]]",
        ),
        ("joints = [\"elbow\"]\nstiffness = 1\ncsv = \"no.csv\"", "cannot be read"),
        (
            "joints = [\"elbow\"]\nstiffness = 1\npoints = [{ t = 1, value = 1 }, { t = 1, value = 2 }]",
            "must increase",
        ),
        ("actuators = [\"turn\"]\nstiffness = 1\nramp = { to = 1, end = 1 }", "has no use for 'stiffness'"),
    ] {
        let report = with(command);
        assert!(report.contains(expected), "{command}:\n{report}");
    }
    std::fs::write(folder.join("bad.csv"), "0, 1\n1, one\n").unwrap();
    let report = with("joints = [\"elbow\"]\nstiffness = 1\ncsv = \"bad.csv\"");
    assert!(report.contains("line 2: '1, one' is no row of numbers"), "{report}");
}
