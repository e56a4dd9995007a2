//! The hand: springs between what a person points at and a body.
//!
//! In: an input and the state of the body. Out: the load on the body for the tick that begins, constant within it. Stiffness and damping follow from the mass of the body, so that every body answers alike:
//! as a damped oscillator with [`FREQUENCY`] and [`DAMPING_RATIO`].
//!
//! The load is that of the spring in the middle of the tick, as far as a body moves there that nothing else acts on (implicit midpoint rule): of second order in the tick, and stable for any stiffness. The spring at the start of the
//! tick in its place would be unstable for stiff hands and long ticks.

use std::f64::consts::TAU;

use zerogap::dynamics::multibody::{BodyId, Inertia};
use zerogap::world::World;
use zerogap::{Mat3, Pose, Vec3};

use super::input::{Input, InputError};

/// Frequency of a body that hangs on the hand, without damping [Hz].
pub const FREQUENCY: f64 = 2.0;
/// Damping of that oscillator, against the critical one [-].
pub const DAMPING_RATIO: f64 = 0.7;
/// Frequency of a body that is carried [Hz]: it follows more closely.
pub const CARRY_FREQUENCY: f64 = 5.0;
/// Largest force of the hand, against the mass of the body times 9.81 m/s² [-].
pub const MAX_FORCE: f64 = 20.0;
/// Range of strengths that a person may choose [-].
pub const STRENGTHS: [f64; 2] = [0.01, 100.0];

/// A hand that holds a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hand {
    /// The body.
    pub body: BodyId,
    kind: Kind,
    /// The spring between point and hand; where the hand only turns, one of a unit of inertia.
    spring: Spring,
    /// Largest force [N].
    max_force: f64,
    /// What acted on the body before it was held, and acts on [N, N m].
    others: (Vec3, Vec3),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Pull { at: Vec3, to: Vec3 },
    Turn { to: Pose },
    Carry { to: Pose },
}

/// Stiffness and damping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// Stiffness [N/m]; of a unit of inertia [1/s²].
    pub stiffness: f64,
    /// Damping [N s/m]; of a unit of inertia [1/s].
    pub damping: f64,
}

impl Spring {
    fn new(inertia: f64, frequency: f64, strength: f64) -> Self {
        let omega = TAU * frequency * strength.sqrt();
        Self { stiffness: inertia * omega * omega, damping: 2.0 * DAMPING_RATIO * inertia * omega }
    }

    /// The spring that moves a unit of mass, or of inertia, as this one moves so much.
    fn of_unit(self, inertia: f64) -> Self {
        Self { stiffness: self.stiffness / inertia, damping: self.damping / inertia }
    }
}

/// What the hand does to its body at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The point that is held [m].
    pub from: Vec3,
    /// Where the hand asks it to be [m].
    pub to: Vec3,
    /// Rotation that the hand asks for; none where it only pulls.
    pub goal: Option<Pose>,
    /// Force on the body at the point [N].
    pub force: Vec3,
    /// Torque on the body beside that [N m].
    pub torque: Vec3,
}

impl Hand {
    /// Takes hold as an input says; none where it lets go.
    pub(crate) fn of(input: &Input, world: &World, held: Option<&Self>) -> Result<Option<Self>, InputError> {
        let (body, strength) = match *input {
            Input::Release => return Ok(None),
            Input::Pull { body, strength, .. }
            | Input::Turn { body, strength, .. }
            | Input::Carry { body, strength, .. } => (body, strength),
        };
        let id = *world.bodies().get(body).ok_or(InputError::Body { body, bodies: world.bodies().len() })?;
        if world.tree().is_driven(id) {
            return Err(InputError::Prescribed { name: world.names()[id.index()].clone() });
        }
        let [low, high] = STRENGTHS;
        if !(low..=high).contains(&strength) {
            return Err(InputError::Number { what: "strength of the hand", value: strength });
        }
        let mass = world.tree().inertia(id).mass;
        if mass <= 0.0 {
            return Err(InputError::Number { what: "mass of the body to hold", value: mass });
        }
        let max_force = MAX_FORCE * 9.81 * mass * strength;
        let (kind, spring) = match *input {
            Input::Pull { at, to, .. } => {
                (Kind::Pull { at: point(at)?, to: point(to)? }, Spring::new(mass, FREQUENCY, strength))
            }
            Input::Turn { to, .. } => {
                (Kind::Turn { to: pose(Vec3::zeros(), to)? }, Spring::new(1.0, FREQUENCY, strength))
            }
            Input::Carry { to: [x, y, z, rotation @ ..], .. } => (
                Kind::Carry { to: pose(point([x, y, z])?, rotation)? },
                Spring::new(mass, CARRY_FREQUENCY, strength),
            ),
            Input::Release => return Ok(None),
        };
        // A hand that moves on still knows what acted before it came.
        let others =
            held.filter(|hand| hand.body == id).map_or_else(|| world.applied_force(id), |hand| hand.others);
        Ok(Some(Self { body: id, kind, spring, max_force, others }))
    }

    /// Stiffness and damping.
    pub fn spring(&self) -> Spring {
        self.spring
    }

    /// What acts on the body beside the hand: force at its origin [N] and torque [N m].
    pub(crate) fn others(&self) -> (Vec3, Vec3) {
        self.others
    }

    /// The load on the body for the tick that begins in the state that a world is in.
    pub fn load(&self, world: &World) -> Load {
        let here = world.pose(self.body);
        let (velocity, spin) = (world.velocity(self.body), world.angular_velocity(self.body));
        let body = *world.tree().inertia(self.body);
        let half = world.step_length() / 2.0;
        let per_inertia = match self.kind {
            Kind::Turn { .. } => self.spring,
            Kind::Pull { .. } | Kind::Carry { .. } => self.spring.of_unit(body.mass),
        };
        let turn = |to: &Pose| turning((&here, &spin), to, &body.inertia, per_inertia, half);
        let pull = |at: &Vec3, to: Vec3| {
            let from = here.transform_point(at);
            let point = Point { from, velocity: velocity + spin.cross(&(from - here.translation())) };
            let mobility = mobility(&here, &body, &from);
            (from, limited(pulling(&point, &to, &mobility, self.spring, half), self.max_force))
        };
        match self.kind {
            Kind::Pull { at, to } => {
                let (from, force) = pull(&at, to);
                Load { from, to, goal: None, force, torque: Vec3::zeros() }
            }
            Kind::Turn { to } => {
                let from = here.transform_point(&body.center);
                Load { from, to: from, goal: Some(to), force: Vec3::zeros(), torque: turn(&to) }
            }
            Kind::Carry { to } => {
                let goal = to.transform_point(&body.center);
                let (from, force) = pull(&body.center, goal);
                let force = force - world.tree().gravity() * body.mass;
                Load { from, to: goal, goal: Some(to), force, torque: turn(&to) }
            }
        }
    }

    /// Force at the origin of the body [N] and torque [N m] for a tick, with what acts beside the hand.
    pub(crate) fn wrench(&self, world: &World) -> (Vec3, Vec3) {
        let Load { from, force, torque, .. } = self.load(world);
        let arm = from - world.pose(self.body).translation();
        (self.others.0 + force, self.others.1 + torque + arm.cross(&force))
    }
}

/// A point that is pulled.
struct Point {
    from: Vec3,
    velocity: Vec3,
}

/// The acceleration of a point of a free body by a force there: a symmetric, positive definite matrix [1/kg].
fn mobility(here: &Pose, body: &Inertia, point: &Vec3) -> Mat3 {
    let axes = here.rotation_matrix();
    let arm = (point - here.transform_point(&body.center)).cross_matrix();
    // A body without inertia cannot be turned: it is pulled as a point.
    let inverse = body.inertia.try_inverse().unwrap_or_else(Mat3::zeros);
    Mat3::identity() / body.mass - arm * (axes * inverse * axes.transpose()) * arm
}

/// The force of a damped spring on a point in the middle of a tick, from half the length of the tick [s].
fn pulling(point: &Point, to: &Vec3, mobility: &Mat3, spring: Spring, half: f64) -> Vec3 {
    let Spring { stiffness, damping } = spring;
    let free = (to - point.from - point.velocity * half) * stiffness - point.velocity * damping;
    let softer = Mat3::identity() + mobility * (half * damping + half * half * stiffness);
    // The eigenvalues of the mobility are positive, so those of the sum are above one.
    softer.try_inverse().map_or_else(Vec3::zeros, |inverse| inverse * free)
}

/// The torque of a damped spring that turns a body, in the middle of a tick; the spring is one of an inertia.
fn turning((here, spin): (&Pose, &Vec3), to: &Pose, inertia: &Mat3, spring: Spring, half: f64) -> Vec3 {
    let Spring { stiffness, damping } = spring;
    let axes = here.rotation_matrix();
    let free = (to.rotation_vector_from(here) - spin * half) * stiffness - spin * damping;
    let wanted = free / (1.0 + half * damping + half * half * stiffness);
    axes * (inertia * (axes.transpose() * wanted))
}

/// A vector, shortened to a length.
fn limited(v: Vec3, max: f64) -> Vec3 {
    let length = v.norm();
    if length > max { v * (max / length) } else { v }
}

fn point(at: [f64; 3]) -> Result<Vec3, InputError> {
    match at.into_iter().find(|x| !x.is_finite()) {
        Some(value) => Err(InputError::Number { what: "a coordinate of the hand", value }),
        None => Ok(at.into()),
    }
}

fn pose(at: Vec3, rotation: [f64; 4]) -> Result<Pose, InputError> {
    let fault = || InputError::Number {
        what: "the length of the hand's quaternion",
        value: rotation.iter().map(|x| x * x).sum::<f64>().sqrt(),
    };
    Pose::new(at, rotation).map_err(|_| fault())
}
