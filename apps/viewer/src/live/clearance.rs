//! The clearance of the body that is held.
//!
//! In: a world and the body in the hand. Out: the smallest gap of the body in the hand, measured as often as costs at most a small part of the time: pictures never slow physics, however many triangles a part has.

use std::time::{Duration, Instant};

use zerogap::dynamics::multibody::BodyId;
use zerogap::world::{GapSide, World};

/// How long a measurement lasts, in times that it took [-].
const STAYS: u32 = 30;

/// The last measurement.
#[derive(Debug, Default)]
pub(crate) struct Clearance {
    last: Option<Measured>,
}

#[derive(Debug)]
struct Measured {
    body: BodyId,
    gap: Option<f64>,
    at: Instant,
    stays: Duration,
}

impl Clearance {
    /// The smallest gap of the body that is held [m]; none where nothing is, or where there is nothing near.
    pub(crate) fn of(&mut self, world: &World, held: Option<BodyId>) -> Option<f64> {
        let body = held?;
        if let Some(last) =
            self.last.as_ref().filter(|last| last.body == body && last.at.elapsed() < last.stays)
        {
            return last.gap;
        }
        let start = Instant::now();
        // A pair that cannot answer has no clearance to show.
        let gap = world.nearest(GapSide::Body(body)).ok().flatten().map(|nearest| nearest.gap.gap);
        self.last = Some(Measured { body, gap, at: Instant::now(), stays: start.elapsed() * STAYS });
        gap
    }
}
