//! `cargo xtask gallery`: the pictures of `docs/gallery.md` and the first one of `README.md`, made again.
//!
//! Every scene is run by the command, and its replay page is opened in a browser without a screen at the time and from the side that [`VIEWS`] says.

use std::path::Path;
use std::process::Command;

use crate::browser::browser;
use crate::step::{Outcome, cargo, run};

/// Width and height of a picture [px], and of the one in `README.md`.
const SIZE: &str = "960,640";
const README_SIZE: &str = "1280,800";

/// The scene of the picture in `README.md`.
const README_SCENE: &str = "domino-row";

/// Time that a page is given to draw itself [ms].
const PATIENCE: &str = "6000";

/// Each scene and what stands behind `#` in the address of its page: when, from where, how near.
pub(crate) const VIEWS: [(&str, &str); 21] = [
    ("bouncing-ball", "t=1.2"),
    ("newtons-cradle", "t=0.5"),
    ("falling-parts", "t=0.6&follow=crankshaft&zoom=1.8"),
    ("many-falling-parts", "t=0.6&follow=crankshaft&zoom=1.8"),
    ("box-tower", "t=0.6&follow=box 3&zoom=1.5"),
    ("card-house", "t=1.1&follow=card 5&zoom=2.2"),
    ("domino-row", "t=0.6"),
    ("rattleback", "t=1"),
    ("euler-disk", "t=1"),
    ("four-bar", "t=1&look=0.3,-1,0.25"),
    ("heaving-deck", "t=1"),
    ("bullet-and-paper", "t=0.005&follow=bullet&zoom=1200&look=1,0.1,0.12"),
    ("blades", "t=0.0027&follow=ball 1&zoom=14&look=0.75,-1.25,0.8"),
    ("cube-on-plane", "t=0.5"),
    ("peg-in-hole", "t=0.5&glass=1"),
    ("bolt-in-hole", "t=1.2&glass=1&follow=bolt&zoom=1.5"),
    ("screwdriver", "t=2&glass=1&follow=driver&zoom=3"),
    ("gear-pair", "t=0.5&look=0.2,-1,1.4"),
    ("nut-on-bolt", "t=0.5"),
    ("skid-landing", "t=2"),
    ("two-sheets", "t=0.4"),
];

/// Makes the pictures of the scenes that are named, or of all.
pub(crate) fn pictures(root: &Path, names: &[&str]) -> Outcome {
    if let Some(name) = names.iter().find(|name| VIEWS.iter().all(|(scene, _)| scene != *name)) {
        let known = VIEWS.map(|(scene, _)| scene).join(", ");
        return Outcome::Failed(format!("{name} is no scene of the gallery: {known}"));
    }
    let Some(browser) = browser() else {
        return Outcome::Failed("no Chromium: apt install chromium-headless-shell".to_owned());
    };
    let built = run(cargo(root).args(["build", "--release", "--bin", "zerogap"]));
    if !matches!(built, Outcome::Passed) {
        return built;
    }
    let is_asked = |scene: &str| names.is_empty() || names.contains(&scene);
    for (scene, view) in VIEWS.iter().filter(|(scene, _)| is_asked(scene)) {
        let outcome = picture(root, &browser, scene, view);
        if !matches!(outcome, Outcome::Passed) {
            return outcome;
        }
    }
    Outcome::Passed
}

/// Runs a scene and takes the picture of its page.
fn picture(root: &Path, browser: &str, scene: &str, view: &str) -> Outcome {
    let folder = root.join("target").join("gallery").join(scene);
    let _ = std::fs::remove_dir_all(&folder);
    let program = root.join("target").join("release").join("zerogap");
    let simulated = run(Command::new(program).args(["run", scene, "--out"]).arg(&folder));
    if !matches!(simulated, Outcome::Passed) {
        return simulated;
    }
    let images = root.join("docs").join("images");
    let address = format!("file://{}#theme=light&{view}", folder.join("replay.html").display());
    let name = format!("{scene}.png");
    let taken = shot(browser, &folder, &address, SIZE, &images.join("scenes").join(&name));
    if scene == README_SCENE && matches!(taken, Outcome::Passed) {
        return shot(browser, &folder, &address, README_SIZE, &images.join(&name));
    }
    taken
}

/// Takes a picture of a page.
fn shot(browser: &str, folder: &Path, address: &str, size: &str, image: &Path) -> Outcome {
    run(Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu-sandbox", "--disable-dev-shm-usage"])
        .args(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        .args([
            "--hide-scrollbars",
            &format!("--window-size={size}"),
            &format!("--virtual-time-budget={PATIENCE}"),
        ])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--screenshot={}", image.display()))
        .arg(address.replace(' ', "%20")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::VIEWS;

    #[test]
    fn every_scene_of_the_gallery_has_a_view_and_a_picture() {
        let docs =
            Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").join("docs");
        let page = std::fs::read_to_string(docs.join("gallery.md")).expect("the gallery");
        let titles: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(titles, VIEWS.map(|(scene, _)| scene));
        for (scene, _) in VIEWS {
            assert!(page.contains(&format!("(images/scenes/{scene}.png)")), "{scene}");
            assert!(docs.join("images/scenes").join(format!("{scene}.png")).exists(), "{scene}");
        }
    }
}
