//! A contact at other poses, by the same two faces.

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::complex::Simplex;

use super::body::ComplexBody;
use super::leaf::nearest;
use super::query::QuasiContact;

/// A contact at other poses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Followed {
    /// Signed distance of the two complexes along the normal [m]; negative once a vertex or an edge has passed through.
    pub distance: f64,
    /// Gap of the inflated bodies [m].
    pub gap: f64,
    /// Unit vector from A to B [-].
    pub normal: Vec3,
    /// The point of A's complex [m].
    pub base_a: Vec3,
    /// The point of B's complex [m].
    pub base_b: Vec3,
}

impl QuasiContact {
    /// The same contact at other poses: the nearest points of the planes, lines and points that its two faces span.
    ///
    /// Whether it is still a quasi-LMD is not asked: the points may have left their faces. A vertex that passes through a triangle and edges that pass each
    /// other get a negative distance, the normal kept. None where the faces are not unique to each other (parallel edges) or a body is not the one that the contact is of.
    pub fn at(&self, a: &ComplexBody, pose_a: &Pose, b: &ComplexBody, pose_b: &Pose) -> Option<Followed> {
        let (base_a, base_b, offset, rotated) = match (a.complex(), b.complex()) {
            (Some(one), Some(two)) => {
                let place = |pose: &Pose, simplex: Simplex| {
                    let (r, t) = (pose.rotation_matrix(), pose.translation());
                    simplex.map(|p| r * p + t)
                };
                let first = place(pose_a, one.simplex(one.face_of(self.contact.id.a)?));
                let second = place(pose_b, two.simplex(two.face_of(self.contact.id.b)?));
                let found = nearest(&first, &second, 0.0)?;
                (found.point, found.point + found.offset, found.offset, found.side * self.side < 0.0)
            }
            (Some(one), None) => {
                let (point, foot, gap) = on_plane((one, self.contact.id.a, pose_a), (b, pose_b))?;
                let offset = foot - point;
                (point, foot, offset, gap < 0.0)
            }
            (None, Some(two)) => {
                let (point, foot, gap) = on_plane((two, self.contact.id.b, pose_b), (a, pose_a))?;
                (foot, point, point - foot, gap < 0.0)
            }
            (None, None) => return None,
        };
        let length = offset.norm();
        if !length.is_finite() {
            return None;
        }
        let sign = if rotated { -1.0 } else { 1.0 };
        let distance = sign * length;
        let gap = distance - a.dilation() - b.dilation();
        // At no distance the offset has no direction: the normal stays what it was.
        let normal = if length > 0.0 { offset * (sign / length) } else { self.contact.normal };
        Some(Followed { distance, gap, normal, base_a, base_b })
    }
}

/// A vertex, its foot on a half-space's plane and its height, in the world.
fn on_plane(
    (complex, feature, pose): (&zerogap_geometry::Complex, zerogap_core::Feature, &Pose),
    (body, plane_pose): (&ComplexBody, &Pose),
) -> Option<(Vec3, Vec3, f64)> {
    let vertex = complex.vertices().get(complex.face_of(feature)? as usize)?;
    let point = pose.transform_point(vertex);
    let foot = body.plane()?.closest_point(&plane_pose.inverse_transform_point(&point));
    Some((point, plane_pose.transform_point(&foot.point), foot.gap))
}
