//! What recording costs: bytes per body and frame, and how much longer a run takes that is recorded.
//!
//! The scenes: `bounce`, balls that bounce without loss on a floor; `slide`, boxes that slide on a floor, so that every body has a contact; `elastic`, balls that roll on an elastic floor.
//! Each is run to the same time without frames, with frames that are thrown away, and with frames that go to a file, in turn, and the medians are compared: `frames` is
//! the share of time that making frames adds, `recording` all of what a recorded run adds to one without, of which the file is the rest.
//! Times are those of the processor, where the system tells them: other programs that run beside do not count. Before a row is printed,
//! the recorded run must have ended in the same state, bit for bit, as the one without, and the file must hold all of its frames.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::record::{End, Head, Recording, RecordingWriter};
use zerogap::world::{BodyDef, ContactModel, ShapeDef, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_bench::{Clock, Table, summarize};

/// Time between frames [s]: a replay at 60 pictures a second shows every one of them.
const EVERY: f64 = 1.0 / 60.0;

/// The scenes, how many bodies they have, and how long they run [s].
const SCENES: [(&str, u32, f64); 6] = [
    ("bounce", 1, 20.0),
    ("bounce", 49, 5.0),
    ("slide", 1, 5.0),
    ("slide", 16, 2.0),
    ("elastic", 1, 2.0),
    ("elastic", 16, 1.0),
];

fn main() -> Result<(), Box<dyn Error>> {
    let repetitions: usize = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    let path = std::env::temp_dir().join(format!("zerogap-bench-{}.zgr", std::process::id()));
    let mut table = Table::new(&[
        "scene",
        "bodies",
        "frames",
        "contacts",
        "bytes",
        "B/frame",
        "B/body+frame",
        "run_ms",
        "frames_%",
        "recording_%",
        "write_MB/s",
        "read_MB/s",
        "spread",
    ]);
    for (scene, bodies, until) in SCENES {
        table.push(measure(scene, bodies, until, repetitions, &path)?);
    }
    std::fs::remove_file(&path)?;
    table.save("record")?;
    Ok(())
}

fn measure(
    scene: &str,
    bodies: u32,
    until: f64,
    repetitions: usize,
    path: &Path,
) -> Result<Vec<String>, Box<dyn Error>> {
    let mut times = [const { Vec::new() }; 3];
    // In turn, so that a machine that gets slower gets slower for all of them.
    for _ in 0..repetitions {
        let runs = [
            plain(scene, bodies, until)?,
            thrown_away(scene, bodies, until)?,
            recorded(scene, bodies, until, path)?,
        ];
        assert!(runs.iter().all(|run| run.1 == runs[0].1), "{scene}: recording changed the run");
        for (times, run) in times.iter_mut().zip(runs) {
            times.push(run.0);
        }
    }
    let [plain, thrown, kept] = times.map(summarize);
    let bytes = std::fs::metadata(path)?.len();
    let start = Clock::start();
    let recording = Recording::open(path)?;
    let read = start.elapsed();
    let frames = recording.frames.len();
    assert!(recording.end.is_some() && frames == (until / EVERY) as usize + 1, "{scene}: {frames} frames");
    // The file alone: all frames again, without a run.
    let start = Clock::start();
    write(&recording, path)?;
    let written = start.elapsed();
    let contacts: usize = recording.frames.iter().map(|frame| frame.contacts.len()).sum();
    let of_frames: usize = frames * (48 + 104 * bodies as usize) + 96 * contacts;
    let percent = |time: f64| format!("{:.1}", 100.0 * (time / plain.median - 1.0));
    let spread = plain.spread.max(thrown.spread).max(kept.spread);
    Ok(vec![
        scene.to_owned(),
        bodies.to_string(),
        frames.to_string(),
        format!("{:.1}", contacts as f64 / frames as f64),
        bytes.to_string(),
        format!("{:.1}", bytes as f64 / frames as f64),
        format!("{:.1}", bytes as f64 / (frames * bodies as usize) as f64),
        format!("{:.2}", 1e3 * plain.median),
        percent(thrown.median),
        percent(kept.median),
        format!("{:.0}", 1e-6 * of_frames as f64 / written),
        format!("{:.0}", 1e-6 * bytes as f64 / read),
        format!("{spread:.3}"),
    ])
}

/// Time [s] and state hash of a run without frames.
fn plain(scene: &str, bodies: u32, until: f64) -> Result<(f64, u64), Box<dyn Error>> {
    let mut world = build(scene, bodies)?;
    let start = Clock::start();
    world.advance_to(until)?;
    Ok((start.elapsed(), world.hash()))
}

/// The same with frames that nobody keeps.
fn thrown_away(scene: &str, bodies: u32, until: f64) -> Result<(f64, u64), Box<dyn Error>> {
    let mut world = build(scene, bodies)?;
    let start = Clock::start();
    world.stream_to(until, EVERY, &mut |_, _| ControlFlow::Continue(()))?;
    Ok((start.elapsed(), world.hash()))
}

/// The same with frames and events in a file, from its beginning to its end.
fn recorded(scene: &str, bodies: u32, until: f64, path: &Path) -> Result<(f64, u64), Box<dyn Error>> {
    let mut world = build(scene, bodies)?;
    let head = Head {
        scene: scene.to_owned(),
        source: String::new(),
        every: EVERY,
        gravity: [0.0, 0.0, -9.81],
        bodies: world.names().to_vec(),
        shapes: Vec::new(),
    };
    let start = Clock::start();
    let mut writer = RecordingWriter::create(path, &head)?;
    let mut written = Ok(());
    world.stream_to(until, EVERY, &mut |frame, events| {
        written = writer.frame(&frame).and_then(|()| writer.events(events));
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

fn build(scene: &str, bodies: u32) -> Result<World, Box<dyn Error>> {
    let contact =
        if scene == "elastic" { ContactModel::default() } else { ContactModel::Rigid(ImpactLaw::default()) };
    let mut builder = WorldBuilder::new(WorldParams { contact, ..WorldParams::default() });
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
    Ok(builder.build()?)
}
