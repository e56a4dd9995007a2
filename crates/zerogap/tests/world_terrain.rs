//! Bodies on terrain: everything comes to rest on random hills, nothing falls through, no energy is gained.

use zerogap::contact::material::PairProperties;
use zerogap::geometry::export::write_mesh;
use zerogap::geometry::shape::HeightField;
use zerogap::geometry::{TriangleMesh, parts};
use zerogap::scene::Scene;
use zerogap::world::{BodyDef, Collision, QuasiLmd, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::random::Random;

/// Hills up to 5 cm on a grid of 10 cm, in a bowl that keeps what rolls.
fn bowl(random: &mut Random) -> HeightField {
    let side = 41;
    let heights = (0..side * side).map(|k| {
        let (i, j) = ((k % side) as f64 - 20.0, (k / side) as f64 - 20.0);
        0.002 * (i * i + j * j) + random.range(0.0, 0.05)
    });
    HeightField::new([side, side], [0.1, 0.1], heights.collect(), 0.5).unwrap()
}

fn some_pose(random: &mut Random, z: f64) -> Pose {
    let place = Vec3::new(random.range(-0.8, 0.8), random.range(-0.8, 0.8), z);
    let axis = random.in_cube(1.0) + Vec3::new(2.0, 0.0, 0.0);
    Pose::from_axis_angle(place, axis, random.range(0.0, 6.0)).unwrap()
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::cuboid(Vec3::new(0.1, 0.15, 0.08)).unwrap(),
        Shape::sphere(0.06).unwrap(),
        Shape::capsule(0.03, 0.1).unwrap(),
        Shape::cylinder(0.05, 0.1).unwrap(),
        Shape::from(parts::by_name("l-prism", &[]).unwrap()),
    ]
}

fn drop_all(random: &mut Random, step: f64, collision: Collision) -> World {
    let mut builder = WorldBuilder::new(WorldParams::new(Stepping { step, ..Stepping::default() }));
    let pair = PairProperties {
        restitution: 0.2,
        friction: 0.6,
        rolling: 0.05,
        spinning: 2e-3,
        contact_radius: Some(0.05),
        ..PairProperties::default()
    };
    builder.pair("steel", "steel", pair).unwrap();
    builder.fixed(ShapeDef::new(bowl(random).into(), "steel")).unwrap();
    // Complexes have flat faces.
    let is_flat = |shape: &Shape| matches!(shape.kind(), "box" | "mesh");
    let shapes = shapes().into_iter().filter(|shape| collision == Collision::Exact || is_flat(shape));
    for (k, shape) in shapes.enumerate() {
        let def = ShapeDef::new(shape, "steel").colliding(collision);
        let start = some_pose(random, 0.5 + 0.25 * k as f64);
        builder.body(BodyDef::free(start).with_shape(def)).unwrap();
    }
    builder.build().unwrap()
}

fn speed(world: &World) -> f64 {
    world.body_states().iter().map(|(_, v, w)| v.norm() + 0.1 * w.norm()).fold(0.0, f64::max)
}

#[test]
fn bodies_of_all_kinds_come_to_rest_on_hills_and_none_falls_through() {
    for (seed, step) in [(1, 1e-3), (2, 2e-3), (3, 5e-3)] {
        let mut world = drop_all(&mut Random::new(seed), step, Collision::Exact);
        let mut before = world.energy().total();
        let peak = before;
        for k in 1..=60 {
            world.advance_to(0.1 * f64::from(k)).unwrap();
            let now = world.energy().total();
            assert!(
                now <= before + 1e-3 * peak,
                "seed {seed}: {before} J, then {now} J at {}",
                0.1 * f64::from(k)
            );
            before = now;
        }
        let speeds: Vec<f64> =
            world.body_states().iter().map(|(_, v, w)| v.norm() + 0.1 * w.norm()).collect();
        assert!(speed(&world) < 1e-3, "seed {seed}: {speeds:?} m/s");
        for (pose, ..) in world.body_states() {
            let p = pose.translation();
            let ground = -0.01 + 0.2 * (p.x * p.x + p.y * p.y);
            assert!(p.z > ground && p.xy().norm() < 2.0, "seed {seed}: at {p:?}");
        }
    }
}

#[test]
fn quasi_lmd_parts_rest_on_hills_too() {
    let quasi = QuasiLmd { dilation: Some(1e-3), ..QuasiLmd::default() };
    let mut world = drop_all(&mut Random::new(4), 1e-3, Collision::QuasiLmd(quasi));
    world.advance_to(3.0).unwrap();
    assert!(world.body_states().iter().all(|(pose, ..)| pose.translation().z > 0.0));
}

#[test]
fn bullets_do_not_pass_the_ground() {
    let mut random = Random::new(9);
    let mut builder = WorldBuilder::new(WorldParams::new(Stepping { step: 5e-3, ..Stepping::default() }));
    builder.fixed(ShapeDef::new(bowl(&mut random).into(), "steel")).unwrap();
    for _ in 0..10 {
        let start = some_pose(&mut random, 1.0);
        let shot = BodyDef::free(start).with(Shape::sphere(0.004).unwrap(), "steel");
        builder.body(shot.moving(&[random.range(-5.0, 5.0), 0.0, -30.0, 0.0, 0.0, 0.0])).unwrap();
    }
    let mut world = builder.build().unwrap();
    world.advance_to(0.2).unwrap();
    assert!(world.body_states().iter().all(|(pose, ..)| pose.translation().z > 0.0));
}

#[test]
fn a_flat_field_is_as_good_a_floor_as_a_half_space() {
    let rest = |floor: Shape| {
        let mut builder = WorldBuilder::new(WorldParams::new(Stepping { step: 1e-3, ..Stepping::default() }));
        builder.fixed(ShapeDef::new(floor, "steel")).unwrap();
        let start = Pose::from_axis_angle(Vec3::new(0.03, 0.02, 0.1), Vec3::new(1.0, 0.3, 0.2), 0.4).unwrap();
        let cube = Shape::cuboid(Vec3::new(0.1, 0.12, 0.08)).unwrap();
        builder.body(BodyDef::free(start).with(cube, "steel")).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(2.0).unwrap();
        world
    };
    let field = HeightField::new([33, 33], [0.05, 0.05], vec![0.0; 33 * 33], 1.0).unwrap();
    let world = rest(field.into());
    let height = world.body_states()[0].0.translation().z;
    let expected = rest(Shape::half_space(Vec3::z(), 0.0).unwrap()).body_states()[0].0.translation().z;
    assert!(
        (height - expected).abs() < 1e-6 && speed(&world) < 1e-6,
        "{height} and {expected}, {}",
        speed(&world)
    );
}

/// An open mesh over the grid of the bowl, which faces up.
fn open_bowl(random: &mut Random) -> TriangleMesh {
    let side = 41_usize;
    let vertices = (0..side * side).map(|k| {
        let (i, j) = ((k % side) as f64 - 20.0, (k / side) as f64 - 20.0);
        Vec3::new(0.1 * i, 0.1 * j, 0.002 * (i * i + j * j) + random.range(0.0, 0.05))
    });
    let triangles = (0..(side - 1) * (side - 1)).flat_map(|k| {
        let a = (k % (side - 1) + side * (k / (side - 1))) as u32;
        let (b, c, d) = (a + 1, a + 1 + side as u32, a + side as u32);
        [[a, b, c], [a, c, d]]
    });
    TriangleMesh::new(vertices.collect(), triangles.collect()).unwrap()
}

#[test]
fn parts_rest_on_open_meshes_of_one_side_and_of_two() {
    for (seed, is_sheet) in [(21, false), (22, true)] {
        let mut random = Random::new(seed);
        let open = open_bowl(&mut random);
        let ground = if is_sheet { open.thickened(0.01).unwrap() } else { open.grounded(0.5).unwrap() };
        let mut builder = WorldBuilder::new(WorldParams::new(Stepping { step: 2e-3, ..Stepping::default() }));
        let pair = PairProperties {
            friction: 0.6,
            rolling: 0.05,
            spinning: 2e-3,
            contact_radius: Some(0.05),
            ..PairProperties::default()
        };
        builder.pair("steel", "steel", pair).unwrap();
        builder.fixed(ShapeDef::new(Shape::from(ground), "steel")).unwrap();
        for (k, shape) in shapes().into_iter().enumerate() {
            let start = some_pose(&mut random, 0.5 + 0.25 * k as f64);
            builder.body(BodyDef::free(start).with(shape, "steel")).unwrap();
        }
        let mut world = builder.build().unwrap();
        world.advance_to(6.0).unwrap();
        assert!(speed(&world) < 1e-3, "seed {seed}: {} m/s", speed(&world));
        for (pose, ..) in world.body_states() {
            let p = pose.translation();
            let ground = -0.01 + 0.2 * (p.x * p.x + p.y * p.y);
            assert!(p.z > ground && p.xy().norm() < 2.0, "seed {seed}: at {p:?}");
        }
    }
}

#[test]
fn bullets_do_not_pass_open_meshes_from_either_side() {
    let mut random = Random::new(23);
    let open = open_bowl(&mut random);
    for (solid, is_below) in [
        (open.grounded(0.1).unwrap(), false),
        (open.thickened(0.002).unwrap(), false),
        (open.thickened(0.002).unwrap(), true),
    ] {
        let mut builder = WorldBuilder::new(WorldParams::new(Stepping { step: 5e-3, ..Stepping::default() }));
        builder.fixed(ShapeDef::new(Shape::from(solid), "steel")).unwrap();
        for _ in 0..10 {
            let start = some_pose(&mut random, if is_below { -1.0 } else { 1.0 });
            let shot = BodyDef::free(start).with(Shape::sphere(0.004).unwrap(), "steel");
            let speed = if is_below { 30.0 } else { -30.0 };
            builder.body(shot.moving(&[random.range(-5.0, 5.0), 0.0, speed, 0.0, 0.0, 0.0])).unwrap();
        }
        let mut world = builder.build().unwrap();
        world.advance_to(0.1).unwrap();
        for (pose, ..) in world.body_states() {
            let p = pose.translation();
            let lowest = 0.2 * (p.x * p.x + p.y * p.y);
            // The hills are less than 8 cm over the bowl, with the bend of a cell.
            assert!(if is_below { p.z < lowest + 0.08 } else { p.z > lowest - 0.01 }, "at {p:?}");
        }
    }
}

#[test]
fn scenes_make_solids_of_open_meshes_and_say_what_they_cannot() {
    let folder = tempfile::tempdir().unwrap();
    write_mesh(&open_bowl(&mut Random::new(24)), &folder.path().join("bowl.obj")).unwrap();
    let scene = |keys: &str| {
        let text = format!(
            "[world]\nmethod = \"stepping\"\n[[fixed]]\nshape = \"bowl.obj\"\nscale = 1\n{keys}\n[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.05\"\nposition = [0, 0, 0.3]\n"
        );
        Scene::parse(&text, "scene", folder.path())
    };
    for keys in
        ["sides = \"one\"", "sides = \"one\"\nmax_depth = \"20 cm\"", "sides = \"two\"\nthickness = \"5 mm\""]
    {
        let mut world = scene(&format!("collision = \"mesh\"\n{keys}")).unwrap().builder.build().unwrap();
        world.advance_to(0.5).unwrap();
        let z = world.body_states()[0].0.translation().z;
        assert!(z > 0.04 && z < 0.2, "{keys}: {z}");
    }
    let refused = |keys: &str| match scene(keys) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{keys} is accepted"),
    };
    let message = refused("collision = \"mesh\"\nsides = \"two\"");
    assert!(message.contains("sides = \"two\" needs 'thickness'"), "{message}");
    let message = refused("collision = \"mesh\"\nsides = \"one\"\nthickness = 0.1");
    assert!(message.contains("'thickness' has no meaning for sides = \"one\""), "{message}");
    let message = refused("sides = \"one\"");
    assert!(message.contains("'sides' has no meaning for collision = \"auto\""), "{message}");
}

/// A floor of a size, flat but for waves of a millimetre: a half-space for none, a field of so many nodes a side, or an open mesh of as many.
fn wavy(nodes: usize, is_mesh: bool) -> Shape {
    if nodes == 0 {
        return Shape::half_space(Vec3::z(), 0.0).unwrap();
    }
    let spacing = 6.0 / (nodes - 1) as f64;
    let wave = |k: usize| 1e-3 * zerogap::core::math::sin(2.0 * spacing * k as f64);
    let height = |k: usize| wave(k % nodes) * wave(k / nodes) * 1e3;
    let field = HeightField::new([nodes, nodes], [spacing; 2], (0..nodes * nodes).map(height).collect(), 0.5);
    let field = field.unwrap();
    if !is_mesh {
        return field.into();
    }
    let half = 0.5 * (nodes - 1) as f64;
    let vertices = (0..nodes * nodes).map(|k| {
        let (i, j) = ((k % nodes) as f64 - half, (k / nodes) as f64 - half);
        Vec3::new(spacing * i, spacing * j, height(k))
    });
    let triangles = (0..(nodes - 1) * (nodes - 1)).flat_map(|k| {
        let a = (k % (nodes - 1) + nodes * (k / (nodes - 1))) as u32;
        let (b, c, d) = (a + 1, a + 1 + nodes as u32, a + nodes as u32);
        [[a, b, c], [a, c, d]]
    });
    TriangleMesh::new(vertices.collect(), triangles.collect()).unwrap().grounded(0.5).unwrap().into()
}

/// Fifty boxes, balls and capsules, four feet under a trunk, and bullets of 30 m/s over a floor.
fn crowd(floor: Shape) -> World {
    let mut random = Random::new(11);
    let mut builder = WorldBuilder::new(WorldParams::new(Stepping { step: 2e-3, ..Stepping::default() }));
    let pair = PairProperties {
        friction: 0.6,
        rolling: 0.05,
        spinning: 2e-3,
        contact_radius: Some(0.05),
        ..PairProperties::default()
    };
    builder.pair("steel", "steel", pair).unwrap();
    builder.fixed(ShapeDef::new(floor, "steel")).unwrap();
    let shapes = shapes();
    for k in 0..50 {
        let (x, y) = (0.4 * f64::from(k % 7) - 1.2, 0.4 * f64::from(k / 7) - 1.4);
        let pose = Pose::new(Vec3::new(x, y, 0.16), random.quaternion_xyzw()).unwrap();
        builder.body(BodyDef::free(pose).with(shapes[k as usize % 4].clone(), "steel")).unwrap();
    }
    let mut quadruped = BodyDef::free(Pose::from_translation(Vec3::new(2.2, 0.0, 0.36)).unwrap())
        .with(Shape::cuboid(Vec3::new(0.5, 0.25, 0.1)).unwrap(), "steel");
    for (x, y) in [(0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1)] {
        let foot = ShapeDef::new(Shape::sphere(0.02).unwrap(), "steel");
        quadruped = quadruped.with_shape(foot.at(Pose::from_translation(Vec3::new(x, y, -0.3)).unwrap()));
    }
    builder.body(quadruped).unwrap();
    for k in 0..5 {
        let pose = Pose::from_translation(Vec3::new(-2.5, 0.4 * f64::from(k) - 1.0, 2.0)).unwrap();
        let shot = BodyDef::free(pose).with(Shape::sphere(0.004).unwrap(), "steel");
        builder.body(shot.moving(&[0.5, 0.0, -30.0, 0.0, 0.0, 0.0])).unwrap();
    }
    builder.build().unwrap()
}

/// The cost of a step against that on a half-space is printed; `ZEROGAP_FULL=1` takes fields of up to 3,000 nodes a side and meshes of a million triangles.
#[test]
fn nothing_passes_terrain_of_any_size() {
    let sizes: &[(usize, bool)] = if zerogap_testkit::count(0, 1) == 0 {
        &[(0, false), (100, false), (71, true)]
    } else {
        &[(0, false), (100, false), (1000, false), (3000, false), (71, true), (224, true), (708, true)]
    };
    let mut of_floor = None;
    for (nodes, is_mesh) in sizes {
        let mut world = crowd(wavy(*nodes, *is_mesh));
        let begin = std::time::Instant::now();
        world.advance_to(0.6).unwrap();
        let step = begin.elapsed().as_secs_f64() / world.info().steps as f64;
        let times = step / *of_floor.get_or_insert(step);
        println!("{nodes} nodes a side, mesh: {is_mesh}: {:.3} ms a step, {times:.2} times", 1e3 * step);
        for (pose, ..) in world.body_states() {
            let p = pose.translation();
            assert!(p.z > -1e-3, "{nodes} nodes a side, mesh: {is_mesh}: at {p:?}");
        }
    }
}
