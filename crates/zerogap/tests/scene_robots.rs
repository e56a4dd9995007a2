//! Robots: URDF and MJCF files give the same worlds as scene files.

use std::path::{Path, PathBuf};

use zerogap::scene::{Base, Scene};
use zerogap::{Pose, Vec3};

fn robots(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots").join(name)
}

fn folder_with(name: &str, text: &str) -> (PathBuf, PathBuf) {
    let folder = std::env::temp_dir().join(format!("zerogap-scene-robots-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

/// Poses of the two links every 20 ms.
fn trajectory(scene: Scene) -> Vec<(Pose, Pose)> {
    let mut world = scene.build().unwrap_or_else(|error| panic!("{}", error.report()));
    let body = |name: &str| {
        let at = world.names().iter().position(|known| known == name).unwrap();
        zerogap::dynamics::multibody::BodyId(at as u32)
    };
    let (upper, lower) = (body("upper"), body("lower"));
    let mut poses = Vec::new();
    for k in 1..=100 {
        world.advance_to(0.02 * f64::from(k)).unwrap();
        poses.push((world.pose(upper), world.pose(lower)));
    }
    assert!(world.events().len() > 2, "the pendulum never touches the floor");
    poses
}

#[test]
fn a_double_pendulum_moves_the_same_through_toml_urdf_and_mjcf() {
    let toml = trajectory(Scene::read(&robots("double-pendulum.toml")).unwrap());
    let urdf = trajectory(Scene::read_robot(&robots("double-pendulum.urdf"), Some(Base::Fixed)).unwrap());
    let mjcf = trajectory(Scene::read(&robots("double-pendulum.xml")).unwrap());
    let mut worst = [0.0_f64; 2];
    for ((a, b), c) in toml.iter().zip(&urdf).zip(&mjcf) {
        for (k, other) in [b, c].into_iter().enumerate() {
            let apart = |a: &Pose, b: &Pose| {
                let turn = (a.rotation_matrix() - b.rotation_matrix()).norm();
                turn.max((a.translation() - b.translation()).norm())
            };
            worst[k] = worst[k].max(apart(&a.0, &other.0)).max(apart(&a.1, &other.1));
        }
    }
    println!("largest difference over 2 s: urdf {:e}, mjcf {:e}", worst[0], worst[1]);
    assert!(worst.iter().all(|worst| *worst < 1e-9), "{worst:?}");
}

#[test]
fn a_robot_in_a_scene_moves_like_the_robot_alone() {
    let text = format!("[robot]\nfile = \"{}\"\n", robots("double-pendulum.xml").display());
    let within = trajectory(Scene::parse(&text, "x", Path::new("")).unwrap());
    let alone = trajectory(Scene::read(&robots("double-pendulum.xml")).unwrap());
    assert!(within.iter().zip(&alone).all(|(a, b)| (a.1.translation() - b.1.translation()).norm() == 0.0));
}

#[test]
fn what_is_not_read_is_a_warning_with_name_and_line() {
    let urdf = Scene::read_robot(&robots("double-pendulum.urdf"), Some(Base::Fixed)).unwrap();
    assert_eq!(urdf.warnings, ["double-pendulum.urdf: appearance is not read: <visual>"]);
    let mjcf = Scene::read(&robots("double-pendulum.xml")).unwrap();
    assert_eq!(
        mjcf.warnings,
        ["double-pendulum.xml: appearance and soft contact are not read: 'rgba' of <geom>, <light>",]
    );
}

#[test]
fn a_urdf_must_be_told_what_holds_its_base() {
    let file = robots("double-pendulum.urdf");
    let error = Scene::read(&file).unwrap_err();
    assert!(
        error.message.contains("fixed or free") && error.help.as_deref().unwrap().contains("--base"),
        "{}",
        error.report()
    );
    let text = format!("[robot]\nfile = \"{}\"\n", file.display());
    let error = Scene::parse(&text, "x", Path::new("")).unwrap_err();
    assert_eq!(error.line().unwrap().1, "[robot]");
    assert!(error.help.as_deref().unwrap().contains("base = \"fixed\""), "{}", error.report());
}

#[test]
fn errors_in_a_robot_point_into_its_own_file() {
    let (folder, _) = folder_with(
        "broken.urdf",
        "<robot name=\"r\">\n  <link name=\"a\"/>\n  <link name=\"b\"/>\n  <joint name=\"j\" type=\"hinge\">\n    <parent link=\"a\"/><child link=\"b\"/>\n  </joint>\n</robot>\n",
    );
    let error =
        Scene::parse("[robot]\nfile = \"broken.urdf\"\nbase = \"fixed\"\n", "x", &folder).unwrap_err();
    assert!(error.file.as_ref().unwrap().ends_with("broken.urdf"));
    assert_eq!(error.line().unwrap(), (4, "  <joint name=\"j\" type=\"hinge\">", 18..30));
    assert!(error.help.unwrap().contains("revolute"));
}

/// Where the bodies of a model stand at the start.
fn start(text: &str) -> Vec<Pose> {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let (_, file) = folder_with(&format!("model-{number}.xml"), text);
    let world = Scene::read(&file).unwrap_or_else(|error| panic!("{}", error.report())).build().unwrap();
    (0..world.names().len()).map(|k| world.pose(zerogap::dynamics::multibody::BodyId(k as u32))).collect()
}

#[test]
fn all_ways_to_turn_a_body_agree() {
    let ways = [
        "quat=\"0.7071067811865476 0 0 0.7071067811865476\"",
        "axisangle=\"0 0 2 90\"",
        "euler=\"0 0 90\"",
        "xyaxes=\"0 3 0 -1 0 0\"",
    ];
    for way in ways {
        let model = format!(
            "<mujoco><worldbody><body name=\"a\" pos=\"1 2 3\" {way}><freejoint/><geom type=\"box\" size=\"1 1 1\"/></body></worldbody></mujoco>"
        );
        let pose = start(&model)[0];
        assert!((pose.transform_vector(&Vec3::x()) - Vec3::y()).norm() < 1e-14, "{way}");
        assert_eq!(pose.translation(), Vec3::new(1.0, 2.0, 3.0));
    }
}

#[test]
fn joints_of_a_chain_put_bodies_where_the_model_has_them() {
    let model = "<mujoco><compiler angle=\"radian\" eulerseq=\"zyx\"/><worldbody>
        <body name=\"a\" pos=\"0 0 1\"><joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/><joint pos=\"0.1 0 0\" axis=\"0 0 1\" ref=\"0.5\" range=\"0 1\"/>
        <geom size=\"0.1\"/><body name=\"b\" pos=\"0.5 0 0\" zaxis=\"1 0 0\"><joint type=\"ball\"/><geom type=\"ellipsoid\" size=\"0.1 0.1 0.2\"/></body></body>
        </worldbody></mujoco>";
    let poses = start(model);
    // Two links without mass, then the two bodies.
    assert_eq!(poses.len(), 4);
    assert!((poses[2].translation() - Vec3::new(0.0, 0.0, 1.0)).norm() < 1e-15);
    assert!((poses[3].translation() - Vec3::new(0.5, 0.0, 1.0)).norm() < 1e-15);
    assert!((poses[3].transform_vector(&Vec3::z()) - Vec3::x()).norm() < 1e-15);
}

#[test]
fn what_would_lose_bodies_is_refused() {
    for (inner, part) in [
        ("<include file=\"x.xml\"/>", "cannot be read"),
        ("<worldbody><attach model=\"m\"/></worldbody>", "no model 'm'"),
        ("<worldbody><replicate><body/></replicate></worldbody>", "needs 'count'"),
        ("<worldbody><composite/></worldbody>", "<composite>"),
        (
            "<worldbody><body name=\"a\"><joint/><geom type=\"hfield\" size=\"1\"/></body></worldbody>",
            "hfield",
        ),
        ("<actuator><muscle joint=\"a\"/></actuator>", "<muscle>"),
        ("<actuator><motor joint=\"nobody\"/></actuator>", "no joint 'nobody'"),
        ("<worldbody><body name=\"a\"><joint type=\"screw\"/><geom size=\"1\"/></body></worldbody>", "screw"),
        ("<worldbody><body name=\"a\"><joint range=\"1\"/><geom size=\"1\"/></body></worldbody>", "needs 2"),
        ("<compiler coordinate=\"global\"/>", "global"),
        ("<worldbody><geom class=\"nobody\" size=\"1\"/></worldbody>", "nobody"),
        (
            "<worldbody><body name=\"a\"><joint/><geom type=\"mesh\" mesh=\"m\"/></body></worldbody>",
            "no mesh",
        ),
        ("<worldbody><body name=\"a\"><joint/></body></worldbody>", "moves no inertia"),
    ] {
        let (_, file) = folder_with("refused.xml", &format!("<mujoco>{inner}</mujoco>"));
        let error = match Scene::read(&file) {
            Err(error) => error,
            Ok(scene) => scene.build().map(drop).expect_err(inner),
        };
        assert!(error.message.contains(part) && error.line().is_some(), "{inner}: {}", error.report());
    }
}

#[test]
fn ratings_of_a_urdf_bound_the_motors_that_commands_drive() {
    let folder = std::env::temp_dir().join(format!("zerogap-ratings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let link = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"0.5\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
    let joint = |name: &str, parent: &str, child: &str, limit: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/><axis xyz=\"0 0 1\"/><limit {limit}/></joint>"
        )
    };
    let text = format!(
        "<robot name=\"r\"><link name=\"base\"/><link name=\"a\">{link}</link><link name=\"b\">{link}</link>{}{}</robot>",
        joint("strong", "base", "a", "effort=\"2\" velocity=\"3\""),
        joint("unknown", "base", "b", "effort=\"0\" velocity=\"0\"")
    );
    std::fs::write(folder.join("r.urdf"), text).unwrap();
    let scene = |command: &str| {
        let text = format!(
            "[world]\nmethod = \"stepping\"\n[robot]\nfile = \"r.urdf\"\nbase = \"fixed\"\n[[commands]]\njoints = [\"strong\", \"unknown\"]\nramp = {{ from = 50, to = 50, start = 0, end = 1 }}\n{command}"
        );
        let scene = Scene::parse(&text, "x", &folder).unwrap_or_else(|error| panic!("{}", error.report()));
        let mut world = scene.build().unwrap();
        world.advance_to(0.1).unwrap();
        [world.velocities()[0], world.velocities()[1]]
    };
    // 2 N m and no bound on an inertia of 0.5; a limit of the scene comes first.
    let speeds = scene("drive = \"effort\"");
    assert!((speeds[0] - 0.4).abs() < 1e-9 && (speeds[1] - 10.0).abs() < 1e-9, "{speeds:?}");
    let speeds = scene("drive = \"effort\"\nlimit = 5");
    assert!((speeds[0] - 1.0).abs() < 1e-9 && (speeds[1] - 1.0).abs() < 1e-9, "{speeds:?}");
    // Targets of speed stop at the rating.
    let speeds = scene("drive = \"speed\"\ngain = 1000\nlimit = 1000");
    assert!((speeds[0] - 3.0).abs() < 1e-3 && speeds[1] > 40.0, "{speeds:?}");
}
