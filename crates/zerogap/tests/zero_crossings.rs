//! Zero-crossing functions of a world's shapes for integrators of others: which pairs have one, when they cross zero, and the forces beside them.

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::dynamics::multibody::Wrench;
use zerogap::world::{
    BodyDef, BodyVelocity, Collision, ContactModel, EventLocation, Overlaps, PairId, ShapeDef, ShapeId,
    World, WorldBuilder, WorldParams, ZeroCrossingError, ZeroCrossingParams, ZeroCrossings, ZeroFunctions,
};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::random::Random;

fn pair(a: u32, b: u32) -> PairId {
    PairId::new(ShapeId(a), ShapeId(b))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn some_pose(random: &mut Random, spread: f64) -> Pose {
    let axis = random.in_cube(1.0) + Vec3::new(2.0, 0.0, 0.0);
    Pose::from_axis_angle(random.in_cube(spread), axis, random.range(0.0, 6.0)).unwrap()
}

/// A floor and bodies of two shapes each, somewhere.
fn scattered(random: &mut Random, bodies: usize, law: NormalLaw) -> World {
    let params = WorldParams::new(EventLocation::new(ContactModel::Elastic(law)));
    let mut builder = WorldBuilder::new(params);
    builder.set_overlaps(Overlaps::Allow);
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), -0.4).unwrap(), "steel")).unwrap();
    let shapes = [
        Shape::sphere(0.05).unwrap(),
        Shape::cuboid(Vec3::new(0.1, 0.15, 0.08)).unwrap(),
        Shape::capsule(0.03, 0.1).unwrap(),
    ];
    for k in 0..bodies {
        let mut body = BodyDef::free(some_pose(random, 0.4)).named(&format!("body {k}"));
        for number in 0..2 {
            let shape = shapes[(k + number) % shapes.len()].clone();
            body = body.with_shape(ShapeDef::new(shape, "steel").at(some_pose(random, 0.08)));
        }
        builder.body(body).unwrap();
    }
    builder.build().unwrap()
}

fn poses(world: &World) -> Vec<Pose> {
    world.bodies().iter().map(|body| world.pose(*body)).collect()
}

fn made(world: &World, functions: ZeroFunctions) -> ZeroCrossings {
    ZeroCrossings::new(world, ZeroCrossingParams { functions, ..Default::default() }).unwrap()
}

fn values(functions: &ZeroCrossings, poses: &[Pose]) -> Vec<f64> {
    let mut z = vec![0.0; functions.len()];
    functions.distances(poses, &mut z).unwrap();
    z
}

/// Poses that are a little further along random velocities.
fn moved(poses: &[Pose], velocities: &[BodyVelocity], dt: f64) -> Vec<Pose> {
    let one = |(pose, v): (&Pose, &BodyVelocity)| {
        let angle = v.angular.norm() * dt;
        let turn = Pose::from_axis_angle(Vec3::zeros(), v.angular + Vec3::z() * 1e-300, angle).unwrap();
        let rotated = turn * Pose::new(Vec3::zeros(), pose.quaternion_xyzw()).unwrap();
        Pose::new(pose.translation() + v.linear * dt, rotated.quaternion_xyzw()).unwrap()
    };
    poses.iter().zip(velocities).map(one).collect()
}

#[test]
fn the_functions_stand_for_the_smallest_gaps_of_all_pairs() {
    let mut random = Random::new(11);
    for round in 0..20 {
        let world = scattered(&mut random, 6, NormalLaw::default());
        let at = poses(&world);
        let still = vec![BodyVelocity::default(); at.len()];
        let mut gaps: Vec<(f64, PairId)> = world
            .gaps(10.0)
            .unwrap()
            .iter()
            .map(|found| (found.gap.gap, PairId::new(found.a, found.b)))
            .collect();
        gaps.sort_by(|a, b| a.0.total_cmp(&b.0));
        let overlaps = gaps.iter().filter(|(gap, _)| *gap < 0.0).count();

        let count = 3 + round;
        let mut functions = made(&world, ZeroFunctions::Smallest(count));
        functions.reset(&at, &still).unwrap();
        assert_eq!(functions.in_contact().len(), overlaps);
        let z = values(&functions, &at);
        assert!(z.len() > overlaps, "{} functions, {overlaps} in contact", z.len());
        for (k, (gap, name)) in gaps.iter().take(z.len()).enumerate() {
            assert_eq!(functions.selected()[k], Some(*name));
            assert!((z[k].abs() - gap.abs()).abs() < 2e-8 && (z[k] < 0.0) == (*gap < 0.0), "{} {gap}", z[k]);
        }
        assert!(z.iter().skip(gaps.len()).all(|unused| (unused - 1.0).abs() < 1e-15));

        // Two functions: the nearest of the separated, the shallowest of the others.
        let mut two = made(&world, ZeroFunctions::Two);
        two.reset(&at, &still).unwrap();
        let z = values(&two, &at);
        assert!((z[0] - gaps[overlaps].0).abs() < 2e-8, "{z:?}");
        let shallowest = if overlaps > 0 { gaps[overlaps - 1].0 } else { -1.0 };
        assert!((z[1] - shallowest).abs() < 2e-8, "{z:?} {shallowest}");
    }
}

#[test]
fn signs_change_by_commits_alone_and_trials_leave_no_trace() {
    let mut random = Random::new(5);
    let (mut begun, mut ended) = (0, 0);
    for functions_of in [ZeroFunctions::Smallest(1), ZeroFunctions::Smallest(30), ZeroFunctions::Two] {
        for _ in 0..6 {
            let world = scattered(&mut random, 5, NormalLaw::default());
            let mut at = poses(&world);
            let velocities: Vec<BodyVelocity> = at
                .iter()
                .map(|_| BodyVelocity { linear: random.in_cube(0.5), angular: random.in_cube(2.0) })
                .collect();
            let mut functions = made(&world, functions_of);
            functions.reset(&at, &velocities).unwrap();
            for _ in 0..60 {
                let before = values(&functions, &at);
                // Trials far ahead and far back.
                for dt in [0.3, -0.2, 0.05] {
                    values(&functions, &moved(&at, &velocities, dt));
                }
                let again = values(&functions, &at);
                assert!(before.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits()));

                let next = moved(&at, &velocities, 0.01);
                let negative = |z: &[f64]| z.iter().filter(|z| **z < 0.0).count();
                let contacts = functions.in_contact().len();
                let lost = functions.select(&next).unwrap();
                if lost.is_empty() {
                    // The pairs may be others: the signs are not.
                    assert_eq!(functions.in_contact().len(), contacts);
                    let z = values(&functions, &next);
                    if functions_of != ZeroFunctions::Two {
                        assert_eq!(negative(&z), contacts);
                    }
                } else {
                    let changes = functions.commit(&next, &velocities, &[]).unwrap();
                    assert_eq!(changes.iter().map(|change| change.pair).collect::<Vec<_>>(), lost);
                    begun += changes.iter().filter(|change| change.began.is_some()).count();
                    ended += changes.iter().filter(|change| change.began.is_none()).count();
                    let z = values(&functions, &next);
                    if functions_of == ZeroFunctions::Two {
                        assert!(z[0] > 0.0 && z[1] < 0.0);
                    } else {
                        assert_eq!(negative(&z), functions.in_contact().len());
                        assert!(z.len() > functions.in_contact().len());
                    }
                }
                at = next;
            }
        }
    }
    // All cases have come.
    assert!(begun > 20 && ended > 20, "{begun} {ended}");
}

#[test]
fn a_pair_without_a_function_that_crosses_zero_is_reported_and_gets_one() {
    let mut builder = WorldBuilder::new(WorldParams::default());
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    for x in [0.0, 1.0] {
        builder.body(BodyDef::free(at(x, 0.0, 1.0)).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    }
    let world = builder.build().unwrap();
    let still = [BodyVelocity::default(); 2];
    let heights = |first: f64, second: f64| [at(0.0, 0.0, 0.1 + first), at(1.0, 0.0, 0.1 + second)];
    let mut functions = made(&world, ZeroFunctions::Smallest(1));
    functions.reset(&heights(0.01, 0.02), &still).unwrap();
    assert_eq!(functions.selected(), [Some(pair(0, 1))]);
    // The second one is faster.
    let next = heights(0.009, -1e-3);
    assert!(values(&functions, &next)[0] > 0.0);
    assert_eq!(functions.select(&next).unwrap(), [pair(0, 2)]);
    let changes = functions.commit(&next, &still, &[]).unwrap();
    assert_eq!((changes.len(), changes[0].pair, changes[0].was_selected), (1, pair(0, 2), false));
    // One for the contact, one for the other pair.
    assert_eq!(functions.selected(), [Some(pair(0, 2)), Some(pair(0, 1))]);
    assert!(functions.len() == 2 && values(&functions, &next)[0] < 0.0);
}

/// A ball over a floor with a law.
fn ball(law: NormalLaw, friction: f64, restitution: f64) -> World {
    let mut builder = WorldBuilder::new(WorldParams::new(EventLocation::new(ContactModel::Elastic(law))));
    builder.pair("steel", "steel", PairProperties { friction, restitution, ..Default::default() }).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    builder.body(BodyDef::free(at(0.0, 0.0, 1.0)).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    builder.build().unwrap()
}

fn falling(speed: f64) -> Vec<BodyVelocity> {
    vec![BodyVelocity { linear: Vec3::new(0.0, 0.0, -speed), angular: Vec3::zeros() }]
}

#[test]
fn a_pair_that_rests_at_a_gap_of_nothing_changes_once() {
    let world = ball(NormalLaw::default(), 0.0, 0.5);
    let mut functions = made(&world, ZeroFunctions::Smallest(1));
    let height = |gap: f64| [at(0.0, 0.0, 0.1 + gap)];
    functions.reset(&height(0.5), &falling(1.0)).unwrap();
    let mut random = Random::new(3);
    let mut changes = 0;
    for _ in 0..1000 {
        changes += functions.commit(&height(random.range(-4e-9, 4e-9)), &falling(0.0), &[]).unwrap().len();
    }
    assert_eq!(changes, 0);
    // The integrator says that it stopped at the zero of function 0.
    let begun = functions.commit(&height(-1e-8 + 1e-15), &falling(1.5), &[0]).unwrap();
    assert_eq!(begun.len(), 1);
    assert!((begun[0].began.unwrap() - 1.5).abs() < 1e-15 && begun[0].was_selected);
    for _ in 0..1000 {
        changes += functions.commit(&height(random.range(-4e-9, 4e-9)), &falling(0.0), &[]).unwrap().len();
    }
    assert_eq!(changes, 0);
    assert_eq!(functions.in_contact().collect::<Vec<_>>(), [pair(0, 1)]);
    assert_eq!(functions.commit(&height(1e-8), &falling(0.0), &[0]).unwrap()[0].began, None);
    assert_eq!(functions.in_contact().len(), 0);
}

#[test]
fn forces_are_those_of_the_law_and_act_on_both_alike() {
    let world = ball(NormalLaw::Hertz, 0.3, 0.5);
    let mut functions = made(&world, ZeroFunctions::Two);
    functions.reset(&[at(0.0, 0.0, 0.099)], &falling(0.0)).unwrap();
    let sliding = [BodyVelocity { linear: Vec3::new(2.0, 0.0, 0.0), angular: Vec3::new(0.0, 5.0, 0.0) }];
    let mut wrenches = [Wrench::default()];
    functions.forces(&[at(0.0, 0.0, 0.099)], &sliding, &mut wrenches).unwrap();
    let modulus = 0.5 * 2e11 / (1.0 - 0.09);
    let load = 4.0 / 3.0 * modulus * 0.1_f64.sqrt() * 1e-3 * 1e-3_f64.sqrt();
    let Wrench { force, torque } = wrenches[0];
    assert!((force.z / load - 1.0).abs() < 1e-12, "{} {load}", force.z);
    // The point in the middle of the overlap slides by 2 - 5 * 0.0995 m/s, so friction is full.
    assert!((force.x / load + 0.3).abs() < 1e-12 && force.y.abs() < 1e-9);
    assert!((torque.y / (0.0995 * 0.3 * load) - 1.0).abs() < 1e-12, "{torque:?}");

    // Momentum and angular momentum of bodies among themselves.
    let mut random = Random::new(21);
    let mut pushed = 0;
    for _ in 0..30 {
        let world = scattered(&mut random, 6, NormalLaw::default());
        let at: Vec<Pose> = poses(&world)
            .iter()
            .map(|p| Pose::new(p.translation() * 0.5 + Vec3::z(), p.quaternion_xyzw()).unwrap())
            .collect();
        let velocities: Vec<BodyVelocity> = at
            .iter()
            .map(|_| BodyVelocity { linear: random.in_cube(1.0), angular: random.in_cube(3.0) })
            .collect();
        let mut functions = made(&world, ZeroFunctions::default());
        functions.reset(&at, &velocities).unwrap();
        let mut wrenches = vec![Wrench::default(); at.len()];
        functions.forces(&at, &velocities, &mut wrenches).unwrap();
        let force: Vec3 = wrenches.iter().map(|w| w.force).sum();
        let torque: Vec3 =
            wrenches.iter().zip(&at).map(|(w, p)| w.torque + p.translation().cross(&w.force)).sum();
        let size: f64 = wrenches.iter().map(|w| w.force.norm()).sum();
        pushed += usize::from(size > 0.0);
        assert!(force.norm() <= 1e-12 * size && torque.norm() <= 1e-11 * size, "{force:?} {torque:?} {size}");
    }
    assert!(pushed > 20);
}

#[test]
fn the_restitution_that_was_asked_for_is_delivered_by_another_integrator() {
    for (law, restitution, speed) in [(NormalLaw::HuntCrossley, 0.8, 0.5), (NormalLaw::Hertz, 1.0, 0.5)] {
        let world = ball(law, 0.0, restitution);
        let mut functions = made(&world, ZeroFunctions::Two);
        functions.reset(&[at(0.0, 0.0, 0.1)], &falling(speed)).unwrap();
        functions.commit(&[at(0.0, 0.0, 0.1 - 1e-8)], &falling(speed), &[0]).unwrap();
        let mass = 8000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
        let push = |z: f64, v: f64| {
            let mut wrenches = [Wrench::default()];
            functions.forces(&[at(0.0, 0.0, z)], &falling(-v), &mut wrenches).unwrap();
            wrenches[0].force.z / mass
        };
        // Runge and Kutta's method, which knows nothing of the contact.
        let (mut z, mut v, h) = (0.1 - 1e-8, -speed, 1e-7);
        for _ in 0..20_000 {
            let k1 = (v, push(z, v));
            let k2 = (v + 0.5 * h * k1.1, push(z + 0.5 * h * k1.0, v + 0.5 * h * k1.1));
            let k3 = (v + 0.5 * h * k2.1, push(z + 0.5 * h * k2.0, v + 0.5 * h * k2.1));
            let k4 = (v + h * k3.1, push(z + h * k3.0, v + h * k3.1));
            z += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
            v += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
            if z > 0.1 {
                break;
            }
        }
        assert!(z > 0.1 && (v / speed - restitution).abs() < 1e-4, "{z} {v}");
    }
}

#[test]
fn corners_of_an_oriented_body_keep_the_surface_they_came_in_through() {
    let law = NormalLaw::KelvinVoigt { stiffness: 1e5, damping: 0.0 };
    let mut builder = WorldBuilder::new(WorldParams::new(EventLocation::new(ContactModel::Elastic(law))));
    let plate = Shape::cuboid(Vec3::new(1.0, 1.0, 0.02)).unwrap();
    builder.fixed(ShapeDef::new(plate, "steel").at(at(0.0, 0.0, -0.01))).unwrap();
    let cube = Shape::cuboid(Vec3::repeat(0.1)).unwrap();
    let body = BodyDef::free(at(0.0, 0.0, 0.2))
        .with_shape(ShapeDef { collision: Collision::Oriented, ..ShapeDef::new(cube, "steel") });
    builder.body(body).unwrap();
    let world = builder.build().unwrap();
    let mut functions = made(&world, ZeroFunctions::Smallest(3));
    let height = |z: f64| [at(0.0, 0.0, z)];
    functions.reset(&height(0.1), &falling(1.0)).unwrap();
    functions.commit(&height(0.05 - 1e-8), &falling(1.0), &[0]).unwrap();
    // Three quarters through the plate: still pushed up, in a trial and after a commit.
    for depth in [0.001, 0.015] {
        let mut wrenches = [Wrench::default()];
        functions.forces(&height(0.05 - depth), &falling(0.0), &mut wrenches).unwrap();
        assert!((wrenches[0].force.z - 4.0 * 1e5 * depth).abs() < 1e-3, "{:?}", wrenches[0]);
        functions.commit(&height(0.05 - depth), &falling(1.0), &[]).unwrap();
    }
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let world = ball(NormalLaw::default(), 0.0, 0.5);
    let bad = ZeroCrossingParams { hysteresis: 0.0, ..Default::default() };
    assert!(ZeroCrossings::new(&world, bad).unwrap_err().to_string().contains("hysteresis"));
    let mut functions = made(&world, ZeroFunctions::Smallest(2));
    let here = [at(0.0, 0.0, 1.0)];
    assert_eq!(
        functions.distances(&here, &mut [0.0]).unwrap_err().to_string(),
        "1 zero-crossing functions were given: there must be 2"
    );
    let none = functions.commit(&here, &falling(0.0), &[2]).unwrap_err();
    assert_eq!(none, ZeroCrossingError::NoFunction { function: 2, count: 2 });
    let no_number = BodyVelocity { linear: Vec3::repeat(f64::NAN), ..Default::default() };
    let refused = functions.reset(&here, &[no_number]).unwrap_err();
    assert_eq!(refused.to_string(), "the velocity of body 0 is not finite");
    assert!(functions.select(&[]).is_err());

    let rigid = ContactModel::Rigid(zerogap::contact::solve::ImpactLaw::Moreau);
    let mut builder = WorldBuilder::new(WorldParams::new(EventLocation::new(rigid)));
    builder.body(BodyDef::free(at(0.0, 0.0, 1.0)).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    let functions = made(&builder.build().unwrap(), ZeroFunctions::Two);
    let refused = functions.forces(&here, &falling(0.0), &mut [Wrench::default()]).unwrap_err();
    assert!(refused.to_string().contains("rigid"));
    let linear = NormalLaw::Linear { stiffness: 1e5, damping_ratio: 0.1 };
    let functions = made(&ball(linear, 0.0, 0.5), ZeroFunctions::Two);
    let refused = functions.forces(&here, &falling(0.0), &mut [Wrench::default()]).unwrap_err();
    assert!(refused.to_string().contains("kelvin-voigt"));
}
