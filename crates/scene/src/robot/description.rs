//! What a robot file contains: names and numbers as the file has them, for people and tests.

use std::collections::BTreeMap;

use zerogap_core::{Mat3, Vec3};
use zerogap_dynamics::multibody::BodyId;

/// What a robot file contains.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RobotDescription {
    /// The name of the model.
    pub name: String,
    /// Positions of all joints, free joints counted with seven, ball joints with four [-].
    pub positions: usize,
    /// Velocities of all joints [-].
    pub velocities: usize,
    /// Activations of actuators [-].
    pub activations: usize,
    /// Bodies without the world.
    pub bodies: Vec<BodyFacts>,
    /// Names and kinds of joints.
    pub joints: Vec<(String, String)>,
    /// What a position of zero of each joint stands for [m or rad].
    pub references: Vec<f64>,
    /// The body of the world on each joint.
    pub joint_bodies: Vec<BodyId>,
    /// Geoms, also those that are only seen [-].
    pub geoms: usize,
    /// Geoms that collide, by kind.
    pub collision_geoms: BTreeMap<String, usize>,
    /// Meshes [-].
    pub meshes: usize,
    /// Equalities [-].
    pub equalities: usize,
    /// Pairs of geoms that are named [-].
    pub pairs: usize,
    /// Pairs of bodies that never touch [-].
    pub excludes: usize,
    /// Bodies that only a program moves [-].
    pub mocap_bodies: usize,
    /// Names of actuators, in the order of their controls.
    pub actuators: Vec<String>,
    /// Names of tendons.
    pub tendons: Vec<String>,
    /// Names and kinds of sensors.
    pub sensors: Vec<(String, String)>,
    /// Start states.
    pub keyframes: Vec<Keyframe>,
}

/// A body as the file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyFacts {
    /// Its name.
    pub name: String,
    /// The number of the body it is in; 0 is the world.
    pub parent: usize,
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass in the body [m].
    pub center: Vec3,
    /// Inertia about the centre of mass, in axes of the body [kg m²].
    pub inertia: Mat3,
}

/// A state to start from, in the order of the file: quaternions are `w x y z`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Keyframe {
    /// Its name.
    pub name: String,
    /// Positions; empty where it says nothing.
    pub positions: Vec<f64>,
    /// Velocities.
    pub velocities: Vec<f64>,
    /// Controls.
    pub controls: Vec<f64>,
    /// Activations.
    pub activations: Vec<f64>,
}

impl RobotDescription {
    /// Splits positions in the order and form of MJCF (quaternions `w x y z`, hinges and slides counted from their reference) into those of the joints of a world; none where their number is another.
    pub fn joint_positions(&self, positions: &[f64]) -> Option<Vec<(BodyId, Vec<f64>)>> {
        let (mut rest, mut split) = (positions, Vec::new());
        for ((_, kind), (reference, body)) in
            self.joints.iter().zip(self.references.iter().zip(&self.joint_bodies))
        {
            let count = match kind.as_str() {
                "free" | "floating" => 7,
                "ball" => 4,
                "planar" => 3,
                _ => 1,
            };
            let (own, after) = rest.split_at_checked(count)?;
            rest = after;
            let own = match own {
                [x, y, z, w, i, j, k] => vec![*x, *y, *z, *i, *j, *k, *w],
                [w, i, j, k] => vec![*i, *j, *k, *w],
                [one] => vec![one - reference],
                other => other.to_vec(),
            };
            split.push((*body, own));
        }
        rest.is_empty().then_some(split)
    }

    /// Splits velocities in the order of MJCF into those of the joints of a world; none where their number is another.
    pub fn joint_velocities(&self, velocities: &[f64]) -> Option<Vec<(BodyId, Vec<f64>)>> {
        let (mut rest, mut split) = (velocities, Vec::new());
        for ((_, kind), body) in self.joints.iter().zip(&self.joint_bodies) {
            let count = match kind.as_str() {
                "free" | "floating" => 6,
                "ball" | "planar" => 3,
                _ => 1,
            };
            let (own, after) = rest.split_at_checked(count)?;
            rest = after;
            split.push((*body, own.to_vec()));
        }
        rest.is_empty().then_some(split)
    }
}
