//! What can be hit: convex targets made of flat surfaces, in their own frame.
//!
//! In: a clockwise polygon, a convex polyhedron, a box or a half-space. Out: for each surface a plane with its outward normal, and around it sides with the
//! surface beyond each. A polygon lies in the x-y plane of its frame and extends without end along z, so that one set of definitions serves the plane and space.
//! Order: surface i of a polygon runs from corner i to corner i + 1; surfaces of a polyhedron are its faces, those of a box as contacts name them: -x, +x, -y, +y, -z, +z.

use zerogap_core::error::check_coordinates;
use zerogap_core::facets::Facet;
use zerogap_core::{Aabb, Mat3, Pose, Vec3};
use zerogap_geometry::shape::{Cuboid, HalfSpace};
use zerogap_geometry::{ConvexShape, Polyhedron, Shape};

use super::OrientedError;

/// How far a corner may stand beyond a surface that it does not belong to, against the size of the polygon [-]: rounding, and no more.
const BEYOND: f64 = 1e-12;

/// Root functions of one initiator against one target [-].
pub const ROOTS: usize = 2;

/// One side of a surface: where its span ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceSide {
    /// Unit vector along the surface and out of it [-].
    pub outward: Vec3,
    /// A point of the side [m].
    pub point: Vec3,
    /// The surface beyond.
    pub beyond: u32,
}

impl SurfaceSide {
    /// How far a point is beyond the side [m]: 0 or less on the span.
    #[inline]
    pub fn excess(&self, point: &Vec3) -> f64 {
        self.outward.dot(&(point - self.point))
    }
}

/// A convex target in its own frame. Made once; asked by any number of initiators.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    facets: Vec<Facet>,
    sides: Vec<SurfaceSide>,
    /// Where the sides of each surface start; one more entry than surfaces.
    first_side: Vec<u32>,
    corners: Vec<Vec3>,
    is_planar: bool,
}

impl Target {
    /// A polygon in the plane from its corners [m], clockwise; surface i runs from corner i to corner i + 1.
    pub fn polygon(corners: &[[f64; 2]]) -> Result<Self, OrientedError> {
        let count = corners.len();
        if count < 3 {
            return Err(OrientedError::TooFewCorners { count });
        }
        let points = corners
            .iter()
            .map(|&[x, y]| check_coordinates("a corner of the polygon", Vec3::new(x, y, 0.0)))
            .collect::<Result<Vec<_>, _>>()?;
        let next = |i: usize| (i + 1) % count;
        // Twice the area, from the first corner: its sign tells which way round the corners run.
        let area: f64 =
            (1..count - 1).map(|i| cross(&(points[i] - points[0]), &(points[i + 1] - points[0]))).sum();
        if area > 0.0 {
            return Err(OrientedError::CounterClockwise);
        }
        let size = Aabb::from_points(&points).diagonal();
        let not_convex = |corner: usize| {
            let [x, y] = corners[corner];
            OrientedError::NotConvex { corner, x, y }
        };

        let (mut facets, mut sides, mut first_side) = (Vec::new(), Vec::new(), vec![0]);
        for i in 0..count {
            let along = points[next(i)] - points[i];
            let (length, after) = (along.norm(), points[next(next(i))] - points[next(i)]);
            // A turn to the right at every corner, by more than rounding makes.
            let turn = cross(&along, &after);
            if !(length > 0.0 && turn < -f64::EPSILON * length * after.norm()) {
                return Err(not_convex(next(i)));
            }
            let tangent = along / length;
            facets.push(Facet { normal: Vec3::new(-tangent.y, tangent.x, 0.0), anchor: points[i] });
            let [before, after] = [(i + count - 1) % count, next(i)].map(|k| k as u32);
            sides.push(SurfaceSide { outward: -tangent, point: points[i], beyond: before });
            sides.push(SurfaceSide { outward: tangent, point: points[next(i)], beyond: after });
            first_side.push(sides.len() as u32);
        }
        let target = Self { facets, sides, first_side, corners: points, is_planar: true };
        // Right turns alone also make stars, which go round more than once.
        for (corner, point) in target.corners.iter().enumerate() {
            if target.facets.iter().any(|facet| facet.separation(point) > BEYOND * size) {
                return Err(not_convex(corner));
            }
        }
        Ok(target)
    }

    /// A convex polyhedron; its surfaces are its faces.
    pub fn polyhedron(polyhedron: &Polyhedron) -> Self {
        let vertices = polyhedron.vertices();
        let (mut facets, mut sides, mut first_side) = (Vec::new(), Vec::new(), vec![0]);
        for face in 0..polyhedron.face_count() {
            let (normal, ring) = (polyhedron.normal(face), polyhedron.face_vertices(face));
            facets.push(Facet { normal, anchor: vertices[ring[0] as usize] });
            for (k, &edge) in polyhedron.face_edges(face).iter().enumerate() {
                let [start, end] = [ring[k], ring[(k + 1) % ring.len()]].map(|v| vertices[v as usize]);
                let [left, right] = polyhedron.edges()[edge as usize].faces;
                let beyond = if left as usize == face { right } else { left };
                sides.push(SurfaceSide {
                    outward: (end - start).cross(&normal).normalize(),
                    point: start,
                    beyond,
                });
            }
            first_side.push(sides.len() as u32);
        }
        Self { facets, sides, first_side, corners: vertices.to_vec(), is_planar: false }
    }

    /// A box; its surfaces are at -x, +x, -y, +y, -z and +z.
    pub fn cuboid(cuboid: &Cuboid) -> Self {
        let half = cuboid.half_size();
        let face = |k: usize| {
            let mut normal = Vec3::zeros();
            normal[k / 2] = if k.is_multiple_of(2) { -1.0 } else { 1.0 };
            Facet { normal, anchor: normal.component_mul(&half) }
        };
        let facets: Vec<Facet> = (0..6).map(face).collect();
        let (mut sides, mut first_side) = (Vec::new(), vec![0]);
        for k in 0..6 {
            for beyond in (0..6).filter(|other| other / 2 != k / 2) {
                let Facet { normal, anchor } = facets[beyond];
                sides.push(SurfaceSide { outward: normal, point: anchor, beyond: beyond as u32 });
            }
            first_side.push(sides.len() as u32);
        }
        Self { facets, sides, first_side, corners: cuboid.corners().to_vec(), is_planar: false }
    }

    /// A half-space: one surface without end.
    pub fn half_space(half_space: &HalfSpace) -> Self {
        let normal = half_space.normal();
        let facets = vec![Facet { normal, anchor: normal * half_space.offset() }];
        Self { facets, sides: Vec::new(), first_side: vec![0, 0], corners: Vec::new(), is_planar: false }
    }

    /// The target of a shape with flat surfaces: a box, a convex polyhedron or a half-space.
    pub fn of_shape(shape: &Shape) -> Result<Self, OrientedError> {
        match shape {
            Shape::Convex(ConvexShape::Cuboid(cuboid)) => Ok(Self::cuboid(cuboid)),
            Shape::Convex(ConvexShape::Polyhedron(polyhedron)) => Ok(Self::polyhedron(polyhedron)),
            Shape::HalfSpace(half_space) => Ok(Self::half_space(half_space)),
            Shape::Mesh(_) => Err(OrientedError::NoSurfaces { shape: "mesh that need not be convex" }),
            Shape::Compound(_) => Err(OrientedError::NoSurfaces { shape: "compound" }),
            Shape::HeightField(_) => Err(OrientedError::NoSurfaces { shape: "height field" }),
            Shape::Complex(_) => Err(OrientedError::NoSurfaces { shape: "complex" }),
            Shape::Convex(_) => {
                Err(OrientedError::NoSurfaces { shape: "curved shape, or one without volume," })
            }
        }
    }

    /// The same with all surfaces moved outwards [m], so that what lies on one of them to rounding is inside; corners stay.
    #[must_use]
    pub fn inflated(mut self, by: f64) -> Self {
        for facet in &mut self.facets {
            facet.anchor += facet.normal * by;
        }
        for side in &mut self.sides {
            side.point += side.outward * by;
        }
        self
    }

    /// How many surfaces there are [-].
    pub fn surfaces(&self) -> usize {
        self.facets.len()
    }

    /// Planes of the surfaces: outward normal and a point.
    pub fn facets(&self) -> &[Facet] {
        &self.facets
    }

    /// Where the span of a surface ends.
    pub fn sides(&self, surface: usize) -> &[SurfaceSide] {
        &self.sides[self.first_side[surface] as usize..self.first_side[surface + 1] as usize]
    }

    /// Corners, in the target's frame [m]; a half-space has none.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// Whether it is a polygon in the x-y plane of its frame.
    pub fn is_planar(&self) -> bool {
        self.is_planar
    }

    /// Separation of a point from a surface [m]: `n · (q - v)`, positive outside.
    #[inline]
    pub fn separation(&self, surface: usize, point: &Vec3) -> f64 {
        self.facets[surface].separation(point)
    }

    /// How far a point is beyond the span of a surface [m]: the largest excess over its sides, 0 or less on the span.
    #[inline]
    pub fn off_span(&self, surface: usize, point: &Vec3) -> f64 {
        self.sides(surface).iter().map(|side| side.excess(point)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The root functions of a point in this frame that is in contact with a surface, or with none: see [`super::Oriented::roots`].
    pub(super) fn roots(&self, surface: Option<usize>, point: &Vec3) -> [f64; ROOTS] {
        let Some(surface) = surface else { return [self.nearest(point).1, 1.0] };
        // Without sides there is no end to the span.
        let within = -self.off_span(surface, point);
        [-self.separation(surface, point), if within.is_finite() { within } else { 1.0 }]
    }

    /// The surface with the largest separation, and that separation [m]: for a point inside it is the nearest surface, which is what the rule of the minimum
    /// translation takes. The lowest index where several are equal.
    pub fn nearest(&self, point: &Vec3) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (surface, facet) in self.facets.iter().enumerate() {
            let separation = facet.separation(point);
            if separation > best.1 {
                best = (surface, separation);
            }
        }
        best
    }

    /// Whether a point is inside: no surface separates it.
    pub fn holds(&self, point: &Vec3) -> bool {
        self.facets.iter().all(|facet| facet.separation(point) <= 0.0)
    }
}

/// The third component of the cross product of two vectors in the plane.
fn cross(a: &Vec3, b: &Vec3) -> f64 {
    a.x * b.y - a.y * b.x
}

/// The transform from the world into the frame of a target, for many points.
#[derive(Clone, Copy)]
pub(super) struct Entering {
    to_world: Mat3,
    origin: Vec3,
}

impl Entering {
    pub(super) fn new(pose: &Pose) -> Self {
        Self { to_world: pose.rotation_matrix(), origin: pose.translation() }
    }

    #[inline]
    pub(super) fn point(&self, point: &Vec3) -> Vec3 {
        self.to_world.tr_mul(&(point - self.origin))
    }
}

/// A point of the world in the frame of a target at a pose [m], with the very bits that every decision is made on.
pub fn local_point(pose: &Pose, point: &Vec3) -> Vec3 {
    Entering::new(pose).point(point)
}
