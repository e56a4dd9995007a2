//! Faces, edges and vertices of a polyhedron and who is next to whom, in flat arrays.

use std::collections::BTreeMap;

use super::merge::{Merged, NONE, border, slot_of};

/// Rows of different lengths in one array.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Rows {
    /// Where each row starts; one more entry than rows.
    offsets: Vec<u32>,
    items: Vec<u32>,
}

zerogap_core::store_struct!(Rows { offsets, items } check |rows| if rows.is_whole() { Ok(()) } else { Err("its rows do not follow each other") });

impl Rows {
    pub(super) fn new() -> Self {
        Self { offsets: vec![0], items: Vec::new() }
    }

    pub(super) fn extend(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
    }

    pub(super) fn close_row(&mut self) {
        self.offsets.push(self.items.len() as u32);
    }

    /// Whether the rows follow each other from the first item to the last.
    fn is_whole(&self) -> bool {
        self.offsets.first() == Some(&0)
            && self.offsets.is_sorted()
            && self.offsets.last().map(|last| *last as usize) == Some(self.items.len())
    }

    /// All items, row after row.
    pub(super) fn items(&self) -> &[u32] {
        &self.items
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(super) fn row(&self, index: usize) -> &[u32] {
        &self.items[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }
}

/// For each vertex of a closed triangulated surface, the vertices joined to it by an edge of some triangle.
pub(super) fn triangle_neighbors(vertices: usize, triangles: &[[u32; 3]]) -> Rows {
    // Each edge is visited once in each direction, so that every neighbour appears exactly once.
    let mut offsets = vec![0_u32; vertices + 1];
    for &corner in triangles.iter().flatten() {
        offsets[corner as usize + 1] += 1;
    }
    for k in 0..vertices {
        offsets[k + 1] += offsets[k];
    }
    let mut fill = offsets.clone();
    let mut items = vec![0; triangles.len() * 3];
    for corners in triangles {
        for k in 0..3 {
            let slot = &mut fill[corners[k] as usize];
            items[*slot as usize] = corners[(k + 1) % 3];
            *slot += 1;
        }
    }
    Rows { offsets, items }
}

/// An edge of a polyhedron.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The two ends; the first face runs from the first to the second.
    pub vertices: [u32; 2],
    /// The face on the left of the edge seen from outside, and the one on its right.
    pub faces: [u32; 2],
}

/// The incidences of a polyhedron.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Topology {
    pub(super) face_vertices: Rows,
    /// Edge k of a face joins its vertices k and k + 1.
    pub(super) face_edges: Rows,
    pub(super) edges: Vec<Edge>,
    /// Neighbours of each vertex, counter-clockwise seen from outside.
    pub(super) neighbors: Rows,
    /// The edges to these neighbours.
    pub(super) vertex_edges: Rows,
    /// The faces that follow these edges counter-clockwise.
    pub(super) vertex_faces: Rows,
}

/// Reads the incidences off a merged surface. Also the triangle that gives each face its plane; the face's first vertex is a corner
/// of that triangle.
///
/// Order: faces by their first triangle; edges as the faces, one after the other, run into them.
pub(super) fn build(merged: &Merged) -> (Topology, Vec<u32>) {
    let Merged { surface, seed_of, .. } = merged;
    let (mut face_vertices, mut face_edges, mut seeds) = (Rows::new(), Rows::new(), Vec::new());
    let mut edges: Vec<Edge> = Vec::new();
    let mut edge_at = vec![[NONE; 3]; surface.triangles.len()];
    let mut face_of_seed = vec![NONE; surface.triangles.len()];
    let mut walk = Vec::new();
    for &seed in seed_of {
        if face_of_seed[seed as usize] != NONE {
            continue;
        }
        let face = seeds.len() as u32;
        face_of_seed[seed as usize] = face;
        seeds.push(seed);
        border(surface, seed_of, start_of(merged, seed), &mut walk);
        for &(triangle, k) in &walk {
            let corners = surface.triangles[triangle as usize];
            face_vertices.items.push(corners[k]);
            // The second face to come by finds the edge that the first one made.
            let beyond = surface.neighbors[triangle as usize][k];
            let made = edge_at[beyond as usize][slot_of(surface, beyond, triangle)];
            let edge = if made == NONE {
                edges.push(Edge { vertices: [corners[k], corners[(k + 1) % 3]], faces: [face, NONE] });
                edges.len() as u32 - 1
            } else {
                edges[made as usize].faces[1] = face;
                made
            };
            edge_at[triangle as usize][k] = edge;
            face_edges.items.push(edge);
        }
        face_vertices.close_row();
        face_edges.close_row();
    }
    let (neighbors, vertex_edges, vertex_faces) =
        around_vertices(surface.sources.len(), &face_vertices, &face_edges, &edges);
    (Topology { face_vertices, face_edges, edges, neighbors, vertex_edges, vertex_faces }, seeds)
}

/// Reads the incidences off the faces alone, as [`build`] numbers them; none where the faces do not close a surface. Every vertex is below `count`.
pub(super) fn of_faces(count: usize, face_vertices: Rows) -> Option<Topology> {
    let mut face_edges = Rows::new();
    let mut edges: Vec<Edge> = Vec::new();
    // By the ends, in the direction of the face that made the edge.
    let mut open = BTreeMap::new();
    for face in 0..face_vertices.len() {
        let corners = face_vertices.row(face);
        for (k, &from) in corners.iter().enumerate() {
            let to = corners[(k + 1) % corners.len()];
            // The second face to come by finds the edge that the first one made, and runs through it in the opposite direction.
            let edge = if let Some(edge) = open.remove(&(to, from)) {
                edges[edge as usize].faces[1] = face as u32;
                edge
            } else {
                let edge = edges.len() as u32;
                edges.push(Edge { vertices: [from, to], faces: [face as u32, NONE] });
                if from == to || open.insert((from, to), edge).is_some() {
                    return None;
                }
                edge
            };
            face_edges.items.push(edge);
        }
        face_edges.close_row();
    }
    if !open.is_empty() || edges.iter().any(|edge| edge.faces[0] == edge.faces[1]) {
        return None;
    }
    let (neighbors, vertex_edges, vertex_faces) = around_vertices(count, &face_vertices, &face_edges, &edges);
    Some(Topology { face_vertices, face_edges, edges, neighbors, vertex_edges, vertex_faces })
}

/// A border edge of a region that starts at the smallest corner of its seed triangle.
fn start_of(merged: &Merged, seed: u32) -> (u32, usize) {
    let Merged { surface, seed_of, .. } = merged;
    let corners = surface.triangles[seed as usize];
    let first = (0..3).min_by_key(|&k| corners[k]).unwrap_or(0);
    // Turning about that corner inside the region ends at the border edge that leaves it.
    let (mut triangle, mut edge) = (seed, first);
    loop {
        let beyond = surface.neighbors[triangle as usize][edge];
        if seed_of[beyond as usize] != seed {
            return (triangle, edge);
        }
        edge = (slot_of(surface, beyond, triangle) + 1) % 3;
        triangle = beyond;
    }
}

/// Neighbours, edges and faces around each vertex, counter-clockwise.
fn around_vertices(
    count: usize,
    face_vertices: &Rows,
    face_edges: &Rows,
    edges: &[Edge],
) -> (Rows, Rows, Rows) {
    // Half-edges are numbered like the items of the face rows; each edge has two.
    let half_edges = face_vertices.items.len();
    let mut halves = vec![[NONE; 2]; edges.len()];
    let mut first_out = vec![NONE; count];
    let mut previous = vec![0_u32; half_edges];
    let mut face_of = vec![0_u32; half_edges];
    for face in 0..face_vertices.len() {
        let range = face_vertices.offsets[face]..face_vertices.offsets[face + 1];
        for half in range.clone() {
            let edge = face_edges.items[half as usize] as usize;
            let side = usize::from(edges[edge].faces[0] != face as u32);
            halves[edge][side] = half;
            previous[half as usize] = if half == range.start { range.end - 1 } else { half - 1 };
            face_of[half as usize] = face as u32;
            let vertex = face_vertices.items[half as usize] as usize;
            if first_out[vertex] == NONE {
                first_out[vertex] = half;
            }
        }
    }
    let (mut neighbors, mut around, mut faces) = (Rows::new(), Rows::new(), Rows::new());
    for (vertex, &first) in first_out.iter().enumerate() {
        let mut half = first;
        while half != NONE {
            let edge = face_edges.items[half as usize];
            let [a, b] = edges[edge as usize].vertices;
            neighbors.items.push(if a == vertex as u32 { b } else { a });
            around.items.push(edge);
            faces.items.push(face_of[half as usize]);
            // The edge by which this face arrives is the one by which the next face leaves.
            let arriving = previous[half as usize];
            let [left, right] = halves[face_edges.items[arriving as usize] as usize];
            half = if arriving == left { right } else { left };
            if half == first {
                break;
            }
        }
        neighbors.close_row();
        around.close_row();
        faces.close_row();
    }
    (neighbors, around, faces)
}
