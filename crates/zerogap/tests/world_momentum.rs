//! Free bodies that collide keep their momentum and their angular momentum about any point, and gain no energy: every two kinds of shapes, rigid and elastic, with friction.

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::core::random::Random;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::BodyId;
use zerogap::world::{BodyDef, ContactModel, EventKind, EventLocation, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::count;

/// Kinds of shapes that [`shape`] knows [-].
const KINDS: usize = 7;

/// Share of the energy that a soft box may gain in a collision with a round shape [-]: 0.037 was the most seen.
const BOX_GAIN: f64 = 0.05;

/// A shape of a kind, about 0.3 m in size.
fn shape(kind: usize, random: &mut Random) -> Shape {
    let mut length = || random.range(0.1, 0.2);
    match kind {
        0 => Shape::sphere(length()),
        1 => Shape::cuboid(Vec3::new(2.0 * length(), 2.0 * length(), 2.0 * length())),
        2 => Shape::capsule(length(), 2.0 * length()),
        3 => Shape::cylinder(length(), 2.0 * length()),
        4 => Shape::cone(length(), 2.0 * length()),
        5 => Shape::ellipsoid(Vec3::new(length(), length(), length())),
        _ => Shape::frustum(length(), 0.5 * length(), 2.0 * length()),
    }
    .unwrap()
}

/// Two bodies without weight on their way to each other, spinning.
fn pair(kinds: (usize, usize), contact: ContactModel, relative: f64, random: &mut Random) -> World {
    let tolerance = Tolerance { relative, absolute: 1e-2 * relative };
    let params = WorldParams {
        gravity: Vec3::zeros(),
        ..WorldParams::new(EventLocation { tolerance, ..EventLocation::new(contact) })
    };
    let mut builder = WorldBuilder::new(params);
    let (restitution, friction) = (random.range(0.0, 1.0), random.range(0.0, 1.0));
    let properties = PairProperties { restitution, friction, ..PairProperties::default() };
    builder.pair("rubber", "rubber", properties).unwrap();
    for (kind, side) in [(kinds.0, -1.0), (kinds.1, 1.0)] {
        let place = Vec3::new(0.5 * side, 0.0, 0.0) + random.in_cube(0.1);
        let pose = Pose::new(place, random.quaternion_xyzw()).unwrap();
        let (v, w) = (Vec3::new(-side, 0.0, 0.0) + random.in_cube(0.2), random.in_cube(3.0));
        let def = BodyDef::free(pose).with(shape(kind, random), "rubber");
        builder.body(def.moving(&[v.x, v.y, v.z, w.x, w.y, w.z])).unwrap();
    }
    builder.build().unwrap()
}

/// The first so many kinds with every later one, with so many worlds each.
fn each_pair(
    firsts: usize,
    contact: ContactModel,
    relative: f64,
    cases: usize,
    mut check: impl FnMut(&str, World, &mut Random),
) {
    for a in 0..firsts {
        for b in a..KINDS {
            for case in 0..cases {
                // A case is the same however many there are.
                let mut random = Random::new((1000 * (KINDS * a + b) + case) as u64);
                let world = pair((a, b), contact, relative, &mut random);
                check(&format!("kinds {a} and {b}, case {case}"), world, &mut random);
            }
        }
    }
}

/// Momentum, and angular momentum about a point.
fn momenta(world: &World, about: Vec3) -> (Vec3, Vec3) {
    let (linear, angular) = world.momentum();
    (linear, angular - about.cross(&linear))
}

fn bodies() -> impl Iterator<Item = BodyId> {
    [BodyId(0), BodyId(1)].into_iter()
}

/// What goes to and fro at 1 m/s, against which changes are measured [kg m/s].
fn scale(world: &World) -> f64 {
    bodies().map(|body| world.tree().inertia(body).mass).fold(0.0, f64::max)
}

/// When the first impact is, if there is one: the world is left soon after it.
fn first_impact(name: &str, world: &mut World) -> Option<f64> {
    for k in 1..=1000 {
        world.advance_to(0.001 * f64::from(k)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut events = world.events().iter();
        if let Some(impact) = events.find(|event| matches!(event.what, EventKind::Impact { .. })) {
            return Some(impact.t);
        }
    }
    None
}

#[test]
fn rigid_collisions_keep_momenta_to_rounding_and_gain_no_energy() {
    let mut collided = 0;
    let contact = ContactModel::Rigid(ImpactLaw::default());
    each_pair(KINDS, contact, 1e-11, count(5, 100), |name, mut world, random| {
        let start = world.save();
        let Some(t) = first_impact(name, &mut world) else { return };
        collided += 1;
        // Over the impact alone there is nothing but rounding.
        world.restore(&start).unwrap();
        world.advance_to(t - 1e-9).unwrap();
        let about = random.in_cube(1.0);
        let ((p0, l0), energy) = (momenta(&world, about), world.energy().total());
        world.advance_to(t + 1e-9).unwrap();
        let (p1, l1) = momenta(&world, about);
        let worst = (p1 - p0).norm().max((l1 - l0).norm()) / scale(&world);
        assert!(worst < 1e-13, "{name}: {worst}");
        let after = world.energy().total();
        assert!(after <= energy * (1.0 + 1e-13), "{name}: {energy} J grew to {after} J");
    });
    assert!(collided >= count(100, 2000), "{collided} collided");
}

#[test]
fn elastic_collisions_keep_momenta_and_gain_no_energy() {
    // Momentum is a sum of states where the centre of mass is a body's origin: then it is kept to rounding whatever the steps. All else is kept as exactly as the motion is
    // computed; every two kinds loosely, a ball with every kind tightly.
    let contact = ContactModel::Elastic(NormalLaw::default());
    for (firsts, relative, cases) in [(KINDS, 1e-5, count(2, 30)), (1, 1e-10, count(4, 60))] {
        let mut collided = 0;
        each_pair(firsts, contact, relative, cases, |name, mut world, random| {
            let about = random.in_cube(1.0);
            let ((p0, l0), energy) = (momenta(&world, about), world.energy().total());
            world.advance_to(1.0).unwrap_or_else(|error| panic!("{name}: {error}"));
            collided += usize::from(!world.events().is_empty());
            let ((p1, l1), scale) = (momenta(&world, about), scale(&world));
            let (p, l) = ((p1 - p0).norm() / scale, (l1 - l0).norm() / scale);
            let is_centred = bodies().all(|body| world.tree().inertia(body).center.norm() < 1e-15);
            assert!(p < if is_centred { 1e-13 } else { relative }, "{name}: {p}");
            assert!(l < relative, "{name}: {l}");
            // What still touches holds energy.
            let gain = world.energy().total() / energy - 1.0;
            // The edges and faces of a box against round sides, deep in overlap, are the exception: points of contact come and go there, and the force is not that of a potential.
            let allowed = if name.starts_with("kinds 1 and") { BOX_GAIN } else { relative };
            assert!(gain < allowed, "{name}: {gain}");
        });
        assert!(collided >= cases * firsts * 2, "{collided} collided");
    }
}

#[test]
fn what_sticks_is_held_by_no_more_friction_than_there_is() {
    // Two capsules that stick while their load falls: held on without bound they would end with 3.8 times the energy.
    let mut random = Random::new(16_018);
    let mut world = pair((2, 2), ContactModel::Elastic(NormalLaw::default()), 1e-5, &mut random);
    let before = world.energy().total();
    world.advance_to(1.0).unwrap();
    let stuck = world.events().iter().filter(|event| matches!(event.what, EventKind::Stick { .. }));
    assert!(stuck.count() > 0 && world.contacts().is_empty());
    assert!(world.energy().total() < before, "{} J from {before} J", world.energy().total());
}
