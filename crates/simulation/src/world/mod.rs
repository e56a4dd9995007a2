//! Bodies that move and touch: shapes on bodies, broad phase, narrow phase, contact laws, integrator and events put together.
//!
//! In: bodies with joints, shapes and materials, from a [`WorldBuilder`]. Out: a [`World`] that runs to any time asked for, with every contact, impact, stop and
//! slide located in time.
//!
//! `World::run` is the loop of every run. A `Method` makes its steps: pairs, contacts, motion, record. With located events the order within a step is written in one function,
//! [`zerogap_dynamics::event::Driver::advance`]: the integrator makes a step with all that is discrete frozen; `method::events` finds the pairs that may touch during it, lists the functions that are searched for
//! the first crossing, and changes what is discrete there, or accepts the step. Time stepping and SiLVIA have theirs in `method::stepping`.
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

mod boxes;
mod build;
mod composition;
mod contact_radius;
mod control;
mod effort;
mod error;
mod events;
mod flexible;
mod forces;
pub(crate) mod frames;
mod gaps;
mod method;
mod model;
mod oriented_pairs;
mod pair_contacts;
mod pairs;
mod params;
mod placed;
mod placed_pair;
mod progress;
mod servo;
mod shapes;
mod start_loops;
mod start_overlaps;
mod stored;
mod stored_state;
mod summary;
mod user;
mod zero_crossings;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use zerogap_contact::cone::CapturedProblem;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::integrate::Integrator;
use zerogap_dynamics::multibody::{BodyId, Energy, Motor, Tree, Wrench};
use zerogap_geometry::Shape;
use zerogap_proximity::collider::ConvexNarrowPhase;

pub use build::{BodyDef, ShapeDef, WorldBuilder};
pub use contact_radius::FLAT_RADIUS;
pub use control::{
    Command, Commanded, Controller, ControllerFunction, Course, FrameQuantity, JointInfo, JointLabel, Labels,
    Sensor, SensorKind, SiteLabel, Zone,
};
pub use effort::Effort;
pub use error::WorldError;
pub use events::{CrowdCause, Event, EventKind};
pub use flexible::{
    FRAME_SPECTRAL_RADIUS, FrameContact, FrameDef, FrameJoint, FrameJointKind, FrameParts, FrameSurface,
};
pub use frames::{ContactForce, ContactPoint, Frame, name_of_shape};
pub use gaps::{FIXED, GapProbe, GapSide, ShapeGap};
pub use method::stepping::{
    ErrorControl, MIN_CONTROLLED_STEP, PatchPoints, SolveCount, StepForces, Stepping,
};
pub use params::{ContactModel, EventLocation, MethodParams, NarrowPhase, WorldParams, ZeroFunctions};
pub use progress::{MAX_FRAMES, MIN_STEP, check_frames, check_step};
pub use servo::Servo;
pub use shapes::{Collision, PairId, QuasiLmd, ShapeId};
pub use start_loops::ASSEMBLY_TOLERANCE;
pub use start_overlaps::{MovedBody, OVERLAPS, Overlaps, StartOverlaps};
pub use stored::StoredError;
pub use summary::{QuasiInfo, WorldInfo};
pub use user::{EventFunction, ForceFunction, View};
pub use zero_crossings::{BodyVelocity, ContactChange, ZeroCrossingError, ZeroCrossingParams, ZeroCrossings};

use control::ControlClock;
use method::{Method, MethodState, Progress};
use model::Model;
use progress::GRID;
use summary::MethodInfo;
use zerogap_core::fingerprint;

/// Bodies that move and touch, at an instant.
pub struct World {
    model: Model,
    method: Box<dyn Method>,
    /// What it takes to change its bodies: the builder without what is in the model.
    recipe: WorldBuilder,
    wall: Duration,
    effort: Effort,
    interrupt: Option<Interrupt>,
    /// Time from which [`World::step`] counts its steps [s].
    step_origin: f64,
    start_overlaps: StartOverlaps,
    assembly: Vec<MovedBody>,
    /// Clocks of commands and of the user's controller.
    clocks: [Option<ControlClock>; 2],
}

/// Asked now and then during a run; a break ends it.
pub type Interrupt = Arc<dyn Fn() -> ControlFlow<()> + Send + Sync>;

/// The whole state of a world, to be restored.
#[derive(Debug, Clone)]
pub struct Saved {
    method: MethodState,
    /// Gaps computed so far [-].
    gaps: usize,
    /// Shapes of the world that were ever added, and what was removed, to know it by [-].
    shapes: usize,
    removed: usize,
    applied: Vec<Wrench>,
    scheduled: Vec<f64>,
    events: Vec<Event>,
    step_origin: f64,
    /// The next ticks of the clocks [-].
    ticks: Vec<usize>,
    tree: Tree,
}

/// Takes frames as they come, with the events so far; a break ends the run, and the frames of steps that are made already still come.
pub type FrameSink<'a> = dyn FnMut(Frame, &[Event]) -> ControlFlow<()> + 'a;

/// Why a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It reached the time asked for.
    Reached,
    /// An event function or the callback of frames stopped it.
    Stopped,
    /// A clock ticked whose controller is outside of the world ([`Controller::Outside`]): the run is to be continued when it has acted.
    Tick,
    /// It was interrupted between two steps, and can continue from there.
    Interrupted,
}

impl World {
    fn new(model: Model, method: Box<dyn Method>, recipe: WorldBuilder) -> Self {
        let (wall, start_overlaps) = (Duration::ZERO, StartOverlaps::default());
        let assembly = Vec::new();
        let mut world = Self {
            model,
            method,
            recipe,
            wall,
            interrupt: None,
            effort: Effort::default(),
            step_origin: 0.0,
            start_overlaps,
            assembly,
            clocks: [None, None],
        };
        world.start_commands();
        world
    }

    /// Runs to a time [s], exactly, or to where a function of the user stops it. A time before the one reached changes nothing.
    ///
    /// Steps do not end there: the state is read from within the last one, and the next call continues with that step. So the bits of a run do not depend on how it is cut into calls; only what the user
    /// changes at a time, or schedules for it ([`World::schedule`]), ends a step there.
    pub fn advance_to(&mut self, t: f64) -> Result<Stop, WorldError> {
        self.advance(t, None)
    }

    /// Advances by the length of a step ([`MethodParams::step`], 1 ms by default), in every method: by one step of stepping and silvia, by as many as the integrator takes where events are located.
    ///
    /// Calling it n times is one [`World::advance_to`], to the bit.
    pub fn step(&mut self) -> Result<Stop, WorldError> {
        self.advance_steps(1)
    }

    /// Advances by so many lengths of a step: to where as many calls of [`World::step`] lead.
    pub fn advance_steps(&mut self, count: usize) -> Result<Stop, WorldError> {
        let until = self.time_after_steps(count);
        self.advance_to(until)
    }

    /// Returns the time to which [`World::advance_steps`] leads [s].
    pub fn time_after_steps(&mut self, count: usize) -> f64 {
        let (step, now) = (self.recipe.params().method.step(), self.time());
        // Times follow from the number of steps since time zero, or since a time that is not one of theirs, so that they do not drift.
        let made = ((now - self.step_origin) / step).round();
        let is_on_grid = (self.step_origin + made * step - now).abs() <= GRID * step;
        if !is_on_grid {
            self.step_origin = now;
        }
        let made = if is_on_grid { made } else { 0.0 };
        self.step_origin + (made + count as f64) * step
    }

    fn advance(&mut self, until: f64, sink: Option<&mut FrameSink<'_>>) -> Result<Stop, WorldError> {
        if !until.is_finite() {
            return Err(WorldError::Setting { what: "time to run to", value: until });
        }
        self.method.check_step(until)?;
        let start = Instant::now();
        let outcome = if self.has_clocks() { self.run_by_clocks(until, sink) } else { self.run(until, sink) };
        self.wall += start.elapsed();
        outcome
    }

    /// Runs to a time [s], and says so where a force function is why it failed.
    fn run(&mut self, until: f64, sink: Option<&mut FrameSink<'_>>) -> Result<Stop, WorldError> {
        self.model.infinite_force.set(None);
        self.run_to(until, sink).map_err(|error| {
            let is_of_step = matches!(error, WorldError::Step { .. } | WorldError::Overflow { .. });
            // Trials that were rejected before do not count.
            match self.model.infinite_force.get().filter(|(t, _)| is_of_step && *t >= self.time()) {
                Some((t, body)) => {
                    WorldError::ForceFunction { t, body: self.model.names[body.index()].clone() }
                }
                None => error,
            }
        })
    }

    /// Runs to a time [s]: the loop of every method.
    fn run_to(&mut self, until: f64, mut sink: Option<&mut FrameSink<'_>>) -> Result<Stop, WorldError> {
        let is_followed = sink.is_some() || self.interrupt.is_some() || self.effort.is_limited();
        let start = Instant::now();
        self.method.begin(&mut self.model)?;
        loop {
            // Some steps. In each the method asks the model for pairs and contacts, moves the bodies and records the frames that are due.
            let progress = self.method.advance(&mut self.model, until, is_followed);
            // Frames, also those before an error.
            if let Some(sink) = &mut sink
                && self.hand_over(sink).is_break()
            {
                return Ok(Stop::Stopped);
            }
            // On, unless somebody ends the run.
            match progress? {
                Progress::Reached => return Ok(Stop::Reached),
                Progress::Stopped => return Ok(Stop::Stopped),
                Progress::Paused if self.interrupt.as_ref().is_some_and(|ask| ask().is_break()) => {
                    return Ok(Stop::Interrupted);
                }
                Progress::Recorded | Progress::Paused => {}
            }
            if self.effort.is_limited() {
                self.effort.check((self.time(), self.wall + start.elapsed()), &self.method.info())?;
            }
        }
    }

    /// Limits the effort of runs from now on; the steps do not depend on it.
    pub fn limit_effort(&mut self, effort: Effort) {
        self.effort = effort;
    }

    /// Sets a callback that can interrupt a run, called every few steps; none removes it. The steps do not depend on it.
    pub fn interrupt_with(&mut self, ask: Option<Interrupt>) {
        self.interrupt = ask;
    }

    /// Delivers all available frames, also those after one that ends the run: the steps are made, and frames reach as far as they do.
    fn hand_over(&mut self, sink: &mut FrameSink<'_>) -> ControlFlow<()> {
        let frames = self.model.recorder.as_mut().map(|recorder| std::mem::take(&mut recorder.frames));
        let mut outcome = ControlFlow::Continue(());
        for frame in frames.into_iter().flatten() {
            if sink(frame, self.events()).is_break() {
                outcome = ControlFlow::Break(());
            }
        }
        outcome
    }

    /// Continues with an integrator of the caller's own, for tests and for other methods; a world that advances by steps has none and ignores it. From now on nothing chooses between methods any more, and restoring a saved state keeps it.
    pub fn set_integrator(&mut self, integrator: Box<dyn Integrator>) {
        self.method.set_integrator(integrator);
    }

    /// Runs to a time and passes frames at an interval [s] to a callback, from the dense output: the steps are those of [`World::advance_to`].
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
        self.stream_by(frames::Recorder::new(self.time(), every), t, sink)
    }

    /// Continues a stream that ended with [`Stop::Tick`], with the frames that would have come next.
    pub fn resume_stream(&mut self, t: f64, sink: &mut FrameSink<'_>) -> Result<Stop, WorldError> {
        match self.model.recorder.take() {
            Some(recorder) => self.stream_by(recorder, t, sink),
            None => self.advance(t, Some(sink)),
        }
    }

    fn stream_by(
        &mut self,
        recorder: frames::Recorder,
        t: f64,
        sink: &mut FrameSink<'_>,
    ) -> Result<Stop, WorldError> {
        self.model.recorder = Some(recorder);
        let outcome = self.advance(t, Some(sink));
        if outcome != Ok(Stop::Tick) {
            self.model.recorder = None;
        }
        outcome
    }

    /// Returns an error where a run to a time [s] with a frame every so often [s] could not end.
    pub fn check_run(&self, until: f64, every: f64) -> Result<(), WorldError> {
        check_frames(self.time(), until, every)?;
        self.method.check_step(until)
    }

    /// Returns the bodies that were moved to close loops when the world was built, and how far.
    pub fn assembly(&self) -> &[MovedBody] {
        &self.assembly
    }

    /// Returns what was done about shapes that overlapped, at the start or where they were added ([`WorldBuilder::set_overlaps`]). A world that was made from stored bytes knows nothing of it, and excludes the same pairs.
    pub fn start_overlaps(&self) -> &StartOverlaps {
        &self.start_overlaps
    }

    /// Returns what was done about shapes that overlapped, in a line each with names.
    pub fn overlap_warnings(&self) -> Vec<String> {
        let StartOverlaps { moved, excluded } = &self.start_overlaps;
        let moved = moved.iter().map(|MovedBody { body, distance, angle }| {
            let name = &self.model.names[body.index()];
            format!("'{name}' overlapped at the start and was moved by {distance:.3e} m and {angle:.3e} rad")
        });
        let excluded = excluded.iter().map(|(pair, overlap)| {
            let (a, b) = (self.shape_name(pair.a), self.shape_name(pair.b));
            format!("'{a}' and '{b}' overlap by {overlap:.3e} m at the start and never touch")
        });
        moved.chain(excluded).collect()
    }

    /// The time reached [s].
    pub fn time(&self) -> f64 {
        self.method.time()
    }

    /// Names of the bodies, in the order of adding; those that were removed keep their places.
    pub fn names(&self) -> &[String] {
        &self.model.names
    }

    /// The shapes as they were placed, by number; in the place of one that was removed is a point: shape, body, pose on the body, name of the material.
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
        self.model.parts(self.method.current_state()).q
    }

    /// Velocities of all joints.
    pub fn velocities(&self) -> &[f64] {
        self.model.parts(self.method.current_state()).v
    }

    /// The pose of a body.
    ///
    /// # Panics
    /// Where there is no such body, or where it was removed ([`World::check_body`]).
    pub fn pose(&self, body: BodyId) -> Pose {
        self.model.require_body(body);
        self.with_state(|ws| *ws.pose(body))
    }

    /// The velocity of a body's origin [m/s].
    ///
    /// # Panics
    /// Where there is no such body, or where it was removed ([`World::check_body`]).
    pub fn velocity(&self, body: BodyId) -> Vec3 {
        self.model.require_body(body);
        self.with_state(|ws| ws.linear_velocity(body))
    }

    /// The angular velocity of a body, in world axes [rad/s].
    ///
    /// # Panics
    /// Where there is no such body, or where it was removed ([`World::check_body`]).
    pub fn angular_velocity(&self, body: BodyId) -> Vec3 {
        self.model.require_body(body);
        self.with_state(|ws| ws.angular_velocity(body))
    }

    /// Pose, velocity of the origin [m/s] and angular velocity in world axes [rad/s] of all bodies that there are, in the order of [`World::bodies`]: in time that grows with their number, where asking one by one takes its square.
    pub fn body_states(&self) -> Vec<(Pose, Vec3, Vec3)> {
        let bodies = self.model.bodies.iter();
        self.with_state(|ws| {
            bodies
                .map(|&body| (*ws.pose(body), ws.linear_velocity(body), ws.angular_velocity(body)))
                .collect()
        })
    }

    /// Has every step of time stepping keep a copy of its contact problem ([`World::contact_problem`]), or no longer; other methods ignore it. Adding or removing bodies ends it.
    pub fn keep_contact_problems(&mut self, is_kept: bool) {
        self.method.keep_contact_problems(is_kept);
    }

    /// Returns the contact problem of the last time step that had one, exactly as the solver saw it, with the impulses it started from and those it ended with: the velocities at the end of the step, not impacts with restitution and not
    /// position corrections. None unless [`World::keep_contact_problems`] asked for it.
    pub fn contact_problem(&self) -> Option<&CapturedProblem> {
        self.method.contact_problem()
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

    /// How far each condition of the loops is from zero, in the order of closing [m or rad].
    pub fn loop_errors(&self) -> Vec<f64> {
        let mut errors = vec![0.0; self.model.tree.loop_rows()];
        self.with_state(|ws| self.model.tree.loop_errors(ws, &mut errors));
        errors
    }

    /// The body that a shape is on; none for a shape that is fixed in the world, or that there is not.
    pub fn body_of(&self, shape: ShapeId) -> Option<BodyId> {
        self.model.shapes.get(shape.0 as usize)?.body
    }

    /// Returns all events so far, in order.
    pub fn events(&self) -> &[Event] {
        // Those that lie ahead, in the rest of a step that is made already, have not happened yet: they come last, and are few.
        let (events, until) = (&self.model.events, self.method.known_until());
        let ahead = events.iter().rev().take_while(|event| event.t > until).count();
        &events[..events.len() - ahead]
    }

    /// The forces at all contacts now, by pair.
    pub fn contacts(&self) -> Vec<ContactForce> {
        self.method.contact_forces(&self.model)
    }

    /// The contact points with their normals and forces, by pair: those of the step that the time reached lies in, or now where events are located.
    ///
    /// The forces of a pair's points add up to the force of the pair in [`World::contacts`]. The friction of an elastic pair with one normal acts at its centre of pressure; each point has the fraction of it
    /// that it has of the load, and the torque against spinning is not in the points.
    pub fn contact_points(&self) -> Vec<ContactPoint> {
        self.method.contact_points(&self.model)
    }

    /// Sets what drives a degree of freedom of a joint, from now on: the time reached becomes the end of a step, unless nothing changes.
    pub fn set_motor(&mut self, body: BodyId, index: usize, motor: Motor) -> Result<(), WorldError> {
        self.check_body(body)?;
        let before = self.model.tree.motor(body, index)?;
        if before == motor {
            return Ok(());
        }
        // One that is refused changes nothing; the step that ends here is still driven by the one before.
        self.model.tree.set_motor(body, index, motor)?;
        self.model.tree.set_motor(body, index, before)?;
        self.method.make_boundary(&mut self.model)?;
        self.model.tree.set_motor(body, index, motor)?;
        self.method.wake(&mut self.model, body);
        self.method.disturb();
        Ok(())
    }

    /// Sets the force at a body's origin [N] and the torque [N m] on it, in world axes, from now on: the time reached becomes the end of a step, unless nothing changes.
    pub fn set_force(&mut self, body: BodyId, force: Vec3, torque: Vec3) -> Result<(), WorldError> {
        if let Some(value) = force.iter().chain(torque.iter()).find(|x| !x.is_finite()) {
            return Err(WorldError::Setting { what: "force", value: *value });
        }
        self.check_body(body)?;
        let applied = Wrench { force, torque };
        if self.model.applied[body.index()] == applied {
            return Ok(());
        }
        self.method.make_boundary(&mut self.model)?;
        self.method.wake(&mut self.model, body);
        self.model.applied[body.index()] = applied;
        self.method.disturb();
        Ok(())
    }

    /// Adds a force that is a function of time and state, from now on: the time reached becomes the end of a step.
    pub fn add_force(&mut self, force: ForceFunction) -> Result<(), WorldError> {
        for body in &force.bodies {
            self.check_body(*body)?;
        }
        self.method.make_boundary(&mut self.model)?;
        for body in &force.bodies {
            self.method.wake(&mut self.model, *body);
        }
        self.model.user_forces.push(force);
        self.method.disturb();
        Ok(())
    }

    /// Adds a function whose zeros are events, from now on, and returns its number: the time reached becomes the end of a step.
    pub fn add_event(&mut self, function: EventFunction) -> Result<usize, WorldError> {
        self.method.make_boundary(&mut self.model)?;
        self.model.users.push(function);
        Ok(self.model.users.len() - 1)
    }

    /// Whether a body sleeps: it has been at rest for so long that it is frozen ([`Stepping::sleep`]).
    pub fn is_asleep(&self, body: BodyId) -> bool {
        self.method.is_asleep(body)
    }

    /// Wakes a body that sleeps, with all that it touches; others are as they were. Contacts, forces and motors that change do so by themselves.
    pub fn wake(&mut self, body: BodyId) -> Result<(), WorldError> {
        self.check_body(body)?;
        if self.is_asleep(body) {
            self.method.make_boundary(&mut self.model)?;
            self.method.wake(&mut self.model, body);
        }
        Ok(())
    }

    /// Schedules an instant [s] at which a step ends and the equations may change.
    pub fn schedule(&mut self, t: f64) -> Result<(), WorldError> {
        if !(t > self.time() && t.is_finite()) {
            return Err(WorldError::Setting { what: "scheduled time", value: t });
        }
        let at = self.model.scheduled.partition_point(|time| *time < t);
        self.model.scheduled.insert(at, t);
        self.method.schedule(&mut self.model, t)
    }

    /// Returns the whole state, to be restored with the same bits: what is ahead of the time reached is part of it.
    pub fn save(&self) -> Saved {
        Saved {
            method: self.method.save(&self.model),
            gaps: self.model.gaps,
            shapes: self.model.shapes.len(),
            removed: self.model.removed_count(),
            applied: self.model.applied.clone(),
            scheduled: self.model.scheduled.clone(),
            events: self.model.events.clone(),
            step_origin: self.step_origin,
            ticks: self.ticks(),
            tree: self.model.tree.clone(),
        }
    }

    /// Goes back, or forward again, to a state of this world, with the events up to it.
    ///
    /// Fails: where bodies or fixed shapes were added or removed since; the world is then as it was.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), WorldError> {
        if !self.has_bodies_of(saved) {
            return Err(WorldError::OtherBodies);
        }
        self.method.restore(&mut self.model, &saved.method);
        self.step_origin = saved.step_origin;
        self.set_ticks(&saved.ticks);
        self.model.gaps = saved.gaps;
        self.model.applied.clone_from(&saved.applied);
        self.model.scheduled.clone_from(&saved.scheduled);
        self.model.tree.clone_from(&saved.tree);
        self.model.events.clone_from(&saved.events);
        Ok(())
    }

    /// Whether a state has the bodies and shapes of this world: no number is given twice, so their counts decide.
    fn has_bodies_of(&self, saved: &Saved) -> bool {
        saved.shapes == self.model.shapes.len()
            && saved.applied.len() == self.model.applied.len()
            && saved.removed == self.model.removed_count()
    }

    /// Returns a hash of the state: same bits, same hash.
    pub fn hash(&self) -> u64 {
        let t = self.time();
        let numbers = std::iter::once(&t).chain(self.method.current_state());
        numbers.fold(fingerprint::START, |hash, x| fingerprint::go_on(hash, &x.to_bits().to_le_bytes()))
    }

    /// What the run has done and what that cost.
    pub fn info(&self) -> WorldInfo {
        let times = *self.model.times.borrow();
        let info = self.method.info();
        let MethodInfo { names, steps, rejected, redone, events, evaluations, functions, .. } = info;
        let (captured, captured_time) = info.captured.unwrap_or_default();
        let wall = self.wall.as_secs_f64();
        let named = [
            ("dynamics", times.dynamics),
            ("narrow phase and laws", times.narrow),
            ("holding", times.holding),
            ("zero functions", times.functions),
            ("broad phase", times.broad),
            ("events", times.events),
        ];
        let narrow_phase = self.model.narrow_phase();
        let fraction = |time: Duration| if wall > 0.0 { time.as_secs_f64() / wall } else { 0.0 };
        WorldInfo {
            method: names,
            contacts: info.contacts,
            sleeping: info.sleeping,
            unresolved: info.unresolved,
            captured,
            captured_time,
            steps,
            rejected,
            redone,
            events,
            evaluations,
            functions,
            gaps: self.model.gaps,
            quasi_lmds: self.model.quasi_lmds(),
            start_gaps: self.model.start_gaps,
            narrow_phase_calls: narrow_phase.map(ConvexNarrowPhase::calls),
            wall,
            time_fractions: named
                .into_iter()
                .chain(narrow_phase.map(|own| (own.kernel().word(), own.time())))
                .map(|(name, time)| (name.to_owned(), fraction(time)))
                .collect(),
        }
    }

    fn with_state<T>(&self, read: impl FnOnce(&zerogap_dynamics::multibody::Workspace) -> T) -> T {
        let scratch = &mut *self.model.scratch.borrow_mut();
        self.model.locate_bodies(self.time(), self.method.current_state(), &mut scratch.ws);
        read(&scratch.ws)
    }
}
