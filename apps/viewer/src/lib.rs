//! Worlds live in the browser: see them run, take hold of bodies, go back in time.
//!
//! In: a scene. Out: a page on this machine, and what a person did there. The data flow: `session` (the world with hand and past, tick by tick, without clocks), `live` (a thread that keeps it at the pace of the clock
//! and hands out pictures), `server` (the page, sockets, and who may use them). `passive` takes the place of the first two where a program steps the world.
//!
//! Inputs take effect at ticks alone: a slow machine slows the time of the scene and never changes a step, and the inputs of a session, run again, give the same bits.

pub mod live;
mod passive;
pub mod server;
pub mod session;

pub use passive::Passive;
pub use server::{Access, Show, ViewError, Viewer};
pub use session::{Entry, Input, Session};
