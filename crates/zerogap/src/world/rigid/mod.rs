//! Contacts that do not give way: impacts, and resting and sliding by complementarity.

pub(crate) mod held;
mod impact;
pub(crate) mod points;
mod rolling;
mod rows;
mod settle;

use zerogap_core::Vec3;

use super::discrete::Mode;
use super::shapes::PairId;
use held::HeldPoint;

/// Friction left to the points of a pair that stick, together [N]: how their loads share it is left open by rigid bodies, so what counts is whether friction can hold them at
/// all. Force and torque that it holds are taken to lie in an ellipsoid; a single point has the exact cone.
pub(crate) fn friction_left(pair: PairId, points: &[HeldPoint]) -> f64 {
    let of_pair = || {
        points
            .iter()
            .filter(|held| held.point.pair == pair)
            .filter(|held| matches!(held.mode, Mode::Stick(_)))
    };
    let (mut load, mut center, mut force, mut share, mut count) = (0.0, Vec3::zeros(), Vec3::zeros(), 1.0, 0);
    let (mut friction, mut normal) = (0.0, Vec3::zeros());
    for held in of_pair() {
        load += held.normal_force;
        center += held.point.at * held.normal_force;
        force += held.friction_force;
        (friction, normal) = (held.friction, held.point.contact.normal);
        count += 1;
        if let Mode::Stick(limit) = held.mode {
            share = limit;
        }
    }
    if count == 0 {
        return 1.0;
    }
    let held = friction * load * share;
    if count == 1 || load <= 0.0 {
        return held - force.norm();
    }
    // Several points also hold against turning.
    center /= load;
    let arm = |held: &HeldPoint| held.point.at - center;
    let radius: f64 = of_pair().map(|held| arm(held).norm() * held.normal_force).sum::<f64>() / load;
    let torque: f64 = of_pair().map(|held| normal.dot(&arm(held).cross(&held.friction_force))).sum();
    let lever = if radius > 0.0 { torque / radius } else { 0.0 };
    held - (force.norm_squared() + lever * lever).sqrt()
}
