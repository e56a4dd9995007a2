//! All that a world is made of but its state and what its method keeps: bodies, shapes, pairs, forces of the user, and what was recorded.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use zerogap_contact::material::{MaterialPair, PairProperties};
use zerogap_dynamics::multibody::{BodyId, Tree, Workspace, Wrench};
use zerogap_proximity::collider::ColliderCache;

use super::boxes::ShapeBoxes;
use super::events::{Event, EventKind};
use super::frames::Recorder;
use super::pair_contacts::ContactWork;
use super::params::{ContactModel, PairTable};
use super::placed::PlacedCollider;
use super::servo::Servo;
use super::shapes::{PairId, ShapeId};
use super::summary::StageTimes;
use super::user::{EventFunction, ForceFunction};

/// Quaternions off length one by less than this stay as they are [-]: equations of motion use them normalised anyhow.
const LENGTH: f64 = 1e-12;

/// All that a world is made of but its state.
pub(crate) struct Model {
    pub(crate) tree: Tree,
    /// Names of all bodies that were added, by number.
    pub(crate) names: Vec<String>,
    /// The bodies that there are, ascending.
    pub(crate) bodies: Arc<[BodyId]>,
    /// When the others were removed [s].
    pub(crate) removed: BTreeMap<BodyId, f64>,
    pub(crate) shapes: Vec<PlacedCollider>,
    pub(crate) pairs: PairTable,
    pub(crate) contact: ContactModel,
    pub(crate) boxes: ShapeBoxes,
    /// Gaps computed so far [-].
    pub(crate) gaps: usize,
    /// Forces of the user on bodies.
    pub(crate) applied: Vec<Wrench>,
    pub(crate) users: Vec<EventFunction>,
    /// Forces of the user as functions of time and state.
    pub(crate) user_forces: Vec<ForceFunction>,
    /// When one of them last had a load that is not finite [s], and on which body.
    pub(crate) infinite_force: Cell<Option<(f64, BodyId)>>,
    pub(crate) servos: Vec<(BodyId, Servo)>,
    /// Bodies without inertia and weight, ascending.
    pub(crate) kinematic: Vec<BodyId>,
    /// Scheduled times, sorted [s].
    pub(crate) scheduled: Vec<f64>,
    /// The next time at which a clock calls a controller, where a step ends [s].
    pub(crate) tick: f64,
    pub(crate) events: Vec<Event>,
    pub(crate) recorder: Option<Recorder>,
    /// Exact gaps computed to build the world [-].
    pub(crate) start_gaps: usize,
    pub(crate) scratch: RefCell<Scratch>,
    /// Memory of gaps that the user asks for, apart from that of runs: event functions ask in the middle of a step.
    pub(crate) gap_cache: RefCell<ColliderCache>,
    /// Reported, never used.
    pub(crate) times: RefCell<StageTimes>,
}

/// Memory that every use overwrites.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) ws: Workspace,
    pub(crate) manifold: ContactWork,
}

impl Scratch {
    pub(crate) fn new(tree: &Tree) -> Self {
        Self { ws: tree.workspace(), manifold: ContactWork::default() }
    }
}

/// The parts of a state.
pub(crate) struct Parts<'a> {
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
    pub(crate) deflections: &'a [f64],
}

impl Model {
    /// The parts of a state.
    pub(crate) fn parts<'a>(&self, y: &'a [f64]) -> Parts<'a> {
        let (q, rest) = y.split_at(self.tree.positions());
        let (v, deflections) = rest.split_at(self.tree.velocities());
        Parts { q, v, deflections }
    }

    /// Where all bodies are and how they move.
    pub(crate) fn locate_bodies(&self, t: f64, y: &[f64], ws: &mut Workspace) {
        let Parts { q, v, .. } = self.parts(y);
        self.tree.update(t, q, v, ws);
    }

    /// What the materials of a pair do to each other.
    pub(crate) fn properties(&self, pair: PairId) -> &PairProperties {
        &self.material_pair(pair).properties
    }

    /// The same with their stiffness.
    pub(crate) fn material_pair(&self, pair: PairId) -> &MaterialPair {
        let shape = |shape: ShapeId| &self.shapes[shape.0 as usize];
        self.pairs.of(shape(pair.a), shape(pair.b))
    }

    /// Whether a body has neither inertia nor weight.
    pub(crate) fn is_kinematic(&self, body: BodyId) -> bool {
        self.kinematic.binary_search(&body).is_ok()
    }

    /// Whether a pair is one of shapes that there are, in order.
    pub(crate) fn has_live_pair(&self, pair: PairId) -> bool {
        let is_there = |shape: ShapeId| !self.shapes[shape.0 as usize].is_removed;
        self.has_pair(pair) && is_there(pair.a) && is_there(pair.b)
    }

    /// Whether a pair is one of shapes that there are or were, in order.
    pub(crate) fn has_pair(&self, pair: PairId) -> bool {
        pair.a < pair.b && (pair.b.0 as usize) < self.shapes.len()
    }

    /// The size of the smaller shape of a pair [m].
    pub(crate) fn pair_size(&self, pair: PairId) -> f64 {
        self.shapes[pair.a.0 as usize].size.min(self.shapes[pair.b.0 as usize].size)
    }

    /// Records an event.
    pub(crate) fn note(&mut self, t: f64, what: EventKind) {
        self.events.push(Event { t, what });
    }

    /// Passes a jump of prescribed velocities that is due; whether there was one.
    pub(crate) fn pass_jump(&mut self, t: f64, y: &mut [f64]) -> bool {
        if t < self.tree.next_jump() {
            return false;
        }
        let (q, rest) = y.split_at_mut(self.tree.positions());
        let v = &mut rest[..self.tree.velocities()];
        let ws = &mut self.scratch.get_mut().ws;
        self.tree.pass_jump(t, q, v, ws);
        self.tree.project(t, q, v, ws);
        true
    }

    /// Corrects the lengths of quaternions and the loops of a state; returns whether it changed.
    pub(crate) fn correct_joints(&self, t: f64, y: &mut [f64], ws: &mut Workspace) -> bool {
        let positions = self.tree.positions();
        let velocities = self.tree.velocities();
        let mut is_changed = false;
        if self.tree.length_error(&y[..positions]) > LENGTH {
            self.tree.normalise(&mut y[..positions]);
            is_changed = true;
        }
        if self.tree.loop_rows() > 0 {
            let (q, rest) = y.split_at_mut(positions);
            self.tree.project(t, q, &mut rest[..velocities], ws);
            is_changed = true;
        }
        is_changed
    }
}
