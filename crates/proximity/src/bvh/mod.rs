//! Hierarchies of bounding volumes around the triangles of a mesh.
//!
//! In: triangles. Out: [`Bvh`], a flat list of nodes over a [`BoundingVolume`]: [`Ball`], [`AxisBox`], [`Obb`], [`Dop`] with 14, 18 or 26 planes. Bounds are
//! never beyond the truth, rounding included. Built top down, on all cores, to the same bits for any number of threads; refitted when the triangles move;
//! stored and read back. `mesh` asks the questions.

mod build;
mod dop;
mod obb;
mod obb_pack;
mod pack;
mod principal;
mod sphere;
mod store;
mod tree;
mod volume;

pub use build::{BuildParams, SplitRule};
pub use dop::{AxisBox, Dop};
pub use obb::Obb;
pub use obb_pack::ObbPack;
pub use pack::{Few, WIDTH};
pub use sphere::Ball;
pub use store::StoreError;
pub use tree::{Bvh, Node, Wide};
pub use volume::{BoundingVolume, Frame, Relative};
