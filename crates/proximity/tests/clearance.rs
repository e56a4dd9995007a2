//! Clearance along motions, safe times, paths and all collisions of a step.

use zerogap_core::math::{acos, cos};
use zerogap_core::{Feature, Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cuboid, Sphere};
use zerogap_geometry::{ConvexShape, Polyhedron, Shape, TriangleMesh};
use zerogap_proximity::collider::Collider;
use zerogap_proximity::mesh::{MeshBody, MeshOperand};
use zerogap_proximity::motion::{
    ClearanceParams, FirstContact, Impact, ImpactParams, ImpactWork, Motion, MotionError, Path, clearance,
    mesh_clearance, mesh_safe_time, mesh_time_of_impact, path_clearance, path_time_of_impact, safe_time,
    step_collisions, time_of_impact,
};
use zerogap_proximity::{DistanceParams, distance};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn shape(random: &mut Random) -> Shape {
    match random.index(3) {
        0 => Sphere::new(random.range(0.1, 0.5)).unwrap().into(),
        1 => Cuboid::new(Vec3::from_fn(|_, _| random.range(0.05, 1.0))).unwrap().into(),
        _ => Capsule::new(random.range(0.05, 0.3), random.range(0.1, 1.0)).unwrap().into(),
    }
}

fn motion(random: &mut Random) -> Motion {
    let pose = Pose::new(random.in_cube(1.5), random.quaternion_xyzw()).unwrap();
    let velocity = random.in_cube(1.0) - pose.translation();
    Motion::about(pose, 0.3 * random.in_ball(), velocity, random.in_cube(3.0)).unwrap()
}

/// A box as a mesh.
fn block(size: f64) -> MeshBody {
    let corners = Cuboid::new(Vec3::repeat(size)).unwrap().corners();
    MeshBody::new(Polyhedron::from_points(&corners).unwrap().to_mesh())
}

/// A square of two triangles across z, with the diagonal from (-,-) to (+,+).
fn sheet(half: f64) -> MeshBody {
    let corner = |x: f64, y: f64| Vec3::new(x * half, y * half, 0.0);
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    MeshBody::new(TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap())
}

#[test]
fn the_least_gap_lies_between_the_bounds() {
    let mut random = Random::new(21);
    let mut overlaps = 0;
    for case in 0..count(150, 10_000) {
        let floor = Shape::half_space(random.direction(), random.range(-1.0, 0.5)).unwrap();
        let (a, b) = (if case % 4 == 0 { floor } else { shape(&mut random) }, shape(&mut random));
        let (motion_a, motion_b) = (motion(&mut random), motion(&mut random));
        let params = ClearanceParams::default();
        let found = clearance(&a, &motion_a, &b, &motion_b, 1.0, &params).unwrap();
        assert!(
            found.is_decided && found.upper - found.lower <= 2.0 * params.tolerance,
            "case {case}: {found:?}"
        );
        let (one, other) = (Collider::from(a.clone()), Collider::from(b.clone()));
        let gap = |t: f64| {
            distance(&one, &motion_a.pose(t), &other, &motion_b.pose(t), &DistanceParams::default())
                .unwrap()
                .gap
        };
        assert!((gap(found.t) - found.upper).abs() < 1e-9);
        for k in 0..=500 {
            let t = f64::from(k) / 500.0;
            assert!(gap(t) >= found.lower, "case {case}: {} at {t} is below {found:?}", gap(t));
        }
        overlaps += usize::from(found.upper < 0.0);
        // A planner's question takes fewer steps, and has the same answer.
        let asked = ClearanceParams { threshold: Some(0.1), ..params };
        let decided = clearance(&a, &motion_a, &b, &motion_b, 1.0, &asked).unwrap();
        assert!(decided.steps <= found.steps && (decided.lower > 0.1) == (found.lower > 0.1), "{decided:?}");
    }
    assert!(overlaps > 20);
}

#[test]
fn no_pair_meets_within_its_safe_time() {
    let mut random = Random::new(22);
    for case in 0..count(300, 30_000) {
        let floor = Shape::half_space(random.direction(), random.range(-2.0, 0.5)).unwrap();
        let (a, b) = (if case % 4 == 0 { floor } else { shape(&mut random) }, shape(&mut random));
        let (motion_a, motion_b) = (motion(&mut random), motion(&mut random));
        let safe = safe_time(&a, &motion_a, &b, &motion_b).unwrap();
        let (one, other) = (Collider::from(a.clone()), Collider::from(b.clone()));
        let start = distance(&one, motion_a.start(), &other, motion_b.start(), &DistanceParams::default())
            .unwrap()
            .gap;
        if start <= 1e-6 {
            assert!(safe <= 1e-4, "case {case}: {safe} at a gap of {start}");
            continue;
        }
        assert!(safe > 0.0);
        let duration = safe.min(10.0);
        let found = time_of_impact(&a, &motion_a, &b, &motion_b, duration, &ImpactParams::default()).unwrap();
        assert!(found.free_until(duration) >= 0.9999 * duration, "case {case}: {safe} but {found:?}");
    }
    // The formula itself: a gap of 1 at 2 m/s and 3 rad/s with a reach of 0.5.
    let (still, ball) = (Motion::fixed(Pose::identity()), Shape::sphere(0.5).unwrap());
    let across = Motion::new(at(2.0, 0.0, 0.0), Vec3::new(-2.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 3.0)).unwrap();
    let safe = safe_time(&ball, &still, &ball, &across).unwrap();
    assert!((safe - 1.0 / 3.5).abs() < 1e-12, "{safe}");
    let never = safe_time(&ball, &still, &ball, &Motion::fixed(at(2.0, 0.0, 0.0))).unwrap();
    assert!(never.is_infinite());
}

#[test]
fn meshes_have_clearances_and_safe_times() {
    let (cube, other) = (block(1.0), block(0.5));
    let still = Motion::fixed(Pose::identity());
    // Past a corner: the turned cube comes to 2 - √½ - ... of the other; compared with boxes.
    let solids: [ConvexShape; 2] = [1.0, 0.5].map(|size| Cuboid::new(Vec3::repeat(size)).unwrap().into());
    let passing = Motion::new(at(-3.0, 1.2, 0.1), Vec3::x(), Vec3::new(0.3, 0.5, 1.0)).unwrap();
    let params = ClearanceParams { tolerance: 1e-3, ..ClearanceParams::default() };
    let solid = mesh_clearance(
        MeshOperand::Convex(&solids[0]),
        &still,
        MeshOperand::Convex(&solids[1]),
        &passing,
        6.0,
        &params,
    )
    .unwrap();
    for (a, b) in [
        (MeshOperand::Mesh(&cube), MeshOperand::Mesh(&other)),
        (MeshOperand::Mesh(&cube), MeshOperand::Convex(&solids[1])),
        (MeshOperand::Convex(&solids[0]), MeshOperand::Mesh(&other)),
    ] {
        let found = mesh_clearance(a, &still, b, &passing, 6.0, &params).unwrap();
        assert!(
            found.is_decided && found.lower <= solid.upper && solid.lower <= found.upper,
            "{found:?} {solid:?}"
        );
        let safe = mesh_safe_time(a, &still, b, &passing).unwrap();
        assert!(safe > 0.5 && safe < 3.0, "{safe}");
    }
}

#[test]
fn a_path_meets_in_the_motion_that_does() {
    let ball: ConvexShape = Sphere::new(0.5).unwrap().into();
    let (still, mut work) = (Path::fixed(Pose::identity()), ImpactWork::default());
    // Round the corner, then in.
    let way = [(1.0, at(3.0, 3.0, 0.0)), (2.0, at(0.0, 3.0, 0.0)), (3.0, at(0.0, 0.0, 0.0))];
    let path = Path::through(at(3.0, -1.0, 0.0), &way).unwrap();
    let (a, b) = (MeshOperand::Convex(&ball), MeshOperand::Convex(&ball));
    let found = path_time_of_impact(&mut work, a, &still, b, &path, &ImpactParams::default()).unwrap();
    let Impact::At(meeting) = found else { panic!("{found:?}") };
    assert!(
        (meeting.t - (2.0 + 2.0 / 3.0)).abs() < 1e-7 && meeting.t_upper >= 2.0 + 2.0 / 3.0,
        "{meeting:?}"
    );
    let near = path_clearance(a, &still, b, &path, &ClearanceParams::default()).unwrap();
    assert!(near.upper <= -1.0 + 1e-6 && (near.t - 3.0).abs() < 1e-3, "{near:?}");
    let outer = Path::through(at(3.0, -1.0, 0.0), &way[..2]).unwrap();
    let near = path_clearance(a, &still, b, &outer, &ClearanceParams::default()).unwrap();
    assert!((near.upper - 2.0).abs() < 2e-6, "{near:?}");
    assert_eq!(
        path_time_of_impact(&mut work, a, &still, b, &outer, &ImpactParams::default()).unwrap(),
        Impact::Clear
    );
    let refused = Path::through(at(0.0, 0.0, 0.0), &[(1.0, at(1.0, 0.0, 0.0)), (1.0, at(2.0, 0.0, 0.0))]);
    assert!(matches!(refused, Err(MotionError::Order { piece: 1, .. })));
}

fn collisions(
    a: &MeshBody,
    motion_a: &Motion,
    b: &MeshBody,
    motion_b: &Motion,
    duration: f64,
) -> Vec<FirstContact> {
    let mut work = ImpactWork::default();
    let params = ImpactParams::default();
    let found = step_collisions(&mut work, a, motion_a, b, motion_b, duration, &params).unwrap();
    assert!(found.is_sorted_by(|x, y| x.t <= y.t));
    // The first of all is the time of impact.
    let first = mesh_time_of_impact(
        &mut work,
        MeshOperand::Mesh(a),
        motion_a,
        MeshOperand::Mesh(b),
        motion_b,
        duration,
        &params,
    );
    if let (Impact::At(meeting), Some(earliest)) = (first.unwrap(), found.first()) {
        assert!((meeting.t - earliest.t).abs() <= 1e-6 * duration, "{meeting:?} {earliest:?}");
    }
    found
}

#[test]
fn a_cube_that_falls_on_its_corner_goes_through_a_sheet_feature_by_feature() {
    let (cube, floor) = (block(1.0), sheet(4.0));
    let still = Motion::fixed(Pose::identity());
    // The space diagonal upright, a little off the middle of the sheet, so that nothing meets its diagonal.
    let axis = Vec3::new(1.0, -1.0, 0.0);
    let angle = acos(1.0 / 3.0_f64.sqrt());
    let tipped = Pose::from_axis_angle(Vec3::new(1.0, -1.3, 2.0), axis, angle).unwrap();
    let falling = Motion::new(tipped, Vec3::new(0.0, 0.0, -1.0), Vec3::zeros()).unwrap();
    let found = collisions(&floor, &still, &cube, &falling, 3.5);
    let half = 0.5 * 3.0_f64.sqrt();
    let heights = [-half, -half / 3.0, half / 3.0, half];
    let expected: Vec<f64> = heights.iter().zip([1, 3, 3, 1]).flat_map(|(z, n)| vec![2.0 + z; n]).collect();
    let vertices: Vec<&FirstContact> =
        found.iter().filter(|m| matches!(m.features.unwrap().b, Feature::Vertex(_))).collect();
    assert_eq!(vertices.len(), 8, "{found:#?}");
    for (meeting, time) in vertices.iter().zip(&expected) {
        assert!((meeting.t - time).abs() < 1e-7, "{} {time}", meeting.t);
        assert!((meeting.normal - Vec3::z()).amax() < 1e-6, "{}", meeting.normal);
        assert!(meeting.gap_rate < -0.99);
    }
}

#[test]
fn a_vertex_that_lands_on_an_edge_is_told_once() {
    let (cube, floor) = (block(1.0), sheet(4.0));
    let still = Motion::fixed(Pose::identity());
    let axis = Vec3::new(1.0, -1.0, 0.0);
    let tipped = Pose::from_axis_angle(Vec3::new(0.7, 0.7, 2.0), axis, acos(1.0 / 3.0_f64.sqrt())).unwrap();
    let falling = Motion::new(tipped, Vec3::new(0.0, 0.0, -1.0), Vec3::zeros()).unwrap();
    // Only the lowest corner reaches the sheet: on its diagonal, which two faces and the edge share.
    let found = collisions(&floor, &still, &cube, &falling, 2.0 - 0.5 * 3.0_f64.sqrt() + 0.1);
    assert_eq!(found.iter().filter(|m| m.t < 1.134).count(), 1, "{found:#?}");
}

#[test]
fn features_that_rest_or_part_are_not_told_and_those_that_press_are() {
    let (cube, floor) = (block(1.0), sheet(4.0));
    let still = Motion::fixed(Pose::identity());
    let on = |velocity: Vec3| Motion::new(at(0.5, -1.0, 0.5), velocity, Vec3::zeros()).unwrap();
    assert!(collisions(&floor, &still, &cube, &on(Vec3::zeros()), 1.0).is_empty());
    assert!(collisions(&floor, &still, &cube, &on(Vec3::z()), 1.0).is_empty());
    let pressed = collisions(&floor, &still, &cube, &on(-0.1 * Vec3::z()), 1.0);
    assert!(pressed.len() >= 4 && pressed.iter().all(|m| m.t == 0.0 && m.began_in_contact), "{pressed:#?}");
}

#[test]
fn a_point_that_turns_leaves_its_chord_by_the_sagitta() {
    let turning = Motion::new(Pose::identity(), Vec3::zeros(), Vec3::new(0.0, 0.0, 0.2)).unwrap();
    let place = |t: f64| turning.pose(t).transform_point(&Vec3::x());
    let sagitta = (place(0.5) - 0.5 * (place(0.0) + place(1.0))).norm();
    assert!((sagitta - (1.0 - cos(0.1))).abs() < 1e-15 && (sagitta - 0.004_995_8).abs() < 1e-7);
    assert!(sagitta <= 0.2 * 0.2 / 8.0);
}
