//! What holds for quasi-LMDs of any two bodies: the hierarchy finds what all pairs of faces do, whichever way it was built; swapping, moving both bodies and widening
//! the angular tolerance do what they must; the nearest one is the distance; contacts survive small motions.

mod lmd_checks;

use lmd_checks::{at, body, degrees, families, find, plane};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::complex::Simplex;
use zerogap_geometry::shape::{Point, Segment, Triangle};
use zerogap_geometry::{Complex, ConvexShape};
use zerogap_proximity::convex;
use zerogap_proximity::lmd::{
    ComplexBody, QuasiContact, QuasiParams, QuasiStatus, QuasiWork, Splitting, quasi_contacts,
    quasi_contacts_brute, quasi_contacts_into,
};
use zerogap_testkit::random::Random;
use zerogap_testkit::{count, solids};

const THETAS: [f64; 4] = [0.0, 1.0, 5.0, 15.0];

fn pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.in_cube(reach), random.quaternion_xyzw()).unwrap()
}

/// A turn that makes faces parallel to each other, and a shift: what random poses never are.
fn aligned(random: &mut Random, reach: f64) -> Pose {
    let axis = Vec3::ith(random.index(3), 1.0);
    let angle = 45_f64.to_radians() * random.index(8) as f64;
    Pose::from_axis_angle(random.in_cube(reach), axis, angle).unwrap()
}

/// Two bodies and their poses, every other one aligned.
fn pairs(cases: usize, seed: u64) -> Vec<(ComplexBody, Pose, ComplexBody, Pose)> {
    let families = families();
    let mut random = Random::new(seed);
    (0..cases)
        .map(|case| {
            let [a, b] = [0, 1].map(|_| families[random.index(families.len())].1.clone());
            let (pose_a, pose_b) = if case % 2 == 0 {
                (pose(&mut random, 0.5), pose(&mut random, 2.0))
            } else {
                (aligned(&mut random, 0.5), aligned(&mut random, 2.0))
            };
            (a, pose_a, b, pose_b)
        })
        .collect()
}

#[test]
fn the_hierarchy_finds_what_all_pairs_of_faces_do() {
    let splittings = [Splitting::Position, Splitting::Alternate, Splitting::ByClass];
    let mut contacts = 0;
    for (case, (a, pose_a, b, pose_b)) in pairs(count(120, 1000), 1).into_iter().enumerate() {
        let splitting = splittings[case % 3];
        let a = ComplexBody::with_splitting(a.complex().unwrap().clone(), splitting);
        for angular_tolerance in THETAS {
            for within in [f64::INFINITY, 0.7] {
                let params = QuasiParams { within, ..degrees(angular_tolerance) };
                let (found, _) = quasi_contacts(&a, &pose_a, &b, &pose_b, &params);
                assert_eq!(found, quasi_contacts_brute(&a, &pose_a, &b, &pose_b, &params), "case {case}");
                let threads = QuasiParams { parallel: true, ..params };
                assert_eq!(found, quasi_contacts(&a, &pose_a, &b, &pose_b, &threads).0, "case {case}");
                contacts += found.len();
            }
        }
    }
    println!("{contacts} contacts");
    assert!(contacts > 1000);
}

/// Distances and points of a list, in an order that depends on them alone.
fn places(contacts: &[QuasiContact], swap: bool) -> Vec<(f64, Vec3, Vec3)> {
    let mut places: Vec<_> = contacts
        .iter()
        .map(|c| if swap { (c.distance, c.base_b, c.base_a) } else { (c.distance, c.base_a, c.base_b) })
        .collect();
    let key = |p: &Vec3| (1e6 * p).map(f64::round);
    places.sort_by(|p, q| {
        let (p, q) = ([key(&p.1), key(&p.2)], [key(&q.1), key(&q.2)]);
        let p = p.iter().flat_map(|v| v.iter().copied());
        let q: Vec<f64> = q.iter().flat_map(|v| v.iter().copied()).collect();
        p.zip(q)
            .map(|(x, y)| (x + 0.0).total_cmp(&(y + 0.0)))
            .find(|o| o.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    places
}

#[track_caller]
fn assert_same(found: &[(f64, Vec3, Vec3)], expected: &[(f64, Vec3, Vec3)], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (f, e) in found.iter().zip(expected) {
        let off = (f.0 - e.0).abs().max((f.1 - e.1).amax()).max((f.2 - e.2).amax());
        assert!(off <= tolerance, "{what}: {off:e}, {f:?} against {e:?}");
    }
}

#[test]
fn swapping_the_bodies_swaps_the_points_and_keeps_the_rest() {
    for (case, (a, pose_a, b, pose_b)) in pairs(count(200, 1000), 2).into_iter().enumerate() {
        for angular_tolerance in THETAS {
            let params = degrees(angular_tolerance);
            let (found, status) = quasi_contacts(&a, &pose_a, &b, &pose_b, &params);
            let (back, other) = quasi_contacts(&b, &pose_b, &a, &pose_a, &params);
            assert_same(&places(&back, true), &places(&found, false), 1e-12, &format!("case {case}"));
            let apart = |status: QuasiStatus| matches!(status, QuasiStatus::Separated { .. });
            assert_eq!(apart(status), apart(other));
        }
    }
}

#[test]
fn moving_both_bodies_together_moves_the_contacts() {
    let mut random = Random::new(3);
    let mut worst: f64 = 0.0;
    for (case, (a, pose_a, b, pose_b)) in pairs(count(200, 1000), 3).into_iter().enumerate() {
        let common = pose(&mut random, 1.0);
        for angular_tolerance in THETAS {
            let params = degrees(angular_tolerance);
            let (found, _) = quasi_contacts(&a, &pose_a, &b, &pose_b, &params);
            let (moved, _) = quasi_contacts(&a, &(common * pose_a), &b, &(common * pose_b), &params);
            assert_eq!(found.len(), moved.len(), "case {case}");
            for (f, m) in found.iter().zip(&moved) {
                // Of faces that support the same two points rounding may choose another; the points are the same.
                let off = (common.transform_point(&f.base_a) - m.base_a)
                    .amax()
                    .max((f.distance - m.distance).abs());
                if f.contact.id == m.contact.id {
                    worst = worst.max(off);
                }
            }
            let mut back = moved.clone();
            for contact in &mut back {
                contact.base_a = common.inverse_transform_point(&contact.base_a);
                contact.base_b = common.inverse_transform_point(&contact.base_b);
            }
            assert_same(&places(&back, false), &places(&found, false), 1e-12, &format!("case {case}"));
        }
    }
    println!("worst difference {worst:e} m");
}

#[test]
fn a_wider_theta_loses_no_contact() {
    for (case, (a, pose_a, b, pose_b)) in pairs(count(200, 1000), 4).into_iter().enumerate() {
        let mut before: Vec<QuasiContact> = Vec::new();
        for angular_tolerance in [0.0, 1.0, 2.0, 5.0, 10.0, 15.0, 25.0] {
            let (found, _) = quasi_contacts(&a, &pose_a, &b, &pose_b, &degrees(angular_tolerance));
            assert!(found.len() >= before.len(), "case {case}: {} of {}", found.len(), before.len());
            for old in &before {
                // Another pair of faces may have taken over the same two points.
                let kept = found.iter().any(|new| {
                    (new.base_a - old.base_a).amax() < 1e-6 && (new.base_b - old.base_b).amax() < 1e-6
                });
                assert!(kept, "case {case} angular_tolerance {angular_tolerance}: {old:?}");
            }
            before = found;
        }
    }
}

/// The triangles, free edges and points of a complex as shapes.
fn pieces(complex: &Complex) -> Vec<ConvexShape> {
    let wire = |face: &u32| *face >= complex.first_triangle() || complex.is_wire(*face);
    let alone = complex.face_count() == 1;
    (0..complex.face_count() as u32)
        .filter(|face| alone || wire(face))
        .map(|face| match complex.simplex(face) {
            Simplex::Point([p]) => Point::new(p).unwrap().into(),
            Simplex::Segment([p, q]) => Segment::new(p, q).unwrap().into(),
            Simplex::Triangle([p, q, r]) => Triangle::new(p, q, r).unwrap().into(),
        })
        .collect()
}

#[test]
fn the_nearest_quasi_lmd_is_the_distance_of_the_bodies() {
    let (mut apart, mut crossing) = (0, 0);
    for (case, (a, pose_a, b, pose_b)) in pairs(count(200, 2000), 5).into_iter().enumerate() {
        let (one, two) = (pieces(a.complex().unwrap()), pieces(b.complex().unwrap()));
        let exact = one
            .iter()
            .flat_map(|p| two.iter().map(|q| convex::distance(p, &pose_a, q, &pose_b).gap))
            .fold(f64::INFINITY, f64::min);
        let inside = |inner: &ComplexBody, pose: &Pose, outer: &ComplexBody, other: &Pose| {
            let p = pose.transform_point(&inner.complex().unwrap().vertices()[0]);
            outer.complex().unwrap().contains(&other.inverse_transform_point(&p))
        };
        let contained = inside(&a, &pose_a, &b, &pose_b) || inside(&b, &pose_b, &a, &pose_a);
        for angular_tolerance in THETAS {
            let (found, status) = quasi_contacts(&a, &pose_a, &b, &pose_b, &degrees(angular_tolerance));
            if exact <= 1e-12 || contained {
                assert_eq!(status, QuasiStatus::BaseIntersecting, "case {case}: {exact:e} {contained}");
                crossing += 1;
                continue;
            }
            let least = found.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
            assert!(
                (least - exact).abs() <= 1e-12,
                "case {case} angular_tolerance {angular_tolerance}: {least} against {exact}"
            );
            assert_eq!(status, QuasiStatus::Separated { base_distance: least });
            apart += 1;
        }
    }
    println!("{apart} apart, {crossing} crossing");
    assert!(apart > 100 && crossing > 20);
}

/// Bodies at rest on each other, 0.1 apart, with faces that stay the supports when moved a little.
fn resting() -> Vec<(&'static str, ComplexBody, Pose, ComplexBody, Pose, usize)> {
    let cube = || body(solids::cube());
    let turn =
        |z: f64, degrees: f64| Pose::from_axis_angle(Vec3::z() * z, Vec3::z(), degrees.to_radians()).unwrap();
    let bar = || body(solids::cuboid([-1.0, -0.1, -0.1], [1.0, 0.1, 0.1]));
    let peg = body(solids::cuboid([-0.9, -0.9, -2.0], [0.9, 0.9, 2.0]));
    let hole = body(solids::block_with_hole(2.0, 1.0, 2.0, None));
    vec![
        ("cube on plane", cube(), at(0.0, 0.0, 0.6), plane(), Pose::identity(), 4),
        ("L prism on plane", body(solids::l_prism(1.0)), at(0.0, 0.0, 0.1), plane(), Pose::identity(), 5),
        ("shifted cubes", cube(), at(0.3, 0.2, 1.1), cube(), Pose::identity(), 4),
        ("turned cubes", cube(), turn(1.1, 45.0), cube(), Pose::identity(), 8),
        ("crossing bars", bar(), turn(0.3, 90.0), bar(), Pose::identity(), 4),
        ("peg in hole", peg, at(0.0, 0.0, 3.0), hole, Pose::identity(), 16),
    ]
}

#[test]
fn every_active_contact_is_still_there_after_a_small_motion() {
    let mut random = Random::new(6);
    let angular_tolerance = 5_f64.to_radians();
    for (name, a, pose_a, b, pose_b, expected) in resting() {
        let params = QuasiParams { within: 0.5, ..QuasiParams::default() };
        let rest = find(&a, &pose_a, &b, &pose_b, &params);
        assert_eq!(rest.count(), expected, "{name}");
        for _ in 0..count(100, 2000) {
            // About the middle of the contacts, by up to half of the angular tolerance: crossing edges at 45 degrees turn the normal by up to 1.4 times as much.
            let middle: Vec3 = rest.contacts.iter().map(|c| c.base_a).sum::<Vec3>() / expected as f64;
            let angle = random.range(0.0, 0.5 * angular_tolerance);
            let axis = random.direction();
            let turn = Pose::from_axis_angle(Vec3::zeros(), axis, angle).unwrap();
            let shift = middle - turn.transform_point(&middle) + random.in_cube(0.01);
            let moved = Pose::from_axis_angle(shift, axis, angle).unwrap() * pose_a;
            let (found, _) = quasi_contacts(&a, &moved, &b, &pose_b, &params);
            for active in &rest.contacts {
                let id = active.contact.id;
                let after = found.iter().find(|c| c.contact.id == id);
                let after = after
                    .unwrap_or_else(|| panic!("{name}: {id} is gone after {} degrees", angle.to_degrees()));
                // And its gap is what following the two faces gives: the function is the same one.
                let followed = active.at(&a, &moved, &b, &pose_b).unwrap();
                assert!((followed.distance - after.distance).abs() < 1e-12, "{name}: {id}");
            }
        }
    }
}

#[test]
fn following_two_faces_through_each_other_changes_the_sign_smoothly() {
    let (cube, plane) = (body(solids::cube()), plane());
    let rest = find(&cube, &at(0.0, 0.0, 0.6), &plane, &Pose::identity(), &degrees(5.0));
    for contact in &rest.contacts {
        for height in [0.3, 0.0, -0.2] {
            let followed = contact.at(&cube, &at(0.0, 0.0, 0.5 + height), &plane, &Pose::identity()).unwrap();
            assert!((followed.distance - height).abs() < 1e-13, "{followed:?}");
            assert!((followed.normal + Vec3::z()).amax() < 1e-12);
        }
    }
}

#[test]
fn a_workspace_that_followed_a_path_changes_no_bit() {
    let mut random = Random::new(7);
    let families = families();
    for (name, a) in &families {
        let b = &families[random.index(families.len())].1;
        let (mut work, mut kept) = (QuasiWork::default(), Vec::new());
        let params = QuasiParams { within: 0.6, ..QuasiParams::default() };
        let (axis, from) = (random.direction(), random.in_cube(1.0));
        for step in 0..count(200, 2000) {
            // Steps of a size that lists are kept for, with a jump now and then.
            let along = 2e-3 * step as f64 + if step % 50 == 49 { 0.2 } else { 0.0 };
            let pose_b = Pose::from_axis_angle(from + axis * along, axis, along).unwrap();
            let fresh = quasi_contacts(a, &Pose::identity(), b, &pose_b, &params);
            let status = quasi_contacts_into(a, &Pose::identity(), b, &pose_b, &params, &mut work, &mut kept);
            assert_eq!((&kept, status), (&fresh.0, fresh.1), "{name} step {step}");
        }
    }
}

#[test]
fn a_half_space_is_a_plane_without_end() {
    use zerogap_geometry::shape::HalfSpace;
    let floor = ComplexBody::half_space(HalfSpace::new(Vec3::z(), 0.0).unwrap(), 0.0).unwrap();
    let triangle = plane();
    let mut random = Random::new(8);
    for (name, family) in families() {
        for case in 0..count(20, 300) {
            let turned = if case % 2 == 0 { pose(&mut random, 0.5) } else { aligned(&mut random, 0.5) };
            let lifted = at(0.0, 0.0, 4.0) * turned;
            for angular_tolerance in THETAS {
                let params = degrees(angular_tolerance);
                let on_floor = find(&family, &lifted, &floor, &Pose::identity(), &params);
                let on_triangle = find(&family, &lifted, &triangle, &Pose::identity(), &params);
                // The same seen from the floor, and in another frame.
                let back = find(&floor, &Pose::identity(), &family, &lifted, &params);
                let expected = places(&on_triangle.contacts, false);
                assert_same(&places(&on_floor.contacts, false), &expected, 1e-11, name);
                assert_same(&places(&back.contacts, true), &expected, 1e-11, name);
                assert!(matches!(back.status, QuasiStatus::Separated { .. }));
            }
        }
        let sunk = find(&family, &at(0.0, 0.0, -0.4), &floor, &Pose::identity(), &degrees(5.0));
        assert_eq!(sunk.status, QuasiStatus::BaseIntersecting, "{name}");
        assert!(!sunk.work.overlaps().is_empty());
    }
    let (none, status) =
        quasi_contacts(&floor, &Pose::identity(), &floor, &Pose::identity(), &QuasiParams::default());
    assert_eq!((none.len(), status), (0, QuasiStatus::BothUnbounded));
}

#[test]
fn wild_poses_and_sizes_never_give_a_number_that_is_none() {
    let mut random = Random::new(9);
    let families = families();
    for _ in 0..count(100, 1000) {
        let [a, b] = [0, 1].map(|_| &families[random.index(families.len())].1);
        let scale = [1e-30, 1e-9, 1.0, 1e9, 1e30][random.index(5)];
        let (pose_a, pose_b) = (pose(&mut random, scale), pose(&mut random, scale));
        let (found, _) = quasi_contacts(a, &pose_a, b, &pose_b, &QuasiParams::default());
        for contact in &found {
            assert!(contact.distance.is_finite() && contact.contact.normal.iter().all(|x| x.is_finite()));
        }
    }
}
