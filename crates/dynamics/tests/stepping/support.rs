//! A tree that is stepped, for the tests of this folder.

use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind, Tree, TreeBuilder, Wrench};
use zerogap_dynamics::step::{StepInfo, StepParams, Stepper};

/// A tree with its state.
pub(crate) struct Stepped {
    pub(crate) tree: Tree,
    pub(crate) stepper: Stepper,
    pub(crate) t: f64,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
}

impl Stepped {
    pub(crate) fn new(tree: Tree) -> Self {
        let (q, v) = (tree.initial_positions(), vec![0.0; tree.velocities()]);
        Self { stepper: Stepper::new(&tree), tree, t: 0.0, q, v }
    }

    pub(crate) fn step(&mut self, h: f64) -> StepInfo {
        let params = StepParams {
            tolerance: 1e-9,
            is_settled: false,
            is_repeated: false,
            control: None,
            is_sequential: false,
        };
        let wrenches = vec![Wrench::default(); self.tree.bodies()];
        self.stepper.locate(&self.tree, self.t, &self.q, &self.v);
        let state = (self.q.as_mut_slice(), self.v.as_mut_slice());
        let info = self.stepper.step(&self.tree, &params, (self.t, h), state, &wrenches, &mut []);
        self.t += h;
        info
    }

    /// All energy [J].
    pub(crate) fn energy(&self) -> f64 {
        let mut ws = self.tree.workspace();
        self.tree.update(self.t, &self.q, &self.v, &mut ws);
        self.tree.energy(&ws, &self.q).total()
    }
}

/// One hinge about z without gravity, of inertia `moment` [kg m²].
pub(crate) fn hinge(moment: f64, dof: Dof) -> Stepped {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let inertia = Inertia { mass: 1.0, center: Vec3::zeros(), inertia: Mat3::from_diagonal_element(moment) };
    let joint = Joint::new(None, JointKind::Revolute { axis: Vec3::z() });
    builder.body_with(inertia, joint, &[(0, dof)]).unwrap();
    Stepped::new(builder.build().unwrap())
}

/// A chain of `links` rods of length `length` [m], hinged about y, horizontal along x at the start.
pub(crate) fn chain(links: usize, length: f64) -> Stepped {
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81));
    let mut parent: Option<BodyId> = None;
    for _ in 0..links {
        let mass = 0.1;
        let moment = mass * length * length / 12.0;
        let inertia = Inertia {
            mass,
            center: Vec3::new(0.5 * length, 0.0, 0.0),
            inertia: Mat3::from_diagonal(&Vec3::new(0.1 * moment, moment, moment)),
        };
        let mut joint = Joint::new(parent, JointKind::Revolute { axis: Vec3::y() });
        if parent.is_some() {
            joint = joint.parent_frame(Pose::from_translation(Vec3::new(length, 0.0, 0.0)).unwrap());
        }
        parent = Some(builder.body(inertia, joint).unwrap());
    }
    Stepped::new(builder.build().unwrap())
}
