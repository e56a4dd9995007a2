//! What a tree computes with: the state of all bodies at one time, and room for the solvers.
//!
//! Written by [`Tree::update`](super::Tree::update), read by everything else. A workspace belongs to the tree that made it; several of them
//! allow several threads to evaluate one tree. Bodies asked for must be of that tree.

use zerogap_core::{Mat3, Pose, Vec3};

use super::constrained::ConstrainedSolver;
use super::joint::BodyId;
use super::loop_filter::LoopFilter;
use super::spatial::{SpatialInertia, Twist, Wrench};

/// One body at the time of the last update. Velocities and accelerations are those of the pivot, the origin of the child's joint frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyState {
    pub(super) pose: Pose,
    /// From the body's origin to the pivot, world axes [m].
    pub(super) pivot: Vec3,
    /// The pivot in the world [m].
    pub(super) pivot_at: Vec3,
    /// From the parent's pivot to this one, world axes [m].
    pub(super) arm: Vec3,
    /// From the pivot to the centre of mass, world axes [m].
    pub(super) center: Vec3,
    /// About the centre of mass, world axes [kg m²].
    pub(super) inertia: Mat3,
    pub(super) velocity: Twist,
    /// Accelerations that do not come from `vdot`.
    pub(super) bias: Twist,
    /// What it takes to give the body those accelerations against gravity, at the pivot.
    pub(super) load: Wrench,
}

/// The state of all bodies of a tree at one time, and room for computing with it.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(super) bodies: Vec<BodyState>,
    /// Joint velocities of the last update.
    pub(super) velocities: Vec<f64>,
    /// Joint positions of the last update.
    pub(super) coordinates: Vec<f64>,
    /// Axis of each degree of freedom, world axes.
    pub(super) axes: Vec<Vec3>,
    /// Articulated inertia of each body at its pivot (also: composite inertia, while a mass matrix is formed).
    pub(super) inertias: Vec<SpatialInertia>,
    /// How large the numbers were that the articulated inertia was made of: (rotation, translation), to distinguish zero from rounding.
    pub(super) noise: Vec<[f64; 2]>,
    /// Factors of the joint inertias, row by row: each degree of freedom has up to six entries, the diagonal inverted.
    pub(super) factors: Vec<[f64; 6]>,
    /// What each degree of freedom takes away from the inertia passed on.
    pub(super) taken: Vec<Wrench>,
    /// Room: load on each body, change of its acceleration, one number per degree of freedom.
    pub(super) loads: Vec<Wrench>,
    pub(super) changes: Vec<Twist>,
    pub(super) numbers: Vec<f64>,
    /// Inertia that is added to the armature of each degree of freedom [kg or kg m²]: what forces that are implicit in the velocity add to the mass matrix over a step. Zero unless set.
    pub(crate) added_mass: Vec<f64>,
    /// Degrees of freedom that moved no inertia at the last update.
    pub(super) singular: usize,
    pub(super) first_singular: usize,
    pub(super) valid: bool,
    /// Whether time and positions of the last update were finite.
    pub(super) has_places: bool,
    /// Whether the last update found what accelerations need.
    pub(super) has_loads: bool,
    /// Room for loops: solver, rows, one number per row, multipliers, a step and positions.
    pub(super) solver: ConstrainedSolver,
    pub(super) loop_filter: LoopFilter,
    pub(super) loop_rows: Vec<f64>,
    pub(super) loop_values: Vec<f64>,
    pub(super) loop_forces: Vec<f64>,
    pub(super) step: Vec<f64>,
    pub(super) positions: Vec<f64>,
}

impl Workspace {
    pub(super) fn new(bodies: usize, positions: usize, velocities: usize, loop_rows: usize) -> Self {
        let zero = Vec3::zeros();
        let state = BodyState {
            pose: Pose::identity(),
            pivot: zero,
            pivot_at: zero,
            arm: zero,
            center: zero,
            inertia: Mat3::zeros(),
            velocity: Twist::ZERO,
            bias: Twist::ZERO,
            load: Wrench::ZERO,
        };
        Self {
            bodies: vec![state; bodies],
            velocities: vec![0.0; velocities],
            coordinates: vec![0.0; positions],
            axes: vec![zero; velocities],
            inertias: vec![SpatialInertia::ZERO; bodies],
            noise: vec![[0.0; 2]; bodies],
            factors: vec![[0.0; 6]; velocities],
            taken: vec![Wrench::ZERO; velocities],
            loads: vec![Wrench::ZERO; bodies],
            changes: vec![Twist::ZERO; bodies],
            numbers: vec![0.0; velocities],
            added_mass: vec![0.0; velocities],
            singular: 0,
            first_singular: 0,
            valid: true,
            has_places: true,
            has_loads: false,
            solver: ConstrainedSolver::default(),
            loop_filter: LoopFilter::default(),
            loop_rows: vec![0.0; loop_rows * velocities],
            loop_values: vec![0.0; loop_rows],
            loop_forces: vec![0.0; loop_rows],
            step: vec![0.0; velocities],
            positions: vec![0.0; positions],
        }
    }

    /// Loads at the pivots: what the bodies need for their bias accelerations, less what acts on them at their origins.
    pub(super) fn put_loads(&mut self, wrenches: &[Wrench]) {
        debug_assert!(self.has_loads, "accelerations need an update with loads");
        for (i, (load, body)) in self.loads.iter_mut().zip(&self.bodies).enumerate() {
            *load = body.load;
            if let Some(wrench) = wrenches.get(i) {
                *load = *load - wrench.about(&-body.pivot);
            }
        }
    }

    /// The longest lever arm between joints: the size of the mechanism [m].
    pub(super) fn largest_arm(&self) -> f64 {
        self.bodies.iter().fold(0.0, |size, body| size.max(body.arm.norm()))
    }

    /// Whether the positions and velocities of the last update were finite and within range. Where not, accelerations are NaN, which
    /// makes an integrator reject its trial step.
    pub fn is_valid(&self) -> bool {
        self.valid
    }

    /// How many degrees of freedom moved no inertia at the last update [-]: a gimbal of massless rings in lock has such. They keep their
    /// velocity.
    pub fn singular(&self) -> usize {
        self.singular
    }

    /// The joint velocities of the last update [m/s or rad/s].
    pub(crate) fn velocities(&self) -> &[f64] {
        &self.velocities
    }

    /// Where a body is.
    pub fn pose(&self, body: BodyId) -> &Pose {
        &self.bodies[body.index()].pose
    }

    /// Angular velocity of a body, world axes [rad/s].
    pub fn angular_velocity(&self, body: BodyId) -> Vec3 {
        self.bodies[body.index()].velocity.angular
    }

    /// Velocity of a body's origin, world axes [m/s].
    pub fn linear_velocity(&self, body: BodyId) -> Vec3 {
        let b = &self.bodies[body.index()];
        b.velocity.moved(&-b.pivot).linear
    }

    /// Angular acceleration of a body for `vdot = 0`, world axes [rad/s²].
    pub fn bias_angular(&self, body: BodyId) -> Vec3 {
        self.bodies[body.index()].bias.angular
    }

    /// Acceleration of a body's origin for `vdot = 0`, as a body feels it (not the spatial one), world axes, without gravity [m/s²].
    pub fn bias_linear(&self, body: BodyId) -> Vec3 {
        let b = &self.bodies[body.index()];
        b.acceleration_at(&-b.pivot)
    }

    /// Velocity of the material point of a body that is at `point` in the world now [m/s]; the world's points rest.
    pub fn point_velocity(&self, body: Option<BodyId>, point: Vec3) -> Vec3 {
        body.map_or_else(Vec3::zeros, |body| {
            let b = &self.bodies[body.index()];
            b.velocity.moved(&(point - b.pivot_at)).linear
        })
    }

    /// Acceleration of the material point of a body that is at `point` in the world now, for `vdot = 0` [m/s²].
    pub fn point_bias(&self, body: Option<BodyId>, point: Vec3) -> Vec3 {
        body.map_or_else(Vec3::zeros, |body| {
            let b = &self.bodies[body.index()];
            b.acceleration_at(&(point - b.pivot_at))
        })
    }

    /// The centre of mass of a body, in the world [m].
    pub fn center(&self, body: BodyId) -> Vec3 {
        let b = &self.bodies[body.index()];
        b.pivot_at + b.center
    }
}

impl BodyState {
    /// Acceleration for `vdot = 0` of the point `arm` from the pivot.
    fn acceleration_at(&self, arm: &Vec3) -> Vec3 {
        let w = self.velocity.angular;
        self.bias.moved(arm).linear + w.cross(&w.cross(arm))
    }
}
