//! Names of shapes and pairs, and how a shape collides.
//!
//! A pair's name is made of the numbers of its shapes, smaller first; it lasts for the whole run.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use zerogap_core::Pose;
use zerogap_geometry::complex::ComplexError;
use zerogap_geometry::{Complex, ComplexOptions, ConvexShape, GeometryError, MassProperties, Shape};
use zerogap_proximity::collider::{Collider, ColliderKind, ComplexCollider};
use zerogap_proximity::lmd::QuasiParams;
use zerogap_proximity::oriented::{OrientedCollider, SurfaceRule};

use super::WorldError;

/// The number of a shape in its world, in the order of adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ShapeId(pub u32);

zerogap_core::store_struct!(ShapeId(number));

/// The name of a pair of shapes: the smaller number first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PairId {
    /// The shape with the smaller number, A of gap and normal.
    pub a: ShapeId,
    /// The other, B.
    pub b: ShapeId,
}

zerogap_core::store_struct!(PairId { a, b });

impl PairId {
    /// The pair of two shapes, in either order.
    pub fn new(first: ShapeId, second: ShapeId) -> Self {
        Self { a: first.min(second), b: first.max(second) }
    }
}

/// As `shape 0 and shape 3`.
impl std::fmt::Display for PairId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "shape {} and shape {}", self.a.0, self.b.0)
    }
}

/// How a shape collides.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Collision {
    /// As what it is: convex shapes and half-spaces by their exact gap, meshes by their triangles.
    #[default]
    Exact,
    /// As a simplicial complex, by quasi-LMDs: see [`zerogap_proximity::lmd`]. Whatever it collides with is taken as a complex too; with curved shapes that cannot be one (cylinders, cones, ellipsoids) both collide
    /// as they are.
    QuasiLmd(QuasiLmd),
    /// By corners, each pushed by the surface of the other shape that it came in through: see [`zerogap_proximity::oriented`]. Its own corners count and those of whatever it collides with, which must have flat
    /// surfaces: boxes, convex polyhedra, half-spaces; contacts must be compliant, and events located.
    Oriented,
    /// As [`Collision::Oriented`], with the nearest surface at every accepted step in place of the one that a corner came in through: the rule of the minimum translation, for comparison.
    OrientedNearest,
}

impl Collision {
    /// Makes what a shape collides as that was asked to collide like this; none: as it is.
    ///
    /// Fails: what has no complex, and what has no corners.
    pub(crate) fn collider(
        self,
        number: ShapeId,
        shape: &Shape,
        exact: &Collider,
    ) -> Result<Option<Collider>, WorldError> {
        match self {
            Self::Exact => Ok(None),
            Self::QuasiLmd(quasi) => {
                quasi.check()?;
                complex(number, shape, exact, quasi)
            }
            Self::Oriented | Self::OrientedNearest => {
                let is_nearest = self == Self::OrientedNearest;
                let rule = if is_nearest { SurfaceRule::Nearest } else { SurfaceRule::History };
                let oriented = OrientedCollider::with_collider(shape, exact.clone(), true).by_rule(rule);
                if oriented.corners().is_empty() {
                    let why = "it has no corners: take a box, a polygon or the hull of points".to_owned();
                    return Err(WorldError::Oriented { shape: number, by: None, why });
                }
                Ok(Some(Collider::Oriented(Arc::new(oriented))))
            }
        }
    }

    /// Makes what a shape that was not asked to collides as with partners that were asked to collide as a kind; none: as it is, as curved shapes do that cannot be complexes.
    ///
    /// Fails: what has no complex for another reason.
    pub(crate) fn partner(
        kind: ColliderKind,
        number: ShapeId,
        shape: &Shape,
        exact: &Collider,
    ) -> Result<Option<Collider>, WorldError> {
        match kind {
            // Of two angular tolerances the larger one counts: that of the partner.
            ColliderKind::Complex if is_curved(shape) => Ok(None),
            ColliderKind::Complex => complex(
                number,
                shape,
                exact,
                QuasiLmd { angular_tolerance: 0.0, dilation: Some(0.0), inset: false },
            ),
            ColliderKind::Oriented => {
                let oriented = OrientedCollider::with_collider(shape, exact.clone(), false);
                Ok(Some(Collider::Oriented(Arc::new(oriented))))
            }
            _ => Ok(None),
        }
    }

    /// Returns the mass properties of a shape that collides like this, at a density [kg/m³].
    ///
    /// By quasi-LMDs what encloses no volume is as thick as it is inflated: open meshes twice the dilation, lines and points by it as radius.
    pub fn mass_properties(self, shape: &Shape, density: f64) -> Result<MassProperties, GeometryError> {
        let dilation = if let Self::QuasiLmd(quasi) = self { quasi.dilation_of(shape) } else { 0.0 };
        match shape {
            Shape::Complex(complex) => complex.mass_properties(density, dilation),
            Shape::Mesh(mesh) if dilation > 0.0 && !mesh.topology().is_closed() => {
                match Complex::from_mesh(mesh, &ComplexOptions::default()) {
                    Ok(complex) => complex.mass_properties(density, dilation),
                    Err(_) => shape.mass_properties(density),
                }
            }
            shape => shape.mass_properties(density),
        }
    }

    /// Makes what curved shapes meet that cannot be complexes, where the collider of a shape reaches beyond it: the shape rounded by as much, or a sheet as a solid of its thickness. None: the shape as it is, or the
    /// complex, which the table then refuses.
    pub(crate) fn thick(self, shape: &Shape, collider: &Collider) -> Option<Collider> {
        let inflation = self.inflation(shape);
        if inflation == 0.0 {
            return None;
        }
        let solid = match shape {
            Shape::Convex(convex) => convex.clone().rounded(inflation).ok().map(Collider::from),
            Shape::Mesh(mesh) if is_sheet(shape) => {
                mesh.thickened(2.0 * inflation).ok().map(Collider::from_mesh)
            }
            _ => None,
        };
        Some(solid.unwrap_or_else(|| collider.clone()))
    }

    /// Returns how far the collider of a shape reaches beyond it [m].
    pub(crate) fn inflation(self, shape: &Shape) -> f64 {
        match self {
            // Sheets, lines and points have no inside that an inset could take.
            Self::QuasiLmd(quasi) if matches!(shape, Shape::Complex(_)) || is_sheet(shape) => {
                quasi.dilation_of(shape)
            }
            Self::QuasiLmd(quasi @ QuasiLmd { inset: false, .. }) => quasi.dilation_of(shape),
            _ => 0.0,
        }
    }
}

zerogap_core::store_enum!(Collision { 0 => Exact, 1 => QuasiLmd(settings), 2 => Oriented, 3 => OrientedNearest });

/// Whether a shape is a mesh without inside.
fn is_sheet(shape: &Shape) -> bool {
    matches!(shape, Shape::Mesh(mesh) if !mesh.topology().is_closed())
}

/// Whether a shape has surfaces that no simplices make: it cannot be a complex.
fn is_curved(shape: &Shape) -> bool {
    fn of_convex(shape: &ConvexShape) -> bool {
        match shape {
            ConvexShape::Ellipsoid(_)
            | ConvexShape::Cylinder(_)
            | ConvexShape::Frustum(_)
            | ConvexShape::User(_) => true,
            ConvexShape::Rounded(rounded) => of_convex(rounded.core()),
            _ => false,
        }
    }
    shape.as_convex().is_some_and(of_convex)
}

/// The complex of a shape; none for a compound. A dilation that follows from the size is halved where the shape is too thin to be moved inward by it.
fn complex(
    number: ShapeId,
    shape: &Shape,
    exact: &Collider,
    quasi: QuasiLmd,
) -> Result<Option<Collider>, WorldError> {
    let QuasiLmd { angular_tolerance, inset, .. } = quasi;
    let mut dilation = quasi.dilation_of(shape);
    let mut halvings = if quasi.dilation.is_none() { MOST_HALVINGS } else { 0 };
    let made = loop {
        let options = ComplexOptions { dilation, inset, ..ComplexOptions::default() };
        match ComplexCollider::of_shape(shape, &options, angular_tolerance) {
            Err(ComplexError::Inset { .. } | ComplexError::InsetRadius { .. }) if halvings > 0 => {
                dilation *= 0.5;
                halvings -= 1;
            }
            made => break made.map_err(|error| WorldError::from(error).at(number))?,
        }
    };
    let inflation = if inset { 0.0 } else { dilation };
    Ok(made.map(|made| Collider::Complex(made.with_solid(exact.clone(), inflation))))
}

/// Dilation of volumes where none is given, against their smallest extent [-].
const DILATION_RATIO: f64 = 2e-3;

/// Dilation of what has no volume, where none is given [m]: half the thickness of sheets, the radius of wires.
const THIN_DILATION: f64 = 2e-5;

/// How often a dilation that follows from the size is halved where the shape is too thin for it [-].
const MOST_HALVINGS: usize = 20;

/// The settings of quasi-LMDs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuasiLmd {
    /// The angle by which bodies may rotate before the contact is lost [rad]; of two bodies the larger one counts.
    pub angular_tolerance: f64,
    /// The radius that the shape is inflated by [m]: how far bodies may move against each other within a part of a step, and how deep they may overlap. None: one that follows from its size, see [`QuasiLmd::dilation_of`].
    pub dilation: Option<f64>,
    /// Whether the surface is moved inward by the dilation first, so that the inflated body is the shape that was given.
    pub inset: bool,
}

zerogap_core::store_struct!(QuasiLmd { angular_tolerance, dilation, inset });

impl Default for QuasiLmd {
    /// Five degrees and a dilation by the size of the shape, with the surface where it was.
    fn default() -> Self {
        Self { angular_tolerance: QuasiParams::default().angular_tolerance, dilation: None, inset: true }
    }
}

impl QuasiLmd {
    /// Returns the dilation that was given, or a 500th of the smallest extent of a shape [m]: 0.1 mm for a part that is 5 cm thick. What encloses no volume is as thick as it is inflated, and has 20 µm.
    pub fn dilation_of(&self, shape: &Shape) -> f64 {
        self.dilation.unwrap_or_else(|| {
            let is_thin = match shape {
                Shape::Complex(complex) => !complex.complex().has_volume(),
                Shape::Mesh(mesh) => !mesh.topology().is_closed(),
                _ => false,
            };
            let bounds = match shape {
                Shape::Mesh(mesh) => Some(mesh.bounding_box()),
                Shape::Complex(complex) => Some(complex.complex().bounding_box()),
                other => Collider::from_shape(other.clone()).bounds(&Pose::identity()),
            };
            let of_size = bounds.map(|bounds| DILATION_RATIO * bounds.size().min()).filter(|_| !is_thin);
            of_size.filter(|dilation| *dilation > 0.0).unwrap_or(THIN_DILATION)
        })
    }

    /// Whether it can be used.
    pub(crate) fn check(&self) -> Result<(), WorldError> {
        let bad = |what, value| Err(WorldError::Setting { what, value });
        if !(self.angular_tolerance >= 0.0 && self.angular_tolerance <= std::f64::consts::FRAC_PI_2) {
            return bad("angle of quasi-LMDs", self.angular_tolerance);
        }
        match self.dilation {
            Some(dilation) if !(dilation >= 0.0 && dilation.is_finite()) => bad("dilation", dilation),
            _ => Ok(()),
        }
    }
}
