//! The equations of a landing, and its events.
//!
//! States: coordinates of the aircraft, their rates, and for each skid its bristle deflection along the deck while it sticks. Functions: for each skid the two of
//! the detector and one of friction, all of which fall through zero where something is to change.

use zerogap_core::Vec3;
use zerogap_dynamics::event::{Acceptance, Direction, Model as EventModel, Step};
use zerogap_dynamics::integrate::System;
use zerogap_dynamics::multibody::{Motion, MotionJumps};
use zerogap_proximity::oriented::{ROOTS, TouchKind};

use super::contact::{DeckTouch, Phase, SkidForce, skid_points};
use super::craft::{Airframe, COORDINATES, PlacedCraft};
use super::deck::DeckState;
use super::show::pair;
use super::{LandingError, LandingParams, Pull, SKIDS, Tie};
use crate::world::frames::Recorder;
use crate::world::{Event, EventKind};

/// Where the bristle deflections of the skids begin among the states.
pub(super) const DEFLECTION: usize = 2 * COORDINATES;

/// Number of states [-].
pub(super) const STATES: usize = DEFLECTION + SKIDS.len();

/// The value of a function that never crosses zero [-].
const NOTHING_CHANGES: f64 = 1.0;

/// Zero-crossing functions: of the detector, then of friction [-].
const FUNCTIONS: usize = (ROOTS + 1) * SKIDS.len();
const FRICTION: usize = ROOTS * SKIDS.len();

/// Times between the ends of a step at which functions are evaluated [-].
const SAMPLES: usize = 5;

/// The first step after an event, against the time that a skid on its spring needs for a radian [-].
const FIRST_STEP: f64 = 0.05;

/// Who is on which surface at which gap [m], by skid.
pub(super) type Touching = [Option<(usize, f64)>; SKIDS.len()];

/// A landing as a system with events.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) params: LandingParams,
    pub(super) frame: Airframe,
    pub(super) touch: DeckTouch,
    /// Where the velocity of the deck jumps.
    pub(super) jumps: MotionJumps,
    /// When a skid first touched [s].
    pub(super) touchdown: Option<f64>,
    /// Lengths at which ties are slack [m], for those that are made fast.
    pub(super) ties: Vec<Option<f64>>,
    pub(super) events: Vec<Event>,
    pub(super) recorder: Option<Recorder>,
    state: Vec<f64>,
}

impl Tie {
    /// Tension [N] at a length and its rate, for a rope that is slack at a length: 0 or more.
    fn tension(&self, slack: f64, length: f64, rate: f64) -> f64 {
        let stretch = length - slack;
        if stretch > 0.0 { (self.stiffness * stretch + self.damping * rate).max(0.0) } else { 0.0 }
    }
}

impl Pull {
    /// Its size at a time [N]: it rises and falls linearly.
    fn at(&self, t: f64) -> f64 {
        let fraction = ((t - self.from) / self.ramp).min((self.until - t) / self.ramp).clamp(0.0, 1.0);
        self.force * fraction
    }
}

impl Model {
    pub(super) fn new(params: LandingParams) -> Result<(Self, Vec<f64>), LandingError> {
        params.check()?;
        let frame = Airframe::new(&params)?;
        let mut y = frame.start(&params.start);
        y.resize(STATES, 0.0);
        let touch = DeckTouch::new(&params, &params.deck.at(0.0), &frame.placed(&y).nodes)?;
        let ties = vec![None; params.ties.len()];
        let motion: &dyn Motion = params.deck.motion.as_ref();
        let jumps = MotionJumps::new([motion]);
        let (touchdown, events) = (None, Vec::new());
        let model =
            Self { params, frame, touch, jumps, touchdown, ties, events, recorder: None, state: Vec::new() };
        Ok((model, y))
    }

    /// The deck at a time [s]: until a jump of its velocity is passed, as just before it.
    pub(super) fn deck(&self, t: f64) -> DeckState {
        self.params.deck.at(self.jumps.clamp(t))
    }

    /// Passes a jump of the deck's velocity that is due; whether there was one. Friction continues with the new sliding velocity: no function crosses zero where it jumps.
    fn pass_jump(&mut self, t: f64, y: &mut [f64]) -> bool {
        if t < self.jumps.next_jump() {
            return false;
        }
        self.jumps.pass(t);
        let (deck, placed) = (self.deck(t), self.frame.placed(y));
        for skid in 0..SKIDS.len() {
            let Some(on) = self.touch.force(skid, &deck, &placed.nodes, y[DEFLECTION + skid]) else {
                continue;
            };
            if self.friction_function(skid, &on) >= 0.0 {
                continue;
            }
            if self.touch.sticks(skid) {
                self.change_phase(t, skid, (&deck, &placed), y);
            } else {
                self.touch.begin(skid, on.sliding);
            }
        }
        true
    }

    /// What the rotor carries at a time [N].
    pub(super) fn lift(&self, t: f64) -> f64 {
        let lift = &self.params.lift;
        let left = self.touchdown.map_or(1.0, |down| (1.0 - (t - down) / lift.fade).clamp(0.0, 1.0));
        lift.fraction * left * self.weight()
    }

    /// Weight of everything [N].
    pub(super) fn weight(&self) -> f64 {
        self.frame.mass() * self.params.gravity
    }

    /// A rope at a state: from where on the body, unit vector to the deck, length and its rate.
    fn rope(&self, tie: &Tie, deck: &DeckState, placed: &PlacedCraft) -> ([f64; 3], Vec3, f64, f64) {
        let end = self.frame.carried(&placed.body, tie.body);
        let from = Vec3::new(end.at[0], end.at[1], 0.0);
        let to = deck.pose.transform_point(&Vec3::new(tie.deck[0], tie.deck[1], 0.0));
        let along = to - from;
        let length = along.norm();
        let unit = if length > 0.0 { along / length } else { Vec3::zeros() };
        let velocity = deck.velocity_at(&to) - Vec3::new(end.rate[0], end.rate[1], 0.0);
        (end.at, unit, length, unit.dot(&velocity))
    }

    /// Tensions of the ropes at a state [N].
    pub(super) fn tensions(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let (deck, placed) = (self.deck(t), self.frame.placed(y));
        let of = |(tie, slack): (&Tie, &Option<f64>)| {
            let (_, _, length, rate) = self.rope(tie, &deck, &placed);
            slack.map_or(0.0, |slack| tie.tension(slack, length, rate))
        };
        self.params.ties.iter().zip(&self.ties).map(of).collect()
    }

    /// Forces on the skids as the reference has them.
    pub(super) fn skid_forces(&self, t: f64, y: &[f64]) -> [Option<SkidForce>; SKIDS.len()] {
        let (deck, placed) = (self.deck(t), self.frame.placed(y));
        std::array::from_fn(|skid| self.touch.force(skid, &deck, &placed.nodes, y[DEFLECTION + skid]))
    }

    /// Writes the rates of all states with the given skids in contact.
    pub(super) fn rates(
        &self,
        t: f64,
        y: &[f64],
        placed: &PlacedCraft,
        deck: &DeckState,
        touching: &Touching,
        dy: &mut [f64],
    ) {
        let mut forces = self.frame.forces(placed, self.params.gravity);
        forces.body[1] += self.lift(t);
        for (skid, node) in SKIDS.into_iter().enumerate() {
            dy[DEFLECTION + skid] = 0.0;
            let Some(at) = touching[skid] else { continue };
            let on = self.touch.force_on(skid, at, deck, &placed.nodes[node], y[DEFLECTION + skid]);
            let force = on.force.total(&on.normal);
            forces.nodes[node][0] += force.x;
            forces.nodes[node][1] += force.y;
            if self.touch.sticks(skid) {
                dy[DEFLECTION + skid] = on.sliding;
            }
        }
        for (tie, slack) in self.params.ties.iter().zip(&self.ties) {
            let Some(slack) = slack else { continue };
            let (from, unit, length, rate) = self.rope(tie, deck, placed);
            Airframe::push_body(placed, &mut forces, &from, &(unit * tie.tension(*slack, length, rate)));
        }
        if let Some(pull) = &self.params.pull {
            let at = self.frame.carried(&placed.body, pull.body).at;
            Airframe::push_body(placed, &mut forces, &at, &(deck.along() * pull.at(t)));
        }
        self.frame.derivative(y, placed, forces, dy);
    }

    /// Takes a state as the reference and everything that changes with it; `crossed` are functions of friction.
    pub(super) fn change(&mut self, t: f64, y: &mut [f64], crossed: &[usize]) -> Result<(), LandingError> {
        let (deck, placed) = (self.deck(t), self.frame.placed(y));
        // Friction first: it is about contacts as they were.
        for skid in crossed.iter().filter_map(|k| k.checked_sub(FRICTION)) {
            self.change_phase(t, skid, (&deck, &placed), y);
        }
        self.touch.commit(&deck.pose, &skid_points(&placed.nodes))?;
        let reference = self.touch.oriented.reference();
        let (touches, releases) = (reference.touches().to_vec(), reference.releases().to_vec());
        for release in releases {
            let skid = release.initiator as usize;
            self.touch.end(skid);
            y[DEFLECTION + skid] = 0.0;
            self.report(t, EventKind::ContactEnd { pair: pair(skid, release.surface as usize) });
        }
        for touch in touches {
            let (skid, surface) = (touch.initiator as usize, touch.surface as usize);
            match touch.kind {
                TouchKind::Hit | TouchKind::Crossed | TouchKind::Inside => {
                    let node = &placed.nodes[SKIDS[skid]];
                    let on = self.touch.force_on(skid, (surface, touch.gap), &deck, node, 0.0);
                    self.touch.begin(skid, on.sliding);
                    y[DEFLECTION + skid] = 0.0;
                    self.touchdown.get_or_insert(t);
                    self.report(
                        t,
                        EventKind::ContactBegin { pair: pair(skid, surface), approach: -on.leaving },
                    );
                }
                TouchKind::HandedOver { from } => {
                    let (pair, to) = (pair(skid, surface), touch.surface);
                    let what = EventKind::HandedOver { pair, surface_from: from, surface: to };
                    self.report(t, what);
                }
                TouchKind::Kept => {}
            }
        }
        Ok(())
    }

    /// A skid that stuck slips, or one that slipped sticks.
    pub(super) fn change_phase(
        &mut self,
        t: f64,
        skid: usize,
        at: (&DeckState, &PlacedCraft),
        y: &mut [f64],
    ) {
        let Some(on) = self.touch.force(skid, at.0, &at.1.nodes, y[DEFLECTION + skid]) else { return };
        let pair = pair(skid, on.surface);
        let stuck = self.touch.sticks(skid);
        y[DEFLECTION + skid] = self.touch.switch(skid, &on);
        self.report(t, if stuck { EventKind::Slip { pair } } else { EventKind::Stick { pair } });
    }

    /// The function of friction of a skid: what is left before it slips [N], or how fast it slips in the direction it had [m/s].
    pub(super) fn friction_function(&self, skid: usize, on: &SkidForce) -> f64 {
        match self.touch.phases[skid] {
            Phase::Stick { excess } => self.touch.law.reserve(&on.force) + excess,
            Phase::Slip(way) => way * on.sliding,
            Phase::Frictionless => NOTHING_CHANGES,
        }
    }

    /// Makes ropes fast that are due; whether anything prescribed in time changes here.
    pub(super) fn due(&mut self, t: f64, y: &[f64]) -> bool {
        let (deck, placed) = (self.deck(t), self.frame.placed(y));
        let mut changed = false;
        for k in 0..self.ties.len() {
            let tie = self.params.ties[k];
            if self.ties[k].is_none() && t >= tie.at {
                let (_, _, length, _) = self.rope(&tie, &deck, &placed);
                self.ties[k] = Some(length - tie.tension / tie.stiffness);
                changed = true;
            }
        }
        changed
    }

    /// The next time at which something changes that is known beforehand [s].
    pub(super) fn next_due(&self, t: f64) -> f64 {
        let ties = self.params.ties.iter().map(|tie| tie.at);
        let pulls =
            self.params.pull.iter().flat_map(|p| [p.from, p.from + p.ramp, p.until - p.ramp, p.until]);
        let lift = self.touchdown.map(|down| down + self.params.lift.fade);
        let due = ties.chain(pulls).chain(lift).filter(|due| *due > t).fold(f64::INFINITY, f64::min);
        due.min(self.jumps.next_jump())
    }

    fn report(&mut self, t: f64, what: EventKind) {
        self.events.push(Event { t, what });
    }

    /// Takes the frames of a step up to a time.
    fn record(&mut self, step: &Step<'_>, until: f64) {
        let Some(mut recorder) = self.recorder.take() else { return };
        let mut state = std::mem::take(&mut self.state);
        state.resize(STATES, 0.0);
        while let Some(t) = recorder.due(until) {
            step.at(t, &mut state);
            recorder.push(self.shown(t, &state, step.t1 - step.t0));
        }
        (self.recorder, self.state) = (Some(recorder), state);
    }
}

impl System for Model {
    fn len(&self) -> usize {
        STATES
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let (deck, placed) = (self.deck(t), self.frame.placed(y));
        let points = skid_points(&placed.nodes);
        let touching = std::array::from_fn(|skid| {
            let surface = self.touch.contact_of(skid)?.surface as usize;
            self.touch.oriented.active_gap(0, skid, &deck.pose, &points[skid]).map(|gap| (surface, gap))
        });
        self.rates(t, y, &placed, &deck, &touching, dy);
    }
}

impl EventModel for Model {
    type Error = LandingError;

    fn prepare(&mut self, _: &Step<'_>) {}

    fn directions(&self) -> &[Direction] {
        &[Direction::Falling; FUNCTIONS]
    }

    fn functions(&self, t: f64, y: &[f64], z: &mut [f64]) {
        let (deck, placed) = (self.deck(t), self.frame.placed(y));
        let (roots, friction) = z.split_at_mut(FRICTION);
        // A state without numbers has crossed nothing.
        if self.touch.oriented.roots(&[deck.pose], &skid_points(&placed.nodes), roots).is_err() {
            roots.fill(f64::NAN);
        }
        for (skid, z) in friction.iter_mut().enumerate() {
            let on = self.touch.force(skid, &deck, &placed.nodes, y[DEFLECTION + skid]);
            *z = on.map_or(NOTHING_CHANGES, |on| self.friction_function(skid, &on));
        }
    }

    fn samples(&self) -> usize {
        SAMPLES
    }

    fn next_scheduled(&self, t: f64) -> f64 {
        self.next_due(t)
    }

    fn accept(&mut self, step: &Step<'_>, y: &mut [f64]) -> Acceptance {
        self.record(step, step.t1);
        let (deck, placed) = (self.deck(step.t1), self.frame.placed(y));
        let points = skid_points(&placed.nodes);
        // What lasted shorter than the distance of two samples is seen here, a step late.
        if self.touch.would_change(&deck.pose, &points) {
            return Acceptance::Event;
        }
        // A state that is not finite ends the run at its next step.
        let _ = self.touch.commit(&deck.pose, &points);
        Acceptance::Good
    }

    fn accept_until(&mut self, step: &Step<'_>, t: f64) {
        self.record(step, t);
    }

    fn read(&mut self, step: &Step<'_>, t: f64, _: &mut [f64]) {
        self.record(step, t);
    }

    fn event(&mut self, t: f64, y: &mut Vec<f64>, crossed: &[usize]) -> Result<(), LandingError> {
        self.change(t, y, crossed)
    }

    fn first_step(&self) -> Option<f64> {
        let lightest = self.params.craft.skid_mass.max(1.0);
        Some(FIRST_STEP * (lightest / self.params.contact.stiffness).sqrt())
    }

    fn schedule(&mut self, t: f64, y: &mut Vec<f64>) -> Result<bool, LandingError> {
        let has_jumped = self.pass_jump(t, y);
        let is_due = self.due(t, y);
        if is_due {
            self.report(t, EventKind::Scheduled);
        }
        Ok(has_jumped || is_due)
    }
}
