//! Rigid contacts: impacts, and resting and sliding by complementarity.

pub(crate) mod breakaway;
pub(crate) mod capture;
pub(crate) mod constraints;
mod impact;
pub(crate) mod points;
mod rolling;
mod rows;
mod settle;
