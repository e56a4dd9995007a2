//! A mesh against a convex shape.

use zerogap_core::math::unit_normal;
use zerogap_core::{Contact, ContactId, Feature, GapStatus, NormalKind, Pose, Vec3};
use zerogap_geometry::shape::Triangle;
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use super::body::MeshBody;
use super::distance::MeshWork;
use super::heap::Pair;
use super::question::{MeshDistance, MeshDistanceParams};
use crate::bvh::BoundingVolume;
use crate::convex::{self, ContactParams, Placement, slack};

/// How much farther than its triangles a volume may reach, which is kept in single precision, against the size of the mesh [-].
const COARSE: f64 = 1e-6;

/// The convex shape as the hierarchy of a mesh sees it: a ball for its place, and its support.
struct Seen<'c> {
    shape: &'c ConvexShape,
    at: Placement,
    /// In the mesh's frame [m].
    center: Vec3,
    room: f64,
    /// A direction in which to look first, and how far along it the shape begins, both in the mesh's frame [-, m].
    first: Option<(Vec3, f64)>,
}

impl<'c> Seen<'c> {
    fn new<V: BoundingVolume>(
        body: &MeshBody<V>,
        pose: &Pose,
        shape: &'c ConvexShape,
        pose_shape: &Pose,
    ) -> Self {
        let at = Placement::new(pose, pose_shape);
        let ball = shape.bounding_sphere();
        let room = slack(body.reach() + ball.center.norm() + ball.radius + at.p_AB.norm());
        Self { shape, center: at.to_a(&ball.center), at, room, first: None }
    }

    /// Where the shape begins along a direction of the mesh's frame [m].
    fn begins(&self, n: &Vec3) -> f64 {
        let support = self.shape.support(&-self.at.R_AB.tr_mul(n), &mut SupportHint::default());
        n.dot(&self.at.to_a(&support))
    }

    /// Has bounds look along the normal of the nearest contact so far first, given in the world [-]. Where a face of the shape and a part of the mesh lie flat on each
    /// other, every triangle of that part is as near as the nearest one, and this direction alone says so.
    fn look_along(&mut self, pose: &Pose, normal: &Vec3) {
        let n = pose.inverse_transform_vector(normal);
        self.first = Some((n, self.begins(&n)));
    }

    /// How far the corners of a triangle are from the shape at least along the direction to look first [m].
    fn least_along_first(&self, corners: &[Vec3; 3]) -> f64 {
        self.first.map_or(f64::NEG_INFINITY, |(n, begin)| {
            let [a, b, c] = corners.map(|corner| n.dot(&corner));
            begin - a.max(b).max(c) - self.room
        })
    }

    /// How far a node is from the shape at least [m]: along the normal of the nearest contact so far, the line between their middles, and the axes.
    fn bound<V: BoundingVolume>(&self, body: &MeshBody<V>, node: u32, enough: f64) -> f64 {
        let frame = body.tree().frame();
        let volume = &body.tree().nodes()[node as usize].volume;
        let middle = volume.center() * frame.unit + frame.origin;
        let mut best = f64::NEG_INFINITY;
        if let Some((n, begin)) = &self.first {
            best = begin - (volume.reach(n) * frame.unit + n.dot(&frame.origin)) - self.room;
            // Volumes are coarser than corners: what is nearly far enough along this direction is so by its triangles, and no other direction is asked.
            if best > enough - COARSE * body.reach() {
                return best;
            }
        }
        let way = self.center - middle;
        let length = way.norm();
        let axes = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
        let first = if length > 0.0 { Some(way / length) } else { None };
        for n in first.into_iter().chain(axes) {
            // The farthest that the node reaches along n, against the nearest that the shape does.
            let reach = volume.reach(&n) * frame.unit + n.dot(&frame.origin);
            best = best.max(self.begins(&n) - reach - self.room);
            if best > enough {
                break;
            }
        }
        best
    }
}

/// Calls `visit` with the places of triangles whose leaves are within a limit of the shape, nearest first; it returns the limit from there on [m].
fn near_triangles<V: BoundingVolume>(
    body: &MeshBody<V>,
    seen: &mut Seen<'_>,
    mut limit: f64,
    open: &mut Vec<Pair>,
    mut visit: impl FnMut(&mut Seen<'_>, u32, f64) -> f64,
) -> u64 {
    let all = body.tree().nodes();
    open.clear();
    open.push(Pair { key: seen.bound(body, 0, limit), a: 0, b: 0 });
    let mut pops = 0;
    while let Some(pair) = open.pop() {
        if pair.key > limit {
            continue;
        }
        pops += 1;
        let node = &all[pair.a as usize];
        if node.is_leaf() {
            for place in node.first..node.first + node.count {
                limit = visit(seen, place, limit);
            }
            continue;
        }
        let children =
            [0, 1].map(|k| Pair { key: seen.bound(body, node.first + k, limit), a: node.first + k, b: 0 });
        open.extend(if children[0].key <= children[1].key { [children[1], children[0]] } else { children });
    }
    pops
}

/// The triangle at a place, as a convex shape.
fn triangle_shape<V: BoundingVolume>(body: &MeshBody<V>, place: u32) -> Option<ConvexShape> {
    let [a, b, c] = *body.at(place as usize);
    Triangle::new(a, b, c).ok().map(Into::into)
}

/// The distance of a mesh A and a convex shape B, which is solid: 0 where the surface reaches into it.
pub(super) fn convex_distance<V: BoundingVolume>(
    body: &MeshBody<V>,
    pose_a: &Pose,
    shape: &ConvexShape,
    pose_b: &Pose,
    params: &MeshDistanceParams,
    work: &mut MeshWork,
) -> MeshDistance {
    let mut seen = Seen::new(body, pose_a, shape, pose_b);
    let mut best = None;
    let mut skipped = f64::INFINITY;
    let mut measured = 0;
    let pops = near_triangles(body, &mut seen, params.farther_than, &mut work.open, |seen, place, limit| {
        if limit <= 0.0 || limit < params.nearer_than {
            return f64::NEG_INFINITY;
        }
        // What is as near as the nearest one to rounding is not measured.
        let least = seen.least_along_first(body.at(place as usize));
        if least >= limit - seen.room {
            skipped = skipped.min(least);
            return limit;
        }
        let Some(triangle) = triangle_shape(body, place) else { return limit };
        measured += 1;
        let gap = convex::distance_within(&triangle, pose_a, shape, pose_b, limit);
        if gap.status == GapStatus::Farther || gap.gap > limit {
            return limit;
        }
        best = Some((gap, place));
        seen.look_along(pose_a, &gap.normal);
        gap.gap.max(0.0)
    });
    let nowhere = MeshDistance {
        gap: params.farther_than,
        lower: params.farther_than,
        upper: f64::INFINITY,
        normal: Vec3::z(),
        normal_kind: NormalKind::Chosen,
        point_a: pose_a.transform_point(&body.at(0)[0]),
        point_b: pose_b.transform_point(&shape.interior_point()),
        triangles: [0, 0],
        held: [7, 0],
        status: GapStatus::Farther,
        pops,
        measured,
    };
    let Some((gap, place)) = best else { return nowhere };
    let apart = gap.gap > 0.0;
    MeshDistance {
        gap: gap.gap.max(0.0),
        lower: if params.nearer_than > gap.gap { 0.0 } else { gap.lower.min(skipped).max(0.0) },
        upper: gap.upper.max(0.0),
        normal: gap.normal,
        normal_kind: gap.normal_kind,
        point_a: gap.point_a,
        point_b: if apart { gap.point_b } else { gap.point_a },
        triangles: [body.triangle(place), 0],
        held: [7, 0],
        status: gap.status,
        pops,
        measured,
    }
}

/// Whether a mesh and a convex shape have a point in common, a closed mesh being solid.
pub(super) fn convex_crosses(
    body: &MeshBody,
    pose_a: &Pose,
    shape: &ConvexShape,
    pose_b: &Pose,
    work: &mut MeshWork,
) -> bool {
    let params = MeshDistanceParams { farther_than: 0.0, ..MeshDistanceParams::default() };
    let found = convex_distance(body, pose_a, shape, pose_b, &params, work);
    let middle = pose_a.inverse_transform_point(&pose_b.transform_point(&shape.interior_point()));
    found.status != GapStatus::Farther || (body.is_closed() && body.contains_with(&middle, &mut work.points))
}

/// Contacts of a mesh A with a convex shape B, in ascending order of ids.
///
/// Method: the manifold of every triangle within reach with the shape, of which those count whose normal lies within what the mesh's feature can push along: an
///   edge inside a flat part has the normal of the part and no other.
pub(super) fn convex_contacts(
    body: &MeshBody,
    pose_a: &Pose,
    shape: &ConvexShape,
    pose_b: &Pose,
    (within, slope): (f64, f64),
    work: &mut MeshWork,
    contacts: &mut Vec<Contact>,
) {
    let mut seen = Seen::new(body, pose_a, shape, pose_b);
    let (joins, mesh) = (body.joins(), body.mesh());
    let params = ContactParams::within(within);
    let MeshWork { open, points: nodes, manifold, .. } = work;
    let mut nearest: Option<Contact> = None;
    near_triangles(body, &mut seen, within, open, |_, place, limit| {
        let Some(triangle) = triangle_shape(body, place) else { return limit };
        convex::contacts_into(&triangle, pose_a, shape, pose_b, &params, manifold);
        let number = body.triangle(place);
        for contact in &manifold.contacts {
            let feature = lifted(contact.id.a, number, body);
            let normal = pose_a.inverse_transform_vector(&contact.normal);
            let own = Contact { id: ContactId { a: joins.settled(feature), ..contact.id }, ..*contact };
            if nearest.is_none_or(|best| own.gap < best.gap) {
                nearest = Some(own);
            }
            // A solid mesh pushes outward, along its faces' normals.
            let outward = unit_normal(&mesh.corners(number as usize));
            let fair = !body.is_closed() || outward.is_none_or(|n| n.dot(&normal) > 0.0);
            let counts = match feature {
                Feature::Vertex(v) => fair && joins.vertex_leads(mesh.vertices(), v, &normal, slope),
                Feature::Edge(e) => fair && joins.edge_leads(mesh.vertices(), e, &normal, slope),
                _ => fair && outward.is_none_or(|n| n.dot(&normal).abs() > 1.0 - slope),
            };
            if counts {
                contacts.push(own);
            }
        }
        limit
    });
    // A shape whose middle is inside leaves along the nearest way out. Triangles that it has passed would push it on inward.
    let middle = seen.at.to_a(&shape.interior_point());
    if contacts.is_empty() && body.is_closed() && body.contains_with(&middle, nodes) {
        contacts.extend(swallowed(body, &seen, &middle, nodes));
    }
    if contacts.is_empty() {
        contacts.extend(nearest);
    }
    contacts.sort_unstable_by(|x, y| x.id.cmp(&y.id).then(x.gap.total_cmp(&y.gap)));
    contacts.dedup_by_key(|contact| contact.id);
}

/// The contact of a shape inside a closed mesh: it must leave through the nearest point of the surface to its middle.
fn swallowed(body: &MeshBody, seen: &Seen<'_>, middle: &Vec3, nodes: &mut Vec<Pair>) -> Option<Contact> {
    let found = body.nearest_with(middle, f64::INFINITY, nodes)?;
    let out = if found.distance > 0.0 {
        (found.point - middle) / found.distance
    } else {
        unit_normal(&body.mesh().corners(found.triangle as usize))?
    };
    let deepest = seen.at.to_a(&seen.shape.support(&-seen.at.R_AB.tr_mul(&out), &mut SupportHint::default()));
    let gap = out.dot(&(deepest - found.point));
    let id = ContactId {
        a: body.joins().feature(body.mesh(), found.triangle, found.held),
        b: Feature::Surface(0),
    };
    let point_a = seen.at.to_world_point(&(deepest - out * gap));
    let normal = seen.at.turn_to_world(&out);
    Some(Contact { gap, normal, point_a, point_b: point_a + normal * gap, id })
}

/// A feature of one triangle as one of the mesh.
fn lifted(feature: Feature, triangle: u32, body: &MeshBody) -> Feature {
    let held = match feature {
        Feature::Vertex(k) => 1 << k.min(2),
        Feature::Edge(k) => [3, 6, 5][k.min(2) as usize],
        _ => 7,
    };
    body.joins().feature(body.mesh(), triangle, held)
}
