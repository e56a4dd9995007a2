//! The contact law of the program `Modia3D`, as far as it differs from ours, so that its runs can be repeated.
//!
//! In: plain numbers, with velocities of B against A at the point half-way between the two surface points, where its force acts. Out: its damping
//! rule, its friction, which creeps where ours sticks, and its torque against any relative rotation. Known faults are kept: the
//! restitution delivered is not the one asked for, and the normal force may pull.

use zerogap_core::Vec3;

/// Approach at and below which no restitution is wanted, and below which friction falls to zero [m/s].
pub const SLOW: f64 = 0.01;

/// Rotation below which the resistance to it falls to zero [rad/s].
pub const SLOW_ROTATION: f64 = 0.01;

/// Largest damping factor [s/m].
pub const LARGEST_DAMPING: f64 = 2000.0;

/// The damping factor d for a restitution and a speed at the start of the contact [s/m]: `8 (1 - e) / (5 e |v|)`, at most [`LARGEST_DAMPING`], with e = 0 at speeds up to [`SLOW`].
pub fn damping(restitution: f64, approach: f64) -> f64 {
    let speed = approach.abs();
    let e = if speed > SLOW { restitution.clamp(0.0, 1.0) } else { 0.0 };
    if e > 0.0 { LARGEST_DAMPING.min(8.0 * (1.0 - e) / (5.0 * e * speed)) } else { LARGEST_DAMPING }
}

/// A speed that is never below a third of `slow`: itself from `slow` on, and a smooth curve below, so that `v / regularized(|v|)` passes through zero.
pub fn regularized(speed: f64, slow: f64) -> f64 {
    if speed >= slow {
        return speed;
    }
    let fraction = speed / slow;
    speed * fraction * (1.0 - fraction / 3.0) + slow / 3.0
}

/// Friction on B [N] for the tangential velocity of B against A [m/s].
pub fn friction(coefficient: f64, normal_force: f64, sliding: &Vec3) -> Vec3 {
    sliding * (-coefficient * normal_force / regularized(sliding.norm(), SLOW))
}

/// The torque on B against any relative rotation, the spin about the normal included [N m], for the angular velocity of B against A [rad/s].
/// `radius` is the effective one [m].
pub fn rolling(coefficient: f64, radius: f64, normal_force: f64, rotation: &Vec3) -> Vec3 {
    rotation * (-coefficient * radius * normal_force / regularized(rotation.norm(), SLOW_ROTATION))
}

/// The effective radius of two shapes from one radius for each and whether they count as flat [m]: that of the one that is not flat, else `r1 r2 / (r1 + r2)`, be
/// both flat or neither.
///
/// The radius of a shape is that of a ball or capsule, half the smallest extent of an ellipsoid, box, cylinder or mesh, and the mean radius of a cone. Boxes and half-spaces alone are flat. A
/// half-space is infinite and drops out; two infinite radii give an infinite one.
pub fn effective_radius(a: (f64, bool), b: (f64, bool)) -> f64 {
    match (a, b) {
        ((radius, false), (_, true)) | ((_, true), (radius, false)) => radius,
        // The limit of the quotient, which itself would be infinity over infinity.
        ((a, _), (b, _)) if a.is_infinite() || b.is_infinite() => a.min(b),
        ((a, _), (b, _)) => a * b / (a + b),
    }
}
