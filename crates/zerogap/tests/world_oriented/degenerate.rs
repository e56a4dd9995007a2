//! Corners where rounding decides: in the planes of other surfaces, at the start, on thin plates.

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::dynamics::multibody::{BodyId, Inertia, Joint, JointKind};
use zerogap::world::{
    BodyDef, Collision, ContactModel, EventKind, EventLocation, ShapeDef, World, WorldBuilder, WorldError,
    WorldParams,
};
use zerogap::{Mat3, Pose, Vec3};

use crate::{cuboid, height, soft};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// A box of 0.2 m at a place, above a fixed one.
fn above(fixed: ShapeDef, place: Pose) -> WorldBuilder {
    let mut builder = WorldBuilder::new(soft(1e5));
    builder.fixed(fixed).unwrap();
    let shape = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").colliding(Collision::Oriented);
    builder.body(BodyDef::free(place).named("box").with_shape(shape)).unwrap();
    builder
}

/// How deep a box of 0.2 m of steel rests on four corners [m].
fn rest(world: &World) -> f64 {
    9.81 * world.tree().inertia(BodyId(0)).mass / 4e5
}

#[test]
fn equal_boxes_stand_on_each_other() {
    // Every corner lies in the planes of two sides of the lower box, to rounding; set down, a hair above, or dropped.
    for (x, y) in [(0.0, 0.0), (0.1, 0.3)] {
        for z in [0.3, 0.3 + 1e-11, 0.301, 0.35] {
            for lower in [Collision::Exact, Collision::Oriented] {
                let base = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").colliding(lower).at(at(x, y, 0.1));
                let mut world = above(base, at(x, y, z)).build().unwrap();
                let start = world.energy().total();
                for k in 1..=50 {
                    world.advance_to(0.05 * f64::from(k)).unwrap();
                    assert!(world.energy().total() <= start + 1e-4, "({x}, {y}, {z}) {lower:?}");
                }
                // Corner lies on corner, and those of both push, whichever was asked.
                let depth = 0.5 * rest(&world);
                let off = height(&world) - (0.3 - depth);
                assert!(off.abs() < 2e-6, "({x}, {y}, {z}) {lower:?}: {off}");
            }
        }
    }
}

#[test]
fn the_touch_of_equal_boxes_is_located() {
    let base = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").at(at(0.0, 0.0, 0.1));
    let mut world = above(base, at(0.0, 0.0, 0.35)).build().unwrap();
    world.advance_to(0.11).unwrap();
    let fall = (2.0 * 0.05 / 9.81_f64).sqrt();
    let event = &world.events()[0];
    assert!(
        matches!(event.what, EventKind::ContactBegin { .. }) && (event.t - fall).abs() < 1e-9,
        "{event:?}"
    );
}

#[test]
fn a_box_flush_with_the_rim_of_a_table_stays() {
    for off in [-1e-9, -1e-12, 0.0, 1e-12] {
        let table = ShapeDef::new(cuboid(4.0, 1.0, 0.2), "steel").at(at(0.0, 0.0, -0.1));
        let mut world = above(table, at(-1.0, 0.4 + off, 0.1)).build().unwrap();
        world.advance_to(2.0).unwrap();
        assert!((height(&world) - 0.1 + rest(&world)).abs() < 1e-6, "{off}: {}", height(&world));
    }
}

#[test]
fn a_box_set_down_with_a_gap_of_rounding_is_damped_as_any_other() {
    // 0.4 on 0.3 leaves a gap of 5e-17; far from the origin, where a contact without points would feel another mass.
    let law = NormalLaw::Linear { stiffness: 1e5, damping_ratio: 0.5 };
    let lowest = |z: f64| {
        let params = WorldParams::new(EventLocation::new(ContactModel::Elastic(law)));
        let mut builder = WorldBuilder::new(params);
        builder.fixed(ShapeDef::new(cuboid(20.0, 20.0, 0.3), "steel").at(at(0.0, 0.0, 0.15))).unwrap();
        let shape = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").colliding(Collision::Oriented);
        builder.body(BodyDef::free(at(3.0, 2.0, z)).named("box").with_shape(shape)).unwrap();
        let mut world = builder.build().unwrap();
        let contact = world.contacts()[0];
        assert!(contact.gap.abs() < 1e-7 && contact.normal[2] > 1.0 - 1e-12, "{contact:?}");
        let mut lowest = f64::INFINITY;
        for k in 1..=100 {
            world.advance_to(0.002 * f64::from(k)).unwrap();
            lowest = lowest.min(height(&world));
        }
        lowest
    };
    assert!((lowest(0.4) - lowest(0.4 - 1e-9)).abs() < 1e-7);
}

#[test]
fn cubes_do_not_fall_through_plates_that_are_thin_against_them() {
    for side in [0.2, 1.0] {
        for thickness in [0.02, 0.001] {
            for k in 0..8 {
                let mut builder = WorldBuilder::new(soft(1e7));
                let plate = ShapeDef::new(cuboid(4.0, 4.0, thickness), "steel");
                builder.fixed(plate.at(at(0.0, 0.0, -0.5 * thickness))).unwrap();
                let shape = ShapeDef::new(cuboid(side, side, side), "steel").colliding(Collision::Oriented);
                let place = at(0.0, 0.0, 1.5 + 0.15 * f64::from(k));
                builder.body(BodyDef::free(place).named("cube").with_shape(shape)).unwrap();
                let mut world = builder.build().unwrap();
                world.advance_to(2.0).unwrap();
                assert!(height(&world) > 0.4 * side, "{side} {thickness} {k}: {}", height(&world));
            }
        }
    }
}

#[test]
fn a_rod_that_swings_on_a_plate_does_not_care_how_thick_it_is() {
    // The end of the rod hits with two corners; the two behind come later, within steps that are long against the plate.
    let swung = |thickness: f64, rate: f64, stiffness: f64| {
        let params = WorldParams { gravity: Vec3::zeros(), ..soft(stiffness) };
        let mut builder = WorldBuilder::new(params);
        let smooth = PairProperties { friction: 0.0, ..PairProperties::default() };
        builder.pair("steel", "steel", smooth).unwrap();
        let plate = ShapeDef::new(cuboid(6.0, 1.0, thickness), "steel");
        builder.fixed(plate.at(at(0.0, 0.0, -0.5 * thickness))).unwrap();
        let rod = ShapeDef::new(cuboid(0.02, 0.02, 2.0), "steel").colliding(Collision::Oriented);
        let hinge =
            Joint::new(None, JointKind::Revolute { axis: Vec3::y() }).parent_frame(at(0.0, 0.0, 0.012));
        let def = BodyDef::new(hinge).named("rod").with_shape(rod.at(at(0.0, 0.0, 0.99)));
        builder.body(def.moving(&[rate])).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(2.6 / rate * std::f64::consts::FRAC_PI_2).unwrap();
        world.positions()[0]
    };
    for stiffness in [1e2, 1e4] {
        for rate in (1..=77).step_by(4).map(f64::from) {
            let (thick, thin) = (swung(0.05, rate, stiffness), swung(0.001, rate, stiffness));
            assert!((thick - thin).abs() < 0.01, "{stiffness} N/m, {rate} rad/s: {thick} {thin}");
        }
    }
}

#[test]
fn force_is_in_proportion_to_depth_also_where_corners_are_close_to_each_other() {
    // A sheet of 10 mm in a half-space: four springs, and eight from 10 mm on.
    let law = NormalLaw::Linear { stiffness: 1e4, damping_ratio: 0.0 };
    let params = WorldParams {
        gravity: Vec3::zeros(),
        ..WorldParams::new(EventLocation::new(ContactModel::Elastic(law)))
    };
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new("halfspace:0,0,1,0".parse().unwrap(), "steel")).unwrap();
    let slide = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() });
    let sheet = ShapeDef::new(cuboid(0.3, 0.3, 0.01), "steel").colliding(Collision::Oriented);
    let def = BodyDef::new(slide).named("sheet").with_shape(sheet.at(at(0.0, 0.0, 0.0051)));
    builder.body(def.moving(&[-1.0])).unwrap();
    let mut world = builder.build().unwrap();
    let mut deepest = 0.0_f64;
    for k in 1..=40 {
        world.advance_to(1e-3 * f64::from(k)).unwrap();
        let depth = (-world.positions()[0] - 1e-4).max(0.0);
        let force: f64 = world.contacts().iter().map(|contact| contact.normal_force).sum();
        let expected = 4e4 * (depth + (depth - 0.01).max(0.0));
        assert!((force - expected).abs() < 1e-6 * (1.0 + expected), "{depth}: {force} {expected}");
        deepest = deepest.max(depth);
    }
    assert!(deepest > 0.011, "{deepest}");
}

#[test]
fn overlaps_that_no_corner_tells_of_are_refused() {
    let shifted = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").at(at(0.001, 0.0, 0.0));
    let pillar = ShapeDef::new(cuboid(0.05, 0.05, 2.0), "steel");
    for fixed in [shifted, pillar] {
        let refused = above(fixed, Pose::identity()).build();
        assert!(matches!(refused, Err(WorldError::Overlap { .. })));
    }
}

#[test]
fn a_floor_of_tiles_is_one_floor() {
    // A corner that is below the top of one tile enters the next through its side.
    let slid = |tiles: &[(f64, f64)], from: f64, speed: f64| {
        let mut builder = WorldBuilder::new(soft(1e5));
        let smooth = PairProperties { friction: 0.0, ..PairProperties::default() };
        builder.pair("steel", "steel", smooth).unwrap();
        for &(middle, length) in tiles {
            let tile = ShapeDef::new(cuboid(length, 2.0, 0.2), "steel");
            builder.fixed(tile.at(at(middle, 0.0, -0.1))).unwrap();
        }
        let shape = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").colliding(Collision::Oriented);
        let def = BodyDef::free(at(from, 0.0, 0.1005)).named("box").with_shape(shape);
        builder.body(def.moving(&[speed, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(1.5).unwrap();
        world.pose(BodyId(0)).translation()
    };
    for (from, speed) in [(-0.5, 1.0), (-0.05, 0.0), (-0.1, 0.0), (0.0, 0.0), (0.5, -0.7)] {
        let whole = slid(&[(0.0, 4.0)], from, speed);
        let tiles = slid(&[(-1.0, 2.0), (0.25, 0.5), (1.25, 1.5)], from, speed);
        // At a joint a corner has two springs for a moment.
        assert!((whole - tiles).norm() < 2e-3, "{from} {speed}: {whole} {tiles}");
    }
}

/// Two smooth tiles with a joint at x = 0 and their tops at z = 0.
fn two_tiles(params: WorldParams) -> WorldBuilder {
    let mut builder = WorldBuilder::new(params);
    let smooth = PairProperties { friction: 0.0, ..PairProperties::default() };
    builder.pair("steel", "steel", smooth).unwrap();
    for middle in [-5.0, 5.0] {
        builder.fixed(ShapeDef::new(cuboid(10.0, 2.0, 0.3), "steel").at(at(middle, 0.0, -0.15))).unwrap();
    }
    builder
}

#[test]
fn a_corner_that_hops_over_a_joint_lands_on_the_top() {
    // It parts from one tile and comes down on the other within one step.
    for stiffness in [1e5, 1e7] {
        for k in 0..20 {
            let mut builder = two_tiles(soft(stiffness));
            let shape = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").colliding(Collision::Oriented);
            let def = BodyDef::free(at(-0.4 + 0.02 * f64::from(k), 0.0, 0.104)).named("box");
            builder.body(def.with_shape(shape).moving(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
            let mut world = builder.build().unwrap();
            let start = world.energy().total();
            world.advance_to(0.6).unwrap();
            let speed = world.velocity(BodyId(0)).x;
            assert!((speed - 1.0).abs() < 1e-6, "{stiffness} {k}: {speed} m/s");
            assert!(world.energy().total() < start + 1e-6 * start.abs(), "{stiffness} {k}");
        }
    }
}

#[test]
fn points_slide_over_joints_too() {
    let mut builder = two_tiles(soft(1e4));
    let corner = ShapeDef::new("point:0,0,0".parse().unwrap(), "steel").colliding(Collision::Oriented);
    let inertia = Inertia { mass: 1.0, center: Vec3::zeros(), inertia: Mat3::identity() };
    let def = BodyDef::free(at(-0.3, 0.0, 0.01)).named("point").with_inertia(inertia).with_shape(corner);
    builder.body(def.moving(&[0.5, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(1.0).unwrap();
    let place = world.pose(BodyId(0)).translation();
    assert!((place.x - 0.2).abs() < 1e-9 && place.z.abs() < 0.01, "{place}");
}

#[test]
fn what_begins_a_little_deep_is_pushed_the_shortest_way_out() {
    // On an equal box, flush with a rim, and with a corner just over a joint: depths that a settled state has.
    for depth in [0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4] {
        let base = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").at(at(0.0, 0.0, -0.1));
        let table = ShapeDef::new(cuboid(4.0, 1.0, 0.2), "steel").at(at(0.0, -0.4, -0.1));
        let mut worlds =
            vec![above(base, at(0.0, 0.0, 0.1 - depth)), above(table, at(0.0, 0.0, 0.1 - depth))];
        for x in [0.1, 0.1 - 1e-6, 0.1 - 1e-5] {
            let mut tiles = two_tiles(soft(1e5));
            let shape = ShapeDef::new(cuboid(0.2, 0.2, 0.2), "steel").colliding(Collision::Oriented);
            tiles.body(BodyDef::free(at(x, 0.0, 0.1 - depth)).named("box").with_shape(shape)).unwrap();
            worlds.push(tiles);
        }
        for (k, builder) in worlds.into_iter().enumerate() {
            let mut world = builder.build().unwrap();
            world.advance_to(2.0).unwrap();
            // A corner over a joint has two springs, and so has one on a corner of an equal box.
            let springs = if k == 0 { 2.0 } else { 1.0 };
            let off = height(&world) - (0.1 - rest(&world) / springs);
            assert!(off.abs() < 1e-3 * 0.2, "{depth} {k}: {off}");
        }
    }
}
