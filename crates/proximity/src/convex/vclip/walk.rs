//! The walk from pair to pair of features, and why it ends.

use zerogap_core::{ContactId, Feature, Vec3};
use zerogap_geometry::Polyhedron;

use super::step::{Next, edge_edge, edge_face, vertex_edge, vertex_face, vertex_vertex};
use super::view::View;

/// Steps that a walk may take for each feature of the two polyhedra [-]. Circles are found sooner; this is for what was not thought of.
const STEPS_PER_FEATURE: usize = 2;

/// How a walk ended.
pub(super) enum End {
    /// At a pair that nothing is nearer than.
    Nearest,
    /// At a point of both, in A's frame [m].
    Common(Vec3),
    /// In a circle, or after too many steps.
    Open,
}

/// A walk that has ended.
pub(super) struct Walked {
    /// The last pair.
    pub(super) pair: ContactId,
    /// Steps taken [-].
    pub(super) steps: u32,
    /// How it ended.
    pub(super) end: End,
}

/// Walks from pair to pair while there is a nearer one.
///
/// Each step depends on the pair alone, so that a walk without an end runs in a circle. The pair is compared with one remembered 1, 2, 4, ... steps
/// before: a cycle is left after at most three times its length and the path into it (Brent 1980).
pub(super) fn walk(view: &View<'_>, mut pair: ContactId) -> Walked {
    let features = |polyhedron: &Polyhedron| 2 * polyhedron.edge_count() + 2;
    let largest = STEPS_PER_FEATURE * (features(view.own) + features(view.other));
    let (mut remembered, mut renewal) = (pair, 1);
    let mut steps = 0;
    while (steps as usize) < largest {
        steps += 1;
        let (next, is_swapped) = step(view, pair);
        match next {
            Next::Step(a, b) => pair = if is_swapped { ContactId { a: b, b: a } } else { ContactId { a, b } },
            Next::Stay => return Walked { pair, steps, end: End::Nearest },
            Next::Common(point) => {
                // The point is in the frame of the face's polyhedron.
                let point = if is_swapped { point } else { view.brought(&point) };
                return Walked { pair, steps, end: End::Common(point) };
            }
        }
        if pair == remembered {
            break;
        }
        if steps == renewal {
            (remembered, renewal) = (pair, 2 * renewal);
        }
    }
    Walked { pair, steps, end: End::Open }
}

/// One step from a pair, and whether it is seen by B.
fn step(view: &View<'_>, pair: ContactId) -> (Next, bool) {
    use Feature::{Edge, Face, Surface, Vertex};
    match (pair.a, pair.b) {
        (Vertex(a), Vertex(b)) => (vertex_vertex(view, a, b), false),
        (Vertex(a), Edge(b)) => (vertex_edge(view, a, b), false),
        (Edge(a), Vertex(b)) => (vertex_edge(&view.swapped(), b, a), true),
        (Vertex(a), Face(b)) => (vertex_face(view, a, b), false),
        (Face(a), Vertex(b)) => (vertex_face(&view.swapped(), b, a), true),
        (Edge(a), Edge(b)) => (edge_edge(view, a, b), false),
        (Edge(a), Face(b)) => (edge_face(view, a, b), false),
        (Face(a), Edge(b)) => (edge_face(&view.swapped(), b, a), true),
        // No walk comes here, but one may start here.
        (Face(_), Face(b)) => (Next::Step(pair.a, Edge(view.other.face_edges(b as usize)[0])), false),
        (Surface(_), _) | (_, Surface(_)) => (Next::Step(Vertex(0), Vertex(0)), false),
    }
}
