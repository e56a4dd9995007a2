//! Runs whose events crowd: a model that lies ends with an error within the stated effort, and one that can pass an interval by non-smooth steps gets on.

use zerogap_dynamics::event::{
    Acceptance, Advance, CapturedInterval, Direction, DriveError, Driver, Model, STUCK_STEPS, Step,
};
use zerogap_dynamics::integrate::{Dop853, System, Tolerance};

/// Times between the events of the crowd [s].
const SHORT: f64 = 1e-12;

/// Length of the steps of a phase [s].
const PHASE_STEP: f64 = 0.03125;

/// A point that moves at one metre per second, and a function that crosses zero again a moment after each of its events while time is within the crowd.
struct Crowded {
    /// When the crowd begins and ends [s].
    crowd: (f64, f64),
    /// The next crossing [s].
    next: f64,
    /// Length of captured steps [s].
    captured_step: Option<f64>,
    passes_phases: bool,
    /// When the equations of motion have no value [s].
    broken: (f64, f64),
    events: usize,
    intervals: Vec<(f64, f64, usize)>,
}

impl Crowded {
    fn new(crowd: (f64, f64), captured_step: Option<f64>) -> Self {
        Self {
            crowd,
            next: crowd.0,
            captured_step,
            passes_phases: false,
            broken: (f64::INFINITY, f64::INFINITY),
            events: 0,
            intervals: Vec::new(),
        }
    }
}

impl System for Crowded {
    fn len(&self) -> usize {
        1
    }

    fn derivative(&self, t: f64, _y: &[f64], dy: &mut [f64]) {
        dy[0] = if t >= self.broken.0 && t < self.broken.1 { f64::NAN } else { 1.0 };
    }
}

impl Model for Crowded {
    type Error = std::convert::Infallible;

    fn prepare(&mut self, _step: &Step<'_>) {}

    fn directions(&self) -> &[Direction] {
        &[Direction::Falling]
    }

    fn functions(&self, t: f64, _y: &[f64], z: &mut [f64]) {
        z[0] = self.next - t;
    }

    fn samples(&self) -> usize {
        1
    }

    fn next_scheduled(&self, _t: f64) -> f64 {
        f64::INFINITY
    }

    fn accept(&mut self, _step: &Step<'_>, _y: &mut [f64]) -> Acceptance {
        Acceptance::Good
    }

    fn accept_until(&mut self, _step: &Step<'_>, _t: f64) {}

    fn event(&mut self, t: f64, _y: &mut Vec<f64>, _crossed: &[usize]) -> Result<(), Self::Error> {
        self.events += 1;
        self.next = if t < self.crowd.1 { t + SHORT } else { f64::INFINITY };
        Ok(())
    }

    fn capture_step(&self, _t: f64) -> Option<f64> {
        self.captured_step
    }

    fn passes_phases(&self) -> bool {
        self.passes_phases
    }

    fn is_calm(&mut self, step: &Step<'_>) -> bool {
        step.t1 >= self.crowd.1
    }

    fn capture(
        &mut self,
        t: f64,
        y: &[f64],
        end: f64,
        is_phase: bool,
        to: &mut Vec<f64>,
    ) -> Result<f64, Self::Error> {
        // Steps of a phase have a length of the model's own.
        let end = if is_phase { end.min(t + PHASE_STEP) } else { end };
        to.clear();
        to.push(y[0] + (end - t));
        Ok(end)
    }

    fn accept_captured(
        &mut self,
        step: &Step<'_>,
        _y: &mut [f64],
        last: Option<CapturedInterval>,
    ) -> Result<(), Self::Error> {
        if let Some(last) = last {
            self.intervals.push((last.start, step.t1, last.steps));
            self.next = if step.t1 < self.crowd.1 { step.t1 + SHORT } else { f64::INFINITY };
        }
        Ok(())
    }

    fn schedule(&mut self, _t: f64, _y: &mut Vec<f64>) -> Result<bool, Self::Error> {
        Ok(false)
    }
}

fn driver() -> (Driver, Dop853) {
    let mut driver = Driver::new(0.0, vec![0.0]);
    driver.max_step = 0.1;
    (driver, Dop853::new(Tolerance::default()))
}

#[test]
fn a_model_whose_events_never_end_is_stopped_within_the_stated_effort() {
    let mut model = Crowded::new((0.5, f64::INFINITY), None);
    let (mut driver, mut integrator) = driver();
    let stuck = driver.advance(&mut model, &mut integrator, 1.0).unwrap_err();
    let DriveError::Stuck { t, steps, passed } = stuck else { panic!("{stuck}") };
    assert!((0.5..0.501).contains(&t) && steps == STUCK_STEPS && passed < 1e-5, "{t} {steps} {passed}");
    assert!(model.events <= STUCK_STEPS + 10, "{} events", model.events);
}

#[test]
fn a_crowd_that_can_be_captured_is_passed_and_events_are_located_again_behind_it() {
    let mut model = Crowded::new((0.5, 0.6), Some(1e-3));
    let (mut driver, mut integrator) = driver();
    assert_eq!(driver.advance(&mut model, &mut integrator, 1.0), Ok(Advance::Reached));
    assert!((driver.state()[0] - 1.0).abs() < 1e-12);
    let (first, last) = (model.intervals[0], *model.intervals.last().unwrap());
    assert!((first.0 - 0.5).abs() < 1e-9, "{first:?}");
    // Each interval is twice as long as the one before, so that few events are located in all.
    assert!(last.1 >= 0.6 && last.1 < 0.6 + 2.0 * (last.1 - last.0), "{last:?}");
    assert!(model.events < 300 && model.intervals.len() < 10, "{} {:?}", model.events, model.intervals);
    assert_eq!(driver.info.captured, model.intervals.len());
    let time: f64 = model.intervals.iter().map(|(from, to, _)| to - from).sum();
    assert!((driver.info.captured_time - time).abs() < 1e-12);
    assert_eq!(driver.info.captured_steps, model.intervals.iter().map(|(.., steps)| steps).sum());
}

#[test]
fn a_crowd_that_returns_becomes_a_phase_that_lasts_until_it_is_calm() {
    let mut model = Crowded { passes_phases: true, ..Crowded::new((0.5, 0.6), Some(1e-3)) };
    let (mut driver, mut integrator) = driver();
    assert_eq!(driver.advance(&mut model, &mut integrator, 1.0), Ok(Advance::Reached));
    assert!((driver.state()[0] - 1.0).abs() < 1e-12);
    // Intervals of 1, 2 and 4 steps of 1 ms, then one phase of 1/32 s each to the end of the crowd and for at least twice as long as the interval before.
    let steps: Vec<usize> = model.intervals.iter().map(|(.., steps)| *steps).collect();
    assert_eq!(steps, [1, 2, 4, 3], "{:?}", model.intervals);
    let (start, end, _) = model.intervals[3];
    assert!((end - start - 3.0 * PHASE_STEP).abs() < 1e-12 && end >= 0.6, "{start} {end}");
}

#[test]
fn where_no_step_is_short_enough_a_captured_step_passes_and_nothing_else_does() {
    let broken =
        |captured_step| Crowded { broken: (0.3, 0.305), ..Crowded::new((f64::INFINITY, 0.0), captured_step) };
    let (mut driver, mut integrator) = driver();
    let mut model = broken(Some(1e-3));
    assert_eq!(driver.advance(&mut model, &mut integrator, 1.0), Ok(Advance::Reached));
    assert!((driver.state()[0] - 1.0).abs() < 1e-12 && driver.info.captured > 0);
    assert!(model.intervals.iter().all(|(from, to, _)| *from > 0.29 && *to < 0.32), "{:?}", model.intervals);
    let (mut driver, mut integrator) = self::driver();
    let failed = driver.advance(&mut broken(None), &mut integrator, 1.0).unwrap_err();
    assert!(matches!(failed, DriveError::Step(_)), "{failed}");
}

#[test]
fn captured_intervals_do_not_depend_on_where_calls_end() {
    let whole = {
        let mut model = Crowded::new((0.5, 0.6), Some(1e-3));
        let (mut driver, mut integrator) = driver();
        driver.advance(&mut model, &mut integrator, 1.0).unwrap();
        (model.intervals, driver.state()[0].to_bits(), driver.info)
    };
    let mut model = Crowded::new((0.5, 0.6), Some(1e-3));
    let (mut driver, mut integrator) = driver();
    for k in 1..=777 {
        let t = f64::from(k) / 777.0;
        driver.advance(&mut model, &mut integrator, t).unwrap();
        assert!((driver.state()[0] - t).abs() < 1e-12, "read at {t}");
    }
    assert_eq!((model.intervals, driver.state()[0].to_bits(), driver.info), whole);
}
