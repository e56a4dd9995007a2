//! Joints, what acts on them, and loops, from words and numbers.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::Vec3;
use zerogap::dynamics::multibody::{JointKind, LoopKind};

use super::motion::PyMotion;
use crate::arrays::{Triple, triple};

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
