//! The replay page in a real browser, from a `file://` address.
//!
//! The variable `ZEROGAP_BROWSER` names a Chromium; `cargo xtask test` sets it where it finds one. Without it the test says that it was skipped. A probe is put into the page beside
//! the product's own script: it listens for errors, moves the time, looks at pixels, and leaves what it saw in the document, which the browser prints.

mod recorded;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use recorded::{BEFORE, UNTIL, WILD_NAME, recording};
use serde_json::Value;
use zerogap::picture::replay_html;
use zerogap::record::Recording;

/// Longest time that the browser may take; it takes seconds.
const PATIENCE: Duration = Duration::from_mins(3);

/// First in the page: everything that goes wrong from here on is kept. Frames come by the clock: a browser without a screen on a busy machine may draw none for seconds.
const LISTENER: &str = r"<script>
window.faults = [];
window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 16);
window.cancelAnimationFrame = clearTimeout;
for (const kind of ['error', 'unhandledrejection', 'securitypolicyviolation'])
  window.addEventListener(kind, event => faults.push(`${kind}: ${event.message ?? event.reason ?? event.violatedDirective}`));
for (const kind of ['error', 'warn']) {
  const before = console[kind];
  console[kind] = (...words) => { faults.push(`console.${kind}: ${words.join(' ')}`); before.apply(console, words); };
}
</script>";

/// What every probe is run by.
const REPORT: &str = include_str!("recorded/report.js");

/// Last in the page: what is seen at some times.
const PROBE: &str = include_str!("recorded/probe.js");

/// Looks at what the camera frames and how long arrows are at every frame.
const FRAMING_PROBE: &str = include_str!("recorded/framing.js");

/// The page of a recording with a probe in it.
fn page(recording: &Recording, probe: &str) -> String {
    let page = replay_html(recording);
    let page = page.replacen("<title>", &format!("{LISTENER}<title>"), 1);
    let probe = probe.replace("BEFORE", &BEFORE.to_string()).replace("UNTIL", &UNTIL.to_string());
    page.replacen("</body>", &format!("<script>{REPORT}{probe}</script></body>"), 1)
}

/// The document after the scripts have run, and what the browser said.
fn opened(browser: &str, folder: &Path) -> (String, String) {
    let [document, messages] = ["document.html", "messages.txt"].map(|name| folder.join(name));
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu-sandbox", "--disable-dev-shm-usage"])
        .args(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        .args([
            "--window-size=1000,700",
            "--virtual-time-budget=20000",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", folder.join("replay.html").display()))
        .stdout(File::create(&document).unwrap())
        .stderr(File::create(&messages).unwrap())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the browser did not come to an end: {}", fs::read_to_string(&messages).unwrap());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let text = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    (text(&document), text(&messages))
}

/// What a probe saw in the page of a recording; none where there is no browser.
fn seen_in(recording: &Recording, probe: &str) -> Option<Value> {
    let Ok(browser) = std::env::var("ZEROGAP_BROWSER") else {
        eprintln!("skipped: ZEROGAP_BROWSER names no Chromium; `cargo xtask test` looks for one");
        return None;
    };
    let name = recording.head.scene.replace(' ', "-");
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("replay-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("replay.html"), page(recording, probe)).unwrap();
    let (document, messages) = opened(&browser, &folder);
    fs::remove_dir_all(&folder).unwrap();

    let seen = document.rsplit_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((seen, _)) = seen else { panic!("the probe left nothing: {messages}") };
    let seen: Value =
        serde_json::from_str(&seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).unwrap();
    // Nothing went wrong.
    assert_eq!(seen["faults"], Value::Array(Vec::new()), "{messages}");
    // A driver that tells how fast it is is no fault of the page.
    let spoke = |line: &&str| line.contains("CONSOLE") && !line.contains("GL Driver Message");
    assert_eq!(messages.lines().find(spoke), None);
    Some(seen)
}

#[test]
fn the_camera_frames_what_moves_and_arrows_stay_in_the_view() {
    let recording = recorded::on_a_large_floor();
    let Some(seen) = seen_in(&recording, FRAMING_PROBE) else { return };
    let number = |name: &str| seen[name].as_f64().unwrap_or_else(|| panic!("no {name} in {seen}"));
    // The ball is inside of the view all the time, and its way fills most of it, however large the floor is.
    assert!(number("farthest") <= 1.0, "the ball leaves the view: {seen}");
    assert!(number("filled") > 0.5, "what moves fills {} of the view", seen["filled"]);
    // The force at the end is far beyond the others, its arrow is not.
    assert!(number("arrows") >= 1.0, "{seen}");
    assert!(number("longest_arrow") <= 0.5, "an arrow of {} half views", seen["longest_arrow"]);
    assert!(number("longest_arrow_from_near") <= 0.5, "{seen}");
    assert_eq!(seen["fixed"], serde_json::json!(["floor"]));
    // Overlaps of micrometres are a range.
    let legend = seen["legend"].as_str().unwrap();
    assert!(legend.starts_with("gap −"), "{legend}");
}

#[test]
fn a_legend_shows_no_range_of_rounding() {
    let Some(seen) = seen_in(&recorded::at_rest(), FRAMING_PROBE) else { return };
    let legend = seen["legend"].as_str().unwrap();
    assert!(legend.starts_with("gaps below "), "{legend}");
    assert_eq!(seen["fixed"], serde_json::json!(["table"]));
    // The four corners of the box, not one point in its middle.
    assert_eq!(seen["points"], 4, "{seen}");
}

#[test]
fn a_browser_plays_the_page_from_a_file() {
    let Some(seen) = seen_in(&recording(), PROBE) else { return };
    assert_eq!(seen["protocol"], "file:");
    assert_eq!(seen["wild"], false, "a name became an element");
    assert_eq!(seen["names"][0], WILD_NAME);

    // The picture shows something, the same at the same time, and other things at other times.
    let number = |name: &str| seen[name].as_f64().unwrap_or_else(|| panic!("no {name} in {seen}"));
    assert!(number("colors") > 200.0, "{} colours: the canvas is blank", seen["colors"]);
    assert!(
        number("changed_by_nothing") < 0.5,
        "{} pixels changed by themselves",
        seen["changed_by_nothing"]
    );
    assert!(
        number("changed_by_time") > 1000.0,
        "{} pixels changed from start to end",
        seen["changed_by_time"]
    );
    assert!(number("changed_by_scrubbing") > 1000.0, "{} pixels changed", seen["changed_by_scrubbing"]);

    // Arrows: of corners of the block at first, then the ball's too; friction only while the block slides; none when switched off.
    let arrows = ["normal_before", "normal_after", "friction_before", "friction_after"]
        .map(|name| seen[name].as_u64().unwrap());
    assert!(arrows[0] >= 2 && arrows[1] >= 3 && arrows[2] >= 2 && arrows[3] == 0, "{arrows:?}");
    assert!(number("arrow_pixels") > 50.0, "{} pixels of arrows", seen["arrow_pixels"]);
    assert!(number("gap_points") >= 2.0);

    // Play, loop, speed, keys, marks, bodies.
    assert!(number("played") > 0.0, "{}", seen["played"]);
    assert!(number("slow") > 0.0 && number("slow") < 0.5 * number("played"), "{}", seen["slow"]);
    assert_eq!(seen["space_stops"], true);
    assert!((number("one_frame") - recorded::EVERY).abs() < 1e-9, "{}", seen["one_frame"]);
    assert!((number("mark") - (2.0_f64 * 0.3 / 9.81).sqrt()).abs() < 1e-6, "{}", seen["mark"]);
    assert_eq!(seen["followed"], 1);
    assert!(number("screenshot_bytes") > 5000.0);
    assert_eq!(seen["about_hash"], true);
}
