//! Heaps of free bodies.

use std::error::Error;
use std::f64::consts::TAU;

use super::{Body, Form, Piece, Scene};
use zerogap::{Pose, Vec3};
use zerogap_core::math;
use zerogap_core::random::Random;

/// Edge of a box and diameter of a sphere [m], and their mass [kg].
const EDGE: f64 = 0.1;
const MASS: f64 = 1.0;
/// Distance of layers and columns where bodies are upright [m], and where they are rotated at random [m].
const PITCH: f64 = 0.12;
const WIDE_PITCH: f64 = 0.185;
/// Largest shift from the lattice [m].
const SHIFT: f64 = 4e-3;
/// Corners of the base of a cone.
const CONE_CORNERS: usize = 24;

type Made<T> = Result<T, Box<dyn Error>>;

/// Centres of a lattice about the z axis, shifted at random along x and y [m].
fn lattice([nx, ny, nz]: [usize; 3], pitch: f64, random: &mut Random) -> Vec<Vec3> {
    let mut centers = Vec::new();
    let middle = |k: usize, n: usize| k as f64 - 0.5 * (n as f64 - 1.0);
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let (x, y) = (random.range(-SHIFT, SHIFT), random.range(-SHIFT, SHIFT));
                let z = 0.5 * pitch + pitch * k as f64;
                centers.push(Vec3::new(pitch * middle(i, nx) + x, pitch * middle(j, ny) + y, z));
            }
        }
    }
    centers
}

/// Boxes in layers, each rotated by an angle about an axis of its own [rad].
pub(super) fn boxes(name: &str, counts: [usize; 3], tilt: f64, random: &mut Random) -> Made<Scene> {
    if !(0.0..=0.5).contains(&tilt) {
        return Err(format!("boxes tilted by {tilt} rad would overlap: 0 to 0.5 rad").into());
    }
    // Half the extent of a tilted box is at most edge / 2 (cos + sqrt 2 sin).
    let extent = EDGE * (math::cos(tilt) + 2.0_f64.sqrt() * math::sin(tilt));
    let pitch = PITCH.max(extent + 2.0 * SHIFT + 1e-3);
    let mut bodies = Vec::new();
    for center in lattice(counts, pitch, random) {
        let pose = Pose::from_axis_angle(center, random.direction(), tilt)?;
        bodies.push(Body::free(Form::Box(Vec3::repeat(EDGE)), Some(MASS), pose)?);
    }
    Ok(Scene::on_floor(name, bodies))
}

/// Spheres in layers between four walls.
pub(super) fn spheres(name: &str, counts: [usize; 3], random: &mut Random) -> Made<Scene> {
    let mut bodies = Vec::new();
    for center in lattice(counts, PITCH, random) {
        let pose = Pose::from_translation(center)?;
        bodies.push(Body::free(Form::Sphere(0.5 * EDGE), Some(MASS), pose)?);
    }
    Scene::on_floor(name, bodies).in_container(0.5 * PITCH * counts[0].max(counts[1]) as f64)
}

/// Bodies that settle: five layers on as wide a floor as they need, or a cube.
pub(super) fn growing(
    name: &str,
    is_cube: bool,
    are_boxes: bool,
    count: usize,
    random: &mut Random,
) -> Made<Scene> {
    let root = if is_cube { math::cbrt(count as f64) } else { (count as f64 / 5.0).sqrt() };
    let side = root.round() as usize;
    let counts = if is_cube { [side; 3] } else { [side, side, 5] };
    let mut scene =
        if are_boxes { boxes(name, counts, 0.05, random)? } else { spheres(name, counts, random)? };
    // Layers that are no square lose what is too much, or get a row more.
    let made = counts.iter().product::<usize>();
    if made < count && !is_cube {
        let counts = [side, side + 1, 5];
        scene = if are_boxes { boxes(name, counts, 0.05, random)? } else { spheres(name, counts, random)? };
    }
    scene.bodies.truncate(count);
    Ok(scene)
}

/// Boxes, balls, capsules, cylinders, ellipsoids and cones in any orientation between four walls.
pub(super) fn mixed(random: &mut Random) -> Made<Scene> {
    let cone = |radius: f64, length: f64| {
        let rim = (0..CONE_CORNERS).map(|k| {
            let angle = TAU * k as f64 / CONE_CORNERS as f64;
            Vec3::new(radius * math::cos(angle), radius * math::sin(angle), -0.25 * length)
        });
        Form::Hull(rim.chain([Vec3::z() * (0.75 * length)]).collect())
    };
    let mut bodies = Vec::new();
    for (k, center) in lattice([5, 5, 5], WIDE_PITCH, random).into_iter().enumerate() {
        let mut size = |low: f64, high: f64| random.range(low, high);
        let form = match k % 6 {
            0 => Form::Box(Vec3::new(size(0.06, 0.1), size(0.06, 0.1), size(0.06, 0.1))),
            1 => Form::Sphere(size(0.04, 0.06)),
            2 => Form::Capsule(size(0.025, 0.035), size(0.04, 0.08)),
            3 => Form::Cylinder(size(0.03, 0.05), size(0.06, 0.1)),
            4 => Form::Ellipsoid(Vec3::new(size(0.03, 0.07), size(0.03, 0.05), size(0.03, 0.05))),
            _ => cone(size(0.04, 0.05), size(0.06, 0.1)),
        };
        let pose = Pose::new(center, random.quaternion_xyzw())?;
        bodies.push(Body::free(form, None, pose)?);
    }
    Scene::on_floor("mixed", bodies).in_container(2.5 * WIDE_PITCH)
}

/// A wall of 100 bricks in a running bond, hit by a ball.
pub(super) fn wall(random: &mut Random) -> Made<Scene> {
    let size = Vec3::new(0.2, 0.1, 0.1);
    let (columns, courses) = (10, 10);
    let mut bodies = Vec::new();
    for course in 0..courses {
        let offset = if course % 2 == 0 { 0.0 } else { 0.5 * size.x };
        for column in 0..columns {
            // Joints of two to four millimetres, bricks off the line by up to one.
            let x = (size.x + 3e-3) * (column as f64 - 4.75) + offset + random.range(-5e-4, 5e-4);
            let center = Vec3::new(x, random.range(-1e-3, 1e-3), size.z * (course as f64 + 0.5));
            bodies.push(Body::free(Form::Box(size), Some(4.0), Pose::from_translation(center)?)?);
        }
    }
    let at = Vec3::new(random.range(-0.3, 0.3), -0.5, random.range(0.45, 0.65));
    let mut ball = Body::free(Form::Sphere(0.15), Some(40.0), Pose::from_translation(at)?)?;
    ball.velocity[0] = random.range(-1.0, 1.0);
    ball.velocity[1] = 8.0;
    bodies.push(ball);
    Ok(Scene::on_floor("wall", bodies))
}

/// A thousand boxes in any orientation that spin as they fall.
pub(super) fn tumbling(random: &mut Random) -> Made<Scene> {
    let mut bodies = Vec::new();
    for center in lattice([10, 10, 10], WIDE_PITCH, random) {
        let pose = Pose::new(center, random.quaternion_xyzw())?;
        let mut body = Body::free(Form::Box(Vec3::repeat(EDGE)), Some(MASS), pose)?;
        let spin = 5.0 * random.in_ball();
        body.velocity[3..].copy_from_slice(spin.as_slice());
        bodies.push(body);
    }
    Ok(Scene::on_floor("boxes1000", bodies))
}

/// Fifty parts of several convex pieces: angles, channels, tees, crosses and gears.
pub(super) fn parts(random: &mut Random) -> Made<Scene> {
    let bar = |size: [f64; 3], at: [f64; 3]| -> Made<Piece> {
        Ok(Piece { form: Form::Box(Vec3::from(size)), pose: Pose::from_translation(Vec3::from(at))? })
    };
    let mut bodies = Vec::new();
    // Parts reach 0.085 m at most.
    for (k, center) in lattice([4, 4, 4], WIDE_PITCH, random).into_iter().take(50).enumerate() {
        let pieces = match k % 5 {
            0 => vec![bar([0.1, 0.04, 0.015], [0.0; 3])?, bar([0.015, 0.04, 0.06], [0.0425, 0.0, 0.0375])?],
            1 => vec![
                bar([0.1, 0.05, 0.015], [0.0; 3])?,
                bar([0.015, 0.05, 0.05], [0.0425, 0.0, 0.0325])?,
                bar([0.015, 0.05, 0.05], [-0.0425, 0.0, 0.0325])?,
            ],
            2 => vec![bar([0.12, 0.03, 0.02], [0.0; 3])?, bar([0.02, 0.03, 0.07], [0.0, 0.0, 0.045])?],
            3 => vec![
                bar([0.12, 0.025, 0.025], [0.0; 3])?,
                bar([0.025, 0.12, 0.025], [0.0; 3])?,
                bar([0.025, 0.025, 0.12], [0.0; 3])?,
            ],
            _ => gear()?,
        };
        let pose = Pose::new(center, random.quaternion_xyzw())?;
        bodies.push(Body::of_pieces(pieces, None, pose)?);
    }
    Scene::on_floor("parts", bodies).in_container(2.0 * WIDE_PITCH)
}

/// A gear of a prism and eight teeth.
fn gear() -> Made<Vec<Piece>> {
    let (teeth, root, tip, half) = (8, 0.045, 0.065, 0.0125);
    let at =
        |radius: f64, angle: f64, z: f64| Vec3::new(radius * math::cos(angle), radius * math::sin(angle), z);
    let angle = |k: usize, part: f64| TAU * (k as f64 + part) / teeth as f64;
    let prism = (0..2 * teeth).flat_map(|k| [-half, half].map(|z| at(root, 0.5 * angle(k, 0.0), z)));
    let mut pieces = vec![Piece::new(Form::Hull(prism.collect()))];
    for k in 0..teeth {
        // Half a millimetre into the prism.
        let corners = [(root - 5e-4, -0.25), (root - 5e-4, 0.25), (tip, -0.12), (tip, 0.12)];
        let points =
            corners.iter().flat_map(|(radius, part)| [-half, half].map(|z| at(*radius, angle(k, *part), z)));
        pieces.push(Piece::new(Form::Hull(points.collect())));
    }
    Ok(pieces)
}

/// Tilted boxes with masses from 0.1 to 10 kg.
pub(super) fn ratio(random: &mut Random) -> Made<Scene> {
    let mut scene = boxes("ratio", [5, 5, 5], 0.5, random)?;
    for body in &mut scene.bodies {
        let factor = math::exp(random.range(-1.0, 1.0) * std::f64::consts::LN_10);
        body.inertia.mass *= factor;
        body.inertia.inertia *= factor;
    }
    Ok(scene)
}

/// A stack of ten boxes, the topmost heavier by ten to the power of 0 to 7, by seed.
pub(super) fn stack(seed: u64, random: &mut Random) -> Made<Scene> {
    let mut scene = boxes("stack", [1, 1, 10], 0.0, random)?;
    for (k, body) in scene.bodies.iter_mut().enumerate() {
        let at = body.pose.translation();
        // One upon the other, shifted by at most a tenth of what the stack bears.
        let place = Vec3::new(0.1 * at.x, 0.1 * at.y, EDGE * (k as f64 + 0.5));
        body.pose = Pose::from_translation(place)?;
    }
    if let Some(top) = scene.bodies.last_mut() {
        let factor = 10.0_f64.powi((seed % 8) as i32);
        top.inertia.mass *= factor;
        top.inertia.inertia *= factor;
    }
    Ok(scene)
}
