//! Polyhedra in place of balls: hulls of points on a sphere.

use std::f64::consts::PI;

use zerogap_core::Vec3;
use zerogap_core::math::{cos, sin};

/// Points of a unit sphere in rings about an axis, and the two poles; each ring is rotated by half a side against the next. The vertical is an axis of symmetry.
pub(super) fn rings_with_poles(sides: usize, rings: usize) -> Vec<Vec3> {
    let mut points = vec![-Vec3::z(), Vec3::z()];
    for ring in 0..rings {
        let height = PI * ((ring + 1) as f64 / (rings + 1) as f64 - 0.5);
        for side in 0..sides {
            let turn = 2.0 * PI * (side as f64 + 0.5 * (ring % 2) as f64) / sides as f64;
            points.push(Vec3::new(cos(height) * cos(turn), cos(height) * sin(turn), sin(height)));
        }
    }
    points
}

/// Points of a unit sphere in an even number of rings about the y axis, all with the same turns: around its middle the hull is a prism of regular polygons in the plane of x and z, with a side up and, where the number
/// is even, one down.
pub(super) fn wheel(sides: usize, rings: usize) -> Vec<Vec3> {
    let mut points = Vec::new();
    for ring in 0..rings {
        let height = PI * ((ring as f64 + 0.5) / rings as f64 - 0.5);
        for side in 0..sides {
            let turn = 2.0 * PI * (side as f64 + 0.5) / sides as f64;
            points.push(Vec3::new(cos(height) * sin(turn), sin(height), cos(height) * cos(turn)));
        }
    }
    points
}

/// Radius of the polygons around the middle of a [`wheel`] [m].
pub(super) fn middle_radius(rings: usize) -> f64 {
    cos(0.5 * PI / rings as f64)
}

/// Points of a unit sphere along a spiral from pole to pole, each with the same area: no symmetry of any kind.
pub(super) fn spiral(count: usize) -> Vec<Vec3> {
    let golden = PI * (1.0 + 5.0_f64.sqrt());
    (0..count)
        .map(|k| {
            let along = k as f64 + 0.5;
            let z = 1.0 - 2.0 * along / count as f64;
            let (radius, turn) = ((1.0 - z * z).sqrt(), golden * along);
            Vec3::new(radius * cos(turn), radius * sin(turn), z)
        })
        .collect()
}
