//! Time stepping: velocities jump, and steps have one length or follow an estimate of their error ([`control`]).
//!
//! In: a world. Out: the same world some steps later ([`advance`]). A step is made in as many parts as it takes to pass through nothing ([`continuous`]). In each part [`forces::Forces`] finds pairs, contacts and impulses: by friction cones ([`cones`]) or by
//! SiLVIA's gaps ([`silvia`]). Friction cones are solved for a few points of each patch ([`patch`]); those that were left out and are needed come back ([`returning`]). Then it is recorded ([`frames`]).

mod advance;
mod captured_steps;
mod cones;
mod continuous;
mod control;
mod end_overlaps;
mod followed;
mod forces;
mod frames;
mod functions;
mod lasting;
mod measure;
mod patch;
mod path;
mod returning;
mod silvia;
mod sleep;
mod touch;

use serde::{Deserialize, Serialize};
use zerogap_core::{ContactId, Vec3};
use zerogap_dynamics::multibody::{BodyId, Tree, Wrench};
use zerogap_dynamics::step::{ContactPoint, StepInfo, Stepper};
use zerogap_proximity::collider::ColliderCache;

use self::continuous::Unmade;
use self::control::Control;
use self::forces::Forces;
use self::path::StepPath;
use self::returning::KeptPoint;
use self::sleep::{Sleepers, Sleeping};
use crate::world::events::EventKind;
use crate::world::model::Model;
use crate::world::params::NarrowPhase;
use crate::world::placed::PlacedCollider;
use crate::world::shapes::PairId;

pub(super) use self::advance::{StepsState, TimeStepping};
pub(super) use self::captured_steps::CapturedSteps;
pub use self::control::{ErrorControl, MIN_CONTROLLED_STEP};
pub use self::patch::PatchPoints;

/// Usual speed below which bodies are at rest [m/s]: well above what solves leave, well below what one sees.
const SLEEP_SPEED: f64 = 1e-3;

/// What contacts do in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepForces {
    /// Normal force, friction and restitution: exact cones of friction, restitution by Moreau's law.
    #[default]
    Coulomb,
    /// They push as much as keeps bodies from overlapping where the step ends (SiLVIA: Lennerz, Schömer and Warken 1999). No friction, no restitution: those of the materials are not used.
    Silvia,
}

zerogap_core::store_enum!(StepForces { 0 => Coulomb, 1 => Silvia });

/// Settings of time stepping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stepping {
    /// What contacts do.
    pub forces: StepForces,
    /// Length of a step [s], and what [`World::step`](crate::world::World::step) advances by.
    pub step: f64,
    /// Steps whose length follows an estimate of their error, in place of steps of one length. With friction cones alone.
    pub control: Option<ErrorControl>,
    /// Maximum residual of the contact laws in a step [m/s].
    pub tolerance: f64,
    /// How often contacts of curved surfaces that last are searched for halfway through a step [-]: two make bodies that roll on curved ground keep their energy. None takes all contacts at the start of
    /// the step, which costs such bodies energy in the first order of its length, and is quicker.
    pub midpoint_iterations: usize,
    /// How many contact points of a patch friction cones are solved for at first.
    pub patch_points: PatchPoints,
    /// Friction pyramids of so many sides, solved by Lemke's method, in place of round cones: for comparison. With friction cones alone.
    pub cone_sides: Option<usize>,
    /// Bodies that have been at rest for so long, with all that they touch, sleep until something moves them [s]; infinity for never. With friction cones alone.
    pub sleep: f64,
    /// Rest is where no point of a body is faster than this [m/s].
    pub sleep_speed: f64,
    /// What answers bounded convex pairs; not Minkowski portal refinement, which gives one contact point of a pair.
    pub narrow_phase: NarrowPhase,
}

zerogap_core::store_struct!(Stepping {
    forces,
    step,
    control,
    tolerance,
    midpoint_iterations,
    patch_points,
    cone_sides,
    sleep,
    sleep_speed,
    narrow_phase
});

impl Default for Stepping {
    fn default() -> Self {
        Self {
            forces: StepForces::default(),
            step: 1e-3,
            control: None,
            tolerance: 1e-9,
            midpoint_iterations: 0,
            patch_points: PatchPoints::default(),
            cone_sides: None,
            sleep: f64::INFINITY,
            sleep_speed: SLEEP_SPEED,
            narrow_phase: NarrowPhase::default(),
        }
    }
}

/// Work of the contact solver, and the number of unconverged solves.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct SolveCount {
    /// Contact problems solved [-].
    pub solves: usize,
    /// Those that did not converge to the tolerance: the best that was found was used [-].
    #[serde(alias = "missed")]
    pub unconverged: usize,
    /// Sweeps over all contacts [-].
    pub sweeps: usize,
    /// Steps of Newton's method [-].
    pub newton: usize,
    /// Largest residual [m/s].
    pub residual: f64,
}

impl SolveCount {
    /// Adds what a step took.
    fn add(&mut self, info: &StepInfo) {
        self.solves += info.solves;
        self.unconverged += info.unconverged;
        self.sweeps += info.sweeps;
        self.newton += info.newton;
        self.residual = self.residual.max(info.residual);
    }
}

zerogap_core::store_struct!(SolveCount { solves, unconverged, sweeps, newton, residual });

/// A point of contact between steps: its name, where it was, the impulses it had last, and whether it stuck.
#[derive(Debug, Clone, Copy)]
struct Known {
    pair: PairId,
    id: ContactId,
    at: Vec3,
    impulse: Vec3,
    moment: Vec3,
    sticks: bool,
}

zerogap_core::store_struct!(Known { pair, id, at, impulse, moment, sticks });

impl Known {
    fn new((pair, id): (PairId, ContactId), contact: &ContactPoint) -> Self {
        let ContactPoint { at, impulse, moment, sticks, .. } = *contact;
        Self { pair, id, at, impulse, moment, sticks }
    }
}

/// What lasts from step to step.
#[derive(Debug, Clone, Default)]
struct Memory {
    /// Contacts of the last step with their impulses, sorted by pair, and their names.
    contacts: Vec<ContactPoint>,
    names: Vec<(PairId, ContactId)>,
    /// Those that pushed.
    known: Vec<Known>,
    /// Points that were kept of patches that have more, sorted by pair.
    kept: Vec<KeptPoint>,
    /// Force of each limit of a joint [N or N m], where contacts have no friction.
    limits: Vec<f64>,
    /// Pairs that pushed in the last step, sorted.
    pushing: Vec<PairId>,
    /// Length of the last step [s].
    last: f64,
    count: SolveCount,
    steps: usize,
    /// Steps that were tried and rejected, and those of the shortest length that were accepted with too large an error [-].
    rejected: usize,
    unresolved: usize,
    /// How often a step or a half of one was made for all of them [-], where steps follow their error.
    made: usize,
    /// Length with which the next step is tried, where steps follow their error [s]; zero before the first.
    proposal: f64,
    events: usize,
    users: Vec<f64>,
    is_settled: bool,
    sleepers: Sleepers,
}

zerogap_core::store_struct!(Memory {
    contacts,
    names,
    known,
    kept,
    limits,
    pushing,
    last,
    count,
    steps,
    rejected,
    unresolved,
    made,
    proposal,
    events,
    users,
    is_settled,
    sleepers
});

impl Memory {
    /// Becomes another one, in the room that it has.
    fn copy_from(&mut self, other: &Self) {
        let Self {
            contacts,
            names,
            known,
            kept,
            limits,
            pushing,
            users,
            last,
            count,
            steps,
            rejected,
            unresolved,
            made,
            proposal,
            events,
            is_settled,
            sleepers,
        } = self;
        sleepers.copy_from(&other.sleepers);
        contacts.clone_from(&other.contacts);
        names.clone_from(&other.names);
        known.clone_from(&other.known);
        kept.clone_from(&other.kept);
        limits.clone_from(&other.limits);
        pushing.clone_from(&other.pushing);
        users.clone_from(&other.users);
        (*last, *count, *is_settled) = (other.last, other.count, other.is_settled);
        (*steps, *events) = (other.steps, other.events);
        (*rejected, *unresolved) = (other.rejected, other.unresolved);
        (*made, *proposal) = (other.made, other.proposal);
    }

    /// What is left of it for a model with other bodies than that `from` which it comes, at a time [s]; contacts of what was removed end.
    fn carried(&self, from: &Model, model: &mut Model, t: f64, near: &[PairId]) -> Self {
        let sleepers = self.sleepers.carried(from, model, t, near);
        let is_left = |pair: PairId| model.has_live_pair(pair);
        let contacts = self.contacts.iter().zip(&self.names).filter(|(_, (pair, _))| is_left(*pair));
        let (contacts, names) = contacts.unzip();
        // There are none before the first step, and by friction cones.
        let has_limits = !self.limits.is_empty();
        let limits = if has_limits { model.carry_limits(from, &self.limits, 0.0) } else { Vec::new() };
        let known = self.known.iter().copied().filter(|known| is_left(known.pair)).collect();
        let kept = self.kept.iter().copied().filter(|kept| is_left(kept.pair)).collect();
        let (pushing, ended): (Vec<PairId>, Vec<PairId>) =
            self.pushing.iter().partition(|pair| is_left(**pair));
        for pair in ended {
            model.note(t, EventKind::ContactEnd { pair });
        }
        Self { contacts, names, known, kept, limits, pushing, sleepers, users: self.users.clone(), ..*self }
    }

    /// Whether it can be that of a world with these bodies and limits, and with the pairs that are known.
    fn may_be_of(&self, tree: &Tree, is_known: impl Fn(PairId) -> bool) -> bool {
        let is_body = |body: Option<BodyId>| body.is_none_or(|body| (body.0 as usize) < tree.bodies());
        let pairs = self.names.iter().map(|(pair, _)| *pair).chain(self.known.iter().map(|known| known.pair));
        let pairs = pairs.chain(self.kept.iter().map(|kept| kept.pair));
        self.sleepers.may_be_of(tree, &is_known)
            && pairs.chain(self.pushing.iter().copied()).all(is_known)
            && self.contacts.iter().all(|contact| is_body(contact.a) && is_body(contact.b))
            && self.contacts.len() == self.names.len()
            && (self.limits.is_empty() || self.limits.len() == tree.limits().len())
    }
}

/// The impulse that a contact had last; zero where it had none. What is known is sorted by pair.
fn last_impulse(known: &[Known], pair: PairId, id: ContactId) -> Vec3 {
    let first = known.partition_point(|known| known.pair < pair);
    let mut of_pair = known[first..].iter().take_while(|known| known.pair == pair);
    of_pair.find(|known| known.id == id).map_or(Vec3::zeros(), |known| known.impulse)
}

/// Largest undetected penetration of a shape [m]: half its thickness, or the dilation of a complex.
fn thinness(placed: &PlacedCollider) -> f64 {
    let complex = placed.colliders.get(placed.colliders.asked()).as_complex();
    complex.map_or(placed.thickness, |body| placed.thickness.min(body.dilation()))
}

/// What a step that fails restores, or one that has to end earlier than it did.
#[derive(Debug, Default)]
struct Kept {
    memory: Memory,
    /// Complexes that intersected.
    inside: Option<Vec<PairId>>,
}

/// What steps have whichever forces act in them: what lasts from step to step, and memory that every step overwrites.
#[derive(Debug)]
struct Steps {
    params: Stepping,
    stepper: Stepper,
    memory: Memory,
    /// What lasted until the current step.
    kept: Kept,
    /// What lies between the ends of the last step.
    path: StepPath,
    control: Control,
    /// Steps that follow their error have any error at this length [s].
    shortest: f64,
    speeds: Vec<f64>,
    /// Forces of the user and of servos on bodies.
    wrenches: Vec<Wrench>,
    continuous: continuous::ContinuousCollision,
    sleeping: Sleeping,
    /// Memory of questions about pairs on their paths.
    cache: ColliderCache,
    /// The thinnest shape's half thickness, or dilation, and how far any shape reaches from the origin of its body [m].
    thinnest: f64,
    reach: f64,
}

impl Steps {
    fn new(model: &Model, params: Stepping) -> Self {
        let mut stepper = Stepper::new(&model.tree);
        stepper.set_cone_sides(params.cone_sides);
        Self {
            params,
            sleeping: Sleeping::new(&model.tree, stepper.groups()),
            stepper,
            memory: Memory::default(),
            kept: Kept::default(),
            path: StepPath::default(),
            control: Control::new(model),
            shortest: MIN_CONTROLLED_STEP,
            speeds: Vec::new(),
            wrenches: Vec::new(),
            continuous: continuous::ContinuousCollision::default(),
            cache: ColliderCache::default(),
            thinnest: model.shapes.iter().map(thinness).fold(f64::INFINITY, f64::min),
            reach: model
                .shapes
                .iter()
                .map(|placed| placed.reach)
                .filter(|reach| reach.is_finite())
                .fold(0.0, f64::max),
        }
    }

    /// Begins contacts anew: bodies stand elsewhere.
    fn forget_contacts(&mut self) {
        let memory = &mut self.memory;
        memory.contacts.clear();
        memory.names.clear();
        memory.known.clear();
        memory.kept.clear();
        memory.users.clear();
        memory.limits.fill(0.0);
        memory.is_settled = false;
        self.forget_inside();
    }

    /// Keeps what lasts before a step.
    fn keep(&mut self) {
        self.kept.memory.copy_from(&self.memory);
        self.kept.inside.clone_from(&self.continuous.inside);
    }

    /// Takes the last step back: it failed, or has to end earlier.
    fn take_back(&mut self) {
        self.memory.copy_from(&self.kept.memory);
        self.continuous.inside.clone_from(&self.kept.inside);
    }

    /// Makes one step of the state, from a time with a length to its end [s].
    ///
    /// Fails: where numbers overflow, where complexes cannot be kept apart, and where the narrow phase has no answer.
    fn step(
        &mut self,
        forces: &mut dyn Forces,
        model: &mut Model,
        time: (f64, f64, f64),
        y: &mut [f64],
    ) -> Result<(), Unmade> {
        self.path.clear(false);
        let info = self.step_in_parts(forces, model, (time, true), y)?;
        self.memory.count.add(&info);
        self.memory.steps += 1;
        self.fall_asleep(model, (time.2, time.1), y);
        Ok(())
    }

    /// Makes a step, or a part of one.
    fn make_part(
        &mut self,
        forces: &mut dyn Forces,
        model: &mut Model,
        (t, step): (f64, f64),
        y: &mut [f64],
    ) -> Result<StepInfo, Unmade> {
        self.wrenches.clone_from(&model.applied);
        let has_elements = !model.tree.forces().is_empty();
        if !model.servos.is_empty() || has_elements || !model.user_forces.is_empty() {
            let (q, v) = y.split_at(model.tree.positions());
            let ws = self.stepper.locate(&model.tree, t, q, v);
            if has_elements {
                let mut effort = vec![0.0; v.len()];
                model.tree.add_explicit_forces(t, (q, v), ws, &mut self.wrenches, &mut effort);
                model.tree.efforts_as_loads(ws, &effort, &mut self.wrenches);
            }
            model.add_user_forces(t, (q, v), ws, &mut self.wrenches);
            for (body, servo) in &model.servos {
                let wrench = &mut self.wrenches[body.0 as usize];
                servo.hold(*body, (&model.tree, ws), t + step, step, wrench);
            }
        }
        forces.step(self, model, (t, step), y)
    }

    /// Reports the contacts that began and ended with a step as events.
    fn report_events(&mut self, model: &mut Model, t: f64, info: &StepInfo) {
        let before = model.events.len();
        if info.impacts > 0 {
            let (contacts, impulse, loss) = (info.impacts, info.impact_impulse, info.impact_loss);
            model.note(t, EventKind::Impact { contacts, impulse, loss });
        }
        // Both lists are sorted.
        let known = &self.memory.known;
        let is_pushing = |pair: &PairId| known.binary_search_by_key(pair, |known| known.pair).is_ok();
        for pair in &self.memory.pushing {
            if !is_pushing(pair) {
                model.note(t, EventKind::ContactEnd { pair: *pair });
            }
        }
        for (k, now) in known.iter().enumerate() {
            let is_first = k == 0 || known[k - 1].pair != now.pair;
            if is_first && self.memory.pushing.binary_search(&now.pair).is_err() {
                let approach = self.approach(now.pair);
                model.note(t, EventKind::ContactBegin { pair: now.pair, approach });
            }
        }
        self.memory.pushing.clear();
        self.memory.pushing.extend(known.iter().map(|known| known.pair));
        self.memory.pushing.dedup();
        self.memory.events += usize::from(model.events.len() > before);
    }
}
