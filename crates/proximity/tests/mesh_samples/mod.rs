//! Meshes for tests: bumpy tori and blobs, soups, and those of a folder beside the repository where it is there.
#![allow(dead_code, reason = "each test file uses some")]

use std::f64::consts::TAU;

use zerogap_core::{Pose, Vec3, math};
use zerogap_geometry::TriangleMesh;
use zerogap_geometry::import::{ImportOptions, read_mesh};
use zerogap_testkit::random::Random;

/// A grid of `nu` times `nv` points, closed around u, and around v where asked.
fn grid(nu: usize, nv: usize, closed: bool, point: impl Fn(f64, usize) -> Vec3) -> TriangleMesh {
    let vertices =
        (0..nv).flat_map(|j| (0..nu).map(move |i| (i, j))).map(|(i, j)| point(TAU * i as f64 / nu as f64, j));
    let at = |i: usize, j: usize| ((j % nv) * nu + i % nu) as u32;
    let mut triangles = Vec::new();
    for j in 0..if closed { nv } else { nv - 1 } {
        for i in 0..nu {
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    TriangleMesh::new(vertices.collect(), triangles).unwrap()
}

/// A torus with radii `major` and `minor`, with bumps of this height; closed and facing outward.
pub(crate) fn torus(nu: usize, nv: usize, major: f64, minor: f64, bump: f64) -> TriangleMesh {
    grid(nu, nv, true, |u, j| {
        let v = TAU * j as f64 / nv as f64;
        let r = minor + bump * math::sin(7.0 * u) * math::cos(5.0 * v);
        let across = major + r * math::cos(v);
        Vec3::new(across * math::cos(u), across * math::sin(u), r * math::sin(v))
    })
}

/// A ball with bumps, open at both poles.
pub(crate) fn blob(nu: usize, nv: usize) -> TriangleMesh {
    grid(nu, nv, false, |u, j| {
        let t = (j as f64 + 0.5) / nv as f64 * 0.5 * TAU;
        let r = 1.0 + 0.1 * math::sin(5.0 * u) * math::sin(4.0 * t);
        Vec3::new(r * math::sin(t) * math::cos(u), r * math::sin(t) * math::sin(u), r * math::cos(t))
    })
}

/// Triangles at random, of sizes between `small` and 1; every tenth without area.
pub(crate) fn soup(random: &mut Random, count: usize, small: f64) -> TriangleMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..count as u32 {
        let middle = random.in_cube(1.0);
        let size = random.range(small, 1.0);
        let (p, q) = (random.in_cube(size), random.in_cube(size));
        let third = if k % 10 == 0 { p * 0.5 } else { q };
        vertices.extend([middle, middle + p, middle + third]);
        triangles.push([3 * k, 3 * k + 1, 3 * k + 2]);
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// A pose at random, its origin at this distance.
pub(crate) fn pose_at(random: &mut Random, distance: f64) -> Pose {
    Pose::new(random.direction() * distance, random.quaternion_xyzw()).unwrap()
}

/// Meshes of the folder `../shared/data/meshes` beside the repository; none, with a word, where it is not there.
pub(crate) fn shared_meshes(names: &[&str]) -> Option<Vec<TriangleMesh>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/meshes");
    if !folder.is_dir() {
        eprintln!("skipped: there is no folder shared/data/meshes beside the repository");
        return None;
    }
    let read = |name: &&str| read_mesh(folder.join(name), &ImportOptions::default()).unwrap().mesh;
    Some(names.iter().map(read).collect())
}
