//! Motion of a frame by implicit steps.
//!
//! In: a state, loads that may change from step to step. Out: the state after each step. Large rotations, inertia with centrifugal and gyroscopic terms, damping of `Frame::set_damping`.
//! Method: generalised-α on rotations (Chung and Hulbert 1993; Brüls, Cardona and Arnold 2012), second order, equilibrium at the end of each step, Newton's method. Its linear form is stable for steps of any length;
//! with a spectral radius of 1 it is the trapezoidal rule, which keeps the energy of small vibrations, with less it damps what a step does not resolve. A step that is not solved is divided in two,
//! again and again.
//! Rotations change by rotation vectors in the axes of space: `R₁ = exp(Δ) R₀`. The iteration matrix leaves out how gyroscopic and centrifugal forces change, which is small for spins that turn less than a radian in a step.

use zerogap_core::nalgebra::UnitQuaternion;
use zerogap_core::pose::rotation_vector;

use super::block_matrix::{BlockMatrix, Vector6};
use super::rotation::{exp, inverse_tangent};
use super::{Frame, FrameError, FrameLoads, FrameState};

/// A correction that no longer falls is rounding where it is below this [-].
const ROUNDING: f64 = 1e-9;

/// A node that rotates by more than this in a step takes part in a step that is too long [rad].
const MAX_TURN: f64 = 1.0;

/// How often a step is divided in two at most [-].
const MAX_HALVINGS: u32 = 12;

/// How motions are integrated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionParams {
    /// Spectral radius for steps far longer than a period [-]: 1 damps nothing, 0 removes such motions in a step.
    pub spectral_radius: f64,
    /// The last correction of the nodes in a step, against the size of the frame or in rad [-].
    pub tolerance: f64,
    /// Iterations of each step at most [-].
    pub max_iterations: usize,
}

impl Default for MotionParams {
    fn default() -> Self {
        Self { spectral_radius: 0.9, tolerance: 1e-10, max_iterations: 25 }
    }
}

/// Weights of generalised-α for a spectral radius.
#[derive(Debug, Clone, Copy)]
struct Weights {
    alpha_m: f64,
    alpha_f: f64,
    gamma: f64,
    beta: f64,
}

impl Weights {
    fn new(radius: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0));
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, gamma, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5) }
    }
}

/// A frame in motion.
#[derive(Debug, Clone)]
pub struct FrameMotion {
    frame: Frame,
    params: MotionParams,
    weights: Weights,
    state: FrameState,
    /// Accelerations of the nodes [m/s², rad/s²], and their running mean that the method integrates.
    accelerations: [Vec<Vector6>; 2],
    time: f64,
    iterations: usize,
}

impl FrameMotion {
    /// From a state, with the accelerations that loads give it. Held degrees of freedom lose their velocities.
    pub fn new(
        frame: Frame,
        state: FrameState,
        loads: &FrameLoads,
        params: MotionParams,
    ) -> Result<Self, FrameError> {
        frame.check_state(&state)?;
        loads.check(&frame)?;
        frame.has_free()?;
        let radius = params.spectral_radius;
        if !(0.0..=1.0).contains(&radius) {
            let what = "the spectral radius";
            return Err(FrameError::Setting { what, value: radius, range: "from 0 to 1" });
        }
        let tolerance = params.tolerance;
        if !(tolerance > 0.0 && tolerance < 1.0) {
            let what = "the tolerance";
            return Err(FrameError::Setting { what, value: tolerance, range: "between 0 and 1" });
        }
        let mut state = state;
        let mut velocities = velocities_of(&state);
        frame.keep_free(&mut velocities);
        set_velocities(&mut state, &velocities);
        let none = vec![Vector6::zeros(); frame.nodes().len()];
        let mut motion = Self {
            weights: Weights::new(radius),
            accelerations: [none.clone(), none],
            frame,
            params,
            state,
            time: 0.0,
            iterations: 0,
        };
        motion.start(loads)?;
        Ok(motion)
    }

    /// Accelerations from the loads: `M a = f`.
    fn start(&mut self, loads: &FrameLoads) -> Result<(), FrameError> {
        let frame = &self.frame;
        let none = vec![Vector6::zeros(); frame.nodes().len()];
        let mut force = frame.unbalanced(&self.state, loads, frame.damping.stiffness);
        for (force, inertia) in force.iter_mut().zip(frame.inertia(&self.state, &none)) {
            *force = -*force - inertia;
        }
        frame.keep_free(&mut force);
        let mut mass = BlockMatrix::zeros(&frame.structure);
        for element in 0..frame.elements().len() {
            frame.scatter_matrix(&mut mass, element, &frame.element_mass(&self.state, element));
        }
        mass.fix(&frame.structure, |node, k| frame.fixed[node][k]);
        let pivots = mass.factor(&frame.structure);
        let has_mass = pivots.smallest > 0.0;
        if !has_mass {
            return Err(FrameError::Loose { node: pivots.node });
        }
        mass.solve(&frame.structure, &mut force);
        self.accelerations = [force.clone(), force];
        Ok(())
    }

    /// Time since the start [s].
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The state now.
    pub fn state(&self) -> &FrameState {
        &self.state
    }

    /// The frame that moves.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Iterations of all steps so far [-].
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Advances by a step [s] under the loads at its end.
    ///
    /// Fails: where no shorter steps are solved either; the state is then that at the end of the last one that was.
    pub fn step(&mut self, loads: &FrameLoads, step: f64) -> Result<(), FrameError> {
        loads.check(&self.frame)?;
        if !(step > 0.0 && step.is_finite()) {
            return Err(FrameError::Setting { what: "the step", value: step, range: "positive and finite" });
        }
        let end = self.time + step;
        self.divide(loads, step, 0)?;
        self.time = end;
        Ok(())
    }

    fn divide(&mut self, loads: &FrameLoads, step: f64, halvings: u32) -> Result<(), FrameError> {
        let Err(correction) = self.attempt(loads, step) else {
            self.time += step;
            return Ok(());
        };
        if halvings == MAX_HALVINGS {
            return Err(FrameError::NoStep { time: self.time, step, correction });
        }
        self.divide(loads, 0.5 * step, halvings + 1)?;
        self.divide(loads, 0.5 * step, halvings + 1)
    }

    /// One step, or the last correction where it is not solved; then nothing has changed.
    fn attempt(&mut self, loads: &FrameLoads, h: f64) -> Result<(), f64> {
        let Weights { alpha_m, alpha_f, gamma, beta } = self.weights;
        let frame = &self.frame;
        let [before, mean_before] = &self.accelerations;
        let velocities = velocities_of(&self.state);
        // Of the displacement in the step: what does not depend on the new acceleration.
        let known: Vec<Vector6> =
            velocities.iter().zip(mean_before).map(|(v, mean)| h * v + h * h * (0.5 - beta) * mean).collect();
        // The first guess keeps the acceleration.
        let mut way: Vec<Vector6> =
            known.iter().zip(mean_before).map(|(known, mean)| known + h * h * beta * mean).collect();
        let per_way = (1.0 - alpha_m) / ((1.0 - alpha_f) * beta * h * h);
        let damping = frame.damping;
        let material = 1.0 + damping.stiffness * gamma / (beta * h);
        let (mut last, mut iterations) = (f64::INFINITY, 0);
        loop {
            // Everything follows from the displacement.
            let mut state = self.state.clone();
            Frame::displace(&mut state, &way);
            let mean: Vec<Vector6> =
                way.iter().zip(&known).map(|(way, known)| (way - known) / (beta * h * h)).collect();
            let now: Vec<Vector6> = (0..way.len())
                .map(|k| {
                    ((1.0 - alpha_m) * mean[k] + alpha_m * mean_before[k] - alpha_f * before[k])
                        / (1.0 - alpha_f)
                })
                .collect();
            let velocity: Vec<Vector6> = (0..way.len())
                .map(|k| velocities[k] + h * ((1.0 - gamma) * mean_before[k] + gamma * mean[k]))
                .collect();
            set_velocities(&mut state, &velocity);
            if last <= self.params.tolerance {
                self.state = state;
                self.accelerations = [now, mean];
                self.iterations += iterations;
                return Ok(());
            }
            if iterations == self.params.max_iterations {
                return Err(last);
            }
            iterations += 1;

            let mut change = frame.unbalanced(&state, loads, damping.stiffness);
            for (change, inertia) in change.iter_mut().zip(frame.inertia(&state, &now)) {
                *change = -(*change + inertia);
            }
            frame.keep_free(&mut change);
            let turns: Vec<_> =
                way.iter().map(|way| inverse_tangent(&way.fixed_rows::<3>(3).into_owned())).collect();
            let mut matrix = BlockMatrix::zeros(&frame.structure);
            frame.add_tangent(&mut matrix, &state, loads, [damping.stiffness, material]);
            let factor = per_way + damping.mass * gamma / (beta * h);
            for element in 0..frame.elements().len() {
                let mut mass = factor * frame.element_mass(&state, element);
                for (end, node) in frame.elements()[element].nodes.into_iter().enumerate() {
                    let columns = mass.fixed_view::<12, 3>(0, 6 * end + 3) * turns[node];
                    mass.fixed_view_mut::<12, 3>(0, 6 * end + 3).copy_from(&columns);
                }
                frame.scatter_matrix(&mut matrix, element, &mass);
            }
            matrix.fix(&frame.structure, |node, k| frame.fixed[node][k]);
            matrix.factor(&frame.structure);
            matrix.solve(&frame.structure, &mut change);
            let correction = frame.measure(&change);
            let trusted = correction <= MAX_TURN;
            if !trusted {
                return Err(correction);
            }
            for (way, change) in way.iter_mut().zip(&change) {
                *way = composed(way, change);
            }
            if way.iter().any(|way| way.fixed_rows::<3>(3).norm() > MAX_TURN) {
                return Err(correction);
            }
            // Where corrections no longer fall they are rounding.
            let rounding = correction <= ROUNDING && correction >= 0.5 * last;
            last = if rounding { 0.0 } else { correction };
        }
    }
}

/// A displacement and rotation vector, then a correction on its left.
fn composed(way: &Vector6, change: &Vector6) -> Vector6 {
    let mut sum = way + change;
    let turn = |v: &Vector6| exp(&v.fixed_rows::<3>(3).into_owned());
    let both: UnitQuaternion<f64> = turn(change) * turn(way);
    sum.fixed_rows_mut::<3>(3).copy_from(&rotation_vector(&both));
    sum
}

fn velocities_of(state: &FrameState) -> Vec<Vector6> {
    let of = |(v, w): (&zerogap_core::Vec3, &zerogap_core::Vec3)| Vector6::new(v.x, v.y, v.z, w.x, w.y, w.z);
    state.velocities.iter().zip(&state.spins).map(of).collect()
}

fn set_velocities(state: &mut FrameState, velocities: &[Vector6]) {
    for (k, velocity) in velocities.iter().enumerate() {
        state.velocities[k] = velocity.fixed_rows::<3>(0).into_owned();
        state.spins[k] = velocity.fixed_rows::<3>(3).into_owned();
    }
}
