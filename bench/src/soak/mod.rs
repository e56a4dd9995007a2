//! Millions of mixed and degenerate queries, each with checks that need no other library.
//!
//! In: a seed. Out: [`case`] makes query number `i` from the seed and `i` alone, so that any query can be had again; [`check`] asks for
//! its gap and lists the promises that the answer breaks; [`tally`] counts them.

pub mod case;
pub mod check;
pub mod code;
pub mod poses;
pub mod shapes;
pub mod tally;
