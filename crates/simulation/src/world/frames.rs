//! What a run leaves behind: frames from the dense output, and the forces at contacts.

use std::sync::Arc;

use serde::Serialize;
use zerogap_core::{ContactId, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Energy, Workspace};

use super::model::Model;
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
    /// Memory for the state of a frame.
    pub(crate) state: Vec<f64>,
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
    /// A frame with forces that are known.
    pub(crate) fn placed_frame(&self, t: f64, y: &[f64], step: f64, forces: FrameForces) -> Frame {
        let ws = &mut self.scratch.borrow_mut().ws;
        self.locate_bodies(t, y, ws);
        self.frame_in(ws, t, y, step, forces)
    }

    pub(crate) fn frame_in(
        &self,
        ws: &Workspace,
        t: f64,
        y: &[f64],
        step: f64,
        forces: FrameForces,
    ) -> Frame {
        let FrameForces { contacts, points } = forces;
        let bodies = || self.bodies.iter().copied();
        Frame {
            t,
            bodies: Arc::clone(&self.bodies),
            poses: bodies().map(|body| *ws.pose(body)).collect(),
            velocities: bodies().map(|body| ws.linear_velocity(body)).collect(),
            angular_velocities: bodies().map(|body| ws.angular_velocity(body)).collect(),
            energy: self.tree.energy(ws, self.parts(y).q),
            step,
            contacts,
            points,
        }
    }
}
