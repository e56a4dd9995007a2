//! Bodies and fixed shapes come and go while a world runs, by every method: numbers last, and what stays is not disturbed.

mod kept;
mod refused;
mod same;

use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::BodyId;
use zerogap::world::{
    BodyDef, ContactModel, Event, EventKind, EventLocation, PairId, ShapeDef, ShapeId, StepForces, Stepping,
    World, WorldBuilder, WorldError, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// Side of a box [m].
const SIDE: f64 = 0.2;

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap()
}

/// Events with rigid and with elastic contacts, steps with friction and steps with normal forces alone.
fn methods() -> [(&'static str, WorldParams); 4] {
    let by_steps = |forces| WorldParams::new(Stepping { forces, ..Stepping::default() });
    let rigid = ContactModel::Rigid(ImpactLaw::default());
    [
        ("rigid events", WorldParams::new(EventLocation::new(rigid))),
        ("elastic events", WorldParams::default()),
        ("stepping", by_steps(StepForces::Coulomb)),
        ("silvia", by_steps(StepForces::Silvia)),
    ]
}

fn is_stepping(params: &WorldParams) -> bool {
    params.method.stepping().is_some()
}

fn floor() -> ShapeDef {
    ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")
}

fn cube(x: f64, z: f64) -> BodyDef {
    BodyDef::free(at(x, z)).with(Shape::cuboid(Vec3::repeat(SIDE)).unwrap(), "steel")
}

fn ball(x: f64, z: f64) -> BodyDef {
    BodyDef::free(at(x, z)).with(Shape::sphere(0.1).unwrap(), "steel")
}

/// A floor, shape 0, and bodies with a shape each.
fn world_of(params: WorldParams, bodies: impl IntoIterator<Item = BodyDef>) -> World {
    let mut builder = WorldBuilder::new(params);
    builder.fixed(floor()).unwrap();
    for body in bodies {
        builder.body(body).unwrap();
    }
    builder.build().unwrap()
}

fn pair(a: u32, b: u32) -> PairId {
    PairId::new(ShapeId(a), ShapeId(b))
}

/// When contacts of a pair ended or began [s].
fn ends(world: &World, of: PairId) -> Vec<f64> {
    let is_end = |event: &&Event| matches!(event.what, EventKind::ContactEnd { pair } if pair == of);
    world.events().iter().filter(is_end).map(|event| event.t).collect()
}

fn begins(world: &World, of: PairId) -> Vec<f64> {
    let is_begin = |event: &&Event| matches!(event.what, EventKind::ContactBegin { pair, .. } if pair == of);
    world.events().iter().filter(is_begin).map(|event| event.t).collect()
}

#[test]
fn what_lay_on_a_body_that_is_removed_falls_on_what_is_below() {
    for (method, params) in methods() {
        let mut world = world_of(params, [cube(0.0, 0.1), cube(0.0, 0.3), cube(0.0, 0.5), cube(2.0, 0.1)]);
        world.advance_to(0.2).unwrap();
        let aside = world.pose(BodyId(3));
        world.remove_body(BodyId(1)).unwrap();
        assert_eq!(world.bodies(), [0, 2, 3].map(BodyId), "{method}");
        // Its contacts end now, once each.
        for of in [pair(1, 2), pair(2, 3)] {
            assert_eq!(ends(&world, of).last(), Some(&0.2), "{method} {of}");
        }
        let pairs: Vec<PairId> = world.contacts().iter().map(|contact| contact.pair).collect();
        assert!(pairs.iter().all(|pair| pair.a.0 != 2 && pair.b.0 != 2), "{method}: {pairs:?}");
        // The upper one falls by a side and lies on the lower one.
        world.advance_to(0.3).unwrap();
        let fallen = 0.5 - world.pose(BodyId(2)).translation().z;
        assert!((fallen - 0.5 * 9.81 * 0.01).abs() < 1e-3, "{method}: {fallen}");
        world.advance_to(2.0).unwrap();
        for (body, height) in [(0, 0.1), (2, 0.3), (3, 0.1)] {
            let z = world.pose(BodyId(body)).translation().z;
            assert!((z - height).abs() < 1e-4, "{method} body {body}: {z}");
        }
        assert!((world.pose(BodyId(3)).translation() - aside.translation()).norm() < 1e-6, "{method}");
        assert!(!begins(&world, pair(1, 3)).is_empty(), "{method}");
        assert_eq!(world.names()[1], "body 1");
    }
}

#[test]
fn a_body_added_during_a_run_falls_and_lands_as_one_that_was_there() {
    for (method, params) in methods() {
        let mut world = world_of(params, [ball(0.0, 0.1)]);
        world.advance_to(0.5).unwrap();
        let added = world.add_body(ball(1.0, 0.6)).unwrap();
        assert_eq!((added, world.pose(added)), (BodyId(1), at(1.0, 0.6)), "{method}");
        assert!((world.time() - 0.5).abs() < 1e-15);
        world.advance_to(0.7).unwrap();
        let fallen = 0.6 - world.pose(added).translation().z;
        assert!((fallen - 0.5 * 9.81 * 0.04).abs() < 2e-3, "{method}: {fallen}");
        world.advance_to(1.5).unwrap();
        // Steps report a bounce as an impact. From 0.5 m up it takes 0.319 s.
        let lands = |event: &&Event| match event.what {
            EventKind::ContactBegin { pair: of, .. } => of == pair(0, 2),
            EventKind::Impact { .. } => event.t > 0.5,
            _ => false,
        };
        let landed = world.events().iter().find(lands).unwrap().t;
        assert!((landed - 0.819).abs() < 3e-3, "{method}: {landed} s");
    }
}

#[test]
fn a_body_added_in_touch_is_in_contact_from_then_on() {
    for (method, params) in methods() {
        let mut world = world_of(params, [cube(0.0, 0.1)]);
        world.advance_to(0.5).unwrap();
        // The lower one may have given way a little.
        let top = world.pose(BodyId(0)).translation().z + 0.5 * SIDE;
        world.add_body(cube(0.0, top + 0.5 * SIDE)).unwrap();
        let at_once = begins(&world, pair(1, 2));
        assert_eq!(at_once.len(), usize::from(!is_stepping(&params)), "{method}");
        world.advance_to(1.0).unwrap();
        let first = begins(&world, pair(1, 2))[0];
        let late = if is_stepping(&params) { 0.002 } else { 0.0 };
        assert!((0.5..=0.5 + late).contains(&first), "{method}: {first}");
        let carried =
            world.contacts().iter().find(|contact| contact.pair == pair(1, 2)).unwrap().normal_force;
        let weight = 9.81 * world.tree().inertia(BodyId(1)).mass;
        assert!((carried / weight - 1.0).abs() < 1e-2, "{method}: {carried} N of {weight} N");
        assert!((world.pose(BodyId(1)).translation().z - 0.3).abs() < 1e-4, "{method}");
    }
}

#[test]
fn the_same_definition_gets_a_new_number_each_time() {
    for (method, params) in methods() {
        let mut world = world_of(params, [ball(0.0, 0.1)]);
        for number in 1..5 {
            let body = world.add_body(ball(1.0, 0.1).named("part")).unwrap();
            assert_eq!(body, BodyId(number), "{method}");
            world.advance_to(0.1 * f64::from(number)).unwrap();
            assert_eq!(world.body_of(ShapeId(number + 1)), Some(body));
            world.remove_body(body).unwrap();
        }
        assert_eq!(world.bodies(), [BodyId(0)]);
        assert_eq!(world.body_states().len(), 1);
        assert_eq!(world.names().len(), 5);
        assert_eq!(world.pairs(), 1, "{method}");
    }
}

#[test]
fn a_conveyor_carries_twenty_parts_to_its_end() {
    for (method, params) in methods() {
        let is_silvia = method == "silvia";
        let belt =
            ShapeDef::new(Shape::cuboid(Vec3::new(2.2, 0.4, 0.1)).unwrap(), "rubber").at(at(1.0, -0.05));
        // Without friction nothing is carried: there the parts arrive with the speed of the belt.
        let belt = if is_silvia { belt } else { belt.running(Vec3::new(1.0, 0.0, 0.0)) };
        let mut builder = WorldBuilder::new(params);
        builder.fixed(belt).unwrap();
        let mut world = builder.build().unwrap();
        let (mut delivered, mut most) = (Vec::new(), 0);
        for k in 0..60_u32 {
            if k % 2 == 0 && k < 40 {
                let part =
                    BodyDef::free(at(0.0, 0.05)).with(Shape::cuboid(Vec3::repeat(0.1)).unwrap(), "steel");
                let speed = if is_silvia { 1.0 } else { 0.0 };
                world.add_body(part.moving(&[speed, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
            }
            most = most.max(world.bodies().len());
            world.advance_to(0.2 * f64::from(k + 1)).unwrap();
            for body in world.bodies().to_vec() {
                if world.pose(body).translation().x > 1.9 {
                    world.remove_body(body).unwrap();
                    delivered.push(body.0);
                }
            }
        }
        assert_eq!(delivered, (0..20).collect::<Vec<_>>(), "{method}");
        assert!(world.bodies().is_empty() && most <= 7, "{method}: {most} at once");
        assert!((world.energy().total()).abs() < 1e-12, "{method}");
    }
}

#[test]
fn fixed_shapes_come_and_go_too() {
    for (method, params) in methods() {
        let mut world = world_of(params, [ball(0.0, 1.0)]);
        let shelf = ShapeDef::new(Shape::cuboid(Vec3::new(1.0, 1.0, 0.1)).unwrap(), "steel");
        let shelf = world.add_fixed(shelf.at(at(0.0, 0.85)).named("shelf")).unwrap();
        assert_eq!(shelf, ShapeId(2));
        world.advance_to(0.5).unwrap();
        assert!((world.pose(BodyId(0)).translation().z - 1.0).abs() < 1e-5, "{method}");
        world.remove_fixed(shelf).unwrap();
        assert_eq!(ends(&world, pair(1, 2)).last(), Some(&0.5), "{method}");
        assert_eq!(world.shape_name(shelf), "shelf");
        world.advance_to(0.7).unwrap();
        let fallen = 1.0 - world.pose(BodyId(0)).translation().z;
        assert!((fallen - 0.5 * 9.81 * 0.04).abs() < 2e-3, "{method}: {fallen}");
        let refused = world.remove_fixed(shelf);
        assert_eq!(refused, Err(WorldError::NoFixedShape { shape: 2 }), "{method}");
        // The floor is the first, and nothing holds without it.
        world.remove_fixed(ShapeId(0)).unwrap();
        world.advance_to(1.5).unwrap();
        assert!(world.pose(BodyId(0)).translation().z < -3.0, "{method}");
    }
}
