//! How a displacement over a whole step answers the velocities that made it.
//!
//! In: the displacement, and rows that act on velocities at its end. Out: the rows that act on changes of the displacement itself. They
//! differ where a rotation is kept as a quaternion, since turns about different axes do not add.

use zerogap_core::Vec3;
use zerogap_core::math::sin;

use crate::multibody::{BodyId, JointKind, Tree};

/// Below this angle a series is more precise than the closed form [rad].
const SMALL_ANGLE: f64 = 0.1;

/// Turns a row that acts on velocities at the end of [`Tree::displace`] by `turn` into one that acts on changes of `turn`.
///
/// Computes: `rowᵀ J` in place, `J` the right Jacobian of the exponential map for every rotation kept as a quaternion, one elsewhere.
/// Tolerance: rounding, for any angle; at whole turns `J` loses rank, as it must.
pub(super) fn pull_back(tree: &Tree, turn: &[f64], row: &mut [f64]) {
    for body in (0..tree.bodies() as u32).map(BodyId) {
        if !matches!(tree.joint(body), JointKind::Spherical | JointKind::Free) {
            continue;
        }
        // The last three velocities of such joints are the angular one.
        let last = tree.v_range(body).end;
        let theta = Vec3::new(turn[last - 3], turn[last - 2], turn[last - 1]);
        let r = Vec3::new(row[last - 3], row[last - 2], row[last - 1]);
        let (first, second) = coefficients(theta.norm());
        let across = theta.cross(&r);
        let pulled = r + across * first + theta.cross(&across) * second;
        row[last - 3..last].copy_from_slice(pulled.as_slice());
    }
}

/// `(1 - cos x) / x²` and `(x - sin x) / x³`.
fn coefficients(angle: f64) -> (f64, f64) {
    let square = angle * angle;
    if angle < SMALL_ANGLE {
        // Four terms each: the next is below 1e-16 of the first.
        let first = 0.5 - square / 24.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0));
        let second = 1.0 / 6.0 - square / 120.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0));
        return (first, second);
    }
    let half = sin(0.5 * angle);
    (2.0 * half * half / square, (angle - sin(angle)) / (square * angle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_core::random::Random;

    use crate::multibody::{Inertia, Joint, TreeBuilder};

    #[test]
    fn rows_are_derivatives_of_the_displaced_position() {
        let mut builder = TreeBuilder::new(Vec3::zeros());
        let root = builder.body(Inertia::sphere(1.0, 1.0), Joint::new(None, JointKind::Free)).unwrap();
        let hinge = Joint::new(Some(root), JointKind::Revolute { axis: Vec3::x() });
        let arm = builder.body(Inertia::sphere(1.0, 1.0), hinge).unwrap();
        let body =
            builder.body(Inertia::sphere(1.0, 1.0), Joint::new(Some(arm), JointKind::Spherical)).unwrap();
        let tree = builder.build().unwrap();
        let mut random = Random::new(9);
        let mut ws = tree.workspace();
        for size in [1e-3, 0.05, 0.1, 1.0, 3.0] {
            let turn: Vec<f64> = (0..tree.velocities()).map(|_| random.range(-size, size)).collect();
            let (point, direction) = (random.in_cube(1.0), random.direction());
            // How far a point of the last body is along a direction, after a displacement.
            let mut height = |turn: &[f64]| {
                let mut q = tree.initial_positions();
                tree.displace(&mut q, turn);
                tree.update(0.0, &q, &vec![0.0; tree.velocities()], &mut ws);
                let at = ws.pose(body).transform_point(&point);
                let mut row = vec![0.0; tree.velocities()];
                tree.point_row(&ws, Some(body), at, direction, 1.0, &mut row);
                (direction.dot(&at), row)
            };
            let (_, mut row) = height(&turn);
            pull_back(&tree, &turn, &mut row);
            for k in 0..turn.len() {
                let h = 1e-5;
                let (mut up, mut down) = (turn.clone(), turn.clone());
                up[k] += h;
                down[k] -= h;
                let slope = (height(&up).0 - height(&down).0) / (2.0 * h);
                assert!((slope - row[k]).abs() < 1e-8, "{size} {k}: {slope} {}", row[k]);
            }
        }
    }

    #[test]
    fn the_series_meets_the_closed_form() {
        let below = coefficients(SMALL_ANGLE * (1.0 - 1e-12));
        let above = coefficients(SMALL_ANGLE);
        assert!((below.0 - above.0).abs() < 1e-14 && (below.1 - above.1).abs() < 1e-13);
    }
}
