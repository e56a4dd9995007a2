//! The climbing methods find the exactly farthest vertex, the scan one within rounding of it, on polyhedra that invite mistakes.

use zerogap_core::math::{cos, sin};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::{Convex, Polyhedron, SupportHint, SupportMethod};
use zerogap_testkit::count;
use zerogap_testkit::exact::first_farthest;
use zerogap_testkit::random::Random;

const CLIMBING: [SupportMethod; 3] = [SupportMethod::Climb, SupportMethod::Table, SupportMethod::Best];

const ALL: [SupportMethod; 5] = [
    SupportMethod::Scan,
    SupportMethod::Climb,
    SupportMethod::Table,
    SupportMethod::Best,
    SupportMethod::Rivals,
];

/// How much farther than the scan's vertex another may be, relative to the bounding diagonal, for a unit direction.
const SCAN_TOLERANCE: f64 = 4e-16;

/// Polyhedra with 4 to 10,000 vertices: round, gridded, with big flat faces, unwelded, thin, far away, curved at the scale of rounding.
fn polyhedra() -> Vec<(String, Polyhedron)> {
    let mut random = Random::new(21);
    let mut all = Vec::new();
    let mut add = |name: &str, points: &[Vec3]| {
        let polyhedron = Polyhedron::from_points(points).unwrap();
        all.push((format!("{name} with {} vertices", polyhedron.vertices().len()), polyhedron));
    };
    for n in [4, 5, 8, 13, 32, 100, 1000, 10_000] {
        let points: Vec<Vec3> = (0..n).map(|_| random.direction()).collect();
        add("sphere", &points);
    }
    for n in [50, 5000] {
        let points: Vec<Vec3> = (0..n).map(|_| random.in_ball()).collect();
        add("ball", &points);
        let far: Vec<Vec3> = points.iter().map(|p| p + Vec3::new(1e7, -3e7, 2e6)).collect();
        add("far ball", &far);
        let thin: Vec<Vec3> = points.iter().map(|p| p.component_mul(&Vec3::new(1.0, 1e-9, 1.0))).collect();
        add("thin ball", &thin);
        let needle: Vec<Vec3> = points.iter().map(|p| p.component_mul(&Vec3::new(1e-9, 1e-6, 1.0))).collect();
        add("needle", &needle);
        let rotated = Pose::new(Vec3::zeros(), random.quaternion_xyzw()).unwrap();
        let blade: Vec<Vec3> = thin.iter().map(|p| rotated.transform_point(p)).collect();
        add("turned thin ball", &blade);
    }
    for rotated in [false, true] {
        let pose = if rotated {
            Pose::new(random.in_cube(1.0), random.quaternion_xyzw()).unwrap()
        } else {
            Pose::identity()
        };
        let grid: Vec<Vec3> = (0..1000)
            .map(|k| {
                pose.transform_point(&Vec3::new(
                    f64::from(k % 10),
                    f64::from(k / 10 % 10),
                    f64::from(k / 100),
                ))
            })
            .collect();
        add("grid", &grid);
        for n in [12, 500, 3000] {
            let cylinder: Vec<Vec3> = (0..2 * n)
                .map(|k| {
                    let angle = std::f64::consts::TAU * f64::from(k / 2) / f64::from(n);
                    pose.transform_point(&Vec3::new(cos(angle), sin(angle), f64::from(k % 2)))
                })
                .collect();
            add("cylinder", &cylinder);
        }
    }
    // A soup: the triangles of a hull, each with corners of its own that are off by roundings.
    let round = all[6].1.clone();
    let soup: Vec<Vec3> = round
        .triangles()
        .flatten()
        .map(|index| round.vertices()[index as usize] + random.in_cube(2e-16))
        .collect();
    let polyhedron = Polyhedron::from_points(&soup).unwrap();
    assert_eq!(polyhedron.vertices().len(), round.vertices().len());
    all.push(("unwelded sphere".to_owned(), polyhedron));
    for spread in [1e-8, 1e-7, 1e-6, 1e-5] {
        let mut points =
            vec![Vec3::new(0.9, 0.0, -0.5), Vec3::new(-0.5, 0.8, -0.5), Vec3::new(-0.5, -0.8, -0.5)];
        for _ in 0..500 {
            let (x, y) = (random.range(-spread, spread), random.range(-spread, spread));
            points.push(Vec3::new(x, y, (1.0 - x * x - y * y).sqrt()));
        }
        all.push((format!("cap of {spread:e}"), Polyhedron::from_points(&points).unwrap()));
    }
    all
}

/// Polyhedra with more vertices than this are not compared with the exact oracle [-].
const EXACT_LIMIT: usize = 1000;

/// One direction in this many is [-].
const EXACT_EVERY: usize = 7;

#[test]
fn all_methods_agree_with_the_scan() {
    let mut random = Random::new(22);
    let all = polyhedra();
    let per_polyhedron = count(20_000, 1_000_000) / all.len();
    for (name, polyhedron) in &all {
        let size = polyhedron.bounding_box().diagonal();
        let vertices = polyhedron.vertices();
        let mut warm = SupportHint::default();
        for case in 0..per_polyhedron {
            // Random directions, normals of faces and edges (ties), and directions a rounding beside them.
            let face = polyhedron.normal(random.index(polyhedron.face_count()));
            let edge = polyhedron.edges()[random.index(polyhedron.edge_count())];
            let along =
                (vertices[edge.vertices[0] as usize] - vertices[edge.vertices[1] as usize]).normalize();
            let direction = match case % 6 {
                0 => face,
                1 => face + random.in_cube(1e-15),
                2 => face + random.in_cube(1e-7),
                3 => along.cross(&random.direction()),
                4 => Vec3::ith(case / 6 % 3, if case % 12 < 6 { 1.0 } else { -1.0 }),
                _ => random.direction(),
            };
            let best = polyhedron.support_with(SupportMethod::Scan, &direction, &mut SupportHint::default());
            for method in [SupportMethod::Rivals, SupportMethod::Scan] {
                let found = polyhedron.support_with(method, &direction, &mut SupportHint::default());
                assert_eq!(found, best, "{name}, {direction} by {method:?}");
            }
            assert_eq!(polyhedron.support_vertex_tame(&direction), best, "{name}, {direction}");
            let best = vertices[best as usize];
            let mut answers = Vec::new();
            for method in CLIMBING {
                for mut hint in
                    [warm, SupportHint(random.index(vertices.len()) as u32), SupportHint(u32::MAX)]
                {
                    let found = polyhedron.support_with(method, &direction, &mut hint);
                    assert_eq!(hint.0, found);
                    answers.push(found);
                }
            }
            warm.0 = answers[0];
            assert!(answers.iter().all(|&found| found == answers[0]), "{name}, {direction}: {answers:?}");
            // The exact oracle is slow: small polyhedra, and every so often.
            if vertices.len() <= EXACT_LIMIT && case % EXACT_EVERY == 0 {
                let exact = first_farthest(vertices, &direction);
                assert_eq!(answers[0] as usize, exact, "{name}, {direction}");
            }
            let ahead = (best - vertices[answers[0] as usize]).dot(&direction) / direction.norm();
            assert!(
                ahead.abs() <= SCAN_TOLERANCE * size,
                "{name}, {direction}: {:e} of the size",
                ahead / size
            );
        }
    }
}

#[test]
fn directions_of_any_length_give_the_same_vertex() {
    let mut random = Random::new(23);
    for (name, polyhedron) in &polyhedra() {
        for _ in 0..20 {
            let direction = random.direction();
            for method in ALL {
                let find =
                    |scale: f64| polyhedron.support_with(method, &(direction * scale), &mut SupportHint(1));
                let reference = find(1.0);
                // Powers of two, so that the direction itself is not rounded.
                for exponent in [-1000, -400, -60, 60, 400, 1000] {
                    assert_eq!(find(2.0_f64.powi(exponent)), reference, "{name}, 2^{exponent}");
                }
            }
        }
        let mut hint = SupportHint(3);
        assert_eq!(polyhedron.support(&Vec3::zeros(), &mut hint), polyhedron.vertices()[0]);
        assert_eq!(hint.0, 0);
        for method in ALL {
            assert_eq!(polyhedron.support_with(method, &Vec3::zeros(), &mut SupportHint(2)), 0);
            // No number at all is refused nowhere and loops nowhere.
            let nan = Vec3::new(f64::NAN, 0.0, 1.0);
            assert!(
                (polyhedron.support_with(method, &nan, &mut SupportHint(2)) as usize)
                    < polyhedron.vertices().len()
            );
        }
    }
}

#[test]
fn the_first_of_exactly_tied_vertices_wins() {
    let cube: Vec<Vec3> =
        (0..8).map(|k| Vec3::from_fn(|axis, _| if k >> axis & 1 == 1 { 1.0 } else { -1.0 })).collect();
    let polyhedron = Polyhedron::from_points(&cube).unwrap();
    for method in ALL {
        for start in 0..8 {
            let find = |direction: Vec3| polyhedron.support_with(method, &direction, &mut SupportHint(start));
            assert_eq!(find(Vec3::x()), 1);
            assert_eq!(find(-Vec3::x()), 0);
            assert_eq!(find(Vec3::z()), 4);
            assert_eq!(find(Vec3::new(0.0, 0.1, 0.1)), 6);
        }
    }
}
