//! Work and precision: what an answer costs by how good it is, for located events, time stepping and rapier3d-f64.
//!
//! Two motions with closed forms. `bounce`: a ball falls by 1 m on a floor with restitution 0.9; its height after 1.9 s, between the second impact and the third. `roll`: a ball set down at 5 m/s with friction 0.2 slides, then rolls;
//! its displacement after 2 s. Events by relative tolerance, steps by their length; the time is the median of several runs, without the making of the world.

use std::error::Error;
use std::time::Instant;

use rapier3d_f64::prelude::{
    CoefficientCombineRule, ColliderBuilder, PhysicsWorld, RigidBodyBuilder, Vector,
};
use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, MethodParams, ShapeDef, Stepping, World, WorldBuilder, WorldError,
    WorldParams,
};
use zerogap::{Pose, Shape, Vec3};
use zerogap_bench::{Table, summarize};

/// Radius of the ball [m].
const RADIUS: f64 = 0.1;
const GRAVITY: f64 = 9.81;
/// Runs of each row.
const REPETITIONS: usize = 9;

/// A motion with a known end.
struct Motion {
    name: &'static str,
    friction: f64,
    restitution: f64,
    height: f64,
    speed: f64,
    until: f64,
    /// The coordinate that is compared, and what it is at the end [m].
    axis: usize,
    answer: f64,
}

fn motions() -> [Motion; 2] {
    // The times of the first two impacts, and the flight since.
    let fall = (2.0 / GRAVITY).sqrt();
    let (until, e) = (1.9, 0.9);
    let second = fall * (1.0 + 2.0 * e);
    let since = until - second;
    let bounce = RADIUS + e * e * GRAVITY * fall * since - 0.5 * GRAVITY * since * since;
    // Sliding until the speed is 5/7 of that at the start.
    let (speed, friction) = (5.0, 0.2);
    let slides = 2.0 * speed / (7.0 * friction * GRAVITY);
    let roll =
        speed * slides - 0.5 * friction * GRAVITY * slides * slides + 5.0 / 7.0 * speed * (2.0 - slides);
    [
        Motion {
            name: "bounce",
            friction: 0.0,
            restitution: e,
            height: 1.0,
            speed: 0.0,
            until,
            axis: 2,
            answer: bounce,
        },
        Motion {
            name: "roll",
            friction,
            restitution: 0.0,
            height: 0.0,
            speed,
            until: 2.0,
            axis: 0,
            answer: roll,
        },
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut table = Table::new(&["motion", "method", "setting", "error_m", "time_ms", "spread"]);
    for motion in motions() {
        let mut row = |method: &str, setting: f64, run: &dyn Fn() -> Result<(f64, f64), WorldError>| {
            let mut times = Vec::new();
            let mut error = 0.0;
            for _ in 0..REPETITIONS {
                let (end, time) = run()?;
                error = (end - motion.answer).abs();
                times.push(time);
            }
            let timing = summarize(times);
            table.push(vec![
                motion.name.to_owned(),
                method.to_owned(),
                format!("{setting:.0e}"),
                format!("{error:.1e}"),
                format!("{:.4}", 1e3 * timing.median),
                format!("{:.3}", timing.spread),
            ]);
            Ok::<_, WorldError>(())
        };
        for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
            row("events", rtol, &|| ours(&motion, None, rtol))?;
        }
        for step in [1e-2, 3e-3, 1e-3, 3e-4, 1e-4] {
            row("stepping", step, &|| ours(&motion, Some(step), 1e-6))?;
        }
        for step in [1e-2, 3e-3, 1e-3, 3e-4, 1e-4] {
            row("rapier3d-f64", step, &|| Ok(rapier(&motion, step)))?;
        }
    }
    table.save("precision")?;
    Ok(())
}

/// The coordinate at the end [m] and the time it took [s].
fn ours(motion: &Motion, step: Option<f64>, rtol: f64) -> Result<(f64, f64), WorldError> {
    let (mut world, ball) = world(motion, step, rtol)?;
    let begin = Instant::now();
    world.advance_to(motion.until)?;
    let time = begin.elapsed().as_secs_f64();
    Ok((world.pose(ball).translation()[motion.axis], time))
}

fn world(
    motion: &Motion,
    step: Option<f64>,
    rtol: f64,
) -> Result<(World, zerogap::dynamics::multibody::BodyId), WorldError> {
    let stepping = step.map(|step| Stepping { step, tolerance: 1e-12, ..Stepping::default() });
    let contact = ContactModel::Rigid(ImpactLaw::default());
    let tolerance = Tolerance { relative: rtol, absolute: 1e-3 * rtol };
    let events = EventLocation { tolerance, ..EventLocation::new(contact) };
    let mut builder = WorldBuilder::new(WorldParams::new(stepping.map_or(events.into(), MethodParams::from)));
    let Motion { friction, restitution, .. } = *motion;
    builder.pair("steel", "steel", PairProperties { friction, restitution, ..PairProperties::default() })?;
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0)?, "steel"))?;
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, RADIUS + motion.height)).expect("a pose");
    let body = BodyDef::free(start).with(Shape::sphere(RADIUS)?, "steel");
    let ball = builder.body(body.moving(&[motion.speed, 0.0, 0.0, 0.0, 0.0, 0.0]))?;
    Ok((builder.build()?, ball))
}

fn rapier(motion: &Motion, step: f64) -> (f64, f64) {
    let gravity = Vector::new(0.0, 0.0, -GRAVITY);
    let mut world = PhysicsWorld { gravity, ..PhysicsWorld::default() };
    world.integration_parameters.dt = step;
    let laid = |collider: ColliderBuilder| {
        collider
            .friction(motion.friction)
            .restitution(motion.restitution)
            .restitution_combine_rule(CoefficientCombineRule::Min)
            .friction_combine_rule(CoefficientCombineRule::Min)
    };
    let floor = ColliderBuilder::cuboid(50.0, 50.0, 0.5).translation(Vector::new(0.0, 0.0, -0.5));
    world.colliders.insert(laid(floor));
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, RADIUS + motion.height));
    let ball = world.bodies.insert(body.linvel(Vector::new(motion.speed, 0.0, 0.0)).can_sleep(false));
    world.colliders.insert_with_parent(laid(ColliderBuilder::ball(RADIUS)), ball, &mut world.bodies);
    let steps = (motion.until / step).round() as usize;
    // The last step makes up for what does not divide.
    let begin = Instant::now();
    for k in 0..steps {
        if k == steps - 1 {
            world.integration_parameters.dt = motion.until - step * k as f64;
        }
        world.step();
    }
    let time = begin.elapsed().as_secs_f64();
    let at = world.bodies[ball].translation();
    ([at.x, at.y, at.z][motion.axis], time)
}
