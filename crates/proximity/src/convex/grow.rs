//! From inside: a polytope grows in the difference until the face nearest to the origin is a face of the difference.
//!
//! In: a simplex that holds the origin. Out: the shortest way out, with a lower and an upper bound. The polytope's points are all in the
//! difference and its surface is closed about the origin, so the ball of the nearest face's distance lies in the difference:
//! this bound holds whatever rounding does to the shape of the faces.

use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use super::body::Body;
use super::difference::{Corner, Difference};
use super::simplex::Simplex;
use super::walk::Goal;

/// Faces in one plane that are crossed on the way to the foot of the origin, at most [-].
const MAX_FLAT_STEPS: usize = 64;

/// A side of a face: four times the face's index, plus k for the side from its corner k to corner k + 1.
type Side = u32;

/// A triangle of the growing polytope.
#[derive(Debug, Clone, Copy)]
struct Face {
    normal: Vec3,
    /// Least distance of its corners along its normal [m].
    height: f64,
    corners: [u32; 3],
    /// The sides of the neighbours that its own sides lie at.
    beyond: [Side; 3],
    alive: bool,
}

/// A face that may hold the nearest point.
#[derive(Debug, Clone, Copy)]
struct Open {
    height: f64,
    face: u32,
}

/// Memory of the search, kept between queries.
#[derive(Debug, Default)]
pub(crate) struct Polytope {
    corners: Vec<Corner>,
    faces: Vec<Face>,
    /// Faces below the best way out; those that have died since are dropped when they come up.
    open: Vec<Open>,
    /// Sides around the hole that a new corner tears, seen from outside the hole.
    rim: Vec<Side>,
    seen: Vec<u32>,
    stack: Vec<Side>,
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
        self.open.clear();
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
                    self.add_face(corners, beyond, f64::INFINITY);
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
            self.add_face(corners, beyond, f64::INFINITY);
        }
    }

    /// Adds a face; one that lies beyond the best way out needs no further look.
    #[inline]
    fn add_face(&mut self, corners: [u32; 3], beyond: [Side; 3], best: f64) {
        let [p, q, r] = corners.map(|index| self.corners[index as usize].w);
        let cross = (q - p).cross(&(r - p));
        let squared = cross.norm_squared();
        // A face without area has no normal of its own; its height is a true bound along any unit vector.
        let normal = if squared > 0.0 { cross * squared.sqrt().recip() } else { outward(&(p + q + r)) };
        let height = normal.dot(&p).min(normal.dot(&q)).min(normal.dot(&r));
        if height < best {
            self.open.push(Open { height, face: self.faces.len() as u32 });
        }
        self.faces.push(Face { normal, height, corners, beyond, alive: true });
    }

    /// Takes the lowest face that is alive.
    #[inline]
    fn lowest(&mut self) -> Option<Open> {
        while !self.open.is_empty() {
            let mut at = 0;
            for (index, open) in self.open.iter().enumerate() {
                if open.height < self.open[at].height {
                    at = index;
                }
            }
            let open = self.open.swap_remove(at);
            if self.faces[open.face as usize].alive {
                return Some(open);
            }
        }
        None
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
            let Some(Open { height, face: index }) = self.lowest() else {
                // All other faces lie beyond the best way out.
                (best.least, best.met) = (best.reach, true);
                break;
            };
            let face = self.faces[index as usize];
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
            self.join(corner, index, goal.width, best.reach);
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
            let next = face.beyond[side] >> 2;
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
    fn join(&mut self, corner: Corner, index: u32, noise: f64, best: f64) {
        let apex = self.corners.len() as u32;
        self.corners.push(corner);
        self.tear(index, &corner.w, noise);
        if !self.rim_is_closed() {
            // Rounding tore the hole apart: this face alone makes room.
            for &face in &self.seen {
                self.faces[face as usize].alive = true;
            }
            self.faces[index as usize].alive = false;
            self.rim.clear();
            self.rim.extend(self.faces[index as usize].beyond);
        }
        // New faces fan out from the apex, in the order of the rim.
        let first = self.faces.len() as u32;
        let count = self.rim.len() as u32;
        for k in 0..count {
            let side = self.rim[k as usize];
            let (face, at) = ((side >> 2) as usize, (side & 3) as usize);
            // The side runs the other way round in the new face.
            let (start, end) = (self.faces[face].corners[next(at)], self.faces[face].corners[at]);
            self.faces[face].beyond[at] = (first + k) << 2;
            let after = if k + 1 == count { first } else { first + k + 1 };
            let before = if k == 0 { first + count - 1 } else { first + k - 1 };
            self.add_face([start, end, apex], [side, after << 2 | 2, before << 2 | 1], best);
        }
    }

    /// Removes the faces that a point sees, connected to one of them, and lists the sides around them in order.
    fn tear(&mut self, index: u32, w: &Vec3, noise: f64) {
        self.rim.clear();
        self.seen.clear();
        self.stack.clear();
        self.seen.push(index);
        let face = &mut self.faces[index as usize];
        face.alive = false;
        let [p, q, r] = face.beyond;
        self.stack.extend([r, q, p]);
        while let Some(side) = self.stack.pop() {
            let (here, at) = (side >> 2, (side & 3) as usize);
            let face = &mut self.faces[here as usize];
            if !face.alive {
                continue;
            }
            if face.normal.dot(w) - face.height > noise {
                face.alive = false;
                // Counter-clockwise from the side we came through, so that the rim comes out in order.
                let (first, second) = (face.beyond[next(at)], face.beyond[next(next(at))]);
                self.seen.push(here);
                self.stack.extend([second, first]);
            } else {
                self.rim.push(side);
            }
        }
    }

    /// Whether the sides of the rim follow each other in one loop.
    fn rim_is_closed(&self) -> bool {
        let start = |side: Side| self.faces[(side >> 2) as usize].corners[next((side & 3) as usize)];
        let end = |side: Side| self.faces[(side >> 2) as usize].corners[(side & 3) as usize];
        let [first, .., last] = *self.rim else { return false };
        self.rim.len() >= 3
            && end(last) == start(first)
            && self.rim.windows(2).all(|pair| end(pair[0]) == start(pair[1]))
    }
}

/// The corner or side after one of a triangle.
#[inline]
fn next(k: usize) -> usize {
    if k == 2 { 0 } else { k + 1 }
}

/// The unit vector along `v`, or +z.
fn outward(v: &Vec3) -> Vec3 {
    let squared = v.norm_squared();
    if squared > 0.0 { v / squared.sqrt() } else { Vec3::z() }
}

/// Half the square root of 3.
const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;

/// Corners and neighbouring sides of the faces of a tetrahedron whose face 0 1 2 turns counter-clockwise seen from outside.
const TETRAHEDRON: [([u32; 3], [Side; 3]); 4] = [
    ([0, 1, 2], [4, 8, 12]),
    ([1, 0, 3], [0, 14, 9]),
    ([2, 1, 3], [1, 6, 13]),
    ([0, 2, 3], [2, 10, 5]),
];

/// Corners and neighbouring sides of the faces over a triangle 2 3 4 with top 0 and bottom 1.
const DOUBLE_PYRAMID: [([u32; 3], [Side; 3]); 6] = [
    ([2, 3, 0], [12, 6, 9]),
    ([3, 4, 0], [16, 10, 1]),
    ([4, 2, 0], [20, 2, 5]),
    ([3, 2, 1], [0, 22, 17]),
    ([4, 3, 1], [4, 14, 21]),
    ([2, 4, 1], [8, 18, 13]),
];
