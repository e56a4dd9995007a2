//! Test double, not for simulation: an integrator with spurious trial evaluations, as rejected steps make them, to show that a system keeps no memory of them.
//!
//! In: any [`Integrator`]. Out: the very same steps, bit for bit, if the system is a function of time and state alone; different ones if a trial evaluation leaves a trace.
//! It is public because tests of other crates use it.

use super::{Integrator, IntegratorInfo, StepError, System};
use zerogap_core::random::Random;

/// Evaluates its system at random trial states, then lets the method inside make its step.
#[derive(Debug, Clone)]
pub struct Rejecting<I> {
    inner: I,
    random: Random,
    trials: usize,
    /// How far trial states are off, as a part of each state and of its unit [-].
    reach: f64,
    rejected: usize,
    y: Vec<f64>,
    dy: Vec<f64>,
}

impl<I: Integrator> Rejecting<I> {
    /// Makes `trials` evaluations before each step [-], at states off by up to `reach` times their size plus their scale [-], the same ones for the same seed.
    pub fn new(inner: I, trials: usize, reach: f64, seed: u64) -> Self {
        Self { inner, random: Random::new(seed), trials, reach, rejected: 0, y: Vec::new(), dy: Vec::new() }
    }

    /// The method inside.
    pub fn inner(&self) -> &I {
        &self.inner
    }

    /// Evaluates the system where a rejected step might have: up to a step ahead, anywhere around where it stands.
    fn disturb(&mut self, system: &dyn System) {
        let step = self.inner.next_step();
        for _ in 0..self.trials {
            let t = self.inner.t() + step * self.random.range(0.0, 1.0);
            self.y.clear();
            self.y.extend_from_slice(self.inner.state());
            for (i, y) in self.y.iter_mut().enumerate() {
                *y += self.reach * (y.abs() + system.scale(i)) * self.random.range(-1.0, 1.0);
            }
            self.dy.resize(self.y.len(), 0.0);
            system.derivative(t, &self.y, &mut self.dy);
            self.rejected += 1;
        }
    }
}

impl<I: Integrator> Integrator for Rejecting<I> {
    fn name(&self) -> &'static str {
        "rejecting"
    }

    fn restart(
        &mut self,
        system: &dyn System,
        t: f64,
        y: &[f64],
        step: Option<f64>,
    ) -> Result<(), StepError> {
        self.inner.restart(system, t, y, step)
    }

    fn step(&mut self, system: &dyn System, limit: f64) -> Result<(), StepError> {
        self.disturb(system);
        self.inner.step(system, limit)
    }

    fn t_before(&self) -> f64 {
        self.inner.t_before()
    }

    fn t(&self) -> f64 {
        self.inner.t()
    }

    fn state(&self) -> &[f64] {
        self.inner.state()
    }

    fn dense(&self, t: f64, y: &mut [f64]) {
        self.inner.dense(t, y);
    }

    fn correct(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError> {
        self.inner.correct(system, y)
    }

    fn next_step(&self) -> f64 {
        self.inner.next_step()
    }

    /// Counts the trials as rejected steps of one evaluation each.
    fn info(&self) -> IntegratorInfo {
        let info = self.inner.info();
        IntegratorInfo {
            rejected: info.rejected + self.rejected,
            evaluations: info.evaluations + self.rejected,
            ..info
        }
    }
}
