//! How a shape or a mesh collides, in the words of scene files and of Python.
//!
//! In: a word with its numbers, None where a caller says nothing. Out: the shape that collides and its [`Collision`]. Mass is not decided here: a mesh keeps its own
//! whatever of it collides.

use std::sync::Arc;

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::Compound;
use zerogap_geometry::{DecomposeParams, GeometryError, Hull, Shape, TriangleMesh, convex_hull, decompose};

use super::{SettingError, known_word};
use crate::world::{Collision, QuasiLmd};

/// Ways in which a shape collides; the first is the default.
pub const COLLISIONS: &[&str] = &["auto", "hull", "pieces", "mesh", "quasi-lmd", "oriented"];

/// Convex pieces of a mesh, where a caller does not say [-].
pub const PIECES: usize = 16;

/// How far convex pieces may stick out of a mesh, against its diagonal [-], as long as there are pieces left.
const CONCAVITY: f64 = 0.005;

/// What a caller says of how a shape collides; None where nothing is said.
#[derive(Debug, Clone, Copy, Default)]
pub struct CollisionSettings<'a> {
    /// One of [`COLLISIONS`].
    pub collision: Option<&'a str>,
    /// Most convex pieces, for pieces [-].
    pub pieces: Option<usize>,
    /// How far bodies may turn from a contact, for quasi-lmd [rad].
    pub angular_tolerance: Option<f64>,
    /// The radius that the shape is inflated by, for quasi-lmd [m].
    pub dilation: Option<f64>,
    /// Whether the dilation makes the shape larger, in place of its inside smaller, for quasi-lmd.
    pub inflate: bool,
}

/// A word or number that does not go with the shape or with the others.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CollisionError {
    /// A word that stands for nothing.
    #[error(transparent)]
    Word(#[from] SettingError),
    /// A setting of meshes for a shape that is none.
    #[error("'{key}' is for meshes, not for shapes")]
    ForMeshes {
        /// The setting.
        key: &'static str,
    },
    /// A number of another way to collide.
    #[error("'{key}' needs collision = \"{collision}\"")]
    Needs {
        /// The setting.
        key: &'static str,
        /// The word that uses it.
        collision: &'static str,
    },
    /// No piece at all.
    #[error("'pieces' must be one or more")]
    NoPieces,
    /// A mesh of which nothing can be made that collides.
    #[error("it cannot collide: {0}")]
    Geometry(#[from] GeometryError),
}

impl CollisionSettings<'_> {
    /// Returns how a shape collides that is no mesh: as what it is, by quasi-LMDs, or by its corners.
    pub fn of_shape(&self) -> Result<Collision, CollisionError> {
        let word = self.word()?;
        if !matches!(word, "auto" | "quasi-lmd" | "oriented") {
            return Err(CollisionError::ForMeshes { key: "collision" });
        }
        if self.pieces.is_some() {
            return Err(CollisionError::ForMeshes { key: "pieces" });
        }
        self.collision(word)
    }

    /// Returns what of a mesh collides, and how: its hull where nothing is said.
    pub fn of_mesh(&self, mesh: &Arc<TriangleMesh>) -> Result<(Shape, Collision), CollisionError> {
        let word = self.word()?;
        let collision = self.collision(word)?;
        if word != "pieces" && self.pieces.is_some() {
            return Err(CollisionError::Needs { key: "pieces", collision: "pieces" });
        }
        let shape = match word {
            "mesh" | "quasi-lmd" => Shape::Mesh(Arc::clone(mesh)),
            "pieces" => self.pieces(mesh)?,
            _ => hull(mesh.vertices())?,
        };
        Ok((shape, collision))
    }

    fn word(&self) -> Result<&'static str, SettingError> {
        known_word("collision", self.collision, COLLISIONS)
    }

    /// How whatever collides does so.
    fn collision(&self, word: &str) -> Result<Collision, CollisionError> {
        if word == "quasi-lmd" {
            let usual = QuasiLmd::default();
            return Ok(Collision::QuasiLmd(QuasiLmd {
                angular_tolerance: self.angular_tolerance.unwrap_or(usual.angular_tolerance),
                dilation: self.dilation.unwrap_or(usual.dilation),
                inset: !self.inflate,
            }));
        }
        let given = [
            ("angular_tolerance", self.angular_tolerance.is_some()),
            ("dilation", self.dilation.is_some()),
            ("inflate", self.inflate),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((key, _)) => Err(CollisionError::Needs { key, collision: "quasi-lmd" }),
            None if word == "oriented" => Ok(Collision::Oriented),
            None => Ok(Collision::Exact),
        }
    }

    fn pieces(&self, mesh: &TriangleMesh) -> Result<Shape, CollisionError> {
        let max_pieces = self.pieces.unwrap_or(PIECES);
        if max_pieces == 0 {
            return Err(CollisionError::NoPieces);
        }
        let fine = CONCAVITY * mesh.bounding_box().diagonal();
        let pieces = decompose(mesh, &DecomposeParams { max_pieces, ..DecomposeParams::new(fine) })?.pieces;
        let placed = pieces.into_iter().map(|piece| (Pose::identity(), piece.into())).collect();
        Ok(Compound::new(placed)?.into())
    }
}

/// Returns the convex hull of points, as far as it can collide.
pub fn hull(points: &[Vec3]) -> Result<Shape, GeometryError> {
    Ok(match convex_hull(points)? {
        Hull::Polyhedron(hull) => hull.into(),
        Hull::Polygon(flat) => flat.into(),
        Hull::Segment([a, b]) => Shape::segment(a, b)?,
        Hull::Point(point) => Shape::point(point)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_another_way_to_collide_are_refused_by_name() {
        let none = CollisionSettings::default();
        assert_eq!(none.of_shape(), Ok(Collision::Exact));
        let word = |collision| CollisionSettings { collision: Some(collision), ..none };
        assert_eq!(word("oriented").of_shape(), Ok(Collision::Oriented));
        for of_meshes in ["hull", "pieces", "mesh"] {
            assert_eq!(word(of_meshes).of_shape(), Err(CollisionError::ForMeshes { key: "collision" }));
        }
        let needs = |key| Err(CollisionError::Needs { key, collision: "quasi-lmd" });
        assert_eq!(
            CollisionSettings { angular_tolerance: Some(0.1), ..none }.of_shape(),
            needs("angular_tolerance")
        );
        assert_eq!(CollisionSettings { inflate: true, ..word("oriented") }.of_shape(), needs("inflate"));
        assert!(word("exact").of_shape().unwrap_err().to_string().contains("auto, hull, pieces"));
    }
}
