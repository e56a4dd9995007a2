//! Two bodies of revolution on one axis: the search in their common half-plane.
//!
//! In: two cores and their placement. Out: the gap in A's frame, or none where the two are not of revolution about one axis, to rounding. The
//! difference is then a body of revolution as well. Whole rings of directions are equally deep, which no polytope in space can show in
//! few steps; in the half-plane through the axis a polygon does.

use zerogap_core::math::tangents;
use zerogap_core::{Gap, NormalKind, Vec3};
use zerogap_geometry::ConvexShape;

use super::difference::Difference;
use super::general::{Ask, ROUNDING_FRACTION, close};
use super::grow::SAME_DIRECTION;
use super::placement::Placement;
use super::resolve::{Resolved, side_weights};
use super::rounding::{reach, slack};

/// How far off the axis bodies may stand, against the requested width [-]: what this hides is added to the bounds.
const OFF_AXIS: f64 = 0.125;

/// Corners of the polygon at most [-]: smooth profiles take about 30.
const MAX_NODES: usize = 64;

/// A direction at this angle to the axis distinguishes a tip from a level end [rad].
const BESIDE_THE_AXIS: f64 = 1e-3;

/// Directions with at most this part across the axis are along it [-].
const ALONG: f64 = 1e-9;

/// The axis of a body of revolution, in its own frame.
struct Axis {
    /// A point on it [m].
    through: Vec3,
    /// Its direction; none for a point, which every axis through it will do for.
    along: Option<Vec3>,
}

impl Axis {
    /// The axis of a core, if it has one.
    fn of(core: &ConvexShape) -> Option<Self> {
        let along_own = |along: Vec3| Some(Self { through: Vec3::zeros(), along: Some(along) });
        match core {
            ConvexShape::Cylinder(_) | ConvexShape::Frustum(_) => along_own(Vec3::z()),
            ConvexShape::Ellipsoid(ellipsoid) => {
                let r = ellipsoid.radii();
                let equal = |i: usize, j: usize| r[i] <= r[j] && r[j] <= r[i];
                let own = [(0, 1, 2), (1, 2, 0), (2, 0, 1)].into_iter().find(|&(i, j, _)| equal(i, j))?;
                along_own(Vec3::ith(own.2, 1.0))
            }
            ConvexShape::Segment(segment) => {
                let [start, end] = segment.ends();
                let length = (end - start).norm();
                let along = (length > 0.0).then(|| (end - start) / length);
                Some(Self { through: 0.5 * (start + end), along })
            }
            ConvexShape::Point(point) => Some(Self { through: point.position(), along: None }),
            _ => None,
        }
    }
}

/// The common axis of two bodies, in A's frame.
struct Shared {
    through: Vec3,
    along: Vec3,
    /// No point of B is farther from where it would be on the axis [m].
    off: f64,
}

impl Shared {
    fn of(a: &ConvexShape, b: &ConvexShape, at: &Placement) -> Option<Self> {
        let (of_a, of_b) = (Axis::of(a)?, Axis::of(b)?);
        let along_b = of_b.along.map(|along| at.R_AB * along);
        let along = of_a.along.or(along_b)?;
        // Both vectors are unit vectors: their cross product is the sine of a small angle, or of nearly half a turn.
        let tilt = along_b.map_or(0.0, |other| along.cross(&other).norm());
        let between = at.to_a(&of_b.through) - of_a.through;
        let beside = (between - along * along.dot(&between)).norm();
        let is_small = tilt < 0.5;
        is_small.then(|| Self { through: of_a.through, along, off: beside + 1.5 * tilt * reach(b) })
    }
}

/// A corner of the polygon.
#[derive(Clone, Copy)]
struct Node {
    /// From the axis [m].
    x: f64,
    /// Along the axis [m].
    z: f64,
    /// The point of A it comes from [m].
    a: Vec3,
}

impl Node {
    fn as_vector(self) -> Vec3 {
        Vec3::new(self.x, 0.0, self.z)
    }
}

/// A side of the polygon, with its outward unit normal.
struct PolygonSide {
    x: f64,
    z: f64,
    /// Smallest distance of its ends along its normal [m].
    height: f64,
}

fn side(from: &Node, to: &Node) -> PolygonSide {
    let (x, z) = (to.z - from.z, from.x - to.x);
    let length = Vec3::new(x, 0.0, z).norm();
    let (x, z) = if length > 0.0 { (x / length, z / length) } else { (1.0, 0.0) };
    PolygonSide { x, z, height: (x * from.x + z * from.z).min(x * to.x + z * to.z) }
}

/// The gap of two bodies of revolution about one axis, in A's frame; none for all others.
///
/// Method: apart, the nearest points are on the axis. In overlap a polygon grows in the half-plane of the profile, as `grow` does in space;
///   its mirror image closes it. The separation is measured with the bodies where they are; the polygon's bound holds for bodies on
///   the axis, and recedes by twice as much as they are off it: once for its corners, once for the body.
/// Tolerance: 1e-14 of the extent for frustums, capsules and spheroids (measured: 1e-15); none is returned where the bounds do not converge.
/// Cost: one corner per step, 3 to 40 steps; no allocation.
pub(crate) fn coaxial(a: &ConvexShape, b: &ConvexShape, at: &Placement, ask: &Ask) -> Option<Gap> {
    let axis = Shared::of(a, b, at)?;
    let room = slack(ask.extent);
    if axis.off > (OFF_AXIS * ask.width).max(ROUNDING_FRACTION * room) {
        return None;
    }
    let (across, _) = tangents(&axis.along);
    let mut difference = Difference::new(a, b, at);
    let mut support = |x: f64, z: f64| {
        let outward = across * x + axis.along * z;
        let corner = difference.support(&outward);
        let node = Node { x: across.dot(&corner.w), z: axis.along.dot(&corner.w), a: corner.a };
        (outward, outward.dot(&corner.w), node)
    };
    // The ends on the axis: a body of revolution holds the middle of its farthest points.
    let on_axis = |(outward, reach, node): (Vec3, f64, Node)| {
        let a = axis.through + axis.along * axis.along.dot(&(node.a - axis.through));
        (outward, reach, Node { x: 0.0, z: node.z, a })
    };
    let (up, down) = (on_axis(support(0.0, 1.0)), on_axis(support(0.0, -1.0)));
    let (sign, (outward, reach, end)) = if up.1 <= down.1 { (1.0, up) } else { (-1.0, down) };
    let by_the_end = Resolved { gap: -reach, normal: -outward, point_a: end.a };
    if reach <= room {
        let is_tip = reach >= -room && support(BESIDE_THE_AXIS, sign).1 <= room;
        // A tiny overlap is decided by the end only where the end is level.
        if reach <= 0.0 || !is_tip {
            let kind = if is_tip { NormalKind::Chosen } else { NormalKind::Unique };
            return Some(close(&by_the_end, -reach, -reach + 2.0 * axis.off, kind, &difference, ask));
        }
    }
    let (_, _, middle) = support(1.0, 0.0);
    let mut nodes = [middle; MAX_NODES];
    (nodes[0], nodes[2]) = (down.2, up.2);
    let mut count = 3;
    let width = ROUNDING_FRACTION * room;
    let (mut found, smallest, mut outward) = loop {
        // The side nearest to the axis point.
        let sides = nodes[..count].windows(2).map(|ends| side(&ends[0], &ends[1])).enumerate();
        let (at, low) = sides.reduce(|best, next| if next.1.height < best.1.height { next } else { best })?;
        let (outward, reach, node) = support(low.x, low.z);
        if reach - low.height <= width || (count == MAX_NODES && reach - low.height <= ask.width) {
            let ends = [&nodes[at], &nodes[at + 1]];
            let [first, second, _] = side_weights(&ends[0].as_vector(), &ends[1].as_vector());
            let point_a = ends[0].a * first + ends[1].a * second;
            break (Resolved { gap: -reach, normal: -outward, point_a }, low.height, [low.x, low.z]);
        }
        if count == MAX_NODES {
            return None;
        }
        nodes.copy_within(at + 1..count, at + 2);
        nodes[at + 1] = node;
        count += 1;
    };
    // A smooth end is as short to rounding as the sides around it.
    if reach <= -found.gap + width {
        (found, outward) = (by_the_end, [0.0, sign]);
    }
    // Off the axis every azimuth does; along it another direction may still be as short.
    let limit = -found.gap + ask.width;
    let is_chosen = outward[0].abs() > ALONG
        || nodes[..count].windows(2).map(|ends| side(&ends[0], &ends[1])).any(|side| {
            let is_other = side.x * outward[0] + side.z * outward[1] < SAME_DIRECTION;
            is_other && side.height <= limit && support(side.x, side.z).1 <= limit
        });
    let kind = if is_chosen { NormalKind::Chosen } else { NormalKind::Unique };
    Some(close(&found, found.gap, -smallest + 2.0 * axis.off, kind, &difference, ask))
}
