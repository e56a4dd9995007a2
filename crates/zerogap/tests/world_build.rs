//! Building a world: its cost grows with the shapes and their neighbours, not with all pairs.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use zerogap::contact::solve::ImpactLaw;
use zerogap::core::random::Random;
use zerogap::dynamics::multibody::{BodyId, Harmonic, HarmonicMotion, Joint, JointKind};
use zerogap::scene::Scene;
use zerogap::world::{
    BodyDef, Collision, ContactModel, EventLocation, PairId, QuasiLmd, ShapeDef, ShapeId, Stepping,
    WorldBuilder, WorldError, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// Shapes of a world that a quadratic build would take minutes for [-].
const MANY: usize = 20_000;

/// Radius of a ball [m].
const RADIUS: f64 = 0.1;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// Places of a cubic grid [m].
fn grid(count: usize, spacing: f64) -> impl Iterator<Item = Pose> {
    let side = (1..=count).find(|side| side.pow(3) >= count).unwrap();
    let place = move |k: usize| [k % side, k / side % side, k / side / side].map(|n| n as f64 * spacing);
    (0..count).map(place).map(|[x, y, z]| at(x, y, z))
}

fn ball() -> Shape {
    Shape::sphere(RADIUS).unwrap()
}

fn methods() -> [WorldParams; 3] {
    [
        WorldParams::default(),
        WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default()))),
        WorldParams::new(Stepping::default()),
    ]
}

#[test]
fn a_world_of_separate_balls_is_built_without_an_exact_gap() {
    for params in methods() {
        let mut builder = WorldBuilder::new(params);
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), -1.0).unwrap(), "steel")).unwrap();
        for pose in grid(MANY, 3.0 * RADIUS) {
            builder.body(BodyDef::free(pose).with(ball(), "steel")).unwrap();
        }
        let world = builder.build().unwrap();
        assert_eq!(world.info().start_gaps, 0);
        assert_eq!(world.pairs(), MANY * (MANY - 1) / 2 + MANY);
    }
}

#[test]
fn balls_in_a_lattice_cost_an_exact_gap_for_each_neighbour_alone() {
    // Impacts of the rigid law on all contacts together are another matter.
    let [elastic, _, steps] = methods();
    for params in [elastic, steps] {
        let mut builder = WorldBuilder::new(params);
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), -RADIUS).unwrap(), "steel")).unwrap();
        for pose in grid(1000, 2.0 * RADIUS) {
            builder.body(BodyDef::free(pose).with(ball(), "steel")).unwrap();
        }
        let world = builder.build().unwrap();
        // Boxes touch those of up to 26 neighbours, each pair once; refusing overlaps asks each of them, and so does finding who touches.
        let most = 2 * (13 * 1000 + 100);
        let gaps = world.info().start_gaps;
        assert!((2700 + 100..=most).contains(&gaps), "{gaps} exact gaps");
    }
}

#[test]
fn fixed_shapes_and_driven_bodies_never_pair_and_cost_nothing() {
    let mut builder = WorldBuilder::new(WorldParams::default());
    let still = Harmonic::default();
    for (k, pose) in grid(MANY, RADIUS).enumerate() {
        // They all overlap their neighbours, which is nobody's business.
        if k % 2 == 0 {
            builder.fixed(ShapeDef::new(ball(), "steel").at(pose)).unwrap();
        } else {
            let motion = HarmonicMotion::new(pose, [still; 3], [still; 3]).unwrap();
            let joint = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
            builder.body(BodyDef::new(joint).with(ball(), "steel")).unwrap();
        }
    }
    builder.body(BodyDef::free(at(0.0, 0.0, -10.0)).with(ball(), "steel")).unwrap();
    let world = builder.build().unwrap();
    assert_eq!((world.info().start_gaps, world.pairs()), (0, MANY));
}

#[test]
fn a_group_of_bodies_that_never_touch_may_overlap_and_costs_nothing() {
    let mut builder = WorldBuilder::new(WorldParams::default());
    let bodies: Vec<Option<BodyId>> = grid(MANY, 1.9 * RADIUS)
        .map(|pose| Some(builder.body(BodyDef::free(pose).with(ball(), "steel")).unwrap()))
        .collect();
    // Neighbours two by two as well: each exclusion is looked up, not searched for.
    for pair in bodies.windows(2) {
        builder.exclude(pair[0], pair[1]);
    }
    assert!(matches!(builder.clone().build(), Err(WorldError::Overlap { .. })));
    builder.exclude_group(&bodies);
    let world = builder.build().unwrap();
    assert_eq!((world.info().start_gaps, world.pairs()), (0, 0));
}

#[test]
fn a_scene_file_of_many_bodies_costs_no_exact_gaps() {
    let mut text =
        String::from("[world]\nmethod = \"stepping\"\n[[fixed]]\nshape = \"halfspace:0,0,1,-1\"\n");
    let mut names = Vec::new();
    for (k, pose) in grid(4000, 3.0 * RADIUS).enumerate() {
        let p = pose.translation();
        let line = format!(
            "[[bodies]]\nname = \"b{k}\"\nshape = \"sphere:{RADIUS}\"\nposition = [{}, {}, {}]\n",
            p.x, p.y, p.z
        );
        text.push_str(&line);
        names.push(format!("\"b{k}\""));
    }
    writeln!(text, "[[exclude]]\nbodies = [{}]", names[..2000].join(", ")).unwrap();
    let world = Scene::parse(&text, "many", Path::new("")).unwrap().build().unwrap();
    assert_eq!(world.info().start_gaps, 0);
    assert_eq!(world.pairs(), 4000 * 3999 / 2 - 2000 * 1999 / 2 + 4000);
}

#[test]
fn the_first_overlap_by_the_numbers_of_shapes_is_reported() {
    let mut builder = WorldBuilder::new(WorldParams::default());
    for x in [9.0, 5.0, 0.0, 9.1, 0.1, 5.1] {
        builder.body(BodyDef::free(at(x, 0.0, 0.0)).with(ball(), "steel")).unwrap();
    }
    let expected = PairId { a: ShapeId(0), b: ShapeId(3) };
    match builder.build() {
        Err(WorldError::Overlap { pair, .. }) => assert_eq!(pair, expected),
        other => panic!("{:?}", other.map(|world| world.pairs())),
    }
}

#[test]
fn the_number_of_pairs_is_what_counting_them_one_by_one_gives() {
    let mut random = Random::new(5);
    let mut below = |n: usize| random.range(0.0, n as f64) as usize;
    for _ in 0..50 {
        let mut builder = WorldBuilder::new(WorldParams::default());
        builder.set_overlaps(zerogap::world::Overlaps::Allow);
        // The body of each shape; none is the world.
        let mut owners: Vec<Option<BodyId>> = Vec::new();
        let mut bodies = vec![None];
        for _ in 0..below(4) {
            builder.fixed(ShapeDef::new(ball(), "steel")).unwrap();
            owners.push(None);
        }
        let (mut driven, mut excluded) = (vec![true], Vec::new());
        for k in 0..8 {
            let parent = bodies[below(bodies.len())];
            let is_fixed = below(3) == 0;
            let kind = if is_fixed { JointKind::Fixed } else { JointKind::Free };
            let mut def = BodyDef::new(Joint::new(parent, kind));
            let shapes = 1 + below(2);
            for _ in 0..shapes {
                def = def.with(ball(), "steel");
            }
            let body = Some(builder.body(def).unwrap());
            owners.extend(std::iter::repeat_n(body, shapes));
            let parent_place = bodies.iter().position(|other| *other == parent).unwrap();
            driven.push(is_fixed && driven[parent_place]);
            if parent.is_some() {
                excluded.push((parent_place, k + 1));
            }
            bodies.push(body);
        }
        for _ in 0..below(4) {
            let (a, b) = (below(9), below(9));
            builder.exclude(bodies[a], bodies[b]);
            excluded.push((a, b));
        }
        for _ in 0..below(3) {
            let group: Vec<usize> = (0..below(6)).map(|_| below(9)).collect();
            builder.exclude_group(&group.iter().map(|k| bodies[*k]).collect::<Vec<_>>());
            excluded.extend(group.iter().flat_map(|a| group.iter().map(|b| (*a, *b))));
        }
        let place = |shape: usize| bodies.iter().position(|body| *body == owners[shape]).unwrap();
        let may_touch = |a: usize, b: usize| {
            let (a, b) = (place(a), place(b));
            let is_excluded = excluded.iter().any(|pair| *pair == (a, b) || *pair == (b, a));
            a != b && !(driven[a] && driven[b]) && !is_excluded
        };
        let all = (0..owners.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let expected = all.filter(|(a, b)| may_touch(*a, *b)).count();
        assert_eq!(builder.build().unwrap().pairs(), expected);
    }
}

#[test]
fn a_body_inflated_beyond_its_shape_rests_at_the_inflated_surface() {
    // Both boxes are inflated by 20 mm and not inset: they touch 40 mm apart, long before their own boxes overlap.
    let quasi = QuasiLmd { dilation: Some(0.02), inset: false, ..QuasiLmd::default() };
    let stepping = Stepping { step: 1e-3, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams::new(stepping));
    let cube = || ShapeDef::new(Shape::cuboid(Vec3::repeat(0.2)).unwrap(), "steel");
    builder.fixed(cube().colliding(Collision::QuasiLmd(quasi))).unwrap();
    let above = BodyDef::free(at(0.0, 0.0, 0.2401)).with_shape(cube().colliding(Collision::QuasiLmd(quasi)));
    let body = builder.body(above).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.2).unwrap();
    let height = world.pose(body).translation().z;
    assert!((height - 0.24).abs() < 1e-4, "{height}");
}
