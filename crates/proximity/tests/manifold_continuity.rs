//! Along smooth motions contacts keep their names, and each that comes or goes does so for a reason.
//!
//! Boxes, hulls, cylinders and capsules slide, rock, roll, press into each other and lift off, in small steps. A name that two steps share has
//! gaps that differ by no more than the motion allows. A name of one step alone is explained: its gap is at the limit, another
//! contact takes its place, another face or edge faces the other body, or the normal has jumped.

#[path = "../../geometry/tests/shape_zoo/mod.rs"]
#[allow(dead_code, reason = "a shape of the caller's own is used here")]
mod shape_zoo;

mod manifold_checks;
mod pair_checks;

use std::collections::BTreeSet;
use std::sync::Arc;

use manifold_checks::patches::{Named, has_switched, have_parted, look, named};
use manifold_checks::{bits, check_manifold, cuboid, prism};
use pair_checks::PlacedShape;
use shape_zoo::HullOf;
use zerogap_core::math::sin_cos;
use zerogap_core::{Contact, ContactId, Gap, Manifold, NormalKind, Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cylinder, Segment, UserShape};
use zerogap_geometry::{Convex, ConvexShape, Polyhedron};
use zerogap_proximity::convex::{
    ContactCache, ContactParams, DistanceParams, PairCache, contacts, contacts_with, distance_with,
    separation,
};
use zerogap_testkit::random::Random;

/// Steps of a motion [-].
const STEPS: usize = 300;

/// How far the arc between two of eight points of a rim rises over its chord, against the radius [-]: the lowest point of a rim is always a
/// contact, and while it wanders the border follows it by as much; a line across what the chords leave out is one contact.
const SAGITTA: f64 = 0.0762;

/// How a body moves.
#[derive(Debug, Clone, Copy)]
enum Motion {
    Slide,
    Rock,
    Roll,
    Press,
    Tumble,
}

const MOTIONS: [Motion; 5] = [Motion::Slide, Motion::Rock, Motion::Roll, Motion::Press, Motion::Tumble];

/// A body with flat and straight parts, of about unit size, and how to turn it so that it rests on one.
fn body(random: &mut Random) -> (ConvexShape, Vec3) {
    match random.index(6) {
        0 => (cuboid(random.range(0.5, 2.0), random.range(0.5, 2.0), random.range(0.5, 1.5)), -Vec3::z()),
        1 => (manifold_checks::hull(&cuboid(1.0, random.range(0.5, 2.0), 0.75)), Vec3::x()),
        2 => {
            let corners: Vec<Vec3> = (0..6 + random.index(12)).map(|_| random.in_ball()).collect();
            let solid = Polyhedron::from_points(&corners).unwrap();
            let down = solid.normal(random.index(solid.face_count()));
            (solid.into(), down)
        }
        3 => (prism(3 + random.index(5), random.range(0.4, 0.8), random.range(0.5, 1.5)), Vec3::z()),
        4 => {
            let down = [Vec3::z(), Vec3::x(), Vec3::new(0.6, 0.8, 0.0)][random.index(3)];
            (Cylinder::new(random.range(0.3, 0.6), random.range(0.5, 1.5)).unwrap().into(), down)
        }
        _ => (Capsule::new(random.range(0.2, 0.4), random.range(0.5, 1.5)).unwrap().into(), Vec3::x()),
    }
}

/// The pose that turns one direction of a shape to another.
fn facing(from: &Vec3, to: &Vec3) -> Pose {
    let turn = nalgebra::UnitQuaternion::rotation_between(from, to).unwrap_or_else(|| {
        let axis = nalgebra::Unit::new_unchecked(zerogap_core::math::tangents(from).0);
        nalgebra::UnitQuaternion::from_axis_angle(&axis, std::f64::consts::PI)
    });
    let q = turn.quaternion();
    Pose::new(Vec3::zeros(), [q.i, q.j, q.k, q.w]).unwrap()
}

/// A smooth motion: the poses of B along it, above a body A that rests.
fn motion(kind: Motion, random: &mut Random) -> (PlacedShape, ConvexShape, Vec<Pose>) {
    let ((shape_a, up), (shape_b, down)) = (body(random), body(random));
    let a = PlacedShape::new(shape_a, facing(&up, &Vec3::z()));
    let rest = facing(&down, &-Vec3::z());
    let lift = a.support(&Vec3::z()).z - PlacedShape::new(shape_b.clone(), rest).support(&-Vec3::z()).z;
    let (yaw, side) = (random.range(0.0, 6.3), random.in_cube(0.3));
    let (axis, phase, rate) = (random.range(0.0, 6.3), random.range(0.0, 6.3), random.range(0.3, 1.0));
    let (axis_y, axis_x) = sin_cos(axis);
    let level = Vec3::new(axis_x, axis_y, 0.0);
    // Amplitudes across, of height, of tilt and of turning about the vertical.
    let (across, high, tilt, turn) = match kind {
        Motion::Slide => (0.8, 0.0, 0.0, 0.5),
        Motion::Rock => (0.05, 0.0, 0.15, 0.0),
        Motion::Roll => (0.3, 0.002, 1.0, 0.0),
        Motion::Press => (0.05, 0.02, 0.01, 0.05),
        Motion::Tumble => (0.4, 0.1, 0.5, 1.0),
    };
    let pose = |k: usize| {
        let time = 0.005 * rate * k as f64;
        let (s, c) = sin_cos(phase + time);
        let place = Vec3::new(side.x, side.y, lift)
            + Vec3::new(axis_y, -axis_x, 0.0) * (across * s)
            + Vec3::z() * (high * c);
        let about = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), yaw + turn * s).unwrap();
        let tip = Pose::from_axis_angle(Vec3::zeros(), level, tilt * s).unwrap();
        let turned = tip * about * rest;
        // Tipped over its lowest point, so that it stays in touch.
        let lowest = PlacedShape::new(shape_b.clone(), turned).support(&-Vec3::z()).z;
        let level = PlacedShape::new(shape_b.clone(), rest).support(&-Vec3::z()).z;
        Pose::new(place + Vec3::z() * (level - lowest), turned.quaternion_xyzw()).unwrap()
    };
    let poses = (0..STEPS).map(pose).collect();
    (a, shape_b, poses)
}

/// Why contacts came or went, and how many stayed.
#[derive(Debug, Default)]
struct Tally {
    steps: usize,
    stayed: usize,
    at_limit: usize,
    replaced: usize,
    slivers: usize,
    wandered: usize,
    switched: usize,
    jumped: usize,
    unexplained: usize,
    rare: usize,
    warm: usize,
    worst: f64,
}

/// Two steps that follow each other.
struct Pair<'a> {
    before: &'a Manifold,
    now: &'a Manifold,
    /// How far a point of B moves, at most [m].
    moved: f64,
    /// How far B turns [rad].
    turned: f64,
    names: [&'a [Named]; 2],
    a: &'a PlacedShape,
    b: [&'a PlacedShape; 2],
    within: f64,
}

fn normal(manifold: &Manifold) -> Vec3 {
    manifold.normal
}

/// How much gaps differ over the contacts of a manifold, against their distance [-].
fn slope(manifold: &Manifold) -> f64 {
    let all = &manifold.contacts;
    let mut most = 0.0_f64;
    for p in all {
        for q in all {
            let apart = (p.point_a - q.point_a).norm();
            if apart > 1e-9 {
                most = most.max((p.gap - q.gap).abs() / apart);
            }
        }
    }
    most
}

/// How far a point lies from the polygon of a manifold's contacts [m].
fn outside(point: &Vec3, manifold: &Manifold) -> f64 {
    let corners: Vec<Vec3> = manifold.contacts.iter().map(|contact| contact.point_a).collect();
    let shape: ConvexShape = match corners[..] {
        [] => return f64::INFINITY,
        [p] => return (point - p).norm(),
        [p, q] => Segment::new(p, q).unwrap().into(),
        _ => UserShape::new(Arc::new(HullOf(corners))).into(),
    };
    shape.closest_point(point).gap
}

/// How much longer than wide the polygon of a manifold is [-].
fn narrowness(manifold: &Manifold) -> f64 {
    let points: Vec<Vec3> = manifold.contacts.iter().map(|contact| contact.point_a).collect();
    let (mut long, mut wide) = (0.0_f64, f64::INFINITY);
    for (k, p) in points.iter().enumerate() {
        let q = points[(k + 1) % points.len()];
        let height = |r: &Vec3| (q - p).cross(&(r - p)).norm() / (q - p).norm();
        wide = wide.min(points.iter().map(height).fold(0.0, f64::max));
        long = points.iter().map(|q| (p - q).norm()).fold(long, f64::max);
    }
    // A segment across a corner grows and shrinks faster than it moves.
    if points.len() > 2 { (long / wide).max(1.0) } else { 3.0 }
}

impl Pair<'_> {
    /// By how much the gap of a contact may change [m].
    fn allowed(&self, contact: &Contact, wandered: f64) -> f64 {
        let turned = (normal(self.now) - normal(self.before)).norm();
        let spread = |m: &Manifold| {
            m.contacts.iter().map(|c| (c.point_a - contact.point_a).norm()).fold(0.0, f64::max)
        };
        let lever = contact.gap.abs() + spread(self.before).max(spread(self.now));
        let slope = slope(self.before).max(slope(self.now));
        1.1 * (self.moved + lever * turned + slope * wandered) + 1e-10
    }

    /// Whether another normal took over.
    fn has_jumped(&self) -> bool {
        (normal(self.now) - normal(self.before)).norm() > 2.0 * self.turned + 1e-6
    }

    fn has_switched(&self) -> bool {
        let of = |k: usize, placed: &PlacedShape, m: &Manifold| look(self.names[k], placed, m, k == 1);
        let before = [of(0, self.a, self.before), of(1, self.b[0], self.before)];
        let now = [of(0, self.a, self.now), of(1, self.b[1], self.now)];
        // Where a round body lies along an edge, the face takes over once it lies flat.
        let is_round =
            |shape: &ConvexShape| matches!(shape, ConvexShape::Capsule(_) | ConvexShape::Cylinder(_));
        let takes_over =
            |k: usize, other: &ConvexShape| is_round(other) && before[k].is_flat != now[k].is_flat;
        takes_over(0, &self.b[0].shape)
            || takes_over(1, &self.a.shape)
            || (0..2).any(|k| has_switched(&before[k], &now[k]))
            || have_parted([&before[0], &before[1]], [&now[0], &now[1]])
    }

    /// Whether a contact lies between the rim of a cap and the chords of its sampled points.
    fn is_near_rim(&self, contact: &Contact) -> bool {
        let is_near = |placed: &PlacedShape, point: &Vec3| {
            let ConvexShape::Cylinder(can) = &placed.shape else { return false };
            let local = placed.pose.inverse_transform_point(point);
            local.xy().norm() >= (1.0 - SAGITTA) * can.radius() - 3.0 * self.moved
        };
        is_near(self.a, &contact.point_a) || self.b.into_iter().any(|b| is_near(b, &contact.point_b))
    }

    /// Tells why a contact is in one manifold and not in the other.
    fn explain(&self, contact: &Contact, other: &Manifold, tally: &mut Tally) {
        let off = outside(&contact.point_a, other);
        let narrow = narrowness(self.before).max(narrowness(self.now));
        if contact.gap >= self.within - self.allowed(contact, 0.0) {
            tally.at_limit += 1;
        } else if off <= 10.0 * self.moved {
            tally.replaced += 1;
        } else if self.has_jumped() {
            // Both normals are as good as the motion can tell.
            let [before, now] = [(self.b[1], self.before), (self.b[0], self.now)]
                .map(|(b, other)| separation(&self.a.shape, &self.a.pose, &b.shape, &b.pose, &normal(other)));
            assert!(before >= self.now.gap.gap - 2.0 * self.moved - 1e-10);
            assert!(now >= self.before.gap.gap - 2.0 * self.moved - 1e-10);
            tally.jumped += 1;
        } else if self.has_switched() {
            tally.switched += 1;
        } else if self.is_near_rim(contact) {
            tally.wandered += 1;
        } else if off <= 10.0 * narrow * self.moved
            || contact.gap >= self.within - self.allowed(contact, 10.0 * narrow * self.moved)
        {
            tally.slivers += 1;
        } else {
            tally.unexplained += 1;
            println!(
                "unexplained {contact:?} off {off:e} moved {:e} narrow {narrow:e}\n before {:#?}\n now {:#?}\n{:?}\n{:?}\n{:?}",
                self.moved, self.before, self.now, self.a, self.b[0], self.b[1]
            );
        }
    }
}

#[test]
fn contacts_keep_their_names_along_smooth_motions() {
    let mut total = Tally::default();
    for kind in MOTIONS {
        let mut random = Random::new(200 + kind as u64);
        let mut tally = Tally::default();
        for _ in 0..200 {
            let (a, shape, poses) = motion(kind, &mut random);
            follow(&a, &shape, &poses, &mut tally);
        }
        println!("{kind:?}: Seen {tally:?}");
        // Names last: of a hundred, one or two come or go in a step, and none without a reason.
        let changed = tally.replaced + tally.switched + tally.jumped + tally.slivers + tally.wandered;
        assert!(changed < tally.stayed / 10, "{kind:?}: {tally:?}");
        assert!(tally.warm > tally.steps * 9 / 10, "{kind:?}: {tally:?}");
        total.unexplained += tally.unexplained;
        total.replaced += changed;
        total.rare += tally.slivers + tally.wandered;
    }
    assert_eq!(total.unexplained, 0);
    assert!(100 * total.rare < total.replaced, "{total:?}");
}

fn follow(a: &PlacedShape, shape: &ConvexShape, poses: &[Pose], tally: &mut Tally) {
    let params = ContactParams::within(0.01);
    let for_gap = DistanceParams { cutoff: params.within, ..DistanceParams::default() };
    let names = [named(&a.shape), named(shape)];
    let (mut cache, mut warm) = (ContactCache::default(), Manifold::default());
    let mut last: Option<(PlacedShape, Manifold)> = None;
    let ball = shape.bounding_sphere();
    let reach = ball.center.norm() + ball.radius;
    for pose in poses {
        let b = PlacedShape::new(shape.clone(), *pose);
        let manifold = contacts(&a.shape, &a.pose, shape, pose, &params);
        check_manifold(a, &b, &manifold, &params);
        contacts_with(&a.shape, &a.pose, shape, pose, &params, &mut cache, &mut warm);
        let gap = distance_with(&a.shape, &a.pose, shape, pose, &for_gap, &mut PairCache::default());
        // A contact on a face proves its own gap: within the certificate of the search, with a width of its own of at most two more roundings.
        let Gap { gap: exact, lower, upper, .. } = manifold.gap;
        let is_certified =
            gap.lower <= exact && exact <= gap.upper && lower <= gap.upper && gap.lower <= upper;
        let is_certain = upper - lower <= 2.0 * (gap.upper - gap.lower);
        assert!(
            gap == manifold.gap || (is_certified && is_certain),
            "{gap:?} {:?}\n{a:?}\n{b:?}",
            manifold.gap
        );
        let tell = || format!("warm {warm:#?}\ncold {manifold:#?}\n{a:?}\n{b:?}");
        if [manifold.gap.normal_kind, manifold.normal_kind] == [NormalKind::Unique; 2] {
            tally.warm += 1;
            assert_eq!(bits(&warm), bits(&manifold), "{}", tell());
        } else if manifold.normal_kind == NormalKind::Unique {
            // Touching bodies may keep the last normal to its last digits.
            assert!((warm.normal - manifold.normal).amax() <= 1e-13, "{}", tell());
            // Where the order around the manifold starts hangs on those digits.
            let ids = |manifold: &Manifold| -> BTreeSet<ContactId> {
                manifold.contacts.iter().map(|c| c.id).collect()
            };
            assert_eq!(ids(&warm), ids(&manifold), "{}", tell());
        }
        tally.steps += 1;
        if let Some((b_before, before)) = &last {
            let turned = b_before.pose.rotation().angle_to(pose.rotation());
            let moved = (pose.translation() - b_before.pose.translation()).norm() + turned * reach;
            let names = [&names[0][..], &names[1][..]];
            let pair = Pair {
                before,
                now: &manifold,
                moved,
                turned,
                names,
                a,
                b: [b_before, &b],
                within: params.within,
            };
            compare(&pair, tally);
        }
        last = Some((b, manifold));
    }
}

fn compare(pair: &Pair<'_>, tally: &mut Tally) {
    let Pair { before, now, .. } = pair;
    for contact in &now.contacts {
        match before.contacts.iter().find(|other| other.id == contact.id) {
            Some(other) => {
                tally.stayed += 1;
                let allowed = pair.allowed(contact, (contact.point_a - other.point_a).norm());
                let part = (contact.gap - other.gap).abs() / allowed;
                tally.worst = tally.worst.max(part);
                assert!(
                    part <= 1.0,
                    "{part} {other:?} {contact:?}\n{:?}\n{:?}\n{:?}",
                    pair.a,
                    pair.b[0],
                    pair.b[1]
                );
            }
            None => pair.explain(contact, before, tally),
        }
    }
    for contact in &before.contacts {
        if now.contacts.iter().all(|other| other.id != contact.id) {
            pair.explain(contact, now, tally);
        }
    }
}
