//! Meshes made from meshes: moved, scaled, reversed, joined.

use zerogap_core::{MAX_LENGTH, MIN_LENGTH, Pose, Vec3};

use super::TriangleMesh;
use crate::GeometryError;

impl TriangleMesh {
    /// The mesh placed by a pose.
    ///
    /// Fails when a vertex leaves the accepted range of coordinates.
    pub fn transformed(&self, pose: &Pose) -> Result<Self, GeometryError> {
        let rotation = pose.rotation_matrix();
        self.mapped(|p| rotation * p + pose.translation())
    }

    /// The mesh scaled about the origin by a positive factor [-], such as 1e-3 for a file in millimetres.
    ///
    /// Fails when the factor is not positive and finite, or when a vertex leaves the accepted range of coordinates.
    pub fn scaled(&self, factor: f64) -> Result<Self, GeometryError> {
        let factor = check_factor(factor)?;
        self.mapped(|p| p * factor)
    }

    /// Returns the mesh with opposite orientation: every triangle reversed.
    pub fn flipped(&self) -> Self {
        let triangles = self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        Self::from_parts(self.vertices.clone(), triangles)
    }

    /// Both meshes in one: the vertices and triangles of `other` follow those of `self`; nothing is welded.
    ///
    /// Fails when together they have more vertices than 32-bit indices count.
    pub fn merged(&self, other: &Self) -> Result<Self, GeometryError> {
        let offset = u32::try_from(self.vertices.len()).ok();
        let fits = u32::try_from(self.vertices.len() + other.vertices.len()).is_ok();
        let Some(offset) = offset.filter(|_| fits) else {
            return Err(GeometryError::TooManyPoints { count: self.vertices.len() + other.vertices.len() });
        };
        let vertices = [self.vertices.as_slice(), other.vertices.as_slice()].concat();
        let mut triangles = self.triangles.clone();
        triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + offset)));
        Ok(Self::from_parts(vertices, triangles))
    }

    /// The mesh with every vertex moved by a function, checked again.
    fn mapped(&self, change: impl Fn(&Vec3) -> Vec3) -> Result<Self, GeometryError> {
        Self::new(self.vertices.iter().map(change).collect(), self.triangles.clone())
    }
}

/// Passes a scale factor through if it is usable.
fn check_factor(factor: f64) -> Result<f64, GeometryError> {
    if (MIN_LENGTH..=MAX_LENGTH).contains(&factor) {
        Ok(factor)
    } else {
        Err(GeometryError::ScaleFactor { value: factor })
    }
}
