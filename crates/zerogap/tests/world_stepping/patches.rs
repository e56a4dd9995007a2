//! Fewer contact points per patch: bodies do what they do with all points.

use zerogap::contact::material::PairProperties;
use zerogap::core::math::{cos, sin};
use zerogap::core::random::Random;
use zerogap::geometry::Polyhedron;
use zerogap::world::{BodyDef, PatchPoints, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

use crate::scenes::{G, STEEL, add_floor, at, builder, steps};

const EIGHTH: f64 = std::f64::consts::TAU / 8.0;

/// A prism with eight sides about z: radius to its corners and half its height [m].
fn prism(radius: f64, half: f64) -> Shape {
    let corner = |k: usize| {
        let (angle, up) = ((k % 8) as f64 * EIGHTH, if k < 8 { -half } else { half });
        Vec3::new(radius * cos(angle), radius * sin(angle), up)
    };
    Shape::from(Polyhedron::from_points(&(0..16).map(corner).collect::<Vec<Vec3>>()).unwrap())
}

/// A rotation about an axis, after which a body is at a place.
fn turned(axis: Vec3, angle: f64, place: Vec3) -> Pose {
    let u = axis.normalize() * sin(0.5 * angle);
    Pose::new(place, [u.x, u.y, u.z, cos(0.5 * angle)]).unwrap()
}

/// A tower of boxes, every other one turned by an eighth: their faces meet in octagons.
fn tower(stepping: Stepping, count: usize) -> World {
    let mut builder = builder(stepping, G, (0.0, 0.5));
    add_floor(&mut builder);
    for k in 0..count {
        let place = Vec3::new(0.0, 0.0, 0.05 + 0.1 * k as f64);
        let pose = turned(Vec3::z(), if k % 2 == 0 { 0.0 } else { EIGHTH }, place);
        builder.body(BodyDef::free(pose).with(Shape::cuboid(Vec3::repeat(0.1)).unwrap(), STEEL)).unwrap();
    }
    builder.build().unwrap()
}

/// Prisms that fall on a floor and on each other.
fn heap(stepping: Stepping, restitution: f64, seed: u64) -> World {
    let mut random = Random::new(seed);
    let mut builder = builder(stepping, G, (restitution, 0.5));
    add_floor(&mut builder);
    for k in 0..24 {
        let place = Vec3::new(f64::from(k % 2), f64::from(k / 2 % 2), f64::from(k / 4)) * 0.15;
        let pose = Pose::new(place + Vec3::new(0.0, 0.0, 0.1), random.quaternion_xyzw()).unwrap();
        let w = random.in_cube(3.0);
        let def = BodyDef::free(pose).with(prism(0.06, 0.04), STEEL);
        builder.body(def.moving(&[0.0, 0.0, 0.0, w.x, w.y, w.z])).unwrap();
    }
    builder.build().unwrap()
}

/// The same with all contact points.
fn all(stepping: Stepping) -> Stepping {
    Stepping { patch_points: PatchPoints::All, ..stepping }
}

#[test]
fn a_patch_of_eight_points_has_four_and_the_same_force() {
    for (stepping, points) in [(steps(1e-3), 4), (all(steps(1e-3)), 8)] {
        let mut world = tower(stepping, 2);
        world.advance_to(0.1).unwrap();
        let of_boxes = world.contact_points().iter().filter(|point| point.pair.a.0 > 0).count();
        assert_eq!(of_boxes, points);
        let weight = world.contacts().iter().map(|contact| contact.normal_force).collect::<Vec<f64>>();
        let mass = world.tree().inertia(world.body_of(zerogap::world::ShapeId(1)).unwrap()).mass;
        assert!((weight[0] / (2.0 * mass * G) - 1.0).abs() < 1e-6, "{weight:?}");
        assert!((weight[1] / (mass * G) - 1.0).abs() < 1e-6, "{weight:?}");
    }
}

#[test]
fn a_tower_of_ten_stands() {
    for tolerance in [1e-4, 1e-9] {
        let mut world = tower(Stepping { step: 2e-3, tolerance, ..Stepping::default() }, 10);
        let energy = world.energy().total();
        let before = world.body_states();
        world.advance_to(2.0).unwrap();
        for ((now, _, _), (then, _, _)) in world.body_states().iter().zip(&before) {
            let moved = (now.translation() - then.translation()).norm();
            assert!(moved < 200.0 * tolerance * 2e-3 + 1e-8, "{moved} at {tolerance}");
        }
        assert!(world.energy().total() <= energy + 1e-9 * energy.abs());
        assert_eq!(world.info().contacts.unwrap().unconverged, 0);
    }
}

/// A prism on the floor while gravity is tilted, so that it tips about an edge or a corner or not: how far it has rotated after 0.5 s [rad].
fn tip(patch_points: PatchPoints, direction: f64, tilt: f64) -> f64 {
    let stepping = Stepping { patch_points, tolerance: 1e-7, ..steps(2e-3) };
    let gravity = Vec3::new(cos(direction) * sin(tilt), sin(direction) * sin(tilt), -cos(tilt)) * G;
    let mut builder = WorldBuilder::new(WorldParams { gravity, ..WorldParams::new(stepping) });
    let properties = PairProperties { restitution: 0.0, friction: 5.0, ..PairProperties::default() };
    builder.pair(STEEL, STEEL, properties).unwrap();
    add_floor(&mut builder);
    builder.body(BodyDef::free(at(0.0, 0.0, 0.1)).with(prism(0.06, 0.1), STEEL)).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.5).unwrap();
    let up = world.body_states()[0].0.transform_vector(&Vec3::z());
    zerogap::core::math::acos(up.z.clamp(-1.0, 1.0))
}

#[test]
fn a_prism_tips_over_each_edge_and_corner_at_the_angle_of_statics() {
    // Half a degree to either side of the angle at which the weight passes the edge, or the corner.
    let margin = 0.5_f64.to_radians();
    for k in 0..16 {
        let direction = 0.5 * EIGHTH * f64::from(k);
        let arm = 0.06 * if k % 2 == 0 { 1.0 } else { cos(0.5 * EIGHTH) };
        let critical = zerogap::core::math::atan2(arm, 0.1);
        for points in [PatchPoints::Auto, PatchPoints::AtMost(1), PatchPoints::All] {
            let (stays, tips) =
                (tip(points, direction, critical - margin), tip(points, direction, critical + margin));
            assert!(stays < 1e-3 && tips > 0.02, "{k} {points:?}: {stays} {tips}");
        }
    }
}

/// The height of the lowest corner of a prism [m].
fn lowest(pose: &Pose, radius: f64, half: f64) -> f64 {
    let corner = |k: usize| {
        let (angle, up) = ((k % 8) as f64 * EIGHTH, if k < 8 { -half } else { half });
        pose.transform_point(&Vec3::new(radius * cos(angle), radius * sin(angle), up)).z
    };
    (0..16).map(corner).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_prism_that_lands_on_a_corner_or_an_edge_sinks_no_deeper_than_with_all_points() {
    let mut random = Random::new(3);
    for run in 0..40 {
        // On a corner, or nearly flat, where most points are left out.
        let lean = if run % 2 == 0 { random.range(0.0, 1.5) } else { random.range(0.0, 0.05) };
        let axis = Vec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 0.0);
        let place = Vec3::new(0.0, 0.0, 0.15);
        let spin = random.in_cube(2.0);
        let mut deepest = [0.0_f64; 2];
        for (points, deepest) in [PatchPoints::Auto, PatchPoints::All].into_iter().zip(&mut deepest) {
            let stepping = Stepping { patch_points: points, tolerance: 1e-6, ..steps(2e-3) };
            let mut builder = builder(stepping, G, (0.0, 0.5));
            add_floor(&mut builder);
            let def = BodyDef::free(turned(axis, lean, place)).with(prism(0.06, 0.04), STEEL);
            builder.body(def.moving(&[0.0, 0.0, -1.0, spin.x, spin.y, spin.z])).unwrap();
            let mut world = builder.build().unwrap();
            for k in 1..=300 {
                world.advance_to(2e-3 * f64::from(k)).unwrap();
                *deepest = deepest.min(lowest(&world.body_states()[0].0, 0.06, 0.04));
            }
            assert_eq!(world.info().contacts.unwrap().unconverged, 0);
        }
        // Rotations within a step are not linear: both sink by that, and by what is left alone.
        let [few, all] = deepest;
        assert!(few >= 1.5 * all - 2e-7, "run {run}: {few} {all}");
    }
}

#[test]
fn a_heap_loses_energy_and_penetrates_no_more_than_with_all_points() {
    for restitution in [0.0, 0.5] {
        let stepping = Stepping { tolerance: 1e-5, ..steps(2e-3) };
        let mut world = heap(stepping, restitution, 1);
        let mut energy = world.energy().total();
        let mut deepest = 0.0_f64;
        for k in 1..=400 {
            world.advance_to(2e-3 * f64::from(k)).unwrap();
            let now = world.energy().total();
            assert!(now <= energy + 1e-4, "{energy} {now} at step {k}");
            energy = now;
            deepest = world.contact_points().iter().map(|point| point.gap).fold(deepest, f64::min);
        }
        assert!(deepest > -5e-5, "{deepest}");
    }
}

#[test]
fn kept_points_are_the_same_for_any_number_of_threads_and_after_restoring() {
    let make = || heap(Stepping { tolerance: 1e-5, ..steps(2e-3) }, 0.3, 5);
    let with = |threads: usize, world: &mut World, end: f64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| world.advance_to(end).unwrap());
    };
    let mut one = make();
    with(1, &mut one, 0.3);
    with(1, &mut one, 0.6);
    let mut other = make();
    with(2, &mut other, 0.3);
    let bytes = other.save().to_bytes().unwrap();
    let mut restored = make();
    let saved = restored.saved_from_bytes(&bytes).unwrap();
    restored.restore(&saved).unwrap();
    assert_eq!(restored.hash(), other.hash());
    for world in [&mut other, &mut restored] {
        world.advance_to(0.6).unwrap();
        assert_eq!(world.hash(), one.hash());
    }
}
