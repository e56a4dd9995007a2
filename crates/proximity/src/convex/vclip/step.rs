//! One step of the walk for each kind of feature pair.
//!
//! In: a pair of features and the view of the first one's polyhedron, called own. Out: the neighbouring pair that is nearer, or that this is the
//! nearest, or that the polyhedra have a point in common. A function of the pair alone: a pair that comes back has come into a circle.

use zerogap_core::{Feature, Vec3};

use super::region::{Cut, along_edge, beyond_face, side_of};
use super::view::{View, ends};
use crate::convex::segment_segment::nearest_points;

/// The next step from a pair of features.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    /// To this pair: features of own and other.
    Step(Feature, Feature),
    /// Nowhere: the pair is the nearest.
    Stay,
    /// Nowhere: this point belongs to both polyhedra, to rounding; in the frame of the other, whose face it was seen from [m].
    Common(Vec3),
}

/// Two vertices: each must lie in the other's region.
pub(super) fn vertex_vertex(view: &View<'_>, own: u32, other: u32) -> Next {
    let (here, there) = (Feature::Vertex(own), Feature::Vertex(other));
    if let Some(edge) = nearer_edge(view, own, other) {
        return Next::Step(edge, there);
    }
    if let Some(edge) = nearer_edge(&view.swapped(), other, own) {
        return Next::Step(here, edge);
    }
    Next::Stay
}

/// The edge at an own vertex that leads most towards a vertex of the other; none where the latter is in the former's region.
fn nearer_edge(view: &View<'_>, own: u32, other: u32) -> Option<Feature> {
    let point = view.other_vertex(other);
    let (mut best, mut largest) = (None, 0.0);
    let (tips, edges) = (view.own.neighbors(own as usize), view.own.vertex_edges(own as usize));
    for (&tip, &edge) in tips.iter().zip(edges) {
        let along = along_edge(view.own, own, tip, &point);
        if along > largest {
            (best, largest) = (Some(Feature::Edge(edge)), along);
        }
    }
    best
}

/// An own vertex and an edge of the other: the vertex must lie in the edge's region, and the edge's nearest point in the vertex's.
pub(super) fn vertex_edge(view: &View<'_>, own: u32, other: u32) -> Next {
    let here = Feature::Vertex(own);
    let there = view.swapped();
    let edge = &there.own.edges()[other as usize];
    let point = there.other_vertex(own);
    let [start, end] = edge.vertices;
    if along_edge(there.own, start, end, &point) < 0.0 {
        return Next::Step(here, Feature::Vertex(start));
    }
    if along_edge(there.own, end, start, &point) < 0.0 {
        return Next::Step(here, Feature::Vertex(end));
    }
    let beside = [0, 1].map(|side| beyond_face(there.own, edge, side, &point));
    let side = usize::from(beside[1] < beside[0]);
    if beside[side] < 0.0 {
        return Next::Step(here, Feature::Face(edge.faces[side]));
    }

    // The edge in the region of the vertex: its planes face the vertex's own edges.
    let line = view.other_edge(other);
    let mut cut = Cut::whole();
    let (tips, edges) = (view.own.neighbors(own as usize), view.own.vertex_edges(own as usize));
    for (&tip, &edge) in tips.iter().zip(edges) {
        let heights = line.map(|point| -along_edge(view.own, own, tip, &point));
        if cut.by(heights, Feature::Edge(edge)) {
            return Next::Step(Feature::Edge(edge), Feature::Edge(other));
        }
    }
    match cut.downhill(slope_from(&line, &view.own.vertices()[own as usize])) {
        Some(nearer) => Next::Step(nearer, Feature::Edge(other)),
        None => Next::Stay,
    }
}

/// The slope of the distance from a point along a line, times that distance and the line's length [m²].
fn slope_from(line: &[Vec3; 2], point: &Vec3) -> impl Fn(f64) -> f64 {
    let (along, between) = (line[1] - line[0], line[0] - point);
    move |part| along.dot(&(between + along * part))
}

/// An own vertex and a face of the other: the vertex must lie above the face, and no edge of the vertex may lead down to it.
pub(super) fn vertex_face(view: &View<'_>, own: u32, other: u32) -> Next {
    let here = Feature::Vertex(own);
    let there = view.swapped();
    let point = there.other_vertex(own);
    if let Some(border) = nearer_border(&there, other, &point) {
        return Next::Step(here, border);
    }
    if there.own.height(other as usize, &point) <= 0.0 {
        return behind_face(&there, own, &point);
    }
    // The steepest edge down.
    let normal = view.rotated(&there.own.normal(other as usize));
    let vertices = view.own.vertices();
    let foot = vertices[own as usize];
    let (mut best, mut smallest) = (None, 0.0);
    let (tips, edges) = (view.own.neighbors(own as usize), view.own.vertex_edges(own as usize));
    for (&tip, &edge) in tips.iter().zip(edges) {
        let rise = normal.dot(&(vertices[tip as usize] - foot));
        if rise < smallest {
            (best, smallest) = (Some(edge), rise);
        }
    }
    match best {
        Some(edge) => Next::Step(Feature::Edge(edge), Feature::Face(other)),
        None => Next::Stay,
    }
}

/// The part of an own face's border nearest to a point; none where the point is in the prism over the face.
fn nearer_border(view: &View<'_>, face: u32, point: &Vec3) -> Option<Feature> {
    let (mut best, mut smallest) = (None, f64::INFINITY);
    for &index in view.own.face_edges(face as usize) {
        let edge = &view.own.edges()[index as usize];
        if beyond_face(view.own, edge, side_of(edge, face), point) <= 0.0 {
            continue;
        }
        let [start, end] = edge.vertices;
        let [from, to] = ends(view.own, edge);
        // Beyond its ends an edge is no nearer than they are.
        let (feature, distance) = if along_edge(view.own, start, end, point) < 0.0 {
            (Feature::Vertex(start), (point - from).norm_squared())
        } else if along_edge(view.own, end, start, point) < 0.0 {
            (Feature::Vertex(end), (point - to).norm_squared())
        } else {
            let along = to - from;
            let across = along.cross(&(point - from));
            (Feature::Edge(index), across.norm_squared() / along.norm_squared())
        };
        if distance < smallest {
            (best, smallest) = (Some(feature), distance);
        }
    }
    best
}

/// A vertex of the other below an own face but in its prism: a least distance that is none. On to the face that the vertex is highest above;
/// below all of them it is inside.
fn behind_face(view: &View<'_>, vertex: u32, point: &Vec3) -> Next {
    let (mut top, mut largest) = (0, f64::NEG_INFINITY);
    for face in 0..view.own.face_count() {
        let height = view.own.height(face, point);
        if height > largest {
            (top, largest) = (face as u32, height);
        }
    }
    if largest > 0.0 { Next::Step(Feature::Vertex(vertex), Feature::Face(top)) } else { Next::Common(*point) }
}

/// Two edges: the nearest point of each must lie in the other's region.
pub(super) fn edge_edge(view: &View<'_>, own: u32, other: u32) -> Next {
    if let Some(nearer) = leaving_edge(view, own, other) {
        return Next::Step(nearer, Feature::Edge(other));
    }
    if let Some(nearer) = leaving_edge(&view.swapped(), other, own) {
        return Next::Step(Feature::Edge(own), nearer);
    }
    Next::Stay
}

/// The neighbour of an own edge that an edge of the other is nearer to; none where its nearest point is in the own edge's region.
fn leaving_edge(view: &View<'_>, own: u32, other: u32) -> Option<Feature> {
    let edge = &view.own.edges()[own as usize];
    let line = view.other_edge(other);
    let [start, end] = edge.vertices;
    // The ends first.
    let mut cut = Cut::whole();
    for (end, far) in [(start, end), (end, start)] {
        let heights = line.map(|point| along_edge(view.own, end, far, &point));
        if cut.by(heights, Feature::Vertex(end)) {
            return Some(Feature::Vertex(end));
        }
    }
    let vertices = view.own.vertices();
    for k in [0, 1] {
        let Some(Feature::Vertex(end)) = cut.beyond[k] else { continue };
        let slope = slope_from(&line, &vertices[end as usize])(cut.part[k]);
        if (k == 0 && slope > 0.0) || (k == 1 && slope < 0.0) {
            return Some(Feature::Vertex(end));
        }
    }
    // Then the faces. Where a face's plane cuts, the distances from edge and face agree, and the latter has a slope that is easy to compute.
    cut.beyond = [None; 2];
    for (side, &face) in edge.faces.iter().enumerate() {
        let heights = line.map(|point| beyond_face(view.own, edge, side, &point));
        if cut.by(heights, Feature::Face(face)) {
            return Some(Feature::Face(face));
        }
    }
    let along = line[1] - line[0];
    for k in [0, 1] {
        let Some(Feature::Face(face)) = cut.beyond[k] else { continue };
        let rise = view.own.normal(face as usize).dot(&along);
        let height = view.own.height(face as usize, &(line[0] + along * cut.part[k]));
        // Below the face's plane the distance falls where the edge rises.
        let slope = if height < 0.0 { -rise } else { rise };
        if (k == 0 && slope > 0.0) || (k == 1 && slope < 0.0) {
            return Some(Feature::Face(face));
        }
    }
    None
}

/// An own edge and a face of the other: on to the end, or the border of the face, where the edge comes nearest.
pub(super) fn edge_face(view: &View<'_>, own: u32, other: u32) -> Next {
    let here = Feature::Edge(own);
    let there = view.swapped();
    let line = there.other_edge(own);
    let mut cut = Cut::whole();
    let mut is_beside = false;
    for &index in there.own.face_edges(other as usize) {
        let edge = &there.own.edges()[index as usize];
        let side = side_of(edge, other);
        let heights = line.map(|point| -beyond_face(there.own, edge, side, &point));
        is_beside = is_beside || cut.by(heights, Feature::Edge(index));
    }
    let [from, to] = cut.part;
    if is_beside || from > to {
        return Next::Step(here, nearest_side(&there, other, &line));
    }
    let along = line[1] - line[0];
    let heights = cut.part.map(|part| there.own.height(other as usize, &(line[0] + along * part)));
    // Through the face, or touching it.
    if (heights[0] <= 0.0) != (heights[1] <= 0.0) {
        let part = from + (to - from) * (heights[0] / (heights[0] - heights[1]));
        return Next::Common(line[0] + along * part);
    }
    let k = usize::from(heights[1].abs() < heights[0].abs());
    let end = Feature::Vertex(view.own.edges()[own as usize].vertices[k]);
    cut.beyond[k].map_or(Next::Step(end, Feature::Face(other)), |border| Next::Step(here, border))
}

/// The side of an own face that is nearest to a segment.
fn nearest_side(view: &View<'_>, face: u32, line: &[Vec3; 2]) -> Feature {
    let (mut best, mut smallest) = (0, f64::INFINITY);
    for &index in view.own.face_edges(face as usize) {
        let side = ends(view.own, &view.own.edges()[index as usize]);
        let distance = nearest_points(&side, line).gap;
        if distance < smallest {
            (best, smallest) = (index, distance);
        }
    }
    Feature::Edge(best)
}
