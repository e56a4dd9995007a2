//! The functions: which pairs they stand for, and their values at a trial.

use zerogap_core::Pose;
use zerogap_dynamics::event::select::Places;

use super::{Slots, UNUSED, ZeroCrossingError, ZeroCrossings};
use crate::world::pair_contacts::ContactWork;
use crate::world::shapes::PairId;

impl ZeroCrossings {
    /// Chooses the pairs that the functions stand for, where an accepted step ends in which no function crossed zero: `selectContactPairs!` of the paper. Which pairs are in contact stays as it is.
    ///
    /// Returns the pairs that crossed zero without a function; where there are any, nothing was chosen: call [`ZeroCrossings::commit`], or make the step again with shorter ones.
    pub fn select(&mut self, poses: &[Pose]) -> Result<Vec<PairId>, ZeroCrossingError> {
        self.check_poses(poses)?;
        let crossed = self.crossed_pairs(poses)?;
        if crossed.is_empty() {
            self.choose(poses)?;
        }
        Ok(crossed)
    }

    /// Writes the functions at a trial [m]: `getDistances!` of the paper. Nothing changes by asking.
    ///
    /// Order: with a fixed number of functions as [`ZeroCrossings::selected`] says, those that are unused hold 1. Of two, the first is the smallest value of all separated pairs, or 1, and the second the largest of
    ///   all pairs in contact, or -1.
    pub fn distances(&self, poses: &[Pose], z: &mut [f64]) -> Result<(), ZeroCrossingError> {
        self.check_poses(poses)?;
        let (needed, given) = (self.len(), z.len());
        if needed != given {
            return Err(ZeroCrossingError::Count { what: "zero-crossing functions", needed, given });
        }
        let work = &mut *self.work();
        match &self.slots {
            Slots::Places(places) => {
                z.fill(UNUSED);
                for (z, pair) in z.iter_mut().zip(places.chosen()) {
                    *z = self.value(pair, poses, f64::INFINITY, work)?;
                }
            }
            Slots::Two => {
                z[0] = self.least_separated(poses, work)?;
                z[1] = -UNUSED;
                for (k, pair) in self.closed.keys().enumerate() {
                    let value = self.value(*pair, poses, f64::INFINITY, work)?;
                    z[1] = if k == 0 { value } else { z[1].max(value) };
                }
            }
        }
        Ok(())
    }

    /// The function of a pair [m], or more than the cutoff.
    pub(super) fn value(
        &self,
        pair: PairId,
        poses: &[Pose],
        cutoff: f64,
        work: &mut ContactWork,
    ) -> Result<f64, ZeroCrossingError> {
        let shift = if self.closed.contains_key(&pair) { -self.hysteresis } else { self.hysteresis };
        let gap = self.placed(pair, poses).gap(cutoff - shift, &mut work.cache);
        gap.map(|gap| gap + shift).map_err(|error| ZeroCrossingError::NarrowPhase { pair, error })
    }

    /// The smallest function of all separated pairs [m], at most [`UNUSED`].
    fn least_separated(&self, poses: &[Pose], work: &mut ContactWork) -> Result<f64, ZeroCrossingError> {
        let mut least = UNUSED;
        for (bound, pair) in self.separated(poses) {
            if bound + self.hysteresis > least {
                break;
            }
            least = least.min(self.value(pair, poses, least, work)?);
        }
        Ok(least)
    }

    /// The pairs whose function has changed its sign by more than half the hysteresis, ascending.
    pub(super) fn crossed_pairs(&self, poses: &[Pose]) -> Result<Vec<PairId>, ZeroCrossingError> {
        let (half, work) = (0.5 * self.hysteresis, &mut *self.work());
        let mut crossed = Vec::new();
        for pair in self.closed.keys() {
            if self.value(*pair, poses, f64::INFINITY, work)? >= -half {
                crossed.push(*pair);
            }
        }
        for (bound, pair) in self.separated(poses) {
            if bound > 0.0 {
                break;
            }
            if self.value(pair, poses, self.hysteresis, work)? <= half {
                crossed.push(pair);
            }
        }
        crossed.sort_unstable();
        Ok(crossed)
    }

    /// Gives functions to the pairs with the smallest values, and more functions where those in contact would leave none for others.
    pub(super) fn choose(&mut self, poses: &[Pose]) -> Result<(), ZeroCrossingError> {
        let Slots::Places(places) = &self.slots else { return Ok(()) };
        let mut chosen: Places<PairId> = Places::new(places.len());
        if self.closed.len() >= chosen.len() {
            chosen.grow(self.closed.len() + 1);
        }
        {
            let work = &mut *self.work();
            for pair in self.closed.keys() {
                chosen.offer(self.value(*pair, poses, f64::INFINITY, work)?, *pair);
            }
            for (bound, pair) in self.separated(poses) {
                let limit = chosen.limit();
                if bound + self.hysteresis > limit {
                    break;
                }
                chosen.offer(self.value(pair, poses, limit, work)?, pair);
            }
        }
        self.slots = Slots::Places(chosen);
        Ok(())
    }
}
