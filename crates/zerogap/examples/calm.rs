//! A cube at rest on a plane for ten seconds: by all its quasi-LMDs, and by its deepest point alone.
//!
//! Prints a table of time, tilt and height for both; `docs/images/calm.py` draws it.
//!
//! ```sh
//! cargo run --release --example calm > calm.csv
//! ```

use zerogap::dynamics::multibody::{BodyId, Inertia, Joint, JointKind, Tree, TreeBuilder, TreeError};
use zerogap::dynamics::step::{ContactPoint, StepParams, Stepper};
use zerogap::geometry::shape::{Cuboid, HalfSpace};
use zerogap::geometry::{Complex, ComplexOptions, ConvexShape};
use zerogap::proximity::distance;
use zerogap::proximity::lmd::{ComplexBody, QuasiParams, quasi_contacts};
use zerogap::{Collider, ColliderError, DistanceParams, Pose, Shape, Vec3};

/// Length of a step [s].
const STEP: f64 = 1e-2;
/// Side of the cube [m].
const SIDE: f64 = 0.1;

/// The cube, step by step, with all its contacts or with the deepest one.
struct Run {
    tree: Tree,
    stepper: Stepper,
    q: Vec<f64>,
    v: Vec<f64>,
    is_single: bool,
    contacts: usize,
}

impl Run {
    fn new(is_single: bool) -> Result<Self, TreeError> {
        let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81));
        let inertia = Inertia::cuboid(7.85, Vec3::repeat(SIDE));
        builder.body(inertia, Joint::new(None, JointKind::Free))?;
        let tree = builder.build()?;
        let mut q = tree.initial_positions();
        q[2] = 0.5 * SIDE;
        let (stepper, v) = (Stepper::new(&tree), vec![0.0; tree.velocities()]);
        Ok(Self { tree, stepper, q, v, is_single, contacts: 0 })
    }

    fn pose(&self) -> Pose {
        let q = &self.q;
        Pose::new(Vec3::new(q[0], q[1], q[2]), [q[3], q[4], q[5], q[6]]).unwrap_or_default()
    }

    fn step(&mut self, t: f64, scene: &Scene) -> Result<(), ColliderError> {
        let found = if self.is_single { scene.deepest(&self.pose())? } else { scene.all(&self.pose()) };
        self.contacts = found.len();
        let mut contacts: Vec<ContactPoint> = found
            .iter()
            .map(|(at, normal, gap)| ContactPoint {
                a: None,
                b: Some(BodyId(0)),
                at: *at,
                normal: *normal,
                gap: *gap,
                friction: 0.3,
                slop: 1e-9,
                ..ContactPoint::default()
            })
            .collect();
        self.stepper.locate(&self.tree, t, &self.q, &self.v);
        let params = StepParams {
            tolerance: 1e-12,
            is_settled: false,
            is_repeated: false,
            control: None,
            is_sequential: false,
        };
        self.stepper.step(&self.tree, &params, (t, STEP), (&mut self.q, &mut self.v), &[], &mut contacts);
        Ok(())
    }
}

/// A point, a normal and a gap.
type Witness = (Vec3, Vec3, f64);

/// The floor and the cube, as exact shapes and as complexes.
struct Scene {
    colliders: [Collider; 2],
    complexes: [ComplexBody; 2],
}

impl Scene {
    fn all(&self, pose: &Pose) -> Vec<Witness> {
        let params = QuasiParams { within: 1e-3, ..QuasiParams::default() };
        let [floor, cube] = &self.complexes;
        let (found, _) = quasi_contacts(floor, &Pose::identity(), cube, pose, &params);
        let contacts = found.iter().map(|quasi| quasi.contact);
        contacts.map(|c| (0.5 * (c.point_a + c.point_b), c.normal, c.gap)).collect()
    }

    fn deepest(&self, pose: &Pose) -> Result<Vec<Witness>, ColliderError> {
        let [floor, cube] = &self.colliders;
        let gap = distance(floor, &Pose::identity(), cube, pose, &DistanceParams::default())?;
        Ok(vec![(0.5 * (gap.point_a + gap.point_b), gap.normal, gap.gap)])
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shape = ConvexShape::from(Cuboid::new(Vec3::repeat(SIDE))?);
    let options = ComplexOptions { dilation: 1e-3, inset: true, ..ComplexOptions::default() };
    let cube = ComplexBody::new(Complex::from_shape(&shape, &options)?);
    let plane = HalfSpace::new(Vec3::z(), 0.0)?;
    let floor = ComplexBody::half_space(plane, 0.0)?;
    let scene = Scene { colliders: [Shape::from(plane).into(), shape.into()], complexes: [floor, cube] };
    let mut runs = vec![Run::new(false)?, Run::new(true)?];
    println!("t,contacts,tilt,height,single_contacts,single_tilt,single_height");
    for k in 0..1000 {
        let t = STEP * f64::from(k);
        let mut row = vec![format!("{t:.2}")];
        for run in &mut runs {
            run.step(t, &scene)?;
            let up = run.pose().transform_vector(&Vec3::z());
            let tilt = zerogap::core::math::atan2(up.xy().norm(), up.z);
            row.push(format!("{},{:e},{:e}", run.contacts, tilt, run.q[2] - 0.5 * SIDE));
        }
        println!("{}", row.join(","));
    }
    Ok(())
}
