//! Which settings of a pair of materials have an effect: what the table of settings says of each method and contact law is what a run shows.

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::{DirectedFriction, PairProperties};
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::Inertia;
use zerogap::settings::selected;
use zerogap::settings::tables::PAIR_PROPERTIES;
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, MethodParams, ShapeDef, StepForces, Stepping, WorldBuilder,
    WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

fn methods() -> Vec<MethodParams> {
    let laws = [
        NormalLaw::HuntCrossley,
        NormalLaw::Hertz,
        NormalLaw::Linear { stiffness: 1e5, damping_ratio: 0.3 },
        NormalLaw::KelvinVoigt { stiffness: 1e5, damping: 100.0 },
        NormalLaw::Modia3d,
    ];
    let events =
        |contact| MethodParams::from(EventLocation { max_step: 1e-2, ..EventLocation::new(contact) });
    let steps = |forces| MethodParams::from(Stepping { forces, ..Stepping::default() });
    let mut methods: Vec<MethodParams> =
        laws.into_iter().map(|law| events(ContactModel::Elastic(law))).collect();
    methods.push(events(ContactModel::Rigid(ImpactLaw::default())));
    methods.extend([steps(StepForces::Coulomb), steps(StepForces::Silvia)]);
    methods
}

/// A pair with and without a setting: the default one, or one in which it can have an effect.
fn with(key: &str) -> (PairProperties, PairProperties) {
    let usual = PairProperties::default();
    let rolling = PairProperties { rolling: 0.1, ..usual };
    let directed = |direction| {
        let directed = DirectedFriction { across: 0.1, direction, is_of_second: false };
        PairProperties { directed: Some(directed), ..usual }
    };
    let changed = match key {
        "friction_across" => directed(Vec3::y()),
        "friction_direction" => return (directed(Vec3::x()), directed(Vec3::y())),
        "restitution" => PairProperties { restitution: 0.2, ..usual },
        "friction" => PairProperties { friction: 0.4, ..usual },
        "static_friction" => PairProperties { static_friction: Some(0.9), ..usual },
        "rolling" => PairProperties { rolling: 0.1, ..usual },
        "rolling_length" => PairProperties { rolling_length: 0.01, ..usual },
        "spinning" => PairProperties { spinning: 0.01, ..usual },
        // Larger than the box: of a law for each point it decides which points share one stiffness.
        "contact_radius" => return (rolling, PairProperties { contact_radius: Some(0.3), ..rolling }),
        "grip" => PairProperties { grip: Some(0.5), ..usual },
        other => panic!("no example for {other}"),
    };
    (usual, changed)
}

/// The state after a ball that spins has bounced and rolled, a box has stood on a floor that is steeper than friction holds, and a tip without size has hit a block.
fn hash(method: MethodParams, properties: PairProperties) -> u64 {
    let gravity = Vec3::new(0.6 * 9.0, 0.0, -9.0);
    let mut builder = WorldBuilder::new(WorldParams { gravity, method });
    builder.pair("steel", "steel", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let at = |x, z| Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap();
    let ball = BodyDef::free(at(-1.0, 0.101)).with(Shape::sphere(0.1).unwrap(), "steel");
    builder.body(ball.moving(&[1.0, 0.0, -0.3, 0.0, 5.0, 5.0])).unwrap();
    let cube = Shape::cuboid(Vec3::repeat(0.2)).unwrap();
    builder.body(BodyDef::free(at(1.0, 0.1)).with(cube.clone(), "steel")).unwrap();
    builder.fixed(ShapeDef::new(cube, "steel").at(at(3.0, 0.1))).unwrap();
    let tip = BodyDef::free(at(3.0, 0.201)).with(Shape::point(Vec3::zeros()).unwrap(), "steel");
    builder.body(tip.with_inertia(Inertia::cuboid(1.0, Vec3::repeat(0.1)))).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.03).unwrap();
    world.hash()
}

#[test]
fn a_setting_of_a_pair_has_an_effect_where_the_table_says_so_and_nowhere_else() {
    for method in methods() {
        let selected = selected(&method);
        for key in PAIR_PROPERTIES.keys() {
            let is_used = key.unused_with(&selected).is_none();
            let (usual, changed) = with(key.name);
            let has_effect = hash(method, changed) != hash(method, usual);
            assert_eq!(has_effect, is_used, "{} with {selected:?}", key.name);
        }
    }
}
