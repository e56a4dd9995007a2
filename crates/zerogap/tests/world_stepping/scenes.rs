//! Worlds for all tests: random shapes that move at random, on a floor or in a closed box.

use zerogap::contact::material::PairProperties;
use zerogap::core::random::Random;
use zerogap::geometry::Polyhedron;
use zerogap::world::{BodyDef, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

/// Acceleration of free fall [m/s²].
pub(crate) const G: f64 = 9.81;

/// The material of everything.
pub(crate) const STEEL: &str = "steel";

/// An empty world that goes by steps.
pub(crate) fn builder(stepping: Stepping, gravity: f64, (restitution, friction): (f64, f64)) -> WorldBuilder {
    let gravity = Vec3::new(0.0, 0.0, -gravity);
    let params = WorldParams { gravity, ..WorldParams::new(stepping) };
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution, friction, ..PairProperties::default() };
    builder.pair(STEEL, STEEL, properties).unwrap();
    builder
}

/// Steps of a length, all else as usual.
pub(crate) fn steps(step: f64) -> Stepping {
    Stepping { step, ..Stepping::default() }
}

/// A pose without rotation.
pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// Adds a half-space below the plane `normal . x = offset`.
pub(crate) fn add_half_space(builder: &mut WorldBuilder, normal: Vec3, offset: f64) {
    builder.fixed(ShapeDef::new(Shape::half_space(normal, offset).unwrap(), STEEL)).unwrap();
}

/// Adds the floor at height zero.
pub(crate) fn add_floor(builder: &mut WorldBuilder) {
    add_half_space(builder, Vec3::z(), 0.0);
}

/// Kinds of shapes that [`shape`] knows [-].
pub(crate) const KINDS: usize = 4;

/// A shape of a kind, within 0.25 m of its origin.
pub(crate) fn shape(kind: usize, random: &mut Random) -> Shape {
    match kind {
        0 => Shape::sphere(random.range(0.05, 0.25)),
        1 => Shape::cuboid(Vec3::new(
            random.range(0.1, 0.28),
            random.range(0.1, 0.28),
            random.range(0.1, 0.28),
        )),
        2 => Shape::capsule(random.range(0.05, 0.1), random.range(0.05, 0.3)),
        _ => {
            let points: Vec<Vec3> = (0..12).map(|_| random.direction() * random.range(0.12, 0.25)).collect();
            return Shape::from(Polyhedron::from_points(&points).unwrap());
        }
    }
    .unwrap()
}

/// Bodies of random shapes in a grid of places 0.6 m apart, above height zero; each moves and spins at random.
pub(crate) fn add_bodies(
    builder: &mut WorldBuilder,
    count: usize,
    (speed, spin): (f64, f64),
    random: &mut Random,
) {
    for k in 0..count {
        let place = Vec3::new((k % 2) as f64, (k / 2 % 2) as f64, (k / 4) as f64) * 0.6;
        let place = place + Vec3::new(-0.3, -0.3, 0.35) + random.in_cube(0.04);
        let pose = Pose::new(place, random.quaternion_xyzw()).unwrap();
        let (v, w) = (random.in_cube(speed), random.in_cube(spin));
        let def = BodyDef::free(pose).with(shape(random.index(KINDS), random), STEEL);
        builder.body(def.moving(&[v.x, v.y, v.z, w.x, w.y, w.z])).unwrap();
    }
}

/// What a random scene is like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) step: f64,
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    pub(crate) bodies: usize,
}

impl Kind {
    pub(crate) fn new(random: &mut Random) -> Self {
        // Extremes as often as anything between.
        let mut share = |most: f64| match random.index(4) {
            0 => 0.0,
            1 => most,
            _ => random.range(0.0, most),
        };
        let (restitution, friction) = (share(1.0), share(1.5));
        let step = [1e-3, 4e-3, 1e-2][random.index(3)];
        Self { step, restitution, friction, bodies: 2 + random.index(7) }
    }
}

/// Bodies that fall on a floor.
pub(crate) fn falling(kind: &Kind, random: &mut Random) -> World {
    let mut builder = builder(steps(kind.step), G, (kind.restitution, kind.friction));
    add_floor(&mut builder);
    add_bodies(&mut builder, kind.bodies, (2.0, 8.0), random);
    builder.build().unwrap()
}

/// Bodies without weight in a closed box: of half-spaces, or of plates.
pub(crate) fn enclosed(kind: &Kind, random: &mut Random) -> World {
    const HALF: f64 = 0.8;
    let mut builder = builder(steps(kind.step), 0.0, (kind.restitution, kind.friction));
    let has_plates = random.index(2) == 0;
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let mut normal = Vec3::zeros();
            normal[axis] = side;
            let center = Vec3::new(0.0, 0.0, HALF);
            if has_plates {
                let mut size = Vec3::repeat(4.0 * HALF);
                size[axis] = 0.2;
                let pose = Pose::from_translation(center + normal * (HALF + 0.1)).unwrap();
                builder.fixed(ShapeDef::new(Shape::cuboid(size).unwrap(), STEEL).at(pose)).unwrap();
            } else {
                add_half_space(&mut builder, -normal, -HALF - normal.dot(&center));
            }
        }
    }
    add_bodies(&mut builder, kind.bodies.min(8), (2.0, 8.0), random);
    builder.build().unwrap()
}
