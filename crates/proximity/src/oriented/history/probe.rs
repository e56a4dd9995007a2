//! The corners of one shape against the flat surfaces of another, with their history.

use zerogap_core::facets::Facet;
use zerogap_core::{Contact, ContactId, Feature, Pose, Vec3};

use super::{HandOver, OrientedCollider, OrientedPair};
use crate::DistanceParams;
use crate::collider::{self, ColliderCache, ColliderError, ColliderPair};
use crate::oriented::{
    Form, Oriented, OrientedError, OrientedParams, SurfaceRule, Touch, TouchKind, local_point,
};

/// From this number of corners on they are evaluated 64 at a time [-]: see `bench/results/*/oriented.csv`.
const MANY: usize = 16;

/// The corners of one shape against the surfaces of the other.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    /// One target, with the corners as initiators.
    pub(super) oriented: Oriented,
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

/// The corners of a pair that a probe follows, at a pose, and the pose of the target.
struct At<'a> {
    corners: &'a [Vec3],
    pose: Pose,
    target: Pose,
}

impl At<'_> {
    fn point(&self, corner: usize) -> Vec3 {
        self.pose.transform_point(&self.corners[corner])
    }

    /// The least value of all corners, each with its number and point in the world.
    fn least(&self, of: impl Fn(usize, &Vec3) -> f64) -> f64 {
        (0..self.corners.len()).map(|j| of(j, &self.point(j))).fold(f64::INFINITY, f64::min)
    }
}

impl Probe {
    /// Begins as if the shapes had just come together along the shortest separating translation: so the surface of a corner that touches several is the one that its shape lies on.
    pub(super) fn begin(pair: &OrientedPair<'_>, is_b: bool) -> Result<Self, ColliderError> {
        let [(owner, pose), (other, at)] = pair.sides(is_b);
        let (skin, corners) = (pair.skin(), owner.corners());
        let target = other.target().map_err(OrientedError::clone)?.clone().inflated(skin);
        let apart = separation(pair, 4.0 * skin)? * if is_b { 1.0 } else { -1.0 };
        let moved = |corner: &Vec3| pose.transform_point(corner) + apart;
        let mut points: Vec<Vec3> = corners.iter().map(moved).collect();
        let form = if corners.len() < MANY { Form::Conditional } else { Form::Guards };
        // Events are located, by functions and by following what is fast: the straight way between the ends of a long step must not count for the bent one.
        let is_nearest = [owner, other].iter().any(|side| side.rule == SurfaceRule::Nearest);
        let rule = if is_nearest { SurfaceRule::Nearest } else { SurfaceRule::History };
        let params = OrientedParams { form, clipping: false, rule, ..OrientedParams::default() };
        let mut oriented = Oriented::new(vec![target], &[at], &points, params)?;
        points.clear();
        points.extend(corners.iter().map(|corner| pose.transform_point(corner)));
        oriented.commit(&[at], &points)?;
        Ok(Self { oriented, is_b, skin, points })
    }

    /// The corners of the pair that it follows.
    fn at<'a>(&self, pair: &OrientedPair<'a>) -> At<'a> {
        let [(owner, pose), (_, target)] = pair.sides(self.is_b);
        At { corners: OrientedCollider::corners(owner), pose, target }
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

    pub(super) fn free_gap(&self, pair: &OrientedPair<'_>) -> f64 {
        let at = self.at(pair);
        at.least(|j, point| match self.oriented.reference().surface(0, j) {
            Some(_) => f64::INFINITY,
            None => self.free_separation(j, &at.target, point),
        })
    }

    pub(super) fn gap(&self, pair: &OrientedPair<'_>) -> f64 {
        let at = self.at(pair);
        at.least(|j, point| {
            let held = self.oriented.active_gap(0, j, &at.target, point);
            held.unwrap_or_else(|| self.free_separation(j, &at.target, point))
        })
    }

    pub(super) fn contacts(&self, pair: &OrientedPair<'_>, contacts: &mut Vec<Contact>) {
        let at = self.at(pair);
        for touch in self.oriented.reference().touches() {
            let j = touch.initiator as usize;
            let point = at.point(j);
            let Some(gap) = self.oriented.active_gap(0, j, &at.target, &point) else { continue };
            // Force begins at the surface itself.
            let gap = gap + self.skin;
            let facet = &self.oriented.targets()[0].facets()[touch.surface as usize];
            let outward = at.target.transform_vector(&facet.normal);
            let (corner, surface) = (Feature::Vertex(touch.initiator), Feature::Face(touch.surface));
            // From A to B: outward of a target that is A.
            let contact = Contact {
                gap,
                normal: outward,
                point_a: point - outward * gap,
                point_b: point,
                id: ContactId { a: surface, b: corner },
            };
            contacts.push(if self.is_b { contact } else { contact.swapped() });
        }
    }

    pub(super) fn function(&self, pair: &OrientedPair<'_>) -> f64 {
        let at = self.at(pair);
        at.least(|j, point| {
            if self.oriented.reference().surface(0, j).is_none() {
                return self.free_separation(j, &at.target, point);
            }
            let [outside, off_span] = self.oriented.roots_of(0, j, &at.target, point);
            outside.min(off_span)
        })
    }

    /// Takes the poses of a pair as the reference, and adds hand-overs; whether who touches what has changed.
    pub(super) fn commit(
        &mut self,
        pair: &OrientedPair<'_>,
        hand_overs: &mut Vec<HandOver>,
    ) -> Result<bool, OrientedError> {
        let At { corners, pose, target } = self.at(pair);
        self.points.clear();
        self.points.extend(corners.iter().map(|corner| pose.transform_point(corner)));
        let now = self.oriented.commit(&[target], &self.points)?;
        hand_overs.extend(now.touches().iter().filter_map(|touch| match touch.kind {
            TouchKind::HandedOver { from } => Some(HandOver { from, to: touch.surface }),
            _ => None,
        }));
        let is_new = |touch: &Touch| touch.kind != TouchKind::Kept;
        Ok(!now.releases().is_empty() || now.touches().iter().any(is_new))
    }
}

/// How far B is to be moved to be apart from A by a gap [m], along the shortest translation; nothing where it is.
fn separation(pair: &OrientedPair<'_>, gap: f64) -> Result<Vec3, ColliderError> {
    let params = DistanceParams { cutoff: gap, ..DistanceParams::default() };
    let shapes = ColliderPair::new(pair.a.shape(), pair.pose_a, pair.b.shape(), pair.pose_b);
    let found = collider::gap(&shapes, &params, &mut ColliderCache::default())?;
    let missing = gap - ColliderError::check(found.gap)?;
    Ok(if missing > 0.0 { found.normal * missing } else { Vec3::zeros() })
}
