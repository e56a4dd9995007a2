//! What holds for the manifold of every pair of shapes: its form, swap, motion, scale, points in their shapes, four for many, batches.

#[path = "../../geometry/tests/shape_zoo/mod.rs"]
#[allow(dead_code, reason = "the shapes are used here, not their own checks")]
mod shape_zoo;

mod manifold_checks;
mod pair_checks;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use manifold_checks::{bits, check_manifold, outside};
use pair_checks::{PlacedShape, is_exact, random_pose, set_apart, size};
use shape_zoo::zoo;
use zerogap_core::{Contact, ContactId, Manifold, NormalKind, Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_proximity::collider::{Collider, ColliderPair, ContactSet, contacts_many};
use zerogap_proximity::convex::{ContactParams, contacts};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

static ZOO: LazyLock<Vec<(&'static str, ConvexShape)>> = LazyLock::new(|| zoo(1.0));

/// Two shapes of the zoo: on the brink of contact, on each other's flat parts, with their origins in one place, unturned, or anywhere.
fn pair(random: &mut Random) -> [(usize, Pose); 2] {
    let indices = [random.index(ZOO.len()), random.index(ZOO.len())];
    let reach = random.range(0.0, 1.2);
    let mut a = PlacedShape::new(ZOO[indices[0]].1.clone(), random_pose(random, reach));
    let mut b = PlacedShape::new(ZOO[indices[1]].1.clone(), random_pose(random, reach));
    if random.index(3) == 0 {
        a.pose = Pose::from_translation(a.pose.translation()).unwrap();
        b.pose = Pose::from_translation(b.pose.translation()).unwrap();
    }
    let axes = [Vec3::z(), -Vec3::x(), random.direction()];
    let gap = [0.0, 1e-15, -1e-15, 1e-9, -1e-6, 1e-3, -0.05][random.index(7)];
    match random.index(4) {
        0 | 1 => b = set_apart(&a, &b, &axes[random.index(3)], gap),
        2 => b.pose = Pose::new(a.pose.translation(), b.pose.quaternion_xyzw()).unwrap(),
        _ => {}
    }
    [(indices[0], a.pose), (indices[1], b.pose)]
}

fn placed([(a, pose_a), (b, pose_b)]: [(usize, Pose); 2]) -> [PlacedShape; 2] {
    [PlacedShape::new(ZOO[a].1.clone(), pose_a), PlacedShape::new(ZOO[b].1.clone(), pose_b)]
}

fn manifold([a, b]: &[PlacedShape; 2], params: &ContactParams) -> Manifold {
    contacts(&a.shape, &a.pose, &b.shape, &b.pose, params)
}

/// Contacts up to a tenth of the size [m].
fn wide() -> ContactParams {
    ContactParams::within(0.1)
}

fn by_name(manifold: &Manifold) -> BTreeMap<ContactId, f64> {
    manifold.contacts.iter().map(|contact| (contact.id, contact.gap)).collect()
}

#[test]
fn every_manifold_has_its_form_and_its_points_in_their_shapes() {
    let mut random = Random::new(1);
    let mut worst = [0.0_f64, 0.0];
    let (mut touching, mut off) = (0, 0);
    for _ in 0..count(2_000, 200_000) {
        let pair = placed(pair(&mut random));
        let found = manifold(&pair, &wide());
        let [a, b] = &pair;
        check_manifold(a, b, &found, &wide());
        if found.contacts.is_empty() {
            continue;
        }
        touching += 1;
        let sharp = [a, b].iter().all(|placed| placed.shape.corners().is_some());
        let out = outside(a, b, &found) / size(a, b);
        // Where the nearest points of needles and wafers in overlap are off themselves, a contact is no worse.
        let nearest = Contact { point_a: found.gap.point_a, point_b: found.gap.point_b, ..found.contacts[0] };
        let own = outside(a, b, &Manifold { contacts: vec![nearest], ..found.clone() }) / size(a, b);
        if own > 1e-5 {
            assert!(!sharp && out <= 1.001 * own, "outside by {out:e}: {found:#?}\n{a:?}\n{b:?}");
            off += 1;
            continue;
        }
        worst[usize::from(!sharp)] = worst[usize::from(!sharp)].max(out);
        assert!(out <= if sharp { 1e-12 } else { 1e-5 }, "outside by {out:e}: {found:#?}\n{a:?}\n{b:?}");
    }
    assert!(1000 * off < touching, "{off} of {touching} pairs have nearest points outside of their shapes");
    println!("{touching} touch, {off} with points that are off, outside by {worst:?} of the size");
    assert!(touching > 500, "{touching}");
}

#[test]
fn swapping_the_shapes_swaps_the_contacts_and_no_bit_more() {
    let mut random = Random::new(2);
    for _ in 0..count(2_000, 100_000) {
        let pair = placed(pair(&mut random));
        let here = manifold(&pair, &wide());
        let [a, b] = pair;
        let mut there = manifold(&[b.clone(), a.clone()], &wide());
        there.swap();
        // Equal shapes in one pose have no order.
        if a.pose == b.pose && a.shape == b.shape {
            continue;
        }
        assert_eq!(bits(&here), bits(&there), "{here:#?}\n{there:#?}\n{a:?}\n{b:?}");
    }
}

#[test]
fn a_common_motion_moves_the_contacts_and_keeps_their_names() {
    let mut random = Random::new(3);
    let (mut same, mut other) = (0, 0);
    for _ in 0..count(2_000, 50_000) {
        let [a, b] = placed(pair(&mut random));
        let by = random_pose(&mut random, 3.0);
        let here = manifold(&[a.clone(), b.clone()], &wide());
        let moved = [a.moved(&by), b.moved(&by)];
        let there = manifold(&moved, &wide());
        check_manifold(&moved[0], &moved[1], &there, &wide());
        // Rounding may tip what is a tie: corners on borders, normals of which several are as good, gaps at the limit.
        let is_tie = [&here, &there].iter().any(|m| m.normal_kind == NormalKind::Chosen);
        if is_tie || !is_exact(&a, &b) {
            continue;
        }
        let (names, names_there) = (by_name(&here), by_name(&there));
        if !names.keys().eq(names_there.keys()) {
            other += 1;
            continue;
        }
        same += 1;
        for contact in &here.contacts {
            let moved = there.contacts.iter().find(|there| there.id == contact.id).unwrap();
            let allowed = 1e-9 * (size(&a, &b) + 3.0);
            assert!((contact.gap - moved.gap).abs() <= allowed, "{contact:?} {moved:?}\n{a:?}\n{b:?}");
            let off = (by.transform_point(&contact.point_a) - moved.point_a).amax();
            assert!(off <= 1e3 * allowed, "{off:e}: {contact:?} {moved:?}\n{a:?}\n{b:?}");
        }
    }
    println!("the same names {same} times, others {other} times");
    assert!(same > 200 && 20 * other < same, "{same} {other}");
}

/// The shape of the zoo of another size that answers to this one, in a pose of that size.
fn scaled((k, pose): (usize, Pose), scale: f64) -> PlacedShape {
    let (_, shape) = zoo(scale).swap_remove(k);
    PlacedShape::new(shape, Pose::new(pose.translation() * scale, pose.quaternion_xyzw()).unwrap())
}

/// The manifold in other units.
fn in_units(mut manifold: Manifold, unit: f64) -> Manifold {
    let gap = &mut manifold.gap;
    for value in [&mut gap.gap, &mut gap.lower, &mut gap.upper] {
        *value /= unit;
    }
    (gap.point_a, gap.point_b) = (gap.point_a / unit, gap.point_b / unit);
    for contact in &mut manifold.contacts {
        contact.gap /= unit;
        (contact.point_a, contact.point_b) = (contact.point_a / unit, contact.point_b / unit);
    }
    manifold
}

#[test]
fn powers_of_two_scale_every_digit() {
    let mut random = Random::new(4);
    for _ in 0..count(600, 20_000) {
        let pair = pair(&mut random);
        let scale = 2.0_f64.powi(random.range(-30.0, 30.0) as i32);
        let here = manifold(&pair.map(|one| scaled(one, 1.0)), &wide());
        let there = manifold(&pair.map(|one| scaled(one, scale)), &ContactParams::within(0.1 * scale));
        let back = in_units(there, scale);
        assert_eq!(
            bits(&here),
            bits(&back),
            "{scale}: {here:#?}\n{back:#?}\n{:?}",
            pair.map(|(k, _)| ZOO[k].0)
        );
    }
}

#[test]
fn other_scales_keep_names_and_scale_gaps() {
    let mut random = Random::new(5);
    let (mut same, mut other) = (0, 0);
    for _ in 0..count(600, 20_000) {
        let pair = pair(&mut random);
        for scale in [1e-3, 7.0, 1e4] {
            let unit = pair.map(|one| scaled(one, 1.0));
            let here = manifold(&unit, &wide());
            let there = in_units(
                manifold(&pair.map(|one| scaled(one, scale)), &ContactParams::within(0.1 * scale)),
                scale,
            );
            let [a, b] = &unit;
            if here.normal_kind == NormalKind::Chosen || !is_exact(a, b) {
                continue;
            }
            let (names, scaled) = (by_name(&here), by_name(&there));
            if !names.keys().eq(scaled.keys()) {
                other += 1;
                continue;
            }
            same += 1;
            for (id, gap) in &names {
                assert!((gap - scaled[id]).abs() <= 1e-9 * size(a, b), "{id}: {here:#?}\n{there:#?}");
            }
        }
    }
    println!("the same names {same} times, others {other} times");
    assert!(same > 100 && 20 * other < same, "{same} {other}");
}

#[test]
fn four_contacts_are_some_of_all_with_the_deepest_among_them() {
    let mut random = Random::new(6);
    let mut fewer = 0;
    for _ in 0..count(3_000, 100_000) {
        let pair = placed(pair(&mut random));
        let all = manifold(&pair, &wide());
        let four = manifold(&pair, &ContactParams { at_most_four: true, ..wide() });
        assert!(four.contacts.len() <= 4, "{four:#?}");
        assert_eq!((all.gap, all.features, all.normal), (four.gap, four.features, four.normal));
        // In the same order, each as it was.
        let mut rest = all.contacts.iter();
        assert!(
            four.contacts.iter().all(|contact| rest.any(|other| other == contact)),
            "{all:#?}\n{four:#?}"
        );
        let least = |m: &Manifold| m.contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min).to_bits();
        assert_eq!(least(&all), least(&four), "{all:#?}\n{four:#?}");
        fewer += usize::from(four.contacts.len() < all.contacts.len());
        if all.contacts.len() <= 4 {
            assert_eq!(bits(&all), bits(&four));
        } else {
            assert!(four.contacts.len() >= 2, "{all:#?}\n{four:#?}");
        }
    }
    assert!(fewer > 30, "{fewer}");
}

#[test]
fn many_at_once_give_the_bits_of_one_by_one_on_any_number_of_threads() {
    let mut random = Random::new(7);
    let pairs: Vec<[PlacedShape; 2]> = (0..count(1_000, 20_000)).map(|_| placed(pair(&mut random))).collect();
    let colliders: Vec<[Collider; 2]> =
        pairs.iter().map(|pair| [0, 1].map(|side| Collider::from(pair[side].shape.clone()))).collect();
    let queries: Vec<ColliderPair<'_>> = pairs
        .iter()
        .zip(&colliders)
        .map(|([a, b], [one, other])| ColliderPair::new(one, a.pose, other, b.pose))
        .collect();
    let single: Vec<Manifold> = pairs.iter().map(|pair| manifold(pair, &wide())).collect();
    // Filled with answers to other questions, so that a slot left out is seen.
    let mut answers: Vec<ContactSet> = single
        .iter()
        .rev()
        .map(|manifold| ContactSet { manifold: manifold.clone(), ..ContactSet::default() })
        .collect();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| contacts_many(&queries, &wide(), &mut answers)).unwrap();
        for (k, (found, expected)) in answers.iter().zip(&single).enumerate() {
            assert_eq!(
                bits(&found.manifold),
                bits(expected),
                "query {k} on {threads} threads: {:?}",
                pairs[k]
            );
        }
        answers.reverse();
    }
}
