//! Joint limits, motors, functions of the user and scheduled times, against closed forms.

use std::sync::Arc;

use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::event::Direction;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopKind, Motor};
use zerogap::world::{BodyDef, ContactModel, Happening, Stop, UserFunction, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Vec3};

const G: f64 = 9.81;

fn builder(relative: f64) -> WorldBuilder {
    WorldBuilder::new(WorldParams {
        contact: ContactModel::Rigid(ImpactLaw::default()),
        tolerance: Tolerance { relative, absolute: 1e-3 * relative },
        ..WorldParams::default()
    })
}

/// A weight on a vertical slide, from a height, with a stop at zero.
fn slide(stop: f64, height: f64, restitution: f64, motor: Motor) -> (World, BodyId) {
    let mut builder = builder(1e-10);
    let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() });
    let dof = Dof { lower: Some(stop), restitution, motor, ..Dof::default() };
    let def = BodyDef::new(joint).with_inertia(Inertia::sphere(2.0, 0.1)).starting(&[stop + height]);
    let body = builder.body(def.with_dof(0, dof)).unwrap();
    (builder.build().unwrap(), body)
}

fn times(world: &World, is_asked: impl Fn(&Happening) -> bool) -> Vec<f64> {
    world.events().iter().filter(|event| is_asked(&event.what)).map(|event| event.t).collect()
}

fn reached(world: &World) -> Vec<f64> {
    times(world, |what| matches!(what, Happening::LimitReached { .. }))
}

#[test]
fn a_weight_bounces_on_its_stop_as_a_ball_does() {
    for e in [0.0, 0.5, 0.9, 1.0] {
        let (mut world, _) = slide(1000.0, 1.0, e, Motor::Off);
        eprintln!("{e} {:?}", world.advance_to(10.0));
        let hits = reached(&world);
        let first = (2.0_f64 / G).sqrt();
        // Flights of 2 e^k v / g.
        let mut expected = first;
        for (k, hit) in hits.iter().enumerate() {
            if k < 12 || k > hits.len() - 4 { eprintln!("{e} {k} {hit} {:e}", hit - expected); }
            expected += 2.0 * first * e.powi(k as i32 + 1);
        }
        eprintln!("{:?} {:?}", world.positions(), world.velocities());
    }
}
