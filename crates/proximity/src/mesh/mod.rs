//! Meshes as they are: concave, open or dirty, used without convex pieces.
//!
//! In: [`MeshBody`], a mesh with its hierarchy, against another, a convex shape or a half-space ([`MeshOperand`]). Out: distances with bounds at any time ([`mesh_distance`], [`MeshSearch`]), whether and where
//! surfaces cross ([`mesh_intersects`], [`crossing_pairs_into`]), which points are inside ([`MeshBody::contains`]), how deep closed meshes overlap ([`mesh_overlaps_into`]) and contacts
//! ([`mesh_contacts_into`]).
//!
//! The files follow a query: `operand` (the two bodies and the calls), `question` (parameters and results), `distance` (branch and bound, over a `heap` or a stack), `anytime` (the same in slices of time) with `triangle` and `crossing` at its leaves, `gap` (the signed gap: distance
//! or depth), `pairs` (all pairs within reach), `inside` (points), `farthest` (support points), `overlap` (regions and depths) with `exit` (the way out of each), `hull` (meshes that are convex), `depth` (bounds on the whole) and `area` (common area of coplanar triangles), `contacts` (local minima),
//! `convex` and `half_space` (other shapes); `body` holds the mesh and `join` how its triangles are connected. Same input, same bits.

mod anytime;
mod area;
mod body;
mod contacts;
mod convex;
mod corner_ways;
mod crossing;
mod depth;
mod distance;
mod error;
mod exit;
mod farthest;
mod gap;
mod half_space;
mod heap;
mod hull;
mod inside;
mod join;
mod operand;
mod overlap;
mod pairs;
mod question;
mod triangle;

pub use anytime::{AnytimeDistance, MeshVolume, SearchBudget};
pub(crate) use area::CommonArea;
pub use body::MeshBody;
pub use contacts::{MeshContactParams, mesh_contacts_into};
pub use crossing::triangles_cross;
pub use distance::{MeshSearch, MeshWork, surface_distance};
pub use error::MeshError;
pub use gap::{DepthUnknown, MeshGap, mesh_gap};
pub use inside::NearestOnMesh;
pub use operand::{MeshOperand, mesh_distance, mesh_intersects};
pub use overlap::{Overlap, mesh_overlaps_into};
pub use pairs::crossing_pairs_into;
pub use question::{MeshDistance, MeshDistanceParams, Order};
pub use triangle::{TrianglePair, triangle_distance};
