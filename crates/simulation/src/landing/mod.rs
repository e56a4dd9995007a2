//! A helicopter with skids lands on the deck of a ship: a rigid body on a gear of beam elements, against a deck that heaves and rolls.
//!
//! In: [`LandingParams`]. Out: a [`Landing`], which runs with touchdowns located in time, and reports frames, events and loads of the gear. Everything moves in the plane across the
//! ship: *across* is y of the world, *up* is z, and angles are rolls about x, positive from y to z. The gear has six nodes; the first and the last, the skids, are the points that can hit the deck, and
//! which surface of the deck each is on comes from [`zerogap_proximity::oriented`].
//! Order: `craft` is the aircraft, `deck` the ship, `contact` their contact, `model` the equations and events, `steps` the same by steps without location, `show` frames.

mod contact;
mod craft;
mod deck;
mod error;
mod model;
mod params;
mod show;
mod simulate;
mod steps;

pub use deck::SURFACES;
pub use error::LandingError;
pub use params::{Craft, DeckContact, DeckParams, LandingParams, Lift, Pull, Start, Tie};
pub use show::{AIRCRAFT, BODIES, FIRST_SKID, FIRST_TUBE};
pub use simulate::{Gear, Landing, Load};
pub use steps::{Rule, StepOutcome, run_by_steps};

/// Nodes of the gear [-].
pub const NODES: usize = 6;

/// The nodes that can hit the deck: the two skids.
pub const SKIDS: [usize; 2] = [0, NODES - 1];

/// The nodes that are bolted to the body.
pub const BOLTED: [usize; 2] = [2, 3];
