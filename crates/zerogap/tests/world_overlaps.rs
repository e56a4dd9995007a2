//! Shapes that overlap at the start: refused, moved apart, or excluded from contact.

use std::path::Path;

use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::{BodyId, Dof, Joint, JointKind};
use zerogap::scene::Scene;
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, Overlaps, ShapeDef, StepForces, Stepping, World, WorldBuilder,
    WorldError, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

fn methods() -> [(&'static str, WorldParams); 4] {
    let by_steps = |forces| WorldParams::new(Stepping { forces, ..Stepping::default() });
    [
        ("elastic", WorldParams::default()),
        ("rigid", WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default())))),
        ("stepping", by_steps(StepForces::Coulomb)),
        ("silvia", by_steps(StepForces::Silvia)),
    ]
}

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap()
}

fn cube(z: f64) -> BodyDef {
    BodyDef::free(at(0.0, z)).with(Shape::cuboid(Vec3::repeat(0.2)).unwrap(), "steel")
}

/// Cubes at some heights over a floor.
fn stack(params: WorldParams, overlaps: Overlaps, heights: &[f64]) -> Result<World, WorldError> {
    let mut builder = WorldBuilder::new(params);
    builder.set_overlaps(overlaps);
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    for z in heights {
        builder.body(cube(*z)).unwrap();
    }
    builder.build()
}

#[test]
fn a_stack_in_overlap_is_separated_as_little_as_it_takes_and_stands() {
    // 30 mm into the floor, and 10 mm into each other; the last one is apart.
    let heights = [0.07, 0.26, 0.45, 0.9];
    for (method, params) in methods() {
        assert!(matches!(stack(params, Overlaps::Refuse, &heights), Err(WorldError::Overlap { .. })));
        let mut world = stack(params, Overlaps::Separate, &heights).unwrap();
        let z = |world: &World, body: u32| world.pose(BodyId(body)).translation().z;
        for (body, expected) in [(0, 0.1), (1, 0.3), (2, 0.5), (3, 0.9)] {
            assert!((z(&world, body) - expected).abs() < 1e-6, "{method}: {body} at {}", z(&world, body));
        }
        let moved = world.start_overlaps().moved.clone();
        assert_eq!(moved.iter().map(|one| one.body.0).collect::<Vec<_>>(), [0, 1, 2], "{method}");
        for (one, expected) in moved.iter().zip([0.03, 0.04, 0.05]) {
            assert!((one.distance - expected).abs() < 1e-6 && one.angle < 1e-6, "{method}: {one:?}");
        }
        assert_eq!(world.overlap_warnings().len(), 3);
        world.advance_to(0.05).unwrap();
        assert!((z(&world, 2) - 0.5).abs() < 1e-4, "{method}: {}", z(&world, 2));
    }
}

#[test]
fn what_rests_on_something_is_not_pushed_into_it() {
    for (method, params) in methods() {
        let world = stack(params, Overlaps::Separate, &[0.1, 0.27]).unwrap();
        let moved = &world.start_overlaps().moved;
        assert_eq!(moved.iter().map(|one| one.body.0).collect::<Vec<_>>(), [1], "{method}: {moved:?}");
        assert!((moved[0].distance - 0.03).abs() < 1e-6, "{method}: {moved:?}");
    }
}

#[test]
fn what_cannot_be_separated_is_refused() {
    // A cube on a slide between two walls that are too near, and one whose limit keeps it in the floor.
    for (method, params) in methods() {
        let mut builder = WorldBuilder::new(params);
        builder.set_overlaps(Overlaps::Separate);
        for side in [1.0, -1.0] {
            let wall = Shape::half_space(Vec3::new(side, 0.0, 0.0), -0.09).unwrap();
            builder.fixed(ShapeDef::new(wall, "steel")).unwrap();
        }
        builder.body(cube(0.0)).unwrap();
        assert!(matches!(builder.build(), Err(WorldError::Overlap { .. })), "{method}");
        let mut builder = WorldBuilder::new(params);
        builder.set_overlaps(Overlaps::Separate);
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        let slide = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() });
        let shape = Shape::cuboid(Vec3::repeat(0.2)).unwrap();
        let dof = Dof { upper: Some(0.05), ..Dof::default() };
        builder.body(BodyDef::new(slide).with(shape, "steel").with_dof(0, dof)).unwrap();
        assert!(matches!(builder.build(), Err(WorldError::Overlap { .. })), "{method}");
    }
}

#[test]
fn an_excluded_pair_never_touches_and_all_others_do() {
    for (method, params) in methods() {
        // The lower cubes overlap each other, the upper one falls on both.
        let mut world = stack(params, Overlaps::Exclude, &[0.1, 0.15, 0.5]).unwrap();
        let excluded = &world.start_overlaps().excluded;
        assert_eq!(excluded.len(), 1, "{method}: {excluded:?}");
        assert!((excluded[0].1 - 0.15).abs() < 1e-9, "{method}: {excluded:?}");
        assert_eq!(world.overlap_warnings().len(), 1);
        let pair = excluded[0].0;
        world.advance_to(0.1).unwrap();
        // Both stand on the floor, one within the other.
        world.advance_to(0.3).unwrap();
        assert!(world.contacts().iter().all(|contact| contact.pair != pair), "{method}");
        let z = |body: u32| world.pose(BodyId(body)).translation().z;
        assert!((z(0) - 0.1).abs() < 5e-3 && z(1) < 0.13, "{method}: {} {}", z(0), z(1));
        assert!(z(2) > 0.25, "{method}: {}", z(2));
        // A copy excludes it too.
        let (builder, state) = (world.builder_to_bytes().unwrap(), world.save().to_bytes().unwrap());
        let mut copy = WorldBuilder::from_bytes(&builder).unwrap().resume(&state).unwrap();
        for world in [&mut world, &mut copy] {
            world.advance_to(0.4).unwrap();
        }
        assert_eq!(copy.hash(), world.hash(), "{method}");
        // As does a body that is added where another one is.
        let added = world.add_body(cube(0.12)).unwrap();
        assert!(world.start_overlaps().excluded.len() >= 2, "{method}");
        world.advance_to(0.5).unwrap();
        assert!(world.pose(added).translation().z > 0.09, "{method}");
    }
}

#[test]
fn scenes_say_what_becomes_of_overlaps() {
    let text = |word: &str| {
        format!(
            "[world]\noverlaps = \"{word}\"\n[[fixed]]\nname = \"floor\"\nshape = \"box:4,4,0.2\"\n[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 0.15]\n"
        )
    };
    let build = |word: &str| Scene::parse(&text(word), "deep", Path::new("")).unwrap().build();
    let refused = build("refuse").err().unwrap().report();
    assert!(refused.contains("overlaps = \"separate\""), "{refused}");
    let separated = build("separate").unwrap();
    assert!((separated.pose(BodyId(0)).translation().z - 0.2).abs() < 1e-6);
    let excluded = build("exclude").unwrap();
    assert!(excluded.overlap_warnings()[0].starts_with("'floor' and 'ball' overlap by 5.000e-2 m"));
    let unknown = Scene::parse(&text("allow"), "deep", Path::new("")).err().unwrap().report();
    assert!(unknown.contains("it must be refuse, separate, exclude"), "{unknown}");
}
