//! What a run leaves behind: frames from the dense output, and the forces at contacts.

use std::sync::Arc;

use serde::Serialize;
use zerogap_core::{ContactId, Pose, Vec3};
use zerogap_dynamics::event::Step;
use zerogap_dynamics::multibody::{BodyId, Energy};

use super::discrete::Closed;
use super::model::{Model, Scratch};
use super::shapes::{PairId, ShapeId};

/// Where everything was at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// When [s].
    pub t: f64,
    /// The bodies that there were, ascending: those of the rows of `poses`, `velocities` and `angular_velocities`.
    pub bodies: Arc<[BodyId]>,
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
    /// The contact points of these pairs with the force at each, by pair; the forces of a pair's points add up to its force.
    pub points: Vec<ContactPoint>,
}

impl Frame {
    /// Returns the pose of a body; none where it was not there.
    pub fn pose(&self, body: BodyId) -> Option<Pose> {
        self.bodies.binary_search(&body).ok().map(|row| self.poses[row])
    }
}

/// A point at which two shapes touch, or may within a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
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

/// The name of a shape: its own, or that of its body, or `fixed shape 3`.
pub fn name_of_shape(shape: ShapeId, own: &str, body: Option<&str>) -> String {
    match (own, body) {
        ("", None) => format!("fixed shape {}", shape.0),
        ("", Some(body)) => body.to_owned(),
        (own, _) => own.to_owned(),
    }
}

/// Direction [-] and size of the normal forces of a pair's points together, in the unit of each: points with different normals push against each other.
pub(crate) fn net_normal_force(points: impl Iterator<Item = (Vec3, f64)> + Clone) -> (Vec3, f64) {
    let Some((first, _)) = points.clone().next() else { return (Vec3::z(), 0.0) };
    if points.clone().all(|(normal, _)| normal == first) {
        return (first, points.map(|(_, force)| force).sum());
    }
    let net: Vec3 = points.map(|(normal, force)| normal * force).sum();
    (net.try_normalize(f64::MIN_POSITIVE).unwrap_or(first), net.norm())
}

/// The contact forces of a frame: of pairs, and of their points.
#[derive(Debug, Default)]
pub(crate) struct FrameForces {
    pub(crate) contacts: Vec<ContactForce>,
    pub(crate) points: Vec<ContactPoint>,
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
        let forces = if self.discrete.closed.is_empty() {
            self.locate_bodies(t, y, scratch);
            FrameForces::default()
        } else {
            let contact_points = self.evaluate_points(t, y, scratch);
            FrameForces {
                contacts: self.forces_in(scratch, &contact_points),
                points: points_in(scratch, contact_points),
            }
        };
        self.frame_in(scratch, t, y, step, forces)
    }

    /// A frame with forces that are known.
    pub(crate) fn placed_frame(&self, t: f64, y: &[f64], step: f64, forces: FrameForces) -> Frame {
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        self.frame_in(scratch, t, y, step, forces)
    }

    fn frame_in(&self, scratch: &Scratch, t: f64, y: &[f64], step: f64, forces: FrameForces) -> Frame {
        let FrameForces { contacts, points } = forces;
        let bodies = || self.bodies.iter().copied();
        Frame {
            t,
            bodies: Arc::clone(&self.bodies),
            poses: bodies().map(|body| *scratch.ws.pose(body)).collect(),
            velocities: bodies().map(|body| scratch.ws.linear_velocity(body)).collect(),
            angular_velocities: bodies().map(|body| scratch.ws.angular_velocity(body)).collect(),
            energy: self.tree.energy(&scratch.ws, self.parts(y).q),
            step,
            contacts,
            points,
        }
    }

    /// The forces of all pairs in contact at a state, by pair.
    pub(crate) fn contact_forces(&self, t: f64, y: &[f64]) -> Vec<ContactForce> {
        let scratch = &mut *self.scratch.borrow_mut();
        let contact_points = self.evaluate_points(t, y, scratch);
        self.forces_in(scratch, &contact_points)
    }

    /// The contact points of all pairs in contact at a state, by pair.
    pub(crate) fn contact_points(&self, t: f64, y: &[f64]) -> Vec<ContactPoint> {
        let scratch = &mut *self.scratch.borrow_mut();
        let contact_points = self.evaluate_points(t, y, scratch);
        points_in(scratch, contact_points)
    }

    /// Evaluates a state; the contact points of elastic pairs there, by pair. Steps do not depend on it: a pair without an answer is no failure of theirs.
    fn evaluate_points(&self, t: f64, y: &[f64], scratch: &mut Scratch) -> Vec<ContactPoint> {
        scratch.contact_points = Some(Vec::new());
        let failure = scratch.manifold.failure.take();
        self.evaluate(t, y, scratch);
        scratch.manifold.failure = failure;
        scratch.contact_points.take().unwrap_or_default()
    }

    /// The forces of all pairs in contact at the state that was evaluated last, by pair: a world has elastic pairs or rigid ones.
    fn forces_in(&self, scratch: &Scratch, contact_points: &[ContactPoint]) -> Vec<ContactForce> {
        let mut forces: Vec<ContactForce> = scratch
            .elastic
            .iter()
            .map(|(pair, state)| {
                // Points stand in the order of pairs.
                let first = contact_points.partition_point(|point| point.pair < *pair);
                let of_pair = contact_points[first..].iter().take_while(|point| point.pair == *pair);
                let has_one_normal = of_pair.clone().all(|point| point.normal == state.normal);
                let (normal, normal_force) = if has_one_normal {
                    (state.normal, state.load)
                } else {
                    net_normal_force(of_pair.map(|point| (point.normal, point.normal.dot(&point.force))))
                };
                ContactForce {
                    pair: *pair,
                    gap: state.gap,
                    normal: normal.into(),
                    point: state.center.into(),
                    normal_force,
                    friction_force: state.pull.force.into(),
                }
            })
            .collect();
        for (&pair, closed) in &self.discrete.closed {
            if !matches!(closed, Closed::Rigid(_)) {
                continue;
            }
            let of_pair =
                || scratch.constraints.points.iter().filter(|constrained| constrained.point.pair == pair);
            let load: f64 = of_pair().map(|constrained| constrained.normal_force).sum();
            let Some(any) = of_pair().next() else { continue };
            let (normal, normal_force) = net_normal_force(
                of_pair().map(|constrained| (constrained.point.contact.normal, constrained.normal_force)),
            );
            let weighted: Vec3 =
                of_pair().map(|constrained| constrained.point.at * constrained.normal_force).sum();
            forces.push(ContactForce {
                pair,
                gap: of_pair().map(|constrained| constrained.point.contact.gap).fold(f64::INFINITY, f64::min),
                normal: normal.into(),
                point: if load > 0.0 { weighted / load } else { any.point.at }.into(),
                normal_force,
                friction_force: of_pair().map(|constrained| constrained.friction_force).sum::<Vec3>().into(),
            });
        }
        debug_assert!(forces.is_sorted_by_key(|force| force.pair), "pairs are elastic or rigid, never both");
        forces
    }
}

/// The contact points of all pairs in contact at the state that was evaluated last, by pair: those of elastic pairs, or of rigid ones.
fn points_in(scratch: &Scratch, mut contact_points: Vec<ContactPoint>) -> Vec<ContactPoint> {
    contact_points.extend(scratch.constraints.points.iter().map(|constrained| ContactPoint {
        pair: constrained.point.pair,
        id: constrained.point.contact.id,
        gap: constrained.point.contact.gap,
        normal: constrained.point.contact.normal,
        point: constrained.point.at,
        force: constrained.point.contact.normal * constrained.normal_force + constrained.friction_force,
    }));
    debug_assert!(
        contact_points.is_sorted_by_key(|point| point.pair),
        "pairs are elastic or rigid, never both"
    );
    contact_points
}
