//! Contacts: where two bodies touch or nearly do, each point with its own gap and a name that lasts.

use std::fmt;

use crate::{Gap, GapStatus, NormalKind, Vec3};

/// Bits of a packed feature that hold its index; two more hold its kind.
const INDEX_BITS: u32 = 30;

/// A part of a shape's surface, by a name that depends on the shape alone: it is the same in every query.
///
/// Boxes and polyhedra number their vertices, edges and faces; the outline of several faces that are flat against each other has sides with numbers beyond
/// all edges, one for each corner. Points, segments, triangles and polygons number their corners and sides in
/// order, with face 0 in front and 1 behind. Capsules are named by their axis, rounded shapes by their core. Cylinders, cones and frustums have faces 0 (at -z) and 1 (at +z), each
/// with a rim of the same number, an edge; 64 points of each rim have names of their own, vertices 0 to 63 and 64 to 127. What is curved otherwise is one
/// surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// An edge, straight or the rim of a disc.
    Edge(u32),
    /// A flat face.
    Face(u32),
    /// A curved surface.
    Surface(u32),
}

impl Feature {
    /// The feature as one number: two bits for the kind, then the index.
    pub fn packed(self) -> u32 {
        let (kind, index) = match self {
            Self::Vertex(index) => (0, index),
            Self::Edge(index) => (1, index),
            Self::Face(index) => (2, index),
            Self::Surface(index) => (3, index),
        };
        debug_assert!(index < 1 << INDEX_BITS, "no shape has a thousand million features");
        (kind << INDEX_BITS) | index
    }

    /// The feature of a packed number.
    pub fn unpacked(packed: u32) -> Self {
        let index = packed & ((1 << INDEX_BITS) - 1);
        match packed >> INDEX_BITS {
            0 => Self::Vertex(index),
            1 => Self::Edge(index),
            2 => Self::Face(index),
            _ => Self::Surface(index),
        }
    }

    /// Returns the kind in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Vertex(_) => "vertex",
            Self::Edge(_) => "edge",
            Self::Face(_) => "face",
            Self::Surface(_) => "surface",
        }
    }

    /// The number among the features of its kind.
    pub fn index(self) -> u32 {
        match self {
            Self::Vertex(index) | Self::Edge(index) | Self::Face(index) | Self::Surface(index) => index,
        }
    }
}

/// Kind and number: `edge 3`.
impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.word(), self.index())
    }
}

/// The name of a contact of two shapes: the feature of each that makes it. Unique within a manifold, and the same from step to step as
/// long as these two features make the contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId {
    /// The feature of A.
    pub a: Feature,
    /// The feature of B.
    pub b: Feature,
}

impl ContactId {
    /// The id as one number: A's packed feature in the upper half, B's in the lower.
    pub fn packed(self) -> u64 {
        (u64::from(self.a.packed()) << 32) | u64::from(self.b.packed())
    }

    /// The id of a packed number.
    #[expect(clippy::cast_possible_truncation, reason = "each half is a feature")]
    pub fn unpacked(packed: u64) -> Self {
        Self { a: Feature::unpacked((packed >> 32) as u32), b: Feature::unpacked(packed as u32) }
    }

    /// The same contact seen from B.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a }
    }
}

/// As `vertex 3 on face 0`.
impl fmt::Display for ContactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.a, self.b)
    }
}

/// One point of a contact: always `point_b - point_a = gap * normal`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Signed distance of the two surfaces here, along the normal [m].
    pub gap: f64,
    /// Unit vector from A to B [-]: the same for all contacts of a manifold; of meshes, each contact has its own.
    pub normal: Vec3,
    /// The point of A [m].
    pub point_a: Vec3,
    /// The point of B [m].
    pub point_b: Vec3,
    /// The features in contact here.
    pub id: ContactId,
}

impl Contact {
    /// The same contact seen from B.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            normal: -self.normal,
            point_a: self.point_b,
            point_b: self.point_a,
            id: self.id.swapped(),
            ..self
        }
    }

    /// Returns the gap of two bodies of which this is the nearest contact, known to the tolerance of contacts.
    pub fn as_gap(&self) -> Gap {
        Gap {
            gap: self.gap,
            lower: self.gap,
            upper: self.gap,
            normal: self.normal,
            point_a: self.point_a,
            point_b: self.point_b,
            status: GapStatus::Converged,
            ..Gap::farthest()
        }
    }
}

/// Contact manifold of two shapes: a point, a segment or a convex polygon, given by its corners.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifold {
    /// The gap of the two shapes with its certificate: no contact has a smaller one, and at least one has this.
    pub gap: Gap,
    /// Unit vector from A to B, that of all contacts [-]: the gap's, or a better one of those that separate the shapes as well.
    pub normal: Vec3,
    /// Whether the normal was the only one possible.
    pub normal_kind: NormalKind,
    /// The most general features that are nearest to each other, or deepest in overlap: a face rather than its edges, an edge rather than
    /// its ends. None where there are no contacts.
    pub features: Option<ContactId>,
    /// The corners of the manifold in order around it; none where the shapes are farther apart than the requested distance.
    pub contacts: Vec<Contact>,
    /// How much of a spring stands at each contact, where rims were asked for as a quadrature [-]; empty where every contact counts alike.
    pub weights: Vec<f64>,
}

impl Manifold {
    /// Takes over another manifold without new memory.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { gap, normal, normal_kind, features, contacts, weights } = other;
        (self.gap, self.normal, self.normal_kind, self.features) = (*gap, *normal, *normal_kind, *features);
        self.contacts.clone_from(contacts);
        self.weights.clone_from(weights);
    }

    /// Turns the manifold to how it is seen from B, in place.
    pub fn swap(&mut self) {
        self.gap = self.gap.swapped();
        self.normal = -self.normal;
        self.features = self.features.map(ContactId::swapped);
        for contact in &mut self.contacts {
            *contact = contact.swapped();
        }
    }
}

/// No contact, of shapes infinitely far apart: a place to write manifolds into.
impl Default for Manifold {
    fn default() -> Self {
        let gap = Gap::farthest();
        let Gap { normal, normal_kind, .. } = gap;
        Self { gap, normal, normal_kind, features: None, contacts: Vec::new(), weights: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_names_come_back_and_keep_their_order() {
        let names = [0, 1, 77, (1 << 30) - 1]
            .into_iter()
            .flat_map(|k| [Feature::Vertex(k), Feature::Edge(k), Feature::Face(k), Feature::Surface(k)]);
        let mut names: Vec<Feature> = names.collect();
        names.sort();
        assert!(names.is_sorted_by_key(|name| name.packed()));
        for &a in &names {
            assert_eq!(Feature::unpacked(a.packed()), a);
            for &b in &names {
                let id = ContactId { a, b };
                assert_eq!(ContactId::unpacked(id.packed()), id);
                assert_eq!(id.swapped().swapped(), id);
            }
        }
    }

    #[test]
    fn ids_read_as_people_say_them() {
        let id = ContactId { a: Feature::Vertex(3), b: Feature::Face(0) };
        assert_eq!(id.to_string(), "vertex 3 on face 0");
    }
}
