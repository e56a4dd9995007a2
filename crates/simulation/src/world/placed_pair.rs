//! Two shapes at poses: the one place where a world asks about a pair.
//!
//! In: two placed colliders and the poses of their bodies. Out: gaps and contacts by [`zerogap_proximity::collider`], of the colliders by which the two collide.

use zerogap_core::{Gap, Pose, Vec3};
use zerogap_dynamics::multibody::Workspace;
use zerogap_geometry::{Convex, Shape};
use zerogap_proximity::collider::{
    self, Collider, ColliderCache, ColliderError, ColliderKind, ColliderPair, ColliderViews, contact_gap,
    contacts_into,
};
use zerogap_proximity::lmd::ComplexBody;
use zerogap_proximity::motion::path_resolution;
use zerogap_proximity::oriented::{OrientedHistory, OrientedPair};
use zerogap_proximity::{ContactParams, DistanceParams};

use super::pair_contacts::ContactWork;
use super::placed::PlacedCollider;
use super::shapes::{PairId, ShapeId};

/// Rigid points of meshes, complexes and compounds are listed up to this gap, against the size of the smaller shape [-]. All that there are would be
/// the contacts of every triangle with the other shape, some six times the work for a gear on a box.
const NEAR: f64 = 0.02;

/// Two shapes at poses.
#[derive(Clone, Copy)]
pub(crate) struct PlacedPair<'a> {
    pub(crate) id: PairId,
    pub(crate) a: &'a PlacedCollider,
    pub(crate) b: &'a PlacedCollider,
    pub(crate) pose_a: Pose,
    pub(crate) pose_b: Pose,
    /// The kind by which the two collide; none: as they are.
    view: Option<ColliderKind>,
    /// Of a pair that collides by oriented collision, once it has begun.
    history: Option<&'a OrientedHistory>,
}

impl<'a> PlacedPair<'a> {
    pub(crate) fn new(shapes: &'a [PlacedCollider], pair: PairId, ws: &Workspace) -> Self {
        let pose = |shape: ShapeId| shapes[shape.0 as usize].pose(ws);
        Self::at(shapes, pair, [pose(pair.a), pose(pair.b)])
    }

    /// A pair with the poses of its shapes.
    pub(crate) fn at(shapes: &'a [PlacedCollider], pair: PairId, [pose_a, pose_b]: [Pose; 2]) -> Self {
        let (a, b) = (&shapes[pair.a.0 as usize], &shapes[pair.b.0 as usize]);
        let view = ColliderViews::of_pair(&a.colliders, &b.colliders);
        Self { id: pair, a, b, pose_a, pose_b, view, history: None }
    }

    /// The same pair with its history.
    pub(crate) fn with_history(self, history: Option<&'a OrientedHistory>) -> Self {
        Self { history, ..self }
    }

    /// The colliders by which the two collide.
    pub(crate) fn colliders(&self) -> ColliderPair<'a> {
        let (a, b) = (self.collider_a(), self.collider_b());
        ColliderPair::new(a, self.pose_a, b, self.pose_b).with_history(self.history)
    }

    /// The same as contacts and functions of a run see them: by the narrow phase of the world.
    fn as_in_runs(&self) -> ColliderPair<'a> {
        let key = Some([self.id.a.0, self.id.b.0]);
        self.colliders().with_narrow_phase(self.a.narrow_phase.as_deref().map(|own| (own, key)))
    }

    /// The collider of A against B.
    pub(crate) fn collider_a(&self) -> &'a Collider {
        self.a.colliders.get(self.view)
    }

    /// The collider of B against A.
    pub(crate) fn collider_b(&self) -> &'a Collider {
        self.b.colliders.get(self.view)
    }

    /// The velocity of B's surface against that of A, beyond that of their bodies, in world axes [m/s]. What of it is across a contact's normal counts there.
    pub(crate) fn surface_velocity(&self) -> Vec3 {
        self.pose_b.transform_vector(&self.b.surface_velocity)
            - self.pose_a.transform_vector(&self.a.surface_velocity)
    }

    /// A direction in the axes of one of the shapes, in world axes.
    pub(crate) fn direction_of(&self, direction: &Vec3, is_of_b: bool) -> Vec3 {
        let pose = if is_of_b { &self.pose_b } else { &self.pose_a };
        pose.transform_vector(direction)
    }

    /// The size of the smaller shape [m], against which tolerances are.
    pub(crate) fn size(&self) -> f64 {
        self.a.size.min(self.b.size)
    }

    /// Returns half the width of the thinner shape, or of what corners hit [m]: nothing is inside for a shorter path than twice that.
    pub(crate) fn thickness(&self) -> f64 {
        let of_both = || self.a.thickness.min(self.b.thickness);
        self.of_history(OrientedHistory::thickness).unwrap_or_else(of_both)
    }

    /// Returns half the mean thickness of what the thinner of two complexes is made of [m]: they do not pass through each other on a shorter path.
    pub(crate) fn half_thickness(&self) -> f64 {
        let of_complex = |collider: &Collider| collider.as_complex().map_or(0.0, ComplexBody::half_thickness);
        of_complex(self.collider_a()).min(of_complex(self.collider_b()))
    }

    /// Returns how finely the path of the pair is sampled [m].
    pub(crate) fn path_resolution(&self) -> f64 {
        // A corner is inside for twice the thickness of what it hits.
        let of_corners = self.of_history(OrientedHistory::thickness);
        of_corners.map_or_else(
            || self.a.path_resolution(self.b),
            |thickness| path_resolution(thickness, self.size()),
        )
    }

    /// What its history says of an oriented pair at its poses; none without history.
    pub(crate) fn of_history<T>(
        &self,
        ask: impl FnOnce(&OrientedHistory, &OrientedPair<'_>) -> T,
    ) -> Option<T> {
        let history = self.history?;
        self.colliders().oriented().map(|pair| ask(history, &pair))
    }

    /// Whether the two collide as complexes, by quasi-LMDs.
    pub(crate) fn is_complex(&self) -> bool {
        self.view == Some(ColliderKind::Complex)
    }

    /// Whether the two collide by corners and surfaces.
    pub(crate) fn is_oriented(&self) -> bool {
        self.view == Some(ColliderKind::Oriented)
    }

    /// Returns the gap as contacts see it [m], or more than the cutoff.
    pub(crate) fn gap(&self, cutoff: f64, cache: &mut ColliderCache) -> Result<f64, ColliderError> {
        contact_gap(&self.as_in_runs(), cutoff, cache)
    }

    /// Returns the gap of corners that are in contact with nothing, for an oriented pair with its history; of other pairs the gap as contacts see it [m].
    pub(crate) fn free_gap(&self, cache: &mut ColliderCache) -> Result<f64, ColliderError> {
        match self.of_history(OrientedHistory::free_gap) {
            Some(gap) => Ok(gap),
            None => self.gap(f64::INFINITY, cache),
        }
    }

    /// Returns the gap with its normal and points: that of the nearest contact where each has a normal of its own.
    pub(crate) fn nearest(&self, work: &mut ContactWork) -> Result<Gap, ColliderError> {
        let pair = self.as_in_runs();
        let gap = if pair.has_one_normal() {
            collider::gap(&pair, &DistanceParams::default(), &mut work.cache)?
        } else {
            // Those beyond the nearest one are not asked for.
            let gap = contact_gap(&pair, f64::INFINITY, &mut work.cache)?.max(0.0);
            let within = (gap + NEAR * self.size()).min(self.size());
            contacts_into(&pair, &ContactParams::within(within), &mut work.cache, &mut work.set)?;
            Gap { gap: work.set.manifold.gap.gap.min(f64::MAX), ..work.set.manifold.gap }
        };
        ColliderError::check(gap.gap).map(|_| gap)
    }

    /// Finds the contacts within a gap [m]; a query that fails leaves none and is noted in the memory. Never with what other queries left there: a query in a rejected step must leave no trace.
    pub(crate) fn contacts(&self, within: f64, work: &mut ContactWork) {
        self.contacts_by(&ContactParams::within(within), work);
    }

    /// Finds the points by which rigid contacts are held: all that the pair has, or those within [`NEAR`] where each triangle is asked for its own.
    pub(crate) fn points(&self, work: &mut ContactWork) {
        let fraction = if self.has_own_normals() { NEAR } else { 1.0 };
        self.contacts(fraction * self.size(), work);
    }

    /// As [`PlacedPair::contacts`], for forces: round caps give points with weights that are continuous in the poses. Points within a radius [m] of each other share one spring.
    pub(crate) fn springs(&self, within: f64, radius: f64, work: &mut ContactWork) {
        self.contacts_by(&ContactParams { quadrature: Some(radius), ..ContactParams::within(within) }, work);
    }

    fn contacts_by(&self, params: &ContactParams, work: &mut ContactWork) {
        if let Err(error) = contacts_into(&self.as_in_runs(), params, &mut work.cache, &mut work.set) {
            work.set.manifold.contacts.clear();
            work.set.manifold.weights.clear();
            work.fail(self.id, error);
        }
    }

    /// Whether a shape is far above a half-space, seen from the ball around it: boxes of the broad phase do not show it.
    pub(crate) fn is_far(&self, within: f64) -> bool {
        let above = |half_space: &Shape, at: &Pose, placed: &PlacedCollider, pose: &Pose| {
            let (Shape::HalfSpace(half_space), Some(convex)) = (half_space, placed.shape.as_convex()) else {
                return f64::NEG_INFINITY;
            };
            let ball = convex.bounding_sphere();
            let center = at.inverse_transform_point(&pose.transform_point(&ball.center));
            half_space.normal().dot(&center) - half_space.offset() - ball.radius - placed.inflation
        };
        above(&self.a.shape, &self.pose_a, self.b, &self.pose_b) > within
            || above(&self.b.shape, &self.pose_b, self.a, &self.pose_a) > within
    }

    /// Whether both are complexes that intersect and have no contacts, however deep they are.
    pub(crate) fn is_intersecting(&self, work: &mut ContactWork) -> bool {
        let is_bounded =
            |collider: &Collider| collider.as_complex().is_some_and(|body| body.complex().is_some());
        // Two half-spaces are never in contact.
        if !(is_bounded(self.collider_a()) || is_bounded(self.collider_b())) {
            return false;
        }
        self.contacts(0.0, work);
        work.set.base_distance.is_none() && work.contacts.is_empty()
    }

    /// Whether contacts are those of triangles or corners, each with a normal of its own.
    pub(crate) fn has_own_normals(&self) -> bool {
        !self.colliders().has_one_normal()
    }

    /// Whether one of them is a half-space.
    pub(crate) fn has_half_space(&self) -> bool {
        [self.a, self.b].iter().any(|placed| matches!(placed.shape, Shape::HalfSpace(_)))
    }
}
