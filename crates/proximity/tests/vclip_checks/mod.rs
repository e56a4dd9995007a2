//! What every answer of `closest_features` must satisfy, by oracles that know nothing of it, and polyhedra to ask about.

use zerogap_core::math::sin_cos;
use zerogap_core::{ContactId, Feature, Pose, Vec3};
use zerogap_geometry::{Convex, Polyhedron};
use zerogap_proximity::convex::{ClosestFeatures, ClosestStatus, closest_features};
use zerogap_testkit::exact_distance::signed_distance;
use zerogap_testkit::random::Random;

/// Largest error of the distance, against the extent of the pair [-].
pub(crate) const EXACT: f64 = 1e-14;

/// Vertices this far below a supporting plane are in it, against the reach [-].
pub(crate) const LEVEL: f64 = 1e-12;

/// Two polyhedra in their places.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) shapes: [Polyhedron; 2],
    pub(crate) poses: [Pose; 2],
}

impl Pair {
    pub(crate) fn new(a: &Polyhedron, pose_a: Pose, b: &Polyhedron, pose_b: Pose) -> Self {
        Self { shapes: [a.clone(), b.clone()], poses: [pose_a, pose_b] }
    }

    pub(crate) fn query(&self, start: Option<ContactId>) -> ClosestFeatures {
        closest_features(&self.shapes[0], &self.poses[0], &self.shapes[1], &self.poses[1], start)
    }

    pub(crate) fn swapped(&self) -> Self {
        let [a, b] = &self.shapes;
        Self::new(b, self.poses[1], a, self.poses[0])
    }

    pub(crate) fn moved(&self, by: &Pose) -> Self {
        Self { shapes: self.shapes.clone(), poses: self.poses.map(|pose| *by * pose) }
    }

    /// The length that errors are measured against [m].
    pub(crate) fn extent(&self) -> f64 {
        let [p, q] = self.poses.map(|pose| pose.translation());
        self.shapes[0].reach() + self.shapes[1].reach() + (q - p).norm()
    }

    /// The exact signed distance, as an interval of neighbouring numbers [m].
    pub(crate) fn exact(&self) -> [f64; 2] {
        let [a, b] = &self.shapes;
        let found = signed_distance(a.vertices(), &self.poses[0], b.vertices(), &self.poses[1]);
        [found.lo, found.hi]
    }

    /// Any pair of features of these polyhedra.
    pub(crate) fn random_start(&self, random: &mut Random) -> ContactId {
        let [a, b] = [0, 1].map(|k| {
            let shape = &self.shapes[k];
            match random.index(3) {
                0 => Feature::Vertex(random.index(shape.vertices().len()) as u32),
                1 => Feature::Edge(random.index(shape.edge_count()) as u32),
                _ => Feature::Face(random.index(shape.face_count()) as u32),
            }
        });
        ContactId { a, b }
    }

    /// How many features both have.
    pub(crate) fn feature_count(&self) -> usize {
        self.shapes.iter().map(|shape| 2 * shape.edge_count() + 2).sum()
    }
}

/// What is needed to ask again.
impl std::fmt::Debug for Pair {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (shape, pose) in self.shapes.iter().zip(&self.poses) {
            let corners: Vec<[f64; 3]> = shape.vertices().iter().map(|v| [v.x, v.y, v.z]).collect();
            let at = pose.translation();
            let quaternion = pose.quaternion_xyzw();
            write!(out, "\n  hull of {corners:?} at {:?}, quaternion {quaternion:?}", [at.x, at.y, at.z])?;
        }
        Ok(())
    }
}

/// The vertices of a feature.
pub(crate) fn vertices_of(shape: &Polyhedron, feature: Feature) -> Vec<u32> {
    match feature {
        Feature::Vertex(vertex) => vec![vertex],
        Feature::Edge(edge) => shape.edges()[edge as usize].vertices.to_vec(),
        Feature::Face(face) => shape.face_vertices(face as usize).to_vec(),
        Feature::Surface(_) => panic!("polyhedra have no curved surface"),
    }
}

fn dimension(feature: Feature) -> usize {
    match feature {
        Feature::Vertex(_) => 0,
        Feature::Edge(_) => 1,
        Feature::Face(_) | Feature::Surface(_) => 2,
    }
}

/// The largest dimension of a feature whose vertices all lie within `room` below the supporting plane, by a look at all of them.
fn brute_dimension(shape: &Polyhedron, direction: &Vec3, room: f64) -> usize {
    let heights: Vec<f64> = shape.vertices().iter().map(|vertex| direction.dot(vertex)).collect();
    let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_level = |vertex: &u32| heights[*vertex as usize] >= top - room;
    if (0..shape.face_count()).any(|face| shape.face_vertices(face).iter().all(is_level)) {
        2
    } else {
        usize::from(shape.edges().iter().any(|edge| edge.vertices.iter().all(is_level)))
    }
}

/// Checks a lifted feature against a look at all vertices; what lies between half and twice the room may count or not.
#[track_caller]
pub(crate) fn check_lifted(
    shape: &Polyhedron,
    direction: &Vec3,
    feature: Feature,
    tell: &dyn Fn() -> String,
) {
    let room = LEVEL * shape.reach();
    let [least, most] = [0.5, 2.0].map(|factor| brute_dimension(shape, direction, factor * room));
    let found = dimension(feature);
    assert!((least..=most).contains(&found), "{feature} is not all that is level, {least}: {}", tell());
    let top = shape.vertices().iter().map(|v| direction.dot(v)).fold(f64::NEG_INFINITY, f64::max);
    for vertex in vertices_of(shape, feature) {
        let below = top - direction.dot(&shape.vertices()[vertex as usize]);
        assert!(below <= 2.0 * room, "{feature} has vertex {vertex} {below:e} below: {}", tell());
    }
}

/// Everything that can be said about an answer against the exact distance.
#[track_caller]
pub(crate) fn check_against(name: &str, pair: &Pair, near: &ClosestFeatures, [lo, hi]: [f64; 2]) {
    let tell = || format!("{name}: {near:?}\n  exact {lo:e} of {pair:?}");
    let extent = pair.extent();
    let world = extent + pair.poses[0].translation().norm();
    assert!((near.normal.norm() - 1.0).abs() <= 16.0 * f64::EPSILON, "no unit normal: {}", tell());
    assert!(near.distance.is_finite() && near.point_a.iter().all(|c| c.is_finite()), "{}", tell());
    for (k, feature) in [near.found.a, near.found.b].into_iter().enumerate() {
        assert!(!vertices_of(&pair.shapes[k], feature).is_empty());
    }
    if near.status == ClosestStatus::Overlap {
        assert!(lo <= EXACT * extent, "no overlap: {}", tell());
        assert!(near.distance == 0.0, "{}", tell());
        return;
    }
    // Touching within the tolerance may be called either.
    assert!(hi >= -EXACT * extent, "an overlap: {}", tell());
    let error = (near.distance - hi).max(lo - near.distance);
    assert!(error <= EXACT * extent, "off by {:e} of the extent: {}", error / extent, tell());
    let rest = near.point_b - near.point_a - near.normal * near.distance;
    assert!(rest.norm() <= 1e-14 * world, "points off the normal: {}", tell());
    for (k, point) in [near.point_a, near.point_b].iter().enumerate() {
        let outside = pair.shapes[k].closest_point(&pair.poses[k].inverse_transform_point(point)).gap;
        assert!(outside <= 1e-13 * world, "point {k} lies {outside:e} outside: {}", tell());
    }
    for (k, (feature, direction)) in
        [(near.features.a, near.normal), (near.features.b, -near.normal)].into_iter().enumerate()
    {
        let direction = pair.poses[k].inverse_transform_vector(&direction);
        check_lifted(&pair.shapes[k], &direction, feature, &tell);
    }
    // The pair that the walk ended in is as near as the polyhedra.
    if near.by_walk {
        let corners = |k: usize, feature| -> Vec<Vec3> {
            let shape = &pair.shapes[k];
            vertices_of(shape, feature).iter().map(|v| shape.vertices()[*v as usize]).collect()
        };
        let (a, b) = (corners(0, near.found.a), corners(1, near.found.b));
        let own = signed_distance(&a, &pair.poses[0], &b, &pair.poses[1]);
        assert!((own.lo - near.distance).abs() <= EXACT * extent, "found is {:e} apart: {}", own.lo, tell());
        let is_end = dimension(near.found.a) + dimension(near.found.b) <= 2;
        assert!(is_end, "no pair that a walk ends in: {}", tell());
    }
}

/// A query and its check.
#[track_caller]
pub(crate) fn check(name: &str, pair: &Pair, start: Option<ContactId>) -> ClosestFeatures {
    let near = pair.query(start);
    check_against(name, pair, &near, pair.exact());
    near
}

/// A box of full size [m].
pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Polyhedron {
    let corners: Vec<Vec3> = (0..8)
        .map(|k| {
            let half = |bit: usize, size: f64| if k >> bit & 1 == 1 { 0.5 * size } else { -0.5 * size };
            Vec3::new(half(0, x), half(1, y), half(2, z))
        })
        .collect();
    Polyhedron::from_points(&corners).unwrap()
}

/// The hull of random points on the unit sphere, stretched.
pub(crate) fn stone(random: &mut Random, count: usize, stretch: &Vec3) -> Polyhedron {
    loop {
        let points: Vec<Vec3> = (0..count).map(|_| random.direction().component_mul(stretch)).collect();
        if let Ok(polyhedron) = Polyhedron::from_points(&points) {
            return polyhedron;
        }
    }
}

/// A prism over a regular polygon of circumradius 1, of height 1.
pub(crate) fn prism(sides: usize) -> Polyhedron {
    let corner = |k: usize| {
        let (sin, cos) = sin_cos(std::f64::consts::TAU * (k / 2) as f64 / sides as f64);
        Vec3::new(cos, sin, if k.is_multiple_of(2) { -0.5 } else { 0.5 })
    };
    let corners: Vec<Vec3> = (0..2 * sides).map(corner).collect();
    Polyhedron::from_points(&corners).unwrap()
}

/// A pose with a random turn, in a cube of half side `reach` [m].
pub(crate) fn random_pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.in_cube(reach), random.quaternion_xyzw()).unwrap()
}

/// The pair with B moved so that the supports along the unit vector `n` are `gap` apart, one straight over the other [m].
pub(crate) fn set_apart(pair: &Pair, n: &Vec3, gap: f64) -> Pair {
    let top = |k: usize, n: Vec3| {
        let local = pair.poses[k].inverse_transform_vector(&n);
        let vertex = pair.shapes[k].support_vertex(&local, &mut zerogap_geometry::SupportHint::default());
        pair.poses[k].transform_point(&pair.shapes[k].vertices()[vertex as usize])
    };
    let by = top(0, *n) + n * gap - top(1, -n);
    let mut moved = pair.clone();
    moved.poses[1] = Pose::new(pair.poses[1].translation() + by, pair.poses[1].quaternion_xyzw()).unwrap();
    moved
}
