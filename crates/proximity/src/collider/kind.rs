//! What can collide: a closed set of kinds.

use std::sync::Arc;

use zerogap_core::{Aabb, Pose};
use zerogap_geometry::complex::ComplexError;
use zerogap_geometry::shape::HalfSpace;
use zerogap_geometry::{Complex, ComplexOptions, ConvexShape, Shape, TriangleMesh};

use super::compound::CompoundCollider;
use super::extent::Extent;
use crate::height_field::HeightFieldBody;
use crate::lmd::{ComplexBody, QuasiParams};
use crate::mesh::{MeshBody, MeshOperand};
use crate::oriented::OrientedCollider;

/// Whatever can collide, made ready for questions. Cloning is cheap: what is large is shared.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::{Shape, parts};
/// use zerogap_proximity::DistanceParams;
/// use zerogap_proximity::collider::{Collider, ColliderCache, ColliderPair, gap};
///
/// // A peg in its hole: the meshes as they are, concave.
/// let plate = Collider::from_shape(Shape::from(parts::by_name("hole-plate", &[])?));
/// let peg = Collider::from_shape(Shape::from(parts::by_name("peg", &[])?));
/// let pair = ColliderPair::new(&plate, Pose::identity(), &peg, Pose::identity());
/// let found = gap(&pair, &DistanceParams::default(), &mut ColliderCache::default())?;
/// assert!((found.gap - 1e-4).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub enum Collider {
    /// A bounded convex shape.
    Convex(ConvexShape),
    /// Everything on one side of a plane.
    HalfSpace(HalfSpace),
    /// Several colliders that move as one.
    Compound(Arc<CompoundCollider>),
    /// A triangle mesh as it is.
    Mesh(Arc<MeshBody>),
    /// Heights over a grid, and everything below them.
    HeightField(Arc<HeightFieldBody>),
    /// A dilated simplicial complex, which collides by quasi-LMDs.
    Complex(ComplexCollider),
    /// A shape that collides by its corners and flat surfaces, with the history of each pair.
    Oriented(Arc<OrientedCollider>),
}

/// A dilated simplicial complex that collides by quasi-LMDs.
#[derive(Debug, Clone)]
pub struct ComplexCollider {
    /// The complex with its hierarchy.
    pub body: Arc<ComplexBody>,
    /// Angle by which bodies may rotate before the contact is lost [rad]; of two colliders the larger one counts.
    pub angular_tolerance: f64,
    /// What answers where complexes intersect; none where such overlaps have no contacts.
    pub solid: Option<Arc<ComplexSolid>>,
}

/// What a complex was made of: it knows how deep bodies are that overlap by more than their dilations.
#[derive(Debug)]
pub struct ComplexSolid {
    /// The shape as it is.
    pub collider: Collider,
    /// How far the complex reaches beyond it [m]: the dilation where there is no inset.
    pub inflation: f64,
}

impl ComplexCollider {
    /// Returns it with the shape that it was made of, beyond which it reaches by `inflation` [m].
    #[must_use]
    pub fn with_solid(self, collider: Collider, inflation: f64) -> Self {
        Self { solid: Some(Arc::new(ComplexSolid { collider, inflation })), ..self }
    }

    /// Makes a complex of a shape; a half-space stays one, without dilation. None for a compound: each of its pieces is a complex of its own.
    ///
    /// Fails: shapes without flat faces.
    pub fn of_shape(
        shape: &Shape,
        options: &ComplexOptions,
        angular_tolerance: f64,
    ) -> Result<Option<Self>, ComplexError> {
        let body = match shape {
            Shape::Convex(convex) => ComplexBody::new(Complex::from_shape(convex, options)?),
            Shape::Mesh(mesh) => ComplexBody::new(Complex::from_mesh(mesh, options)?),
            Shape::HalfSpace(plane) => ComplexBody::half_space(*plane, 0.0)?,
            Shape::HeightField(field) => {
                ComplexBody::new(Complex::from_mesh(&field.patch(&field.cells()), options)?)
            }
            Shape::Complex(shape) => ComplexBody::new(shape.with_options(options)?),
            Shape::Compound(_) => return Ok(None),
        };
        Ok(Some(Self { body: Arc::new(body), angular_tolerance, solid: None }))
    }
}

/// The kinds of colliders, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColliderKind {
    /// A bounded convex shape.
    Convex,
    /// Everything on one side of a plane.
    HalfSpace,
    /// Several colliders that move as one.
    Compound,
    /// A closed triangle mesh.
    Mesh,
    /// A triangle mesh that has no inside and outside.
    OpenMesh,
    /// Heights over a grid.
    HeightField,
    /// A dilated simplicial complex.
    Complex,
    /// Corners against surfaces, with the history of the pair.
    Oriented,
}

impl ColliderKind {
    /// Every kind, in order.
    pub const ALL: [Self; 8] = [
        Self::Convex,
        Self::HalfSpace,
        Self::Compound,
        Self::Mesh,
        Self::OpenMesh,
        Self::HeightField,
        Self::Complex,
        Self::Oriented,
    ];

    /// The kind as a noun.
    pub fn word(self) -> &'static str {
        match self {
            Self::Convex => "convex shape",
            Self::HalfSpace => "half-space",
            Self::Compound => "compound",
            Self::Mesh => "closed mesh",
            Self::OpenMesh => "open mesh",
            Self::HeightField => "height field",
            Self::Complex => "complex",
            Self::Oriented => "oriented shape",
        }
    }

    /// Several of the kind.
    pub(super) fn plural(self) -> String {
        let word = self.word();
        if word.ends_with("sh") || word.ends_with('x') { format!("{word}es") } else { format!("{word}s") }
    }

    /// Returns one of the kind in words: `a convex shape`, `an open mesh`.
    pub fn with_article(self) -> String {
        let word = self.word();
        if word.starts_with('o') { format!("an {word}") } else { format!("a {word}") }
    }
}

impl std::fmt::Display for ColliderKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

impl Collider {
    /// Returns the collider of a shape as it is: convex shapes by their exact gap, compounds by their pieces, meshes by their triangles, complexes by quasi-LMDs without dilation.
    pub fn from_shape(shape: Shape) -> Self {
        match shape {
            Shape::Convex(shape) => Self::Convex(shape),
            Shape::HalfSpace(plane) => Self::HalfSpace(plane),
            Shape::Compound(compound) => Self::Compound(Arc::new(CompoundCollider::of_convex(&compound))),
            Shape::Mesh(mesh) => Self::from_mesh(mesh),
            Shape::HeightField(field) => Self::HeightField(Arc::new(HeightFieldBody::new(field))),
            Shape::Complex(shape) => Self::Complex(ComplexCollider {
                body: Arc::new(ComplexBody::new(shape.complex().clone())),
                angular_tolerance: QuasiParams::default().angular_tolerance,
                solid: None,
            }),
        }
    }

    /// Returns a mesh with its hierarchy.
    pub fn from_mesh(mesh: impl Into<Arc<TriangleMesh>>) -> Self {
        Self::Mesh(Arc::new(MeshBody::new(mesh)))
    }

    /// Returns which row and column of the table it has.
    pub fn kind(&self) -> ColliderKind {
        match self {
            Self::Convex(_) => ColliderKind::Convex,
            Self::HalfSpace(_) => ColliderKind::HalfSpace,
            Self::Compound(_) => ColliderKind::Compound,
            Self::Mesh(body) if body.is_closed() => ColliderKind::Mesh,
            Self::Mesh(_) => ColliderKind::OpenMesh,
            Self::HeightField(_) => ColliderKind::HeightField,
            Self::Complex(_) => ColliderKind::Complex,
            Self::Oriented(_) => ColliderKind::Oriented,
        }
    }

    /// Returns the box around it at a pose [m]; none for a half-space.
    pub fn bounds(&self, pose: &Pose) -> Option<Aabb> {
        match self {
            Self::Convex(_) | Self::HalfSpace(_) | Self::Mesh(_) => self.side()?.bounds(pose),
            Self::Compound(compound) => Some(compound.bounds(pose)),
            Self::HeightField(body) => Some(body.field().bounding_box().transformed(pose)),
            Self::Complex(complex) => complex.body.ball().map(|(center, radius)| {
                let (at, reach) = (pose.transform_point(&center), radius + complex.body.dilation());
                Aabb { min: at.add_scalar(-reach), max: at.add_scalar(reach) }
            }),
            Self::Oriented(oriented) => oriented.shape().bounds(pose),
        }
    }

    /// Returns how large it is; none for a half-space. Cost: in proportion to vertices and faces; ask once.
    pub fn extent(&self) -> Option<Extent> {
        match self {
            Self::Convex(convex) => Some(Extent::of_convex(convex)),
            Self::HalfSpace(_) => None,
            Self::Compound(compound) => {
                let pieces = compound.pieces().iter().filter_map(|(_, piece)| piece.extent());
                let thickness = pieces.map(|piece| piece.thickness).fold(f64::INFINITY, f64::min);
                Some(Extent::of_box(compound.bounds(&Pose::identity()), thickness))
            }
            Self::Mesh(body) => Some(Extent::of_mesh(body)),
            Self::HeightField(body) => {
                Some(Extent::of_box(body.field().bounding_box(), 0.5 * body.field().max_depth()))
            }
            Self::Complex(_) => {
                let bounds = self.bounds(&Pose::identity())?;
                Some(Extent::of_box(bounds, 0.5 * bounds.size().min()))
            }
            Self::Oriented(oriented) => oriented.shape().extent(),
        }
    }

    /// Returns it as a side of a question about meshes; none for what no such question knows.
    pub(super) fn side(&self) -> Option<MeshOperand<'_>> {
        match self {
            Self::Convex(shape) => Some(MeshOperand::Convex(shape)),
            Self::HalfSpace(plane) => Some(MeshOperand::HalfSpace(plane)),
            Self::Mesh(body) => Some(MeshOperand::Mesh(body)),
            Self::Compound(_) | Self::HeightField(_) | Self::Complex(_) | Self::Oriented(_) => None,
        }
    }

    /// Returns the complex, where it is one; a half-space may be one too.
    pub fn as_complex(&self) -> Option<&ComplexBody> {
        match self {
            Self::Complex(complex) => Some(&complex.body),
            _ => None,
        }
    }
}

impl From<ConvexShape> for Collider {
    fn from(shape: ConvexShape) -> Self {
        Self::Convex(shape)
    }
}

impl From<Shape> for Collider {
    fn from(shape: Shape) -> Self {
        Self::from_shape(shape)
    }
}
