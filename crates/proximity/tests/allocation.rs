//! Nothing is allocated once a thread has met its pairs.

use zerogap_core::{Gap, Manifold, Pose};
use zerogap_geometry::shape::{Capsule, Cuboid, Cylinder, Ellipsoid};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::collider::{Collider, ColliderPair, ContactSet, contacts_many, distance_many};
use zerogap_proximity::convex::{
    ContactCache, ContactParams, DistanceParams, PairCache, closest_features, contacts_with, distance,
    distance_with,
};
use zerogap_testkit::allocations::{Counting, allocations};
use zerogap_testkit::random::Random;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(work: impl FnOnce()) -> usize {
    let before = allocations();
    work();
    allocations() - before
}

/// Two placed shapes.
struct Query<'a> {
    a: &'a ConvexShape,
    pose_a: Pose,
    b: &'a ConvexShape,
    pose_b: Pose,
}

fn shapes(random: &mut Random) -> Vec<ConvexShape> {
    let mut hull = |count: usize| {
        let points: Vec<_> = (0..count).map(|_| random.direction()).collect();
        Polyhedron::from_points(&points).unwrap().into()
    };
    vec![
        hull(8),
        hull(200),
        Cuboid::new(zerogap_core::Vec3::new(1.0, 0.5, 2.0)).unwrap().into(),
        Capsule::new(0.3, 1.0).unwrap().into(),
        Cylinder::new(0.5, 1.0).unwrap().into(),
        Ellipsoid::new(zerogap_core::Vec3::new(1.0, 0.5, 0.7)).unwrap().into(),
    ]
}

#[test]
fn queries_allocate_nothing_after_the_first_round() {
    let mut random = Random::new(5);
    let shapes = shapes(&mut random);
    let mut pose = || Pose::new(random.in_cube(1.0), random.quaternion_xyzw()).unwrap();
    let mut queries = Vec::new();
    for a in &shapes {
        for b in &shapes {
            for _ in 0..20 {
                queries.push(Query { a, pose_a: pose(), b, pose_b: pose() });
            }
        }
    }
    let round = || queries.iter().map(|q| distance(q.a, &q.pose_a, q.b, &q.pose_b).gap).sum::<f64>();
    let first = round();
    let mut second = 0.0;
    assert_eq!(count(|| second = round()), 0);
    assert_eq!(first.to_bits(), second.to_bits());

    let mut caches: Vec<PairCache> = queries.iter().map(|_| PairCache::default()).collect();
    let params = DistanceParams::default();
    let mut warm = || {
        for (q, cache) in queries.iter().zip(&mut caches) {
            distance_with(q.a, &q.pose_a, q.b, &q.pose_b, &params, cache);
        }
    };
    warm();
    warm();
    assert_eq!(count(warm), 0);
}

#[test]
fn closest_features_allocate_nothing() {
    let mut random = Random::new(7);
    let points: Vec<_> = (0..100).map(|_| random.direction()).collect();
    let stone = Polyhedron::from_points(&points).unwrap();
    let mut pose = |reach| Pose::new(random.in_cube(reach), random.quaternion_xyzw()).unwrap();
    let poses: Vec<_> = (0..200).map(|_| (pose(0.1), pose(3.0))).collect();
    let mut by_walk = 0;
    let allocated = count(|| {
        for (here, there) in &poses {
            by_walk += usize::from(closest_features(&stone, here, &stone, there, None).by_walk);
        }
    });
    assert_eq!((allocated, by_walk), (0, poses.len()));
}

#[test]
fn a_batch_allocates_no_more_for_more_pairs() {
    let mut random = Random::new(6);
    let shapes = shapes(&mut random);
    let colliders: Vec<Collider> = shapes.into_iter().map(Collider::from).collect();
    let pairs: Vec<ColliderPair<'_>> = (0..4000)
        .map(|k| {
            let mut pose = || Pose::new(random.in_cube(1.0), random.quaternion_xyzw()).unwrap();
            ColliderPair::new(&colliders[k % 3], pose(), &colliders[k / 3 % 3], pose())
        })
        .collect();
    let mut answers: Vec<Gap> = vec![Gap::farthest(); pairs.len()];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Inside the pool, so that its own thread counts.
    let [small, large] = pool.install(|| {
        let params = DistanceParams::default();
        distance_many(&pairs, &params, &mut answers).unwrap();
        [500, 4000].map(|n| count(|| distance_many(&pairs[..n], &params, &mut answers[..n]).unwrap()))
    });
    assert!(large <= small + 2, "{small} allocations for 500 pairs, {large} for 4000");
}

#[test]
fn manifolds_allocate_nothing_after_the_first_round() {
    let mut random = Random::new(7);
    let shapes = shapes(&mut random);
    let mut queries = Vec::new();
    for a in &shapes {
        for b in &shapes {
            for k in 0..20 {
                // Every other pair unturned, so that faces lie on each other.
                let turn = if k % 2 == 0 { [0.0, 0.0, 0.0, 1.0] } else { random.quaternion_xyzw() };
                let mut pose = || Pose::new(random.in_cube(0.5), turn).unwrap();
                queries.push(Query { a, pose_a: pose(), b, pose_b: pose() });
            }
        }
    }
    let params = ContactParams::within(0.5);
    let mut pairs: Vec<(ContactCache, Manifold)> = queries.iter().map(|_| Default::default()).collect();
    let mut steps = 0.0;
    let mut warm = || {
        // Each round a little farther, so that no answer is one that was kept.
        steps += 1e-9;
        let shift = zerogap_core::Vec3::new(steps, 0.0, 0.0);
        let mut found = 0;
        for (q, (cache, manifold)) in queries.iter().zip(&mut pairs) {
            let pose = Pose::new(q.pose_b.translation() + shift, q.pose_b.quaternion_xyzw()).unwrap();
            contacts_with(q.a, &q.pose_a, q.b, &pose, &params, cache, manifold);
            found += manifold.contacts.len();
        }
        found
    };
    // Twice for the memory of both ways that an answer takes, with a search and without, and once more for what swings between them.
    for _ in 0..3 {
        warm();
    }
    assert!(warm() > queries.len());
    assert_eq!(
        count(|| {
            warm();
        }),
        0
    );

    // Without a cache the memory is the thread's, and that of the answers.
    let colliders: Vec<[Collider; 2]> =
        queries.iter().map(|q| [q.a, q.b].map(|shape| Collider::from(shape.clone()))).collect();
    let pairs: Vec<ColliderPair<'_>> = queries
        .iter()
        .zip(&colliders)
        .map(|(q, [a, b])| ColliderPair::new(a, q.pose_a, b, q.pose_b))
        .collect();
    let mut answers = vec![ContactSet::default(); queries.len()];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut round = || pool.install(|| count(|| contacts_many(&pairs, &params, &mut answers).unwrap()));
    round();
    assert_eq!(round(), 0);
}
