//! Tree-structured systems of rigid bodies in minimal coordinates, with loops closed by constraints.
//!
//! In: bodies with [`Inertia`], the [`Joint`] by which each hangs on the world or on a body added before, and [`Loop`]s. Out: a [`Tree`] that computes
//! accelerations in O(bodies), rows of Jacobians, energies, and states on the loops. Contacts, events and time stepping are other
//! modules' business: they see positions `q`, velocities `v`, and rows.
//!
//! Everything is computed in world axes about each body's own pivot (the origin of its joint frame), bodies in the order of adding: the same input
//! gives the same bits.
//!
//! ```
//! use zerogap_core::Vec3;
//! use zerogap_dynamics::multibody::{Inertia, Joint, JointKind, TreeBuilder};
//!
//! // A pendulum of 2 m, pulled aside by 0.1 rad.
//! let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81));
//! let bob = Inertia::point(1.0, Vec3::new(0.0, 0.0, -2.0));
//! let body = builder.body(bob, Joint::new(None, JointKind::Revolute { axis: Vec3::y() }))?;
//! let tree = builder.build()?;
//! let mut ws = tree.workspace();
//! tree.update(0.0, &[0.1], &[0.0], &mut ws);
//! let mut vdot = [0.0];
//! tree.acceleration(&mut ws, &[], &[0.0], &mut vdot);
//! assert!((vdot[0] + 9.81 / 2.0 * zerogap_core::math::sin(0.1)).abs() < 1e-14);
//! assert!(ws.center(body).z < -1.98);
//! # Ok::<(), zerogap_dynamics::multibody::TreeError>(())
//! ```
//!
//! [`Forces`] are what acts beyond single joints: tendons, actuators, fluids. [`Coupling`]s are conditions between joint positions.
//!
//! What it does not do: limits and position motors on the rotations of spherical and free joints; friction in joints; flexible bodies.

mod articulated;
mod builder;
mod closure;
mod constrained;
mod coupling;
mod dense;
mod energy;
mod error;
mod forces;
mod hermite;
mod inertia;
mod interpolation;
mod joint;
mod jumps;
mod kinematics;
mod linear;
mod links;
mod loads;
mod loop_filter;
mod motion;
mod project;
mod removal;
mod rows;
mod spatial;
mod spline;
mod structure;
mod tree;
mod workspace;

pub use builder::TreeBuilder;
pub use closure::{Loop, LoopId, LoopKind};
pub use constrained::{ConstrainedSolver, ConstraintInfo};
pub use coupling::Coupling;
pub use energy::Energy;
pub use error::{MotionError, TreeError};
pub use forces::{
    Activation, Actuator, ActuatorValues, Beam, Bushing, EllipsoidDrag, Fluid, FluidBody, Forces, JointTerm,
    PathPoint, RotationSpring, Site, Tendon, TendonPath, Transmission,
};
pub use inertia::Inertia;
pub use interpolation::Interpolation;
pub use joint::{BodyId, Dof, Joint, JointKind, Motor};
pub use jumps::MotionJumps;
pub use loop_filter::LoopFilter;
pub use motion::{Harmonic, HarmonicMotion, Motion, MotionData, Moving};
pub use project::Projection;
pub use spatial::Wrench;
pub use spline::SplineMotion;
pub use tree::{Limit, Tree};
pub use workspace::Workspace;
