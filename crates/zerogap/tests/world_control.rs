//! Worlds under control: coordinates that are set, equations of motion against energy, finite differences and closed forms, and controllers that are called at exact times.

use zerogap::core::math::{sin, sin_cos};
use zerogap::core::nalgebra::{DMatrix, DVector};
use zerogap::dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopKind, Motor, Site};
use zerogap::world::{
    BodyDef, Controller, EventKind, Overlaps, ShapeDef, Stop, World, WorldBuilder, WorldError, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::random::Random;

const METHODS: [&str; 3] = ["events", "stepping", "silvia"];

fn by(method: &str, gravity: Vec3) -> WorldBuilder {
    let params = WorldParams { gravity, ..WorldParams::default() };
    let method = params.method.by(method).unwrap();
    WorldBuilder::new(WorldParams { method, ..params })
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn some_inertia(random: &mut Random) -> Inertia {
    let center = random.in_cube(0.3);
    let turn = Pose::from_axis_angle(Vec3::zeros(), random.in_cube(1.0), 1.0).unwrap().rotation_matrix();
    let moments = Vec3::new(0.2, 0.3, 0.4);
    let inertia = turn * zerogap::Mat3::from_diagonal(&moments) * turn.transpose();
    Inertia { mass: 0.5 + random.in_cube(0.4).x.abs(), center, inertia }
}

/// A tree with every kind of joint, at random places.
fn mixed(seed: u64, method: &str) -> World {
    let mut random = Random::new(seed);
    let mut builder = by(method, Vec3::new(0.3, -0.2, -9.81));
    let mut parent = None;
    let kinds = [
        JointKind::Free,
        JointKind::Revolute { axis: Vec3::new(1.0, 2.0, -1.0) },
        JointKind::Spherical,
        JointKind::Prismatic { axis: Vec3::new(0.0, 1.0, 1.0) },
        JointKind::Universal { first: Vec3::x(), second: Vec3::new(0.1, 1.0, 0.2) },
        JointKind::Cylindrical { axis: Vec3::z() },
        JointKind::Planar { normal: Vec3::new(1.0, 1.0, 0.0) },
    ];
    for kind in kinds {
        let frame = Pose::from_axis_angle(random.in_cube(0.5), random.in_cube(1.0), 0.7).unwrap();
        let joint =
            Joint::new(parent, kind).parent_frame(if parent.is_none() { Pose::identity() } else { frame });
        let joint = joint.child_frame(Pose::from_translation(random.in_cube(0.2)).unwrap());
        let inertia = some_inertia(&mut random);
        parent = Some(builder.body(BodyDef::new(joint).with_inertia(inertia)).unwrap());
    }
    let mut world = builder.build().unwrap();
    let q: Vec<f64> = (0..world.tree().positions()).map(|_| random.in_cube(0.8).x).collect();
    let v: Vec<f64> = (0..world.tree().velocities()).map(|_| random.in_cube(1.0).x).collect();
    world.set_coordinates(&q, &v).unwrap();
    world
}

/// Positions a little further along velocities.
fn moved(world: &World, time: f64) -> Vec<f64> {
    let mut q = world.positions().to_vec();
    let dv: Vec<f64> = world.velocities().iter().map(|v| v * time).collect();
    world.tree().displace(&mut q, &dv);
    q
}

#[test]
fn the_mass_matrix_gives_the_kinetic_energy_and_inverts_free_motion() {
    for seed in 0..20 {
        let world = mixed(seed, "events");
        let n = world.tree().velocities();
        let (m, v) = (world.mass_matrix(), DVector::from_row_slice(world.velocities()));
        let energy = 0.5 * v.dot(&(&m * &v));
        assert!((energy - world.energy().kinetic).abs() < 1e-12 * energy, "{seed}");
        assert!((&m - m.transpose()).amax() < 1e-14 * m.amax(), "{seed}");
        // M a + h is what inverse dynamics says, by rows of accelerations, and nothing drives what falls.
        let a: Vec<f64> = (0..n).map(|k| sin(k as f64 * 0.7)).collect();
        let effort = &m * DVector::from_vec(a.clone()) + DVector::from_vec(world.bias_forces());
        let found = DVector::from_vec(world.inverse_dynamics(&a, false).unwrap());
        assert!((&found - &effort).amax() < 1e-11 * effort.amax(), "{seed}");
        let free = world.inverse_dynamics(&world.accelerations(), false).unwrap();
        let largest = effort.amax();
        assert!(free.iter().all(|x| x.abs() < 1e-10 * largest), "{seed}: {free:?}");
    }
}

#[test]
fn bias_forces_of_a_planar_double_pendulum_have_their_closed_form() {
    // Two point masses on massless rods of lengths a and b, angles from straight down, the second against the first.
    let (a, b, one, two, g) = (0.7, 0.4, 1.3, 0.9, 9.81);
    let mut builder = by("events", Vec3::new(0.0, 0.0, -g));
    let hinge =
        |parent, place: Pose| Joint::new(parent, JointKind::Revolute { axis: Vec3::y() }).parent_frame(place);
    let bob = |mass, length: f64| Inertia::point(mass, Vec3::new(0.0, 0.0, -length));
    let first = builder.body(BodyDef::new(hinge(None, Pose::identity())).with_inertia(bob(one, a))).unwrap();
    builder.body(BodyDef::new(hinge(Some(first), at(0.0, 0.0, -a))).with_inertia(bob(two, b))).unwrap();
    let mut world = builder.build().unwrap();
    let (p, q, u, w) = (0.4_f64, -1.1_f64, 0.9, -2.3);
    world.set_coordinates(&[p, q], &[u, w]).unwrap();
    let (s, c) = sin_cos(q);
    let m12 = two * b * (b + a * c);
    let expected = DMatrix::from_row_slice(
        2,
        2,
        &[one * a * a + two * (a * a + b * b + 2.0 * a * b * c), m12, m12, two * b * b],
    );
    assert!((world.mass_matrix() - expected).amax() < 1e-14);
    let gravity = [(one + two) * g * a * sin(p) + two * g * b * sin(p + q), two * g * b * sin(p + q)];
    let spin = [-two * a * b * s * (2.0 * u * w + w * w), two * a * b * s * u * u];
    for (k, found) in world.bias_forces().into_iter().enumerate() {
        assert!((found - gravity[k] - spin[k]).abs() < 1e-13, "{k}: {found}");
    }
}

#[test]
fn jacobians_are_the_derivatives_of_forward_kinematics() {
    let step = 1e-5;
    for seed in 0..10 {
        let mut world = mixed(seed, "events");
        let (q, v) = (world.positions().to_vec(), world.velocities().to_vec());
        let point = Vec3::new(0.2, -0.1, 0.3);
        for body in world.bodies().to_vec() {
            let frame =
                Site { body: Some(body), pose: Pose::from_axis_angle(point, Vec3::x(), 0.4).unwrap() };
            let row = body.index();
            let jacobian = world.jacobian(&frame, point);
            for k in 0..v.len() {
                let mut dv = vec![0.0; v.len()];
                let mut ends = [step, -step].map(|amount| {
                    let mut q = q.clone();
                    dv[k] = amount;
                    world.tree().displace(&mut q, &dv);
                    world.forward_kinematics(&q).unwrap()[row]
                });
                for pose in &mut ends {
                    *pose = *pose * frame.pose;
                }
                let shift =
                    (ends[0].transform_point(&point) - ends[1].transform_point(&point)) / (2.0 * step);
                let turn = ends[0].rotation_vector_from(&ends[1]) / (2.0 * step);
                for axis in 0..3 {
                    assert!((jacobian[(axis, k)] - shift[axis]).abs() < 1e-8, "{seed} {row} {k}");
                    assert!((jacobian[(axis + 3, k)] - turn[axis]).abs() < 1e-8, "{seed} {row} {k}");
                }
            }
            // Its rate along the motion, times the velocities.
            let rate = world.jacobian_rate_times_velocity(&frame, point);
            let ends = [step, -step].map(|time| {
                let q = moved(&world, time);
                let before = (world.positions().to_vec(), world.velocities().to_vec());
                world.set_coordinates(&q, &v).unwrap();
                let product = world.jacobian(&frame, point) * DVector::from_row_slice(&v);
                world.set_coordinates(&before.0, &before.1).unwrap();
                product
            });
            let expected = (&ends[0] - &ends[1]) / (2.0 * step);
            for axis in 0..6 {
                assert!((rate[axis] - expected[axis]).abs() < 1e-7 * (1.0 + expected.amax()), "{seed} {row}");
            }
        }
        // The momentum is the mass times the velocity of the centre of mass, of each part as of the whole.
        for root in [None, Some(BodyId(3))] {
            let center = |time: f64, world: &mut World| {
                let q = moved(world, time);
                let before = (world.positions().to_vec(), world.velocities().to_vec());
                world.set_coordinates(&q, &v).unwrap();
                let center = world.center_of_mass(root).unwrap();
                world.set_coordinates(&before.0, &before.1).unwrap();
                center
            };
            let speed = (center(step, &mut world) - center(-step, &mut world)) / (2.0 * step);
            let counted = world.bodies().iter().filter(|body| root.is_none_or(|root| body.0 >= root.0));
            let mass: f64 = counted.map(|body| world.tree().inertia(*body).mass).sum();
            assert!((world.momentum_about_center(root).0 - speed * mass).norm() < 1e-8, "{seed}");
        }
    }
}

/// A ball above a floor and an arm with limits beside it.
fn ball_and_arm(method: &str, height: f64, angle: f64) -> World {
    let mut builder = by(method, Vec3::new(0.0, 0.0, -9.81));
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    builder
        .body(BodyDef::free(at(0.0, 0.0, height)).with(Shape::sphere(0.1).unwrap(), "steel").named("ball"))
        .unwrap();
    let hinge = Joint::new(None, JointKind::Revolute { axis: Vec3::y() }).parent_frame(at(3.0, 0.0, 2.0));
    let limits = Dof { lower: Some(-1.0), upper: Some(1.0), ..Dof::default() };
    let bob = Inertia::point(1.0, Vec3::new(0.0, 0.0, -1.0));
    builder
        .body(BodyDef::new(hinge).with_inertia(bob).with_dof(0, limits).starting(&[angle]).named("arm"))
        .unwrap();
    builder.build().unwrap()
}

#[test]
fn a_world_that_was_set_moves_as_one_that_began_there() {
    for method in METHODS {
        let mut set = ball_and_arm(method, 0.9, 0.2);
        set.set_coordinates(&[0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 2.0, -0.5], &[0.0; 7]).unwrap();
        let mut begun = ball_and_arm(method, 0.4, -0.5);
        for world in [&mut set, &mut begun] {
            world.advance_to(0.5).unwrap();
        }
        assert_eq!(set.hash(), begun.hash(), "{method}");
    }
}

#[test]
fn what_rests_can_be_lifted_and_falls_again() {
    for method in ["events", "stepping"] {
        let mut world = ball_and_arm(method, 0.1, 0.0);
        world.advance_to(0.3004).unwrap();
        let events = world.events().len();
        let now = world.positions().to_vec();
        world.set_positions(&now).unwrap();
        assert_eq!(world.events().len(), events, "{method}: nothing changed");
        world.set_joint(BodyId(0), Some(&[0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 1.0]), Some(&[0.0; 6])).unwrap();
        // Free fall for 0.1 m takes 0.1428 s.
        world.advance_to(0.3004 + 0.14).unwrap();
        let expected = 0.2 - 0.5 * 9.81 * 0.14 * 0.14;
        let height = world.pose(BodyId(0)).translation().z;
        assert!(
            (height - expected).abs() < if method == "events" { 1e-9 } else { 2e-3 },
            "{method}: {height}"
        );
        let ended = |event: &zerogap::world::Event| matches!(event.what, EventKind::ContactEnd { .. });
        assert!(world.events()[events..].iter().any(ended), "{method}");
        // With a restitution of 0.7 it bounces for a second.
        world.advance_to(2.5).unwrap();
        let begun = |event: &zerogap::world::Event| matches!(event.what, EventKind::ContactBegin { .. });
        let since = &world.events()[events..];
        assert!(since.iter().any(begun), "{method}: {since:?} {}", world.pose(BodyId(0)).translation().z);
        let height = world.pose(BodyId(0)).translation().z;
        assert!(height > 0.0999, "{method}: {height}");
    }
}

#[test]
fn coordinates_that_cannot_be_are_refused_and_change_nothing() {
    for method in METHODS {
        let mut world = ball_and_arm(method, 0.5, 0.2);
        world.advance_to(0.0505).unwrap();
        let (hash, v) = (world.hash(), world.velocities().to_vec());
        let good = [0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0];
        let with = |k: usize, x: f64| {
            let mut q = good;
            q[k] = x;
            q
        };
        let refused = |world: &mut World, q: &[f64]| world.set_coordinates(q, &v).unwrap_err();
        let short = refused(&mut world, &good[..7]);
        assert_eq!(short.to_string(), "there are 8 positions here, not 7", "{method}");
        assert!(matches!(refused(&mut world, &with(1, f64::NAN)), WorldError::NotFinite { .. }));
        assert!(matches!(refused(&mut world, &with(6, 0.0)), WorldError::NoRotation { .. }));
        assert!(matches!(refused(&mut world, &with(7, 1.5)), WorldError::BeyondLimits { .. }));
        assert!(matches!(refused(&mut world, &with(2, 0.05)), WorldError::Overlap { .. }), "{method}");
        assert!(matches!(
            world.set_velocities(&[0.0; 3]).unwrap_err(),
            WorldError::Coordinates { given: 3, needed: 7, .. }
        ));
        assert_eq!(world.hash(), hash, "{method}");
        world.advance_to(0.1).unwrap();
    }
    // A square of four rods: one corner cannot stand elsewhere by itself.
    let mut builder = by("events", Vec3::zeros());
    let mut parent = None;
    let mut last = None;
    for k in 0..3 {
        let place = if k == 0 { Pose::identity() } else { at(1.0, 0.0, 0.0) };
        let joint = Joint::new(parent, JointKind::Revolute { axis: Vec3::z() }).parent_frame(place);
        let start =
            [std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2][k];
        let rod = Inertia::cuboid(1.0, Vec3::new(1.0, 0.1, 0.1));
        last = Some(builder.body(BodyDef::new(joint).with_inertia(rod).starting(&[start])).unwrap());
        parent = last;
    }
    builder
        .close(Loop {
            a: None,
            frame_a: at(1.0, 0.0, 0.0),
            b: last,
            frame_b: at(1.0, 0.0, 0.0),
            kind: LoopKind::Point,
        })
        .unwrap();
    let mut world = builder.build().unwrap();
    let open = world.set_positions(&[1.2, -1.5, -1.5]).unwrap_err();
    assert!(matches!(open, WorldError::OpenLoop { .. }), "{open}");
    assert!(open.to_string().contains("leave loops open"), "{open}");
    // One that closes it is taken, and closed exactly.
    world.set_positions(&[1.0, -1.0, -2.141_59]).unwrap();
    assert!(world.loop_errors().iter().all(|error| error.abs() < 1e-12));
}

/// A mass on a rail that a controller pushes, by piecewise constant forces.
fn rail(method: &str) -> World {
    let mut builder = by(method, Vec3::zeros());
    let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
    let inertia = Inertia::sphere(2.0, 0.1);
    builder.body(BodyDef::new(joint).with_inertia(inertia).starting(&[1.0])).unwrap();
    builder.build().unwrap()
}

const PERIOD: f64 = 0.0137;

fn controlled(method: &str) -> World {
    let mut world = rail(method);
    world
        .control_by(PERIOD, |world| {
            let (x, v) = (world.positions()[0], world.velocities()[0]);
            world.set_motor(BodyId(0), 0, Motor::Effort(-30.0 * x - 9.0 * v))
        })
        .unwrap();
    world
}

#[test]
fn a_controller_is_called_at_exact_times_in_every_method() {
    // The same samples in closed form: a force of 2 kg over each period.
    let (mut x, mut v) = (1.0, 0.0);
    let calls = 60;
    for _ in 0..calls {
        let a = (-30.0 * x - 9.0 * v) / 2.0;
        x += v * PERIOD + 0.5 * a * PERIOD * PERIOD;
        v += a * PERIOD;
    }
    for (method, tolerance) in [("events", 1e-9), ("stepping", 1e-3), ("silvia", 1e-3)] {
        let mut world = controlled(method);
        world.advance_to(f64::from(calls) * PERIOD).unwrap();
        let apart = (world.positions()[0] - x).abs().max((world.velocities()[0] - v).abs());
        assert!(apart < tolerance, "{method}: {apart:e}");
    }
}

#[test]
fn a_controlled_run_does_not_depend_on_its_calls_and_is_saved_with_its_ticks() {
    for method in METHODS {
        let until = 0.31;
        let mut whole = controlled(method);
        whole.advance_to(until).unwrap();
        let mut random = Random::new(7);
        let mut cut = controlled(method);
        while cut.time() < until {
            cut.advance_to((cut.time() + 0.03 * random.in_cube(1.0).x.abs()).min(until)).unwrap();
        }
        assert_eq!(cut.hash(), whole.hash(), "{method}");
        let mut again = controlled(method);
        again.advance_to(0.111).unwrap();
        let saved = again.save();
        again.advance_to(0.2).unwrap();
        again.restore(&saved).unwrap();
        again.advance_to(until).unwrap();
        assert_eq!(again.hash(), whole.hash(), "{method}");
        // Somebody outside, called at the same times, does the same.
        let mut outside = rail(method);
        outside.set_controller(PERIOD, Controller::Outside).unwrap();
        let mut frames = Vec::new();
        let mut sink = |frame: zerogap::world::Frame, _: &[zerogap::world::Event]| {
            frames.push(frame.t);
            std::ops::ControlFlow::Continue(())
        };
        let mut stop = outside.stream_to(until, 0.01, &mut sink).unwrap();
        let mut ticks = 0;
        while stop == Stop::Tick {
            assert!((outside.time() - f64::from(ticks) * PERIOD).abs() < 1e-15, "{method}");
            ticks += 1;
            let (x, v) = (outside.positions()[0], outside.velocities()[0]);
            outside.set_motor(BodyId(0), 0, Motor::Effort(-30.0 * x - 9.0 * v)).unwrap();
            stop = outside.resume_stream(until, &mut sink).unwrap();
        }
        assert_eq!((stop, ticks), (Stop::Reached, 23), "{method}");
        assert_eq!(outside.hash(), whole.hash(), "{method}");
        assert_eq!(frames.len(), 32, "{method}: {frames:?}");
    }
    assert!(rail("events").control_by(0.0, |_| Ok(())).is_err());
    // What a controller raises ends the run.
    let mut failing = rail("stepping");
    failing.control_by(0.1, |world| world.set_motor(BodyId(9), 0, Motor::Off)).unwrap();
    assert!(failing.advance_to(1.0).is_err());
}

#[test]
fn contact_forces_count_in_inverse_dynamics_where_they_are_asked_for() {
    for method in ["events", "stepping"] {
        let mut world = ball_and_arm(method, 0.1, 0.0);
        world.advance_to(0.5).unwrap();
        let weight = world.tree().inertia(BodyId(0)).mass * 9.81;
        assert!((world.contact_force(None, Some(BodyId(0))).z - weight).abs() < 1e-6 * weight, "{method}");
        assert!((world.contact_force(Some(BodyId(0)), None).z + weight).abs() < 1e-6 * weight, "{method}");
        let still = vec![0.0; 7];
        let all = world.inverse_dynamics(&still, false).unwrap();
        let rest = world.inverse_dynamics(&still, true).unwrap();
        assert!((all[2] - weight).abs() < 1e-9 * weight && rest[2].abs() < 1e-6 * weight, "{method}");
        assert!(world.accelerations()[2].abs() < 1e-6, "{method}");
        let saved = world.save();
        let before = world.accelerations();
        world.advance_to(0.6).unwrap();
        world.restore(&saved).unwrap();
        assert_eq!(world.accelerations(), before, "{method}");
    }
}

#[test]
fn overlaps_of_listed_bodies_alone_are_excluded() {
    let build = |listed: &[BodyId]| {
        let mut builder = by("stepping", Vec3::zeros());
        for (k, x) in [0.0, 0.15, 5.0, 5.15].into_iter().enumerate() {
            let ball = BodyDef::free(at(x, 0.0, 0.0)).with(Shape::sphere(0.1).unwrap(), "steel");
            builder.body(ball.named(&format!("ball {k}"))).unwrap();
        }
        builder.exclude_overlaps_of(listed);
        builder.set_overlaps(Overlaps::Refuse);
        WorldBuilder::from_bytes(&builder.to_bytes().unwrap()).unwrap().build()
    };
    assert!(matches!(build(&[BodyId(0)]), Err(WorldError::Overlap { .. })));
    let world = build(&[BodyId(0), BodyId(3)]).unwrap();
    assert_eq!(world.start_overlaps().excluded.len(), 2);
    assert!(world.overlap_warnings()[0].contains("'ball 0' and 'ball 1' overlap by 5.000e-2 m"));
}
