//! Scenes that come with the program.

/// Name and text of every built-in scene.
pub fn built_in() -> &'static [(&'static str, &'static str)] {
    macro_rules! scenes {
        ($($name:literal),* $(,)?) => {
            &[$(($name, include_str!(concat!("../../../../scenes/", $name, ".toml")))),*]
        };
    }
    scenes!["bouncing-ball",]
}
