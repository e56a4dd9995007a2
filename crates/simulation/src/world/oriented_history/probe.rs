//! The corners of one shape against the flat surfaces of another, with their history.

use std::sync::Arc;

use zerogap_core::facets::Facet;
use zerogap_core::{Contact, ContactId, Feature, Manifold, Pose, Vec3};
use zerogap_geometry::{ConvexShape, Shape};
use zerogap_proximity::oriented::{
    Form, Oriented, OrientedError, OrientedParams, Target, Touch, TouchKind, local_point,
};
use zerogap_proximity::{DistanceParams, distance};

use super::super::narrow::NarrowPhaseError;
use super::super::shapes::PlacedPair;

/// Surfaces are moved outwards by this share of the size of the smaller shape [-]: corners that lie in the plane of a neighbouring surface, as in a stack of equal boxes, are inside it whatever rounding and the
/// errors of integration say. Neither forces nor, as a rule, times of touching know of it: see [`Probe::free_separation`].
pub(crate) const SKIN: f64 = 1e-7;

/// From this number of corners on they are looked at 64 at a time [-]: see `bench/results/*/oriented.csv`.
const MANY: usize = 16;

/// The corners of one shape against the surfaces of the other.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    /// One target, with the corners as initiators.
    pub(super) oriented: Oriented,
    /// Corners in the frame of their shape [m].
    corners: Arc<Vec<Vec3>>,
    /// Whether the corners are those of shape B.
    pub(super) is_b: bool,
    /// How far the surfaces of the target were moved outwards [m].
    skin: f64,
    /// Memory for the corners in the world [m].
    points: Vec<Vec3>,
}

/// The same contacts.
impl PartialEq for Probe {
    fn eq(&self, other: &Self) -> bool {
        self.oriented.reference().touches() == other.oriented.reference().touches()
    }
}

/// A corner that slid over to another surface.
pub(super) struct HandOver {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The corners of a shape [m]; none where it has none.
pub(crate) fn corners_of(shape: &Shape) -> Option<Arc<Vec<Vec3>>> {
    let corners = match shape {
        Shape::Convex(ConvexShape::Point(point)) => vec![point.position()],
        Shape::Convex(ConvexShape::Segment(segment)) => segment.ends().to_vec(),
        Shape::Convex(ConvexShape::Triangle(triangle)) => triangle.corners().to_vec(),
        Shape::Convex(ConvexShape::Polygon(polygon)) => polygon.corners().to_vec(),
        Shape::Convex(ConvexShape::Cuboid(cuboid)) => cuboid.corners().to_vec(),
        Shape::Convex(ConvexShape::Polyhedron(polyhedron)) => polyhedron.vertices().to_vec(),
        _ => return None,
    };
    Some(Arc::new(corners))
}

impl Probe {
    /// Begins as if the shapes had just come together along the shortest way out of each other: so the surface of a corner that touches several is the one that its shape lies on.
    pub(super) fn begin(
        pair: &PlacedPair<'_>,
        corners: Arc<Vec<Vec3>>,
        is_b: bool,
    ) -> Result<Self, NarrowPhaseError> {
        let (pose, other, at) =
            if is_b { (&pair.pose_b, pair.a, pair.pose_a) } else { (&pair.pose_a, pair.b, pair.pose_b) };
        let skin = skin(pair);
        let target = Target::of_shape(&other.shape)?.grown(skin);
        let way = way_out(pair, 4.0 * skin)? * if is_b { 1.0 } else { -1.0 };
        let moved = |corner: &Vec3| pose.transform_point(corner) + way;
        let mut points: Vec<Vec3> = corners.iter().map(moved).collect();
        let form = if corners.len() < MANY { Form::Conditional } else { Form::Guards };
        // Events are located, by functions and by following what is fast: the straight way between the ends of a long step must not count for the bent one.
        let params = OrientedParams { form, clipping: false, ..OrientedParams::default() };
        let mut oriented = Oriented::new(vec![target], &[at], &points, params)?;
        points.clear();
        points.extend(corners.iter().map(|corner| pose.transform_point(corner)));
        oriented.commit(&[at], &points)?;
        Ok(Self { oriented, corners, is_b, skin, points })
    }

    /// How far a corner that is in contact with nothing is from contact [m]: the largest separation, from surfaces themselves where they separated it before, and from surfaces moved outwards where they did not.
    fn free_separation(&self, corner: usize, target: &Pose, point: &Vec3) -> f64 {
        let (before, now) = (self.oriented.reference_point(0, corner), local_point(target, point));
        let of = |facet: &Facet| {
            let skin = if facet.separation(&before) > 0.0 { self.skin } else { 0.0 };
            facet.separation(&now) + skin
        };
        self.oriented.targets()[0].facets().iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    }

    pub(super) fn free_gap(&self, pair: &PlacedPair<'_>) -> f64 {
        let (pose, target) = self.poses(pair);
        let of = |(j, corner): (usize, &Vec3)| match self.oriented.reference().surface(0, j) {
            Some(_) => f64::INFINITY,
            None => self.free_separation(j, target, &pose.transform_point(corner)),
        };
        self.corners.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
    }

    /// Poses of the corners' shape and of the target.
    pub(super) fn poses<'a>(&self, pair: &'a PlacedPair<'_>) -> (&'a Pose, &'a Pose) {
        if self.is_b { (&pair.pose_b, &pair.pose_a) } else { (&pair.pose_a, &pair.pose_b) }
    }

    pub(super) fn gap(&self, pair: &PlacedPair<'_>) -> f64 {
        let (pose, target) = self.poses(pair);
        let of = |(j, corner): (usize, &Vec3)| {
            let point = pose.transform_point(corner);
            let held = self.oriented.held_gap(0, j, target, &point);
            held.unwrap_or_else(|| self.free_separation(j, target, &point))
        };
        self.corners.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
    }

    pub(super) fn contacts(&self, pair: &PlacedPair<'_>, manifold: &mut Manifold) {
        let (pose, target) = self.poses(pair);
        for touch in self.oriented.reference().touches() {
            let j = touch.initiator as usize;
            let point = pose.transform_point(&self.corners[j]);
            let Some(gap) = self.oriented.held_gap(0, j, target, &point) else { continue };
            // Force begins at the surface itself.
            let gap = gap + self.skin;
            let facet = &self.oriented.targets()[0].facets()[touch.surface as usize];
            let outward = target.transform_vector(&facet.normal);
            let (corner, surface) = (Feature::Vertex(touch.initiator), Feature::Face(touch.surface));
            // From A to B: outward of a target that is A.
            let contact = Contact {
                gap,
                normal: outward,
                point_a: point - outward * gap,
                point_b: point,
                id: ContactId { a: surface, b: corner },
            };
            manifold.contacts.push(if self.is_b { contact } else { contact.swapped() });
        }
    }

    pub(super) fn function(&self, pair: &PlacedPair<'_>) -> f64 {
        let (pose, target) = self.poses(pair);
        let of = |(j, corner): (usize, &Vec3)| {
            let point = pose.transform_point(corner);
            if self.oriented.reference().surface(0, j).is_none() {
                return self.free_separation(j, target, &point);
            }
            let [outside, off_span] = self.oriented.roots_of(0, j, target, &point);
            outside.min(off_span)
        };
        self.corners.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
    }

    /// Takes the poses of a pair as the reference, and tells hand-overs; whether who touches what has changed.
    pub(super) fn commit(
        &mut self,
        pair: &PlacedPair<'_>,
        tell: &mut Vec<HandOver>,
    ) -> Result<bool, OrientedError> {
        let (pose, target) = self.poses(pair);
        self.points.clear();
        self.points.extend(self.corners.iter().map(|corner| pose.transform_point(corner)));
        let now = self.oriented.commit(&[*target], &self.points)?;
        tell.extend(now.touches().iter().filter_map(|touch| match touch.kind {
            TouchKind::HandedOver { from } => Some(HandOver { from, to: touch.surface }),
            _ => None,
        }));
        let is_new = |touch: &Touch| touch.kind != TouchKind::Kept;
        Ok(!now.releases().is_empty() || now.touches().iter().any(is_new))
    }
}

/// How far the surfaces of a pair are moved outwards [m].
pub(super) fn skin(pair: &PlacedPair<'_>) -> f64 {
    // A point on a half-space has no size to go by, and no neighbouring surfaces either.
    if size(pair).is_finite() { SKIN * size(pair) } else { 0.0 }
}

/// How far B is to be moved to be apart from A by a gap [m], along the shortest way; nothing where it is.
fn way_out(pair: &PlacedPair<'_>, gap: f64) -> Result<Vec3, NarrowPhaseError> {
    let params = DistanceParams { cutoff: gap, ..DistanceParams::default() };
    let found = distance(&pair.a.shape, &pair.pose_a, &pair.b.shape, &pair.pose_b, &params)?;
    let missing = gap - NarrowPhaseError::check(found.gap)?;
    Ok(if missing > 0.0 { found.normal * missing } else { Vec3::zeros() })
}

/// The size of the smaller shape of a pair [m]; a point has none, so it goes by that of what it hits.
pub(super) fn size(pair: &PlacedPair<'_>) -> f64 {
    if pair.size() > 0.0 { pair.size() } else { pair.a.size.max(pair.b.size) }
}
