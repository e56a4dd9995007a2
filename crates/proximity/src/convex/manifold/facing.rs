//! Which part of a shape faces a direction.
//!
//! In: a shape and a unit direction, both in the shape's own frame. Out: a patch that holds every point farthest along the direction, or a
//! good part of them where these are curved, together with the rest of the flat feature that they belong to. Depends on the shape and
//! the direction alone.

use zerogap_core::{Feature, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{Convex, ConvexShape, Polyhedron, SupportHint};

use super::facing_flat::flat;
use super::facing_round::revolved;
use super::patch::{Corner, FACING, Patch, is_lying};

/// Most vertices around a patch [-]: those of a hull finer than this are near enough to each other to share their springs.
const MAX_FAN: usize = 256;

/// Fills the patch of a shape that faces a unit direction; `arc_tolerance` as in [`super::ContactParams`].
pub(super) fn facing(shape: &ConvexShape, direction: &Vec3, arc_tolerance: f64, patch: &mut Patch) {
    match shape {
        ConvexShape::Point(point) => patch.set_point(point.position(), Feature::Vertex(0)),
        ConvexShape::Segment(segment) => thread(segment.ends(), [0, 1], direction, patch),
        ConvexShape::Capsule(capsule) => {
            thread(capsule.axis().ends(), [0, 1], direction, patch);
            patch.raise(capsule.radius(), direction);
        }
        ConvexShape::Triangle(triangle) => {
            let corners = triangle.corners();
            if let Some(normal) = triangle.normal() {
                sheet(&corners, &normal, direction, patch);
            } else {
                // Corners in one line.
                let ends = triangle.longest_side();
                let name = |end: &Vec3| corners.iter().position(|corner| corner == end).unwrap_or(0) as u32;
                thread(ends, [name(&ends[0]), name(&ends[1])], direction, patch);
            }
        }
        ConvexShape::Polygon(polygon) => sheet(polygon.corners(), &polygon.normal(), direction, patch),
        ConvexShape::Cuboid(cuboid) => block(cuboid, direction, patch),
        ConvexShape::Polyhedron(polyhedron) => solid(polyhedron, direction, patch),
        ConvexShape::Cylinder(can) => {
            revolved([can.radius(), can.radius()], 0.5 * can.length(), direction, arc_tolerance, patch);
        }
        ConvexShape::Frustum(cone) => {
            revolved([cone.radius0(), cone.radius1()], 0.5 * cone.length(), direction, arc_tolerance, patch);
        }
        ConvexShape::Rounded(rounded) => {
            facing(rounded.core(), direction, arc_tolerance, patch);
            patch.raise(rounded.radius(), direction);
        }
        ConvexShape::Sphere(_) | ConvexShape::Ellipsoid(_) | ConvexShape::User(_) => {
            let top = shape.support(direction, &mut SupportHint::default());
            patch.set_point(top, Feature::Surface(0));
        }
    }
}

/// The outward unit normal of a face by its name [-], in the shape's own frame; none where the shape has no such face.
pub(super) fn face_normal(shape: &ConvexShape, name: Feature) -> Option<Vec3> {
    let Feature::Face(index) = name else { return None };
    let of_sheet = |normal: Vec3| [normal, -normal].get(index as usize).copied();
    match shape {
        ConvexShape::Triangle(triangle) => triangle.normal().and_then(of_sheet),
        ConvexShape::Polygon(polygon) => of_sheet(polygon.normal()),
        ConvexShape::Cuboid(_) if index < 6 => {
            let mut normal = Vec3::zeros();
            normal[index as usize / 2] = if index % 2 == 1 { 1.0 } else { -1.0 };
            Some(normal)
        }
        ConvexShape::Polyhedron(polyhedron) if (index as usize) < polyhedron.face_count() => {
            Some(polyhedron.normal(index as usize))
        }
        ConvexShape::Cylinder(_) | ConvexShape::Frustum(_) => of_sheet(-Vec3::z()),
        ConvexShape::Rounded(rounded) => face_normal(rounded.core(), name),
        _ => None,
    }
}

/// A segment, or the end of it that is ahead.
fn thread([p, q]: [Vec3; 2], names: [u32; 2], direction: &Vec3, patch: &mut Patch) {
    let along = q - p;
    let rise = along.dot(direction);
    let [first, second] = [(p, Feature::Vertex(names[0])), (q, Feature::Vertex(names[1]))];
    if is_lying(rise, along.norm_squared()) {
        patch.set_segment([first, second], Feature::Edge(0));
    } else {
        let (point, name) = if rise > 0.0 { second } else { first };
        patch.set_point(point, name);
    }
}

/// A flat polygon: one of its two faces, a side or a corner.
fn sheet(corners: &[Vec3], normal: &Vec3, direction: &Vec3, patch: &mut Patch) {
    let cosine = normal.dot(direction);
    let named = |k: usize| (corners[k], Feature::Vertex(k as u32));
    if cosine.abs() >= FACING {
        let (normal, face) = if cosine > 0.0 { (*normal, 0) } else { (-normal, 1) };
        patch.start_polygon(normal, Feature::Face(face));
        patch.corners.extend((0..corners.len()).map(|k| {
            let (point, name) = named(k);
            Corner { point, name, side: Feature::Edge(k as u32), round: 0.0 }
        }));
        if face == 1 {
            patch.reverse();
        }
        return;
    }
    // The corner ahead, and the flatter of its two sides.
    let count = corners.len();
    let ahead = |best: usize, k: usize| {
        if (corners[k] - corners[best]).dot(direction) > 0.0 { k } else { best }
    };
    let top = (1..count).fold(0, ahead);
    let fall = |other: usize| {
        let along = corners[other] - corners[top];
        (along.dot(direction).min(0.0), along.norm_squared())
    };
    let (before, after) = ((top + count - 1) % count, (top + 1) % count);
    let ((drop0, squared0), (drop1, squared1)) = (fall(before), fall(after));
    let (side, (drop, squared)) = if drop0 * drop0 * squared1 < drop1 * drop1 * squared0 {
        (before, (drop0, squared0))
    } else {
        (top, (drop1, squared1))
    };
    if is_lying(drop, squared) {
        patch.set_segment([named(side), named((side + 1) % count)], Feature::Edge(side as u32));
    } else {
        let (point, name) = named(top);
        patch.set_point(point, name);
    }
}

/// A box: the face of the largest component, the edge along the smallest, or a corner.
fn block(cuboid: &Cuboid, direction: &Vec3, patch: &mut Patch) {
    let half = cuboid.half_size();
    let (x, y, z) = (direction.x.abs(), direction.y.abs(), direction.z.abs());
    // Corner k has its sign along axis i in bit i; this is the one ahead.
    let top =
        u32::from(direction.x > 0.0) | u32::from(direction.y > 0.0) << 1 | u32::from(direction.z > 0.0) << 2;
    if x >= FACING {
        box_face::<0>(&half, top, patch);
    } else if y >= FACING {
        box_face::<1>(&half, top, patch);
    } else if z >= FACING {
        box_face::<2>(&half, top, patch);
    } else if is_lying(x, 1.0) && x <= y && x <= z {
        box_side::<0>(&half, top, patch);
    } else if is_lying(y, 1.0) && y <= z {
        box_side::<1>(&half, top, patch);
    } else if is_lying(z, 1.0) {
        box_side::<2>(&half, top, patch);
    } else {
        patch.set_point(box_corner(&half, top), Feature::Vertex(top));
    }
}

/// The face of a box along an axis, on the side of a corner.
fn box_face<const AXIS: usize>(half: &Vec3, top: u32, patch: &mut Patch) {
    let outward = top >> AXIS & 1;
    let mut normal = Vec3::zeros();
    normal[AXIS] = if outward == 1 { 1.0 } else { -1.0 };
    patch.start_polygon(normal, Feature::Face(2 * AXIS as u32 + outward));
    // The other two axes, in the order that is counter-clockwise seen from outside.
    let (u, v) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let (u, v) = if outward == 1 { (u, v) } else { (v, u) };
    let base = outward << AXIS;
    let steps = [(0, u), (1 << u, v), ((1 << u) | (1 << v), u), (1 << v, v)];
    patch.corners.extend(steps.map(|(bits, axis)| {
        let bits: u32 = base | bits;
        Corner {
            point: box_corner(half, bits),
            name: Feature::Vertex(bits),
            side: box_edge(axis, bits),
            round: 0.0,
        }
    }));
}

/// The edge of a box along an axis through a corner.
fn box_side<const AXIS: usize>(half: &Vec3, top: u32, patch: &mut Patch) {
    let end = |bits: u32| (box_corner(half, bits), Feature::Vertex(bits));
    patch.set_segment([end(top & !(1 << AXIS)), end(top | (1 << AXIS))], box_edge(AXIS, top));
}

/// A corner of a box by its signs.
#[inline]
fn box_corner(half: &Vec3, bits: u32) -> Vec3 {
    let signed = |axis: usize| if bits >> axis & 1 == 1 { half[axis] } else { -half[axis] };
    Vec3::new(signed(0), signed(1), signed(2))
}

/// The name of a box's edge along an axis through a corner: four per axis, by the signs along the two axes that follow it.
fn box_edge(axis: usize, bits: u32) -> Feature {
    let sign = |i: usize| bits >> (i % 3) & 1;
    Feature::Edge(4 * axis as u32 + sign(axis + 1) + 2 * sign(axis + 2))
}

/// A polyhedron: from the vertex ahead along its flattest edge to the better of the two faces there.
///
/// The edge before the face: where a whole edge is farthest, another face of the vertex may lean less than both faces of the edge, but
/// would lose the edge's other end.
fn solid(polyhedron: &Polyhedron, direction: &Vec3, patch: &mut Patch) {
    let vertices = polyhedron.vertices();
    let top = polyhedron.support_vertex(direction, &mut SupportHint::default());
    let start = vertices[top as usize];
    let mut flattest = (0, f64::INFINITY, 1.0);
    let around = polyhedron.neighbors(top as usize).iter().zip(polyhedron.vertex_edges(top as usize));
    for (&neighbor, &edge) in around {
        let along = vertices[neighbor as usize] - start;
        let drop = along.dot(direction).min(0.0);
        let (drop, squared) = (drop * drop, along.norm_squared());
        if drop * flattest.2 < flattest.1 * squared {
            flattest = (edge, drop, squared);
        }
    }
    let (name, drop, squared) = flattest;
    let edge = polyhedron.edges()[name as usize];
    let [left, right] = edge.faces.map(|face| polyhedron.normal(face as usize));
    // By the distance of the unit vectors: the cosines of faces that are split by rounding are equal.
    let (face, normal) = if (left - direction).norm_squared() <= (right - direction).norm_squared() {
        (edge.faces[0], left)
    } else {
        (edge.faces[1], right)
    };
    let named = |vertex: u32| (vertices[vertex as usize], Feature::Vertex(vertex));
    if normal.dot(direction) >= FACING {
        flat(polyhedron, face, patch);
    } else if is_lying(drop.sqrt(), squared) {
        patch.set_segment(edge.vertices.map(named), Feature::Edge(name));
    } else {
        patch.set_point(start, Feature::Vertex(top));
    }
    if patch.wants_fan {
        fan(polyhedron, top, direction, patch);
    }
}

/// Lists the vertices that can be reached from the one ahead by edges that lie in the plane across the direction.
fn fan(polyhedron: &Polyhedron, top: u32, direction: &Vec3, patch: &mut Patch) {
    let vertices = polyhedron.vertices();
    let corner = |vertex: u32| {
        let name = Feature::Vertex(vertex);
        Corner { point: vertices[vertex as usize], name, side: name, round: 0.0 }
    };
    patch.fan.push(corner(top));
    let mut next = 0;
    while let Some(&Corner { point: from, name: Feature::Vertex(at), .. }) = patch.fan.get(next) {
        next += 1;
        for &neighbor in polyhedron.neighbors(at as usize) {
            let along = vertices[neighbor as usize] - from;
            let is_known = |known: &Corner| known.name == Feature::Vertex(neighbor);
            if patch.fan.len() < MAX_FAN
                && is_lying(along.dot(direction), along.norm_squared())
                && !patch.fan.iter().any(is_known)
            {
                patch.fan.push(corner(neighbor));
            }
        }
    }
}
