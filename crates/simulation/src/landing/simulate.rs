//! A landing that runs: time, state, frames, loads.

use std::ops::ControlFlow;
use std::time::Instant;

use zerogap_dynamics::event::{Advance, Driver};
use zerogap_dynamics::integrate::{Integrator, IntegratorKind};
use zerogap_dynamics::multibody::Energy;

use super::model::{DEFLECTION, Model};
use super::{LandingError, LandingParams, NODES, SKIDS};
use crate::world::frames::Recorder;
use crate::world::{Event, Frame, FrameSink, Interrupt, WorldInfo, check_frames, check_step};
use zerogap_core::fingerprint;

/// Steps between two checks for frames and interrupts [-].
const STEPS_IN_ONE_GO: usize = 500;

/// What the deck does to a skid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The surface of the deck, by its number in [`super::SURFACES`].
    pub surface: usize,
    /// Gap below that surface [m].
    pub gap: f64,
    /// Along the normal of the surface [N].
    pub normal_force: f64,
    /// Along the surface, in the direction of clockwise corners [N].
    pub friction: f64,
    /// Across and up in the world [N].
    pub force: [f64; 2],
    /// Whether it sticks.
    pub sticks: bool,
}

/// The gear at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Gear {
    /// Places of the nodes, across and up [m].
    pub nodes: [[f64; 2]; NODES],
    /// Loads of the two skids, nodes 1 and 6; none in the air.
    pub loads: [Option<Load>; SKIDS.len()],
    /// Tensions of the ropes [N].
    pub tensions: Vec<f64>,
}

/// A landing, with time and state.
///
/// ```
/// use zerogap_simulation::landing::{Landing, LandingParams};
///
/// let mut landing = Landing::new(LandingParams::default())?;
/// landing.advance_to(2.5)?;
/// let first = &landing.events()[0];
/// assert!(first.t > 0.5 && first.t < 2.5);
/// // Both skids are on the top of the deck.
/// assert!(landing.gear().loads.iter().flatten().all(|load| load.surface == 0));
/// # Ok::<(), zerogap_simulation::landing::LandingError>(())
/// ```
pub struct Landing {
    model: Model,
    driver: Driver,
    integrator: Box<dyn Integrator>,
    wall: f64,
    interrupt: Option<Interrupt>,
}

impl std::fmt::Debug for Landing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Landing").field("t", &self.driver.time()).finish_non_exhaustive()
    }
}

impl Landing {
    /// A landing at time zero.
    pub fn new(params: LandingParams) -> Result<Self, LandingError> {
        let kind = match params.integrator {
            IntegratorKind::Auto => IntegratorKind::Radau,
            asked => asked,
        };
        let integrator = kind.make(params.tolerance);
        Self::with_integrator(params, integrator)
    }

    /// A landing by an integrator of the caller's.
    pub fn with_integrator(
        params: LandingParams,
        integrator: Box<dyn Integrator>,
    ) -> Result<Self, LandingError> {
        let max_step = params.max_step;
        let (model, y) = Model::new(params)?;
        let mut driver = Driver::new(0.0, y);
        (driver.max_step, driver.steps_in_one_go) = (max_step, STEPS_IN_ONE_GO);
        Ok(Self { model, driver, integrator, wall: 0.0, interrupt: None })
    }

    /// Sets a callback that is asked every few steps and can interrupt a run.
    pub fn interrupt_with(&mut self, ask: Option<Interrupt>) {
        self.interrupt = ask;
    }

    /// Runs to a time [s].
    pub fn advance_to(&mut self, until: f64) -> Result<(), LandingError> {
        self.go(until, &mut |_, _| ControlFlow::Continue(())).map(|_| ())
    }

    /// Returns an error where a run to a time [s] with a frame every so often [s] could not end.
    pub fn check_run(&self, until: f64, every: f64) -> Result<(), LandingError> {
        check_frames(self.driver.time(), until, every)?;
        Ok(check_step("longest step", self.driver.max_step, until)?)
    }

    /// Runs to a time [s] and returns frames at even times and the events so far; the caller may end it early, which is reported.
    pub fn stream_to(
        &mut self,
        until: f64,
        every: f64,
        sink: &mut FrameSink<'_>,
    ) -> Result<ControlFlow<()>, LandingError> {
        self.check_run(until, every)?;
        self.model.recorder = Some(Recorder::new(self.driver.time(), every));
        let outcome = self.go(until, sink);
        self.model.recorder = None;
        outcome
    }

    fn go(&mut self, until: f64, sink: &mut FrameSink<'_>) -> Result<ControlFlow<()>, LandingError> {
        let start = Instant::now();
        let outcome = loop {
            // The first frame is of where it stands, before any step.
            if let Some(recorder) = &mut self.model.recorder
                && let Some(t) = recorder.due(self.driver.time())
                && t <= self.driver.time()
            {
                let mut recorder = self.model.recorder.take();
                let frame = self.model.shown(self.driver.time(), self.driver.state(), 0.0);
                if let Some(recorder) = &mut recorder {
                    recorder.push(frame);
                }
                self.model.recorder = recorder;
            }
            let advanced = self.driver.advance(&mut self.model, &mut *self.integrator, until);
            let frames =
                self.model.recorder.as_mut().map(|r| std::mem::take(&mut r.frames)).unwrap_or_default();
            let mut flow = ControlFlow::Continue(());
            for frame in frames {
                flow = sink(frame, &self.model.events);
                if flow.is_break() {
                    break;
                }
            }
            match advanced {
                Err(error) => break Err(error.into()),
                Ok(_) if flow.is_break() => break Ok(flow),
                Ok(Advance::Paused) if self.interrupt.as_ref().is_some_and(|ask| ask().is_break()) => {
                    break Ok(ControlFlow::Break(()));
                }
                Ok(Advance::Paused) => {}
                Ok(_) => break Ok(flow),
            }
        };
        self.wall += start.elapsed().as_secs_f64();
        outcome
    }

    /// The time reached [s].
    pub fn time(&self) -> f64 {
        self.driver.time()
    }

    /// All events; pairs are of shapes of the recording: the deck's surfaces, then aircraft, tubes and skids.
    pub fn events(&self) -> &[Event] {
        &self.model.events
    }

    /// What was given.
    pub fn params(&self) -> &LandingParams {
        &self.model.params
    }

    /// Weight of the aircraft with its gear [N].
    pub fn weight(&self) -> f64 {
        self.model.weight()
    }

    /// What the rotor carries now [N].
    pub fn lift(&self) -> f64 {
        self.model.lift(self.driver.time())
    }

    /// Place of the body's centre of mass, across and up [m], and its roll [rad].
    pub fn body(&self) -> [f64; 3] {
        let placed = self.model.frame.placed(self.driver.state());
        self.model.frame.carried(&placed.body, [0.0; 2]).at
    }

    /// The gear now.
    pub fn gear(&self) -> Gear {
        let (t, y) = (self.driver.time(), self.driver.state());
        let placed = self.model.frame.placed(y);
        let forces = self.model.skid_forces(t, y);
        let load = |skid: usize| {
            let on = forces[skid]?;
            let force = on.force.total(&on.normal);
            Some(Load {
                surface: on.surface,
                gap: on.gap,
                normal_force: on.force.normal_force,
                friction: on.force.friction.dot(&on.tangent),
                force: [force.x, force.y],
                sticks: self.model.touch.sticks(skid),
            })
        };
        Gear {
            nodes: placed.nodes.map(|node| [node.at[0], node.at[1]]),
            loads: [load(0), load(1)],
            tensions: self.model.tensions(t, y),
        }
    }

    /// Energies of the aircraft; that of bending is the one of springs [J].
    pub fn energy(&self) -> Energy {
        self.model.energy(self.driver.state())
    }

    /// The state: coordinates, rates, bristle deflections of the skids along the deck.
    pub fn state(&self) -> &[f64] {
        self.driver.state()
    }

    /// Number of coordinates, of rates and of bristle deflections among the states [-].
    pub fn layout() -> [usize; 3] {
        [DEFLECTION / 2, DEFLECTION / 2, SKIDS.len()]
    }

    /// Returns a hash of the state.
    pub fn hash(&self) -> u64 {
        let t = self.driver.time();
        let numbers = std::iter::once(&t).chain(self.driver.state());
        numbers.fold(fingerprint::START, |hash, x| fingerprint::go_on(hash, &x.to_bits().to_le_bytes()))
    }

    /// What the run did so far and what it cost.
    pub fn info(&self) -> WorldInfo {
        let (driver, integrator) = (&self.driver.info, self.integrator.info());
        WorldInfo {
            quasi_lmds: Vec::new(),
            method: vec![format!("{} with located events", self.integrator.name())],
            steps: driver.steps,
            rejected: integrator.rejected,
            redone: driver.redone,
            events: driver.events,
            evaluations: integrator.evaluations,
            functions: driver.functions,
            captured: 0,
            captured_time: 0.0,
            gaps: 0,
            start_gaps: 0,
            narrow_phase_calls: None,
            step_times: None,
            contacts: None,
            sleeping: None,
            unresolved: None,
            wall: self.wall,
            time_fractions: Vec::new(),
        }
    }

    /// A frame of now.
    pub fn frame(&self) -> Frame {
        self.model.shown(self.driver.time(), self.driver.state(), 0.0)
    }
}
