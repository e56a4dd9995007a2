//! The one type that a pair question is asked of, and the table of who answers what.
//!
//! In: two [`Collider`]s, where they are or how they move. Out: the answer to one of three questions: the [`gap()`] with its bounds ([`contact_gap`]: as the contacts see it), the contacts
//! ([`contacts_into`]) with lasting ids, the first touch along a motion ([`first_touch`]) or a path of several ([`first_touch_along`]). Which algorithm answers which pair, how exactly, or why not, stands once,
//! in [`table`]; the refusals and the page `docs/colliders.md` are made from it. An error is never "no contact". Same input, same bits, whatever a [`ColliderCache`]
//! was used for before.
//!
//! The files: `kind` (what can collide), `compound` (several that move as one), `extent` (how large it is), `views` (as what it collides with which partner), `pair` (two of them, placed), `table` (who answers), `answer` (which calls the algorithms), `cache` (memory), `one` (a pair without a cache), `many` (many pairs on all cores), `kernel` (other algorithms for convex pairs, on request), and one file for each question.
//!
//! A new kind has its algorithms in a folder of its own. Outside of it there are six places: the module in `lib.rs`; `kind` (the variant, its name and its size); `table` (its row); `answer` (the calls); and,
//! where worlds take it, `Collision` in `simulation/src/world/shapes.rs` and its word in `simulation/src/settings/collision.rs`. The tests `collider.rs` here and `world_pairs.rs` of the face go over all kinds.

mod answer;
mod cache;
mod clearance;
mod compound;
mod contacts;
mod error;
mod extent;
mod first_touch;
mod gap;
mod kernel;
mod kind;
mod many;
mod one;
mod pair;
pub mod table;
mod views;

pub use answer::{contact_gap, contacts_into, gap};
pub use cache::ColliderCache;
pub use clearance::{clearance_along, safe_time};
pub use compound::CompoundCollider;
pub use contacts::ContactSet;
pub use error::ColliderError;
pub use extent::Extent;
pub use first_touch::{first_touch, first_touch_along};
pub use kernel::{ConvexKernel, ConvexNarrowPhase, PairKey};
pub use kind::{Collider, ColliderKind, ComplexCollider, ComplexSolid};
pub use many::{SHARE, contacts_many, distance_many, each_pair};
pub use one::{contacts, distance, intersects};
pub use pair::ColliderPair;
pub use views::ColliderViews;
