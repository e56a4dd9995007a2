//! What the tree answers, against asking every box.

use std::ops::ControlFlow;

use zerogap_core::Vec3;
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

use super::tests::odd_box;
use super::*;

/// Trees of all kinds of boxes with some questions to each, as boxes.
fn scenes(mut ask: impl FnMut(&Tree, &[Aabb], &Aabb, &mut Random)) {
    let mut random = Random::new(8);
    for round in 0..count(21, 210) {
        let n = [0, 1, 2, 7, 60, 250][round % 6];
        let mut boxes: Vec<_> = (0..n).map(|_| odd_box(&mut random, round % 7)).collect();
        let mut tree = Tree::default();
        tree.rebuild(&boxes, &mut Vec::new());
        // As the tree is after some changes, too.
        if n > 7 && round % 2 == 0 {
            for slot in 0..n / 5 {
                let before = Some(boxes[slot]);
                boxes[slot] =
                    if slot % 3 == 0 { Aabb::empty() } else { odd_box(&mut random, (round + 1) % 7) };
                let after = Some(boxes[slot]).filter(|aabb| !aabb.is_empty());
                tree.update(&boxes, &[Change { slot: slot as u32, before, after }], &mut Vec::new());
            }
        }
        for question in 0..30 {
            let kind = if question % 2 == 0 { round % 7 } else { random.index(7) };
            let bounds = odd_box(&mut random, kind);
            ask(&tree, &boxes, &bounds, &mut random);
        }
    }
}

/// Distance of two boxes [m], by the textbook formula.
fn distance_of(a: &Aabb, b: &Aabb) -> f64 {
    let nearest = |k: usize| (a.min[k] - b.max[k]).max(b.min[k] - a.max[k]).max(0.0);
    Vec3::new(nearest(0), nearest(1), nearest(2)).norm_squared().sqrt()
}

#[test]
fn asking_for_overlaps_and_neighbours_gives_what_asking_every_box_would() {
    scenes(|tree, boxes, bounds, random| {
        let of_all = |is_wanted: &dyn Fn(&Aabb) -> bool| -> Vec<u32> {
            let in_use = (0..boxes.len()).filter(|&slot| !boxes[slot].is_empty());
            in_use.filter(|&slot| is_wanted(&boxes[slot])).map(|slot| slot as u32).collect()
        };
        let mut visited = Vec::new();
        tree.overlapping(bounds, &mut |slot| visited.push(slot));
        visited.sort_unstable();
        assert_eq!(visited, of_all(&|aabb| aabb.overlaps(bounds)));
        // The distance of a box exactly, and others.
        let some = boxes.iter().find(|aabb| !aabb.is_empty()).map_or(1.0, |aabb| distance_of(aabb, bounds));
        for distance in [0.0, some, random.range(0.0, 5.0), 1e7, 1e61] {
            let mut visited = Vec::new();
            tree.within(bounds, distance, &mut |slot| visited.push(slot));
            visited.sort_unstable();
            assert_eq!(visited, of_all(&|aabb| distance_of(aabb, bounds) <= distance));
        }
    });
}

#[test]
fn the_nearest_boxes_come_sorted_and_none_is_left_out() {
    scenes(|tree, boxes, bounds, random| {
        let in_use = (0..boxes.len()).filter(|&slot| !boxes[slot].is_empty());
        let mut all: Vec<_> = in_use.map(|slot| (distance_of(&boxes[slot], bounds), slot as u32)).collect();
        all.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        for k in [0, 1, 1 + random.index(20), usize::MAX] {
            assert_eq!(tree.nearest(bounds, k), all[..k.min(all.len())]);
        }
    });
}

/// Where a ray enters a box by cutting it with the planes of all faces: the smallest t >= 0 at which it is in the closed box, to `slack` [m].
fn entry_by_faces(aabb: &Aabb, origin: &Vec3, direction: &Vec3, max: f64, slack: f64) -> Option<f64> {
    let mut times = vec![0.0];
    for k in (0..3).filter(|&k| direction[k] != 0.0) {
        times.extend([aabb.min[k], aabb.max[k]].map(|face| (face - origin[k]) / direction[k]));
    }
    let is_hit =
        |t: &f64| (0.0..=max).contains(t) && aabb.expanded(slack).contains(&(origin + *t * direction));
    times.into_iter().filter(is_hit).min_by(f64::total_cmp)
}

#[test]
fn a_ray_meets_boxes_in_the_order_in_which_it_enters_them() {
    scenes(|tree, boxes, bounds, random| {
        // Along axes, in planes and across; from corners of boxes too, so that it grazes faces and edges.
        let mut direction = random.in_cube(2.0);
        for k in 0..3 {
            direction[k] *= [0.0, 1.0, 1.0][random.index(3)];
        }
        let (origin, max) = (bounds.min, [0.0, 3.0, f64::INFINITY][random.index(3)]);
        let mut hits = Vec::new();
        tree.cast_ray(&origin, &direction, max, &mut |t, slot| {
            hits.push((t, slot));
            ControlFlow::Continue(())
        });
        assert!(hits.is_sorted_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)).is_lt()));
        let size = |aabb: &Aabb| aabb.min.amax().max(aabb.max.amax()).max(origin.amax());
        for (slot, aabb) in boxes.iter().enumerate().filter(|(_, aabb)| !aabb.is_empty()) {
            let hit = hits.iter().find(|hit| hit.1 == slot as u32);
            // What is surely hit is found; what is found is hit or nearly so.
            let slack = 1e-12 * size(aabb);
            match (hit, entry_by_faces(aabb, &origin, &direction, max, slack)) {
                (Some(&(t, _)), Some(expected)) => {
                    let room = 2.0 * slack / direction.amin().max(1e-3) + 1e-12 * expected;
                    assert!((t - expected).abs() <= room, "{t} {expected}");
                }
                (Some(hit), None) => panic!("{hit:?} does not hit {aabb:?}"),
                (None, _) => {
                    let inside = entry_by_faces(aabb, &origin, &direction, max, -slack);
                    assert_eq!(inside, None, "{aabb:?} is hit");
                }
            }
        }
        // Stopping after the first.
        let mut first = Vec::new();
        tree.cast_ray(&origin, &direction, max, &mut |t, slot| {
            first.push((t, slot));
            ControlFlow::Break(())
        });
        assert_eq!(first, hits[..hits.len().min(1)]);
    });
}

#[test]
fn a_ray_in_the_face_of_a_box_meets_it() {
    let unit = Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) };
    let boxes = [unit, Aabb { min: Vec3::new(3.0, 1.0, 1.0), max: Vec3::new(4.0, 1.0, 1.0) }];
    let mut tree = Tree::default();
    tree.rebuild(&boxes, &mut Vec::new());
    let cast = |origin: Vec3, direction: Vec3, max: f64| {
        let mut hits = Vec::new();
        tree.cast_ray(&origin, &direction, max, &mut |t, slot| {
            hits.push((t, slot));
            ControlFlow::Continue(())
        });
        hits
    };
    let is = |hits: Vec<(f64, u32)>, expected: &[(f64, u32)]| {
        hits.len() == expected.len()
            && hits.iter().zip(expected).all(|(h, e)| h.1 == e.1 && (h.0 - e.0).abs() <= 1e-15 * e.0)
    };
    // Along an edge of the first and the whole of the second; just beside; backwards; too short; from inside; twice as fast.
    assert!(is(cast(Vec3::new(-1.0, 1.0, 1.0), Vec3::x(), 10.0), &[(1.0, 0), (4.0, 1)]));
    assert!(is(cast(Vec3::new(-1.0, 1.0 + 1e-15, 1.0), Vec3::x(), 10.0), &[]));
    assert!(is(cast(Vec3::new(-1.0, 1.0, 1.0), -Vec3::x(), 10.0), &[]));
    assert!(is(cast(Vec3::new(-1.0, 1.0, 1.0), Vec3::x(), 3.5), &[(1.0, 0)]));
    assert!(is(cast(Vec3::repeat(0.5), Vec3::y(), 10.0), &[(0.0, 0)]));
    assert!(is(cast(Vec3::new(-1.0, 1.0, 1.0), 2.0 * Vec3::x(), 10.0), &[(0.5, 0), (2.0, 1)]));
    assert!(is(cast(Vec3::repeat(1.0), Vec3::zeros(), 10.0), &[(0.0, 0)]));
}
