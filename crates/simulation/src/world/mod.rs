//! Bodies that move and touch: shapes on bodies, broad phase, narrow phase, contact laws, integrator and events put together.
//!
//! In: bodies with joints, shapes and materials, from a [`WorldBuilder`]. Out: a [`World`] that runs to any time asked for, with every contact, impact, stop and
//! slide located in time.
//!
//! How a step goes is written in one function, [`zerogap_dynamics::event::Driver::advance`]: the integrator makes a step with all that is discrete frozen; `watch` finds
//! the pairs that may touch during it; `functions` are looked through for the first crossing; `handle` changes what is discrete there, or accepts the step.
//!
//! ```
//! use zerogap_simulation::world::{BodyDef, ShapeDef, WorldBuilder, WorldParams};
//! use zerogap_core::{Pose, Vec3};
//! use zerogap_geometry::Shape;
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
pub(crate) mod frames;
mod friction;
mod functions;
mod hand;
mod handle;
mod hits;
mod method;
mod model;
mod narrow;
mod pairs;
mod params;
mod progress;
mod ray;
mod rigid;
pub mod settings;
mod shapes;
mod stepping;
mod stored;
mod stored_state;
mod summary;
mod user;
mod watch;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::event::{Advance, DriveError, Driver};
use zerogap_dynamics::integrate::{Integrator, IntegratorInfo, Tolerance};
use zerogap_dynamics::multibody::{BodyId, Energy, Motor, Tree, Wrench};
use zerogap_geometry::Shape;

pub use begin::FLAT_RADIUS;
pub use build::{BodyDef, ShapeDef, WorldBuilder};
pub use error::WorldError;
pub use events::{Event, Happening};
pub use frames::{ContactForce, ContactSpot, Frame, name_of_shape};
pub use hand::Hand;
pub use narrow::NarrowPhaseError;
pub use params::{ContactModel, WorldParams, ZeroFunctions};
pub use progress::{MAX_FRAMES, MIN_STEP, check_frames, check_step};
pub use shapes::{Collision, PairId, QuasiLmd, ShapeId};
pub use stepping::{SolveCount, StepForces, Stepping};
pub use stored::StoredError;
pub use summary::WorldInfo;
pub use user::{UserFunction, View};

use discrete::Discrete;
use method::Chosen;
use model::Model;
use zerogap_core::fingerprint;

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
    interrupt: Option<Interrupt>,
    /// In place of integrator and events, where the world goes by steps.
    steps: Option<Box<stepping::Steps>>,
}

/// Asked now and then during a run; a break ends it.
pub type Interrupt = Arc<dyn Fn() -> ControlFlow<()> + Send + Sync>;

/// The whole state of a world, to go back to.
#[derive(Debug, Clone)]
pub struct Saved {
    driver: Driver,
    discrete: Discrete,
    /// How zero-crossing functions stand for pairs; all else of the active pairs is found anew for the next step.
    assignment: watch::Assignment,
    /// Gaps computed so far [-].
    gaps: usize,
    /// Shapes of the world, to know it by [-].
    shapes: usize,
    applied: Vec<Wrench>,
    scheduled: Vec<f64>,
    events: Vec<Event>,
    tree: Tree,
    is_disturbed: bool,
    method: Chosen,
    steps: Option<stepping::Memory>,
}

/// Takes frames as they come, with the events so far; a break ends the run, and the frames of steps that are made already still come.
pub type FrameSink<'a> = dyn FnMut(Frame, &[Event]) -> ControlFlow<()> + 'a;

/// Steps after which frames are handed over and a run may be interrupted [-].
const STEPS_TO_FRAMES: usize = 32;

/// Why a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It reached the time asked for.
    Reached,
    /// A function of the user stopped it, or whoever takes the frames.
    Stopped,
    /// It was interrupted between two steps, and can go on from there.
    Interrupted,
}

impl World {
    fn new(model: Model, driver: Driver, params: &WorldParams) -> Self {
        let method = Chosen::new(params.method);
        let integrator = method.make(params.tolerance);
        let (tolerance, left) = (params.tolerance, IntegratorInfo::default());
        let steps = params.stepping.map(|stepping| Box::new(stepping::Steps::new(&model, stepping)));
        Self {
            model,
            driver,
            integrator,
            method,
            tolerance,
            left,
            wall: Duration::ZERO,
            interrupt: None,
            steps,
        }
    }

    /// Runs to a time [s], exactly, or to where a function of the user stops it.
    pub fn advance_to(&mut self, t: f64) -> Result<Stop, WorldError> {
        self.advance(t, None)
    }

    fn advance(&mut self, t: f64, mut sink: Option<&mut FrameSink<'_>>) -> Result<Stop, WorldError> {
        if !t.is_finite() {
            return Err(WorldError::Setting { what: "time to run to", value: t });
        }
        self.check_step_to(t)?;
        let start = Instant::now();
        if self.steps.is_some() {
            let outcome = self.step_to(t, sink);
            self.wall += start.elapsed();
            return outcome;
        }
        self.model.is_stopped = false;
        self.driver.refresh(self.driver.step);
        // Forces that have jumped may lift what rests; a function that crosses zero would not see it, since it has already.
        if std::mem::take(&mut self.model.is_disturbed) {
            self.model.settle(self.driver.t, &self.driver.y)?;
            self.model.refuse_failure(self.driver.t)?;
        }
        let outcome = loop {
            let to_review = self.method.steps_to_review(self.driver.info.steps);
            let is_followed = sink.is_some() || self.interrupt.is_some();
            self.driver.steps_in_one_go =
                if is_followed { to_review.min(STEPS_TO_FRAMES) } else { to_review };
            let advanced = self.driver.advance(&mut self.model, self.integrator.as_mut(), t);
            if let Some(sink) = &mut sink
                && self.hand_over(sink).is_break()
            {
                break Ok(Stop::Stopped);
            }
            match advanced {
                Ok(Advance::Reached) => break Ok(Stop::Reached),
                Ok(Advance::Stopped) => break Ok(Stop::Stopped),
                Ok(Advance::Paused) if self.interrupt.as_ref().is_some_and(|ask| ask().is_break()) => {
                    break Ok(Stop::Interrupted);
                }
                Ok(Advance::Paused) => self.review(t),
                Err(error) => break Err(self.explain_failure(error)),
            }
        };
        self.wall += start.elapsed();
        outcome
    }

    /// The error that ended a run; where a step could not be made because the narrow phase had no answer, that is why.
    fn explain_failure(&self, error: DriveError<WorldError>) -> WorldError {
        match (error, self.model.refuse_failure(self.driver.t)) {
            (DriveError::Step(_), Err(failure)) => failure,
            (error, _) => WorldError::from(error),
        }
    }

    /// Has somebody asked every few steps whether a run shall go on; none asks nobody. The steps do not depend on it.
    pub fn interrupt_with(&mut self, ask: Option<Interrupt>) {
        self.interrupt = ask;
    }

    /// Hands all frames that are known over, also those after one that ends the run: its steps are made, and frames reach as far as they do.
    fn hand_over(&mut self, sink: &mut FrameSink<'_>) -> ControlFlow<()> {
        let frames = self.model.recorder.as_mut().map(|recorder| std::mem::take(&mut recorder.frames));
        let mut outcome = ControlFlow::Continue(());
        for frame in frames.into_iter().flatten() {
            if sink(frame, &self.model.events).is_break() {
                outcome = ControlFlow::Break(());
            }
        }
        outcome
    }

    /// Goes on with an integrator of the caller's own, for tests and for other methods. From now on nothing chooses between methods any more, and going back to a saved state keeps it.
    pub fn set_integrator(&mut self, integrator: Box<dyn Integrator>) {
        self.left = self.left.with(&self.integrator.info());
        self.method.leave(self.driver.t, integrator.name());
        self.integrator = integrator;
        self.driver.refresh(None);
    }

    /// Looks whether the other kind of integrator would be cheaper from here.
    fn review(&mut self, until: f64) {
        let Driver { t, y, info, .. } = &self.driver;
        let mut is_new = self.method.note_events(*t, info.events, info.steps_at_event);
        if !is_new && self.method.is_due(info.steps) {
            is_new = self.method.review(&self.model, (*t, y, until), &self.tolerance, info.steps);
        }
        if is_new {
            self.left = self.left.with(&self.integrator.info());
            self.integrator = self.method.make(self.tolerance);
            self.driver.refresh(None);
        }
    }

    /// Runs to a time and tells where everything was every so often [s], from the dense output: the steps are those of [`World::advance_to`].
    pub fn record_to(&mut self, t: f64, every: f64) -> Result<Vec<Frame>, WorldError> {
        let mut frames = Vec::new();
        self.stream_to(t, every, &mut |frame, _| {
            frames.push(frame);
            ControlFlow::Continue(())
        })?;
        Ok(frames)
    }

    /// The same with every frame handed over as soon as it is known, with the events so far. A break ends the run a few steps later at most; frames come up to the time reached.
    pub fn stream_to(&mut self, t: f64, every: f64, sink: &mut FrameSink<'_>) -> Result<Stop, WorldError> {
        self.check_run(t, every)?;
        self.model.recorder = Some(frames::Recorder::new(self.driver.t, every));
        let outcome = self.advance(t, Some(sink));
        self.model.recorder = None;
        outcome
    }

    /// Returns an error where a run to a time [s] with a frame every so often [s] could not end.
    pub fn check_run(&self, until: f64, every: f64) -> Result<(), WorldError> {
        check_frames(self.driver.t, until, every)?;
        self.check_step_to(until)
    }

    /// Refuses steps that are too short for time to advance to `until`.
    fn check_step_to(&self, until: f64) -> Result<(), WorldError> {
        match &self.steps {
            Some(steps) => check_step("step", steps.length(), until),
            None => check_step("longest step", self.driver.max_step, until),
        }
    }

    /// The time reached [s].
    pub fn time(&self) -> f64 {
        self.driver.t
    }

    /// Names of the bodies, in the order of adding.
    pub fn names(&self) -> &[String] {
        &self.model.names
    }

    /// The shapes as they were placed, by number: shape, body, pose on the body, name of the material.
    pub fn placed_shapes(&self) -> impl Iterator<Item = (&Shape, Option<BodyId>, &Pose, &str)> + '_ {
        let name = |material: usize| self.model.pairs.names.get(material).map_or("", String::as_str);
        self.model
            .shapes
            .iter()
            .map(move |placed| (&placed.shape, placed.body, &placed.at, name(placed.material)))
    }

    /// The names that shapes were given; empty where they were given none.
    pub fn own_shape_names(&self) -> impl Iterator<Item = &str> + '_ {
        self.model.shapes.iter().map(|placed| placed.name.as_str())
    }

    /// The name of a shape: its own, or that of its body, or `fixed shape 3`.
    pub fn shape_name(&self, shape: ShapeId) -> String {
        let placed = self.model.shapes.get(shape.0 as usize);
        let body = placed.and_then(|placed| placed.body).and_then(|body| self.names().get(body.0 as usize));
        name_of_shape(shape, placed.map_or("", |placed| &placed.name), body.map(String::as_str))
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

    /// Pose, velocity of the origin [m/s] and angular velocity in world axes [rad/s] of all bodies, in the order of adding: in time that grows with their number, where asking one by one takes its square.
    pub fn body_states(&self) -> Vec<(Pose, Vec3, Vec3)> {
        let bodies = (0..self.model.tree.bodies() as u32).map(BodyId);
        self.with_state(|ws| {
            bodies.map(|body| (*ws.pose(body), ws.linear_velocity(body), ws.angular_velocity(body))).collect()
        })
    }

    /// How many pairs of shapes can touch at all [-].
    pub fn pairs(&self) -> usize {
        self.model.pair_count()
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

    /// How far each condition of the loops is from being met, in the order of closing [m or rad].
    pub fn loop_errors(&self) -> Vec<f64> {
        let mut errors = vec![0.0; self.model.tree.loop_rows()];
        self.with_state(|ws| self.model.tree.loop_errors(ws, &mut errors));
        errors
    }

    /// The body that a shape is on; none for a shape that is fixed in the world, or that there is not.
    pub fn body_of(&self, shape: ShapeId) -> Option<BodyId> {
        self.model.shapes.get(shape.0 as usize)?.body
    }

    /// Everything that happened so far, in order.
    pub fn events(&self) -> &[Event] {
        &self.model.events
    }

    /// The forces at all contacts now, by pair.
    pub fn contacts(&self) -> Vec<ContactForce> {
        match &self.steps {
            Some(steps) => steps.forces(),
            None => self.model.contact_forces(self.driver.t, &self.driver.y),
        }
    }

    /// The contact points with their normals and forces, by pair: those of the last step, or now where events are located.
    ///
    /// The forces of a pair's points add up to the force of the pair in [`World::contacts`]. The friction of an elastic pair with one normal acts at its centre of pressure; each point has the share of it
    /// that it has of the load, and the torque against spinning is not in the points.
    pub fn contact_points(&self) -> Vec<ContactSpot> {
        match &self.steps {
            Some(steps) => steps.points(),
            None => self.model.contact_points(self.driver.t, &self.driver.y),
        }
    }

    /// Sets what drives a degree of freedom of a joint, from now on.
    pub fn set_motor(&mut self, body: BodyId, index: usize, motor: Motor) -> Result<(), WorldError> {
        self.disturb();
        Ok(self.model.tree.set_motor(body, index, motor)?)
    }

    /// Sets the force at a body's origin [N] and the torque [N m] on it, in world axes, from now on.
    pub fn set_force(&mut self, body: BodyId, force: Vec3, torque: Vec3) -> Result<(), WorldError> {
        if let Some(value) = force.iter().chain(torque.iter()).find(|x| !x.is_finite()) {
            return Err(WorldError::Setting { what: "force", value: *value });
        }
        self.disturb();
        match self.model.applied.get_mut(body.0 as usize) {
            Some(wrench) => *wrench = Wrench { force, torque },
            None => return Err(WorldError::NoBody { body: body.0 }),
        }
        Ok(())
    }

    /// Takes note that forces jump: what rests and how long steps may be is found anew.
    fn disturb(&mut self) {
        self.driver.refresh(None);
        self.model.is_disturbed = true;
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
            assignment: self.model.watch.assignment.clone(),
            gaps: self.model.watch.gaps,
            shapes: self.model.shapes.len(),
            applied: self.model.applied.clone(),
            scheduled: self.model.scheduled.clone(),
            events: self.model.events.clone(),
            tree: self.model.tree.clone(),
            is_disturbed: self.model.is_disturbed,
            method: self.method.clone(),
            steps: self.steps.as_ref().map(|steps| steps.memory.clone()),
        }
    }

    /// Goes back, or forward again, to a state of this world, with the events up to it.
    pub fn restore(&mut self, saved: &Saved) {
        self.driver.clone_from(&saved.driver);
        self.model.discrete.clone_from(&saved.discrete);
        self.model.watch.assignment.clone_from(&saved.assignment);
        self.model.watch.gaps = saved.gaps;
        self.model.applied.clone_from(&saved.applied);
        self.model.scheduled.clone_from(&saved.scheduled);
        self.model.tree.clone_from(&saved.tree);
        self.model.events.clone_from(&saved.events);
        self.model.is_disturbed = saved.is_disturbed;
        if let (Some(steps), Some(memory)) = (&mut self.steps, &saved.steps) {
            steps.memory.clone_from(memory);
            steps.forget_inside();
        }
        if self.method != saved.method && !self.method.is_left() {
            self.method.clone_from(&saved.method);
            self.left = self.left.with(&self.integrator.info());
            self.integrator = self.method.make(self.tolerance);
        }
    }

    /// A number that tells states apart: same bits, same number.
    pub fn hash(&self) -> u64 {
        let numbers = std::iter::once(&self.driver.t).chain(&self.driver.y);
        numbers.fold(fingerprint::START, |hash, x| fingerprint::go_on(hash, &x.to_bits().to_le_bytes()))
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
        let stepped = self.steps.as_ref().map(|steps| &steps.memory);
        WorldInfo {
            method: self
                .steps
                .as_ref()
                .map_or_else(|| self.method.reasons.clone(), |steps| vec![steps.name()]),
            contacts: stepped.map(|memory| memory.count),
            steps: stepped.map_or(drive.steps, |memory| memory.steps),
            rejected: integrator.rejected,
            redone: drive.redone,
            events: stepped.map_or(drive.events, |memory| memory.events),
            evaluations: integrator.evaluations,
            functions: drive.functions,
            gaps: self.model.watch.gaps,
            start_gaps: self.model.start_gaps,
            wall,
            shares: named.map(|(name, time)| (name.to_owned(), share(time))).to_vec(),
        }
    }

    fn with_state<T>(&self, look: impl FnOnce(&zerogap_dynamics::multibody::Workspace) -> T) -> T {
        let scratch = &mut *self.model.scratch.borrow_mut();
        self.model.locate_bodies(self.driver.t, &self.driver.y, scratch);
        look(&scratch.ws)
    }
}
