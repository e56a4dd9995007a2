//! Scenes that come with the program, and what new scenes begin with.

use std::path::Path;

use toml::de::DeTable;

use zerogap_core::text::nearest;

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../scenes/", $name, ".toml")))),*]
    };
}

/// Name and text of every built-in scene.
pub fn built_in() -> &'static [(&'static str, &'static str)] {
    scenes![
        "bouncing-ball",
        "newtons-cradle",
        "falling-parts",
        "many-falling-parts",
        "box-tower",
        "card-house",
        "domino-row",
        "rattleback",
        "euler-disk",
        "four-bar",
        "heaving-deck",
        "bullet-and-paper",
        "blades",
        "cube-on-plane",
        "peg-in-hole",
        "bolt-in-hole",
        "screwdriver",
        "gear-pair",
        "nut-on-bolt",
        "skid-landing",
        "two-sheets",
    ]
}

/// Returns name and text of the built-in scene that a path names. A file of that name takes precedence; a folder, such as that of a run, does not.
pub fn find_built_in(path: &Path) -> Option<(&'static str, &'static str)> {
    let is_hidden = path.exists() && !path.is_dir();
    let named = built_in().iter().find(|(name, _)| Path::new(name).as_os_str() == path.as_os_str());
    named.copied().filter(|_| !is_hidden)
}

/// Name of every built-in scene, and what it shows. Nothing but that line is read of it, so this is quick.
pub fn descriptions() -> Vec<(&'static str, String)> {
    let description = |text: &str| {
        let table = DeTable::parse(text).ok()?;
        Some(table.get_ref().get("description")?.get_ref().as_str()?.to_owned())
    };
    built_in().iter().map(|(name, text)| (*name, description(text).unwrap_or_default())).collect()
}

/// The built-in scene whose name was probably meant by a word that names none.
pub fn nearest_built_in(word: &str) -> Option<&'static str> {
    let names: Vec<&'static str> = built_in().iter().map(|(name, _)| *name).collect();
    nearest(word, &names)
}

/// Name and text of everything that a new scene can begin as: a commented starter, and the built-in scenes.
pub fn templates() -> Vec<(&'static str, &'static str)> {
    let starter = ("starter", include_str!("../../../scenes/templates/starter.toml"));
    std::iter::once(starter).chain(built_in().iter().copied()).collect()
}
