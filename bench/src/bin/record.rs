//! What recording costs: bytes per body and frame, and how much longer a run takes that is recorded.
//!
//! The scenes: `bounce`, balls that bounce without loss on a floor; `slide`, boxes that slide on a floor, so that every body has a contact; `elastic`, balls that roll on an elastic floor;
//! and some that are built in, by events, by steps and with meshes, to their own ends with frames as often as they ask for. `steps` is what frames are compared with: a frame of something that
//! touches costs about one evaluation, a step about fifteen, so where there are more frames than steps, recording is a part of the run that counts.
//! Each is run to the same time without frames, with frames that are thrown away, and with frames that go to a file, in turn, and the medians are compared: `frames` is
//! the fraction of time that making frames adds, `recording` all of what a recorded run adds to one without, of which the file is the rest.
//! Times are those of the processor, where the system reports them: other programs that run beside do not count. Before a row is printed,
//! the recorded run must have ended in the same state, bit for bit, as the one without, and the file must hold all of its frames.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::record::{End, Head, Recording, RecordingWriter};
use zerogap::scene::{Scene, built_in};
use zerogap::world::{BodyDef, ContactModel, EventLocation, ShapeDef, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_bench::{Clock, Table, summarize};

/// Time between frames [s]: a replay at 60 pictures a second shows every one of them.
const EVERY: f64 = 1.0 / 60.0;

/// The scenes of this program, how many bodies they have, and how long they run [s].
const SCENES: [(&str, u32, f64); 6] = [
    ("bounce", 1, 20.0),
    ("bounce", 49, 5.0),
    ("slide", 1, 5.0),
    ("slide", 16, 2.0),
    ("elastic", 1, 2.0),
    ("elastic", 16, 1.0),
];

/// The built-in scenes: those that take seconds at most, since each is run many times.
const BUILT_IN: [&str; 10] = [
    "bouncing-ball",
    "newtons-cradle",
    "falling-parts",
    "many-falling-parts",
    "box-tower",
    "domino-row",
    "rattleback",
    "euler-disk",
    "four-bar",
    "heaving-deck",
];

/// A scene to measure.
struct Case {
    name: &'static str,
    builder: WorldBuilder,
    until: f64,
    every: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let repetitions: usize = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    let path = std::env::temp_dir().join(format!("zerogap-bench-{}.zgr", std::process::id()));
    let mut table = Table::new(&[
        "scene",
        "bodies",
        "steps",
        "frames",
        "contacts",
        "points",
        "bytes",
        "B/frame",
        "B/body+frame",
        "run_ms",
        "us/frame",
        "frames_%",
        "recording_%",
        "write_MB/s",
        "read_MB/s",
        "spread",
    ]);
    for (name, bodies, until) in SCENES {
        let case = Case { name, builder: builder(name, bodies)?, until, every: EVERY };
        table.push(measure(&case, repetitions, &path)?);
    }
    for (name, text) in built_in().iter().filter(|(name, _)| BUILT_IN.contains(name)) {
        let Scene { builder, until, every, .. } = Scene::parse(text, name, Path::new(""))?;
        table.push(measure(&Case { name, builder, until, every }, repetitions, &path)?);
    }
    std::fs::remove_file(&path)?;
    table.save("record")?;
    Ok(())
}

fn measure(case: &Case, repetitions: usize, path: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut times = [const { Vec::new() }; 3];
    // In turn, so that a machine that gets slower gets slower for all of them.
    for _ in 0..repetitions {
        let runs = [plain(case)?, thrown_away(case)?, recorded(case, path)?];
        assert!(runs.iter().all(|run| run.1 == runs[0].1), "{}: recording changed the run", case.name);
        for (times, run) in times.iter_mut().zip(runs) {
            times.push(run.0);
        }
    }
    let [plain, thrown, kept] = times.map(summarize);
    let bytes = std::fs::metadata(path)?.len();
    let start = Clock::start();
    let recording = Recording::open(path)?;
    let read = start.elapsed();
    let (frames, bodies) = (recording.frames.len(), recording.head.bodies.len());
    let expected = (case.until / case.every + 1e-9) as usize + 1;
    let Some(end) = recording.end.as_ref().filter(|_| frames == expected) else {
        return Err(format!("{}: {frames} frames, not {expected}", case.name).into());
    };
    let steps = end.info.steps;
    // The file alone: all frames again, without a run.
    let start = Clock::start();
    write(&recording, path)?;
    let written = start.elapsed();
    let contacts: usize = recording.frames.iter().map(|frame| frame.contacts.len()).sum();
    let points: usize = recording.frames.iter().map(|frame| frame.points.len()).sum();
    let of_frames: usize = frames * (56 + 104 * bodies) + 96 * (contacts + points);
    let percent = |time: f64| format!("{:.1}", 100.0 * (time / plain.median - 1.0));
    let spread = plain.spread.max(thrown.spread).max(kept.spread);
    Ok(vec![
        case.name.to_owned(),
        bodies.to_string(),
        steps.to_string(),
        frames.to_string(),
        format!("{:.1}", contacts as f64 / frames as f64),
        format!("{:.1}", points as f64 / frames as f64),
        bytes.to_string(),
        format!("{:.1}", bytes as f64 / frames as f64),
        format!("{:.1}", bytes as f64 / (frames * bodies) as f64),
        format!("{:.2}", 1e3 * plain.median),
        format!("{:.2}", 1e6 * (kept.median - plain.median) / frames as f64),
        percent(thrown.median),
        percent(kept.median),
        format!("{:.0}", 1e-6 * of_frames as f64 / written),
        format!("{:.0}", 1e-6 * bytes as f64 / read),
        format!("{spread:.3}"),
    ])
}

/// Time [s] and state hash of a run without frames.
fn plain(case: &Case) -> Result<(f64, u64), Box<dyn Error>> {
    let mut world = case.builder.clone().build()?;
    let start = Clock::start();
    world.advance_to(case.until)?;
    Ok((start.elapsed(), world.hash()))
}

/// The same with frames that nobody keeps.
fn thrown_away(case: &Case) -> Result<(f64, u64), Box<dyn Error>> {
    let mut world = case.builder.clone().build()?;
    let start = Clock::start();
    world.stream_to(case.until, case.every, &mut |_, _| ControlFlow::Continue(()))?;
    Ok((start.elapsed(), world.hash()))
}

/// The same with frames and events in a file, from its beginning to its end.
fn recorded(case: &Case, path: &Path) -> Result<(f64, u64), Box<dyn Error>> {
    let mut world = case.builder.clone().build()?;
    let head = Head {
        scene: case.name.to_owned(),
        source: String::new(),
        every: case.every,
        gravity: [0.0, 0.0, -9.81],
        bodies: world.names().to_vec(),
        shapes: Vec::new(),
    };
    let start = Clock::start();
    let mut writer = RecordingWriter::create(path, &head)?;
    let mut written = Ok(());
    world.stream_to(case.until, case.every, &mut |frame, events| {
        if written.is_ok() {
            written = writer.frame(&frame).and_then(|()| writer.events(events));
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    written?;
    writer.events(world.events())?;
    writer.finish(&End { t: world.time(), info: world.info(), hash: world.hash(), reason: String::new() })?;
    Ok((start.elapsed(), world.hash()))
}

fn write(recording: &Recording, path: &Path) -> Result<(), Box<dyn Error>> {
    let mut writer = RecordingWriter::create(path, &recording.head)?;
    recording.frames.iter().try_for_each(|frame| writer.frame(frame))?;
    writer.events(&recording.events)?;
    writer.flush()?;
    Ok(())
}

fn builder(scene: &str, bodies: u32) -> Result<WorldBuilder, Box<dyn Error>> {
    let contact =
        if scene == "elastic" { ContactModel::default() } else { ContactModel::Rigid(ImpactLaw::default()) };
    let mut builder = WorldBuilder::new(WorldParams::new(EventLocation::new(contact)));
    let restitution = if scene == "bounce" { 1.0 } else { 0.0 };
    let properties = PairProperties { restitution, friction: 0.1, ..PairProperties::default() };
    builder.pair("steel", "steel", properties)?;
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0)?, "steel"))?;
    for k in 0..bodies {
        let (x, y) = (f64::from(k % 7), f64::from(k / 7));
        let (height, shape, speed) = match scene {
            "bounce" => (1.0 + 0.01 * f64::from(k), Shape::sphere(0.1)?, 0.0),
            "slide" => (0.1, Shape::cuboid(Vec3::new(0.4, 0.3, 0.2))?, 6.0),
            _ => (0.1, Shape::sphere(0.1)?, 1.0),
        };
        let start = Pose::from_translation(Vec3::new(x, 10.0 * y, height))?;
        builder.body(BodyDef::free(start).with(shape, "steel").moving(&[speed, 0.0, 0.0, 0.0, 0.0, 0.0]))?;
    }
    Ok(builder)
}
