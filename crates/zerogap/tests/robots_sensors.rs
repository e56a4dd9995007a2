//! Sensors of robots against closed forms, by generated models: names, frames, signs and units are those of MJCF.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap::core::math::{cos, sin, sin_cos};
use zerogap::scene::{RobotOptions, Scene};
use zerogap::world::World;

fn scene(text: &str) -> Scene {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder: PathBuf =
        std::env::temp_dir().join(format!("zerogap-robot-sensors-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("model.xml"), format!("<mujoco>{text}</mujoco>")).unwrap();
    let scene = Scene::read_with(&folder.join("model.xml"), &RobotOptions::default());
    scene.unwrap_or_else(|error| panic!("{}", error.report()))
}

fn world(text: &str, method: &str) -> World {
    let mut scene = scene(text);
    let params = scene.builder.params().method.by(method).unwrap();
    scene.builder.set_method(params);
    scene.build().unwrap_or_else(|error| panic!("{}", error.report()))
}

#[track_caller]
fn near(world: &World, sensor: &str, expected: &[f64], tolerance: f64) {
    let found = world.sensor(sensor).unwrap();
    assert_eq!(found.len(), expected.len(), "{sensor}");
    let apart = found.iter().zip(expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(apart < tolerance, "{sensor}: {found:?}, not {expected:?}");
}

/// An arm of one hinge about y that hangs down, with a mass of 2 kg at 0.5 m and everything that can be read of it.
const ARM: &str = r#"<compiler angle="radian"/>
<option gravity="0 0 -10" magnetic="0 1 0"/>
<worldbody>
  <site name="origin" pos="0 0 0" euler="0 0 1.5707963267948966"/>
  <body name="arm">
    <joint name="hinge" axis="0 1 0" ref="0.25" damping="0"/>
    <inertial pos="0 0 -0.5" mass="2" diaginertia="0.1 0.1 0.1"/>
    <site name="tip" pos="0 0 -1"/>
    <body name="stick" pos="0 0 -1"><inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/><site name="joined"/></body>
  </body>
</worldbody>
<tendon><fixed name="cord"><joint joint="hinge" coef="2"/></fixed></tendon>
<actuator><motor name="drive" joint="hinge" gear="3" forcerange="-1 1" forcelimited="true"/></actuator>
<sensor>
  <jointpos name="angle" joint="hinge"/> <jointvel name="rate" joint="hinge" cutoff="1.5"/>
  <jointactuatorfrc name="torque at hinge" joint="hinge"/>
  <tendonpos name="length" tendon="cord"/> <tendonvel name="shortening" tendon="cord"/>
  <actuatorpos name="turned" actuator="drive"/> <actuatorvel name="turning" actuator="drive"/> <actuatorfrc name="force" actuator="drive"/>
  <framepos name="place" objtype="site" objname="tip"/> <framepos name="seen" objtype="site" objname="tip" reftype="site" refname="origin"/>
  <framequat name="attitude" objtype="xbody" objname="arm"/> <framezaxis name="up" objtype="site" objname="tip"/>
  <framelinvel name="speed" objtype="site" objname="tip"/> <frameangvel name="spin" objtype="xbody" objname="arm"/>
  <framelinacc name="felt" objtype="site" objname="tip"/> <frameangacc name="spin-up" objtype="xbody" objname="arm"/>
  <framelinvel name="own speed" objtype="site" objname="tip" reftype="xbody" refname="arm"/>
  <gyro name="gyro" site="tip"/> <velocimeter name="velocimeter" site="tip"/> <accelerometer name="accelerometer" site="tip"/>
  <magnetometer name="compass" site="tip"/> <force name="pull" site="joined"/> <torque name="twist" site="tip"/>
  <subtreecom name="centre" body="arm"/> <subtreelinvel name="drift" body="arm"/> <subtreeangmom name="whirl" body="arm"/>
  <clock name="clock"/> <e_potential name="height"/> <e_kinetic name="motion"/>
  <user name="own" dim="1"/>
</sensor>"#;

#[test]
fn sensors_of_a_swinging_arm_have_their_closed_forms() {
    // Angle from straight down, about y: the tip is at (-sin, 0, -cos).
    let (angle, rate) = (0.4_f64, 2.0);
    let (s, c) = sin_cos(angle);
    let moment = 0.1 + 2.0 * 0.25 + 0.01 + 1.0;
    for method in ["events", "stepping"] {
        let mut world = world(ARM, method);
        world.set_coordinates(&[angle], &[rate]).unwrap();
        world.set_control(0, 5.0).unwrap();
        // The force is bounded to 1 before the gear of 3.
        let swing = (3.0 - (2.0 * 0.5 + 1.0) * 10.0 * s) / moment;
        near(&world, "angle", &[angle + 0.25], 1e-15);
        near(&world, "rate", &[1.5], 1e-15);
        near(&world, "torque at hinge", &[3.0], 1e-15);
        near(&world, "length", &[2.0 * (angle + 0.25)], 1e-15);
        near(&world, "shortening", &[2.0 * rate], 1e-15);
        near(&world, "turned", &[3.0 * (angle + 0.25)], 1e-15);
        near(&world, "turning", &[3.0 * rate], 1e-15);
        near(&world, "force", &[1.0], 1e-15);
        near(&world, "place", &[-s, 0.0, -c], 1e-15);
        near(&world, "seen", &[0.0, s, -c], 1e-15);
        near(&world, "attitude", &[cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0], 1e-15);
        near(&world, "up", &[s, 0.0, c], 1e-15);
        near(&world, "speed", &[-c * rate, 0.0, s * rate], 1e-14);
        near(&world, "own speed", &[0.0; 3], 1e-14);
        near(&world, "spin", &[0.0, rate, 0.0], 1e-15);
        near(&world, "gyro", &[0.0, rate, 0.0], 1e-15);
        near(&world, "velocimeter", &[-rate, 0.0, 0.0], 1e-14);
        near(&world, "compass", &[0.0, 1.0, 0.0], 1e-15);
        near(&world, "spin-up", &[0.0, swing, 0.0], 1e-12);
        // Across the arm the swing, along it the centripetal part; and gravity upwards.
        let felt = [-swing - 10.0 * s, 0.0, rate * rate + 10.0 * c];
        near(&world, "accelerometer", &felt, 1e-12);
        near(&world, "felt", &[felt[0] * c + felt[2] * s, 0.0, -felt[0] * s + felt[2] * c], 1e-12);
        // The stick weighs 1 kg and is held at the tip; about the tip nothing turns what is above but the arm's own inertia.
        near(&world, "pull", &felt, 1e-12);
        let lever = 2.0 * (-0.5 * swing - 10.0 * s) * 0.5 + 0.11 * swing;
        near(&world, "twist", &[0.0, lever, 0.0], 1e-11);
        let reach = 2.0 / 3.0;
        near(&world, "centre", &[-s * reach, 0.0, -c * reach], 1e-15);
        near(&world, "drift", &[-c * rate * reach, 0.0, s * rate * reach], 1e-14);
        let about_center = 0.1 + 0.01 + 2.0 * (reach - 0.5_f64).powi(2) + (1.0 - reach).powi(2);
        near(&world, "whirl", &[0.0, about_center * rate, 0.0], 1e-14);
        near(&world, "clock", &[0.0], 1e-15);
        near(&world, "height", &[-10.0 * 2.0 * c], 1e-13);
        near(&world, "motion", &[0.5 * moment * rate * rate], 1e-13);
        assert!(world.sensor("own").unwrap()[0].is_nan());
        assert_eq!(world.sensor_values().len(), 30);
        let error = world.sensor("gyros").unwrap_err().to_string();
        assert_eq!(error, "there is no sensor 'gyros': did you mean 'gyro'?");
    }
}

/// A box that stands on the floor, with feelers.
const BOX: &str = r#"<option gravity="0 0 -10"/>
<worldbody>
  <geom name="floor" type="plane" size="1 1 1"/>
  <geom name="shelf" type="box" size="0.5 0.5 0.05" pos="0 0 2"/>
  <body name="box" pos="0 0 0.2"><freejoint/><geom type="box" size="0.2 0.2 0.2" mass="3"/>
    <site name="middle"/> <site name="top" pos="0 0 0.1"/> <site name="down" zaxis="0 0 -1"/> <site name="side" zaxis="1 0 0"/>
    <site name="sole" type="box" size="0.25 0.25 0.01" pos="0 0 -0.2"/>
    <site name="half" type="box" size="0.11 0.25 0.01" pos="-0.14 0 -0.2"/>
  </body>
</worldbody>
<sensor>
  <accelerometer name="imu" site="middle"/> <touch name="sole" site="sole"/> <touch name="half" site="half"/>
  <rangefinder name="up" site="top"/> <rangefinder name="down" site="down"/> <rangefinder name="side" site="side"/>
</sensor>"#;

#[test]
fn a_box_at_rest_feels_its_weight() {
    for method in ["events", "stepping"] {
        let mut world = world(BOX, method);
        world.advance_to(0.05).unwrap();
        near(&world, "imu", &[0.0, 0.0, 10.0], 1e-6);
        near(&world, "sole", &[30.0], 1e-5);
        // The corners on one side carry half.
        near(&world, "half", &[15.0], 1e-5);
        // Elastic contacts give way by half a micrometre.
        near(&world, "up", &[1.95 - 0.3], 1e-6);
        near(&world, "down", &[0.2], 1e-6);
        near(&world, "side", &[-1.0], 1e-15);
        // In free fall nothing is felt.
        world.set_positions(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
        world.advance_to(0.1).unwrap();
        near(&world, "imu", &[0.0; 3], 1e-9);
        near(&world, "sole", &[0.0], 1e-15);
    }
}

#[test]
fn sensors_that_name_nothing_are_refused_with_the_nearest_name() {
    let text = ARM.replace("site=\"joined\"/> <torque", "site=\"joint\"/> <torque");
    let folder = std::env::temp_dir().join(format!("zerogap-robot-sensors-{}-wrong", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("model.xml"), format!("<mujoco>{text}</mujoco>")).unwrap();
    let error = Scene::read(&folder.join("model.xml")).unwrap_err();
    assert!(error.report().contains("did you mean 'joined'?"), "{}", error.report());
    let warnings = scene(ARM).warnings.join("\n");
    assert!(warnings.contains("<user> sensors is not read: they have no value"), "{warnings}");
}

#[test]
fn coordinates_in_the_order_of_the_file_come_back() {
    let model = r#"<compiler angle="radian"/><worldbody>
        <body name="a"><joint name="late" axis="0 0 1" ref="0.5"/><geom size="0.1"/>
          <body name="b" pos="1 0 0"><joint name="ball" type="ball"/><geom size="0.1"/></body></body>
        <body name="c" pos="5 0 0"><freejoint name="root"/><geom size="0.1"/></body>
    </worldbody>"#;
    let world = world(model, "events");
    let names: Vec<String> = world.joints().into_iter().map(|joint| joint.name).collect();
    assert_eq!(names, ["late", "ball", "root"]);
    let file: Vec<f64> = vec![0.7, 0.5, 0.5, 0.5, -0.5, 1.0, 2.0, 3.0, 0.0, 0.6, 0.0, 0.8];
    let own = world.positions_from_mujoco(&file).unwrap();
    assert_eq!(own[1..5], [0.5, 0.5, -0.5, 0.5]);
    assert_eq!(own[8..12], [0.6, 0.0, 0.8, 0.0]);
    assert!((own[0] - 0.2).abs() < 1e-15);
    let back = world.positions_to_mujoco(&own).unwrap();
    assert!(back.iter().zip(&file).all(|(a, b)| (a - b).abs() < 1e-15));
    let v: Vec<f64> = (0..10).map(f64::from).collect();
    assert_eq!(world.velocities_from_mujoco(&world.velocities_to_mujoco(&v).unwrap()).unwrap(), v);
    assert!(world.positions_from_mujoco(&file[1..]).is_err());
    assert_eq!(world.joint_named("late").unwrap().velocities, 0..1);
    assert!(world.frame_named("b").unwrap().body.is_some() && world.frame_named("d").is_err());
}
