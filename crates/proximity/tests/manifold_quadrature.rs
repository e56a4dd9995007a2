//! Forces of springs at the weighted points of round caps are continuous: through flat, and where a cap slides over an edge.

use zerogap_core::math::sin_cos;
use zerogap_core::{Manifold, Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::{Cuboid, Cylinder, Frustum, HalfSpace};
use zerogap_proximity::convex::{ContactParams, contacts_into, half_space_contacts};
use zerogap_testkit::random::Random;

/// Depth of the middle of a cap [m].
const DEPTH: f64 = 1e-5;

/// What a cap stands on.
enum Ground {
    HalfSpace,
    Convex(ConvexShape),
}

/// Sum and moment about the origin of springs at the points of a manifold, for forces that grow as the overlap to a power of 1 or 1.5 [-].
fn springs(manifold: &Manifold, is_hertz: bool) -> (f64, Vec3) {
    assert_eq!(manifold.contacts.len(), manifold.weights.len());
    let (mut sum, mut moment) = (0.0, Vec3::zeros());
    for (contact, weight) in manifold.contacts.iter().zip(&manifold.weights) {
        let depth = (-contact.gap).max(0.0) / DEPTH;
        let force = weight * if is_hertz { depth * depth.sqrt() } else { depth };
        sum += force;
        moment += contact.point_a.cross(&contact.normal) * force;
    }
    (sum, moment)
}

fn manifold(ground: &Ground, cap: &ConvexShape, pose: &Pose) -> Manifold {
    let params = ContactParams { quadrature: Some(0.005), ..ContactParams::within(1e-6) };
    let mut manifold = Manifold::default();
    match ground {
        Ground::HalfSpace => {
            let plane = HalfSpace::new(Vec3::z(), 0.0).unwrap();
            half_space_contacts(&plane, &Pose::identity(), cap, pose, &params, &mut manifold);
        }
        Ground::Convex(shape) => {
            let below = Pose::from_translation(Vec3::new(0.0, 0.0, -0.1)).unwrap();
            contacts_into(shape, &below, cap, pose, &params, &mut manifold);
        }
    }
    manifold
}

/// Caps of radius 0.1 m at -z, with the height of their middles [m].
fn caps() -> Vec<(&'static str, ConvexShape, f64)> {
    vec![
        ("cylinder", Cylinder::new(0.1, 0.2).unwrap().into(), 0.1),
        ("disc", Cylinder::new(0.1, 0.01).unwrap().into(), 0.005),
        ("cone", Frustum::new(0.1, 0.0, 0.2).unwrap().into(), 0.1),
        ("frustum", Frustum::new(0.1, 0.05, 0.15).unwrap().into(), 0.075),
    ]
}

/// Grounds with their tops at zero.
fn grounds() -> Vec<(&'static str, Ground)> {
    let cylinder = |radius: f64| Ground::Convex(Cylinder::new(radius, 0.2).unwrap().into());
    let slab = |x: f64, y: f64| Ground::Convex(Cuboid::new(Vec3::new(x, y, 0.2)).unwrap().into());
    vec![
        ("half-space", Ground::HalfSpace),
        ("slab", slab(2.0, 2.0)),
        ("brick", slab(0.3, 0.1)),
        ("large cylinder", cylinder(0.5)),
        ("equal cylinder", cylinder(0.1)),
        ("small cylinder", cylinder(0.06)),
    ]
}

/// A cap at a place whose axis leans by a vector of two small angles [rad], turned about it by an angle.
fn leaning([x, y]: [f64; 2], height: f64, lean: [f64; 2], turned: f64) -> Pose {
    let (s, c) = sin_cos(0.5 * turned);
    // Lean after turn: (lean/2, 1) (0, 0, s, c), to second order in the lean.
    let (p, q) = (0.5 * lean[0], 0.5 * lean[1]);
    let quaternion = [p * c + q * s, q * c - p * s, s, c];
    Pose::new(Vec3::new(x, y, height - DEPTH), quaternion).unwrap()
}

#[test]
fn forces_and_moments_of_a_cap_are_continuous_through_flat() {
    let mut random = Random::new(1);
    for (ground_name, ground) in grounds() {
        for (name, cap, height) in caps() {
            // Off the middle, so that some caps are cut off by the border.
            for _ in 0..20 {
                let place = [random.range(-0.05, 0.05), random.range(-0.05, 0.05)];
                let (turned, direction) = (random.range(0.0, 6.0), random.range(0.0, 6.0));
                let (sine, cosine) = sin_cos(direction);
                for largest in [1e-12, 1e-9, 1e-6, 2e-5] {
                    // Through flat, or past it at a distance.
                    let beside = [0.0, 0.1, 1.0][random.index(3)] * largest;
                    for is_hertz in [false, true] {
                        let at = |k: i32| {
                            let along = largest * f64::from(k) / 50.0;
                            let lean = [along * cosine - beside * sine, along * sine + beside * cosine];
                            springs(&manifold(&ground, &cap, &leaning(place, height, lean, turned)), is_hertz)
                        };
                        let (flat, _) = at(0);
                        assert!((flat - 8.0).abs() < 20.0 * largest * 0.1 / DEPTH + 1e-9, "{flat}");
                        let mut last = at(-51);
                        for k in -50..=50 {
                            let (sum, moment) = at(k);
                            // A turn of one fiftieth moves no point by more than 0.15 m times it; the weights of all points are 8, and of cut ones change by as much as the load shifts.
                            let room = 60.0 * (largest / 50.0 * 0.15 / DEPTH) + 2e-9;
                            assert!(
                                (sum - last.0).abs() <= room,
                                "{name} on {ground_name}: {sum} after {}, {largest}",
                                last.0
                            );
                            let change = (moment - last.1).norm();
                            assert!(
                                change <= 0.2 * room,
                                "{name} on {ground_name}: {change:e} {room:e}, {largest:e}"
                            );
                            last = (sum, moment);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn second_differences_of_the_force_scale_with_the_square_of_the_turn() {
    // Of a whole cap: the lowest point adds nothing to moments up to the third.
    let mut random = Random::new(2);
    for (name, cap, height) in caps() {
        for (ground_name, ground) in &grounds()[..2] {
            for _ in 0..50 {
                let (turned, direction) = (random.range(0.0, 6.0), random.range(0.0, 6.0));
                let (sine, cosine) = sin_cos(direction);
                for step in [1e-9, 1e-8, 1e-7, 1e-6] {
                    for is_hertz in [false, true] {
                        let at = |k: f64| {
                            let lean = [k * step * cosine, k * step * sine];
                            springs(
                                &manifold(ground, &cap, &leaning([0.0, 0.0], height, lean, turned)),
                                is_hertz,
                            )
                        };
                        // On both sides of flat, and across it.
                        for k in [-2.0, -1.0, -0.5, 0.0, 0.3, 2.0] {
                            let (before, here, after) = (at(k - 1.0), at(k), at(k + 1.0));
                            let bend = (before.0 - 2.0 * here.0 + after.0).abs();
                            let turn = (before.1 - 2.0 * here.1 + after.1).norm();
                            // 8 f'' (r step / depth)² with f'' = 3/4 of Hertz, and rounding of gaps of 1e-16 m.
                            let room = 24.0 * (0.1 * step / DEPTH).powi(2) + 2e-9;
                            assert!(bend <= room, "{name} on {ground_name}: {bend:e} {room:e} {step:e}");
                            assert!(
                                turn <= 0.2 * room,
                                "{name} on {ground_name}: {turn:e} {room:e} {step:e}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_cap_that_slides_over_an_edge_carries_the_same_all_the_way() {
    let mut random = Random::new(3);
    for (ground_name, ground) in &grounds()[1..] {
        for (name, cap, height) in caps() {
            for _ in 0..10 {
                let (turned, direction, aside) =
                    (random.range(0.0, 6.0), random.range(0.0, 6.0), random.range(-0.04, 0.04));
                let (sine, cosine) = sin_cos(direction);
                let at = |k: f64| {
                    let along = 1e-4 * k;
                    let place = [along * cosine - aside * sine, along * sine + aside * cosine];
                    manifold(ground, &cap, &leaning(place, height, [0.0, 0.0], turned))
                };
                let mut last: Option<Vec3> = None;
                for k in 0..2_000 {
                    let found = at(f64::from(k));
                    // Until the middle of the cap has left the ground and little of it is over it.
                    if found.weights.len() < 8 || found.gap.gap > -0.99 * DEPTH {
                        break;
                    }
                    let (sum, moment) = springs(&found, false);
                    let nearest = found.weights.iter().sum::<f64>();
                    assert!((sum - nearest).abs() < 1e-9, "{name} on {ground_name}");
                    assert!((sum - 8.0).abs() < 1e-9, "{name} on {ground_name}: {sum} at {k}");
                    // Crossings come in as the root of the distance: what looks like a jump is none when it is looked at more closely.
                    let change = last.map_or(0.0, |last| (moment - last).norm());
                    if change > 0.02 {
                        let fine = |m: i32| springs(&at(f64::from(k - 1) + f64::from(m) / 200.0), false).1;
                        let largest = (0..200).map(|m| (fine(m + 1) - fine(m)).norm()).fold(0.0, f64::max);
                        assert!(
                            largest <= 0.1 * change,
                            "{name} on {ground_name}: {change} {largest} at {k}"
                        );
                    }
                    last = Some(moment);
                }
            }
        }
    }
}
