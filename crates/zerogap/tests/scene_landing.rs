//! `[landing]` in a scene file: what it becomes, and where what is wrong with it stands.

use std::ops::ControlFlow;
use std::path::Path;

use zerogap::landing::{BODIES, Landing};
use zerogap::record::Head;
use zerogap::scene::{Scene, built_in};
use zerogap::simulation::Simulation;
use zerogap::world::EventKind;

const LEAST: &str = "[landing]\ndeck = { width = 6, thickness = \"20 mm\" }\n";

fn scene(text: &str) -> Scene {
    Scene::parse(text, "x", Path::new("")).unwrap_or_else(|error| panic!("{}", error.report()))
}

#[test]
fn a_landing_needs_a_deck_and_nothing_else() {
    let params = scene(LEAST).landing.unwrap();
    assert!((params.deck.thickness - 0.02).abs() < 1e-15 && params.ties.is_empty());
    assert!(matches!(scene(LEAST).simulation().unwrap(), Simulation::Landing(_)));
    let told = scene(LEAST).build().map(drop).unwrap_err();
    assert!(told.message.contains("has no world"), "{}", told.message);
}

#[test]
fn friction_that_is_given_alone_holds_at_rest_too() {
    let contact = |keys: &str| scene(&format!("{LEAST}contact = {{ {keys} }}\n")).landing.unwrap().contact;
    for (keys, friction, at_rest) in [
        ("friction = 0", 0.0, 0.0),
        ("friction = 0.3", 0.3, 0.3),
        ("friction = 0.3, static_friction = 0.4", 0.3, 0.4),
        ("static_friction = 0.8", 0.6, 0.8),
        ("damping = 1e4", 0.6, 0.7),
    ] {
        let contact = contact(keys);
        let off = (contact.friction - friction).abs().max((contact.static_friction - at_rest).abs());
        assert!(off < 1e-15, "{keys}: {contact:?}");
    }
}

#[test]
fn errors_of_a_landing_underline_what_is_wrong() {
    for (text, line, message) in [
        ("[landing]\n", 1, "[landing] needs 'deck'"),
        ("[landing]\ndeck = { width = 6, thickness = -1 }\n", 2, "'thickness' is -1 m: it must be above 0"),
        (
            "[landing]\ndeck = { width = 6, thickness = 1 }\ncraft = { wall = \"1 m\" }\n",
            3,
            "thicker than half",
        ),
        (
            "[landing]\ndeck = { width = 6, thickness = 1 }\ncontact = { friction = 0.5, static_friction = 0.4 }\n",
            3,
            "below 'friction'",
        ),
        (
            "[landing]\ndeck = { width = 6, thickness = 1 }\npull = { from = 1, until = 1.5, force = 1e3 }\n",
            3,
            "ends before it could rise",
        ),
        ("[landing]\ndeck = { width = 6, thickness = 1, motion = { csv = \"none.csv\" } }\n", 2, "none.csv"),
        (
            "[landing]\ndeck = { width = 6, thickness = 1 }\n[[landing.ties]]\nat = 1\nbody = [0, 0]\ndeck = [1, 0]\n",
            3,
            "needs 'stiffness'",
        ),
        (
            "[[bodies]]\nname = \"a\"\nshape = \"box:1,1,1\"\n[landing]\ndeck = { width = 6, thickness = 1 }\n",
            1,
            "no use for 'bodies'",
        ),
        (
            "[world]\ncontact = \"rigid\"\n[landing]\ndeck = { width = 6, thickness = 1 }\n",
            2,
            "no use for 'contact'",
        ),
        (
            "[world]\nmethod = \"stepping\"\n[landing]\ndeck = { width = 6, thickness = 1 }\n",
            2,
            "simulated by located events",
        ),
        ("[landing]\ndeck = { width = 6, thickness = 1 }\ncraft = { up = [0, 0, 0] }\n", 3, "'up'"),
    ] {
        let error = Scene::parse(text, "x", Path::new("")).map(drop).expect_err(text);
        assert!(error.message.contains(message), "{}", error.report());
        let (found, _, _) = error.line().unwrap_or_else(|| panic!("{}", error.report()));
        assert_eq!(found, line, "{}", error.report());
    }
    // What only shows when it is built.
    let low = format!("{LEAST}start = {{ position = [0, 1.64] }}\n");
    let error = scene(&low).simulation().map(drop).unwrap_err();
    assert!(error.message.contains("inside the deck at the start"), "{}", error.message);
}

#[test]
fn a_deck_can_follow_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (0..=60).map(|k| {
        let t = 0.1 * f64::from(k);
        format!("{t},0,0,{},0,0,0", 0.2 * t * (1.0 - t / 6.0))
    });
    let lines: Vec<String> = std::iter::once("t,x,y,z,roll,pitch,yaw".to_owned()).chain(rows).collect();
    std::fs::write(folder.path().join("sea.csv"), lines.join("\n")).unwrap();
    let text = "[landing]\ndeck = { width = 6, thickness = 0.02, motion = { csv = \"sea.csv\" } }\n";
    let scene = Scene::parse(text, "x", folder.path()).unwrap_or_else(|error| panic!("{}", error.report()));
    let mut landing = Landing::new(scene.landing.unwrap()).unwrap();
    landing.advance_to(3.0).unwrap();
    // It comes down at 1 m/s from 1.95 m above a deck that rises to meet it.
    let first = landing.events().first().unwrap();
    assert!(matches!(first.what, EventKind::ContactBegin { .. }) && first.t < 1.9, "{first:?}");
}

#[test]
fn the_built_in_landing_is_tied_down_and_pulled_along_and_stays_on_the_top() {
    let (_, text) = built_in().iter().find(|(name, _)| *name == "skid-landing").unwrap();
    let scene = scene(text);
    let (until, every) = (scene.until, scene.every);
    let mut simulation = scene.simulation().unwrap();
    let head = Head::of(&simulation, "skid-landing", every).unwrap();
    assert_eq!(head.bodies.len(), BODIES);
    let (mut frames, mut top) = (0, true);
    simulation
        .stream_to(until, every, &mut |frame, _| {
            frames += 1;
            assert_eq!(frame.poses.len(), BODIES);
            top &= frame.contacts.iter().all(|contact| contact.pair.a.0 == 0);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(frames, 1001);
    assert!(top, "skids touch the top of the deck and nothing else");
    let count = |is: &dyn Fn(&EventKind) -> bool| simulation.events().iter().filter(|e| is(&e.what)).count();
    assert!(count(&|what| matches!(what, EventKind::ContactBegin { .. })) >= 2);
    assert_eq!(count(&|what| matches!(what, EventKind::Scheduled)), 1);
    // The winch breaks it loose.
    let late = simulation.events().iter().filter(|event| event.t > 12.0);
    assert!(late.clone().any(|event| matches!(event.what, EventKind::Slip { .. })), "{:?}", late.count());
}
