//! Points above planes, and unit cubes that stand on them.

use zerogap_contact::solve::FischerInfo;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Inertia, Joint, JointKind, Tree, TreeBuilder, Wrench};
use zerogap_dynamics::step::{Moment, Silvia, SilviaInfo, SilviaParams, SilviaStatus, StepContacts};

pub(crate) const G: f64 = 9.81;
pub(crate) const DT: f64 = 0.01;

/// A point of one body above a plane of another (or of the world).
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) body: BodyId,
    pub(crate) point: Vec3,
    pub(crate) carrier: Option<BodyId>,
    /// A point of the plane and its normal, in the carrier's frame.
    pub(crate) origin: Vec3,
    pub(crate) normal: Vec3,
}

impl Pair {
    /// Against the ground z = 0.
    pub(crate) fn ground(body: BodyId, point: Vec3) -> Self {
        Self { body, point, carrier: None, origin: Vec3::zeros(), normal: Vec3::z() }
    }

    /// Distance, where the point is, and the normal, in the world.
    pub(crate) fn measure(&self, at: &Moment<'_>) -> (f64, Vec3, Vec3) {
        let carrier = self.carrier.map_or_else(Pose::identity, |c| *at.ws.pose(c));
        let point = at.ws.pose(self.body).transform_point(&self.point);
        let normal = carrier.transform_vector(&self.normal);
        (normal.dot(&(point - carrier.transform_point(&self.origin))), point, normal)
    }
}

/// Contacts of a test: all pairs, or those nearer than a margin at the start.
#[derive(Default)]
pub(crate) struct Scene {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) margin: Option<f64>,
    /// Finds overlaps at the end that were not chosen.
    pub(crate) looks: bool,
    /// Claims a further overlap whatever happens.
    pub(crate) never_content: bool,
    pub(crate) loads: Vec<Wrench>,
    pub(crate) chosen: Vec<usize>,
    pub(crate) memory: Vec<f64>,
    pub(crate) last: Option<FischerInfo>,
}

impl Scene {
    pub(crate) fn new(pairs: Vec<Pair>) -> Self {
        let memory = vec![0.0; pairs.len()];
        Self { pairs, memory, ..Self::default() }
    }
}

impl StepContacts for Scene {
    fn choose(&mut self, start: &Moment<'_>, _: f64) -> usize {
        self.chosen.clear();
        for (k, pair) in self.pairs.iter().enumerate() {
            if self.margin.is_none_or(|margin| pair.measure(start).0 <= margin) {
                self.chosen.push(k);
            }
        }
        self.chosen.len()
    }

    fn loads(&mut self, _: &Moment<'_>, wrenches: &mut [Wrench], _: &mut [f64]) {
        for (wrench, load) in wrenches.iter_mut().zip(&self.loads) {
            *wrench = *load;
        }
    }

    fn warm(&mut self, contact: usize) -> f64 {
        self.memory[self.chosen[contact]]
    }

    fn distances(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
        for (out, k) in out.iter_mut().zip(which) {
            *out = self.pairs[self.chosen[*k]].measure(at).0;
        }
    }

    fn rows(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
        for (row, k) in out.chunks_exact_mut(at.v.len()).zip(which) {
            let pair = &self.pairs[self.chosen[*k]];
            let (_, point, normal) = pair.measure(at);
            at.tree.point_row(at.ws, Some(pair.body), point, normal, 1.0, row);
            at.tree.point_row(at.ws, pair.carrier, point, normal, -1.0, row);
        }
    }

    fn widen(&mut self, end: &Moment<'_>) -> usize {
        let before = self.chosen.len();
        if self.never_content {
            self.chosen.push(0);
        } else if self.looks {
            for (k, pair) in self.pairs.iter().enumerate() {
                if !self.chosen.contains(&k) && pair.measure(end).0 < -1e-12 {
                    self.chosen.push(k);
                }
            }
        }
        self.chosen.len() - before
    }

    fn accept(&mut self, _: &Moment<'_>, dt: f64, forces: &[f64], info: &FischerInfo) {
        assert!(dt > 0.0 && forces.len() == self.chosen.len());
        self.memory.fill(0.0);
        for (force, k) in forces.iter().zip(&self.chosen) {
            self.memory[*k] = *force;
        }
        self.last = Some(*info);
    }
}

/// Points on the bottom of a unit cube, on a grid that reaches the edges.
pub(crate) fn bottom(nx: usize, ny: usize) -> Vec<Vec3> {
    let at = |i: usize, n: usize| i as f64 / (n - 1) as f64 - 0.5;
    (0..nx).flat_map(|i| (0..ny).map(move |j| Vec3::new(at(i, nx), at(j, ny), -0.5))).collect()
}

/// Free unit cubes of 1 kg.
pub(crate) fn cubes(count: usize) -> (Tree, Vec<BodyId>) {
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -G));
    let inertia = Inertia::cuboid(1.0, Vec3::new(1.0, 1.0, 1.0));
    let bodies =
        (0..count).map(|_| builder.body(inertia, Joint::new(None, JointKind::Free)).unwrap()).collect();
    (builder.build().unwrap(), bodies)
}

/// One cube with its bottom at `gap` above the ground, moving down at `speed`.
pub(crate) struct Cube {
    pub(crate) tree: Tree,
    pub(crate) scene: Scene,
    pub(crate) silvia: Silvia,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
}

impl Cube {
    pub(crate) fn new(nx: usize, ny: usize, gap: f64, speed: f64, torque: f64) -> Self {
        let (tree, bodies) = cubes(1);
        let pairs = bottom(nx, ny).into_iter().map(|p| Pair::ground(bodies[0], p)).collect();
        let mut scene = Scene::new(pairs);
        scene.loads = vec![Wrench { force: Vec3::zeros(), torque: Vec3::new(0.0, torque, 0.0) }];
        let (mut q, mut v) = (tree.initial_positions(), vec![0.0; 6]);
        q[2] = 0.5 + gap;
        v[2] = -speed;
        let silvia = Silvia::new(&tree, SilviaParams::default());
        Self { tree, scene, silvia, q, v }
    }

    pub(crate) fn step(&mut self) -> SilviaInfo {
        self.silvia.step(&self.tree, 0.0, DT, &mut self.q, &mut self.v, &mut self.scene)
    }

    /// A step from cold that keeps its promises.
    pub(crate) fn first(&mut self) -> Vec<f64> {
        let info = self.step();
        println!("{} contacts: {} steps, residual {:e}", info.contacts, info.newton_steps, info.residual);
        assert_eq!((info.status, info.parts, info.fell_back), (SilviaStatus::Done, 1, 0));
        assert!(info.newton_steps <= 10 && info.residual <= 1e-12, "{info:?}");
        self.silvia.forces().to_vec()
    }
}
