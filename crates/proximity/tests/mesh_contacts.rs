//! Contacts, overlaps and insides of meshes in cases with known answers.

mod mesh_samples;

use mesh_samples::{blob, pose_at, soup, torus};
use zerogap_core::{Contact, Feature, Pose, Vec3};
use zerogap_geometry::shape::{Cuboid, HalfSpace, Sphere};
use zerogap_geometry::{ConvexShape, TriangleMesh, parts};
use zerogap_proximity::mesh::{
    MeshBody, MeshContactParams, MeshDistanceParams, MeshError, MeshOperand, MeshWork, crossing_pairs_into,
    mesh_contacts_into, mesh_distance, mesh_intersects, mesh_overlaps_into, triangles_cross,
};
use zerogap_testkit::random::Random;

/// A box about the origin with these full extents [m].
fn cuboid(x: f64, y: f64, z: f64) -> MeshBody {
    let size = |name: &'static str, value: f64| (name, format!("{value}"));
    let settings = [size("width", x), size("depth", y), size("height", z)];
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    MeshBody::new(parts::by_name("box", &settings).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn contacts(
    a: MeshOperand<'_>,
    pose_a: &Pose,
    b: MeshOperand<'_>,
    pose_b: &Pose,
    within: f64,
) -> Vec<Contact> {
    let mut found = Vec::new();
    let params = MeshContactParams::within(within);
    mesh_contacts_into(a, pose_a, b, pose_b, &params, &mut MeshWork::default(), &mut found).unwrap();
    for contact in &found {
        let off = contact.point_b - contact.point_a - contact.normal * contact.gap;
        assert!(off.norm() < 1e-12, "{contact:?}");
        assert!((contact.normal.norm() - 1.0).abs() < 1e-13, "{contact:?}");
        assert!(contact.gap <= within);
    }
    assert!(found.windows(2).all(|pair| pair[0].id < pair[1].id), "ids ascend and are unique");
    found
}

#[test]
fn a_box_over_a_box_has_the_corners_of_the_common_rectangle() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for gap in [5e-4, 1e-6, 0.0, -1e-6, -5e-4, -0.01] {
        let above = at(0.25, 0.125, 1.0 + gap);
        let found = contacts((&cube).into(), &Pose::identity(), (&cube).into(), &above, 1e-3);
        assert_eq!(found.len(), 4, "at {gap}: {found:#?}");
        for contact in &found {
            assert!((contact.gap - gap).abs() < 1e-14, "{contact:?} at {gap}");
            assert!((contact.normal - Vec3::z()).norm() < 1e-12, "{contact:?} at {gap}");
        }
        let mut corners: Vec<[i32; 2]> = found
            .iter()
            .map(|c| [(1e3 * c.point_a.x).round() as i32, (1e3 * c.point_a.y).round() as i32])
            .collect();
        corners.sort_unstable();
        assert_eq!(corners, [[-250, -375], [-250, 500], [500, -375], [500, 500]], "at {gap}");
        // Seen from the other side everything is turned round.
        let back = contacts((&cube).into(), &above, (&cube).into(), &Pose::identity(), 1e-3);
        assert_eq!(back.len(), 4);
        assert!(back.iter().all(|c| (c.normal + Vec3::z()).norm() < 1e-12));
    }
    // Too far for the reach.
    assert!(
        contacts((&cube).into(), &Pose::identity(), (&cube).into(), &at(0.0, 0.0, 1.01), 1e-3).is_empty()
    );
}

#[test]
fn a_box_that_tilts_keeps_its_corners_while_they_are_within_reach() {
    let (floor, cube) = (cuboid(4.0, 4.0, 1.0), cuboid(1.0, 1.0, 1.0));
    for angle in [0.0, 1e-6, 1e-4, 5e-4] {
        let tilted = Pose::from_axis_angle(Vec3::new(0.1, 0.0, 1.0), Vec3::y(), angle).unwrap();
        let found = contacts((&floor).into(), &Pose::identity(), (&cube).into(), &tilted, 1e-3);
        assert_eq!(found.len(), 4, "{found:#?}");
        assert!(
            found.iter().all(|c| matches!(c.id.b, Feature::Vertex(_)) && matches!(c.id.a, Feature::Face(_)))
        );
        let low = found.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        let high = found.iter().map(|c| c.gap).fold(f64::NEG_INFINITY, f64::max);
        assert!((high - low - zerogap_core::math::sin(angle)).abs() < 1e-12);
    }
}

#[test]
fn crossed_edges_touch_in_one_point_apart_and_in_overlap() {
    // A bar on its edge over another on its edge, square to it.
    let bar = cuboid(2.0, 0.2, 0.2);
    let edge = 0.1 * std::f64::consts::SQRT_2;
    let eighth = std::f64::consts::FRAC_PI_4;
    for gap in [1e-3, 1e-6, -1e-6, -1e-3] {
        let below = Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), eighth).unwrap();
        let lift =
            Pose::from_axis_angle(Vec3::new(0.0, 0.0, 2.0 * edge + gap), Vec3::z(), 2.0 * eighth).unwrap();
        let above = lift * Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), eighth).unwrap();
        let found = contacts((&bar).into(), &below, (&bar).into(), &above, 2e-3);
        assert_eq!(found.len(), 1, "at {gap}: {found:#?}");
        assert!(
            (found[0].gap - gap).abs() < 1e-14 && (found[0].normal - Vec3::z()).norm() < 1e-12,
            "{found:?}"
        );
        assert!(matches!((found[0].id.a, found[0].id.b), (Feature::Edge(_), Feature::Edge(_))));
        let mut overlaps = Vec::new();
        mesh_overlaps_into(&bar, &below, &bar, &above, &mut MeshWork::default(), &mut overlaps).unwrap();
        assert_eq!(overlaps.len(), usize::from(gap < 0.0));
        assert!(
            overlaps.iter().all(|overlap| overlap.vertices == 0 && (overlap.contact.gap - gap).abs() < 1e-14)
        );
    }
}

#[test]
fn crossed_bars_keep_four_contacts_through_touching() {
    let (below, above) = (cuboid(0.4, 0.05, 0.05), cuboid(0.05, 0.4, 0.05));
    let mut random = Random::new(31);
    for angle in [0.0, 0.3, -0.7] {
        for gap in [1e-4, 1e-6, 1e-9, -1e-9, -1e-8, -1e-7, -1e-6, -1e-5, -1e-4] {
            let place = Vec3::new(random.range(-0.1, 0.1), random.range(-0.1, 0.1), 0.05 + gap);
            let on = Pose::from_axis_angle(place, Vec3::z(), angle).unwrap();
            let found = contacts((&below).into(), &Pose::identity(), (&above).into(), &on, 2e-4);
            assert_eq!(found.len(), 4, "at {gap}: {found:#?}");
            for contact in &found {
                assert!((contact.gap - gap).abs() < 1e-14, "{contact:?} at {gap}");
                assert!((contact.normal - Vec3::z()).norm() < 1e-12, "{contact:?} at {gap}");
                assert!(matches!((contact.id.a, contact.id.b), (Feature::Edge(_), Feature::Edge(_))));
            }
            // The names are those of the bars before they touched.
            let lift = Pose::from_axis_angle(place + Vec3::z() * (1e-5 - gap), Vec3::z(), angle).unwrap();
            let apart = contacts((&below).into(), &Pose::identity(), (&above).into(), &lift, 2e-4);
            let names = |contacts: &[Contact]| contacts.iter().map(|c| c.id).collect::<Vec<_>>();
            assert_eq!(names(&found), names(&apart), "at {gap}");
        }
    }
}

#[test]
fn nearly_flush_sides_do_not_hide_how_deep_boxes_are() {
    let cube = cuboid(0.1, 0.1, 0.1);
    let mut random = Random::new(32);
    for beside in [1e-11, 1e-9, 1e-7, 1e-5] {
        for depth in [1e-9, 1e-6, 1e-4] {
            for _ in 0..20 {
                let place =
                    Vec3::new(random.range(-beside, beside), random.range(-beside, beside), 0.1 - depth);
                let on = Pose::from_axis_angle(place, Vec3::z(), random.range(-0.2, 0.2) * beside).unwrap();
                let found = contacts((&cube).into(), &Pose::identity(), (&cube).into(), &on, 1e-3);
                let list: Vec<_> = found.iter().map(|c| (c.id, c.gap, c.point_a, c.normal)).collect();
                assert!(found.len() >= 4, "{beside} {depth} {place:?}: {list:?}");
                for contact in &found {
                    let off = (contact.gap + depth).abs().max((contact.normal - Vec3::z()).norm());
                    assert!(off < 1e-12, "{beside} {depth}: {contact:?}");
                }
                let spread = |axis: usize| {
                    let of = found.iter().map(|c| c.point_a[axis]);
                    of.clone().fold(f64::NEG_INFINITY, f64::max) - of.fold(f64::INFINITY, f64::min)
                };
                assert!(spread(0) > 0.099 && spread(1) > 0.099, "{beside} {depth}: {found:#?}");
            }
        }
    }
}

#[test]
fn what_is_inside_has_a_depth_and_never_nothing() {
    let (room, small) = (cuboid(10.0, 10.0, 10.0), cuboid(0.5, 0.5, 0.5));
    let mut work = MeshWork::default();
    let mut overlaps = Vec::new();
    // Wholly inside, far from every wall: the deepest corner.
    mesh_overlaps_into(&room, &Pose::identity(), &small, &at(3.0, 0.0, 0.0), &mut work, &mut overlaps)
        .unwrap();
    assert_eq!((overlaps.len(), overlaps[0].vertices), (1, 8));
    assert!((overlaps[0].contact.gap + 2.25).abs() < 1e-14, "{overlaps:?}");
    assert!((overlaps[0].contact.normal - Vec3::x()).norm() < 1e-14);
    let found = contacts((&room).into(), &Pose::identity(), (&small).into(), &at(3.0, 0.0, 0.0), 1e-3);
    assert!(!found.is_empty() && found.iter().all(|c| c.gap < -1.0));
    // As surfaces they are apart.
    let surfaces = mesh_distance(
        (&room).into(),
        &Pose::identity(),
        (&small).into(),
        &at(3.0, 0.0, 0.0),
        &MeshDistanceParams::default(),
        &mut work,
    );
    assert!((surfaces.unwrap().gap - 1.75).abs() < 1e-14);
    assert!(
        mesh_intersects((&room).into(), &Pose::identity(), (&small).into(), &at(3.0, 0.0, 0.0), &mut work)
            .unwrap()
    );
    assert!(
        !mesh_intersects((&room).into(), &Pose::identity(), (&small).into(), &at(8.0, 0.0, 0.0), &mut work)
            .unwrap()
    );
    // Two places at once: a plate with feet that both stand in a slab.
    let feet = [at(-1.0, 0.0, 0.55), at(1.0, 0.0, 0.6)];
    let both: Vec<TriangleMesh> = feet.iter().map(|pose| moved(small.mesh(), pose)).collect();
    let two = MeshBody::new(joined(&both));
    let slab = cuboid(6.0, 6.0, 1.0);
    mesh_overlaps_into(&slab, &Pose::identity(), &two, &Pose::identity(), &mut work, &mut overlaps).unwrap();
    let mut depths: Vec<f64> = overlaps.iter().map(|overlap| overlap.contact.gap).collect();
    depths.sort_by(f64::total_cmp);
    assert_eq!(depths.len(), 2, "{overlaps:#?}");
    assert!((depths[0] + 0.2).abs() < 1e-12 && (depths[1] + 0.15).abs() < 1e-12, "{depths:?}");
}

#[test]
fn boxes_that_touch_but_for_rounding_are_not_deep() {
    // Found by review: the one corner inside by rounding crossed nothing, and all corners beyond it were taken for inside.
    let cube = cuboid(0.1, 0.1, 0.1);
    let here = Pose::identity();
    let found = Pose::new(
        Vec3::new(0.029_999_999_999_999_954, 0.001, 0.099_999_999_999_996_81),
        [-1.805_260_539_633_456_8e-14, -1.240_623_544_313_659e-13, 5.440_243_462_027_505e-19, 1.0],
    );
    let mut poses = vec![found.unwrap()];
    let mut random = Random::new(11);
    for k in 0..4000 {
        let mut place = random.in_cube(1.0).map(|x| 0.09 * x);
        let mut turn = random.in_cube(1.0).map(|x| 1e-13 * x);
        place[k % 3] = if k % 2 == 0 { 0.1 } else { -0.1 } + random.range(-1e-13, 1e-13);
        // Some along common planes, some not turned.
        place[(k + 1) % 3] *= if k % 5 == 0 { 0.0 } else { 1.0 };
        turn *= if k % 7 == 0 { 0.0 } else { 1.0 };
        poses.push(Pose::new(place, [0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 1.0]).unwrap());
    }
    let mut overlaps = Vec::new();
    for pose in &poses {
        let found = contacts((&cube).into(), &here, (&cube).into(), pose, 1e-5);
        assert!(!found.is_empty(), "{pose:?}");
        assert!(found.iter().all(|contact| contact.gap.abs() < 1e-12), "{pose:?}: {found:#?}");
        mesh_overlaps_into(&cube, &here, &cube, pose, &mut MeshWork::default(), &mut overlaps).unwrap();
        assert!(overlaps.iter().all(|overlap| overlap.contact.gap > -1e-12), "{pose:?}: {overlaps:#?}");
    }
}

#[test]
fn boxes_with_flush_sides_are_as_deep_as_they_are() {
    let cube = cuboid(0.04, 0.04, 0.04);
    let mut random = Random::new(12);
    let mut overlaps = Vec::new();
    for depth in [1e-9, 1e-6, 1e-4, 1e-3, 0.01] {
        for axis in 0..3 {
            for (sign, beside) in [1.0, -1.0].into_iter().flat_map(|sign| [0.0, 0.015].map(|b| (sign, b))) {
                let mut place = Vec3::zeros();
                place[axis] = sign * (0.04 - depth);
                place[(axis + 1) % 3] = beside;
                let expected = Vec3::ith(axis, sign);
                // At the origin, and wherever rounding has its say.
                for here in [Pose::identity(), pose_at(&mut random, 0.3), pose_at(&mut random, 1.0)] {
                    let there = here * Pose::from_translation(place).unwrap();
                    let normal = here.transform_vector(&expected);
                    let found = contacts((&cube).into(), &here, (&cube).into(), &there, 1e-5);
                    let right = |c: &Contact| {
                        (c.gap + depth).abs() < 1e-14 && (c.normal - normal).norm() < 1e-14 / depth + 1e-9
                    };
                    assert!(
                        found.len() >= 4 && found.iter().all(right),
                        "{depth} {axis} {sign} {beside}: {found:#?}"
                    );
                    let mut work = MeshWork::default();
                    mesh_overlaps_into(&cube, &here, &cube, &there, &mut work, &mut overlaps).unwrap();
                    assert!(
                        !overlaps.is_empty() && overlaps.iter().all(|o| right(&o.contact)),
                        "{overlaps:#?}"
                    );
                }
            }
        }
    }
    // In one place: out through any side.
    let here = Pose::identity();
    mesh_overlaps_into(&cube, &here, &cube, &here, &mut MeshWork::default(), &mut overlaps).unwrap();
    assert!(
        !overlaps.is_empty() && overlaps.iter().all(|o| (o.contact.gap + 0.04).abs() < 1e-14),
        "{overlaps:#?}"
    );
    // Side by side with tops in one plane, and edge to edge: they touch, and are not deep.
    for place in [at(0.04, 0.0, 0.0), at(0.04, 0.04, 0.0), at(0.04, 0.04, 0.04), at(0.0, 0.04, 0.01)] {
        let found = contacts((&cube).into(), &here, (&cube).into(), &place, 1e-5);
        assert!(!found.is_empty() && found.iter().all(|c| c.gap.abs() < 1e-14), "{found:#?}");
    }
    // A small box within a large one against a wall of it: out through that wall, by its width.
    let small = cuboid(0.01, 0.01, 0.01);
    mesh_overlaps_into(&cube, &here, &small, &at(0.015, 0.0, 0.0), &mut MeshWork::default(), &mut overlaps)
        .unwrap();
    assert_eq!(overlaps.len(), 1);
    assert!((overlaps[0].contact.gap + 0.01).abs() < 1e-14, "{overlaps:#?}");
    assert!((overlaps[0].contact.normal - Vec3::x()).norm() < 1e-9, "{overlaps:#?}");
}

#[test]
fn a_sheet_on_a_box_that_faces_the_same_way_touches_it() {
    let corners = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let sheet = MeshBody::new(TriangleMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap());
    let cube = cuboid(1.0, 1.0, 1.0);
    let found = contacts((&cube).into(), &Pose::identity(), (&sheet).into(), &at(0.0, 0.0, 0.5), 1e-3);
    assert!(!found.is_empty() && found.iter().all(|c| c.gap.abs() < 1e-15), "{found:#?}");
}

fn moved(mesh: &TriangleMesh, pose: &Pose) -> TriangleMesh {
    let vertices = mesh.vertices().iter().map(|p| pose.transform_point(p)).collect();
    TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

fn joined(meshes: &[TriangleMesh]) -> TriangleMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for mesh in meshes {
        let base = vertices.len() as u32;
        vertices.extend_from_slice(mesh.vertices());
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|v| v + base)));
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

#[test]
fn points_are_inside_where_all_solid_angles_say_so() {
    let mut random = Random::new(8);
    for mesh in [torus(20, 12, 1.0, 0.4, 0.03), cuboid(1.0, 2.0, 3.0).mesh().as_ref().clone(), blob(12, 10)] {
        let body = MeshBody::<zerogap_proximity::bvh::Obb>::new(mesh.clone());
        for _ in 0..300 {
            let p = random.in_cube(1.6);
            assert!((body.winding_number(&p) - mesh.winding_number(&p)).abs() < 1e-9, "{p}");
            let (fast, slow) = (body.nearest_point(&p), mesh.nearest_point(&p));
            assert!((fast.distance - slow.distance).abs() < 1e-14);
        }
        // Corners and middles of edges lie on the surface.
        for t in mesh.corner_triples().take(40).filter(|_| body.is_closed()) {
            assert!(body.contains(&t[0]));
        }
    }
}

#[test]
fn crossing_pairs_are_those_of_all_pairs() {
    let mut random = Random::new(9);
    let mut work = MeshWork::default();
    for k in 0..20 {
        let (a, b) = (soup(&mut random, 60, 0.1), torus(12, 8, 0.8, 0.3, 0.0));
        let pose = pose_at(&mut random, 0.1 * f64::from(k));
        let place = moved(&b, &pose);
        let mut expected = Vec::new();
        for (i, x) in a.corner_triples().enumerate() {
            for (j, y) in place.corner_triples().enumerate() {
                if triangles_cross(&x, &y) {
                    expected.push([i as u32, j as u32]);
                }
            }
        }
        let (a, b) = (MeshBody::<zerogap_proximity::bvh::Obb>::new(a), MeshBody::new(b));
        let mut found = Vec::new();
        crossing_pairs_into(&a, &Pose::identity(), &b, &pose, &mut work, &mut found);
        assert_eq!(found, expected);
    }
}

#[test]
fn a_mesh_on_a_half_space_stands_on_its_corners() {
    let floor = HalfSpace::new(Vec3::z(), 0.0).unwrap();
    let cube = cuboid(1.0, 1.0, 1.0);
    for gap in [5e-4, 0.0, -0.25] {
        let found =
            contacts((&floor).into(), &Pose::identity(), (&cube).into(), &at(3.0, 0.0, 0.5 + gap), 1e-3);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|c| (c.gap - gap).abs() < 1e-15 && c.normal == Vec3::z()));
        let whole = mesh_distance(
            (&floor).into(),
            &Pose::identity(),
            (&cube).into(),
            &at(3.0, 0.0, 0.5 + gap),
            &MeshDistanceParams::default(),
            &mut MeshWork::default(),
        );
        assert!((whole.unwrap().gap - gap).abs() < 1e-15);
    }
}

#[test]
fn a_mesh_and_a_convex_shape_meet_as_two_shapes_do() {
    let ball: ConvexShape = Sphere::new(0.5).unwrap().into();
    let slab = cuboid(4.0, 4.0, 1.0);
    for gap in [1e-3, -1e-3, -0.1] {
        let found =
            contacts((&slab).into(), &Pose::identity(), (&ball).into(), &at(0.3, 0.2, 1.0 + gap), 2e-3);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(
            (found[0].gap - gap).abs() < 1e-12 && (found[0].normal - Vec3::z()).norm() < 1e-9,
            "{found:?}"
        );
    }
    let cube: ConvexShape = Cuboid::new(Vec3::repeat(1.0)).unwrap().into();
    for gap in [5e-4, -1e-3] {
        let found =
            contacts((&slab).into(), &Pose::identity(), (&cube).into(), &at(0.3, 0.2, 1.0 + gap), 2e-3);
        let corners = found.iter().filter(|c| matches!(c.id.b, Feature::Vertex(_))).count();
        assert!(corners >= 4, "{found:#?}");
        assert!(found.iter().all(|c| (c.gap - gap).abs() < 1e-12 && (c.normal - Vec3::z()).norm() < 1e-9));
    }
    // Swallowed whole.
    let bead: ConvexShape = Sphere::new(0.1).unwrap().into();
    let found = contacts((&slab).into(), &Pose::identity(), (&bead).into(), &at(0.0, 0.0, 0.2), 1e-3);
    assert_eq!(found.len(), 1);
    assert!((found[0].gap + 0.4).abs() < 1e-12, "{found:?}");
    // Against the gap of the ball and every triangle.
    let mut random = Random::new(10);
    let (ring, mut work) = (torus(16, 10, 1.0, 0.3, 0.02), MeshWork::default());
    let body = MeshBody::new(ring.clone());
    for _ in 0..40 {
        let far = random.range(0.0, 3.0);
        let pose = pose_at(&mut random, far);
        let found = mesh_distance(
            (&body).into(),
            &Pose::identity(),
            (&ball).into(),
            &pose,
            &MeshDistanceParams::default(),
            &mut work,
        )
        .unwrap();
        let exact = (ring.nearest_point(&pose.translation()).distance - 0.5).max(0.0);
        assert!((found.gap - exact).abs() < 1e-13, "{found:?} for {exact}");
    }
}

#[test]
fn open_meshes_answer_what_they_can_and_say_what_they_cannot() {
    let sheet = |z: f64| {
        let p = |x: f64, y: f64| Vec3::new(x, y, z);
        MeshBody::new(
            TriangleMesh::new(
                vec![p(-1.0, -1.0), p(1.0, -1.0), p(1.0, 1.0), p(-1.0, 1.0)],
                vec![[0, 1, 2], [0, 2, 3]],
            )
            .unwrap(),
        )
    };
    let (mut work, mut found) = (MeshWork::default(), Vec::new());
    let turned = Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), 1.0).unwrap();
    let (a, b) = (sheet(0.0), sheet(0.1));
    // Two sheets that cross: distance and pairs are known, a depth is not.
    let answer = mesh_distance(
        (&a).into(),
        &Pose::identity(),
        (&b).into(),
        &turned,
        &MeshDistanceParams::default(),
        &mut work,
    )
    .unwrap();
    assert!(answer.gap == 0.0);
    let refused = mesh_contacts_into(
        (&a).into(),
        &Pose::identity(),
        (&b).into(),
        &turned,
        &MeshContactParams::default(),
        &mut work,
        &mut found,
    );
    let Err(MeshError::NotClosed { .. }) = refused else { panic!("{refused:?}") };
    assert!(refused.unwrap_err().to_string().contains("needs a closed mesh"));
    // Side by side they have contacts like any others.
    let beside = contacts((&a).into(), &Pose::identity(), (&b).into(), &at(0.5, 0.0, -0.0995), 1e-3);
    assert_eq!(beside.len(), 4, "{beside:#?}");
    // A sheet in a box: the box is closed, so the depth is known.
    let cube = cuboid(3.0, 3.0, 1.0);
    let within = contacts((&cube).into(), &Pose::identity(), (&a).into(), &at(0.0, 0.0, 0.45), 1e-3);
    assert!(!within.is_empty() && within.iter().all(|c| (c.gap + 0.05).abs() < 1e-12), "{within:#?}");
}
