//! Worlds and states as bytes: damaged ones are refused or run, and never end the process.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::{Material, PairProperties};
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::{
    Dof, Harmonic, HarmonicMotion, Interpolation, Joint, JointKind, SplineMotion,
};
use zerogap::geometry::{Polyhedron, TriangleMesh};
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, ShapeDef, Stepping, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// How long a state that was read runs on [s]: a few steps.
const RUN: f64 = 0.004;

/// Times that a run is asked whether it shall continue before it is stopped [-].
const MAX_ASKED: usize = 3;

/// A little of everything that is stored: shapes of several kinds, a joint with a limit, prescribed motions and bodies in contact.
fn builder(params: WorldParams) -> WorldBuilder {
    let mut builder = WorldBuilder::new(params);
    builder.material("soft", Material { young_modulus: 1e7, poisson_ratio: 0.4, density: 1000.0 }).unwrap();
    let properties = PairProperties { restitution: 0.5, friction: 0.3, ..PairProperties::default() };
    builder.pair("soft", "soft", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "soft")).unwrap();
    let points =
        [Vec3::zeros(), Vec3::x() * 0.1, Vec3::y() * 0.1, Vec3::z() * 0.1].map(|p| p - Vec3::repeat(0.025));
    let hull = Shape::from(zerogap::geometry::ConvexShape::from(Polyhedron::from_points(&points).unwrap()));
    let mesh = TriangleMesh::new(points.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    let sliding = BodyDef::free(at(-0.3, 0.0, 0.0401))
        .with(Shape::cuboid(Vec3::new(0.1, 0.12, 0.08)).unwrap(), "soft")
        .moving(&[0.4, 0.0, 0.0, 0.0, 0.0, -0.1]);
    builder.body(sliding).unwrap();
    builder.body(BodyDef::free(at(0.0, 0.3, 0.0251)).with(hull, "soft")).unwrap();
    builder.body(BodyDef::free(at(0.0, 0.6, 0.5)).with(mesh.into(), "soft")).unwrap();
    let joint = Joint::new(None, JointKind::Revolute { axis: Vec3::y() }).parent_frame(at(1.0, 0.0, 1.0));
    let arm = BodyDef::new(joint).with(Shape::capsule(0.05, 0.2).unwrap(), "soft");
    let arm = builder.body(arm).unwrap();
    builder.dof(arm, 0, Dof { lower: Some(-0.2), upper: Some(0.3), ..Dof::default() }).unwrap();
    let shake = Harmonic { amplitude: 0.01, frequency: 2.0, phase: 0.1 };
    let still = Harmonic::default();
    let motion =
        HarmonicMotion::new(at(3.0, 0.0, 0.3), [shake, still, still], [still, still, shake]).unwrap();
    let prescribed = |motion| Joint::new(None, JointKind::Prescribed(motion));
    builder
        .body(BodyDef::new(prescribed(Arc::new(motion))).with(Shape::sphere(0.1).unwrap(), "soft"))
        .unwrap();
    for (k, interpolation) in
        [Interpolation::Linear, Interpolation::Monotone, Interpolation::Smooth].into_iter().enumerate()
    {
        let y = 2.0 + k as f64;
        let poses = [at(0.0, y, 0.5), at(0.1, y, 0.5), at(0.0, y, 0.4)];
        let motion = SplineMotion::from_poses(&[0.0, 0.5, 1.0], &poses, interpolation).unwrap();
        let body = BodyDef::new(prescribed(Arc::new(motion))).with(Shape::sphere(0.1).unwrap(), "soft");
        builder.body(body).unwrap();
    }
    builder
}

fn methods() -> [(&'static str, WorldParams); 3] {
    [
        ("elastic", WorldParams::new(EventLocation::new(ContactModel::Elastic(NormalLaw::HuntCrossley)))),
        ("rigid", WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default())))),
        ("stepping", WorldParams::new(Stepping::default())),
    ]
}

fn started(params: WorldParams) -> World {
    let mut world = builder(params).build().unwrap();
    world.advance_to(0.05).unwrap();
    world
}

/// Changes one byte at a time, by all of its bits and by one of them.
fn damaged(bytes: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> + '_ {
    let masks = |at: usize| [0xff, 1 << (at % 8)];
    (0..bytes.len()).flat_map(move |at| {
        masks(at).map(|mask| {
            let mut changed = bytes.to_vec();
            changed[at] ^= mask;
            (at, changed)
        })
    })
}

#[test]
fn a_world_with_any_byte_changed_is_refused_or_built() {
    let bytes = builder(WorldParams::default()).to_bytes().unwrap();
    WorldBuilder::from_bytes(&bytes).unwrap().build().unwrap();
    let (mut refused, mut built) = (0, 0);
    for (_, changed) in damaged(&bytes) {
        match WorldBuilder::from_bytes(&changed).map(WorldBuilder::build) {
            Ok(Ok(_)) => built += 1,
            Ok(Err(_)) | Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && built > 100, "{refused} refused, {built} built");
}

#[test]
fn a_state_with_any_byte_changed_is_refused_or_runs_or_fails() {
    for (name, params) in methods() {
        let mut world = started(params);
        let (before, bytes) = (world.save(), world.save().to_bytes().unwrap());
        world.saved_from_bytes(&bytes).unwrap();
        let (mut refused, mut ran) = (0, 0);
        for (place, changed) in damaged(&bytes) {
            let Ok(saved) = world.saved_from_bytes(&changed) else {
                refused += 1;
                continue;
            };
            println!("{name}: byte {place} of {}", bytes.len());
            world.restore(&saved).unwrap();
            let until = world.time() + RUN;
            // What runs away is an error of the run, or takes long.
            let asked = AtomicUsize::new(0);
            let enough = move || match asked.fetch_add(1, Ordering::Relaxed) {
                0..MAX_ASKED => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            };
            world.interrupt_with(Some(Arc::new(enough)));
            let _ = world.advance_to(until);
            ran += 1;
            world.restore(&before).unwrap();
        }
        assert!(refused > 100 && ran > 100, "{name}: {refused} refused, {ran} ran");
    }
}
