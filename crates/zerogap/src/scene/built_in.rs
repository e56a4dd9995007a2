//! Scenes that come with the program, and what new scenes begin with.

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../scenes/", $name, ".toml")))),*]
    };
}

/// Name and text of every built-in scene.
pub fn built_in() -> &'static [(&'static str, &'static str)] {
    scenes![
        "bouncing-ball",
        "newtons-cradle",
        "falling-parts",
        "box-tower",
        "domino-row",
        "rattleback",
        "euler-disk",
        "four-bar",
        "heaving-deck",
    ]
}

/// Name and text of everything that a new scene can begin as: a commented starter, and the built-in scenes.
pub fn templates() -> Vec<(&'static str, &'static str)> {
    let starter = ("starter", include_str!("../../../../scenes/templates/starter.toml"));
    std::iter::once(starter).chain(built_in().iter().copied()).collect()
}
