//! Mechanisms by time stepping, without contacts: joint forces of any stiffness, energy, limits.

mod chains;
mod hinge;
mod loops;
mod random;
mod support;
