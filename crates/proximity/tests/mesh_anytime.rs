//! Searches for the distance of meshes in slices: every slice narrows the bounds, every volume and rule ends at the same distance.

use std::sync::Arc;
use std::time::Duration;

use zerogap_core::{GapStatus, Pose, Vec3};
use zerogap_geometry::parts;
use zerogap_proximity::bvh::{BuildParams, SplitRule};
use zerogap_proximity::mesh::{
    AnytimeDistance, MeshBody, MeshDistanceParams, MeshVolume, MeshWork, Order, SearchBudget, mesh_distance,
};
use zerogap_testkit::random::Random;

#[test]
fn slices_narrow_the_bounds_to_the_distance_of_one_search() {
    let mut random = Random::new(2);
    let gear = Arc::new(parts::by_name("gear", &[]).unwrap());
    let body = MeshBody::new(Arc::clone(&gear));
    let size = body.bounds().diagonal();
    for round in 0..12 {
        let axis = random.in_cube(1.0) + Vec3::z() * 2.0;
        let offset = random.in_cube(1.0).normalize() * size * random.range(0.5, 1.2);
        let poses = [Pose::identity(), Pose::from_axis_angle(offset, axis, random.range(0.0, 3.0)).unwrap()];
        let whole = mesh_distance(
            (&body).into(),
            &poses[0],
            (&body).into(),
            &poses[1],
            &MeshDistanceParams::default(),
            &mut MeshWork::default(),
        )
        .unwrap();
        let volume = MeshVolume::ALL[round % 6];
        let rule = [SplitRule::Longest, SplitRule::SmallestVolumes, SplitRule::SurfaceArea][round % 3];
        for order in [Order::BestFirst, Order::DepthFirst] {
            let params = MeshDistanceParams { order, ..MeshDistanceParams::default() };
            let build = BuildParams { rule, leaf: 1 + (round % 3) as u32 };
            let meshes = [Arc::clone(&gear), Arc::clone(&gear)];
            let mut search = AnytimeDistance::new(meshes, poses, volume, &build, params);
            let (mut lower, mut upper, mut slices) = (f64::NEG_INFINITY, f64::INFINITY, 0);
            let last = loop {
                let found = search.advance(&SearchBudget { pairs: 3, ..SearchBudget::default() });
                slices += 1;
                assert!(found.lower >= lower - 1e-15 && found.upper <= upper + 1e-15, "{volume:?} {order:?}");
                assert!(found.lower <= whole.upper && whole.lower <= found.upper);
                (lower, upper) = (found.lower, found.upper);
                assert!(found.pops <= 3 * slices);
                if found.status != GapStatus::Limited {
                    break found;
                }
            };
            assert!((last.gap - whole.gap).abs() <= 1e-12 * size, "{volume:?} {rule:?} {order:?}");
            // More time finds nothing more.
            let again = search.advance(&SearchBudget::default());
            assert_eq!((again.gap.to_bits(), again.pops), (last.gap.to_bits(), last.pops));
        }
    }
}

#[test]
fn a_budget_of_no_time_still_has_true_bounds() {
    let gear = Arc::new(parts::by_name("gear", &[]).unwrap());
    let beside = Pose::from_translation(Vec3::new(0.2, 0.0, 0.0)).unwrap();
    let params = MeshDistanceParams { order: Order::BestFirst, ..MeshDistanceParams::default() };
    let new = || {
        let meshes = [Arc::clone(&gear), Arc::clone(&gear)];
        AnytimeDistance::new(
            meshes,
            [Pose::identity(), beside],
            MeshVolume::Balls,
            &BuildParams::default(),
            params,
        )
    };
    let exact = new().advance(&SearchBudget::default());
    let none = new().advance(&SearchBudget { time: Duration::ZERO, ..SearchBudget::default() });
    assert!(none.lower <= exact.gap && exact.gap <= none.upper && none.pops <= 64);
    for word in ["balls", "boxes", "oriented-boxes", "14-dops", "18-dops", "26-dops"] {
        assert_eq!(MeshVolume::by_word(word).unwrap().word(), word);
    }
    assert!(MeshVolume::by_word("spheres").is_none());
}
