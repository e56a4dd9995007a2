//! Both forms, culled or not, on random histories: the same bits as each other, and what the definitions say.

mod oriented_checks;

use oriented_checks::{WAYS, plain, random_polygon, random_polyhedron, rectangle};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_proximity::oriented::{Configuration, Oriented, Target, TouchKind};
use zerogap_testkit::count;
use zerogap_testkit::oriented::{PlainOutcome, plain_step};
use zerogap_testkit::random::Random;

/// Initiators of one history; more than one word of bits, and not whole words.
const INITIATORS: usize = 100;

/// Steps of one history.
const STEPS: usize = 25;

/// A step of a random point: small, large, or onto a grid where separations are exactly zero and crossing times tie.
fn moved(random: &mut Random, point: &Vec3, is_planar: bool) -> Vec3 {
    let step = [0.02, 0.2, 1.0, 3.0][random.index(4)];
    let mut to = (point + random.in_cube(step)).map(|x| x.clamp(-2.0, 2.0));
    if random.index(3) == 0 {
        to = to.map(|x| (x * 4.0).round() / 4.0);
    }
    if is_planar {
        to.z = 0.0;
    }
    to
}

/// Outcomes by kind: free, kept, handed over, hit, crossed, inside.
#[derive(Debug, Default)]
struct Tally([usize; 6]);

impl Tally {
    fn add(&mut self, outcome: PlainOutcome) {
        let kind = match outcome {
            PlainOutcome::Free => 0,
            PlainOutcome::Kept(_) => 1,
            PlainOutcome::HandedOver(..) => 2,
            PlainOutcome::Hit(_) => 3,
            PlainOutcome::Crossed(_) => 4,
            PlainOutcome::Inside(_) => 5,
        };
        self.0[kind] += 1;
    }
}

/// One history of many points against two targets that move and turn.
fn history(targets: &[Target; 2], random: &mut Random, tally: &mut Tally) {
    let is_planar = targets[0].is_planar();
    let pose = |random: &mut Random, is_still: bool| match (is_still, is_planar) {
        (true, _) => Pose::identity(),
        (_, true) => {
            let at = random.in_cube(0.3);
            Pose::from_axis_angle(Vec3::new(at.x, at.y, 0.0), Vec3::z(), random.range(-0.5, 0.5)).unwrap()
        }
        (_, false) => Pose::new(random.in_cube(0.3), random.quaternion_xyzw()).unwrap(),
    };
    let mut points: Vec<Vec3> = vec![Vec3::zeros(); INITIATORS];
    for point in &mut points {
        *point = moved(random, point, is_planar);
    }
    let mut poses = [Pose::identity(), pose(random, false)];
    let surfaces = [plain(&targets[0]), plain(&targets[1])];
    let mut runs = WAYS.map(|way| Oriented::new(targets.to_vec(), &poses, &points, way).unwrap());
    let local = |pose: &Pose, point: &Vec3| -> [f64; 3] {
        pose.rotation_matrix().tr_mul(&(point - pose.translation())).into()
    };
    let mut held = [vec![None; INITIATORS], vec![None; INITIATORS]];
    for step in 0..=STEPS {
        let (before, poses_before) = (points.clone(), poses);
        // The first round stands still: it looks at the start.
        if step > 0 {
            for point in &mut points {
                // Some wait, so that targets that move come to them.
                if random.index(5) > 0 {
                    *point = moved(random, point, is_planar);
                }
            }
            poses[1] = if random.index(2) == 0 { poses[1] } else { pose(random, false) };
        }
        // A trial elsewhere leaves no trace; a trial at the place gives what the commit gives.
        let mut trial = Configuration::new();
        let elsewhere: Vec<Vec3> = points.iter().map(|p| p * 0.3).collect();
        let first = runs[0].reference().touches().to_vec();
        if step > 0 {
            for run in &mut runs {
                run.evaluate(&poses, &elsewhere, &mut trial).unwrap();
                assert_eq!(run.reference().touches(), first);
                run.evaluate(&poses, &points, &mut trial).unwrap();
                let committed = run.commit(&poses, &points).unwrap();
                assert_eq!(committed.touches(), trial.touches());
                assert_eq!(committed.releases(), trial.releases());
            }
        }
        let [guards, others @ ..] = &runs;
        for other in others {
            assert_eq!(guards.reference().touches(), other.reference().touches());
            assert_eq!(guards.reference().releases(), other.reference().releases());
        }

        // The definitions, one initiator at a time.
        let found = guards.reference();
        for (k, surfaces) in surfaces.iter().enumerate() {
            for j in 0..INITIATORS {
                let now = local(&poses[k], &points[j]);
                let from = if step == 0 { now } else { local(&poses_before[k], &before[j]) };
                let outcome = plain_step(surfaces, &from, &now, held[k][j]);
                tally.add(outcome);
                let touch = found.touch(k, j);
                assert_eq!(touch.map(|touch| touch.surface as usize), outcome.surface(), "{outcome:?}");
                let Some(touch) = touch else { continue };
                let kind = match outcome {
                    PlainOutcome::Hit(_) => TouchKind::Hit,
                    PlainOutcome::Crossed(_) => TouchKind::Crossed,
                    PlainOutcome::Inside(_) => TouchKind::Inside,
                    PlainOutcome::HandedOver(from, _) => TouchKind::HandedOver { from: from as u32 },
                    _ => TouchKind::Kept,
                };
                assert_eq!(touch.kind, kind);
                assert!(touch.gap <= surfaces[touch.surface as usize].separation(&now) + 1e-12);
                held[k][j] = Some(touch.surface as usize);
            }
            for (j, held) in held[k].iter_mut().enumerate() {
                *held = found.surface(k, j);
            }
        }
    }
}

/// How many histories make up a number of configurations.
fn histories(configurations: usize) -> usize {
    configurations.div_ceil(2 * INITIATORS * STEPS)
}

fn all_kinds_happen(tally: &Tally) {
    println!("free, kept, handed over, hit, crossed, inside: {:?}", tally.0);
    assert!(tally.0.iter().all(|count| *count > 0), "{tally:?}");
}

#[test]
fn both_forms_agree_with_the_definitions_on_random_histories_in_the_plane() {
    let (mut random, mut tally) = (Random::new(1), Tally::default());
    for round in 0..histories(count(1_000_000, 20_000_000)) {
        let first =
            if round % 2 == 0 { rectangle([-0.75, -0.5], [0.75, 0.5]) } else { random_polygon(&mut random) };
        let second = random_polygon(&mut random);
        history(&[first, second], &mut random, &mut tally);
    }
    all_kinds_happen(&tally);
}

#[test]
fn both_forms_agree_with_the_definitions_on_random_histories_in_space() {
    let (mut random, mut tally) = (Random::new(2), Tally::default());
    for round in 0..histories(count(1_000_000, 20_000_000)) {
        let first = if round % 2 == 0 {
            Target::cuboid(&Cuboid::new(Vec3::new(1.5, 1.0, 0.5)).unwrap())
        } else {
            random_polyhedron(&mut random)
        };
        let second = random_polyhedron(&mut random);
        history(&[first, second], &mut random, &mut tally);
    }
    all_kinds_happen(&tally);
}
