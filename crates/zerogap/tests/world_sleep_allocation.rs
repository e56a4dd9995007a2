//! Steps of a world that sleeps allocate nothing.

use zerogap::world::{BodyDef, ShapeDef, Stepping, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::allocations::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_of_a_world_that_sleeps_allocate_nothing() {
    let stepping = Stepping { step: 1.0 / 512.0, sleep: 0.05, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams::new(stepping));
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    for k in 0..5 {
        let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(k))).unwrap();
        let cube = Shape::cuboid(Vec3::repeat(0.2)).unwrap();
        builder.body(BodyDef::free(pose).with(cube, "steel")).unwrap();
    }
    let mut world = builder.build().unwrap();
    world.advance_to(1.0).unwrap();
    assert_eq!(world.info().sleeping, Some(5));
    let before = allocations();
    world.advance_to(2.0).unwrap();
    assert_eq!(allocations() - before, 0);
}
