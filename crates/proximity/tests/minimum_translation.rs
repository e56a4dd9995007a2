//! The gap in overlap is the shortest translation that separates: against the plain separating-axis test, axis by axis.

mod pair_checks;

use pair_checks::{EXACT, PlacedShape, points_on_shapes};
use zerogap_core::{Gap, NormalKind, Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{TranslationKind, distance, minimum_translation};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;
use zerogap_testkit::sat::{PolyhedronArrays, Sat, Translation, find_mtld};

/// Largest difference of gaps and planes, against the extent of the pair [-].
const ALLOWED: f64 = 1e-14;

/// Ways out that differ by less in length, against the extent of the pair, are equally short [-].
const RIVAL: f64 = 1e-9;

/// Largest difference of the components of the normal where there is no rival [-].
const SAME_NORMAL: f64 = 1e-9;

/// A polyhedron in the world, as the oracle wants it.
struct World {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    edges: Vec<Vec3>,
}

impl World {
    fn new(body: &Polyhedron, pose: &Pose) -> Self {
        let vertices: Vec<Vec3> = body.vertices().iter().map(|p| pose.transform_point(p)).collect();
        let normals =
            (0..body.face_count()).map(|f| pose.transform_vector(&body.normal(f)).normalize()).collect();
        // From the corners in the world, so that edges and corners agree to the last digit.
        let along = |ends: [u32; 2]| vertices[ends[1] as usize] - vertices[ends[0] as usize];
        let edges = body.edges().iter().map(|edge| along(edge.vertices)).collect();
        Self { vertices, normals, edges }
    }

    fn arrays(&self) -> PolyhedronArrays<'_> {
        PolyhedronArrays { vertices: &self.vertices, normals: &self.normals, edges: &self.edges }
    }
}

/// How many pairs were seen, and of which sort.
#[derive(Debug, Default)]
struct Seen {
    overlapping: usize,
    unique: usize,
}

/// Holds a gap against the oracle; `shapes` are what is measured, `bodies` the same as polyhedra.
fn check(shapes: [&ConvexShape; 2], bodies: [&Polyhedron; 2], poses: [&Pose; 2], seen: &mut Seen) {
    let (a, b) = (World::new(bodies[0], poses[0]), World::new(bodies[1], poses[1]));
    let extent =
        bodies[0].reach() + bodies[1].reach() + (poses[1].translation() - poses[0].translation()).norm();
    let found = distance(shapes[0], poses[0], shapes[1], poses[1]);
    let [one, other] = [0, 1].map(|k| PlacedShape::new(shapes[k].clone(), *poses[k]));
    assert_eq!(points_on_shapes(&one, &other, &found, EXACT), Ok(()), "{found:?}");
    match find_mtld(&a.arrays(), &b.arrays(), RIVAL * extent) {
        Sat::Disjoint => assert!(found.gap >= -ALLOWED * extent, "an axis separates them: {found:?}"),
        Sat::Overlap(way) => {
            check_overlap(&found, &way, extent);
            seen.overlapping += 1;
            seen.unique += usize::from(way.is_unique);
        }
    }
}

fn check_overlap(found: &Gap, way: &Translation, extent: f64) {
    assert!((found.gap - way.gap).abs() <= ALLOWED * extent, "{found:?} {way:?}");
    if !way.is_unique {
        return;
    }
    // In touch to rounding the search does not look whether faces meet, and calls the normal chosen.
    if found.gap < -RIVAL * extent {
        assert_eq!(found.normal_kind, NormalKind::Unique, "{found:?} {way:?}");
    }
    assert!((found.normal - way.normal).amax() <= SAME_NORMAL, "{found:?} {way:?}");
    let offset = 0.5 * found.normal.dot(&(found.point_a + found.point_b));
    assert!((offset - way.offset).abs() <= ALLOWED * extent, "{found:?} {way:?}");
}

/// The hull of so many points of a ball.
fn random_hull(random: &mut Random, points: usize) -> Polyhedron {
    loop {
        let points: Vec<Vec3> = (0..points).map(|_| random.in_ball()).collect();
        if let Ok(hull) = Polyhedron::from_points(&points) {
            return hull;
        }
    }
}

fn random_pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.in_cube(reach), random.quaternion_xyzw()).unwrap()
}

fn cuboid(size: Vec3) -> (ConvexShape, Polyhedron) {
    let cuboid = Cuboid::new(size).unwrap();
    (cuboid.into(), Polyhedron::from_points(&cuboid.corners()).unwrap())
}

#[test]
fn random_boxes_have_the_shortest_translation() {
    let mut random = Random::new(11);
    let mut seen = Seen::default();
    let cases = count(2_000, 100_000);
    for _ in 0..cases {
        let mut side = || random.range(0.3, 3.0);
        let (size_a, size_b) = (Vec3::new(side(), side(), side()), Vec3::new(side(), side(), side()));
        let ((a, body_a), (b, body_b)) = (cuboid(size_a), cuboid(size_b));
        let poses = [random_pose(&mut random, 0.7), random_pose(&mut random, 0.7)];
        // The kernel for boxes, and that for polyhedra.
        check([&a, &b], [&body_a, &body_b], [&poses[0], &poses[1]], &mut seen);
        let polyhedra = [ConvexShape::from(body_a.clone()), ConvexShape::from(body_b.clone())];
        check([&polyhedra[0], &polyhedra[1]], [&body_a, &body_b], [&poses[0], &poses[1]], &mut seen);
    }
    assert!(seen.unique > cases && seen.overlapping < 2 * cases, "{seen:?} of {cases}");
}

#[test]
fn random_hulls_have_the_shortest_translation() {
    let mut random = Random::new(12);
    let mut seen = Seen::default();
    let cases = count(400, 20_000);
    for _ in 0..cases {
        let (m, n) = (4 + random.index(27), 4 + random.index(27));
        let (a, b) = (random_hull(&mut random, m), random_hull(&mut random, n));
        let poses = [random_pose(&mut random, 0.4), random_pose(&mut random, 0.4)];
        let shapes = [ConvexShape::from(a.clone()), ConvexShape::from(b.clone())];
        check([&shapes[0], &shapes[1]], [&a, &b], [&poses[0], &poses[1]], &mut seen);
    }
    assert!(seen.unique > cases / 2 && seen.overlapping < cases, "{seen:?} of {cases}");
}

#[test]
fn parallel_coincident_touching_tiny_and_huge_boxes_have_the_shortest_translation() {
    let turns =
        [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 2.0], [1.0, 0.0, 0.0, 1.0], [0.5; 4]];
    let places = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.5, 1.5, 1.5],
        [0.0, 0.0, 1e-9],
        [0.5, -2.0, 1.9],
    ];
    for scale in [1e-9, 1.0, 1e9] {
        let ((cube, body), mut seen) = (cuboid(Vec3::repeat(2.0 * scale)), Seen::default());
        let polyhedron = ConvexShape::from(body.clone());
        for turn in turns {
            for place in places {
                let pose = Pose::new(Vec3::from(place) * scale, turn).unwrap();
                for shape in [&cube, &polyhedron] {
                    check([shape, shape], [&body, &body], [&Pose::identity(), &pose], &mut seen);
                    check([shape, shape], [&body, &body], [&pose, &Pose::identity()], &mut seen);
                }
            }
        }
        assert!(seen.overlapping > 80 && seen.unique > 0, "{seen:?}");
    }
}

#[test]
fn the_way_out_along_a_face_is_told_by_it_where_others_are_flat_against_it() {
    let mut random = Random::new(4);
    let brick: ConvexShape = Cuboid::new(Vec3::repeat(0.2)).unwrap().into();
    let mut by_face = 0;
    for _ in 0..count(300, 10_000) {
        // A flat dome: faces that differ by far less than what is one patch, with corners inside their outline.
        let mut corners = vec![Vec3::new(0.0, 0.0, -1.0)];
        corners.extend((0..12).map(|_| {
            let (x, y) = (random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            Vec3::new(x, y, -1e-7 * (x * x + y * y))
        }));
        let dome = Polyhedron::from_points(&corners).unwrap();
        let place = Vec3::new(random.range(-0.5, 0.5), random.range(-0.5, 0.5), 0.09);
        let pose = Pose::from_axis_angle(place, random.direction(), random.range(0.0, 0.3)).unwrap();
        let shape = ConvexShape::from(dome.clone());
        let Some(way) = minimum_translation(&shape, &Pose::identity(), &brick, &pose) else { continue };
        let is_normal =
            (0..dome.face_count()).any(|face| (dome.normal(face) - way.gap.normal).amax() < 1e-15);
        assert_eq!(is_normal, way.kind == TranslationKind::FaceOfA, "{way:?}");
        by_face += usize::from(is_normal);
    }
    assert!(by_face > 50, "{by_face}");
}
