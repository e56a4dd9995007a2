//! CVODE of the SUNDIALS suite: backward differentiation of order 1 to 5 for stiff systems. Only with the feature `sundials`.
//!
//! In: a [`System`], where to start, a [`Tolerance`]. Out: accepted steps, one at a time, and the solution anywhere within the last one.
//! It stands beside the methods written here as one that others have checked for decades. Its bits depend on the C compiler; a restart or a
//! correction begins again at order 1; a system that panics while it is evaluated ends the process, since a panic cannot cross C.

#![expect(unsafe_code, reason = "calls a C library; each call says why it is sound")]

use super::control;
use super::{Integrator, IntegratorInfo, StepError, System, Tolerance};
use std::ffi::{c_int, c_void};
use std::ptr;
use sundials_sys as ffi;

/// Failed attempts of one step before it is given up [-]: each divides the step by four or more, down to what doubles can tell apart.
const ATTEMPTS: c_int = 40;

/// Limits closer than this many spacings of doubles are reached by one straight line after a restart [-]: CVODE refuses them.
const TOO_CLOSE: f64 = 16.0;

/// CVODE's backward differentiation formulas with dense Jacobians by differences.
///
/// Computes: the solution of `dy/dt = f(t, y)`, one accepted step at a time.
/// Method: Hindmarsh et al. 2005, SUNDIALS: suite of nonlinear and differential/algebraic equation solvers; version 7.1.
/// Tolerance: the estimated error of each step, root mean square over states in units of `relative |y| + absolute scale`, is at most 1.
/// Cost: one or two evaluations a step and one for each state where a Jacobian is formed; restarts with another number of states allocate.
/// Fails: `TooSmall`, `NotFinite`; it then stands where it stood before.
/// Order: serial.
#[derive(Debug)]
pub struct Sundials {
    tolerance: Tolerance,
    /// The C side, absent where there are no states.
    solver: Option<Solver>,
    t_before: f64,
    t: f64,
    next_step: f64,
    /// Whether no step was made since the last restart.
    fresh: bool,
    y: Vec<f64>,
    y_before: Vec<f64>,
    dy: Vec<f64>,
    floors: Vec<f64>,
    info: IntegratorInfo,
}

/// What CVODE owns, freed together.
#[derive(Debug)]
struct Solver {
    states: usize,
    context: ffi::SUNContext,
    memory: *mut c_void,
    matrix: ffi::SUNMatrix,
    linear: ffi::SUNLinearSolver,
    /// State in and out; what each may be off by; a state from the dense output.
    y: ffi::N_Vector,
    floors: ffi::N_Vector,
    between: ffi::N_Vector,
}

/// What the derivative needs during one call, on the stack of that call.
struct Call<'a> {
    system: &'a dyn System,
    evaluations: usize,
    not_finite: Option<usize>,
}

/// The derivative for CVODE: 0 where it is finite, 1 where a shorter step may help.
unsafe extern "C" fn derivative(t: f64, y: ffi::N_Vector, dy: ffi::N_Vector, call: *mut c_void) -> c_int {
    // SAFETY: `advance` sets this pointer to a `Call` that outlives the call to CVODE, and nothing else refers to it meanwhile.
    let call = unsafe { &mut *call.cast::<Call<'_>>() };
    let n = call.system.len();
    // SAFETY: both vectors were cloned by CVODE from one of `n` states; they are distinct and live during this call.
    let (y, dy) = unsafe {
        (
            std::slice::from_raw_parts(ffi::N_VGetArrayPointer(y), n),
            std::slice::from_raw_parts_mut(ffi::N_VGetArrayPointer(dy), n),
        )
    };
    call.evaluations += 1;
    // A trial state that is not finite is no state to ask the system about.
    call.not_finite = control::not_finite(y);
    if call.not_finite.is_none() {
        call.system.derivative(t, y, dy);
        call.not_finite = control::not_finite(dy);
    }
    c_int::from(call.not_finite.is_some())
}

impl Solver {
    /// A solver for so many states, more than zero; nothing where the library has no memory for it.
    fn new(states: usize) -> Option<Self> {
        let n = i64::try_from(states).ok()?;
        let mut context: ffi::SUNContext = ptr::null_mut();
        // SAFETY: plain constructors; each gets a live context and live vectors, and every result is checked for null before it is used.
        unsafe {
            if ffi::SUNContext_Create(ffi::SUN_COMM_NULL, &raw mut context) != 0 {
                return None;
            }
            // Failures come back as values; nothing is printed.
            ffi::SUNContext_ClearErrHandlers(context);
            // From here on dropping frees whatever was made.
            let mut solver = Self {
                states,
                context,
                memory: ffi::CVodeCreate(ffi::CV_BDF, context),
                matrix: ffi::SUNDenseMatrix(n, n, context),
                linear: ptr::null_mut(),
                y: ffi::N_VNew_Serial(n, context),
                floors: ffi::N_VNew_Serial(n, context),
                between: ffi::N_VNew_Serial(n, context),
            };
            if solver.memory.is_null()
                || solver.matrix.is_null()
                || solver.y.is_null()
                || solver.floors.is_null()
                || solver.between.is_null()
            {
                return None;
            }
            solver.linear = ffi::SUNLinSol_Dense(solver.y, solver.matrix, context);
            let ready = !solver.linear.is_null()
                && ffi::CVodeInit(solver.memory, Some(derivative), 0.0, solver.y) == ffi::CV_SUCCESS
                && ffi::CVodeSetLinearSolver(solver.memory, solver.linear, solver.matrix) == 0
                && ffi::CVodeSetMaxConvFails(solver.memory, ATTEMPTS) == 0
                && ffi::CVodeSetMaxErrTestFails(solver.memory, ATTEMPTS) == 0;
            ready.then_some(solver)
        }
    }

    /// Writes a vector.
    fn write(&self, vector: ffi::N_Vector, values: &[f64]) {
        debug_assert_eq!(values.len(), self.states, "a vector has as many entries as there are states");
        // SAFETY: each vector of a solver has `states` entries, and no slice of it is alive.
        let to = unsafe { std::slice::from_raw_parts_mut(ffi::N_VGetArrayPointer(vector), self.states) };
        to.copy_from_slice(values);
    }

    /// Reads a vector.
    fn read(&self, vector: ffi::N_Vector, values: &mut [f64]) {
        // SAFETY: as for `write`.
        let from = unsafe { std::slice::from_raw_parts(ffi::N_VGetArrayPointer(vector), self.states) };
        values.copy_from_slice(from);
    }

    /// Begins at a state with order 1 and a first step.
    fn begin(&self, t: f64, y: &[f64], relative: f64, floors: &[f64], step: f64) -> bool {
        self.write(self.y, y);
        self.write(self.floors, floors);
        // SAFETY: memory and vectors live as long as `self`.
        unsafe {
            ffi::CVodeReInit(self.memory, t, self.y) == 0
                && ffi::CVodeSVtolerances(self.memory, relative, self.floors) == 0
                && ffi::CVodeSetInitStep(self.memory, step) == 0
        }
    }

    /// One step: how it ended, and where.
    fn advance(&self, call: &mut Call<'_>, limit: f64) -> (c_int, f64) {
        let mut t = 0.0;
        // SAFETY: `call` outlives the call to CVODE, after which the pointer to it is taken back.
        unsafe {
            ffi::CVodeSetUserData(self.memory, ptr::from_mut(call).cast());
            let mut flag = ffi::CVodeSetStopTime(self.memory, limit);
            if flag == ffi::CV_SUCCESS {
                flag = ffi::CVode(self.memory, limit, self.y, &raw mut t, ffi::CV_ONE_STEP);
            }
            ffi::CVodeSetUserData(self.memory, ptr::null_mut());
            (flag, t)
        }
    }

    /// The step CVODE would try next [s].
    fn next_step(&self) -> f64 {
        let mut step = 0.0;
        // SAFETY: memory lives as long as `self`, the number as long as the call.
        unsafe { ffi::CVodeGetCurrentStep(self.memory, &raw mut step) };
        step
    }

    /// Failed attempts and Jacobians since it began [-].
    fn counts(&self) -> (usize, usize) {
        let (mut errors, mut stuck, mut jacobians) = (0, 0, 0);
        // SAFETY: as for `next_step`.
        unsafe {
            ffi::CVodeGetNumErrTestFails(self.memory, &raw mut errors);
            ffi::CVodeGetNumStepSolveFails(self.memory, &raw mut stuck);
            ffi::CVodeGetNumJacEvals(self.memory, &raw mut jacobians);
        }
        (usize::try_from(errors + stuck).unwrap_or(0), usize::try_from(jacobians).unwrap_or(0))
    }
}

// SAFETY: all of it is owned by one solver and used through `&mut` or not at all; CVODE keeps nothing in the thread.
unsafe impl Send for Solver {}

impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: each was made by its constructor, is freed once, and the context that all of them refer to is freed last; null where it was never made.
        unsafe {
            if !self.memory.is_null() {
                ffi::CVodeFree(&raw mut self.memory);
            }
            if !self.linear.is_null() {
                ffi::SUNLinSolFree(self.linear);
            }
            if !self.matrix.is_null() {
                ffi::SUNMatDestroy(self.matrix);
            }
            for vector in [self.y, self.floors, self.between] {
                if !vector.is_null() {
                    ffi::N_VDestroy(vector);
                }
            }
            ffi::SUNContext_Free(&raw mut self.context);
        }
    }
}

impl Sundials {
    /// An integrator without a state: [`Integrator::restart`] gives it one.
    pub fn new(tolerance: Tolerance) -> Self {
        Self {
            tolerance,
            solver: None,
            t_before: 0.0,
            t: 0.0,
            next_step: 0.0,
            fresh: true,
            y: Vec::new(),
            y_before: Vec::new(),
            dy: Vec::new(),
            floors: Vec::new(),
            info: IntegratorInfo::default(),
        }
    }

    /// Adds what CVODE counted since it began, before it forgets.
    fn collect(&mut self) {
        if let Some(solver) = &self.solver {
            let (rejected, jacobians) = solver.counts();
            self.info.rejected += rejected;
            self.info.jacobians += jacobians;
        }
    }

    /// Begins anew at `t` and `y` after a check that the derivative there is finite.
    fn begin(&mut self, system: &dyn System, y: &[f64], step: Option<f64>) -> Result<(), StepError> {
        let n = y.len();
        self.dy.resize(n, 0.0);
        system.derivative(self.t, y, &mut self.dy);
        self.info.evaluations += 1;
        if let Some(index) = control::not_finite(y).or_else(|| control::not_finite(&self.dy)) {
            return Err(StepError::NotFinite { t: self.t, index });
        }
        self.collect();
        self.y.clear();
        self.y.extend_from_slice(y);
        self.next_step = match step {
            Some(step) if step > 0.0 => step.min(control::LONGEST_STEP),
            _ => {
                let (mut y_trial, mut dy_trial) = (vec![0.0; n], vec![0.0; n]);
                self.info.evaluations += usize::from(n > 0);
                let relative = self.tolerance.relative;
                let (floors, y, dy) = (&self.floors, &self.y, &self.dy);
                control::first_step(system, self.t, y, dy, floors, relative, 2, &mut y_trial, &mut dy_trial)
            }
        };
        if self.solver.as_ref().map_or(0, |s| s.states) != n {
            self.solver = if n == 0 { None } else { Solver::new(n) };
        }
        self.fresh = true;
        let begun = match &self.solver {
            Some(s) => s.begin(self.t, y, self.tolerance.relative, &self.floors, self.next_step),
            None => n == 0,
        };
        if begun { Ok(()) } else { Err(StepError::TooSmall { t: self.t, step: self.next_step }) }
    }
}

impl Integrator for Sundials {
    fn name(&self) -> &'static str {
        "sundials"
    }

    fn restart(
        &mut self,
        system: &dyn System,
        t: f64,
        y: &[f64],
        step: Option<f64>,
    ) -> Result<(), StepError> {
        debug_assert_eq!(y.len(), system.len(), "a state has as many entries as its system");
        self.t = t;
        self.t_before = t;
        self.y_before.clear();
        self.y_before.extend_from_slice(y);
        control::fill_floors(&mut self.floors, system, &self.tolerance);
        self.begin(system, y, step)
    }

    fn step(&mut self, system: &dyn System, limit: f64) -> Result<(), StepError> {
        if !control::has_room(self.t, limit)? {
            return Ok(());
        }
        let remaining = limit - self.t;
        // A sliver before anything is known: the straight line is exact to the last bit there.
        if self.solver.is_none() || (self.fresh && remaining <= TOO_CLOSE * f64::EPSILON * self.t.abs()) {
            self.y_before.copy_from_slice(&self.y);
            self.t_before = self.t;
            let y: Vec<f64> = self.y.iter().zip(&self.dy).map(|(y, dy)| y + remaining * dy).collect();
            let t = std::mem::replace(&mut self.t, limit);
            return match self.begin(system, &y, Some(self.next_step)) {
                Ok(()) => {
                    self.info.accepted += 1;
                    Ok(())
                }
                Err(error) => {
                    self.t = t;
                    Err(error)
                }
            };
        }
        let Some(solver) = &self.solver else { return Ok(()) };
        let mut call = Call { system, evaluations: 0, not_finite: None };
        // The first step must not pass the limit: CVODE would start with it as it is.
        if self.fresh {
            let step = control::fit(self.t, self.next_step, limit).step;
            // SAFETY: memory lives as long as the solver.
            unsafe { ffi::CVodeSetInitStep(solver.memory, step) };
        }
        let (flag, t) = solver.advance(&mut call, limit);
        self.info.evaluations += call.evaluations;
        // CVODE goes on with steps too short to move time: that is an error here, or it would go on for ever.
        let done = flag == ffi::CV_TSTOP_RETURN || (flag == ffi::CV_SUCCESS && t > self.t);
        if !done {
            return Err(match call.not_finite {
                Some(index) => StepError::NotFinite { t: self.t, index },
                None => StepError::TooSmall { t: self.t, step: solver.next_step() },
            });
        }
        std::mem::swap(&mut self.y_before, &mut self.y);
        solver.read(solver.y, &mut self.y);
        self.t_before = self.t;
        self.t = if flag == ffi::CV_TSTOP_RETURN { limit } else { t };
        self.next_step = solver.next_step();
        self.fresh = false;
        self.info.accepted += 1;
        Ok(())
    }

    fn t_before(&self) -> f64 {
        self.t_before
    }

    fn t(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn dense(&self, t: f64, y: &mut [f64]) {
        if t >= self.t {
            y.copy_from_slice(&self.y);
            return;
        }
        if t <= self.t_before {
            y.copy_from_slice(&self.y_before);
            return;
        }
        // CVODE forgets its last step when it begins anew: then there is only the straight line of a sliver or a correction.
        let known = match &self.solver {
            Some(solver) if !self.fresh => {
                // SAFETY: memory and vector live as long as the solver; `self` is not shared between threads, so nobody else writes the vector.
                let flag = unsafe { ffi::CVodeGetDky(solver.memory, t, 0, solver.between) };
                if flag == ffi::CV_SUCCESS {
                    solver.read(solver.between, y);
                }
                flag == ffi::CV_SUCCESS
            }
            _ => false,
        };
        if !known {
            let part = (t - self.t_before) / (self.t - self.t_before);
            for (i, value) in y.iter_mut().enumerate() {
                *value = self.y_before[i] + part * (self.y[i] - self.y_before[i]);
            }
        }
    }

    /// Begins again at order 1: CVODE offers no way to change a state and keep what came before. Nothing happens where the state is the same bit for bit.
    fn correct(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError> {
        if self.y.iter().zip(y).all(|(a, b)| a.to_bits() == b.to_bits()) {
            return Ok(());
        }
        let step = self.next_step;
        self.begin(system, y, Some(step))
    }

    fn next_step(&self) -> f64 {
        self.next_step
    }

    fn info(&self) -> IntegratorInfo {
        let (rejected, jacobians) = self.solver.as_ref().map_or((0, 0), Solver::counts);
        IntegratorInfo {
            rejected: self.info.rejected + rejected,
            jacobians: self.info.jacobians + jacobians,
            ..self.info
        }
    }
}
