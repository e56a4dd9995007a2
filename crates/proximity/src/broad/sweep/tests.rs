//! The sweep against checking all pairs: random scenes at all scales, and long sequences of changes.

use zerogap_core::Vec3;
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

use super::super::brute::Brute;
use super::*;

/// A scene: how many boxes, and how one is drawn.
struct Scene {
    name: &'static str,
    boxes: usize,
    draw: fn(&mut Random) -> Aabb,
}

/// A box with sides spread over `octaves` powers of two below `size`.
fn spread(random: &mut Random, reach: f64, size: f64, octaves: f64) -> Aabb {
    let center = random.in_cube(reach);
    let sides = Vec3::from_fn(|_, _| size * zerogap_core::math::pow(2.0, -random.range(0.0, octaves)));
    Aabb::from_center_size(center, sides)
}

/// A box with whole numbers as corners: many touch, many are the same, many are flat or points.
fn lattice(random: &mut Random, scale: f64) -> Aabb {
    let min = random.in_cube(5.0).map(f64::floor);
    let sides = Vec3::from_fn(|_, _| random.range(0.0, 2.2).floor());
    Aabb { min: scale * min, max: scale * (min + sides) }
}

const SCENES: &[Scene] = &[
    Scene { name: "like sizes", boxes: 600, draw: |r| spread(r, 8.0, 1.5, 1.0) },
    Scene { name: "sizes over 2^10", boxes: 500, draw: |r| spread(r, 10.0, 16.0, 10.0) },
    Scene { name: "sizes over 2^20", boxes: 500, draw: |r| spread(r, 10.0, 64.0, 20.0) },
    Scene { name: "lattice", boxes: 400, draw: |r| lattice(r, 1.0) },
    Scene { name: "lattice of 1e-200", boxes: 300, draw: |r| lattice(r, 1e-200) },
    Scene { name: "lattice of 1e60", boxes: 300, draw: |r| lattice(r, 1e60) },
    Scene {
        name: "1e6 away",
        boxes: 400,
        draw: |r| {
            let near = spread(r, 3.0, 1.0, 3.0);
            Aabb { min: near.min.add_scalar(1e6), max: near.max.add_scalar(1e6) }
        },
    },
    Scene {
        name: "1e15 away",
        boxes: 300,
        draw: |r| {
            let near = lattice(r, 1.0);
            Aabb { min: near.min.add_scalar(-1e15), max: near.max.add_scalar(-1e15) }
        },
    },
    Scene {
        name: "1e60 apart",
        boxes: 300,
        draw: |r| {
            let scale = if r.index(2) == 0 { 1e60 } else { 1.0 };
            spread(r, 3.0 * scale, scale, 4.0)
        },
    },
    Scene {
        name: "clusters",
        boxes: 600,
        draw: |r| {
            let corner = 100.0 * Vec3::from_fn(|_, _| r.index(3) as f64);
            let near = spread(r, 1.0, 0.5, 4.0);
            Aabb { min: corner + near.min, max: corner + near.max }
        },
    },
    Scene {
        name: "all in one place",
        boxes: 150,
        draw: |_| Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) },
    },
    Scene {
        name: "all the same point",
        boxes: 100,
        draw: |_| Aabb { min: Vec3::repeat(-0.0), max: Vec3::zeros() },
    },
    Scene {
        name: "points on a line of boxes",
        boxes: 400,
        draw: |r| {
            let at = Vec3::new(r.index(100) as f64, 0.0, 0.0);
            let half = Vec3::repeat(if r.index(2) == 0 { 0.0 } else { 0.5 });
            Aabb { min: at - half, max: at + half }
        },
    },
    Scene {
        name: "needles and plates",
        boxes: 600,
        draw: |r| {
            let mut sides = Vec3::repeat(0.5);
            sides[r.index(3)] = 20.0;
            sides[r.index(3)] = if r.index(4) == 0 { 20.0 } else { 0.0 };
            Aabb::from_center_size(r.in_cube(10.0), sides)
        },
    },
    Scene {
        name: "floors and screws",
        boxes: 700,
        draw: |r| {
            let is_floor = r.index(20) == 0;
            Aabb::from_center_size(
                r.in_cube(10.0),
                if is_floor { Vec3::new(30.0, 0.0, 30.0) } else { Vec3::repeat(0.3) },
            )
        },
    },
];

/// What checking all pairs finds.
fn all_pairs(boxes: &[Aabb]) -> Vec<PairKey> {
    let mut pairs = Vec::new();
    Brute.rebuild(boxes, &mut pairs);
    pairs.sort_unstable();
    pairs
}

fn sorted_once(mut pairs: Vec<PairKey>) -> Vec<PairKey> {
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Boxes and a sweep that follows them, compared to the definition after each step.
struct Followed {
    boxes: Vec<Aabb>,
    pairs: Vec<PairKey>,
    sweep: Sweep,
}

impl Followed {
    fn new(boxes: Vec<Aabb>, what: &str) -> Self {
        let mut sweep = Sweep::default();
        let mut found = Vec::new();
        sweep.rebuild(&boxes, &mut found);
        sweep.check(&boxes).unwrap();
        let pairs = all_pairs(&boxes);
        assert_eq!(found.len(), pairs.len(), "{what}: a rebuild reports each pair once");
        assert_eq!(sorted_once(found), pairs, "{what}");
        Self { boxes, pairs, sweep }
    }

    /// Changes some boxes, given by ascending slots (none: taken out), and tests what is reported.
    fn step(&mut self, what: &str, changed: &[(usize, Option<Aabb>)]) {
        let mut changes = Vec::new();
        for &(slot, after) in changed {
            self.boxes.resize(self.boxes.len().max(slot + 1), Aabb::empty());
            let old = std::mem::replace(&mut self.boxes[slot], after.unwrap_or(Aabb::empty()));
            let before = (!old.is_empty()).then_some(old);
            changes.push(Change { slot: slot as u32, before, after });
        }
        let mut found = Vec::new();
        self.sweep.update(&self.boxes, &changes, &mut found);
        self.sweep.check(&self.boxes).unwrap_or_else(|wrong| panic!("{what}: {wrong}"));

        let now = all_pairs(&self.boxes);
        assert!(found.iter().all(|pair| now.binary_search(pair).is_ok()), "{what}: a false pair");
        let kept = self.pairs.iter().filter(|pair| now.binary_search(pair).is_ok());
        found.extend(kept);
        assert_eq!(sorted_once(found), now, "{what}");
        self.pairs = now;
    }
}

/// A box moved by `far` of its own size, and sometimes resized.
fn nudged(random: &mut Random, old: &Aabb, far: f64) -> Aabb {
    let shift = old.size().component_mul(&random.in_cube(far));
    let grow =
        if random.index(3) == 0 { old.size().map(|s| s * random.range(-0.1, 0.1)) } else { Vec3::zeros() };
    let (a, b) = (old.min + shift, old.max + shift + grow);
    Aabb { min: a.inf(&b), max: a.sup(&b) }
}

#[test]
fn a_rebuild_reports_what_looking_at_all_pairs_finds() {
    for scene in SCENES {
        for seed in 0..count(4, 40) as u64 {
            let mut random = Random::new(seed);
            let size = [0, 1, 2, scene.boxes / 3, scene.boxes][(seed % 5) as usize]
                .max(scene.boxes * usize::from(seed == 0));
            Followed::new((0..size).map(|_| (scene.draw)(&mut random)).collect(), scene.name);
        }
    }
}

#[test]
fn small_motions_are_followed_at_any_share_of_boxes() {
    for scene in SCENES {
        let mut random = Random::new(7);
        let mut followed =
            Followed::new((0..scene.boxes).map(|_| (scene.draw)(&mut random)).collect(), scene.name);
        for step in 0..count(16, 200) {
            let one_in = [100, 10, 1, 40][step % 4];
            let mut changed = Vec::new();
            for slot in 0..followed.boxes.len() {
                if random.index(one_in) == 0 {
                    changed.push((slot, Some(nudged(&mut random, &followed.boxes[slot], 0.2))));
                }
            }
            followed.step(scene.name, &changed);
        }
    }
}

#[test]
fn boxes_come_go_and_jump_in_any_mixture() {
    for scene in SCENES {
        let mut random = Random::new(11);
        let mut followed = Followed::new(Vec::new(), scene.name);
        for step in 0..count(24, 300) {
            // From one slot to a third of them, with room for new slots at the end.
            let slots = followed.boxes.len() + [1, 3, 40][step % 3];
            let one_in = [60, 3, 200][(step / 3) % 3];
            let mut changed = Vec::new();
            for slot in 0..slots.min(scene.boxes) {
                let old = followed.boxes.get(slot).copied().unwrap_or(Aabb::empty());
                if slot < followed.boxes.len() && random.index(one_in) != 0 {
                    continue;
                }
                let after = match random.index(4) {
                    0 if !old.is_empty() => None,
                    1 | 2 if !old.is_empty() => Some(nudged(&mut random, &old, 0.5)),
                    _ => Some((scene.draw)(&mut random)),
                };
                changed.push((slot, after));
            }
            followed.step(scene.name, &changed);
        }
        let slots = followed.boxes.len();
        followed.step(
            "all go",
            &(0..slots).filter(|s| !followed.boxes[*s].is_empty()).map(|s| (s, None)).collect::<Vec<_>>(),
        );
        assert!(followed.pairs.is_empty());
    }
}

#[test]
fn two_boxes_that_move_onto_each_other_are_found_on_each_axis() {
    // Far boxes around make the shifting of single end points cheaper.
    for k in 0..3 {
        for sign in [-1.0, 1.0] {
            let direction = sign * Vec3::from_fn(|i, _| f64::from(u8::from(i == k)));
            let mut boxes: Vec<_> = (0..400)
                .map(|i| Aabb::from_center_size(Vec3::repeat(100.0 + 3.0 * f64::from(i)), Vec3::repeat(1.0)))
                .collect();
            boxes[10] = Aabb::from_center_size(-2.0 * direction, Vec3::repeat(1.0));
            boxes[20] = Aabb::from_center_size(2.0 * direction, Vec3::repeat(1.0));
            let mut followed = Followed::new(boxes, "two boxes");
            // Touching exactly, passing through, and apart again.
            for separation in [1.5, 2.0, 3.5, 3.75] {
                let a = Aabb::from_center_size((separation - 2.0) * direction, Vec3::repeat(1.0));
                let b = Aabb::from_center_size((2.0 - separation) * direction, Vec3::repeat(1.0));
                followed.step("two boxes", &[(10, Some(a)), (20, Some(b))]);
                assert_eq!(followed.pairs.contains(&pair_key(10, 20)), separation < 2.6, "{separation}");
            }
        }
    }
}

#[test]
fn both_ways_to_follow_changes_are_taken() {
    let mut random = Random::new(3);
    let boxes: Vec<_> = (0..2000).map(|_| spread(&mut random, 20.0, 2.0, 6.0)).collect();
    let mut sweep = Sweep::default();
    sweep.rebuild(&boxes, &mut Vec::new());
    let moved = |far: f64, random: &mut Random| -> Vec<_> {
        let change = |slot: usize, r: &mut Random| Change {
            slot: slot as u32,
            before: Some(boxes[slot]),
            after: Some(nudged(r, &boxes[slot], far)),
        };
        (0..40).map(|i| change(50 * i, random)).collect()
    };
    assert!(sweep.is_local(&moved(0.05, &mut random), 40));
    assert!(!sweep.is_local(&moved(500.0, &mut random), 40));
    // With too small a budget the update stops, and the bulk update restores the order.
    let mut now = boxes.clone();
    let changes = moved(2.0, &mut random);
    for change in &changes {
        now[change.slot as usize] = change.after.unwrap();
    }
    assert!(!sweep.shift(&now, &changes.iter(), 2000, &mut Vec::new()));
    assert!(sweep.check(&now).is_err());
    let mut found = Vec::new();
    sweep.take_up(&now, &changes.iter().map(|c| c.slot));
    sweep.pair_marked(&now, &mut found);
    sweep.check(&now).unwrap();
    let is_changed = |slot: u32| changes.iter().any(|c| c.slot == slot);
    let expected = all_pairs(&now).into_iter().filter(|pair| {
        let (p, q) = super::super::backend::slots(*pair);
        is_changed(p) || is_changed(q)
    });
    assert_eq!(sorted_once(found), expected.collect::<Vec<_>>());
}
