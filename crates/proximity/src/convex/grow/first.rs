//! The first polytope about the origin.
//!
//! In: the simplex that a walk ended with. Out: a tetrahedron about the origin, or the separating translation where the origin lies on the surface.

use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use super::{Face, FaceSide, INVERTED, Polytope, SeparatingTranslation, outward};
use crate::convex::body::Body;
use crate::convex::difference::{Corner, Difference};
use crate::convex::simplex::Simplex;
use crate::convex::walk::Goal;

impl Polytope {
    /// Makes the first polytope about the origin; a separating translation of no length where the difference has no room for one.
    pub(super) fn enclose<A: Body, B: Body>(
        &mut self,
        difference: &mut Difference<'_, A, B>,
        simplex: &Simplex,
        last: &Vec3,
        goal: &Goal,
    ) -> Option<SeparatingTranslation> {
        self.clear();
        self.noise = goal.noise;
        self.is_inverted = false;
        self.nearest =
            simplex.corners().iter().map(|corner| corner.w.norm_squared()).fold(f64::INFINITY, f64::min);
        match *simplex.corners() {
            [p, q, r, s] => {
                self.add_tetrahedron([p, q, r, s]);
                None
            }
            [p, q, r] => {
                // A face through the origin: up and down from it.
                let normal = outward(&self.normal([&p.w, &q.w, &r.w]));
                let on_face = |outward: Vec3, reach: f64| flat_translation(outward, reach, [p, q, r], None);
                let up = difference.support(&normal);
                let (above, below) = (normal.dot(&up.w), -normal);
                if above <= goal.width {
                    return Some(on_face(normal, above));
                }
                let down = difference.support(&below);
                if below.dot(&down.w) <= goal.width {
                    return Some(on_face(below, below.dot(&down.w)));
                }
                // One side of the face is enough: it is the first that the growth expands. Both at once need not be convex.
                self.add_tetrahedron([p, q, r, up]);
                None
            }
            [p, q] => match surround(difference, &p, &q, goal) {
                Around::SeparatingTranslation(outward, reach) => {
                    let along = q.w - p.w;
                    let squared = along.norm_squared();
                    let part = if squared > 0.0 { (-p.w.dot(&along) / squared).clamp(0.0, 1.0) } else { 0.0 };
                    Some(flat_translation(outward, reach, [p, q, q], Some([1.0 - part, part, 0.0])))
                }
                Around::Triangle([f, s, t]) => {
                    // The triangle's plane meets the edge before or beyond the origin: the end on the other side closes the tetrahedron.
                    let normal = self.normal([&f.w, &s.w, &t.w]);
                    self.add_tetrahedron([f, s, t, if normal.dot(&f.w) >= 0.0 { p } else { q }]);
                    None
                }
            },
            [p, ..] => {
                // A corner at the origin is on the surface: the direction that found it leads out.
                let outward = outward(last);
                Some(flat_translation(outward, outward.dot(&p.w), [p; 3], Some([1.0, 0.0, 0.0])))
            }
            [] => None,
        }
    }

    /// A separating translation where the first polytope does not hold the origin after all: nothing is then known of how deep the origin lies, if it does.
    pub(super) fn outside<A: Body, B: Body>(
        &self,
        difference: &mut Difference<'_, A, B>,
    ) -> Option<SeparatingTranslation> {
        if !self.is_inverted {
            return None;
        }
        let clearly_below = |face: &&Face| self.plain_height(face) < -INVERTED * self.noise;
        let face = self.faces.iter().find(clearly_below)?;
        let corners = face.corners.map(|index| self.corners[index as usize]);
        let outward = outward(&self.normal([&corners[0].w, &corners[1].w, &corners[2].w]));
        let tip = difference.support(&outward);
        let lower_bound = corners.iter().map(|corner| -corner.w.norm()).fold(f64::NEG_INFINITY, f64::max);
        let reach = outward.dot(&tip.w);
        Some(SeparatingTranslation {
            outward,
            reach,
            lower_bound,
            corners,
            lowest: corners,
            tip,
            weights: None,
            converged: false,
            is_chosen: true,
            upper_bound: f64::INFINITY,
        })
    }

    /// The height of a face along the normal that its corners give it [m].
    fn plain_height(&self, face: &Face) -> f64 {
        let [p, q, r] = face.corners.map(|index| self.corners[index as usize].w);
        outward(&self.normal([&p, &q, &r])).dot(&p)
    }

    /// The four faces of a tetrahedron.
    fn add_tetrahedron(&mut self, [p, q, r, s]: [Corner; 4]) {
        let volume = self.normal([&p.w, &q.w, &r.w]).dot(&(s.w - p.w));
        // Corners 0 1 2 counter-clockwise seen from outside, 3 behind them.
        self.corners.extend(if volume > 0.0 { [p, r, q, s] } else { [p, q, r, s] });
        for (corners, beyond) in TETRAHEDRON {
            if self.is_careful {
                self.add_face::<true>(corners, beyond, f64::INFINITY);
            } else {
                self.add_face::<false>(corners, beyond, f64::INFINITY);
            }
        }
    }
}

/// A separating translation that is no longer than rounding.
fn flat_translation(
    outward: Vec3,
    reach: f64,
    corners: [Corner; 3],
    weights: Option<[f64; 3]>,
) -> SeparatingTranslation {
    SeparatingTranslation {
        outward,
        reach,
        lower_bound: reach.min(0.0),
        corners,
        lowest: corners,
        tip: corners[0],
        weights,
        converged: true,
        is_chosen: weights.is_some(),
        upper_bound: f64::INFINITY,
    }
}

/// What lies around an edge that holds the origin.
enum Around {
    /// Three corners that turn counter-clockwise about the edge and have the origin among them.
    Triangle([Corner; 3]),
    /// A direction across the edge along which the difference ends at the origin, and how far it still extends [m].
    SeparatingTranslation(Vec3, f64),
}

/// Corners of the difference around an edge through the origin, seen along the edge from p to q.
///
/// Method: the walk of Gilbert, Johnson and Keerthi in the plane across the edge.
fn surround<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    p: &Corner,
    q: &Corner,
    goal: &Goal,
) -> Around {
    let (t1, t2) = tangents(&outward(&(q.w - p.w)));
    let seen = |corner: &Corner| [t1.dot(&corner.w), t2.dot(&corner.w)];
    let turn = |[x, y]: [f64; 2], [u, v]: [f64; 2]| x * v - y * u;
    let mut shortest = (t1, f64::INFINITY);
    let mut support = |[x, y]: [f64; 2]| -> Option<Corner> {
        let direction = outward(&(t1 * x + t2 * y));
        let corner = difference.support(&direction);
        let reach = direction.dot(&corner.w);
        if reach < shortest.1 {
            shortest = (direction, reach);
        }
        (reach > goal.width).then_some(corner)
    };
    // One direction, then the opposite of where that led, then across the line of both toward the origin.
    let found = (|| {
        let mut first = support([1.0, 0.0])?;
        let [x, y] = seen(&first);
        let mut second = support([-x, -y])?;
        for _ in 0..MAX_AROUND {
            let (f, s) = (seen(&first), seen(&second));
            if turn(f, s) < 0.0 {
                (first, second) = (second, first);
                continue;
            }
            // Beyond the origin, seen from the side between the two.
            let third = support([s[1] - f[1], f[0] - s[0]].map(|c| -c))?;
            let t = seen(&third);
            match (turn(s, t) >= 0.0, turn(t, f) >= 0.0) {
                (true, true) => return Some([first, second, third]),
                // The origin lies outside of a side at the new corner: that side takes over.
                (false, _) => first = third,
                (true, false) => second = third,
            }
        }
        None
    })();
    match found {
        Some(corners) => Around::Triangle(corners),
        None => Around::SeparatingTranslation(shortest.0, shortest.1),
    }
}

/// Steps of the walk around an edge, at most [-]; it takes one or two.
const MAX_AROUND: usize = 40;

/// Corners and neighbouring sides of the faces of a tetrahedron whose face 0 1 2 turns counter-clockwise seen from outside.
const TETRAHEDRON: [([u32; 3], [FaceSide; 3]); 4] =
    [([0, 1, 2], [4, 8, 12]), ([1, 0, 3], [0, 14, 9]), ([2, 1, 3], [1, 6, 13]), ([0, 2, 3], [2, 10, 5])];
