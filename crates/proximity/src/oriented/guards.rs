//! The configuration by guards: bit operations over 64 initiators at once.
//!
//! In: for each surface a word of penetration bits before and now, and the contacts of these 64 initiators. Out: their collision surfaces. A bit is evaluated on its own only
//! where an initiator is in contact, has just come in or may have crossed.
//! Method: Schock and Langlois, Algorithm 2: N0 in collision before, N1 in collision now, N2 both; retained `C0 = C(t0) & N2`, new `C1 = new & N1 & !N2`. Differs from it: new surfaces are
//! narrowed down to the one lost last, and N1 holds those that crossed the target within the step.

use zerogap_core::facets::{Blocks, WORD, point_of};

use super::Target;
use super::configuration::{ActiveContact, DetectedContact, Scratch, TouchKind};
use super::entry::{Last, crossed, last_lost};

/// 64 initiators against one target.
pub(super) struct Word<'a> {
    pub(super) target: &'a Target,
    /// Number of the first of them.
    pub(super) first: usize,
    /// Which of the 64 there are.
    pub(super) lanes: u64,
    /// Where they were and where they are, in the frame of the target [m].
    pub(super) before: &'a Blocks,
    pub(super) now: &'a Blocks,
    /// A row of penetration bits for each surface, now.
    pub(super) is: &'a [u64],
    /// Their contacts.
    pub(super) active: &'a [ActiveContact],
    /// Whether a target across the straight path is hit.
    pub(super) is_clipped: bool,
}

/// The numbers of the bits that are set, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = word.trailing_zeros() as usize;
        (lane < WORD).then(|| {
            word &= word - 1;
            lane
        })
    })
}

impl Word<'_> {
    /// Adds the contacts of these initiators, by initiator; `was` holds their penetration bits before.
    pub(super) fn configure(&self, was: &[u64], scratch: &mut Scratch) {
        // Inside now; and no surface on whose outer side both ends of the way are.
        let (mut inside, mut reached) = (self.lanes, self.lanes);
        for (p, p0) in self.is.iter().zip(was) {
            inside &= p;
            reached &= p | p0;
        }
        if reached == 0 && self.active.is_empty() {
            return;
        }

        // C(t0), and S where C(t0) asks for it.
        let surfaces = self.is.len();
        for rows in [&mut scratch.active, &mut scratch.span, &mut scratch.collision] {
            rows.clear();
            rows.resize(surfaces, 0);
        }
        let mut n0 = 0;
        for held in self.active {
            let (lane, surface) = (held.initiator as usize - self.first, held.surface as usize);
            let is_on_span = self.target.off_span(surface, &point_of(self.now, lane)) <= 0.0;
            n0 |= 1 << lane;
            scratch.active[surface] |= 1 << lane;
            scratch.span[surface] |= u64::from(is_on_span) << lane;
        }

        // N1: inside, or below the surface that was hit and on its span, or through the whole target.
        let mut outlasting = 0;
        for (i, (p, p0)) in self.is.iter().zip(was).enumerate() {
            outlasting |= p & scratch.active[i] & scratch.span[i] & !(p ^ p0);
        }
        let mut through = 0;
        let may_cross = if self.is_clipped { reached & !inside & !n0 } else { 0 };
        for lane in bits(may_cross) {
            if let Some(surface) =
                crossed(self.target, &point_of(self.before, lane), &point_of(self.now, lane))
            {
                through |= 1 << lane;
                scratch.collision[surface] |= 1 << lane;
            }
        }
        let n1 = inside | outlasting | through;
        let n2 = n0 & n1;

        // Retained, and new where one surface was lost: two words tell which initiators lost one, and which more.
        let entering = inside & !n2;
        let (mut once, mut twice) = (0, 0);
        for (p, p0) in self.is.iter().zip(was) {
            let lost = p & !p0 & entering;
            twice |= once & lost;
            once |= lost;
        }
        for (i, (p, p0)) in self.is.iter().zip(was).enumerate() {
            scratch.collision[i] |= (scratch.active[i] & n2) | (p & !p0 & entering & !twice);
        }
        for lane in bits(twice) {
            let (before, now) = (point_of(self.before, lane), point_of(self.now, lane));
            if let Some(surface) = last_lost(self.target, &before, &now, Last::of(self.is_clipped)) {
                scratch.collision[surface] |= 1 << lane;
            }
        }
        let guessed = entering & !once;
        for lane in bits(guessed) {
            scratch.collision[self.target.nearest(&point_of(self.now, lane)).0] |= 1 << lane;
        }

        // One surface each, in the order of initiators.
        let start = scratch.found.len();
        for (surface, row) in scratch.collision.iter().enumerate() {
            for lane in bits(*row) {
                let bit = 1 << lane;
                let kind = match () {
                    () if n2 & bit != 0 => TouchKind::Kept,
                    () if through & bit != 0 => TouchKind::Crossed,
                    () if guessed & bit != 0 => TouchKind::Inside,
                    () => TouchKind::Hit,
                };
                let initiator = (self.first + lane) as u32;
                let is_inside = inside & bit != 0;
                scratch.found.push(DetectedContact { initiator, surface: surface as u32, kind, is_inside });
            }
        }
        scratch.found[start..].sort_unstable_by_key(|found| found.initiator);
    }
}
