//! Mechanisms by time stepping, without contacts: joint forces of any stiffness, energy, limits.

mod chains;
mod hinge;
mod random;
mod support;
