//! Sliding over a corner: the neighbouring surface takes over, and the gap does not jump.
//!
//! In: an initiator inside its target and beyond the span of its collision surface. Out: the surface that it has slid onto and what the gap below it carries over.
//! At a corner of interior angle above 90° a point at depth d below the old surface is at depth d cos θ below the new one when it leaves the span, θ the angle between the two normals.
//! The difference is carried over and forgotten along the path: it is gone once the point has slid as far as it was deep. At sharper corners nobody leaves a span while inside.

use zerogap_core::Vec3;

use super::Target;
use super::entry::crossing_time;

/// What the depth below a new surface has in excess of the plain one, from the hand-over on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Carry {
    /// The excess at the hand-over [m].
    excess: f64,
    /// The plain depth there [m].
    plain: f64,
    /// The displacement along the surface over which it is forgotten [m].
    reach: f64,
    /// Where it was, in the frame of the target [m].
    at: Vec3,
}

/// How much of the carry is left at a point [-].
fn left(carry: &Carry, normal: &Vec3, point: &Vec3) -> f64 {
    let way = point - carry.at;
    let slid = (way - normal * normal.dot(&way)).norm();
    let left = (1.0 - slid / carry.reach).max(0.0);
    left * left
}

/// Depth of a point below a surface [m], with what is carried over; negative above it.
pub(super) fn depth(target: &Target, surface: usize, point: &Vec3, carry: Option<&Carry>) -> f64 {
    let plain = -target.separation(surface, point);
    let Some(carry) = carry.filter(|_| plain > 0.0) else { return plain };
    // In proportion to the plain depth below the one at the hand-over: a contact ends at the surface.
    let ratio = (plain / carry.plain).min(1.0);
    plain + carry.excess * ratio * left(carry, &target.facets()[surface].normal, point)
}

/// The carry where something is left of it.
pub(super) fn remaining(
    target: &Target,
    surface: usize,
    point: &Vec3,
    carry: Option<Carry>,
) -> Option<Carry> {
    carry.filter(|carry| left(carry, &target.facets()[surface].normal, point) > 0.0)
}

/// The surface that an initiator inside its target is on now, with the carry of its gap; the same surface where it is still on its span.
///
/// Computes: over the side that is passed first (the lower one of two at the same time) to the surface beyond, again while that is left too. Each surface is nearer than the one
///   before, so this ends; where rounding says otherwise, nothing is handed over.
pub(super) fn hand_over(
    target: &Target,
    before: &Vec3,
    now: &Vec3,
    held: u32,
    held_carry: Option<Carry>,
) -> (u32, Option<Carry>) {
    let (mut surface, mut carry, mut at) = (held as usize, held_carry, 0.0_f64);
    loop {
        let mut first: Option<(f64, u32)> = None;
        for side in target.sides(surface) {
            let [was, is] = [before, now].map(|point| side.excess(point));
            if is > 0.0 {
                let when = if was > 0.0 { 0.0 } else { crossing_time(was, is) };
                if first.is_none_or(|(earliest, _)| when < earliest) {
                    first = Some((when, side.beyond));
                }
            }
        }
        let Some((when, beyond)) = first else { break };
        let next = beyond as usize;
        let is_nearer = target.separation(next, now) > target.separation(surface, now);
        if !is_nearer {
            break;
        }
        at = at.max(when);
        let corner = before + (now - before) * at;
        let (full, plain) =
            (depth(target, surface, &corner, carry.as_ref()), -target.separation(next, &corner));
        carry = (plain > 0.0 && full > 0.0).then_some(Carry {
            excess: full - plain,
            plain,
            reach: full,
            at: corner,
        });
        surface = next;
    }
    (surface as u32, carry)
}
