//! Every elastic law with every kind of shape: each has a stiffness, or the pair is refused.

use std::sync::Arc;

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::dynamics::multibody::{BodyId, Inertia};
use zerogap::geometry::Polyhedron;
use zerogap::geometry::shape::Cuboid;
use zerogap::world::{
    BodyDef, Collision, ContactModel, EventLocation, QuasiLmd, ShapeDef, World, WorldBuilder, WorldError,
    WorldParams,
};
use zerogap::{ConvexShape, Mat3, Pose, Shape, Vec3};

const LAWS: [NormalLaw; 5] = [
    NormalLaw::HuntCrossley,
    NormalLaw::Hertz,
    NormalLaw::KelvinVoigt { stiffness: 1e5, damping: 300.0 },
    NormalLaw::Linear { stiffness: 1e5, damping_ratio: 0.5 },
    NormalLaw::Modia3d,
];

/// Height of the middle of each shape above the floor that it stands on [m].
const HEIGHT: f64 = 0.1;

/// A fall before the first touch [m].
const FALL: f64 = 1e-3;

fn at(z: f64) -> Pose {
    Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap()
}

fn box_hull(size: Vec3) -> Polyhedron {
    Polyhedron::from_points(&Cuboid::new(size).unwrap().corners()).unwrap()
}

fn box_mesh(size: Vec3) -> Shape {
    Shape::Mesh(Arc::new(box_hull(size).to_mesh()))
}

/// Shapes that stand on their origin plus [`HEIGHT`], by name.
fn shapes() -> Vec<(&'static str, Shape)> {
    let parsed = ["sphere:0.1", "box:0.2,0.2,0.2", "capsule:0.05,0.1", "cylinder:0.05,0.2", "cone:0.05,0.2"];
    let parsed = parsed.into_iter().chain(["ellipsoid:0.2,0.15,0.1", "rounded:0.02,box:0.16,0.16,0.16"]);
    let mut shapes: Vec<_> = parsed.map(|word| (word, word.parse::<Shape>().unwrap())).collect();
    shapes.push(("hull", ConvexShape::from(box_hull(Vec3::repeat(0.2))).into()));
    shapes.push(("mesh", box_mesh(Vec3::repeat(0.2))));
    shapes
}

/// Floors with their tops at zero, by name.
fn floors() -> Vec<(&'static str, ShapeDef)> {
    let size = Vec3::new(2.0, 2.0, 0.2);
    let slab = |shape: Shape| ShapeDef::new(shape, "steel").at(at(-0.1));
    vec![
        ("half-space", ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")),
        ("box", slab(Shape::cuboid(size).unwrap())),
        ("hull", slab(ConvexShape::from(box_hull(size)).into())),
        ("mesh", slab(box_mesh(size))),
    ]
}

fn standing(law: NormalLaw, floor: ShapeDef, body: BodyDef) -> Result<World, WorldError> {
    let params = WorldParams::new(EventLocation::new(ContactModel::Elastic(law)));
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution: 0.3, ..PairProperties::default() };
    builder.pair("steel", "steel", properties)?;
    builder.fixed(floor)?;
    let inertia = Inertia { mass: 2.0, center: Vec3::zeros(), inertia: Mat3::identity() * 0.01 };
    builder.body(body.with_inertia(inertia))?;
    let mut world = builder.build()?;
    world.advance_to(0.05)?;
    Ok(world)
}

#[test]
fn every_shape_stands_on_every_floor_under_every_elastic_law() {
    for law in LAWS {
        for (floor_name, floor) in floors() {
            for (name, shape) in shapes() {
                let body = BodyDef::free(at(HEIGHT + FALL)).with(shape, "steel");
                let world = standing(law, floor.clone(), body);
                let what = format!("{name} on {floor_name}, {}", law.word());
                let world = world.unwrap_or_else(|error| panic!("{what}: {error}"));
                let z = world.pose(BodyId(0)).translation().z;
                // It rebounds no higher than it fell, and sinks no deeper than the softest law lets it.
                assert!(z > HEIGHT - 0.5 * FALL && z < HEIGHT + 1.01 * FALL, "{what}: {z}");
            }
        }
    }
}

#[test]
fn corners_and_complexes_carry_under_every_elastic_law() {
    for law in LAWS {
        let dilated = QuasiLmd { dilation: Some(2e-3), ..QuasiLmd::default() };
        for collision in [Collision::Oriented, Collision::QuasiLmd(dilated)] {
            for (floor_name, floor) in floors() {
                if collision == Collision::Oriented && floor_name == "mesh" {
                    continue;
                }
                let shape = Shape::cuboid(Vec3::repeat(0.2)).unwrap();
                let shape = ShapeDef::new(shape, "steel").colliding(collision);
                let world = standing(law, floor, BodyDef::free(at(HEIGHT + FALL)).with_shape(shape));
                let what = format!("{collision:?} on {floor_name}, {}", law.word());
                let world = world.unwrap_or_else(|error| panic!("{what}: {error}"));
                let z = world.pose(BodyId(0)).translation().z;
                assert!(z > HEIGHT - 0.5 * FALL && z < HEIGHT + 1.01 * FALL, "{what}: {z}");
            }
        }
    }
}

/// Shapes without any thickness.
fn thin_shapes() -> [Shape; 3] {
    ["point:0,0,-0.1", "segment:0,-0.1,-0.1,0,0.1,-0.1", "triangle:-0.1,-0.1,-0.1,0.1,-0.1,-0.1,0,0.1,-0.1"]
        .map(|word| word.parse().unwrap())
}

#[test]
fn a_shape_without_thickness_stands_or_is_refused_and_never_falls_through() {
    for law in LAWS {
        // Surfaces of meshes are only crossed by what has a surface or an edge.
        for (floor_name, floor) in floors().into_iter().filter(|(name, _)| *name != "mesh") {
            for shape in thin_shapes() {
                let what = format!("{shape:?} on {floor_name}, {}", law.word());
                let body = BodyDef::free(at(HEIGHT + FALL)).with(shape, "steel");
                match standing(law, floor.clone(), body) {
                    Ok(world) => {
                        let z = world.pose(BodyId(0)).translation().z;
                        assert!(z > HEIGHT - 0.5 * FALL && z < HEIGHT + 1.01 * FALL, "{what}: {z}");
                    }
                    Err(WorldError::NoContactRadius { .. }) => assert_eq!(floor_name, "half-space", "{what}"),
                    Err(error) => panic!("{what}: {error}"),
                }
            }
        }
    }
}
