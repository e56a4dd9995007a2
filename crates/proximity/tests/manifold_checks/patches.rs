//! Which names belong together on a shape, and which way they face: what a test needs to tell why a contact came or went.

use zerogap_core::{Feature, Manifold, Vec3};
use zerogap_geometry::ConvexShape;

use crate::pair_checks::PlacedShape;

/// Cosine of the angle within which a face faces the normal [-]: the documented 10 degrees.
const FACING: f64 = 0.984_807_753_012_208;

/// Sine of the same angle, for lines.
const LYING: f64 = 0.173_648_177_666_930_33;

/// A face or line of a shape with all names that its contacts can have.
pub(crate) struct Named {
    members: Vec<Feature>,
    /// Outward normal of a face, direction of a line, in the shape's frame.
    direction: Vec3,
    is_face: bool,
}

impl Named {
    /// How far beyond the limit of facing it is, along a direction of the world that the shape faces [-].
    fn beyond(&self, placed: &PlacedShape, toward: &Vec3) -> f64 {
        let cosine = placed.pose.transform_vector(&self.direction).dot(toward);
        if self.is_face { cosine - FACING } else { LYING - cosine.abs() }
    }
}

/// All faces and lines of a box, a polyhedron, a cylinder or a capsule.
pub(crate) fn named(shape: &ConvexShape) -> Vec<Named> {
    let face = |members, direction| Named { members, direction, is_face: true };
    let line = |members, direction| Named { members, direction, is_face: false };
    match shape {
        ConvexShape::Polyhedron(solid) => {
            let faces = (0..solid.face_count()).map(|f| {
                let corners = solid.face_vertices(f).iter().map(|&k| Feature::Vertex(k));
                let sides = solid.face_edges(f).iter().map(|&k| Feature::Edge(k));
                face(corners.chain(sides).chain([Feature::Face(f as u32)]).collect(), solid.normal(f))
            });
            let edges = solid.edges().iter().enumerate().map(|(k, edge)| {
                let [p, q] = edge.vertices.map(|k| solid.vertices()[k as usize]);
                let ends = edge.vertices.map(Feature::Vertex);
                line(vec![ends[0], ends[1], Feature::Edge(k as u32)], (q - p).normalize())
            });
            faces.chain(edges).collect()
        }
        ConvexShape::Cuboid(_) => {
            // Corner k has its sign along axis i in bit i; edges come four per axis, by the signs along the two axes after it.
            let axis = |i: usize| Vec3::from_fn(|k, _| if k == i { 1.0 } else { 0.0 });
            let ends = |edge: u32| {
                let (i, signs) = ((edge / 4) as usize, edge % 4);
                let low = (signs & 1) << ((i + 1) % 3) | (signs >> 1) << ((i + 2) % 3);
                [low, low | 1 << i]
            };
            let faces = (0..6_u32).map(|f| {
                let (i, outward) = ((f / 2) as usize, f % 2);
                let is_on = |corner: u32| corner >> i & 1 == outward;
                let corners = (0..8).filter(|k| is_on(*k)).map(Feature::Vertex);
                let sides = (0..12).filter(|k| ends(*k).into_iter().all(is_on)).map(Feature::Edge);
                let sign = if outward == 1 { 1.0 } else { -1.0 };
                face(corners.chain(sides).chain([Feature::Face(f)]).collect(), axis(i) * sign)
            });
            let edges = (0..12_u32).map(|k| {
                let [p, q] = ends(k).map(Feature::Vertex);
                line(vec![p, q, Feature::Edge(k)], axis((k / 4) as usize))
            });
            faces.chain(edges).collect()
        }
        ConvexShape::Cylinder(_) => {
            let cap = |c: u32| {
                let rim = (64 * c..64 * (c + 1)).map(Feature::Vertex);
                let arcs = (2 + 128 * c..2 + 128 * (c + 1)).map(Feature::Edge);
                let whole = [Feature::Face(c), Feature::Edge(c)];
                face(rim.chain(arcs).chain(whole).collect(), Vec3::z() * if c == 1 { 1.0 } else { -1.0 })
            };
            let side = vec![Feature::Surface(0), Feature::Edge(0), Feature::Edge(1)];
            vec![cap(0), cap(1), line(side, Vec3::z())]
        }
        _ => vec![line(vec![Feature::Edge(0), Feature::Vertex(0), Feature::Vertex(1)], Vec3::z())],
    }
}

/// What of a shape faces the normal, as its contacts and directions tell.
pub(crate) struct Seen {
    /// Which of the named the contacts' names all belong to.
    candidates: Vec<usize>,
    /// The face that faces the normal best, and the flattest line that has one of the contacts' names.
    best: [Option<usize>; 2],
    /// How far beyond the limit each is.
    beyond: Vec<f64>,
    /// Whether the best face lies flat, or leans so that a round line beside it touches its border alone.
    pub(crate) is_flat: bool,
    /// Directions of the lines among the candidates, seen along the normal.
    lines: Vec<(usize, Vec3)>,
}

/// Looks at the side of A, or of B.
pub(crate) fn look(names: &[Named], placed: &PlacedShape, manifold: &Manifold, is_b: bool) -> Seen {
    let normal = manifold.normal;
    let toward = if is_b { -normal } else { normal };
    let mine = |contact: &zerogap_core::Contact| if is_b { contact.id.b } else { contact.id.a };
    let holds_all =
        |k: &usize| manifold.contacts.iter().all(|contact| names[*k].members.contains(&mine(contact)));
    let beyond: Vec<f64> = names.iter().map(|named| named.beyond(placed, &toward)).collect();
    let has_one =
        |k: usize| manifold.contacts.iter().any(|contact| names[k].members.contains(&mine(contact)));
    let mut best = [true, false].map(|is_face| {
        let some = (0..names.len()).filter(|&k| names[k].is_face == is_face && (is_face || has_one(k)));
        some.max_by(|p, q| beyond[*p].total_cmp(&beyond[*q]))
    });
    // Which line of a face is flattest is of no meaning.
    if best[0].is_some_and(|k| beyond[k] >= 0.0) {
        best[1] = None;
    }
    let candidates: Vec<usize> = (0..names.len()).filter(holds_all).collect();
    let flat = |k: usize| {
        let along = placed.pose.transform_vector(&names[k].direction);
        (along - normal * normal.dot(&along)).normalize()
    };
    let lines = candidates.iter().filter(|k| !names[**k].is_face).map(|&k| (k, flat(k))).collect();
    // The sine of the limit that the border has.
    let is_flat = best[0]
        .is_some_and(|k| placed.pose.transform_vector(&names[k].direction).cross(&normal).amax() <= 1e-6);
    Seen { candidates, best, beyond, is_flat, lines }
}

/// Whether what faces the normal may be another part now: no part has the names of both, another face or line is ahead, or one
/// that has the names has passed the limit.
pub(crate) fn has_switched(before: &Seen, now: &Seen) -> bool {
    let is_common = |k: &&usize| now.candidates.contains(k);
    let passes = |k: &usize| (before.beyond[*k] >= 0.0) != (now.beyond[*k] >= 0.0);
    before.best != now.best
        || !before.candidates.iter().any(|k| is_common(&k))
        || before.candidates.iter().chain(&now.candidates).any(passes)
}

/// Whether a line of A and one of B have passed the angle up to which their ends lie beside each other.
pub(crate) fn have_parted([a, b]: [&Seen; 2], [a_now, b_now]: [&Seen; 2]) -> bool {
    let lie_beside = |a: &Seen, b: &Seen, p: usize, q: usize| {
        let of =
            |seen: &Seen, k: usize| seen.lines.iter().find(|(name, _)| *name == k).map(|(_, along)| *along);
        Some(of(a, p)?.cross(&of(b, q)?).norm() <= LYING)
    };
    let pairs = a.lines.iter().flat_map(|(p, _)| b.lines.iter().map(move |(q, _)| (*p, *q)));
    pairs.into_iter().any(|(p, q)| {
        let (before, now) = (lie_beside(a, b, p, q), lie_beside(a_now, b_now, p, q));
        now.is_some() && before != now
    })
}
