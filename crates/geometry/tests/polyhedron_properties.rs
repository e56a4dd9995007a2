//! What holds for every polyhedron: it moves and scales with its points, and a cut loses nothing.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use zerogap_core::math::pow;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_geometry::shape::Rounded;
use zerogap_geometry::{
    Convex, ConvexShape, Hull, MassProperties, Polyhedron, Ray, SupportHint, convex_hull,
};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// Points of a ball, a thin ball, a needle or a grid, of unit size.
fn points(random: &mut Random) -> Vec<Vec3> {
    let n = 4 + random.index(40);
    match random.index(4) {
        0 => (0..n).map(|_| random.in_ball()).collect(),
        1 => (0..n).map(|_| random.in_ball().component_mul(&Vec3::new(1.0, 1.0, 1e-3))).collect(),
        2 => (0..n).map(|_| random.in_ball().component_mul(&Vec3::new(1.0, 1e-2, 1e-2))).collect(),
        _ => (0..27)
            .map(|k| Vec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) * 0.5)
            .collect(),
    }
}

/// Queries far, near, inside, on vertices and edges and close to them.
fn queries(shape: &Polyhedron, random: &mut Random) -> Vec<Vec3> {
    let vertices = shape.vertices();
    let mut list = vec![shape.interior_point()];
    for _ in 0..10 {
        let [a, b] =
            shape.edges()[random.index(shape.edge_count())].vertices.map(|index| vertices[index as usize]);
        let on_edge = a + (b - a) * random.unit();
        let near = [1e-13, 1e-10, 1e-6, 1e-2][random.index(4)];
        list.extend([random.in_cube(2.0), a, on_edge, on_edge + random.direction() * near]);
    }
    list
}

/// Mass, first and second moment about the origin.
fn moments(m: &MassProperties) -> (f64, Vec3, Mat3) {
    (m.mass, m.center * m.mass, m.second_moment() + m.center * m.center.transpose() * m.mass)
}

/// The largest error of `left = right`, in moments of bodies of about unit size.
fn difference(left: &[&MassProperties], right: &[&MassProperties]) -> f64 {
    let sum = |list: &[&MassProperties]| {
        list.iter()
            .map(|m| moments(m))
            .fold((0.0, Vec3::zeros(), Mat3::zeros()), |s, m| (s.0 + m.0, s.1 + m.1, s.2 + m.2))
    };
    let (a, b) = (sum(left), sum(right));
    (a.0 - b.0).abs().max((a.1 - b.1).amax()).max((a.2 - b.2).amax())
}

fn cases() -> ProptestConfig {
    ProptestConfig {
        cases: u32::try_from(count(60, 5000)).unwrap_or(60),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_moved_polyhedron_answers_as_the_polyhedron_of_moved_points(seed: u64) {
        let mut random = Random::new(seed);
        let set = points(&mut random);
        let pose = Pose::new(random.in_cube(3.0), random.quaternion_xyzw()).unwrap();
        let moved: Vec<Vec3> = set.iter().map(|p| pose.transform_point(p)).collect();
        let (here, there) = (Polyhedron::from_points(&set).unwrap(), Polyhedron::from_points(&moved).unwrap());
        prop_assert_eq!(here.vertices().len(), there.vertices().len());
        prop_assert_eq!(here.face_count(), there.face_count());
        let weight = here.mass_properties(2.0).unwrap().transformed(&pose);
        prop_assert!(difference(&[&weight], &[&there.mass_properties(2.0).unwrap()]) < 1e-13);
        for q in queries(&here, &mut random) {
            let (a, b) = (here.closest_point(&q), there.closest_point(&pose.transform_point(&q)));
            // The stated tolerance of both answers, and the rounding of the moved corners; sizes and distances here are a few metres.
            prop_assert!((a.gap - b.gap).abs() < 5e-14, "{} {}", a.gap, b.gap);
            let d = random.direction();
            let reach = |shape: &Polyhedron, d: &Vec3, from: &Vec3| {
                d.dot(&(shape.support(d, &mut SupportHint::default()) - from))
            };
            let rotated = pose.transform_vector(&d);
            prop_assert!((reach(&here, &d, &q) - reach(&there, &rotated, &pose.transform_point(&q))).abs() < 1e-14);
            let hit = here.cast_ray(&Ray::new(q, d).unwrap());
            let moved_hit = there.cast_ray(&Ray::new(pose.transform_point(&q), rotated).unwrap());
            // From inside every ray hits at once, and one aimed at the middle hits from anywhere.
            if a.gap < -1e-6 {
                prop_assert!(hit.is_some() && moved_hit.is_some());
            }
            if let Ok(aimed) = Ray::new(q, here.interior_point() - q) {
                prop_assert!(here.cast_ray(&aimed).is_some());
            }
            // Where a ray that starts on the surface begins is decided by rounding.
            if let (Some(hit), Some(moved_hit)) = (hit, moved_hit)
                && a.gap.abs() > 1e-6
            {
                let steep = hit.normal.dot(&d).abs();
                prop_assert!((hit.distance - moved_hit.distance).abs() < 1e-13 / steep);
            }
        }
    }

    #[test]
    fn scaling_by_a_power_of_two_changes_no_digit(seed: u64, exponent in -190_i32..190) {
        let mut random = Random::new(seed);
        let scale = 2.0_f64.powi(exponent);
        let set = points(&mut random);
        let scaled: Vec<Vec3> = set.iter().map(|p| p * scale).collect();
        let (unit, other) = (Polyhedron::from_points(&set).unwrap(), Polyhedron::from_points(&scaled).unwrap());
        let back: Vec<Vec3> = other.vertices().iter().map(|p| p / scale).collect();
        prop_assert_eq!(unit.vertices(), &back[..]);
        prop_assert_eq!(unit.edges(), other.edges());
        let volume = other.volume() / scale / scale / scale;
        prop_assert!((unit.volume() - volume).abs() <= 4.0 * f64::EPSILON * volume);
        for q in queries(&unit, &mut random) {
            let (a, b) = (unit.closest_point(&q), other.closest_point(&(q * scale)));
            prop_assert!((a.gap - b.gap / scale).abs() <= 1e-15 && (a.point - b.point / scale).amax() <= 1e-15);
            prop_assert!((a.normal - b.normal).amax() <= 1e-15);
        }
    }

    #[test]
    fn normals_near_edges_and_vertices_support_the_polyhedron_far_from_the_origin(seed: u64) {
        let mut random = Random::new(seed);
        let far = random.direction() * pow(10.0, random.range(-1.0, 7.0));
        let set: Vec<Vec3> = points(&mut random).iter().map(|p| p + far).collect();
        let shape = Polyhedron::from_points(&set).unwrap();
        for q in queries(&shape, &mut random).iter().skip(1) {
            let near = shape.closest_point(q);
            let proved = near.normal.dot(&(q - shape.support(&near.normal, &mut SupportHint::default())));
            prop_assert!((near.gap - proved).abs() <= 2e-13 * (1.0 + near.gap.abs()), "{:?} proved {}", near, proved);
        }
    }

    #[test]
    fn two_halves_weigh_what_the_whole_weighs_also_when_rounded(seed: u64) {
        let mut random = Random::new(seed);
        let set: Vec<Vec3> = (0..4 + random.index(30)).map(|_| random.in_ball()).collect();
        let Ok(whole) = Polyhedron::from_points(&set) else { return Ok(()) };
        let (middle, n) = (whole.interior_point(), random.direction());
        let height = |p: &Vec3| n.dot(&(p - middle));
        let at = |index: u32| whole.vertices()[index as usize];
        // Where the edges pass the plane.
        let wall: Vec<Vec3> = whole
            .edges()
            .iter()
            .map(|edge| edge.vertices.map(at))
            .filter(|[a, b]| height(a) * height(b) < 0.0)
            .map(|[a, b]| a + (b - a) * (height(&a) / (height(&a) - height(&b))))
            .collect();
        let half = |sign: f64| {
            let side = whole.vertices().iter().filter(|p| sign * height(p) >= 0.0);
            Polyhedron::from_points(&side.chain(&wall).copied().collect::<Vec<_>>())
        };
        let (Ok(above), Ok(below), Hull::Polygon(wall)) = (half(1.0), half(-1.0), convex_hull(&wall).unwrap()) else {
            return Ok(());
        };
        let weigh = |shape: &Polyhedron| shape.mass_properties(1.0).unwrap();
        prop_assert!(difference(&[&weigh(&whole)], &[&weigh(&above), &weigh(&below)]) < 1e-13);
        // Rounded halves overlap in the rounded wall, wherever they overlap at all.
        let r = pow(10.0, random.range(-3.0, 1.0));
        let inflated = |shape: ConvexShape| Rounded::new(shape, r).unwrap().mass_properties(1.0).unwrap();
        let (whole, wall) = (inflated(whole.into()), inflated(wall.into()));
        let (above, below) = (inflated(above.into()), inflated(below.into()));
        let size = (1.0 + r).powi(5);
        prop_assert!(difference(&[&whole, &wall], &[&above, &below]) < 1e-13 * size);
    }

    #[test]
    fn the_volume_grows_with_the_radius_as_steiner_says(seed: u64) {
        let mut random = Random::new(seed);
        let shape = Polyhedron::from_points(&points(&mut random)).unwrap();
        let at = |index: u32| shape.vertices()[index as usize];
        let area: f64 = shape.triangles().map(|t| t.map(at)).map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
        let bend: f64 = shape.edges().iter().map(|edge| {
            let [a, b] = edge.vertices.map(at);
            let [m, n] = edge.faces.map(|face| shape.normal(face as usize));
            0.5 * (b - a).norm() * zerogap_core::math::angle_between(&m, &n)
        }).sum();
        let r = pow(10.0, random.range(-4.0, 2.0));
        let expected = shape.volume() + area * r + bend * r * r + 4.0 / 3.0 * std::f64::consts::PI * r * r * r;
        let found = Rounded::new(shape.into(), r).unwrap().volume();
        prop_assert!((found - expected).abs() < 1e-13 * expected, "{} {}", found, expected);
    }
}
