//! How bodies move: multibody systems in minimal coordinates, integrators with error control, and events located in time.
//!
//! In: masses, joints, forces, and gaps through the traits defined here. Out: states over time. Nothing here knows a shape.

pub mod event;
pub mod integrate;
pub mod multibody;
pub mod step;
