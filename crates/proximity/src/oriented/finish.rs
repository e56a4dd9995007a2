//! From collision surfaces to contacts: hand-over, gaps, and which were released.
//!
//! In: what either form found for one target. Out: contacts in the world, what lasts of them, and releases, all by initiator.

use zerogap_core::{Pose, Vec3};

use super::Target;
use super::configuration::{ActiveContact, Configuration, Release, Set, Touch, TouchKind};
use super::hand_over::{depth, hand_over, remaining};

/// Writes the contacts of one target into a configuration that holds what was found.
pub(super) fn finish(number: usize, target: &Target, pose: &Pose, reference: &Set, into: &mut Configuration) {
    let Configuration { sets, touches, releases, scratch, .. } = into;
    let set = &mut sets[number];
    let number = number as u32;
    set.active.clear();
    let mut former = reference.active.iter().peekable();
    for found in &scratch.found {
        // Everyone before this initiator who was in contact is not in contact any more.
        while let Some(gone) = former.next_if(|held| held.initiator < found.initiator) {
            releases.push(Release { target: number, initiator: gone.initiator, surface: gone.surface });
        }
        let held = former.next_if(|held| held.initiator == found.initiator);
        let initiator = found.initiator as usize;
        let now = set.point(initiator);
        let (mut surface, mut kind) = (found.surface, found.kind);
        let mut carry = held.and_then(|held| remaining(target, surface as usize, &now, held.carry));
        if found.kind == TouchKind::Kept && found.is_inside {
            let before = reference.point(initiator);
            let kept = held.and_then(|held| held.carry);
            let (taken, carried) = hand_over(target, &before, &now, surface, kept);
            if taken != surface {
                (kind, surface, carry) = (TouchKind::HandedOver { from: surface }, taken, carried);
            }
        }
        // Who takes the nearest surface again and again keeps it, or goes over to another one.
        if let (TouchKind::Inside, Some(held)) = (kind, held) {
            let from = held.surface;
            kind = if from == surface { TouchKind::Kept } else { TouchKind::HandedOver { from } };
        }
        let is_guess = kind == TouchKind::Inside || held.is_some_and(|held| held.is_guess);
        let held = ActiveContact { initiator: found.initiator, surface, is_guess, carry };
        touches.push(touch((number, target, pose), &held, &now, (kind, found.is_inside)));
        set.active.push(held);
    }
    releases.extend(former.map(|gone| Release {
        target: number,
        initiator: gone.initiator,
        surface: gone.surface,
    }));
}

/// The contact of an initiator that is in contact at a point of the target's frame.
pub(super) fn touch(
    (number, target, pose): (u32, &Target, &Pose),
    &ActiveContact { initiator, surface, is_guess, ref carry }: &ActiveContact,
    now: &Vec3,
    (kind, is_inside): (TouchKind, bool),
) -> Touch {
    let facet = &target.facets()[surface as usize];
    Touch {
        target: number,
        initiator,
        surface,
        gap: -depth(target, surface as usize, now, carry.as_ref()),
        normal: pose.transform_vector(&facet.normal),
        point: pose.transform_point(&(now - facet.normal * facet.separation(now))),
        kind,
        is_inside,
        is_guess,
    }
}
