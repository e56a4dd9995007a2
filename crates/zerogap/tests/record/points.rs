//! Contact points in frames: every method tells where a pair touches and with what force at each point, not only one force for the pair.

use zerogap::contact::law::NormalLaw;
use zerogap::contact::solve::ImpactLaw;
use zerogap::record::{End, Head, Recording};
use zerogap::world::{
    BodyDef, Collision, ContactModel, EventLocation, Frame, MethodParams, ShapeDef, StepForces, Stepping,
    World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, TriangleMesh, Vec3};

use crate::support::{assert_same, write};

/// Half the distance between the inner sides of the legs, and half the whole width [m].
const INNER: f64 = 0.2;
const OUTER: f64 = 0.3;

/// A bridge of two legs as a mesh, with its feet at z = 0.
fn bridge() -> TriangleMesh {
    let (foot, top, depth) = (0.1, 0.2, 0.05);
    let outline = [
        (-OUTER, 0.0),
        (-INNER, 0.0),
        (-INNER, foot),
        (INNER, foot),
        (INNER, 0.0),
        (OUTER, 0.0),
        (OUTER, top),
        (-OUTER, top),
    ];
    let at = |y: f64| outline.map(|(x, z)| Vec3::new(x, y, z));
    let vertices = [at(-depth), at(depth)].concat();
    let face = [[0, 1, 2], [0, 2, 7], [7, 2, 3], [7, 3, 6], [3, 4, 5], [3, 5, 6]];
    let mut triangles: Vec<[u32; 3]> = face.to_vec();
    triangles.extend(face.map(|[a, b, c]| [a + 8, c + 8, b + 8]));
    for k in 0..8 {
        let next = (k + 1) % 8;
        triangles.extend([[k, k + 8, next + 8], [k, next + 8, next]]);
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// The bridge on a large floor.
fn world(params: WorldParams, body: ShapeDef) -> World {
    let mut builder = WorldBuilder::new(params);
    let floor = ShapeDef::new(Shape::cuboid(Vec3::new(4.0, 4.0, 0.2)).unwrap(), "steel").named("floor");
    builder.fixed(floor.at(Pose::from_translation(Vec3::new(0.0, 0.0, -0.1)).unwrap())).unwrap();
    let mut bridge = BodyDef::free(Pose::identity()).named("bridge");
    bridge.shapes.push(body);
    builder.body(bridge).unwrap();
    builder.build().unwrap()
}

fn params(contact: ContactModel, stepping: Option<Stepping>) -> WorldParams {
    WorldParams::new(stepping.map_or(EventLocation::new(contact).into(), MethodParams::from))
}

/// Ways to simulate, by name.
fn methods() -> Vec<(&'static str, WorldParams)> {
    // Near its critical damping: at rest within the run.
    let damped = NormalLaw::KelvinVoigt { stiffness: 1e6, damping: 5e3 };
    let rigid = ContactModel::Rigid(ImpactLaw::default());
    vec![
        ("rigid events", params(rigid, None)),
        ("elastic events", params(ContactModel::Elastic(damped), None)),
        ("stepping", params(rigid, Some(Stepping::default()))),
        ("silvia", params(rigid, Some(Stepping { forces: StepForces::Silvia, ..Stepping::default() }))),
    ]
}

/// The recording of a run.
fn recorded(mut world: World) -> Recording {
    let head = Head::of_world(&world, "bridge", 0.05);
    let frames = world.record_to(0.5, 0.05).unwrap();
    let end = End { t: world.time(), info: world.info(), hash: world.hash(), reason: String::new() };
    Recording { head, frames, events: world.events().to_vec(), end: Some(end), left_out: 0 }
}

/// What a frame of a part that stands on two legs must show.
fn assert_stands_on_both_legs(name: &str, frame: &Frame, weight: f64) {
    assert!(!frame.contacts.is_empty(), "{name}: nothing in contact");
    let loaded: Vec<_> = frame.points.iter().filter(|contact| contact.force.z > 1e-6 * weight).collect();
    for contact in &loaded {
        let x = contact.point.x.abs();
        assert!(x > INNER - 1e-6 && x < OUTER + 1e-6, "{name}: a force at {} is under no leg", contact.point);
        assert!(contact.point.z.abs() < 1e-3, "{name}: a force at {} is not on the floor", contact.point);
    }
    for side in [-1.0, 1.0] {
        assert!(
            loaded.iter().any(|contact| contact.point.x * side > 0.0),
            "{name}: no force under one of the legs"
        );
    }
    // The points carry the weight, and add up to the pairs.
    let of_points: Vec3 = frame.points.iter().map(|contact| contact.force).sum();
    let of_pairs: Vec3 = frame
        .contacts
        .iter()
        .map(|c| Vec3::from(c.normal) * c.normal_force + Vec3::from(c.friction_force))
        .sum();
    assert!((of_points - of_pairs).norm() < 1e-9 * weight, "{name}: {of_points} and {of_pairs}");
    assert!((of_points.z / weight - 1.0).abs() < 1e-3, "{name}: {of_points} N of {weight} N");
}

#[test]
fn a_part_on_two_legs_has_contact_points_under_both_by_every_method() {
    let volume = (2.0 * (OUTER - INNER) * 0.1 + 2.0 * OUTER * 0.1) * 0.1;
    let mesh = || ShapeDef::new(Shape::from(bridge()), "steel").colliding(Collision::Exact);
    for (name, params) in methods() {
        let recording = recorded(world(params, mesh()));
        let density = WorldBuilder::new(WorldParams::default()).density("steel").unwrap();
        let weight = 9.81 * density * volume;
        let last = recording.frames.last().unwrap();
        assert_stands_on_both_legs(name, last, weight);
        // The file keeps them, bit by bit.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recording.zgr");
        write(&recording, &path, 4);
        assert_same(&Recording::open(&path).unwrap(), &recording);
    }
}

#[test]
fn a_box_has_its_corners_as_contact_points_by_every_method() {
    for (name, params) in methods() {
        let size = Vec3::new(0.4, 0.2, 0.1);
        let cuboid = ShapeDef::new(Shape::cuboid(size).unwrap(), "steel")
            .at(Pose::from_translation(Vec3::new(0.0, 0.0, 0.05)).unwrap());
        let recording = recorded(world(params, cuboid));
        let points = &recording.frames.last().unwrap().points;
        assert!(points.len() >= 3, "{name}: {} points", points.len());
        for contact in points {
            let corner =
                (contact.point.x.abs() - 0.2).abs() < 1e-6 && (contact.point.y.abs() - 0.1).abs() < 1e-6;
            assert!(corner, "{name}: a point at {}", contact.point);
        }
        let mut ids: Vec<u64> = points.iter().map(|contact| contact.id.packed()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), points.len(), "{name}: features of points are named once");
    }
}
