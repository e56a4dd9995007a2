//! Which pairs may touch within a step: they get zero-crossing functions.
//!
//! In: an accepted step of the integrator. Out: the pairs whose boxes overlap during it and that come near enough, with their gaps at its start, and how finely the step has to be
//! sampled so that no shape tunnels through another.

use std::convert::Infallible;

use zerogap_core::{Aabb, ContactId, Pose, Vec3};
use zerogap_dynamics::event::select::Places;
use zerogap_dynamics::event::{Direction, Step};
use zerogap_proximity::broad::motion_box;
use zerogap_proximity::motion::{GapAdvance, GapPath, first_overlap};

use super::discrete::Closed;
use super::event_model::EventModel;
use super::frozen::EventScratch;
use super::functions::Source;
use crate::world::params::ZeroFunctions;
use crate::world::placed::SPEED_MARGIN;
use crate::world::shapes::PairId;

/// Parts of a step over which poses are taken to move straight, with an allowance for the bend [-].
const PARTS: usize = 4;

/// A shape that turns by more than this in a part of a step may be anywhere around the origin of its body [rad].
const TURNED: f64 = 1.0;

/// Maximum number of samples within a step [-]; a pair that moves by more than this many times the thickness of the thinner shape, or that has a flat one, is followed to where it touches. Time stepping follows pairs from two half-thicknesses on (`FAST`), since it looks at nothing between the ends of a step; here samples are that close up to their maximum.
const MAX_SAMPLES: usize = 64;

/// Gap at which a pair that is followed counts as overlapping [m]: event functions must have crossed zero, not reached it.
const CROSSED: f64 = -f64::MIN_POSITIVE;

/// Samples within a step at least [-]: two functions that cross and cross back are seen when they do so over a quarter of the step.
const MIN_SAMPLES: usize = 3;

/// How zero-crossing functions stand for pairs.
#[derive(Debug, Clone)]
pub(crate) enum Assignment {
    /// A fixed number of functions for the pairs with the smallest gaps.
    Places(Places<PairId>),
    /// One for all pairs in contact, one for all others.
    Two,
}

zerogap_core::store_enum!(Assignment { 0 => Places(places), 1 => Two });

impl Assignment {
    pub(crate) fn new(functions: ZeroFunctions) -> Self {
        match functions {
            ZeroFunctions::Smallest(count) => Self::Places(Places::new(count)),
            ZeroFunctions::Two => Self::Two,
        }
    }
}

/// A pair that may touch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActivePair {
    pub(crate) pair: PairId,
    /// Gap at the start of the step [m].
    pub(crate) gap: f64,
}

/// A point of a rigid pair that carries nothing, at the start of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FreePoint {
    pub(crate) pair: PairId,
    pub(crate) id: ContactId,
    /// Its gap there [m].
    pub(crate) gap: f64,
}

/// The functions of a step. Of all this, only the assignment outlasts a step and is part of a saved state: [`EventModel::select_active_pairs`] and what follows it find the rest anew.
#[derive(Debug)]
pub(crate) struct ActivePairs {
    pub(crate) assignment: Assignment,
    /// Where the step began that was prepared last [s].
    pub(crate) start: f64,
    pub(crate) selected: Vec<ActivePair>,
    pub(crate) sources: Vec<Source>,
    pub(crate) directions: Vec<Direction>,
    /// Friction left to elastic pairs and their load, at the start of the step, by pair [N].
    pub(crate) margins: Vec<(PairId, f64, f64)>,
    /// The points of rigid pairs that carry nothing, at the start of the step, by pair.
    pub(crate) free: Vec<FreePoint>,
    /// Way to each joint limit at the start of the step [m or rad].
    pub(crate) ways: Vec<f64>,
    pub(crate) samples: usize,
    /// When the first of the pairs touches that samples could pass by [s].
    pub(crate) known_touch: Option<f64>,
    /// Those pairs, with a bound on how fast they come together [m/s].
    fast: Vec<(ActivePair, f64)>,
    motions: Vec<Motion>,
    state: Vec<f64>,
}

/// The motion of a shape over a step.
#[derive(Debug, Clone, Copy)]
struct Motion {
    from: Pose,
    bounds: Aabb,
    /// Largest speed of any of its points [m/s].
    speed: f64,
}

impl ActivePairs {
    pub(crate) fn new(assignment: Assignment) -> Self {
        Self {
            assignment,
            start: 0.0,
            selected: Vec::new(),
            sources: Vec::new(),
            directions: Vec::new(),
            margins: Vec::new(),
            free: Vec::new(),
            ways: Vec::new(),
            samples: MIN_SAMPLES,
            known_touch: None,
            fast: Vec::new(),
            motions: Vec::new(),
            state: Vec::new(),
        }
    }
}

impl EventModel<'_> {
    /// Finds the pairs that may touch during a step.
    pub(crate) fn select_active_pairs(&mut self, step: &Step<'_>) {
        self.follow(step);
        let duration = step.t1 - step.t0;

        // Everything that the boxes allow, and every pair with a half-space.
        let mut pairs: Vec<PairId> = self.model.boxes.pairs().collect();
        pairs.extend(self.model.pairs.half_space_pairs());
        pairs.extend(self.data.discrete.closed.keys());
        pairs.sort_unstable();
        pairs.dedup();
        self.renew_oriented(step.t0, step.y0, &pairs);

        // Gaps at the start, for those that can come together.
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(step.t0, step.y0, &mut scratch.ws);
        let mut selected = std::mem::take(&mut self.data.active_pairs.selected);
        selected.clear();
        let mut fast = std::mem::take(&mut self.data.active_pairs.fast);
        fast.clear();
        let (mut samples, mut asked) = (MIN_SAMPLES, 0);
        for pair in pairs {
            let (a, b) = (pair.a.0 as usize, pair.b.0 as usize);
            let speed = self.data.active_pairs.motions[a].speed + self.data.active_pairs.motions[b].speed;
            let path = SPEED_MARGIN * speed * duration;
            let placed = self.frozen().placed(pair, &scratch.ws);
            let gap = scratch.manifold.gap(&placed, path);
            asked += 1;
            let is_closed = self.data.discrete.closed.contains_key(&pair);
            if gap <= path || is_closed {
                selected.push(ActivePair { pair, gap });
            }
            if gap > path {
                continue;
            }
            // Other points of a rigid pair, and other corners of one that collides by oriented collision, may pass through as well where some are in contact.
            let is_elastic = matches!(self.data.discrete.closed.get(&pair), Some(Closed::Elastic(_)));
            if is_elastic && !placed.is_oriented() {
                continue;
            }
            let thickness = placed.thickness();
            if (!is_closed || placed.is_oriented()) && path > MAX_SAMPLES as f64 * thickness {
                fast.push((ActivePair { pair, gap }, SPEED_MARGIN * speed));
            }
            if thickness > 0.0 {
                samples = samples.max((path / thickness).min(MAX_SAMPLES as f64) as usize);
            }
        }
        (self.data.active_pairs.selected, self.data.active_pairs.fast, self.data.active_pairs.samples) =
            (selected, fast, samples);
        self.model.gaps += asked;
        let mut state = std::mem::take(&mut self.data.active_pairs.state);
        self.data.active_pairs.known_touch = self.first_touch(step, &mut state, scratch);
        self.data.active_pairs.state = state;
    }

    /// Returns the first time at which one of the fast pairs overlaps along the path of the integrator [s].
    fn first_touch(&self, step: &Step<'_>, state: &mut Vec<f64>, scratch: &mut EventScratch) -> Option<f64> {
        state.resize(step.y0.len(), 0.0);
        let mut first = None;
        for &(ActivePair { pair, gap }, speed) in &self.data.active_pairs.fast {
            let resolution = self.frozen().placed(pair, &scratch.ws).path_resolution();
            let to = first.unwrap_or(step.t1);
            let path = GapPath { from: step.t0, to, start_gap: gap, speed, resolution, level: CROSSED };
            let Ok(found) = first_overlap(&path, |t| {
                step.at(t, state);
                self.model.locate_bodies(t, state, &mut scratch.ws);
                let placed = self.frozen().placed(pair, &scratch.ws);
                let gap = placed.free_gap(&mut scratch.manifold.cache);
                Ok::<f64, Infallible>(gap.unwrap_or_else(|error| scratch.manifold.fail(pair, error)))
            });
            // A pair that comes near and stays near is left to the samples.
            if let GapAdvance::Overlap { t, .. } = found {
                first = Some(t);
            }
        }
        first
    }

    /// Moves the boxes of all shapes to cover the step.
    fn follow(&mut self, step: &Step<'_>) {
        let scratch = &mut *self.data.scratch.borrow_mut();
        let mut state = std::mem::take(&mut self.data.active_pairs.state);
        state.resize(step.y0.len(), 0.0);
        let part = (step.t1 - step.t0) / PARTS as f64;
        let mut motions = std::mem::take(&mut self.data.active_pairs.motions);
        for k in 0..=PARTS {
            let t = if k == PARTS { step.t1 } else { step.t0 + part * k as f64 };
            step.at(t, &mut state);
            self.model.locate_bodies(t, &state, &mut scratch.ws);
            for (index, placed) in self.model.shapes.iter().enumerate() {
                // What was removed has a place and no motion.
                if placed.is_removed && index < motions.len() {
                    continue;
                }
                let pose = placed.body.map_or(Pose::identity(), |body| *scratch.ws.pose(body));
                // The turning of a half-space is left to the samples.
                let speed = placed.max_speed(&scratch.ws);
                let bounds = placed.bounds.unwrap_or_else(Aabb::empty);
                if k == 0 {
                    let motion = Motion { from: pose, bounds: bounds.transformed(&pose), speed };
                    if index < motions.len() { motions[index] = motion } else { motions.push(motion) }
                } else {
                    // The bend of the path: an acceleration a leaves a straight line by a h²/8, and a h is the change of speed; room for both directions.
                    let motion = &mut motions[index];
                    let bend = SPEED_MARGIN * part * speed.max(motion.speed) / 8.0;
                    let turning = placed.body.map_or(0.0, |body| scratch.ws.angular_velocity(body).norm());
                    let swept = if SPEED_MARGIN * part * turning < TURNED {
                        motion_box(&bounds, &motion.from, &pose)
                    } else {
                        // Where it ends does not tell how often it went round.
                        let around = Vec3::repeat(placed.reach);
                        let ball = |at: Vec3| Aabb { min: at - around, max: at + around };
                        ball(motion.from.translation()).union(&ball(pose.translation()))
                    };
                    motion.bounds = motion.bounds.union(&swept.expanded(bend));
                    (motion.from, motion.speed) = (pose, motion.speed.max(speed));
                }
            }
        }
        for (index, motion) in motions.iter().enumerate() {
            // Boxes of finite poses are boxes; a run whose numbers overflow ends with an error of the integrator.
            let _ = self.model.boxes.set(index, motion.bounds);
        }
        (self.data.active_pairs.state, self.data.active_pairs.motions) = (state, motions);
    }
}
