//! Which surface was hit: points against convex targets, with the history that distinguishes the surface that was entered from the nearest one.
//!
//! In: targets made once, and at each time their poses and the positions of the points, the *initiators*. Out: for each initiator that is in contact the
//! surface that it entered through, kept while contact lasts, with the gap below that surface and its normal. The surface is the last one to lose separation
//! (Schock and Langlois, sections 2 and 3); docs/oriented.md says where this departs from the paper.
//!
//! What lasts from step to step, the *reference*, changes in [`Oriented::commit`] alone: [`Oriented::evaluate`] and [`Oriented::roots`] take `&self` and may be called for any trial.
//! Two shapes that collide by their corners, and the history of such a pair: [`OrientedCollider`], [`OrientedHistory`].
//! Order: results are sorted by target and initiator; the same input gives the same bits, whichever form computes it and whether or not initiators are culled.

mod conditional;
mod configuration;
mod detector;
mod entry;
mod error;
mod finish;
mod guards;
mod hand_over;
mod history;
mod locate;
mod matrices;
mod reference;
mod target;

pub use configuration::{Configuration, Release, Touch, TouchKind};
pub use detector::{Form, Oriented, OrientedParams, SurfaceRule};
pub use error::OrientedError;
pub use history::{
    HandOver, OrientedCollider, OrientedHistory, OrientedPair, OrientedRefusal, SKIN, join_flush_surfaces,
};
pub use locate::{Entry, first_entry};
pub use matrices::CollisionMatrices;
pub use target::{ROOTS, SurfaceSide, Target, local_point};
