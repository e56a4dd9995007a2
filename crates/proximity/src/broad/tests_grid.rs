//! The grid against all pairs, over scenes of all kinds and long sequences of changes.

use zerogap_core::random::Random;
use zerogap_core::{Aabb, Vec3};
use zerogap_testkit::count;

use super::super::backend::{Backend, Change, PairKey};
use super::super::brute::Brute;
use super::Grid;

/// All pairs that a method finds again, sorted; each must be found once.
fn pairs_of(method: &mut impl Backend, boxes: &[Aabb]) -> Vec<PairKey> {
    let mut found = Vec::new();
    method.rebuild(boxes, &mut found);
    found.sort_unstable();
    assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "each pair once");
    found
}

/// The grid finds again what all pairs give.
fn agrees(boxes: &[Aabb]) -> usize {
    let mut grid = Grid::default();
    let found = pairs_of(&mut grid, boxes);
    assert_eq!(found, pairs_of(&mut Brute, boxes));
    grid.check(boxes).unwrap();
    found.len()
}

/// A kind of scene: `spread` powers of two between the smallest and the largest box, whose side is `size` [m], in a cube of half side `half` around `center` [m].
#[derive(Debug, Clone, Copy)]
struct Kind {
    center: f64,
    half: f64,
    size: f64,
    spread: f64,
    /// Sides and corners are multiples of this fraction of the size, so that faces touch and boxes coincide; 0 for none.
    lattice: f64,
    /// Out of ten boxes, so many have no extent along some axes.
    flat: usize,
}

const KINDS: [Kind; 13] = [
    Kind { center: 0.0, half: 3.0, size: 1.0, spread: 0.0, lattice: 0.0, flat: 0 },
    Kind { center: 0.0, half: 3.0, size: 4.0, spread: 10.0, lattice: 0.0, flat: 1 },
    Kind { center: 1.0, half: 3.0, size: 4.0, spread: 20.0, lattice: 0.0, flat: 1 },
    Kind { center: 0.0, half: 3.0, size: 2.0, spread: 4.0, lattice: 0.25, flat: 3 },
    Kind { center: 0.0, half: 2.0, size: 1.0, spread: 0.0, lattice: 0.5, flat: 0 },
    Kind { center: 0.0, half: 2.0, size: 1.0, spread: 1.0, lattice: 0.5, flat: 10 },
    Kind { center: 1e6, half: 3.0, size: 1.0, spread: 10.0, lattice: 0.0, flat: 1 },
    Kind { center: -1e15, half: 30.0, size: 20.0, spread: 10.0, lattice: 0.0, flat: 1 },
    Kind { center: 1e60, half: 1e45, size: 1e44, spread: 8.0, lattice: 0.0, flat: 1 },
    Kind { center: 0.0, half: 1e60, size: 5e59, spread: 20.0, lattice: 0.0, flat: 1 },
    Kind { center: 0.0, half: 1e-3, size: 1e6, spread: 60.0, lattice: 0.0, flat: 1 },
    Kind { center: 0.0, half: 8e307, size: 1.5e308, spread: 3.0, lattice: 0.0, flat: 1 },
    Kind { center: 0.0, half: 1e-9, size: 1e300, spread: 1990.0, lattice: 0.0, flat: 1 },
];

fn random_box(random: &mut Random, kind: &Kind) -> Aabb {
    let exponent = -random.range(0.0, 1.0) * kind.spread;
    let side = kind.size * zerogap_core::math::exp(exponent * std::f64::consts::LN_2);
    let unit = kind.lattice * kind.size;
    let snap = |x: f64| if unit > 0.0 { (x / unit).round() * unit } else { x };
    let is_flat = random.index(10) < kind.flat;
    let min = random.in_cube(kind.half).add_scalar(kind.center).map(snap);
    // Flat along one, two or three axes: plates, rods, points.
    let flat = random.index(7) + 1;
    let size =
        Vec3::from_fn(|k, _| if is_flat && flat >> k & 1 == 1 { 0.0 } else { random.range(0.5, 1.0) * side });
    let max = (min + size.map(snap)).map(|x| x.clamp(f64::MIN, f64::MAX));
    Aabb { min, max }
}

fn scene(random: &mut Random, kind: &Kind, n: usize) -> Vec<Aabb> {
    (0..n).map(|_| random_box(random, kind)).collect()
}

#[test]
fn all_kinds_of_scenes_give_the_pairs_that_looking_at_all_gives() {
    let mut random = Random::new(1);
    for kind in KINDS {
        let mut pairs = 0;
        for round in 0..count(6, 200) {
            pairs += agrees(&scene(&mut random, &kind, [1, 2, 9, 60, 300, 500][round % 6]));
        }
        assert!(pairs > 0, "{kind:?} has pairs");
    }
}

#[test]
fn kinds_mixed_in_one_scene_give_the_pairs_that_looking_at_all_gives() {
    let mut random = Random::new(2);
    for _ in 0..count(4, 100) {
        let mut boxes: Vec<Aabb> = KINDS.iter().flat_map(|kind| scene(&mut random, kind, 40)).collect();
        // Some slots are free.
        for _ in 0..40 {
            let slot = random.index(boxes.len());
            boxes[slot] = Aabb::empty();
        }
        assert!(agrees(&boxes) > 0);
    }
}

#[test]
fn boxes_all_in_one_place_all_pair() {
    let n = 300;
    for aabb in [
        Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) },
        Aabb { min: Vec3::repeat(-1.0), max: Vec3::repeat(-1.0) },
        Aabb { min: Vec3::zeros(), max: Vec3::zeros() },
        Aabb { min: Vec3::repeat(1e60), max: Vec3::repeat(1e60) },
        Aabb { min: Vec3::repeat(f64::MIN), max: Vec3::repeat(f64::MAX) },
        Aabb { min: Vec3::repeat(5e-324), max: Vec3::repeat(1e-320) },
    ] {
        assert_eq!(agrees(&vec![aabb; n]), n * (n - 1) / 2);
    }
}

#[test]
fn a_lattice_of_touching_cubes_pairs_each_with_its_neighbours() {
    // Each axis has k cubes and k - 1 touching neighbours, so ordered pairs along it number 3 k - 2.
    let k = 9;
    for (side, origin) in [(1.0, 0.0), (0.5, -2.0), (0.1, 0.0), (0.3, 1e6)] {
        let at = |i: usize| origin + side * i as f64;
        let cube = |i: usize| {
            let (x, y, z) = (i % k, i / k % k, i / (k * k));
            Aabb { min: Vec3::new(at(x), at(y), at(z)), max: Vec3::new(at(x + 1), at(y + 1), at(z + 1)) }
        };
        let boxes: Vec<Aabb> = (0..k * k * k).map(cube).collect();
        let ordered = (3 * k - 2) * (3 * k - 2) * (3 * k - 2);
        assert_eq!(agrees(&boxes), (ordered - k * k * k) / 2);
    }
}

#[test]
fn no_boxes_make_no_pairs() {
    assert_eq!(agrees(&[]), 0);
    assert_eq!(agrees(&[Aabb::empty(); 20]), 0);
}

/// One update with some changes; the pairs that are reported lie between those that are new and those that are.
fn follow(grid: &mut Grid, boxes: &mut Vec<Aabb>, mut changed: Vec<(u32, Option<Aabb>)>) -> usize {
    changed.sort_by_key(|(slot, _)| *slot);
    changed.dedup_by_key(|(slot, _)| *slot);
    let before = pairs_of(&mut Brute, boxes);
    let changes: Vec<Change> = changed
        .into_iter()
        .map(|(slot, after)| {
            if slot as usize >= boxes.len() {
                boxes.resize(slot as usize + 1, Aabb::empty());
            }
            let old = std::mem::replace(&mut boxes[slot as usize], after.unwrap_or(Aabb::empty()));
            Change { slot, before: Some(old).filter(|old| !old.is_empty()), after }
        })
        .collect();
    let mut found = Vec::new();
    grid.update(boxes, &changes, &mut found);
    grid.check(boxes).unwrap();
    // The grid remembers which pairs there were, so it reports the new ones and no others, once each.
    found.sort_unstable();
    let now = pairs_of(&mut Brute, boxes);
    let new: Vec<PairKey> = now.into_iter().filter(|pair| before.binary_search(pair).is_err()).collect();
    assert_eq!(found, new);
    new.len()
}

/// Boxes inserted, removed, moved a little or far, and changed in size, in one scene.
fn follow_at_random(seed: u64, kinds: &[Kind], n: usize, updates: usize) {
    let mut random = Random::new(seed);
    let mut boxes: Vec<Aabb> = Vec::new();
    let mut grid = Grid::default();
    let mut new = 0;
    for update in 0..updates {
        let kind = &kinds[random.index(kinds.len())];
        // From none to all of the boxes, few most of the time.
        let fraction = [0, 1, 5, 20, n][random.index(5)];
        let changed = (0..fraction).map(|_| {
            let slot = random.index(n);
            let old = boxes.get(slot).copied().filter(|old| !old.is_empty());
            let after = match (random.index(8), old) {
                (0, _) => None,
                (1..=2, _) | (_, None) => Some(random_box(&mut random, kind)),
                (3, Some(old)) => Some(old),
                (4, Some(old)) => Some(Aabb { min: old.min, max: old.center().sup(&old.min) }),
                (_, Some(old)) => {
                    let step = random.in_cube(0.3).component_mul(&old.size());
                    Some(Aabb { min: old.min + step, max: old.max + step })
                }
            };
            let is_finite =
                |aabb: &Aabb| aabb.min.iter().chain(&aabb.max).all(|x| x.is_finite()) && !aabb.is_empty();
            (slot as u32, after.filter(is_finite))
        });
        let changed = changed.collect();
        new += follow(&mut grid, &mut boxes, changed);
        // Now and then all are rebuilt in between.
        if update % 40 == 39 {
            assert_eq!(pairs_of(&mut grid, &boxes), pairs_of(&mut Brute, &boxes));
        }
    }
    assert!(new > 0, "new pairs came up");
}

#[test]
fn changes_of_all_kinds_are_followed() {
    for (k, kind) in KINDS.iter().enumerate() {
        follow_at_random(10 + k as u64, &[*kind], 60, count(60, 1000));
        follow_at_random(50 + k as u64, &[*kind], 300, count(20, 400));
    }
}

#[test]
fn changes_among_mixed_kinds_are_followed() {
    for seed in 0..count(3, 30) as u64 {
        follow_at_random(100 + seed, &KINDS, 200, 60);
    }
}

#[test]
fn a_large_box_that_moves_finds_the_small_ones_that_stand_still() {
    let mut random = Random::new(3);
    let small = Kind { center: 0.0, half: 5.0, size: 0.01, spread: 8.0, lattice: 0.0, flat: 2 };
    // Enough large ones that they are in cells.
    let large = Kind { size: 5.0, spread: 0.5, flat: 0, ..small };
    let mut boxes = scene(&mut random, &small, 600);
    boxes.extend(scene(&mut random, &large, 20));
    let mut grid = Grid::default();
    pairs_of(&mut grid, &boxes);
    let mut new = 0;
    for step in 0..20 {
        let after = random_box(&mut random, &large);
        new += follow(&mut grid, &mut boxes, vec![(600 + step, Some(after))]);
    }
    assert!(new > 100);
    assert!(grid.below.is_ready());
}

#[test]
fn boxes_that_stay_in_their_cells_leave_the_table_alone_and_memory_settles() {
    let mut random = Random::new(4);
    let mut boxes = scene(&mut random, &KINDS[1], 400);
    let mut grid = Grid::default();
    let mut memory = 0;
    for round in 0..60 {
        let moved = boxes.iter().enumerate().map(|(slot, aabb)| {
            let step = random.in_cube(0.05).component_mul(&aabb.size());
            (slot as u32, Some(Aabb { min: aabb.min + step, max: aabb.max + step }))
        });
        let moved = moved.collect();
        follow(&mut grid, &mut boxes, moved);
        if round == 30 {
            memory = grid.memory();
        }
    }
    assert_eq!(grid.memory(), memory);
}

#[test]
fn any_number_of_threads_gives_the_same_pairs_in_the_same_order() {
    // Enough boxes for several chunks.
    let n = 4 * super::CHUNK;
    let boxes = scene(&mut Random::new(5), &Kind { half: 25.0, ..KINDS[1] }, n);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut found = Vec::new();
        pool.install(|| Grid::default().rebuild(&boxes, &mut found));
        found
    };
    let found = with_threads(1);
    assert!(found.len() > n / 10);
    assert_eq!(found, with_threads(3));
    // One box after another finds them too, and those of some of the boxes are what all pairs give.
    let mut grid = Grid::default();
    grid.take_up(&boxes);
    let mut in_turn = Vec::new();
    (0..4).for_each(|chunk| grid.pairs_of_chunk(&boxes, chunk * super::CHUNK, &mut in_turn));
    assert_eq!(found, in_turn);
    for slot in (0..n).step_by(512) {
        let near = (0..n).filter(|&other| other != slot && boxes[other].overlaps(&boxes[slot])).count();
        let is_of_slot = |pair: &PairKey| (pair >> 32) as usize == slot || *pair as u32 as usize == slot;
        assert_eq!(found.iter().filter(|pair| is_of_slot(pair)).count(), near);
    }
}
