//! Where bodies are close.
//!
//! In: shapes and poses. Out: gaps with normals, witness points and certificates. Nothing here knows of mass or time.

pub mod convex;
