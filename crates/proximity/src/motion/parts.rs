//! A body as a tree of boxes with convex pieces in its leaves: a mesh with its triangles, or a single convex shape.
//!
//! In: a [`MeshBody`] or a shape. Out: boxes and pieces in the body's frame, for `pursuit`; and pairs of boxes in motion.

use std::ops::Range;

use zerogap_core::{Feature, Gap, Pose, Vec3};
use zerogap_geometry::shape::{Point, Triangle};
use zerogap_geometry::{Convex, ConvexShape};

use super::Motion;
use super::flush::Face;
use super::probe::{Chase, Supported};
use super::reach::Reach;
use crate::mesh::MeshBody;

/// A box in any orientation: a point of it is the middle plus each axis times at most its half width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    pub(super) center: Vec3,
    axes: [Vec3; 3],
    half: Vec3,
}

impl Slab {
    /// How far it reaches from its middle along a direction, against the direction's length [m].
    #[inline]
    fn reach(&self, direction: &Vec3) -> f64 {
        (0..3).map(|k| direction.dot(&self.axes[k]).abs() * self.half[k]).sum()
    }

    /// Half its diagonal, or a little more [m].
    pub(super) fn radius(&self) -> f64 {
        (0..3).map(|k| self.axes[k].norm_squared() * self.half[k] * self.half[k]).sum::<f64>().sqrt() * SKEWED
    }

    /// The box in another frame.
    fn placed(&self, pose: &Pose) -> Self {
        let turn = pose.rotation_matrix();
        let center = turn * self.center + pose.translation();
        Self { center, axes: self.axes.map(|axis| turn * axis), half: self.half }
    }

    /// Its eight corners [m].
    fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|bits| {
            (0..3).fold(self.center, |p, k| {
                p + self.axes[k] * if bits >> k & 1 == 1 { self.half[k] } else { -self.half[k] }
            })
        })
    }
}

/// Axes are square to each other but for single precision [-].
const SKEWED: f64 = 1.0 + 1e-5;

/// A tree of boxes with convex pieces in its leaves.
pub(super) trait Parts {
    /// The box of a node, in the body's frame.
    fn slab(&self, node: u32) -> Slab;

    /// The two children of a node; none for a leaf.
    fn children(&self, node: u32) -> Option<[u32; 2]>;

    /// The pieces of a leaf.
    fn pieces(&self, node: u32) -> Range<u32>;

    /// A piece as a convex shape.
    fn piece(&self, index: u32) -> ConvexShape;

    /// The feature of the body that holds the point `p` of a piece, to `near` [m].
    fn feature(&self, index: u32, p: &Vec3, near: f64) -> Feature;

    /// A piece that is a face of a surface; none for a solid one.
    fn face(&self, index: u32) -> Option<Face>;

    /// Whether a point lies behind a face: inside a closed mesh, straight above or below the face of an open one.
    fn is_behind(&self, index: u32, p: &Vec3) -> bool;
}

impl Parts for MeshBody {
    fn slab(&self, node: u32) -> Slab {
        let frame = self.tree().frame();
        let (center, axes, half) = self.tree().nodes()[node as usize].volume.spanned();
        Slab { center: frame.origin + center * frame.unit, axes, half: half * frame.unit }
    }

    fn children(&self, node: u32) -> Option<[u32; 2]> {
        let node = &self.tree().nodes()[node as usize];
        (!node.is_leaf()).then(|| [node.first, node.first + 1])
    }

    fn pieces(&self, node: u32) -> Range<u32> {
        let node = &self.tree().nodes()[node as usize];
        node.first..node.first + node.count
    }

    fn piece(&self, index: u32) -> ConvexShape {
        let [a, b, c] = *self.at(index as usize);
        // Coordinates of a mesh are checked when it is made.
        Triangle::new(a, b, c).map_or_else(|_| Point::origin().into(), ConvexShape::from)
    }

    fn feature(&self, index: u32, p: &Vec3, near: f64) -> Feature {
        let (corners, triangle) = (self.at(index as usize), self.triangle(index));
        let joins = self.joins();
        // The smallest feature that is near enough: a corner, then an edge, then the face.
        let at_corner = |k: &usize| (corners[*k] - p).norm() <= near;
        if let Some(k) = (0..3).find(at_corner) {
            return Feature::Vertex(joins.vertex(self.mesh().triangles()[triangle as usize][k]));
        }
        let at_edge = |k: &usize| {
            let (from, to) = (corners[*k], corners[(*k + 1) % 3]);
            let side = to - from;
            let part = (side.dot(&(p - from)) / side.norm_squared()).clamp(0.0, 1.0);
            (from + side * part - p).norm() <= near
        };
        let edges = joins.edges_of(triangle);
        match (0..3).find(at_edge).map(|k| edges[k]) {
            Some(edge) if (edge as usize) < joins.edge_count() => Feature::Edge(edge),
            _ => Feature::Face(triangle),
        }
    }

    fn face(&self, index: u32) -> Option<Face> {
        Some(Face { corners: *self.at(index as usize), is_closed: self.is_closed() })
    }

    fn is_behind(&self, index: u32, p: &Vec3) -> bool {
        if self.is_closed() {
            return self.contains(p);
        }
        let [a, b, c] = *self.at(index as usize);
        let normal = (b - a).cross(&(c - a));
        [(a, b), (b, c), (c, a)].iter().all(|(from, to)| (to - from).cross(&normal).dot(&(p - from)) <= 0.0)
    }
}

impl Supported for MeshBody {
    fn farthest(&self, direction: &Vec3) -> Vec3 {
        Self::farthest(self, direction)
    }

    fn reach(&self, motion: &Motion, duration: f64) -> Reach {
        Reach::of_points(
            self.mesh().triangles().iter().flatten().map(|&v| &self.mesh().vertices()[v as usize]),
            0.0,
            motion,
            duration,
        )
    }
}

/// A convex shape as its only piece.
pub(super) struct Whole<'a>(pub(super) &'a ConvexShape);

impl Parts for Whole<'_> {
    fn slab(&self, _: u32) -> Slab {
        let own = self.0.bounding_box();
        Slab { center: own.center(), axes: [Vec3::x(), Vec3::y(), Vec3::z()], half: 0.5 * own.size() }
    }

    fn children(&self, _: u32) -> Option<[u32; 2]> {
        None
    }

    fn pieces(&self, _: u32) -> Range<u32> {
        0..1
    }

    fn piece(&self, _: u32) -> ConvexShape {
        self.0.clone()
    }

    fn feature(&self, _: u32, _: &Vec3, _: f64) -> Feature {
        Feature::Surface(0)
    }

    fn face(&self, _: u32) -> Option<Face> {
        None
    }

    fn is_behind(&self, _: u32, _: &Vec3) -> bool {
        false
    }
}

/// Two boxes of two bodies in motion.
pub(super) struct SlabChase<'a> {
    a: Slab,
    motion_a: &'a Motion,
    reach_a: Reach,
    b: Slab,
    motion_b: &'a Motion,
    reach_b: Reach,
    rounding: f64,
}

impl<'a> SlabChase<'a> {
    /// `rounding` is that of the whole bodies [m].
    pub(super) fn new(a: Slab, motion_a: &'a Motion, b: Slab, motion_b: &'a Motion, rounding: f64) -> Self {
        let reach_a = Reach::of_points(&a.corners(), 0.0, motion_a, 0.0);
        let reach_b = Reach::of_points(&b.corners(), 0.0, motion_b, 0.0);
        Self { a, motion_a, reach_a, b, motion_b, reach_b, rounding }
    }

    fn placed(&self, t: f64) -> [Slab; 2] {
        [self.a.placed(&self.motion_a.pose(t)), self.b.placed(&self.motion_b.pose(t))]
    }
}

/// Separation of two placed boxes along a unit direction [m].
fn apart(a: &Slab, b: &Slab, n: &Vec3) -> f64 {
    n.dot(&(b.center - a.center)) - a.reach(n) - b.reach(n)
}

impl Chase for SlabChase<'_> {
    /// The best of the line between the middles and the six axes: a lower bound, whose points are the middles.
    fn gap(&mut self, t: f64) -> Gap {
        let [a, b] = self.placed(t);
        let between = b.center - a.center;
        let mut best = (f64::NEG_INFINITY, Vec3::x());
        for direction in [between].iter().chain(&a.axes).chain(&b.axes) {
            let length = direction.norm();
            if length > 0.0 {
                let ahead = if direction.dot(&between) < 0.0 { -1.0 } else { 1.0 };
                let n = direction * (ahead / length);
                let height = apart(&a, &b, &n);
                if height > best.0 {
                    best = (height, n);
                }
            }
        }
        let (gap, normal) = best;
        Gap { gap, lower: gap, upper: gap, normal, point_a: a.center, point_b: b.center, ..Gap::farthest() }
    }

    fn along(&mut self, t: f64, n: &Vec3) -> f64 {
        let [a, b] = self.placed(t);
        apart(&a, &b, n)
    }

    fn along_any_turn(&self, t: f64, n: &Vec3) -> Option<(f64, f64)> {
        let between = self.motion_b.center_at(t) - self.motion_a.center_at(t);
        let reach = self.reach_a.along_any_turn(n) + self.reach_b.along_any_turn(&-n);
        Some((n.dot(&between) - reach, n.dot(&(self.motion_b.velocity() - self.motion_a.velocity()))))
    }

    fn bend(&self, n: &Vec3) -> f64 {
        self.reach_a.bend(n) + self.reach_b.bend(n)
    }

    fn max_closing(&self, n: &Vec3) -> f64 {
        let straight = n.dot(&(self.motion_a.velocity() - self.motion_b.velocity()));
        straight + self.reach_a.speed(n) + self.reach_b.speed(n)
    }

    fn rounding(&self) -> f64 {
        self.rounding
    }

    fn rate(&self, t: f64, gap: &Gap) -> f64 {
        super::probe::rate(self.motion_a, self.motion_b, t, gap)
    }
}
