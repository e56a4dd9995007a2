//! Quasi-LMDs and meshes as they are, in every way to go through time.

use zerogap::contact::solve::ImpactLaw;
use zerogap::geometry::parts::{Cuboid, LPrism};
use zerogap::world::{
    BodyDef, Collision, ContactModel, EventLocation, ShapeDef, ShapeId, StepForces, Stepping, World,
    WorldError, WorldParams,
};
use zerogap::{Shape, Vec3};

use super::{QUASI, at, with};

pub(super) fn ways() -> Vec<(&'static str, WorldParams)> {
    let by = |forces| {
        let stepping = Stepping { forces, step: 1e-3, ..Stepping::default() };
        WorldParams::new(stepping)
    };
    let rigid = WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default())));
    vec![
        ("cones", by(StepForces::Coulomb)),
        ("silvia", by(StepForces::Silvia)),
        ("rigid events", rigid),
        ("elastic events", WorldParams::default()),
    ]
}

/// A body of two boxes as one concave mesh that falls by a millimetre onto a plate that is a mesh too.
fn fallen(params: WorldParams, collision: Collision) -> World {
    let mut builder = with(params, 0.3);
    let plate = Cuboid { width: 1.0, depth: 1.0, height: 0.1 }.generate().unwrap();
    let plate = ShapeDef::new(plate.into(), "steel").colliding(collision);
    builder.fixed(plate.at(at(0.0, 0.0, -0.05))).unwrap();
    let mesh = LPrism::default().generate().unwrap();
    let low = mesh.bounding_box().min.z;
    let shape = ShapeDef::new(mesh.into(), "steel").colliding(collision);
    builder.body(BodyDef::free(at(0.0, 0.0, 1e-3 - low)).with_shape(shape)).unwrap();
    builder.build().unwrap()
}

#[test]
fn a_concave_body_comes_to_rest_on_a_plate_whatever_the_method() {
    for collision in [Collision::Exact, Collision::QuasiLmd(QUASI)] {
        for (name, params) in ways() {
            let mut world = fallen(params, collision);
            let start = world.pose(zerogap::dynamics::multibody::BodyId(0)).translation();
            world.advance_to(0.5).unwrap();
            let body = zerogap::dynamics::multibody::BodyId(0);
            let moved = world.pose(body).translation() - start;
            assert!((moved.z + 1e-3).abs() < 2e-6, "{name} {collision:?}: {moved:?}");
            // Elastic contacts of triangles rub by a law that creeps.
            let creep = if name == "elastic events" { 1e-5 } else { 1e-6 };
            assert!(moved.xy().norm() < creep, "{name} {collision:?}: {moved:?}");
            let force: f64 = world.contacts().iter().map(|contact| contact.normal_force).sum();
            let weight = 9.81 * world.tree().inertia(body).mass;
            assert!((force / weight - 1.0).abs() < 1e-3, "{name} {collision:?}: {force} N for {weight} N");
        }
    }
}

#[test]
fn what_cannot_be_met_is_refused_with_a_reason() {
    let mut builder = with(WorldParams::default(), 0.3);
    let ball = ShapeDef::new(Shape::ellipsoid(Vec3::new(0.1, 0.2, 0.3)).unwrap(), "steel");
    let error = builder.fixed(ball.colliding(Collision::QuasiLmd(QUASI))).unwrap_err().to_string();
    assert!(error.contains("shape 0 cannot collide by quasi-LMDs"), "{error}");

    // A mesh with a hole.
    let cube = Cuboid::default().generate().unwrap();
    let open = zerogap::geometry::TriangleMesh::new(cube.vertices().to_vec(), cube.triangles()[1..].to_vec());
    let open = ShapeDef::new(open.unwrap().into(), "steel");
    let error = builder.fixed(open.clone().named("bracket")).unwrap_err();
    assert!(matches!(error, WorldError::CannotCollide { shape: ShapeId(0), .. }), "{error}");
    assert!(error.to_string().starts_with("'bracket' collides as an open mesh"), "{error}");
    builder.fixed(open.colliding(Collision::QuasiLmd(QUASI))).unwrap();
}
