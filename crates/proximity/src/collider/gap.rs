//! How far apart two colliders are.

use zerogap_core::{Aabb, Gap, GapStatus, NormalKind, Pose};

use super::cache::ColliderCache;
use super::compound::{box_depth, box_distance, pieces};
use super::contacts::{contacts_into, quasi};
use super::error::ColliderError;
use super::kind::Collider;
use super::table::{Question, refusal};
use crate::convex::{self, ContactParams, DistanceParams};
use crate::mesh::{MeshDistance, MeshDistanceParams, mesh_distance, mesh_intersects};

/// Returns the signed distance of two colliders, with normal, witness points and bounds.
///
/// Computes: the gap [m], positive apart and negative in overlap; the unit normal from A to B; points with `point_b - point_a = gap * normal`; bounds that hold the exact value.
/// Frames: poses and answer in the world.
/// Method: [`super::table`]. Compounds: the least gap of all pairs of pieces whose boxes are nearer than the best one so far.
/// Tolerance: as [`convex::distance`] for convex pairs and as [`mesh_distance`] for meshes. Compounds and meshes in overlap have the depth of their deepest part,
///   which is no more than the shortest way out: `lower` then is that of their boxes, and the status [`GapStatus::Limited`].
/// Cost: that of the algorithm in the table; nothing is allocated after the first questions of a cache.
/// Fails: [`ColliderError::Refused`] where the table says so.
pub fn gap(
    a: &Collider,
    pose_a: &Pose,
    b: &Collider,
    pose_b: &Pose,
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    match (a, b) {
        (Collider::Convex(a), Collider::Convex(b)) => Ok(match &mut cache.warm {
            Some(warm) => convex::distance_with(a, pose_a, b, pose_b, params, &mut warm.gap),
            None => convex::search(a, pose_a, b, pose_b, params),
        }),
        (Collider::HalfSpace(a), Collider::Convex(b)) => {
            Ok(within(convex::half_space_distance(a, pose_a, b, pose_b), params))
        }
        (Collider::Convex(a), Collider::HalfSpace(b)) => {
            Ok(within(convex::half_space_distance(b, pose_b, a, pose_a).swapped(), params))
        }
        (Collider::Compound(_), _) | (_, Collider::Compound(_)) => {
            least_of_pieces(a, pose_a, b, pose_b, params, cache)
        }
        _ => match refusal(a.kind(), b.kind(), Question::Gap) {
            Some(refused) => Err(refused),
            None if matches!((a, b), (Collider::Complex(_), _) | (_, Collider::Complex(_))) => {
                Ok(of_complexes(a, pose_a, b, pose_b, params, cache))
            }
            None => of_meshes(a, pose_a, b, pose_b, params, cache),
        },
    }
}

/// A gap that is known at once, with the status of one beyond the cutoff where it is.
fn within(gap: Gap, params: &DistanceParams) -> Gap {
    if gap.lower > params.cutoff { Gap { status: GapStatus::Farther, ..gap } } else { gap }
}

/// The gap of two bodies one of which is a mesh.
fn of_meshes(
    a: &Collider,
    pose_a: &Pose,
    b: &Collider,
    pose_b: &Pose,
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    let (Some(side_a), Some(side_b)) = (a.side(), b.side()) else {
        unreachable!("the table answers meshes, convex shapes and half-spaces here")
    };
    let asked = MeshDistanceParams { farther_than: params.cutoff, ..MeshDistanceParams::default() };
    let found = mesh_distance(side_a, pose_a, side_b, pose_b, &asked, &mut cache.mesh)?;
    let bounds = a.bounds(pose_a).zip(b.bounds(pose_b));
    // A half-space has a signed gap. Surfaces that are apart belong to bodies that are, unless one holds the other.
    let Some((box_a, box_b)) = bounds else { return Ok(of_surfaces(&found)) };
    let may_hold = found.gap > 0.0 && box_a.overlaps(&box_b);
    if found.gap > 0.0 && !(may_hold && mesh_intersects(side_a, pose_a, side_b, pose_b, &mut cache.mesh)?) {
        return Ok(of_surfaces(&found));
    }
    // In overlap: the deepest contact, where one of the two tells inside from outside.
    if refusal(a.kind(), b.kind(), Question::Contacts).is_some() {
        return Ok(Gap { lower: f64::NEG_INFINITY, status: GapStatus::Limited, ..of_surfaces(&found) });
    }
    let mut set = std::mem::take(&mut cache.piece);
    let outcome = contacts_into(a, pose_a, b, pose_b, &ContactParams::within(0.0), cache, &mut set);
    let (deepest, is_empty) = (set.manifold.gap, set.manifold.contacts.is_empty());
    cache.piece = set;
    outcome?;
    let lower = -box_depth(Some(&box_a), Some(&box_b));
    if is_empty || deepest.gap >= 0.0 {
        // Surfaces that only touch, to rounding; or a depth that no vertex or edge tells.
        let at = found.point_a;
        let touch = Gap { gap: 0.0, upper: 0.0, point_b: at, ..of_surfaces(&found) };
        return Ok(Gap { lower, status: GapStatus::Limited, ..touch });
    }
    Ok(Gap {
        lower: lower.min(deepest.gap),
        upper: 0.0,
        status: GapStatus::Limited,
        normal_kind: NormalKind::Chosen,
        ..deepest
    })
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

/// The gap of two complexes: that of the nearest contact.
fn of_complexes(
    a: &Collider,
    pose_a: &Pose,
    b: &Collider,
    pose_b: &Pose,
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Gap {
    let mut set = std::mem::take(&mut cache.piece);
    quasi(a, pose_a, b, pose_b, params.cutoff, cache, &mut set);
    let gap = set.manifold.gap;
    cache.piece = set;
    gap
}

/// The least gap of all pairs of pieces.
fn least_of_pieces(
    a: &Collider,
    pose_a: &Pose,
    b: &Collider,
    pose_b: &Pose,
    params: &DistanceParams,
    cache: &mut ColliderCache,
) -> Result<Gap, ColliderError> {
    let mut boxes = std::mem::take(&mut cache.boxes);
    place_boxes(a, pose_a, &mut boxes[0]);
    place_boxes(b, pose_b, &mut boxes[1]);
    // The pieces whose boxes are nearest come first: most of the others need not be asked then.
    let distance =
        |i: u32, j: u32| box_distance(boxes[0][i as usize].as_ref(), boxes[1][j as usize].as_ref());
    let every = pieces(a).flat_map(|p| pieces(b).map(move |q| (p, q)));
    let nearest = every
        .clone()
        .map(|(p, q)| (distance(p.number, q.number), [p.number, q.number]))
        .min_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, pair)| pair);
    let first = every.clone().filter(|(p, q)| Some([p.number, q.number]) == nearest);
    let others = every.filter(|(p, q)| Some([p.number, q.number]) != nearest);
    let mut best = Gap::farthest();
    let mut lower = f64::INFINITY;
    let mut failed = None;
    for (p, q) in first.chain(others) {
        let bound = distance(p.number, q.number);
        let cutoff = params.cutoff.min(best.upper.max(0.0));
        if bound > cutoff {
            lower = lower.min(bound);
            continue;
        }
        let asked = DistanceParams { cutoff, ..*params };
        let (place_a, place_b) = (*pose_a * p.pose, *pose_b * q.pose);
        match gap(p.collider, &place_a, q.collider, &place_b, &asked, cache) {
            Ok(found) => {
                lower = lower.min(found.lower);
                // A piece beyond the cutoff has a bound, no gap.
                let is_known = found.status != GapStatus::Farther || best.status == GapStatus::Farther;
                if is_known && found.gap < best.gap {
                    best = found;
                }
            }
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    let depth =
        if best.gap < 0.0 { box_depth(union(&boxes[0]).as_ref(), union(&boxes[1]).as_ref()) } else { 0.0 };
    cache.boxes = boxes;
    if let Some(error) = failed {
        return Err(error);
    }
    if best.gap < 0.0 {
        // The pieces are apart once the boxes around all of them are.
        return Ok(Gap { lower: lower.min(-depth), status: GapStatus::Limited, ..best });
    }
    let status = if lower > params.cutoff { GapStatus::Farther } else { best.status };
    Ok(Gap { lower: lower.min(best.gap), status, ..best })
}

/// The boxes of all pieces, in the world.
pub(super) fn place_boxes(collider: &Collider, pose: &Pose, boxes: &mut Vec<Option<Aabb>>) {
    boxes.clear();
    boxes.extend(pieces(collider).map(|piece| piece.collider.bounds(&(*pose * piece.pose))));
}

/// The box around all of some boxes; none where one is unbounded.
fn union(boxes: &[Option<Aabb>]) -> Option<Aabb> {
    boxes.iter().try_fold(Aabb::empty(), |all, one| one.map(|one| all.union(&one)))
}
