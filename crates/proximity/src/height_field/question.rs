//! Gaps, contacts and first touches of a height field: those of the patch near the partner.

use std::sync::Arc;

use zerogap_core::{Aabb, Gap, GapStatus, Pose, Vec3};

use super::patch::{HeightFieldBody, Patch};
use crate::collider::table::Question;
use crate::collider::{
    Collider, ColliderCache, ColliderError, ColliderPair, ContactSet, contact_gap, contacts_into, gap,
};
use crate::convex::{ContactParams, DistanceParams};
use crate::motion::Motion;

/// A pair of which one is a height field.
struct FieldPair<'a> {
    pair: ColliderPair<'a>,
    field: &'a HeightFieldBody,
    /// Whether the field is A.
    is_a: bool,
    /// The box around the partner, in the field's frame [m].
    bounds: Aabb,
}

impl<'a> FieldPair<'a> {
    /// Fails: pairs that the table refuses.
    fn new(pair: &ColliderPair<'a>, question: Question) -> Result<Self, ColliderError> {
        if let Some(refused) = pair.refusal(question) {
            return Err(refused);
        }
        let (field, is_a) = match (pair.a, pair.b) {
            (Collider::HeightField(field), _) => (field, true),
            (_, Collider::HeightField(field)) => (field, false),
            _ => unreachable!("asked for pairs with a height field alone"),
        };
        let (own, partner, pose) =
            if is_a { (pair.pose_a, pair.b, pair.pose_b) } else { (pair.pose_b, pair.a, pair.pose_a) };
        let Some(bounds) = partner.bounds(&(own.inverse() * pose)) else {
            unreachable!("the table refuses half-spaces here")
        };
        Ok(Self { pair: *pair, field, is_a, bounds })
    }

    /// The pair with a patch in place of the field.
    fn with<'p>(&self, patch: &'p Patch) -> ColliderPair<'p>
    where
        'a: 'p,
    {
        let mut pair: ColliderPair<'p> = self.pair;
        if self.is_a {
            pair.a = &patch.collider;
        } else {
            pair.b = &patch.collider;
        }
        pair
    }

    /// A gap of the patch as one of the field: what leaves the patch sideways is still in the field.
    fn bounded(&self, found: Gap) -> Gap {
        match self.pair.bounds().filter(|_| found.gap < 0.0) {
            Some((a, b)) => {
                let out = (a.max - b.min).inf(&(b.max - a.min)).min().max(0.0);
                let status =
                    if found.status == GapStatus::Exact { GapStatus::LocalDepth } else { found.status };
                Gap { lower: found.lower.min(-out), status, ..found }
            }
            None => found,
        }
    }
}

/// No distance that is larger can be the gap of a box, in the field's frame, and a field [m].
fn farthest(field: &HeightFieldBody, bounds: &Aabb) -> f64 {
    let (all, field) = (field.field().bounding_box(), field.field());
    let middle = bounds.center();
    let beside = |axis: usize| middle[axis].clamp(all.min[axis], all.max[axis]);
    let (x, y) = (beside(0), beside(1));
    let surface = Vec3::new(x, y, field.height_at(x, y).unwrap_or(all.max.z));
    (bounds.max - surface).abs().sup(&(surface - bounds.min).abs()).norm()
}

/// The gap of a height field and another collider.
pub(crate) fn gap_with_field(
    pair: &ColliderPair<'_>,
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    let of = FieldPair::new(pair, Question::Gap)?;
    let reach = farthest(of.field, &of.bounds).min(params.cutoff);
    match of.field.patch_near(&of.bounds, reach) {
        Some(patch) => Ok(of.bounded(gap(&of.with(&patch), params, cache)?)),
        None => Ok(Gap { lower: reach, ..Gap::farthest() }),
    }
}

/// The gap of a height field and another collider as their contacts see it [m].
pub(crate) fn contact_gap_with_field(
    pair: &ColliderPair<'_>,
    cutoff: f64,
    cache: &mut ColliderCache,
) -> Result<f64, ColliderError> {
    let of = FieldPair::new(pair, Question::Contacts)?;
    let reach = farthest(of.field, &of.bounds).min(cutoff);
    match of.field.patch_near(&of.bounds, reach) {
        Some(patch) => contact_gap(&of.with(&patch), cutoff, cache),
        None => Ok(f64::INFINITY),
    }
}

/// The contacts of a height field and another collider.
pub(crate) fn contacts_with_field(
    pair: &ColliderPair<'_>,
    params: &ContactParams,
    cache: &mut ColliderCache,
    set: &mut ContactSet,
) -> Result<(), ColliderError> {
    let of = FieldPair::new(pair, Question::Contacts)?;
    let Some(patch) = of.field.patch_near(&of.bounds, params.within) else {
        set.leave(params.within);
        return Ok(());
    };
    contacts_into(&of.with(&patch), params, cache, set)?;
    let manifold = &mut set.manifold;
    let ids = manifold.contacts.iter_mut().map(|contact| &mut contact.id).chain(&mut manifold.features);
    for id in ids {
        let own = if of.is_a { &mut id.a } else { &mut id.b };
        *own = patch.renamed(*own);
    }
    manifold.gap = of.bounded(manifold.gap);
    Ok(())
}

/// What stands for the height field of a moving pair: a patch of it, or nothing where the partner stays out of reach.
pub(crate) enum MovingPatch {
    Patch(Arc<Patch>),
    OutOfReach,
}

/// Two colliders with a patch in place of a height field; none where the partner stays out of reach of it.
pub(crate) fn in_place_of_fields<'p>(
    pair: [&'p Collider; 2],
    patch: Option<&'p MovingPatch>,
) -> Option<[&'p Collider; 2]> {
    let patch = match patch {
        None => return Some(pair),
        Some(MovingPatch::OutOfReach) => return None,
        Some(MovingPatch::Patch(patch)) => &patch.collider,
    };
    Some(pair.map(|one| if matches!(one, Collider::HeightField(_)) { patch } else { one }))
}

/// The whole of the height field of a pair; none where neither is one. Cost: in proportion to its cells where it is not kept.
pub(crate) fn whole_patch(pair: [&Collider; 2]) -> Option<MovingPatch> {
    pair.into_iter().find_map(|one| match one {
        Collider::HeightField(field) => Some(MovingPatch::Patch(field.whole())),
        _ => None,
    })
}

/// The patch of a height field that a partner can come within `reach` [m] of while both move; none where neither is a field.
///
/// Computes: the patch around balls that hold the partner from 0 to `duration` [s], as the field sees it; the whole field where these are not finite.
pub(crate) fn moving_patch(
    a: (&Collider, &Motion),
    b: (&Collider, &Motion),
    duration: f64,
    reach: f64,
) -> Option<MovingPatch> {
    let (((Collider::HeightField(field), own), (partner, other))
    | ((partner, other), (Collider::HeightField(field), own))) = (a, b)
    else {
        return None;
    };
    let Some(body) = partner.bounds(&Pose::identity()) else {
        return Some(MovingPatch::Patch(field.whole()));
    };
    // All points of the partner are within this of the point that moves straight on.
    let center = other.start().inverse_transform_point(&other.center());
    let radius = (body.max - center).abs().sup(&(center - body.min).abs()).norm();
    let start = own.start().inverse_transform_point(&other.center());
    let bounds = if own.velocity() == Vec3::zeros() && own.spin() == Vec3::zeros() {
        let end = start + own.start().inverse_transform_vector(&(other.velocity() * duration));
        Aabb::from_points(&[start, end]).expanded(radius)
    } else {
        // A field that turns moves the partner against itself, faster the farther it is from the field's centre.
        let speed = (own.velocity() - other.velocity()).norm();
        let from_center = (other.center() - own.center()).norm() + duration * speed;
        let speed = speed + own.spin().norm() * from_center;
        Aabb::from_points(&[start]).expanded(radius + speed * duration)
    };
    let is_finite = bounds.min.iter().chain(bounds.max.iter()).all(|x| x.is_finite());
    let patch = if is_finite { field.patch_near(&bounds, reach) } else { Some(field.whole()) };
    Some(patch.map_or(MovingPatch::OutOfReach, MovingPatch::Patch))
}
