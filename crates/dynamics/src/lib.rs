//! How bodies move: multibody systems in minimal coordinates, integrators with error control, events located in time, and steps of fixed length.
//!
//! In: masses, joints, forces, and gaps through the traits defined here. Out: states over time. Nothing here knows a shape.

pub mod beam;
pub mod event;
pub mod integrate;
pub mod multibody;
pub mod step;
