//! A recording with something of everything, for the tests of pictures.

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::record::{End, Head, Recording};
use zerogap::world::{BodyDef, ContactModel, EventLocation, ShapeDef, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

/// A name that would break a page that does not look after it.
pub(crate) const WILD_NAME: &str = "</script><b id=\"wild\">\"'&<!--";

/// Time between frames [s].
pub(crate) const EVERY: f64 = 0.01;

/// Time of the whole run [s].
pub(crate) const UNTIL: f64 = 0.8;

/// When the ball is still above the floor, with only the sliding block in contact [s].
#[allow(dead_code, reason = "not every test target asks for every time")]
pub(crate) const BEFORE: f64 = 0.1;

/// A block that slides on the floor from the start, and a ball that falls from 0.3 m beside it and stays down: it touches at √(2·0.3/g) ≈ 0.2473 s.
pub(crate) fn world() -> World {
    let params = WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default())));
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution: 0.0, friction: 0.3, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    let block = Shape::cuboid(Vec3::new(0.3, 0.2, 0.1)).unwrap();
    let block = BodyDef::free(at(-0.4, 0.0, 0.05)).named(WILD_NAME).with(block, "steel");
    builder.body(block.moving(&[1.5, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let ball = BodyDef::free(at(0.2, 0.4, 0.4)).named("ball").with(Shape::sphere(0.1).unwrap(), "steel");
    builder.body(ball).unwrap();
    builder.build().unwrap()
}

/// The run of that world.
pub(crate) fn recording() -> Recording {
    of_run(world(), "two bodies")
}

/// A small ball that falls on a floor four hundred times its size and comes to rest; in the last frame the forces are a million times as large as they were.
#[allow(dead_code, reason = "only the test in a browser looks at it")]
pub(crate) fn on_a_large_floor() -> Recording {
    let mut builder = WorldBuilder::new(WorldParams::default());
    let dead = PairProperties { restitution: 0.0, ..PairProperties::default() };
    builder.pair("steel", "steel", dead).unwrap();
    let at = |z: f64| Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap();
    let floor = ShapeDef::new(Shape::cuboid(Vec3::new(40.0, 40.0, 0.2)).unwrap(), "steel");
    builder.fixed(floor.at(at(-0.1)).named("floor")).unwrap();
    let ball = BodyDef::free(at(0.3)).named("ball").with(Shape::sphere(0.05).unwrap(), "steel");
    builder.body(ball).unwrap();
    let mut recording = of_run(builder.build().unwrap(), "a large floor");
    if let Some(last) = recording.frames.last_mut() {
        last.contacts.iter_mut().for_each(|contact| contact.normal_force *= 1e6);
        last.points.iter_mut().for_each(|contact| contact.force *= 1e6);
    }
    recording
}

/// A box that rests from the start: its gaps are what solving leaves.
#[allow(dead_code, reason = "only the test in a browser looks at it")]
pub(crate) fn at_rest() -> Recording {
    let params = WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default())));
    let mut builder = WorldBuilder::new(params);
    let at = |z: f64| Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap();
    let table = ShapeDef::new(Shape::cuboid(Vec3::new(2.0, 2.0, 0.2)).unwrap(), "steel");
    builder.fixed(table.at(at(-0.1)).named("table")).unwrap();
    let cuboid = Shape::cuboid(Vec3::new(0.3, 0.2, 0.1)).unwrap();
    builder.body(BodyDef::free(at(0.05)).named("box").with(cuboid, "steel")).unwrap();
    of_run(builder.build().unwrap(), "at rest")
}

fn of_run(mut world: World, name: &str) -> Recording {
    let head = Head::of_world(&world, name, EVERY);
    let frames = world.record_to(UNTIL, EVERY).unwrap();
    let end = End { t: world.time(), info: world.info(), hash: world.hash(), reason: String::new() };
    Recording { head, frames, events: world.events().to_vec(), end: Some(end), left_out: 0 }
}
