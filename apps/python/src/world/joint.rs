//! Joints, what acts on them, and loops, from words and numbers.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::Vec3;
use zerogap::core::units::Dimension;
use zerogap::dynamics::multibody::{JointKind, LoopKind, Motor};

use super::motion::PyMotion;
use crate::arrays::{Triple, triple};
use crate::quantity::Coordinate;

/// All words for a joint.
const JOINTS: &str =
    "free, revolute, prismatic, cylindrical, universal, spherical, planar, fixed or prescribed";

/// What a caller says of a joint.
pub(crate) struct JointWords<'a, 'py> {
    pub(crate) joint: Option<&'a str>,
    pub(crate) axis: Option<Triple<'py>>,
    pub(crate) second_axis: Option<Triple<'py>>,
    pub(crate) motion: Option<&'a PyMotion>,
}

impl JointWords<'_, '_> {
    /// The joint; a motion alone means a prescribed one, nothing at all a free one.
    pub(crate) fn kind(&self) -> PyResult<JointKind> {
        let word = self.joint.unwrap_or(if self.motion.is_some() { "prescribed" } else { "free" });
        let axis = || match &self.axis {
            Some(axis) => triple("axis", axis),
            None => Err(PyValueError::new_err(format!("a {word} joint needs an axis"))),
        };
        let kind = match word {
            "free" => JointKind::Free,
            "revolute" => JointKind::Revolute { axis: axis()? },
            "prismatic" => JointKind::Prismatic { axis: axis()? },
            "cylindrical" => JointKind::Cylindrical { axis: axis()? },
            "universal" => {
                let Some(second) = &self.second_axis else {
                    return Err(PyValueError::new_err("a universal joint needs a second_axis"));
                };
                JointKind::Universal { first: axis()?, second: triple("second_axis", second)? }
            }
            "spherical" => JointKind::Spherical,
            "planar" => JointKind::Planar { normal: axis()? },
            "fixed" => JointKind::Fixed,
            "prescribed" => match self.motion {
                Some(motion) => JointKind::Prescribed(motion.motion.clone()),
                None => return Err(PyValueError::new_err("a prescribed joint needs a motion")),
            },
            other => {
                return Err(PyValueError::new_err(format!("joint is \"{other}\": it must be {JOINTS}")));
            }
        };
        // What a joint has no use for is a mistake, not a wish.
        let has_axis = !matches!(
            kind,
            JointKind::Free | JointKind::Spherical | JointKind::Fixed | JointKind::Prescribed(_)
        );
        for (is_given, is_used, what) in [
            (self.axis.is_some(), has_axis, "axis"),
            (self.second_axis.is_some(), matches!(kind, JointKind::Universal { .. }), "second_axis"),
            (self.motion.is_some(), matches!(kind, JointKind::Prescribed(_)), "motion"),
        ] {
            if is_given && !is_used {
                return Err(PyValueError::new_err(format!("a {word} joint takes no {what}")));
            }
        }
        Ok(kind)
    }
}

/// How many positions and velocities a joint has.
pub(crate) fn sizes(kind: &JointKind) -> (usize, usize) {
    match kind {
        JointKind::Fixed | JointKind::Prescribed(_) => (0, 0),
        JointKind::Revolute { .. } | JointKind::Prismatic { .. } => (1, 1),
        JointKind::Cylindrical { .. } | JointKind::Universal { .. } => (2, 2),
        JointKind::Spherical => (4, 3),
        JointKind::Planar { .. } => (3, 3),
        JointKind::Free => (7, 6),
    }
}

/// What the numbers of a degree of freedom measure: of an angle where the joint turns, of a length where it slides.
pub(crate) struct DofUnits {
    pub(crate) position: Dimension,
    pub(crate) velocity: Dimension,
    pub(crate) effort: Dimension,
    pub(crate) stiffness: Dimension,
    pub(crate) damping: Dimension,
}

impl DofUnits {
    pub(crate) fn new(rotates: bool) -> Self {
        if rotates {
            Self {
                position: Dimension::Angle,
                velocity: Dimension::AngularSpeed,
                effort: Dimension::Torque,
                stiffness: Dimension::AngularStiffness,
                damping: Dimension::AngularDamping,
            }
        } else {
            Self {
                position: Dimension::Length,
                velocity: Dimension::Speed,
                effort: Dimension::Force,
                stiffness: Dimension::Stiffness,
                damping: Dimension::Damping,
            }
        }
    }

    /// The number of an argument in SI, where it was passed.
    pub(crate) fn si(
        what: &str,
        dimension: Dimension,
        given: Option<Coordinate<'_>>,
    ) -> PyResult<Option<f64>> {
        given.map(|given| given.si(what, dimension)).transpose()
    }
}

/// What a caller says of a motor.
pub(crate) struct MotorWords {
    pub(crate) effort: Option<f64>,
    pub(crate) velocity: Option<f64>,
    pub(crate) position: Option<f64>,
    pub(crate) gain: Option<f64>,
    pub(crate) stiffness: Option<f64>,
    pub(crate) damping: Option<f64>,
    pub(crate) limit: Option<f64>,
}

impl MotorWords {
    /// The motor; nothing at all switches it off.
    pub(crate) fn motor(&self) -> PyResult<Motor> {
        let &Self { effort, velocity, position, gain, stiffness, damping, limit } = self;
        let (motor, allowed): (Motor, &[&str]) = match (effort, velocity, position) {
            (None, None, None) => (Motor::Off, &[]),
            (Some(effort), None, None) => (Motor::Effort(effort), &[]),
            (None, Some(target), None) => {
                let gain = needed("velocity", "gain", gain)?;
                let limit = limit.unwrap_or(f64::INFINITY);
                (Motor::Velocity { target, gain, limit }, &["gain", "limit"])
            }
            (None, None, Some(target)) => {
                let stiffness = needed("position", "stiffness", stiffness)?;
                let (damping, limit) = (damping.unwrap_or(0.0), limit.unwrap_or(f64::INFINITY));
                let motor = Motor::Position { target, stiffness, damping, limit };
                (motor, &["stiffness", "damping", "limit"])
            }
            _ => return Err(PyValueError::new_err("a motor has one of effort, velocity and position")),
        };
        let given = [("gain", gain), ("stiffness", stiffness), ("damping", damping), ("limit", limit)];
        match given.iter().find(|(what, value)| value.is_some() && !allowed.contains(what)) {
            Some((what, _)) => Err(PyValueError::new_err(format!("this motor takes no {what}"))),
            None => Ok(motor),
        }
    }
}

fn needed(of: &str, what: &str, value: Option<f64>) -> PyResult<f64> {
    value.ok_or_else(|| PyValueError::new_err(format!("a motor for a {of} needs a {what}")))
}

/// What a loop holds together.
pub(crate) fn loop_kind(kind: &str, axis: Option<Vec3>, length: Option<f64>) -> PyResult<LoopKind> {
    let refuse = |text: &str| Err(PyValueError::new_err(text.to_owned()));
    match (kind, axis, length) {
        ("point", None, None) => Ok(LoopKind::Point),
        ("fixed", None, None) => Ok(LoopKind::Fixed),
        ("revolute", Some(axis), None) => Ok(LoopKind::Revolute { axis }),
        ("distance", None, Some(length)) => Ok(LoopKind::Distance(length)),
        ("revolute", None, _) => refuse("a revolute loop needs an axis"),
        ("distance", _, None) => refuse("a distance loop needs a length"),
        ("point" | "fixed" | "revolute" | "distance", ..) => {
            refuse("axis is for revolute loops, length for distance loops")
        }
        _ => Err(PyValueError::new_err(format!(
            "kind is \"{kind}\": it must be point, revolute, fixed or distance"
        ))),
    }
}
