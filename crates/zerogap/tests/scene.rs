//! Scene files: what they may say, and what is said about those that are wrong.

use std::path::Path;

use zerogap::scene::Scene;

#[test]
fn an_unknown_key_is_underlined_and_the_nearest_is_told() {
    let text = "[world]\ngravity = [0, 0, -9.81]\nrtoll = 1e-6\n";
    let error = Scene::parse(text, "x", Path::new("")).unwrap_err();
    assert_eq!(error.to_string(), "[world] has no key 'rtoll'");
    assert_eq!(error.help.as_deref(), Some("did you mean 'rtol'?"));
    assert_eq!(error.line(), Some((3, "rtoll = 1e-6", 0..5)));
}
