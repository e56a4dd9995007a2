//! Which closed pieces of a mesh lie inside which others.
//!
//! In: closed pieces that do not cross each other. Out: for each piece how many others enclose it. The answer depends on the
//! surfaces alone, not on the order of the pieces.

use robust::{Coord, Coord3D, orient2d, orient3d};
use zerogap_core::{Aabb, Vec3};

use super::TriangleMesh;

/// Points of a piece that are tested for lying inside another one.
const SAMPLES: usize = 5;

/// Slabs that a surface is sorted into, so that a ray visits few of its triangles [-]: more would make long triangles costly.
const SLABS: usize = 64;

/// Surfaces with fewer triangles are not sorted into slabs [-].
const SORTED_FROM: usize = 256;

/// One closed piece, ready to be asked what lies in it.
pub(super) struct Piece {
    surface: TriangleMesh,
    bounds: Aabb,
    /// Signed volume [m³].
    pub(super) volume: f64,
}

impl Piece {
    /// The piece made of some triangles of a mesh.
    pub(super) fn new(mesh: &TriangleMesh, members: &[u32]) -> Self {
        let triangles: Vec<[u32; 3]> =
            (0..members.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let vertices = members.iter().flat_map(|&t| mesh.corners(t as usize)).collect();
        let surface = TriangleMesh::from_parts(vertices, triangles);
        Self { bounds: surface.bounding_box(), volume: surface.signed_volume(), surface }
    }

    /// Middles of triangles spread over the piece.
    fn samples(&self) -> [Vec3; SAMPLES] {
        let last = self.surface.triangles.len() - 1;
        std::array::from_fn(|k| {
            let [a, b, c] = self.surface.corners(k * last / (SAMPLES - 1));
            (a + b + c) / 3.0
        })
    }

    /// Whether the box of another piece lies in the box of this one.
    fn may_enclose(&self, other: &Self) -> bool {
        (0..3).all(|k| self.bounds.min[k] <= other.bounds.min[k] && other.bounds.max[k] <= self.bounds.max[k])
    }
}

/// How many other pieces each piece lies in. Pieces that are none are skipped and count for nothing.
///
/// Cost: O(p log p + p q + s) for p pieces, q of which reach across a plane at once, and s the triangles hit by five rays for every
/// two pieces with nested boxes; the rays of a large piece hit about a 64th of its triangles.
pub(super) fn depths(pieces: &[Option<Piece>]) -> Vec<usize> {
    let mut depths = vec![0; pieces.len()];
    let mut order: Vec<(usize, &Piece)> =
        pieces.iter().enumerate().filter_map(|(n, piece)| piece.as_ref().map(|piece| (n, piece))).collect();
    // A sweep along the longest side of everything: only pieces that reach across the current place can enclose the next one.
    let all = order.iter().fold(Aabb::empty(), |all, (_, piece)| all.union(&piece.bounds));
    let axis = if all.is_empty() { 0 } else { all.size().imax() };
    let ends = |piece: &Piece| (piece.bounds.min[axis], piece.bounds.max[axis]);
    order.sort_by(|(n, a), (m, b)| {
        let (a, b) = (ends(a), ends(b));
        a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)).then(n.cmp(m))
    });
    // For each piece that may enclose others: those others.
    let mut inner: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    let mut active: Vec<usize> = Vec::new();
    for (k, (_, piece)) in order.iter().enumerate() {
        active.retain(|&j| ends(order[j].1).1 >= ends(piece).0);
        for &j in &active {
            if order[j].1.may_enclose(piece) {
                inner[j].push(k);
            }
            // Equal boxes enclose each other as far as boxes show.
            if piece.may_enclose(order[j].1) {
                inner[k].push(j);
            }
        }
        active.push(k);
    }
    for ((_, piece), inner) in order.iter().zip(&inner).filter(|(_, inner)| !inner.is_empty()) {
        let rays = Rays::new(&piece.surface, &piece.bounds, inner.len());
        for &k in inner {
            let (n, other) = order[k];
            depths[n] += usize::from(rays.enclose(&other.samples()));
        }
    }
    depths
}

/// A closed surface that counts how often it winds round a point, along a ray in x.
struct Rays<'a> {
    surface: &'a TriangleMesh,
    /// Triangles by slab along y; one slab holds all of them when sorting does not pay.
    slabs: Vec<Vec<u32>>,
    low: f64,
    width: f64,
}

impl<'a> Rays<'a> {
    fn new(surface: &'a TriangleMesh, bounds: &Aabb, queries: usize) -> Self {
        let count = surface.triangles.len();
        let (low, width) = (bounds.min.y, bounds.size().y / SLABS as f64);
        let sorted = count >= SORTED_FROM && queries > 1 && width > 0.0;
        let mut rays = Self { surface, slabs: Vec::new(), low, width: if sorted { width } else { 0.0 } };
        if !sorted {
            rays.slabs.push((0..count as u32).collect());
            return rays;
        }
        rays.slabs.resize(SLABS, Vec::new());
        for (t, [a, b, c]) in surface.corner_triples().enumerate() {
            let (from, to) = (rays.slab(a.y.min(b.y).min(c.y)), rays.slab(a.y.max(b.y).max(c.y)));
            for slab in &mut rays.slabs[from..=to] {
                slab.push(t as u32);
            }
        }
        rays
    }

    /// The slab of a y coordinate [m]. It never decreases with y, so that a triangle is in every slab it reaches into.
    fn slab(&self, y: f64) -> usize {
        if self.width > 0.0 { (((y - self.low) / self.width) as usize).min(SLABS - 1) } else { 0 }
    }

    /// How often the surface winds round a point, exactly; none for a point inside a triangle. On an edge or a corner it is that of one
    /// of the sides.
    ///
    /// Each triangle seen along +x beyond the point counts by how often its outline winds round the point in y and z; an outline
    /// that passes through the point is always passed on the same side, so neighbours agree and nothing is counted twice.
    fn winding(&self, p: &Vec3) -> Option<i32> {
        let flat = |q: &Vec3| Coord { x: q.y, y: q.z };
        let deep = |q: &Vec3| Coord3D { x: q.x, y: q.y, z: q.z };
        let mut winding = 0;
        for &t in &self.slabs[self.slab(p.y)] {
            let corners = self.surface.corners(t as usize);
            let mut turns = 0;
            for k in 0..3 {
                let (a, b) = (&corners[k], &corners[(k + 1) % 3]);
                if a.z <= p.z && p.z < b.z {
                    turns += i32::from(orient2d(flat(a), flat(b), flat(p)) > 0.0);
                } else if b.z <= p.z && p.z < a.z {
                    turns -= i32::from(orient2d(flat(a), flat(b), flat(p)) < 0.0);
                }
            }
            if turns == 0 {
                continue;
            }
            let [a, b, c] = corners.map(|q| deep(&q));
            // Positive when the point lies below a triangle that is counter-clockwise seen from above: for `turns` 1, before it.
            let side = orient3d(a, b, c, deep(p)) * f64::from(turns);
            if side == 0.0 {
                return None;
            }
            winding += if side > 0.0 { turns } else { 0 };
        }
        Some(winding)
    }

    /// Whether points of a piece, which does not cross this surface, lie inside it.
    fn enclose(&self, samples: &[Vec3; SAMPLES]) -> bool {
        let sides = samples.map(|p| self.winding(&p).map(|winding| winding != 0));
        let inside = sides.iter().filter(|side| **side == Some(true)).count();
        if inside == 0 || inside == SAMPLES {
            return inside > 0;
        }
        // Samples that touch this surface are rounded to either side of it: the one farthest from it decides. The solid angle would
        // be no help, it jumps to 0 or 1 there.
        let away = samples.map(|p| self.surface.nearest_point(&p).distance);
        let farthest = (0..SAMPLES).rev().max_by(|&a, &b| away[a].total_cmp(&away[b]));
        farthest.is_some_and(|k| sides[k] == Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::{Cuboid, Sphere, Torus};
    use zerogap_testkit::random::Random;

    #[test]
    fn counting_crossings_agrees_with_the_solid_angle() {
        let mut random = Random::new(11);
        for mesh in [
            Cuboid::default().generate().unwrap(),
            Sphere::default().generate().unwrap(),
            Torus::default().generate().unwrap().flipped(),
        ] {
            let bounds = mesh.bounding_box();
            let size = bounds.size();
            for queries in [1, 2] {
                let rays = Rays::new(&mesh, &bounds, queries);
                for k in 0..500 {
                    let mut p = bounds.center() + random.in_cube(0.6).component_mul(&size);
                    // Every second ray runs through a vertex.
                    if k % 2 == 0 {
                        let v = mesh.vertices()[random.index(mesh.vertices().len())];
                        (p.y, p.z) = (v.y, v.z);
                    }
                    let angle = mesh.winding_number(&p).round();
                    if mesh.nearest_point(&p).distance > 1e-9 {
                        assert_eq!(rays.winding(&p).map(f64::from), Some(angle), "{p:?}");
                    }
                }
            }
        }
    }
}
