//! Nothing passes through anything, however long a step is.

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::{BodyId, Inertia, Joint, JointKind};
use zerogap::world::{
    BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, StepForces, Stepping, World, WorldBuilder,
    WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// Ways to go through time, each with the same longest step [s].
fn methods(step: f64) -> [WorldParams; 4] {
    let by_steps = |forces| {
        let stepping = Stepping { forces, step, ..Stepping::default() };
        WorldParams { gravity: Vec3::zeros(), ..WorldParams::new(stepping) }
    };
    let by_events = |contact| WorldParams {
        gravity: Vec3::zeros(),
        ..WorldParams::new(EventLocation { max_step: step, ..EventLocation::new(contact) })
    };
    [
        by_steps(StepForces::Coulomb),
        by_steps(StepForces::Silvia),
        by_events(ContactModel::Rigid(ImpactLaw::default())),
        by_events(ContactModel::default()),
    ]
}

fn builder(params: WorldParams, restitution: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution, friction: 0.0, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder
}

/// When a pair first touched [s].
fn first_touch(world: &World) -> f64 {
    let touched = |event: &&zerogap::world::Event| {
        matches!(event.what, EventKind::ContactBegin { .. } | EventKind::Impact { .. })
    };
    world.events().iter().find(touched).expect("something touches").t
}

#[test]
fn a_bullet_does_not_pass_through_paper() {
    // A ball of 1 mm at 1,000 m/s against a sheet of 0.1 mm that it reaches 4.95 m ahead: within a step of 10 ms it goes 10 m.
    for (k, params) in methods(1e-2).into_iter().enumerate() {
        let mut builder = builder(params, 0.5);
        let sheet = Shape::cuboid(Vec3::new(1.0, 1.0, 1e-4)).unwrap();
        let leaning = Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), 0.5).unwrap();
        builder.fixed(ShapeDef::new(sheet, "steel").at(leaning)).unwrap();
        let start = Pose::from_translation(Vec3::new(0.1, 0.0, 5.0)).unwrap();
        let ball = BodyDef::free(start).with(Shape::sphere(5e-4).unwrap(), "steel");
        let ball = builder.body(ball.moving(&[0.0, 0.0, -1000.0, 0.0, 0.0, 0.0])).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(2e-2).unwrap();
        // The upper surface is met where the centre is (r + half thickness) / cos(lean) above the middle plane.
        let expected = (5.0 - 5.5e-4 / zerogap::core::math::cos(0.5)) / 1000.0;
        let t = first_touch(&world);
        assert!((t - expected).abs() < 1e-6, "{k}: {t} {expected}");
        let up = leaning.inverse_transform_point(&world.pose(ball).translation()).z;
        assert!(up > 5e-4, "{k}: {up}");
    }
}

#[test]
fn a_bullet_does_not_pass_through_a_triangle_without_thickness() {
    for (k, params) in methods(1e-2).into_iter().enumerate() {
        let mut builder = builder(params, 0.5);
        let sheet =
            Shape::triangle(Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.2), Vec3::new(0.0, 1.0, 0.1));
        builder.fixed(ShapeDef::new(sheet.unwrap(), "steel")).unwrap();
        let start = Pose::from_translation(Vec3::new(0.0, 0.0, 5.0)).unwrap();
        let ball = BodyDef::free(start).with(Shape::sphere(5e-4).unwrap(), "steel");
        let ball = builder.body(ball.moving(&[0.0, 0.0, -1000.0, 0.0, 0.0, 0.0])).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(1e-2).unwrap();
        assert!((first_touch(&world) - 4.9e-3).abs() < 1e-4, "{k}");
        assert!(world.pose(ball).translation().z > 0.05, "{k}: {:?}", world.pose(ball));
    }
}

/// A rod that turns about z at its middle, and a small free ball that it reaches.
fn spinning(params: WorldParams, speed: f64) -> (World, BodyId) {
    let mut builder = builder(params, 0.5);
    let rod = Shape::cuboid(Vec3::new(1.0, 1e-3, 1e-2)).unwrap();
    let hinge = Joint::new(None, JointKind::Revolute { axis: Vec3::z() });
    let rod = BodyDef::new(hinge).with(rod, "steel").with_inertia(Inertia::cuboid(1e3, Vec3::repeat(1.0)));
    builder.body(rod.moving(&[speed])).unwrap();
    let start = Pose::from_translation(Vec3::new(0.0, 0.4, 0.0)).unwrap();
    let ball = BodyDef::free(start).with(Shape::sphere(2e-3).unwrap(), "steel");
    let ball = builder.body(ball).unwrap();
    (builder.build().unwrap(), ball)
}

#[test]
fn a_spinning_rod_meets_what_is_in_its_way() {
    // The near face of the rod reaches the ball when it has turned until its plane is a radius and half a thickness away.
    for speed in [1e3, 1e4] {
        for (k, params) in methods(1e-2).into_iter().enumerate() {
            let (mut world, ball) = spinning(params, speed);
            world.advance_to(1e-2).unwrap();
            let expected = (std::f64::consts::FRAC_PI_2 - zerogap::core::math::asin(2.5e-3 / 0.4)) / speed;
            let t = first_touch(&world);
            assert!((t - expected).abs() < 2e-3 * expected, "{k}: {t} {expected}");
            // Distances at the end of a step that long say little about velocities, but they say that the two have met.
            let least = if params.method.stepping().is_some_and(|by| by.forces == StepForces::Silvia) {
                0.0
            } else {
                0.1
            };
            assert!(world.velocity(ball).norm() > least * speed, "{k}: {:?}", world.velocity(ball));
        }
    }
}
