//! How much effort a run may take: wall time and events.
//!
//! In: limits, and what a run has taken. Out: an error that says how far the run got. Steps do not depend on it.

use std::time::Duration;

use super::WorldError;
use super::events::CrowdCause;
use super::summary::MethodInfo;

/// Limits of the effort of a run; checked every few steps.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Effort {
    /// Longest wall time of all runs of a world together [s]; none for any.
    pub max_wall: Option<f64>,
    /// Most instants with events [-]; none for any.
    pub max_events: Option<usize>,
}

impl Effort {
    /// Returns limits where there are any.
    pub fn new(max_wall: Option<f64>, max_events: Option<usize>) -> Self {
        Self { max_wall, max_events }
    }

    /// Whether there is a limit.
    pub(super) fn is_limited(&self) -> bool {
        self.max_wall.is_some() || self.max_events.is_some()
    }

    /// Refuses to continue a run that is at a time [s] after a wall time, with what its method has done and what crowded in it of late.
    pub(super) fn check(&self, (t, wall): (f64, Duration), info: &MethodInfo) -> Result<(), WorldError> {
        let events = info.events;
        if let Some(max) = self.max_events.filter(|max| events > *max) {
            let cause = info.crowd.map_or(CrowdCause::Steps, |(cause, _)| cause).words();
            return Err(WorldError::EventsSpent {
                t,
                events,
                max,
                cause,
                pair: info.crowd.and_then(|(_, pair)| pair),
            });
        }
        let wall = wall.as_secs_f64();
        match self.max_wall.filter(|max| wall > *max) {
            Some(max) => Err(WorldError::WallSpent { t, max, steps: info.steps, rate: t / wall }),
            None => Ok(()),
        }
    }
}
