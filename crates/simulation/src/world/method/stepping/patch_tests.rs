//! Choices of contact points: what always stays, what spans a patch, and how much of its area and moment is left.

use zerogap_core::Vec3;
use zerogap_core::random::Random;

use super::{Candidate, Choice, HYSTERESIS, PatchPoints, convex_hull, cross};

/// A closed point with an upward normal.
fn point(x: f64, y: f64) -> Candidate {
    Candidate {
        at: Vec3::new(x, y, 0.0),
        normal: Vec3::z(),
        gap: 0.0,
        slop: 1e-9,
        gap_rate: 0.0,
        is_near: true,
        was_kept: false,
        is_needed: false,
    }
}

/// The places of the points that are kept.
fn chosen(candidates: &[Candidate], limit: usize) -> Vec<usize> {
    let mut choice = Choice { candidates: candidates.to_vec(), ..Choice::default() };
    choice.choose(limit, false, 1e-3);
    (0..candidates.len()).filter(|k| choice.is_kept[*k]).collect()
}

/// The corners of a regular polygon.
fn regular(corners: usize) -> Vec<Candidate> {
    let angle = |k: usize| k as f64 / corners as f64 * std::f64::consts::TAU;
    (0..corners)
        .map(|k| point(zerogap_core::math::cos(angle(k)), zerogap_core::math::sin(angle(k))))
        .collect()
}

#[test]
fn corners_of_a_rectangle_stay_and_points_on_its_edges_and_inside_do_not() {
    let rectangle =
        [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.5), (1.1, 0.4)];
    let points: Vec<Candidate> = rectangle.iter().map(|(x, y)| point(*x, *y)).collect();
    assert_eq!(chosen(&points, 4), [0, 2, 3, 5]);
    // Nothing that is inside is added, however many there may be.
    assert_eq!(chosen(&points, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(chosen(&points, 7), [0, 2, 3, 5]);
}

#[test]
fn the_deepest_point_stays_and_so_does_what_is_needed() {
    for deepest in 0..8 {
        for needed in 0..8 {
            let mut points = regular(8);
            for (k, point) in points.iter_mut().enumerate() {
                point.gap = 1e-3 * (1.0 + k as f64);
            }
            points[deepest].gap = 1e-4;
            points[needed].is_needed = true;
            let kept = chosen(&points, 4);
            assert_eq!(kept.len(), 4);
            assert!(kept.contains(&deepest) && kept.contains(&needed), "{deepest} {needed}: {kept:?}");
        }
    }
    // One inside the others.
    let mut points = regular(8);
    points.push(Candidate { gap: -1e-6, ..point(0.1, 0.0) });
    assert!(chosen(&points, 4).contains(&8));
    // All that are needed, even where they are more than the limit.
    let needed: Vec<Candidate> =
        regular(8).iter().map(|point| Candidate { is_needed: true, ..*point }).collect();
    assert_eq!(chosen(&needed, 4).len(), 8);
}

#[test]
fn a_point_that_cannot_touch_does_not_count() {
    let mut points = regular(8);
    for k in [0, 2, 4, 6] {
        points[k].is_near = false;
    }
    assert_eq!(chosen(&points, 4), [1, 3, 5, 7]);
    for point in &mut points {
        point.is_near = false;
    }
    assert!(chosen(&points, 4).is_empty());
}

#[test]
fn points_of_the_last_step_stay_where_others_are_as_good_but_for_noise() {
    let mut random = Random::new(7);
    let mut last: Option<Vec<usize>> = None;
    for _ in 0..1000 {
        let mut points = regular(8);
        for (k, point) in points.iter_mut().enumerate() {
            point.at += random.in_cube(0.02);
            point.gap = random.range(-1e-9, 1e-9);
            point.was_kept = last.as_ref().is_some_and(|last| last.contains(&k));
        }
        let now = chosen(&points, 4);
        assert_eq!(now.len(), 4);
        if let Some(last) = &last {
            assert_eq!(&now, last);
        }
        last = Some(now);
    }
    // A point that is much farther out takes over nevertheless.
    let mut points = regular(8);
    let kept = last.unwrap();
    for k in &kept {
        points[*k].was_kept = true;
    }
    let other = (0..8).find(|k| !kept.contains(k)).unwrap();
    points[other].at *= 2.0 * HYSTERESIS;
    assert!(chosen(&points, 4).contains(&other));
}

#[test]
fn patches_of_other_normals_are_chosen_apart() {
    let mut points = regular(8);
    let wall = |point: &Candidate| Candidate {
        normal: Vec3::x(),
        at: Vec3::new(0.0, point.at.x, point.at.y),
        ..*point
    };
    points.extend(regular(8).iter().map(wall));
    let kept = chosen(&points, 4);
    assert_eq!(kept.iter().filter(|k| **k < 8).count(), 4);
    assert_eq!(kept.len(), 8);
}

#[test]
fn degenerate_patches_keep_their_ends() {
    // On one point.
    assert_eq!(chosen(&vec![point(0.3, 0.2); 9], 4), [0]);
    // On a line, the deepest in between.
    let mut line: Vec<Candidate> = (0..9).map(|k| point(0.1 * f64::from(k), 0.2 * f64::from(k))).collect();
    assert_eq!(chosen(&line, 4), [0, 8]);
    line[3].gap = -1e-3;
    assert_eq!(chosen(&line, 4), [0, 3, 8]);
    // Very small and very large, and with coordinates that are no numbers, which end the run elsewhere.
    for size in [1e-150, 1e-9, 1e9, 1e150] {
        let points: Vec<Candidate> =
            regular(8).iter().map(|point| Candidate { at: point.at * size, ..*point }).collect();
        assert_eq!(chosen(&points, 4).len(), 4, "{size}");
    }
    let unknown = vec![point(f64::NAN, 0.0); 6];
    assert!(!chosen(&unknown, 4).is_empty());
}

#[test]
fn limits_are_four_for_convex_pairs_and_eight_for_others() {
    assert_eq!([true, false].map(|is_convex| PatchPoints::Auto.limit(is_convex)), [Some(4), Some(8)]);
    assert_eq!(PatchPoints::AtMost(0).limit(true), Some(1));
    assert_eq!(PatchPoints::All.limit(true), None);
}

fn area(polygon: &[[f64; 2]]) -> f64 {
    let next = |k: usize| polygon[(k + 1) % polygon.len()];
    0.5 * polygon.iter().enumerate().map(|(k, p)| cross(*p, next(k))).sum::<f64>()
}

/// The centre of the area of a polygon.
fn center(polygon: &[[f64; 2]]) -> [f64; 2] {
    let mut center = [0.0; 2];
    for (k, p) in polygon.iter().enumerate() {
        let q = polygon[(k + 1) % polygon.len()];
        let part = cross(*p, q) / (6.0 * area(polygon));
        center = [center[0] + part * (p[0] + q[0]), center[1] + part * (p[1] + q[1])];
    }
    center
}

/// The largest moment that a unit load at points holds about the middle of a patch, by the direction of its axis.
fn moments(points: &[[f64; 2]], middle: [f64; 2]) -> impl Iterator<Item = f64> {
    (0..64).map(move |k| {
        let angle = f64::from(k) / 64.0 * std::f64::consts::TAU;
        let out = [zerogap_core::math::cos(angle), zerogap_core::math::sin(angle)];
        let reach = |p: &[f64; 2]| out[0] * (p[0] - middle[0]) + out[1] * (p[1] - middle[1]);
        points.iter().map(reach).fold(f64::NEG_INFINITY, f64::max)
    })
}

/// The worst and the mean fraction of area and of moment that points of random convex polygons keep, at a limit.
fn fractions(limit: usize) -> [f64; 4] {
    let mut random = Random::new(22);
    let (mut worst, mut sum, mut count) = ([f64::INFINITY; 2], [0.0; 2], 0.0);
    for _ in 0..5000 {
        // Hulls of random points in a random ellipse, turned.
        let (flat, turn) = (random.range(0.1, 1.0), random.range(0.0, std::f64::consts::TAU));
        let (c, s) = (zerogap_core::math::cos(turn), zerogap_core::math::sin(turn));
        let mut cloud: Vec<[f64; 2]> = (0..5 + random.index(20))
            .map(|_| {
                let p = random.direction();
                let (x, y) = (p.x, flat * p.y);
                [c * x - s * y, s * x + c * y]
            })
            .collect();
        let mut hull = Vec::new();
        convex_hull(&mut cloud, &mut hull);
        if hull.len() <= limit {
            continue;
        }
        let candidates: Vec<Candidate> = hull.iter().map(|p| point(p[0], p[1])).collect();
        let mut kept: Vec<[f64; 2]> = chosen(&candidates, limit).iter().map(|k| hull[*k]).collect();
        let mut small = Vec::new();
        convex_hull(&mut kept, &mut small);
        let middle = center(&hull);
        let moment = moments(&small, middle)
            .zip(moments(&hull, middle))
            .map(|(small, all)| small / all)
            .fold(1.0, f64::min);
        for (k, fraction) in [area(&small) / area(&hull), moment].into_iter().enumerate() {
            worst[k] = worst[k].min(fraction);
            sum[k] += fraction;
        }
        count += 1.0;
    }
    assert!(count > 1000.0);
    [worst[0], worst[1], sum[0] / count, sum[1] / count]
}

#[test]
fn kept_points_span_most_of_random_convex_patches() {
    let four = fractions(4);
    let eight = fractions(8);
    println!("area and moment, worst and mean: {four:?} of four, {eight:?} of eight");
    for (found, least) in four.into_iter().zip([0.6, 0.28, 0.78, 0.65]) {
        assert!(found >= least, "{four:?}");
    }
    for (found, least) in eight.into_iter().zip([0.92, 0.82, 0.98, 0.95]) {
        assert!(found >= least, "{eight:?}");
    }
}

#[test]
fn the_hull_of_points_has_its_corners_alone() {
    let mut points = vec![[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5], [0.0, 0.0]];
    let mut hull = Vec::new();
    convex_hull(&mut points, &mut hull);
    assert_eq!(hull, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    convex_hull(&mut [[1.0, 2.0]; 3], &mut hull);
    assert_eq!(hull, [[1.0, 2.0]]);
}
