//! Polyhedra with known topology, and their answers against brute force.

use zerogap_core::math::{cos, sin};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::{Convex, GeometryError, Polyhedron, Ray, TriangleMesh};
use zerogap_testkit::brute::triangle_distance;
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

mod polyhedron_checks;
use polyhedron_checks::check;

fn counts(polyhedron: &Polyhedron) -> [usize; 3] {
    [polyhedron.vertices().len(), polyhedron.edge_count(), polyhedron.face_count()]
}

fn corners(size: Vec3) -> Vec<Vec3> {
    (0..8)
        .map(|k| Vec3::from_fn(|axis, _| size[axis] * if k >> axis & 1 == 1 { 0.5 } else { -0.5 }))
        .collect()
}

fn random_pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.in_cube(reach), random.quaternion_xyzw()).unwrap()
}

#[test]
fn turned_boxes_have_six_faces() {
    let mut random = Random::new(11);
    for case in 0..count(300, 10_000) {
        let scale = [1.0, 1e-9, 1e9, 1e-58, 1e58][case % 5];
        let size = Vec3::from_fn(|_, _| random.range(0.05, 1.0)) * scale;
        let pose = random_pose(&mut random, scale);
        let points: Vec<Vec3> = corners(size).iter().map(|p| pose.transform_point(p)).collect();
        let polyhedron = Polyhedron::from_points(&points).unwrap();
        assert_eq!(counts(&polyhedron), [8, 12, 6], "case {case}");
        check(&polyhedron, &points);
        let volume = size.product();
        assert!((polyhedron.volume() - volume).abs() < 1e-12 * volume);
    }
}

#[test]
fn turned_grids_and_unwelded_soups_of_a_box_have_six_faces() {
    let mut random = Random::new(12);
    for case in 0..count(20, 200) {
        let pose = random_pose(&mut random, 1.0);
        let mut points = Vec::new();
        for k in 0..343 {
            let grid = Vec3::new(f64::from(k % 7), f64::from(k / 7 % 7), f64::from(k / 49)) / 6.0;
            let p = pose.transform_point(&grid);
            // Each point several times, a few roundings apart.
            points.extend([p, p, p + random.in_cube(4e-16)]);
        }
        let polyhedron = Polyhedron::from_points(&points).unwrap();
        assert_eq!(counts(&polyhedron), [8, 12, 6], "case {case}");
        check(&polyhedron, &points);
    }
}

#[test]
fn a_turned_prism_keeps_its_polygons() {
    let mut random = Random::new(13);
    for n in [3_usize, 5, 8, 64, 1000] {
        for _ in 0..5 {
            let pose = random_pose(&mut random, 1.0);
            let points: Vec<Vec3> = (0..2 * n)
                .map(|k| {
                    let angle = std::f64::consts::TAU * (k / 2) as f64 / n as f64;
                    pose.transform_point(&Vec3::new(cos(angle), sin(angle), (k % 2) as f64))
                })
                .collect();
            let polyhedron = Polyhedron::from_points(&points).unwrap();
            assert_eq!(counts(&polyhedron), [2 * n, 3 * n, n + 2]);
            check(&polyhedron, &points);
        }
    }
}

#[test]
fn surfaces_curved_on_the_scale_of_the_tolerance_stay_convex() {
    // A cap of a unit sphere so finely sampled that neighbours lie in one plane to rounding, in a tetrahedron that keeps the size.
    let mut random = Random::new(14);
    for spread in [1e-9, 1e-8, 1e-7, 3e-7, 1e-6, 1e-5, 1e-4] {
        let mut points =
            vec![Vec3::new(0.9, 0.0, -0.5), Vec3::new(-0.5, 0.8, -0.5), Vec3::new(-0.5, -0.8, -0.5)];
        for _ in 0..400 {
            let (x, y) = (random.range(-spread, spread), random.range(-spread, spread));
            points.push(Vec3::new(x, y, (1.0 - x * x - y * y).sqrt()));
        }
        let polyhedron = Polyhedron::from_points(&points).unwrap();
        check(&polyhedron, &points);
    }
}

#[test]
fn flat_points_are_refused_with_their_dimension() {
    let flat = |points: &[Vec3]| match Polyhedron::from_points(points) {
        Err(GeometryError::Flat { dimension, .. }) => dimension,
        other => panic!("{other:?}"),
    };
    assert_eq!(flat(&[Vec3::x(); 4]), 0);
    assert_eq!(flat(&[Vec3::x(), Vec3::zeros(), 2.0 * Vec3::x()]), 1);
    assert_eq!(flat(&[Vec3::x(), Vec3::y(), Vec3::z(), Vec3::repeat(1.0 / 3.0)]), 2);
    assert!(matches!(Polyhedron::from_points(&[]), Err(GeometryError::Empty { .. })));
}

#[test]
fn a_mesh_and_its_polyhedron_go_round() {
    let cube = Polyhedron::from_points(&corners(Vec3::repeat(1.0))).unwrap();
    let mesh = cube.to_mesh();
    assert_eq!(mesh.triangles().len(), 12);
    assert_eq!(Polyhedron::from_mesh(&mesh).unwrap(), cube);
    // A vertex that no triangle uses is not part of the mesh's hull.
    let mut vertices = mesh.vertices().to_vec();
    vertices.push(Vec3::repeat(9.0));
    let with_stray = TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap();
    assert_eq!(Polyhedron::from_mesh(&with_stray).unwrap(), cube);
}

/// Polyhedra of many kinds, sizes and places.
fn samples() -> Vec<Polyhedron> {
    let mut random = Random::new(15);
    let mut all = Vec::new();
    for case in 0..24 {
        let n = [4, 6, 20, 200][case % 4];
        let scale = [1.0, 1e-9, 1e9][case % 3];
        let flatten = [1.0, 1e-3, 1e-9][case / 8];
        let pose = random_pose(&mut random, 2.0);
        let points: Vec<Vec3> = (0..n)
            .map(|_| random.in_ball().component_mul(&Vec3::new(1.0, 1.0, flatten)))
            .map(|p| pose.transform_point(&p) * scale)
            .collect();
        all.push(Polyhedron::from_points(&points).unwrap());
    }
    all.push(Polyhedron::from_points(&corners(Vec3::new(1.0, 2.0, 3.0))).unwrap());
    all
}

/// Distance from the surface by trying every triangle.
fn brute_force_distance(polyhedron: &Polyhedron, q: &Vec3) -> f64 {
    polyhedron
        .triangles()
        .map(|corners| triangle_distance(&corners.map(|index| polyhedron.vertices()[index as usize]), q))
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn closest_points_match_brute_force() {
    let mut random = Random::new(16);
    for (index, polyhedron) in samples().iter().enumerate() {
        let size = polyhedron.bounding_box().diagonal();
        let center = polyhedron.interior_point();
        for case in 0..count(100, 5000) {
            let mut q = center + random.in_cube(1.0) * size * [0.1, 0.5, 2.0, 30.0][case % 4];
            if case % 5 == 0 {
                q = polyhedron.vertices()[random.index(polyhedron.vertices().len())];
            }
            let s = polyhedron.closest_point(&q);
            let reach = size + (q - center).norm();
            assert!((s.normal.norm() - 1.0).abs() < 1e-14);
            let place = polyhedron.vertices()[0].norm() + reach;
            assert!(
                (q - s.point - s.normal * s.gap).amax() <= 4e-16 * place,
                "polyhedron {index}, case {case}"
            );
            let inside = (0..polyhedron.face_count()).all(|face| polyhedron.height(face, &q) <= 0.0);
            // On the surface itself rounding may decide.
            assert!(inside == (s.gap <= 0.0) || s.gap.abs() <= 1e-14 * reach);
            // The plain triangle formula loses digits on needles, and only there: its edges still bound the distance from above.
            let brute = brute_force_distance(polyhedron, &q);
            let tolerance = 1e-14 * (reach + place);
            if inside {
                assert!(
                    s.gap.abs() <= brute + tolerance,
                    "polyhedron {index}, case {case}: {} {brute}",
                    s.gap
                );
            } else {
                assert!(
                    (s.gap - brute).abs() <= tolerance,
                    "polyhedron {index}, case {case}: {} {brute}",
                    s.gap
                );
                // The surface point is a point of the polyhedron, and the plane across the gap separates: that proves it nearest.
                for face in 0..polyhedron.face_count() {
                    assert!(polyhedron.height(face, &s.point) <= tolerance);
                }
                for p in polyhedron.vertices() {
                    assert!(s.gap < 1e-3 * size || s.normal.dot(&(p - s.point)) <= 1e-11 * reach);
                }
            }
        }
    }
}

#[test]
fn rays_meet_the_surface_where_it_is() {
    let mut random = Random::new(17);
    for polyhedron in samples() {
        let size = polyhedron.bounding_box().diagonal();
        let center = polyhedron.interior_point();
        for _ in 0..count(100, 5000) {
            let direction = random.direction();
            let origin = center - direction * size * 3.0 + random.in_cube(0.3 * size);
            let highest = |p: &Vec3| {
                (0..polyhedron.face_count())
                    .map(|face| polyhedron.height(face, p))
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            let place = origin.norm() + 4.0 * size;
            if let Some(hit) = polyhedron.cast_ray(&Ray { origin, direction }) {
                let p = origin + direction * hit.distance;
                assert!(hit.normal.dot(&direction) < 0.0);
                assert!(highest(&p).abs() <= 1e-13 * place, "{:e}", highest(&p) / size);
            } else {
                // A missed ray stays outside all along.
                for step in 0..200 {
                    let p = origin + direction * (6.0 * size * f64::from(step) / 200.0);
                    assert!(highest(&p) > -1e-13 * place);
                }
            }
        }
        let from_inside = polyhedron.cast_ray(&Ray { origin: center, direction: Vec3::x() }).unwrap();
        assert!(from_inside.distance == 0.0);
        assert_eq!(from_inside.normal, -Vec3::x());
        let away = Ray { origin: center + Vec3::x() * size * 2.0, direction: Vec3::x() };
        assert!(polyhedron.cast_ray(&away).is_none());
    }
}

#[test]
fn the_bounding_sphere_contains_all_and_is_nearly_smallest() {
    for polyhedron in samples() {
        let ball = polyhedron.bounding_sphere();
        let size = polyhedron.bounding_box().diagonal();
        let mut span: f64 = 0.0;
        for p in polyhedron.vertices() {
            assert!((p - ball.center).norm() <= ball.radius);
            for q in polyhedron.vertices() {
                span = span.max((p - q).norm());
            }
        }
        // Jung: a set of diameter d fits a ball of radius d √(3/8), and not in one below d / 2.
        assert!(ball.radius <= span * (0.375_f64.sqrt() + 1e-9) && ball.radius <= 0.5 * size * (1.0 + 1e-12));
    }
    let cube = Polyhedron::from_points(&corners(Vec3::repeat(2.0))).unwrap();
    assert!((cube.bounding_sphere().radius - 3.0_f64.sqrt()).abs() < 1e-14);
    let tetrahedron =
        Polyhedron::from_points(&[Vec3::zeros(), Vec3::x(), Vec3::y(), 0.1 * Vec3::new(1.0, 1.0, 1.0)])
            .unwrap();
    assert!((tetrahedron.bounding_sphere().radius - 0.5_f64.sqrt()).abs() < 1e-14);
}

#[test]
fn mass_and_volume_of_a_turned_box_are_those_of_the_formula() {
    let mut random = Random::new(18);
    for _ in 0..50 {
        let size = Vec3::from_fn(|_, _| random.range(0.1, 2.0));
        let pose = random_pose(&mut random, 3.0);
        let points: Vec<Vec3> = corners(size).iter().map(|p| pose.transform_point(p)).collect();
        let polyhedron = Polyhedron::from_points(&points).unwrap();
        let mass = polyhedron.mass_properties(7.0).unwrap();
        assert!((mass.mass - 7.0 * size.product()).abs() < 1e-12 * mass.mass);
        assert!((mass.center - pose.translation()).amax() < 1e-13);
        let s = size.component_mul(&size);
        let moments = Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass.mass / 12.0);
        let mut expected: Vec<f64> = moments.iter().copied().collect();
        expected.sort_by(f64::total_cmp);
        for (moment, expected) in mass.principal_moments().iter().zip(expected) {
            assert!((moment - expected).abs() < 1e-12 * moments.amax());
        }
        assert!(polyhedron.mass_properties(0.0).is_err() && polyhedron.mass_properties(f64::NAN).is_err());
    }
}
