//! What holds by whichever method a world advances.

use std::ops::ControlFlow;
use std::sync::Arc;

use zerogap::contact::solve::ImpactLaw;
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, MethodParams, ShapeDef, StepForces, Stepping, Stop, World,
    WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// Time that worlds run for [s].
const UNTIL: f64 = 0.6;

/// Events with elastic and with rigid contacts, steps by friction cones and by SiLVIA's forces.
fn methods() -> [WorldParams; 4] {
    let by_steps = |forces| WorldParams::new(Stepping { forces, step: 1e-3, ..Stepping::default() });
    [
        WorldParams::default(),
        WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default()))),
        by_steps(StepForces::Coulomb),
        by_steps(StepForces::Silvia),
    ]
}

/// A ball that falls on a floor and a box beside it.
fn falling(params: WorldParams) -> World {
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let at = |x: f64, z: f64| Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap();
    builder.body(BodyDef::free(at(0.0, 0.3)).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    let cube = Shape::cuboid(Vec3::repeat(0.2)).unwrap();
    builder.body(BodyDef::free(at(1.0, 0.2)).with(cube, "steel")).unwrap();
    builder.build().unwrap()
}

#[test]
fn frames_and_questions_whether_to_stop_change_no_bits_in_any_method() {
    for params in methods() {
        let mut plain = falling(params);
        plain.advance_to(UNTIL).unwrap();
        assert!(plain.events().len() > 1, "nothing touched: {params:?}");

        let mut recorded = falling(params);
        let frames = recorded.record_to(UNTIL, 0.01).unwrap();
        assert_eq!(frames.len(), 61, "{params:?}");
        let mut asked = falling(params);
        asked.interrupt_with(Some(Arc::new(|| ControlFlow::Continue(()))));
        assert_eq!(asked.advance_to(UNTIL).unwrap(), Stop::Reached);
        for world in [&recorded, &asked] {
            assert_eq!(world.hash(), plain.hash(), "{params:?}");
            assert_eq!(world.events(), plain.events(), "{params:?}");
            assert_eq!(world.info().steps, plain.info().steps, "{params:?}");
        }
    }
}

#[test]
fn a_run_that_is_interrupted_can_continue_in_every_method() {
    for params in methods() {
        // Rigid events take so few steps otherwise that nobody is asked.
        let params = match params.method {
            MethodParams::Events(events) => WorldParams::new(EventLocation { max_step: 0.01, ..events }),
            MethodParams::Stepping(_) => params,
        };
        let mut world = falling(params);
        world.interrupt_with(Some(Arc::new(|| ControlFlow::Break(()))));
        assert_eq!(world.advance_to(UNTIL).unwrap(), Stop::Interrupted, "{params:?}");
        assert!(world.time() > 0.0 && world.time() < UNTIL, "{params:?}");
        world.interrupt_with(None);
        assert_eq!(world.advance_to(UNTIL).unwrap(), Stop::Reached, "{params:?}");
        assert_eq!(world.time().to_bits(), UNTIL.to_bits(), "{params:?}");
    }
}

#[test]
fn a_taker_of_frames_ends_the_run_in_every_method() {
    for params in methods() {
        let mut world = falling(params);
        let mut taken = 0;
        let stop = world.stream_to(UNTIL, 0.01, &mut |_, _| {
            taken += 1;
            if taken < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(stop.unwrap(), Stop::Stopped, "{params:?}");
        assert!(world.time() >= 0.02 && taken >= 3, "{params:?}");
    }
}
