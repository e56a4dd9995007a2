//! What the search sees of a shape: farthest points, each with a name.
//!
//! In: a direction in the shape's frame. Out: a point and, for polytopes, the index of the vertex. Searches are compiled for each pair of
//! body types, so that polyhedra pay for no match on the kind of shape.

use zerogap_core::Vec3;
use zerogap_geometry::{Convex, ConvexShape, Polyhedron, SupportHint};

use super::exhaustive::Features;

/// The name of a point that is not a vertex.
pub(crate) const UNNAMED: u32 = u32::MAX;

/// A convex set given by its farthest points.
pub(crate) trait Body {
    /// A point farthest along a direction of any length [m], and its name.
    fn support(&self, direction: &Vec3, hint: &mut u32) -> (Vec3, u32);

    /// Whether every farthest point is one of finitely many named vertices.
    fn is_polytope(&self) -> bool;

    /// How many named vertices there are; names are smaller.
    fn corner_count(&self) -> u32;

    /// The vertex of a name [m].
    fn vertex(&self, name: u32) -> Vec3;

    /// Some inner point [m].
    fn interior(&self) -> Vec3;

    /// The outward unit normal of the face that holds three vertices, and a point in its plane [m], where the body has kept them.
    fn face(&self, names: [u32; 3]) -> Option<(Vec3, Vec3)>;

    /// All vertices, edges and faces of a polytope.
    fn features(&self) -> Features;
}

impl Body for Polyhedron {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut u32) -> (Vec3, u32) {
        let name = self.support_vertex_tame(direction);
        (self.vertices()[name as usize], name)
    }

    #[inline]
    fn is_polytope(&self) -> bool {
        true
    }

    #[inline]
    fn corner_count(&self) -> u32 {
        self.vertices().len() as u32
    }

    #[inline]
    fn vertex(&self, name: u32) -> Vec3 {
        self.vertices()[name as usize]
    }

    #[inline]
    fn interior(&self) -> Vec3 {
        self.interior_point()
    }

    fn face(&self, names: [u32; 3]) -> Option<(Vec3, Vec3)> {
        let face = self.common_face(names)?;
        Some((self.normal(face), self.vertices()[self.face_vertices(face)[0] as usize]))
    }

    fn features(&self) -> Features {
        Features {
            corners: self.vertices().len() as u32,
            edges: self.edges().iter().map(|edge| edge.vertices).collect(),
            triangles: self.triangles().collect(),
        }
    }
}

/// Any convex shape, by a match on its kind.
impl Body for ConvexShape {
    #[inline]
    fn support(&self, direction: &Vec3, hint: &mut u32) -> (Vec3, u32) {
        match self {
            Self::Polyhedron(shape) => Body::support(&**shape, direction, hint),
            Self::Cuboid(shape) => {
                let corner = shape.support(direction, &mut SupportHint::default());
                // Bit k is the sign along axis k, as in `Cuboid::corners`.
                let name = (0..3).map(|k| u32::from(corner[k] > 0.0) << k).sum();
                (corner, name)
            }
            Self::Point(shape) => (shape.position(), 0),
            Self::Segment(shape) => first_farthest(&shape.ends(), direction),
            Self::Triangle(shape) => first_farthest(&shape.corners(), direction),
            Self::Polygon(shape) => first_farthest(shape.corners(), direction),
            curved => {
                let mut start = SupportHint(*hint);
                let point = Convex::support(curved, direction, &mut start);
                *hint = start.0;
                (point, UNNAMED)
            }
        }
    }

    fn is_polytope(&self) -> bool {
        matches!(
            self,
            Self::Polyhedron(_)
                | Self::Cuboid(_)
                | Self::Point(_)
                | Self::Segment(_)
                | Self::Triangle(_)
                | Self::Polygon(_)
        )
    }

    fn corner_count(&self) -> u32 {
        self.features().corners
    }

    fn vertex(&self, name: u32) -> Vec3 {
        let index = name as usize;
        match self {
            Self::Polyhedron(shape) => shape.vertices()[index],
            Self::Cuboid(shape) => {
                let half = shape.half_size();
                Vec3::from_fn(|k, _| if name >> k & 1 == 1 { half[k] } else { -half[k] })
            }
            Self::Segment(shape) => shape.ends()[index],
            Self::Triangle(shape) => shape.corners()[index],
            Self::Polygon(shape) => shape.corners()[index],
            other => other.interior_point(),
        }
    }

    fn interior(&self) -> Vec3 {
        self.interior_point()
    }

    fn face(&self, names: [u32; 3]) -> Option<(Vec3, Vec3)> {
        match self {
            Self::Polyhedron(shape) => shape.face(names),
            _ => None,
        }
    }

    fn features(&self) -> Features {
        match self {
            Self::Polyhedron(shape) => shape.features(),
            Self::Cuboid(_) => Features {
                corners: 8,
                edges: BOX_EDGES.to_vec(),
                triangles: BOX_FACES.iter().flat_map(|[p, q, r, s]| [[*p, *q, *r], [*p, *r, *s]]).collect(),
            },
            Self::Point(_) => Features { corners: 1, edges: vec![[0, 0]], triangles: Vec::new() },
            Self::Segment(_) => Features { corners: 2, edges: vec![[0, 1]], triangles: Vec::new() },
            Self::Triangle(_) => plate(3),
            Self::Polygon(shape) => plate(shape.corners().len() as u32),
            _ => Features::default(),
        }
    }
}

/// A body with all its lengths multiplied by a power of two, which changes no digit.
pub(crate) struct Scaled<'a> {
    /// The body as it is.
    pub(crate) body: &'a ConvexShape,
    /// The factor [-].
    pub(crate) scale: f64,
}

impl Body for Scaled<'_> {
    fn support(&self, direction: &Vec3, hint: &mut u32) -> (Vec3, u32) {
        let (point, name) = Body::support(self.body, direction, hint);
        (point * self.scale, name)
    }

    fn is_polytope(&self) -> bool {
        self.body.is_polytope()
    }

    fn corner_count(&self) -> u32 {
        self.body.corner_count()
    }

    fn vertex(&self, name: u32) -> Vec3 {
        self.body.vertex(name) * self.scale
    }

    fn interior(&self) -> Vec3 {
        self.body.interior() * self.scale
    }

    fn face(&self, names: [u32; 3]) -> Option<(Vec3, Vec3)> {
        self.body.face(names).map(|(normal, point)| (normal, point * self.scale))
    }

    fn features(&self) -> Features {
        self.body.features()
    }
}

/// The edges of a box, by the names of its corners.
const BOX_EDGES: [[u32; 2]; 12] =
    [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

/// The faces of a box, counter-clockwise seen from outside.
const BOX_FACES: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// A flat polygon with both its sides.
fn plate(corners: u32) -> Features {
    let fan = |k: u32| [[0, k, k + 1], [0, k + 1, k]];
    Features {
        corners,
        edges: (0..corners).map(|k| [k, (k + 1) % corners]).collect(),
        triangles: (1..corners - 1).flat_map(fan).collect(),
    }
}

/// The first of the farthest points.
#[inline]
fn first_farthest(points: &[Vec3], direction: &Vec3) -> (Vec3, u32) {
    let mut best = 0;
    let mut reach = points[0].dot(direction);
    for (index, point) in points.iter().enumerate().skip(1) {
        let along = point.dot(direction);
        if along > reach {
            (best, reach) = (index, along);
        }
    }
    (points[best], best as u32)
}
