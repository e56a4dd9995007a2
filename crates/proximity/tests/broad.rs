//! The broad phase gives exactly the pairs that looking at all of them gives, for every method, whatever moves.

use zerogap_core::{Aabb, Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{Convex, ConvexShape};
use zerogap_proximity::broad::{
    BoxId, BoxPair, BroadError, BroadMethod, BroadParams, BroadPhase, Filter, motion_box,
};
use zerogap_proximity::convex::intersects;
use zerogap_testkit::{count, random::Random};

const METHODS: [BroadMethod; 4] =
    [BroadMethod::Auto, BroadMethod::Grid, BroadMethod::Sweep, BroadMethod::Tree];

/// A scene of its own, without any of the product's structures.
#[derive(Default)]
struct Scene {
    boxes: Vec<Option<(Aabb, Filter)>>,
    joined: Vec<(u32, u32)>,
}

impl Scene {
    fn pairs(&self) -> Vec<BoxPair> {
        let mut pairs = Vec::new();
        for (p, first) in self.boxes.iter().enumerate() {
            let Some((a, f)) = first else { continue };
            for (q, second) in self.boxes.iter().enumerate().skip(p + 1) {
                let Some((b, g)) = second else { continue };
                let shares = (0..3).all(|k| a.min[k] <= b.max[k] && b.min[k] <= a.max[k]);
                let wants = f.body != g.body
                    && !(f.is_fixed && g.is_fixed)
                    && f.groups & g.mask != 0
                    && g.groups & f.mask != 0
                    && !self.joined.contains(&(f.body.min(g.body), f.body.max(g.body)));
                if shares && wants {
                    pairs.push(BoxPair { a: BoxId(p as u32), b: BoxId(q as u32) });
                }
            }
        }
        pairs
    }
}

/// A box of a random scene: sizes over a factor of 2^10, many on a lattice so that faces touch, some twice.
fn random_box(random: &mut Random, scene: &Scene, spread: f64) -> Aabb {
    let known: Vec<&Aabb> = scene.boxes.iter().flatten().map(|(bounds, _)| bounds).collect();
    if !known.is_empty() && random.index(20) == 0 {
        return *known[random.index(known.len())];
    }
    let size = Vec3::new(random.unit(), random.unit(), random.unit()) / f64::from(1_u32 << random.index(11));
    let center = random.in_cube(spread);
    match random.index(4) {
        0 => Aabb::from_center_size(center.map(|x| (4.0 * x).round() / 4.0), Vec3::repeat(0.25)),
        1 if random.index(4) == 0 => Aabb { min: center, max: center },
        _ => Aabb::from_center_size(center, size),
    }
}

fn random_filter(random: &mut Random, body: u32) -> Filter {
    let all = Filter::of_body(body);
    match random.index(8) {
        0 => all.fixed(),
        1 => Filter { groups: 1 << random.index(3), mask: random.bits() as u32, ..all },
        2 => Filter { body: random.index(10) as u32, ..all },
        _ => all,
    }
}

#[test]
fn every_method_gives_the_pairs_of_all_pairs_in_moving_scenes() {
    for seed in 0..count(60, 1000) as u64 {
        for method in METHODS {
            let mut random = Random::new(seed);
            let (mut scene, mut phase) =
                (Scene::default(), BroadPhase::new(BroadParams { method, margin: 0.0 }));
            let spread = [0.5, 1.5, 4.0][random.index(3)];
            for _ in 0..random.index(120) {
                let bounds = random_box(&mut random, &scene, spread);
                let filter = random_filter(&mut random, 100 + scene.boxes.len() as u32);
                assert_eq!(phase.insert(bounds, filter), Ok(BoxId(scene.boxes.len() as u32)));
                scene.boxes.push(Some((bounds, filter)));
            }
            let mut last = Vec::new();
            for step in 0..30 {
                let pairs = phase.update().to_vec();
                assert_eq!(pairs, scene.pairs(), "seed {seed} {method:?} step {step}");
                phase.check().unwrap();
                let began: Vec<BoxPair> =
                    pairs.iter().filter(|pair| !last.contains(*pair)).copied().collect();
                let ended: Vec<BoxPair> = last.iter().filter(|pair| !pairs.contains(pair)).copied().collect();
                assert_eq!((phase.began(), phase.ended()), (&began[..], &ended[..]));
                last = pairs;
                change(&mut random, &mut scene, &mut phase, spread);
            }
        }
    }
}

/// Moves, adds and takes out boxes.
fn change(random: &mut Random, scene: &mut Scene, phase: &mut BroadPhase, spread: f64) {
    let speed = [0.0, 1e-3, 0.1, 1.0][random.index(4)];
    let share = [0.05, 0.5, 1.0][random.index(3)];
    for slot in 0..scene.boxes.len() {
        let Some((bounds, _)) = &mut scene.boxes[slot] else { continue };
        if random.unit() < share {
            let by = speed * random.in_ball();
            *bounds = Aabb { min: bounds.min + by, max: bounds.max + by };
            phase.set(BoxId(slot as u32), *bounds).unwrap();
        }
    }
    match random.index(6) {
        0 if !scene.boxes.is_empty() => {
            let slot = random.index(scene.boxes.len());
            let id = BoxId(slot as u32);
            if scene.boxes[slot].take().is_some() {
                phase.remove(id).unwrap();
            }
            assert_eq!(phase.remove(id), Err(BroadError::Unknown { id: slot as u32 }));
        }
        1 => {
            let bounds = random_box(random, scene, spread);
            let body = 900 + random.index(1000) as u32;
            let filter = random_filter(random, body);
            let id = phase.insert(bounds, filter).unwrap().0 as usize;
            if id == scene.boxes.len() {
                scene.boxes.push(None);
            }
            assert!(scene.boxes[id].replace((bounds, filter)).is_none(), "a name is given once");
        }
        2 if scene.boxes.iter().flatten().count() > 2 => {
            let bodies: Vec<u32> = scene.boxes.iter().flatten().map(|(_, filter)| filter.body).collect();
            let (p, q) = (bodies[random.index(bodies.len())], bodies[random.index(bodies.len())]);
            let pair = (p.min(q), p.max(q));
            if scene.joined.contains(&pair) {
                scene.joined.retain(|other| *other != pair);
                phase.part(p, q);
            } else {
                scene.joined.push(pair);
                phase.join(q, p);
            }
        }
        _ => {}
    }
}

#[test]
fn what_is_no_box_is_refused_with_its_name_and_disturbs_nothing() {
    let cube = |x: f64| Aabb::from_center_size(Vec3::new(x, 0.0, 0.0), Vec3::repeat(1.0));
    for method in METHODS {
        let mut phase = BroadPhase::new(BroadParams { method, margin: 0.0 });
        let ids: Vec<BoxId> =
            (0..40).map(|k| phase.insert(cube(0.9 * f64::from(k)), Filter::of_body(k)).unwrap()).collect();
        let before = phase.update().to_vec();
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut bounds = cube(0.0);
            bounds.max.y = bad;
            let refused = phase.set(ids[7], bounds).unwrap_err();
            assert!(matches!(refused, BroadError::NotABox { id: 7, .. }), "{refused}");
            assert!(matches!(
                phase.insert(bounds, Filter::of_body(99)),
                Err(BroadError::NotABox { id: 40, .. })
            ));
        }
        let turned = Aabb { min: Vec3::repeat(1.0), max: Vec3::repeat(-1.0) };
        assert!(phase.set(ids[3], turned).is_err());
        assert!(phase.set(BoxId(77), cube(0.0)).is_err());
        assert!(phase.insert_half_space(Vec3::zeros(), 0.0, Filter::of_body(9)).is_err());
        assert_eq!(phase.update(), before);
        assert_eq!(phase.len(), 40);
    }
}

#[test]
fn a_box_that_takes_the_place_of_another_has_pairs_of_its_own() {
    let cube = |x: f64| Aabb::from_center_size(Vec3::new(x, 0.0, 0.0), Vec3::repeat(1.0));
    for method in METHODS {
        let mut phase = BroadPhase::new(BroadParams { method, margin: 0.0 });
        let ids: Vec<BoxId> =
            (0..40).map(|k| phase.insert(cube(0.9 * f64::from(k)), Filter::of_body(k)).unwrap()).collect();
        assert_eq!(phase.update().len(), 39);
        // In the same place, but of the body beside it: the pair with that one is gone.
        phase.remove(ids[5]).unwrap();
        let other = phase.insert(cube(4.5), Filter::of_body(4)).unwrap();
        assert_eq!(
            (other, phase.len()),
            (BoxId(40), 40),
            "a name is not given again before its pairs have ended"
        );
        assert_eq!(phase.update().len(), 38);
        let pair = |p: BoxId, q: BoxId| BoxPair { a: p.min(q), b: p.max(q) };
        assert_eq!(phase.ended(), [pair(ids[4], ids[5]), pair(ids[5], ids[6])]);
        assert_eq!(phase.began(), [pair(ids[6], other)]);
        // A filter that changes ends and begins pairs where nothing moves.
        phase.set_filter(other, Filter { mask: 0, ..Filter::of_body(5) }).unwrap();
        assert_eq!((phase.update().len(), phase.ended().len()), (37, 1));
        phase.set_filter(other, Filter::of_body(5)).unwrap();
        assert_eq!((phase.update().len(), phase.began().len()), (39, 2));
        assert_eq!(phase.insert(cube(100.0), Filter::of_body(50)), Ok(ids[5]));
    }
}

#[test]
fn half_spaces_pair_with_what_reaches_into_them() {
    for method in METHODS {
        let mut phase = BroadPhase::new(BroadParams { method, margin: 0.0 });
        let floor =
            phase.insert_half_space(Vec3::new(0.0, 0.0, 2.0), 2.0, Filter::of_body(0).fixed()).unwrap();
        let at = |z: f64| Aabb::from_center_size(Vec3::new(3.0, 0.0, z), Vec3::repeat(1.0));
        let ids: Vec<BoxId> =
            (1..100).map(|k| phase.insert(at(0.1 * f64::from(k)), Filter::of_body(k)).unwrap()).collect();
        let wall = phase.insert(at(0.0), Filter::of_body(500).fixed()).unwrap();
        let with_floor = |phase: &BroadPhase| phase.pairs().iter().filter(|pair| pair.a == floor).count();
        phase.update();
        // Bottoms at 0.1 k - 0.5 up to the plane at 1.
        assert_eq!(with_floor(&phase), 15);
        assert!(!phase.pairs().contains(&BoxPair { a: floor, b: wall }), "both are fixed");
        phase.remove(floor).unwrap();
        phase.update();
        assert_eq!(with_floor(&phase), 0);
        assert_eq!(phase.ended().len(), 15);
        assert_eq!(ids.len(), 99);
    }
}

#[test]
fn a_margin_makes_pairs_of_what_is_near() {
    let mut phase = BroadPhase::new(BroadParams { margin: 0.2, ..BroadParams::default() });
    let at = |x: f64| Aabb::from_center_size(Vec3::new(x, 0.0, 0.0), Vec3::repeat(1.0));
    for (k, x) in [0.0, 1.15, 2.4].into_iter().enumerate() {
        phase.insert(at(x), Filter::of_body(k as u32)).unwrap();
    }
    assert_eq!(phase.update(), [BoxPair { a: BoxId(0), b: BoxId(1) }]);
    let mut urgent = Vec::new();
    phase.by_urgency(|_| 0.5, &mut urgent);
    assert!((urgent[0].time - 0.15).abs() < 1e-12);
}

#[test]
fn bodies_that_drift_far_and_return_leave_nothing_behind() {
    for method in METHODS {
        let mut random = Random::new(5);
        let mut phase = BroadPhase::new(BroadParams { method, margin: 0.0 });
        let start: Vec<Aabb> = (0..60)
            .map(|_| Aabb::from_center_size(random.in_cube(2.0), Vec3::repeat(random.range(0.1, 1.0))))
            .collect();
        let mut scene = Scene::default();
        for (k, bounds) in start.iter().enumerate() {
            let filter = Filter::of_body(k as u32);
            phase.insert(*bounds, filter).unwrap();
            scene.boxes.push(Some((*bounds, filter)));
        }
        let home = phase.update().to_vec();
        let ways: Vec<Vec3> = start.iter().map(|_| random.direction()).collect();
        let steps = count(2_000, 100_000);
        for step in 0..=steps {
            // Out to a million metres and back, each body at a pace of its own.
            let part = 1.0 - (2.0 * step as f64 / steps as f64 - 1.0).abs();
            for (k, (bounds, way)) in start.iter().zip(&ways).enumerate() {
                let by = way * (1e6 * part.powi(3) * (1.0 + k as f64 / 60.0));
                let moved =
                    if step == steps { *bounds } else { Aabb { min: bounds.min + by, max: bounds.max + by } };
                phase.set(BoxId(k as u32), moved).unwrap();
                scene.boxes[k] = Some((moved, Filter::of_body(k as u32)));
            }
            phase.update();
            if step % (steps / 50) == 0 {
                phase.check().unwrap();
                assert_eq!(phase.pairs(), scene.pairs(), "{method:?} {step}");
            }
        }
        assert_eq!(phase.pairs(), home);
        assert!(phase.memory() < 1_000_000, "{} bytes", phase.memory());
    }
}

#[test]
fn no_pair_that_touches_during_a_motion_is_missed() {
    let mut random = Random::new(8);
    for _ in 0..count(20, 500) {
        let bodies: Vec<Body> = (0..40).map(|_| Body::random(&mut random)).collect();
        let mut phase = BroadPhase::new(BroadParams::default());
        for (k, body) in bodies.iter().enumerate() {
            let swept = motion_box(&body.shape.bounding_box(), &body.at(0.0), &body.at(1.0));
            phase.insert(swept, Filter::of_body(k as u32)).unwrap();
        }
        let pairs = phase.update().to_vec();
        let mut touching = 0;
        for k in 0..=100 {
            let poses: Vec<Pose> = bodies.iter().map(|body| body.at(f64::from(k) / 100.0)).collect();
            for p in 0..bodies.len() {
                for q in p + 1..bodies.len() {
                    if intersects(&bodies[p].shape, &poses[p], &bodies[q].shape, &poses[q]) {
                        touching += 1;
                        assert!(pairs.contains(&BoxPair { a: BoxId(p as u32), b: BoxId(q as u32) }));
                    }
                }
            }
        }
        assert!(touching > 100);
    }
}

/// A box that moves along a line while it turns by up to 1 rad.
struct Body {
    shape: ConvexShape,
    start: Pose,
    way: Vec3,
    axis: Vec3,
    angle: f64,
}

impl Body {
    fn random(random: &mut Random) -> Self {
        let size = Vec3::new(random.range(0.05, 1.0), random.range(0.05, 1.0), random.range(0.05, 1.0));
        Self {
            shape: Cuboid::new(size).unwrap().into(),
            start: Pose::new(random.in_cube(2.0), random.quaternion_xyzw()).unwrap(),
            way: random.in_cube(0.5),
            axis: random.direction(),
            angle: random.unit(),
        }
    }

    fn at(&self, t: f64) -> Pose {
        let turn = Pose::from_axis_angle(Vec3::zeros(), self.axis, self.angle * t).unwrap();
        let q = (turn.rotation() * self.start.rotation()).into_inner();
        Pose::new(self.start.translation() + self.way * t, [q.i, q.j, q.k, q.w]).unwrap()
    }
}

#[test]
fn many_boxes_have_the_same_pairs_for_every_method_and_number_of_threads() {
    let run = |method: BroadMethod, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut random = Random::new(21);
            let mut phase = BroadPhase::new(BroadParams { method, margin: 0.0 });
            let mut boxes: Vec<Aabb> = (0..30_000)
                .map(|_| Aabb::from_center_size(random.in_cube(14.0), Vec3::repeat(random.range(0.2, 1.2))))
                .collect();
            for (k, bounds) in boxes.iter().enumerate() {
                phase.insert(*bounds, Filter::of_body(k as u32)).unwrap();
            }
            let mut all = Vec::new();
            for speed in [0.0, 0.01, 0.5] {
                for (k, bounds) in boxes.iter_mut().enumerate() {
                    let by = speed * random.in_ball();
                    *bounds = Aabb { min: bounds.min + by, max: bounds.max + by };
                    phase.set(BoxId(k as u32), *bounds).unwrap();
                }
                all.push(phase.update().to_vec());
                all.push(phase.began().to_vec());
            }
            all
        })
    };
    let one = run(BroadMethod::Tree, 1);
    assert!(one[0].len() > 20_000, "{} pairs", one[0].len());
    for (method, threads) in [
        (BroadMethod::Tree, 3),
        (BroadMethod::Grid, 1),
        (BroadMethod::Grid, 2),
        (BroadMethod::Sweep, 2),
        (BroadMethod::Auto, 2),
    ] {
        assert!(run(method, threads) == one, "{method:?} on {threads} threads");
    }
}

#[test]
fn questions_are_answered_as_by_looking_at_all() {
    let mut random = Random::new(9);
    for method in METHODS {
        let mut phase = BroadPhase::new(BroadParams { method, margin: 0.1 });
        let boxes: Vec<Aabb> = (0..200)
            .map(|_| {
                Aabb::from_center_size(
                    random.in_cube(3.0),
                    0.5 * Vec3::new(random.unit(), random.unit(), random.unit()),
                )
            })
            .collect();
        for (k, bounds) in boxes.iter().enumerate() {
            phase.insert(*bounds, Filter::of_body(k as u32)).unwrap();
        }
        for _ in 0..50 {
            let asked = Aabb::from_center_size(random.in_cube(3.0), Vec3::repeat(random.unit()));
            let all = |wanted: &dyn Fn(&Aabb) -> bool| -> Vec<BoxId> {
                (0..200).filter(|&k| wanted(&boxes[k])).map(|k| BoxId(k as u32)).collect()
            };
            let apart = |bounds: &Aabb| {
                (bounds.min - asked.max).sup(&(asked.min - bounds.max)).map(|x| x.max(0.0)).norm()
            };
            // Boxes inflated by the margin and shrunk again are off by a rounding.
            let near = |limit: f64| all(&|bounds| apart(bounds) <= limit);
            let found = phase.within(&asked, 0.7);
            assert!(near(0.7 - 1e-12).iter().all(|id| found.contains(id)));
            assert!(found.iter().all(|id| near(0.7 + 1e-12).contains(id)));
            let nearest = phase.nearest(&asked, 5);
            let mut distances: Vec<f64> = boxes.iter().map(apart).collect();
            distances.sort_by(f64::total_cmp);
            assert!(
                nearest.iter().zip(&distances).all(|(found, exact)| (found.distance - exact).abs() < 1e-12)
            );
            let (origin, direction) = (random.in_cube(4.0), random.direction());
            let hits = phase.cast_ray(&origin, &direction, 10.0);
            assert!(hits.is_sorted_by(|p, q| p.distance <= q.distance));
            for hit in &hits {
                let bounds = boxes[hit.id.0 as usize].expanded(1e-9);
                assert!(bounds.contains(&(origin + direction * hit.distance)));
            }
        }
    }
}
