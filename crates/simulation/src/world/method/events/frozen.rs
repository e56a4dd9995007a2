//! The equations of motion of a world with its discrete state frozen.
//!
//! In: time and state `[positions | velocities | bristle deflections of sticking pairs]`. Out: its derivative. Everything here takes `&self`: evaluation leaves no trace
//! but in memory that the next one overwrites.

use std::cell::RefCell;
use std::time::Instant;

use zerogap_contact::law::{NormalLaw, friction};
use zerogap_contact::material::PairProperties;
use zerogap_core::{ContactId, Vec3};
use zerogap_dynamics::integrate::System;
use zerogap_dynamics::multibody::{BodyId, Tree, Workspace, Wrench};

use super::discrete::{Closed, Discrete, Mode};
use super::elastic::{ElasticState, LoadedPoint, Memory, Velocities, add_pair_forces};
use super::elastic_friction::{Friction, STATES};
use super::rigid::constraints::ConstraintSet;
use super::rigid::points::{Point, frozen};
use crate::world::contact_radius::{contact_radius, rolling_arm};
use crate::world::frames::ContactPoint;
use crate::world::model::{Model, Parts};
use crate::world::pair_contacts::ContactWork;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// A world whose discrete state does not change.
#[derive(Clone, Copy)]
pub(crate) struct Frozen<'a> {
    pub(crate) model: &'a Model,
    pub(crate) discrete: &'a Discrete,
    pub(crate) scratch: &'a RefCell<EventScratch>,
}

/// Memory that every evaluation overwrites.
#[derive(Debug)]
pub(crate) struct EventScratch {
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
    /// Points of the rigid pair that zero-crossing functions looked at last.
    pub(crate) points: PairPoints,
    /// Points of a pair that carry load.
    loaded: Vec<LoadedPoint>,
    /// Points of elastic pairs with their forces, by pair, while they are requested: evaluations for the integrator do not.
    pub(crate) contact_points: Option<Vec<ContactPoint>>,
}

/// Points of a rigid pair, for zero-crossing functions.
#[derive(Debug, Default)]
pub(crate) struct PairPoints {
    /// Which pair; none before the first of an evaluation.
    pub(crate) pair: Option<PairId>,
    /// Those that carry nothing, with their gaps [m].
    pub(crate) free: Vec<(ContactId, f64)>,
    /// Whether one that carries is no longer a point of the pair.
    pub(crate) is_lost: bool,
    /// Whether it has none because it is a pair of complexes that intersect.
    pub(crate) is_inside: bool,
}

impl EventScratch {
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
            points: PairPoints::default(),
            loaded: Vec::new(),
            contact_points: None,
        }
    }
}

impl<'a> Frozen<'a> {
    /// Forces, and accelerations as if nothing constraints.
    pub(crate) fn free_acceleration(&self, t: f64, y: &[f64], scratch: &mut EventScratch) {
        let start = Instant::now();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        let located = Instant::now();
        let Parts { q, v, deflections } = self.model.parts(y);
        let EventScratch {
            ws,
            wrenches,
            effort,
            acceleration,
            elastic,
            manifold,
            loaded,
            contact_points,
            ..
        } = scratch;

        // Forces of the user and of compliant pairs.
        wrenches.copy_from_slice(&self.model.applied);
        for (body, servo) in &self.model.servos {
            servo.hold(*body, (&self.model.tree, ws), t, 0.0, &mut wrenches[body.0 as usize]);
        }
        elastic.clear();
        if let Some(contact_points) = contact_points {
            contact_points.clear();
        }
        for (&pair, closed) in &self.discrete.closed {
            if let Closed::Elastic(closed) = closed {
                let placed = self.placed(pair, ws);
                let velocities = Velocities::new(&placed, ws);
                let properties = self.model.properties(pair);
                let memory = Memory { manifold, loaded, contact_points: contact_points.as_mut() };
                let state =
                    add_pair_forces(&placed, closed, properties, deflections, &velocities, memory, wrenches);
                elastic.push((pair, state));
            }
        }
        let forces_known = Instant::now();

        // The tree's answer to them.
        self.model.tree.joint_efforts(q, v, effort);
        self.model.add_forces(t, y, ws, wrenches, effort);
        self.model.tree.acceleration(ws, wrenches, effort, acceleration);
        let mut times = self.model.times.borrow_mut();
        times.dynamics += (located - start) + forces_known.elapsed();
        times.narrow += forces_known - located;
    }

    /// Forces and accelerations: after this `scratch` holds all that is known about the instant.
    pub(crate) fn evaluate(&self, t: f64, y: &[f64], scratch: &mut EventScratch) {
        self.free_acceleration(t, y, scratch);
        let start = Instant::now();
        let EventScratch { ws, acceleration, constraints, manifold, .. } = scratch;
        constraints.clear();
        self.constrain(self.model.parts(y).v, ws, manifold, constraints);
        if !constraints.is_empty() {
            constraints.solve(&self.model.tree, ws, acceleration);
        }
        self.model.times.borrow_mut().holding += start.elapsed();
    }

    /// Collects what holds.
    pub(crate) fn constrain(
        &self,
        v: &[f64],
        ws: &Workspace,
        manifold: &mut ContactWork,
        constraints: &mut ConstraintSet,
    ) {
        constraints.add_loops(&self.model.tree, ws);
        for number in (0..self.discrete.is_active.len()).filter(|number| self.discrete.is_active[*number]) {
            constraints.add_limit(&self.model.tree, ws, number, v);
        }
        for (&pair, closed) in &self.discrete.closed {
            let Closed::Rigid(points) = closed else { continue };
            let properties = self.model.properties(pair);
            let sliding = properties.friction;
            let placed = PlacedPair::new(&self.model.shapes, pair, ws);
            frozen(&self.model.shapes, pair, points, ws, manifold, |k, point| {
                let mode = points[k].mode;
                if mode == Mode::Touch {
                    return;
                }
                let turning = turning_resistance(&placed, properties, ws, &point);
                constraints.add_point(&self.model.tree, ws, point, (k, mode, sliding), turning);
            });
        }
    }

    /// A pair at the poses of a workspace, with its history.
    pub(crate) fn placed(&self, pair: PairId, ws: &Workspace) -> PlacedPair<'a> {
        PlacedPair::new(&self.model.shapes, pair, ws)
            .with_history(self.discrete.oriented_histories.get(&pair))
    }
}

/// The torque on B against rolling and spinning at a rigid point, for a normal force of one [m].
fn turning_resistance(
    placed: &PlacedPair<'_>,
    properties: &PairProperties,
    ws: &Workspace,
    point: &Point,
) -> Vec3 {
    let &PairProperties { spinning, friction, contact_radius: of_pair, .. } = properties;
    if !properties.resists_rolling() && spinning == 0.0 {
        return Vec3::zeros();
    }
    let of = |body: Option<BodyId>| body.map_or(Vec3::zeros(), |body| ws.angular_velocity(body));
    let (turning, normal) = (of(point.b) - of(point.a), point.contact.normal);
    let spin = normal * normal.dot(&turning);
    let mut torque = friction::turning(friction * spinning, 1.0, &spin);
    if properties.resists_rolling() {
        let of_contact = contact_radius(placed, NormalLaw::HuntCrossley, &normal, of_pair);
        let arm = rolling_arm(placed, &normal, of_contact, properties);
        torque += friction::turning(arm, 1.0, &(turning - spin));
    }
    torque
}

impl System for Frozen<'_> {
    fn len(&self) -> usize {
        self.model.tree.positions() + self.model.tree.velocities() + STATES * self.discrete.sticking
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
        let Parts { q, v, .. } = self.model.parts(y);
        let (dq, rest) = dy.split_at_mut(q.len());
        let (dv, deflection_rates) = rest.split_at_mut(v.len());
        self.model.tree.position_derivative(q, v, dq);
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
