//! Mechanisms by time stepping: joint forces of any stiffness, energy, limits, and contacts that open.

mod chains;
mod hinge;
mod loops;
mod opening;
mod random;
mod sequence;
mod support;
