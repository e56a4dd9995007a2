//! How a shape or a mesh collides, from a source of settings.
//!
//! In: a word with its numbers. Out: the shape that collides and its [`Collision`]. Mass is not decided here: a mesh keeps its own whatever of it collides.

use std::sync::Arc;

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::Compound;
use zerogap_geometry::{DecomposeParams, GeometryError, Hull, Shape, TriangleMesh, convex_hull, decompose};
use zerogap_proximity::oriented::SurfaceRule;

use super::PIECES;
use super::schema::Selected;
use super::source::Source;
use crate::world::{Collision, QuasiLmd};

/// Collisions by name; the first is the default.
pub const COLLISIONS: &[&str] = &["auto", "hull", "pieces", "mesh", "quasi-lmd", "oriented"];

/// What is solid of a mesh, by name; the first is the default.
pub const SIDES: &[&str] = &["closed", "one", "two"];

/// How far the ground of one-sided terrain reaches below its lowest vertex [m].
pub(super) const MAX_DEPTH: f64 = 1.0;

/// How far convex pieces may stick out of a mesh, against its diagonal [-], as long as there are pieces left.
const CONCAVITY: f64 = 0.005;

/// What is solid of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeshSides {
    /// What a closed mesh encloses.
    Closed,
    /// What is below an open one, down to so far below its lowest vertex [m].
    One {
        /// How far [m].
        max_depth: f64,
    },
    /// What is near an open one: a sheet.
    Two {
        /// Its thickness [m], half of it to each side.
        thickness: f64,
    },
}

/// How a shape collides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CollisionSettings {
    /// One of [`COLLISIONS`].
    pub collision: &'static str,
    /// Maximum number of convex pieces, for pieces [-].
    pub pieces: usize,
    /// What is solid of a mesh, for mesh and quasi-lmd.
    pub sides: MeshSides,
    /// Numbers of quasi-LMDs, for quasi-lmd.
    pub quasi: QuasiLmd,
    /// Velocity of the surface against the body, in axes of the shape [m/s].
    pub surface_velocity: Vec3,
    /// Which surface of a corner counts, for oriented.
    pub rule: SurfaceRule,
}

impl Default for CollisionSettings {
    fn default() -> Self {
        Self {
            collision: COLLISIONS[0],
            pieces: PIECES,
            sides: MeshSides::Closed,
            quasi: QuasiLmd::default(),
            surface_velocity: Vec3::zeros(),
            rule: SurfaceRule::default(),
        }
    }
}

/// Returns how a shape collides. Refuses settings that the collision and the selected method do not use.
pub fn read_collision<S: Source>(source: &S, selected: &[Selected]) -> Result<CollisionSettings, S::Error> {
    let usual = CollisionSettings::default();
    let collision = source.word("collision")?.unwrap_or(usual.collision);
    let sides = source.word("sides")?.unwrap_or(SIDES[0]);
    source.refuse_unused(&[("collision", collision)])?;
    source.refuse_unused(&[("sides", sides)])?;
    source.refuse_unused(selected)?;
    let sides = match sides {
        "one" => MeshSides::One { max_depth: source.quantity("max_depth")?.unwrap_or(MAX_DEPTH) },
        "two" => {
            let thickness = source.quantity("thickness")?;
            MeshSides::Two {
                thickness: thickness.ok_or_else(|| source.needs("thickness", "sides = \"two\""))?,
            }
        }
        _ => MeshSides::Closed,
    };
    Ok(CollisionSettings {
        collision,
        pieces: source.whole("pieces")?.unwrap_or(usual.pieces),
        sides,
        quasi: QuasiLmd {
            angular_tolerance: source.quantity("angular_tolerance")?.unwrap_or(usual.quasi.angular_tolerance),
            dilation: source.quantity("dilation")?,
            inset: !source.yes("inflate")?,
        },
        surface_velocity: source.vector("surface_velocity")?.unwrap_or(usual.surface_velocity),
        rule: source.word("rule")?.and_then(SurfaceRule::by_word).unwrap_or(usual.rule),
    })
}

/// A collision that does not fit the shape.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CollisionError {
    /// A setting of meshes for a shape that is none.
    #[error("'{key}' is for meshes, not for shapes")]
    ForMeshes {
        /// The setting.
        key: &'static str,
    },
    /// A mesh of which nothing can be made that collides.
    #[error("it cannot collide: {0}")]
    Geometry(#[from] GeometryError),
}

impl CollisionSettings {
    /// Returns how a shape collides that is no mesh: as what it is, by quasi-LMDs, or by its corners. A complex is always one of quasi-LMDs.
    pub fn of_shape(&self, shape: &Shape) -> Result<Collision, CollisionError> {
        match self.collision {
            "auto" if matches!(shape, Shape::Complex(_)) => Ok(Collision::QuasiLmd(self.quasi)),
            "hull" | "pieces" | "mesh" => Err(CollisionError::ForMeshes { key: "collision" }),
            _ if self.sides != MeshSides::Closed => Err(CollisionError::ForMeshes { key: "sides" }),
            _ => Ok(self.collision_kind()),
        }
    }

    /// Returns what of a mesh collides, and how: its hull where nothing is said.
    pub fn of_mesh(&self, mesh: &Arc<TriangleMesh>) -> Result<(Shape, Collision), CollisionError> {
        let shape = match self.collision {
            "mesh" | "quasi-lmd" => Shape::Mesh(self.solid_of(mesh)?),
            "pieces" => self.pieces_of(mesh)?,
            _ => hull(mesh.vertices())?,
        };
        Ok((shape, self.collision_kind()))
    }

    /// What is solid of a mesh.
    fn solid_of(&self, mesh: &Arc<TriangleMesh>) -> Result<Arc<TriangleMesh>, CollisionError> {
        Ok(match self.sides {
            MeshSides::Closed => Arc::clone(mesh),
            MeshSides::One { max_depth } => Arc::new(mesh.grounded(max_depth)?),
            MeshSides::Two { thickness } => Arc::new(mesh.thickened(thickness)?),
        })
    }

    /// The kind of collision.
    fn collision_kind(&self) -> Collision {
        match self.collision {
            "quasi-lmd" => Collision::QuasiLmd(self.quasi),
            "oriented" if self.rule == SurfaceRule::Nearest => Collision::OrientedNearest,
            "oriented" => Collision::Oriented,
            _ => Collision::Exact,
        }
    }

    fn pieces_of(&self, mesh: &TriangleMesh) -> Result<Shape, CollisionError> {
        let fine = CONCAVITY * mesh.bounding_box().diagonal();
        let params = DecomposeParams { max_pieces: self.pieces, ..DecomposeParams::new(fine) };
        let pieces = decompose(mesh, &params)?.pieces;
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
