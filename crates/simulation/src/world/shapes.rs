//! Shapes on bodies: where they are, how far they reach, and which pairs of them can touch at all.
//!
//! In: shapes with their places on bodies, and the poses of the bodies. Out: poses of shapes and names of pairs. A pair's name is made of the
//! numbers of its shapes, smaller first; it lasts for the whole run.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use zerogap_core::{Aabb, Gap, Manifold, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Workspace};
use zerogap_geometry::complex::ComplexError;
use zerogap_geometry::{BoundingSphere, Complex, ComplexOptions, Convex, ConvexShape, Shape, TriangleMesh};
use zerogap_proximity::lmd::{
    ComplexBody, QuasiContact, QuasiParams, QuasiStatus, QuasiWork, quasi_contacts_into,
};
use zerogap_proximity::mesh::{
    MeshBody, MeshContactParams, MeshDistanceParams, MeshWork, Side, mesh_contacts_into, mesh_distance,
};
use zerogap_proximity::motion::path_resolution;
use zerogap_proximity::{ContactParams, DistanceParams, contacts_into, distance};

use super::WorldError;
use super::narrow::{NarrowPhaseError, NarrowPhaseFailure};
use super::oriented_history::OrientedHistory;

/// The number of a shape in its world, in the order of adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ShapeId(pub u32);

zerogap_core::store_struct!(ShapeId(number));

/// The name of a pair of shapes: the smaller number first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PairId {
    /// The shape with the smaller number, A of gap and normal.
    pub a: ShapeId,
    /// The other, B.
    pub b: ShapeId,
}

zerogap_core::store_struct!(PairId { a, b });

impl PairId {
    /// The pair of two shapes, in either order.
    pub fn new(first: ShapeId, second: ShapeId) -> Self {
        Self { a: first.min(second), b: first.max(second) }
    }
}

/// As `shape 0 and shape 3`.
impl std::fmt::Display for PairId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "shape {} and shape {}", self.a.0, self.b.0)
    }
}

/// Polyhedra with more faces times vertices are as thick as their boxes [-].
const MOST_WIDTHS: usize = 1_000_000;

/// How a shape meets others.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Collision {
    /// As what it is: convex shapes and half-spaces by their exact gap, meshes by their triangles.
    #[default]
    Exact,
    /// As a simplicial complex, by quasi-LMDs: see [`zerogap_proximity::lmd`]. Whatever it meets is taken as a complex too.
    QuasiLmd(QuasiLmd),
    /// By corners, each pushed by the surface of the other shape that it came in through: see [`zerogap_proximity::oriented`]. Its own corners count and those of whatever it collides with, which must have flat
    /// surfaces: boxes, convex polyhedra, half-spaces; contacts must give way, and events be located.
    Oriented,
}

zerogap_core::store_enum!(Collision { 0 => Exact, 1 => QuasiLmd(settings), 2 => Oriented });

/// What contacts by quasi-LMDs are told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuasiLmd {
    /// The angle by which bodies may turn away from a contact before it is lost [rad]; of two bodies the larger one counts.
    pub theta: f64,
    /// The radius that the shape is grown by [m]: how far bodies may move against each other within a part of a step, and how deep they may overlap.
    pub dilation: f64,
    /// Whether the surface is moved inward by the dilation first, so that the grown body is the shape that was given.
    pub inset: bool,
}

zerogap_core::store_struct!(QuasiLmd { theta, dilation, inset });

impl Default for QuasiLmd {
    /// Five degrees and 20 µm, with the surface where it was.
    fn default() -> Self {
        Self { theta: QuasiParams::default().theta, dilation: 2e-5, inset: true }
    }
}

impl QuasiLmd {
    /// Whether it can be used.
    pub(crate) fn check(&self) -> Result<(), WorldError> {
        let bad = |what, value| Err(WorldError::Setting { what, value });
        if !(self.theta >= 0.0 && self.theta <= std::f64::consts::FRAC_PI_2) {
            return bad("angle of quasi-LMDs", self.theta);
        }
        if !(self.dilation >= 0.0 && self.dilation.is_finite()) {
            return bad("dilation", self.dilation);
        }
        Ok(())
    }
}

/// A shape as quasi-LMDs see it.
#[derive(Debug, Clone)]
pub(crate) struct ComplexOperand {
    pub(crate) body: Arc<ComplexBody>,
    /// Zero where the shape only meets others that are asked for by quasi-LMDs [rad].
    pub(crate) theta: f64,
    /// Whether it was asked for.
    pub(crate) is_asked: bool,
}

/// A shape on a body: convex, a half-space, or a mesh.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    /// Whether only the number of the shape is left.
    pub(crate) is_removed: bool,
    /// Its own name; empty where it was given none.
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// The triangles of a mesh with their hierarchy.
    pub(crate) mesh: Option<Arc<MeshBody>>,
    /// As a complex, where some shape of the world is one.
    pub(crate) faceted: Option<ComplexOperand>,
    /// Its corners, where some shape of the world collides by oriented collision and it has any [m].
    pub(crate) corners: Option<Arc<Vec<Vec3>>>,
    /// Whether it was asked to collide by oriented collision.
    pub(crate) is_oriented: bool,
    /// None: fixed in the world.
    pub(crate) body: Option<BodyId>,
    /// In the frame of the body, or of the world.
    pub(crate) at: Pose,
    pub(crate) material: usize,
    /// Velocity of its surface against the body, in its own axes [m/s].
    pub(crate) surface_velocity: Vec3,
    /// Box in the frame of the body [m]; none for a half-space.
    pub(crate) bounds: Option<Aabb>,
    /// Largest distance of a point from the origin of the body [m]; infinite for a half-space.
    pub(crate) reach: f64,
    /// Radius of a ball around it [m]; infinite for a half-space.
    pub(crate) size: f64,
    /// Half the smallest extent [m]; infinite for a half-space.
    pub(crate) thickness: f64,
    /// How far its complex reaches beyond the shape [m].
    pub(crate) inflation: f64,
}

/// Margin on the speeds of shapes, for what they gain between the times at which speeds are known [-].
pub(crate) const SPEED_MARGIN: f64 = 1.5;

impl Placed {
    pub(crate) fn new(shape: Shape, body: Option<BodyId>, at: Pose, material: usize) -> Self {
        let (mut bounds, mut reach, mut thickness, mut size) =
            (None, f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let mut mesh = None;
        let own = match &shape {
            Shape::Convex(convex) => {
                let own = convex.bounding_box();
                thickness = half_thickness(convex, &own);
                Some((own, convex.bounding_sphere()))
            }
            Shape::Mesh(triangles) => {
                let own = triangles.bounding_box();
                thickness = mean_half_thickness(triangles);
                mesh = Some(Arc::new(MeshBody::new(Arc::clone(triangles))));
                let radius = 0.5 * own.diagonal();
                Some((own, BoundingSphere { center: 0.5 * (own.min + own.max), radius }))
            }
            Shape::HalfSpace(_) | Shape::Compound(_) => None,
        };
        if let Some((own, sphere)) = own {
            reach = at.transform_point(&sphere.center).norm() + sphere.radius;
            size = sphere.radius;
            bounds = Some(own.transformed(&at));
        }
        Self {
            is_removed: false,
            name: String::new(),
            shape,
            mesh,
            faceted: None,
            corners: None,
            is_oriented: false,
            body,
            at,
            material,
            surface_velocity: Vec3::zeros(),
            bounds,
            reach,
            size,
            thickness,
            inflation: 0.0,
        }
    }

    /// The shape as a complex.
    pub(crate) fn facet(&mut self, quasi: Option<QuasiLmd>) -> Result<(), ComplexError> {
        let (dilation, inset) = quasi.map_or((0.0, false), |quasi| (quasi.dilation, quasi.inset));
        let options = ComplexOptions { dilation, inset, ..ComplexOptions::default() };
        let body = match &self.shape {
            Shape::Convex(convex) => ComplexBody::new(Complex::from_shape(convex, &options)?),
            Shape::Mesh(mesh) => ComplexBody::new(Complex::from_mesh(mesh, &options)?),
            Shape::HalfSpace(plane) => ComplexBody::half_space(*plane, 0.0)?,
            Shape::Compound(_) => return Ok(()),
        };
        // Boxes and balls must hold the inflated body, or its contacts are found too late.
        if !inset && dilation > 0.0 {
            self.inflation = dilation;
            self.reach += dilation;
            self.bounds = self.bounds.map(|bounds| bounds.expanded(dilation));
        }
        let theta = quasi.map_or(0.0, |quasi| quasi.theta);
        self.faceted = Some(ComplexOperand { body: Arc::new(body), theta, is_asked: quasi.is_some() });
        Ok(())
    }

    /// For questions about meshes.
    fn side(&self) -> Side<'_> {
        match (&self.mesh, &self.shape) {
            (Some(mesh), _) => Side::Mesh(mesh),
            (None, Shape::Convex(convex)) => Side::Convex(convex),
            (None, Shape::HalfSpace(half_space)) => Side::HalfSpace(half_space),
            // Compounds are placed piece by piece, and every mesh has its hierarchy.
            (None, Shape::Compound(_) | Shape::Mesh(_)) => {
                unreachable!("placed with a hierarchy or piece by piece")
            }
        }
    }

    /// The pose of the shape in the world.
    pub(crate) fn pose(&self, ws: &Workspace) -> Pose {
        match self.body {
            Some(body) => *ws.pose(body) * self.at,
            None => self.at,
        }
    }

    /// Returns how fast any of its points moves at most [m/s]; a half-space, which reaches everywhere, counts by the origin of its body.
    pub(crate) fn max_speed(&self, ws: &Workspace) -> f64 {
        let Some(body) = self.body else { return 0.0 };
        let reach = if self.reach.is_finite() { self.reach } else { 0.0 };
        ws.linear_velocity(body).norm() + ws.angular_velocity(body).norm() * reach
    }

    /// Returns how finely the path of the pair with another shape is sampled [m]: as long as two shapes overlap they move by twice their thickness.
    pub(crate) fn path_resolution(&self, other: &Self) -> f64 {
        path_resolution(self.thickness + other.thickness, self.size.min(other.size))
    }
}

/// Half the width of a shape where it is thinnest, or more: along the axes of its box, and between its faces [m].
fn half_thickness(shape: &ConvexShape, own: &Aabb) -> f64 {
    let boxed = 0.5 * (own.max - own.min).min();
    match shape {
        ConvexShape::Point(_)
        | ConvexShape::Segment(_)
        | ConvexShape::Triangle(_)
        | ConvexShape::Polygon(_) => 0.0,
        ConvexShape::Polyhedron(solid) if solid.face_count() * solid.vertices().len() <= MOST_WIDTHS => {
            let depth = |face: usize| {
                let heights = solid.vertices().iter().map(|vertex| -solid.height(face, vertex));
                0.5 * heights.fold(0.0, f64::max)
            };
            (0..solid.face_count()).map(depth).fold(boxed, f64::min)
        }
        _ => boxed,
    }
}

/// The contacts of a pair, and memory to find them in. Each contact of a mesh has a normal of its own.
#[derive(Debug, Default)]
pub(crate) struct ContactSet {
    manifold: Manifold,
    mesh: MeshWork,
    quasi: QuasiWork,
    /// The contacts by quasi-LMDs, in the order of the manifold's.
    pub(crate) faceted: Vec<QuasiContact>,
    /// Distance that complexes are apart at least [m]; none where they are not, or where the pair is not of complexes.
    pub(crate) base_distance: Option<f64>,
    /// The first query with this memory that failed, until it is taken; see [`super::narrow`].
    pub(crate) failure: Option<NarrowPhaseFailure>,
}

/// The contacts are copied, the memory is new.
impl Clone for ContactSet {
    fn clone(&self) -> Self {
        let Self { manifold, faceted, base_distance, .. } = self;
        let (manifold, faceted, base_distance) = (manifold.clone(), faceted.clone(), *base_distance);
        Self { manifold, faceted, base_distance, ..Self::default() }
    }
}

impl Deref for ContactSet {
    type Target = Manifold;

    fn deref(&self) -> &Manifold {
        &self.manifold
    }
}

impl DerefMut for ContactSet {
    fn deref_mut(&mut self) -> &mut Manifold {
        &mut self.manifold
    }
}

/// Volume over area of a closed mesh, which for a plate is half its thickness; zero for an open one [m].
fn mean_half_thickness(mesh: &TriangleMesh) -> f64 {
    let area: f64 = mesh.corner_triples().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
    let volume = mesh.mass_properties(1.0).map_or(0.0, |mass| mass.mass);
    if area > 0.0 { (volume / area).max(0.0) } else { 0.0 }
}

/// Two shapes at poses.
#[derive(Clone, Copy)]
pub(crate) struct PlacedPair<'a> {
    pub(crate) id: PairId,
    pub(crate) a: &'a Placed,
    pub(crate) b: &'a Placed,
    pub(crate) pose_a: Pose,
    pub(crate) pose_b: Pose,
    /// The history of a pair that meets by oriented collision.
    pub(crate) hits: Option<&'a OrientedHistory>,
}

impl<'a> PlacedPair<'a> {
    pub(crate) fn new(shapes: &'a [Placed], pair: PairId, ws: &Workspace) -> Self {
        let (a, b) = (&shapes[pair.a.0 as usize], &shapes[pair.b.0 as usize]);
        Self { id: pair, a, b, pose_a: a.pose(ws), pose_b: b.pose(ws), hits: None }
    }

    /// The same pair with its history.
    pub(crate) fn knowing(self, hits: Option<&'a OrientedHistory>) -> Self {
        Self { hits, ..self }
    }

    /// The velocity of B's surface against that of A, beyond that of their bodies, in world axes [m/s]. What of it is across a contact's normal counts there.
    pub(crate) fn surface_velocity(&self) -> Vec3 {
        self.pose_b.transform_vector(&self.b.surface_velocity)
            - self.pose_a.transform_vector(&self.a.surface_velocity)
    }

    /// The size of the smaller shape [m], against which tolerances are.
    pub(crate) fn size(&self) -> f64 {
        self.a.size.min(self.b.size)
    }

    /// Both as complexes, with their angle, where one of them was asked to be met by quasi-LMDs.
    pub(crate) fn faceted(&self) -> Option<(&ComplexBody, &ComplexBody, f64)> {
        let (a, b) = (self.a.faceted.as_ref()?, self.b.faceted.as_ref()?);
        (a.is_asked || b.is_asked).then(|| (&*a.body, &*b.body, a.theta.max(b.theta)))
    }

    /// Returns the gap [m], or more than the cutoff.
    pub(crate) fn gap(&self, cutoff: f64) -> Result<f64, NarrowPhaseError> {
        if let Some(hits) = self.hits {
            return NarrowPhaseError::check(hits.gap(self));
        }
        if self.faceted().is_some() {
            let mut found = ContactSet::default();
            self.find_contacts(cutoff, &mut found)?;
            return Ok(found.manifold.gap.gap);
        }
        if let Some((a, b)) = self.sides() {
            let mut found = ContactSet::default();
            let params = MeshDistanceParams { farther_than: cutoff, ..MeshDistanceParams::default() };
            let apart = mesh_distance(a, &self.pose_a, b, &self.pose_b, &params, &mut found.mesh)?;
            if NarrowPhaseError::check(apart.gap)? > 0.0 {
                return Ok(apart.gap);
            }
            // Surfaces that cross: the deepest contact.
            self.find_contacts(0.0, &mut found)?;
            return Ok(found.manifold.gap.gap.min(0.0));
        }
        let params = DistanceParams { cutoff, ..DistanceParams::default() };
        let gap = distance(&self.a.shape, &self.pose_a, &self.b.shape, &self.pose_b, &params)?;
        NarrowPhaseError::check(gap.gap)
    }

    /// Finds the contacts, within a share of the size; a query that fails leaves none and is noted in the memory. Never with what other queries left there: a query in a rejected step must leave no trace.
    pub(crate) fn contacts(&self, within: f64, found: &mut ContactSet) {
        if let Err(error) = self.find_contacts(within, found) {
            found.manifold.contacts.clear();
            found.fail(self.id, error);
        }
    }

    /// The same with the error.
    fn find_contacts(&self, within: f64, found: &mut ContactSet) -> Result<(), NarrowPhaseError> {
        found.base_distance = None;
        let (pose_a, pose_b) = (&self.pose_a, &self.pose_b);
        if let Some(hits) = self.hits {
            hits.contacts(self, &mut found.manifold);
            found.summarize(hits.gap(self));
        } else if let Some((a, b, theta)) = self.faceted() {
            let params = QuasiParams { theta, within, ..QuasiParams::default() };
            let status =
                quasi_contacts_into(a, pose_a, b, pose_b, &params, &mut found.quasi, &mut found.faceted);
            found.manifold.contacts.clear();
            found.manifold.contacts.extend(found.faceted.iter().map(|quasi| quasi.contact));
            let dilations = a.dilation() + b.dilation();
            found.base_distance = match status {
                QuasiStatus::Separated { base_distance } => Some(base_distance),
                QuasiStatus::BaseIntersecting | QuasiStatus::BothUnbounded => None,
            };
            // Complexes that intersect are deeper in each other than can be told.
            found.summarize(found.base_distance.unwrap_or(0.0) - dilations);
        } else if let Some((a, b)) = self.sides() {
            let ContactSet { manifold, mesh, .. } = found;
            let params = MeshContactParams::within(within);
            mesh_contacts_into(a, pose_a, b, pose_b, &params, mesh, &mut manifold.contacts)?;
            found.summarize(f64::INFINITY);
        } else {
            let params = ContactParams { within, ..ContactParams::default() };
            let manifold = &mut found.manifold;
            contacts_into(&self.a.shape, pose_a, &self.b.shape, pose_b, &params, manifold)?;
        }
        NarrowPhaseError::check(found.manifold.gap.gap).map(|_| ())
    }

    /// Whether a shape is far above a half-space, seen from the ball around it: no box of the broad phase tells.
    pub(crate) fn is_far(&self, within: f64) -> bool {
        let above = |half_space: &Shape, at: &Pose, placed: &Placed, pose: &Pose| {
            let (Shape::HalfSpace(half_space), Some(convex)) = (half_space, placed.shape.as_convex()) else {
                return f64::NEG_INFINITY;
            };
            let ball = convex.bounding_sphere();
            let center = at.inverse_transform_point(&pose.transform_point(&ball.center));
            half_space.normal().dot(&center) - half_space.offset() - ball.radius - placed.inflation
        };
        above(&self.a.shape, &self.pose_a, self.b, &self.pose_b) > within
            || above(&self.b.shape, &self.pose_b, self.a, &self.pose_a) > within
    }

    /// Whether both are complexes and intersect, so that there are no contacts however deep they are.
    pub(crate) fn is_intersecting(&self, found: &mut ContactSet) -> bool {
        let is_bounded =
            |(a, b, _): (&ComplexBody, &ComplexBody, f64)| a.complex().is_some() || b.complex().is_some();
        // Two half-spaces are never in contact.
        if !self.faceted().is_some_and(is_bounded) {
            return false;
        }
        self.contacts(0.0, found);
        found.base_distance.is_none()
    }

    /// Whether contacts are those of triangles or corners, each with a normal of its own.
    pub(crate) fn has_own_normals(&self) -> bool {
        self.hits.is_some() || self.faceted().is_some() || self.sides().is_some()
    }

    /// Whether one of them is a half-space.
    pub(crate) fn has_half_space(&self) -> bool {
        [self.a, self.b].iter().any(|placed| matches!(placed.shape, Shape::HalfSpace(_)))
    }

    /// Both for questions about meshes, where one of them is one.
    fn sides(&self) -> Option<(Side<'_>, Side<'_>)> {
        (self.a.mesh.is_some() || self.b.mesh.is_some()).then(|| (self.a.side(), self.b.side()))
    }
}

impl ContactSet {
    /// Sets what the manifold says of all its contacts from the nearest one; `gap` where there is none [m].
    fn summarize(&mut self, gap: f64) {
        let Manifold { gap: whole, normal, features, contacts, .. } = &mut self.manifold;
        let nearest = contacts.iter().reduce(|best, next| if next.gap < best.gap { next } else { best });
        *whole = Gap { gap, lower: gap, ..Gap::farthest() };
        *features = nearest.map(|contact| contact.id);
        if let Some(contact) = nearest {
            *normal = contact.normal;
            *whole = contact.as_gap();
        }
    }
}
