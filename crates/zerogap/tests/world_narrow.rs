//! A pair without an answer of the narrow phase ends the run with an error that names it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::Inertia;
use zerogap::geometry::shape::{Sphere, SupportFunction, UserShape};
use zerogap::geometry::{Convex, ConvexShape, SupportHint};
use zerogap::proximity::collider::ColliderError;
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, PairId, ShapeDef, ShapeId, StepForces, Stepping, World,
    WorldBuilder, WorldError, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// A ball whose support function stops working when it is told to.
#[derive(Debug)]
struct Failing {
    ball: Sphere,
    has_failed: Arc<AtomicBool>,
}

impl SupportFunction for Failing {
    fn support(&self, direction: &Vec3) -> Vec3 {
        if self.has_failed.load(Ordering::Relaxed) {
            return Vec3::repeat(f64::NAN);
        }
        self.ball.support(direction, &mut SupportHint::default())
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }
}

/// Such a ball above a floor, and what makes it fail.
fn world(params: WorldParams, height: f64) -> (WorldBuilder, Arc<AtomicBool>) {
    let has_failed = Arc::new(AtomicBool::new(false));
    let function = Failing { ball: Sphere::new(0.1).unwrap(), has_failed: Arc::clone(&has_failed) };
    let shape = Shape::Convex(ConvexShape::User(UserShape::new(Arc::new(function))));
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new(Shape::cuboid(Vec3::new(2.0, 2.0, 0.2)).unwrap(), "steel")).unwrap();
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2 + height)).unwrap();
    let ball = BodyDef::free(start).with(shape, "steel").with_inertia(Inertia::sphere(1.0, 0.1));
    builder.body(ball).unwrap();
    (builder, has_failed)
}

fn methods() -> Vec<WorldParams> {
    let contact = |contact| WorldParams::new(EventLocation::new(contact));
    let steps = |forces| WorldParams::new(Stepping { forces, ..Stepping::default() });
    vec![
        WorldParams::default(),
        contact(ContactModel::Rigid(ImpactLaw::default())),
        steps(StepForces::Coulomb),
        steps(StepForces::Silvia),
    ]
}

fn named(error: &WorldError) -> bool {
    let between = PairId { a: ShapeId(0), b: ShapeId(1) };
    matches!(error, WorldError::NarrowPhase { pair, error: ColliderError::NotFinite { .. }, .. } if *pair == between)
}

#[test]
fn a_pair_without_a_gap_ends_the_run_with_an_error_that_names_it() {
    // In the air, where it would fall through; and resting, where it would sink.
    for (height, until) in [(0.05, 0.02), (0.0, 0.1)] {
        for params in methods() {
            let (builder, has_failed) = world(params, height);
            let mut world: World = builder.build().unwrap();
            world.advance_to(until).unwrap();
            has_failed.store(true, Ordering::Relaxed);
            let error = world.advance_to(1.0).unwrap_err();
            assert!(named(&error), "{params:?} from {height} m: {error}");
            assert!(error.to_string().contains("shape 0 and shape 1"), "{error}");
        }
    }
}

#[test]
fn a_pair_without_a_gap_at_the_start_is_refused() {
    for params in methods() {
        let (builder, has_failed) = world(params, 0.0);
        has_failed.store(true, Ordering::Relaxed);
        let error = builder.build().map(|world| world.pairs()).unwrap_err();
        assert!(named(&error), "{error}");
    }
}
