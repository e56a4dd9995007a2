//! States of worlds as bytes: another world made by the same builder continues with the same bits, and foreign states are refused.

use std::sync::Arc;

use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::{Dof, Inertia, Interpolation, Joint, JointKind, SplineMotion};
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, ShapeDef, StepForces, Stepping, StoredError, World, WorldBuilder,
    WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap()
}

/// Events with rigid and with elastic contacts, steps with friction and steps with normal forces alone.
fn methods() -> [WorldParams; 4] {
    let by_steps = |forces| WorldParams::new(Stepping { forces, step: 1e-3, ..Stepping::default() });
    [
        WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default()))),
        WorldParams::default(),
        by_steps(StepForces::Coulomb),
        by_steps(StepForces::Silvia),
    ]
}

/// A base that moves to and fro with velocities that jump at 0.3 s, 0.6 s and 0.9 s, a pendulum on it, and a ball that falls on the floor.
fn moving_base(params: WorldParams) -> World {
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let (times, places) = ([0.0, 0.3, 0.6, 0.9], [0.0, 0.15, 0.0, 0.1]);
    let poses = places.map(|x| at(x, 1.0));
    let motion = SplineMotion::from_poses(&times, &poses, Interpolation::Linear).unwrap();
    let base = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
    let base = builder.body(BodyDef::new(base)).unwrap();
    let hinge = Joint::new(Some(base), JointKind::Revolute { axis: Vec3::y() });
    let bob = ShapeDef::new(Shape::sphere(0.05).unwrap(), "steel").at(at(0.0, -0.3));
    builder.body(BodyDef::new(hinge).with_shape(bob)).unwrap();
    let ball = BodyDef::free(at(2.0, 0.3)).with(Shape::sphere(0.1).unwrap(), "steel");
    builder.body(ball).unwrap();
    builder.build().unwrap()
}

#[test]
fn a_stored_state_knows_which_jumps_of_prescribed_velocities_have_passed() {
    for params in methods() {
        // Before the first jump, at it, after it and after all of them.
        for saved_at in [0.2, 0.3, 0.45, 0.75, 1.0] {
            let mut world = moving_base(params);
            world.advance_to(saved_at).unwrap();
            let bytes = world.save().to_bytes().unwrap();
            let mut copy = moving_base(params);
            let saved = copy.saved_from_bytes(&bytes).unwrap();
            copy.restore(&saved).unwrap();
            assert_eq!(copy.hash(), world.hash());
            assert_eq!(copy.body_states(), world.body_states(), "saved at {saved_at} s, {params:?}");
            for t in [saved_at + 0.1, 1.4] {
                world.advance_to(t).unwrap();
                copy.advance_to(t).unwrap();
                assert_eq!(copy.hash(), world.hash(), "saved at {saved_at} s, at {t} s, {params:?}");
                assert_eq!(copy.body_states(), world.body_states());
            }
            assert_eq!(copy.events(), world.events());
        }
    }
}

/// A floor and one body on it.
fn on_floor(params: WorldParams, def: BodyDef) -> World {
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    builder.body(def).unwrap();
    builder.build().unwrap()
}

#[test]
fn a_state_of_another_world_is_refused() {
    let ball = || Shape::sphere(0.1).unwrap();
    let events = WorldParams::default();
    let free = || on_floor(events, BodyDef::free(at(0.0, 0.1)).with(ball(), "steel"));
    let stepped = || {
        let params = WorldParams::new(Stepping::default());
        on_floor(params, BodyDef::free(at(0.0, 0.1)).with(ball(), "steel"))
    };
    let slider = |lower: Option<f64>| {
        let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() }).parent_frame(at(0.0, 0.2));
        let dof = Dof { lower, ..Dof::default() };
        on_floor(events, BodyDef::new(joint).with(ball(), "steel").with_dof(0, dof))
    };
    let two_shapes = || {
        let second = ShapeDef::new(ball(), "steel").at(at(0.5, 0.0));
        on_floor(events, BodyDef::free(at(0.0, 0.1)).with(ball(), "steel").with_shape(second))
    };
    let spherical = || {
        let joint = Joint::new(None, JointKind::Spherical).parent_frame(at(0.0, 0.5));
        let def = BodyDef::new(joint).with(ball(), "steel").with_inertia(Inertia::sphere(1.0, 0.1));
        on_floor(events, def)
    };
    let worlds: [(&str, &dyn Fn() -> World); 6] = [
        ("free", &free),
        ("stepped", &stepped),
        ("slider", &|| slider(None)),
        ("limited slider", &|| slider(Some(-0.3))),
        ("two shapes", &two_shapes),
        ("spherical", &spherical),
    ];
    for (name, make) in &worlds {
        let mut world = make();
        world.advance_to(0.2).unwrap();
        let bytes = world.save().to_bytes().unwrap();
        for (other, make_other) in &worlds {
            let read = make_other().saved_from_bytes(&bytes);
            if name == other {
                let mut copy = make_other();
                copy.restore(&read.unwrap()).unwrap();
                copy.advance_to(0.5).unwrap();
                world.advance_to(0.5).unwrap();
                assert_eq!(copy.hash(), world.hash(), "{name}");
            } else {
                let error = read.map(|_| ()).unwrap_err();
                assert_eq!(error, StoredError::OtherWorld, "a state of {name} in {other}");
            }
        }
    }
}
