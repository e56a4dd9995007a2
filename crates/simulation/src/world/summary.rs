//! What a run cost, stage by stage.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Time spent in the stages of evaluations; reported, never used.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StageTimes {
    pub(crate) dynamics: Duration,
    pub(crate) narrow: Duration,
    pub(crate) holding: Duration,
    pub(crate) functions: Duration,
    pub(crate) broad: Duration,
    pub(crate) events: Duration,
}

/// What a method has done so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct MethodInfo {
    /// What it is, in words; integrators each with the time from which it was used and why.
    pub(crate) names: Vec<String>,
    /// Accepted steps [-].
    pub(crate) steps: usize,
    /// Rejected steps [-].
    pub(crate) rejected: usize,
    /// Accepted steps of the shortest length with too large an error [-], where time stepping follows errors.
    pub(crate) unresolved: Option<usize>,
    /// Steps searched again with more zero-crossing functions [-].
    pub(crate) redone: usize,
    /// Instants with events [-].
    pub(crate) events: usize,
    /// Intervals that were passed by non-smooth steps because events crowded [-], and their time [s]; where events are located.
    pub(crate) captured: Option<(usize, f64)>,
    /// What happened most of late, and to which pair last; where events are located.
    pub(crate) crowd: Option<(super::events::CrowdCause, Option<super::shapes::PairId>)>,
    /// Evaluations of the equations of motion [-].
    pub(crate) evaluations: usize,
    /// Evaluations of all zero-crossing functions [-].
    pub(crate) functions: usize,
    /// Contact problems solved, where the method solves them.
    pub(crate) contacts: Option<super::SolveCount>,
    /// Bodies that sleep now, where bodies may.
    pub(crate) sleeping: Option<usize>,
    /// Wall time of single steps, of steps of one length.
    pub(crate) step_times: Option<StepTimes>,
}

/// Wall time of single steps; reported, never used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepTimes {
    /// The first step [s].
    pub first: f64,
    /// The slowest step after the first [s].
    pub slowest: f64,
    /// Where the slowest step began [s of the scene].
    pub slowest_at: f64,
}

impl StepTimes {
    /// Adds a step that began at a time [s] and took some [s].
    pub(crate) fn add(all: &mut Option<Self>, at: f64, took: f64) {
        match all {
            None => *all = Some(Self { first: took, slowest: 0.0, slowest_at: at }),
            Some(known) if took > known.slowest => (known.slowest, known.slowest_at) = (took, at),
            Some(_) => {}
        }
    }
}

/// Shapes that collide by quasi-LMDs with the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct QuasiInfo {
    /// How many there are [-].
    pub shapes: usize,
    /// The radius that they are inflated by [m].
    pub dilation: f64,
    /// The angle by which they may rotate from a contact before it is lost [rad].
    pub angular_tolerance: f64,
}

/// What a run has done so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorldInfo {
    /// The integrators, each with the time from which it was used and why.
    pub method: Vec<String>,
    /// Accepted steps, full or truncated at an event [-].
    pub steps: usize,
    /// Steps that were tried and rejected [-].
    pub rejected: usize,
    /// Steps searched again with more zero-crossing functions [-].
    pub redone: usize,
    /// Instants with events [-].
    pub events: usize,
    /// Intervals in which events crowded and that were passed by non-smooth steps [-].
    #[serde(default)]
    pub captured: usize,
    /// Time in these intervals [s].
    #[serde(default)]
    pub captured_time: f64,
    /// Evaluations of the equations of motion [-]; where time stepping follows errors, steps and halves of steps that were made, of rejected ones too.
    pub evaluations: usize,
    /// Evaluations of all zero-crossing functions [-].
    pub functions: usize,
    /// Gaps computed to choose the functions [-].
    pub gaps: usize,
    /// Exact gaps computed to build the world [-].
    #[serde(default)]
    pub start_gaps: usize,
    /// Convex pairs that another algorithm than the exact kernels was asked about [-], where `narrow_phase` names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub narrow_phase_calls: Option<u64>,
    /// Contact problems solved, in time stepping.
    #[serde(default)]
    pub contacts: Option<super::SolveCount>,
    /// Bodies that sleep now [-], where time stepping lets them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleeping: Option<usize>,
    /// Steps of the shortest length that were accepted though their error was larger than `rtol` allows [-], where time stepping follows errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<usize>,
    /// Shapes that were asked to collide by quasi-LMDs, with their numbers, given or by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quasi_lmds: Vec<QuasiInfo>,
    /// Wall time of single steps, in time stepping and SiLVIA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_times: Option<StepTimes>,
    /// Wall time of the run [s].
    pub wall: f64,
    /// Fractions of it by stage [-]: a name and a fraction for each.
    // Recordings of earlier builds have the former name.
    #[serde(alias = "shares")]
    pub time_fractions: Vec<(String, f64)>,
}
