//! The hull of a piece, and how far it sticks out of the solid.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use zerogap_core::Vec3;

use super::solid::Solid;
use crate::hull::hull_surface;

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

/// How thoroughly to look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Most distances computed [-].
    pub(super) samples: usize,
    /// Differences below this do not matter [m].
    pub(super) floor: f64,
    /// Enough is known once a distance exceeds this [m].
    pub(super) enough: f64,
}

/// A triangle of the hull waiting to be looked at.
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

    /// How far a ray from a point of the hull runs inside it [m].
    pub(super) fn exit(&self, from: &Vec3, direction: &Vec3) -> f64 {
        let mut reach = f64::INFINITY;
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| self.points[i as usize]);
            let normal = (b - a).cross(&(c - a));
            let speed = normal.dot(direction);
            if speed > 0.0 {
                reach = reach.min((normal.dot(&(a - from)) / speed).max(0.0));
            }
        }
        if reach.is_finite() { reach } else { 0.0 }
    }

    /// Searches the hull for the point farthest from the solid.
    ///
    /// Computes: the largest distance over `probes` and over points of the hull's surface that are chosen where the distance can still be largest.
    /// Method: the distance changes no faster than the place, so a triangle can hold nothing beyond its middle's distance plus its
    ///   radius; the triangle with the largest such bound is halved next.
    /// Tolerance: on the surface the true maximum is at most 2 % or `floor` larger, unless the samples ran out first.
    /// Order: independent of anything but the input.
    pub(super) fn worst(&self, solid: &Solid, probes: &[Vec3], effort: &Effort) -> Worst {
        let mut worst = Worst { distance: 0.0, point: self.points[0], nearest: self.points[0] };
        let mut samples = 0;
        let mut look = |p: Vec3, worst: &mut Worst| {
            samples += 1;
            let nearest = solid.nearest(&p);
            if nearest.gap > worst.distance {
                *worst = Worst { distance: nearest.gap, point: p, nearest: nearest.point };
            }
            (nearest.gap.max(0.0), samples)
        };
        for p in probes {
            look(*p, &mut worst);
        }
        // The corners of the hull are points of the solid, so nothing is farther than from the nearest corner.
        let mut tasks: BinaryHeap<Task> = BinaryHeap::with_capacity(self.triangles.len());
        for (number, t) in self.triangles.iter().enumerate() {
            let corners = t.map(|i| self.points[i as usize]);
            tasks.push(Task { bound: longest_side(&corners).1 / 3.0_f64.sqrt(), number, corners });
        }
        let mut number = self.triangles.len();
        while let Some(Task { bound, corners, .. }) = tasks.pop() {
            if bound <= effort.floor.max(worst.distance * (1.0 + RELATIVE_SLACK))
                || worst.distance > effort.enough
            {
                break;
            }
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let (distance, used) = look(middle, &mut worst);
            if used >= effort.samples {
                break;
            }
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
        worst
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
