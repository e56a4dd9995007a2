//! The convex hull of points, in as many dimensions as the points have.
//!
//! In: any finite points: duplicated, collinear, coplanar, tiny, huge, far from the origin. Out: a point, a segment, a polygon or a
//! polyhedron around all of them, whose corners are input points. Same points in the same order give the same bits.

mod cull;
mod exact;
mod flat;
mod quick;
mod span;

use zerogap_core::error::{InputError, check_coordinates};
use zerogap_core::{MIN_LENGTH, Vec3};

pub(crate) use exact::{area_vector, sign_along, six_volumes};

use crate::GeometryError;
use crate::polyhedron::Polyhedron;
use crate::shape::Polygon;
use span::Span;

/// Relative to the bounding diagonal [-]: corners this close to a straight side, an even face or each other are merged.
///
/// A hundred times what rounding leaves of a rotated box (some 1e-16), a fifth of what counts as flat.
pub(crate) const MERGE_TOLERANCE: f64 = 5e-14;

/// Coordinates below this part of the largest one become zero before signs are decided [-]: 2^-280. Three such factors, with all
/// their digits, still do not underflow, which is what makes the signs exact.
const NEGLIGIBLE: f64 = f64::from_bits((1023 - 280) << 52);

/// The smallest convex set around some points.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one hull exists at a time, and usually it is a polyhedron")]
pub enum Hull {
    /// All points are one [m].
    Point(Vec3),
    /// The ends of the segment that all points lie on [m].
    Segment([Vec3; 2]),
    /// All points lie in a plane.
    Polygon(Polygon),
    /// The points span space.
    Polyhedron(Polyhedron),
}

impl Hull {
    /// 0 for a point, 1 for a segment, 2 for a polygon, 3 for a polyhedron.
    pub fn dimension(&self) -> usize {
        match self {
            Self::Point(_) => 0,
            Self::Segment(_) => 1,
            Self::Polygon(_) => 2,
            Self::Polyhedron(_) => 3,
        }
    }

    /// The corners [m].
    pub fn vertices(&self) -> &[Vec3] {
        match self {
            Self::Point(p) => std::slice::from_ref(p),
            Self::Segment(ends) => ends,
            Self::Polygon(polygon) => polygon.corners(),
            Self::Polyhedron(polyhedron) => polyhedron.vertices(),
        }
    }
}

/// The surface of a hull that has volume, as triangles: no input point lies outside by more than 1e-68 of the
/// set's size, and none at all unless coordinates differ by more than 2^280.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HullSurface {
    /// Index into the input of each vertex, ascending.
    pub sources: Vec<u32>,
    /// Corners of each triangle as indices into `sources`, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the one across its edge from corner k to corner k + 1.
    pub neighbors: Vec<[u32; 3]>,
}

/// The convex hull of points [m].
///
/// Computes: the hull in the dimension that the points have; what is thinner than 2.5e-13 of its own bounding diagonal counts as
///   flat, or as straight. Corners are input points; those within 5e-14 of the diagonal of a straight edge or an even face are
///   left out.
/// Method: quickhull with exact signs (see `hull::quick`), monotone chain for polygons.
/// Tolerance: every input point lies within 1e-12 of the bounding diagonal of the result, also far from the origin.
/// Cost: O(n log n) expected for points in general position, O(n²) at worst; see `bench/results`.
/// Fails: no points, coordinates that are not finite or beyond `MAX_LENGTH`, a set smaller than `MIN_LENGTH` that is not a point.
/// Order: the same points in the same order give the same bits.
///
/// ```
/// use zerogap_core::Vec3;
/// use zerogap_geometry::{Hull, convex_hull};
///
/// // The corners of a cube and the middles of its faces and edges: six square faces remain.
/// let grid: Vec<Vec3> = (0..27).map(|i| Vec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64)).collect();
/// let Hull::Polyhedron(cube) = convex_hull(&grid)? else { panic!("the points span space") };
/// assert_eq!((cube.vertices().len(), cube.edge_count(), cube.face_count()), (8, 12, 6));
///
/// // Points in a plane have a plane hull.
/// assert_eq!(convex_hull(&grid[..9])?.dimension(), 2);
/// # Ok::<(), zerogap_geometry::GeometryError>(())
/// ```
pub fn convex_hull(points: &[Vec3]) -> Result<Hull, GeometryError> {
    convex_hull_with_sources(points).map(|(hull, _)| hull)
}

/// [`convex_hull`], and for each of its vertices the index of the input point that it is.
pub fn convex_hull_with_sources(points: &[Vec3]) -> Result<(Hull, Vec<u32>), GeometryError> {
    let set = normalize(points)?;
    let pick = |sources: &[u32]| sources.iter().map(|&index| points[index as usize]).collect::<Vec<_>>();
    let flat = match span::span(&set.points, &set.min, &set.max) {
        Span::Point => (Hull::Point(points[0]), vec![0]),
        Span::Line(ends) => (Hull::Segment(ends.map(|index| points[index])), ends.map(|i| i as u32).to_vec()),
        Span::Plane(plane) => {
            let tolerance = MERGE_TOLERANCE * (set.max - set.min).norm();
            let flat::FlatHull { corners, normal } = flat::flat_hull(&set.points, plane, tolerance);
            (Hull::Polygon(Polygon::from_hull(pick(&corners), normal)), corners)
        }
        Span::Space(simplex) => {
            let surface = surface_of(&set, simplex);
            let (polyhedron, sources) = Polyhedron::from_surface(points, surface);
            (Hull::Polyhedron(polyhedron), sources)
        }
    };
    Ok(flat)
}

/// The triangulated hull of points that span space, without any merging; exact, as [`HullSurface`] says.
///
/// Fails: as [`convex_hull`], and with `GeometryError::Flat` when the points have no volume.
pub fn hull_surface(points: &[Vec3]) -> Result<HullSurface, GeometryError> {
    let set = normalize(points)?;
    let dimension = match span::span(&set.points, &set.min, &set.max) {
        Span::Space(simplex) => return Ok(surface_of(&set, simplex)),
        Span::Plane(_) => 2,
        Span::Line(_) => 1,
        Span::Point => 0,
    };
    Err(GeometryError::Flat { dimension, points: points.len() })
}

/// Runs quickhull and numbers the vertices it uses.
fn surface_of(set: &Normalized, simplex: [usize; 4]) -> HullSurface {
    let candidates = cull::survivors(&set.points, &set.min, &set.max);
    let quick::Triangulation { corners: mut triangles, neighbors } =
        quick::quick_hull(&set.points, &candidates, set.max - set.min, simplex);
    let mut number = vec![u32::MAX; set.points.len()];
    for &index in triangles.iter().flatten() {
        number[index as usize] = 0;
    }
    let mut sources = Vec::new();
    for (index, slot) in number.iter_mut().enumerate() {
        if *slot == 0 {
            *slot = sources.len() as u32;
            sources.push(index as u32);
        }
    }
    for corner in triangles.iter_mut().flatten() {
        *corner = number[*corner as usize];
    }
    HullSurface { sources, triangles, neighbors }
}

/// Points scaled by a power of two so that every coordinate is below 2.
struct Normalized {
    points: Vec<Vec3>,
    min: Vec3,
    max: Vec3,
}

/// Checks the input and brings it into the range where signs are exact.
///
/// An axis along which all points agree becomes zero. On the others a coordinate below [`NEGLIGIBLE`] of the largest becomes
/// zero: since the points differ there by at least a rounding of the largest coordinate, that moves them by less than 1e-68 of
/// the set's size. All other digits stay.
fn normalize(points: &[Vec3]) -> Result<Normalized, GeometryError> {
    let Some(first) = points.first() else { return Err(GeometryError::Empty { what: "the point set" }) };
    if points.len() >= u32::MAX as usize {
        return Err(GeometryError::TooManyPoints { count: points.len() });
    }
    let (mut min, mut max) = (*first, *first);
    for p in points {
        check_coordinates("a point", *p)?;
        min = min.inf(p);
        max = max.sup(p);
    }
    let size = (max - min).amax();
    if size > 0.0 && size < MIN_LENGTH {
        return Err(
            InputError::Length { what: "the extent of the point set", value: size, min: MIN_LENGTH }.into()
        );
    }
    let varies = [min.x < max.x, min.y < max.y, min.z < max.z];
    let largest = (0..3).filter(|&k| varies[k]).map(|k| min[k].abs().max(max[k].abs())).fold(0.0, f64::max);
    let scale = power_of_two_below(largest).recip();
    let mask = Vec3::from_fn(|k, _| if varies[k] { scale } else { 0.0 });
    let adjust = |p: &Vec3| p.component_mul(&mask).map(|c| if c.abs() < NEGLIGIBLE { 0.0 } else { c });
    Ok(Normalized { points: points.iter().map(adjust).collect(), min: adjust(&min), max: adjust(&max) })
}

/// The largest power of two that is not above a positive normal number; 1 for zero and for denormals, which have no such power.
pub(crate) fn power_of_two_below(x: f64) -> f64 {
    if x >= f64::MIN_POSITIVE { f64::from_bits(x.to_bits() & (0x7ff << 52)) } else { 1.0 }
}
