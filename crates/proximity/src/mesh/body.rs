//! A mesh made ready for questions: its triangles in tree order with a hierarchy over them, and how they join.

use std::sync::{Arc, OnceLock};

use zerogap_core::{Aabb, Vec3};
use zerogap_geometry::{ConvexShape, GeometryError, TriangleMesh};

use super::hull::convex_shape;
use super::join::Joins;
use crate::bvh::{BoundingVolume, BuildParams, Bvh, Obb};

/// A mesh made ready for questions. Made once, shared by reference or [`Arc`]; it never changes but through [`MeshBody::refit`].
#[derive(Debug)]
pub struct MeshBody<V: BoundingVolume = Obb> {
    mesh: Arc<TriangleMesh>,
    tree: Bvh<V>,
    /// Corners in tree order [m].
    corners: Vec<[Vec3; 3]>,
    joins: OnceLock<Joins>,
    /// The convex shape that it is; none where it is none.
    convex: OnceLock<Option<ConvexShape>>,
    /// The box around it [m].
    bounds: Aabb,
}

impl<V: BoundingVolume> MeshBody<V> {
    /// Builds the hierarchy of a mesh by its usual rule.
    pub fn new(mesh: impl Into<Arc<TriangleMesh>>) -> Self {
        Self::with(mesh, &BuildParams::default())
    }

    /// Builds the hierarchy of a mesh. Cost: O(n log n), on all cores.
    pub fn with(mesh: impl Into<Arc<TriangleMesh>>, params: &BuildParams) -> Self {
        let mesh = mesh.into();
        let triangles: Vec<[Vec3; 3]> = mesh.corner_triples().collect();
        let tree = Bvh::build(&triangles, params);
        Self::from_tree(mesh, tree)
    }

    /// From a mesh and a hierarchy that was built for it, as one that was stored; none where they do not fit each other.
    pub fn with_tree(mesh: impl Into<Arc<TriangleMesh>>, tree: Bvh<V>) -> Option<Self> {
        let mesh = mesh.into();
        let triangles: Vec<[Vec3; 3]> = mesh.corner_triples().collect();
        tree.holds(&triangles).then(|| Self::from_tree(mesh, tree))
    }

    fn from_tree(mesh: Arc<TriangleMesh>, tree: Bvh<V>) -> Self {
        let corners = tree.order().iter().map(|&t| mesh.corners(t as usize)).collect();
        let bounds = mesh.bounding_box();
        Self { mesh, tree, corners, joins: OnceLock::new(), convex: OnceLock::new(), bounds }
    }

    /// Takes over a mesh with the same triangles whose corners moved, as a deforming one has; the hierarchy keeps who is whose neighbour.
    ///
    /// Fails: another number of triangles.
    pub fn refit(&mut self, mesh: impl Into<Arc<TriangleMesh>>) -> Result<(), GeometryError> {
        let mesh = mesh.into();
        if mesh.triangles().len() != self.mesh.triangles().len() {
            return Err(GeometryError::Empty { what: "the part of the new mesh that the old one had" });
        }
        let triangles: Vec<[Vec3; 3]> = mesh.corner_triples().collect();
        self.tree.refit(&triangles);
        self.corners = self.tree.order().iter().map(|&t| triangles[t as usize]).collect();
        self.joins = OnceLock::new();
        self.convex = OnceLock::new();
        self.bounds = mesh.bounding_box();
        self.mesh = mesh;
        Ok(())
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<TriangleMesh> {
        &self.mesh
    }

    /// Returns the box around it [m].
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The hierarchy.
    #[inline]
    pub fn tree(&self) -> &Bvh<V> {
        &self.tree
    }

    /// Corners of the triangle at a place of the tree's order [m].
    #[inline]
    pub(crate) fn at(&self, place: usize) -> &[Vec3; 3] {
        &self.corners[place]
    }

    /// The mesh's number of the triangle at a place of the tree's order.
    #[inline]
    pub(crate) fn triangle(&self, place: u32) -> u32 {
        self.tree.order()[place as usize]
    }

    /// How far it reaches from its origin, at most [m].
    pub fn reach(&self) -> f64 {
        let frame = self.tree.frame();
        frame.origin.norm() + 3.0_f64.sqrt() * frame.unit
    }

    /// How its triangles join; worked out the first time.
    pub(crate) fn joins(&self) -> &Joins {
        self.joins.get_or_init(|| Joins::new(&self.mesh))
    }

    /// Returns the ends of an edge that a contact names [m]; none where there is no such edge.
    pub fn edge_ends(&self, edge: u32) -> Option<[Vec3; 2]> {
        let joins = self.joins();
        let ends = ((edge as usize) < joins.edge_count()).then(|| joins.edge(edge))?;
        Some(ends.map(|v| self.mesh.vertices()[v as usize]))
    }

    /// The convex shape that it is, worked out the first time; none where it is not convex.
    pub(crate) fn as_convex(&self) -> Option<&ConvexShape> {
        self.convex.get_or_init(|| convex_shape(&self.mesh, self.joins())).as_ref()
    }

    /// Whether its surface bounds a volume and faces outward, so that it has an inside and an outside; computed once, on first use.
    pub fn is_closed(&self) -> bool {
        self.joins().is_closed()
    }

    /// That it bounds a volume, facing outward; the error says why it has no inside.
    pub fn require_closed(&self) -> Result<(), GeometryError> {
        if self.is_closed() {
            return Ok(());
        }
        let report = self.mesh.require_closed()?;
        Err(GeometryError::InsideOut { volume: report.signed_volume })
    }

    /// Memory of the hierarchy and the triangles beside it, without the mesh itself [bytes].
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.corners.len() * size_of::<[Vec3; 3]>()
    }
}
