//! Gaps of convex shapes: exact, with a certificate.
//!
//! In: two convex shapes and their poses. Out: [`zerogap_core::Gap`]. [`distance`] asks once, [`distance_with`] again and again with a
//! [`PairCache`]; [`distance_within`] and [`intersects`] stop as soon as they know enough,
//! [`separation`] measures along one direction, [`mpr`] is the estimate of Neumayr and Otter,
//! [`closest_features`] (folder `vclip`) follows the nearest features of polyhedra.
//!
//! The files follow a query: `query` (the calls) and `placement` (both bodies in A's frame), `pair` (which kernel), then either a closed form
//! (`box_box`, `segment_segment`, `point_shape`, `half_space`), a search in a half-plane (`coaxial`) or the general path: `general` drives `walk` from outside and `grow` from
//! inside over the `difference` of two `body`s, `resolve` turns corners into exact features, `polish`, `careful` and `exhaustive` finish what
//! rounding stops, `warm` starts where the last query ended. Same input, same bits: no answer depends on threads, caches or earlier
//! queries.

mod body;
mod box_axes;
mod box_box;
#[cfg(test)]
mod box_box_tests;
mod box_features;
mod box_rare;
mod careful;
mod coaxial;
mod contact_plane;
mod curved;
mod difference;
mod exhaustive;
mod general;
mod grow;
mod half_space;
mod manifold;
mod minimum_translation;
mod mpr;
mod pair;
mod placement;
mod point_shape;
mod polish;
mod query;
mod resolve;
mod rounding;
mod segment_segment;
mod simplex;
mod vclip;
mod walk;
mod warm;
mod witness;

pub use contact_plane::{CandidateNormal, ContactPlane, contact_plane};
pub use manifold::{
    ContactCache, ContactParams, contacts, contacts_into, contacts_with, half_space_contacts,
};
pub use minimum_translation::{MinimumTranslation, TranslationKind, minimum_translation};
pub use mpr::{MprExit, MprGap, MprParams, mpr};
pub(crate) use placement::Placement;
pub(crate) use query::search;
pub use query::{
    DistanceParams, PairCache, distance, distance_with, distance_within, half_space_distance, intersects,
    separation,
};
pub(crate) use rounding::{reach, slack};
pub(crate) use segment_segment::{beside, nearest_points as nearest_on_segments};
pub use vclip::{ClosestFeatures, ClosestStatus, closest_features};
