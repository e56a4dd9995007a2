//! Convex signed distance by zerogap, on the scenes of `bench/narrow`.
//!
//! Usage: `narrow SCENE.bin PREFIX [--reps N] [--only TEXT] [--cold]`; see [`zerogap_bench::narrow::runner`] for the files it writes.
//! Groups of coherent motion keep one cache per sequence, unless `--cold` is given; all others ask without any knowledge.

use std::error::Error;

use zerogap_bench::narrow::runner::{self, Answer, Engine, Options};
use zerogap_bench::narrow::scene::{Group, Scene, ScenePose, SceneShape};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cuboid, Cylinder, Ellipsoid, Frustum, Sphere};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{self, DistanceParams, PairCache};

/// Steps of one motion in the groups of coherent motion.
const SEQUENCE: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse()?;
    let scene = Scene::load(&options.scene)?;
    let mut engine = Zerogap::new(&scene)?;
    Ok(runner::run(&options, &scene, &mut engine)?)
}

struct Zerogap {
    shapes: Vec<ConvexShape>,
    queries: Vec<Query>,
    params: DistanceParams,
    cache: PairCache,
    warm: bool,
    /// First pair of the current group.
    first: usize,
}

struct Query {
    a: usize,
    pose_a: Pose,
    b: usize,
    pose_b: Pose,
}

impl Zerogap {
    fn new(scene: &Scene) -> Result<Self, Box<dyn Error>> {
        let shapes = scene.shapes.iter().map(shape).collect::<Result<_, _>>()?;
        let queries = scene
            .pairs
            .iter()
            .map(|pair| {
                Ok(Query { a: pair.a, pose_a: pose(&pair.pose_a)?, b: pair.b, pose_b: pose(&pair.pose_b)? })
            })
            .collect::<Result<_, Box<dyn Error>>>()?;
        Ok(Self {
            shapes,
            queries,
            params: DistanceParams::default(),
            cache: PairCache::default(),
            warm: false,
            first: 0,
        })
    }

    /// Whether a pair goes on with the motion of the one before it in its group.
    fn continues(&self, pair: usize) -> bool {
        if (pair - self.first).is_multiple_of(SEQUENCE) {
            return false;
        }
        let [before, now] = [&self.queries[pair - 1], &self.queries[pair]];
        (before.a, before.b) == (now.a, now.b)
    }
}

impl Engine for Zerogap {
    fn supports(&self, _: usize) -> bool {
        true
    }

    fn begin_group(&mut self, group: &Group, warm: bool) {
        self.warm = warm;
        self.first = group.first;
    }

    fn query(&mut self, pair: usize) -> Answer {
        if self.warm && !self.continues(pair) {
            self.cache = PairCache::default();
        }
        let Query { a, pose_a, b, pose_b } = &self.queries[pair];
        let [a, b] = [&self.shapes[*a], &self.shapes[*b]];
        let gap = if self.warm {
            convex::distance_with(a, pose_a, b, pose_b, &self.params, &mut self.cache)
        } else {
            convex::distance(a, pose_a, b, pose_b)
        };
        Answer { distance: gap.gap, normal: gap.normal.into(), bounds: Some([gap.lower, gap.upper]) }
    }
}

fn shape(shape: &SceneShape) -> Result<ConvexShape, Box<dyn Error>> {
    // The scene gives half lengths, our constructors take whole ones.
    Ok(match shape {
        SceneShape::Sphere { radius } => Sphere::new(*radius)?.into(),
        SceneShape::Capsule { radius, half_length } => Capsule::new(*radius, 2.0 * half_length)?.into(),
        SceneShape::Cuboid { half_size } => Cuboid::new(2.0 * Vec3::from(*half_size))?.into(),
        SceneShape::Cylinder { radius, half_length } => Cylinder::new(*radius, 2.0 * half_length)?.into(),
        SceneShape::Cone { radius, half_length } => Frustum::cone(*radius, 2.0 * half_length)?.into(),
        SceneShape::Ellipsoid { radii } => Ellipsoid::new(Vec3::from(*radii))?.into(),
        SceneShape::Convex { vertices, .. } => {
            let points: Vec<Vec3> = vertices.iter().map(|vertex| Vec3::from(*vertex)).collect();
            Polyhedron::from_points(&points)?.into()
        }
    })
}

fn pose(pose: &ScenePose) -> Result<Pose, Box<dyn Error>> {
    let [w, x, y, z] = pose.quaternion_wxyz;
    Ok(Pose::new(Vec3::from(pose.translation), [x, y, z, w])?)
}
