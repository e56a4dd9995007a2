//! Time of impact of meshes: against convex shapes where both are the same, against sampling where they are not.

use zerogap_core::{Feature, Pose, Vec3};
use zerogap_geometry::shape::{Cuboid, HalfSpace, Sphere};
use zerogap_geometry::{ConvexShape, Polyhedron, TriangleMesh, parts};
use zerogap_proximity::mesh::{MeshBody, MeshDistanceParams, MeshOperand, MeshWork, surface_distance};
use zerogap_proximity::motion::{
    FirstContact, Impact, ImpactParams, ImpactWork, Motion, mesh_time_of_impact, time_of_impact_with,
};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn moving(pose: Pose, velocity: Vec3, spin: Vec3) -> Motion {
    Motion::new(pose, velocity, spin).unwrap()
}

fn part(name: &str, settings: &[(&str, &str)]) -> MeshBody {
    MeshBody::new(parts::by_name(name, settings).unwrap())
}

/// A box as a mesh.
fn block(size: &Vec3) -> MeshBody {
    let corners: Vec<Vec3> = Cuboid::new(*size).unwrap().corners().to_vec();
    MeshBody::new(Polyhedron::from_points(&corners).unwrap().to_mesh())
}

fn impact(
    a: MeshOperand<'_>,
    motion_a: &Motion,
    b: MeshOperand<'_>,
    motion_b: &Motion,
    duration: f64,
) -> Impact {
    let mut work = ImpactWork::default();
    let params = ImpactParams::default();
    mesh_time_of_impact(&mut work, a, motion_a, b, motion_b, duration, &params).unwrap()
}

#[track_caller]
fn met(impact: Impact) -> FirstContact {
    match impact {
        Impact::At(meeting) => meeting,
        other => panic!("they meet, and the answer is {other:?}"),
    }
}

#[test]
fn boxes_as_meshes_meet_when_boxes_do() {
    let mut random = Random::new(5);
    let (params, mut work) = (ImpactParams::default(), ImpactWork::default());
    let (mut meetings, mut clear) = (0, 0);
    for case in 0..count(60, 5_000) {
        let sizes = [0, 1].map(|_| Vec3::from_fn(|_, _| random.range(0.1, 1.0)));
        let solids: [ConvexShape; 2] = sizes.map(|size| Cuboid::new(size).unwrap().into());
        let meshes = [block(&sizes[0]), block(&sizes[1])];
        let mut motion = || {
            let pose = Pose::new(random.in_cube(2.0), random.quaternion_xyzw()).unwrap();
            moving(pose, random.in_cube(0.7) - pose.translation(), random.in_cube(4.0))
        };
        let (motion_a, motion_b) = (motion(), motion());
        let exact =
            time_of_impact_with(&mut work, &solids[0], &motion_a, &solids[1], &motion_b, 1.0, &params);
        if exact.first_contact().is_some_and(|meeting| meeting.began_in_contact) {
            continue;
        }
        for (a, b) in [
            (MeshOperand::Mesh(&meshes[0]), MeshOperand::Mesh(&meshes[1])),
            (MeshOperand::Mesh(&meshes[0]), MeshOperand::Convex(&solids[1])),
            (MeshOperand::Convex(&solids[0]), MeshOperand::Mesh(&meshes[1])),
        ] {
            let found = mesh_time_of_impact(&mut work, a, &motion_a, b, &motion_b, 1.0, &params).unwrap();
            match (&exact, &found) {
                (Impact::Clear, Impact::Clear) => clear += 1,
                (Impact::At(one), Impact::At(other)) => {
                    meetings += 1;
                    let speed = one.gap_rate.abs().min(other.gap_rate.abs()).max(1e-3);
                    assert!((one.t - other.t).abs() <= 4e-8 / speed, "case {case}: {one:?} {other:?}");
                    assert!(other.features.is_some());
                }
                _ => panic!("case {case}: {exact:?} against {found:?}"),
            }
        }
    }
    assert!(meetings > 30 && clear > 30, "{meetings} {clear}");
}

#[test]
fn a_bullet_does_not_pass_a_sheet_of_two_triangles() {
    let corners = vec![
        Vec3::new(-1.0, -1.0, 0.0),
        Vec3::new(1.0, -1.0, 0.0),
        Vec3::new(1.0, 1.0, 0.0),
        Vec3::new(-1.0, 1.0, 0.0),
    ];
    let sheet = MeshBody::new(TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap());
    let ball: ConvexShape = Sphere::new(0.5e-3).unwrap().into();
    let still = Motion::fixed(Pose::identity());
    let shot = moving(at(0.3, 0.1, 5.0), Vec3::new(0.0, 0.0, -1000.0), Vec3::zeros());
    let meeting = met(impact(MeshOperand::Mesh(&sheet), &still, MeshOperand::Convex(&ball), &shot, 1e-2));
    let exact = (5.0 - 0.5e-3) / 1000.0;
    assert!(
        meeting.t <= exact && exact <= meeting.t_upper && meeting.t_upper - meeting.t < 1e-10,
        "{meeting:?}"
    );
    assert_eq!(meeting.features.unwrap().a, Feature::Face(0));
    assert!((meeting.normal - Vec3::z()).amax() < 1e-9);
    // Along the diagonal that both triangles share, and past the border.
    let shot = moving(at(0.5, 0.5, 5.0), Vec3::new(0.0, 0.0, -1000.0), Vec3::zeros());
    let meeting = met(impact(MeshOperand::Mesh(&sheet), &still, MeshOperand::Convex(&ball), &shot, 1e-2));
    assert_eq!(meeting.features.unwrap().a, Feature::Edge(1));
    let shot = moving(at(1.001, 0.5, 5.0), Vec3::new(0.0, 0.0, -1000.0), Vec3::zeros());
    assert_eq!(
        impact(MeshOperand::Mesh(&sheet), &still, MeshOperand::Convex(&ball), &shot, 1e-2),
        Impact::Clear
    );
}

#[test]
fn links_of_a_chain_pull_tight_where_sampling_says() {
    let ring = part("torus", &[("major", "40 mm"), ("minor", "10 mm")]);
    let link =
        Pose::from_axis_angle(Vec3::new(0.04, 0.0, 0.0), Vec3::x(), std::f64::consts::FRAC_PI_2).unwrap();
    let still = Motion::fixed(Pose::identity());
    for (velocity, spin) in [
        (Vec3::x(), Vec3::zeros()),
        (Vec3::new(-0.4, 0.2, 0.1), Vec3::new(1.0, 5.0, -2.0)),
        (Vec3::zeros(), Vec3::new(0.0, 20.0, 0.0)),
        (Vec3::zeros(), Vec3::new(0.0, 0.0, 100.0)),
    ] {
        let pulled = moving(link, velocity, spin);
        let found = impact(MeshOperand::Mesh(&ring), &still, MeshOperand::Mesh(&ring), &pulled, 0.2);
        let mut work = MeshWork::default();
        let mut gap = |t: f64| {
            let pose = pulled.pose(t);
            surface_distance(
                &ring,
                &Pose::identity(),
                &ring,
                &pose,
                &MeshDistanceParams::default(),
                &mut work,
            )
            .gap
        };
        let free = found.free_until(0.2);
        for k in 0..200 {
            let t = free * f64::from(k) / 200.0;
            assert!(gap(t) > 0.0, "{velocity} {spin}: touching at {t} before {found:?}");
        }
        if let Impact::At(meeting) = found {
            assert!(gap(meeting.t) <= 1.1e-8, "{} {meeting:?}", gap(meeting.t));
        }
    }
    // Turned about its own axis it never touches, straight pulled it does.
    let pulled = met(impact(
        MeshOperand::Mesh(&ring),
        &still,
        MeshOperand::Mesh(&ring),
        &moving(link, Vec3::x(), Vec3::zeros()),
        0.2,
    ));
    assert!((pulled.t - 0.02).abs() < 5e-4, "{pulled:?}");
}

#[test]
fn a_mesh_meets_a_half_space_with_its_deepest_vertex() {
    let gear = part("gear", &[]);
    let floor = HalfSpace::new(Vec3::z(), 0.0).unwrap();
    let falling = moving(at(0.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0), Vec3::new(30.0, 20.0, 10.0));
    let still = Motion::fixed(Pose::identity());
    let meeting =
        met(impact(MeshOperand::HalfSpace(&floor), &still, MeshOperand::Mesh(&gear), &falling, 2.0));
    let lowest = |t: f64| {
        let pose = falling.pose(t);
        gear.mesh().vertices().iter().map(|p| pose.transform_point(p).z).fold(f64::INFINITY, f64::min)
    };
    assert!(lowest(meeting.t) > 0.0 && lowest(meeting.t) <= 1e-8);
    for k in 0..1000 {
        assert!(lowest(meeting.t * f64::from(k) / 1000.0) > 0.0);
    }
    let back = met(impact(MeshOperand::Mesh(&gear), &falling, MeshOperand::HalfSpace(&floor), &still, 2.0));
    assert_eq!(back, meeting.swapped());
}

#[test]
fn a_block_that_slides_on_a_floor_of_triangles_does_not_meet_their_edges() {
    // A floor of 200 triangles; the block rests on it and slides over many of them.
    let (n, mut vertices, mut triangles) = (10_u32, Vec::new(), Vec::new());
    for i in 0..=n {
        for j in 0..=n {
            vertices.push(Vec3::new(f64::from(i) * 0.3 - 1.5, f64::from(j) * 0.3 - 1.5, 0.0));
        }
    }
    for i in 0..n {
        for j in 0..n {
            let k = i * (n + 1) + j;
            triangles.push([k, k + n + 1, k + n + 2]);
            triangles.push([k, k + n + 2, k + 1]);
        }
    }
    let floor = MeshBody::new(TriangleMesh::new(vertices, triangles).unwrap());
    let cube = block(&Vec3::repeat(0.5));
    let still = Motion::fixed(Pose::identity());
    let slide = |velocity: Vec3, spin: Vec3| {
        impact(
            MeshOperand::Mesh(&floor),
            &still,
            MeshOperand::Mesh(&cube),
            &moving(at(-1.0, 0.0, 0.25), velocity, spin),
            1.0,
        )
    };
    assert_eq!(slide(Vec3::x(), Vec3::zeros()), Impact::Clear);
    assert_eq!(slide(Vec3::new(0.5, 0.1, 0.0), Vec3::z()), Impact::Clear);
    assert_eq!(slide(Vec3::new(0.5, 0.1, 0.2), Vec3::zeros()), Impact::Clear);
    let pressed = met(slide(Vec3::new(1.0, 0.0, -0.01), Vec3::zeros()));
    assert!(pressed.t == 0.0 && pressed.began_in_contact, "{pressed:?}");
    // Tipping over its edge it goes into the floor.
    assert!(slide(Vec3::zeros(), Vec3::new(0.0, 1.0, 0.0)).first_contact().is_some());
}

/// Rounding of the coordinates of blocks of about a metre, some roundings of it [m].
const ROUNDING: f64 = 1e-14;

#[test]
fn equal_blocks_flush_on_each_other_meet_when_they_close_from_any_gap() {
    let mut random = Random::new(9);
    for case in 0..count(20, 400) {
        let size = Vec3::from_fn(|_, _| random.range(0.2, 1.5));
        let (cube, turn) = (block(&size), random.quaternion_xyzw());
        let by = Pose::new(random.in_cube(1.0), turn).unwrap();
        // A gap of nothing, of rounding, below the tolerance, at it and above it.
        for gap in [0.0, 1e-16, 1e-12, 1e-9, 9e-9, 1e-8, 1.1e-8, 1e-6] {
            let axis = random.index(3);
            let up = Vec3::from_fn(|k, _| f64::from(u8::from(k == axis)));
            let above = by * Pose::from_translation(up * (size[axis] + gap)).unwrap();
            let speed = random.range(0.01, 2.0);
            let still = Motion::fixed(by);
            let ask = |velocity: Vec3, spin: Vec3| {
                let falling = moving(above, by.transform_vector(&velocity), by.transform_vector(&spin));
                let down = impact(MeshOperand::Mesh(&cube), &still, MeshOperand::Mesh(&cube), &falling, 1.0);
                let back = impact(MeshOperand::Mesh(&cube), &falling, MeshOperand::Mesh(&cube), &still, 1.0);
                // Either way round, to the tolerance.
                let [t, t_back] = [down, back].map(|impact| impact.free_until(1.0));
                assert!((t - t_back).abs() <= 1e-8 / speed, "case {case}, gap {gap:e}: {t} and {t_back}");
                down
            };
            let story = || format!("case {case}, gap {gap:e}, axis {axis}");
            let fall = -up * speed;
            let meeting = met(ask(fall, Vec3::zeros()));
            assert!(meeting.t <= gap / speed + 1e-15, "{}: {meeting:?}", story());
            // The gap at that time, to rounding: what is left of the one at the start.
            let left = if meeting.began_in_contact { gap } else { gap - speed * meeting.t };
            assert!((meeting.gap - left).abs() <= ROUNDING, "{}: {left:e}, {meeting:?}", story());
            assert!(meeting.gap <= 1e-8 + ROUNDING, "{}: {meeting:?}", story());
            // Those that come from outside may meet 1e-13 m apart, and points so near know their direction as well as rounding lets them.
            let room =
                if meeting.began_in_contact { 1e-9 } else { 1e-9 + (0.2 * ROUNDING / meeting.gap).powi(2) };
            assert!(
                meeting.began_in_contact || meeting.gap > 4.0 * 0.2 * ROUNDING,
                "{}: {meeting:?}",
                story()
            );
            let along = meeting.normal.dot(&by.transform_vector(&up));
            assert!(
                along > 1.0 - room && (meeting.gap_rate + speed).abs() < room * speed,
                "{}: {meeting:?}",
                story()
            );
            // At rest, along each other and apart they do not meet, but where rounding decides whether they are in contact.
            if (gap - 1e-8).abs() < 1e-12 {
                continue;
            }
            assert_eq!(ask(Vec3::zeros(), Vec3::zeros()), Impact::Clear, "{}", story());
            let aside = Vec3::from_fn(|k, _| if k == axis { 0.0 } else { speed });
            assert_eq!(ask(aside, Vec3::zeros()), Impact::Clear, "{}", story());
            assert_eq!(ask(aside - fall, Vec3::zeros()), Impact::Clear, "{}", story());
        }
    }
}

#[test]
fn a_block_that_tips_about_the_edge_of_an_equal_one_enters_it_at_once() {
    let cube = block(&Vec3::repeat(1.0));
    let still = Motion::fixed(Pose::identity());
    // About the edge where both end: the other end of its bottom goes down.
    let tip = |spin: f64| {
        let about = Vec3::new(-0.5, 0.0, 0.5);
        let spin = Vec3::new(0.0, spin, 0.0);
        let velocity = spin.cross(&(Vec3::new(0.0, 0.0, 1.0) - about));
        impact(
            MeshOperand::Mesh(&cube),
            &still,
            MeshOperand::Mesh(&cube),
            &moving(at(0.0, 0.0, 1.0), velocity, spin),
            0.1,
        )
    };
    let meeting = met(tip(0.1));
    assert!(meeting.t < 1e-6 && meeting.began_in_contact, "{meeting:?}");
    assert_eq!(tip(0.0), Impact::Clear);
}
