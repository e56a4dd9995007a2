//! Solids of open surfaces: closed, of the right volume, with walls at every border.

use zerogap_core::Vec3;
use zerogap_geometry::{GeometryError, TriangleMesh};
use zerogap_testkit::random::Random;

/// A grid of `n` by `n` cells of `side` [m] with heights of its nodes, without the cells that `has` says no to.
fn grid(
    n: usize,
    side: f64,
    height: impl Fn(f64, f64) -> f64,
    has: impl Fn(usize, usize) -> bool,
) -> TriangleMesh {
    let at = |k: usize| side * (k as f64 - 0.5 * n as f64);
    let node = |i: usize, j: usize| Vec3::new(at(i), at(j), height(at(i), at(j)));
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| node(i, j))).collect();
    let number = |i: usize, j: usize| (j * (n + 1) + i) as u32;
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j))).filter(|(i, j)| has(*i, *j));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    TriangleMesh::new(vertices, triangles.collect()).unwrap()
}

#[test]
fn terrain_is_solid_down_to_its_base_and_open_where_it_has_holes() {
    let mut random = Random::new(3);
    for hole in [false, true] {
        let bumps: Vec<f64> = (0..25).map(|_| random.range(-0.2, 0.2)).collect();
        let height = |x: f64, y: f64| bumps[((x + 2.0).round() + 5.0 * (y + 2.0).round()) as usize];
        let open = grid(4, 1.0, height, |i, j| !(hole && i == 1 && j == 2));
        let solid = open.grounded(0.5).unwrap();
        assert!(solid.topology().is_closed());
        // Column by column: a triangle's area seen from above times its mean height over the base.
        let base = open.bounding_box().min.z - 0.5;
        let columns = open.corner_triples().map(|[a, b, c]| 0.5 * ((a.z + b.z + c.z) / 3.0 - base));
        let volume: f64 = columns.sum();
        assert!((solid.signed_volume() - volume).abs() < 1e-12 * volume);
        let inside = |x: f64, y: f64, z: f64| solid.winding_number(&Vec3::new(x, y, z)) > 0.5;
        assert!(
            inside(-1.4, -1.3, base + 0.1) && !inside(-1.4, -1.3, 0.3) && !inside(-1.4, -1.3, base - 0.1)
        );
        assert_eq!(inside(-0.4, 0.3, base + 0.1), !hole);
        // The surface keeps its numbers.
        assert!(open.corner_triples().zip(solid.corner_triples()).all(|(x, y)| x == y));
    }
}

#[test]
fn under_an_overhang_is_air() {
    // A slab of ground, a cliff that leans over it by 1 m, and the plateau above.
    let line = [(0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (4.0, 1.5)];
    let vertices = line.iter().flat_map(|(x, z)| [Vec3::new(*x, 0.0, *z), Vec3::new(*x, 1.0, *z)]).collect();
    let quads = (0..3).flat_map(|k: u32| {
        let [a, b, c, d] = [2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1];
        [[a, b, c], [a, c, d]]
    });
    let solid = TriangleMesh::new(vertices, quads.collect()).unwrap().grounded(0.2).unwrap();
    let inside = |x: f64, z: f64| solid.winding_number(&Vec3::new(x, 0.4, z)) > 0.5;
    assert!(inside(0.5, -0.1) && !inside(0.5, 0.1));
    assert!(inside(1.5, -0.1) && !inside(1.5, 0.2) && inside(1.5, 0.9));
    assert!(inside(3.0, 0.5) && !inside(3.0, 1.9));
}

#[test]
fn a_sheet_has_its_thickness_everywhere() {
    let wave = |x: f64, y: f64| 0.1 * zerogap_core::math::sin(2.0 * x) * zerogap_core::math::cos(3.0 * y);
    for thickness in [1e-3, 0.02] {
        let open = grid(20, 0.1, wave, |i, j| i != 7 || j != 9);
        let solid = open.thickened(thickness).unwrap();
        assert!(solid.topology().is_closed());
        // The middle of each triangle is half a thickness from the outside, or a little more.
        for (t, [a, b, c]) in open.corner_triples().enumerate().step_by(7) {
            let middle = (a + b + c) / 3.0;
            assert!(solid.winding_number(&middle) > 0.5);
            let depth = solid.closest_point(&middle).unwrap().gap;
            assert!((depth + 0.5 * thickness).abs() < 0.05 * thickness, "triangle {t}: {depth}");
        }
    }
    // Around the edges of a tray the bottom and the sides are as thick as they should be.
    let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tray =
        TriangleMesh::new(corner.map(Vec3::from).to_vec(), vec![[0, 1, 2], [0, 3, 1], [0, 2, 3]]).unwrap();
    let solid = tray.thickened(0.01).unwrap();
    for p in [[0.2, 0.2, 0.0], [0.2, 0.0, 0.2], [0.0, 0.2, 0.2]] {
        let depth = solid.closest_point(&Vec3::from(p)).unwrap().gap;
        assert!((depth + 0.005).abs() < 1e-4, "{depth}");
    }
}

#[test]
fn what_is_no_sheet_is_refused_with_its_reason() {
    let corner = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let four =
        vec![corner(0.0, 0.0, 0.0), corner(1.0, 0.0, 0.0), corner(0.0, 1.0, 0.0), corner(0.0, 0.0, 1.0)];
    let closed = TriangleMesh::new(four.clone(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    let message = closed.thickened(0.1).unwrap_err().to_string();
    assert!(message.contains("no border"), "{message}");
    let conflict = TriangleMesh::new(four.clone(), vec![[0, 1, 2], [0, 1, 3]]).unwrap();
    let message = conflict.grounded(0.1).unwrap_err().to_string();
    assert!(message.contains("1 edge between triangles that face different sides"), "{message}");
    let down = TriangleMesh::new(four.clone(), vec![[0, 2, 1]]).unwrap();
    assert_eq!(down.grounded(0.1), Err(GeometryError::FacesDown));
    // Two triangles folded onto each other.
    let sharp =
        vec![corner(0.0, 0.0, 0.0), corner(0.0, 1.0, 0.0), corner(1.0, 0.5, 0.01), corner(1.0, 0.5, -0.01)];
    let folded = TriangleMesh::new(sharp, vec![[0, 1, 2], [1, 0, 3]]).unwrap();
    assert!(matches!(folded.thickened(0.001), Err(GeometryError::SharpSheet { .. })));
    assert!(
        down.thickened(0.0).is_err() && down.thickened(f64::NAN).is_err() && down.grounded(-1.0).is_err()
    );
    // Small triangles over the edge of a bend.
    let step = grid(10, 0.01, |x, _| if x > 0.001 { 0.01 } else { 0.0 }, |_, _| true);
    assert!(step.thickened(1e-3).is_ok());
    assert!(matches!(step.thickened(0.2), Err(GeometryError::SharpSheet { .. })));
}
