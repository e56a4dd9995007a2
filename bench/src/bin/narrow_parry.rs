//! Convex signed distance by parry3d-f64, on the scenes of `bench/narrow`.
//!
//! Usage: `narrow_parry SCENE.bin PREFIX [--reps N] [--only TEXT]`; see [`zerogap_bench::narrow::runner`] for the files it writes.
//! Asks `query::contact` with a prediction beyond every gap, which gives distance and depth alike. The library has no ellipsoid.

use std::error::Error;
use std::panic;

use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{ConvexPolyhedron, SharedShape};
use zerogap_bench::narrow::runner::{self, Answer, Engine, Options};
use zerogap_bench::narrow::scene::{Group, Scene, ScenePose, SceneShape};

/// Gaps up to this are reported [m]: beyond all that occur.
const PREDICTION: f64 = 1e7;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse()?;
    let scene = Scene::load(&options.scene)?;
    let mut engine = Parry::new(&scene);
    Ok(runner::run(&options, &scene, &mut engine)?)
}

struct Parry {
    shapes: Vec<Option<SharedShape>>,
    queries: Vec<Query>,
}

struct Query {
    a: usize,
    pose_a: Pose,
    b: usize,
    pose_b: Pose,
}

impl Parry {
    fn new(scene: &Scene) -> Self {
        let shapes = scene.shapes.iter().map(shape).collect();
        let queries = scene
            .pairs
            .iter()
            .map(|pair| Query {
                a: pair.a,
                pose_a: pose(&scene.shapes[pair.a], &pair.pose_a),
                b: pair.b,
                pose_b: pose(&scene.shapes[pair.b], &pair.pose_b),
            })
            .collect();
        Self { shapes, queries }
    }
}

impl Engine for Parry {
    fn supports(&self, pair: usize) -> bool {
        let Query { a, b, .. } = &self.queries[pair];
        self.shapes[*a].is_some() && self.shapes[*b].is_some()
    }

    // `query::contact` has no warm start.
    fn begin_group(&mut self, _: &Group, _: bool) {}

    fn query(&mut self, pair: usize) -> Answer {
        let Query { a, pose_a, b, pose_b } = &self.queries[pair];
        let (Some(a), Some(b)) = (&self.shapes[*a], &self.shapes[*b]) else { return Answer::NONE };
        match query::contact(pose_a, &**a, pose_b, &**b, PREDICTION) {
            Ok(Some(contact)) => Answer {
                distance: contact.dist,
                normal: [contact.normal1.x, contact.normal1.y, contact.normal1.z],
                bounds: None,
            },
            _ => Answer::NONE,
        }
    }
}

fn shape(shape: &SceneShape) -> Option<SharedShape> {
    Some(match shape {
        SceneShape::Sphere { radius } => SharedShape::ball(*radius),
        SceneShape::Capsule { radius, half_length } => SharedShape::capsule_z(*half_length, *radius),
        SceneShape::Cuboid { half_size: [x, y, z] } => SharedShape::cuboid(*x, *y, *z),
        SceneShape::Cylinder { radius, half_length } => SharedShape::cylinder(*half_length, *radius),
        SceneShape::Cone { radius, half_length } => SharedShape::cone(*half_length, *radius),
        SceneShape::Ellipsoid { .. } => return None,
        SceneShape::Convex { vertices, triangles } => {
            let vertices: Vec<Vector> = vertices.iter().map(|[x, y, z]| Vector::new(*x, *y, *z)).collect();
            // The mesh as it is where the library takes it, which panics on some; the hull of its points otherwise.
            let mesh =
                panic::catch_unwind(|| ConvexPolyhedron::from_convex_mesh(vertices.clone(), triangles));
            let polyhedron = mesh.ok().flatten().or_else(|| ConvexPolyhedron::from_convex_hull(&vertices))?;
            SharedShape::new(polyhedron)
        }
    })
}

fn pose(shape: &SceneShape, pose: &ScenePose) -> Pose {
    let [w, x, y, z] = pose.quaternion_wxyz;
    let [tx, ty, tz] = pose.translation;
    let pose = Pose::from_parts(Vector::new(tx, ty, tz), Rotation::from_xyzw(x, y, z, w));
    match shape {
        // Cylinders and cones stand along y there, along z here: a quarter turn about x.
        SceneShape::Cylinder { .. } | SceneShape::Cone { .. } => {
            let half = std::f64::consts::FRAC_1_SQRT_2;
            pose * Pose::from_parts(Vector::ZERO, Rotation::from_xyzw(half, 0.0, 0.0, half))
        }
        _ => pose,
    }
}
