//! What tests of parts ask of every mesh.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use zerogap_geometry::TriangleMesh;

/// What the edge count says about a mesh, independent of the product's own topology report.
pub(crate) struct Audit {
    /// Vertices less edges plus triangles: 2 less twice the genus [-].
    pub(crate) euler: i64,
    /// Enclosed volume [m³].
    pub(crate) volume: f64,
}

/// The representative of a set in a union-find forest.
fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

/// Counts edges, components and areas, and panics with the part's name when something is not as promised.
pub(crate) fn audit(name: &str, mesh: &TriangleMesh) -> Audit {
    let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    let mut parent: Vec<u32> = (0..mesh.vertices().len() as u32).collect();
    for &[a, b, c] in mesh.triangles() {
        assert!(a != b && b != c && c != a, "{name}: a triangle repeats a corner");
        for (i, j) in [(a, b), (b, c), (c, a)] {
            let count = edges.entry((i, j)).or_insert(0);
            *count += 1;
            assert!(*count == 1, "{name}: directed edge {i}-{j} is used twice");
            let (ri, rj) = (root(&mut parent, i), root(&mut parent, j));
            parent[ri as usize] = rj;
        }
    }
    for &(i, j) in edges.keys() {
        assert!(edges.contains_key(&(j, i)), "{name}: edge {i}-{j} has one side");
    }
    let first = root(&mut parent, 0);
    for i in 0..mesh.vertices().len() as u32 {
        assert_eq!(root(&mut parent, i), first, "{name}: vertex {i} is not connected or not used");
    }
    // No two vertices at the same place, no triangle without area.
    let size = mesh.bounding_box().diagonal();
    let mut bits: Vec<[u64; 3]> =
        mesh.vertices().iter().map(|p| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()]).collect();
    bits.sort_unstable();
    bits.dedup();
    assert_eq!(bits.len(), mesh.vertices().len(), "{name}: vertices coincide");
    let mut volume = 0.0;
    let origin = mesh.bounding_box().center();
    for [a, b, c] in mesh.corner_triples() {
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let height = (b - a).cross(&(c - a)).norm() / longest;
        assert!(height > 1e-9 * size, "{name}: a triangle is only {height} m high");
        volume += (a - origin).dot(&(b - origin).cross(&(c - origin))) / 6.0;
    }
    assert!(volume > 0.0, "{name}: inside out");
    let count = |n: usize| i64::try_from(n).unwrap();
    let euler = count(mesh.vertices().len()) - count(edges.len() / 2) + count(mesh.triangles().len());
    Audit { euler, volume }
}

/// Area of the regular polygon with n corners on the unit circle.
pub(crate) fn polygon_area(n: usize) -> f64 {
    0.5 * n as f64 * zerogap_core::math::sin(2.0 * PI / n as f64)
}

/// Holds a value against another, relative to it.
pub(crate) fn close(found: f64, expected: f64, relative: f64) {
    assert!((found / expected - 1.0).abs() <= relative, "{found} against {expected}");
}
