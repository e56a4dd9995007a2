//! Small balls around the corners of faces, for the nodes of a hierarchy.

use zerogap_core::{Aabb, Vec3};
use zerogap_geometry::BoundingSphere;
use zerogap_geometry::complex::Simplex;

/// Point sets from this size get the smallest ball; smaller ones, of which there are many, a near one.
const EXACT_FROM: usize = 1024;

/// Steps towards the farthest point that a small set gets: the radius is then mostly within 5 % of the smallest.
const STEPS: u32 = 8;

/// A point that is near the centre of the smallest ball around points.
///
/// Method: from the middle of the box, 1/(k+1) of the way to the farthest point in step k (Bădoiu and Clarkson 2003), the best one kept.
pub(super) fn ball_center(points: &[Vec3]) -> Vec3 {
    if points.len() >= EXACT_FROM
        && let Some(ball) = BoundingSphere::of_points(points)
    {
        return ball.center;
    }
    let farthest = |center: &Vec3| {
        let mut best = (-1.0, *center);
        for p in points {
            let squared = (p - center).norm_squared();
            if squared > best.0 {
                best = (squared, *p);
            }
        }
        best
    };
    let mut center = Aabb::from_points(points).center();
    let (mut smallest, mut toward) = farthest(&center);
    let mut best = center;
    for k in 1..=STEPS {
        center += (toward - center) / f64::from(k + 1);
        let (squared, next) = farthest(&center);
        if squared < smallest {
            (smallest, best) = (squared, center);
        }
        toward = next;
    }
    best
}

/// The centre of the smallest ball around one simplex.
pub(super) fn simplex_center(simplex: &Simplex) -> Vec3 {
    match simplex {
        Simplex::Point([p]) => *p,
        Simplex::Segment([p, q]) => 0.5 * p + 0.5 * q,
        Simplex::Triangle(corners) => {
            // Beyond a right angle the longest side spans the ball.
            for k in 0..3 {
                let [p, q, r] = [0, 1, 2].map(|j| corners[(k + j) % 3]);
                if (q - p).dot(&(r - p)) <= 0.0 {
                    return 0.5 * q + 0.5 * r;
                }
            }
            let [p, q, r] = corners;
            let (e, f) = (q - p, r - p);
            let n = e.cross(&f);
            p + (n.cross(&e) * f.norm_squared() + f.cross(&n) * e.norm_squared()) / (2.0 * n.norm_squared())
        }
    }
}
