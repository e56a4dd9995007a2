//! Errors go with the tolerance: the state at the end of a run and the times of its events, without events and with them.
//!
//! The reference is a run at 1e-13 with the explicit method; the implicit one is seen to converge to the same. Where `ZEROGAP_CSV` names a file, the measurements are written to it;
//! `docs/images/convergence.py` draws them.

use std::fmt::Write as _;

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::integrate::{IntegratorKind, Tolerance};
use zerogap::dynamics::multibody::{Dof, Inertia, Joint, JointKind};
use zerogap::world::{
    BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, World, WorldBuilder, WorldParams,
};
use zerogap::{Mat3, Pose, Shape, Vec3};

/// Absolute against relative tolerance [-].
const FLOOR: f64 = 1e-3;

/// Tolerance of the reference [-].
const REFERENCE: f64 = 1e-13;

/// Powers of the tolerance with which errors may go [-]. The implicit method is of order 5 and estimates its error with order 4 in the step, so that 5/4 is right where nothing happens.
fn slopes(integrator: IntegratorKind) -> std::ops::RangeInclusive<f64> {
    if integrator == IntegratorKind::Dop853 { 0.8..=1.2 } else { 0.8..=1.3 }
}

/// Touches in each of the runs with events [-].
const EVENTS: usize = 10;

/// Starts of each case, of whose errors the root mean square is taken: that of a single run passes near zero now and then [-].
const STARTS: usize = 8;

fn params(contact: ContactModel, integrator: IntegratorKind, relative: f64) -> WorldParams {
    let tolerance = Tolerance { relative, absolute: FLOOR * relative };
    // Steps as long as the tolerance allows: a longest step would hide it where it is loose.
    WorldParams::new(EventLocation { tolerance, integrator, max_step: 10.0, ..EventLocation::new(contact) })
}

/// A body whose three moments of inertia differ, with its centre off its origin.
fn uneven(mass: f64, center: Vec3, size: f64) -> Inertia {
    let moments = Vec3::new(0.4, 0.5, 0.7) * (mass * size * size);
    Inertia { mass, center, inertia: Mat3::from_diagonal(&moments) }
}

/// A pendulum of three links on a hinge, a universal joint and a ball joint, the last link spinning, and a spring in the hinge.
fn pendulum(start: f64, integrator: IntegratorKind, relative: f64) -> World {
    let mut builder = WorldBuilder::new(params(ContactModel::default(), integrator, relative));
    let end = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5)).unwrap();
    let link = |joint| BodyDef::new(joint).with_inertia(uneven(1.0, Vec3::new(0.02, 0.0, -0.25), 0.3));
    let hinge = Joint::new(None, JointKind::Revolute { axis: Vec3::y() });
    let spring = Dof { stiffness: 3.0, ..Dof::default() };
    let first = builder.body(link(hinge).starting(&[1.0 + start]).with_dof(0, spring)).unwrap();
    let cross = JointKind::Universal { first: Vec3::x(), second: Vec3::y() };
    let second =
        builder.body(link(Joint::new(Some(first), cross).parent_frame(end)).starting(&[0.7, 0.4])).unwrap();
    let ball = Joint::new(Some(second), JointKind::Spherical).parent_frame(end);
    builder.body(link(ball).moving(&[0.5, 1.0, 6.0])).unwrap();
    builder.build().unwrap()
}

/// A ball with its weight off its centre, thrown onto a floor: its flight is no parabola, and what it does next depends on how it lands.
fn thrown(start: f64, contact: ContactModel, integrator: IntegratorKind, relative: f64) -> World {
    let mut builder = WorldBuilder::new(params(contact, integrator, relative));
    let friction = if matches!(contact, ContactModel::Rigid(_)) { 0.3 } else { 0.0 };
    let properties = PairProperties { restitution: 0.9, friction, ..PairProperties::default() };
    builder.pair("dry-wood", "dry-wood", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "dry-wood")).unwrap();
    let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5 + 0.1 * start)).unwrap();
    let def = BodyDef::free(above).with(Shape::sphere(0.1).unwrap(), "dry-wood");
    let inertia = uneven(1.0, Vec3::new(0.01, 0.0, -0.005), 0.1);
    builder.body(def.with_inertia(inertia).moving(&[0.3, 0.2, 0.0, 1.0, 4.0, 2.0])).unwrap();
    builder.build().unwrap()
}

/// What a run came to.
struct Outcome {
    state: Vec<f64>,
    times: Vec<f64>,
    steps: usize,
    evaluations: usize,
}

/// A run to be repeated at many tolerances.
struct Case {
    name: &'static str,
    /// Time to run [s]; runs with events end between the tenth and the eleventh.
    until: f64,
    build: fn(f64, IntegratorKind, f64) -> World,
    events: usize,
}

const CASES: [Case; 3] = [
    Case { name: "pendulum", until: 3.0, build: pendulum, events: 0 },
    Case {
        name: "rigid impacts",
        until: 4.0,
        build: |start, integrator, relative| {
            thrown(start, ContactModel::Rigid(ImpactLaw::default()), integrator, relative)
        },
        events: EVENTS,
    },
    Case {
        name: "elastic impacts",
        until: 4.0,
        build: |start, integrator, relative| {
            thrown(start, ContactModel::Elastic(NormalLaw::default()), integrator, relative)
        },
        events: EVENTS,
    },
];

impl Case {
    /// When each start ends: in the middle of the flight after the last touch that counts.
    fn ends(&self) -> Vec<f64> {
        let end = |start| {
            if self.events == 0 {
                return self.until;
            }
            let Outcome { times, .. } = self.run(start, self.until, IntegratorKind::Dop853, REFERENCE);
            assert!(times.len() > self.events, "{}: {times:?}", self.name);
            0.5 * (times[self.events - 1] + times[self.events])
        };
        starts().map(end).collect()
    }

    fn runs(&self, ends: &[f64], integrator: IntegratorKind, relative: f64) -> Vec<Outcome> {
        starts().zip(ends).map(|(start, end)| self.run(start, *end, integrator, relative)).collect()
    }

    fn run(&self, start: f64, end: f64, integrator: IntegratorKind, relative: f64) -> Outcome {
        let mut world = (self.build)(start, integrator, relative);
        world.advance_to(end).unwrap();
        let touches =
            world.events().iter().filter(|event| matches!(event.what, EventKind::ContactBegin { .. }));
        let info = world.info();
        Outcome {
            state: world.positions().iter().chain(world.velocities()).copied().collect(),
            times: touches.map(|event| event.t).collect(),
            steps: info.steps,
            evaluations: info.evaluations,
        }
    }
}

fn starts() -> impl Iterator<Item = f64> {
    (0..STARTS).map(|start| 0.05 * start as f64)
}

fn worst(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "as many events at every tolerance");
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The slope of a line through points by least squares, in logarithms.
fn slope(points: &[(f64, f64)]) -> f64 {
    let log = |x: f64| zerogap::core::math::ln(x);
    let n = points.len() as f64;
    let (mx, my) = (
        points.iter().map(|(x, _)| log(*x)).sum::<f64>() / n,
        points.iter().map(|(_, y)| log(*y)).sum::<f64>() / n,
    );
    let across: f64 = points.iter().map(|(x, y)| (log(*x) - mx) * (log(*y) - my)).sum();
    across / points.iter().map(|(x, _)| (log(*x) - mx) * (log(*x) - mx)).sum::<f64>()
}

/// Errors over all starts.
fn errors(runs: &[Outcome], reference: &[Outcome], pick: fn(&Outcome) -> &[f64]) -> f64 {
    let all = runs.iter().zip(reference).map(|(run, exact)| worst(pick(run), pick(exact)));
    (all.map(|error| error * error).sum::<f64>() / runs.len() as f64).sqrt()
}

fn measure(
    case: &Case,
    ends: &[f64],
    integrator: IntegratorKind,
    reference: &[Outcome],
    csv: &mut String,
) -> (f64, f64) {
    let (mut states, mut times) = (Vec::new(), Vec::new());
    for k in 8..=20 {
        let relative = zerogap::core::math::pow(10.0, -0.5 * f64::from(k));
        let runs = case.runs(ends, integrator, relative);
        let state = errors(&runs, reference, |run| &run.state);
        let time = errors(&runs, reference, |run| &run.times);
        let steps = runs.iter().map(|run| run.steps).sum::<usize>() / STARTS;
        let evaluations = runs.iter().map(|run| run.evaluations).sum::<usize>() / STARTS;
        eprintln!("{} {integrator:?} {relative:.2e} {state:.3e} {time:.3e} {steps} {evaluations}", case.name);
        let name = format!("{integrator:?}").to_lowercase();
        writeln!(csv, "{},{name},{relative:e},{state:e},{time:e},{steps},{evaluations}", case.name).unwrap();
        states.push((relative, state));
        times.push((relative, time));
    }
    (slope(&states), if case.events > 0 { slope(&times) } else { f64::NAN })
}

#[test]
fn errors_of_states_and_event_times_go_with_the_tolerance() {
    let mut csv = "case,method,rtol,state_error,time_error,steps,evaluations\n".to_owned();
    for case in &CASES {
        let ends = case.ends();
        let reference = case.runs(&ends, IntegratorKind::Dop853, REFERENCE);
        eprintln!("{} {:?} {}", case.name, reference[0].times, reference[0].steps);
        for integrator in [IntegratorKind::Dop853, IntegratorKind::Radau] {
            let (state, time) = measure(case, &ends, integrator, &reference, &mut csv);
            eprintln!("{} {integrator:?}: slopes {state:.3} {time:.3}", case.name);
            assert!(slopes(integrator).contains(&state), "{} {integrator:?}: states {state}", case.name);
            assert!(
                case.events == 0 || slopes(integrator).contains(&time),
                "{} {integrator:?}: times {time}",
                case.name
            );
        }
    }
    if let Some(path) = std::env::var_os("ZEROGAP_CSV") {
        std::fs::write(path, csv).unwrap();
    }
}
