//! Questions about meshes allocate nothing once the memory is there.

mod mesh_samples;

use mesh_samples::{blob, pose_at, torus};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::{HalfSpace, Sphere};
use zerogap_proximity::mesh::{
    MeshBody, MeshContactParams, MeshDistanceParams, MeshOperand, MeshWork, Order, crossing_pairs_into,
    mesh_contacts_into, mesh_distance, mesh_intersects,
};
use zerogap_testkit::allocations::{Counting, allocations};
use zerogap_testkit::random::Random;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn questions_allocate_nothing_after_the_first_round() {
    let mut random = Random::new(31);
    let (ring, ball) = (MeshBody::new(torus(24, 16, 1.0, 0.3, 0.02)), MeshBody::new(blob(16, 12)));
    let (sphere, floor): (ConvexShape, _) =
        (Sphere::new(0.4).unwrap().into(), HalfSpace::new(Vec3::z(), -0.3).unwrap());
    let poses: Vec<Pose> = (0..30).map(|k| pose_at(&mut random, 0.1 * f64::from(k))).collect();
    let (mut work, mut contacts, mut pairs) = (MeshWork::default(), Vec::new(), Vec::new());
    let mut round = || {
        let mut sum = 0.0;
        for pose in &poses {
            for other in [
                MeshOperand::Mesh(&ring),
                MeshOperand::Mesh(&ball),
                MeshOperand::Convex(&sphere),
                MeshOperand::HalfSpace(&floor),
            ] {
                for order in [Order::DepthFirst, Order::BestFirst] {
                    let params = MeshDistanceParams { order, ..MeshDistanceParams::default() };
                    let found =
                        mesh_distance((&ring).into(), pose, other, &Pose::identity(), &params, &mut work);
                    sum += found.unwrap().gap;
                }
                let params = MeshContactParams::within(0.05);
                let done = mesh_contacts_into(
                    (&ring).into(),
                    pose,
                    other,
                    &Pose::identity(),
                    &params,
                    &mut work,
                    &mut contacts,
                );
                assert!(done.is_ok());
                sum += contacts.iter().map(|contact| contact.gap).sum::<f64>();
                sum += f64::from(u8::from(
                    mesh_intersects((&ring).into(), pose, other, &Pose::identity(), &mut work).unwrap(),
                ));
            }
            crossing_pairs_into(&ring, pose, &ball, &Pose::identity(), &mut work, &mut pairs);
            sum += pairs.len() as f64;
        }
        sum
    };
    let first = round();
    let before = allocations();
    let second = round();
    assert_eq!(allocations() - before, 0);
    assert_eq!(first.to_bits(), second.to_bits());
}
