//! The signed gap of two bodies, at least one of which is a mesh: the distance of the surfaces apart, the depth of the deepest part in overlap.
//!
//! In: two bodies. Out: a [`MeshGap`] with bounds that hold the exact value, and the parts that overlap. The command, Python and [`crate::collider`] all ask this one.

use zerogap_core::{Contact, ContactId, Feature, Gap, GapStatus, Pose, Vec3};
use zerogap_geometry::ConvexShape;

use super::body::MeshBody;
use super::contacts::{MeshContactParams, mesh_contacts_into};
use super::corner_ways::corner_ways;
use super::depth::{BoundedSide, depth_bounds};
use super::distance::MeshWork;
use super::error::MeshError;
use super::exit::{Exit, exits};
use super::operand::{MeshOperand, mesh_distance};
use super::overlap::{CLEAR, Overlap, mesh_overlaps_into};
use super::question::{MeshDistance, MeshDistanceParams};
use crate::convex::{self, Placement};

/// The signed gap of two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshGap {
    /// The gap with its bounds: in overlap less the depth of the deepest part, with [`GapStatus::LocalDepth`] or [`GapStatus::DepthUnknown`].
    pub gap: Gap,
    /// The distance of the surfaces.
    pub surfaces: MeshDistance,
    /// Why no depth is known of bodies that overlap.
    pub unknown: Option<DepthUnknown>,
}

/// Why no depth is known of bodies that overlap.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DepthUnknown {
    /// Neither has an inside and an outside.
    #[error(transparent)]
    Open(MeshError),
    /// No feature is inside the other body.
    #[error("the surfaces cross, and no vertex or edge gives the depth")]
    Crossing,
}

/// Returns the signed gap of two bodies, and fills `overlaps` with the parts in which they overlap.
///
/// Computes: the distance of the surfaces where the bodies are apart; where they overlap, or one holds the other, less the depth of the deepest part: the least length by which B must move until that part is left
///   (see `docs/derivations/mesh-depth.md`). `lower` and `upper` hold the exact gap: in overlap less the shortest translation that separates the two, which is what convex bodies have.
/// Frames: poses and answer in the world.
/// Method: [`mesh_distance`], [`mesh_overlaps_into`] or [`mesh_contacts_into`]; the bounds from separations along directions and from balls around common points.
/// Tolerance: as these; the bounds are true ones, moved outward by rounding.
/// Cost: that of the distance where the boxes of the two are apart; in overlap a descent of the trees for each direction of the bounds.
/// Fails: two half-spaces; `overlaps` is filled anew.
pub fn mesh_gap(
    a: MeshOperand<'_>,
    pose_a: &Pose,
    b: MeshOperand<'_>,
    pose_b: &Pose,
    params: &MeshDistanceParams,
    work: &mut MeshWork,
    overlaps: &mut Vec<Overlap>,
) -> Result<MeshGap, MeshError> {
    overlaps.clear();
    let surfaces = mesh_distance(a, pose_a, b, pose_b, params, work)?;
    let mut found = MeshGap { gap: of_surfaces(&surfaces), surfaces, unknown: None };
    // A half-space has a signed gap, and bodies whose boxes are apart do not hold each other.
    let boxes = a.bounds(pose_a).zip(b.bounds(pose_b));
    if !boxes.is_some_and(|(box_a, box_b)| box_a.overlaps(&box_b)) {
        return Ok(found);
    }
    if let (MeshOperand::Mesh(a), MeshOperand::Mesh(b)) = (a, b) {
        let outcome = mesh_overlaps_into(a, pose_a, b, pose_b, work, overlaps);
        found.unknown = outcome.err().map(DepthUnknown::Open);
        // Bounds are proved by points near the crossings; the ends of a long way out can be far from them.
        work.contacts.clear();
        work.contacts.extend(overlaps.iter().map(|overlap| overlap.contact));
        take_ways_out((a, pose_a), (b, pose_b), overlaps, work);
    } else {
        let mut contacts = std::mem::take(&mut work.contacts);
        let inside = MeshContactParams::within(0.0);
        let outcome = mesh_contacts_into(a, pose_a, b, pose_b, &inside, work, &mut contacts);
        let deep = contacts.iter().filter(|contact| contact.gap < 0.0);
        overlaps.extend(deep.map(|&contact| Overlap { contact, vertices: 0 }));
        contacts.clear();
        work.contacts = contacts;
        outcome?;
    }
    let deepest = overlaps.iter().map(|overlap| overlap.contact).filter(|contact| contact.gap < 0.0);
    if let Some(contact) = deepest.min_by(|x, y| x.gap.total_cmp(&y.gap)) {
        let normal_kind = found.gap.normal_kind;
        found.gap = Gap { normal_kind, status: GapStatus::LocalDepth, ..contact.as_gap() };
    } else if !(surfaces.gap <= 0.0 && surfaces.status == GapStatus::Exact) {
        return Ok(found);
    }
    // Of convex shapes the depth is known exactly.
    if let (Some(shape_a), Some(shape_b)) = (convex_of(a), convex_of(b)) {
        let exact = convex::distance(shape_a, pose_a, shape_b, pose_b);
        if exact.upper < 0.0 {
            found.gap = Gap { status: GapStatus::LocalDepth, ..exact };
            found.unknown = None;
            let deepest = overlaps.iter().min_by(|x, y| x.contact.gap.total_cmp(&y.contact.gap));
            let surface = ContactId { a: Feature::Surface(0), b: Feature::Surface(0) };
            let id = deepest.map_or(surface, |overlap| overlap.contact.id);
            let vertices = overlaps.iter().map(|overlap| overlap.vertices).sum();
            let Gap { gap, normal, point_a, point_b, .. } = exact;
            overlaps.clear();
            overlaps.push(Overlap { contact: Contact { gap, normal, point_a, point_b, id }, vertices });
            return Ok(found);
        }
    }
    // Bodies that touch, to rounding, or overlap; those without bounds have been answered.
    let (Some(a), Some(b)) = (BoundedSide::of(a), BoundedSide::of(b)) else { return Ok(found) };
    let bounds = depth_bounds(a, pose_a, b, pose_b, overlaps, work);
    let gap = &mut found.gap;
    if gap.gap >= 0.0 && bounds.is_proven {
        found.unknown.get_or_insert(DepthUnknown::Crossing);
        gap.gap = bounds.upper;
        gap.point_b = gap.point_a + gap.normal * gap.gap;
    }
    (gap.lower, gap.upper) = (bounds.lower.min(gap.gap), bounds.upper.max(gap.gap));
    if found.unknown.is_some() {
        gap.status = GapStatus::DepthUnknown;
    }
    Ok(found)
}

/// The distance of two surfaces as a gap.
fn of_surfaces(found: &MeshDistance) -> Gap {
    Gap {
        gap: found.gap,
        lower: found.lower,
        upper: found.upper,
        normal: found.normal,
        normal_kind: found.normal_kind,
        point_a: found.point_a,
        point_b: found.point_b,
        status: found.status,
        iterations: u32::try_from(found.pops).unwrap_or(u32::MAX),
    }
}

/// The convex shape that a side is; none where it is not convex.
fn convex_of(side: MeshOperand<'_>) -> Option<&ConvexShape> {
    match side {
        MeshOperand::Mesh(body) => body.as_convex(),
        MeshOperand::Convex(shape) => Some(shape),
        MeshOperand::HalfSpace(_) => None,
    }
}

/// Puts the ways out of the parts in which two meshes overlap in place of their local depths, where there are any: not for meshes that are not closed, nor for flush faces.
fn take_ways_out(
    (a, pose_a): (&MeshBody, &Pose),
    (b, pose_b): (&MeshBody, &Pose),
    overlaps: &mut Vec<Overlap>,
    work: &mut MeshWork,
) {
    // Of convex meshes the depth is exact.
    let are_convex = a.as_convex().is_some() && b.as_convex().is_some();
    if overlaps.is_empty() || !a.is_closed() || !b.is_closed() || are_convex {
        return;
    }
    let at = Placement::new(pose_a, pose_b);
    let clear = CLEAR * (a.reach() + b.reach() + at.p_AB.norm());
    let MeshWork { open, points, overlap, .. } = work;
    let held = (0..2).find_map(|side| overlap.deep[side].first().map(|deep| (side, deep.vertex)));
    // Which way B leaves each local overlap: a vertex of A inside B goes the other way.
    let of_vertices = (0..2).flat_map(|side| {
        let way = move |outward: &Vec3| if side == 0 { -(at.R_AB * outward) } else { *outward };
        overlap.deep[side].iter().map(move |deep| (way(&deep.outward), deep.nearest.distance))
    });
    let of_edges = overlap.edges.iter().map(|contact| (contact.normal, -contact.gap));
    let corners = corner_ways(of_vertices.chain(of_edges).filter(|(_, depth)| *depth > clear));
    let found = exits([a, b], &at, &overlap.cuts, held, clear, &corners, (open, points));
    if found.is_empty() {
        return;
    }
    let vertices = overlaps.iter().map(|overlap| overlap.vertices).max().unwrap_or(0);
    overlaps.clear();
    overlaps.extend(found.into_iter().map(|Exit { depth, normal, point, id }| {
        let (normal, point_a) = (at.turn_to_world(&normal), at.to_world_point(&point));
        let point_b = point_a - normal * depth;
        Overlap { contact: Contact { gap: -depth, normal, point_a, point_b, id }, vertices }
    }));
}
