//! Steps of a fixed length, over which contacts push as they must: nothing is located in time.
//!
//! In: a [`Tree`](crate::multibody::Tree), its state, and the contacts, found by the caller. Out: the state one step later, and the impulses or forces at the contacts. Two methods:
//!
//! - `stepper`: velocities jump where bodies touch, with exact cones of friction and restitution; one problem a step says by how much. A step is written down in one function, [`Stepper::step`]. Overlaps are corrected by
//!   moving bodies, never by pushing them apart. `free` is the step without contacts, `beams` are stiff forces between bodies over it, `centers` moves bodies by their centres of mass, `impacts` what restitution does before it, `groups` and `rows` make the problem, `islands` group what moves by the same rule, `displacement` is that rule, `drift` what joints that turn change of velocities within a step, `prescribed` what prescribed motions add to velocities, `position_correction` what position corrections cost, `left_out` which contacts that it was made without it violates, `early` which contacts acted before their gaps had closed.
//! - `silvia`: distances at the end of the step complementary to forces during it, without friction and restitution, with `sigma`, the map from forces to the end of a step, and `rotation`, the rotations of a whole step as functions of
//!   its velocities:
//!
//! ```
//! use zerogap_core::Vec3;
//! use zerogap_dynamics::multibody::{BodyId, Inertia, Joint, JointKind, TreeBuilder};
//! use zerogap_dynamics::step::{Moment, Silvia, SilviaParams, SilviaStatus, StepContacts};
//!
//! /// A ball of radius 0.1 above the ground z = 0.
//! struct Ball(BodyId);
//!
//! impl StepContacts for Ball {
//!     fn choose(&mut self, _: &Moment<'_>, _: f64) -> usize {
//!         1
//!     }
//!     fn distances(&mut self, at: &Moment<'_>, _: &[usize], out: &mut [f64]) {
//!         out[0] = at.ws.center(self.0).z - 0.1;
//!     }
//!     fn rows(&mut self, at: &Moment<'_>, _: &[usize], out: &mut [f64]) {
//!         at.tree.point_row(at.ws, Some(self.0), at.ws.center(self.0), Vec3::z(), 1.0, out);
//!     }
//! }
//!
//! let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81));
//! let ball = builder.body(Inertia::sphere(2.0, 0.1), Joint::new(None, JointKind::Free))?;
//! let tree = builder.build()?;
//! let (mut q, mut v) = (tree.initial_positions(), vec![0.0; tree.velocities()]);
//! q[2] = 0.3;
//! let mut silvia = Silvia::new(&tree, SilviaParams::default());
//! for step in 0..100 {
//!     let info = silvia.step(&tree, f64::from(step) * 0.01, 0.01, &mut q, &mut v, &mut Ball(ball));
//!     assert_eq!(info.status, SilviaStatus::Done);
//! }
//! // It has landed, and is carried.
//! assert!((q[2] - 0.1).abs() < 1e-12 && (silvia.forces()[0] - 2.0 * 9.81).abs() < 1e-8);
//! # Ok::<(), zerogap_dynamics::multibody::TreeError>(())
//! ```

mod beams;
mod centers;
mod contact_point;
mod displacement;
mod drift;
mod early;
mod end_places;
mod energy_balance;
mod free;
mod groups;
mod halves;
mod impacts;
mod islands;
mod joint_forces;
mod left_out;
mod limits;
mod position_correction;
mod prescribed;
mod rotation;
mod rows;
mod sigma;
pub mod silvia;
mod stepper;

pub use contact_point::{Anisotropy, ContactPoint, ControlParams, StepInfo, StepParams, TurningResistance};
pub use groups::Groups;
pub use silvia::{Moment, Silvia, SilviaInfo, SilviaParams, SilviaStatus, StepContacts};
pub use stepper::Stepper;
