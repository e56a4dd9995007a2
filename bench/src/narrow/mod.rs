//! The peer measurement of convex signed distance, as far as it is written in Rust: the scene file, and one timing loop for every engine.
//!
//! `bench/narrow/README.md` describes all of it.

pub mod runner;
pub mod scene;
