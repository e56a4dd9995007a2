//! Seeded point sets of every awkward kind: the hull contains all points, is convex, closed and outward.
//!
//! "Size" is the bounding diagonal of the points as they are given. Points far from the origin carry the rounding of their large
//! coordinates, but that happened before they came here: the hull is that of the rounded points, and the same 1e-12 of their
//! own size holds. Signs and heights are decided in whole numbers of any length, not by the code under test.

use zerogap_core::math::{cos, sin};
use zerogap_core::{Aabb, Pose, Vec3};
use zerogap_geometry::Hull;
use zerogap_geometry::hull::{HullSurface, convex_hull_with_sources, hull_surface};
use zerogap_geometry::shape::Polygon;
use zerogap_testkit::brute::triangle_distance;
use zerogap_testkit::count;
use zerogap_testkit::exact::{height_over_plane, strictly_above};
use zerogap_testkit::random::Random;

mod polyhedron_checks;
use polyhedron_checks::{OUTSIDE, check};

/// Number of sets of each kind.
const SEEDS: u64 = 10;

fn size_of(points: &[Vec3]) -> f64 {
    Aabb::from_points(points).diagonal()
}

/// A rotation about the origin that rounds every coordinate; none for even seeds, where grids stay exactly coplanar.
fn turn(seed: u64, random: &mut Random) -> Pose {
    if seed.is_multiple_of(2) {
        Pose::identity()
    } else {
        Pose::new(Vec3::zeros(), random.quaternion_xyzw()).unwrap()
    }
}

/// No point lies strictly above any triangle, exactly; each edge joins two triangles; Euler's formula holds.
fn check_surface(points: &[Vec3], surface: &HullSurface) {
    let HullSurface { sources, triangles, neighbors } = surface;
    let at = |index: u32| &points[sources[index as usize] as usize];
    for &[a, b, c] in triangles {
        for p in points {
            assert!(!strictly_above(at(a), at(b), at(c), p), "a point lies above a triangle");
        }
    }
    // A closed surface of triangles has 3 F / 2 edges; with V - E + F = 2 that makes F = 2 V - 4.
    assert_eq!(triangles.len(), 2 * sources.len() - 4);
    for (index, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let beyond = neighbors[index][k] as usize;
            let back = (0..3).filter(|&j| neighbors[beyond][j] as usize == index).collect::<Vec<_>>();
            assert_eq!(back.len(), 1);
            let (from, to) = (triangles[beyond][back[0]], triangles[beyond][(back[0] + 1) % 3]);
            assert_eq!((corners[k], corners[(k + 1) % 3]), (to, from));
        }
    }
    assert!(sources.windows(2).all(|pair| pair[0] < pair[1]));
}

/// Everything that must hold for points that span space.
fn check_solid(points: &[Vec3]) {
    check_surface(points, &hull_surface(points).unwrap());
    let (hull, sources) = convex_hull_with_sources(points).unwrap();
    let Hull::Polyhedron(polyhedron) = hull else { panic!("the points span space, but the hull does not") };
    for (vertex, &source) in polyhedron.vertices().iter().zip(&sources) {
        assert_eq!(*vertex, points[source as usize]);
    }
    check(&polyhedron, points);
    // The exact hull of the vertices that are left, against every point, with exact heights.
    let size = size_of(points);
    let kept = hull_surface(polyhedron.vertices()).unwrap();
    assert_eq!(kept.sources.len(), polyhedron.vertices().len());
    for corners in &kept.triangles {
        let [a, b, c] = corners.map(|index| polyhedron.vertices()[index as usize]);
        for p in points {
            if strictly_above(&a, &b, &c, p) {
                let height = height_over_plane(&a, &b, &c, p);
                assert!(height <= OUTSIDE * size, "a point lies {:e} of the size outside", height / size);
            }
        }
    }
}

/// All points lie on the polygon, which is convex.
fn check_flat(points: &[Vec3], polygon: &Polygon) {
    let size = size_of(points);
    let corners = &polygon.corners();
    let n = corners.len();
    assert!(n >= 3);
    for k in 0..n {
        let (a, b, c) = (corners[k], corners[(k + 1) % n], corners[(k + 2) % n]);
        let dent = -polygon.normal().dot(&(b - a).cross(&(c - b)));
        assert!(dent <= OUTSIDE * size * (c - a).norm(), "corner {k} turns the wrong way");
    }
    // The corners span triangles, and every point lies on one of them.
    for p in points {
        let fan = corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]);
        let distance = fan.map(|triangle| triangle_distance(&triangle, p)).fold(f64::INFINITY, f64::min);
        assert!(distance <= OUTSIDE * size, "a point lies {:e} of the size off the polygon", distance / size);
    }
}

/// Points of one kind for each seed, and what to do with them.
fn for_seeds(make: impl Fn(&mut Random, u64) -> Vec<Vec3>, verify: impl Fn(&[Vec3])) {
    for seed in 0..SEEDS {
        verify(&make(&mut Random::new(1000 + seed), seed));
    }
}

fn in_ball(random: &mut Random, n: usize) -> Vec<Vec3> {
    (0..n).map(|_| random.in_ball()).collect()
}

fn grid(random: &mut Random, seed: u64) -> Vec<Vec3> {
    let pose = turn(seed, random);
    let n = 4 + random.index(4);
    (0..n * n * n)
        .map(|k| Vec3::new((k % n) as f64, (k / n % n) as f64, (k / n / n) as f64) / n as f64)
        .map(|p| pose.transform_point(&p))
        .collect()
}

/// Rings of points on a cylinder and its caps.
fn cylinder(random: &mut Random, seed: u64) -> Vec<Vec3> {
    let pose = turn(seed, random);
    let around = 5 + random.index(20);
    let ring = |radius: f64, z: f64| {
        (0..around).map(move |k| {
            let angle = std::f64::consts::TAU * k as f64 / around as f64;
            Vec3::new(radius * cos(angle), radius * sin(angle), z)
        })
    };
    let levels = (0..6).flat_map(|k| ring(1.0, 0.4 * f64::from(k)));
    let caps = [0.25, 0.5, 0.75].into_iter().flat_map(|r| ring(r, 0.0).chain(ring(r, 2.0)));
    levels.chain(caps).map(|p| pose.transform_point(&p)).collect()
}

#[test]
fn points_in_a_ball() {
    for_seeds(|random, _| in_ball(random, count(300, 3000)), check_solid);
}

#[test]
fn points_on_a_sphere() {
    for_seeds(|random, _| (0..count(200, 2000)).map(|_| random.direction()).collect(), check_solid);
}

#[test]
fn points_of_a_cube_grid() {
    for_seeds(grid, |points| {
        check_solid(points);
        let (hull, _) = convex_hull_with_sources(points).unwrap();
        assert_eq!(hull.vertices().len(), 8);
    });
}

#[test]
fn points_of_a_cylinder() {
    for_seeds(cylinder, check_solid);
}

#[test]
fn duplicated_points() {
    for_seeds(
        |random, seed| {
            let once = if seed % 2 == 0 { in_ball(random, 60) } else { grid(random, seed) };
            (0..3 * once.len()).map(|_| once[random.index(once.len())]).chain(once.iter().copied()).collect()
        },
        check_solid,
    );
}

#[test]
fn sets_of_a_billionth_thickness_keep_their_volume() {
    for_seeds(
        |random, seed| {
            let pose = turn(seed, random);
            let thin = Vec3::new(1.0, 1.0, 1e-9);
            let points = if seed < 5 { in_ball(random, 200) } else { grid(random, 0) };
            points.iter().map(|p| pose.transform_point(&p.component_mul(&thin))).collect()
        },
        check_solid,
    );
}

#[test]
fn sets_far_from_the_origin() {
    for_seeds(
        |random, seed| {
            let distance = [1e6, 1e7, 1e8][seed as usize % 3];
            let points =
                [in_ball(random, 200), grid(random, seed), cylinder(random, seed)][seed as usize % 3].clone();
            let offset = random.direction() * distance;
            points.iter().map(|p| p + offset).collect()
        },
        check_solid,
    );
}

#[test]
fn tiny_and_huge_sets() {
    for_seeds(
        |random, seed| {
            let scale = [1e-58, 1e-30, 1e-9, 1e9, 1e59][seed as usize % 5];
            let points = if seed < 5 { in_ball(random, 100) } else { grid(random, seed) };
            points.iter().map(|p| p * scale).collect()
        },
        check_solid,
    );
}

#[test]
fn coplanar_sets_become_polygons() {
    for_seeds(
        |random, seed| {
            let pose = turn(seed, random);
            let offset = if seed < 4 { Vec3::zeros() } else { random.in_cube(3.0) };
            let square = seed % 3 == 0;
            (0..count(300, 3000))
                .map(|k| {
                    if square { Vec3::new((k % 9) as f64, (k / 9 % 9) as f64, 0.0) } else { random.in_ball() }
                })
                .map(|p| pose.transform_point(&Vec3::new(p.x, p.y, 0.0)) + offset)
                .collect()
        },
        |points| {
            let (hull, sources) = convex_hull_with_sources(points).unwrap();
            let Hull::Polygon(polygon) = hull else { panic!("not flat") };
            for (vertex, &source) in polygon.corners().iter().zip(&sources) {
                assert_eq!(*vertex, points[source as usize]);
            }
            check_flat(points, &polygon);
        },
    );
    // Exactly coplanar and far away: the plane x = 1e8.
    let mut random = Random::new(5);
    let far: Vec<Vec3> = in_ball(&mut random, 200).iter().map(|p| Vec3::new(1e8, p.y + 1e7, p.z)).collect();
    let Hull::Polygon(polygon) = convex_hull_with_sources(&far).unwrap().0 else { panic!("not flat") };
    check_flat(&far, &polygon);
}

#[test]
fn collinear_sets_become_segments() {
    for_seeds(
        |random, seed| {
            let along = if seed % 2 == 0 { Vec3::new(1.0, 2.0, -0.5) } else { random.direction() };
            let start = random.in_cube(2.0);
            (0..200).map(|_| start + along * random.range(-3.0, 3.0)).collect()
        },
        |points| {
            let (hull, sources) = convex_hull_with_sources(points).unwrap();
            let Hull::Segment([a, b]) = hull else { panic!("not straight") };
            assert_eq!([a, b], [points[sources[0] as usize], points[sources[1] as usize]]);
            let along = (b - a).normalize();
            for p in points {
                let t = along.dot(&(p - a)).clamp(0.0, (b - a).norm());
                assert!((p - a - along * t).norm() <= OUTSIDE * size_of(points));
            }
        },
    );
}

#[test]
fn the_hull_does_not_depend_on_the_order_of_the_points() {
    for_seeds(
        |random, seed| if seed % 2 == 0 { in_ball(random, 300) } else { grid(random, 0) },
        |points| {
            let mut random = Random::new(77);
            let mut shuffled = points.to_vec();
            for k in (1..shuffled.len()).rev() {
                shuffled.swap(k, random.index(k + 1));
            }
            let sorted = |hull: &Hull| {
                let mut vertices = hull.vertices().to_vec();
                vertices
                    .sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)));
                vertices
            };
            let (first, _) = convex_hull_with_sources(points).unwrap();
            let (second, _) = convex_hull_with_sources(&shuffled).unwrap();
            assert_eq!(sorted(&first), sorted(&second));
            // And the same order gives the same bits.
            assert_eq!(first, convex_hull_with_sources(points).unwrap().0);
        },
    );
}

#[test]
fn sets_disturbed_at_every_scale_around_the_tolerance() {
    let mut random = Random::new(99);
    for case in 0..count(3000, 300_000) {
        // Few different coordinates make many coplanar, collinear and equal points; then noise from far below to far above rounding.
        let levels = 2 + random.index(3);
        let extent = Vec3::from_fn(|_, _| [1.0, 1.0, 1e-4, 1e-9, 1e-12, 0.0][random.index(6)]);
        let noise =
            [1e-7, 1e-9, 1e-11, 1e-12, 3e-13, 1e-13, 3e-14, 1e-14, 1e-15, 1e-16, 1e-17][random.index(11)];
        let pose = turn(case as u64, &mut random);
        let mut points = Vec::new();
        for _ in 0..4 + random.index(60) {
            let p = Vec3::from_fn(|axis, _| extent[axis] * random.index(levels) as f64);
            let off = if random.index(2) == 0 { random.in_cube(noise) } else { Vec3::zeros() };
            points.push(pose.transform_point(&p) + off);
        }
        match convex_hull_with_sources(&points).unwrap().0 {
            Hull::Polyhedron(polyhedron) => check(&polyhedron, &points),
            Hull::Polygon(polygon) => check_flat(&points, &polygon),
            Hull::Segment(_) | Hull::Point(_) => {}
        }
    }
}
