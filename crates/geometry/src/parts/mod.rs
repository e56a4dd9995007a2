//! Parts made from numbers: spheres, prisms, gears, rods, cranks, and pegs, bolts, screws and threads with what they fit into.
//!
//! In: a params struct with defaults of real engineering sizes, or a name and texts such as `("module", "2 mm")`. Out: a closed,
//! outward-facing, single-component [`TriangleMesh`](crate::TriangleMesh) without degenerate triangles, in metres. The same
//! parameters give the same bits.
//!
//! Limits: lengths so different that triangles would fall under [`DEGENERATE_RATIO`](crate::mesh::DEGENERATE_RATIO) are rejected, and so are
//! counts that would take more than half a minute or four million vertices; the error states the limits. Curved surfaces are tessellated by straight segments; a volume converges with the square of their number. Fillets, oil holes and
//! draft angles are not modelled.

mod check;
mod connecting_rod;
mod countersunk;
mod crankshaft;
mod crosshead;
mod cuboid;
mod error;
mod gear;
mod l_prism;
pub mod outline;
mod parameter;
mod peg;
mod prism;
mod registry;
pub mod revolve;
mod sphere;
pub mod stack;
mod thread;
mod torus;
pub mod triangulate;

pub use connecting_rod::ConnectingRod;
pub use countersunk::{CountersunkBolt, CountersunkPlate};
pub use crankshaft::Crankshaft;
pub use crosshead::{CrossheadDriver, CrossheadScrew};
pub use cuboid::Cuboid;
pub use error::PartError;
pub use gear::Gear;
pub use l_prism::LPrism;
pub use parameter::{CrossSection, Parameter, ParameterKind, ParametricPart};
pub use peg::{HolePlate, Peg};
pub use prism::{Cylinder, Prism};
pub use registry::{PartInfo, by_name, describe, make, names};
pub use sphere::{Icosphere, Sphere, UvSphere};
pub use thread::{ThreadBolt, ThreadNut};
pub use torus::Torus;
