//! From the exact triangles of a hull to maximal planar faces: a rotated box has six, not twelve or thirty.
//!
//! In: points and the exact surface of their hull. Out: a surface with fewer vertices, still the exact hull of those, and its triangles
//! sorted into regions, each of which is one flat convex face.
//!
//! Rounding leaves a grid of points on a rotated plane as a landscape of tiny bumps. Vertices inside such a landscape or along
//! a straight edge are left out and the hull of the others is taken again, exactly; that keeps the result convex to the last digit, which
//! moving vertices or gluing polygons would not. Where merging cannot give convex faces with sharp corners (a surface that is
//! curved on the scale of the tolerance), the triangles stay as they are.

use zerogap_core::{Aabb, Vec3};

use crate::hull::{HullSurface, MERGE_TOLERANCE, area_vector, hull_surface};
use crate::nearest::segment_distance;

/// How often vertices may be left out. Each round moves the surface by at most twice [`MERGE_TOLERANCE`], so that all of them stay
/// within 1e-12 of the size; the tests see up to four.
const MAX_ROUNDS: usize = 8;

/// Marks what is not there.
pub(super) const NONE: u32 = u32::MAX;

/// An exact hull surface whose triangles are sorted into flat faces.
pub(super) struct Merged {
    pub(super) surface: HullSurface,
    /// For each triangle, its region: named by the triangle whose plane is the face's plane.
    pub(super) seed_of: Vec<u32>,
    /// Outward unit normal of each triangle.
    pub(super) normals: Vec<Vec3>,
}

/// Leaves out vertices that are not corners, and sorts the triangles into faces.
///
/// Tolerance: all vertices of a face lie at most 5e-14 of the bounding diagonal below its plane and none above it; vertices
///   left out lie within 1e-12 of the diagonal of the result.
/// Order: larger triangles claim their neighbours first; ties go to the smaller index.
pub(super) fn merge(points: &[Vec3], exact: HullSurface) -> Merged {
    let corners = exact.sources.iter().map(|&index| &points[index as usize]);
    let tolerance = MERGE_TOLERANCE * Aabb::from_points(corners).diagonal();
    let mut current = exact.clone();
    for _ in 0..MAX_ROUNDS {
        let mut round = Round::new(points, current, tolerance);
        let mut drop = round.close_vertices();
        if !drop.contains(&true) {
            round.grow_regions();
            round.split_bad_regions();
            drop = round.vertices_without_corner();
        }
        if !drop.contains(&true) {
            return Merged { surface: round.surface, seed_of: round.seed_of, normals: round.normals };
        }
        // The hull of what is left; if that were flat, the set is too thin to leave anything out.
        let kept: Vec<u32> = round
            .surface
            .sources
            .iter()
            .zip(&drop)
            .filter(|(_, drop)| !**drop)
            .map(|(&index, _)| index)
            .collect();
        let kept_points: Vec<Vec3> = kept.iter().map(|&index| points[index as usize]).collect();
        let Ok(mut smaller) = hull_surface(&kept_points) else { break };
        for source in &mut smaller.sources {
            *source = kept[*source as usize];
        }
        current = smaller;
    }
    // Nothing merged: every triangle of the exact hull is a face.
    let round = Round::new(points, exact, tolerance);
    Merged { surface: round.surface, seed_of: round.seed_of, normals: round.normals }
}

/// One attempt at sorting triangles into faces.
struct Round {
    surface: HullSurface,
    vertices: Vec<Vec3>,
    /// Greatest distance of a vertex from its face's plane, from a straight edge, or between two vertices taken for one [m].
    tolerance: f64,
    normals: Vec<Vec3>,
    /// Twice the area of each triangle [m²].
    areas: Vec<f64>,
    seed_of: Vec<u32>,
}

/// Which edge of triangle `to` leads to triangle `from`.
pub(super) fn slot_of(surface: &HullSurface, to: u32, from: u32) -> usize {
    surface.neighbors[to as usize].iter().position(|&id| id == from).unwrap_or(0)
}

/// The border edges of a region in order, as (triangle, edge), starting with one of them.
///
/// At the end of each edge the walk turns through the region's triangles to its next border edge.
pub(super) fn border(
    surface: &HullSurface,
    seed_of: &[u32],
    start: (u32, usize),
    out: &mut Vec<(u32, usize)>,
) {
    out.clear();
    let region = seed_of[start.0 as usize];
    let (mut triangle, mut edge) = start;
    loop {
        out.push((triangle, edge));
        edge = (edge + 1) % 3;
        loop {
            let beyond = surface.neighbors[triangle as usize][edge];
            if seed_of[beyond as usize] != region {
                break;
            }
            edge = (slot_of(surface, beyond, triangle) + 1) % 3;
            triangle = beyond;
        }
        if (triangle, edge) == start {
            return;
        }
    }
}

impl Round {
    fn new(points: &[Vec3], surface: HullSurface, tolerance: f64) -> Self {
        let vertices: Vec<Vec3> = surface.sources.iter().map(|&index| points[index as usize]).collect();
        let (mut normals, mut areas) = (Vec::new(), Vec::new());
        for corners in &surface.triangles {
            let [a, b, c] = corners.map(|index| vertices[index as usize]);
            let area = area_vector(&a, &b, &c);
            // The exact hull has no triangle without area; underflow is kept away by the smallest size accepted.
            let length = area.norm();
            normals.push(if length > 0.0 { area / length } else { Vec3::zeros() });
            areas.push(length);
        }
        let seed_of = (0..surface.triangles.len() as u32).collect();
        Self { surface, vertices, tolerance, normals, areas, seed_of }
    }

    /// The corner of a triangle that is not on its edge `edge`.
    fn opposite(&self, triangle: u32, edge: usize) -> u32 {
        self.surface.triangles[triangle as usize][(edge + 2) % 3]
    }

    /// Whether a vertex lies in the plane of a triangle.
    fn in_plane(&self, triangle: u32, vertex: u32) -> bool {
        let anchor = self.vertices[self.surface.triangles[triangle as usize][0] as usize];
        let height = self.normals[triangle as usize].dot(&(self.vertices[vertex as usize] - anchor));
        height.abs() <= self.tolerance
    }

    /// Marks vertices that a neighbour of smaller index, itself unmarked, coincides with.
    fn close_vertices(&self) -> Vec<bool> {
        let mut drop = vec![false; self.vertices.len()];
        let mut pairs = Vec::new();
        for corners in &self.surface.triangles {
            for k in 0..3 {
                let (i, j) = (corners[k], corners[(k + 1) % 3]);
                let apart = self.vertices[i as usize] - self.vertices[j as usize];
                if i < j && apart.norm_squared() <= self.tolerance * self.tolerance {
                    pairs.push((j, i));
                }
            }
        }
        pairs.sort_unstable();
        for (later, earlier) in pairs {
            drop[later as usize] |= !drop[earlier as usize];
        }
        drop
    }

    /// Lets each triangle, the largest first, claim the connected triangles around it that lie in its plane with the same orientation.
    fn grow_regions(&mut self) {
        // Only a triangle with an even edge can start anything; on a curved surface there are none, and nothing to sort.
        let mut seeds: Vec<u32> = (0..self.surface.triangles.len() as u32)
            .filter(|&triangle| {
                (0..3).any(|edge| {
                    let beyond = self.surface.neighbors[triangle as usize][edge];
                    self.in_plane(triangle, self.opposite(beyond, slot_of(&self.surface, beyond, triangle)))
                })
            })
            .collect();
        seeds.sort_unstable_by(|&i, &j| {
            self.areas[j as usize].total_cmp(&self.areas[i as usize]).then(i.cmp(&j))
        });
        let mut claimed = vec![false; self.surface.triangles.len()];
        let mut stack = Vec::new();
        for seed in seeds {
            if claimed[seed as usize] {
                continue;
            }
            claimed[seed as usize] = true;
            stack.push(seed);
            while let Some(triangle) = stack.pop() {
                self.seed_of[triangle as usize] = seed;
                for beyond in self.surface.neighbors[triangle as usize] {
                    let vertex = self.opposite(beyond, slot_of(&self.surface, beyond, triangle));
                    let same_way = self.normals[seed as usize].dot(&self.normals[beyond as usize]) > 0.0;
                    if !claimed[beyond as usize] && same_way && self.in_plane(seed, vertex) {
                        claimed[beyond as usize] = true;
                        stack.push(beyond);
                    }
                }
            }
        }
    }

    /// Whether an edge of a triangle separates two regions.
    fn is_border(&self, triangle: u32, edge: usize) -> bool {
        let beyond = self.surface.neighbors[triangle as usize][edge];
        self.seed_of[triangle as usize] != self.seed_of[beyond as usize]
    }

    /// How many border edges end at each vertex: 0 inside a region, 2 on an edge between two, more at a corner.
    fn border_degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.vertices.len()];
        for (triangle, corners) in self.surface.triangles.iter().enumerate() {
            for k in 0..3 {
                if self.is_border(triangle as u32, k) {
                    // Seen once from each side: count the end that this side starts from.
                    degrees[corners[k] as usize] += 1;
                }
            }
        }
        degrees
    }

    /// Dissolves regions into triangles until all others are convex polygons with straight sides.
    fn split_bad_regions(&mut self) {
        let mut members: Vec<u32> = (0..self.surface.triangles.len() as u32).collect();
        members.sort_by_key(|&triangle| self.seed_of[triangle as usize]);
        loop {
            let degrees = self.border_degrees();
            let mut bad = Vec::new();
            let mut stamp = vec![NONE; self.vertices.len()];
            for region in members.chunk_by(|&i, &j| self.seed_of[i as usize] == self.seed_of[j as usize]) {
                if region.len() > 1 && !self.is_good(region, &degrees, &mut stamp) {
                    bad.extend_from_slice(region);
                }
            }
            if bad.is_empty() {
                return;
            }
            for triangle in bad {
                self.seed_of[triangle as usize] = triangle;
            }
        }
    }

    /// Whether a region has one simple border, straight between its corners and convex at them.
    fn is_good(&self, region: &[u32], degrees: &[u32], stamp: &mut [u32]) -> bool {
        let edges: Vec<(u32, usize)> = region
            .iter()
            .flat_map(|&triangle| (0..3).map(move |edge| (triangle, edge)))
            .filter(|&(triangle, edge)| self.is_border(triangle, edge))
            .collect();
        let Some(&start) = edges.first() else { return false };
        let mut walk = Vec::new();
        border(&self.surface, &self.seed_of, start, &mut walk);
        if walk.len() != edges.len() {
            return false;
        }
        let seed = self.seed_of[region[0] as usize];
        let ring: Vec<u32> =
            walk.iter().map(|&(triangle, edge)| self.surface.triangles[triangle as usize][edge]).collect();
        for &vertex in &ring {
            if std::mem::replace(&mut stamp[vertex as usize], seed) == seed {
                return false;
            }
        }
        let at = |k: usize| self.vertices[ring[k % ring.len()] as usize];
        let corners: Vec<usize> = (0..ring.len()).filter(|&k| degrees[ring[k] as usize] > 2).collect();
        let normal = self.normals[seed as usize];
        corners.len() >= 3
            && (0..corners.len()).all(|c| {
                let from = corners[c];
                let to =
                    corners[(c + 1) % corners.len()] + if c + 1 == corners.len() { ring.len() } else { 0 };
                let beyond = corners[(c + 2) % corners.len()];
                let (a, b, next) = (at(from), at(to), at(beyond));
                let straight = (from + 1..to).all(|k| segment_distance(&a, &b, &at(k)) <= self.tolerance);
                // Strictly, whatever the tolerance: a dent at a short edge would give it an arbitrary orientation, and no test against the
                // lines of the edges could then decide what lies on the face.
                let convex = normal.dot(&(b - a).cross(&(next - b))) > 0.0;
                straight && convex
            })
    }

    /// Marks the vertices at which fewer than three faces meet.
    fn vertices_without_corner(&self) -> Vec<bool> {
        self.border_degrees().iter().map(|&degree| degree < 3).collect()
    }
}
