//! Tree-structured systems of rigid bodies in minimal coordinates, with loops closed by constraints.
//!
//! In: bodies with [`Inertia`], the [`Joint`] by which each hangs on the world or on a body added before, and [`Loop`]s. Out: a [`Tree`] that computes
//! accelerations in O(bodies), rows of Jacobians, energies, and states on the loops. Contacts, events and time stepping are other
//! modules' business: they see positions `q`, velocities `v`, and rows.
//!
//! Everything is computed in world axes about each body's own pivot (the origin of its joint frame), bodies in the order of adding: the same input
//! gives the same bits.
//!
//! What it does not do: springs, limits and position motors on the rotations of spherical and free joints; friction in joints; flexible bodies.

mod articulated;
mod builder;
mod closure;
mod constrained;
mod dense;
mod energy;
mod error;
mod inertia;
mod joint;
mod kinematics;
mod motion;
mod project;
mod rows;
mod spatial;
mod spline;
mod tree;
mod workspace;

pub use builder::TreeBuilder;
pub use closure::{Loop, LoopId, LoopKind};
pub use constrained::{ConstrainedSolver, Held};
pub use energy::Energy;
pub use error::{MotionError, TreeError};
pub use inertia::Inertia;
pub use joint::{BodyId, Dof, Joint, JointKind, Motor};
pub use motion::{Harmonic, HarmonicMotion, Motion, Moving};
pub use project::Projection;
pub use spatial::Wrench;
pub use spline::SplineMotion;
pub use tree::{Limit, Tree};
pub use workspace::Workspace;
