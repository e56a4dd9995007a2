//! Meshes refined until no edge is longer than requested.
//!
//! In: a mesh and a length. Out: the same surface with smaller triangles. New vertices lie on old edges and are shared by the triangles there, so
//! what was closed stays closed. The result depends on the order of the triangles alone.

use std::collections::HashMap;

use zerogap_core::Vec3;
use zerogap_core::error::check_positive_length;

use super::ComplexError;
use crate::{GeometryError, TriangleMesh};

/// The largest number of triangles that a refinement makes.
pub const REFINE_LIMIT: usize = 50_000_000;

/// A refined mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Refined {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// The triangle that each new triangle is a part of.
    pub sources: Vec<u32>,
    /// The longest edge left [m].
    pub longest_edge: f64,
}

impl TriangleMesh {
    /// The same surface with no edge longer than `edge` [m].
    ///
    /// Method: rounds in which every edge that is too long is halved once, at one point for all its triangles; a triangle with one, two or three halved sides
    ///   becomes two, three or four. A triangle with two halved sides is cut along the shorter of its two diagonals.
    /// Tolerance: new vertices are midpoints of old ones to rounding; old vertices keep their numbers and places. Vertices are not welded: an edge that two triangles do not share by number stays a seam.
    /// Cost: O(n) in what comes out. Fails: a length that is not positive, or more than [`REFINE_LIMIT`] triangles.
    pub fn refined(&self, edge: f64) -> Result<Refined, ComplexError> {
        let edge = check_positive_length("the longest edge", edge).map_err(GeometryError::from)?;
        // No triangle with such edges has more area than the regular one.
        let largest = 0.25 * 3.0_f64.sqrt() * edge * edge;
        let area = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(&(c - a)).norm();
        if self.corner_triples().map(area).sum::<f64>() > REFINE_LIMIT as f64 * largest {
            return Err(ComplexError::TooFine { edge, limit: REFINE_LIMIT });
        }
        let mut vertices = self.vertices().to_vec();
        let mut triangles: Vec<([u32; 3], u32)> =
            self.triangles().iter().enumerate().map(|(t, corners)| (*corners, t as u32)).collect();
        loop {
            // The map is only looked up: its order reaches nothing.
            let mut middles: HashMap<u64, u32> = HashMap::new();
            let mut next = Vec::with_capacity(triangles.len());
            for (corners, source) in &triangles {
                let middle = [0, 1, 2].map(|k| {
                    let (a, b) = (corners[k], corners[(k + 1) % 3]);
                    let (p, q) = (vertices[a as usize], vertices[b as usize]);
                    ((q - p).norm() > edge).then(|| {
                        let key = (u64::from(a.min(b)) << 32) | u64::from(a.max(b));
                        *middles.entry(key).or_insert_with(|| {
                            vertices.push(0.5 * p + 0.5 * q);
                            vertices.len() as u32 - 1
                        })
                    })
                });
                split(&vertices, *corners, middle, |part| next.push((part, *source)));
            }
            let done = middles.is_empty();
            triangles = next;
            if triangles.len() > REFINE_LIMIT {
                return Err(ComplexError::TooFine { edge, limit: REFINE_LIMIT });
            }
            if done {
                break;
            }
        }
        let length = |[a, b]: [u32; 2]| (vertices[a as usize] - vertices[b as usize]).norm();
        let sides = triangles.iter().flat_map(|([a, b, c], _)| [[*a, *b], [*b, *c], [*c, *a]]);
        let longest_edge = sides.map(length).fold(0.0, f64::max);
        let (corners, sources): (Vec<_>, Vec<_>) = triangles.into_iter().unzip();
        Ok(Refined { mesh: Self::new(vertices, corners)?, sources, longest_edge })
    }
}

/// The parts of a triangle whose side k, from corner k to the next, is halved at `middle[k]`.
fn split(vertices: &[Vec3], corners: [u32; 3], middle: [Option<u32>; 3], mut part: impl FnMut([u32; 3])) {
    let count = middle.iter().flatten().count();
    // Turn the triangle so that one halved side comes first, or the whole side last.
    let turn = match count {
        1 => middle.iter().position(Option::is_some),
        2 => middle.iter().position(Option::is_none).map(|k| (k + 1) % 3),
        _ => Some(0),
    };
    let turn = turn.unwrap_or(0);
    let [a, b, c] = [0, 1, 2].map(|k| corners[(turn + k) % 3]);
    let [ab, bc, ca] = [0, 1, 2].map(|k| middle[(turn + k) % 3]);
    match (ab, bc, ca) {
        (Some(ab), None, None) => {
            part([a, ab, c]);
            part([ab, b, c]);
        }
        (Some(ab), Some(bc), None) => {
            part([ab, b, bc]);
            let length = |p: u32, q: u32| (vertices[p as usize] - vertices[q as usize]).norm_squared();
            if length(a, bc) <= length(ab, c) {
                part([a, ab, bc]);
                part([a, bc, c]);
            } else {
                part([a, ab, c]);
                part([ab, bc, c]);
            }
        }
        (Some(ab), Some(bc), Some(ca)) => {
            part([a, ab, ca]);
            part([ab, b, bc]);
            part([ca, bc, c]);
            part([ab, bc, ca]);
        }
        _ => part(corners),
    }
}
