//! From inside: a polytope grows in the difference until the face nearest to the origin is a face of the difference.
//!
//! In: a simplex that holds the origin. Out: the shortest separating translation, with a lower and an upper bound. The polytope's points are all in the
//! difference and its surface is closed about the origin, so the ball of the nearest face's distance lies in the difference:
//! this bound holds whatever rounding does to the shape of the faces.

mod first;
mod follow;

use zerogap_core::Vec3;
use zerogap_core::double::triangle_normal;

use crate::convex::body::Body;
use crate::convex::difference::{Corner, Difference};
use crate::convex::simplex::Simplex;
use crate::convex::walk::Goal;

/// Steps that are spent on following a smooth surface down instead of in order of height [-]: each gains about half a digit of the points.
const MAX_DIVES: u32 = 64;

/// Faces of smooth shapes count as one plane within this part of the extent, in the search for the foot of the origin [-].
const NEARLY_FLAT: f64 = 1e-8;

/// Steps after which a corner that comes again ends the growth [-]: few pairs take as many.
const BENT_AFTER: u32 = 64;

/// Ways out whose directions have at least this cosine are one [-].
pub(crate) const SAME_DIRECTION: f64 = 1.0 - 1e-9;

/// Steps before the bounds are first asked whether they come together [-]: simple curved pairs are done by then.
const FIRST_OUTLOOK: u32 = 512;

/// Steps that are spent on more minima when the bounds cannot converge [-].
const LAST_DIVES: u32 = 512;

/// A face that has the origin this many times the noise above it is inverted [-]: the polytope is about the origin.
const INVERTED: f64 = 64.0;

/// Maximum number of faces in one plane that are crossed to the foot of the origin [-].
const MAX_FLAT_STEPS: usize = 64;

/// A side of a face: four times the face's index, plus k for the side from its corner k to corner k + 1.
type FaceSide = u32;

/// A triangle of the growing polytope.
#[derive(Debug, Clone, Copy)]
struct Face {
    normal: Vec3,
    /// Smallest distance of its corners along its normal [m].
    height: f64,
    corners: [u32; 3],
    /// The sides of the neighbours that its own sides lie at.
    beyond: [FaceSide; 3],
    alive: bool,
}

/// A face that may hold the nearest point.
#[derive(Debug, Clone, Copy)]
struct Open {
    height: f64,
    face: u32,
}

/// The best separating translation so far.
#[derive(Debug, Clone, Copy)]
struct Best {
    outward: Vec3,
    reach: f64,
    lower_bound: f64,
    /// The face whose normal it is.
    face: u32,
    /// The lowest face, once it is known.
    lowest: u32,
    converged: bool,
    is_chosen: bool,
}

/// Memory of the search, kept between queries.
#[derive(Debug, Default)]
pub(crate) struct Polytope {
    corners: Vec<Corner>,
    faces: Vec<Face>,
    /// Faces below the best separating translation; those that have died since are dropped when they come up.
    open: Vec<Open>,
    /// Sides around the hole that a new corner tears, seen from outside the hole.
    rim: Vec<FaceSide>,
    seen: Vec<u32>,
    stack: Vec<FaceSide>,
    /// Room for corners while they are sorted out.
    spare: Vec<Corner>,
    /// What rounding can do to a height [m].
    noise: f64,
    /// Smallest squared distance of a supporting corner [m²]: the surface is no farther, since a plane through it supports the difference.
    nearest: f64,
    /// Whether some face has had the origin above it.
    is_inverted: bool,
    /// Whether normals are computed with twice the digits.
    is_careful: bool,
}

/// Convergence of the bounds, checked whenever the steps have doubled.
struct Outlook {
    next: u32,
    /// Width of the bounds at the last check [m].
    width: f64,
}

impl Outlook {
    /// Whether the bounds may still converge: where a whole ring or sphere of directions is equally short, each doubling of the steps brings the same
    /// factor, and the limit can be seen to come first.
    fn is_good(&mut self, width: f64, goal: f64, max_steps: u32) -> bool {
        let factor = width / self.width;
        let mut end = width;
        let mut steps = self.next;
        while steps < max_steps {
            end *= factor;
            steps = steps.saturating_mul(2);
        }
        // The first check has nothing to compare with, and bounds that have not come closer give no rate.
        let is_good = factor <= 0.0 || factor >= 1.0 || end <= goal;
        (self.next, self.width) = (2 * self.next, width);
        is_good
    }
}

/// The shortest separating translation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeparatingTranslation {
    /// Unit vector out of the difference, seen from the origin [-].
    pub(crate) outward: Vec3,
    /// The supporting plane along `outward` lies this far from the origin [m]: no separating translation is known to be shorter.
    pub(crate) reach: f64,
    /// No separating translation is shorter [m].
    pub(crate) lower_bound: f64,
    /// Corners of the difference in that plane, or near it.
    pub(crate) corners: [Corner; 3],
    /// Corners of the lowest face, which may belong to another separating translation of the same length.
    pub(crate) lowest: [Corner; 3],
    /// A corner in the supporting plane.
    pub(crate) tip: Corner,
    /// Weights of the corners at the foot of the origin, where the corners' own triangle does not give them.
    pub(crate) weights: Option<[f64; 3]>,
    /// Whether the bounds agreed.
    pub(crate) converged: bool,
    /// Whether another translation is as short.
    pub(crate) is_chosen: bool,
    /// No separating translation is longer, because a supporting corner is as near [m].
    pub(crate) upper_bound: f64,
}

/// Grows the polytope from a simplex that holds the origin; `last` is the direction that found its last corner.
///
/// Method: expanding polytope (van den Bergen 2001). Differs from it: both bounds are kept, and the search ends when they agree; faces whose
///   distance is beyond the best separating translation are never checked; where rounding makes the hole no disc, the face is split alone.
/// Cost: a corner, about 4 faces removed and 6 made per step; no allocation once the memory has grown.
pub(crate) fn grow<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    simplex: &Simplex,
    last: &Vec3,
    goal: &Goal,
    max_steps: u32,
    memory: &mut Polytope,
) -> SeparatingTranslation {
    memory.is_careful = goal.is_careful;
    if let Some(translation) = memory.enclose(difference, simplex, last, goal) {
        return translation;
    }
    if let Some(translation) = memory.outside(difference) {
        return translation;
    }
    memory.run(difference, goal, max_steps)
}

impl Polytope {
    fn clear(&mut self) {
        self.corners.clear();
        self.faces.clear();
        self.open.clear();
    }

    /// The cross product of two sides of a face.
    #[inline]
    fn normal(&self, [p, q, r]: [&Vec3; 3]) -> Vec3 {
        if self.is_careful { careful_normal(p, q, r) } else { (q - p).cross(&(r - p)) }
    }

    /// Adds a face; one that lies beyond `best` needs no further check.
    #[inline]
    fn add_face<const CAREFUL: bool>(&mut self, corners: [u32; 3], beyond: [FaceSide; 3], best: f64) {
        let [p, q, r] = corners.map(|index| self.corners[index as usize].w);
        let cross = if CAREFUL { careful_normal(&p, &q, &r) } else { (q - p).cross(&(r - p)) };
        let squared = cross.norm_squared();
        let lowest_corner = |normal: &Vec3| lower(lower(normal.dot(&p), normal.dot(&q)), normal.dot(&r));
        let mut normal = cross * squared.sqrt().recip();
        let mut height = lowest_corner(&normal);
        // A face without area has no normal, and one that rounding has inverted has the wrong one: the origin is then far above it.
        // Heights are true bounds along any unit vector, so the direction of its middle does as well.
        if squared <= 0.0 || height < -INVERTED * self.noise {
            self.is_inverted = true;
            let middle = outward(&(p + q + r));
            if squared <= 0.0 || lowest_corner(&middle) > height {
                (normal, height) = (middle, lowest_corner(&middle));
            }
        }
        if height < best {
            self.open.push(Open { height, face: self.faces.len() as u32 });
        }
        self.faces.push(Face { normal, height, corners, beyond, alive: true });
    }

    /// The lowest of the faces made last, if it lies below the best separating translation.
    #[inline]
    fn lowest_since(&self, fresh: usize, best: f64) -> Option<Open> {
        let (mut at, mut lowest) = (None, best);
        for (index, face) in self.faces.iter().enumerate().skip(fresh) {
            (at, lowest) = if face.height < lowest { (Some(index), face.height) } else { (at, lowest) };
        }
        at.map(|index| Open { height: lowest, face: index as u32 })
    }

    /// Takes the lowest face that is alive.
    #[inline]
    fn lowest(&mut self) -> Option<Open> {
        while !self.open.is_empty() {
            let (mut at, mut lowest) = (0, f64::INFINITY);
            for (index, open) in self.open.iter().enumerate() {
                (at, lowest) = if open.height < lowest { (index, open.height) } else { (at, lowest) };
            }
            let open = self.open.swap_remove(at);
            if self.faces[open.face as usize].alive {
                return Some(open);
            }
        }
        None
    }

    /// Grows until the bounds agree.
    pub(crate) fn run<A: Body, B: Body>(
        &mut self,
        difference: &mut Difference<'_, A, B>,
        goal: &Goal,
        max_steps: u32,
    ) -> SeparatingTranslation {
        let mut best = Best {
            outward: self.faces[0].normal,
            reach: f64::INFINITY,
            lower_bound: f64::NEG_INFINITY,
            face: 0,
            lowest: 0,
            converged: false,
            is_chosen: false,
        };
        let mut tip = self.corners[0];
        // A smooth surface is followed down to the nearest minimum first: the separating translation is then known to all its digits even where a whole ring
        // of directions is equally short and the bounds cannot converge. Polytopes take fewer steps in order of height.
        let is_curved = !difference.is_polytope();
        let mut dives = if is_curved { MAX_DIVES } else { 0 };
        let flatness = if is_curved { goal.width.max(NEARLY_FLAT * goal.extent) } else { goal.width };
        let mut slit = f64::INFINITY;
        let mut fresh = 0;
        let first_outlook = if is_curved { FIRST_OUTLOOK } else { u32::MAX };
        let mut outlook = Outlook { next: first_outlook, width: f64::INFINITY };
        let mut end = max_steps;
        for step in 0..max_steps {
            if step == outlook.next && !outlook.is_good(best.reach - best.lower_bound, goal.width, max_steps)
            {
                // The bounds will not converge: the rest of the steps searches for shorter translations, each followed to its minimum.
                (end, dives, outlook.next) = (step + LAST_DIVES, LAST_DIVES, u32::MAX);
            }
            if step >= end {
                break;
            }
            let next = if dives > 0 { self.lowest_since(fresh, best.reach - goal.width) } else { None };
            let Some(Open { height, face: index }) = next.or_else(|| self.lowest()) else {
                // All other faces lie beyond the best separating translation.
                (best.lower_bound, best.converged) = (best.reach, true);
                break;
            };
            let face = self.faces[index as usize];
            let corner = difference.support(&face.normal);
            let reach = face.normal.dot(&corner.w);
            // A face of the difference itself is the best there is along its normal, whatever rounding gives for others.
            let is_outermost = reach - height <= goal.width;
            dives = dives.saturating_sub(u32::from(next.is_some()));
            // Another direction that leads out as shortly.
            if reach < best.reach - goal.width {
                best.is_chosen = false;
            } else if reach <= best.reach + goal.width && face.normal.dot(&best.outward) < SAME_DIRECTION {
                best.is_chosen = true;
            }
            // Of translations that are equally short, the one whose face fits its supporting plane best gives the best points.
            let is_last = next.is_none() && is_outermost;
            let fits_better = reach <= best.reach + goal.width && (reach - height < slit || is_last);
            if reach < best.reach - goal.width || fits_better {
                slit = reach - height;
                best.reach = reach;
                best.outward = face.normal;
                best.face = index;
                tip = corner;
            }
            // Only the lowest of all faces bounds the separating translation from below.
            if next.is_none() {
                best.lower_bound = best.lower_bound.max(height);
                // A polytope's separating translation ends in a face of its own, which is still to come when another direction happens to be as short.
                let is_short = if is_curved {
                    height >= best.reach - goal.width
                } else {
                    height > best.reach + goal.width
                };
                if is_outermost || is_short {
                    // The lowest face, and those in its plane, have the foot of the origin on them.
                    best.lowest = self.under_the_foot(index, flatness);
                    if is_last {
                        best.face = best.lowest;
                    }
                    best.converged = true;
                    break;
                }
            }
            if is_outermost {
                fresh = self.faces.len();
                continue;
            }
            // A corner that comes again has faces that rounding has bent; more steps would only bend more.
            if step > BENT_AFTER && self.corners.iter().any(|other| other.is(&corner)) {
                break;
            }
            fresh = self.faces.len();
            if self.is_careful {
                self.join_carefully(corner, index, best.reach + 2.0 * goal.width);
            } else {
                self.join::<false>(corner, index, best.reach + 2.0 * goal.width);
            }
        }
        let of_face = |face: u32| self.faces[face as usize].corners.map(|index| self.corners[index as usize]);
        SeparatingTranslation {
            outward: best.outward,
            reach: best.reach,
            lower_bound: best.lower_bound,
            corners: of_face(best.face),
            lowest: of_face(best.lowest),
            tip,
            weights: None,
            converged: best.converged,
            is_chosen: best.is_chosen || self.has_rival(difference, &best, goal),
            upper_bound: self.nearest.sqrt(),
        }
    }

    /// Whether a face that was not checked leads out as shortly in another direction.
    fn has_rival<A: Body, B: Body>(
        &self,
        difference: &mut Difference<'_, A, B>,
        best: &Best,
        goal: &Goal,
    ) -> bool {
        let limit = best.reach + goal.width;
        let low =
            self.open.iter().filter(|open| open.height <= limit).map(|open| &self.faces[open.face as usize]);
        low.filter(|face| face.alive && face.normal.dot(&best.outward) < SAME_DIRECTION)
            .any(|face| face.normal.dot(&difference.support(&face.normal).w) <= limit)
    }

    /// Of the faces in one plane with a given one, the one that holds the foot of the origin.
    fn under_the_foot(&self, start: u32, flatness: f64) -> u32 {
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
                (plane.normal.dot(&corner.w) - plane.height).abs() <= flatness
            };
            if by >= 0.0 || !(0..3).all(flat) {
                break;
            }
            here = next;
        }
        here
    }

    /// Joins a corner that lies beyond a face: the faces that it sees make room for new ones.
    #[inline]
    fn join<const CAREFUL: bool>(&mut self, corner: Corner, index: u32, best: f64) {
        let apex = self.corners.len() as u32;
        self.nearest = lower(self.nearest, corner.w.norm_squared());
        self.corners.push(corner);
        self.tear(index, &corner.w);
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
            // The side runs in the opposite direction in the new face.
            let (start, end) = (self.faces[face].corners[next(at)], self.faces[face].corners[at]);
            self.faces[face].beyond[at] = (first + k) << 2;
            let after = if k + 1 == count { first } else { first + k + 1 };
            let before = if k == 0 { first + count - 1 } else { first + k - 1 };
            self.add_face::<CAREFUL>([start, end, apex], [side, after << 2 | 2, before << 2 | 1], best);
        }
    }

    /// [`Polytope::join`] with twice the digits, kept out of line.
    #[cold]
    #[inline(never)]
    fn join_carefully(&mut self, corner: Corner, index: u32, best: f64) {
        self.join::<true>(corner, index, best);
    }

    /// Removes the faces that a point sees, connected to one of them, and lists the sides around them in order.
    fn tear(&mut self, index: u32, w: &Vec3) {
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
            if face.normal.dot(w) - face.height > self.noise {
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
        let start = |side: FaceSide| self.faces[(side >> 2) as usize].corners[next((side & 3) as usize)];
        let end = |side: FaceSide| self.faces[(side >> 2) as usize].corners[(side & 3) as usize];
        let [first, .., last] = *self.rim else { return false };
        self.rim.len() >= 3
            && end(last) == start(first)
            && self.rim.windows(2).all(|pair| end(pair[0]) == start(pair[1]))
    }
}

/// The lower of two numbers; `f64::min` costs more, because it checks for NaN.
#[inline]
pub(crate) fn lower(x: f64, y: f64) -> f64 {
    if y < x { y } else { x }
}

/// The corner or side after one of a triangle.
#[inline]
fn next(k: usize) -> usize {
    if k == 2 { 0 } else { k + 1 }
}

/// The cross product of two sides of a thin face, with all its digits and of unit length unless it has none.
#[cold]
fn careful_normal(p: &Vec3, q: &Vec3, r: &Vec3) -> Vec3 {
    let normal = triangle_normal(p, q, r).round();
    let largest = normal.amax();
    if largest > 0.0 { normal / largest } else { normal }
}

/// The unit vector along `v`, or +z.
fn outward(v: &Vec3) -> Vec3 {
    let squared = v.norm_squared();
    if squared > 0.0 { v / squared.sqrt() } else { Vec3::z() }
}
