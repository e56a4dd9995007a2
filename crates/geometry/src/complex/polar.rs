//! Polar cones of simplicial complexes: into which directions a face may have its nearest point.
//!
//! In: the unit vectors U that lead from a face into what it bounds. Out: the dimension of the polar cone
//! T* = { z ⊥ face : ⟨z, u⟩ ≤ 0 for all u in U } and a round cone about it. Nothing here depends on which side of a surface is solid.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use zerogap_core::math::{angle_between, asin, atan2, tangents};
use zerogap_core::{Vec3, math};

/// By how much a constraint of an extreme ray may fail through rounding [-].
const ROUNDING: f64 = 1e-9;

/// By how much constraints may fail for a cone that has no inside [-]: above rounding, below every angle that matters.
const THIN: f64 = 1e-7;

/// Rays closer than this are one [-].
const SAME_RAY: f64 = 1e-6;

/// A relaxed cone of one direction may spread by this many flat angles [-]: constraints at a sharp angle widen it.
const SPREAD: f64 = 10.0;

/// A polar cone, by its dimension and a round cone about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cone {
    /// Dimension of the polar cone, 0 to 3.
    pub(super) dimension: u8,
    /// Axis of the round cone, unit; zero where the cone is the whole sphere.
    pub(super) axis: Vec3,
    /// Half-angle of the round cone [rad]; π for the whole sphere.
    pub(super) half: f64,
    /// The direction of a polar cone that is a whole line, either sense.
    pub(super) line: Option<Vec3>,
}

impl Cone {
    /// Every direction.
    pub(super) fn whole(dimension: u8) -> Self {
        Self { dimension, axis: Vec3::zeros(), half: PI, line: None }
    }

    /// No direction.
    pub(super) fn none() -> Self {
        Self { dimension: 0, axis: Vec3::zeros(), half: 0.0, line: None }
    }

    /// A round cone.
    pub(super) fn round(dimension: u8, axis: Vec3, half: f64) -> Self {
        Self { dimension, axis, half, line: None }
    }
}

/// The widest free angle between directions of a plane.
struct Gap {
    /// Its size [rad]; 2π for a single direction.
    width: f64,
    /// Unit vector to its middle.
    middle: Vec3,
    /// The second widest [rad].
    second: f64,
}

/// The widest gap between directions in the plane of `t1` and `t2`, of which there is at least one. `angles` is scratch.
fn widest_gap(directions: &[Vec3], t1: &Vec3, t2: &Vec3, angles: &mut Vec<f64>) -> Gap {
    angles.clear();
    angles.extend(directions.iter().map(|u| atan2(u.dot(t2), u.dot(t1))));
    angles.sort_by(f64::total_cmp);
    let mut best = (-1.0, 0.0);
    let mut second = -1.0;
    for (k, &from) in angles.iter().enumerate() {
        let to = if k + 1 < angles.len() { angles[k + 1] } else { angles[0] + TAU };
        let width = to - from;
        if width > best.0 {
            second = best.0;
            best = (width, 0.5 * (from + to));
        } else if width > second {
            second = width;
        }
    }
    let (s, c) = math::sin_cos(best.1);
    Gap { width: best.0, middle: t1 * c + t2 * s, second }
}

/// Scratch of the cones of many faces.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    angles: Vec<f64>,
    rays: Vec<Vec3>,
}

impl Scratch {
    /// The extreme rays that the last vertex cone was made of; none where it was found by another method.
    pub(super) fn rays(&self) -> &[Vec3] {
        &self.rays
    }
}

/// The polar cone of an edge along the unit vector `along`; `directions` are perpendicular to it.
///
/// Tolerance: directions that are opposite within `flat` [rad] count as opposite; the round cone keeps the true angle.
pub(super) fn edge_cone(along: &Vec3, directions: &[Vec3], flat: f64, scratch: &mut Scratch) -> Cone {
    if directions.is_empty() {
        return Cone::whole(2);
    }
    let (t1, t2) = tangents(along);
    let gap = widest_gap(directions, &t1, &t2, &mut scratch.angles);
    let over = gap.width - PI;
    if over > flat {
        Cone::round(2, gap.middle, 0.5 * over)
    } else if over < -flat {
        Cone::none()
    } else if gap.second >= PI - flat {
        Cone { line: Some(gap.middle), ..Cone::whole(1) }
    } else {
        Cone::round(1, gap.middle, 0.5 * over.abs())
    }
}

/// The polar cone of a vertex. `normal` is a guess of the plane of its edges, where there is one.
///
/// Method: edges that lie in a plane within `flat` [rad] are judged there by their widest gap; all others by the extreme rays of the
///   cone, each perpendicular to two edges. A cone with a direction that is more than half of `flat` inside every constraint is solid; otherwise
///   the rays that hold to 1e-7, or else to `flat`, decide whether it is a sector, a ray or nothing.
/// Cost: O(k²) for k edges and few extreme rays.
pub(super) fn vertex_cone(
    directions: &[Vec3],
    normal: Option<&Vec3>,
    flat: f64,
    scratch: &mut Scratch,
) -> Cone {
    scratch.rays.clear();
    let Some(first) = directions.first() else { return Cone::whole(3) };
    let off_plane = |m: &Vec3| directions.iter().map(|u| u.dot(m).abs()).fold(0.0, f64::max);
    let limit = math::sin(flat);
    let guess = normal.copied().filter(|m| off_plane(m) <= limit);
    let plane = guess.or_else(|| Some(fitted_plane(first, directions)).filter(|m| off_plane(m) <= limit));
    if let Some(m) = plane {
        return planar_cone(directions, &m, asin(off_plane(&m).min(1.0)), flat, scratch);
    }

    extreme_rays(directions, ROUNDING, &mut scratch.rays);
    if let Some(mean) = mean_ray(&scratch.rays) {
        let margin = directions.iter().map(|u| -u.dot(&mean)).fold(f64::INFINITY, f64::min);
        if scratch.rays.len() >= 3 && margin > 0.5 * limit {
            return Cone::round(3, mean, spread(&mean, &scratch.rays));
        }
    }
    extreme_rays(directions, THIN, &mut scratch.rays);
    let mut largest = 2.0 * flat;
    if scratch.rays.is_empty() {
        extreme_rays(directions, limit, &mut scratch.rays);
        largest = SPREAD * flat;
    }
    if scratch.rays.is_empty() {
        return Cone::none();
    }
    let Some(mean) = mean_ray(&scratch.rays) else {
        return Cone { line: Some(scratch.rays[0]), ..Cone::whole(1) };
    };
    let half = spread(&mean, &scratch.rays);
    Cone::round(if half > 0.5 * largest { 2 } else { 1 }, mean, half)
}

/// The cone of a vertex whose edges lie in the plane across `m`, up to `noise` [rad].
fn planar_cone(directions: &[Vec3], m: &Vec3, noise: f64, flat: f64, scratch: &mut Scratch) -> Cone {
    let (t1, t2) = tangents(m);
    let gap = widest_gap(directions, &t1, &t2, &mut scratch.angles);
    let over = gap.width - PI;
    // Both normals of the plane belong to the cone unless the edges surround the vertex: it opens to a right angle at least.
    if over > flat {
        Cone::round(3, gap.middle, FRAC_PI_2 + noise)
    } else if over < -flat {
        // What the edges leave the plane by opens the ray into a thin cone, which must not be lost.
        extreme_rays(directions, ROUNDING, &mut scratch.rays);
        let off = |ray: &Vec3| atan2(ray.cross(m).norm(), ray.dot(m).abs());
        let half = scratch.rays.iter().map(off).fold(0.0, f64::max);
        scratch.rays.clear();
        Cone { dimension: 1, axis: Vec3::zeros(), half, line: Some(*m) }
    } else if gap.second >= PI - flat {
        Cone::whole(2)
    } else {
        Cone::round(2, gap.middle, FRAC_PI_2 + noise)
    }
}

/// A unit vector across the two directions that are farthest from parallel to the first and to each other.
fn fitted_plane(first: &Vec3, directions: &[Vec3]) -> Vec3 {
    let mut best = Vec3::zeros();
    for u in directions {
        let across = first.cross(u);
        if across.norm_squared() > best.norm_squared() {
            best = across;
        }
    }
    let length = best.norm();
    if length > ROUNDING { best / length } else { tangents(first).0 }
}

/// The rays of { z : ⟨z, u⟩ ≤ tolerance } that are perpendicular to two of the directions, each once.
fn extreme_rays(directions: &[Vec3], tolerance: f64, rays: &mut Vec<Vec3>) {
    rays.clear();
    for (i, u) in directions.iter().enumerate() {
        for v in &directions[i + 1..] {
            let across = u.cross(v);
            let length = across.norm();
            if length <= ROUNDING * ROUNDING {
                continue;
            }
            for z in [across / length, across / -length] {
                // Known rays are skipped first: the many edges of a flat face share one.
                let known = rays.iter().any(|ray| (ray - z).norm_squared() <= SAME_RAY * SAME_RAY);
                if !known && directions.iter().all(|w| z.dot(w) <= tolerance) {
                    rays.push(z);
                }
            }
        }
    }
}

/// The normalised mean of some rays; none for opposite ones.
fn mean_ray(rays: &[Vec3]) -> Option<Vec3> {
    let sum: Vec3 = rays.iter().sum();
    let length = sum.norm();
    (length > SAME_RAY).then(|| sum / length)
}

/// The largest angle of a ray from the axis [rad].
fn spread(axis: &Vec3, rays: &[Vec3]) -> f64 {
    rays.iter().map(|ray| angle_between(axis, ray)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: f64 = 1e-3;

    fn cone(directions: &[[f64; 3]]) -> Cone {
        let directions: Vec<Vec3> = directions.iter().map(|u| Vec3::from(*u).normalize()).collect();
        vertex_cone(&directions, None, FLAT, &mut Scratch::default())
    }

    #[test]
    fn dimensions_of_the_cones_of_known_corners() {
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let (mx, my) = ([-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]);
        for (directions, dimension, half) in [
            (vec![], 3, PI),
            (vec![x], 3, FRAC_PI_2),
            (vec![x, y], 3, FRAC_PI_2),
            (vec![x, mx], 2, PI),
            (vec![x, mx, y], 2, FRAC_PI_2),
            (vec![x, mx, y, my], 1, 0.0),
            (vec![x, y, z], 3, math::acos(1.0 / 3.0_f64.sqrt())),
            (vec![x, mx, y, z], 2, FRAC_PI_2 / 2.0),
            (vec![x, mx, y, my, z], 1, 0.0),
            (vec![x, mx, y, my, z, [0.0, 0.0, -1.0]], 0, 0.0),
        ] {
            let found = cone(&directions);
            assert_eq!(found.dimension, dimension, "{directions:?}: {found:?}");
            assert!((found.half - half).abs() < 1e-12, "{directions:?}: {found:?}");
        }
    }

    #[test]
    fn noise_below_the_flat_angle_leaves_a_plane_a_plane() {
        let fan: Vec<[f64; 3]> = (0..7)
            .map(|k| {
                let (s, c) = math::sin_cos(TAU * f64::from(k) / 7.0);
                [c, s, if k % 2 == 0 { 4e-4 } else { -3e-4 }]
            })
            .collect();
        assert_eq!(cone(&fan).dimension, 1);
        let cap: Vec<[f64; 3]> = fan.iter().map(|u| [u[0], u[1], -4e-4]).collect();
        let found = cone(&cap);
        assert_eq!(found.dimension, 1);
        // The axis is square to two of the edges, which lean by up to 4e-4 / cos(2 pi / 7) each: the cone about it reaches as far again.
        assert!(found.half > 3e-4 && found.half < 1.3e-3, "{found:?}");
    }
}
