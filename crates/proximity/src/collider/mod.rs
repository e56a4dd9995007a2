//! The one type that a pair question is asked of, and the table of who answers what.
//!
//! In: two [`Collider`]s, where they are or how they move. Out: the answer to one of three questions: the [`gap()`] with its bounds ([`contact_gap`]: as the contacts see it), the contacts
//! ([`contacts_into`]) with lasting ids, the first touch along a motion ([`first_touch`]) or a path of several ([`first_touch_along`]). Which algorithm answers which pair, how exactly, or why not, stands once,
//! in [`table`]; the refusals and the page `docs/colliders.md` are made from it. An error is never "no contact". Same input, same bits, whatever a [`ColliderCache`]
//! was used for before.
//!
//! The files: `kind` (what can collide), `compound` (several that move as one), `extent` (how large it is), `views` (as what it collides with which partner), `pair` (two of them, placed), `table` (who answers), `cache` (memory), and one file for each question.

mod cache;
mod clearance;
mod compound;
mod contacts;
mod error;
mod extent;
mod first_touch;
mod gap;
mod kind;
mod pair;
pub mod table;
mod views;

pub use cache::ColliderCache;
pub use clearance::{clearance_along, safe_time};
pub use compound::CompoundCollider;
pub use contacts::{ContactSet, contacts_into};
pub use error::ColliderError;
pub use extent::Extent;
pub use first_touch::{first_touch, first_touch_along};
pub use gap::{contact_gap, gap};
pub use kind::{Collider, ColliderKind, ComplexCollider};
pub use pair::ColliderPair;
pub use views::{ColliderViews, View};
