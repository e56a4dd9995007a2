//! An ellipsoid about the origin with its axes along the coordinate axes.

use std::f64::consts::PI;

use zerogap_core::error::check_positive_length;
use zerogap_core::{Aabb, Vec3};

use super::direction::{from_any_distance, signed, unit_or, with_tame};
use super::{BoundingSphere, Convex, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::mass::{MassProperties, ellipsoid};

/// An ellipsoid about the origin with its axes along the coordinate axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    radii: Vec3,
}

zerogap_core::store_struct!(Ellipsoid { radii } check |it| Self::new(it.radii));

impl Ellipsoid {
    /// With these semi-axes along x, y and z [m].
    pub fn new(radii: Vec3) -> Result<Self, GeometryError> {
        for radius in radii.iter() {
            check_positive_length("an ellipsoid's radius", *radius)?;
        }
        Ok(Self { radii })
    }

    /// Semi-axes along x, y and z [m].
    pub fn radii(&self) -> Vec3 {
        self.radii
    }
}

impl Convex for Ellipsoid {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        // The image of a ball: stretch the direction, take the ball's point, stretch it.
        with_tame(direction, |d| {
            unit_or(&d.component_mul(&self.radii), &Vec3::z()).component_mul(&self.radii)
        })
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }

    fn bounding_box(&self) -> Aabb {
        Aabb { min: -self.radii, max: self.radii }
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        BoundingSphere { center: Vec3::zeros(), radius: self.radii.max() }
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radii.product()
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        ellipsoid::solid(&self.radii).mass_properties(Vec3::zeros(), density)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| nearest(&self.radii, q))
    }
}

/// Maximum number of Newton steps of one query [-]; the function is nearly linear, so 5 to 10 are usual, and poles that lie many orders of
/// magnitude apart cost a few more.
const MAX_STEPS: usize = 100;

/// Products of a coordinate and a semi-axis below this are zero, in units of the largest semi-axis squared [-]: their reciprocals would
/// overflow. The ratio of two accepted semi-axes is at least 1e-120, so a coordinate lost here is below 1e-170.
const VANISHING: f64 = 1e-290;

/// The point of an ellipsoid's surface nearest to q.
///
/// Computes: s, gap and n with q - s = gap n, inside and outside. With t the multiplier of the nearest-point condition,
///   `s_i / e_i = T_i = e_i q_i / (t + e_i²)`, and t is the largest root of `|T(t)| = 1`.
/// Method: Newton on `1 / |T|` (the form of Hebden 1973 and of Moré and Sorensen 1983 for the secular equation), which is increasing and concave in t, from a point left of the root where no component of T
///   exceeds 1: every iterate stays left of the root. The unknown is `w = t + e_min²`, so that a query point near the medial
///   plate, where w tends to 0, keeps all digits of w. A point on the plate itself (w = 0) is closed by `|T| = 1`.
/// Tolerance: 1e-14 of the largest of |q| and the radii, for aspect ratios to 1e6 and beyond (measured in the tests).
/// Fails: never; ties between mirror images go to the positive side.
fn nearest(radii: &Vec3, q: &Vec3) -> SurfacePoint {
    let (size, smallest) = (radii.max(), radii.min() / radii.max());
    let e = radii / size;
    let scaled = q / size;
    let pull = scaled.component_mul(&e).map(|x| if x.abs() < VANISHING { 0.0 } else { x });
    let rise = e.map(|e| (e - smallest) * (e + smallest));
    let term = |i: usize, w: f64| if pull[i] == 0.0 { 0.0 } else { pull[i] / (w + rise[i]) };

    // Left of the root, where every single term is at most 1.
    let mut w = (0..3).map(|i| pull[i].abs() - rise[i]).fold(0.0, f64::max);
    let mut t = Vec3::from_fn(|i, _| term(i, w));
    if w == 0.0 && t.norm_squared() < 1.0 {
        // Within the medial plate: the shortest axis takes up what is missing.
        let short = e.imin();
        t[short] = signed(q[short], (1.0 - t.norm_squared()).sqrt());
    } else {
        for _ in 0..MAX_STEPS {
            let sum = t.norm_squared();
            let weight: f64 =
                (0..3).map(|i| if t[i] == 0.0 { 0.0 } else { t[i] * t[i] / (w + rise[i]) }).sum();
            let next = w + sum * ((sum.sqrt() - 1.0) / weight);
            // The iterates rise until rounding stops them.
            if !(next > w && next.is_finite()) {
                break;
            }
            w = next;
            t = Vec3::from_fn(|i, _| term(i, w));
        }
    }
    let t = unit_or(&t, &Vec3::z());
    let gradient = Vec3::from_fn(|i, _| t[i] * (smallest / e[i]));
    let steepness = gradient.norm();
    let normal = gradient / steepness;
    let gap = (w - smallest * smallest) * (steepness / smallest) * size;
    SurfacePoint { point: t.component_mul(radii), gap, normal }
}
