//! A mesh over a half-space: its lowest vertex.

use zerogap_core::{Contact, ContactId, Feature, GapStatus, NormalKind, Pose, Vec3};
use zerogap_geometry::shape::HalfSpace;

use super::body::MeshBody;
use super::distance::MeshWork;
use super::question::MeshDistance;
use crate::bvh::BoundingVolume;
use crate::convex::{Placement, slack};

/// Calls `visit` with each triangle, by place, whose leaf reaches below `height` over the plane [m]; `height` may fall on the way.
fn low_leaves<V: BoundingVolume>(
    body: &MeshBody<V>,
    down: &Vec3,
    nodes: &mut Vec<u32>,
    height: &mut f64,
    base: f64,
    mut visit: impl FnMut(u32, &mut f64),
) {
    let frame = body.tree().frame();
    let all = body.tree().nodes();
    // Height of the lowest point of a node: what reaches farthest down.
    let low = |index: u32| base - all[index as usize].volume.reach(down) * frame.unit;
    nodes.clear();
    nodes.push(0);
    while let Some(index) = nodes.pop() {
        if low(index) > *height {
            continue;
        }
        let node = &all[index as usize];
        if node.is_leaf() {
            (node.first..node.first + node.count).for_each(|place| visit(place, height));
        } else {
            let (left, right) = (node.first, node.first + 1);
            nodes.extend(if low(left) <= low(right) { [right, left] } else { [left, right] });
        }
    }
}

/// The signed gap of a half-space A and a mesh B: that of its lowest vertex; open meshes and closed ones alike.
pub(super) fn half_space_distance<V: BoundingVolume>(
    plane: &HalfSpace,
    pose_a: &Pose,
    body: &MeshBody<V>,
    pose_b: &Pose,
    work: &mut MeshWork,
) -> MeshDistance {
    let at = Placement::new(pose_a, pose_b);
    let normal = plane.normal();
    let down = -at.R_AB.tr_mul(&normal);
    let room = slack(plane.offset().abs() + body.reach() + at.p_AB.norm());
    // The height of the middle of the mesh over the plane.
    let base = normal.dot(&at.to_a(&body.tree().frame().origin)) - plane.offset();
    let mut best = (f64::INFINITY, 0, 0, Vec3::zeros());
    let mut limit = f64::INFINITY;
    low_leaves(body, &down, &mut work.nodes, &mut limit, base - room, |place, limit| {
        for (k, corner) in body.at(place as usize).iter().enumerate() {
            let point = at.to_a(corner);
            let gap = normal.dot(&point) - plane.offset();
            let triangle = body.triangle(place);
            if gap < best.0 || (gap <= best.0 && (triangle, k) < (best.1, best.2)) {
                best = (gap, triangle, k, point);
                *limit = gap;
            }
        }
    });
    let (gap, triangle, corner, point) = best;
    let point_a = at.to_world_point(&(point - normal * gap));
    let world = at.turn_to_world(&normal);
    MeshDistance {
        gap,
        lower: gap - room,
        upper: gap + room,
        normal: world,
        normal_kind: NormalKind::Unique,
        point_a,
        point_b: point_a + world * gap,
        triangles: [0, triangle],
        held: [0, 1 << corner],
        status: GapStatus::Exact,
        pops: 0,
        measured: 0,
    }
}

/// The corners of a mesh B that no neighbour is below, as contacts with a half-space A, in ascending order of vertices.
pub(super) fn half_space_contacts(
    plane: &HalfSpace,
    pose_a: &Pose,
    body: &MeshBody,
    pose_b: &Pose,
    (within, slope): (f64, f64),
    work: &mut MeshWork,
    contacts: &mut Vec<Contact>,
) {
    let at = Placement::new(pose_a, pose_b);
    let normal = plane.normal();
    let down = -at.R_AB.tr_mul(&normal);
    let base = normal.dot(&at.to_a(&body.tree().frame().origin)) - plane.offset();
    let room = slack(plane.offset().abs() + body.reach() + at.p_AB.norm());
    let (joins, mesh) = (body.joins(), body.mesh());
    let world = at.turn_to_world(&normal);
    let mut limit = within;
    low_leaves(body, &down, &mut work.nodes, &mut limit, base - room, |place, _| {
        for vertex in mesh.triangles()[body.triangle(place) as usize] {
            let vertex = joins.vertex(vertex);
            let point = at.to_a(&mesh.vertices()[vertex as usize]);
            let gap = normal.dot(&point) - plane.offset();
            if gap <= within
                && joins.is_corner(vertex)
                && joins.vertex_leads(mesh.vertices(), vertex, &down, slope)
            {
                let point_a = at.to_world_point(&(point - normal * gap));
                let id = ContactId { a: Feature::Face(0), b: Feature::Vertex(vertex) };
                contacts.push(Contact { gap, normal: world, point_a, point_b: point_a + world * gap, id });
            }
        }
    });
    contacts.sort_unstable_by_key(|contact| contact.id);
    contacts.dedup_by_key(|contact| contact.id);
}
