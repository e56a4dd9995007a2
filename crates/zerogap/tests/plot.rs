//! Plots: there is one for every recording, it says what it shows, and its bytes repeat.

mod recorded;

use std::path::Path;

use zerogap::picture::{Plot, PlotError, PlotSize, plot_png, plot_svg};
use zerogap::record::{End, Recording};
use zerogap::scene::Scene;
use zerogap::world::{ContactForce, PairId, ShapeId};

/// The run of a scene.
fn run(scene: Scene) -> Recording {
    let mut world = scene.builder.build().unwrap();
    let mut head = world.head(&scene.name, scene.every);
    head.source = scene.source;
    let frames = world.record_to(scene.until, scene.every).unwrap();
    let end = End { t: world.time(), info: world.info(), hash: world.hash(), reason: String::new() };
    Recording { head, frames, events: world.events().to_vec(), end: Some(end), left_out: 0 }
}

/// Puts pictures where `ZEROGAP_PLOTS` says, for those who want to look at them.
fn keep(name: &str, recording: &Recording) {
    let Ok(folder) = std::env::var("ZEROGAP_PLOTS") else { return };
    for what in Plot::ALL {
        let path = Path::new(&folder).join(format!("{name}-{}", what.name()));
        std::fs::write(path.with_extension("svg"), plot_svg(recording, what, what.size()).unwrap()).unwrap();
        std::fs::write(path.with_extension("png"), plot_png(recording, what, what.size()).unwrap()).unwrap();
    }
}

#[test]
fn a_bouncing_ball_is_plotted() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let recording = run(Scene::read(&scenes.join("bouncing-ball.toml")).unwrap());
    keep("ball", &recording);
    keep("slide", &recorded::recording());
}
