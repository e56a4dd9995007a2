//! Height fields: terrain that needs no tree.
//!
//! In: a [`HeightField`] and where a partner is. Out: the patch of the solid below and around the partner, as a closed mesh (`HeightFieldBody::patch_near`), which the algorithms of meshes answer for; features are
//! renamed so that they have the same numbers whatever patch they came from.
//!
//! Which cells a patch has follows from the box of the partner and from nothing else: answers have the same bits whatever was asked before. Patches are kept, because partners stay over the same cells for many questions.

mod patch;
mod question;

pub use patch::HeightFieldBody;
pub(crate) use question::{
    contact_gap_with_field, contacts_with_field, gap_with_field, in_place_of_fields, moving_patch,
    whole_patch,
};
