//! Meshes with known answers, for the tests of readers, reports and queries.
#![allow(dead_code, reason = "each test binary uses some of them")]

use zerogap_core::Vec3;
use zerogap_geometry::TriangleMesh;

/// Corners of a cuboid's faces, counter-clockwise seen from outside; corner k has coordinate bits x = k & 1, y = k & 2, z = k & 4.
const QUADS: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// A closed cuboid between two corners, 12 triangles over 8 vertices.
pub(crate) fn cuboid(low: [f64; 3], high: [f64; 3]) -> TriangleMesh {
    let pick = |k: usize, axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
    let vertices = (0..8).map(|k| Vec3::new(pick(k, 0), pick(k, 1), pick(k, 2))).collect();
    let triangles = QUADS.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// The unit cube between (0, 0, 0) and (1, 1, 1).
pub(crate) fn cube() -> TriangleMesh {
    cuboid([0.0; 3], [1.0; 3])
}

/// A closed ring with square section: n sections around the z axis, 4 corners each. Genus 1.
pub(crate) fn ring(n: u32) -> TriangleMesh {
    let mut vertices = Vec::new();
    for k in 0..n {
        let (s, c) = zerogap_core::math::sin_cos(std::f64::consts::TAU * f64::from(k) / f64::from(n));
        for (r, z) in [(2.0, -0.5), (3.0, -0.5), (3.0, 0.5), (2.0, 0.5)] {
            vertices.push(Vec3::new(r * c, r * s, z));
        }
    }
    let mut triangles = Vec::new();
    for k in 0..n {
        for j in 0..4 {
            let corner = |k: u32, j: u32| 4 * (k % n) + j % 4;
            let [a, b, c, d] = [corner(k, j), corner(k + 1, j), corner(k + 1, j + 1), corner(k, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// A closed polyhedron near the unit sphere: the octahedron with every triangle split into four, `levels` times.
pub(crate) fn ball(levels: u32) -> TriangleMesh {
    let mut corners = vec![];
    for (x, y, z) in (0..8).map(|k| (1 - 2 * (k & 1), 1 - (k & 2), 1 - (k >> 1 & 2))) {
        let [a, b, c] = [[x, 0, 0], [0, y, 0], [0, 0, z]].map(|p| Vec3::from(p.map(f64::from)));
        corners.push(if x * y * z > 0 { [a, b, c] } else { [a, c, b] });
    }
    for _ in 0..levels {
        let split = |[a, b, c]: [Vec3; 3]| {
            let [ab, bc, ca] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        corners = corners.into_iter().flat_map(split).collect();
    }
    soup(&corners).welded(0.0).unwrap()
}

/// Triangles with vertices of their own.
pub(crate) fn soup(corners: &[[Vec3; 3]]) -> TriangleMesh {
    let triangles = (0..corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriangleMesh::new(corners.iter().flatten().copied().collect(), triangles).unwrap()
}
