//! Numbers that look like those of another unit: angles in degrees. Meshes in millimetres are told of where they are read.

use zerogap_dynamics::multibody::JointKind;

use super::Link;

/// A hinge that may turn by more is taken for one in degrees [rad].
const FAR: f64 = 8.0 * std::f64::consts::PI;

/// What of the links looks like numbers of another unit.
pub(super) fn doubts<'a>(links: &'a [Link], angles: &'a str) -> impl Iterator<Item = String> + 'a {
    links.iter().flat_map(move |link| {
        link.dofs.iter().filter_map(move |(_, dof)| {
            let (lower, upper) = (dof.lower?, dof.upper?);
            let is_far = matches!(link.kind, JointKind::Revolute { .. }) && lower.abs().max(upper.abs()) > FAR;
            is_far.then(|| {
                format!(
                    "{}: the joint of '{}' may turn from {lower} to {upper} rad, more than four times around: {angles}",
                    link.spot.line(), link.name
                )
            })
        })
    })
}
