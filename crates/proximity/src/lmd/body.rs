//! A body ready for quasi-LMD queries: a complex with its hierarchy, or a half-space.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use zerogap_core::error::check_length;
use zerogap_core::{Feature, Vec3};
use zerogap_geometry::complex::ComplexError;
use zerogap_geometry::shape::HalfSpace;
use zerogap_geometry::{Complex, GeometryError};

use super::tree::{Splitting, Tree};

/// A complex with its hierarchy, or a half-space. Made once and shared: queries take it by reference, from any thread.
///
/// ```
/// use zerogap_core::Vec3;
/// use zerogap_geometry::{Complex, ComplexOptions, ConvexShape};
/// use zerogap_geometry::shape::Cuboid;
/// use zerogap_proximity::lmd::ComplexBody;
///
/// let cube = ConvexShape::from(Cuboid::new(Vec3::new(1.0, 1.0, 1.0))?);
/// let options = ComplexOptions { dilation: 1e-3, ..ComplexOptions::default() };
/// let body = ComplexBody::new(Complex::from_shape(&cube, &options)?);
/// assert_eq!(body.dilation(), 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ComplexBody {
    pub(super) form: Form,
    /// Tells bodies apart, so that what was kept of one pair is not used for another.
    pub(super) name: u64,
}

/// What a body is.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// Faces with their hierarchy.
    Bounded {
        /// The faces.
        complex: Arc<Complex>,
        /// Their hierarchy.
        tree: Arc<Tree>,
        /// A vertex of each connected part.
        parts: Arc<[u32]>,
        /// Half the mean thickness of the walls of volumes [m]; 0 where there is anything else.
        wall: f64,
    },
    /// Everything below a plane.
    HalfSpace {
        /// The plane.
        plane: HalfSpace,
        /// Inflation radius [m].
        dilation: f64,
    },
}

/// The next body's name.
static NEXT: AtomicU64 = AtomicU64::new(1);

impl ComplexBody {
    /// A body with the hierarchy that serves most queries best.
    pub fn new(complex: impl Into<Arc<Complex>>) -> Self {
        Self::with_splitting(complex, Splitting::default())
    }

    /// A body with a hierarchy that is split by a given method; every method gives the same contacts.
    ///
    /// Cost: O(n log² n) for n faces, on all threads.
    pub fn with_splitting(complex: impl Into<Arc<Complex>>, splitting: Splitting) -> Self {
        let complex = complex.into();
        let tree = Arc::new(Tree::new(&complex, splitting));
        let parts = complex.part_vertices().into();
        let wall = half_wall(&complex);
        Self::named(Form::Bounded { complex, tree, parts, wall })
    }

    /// A half-space, inflated by a radius [m]: a face without end that vertices can rest on.
    pub fn half_space(plane: HalfSpace, dilation: f64) -> Result<Self, ComplexError> {
        let dilation = check_length("the dilation", dilation).map_err(GeometryError::from)?;
        Ok(Self::named(Form::HalfSpace { plane, dilation }))
    }

    fn named(form: Form) -> Self {
        Self { form, name: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// The complex; none for a half-space.
    pub fn complex(&self) -> Option<&Complex> {
        match &self.form {
            Form::Bounded { complex, .. } => Some(complex),
            Form::HalfSpace { .. } => None,
        }
    }

    /// The half-space, if it is one.
    pub fn plane(&self) -> Option<&HalfSpace> {
        match &self.form {
            Form::Bounded { .. } => None,
            Form::HalfSpace { plane, .. } => Some(plane),
        }
    }

    /// The radius that the body is inflated by [m].
    pub fn dilation(&self) -> f64 {
        match &self.form {
            Form::Bounded { complex, .. } => complex.dilation(),
            Form::HalfSpace { dilation, .. } => *dilation,
        }
    }

    /// Half the mean thickness of what it is made of [m]: that of its walls where all of it are volumes, else the dilation; infinite for a half-space.
    ///
    /// A body that moves by less than this against another does not pass through it.
    pub fn half_thickness(&self) -> f64 {
        match &self.form {
            Form::Bounded { complex, wall, .. } => wall + complex.dilation(),
            Form::HalfSpace { .. } => f64::INFINITY,
        }
    }

    /// Centre and radius of a ball around the faces, not inflated, in the body frame [m]; none for a half-space.
    pub fn ball(&self) -> Option<(Vec3, f64)> {
        match &self.form {
            Form::Bounded { tree, .. } => Some((tree.center, tree.scale)),
            Form::HalfSpace { .. } => None,
        }
    }

    /// Bytes that faces and hierarchy take.
    pub fn bytes(&self) -> usize {
        match &self.form {
            Form::Bounded { complex, tree, .. } => complex.bytes() + size_of_val(&*tree.nodes),
            Form::HalfSpace { .. } => size_of::<Self>(),
        }
    }

    /// The feature that a face is; a half-space has face 0 alone.
    pub(super) fn feature(&self, face: u32) -> Feature {
        self.complex().map_or(Feature::Face(0), |complex| complex.feature(face))
    }
}

/// Half the mean thickness of the walls of a complex [m]: volume over surface, which is exact for plates; 0 unless all of it are volumes.
fn half_wall(complex: &Complex) -> f64 {
    let triangles = complex.triangles();
    let is_solid = (0..triangles.len()).all(|t| complex.is_solid(t));
    if !is_solid || complex.has_wires() || complex.lone_points().next().is_some() {
        return 0.0;
    }
    let corners = triangles.iter().map(|t| t.map(|v| complex.vertices()[v as usize]));
    let surface: f64 = corners.map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
    let volume = complex.mass_properties(1.0, 0.0).map_or(0.0, |found| found.mass);
    if surface > 0.0 { volume / surface } else { 0.0 }
}
