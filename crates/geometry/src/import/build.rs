//! What all readers fill: vertices in metres, triangles, named ranges.

use zerogap_core::{MAX_LENGTH, Vec3};

use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace};
use super::{Format, Group, ImportOptions, ImportedComplex, ImportedMesh, Skipped};
use crate::TriangleMesh;
use crate::complex::Simplices;

/// A mesh under construction.
pub(super) struct Builder {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Pieces of lines, and points: a mesh has no place for them.
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) points: Vec<u32>,
    /// Skipped content.
    pub(super) skipped: Skipped,
    groups: Vec<Group>,
    scale: f64,
    max_triangles: usize,
}

/// What to do with a file of lines and points.
const AS_COMPLEX: &str = "its lines and points collide as a complex, by quasi-LMDs: read it for that";

impl Builder {
    /// Checks the options and starts with nothing.
    pub(super) fn new(options: &ImportOptions) -> Parsed<Self> {
        let scale = options.scale;
        if !(scale > 0.0 && scale.is_finite()) {
            let message = format!("the scale is {scale}: it must be positive and finite");
            return Err(Fault::new(Kind::Options, ReaderPlace::File, message));
        }
        let max_triangles = options.max_triangles;
        let skipped = Skipped::default();
        Ok(Self {
            vertices: Vec::new(),
            triangles: Vec::new(),
            edges: Vec::new(),
            points: Vec::new(),
            skipped,
            groups: Vec::new(),
            scale,
            max_triangles,
        })
    }

    /// A vertex as the file gives it, scaled and checked; `location` is its place for errors.
    pub(super) fn vertex(&mut self, p: [f64; 3], location: impl FnOnce() -> ReaderPlace) -> Parsed<u32> {
        let scaled = Vec3::from(p) * self.scale;
        if !scaled.iter().all(|c| c.abs() <= MAX_LENGTH) {
            let [x, y, z] = p;
            let scale = self.scale;
            let message = format!(
                "vertex {} is ({x:?}, {y:?}, {z:?}): every coordinate must be finite and, times the scale {scale}, of magnitude at \
                 most {MAX_LENGTH:e} m",
                self.vertices.len()
            );
            return Err(Fault::new(Kind::NonFinite, location(), message));
        }
        let index = u32::try_from(self.vertices.len()).map_err(|_| {
            Fault::new(Kind::TooLarge, location(), "the file has more vertices than 32-bit indices count")
        })?;
        self.vertices.push(scaled);
        Ok(index)
    }

    /// Refuses more vertices than a file may place by naming one mesh many times; `free` is how many it may always have.
    pub(super) fn check_placed(
        &self,
        more: usize,
        free: usize,
        location: impl FnOnce() -> ReaderPlace,
    ) -> Parsed<()> {
        let max = self.max_triangles.saturating_mul(3).max(free);
        if self.vertices.len().saturating_add(more) <= max {
            return Ok(());
        }
        let message = format!(
            "with this one the file places {} vertices: at most {max} are taken, three for each triangle of the limit",
            self.vertices.len().saturating_add(more)
        );
        Err(Fault::new(Kind::TooLarge, location(), message)
            .help("raise the limit of triangles in the import options"))
    }

    /// A triangle whose corners exist.
    pub(super) fn triangle(&mut self, corners: [u32; 3]) -> Parsed<()> {
        if self.triangles.len() >= self.max_triangles {
            let message = format!("the file has more than {} triangles", self.max_triangles);
            let help = "raise the limit in the import options if the file is meant to be this large";
            return Err(Fault::new(Kind::TooLarge, ReaderPlace::File, message).help(help));
        }
        self.triangles.push(corners);
        Ok(())
    }

    /// From here on triangles belong to a named group.
    pub(super) fn start_group(&mut self, name: String) {
        self.end_group();
        self.groups.push(Group { name, first_triangle: self.triangles.len(), triangles: 0 });
    }

    /// Settles the length of the last group and drops it when it stayed empty.
    fn end_group(&mut self) {
        if let Some(last) = self.groups.last_mut() {
            last.triangles = self.triangles.len() - last.first_triangle;
            if last.triangles == 0 {
                self.groups.pop();
            }
        }
    }

    /// The finished mesh.
    pub(super) fn finish(mut self, format: Format) -> Parsed<ImportedMesh> {
        self.end_group();
        if self.triangles.is_empty() {
            let fault = Fault::new(
                Kind::NoTriangles,
                ReaderPlace::File,
                "the file has no triangles: expected at least one",
            );
            let has_others = !(self.edges.is_empty() && self.points.is_empty());
            return Err(if has_others { fault.help(AS_COMPLEX) } else { fault });
        }
        // Readers have checked all of this with better places; the constructor checks again.
        let mesh = TriangleMesh::new(self.vertices, self.triangles)
            .map_err(|error| Fault::new(Kind::Index, ReaderPlace::File, error.to_string()))?;
        Ok(ImportedMesh { mesh, groups: self.groups, format, skipped: self.skipped })
    }
    /// The finished simplices, of any dimension.
    pub(super) fn finish_complex(mut self, format: Format) -> Parsed<ImportedComplex> {
        self.end_group();
        let Self { vertices, triangles, edges, points, skipped, groups, .. } = self;
        if triangles.is_empty() && edges.is_empty() && points.is_empty() {
            let message = "the file has no triangles, lines or points: expected at least one";
            return Err(Fault::new(Kind::NoTriangles, ReaderPlace::File, message));
        }
        // A line and a point that stay are not left out.
        let skipped = Skipped { curves: skipped.curves, ..Skipped::default() };
        let simplices = Simplices { vertices, triangles, edges, points, ..Simplices::default() };
        Ok(ImportedComplex { simplices, groups, format, skipped })
    }
}
