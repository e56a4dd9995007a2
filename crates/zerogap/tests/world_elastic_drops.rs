//! Random drops of one body on elastic ground: every run finishes, in a number of steps that is stated, and laws that lose energy at impacts gain none.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::dynamics::multibody::BodyId;
use zerogap::geometry::Polyhedron;
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, ShapeDef, Stop, World, WorldBuilder, WorldParams,
};
use zerogap::{ConvexShape, Pose, Shape, Vec3};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

const SHAPES: [&str; 10] = [
    "sphere:0.1",
    "box:0.2,0.16,0.12",
    "capsule:0.06,0.16",
    "cylinder:0.08,0.2",
    "cylinder:0.1,0.01",
    "cone:0.1,0.2",
    "ellipsoid:0.12,0.08,0.06",
    "frustum:0.1,0.05,0.15",
    "rounded:0.02,box:0.16,0.12,0.1",
    "hull",
];

/// Grounds with their tops at zero: a half-space, a slab, a round table, and a log that lies.
const GROUNDS: [&str; 4] = ["halfspace:0,0,1,0", "box:4,4,0.2", "cylinder:1,0.2", "cylinder:0.5,2"];

/// Accepted steps before a run counts as stuck [-]: the slowest drop of the tests takes less than half of this.
const STUCK: usize = 30_000;

/// Energy that a run may gain, against that at the start [-]: the quadrature of a rim is not the gradient of a potential, and bristles of a contact that begins to stick are deflected at once.
const GAIN: f64 = 2e-3;

/// Whether a law loses more than that at every impact; others show the gains, see the limitations in `docs/motion.md`.
fn has_losses(law: NormalLaw) -> bool {
    matches!(law, NormalLaw::HuntCrossley | NormalLaw::Linear { .. } | NormalLaw::Modia3d)
}

/// A drop.
struct Drop {
    shape: &'static str,
    ground: &'static str,
    law: NormalLaw,
    properties: PairProperties,
    world: World,
}

impl Drop {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let shape = SHAPES[random.index(SHAPES.len())];
        let ground = GROUNDS[random.index(GROUNDS.len())];
        let law = match random.index(5) {
            0 => NormalLaw::HuntCrossley,
            1 => NormalLaw::Hertz,
            2 => NormalLaw::Linear { stiffness: 1e6, damping_ratio: random.range(0.05, 1.0) },
            3 => NormalLaw::KelvinVoigt { stiffness: 1e6, damping: random.range(100.0, 1000.0) },
            _ => NormalLaw::Modia3d,
        };
        let friction = if random.index(8) == 0 { 0.0 } else { random.unit() };
        let properties = PairProperties {
            restitution: random.range(0.0, 0.9),
            friction,
            rolling: 0.01,
            ..PairProperties::default()
        };
        let body: Shape = if shape == "hull" {
            let points: Vec<Vec3> =
                (0..24).map(|_| random.direction().component_mul(&Vec3::new(0.12, 0.1, 0.08))).collect();
            ConvexShape::from(Polyhedron::from_points(&points).unwrap()).into()
        } else {
            shape.parse().unwrap()
        };
        let pose = Pose::new(Vec3::new(0.0, 0.0, 0.4), random.quaternion_xyzw()).unwrap();
        let velocity = Vec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-2.0, 0.0));
        let rotation = random.in_cube(5.0);
        let moving = [velocity.x, velocity.y, velocity.z, rotation.x, rotation.y, rotation.z];

        let params = WorldParams::new(EventLocation::new(ContactModel::Elastic(law)));
        let mut builder = WorldBuilder::new(params);
        builder.pair("steel", "steel", properties).unwrap();
        let at = match ground {
            "cylinder:0.5,2" => {
                let quarter = std::f64::consts::FRAC_PI_2;
                Pose::from_axis_angle(Vec3::new(0.0, 0.0, -0.5), Vec3::x(), quarter).unwrap()
            }
            "halfspace:0,0,1,0" => Pose::identity(),
            _ => Pose::from_translation(Vec3::new(0.0, 0.0, -0.1)).unwrap(),
        };
        builder.fixed(ShapeDef::new(ground.parse().unwrap(), "steel").at(at)).unwrap();
        builder.body(BodyDef::free(pose).with(body, "steel").moving(&moving)).unwrap();
        Self { shape, ground, law, properties, world: builder.build().unwrap() }
    }

    fn energy(&self) -> f64 {
        let energy = self.world.energy();
        energy.kinetic + energy.gravity
    }

    /// Runs to a time [s]; returns the largest gain of energy between two instants without contact, against that at the start, or what went wrong.
    fn run(&mut self, until: f64) -> Result<f64, String> {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        self.world.interrupt_with(Some(Arc::new(move || {
            // Asked every 32 steps.
            if counter.fetch_add(32, Ordering::Relaxed) > STUCK {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })));
        let start = self.energy();
        // Above the ground, since what falls beside it has no height of its own.
        let size = start.abs().max(1.0);
        let (mut least, mut gain) = (start, 0.0_f64);
        let count = (until / 0.02) as usize;
        for k in 1..=count {
            let stop =
                self.world.advance_to(until * k as f64 / count as f64).map_err(|error| error.to_string())?;
            if stop == Stop::Stopped {
                return Err(format!("stuck at t = {} s", self.world.time()));
            }
            if self.world.contacts().is_empty() {
                gain = gain.max((self.energy() - least) / size);
                least = least.min(self.energy());
            }
        }
        Ok(gain)
    }
}

#[test]
fn random_drops_finish_and_gain_no_energy() {
    let mut failures = Vec::new();
    let (mut most, mut largest) = (0, 0.0_f64);
    for seed in 0..count(60, 3000) as u64 {
        let mut drop = Drop::new(seed);
        let outcome = drop.run(2.0);
        let steps = drop.world.info().steps;
        let Drop { shape, ground, law, properties, .. } = &drop;
        let PairProperties { friction, restitution, .. } = properties;
        let speed = drop.world.velocity(BodyId(0)).norm();
        println!(
            "{seed} {shape} {ground} {law:?} {friction:.2} {restitution:.2}: {steps} steps, {outcome:?}, {speed:.1e}"
        );
        match outcome {
            Ok(_) if !has_losses(*law) => {}
            Ok(gain) if gain <= GAIN => largest = largest.max(gain),
            outcome => failures.push(format!("{seed} {shape} on {ground}, {law:?}: {outcome:?}")),
        }
        most = most.max(steps);
    }
    println!("at most {most} steps, largest gain {largest:.1e}");
    assert!(failures.is_empty(), "{failures:#?}");
}
