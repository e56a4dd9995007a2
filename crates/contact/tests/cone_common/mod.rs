//! Scenes of boxes as contact problems, written down by hand.

#![allow(dead_code, reason = "every user needs some of it")]

use zerogap_contact::cone::BodyProblem;
use zerogap_contact::problem::Block;
use zerogap_core::math;
use zerogap_core::random::Random;

pub(crate) type Point = [f64; 3];

/// Gravity times a step of 2 ms [m/s].
pub(crate) const FALL: f64 = 9.81 * 2e-3;

pub(crate) fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Boxes as they are collected.
#[derive(Default)]
pub(crate) struct Scene {
    pub(crate) problem: BodyProblem,
    pub(crate) centres: Vec<Point>,
}

impl Scene {
    /// A box along the axes; `velocity` is linear, then angular.
    pub(crate) fn add_box(&mut self, mass: f64, size: Point, centre: Point, velocity: [f64; 6]) -> usize {
        let mut matrix = [0.0; 36];
        for k in 0..3 {
            matrix[k * 7] = mass;
            let (a, b) = (size[(k + 1) % 3], size[(k + 2) % 3]);
            matrix[(k + 3) * 7] = mass * (a * a + b * b) / 12.0;
        }
        self.centres.push(centre);
        self.problem.add_group(&matrix, &velocity)
    }

    /// A contact at a point with the normal from `a` (or the ground) to `b`.
    pub(crate) fn touch(
        &mut self,
        a: Option<usize>,
        b: usize,
        at: Point,
        normal: Point,
        friction: f64,
        bias: [f64; 3],
    ) {
        self.touch_law(Block::Contact { friction, slip: None }, a, b, at, normal, &bias);
    }

    pub(crate) fn touch_law(
        &mut self,
        law: Block,
        a: Option<usize>,
        b: usize,
        at: Point,
        normal: Point,
        bias: &[f64],
    ) {
        let other = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let t1 = cross(normal, other);
        let length = (t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]).sqrt();
        let t1 = t1.map(|x| x / length);
        let t2 = cross(normal, t1);
        self.problem.add_block(law, bias);
        for (body, sign) in [(a, -1.0), (Some(b), 1.0)] {
            let Some(body) = body else { continue };
            let centre = self.centres[body];
            let arm = [0, 1, 2].map(|k| at[k] - centre[k]);
            let mut rows = Vec::new();
            for direction in [normal, t1, t2].iter().take(law.rows()) {
                let turn = cross(arm, *direction);
                rows.extend(direction.iter().chain(&turn).map(|x| sign * x));
            }
            self.problem.add_side(body, &rows);
        }
    }
}

/// Unit boxes on each other.
pub(crate) fn tower(count: usize, friction: f64) -> Scene {
    let mut scene = Scene::default();
    for k in 0..count {
        scene.add_box(1.0, [1.0; 3], [0.0, 0.0, k as f64 + 0.5], [0.0, 0.0, -FALL, 0.0, 0.0, 0.0]);
    }
    for k in 0..count {
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            scene.touch(k.checked_sub(1), k, [x, y, k as f64], [0.0, 0.0, 1.0], friction, [0.0; 3]);
        }
    }
    scene
}

/// Layers of `n` by `n` boxes, each layer half a box aside, each box on up to four; two points for each pair, `speed` of random motion.
pub(crate) fn pile(n: usize, layers: usize, friction: f64, speed: f64, seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let mut scene = Scene::default();
    for layer in 0..layers {
        for k in 0..n * n {
            let aside = 0.5 * (layer % 2) as f64;
            let centre = [(k % n) as f64 + aside, (k / n) as f64 + aside, layer as f64 + 0.5];
            let mut velocity = [0; 6].map(|_| random.range(-speed, speed));
            velocity[2] -= FALL;
            scene.add_box(1.0, [1.0; 3], centre, velocity);
        }
    }
    let up = [0.0, 0.0, 1.0];
    for b in 0..scene.centres.len() {
        let centre = scene.centres[b];
        let z = centre[2] - 0.5;
        if b < n * n {
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
                scene.touch(None, b, [centre[0] + x, centre[1] + y, z], up, friction, [0.0; 3]);
            }
            continue;
        }
        let layer = b / (n * n);
        for a in (layer - 1) * n * n..layer * n * n {
            let below = scene.centres[a];
            let (dx, dy) = (below[0] - centre[0], below[1] - centre[1]);
            if dx.abs() < 0.6 && dy.abs() < 0.6 {
                // Opposite corners of the square where they touch.
                scene.touch(
                    Some(a),
                    b,
                    [centre[0] + 0.1 * dx, centre[1] + 0.9 * dy, z],
                    up,
                    friction,
                    [0.0; 3],
                );
                scene.touch(
                    Some(a),
                    b,
                    [centre[0] + 0.9 * dx, centre[1] + 0.1 * dy, z],
                    up,
                    friction,
                    [0.0; 3],
                );
            }
        }
    }
    scene
}

/// Half a circle of stones between radii 1 and 1.2, both feet on the ground.
pub(crate) fn arch(stones: usize, friction: f64) -> Scene {
    let mut scene = Scene::default();
    let (inner, outer, depth) = (1.0, 1.2, 0.3);
    let wedge = std::f64::consts::PI / stones as f64;
    for k in 0..stones {
        let (s, c) = math::sin_cos((k as f64 + 0.5) * wedge);
        let middle = 0.5 * (inner + outer);
        scene.add_box(
            1.0,
            [outer - inner, depth, middle * wedge],
            [-middle * c, 0.0, middle * s],
            [0.0, 0.0, -FALL, 0.0, 0.0, 0.0],
        );
    }
    for joint in 0..=stones {
        let (s, c) = math::sin_cos(joint as f64 * wedge);
        // The normal points along the circle, from one stone to the next.
        let (a, b, normal) = match joint {
            0 => (None, 0, [0.0, 0.0, 1.0]),
            _ if joint == stones => (None, stones - 1, [0.0, 0.0, 1.0]),
            _ => (Some(joint - 1), joint, [s, 0.0, c]),
        };
        for radius in [inner, outer] {
            for y in [-0.5 * depth, 0.5 * depth] {
                scene.touch(a, b, [-radius * c, y, radius * s], normal, friction, [0.0; 3]);
            }
        }
    }
    scene
}

/// A house of cards of two storeys: five leaning cards below and between them, flat ones on top; each card leans on its edge.
///
/// Cards are written as if along the axes (their inertia is), which is not exact and does not matter: contacts are.
pub(crate) fn cards(friction: f64) -> Scene {
    let mut scene = Scene::default();
    let (length, width, thick) = (1.0, 0.6, 0.02);
    let (s, c) = math::sin_cos(0.35);
    let (half_x, half_z) = (0.5 * length * s, 0.5 * length * c);
    let fall = [0.0, 0.0, -FALL, 0.0, 0.0, 0.0];
    let edge = [-0.5 * width, 0.5 * width];
    // A tent at (x, z): two cards that lean on each other; what they stand on is given.
    let tent = |scene: &mut Scene, x: f64, z: f64, below: Option<usize>| {
        let left = scene.add_box(0.1, [length * s, width, length * c], [x - half_x, 0.0, z + half_z], fall);
        let right = scene.add_box(0.1, [length * s, width, length * c], [x + half_x, 0.0, z + half_z], fall);
        for y in edge {
            scene.touch(below, left, [x - 2.0 * half_x, y, z], [0.0, 0.0, 1.0], friction, [0.0; 3]);
            scene.touch(below, right, [x + 2.0 * half_x, y, z], [0.0, 0.0, 1.0], friction, [0.0; 3]);
            scene.touch(Some(left), right, [x, y, z + 2.0 * half_z], [1.0, 0.0, 0.0], friction, [0.0; 3]);
        }
        [left, right]
    };
    let first = tent(&mut scene, -2.0 * half_x, 0.0, None);
    let second = tent(&mut scene, 2.0 * half_x, 0.0, None);
    let top = 2.0 * half_z;
    let flat = scene.add_box(0.1, [length, width, thick], [0.0, 0.0, top + 0.5 * thick], fall);
    for (cards, x) in [(first, -2.0 * half_x), (second, 2.0 * half_x)] {
        for card in cards {
            for y in edge {
                scene.touch(Some(card), flat, [x, y, top], [0.0, 0.0, 1.0], friction, [0.0; 3]);
            }
        }
    }
    tent(&mut scene, 0.0, top + thick, Some(flat));
    scene
}
