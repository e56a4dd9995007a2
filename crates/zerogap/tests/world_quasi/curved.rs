//! Cylinders, cones and ellipsoids, which cannot be complexes, among bodies that collide by quasi-LMDs.
//!
//! Oracles: heights by closed form, forces by weight, and the world of the shapes as they are, whose bits are the same.

use zerogap::dynamics::multibody::BodyId;
use zerogap::geometry::TriangleMesh;
use zerogap::geometry::parts::{Cuboid, LPrism};
use zerogap::world::{BodyDef, Collision, QuasiLmd, ShapeDef, World, WorldError, WorldParams};
use zerogap::{Shape, Vec3};

use super::ways::ways;
use super::{QUASI, at, with};

const BODY: BodyId = BodyId(0);

/// How far bodies fall at first [m].
const FALL: f64 = 1e-3;

/// A plate of a metre with its top in z = 0, of triangles.
fn plate(collision: Collision) -> ShapeDef {
    let plate = Cuboid { width: 1.0, depth: 1.0, height: 0.1 }.generate().unwrap();
    ShapeDef::new(plate.into(), "steel").colliding(collision).at(at(0.0, 0.0, -0.05))
}

/// A body above something fixed, by so much as it falls.
fn above(params: WorldParams, fixed: ShapeDef, shape: ShapeDef, height: f64) -> World {
    let mut builder = with(params, 0.3);
    builder.fixed(fixed).unwrap();
    builder.body(BodyDef::free(at(0.01, 0.02, height + FALL)).with_shape(shape)).unwrap();
    builder.build().unwrap()
}

/// Checks that a body comes to rest at a height [m], carried by its weight.
fn check_rest(mut world: World, height: f64, name: &str) -> World {
    world.advance_to(0.5).unwrap();
    let place = world.pose(BODY).translation();
    // Elastic contacts give way by micrometres.
    assert!((place.z - height).abs() < 5e-6, "{name}: at {place:?}, not at {height}");
    assert!((place - Vec3::new(0.01, 0.02, place.z)).norm() < 2e-5, "{name}: it went to {place:?}");
    let force: f64 = world.contacts().iter().map(|contact| contact.normal_force).sum();
    let weight = 9.81 * world.tree().inertia(BODY).mass;
    assert!((force / weight - 1.0).abs() < 1e-3, "{name}: {force} N for {weight} N");
    world
}

#[test]
fn curved_bodies_stand_on_a_plate_of_quasi_lmds_as_on_the_plate_itself() {
    let curved = [
        ("cylinder", Shape::cylinder(0.05, 0.1).unwrap(), 0.05),
        ("truncated cone", Shape::frustum(0.06, 0.03, 0.1).unwrap(), 0.05),
        ("ellipsoid", Shape::ellipsoid(Vec3::new(0.06, 0.05, 0.03)).unwrap(), 0.03),
        ("rounded cylinder", Shape::cylinder(0.04, 0.08).unwrap().rounded(0.01).unwrap(), 0.05),
    ];
    for (name, shape, height) in curved {
        for (way, params) in ways() {
            let name = format!("{name}, {way}");
            let on = |collision| {
                let shape = ShapeDef::new(shape.clone(), "steel");
                check_rest(above(params, plate(collision), shape, height), height, &name)
            };
            let (quasi, exact) = (on(Collision::QuasiLmd(QUASI)), on(Collision::Exact));
            assert_eq!(quasi.pose(BODY), exact.pose(BODY), "{name}");
        }
    }
}

#[test]
fn a_concave_body_of_quasi_lmds_rests_on_a_post() {
    for (name, params) in ways() {
        let mesh = LPrism::default().generate().unwrap();
        let low = mesh.bounding_box().min.z;
        let shape = ShapeDef::new(mesh.into(), "steel").colliding(Collision::QuasiLmd(QUASI));
        let post = ShapeDef::new(Shape::cylinder(0.5, 0.2).unwrap(), "steel").at(at(0.0, 0.0, -0.1));
        check_rest(above(params, post, shape, -low), -low, name);
    }
}

/// A complex that reaches beyond its shape does so for curved shapes too: convex ones are rounded, sheets have their thickness.
#[test]
fn what_is_inflated_is_as_thick_for_curved_shapes() {
    const DILATION: f64 = 2e-3;
    let thick = |inset| Collision::QuasiLmd(QuasiLmd { dilation: Some(DILATION), inset, ..QUASI });
    let slab = || Shape::cuboid(Vec3::new(1.0, 1.0, 0.1)).unwrap();
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let sheet = TriangleMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let grounds = [
        ("slab without inset", ShapeDef::new(slab(), "steel").colliding(thick(false)), DILATION),
        ("slab with inset", ShapeDef::new(slab(), "steel").colliding(thick(true)), 0.0),
    ];
    for (way, params) in ways() {
        for (name, ground, beyond) in grounds.clone() {
            let cylinder = ShapeDef::new(Shape::cylinder(0.05, 0.1).unwrap(), "steel");
            let height = 0.05 + beyond;
            let world = above(params, ground.at(at(0.0, 0.0, -0.05)), cylinder, height);
            check_rest(world, height, &format!("{name}, {way}"));
        }
        let ground = ShapeDef::new(sheet.clone().into(), "steel").colliding(thick(true));
        let cylinder = ShapeDef::new(Shape::cylinder(0.05, 0.1).unwrap(), "steel");
        let world = above(params, ground, cylinder, 0.05 + DILATION);
        check_rest(world, 0.05 + DILATION, &format!("sheet, {way}"));
    }
}

#[test]
fn what_has_no_such_shape_is_refused_by_name() {
    let mut builder = with(WorldParams::default(), 0.3);
    let inflated = QuasiLmd { inset: false, ..QUASI };
    builder.fixed(plate(Collision::QuasiLmd(inflated)).named("plate")).unwrap();
    let cylinder = ShapeDef::new(Shape::cylinder(0.05, 0.1).unwrap(), "steel").named("post");
    builder.body(BodyDef::free(at(0.0, 0.0, 1.0)).with_shape(cylinder)).unwrap();
    let error = builder.clone().build().err().unwrap();
    assert!(matches!(error, WorldError::Unanswered { .. }), "{error}");
    let named = error.with_names(|shape| builder.shape_name(shape));
    assert!(named.starts_with("'plate' and 'post' cannot collide"), "{named}");
}
