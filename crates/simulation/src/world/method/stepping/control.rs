//! Error control: the length of a step follows an estimate of its error.
//!
//! In: a state and the length to try first. Out: the state after an accepted step, its length, and the length to try next. A step is made twice, once as a whole and once in two halves; the halves are kept where both agree. Two errors
//! are told apart, since they follow other powers of the length:
//!
//! - Motion between impacts is smooth. The difference of the whole step and its halves, positions of all bodies by their sizes, is bounded by `rtol` times the length to the power of 0.6. Bodies that move freely have errors of the third power of the
//!   length in a step: lengths h go with `rtol` to the power of 1/2.4, errors of a run, h², with its power of 0.83. Bodies that pivot on contacts have errors of the second power, since contacts are those at the start of a step; they do not add up, because gaps are
//!   measured anew in each step, and are as small as `rtol` h^0.6. Bounded by time, with a power of one, the latter would need lengths in proportion to `rtol`; bounded by step, with a power of zero, errors of the former would go with `rtol` to the power of 2/3.
//!   Velocities are not compared: they jump in impacts, and in contacts they are off by the first power of the length without adding up.
//! - An impulse acts from the start of a step on. One whose gap is still open then acts too early, and positions are off by the gap, however long the step is; the difference above does not see it, since the first half acts as early. So no contact may act
//!   before its gap has closed to half of `rtol` by its size, once for each impact: a step in which one does is rejected, and ends where the gap is expected to have closed ([`zerogap_dynamics::step::StepInfo::early`]). The impulse acts in the next step.
//!   So impacts cost a few steps each, not one for every halving of the length; contacts at rest have no gap, and leave steps long.
//!
//! Rejected steps leave no trace but their work, which is counted. Order: lengths follow from the state alone, so they do not depend on calls.

use zerogap_core::Pose;
use zerogap_core::math::pow;
use zerogap_dynamics::step::StepInfo;

use super::continuous::Unmade;
use super::forces::Forces;
use super::{SolveCount, Steps};
use crate::world::model::Model;
use crate::world::progress::GRID;

/// Shortest step where steps follow their error, unless something scheduled is nearer [s]: a step of this length is accepted whatever its error is, and counted.
pub const MIN_CONTROLLED_STEP: f64 = 1e-9;
/// First step of a run [s]: short enough to show what comes, and a few steps from any other length.
const FIRST_STEP: f64 = 1e-3;
/// A step of this length may have an error of `rtol` [s], shorter ones less by this power of their length [-].
const WHOLE: f64 = 1.0;
const POWER: f64 = 0.6;
/// Gaps up to this fraction of `rtol` by the size of the smaller shape count as closed [-].
const CLOSED: f64 = 0.5;
/// Positions differ by so many times what the residual moves that solves may leave [-].
const SOLVED: f64 = 10.0;
/// Positions differ by so many times the overlap that was corrected in one of both [-].
const CORRECTED: f64 = 2.0;
/// Spacings of neighbouring numbers by which positions differ [-].
const ROUNDING: f64 = 64.0;
/// Fraction of the length that would just do [-], and bounds for the ratio of two lengths that follow each other.
const SAFETY: f64 = 0.9;
const LONGER: f64 = 4.0;
const SHORTER: f64 = 0.2;
/// A step that could not be made is tried again with this fraction of its length [-].
const UNMADE: f64 = 0.25;
/// After so many rejected steps in a row for contacts that act early, expectations about them are of no use [-].
const MAX_EXPECTED: usize = 4;

/// How the length of steps follows their error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorControl {
    /// Error of positions by the size of each body: for each second of smooth motion, and for each impact [-].
    pub rtol: f64,
    /// Longest step [s].
    pub max_step: f64,
}

zerogap_core::store_struct!(ErrorControl { rtol, max_step });

impl ErrorControl {
    /// The gap that counts as closed for a size [m].
    pub(super) fn closed(&self, size: f64) -> f64 {
        CLOSED * self.rtol * size
    }
}

/// Memory of error control that every step overwrites, and the sizes of bodies.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Radius of a ball around each body [m].
    sizes: Vec<f64>,
    /// State at the start of the step.
    start: Vec<f64>,
    /// The bodies at the end of the whole step.
    whole: Vec<Pose>,
    /// Work of what was not kept, and how often a step or a half of one was made.
    work: SolveCount,
    made: usize,
    /// Whether a step in which a contact acts before it has closed is rejected: not one of the shortest length.
    pub(super) may_reject: bool,
}

/// What became of a step that was tried.
#[derive(Debug, Clone, Copy)]
enum Trial {
    /// A contact acted before it had closed, which it is expected to after this time [s].
    Early(f64),
    /// Its error against what is allowed [-].
    Error(f64),
}

impl Control {
    pub(super) fn new(model: &Model) -> Self {
        let tree = &model.tree;
        let mut sizes = vec![0.0_f64; tree.bodies()];
        for body in tree.body_ids() {
            let inertia = tree.inertia(body);
            let gyration =
                if inertia.mass > 0.0 { (inertia.inertia.trace() / inertia.mass).sqrt() } else { 0.0 };
            sizes[body.index()] = gyration + inertia.center.norm();
        }
        // That of its shapes, where it has any.
        let mut reaches = vec![0.0_f64; tree.bodies()];
        for placed in model.shapes.iter().filter(|placed| placed.reach.is_finite() && !placed.is_removed) {
            if let Some(body) = placed.body {
                reaches[body.index()] = reaches[body.index()].max(placed.reach);
            }
        }
        let largest = sizes.iter().chain(&reaches).copied().fold(0.0, f64::max);
        for (size, reach) in sizes.iter_mut().zip(reaches) {
            let own = if reach > 0.0 { reach } else { *size };
            // A point mass is as large as the others.
            *size = if own > 0.0 && own.is_finite() {
                own
            } else if largest > 0.0 {
                largest
            } else {
                1.0
            };
        }
        Self { sizes, ..Self::default() }
    }
}

impl Steps {
    /// Makes a step from a time that is no longer than what is left to a boundary [s]; returns its length. What lasts was kept before.
    ///
    /// Fails: where the shortest step cannot be made.
    pub(super) fn step_controlled(
        &mut self,
        forces: &mut dyn Forces,
        model: &mut Model,
        control: ErrorControl,
        (t, left): (f64, f64),
        y: &mut [f64],
    ) -> Result<f64, Unmade> {
        let events = model.events.len();
        self.control.start.clear();
        self.control.start.extend_from_slice(y);
        (self.control.work, self.control.made) = (SolveCount::default(), 0);
        let proposal = if self.memory.proposal > 0.0 { self.memory.proposal } else { FIRST_STEP };
        let wanted = proposal.min(control.max_step);
        let mut step = if wanted >= left * (1.0 - GRID) { left } else { wanted };
        let (mut rejected, mut is_smooth, mut floor) = (0, true, self.shortest);
        loop {
            let is_shortest = step <= self.shortest;
            let trial = self.try_step(forces, model, (t, step, is_shortest), (events, y));
            let next = match trial {
                Ok(Trial::Error(ratio)) if ratio <= 1.0 || is_shortest => {
                    self.accept(model, (t, step), ratio, rejected, y);
                    // One that ended early for an impact or a boundary says nothing against the length before.
                    let grown = step * growth(ratio);
                    let next = if is_smooth && ratio <= 1.0 { grown.max(wanted) } else { grown };
                    self.memory.proposal = next.clamp(self.shortest, control.max_step);
                    return Ok(step);
                }
                Ok(Trial::Error(ratio)) => {
                    is_smooth = false;
                    step * growth(ratio).min(SAFETY)
                }
                Ok(Trial::Early(time)) if rejected < MAX_EXPECTED => time.min(step * (1.0 - GRID)),
                Ok(Trial::Early(time)) => time.min(0.5 * step),
                Err(unmade) if step <= MIN_CONTROLLED_STEP => return Err(unmade),
                // What cannot be made is tried with any length.
                Err(_) => {
                    floor = MIN_CONTROLLED_STEP;
                    UNMADE * step
                }
            };
            rejected += 1;
            step = next.max(floor).min(left);
            self.reset(model, events, y);
        }
    }

    /// Goes back to the start of the step; what lasts is as it was there.
    fn reset(&mut self, model: &mut Model, events: usize, y: &mut [f64]) {
        self.take_back();
        model.events.truncate(events);
        y.copy_from_slice(&self.control.start);
    }

    /// Makes a step as a whole, then in two halves, which are kept; says how well both agree.
    fn try_step(
        &mut self,
        forces: &mut dyn Forces,
        model: &mut Model,
        (t, step, is_shortest): (f64, f64, bool),
        (events, y): (usize, &mut [f64]),
    ) -> Result<Trial, Unmade> {
        let end = t + step;
        self.control.may_reject = !is_shortest;
        self.path.clear(true);
        let whole = self.make_counted(forces, model, ((t, step, end), true), y)?;
        self.control.count(&whole);
        if let Some(early) = whole.early.filter(|_| !is_shortest) {
            return Ok(Trial::Early(early));
        }
        self.note_whole(model, end, y)?;
        self.reset(model, events, y);

        self.path.clear(true);
        let (half, middle) = (0.5 * step, t + 0.5 * step);
        let first = self.make_counted(forces, model, ((t, half, middle), false), y)?;
        if let Some(early) = first.early.filter(|_| !is_shortest) {
            self.control.count(&first);
            return Ok(Trial::Early(early));
        }
        let second = self.make_counted(forces, model, ((middle, half, end), true), y)?;
        let halves = first.and(&second);
        if let Some(early) = second.early.filter(|_| !is_shortest) {
            self.control.count(&halves);
            return Ok(Trial::Early(half + early));
        }
        let is_early = [&whole, &first, &second].iter().any(|info| info.early.is_some());
        let ratio = self.error(model, (end, step), (&whole, &halves), y)?;
        let ratio = if is_early { ratio.max(f64::MAX) } else { ratio };
        if ratio <= 1.0 || is_shortest {
            self.memory.count.add(&halves);
        } else {
            self.control.count(&halves);
        }
        Ok(Trial::Error(ratio))
    }

    /// Makes a step or one half of it, and counts it.
    fn make_counted(
        &mut self,
        forces: &mut dyn Forces,
        model: &mut Model,
        time: ((f64, f64, f64), bool),
        y: &mut [f64],
    ) -> Result<StepInfo, Unmade> {
        self.control.made += 1;
        self.step_in_parts(forces, model, time, y)
    }

    /// Counts an accepted step, with the work of all that were tried for it.
    fn accept(
        &mut self,
        model: &mut Model,
        (t, step): (f64, f64),
        ratio: f64,
        rejected: usize,
        y: &mut [f64],
    ) {
        let SolveCount { solves, sweeps, newton, .. } = self.control.work;
        let memory = &mut self.memory;
        memory.count.solves += solves;
        memory.count.sweeps += sweeps;
        memory.count.newton += newton;
        memory.steps += 1;
        memory.rejected += rejected;
        memory.made += self.control.made;
        memory.unresolved += usize::from(ratio > 1.0);
        self.fall_asleep(model, (t + step, step), y);
    }

    /// Takes note of where the bodies are at the end of the whole step.
    fn note_whole(&mut self, model: &Model, end: f64, y: &[f64]) -> Result<(), Unmade> {
        let (q, v) = split(model, y)?;
        let ws = self.stepper.locate_end(&model.tree, end, q, v);
        self.control.whole.clear();
        self.control.whole.extend(model.tree.body_ids().map(|body| *ws.pose(body)));
        Ok(())
    }

    /// The largest difference of all bodies between the whole step and its halves, against what is allowed [-].
    fn error(
        &mut self,
        model: &Model,
        (end, step): (f64, f64),
        (whole, halves): (&StepInfo, &StepInfo),
        y: &[f64],
    ) -> Result<f64, Unmade> {
        let Some(control) = self.params.control else { return Ok(0.0) };
        let (q, v) = split(model, y)?;
        let ws = self.stepper.locate_end(&model.tree, end, q, v);
        let left = SOLVED * self.params.tolerance * step + CORRECTED * whole.corrected.max(halves.corrected);
        let allowed = control.rtol * pow(step / WHOLE, POWER);
        let mut worst = 0.0_f64;
        for (body, pose) in model.tree.body_ids().zip(&self.control.whole) {
            let size = self.control.sizes[body.index()];
            let now = ws.pose(body);
            let moved = (now.translation() - pose.translation()).norm();
            let rotated = now.rotation_vector_from(pose).norm() * size;
            let rounding = ROUNDING * f64::EPSILON * (size + now.translation().norm());
            worst = worst.max((moved + rotated - left - rounding).max(0.0) / (allowed * size));
        }
        Ok(if worst.is_nan() { f64::INFINITY } else { worst })
    }
}

impl Control {
    /// Whether a step, or a part of one, will not be used because a contact acted before it had closed.
    pub(super) fn rejects(&self, info: &StepInfo) -> bool {
        self.may_reject && info.early.is_some()
    }

    /// Counts work that is not kept.
    fn count(&mut self, info: &StepInfo) {
        self.work.add(info);
    }
}

/// Positions and velocities of a state of finite numbers.
fn split<'a>(model: &Model, y: &'a [f64]) -> Result<(&'a [f64], &'a [f64]), Unmade> {
    if y.iter().all(|x| x.is_finite()) {
        Ok(y.split_at(model.tree.positions()))
    } else {
        Err(Unmade::Overflow)
    }
}

/// The ratio of the next length to that of a step with an error against what is allowed [-], for errors of the third power of the length; where they are of the second, lengths follow in one step more.
fn growth(ratio: f64) -> f64 {
    (SAFETY / pow(ratio.max(f64::MIN_POSITIVE), 1.0 / (3.0 - POWER))).clamp(SHORTER, LONGER)
}
