//! From inside: a polytope grows in the difference until the face nearest to the origin is a face of the difference.
//!
//! In: a simplex that holds the origin. Out: the shortest way out, with a lower and an upper bound. The polytope's points are all in the
//! difference and its surface is closed about the origin, so the ball of the nearest face's distance lies in the difference:
//! this bound holds whatever rounding does to the shape of the faces.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use super::body::Body;
use super::difference::{Corner, Difference};
use super::simplex::Simplex;
use super::walk::Goal;

/// Faces in one plane that are crossed on the way to the foot of the origin, at most [-].
const MAX_FLAT_STEPS: usize = 64;

/// A triangle of the growing polytope.
#[derive(Debug, Clone, Copy)]
struct Face {
    corners: [u32; 3],
    /// The face beyond the side from corner k to corner k + 1.
    beyond: [u32; 3],
    normal: Vec3,
    /// Least distance of its corners along its normal [m].
    height: f64,
    alive: bool,
}

/// A face by its height, the lowest first, ties by index.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ranked {
    height: f64,
    face: u32,
}

impl Eq for Ranked {}

impl Ord for Ranked {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.height.total_cmp(&self.height).then(other.face.cmp(&self.face))
    }
}

impl PartialOrd for Ranked {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Memory of the search, kept between queries.
#[derive(Debug, Default)]
pub(crate) struct Polytope {
    corners: Vec<Corner>,
    faces: Vec<Face>,
    ranked: BinaryHeap<Ranked>,
    /// Sides of the hole that a new corner tears: face behind, side of that face.
    rim: Vec<(u32, u32)>,
    seen: Vec<u32>,
    stack: Vec<(u32, u32)>,
}

/// The shortest way out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WayOut {
    /// Unit vector out of the difference, seen from the origin [-].
    pub(crate) outward: Vec3,
    /// The supporting plane along `outward` lies this far from the origin [m]: no way out is known to be shorter.
    pub(crate) reach: f64,
    /// No way out is shorter [m].
    pub(crate) least: f64,
    /// Corners of the difference in that plane, or near it.
    pub(crate) corners: [Corner; 3],
    /// Whether the bounds met.
    pub(crate) met: bool,
}

/// Grows the polytope from a simplex that holds the origin; `last` is the direction that found its last corner.
///
/// Method: expanding polytope (van den Bergen 2001). Differs from it: both bounds are kept, and the search ends when they meet; faces whose
///   distance is beyond the best way out are never looked at; where rounding makes the hole no disc, the face is split alone.
/// Cost: a corner, about 4 faces removed and 6 made per step; no allocation once the memory has grown.
pub(crate) fn grow<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    simplex: &Simplex,
    last: &Vec3,
    goal: &Goal,
    max_steps: u32,
    memory: &mut Polytope,
) -> WayOut {
    if let Some(flat) = memory.enclose(difference, simplex, last, goal) {
        return flat;
    }
    memory.run(difference, goal, max_steps)
}

impl Polytope {
    fn clear(&mut self) {
        self.corners.clear();
        self.faces.clear();
        self.ranked.clear();
    }

    /// Makes the first polytope about the origin; a way out of no length where the difference has no room for one.
    fn enclose<A: Body, B: Body>(
        &mut self,
        difference: &mut Difference<'_, A, B>,
        simplex: &Simplex,
        last: &Vec3,
        goal: &Goal,
    ) -> Option<WayOut> {
        self.clear();
        let corners = simplex.corners();
        let flat = |outward: Vec3, corner: Corner, near: [Corner; 3]| WayOut {
            outward,
            reach: outward.dot(&corner.w),
            least: 0.0,
            corners: near,
            met: true,
        };
        match *corners {
            [p, q, r, s] => {
                self.corners.extend([p, q, r, s]);
                let volume = (q.w - p.w).cross(&(r.w - p.w)).dot(&(s.w - p.w));
                // Corners 0 1 2 counter-clockwise seen from outside, 3 behind them.
                if volume > 0.0 {
                    self.corners.swap(1, 2);
                }
                for (corners, beyond) in TETRAHEDRON {
                    self.add_face(corners, beyond);
                }
                None
            }
            [p, q, r] => {
                // A face through the origin: up and down from it.
                let normal = (q.w - p.w).cross(&(r.w - p.w));
                let normal = outward(&normal);
                let up = difference.support(&normal);
                if normal.dot(&up.w) <= goal.width {
                    return Some(flat(normal, up, [p, q, r]));
                }
                let down = difference.support(&-normal);
                if -normal.dot(&down.w) <= goal.width {
                    return Some(flat(-normal, down, [p, q, r]));
                }
                self.corners.extend([up, down, p, q, r]);
                self.add_double_pyramid();
                None
            }
            [p, q] => {
                // An edge through the origin: three ways out from it.
                let along = q.w - p.w;
                let along = outward(&along);
                let (t1, t2) = tangents(&along);
                let sideways = [t1, t2 * HALF_ROOT_3 - t1 * 0.5, -t2 * HALF_ROOT_3 - t1 * 0.5];
                let mut around = [p; 3];
                for (corner, direction) in around.iter_mut().zip(sideways) {
                    *corner = difference.support(&direction);
                    if direction.dot(&corner.w) <= goal.width {
                        return Some(flat(direction, *corner, [p, q, *corner]));
                    }
                }
                self.corners.extend([q, p, around[0], around[1], around[2]]);
                self.add_double_pyramid();
                None
            }
            _ => {
                // A corner at the origin is on the surface: the direction that found it leads out.
                let corner = corners[0];
                Some(flat(outward(last), corner, [corner; 3]))
            }
        }
    }

    /// Faces over corners 0 (top), 1 (bottom) and 2, 3, 4 (around, counter-clockwise seen from the top).
    fn add_double_pyramid(&mut self) {
        for (corners, beyond) in DOUBLE_PYRAMID {
            self.add_face(corners, beyond);
        }
    }

    fn add_face(&mut self, corners: [u32; 3], beyond: [u32; 3]) -> u32 {
        let [p, q, r] = corners.map(|index| self.corners[index as usize].w);
        let cross = (q - p).cross(&(r - p));
        let squared = cross.norm_squared();
        // A face without area has no normal of its own; its height is a true bound along any unit vector.
        let normal = if squared > 0.0 { cross / squared.sqrt() } else { outward(&(p + q + r)) };
        let height = normal.dot(&p).min(normal.dot(&q)).min(normal.dot(&r));
        self.faces.push(Face { corners, beyond, normal, height, alive: true });
        let index = self.faces.len() as u32 - 1;
        self.ranked.push(Ranked { height, face: index });
        index
    }

    /// Grows until the bounds meet.
    fn run<A: Body, B: Body>(
        &mut self,
        difference: &mut Difference<'_, A, B>,
        goal: &Goal,
        max_steps: u32,
    ) -> WayOut {
        let first = self.faces[0];
        let mut best = WayOut {
            outward: first.normal,
            reach: f64::INFINITY,
            least: 0.0,
            corners: first.corners.map(|index| self.corners[index as usize]),
            met: false,
        };
        for _ in 0..max_steps {
            let Some(Ranked { height, face: index }) = self.ranked.pop() else { break };
            let face = self.faces[index as usize];
            if !face.alive {
                continue;
            }
            best.least = height;
            let corner = difference.support(&face.normal);
            let reach = face.normal.dot(&corner.w);
            // A face of the difference itself is the best there is, whatever rounding says of others.
            let is_outermost = reach - height <= goal.width;
            if reach < best.reach || is_outermost {
                let index = if is_outermost { self.under_the_foot(index, goal) } else { index };
                best.reach = reach;
                best.outward = face.normal;
                best.corners = self.faces[index as usize].corners.map(|index| self.corners[index as usize]);
            }
            if is_outermost || best.reach - height <= goal.width {
                best.met = true;
                break;
            }
            self.join(corner, index, goal);
        }
        best
    }

    /// Of the faces in one plane with a given one, the one that holds the foot of the origin.
    fn under_the_foot(&self, start: u32, goal: &Goal) -> u32 {
        let plane = self.faces[start as usize];
        let mut here = start;
        for _ in 0..MAX_FLAT_STEPS {
            let face = self.faces[here as usize];
            let at = |k: usize| self.corners[face.corners[k % 3] as usize].w;
            // Across the side that the foot lies farthest outside of.
            let outside = |k: usize| at(k).cross(&at(k + 1)).dot(&plane.normal) / (at(k + 1) - at(k)).norm();
            let (side, by) = (1..3).fold((0, outside(0)), |(side, by), k| {
                let other = outside(k);
                if other < by { (k, other) } else { (side, by) }
            });
            let next = face.beyond[side];
            let flat = |k: usize| {
                let corner = &self.corners[self.faces[next as usize].corners[k] as usize];
                plane.normal.dot(&corner.w) - plane.height <= goal.width
            };
            if by >= 0.0 || !(0..3).all(flat) {
                break;
            }
            here = next;
        }
        here
    }

    /// Joins a corner that lies beyond a face: the faces that it sees make room for new ones.
    fn join(&mut self, corner: Corner, index: u32, goal: &Goal) {
        let apex = self.corners.len() as u32;
        let w = corner.w;
        self.corners.push(corner);
        self.find_rim(index, &w, goal.width);
        if !self.rim_is_closed() {
            // Rounding tore the hole apart: this face alone makes room.
            self.seen.clear();
            self.seen.push(index);
            let face = self.faces[index as usize];
            self.rim.clear();
            for k in 0..3 {
                let behind = face.beyond[k];
                let side = self.side_toward(behind, index);
                self.rim.push((behind, side));
            }
        }
        for k in 0..self.seen.len() {
            self.faces[self.seen[k] as usize].alive = false;
        }
        // New faces fan out from the apex, in the order of the rim.
        let first = self.faces.len() as u32;
        let count = self.rim.len() as u32;
        for k in 0..count {
            let (behind, side) = self.rim[k as usize];
            let old = self.faces[behind as usize].corners;
            // The side runs the other way round in the new face.
            let (start, end) = (old[(side as usize + 1) % 3], old[side as usize]);
            let (next, previous) = (first + (k + 1) % count, first + (k + count - 1) % count);
            self.add_face([start, end, apex], [behind, next, previous]);
            self.faces[behind as usize].beyond[side as usize] = first + k;
        }
    }

    /// The side of a face beyond which another lies.
    fn side_toward(&self, face: u32, other: u32) -> u32 {
        (0..3).find(|&k| self.faces[face as usize].beyond[k as usize] == other).unwrap_or(0)
    }

    /// The faces that a point sees, connected to one of them, and the sides around them in order.
    fn find_rim(&mut self, index: u32, w: &Vec3, noise: f64) {
        self.rim.clear();
        self.seen.clear();
        self.stack.clear();
        self.seen.push(index);
        self.faces[index as usize].alive = false;
        let face = self.faces[index as usize];
        for k in (0..3).rev() {
            self.stack.push((face.beyond[k], index));
        }
        while let Some((here, from)) = self.stack.pop() {
            let face = self.faces[here as usize];
            if !face.alive {
                continue;
            }
            let side = self.side_toward(here, from);
            let sees = face.normal.dot(w) - face.height > noise;
            if sees {
                self.seen.push(here);
                self.faces[here as usize].alive = false;
                // Counter-clockwise from the side we came through, so that the rim comes out in order.
                self.stack.push((face.beyond[(side as usize + 2) % 3], here));
                self.stack.push((face.beyond[(side as usize + 1) % 3], here));
            } else {
                self.rim.push((here, side));
            }
        }
        for k in 0..self.seen.len() {
            self.faces[self.seen[k] as usize].alive = true;
        }
    }

    /// Whether the sides of the rim follow each other in one loop.
    fn rim_is_closed(&self) -> bool {
        let count = self.rim.len();
        count >= 3
            && (0..count).all(|k| {
                let ((f, s), (g, t)) = (self.rim[k], self.rim[(k + 1) % count]);
                let end = self.faces[f as usize].corners[s as usize];
                let start = self.faces[g as usize].corners[(t as usize + 1) % 3];
                end == start
            })
    }
}

/// The unit vector along `v`, or +z.
fn outward(v: &Vec3) -> Vec3 {
    let squared = v.norm_squared();
    if squared > 0.0 { v / squared.sqrt() } else { Vec3::z() }
}

/// Half the square root of 3.
const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;

/// Corners and neighbours of the faces of a tetrahedron whose face 0 1 2 turns counter-clockwise seen from outside.
const TETRAHEDRON: [([u32; 3], [u32; 3]); 4] =
    [([0, 1, 2], [1, 2, 3]), ([1, 0, 3], [0, 3, 2]), ([2, 1, 3], [0, 1, 3]), ([0, 2, 3], [0, 2, 1])];

/// Corners and neighbours of the faces over a triangle 2 3 4 with top 0 and bottom 1.
const DOUBLE_PYRAMID: [([u32; 3], [u32; 3]); 6] = [
    ([2, 3, 0], [3, 1, 2]),
    ([3, 4, 0], [4, 2, 0]),
    ([4, 2, 0], [5, 0, 1]),
    ([3, 2, 1], [0, 5, 4]),
    ([4, 3, 1], [1, 3, 5]),
    ([2, 4, 1], [2, 4, 3]),
];
