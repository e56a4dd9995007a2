//! How a body hangs on another: kinds of joints, what drives and limits them, and where they put their child.
//!
//! A joint connects a frame of the parent with a frame of the child. Every degree of freedom is a rotation about, or a shift along, one
//! axis through the origin of the child's joint frame, called the *pivot*: that point is what the tree computes with, so no lever arm is
//! added and taken away again.

use std::sync::Arc;

use zerogap_core::error::check_direction;
use zerogap_core::math::{angle_between, sin_cos, tangents};
use zerogap_core::{InputError, Pose, Vec3};

use super::error::TreeError;
use super::motion::Motion;

/// Axes of a universal joint nearer to each other than this are parallel [rad].
const PARALLEL: f64 = 1e-6;

/// A body of a tree, counted in the order of adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

zerogap_core::store_struct!(BodyId(number));

impl BodyId {
    /// The place in arrays over all bodies.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a joint lets its child do, seen from the parent's joint frame. Axes may have any positive length.
#[derive(Debug, Clone)]
pub enum JointKind {
    /// Nothing: the two joint frames coincide.
    Fixed,
    /// Rotates about an axis: one angle [rad].
    Revolute {
        /// The axis [-].
        axis: Vec3,
    },
    /// Slides along an axis: one shift [m].
    Prismatic {
        /// The axis [-].
        axis: Vec3,
    },
    /// Slides along and rotates about an axis: shift [m], angle [rad].
    Cylindrical {
        /// The axis [-].
        axis: Vec3,
    },
    /// Rotates about the first axis, fixed in the parent, then about the second, fixed in the child: two angles [rad].
    Universal {
        /// The axis fixed in the parent [-].
        first: Vec3,
        /// The axis fixed in the child [-].
        second: Vec3,
    },
    /// Rotates about a point: a quaternion `(x, y, z, w)` of the child's joint frame, and the angular velocity in its axes [rad/s].
    Spherical,
    /// Slides in a plane and rotates about its normal: shifts along [`tangents`] of the normal [m], angle [rad].
    Planar {
        /// The normal [-].
        normal: Vec3,
    },
    /// Moves freely. Positions: origin of the child's joint frame in the parent's [m], quaternion `(x, y, z, w)`. Velocities: of that origin
    /// in axes of the parent's joint frame [m/s], angular velocity in axes of the child's joint frame [rad/s].
    Free,
    /// Prescribed motion: the child's joint frame in the parent's.
    Prescribed(Arc<dyn Motion>),
}

zerogap_core::store_enum!(JointKind { 0 => Fixed, 1 => Revolute { axis }, 2 => Prismatic { axis }, 3 => Cylindrical { axis }, 4 => Universal { first, second }, 5 => Spherical, 6 => Planar { normal }, 7 => Free, 8 => Prescribed(motion) });

/// How a body hangs on its parent. At zero position the two joint frames coincide.
#[derive(Debug, Clone)]
pub struct Joint {
    /// What it lets the child do.
    pub kind: JointKind,
    /// The body it hangs on; none: the world.
    pub parent: Option<BodyId>,
    /// The joint frame in the parent's body frame.
    pub parent_frame: Pose,
    /// The joint frame in the child's body frame.
    pub child_frame: Pose,
}

zerogap_core::store_struct!(Joint { kind, parent, parent_frame, child_frame });

impl Joint {
    /// A joint at the origins of both body frames.
    pub fn new(parent: Option<BodyId>, kind: JointKind) -> Self {
        Self { kind, parent, parent_frame: Pose::identity(), child_frame: Pose::identity() }
    }

    /// The same with the joint frame elsewhere in the parent.
    pub fn parent_frame(self, parent_frame: Pose) -> Self {
        Self { parent_frame, ..self }
    }

    /// The same with the joint frame elsewhere in the child.
    pub fn child_frame(self, child_frame: Pose) -> Self {
        Self { child_frame, ..self }
    }
}

/// What drives a degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motor {
    /// Nothing.
    Off,
    /// A given force or torque [N or N m].
    Effort(f64),
    /// `gain (target - velocity)`, at most `limit` either way.
    Velocity {
        /// The velocity wanted [m/s or rad/s].
        target: f64,
        /// Effort per velocity missing [N s/m or N m s].
        gain: f64,
        /// The largest effort, infinity for none [N or N m].
        limit: f64,
    },
    /// `stiffness (target - position) - damping velocity`, at most `limit` either way.
    Position {
        /// The position wanted [m or rad].
        target: f64,
        /// Effort per position error [N/m or N m].
        stiffness: f64,
        /// Effort per velocity [N s/m or N m s].
        damping: f64,
        /// The largest effort, infinity for none [N or N m].
        limit: f64,
    },
}

zerogap_core::store_enum!(Motor { 0 => Off, 1 => Effort(effort), 2 => Velocity { target, gain, limit }, 3 => Position { target, stiffness, damping, limit } });

impl Motor {
    /// The effort at a position and a velocity [N or N m].
    pub fn effort(&self, position: f64, velocity: f64) -> f64 {
        match *self {
            Motor::Off => 0.0,
            Motor::Effort(effort) => effort,
            Motor::Velocity { target, gain, limit } => (gain * (target - velocity)).clamp(-limit, limit),
            Motor::Position { target, stiffness, damping, limit } => {
                (stiffness * (target - position) - damping * velocity).clamp(-limit, limit)
            }
        }
    }
}

/// What acts on one degree of freedom of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dof {
    /// Smallest position allowed [m or rad].
    pub lower: Option<f64>,
    /// Largest position allowed [m or rad].
    pub upper: Option<f64>,
    /// Ratio of the velocities after and before hitting a limit, 0 to 1 [-].
    pub restitution: f64,
    /// Of a spring [N/m or N m].
    pub stiffness: f64,
    /// Where the spring is relaxed [m or rad].
    pub spring_reference: f64,
    /// Of a damper [N s/m or N m s].
    pub damping: f64,
    /// Inertia that moves with the joint velocity alone, as a geared rotor's, felt at the joint [kg or kg m²].
    pub armature: f64,
    /// Dry friction: the largest force or torque against the joint velocity, and what holds the joint at rest [N or N m]. Used by time stepping.
    pub friction: f64,
    /// What drives it.
    pub motor: Motor,
}

zerogap_core::store_struct!(Dof {
    lower,
    upper,
    restitution,
    stiffness,
    spring_reference,
    damping,
    armature,
    friction,
    motor
});

impl Default for Dof {
    fn default() -> Self {
        Self {
            lower: None,
            upper: None,
            restitution: 0.0,
            stiffness: 0.0,
            spring_reference: 0.0,
            damping: 0.0,
            armature: 0.0,
            friction: 0.0,
            motor: Motor::Off,
        }
    }
}

impl Dof {
    /// Passes on what can be computed with; `has_position` is false for parts of a rotation kept as a quaternion.
    pub(super) fn checked(&self, body: u32, index: usize, has_position: bool) -> Result<Self, TreeError> {
        let zero_or_more = "it must be zero or positive, and finite";
        let numbers = [
            ("stiffness", self.stiffness),
            ("damping", self.damping),
            ("armature", self.armature),
            ("friction", self.friction),
        ];
        for (what, value) in numbers {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(TreeError::DofValue { body, index, what, value, need: zero_or_more });
            }
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            let (what, need) = ("restitution", "it must lie between 0 and 1");
            return Err(TreeError::DofValue { body, index, what, value: self.restitution, need });
        }
        if !self.spring_reference.is_finite() {
            let (what, need) = ("spring reference", "it must be finite");
            return Err(TreeError::DofValue { body, index, what, value: self.spring_reference, need });
        }
        // A limit at infinity is none; a limit that is not a number is an error.
        let lower = self.lower.unwrap_or(f64::NEG_INFINITY);
        let upper = self.upper.unwrap_or(f64::INFINITY);
        if !(lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY) {
            return Err(TreeError::Limits { body, index, lower, upper });
        }
        self.motor.check(body, index)?;
        if !has_position {
            let asked = [
                (self.lower.is_some() || self.upper.is_some(), "limits"),
                (self.stiffness > 0.0, "spring"),
                (matches!(self.motor, Motor::Position { .. }), "position motor"),
            ];
            if let Some((_, what)) = asked.into_iter().find(|(asked, _)| *asked) {
                return Err(TreeError::NoCoordinate { body, index, what });
            }
        }
        Ok(Self {
            lower: self.lower.filter(|x| x.is_finite()),
            upper: self.upper.filter(|x| x.is_finite()),
            ..*self
        })
    }
}

impl Motor {
    fn check(&self, body: u32, index: usize) -> Result<(), TreeError> {
        let finite = |what, value: f64| {
            let need = "it must be finite";
            if value.is_finite() {
                Ok(())
            } else {
                Err(TreeError::DofValue { body, index, what, value, need })
            }
        };
        let positive = |what, value: f64| {
            let need = "it must be zero or positive, and finite";
            if value >= 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(TreeError::DofValue { body, index, what, value, need })
            }
        };
        let bound = |value: f64| {
            let (what, need) = ("limit of the motor", "it must be zero or positive (infinity for none)");
            if value >= 0.0 { Ok(()) } else { Err(TreeError::DofValue { body, index, what, value, need }) }
        };
        match *self {
            Motor::Off => Ok(()),
            Motor::Effort(effort) => finite("effort of the motor", effort),
            Motor::Velocity { target, gain, limit } => {
                finite("target of the motor", target)?;
                positive("gain of the motor", gain)?;
                bound(limit)
            }
            Motor::Position { target, stiffness, damping, limit } => {
                finite("target of the motor", target)?;
                positive("stiffness of the motor", stiffness)?;
                positive("damping of the motor", damping)?;
                bound(limit)
            }
        }
    }
}

impl JointKind {
    /// Returns which degrees of freedom of the joint are rotations, in their order; the others are translations.
    pub fn rotations(&self) -> &'static [bool] {
        rotations(self)
    }
}

/// Which degrees of freedom of a joint are rotations, in their order.
pub(super) fn rotations(kind: &JointKind) -> &'static [bool] {
    match kind {
        JointKind::Fixed | JointKind::Prescribed(_) => &[],
        JointKind::Revolute { .. } => &[true],
        JointKind::Prismatic { .. } => &[false],
        JointKind::Cylindrical { .. } => &[false, true],
        JointKind::Universal { .. } => &[true, true],
        JointKind::Spherical => &[true, true, true],
        JointKind::Planar { .. } => &[false, false, true],
        JointKind::Free => &[false, false, false, true, true, true],
    }
}

/// Where the quaternion of a joint stands among its positions, if it has one.
pub(super) fn quaternion_at(kind: &JointKind) -> Option<usize> {
    match kind {
        JointKind::Spherical => Some(0),
        JointKind::Free => Some(3),
        _ => None,
    }
}

/// Number of positions of a joint [-].
pub(super) fn position_count(kind: &JointKind) -> usize {
    rotations(kind).len() + usize::from(quaternion_at(kind).is_some())
}

/// The same kind with unit axes.
pub(super) fn with_unit_axes(kind: JointKind, body: u32) -> Result<JointKind, TreeError> {
    let unit = |what, axis| check_direction(what, axis).map_err(|source| TreeError::Input { body, source });
    Ok(match kind {
        JointKind::Revolute { axis } => JointKind::Revolute { axis: unit("axis of the joint", axis)? },
        JointKind::Prismatic { axis } => JointKind::Prismatic { axis: unit("axis of the joint", axis)? },
        JointKind::Cylindrical { axis } => JointKind::Cylindrical { axis: unit("axis of the joint", axis)? },
        JointKind::Planar { normal } => JointKind::Planar { normal: unit("normal of the joint", normal)? },
        JointKind::Universal { first, second } => {
            let first = unit("first axis of the joint", first)?;
            let second = unit("second axis of the joint", second)?;
            let angle = angle_between(&first, &second);
            if angle.min(std::f64::consts::PI - angle) < PARALLEL {
                return Err(TreeError::ParallelAxes { body, angle });
            }
            JointKind::Universal { first, second }
        }
        other => other,
    })
}

/// A quaternion `(x, y, z, w)` of length 1 in the direction of four numbers; none at all is no rotation.
pub(super) fn unit_quaternion(q: [f64; 4]) -> [f64; 4] {
    let largest = q.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
    if largest == 0.0 {
        return [0.0, 0.0, 0.0, 1.0];
    }
    // Scaling by the largest first keeps the squares from over- and underflowing.
    let s = q.map(|c| c / largest);
    let length = s.iter().map(|c| c * c).sum::<f64>().sqrt();
    s.map(|c| c / length)
}

/// The child's joint frame in the parent's at the positions `q` of the joint (prescribed joints: see [`Motion`]).
pub(super) fn placement(kind: &JointKind, q: &[f64]) -> Result<Pose, InputError> {
    let turn = |axis: &Vec3, angle: f64| {
        let (s, c) = sin_cos(0.5 * angle);
        [s * axis.x, s * axis.y, s * axis.z, c]
    };
    let finite = |q: [f64; 4]| {
        // A rotation that is not a number must not pass for none.
        let q = unit_quaternion(q);
        if q.iter().all(|c| c.is_finite()) { q } else { [f64::NAN; 4] }
    };
    match (kind, q) {
        (JointKind::Revolute { axis }, &[angle]) => Pose::new(Vec3::zeros(), turn(axis, angle)),
        (JointKind::Prismatic { axis }, &[shift]) => Pose::from_translation(axis * shift),
        (JointKind::Cylindrical { axis }, &[shift, angle]) => Pose::new(axis * shift, turn(axis, angle)),
        (JointKind::Universal { first, second }, &[one, two]) => {
            let outer = Pose::new(Vec3::zeros(), turn(first, one))?;
            Ok(outer * Pose::new(Vec3::zeros(), turn(second, two))?)
        }
        (JointKind::Spherical, &[x, y, z, w]) => Pose::new(Vec3::zeros(), finite([x, y, z, w])),
        (JointKind::Planar { normal }, &[one, two, angle]) => {
            let (t1, t2) = tangents(normal);
            Pose::new(t1 * one + t2 * two, turn(normal, angle))
        }
        (JointKind::Free, &[px, py, pz, x, y, z, w]) => {
            Pose::new(Vec3::new(px, py, pz), finite([x, y, z, w]))
        }
        _ => Ok(Pose::identity()),
    }
}
