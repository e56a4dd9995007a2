//! Contact problems that a world keeps on request.

use zerogap::contact::cone::{Delassus, read_body_problem, residual, write_body_problem};
use zerogap::world::{BodyDef, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

/// A box that slides on the ground at 1 m/s.
fn sliding() -> World {
    let stepping = Stepping { step: 2e-3, tolerance: 1e-9, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams::new(stepping));
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 0.05)).unwrap();
    let body = BodyDef::free(start).with(Shape::cuboid(Vec3::repeat(0.1)).unwrap(), "steel");
    builder.body(body.moving(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    builder.build().unwrap()
}

#[test]
fn a_kept_problem_is_the_one_that_the_step_solved() {
    let mut world = sliding();
    world.advance_to(0.01).unwrap();
    assert!(world.contact_problem().is_none(), "nothing is kept unless it is asked for");
    world.keep_contact_problems(true);
    world.advance_to(0.012).unwrap();
    let kept = world.contact_problem().unwrap();
    assert!(kept.label == "step" && !kept.problem.blocks().is_empty());
    assert!(kept.impulses.iter().any(|r| *r != 0.0), "warm start");
    // What the step ended with solves it, also after it went through text, and gives the velocities of the world.
    let text = write_body_problem(kept);
    let read = read_body_problem(&text).unwrap();
    assert_eq!(write_body_problem(&read), text);
    let mut state = vec![0.0; read.problem.state_len()];
    read.problem.begin(&kept.found, &mut state);
    assert!(residual(&read.problem, &kept.found, &state) <= kept.tolerance);
    assert!((state[0] - world.velocities()[0]).abs() < 1e-12 && state[0] < 1.0, "{state:?}");
    // Keeping changes nothing.
    let mut other = sliding();
    other.advance_to(0.01).unwrap();
    other.advance_to(0.012).unwrap();
    assert_eq!(world.positions(), other.positions());
    world.keep_contact_problems(false);
    assert!(world.contact_problem().is_none());
}
