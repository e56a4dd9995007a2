//! One file per command.

pub(crate) mod completions;
pub(crate) mod contacts;
pub(crate) mod decompose;
pub(crate) mod distance;
pub(crate) mod hull;
pub(crate) mod impact;
pub(crate) mod inspect;
pub(crate) mod man;
mod meshes;
mod pair;
pub(crate) mod pairs;
pub(crate) mod part;
mod path_table;
mod quasi;
pub(crate) mod refine;
pub(crate) mod run;
pub(crate) mod scene;
pub(crate) mod solve;
pub(crate) mod verify;
#[cfg(feature = "viewer")]
pub(crate) mod view;
