//! Friction pyramids in worlds: bodies rest and slide as with round cones, but for the direction of friction.

use zerogap::contact::material::PairProperties;
use zerogap::world::{BodyDef, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

/// Three boxes in a stack, and one that slides in a direction [rad].
fn world(cone_sides: Option<usize>, angle: f64, properties: PairProperties) -> Result<World, String> {
    let stepping = Stepping { step: 2e-3, cone_sides, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams::new(stepping));
    builder.pair("steel", "steel", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let cube = Shape::cuboid(Vec3::repeat(0.1)).unwrap();
    for k in 0..3 {
        let place = Vec3::new(0.0, 0.0, 0.05 + 0.1 * f64::from(k));
        builder
            .body(BodyDef::free(Pose::from_translation(place).unwrap()).with(cube.clone(), "steel"))
            .unwrap();
    }
    let plate = Shape::cuboid(Vec3::new(0.2, 0.2, 0.02)).unwrap();
    let (sin, cos) = zerogap::core::math::sin_cos(angle);
    let start = Pose::from_translation(Vec3::new(3.0, 3.0, 0.01)).unwrap();
    let slider =
        BodyDef::free(start).with(plate, "steel").moving(&[2.0 * cos, 2.0 * sin, 0.0, 0.0, 0.0, 0.0]);
    builder.body(slider).unwrap();
    builder.build().map_err(|error| error.to_string())
}

fn slid(cone_sides: Option<usize>, angle: f64) -> Vec3 {
    let properties = PairProperties { friction: 0.5, restitution: 0.0, ..PairProperties::default() };
    let mut world = world(cone_sides, angle, properties).unwrap();
    world.advance_to(0.8).unwrap();
    assert_eq!(world.info().contacts.unwrap().unconverged, 0);
    for (k, (pose, v, _)) in world.body_states()[..3].iter().enumerate() {
        let expected = Vec3::new(0.0, 0.0, 0.05 + 0.1 * k as f64);
        assert!((pose.translation() - expected).amax() < 1e-9 && v.amax() < 1e-9, "{k}: {pose:?} {v}");
    }
    let (pose, v, _) = world.body_states()[3];
    assert!(v.amax() < 1e-9, "it has stopped: {v}");
    pose.translation() - Vec3::new(3.0, 3.0, 0.01)
}

#[test]
fn boxes_rest_and_slide_with_pyramids_as_with_cones_but_for_the_direction() {
    // Stopped by friction alone after v^2 / (2 mu g), along the way it went.
    let length = 4.0 / (2.0 * 0.5 * 9.81);
    let round = slid(None, 0.3);
    assert!(
        (round.norm() - length).abs() < 1e-3
            && (zerogap::core::math::atan2(round.y, round.x) - 0.3).abs() < 1e-6,
        "{round}"
    );
    // Along a side a pyramid has all of its width.
    let along = slid(Some(4), 0.0);
    assert!((along - Vec3::new(round.norm(), 0.0, 0.0)).amax() < 1e-6, "{along}");
    let timed = |sides: Option<usize>| {
        let begin = std::time::Instant::now();
        let off = (slid(sides, 0.3) - round).norm() / length;
        let step = begin.elapsed().as_secs_f64() / 400.0;
        println!("{sides:?} sides: ends off by {off:.4} of the distance, {:.3} ms a step", 1e3 * step);
        off
    };
    timed(None);
    let errors = [4, 8, 32].map(|sides| timed(Some(sides)));
    assert!(errors[0] > 0.02 && errors[2] < 0.02 * errors[0].max(0.5), "{errors:?}");
}

#[test]
fn laws_that_pyramids_do_not_have_are_refused() {
    let rolling = PairProperties { rolling: 0.1, ..PairProperties::default() };
    let refused = world(Some(8), 0.0, rolling).err().unwrap();
    assert!(refused.contains("solver = \"lcp\" has no resistance to rolling and spinning"), "{refused}");
    assert!(world(None, 0.0, rolling).is_ok());
    assert!(
        world(Some(2), 0.0, PairProperties::default()).err().unwrap().contains("sides of friction pyramids")
    );
}
