//! Directions that may separate a bundle from the origin: guesses, which `search` proves or drops.
//!
//! In: the corners of a bundle at one time. Out: the nearest point of their hull, its weights, and a few directions.

use zerogap_core::Vec3;
use zerogap_geometry::nearest::on_triangle;

use crate::convex::{beside, nearest_on_segments};

/// Squared lengths below this have no well-defined direction.
const VANISHING: f64 = 1e-280;

/// The hull of a bundle's corners at one time, seen from the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<const N: usize> {
    /// The point nearest to the origin [m].
    pub(super) nearest: Vec3,
    /// Its weights on the corners [-].
    pub(super) weights: [f64; N],
    /// Unit directions to try.
    directions: [Vec3; 4],
    count: usize,
}

impl<const N: usize> Seen<N> {
    fn new(nearest: Vec3, weights: [f64; N]) -> Self {
        Self { nearest, weights, directions: [Vec3::z(); 4], count: 0 }
    }

    /// Adds a direction, oriented so that the nearest point lies ahead.
    fn offer(&mut self, direction: &Vec3) {
        let squared = direction.norm_squared();
        if squared >= VANISHING && self.count < self.directions.len() {
            let ahead = if direction.dot(&self.nearest) < 0.0 { -1.0 } else { 1.0 };
            self.directions[self.count] = direction * (ahead / squared.sqrt());
            self.count += 1;
        }
    }

    /// The directions to try.
    pub(super) fn directions(&self) -> &[Vec3] {
        &self.directions[..self.count]
    }

    /// The value at the nearest point of what is known at the corners.
    pub(super) fn blend(&self, of_corner: impl Fn(usize) -> f64) -> f64 {
        (0..N).map(|k| self.weights[k] * of_corner(k)).sum()
    }
}

/// How the corners of a bundle span a hull.
pub(super) trait Spanned<const N: usize> {
    /// The hull seen from the origin.
    fn seen(corners: &[Vec3; N]) -> Seen<N>;

    /// Two sides of the hull.
    fn sides(corners: &[Vec3; N]) -> [Vec3; 2];
}

/// A triangle.
impl Spanned<3> for super::bundle::Bundle<3> {
    fn seen(corners: &[Vec3; 3]) -> Seen<3> {
        let near = on_triangle(corners, &Vec3::zeros());
        let [a, b, c] = corners;
        let across = (b - a).cross(&(c - a));
        let held = near.held_by.iter().filter(|held| **held).count();
        let mut weights = [0.0; 3];
        match held {
            3 => {
                // Areas of the three parts, each across from its corner.
                let squared = across.norm_squared().max(VANISHING);
                let part = |p: &Vec3, q: &Vec3| {
                    ((p - near.point).cross(&(q - near.point)).dot(&across) / squared).clamp(0.0, 1.0)
                };
                weights = [part(b, c), part(c, a), part(a, b)];
            }
            2 => {
                let k = near.held_by.iter().position(|held| !held).unwrap_or(0);
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let side = corners[j] - corners[i];
                let along = side.dot(&(near.point - corners[i])) / side.norm_squared().max(VANISHING);
                (weights[i], weights[j]) = (1.0 - along.clamp(0.0, 1.0), along.clamp(0.0, 1.0));
            }
            _ => weights = near.held_by.map(f64::from),
        }
        let mut seen = Seen::new(near.point, weights);
        // The line to the nearest point is the right direction; the others keep its digits where the point is as good as the origin.
        if held == 3 {
            seen.offer(&across);
        }
        if held == 2 {
            let k = near.held_by.iter().position(|held| !held).unwrap_or(0);
            seen.offer(&beside(&near.point, &(corners[(k + 2) % 3] - corners[(k + 1) % 3])));
        }
        seen.offer(&near.point);
        if held != 3 {
            seen.offer(&across);
        }
        seen
    }

    fn sides([a, b, c]: &[Vec3; 3]) -> [Vec3; 2] {
        [b - a, c - a]
    }
}

/// The parallelogram of two edges: corners `b0-a0, b1-a0, b0-a1, b1-a1`.
impl Spanned<4> for super::bundle::Bundle<4> {
    fn seen(corners: &[Vec3; 4]) -> Seen<4> {
        let [first, along_b, along_a, _] = corners;
        // With A's first end at the origin.
        let (e, f) = (first - along_a, along_b - first);
        let near = nearest_on_segments(&[Vec3::zeros(), e], &[*first, *along_b]);
        let part =
            |side: &Vec3, step: Vec3| (side.dot(&step) / side.norm_squared().max(VANISHING)).clamp(0.0, 1.0);
        let (u, v) = (part(&e, near.point_a), part(&f, near.point_b - first));
        let weights = [(1.0 - u) * (1.0 - v), (1.0 - u) * v, u * (1.0 - v), u * v];
        let mut seen = Seen::new(near.point_b - near.point_a, weights);
        for normal in near.normals() {
            seen.offer(&normal);
        }
        if seen.count == 0 {
            seen.offer(&e.cross(&f));
        }
        seen
    }

    fn sides([first, along_b, along_a, _]: &[Vec3; 4]) -> [Vec3; 2] {
        [along_a - first, along_b - first]
    }
}
