//! A smooth convex body made of the vertices of a polyhedron alone: every corner, edge and facet is rounded by a mean of the vertices that reach nearly
//! as far. See docs/derivations/rolling-polyhedra.md.

use std::sync::Arc;

use zerogap_core::math::{cos, exp, ln, sin};
use zerogap_core::{Mat3, Vec3};

use super::{ConvexShape, CurvedSupport, SupportFunction, UserShape};
use crate::{Convex, GeometryError, Polyhedron};

/// Vertices whose weight is below this fraction of the largest are left out [-]: a tenth of a rounding, even if there are many.
const LIGHT: f64 = 1e-18;

/// The power mean of the supports of all vertices, by an exponent `p`:
///
/// `h(u) = (sum of max(0, (v - c) · u)^p)^(1/p)`, about a point `c` inside.
///
/// It is convex (the Firey sum of the segments from `c` to the vertices) and as often differentiable as `p` is large, so the surface has one normal everywhere that turns continuously, and two radii of curvature.
/// It contains the polyhedron and is larger by a factor of at most `n^(1/p)`: the exponent is what rounds, and the polyhedron is the limit of large ones.
#[derive(Debug, Clone)]
pub struct SmoothHull {
    /// From the centre [m].
    vertices: Vec<Vec3>,
    center: Vec3,
    exponent: u32,
    /// Supports below this fraction of the largest are left out [-].
    cutoff: f64,
}

/// A sum over the vertices for one direction.
struct Sums {
    /// Farthest support [m].
    farthest: f64,
    /// Sum of `t^p`, with `t` the supports against the farthest.
    whole: f64,
    /// Sum of `t^(p-1) v` [m].
    first: Vec3,
    /// Sum of `t^(p-2) v vᵀ` [m²]; zero where it was not requested.
    second: Mat3,
}

impl SmoothHull {
    /// Of the vertices of a polyhedron; the exponent is 3 or more.
    pub fn new(polyhedron: &Polyhedron, exponent: u32) -> Result<Self, GeometryError> {
        if exponent < 3 {
            return Err(GeometryError::Exponent { value: exponent });
        }
        let center = polyhedron.interior_point();
        let vertices = polyhedron.vertices().iter().map(|vertex| vertex - center).collect();
        Ok(Self { vertices, center, exponent, cutoff: exp(ln(LIGHT) / f64::from(exponent)) })
    }

    /// The exponent [-].
    pub fn exponent(&self) -> u32 {
        self.exponent
    }

    /// The vertices that it is made of [m].
    pub fn vertices(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.vertices.iter().map(|vertex| vertex + self.center)
    }

    fn sums(&self, direction: &Vec3, is_curved: bool) -> Sums {
        let reach = |v: &Vec3| v.dot(direction);
        let farthest = self.vertices.iter().map(reach).fold(0.0, f64::max);
        let mut sums = Sums { farthest, whole: 0.0, first: Vec3::zeros(), second: Mat3::zeros() };
        if farthest <= 0.0 {
            return sums;
        }
        let cutoff = self.cutoff * farthest;
        for vertex in &self.vertices {
            let along = reach(vertex);
            if along < cutoff {
                continue;
            }
            let ratio = along / farthest;
            let weight = power(ratio, self.exponent - 2);
            let scaled = vertex * (weight * ratio);
            sums.whole += weight * ratio * ratio;
            sums.first += scaled;
            if is_curved {
                sums.second += vertex * (vertex * weight).transpose();
            }
        }
        sums
    }

    /// The `p`-th root of a sum that is 1 or more.
    fn root(&self, whole: f64) -> f64 {
        exp(ln(whole) / f64::from(self.exponent))
    }
}

/// Points of the surface whose hull has the mass of the body [-].
const WEIGHED: u32 = 4000;

/// A smooth hull as a convex shape with mass properties: those of the hull of points of its surface.
pub(super) fn weighed(polyhedron: &Polyhedron, exponent: u32) -> Result<ConvexShape, GeometryError> {
    let hull = SmoothHull::new(polyhedron, exponent)?;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let points: Vec<Vec3> = (0..WEIGHED)
        .map(|k| {
            let (z, turn) = ((2.0 * f64::from(k) + 1.0) / f64::from(WEIGHED) - 1.0, golden * f64::from(k));
            let across = (1.0 - z * z).max(0.0).sqrt();
            hull.support(&Vec3::new(across * cos(turn), across * sin(turn), z))
        })
        .collect();
    let mass = Polyhedron::from_points(&points)?.mass_properties(1.0)?;
    Ok(UserShape::new(Arc::new(hull)).with_mass_at_unit_density(mass)?.into())
}

/// By squaring: the same bits everywhere.
fn power(base: f64, exponent: u32) -> f64 {
    let (mut result, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result *= square;
        }
        square *= square;
        left >>= 1;
    }
    result
}

impl SupportFunction for SmoothHull {
    fn support(&self, direction: &Vec3) -> Vec3 {
        let sums = self.sums(direction, false);
        // The gradient of h: h^(1-p) times the sum of supports to the power p - 1.
        if sums.whole > 0.0 {
            self.center + sums.first * (self.root(sums.whole) / sums.whole)
        } else {
            self.center
        }
    }

    fn interior_point(&self) -> Vec3 {
        self.center
    }

    fn curved_support(&self, direction: &Vec3) -> Option<CurvedSupport> {
        let sums = self.sums(direction, true);
        if sums.whole <= 0.0 {
            return None;
        }
        let root = self.root(sums.whole);
        let from_center = sums.first * (root / sums.whole);
        let height = sums.farthest * root;
        // The second derivative of h.
        let spread = sums.second * (root / (sums.whole * sums.farthest));
        let slope = (spread - from_center * from_center.transpose() / height) * f64::from(self.exponent - 1);
        Some(CurvedSupport { point: self.center + from_center, slope })
    }
}

#[cfg(test)]
mod tests {
    use zerogap_core::math::pow;
    use zerogap_core::random::Random;

    use super::*;

    fn some_polyhedron(seed: u64) -> Polyhedron {
        let mut random = Random::new(seed);
        let points: Vec<Vec3> =
            (0..60).map(|_| random.direction().component_mul(&Vec3::new(1.0, 0.8, 1.3))).collect();
        Polyhedron::from_points(&points).unwrap()
    }

    #[test]
    fn it_contains_the_polyhedron_and_nears_it_with_the_exponent() {
        let polyhedron = some_polyhedron(1);
        let mut random = Random::new(2);
        for exponent in [8, 64, 512, 4096] {
            let hull = SmoothHull::new(&polyhedron, exponent).unwrap();
            let largest = pow(polyhedron.vertices().len() as f64, 1.0 / f64::from(exponent));
            for _ in 0..50 {
                let u = random.direction();
                let from = |point: Vec3| (point - hull.center).dot(&u);
                let sharp = from(polyhedron.support(&u, &mut crate::SupportHint::default()));
                let smooth = from(hull.support(&u));
                assert!(smooth >= sharp * (1.0 - 1e-14) && smooth <= largest * sharp, "{smooth} {sharp}");
            }
        }
    }

    #[test]
    fn the_slope_is_the_derivative_of_the_support() {
        let hull = SmoothHull::new(&some_polyhedron(3), 40).unwrap();
        let mut random = Random::new(4);
        for _ in 0..20 {
            let (u, d) = (random.direction(), random.direction());
            let curved = hull.curved_support(&u).unwrap();
            assert!((curved.point - hull.support(&u)).amax() < 1e-14);
            let step = 1e-5;
            let change = (hull.support(&(u + d * step)) - hull.support(&(u - d * step))) / (2.0 * step);
            assert!((curved.slope * d - change).amax() < 1e-6, "{}", (curved.slope * d - change).amax());
            // Convex, and the same along the normal.
            assert!((curved.slope * u).amax() < 1e-12 && d.dot(&(curved.slope * d)) >= 0.0);
        }
    }

    #[test]
    fn exponents_that_leave_no_curvature_are_refused() {
        let refused = SmoothHull::new(&some_polyhedron(5), 2).unwrap_err();
        assert_eq!(refused, GeometryError::Exponent { value: 2 });
    }
}
