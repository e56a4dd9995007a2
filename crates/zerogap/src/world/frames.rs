//! What a run leaves behind: frames from the dense output, and the forces at contacts.

use serde::Serialize;
use zerogap_core::{ContactId, Pose, Vec3};
use zerogap_dynamics::event::Step;
use zerogap_dynamics::multibody::{BodyId, Energy};

use super::discrete::Closed;
use super::elastic::ElasticState;
use super::model::{Model, Scratch};
use super::shapes::PairId;

/// Where everything was at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// When [s].
    pub t: f64,
    /// Poses of all bodies.
    pub poses: Vec<Pose>,
    /// Velocities of all bodies' origins [m/s].
    pub velocities: Vec<Vec3>,
    /// Angular velocities of all bodies, in world axes [rad/s].
    pub angular_velocities: Vec<Vec3>,
    /// Energies of bodies and joints.
    pub energy: Energy,
    /// Length of the step that it lies in [s].
    pub step: f64,
    /// What every pair in contact does, by pair.
    pub contacts: Vec<ContactForce>,
}

/// A point at which two shapes touch, or may within a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSpot {
    /// Which shapes.
    pub pair: PairId,
    /// Which features of theirs; the same from step to step.
    pub id: ContactId,
    /// Gap [m]: where the step began, or now where events are located.
    pub gap: f64,
    /// Unit vector from A to B [-].
    pub normal: Vec3,
    /// Where it is [m].
    pub point: Vec3,
    /// Force on B [N]: its mean over the step, or now where events are located.
    pub force: Vec3,
}

/// What one pair in contact does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ContactForce {
    /// Which.
    pub pair: PairId,
    /// Smallest gap [m].
    pub gap: f64,
    /// From A to B [-]; where contacts of the pair have different normals, the direction of their sum.
    pub normal: [f64; 3],
    /// Centre of pressure [m].
    pub point: [f64; 3],
    /// Normal force on B, of all contacts together [N].
    pub normal_force: f64,
    /// Friction on B [N].
    pub friction_force: [f64; 3],
}

/// A frame that is due this little after the end of a step, against the time, is of that end [-]: ten times a tenth of a second are a second.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Takes frames at even times.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    start: f64,
    every: f64,
    next: usize,
    state: Vec<f64>,
    pub(crate) frames: Vec<Frame>,
}

impl Recorder {
    pub(crate) fn new(start: f64, every: f64) -> Self {
        Self { start, every, next: 0, state: Vec::new(), frames: Vec::new() }
    }

    /// The time of the next frame, if it is due by the end of a step [s].
    pub(crate) fn due(&self, until: f64) -> Option<f64> {
        // From the number of the frame, so that times do not drift.
        let t = self.start + self.every * self.next as f64;
        (t - until <= ROUNDING * t.abs()).then_some(t)
    }

    /// Takes the frame that was due.
    pub(crate) fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
        self.next += 1;
    }
}

impl Model {
    /// Takes the frames of a step up to a time.
    pub(crate) fn record(&mut self, step: &Step<'_>, until: f64) {
        let Some(mut recorder) = self.recorder.take() else { return };
        recorder.state.resize(step.y0.len(), 0.0);
        while let Some(t) = recorder.due(until) {
            step.at(t, &mut recorder.state);
            let frame = self.frame(t, &recorder.state, step.t1 - step.t0);
            recorder.push(frame);
        }
        self.recorder = Some(recorder);
    }

    fn frame(&self, t: f64, y: &[f64], step: f64) -> Frame {
        let scratch = &mut *self.scratch.borrow_mut();
        // Forces are needed where something touches; without contacts places are enough.
        let contacts = if self.discrete.closed.is_empty() {
            self.locate_bodies(t, y, scratch);
            Vec::new()
        } else {
            self.evaluate(t, y, scratch);
            self.forces_in(scratch)
        };
        self.frame_in(scratch, t, y, step, contacts)
    }

    /// A frame with forces that are known.
    pub(crate) fn placed_frame(&self, t: f64, y: &[f64], step: f64, contacts: Vec<ContactForce>) -> Frame {
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        self.frame_in(scratch, t, y, step, contacts)
    }

    fn frame_in(
        &self,
        scratch: &Scratch,
        t: f64,
        y: &[f64],
        step: f64,
        contacts: Vec<ContactForce>,
    ) -> Frame {
        let bodies = || (0..self.tree.bodies() as u32).map(BodyId);
        Frame {
            t,
            poses: bodies().map(|body| *scratch.ws.pose(body)).collect(),
            velocities: bodies().map(|body| scratch.ws.linear_velocity(body)).collect(),
            angular_velocities: bodies().map(|body| scratch.ws.angular_velocity(body)).collect(),
            energy: self.tree.energy(&scratch.ws, self.parts(y).q),
            step,
            contacts,
        }
    }

    /// The forces of all pairs in contact at a state, by pair.
    pub(crate) fn contact_forces(&self, t: f64, y: &[f64]) -> Vec<ContactForce> {
        let scratch = &mut *self.scratch.borrow_mut();
        self.evaluate(t, y, scratch);
        self.forces_in(scratch)
    }

    /// The points of elastic pairs that have a normal of their own, at a state.
    pub(crate) fn contact_points(&self, t: f64, y: &[f64]) -> Vec<ContactSpot> {
        let scratch = &mut *self.scratch.borrow_mut();
        self.evaluate(t, y, scratch);
        scratch.spots.clone()
    }

    /// The forces of all pairs in contact at the state that was evaluated last.
    fn forces_in(&self, scratch: &Scratch) -> Vec<ContactForce> {
        let of_this = |(pair, _): &&(PairId, ElasticState)| self.discrete.closed.contains_key(pair);
        let mut forces: Vec<ContactForce> = scratch
            .elastic
            .iter()
            .filter(of_this)
            .map(|(pair, state)| ContactForce {
                pair: *pair,
                gap: state.gap,
                normal: state.normal.into(),
                point: state.center.into(),
                normal_force: state.load,
                friction_force: state.pull.force.into(),
            })
            .collect();
        for (&pair, closed) in &self.discrete.closed {
            if !matches!(closed, Closed::Rigid(_)) {
                continue;
            }
            let of_pair = || scratch.held.points.iter().filter(|held| held.point.pair == pair);
            let normal_force: f64 = of_pair().map(|held| held.normal_force).sum();
            let Some(any) = of_pair().next() else { continue };
            let weighted: Vec3 = of_pair().map(|held| held.point.at * held.normal_force).sum();
            forces.push(ContactForce {
                pair,
                gap: of_pair().map(|held| held.point.contact.gap).fold(f64::INFINITY, f64::min),
                normal: any.point.contact.normal.into(),
                point: if normal_force > 0.0 { weighted / normal_force } else { any.point.at }.into(),
                normal_force,
                friction_force: of_pair().map(|held| held.friction_force).sum::<Vec3>().into(),
            });
        }
        forces.sort_by_key(|force| force.pair);
        forces
    }
}
