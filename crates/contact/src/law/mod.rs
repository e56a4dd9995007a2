//! Forces of compliant contacts: normal laws, the damping that delivers a restitution, friction with a stick phase.
//!
//! In: overlap, its rate, sliding and what was frozen when the contact began. Out: forces. Everything is a function of its inputs: what must
//! survive a rejected step is kept by the caller.

pub mod friction;
pub mod modia3d;
mod normal;
mod point_force;
mod restitution;

pub use friction::{BristleDeflection, Grip, Pull, Sliding};
pub use normal::{Begin, LawError, NormalForce, NormalLaw, effective_radius};
pub use point_force::{Hold, SurfaceForce, SurfaceLaw};
pub use restitution::{
    SLOWEST_APPROACH, SMALLEST_RESTITUTION, damping_for_restitution, damping_speed_product,
    restitution_delivered,
};
