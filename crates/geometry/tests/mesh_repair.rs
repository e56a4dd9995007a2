//! Welding, repair and the mass of closed meshes.

mod mesh_samples;

use mesh_samples::{ball, cube, cuboid, ring, soup};
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_geometry::mesh::RepairOptions;
use zerogap_geometry::{GeometryError, TriangleMesh};
use zerogap_testkit::random::Random;

fn with_triangles(mesh: &TriangleMesh, triangles: Vec<[u32; 3]>) -> TriangleMesh {
    TriangleMesh::new(mesh.vertices().to_vec(), triangles).unwrap()
}

#[test]
fn welding_within_a_tolerance_joins_to_the_first_and_moves_nothing() {
    let mut random = Random::new(3);
    let tolerance = 1e-6;
    let shaken: Vec<[Vec3; 3]> =
        ball(2).corner_triples().map(|t| t.map(|p| p + random.in_ball() * (0.49 * tolerance))).collect();
    let mesh = soup(&shaken);
    assert_eq!(mesh.topology().boundary_edges, 3 * mesh.triangles().len());
    let welded = mesh.welded(tolerance).unwrap();
    assert_eq!(welded.vertices().len(), ball(2).vertices().len());
    assert!(welded.topology().watertight);
    assert!(welded.vertices().iter().all(|p| mesh.vertices().contains(p)));
}

#[test]
fn welding_agrees_with_trying_every_earlier_vertex() {
    let mut random = Random::new(4);
    for _ in 0..zerogap_testkit::count(300, 10_000) {
        let points: Vec<Vec3> = (0..30).map(|_| random.in_cube(1.0)).collect();
        let tolerance = random.range(0.05, 0.8);
        let mesh = TriangleMesh::new(points.clone(), vec![[0, 1, 2]]).unwrap();
        let mut kept: Vec<Vec3> = Vec::new();
        for p in points {
            if !kept.iter().any(|k| (k - p).norm() <= tolerance) {
                kept.push(p);
            }
        }
        assert_eq!(mesh.welded(tolerance).unwrap().vertices(), kept);
    }
}

#[test]
fn bad_tolerances_are_refused_and_tiny_ones_weld_equal_positions() {
    for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(cube().welded(tolerance), Err(GeometryError::Input(_))));
        let options = RepairOptions { weld_tolerance: tolerance, ..RepairOptions::default() };
        assert!(matches!(cube().repair(&options), Err(GeometryError::Input(_))));
    }
    let corners: Vec<[Vec3; 3]> = cube().corner_triples().collect();
    assert_eq!(soup(&corners).welded(1e-50).unwrap().vertices().len(), 8);
    assert_eq!(cube().welded(1e9).unwrap().vertices().len(), 1);
}

#[test]
fn repair_drops_what_is_flat_repeated_or_unused_and_says_so() {
    let mut corners: Vec<[Vec3; 3]> = cube().corner_triples().collect();
    corners.push(corners[4]);
    corners.push([corners[2][0], corners[2][0], corners[2][1]]);
    let mesh = soup(&corners);
    let (fixed, report) = mesh.repair(&RepairOptions::default()).unwrap();
    assert_eq!((fixed.vertices().len(), fixed.triangles().len()), (8, 12));
    assert_eq!((report.welded_vertices, report.collapsed_triangles, report.duplicate_triangles), (34, 1, 1));
    assert_eq!((report.flipped_triangles, report.unused_vertices, report.one_sided_patches), (0, 0, 0));
    assert_eq!(fixed.topology().summary(), "closed manifold");
    // A sound mesh is left alone, bit for bit.
    assert_eq!(fixed.repair(&RepairOptions::default()).unwrap().0, fixed);
}

#[test]
fn slivers_stay_unless_asked_because_they_close_the_surface() {
    // The edge 0-1 of the cube runs through a point in its middle on one side only; a flat triangle fills the seam.
    let mut vertices = cube().vertices().to_vec();
    vertices.push(Vec3::new(0.5, 0.0, 0.0));
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for &t in cube().triangles() {
        let edge = (0..3).find(|&k| (t[k], t[(k + 1) % 3]) == (0, 1));
        match edge {
            Some(k) => triangles.extend([[0, 8, t[(k + 2) % 3]], [8, 1, t[(k + 2) % 3]], [0, 1, 8]]),
            None => triangles.push(t),
        }
    }
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    assert_eq!(mesh.topology().summary(), "1 degenerate");
    let mass = mesh.mass_properties(2.0).unwrap();
    assert!((mass.mass - 2.0).abs() < 1e-14 && (mass.center - Vec3::repeat(0.5)).amax() < 1e-14);
    let (kept, _) = mesh.repair(&RepairOptions::default()).unwrap();
    assert!(kept.topology().watertight);
    let options = RepairOptions { drop_slivers: true, ..RepairOptions::default() };
    let (dropped, report) = mesh.repair(&options).unwrap();
    assert_eq!((report.sliver_triangles, dropped.topology().summary().as_str()), (1, "3 boundary edges"));
}

#[test]
fn randomly_turned_triangles_are_turned_back() {
    let mut random = Random::new(5);
    for mesh in [cube(), ring(9), ball(3)] {
        for _ in 0..20 {
            let triangles = mesh
                .triangles()
                .iter()
                .map(|&[a, b, c]| if random.index(2) == 0 { [a, b, c] } else { [a, c, b] });
            let mixed = with_triangles(&mesh, triangles.collect());
            let (fixed, _) = mixed.repair(&RepairOptions::default()).unwrap();
            let report = fixed.topology();
            assert!(report.watertight && report.signed_volume > 0.0, "{}", report.summary());
        }
    }
}

#[test]
fn an_inside_out_mesh_is_turned_round() {
    let (fixed, report) = cube().flipped().repair(&RepairOptions::default()).unwrap();
    assert_eq!((fixed, report.flipped_triangles), (cube().flipped().flipped(), 12));
}

#[test]
fn cavities_face_inward_and_islands_in_them_outward_whatever_they_were() {
    let nested = [
        cuboid([0.0; 3], [9.0; 3]),
        cuboid([1.0; 3], [8.0; 3]),
        cuboid([3.0; 3], [6.0; 3]),
        cuboid([20.0; 3], [21.0; 3]),
    ];
    let expected = 729.0 - 343.0 + 27.0 + 1.0;
    for bits in 0..16_u32 {
        let mesh = nested
            .iter()
            .enumerate()
            .map(|(k, m)| if bits >> k & 1 == 1 { m.flipped() } else { m.clone() })
            .reduce(|a, b| a.merged(&b).unwrap())
            .unwrap();
        let (fixed, _) = mesh.repair(&RepairOptions::default()).unwrap();
        let mass = fixed.mass_properties(1.0).unwrap().mass;
        assert!((mass - expected).abs() < 1e-11, "{bits:04b}: {mass}");
    }
}

#[test]
fn shells_that_touch_from_inside_are_still_nested_right() {
    // The inner cube shares a part of the outer one's face: some sample points lie on the outer surface.
    let mesh = cuboid([0.0; 3], [4.0; 3]).merged(&cuboid([0.0, 1.0, 1.0], [2.0, 3.0, 3.0])).unwrap();
    let (fixed, _) = mesh.repair(&RepairOptions::default()).unwrap();
    assert!((fixed.topology().signed_volume - (64.0 - 8.0)).abs() < 1e-12);
}

#[test]
fn solids_that_touch_along_an_edge_are_turned_one_by_one() {
    let other = cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]);
    for mesh in [cube().merged(&other.flipped()).unwrap(), cube().flipped().merged(&other).unwrap()] {
        let (fixed, report) = mesh.repair(&RepairOptions::default()).unwrap();
        assert_eq!(report.flipped_triangles, 12);
        assert!((fixed.mass_properties(1.0).unwrap().mass - 2.0).abs() < 1e-14);
    }
}

#[test]
fn an_open_mesh_keeps_the_facing_of_the_majority() {
    let mut triangles = cube().triangles()[2..].to_vec();
    triangles[0].swap(1, 2);
    let (fixed, report) = with_triangles(&cube(), triangles).repair(&RepairOptions::default()).unwrap();
    assert_eq!(report.flipped_triangles, 1);
    assert_eq!(fixed.triangles(), &cube().triangles()[2..]);
}

#[test]
fn a_moebius_band_is_called_one_sided() {
    let n = 9_u32;
    let mut vertices = Vec::new();
    for k in 0..n {
        let turn = std::f64::consts::TAU * f64::from(k) / f64::from(n);
        let ((s, c), (sh, ch)) = (zerogap_core::math::sin_cos(turn), zerogap_core::math::sin_cos(0.5 * turn));
        for w in [-0.3, 0.3] {
            vertices.push(Vec3::new((1.0 + w * ch) * c, (1.0 + w * ch) * s, w * sh));
        }
    }
    let triangles = (0..n).flat_map(|k| {
        // The last pair of rungs meets the first one crosswise.
        let (a, b) = (2 * k, 2 * k + 1);
        let (c, d) = if k + 1 < n { (2 * k + 2, 2 * k + 3) } else { (1, 0) };
        [[a, c, b], [b, c, d]]
    });
    let (fixed, report) =
        TriangleMesh::new(vertices, triangles.collect()).unwrap().repair(&RepairOptions::default()).unwrap();
    assert_eq!(report.one_sided_patches, 1);
    assert!(fixed.topology().orientation_conflicts > 0);
}

#[test]
fn whatever_is_repaired_is_welded_and_answers_every_question_with_numbers() {
    let mut random = Random::new(8);
    for k in 0..zerogap_testkit::count(2_000, 100_000) {
        // Few positions, at every scale, so that triangles coincide, cross, flatten and collapse.
        let scale = [1e-30, 1e-9, 1.0, 1e9, 1e30][k % 5];
        let n = 3 + random.index(8);
        let vertices = (0..n)
            .map(|_| Vec3::from_fn(|_, _| scale * [0.0, -0.0, 1.0, 1.0 + 1e-12, 2.0][random.index(5)]))
            .collect();
        let triangles = (0..=random.index(16)).map(|_| [0; 3].map(|_: u32| random.index(n) as u32)).collect();
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        let options = RepairOptions {
            weld_tolerance: [0.0, 1e-9 * scale, 1e-50][random.index(3)],
            drop_slivers: random.index(2) == 0,
            drop_duplicates: random.index(2) == 0,
            orient: random.index(4) > 0,
        };
        let Ok((fixed, _)) = mesh.repair(&options) else { continue };
        let report = fixed.topology();
        assert_eq!(
            (report.collapsed_triangles, report.unused_vertices, report.welded_vertices),
            (0, 0, report.vertices)
        );
        assert!(report.signed_volume.is_finite() && report.area.is_finite());
        let p = random.in_cube(2.0 * scale);
        let nearest = fixed.nearest_point(&p);
        assert!(nearest.distance.is_finite() && nearest.point.iter().all(|c| c.is_finite()));
        assert!(fixed.winding_number(&p).is_finite());
        let hit = fixed.cast_ray(&zerogap_geometry::Ray { origin: p, direction: random.direction() });
        assert!(hit.is_none_or(|hit| hit.distance.is_finite() && (hit.normal.norm() - 1.0).abs() < 1e-12));
        if let Ok(mass) = fixed.mass_properties(1.0) {
            assert!(mass.mass > 0.0 && mass.center.iter().all(|c| c.is_finite()));
        }
    }
}

#[test]
fn nothing_left_is_an_error() {
    let error = soup(&[[Vec3::x(); 3]]).repair(&RepairOptions::default()).unwrap_err();
    assert!(matches!(error, GeometryError::Empty { .. }), "{error}");
}

#[test]
fn a_cuboid_weighs_what_it_should_wherever_it_is() {
    let mut random = Random::new(6);
    for offset in [0.0, 1.0, 1e4] {
        for _ in 0..20 {
            let size = Vec3::from_fn(|_, _| random.range(0.1, 3.0));
            let pose = Pose::new(random.direction() * offset, random.quaternion_xyzw()).unwrap();
            let half = 0.5 * size;
            let mesh = cuboid((-half).into(), half.into()).transformed(&pose).unwrap();
            let density = 700.0;
            let mass = mesh.mass_properties(density).unwrap();
            let expected = density * size.product();
            let square = size.component_mul(&size);
            let inertia = Mat3::from_diagonal(&Vec3::new(
                square.y + square.z,
                square.x + square.z,
                square.x + square.y,
            )) * (expected / 12.0);
            let r = pose.rotation_matrix();
            // Vertices carry a rounding of the offset, which is all that is lost.
            let tolerance = 1e-13 + 1e-14 * offset;
            assert!((mass.mass / expected - 1.0).abs() < tolerance);
            assert!((mass.center - pose.translation()).norm() < tolerance * (1.0 + offset));
            assert!((mass.inertia - r * inertia * r.transpose()).amax() < tolerance * inertia.amax());
        }
    }
}

#[test]
fn cubes_that_touch_along_an_edge_have_the_mass_of_both() {
    let both = cube().merged(&cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0])).unwrap();
    let mass = both.mass_properties(1.0).unwrap();
    assert!((mass.mass - 2.0).abs() < 1e-14 && (mass.center - Vec3::new(1.0, 1.0, 0.5)).amax() < 1e-14);
}

#[test]
fn what_encloses_nothing_has_no_mass_and_the_error_says_why() {
    let open = with_triangles(&cube(), cube().triangles()[1..].to_vec());
    match open.mass_properties(1.0) {
        Err(GeometryError::NotClosed {
            boundary_edges: 3,
            non_manifold_edges: 0,
            orientation_conflicts: 0,
            x,
            ..
        }) => {
            assert!(x == 0.0);
        }
        other => panic!("{other:?}"),
    }
    assert!(
        matches!(cube().flipped().mass_properties(1.0), Err(GeometryError::InsideOut { volume }) if volume < -0.99)
    );
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(cube().mass_properties(density), Err(GeometryError::Density { .. })));
    }
    // A flat double wall is closed, but there is nothing in it, at any tilt.
    let mut random = Random::new(7);
    for _ in 0..50 {
        let [a, b, c] = [random.in_cube(1.0), random.in_cube(1.0), random.in_cube(1.0)];
        let wall = TriangleMesh::new(
            vec![a, b, c, 0.3 * a + 0.7 * b],
            vec![[0, 1, 2], [0, 2, 3], [3, 2, 1], [0, 3, 1]],
        )
        .unwrap();
        let result = wall.mass_properties(1.0);
        assert!(matches!(result, Err(GeometryError::NoMeasure { .. })), "{result:?}");
    }
    assert!(matches!(soup(&[[Vec3::x(); 3]]).mass_properties(1.0), Err(GeometryError::NotClosed { .. })));
}

#[test]
fn bad_changes_are_refused() {
    for factor in [0.0, -2.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(cube().scaled(factor), Err(GeometryError::ScaleFactor { .. })), "{factor}");
    }
    let far = cube().scaled(1e59).unwrap();
    assert!(far.scaled(1e10).is_err());
}

#[test]
fn a_stray_vertex_far_away_does_not_switch_welding_off() {
    let mut random = Random::new(8);
    let shaken: Vec<[Vec3; 3]> =
        ball(1).corner_triples().map(|t| t.map(|p| p + random.in_ball() * 4e-7)).collect();
    let mut vertices = soup(&shaken).vertices().to_vec();
    vertices.push(Vec3::repeat(1e30));
    let mesh = TriangleMesh::new(vertices, soup(&shaken).triangles().to_vec()).unwrap();
    let options = RepairOptions { weld_tolerance: 1e-6, ..RepairOptions::default() };
    let (repaired, _) = mesh.repair(&options).unwrap();
    assert!(repaired.topology().watertight);
    assert_eq!(repaired.repair(&options).unwrap().0, repaired);
}

#[test]
fn bubbles_in_a_ball_face_inward_and_what_floats_in_them_outward() {
    // Some hundred cubes in a ball, every second one with a smaller cube in it, all facing outward at first.
    let mut mesh = ball(4).scaled(20.0).unwrap();
    let mut inner = Vec::new();
    for k in 0..500_u32 {
        let low = [k % 10, k / 10 % 10, k / 100].map(|c| 2.0 * f64::from(c) - 10.0);
        inner.push((cuboid(low, low.map(|c| c + 1.0)), true));
        if k % 2 == 0 {
            inner.push((cuboid(low.map(|c| c + 0.25), low.map(|c| c + 0.75)), false));
        }
    }
    let mut expected = mesh.triangles().to_vec();
    for (piece, inward) in &inner {
        let offset = mesh.vertices().len() as u32;
        mesh = mesh.merged(piece).unwrap();
        let faces = if *inward { piece.flipped() } else { piece.clone() };
        expected.extend(faces.triangles().iter().map(|t| t.map(|v| v + offset)));
    }
    let (repaired, report) = mesh.repair(&RepairOptions::default()).unwrap();
    assert_eq!(report.flipped_triangles, 500 * 12);
    assert_eq!(repaired.triangles(), expected);
}

#[test]
fn repairing_twice_changes_nothing_more() {
    let mut random = Random::new(9);
    for case in 0..zerogap_testkit::count(200, 5000) {
        let parts = [ball(1), cube(), ring(7), cuboid([0.2; 3], [0.7; 3])];
        let mesh = parts[random.index(4)].merged(&parts[random.index(4)]).unwrap();
        let mut corners: Vec<[Vec3; 3]> = mesh.corner_triples().collect();
        for _ in 0..random.index(12) {
            let t = random.index(corners.len());
            let [a, b, c] = corners[t];
            match random.index(6) {
                0 => corners.push([b, c, a]),
                1 => corners[t] = [a, c, b],
                2 => corners[t] = [a, a, c],
                3 => corners.push([a, c, b]),
                4 => drop(corners.swap_remove(t)),
                _ => corners[t] = [a, b, c].map(|p| p + random.in_cube(1e-7)),
            }
        }
        let options = RepairOptions {
            weld_tolerance: [0.0, 1e-6, 0.3][random.index(3)],
            drop_slivers: random.index(2) == 0,
            ..RepairOptions::default()
        };
        let Ok((once, _)) = soup(&corners).repair(&options) else { continue };
        let (twice, report) = once.repair(&options).unwrap();
        assert_eq!(once, twice, "case {case}: {report:?}");
    }
}
