//! Intervals in which events crowd: passed by non-smooth steps, then contacts close again without overlap.
//!
//! In: a state at which the driver gave up locating events one by one. Out: the state at the end of the interval, with contacts as an impact and the laws of resting and sliding leave them, and an event that says from when to when and why.
//! Method: steps of time stepping from the same state (`stepping::captured_steps`). At the end, points of pairs that pushed come to a gap of zero and overlaps are removed, by the displacement that is smallest in the metric of kinetic energy.
//! A phase is such an interval that lasts until events are sparse again, by steps whose lengths follow an estimate of their error.
//! Tolerance: the length of a step is such that free fall within it moves bodies by `rtol` of the smallest size; gaps are zero to half of what counts as touching.

use zerogap_contact::problem::Problem;
use zerogap_contact::solve::{solve, solve_constrained};
use zerogap_dynamics::event::{CapturedInterval, Step};
use zerogap_dynamics::multibody::Tree;

use super::points::{Point, near_points};
use super::rows::{Rows, Who};
use crate::world::events::EventKind;
use crate::world::method::events::discrete::{Captured, Closed, Phase};
use crate::world::method::events::event_model::{CaptureSettings, EventModel};
use crate::world::method::stepping::CapturedSteps;
use crate::world::pairs::TOUCH;
use crate::world::params::ContactModel;
use crate::world::shapes::PairId;
use crate::world::{MIN_CONTROLLED_STEP, WorldError};

/// Points of pairs that pushed come to a gap of zero from within this fraction of the size of the smaller shape [-]: a hundred times the overlap that steps leave alone.
const RESTING: f64 = 1e-6;

/// Rounds in which gaps are taken to zero, from both sides and then from below [-]; each leaves the square of what it found.
const ROUNDS: usize = 4;
const ONE_SIDED_ROUNDS: usize = 12;

/// Gaps this near to zero are zero, against what counts as touching [-].
const CLOSED: f64 = 0.25;

/// A phase ends when the same pairs have pushed in so many steps in a row [-].
const CALM_STEPS: usize = 16;

/// And when no more points than these do [-]: half as many as located events solve for exactly at once.
const FEW_POINTS: usize = 24;

/// Length of a captured step without gravity, against the longest step [-]: times the root of the tolerance.
const WITHOUT_GRAVITY: f64 = 1.0;

impl EventModel<'_> {
    /// The length of captured steps [s]; none in a world of elastic contacts.
    pub(crate) fn captured_step(&self) -> Option<f64> {
        matches!(self.model.contact, ContactModel::Rigid(_)).then_some(self.data.capture.step)
    }

    /// Passes an interval by one non-smooth step to an end at the latest [s]; returns where it ends.
    pub(crate) fn capture_to(
        &mut self,
        (t, end): (f64, f64),
        y: &[f64],
        is_phase: bool,
        to: &mut Vec<f64>,
    ) -> Result<f64, WorldError> {
        if self.data.discrete.captured.is_none() {
            let users = self.user_values(t, y);
            let discrete = &mut self.data.discrete;
            let pairs = std::mem::take(&mut discrete.closed).into_keys().collect();
            discrete.captured = Some(Captured { pairs, users, ..Captured::default() });
            discrete.is_active.fill(false);
            (discrete.is_unsolved, discrete.is_large) = (false, false);
        }
        let proposal = self.data.discrete.captured.as_ref().map_or(0.0, |captured| captured.proposal);
        to.clear();
        to.extend_from_slice(y);
        let CaptureSettings { step, control, .. } = self.data.capture;
        let shortest = step.clamp(MIN_CONTROLLED_STEP, control.max_step);
        let steps =
            self.data.captured_steps.get_or_insert_with(|| CapturedSteps::new(self.model, shortest).into());
        if !is_phase {
            steps.advance(self.model, (t, end), to)?;
            return Ok(end);
        }
        let (length, next) = steps.advance_controlled(self.model, control, (t, end - t), proposal, to)?;
        self.data.next_proposal = next;
        Ok(if length < end - t { t + length } else { end })
    }

    /// Whether events have become sparse: the same few pairs have pushed for a while, or none.
    pub(crate) fn is_calm_again(&mut self) -> bool {
        let Some(steps) = &self.data.captured_steps else { return true };
        let Some(captured) = &mut self.data.discrete.captured else { return true };
        captured.proposal = self.data.next_proposal;
        let is_same = captured.pushing == steps.pushing();
        captured.calm = if is_same { captured.calm + 1 } else { 0 };
        captured.pushing.clear();
        captured.pushing.extend_from_slice(steps.pushing());
        captured.calm >= CALM_STEPS && steps.contacts() <= FEW_POINTS
    }

    /// Takes note of a captured step; the last of an interval ends it.
    pub(crate) fn accept_captured_step(
        &mut self,
        step: &Step<'_>,
        y: &mut [f64],
        last: Option<CapturedInterval>,
    ) -> Result<(), WorldError> {
        self.record(step, step.t1);
        self.note_captured_functions(step);
        self.data.first_step = None;
        let Some(interval) = last else { return Ok(()) };
        self.end_capture(step.t1, y, interval)
    }

    /// Closes what touches at the end of an interval, with all overlap removed.
    fn end_capture(&mut self, t: f64, y: &mut [f64], interval: CapturedInterval) -> Result<(), WorldError> {
        let Some(Captured { pairs: before, .. }) = self.data.discrete.captured.take() else { return Ok(()) };
        let (cause, pair) = self.data.discrete.tally.most();
        if interval.is_phase {
            let CapturedInterval { start, steps, .. } = interval;
            self.data.discrete.phases.push(Phase { start, end: t, steps, cause });
        }
        self.data.discrete.tally.clear();
        self.model.note(t, EventKind::Captured { start: interval.start, cause, pair });
        self.model.correct_joints(t, y, &mut self.data.scratch.get_mut().ws);
        self.close_gaps(t, y)?;
        self.refuse_failure(t)?;

        // Contacts begin as they do at the start of a run; those that were closed before the interval just stay so.
        let near = self.model.near_pairs(t, y)?;
        let touched = self.touching_pairs(t, y, &near)?;
        if let Some(pair) = self.first_intersecting(t, y, touched.iter().copied()) {
            return Err(WorldError::Intersecting { t, pair });
        }
        let limits: Vec<usize> = {
            let q = self.model.parts(y).q;
            let all = self.model.tree.limits();
            let value = |k: usize| self.model.tree.limit_value(&all[k], q);
            (0..all.len()).filter(|k| value(*k) <= TOUCH * self.limit_size(*k)).collect()
        };
        let events = self.model.events.len();
        self.impact(t, y, &touched, &limits)?;
        self.settle(t, y)?;
        self.refuse_failure(t)?;
        // Who began and ended is seen from the ends of the interval.
        let ended = |kind: &EventKind| matches!(kind, EventKind::ContactEnd { .. });
        let mut at = 0;
        self.model.events.retain(|event| {
            at += 1;
            at <= events || !ended(&event.what)
        });
        let now: Vec<PairId> = self.data.discrete.closed.keys().copied().collect();
        for pair in before.iter().filter(|pair| now.binary_search(pair).is_err()) {
            self.model.note(t, EventKind::ContactEnd { pair: *pair });
        }
        for pair in now.iter().filter(|pair| before.binary_search(pair).is_err()) {
            self.model.note(t, EventKind::ContactBegin { pair: *pair, approach: 0.0 });
        }
        debug_assert!(self.data.discrete.closed.values().all(|closed| matches!(closed, Closed::Rigid(_))));
        Ok(())
    }

    /// Takes the gaps of points that rest to zero, and removes overlaps.
    fn close_gaps(&mut self, t: f64, y: &mut [f64]) -> Result<(), WorldError> {
        let pushing: Vec<PairId> =
            self.data.captured_steps.as_ref().map(|steps| steps.pushing().to_vec()).unwrap_or_default();
        for round in 0..ROUNDS + ONE_SIDED_ROUNDS {
            let is_two_sided = round < ROUNDS;
            let (points, rows, sizes) = self.gap_rows(t, y)?;
            let gaps = rows.speeds.clone();
            let is_resting = |block: usize| match rows.who[block] {
                Who::Point(place) => pushing.binary_search(&points[place].pair).is_ok(),
                Who::Limit(_) | Who::Loop => false,
            };
            // What is off: overlaps, and in the first rounds also points that rest above each other.
            let off = |block: &usize| {
                let row = rows.rows_of(*block).start;
                let allowed = CLOSED * TOUCH * sizes[*block];
                gaps[row] < -allowed || is_two_sided && is_resting(*block) && gaps[row] > allowed
            };
            let blocks = 0..rows.who.len();
            if !blocks.clone().any(|block| off(&block)) {
                break;
            }
            let mut impulse = vec![0.0; gaps.len()];
            for island in rows.islands() {
                if !island.iter().any(&off) {
                    continue;
                }
                let used: Vec<usize> = if is_two_sided {
                    let is_used =
                        |block: &usize| rows.who[*block] == Who::Loop || is_resting(*block) || off(block);
                    island.into_iter().filter(is_used).collect()
                } else {
                    island
                };
                let (w, b, laws) = rows.island(&used, &gaps);
                let found = if is_two_sided {
                    solve_constrained(&w, &-b).x
                } else {
                    let problem =
                        Problem::new(w, b, laws).map_err(|error| WorldError::Contact { t, error })?;
                    solve(&problem, None).lambda
                };
                rows.scatter(&used, &found, &mut impulse);
            }
            let mut change = vec![0.0; self.model.tree.velocities()];
            rows.push(&impulse, &mut change);
            self.displace(t, y, &change);
        }
        Ok(())
    }

    /// Moves bodies by a displacement of all joints.
    fn displace(&mut self, t: f64, y: &mut [f64], change: &[f64]) {
        let tree: &Tree = &self.model.tree;
        tree.displace(&mut y[..tree.positions()], change);
        self.model.correct_joints(t, y, &mut self.data.scratch.get_mut().ws);
    }

    /// The normals of all points that touch, overlap or nearly do, and all limits that are reached or nearly so, with their gaps in place of speeds; and the size that each gap compares with [m or rad].
    fn gap_rows(&mut self, t: f64, y: &[f64]) -> Result<(Vec<Point>, Rows, Vec<f64>), WorldError> {
        let near = self.model.near_pairs(t, y)?;
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        let mut points = Vec::new();
        for pair in near {
            near_points(&self.model.shapes, (pair, RESTING), &scratch.ws, &mut scratch.manifold, &mut points);
        }
        let mut rows = Rows::new(&self.model.tree, &scratch.ws);
        let mut sizes = vec![1.0; rows.who.len()];
        for limit in 0..self.model.tree.limits().len() {
            let value = self.model.tree.limit_value(&self.model.tree.limits()[limit], self.model.parts(y).q);
            let (gap, size) = (value, self.limit_size(limit));
            if gap <= RESTING * size {
                rows.add_limit_gap(&self.model.tree, &scratch.ws, limit, gap);
                sizes.push(size);
            }
        }
        for (place, point) in points.iter().enumerate() {
            rows.add_gap(&self.model.tree, &scratch.ws, place, point);
            sizes.push(self.model.pair_size(point.pair));
        }
        rows.finish(&self.model.tree, &mut scratch.ws);
        Ok((points, rows, sizes))
    }
}

/// The length of a captured step [s]: free fall within it moves a body by `rtol` of the smallest size [m], and it is not longer than the root of that of the longest step [s].
pub(crate) fn captured_step(rtol: f64, max_step: f64, gravity: f64, size: f64) -> f64 {
    let longest = WITHOUT_GRAVITY * rtol.sqrt() * max_step.min(1.0);
    let falling = (2.0 * rtol * size / gravity).sqrt();
    if falling.is_finite() { longest.min(falling) } else { longest }
}
