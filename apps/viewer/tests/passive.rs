//! A page for a world that a program steps: it pulls, pauses, and changes nothing where it only looks.

mod client;

use std::time::Instant;

use serde_json::json;
use zerogap::Vec3;
use zerogap_viewer::{Access, Passive};

use client::{PATIENCE, floating, hello};

#[test]
fn watching_changes_no_bit() {
    let (mut alone, mut watched) = (floating().build().unwrap(), floating().build().unwrap());
    let mut passive = Passive::start("floating", &watched, Access::default()).unwrap();
    let body = alone.bodies()[0];
    for world in [&mut alone, &mut watched] {
        world.set_force(body, [0.1, 0.02, 0.0].into(), [0.0, 1e-3, 0.0].into()).unwrap();
    }
    for _ in 0..300 {
        alone.step().unwrap();
        watched.step().unwrap();
        passive.sync(&mut watched).unwrap();
    }
    assert_eq!(alone.hash(), watched.hash());
}

#[test]
fn a_page_pulls_and_pauses_the_world_of_a_program() {
    let mut world = floating().build().unwrap();
    let body = world.bodies()[0];
    let mut passive = Passive::start("floating", &world, Access::default()).unwrap();
    assert!(!passive.viewer().is_left());
    let mut page = hello(passive.viewer());
    let mut steps_until = |passive: &mut Passive, done: &dyn Fn(&zerogap::world::World, &Passive) -> bool| {
        let start = Instant::now();
        while !done(&world, passive) {
            assert!(start.elapsed() < PATIENCE);
            if passive.is_paused() {
                passive.wait(&mut world).unwrap();
            } else {
                world.step().unwrap();
                passive.sync(&mut world).unwrap();
            }
        }
    };
    page.send(&json!({ "do": "hand", "input": "pull", "body": 0, "at": [0, 0, 0], "to": [0.2, 0, 0] }));
    steps_until(&mut passive, &|world, _| world.pose(body).translation().x > 0.1);
    page.send(&json!({ "do": "pause" }));
    steps_until(&mut passive, &|_, passive| passive.is_paused());
    // What only a session with a past can do is refused.
    page.send(&json!({ "do": "rewind", "tick": 0 }));
    page.send(&json!({ "do": "step", "count": 3 }));
    steps_until(&mut passive, &|_, passive| !passive.is_paused());
    steps_until(&mut passive, &|_, passive| passive.is_paused());
    assert!(page.said("refused")["text"].as_str().unwrap().contains("program"));
    passive.release(&mut world).unwrap();
    assert_eq!(world.applied_force(body), (Vec3::zeros(), Vec3::zeros()));
}
