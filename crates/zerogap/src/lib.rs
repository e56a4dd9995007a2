//! Collision detection and contact for physics simulation, with gaps one can trust.
//!
//! This crate is the whole of zerogap under one name; the parts live in crates that follow the data:
//! shapes → broad phase → narrow phase → contacts → laws and solvers → motion → recording.

// The README's example is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

pub mod inspect;
pub mod target;

pub use zerogap_core as core;
pub use zerogap_geometry as geometry;

pub use zerogap_core::{Aabb, Mat3, Pose, Vec3};
pub use zerogap_geometry::{
    Convex, ConvexShape, GeometryError, Hull, MassProperties, Polyhedron, Shape, TriangleMesh, convex_hull,
};

pub use inspect::Inspection;
