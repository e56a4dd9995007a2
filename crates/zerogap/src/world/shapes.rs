//! Shapes on bodies: where they are, how far they reach, and which pairs of them can touch at all.
//!
//! In: shapes with their places on bodies, and the poses of the bodies. Out: poses of shapes and names of pairs. A pair's name is made of the
//! numbers of its shapes, smaller first; it lasts for the whole run.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};
use zerogap_core::{Aabb, Manifold, Pose};
use zerogap_dynamics::multibody::{BodyId, Workspace};
use zerogap_geometry::{Convex, ConvexShape, Shape};
use zerogap_proximity::{ContactParams, DistanceParams, contacts_into, distance};

/// The number of a shape in its world, in the order of adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ShapeId(pub u32);

/// The name of a pair of shapes: the smaller number first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PairId {
    /// The shape with the smaller number, A of gap and normal.
    pub a: ShapeId,
    /// The other, B.
    pub b: ShapeId,
}

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

/// A convex shape or a half-space on a body.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) shape: Shape,
    /// None: fixed in the world.
    pub(crate) body: Option<BodyId>,
    /// In the frame of the body, or of the world.
    pub(crate) at: Pose,
    pub(crate) material: usize,
    /// Box in the frame of the body [m]; none for a half-space.
    pub(crate) bounds: Option<Aabb>,
    /// Largest distance of a point from the origin of the body [m]; infinite for a half-space.
    pub(crate) reach: f64,
    /// Radius of a ball around it [m]; infinite for a half-space.
    pub(crate) size: f64,
    /// Half the smallest extent [m]; infinite for a half-space.
    pub(crate) thickness: f64,
}

impl Placed {
    pub(crate) fn new(shape: Shape, body: Option<BodyId>, at: Pose, material: usize) -> Self {
        let (mut bounds, mut reach, mut thickness, mut size) =
            (None, f64::INFINITY, f64::INFINITY, f64::INFINITY);
        if let Some(convex) = shape.as_convex() {
            let own = convex.bounding_box();
            let sphere = convex.bounding_sphere();
            reach = at.transform_point(&sphere.center).norm() + sphere.radius;
            size = sphere.radius;
            thickness = half_thickness(convex, &own);
            bounds = Some(own.transformed(&at));
        }
        Self { shape, body, at, material, bounds, reach, size, thickness }
    }

    /// The pose of the shape in the world.
    pub(crate) fn pose(&self, ws: &Workspace) -> Pose {
        match self.body {
            Some(body) => *ws.pose(body) * self.at,
            None => self.at,
        }
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
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    manifold: Manifold,
}

impl Deref for Found {
    type Target = Manifold;

    fn deref(&self) -> &Manifold {
        &self.manifold
    }
}

impl DerefMut for Found {
    fn deref_mut(&mut self) -> &mut Manifold {
        &mut self.manifold
    }
}

/// Two shapes at poses.
#[derive(Clone, Copy)]
pub(crate) struct PlacedPair<'a> {
    pub(crate) a: &'a Placed,
    pub(crate) b: &'a Placed,
    pub(crate) pose_a: Pose,
    pub(crate) pose_b: Pose,
}

impl<'a> PlacedPair<'a> {
    pub(crate) fn new(shapes: &'a [Placed], pair: PairId, ws: &Workspace) -> Self {
        let (a, b) = (&shapes[pair.a.0 as usize], &shapes[pair.b.0 as usize]);
        Self { a, b, pose_a: a.pose(ws), pose_b: b.pose(ws) }
    }

    /// The size of the smaller shape [m], against which tolerances are.
    pub(crate) fn size(&self) -> f64 {
        self.a.size.min(self.b.size)
    }

    /// The gap [m].
    pub(crate) fn gap(&self, cutoff: f64) -> f64 {
        let params = DistanceParams { cutoff, ..DistanceParams::default() };
        // Pairs of shapes without a gap are refused when a world is built.
        distance(&self.a.shape, &self.pose_a, &self.b.shape, &self.pose_b, &params)
            .map_or(f64::INFINITY, |gap| gap.gap)
    }

    /// The contacts, within a share of the size. Never with memory of other queries: a query in a rejected step must leave no trace.
    pub(crate) fn contacts(&self, within: f64, found: &mut Found) {
        let manifold = &mut found.manifold;
        let params = ContactParams { within, ..ContactParams::default() };
        if contacts_into(&self.a.shape, &self.pose_a, &self.b.shape, &self.pose_b, &params, manifold).is_err()
        {
            manifold.contacts.clear();
        }
    }
}
