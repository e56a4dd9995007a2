//! A complex on a half-space: its corners against a plane without end.
//!
//! The plane is a face of class 6 that every projection falls into, so corners of class 0 alone can touch it.

use zerogap_geometry::shape::HalfSpace;

use super::leaf::points_out;
use super::merge::Raw;
use super::motion::Relative;
use super::node::{Place, may_meet_plane};
use super::query::QuasiParams;
use super::search::Body;

/// The quasi-LMDs of a complex, `at` being where it is in the frame of the plane; the points of the plane come second. `swap` puts them first.
#[expect(clippy::too_many_arguments, reason = "one half of a query, called in one place")]
pub(super) fn find(
    body: Body<'_>,
    at: &Relative,
    plane: &HalfSpace,
    params: &QuasiParams,
    cutoff: f64,
    swap: bool,
    stack: &mut Vec<(u32, u32)>,
    raw: &mut Vec<Raw>,
) {
    let Body { complex, tree } = body;
    let normal = plane.normal();
    let place = Place::new(at.rotation, at.translation, &tree.center, tree.scale, (0.0, 0.0));
    let may = |node: u32| {
        let placed = place.node(&tree.nodes[node as usize]);
        let height = normal.dot(&placed.center) - plane.offset();
        may_meet_plane(&placed, &normal, height, cutoff, params.angular_tolerance)
    };
    stack.clear();
    if !tree.nodes.is_empty() && may(0) {
        stack.push((0, 0));
    }
    let (rotation, translation) = (at.rotation, at.translation);
    while let Some((i, _)) = stack.pop() {
        let node = &tree.nodes[i as usize];
        let Some(face) = node.face() else {
            for child in [node.right(), i + 1] {
                if may(child) {
                    stack.push((child, 0));
                }
            }
            continue;
        };
        if complex.class(face) != 0 {
            continue;
        }
        let point = rotation * complex.vertices()[face as usize] + translation;
        let foot = plane.closest_point(&point);
        let z = -rotation.tr_mul(&normal);
        if foot.gap > 0.0
            && foot.gap <= cutoff
            && points_out(complex, face, &z, params.angular_tolerance, params.angle_tolerance)
        {
            let (mut faces, mut classes, mut points) = ([face, 0], [0, 6], [point, foot.point]);
            if swap {
                faces.reverse();
                classes.reverse();
                points.reverse();
            }
            raw.push(Raw { faces, classes, points, distance: foot.gap, side: 1.0 });
        }
    }
}
