//! The topology report: known meshes, an oracle that compares every pair, and what must not change it.

mod mesh_samples;

use mesh_samples::{ball, cube, cuboid, ring, soup};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::TriangleMesh;
use zerogap_testkit::random::Random;

#[test]
fn a_cube_is_a_closed_manifold() {
    let report = cube().topology();
    assert_eq!(report.summary(), "closed manifold");
    assert_eq!((report.triangles, report.vertices, report.welded_vertices, report.edges), (12, 8, 8, 18));
    assert_eq!((report.components, report.shells, report.euler_characteristic), (1, 1, 2));
    assert!(report.watertight && report.is_closed() && report.first_defect.is_none());
    assert!((report.signed_volume - 1.0).abs() < 1e-15 && (report.area - 6.0).abs() < 1e-15);
}

#[test]
fn unwelded_triangles_are_joined_where_positions_are_equal() {
    let corners: Vec<[Vec3; 3]> = cube().corner_triples().collect();
    let report = soup(&corners).topology();
    assert_eq!((report.vertices, report.welded_vertices), (36, 8));
    assert_eq!(report.summary(), "closed manifold");
}

#[test]
fn minus_zero_is_zero() {
    let mut vertices = cube().vertices().to_vec();
    vertices.push(Vec3::new(-0.0, 0.0, -0.0));
    let triangles: Vec<[u32; 3]> = cube()
        .triangles()
        .iter()
        .enumerate()
        .map(|(t, c)| if t == 0 { c.map(|v| if v == 0 { 8 } else { v }) } else { *c })
        .collect();
    let report = TriangleMesh::new(vertices, triangles).unwrap().topology();
    assert_eq!((report.welded_vertices, report.summary().as_str()), (8, "closed manifold"));
}

#[test]
fn welded_vertices_count_those_that_no_triangle_uses() {
    let mut vertices = cube().vertices().to_vec();
    vertices.extend([Vec3::repeat(9.0), Vec3::repeat(9.0), Vec3::repeat(1.0)]);
    let report = TriangleMesh::new(vertices, cube().triangles().to_vec()).unwrap().topology();
    assert_eq!((report.vertices, report.welded_vertices, report.unused_vertices), (11, 9, 1));
    assert_eq!(report.euler_characteristic, 2);
}

#[test]
fn a_ring_has_a_hole_and_eulers_number_sees_it() {
    assert_eq!(ring(12).topology().euler_characteristic, 0);
    assert!(ring(12).topology().signed_volume > 0.0);
    assert_eq!(ring(12).topology().summary(), "closed manifold");
}

#[test]
fn a_missing_face_shows_as_boundary_edges_and_where() {
    let open = TriangleMesh::new(cube().vertices().to_vec(), cube().triangles()[2..].to_vec()).unwrap();
    let report = open.topology();
    assert_eq!(report.summary(), "4 boundary edges");
    assert!(!report.watertight && !report.is_closed());
    // The face at x = 0 is the missing one.
    assert!(report.first_defect.unwrap().x == 0.0);
}

#[test]
fn a_turned_triangle_makes_three_orientation_conflicts() {
    let mut triangles = cube().triangles().to_vec();
    triangles[5].swap(0, 1);
    let report = TriangleMesh::new(cube().vertices().to_vec(), triangles).unwrap().topology();
    assert_eq!(report.summary(), "3 orientation conflicts");
    assert_eq!(report.unbalanced_edges, 3);
}

#[test]
fn cubes_that_touch_along_an_edge_are_closed_but_no_manifold() {
    let both = cube().merged(&cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0])).unwrap();
    let report = both.topology();
    assert_eq!(report.summary(), "1 non-manifold edge");
    assert!(!report.watertight && report.is_closed());
    assert_eq!((report.components, report.shells), (1, 1));
}

#[test]
fn cubes_that_touch_at_a_corner_are_one_component_of_two_shells() {
    let report = cube().merged(&cuboid([1.0; 3], [2.0; 3])).unwrap().topology();
    assert_eq!((report.components, report.shells), (1, 2));
    assert!(report.watertight);
    let apart = cube().merged(&cuboid([1.5; 3], [2.0; 3])).unwrap().topology();
    assert_eq!((apart.components, apart.shells, apart.euler_characteristic), (2, 2, 4));
}

#[test]
fn collapsed_and_flat_triangles_are_degenerate_and_only_the_flat_ones_have_edges() {
    let mut vertices = cube().vertices().to_vec();
    vertices.extend([Vec3::zeros(), Vec3::new(0.5, 0.0, 0.0)]);
    let mut triangles = cube().triangles().to_vec();
    // Vertex 8 repeats vertex 0, so this triangle collapses on welding.
    triangles.push([0, 8, 3]);
    let collapsed = TriangleMesh::new(vertices.clone(), triangles.clone()).unwrap().topology();
    assert_eq!((collapsed.degenerate_triangles, collapsed.collapsed_triangles), (1, 1));
    assert_eq!(
        (collapsed.edges, collapsed.summary().as_str(), collapsed.watertight),
        (18, "1 degenerate", true)
    );
    // Vertex 9 lies between 0 and 1: a flat triangle with three different corners.
    triangles.push([0, 9, 1]);
    let flat = TriangleMesh::new(vertices, triangles).unwrap().topology();
    assert_eq!((flat.degenerate_triangles, flat.collapsed_triangles), (2, 1));
    assert_eq!(flat.summary(), "2 boundary edges, 1 non-manifold edge, 2 degenerate");
}

#[test]
fn repeated_triangles_are_counted_once_each_and_opposite_ones_are_no_duplicates() {
    let mut triangles = cube().triangles().to_vec();
    let [a, b, c] = triangles[3];
    triangles.extend([[b, c, a], [c, a, b]]);
    assert_eq!(
        TriangleMesh::new(cube().vertices().to_vec(), triangles).unwrap().topology().duplicate_triangles,
        2
    );
    let wall = TriangleMesh::new(cube().vertices().to_vec(), vec![[0, 1, 2], [0, 2, 1]]).unwrap().topology();
    assert_eq!((wall.duplicate_triangles, wall.watertight), (0, true));
}

#[test]
fn a_mesh_of_collapsed_triangles_encloses_nothing() {
    let report = soup(&[[Vec3::zeros(); 3], [Vec3::x(); 3]]).topology();
    assert_eq!((report.edges, report.components, report.degenerate_triangles), (0, 0, 2));
    assert!(!report.watertight && !report.is_closed());
}

#[test]
fn tiny_huge_and_far_meshes_give_the_same_counts() {
    let base = ball(2);
    let expected = base.topology();
    for factor in [1e-30, 1e-9, 1e9, 1e30] {
        let report = base.scaled(factor).unwrap().topology();
        assert_eq!((report.summary(), report.edges), (expected.summary(), expected.edges), "scale {factor}");
        let relative = report.signed_volume / (factor * factor * factor * expected.signed_volume) - 1.0;
        assert!(relative.abs() < 1e-12, "scale {factor}: {relative:e}");
    }
    let far = cube().transformed(&Pose::from_translation(Vec3::repeat(1e9)).unwrap()).unwrap().topology();
    assert!((far.signed_volume - 1.0).abs() < 1e-12 && far.watertight);
}

#[test]
fn a_million_triangles_take_seconds() {
    // 64 copies of a ball of 512 triangles by default, 2048 of them (1e6 triangles) in full; all with vertices of their own.
    let copies = zerogap_testkit::count(64, 2048);
    let base: Vec<[Vec3; 3]> = ball(3).corner_triples().collect();
    let corners: Vec<[Vec3; 3]> = (0..copies)
        .flat_map(|k| {
            let shift = Vec3::new(4.0 * k as f64, 0.0, 0.0);
            base.iter().map(move |t| t.map(|p| p + shift)).collect::<Vec<_>>()
        })
        .collect();
    let mesh = soup(&corners);
    let start = std::time::Instant::now();
    let report = mesh.topology();
    let time = start.elapsed();
    println!("{} triangles: topology in {time:?}", mesh.triangles().len());
    assert_eq!((report.components, report.watertight), (copies, true));
    assert!(time.as_secs() < 20, "{time:?}");
}

/// Counts by comparing everything with everything: boundary, crowded and contradictory edges, components, duplicates.
fn oracle(mesh: &TriangleMesh) -> [usize; 7] {
    let vertices = mesh.vertices();
    // The first vertex that compares equal stands for the point.
    let point = |v: u32| vertices.iter().position(|p| *p == vertices[v as usize]).unwrap();
    let triangles: Vec<[usize; 3]> = mesh.triangles().iter().map(|t| t.map(point)).collect();
    let whole: Vec<[usize; 3]> =
        triangles.iter().copied().filter(|[a, b, c]| a != b && b != c && c != a).collect();
    let (mut boundary, mut crowded, mut conflicts) = (0, 0, 0);
    for a in 0..vertices.len() {
        for b in a + 1..vertices.len() {
            let sides = |from, to| {
                whole
                    .iter()
                    .flat_map(|&[p, q, r]| [(p, q), (q, r), (r, p)])
                    .filter(|&side| side == (from, to))
                    .count()
            };
            match (sides(a, b), sides(b, a)) {
                (0, 0) | (1, 1) => {}
                (1, 0) | (0, 1) => boundary += 1,
                (2, 0) | (0, 2) => conflicts += 1,
                _ => crowded += 1,
            }
        }
    }
    // Labels spread until nothing changes.
    let mut label: Vec<usize> = (0..whole.len()).collect();
    for _ in 0..whole.len() {
        for i in 0..whole.len() {
            for j in 0..whole.len() {
                if whole[i].iter().any(|p| whole[j].contains(p)) {
                    label[i] = label[i].min(label[j]);
                }
            }
        }
    }
    let components = (0..whole.len()).filter(|&i| label[i] == i).count();
    let same = |s: &[usize; 3], t: &[usize; 3]| (0..3).any(|k| (0..3).all(|i| s[i] == t[(i + k) % 3]));
    let duplicates = (0..whole.len()).filter(|&i| (0..i).any(|j| same(&whole[i], &whole[j]))).count();
    let welded = (0..vertices.len()).filter(|&v| point(v as u32) == v).count();
    [boundary, crowded, conflicts, components, duplicates, welded, triangles.len() - whole.len()]
}

fn counts(mesh: &TriangleMesh) -> [usize; 7] {
    let r = mesh.topology();
    [
        r.boundary_edges,
        r.non_manifold_edges,
        r.orientation_conflicts,
        r.components,
        r.duplicate_triangles,
        r.welded_vertices,
        r.collapsed_triangles,
    ]
}

/// Few positions and many triangles, so that everything that can coincide does.
fn crowded_mesh(random: &mut Random) -> TriangleMesh {
    let n = 4 + random.index(10);
    let vertices = (0..n).map(|_| Vec3::from_fn(|_, _| [0.0, -0.0, 1.0, 2.0][random.index(4)])).collect();
    let triangles = (0..=random.index(14)).map(|_| [0; 3].map(|_: u32| random.index(n) as u32)).collect();
    TriangleMesh::new(vertices, triangles).unwrap()
}

#[test]
fn the_report_agrees_with_comparing_everything_with_everything() {
    let mut random = Random::new(11);
    for k in 0..zerogap_testkit::count(2_000, 100_000) {
        let mesh = crowded_mesh(&mut random);
        assert_eq!(counts(&mesh), oracle(&mesh), "mesh {k}: {mesh:?}");
    }
}

#[test]
fn pieces_are_components_and_together_they_are_the_mesh() {
    let mut random = Random::new(12);
    for _ in 0..zerogap_testkit::count(500, 20_000) {
        let mesh = crowded_mesh(&mut random);
        let report = mesh.topology();
        let pieces = mesh.components();
        assert_eq!(pieces.len(), report.components);
        let total: usize = pieces.iter().map(|piece| piece.triangles().len()).sum();
        assert_eq!(total, report.triangles - report.collapsed_triangles);
        for piece in &pieces {
            let r = piece.topology();
            assert_eq!((r.components, r.unused_vertices, r.welded_vertices), (1, 0, r.vertices));
        }
        let boundary: usize = pieces.iter().map(|piece| piece.topology().boundary_edges).sum();
        assert_eq!(boundary, report.boundary_edges);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn reordering_and_rotating_triangles_changes_no_count(seed: u64) {
        let mut random = Random::new(seed);
        let mesh = crowded_mesh(&mut random);
        let mut triangles = mesh.triangles().to_vec();
        for k in (1..triangles.len()).rev() {
            triangles.swap(k, random.index(k + 1));
            triangles[k].rotate_left(random.index(3));
        }
        let other = TriangleMesh::new(mesh.vertices().to_vec(), triangles).unwrap();
        let (a, b) = (mesh.topology(), other.topology());
        prop_assert_eq!(a.summary(), b.summary());
        prop_assert_eq!(
            (counts(&mesh), a.edges, a.shells, a.degenerate_triangles, a.euler_characteristic, a.first_defect),
            (counts(&other), b.edges, b.shells, b.degenerate_triangles, b.euler_characteristic, b.first_defect)
        );
        prop_assert!((a.signed_volume - b.signed_volume).abs() <= 1e-14 && (a.area - b.area).abs() <= 1e-12);
    }

    #[test]
    fn motion_and_scale_change_no_count_of_a_solid(seed: u64, exponent in -20_i32..20) {
        let mut random = Random::new(seed);
        let mesh = [cube(), ring(7), ball(1)][random.index(3)].clone();
        let pose = Pose::new(random.in_cube(10.0), random.quaternion_xyzw()).unwrap();
        let factor = 2_f64.powi(exponent);
        let moved = mesh.transformed(&pose).unwrap().scaled(factor).unwrap();
        let (a, b) = (mesh.topology(), moved.topology());
        prop_assert_eq!(counts(&mesh), counts(&moved));
        prop_assert!(b.watertight);
        prop_assert!((b.signed_volume / factor.powi(3) - a.signed_volume).abs() < 1e-12 * a.signed_volume);
        prop_assert!((b.area / factor.powi(2) - a.area).abs() < 1e-12 * a.area);
        prop_assert!((moved.flipped().topology().signed_volume + b.signed_volume).abs() < 1e-12 * b.signed_volume);
    }
}

#[test]
fn an_inside_out_solid_is_called_that() {
    let cube = zerogap_geometry::parts::Cuboid::default().generate().unwrap();
    assert_eq!(cube.topology().summary(), "closed manifold");
    assert_eq!(cube.flipped().topology().summary(), "closed manifold, inside out");
}
