//! The hull of a piece, and how far it protrudes from the solid.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use zerogap_core::Vec3;

use super::solid::Solid;
use crate::hull::hull_surface;

/// Maximum steps of a feeler [-]: each one doubles the distance where the solid recedes.
const FEELER_STEPS: usize = 8;

/// Maximum number of steps from a point that protrudes to one that does so more [-].
const CLIMB_STEPS: usize = 12;

/// Closer to the wall of the hull than this part of the distance, a climb follows the wall [-].
const CLIMB_WALL: f64 = 1e-6;

/// A point this far above a face, relative to the face's size, is outside the hull, and a face this thin has no direction [-]: a
/// thousand roundings of a cut.
const OUTSIDE: f64 = 1e-9;

/// Steps of a sequence that fills the unit square evenly [-]: the inverse of the plastic number and its square (Roberts 2018).
const SPREAD: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_2];

/// The search stops when no part of the hull can beat the best sample by more than this [-].
const RELATIVE_SLACK: f64 = 0.02;

/// A triangulated hull.
#[derive(Debug, Clone)]
pub(super) struct Shell {
    pub(super) points: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) volume: f64,
    pub(super) area: f64,
}

/// The point of a hull that was found farthest from the solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worst {
    /// Distance from the solid [m].
    pub(super) distance: f64,
    /// The point of the hull.
    pub(super) point: Vec3,
    /// The solid's point nearest to it.
    pub(super) nearest: Vec3,
}

/// A ray along which to feel for hollows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feeler {
    /// Where it leaves the solid.
    pub(super) foot: Vec3,
    /// Direction, unit length [-].
    pub(super) direction: Vec3,
}

/// Sampling density of the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Maximum number of distances computed on the surface [-].
    pub(super) samples: usize,
    /// First step of a feeler [m]; hollows smaller than that do not matter.
    pub(super) step: f64,
    /// Differences below this do not matter [m].
    pub(super) floor: f64,
    /// Enough is known once a distance exceeds this [m]: the search then ends with what it has.
    pub(super) enough: f64,
}

/// A triangle of the hull waiting to be checked.
struct Task {
    /// No point of it is farther from the solid [m].
    bound: f64,
    /// Ties go to the one that came first.
    number: usize,
    corners: [Vec3; 3],
}

impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Task {}
impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Task {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.number.cmp(&self.number))
    }
}

impl Shell {
    /// The hull of points, if it has volume.
    pub(super) fn around(points: &[Vec3]) -> Option<Self> {
        let surface = hull_surface(points).ok()?;
        let points: Vec<Vec3> = surface.sources.iter().map(|&i| points[i as usize]).collect();
        let origin = points[0];
        let (mut volume, mut area) = (0.0, 0.0);
        for t in &surface.triangles {
            let [a, b, c] = t.map(|i| points[i as usize] - origin);
            volume += a.dot(&b.cross(&c)) / 6.0;
            area += 0.5 * (b - a).cross(&(c - a)).norm();
        }
        Some(Self { points, triangles: surface.triangles, volume, area })
    }

    /// How far a ray runs inside the hull [m], and the unit normal of the wall it hits; zero if it starts outside.
    fn exit(&self, from: &Vec3, direction: &Vec3) -> (f64, Vec3) {
        let mut exit = (f64::INFINITY, *direction);
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| self.points[i as usize]);
            let normal = (b - a).cross(&(c - a));
            let longest = longest_side(&[a, b, c]).1;
            // Slivers have no well-defined direction; their neighbours bound the same place.
            if normal.norm() < OUTSIDE * longest * longest {
                continue;
            }
            let (speed, room) = (normal.dot(direction), normal.dot(&(a - from)));
            if room < -OUTSIDE * normal.norm() * longest {
                return (0.0, *direction);
            }
            if speed > 0.0 {
                let travelled = (room / speed).max(0.0);
                if travelled < exit.0 {
                    exit = (travelled, normal);
                }
            }
        }
        if exit.0.is_finite() { (exit.0, exit.1.normalize()) } else { (0.0, *direction) }
    }

    /// Searches the hull for the point farthest from the solid.
    ///
    /// Computes: the largest distance over points along the feelers, points spread evenly over the hull's surface (half of the
    ///   samples), and points of it chosen where the distance can still be largest (the other half).
    /// Method: the distance changes no faster than the place, so a triangle can hold nothing beyond its middle's distance plus its
    ///   radius; the triangle with the largest such bound is halved next.
    /// Tolerance: on the surface the true maximum is at most 2 % or `floor` larger, unless the samples ran out first.
    /// Order: independent of anything but the input.
    pub(super) fn worst(&self, solid: &Solid, feelers: &[Feeler], effort: &Effort) -> Worst {
        let mut worst = Worst { distance: 0.0, point: self.points[0], nearest: self.points[0] };
        let evaluate = |p: Vec3, worst: &mut Worst| {
            let nearest = solid.nearest(&p);
            if nearest.gap > worst.distance {
                *worst = Worst { distance: nearest.gap, point: p, nearest: nearest.point };
            }
            nearest.gap
        };
        for feeler in feelers {
            // Nothing lies within the distance to the solid: that is the next step.
            let (reach, _) = self.exit(&feeler.foot, &feeler.direction);
            let mut travelled = effort.step;
            for _ in 0..FEELER_STEPS {
                if travelled >= reach {
                    break;
                }
                let gap = evaluate(feeler.foot + feeler.direction * travelled, &mut worst);
                if gap <= 0.0 {
                    break;
                }
                travelled += gap.max(effort.step);
            }
            if worst.distance > effort.enough {
                return worst;
            }
        }
        let spread = effort.samples / 2;
        for p in self.spread(spread) {
            evaluate(p, &mut worst);
            if worst.distance > effort.enough {
                return worst;
            }
        }
        self.climb(&mut worst, &evaluate);
        // The corners of the hull are points of the solid, so nothing is farther than from the nearest corner.
        let mut tasks: BinaryHeap<Task> = BinaryHeap::with_capacity(self.triangles.len());
        for (number, t) in self.triangles.iter().enumerate() {
            let corners = t.map(|i| self.points[i as usize]);
            tasks.push(Task { bound: longest_side(&corners).1 / 3.0_f64.sqrt(), number, corners });
        }
        let mut number = self.triangles.len();
        let mut left = effort.samples - spread;
        while let Some(Task { bound, corners, .. }) = tasks.pop() {
            let beaten = bound <= effort.floor.max(worst.distance * (1.0 + RELATIVE_SLACK));
            if beaten || worst.distance > effort.enough || left == 0 {
                break;
            }
            left -= 1;
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let distance = evaluate(middle, &mut worst).max(0.0);
            let radius = corners.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max);
            let bound = bound.min(distance + radius);
            // Halve the longest side.
            let (k, _) = longest_side(&corners);
            let [a, b, c] = [0, 1, 2].map(|s| corners[(k + s) % 3]);
            let half = 0.5 * (a + b);
            for corners in [[a, half, c], [half, b, c]] {
                tasks.push(Task { bound, number, corners });
                number += 1;
            }
        }
        self.climb(&mut worst, &evaluate);
        worst
    }

    /// Moves the worst point away from the solid while that gets it farther and keeps it in the hull.
    fn climb(&self, worst: &mut Worst, evaluate: &impl Fn(Vec3, &mut Worst) -> f64) {
        let mut step = 0.5 * worst.distance;
        for _ in 0..CLIMB_STEPS {
            let Some(away) = (worst.point - worst.nearest).try_normalize(0.0) else { return };
            // At the wall of the hull the path continues along the wall.
            let mut direction = away;
            let mut reach = self.exit(&worst.point, &direction);
            if reach.0 < CLIMB_WALL * worst.distance {
                let Some(along) = (away - reach.1 * away.dot(&reach.1)).try_normalize(1e-6) else { return };
                direction = along;
                reach = self.exit(&worst.point, &direction);
            }
            let before = worst.distance;
            evaluate(worst.point + direction * step.min(reach.0), worst);
            if worst.distance <= before {
                step *= 0.5;
            }
        }
    }

    /// About `count` points spread evenly over the surface, by area: thin triangles share a point between them.
    fn spread(&self, count: usize) -> Vec<Vec3> {
        let mut points = Vec::with_capacity(count + 1);
        let mut due = 0.5;
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| self.points[i as usize]);
            due += count as f64 * 0.5 * (b - a).cross(&(c - a)).norm() / self.area;
            while due >= 1.0 {
                due -= 1.0;
                let [u, v] = SPREAD.map(|step| (step * (points.len() + 1) as f64).fract());
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                points.push(a + (b - a) * u + (c - a) * v);
            }
        }
        points
    }
}

/// Which side is longest (from corner k to k + 1), and its length [m].
fn longest_side(corners: &[Vec3; 3]) -> (usize, f64) {
    let mut best = (0, 0.0);
    for k in 0..3 {
        let length = (corners[(k + 1) % 3] - corners[k]).norm();
        if length > best.1 {
            best = (k, length);
        }
    }
    best
}
