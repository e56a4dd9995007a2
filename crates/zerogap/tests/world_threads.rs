//! Worlds go where they are sent, can be interrupted, and are not harmed by what they refuse.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap::contact::law::NormalLaw;
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::{Dof, Inertia, Joint, JointKind};
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, ShapeDef, Stop, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

fn builder() -> WorldBuilder {
    let contact = ContactModel::Rigid(ImpactLaw::default());
    let mut builder =
        WorldBuilder::new(WorldParams::new(EventLocation { max_step: 1e-2, ..EventLocation::new(contact) }));
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    builder
}

fn bouncing() -> World {
    let mut builder = builder();
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.1)).unwrap();
    builder.body(BodyDef::free(start).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    builder.build().unwrap()
}

#[test]
fn a_world_runs_in_another_thread_as_it_does_here() {
    let mut here = bouncing();
    here.advance_to(3.0).unwrap();
    let mut there = bouncing();
    let hash = std::thread::spawn(move || {
        there.advance_to(3.0).unwrap();
        there.hash()
    });
    assert_eq!(hash.join().unwrap(), here.hash());
}

#[test]
fn a_run_that_is_asked_about_is_the_same_run() {
    let mut plain = bouncing();
    plain.advance_to(3.0).unwrap();
    let mut asked = bouncing();
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    asked.interrupt_with(Some(Arc::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    })));
    assert_eq!(asked.advance_to(3.0), Ok(Stop::Reached));
    assert!(count.load(Ordering::Relaxed) > 2);
    assert_eq!(asked.hash(), plain.hash());
}

#[test]
fn frames_do_not_change_a_run_whose_integrator_changes() {
    // A soft ball that comes to rest in damped contact: worth an implicit method from then on.
    let resting = || {
        let law = NormalLaw::KelvinVoigt { stiffness: 1e6, damping: 3e3 };
        let contact = ContactModel::Elastic(law);
        let mut builder = WorldBuilder::new(WorldParams::new(EventLocation::new(contact)));
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        let start = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2)).unwrap();
        let ball = BodyDef::free(start).with(Shape::sphere(0.1).unwrap(), "steel");
        builder.body(ball.with_inertia(Inertia::sphere(1.0, 0.1))).unwrap();
        builder.build().unwrap()
    };
    let mut plain = resting();
    plain.advance_to(5.0).unwrap();
    assert!(plain.info().method.len() > 1, "{:?}", plain.info());
    for every in [1.0, 0.1, 0.003] {
        let mut recorded = resting();
        recorded.record_to(5.0, every).unwrap();
        assert_eq!(recorded.hash(), plain.hash(), "{every}");
        assert_eq!(recorded.info().method, plain.info().method);
    }
}

#[test]
fn a_run_that_is_ended_early_leaves_all_frames_up_to_its_end() {
    const EVERY: f64 = 1e-3;
    let ended = |ends_by_frame: bool| {
        let mut world = bouncing();
        if !ends_by_frame {
            world.interrupt_with(Some(Arc::new(|| ControlFlow::Break(()))));
        }
        let mut times = Vec::new();
        let stop = world.stream_to(3.0, EVERY, &mut |frame, _| {
            times.push(frame.t);
            if ends_by_frame { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (stop, world.time(), times)
    };
    for (ends_by_frame, expected) in [(true, Stop::Stopped), (false, Stop::Interrupted)] {
        let (stop, reached, times) = ended(ends_by_frame);
        assert_eq!(stop, Ok(expected));
        assert!(reached > 0.0 && reached < 3.0, "{reached}");
        let count = (reached / EVERY + 1e-9).floor() as usize + 1;
        assert!(count > 2 && times.len() == count, "{} frames to {reached} s, not {count}", times.len());
    }
}

#[test]
fn an_interrupted_run_can_go_on() {
    let mut world = bouncing();
    world.interrupt_with(Some(Arc::new(|| ControlFlow::Break(()))));
    assert_eq!(world.advance_to(3.0), Ok(Stop::Interrupted));
    assert!(world.time() > 0.0 && world.time() < 3.0, "{}", world.time());
    world.interrupt_with(None);
    assert_eq!(world.advance_to(3.0), Ok(Stop::Reached));
    let mut plain = bouncing();
    plain.advance_to(3.0).unwrap();
    assert!((world.positions()[2] - plain.positions()[2]).abs() < 1e-8);
}

#[test]
fn a_refused_body_leaves_nothing_behind() {
    let mut builder = builder();
    let hinge = || BodyDef::new(Joint::new(None, JointKind::Revolute { axis: Vec3::y() }));
    let ball = Shape::sphere(0.1).unwrap();
    // A mesh with a hole has no inside.
    let gear = zerogap::geometry::parts::Gear::default().generate().unwrap();
    let open = gear.triangles()[1..].to_vec();
    let mesh = zerogap::geometry::TriangleMesh::new(gear.vertices().to_vec(), open).unwrap();
    let limits = Dof { lower: Some(1.0), upper: Some(0.0), ..Dof::default() };
    for refused in [
        hinge(),
        hinge().with(ball.clone(), "cheese"),
        hinge().with(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel"),
        hinge().with(mesh.into(), "steel").with_inertia(Inertia::sphere(1.0, 0.1)),
        hinge().with(ball.clone(), "steel").with_dof(0, limits),
        hinge().with(ball.clone(), "steel").with_dof(1, Dof::default()),
    ] {
        assert!(builder.body(refused).is_err());
    }
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.1)).unwrap();
    builder.body(BodyDef::free(start).with(ball, "steel")).unwrap();
    let mut world = builder.build().unwrap();
    assert_eq!((world.names().len(), world.tree().bodies()), (1, 1));
    world.advance_to(1.0).unwrap();
}

#[test]
fn the_last_frame_is_at_the_end() {
    let frames = bouncing().record_to(0.3, 0.1).unwrap();
    assert_eq!(frames.len(), 4);
}

#[test]
fn states_come_back_in_any_order_with_their_events() {
    let mut world = bouncing();
    let mut saved = Vec::new();
    for k in 0..4 {
        world.advance_to(f64::from(k) * 0.7).unwrap();
        saved.push((world.save(), world.hash(), world.events().to_vec()));
    }
    for k in [3, 0, 2, 3, 1] {
        let (state, hash, events) = &saved[k];
        world.restore(state).unwrap();
        assert_eq!((world.hash(), world.events()), (*hash, events.as_slice()), "{k}");
    }
    world.advance_to(1.4).unwrap();
    assert_eq!(world.hash(), saved[2].1);
}
