//! The equations of motion of a world with its discrete state frozen.
//!
//! In: time and state `[positions | velocities | bristle deflections of sticking pairs]`. Out: its derivative. Everything here takes `&self`: evaluation leaves no trace
//! but in memory that the next one overwrites.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use zerogap_contact::material::{MaterialPair, PairProperties};
use zerogap_dynamics::integrate::System;
use zerogap_dynamics::multibody::{BodyId, Tree, Workspace, Wrench};

use super::active_pairs::ActivePairs;
use super::boxes::ShapeBoxes;
use super::discrete::{Closed, Discrete, Mode};
use super::elastic::{ElasticState, LoadedPoint, Memory, Velocities, add_pair_forces};
use super::elastic_friction::{Friction, STATES};
use super::events::{Event, EventKind};
use super::frames::{ContactPoint, Recorder};
use super::pair_contacts::ContactWork;
use super::params::{ContactModel, PairTable};
use super::placed::PlacedCollider;
use super::placed_pair::PlacedPair;
use super::rigid::constraints::ConstraintSet;
use super::rigid::points::frozen;
use super::servo::Servo;
use super::shapes::{PairId, ShapeId};
use super::summary::StageTimes;
use super::user::EventFunction;

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
    /// Of event location alone, with the discrete state.
    pub(crate) active_pairs: ActivePairs,
    pub(crate) discrete: Discrete,
    /// Forces of the user on bodies.
    pub(crate) applied: Vec<Wrench>,
    pub(crate) users: Vec<EventFunction>,
    pub(crate) servos: Vec<(BodyId, Servo)>,
    /// Scheduled times, sorted [s].
    pub(crate) scheduled: Vec<f64>,
    pub(crate) events: Vec<Event>,
    pub(crate) is_stopped: bool,
    /// The step to try first after contacts that have just begun [s].
    pub(crate) first_step: Option<f64>,
    pub(crate) recorder: Option<Recorder>,
    /// By how much more than their friction rigid pairs may ask for before they break away [-].
    pub(crate) breakaway_tolerance: f64,
    /// Exact gaps computed to build the world [-].
    pub(crate) start_gaps: usize,
    pub(crate) scratch: RefCell<Scratch>,
}

/// Memory that every evaluation overwrites, and clocks.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) ws: Workspace,
    wrenches: Vec<Wrench>,
    effort: Vec<f64>,
    pub(crate) acceleration: Vec<f64>,
    /// A row over all velocities, zero between uses, and what it moves.
    pub(crate) row: Vec<f64>,
    pub(crate) moved: Vec<f64>,
    pub(crate) elastic: Vec<(PairId, ElasticState)>,
    pub(crate) constraints: ConstraintSet,
    pub(crate) manifold: ContactWork,
    /// Points of a pair that carry load.
    loaded: Vec<LoadedPoint>,
    /// Points of elastic pairs with their forces, by pair, while they are requested: evaluations for the integrator do not.
    pub(crate) contact_points: Option<Vec<ContactPoint>>,
    pub(crate) times: StageTimes,
}

impl Scratch {
    pub(crate) fn new(tree: &Tree) -> Self {
        Self {
            ws: tree.workspace(),
            wrenches: vec![Wrench::default(); tree.bodies()],
            effort: vec![0.0; tree.velocities()],
            acceleration: vec![0.0; tree.velocities()],
            row: Vec::new(),
            moved: Vec::new(),
            elastic: Vec::new(),
            constraints: ConstraintSet::default(),
            manifold: ContactWork::default(),
            loaded: Vec::new(),
            contact_points: None,
            times: StageTimes::default(),
        }
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
    pub(crate) fn locate_bodies(&self, t: f64, y: &[f64], scratch: &mut Scratch) {
        let Parts { q, v, .. } = self.parts(y);
        self.tree.update(t, q, v, &mut scratch.ws);
    }

    /// Forces, and accelerations as if nothing constraints.
    pub(crate) fn free_acceleration(&self, t: f64, y: &[f64], scratch: &mut Scratch) {
        let start = Instant::now();
        self.locate_bodies(t, y, scratch);
        let located = Instant::now();
        let Parts { q, v, deflections } = self.parts(y);
        let Scratch {
            ws,
            wrenches,
            effort,
            acceleration,
            elastic,
            manifold,
            loaded,
            contact_points,
            times,
            ..
        } = scratch;

        // Forces of the user and of compliant pairs.
        wrenches.copy_from_slice(&self.applied);
        for (body, servo) in &self.servos {
            servo.hold(*body, (&self.tree, ws), t, 0.0, &mut wrenches[body.0 as usize]);
        }
        elastic.clear();
        if let Some(contact_points) = contact_points {
            contact_points.clear();
        }
        for (&pair, closed) in &self.discrete.closed {
            if let Closed::Elastic(closed) = closed {
                let placed = self.placed(pair, ws);
                let velocities = Velocities::new(&placed, ws);
                let properties = self.properties(pair);
                let memory = Memory { manifold, loaded, contact_points: contact_points.as_mut() };
                let state =
                    add_pair_forces(&placed, closed, properties, deflections, &velocities, memory, wrenches);
                elastic.push((pair, state));
            }
        }
        let forces_known = Instant::now();

        // The tree's answer to them.
        self.tree.joint_efforts(q, v, effort);
        self.tree.acceleration(ws, wrenches, effort, acceleration);
        times.dynamics += (located - start) + forces_known.elapsed();
        times.narrow += forces_known - located;
    }

    /// Forces and accelerations: after this `scratch` holds all that is known about the instant.
    pub(crate) fn evaluate(&self, t: f64, y: &[f64], scratch: &mut Scratch) {
        self.free_acceleration(t, y, scratch);
        let start = Instant::now();
        let Scratch { ws, acceleration, constraints, manifold, times, .. } = scratch;
        constraints.clear();
        self.constrain(self.parts(y).v, ws, manifold, constraints);
        if !constraints.is_empty() {
            constraints.solve(&self.tree, ws, acceleration);
        }
        times.holding += start.elapsed();
    }

    /// Collects what holds.
    pub(crate) fn constrain(
        &self,
        v: &[f64],
        ws: &Workspace,
        manifold: &mut ContactWork,
        constraints: &mut ConstraintSet,
    ) {
        constraints.add_loops(&self.tree, ws);
        for number in (0..self.discrete.is_active.len()).filter(|number| self.discrete.is_active[*number]) {
            constraints.add_limit(&self.tree, number, v[self.tree.limits()[number].v_index]);
        }
        for (&pair, closed) in &self.discrete.closed {
            let Closed::Rigid(points) = closed else { continue };
            let friction = self.properties(pair).friction;
            frozen(&self.shapes, pair, points, ws, manifold, |k, point| {
                let mode = points[k].mode;
                if mode != Mode::Touch {
                    constraints.add_point(&self.tree, ws, point, (k, mode, friction));
                }
            });
        }
    }

    /// A pair at the poses of a workspace, with its history.
    pub(crate) fn placed(&self, pair: PairId, ws: &Workspace) -> PlacedPair<'_> {
        PlacedPair::new(&self.shapes, pair, ws).with_history(self.discrete.oriented_histories.get(&pair))
    }

    /// What the materials of a pair do to each other.
    pub(crate) fn properties(&self, pair: PairId) -> &PairProperties {
        &self.material_pair(pair).properties
    }

    /// The same with their stiffness.
    pub(crate) fn material_pair(&self, pair: PairId) -> &MaterialPair {
        let material = |shape: ShapeId| self.shapes[shape.0 as usize].material;
        self.pairs.of(material(pair.a), material(pair.b))
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
}

impl System for Model {
    fn len(&self) -> usize {
        self.tree.positions() + self.tree.velocities() + STATES * self.discrete.sticking
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let scratch = &mut *self.scratch.borrow_mut();
        scratch.manifold.failure = None;
        self.evaluate(t, y, scratch);
        // A trial without an answer of the narrow phase is rejected; a shorter step may have one.
        if scratch.manifold.failure.is_some() {
            dy.fill(f64::NAN);
            return;
        }
        let Parts { q, v, .. } = self.parts(y);
        let (dq, rest) = dy.split_at_mut(q.len());
        let (dv, deflection_rates) = rest.split_at_mut(v.len());
        self.tree.position_derivative(q, v, dq);
        dv.copy_from_slice(&scratch.acceleration);

        // The bristles of a sticking pair deflect at its sliding velocity.
        for (pair, state) in &scratch.elastic {
            if let Some(Closed::Elastic(closed)) = self.discrete.closed.get(pair)
                && let Friction::Stick(place) = closed.friction
            {
                let rate = &mut deflection_rates[place * STATES..][..STATES];
                rate[..3].copy_from_slice(state.sliding.velocity.as_slice());
                rate[3] = state.sliding.spin;
            }
        }
    }
}
