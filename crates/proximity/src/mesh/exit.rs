//! How far a part in which two meshes overlap must be moved until it is left: along a direction, and along the best one.
//!
//! In: two meshes whose surfaces cross, or one of which holds the other. Out: for each connected part its depth with its direction and its last point of contact. Called by [`super::gap`]. The derivation is
//! `docs/derivations/mesh-depth.md`. Parts come in ascending order of their first crossing triangles; same input, same bits.

use std::collections::BTreeSet;

use zerogap_core::math::unit_normal;
use zerogap_core::{ContactId, Feature, Vec3};
use zerogap_geometry::nearest::on_triangle;

use super::body::MeshBody;
use super::heap::Pair;
use super::join::NO_EDGE;
use super::overlap::Cut;
use super::pairs::near_leaves;
use crate::convex::Placement;

/// By how much triangles are made smaller for the question whether more than their borders meet [-].
const SHRINK: f64 = 1e-9;

/// Tolerance of points in triangles and on edges [-].
const ON: f64 = 1e-12;

/// Sine of the angle below which a direction lies in a plane, and below which edges are parallel [-].
const FLAT: f64 = 1e-9;

/// Directions that are tried: normals of faces of each mesh, and sharp edges of each across those of the other [-].
const MAX_FACES: usize = 256;
const MAX_EDGES: usize = 24;

/// Crossing triangles that bound a direction before it is tried [-].
const MAX_SAMPLES: usize = 16;

/// Crossing triangles of which connected parts are made; more are one part [-].
const MAX_CUTS: usize = 2000;

/// Steps along a direction [-].
const MAX_STEPS: usize = 1000;

/// The way out of a part, in A's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Exit {
    /// How far B moves [m].
    pub(super) depth: f64,
    /// In which direction, of unit length.
    pub(super) normal: Vec3,
    /// The last point of A that is touched.
    pub(super) point: Vec3,
    /// What touches last.
    pub(super) id: ContactId,
}

/// For which shifts along a direction two triangles have a point in common [m], and the point of the first triangle at the last of them.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    from: f64,
    to: f64,
    point: Vec3,
}

/// When a triangle `y` that is shifted along `n` meets `x`; none where it does not, or slides in its plane.
///
/// The shifts at which two convex sets meet are an interval. It ends where a corner meets a face or two edges meet.
fn meeting(x: &[Vec3; 3], y: &[Vec3; 3], n: &Vec3) -> Option<Meeting> {
    let mut found: Option<Meeting> = None;
    let mut add = |shift: f64, point: Vec3| {
        let all = found.get_or_insert(Meeting { from: shift, to: shift, point });
        all.from = all.from.min(shift);
        if shift > all.to {
            (all.to, all.point) = (shift, point);
        }
    };
    // A corner of one meets the face of the other.
    let normal = |t: &[Vec3; 3]| (t[1] - t[0]).cross(&(t[2] - t[0]));
    let (of_x, of_y) = (normal(x), normal(y));
    let holds = |t: &[Vec3; 3], normal: &Vec3, p: &Vec3| {
        let room = -ON * normal.norm_squared();
        (0..3).all(|k| normal.dot(&(t[(k + 1) % 3] - t[k]).cross(&(p - t[k]))) >= room)
    };
    let across = of_x.dot(n);
    if across.abs() > FLAT * of_x.norm() {
        for p in y {
            let shift = of_x.dot(&(x[0] - p)) / across;
            let point = p + n * shift;
            if holds(x, &of_x, &point) {
                add(shift, point);
            }
        }
    }
    let across = of_y.dot(n);
    if across.abs() > FLAT * of_y.norm() {
        for p in x {
            let shift = of_y.dot(&(p - y[0])) / across;
            if holds(y, &of_y, &(p - n * shift)) {
                add(shift, *p);
            }
        }
    }
    // An edge of one meets an edge of the other.
    for i in 0..3 {
        let along_x = x[(i + 1) % 3] - x[i];
        for j in 0..3 {
            let along_y = y[(j + 1) % 3] - y[j];
            let square = along_y.cross(n);
            let determinant = along_x.dot(&square);
            if determinant.abs() <= FLAT * along_x.norm() * along_y.norm() {
                continue;
            }
            let between = y[j] - x[i];
            let on_x = between.dot(&square) / determinant;
            let on_y = -along_x.dot(&between.cross(n)) / determinant;
            let is_on = |part: f64| (-ON..=1.0 + ON).contains(&part);
            if is_on(on_x) && is_on(on_y) {
                add(-along_x.dot(&along_y.cross(&between)) / determinant, x[i] + along_x * on_x);
            }
        }
    }
    found
}

/// The same for triangles of which more than the borders meet: neighbours that touch are no overlap.
fn crossing(x: &[Vec3; 3], y: &[Vec3; 3], n: &Vec3) -> Option<Meeting> {
    let small = |t: &[Vec3; 3]| {
        let middle = (t[0] + t[1] + t[2]) / 3.0;
        t.map(|p| p + (middle - p) * SHRINK)
    };
    let found = meeting(x, y, n)?;
    meeting(&small(x), &small(y), n).filter(|inner| inner.to > inner.from).map(|_| found)
}

/// Triangles of both meshes that belong to a part in which they overlap, with their neighbours.
#[derive(Debug, Clone, Default)]
struct Around([BTreeSet<u32>; 2]);

impl Around {
    fn add(&mut self, body: &MeshBody, side: usize, triangle: u32) {
        let joins = body.joins();
        for v in body.mesh().triangles()[triangle as usize] {
            self.0[side].extend(joins.around(joins.vertex(v)).iter().copied());
        }
    }
}

/// Two meshes that overlap, and what a search for the way out needs.
struct Search<'s> {
    bodies: [&'s MeshBody; 2],
    at: &'s Placement,
    /// Lengths below this are rounding [m].
    clear: f64,
    /// Directions that leave several local overlaps at once, in A's frame.
    corners: &'s [Vec3],
    open: &'s mut Vec<Pair>,
    nodes: &'s mut Vec<Pair>,
}

/// A part in which two meshes overlap.
struct Part {
    /// Triangles that cross; none where one mesh holds a part of the other.
    cuts: Vec<[u32; 2]>,
    around: Around,
    /// A vertex inside the other mesh, where no triangles cross: which mesh it is of.
    inner: Option<(usize, u32)>,
}

impl Search<'_> {
    /// How far B moves along a direction until a part is left; none where that is `best` or farther [m], or where it cannot be told.
    fn along(&mut self, part: &Part, n: &Vec3, best: f64) -> Option<Exit> {
        let [a, b] = self.bodies;
        let mut around = part.around.clone();
        let mut seeds: Vec<(usize, u32)> = part.inner.into_iter().collect();
        let none = ContactId { a: Feature::Face(0), b: Feature::Face(0) };
        let mut exit = Exit { depth: 0.0, normal: *n, point: Vec3::zeros(), id: none };
        let mut is_found = false;
        for _ in 0..MAX_STEPS {
            let shifted = self.at.moved(&(n * exit.depth));
            // What only touches at the start is no part of the overlap; later on, triangles that begin to cross where their neighbours end go on with it.
            let begun = if is_found { self.clear } else { -self.clear };
            let (mut last, mut met) = (None::<(Meeting, [u32; 2])>, Vec::new());
            near_leaves(a, b, &shifted, self.clear, self.open, |pa, pb, x, y| {
                let pair = [a.triangle(pa), b.triangle(pb)];
                if around.0[0].contains(&pair[0]) && around.0[1].contains(&pair[1]) {
                    let found = crossing(x, y, n);
                    if let Some(found) = found.filter(|found| found.from <= begun && found.to > self.clear) {
                        met.push(pair);
                        if last.is_none_or(|(last, _)| found.to > last.to) {
                            last = Some((found, pair));
                        }
                    }
                }
                false
            });
            if let Some((last, [of_a, of_b])) = last {
                is_found = true;
                exit.depth += last.to;
                exit.point = last.point;
                exit.id = ContactId { a: Feature::Face(of_a), b: Feature::Face(of_b) };
                seeds.clear();
                for pair in met {
                    for (side, triangle) in pair.into_iter().enumerate() {
                        let body = self.bodies[side];
                        around.add(body, side, triangle);
                        let corners = body.mesh().triangles()[triangle as usize];
                        seeds.extend(corners.map(|v| (side, body.joins().vertex(v))));
                    }
                }
                seeds.sort_unstable();
                seeds.dedup();
            } else {
                // The surfaces are apart: one may have come to lie inside the other.
                let Some((shift, side, vertex, triangle)) = self.out_of_inside(&seeds, &shifted, n) else {
                    return is_found.then_some(exit);
                };
                is_found = true;
                exit.depth += shift;
                let own = self.bodies[side].joins().around(vertex).first().copied()?;
                around.add(self.bodies[side], side, own);
                around.add(self.bodies[1 - side], 1 - side, triangle);
                let place = self.bodies[side].mesh().vertices()[vertex as usize];
                exit.point = if side == 0 { place } else { shifted.to_a(&place) + n * shift };
                let (corner, face) = (Feature::Vertex(vertex), Feature::Face(triangle));
                exit.id = if side == 0 {
                    ContactId { a: corner, b: face }
                } else {
                    ContactId { a: face, b: corner }
                };
                seeds = vec![(side, vertex)];
            }
            if exit.depth >= best {
                return None;
            }
        }
        None
    }

    /// The first of some vertices that is inside the other mesh by more than rounding: how far B moves until it comes out [m], the vertex, and the triangle that it comes out of.
    fn out_of_inside(
        &mut self,
        seeds: &[(usize, u32)],
        at: &Placement,
        n: &Vec3,
    ) -> Option<(f64, usize, u32, u32)> {
        for &(side, vertex) in seeds {
            let (inner, outer) = (self.bodies[side], self.bodies[1 - side]);
            let own = inner.mesh().vertices()[vertex as usize];
            let (point, way) =
                if side == 0 { (at.to_b(&own), -at.R_AB.tr_mul(n)) } else { (at.to_a(&own), *n) };
            if outer.nearest_with(&point, self.clear, self.nodes).is_some()
                || !outer.contains_with(&point, self.nodes)
            {
                continue;
            }
            let mut first: Option<(f64, u32)> = None;
            for (number, corners) in outer.mesh().corner_triples().enumerate() {
                let shift = hit(&point, &way, &corners).filter(|shift| *shift > 0.0);
                if let Some(shift) = shift.filter(|shift| first.is_none_or(|(least, _)| *shift < least)) {
                    first = Some((shift, number as u32));
                }
            }
            if let Some((shift, triangle)) = first {
                return Some((shift, side, vertex, triangle));
            }
        }
        None
    }

    /// The directions out of a part, those with the least bound first: normals of faces, edges across edges, and those out of several local overlaps at once.
    fn directions(&self, part: &Part) -> Vec<(f64, Vec3)> {
        let [a, b] = self.bodies;
        let to_a = |side: usize, v: Vec3| if side == 0 { v } else { self.at.R_AB * v };
        let mut found: Vec<Vec3> = self.corners.to_vec();
        for side in 0..2 {
            let body = self.bodies[side];
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let mut own: Vec<Vec3> = Vec::new();
            let near = part.inner.map(|inner| self.near_inner(inner, side));
            let triangles: Vec<u32> = near.unwrap_or_else(|| part.around.0[side].iter().copied().collect());
            for t in triangles {
                let Some(normal) = unit_normal(&body.mesh().corners(t as usize)) else { continue };
                let normal = to_a(side, normal) * sign;
                if !own.iter().any(|other| (other - normal).norm() <= FLAT) {
                    own.push(normal);
                }
                if own.len() == MAX_FACES {
                    break;
                }
            }
            found.extend(own);
        }
        let edges = |side: usize| {
            let body = self.bodies[side];
            let mut all: Vec<u32> =
                part.cuts.iter().flat_map(|cut| body.joins().edges_of(cut[side])).collect();
            all.retain(|e| *e != NO_EDGE && body.joins().is_sharp(*e));
            all.sort_unstable();
            all.dedup();
            all.truncate(MAX_EDGES);
            let along = move |e: u32| {
                let [p, q] = body.joins().edge(e).map(|v| body.mesh().vertices()[v as usize]);
                to_a(side, q - p)
            };
            all.into_iter().map(along).collect::<Vec<Vec3>>()
        };
        let (of_a, of_b) = (edges(0), edges(1));
        for e in &of_a {
            for f in &of_b {
                let across = e.cross(f);
                if across.norm() > FLAT * e.norm() * f.norm() {
                    let across = across.normalize();
                    found.extend([across, -across]);
                }
            }
        }
        let step = part.cuts.len().div_ceil(MAX_SAMPLES).max(1);
        let samples: Vec<[[Vec3; 3]; 2]> = part
            .cuts
            .iter()
            .step_by(step)
            .map(|cut| {
                [
                    a.mesh().corners(cut[0] as usize),
                    b.mesh().corners(cut[1] as usize).map(|p| self.at.to_a(&p)),
                ]
            })
            .collect();
        let bound = |n: &Vec3| {
            let exits = samples.iter().filter_map(|[x, y]| crossing(x, y, n));
            exits.filter(|found| found.from <= -self.clear).map(|found| found.to).fold(0.0, f64::max)
        };
        let mut ranked: Vec<(f64, Vec3)> = found.into_iter().map(|n| (bound(&n), n)).collect();
        // Stable: equal bounds keep the order of the faces.
        ranked.sort_by(|x, y| x.0.total_cmp(&y.0));
        ranked
    }

    /// The triangles of one mesh that a part of the other, which has a vertex inside, could come out of: those no farther from the vertex than the nearest one and the size of the part. Of the inner mesh all.
    fn near_inner(&self, (inner, vertex): (usize, u32), side: usize) -> Vec<u32> {
        let all = 0..self.bodies[side].mesh().triangles().len() as u32;
        if side == inner {
            return all.collect();
        }
        let own = self.bodies[inner].mesh().vertices()[vertex as usize];
        let point = if inner == 0 { self.at.to_b(&own) } else { self.at.to_a(&own) };
        let mesh = self.bodies[side].mesh();
        let distance = |t: u32| (on_triangle(&mesh.corners(t as usize), &point).point - point).norm();
        let nearest = all.clone().map(distance).fold(f64::INFINITY, f64::min);
        let reach = nearest + self.bodies[inner].bounds().diagonal();
        all.filter(|t| distance(*t) <= reach).collect()
    }

    /// The shortest way out of a part.
    fn best(&mut self, part: &Part) -> Option<Exit> {
        let mut best: Option<Exit> = None;
        for (bound, n) in self.directions(part) {
            let limit = best.map_or(f64::INFINITY, |best| best.depth);
            if bound >= limit {
                break;
            }
            best = self.along(part, &n, limit).or(best);
        }
        best
    }
}

/// How far along a direction a point meets a triangle, in lengths of the direction.
fn hit(point: &Vec3, way: &Vec3, corners: &[Vec3; 3]) -> Option<f64> {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let across = normal.dot(way);
    if across.abs() <= FLAT * normal.norm() {
        return None;
    }
    let shift = normal.dot(&(corners[0] - point)) / across;
    let p = point + way * shift;
    let room = -ON * normal.norm_squared();
    let holds =
        (0..3).all(|k| normal.dot(&(corners[(k + 1) % 3] - corners[k]).cross(&(p - corners[k]))) >= room);
    holds.then_some(shift)
}

/// The connected parts of the triangles that cross: pairs whose triangles are the same or share a corner, on both meshes, are of one part.
fn parts(bodies: [&MeshBody; 2], cuts: &[Cut]) -> Vec<Part> {
    let with_neighbours = |pairs: &[[u32; 2]]| {
        let mut around = Around::default();
        for pair in pairs {
            for side in 0..2 {
                around.add(bodies[side], side, pair[side]);
            }
        }
        around
    };
    let mut left: Vec<[u32; 2]> = cuts.iter().map(|cut| cut.triangles).collect();
    if left.len() > MAX_CUTS {
        let around = with_neighbours(&left);
        return vec![Part { cuts: left, around, inner: None }];
    }
    let mut found = Vec::new();
    while let Some(first) = left.first().copied() {
        left.remove(0);
        let (mut own, mut next) = (vec![first], 0);
        while next < own.len() {
            let around = with_neighbours(&own[next..=next]);
            next += 1;
            left.retain(|pair| {
                let is_near = around.0[0].contains(&pair[0]) && around.0[1].contains(&pair[1]);
                if is_near {
                    own.push(*pair);
                }
                !is_near
            });
        }
        own.sort_unstable();
        found.push(Part { around: with_neighbours(&own), cuts: own, inner: None });
    }
    found
}

/// The ways out of all parts in which two closed meshes overlap, in A's frame; empty where none is found, as for meshes that overlap in flush faces alone.
///
/// Computes: for each connected part the least length by which B moves, along one of the directions, until the part is gone: followed while it moves, whatever else is met on the way.
/// Directions: the normals of the faces around the part, its edges across edges, and `corners`: those that leave several local overlaps at once.
/// Tolerance: lengths below `clear` [m] are rounding; a way out ends where a corner meets a face or two edges meet, known to rounding.
/// Cost: for each direction that could be the best a descent of both trees for every crossing that is left on the way.
pub(super) fn exits(
    bodies: [&MeshBody; 2],
    at: &Placement,
    cuts: &[Cut],
    inner: Option<(usize, u32)>,
    clear: f64,
    corners: &[Vec3],
    (open, nodes): (&mut Vec<Pair>, &mut Vec<Pair>),
) -> Vec<Exit> {
    let mut search = Search { bodies, at, clear, corners, open, nodes };
    let mut all = parts(bodies, cuts);
    if all.is_empty()
        && let Some((side, vertex)) = inner
    {
        let mut around = Around::default();
        for &t in bodies[side].joins().around(vertex) {
            around.add(bodies[side], side, t);
        }
        all.push(Part { cuts: Vec::new(), around, inner });
    }
    all.iter().filter_map(|part| search.best(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(corners: [[f64; 3]; 3]) -> [Vec3; 3] {
        corners.map(|[x, y, z]| Vec3::new(x, y, z))
    }

    #[test]
    fn triangles_meet_until_a_corner_leaves_a_face_or_an_edge_an_edge() {
        let floor = triangle([[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [0.0, 2.0, 0.0]]);
        // A corner 0.3 below the floor leaves it upward.
        let spike = triangle([[0.0, 0.0, -0.3], [0.1, 0.0, 1.0], [0.0, 0.1, 1.0]]);
        let found = crossing(&floor, &spike, &Vec3::z()).unwrap();
        assert!((found.to - 0.3).abs() < 1e-15 && (found.from + 1.0).abs() < 1e-15, "{found:?}");
        // An upright edge leaves sideways where it meets the border of the floor.
        let wall = triangle([[0.0, -1.5, -1.0], [0.0, -1.5, 1.0], [0.5, 1.0, 1.0]]);
        let found = crossing(&floor, &wall, &-Vec3::y()).unwrap();
        assert!(found.to > 0.5 && found.from <= 0.0, "{found:?}");
        // What touches with its border alone does not cross, and what slides in the plane does not either.
        let beside = triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        assert!(crossing(&floor, &beside, &Vec3::x()).is_none());
        let flush = triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert!(crossing(&floor, &flush, &Vec3::x()).is_none());
    }
}
