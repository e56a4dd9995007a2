//! Solvers of contact problems.
