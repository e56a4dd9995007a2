//! Contacts of simplicial complexes by quasi-LMDs: local minima of the distance that stay while bodies turn by a small angle.
//!
//! In: two [`ComplexBody`]s, made once, and their poses. Out: contacts that do not come and go when a flat face rests on another, each with gap, normal,
//! points and a name that lasts. Gaps are those of the inflated bodies: as long as the complexes themselves are apart, a negative gap is as good as a positive one.
//! Method: Merlhiot 2007 ("A robust, efficient and time-stepping compatible collision detection method for non-smooth contact between rigid bodies of
//! arbitrary shape"); departures: closed inequalities, merged duplicates, volumes by their boundary, a slack for each mask of classes, lists kept between
//! queries. Same bits for any number of threads, whatever a workspace was used for before.
//!
//! Limits: where the complexes themselves intersect there are no such contacts, and the status reports this with the faces that cross.

mod ball;
mod body;
mod brute;
mod cross;
mod follow;
mod leaf;
mod merge;
mod motion;
mod node;
mod plane;
mod query;
mod search;
mod table;
mod traverse;
mod tree;

pub use body::ComplexBody;
pub use brute::quasi_contacts_brute;
pub use follow::Followed;
pub use query::{
    Overlap, QuasiContact, QuasiParams, QuasiStatus, QuasiWork, quasi_contacts, quasi_contacts_into,
};
pub use tree::Splitting;
