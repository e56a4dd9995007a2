//! Bounds on how deep two bodies overlap, of which at least one is a mesh.
//!
//! In: two bounded bodies, and the local depths that were found. Out: bounds of the signed gap, which is less the shortest translation that separates the two. Every direction proves a lower bound: the
//! separation of the two along it. Every point in both proves an upper one: a ball around it that is inside of A and one inside of B must part.

use zerogap_core::math::unit_normal;
use zerogap_core::{Contact, Pose, Vec3};
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use super::area::CommonArea;
use super::body::MeshBody;
use super::distance::MeshWork;
use super::heap::Pair;
use super::operand::MeshOperand;
use super::overlap::{CLEAR, Cut, Overlap, find_cuts};
use crate::convex::{Placement, reach, slack};

/// Local depths whose points are asked [-]: the deepest ones.
const MAX_ASKED: usize = 16;

/// How far from a place where surfaces cross points are asked, against the length of the crossing [-].
const STEPS: [f64; 3] = [0.25, 0.015_625, 0.000_244_140_625];

/// Sine of the angle of two faces below which they lie in one plane [-].
const PARALLEL: f64 = 1e-9;

/// Bounds of the signed gap of two bodies that overlap or touch [m]: `lower <= exact <= upper`, where `-exact` is the shortest translation that separates them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DepthBounds {
    /// The exact gap is no smaller [m].
    pub(super) lower: f64,
    /// The exact gap is no larger [m]; positive by what rounding hides where no overlap is proven.
    pub(super) upper: f64,
    /// Whether a point was found that lies in both by more than rounding.
    pub(super) is_proven: bool,
}

/// A body that has an inside and an end; a half-space has a signed gap of its own and never comes here.
#[derive(Debug, Clone, Copy)]
pub(super) enum BoundedSide<'s> {
    Mesh(&'s MeshBody),
    Convex(&'s ConvexShape),
}

impl<'s> BoundedSide<'s> {
    /// A side that is bounded; none for a half-space.
    pub(super) fn of(side: MeshOperand<'s>) -> Option<Self> {
        match side {
            MeshOperand::Mesh(body) => Some(Self::Mesh(body)),
            MeshOperand::Convex(shape) => Some(Self::Convex(shape)),
            MeshOperand::HalfSpace(_) => None,
        }
    }

    /// How far it reaches from its origin, at most [m].
    fn reach(self) -> f64 {
        match self {
            Self::Mesh(body) => body.reach(),
            Self::Convex(shape) => reach(shape),
        }
    }

    /// A point in its middle [m].
    fn middle(self) -> Vec3 {
        match self {
            Self::Mesh(body) => body.tree().frame().origin,
            Self::Convex(shape) => shape.interior_point(),
        }
    }

    /// Its farthest point along a direction, in its frame [m].
    fn farthest(self, n: &Vec3) -> Vec3 {
        match self {
            Self::Mesh(body) => body.farthest(n),
            Self::Convex(shape) => shape.support(n, &mut SupportHint::default()),
        }
    }

    /// How deep a point lies in it [m], negative outside; none farther outside than `clear` [m], and inside an open mesh. A point within `clear` of the surface of a mesh counts as outside:
    /// rounding may hide on which side it is.
    fn depth_in(self, p: &Vec3, clear: f64, nodes: &mut Vec<Pair>) -> Option<f64> {
        let distance = match self {
            Self::Mesh(body) => {
                let near = body.nearest_with(p, f64::INFINITY, nodes)?.distance;
                let is_inside = near > clear && body.is_closed() && body.contains_with(p, nodes);
                if is_inside { -near } else { near }
            }
            Self::Convex(shape) => shape.closest_point(p).gap,
        };
        (distance <= clear).then_some(-distance)
    }
}

/// Bounds on how deep two bodies overlap, with the overlaps that were found, and contacts in `work` that were found on the way.
///
/// Method: the separation along the local normals, the axes of both frames and the line between the middles; the points of the local depths, and where these prove nothing, points beside the
///   places where triangles of two meshes cross.
/// Tolerance: true bounds, moved outward by rounding. How far they are apart depends on the bodies: for a rod through a plate the lower one is less the translation out over the plate's edge, which is exact where the rod is upright,
///   and the upper one less half the plate's thickness.
/// Cost: a descent of the trees for each direction, and a nearest point for each point asked.
pub(super) fn depth_bounds(
    a: BoundedSide<'_>,
    pose_a: &Pose,
    b: BoundedSide<'_>,
    pose_b: &Pose,
    overlaps: &[Overlap],
    work: &mut MeshWork,
) -> DepthBounds {
    let at = Placement::new(pose_a, pose_b);
    let extent = a.reach() + b.reach() + at.p_AB.norm();
    let (room, clear) = (slack(extent), CLEAR * extent);

    let every = overlaps.iter().map(|overlap| &overlap.contact).chain(&work.contacts);
    let mut deepest: Vec<Contact> = every.filter(|contact| contact.gap < 0.0).copied().collect();
    deepest.sort_by(|x, y| x.gap.total_cmp(&y.gap));
    deepest.truncate(MAX_ASKED);

    // From below: directions in A's frame.
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let of_b = axes.map(|axis| at.R_AB * axis);
    let local = deepest.iter().map(|contact| at.turn_to_a(&contact.normal));
    let between = at.to_a(&b.middle()) - a.middle();
    let directions = axes.into_iter().chain(of_b).chain([between]).chain(local);
    let separation = directions
        .filter_map(|direction| direction.try_normalize(0.0))
        .flat_map(|n| [n, -n])
        .map(|n| n.dot(&(at.to_a(&b.farthest(&-at.R_AB.tr_mul(&n))) - a.farthest(&n))))
        .fold(f64::NEG_INFINITY, f64::max);

    // From above: points in A's frame. A point a little outside of one and deep in the other proves the difference: the ball around the nearest point of the first is smaller by as much.
    let nodes = &mut work.points;
    let mut depth_at = |p: &Vec3| Some(a.depth_in(p, clear, nodes)? + b.depth_in(&at.to_b(p), clear, nodes)?);
    let places = deepest.iter().flat_map(|contact| {
        let [p, q] = [contact.point_a, contact.point_b].map(|point| pose_a.inverse_transform_point(&point));
        [p, q, 0.5 * (p + q)]
    });
    let mut depth = places.filter_map(|p| depth_at(&p)).fold(0.0, f64::max);
    if depth <= clear
        && let (BoundedSide::Mesh(a), BoundedSide::Mesh(b)) = (a, b)
    {
        let cuts = &mut work.overlap.cuts;
        find_cuts(a, b, &at, &mut work.open, cuts);
        let beside = cuts.iter().flat_map(|cut| beside_cut(a, b, &at, cut).into_iter().flatten());
        depth = beside.filter_map(|p| depth_at(&p)).find(|depth| *depth > clear).unwrap_or(depth);
    }
    let is_proven = depth > clear;
    // Within rounding nothing is told apart.
    let lower = if is_proven { separation - room } else { separation.min(-clear) };
    DepthBounds { lower, upper: if is_proven { room - depth } else { room }, is_proven }
}

/// Points beside the place where two triangles cross, in A's frame, on the inner sides of both; none where they only touch from outside.
fn beside_cut(a: &MeshBody, b: &MeshBody, at: &Placement, cut: &Cut) -> Option<[Vec3; STEPS.len()]> {
    let x = a.mesh().corners(cut.triangles[0] as usize);
    let y = b.mesh().corners(cut.triangles[1] as usize).map(|p| at.to_a(&p));
    let (normal_x, normal_y) = (unit_normal(&x)?, unit_normal(&y)?);
    let along = normal_x.cross(&normal_y);
    let inward = -(normal_x + normal_y).try_normalize(0.0)?;
    let (middle, length) = if along.norm() > PARALLEL {
        crossing(&x, &y, &normal_x, &normal_y, &along.normalize())?
    } else if normal_x.dot(&normal_y) > 0.0 {
        // In one plane, with both bodies under it.
        let area = CommonArea::over(&y, &x, &normal_x);
        (area.middle()?, area.width(&normal_x))
    } else {
        return None;
    };
    Some(STEPS.map(|step| middle + inward * (step * length)))
}

/// The middle of the line in which two triangles cross, and its length [m].
fn crossing(
    x: &[Vec3; 3],
    y: &[Vec3; 3],
    normal_x: &Vec3,
    normal_y: &Vec3,
    along: &Vec3,
) -> Option<(Vec3, f64)> {
    let of_x = in_plane(x, &y[0], normal_y, along)?;
    let of_y = in_plane(y, &x[0], normal_x, along)?;
    let (from, to) = (of_x[0].0.max(of_y[0].0), of_x[1].0.min(of_y[1].0));
    let length = of_x[1].0 - of_x[0].0;
    if to < from || length <= 0.0 {
        return None;
    }
    let part = (0.5 * (from + to) - of_x[0].0) / length;
    Some((of_x[0].1 + (of_x[1].1 - of_x[0].1) * part, to - from))
}

/// Where a triangle passes a plane: the two ends along a direction, each with its height along it [m].
fn in_plane(t: &[Vec3; 3], on: &Vec3, normal: &Vec3, along: &Vec3) -> Option<[(f64, Vec3); 2]> {
    let heights = t.map(|p| normal.dot(&(p - on)));
    let mut ends: Option<[(f64, Vec3); 2]> = None;
    for k in 0..3 {
        let (p, q, from, to) = (t[k], t[(k + 1) % 3], heights[k], heights[(k + 1) % 3]);
        if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) {
            continue;
        }
        let points = if (from - to).abs() <= 0.0 { [p, q] } else { [p + (q - p) * (from / (from - to)); 2] };
        for point in points {
            let end = (along.dot(&point), point);
            let [low, high] = ends.unwrap_or([end; 2]);
            ends = Some([if end.0 < low.0 { end } else { low }, if end.0 > high.0 { end } else { high }]);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use zerogap_geometry::parts::by_name;
    use zerogap_geometry::shape::Cuboid;

    use super::*;

    #[test]
    fn a_point_a_little_outside_counts_as_that_far_outside() {
        let shape: ConvexShape = Cuboid::new(Vec3::repeat(1.0)).unwrap().into();
        let sides = [("width", "1 m"), ("depth", "1 m"), ("height", "1 m")];
        let body = MeshBody::new(by_name("box", &sides).unwrap());
        let (clear, mut nodes) = (1e-3, Vec::new());
        for side in [BoundedSide::Convex(&shape), BoundedSide::Mesh(&body)] {
            let mut depth = |x: f64| side.depth_in(&Vec3::new(x, 0.1, 0.2), clear, &mut nodes);
            assert!((depth(0.5 + 6e-4).unwrap() + 6e-4).abs() < 1e-15, "{side:?}");
            assert!((depth(0.4).unwrap() - 0.1).abs() < 1e-15, "{side:?}");
            assert_eq!(depth(0.5 + 2e-3), None, "{side:?}");
            // Never deeper than it is.
            assert!(depth(0.5 - 6e-4).unwrap() <= 6e-4 + 1e-15, "{side:?}");
        }
    }
}
