//! Faces of two meshes that lie on each other at the start.
//!
//! In: two faces in contact and the motions of their bodies. Out: when one sinks into the body of the other. A face has no thickness: one that
//! moves through another is never in overlap with it, and where both have the same outline (equal boxes, one on the other) no other
//! pair of triangles is either. So the height of one face over the plane of the other is followed, with its sign. Used by `pursuit`.

use zerogap_core::math::unit_normal;
use zerogap_core::{ContactId, Vec3};
use zerogap_geometry::shape::HalfSpace;

use super::advance::{Span, advance};
use super::advancement::Advanced;
use super::impact::{Impact, first_contact_at};
use super::parts::Parts;
use super::probe::{Chase, PlaneChase, Supported};
use super::pursuit::Two;
use super::reach::Reach;
use super::{FirstContact, Motion};
use crate::mesh::CommonArea;

/// How far the corners of the common area are moved to its middle, as a fraction of the distance [-]: the border of a face is beside its body as well.
const INWARD: f64 = 1e-3;

/// A face of a mesh, in the frame of its body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    /// Its corners [m], counter-clockwise seen from outside of a closed mesh.
    pub(super) corners: [Vec3; 3],
    /// Whether the mesh is closed.
    pub(super) is_closed: bool,
}

impl Supported for CommonArea {
    fn farthest(&self, direction: &Vec3) -> Vec3 {
        let higher = |p: &Vec3, q: &Vec3| p.dot(direction).total_cmp(&q.dot(direction));
        self.corners().iter().copied().max_by(higher).unwrap_or_default()
    }

    fn reach(&self, motion: &Motion, duration: f64) -> Reach {
        Reach::of_points(self.corners(), 0.0, motion, duration)
    }
}

impl<A: Parts, B: Parts> Two<'_, A, B> {
    /// The contact of faces `i` of A and `j` of B that lie on each other at the start, within `near` [m], and then sink into each other by the
    /// tolerance; none where they do not. At 0 if they close in from the start.
    ///
    /// Which side is outside follows from a closed mesh; of two open ones, from the side on which they start, if rounding (`rounding` [m]) leaves one.
    pub(super) fn sinking(
        &self,
        (i, j): (u32, u32),
        near: f64,
        rounding: f64,
        span: &Span,
        steps: &mut u32,
    ) -> Option<Impact> {
        let (face_a, face_b) = (self.a.face(i)?, self.b.face(j)?);
        let (pose_a, pose_b) = (self.motion_a.pose(0.0), self.motion_b.pose(0.0));
        // In A's frame, where its plane stands still.
        let to_a = |p: &Vec3| pose_a.inverse_transform_point(&pose_b.transform_point(p));
        let corners_b = face_b.corners.map(|p| to_a(&p));
        let (normal_a, normal_b) = (unit_normal(&face_a.corners)?, unit_normal(&corners_b)?);
        let is_opposite = normal_a.dot(&normal_b) < 0.0;
        if face_a.is_closed && face_b.is_closed && !is_opposite {
            return None;
        }
        // What of B's face is over A's: wider than the tolerance, and all of it as near as contact is.
        let over = CommonArea::over(&corners_b, &face_a.corners, &normal_a);
        let height = |point: &Vec3| normal_a.dot(&(point - face_a.corners[0]));
        let is_near = over.corners().iter().all(|corner| height(corner).abs() <= near);
        let middle = over.middle()?;
        if !is_near || over.width(&normal_a) <= span.tolerance {
            return None;
        }
        // From A to B.
        let facing = if is_opposite { normal_a - normal_b } else { normal_a + normal_b };
        let side = match (face_a.is_closed, face_b.is_closed) {
            (true, _) => 1.0,
            (false, true) => {
                if is_opposite {
                    1.0
                } else {
                    -1.0
                }
            }
            (false, false) if height(&middle).abs() > rounding => height(&middle).signum(),
            (false, false) => return None,
        };
        let up = (facing * side).try_normalize(0.0)?;
        let plane = HalfSpace::new(up, up.dot(&face_a.corners[0])).ok()?;
        let to_b = |p: &Vec3| pose_b.inverse_transform_point(&pose_a.transform_point(p));
        let sheet = over.moved(|corner| to_b(&(corner + (middle - corner) * INWARD)));

        let mut pair = PlaneChase::new(&plane, self.motion_a, &sheet, self.motion_b, span.to);
        let start = pair.gap(0.0);
        let span = Span { level: start.gap.min(0.0) - 2.0 * span.tolerance, ..*span };
        match advance(&mut pair, &span, steps) {
            Advanced::Clear | Advanced::Released { .. } => None,
            Advanced::Limited { t, sample: gap } => Some(Impact::Limited { t, gap: gap.gap }),
            Advanced::Near { t, sample: gap, .. } => {
                // A face that has slid off by then sinks into nothing.
                let there = self.motion_a.pose(t).inverse_transform_point(&gap.point_b);
                if !self.a.is_behind(i, &there) {
                    return None;
                }
                let (t, gap) = if pair.rate(0.0, &start) < 0.0 { (0.0, start) } else { (t, gap) };
                let features = ContactId {
                    a: self.a.feature(i, &self.motion_a.pose(t).inverse_transform_point(&gap.point_a), 0.0),
                    b: self.b.feature(j, &self.motion_b.pose(t).inverse_transform_point(&gap.point_b), 0.0),
                };
                let contact = first_contact_at(&pair, t, (t, true), &gap);
                Some(Impact::At(FirstContact { began_in_contact: true, features: Some(features), ..contact }))
            }
        }
    }
}
