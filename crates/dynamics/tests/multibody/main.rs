//! Trees of rigid bodies against independent answers: dense solves, finite differences, closed forms, conserved quantities.

mod closed_form;
mod conservation;
mod derivatives;
mod forward;
mod limits_of_forces;
mod loops;
mod refusals;
mod spline;
mod support;
