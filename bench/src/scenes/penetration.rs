//! The deepest overlap of bodies at given poses, by exact gaps: the same measure for every engine.

use std::error::Error;

use super::Scene;
use zerogap::{Collider, DistanceParams, Pose, Vec3, distance};

/// A piece with what the search needs.
struct Placed {
    collider: Collider,
    pose: Pose,
    reach: f64,
}

/// Pieces by body, and which bodies never touch.
pub struct Penetration {
    bodies: Vec<Vec<Placed>>,
    reach: Vec<f64>,
    parents: Vec<Option<usize>>,
    closed: Vec<[usize; 2]>,
    fixed: Vec<Placed>,
}

impl Penetration {
    /// For the bodies of a scene.
    pub fn new(scene: &Scene) -> Result<Self, Box<dyn Error>> {
        let placed = |pieces: &[super::Piece]| -> Result<Vec<Placed>, Box<dyn Error>> {
            pieces
                .iter()
                .map(|piece| {
                    Ok(Placed {
                        collider: piece.form.shape()?.into(),
                        pose: piece.pose,
                        reach: piece.form.reach(),
                    })
                })
                .collect()
        };
        Ok(Self {
            bodies: scene.bodies.iter().map(|body| placed(&body.pieces)).collect::<Result<_, _>>()?,
            reach: scene.bodies.iter().map(super::Body::reach).collect(),
            parents: scene.bodies.iter().map(|body| body.parent).collect(),
            closed: scene.closures.iter().map(|closure| closure.bodies).collect(),
            fixed: placed(&scene.fixed)?,
        })
    }

    /// The deepest overlap [m], zero where there is none; not a number where the poses are none or a gap has no answer.
    pub fn deepest(&self, poses: &[Pose]) -> f64 {
        let mut worst = 0.0_f64;
        // Bodies by x: only near ones are compared.
        let mut order: Vec<usize> = (0..poses.len()).collect();
        let x = |body: usize| poses[body].translation().x;
        order.sort_by(|a, b| x(*a).total_cmp(&x(*b)));
        let widest = self.reach.iter().copied().fold(0.0, f64::max);
        for (place, &one) in order.iter().enumerate() {
            let center = poses[one].translation();
            for fixed in &self.fixed {
                for piece in &self.bodies[one] {
                    worst = deeper(worst, overlap(piece, &poses[one], fixed, &Pose::identity()));
                }
            }
            for &other in &order[place + 1..] {
                let way = poses[other].translation() - center;
                if way.x > self.reach[one] + widest {
                    break;
                }
                if way.norm() > self.reach[one] + self.reach[other] || self.is_apart(one, other) {
                    continue;
                }
                for a in &self.bodies[one] {
                    for b in &self.bodies[other] {
                        worst = deeper(worst, overlap(a, &poses[one], b, &poses[other]));
                    }
                }
            }
        }
        worst
    }

    /// Whether a joint holds two bodies together.
    fn is_apart(&self, a: usize, b: usize) -> bool {
        self.parents[a] == Some(b)
            || self.parents[b] == Some(a)
            || self.closed.iter().any(|pair| *pair == [a, b] || *pair == [b, a])
    }
}

fn deeper(worst: f64, overlap: f64) -> f64 {
    if overlap.is_nan() || worst.is_nan() { f64::NAN } else { worst.max(overlap) }
}

/// By how much two pieces overlap [m].
fn overlap(a: &Placed, pose_a: &Pose, b: &Placed, pose_b: &Pose) -> f64 {
    let (at_a, at_b) = (*pose_a * a.pose, *pose_b * b.pose);
    let way: Vec3 = at_b.translation() - at_a.translation();
    // A half-space is wherever its shape is.
    if b.reach.is_finite() && way.norm() > a.reach + b.reach {
        return 0.0;
    }
    distance(&a.collider, &at_a, &b.collider, &at_b, &DistanceParams::default())
        .map_or(f64::NAN, |gap| (-gap.gap).max(0.0))
}
