//! How the surface of a shape is curved where a given part of it faces a given normal.
//!
//! In: the name of the part, an outward unit normal, both in the shape's own frame. Out: how the farthest point moves when the normal turns, and in
//! which directions it is not one point at all because the surface is flat. Rates of contact points and radii for Hertz' law come from it. Depends on
//! the shape and the question alone.

use zerogap_core::{Feature, Mat3, Vec3};

use super::direction::unit_or;
use super::{Convex, ConvexShape, HalfSpace, SupportHint, UserShape};

/// Normals closer to the axis of a cylinder than this are along it: they belong to its cap, not to its rim [-].
const AXIAL: f64 = 1e-12;

/// Names of the points of the rim at -z of a cylinder or cone [-]; those at +z follow.
const RIM_POINTS: u32 = 64;

/// First name of an arc of the rim at +z, beyond both rims and the arcs of the other [-].
const UPPER_ARCS: u32 = 2 + 2 * RIM_POINTS;

/// Turn of the normal over which the support of a user-defined shape is differenced [rad]: its square, the relative error, is 1e-8, and rounding adds less.
const TURN: f64 = 1e-4;

/// Largest difference of the radii found with one turn and with twice that, against the radii [-], for the surface to count as smooth.
const SMOOTH: f64 = 1e-4;

/// Ratio of the principal radii beyond which the smaller one is rounding: the surface is an edge [-].
const EDGE: f64 = 1e14;

/// The directions in which a surface is flat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Flat {
    /// None: the farthest point is a single one.
    None,
    /// This unit direction: an edge or a straight line of the surface.
    Along(Vec3),
    /// All directions across the normal: a face.
    All,
}

/// Curvature of a surface at a normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceRadii {
    /// Derivative of the support point with respect to the normal [m]: `dx = radii dn`, the Hessian of the support function. Symmetric, maps the normal to 0, and holds only
    /// directions that are not flat. Its eigenvalues are the radii of curvature; 0 at corners and across edges.
    pub radii: Mat3,
    /// Where the surface is flat.
    pub flat: Flat,
}

impl SurfaceRadii {
    /// A corner: the point stays where it is.
    const CORNER: Self =
        Self { radii: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), flat: Flat::None };

    /// A face.
    const FACE: Self = Self { flat: Flat::All, ..Self::CORNER };

    /// A part of a sharp shape: a face, an edge along a direction, or a corner.
    pub fn sharp(feature: Feature, edge: &Vec3) -> Self {
        match feature {
            Feature::Face(_) => Self::FACE,
            Feature::Edge(_) => Self::line(edge),
            Feature::Vertex(_) | Feature::Surface(_) => Self::CORNER,
        }
    }

    /// A straight line of the surface; no line has no direction and is a corner.
    fn line(direction: &Vec3) -> Self {
        let along = unit_or(direction, &Vec3::zeros());
        if along == Vec3::zeros() { Self::CORNER } else { Self { flat: Flat::Along(along), ..Self::CORNER } }
    }

    /// A ball.
    fn ball(radius: f64, normal: &Vec3) -> Self {
        Self { radii: across(normal) * radius, flat: Flat::None }
    }

    /// The surface at a distance `radius` outside of this one, where it is not flat [m].
    #[must_use]
    pub fn raised(self, radius: f64, normal: &Vec3) -> Self {
        let inflated = match self.flat {
            Flat::None => across(normal) * radius,
            Flat::Along(line) => outer(&unit_or(&line.cross(normal), &Vec3::zeros())) * radius,
            Flat::All => return self,
        };
        Self { radii: self.radii + inflated, flat: self.flat }
    }

    /// One radius for Hertz' law [m]: the geometric mean of the two principal radii; none where the surface is flat, or an edge or a corner.
    ///
    /// Tolerance: 1e-15 times the ratio of the principal radii; a ratio beyond 1e14 is an edge. [`ConvexShape::contact_radius`] has no such limit.
    pub fn contact_radius(&self) -> Option<f64> {
        // The product of the two eigenvalues other than that of the normal, by the principal minors; scaled, so that nothing overflows.
        let size = self.radii.amax();
        let is_curved = self.flat == Flat::None && size > 0.0;
        if !is_curved {
            return None;
        }
        let m = self.radii / size;
        let minor = |i: usize, j: usize| m[(i, i)] * m[(j, j)] - m[(i, j)] * m[(j, i)];
        let product = minor(0, 1) + minor(1, 2) + minor(2, 0);
        (product * EDGE > 1.0).then(|| product.sqrt() * size)
    }
}

impl ConvexShape {
    /// Returns the curvature of a feature at a unit normal, both in the shape's frame.
    ///
    /// Computes: the derivative of the support point by the normal, exact for all shapes but user-defined ones: those are differenced, and count as corners where that
    ///   shows no smooth surface. The side of a cone has the radius of its mid-height, see [`Self::surface_radii_at`].
    ///   A named point of a rim counts as the rim where it is farthest along the normal; one that a face-on contact keeps as a fixed point of the body does not move so.
    /// Tolerance: 1e-14 of the largest radius; user-defined shapes 1e-7.
    /// Fails: never. A name that the shape does not have is a corner; a side of an outline of several faces that are flat against each other is a face.
    pub fn surface_radii(&self, feature: Feature, normal_local: &Vec3) -> SurfaceRadii {
        self.radii_of(feature, normal_local, None)
    }

    /// As [`Self::surface_radii`], at a point of the shape: the side of a cone is curved by its distance from the axis.
    pub fn surface_radii_at(
        &self,
        feature: Feature,
        normal_local: &Vec3,
        point_local: &Vec3,
    ) -> SurfaceRadii {
        self.radii_of(feature, normal_local, Some(*point_local))
    }

    /// One radius for Hertz' law where the shape faces a unit normal [m]: for balls, capsules, ellipsoids and these rounded; the sides of a capsule count by their
    /// radius, as its ends do. None for shapes with edges: there the feature in contact decides, see [`SurfaceRadii::contact_radius`].
    pub fn contact_radius(&self, normal_local: &Vec3) -> Option<f64> {
        match self {
            Self::Sphere(sphere) => Some(sphere.radius()),
            Self::Capsule(capsule) => Some(capsule.radius()),
            Self::Ellipsoid(shape) => mean_radius_of_ellipsoid(&shape.radii(), 0.0, normal_local),
            Self::Rounded(rounded) => match rounded.core() {
                Self::Point(_) | Self::Segment(_) => (rounded.radius() > 0.0).then_some(rounded.radius()),
                Self::Sphere(core) => Some(core.radius() + rounded.radius()),
                Self::Capsule(core) => Some(core.radius() + rounded.radius()),
                Self::Ellipsoid(core) => {
                    mean_radius_of_ellipsoid(&core.radii(), rounded.radius(), normal_local)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The radii of a part, at a point where one is given.
    fn radii_of(&self, feature: Feature, n: &Vec3, point: Option<Vec3>) -> SurfaceRadii {
        match self {
            Self::Sphere(sphere) => SurfaceRadii::ball(sphere.radius(), n),
            Self::Ellipsoid(shape) => of_ellipsoid(&shape.radii(), n),
            Self::Capsule(capsule) => of_thread(&capsule.axis().ends(), feature).raised(capsule.radius(), n),
            Self::Cylinder(can) => of_revolved([can.radius(); 2], can.length(), feature, n, point),
            Self::Frustum(cone) => {
                of_revolved([cone.radius0(), cone.radius1()], cone.length(), feature, n, point)
            }
            Self::Rounded(rounded) => {
                let below = point.map(|point| point - n * rounded.radius());
                rounded.core().radii_of(feature, n, below).raised(rounded.radius(), n)
            }
            Self::User(shape) => of_user(shape, n),
            Self::Point(_) => SurfaceRadii::CORNER,
            Self::Segment(segment) => of_thread(&segment.ends(), feature),
            Self::Triangle(triangle) => match triangle.normal() {
                Some(_) => of_sheet(&triangle.corners(), feature),
                None => of_thread(&triangle.longest_side(), feature),
            },
            Self::Polygon(polygon) => of_sheet(polygon.corners(), feature),
            Self::Cuboid(_) => match feature {
                Feature::Edge(index) if index < 12 => SurfaceRadii::line(&Vec3::ith(index as usize / 4, 1.0)),
                Feature::Face(_) => SurfaceRadii::FACE,
                _ => SurfaceRadii::CORNER,
            },
            Self::Polyhedron(solid) => match feature {
                Feature::Edge(index) => match solid.edges().get(index as usize) {
                    Some(edge) => {
                        let [from, to] = edge.vertices.map(|vertex| solid.vertices()[vertex as usize]);
                        SurfaceRadii::line(&(to - from))
                    }
                    None => SurfaceRadii::FACE,
                },
                Feature::Face(_) => SurfaceRadii::FACE,
                _ => SurfaceRadii::CORNER,
            },
        }
    }
}

impl HalfSpace {
    /// A face, anywhere on it.
    pub fn surface_radii(&self) -> SurfaceRadii {
        SurfaceRadii::FACE
    }
}

/// `v vᵀ`.
fn outer(v: &Vec3) -> Mat3 {
    v * v.transpose()
}

/// What is left of a vector across a unit normal.
fn across(normal: &Vec3) -> Mat3 {
    Mat3::identity() - outer(normal)
}

/// A segment: its only edge, or one of its ends.
fn of_thread([from, to]: &[Vec3; 2], feature: Feature) -> SurfaceRadii {
    match feature {
        Feature::Edge(_) => SurfaceRadii::line(&(to - from)),
        _ => SurfaceRadii::CORNER,
    }
}

/// A flat polygon: one of its faces, sides or corners.
fn of_sheet(corners: &[Vec3], feature: Feature) -> SurfaceRadii {
    match feature {
        Feature::Face(_) => SurfaceRadii::FACE,
        Feature::Edge(index) => {
            let index = index as usize;
            let ends = corners.get(index).zip(corners.get((index + 1) % corners.len().max(1)));
            ends.map_or(SurfaceRadii::CORNER, |(from, to)| SurfaceRadii::line(&(to - from)))
        }
        _ => SurfaceRadii::CORNER,
    }
}

/// An ellipsoid: `(A - A n nᵀ A / h²) / h` with `A` the squares of the semi-axes and `h² = nᵀ A n`.
///
/// With D the semi-axes and `u = D n / h`, a unit vector, this is `D (I - u uᵀ) D / h`, which neither overflows nor cancels where A would.
fn of_ellipsoid(axes: &Vec3, n: &Vec3) -> SurfaceRadii {
    let stretched = axes.component_mul(n);
    let height = stretched.norm();
    if height == 0.0 {
        return SurfaceRadii::CORNER;
    }
    let stretch = Mat3::from_diagonal(axes);
    SurfaceRadii { radii: stretch * across(&(stretched / height)) * stretch / height, flat: Flat::None }
}

/// The geometric mean of the principal radii of a rounded ellipsoid: the product `R1 R2` of the core's is `(a b c / h²)²`, and each of them grows by the rounding.
fn mean_radius_of_ellipsoid(axes: &Vec3, rounding: f64, n: &Vec3) -> Option<f64> {
    let height = axes.component_mul(n).norm();
    let of_core = axes.x / height * (axes.y / height) * axes.z;
    let mean = if rounding > 0.0 {
        let sum = of_ellipsoid(axes, n).radii.trace();
        (of_core * of_core + rounding * (sum + rounding)).sqrt()
    } else {
        of_core
    };
    mean.is_finite().then_some(mean)
}

/// A cylinder, cone or frustum along z: a cap, the side, or a rim, which all its points and arcs belong to.
fn of_revolved(
    radii: [f64; 2],
    length: f64,
    feature: Feature,
    n: &Vec3,
    point: Option<Vec3>,
) -> SurfaceRadii {
    let radial = Vec3::new(n.x, n.y, 0.0);
    let sine = radial.norm();
    // The radius about the axis, seen along the normal: a rim bends by a / sin of the angle between normal and axis (Meusnier).
    let bent = |radius: f64| outer(&Vec3::new(-n.y / sine, n.x / sine, 0.0)) * (radius / sine);
    let cap = match feature {
        Feature::Face(_) => return SurfaceRadii::FACE,
        _ if sine <= AXIAL => return SurfaceRadii::FACE,
        Feature::Surface(_) => {
            let outward = radial / sine;
            let generator = outward * (radii[1] - radii[0]) + Vec3::new(0.0, 0.0, length);
            let middle = 0.5 * (radii[0] + radii[1]);
            let radius = point.map_or(middle, |point| outward.dot(&point).clamp(0.0, radii[0].max(radii[1])));
            return SurfaceRadii { radii: bent(radius), ..SurfaceRadii::line(&generator) };
        }
        Feature::Vertex(index) => usize::from(index >= RIM_POINTS),
        Feature::Edge(index) => usize::from(index == 1 || index >= UPPER_ARCS),
    };
    SurfaceRadii { radii: bent(radii[cap]), flat: Flat::None }
}

/// A user-defined shape: central differences of its support, over two turns of the normal that must agree.
fn of_user(shape: &UserShape, n: &Vec3) -> SurfaceRadii {
    let support = |direction: Vec3| shape.support(&direction, &mut SupportHint::default());
    let projector = across(n);
    let differenced = |turn: f64| {
        let column = |axis: usize| {
            let step = projector.column(axis) * turn;
            (support(n + step) - support(n - step)) / (2.0 * turn)
        };
        projector * Mat3::from_columns(&[column(0), column(1), column(2)])
    };
    let (fine, coarse) = (differenced(TURN), differenced(2.0 * TURN));
    let is_smooth = (fine - coarse).amax() <= SMOOTH * fine.amax()
        && (fine - fine.transpose()).amax() <= SMOOTH * fine.amax();
    if !is_smooth {
        return SurfaceRadii::CORNER;
    }
    // Richardson: the error falls with the square of the turn.
    let radii = (4.0 * fine - coarse) / 3.0;
    SurfaceRadii { radii: 0.5 * (radii + radii.transpose()), flat: Flat::None }
}
