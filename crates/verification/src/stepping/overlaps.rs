//! Overlaps of all shapes, from their gaps where they are.

use zerogap_core::Pose;
use zerogap_dynamics::multibody::BodyId;
use zerogap_geometry::{Convex, Shape};
use zerogap_proximity::collider::Collider;
use zerogap_proximity::{DistanceParams, distance};

use zerogap_simulation::world::{Frame, World};

/// A shape, its body and its pose on it, and the ball around it.
struct Piece {
    collider: Collider,
    body: Option<BodyId>,
    pose: Pose,
    /// Radius of a ball around the origin of the body [m]; infinite for a half-space.
    reach: f64,
}

/// The shapes of a world, to be measured in frames of its run.
pub(super) struct Overlaps {
    pieces: Vec<Piece>,
}

impl Overlaps {
    pub(super) fn new(world: &World) -> Self {
        let piece = |(shape, body, pose, _): (&Shape, Option<BodyId>, &Pose, &str)| {
            let reach = shape.as_convex().map_or(f64::INFINITY, |convex| {
                let ball = convex.bounding_sphere();
                pose.transform_point(&ball.center).norm() + ball.radius
            });
            Piece { collider: Collider::from(shape.clone()), body, pose: *pose, reach }
        };
        Self { pieces: world.placed_shapes().map(piece).collect() }
    }

    /// Every overlap in a frame [m], positive: pairs of bodies, and of a body and what is fixed.
    pub(super) fn each(&self, frame: &Frame, mut visit: impl FnMut(f64)) {
        let pose = |piece: &Piece| match piece.body {
            Some(body) => frame.poses[body.index()],
            None => Pose::identity(),
        };
        // Pairs farther apart than this length are skipped.
        let near = DistanceParams { cutoff: 0.0, ..DistanceParams::default() };
        for (k, a) in self.pieces.iter().enumerate() {
            let at_a = pose(a);
            for b in &self.pieces[..k] {
                if a.body == b.body {
                    continue;
                }
                let at_b = pose(b);
                let reach = a.reach + b.reach;
                if (at_a.translation() - at_b.translation()).norm_squared() > reach * reach {
                    continue;
                }
                let gap = distance(&a.collider, &(at_a * a.pose), &b.collider, &(at_b * b.pose), &near);
                if let Ok(gap) = gap
                    && gap.gap < 0.0
                {
                    visit(-gap.gap);
                }
            }
        }
    }

    /// The largest overlap in a frame [m]; zero where there is none.
    pub(super) fn largest(&self, frame: &Frame) -> f64 {
        let mut largest = 0.0_f64;
        self.each(frame, |overlap| largest = largest.max(overlap));
        largest
    }
}
