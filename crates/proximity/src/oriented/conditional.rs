//! The configuration by conditions, one initiator and one surface at a time.
//!
//! In: penetration of one initiator before and now, and the surface that it was in contact with. Out: the surface that it is in contact with.
//! Method: Schock and Langlois, Algorithm 1, by equations 15 to 19. Differs from it: a retained surface is `c(t0)` and not 1 (its line 6); nothing new is marked
//! while one is retained; one surface alone is new, the one lost last; a target that was crossed within the step is found by clipping; a start inside takes the nearest surface.

use zerogap_core::Vec3;

use super::Target;
use super::configuration::TouchKind;
use super::entry::{Last, crossed, last_lost};

/// One initiator against one target.
pub(super) struct One<'a> {
    pub(super) target: &'a Target,
    /// Where it was and where it is, in the frame of the target [m].
    pub(super) before: Vec3,
    pub(super) now: Vec3,
    /// Penetration of every surface, then and now.
    pub(super) was: &'a [bool],
    pub(super) is: &'a [bool],
    /// The surface that it was in contact with.
    pub(super) active: Option<u32>,
    /// Whether a target across the straight path is hit.
    pub(super) is_clipped: bool,
}

impl One<'_> {
    /// The collision surface, how it came to be, and whether the initiator is inside.
    pub(super) fn configure(&self) -> Option<(u32, TouchKind, bool)> {
        let is_inside = self.is.iter().all(|p| *p);
        let (mut kept, mut new, mut lost, mut is_apart) = (None, None, 0, false);
        for (i, (&p, &p0)) in self.is.iter().zip(self.was).enumerate() {
            let delta = i8::from(p) - i8::from(p0);
            let is_held = self.active == Some(i as u32);
            is_apart |= !p && !p0;
            // Contact lasts without penetration below the surface that was hit, on its span.
            let outlasts = || delta == 0 && p && self.target.off_span(i, &self.now) <= 0.0;
            if is_held && (is_inside || outlasts()) {
                kept = Some(i);
            } else if is_inside && delta == 1 {
                (new, lost) = (Some(i), lost + 1);
            }
        }
        if self.active.is_some() {
            return kept.map(|i| (i as u32, TouchKind::Kept, is_inside));
        }
        let (surface, kind) = match (is_inside, lost) {
            (true, 0) => (Some(self.target.nearest(&self.now).0), TouchKind::Inside),
            (true, 1) => (new, TouchKind::Hit),
            (true, _) => {
                (last_lost(self.target, &self.before, &self.now, Last::of(self.is_clipped)), TouchKind::Hit)
            }
            (false, _) if is_apart || !self.is_clipped => (None, TouchKind::Crossed),
            (false, _) => (crossed(self.target, &self.before, &self.now), TouchKind::Crossed),
        };
        surface.map(|i| (i as u32, kind, is_inside))
    }
}
