//! The live page in a real browser: what a person does with mouse and keys, and what becomes of it.
//!
//! The variable `ZEROGAP_BROWSER` names a Chromium; `cargo xtask test` sets it where it finds one. With `ZEROGAP_SHOTS` the test leaves pictures of the page in that folder.

#[path = "../client/mod.rs"]
mod client;
mod devtools;

use std::path::{Path, PathBuf};

use serde_json::Value;
use zerogap::core::math;
use zerogap::record::Recording;
use zerogap::scene::Scene;
use zerogap::world::WorldBuilder;
use zerogap_viewer::session::{DAMPING_RATIO, FREQUENCY, Inputs};
use zerogap_viewer::{Access, Input, Session, Viewer};

use client::{floating, show};
use devtools::Browser;

fn view(name: &str, builder: WorldBuilder, out: &Path) -> Viewer {
    Viewer::start(show(name, builder, out), Access::default()).unwrap()
}

/// Opens the page of a viewer, seen along y: x is to the right, z up.
fn open(browser: &mut Browser, viewer: &Viewer, options: &str) {
    browser.open("about:blank");
    browser.open(&format!("{}&look=0,-1,0{options}", viewer.url()));
    browser.wait("!!window.zerogap && window.zerogap.state().tick > 20");
}

/// The place of a body on the page [px].
fn place(browser: &mut Browser, body: usize) -> (f64, f64) {
    let at = browser.value(&format!("window.zerogap.project(window.zerogap.state().positions[{body}])"));
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

/// Saves the session on the page; the recording and its inputs.
fn saved(browser: &mut Browser) -> (Recording, Inputs) {
    browser.value("document.getElementById('save').click()");
    browser.wait("window.zerogap.state().notice.startsWith('saved as ')");
    let notice = browser.value("window.zerogap.state().notice");
    let file = PathBuf::from(notice.as_str().unwrap().trim_start_matches("saved as "));
    let inputs = Inputs::read(&file.with_extension("inputs.json")).unwrap();
    (Recording::open(&file).unwrap(), inputs)
}

/// A recording ends as the session did, and so do its inputs that are run again without a page.
fn check(builder: WorldBuilder, recording: &Recording, inputs: &Inputs) {
    let end = recording.end.as_ref().expect("a whole recording");
    assert_eq!(format!("{:016x}", end.hash), inputs.hash);
    let again = Session::rerun(&inputs.scene, builder, &inputs.entries, inputs.tick).unwrap();
    assert_eq!(again.world().hash(), end.hash, "the inputs, run again, lead elsewhere");
}

#[test]
fn a_body_that_is_dragged_is_the_oscillator_that_was_promised() {
    let Some(mut browser) = Browser::start("drag", (1280, 800)) else { return };
    let folder = tempfile::tempdir().unwrap();
    let viewer = view("floating", floating(), folder.path());
    open(&mut browser, &viewer, "");
    // The address keeps no token.
    assert!(!browser.value("location.href").as_str().unwrap().contains(viewer.token()));

    let (x, y) = place(&mut browser, 0);
    browser.mouse("mousePressed", (x, y));
    browser.wait("window.zerogap.state().isHeld");
    browser.mouse("mouseMoved", (x + 90.0, y - 60.0));
    let moved = browser.value("window.zerogap.state().tick").as_f64().unwrap();
    browser.wait(&format!("window.zerogap.state().tick > {}", moved + 400.0));
    browser.shot("dragged");
    browser.wait(&format!("window.zerogap.state().tick > {}", moved + 900.0));
    let (recording, inputs) = saved(&mut browser);
    browser.mouse("mouseReleased", (x + 90.0, y - 60.0));
    browser.wait("!window.zerogap.state().isHeld");
    assert_eq!(browser.faults, Vec::<String>::new());

    // The plate is 1 mm thick, and was taken by its middle.
    let pulls: Vec<_> =
        inputs.entries.iter().filter(|entry| matches!(entry.input, Input::Pull { .. })).collect();
    let Input::Pull { at, to, .. } = pulls.last().unwrap().input else { panic!("{pulls:?}") };
    assert!(at[0].abs() < 1e-3 && at[2].abs() < 1e-3, "{at:?}");
    assert!(to[0] > 0.01 && to[2] > 0.005, "{to:?}");
    // From the first frame after the last input on, by the closed form of m x'' = k (to - x) - c x'.
    let start = recording
        .frames
        .iter()
        .position(|frame| frame.t * 1e3 > pulls.last().unwrap().tick as f64 + 0.5)
        .unwrap();
    let first = &recording.frames[start];
    let omega = std::f64::consts::TAU * FREQUENCY;
    let (rate, damped) = (DAMPING_RATIO * omega, omega * (1.0 - DAMPING_RATIO * DAMPING_RATIO).sqrt());
    let way = to.iter().zip(at).map(|(to, at)| (to - at).powi(2)).sum::<f64>().sqrt();
    let mut worst = 0.0_f64;
    for frame in &recording.frames[start..] {
        let t = frame.t - first.t;
        for axis in [0, 2] {
            let goal = to[axis] - at[axis];
            let (x, v) = (first.poses[0].translation()[axis] - goal, first.velocities[0][axis]);
            let expected = goal
                + math::exp(-rate * t)
                    * (x * math::cos(damped * t) + (v + rate * x) / damped * math::sin(damped * t));
            worst = worst.max((frame.poses[0].translation()[axis] - expected).abs());
        }
    }
    eprintln!("{} frames, {:.3} % of the way at worst", recording.frames.len() - start, 100.0 * worst / way);
    assert!(recording.frames.len() - start > 60 && worst < 0.01 * way, "{worst} of {way}");
    check(floating(), &recording, &inputs);
}

fn peg() -> WorldBuilder {
    // The scene without weight: nothing but the hand moves the peg.
    let (_, text) = zerogap::scene::find_built_in(Path::new("peg-in-hole")).unwrap();
    let text = text.replace("[world]", "[world]\ngravity = [0, 0, 0]");
    Scene::parse(&text, "peg-in-hole", Path::new("")).unwrap().builder
}

#[test]
fn a_peg_is_pushed_into_its_hole_and_time_goes_back() {
    let Some(mut browser) = Browser::start("peg", (1280, 800)) else { return };
    let folder = tempfile::tempdir().unwrap();
    let viewer = view("peg-in-hole", peg(), folder.path());
    open(&mut browser, &viewer, "&glass=1");
    let height =
        |browser: &mut Browser| browser.value("window.zerogap.state().positions[0][2]").as_f64().unwrap();
    let start = height(&mut browser);
    browser.shot("peg-before");

    // Pushed down in small moves, by its upper half: from 14.2 mm until it stands on the table, at -5 mm.
    let (x, y) = place(&mut browser, 0);
    let low = browser.value("window.zerogap.project([0, 0, window.zerogap.state().positions[0][2] - 0.025])");
    let (low_x, low_y) = (low[0].as_f64().unwrap(), low[1].as_f64().unwrap());
    browser.mouse("mousePressed", (x, y));
    browser.wait("window.zerogap.state().isHeld");
    for k in 1..=20 {
        let part = f64::from(k) / 20.0;
        browser.mouse("mouseMoved", (x + part * (low_x - x), y + part * (low_y - y)));
    }
    browser.wait(&format!("window.zerogap.state().positions[0][2] < {}", start - 0.019));
    browser.shot("peg-after");
    let tick = browser.value("window.zerogap.state().tick").as_f64().unwrap();
    browser.mouse("mouseReleased", (low_x, low_y));
    browser.wait(&format!("window.zerogap.state().tick > {tick}"));
    assert!((height(&mut browser) - (start - 0.0192)).abs() < 3e-4, "{} from {start}", height(&mut browser));

    // Back by the time line: the peg is out again, time stands; then on.
    let now = browser.value("window.zerogap.state().tick").as_f64().unwrap();
    browser.value("(() => { const past = document.getElementById('past'); past.value = '30'; past.dispatchEvent(new Event('input')); past.dispatchEvent(new Event('change')); })()");
    browser.wait("window.zerogap.state().tick === 30 && window.zerogap.state().isPaused");
    assert!((height(&mut browser) - start).abs() < 1e-5, "{}", height(&mut browser));
    browser.key("ArrowRight");
    browser.wait("window.zerogap.state().tick === 31");
    browser.value("document.getElementById('play').click()");
    browser.wait("window.zerogap.state().tick > 100");
    assert!(now > 100.0);
    let (recording, inputs) = saved(&mut browser);
    check(peg(), &recording, &inputs);
    assert_eq!(browser.faults, Vec::<String>::new());
}

#[test]
fn a_scene_is_chosen_on_the_page() {
    let Some(mut browser) = Browser::start("choose", (1280, 800)) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut choose = show("", floating(), folder.path());
    choose.first = None;
    let viewer = Viewer::start(choose, Access::default()).unwrap();
    browser.open(&viewer.url());
    browser.wait("!!document.querySelector('#chooser[open] button[data-scene]')");
    browser.shot("choose");
    browser.value("document.querySelector('#chooser button[data-scene]').click()");
    browser.wait(
        "!!window.zerogap && window.zerogap.state().scene === 'another' && window.zerogap.state().tick > 20",
    );
    assert_eq!(browser.value("!!document.querySelector('#chooser[open]')"), Value::Bool(false));
    // A page without the token says what it needs.
    browser.value("sessionStorage.clear()");
    browser.open("about:blank");
    browser.open(&format!("http://{}/", viewer.address()));
    browser.wait("(document.getElementById('fault')?.textContent ?? '').includes('#token=')");
    assert_eq!(browser.faults, Vec::<String>::new());
}

/// A 3D mouse that is none: it says what the test lets it say.
const STAND_IN: &str = "
const device = { opened: false, productName: 'stand-in', listeners: [], async open() { this.opened = true; }, addEventListener(kind, listener) { this.listeners.push(listener); } };
window.report = (reportId, ...bytes) => device.listeners.forEach(listener => listener({ reportId, data: new DataView(new Uint8Array(bytes).buffer) }));
Object.defineProperty(navigator, 'hid', { value: { async requestDevice() { return [device]; }, async getDevices() { return []; } } });";

#[test]
fn a_3d_mouse_moves_what_is_carried() {
    let Some(mut browser) = Browser::start("mouse", (1280, 800)) else { return };
    let folder = tempfile::tempdir().unwrap();
    let viewer = view("floating", floating(), folder.path());
    browser.call("Page.addScriptToEvaluateOnNewDocument", &serde_json::json!({ "source": STAND_IN }));
    open(&mut browser, &viewer, "");
    // Reports as the devices send them: numbers of 16 bits, little-endian, 350 at full deflection.
    let parsed = |browser: &mut Browser, id: u8, bytes: &str| {
        browser.value(&format!(
            "JSON.stringify(window.zerogap.parseReport({id}, new DataView(new Uint8Array([{bytes}]).buffer)))"
        ))
    };
    assert_eq!(parsed(&mut browser, 1, "0x5e, 0x01, 0x51, 0xff, 0, 0"), r#"{"move":[1,-0.5,0]}"#);
    assert_eq!(parsed(&mut browser, 2, "0, 0, 0xa2, 0xfe, 0xff, 0x7f"), r#"{"turn":[0,-1,1]}"#);
    assert_eq!(
        parsed(&mut browser, 1, "0x5e, 0x01, 0, 0, 0, 0, 0, 0, 0xaf, 0, 0xa2, 0xfe"),
        r#"{"move":[1,0,0],"turn":[0,0.5,-1]}"#
    );
    assert_eq!(parsed(&mut browser, 3, "2"), r#"{"buttons":2}"#);
    assert_eq!(parsed(&mut browser, 1, "1, 2, 3"), "{}");
    assert_eq!(parsed(&mut browser, 23, "60"), "{}");

    browser.value("document.getElementById('connect').click()");
    browser.wait("document.getElementById('device').textContent === 'stand-in'");
    browser.value("window.zerogap.setMode('carry')");
    let (x, y) = place(&mut browser, 0);
    browser.mouse("mousePressed", (x, y));
    browser.mouse("mouseReleased", (x, y));
    browser.wait("window.zerogap.state().isHeld");
    // To the right, and down: the third axis.
    browser.value("window.report(1, 0x5e, 0x01, 0, 0, 0xaf, 0)");
    browser.wait(
        "window.zerogap.state().positions[0][0] > 0.02 && window.zerogap.state().positions[0][2] < -0.01",
    );
    browser.value("window.report(1, 0, 0, 0, 0, 0, 0)");
    let at = browser.value("window.zerogap.state().positions[0]");
    assert!(at[1].as_f64().unwrap().abs() < 5e-3, "{at}");
    browser.value("window.report(3, 1)");
    browser.wait("!window.zerogap.state().isHeld");
    assert_eq!(browser.faults, Vec::<String>::new());
}

/// Pictures of the page in both themes and two sizes, for people to look at; nothing may leave the window.
#[test]
fn the_page_fits_its_window() {
    let Some(mut browser) = Browser::start("sizes", (1280, 800)) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, text) = zerogap::scene::find_built_in(Path::new("domino-row")).unwrap();
    let builder = Scene::parse(text, "domino-row", Path::new("")).unwrap().builder;
    let viewer = view("domino-row", builder, folder.path());
    for (size, name) in [((1280, 800), "large"), ((800, 600), "small")] {
        browser.resize(size);
        for theme in ["light", "dark"] {
            browser.open("about:blank");
            browser.open(&format!("{}&theme={theme}", viewer.url()));
            browser.wait("!!window.zerogap && window.zerogap.state().tick > 20");
            browser.value("new Promise(done => setTimeout(done, 300))");
            browser.shot(&format!("{name}-{theme}"));
            assert_eq!(
                browser.value("document.documentElement.scrollWidth <= innerWidth"),
                Value::Bool(true),
                "{name}"
            );
        }
    }
    assert_eq!(browser.faults, Vec::<String>::new());
}
