//! A peg in a hole with little clearance: it goes in or it jams, as statics says.

use zerogap::core::math;
use zerogap::dynamics::multibody::BodyId;
use zerogap::geometry::parts::{CrossSection, HolePlate, Peg};
use zerogap::world::{ShapeDef, Stepping, World, WorldParams};
use zerogap::{Pose, Shape, Vec3};

use super::{TOLERANCE, at, body, quasi, with};

/// Side of the peg, its length, how deep the hole is, and the clearance all around [m].
const WIDTH: f64 = 8e-3;
const LENGTH: f64 = 30e-3;
const DEPTH: f64 = 20e-3;
const CLEARANCE: f64 = 6.7e-5;

/// A square peg with its lower end in the mouth of the hole, tilted [rad], with a push downward [N].
fn inserted(friction: f64, tilt: f64, push: f64) -> (World, BodyId) {
    let (mut world, peg) = placed(Vec3::new(0.0, 0.0, -9.81), friction, tilt, 0.8e-3);
    world.set_force(peg, Vec3::new(0.0, 0.0, -push), Vec3::zeros()).unwrap();
    (world, peg)
}

/// A square peg with its lower end at a depth in the hole [m].
fn placed(gravity: Vec3, friction: f64, tilt: f64, depth: f64) -> (World, BodyId) {
    let stepping = Stepping { tolerance: TOLERANCE, ..Stepping::default() };
    let mut builder = with(WorldParams { gravity, ..WorldParams::new(stepping) }, friction);
    let section = CrossSection::Rectangular;
    let plate = HolePlate {
        section,
        peg_width: WIDTH,
        peg_depth: WIDTH,
        clearance: CLEARANCE,
        width: 30e-3,
        depth: 30e-3,
        thickness: DEPTH,
        ..HolePlate::default()
    };
    builder.fixed(quasi(plate.generate().unwrap()).at(at(0.0, 0.0, -0.5 * DEPTH))).unwrap();
    let floor = Shape::cuboid(Vec3::new(0.1, 0.1, 0.01)).unwrap();
    builder.fixed(ShapeDef::new(floor, "steel").at(at(0.0, 0.0, -DEPTH - 5e-3))).unwrap();
    // No chamfer where the depth of its edge is told.
    let chamfer = if gravity == Vec3::zeros() { 0.0 } else { 1e-3 };
    let peg = Peg { section, width: WIDTH, depth: WIDTH, length: LENGTH, chamfer, ..Peg::default() };
    // The part that is in the hole stands in its middle.
    let aside = 0.5 * (LENGTH - depth) * math::sin(tilt);
    let place = Vec3::new(aside, 0.0, 0.5 * LENGTH - depth);
    let start = Pose::from_axis_angle(place, Vec3::y(), tilt).unwrap();
    let peg = body(&mut builder, peg.generate().unwrap(), start);
    (builder.build().unwrap(), peg)
}

/// How deep the lower end is in the hole [m].
fn depth(world: &World, peg: BodyId) -> f64 {
    0.5 * LENGTH - world.pose(peg).translation().z
}

#[test]
fn a_tilted_peg_slides_to_the_bottom_by_its_weight_and_by_a_push() {
    for tilt in [0.2_f64, 0.5] {
        for push in [0.0, 1.0] {
            let (mut world, peg) = inserted(0.1, tilt.to_radians(), push);
            for k in 1..=20 {
                world.advance_to(0.05 * f64::from(k)).unwrap();
                // Grown bodies overlap by rounding alone: the complexes, 40 um inside, never come near each other.
                let least =
                    world.contact_points().iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
                assert!(least > -1e-6, "tilt {tilt}, push {push}, t {}: gap {least}", world.time());
            }
            let depth = depth(&world, peg);
            assert!((depth - DEPTH).abs() < 1e-5, "tilt {tilt}, push {push}: {depth} m deep");
            let up = world.pose(peg).transform_vector(&Vec3::z());
            assert!(up.xy().norm() < 2.0 * CLEARANCE / DEPTH + 1e-4, "it stands in the hole: {up:?}");
        }
    }
}

/// Without weight and tilted until it touches the hole on both sides, with a torque that keeps it there: the push under which it slides [N], or none up to `most`.
///
/// Two-point contact of depth d in a hole of width w: with normal forces N at both points the torque is `M = N d` as long as friction is alike at both, and friction holds `2 mu N`. So a
/// push slides it from `2 mu M / d` on, where `d / w > mu`. In less depth the friction cones of the two points see each other, and friction makes as much normal force as it needs: it is wedged.
fn sliding_push(mu: f64, depth_at_start: f64, torque: f64, most: f64) -> (f64, Option<f64>) {
    let tilt = 0.5 * 2.0 * CLEARANCE / depth_at_start;
    let (mut world, peg) = placed(Vec3::zeros(), mu, tilt, depth_at_start);
    let pushed = |world: &mut World, push: f64, until: f64| {
        world.set_force(peg, Vec3::new(0.0, 0.0, -push), Vec3::new(0.0, torque, 0.0)).unwrap();
        world.advance_to(until).unwrap();
    };
    pushed(&mut world, 0.0, 0.2);
    let start = depth(&world, peg);
    for k in 1..=100 {
        let push = most * f64::from(k) / 100.0;
        pushed(&mut world, push, 0.2 + 0.01 * f64::from(k));
        if depth(&world, peg) - start > 1e-6 {
            return (start, Some(push));
        }
    }
    (start, None)
}

#[test]
fn a_peg_slides_or_wedges_as_two_points_of_contact_say() {
    let (mu, torque) = (0.3, 2e-3);
    // Deeper than mu times the width, which is 2.4 mm: it slides when it must.
    let (deep, push) = sliding_push(mu, 8e-3, torque, 0.5);
    let expected = 2.0 * mu * torque / deep;
    let push = push.expect("it slides");
    assert!((push / expected - 1.0).abs() < 0.1, "slides at {push} N, statics says {expected} N");
    // In less depth nothing moves it, not thirty times what would slide it otherwise.
    let (shallow, push) = sliding_push(mu, 1.8e-3, torque, 20.0);
    assert!(shallow < mu * WIDTH && 2.0 * mu * torque / shallow < 1.1, "{shallow}");
    assert_eq!(push, None, "it is wedged at a depth of {shallow} m");
}
