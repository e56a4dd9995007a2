//! A flat convex polygon.

use zerogap_core::error::{check_coordinates, check_unit};
use zerogap_core::math::atan2;
use zerogap_core::{Aabb, Vec3};

use super::direction::{from_any_distance, unit_or, with_tame};
use super::{BoundingSphere, Convex, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::hull::{area_vector, power_of_two_below};
use crate::mass::{MassProperties, flat};
use crate::nearest::{closest_on_polygon, segment_distance};
use crate::polyhedron::sphere::bounding_sphere;

/// Largest distance of a corner from the common plane, against the polygon's size [-]: generous to coordinates written with nine
/// digits. Corners farther off than rounding are moved onto the plane.
pub const PLANAR_TOLERANCE: f64 = 1e-9;

/// A corner nearer than this to the line through its neighbours is dropped, against the polygon's size [-].
pub const COLLINEAR_TOLERANCE: f64 = 1e-12;

/// Distances from the plane below this, against the largest coordinate, are rounding and left alone [-].
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Maximum number of rounds of cleaning [-]; two are usual.
const MAX_ROUNDS: usize = 20;

/// A flat convex polygon, its corners counter-clockwise about its normal.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    corners: Vec<Vec3>,
    normal: Vec3,
}

zerogap_core::store_struct!(Polygon { corners, normal } check Self::check_stored);

impl Polygon {
    /// From a loop of corners [m] in either sense; the normal follows from the loop by the right-hand rule.
    ///
    /// Duplicated corners and corners on the line between their neighbours are dropped. The loop must be plane to
    /// [`PLANAR_TOLERANCE`], convex, wind around once and enclose an area; anything else is an error.
    pub fn new(corners: &[Vec3]) -> Result<Self, GeometryError> {
        for corner in corners {
            check_coordinates("a corner of the polygon", *corner)?;
        }
        // Cleaning changes the plane a little: again until nothing changes, so that the corners of a polygon make the same polygon.
        let mut polygon = Self::cleaned(corners)?;
        for _ in 0..MAX_ROUNDS {
            let again = Self::cleaned(&polygon.corners)?;
            if again == polygon {
                break;
            }
            polygon = again;
        }
        Ok(polygon)
    }

    /// One round of cleaning.
    fn cleaned(corners: &[Vec3]) -> Result<Self, GeometryError> {
        let bounds = Aabb::from_points(corners);
        let (size, middle) = (bounds.diagonal(), bounds.center());
        let flat = GeometryError::FlatLoop { corners: corners.len(), size };
        if corners.len() < 3 || size <= 0.0 {
            return Err(flat);
        }

        // Twice the enclosed area as a vector, in units of the size.
        let local: Vec<Vec3> = corners.iter().map(|p| (p - middle) / size).collect();
        let area2 = area2(corners, size);
        if area2.norm() <= COLLINEAR_TOLERANCE {
            return Err(flat);
        }
        let normal = unit_or(&area2, &Vec3::z());

        // Onto the plane, where that changes more than rounding.
        let base = local.iter().map(|p| normal.dot(p)).sum::<f64>() / local.len() as f64;
        let rounding = ROUNDING * (1.0 + middle.amax() / size);
        let mut kept = Vec::with_capacity(corners.len());
        for (corner, p) in corners.iter().zip(&local) {
            let height = normal.dot(p) - base;
            if height.abs() > PLANAR_TOLERANCE.max(rounding) {
                return Err(GeometryError::NotPlanar { distance: height.abs() * size, size });
            }
            kept.push(if height.abs() > rounding { corner - normal * (height * size) } else { *corner });
        }
        drop_collinear(&mut kept, COLLINEAR_TOLERANCE * size);
        if kept.len() < 3 {
            return Err(flat);
        }
        check_convex(&kept, &normal)?;
        Ok(Self { corners: kept, normal })
    }

    /// From the corners of a plane hull, which are known to be convex and plane to rounding.
    pub(crate) fn from_hull(corners: Vec<Vec3>, normal: Vec3) -> Self {
        Self { corners, normal }
    }

    /// Refuses corners and a normal that are not those of a flat polygon. Not by [`Polygon::new`]: thin ones that are the hull of points would not pass it.
    fn check_stored(&self) -> Result<(), GeometryError> {
        for corner in &self.corners {
            check_coordinates("a corner of the polygon", *corner)?;
        }
        let bounds = Aabb::from_points(&self.corners);
        let size = bounds.diagonal();
        if self.corners.len() < 3 || size <= 0.0 {
            return Err(GeometryError::FlatLoop { corners: self.corners.len(), size });
        }
        check_unit("the polygon's normal", &self.normal)?;
        let heights = self.corners.iter().map(|corner| self.normal.dot(&(corner - self.corners[0])).abs());
        let distance = heights.fold(0.0, f64::max);
        if distance > PLANAR_TOLERANCE * size + ROUNDING * bounds.center().amax() {
            return Err(GeometryError::NotPlanar { distance, size });
        }
        Ok(())
    }

    /// The corners, counter-clockwise about the normal [m].
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// Unit normal [-].
    pub fn normal(&self) -> Vec3 {
        self.normal
    }
}

/// Twice the area that a loop encloses, as a vector along its normal, in units of `size` [-].
fn area2(corners: &[Vec3], size: f64) -> Vec3 {
    // As in a triangle, plain cross products would turn the normal of a narrow loop.
    let scale = power_of_two_below(size).recip();
    let scaled: Vec<Vec3> = corners.iter().map(|corner| corner * scale).collect();
    let Some((first, rest)) = scaled.split_first() else { return Vec3::zeros() };
    let sum = rest.windows(2).fold(Vec3::zeros(), |sum, pair| sum + area_vector(first, &pair[0], &pair[1]));
    sum / (size * scale).powi(2)
}

/// Removes corners within `tolerance` [m] of the segment between their neighbours, until none is left.
fn drop_collinear(corners: &mut Vec<Vec3>, tolerance: f64) {
    let mut i = 0;
    let mut kept_in_a_row = 0;
    while corners.len() >= 3 && kept_in_a_row < corners.len() {
        let count = corners.len();
        i %= count;
        let (before, after) = (corners[(i + count - 1) % count], corners[(i + 1) % count]);
        let off = segment_distance(&before, &after, &corners[i]);
        if off <= tolerance {
            corners.remove(i);
            // The corner before has a new neighbour: check it again.
            i = (i + count - 1) % count;
            kept_in_a_row = 0;
        } else {
            i += 1;
            kept_in_a_row += 1;
        }
    }
}

/// Refuses loops with a turn to the right, or that wind around more than once.
fn check_convex(corners: &[Vec3], normal: &Vec3) -> Result<(), GeometryError> {
    let count = corners.len();
    let mut turning = 0.0;
    for i in 0..count {
        let here = corners[i];
        let (u, v) = (here - corners[(i + count - 1) % count], corners[(i + 1) % count] - here);
        let turn = atan2(u.cross(&v).dot(normal), u.dot(&v));
        if turn < 0.0 {
            return Err(GeometryError::NotConvex { corner: i, x: here.x, y: here.y, z: here.z });
        }
        turning += turn;
    }
    // A convex loop turns by one full angle; a star turns by two or more.
    if turning > 3.0 * std::f64::consts::PI {
        let p = corners[0];
        return Err(GeometryError::NotConvex { corner: 0, x: p.x, y: p.y, z: p.z });
    }
    Ok(())
}

impl Convex for Polygon {
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        with_tame(direction, |d| {
            let first = self.corners[0];
            let mut best = first;
            let mut largest = 0.0;
            for corner in &self.corners[1..] {
                let ahead = d.dot(&(corner - first));
                if ahead > largest {
                    largest = ahead;
                    best = *corner;
                }
            }
            best
        })
    }

    fn interior_point(&self) -> Vec3 {
        let first = self.corners[0];
        let sum = self.corners.iter().fold(Vec3::zeros(), |sum, p| sum + (p - first));
        first + sum / self.corners.len() as f64
    }

    fn bounding_box(&self) -> Aabb {
        Aabb::from_points(&self.corners)
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        bounding_sphere(&self.corners, &self.bounding_box())
    }

    fn volume(&self) -> f64 {
        0.0
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        let middle = self.interior_point();
        flat::polygon(&self.corners, &self.normal, &middle).mass_properties(middle, density)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| closest_on_polygon(&self.corners, &self.normal, q))
    }
}
