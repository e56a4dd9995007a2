//! The distance of meshes: against all pairs of triangles, with every bounding volume, interrupted at every budget.

mod mesh_samples;

use std::sync::Arc;

use mesh_samples::{blob, pose_at, shared_meshes, soup, torus};
use zerogap_core::{GapStatus, Pose, Vec3};
use zerogap_geometry::TriangleMesh;
use zerogap_proximity::bvh::{AxisBox, Ball, BoundingVolume, BuildParams, Dop, Obb, SplitRule};
use zerogap_proximity::mesh::{
    MeshBody, MeshDistance, MeshDistanceParams, MeshSearch, MeshWork, Order, surface_distance,
    triangle_distance,
};
use zerogap_testkit::brute::largest_separation;
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// The least distance of all pairs of triangles [m], by nothing but the distance of two triangles.
fn brute(a: &TriangleMesh, pose_a: &Pose, b: &TriangleMesh, pose_b: &Pose) -> f64 {
    let place = |mesh: &TriangleMesh, pose: &Pose| -> Vec<[Vec3; 3]> {
        mesh.corner_triples().map(|t| t.map(|p| pose.transform_point(&p))).collect()
    };
    let (a, b) = (place(a, pose_a), place(b, pose_b));
    let mut best = f64::INFINITY;
    for x in &a {
        for y in &b {
            best = best.min(triangle_distance(x, y).distance);
        }
    }
    best
}

/// Everything an answer promises beside the value.
fn check(answer: &MeshDistance, exact: f64, size: f64) {
    assert!((answer.gap - exact).abs() <= 1e-14 * size, "{} for {exact}", answer.gap);
    assert!(
        answer.lower <= exact + 1e-15 * size && exact <= answer.upper + 1e-15 * size,
        "{answer:?} for {exact}"
    );
    assert!((answer.normal.norm() - 1.0).abs() < 1e-14);
    let off = answer.point_b - answer.point_a - answer.normal * answer.gap;
    assert!(off.norm() <= 4e-14 * size, "{answer:?}");
    assert_eq!(answer.status, GapStatus::Exact);
}

fn ask<V: BoundingVolume>(
    a: &Arc<TriangleMesh>,
    pose_a: &Pose,
    b: &Arc<TriangleMesh>,
    pose_b: &Pose,
    rule: SplitRule,
    order: Order,
) -> MeshDistance {
    let build = BuildParams { rule, ..BuildParams::default() };
    let (a, b) = (MeshBody::<V>::with(a.clone(), &build), MeshBody::<V>::with(b.clone(), &build));
    let params = MeshDistanceParams { order, ..MeshDistanceParams::default() };
    surface_distance(&a, pose_a, &b, pose_b, &params, &mut MeshWork::default())
}

/// Two meshes and how they stand: apart, crossing, touching and interlocked in turn.
fn pair(random: &mut Random, k: usize) -> (TriangleMesh, Pose, TriangleMesh, Pose) {
    let here = Pose::new(random.in_cube(0.1), random.quaternion_xyzw()).unwrap();
    match k % 5 {
        0 => (soup(random, 40, 0.05), here, soup(random, 60, 0.01), pose_at(random, 2.5)),
        1 => (soup(random, 30, 0.001), here, torus(12, 8, 1.0, 0.3, 0.05), pose_at(random, 1.0)),
        2 => {
            // Links of a chain, near the pose where the least distance is reached along a whole curve.
            let ring = torus(14, 9, 1.0, 0.25, 0.0);
            let place = Vec3::new(1.0, 0.0, 0.0) + random.in_cube(0.05);
            let link = Pose::from_axis_angle(place, Vec3::x(), std::f64::consts::FRAC_PI_2).unwrap();
            (ring.clone(), Pose::identity(), ring, link)
        }
        3 => {
            // Touching: moved by exactly the distance that was found.
            let (a, b) = (blob(9, 7), torus(10, 7, 1.0, 0.4, 0.03));
            let apart = pose_at(random, 3.0);
            let found = surface_distance(
                &MeshBody::<Obb>::new(a.clone()),
                &here,
                &MeshBody::new(b.clone()),
                &apart,
                &MeshDistanceParams::default(),
                &mut MeshWork::default(),
            );
            let touching =
                Pose::new(apart.translation() - (found.point_b - found.point_a), apart.quaternion_xyzw());
            (a, here, b, touching.unwrap())
        }
        _ => {
            let far = random.range(1.5, 4.0);
            (blob(10, 8), here, torus(12, 8, 1.0, 0.4, 0.03), pose_at(random, far))
        }
    }
}

#[test]
fn two_triangles_are_as_far_apart_as_the_best_direction_says() {
    let mut random = Random::new(11);
    for k in 0..count(3_000, 300_000) {
        let scale = [1.0, 1e-9, 1e9][k % 3];
        let size = [1.0, 0.1, 1e-3][k / 3 % 3];
        let mut triangle = |at: Vec3| -> [Vec3; 3] {
            let p = [random.in_cube(size), random.in_cube(size), random.in_cube(size)];
            let flat = match k % 7 {
                0 => [p[0], p[1], 0.5 * (p[0] + p[1])],
                1 => [p[0]; 3],
                _ => p,
            };
            flat.map(|q| (q + at) * scale)
        };
        let a = triangle(Vec3::zeros());
        let b = triangle(Vec3::new(0.3 * (k % 11) as f64 * size, 0.1, 0.0));
        let found = triangle_distance(&a, &b);
        let exact = largest_separation(&a, &b);
        let largest = a.iter().chain(&b).map(Vec3::amax).fold(0.0, f64::max);
        if exact > 1e-13 * largest {
            assert!((found.distance - exact).abs() <= 2e-14 * largest, "{found:?} for {exact}: {a:?} {b:?}");
        } else {
            assert!(found.distance <= 1e-13 * largest, "{found:?} for {exact}: {a:?} {b:?}");
        }
        assert!(((found.point_b - found.point_a).norm() - found.distance).abs() <= 1e-15 * largest);
    }
}

#[test]
fn the_distance_of_meshes_is_the_least_of_all_pairs_of_triangles() {
    let mut random = Random::new(1);
    for k in 0..200 {
        let (a, pose_a, b, pose_b) = pair(&mut random, k);
        let exact = brute(&a, &pose_a, &b, &pose_b);
        let (a, b) = (Arc::new(a), Arc::new(b));
        let order = if k % 2 == 0 { Order::DepthFirst } else { Order::BestFirst };
        check(&ask::<Obb>(&a, &pose_a, &b, &pose_b, SplitRule::Longest, order), exact, 8.0);
        let back = ask::<Obb>(&b, &pose_b, &a, &pose_a, SplitRule::Longest, order);
        assert!((back.gap - exact).abs() <= 1e-14 * 8.0);
    }
}

#[test]
fn every_bounding_volume_and_rule_gives_the_same_answer() {
    let mut random = Random::new(2);
    for k in 0..count(25, 400) {
        let (a, pose_a, b, pose_b) = pair(&mut random, k);
        let exact = brute(&a, &pose_a, &b, &pose_b);
        let (a, b) = (Arc::new(a), Arc::new(b));
        for rule in [SplitRule::Longest, SplitRule::SmallestVolumes, SplitRule::SurfaceArea] {
            for order in [Order::DepthFirst, Order::BestFirst] {
                check(&ask::<Ball>(&a, &pose_a, &b, &pose_b, rule, order), exact, 8.0);
                check(&ask::<AxisBox>(&a, &pose_a, &b, &pose_b, rule, order), exact, 8.0);
                check(&ask::<Obb>(&a, &pose_a, &b, &pose_b, rule, order), exact, 8.0);
                check(&ask::<Dop<7>>(&a, &pose_a, &b, &pose_b, rule, order), exact, 8.0);
                check(&ask::<Dop<9>>(&a, &pose_a, &b, &pose_b, rule, order), exact, 8.0);
                check(&ask::<Dop<13>>(&a, &pose_a, &b, &pose_b, rule, order), exact, 8.0);
            }
        }
    }
}

fn anytime<V: BoundingVolume>(a: &TriangleMesh, pose_a: &Pose, b: &TriangleMesh, pose_b: &Pose, exact: f64) {
    let (a, b) = (MeshBody::<V>::new(a.clone()), MeshBody::<V>::new(b.clone()));
    for order in [Order::BestFirst, Order::DepthFirst] {
        let mut work = MeshWork::default();
        let params = MeshDistanceParams { order, budget: 1, ..MeshDistanceParams::default() };
        let mut search = MeshSearch::new(&a, pose_a, &b, pose_b, &params, &mut work);
        let (mut lower, mut upper, mut steps) = (0.0, f64::INFINITY, 0);
        let last = loop {
            let now = search.run(&params);
            assert!(now.lower >= lower && now.upper <= upper, "{now:?} after [{lower}, {upper}]");
            assert!(now.lower <= exact + 1e-14 && exact <= now.upper + 1e-14, "{now:?} for {exact}");
            (lower, upper) = (now.lower, now.upper);
            steps += 1;
            if now.status != GapStatus::Limited {
                break now;
            }
        };
        check(&last, exact, 8.0);
        assert!(steps < 100_000);
        // The same budget in one go ends in the same place.
        let whole = MeshDistanceParams { budget: steps / 2, ..params };
        let half = surface_distance(&a, pose_a, &b, pose_b, &whole, &mut work);
        assert!(half.lower <= exact + 1e-14 && exact <= half.upper + 1e-14);
    }
}

#[test]
fn bounds_only_improve_and_hold_the_truth_at_every_budget() {
    let mut random = Random::new(3);
    for k in 0..count(20, 200) {
        let (a, pose_a, b, pose_b) = pair(&mut random, k);
        let exact = brute(&a, &pose_a, &b, &pose_b);
        anytime::<Obb>(&a, &pose_a, &b, &pose_b, exact);
        anytime::<Ball>(&a, &pose_a, &b, &pose_b, exact);
        anytime::<Dop<9>>(&a, &pose_a, &b, &pose_b, exact);
    }
}

#[test]
fn every_rule_that_ends_the_search_early_keeps_its_word() {
    let mut random = Random::new(4);
    let mut work = MeshWork::default();
    for k in 0..count(60, 600) {
        let (a, pose_a, b, pose_b) = pair(&mut random, k);
        let (a, b) = (MeshBody::<Obb>::new(a), MeshBody::<Obb>::new(b));
        let mut ask =
            |params: &MeshDistanceParams| surface_distance(&a, &pose_a, &b, &pose_b, params, &mut work);
        let exact = ask(&MeshDistanceParams::default());
        for order in [Order::DepthFirst, Order::BestFirst] {
            let usual = MeshDistanceParams { order, ..MeshDistanceParams::default() };
            let holds =
                |found: &MeshDistance| found.lower <= exact.gap + 1e-14 && exact.gap <= found.upper + 1e-14;
            let near = ask(&MeshDistanceParams { absolute: 0.05, ..usual });
            assert!(holds(&near) && near.upper - near.lower <= 0.05 + 1e-12, "{near:?}");
            let near = ask(&MeshDistanceParams { relative: 0.1, ..usual });
            assert!(holds(&near) && near.upper <= 1.1 * near.lower + 1e-12, "{near:?}");
            let far = ask(&MeshDistanceParams { farther_than: 0.5 * exact.gap, ..usual });
            assert!(holds(&far), "{far:?} for {exact:?}");
            if exact.gap > 1e-9 {
                assert_eq!(far.status, GapStatus::Farther);
                assert!(far.lower >= 0.5 * exact.gap - 1e-12);
                let near = ask(&MeshDistanceParams { nearer_than: 1.5 * exact.gap, ..usual });
                assert!(holds(&near) && near.gap < 1.5 * exact.gap);
            }
            // The witness of the exact answer primes the next query.
            let again = ask(&usual);
            let primed = ask(&MeshDistanceParams { coherent: true, ..usual });
            assert!((primed.gap - exact.gap).abs() <= 1e-14, "{primed:?} for {exact:?}");
            assert!(exact.gap == 0.0 || primed.measured <= again.measured + 1, "{primed:?} after {again:?}");
        }
    }
}

#[test]
fn known_distances() {
    let cube = |at: Vec3, angle: f64| {
        let mesh =
            zerogap_geometry::parts::by_name("box", &[("width", "1 m"), ("depth", "1 m"), ("height", "1 m")])
                .unwrap();
        (MeshBody::<Obb>::new(mesh), Pose::from_axis_angle(at, Vec3::z(), angle).unwrap())
    };
    let ask = |(a, pose_a): &(MeshBody, Pose), (b, pose_b): &(MeshBody, Pose)| {
        surface_distance(a, pose_a, b, pose_b, &MeshDistanceParams::default(), &mut MeshWork::default())
    };
    let here = cube(Vec3::zeros(), 0.0);
    let beside = ask(&here, &cube(Vec3::new(3.0, 0.0, 0.0), 0.0));
    assert!((beside.gap - 2.0).abs() < 1e-15 && (beside.normal - Vec3::x()).norm() < 1e-15);
    let turned = ask(&here, &cube(Vec3::new(3.0, 0.0, 0.0), std::f64::consts::FRAC_PI_4));
    assert!((turned.gap - (2.5 - std::f64::consts::FRAC_1_SQRT_2)).abs() < 1e-14);
    // Interlocked tori: 1 - 2 r along a whole curve; a mesh is off by the square of its edges.
    for n in [24, 48, 96] {
        let ring = MeshBody::<Obb>::new(torus(2 * n, n, 1.0, 0.25, 0.0));
        let link = Pose::from_axis_angle(Vec3::x(), Vec3::x(), std::f64::consts::FRAC_PI_2).unwrap();
        let found = ask(&(ring, Pose::identity()), &(MeshBody::new(torus(2 * n, n, 1.0, 0.25, 0.0)), link));
        let edge = std::f64::consts::TAU / n as f64;
        assert!((found.gap - 0.5).abs() < 0.5 * edge * edge, "{} with {n}", found.gap);
    }
}

#[test]
fn far_away_and_tiny_meshes_keep_their_digits() {
    let mut random = Random::new(5);
    for scale in [1e-30, 1e-9, 1.0, 1e9, 1e40] {
        for far in [0.0, 1e6] {
            let (a, b) = (blob(8, 6), torus(8, 6, 1.0, 0.4, 0.03));
            let inflated = |mesh: &TriangleMesh| {
                let move_by = Vec3::new(far, -far, 0.5 * far);
                let vertices = mesh.vertices().iter().map(|p| (p + move_by) * scale).collect();
                TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
            };
            let (a, b) = (Arc::new(inflated(&a)), Arc::new(inflated(&b)));
            let pose = Pose::from_translation(random.direction() * 3.0 * scale).unwrap();
            let exact = brute(&a, &Pose::identity(), &b, &pose);
            let found = ask::<Obb>(&a, &Pose::identity(), &b, &pose, SplitRule::Longest, Order::DepthFirst);
            check(&found, exact, (8.0 + 4.0 * far) * scale);
            // So far from each other that single precision would blur their shapes.
            let pose = Pose::from_translation(random.direction() * 1e5 * scale).unwrap();
            let exact = brute(&a, &Pose::identity(), &b, &pose);
            let found =
                ask::<Obb>(&a, &Pose::identity(), &b, &pose, SplitRule::SurfaceArea, Order::DepthFirst);
            check(&found, exact, (2e5 + 4.0 * far) * scale);
            assert!(found.pops < 2000, "{found:?}");
        }
    }
}

#[test]
fn meshes_of_the_shared_folder_have_the_distance_of_all_pairs() {
    let mut random = Random::new(6);
    let names = [
        "battery.stl",
        "feeder_item.obj",
        "hole_round_8mm.obj",
        "peg_round_8mm.obj",
        "hole_rect_8mm.obj",
        "peg_rect_8mm.obj",
    ];
    let Some(meshes) = shared_meshes(&names) else { return };
    for k in 0..count(5, 60) {
        let (a, b) = (&meshes[k % meshes.len()], &meshes[(k * 7 + 3) % meshes.len()]);
        let size = a.bounding_box().diagonal() + b.bounding_box().diagonal();
        let here = Pose::new(Vec3::zeros(), random.quaternion_xyzw()).unwrap();
        let factor = random.range(0.1, 0.8);
        let there = pose_at(&mut random, factor * size);
        let exact = brute(a, &here, b, &there);
        let found = ask::<Obb>(
            &a.clone().into(),
            &here,
            &b.clone().into(),
            &there,
            SplitRule::Longest,
            Order::DepthFirst,
        );
        check(&found, exact, 4.0 * size);
    }
}
