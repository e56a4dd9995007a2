//! Worlds whose convex pairs are answered by other algorithms than the exact kernels: portal refinement as Neumayr and Otter have it, V-Clip as Cheng Yi and Drumwright.

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::world::{
    BodyDef, ContactModel, EventKind, EventLocation, MethodParams, NarrowPhase, ShapeDef, Stepping, World,
    WorldBuilder, WorldParams,
};
use zerogap::{Polyhedron, Pose, Shape, Vec3};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn events(narrow_phase: NarrowPhase, law: NormalLaw) -> EventLocation {
    let tolerance = Tolerance { relative: 1e-9, absolute: 1e-12 };
    EventLocation { narrow_phase, tolerance, ..EventLocation::new(ContactModel::Elastic(law)) }
}

/// Balls, an ellipsoid and a capsule over a slab, without friction.
fn round_things(narrow_phase: NarrowPhase) -> World {
    let mut builder = WorldBuilder::new(WorldParams::new(events(narrow_phase, NormalLaw::Hertz)));
    builder.pair("steel", "steel", PairProperties { friction: 0.0, ..Default::default() }).unwrap();
    let slab = Shape::cuboid(Vec3::new(4.0, 4.0, 0.2)).unwrap();
    builder.fixed(ShapeDef::new(slab, "steel").at(at(0.0, 0.0, -0.1))).unwrap();
    let shapes = [Shape::sphere(0.1).unwrap(), Shape::ellipsoid(Vec3::new(0.1, 0.15, 0.2)).unwrap()];
    for (k, shape) in shapes.into_iter().enumerate() {
        let start = Pose::from_axis_angle(
            Vec3::new(0.6 * k as f64, 0.0, 0.4),
            Vec3::new(1.0, 0.3, 0.0),
            0.4 * k as f64,
        );
        builder.body(BodyDef::free(start.unwrap()).with(shape, "steel")).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn portal_refinement_brings_round_bodies_where_the_exact_gap_does() {
    let ends = [NarrowPhase::Exact, NarrowPhase::Mpr].map(|narrow_phase| {
        let mut world = round_things(narrow_phase);
        world.advance_to(0.5).unwrap();
        let begun =
            world.events().iter().filter(|e| matches!(e.what, EventKind::ContactBegin { .. })).count();
        let info = world.info();
        assert_eq!(info.narrow_phase_calls.is_some(), narrow_phase == NarrowPhase::Mpr);
        if let Some(calls) = info.narrow_phase_calls {
            assert!(calls > 100, "{calls}");
            assert_eq!(info.time_fractions.last().unwrap().0, "mpr");
        }
        let places: Vec<Vec3> = world.bodies().iter().map(|body| world.pose(*body).translation()).collect();
        (begun, places)
    });
    assert_eq!(ends[0].0, ends[1].0);
    for (exact, by_mpr) in ends[0].1.iter().zip(&ends[1].1) {
        assert!((exact - by_mpr).norm() < 1e-4, "{exact:?} {by_mpr:?}");
    }
}

#[test]
fn questions_of_the_user_stay_exact() {
    let world = round_things(NarrowPhase::Mpr);
    let before = world.info().narrow_phase_calls.unwrap();
    let gaps = world.gaps(10.0).unwrap();
    assert_eq!(gaps.len(), 3);
    assert_eq!(world.info().narrow_phase_calls.unwrap(), before);
}

fn spun(narrow_phase: NarrowPhase, method: impl Fn(NarrowPhase) -> MethodParams) -> World {
    let mut builder = WorldBuilder::new(WorldParams::new(method(narrow_phase)));
    let corners = |half: Vec3| -> Shape {
        let points: Vec<Vec3> = (0..8)
            .map(|k| Vec3::from_fn(|axis, _| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] }))
            .collect();
        Shape::from(Polyhedron::from_points(&points).unwrap())
    };
    builder.fixed(ShapeDef::new(corners(Vec3::new(2.0, 2.0, 0.1)), "steel").at(at(0.0, 0.0, -0.1))).unwrap();
    for k in 0..4 {
        let start = Pose::from_axis_angle(
            Vec3::new(0.0, 0.0, 0.3 + 0.35 * f64::from(k)),
            Vec3::new(1.0, 0.5, 0.2),
            0.3 * f64::from(k),
        );
        builder
            .body(BodyDef::free(start.unwrap()).with(corners(Vec3::new(0.1, 0.12, 0.08)), "steel"))
            .unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn v_clip_leaves_contacts_as_they_are_and_reports_its_share() {
    let stepping = |narrow_phase| Stepping { narrow_phase, step: 2e-3, ..Stepping::default() }.into();
    let (mut exact, mut clipped) = (spun(NarrowPhase::Exact, stepping), spun(NarrowPhase::VClip, stepping));
    exact.advance_to(1.0).unwrap();
    clipped.advance_to(1.0).unwrap();
    assert_eq!(exact.hash(), clipped.hash());
    let info = clipped.info();
    assert!(info.narrow_phase_calls.unwrap() > 500);
    let (name, fraction) = info.time_fractions.last().unwrap();
    assert!(name == "v-clip" && *fraction > 0.0 && *fraction < 1.0);

    // With located events gaps of polyhedra that are apart are its distances.
    let elastic = |narrow_phase| events(narrow_phase, NormalLaw::Hertz).into();
    let ends = [NarrowPhase::Exact, NarrowPhase::VClip].map(|narrow_phase| {
        let mut world = spun(narrow_phase, elastic);
        world.advance_to(0.2).unwrap();
        world.pose(world.bodies()[0]).translation()
    });
    assert!((ends[0] - ends[1]).norm() < 1e-7, "{ends:?}");
}

#[test]
fn one_contact_point_is_not_for_rigid_contacts() {
    let rigid = ContactModel::Rigid(ImpactLaw::default());
    let by_events = EventLocation { narrow_phase: NarrowPhase::Mpr, ..EventLocation::new(rigid) };
    let by_steps = Stepping { narrow_phase: NarrowPhase::Mpr, ..Stepping::default() };
    for params in [WorldParams::new(by_events), WorldParams::new(by_steps)] {
        let refused = WorldBuilder::new(params).build().err().unwrap().to_string();
        assert!(refused.contains("narrow_phase = \"mpr\""), "{refused}");
    }
}
