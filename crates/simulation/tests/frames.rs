//! Frames of flexible beams in worlds: equilibria, frequencies, joints, contacts, energy, against closed forms and against the frame by itself.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use zerogap_contact::material::PairProperties;
use zerogap_core::math::{exp, sin, sin_cos};
use zerogap_core::random::Random;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::beam::Rayleigh;
use zerogap_dynamics::beam::frame::{CrossSection, Frame, FrameElement, FrameMaterial};
use zerogap_dynamics::multibody::{BodyId, Inertia, Joint, JointKind, Motion, Moving};
use zerogap_geometry::Shape;
use zerogap_simulation::world::{
    BodyDef, FrameContact, FrameDef, FrameJointKind, FrameParts, FrameSurface, ShapeDef, StepForces,
    Stepping, World, WorldBuilder, WorldError, WorldParams,
};

const G: f64 = 9.81;
const YOUNG: f64 = 210e9;
const DENSITY: f64 = 7850.0;

fn element(section: CrossSection) -> FrameElement {
    FrameElement {
        nodes: [0, 1],
        section,
        material: FrameMaterial::isotropic(YOUNG, 0.3, DENSITY),
        up: None,
        shear: false,
    }
}

fn beam(ends: [[f64; 3]; 2], count: usize, diameter: f64) -> Frame {
    Frame::straight(ends.map(Vec3::from), count, element(CrossSection::rod(diameter).unwrap())).unwrap()
}

fn stepping(step: f64) -> WorldParams {
    WorldParams::new(Stepping { step, ..Stepping::default() })
}

fn capsules(radius: f64) -> Option<FrameContact> {
    Some(FrameContact { surface: FrameSurface::Capsules, radius: vec![radius], material: "steel".to_owned() })
}

fn z_of(world: &World, body: BodyId) -> f64 {
    world.pose(body).translation().z
}

/// A place that goes down at a speed.
#[derive(Debug)]
struct Sinking(Vec3, f64);

impl Motion for Sinking {
    fn at(&self, t: f64) -> Moving {
        let velocity = Vec3::new(0.0, 0.0, -self.1);
        Moving { velocity, ..Moving::still(Pose::from_translation(self.0 + velocity * t).unwrap()) }
    }
}

/// A cantilever of 1 m along x.
fn cantilever(params: WorldParams, count: usize, settle: bool, radius: f64) -> (World, FrameParts) {
    let mut builder = WorldBuilder::new(params);
    let frame = beam([[0.0; 3], [1.0, 0.0, 0.0]], count, 0.01);
    let def = FrameDef { settle, spectral_radius: radius, ..FrameDef::new("beam", frame) };
    let parts = builder.frame(&def.joined(0, None, FrameJointKind::Fixed)).unwrap();
    (builder.build().unwrap(), parts)
}

#[test]
fn a_settled_cantilever_stays_where_it_is_and_carries_its_weight() {
    for count in [4, 12] {
        let (mut world, parts) = cantilever(stepping(1e-3), count, true, 0.5);
        let tip = *parts.nodes.last().unwrap();
        let before = world.pose(tip).translation();
        let section = CrossSection::rod(0.01).unwrap();
        let weight = DENSITY * section.area * G;
        let sag = weight / (8.0 * YOUNG * section.second_moment_y);
        assert!((before.z + sag).abs() < 5e-3 * sag, "{} for {sag}", before.z);
        world.advance_to(1.0).unwrap();
        let moved = (world.pose(tip).translation() - before).norm();
        println!("{count} elements: moved {moved:e}");
        assert!(moved < 1e-9, "{moved} with {count}");
        // Shear and moment at the clamp.
        let mut ws = world.tree().workspace();
        world.tree().update(world.time(), world.positions(), world.velocities(), &mut ws);
        let [root, _] = world.tree().beam_forces(&ws, parts.first_beam);
        let half = 0.5 * weight / count as f64;
        assert!((root.force.z.abs() - (weight - half)).abs() < 2e-3 * weight, "{root:?} of {weight}");
        assert!((root.moment.y.abs() - 0.5 * weight).abs() < 1e-2 * weight, "{root:?} of {weight}");
    }
}

/// Frequency of what crosses a mean.
fn frequency(samples: &[f64], step: f64) -> f64 {
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    let mut crossings = Vec::new();
    for (k, pair) in samples.windows(2).enumerate() {
        let (a, b) = (pair[0] - mean, pair[1] - mean);
        if a < 0.0 && b >= 0.0 {
            crossings.push(step * (k as f64 + a / (a - b)));
        }
    }
    (crossings.len() - 1) as f64 / (crossings[crossings.len() - 1] - crossings[0])
}

#[test]
fn lumped_masses_swing_at_the_frequency_of_the_beam() {
    let section = CrossSection::rod(0.01).unwrap();
    let unit = (YOUNG * section.second_moment_y / (DENSITY * section.area)).sqrt();
    let exact = 3.516_015_268 * unit / TAU;
    let mut errors = Vec::new();
    for count in [4, 8, 16] {
        let step = 1.0 / exact / 400.0;
        let mut params = stepping(step);
        params.gravity = Vec3::new(0.0, 0.0, -0.01);
        let (mut world, parts) = cantilever(params, count, false, 1.0);
        let tip = *parts.nodes.last().unwrap();
        let mut samples = Vec::new();
        for _ in 0..400 * 12 {
            world.step().unwrap();
            samples.push(z_of(&world, tip));
        }
        let error = frequency(&samples, step) / exact - 1.0;
        println!("{count} elements: {error:e}");
        errors.push(error.abs());
    }
    assert!(errors[0] < 5e-3 && errors[1] < 1e-3 && errors[2] < 5e-4, "{errors:?}");
}

#[test]
fn stiff_frames_do_not_set_the_step_and_gain_no_energy() {
    let mut random = Random::new(7);
    for trial in 0..12 {
        let mut builder = WorldBuilder::new(stepping(1e-3));
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        // An L of tubes, thrown.
        let tube = element(CrossSection::tube(0.04, 0.003).unwrap());
        let mut next = || 2.0 * random.unit() - 1.0;
        let corner: Vec<Vec3> = (0..=4)
            .map(|k| Vec3::new(0.15 * f64::from(k), 0.0, 0.0))
            .chain((1..=4).map(|k| Vec3::new(0.6, 0.12 * f64::from(k), 0.0)))
            .collect();
        let frame = Frame::polyline(corner, false, tube).unwrap();
        let quaternion = [next(), next(), next(), next()];
        let pose = Pose::new(Vec3::new(0.0, 0.0, 1.2), quaternion).unwrap();
        let velocity = Vec3::new(next(), next(), next());
        let def = FrameDef { pose, velocity, contact: capsules(0.02), ..FrameDef::new("l", frame) };
        let parts = builder.frame(&def).unwrap();
        let mut world = builder.build().unwrap();
        let start = world.energy().total();
        let mut most = start;
        for _ in 0..1500 {
            world.step().unwrap();
            let energy = world.energy().total();
            assert!(
                energy.is_finite() && energy < most + 1e-3 * start.abs(),
                "{trial}: {energy} after {most} at {}",
                world.time()
            );
            most = most.min(energy);
        }
        for node in &parts.nodes {
            let z = z_of(&world, *node);
            assert!(z > 0.018 && z < 1.0, "{trial}: a node at {z}");
        }
        let info = world.info();
        println!(
            "{trial}: {start} to {} J, {:?}, speed {}",
            world.energy().total(),
            info.contacts,
            world.fastest()
        );
        assert!(world.fastest() < 0.3, "{trial}: still moves by {}", world.fastest());
    }
}

#[test]
fn a_ball_rests_on_a_beam_that_carries_it() {
    for step in [1e-3, 4e-3] {
        let mut builder = WorldBuilder::new(stepping(step));
        let frame = beam([[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]], 10, 0.012);
        let def = FrameDef { contact: capsules(0.006), settle: true, ..FrameDef::new("bridge", frame) };
        let def = def.joined(0, None, FrameJointKind::Fixed).joined(10, None, FrameJointKind::Fixed);
        let parts = builder.frame(&def).unwrap();
        // A box lies across it.
        let size = Vec3::new(0.02, 0.3, 0.05);
        let weight = Inertia::cuboid(5.0, size);
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.006 + 0.025 + 1e-4)).unwrap();
        let load = BodyDef::free(at).with(Shape::cuboid(size).unwrap(), "steel").with_inertia(weight);
        let load = builder.body(load).unwrap();
        let mut world = builder.build().unwrap();
        let before = z_of(&world, parts.nodes[5]);
        world.advance_to(4.0).unwrap();
        let section = CrossSection::rod(0.012).unwrap();
        let sag = 5.0 * G / (192.0 * YOUNG * section.second_moment_y);
        let found = before - z_of(&world, parts.nodes[5]);
        println!("step {step}: {found} for {sag}; speed {}", world.fastest());
        // Rolling sideways on a round beam is an unstable equilibrium that nothing disturbs.
        assert!((found / sag - 1.0).abs() < 2e-2, "{found} for {sag}");
        let force: f64 =
            world.contacts().iter().map(|contact| contact.normal_force * contact.normal[2].abs()).sum();
        assert!((force - 5.0 * G).abs() < 1e-4 * 5.0 * G, "{force}");
        assert!(z_of(&world, load) > 0.02);
    }
}

#[test]
fn a_frame_hangs_on_what_it_is_joined_to() {
    // A pendulum of a stiff beam on a hinge against the rigid body, for small swings; on a ball joint the same.
    for kind in [FrameJointKind::Hinge { axis: Vec3::y() }, FrameJointKind::Ball] {
        let mut builder = WorldBuilder::new(stepping(1e-3));
        let frame = beam([[0.0; 3], [0.1, 0.0, -1.0]], 8, 0.03);
        let def = FrameDef { spectral_radius: 1.0, ..FrameDef::new("rod", frame) }.joined(0, None, kind);
        let parts = builder.frame(&def).unwrap();
        let mut world = builder.build().unwrap();
        let tip = parts.nodes[8];
        let mut samples = Vec::new();
        for _ in 0..16_400 {
            world.step().unwrap();
            samples.push(world.pose(tip).translation().x);
        }
        let length = (1.0_f64 + 0.01).sqrt();
        // A rod about its end, with the first correction of a swing of 0.1 rad.
        let exact = (1.5 * G / length).sqrt() / TAU * (1.0 - 0.1 * 0.1 / 16.0);
        let error = frequency(&samples, 1e-3) / exact - 1.0;
        println!("{kind:?}: {error:e}");
        assert!(error.abs() < 2e-3, "{kind:?}: {error}");
    }
}

#[test]
fn a_frame_on_a_body_that_moves_is_carried_by_it() {
    // A slider with a mass, a beam upright on it with a mass on top: the momentum along x is kept.
    let mut builder = WorldBuilder::new(WorldParams { gravity: Vec3::zeros(), ..stepping(1e-3) });
    let cart = BodyDef::new(Joint::new(None, JointKind::Prismatic { axis: Vec3::x() }))
        .with_inertia(Inertia { mass: 3.0, center: Vec3::zeros(), inertia: Mat3::identity() })
        .moving(&[1.0]);
    let cart = builder.body(cart).unwrap();
    let frame = beam([[0.0; 3], [0.0, 0.0, 0.8]], 6, 0.01);
    let def = FrameDef { masses: vec![(6, 0.5)], spectral_radius: 1.0, ..FrameDef::new("mast", frame) };
    let parts = builder.frame(&def.joined(0, Some(cart), FrameJointKind::Fixed)).unwrap();
    let mut world = builder.build().unwrap();
    let start = world.momentum().0.x;
    let energy = world.energy().total();
    let mut largest = 0.0_f64;
    for _ in 0..2000 {
        world.step().unwrap();
        assert!((world.momentum().0.x - start).abs() < 1e-9 * start.abs(), "{}", world.momentum().0.x);
        let bent = world.pose(parts.nodes[6]).translation().x - world.pose(cart).translation().x;
        largest = largest.max(bent.abs());
    }
    println!("bent by {largest}, energy {energy} to {}", world.energy().total());
    assert!(largest > 0.05);
    assert!((world.energy().total() / energy - 1.0).abs() < 0.02);
}

#[test]
fn damping_and_drag_end_a_vibration_as_fast_as_they_should() {
    let section = CrossSection::rod(0.01).unwrap();
    let omega = 3.516_015_268 * (YOUNG * section.second_moment_y / (DENSITY * section.area)).sqrt();
    for damping in
        [Rayleigh { mass: 0.04 * omega, stiffness: 0.0 }, Rayleigh { mass: 0.0, stiffness: 0.04 / omega }]
    {
        let mut params = stepping(2e-4);
        params.gravity = Vec3::new(0.0, 0.0, -0.01);
        let mut builder = WorldBuilder::new(params);
        let mut frame = beam([[0.0; 3], [1.0, 0.0, 0.0]], 6, 0.01);
        frame.set_damping(damping).unwrap();
        let def = FrameDef { spectral_radius: 1.0, ..FrameDef::new("beam", frame) };
        let parts = builder.frame(&def.joined(0, None, FrameJointKind::Fixed)).unwrap();
        let mut world = builder.build().unwrap();
        let period = TAU / omega;
        let depth = |world: &World| z_of(world, parts.nodes[6]);
        // Lowest points are half a period after the start, and eleven later.
        world.advance_to(0.5 * period).unwrap();
        let first = depth(&world);
        world.advance_to(10.5 * period).unwrap();
        let second = depth(&world);
        world.advance_to(80.0 * period).unwrap();
        let rest = depth(&world);
        let found = ((first - rest) / (second - rest)).ln() / (10.0 * TAU);
        println!("{damping:?}: ratio {found}");
        assert!((found - 0.02).abs() < 6e-4, "{damping:?}: {found}");
    }
}

#[test]
fn a_frame_with_contacts_has_the_same_bits_however_it_is_cut() {
    let make = || {
        let mut builder = WorldBuilder::new(stepping(1e-3));
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        let frame = beam([[0.0, 0.0, 0.3], [0.4, 0.1, 0.5]], 5, 0.02);
        builder.frame(&FrameDef { contact: capsules(0.01), ..FrameDef::new("rod", frame) }).unwrap();
        builder.build().unwrap()
    };
    let mut once = make();
    once.advance_to(0.6).unwrap();
    let mut often = make();
    for k in 1..=37 {
        often.advance_to(0.6 * sin(f64::from(k) / 37.0 * FRAC_PI_2)).unwrap();
    }
    assert_eq!(once.hash(), often.hash());
    let saved = once.save();
    once.advance_to(0.9).unwrap();
    let hash = once.hash();
    once.restore(&saved).unwrap();
    once.advance_to(0.9).unwrap();
    assert_eq!(hash, once.hash());
}

#[test]
fn what_a_frame_cannot_be_is_refused_and_changes_nothing() {
    let mut builder = WorldBuilder::new(stepping(1e-3));
    let frame = beam([[0.0; 3], [1.0, 0.0, 0.0]], 4, 0.01);
    let mut held = frame.clone();
    held.hold(0, [true, false, true, false, false, false]).unwrap();
    let refused = [
        FrameDef::new("held", held),
        FrameDef::new("twice", frame.clone()).joined(0, None, FrameJointKind::Fixed).joined(
            0,
            None,
            FrameJointKind::Ball,
        ),
        FrameDef::new("joined nowhere", frame.clone()).joined(7, None, FrameJointKind::Fixed),
        FrameDef { masses: vec![(1, -1.0)], ..FrameDef::new("light", frame.clone()) },
        FrameDef { settle: true, ..FrameDef::new("loose", frame.clone()) },
        FrameDef { settle: true, ..FrameDef::new("skew", frame.clone()) }.joined(
            0,
            None,
            FrameJointKind::Hinge { axis: Vec3::new(1.0, 1.0, 0.0) },
        ),
        FrameDef { contact: capsules(-1.0), ..FrameDef::new("thin", frame.clone()) },
        FrameDef { spectral_radius: 1.5, ..FrameDef::new("wild", frame.clone()) },
    ];
    for def in refused {
        let error = builder.frame(&def).unwrap_err().to_string();
        println!("{error}");
        assert_eq!(builder.shape_count(), 0);
    }
    let silvia = Stepping { forces: StepForces::Silvia, ..Stepping::default() };
    builder.set_method(silvia);
    builder.frame(&FrameDef::new("beam", frame)).unwrap();
    assert!(matches!(builder.build(), Err(WorldError::FramesBySilvia)));
}

/// A cable over half a drum, with a weight at one end, pulled slowly at the other: the ratio of the tensions is that of the capstan, `exp(mu angle)`.
#[test]
fn a_cable_slides_on_a_drum_at_the_ratio_of_the_capstan() {
    const PER_TURN: usize = 40;
    let (radius, thick, tail) = (0.1, 0.002, 0.12);
    let around = radius + thick;
    let half = PER_TURN / 2;
    let angle = PI;
    let mut nodes: Vec<Vec3> =
        (0..6).map(|k| Vec3::new(-around, 0.0, -tail + tail / 6.0 * f64::from(k))).collect();
    let first = nodes.len();
    for k in 0..=half {
        let (s, c) = sin_cos(angle * k as f64 / half as f64);
        nodes.push(Vec3::new(-around * c, 0.0, around * s));
    }
    let last = nodes.len() - 1;
    nodes.extend((1..=6).map(|k| Vec3::new(around, 0.0, -tail / 6.0 * f64::from(k))));
    let wire = FrameElement {
        material: FrameMaterial::isotropic(2e9, 0.3, 1000.0),
        ..element(CrossSection::rod(0.001).unwrap())
    };
    let mut frame = Frame::polyline(nodes.clone(), false, wire).unwrap();
    frame.set_damping(Rayleigh { mass: 20.0, stiffness: 1e-3 }).unwrap();
    let mut builder = WorldBuilder::new(stepping(1e-3));
    let properties = PairProperties { restitution: 0.0, friction: 0.3, ..PairProperties::default() };
    builder.pair("steel", "rubber", properties).unwrap();
    let turn = Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), FRAC_PI_2).unwrap();
    let drum = ShapeDef::new(Shape::cylinder(radius, 0.1).unwrap(), "steel").at(turn);
    builder.fixed(drum).unwrap();
    // What pulls: downwards by 1 cm/s.
    let pull = Joint::new(None, JointKind::Prescribed(Arc::new(Sinking(nodes[nodes.len() - 1], 0.02))));
    let pull = builder.body(BodyDef::new(pull)).unwrap();
    let contact =
        FrameContact { surface: FrameSurface::Spheres, radius: vec![thick], material: "rubber".to_owned() };
    let def = FrameDef { contact: Some(contact), masses: vec![(0, 0.5)], ..FrameDef::new("cable", frame) };
    let parts = builder.frame(&def.joined(nodes.len() - 1, Some(pull), FrameJointKind::Ball)).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(1.0).unwrap();
    let (mut ratios, mut held) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        world.step().unwrap();
        let forces = world.beam_forces();
        // The elements next to those on the drum.
        let slack = forces[parts.first_beam + first - 2][0].force.x;
        let tight = forces[parts.first_beam + last + 1][0].force.x;
        ratios.push(tight / slack);
        held.push(slack);
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let exact = exp(0.3 * angle);
    println!("ratio {} for {exact}, slack {} N", mean(&ratios), mean(&held));
    assert!((mean(&held) - 0.5 * G).abs() < 0.05 * G);
    assert!((mean(&ratios) / exact - 1.0).abs() < 1e-2, "{} for {exact}", mean(&ratios));
}
