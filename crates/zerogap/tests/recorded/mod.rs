//! A recording with something of everything, for the tests of pictures.

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::record::{End, Recording};
use zerogap::world::{BodyDef, ContactModel, ShapeDef, World, WorldBuilder, WorldParams};
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
    let params = WorldParams { contact: ContactModel::Rigid(ImpactLaw::default()), ..WorldParams::default() };
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
    let mut world = world();
    let head = world.head("two bodies", EVERY);
    let frames = world.record_to(UNTIL, EVERY).unwrap();
    let end = End { t: world.time(), info: world.info(), hash: world.hash(), reason: String::new() };
    Recording { head, frames, events: world.events().to_vec(), end: Some(end), left_out: 0 }
}
