//! Contacts by quasi-LMDs of bodies given by name, and what their meshes are treated as: as every interface reports them.
//!
//! In: target strings or shapes, poses and parameters. Out: [`QuasiTouched`] and [`ComplexInspection`], the same for the command (as a sheet or JSON) and for Python.

use serde::Serialize;
use zerogap_core::Pose;
use zerogap_geometry::complex::{ComplexError, ComplexReport};
use zerogap_geometry::{Complex, ComplexOptions, Shape};
use zerogap_proximity::lmd::{
    ComplexBody, Overlap, QuasiContact, QuasiParams, QuasiStatus, QuasiWork, quasi_contacts_into,
};

use crate::contacts::ContactPoint;
use crate::distance::Read;
use zerogap_geometry::target::{ReadOptions, Target, TargetError};

/// Reason why there are no contacts by quasi-LMD.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ComplexTargetError {
    /// The string names no target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// It cannot be made into a complex.
    #[error("{name}: {error}")]
    Complex {
        /// The target string.
        name: String,
        /// Why.
        error: ComplexError,
    },
    /// It is made of several pieces.
    #[error("{name} is made of several pieces: ask about them one by one, or about a mesh of the whole")]
    Compound {
        /// The target string.
        name: String,
    },
}

/// A body for queries by quasi-LMDs, and how it was read.
#[derive(Debug, Clone)]
pub struct ComplexTarget {
    /// The body.
    pub body: ComplexBody,
    /// Source of the body.
    pub read: Read,
    /// Properties of the complex; none for a half-space.
    pub complex: Option<ComplexInspection>,
    /// The shape that it was made of, and how.
    pub source: (Shape, ComplexOptions),
}

impl ComplexTarget {
    /// Resolves a target to a complex: a file with its triangles, lines and points, a part as it is, or a shape without curved faces, or an inflated one.
    pub fn resolve(
        word: &str,
        read: &ReadOptions,
        options: &ComplexOptions,
    ) -> Result<Self, ComplexTargetError> {
        let (shape, format, warnings) = match Target::resolve(word, &ReadOptions { complex: true, ..*read })?
        {
            Target::Mesh { mesh, format, warnings } => {
                (Shape::from(mesh), format.map(|f| f.to_string()), warnings)
            }
            Target::Complex { complex, format, warnings } => {
                (Shape::Complex(complex), Some(format.to_string()), warnings)
            }
            Target::Shape(shape) => (shape, None, Vec::new()),
        };
        let mut target = Self::of_shape(word, &shape, options)?;
        (target.read.format, target.read.warnings) = (format, warnings);
        Ok(target)
    }

    /// A shape under a name.
    pub fn of_shape(name: &str, shape: &Shape, options: &ComplexOptions) -> Result<Self, ComplexTargetError> {
        let failed = |error| ComplexTargetError::Complex { name: name.to_owned(), error };
        let body = match shape {
            Shape::Convex(shape) => ComplexBody::new(Complex::from_shape(shape, options).map_err(failed)?),
            Shape::Mesh(mesh) => ComplexBody::new(Complex::from_mesh(mesh, options).map_err(failed)?),
            Shape::HalfSpace(plane) => {
                // A half-space that is inset by its dilation is where it was given once inflated.
                let dilation = if options.inset { 0.0 } else { options.dilation };
                ComplexBody::half_space(*plane, dilation).map_err(failed)?
            }
            Shape::Complex(shape) => ComplexBody::new(shape.with_options(options).map_err(failed)?),
            Shape::HeightField(field) => {
                let solid = field.patch(&field.cells());
                ComplexBody::new(Complex::from_mesh(&solid, options).map_err(failed)?)
            }
            Shape::Compound(_) => return Err(ComplexTargetError::Compound { name: name.to_owned() }),
        };
        let read = Read::new(name, shape.kind());
        let complex = body.complex().map(|complex| ComplexInspection::new(name, complex));
        Ok(Self { body, read, complex, source: (shape.clone(), *options) })
    }
}

/// Simplicial complex of a mesh, and the repairs. The names of the fields are the keys of the JSON that the command prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComplexInspection {
    /// The target string.
    pub name: String,
    /// Short description: `1 volume; 12 triangles mended`.
    pub summary: String,
    /// The connected parts.
    pub parts: Vec<PartInspection>,
    /// Number of faces of each class, 0 to 7.
    pub classes: [usize; 8],
    /// Vertices that became one with an earlier vertex at the same place.
    pub welded_vertices: usize,
    /// Triangles dropped because two corners are at one place.
    pub collapsed: Vec<u32>,
    /// Triangles without area that were mended.
    pub mended: Vec<u32>,
    /// Triangles without area that were dropped.
    pub dropped: Vec<u32>,
    /// Triangles that repeat an earlier one.
    pub duplicates: Vec<u32>,
    /// Triangles whose orientation was reversed.
    pub turned: usize,
    /// Triangles that were inset by less than the dilation, since one of those around their corners would have turned over.
    pub reduced: Vec<u32>,
    /// The radius that it is inflated by [m].
    pub dilation: f64,
    /// Largest distance between the original corners and the inflated body where the surface was moved inward first [m].
    pub corner_error: Option<f64>,
    /// Largest distance between the original faces and those of the inflated body, there [m].
    pub plane_error: Option<f64>,
}

/// A connected part of a mesh.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartInspection {
    /// `volume`, `cavity` or `shell`.
    pub kind: &'static str,
    /// Why.
    pub reason: String,
    /// Its triangles.
    pub triangles: usize,
    /// Its first triangle.
    pub first_triangle: u32,
}

impl ComplexInspection {
    /// Properties of a complex.
    pub fn new(name: &str, complex: &Complex) -> Self {
        let ComplexReport {
            welded_vertices, collapsed, mended, dropped, duplicates, turned, reduced, ..
        } = complex.report().clone();
        let report = complex.report();
        let parts = report.parts.iter().map(|part| PartInspection {
            kind: part.kind.word(),
            reason: part.reason(),
            triangles: part.triangles,
            first_triangle: part.first_triangle,
        });
        Self {
            name: name.to_owned(),
            summary: report.summary(),
            parts: parts.collect(),
            classes: report.classes,
            welded_vertices,
            collapsed,
            mended,
            dropped,
            duplicates,
            turned,
            reduced,
            dilation: complex.dilation(),
            corner_error: report.inset.map(|inset| inset.corner_error),
            plane_error: report.inset.map(|inset| inset.plane_error),
        }
    }
}

/// One contact by quasi-LMD.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuasiPoint {
    /// Gap, normal, points and names, of the inflated bodies.
    #[serde(flatten)]
    pub contact: ContactPoint,
    /// Distance of the complexes here [m].
    pub distance: f64,
    /// Classes of the two faces.
    pub classes: [u8; 2],
}

impl From<&QuasiContact> for QuasiPoint {
    fn from(found: &QuasiContact) -> Self {
        Self { contact: (&found.contact).into(), distance: found.distance, classes: found.classes }
    }
}

/// The contacts of two bodies by quasi-LMDs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuasiTouched {
    /// `separated`, or `base intersecting` where the complexes are not apart.
    pub status: &'static str,
    /// Lower bound of the distance of the complexes [m]; none where they intersect.
    pub base_distance: Option<f64>,
    /// Description of where they intersect.
    pub overlaps: Vec<String>,
    /// The contacts, by face of A and then of B.
    pub contacts: Vec<QuasiPoint>,
    /// Contacts before those at the same place were merged.
    pub raw: usize,
    /// Source of A.
    pub a: Read,
    /// Source of B.
    pub b: Read,
    /// Complex of A; none for a half-space.
    pub complex_a: Option<ComplexInspection>,
    /// Complex of B.
    pub complex_b: Option<ComplexInspection>,
}

/// Description of an overlap: `face 3 crosses face 7`.
pub fn overlap_words(overlap: &Overlap) -> String {
    match overlap {
        Overlap::Crossing(id) => format!("{} crosses {}", id.a, id.b),
        Overlap::AInsideB(vertex) => format!("the part of A with {vertex} is inside B"),
        Overlap::BInsideA(vertex) => format!("the part of B with {vertex} is inside A"),
    }
}

/// Returns the contacts of two bodies by quasi-LMD.
pub fn quasi_touch(
    a: &ComplexTarget,
    pose_a: &Pose,
    b: &ComplexTarget,
    pose_b: &Pose,
    params: &QuasiParams,
) -> QuasiTouched {
    let (mut work, mut found) = (QuasiWork::default(), Vec::new());
    let status = quasi_contacts_into(&a.body, pose_a, &b.body, pose_b, params, &mut work, &mut found);
    let (status, base_distance) = match status {
        QuasiStatus::Separated { base_distance } => ("separated", Some(base_distance)),
        QuasiStatus::BaseIntersecting => ("base intersecting", None),
        QuasiStatus::BothUnbounded => ("both unbounded", None),
    };
    QuasiTouched {
        status,
        base_distance,
        overlaps: work.overlaps().iter().map(overlap_words).collect(),
        contacts: found.iter().map(Into::into).collect(),
        raw: work.raw_count(),
        a: a.read.clone(),
        b: b.read.clone(),
        complex_a: a.complex.clone(),
        complex_b: b.complex.clone(),
    }
}

#[cfg(test)]
mod tests {
    use zerogap_core::Vec3;

    use super::*;

    #[test]
    fn a_named_cube_on_a_named_floor_has_four_contacts_with_classes() {
        let options = ComplexOptions { dilation: 1e-3, ..ComplexOptions::default() };
        let resolve = |word: &str| ComplexTarget::resolve(word, &ReadOptions::default(), &options).unwrap();
        let (floor, cube) = (resolve("halfspace:0,0,1,0"), resolve("box:1,1,1"));
        let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.503)).unwrap();
        let params = QuasiParams { within: 2e-3, ..QuasiParams::default() };
        let touched = quasi_touch(&floor, &Pose::identity(), &cube, &above, &params);
        assert_eq!((touched.status, touched.contacts.len()), ("separated", 4));
        assert!(touched.contacts.iter().all(|c| c.classes == [6, 0] && (c.contact.gap - 1e-3).abs() < 1e-15));
        assert_eq!(touched.complex_b.unwrap().summary, "1 volume");
        let curved = ComplexTarget::resolve("cylinder:1,2", &ReadOptions::default(), &options);
        assert!(curved.unwrap_err().to_string().contains("a cylinder is curved"));
    }

    #[test]
    fn bodies_in_each_other_say_where() {
        let cube = |name: &str| {
            ComplexTarget::resolve(name, &ReadOptions::default(), &ComplexOptions::default()).unwrap()
        };
        let small = cube("box:0.1,0.1,0.1");
        let touched = quasi_touch(
            &cube("box:1,1,1"),
            &Pose::identity(),
            &small,
            &Pose::identity(),
            &QuasiParams::default(),
        );
        assert_eq!(touched.status, "base intersecting");
        assert_eq!(touched.overlaps, ["the part of B with vertex 0 is inside A"]);
        assert_eq!(touched.base_distance, None);
    }
}
