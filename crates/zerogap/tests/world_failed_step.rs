//! A time step that fails leaves no trace, however many parts of it were made.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap::contact::material::PairProperties;
use zerogap::dynamics::multibody::Inertia;
use zerogap::geometry::shape::{Sphere, SupportFunction, UserShape};
use zerogap::geometry::{Convex, ConvexShape, SupportHint};
use zerogap::world::{BodyDef, ShapeDef, StepForces, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

/// A ball whose support function works so many times more.
#[derive(Debug)]
struct Failing {
    ball: Sphere,
    calls_left: Arc<AtomicUsize>,
}

impl SupportFunction for Failing {
    fn support(&self, direction: &Vec3) -> Vec3 {
        let left = self.calls_left.load(Ordering::Relaxed);
        self.calls_left.store(left.saturating_sub(1), Ordering::Relaxed);
        if left == 0 {
            return Vec3::repeat(f64::NAN);
        }
        self.ball.support(direction, &mut SupportHint::default())
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }
}

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap()
}

/// Such a ball at rest on a floor, and a fast one that bounces to and fro between two thin plates, many times in a step.
fn world(forces: StepForces) -> (World, Arc<AtomicUsize>) {
    let calls_left = Arc::new(AtomicUsize::new(usize::MAX));
    let function = Failing { ball: Sphere::new(0.1).unwrap(), calls_left: Arc::clone(&calls_left) };
    let shape = Shape::Convex(ConvexShape::User(UserShape::new(Arc::new(function))));
    let stepping = Stepping { forces, step: 0.01, ..Stepping::default() };
    let params = WorldParams { gravity: Vec3::zeros(), ..WorldParams::new(stepping) };
    let mut builder = WorldBuilder::new(params);
    let bouncing = PairProperties { restitution: 1.0, ..PairProperties::default() };
    builder.pair("steel", "steel", bouncing).unwrap();
    builder.fixed(ShapeDef::new(Shape::cuboid(Vec3::new(2.0, 2.0, 0.2)).unwrap(), "steel")).unwrap();
    for x in [4.0, 5.0] {
        let plate = Shape::cuboid(Vec3::new(0.01, 1.0, 1.0)).unwrap();
        builder.fixed(ShapeDef::new(plate, "steel").at(at(x, 0.0))).unwrap();
    }
    let inertia = Inertia::sphere(1.0, 0.1);
    builder.body(BodyDef::free(at(0.0, 0.2)).with(shape, "steel").with_inertia(inertia)).unwrap();
    let fast = BodyDef::free(at(4.5, 0.0)).with(Shape::sphere(0.1).unwrap(), "steel");
    builder.body(fast.moving(&[200.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    (builder.build().unwrap(), calls_left)
}

#[test]
fn a_step_that_fails_after_parts_of_it_leaves_no_trace() {
    for forces in [StepForces::Coulomb, StepForces::Silvia] {
        // As it is meant to be, and how often the support function is called in the second step.
        let (mut whole, calls_left) = world(forces);
        whole.advance_to(0.01).unwrap();
        let before = calls_left.load(Ordering::Relaxed);
        let known = whole.events().len();
        whole.advance_to(0.02).unwrap();
        let calls = before - calls_left.load(Ordering::Relaxed);
        assert!(whole.events().len() > known + 1 || forces == StepForces::Silvia, "{:?}", whole.events());

        let mut failed = 0;
        for enough in 0..calls {
            let (mut world, calls_left) = world(forces);
            world.advance_to(0.01).unwrap();
            let (saved, events) = (world.hash(), world.events().to_vec());
            let (contacts, info) = (world.contacts(), world.info());
            calls_left.store(enough, Ordering::Relaxed);
            // A query that has its answer by then does not ask for more.
            if world.advance_to(0.02).is_ok() {
                continue;
            }
            failed += 1;
            assert_eq!((world.hash(), world.events()), (saved, &events[..]), "{forces:?}, call {enough}");
            assert_eq!(world.contacts(), contacts, "{forces:?}, call {enough}");
            assert_eq!((world.info().events, world.info().steps), (info.events, info.steps));

            // And it can be made again.
            calls_left.store(usize::MAX, Ordering::Relaxed);
            world.advance_to(0.02).unwrap();
            assert_eq!(
                (world.hash(), world.events()),
                (whole.hash(), whole.events()),
                "{forces:?}, {enough}"
            );
        }
        assert!(failed > calls / 2, "{forces:?}: {failed} of {calls}");
    }
}
