//! Contact manifolds: every point where two shapes touch or nearly do, each with its own gap.
//!
//! In: two shapes and their poses, and how near is near. Out: [`Manifold`]. The files follow a query: `facing` (with `facing_flat` and `facing_round`)
//! finds the flat part of each shape that faces the normal, a `patch`; `normal` decides which normal; `border` sees where an edge is touched and not its
//! face; `overlay` lays the two patches over each other, with `lines` and `arc`; `settled` proves the gap of a contact on a face and `touch` determines whether
//! a touch has but one normal; `reduce` keeps four of the points for those who want no more; `quadrature` has points with weights for round caps, where forces must not jump; `cache` carries a pair from step to step. Same input, same bits.

mod arc;
mod border;
mod cache;
mod facing;
mod facing_flat;
mod facing_round;
mod lines;
mod normal;
mod overlay;
mod patch;
mod polish;
mod quadrature;
mod reduce;
mod settled;
mod touch;

use zerogap_core::{Contact, ContactId, Feature, Gap, GapStatus, Manifold, NormalKind, Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::HalfSpace;

use super::pair;
use super::placement::Placement;
use super::query::{DistanceParams, comes_first, placed};
use super::rounding::{extent, reach, slack};
use border::narrow_to_border;
pub use cache::ContactCache;
use cache::{KeptContacts, Work};
use facing::{face_normal, facing};
use normal::{
    PlacedShapes, SHARPER, better, continued, floor, normal_between_faces, normal_from_faces,
    normal_from_lines,
};
use polish::polish;
use quadrature::Quadrature;
use reduce::reduce_to_four;
pub(super) use touch::is_sharp;
use touch::kind_at_touch;

/// Differences of places in the contact plane that count as none, against the extent of the pair [-]: some thousand roundings.
const ROOM: f64 = 1e-12;

/// How far a contact may be from the nearest points and still stand for them, against what these are known to [-].
const NEAR: f64 = 16.0;

/// Parameters of a manifold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactParams {
    /// Contacts up to this gap count; shapes farther apart have none [m].
    pub within: f64,
    /// Whether to keep no more than four contacts of each manifold: the deepest and those that span the most area with it.
    pub at_most_four: bool,
    /// Maximum sagitta between sampled points of a rim, relative to the radius [-]: 0.08 makes 8 points.
    pub arc_tolerance: f64,
    /// Width of the bounds of the gap, for curved shapes, against the extent of the pair [-]; as in [`DistanceParams`].
    pub tolerance: f64,
    /// Whether caps give a quadrature of their rim, for forces that must not jump: points with [`Manifold::weights`] that are continuous in the poses, in place of the corners of the common part.
    /// Points of a rim that lie within this radius of each other share one spring [m]. None: corners.
    pub quadrature: Option<f64>,
}

impl Default for ContactParams {
    fn default() -> Self {
        let DistanceParams { tolerance, .. } = DistanceParams::default();
        Self { within: 1e-3, at_most_four: false, arc_tolerance: 0.08, tolerance, quadrature: None }
    }
}

impl ContactParams {
    /// The usual settings, with contacts up to this gap [m].
    pub fn within(within: f64) -> Self {
        Self { within, ..Self::default() }
    }

    /// The question for the gap.
    fn for_gap(&self) -> DistanceParams {
        DistanceParams { tolerance: self.tolerance, cutoff: self.within, ..DistanceParams::default() }
    }
}

/// Returns the contacts of two convex shapes.
///
/// Computes: the gap with its certificate, as [`super::distance`]; and the corners of the part in which the two features that face each other
///   lie over each other, each with its own gap along the one normal, for gaps up to [`ContactParams::within`].
/// Frames: poses and answer in the world.
/// Method: Cheng Yi & Drumwright, sec. IV-D and E. Differs from it: the features are not the vertices within a tolerance of the contact plane
///   but the whole face, edge or vertex that faces the normal within 10 degrees, so that a body that tilts keeps its contacts, with gaps
///   of their own, until these are farther than requested. No contact is lost to a tolerance.
/// Tolerance: the smallest gap is that of the shapes, to its certificate; gaps of the other points to 1e-13 of the extent for polytopes, and 1e-9 where
///   sharp edges count as parallel, which they do when they are no farther beside each other. Points of rounded faces
///   that lean by an angle θ lie up to r θ²/2 below the surface; rims are sampled, see [`ContactParams::arc_tolerance`].
/// Cost: the gap, and a product of the two faces' corners; nothing is allocated after the first queries.
/// Fails: never; where rounding leaves no common part, the nearest points are the one contact.
/// Order: contacts lie around the manifold, counter-clockwise about the normal of one of the two orders of the shapes; a nearest point inside of it,
///   as on a flat dome, is listed between two of them. Swapping A and B swaps every contact and changes no other bit, unless shape and
///   pose are equal.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::shape::Cuboid;
/// use zerogap_proximity::convex::{ContactParams, contacts};
///
/// let cube = Cuboid::new(Vec3::repeat(2.0))?.into();
/// let above = Pose::from_translation(Vec3::new(0.5, 0.0, 2.0))?;
/// let manifold = contacts(&cube, &Pose::identity(), &cube, &above, &ContactParams::default());
/// assert_eq!(manifold.contacts.len(), 4);
/// assert!(manifold.contacts.iter().all(|contact| contact.gap == 0.0 && contact.normal == Vec3::z()));
/// assert_eq!(manifold.features.unwrap().to_string(), "face 5 on face 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    params: &ContactParams,
) -> Manifold {
    let mut manifold = Manifold::default();
    contacts_into(a, pose_a, b, pose_b, params, &mut manifold);
    manifold
}

/// [`contacts`] without memory of the pair, into a manifold whose memory is used again.
pub fn contacts_into(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    params: &ContactParams,
    manifold: &mut Manifold,
) {
    let is_swapped = !comes_first(a, pose_a, b, pose_b);
    let ([a, b], [pose_a, pose_b]) =
        if is_swapped { ([b, a], [pose_b, pose_a]) } else { ([a, b], [pose_a, pose_b]) };
    let at = Placement::new(pose_a, pose_b);
    let gap = pair::distance(a, b, &at, &params.for_gap());
    Work::with_own(|work| {
        work.quadrature.is_swapped = is_swapped;
        fill(&PlacedShapes { a, b, at: &at }, gap, None, params, work, manifold)
    });
    if is_swapped {
        manifold.swap();
    }
}

/// [`contacts`] with a cache for the pair, into a manifold whose memory is used again.
///
/// The cache makes the search quicker where the shapes move little, answers at once where they do not move at all, and keeps the normal
/// where several would do; it never changes a gap of the shapes. One cache per pair.
///
/// ```
/// use zerogap_core::{Manifold, Pose, Vec3};
/// use zerogap_geometry::shape::Cuboid;
/// use zerogap_proximity::convex::{ContactCache, ContactParams, contacts_with};
///
/// let (table, cup) = (Cuboid::new(Vec3::new(4.0, 4.0, 0.2))?.into(), Cuboid::new(Vec3::repeat(0.1))?.into());
/// let (mut cache, mut manifold) = (ContactCache::default(), Manifold::default());
/// for step in 0..100 {
///     let pose = Pose::from_translation(Vec3::new(0.01 * f64::from(step), 0.0, 0.15))?;
///     contacts_with(&table, &Pose::identity(), &cup, &pose, &ContactParams::within(1e-3), &mut cache, &mut manifold);
///     assert_eq!(manifold.contacts.len(), 4);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts_with(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    params: &ContactParams,
    cache: &mut ContactCache,
    manifold: &mut Manifold,
) {
    if cache.recall(a, pose_a, b, pose_b, params, manifold) {
        return;
    }
    let is_swapped = !comes_first(a, pose_a, b, pose_b);
    let ([first, second], [pose_first, pose_second]) =
        if is_swapped { ([b, a], [pose_b, pose_a]) } else { ([a, b], [pose_a, pose_b]) };
    let at = Placement::new(pose_first, pose_second);
    cache.turn(is_swapped, &at.R_AB);
    let both = PlacedShapes { a: first, b: second, at: &at };
    let work = &mut cache.work;
    work.quadrature.is_swapped = is_swapped;
    let settled = cache.found.filter(|found| found.is_settled);
    cache.found = settled.and_then(|found| refill(&both, &found, params, work, manifold)).or_else(|| {
        let gap = pair::distance_warm(first, second, &at, &params.for_gap(), &mut cache.warm);
        let last = cache.found.map(|found| found.normal);
        fill(&both, gap, last.as_ref(), params, work, manifold)
    });
    if is_swapped {
        manifold.swap();
    }
    cache.keep(a, pose_a, b, pose_b, params, manifold);
}

/// Returns the contacts of a half-space A and a convex shape B: see [`contacts`].
pub fn half_space_contacts(
    a: &HalfSpace,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    params: &ContactParams,
    manifold: &mut Manifold,
) {
    let at = Placement::new(pose_a, pose_b);
    let gap = super::half_space::half_space(a, b, &at);
    let gap = if gap.lower > params.within { Gap { status: GapStatus::Farther, ..gap } } else { gap };
    start(manifold, at.to_world(gap));
    if gap.status == GapStatus::Farther {
        return;
    }
    Work::with_own(|work| {
        let normal = gap.normal;
        let [plane_patch, patch] = &mut work.patches;
        patch.wants_fan = params.quadrature.is_some();
        facing(b, &-at.R_AB.tr_mul(&normal), params.arc_tolerance, patch);
        patch.place(|point| at.to_a(point), |direction| at.R_AB * direction);
        patch.reverse();
        let size = extent(a.offset().abs(), reach(b), &at.p_AB);
        let plane = Feature::Face(0);
        let features = ContactId { a: plane, b: patch.farthest(&-normal, ROOM * size) };
        manifold.features = Some(features);
        if let Some(shared) = params.quadrature {
            plane_patch.set_plane(normal * a.offset(), normal, plane);
            if work.quadrature.fill([plane_patch, patch], &normal, shared, &gap) {
                finish_weighted(&work.quadrature, &gap, params, &at, manifold);
                return;
            }
        }
        // The vertices around a patch are those of the patch and more.
        let corners = if patch.fan.is_empty() { &patch.corners } else { &patch.fan };
        let patch_points = corners.iter().map(|corner| {
            let gap = normal.dot(&corner.point) - a.offset();
            (corner.point - normal * gap, gap, ContactId { a: plane, b: corner.name })
        });
        finish(patch_points, &gap, features, size, params, &at, manifold);
    });
}

/// Fills a manifold from the gap in A's frame; returns what is worth keeping for the next step, or none where there are no contacts.
fn fill(
    both: &PlacedShapes<'_>,
    gap: Gap,
    last: Option<&Vec3>,
    params: &ContactParams,
    work: &mut Work,
    manifold: &mut Manifold,
) -> Option<KeptContacts> {
    let PlacedShapes { a, b, at } = *both;
    if gap.lower > params.within || gap.status == GapStatus::Farther || gap.gap > params.within {
        start(manifold, placed(at, gap, &params.for_gap()));
        return None;
    }
    let size = extent(reach(a), reach(b), &at.p_AB);

    // The normal, and the patches along it: from faces, from lines, or from the nearest points alone.
    let floor = floor(&gap, slack(size));
    // Curved shapes know their gap less well, and what it makes of a normal or a feature.
    let blur = (ROOM * size).max(gap.upper - gap.lower);
    let is_open = gap.gap.abs() <= blur && is_sharp(a) && is_sharp(b);
    let mut normal = continued(&gap, floor, last, is_open, both);
    work.update(&normal, both, params);
    let is_kept =
        last.is_some_and(|last| *last == normal) && (is_open || gap.normal_kind == NormalKind::Chosen);
    // A normal that is kept from the last step is sharpened, not given up for another.
    let is_welcome = |better: &Vec3| !is_kept || (better - normal).amax() <= SHARPER;
    let by_face = normal_from_faces(floor, work.both(), both).filter(|(better, _)| is_welcome(better));
    let by_line = || normal_from_lines(&normal, floor, work.both(), both).filter(is_welcome);
    if let Some(better) = by_face.map(|(better, _)| better).or_else(by_line) {
        if better != normal {
            work.update(&better, both, params);
        }
        // Also where they are equal: zeros have signs.
        normal = better;
    }
    // Forces need more digits than a search leaves.
    let mut gap = gap;
    if params.quadrature.is_some() && by_face.is_none() && !(is_sharp(a) && is_sharp(b)) {
        if let Some(mean) = normal_between_faces(work.both()) {
            normal = mean;
            work.update(&normal, both, params);
        } else if let Some(polished) = polish(both, work.both(), &normal, &gap, floor, size) {
            (gap, normal) = (polished, polished.normal);
            work.update(&normal, both, params);
        }
    }
    narrow_to_border(&mut work.patches, &normal, &gap.point_a);
    work.lay(&normal, ROOM * size);
    let proof = by_face.and_then(|(_, separation)| work.proof(&normal, separation, both, size));
    // Just within the requested distance rounding may differ: then the result of the search counts.
    let proof = proof.filter(|gap| gap.gap <= params.within);
    start(manifold, at.to_world(proof.unwrap_or(gap)));
    let gap = proof.unwrap_or(Gap { normal, ..gap });
    let patches = conclude(&gap, size, params, at, work, manifold);
    // The search may have come to rest on one of several normals of corners and edges.
    let may_choose = is_open || (gap.normal_kind == NormalKind::Chosen && gap.gap.abs() <= blur);
    if let Some(features) = manifold.features.filter(|_| may_choose && proof.is_none()) {
        manifold.normal_kind = kind_at_touch(&work.overlay, work.both(), features, gap.gap + blur);
    }
    Some(KeptContacts { normal, patches, is_settled: proof.is_some() })
}

/// Fills a manifold from the faces that proved the gap in the last step, where they do so again: with the bits of [`fill`], and no search.
fn refill(
    both: &PlacedShapes<'_>,
    found: &KeptContacts,
    params: &ContactParams,
    work: &mut Work,
    manifold: &mut Manifold,
) -> Option<KeptContacts> {
    let PlacedShapes { a, b, at } = *both;
    let of_a = face_normal(a, found.patches.a);
    let of_b = face_normal(b, found.patches.b).map(|normal| -(at.R_AB * normal));
    let (normal, separation) = better([of_a, of_b], both)?;
    let size = extent(reach(a), reach(b), &at.p_AB);
    work.update(&normal, both, params);
    work.lay(&normal, ROOM * size);
    let gap = work.proof(&normal, separation, both, size).filter(|gap| gap.gap <= params.within)?;
    start(manifold, at.to_world(gap));
    let patches = conclude(&gap, size, params, at, work, manifold);
    Some(KeptContacts { normal, patches, is_settled: true })
}

/// Fills in features and contacts from the patches as they were laid over each other, and returns these; the gap is in A's frame, with the
/// normal of the contacts.
fn conclude(
    gap: &Gap,
    size: f64,
    params: &ContactParams,
    at: &Placement,
    work: &mut Work,
    manifold: &mut Manifold,
) -> ContactId {
    let ([patch_a, patch_b], normal) = (work.both(), gap.normal);
    // Curved shapes know their normal as well as their gap, and what it makes of a feature.
    let blur = (ROOM * size).max(gap.upper - gap.lower);
    let features = ContactId { a: patch_a.farthest(&normal, blur), b: patch_b.farthest(&-normal, blur) };
    let patches = ContactId { a: patch_a.name, b: patch_b.name };
    manifold.features = Some(features);
    if let Some(shared) = params.quadrature
        && work.weigh(&normal, shared, gap)
    {
        finish_weighted(&work.quadrature, gap, params, at, manifold);
        return patches;
    }
    if params.quadrature.is_some() {
        work.add_fans(&normal);
    }
    let patch_points = work
        .overlay
        .patch_points
        .iter()
        .map(|patch_point| (patch_point.point_a, patch_point.gap, patch_point.id));
    finish(patch_points, gap, patches, size, params, at, manifold);
    patches
}

/// A manifold without contacts.
fn start(manifold: &mut Manifold, gap: Gap) {
    let Gap { normal, normal_kind, .. } = gap;
    (manifold.gap, manifold.normal, manifold.normal_kind, manifold.features) =
        (gap, normal, normal_kind, None);
    manifold.contacts.clear();
    manifold.weights.clear();
}

/// Moves the nodes of a quadrature to the world: those that are near enough.
fn finish_weighted(
    quadrature: &Quadrature,
    gap: &Gap,
    params: &ContactParams,
    at: &Placement,
    manifold: &mut Manifold,
) {
    let normal = at.turn_to_world(&gap.normal);
    manifold.normal = normal;
    for (&(point_a, gap, id), &weight) in quadrature.nodes.iter().zip(&quadrature.weights) {
        if gap <= params.within && weight > 0.0 {
            let point_a = at.to_world_point(&point_a);
            manifold.contacts.push(Contact { gap, normal, point_a, point_b: point_a + normal * gap, id });
            manifold.weights.push(weight);
        }
    }
}

/// Moves contacts, given as point of A, gap and id, to the world: those that are near enough, and the nearest points where none stands
/// for them.
fn finish(
    patch_points: impl Iterator<Item = (Vec3, f64, ContactId)>,
    gap: &Gap,
    id: ContactId,
    size: f64,
    params: &ContactParams,
    at: &Placement,
    manifold: &mut Manifold,
) {
    let contacts = &mut manifold.contacts;
    let room = (ROOM * size).max(gap.upper - gap.lower);
    let normal = at.turn_to_world(&gap.normal);
    manifold.normal = normal;
    let contact = |(point_a, gap, id): (Vec3, f64, ContactId)| {
        let point_a = at.to_world_point(&point_a);
        Contact { gap, normal, point_a, point_b: point_a + normal * gap, id }
    };
    let mut has_nearest = false;
    for patch_point in patch_points.filter(|(_, gap, _)| *gap <= params.within) {
        has_nearest |= patch_point.1 <= gap.gap + room;
        contacts.push(contact(patch_point));
    }
    if !has_nearest {
        // Points of polytopes are known to rounding, those of curved shapes to the root of what their gap is known to.
        let blur = gap.upper - gap.lower;
        let near = if blur > ROOM * size { NEAR * (blur * size).sqrt() } else { NEAR * ROOM * size };
        add_nearest(contacts, contact((gap.point_a, gap.gap, id)), near);
    }
    if params.at_most_four {
        reduce_to_four(contacts);
    }
}

/// Adds the nearest points of the shapes to contacts that none stands for them: in the place of one within `near` [m] or of the same name, else
/// between the two neighbours that lengthen the loop least.
fn add_nearest(contacts: &mut Vec<Contact>, nearest: Contact, near: f64) {
    let at = nearest.point_a;
    let distance =
        |contact: &Contact| if contact.id == nearest.id { 0.0 } else { (contact.point_a - at).norm() };
    let closest = contacts.iter_mut().min_by(|p, q| distance(p).total_cmp(&distance(q)));
    // The points of curved bodies are known to the root of what their gap is known to: the contact keeps its name.
    if let Some(contact) = closest.filter(|contact| distance(contact) <= near) {
        *contact = Contact { id: contact.id, ..nearest };
        return;
    }
    let count = contacts.len();
    let detour = |k: usize| {
        let (from, to) = (contacts[k].point_a, contacts[(k + 1) % count].point_a);
        (at - from).norm() + (to - at).norm() - (to - from).norm()
    };
    let after = (0..count).min_by(|p, q| detour(*p).total_cmp(&detour(*q)));
    contacts.insert(after.map_or(0, |k| k + 1), nearest);
}
