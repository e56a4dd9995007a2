//! Bodies that move and touch: shapes on bodies, broad phase, narrow phase, contact laws, integrator and events put together.
//!
//! In: bodies with joints, shapes and materials, from a [`WorldBuilder`]. Out: a [`World`] that runs to any time asked for, with every contact, impact, stop and
//! slide located in time.
//!
//! How a step goes is written in one function, [`zerogap_dynamics::event::Driver::advance`]: the integrator makes a step with all that is discrete frozen; `watch` finds
//! the pairs that may touch during it; `functions` are looked through for the first crossing; `handle` changes what is discrete there, or accepts the step.
//!
//! ```
//! use zerogap::world::{BodyDef, ShapeDef, WorldBuilder, WorldParams};
//! use zerogap::{Pose, Shape, Vec3};
//!
//! let mut builder = WorldBuilder::new(WorldParams::default());
//! builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0)?, "steel"))?;
//! let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.1))?;
//! let ball = builder.body(BodyDef::free(start).with(Shape::sphere(0.1)?, "steel"))?;
//! let mut world = builder.build()?;
//! world.advance_to(0.4)?;
//! assert!((world.pose(ball).translation().z - (1.1 - 0.5 * 9.81 * 0.16)).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod begin;
mod build;
mod correct;
mod discrete;
mod elastic;
mod error;
mod events;
mod functions;
mod handle;
mod method;
mod model;
mod params;
mod ray;
mod record;
mod rigid;
mod shapes;
mod summary;
mod user;
mod watch;

use std::time::{Duration, Instant};

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::event::{Advance, Driver};
use zerogap_dynamics::integrate::{Integrator, IntegratorInfo, Tolerance};
use zerogap_dynamics::multibody::{BodyId, Energy, Motor, Tree, Wrench};

pub use begin::FLAT_RADIUS;
pub use build::{BodyDef, ShapeDef, WorldBuilder};
pub use error::WorldError;
pub use events::{Event, Happening};
pub use params::{ContactModel, WorldParams, ZeroFunctions};
pub use record::{ContactForce, Frame};
pub use shapes::{PairId, ShapeId};
pub use summary::WorldInfo;
pub use user::{UserFunction, View};

use discrete::Discrete;
use method::Chosen;
use model::Model;

/// Bodies that move and touch, at an instant.
pub struct World {
    model: Model,
    driver: Driver,
    integrator: Box<dyn Integrator>,
    method: Chosen,
    tolerance: Tolerance,
    /// What integrators that were left have done.
    left: IntegratorInfo,
    wall: Duration,
}

/// The whole state of a world, to go back to.
#[derive(Debug, Clone)]
pub struct Saved {
    driver: Driver,
    discrete: Discrete,
    watch: watch::Watch,
    applied: Vec<Wrench>,
    scheduled: Vec<f64>,
    events: usize,
    tree: Tree,
    method: Chosen,
}

/// Why a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It reached the time asked for.
    Reached,
    /// A function of the user stopped it.
    Stopped,
}

impl World {
    fn new(model: Model, driver: Driver, params: &WorldParams) -> Self {
        let method = Chosen::new(params.method);
        let integrator = method.make(params.tolerance);
        let (tolerance, left) = (params.tolerance, IntegratorInfo::default());
        Self { model, driver, integrator, method, tolerance, left, wall: Duration::ZERO }
    }

    /// Runs to a time [s], exactly, or to where a function of the user stops it.
    pub fn advance_to(&mut self, t: f64) -> Result<Stop, WorldError> {
        if !t.is_finite() {
            return Err(WorldError::Setting { what: "time to run to", value: t });
        }
        let start = Instant::now();
        self.model.is_stopped = false;
        let outcome = loop {
            self.driver.steps_in_one_go = self.method.steps_to_review(self.driver.info.steps);
            match self.driver.advance(&mut self.model, self.integrator.as_mut(), t) {
                Ok(Advance::Reached) => break Ok(Stop::Reached),
                Ok(Advance::Stopped) => break Ok(Stop::Stopped),
                Ok(Advance::Paused) => self.review(t),
                Err(error) => break Err(WorldError::from(error)),
            }
        };
        self.wall += start.elapsed();
        outcome
    }

    /// Goes on with an integrator of the caller's own, for tests and for other methods. From now on nothing chooses between methods any more, and going back to a saved state keeps it.
    pub fn set_integrator(&mut self, integrator: Box<dyn Integrator>) {
        self.left = self.left.with(&self.integrator.info());
        self.method.leave(self.driver.t, integrator.name());
        self.integrator = integrator;
        self.driver.step = None;
    }

    /// Looks whether the other kind of integrator would be cheaper from here.
    fn review(&mut self, until: f64) {
        let Driver { t, y, info, .. } = &self.driver;
        if self.method.review(&self.model, (*t, y, until), &self.tolerance, info.steps) {
            self.left = self.left.with(&self.integrator.info());
            self.integrator = self.method.make(self.tolerance);
            self.driver.step = None;
        }
    }

    /// Runs to a time and tells where everything was every so often [s], from the dense output: the steps are those of [`World::advance_to`].
    pub fn record_to(&mut self, t: f64, every: f64) -> Result<Vec<Frame>, WorldError> {
        if !(every > 0.0) {
            return Err(WorldError::Setting { what: "time between frames", value: every });
        }
        self.model.recorder = Some(record::Recorder::new(self.driver.t, every));
        let outcome = self.advance_to(t);
        let frames = self.model.recorder.take().map(|recorder| recorder.frames).unwrap_or_default();
        outcome.map(|_| frames)
    }

    /// The time reached [s].
    pub fn time(&self) -> f64 {
        self.driver.t
    }

    /// Names of the bodies, in the order of adding.
    pub fn names(&self) -> &[String] {
        &self.model.names
    }

    /// The bodies and joints.
    pub fn tree(&self) -> &Tree {
        &self.model.tree
    }

    /// Positions of all joints.
    pub fn positions(&self) -> &[f64] {
        self.model.parts(&self.driver.y).q
    }

    /// Velocities of all joints.
    pub fn velocities(&self) -> &[f64] {
        self.model.parts(&self.driver.y).v
    }

    /// The pose of a body.
    pub fn pose(&self, body: BodyId) -> Pose {
        self.with_state(|ws| *ws.pose(body))
    }

    /// The velocity of a body's origin [m/s].
    pub fn velocity(&self, body: BodyId) -> Vec3 {
        self.with_state(|ws| ws.linear_velocity(body))
    }

    /// The angular velocity of a body, in world axes [rad/s].
    pub fn angular_velocity(&self, body: BodyId) -> Vec3 {
        self.with_state(|ws| ws.angular_velocity(body))
    }

    /// How many pairs of shapes can touch at all [-].
    pub fn pairs(&self) -> usize {
        self.model.all_pairs().count()
    }

    /// No point of any shape moves faster than this [m/s].
    pub fn fastest(&self) -> f64 {
        self.with_state(|ws| {
            let speeds = self.model.shapes.iter().filter_map(|placed| {
                let (body, reach) = (placed.body?, placed.reach);
                let turning = ws.angular_velocity(body).norm();
                let turning = if turning > 0.0 { turning * reach } else { 0.0 };
                Some(ws.linear_velocity(body).norm() + turning)
            });
            speeds.fold(0.0, f64::max)
        })
    }

    /// Kinetic and potential energies of bodies and joints; what contacts hold is not in it.
    pub fn energy(&self) -> Energy {
        self.with_state(|ws| self.model.tree.energy(ws, self.positions()))
    }

    /// Momentum [kg m/s] and angular momentum about the world's origin [kg m²/s].
    pub fn momentum(&self) -> (Vec3, Vec3) {
        self.with_state(|ws| self.model.tree.momentum(ws))
    }

    /// Everything that happened so far, in order.
    pub fn events(&self) -> &[Event] {
        &self.model.events
    }

    /// The forces at all contacts now, by pair.
    pub fn contacts(&self) -> Vec<ContactForce> {
        self.model.contact_forces(self.driver.t, &self.driver.y)
    }

    /// Sets what drives a degree of freedom of a joint, from now on.
    pub fn set_motor(&mut self, body: BodyId, index: usize, motor: Motor) -> Result<(), WorldError> {
        self.driver.step = None;
        Ok(self.model.tree.set_motor(body, index, motor)?)
    }

    /// Sets the force at a body's origin [N] and the torque [N m] on it, in world axes, from now on.
    pub fn set_force(&mut self, body: BodyId, force: Vec3, torque: Vec3) -> Result<(), WorldError> {
        if let Some(value) = force.iter().chain(torque.iter()).find(|x| !x.is_finite()) {
            return Err(WorldError::Setting { what: "force", value: *value });
        }
        self.driver.step = None;
        match self.model.applied.get_mut(body.0 as usize) {
            Some(wrench) => *wrench = Wrench { force, torque },
            None => return Err(WorldError::NoBody { body: body.0 }),
        }
        Ok(())
    }

    /// Schedules an instant [s] at which a step ends and the equations may change.
    pub fn schedule(&mut self, t: f64) -> Result<(), WorldError> {
        if !(t > self.driver.t && t.is_finite()) {
            return Err(WorldError::Setting { what: "scheduled time", value: t });
        }
        let at = self.model.scheduled.partition_point(|time| *time < t);
        self.model.scheduled.insert(at, t);
        Ok(())
    }

    /// The whole state, to go back to with the same bits.
    pub fn save(&self) -> Saved {
        Saved {
            driver: self.driver.clone(),
            discrete: self.model.discrete.clone(),
            watch: self.model.watch.clone(),
            applied: self.model.applied.clone(),
            scheduled: self.model.scheduled.clone(),
            events: self.model.events.len(),
            tree: self.model.tree.clone(),
            method: self.method.clone(),
        }
    }

    /// Goes back to a state of this world; events that came after it are forgotten.
    pub fn restore(&mut self, saved: &Saved) {
        self.driver.clone_from(&saved.driver);
        self.model.discrete.clone_from(&saved.discrete);
        self.model.watch.clone_from(&saved.watch);
        self.model.applied.clone_from(&saved.applied);
        self.model.scheduled.clone_from(&saved.scheduled);
        self.model.tree.clone_from(&saved.tree);
        self.model.events.truncate(saved.events);
        if self.method != saved.method && !self.method.is_left() {
            self.method.clone_from(&saved.method);
            self.left = self.left.with(&self.integrator.info());
            self.integrator = self.method.make(self.tolerance);
        }
    }

    /// A number that tells states apart: same bits, same number.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for x in std::iter::once(&self.driver.t).chain(&self.driver.y) {
            for byte in x.to_bits().to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        hash
    }

    /// What the run has done and what that cost.
    pub fn info(&self) -> WorldInfo {
        let times = self.model.scratch.borrow().times;
        let (drive, integrator) = (self.driver.info, self.left.with(&self.integrator.info()));
        let wall = self.wall.as_secs_f64();
        let named = [
            ("dynamics", times.dynamics),
            ("narrow phase and laws", times.narrow),
            ("holding", times.holding),
            ("zero functions", times.functions),
            ("broad phase", times.broad),
            ("events", times.events),
        ];
        let share = |time: Duration| if wall > 0.0 { time.as_secs_f64() / wall } else { 0.0 };
        WorldInfo {
            method: self.method.reasons.clone(),
            steps: drive.steps,
            rejected: integrator.rejected,
            redone: drive.redone,
            events: drive.events,
            evaluations: integrator.evaluations,
            functions: drive.functions,
            gaps: self.model.watch.gaps,
            wall,
            shares: named.map(|(name, time)| (name, share(time))).to_vec(),
        }
    }

    fn with_state<T>(&self, look: impl FnOnce(&zerogap_dynamics::multibody::Workspace) -> T) -> T {
        let scratch = &mut *self.model.scratch.borrow_mut();
        self.model.locate_bodies(self.driver.t, &self.driver.y, scratch);
        look(&scratch.ws)
    }
}
