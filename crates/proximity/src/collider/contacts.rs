//! Contacts of compounds, meshes, complexes and corners.

use zerogap_core::{Contact, Gap, GapStatus, Manifold};

use super::answer::contacts_into;
use super::cache::ColliderCache;
use super::compound::{box_depth, box_distance, pieces};
use super::error::ColliderError;
use super::kind::Collider;
use super::pair::ColliderPair;
use super::table::{NO_HISTORY, Question, refusal};
use crate::ProximityError;
use crate::convex::ContactParams;
use crate::lmd::{ComplexBody, QuasiContact, QuasiParams, QuasiStatus, quasi_contacts_into};
use crate::mesh::{MeshContactParams, MeshOperand, mesh_contacts_into};

/// The contacts of two colliders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactSet {
    /// The gap of the pair and its contacts. Contacts of meshes, complexes and compounds have normals of their own; `normal` and `features` are then those of the nearest one.
    pub manifold: Manifold,
    /// Numbers of the pieces that each contact is between, in the order of the contacts; empty where neither is a compound.
    pub pieces: Vec<[u32; 2]>,
    /// The contacts of complexes with what only they have, in the order of the contacts; empty for others.
    pub quasi: Vec<QuasiContact>,
    /// Distance that complexes are apart at least [m]; none where they intersect, and for other pairs. The contacts of complexes that intersect are those of the shapes that they were made of, where these are known.
    pub base_distance: Option<f64>,
}

impl ContactSet {
    /// Forgets the contacts of the pair before.
    pub(super) fn clear(&mut self) {
        self.manifold.contacts.clear();
        self.manifold.weights.clear();
        self.pieces.clear();
        self.quasi.clear();
        self.base_distance = None;
    }

    /// Has no contacts: whatever there is is farther away than this [m].
    pub(crate) fn leave(&mut self, within: f64) {
        self.summarize(Gap { lower: within, ..Gap::farthest() });
    }

    /// Sets what the manifold says of all its contacts from the nearest one, or from a gap where there is none.
    fn summarize(&mut self, without: Gap) {
        let Manifold { gap, normal, normal_kind, features, contacts, .. } = &mut self.manifold;
        let nearest = contacts.iter().reduce(|best, next| if next.gap < best.gap { next } else { best });
        *features = nearest.map(|contact| contact.id);
        *gap = nearest.map_or(without, Contact::as_gap);
        (*normal, *normal_kind) = (gap.normal, gap.normal_kind);
    }
}

/// Says of the gap of two bodies in overlap that it is the depth of their deepest part, and that the separating translation may be longer.
fn bounded(gap: &mut Gap, pair: &ColliderPair<'_>) {
    if gap.gap >= 0.0 {
        return;
    }
    // Out of a half-space there is one way.
    if let Some((a, b)) = pair.bounds() {
        (gap.lower, gap.status) = (gap.lower.min(-box_depth(&a, &b)), GapStatus::LocalDepth);
    }
}

/// Sine that no way to a neighbour exceeds [-]: every corner of a mesh below a half-space counts. A corner that counts only while no neighbour is lower would begin and end
/// with a depth, and a force that follows depths would jump.
const EVERY_SLOPE: f64 = 1.0;

/// The contacts of two bodies, at least one of which is a mesh.
pub(super) fn of_meshes(
    (a, b): (MeshOperand<'_>, MeshOperand<'_>),
    pair: &ColliderPair<'_>,
    params: &ContactParams,
    cache: &mut ColliderCache,
    set: &mut ContactSet,
) -> Result<(), ColliderError> {
    let within = params.within;
    let mut asked = MeshContactParams::within(within);
    let has_half_space = [a, b].iter().any(|side| matches!(side, MeshOperand::HalfSpace(_)));
    if params.quadrature.is_some() && has_half_space {
        asked.slope = EVERY_SLOPE;
    }
    let contacts = &mut set.manifold.contacts;
    mesh_contacts_into(a, &pair.pose_a, b, &pair.pose_b, &asked, &mut cache.mesh, contacts)?;
    set.leave(within);
    bounded(&mut set.manifold.gap, pair);
    Ok(())
}

/// The contacts of corners with the surfaces that they came in through.
pub(super) fn of_corners(pair: &ColliderPair<'_>, set: &mut ContactSet) -> Result<(), ColliderError> {
    let (Some(oriented), Some(history)) = (pair.oriented(), pair.history) else {
        let (a, b) = (pair.a.kind(), pair.b.kind());
        return Err(ColliderError::Refused { question: Question::Contacts, a, b, reason: NO_HISTORY });
    };
    history.contacts(&oriented, &mut set.manifold.contacts);
    let gap = history.gap(&oriented);
    set.summarize(Gap { gap, lower: gap, ..Gap::farthest() });
    Ok(())
}

/// The quasi-LMDs of two complexes, or of a complex and a half-space.
///
/// Fails: two half-spaces, of which one is among complexes.
pub(super) fn of_complexes(
    pair: &ColliderPair<'_>,
    within: f64,
    cache: &mut ColliderCache,
    set: &mut ContactSet,
) -> Result<(), ColliderError> {
    set.clear();
    let plane = |collider: &Collider| match collider {
        Collider::HalfSpace(plane) => ComplexBody::half_space(*plane, 0.0).ok(),
        _ => None,
    };
    let (plane_a, plane_b) = (plane(pair.a), plane(pair.b));
    let (body_a, body_b) =
        (pair.a.as_complex().or(plane_a.as_ref()), pair.b.as_complex().or(plane_b.as_ref()));
    let (Some(body_a), Some(body_b)) = (body_a, body_b) else {
        unreachable!("the table answers complexes and half-spaces here, and a half-space has no dilation")
    };
    let angular_tolerance = angular_tolerance(pair.a).max(angular_tolerance(pair.b));
    let params = QuasiParams { angular_tolerance, within, ..QuasiParams::default() };
    let (pose_a, pose_b) = (&pair.pose_a, &pair.pose_b);
    let status =
        quasi_contacts_into(body_a, pose_a, body_b, pose_b, &params, &mut cache.quasi, &mut set.quasi);
    set.manifold.contacts.extend(set.quasi.iter().map(|quasi| quasi.contact));
    let dilations = body_a.dilation() + body_b.dilation();
    match status {
        QuasiStatus::Separated { base_distance } => {
            set.base_distance = Some(base_distance);
            // Where no contact is listed this is a bound, as the status says.
            let gap = base_distance - dilations;
            set.summarize(Gap { gap, lower: gap, ..Gap::farthest() });
        }
        // Complexes that intersect are deeper in each other than their contacts can say; the shapes that they were made of know.
        QuasiStatus::BaseIntersecting if solids(pair).is_some() => of_solids(pair, within, cache, set)?,
        QuasiStatus::BaseIntersecting => {
            set.summarize(Gap { gap: -dilations, upper: -dilations, ..Gap::farthest() });
            let gap = &mut set.manifold.gap;
            (gap.lower, gap.status) = (f64::NEG_INFINITY, GapStatus::DepthUnknown);
        }
        QuasiStatus::BothUnbounded => return Err(ProximityError::BothUnbounded.into()),
    }
    Ok(())
}

/// The shapes that two complexes were made of, and how far the complexes reach beyond them [m]; none where one is not known, or where the two have no contacts.
fn solids<'a>(pair: &ColliderPair<'a>) -> Option<[(&'a Collider, f64); 2]> {
    let solid = |collider: &'a Collider| match collider {
        Collider::Complex(complex) => complex.solid.as_ref().map(|solid| (&solid.collider, solid.inflation)),
        other => Some((other, 0.0)),
    };
    let (a, b) = (solid(pair.a)?, solid(pair.b)?);
    refusal(a.0.kind(), b.0.kind(), Question::Contacts).is_none().then_some([a, b])
}

/// The contacts of the shapes that two complexes were made of, moved out to where the complexes end.
fn of_solids(
    pair: &ColliderPair<'_>,
    within: f64,
    cache: &mut ColliderCache,
    set: &mut ContactSet,
) -> Result<(), ColliderError> {
    let Some([(a, beyond_a), (b, beyond_b)]) = solids(pair) else { return Ok(()) };
    let solids = ColliderPair::new(a, pair.pose_a, b, pair.pose_b);
    let params = ContactParams::within(within + beyond_a + beyond_b);
    // What was kept of the complexes is of no use here.
    let warm = cache.warm.take();
    let outcome = contacts_into(&solids, &params, cache, set);
    cache.warm = warm;
    outcome?;
    for contact in &mut set.manifold.contacts {
        contact.gap -= beyond_a + beyond_b;
        contact.point_a += contact.normal * beyond_a;
        contact.point_b -= contact.normal * beyond_b;
    }
    set.pieces.clear();
    set.leave(within);
    bounded(&mut set.manifold.gap, pair);
    Ok(())
}

/// The angular tolerance of a complex [rad]; 0 for others.
fn angular_tolerance(collider: &Collider) -> f64 {
    match collider {
        Collider::Complex(complex) => complex.angular_tolerance,
        _ => 0.0,
    }
}

/// The contacts of all pairs of pieces within reach.
pub(super) fn of_pieces(
    pair: &ColliderPair<'_>,
    params: &ContactParams,
    cache: &mut ColliderCache,
    set: &mut ContactSet,
) -> Result<(), ColliderError> {
    // Weights are those of one pair of pieces.
    let params = &ContactParams { quadrature: None, ..*params };
    let (mut boxes, mut part) = (std::mem::take(&mut cache.boxes), std::mem::take(&mut cache.piece));
    pair.place_boxes(&mut boxes);
    let (mut lower, mut outcome) = (f64::INFINITY, Ok(()));
    'pairs: for (p, box_a) in pieces(pair.a).zip(&boxes[0]) {
        for (q, box_b) in pieces(pair.b).zip(&boxes[1]) {
            let bound = box_distance(box_a.as_ref(), box_b.as_ref());
            if bound > params.within {
                lower = lower.min(bound);
                continue;
            }
            outcome = contacts_into(&pair.of_pieces(&p, &q), params, cache, &mut part);
            if outcome.is_err() {
                break 'pairs;
            }
            lower = lower.min(part.manifold.gap.lower);
            set.pieces.extend(part.manifold.contacts.iter().map(|_| [p.number, q.number]));
            set.manifold.contacts.append(&mut part.manifold.contacts);
        }
    }
    (cache.boxes, cache.piece) = (boxes, part);
    set.summarize(Gap { lower, ..Gap::farthest() });
    bounded(&mut set.manifold.gap, pair);
    outcome
}
