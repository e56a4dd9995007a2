//! A process that is killed while it records leaves a recording of everything up to its last flush.
//!
//! The test starts itself again as the process to be killed; what it is to write and where to is in an environment variable.

use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::record::{End, Head, Recording, RecordingWriter};
use zerogap::world::{
    BodyDef, ContactModel, Event, EventLocation, Frame, ShapeDef, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// Tells the process that it is the one to be killed, and where it records.
const RECORD_TO: &str = "ZEROGAP_TEST_RECORD_TO";

/// Times of the run [s].
const EVERY: f64 = 2e-4;
const UNTIL: f64 = 2.0;

/// Balls that bounce, and one that rolls on the floor and so always has a contact.
fn world() -> World {
    let params = WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default())));
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution: 1.0, friction: 0.2, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    for k in 0..6 {
        let x = f64::from(k);
        let z = if k == 0 { 0.1 } else { 0.2 + 0.05 * x };
        let start = Pose::from_translation(Vec3::new(0.0, x, z)).unwrap();
        let ball = BodyDef::free(start).with(Shape::sphere(0.1).unwrap(), "steel");
        builder.body(ball.moving(&[1.0, 0.0, 0.0, 0.0, 0.1 * x, 0.0])).unwrap();
    }
    builder.build().unwrap()
}

fn head(world: &World) -> Head {
    Head {
        scene: "bouncing".to_owned(),
        source: String::new(),
        every: EVERY,
        gravity: [0.0, 0.0, -9.81],
        bodies: world.names().to_vec(),
        shapes: Vec::new(),
    }
}

/// The run in the process that is killed. It tells how many frames are in the file, as soon as they are.
fn record(path: &Path) {
    let mut world = world();
    let mut writer = RecordingWriter::create(path, &head(&world)).unwrap();
    let mut told = 0;
    say(&format!("flushed {told}"));
    world
        .stream_to(UNTIL, EVERY, &mut |frame, events| {
            writer.frame(&frame).unwrap();
            writer.events(events).unwrap();
            if writer.flushed_frames() > told {
                told = writer.flushed_frames();
                say(&format!("flushed {told}"));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    writer.events(world.events()).unwrap();
    let end = End { t: world.time(), info: world.info(), hash: world.hash(), reason: String::new() };
    writer.finish(&end).unwrap();
    say("finished");
}

/// Past the test harness, which would keep it until the end.
fn say(text: &str) {
    let mut out = std::io::stdout();
    out.write_all(format!("\n{text}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// A run of the same world in this process, to its end: frames, events, state hash.
fn whole_run() -> (Vec<Frame>, Vec<Event>, u64) {
    let mut world = world();
    let frames = world.record_to(UNTIL, EVERY).unwrap();
    (frames, world.events().to_vec(), world.hash())
}

/// Kills the recording process some time after so many frames were flushed; tells how many it said were.
fn record_and_kill(path: &Path, after_frames: u64, then: Duration) -> (u64, bool) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_killed_run_leaves_every_frame_up_to_its_last_flush", "--nocapture"])
        .env(RECORD_TO, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let flushed = Arc::new(AtomicU64::new(0));
    let (has_begun, is_there) = std::sync::mpsc::channel();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let listener = std::thread::spawn({
        let flushed = Arc::clone(&flushed);
        move || {
            let mut has_finished = false;
            for line in lines.map_while(Result::ok) {
                if let Some(count) = line.strip_prefix("flushed ").and_then(|text| text.parse().ok()) {
                    flushed.store(count, Ordering::SeqCst);
                    if count >= after_frames {
                        let _ = has_begun.send(());
                    }
                }
                has_finished |= line == "finished";
            }
            has_finished
        }
    });
    is_there.recv_timeout(Duration::from_mins(1)).unwrap();
    std::thread::sleep(then);
    // SIGKILL on Unix: nothing of the process runs after it.
    child.kill().unwrap();
    child.wait().unwrap();
    let has_finished = listener.join().unwrap();
    (flushed.load(Ordering::SeqCst), has_finished)
}

#[test]
fn a_killed_run_leaves_every_frame_up_to_its_last_flush() {
    if let Some(path) = std::env::var_os(RECORD_TO) {
        return record(Path::new(&path));
    }
    let (frames, events, hash) = whole_run();
    let total = frames.len() as u64;
    assert!(events.len() > 20 && frames.iter().all(|frame| !frame.contacts.is_empty()), "too little happens");
    let folder = tempfile::tempdir().unwrap();
    let mut random = zerogap_testkit::random::Random::new(20);
    let (mut killed, mut torn) = (0, 0);
    let kills = zerogap_testkit::count(20, 500);
    for kill in 0..kills {
        let path = folder.path().join("recording.zgr");
        let after = (random.unit() * 0.9 * total as f64) as u64;
        let then = Duration::from_micros((random.unit() * 5000.0) as u64);
        let (flushed, has_finished) = record_and_kill(&path, after, then);
        let recording = Recording::open(&path).unwrap();
        let n = recording.frames.len();
        assert!(flushed >= after && n as u64 >= flushed, "kill {kill}: {n} frames of {flushed} flushed");
        let part = Recording { frames: frames[..n].to_vec(), ..recording.clone() };
        assert_eq!(recording.frames, frames[..n], "kill {kill}");
        assert_eq!(recording.hash_of_frames(), part.hash_of_frames(), "kill {kill}");
        assert!(events.starts_with(&recording.events), "kill {kill}");
        assert_eq!(recording.head, head(&world()));
        match &recording.end {
            Some(end) => assert_eq!((end.hash, n), (hash, frames.len())),
            None => assert!(!has_finished, "kill {kill}: the end is missing"),
        }
        killed += usize::from(recording.end.is_none());
        torn += usize::from(recording.left_out > 0);
    }
    println!("{killed} of {kills} runs were killed before their end, {torn} while they wrote");
    assert!(2 * killed > kills, "too few runs were still going when they were killed: {killed} of {kills}");
}
