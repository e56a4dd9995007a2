//! How contacts begin and end: accepted steps.

use zerogap_contact::law::{Begin, NormalLaw};
use zerogap_core::{Pose, Vec3};
use zerogap_proximity::oriented::OrientedHistory;

use super::forces::relative_velocity;
use super::{BodyVelocity, ClosedPair, ContactChange, Slots, ZeroCrossingError, ZeroCrossings};
use crate::world::contact_radius::contact_radius;
use crate::world::oriented_pairs::begin;
use crate::world::pair_contacts::ContactWork;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

impl ZeroCrossings {
    /// Forgets all contacts and starts anew: pairs that overlap by more than half the hysteresis are in contact.
    pub fn reset(
        &mut self,
        poses: &[Pose],
        velocities: &[BodyVelocity],
    ) -> Result<Vec<ContactChange>, ZeroCrossingError> {
        self.check_poses(poses)?;
        self.check_velocities(velocities)?;
        self.closed.clear();
        self.histories.clear();
        for pair in self.pairs.clone() {
            let begun = begin(&self.placed(pair, poses));
            let begun =
                begun.map_err(|refusal| ZeroCrossingError::NarrowPhase { pair, error: refusal.error })?;
            self.histories.extend(begun.map(|history| (pair, history)));
        }
        self.commit(poses, velocities, &[])
    }

    /// Takes an accepted step: contacts begin and end, laws freeze what they need from the velocities, and the functions are given to pairs anew.
    ///
    /// `crossed` are the functions at whose zero the integrator stopped, if any: their pairs change whatever sign is left by rounding. Others change where they are beyond zero by half the hysteresis.
    /// Where there are too few functions [`ZeroCrossings::len`] is larger afterwards.
    pub fn commit(
        &mut self,
        poses: &[Pose],
        velocities: &[BodyVelocity],
        crossed: &[usize],
    ) -> Result<Vec<ContactChange>, ZeroCrossingError> {
        self.check_poses(poses)?;
        self.check_velocities(velocities)?;
        if let Some(&function) = crossed.iter().find(|function| **function >= self.len()) {
            return Err(ZeroCrossingError::NoFunction { function, count: self.len() });
        }
        let mut pairs = self.crossed_pairs(poses)?;
        let selected = self.selected();
        for &function in crossed {
            match &self.slots {
                Slots::Places(_) => pairs.extend(selected[function]),
                Slots::Two => pairs.extend(self.nearest_to_zero(function == 1, poses)?),
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        // The reference of corners first: from it the gaps of the pairs that change follow.
        self.commit_histories(poses)?;
        let mut changes = Vec::new();
        for pair in pairs {
            let was_selected = matches!(self.slots, Slots::Two) || selected.contains(&Some(pair));
            let began = if self.closed.remove(&pair).is_some() {
                None
            } else {
                let (closed, approach) = self.begun(pair, poses, velocities)?;
                self.closed.insert(pair, closed);
                Some(approach)
            };
            changes.push(ContactChange { pair, began, was_selected });
        }
        self.choose(poses)?;
        Ok(changes)
    }

    /// The pair of one of two functions: that with the smallest value of all separated pairs, or the largest of those in contact.
    fn nearest_to_zero(
        &self,
        is_of_contacts: bool,
        poses: &[Pose],
    ) -> Result<Option<PairId>, ZeroCrossingError> {
        let work = &mut *self.work();
        let of_kind = self.pairs.iter().filter(|pair| self.closed.contains_key(pair) == is_of_contacts);
        let mut best: Option<(f64, PairId)> = None;
        for &pair in of_kind {
            let value = self.value(pair, poses, f64::INFINITY, work)?.abs();
            if best.is_none_or(|(least, _)| value < least) {
                best = Some((value, pair));
            }
        }
        Ok(best.map(|(_, pair)| pair))
    }

    fn commit_histories(&mut self, poses: &[Pose]) -> Result<(), ZeroCrossingError> {
        let mut histories = std::mem::take(&mut self.histories);
        let mut outcome = Ok(());
        for (&pair, history) in &mut histories {
            let placed = self.placed(pair, poses);
            let Some(oriented) = placed.colliders().oriented() else { continue };
            let committed = OrientedHistory::commit(history, &oriented, &mut Vec::new());
            if let Err(error) = committed {
                outcome = Err(ZeroCrossingError::NarrowPhase { pair, error });
            }
        }
        self.histories = histories;
        outcome
    }

    /// What a contact freezes that begins now, and the speed of approach [m/s].
    fn begun(
        &self,
        pair: PairId,
        poses: &[Pose],
        velocities: &[BodyVelocity],
    ) -> Result<(ClosedPair, f64), ZeroCrossingError> {
        let (work, placed) = (&mut *self.work(), self.placed(pair, poses));
        let (normal, approach) = self.approach(&placed, poses, velocities, work)?;
        let material = self.material_pair(pair);
        let Some(law) = self.law else {
            return Ok((ClosedPair { force: None, radius: 0.0 }, approach));
        };
        let radius = contact_radius(&placed, law, &normal, material.properties.contact_radius);
        let has_stiffness = law.is_per_point() || radius > 0.0;
        if !has_stiffness {
            return Err(ZeroCrossingError::NoContactRadius { pair });
        }
        let start = Begin {
            approach,
            stiffness_modulus: material.modulus,
            radius,
            // Bodies are the caller's: a law that needs their masses is refused where forces are asked for.
            effective_mass: 0.0,
            restitution: material.properties.restitution,
        };
        let has_forces = !matches!(law, NormalLaw::Linear { .. });
        Ok((ClosedPair { force: has_forces.then(|| law.begin(&start)), radius }, approach))
    }

    /// The normal of a pair that touches, and the speed of approach where it is fastest [m/s].
    fn approach(
        &self,
        placed: &PlacedPair<'_>,
        poses: &[Pose],
        velocities: &[BodyVelocity],
        work: &mut ContactWork,
    ) -> Result<(Vec3, f64), ZeroCrossingError> {
        let pair = placed.id;
        placed.contacts(4.0 * self.hysteresis, work);
        if let Some(failure) = work.failure.take() {
            return Err(ZeroCrossingError::NarrowPhase { pair, error: failure.error });
        }
        if work.contacts.is_empty() {
            let gap = placed.nearest(work);
            let gap = gap.map_err(|error| ZeroCrossingError::NarrowPhase { pair, error })?;
            let at = 0.5 * (gap.point_a + gap.point_b);
            let rate = gap.normal.dot(&relative_velocity(placed, poses, velocities, &at));
            return Ok((gap.normal, (-rate).max(0.0)));
        }
        let rate = |contact: &zerogap_core::Contact| {
            let at = 0.5 * (contact.point_a + contact.point_b);
            contact.normal.dot(&relative_velocity(placed, poses, velocities, &at))
        };
        let approach = work.contacts.iter().map(|contact| -rate(contact)).fold(0.0, f64::max);
        Ok((work.normal, approach))
    }
}
