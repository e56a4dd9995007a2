//! Collision detection and contact for physics simulation: everything of zerogap under one name.
//!
//! Shapes, hulls, meshes, mass and convex pieces ([`geometry`]), broad phase ([`broad`]), gaps, contacts and times of impact
//! ([`proximity`]), shared types ([`core`]), and what the command and the Python package have in common: strings for bodies ([`target`])
//! and poses ([`pose`]), properties of a body ([`mod@inspect`]), the gap ([`mod@distance`]) and contacts ([`mod@contacts`]) of two named
//! bodies, pairs from a table of boxes ([`pairs`]), and verification against known solutions ([`verification`]). [`contact::cone`] solves
//! friction problems given by their matrix, and [`friction`] summarises them.
//!
//! ```
//! use zerogap::geometry::parts::Gear;
//! use zerogap::{Shape, Vec3};
//!
//! let gear = Gear { teeth: 24, ..Gear::default() }.generate()?;
//! assert!(gear.topology().watertight);
//! let steel = gear.mass_properties(7850.0)?;
//! assert!(steel.mass > 0.1 && steel.center.norm() < 1e-15);
//!
//! let capsule: Shape = "capsule:5mm,2cm".parse().expect("a valid shape");
//! assert!((capsule.closest_point(&Vec3::new(0.0, 0.0, 0.02))?.gap - 0.005).abs() < 1e-17);
//! # Ok::<(), zerogap::GeometryError>(())
//! ```

// The examples of the pages are compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/assembly.md")]
struct AssemblyPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/broad.md")]
struct BroadPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/colliders.md")]
struct CollidersPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/friction.md")]
struct FrictionPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/mesh-distance.md")]
struct MeshDistancePage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/impact.md")]
struct ImpactPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/recording.md")]
struct RecordingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/quasi-lmd.md")]
struct QuasiLmdPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/motion.md")]
struct MotionPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/parts.md")]
struct PartsPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/oriented.md")]
struct OrientedPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/stepping.md")]
struct SteppingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/coming-from/rapier.md")]
struct ComingFromRapierPage;

pub mod complexes;
pub mod contacts;
pub mod distance;
pub mod friction;
pub mod impact;
pub mod inspect;
pub mod meshes;
pub mod oriented;
pub mod pairs;
pub mod pose;

pub use zerogap_contact as contact;
pub use zerogap_core as core;
pub use zerogap_core::threads;
pub use zerogap_dynamics as dynamics;
pub use zerogap_geometry as geometry;
pub use zerogap_geometry::{assembly, target};
pub use zerogap_proximity as proximity;
pub use zerogap_proximity::broad;
pub use zerogap_proximity::motion;
#[cfg(feature = "recording")]
pub use zerogap_recording::{picture, record, run};
#[cfg(feature = "scene")]
pub use zerogap_scene as scene;
pub use zerogap_simulation as simulation;
pub use zerogap_simulation::{landing, settings, world};
pub use zerogap_verification as verification;

pub use zerogap_core::{
    Aabb, Contact, ContactId, Feature, Gap, GapStatus, Manifold, Mat3, NormalKind, Pose, Vec3,
};
pub use zerogap_geometry::{
    Convex, ConvexShape, GeometryError, Hull, MassProperties, Polyhedron, Shape, TriangleMesh, convex_hull,
};
pub use zerogap_proximity::broad::{
    BoxId, BoxPair, BroadError, BroadMethod, BroadParams, BroadPhase, Filter, NearBox, UrgentPair, motion_box,
};
pub use zerogap_proximity::collider::{Collider, ColliderCache, ColliderError, ColliderPair, ContactSet};
pub use zerogap_proximity::{
    ContactCache, ContactParams, DistanceParams, PairCache, ProximityError, contacts, contacts_into,
    contacts_many, distance, distance_many, intersects,
};

pub use contacts::ContactReport;
pub use distance::DistanceReport;
pub use impact::ImpactReport;
pub use inspect::Inspection;
