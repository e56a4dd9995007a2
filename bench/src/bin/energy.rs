//! What time stepping keeps: the energy of chains over a million steps, and the angular momentum of bodies that collide in flight.
//!
//! `chain-energy.csv`: chains of hinged rods, 1 m long and 0.1 kg a rod, released from the horizontal, steps of 1 ms; `off` is the energy less that at the start, over what the chain gains from there to hanging down.
//! `momentum.csv`: pairs of spinning bodies without weight that collide with friction and restitution; the angular momentum about the origin after half a second less that before, over mass times speed times size, its median and
//! largest value over random pairs for each length of the step, and the order between two lengths.
//!
//! Options: `--links 20,50,100`, `--steps 1000000`, `--pairs 200`.

use std::error::Error;

use zerogap::contact::material::PairProperties;
use zerogap::dynamics::multibody::{BodyId, Inertia, Joint, JointKind};
use zerogap::world::{BodyDef, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_bench::options::Options;
use zerogap_bench::{Table, machine};
use zerogap_core::Mat3;
use zerogap_core::random::Random;

/// Length of a step of chains [s].
const STEP: f64 = 1e-3;
/// Mass of a rod [kg].
const MASS: f64 = 0.1;
const GRAVITY: f64 = 9.81;
/// Rows of each chain [-].
const ROWS: usize = 250;
/// Lengths of steps of colliding pairs [s].
const STEPS: [f64; 5] = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4];

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read(&["links", "steps", "pairs"])?;
    momenta(options.value("pairs", 200)?)?;
    let steps = options.value("steps", 1_000_000_usize)?;
    let mut table = Table::new(&["links", "step", "off", "machine"]);
    for links in options.list("links", &[20, 50, 100])? {
        let mut world = chain(links)?;
        let start = world.energy().total();
        let swing = MASS * links as f64 * GRAVITY * 0.5;
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for row in 1..=ROWS {
            let step = row * steps / ROWS;
            world.advance_to(step as f64 * STEP)?;
            let off = (world.energy().total() - start) / swing;
            (low, high) = (low.min(off), high.max(off));
            table.add(vec![links.to_string(), step.to_string(), format!("{off:.3e}"), machine()]);
        }
        println!("{links} links, {steps} steps: energy from {low:.1e} to {high:.1e} of the swing");
        table.save("chain-energy")?;
    }
    Ok(())
}

/// Rods on hinges about y, horizontal along x.
fn chain(links: usize) -> Result<World, Box<dyn Error>> {
    let mut builder = WorldBuilder::new(WorldParams::new(Stepping { step: STEP, ..Stepping::default() }));
    let length = 1.0 / links as f64;
    let moment = MASS * length * length / 12.0;
    let inertia = Inertia {
        mass: MASS,
        center: Vec3::x() * (0.5 * length),
        inertia: Mat3::from_diagonal(&Vec3::new(0.1 * moment, moment, moment)),
    };
    let mut parent: Option<BodyId> = None;
    for _ in 0..links {
        let at = if parent.is_some() { Vec3::x() * length } else { Vec3::zeros() };
        let joint = Joint::new(parent, JointKind::Revolute { axis: Vec3::y() });
        let joint = joint.parent_frame(Pose::from_translation(at)?);
        parent = Some(builder.body(BodyDef::new(joint).with_inertia(inertia))?);
    }
    Ok(builder.build()?)
}

/// Two boxes without weight on their way to each other, spinning; the same for every length of the step.
fn pair(number: usize, step: f64) -> Result<World, Box<dyn Error>> {
    let mut random = Random::new(number as u64);
    let stepping = Stepping { step, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams { gravity: Vec3::zeros(), ..WorldParams::new(stepping) });
    let (restitution, friction) = (random.range(0.0, 1.0), random.range(0.0, 1.0));
    let properties = PairProperties { restitution, friction, ..PairProperties::default() };
    builder.pair("steel", "steel", properties)?;
    for side in [-1.0, 1.0] {
        let pose = Pose::new(Vec3::x() * (0.5 * side) + random.in_cube(0.1), random.quaternion_xyzw())?;
        let (v, w) = (Vec3::x() * -side + random.in_cube(0.2), random.in_cube(3.0));
        let size = Vec3::new(random.range(0.2, 0.4), random.range(0.2, 0.4), random.range(0.2, 0.4));
        let def = BodyDef::free(pose).with_shape(ShapeDef::new(Shape::cuboid(size)?, "steel"));
        builder.body(def.moving(&[v.x, v.y, v.z, w.x, w.y, w.z]))?;
    }
    Ok(builder.build()?)
}

fn momenta(pairs: usize) -> Result<(), Box<dyn Error>> {
    let mut table = Table::new(&["step_s", "pairs", "median", "largest", "order", "momentum", "machine"]);
    let mut last: Option<f64> = None;
    for step in STEPS {
        let (mut angular, mut linear) = (Vec::new(), 0.0_f64);
        for number in 0..pairs {
            let mut world = pair(number, step)?;
            let mass: f64 = (0..2).map(|body| world.tree().inertia(BodyId(body)).mass).fold(0.0, f64::max);
            let (p0, l0) = world.momentum();
            world.advance_to(0.5)?;
            let (p1, l1) = world.momentum();
            linear = linear.max((p1 - p0).norm() / mass);
            if !world.events().is_empty() {
                angular.push((l1 - l0).norm() / (0.3 * mass));
            }
        }
        angular.sort_by(f64::total_cmp);
        let median = angular[angular.len() / 2];
        let order = last.map_or("-".to_owned(), |last| format!("{:.2}", (last / median).log2()));
        last = Some(median);
        table.push(vec![
            format!("{step:e}"),
            angular.len().to_string(),
            format!("{median:.1e}"),
            format!("{:.1e}", angular[angular.len() - 1]),
            order,
            format!("{linear:.1e}"),
            machine(),
        ]);
    }
    table.save("momentum")?;
    Ok(())
}
