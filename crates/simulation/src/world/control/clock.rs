//! A clock that calls a controller at exact times, in every method.
//!
//! In: a function of the user, or scheduled commands, and a period. Out: calls at 0, 1, 2, ... periods from the time at which it was set, each before time goes on from there. Every step ends at the next of these times at the latest, so what a
//! controller reads is the state at the end of a step, and what it sets holds from exactly there. The bits of a run do not depend on how it is cut into calls.

use crate::world::progress::GRID;
use crate::world::{FrameSink, Stop, World, WorldError};

/// Called at every tick of a clock.
pub type ControllerFunction = Box<dyn FnMut(&mut World) -> Result<(), WorldError> + Send>;

/// What a clock calls.
pub enum Controller {
    /// A function of the user.
    Function(ControllerFunction),
    /// Nothing: a run ends at every tick with [`Stop::Tick`], and whoever runs the world does what is to be done and continues.
    Outside,
}

/// What the clock of a world calls at its ticks.
enum Caller {
    /// The commands of the builder ([`crate::world::Command`]).
    Commands,
    User(Controller),
}

/// A clock of a world.
pub(crate) struct ControlClock {
    period: f64,
    /// When it was set [s].
    origin: f64,
    /// Number of the next tick [-].
    pub(crate) next: usize,
    caller: Caller,
}

impl ControlClock {
    /// The clock of the commands of a scene.
    pub(crate) fn of_commands(period: f64) -> Self {
        Self { period, origin: 0.0, next: 0, caller: Caller::Commands }
    }

    /// The time of the next tick [s]; from its number, so that times do not drift.
    fn time(&self) -> f64 {
        self.origin + self.next as f64 * self.period
    }

    /// Whether the next tick is at a time or was before [s].
    fn is_due(&self, t: f64) -> bool {
        self.time() <= t + GRID * self.period
    }
}

/// Places of the clocks of a world: commands are called before the user.
pub(crate) const COMMANDS: usize = 0;
const USER: usize = 1;

impl World {
    /// Sets what is called every `period` [s] from the time reached on, which becomes the end of a step; the first call is before time goes on. A second call replaces the first.
    ///
    /// A function may read and change whatever the world lets a program read and change; it cannot run it. Saved states know how many calls there were, and not the function.
    ///
    /// Fails: where the period is not positive and finite.
    pub fn set_controller(&mut self, period: f64, controller: Controller) -> Result<(), WorldError> {
        if !(period > 0.0 && period.is_finite()) {
            return Err(WorldError::Setting { what: "period of a controller", value: period });
        }
        crate::world::check_step("period of a controller", period, self.time())?;
        self.method.make_boundary(&mut self.model)?;
        self.method.disturb();
        let origin = self.time();
        self.clocks[USER] = Some(ControlClock { period, origin, next: 0, caller: Caller::User(controller) });
        Ok(())
    }

    /// Sets a function that is called every `period` [s], as [`World::set_controller`] does.
    ///
    /// ```
    /// # use zerogap_core::{Pose, Vec3};
    /// # use zerogap_simulation::world::{BodyDef, WorldBuilder, WorldParams};
    /// let mut builder = WorldBuilder::new(WorldParams::default());
    /// let inertia = zerogap_dynamics::multibody::Inertia::sphere(2.0, 0.1);
    /// let drone = builder.body(BodyDef::free(Pose::identity()).with_inertia(inertia))?;
    /// let mut world = builder.build()?;
    /// world.control_by(1e-3, move |world| {
    ///     let (height, speed) = (world.pose(drone).translation().z, world.velocity(drone).z);
    ///     world.set_force(drone, Vec3::new(0.0, 0.0, 2.0 * 9.81 - 40.0 * (height - 1.0) - 20.0 * speed), Vec3::zeros())
    /// })?;
    /// world.advance_to(3.0)?;
    /// assert!((world.pose(drone).translation().z - 1.0).abs() < 1e-3);
    /// # Ok::<(), zerogap_simulation::world::WorldError>(())
    /// ```
    pub fn control_by(
        &mut self,
        period: f64,
        function: impl FnMut(&mut World) -> Result<(), WorldError> + Send + 'static,
    ) -> Result<(), WorldError> {
        self.set_controller(period, Controller::Function(Box::new(function)))
    }

    /// Removes the controller of the user.
    pub fn remove_controller(&mut self) {
        self.clocks[USER] = None;
        self.model.tick = f64::INFINITY;
    }

    /// Whether anything is called at ticks.
    pub(crate) fn has_clocks(&self) -> bool {
        self.clocks.iter().any(Option::is_some)
    }

    /// The next tick of each clock, zero where there is none [-].
    pub(crate) fn ticks(&self) -> Vec<usize> {
        self.clocks.iter().map(|clock| clock.as_ref().map_or(0, |clock| clock.next)).collect()
    }

    /// Returns to ticks of a saved state.
    pub(crate) fn set_ticks(&mut self, ticks: &[usize]) {
        for (clock, next) in self.clocks.iter_mut().zip(ticks) {
            if let Some(clock) = clock {
                clock.next = *next;
            }
        }
    }

    /// The time of the next tick of any clock [s]; infinity where there is none.
    fn next_tick(&self) -> f64 {
        self.clocks.iter().flatten().map(ControlClock::time).fold(f64::INFINITY, f64::min)
    }

    /// Runs to a time [s], with calls at all ticks before it.
    pub(crate) fn run_by_clocks(
        &mut self,
        until: f64,
        mut sink: Option<&mut FrameSink<'_>>,
    ) -> Result<Stop, WorldError> {
        loop {
            if until > self.time() && self.call_due()? {
                return Ok(Stop::Tick);
            }
            let tick = self.next_tick();
            self.model.tick = tick;
            let target = until.min(tick);
            let stop = self.run(target, sink.as_deref_mut())?;
            if stop != Stop::Reached || target >= until {
                return Ok(stop);
            }
        }
    }

    /// Calls all that is due now; whether somebody outside is to act.
    fn call_due(&mut self) -> Result<bool, WorldError> {
        let t = self.time();
        for place in 0..self.clocks.len() {
            let Some(mut clock) = self.clocks[place].take_if(|clock| clock.is_due(t)) else { continue };
            clock.next += 1;
            let called = match &mut clock.caller {
                Caller::Commands => self.follow_commands(t).map(|()| false),
                Caller::User(Controller::Outside) => Ok(true),
                Caller::User(Controller::Function(function)) => function(self).map(|()| false),
            };
            // One that the function has set itself stays.
            if self.clocks[place].is_none() {
                self.clocks[place] = Some(clock);
            }
            if called? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
