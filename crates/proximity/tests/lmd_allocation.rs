//! Queries of quasi-LMDs allocate nothing once their memory has grown.

mod lmd_checks;

use lmd_checks::{body, families};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::HalfSpace;
use zerogap_proximity::lmd::{ComplexBody, QuasiParams, QuasiWork, quasi_contacts_into};
use zerogap_testkit::allocations::{Counting, allocations};
use zerogap_testkit::solids;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_path_walked_again_allocates_nothing() {
    let mut partners: Vec<ComplexBody> = families().into_iter().map(|(_, body)| body).collect();
    partners.push(ComplexBody::half_space(HalfSpace::new(Vec3::z(), -0.6).unwrap(), 0.0).unwrap());
    let cube = body(solids::cube());
    let params = QuasiParams { within: 2.0, ..QuasiParams::default() };
    let (mut works, mut contacts) = (vec![QuasiWork::default(); partners.len()], Vec::new());
    let mut found = 0;
    let mut path = |works: &mut [QuasiWork]| {
        found = 0;
        for step in 0..60 {
            // Small steps, then a jump: lists, certificates and full checks alike.
            let along = 1e-3 * f64::from(step % 30) + if step >= 30 { 1.0 } else { 0.0 };
            let pose = Pose::from_axis_angle(Vec3::new(0.2, 0.1, along), Vec3::y(), along).unwrap();
            for (partner, work) in partners.iter().zip(works.iter_mut()) {
                quasi_contacts_into(partner, &Pose::identity(), &cube, &pose, &params, work, &mut contacts);
                found += contacts.len();
            }
        }
    };
    path(&mut works);
    let before = allocations();
    path(&mut works);
    assert_eq!(allocations() - before, 0);
    assert!(found > 100);
}
