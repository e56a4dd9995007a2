//! Convex polyhedra with their topology: vertices, edges with both faces, flat convex faces with outward planes.
//!
//! In: points or a mesh; the polyhedron is their hull. Out: incidences in flat arrays and answers to every question of
//! [`crate::Convex`]. Vertices keep the order of the input points; everything else follows from it, bit for bit.

mod convex;
mod merge;
pub(crate) mod sphere;
mod stored;
mod support;
mod support_climb;
mod support_scan;
mod support_table;
mod topology;

use zerogap_core::store::{Reader, Store, StoreError, Writer};
use zerogap_core::{Aabb, Vec3};

use crate::hull::{Hull, HullSurface, convex_hull, six_volumes};
use crate::mass::surface::moments_of_cones;
use crate::mass::{Moments, polytope};
use crate::{BoundingSphere, GeometryError, TriangleMesh};
use support::Support;
pub use support::SupportMethod;
pub use topology::Edge;
use topology::{Rows, Topology};

/// The plane `normal · x = offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Outward unit normal [-].
    pub normal: Vec3,
    /// Signed distance from the origin [m].
    pub offset: f64,
}

/// A convex polyhedron with volume.
///
/// Vertices are input points of the hull; faces are convex polygons whose vertices lie in the face's plane to 5e-14 of the
/// bounding diagonal (none above it); every edge has two faces, at every vertex three or more faces meet, and V - E + F = 2.
/// No point that the polyhedron was made of lies more than 1e-12 of the diagonal above any plane, measured from the
/// face's first vertex as [`Polyhedron::height`] does. `Plane::offset` is a rounded number and adds about 2e-16 of the
/// distance from the origin.
#[derive(Debug, Clone)]
pub struct Polyhedron {
    vertices: Vec<Vec3>,
    topology: Topology,
    normals: Vec<Vec3>,
    bounding_box: Aabb,
    bounding_sphere: BoundingSphere,
    reach: f64,
    interior: Vec3,
    volume: f64,
    support: Support,
}

/// Vertices and faces as they are numbered, and the neighbours in the exact hull; what follows from them is made again.
impl Store for Polyhedron {
    fn put(&self, out: &mut Writer) {
        self.vertices.put(out);
        self.topology.face_vertices.put(out);
        self.normals.put(out);
        self.support.neighbors().put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        let vertices: Vec<Vec3> = Store::take(from)?;
        let (faces, normals, neighbors) = (Rows::take(from)?, Vec::take(from)?, Rows::take(from)?);
        let refused = |why: &dyn std::fmt::Display| from.invalid("polyhedron", &why);
        let topology = stored::check(&vertices, faces, &normals, &neighbors).map_err(|why| refused(&why))?;
        Ok(Self::assembled(vertices, topology, normals, |vertices, around| {
            Support::from_neighbors(vertices, neighbors, around)
        }))
    }
}

/// Same vertices in the same order: each polyhedron is the hull of its vertices. The numbering of faces and edges may differ where one
/// was made from more points than the other.
impl PartialEq for Polyhedron {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices
    }
}

impl Polyhedron {
    /// The hull of points [m].
    ///
    /// Fails: as [`convex_hull`], and with [`GeometryError::Flat`], which has the dimension, when the points have no volume.
    pub fn from_points(points: &[Vec3]) -> Result<Self, GeometryError> {
        let dimension = match convex_hull(points)? {
            Hull::Polyhedron(polyhedron) => return Ok(polyhedron),
            Hull::Polygon(_) => 2,
            Hull::Segment(_) => 1,
            Hull::Point(_) => 0,
        };
        Err(GeometryError::Flat { dimension, points: points.len() })
    }

    /// The hull of a mesh: of the vertices that its triangles use.
    pub fn from_mesh(mesh: &TriangleMesh) -> Result<Self, GeometryError> {
        Self::from_points(&mesh.used_vertices())
    }

    /// From an exact hull surface; also the input index of each vertex.
    pub(crate) fn from_surface(points: &[Vec3], surface: HullSurface) -> (Self, Vec<u32>) {
        let merged = merge::merge(points, surface);
        let (topology, seeds) = topology::build(&merged);
        let sources = merged.surface.sources.clone();
        let vertices: Vec<Vec3> = sources.iter().map(|&index| points[index as usize]).collect();
        let normals = seeds.iter().map(|&seed| merged.normals[seed as usize]).collect();
        let polyhedron = Self::assembled(vertices, topology, normals, |vertices, around| {
            Support::new(vertices, &merged.surface.triangles, around)
        });
        (polyhedron, sources)
    }

    /// The polyhedron of its parts, with what follows from them.
    fn assembled(
        vertices: Vec<Vec3>,
        topology: Topology,
        normals: Vec<Vec3>,
        support: impl FnOnce(&[Vec3], &Aabb) -> Support,
    ) -> Self {
        let bounding_box = Aabb::from_points(&vertices);
        let bounding_sphere = sphere::bounding_sphere(&vertices, &bounding_box);
        let reach = vertices.iter().map(Vec3::norm_squared).fold(0.0, f64::max).sqrt();
        let support = support(&vertices, &bounding_box);
        let mut polyhedron = Self {
            vertices,
            topology,
            normals,
            bounding_box,
            bounding_sphere,
            reach,
            interior: Vec3::zeros(),
            volume: 0.0,
            support,
        };
        polyhedron.measure();
        polyhedron
    }

    /// Sets the volume and the interior point.
    fn measure(&mut self) {
        // Sums relative to the first vertex, so that bodies far from the origin lose no digits.
        let first = self.vertices[0];
        let sum: Vec3 = self.vertices.iter().map(|p| p - first).sum();
        let mean = first + sum / self.vertices.len() as f64;
        let solid = self.moments(mean);
        self.volume = solid.measure;
        let center = if solid.measure > 0.0 { mean + solid.first / solid.measure } else { mean };
        // The centre of volume is usually deeper inside; in a thin sliver rounding can throw it out.
        let depth =
            |p: &Vec3| (0..self.face_count()).map(|face| -self.height(face, p)).fold(f64::INFINITY, f64::min);
        self.interior = if depth(&center) > depth(&mean) { center } else { mean };
    }

    /// Vertex positions [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Largest distance of a vertex from the origin [m].
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.topology.edges.len()
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.topology.edges
    }

    /// Number of faces.
    pub fn face_count(&self) -> usize {
        self.normals.len()
    }

    /// Vertices of a face, counter-clockwise seen from outside; the face's plane contains the first.
    pub fn face_vertices(&self, face: usize) -> &[u32] {
        self.topology.face_vertices.row(face)
    }

    /// Edges of a face; edge k joins its vertices k and k + 1.
    pub fn face_edges(&self, face: usize) -> &[u32] {
        self.topology.face_edges.row(face)
    }

    /// Outward unit normal of a face [-].
    pub fn normal(&self, face: usize) -> Vec3 {
        self.normals[face]
    }

    /// Outward plane of a face.
    pub fn plane(&self, face: usize) -> Plane {
        let normal = self.normals[face];
        Plane { normal, offset: normal.dot(&self.vertices[self.face_vertices(face)[0] as usize]) }
    }

    /// Signed distance of a point from a face's plane [m], positive outside; keeps its digits far from the origin.
    pub fn height(&self, face: usize, point: &Vec3) -> f64 {
        self.normals[face].dot(&(point - self.vertices[self.face_vertices(face)[0] as usize]))
    }

    /// Vertices joined to a vertex by an edge, counter-clockwise seen from outside.
    pub fn neighbors(&self, vertex: usize) -> &[u32] {
        self.topology.neighbors.row(vertex)
    }

    /// The edges to [`Polyhedron::neighbors`], in the same order.
    pub fn vertex_edges(&self, vertex: usize) -> &[u32] {
        self.topology.vertex_edges.row(vertex)
    }

    /// The faces around a vertex, counter-clockwise; face k lies between edges k and k + 1 of [`Polyhedron::vertex_edges`].
    pub fn vertex_faces(&self, vertex: usize) -> &[u32] {
        self.topology.vertex_faces.row(vertex)
    }

    /// The face that three vertices have in common, if there is one.
    pub fn common_face(&self, vertices: [u32; 3]) -> Option<usize> {
        let [first, second, third] = vertices.map(|vertex| self.vertex_faces(vertex as usize));
        first.iter().find(|face| second.contains(face) && third.contains(face)).map(|face| *face as usize)
    }

    /// A triangulation of the surface, each face as a fan: vertex indices, counter-clockwise seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        (0..self.face_count()).flat_map(|face| {
            let corners = self.face_vertices(face);
            corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]])
        })
    }

    /// Volume integrals about a point inside, from tetrahedra over the triangles with their tips there.
    fn moments(&self, inside: Vec3) -> Moments {
        let cones = self.triangles().map(|corners| {
            let [a, b, c] = corners.map(|index| self.vertices[index as usize]);
            ([a, b, c], six_volumes(&a, &b, &c, &inside))
        });
        moments_of_cones(cones, inside)
    }

    /// Volume integrals of all points within `radius` [m], about the interior point, which is returned with them.
    pub(crate) fn rounded_moments(&self, radius: f64) -> (Vec3, Moments) {
        let reference = self.interior;
        let local: Vec<Vec3> = self.vertices.iter().map(|p| p - reference).collect();
        let faces: Vec<polytope::Face> = (0..self.face_count())
            .map(|face| polytope::Face {
                normal: self.normals[face],
                corners: self.face_vertices(face).iter().map(|&v| v as usize).collect(),
            })
            .collect();
        // Each face runs through its edges counter-clockwise; the edge belongs to the face that runs from its lower vertex.
        let mut edges = Vec::with_capacity(self.edge_count());
        for face in 0..self.face_count() {
            let corners = self.face_vertices(face);
            for (k, &edge) in self.face_edges(face).iter().enumerate() {
                let (start, end) = (corners[k], corners[(k + 1) % corners.len()]);
                if start < end {
                    let [first, second] = self.edges()[edge as usize].faces;
                    let other = if first as usize == face { second } else { first };
                    edges.push(polytope::Edge {
                        start: start as usize,
                        end: end as usize,
                        left: self.normals[face],
                        right: self.normals[other as usize],
                    });
                }
            }
        }
        (reference, polytope::rounded(&local, &faces, &edges, self.moments(reference), radius))
    }

    /// The surface as a mesh.
    #[expect(
        clippy::missing_panics_doc,
        reason = "the indices come from the vertices and the vertices were checked"
    )]
    pub fn to_mesh(&self) -> TriangleMesh {
        TriangleMesh::new(self.vertices.clone(), self.triangles().collect())
            .expect("a polyhedron has triangles, finite vertices and valid indices")
    }
}
