//! Whether time can advance with the settings of a run.
//!
//! In: lengths of steps, times between frames and times to run to. Out: an error that names the setting and says why, where a run would never end. World, landing and scene
//! files ask here, so that all refuse the same.

use super::WorldError;

/// Shortest step [s]: times of an hour differ by 5e-13 s at least, and no contact is as short.
pub const MIN_STEP: f64 = 1e-12;

/// Maximum number of frames of a run [-]: with one body they are 150 GB.
pub const MAX_FRAMES: f64 = 1e9;

/// Times that differ by less than this fraction of a step are one [-]: three steps of a tenth are not three tenths to the bit.
pub(crate) const GRID: f64 = 1e-9;

/// Spacings of neighbouring numbers that a step must exceed where the run ends [-].
const SPACINGS: f64 = 4.0;

/// Refuses steps that are too short for time to advance up to `until` [s].
pub fn check_step(what: &'static str, step: f64, until: f64) -> Result<(), WorldError> {
    let min = MIN_STEP.max(SPACINGS * f64::EPSILON * until.abs());
    if step < min { Err(WorldError::StepTooShort { what, step, min }) } else { Ok(()) }
}

/// Refuses a time between frames [s] that is not positive or makes more of them than a run can have.
pub fn check_frames(from: f64, until: f64, every: f64) -> Result<(), WorldError> {
    let is_positive = every > 0.0;
    if !is_positive {
        return Err(WorldError::Setting { what: "time between frames", value: every });
    }
    let frames = (until - from) / every;
    if frames > MAX_FRAMES {
        Err(WorldError::TooManyFrames { every, frames, max: MAX_FRAMES })
    } else {
        Ok(())
    }
}
