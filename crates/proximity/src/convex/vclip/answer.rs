//! The answer for a walk: proved along the normal of the pair that it ended in, or else searched for.

use zerogap_core::{ContactId, Gap, Vec3};
use zerogap_geometry::Convex;

use super::measure::{FeatureDistance, measure};
use super::search::{by_search, do_meet};
use super::settle::settled;
use super::view::View;
use super::walk::{End, Walked};
use super::{ClosestFeatures, ClosestStatus, most_general};
use crate::convex::placement::Placement;
use crate::convex::rounding::slack;

/// The bounds of a proved distance agree within this part of the slack [-].
const CONVERGED_FRACTION: f64 = 0.5;

/// Vertices this far below a supporting plane are in it, against the polyhedron's reach [-]: twenty times what the vertices of a face may lie below its
/// plane, thousands of roundings, and far less than a body's motion in a step.
const LEVEL: f64 = 1e-12;

/// A pair of polyhedra and its size: what every answer needs.
pub(super) struct Query<'a> {
    /// The pair seen by A.
    pub(super) view: View<'a>,
    /// Where B stands in A's frame.
    pub(super) at: &'a Placement,
    /// Extent of the pair [m].
    pub(super) extent: f64,
}

impl Query<'_> {
    /// The answer that a walk came to; none where it does not prove itself.
    pub(super) fn proved(&self, walked: &Walked) -> Option<ClosestFeatures> {
        let Walked { pair, steps, .. } = *walked;
        match walked.end {
            End::Nearest => self.nearest(pair, steps),
            End::Common(point) => do_meet(&self.view, self.at, self.extent)
                .then(|| ClosestFeatures { steps, ..self.overlap(&point, &self.between(), pair) }),
            End::Open => None,
        }
    }

    /// The answer of the search, for a walk that ended at a pair without a proof.
    #[cold]
    pub(super) fn searched(&self, pair: ContactId, steps: u32) -> ClosestFeatures {
        let (gap, found) = by_search(&self.view, self.at, self.extent);
        let found = found.unwrap_or(pair);
        let answer = if gap.gap > 0.0 {
            let features = self.lifted(&self.tops(&gap.normal));
            self.apart(gap.gap, &gap.normal, &gap.point_a, found, features)
        } else {
            self.overlap(&(0.5 * (gap.point_a + gap.point_b)), &gap.normal, found)
        };
        ClosestFeatures { steps, by_walk: false, ..answer }
    }

    /// The answer for the pair that a walk ended in; none where it does not prove itself.
    fn nearest(&self, pair: ContactId, steps: u32) -> Option<ClosestFeatures> {
        let found = measure(&self.view, pair, self.extent)?;
        let settled = settled(&self.view, pair, &found)
            .and_then(|normal| self.answer(&FeatureDistance { normal, ..found }, pair, steps));
        settled.or_else(|| self.answer(&found, pair, steps))
    }

    /// The answer along a normal, where the polyhedra are separated along it by as much as the two points are apart.
    fn answer(&self, found: &FeatureDistance, pair: ContactId, steps: u32) -> Option<ClosestFeatures> {
        let tops = self.tops(&found.normal);
        let [top_a, top_b] = tops.vertices;
        let lower =
            found.normal.dot(&(self.view.other_vertex(top_b) - self.view.own.vertices()[top_a as usize]));
        // Written so that a NaN distance proves nothing.
        let is_converged =
            found.upper - lower <= CONVERGED_FRACTION * slack(self.extent) && found.distance > 0.0;
        is_converged.then(|| {
            let features = self.lifted(&tops);
            let answer = self.apart(found.distance, &found.normal, &found.point_a, pair, features);
            ClosestFeatures { steps, ..answer }
        })
    }

    /// An answer in the world, by the walk and without a step, from one in A's frame.
    fn apart(
        &self,
        distance: f64,
        normal: &Vec3,
        point_a: &Vec3,
        found: ContactId,
        features: ContactId,
    ) -> ClosestFeatures {
        let gap = Gap { gap: distance, normal: *normal, point_a: *point_a, ..Gap::farthest() };
        let Gap { normal, point_a, point_b, .. } = self.at.to_world(gap);
        ClosestFeatures {
            status: ClosestStatus::Apart,
            distance,
            normal,
            point_a,
            point_b,
            found,
            features,
            steps: 0,
            by_walk: true,
        }
    }

    /// The answer in overlap, at a point in A's frame.
    fn overlap(&self, point: &Vec3, normal: &Vec3, found: ContactId) -> ClosestFeatures {
        ClosestFeatures { status: ClosestStatus::Overlap, ..self.apart(0.0, normal, point, found, found) }
    }

    /// The direction from A to B, by their inner points; any where these fall together [-].
    fn between(&self) -> Vec3 {
        let View { own, other, .. } = self.view;
        let between = self.view.brought(&other.interior_point()) - own.interior_point();
        let length = between.norm();
        if length > 0.0 { between / length } else { Vec3::x() }
    }

    /// The supports of both along a normal.
    #[inline]
    fn tops(&self, normal: &Vec3) -> Tops {
        let towards_a = -self.view.swapped().rotated(normal);
        let View { own, other, .. } = self.view;
        let vertices = [own.support_vertex_tame(normal), other.support_vertex_tame(&towards_a)];
        Tops { along: [*normal, towards_a], vertices }
    }

    /// The most general features at the supports.
    fn lifted(&self, tops: &Tops) -> ContactId {
        let View { own, other, .. } = self.view;
        let ([along_a, along_b], [top_a, top_b]) = (&tops.along, tops.vertices);
        ContactId {
            a: most_general(own, along_a, top_a, LEVEL * own.reach()),
            b: most_general(other, along_b, top_b, LEVEL * other.reach()),
        }
    }
}

/// What supports each polyhedron towards the other.
struct Tops {
    /// The outward direction of each, in its own frame [-].
    along: [Vec3; 2],
    /// The vertex of each that is farthest along it.
    vertices: [u32; 2],
}
