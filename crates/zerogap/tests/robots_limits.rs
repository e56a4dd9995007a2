//! Limits of tendons and of ball joints, and rolling friction, of generated MJCF models by every method, against closed forms.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap::Vec3;
use zerogap::core::math::atan2;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::BodyId;
use zerogap::scene::Scene;
use zerogap::world::{EventKind, EventLocation, MethodParams, Stepping, World};

const G: f64 = 9.81;

fn file(text: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("zerogap-robot-limits-{}-{number}.xml", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

fn located() -> MethodParams {
    let tolerance = Tolerance { relative: 1e-9, absolute: 1e-11 };
    MethodParams::Events(EventLocation { tolerance, ..EventLocation::default() })
}

fn stepping(step: f64) -> MethodParams {
    MethodParams::Stepping(Stepping { step, ..Stepping::default() })
}

fn world(inner: &str, method: MethodParams) -> World {
    let read = Scene::read(&file(&format!("<mujoco>{inner}</mujoco>")));
    let mut scene = read.unwrap_or_else(|error| panic!("{}", error.report()));
    scene.builder.set_method(method);
    scene.build().unwrap_or_else(|error| panic!("{}", error.report()))
}

/// A ball on a rope of 1 m, which hangs from the origin.
fn roped(at: [f64; 3], method: MethodParams) -> World {
    let [x, y, z] = at;
    world(
        &format!(
            "<worldbody><site name=\"hook\"/><body name=\"ball\" pos=\"{x} {y} {z}\"><freejoint/>
            <geom size=\"0.01\" mass=\"0.5\"/><site name=\"eye\"/></body></worldbody>
            <tendon><spatial range=\"0 1\" limited=\"true\"><site site=\"hook\"/><site site=\"eye\"/></spatial></tendon>"
        ),
        method,
    )
}

fn ball(world: &World) -> Vec3 {
    world.pose(BodyId(0)).translation()
}

#[test]
fn a_ball_on_a_taut_rope_swings_as_a_pendulum() {
    // From the side: a quarter of a period is K(sin 45°) √(L/g).
    let quarter = 1.854_074_677_301_372 * (1.0 / G).sqrt();
    let off_at_quarter = |method: MethodParams| {
        let mut world = roped([1.0, 0.0, 0.0], method);
        world.advance_to(quarter).unwrap();
        let speed = world.velocity(BodyId(0)).norm();
        let off = (ball(&world) - Vec3::new(0.0, 0.0, -1.0)).norm();
        (off.max((speed - (2.0 * G).sqrt()).abs()), world)
    };
    let (off, _) = off_at_quarter(located());
    assert!(off < 1e-6, "{off:e}");
    let steps = [4e-3, 2e-3, 1e-3].map(|step| off_at_quarter(stepping(step)).0);
    println!("off after a quarter, by steps of 4, 2 and 1 ms: {steps:?}");
    assert!(steps[2] < 0.02 && steps[2] < 0.7 * steps[1] && steps[1] < 0.7 * steps[0], "{steps:?}");

    // For ten seconds it keeps its length, and gains no energy.
    let mut world = roped([1.0, 0.0, 0.0], stepping(1e-3));
    let (start, mut longest, mut most) = (world.energy().total(), 0.0_f64, f64::NEG_INFINITY);
    for k in 1..=1000 {
        world.advance_to(f64::from(k) * 0.01).unwrap();
        longest = longest.max(ball(&world).norm() - 1.0);
        most = most.max(world.energy().total() - start);
    }
    let swing = 0.5 * G;
    println!(
        "longer by {longest:e} m at most, energy {most:e} J more and now {:e} J",
        world.energy().total() - start
    );
    assert!(longest < 1e-5, "{longest:e}");
    // The rule of a taut rope is of the first order: energy swings about that of the start.
    assert!(most < 2e-3 * swing, "{most:e}");
}

#[test]
fn a_rope_that_becomes_taut_stops_what_pulls_on_it() {
    let fall = 0.8;
    let (hit, speed) = ((2.0 * fall / G).sqrt(), (2.0 * G * fall).sqrt());
    let mut world = roped([0.6, 0.0, 0.0], located());
    world.advance_to(hit + 1e-6).unwrap();
    let reached: Vec<f64> = world
        .events()
        .iter()
        .filter(|event| matches!(event.what, EventKind::LimitReached { .. }))
        .map(|event| event.t)
        .collect();
    assert!(reached.len() == 1 && (reached[0] - hit).abs() < 1e-8, "{reached:?} {hit}");
    // Along the rope nothing is left.
    let after = world.velocity(BodyId(0));
    assert!((after - Vec3::new(-0.8, 0.0, -0.6) * (0.6 * speed)).norm() < 1e-4, "{after}");

    let mut world = roped([0.6, 0.0, 0.0], stepping(1e-3));
    world.advance_to(hit + 2e-3).unwrap();
    let after = world.velocity(BodyId(0));
    assert!((after - Vec3::new(-0.8, 0.0, -0.6) * (0.6 * speed)).norm() < 0.05, "{after}");
}

#[test]
fn sums_of_joints_stop_at_their_limits() {
    let model = "<option gravity=\"0 0 0\"/><worldbody>
        <body name=\"a\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\" mass=\"1\"/></body>
        <body name=\"b\" pos=\"0 1 0\"><joint name=\"y\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\" mass=\"3\"/></body></worldbody>
        <tendon><fixed range=\"-0.2 0.2\" limited=\"true\"><joint joint=\"x\" coef=\"1\"/><joint joint=\"y\" coef=\"1\"/></fixed></tendon>";
    for method in [located(), stepping(1e-3)] {
        let mut world = world(model, method);
        world.set_joint(BodyId(0), None, Some(&[1.0])).unwrap();
        world.advance_to(1.0).unwrap();
        // At 0.2 s the sum is stopped: momenta change alike, 1 - p of the first and -p of the second are opposite speeds.
        let (q, v) = (world.positions(), world.velocities());
        assert!((v[0] + v[1]).abs() < 1e-9, "{v:?}");
        assert!((v[0] - 0.25).abs() < 1e-9 && (q[0] + q[1] - 0.2).abs() < 2e-3, "{q:?} {v:?}");
    }
}

#[test]
fn a_ball_joint_stops_at_its_largest_angle() {
    let model = "<compiler angle=\"radian\"/><option gravity=\"9.81 0 0\"/><worldbody><body name=\"rod\">
        <joint type=\"ball\" range=\"0 0.5\" limited=\"true\" damping=\"0.05\"/>
        <geom type=\"capsule\" fromto=\"0 0 0 0 0 -1\" size=\"0.02\" mass=\"1\"/></body></worldbody>";
    for method in [located(), stepping(1e-3)] {
        let mut world = world(model, method);
        world.advance_to(3.0).unwrap();
        let q = world.positions();
        let angle = 2.0 * atan2(q[..3].iter().map(|x| x * x).sum::<f64>().sqrt(), q[3].abs());
        assert!((angle - 0.5).abs() < 1e-6, "{angle}");
        let fastest = world.velocities().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        assert!(fastest < 1e-6, "{fastest:e}");
    }
}

#[test]
fn a_ball_with_condim_6_rolls_out() {
    // The torque μ N about the point of contact: a (m r² + I) = μ m g r of the speed.
    let arm = 2e-3;
    let model = format!(
        "<worldbody><geom type=\"plane\" size=\"5 5 1\" condim=\"6\" friction=\"1 0.005 {arm}\"/>
        <body pos=\"0 0 0.1\"><freejoint/><geom size=\"0.1\" mass=\"1\" condim=\"6\" friction=\"1 0.005 {arm}\"/></body></worldbody>"
    );
    let mut world = world(&model, stepping(1e-3));
    let start = world.positions().to_vec();
    world.set_coordinates(&start, &[1.0, 0.0, 0.0, 0.0, 10.0, 0.0]).unwrap();
    let slower = arm * G / (1.4 * 0.1);
    let time = 1.0 / slower;
    world.advance_to(0.5 * time).unwrap();
    let speed = world.velocity(BodyId(0)).x;
    assert!((speed - 0.5).abs() < 2e-3, "{speed}");
    world.advance_to(1.1 * time).unwrap();
    assert!(world.velocity(BodyId(0)).norm() < 1e-6, "it still rolls");
    assert!((ball(&world).x - 0.5 * time).abs() < 5e-3, "{} {}", ball(&world).x, 0.5 * time);
}

#[test]
fn dry_friction_of_joints_brakes_by_every_method() {
    // A wheel that turns against 0.3 N m: ω - 0.3 t / I, then rest.
    let model = "<option gravity=\"0 0 0\"/><worldbody><body><joint frictionloss=\"0.3\"/>
        <inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 0.5\"/></body></worldbody>";
    for (method, off) in [(located(), 2e-3), (stepping(1e-3), 1e-6)] {
        let mut world = world(model, method);
        world.set_joint(BodyId(0), None, Some(&[2.0])).unwrap();
        world.advance_to(1.0).unwrap();
        assert!((world.velocities()[0] - 1.4).abs() < 1e-3 * off + 1e-6, "{:?}", world.velocities());
        world.advance_to(5.0).unwrap();
        assert!(world.velocities()[0].abs() < 1e-6);
        assert!((world.positions()[0] - 4.0 / 1.2).abs() < off, "{:?}", world.positions());
    }
}
