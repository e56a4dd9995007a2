//! Steps in which something could pass through something else: they are made in parts that end where it touches.
//!
//! In: a part of a step that was made, and the pairs that moved by more than they are thick, whose contacts were left out of it. Out: the fraction of the part after which the first of them touches. The path
//! is searched by conservative advancement ([`first_overlap`]).
//! A contact far ahead of a fast body would stop it at a plane that it never reaches, or miss the one that it does; so it has none until it is there.

use zerogap_core::Vec3;
use zerogap_dynamics::multibody::Workspace;
use zerogap_dynamics::step::StepInfo;
use zerogap_proximity::motion::{GapAdvance, GapPath, PATH_RESOLUTION, first_overlap};

use super::forces::Forces;
use super::returning::KeptPoint;
use super::touch::NEAR;
use super::{Known, Steps};
use crate::world::WorldError;
use crate::world::model::Model;
use crate::world::pair_contacts::{ContactWork, NarrowPhaseFailure};
use crate::world::placed::{PlacedCollider, SPEED_MARGIN};
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// A pair is fast when it moves by more than this many times half the thickness of the thinner shape within a step [-].
const FAST: f64 = 2.0;
/// Samples of a path, against the resolution from which on fast pairs have contacts [-]: they are not missed before that.
const SAMPLES_PER_RESOLUTION: f64 = 2.0;
/// A part that ends where fast pairs overlap is not shorter than this fraction of the time until then [-].
const MIN_CUT: f64 = 0.25;
/// Parts of a step at most, where it is cut for pairs that are fast [-]; the last one is made with all contacts there are, however far away.
const MOST_PARTS: usize = 512;
/// Parts of a step at most, where it is cut for complexes [-]: a body at 10 m/s that is kept 40 µm away takes 6,000 in a step of 20 ms. More of them end the run, since they would pass through each other otherwise.
const MOST_COMPLEX_PARTS: usize = 65_536;
/// A part after one that was cut for complexes begins with so many times its length at most [-].
const LONGER: f64 = 2.0;
/// Complexes may move by this fraction of their distance within a part [-].
const BUDGET: f64 = 0.9;
/// A part at whose end complexes intersect is made anew with this fraction of its length, or with more where that is sure [-].
const HALF: f64 = 0.5;
/// A part that is made anew is shorter than it must be by this factor [-]: velocities at its end will be a little different.
const SHORTER: f64 = 0.9;
/// How often a part is made anew because bodies left it faster than they came [-].
const MOST_AGAIN: usize = 4;

/// A pair that could pass through each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fast {
    pub(super) pair: PairId,
    /// How fast it comes together at most [m/s].
    pub(super) speed: f64,
}

/// How far two complexes are apart, which is how far they may move against each other: their contacts mean nothing once they intersect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Budget {
    pub(super) pair: PairId,
    /// At the start of the part [m]; zero where they intersect already.
    pub(super) distance: f64,
}

impl Budget {
    /// That of a pair of complexes, with the contacts that were found; none where they intersect and have contacts all the same.
    pub(super) fn of(pair: PairId, found: &ContactWork) -> Option<Self> {
        let has_depth = found.set.base_distance.is_none() && !found.contacts.is_empty();
        (!has_depth).then(|| Self { pair, distance: found.set.base_distance.unwrap_or(0.0) })
    }
}

/// Fast pairs of the current part of a step, and what it started from.
#[derive(Debug, Clone, Default)]
pub(super) struct ContinuousCollision {
    pub(super) fast: Vec<Fast>,
    pub(super) budgets: Vec<Budget>,
    /// Complexes that intersected where the last part began, sorted: at the start of a run a user may ask for that, later none may begin to. None before the first part.
    pub(super) inside: Option<Vec<PairId>>,
    /// How many times as long the current part could be for its complexes [-].
    room: f64,
    /// The longest part in which no pair that touches has separated at its end [s]: distances at the end say nothing about those.
    longest: f64,
    /// Whether fast pairs are left out of the contacts.
    pub(super) is_off: bool,
    /// Speeds of shapes that are known to be reached within the part [m/s]; empty where none are.
    pub(super) reached: Vec<f64>,
    pub(super) state: Vec<f64>,
    known: Vec<Known>,
    kept: Vec<KeptPoint>,
    limits: Vec<f64>,
    last: f64,
    is_settled: bool,
    shift: Vec<f64>,
    /// How fast each pair of complexes with a budget comes together at most [m/s].
    speeds: Vec<f64>,
    /// Memory of questions about complexes at the end of a part.
    work: ContactWork,
}

/// How fast any two points of two shapes move against each other at most [m/s].
fn closing_speed(a: &PlacedCollider, b: &PlacedCollider, ws: &Workspace) -> f64 {
    let linear = |placed: &PlacedCollider| placed.body.map_or(Vec3::zeros(), |body| ws.linear_velocity(body));
    let turning = |placed: &PlacedCollider| match placed.body {
        Some(body) if placed.reach.is_finite() => ws.angular_velocity(body).norm() * placed.reach,
        _ => 0.0,
    };
    (linear(b) - linear(a)).norm() + turning(a) + turning(b)
}

impl ContinuousCollision {
    /// Forgets the pairs of the part before.
    pub(super) fn begin(&mut self) {
        self.fast.clear();
        self.budgets.clear();
        self.longest = f64::INFINITY;
    }

    /// Takes note of a pair that touches and is fast [m/s].
    pub(super) fn limit(&mut self, a: &PlacedCollider, b: &PlacedCollider, speed: f64) {
        self.longest = self.longest.min(a.path_resolution(b) / (PATH_RESOLUTION * speed));
    }
}

/// Whether a pair that moves by a displacement [m] could pass through each other.
pub(super) fn is_fast(a: &PlacedCollider, b: &PlacedCollider, way: f64) -> bool {
    way > FAST * a.thickness.min(b.thickness)
}

/// Why a step could not be made.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Unmade {
    /// Numbers are out of range.
    Overflow,
    /// Complexes intersect.
    Intersecting(PairId),
    /// No number of parts that one would wait for keeps complexes apart.
    TooManyParts(PairId),
    /// The narrow phase has no answer for a pair.
    NarrowPhase(NarrowPhaseFailure),
}

impl From<NarrowPhaseFailure> for Unmade {
    fn from(failure: NarrowPhaseFailure) -> Self {
        Self::NarrowPhase(failure)
    }
}

impl Unmade {
    /// As an error of a step that began at a time [s], and led to a value that is no number where there is one.
    pub(super) fn at(self, time: f64, value: Option<f64>) -> WorldError {
        match self {
            Self::Overflow => WorldError::Overflow { time, value: value.unwrap_or(f64::NAN) },
            Self::Intersecting(pair) => WorldError::Intersecting { t: time, pair },
            Self::TooManyParts(pair) => WorldError::TooManyParts { t: time, pair, parts: MOST_COMPLEX_PARTS },
            Self::NarrowPhase(failure) => failure.at(time),
        }
    }
}

/// Why a part is made anew with another length.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cut {
    /// Complexes would move too far [s].
    Budget(f64),
    /// A fast pair touches, or has separated at the end [s].
    Fast(f64),
}

impl Steps {
    /// Makes a step, or one half of one where it is not whole or does not end it, from a time with a length to its end [s], in as many parts as continuous collision needs; adds it to the path.
    ///
    /// Fails: where numbers overflow, where complexes cannot be kept apart, and where the narrow phase has no answer; the state is then that of some part.
    pub(super) fn step_in_parts(
        &mut self,
        forces: &mut dyn Forces,
        model: &mut Model,
        ((start, step, step_end), is_whole): ((f64, f64, f64), bool),
        y: &mut [f64],
    ) -> Result<StepInfo, Unmade> {
        // Where the length of steps follows their error, impacts are at the start of what they are found in.
        let is_controlled = self.params.control.is_some();
        let mut all: Option<StepInfo> = None;
        let (mut t, mut left, mut part, mut again) = (start, step, step, 0);
        // Parts that were tried for the sake of fast pairs, and those that were kept for the sake of complexes.
        let (mut tries, mut kept, mut is_cut) = (0, 0, false);
        self.continuous.is_off = false;
        self.continuous.reached.clear();
        loop {
            self.save(y);
            // A part that was cut for complexes is no try of what is fast.
            tries += usize::from(!is_cut);
            self.continuous.is_off |= tries > MOST_PARTS;
            let mut info = self.make_part(forces, model, (t, part), y)?;
            if self.control.rejects(&info) {
                info.early = info.early.map(|early| early + (t - start));
                return Ok(all.map_or(info, |all| all.and(&info)));
            }
            self.refuse_inside()?;
            // Nothing is sure about what was on the way of such a part.
            info.unconverged += usize::from(self.continuous.is_off);
            // Bodies that were struck may go farther than was looked.
            let may_repeat = !self.continuous.is_off && again < MOST_AGAIN;
            // The check of the end is made in any case: what it finds is corrected where the part is kept.
            let is_repeated = if may_repeat && self.is_faster(model, (t, part), y) {
                true
            } else {
                forces.has_missed_contacts(self, model, (t, part), y)? && may_repeat
            };
            if is_repeated {
                again += 1;
                self.restore(y);
                continue;
            }
            match self.cut(forces, model, (t, part), y)? {
                Some(Cut::Budget(shorter)) => {
                    (part, is_cut) = (shorter, true);
                    self.restore(y);
                    continue;
                }
                Some(Cut::Fast(shorter)) => {
                    (part, is_cut) = (shorter, false);
                    self.restore(y);
                    continue;
                }
                None => {}
            }
            let corrected = forces.correct_end(self, model, t + part, y)?;
            info.sweeps += corrected.sweeps;
            info.newton += corrected.newton;
            // What meets at the start of a part was found there; what meets in a whole step is told at its end.
            let is_last = left - part <= f64::EPSILON * step;
            let end = if is_last { step_end } else { t + part };
            let when = if all.is_none() && !is_controlled { end } else { t };
            self.report_events(model, when, &info);
            // An impact acts at the start of its part.
            let is_struck = info.impacts > 0;
            self.path.launch(is_struck.then(|| self.stepper.start_velocities()));
            if is_controlled {
                info.early = info.early.map(|early| early + (t - start));
            }
            if is_last && is_whole {
                self.path.finish(is_struck);
            } else {
                self.path.push(end, y, is_struck, &self.memory);
            }
            all = Some(all.map_or(info, |all| all.and(&info)));
            (t, left, again) = (end, left - part, 0);
            self.continuous.reached.clear();
            self.note_inside();
            if is_last {
                break;
            }
            if is_cut {
                kept += 1;
                if kept >= MOST_COMPLEX_PARTS
                    && let Some(pair) = self.nearest_complexes()
                {
                    return Err(Unmade::TooManyParts(pair));
                }
                // All that is left would be cut again, part after part: as long as this one could have been.
                part = left.min(part * (SHORTER * self.continuous.room).clamp(SHORTER, LONGER));
                is_cut = part < left;
            } else {
                part = left;
            }
        }
        all.ok_or(Unmade::Overflow)
    }

    /// The length at which a part that was made has to be made anew; none where it can be kept. The budget of complexes holds whatever is fast: without it they fall through each other.
    fn cut(
        &mut self,
        forces: &dyn Forces,
        model: &Model,
        (t, part): (f64, f64),
        y: &[f64],
    ) -> Result<Option<Cut>, NarrowPhaseFailure> {
        if !self.continuous.is_off && part > self.continuous.longest {
            return Ok(Some(Cut::Fast(self.continuous.longest)));
        }
        if let Some(fraction) = self.within_budget(model, (t, part), y)? {
            return Ok(Some(Cut::Budget(part * fraction)));
        }
        if self.continuous.is_off {
            return Ok(None);
        }
        Ok(self.first_touch(forces, model, (t, part), y)?.map(|fraction| Cut::Fast(part * fraction)))
    }

    /// Refuses complexes that intersect where a part begins and did not before.
    fn refuse_inside(&self) -> Result<(), Unmade> {
        let Some(inside) = &self.continuous.inside else { return Ok(()) };
        let mut now = self.continuous.budgets.iter().filter(|budget| budget.distance <= 0.0);
        let new = now.find(|budget| inside.binary_search(&budget.pair).is_err());
        new.map_or(Ok(()), |budget| Err(Unmade::Intersecting(budget.pair)))
    }

    /// Forgets which complexes intersected: the state is another one.
    pub(super) fn forget_inside(&mut self) {
        self.continuous.inside = None;
    }

    /// Takes note of the complexes that intersected where a part that is kept began.
    fn note_inside(&mut self) {
        let ContinuousCollision { inside, budgets, .. } = &mut self.continuous;
        let inside = inside.get_or_insert_default();
        // Those of which nothing was asked, since they sleep, intersect as before.
        let sleepers = &self.memory.sleepers;
        inside.retain(|pair| sleepers.has_pair(*pair));
        inside.extend(budgets.iter().filter(|budget| budget.distance <= 0.0).map(|budget| budget.pair));
        inside.sort_unstable();
    }

    /// The complexes that were nearest to each other where the part began, of those that are apart.
    fn nearest_complexes(&self) -> Option<PairId> {
        let apart = self.continuous.budgets.iter().filter(|budget| budget.distance > 0.0);
        apart.min_by(|one, other| one.distance.total_cmp(&other.distance)).map(|budget| budget.pair)
    }

    /// Keeps what a part starts from; its contacts are found anew.
    fn save(&mut self, y: &[f64]) {
        let (saved, memory) = (&mut self.continuous, &self.memory);
        saved.state.clear();
        saved.state.extend_from_slice(y);
        saved.known.clone_from(&memory.known);
        saved.kept.clone_from(&memory.kept);
        saved.limits.clone_from(&memory.limits);
        (saved.last, saved.is_settled) = (memory.last, memory.is_settled);
    }

    fn restore(&mut self, y: &mut [f64]) {
        let (saved, memory) = (&self.continuous, &mut self.memory);
        y.copy_from_slice(&saved.state);
        memory.known.clone_from(&saved.known);
        memory.kept.clone_from(&saved.kept);
        memory.limits.clone_from(&saved.limits);
        (memory.last, memory.is_settled) = (saved.last, saved.is_settled);
    }

    /// Whether a body that is thin against its displacement left the part faster than it came, so that the part has to be searched with wider boxes; notes how fast.
    fn is_faster(&mut self, model: &Model, (t, part): (f64, f64), y: &[f64]) -> bool {
        let (q, v) = y.split_at(model.tree.positions());
        let fastest = v.iter().fold(0.0, |fastest: f64, x| fastest.max(x.abs()));
        let way = 3.0 * part * fastest * (1.0 + self.reach);
        if way <= FAST * self.thinnest {
            return false;
        }
        let falling = model.tree.gravity().norm() * part * part;
        let ws = self.stepper.locate_end(&model.tree, t + part, q, v);
        let continuous = &mut self.continuous;
        continuous.reached.resize(model.shapes.len(), 0.0);
        let mut is_any = false;
        for (index, placed) in model.shapes.iter().enumerate() {
            let speed = placed.max_speed(ws);
            let known = self.speeds[index].max(continuous.reached[index]);
            // What gravity does was looked for.
            let looked = SPEED_MARGIN * known * part + falling + NEAR * placed.size;
            if speed * part > looked.max(FAST * self.thinnest) {
                continuous.reached[index] = speed;
                is_any = true;
            }
        }
        is_any
    }

    /// The fraction of a part with which it is made anew for the sake of complexes, where it is; notes how much longer it could be.
    ///
    /// Complexes that move by less than their distance stay apart. Those that move farther, but by less than they are thick, do not pass through each other: they are asked where the part ends, and it is halved
    /// where they intersect there.
    fn within_budget(
        &mut self,
        model: &Model,
        (t, part): (f64, f64),
        y: &[f64],
    ) -> Result<Option<f64>, NarrowPhaseFailure> {
        self.continuous.room = f64::INFINITY;
        if self.continuous.budgets.is_empty() {
            return Ok(None);
        }
        let Self { stepper, continuous, .. } = self;
        let positions = model.tree.positions();
        let of_pair = |pair: PairId| (&model.shapes[pair.a.0 as usize], &model.shapes[pair.b.0 as usize]);
        let apart = continuous.budgets.iter().filter(|budget| budget.distance > 0.0);
        // The way of a part is that of a mean of the velocities at its ends.
        continuous.speeds.clear();
        continuous.speeds.resize(apart.clone().count(), 0.0);
        for (state, time) in [(&continuous.state[..], t), (y, t + part)] {
            let (q, v) = state.split_at(positions);
            let ws = stepper.locate_end(&model.tree, time, q, v);
            for (speed, budget) in continuous.speeds.iter_mut().zip(apart.clone()) {
                let (a, b) = of_pair(budget.pair);
                *speed = speed.max(closing_speed(a, b, ws));
            }
        }
        // The poses are those of the end now.
        let ws = stepper.located_end();
        let (mut room, mut fraction) = (f64::INFINITY, 1.0_f64);
        for (speed, Budget { pair, distance }) in continuous.speeds.iter().zip(apart) {
            let of_distance = BUDGET * distance / (part * speed);
            if of_distance >= 1.0 {
                room = room.min(of_distance);
                continue;
            }
            let placed = PlacedPair::new(&model.shapes, *pair, ws);
            let of_thickness = placed.half_thickness() / (part * speed);
            if of_thickness < 1.0 {
                fraction = fraction.min(SHORTER * of_distance.max(of_thickness));
            } else {
                placed.contacts(0.0, &mut continuous.work);
                if let Some(failure) = continuous.work.failure.take() {
                    return Err(failure);
                }
                if continuous.work.set.base_distance.is_none() {
                    fraction = fraction.min((SHORTER * of_distance).max(HALF));
                }
            }
        }
        if fraction < 1.0 {
            return Ok(Some(fraction));
        }
        // Those that were asked where the part ends may try a longer one.
        continuous.room = room;
        Ok(None)
    }

    /// The fraction of a part after which a fast pair is close to touching; none where none touches.
    fn first_touch(
        &mut self,
        forces: &dyn Forces,
        model: &Model,
        (t, part): (f64, f64),
        y: &[f64],
    ) -> Result<Option<f64>, NarrowPhaseFailure> {
        if self.continuous.fast.is_empty() {
            return Ok(None);
        }
        self.continuous.shift.clear();
        let end = &y[model.tree.positions()..];
        forces.displacement(&self.stepper, end, part, &mut self.continuous.shift);
        let Self { stepper, continuous, cache, .. } = self;
        let (q, v) = continuous.state.split_at(model.tree.positions());
        let mut first: Option<f64> = None;
        for Fast { pair, speed } in &continuous.fast {
            let mut gap_at = |fraction: f64| {
                let along = (continuous.shift.as_slice(), fraction);
                let ws = stepper.locate_along(&model.tree, t + fraction * part, (q, v), along);
                let gap = PlacedPair::new(&model.shapes, *pair, ws).gap(f64::INFINITY, cache);
                gap.map_err(|error| NarrowPhaseFailure { pair: *pair, error })
            };
            let (a, b) = (&model.shapes[pair.a.0 as usize], &model.shapes[pair.b.0 as usize]);
            let path = GapPath {
                from: 0.0,
                // The end of the part belongs to it.
                to: first.unwrap_or(1.0).next_up(),
                start_gap: gap_at(0.0)?,
                speed: speed * part,
                resolution: a.path_resolution(b) / SAMPLES_PER_RESOLUTION,
                level: 0.0,
            };
            if let GapAdvance::Overlap { before, t } = first_overlap(&path, gap_at)? {
                first = Some(before.max(MIN_CUT * t));
            }
        }
        Ok(first)
    }
}
