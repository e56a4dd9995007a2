//! Cost of the equations of motion of a chain over its number of links: without loops, with a fixed number of them, and with loops that grow in proportion.
//!
//! A chain of links on hinges, both ends pinned where `loops` says so, in a world without contact that runs long enough for a few hundred evaluations. `eval_us`: time of the equations of motion by
//! evaluation, poses and loops included. `all_us`: the whole run, events and corrections included, by evaluation. A tree costs O(n). Loops are solved densely by their m rows: O(m n) for what each
//! row moves, O(m² n) for the matrix and O(m³) to solve it, so that a fixed number leaves O(n) and a proportional number is O(n³) in the end. The exponent of growth is printed for every
//! doubling and for the whole range.

use std::error::Error;

use zerogap::core::math::{ln, sin_cos};
use zerogap::dynamics::integrate::{IntegratorKind, Tolerance};
use zerogap::dynamics::multibody::{BodyId, Inertia, Joint, JointKind, Loop, LoopKind};
use zerogap::world::{BodyDef, EventLocation, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Vec3};
use zerogap_bench::{Table, summarize};

/// Length of a link [m].
const LENGTH: f64 = 0.1;

/// Links of the chains [-].
const LINKS: [usize; 7] = [10, 25, 50, 100, 200, 400, 800];

/// Runs of each chain [-], of whose times the least is taken: others on the machine only add to them.
const RUNS: usize = 15;

/// Evaluations of a run at least [-].
const EVALUATIONS: usize = 200;

/// Links to a rod where rods grow with the chain [-].
const LINKS_PER_ROD: usize = 10;

/// How many loops a chain has.
#[derive(Clone, Copy, PartialEq)]
enum Loops {
    /// None: a tree.
    None,
    /// The far end pinned, and one rod between far links.
    Two,
    /// The far end pinned, and a rod for every few links.
    Proportional,
}

fn main() -> Result<(), Box<dyn Error>> {
    let largest: usize = std::env::args().nth(1).map_or(Ok(usize::MAX), |text| text.parse())?;
    let mut table =
        Table::new(&["loops", "links", "rows", "eval_us", "all_us", "us/link", "exponent", "spread"]);
    for (name, loops) in [("none", Loops::None), ("two", Loops::Two), ("proportional", Loops::Proportional)] {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for links in LINKS.into_iter().filter(|links| *links <= largest) {
            let (mut evaluations, mut whole) = (Vec::new(), Vec::new());
            let mut rows = 0;
            for _ in 0..RUNS {
                let mut world = chain(links, loops)?;
                rows = world.tree().loop_rows();
                let (evaluation, all) = time(&mut world)?;
                evaluations.push(evaluation);
                whole.push(all);
            }
            let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
            let (evaluation, all) = (least(&evaluations), least(&whole));
            let spread = summarize(evaluations).spread;
            let point = (links as f64, evaluation);
            let exponent = points.last().map_or(f64::NAN, |last| growth(&[*last, point]));
            points.push(point);
            table.push(vec![
                name.to_owned(),
                links.to_string(),
                rows.to_string(),
                format!("{:.2}", 1e6 * evaluation),
                format!("{:.2}", 1e6 * all),
                format!("{:.3}", 1e6 * evaluation / links as f64),
                format!("{exponent:.2}"),
                format!("{:.3}", spread),
            ]);
        }
        println!("{name}: links to the power of {:.2}\n", growth(&points));
    }
    table.save("chain")?;
    Ok(())
}

/// The power of growth: the slope of a line through the logarithms, by least squares.
fn growth(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|(x, y)| (ln(*x), ln(*y))).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let across: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    across / x.iter().map(|x| (x - mx) * (x - mx)).sum::<f64>()
}

/// Times by evaluation [s]: of the equations of motion, and of everything.
fn time(world: &mut World) -> Result<(f64, f64), Box<dyn Error>> {
    let mut until = 0.0;
    while world.info().evaluations < EVALUATIONS {
        until += 1e-3;
        world.advance_to(until)?;
    }
    let info = world.info();
    let part = |name: &str| {
        info.time_fractions.iter().filter(|share| share.0 == name).map(|share| share.1).sum::<f64>()
    };
    let all = info.wall / info.evaluations as f64;
    Ok(((part("dynamics") + part("holding")) * all, all))
}

/// A chain in an arc that hangs, pulled to the side.
fn chain(links: usize, loops: Loops) -> Result<World, Box<dyn Error>> {
    let method = EventLocation {
        tolerance: Tolerance { relative: 1e-6, absolute: 1e-6 },
        integrator: IntegratorKind::Dop853,
        ..EventLocation::default()
    };
    let gravity = Vec3::new(6.0, 0.0, -6.0);
    let mut builder = WorldBuilder::new(WorldParams { gravity, ..WorldParams::new(method) });
    let inertia = Inertia::cuboid(0.2, Vec3::new(LENGTH, 0.02, 0.02));
    let inertia = Inertia { center: Vec3::new(0.5 * LENGTH, 0.0, 0.0), ..inertia };
    let bend = 2.5 / (links - 1) as f64;
    let (mut angle, mut place) = (0.0, Vec3::zeros());
    let (mut bodies, mut starts): (Vec<BodyId>, Vec<Vec3>) = (Vec::new(), Vec::new());
    for k in 0..links {
        let own = if k == 0 { -1.25 } else { bend };
        angle += own;
        let frame = if k == 0 { Vec3::zeros() } else { LENGTH * Vec3::x() };
        let joint = Joint::new(bodies.last().copied(), JointKind::Revolute { axis: -Vec3::y() });
        let joint = joint.parent_frame(Pose::from_translation(frame)?);
        bodies.push(builder.body(BodyDef::new(joint).with_inertia(inertia).starting(&[own]))?);
        starts.push(place);
        let (s, c) = sin_cos(angle);
        place += Vec3::new(c, 0.0, s) * LENGTH;
    }
    if loops == Loops::None {
        return Ok(builder.build()?);
    }
    let (frame_a, frame_b) = (Pose::from_translation(place)?, Pose::from_translation(LENGTH * Vec3::x())?);
    let kind = LoopKind::Point;
    builder.close(Loop { a: None, frame_a, b: bodies.last().copied(), frame_b, kind })?;
    // Rods between links: over half the chain, or over a few links each.
    let rods: Vec<(usize, usize)> = match loops {
        Loops::Proportional => (0..links / LINKS_PER_ROD)
            .map(|k| (k * LINKS_PER_ROD + 2, k * LINKS_PER_ROD + LINKS_PER_ROD - 2))
            .collect(),
        _ => vec![(links / 4, 3 * links / 4)],
    };
    for (i, j) in rods {
        let kind = LoopKind::Distance((starts[j] - starts[i]).norm());
        let (frame_a, frame_b) = (Pose::identity(), Pose::identity());
        builder.close(Loop { a: Some(bodies[i]), frame_a, b: Some(bodies[j]), frame_b, kind })?;
    }
    Ok(builder.build()?)
}
