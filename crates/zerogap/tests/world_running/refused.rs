//! What a running world refuses, with names; it goes on as if it had not been asked.

use zerogap::dynamics::multibody::{Inertia, Joint, JointKind, Loop, LoopKind};
use zerogap::record::{Head, Recording, RecordingWriter};
use zerogap::world::Collision;

use super::*;

#[test]
fn a_removed_body_is_named_with_the_time_of_its_removal() {
    for (method, params) in methods() {
        let mut world = world_of(params, [ball(0.0, 0.1), ball(1.0, 0.1).named("crate")]);
        world.advance_to(0.25).unwrap();
        world.remove_body(BodyId(1)).unwrap();
        let removed = WorldError::RemovedBody { body: 1, name: "crate".to_owned(), t: 0.25 };
        assert_eq!(removed.to_string(), "body 1 ('crate') was removed at t = 0.25 s");
        assert_eq!(world.check_body(BodyId(1)), Err(removed.clone()), "{method}");
        assert_eq!(world.remove_body(BodyId(1)), Err(removed.clone()));
        assert_eq!(world.set_force(BodyId(1), Vec3::x(), Vec3::zeros()), Err(removed.clone()));
        let motor = zerogap::dynamics::multibody::Motor::Effort(1.0);
        assert_eq!(world.set_motor(BodyId(1), 0, motor), Err(removed.clone()));
        let on_it = BodyDef::new(Joint::new(Some(BodyId(1)), JointKind::Free))
            .with_inertia(Inertia::sphere(1.0, 0.1));
        assert_eq!(world.add_body(on_it), Err(removed));
        assert_eq!(world.remove_body(BodyId(7)), Err(WorldError::NoBody { body: 7 }));
        world.advance_to(0.5).unwrap();
        assert_eq!(world.bodies(), [BodyId(0)]);
    }
}

#[test]
#[should_panic(expected = "body 0 ('body 0') was removed at t = 0 s")]
fn asking_for_the_pose_of_a_removed_body_says_so() {
    let mut world = world_of(WorldParams::default(), [ball(0.0, 0.1)]);
    world.remove_body(BodyId(0)).unwrap();
    world.pose(BodyId(0));
}

#[test]
fn a_body_that_others_hang_on_is_refused_with_their_names() {
    for (method, params) in methods() {
        let mut builder = WorldBuilder::new(params);
        let inertia = Inertia::sphere(1.0, 0.1);
        let hinge = |parent| Joint::new(parent, JointKind::Revolute { axis: Vec3::y() });
        let arm = builder.body(BodyDef::new(hinge(None)).with_inertia(inertia).named("arm")).unwrap();
        let wrist =
            builder.body(BodyDef::new(hinge(Some(arm))).with_inertia(inertia).named("wrist")).unwrap();
        let rod = Loop {
            a: Some(wrist),
            frame_a: Pose::identity(),
            b: None,
            frame_b: at(0.0, 1.0),
            kind: LoopKind::Distance(1.0),
        };
        builder.close(rod).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.1).unwrap();
        let before = world.hash();
        let error = world.remove_body(arm).unwrap_err();
        assert_eq!(
            error.to_string(),
            "'arm' cannot be removed: 'wrist' hangs on it; remove what hangs on it first",
            "{method}"
        );
        let error = world.remove_body(wrist).unwrap_err();
        assert_eq!(
            error,
            WorldError::BodyInUse { body: "'wrist'".into(), by: vec!["loop 0".into()] },
            "{method}"
        );
        assert_eq!((world.hash(), world.bodies().len()), (before, 2), "{method}");
    }
}

#[test]
fn a_chain_is_removed_from_its_tip_on() {
    for (method, params) in methods() {
        let mut world = world_of(params, [ball(3.0, 0.1)]);
        let hinge = |parent| Joint::new(parent, JointKind::Revolute { axis: Vec3::y() });
        let bob = || ShapeDef::new(Shape::sphere(0.05).unwrap(), "steel").at(at(0.0, -0.3));
        let base = BodyDef::free(at(0.0, 3.0)).with(Shape::sphere(0.1).unwrap(), "steel");
        let base = world.add_body(base).unwrap();
        let arm = world.add_body(BodyDef::new(hinge(Some(base))).with_shape(bob())).unwrap();
        world.advance_to(0.2).unwrap();
        assert!(matches!(world.remove_body(base), Err(WorldError::BodyInUse { .. })), "{method}");
        world.remove_body(arm).unwrap();
        world.remove_body(base).unwrap();
        world.advance_to(0.4).unwrap();
        assert_eq!(world.positions().len(), 7, "{method}");
    }
}

#[test]
fn a_body_added_in_overlap_is_refused_and_the_world_is_as_it_was() {
    for (method, params) in methods() {
        let mut plain = world_of(params, [cube(0.0, 0.1), ball(1.0, 0.5)]);
        let mut asked = world_of(params, [cube(0.0, 0.1), ball(1.0, 0.5)]);
        for world in [&mut plain, &mut asked] {
            world.advance_to(0.2).unwrap();
        }
        let saved = asked.save();
        let error = asked.add_body(cube(0.05, 0.15)).unwrap_err();
        assert!(
            matches!(error, WorldError::Overlap { pair: of, .. } if of == pair(1, 3)),
            "{method}: {error}"
        );
        let half_space =
            BodyDef::free(at(0.0, 3.0)).with(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel");
        let half_space = asked.add_body(half_space);
        assert!(matches!(half_space, Err(WorldError::HalfSpaceOnBody { .. })), "{method}");
        assert!(asked.add_body(ball(5.0, 5.0).starting(&[1.0])).is_err(), "{method}");
        assert!(asked.add_fixed(ShapeDef::new(Shape::sphere(1.0).unwrap(), "no such material")).is_err());
        assert_eq!((asked.bodies(), asked.names().len()), (plain.bodies(), 2), "{method}");
        asked.restore(&saved).unwrap();
        for world in [&mut plain, &mut asked] {
            world.advance_to(1.0).unwrap();
        }
        assert_eq!((asked.hash(), asked.events()), (plain.hash(), plain.events()), "{method}");
        assert_eq!(asked.add_body(ball(3.0, 0.1)), Ok(BodyId(2)), "{method}");
    }
}

#[test]
fn an_overlap_is_let_in_where_the_builder_allowed_it() {
    for (method, params) in methods() {
        let mut builder = WorldBuilder::new(params);
        builder.fixed(floor()).unwrap();
        builder.set_overlaps(zerogap::world::Overlaps::Allow);
        let mut world = builder.build().unwrap();
        world.advance_to(0.1).unwrap();
        world.add_body(ball(0.0, 0.0999)).unwrap();
        world.advance_to(0.2).unwrap();
        assert!(world.pose(BodyId(0)).translation().z > 0.0998, "{method}");
    }
}

#[test]
fn a_state_of_other_bodies_is_refused() {
    for (method, params) in methods() {
        let mut world = world_of(params, [ball(0.0, 0.5)]);
        world.advance_to(0.1).unwrap();
        let first = world.save();
        let second = world.add_body(ball(1.0, 0.5)).unwrap();
        let between = world.save();
        assert_eq!(world.restore(&first), Err(WorldError::OtherBodies), "{method}");
        assert!(world.saved_from_bytes(&first.to_bytes().unwrap()).is_err(), "{method}");
        world.advance_to(0.4).unwrap();
        world.restore(&between).unwrap();
        assert!((world.time() - 0.1).abs() < 1e-15);
        world.remove_body(second).unwrap();
        assert_eq!(world.restore(&between), Err(WorldError::OtherBodies), "{method}");
        assert_eq!(world.restore(&first), Err(WorldError::OtherBodies), "{method}");
        let shelf =
            world.add_fixed(ShapeDef::new(Shape::sphere(0.1).unwrap(), "steel").at(at(5.0, 5.0))).unwrap();
        let with_shelf = world.save();
        world.remove_fixed(shelf).unwrap();
        assert_eq!(world.restore(&with_shelf), Err(WorldError::OtherBodies), "{method}");
    }
}

#[test]
fn what_cannot_collide_with_the_rest_is_refused_as_at_the_start() {
    for (method, params) in methods() {
        let mut world = world_of(params, [ball(0.0, 0.1)]);
        let corners = ShapeDef::new(Shape::cuboid(Vec3::repeat(SIDE)).unwrap(), "steel");
        let body = BodyDef::free(at(1.0, 0.5)).with_shape(corners.colliding(Collision::Oriented));
        // Corners of the box find no surface on the ball; by rigid contacts there are no corners at all.
        let error = world.add_body(body).unwrap_err();
        assert!(matches!(error, WorldError::Oriented { .. }), "{method}: {error}");
        world.advance_to(0.1).unwrap();
        assert_eq!(world.bodies().len(), 1);
    }
}

#[test]
fn a_recording_is_of_the_bodies_that_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (method, params)) in methods().into_iter().enumerate() {
        let mut world = world_of(params, [ball(0.0, 0.1), ball(1.0, 0.5), ball(2.0, 0.5).named("last")]);
        let path = folder.path().join(format!("{number}.zgr"));
        let mut writer = RecordingWriter::create(&path, &Head::of_world(&world, "parts", 0.05)).unwrap();
        for frame in world.record_to(0.1, 0.05).unwrap() {
            writer.frame(&frame).unwrap();
        }
        world.remove_body(BodyId(1)).unwrap();
        world.add_body(ball(3.0, 0.5)).unwrap();
        let frames = world.record_to(0.2, 0.05).unwrap();
        assert_eq!(*frames[0].bodies, [0, 2, 3].map(BodyId), "{method}");
        assert_eq!(frames[0].pose(BodyId(3)), Some(at(3.0, 0.5)));
        assert_eq!(frames[0].pose(BodyId(1)), None);
        // As many bodies, but others.
        let error = writer.frame(&frames[0]).unwrap_err();
        let expected =
            "is of other bodies than those before it: a recording ends where bodies are added or removed";
        assert!(error.to_string().contains(expected), "{method}: {error}");
        drop(writer);

        // Another one begins with those that there are; shapes keep their numbers.
        let head = Head::of_world(&world, "parts", 0.05);
        assert_eq!(head.bodies, ["body 0", "last", "body 3"], "{method}");
        let rows: Vec<Option<u32>> = head.shapes.iter().map(|shape| shape.body).collect();
        assert_eq!(rows, [None, Some(0), None, Some(1), Some(2)]);
        assert!(head.shapes[2].triangles.is_empty() && !head.shapes[4].triangles.is_empty());
        let mut writer = RecordingWriter::create(&path, &head).unwrap();
        for frame in &frames {
            writer.frame(frame).unwrap();
        }
        writer.events(world.events()).unwrap();
        writer.flush().unwrap();
        drop(writer);
        let read = Recording::open(&path).unwrap();
        assert_eq!((read.frames.len(), read.frames[0].poses.len()), (frames.len(), 3), "{method}");
    }
}
