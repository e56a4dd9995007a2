//! The one type that pair questions are asked of: every cell of its table, compounds against their pieces, caches that change nothing.

use std::sync::Arc;

use zerogap_core::{Gap, GapStatus, Pose, Vec3};
use zerogap_geometry::shape::{Compound, Cuboid, HeightField, Sphere};
use zerogap_geometry::{Complex, ComplexOptions, ConvexShape, Shape, TriangleMesh, convex_hull, parts};
use zerogap_proximity::collider::table::{Cell, Question, cell, markdown};
use zerogap_proximity::collider::{
    Collider, ColliderCache, ColliderError, ColliderKind, ColliderPair, ColliderViews, ComplexCollider,
    CompoundCollider, ContactSet, clearance_along, contact_gap, contacts_into, contacts_many, distance_many,
    first_touch, first_touch_along, gap, safe_time,
};
use zerogap_proximity::lmd::ComplexBody;
use zerogap_proximity::motion::{self, ClearanceParams, Impact, ImpactParams, Motion, Path, time_of_impact};
use zerogap_proximity::oriented::{OrientedCollider, OrientedHistory};
use zerogap_proximity::{ContactParams, DistanceParams, ProximityError, contacts, distance};
use zerogap_testkit::random::Random;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn pair<'a>(a: &'a Collider, pose_a: &Pose, b: &'a Collider, pose_b: &Pose) -> ColliderPair<'a> {
    ColliderPair::new(a, *pose_a, b, *pose_b)
}

fn cuboid(x: f64, y: f64, z: f64) -> ConvexShape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

/// A box with sides of 1 m as a mesh.
fn box_mesh() -> TriangleMesh {
    parts::by_name("box", &[("width", "1 m"), ("depth", "1 m"), ("height", "1 m")]).unwrap()
}

/// The same without its last triangle.
fn open_box() -> TriangleMesh {
    let mesh = box_mesh();
    let triangles = mesh.triangles()[..mesh.triangles().len() - 1].to_vec();
    TriangleMesh::new(mesh.vertices().to_vec(), triangles).unwrap()
}

/// A box with sides of 1 m, or all below z = 0.5, as a collider of this kind.
fn sample(kind: ColliderKind) -> Collider {
    let cube = cuboid(1.0, 1.0, 1.0);
    match kind {
        ColliderKind::Convex => Collider::Convex(cube),
        ColliderKind::HalfSpace => Collider::from_shape(Shape::half_space(Vec3::z(), 0.5).unwrap()),
        ColliderKind::Compound => {
            let half = cuboid(0.5, 1.0, 1.0);
            let pieces = vec![(at(-0.25, 0.0, 0.0), half.clone()), (at(0.25, 0.0, 0.0), half)];
            Collider::from_shape(Compound::new(pieces).unwrap().into())
        }
        ColliderKind::Mesh => Collider::from_mesh(box_mesh()),
        ColliderKind::OpenMesh => Collider::from_mesh(open_box()),
        ColliderKind::Complex => {
            let complex = Complex::from_shape(&cube, &ComplexOptions::default()).unwrap();
            let body = Arc::new(ComplexBody::new(complex));
            Collider::Complex(ComplexCollider { body, angular_tolerance: 0.05, solid: None })
        }
        ColliderKind::Oriented => oriented(&cube.into()),
        ColliderKind::HeightField => {
            let field = HeightField::new([2, 2], [1.0, 1.0], vec![0.5; 4], 1.0).unwrap();
            Collider::from_shape(field.into())
        }
    }
}

/// A shape that collides by its corners and surfaces.
fn oriented(shape: &Shape) -> Collider {
    Collider::Oriented(Arc::new(OrientedCollider::new(shape, true)))
}

/// Asks for the contacts of two oriented boxes, with their history and without.
fn ask_corners(a: &Collider, b: &Collider) -> Result<(), ColliderError> {
    let (cache, set) = (&mut ColliderCache::default(), &mut ContactSet::default());
    let place = |z: f64| pair(a, &Pose::identity(), b, &at(0.1, 0.2, z));
    let apart = place(1.25);
    let begun = apart.oriented().map(|oriented| OrientedHistory::begin(&oriented));
    // A partner of another kind is refused with the reason of the table.
    let Some(Ok(mut history)) = begun else {
        return contacts_into(&apart, &ContactParams::within(0.3), cache, set);
    };
    let without = contacts_into(&apart, &ContactParams::within(0.3), cache, set).unwrap_err().to_string();
    assert!(without.contains("history"), "{without}");
    let known = apart.with_history(Some(&history));
    contacts_into(&known, &ContactParams::within(0.3), cache, set)?;
    assert!(set.manifold.contacts.is_empty() && (set.manifold.gap.gap - 0.25).abs() < 1e-6, "{set:?}");
    assert!((contact_gap(&known, f64::INFINITY, cache)? - 0.25).abs() < 1e-6);
    // One corner of each is inside the other.
    let deep = place(0.99);
    let changed = history.commit(&deep.oriented().unwrap(), &mut Vec::new())?;
    contacts_into(&deep.with_history(Some(&history)), &ContactParams::within(0.0), cache, set)?;
    assert!(changed && set.manifold.contacts.len() == 2, "{set:?}");
    for contact in &set.manifold.contacts {
        assert!(
            (contact.gap + 0.01).abs() < 1e-12 && (contact.normal - Vec3::z()).norm() < 1e-12,
            "{contact:?}"
        );
    }
    Ok(())
}

/// Asks a question of two boxes, or a box and a floor, that are 0.25 m apart along z, and checks the answer if there is one.
fn ask(a: &Collider, b: &Collider, question: Question) -> Result<(), ColliderError> {
    // A half-space lies below, whichever of the two it is.
    let (pose_a, pose_b) = match b {
        Collider::HalfSpace(_) => (at(0.1, 0.2, 1.25), Pose::identity()),
        _ => (Pose::identity(), at(0.1, 0.2, 1.25)),
    };
    let cache = &mut ColliderCache::default();
    let name = format!("{} of {} and {}", question, a.kind(), b.kind());
    match question {
        Question::Contacts if [a, b].iter().any(|one| one.kind() == ColliderKind::Oriented) => {
            ask_corners(a, b)?;
        }
        Question::Gap => {
            let found = gap(&pair(a, &pose_a, b, &pose_b), &DistanceParams::default(), cache)?;
            assert!((found.gap - 0.25).abs() < 1e-12, "{name}: {found:?}");
            assert!(found.lower <= 0.25 + 1e-12 && found.upper >= 0.25 - 1e-12, "{name}: {found:?}");
            let back = gap(&pair(b, &pose_b, a, &pose_a), &DistanceParams::default(), cache)?;
            assert!((back.gap - found.gap).abs() < 1e-14, "{name}");
            assert!((back.normal + found.normal).norm() < 1e-12, "{name}: {found:?} and back {back:?}");
            assert!((found.point_b - found.point_a - found.gap * found.normal).norm() < 1e-12, "{name}");
        }
        Question::Contacts => {
            let mut set = ContactSet::default();
            contacts_into(&pair(a, &pose_a, b, &pose_b), &ContactParams::within(0.3), cache, &mut set)?;
            let found = &set.manifold.contacts;
            // Pieces of a compound that face each other at an angle have contacts farther away.
            let nearest = found.iter().filter(|contact| (contact.gap - 0.25).abs() < 1e-12).count();
            assert!(nearest >= 4, "{name}: {found:?}");
            assert!(found.iter().all(|contact| contact.gap > 0.25 - 1e-12), "{name}: {found:?}");
            assert!((set.manifold.gap.gap - 0.25).abs() < 1e-12, "{name}");
            let is_compound = [a, b].iter().any(|one| one.kind() == ColliderKind::Compound);
            assert_eq!(set.pieces.len(), if is_compound { found.len() } else { 0 }, "{name}");
            contacts_into(&pair(a, &pose_a, b, &pose_b), &ContactParams::within(0.2), cache, &mut set)?;
            assert!(set.manifold.contacts.is_empty() && set.pieces.is_empty(), "{name}");
            assert!(set.manifold.gap.lower > 0.2 - 1e-12, "{name}: {:?}", set.manifold.gap);
        }
        Question::FirstTouch => {
            let down = Vec3::new(0.0, 0.0, -1.0);
            let moving = |pose: Pose| Motion::new(pose, down, Vec3::zeros()).unwrap();
            let (motion_a, motion_b) = match b {
                Collider::HalfSpace(_) => (moving(pose_a), Motion::fixed(pose_b)),
                _ => (Motion::fixed(pose_a), moving(pose_b)),
            };
            let params = ImpactParams::default();
            let Impact::At(meeting) = first_touch(a, &motion_a, b, &motion_b, 1.0, &params, cache)? else {
                panic!("{name}: no meeting")
            };
            assert!((meeting.t - 0.25).abs() < 1e-7 && meeting.t <= 0.25, "{name}: {meeting:?}");
            assert!(cache.steps() > 0);
            let clear = first_touch(a, &motion_a, b, &motion_b, 0.2, &params, cache)?;
            assert_eq!(clear, Impact::Clear, "{name}");
        }
    }
    Ok(())
}

#[test]
fn every_cell_of_the_table_answers_or_refuses_as_it_says() {
    let mut answered = 0;
    for a in ColliderKind::ALL {
        for b in ColliderKind::ALL {
            for question in Question::ALL {
                assert_eq!(cell(a, b, question), cell(b, a, question), "the table has no order");
                let (one, other) = (sample(a), sample(b));
                assert_eq!((one.kind(), other.kind()), (a, b));
                match (cell(a, b, question), ask(&one, &other, question)) {
                    (Cell::Answered { .. }, Ok(())) => answered += 1,
                    (Cell::Refused { reason }, Err(ColliderError::Refused { reason: given, .. })) => {
                        assert_eq!(reason, given);
                    }
                    (cell, outcome) => panic!("{question} of {a} and {b}: {cell:?}, {outcome:?}"),
                }
            }
        }
    }
    assert!(answered >= 50, "{answered} cells were asked");
}

#[test]
fn the_gap_that_contacts_see_is_the_gap_apart_and_the_deepest_contact_in_overlap() {
    let (cache, set) = (&mut ColliderCache::default(), &mut ContactSet::default());
    let mut asked = 0;
    for a in ColliderKind::ALL {
        for b in ColliderKind::ALL {
            let is_answered = |question| matches!(cell(a, b, question), Cell::Answered { .. });
            let (one, other) = (sample(a), sample(b));
            if !(is_answered(Question::Gap) && is_answered(Question::Contacts)) || a == ColliderKind::Oriented
            {
                continue;
            }
            for z in [1.25, 0.995] {
                let placed = match b {
                    ColliderKind::HalfSpace => pair(&one, &at(0.1, 0.2, z), &other, &Pose::identity()),
                    _ => pair(&one, &Pose::identity(), &other, &at(0.1, 0.2, z)),
                };
                let seen = contact_gap(&placed, f64::INFINITY, cache).unwrap();
                let expected = if z > 1.0 {
                    gap(&placed, &DistanceParams::default(), cache).unwrap().gap
                } else {
                    contacts_into(&placed, &ContactParams::within(0.0), cache, set).unwrap();
                    set.manifold.gap.gap
                };
                assert!((seen - expected).abs() < 1e-14, "{a} and {b} at {z}: {seen} and {expected}");
                // Complexes without dilation that intersect do not know how deep.
                let is_known = z > 1.0 || ![a, b].contains(&ColliderKind::Complex);
                assert!(!is_known || (seen - (z - 1.0)).abs() < 1e-12, "{a} and {b} at {z}: {seen}");
                asked += 1;
            }
        }
    }
    assert!(asked >= 30, "{asked} pairs");
}

#[test]
fn an_oriented_pair_keeps_the_surface_that_a_corner_came_in_through() {
    // A tall box goes through a plate of 20 mm by three quarters: the nearest surface is the lower one.
    let plate = oriented(&cuboid(1.0, 1.0, 0.02).into());
    let post = oriented(&cuboid(0.1, 0.1, 1.0).into());
    let place = |z: f64| pair(&plate, &Pose::identity(), &post, &at(0.0, 0.0, z + 0.51));
    let mut history = OrientedHistory::begin(&place(0.1).oriented().unwrap()).unwrap();
    let (cache, set, params) =
        (&mut ColliderCache::default(), &mut ContactSet::default(), ContactParams::within(0.0));
    // A question about a trial changes nothing.
    let trial = place(-0.015);
    let before = history.clone();
    assert!(contact_gap(&trial.with_history(Some(&history)), 0.0, cache).unwrap() < 0.0);
    assert_eq!(history, before);
    for z in [-0.005, -0.015] {
        history.commit(&place(z).oriented().unwrap(), &mut Vec::new()).unwrap();
        contacts_into(&place(z).with_history(Some(&history)), &params, cache, set).unwrap();
        assert_eq!(set.manifold.contacts.len(), 4);
        for contact in &set.manifold.contacts {
            assert!((contact.gap - z).abs() < 1e-12 && contact.normal.z > 0.99, "{contact:?}");
        }
    }
    // Two balls have neither corners nor surfaces.
    let ball = oriented(&Shape::sphere(0.1).unwrap());
    let refused = OrientedHistory::begin(
        &pair(&ball, &Pose::identity(), &post, &at(1.0, 0.0, 0.0)).oriented().unwrap(),
    );
    let refused = refused.unwrap_err();
    assert!(refused.is_b && refused.to_string().contains("no flat surfaces"), "{refused}");
}

#[test]
fn two_shapes_meet_as_the_later_of_the_kinds_that_were_asked_for() {
    let cube = Shape::from(cuboid(1.0, 1.0, 1.0));
    let complex = |shape: &Shape| {
        let made = ComplexCollider::of_shape(shape, &ComplexOptions::default(), 0.05).unwrap();
        Collider::Complex(made.unwrap())
    };
    let views = |asked: Option<ColliderKind>| {
        let mut views = ColliderViews::new(cube.clone());
        for collider in [complex(&cube), oriented(&cube)] {
            if asked == Some(collider.kind()) {
                views.ask(collider);
            } else {
                views.insert(collider);
            }
        }
        views
    };
    let all = [None, Some(ColliderKind::Complex), Some(ColliderKind::Oriented)];
    let kinds = [ColliderKind::Convex, ColliderKind::Complex, ColliderKind::Oriented];
    for (i, a) in all.into_iter().enumerate() {
        for (j, b) in all.into_iter().enumerate() {
            let (one, other) = (views(a), views(b));
            let view = ColliderViews::of_pair(&one, &other);
            let expected = (kinds[i.max(j)], kinds[i.max(j)]);
            assert_eq!((one.get(view).kind(), other.get(view).kind()), expected, "{a:?} and {b:?}");
        }
    }
    // A shape of which no complex was made meets one as the shape that the complex was made of.
    let mut bare = ColliderViews::new(cube.clone());
    assert!(!bare.has(ColliderKind::Complex));
    let asking = views(Some(ColliderKind::Complex));
    let view = ColliderViews::of_pair(&bare, &asking);
    assert_eq!(view, None);
    let above = pair(bare.get(view), &Pose::identity(), asking.get(view), &at(0.0, 0.0, 2.0));
    let met = contact_gap(&above, f64::INFINITY, &mut ColliderCache::default()).unwrap();
    assert!((met - 1.0).abs() < 1e-15, "{met}");
    // A complex and a shape have no answer of their own: the table refuses the two.
    let complex_above =
        pair(bare.get(None), &Pose::identity(), asking.get(Some(ColliderKind::Complex)), &at(0.0, 0.0, 2.0));
    let refused = contact_gap(&complex_above, f64::INFINITY, &mut ColliderCache::default()).unwrap_err();
    assert!(
        refused.to_string().ends_with("or ask about the shape that the complex was made of"),
        "{refused}"
    );
    // A half-space may be among complexes, and two of them have no gap there either.
    let plane = Shape::half_space(Vec3::z(), 0.0).unwrap();
    bare = ColliderViews::new(plane.clone());
    bare.insert(complex(&plane));
    let floor = bare.get(Some(ColliderKind::Complex));
    let above = ColliderPair::new(
        floor,
        Pose::identity(),
        asking.get(Some(ColliderKind::Complex)),
        at(0.0, 0.0, 2.0),
    );
    let cache = &mut ColliderCache::default();
    assert!((contact_gap(&above, f64::INFINITY, cache).unwrap() - 1.5).abs() < 1e-12);
    let two = ColliderPair::new(floor, Pose::identity(), floor, Pose::identity());
    assert_eq!(contact_gap(&two, f64::INFINITY, cache), Err(ProximityError::BothUnbounded.into()));
}

#[test]
fn the_page_prints_the_table() {
    let page = include_str!("../../../docs/colliders.md");
    assert!(page.contains(&markdown()), "docs/colliders.md must hold this table:\n{}", markdown());
}

/// A compound of random boxes and balls.
fn random_compound(random: &mut Random, count: usize) -> Compound {
    let piece = |_| {
        let shape = if random.range(0.0, 1.0) < 0.5 {
            cuboid(random.range(0.1, 0.5), random.range(0.1, 0.5), random.range(0.1, 0.5))
        } else {
            Sphere::new(random.range(0.1, 0.4)).unwrap().into()
        };
        let axis = random.in_cube(1.0) + Vec3::new(2.0, 0.0, 0.0);
        (Pose::from_axis_angle(random.in_cube(1.0), axis, random.range(0.0, 6.0)).unwrap(), shape)
    };
    Compound::new((0..count).map(piece).collect()).unwrap()
}

/// The least gap of all pairs of pieces, each asked for by itself.
fn least(a: &Compound, pose_a: &Pose, b: &Compound, pose_b: &Pose) -> Gap {
    let pairs = a.pieces().iter().flat_map(|p| b.pieces().iter().map(move |q| (p, q)));
    let gaps = pairs.map(|((place_a, p), (place_b, q))| {
        let (p, q) = (Collider::from(p.clone()), Collider::from(q.clone()));
        distance(&p, &(*pose_a * *place_a), &q, &(*pose_b * *place_b), &DistanceParams::default()).unwrap()
    });
    gaps.min_by(|x, y| x.gap.total_cmp(&y.gap)).unwrap()
}

#[test]
fn a_compound_is_as_far_away_as_its_nearest_piece() {
    let mut random = Random::new(7);
    let cache = &mut ColliderCache::default();
    let (mut apart, mut deep) = (0, 0);
    for round in 0..400 {
        let (a, b) =
            (random_compound(&mut random, 1 + round % 7), random_compound(&mut random, 1 + round % 5));
        let (one, other) = (Collider::from_shape(a.clone().into()), Collider::from_shape(b.clone().into()));
        let pose_a = Pose::from_axis_angle(random.in_cube(1.0), Vec3::y(), random.range(0.0, 6.0)).unwrap();
        let pose_b = at(random.range(0.0, 1.5), random.range(-1.0, 1.0), 0.0);
        let exact = least(&a, &pose_a, &b, &pose_b);
        let found = gap(&pair(&one, &pose_a, &other, &pose_b), &DistanceParams::default(), cache).unwrap();
        assert!((found.gap - exact.gap).abs() < 1e-10, "{found:?} {exact:?}");
        assert!(found.lower <= exact.gap && exact.gap <= found.upper + 1e-15, "{found:?} {exact:?}");
        assert!((found.point_b - found.point_a - found.gap * found.normal).norm() < 1e-9);
        if exact.gap > 0.0 {
            apart += 1;
            assert!(found.gap - found.lower < 1e-9, "apart the bounds meet: {found:?}");
        } else {
            deep += 1;
            assert_eq!(found.status, GapStatus::LocalDepth, "a depth of pieces is a bound");
            // The certificate: moved apart by that much along some axis, no piece overlaps.
            assert!(found.lower < 0.0 && found.lower.is_finite());
            let ways = [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::x(), -Vec3::y(), -Vec3::z()];
            let clears = |way: &Vec3| {
                let moved = Pose::from_translation(way * (1e-9 - found.lower)).unwrap() * pose_b;
                least(&a, &pose_a, &b, &moved).gap > 0.0
            };
            assert!(ways.iter().any(clears), "{found:?}");
        }
        let near = DistanceParams { cutoff: 0.5 * exact.gap.max(0.0), ..DistanceParams::default() };
        let cut = gap(&pair(&one, &pose_a, &other, &pose_b), &near, cache).unwrap();
        assert_eq!(cut.status == GapStatus::Farther, exact.gap > 0.0, "{cut:?} {exact:?}");
        assert!(cut.lower <= exact.gap, "{cut:?} {exact:?}");
    }
    assert!(apart > 50 && deep > 50, "{apart} apart, {deep} in overlap");
}

#[test]
fn contacts_of_a_compound_are_those_of_its_pieces_with_their_numbers() {
    let mut random = Random::new(8);
    let (cache, mut set) = (&mut ColliderCache::default(), ContactSet::default());
    let mut listed = 0;
    for _ in 0..200 {
        let (a, b) = (random_compound(&mut random, 4), random_compound(&mut random, 3));
        let (here, pose_b) = (Pose::identity(), at(random.range(0.0, 1.5), 0.0, 0.0));
        let params = ContactParams::within(0.2);
        let (one, other) = (Collider::from_shape(a.clone().into()), Collider::from_shape(b.clone().into()));
        contacts_into(&pair(&one, &here, &other, &pose_b), &params, cache, &mut set).unwrap();
        let mut expected = Vec::new();
        for (i, (place_a, p)) in (0_u32..).zip(a.pieces()) {
            for (j, (place_b, q)) in (0_u32..).zip(b.pieces()) {
                let (p, q) = (Collider::from(p.clone()), Collider::from(q.clone()));
                let found = contacts(&p, &(here * *place_a), &q, &(pose_b * *place_b), &params).unwrap();
                expected.extend(found.manifold.contacts.into_iter().map(|contact| ([i, j], contact)));
            }
        }
        let gap = gap(&pair(&one, &here, &other, &pose_b), &DistanceParams::default(), cache).unwrap();
        if gap.gap < 0.0 {
            let whole = set.manifold.gap;
            assert!((whole.gap - gap.gap).abs() < 1e-14, "{whole:?} {gap:?}");
            assert!(
                whole.lower.to_bits() == gap.lower.to_bits() && whole.status == gap.status,
                "{whole:?} {gap:?}"
            );
        }
        let found: Vec<_> = set.pieces.iter().copied().zip(set.manifold.contacts.iter().copied()).collect();
        assert_eq!(found, expected);
        listed += found.len();
        let mut names: Vec<_> = found.iter().map(|(pieces, contact)| (*pieces, contact.id)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), found.len(), "a contact has one name");
    }
    assert!(listed > 100, "{listed} contacts");
}

#[test]
fn a_compound_first_touches_with_the_piece_that_comes_first() {
    let mut random = Random::new(9);
    let cache = &mut ColliderCache::default();
    let params = ImpactParams::default();
    let mut met = 0;
    for _ in 0..100 {
        let a = random_compound(&mut random, 5);
        let one = Collider::from_shape(a.clone().into());
        let ball = Collider::Convex(Sphere::new(0.2).unwrap().into());
        let (start, velocity) = (at(4.0, 0.0, 0.0), Vec3::new(-2.0, 0.0, 0.0));
        let motion_a = Motion::new(start, velocity, random.in_cube(3.0)).unwrap();
        let still = Motion::fixed(Pose::identity());
        let found = first_touch(&ball, &still, &one, &motion_a, 3.0, &params, cache).unwrap();
        let of_piece = |(pose, piece): &(Pose, ConvexShape), cache: &mut ColliderCache| {
            let piece = Collider::Convex(piece.clone());
            let motion = motion_a.of_part(pose);
            first_touch(&ball, &still, &piece, &motion, 3.0, &params, cache).unwrap().free_until(3.0)
        };
        let earliest = a.pieces().iter().map(|piece| of_piece(piece, cache)).fold(3.0, f64::min);
        assert!((found.free_until(3.0) - earliest).abs() < 1e-7, "{found:?} {earliest}");
        met += usize::from(found.first_contact().is_some());
    }
    assert!(met > 20, "{met} meetings");
}

#[test]
fn every_door_to_a_first_touch_gives_the_same_answer() {
    let mut random = Random::new(23);
    let cache = &mut ColliderCache::default();
    let params = ImpactParams::default();
    let shapes = [
        Shape::from(cuboid(1.0, 0.5, 0.25)),
        Shape::from(ConvexShape::from(Sphere::new(0.3).unwrap())),
        Shape::half_space(Vec3::z(), -2.0).unwrap(),
    ];
    let mut met = 0;
    for k in 0..90 {
        let (a, b) = (&shapes[k % 3], &shapes[k / 3 % 3]);
        let mut motion = |from: f64| {
            let pose = Pose::new(Vec3::new(from, 0.0, 0.0), random.quaternion_xyzw()).unwrap();
            Motion::new(pose, Vec3::new(-from, 0.0, -1.0), random.in_cube(2.0)).unwrap()
        };
        let (motion_a, motion_b) = (motion(-2.0), motion(2.0));
        let direct = time_of_impact(a, &motion_a, b, &motion_b, 2.0, &params);
        let (one, other) = (Collider::from_shape(a.clone()), Collider::from_shape(b.clone()));
        let touch = first_touch(&one, &motion_a, &other, &motion_b, 2.0, &params, cache);
        let paths = [motion_a, motion_b].map(|motion| Path::of(motion, 2.0).unwrap());
        let along = first_touch_along(&one, &paths[0], &other, &paths[1], &params, cache);
        let (Ok(direct), Ok(touch), Ok(along)) = (&direct, &touch, &along) else {
            assert!(direct.is_err() && touch.is_err() && along.is_err(), "{direct:?} {touch:?} {along:?}");
            continue;
        };
        // Poses of pieces and of paths are composed, which rounds.
        for found in [touch, along] {
            let Some(meeting) = direct.first_contact() else {
                assert_eq!(found, direct);
                continue;
            };
            let other = found.first_contact().unwrap_or_else(|| panic!("{direct:?} {found:?}"));
            assert!((meeting.t - other.t).abs() < 1e-12, "{direct:?} {found:?}");
            assert!((meeting.gap - other.gap).abs() < 1e-12, "{direct:?} {found:?}");
            assert_eq!(meeting.began_in_contact, other.began_in_contact);
        }
        met += usize::from(direct.first_contact().is_some());
    }
    assert!(met > 20, "{met} meetings");
}

#[test]
fn a_compound_on_a_path_meets_and_passes_as_its_pieces_do() {
    // Two balls on a bar of nothing, which goes to the side and then down on a cube: the lower one comes first.
    let ball: ConvexShape = Sphere::new(0.1).unwrap().into();
    let pieces = vec![(at(0.0, 0.0, 0.5), ball.clone()), (at(0.0, 0.0, -0.5), ball)];
    let balls = Collider::from_shape(Compound::new(pieces).unwrap().into());
    let cube = Collider::Convex(cuboid(1.0, 1.0, 1.0));
    let still = Path::fixed(Pose::identity());
    let (cache, params) = (&mut ColliderCache::default(), ImpactParams::default());
    let down =
        Path::through(at(3.0, 0.0, 3.0), &[(1.0, at(0.0, 0.0, 3.0)), (2.0, at(0.0, 0.0, 0.0))]).unwrap();
    // The lower ball begins at 2.5 m and touches with its middle at 0.6 m.
    let expected = 1.0 + 1.9 / 3.0;
    let found = first_touch_along(&cube, &still, &balls, &down, &params, cache).unwrap();
    let Impact::At(meeting) = found else { panic!("{found:?}") };
    assert!(meeting.t <= expected && expected <= meeting.t_upper, "{meeting:?} {expected}");
    assert!((meeting.normal - Vec3::z()).norm() < 1e-9 && cache.steps() > 2, "{meeting:?}");

    let past =
        Path::through(at(3.0, 0.0, 3.0), &[(1.0, at(0.0, 0.0, 3.0)), (2.0, at(0.0, 0.0, 1.5))]).unwrap();
    assert_eq!(first_touch_along(&cube, &still, &balls, &past, &params, cache).unwrap(), Impact::Clear);
    let near = clearance_along(&cube, &still, &balls, &past, &ClearanceParams::default()).unwrap();
    assert!(near.lower <= 0.4 && 0.4 <= near.upper + 1e-12 && (near.t - 2.0).abs() < 1e-9, "{near:?}");

    // The bound of the whole is that of the piece that is nearest in time.
    let (fixed, falling) =
        (still.first(), Motion::new(at(0.0, 0.0, 3.0), -Vec3::z(), Vec3::zeros()).unwrap());
    let lower = Shape::sphere(0.1).unwrap();
    let alone = motion::safe_time(
        &cuboid(1.0, 1.0, 1.0).into(),
        fixed,
        &lower,
        &falling.of_part(&at(0.0, 0.0, -0.5)),
    );
    let whole = safe_time(&cube, fixed, &balls, &falling).unwrap();
    assert!((whole - alone.unwrap()).abs() < 1e-12, "{whole}");
}

#[test]
fn memory_of_other_pairs_changes_no_bit() {
    let kinds = [ColliderKind::Convex, ColliderKind::Compound, ColliderKind::Mesh, ColliderKind::Complex];
    let (mut used, mut set) = (ColliderCache::default(), ContactSet::default());
    let here = Pose::identity();
    for k in 0..64 {
        let (a, b) = (sample(kinds[k % 4]), sample(kinds[(k / 4) % 4]));
        let pose = Pose::from_axis_angle(Vec3::new(0.3, 0.1, 1.4), Vec3::x(), 0.01 * k as f64).unwrap();
        let ask =
            |cache: &mut ColliderCache| gap(&pair(&a, &here, &b, &pose), &DistanceParams::default(), cache);
        assert_eq!(ask(&mut used), ask(&mut ColliderCache::default()));
        let mut fresh = ContactSet::default();
        let params = ContactParams::within(1.0);
        let one = contacts_into(&pair(&a, &here, &b, &pose), &params, &mut used, &mut set);
        let other =
            contacts_into(&pair(&a, &here, &b, &pose), &params, &mut ColliderCache::default(), &mut fresh);
        assert_eq!(one, other);
        if one.is_ok() {
            assert_eq!(set.manifold, fresh.manifold);
            assert_eq!((&set.pieces, set.base_distance), (&fresh.pieces, fresh.base_distance));
        }
    }
}

#[test]
fn a_cache_for_a_pair_keeps_every_gap() {
    let ball = parts::by_name("uv-sphere", &[]).unwrap();
    let gem = Collider::Convex(convex_hull(ball.vertices()).unwrap().into());
    let (mut cache, here, params) = (ColliderCache::for_pair(), Pose::identity(), DistanceParams::default());
    for step in 0..100 {
        let turn = 0.02 * f64::from(step);
        let pose = Pose::from_axis_angle(Vec3::new(0.05, 0.0, 0.0), Vec3::z(), turn).unwrap();
        let warm = gap(&pair(&gem, &here, &gem, &pose), &params, &mut cache).unwrap();
        let cold = gap(&pair(&gem, &here, &gem, &pose), &params, &mut ColliderCache::default()).unwrap();
        assert_eq!(Gap { iterations: 0, ..warm }, Gap { iterations: 0, ..cold });
    }
}

#[test]
fn pieces_that_no_compound_can_have_are_refused_by_name() {
    assert_eq!(CompoundCollider::new(Vec::new()).unwrap_err(), ColliderError::NoPieces);
    let floor = sample(ColliderKind::HalfSpace);
    let refused = CompoundCollider::new(vec![(Pose::identity(), floor)]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a half-space cannot be a piece of a compound: pieces are bounded, and compounds do not nest"
    );
    let nested = sample(ColliderKind::Compound);
    assert!(CompoundCollider::new(vec![(Pose::identity(), nested)]).is_err());
}

#[test]
fn compounds_may_have_meshes_as_pieces() {
    let mesh = sample(ColliderKind::Mesh);
    let pieces = vec![(at(-2.0, 0.0, 0.0), mesh.clone()), (at(2.0, 0.0, 0.0), mesh)];
    let two = Collider::Compound(Arc::new(CompoundCollider::new(pieces).unwrap()));
    let ball = Collider::Convex(Sphere::new(0.5).unwrap().into());
    let (cache, here) = (&mut ColliderCache::default(), Pose::identity());
    let found =
        gap(&pair(&two, &here, &ball, &at(0.5, 0.0, 0.0)), &DistanceParams::default(), cache).unwrap();
    assert!((found.gap - 0.5).abs() < 1e-13 && (found.normal + Vec3::x()).norm() < 1e-12, "{found:?}");
    let mut set = ContactSet::default();
    let params = ContactParams::default();
    contacts_into(&pair(&two, &here, &ball, &at(3.0, 0.0, 0.0)), &params, cache, &mut set).unwrap();
    assert!(!set.pieces.is_empty() && set.pieces.iter().all(|pair| *pair == [1, 0]), "{:?}", set.pieces);
}

#[test]
fn a_body_inside_a_closed_mesh_is_in_overlap() {
    let big = sample(ColliderKind::Mesh);
    let small =
        parts::by_name("box", &[("width", "0.2 m"), ("depth", "0.2 m"), ("height", "0.2 m")]).unwrap();
    let others = [Collider::from_mesh(small), Collider::Convex(cuboid(0.2, 0.2, 0.2))];
    let (cache, here, inside) = (&mut ColliderCache::default(), Pose::identity(), at(0.1, 0.0, 0.0));
    for other in &others {
        // The shortest way out is to the right: 0.5 m.
        for cutoff in [f64::INFINITY, 0.01] {
            let params = DistanceParams { cutoff, ..DistanceParams::default() };
            let found = gap(&pair(&big, &here, other, &inside), &params, cache).unwrap();
            assert!(
                (found.gap + 0.5).abs() < 1e-14 && found.status == GapStatus::LocalDepth,
                "{}: {found:?}",
                other.kind()
            );
            assert!(found.lower <= -0.5 && -0.5 <= found.upper, "{}: {found:?}", other.kind());
            assert!((found.point_b - found.point_a - found.gap * found.normal).norm() < 1e-12);
        }
    }
}

#[test]
fn a_compound_in_a_floor_is_as_deep_as_its_deepest_piece() {
    let floor = sample(ColliderKind::HalfSpace);
    let two = sample(ColliderKind::Compound);
    let cache = &mut ColliderCache::for_pair();
    let pair = pair(&floor, &Pose::identity(), &two, &at(0.0, 0.0, 0.8));
    let found = gap(&pair, &DistanceParams::default(), cache).unwrap();
    // One way leads out of a half-space: the bounds meet.
    assert!((found.gap + 0.2).abs() < 1e-15 && found.status == GapStatus::Exact, "{found:?}");
    assert!(found.gap - found.lower < 1e-13 && found.upper - found.gap < 1e-13, "{found:?}");
}

#[test]
fn what_a_cache_kept_of_one_piece_is_not_used_for_another() {
    let mut random = Random::new(12);
    let (mut kept, mut set, mut fresh) =
        (ColliderCache::for_pair(), ContactSet::default(), ContactSet::default());
    for _ in 0..50 {
        let (a, b) = (random_compound(&mut random, 3), random_compound(&mut random, 3));
        let (one, other) = (Collider::from_shape(a.into()), Collider::from_shape(b.into()));
        let pair = pair(&one, &Pose::identity(), &other, &at(random.range(0.0, 1.0), 0.0, 0.0));
        let params = ContactParams::within(0.3);
        contacts_into(&pair, &params, &mut kept, &mut set).unwrap();
        contacts_into(&pair, &params, &mut ColliderCache::default(), &mut fresh).unwrap();
        assert_eq!(set, fresh);
    }
}

#[test]
fn many_pairs_have_the_answers_of_each_alone_and_name_the_first_that_is_refused() {
    let kinds = [ColliderKind::Convex, ColliderKind::Compound, ColliderKind::Mesh];
    let bodies: Vec<Collider> = kinds.into_iter().map(sample).collect();
    let place = |k: usize| at(0.01 * k as f64, 0.02, 0.98 + 1e-4 * k as f64);
    let mut pairs: Vec<ColliderPair<'_>> =
        (0..300).map(|k| pair(&bodies[k % 3], &Pose::identity(), &bodies[k / 3 % 3], &place(k))).collect();
    let mut gaps = vec![Gap::farthest(); pairs.len()];
    distance_many(&pairs, &DistanceParams::default(), &mut gaps).unwrap();
    let mut sets = vec![ContactSet::default(); pairs.len()];
    contacts_many(&pairs, &ContactParams::within(0.05), &mut sets).unwrap();
    for ((pair, many), set) in pairs.iter().zip(&gaps).zip(&sets) {
        let mut cache = ColliderCache::default();
        assert_eq!(gap(pair, &DistanceParams::default(), &mut cache).unwrap(), *many);
        let mut alone = ContactSet::default();
        contacts_into(pair, &ContactParams::within(0.05), &mut cache, &mut alone).unwrap();
        assert_eq!(alone.manifold.contacts, set.manifold.contacts);
    }
    let floor = sample(ColliderKind::HalfSpace);
    for refused in [17, 5] {
        pairs[refused] = pair(&floor, &Pose::identity(), &floor, &Pose::identity());
    }
    let (index, error) = distance_many(&pairs, &DistanceParams::default(), &mut gaps).unwrap_err();
    assert!(index == 5 && error.to_string().contains("bounded"), "{index}: {error}");
}

/// A gear that rocks on a floor, 20 µm deep: the sum of its depths follows the motion, and does not jump where another corner becomes the lowest of its neighbours.
#[test]
fn depths_of_a_mesh_in_a_half_space_do_not_jump_where_the_mesh_rocks() {
    let gear = Collider::from_mesh(parts::by_name("gear", &[]).unwrap());
    let floor = Collider::from(Shape::half_space(Vec3::z(), 0.0).unwrap());
    let (mut cache, mut set) = (ColliderCache::default(), ContactSet::default());
    let params = ContactParams { quadrature: Some(1e-4), ..ContactParams::within(1e-6) };
    let turned = |angle: f64| Pose::from_axis_angle(Vec3::zeros(), Vec3::new(1.0, 0.3, 0.0), angle).unwrap();
    let mut last: Option<f64> = None;
    let (step, count) = (2e-6, 4000);
    for k in 0..count {
        let turn = turned(0.02 + step * f64::from(k));
        let above = pair(&floor, &Pose::identity(), &gear, &turn);
        let free = gap(&above, &DistanceParams::default(), &mut cache).unwrap();
        let lowered = Pose::new(Vec3::new(0.0, 0.0, -free.gap - 2e-5), turn.quaternion_xyzw()).unwrap();
        contacts_into(&pair(&floor, &Pose::identity(), &gear, &lowered), &params, &mut cache, &mut set)
            .unwrap();
        let depth: f64 = set.manifold.contacts.iter().map(|contact| (-contact.gap).max(0.0)).sum();
        if let Some(before) = last {
            // No corner of the gear is farther than 30 mm from another, and no more than 50 are below.
            assert!((depth - before).abs() < 50.0 * 0.03 * step, "from {before:e} to {depth:e} at step {k}");
        }
        last = Some(depth);
    }
}
