//! Every feature of robot files that is read, by small generated files: counts, masses and motions with known answers.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::integrate::Tolerance;
use zerogap_dynamics::multibody::BodyId;
use zerogap_scene::{Base, RobotOptions, Scene, SceneError};
use zerogap_simulation::world::{EventLocation, World};

/// A folder of its own with files.
fn files(list: &[(&str, &str)]) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("zerogap-robot-features-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in list {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn read(text: &str) -> Result<Scene, SceneError> {
    Scene::read(&files(&[("model.xml", text)]).join("model.xml"))
}

fn model(inner: &str) -> Scene {
    read(&format!("<mujoco>{inner}</mujoco>")).unwrap_or_else(|error| panic!("{}", error.report()))
}

fn urdf(inner: &str, options: RobotOptions) -> Result<Scene, SceneError> {
    let folder = files(&[("r.urdf", &format!("<robot name=\"r\">{inner}</robot>"))]);
    Scene::read_with(&folder.join("r.urdf"), &RobotOptions { base: Some(Base::Fixed), ..options })
}

fn world(mut scene: Scene) -> World {
    let tolerance = Tolerance { relative: 1e-11, absolute: 1e-13 };
    scene.builder.set_method(EventLocation { tolerance, ..EventLocation::default() });
    scene.build().unwrap_or_else(|error| panic!("{}", error.report()))
}

fn place(world: &World, name: &str) -> Pose {
    let at = world.names().iter().position(|known| known == name).unwrap();
    world.pose(BodyId(at as u32))
}

#[test]
fn included_files_stand_where_they_are_named() {
    let folder = files(&[
        (
            "model.xml",
            "<mujoco><include file=\"parts/body.xml\"/><worldbody><include file=\"parts/b.xml\"/></worldbody></mujoco>",
        ),
        ("parts/body.xml", "<mujoco><compiler angle=\"radian\"/></mujoco>"),
        (
            "parts/b.xml",
            "<mujocoinclude><body name=\"a\" euler=\"0 0 1.5707963267948966\"><freejoint/><geom size=\"1\"/></body></mujocoinclude>",
        ),
    ]);
    let world = world(Scene::read(&folder.join("model.xml")).unwrap());
    assert!((place(&world, "a").transform_vector(&Vec3::x()) - Vec3::y()).norm() < 1e-15);
    // Errors point into the included file.
    std::fs::write(folder.join("parts/b.xml"), "<m>\n<body euler=\"1\"/></m>").unwrap();
    let error = Scene::read(&folder.join("model.xml")).unwrap_err();
    assert!(
        error.file.as_ref().unwrap().ends_with("b.xml") && error.line().unwrap().0 == 2,
        "{}",
        error.report()
    );
    // And no file includes itself.
    std::fs::write(folder.join("parts/b.xml"), "<m><include file=\"parts/b.xml\"/></m>").unwrap();
    assert!(Scene::read(&folder.join("model.xml")).unwrap_err().message.contains("includes itself"));
}

#[test]
fn an_orientation_overrides_that_of_the_class_and_short_sizes_keep_the_rest() {
    let scene = model(
        "<default><default class=\"c\"><geom type=\"box\" size=\"1 2 3\" quat=\"0 1 0 0\" mass=\"2\"/><default class=\"d\"><geom size=\"4\"/></default></default></default>
        <worldbody><body name=\"a\" childclass=\"d\"><freejoint/><geom euler=\"0 0 90\"/></body></worldbody>",
    );
    let body = &scene.robots[0].bodies[0];
    // Half sides 4, 2, 3, turned by a quarter about z.
    let expected = Vec3::new(2.0 / 3.0 * (16.0 + 9.0), 2.0 / 3.0 * (4.0 + 9.0), 2.0 / 3.0 * (4.0 + 16.0));
    assert!((body.inertia.diagonal() - expected).norm() < 1e-12, "{}", body.inertia);
}

#[test]
fn frames_replicas_and_attached_models_put_bodies_in_place() {
    let part = "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"p\" pos=\"1 0 0\"><joint name=\"j\" axis=\"0 0 1\"/><geom size=\"0.1\"/></body></worldbody><actuator><motor name=\"m\" joint=\"j\"/></actuator></mujoco>";
    let whole = "<mujoco><asset><model name=\"part\" file=\"part.xml\"/></asset><worldbody>
        <frame euler=\"0 0 90\" pos=\"0 0 2\"><body name=\"f\" pos=\"1 0 0\"><freejoint/><geom size=\"0.1\"/></body></frame>
        <replicate count=\"2\" euler=\"0 0 180\" sep=\"-\"><attach model=\"part\" body=\"p\" prefix=\"x_\"/></replicate></worldbody></mujoco>";
    let folder = files(&[("part.xml", part), ("whole.xml", whole)]);
    let scene = Scene::read(&folder.join("whole.xml")).unwrap();
    assert_eq!(scene.robots[0].actuators, ["x_m-0", "x_m-1"]);
    let world = world(scene);
    assert!((place(&world, "f").translation() - Vec3::new(0.0, 1.0, 2.0)).norm() < 1e-15);
    assert!((place(&world, "x_p-0").translation() - Vec3::x()).norm() < 1e-15);
    assert!((place(&world, "x_p-1").translation() + Vec3::x()).norm() < 1e-15);
}

#[test]
fn what_refers_to_a_replica_is_replicated() {
    let scene = model(
        "<worldbody><replicate count=\"3\" offset=\"1 0 0\"><site name=\"a\" pos=\"0 0 1\"/><body name=\"b\"><freejoint/><geom size=\"0.1\"/><site name=\"s\"/></body></replicate></worldbody>
        <tendon><spatial><site site=\"a\"/><site site=\"s\"/></spatial></tendon>",
    );
    assert_eq!((scene.robots[0].tendons.len(), scene.robots[0].bodies.len()), (3, 3));
}

#[test]
fn meshes_have_the_mass_of_their_kind_and_primitives_fit_them() {
    let cube = "vertex=\"0 0 0 2 0 0 0 2 0 2 2 0 0 0 2 2 0 2 0 2 2 2 2 2\"";
    let text = format!(
        "<asset><mesh name=\"c\" {cube}/><mesh name=\"s\" {cube} scale=\"0.5 -1 2\" refpos=\"1 1 1\"/></asset><worldbody>
        <body name=\"a\"><freejoint/><geom type=\"mesh\" mesh=\"c\" density=\"10\"/></body>
        <body name=\"b\" pos=\"9 0 0\"><freejoint/><geom type=\"mesh\" mesh=\"s\" density=\"10\"/></body>
        <body name=\"d\" pos=\"0 9 0\"><freejoint/><geom type=\"box\" mesh=\"c\" density=\"10\"/></body></worldbody>"
    );
    let bodies = &model(&text).robots[0].bodies;
    for body in [&bodies[0], &bodies[2]] {
        assert!((body.mass - 80.0).abs() < 1e-10 && (body.center - Vec3::new(1.0, 1.0, 1.0)).norm() < 1e-12);
    }
    assert!((bodies[1].mass - 80.0).abs() < 1e-10 && bodies[1].center.norm() < 1e-12);
}

#[test]
fn masks_priorities_and_welds_decide_what_touches() {
    let touching = |extra: &str, second: &str| {
        let text = format!(
            "<mujoco><worldbody><body name=\"a\"><freejoint/><geom name=\"g\" size=\"1\"/></body><body name=\"b\" pos=\"1 0 0\"><freejoint/><geom name=\"h\" size=\"1\" {second}/></body></worldbody>{extra}</mujoco>"
        );
        read(&text).unwrap().build().is_err_and(|error| error.message.contains("overlap"))
    };
    assert!(touching("", ""));
    assert!(touching("", "contype=\"0\""), "the mask of one is enough");
    assert!(!touching("", "contype=\"2\" conaffinity=\"4\""));
    assert!(!touching("", "contype=\"0\" conaffinity=\"0\""));
    assert!(!touching("<contact><exclude body1=\"a\" body2=\"b\"/></contact>", ""));
    assert!(touching(
        "<contact><pair geom1=\"g\" geom2=\"h\"/></contact>",
        "contype=\"2\" conaffinity=\"4\""
    ));
    // What is welded to a body counts as that body: neighbours of it never touch.
    let welded = "<mujoco><worldbody><body name=\"a\"><freejoint/><geom size=\"0.1\"/><body name=\"w\" pos=\"1 0 0\"><geom size=\"0.5\"/></body><body name=\"c\"><joint/><geom size=\"0.6\" pos=\"0.8 0 0\"/></body></body></worldbody></mujoco>";
    assert!(read(welded).unwrap().build().is_ok());
}

#[test]
fn actuators_tendons_and_equalities_act_as_written() {
    // A slide of 2 kg with a servo: critically damped by dampratio, so x = c (1 - (1 + w t) exp(-w t)).
    let scene = model(
        "<option gravity=\"0 0 0\"/><worldbody><body name=\"a\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\" mass=\"2\"/></body></worldbody>
        <actuator><position joint=\"x\" kp=\"50\" dampratio=\"1\"/></actuator>",
    );
    let mut servo = world(scene);
    servo.set_control(0, 0.3).unwrap();
    servo.advance_to(0.4).unwrap();
    let wt = 5.0 * 0.4;
    let expected = 0.3 * (1.0 - (1.0 + wt) * zerogap_core::math::exp(-wt));
    assert!((servo.positions()[0] - expected).abs() < 1e-10, "{} {expected}", servo.positions()[0]);

    // A filter before a force: v = (t - T (1 - exp(-t / T))) / m.
    let scene = model(
        "<option gravity=\"0 0 0\"/><worldbody><body name=\"a\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\" mass=\"2\"/></body></worldbody>
        <actuator><general joint=\"x\" dyntype=\"filter\" dynprm=\"0.1\"/></actuator>",
    );
    let mut filtered = world(scene);
    filtered.set_control(0, 1.0).unwrap();
    filtered.advance_to(0.3).unwrap();
    let expected = (0.3 - 0.1 * (1.0 - zerogap_core::math::exp(-3.0))) / 2.0;
    assert!((filtered.velocities()[0] - expected).abs() < 1e-10, "{} {expected}", filtered.velocities()[0]);

    // A spring along a way over a fixed point moves two bodies as their sum of shifts.
    let scene = model(
        "<option gravity=\"0 0 0\"/><worldbody><site name=\"t\" pos=\"0 0 1\"/>
        <body name=\"a\"><joint type=\"slide\" axis=\"0 0 1\"/><geom size=\"0.01\" mass=\"1\"/><site name=\"s\"/></body></worldbody>
        <tendon><spatial stiffness=\"100\" springlength=\"0.9\"><site site=\"t\"/><site site=\"s\"/></spatial></tendon>",
    );
    let mut spring = world(scene);
    spring.advance_to(0.2).unwrap();
    let expected = 0.1 * (1.0 - zerogap_core::math::cos(10.0 * 0.2));
    assert!((spring.positions()[0] - expected).abs() < 1e-10, "{} {expected}", spring.positions()[0]);

    // Two slides coupled two to one share a force as one inertia of m1 + m2 / 4.
    let scene = model(
        "<option gravity=\"0 0 0\"/><worldbody><body name=\"a\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\" mass=\"1\"/></body>
        <body name=\"b\" pos=\"0 1 0\"><joint name=\"y\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\" mass=\"4\"/></body></worldbody>
        <equality><joint joint1=\"y\" joint2=\"x\" polycoef=\"0 0.5 0 0 0\"/></equality><actuator><motor joint=\"x\"/></actuator>",
    );
    let mut coupled = world(scene);
    coupled.set_control(0, 1.0).unwrap();
    coupled.advance_to(0.5).unwrap();
    assert!(
        (coupled.positions()[0] - 0.5 * 0.25 / 2.0).abs() < 1e-9
            && (coupled.positions()[1] - 0.25 * 0.25 / 2.0).abs() < 1e-9
    );

    // A weight that is carried floats, and a wind carries what it meets.
    let scene = model(
        "<worldbody><body name=\"a\" gravcomp=\"1\"><freejoint/><geom size=\"0.1\"/></body></worldbody>",
    );
    let mut carried = world(scene);
    carried.advance_to(0.5).unwrap();
    assert!(place(&carried, "a").translation().norm() < 1e-12);
}

#[test]
fn controls_and_activations_are_part_of_a_saved_state() {
    let text = "<option gravity=\"0 0 0\"/><worldbody><body name=\"a\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\" mass=\"2\"/></body></worldbody>
        <actuator><general joint=\"x\" dyntype=\"filter\" dynprm=\"0.1\"/></actuator>";
    let mut first = world(model(text));
    first.set_control(0, 1.0).unwrap();
    first.advance_to(0.1).unwrap();
    first.set_control(0, -0.5).unwrap();
    let bytes = first.save().to_bytes().unwrap();
    let mut second = world(model(text));
    let saved = second.saved_from_bytes(&bytes).unwrap();
    second.restore(&saved).unwrap();
    for one in [&mut first, &mut second] {
        one.advance_to(0.3).unwrap();
    }
    assert!(
        first.velocities()[0].abs() > 1e-3
            && first.velocities()[0].to_bits() == second.velocities()[0].to_bits()
    );
}

#[test]
fn a_keyframe_is_a_start() {
    let text = "<mujoco><worldbody><body name=\"a\"><joint name=\"x\" ref=\"30\"/><geom size=\"0.1\" pos=\"1 0 0\"/></body></worldbody><keyframe><key name=\"k\" qpos=\"1\" qvel=\"2\"/></keyframe></mujoco>";
    let path = files(&[("m.xml", text)]).join("m.xml");
    let read = |name: &str| {
        Scene::read_with(&path, &RobotOptions { keyframe: Some(name.to_owned()), ..RobotOptions::default() })
    };
    let start = world(read("k").unwrap());
    let expected = 1.0 - 30.0_f64.to_radians();
    assert!((start.positions()[0] - expected).abs() < 1e-15 && (start.velocities()[0] - 2.0).abs() < 1e-15);
    assert!(read("other").unwrap_err().help.unwrap().contains("one of k"));
}

#[test]
fn physics_that_is_not_modelled_is_refused_with_its_line_unless_it_may_be_left_out() {
    let text = "<mujoco><worldbody><body name=\"a\"><joint name=\"x\"/><geom size=\"0.1\"/></body></worldbody><tendon><fixed armature=\"1\"><joint joint=\"x\"/></fixed></tendon></mujoco>";
    let folder = files(&[("m.xml", text)]);
    let error = Scene::read(&folder.join("m.xml")).unwrap_err();
    assert!(error.message.contains("armature of a tendon") && error.line().is_some(), "{}", error.report());
    let options = RobotOptions { leave_out: true, ..RobotOptions::default() };
    let scene = Scene::read_with(&folder.join("m.xml"), &options).unwrap();
    assert_eq!(
        scene.warnings,
        ["m.xml:1: the armature of a tendon is left out: the model moves otherwise than it says"]
    );
}

const LINK: &str = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";

#[test]
fn mimicking_joints_follow_and_parents_may_be_the_world() {
    let text = format!(
        "<link name=\"a\">{LINK}</link><link name=\"b\">{LINK}</link>
        <joint name=\"j\" type=\"continuous\"><parent link=\"world\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/></joint>
        <joint name=\"k\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 2\"/><mimic joint=\"j\" multiplier=\"-2\" offset=\"0.1\"/></joint>"
    );
    let world = world(urdf(&text, RobotOptions::default()).unwrap());
    let (q, close) = (world.positions(), 1e-9);
    assert!((q[1] + 2.0 * q[0] - 0.1).abs() < close, "{q:?}");
}

#[test]
fn links_that_cannot_be_are_refused_by_name_or_mended_and_listed() {
    let thin = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"5\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
    let joint = "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>";
    let cases = [
        (
            format!("<link name=\"a\">{LINK}</link><link name=\"b\">{thin}</link>{joint}"),
            "link 'b' has a moment of inertia that is larger",
        ),
        (
            format!("<link name=\"a\">{LINK}</link><link name=\"b\"/>{joint}"),
            "link 'b' moves but has no mass",
        ),
        (
            format!(
                "<link name=\"a\">{LINK}</link><link name=\"b\">{LINK}<collision><geometry><sphere radius=\"0\"/></geometry></collision></link>{joint}"
            ),
            "the sphere of link 'b' has no size",
        ),
    ];
    for (text, part) in cases {
        let error = urdf(&text, RobotOptions::default()).unwrap_err();
        assert!(
            error.message.contains(part) && error.help.as_deref().unwrap().contains("--repair"),
            "{}",
            error.report()
        );
        let scene = urdf(&text, RobotOptions { repair: true, ..RobotOptions::default() }).unwrap();
        assert!(
            scene.warnings.iter().any(|warning| warning.starts_with("repaired: ") && warning.contains(part)),
            "{:?}",
            scene.warnings
        );
        scene.build().unwrap();
    }
}

#[test]
fn packages_are_found_and_other_formats_are_named() {
    let text = |file: &str| {
        format!(
            "<link name=\"a\">{LINK}<collision><geometry><mesh filename=\"{file}\"/></geometry></collision></link>"
        )
    };
    let stl = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n";
    let folder = files(&[("elsewhere/m.stl", stl)]);
    let packages = vec![("pack".to_owned(), folder.join("elsewhere"))];
    let found = urdf(&text("package://pack/m.stl"), RobotOptions { packages, ..RobotOptions::default() });
    assert!(found.is_ok(), "{}", found.unwrap_err().report());
    let error = urdf(&text("package://pack/m.stl"), RobotOptions::default()).unwrap_err();
    assert!(error.help.as_deref().unwrap().contains("--package pack=FOLDER"), "{}", error.report());
    let error = urdf(&text("m.dae"), RobotOptions::default()).unwrap_err();
    assert!(error.help.as_deref().unwrap().contains("convert"), "{}", error.report());
    let error = urdf(
        "<xacro:macro xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name=\"x\"/>",
        RobotOptions::default(),
    )
    .unwrap_err();
    assert!(error.help.as_deref().unwrap().contains("xacro r.urdf > "), "{}", error.report());
}
