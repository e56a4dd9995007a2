//! The tree against checking all boxes.

use zerogap_core::Vec3;
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

use super::super::brute::Brute;
use super::*;

/// Sorted, each once.
fn sorted(mut keys: Vec<PairKey>) -> Vec<PairKey> {
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn all_by_brute_force(boxes: &[Aabb]) -> Vec<PairKey> {
    let mut found = Vec::new();
    Brute.rebuild(boxes, &mut found);
    sorted(found)
}

/// Side lengths spread over 2^`octaves`.
fn random_box(random: &mut Random, spread: f64, octaves: f64) -> Aabb {
    let size = spread * zerogap_core::math::exp(-random.range(0.0, octaves) * std::f64::consts::LN_2);
    let sides = Vec3::from_fn(|_, _| size * random.range(0.3, 1.0));
    Aabb::from_center_size(random.in_cube(spread), sides)
}

/// A box of one of many kinds, so that kinds are mixed in one scene.
pub(super) fn odd_box(random: &mut Random, kind: usize) -> Aabb {
    let whole = |random: &mut Random| random.in_cube(4.0).map(f64::floor);
    match kind {
        // Touching faces, edges and corners, equal boxes.
        0 => {
            let min = whole(random);
            Aabb { min, max: min.add_scalar(1.0) }
        }
        // Points.
        1 => {
            let p = whole(random);
            Aabb { min: p, max: p }
        }
        // Flat in one or two directions.
        2 => {
            let min = whole(random);
            let max = min + Vec3::from_fn(|_, _| random.index(3) as f64);
            Aabb { min, max }
        }
        // Clusters.
        3 => {
            let center = whole(random) * 100.0 + 0.1 * random.in_cube(1.0);
            Aabb::from_center_size(center, Vec3::repeat(0.03))
        }
        // Far away.
        4 => {
            let far = [1e6, 1e15, 1e60][random.index(3)];
            let center = whole(random) * far;
            Aabb::from_center_size(center, Vec3::repeat([0.0, 1.0, far][random.index(3)]))
        }
        // Large and small.
        5 => random_box(random, 4.0, 20.0),
        // Everywhere the same.
        _ => Aabb { min: Vec3::repeat(-1.0), max: Vec3::repeat(0.5) },
    }
}

fn assert_rebuilt_pairs(tree: &mut Tree, boxes: &[Aabb]) {
    let mut found = Vec::new();
    tree.rebuild(boxes, &mut found);
    assert_eq!(tree.check(boxes), Ok(()));
    let number = found.len();
    let found = sorted(found);
    assert_eq!(found.len(), number, "each pair once");
    assert_eq!(found, all_by_brute_force(boxes));
}

#[test]
fn a_build_finds_the_pairs_of_brute_force() {
    let mut random = Random::new(1);
    let mut tree = Tree::default();
    for round in 0..count(30, 300) {
        let n = [0, 1, 2, 3, 4, 5, 9, 33, 300, 700][round % 10];
        let octaves = [0.0, 10.0, 20.0][round % 3];
        let mut boxes: Vec<_> = (0..n).map(|_| random_box(&mut random, 1.0, octaves)).collect();
        assert_rebuilt_pairs(&mut tree, &boxes);
        // The same with gaps between the slots in use.
        for aabb in &mut boxes {
            if random.index(3) == 0 {
                *aabb = Aabb::empty();
            }
        }
        assert_rebuilt_pairs(&mut tree, &boxes);
    }
}

#[test]
fn odd_boxes_pair_as_by_brute_force() {
    let mut random = Random::new(2);
    for round in 0..count(42, 420) {
        let n = 1 + random.index(300);
        let alone: Vec<_> = (0..n).map(|_| odd_box(&mut random, round % 7)).collect();
        assert_rebuilt_pairs(&mut Tree::default(), &alone);
        let mixed: Vec<_> = (0..n).map(|k| odd_box(&mut random, (k * round) % 7)).collect();
        assert_rebuilt_pairs(&mut Tree::default(), &mixed);
    }
}

/// Follows changes and asserts that no new pair is missed and no false pair is reported.
fn assert_update(tree: &mut Tree, boxes: &mut Vec<Aabb>, news: &[(u32, Aabb)]) {
    let before = all_by_brute_force(boxes);
    let changes: Vec<_> = news
        .iter()
        .map(|&(slot, after)| {
            if slot as usize >= boxes.len() {
                boxes.resize(slot as usize + 1, Aabb::empty());
            }
            let before = std::mem::replace(&mut boxes[slot as usize], after);
            let some = |aabb: Aabb| (!aabb.is_empty()).then_some(aabb);
            Change { slot, before: some(before), after: some(after) }
        })
        .collect();
    let mut found = Vec::new();
    tree.update(boxes, &changes, &mut found);
    assert_eq!(tree.check(boxes), Ok(()));
    let number = found.len();
    let found = sorted(found);
    assert_eq!(found.len(), number, "each pair once");
    let now = all_by_brute_force(boxes);
    assert!(found.iter().all(|key| now.binary_search(key).is_ok()), "a pair that does not overlap");
    let new = now.iter().filter(|key| before.binary_search(key).is_err());
    assert!(new.into_iter().all(|key| found.binary_search(key).is_ok()), "a missing pair");
    // Asking the tree for everything gives everything.
    let mut all = Vec::new();
    tree.all_pairs(&mut all);
    assert_eq!(sorted(all), now);
}

#[test]
fn updates_follow_what_comes_goes_and_moves() {
    let mut random = Random::new(3);
    for round in 0..count(14, 140) {
        let (mut tree, mut boxes) = (Tree::default(), Vec::new());
        for step in 0..count(60, 200) {
            // Mostly few changes, now and then all; more slots with time; from step 40 mostly leaving.
            let slots = 4 + 2 * step;
            let fraction = if step % 9 == 8 { 1.0 } else { 0.1 };
            let mut news = Vec::new();
            for slot in 0..slots as u32 {
                if random.unit() > fraction {
                    continue;
                }
                let was = boxes.get(slot as usize).copied().unwrap_or_else(Aabb::empty);
                let fate = random.index(if step < 40 { 6 } else { 12 });
                let after = if fate > 4 {
                    Aabb::empty()
                } else if was.is_empty() || fate == 0 {
                    {
                        let kind = (round + random.index(2)) % 7;
                        odd_box(&mut random, kind)
                    }
                } else {
                    let shift = 0.2 * random.in_cube(1.0);
                    Aabb { min: was.min + shift, max: was.max + shift }
                };
                news.push((slot, after));
            }
            assert_update(&mut tree, &mut boxes, &news);
        }
        // All out, then in again.
        let none: Vec<_> = (0..boxes.len() as u32).map(|slot| (slot, Aabb::empty())).collect();
        for news in none.chunks(7) {
            assert_update(&mut tree, &mut boxes, news);
        }
        assert_update(&mut tree, &mut boxes, &[(3, odd_box(&mut random, round % 7))]);
    }
}

#[test]
fn boxes_in_one_place_put_in_one_by_one_do_not_make_a_list() {
    let (mut tree, mut boxes) = (Tree::default(), Vec::new());
    for slot in 0..300 {
        boxes.push(odd_box(&mut Random::new(0), 6));
        let change = Change { slot, before: None, after: Some(boxes[slot as usize]) };
        tree.update(&boxes, &[change], &mut Vec::new());
        assert_eq!(tree.check(&boxes), Ok(()));
        assert!(tree.depth() <= tree.depth_limit(), "{} at {slot}", tree.depth());
    }
}

#[test]
fn points_on_a_line_make_a_tree_that_tells_them_apart() {
    let on_line = |slot: u32| Vec3::new(f64::from(slot * 7919 % 2003), 0.0, 0.0);
    let boxes: Vec<_> = (0..2003).map(|slot| Aabb { min: on_line(slot), max: on_line(slot) }).collect();
    let mut built = Tree::default();
    built.rebuild(&boxes, &mut Vec::new());
    assert!(built.depth() <= 16, "{}", built.depth());
    let mut grown = Tree::default();
    for slot in 0..boxes.len() {
        let change = Change { slot: slot as u32, before: None, after: Some(boxes[slot]) };
        let mut found = Vec::new();
        grown.update(&boxes[..=slot], &[change], &mut found);
        assert!(found.is_empty());
    }
    assert!(grown.depth() <= grown.depth_limit());
    assert!(grown.size_of_nodes() <= built.size_of_nodes() + DECAY_LIMIT + 128);
}

#[test]
fn boxes_each_half_of_the_one_before_keep_the_depth_bounded() {
    let (mut tree, mut boxes) = (Tree::default(), Vec::new());
    let mut size = 1e60;
    for slot in 0..700 {
        size *= 0.6;
        boxes.push(Aabb { min: Vec3::repeat(size * 0.99), max: Vec3::repeat(size) });
        let change = Change { slot, before: None, after: Some(boxes[slot as usize]) };
        tree.update(&boxes, &[change], &mut Vec::new());
        let bound = tree.depth_limit() + 2 + tree.len.isqrt() as u32;
        assert!(tree.depth() <= bound, "{} of {bound} at {slot}", tree.depth());
    }
    assert_eq!(tree.check(&boxes), Ok(()));
    tree.build(&boxes);
    assert!(tree.depth() <= tree.depth_limit());
}

#[test]
fn boxes_that_drift_far_away_and_back_keep_the_depth_bounded() {
    let mut random = Random::new(4);
    let n = 400;
    let mut boxes: Vec<_> = (0..n).map(|_| random_box(&mut random, 10.0, 6.0)).collect();
    let directions: Vec<_> = (0..n).map(|_| random.direction()).collect();
    let mut tree = Tree::default();
    tree.rebuild(&boxes, &mut Vec::new());
    let (updates, mut deepest) = (10_000, 0);
    let step = 1e6 / (updates as f64 * 0.5) * 20.0;
    for update in 0..updates {
        let outwards = if update < updates / 2 { step } else { -step };
        let mut changes = Vec::new();
        for slot in (update % 20..n).step_by(20) {
            let (was, shift) = (boxes[slot], outwards * directions[slot]);
            boxes[slot] = Aabb { min: was.min + shift, max: was.max + shift };
            changes.push(Change { slot: slot as u32, before: Some(was), after: Some(boxes[slot]) });
        }
        tree.update(&boxes, &changes, &mut Vec::new());
        if update % 100 == 0 {
            assert_eq!(tree.check(&boxes), Ok(()));
            deepest = deepest.max(tree.depth());
        }
    }
    assert!(deepest <= tree.depth_limit(), "{deepest}");
    let mut found = Vec::new();
    tree.all_pairs(&mut found);
    assert_eq!(sorted(found), all_by_brute_force(&boxes));
}

#[test]
fn a_tree_that_has_been_followed_for_long_is_nearly_as_good_as_a_new_one() {
    let mut random = Random::new(5);
    let n = 1000;
    let mut boxes: Vec<_> = (0..n).map(|_| random_box(&mut random, 1.0, 8.0)).collect();
    let mut tree = Tree::default();
    tree.rebuild(&boxes, &mut Vec::new());
    for update in 0..count(2_000, 100_000) {
        let slot = random.index(n);
        let was = boxes[slot];
        boxes[slot] = random_box(&mut random, 1.0, 8.0);
        let change = Change { slot: slot as u32, before: Some(was), after: Some(boxes[slot]) };
        tree.update(&boxes, &[change], &mut Vec::new());
        if update % 500 == 0 {
            assert_eq!(tree.check(&boxes), Ok(()));
            let mut new = Tree::default();
            new.build(&boxes);
            // Half a doubling more than what it is rebuilt at: what may be inserted between two checks.
            assert!(tree.size_of_nodes() <= new.size_of_nodes() + DECAY_LIMIT + 128, "update {update}");
            assert!(tree.depth() <= tree.depth_limit());
        }
    }
}

#[test]
fn the_same_calls_give_the_same_reports() {
    let run = || {
        let mut random = Random::new(6);
        let mut boxes: Vec<_> = (0..500).map(|k| odd_box(&mut random, k % 7)).collect();
        let (mut tree, mut found) = (Tree::default(), Vec::new());
        tree.rebuild(&boxes, &mut found);
        for step in 0..30 {
            let mut changes = Vec::new();
            for slot in (step % 10..500).step_by(10) {
                let before = Some(boxes[slot]);
                boxes[slot] = odd_box(&mut random, slot % 6);
                changes.push(Change { slot: slot as u32, before, after: Some(boxes[slot]) });
            }
            tree.update(&boxes, &changes, &mut found);
        }
        found
    };
    assert_eq!(run(), run());
}

#[test]
fn memory_stays_what_it_was_when_the_boxes_move() {
    let mut random = Random::new(7);
    let mut boxes: Vec<_> = (0..400).map(|_| random_box(&mut random, 1.0, 4.0)).collect();
    let mut tree = Tree::default();
    let mut found = Vec::new();
    let mut step = |tree: &mut Tree, fraction: f64| {
        let mut changes = Vec::new();
        for (slot, aabb) in boxes.iter_mut().enumerate() {
            if random.unit() < fraction {
                let before = Some(*aabb);
                *aabb = random_box(&mut random, 1.0, 4.0);
                changes.push(Change { slot: slot as u32, before, after: Some(*aabb) });
            }
        }
        found.clear();
        tree.update(&boxes, &changes, &mut found);
        tree.memory()
    };
    let first = (0..40).map(|k| step(&mut tree, if k % 4 == 0 { 1.0 } else { 0.1 })).max();
    let second = (0..200).map(|k| step(&mut tree, if k % 4 == 0 { 1.0 } else { 0.1 })).max();
    assert_eq!(first, second);
}
