//! Integrals over a convex polytope inflated by a radius: core, face prisms, edge wedges and ball sectors.
//!
//! The derivation, with the meaning of every symbol, is in `docs/derivations/rounded_mass.md`.

use zerogap_core::math::{angle_between, atan2, sin_cos};
use zerogap_core::{Mat3, Vec3};

use super::{Moments, flat};

/// A face as its outward unit normal and its corners, counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Outward unit normal [-].
    pub normal: Vec3,
    /// Corners as indices into the vertices.
    pub corners: Vec<usize>,
}

/// An edge between two faces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Where it starts, run through as its left face does (counter-clockwise seen from outside).
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Outward unit normal of the left face [-].
    pub left: Vec3,
    /// Outward unit normal of the other face [-].
    pub right: Vec3,
}

/// Volume integrals of all points within `radius` [m] of a convex polytope.
///
/// `core` are the volume integrals of the polytope itself, exactly zero for a flat one, which comes as two opposite faces.
/// All corners are measured from one reference point near the middle, and so is `core` and the result.
///
/// Computes: the Steiner decomposition, every part in closed form: nothing is sampled.
/// Tolerance: relative to measure, size and measure·size²: 1e-13 on boxes and wedges, 2e-12 on plates; a general tetrahedron is only
///   checked to 1e-5, which is what its oracle gives (`tests/mass_rounded.rs`).
/// Order: faces, then edges, then vertices, as they come.
pub fn rounded(vertices: &[Vec3], faces: &[Face], edges: &[Edge], core: Moments, radius: f64) -> Moments {
    let r = radius;
    let mut sum = core;
    // Solid angle of the normal cone of each vertex: a full turn less the face angles that meet there.
    let mut cones =
        vec![
            Cone { solid_angle: std::f64::consts::TAU, first: Vec3::zeros(), second: Mat3::zeros() };
            vertices.len()
        ];

    for face in faces {
        let corners: Vec<Vec3> = face.corners.iter().map(|&i| vertices[i]).collect();
        let n = face.normal;
        let height =
            Moments { measure: r, first: n * (0.5 * r * r), second: n * n.transpose() * (r * r * r / 3.0) };
        sum += flat::polygon(&corners, &n, &Vec3::zeros()).product(&height);
        let count = corners.len();
        for k in 0..count {
            let (before, after) = (corners[(k + count - 1) % count], corners[(k + 1) % count]);
            cones[face.corners[k]].solid_angle -=
                angle_between(&(before - corners[k]), &(after - corners[k]));
        }
    }

    for edge in edges {
        let (a, b) = (vertices[edge.start], vertices[edge.end]);
        let Some(e) = (b - a).try_normalize(0.0) else { continue };
        // Normals turn from the left face to the right one through this angle, starting along m.
        let m = e.cross(&edge.left);
        // A plate's right normal is minus its left one, and rounding must not turn that half turn into none.
        let angle = atan2(edge.right.dot(&m).max(0.0), edge.right.dot(&edge.left));
        let (half_sin, half_cos) = sin_cos(0.5 * angle);
        let (middle, across) = (edge.left * half_cos + m * half_sin, m * half_cos - edge.left * half_sin);
        let turn = middle * (2.0 * half_sin);
        let sine = 2.0 * half_sin * half_cos;

        // A sector of a disc, swept along the edge.
        let sector = Moments {
            measure: 0.5 * r * r * angle,
            first: turn * (r.powi(3) / 3.0),
            second: (middle * middle.transpose() * (angle + sine)
                + across * across.transpose() * (angle - sine))
                * (r.powi(4) / 8.0),
        };
        sum += flat::segment(&a, &b).product(&sector);

        // The arc borders the normal cones of both ends; e points out of the first and into the second.
        for (end, outward) in [(edge.start, e), (edge.end, -e)] {
            cones[end].first -= outward * (0.5 * angle);
            cones[end].second -= turn * outward.transpose() / 3.0;
        }
    }

    for (vertex, cone) in vertices.iter().zip(&cones) {
        let second = cone.second + Mat3::identity() * (cone.solid_angle / 3.0);
        let sector = Moments {
            measure: cone.solid_angle * r.powi(3) / 3.0,
            first: cone.first * (r.powi(4) / 4.0),
            second: super::symmetric(&second) * (r.powi(5) / 5.0),
        };
        sum += sector.moved(vertex);
    }
    sum
}

/// Integrals of 1, n and (without its diagonal part) n nᵀ over the unit normals of a vertex.
#[derive(Debug, Clone, Copy)]
struct Cone {
    solid_angle: f64,
    first: Vec3,
    second: Mat3,
}

/// Volume integrals of all points within `radius` [m] of a plane convex polygon, counter-clockwise about the unit normal `n`.
pub fn rounded_polygon(corners: &[Vec3], n: &Vec3, radius: f64) -> Moments {
    let count = corners.len();
    let faces = [
        Face { normal: *n, corners: (0..count).collect() },
        Face { normal: -n, corners: (0..count).rev().collect() },
    ];
    let edges: Vec<Edge> =
        (0..count).map(|i| Edge { start: i, end: (i + 1) % count, left: *n, right: -n }).collect();
    rounded(corners, &faces, &edges, Moments::zero(), radius)
}

/// Volume integrals of a box about the origin, by its half sides [m].
pub fn cuboid(half: &Vec3) -> Moments {
    let measure = 8.0 * half.product();
    let second = Mat3::from_diagonal(&half.map(|h| h * h * (measure / 3.0)));
    Moments { measure, first: Vec3::zeros(), second }
}

/// Volume integrals of all points within `radius` [m] of a box about the origin, by its half sides [m].
pub fn rounded_cuboid(half: &Vec3, radius: f64) -> Moments {
    // Vertex i has its sign along axis k in bit k.
    let sign = |i: usize, k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
    let vertices: Vec<Vec3> = (0..8).map(|i| Vec3::from_fn(|k, _| sign(i, k) * half[k])).collect();
    let axis = |k: usize, s: f64| Vec3::from_fn(|i, _| if i == k { s } else { 0.0 });
    let mut faces = Vec::with_capacity(6);
    let mut edges = Vec::with_capacity(12);
    for k in 0..3 {
        let (u, v) = (1 << ((k + 1) % 3), 1 << ((k + 2) % 3));
        let top = 1 << k;
        faces.push(Face { normal: axis(k, 1.0), corners: vec![top, top + u, top + u + v, top + v] });
        faces.push(Face { normal: axis(k, -1.0), corners: vec![0, v, u + v, u] });
        // The four edges along axis k, each between its face along u and its face along v.
        for (at, su, sv) in [(u + v, 1.0, 1.0), (v, -1.0, 1.0), (0, -1.0, -1.0), (u, 1.0, -1.0)] {
            let (face_u, face_v) = (axis((k + 1) % 3, su), axis((k + 2) % 3, sv));
            let (left, right) = if su * sv > 0.0 { (face_u, face_v) } else { (face_v, face_u) };
            edges.push(Edge { start: at, end: at + top, left, right });
        }
    }
    rounded(&vertices, &faces, &edges, cuboid(half), radius)
}
