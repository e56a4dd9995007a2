//! Solids of revolution about z.
//!
//! In: a profile in the half plane of radius and height. Out: a closed outward mesh; vertices profile point by profile point.

use std::f64::consts::TAU;

use zerogap_core::{Vec3, math};

use super::outline::Point2;
use super::{PartError, check};
use crate::{GeometryError, TriangleMesh};

/// Kind of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// A closed outline off the axis, counter-clockwise in (radius, height): a ring of genus 1.
    Ring,
    /// A line that starts on the axis below and ends on it above: a body of genus 0.
    Body,
}

/// Turns a profile of (radius, height) points [m] about z in `segments` steps.
pub fn revolve(profile: &[Point2], kind: Profile, segments: usize) -> Result<TriangleMesh, GeometryError> {
    let n = profile.len();
    let on_axis = |k: usize| kind == Profile::Body && (k == 0 || k + 1 == n);
    let fits = |k: usize, p: &Point2| if on_axis(k) { p[0] == 0.0 } else { p[0] > 0.0 };
    if n < 3 || segments < 3 || !profile.iter().enumerate().all(|(k, p)| fits(k, p)) {
        let reason = format!(
            "a profile of {n} points in {segments} segments needs 3 of each and radii above zero off the ends of a body"
        );
        return Err(PartError::Outline { reason }.into());
    }
    // One vertex where the profile meets the axis, a circle of them elsewhere.
    let mut vertices = Vec::new();
    let mut starts = Vec::new();
    for (k, p) in profile.iter().enumerate() {
        starts.push(vertices.len() as u32);
        for j in 0..if on_axis(k) { 1 } else { segments } {
            let (s, c) = math::sin_cos(TAU * j as f64 / segments as f64);
            vertices.push(Vec3::new(p[0] * c, p[0] * s, p[1]));
        }
    }
    let at = |k: usize, j: usize| starts[k] + if on_axis(k) { 0 } else { (j % segments) as u32 };
    let strips = if kind == Profile::Ring { n } else { n - 1 };
    let mut triangles = Vec::new();
    for k in 0..strips {
        let up = (k + 1) % n;
        for j in 0..segments {
            let (a, b, c, d) = (at(k, j), at(k, j + 1), at(up, j + 1), at(up, j));
            if !on_axis(k) {
                triangles.push([a, b, c]);
            }
            if !on_axis(up) {
                triangles.push([a, c, d]);
            }
        }
    }
    check::surface(vertices, triangles)
}
